"""What every memory must satisfy: supply a sampled one and its definition, and inherit the tests."""

import inspect
import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from unittest.mock import patch

import torch
from torch import Tensor, float32, float64

from numerics.contracts.pretended import pretended_cuda
from numerics.contracts.refusal import refused
from numerics.decoding import Recall, recall
from numerics.draws import counting
from numerics.draws.counting import failing, lost_facts
from numerics.many import decided
from numerics.memories.base import Memory
from numerics.memories.linear import LinearMemory
from numerics.observables import Event
from numerics.random import Stream

_DTYPES = (float32, float64)


class MemoryContract:
    """A memory of which N facts and M outputs are drawn, all its other sizes being given.

    A subclass supplies `sample`, and `images`: the definition a second time, in loops or as one dense
    matrix. What the memory is made of, beside its facts, it keeps under the names of its constructor's
    arguments.
    """

    #: (N, M) that are drawn; the first must lose some facts over 40 draws and keep all in others.
    sizes: Sequence[tuple[int, int]] = ((4, 5), (8, 8))
    #: Slips that `sample` can be told to make; those that may leave every decision as it is.
    faults: Sequence[str] = ()
    harmless: Sequence[str] = ()
    #: Whether `sample` takes replicates=, and then draws so many memories at once.
    many = False
    #: Whether it matters in which order the facts are listed.
    ordered = False
    #: Unusable arguments of `sample` besides, with the words that the error must say.
    wrong: Sequence[tuple[Mapping[str, Any], str]] = ()
    #: Roundings, in units of the dtype, by which sums over all sizes may differ.
    roundings = 200

    def sample(self, N: int, M: int, *, seed: int | Stream, **more: Any) -> Memory:
        """A drawn memory; `more`: dtype, device and, if there are, fault and replicates."""
        raise NotImplementedError

    def images(self, memory: Memory, vectors: Tensor) -> Tensor:
        """F(v) for each row v of float64 `vectors`, from the definition and the memory's embeddings."""
        raise NotImplementedError

    def rebuilt(
        self, memory: Memory, inputs: Tensor, outputs: Tensor, association: Tensor
    ) -> Memory:
        """A memory of other facts, made of the same other parts."""
        made: Any = type(memory)
        _, _, _, *parts = inspect.signature(made).parameters
        rebuilt: Memory = made(
            inputs, outputs, association, **{name: getattr(memory, name) for name in parts}
        )
        return rebuilt

    def failures(self, N: int, M: int, replicates: int, *, seed: int, start: int = 0) -> Event:
        """Whether each of so many drawn memories loses a fact."""
        return lost_facts(
            partial(self.draw, N, M), replicates, stream=Stream(seed, "contract"), start=start
        )

    # -- what the tests are made of -------------------------------------------------------------------

    def draw(self, N: int, M: int, stream: Stream) -> Memory:
        return self.sample(N, M, seed=stream)

    def margins(self, memory: Memory) -> Tensor:
        """The least margin of each fact by the definition, float64 (N,)."""
        scores = self.images(memory, memory.inputs.double()) @ memory.outputs.double().T
        target = scores.gather(1, memory.association.unsqueeze(1))
        others = scores.scatter(1, memory.association.unsqueeze(1), -math.inf)
        return target.squeeze(1) - others.amax(1)

    def allowed(self, memory: Memory, values: Tensor) -> float:
        """By how much values of a memory may differ for rounding alone."""
        size = float(values.abs().max()) + memory.inputs.shape[1] + len(memory.inputs)
        return self.roundings * torch.finfo(memory.inputs.dtype).eps * size

    def _drawn(self, **more: Any) -> list[Memory]:
        return [self.sample(N, M, seed=N + M, **more) for N, M in self.sizes]

    def _recalled(self, memory: Memory, **more: Any) -> tuple[Recall, Tensor]:
        found = recall(memory, keep_margins=True, **more)
        assert found.margins is not None
        return found, found.margins

    # -- against the definition -----------------------------------------------------------------------

    def test_images_are_those_of_the_definition(self) -> None:
        for dtype in _DTYPES:
            for memory in self._drawn(dtype=dtype):
                vectors = memory.inputs.double()
                images, expected = memory.apply(vectors), self.images(memory, vectors)
                assert images.shape == vectors.shape
                difference = float((images - expected).abs().max())
                assert difference <= self.allowed(memory, expected), (dtype, difference)

    def test_recall_is_that_of_the_definition(self) -> None:
        for dtype in _DTYPES:
            for memory in self._drawn(dtype=dtype):
                (found, margins), expected = self._recalled(memory), self.margins(memory)
                allowed = self.allowed(memory, expected)
                assert float((margins - expected).abs().max()) <= allowed, dtype
                sure = expected.abs() > allowed
                assert bool(((margins > 0) == (expected > 0))[sure].all()), dtype
                assert (found.total, found.dtype) == (len(memory.inputs), dtype)
                assert found.correct == int((margins > found.rounding_bound).sum())

    def test_blocks_change_nothing_but_rounding(self) -> None:
        for memory in self._drawn():
            (whole, margins), vectors = self._recalled(memory), memory.inputs
            for block in ((1, 1), (3, 2), (len(vectors), 3)):
                found, parts = self._recalled(memory, block=block)
                assert float((parts - margins).abs().max()) <= self.allowed(memory, margins), block
                assert (found.correct, found.ties) == (whole.correct, whole.ties), block
            rows = torch.cat([memory.apply(row) for row in torch.split(vectors, 1)])
            images = memory.apply(vectors)
            assert float((rows - images).abs().max()) <= self.allowed(memory, images)
            assert memory.apply(vectors[:0]).shape == (0, vectors.shape[1])

    def test_error_bounds_hold_between_single_and_double_precision(self) -> None:
        for stored in _DTYPES:
            for memory in self._drawn(dtype=stored):
                single = memory.inputs.float()
                images, exact = memory.apply(single), memory.apply(single.double())
                assert (images.dtype, exact.dtype) == (float32, float64)
                bounds = memory.apply_error(single)
                assert (bounds.dtype, bounds.shape) == (float64, (len(single),))
                errors = (images.double() - exact).norm(dim=1)
                assert bool((errors <= bounds + memory.apply_error(single.double())).all()), stored
                # Errors there are, and the bound is not far above them.
                assert float(errors.max()) > 0
                assert float(bounds.max()) <= 1e5 * float(errors.max()), stored

    # -- what must not matter -------------------------------------------------------------------------

    def test_names_of_tokens_do_not_matter(self) -> None:
        for memory in self._drawn():
            orders = Stream(0, "names").generator()
            p, q = (
                torch.from_numpy(orders.permutation(len(rows))).to(rows.device)
                for rows in (memory.inputs, memory.outputs)
            )
            p = torch.arange(len(p), device=p.device) if self.ordered else p
            renamed = self.rebuilt(
                memory,
                memory.inputs[p],
                memory.outputs[q],
                torch.argsort(q)[memory.association[p]],
            )
            _, before = self._recalled(memory)
            _, after = self._recalled(renamed)
            assert float((before[p] - after).abs().max()) <= self.allowed(memory, before)

    def test_ties_are_failures(self) -> None:
        for memory in self._drawn():
            twice = torch.cat([memory.outputs, memory.outputs])
            found = recall(self.rebuilt(memory, memory.inputs, twice, memory.association))
            assert found.correct == 0
            # Where the answer has the greatest score its copy has it too.
            assert found.ties == recall(memory).correct

    def test_dtypes_hold_the_same_facts(self) -> None:
        for double, single in zip(self._drawn(), self._drawn(dtype=float32), strict=True):
            assert torch.equal(single.inputs, double.inputs.float())
            assert torch.equal(single.outputs, double.outputs.float())
            assert torch.equal(single.association, double.association)
            (_, one), (_, other) = self._recalled(double), self._recalled(single)
            assert float((one - other).abs().max()) <= self.allowed(single, one)

    def test_devices_hold_the_same_memory(self) -> None:
        self._require_the_same_on("cpu")
        with pretended_cuda():
            self._require_the_same_on("cuda")
        if torch.cuda.is_available():
            self._require_the_same_on("cuda")

    def _require_the_same_on(self, device: str) -> None:
        for plain, moved in zip(self._drawn(), self._drawn(device=device), strict=True):
            found, margins = self._recalled(moved)
            places = {moved.inputs.device, moved.outputs.device, moved.association.device}
            assert {place.type for place in places} == {found.device.type} == {device}
            assert moved.apply(moved.inputs).device.type == device
            assert torch.equal(moved.inputs.cpu(), plain.inputs)
            _, expected = self._recalled(plain)
            assert float((margins.cpu() - expected).abs().max()) <= self.allowed(plain, expected)

    # -- seeds and draws ------------------------------------------------------------------------------

    def test_a_memory_is_that_of_its_seed(self) -> None:
        for N, M in self.sizes:
            one, same, streamed, other = (
                self.sample(N, M, seed=seed) for seed in (7, 7, Stream(7), Stream(7, "other"))
            )
            linear = LinearMemory.sample(one.inputs.shape[1], N, M, seed=7)
            for again in (same, streamed, linear):
                for name in ("inputs", "outputs", "association"):
                    assert torch.equal(getattr(one, name), getattr(again, name)), name
            for again in (same, streamed):
                assert torch.equal(one.apply(one.inputs), again.apply(one.inputs))
            assert not torch.equal(one.inputs, other.inputs)
            # What it is made of beside the facts comes from the seed too.
            here, there = (memory.apply(one.inputs) for memory in (one, other))
            assert not torch.allclose(here, there, atol=1e-3)

    def test_a_draw_depends_on_its_number_alone(self) -> None:
        N, M = self.sizes[0]
        whole = self.failures(N, M, 40, seed=3).values
        assert (whole.shape, whole.dtype) == ((40,), float64)
        assert set(whole.tolist()) == {0.0, 1.0}
        parts = [self.failures(N, M, 15, seed=3), self.failures(N, M, 25, seed=3, start=15)]
        assert torch.equal(whole, torch.cat([part.values for part in parts]))
        # 2^32 and 2^63 would fall on 0 if a word were cut off or a sign lost.
        seeds = (0, 1, 2**32, 2**63, 2**64 - 1)
        drawn = [tuple(self.failures(N, M, 40, seed=seed).values.tolist()) for seed in seeds]
        assert len(set(drawn)) == len(seeds)
        assert self.failures(N, M, 0, seed=3).values.shape == (0,)

    def test_many_at_once_are_those_one_by_one(self) -> None:
        if not self.many:
            return
        refused(partial(self.sample, 2, 2, seed=0, replicates=0), "replicates = 0")
        refused(partial(recall, self.sample(2, 2, seed=0, replicates=3)), "recall asks one")
        for N, M in self.sizes:
            for dtype in _DTYPES:
                at_once = self.sample(N, M, seed=Stream(7).replicate(3), replicates=4, dtype=dtype)
                images = at_once.apply(at_once.inputs.double())
                errors = at_once.apply_error(at_once.inputs)
                kept, lost = decided(at_once, dtype)
                for i in range(4):
                    alone = self.sample(N, M, seed=Stream(7).replicate(3 + i), dtype=dtype)
                    for name in ("inputs", "outputs", "association"):
                        assert torch.equal(getattr(at_once, name)[i], getattr(alone, name)), name
                    found = alone.apply(alone.inputs.double())
                    assert float((images[i] - found).abs().max()) <= self.allowed(alone, found)
                    assert torch.allclose(errors[i], alone.apply_error(alone.inputs), rtol=1e-2)
                    complete = recall(alone).accuracy == 1
                    assert not bool(lost[i] if complete else kept[i])
                    assert bool((kept | lost)[i]) or dtype == float32

    def test_counts_do_not_depend_on_how_many_are_drawn_at_once(self) -> None:
        if not self.many:
            return
        N, M = self.sizes[0]
        stream, one = Stream(3, "contract"), self.failures(N, M, 40, seed=3)

        def draw(**drawn: Any) -> Memory:
            return self.sample(N, M, **drawn)

        found = failing(draw, 40, stream=stream, start=0, device="cpu")
        assert torch.equal(found.values, one.values)
        with patch.object(counting, "_CPU_MOST", 0):
            found = failing(draw, 40, stream=stream, start=0, device="cpu")
        assert torch.equal(found.values, one.values)
        with pretended_cuda():
            found = failing(draw, 40, stream=stream, start=0, device="cuda")
        assert torch.equal(found.values, one.values)

    # -- what must be noticed -------------------------------------------------------------------------

    def test_a_fault_is_built_of_the_same_facts_and_noticed(self) -> None:
        N, M = self.sizes[0]
        for fault in self.faults:
            sound, faulty = (self.sample(N, M, seed=7, fault=name) for name in ("", fault))
            for name in ("inputs", "outputs", "association"):
                assert torch.equal(getattr(sound, name), getattr(faulty, name)), (fault, name)
            right, wrong = (memory.apply(memory.inputs) for memory in (sound, faulty))
            assert not torch.allclose(right, wrong, rtol=0, atol=1e-2), fault
            off = float((wrong - self.images(sound, sound.inputs)).abs().max())
            assert off > self.allowed(faulty, wrong), fault
            decisions = [
                [
                    tuple((self._recalled(self.sample(N, M, seed=s, fault=f))[1] > 0).tolist())
                    for s in range(20)
                ]
                for f in ("", fault)
            ]
            assert decisions[0] != decisions[1] or fault in self.harmless, fault
        if self.faults:
            call = partial(self.sample, N, M, seed=7, fault="halved")
            refused(call, "fault = 'halved' is not known", *self.faults)

    def test_unusable_facts_are_refused_by_name(self) -> None:
        memory = self.sample(2, 2, seed=0)
        e, u, f = memory.inputs, memory.outputs, memory.association
        nan, infinite = e.clone(), u.clone()
        nan[1, 0], infinite[0, -1] = math.nan, math.inf
        for words, facts in (
            ("inputs: row 1", (nan, u, f)),
            ("outputs: row 0", (e, infinite, f)),
            (f"outputs d = {u.shape[1] + 1}", (e, torch.ones(2, u.shape[1] + 1).double(), f)),
            ("cast one of them", (e, u.float(), f)),
            ("torch.float16", (e.half(), u.half(), f)),
            ("inputs has shape", (e[0], u, f)),
            ("inputs has shape", (e[:, :0], u[:, :0], f)),
            ("outputs has shape", (e, u[:0], f)),
            ("association", (e, u, f[:1])),
            ("association", (e, u, torch.tensor([0, 5]))),
            ("one device", (e, u.to("meta"), f)),
        ):
            refused(partial(self.rebuilt, memory, *facts), words)

    def test_unusable_arguments_are_refused_by_name(self) -> None:
        wrong: list[tuple[Mapping[str, Any], str]] = [
            ({"N": 0}, "N = 0"),
            ({"N": 3, "M": 2}, "N = 3 inputs cannot go to M = 2"),
            ({"N": True}, "N = True"),
            ({"seed": -1}, "seed = -1"),
            ({"seed": 2**64}, "seed = "),
            ({"dtype": torch.float16}, "torch.float16"),
            *self.wrong,
        ]
        for change, words in wrong:
            refused(partial(self.sample, **{"N": 2, "M": 2, "seed": 0, **change}), words)
        refused(partial(self.failures, 3, 2, 2, seed=0), "N = 3", "M = 2")
        refused(partial(self.failures, 2, 2, -1, seed=0), "replicates = -1")
        refused(partial(self.failures, 2, 2, 1, seed=0, start=-1), "start = -1")
        refused(partial(self.failures, 2, 2, 1, seed=0, start=2**64 - 1), "start = ")
