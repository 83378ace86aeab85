"""Association maps, the linear memory, device choice, and what the package may import."""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from numerics import (
    Activation,
    InputError,
    LinearMemory,
    LowRankMemory,
    MLPMemory,
    Stream,
    TwoLayerNetwork,
    checks,
    devices,
    general_map,
    injective_map,
    resolve_device,
    sample_sphere,
)
from numerics.associations import check_map
from numerics.contracts import MemoryContract, pretended_cuda
from numerics.draws import linear_margin, low_rank_margin, mlp_margin, quantized_margin
from numerics.memories import facts
from numerics.memories.base import Memory
from numerics.memories.linear import outer_product_weight
from verify.capacity import CONSTRUCTIONS, Construction, construction


class Registered(MemoryContract):
    """A memory of the registry at one of its examples, against its definition there."""

    built: Construction
    harmless = ("doubled",)
    many = True

    @classmethod
    @cache
    def _half_lost(cls) -> int:
        """The number of facts of which about half of the draws lose one; searched for once."""
        return cls.built.prediction.largest(delta="1/2")

    @property
    def sizes(self) -> list[tuple[int, int]]:
        return [(self._half_lost(), self._half_lost()), (3, 7)]

    def sample(self, N: int, M: int, **more: Any) -> Memory:
        return self.built.sample(N, M, **more)

    def images(self, memory: Memory, vectors: Tensor) -> Tensor:
        return self.built.images(memory, vectors)

    def rebuilt(self, memory: Memory, *facts: Tensor) -> Memory:
        return self.built.rebuilt(memory, *facts)

    @property
    def faults(self) -> Sequence[str]:
        return getattr(self.sample(1, 1, seed=0), "faults", ())

    @property
    def ordered(self) -> bool:
        return getattr(self.sample(1, 1, seed=0), "ordered", False)


#: The experiments that count failures, each with the memory it draws.
EXPERIMENTS = [
    ("linear", {"d": 6}, partial(linear_margin.failures, 6)),
    ("quantized", {"d": 10, "bits": 3}, partial(quantized_margin.failures, 10, bits=3)),
    ("quantized", {"d": 10, "step": "1/2"}, partial(quantized_margin.failures, 10, step=0.5)),
    *(
        (
            "low-rank",
            {"d": 8, "m": 4, "factors": factors},
            lambda N, M, *n, factors=factors, **more: low_rank_margin.failures(
                8, N, M, 4, *n, factors=factors, **more
            ),
        )
        for factors in ("gaussian", "orthonormal")
    ),
    (
        "mlp",
        {"d": 8, "m": 60},
        lambda N, M, *n, **more: mlp_margin.failures(8, N, M, 60, *n, sigma=(0, 0, 0, 1.0), **more),
    ),
]


@pytest.mark.parametrize(
    ("memory", "sizes", "failures"), EXPERIMENTS, ids=lambda x: "" if callable(x) else str(x)
)
def test_an_experiment_counts_the_memories_it_names(memory, sizes, failures) -> None:
    whole = construction(memory, sizes).failures(4, 5, 40, seed=3, name="x").values
    assert 0 < float(whole.mean()) < 1
    parts = [failures(4, 5, 15, seed=3, name="x"), failures(4, 5, 25, seed=3, name="x", start=15)]
    assert torch.equal(whole, torch.cat([part.values for part in parts]))
    assert not torch.equal(whole, failures(4, 5, 40, seed=3, name="y").values)
    for sizes, more in (((3, 2, 2), {}), ((2, 2, -1), {}), ((2, 2, 1), {"start": -1})):
        with pytest.raises(InputError):
            failures(*sizes, seed=0, **more)


for built in (construction(name, at) for name, k in CONSTRUCTIONS.items() for at in k.examples):
    suite = f"Test {built.text}"
    globals()[suite] = type(suite, (Registered,), {"built": built})


@pytest.mark.parametrize(("N", "M"), [(1, 1), (5, 5), (5, 50)])
def test_injective_maps_are_injective(N: int, M: int) -> None:
    association = injective_map(N, M, stream=Stream(0))
    check_map(association, N, M)
    assert len(set(association.tolist())) == N


def test_injective_maps_are_random() -> None:
    maps = [tuple(injective_map(3, 3, stream=Stream(0, i)).tolist()) for i in range(200)]
    # All 6 appear: one is missing with chance at most 6 * (5/6)**200 < 1e-15.
    assert len(set(maps)) == 6


def test_no_injection_into_fewer_outputs() -> None:
    with pytest.raises(InputError, match=r"N = 5 .* M = 4 .*general_map"):
        injective_map(5, 4, stream=Stream(0))


@pytest.mark.parametrize(("N", "M"), [(0, 4), (-1, 4), (True, 4), (1, 0)])
def test_bad_map_sizes_are_rejected(N: int, M: int) -> None:
    with pytest.raises(InputError):
        injective_map(N, M, stream=Stream(0))


def test_general_map_has_the_given_fibres() -> None:
    association = general_map([2, 0, 3])
    check_map(association, 5, 3)
    assert association.tolist() == [0, 0, 2, 2, 2]


@pytest.mark.parametrize("sizes", [[], [0, 0], [1, -1], [1.0]])
def test_bad_fibre_sizes_are_rejected(sizes: list[int]) -> None:
    with pytest.raises(InputError, match="fibre_sizes"):
        general_map(sizes)


def test_map_checks() -> None:
    with pytest.raises(InputError, match="int64"):
        check_map(torch.tensor([0, 1], dtype=torch.int32), 2, 2)
    with pytest.raises(InputError, match=r"shape \(3,\)"):
        check_map(torch.tensor([0, 1]), 3, 2)
    with pytest.raises(InputError, match=r"association\[1\] = 2"):
        check_map(torch.tensor([0, 2]), 2, 2)
    with pytest.raises(InputError, match=r"association\[0\] = -1"):
        check_map(torch.tensor([-1, 0]), 2, 2)


def test_weight_is_the_sum_of_outer_products() -> None:
    # Small integers: the sum is exact in any order.
    generator = Stream(0).generator()
    inputs = torch.from_numpy(generator.integers(-9, 10, (6, 3)).astype(float))
    outputs = torch.from_numpy(generator.integers(-9, 10, (4, 3)).astype(float))
    association = general_map([1, 2, 0, 3])
    expected = torch.zeros(3, 3, dtype=torch.float64)
    for x, y in enumerate(association.tolist()):
        expected += torch.outer(outputs[y], inputs[x])
    memory = LinearMemory(inputs, outputs, association)
    assert torch.equal(memory.weight, expected)
    vectors = torch.tensor([[1.0, -2.0, 3.0], [0.0, 1.0, 0.0]], dtype=torch.float64)
    images = torch.stack([expected @ vector for vector in vectors])
    assert torch.equal(memory.apply(vectors), images)
    batched = outer_product_weight(
        torch.stack([inputs, 2 * inputs]), torch.stack([outputs, outputs]), association
    )
    assert torch.equal(batched, torch.stack([expected, 2 * expected]))


def test_sample_uses_named_streams_and_the_seed_alone() -> None:
    memory = LinearMemory.sample(4, 5, 7, seed=9)
    assert torch.equal(memory.inputs, sample_sphere(5, 4, stream=Stream(9, "inputs")))
    assert torch.equal(memory.outputs, sample_sphere(7, 4, stream=Stream(9, "outputs")))
    expected = injective_map(5, 7, stream=Stream(9, "association"))
    assert torch.equal(memory.association, expected)
    child = LinearMemory.sample(4, 5, seed=Stream(9, "run"))
    assert torch.equal(child.inputs, sample_sphere(5, 4, stream=Stream(9, "run", "inputs")))
    assert len(child.outputs) == 5


@pytest.mark.parametrize(
    "sample",
    [
        LinearMemory.sample,
        partial(LowRankMemory.sample, m=2),
        partial(MLPMemory.sample, m=2, activation=Activation.named("relu")),
    ],
)
def test_what_cannot_fit_is_refused_before_anything_is_drawn(
    sample: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the memory of the machine said to be so large: what needs that much fits, and no more."""
    held = sample(8, 16, 32, seed=0)
    named = {name: part for name, part in vars(held).items() if not name.startswith("_")}
    values = sum(part.numel() for part in named.values() if isinstance(part, Tensor))
    needed = 8 * (values - 16 + 32)  # the association is a part of an order of all outputs
    monkeypatch.setattr(checks, "device_memory", lambda device: needed)
    assert torch.equal(sample(8, 16, 32, seed=0).inputs, held.inputs)
    monkeypatch.setattr(checks, "device_memory", lambda device: needed - 1)
    monkeypatch.setattr(facts, "injective_map", lambda *a, **k: pytest.fail("drew"))
    with pytest.raises(InputError, match=r"d = 8, N = 16, M = 32: .* do not fit into the memory"):
        sample(8, 16, 32, seed=0)


def test_the_memory_of_a_machine_is_known_or_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    cpu = torch.device("cpu")
    there = checks.device_memory(cpu)
    assert there is not None
    assert there >= 2**28
    assert checks.device_memory(torch.device("meta")) is None
    monkeypatch.setattr(checks.os, "sysconf", lambda name: 2**20)
    monkeypatch.setattr(checks, "_MEMINFO", Path("/no/such/file"))
    assert checks.device_memory(cpu) == 2**40

    def unknown(name: str) -> int:
        raise ValueError(name)

    monkeypatch.setattr(checks.os, "sysconf", unknown)
    assert checks.device_memory(cpu) is None
    assert LinearMemory.sample(4, 3, seed=0).inputs.shape == (3, 4)


def test_what_is_put_aside_counts_as_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = tmp_path / "meminfo"
    said.write_text("MemTotal:  9 kB\nSwapTotal:       2048 kB\n", encoding="utf-8")
    monkeypatch.setattr(checks.os, "sysconf", lambda name: 2**10)
    monkeypatch.setattr(checks, "_MEMINFO", said)
    assert checks.device_memory(torch.device("cpu")) == 2**20 + 2**21


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_apply_error_bounds_the_actual_error(dtype: torch.dtype) -> None:
    memory = LinearMemory.sample(40, 60, seed=1, dtype=dtype)
    # Sums of doubles by fsum are exact up to one rounding, and products of float32 numbers
    # are exact doubles; for float64 the one rounding per product is within the bound too.
    rows = [row.tolist() for row in memory.weight]
    images = memory.apply(memory.inputs)
    bounds = memory.apply_error(memory.inputs)
    for vector, image, bound in zip(memory.inputs.tolist(), images.tolist(), bounds, strict=True):
        exact = [math.fsum(w * v for w, v in zip(row, vector, strict=True)) for row in rows]
        error = math.dist(exact, image)
        assert error <= float(bound)
    assert float(bounds.max()) < 1e6 * torch.finfo(dtype).eps


def test_apply_error_counts_the_cast_of_the_weight() -> None:
    one = torch.ones(1, 1, dtype=torch.float64)
    memory = LinearMemory(one, one, torch.tensor([0]))
    draw = Stream(0).generator()
    worst = 0.0
    for _ in range(500):
        wide = memory.with_weight(torch.from_numpy(1 + 0.1 * draw.random((1, 1))))
        vector = torch.from_numpy(1 + 0.1 * draw.random((1, 1))).float()
        exact = Fraction(float(wide.weight)) * Fraction(float(vector))
        error = abs(Fraction(float(wide.apply(vector))) - exact)
        worst = max(worst, float(error / Fraction(float(wide.apply_error(vector)))))
    # One rounding in the cast and one in the product: a bound for one of them is exceeded.
    assert 0.6 < worst <= 1
    small = memory.with_weight(one * 2.0**-160)
    # The weight is below every float32, the image of a great vector is not.
    vector = torch.full((1, 1), 2.0**100)
    assert float(small.apply(vector)) == 0.0
    assert float(small.apply_error(vector)) >= 2.0**-60


@pytest.mark.parametrize("kind", ["linear", "low rank", "network"])
def test_error_bounds_scale_with_the_weights_down_to_tiny_ones(kind: str) -> None:
    tiny = 2.0**-560
    before: Memory
    after: Memory
    if kind == "linear":
        linear = LinearMemory.sample(5, 4, seed=1)
        before, after = linear, linear.with_weight(tiny * linear.weight)
    elif kind == "low rank":
        low_rank = LowRankMemory.sample(5, 4, m=2, seed=1)
        before, after = low_rank, low_rank.with_left(tiny * low_rank.left)
    else:
        sigma = Activation.named("tanh")
        before = MLPMemory.sample(5, 4, m=3, activation=sigma, seed=1).network()
        facts = (before.inputs, before.outputs, before.association)
        after = TwoLayerNetwork(*facts, before.hidden, tiny * before.readout, sigma)
    bounds = after.apply_error(before.inputs)
    assert float(bounds.min()) > 0
    assert torch.allclose(bounds / tiny, before.apply_error(before.inputs), rtol=1e-9, atol=0)


def test_with_weight_keeps_the_facts() -> None:
    memory = LinearMemory.sample(3, 4, seed=0)
    changed = memory.with_weight(torch.eye(3, dtype=torch.float64))
    assert changed.inputs is memory.inputs
    assert changed.association is memory.association
    assert torch.equal(changed.apply(memory.inputs), memory.inputs)
    assert torch.equal(memory.weight, LinearMemory.sample(3, 4, seed=0).weight)


def test_unusable_weights_are_rejected() -> None:
    memory = LinearMemory.sample(2, 4, seed=0)
    for weight in (torch.eye(3, dtype=torch.float64), torch.eye(2)):
        with pytest.raises(InputError, match="weight is"):
            memory.with_weight(weight)
    with pytest.raises(InputError, match="weight: row 0"):
        memory.with_weight(memory.weight * math.nan)


def test_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert resolve_device("auto") == resolve_device("cpu") == torch.device("cpu")
    with pytest.raises(InputError, match="--device cpu"):
        resolve_device("cuda")
    with pytest.raises(InputError, match="'tpu'"):
        resolve_device("tpu")
    with pretended_cuda():
        assert resolve_device("auto") == resolve_device("cuda") == torch.device("cuda")
        assert resolve_device("cpu") == torch.device("cpu")


def test_a_card_is_described(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert devices.described("cpu") == {}
    said, cards = tmp_path / "version", ["H200", "T4", "H200"]
    monkeypatch.setattr(torch.cuda, "device_count", lambda: len(cards))
    monkeypatch.setattr(torch.cuda, "get_device_name", cards.__getitem__)
    monkeypatch.setattr(torch.version, "cuda", "12.8")
    monkeypatch.setattr(devices, "_DRIVER", said)
    found = {"card": "2 x H200, T4", "driver": "unknown", "toolkit": "CUDA 12.8"}
    assert devices.described("cuda") == found
    said.write_text("NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.86.15  Thu\n")
    assert devices.described("cuda") == {**found, "driver": "570.86.15"}
    said.write_text("no number")
    monkeypatch.setattr(torch.version, "hip", "6.2")
    assert devices.described("cuda") == {**found, "toolkit": "ROCm 6.2"}


def test_workers_take_one_card_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    monkeypatch.setattr(torch.cuda, "set_device", taken.append)
    for count in (0, 2):
        monkeypatch.setattr(torch.cuda, "device_count", lambda count=count: count)
        for number in range(3):
            devices.use_card(number)
    assert taken == [0, 1, 0]


@pytest.mark.parametrize(
    ("dtype", "shorter"), [(torch.float32, torch.bfloat16), (torch.float64, torch.float32)], ids=str
)
@pytest.mark.parametrize("name", ["cpu", "cuda"])
def test_a_device_that_multiplies_wrongly_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, dtype: torch.dtype, shorter: torch.dtype
) -> None:
    right = Tensor.__matmul__

    def cut(left: Tensor, other: Tensor) -> Tensor:
        if left.dtype != dtype:
            return right(left, other)
        return right(left.to(shorter), other.to(shorter)).to(dtype)

    monkeypatch.setattr(Tensor, "__matmul__", cut)
    said = f"device = '{name}' multiplies {dtype} wrongly: .* or use --device cpu"
    with pretended_cuda(), pytest.raises(InputError, match=said):
        resolve_device(name)
