"""Streams and embedding laws: what they depend on, and that the laws are the stated ones."""

import math
import pickle
from typing import Any

import numpy as np
import pytest
import torch
from scipy import stats
from torch import Tensor

from numerics import InputError, Stream, replicate_spheres, sample_gaussian, sample_sphere
from numerics.random import random_orders, replicate_gaussians, replicate_integers

FALSE_ALARM = 1e-9


def test_a_generator_depends_on_stream_and_replicate_only() -> None:
    stream = Stream(7, "a")
    drawn = [stream.replicate(i).generator().standard_normal(5) for i in (3, 0, 3)]
    assert np.array_equal(drawn[0], drawn[2])
    assert np.array_equal(drawn[1], Stream(7, "a").generator().standard_normal(5))


def test_generators_of_replicates_do_not_overlap() -> None:
    draws = [Stream(7).replicate(i).generator().integers(0, 2**63, 4096) for i in range(4)]
    assert len(np.unique(np.concatenate(draws))) == 4 * 4096


def test_the_number_of_a_replicate_survives_long_draws() -> None:
    generator = Stream(7).replicate(5).generator()
    generator.bit_generator.random_raw(10_000)
    state: Any = generator.bit_generator.state
    assert state["state"]["counter"].tolist()[2:] == [5, 0]


def test_keys_tell_all_names_and_seeds_apart() -> None:
    names: list[tuple[str | int, ...]] = [
        (), ("a", "b"), ("ab",), ("a", "b", ""), ("", "ab"), (1,), ("1",), (11,), (1, 1), (-1,),
        ("i1",), ("", 1), ("asb",), (2**200,),
    ]  # fmt: skip
    streams = [Stream(seed, *name) for seed in (0, 1, 2**32, 2**64 - 1) for name in names]
    first = {int(stream.generator().integers(0, 2**63)) for stream in streams}
    assert len(first) == len(streams)


def test_a_child_extends_the_name_at_the_same_replicate() -> None:
    child, same = Stream(3, "a").replicate(9).child("b", 4), Stream(3, "a", "b", 4).replicate(9)
    assert (child.key, child.number) == (same.key, same.number)
    assert repr(child) == repr(same) == "Stream(3, 'a', 'b', 4).replicate(9)"
    assert Stream(3, "a", "b", 4).number == 0


@pytest.mark.parametrize("seed", [-1, True, 2**64, 1.0, "1", None])
def test_bad_seeds_are_rejected(seed: object) -> None:
    with pytest.raises(InputError, match="seed"):
        Stream(seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("part", [True, 1.5, None, b"a"])
def test_bad_name_parts_are_rejected(part: object) -> None:
    with pytest.raises(InputError, match="name part"):
        Stream(0, part)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [-1, 2**64, False])
def test_bad_replicates_are_rejected(number: int) -> None:
    with pytest.raises(InputError, match="replicate"):
        Stream(0).replicate(number)


def test_numpy_and_torch_global_state_is_left_alone() -> None:
    numpy_before, torch_before = pickle.dumps(np.random.get_state()), torch.get_rng_state()
    sample_sphere(10, 3, stream=Stream(0))
    assert pickle.dumps(np.random.get_state()) == numpy_before
    assert torch.equal(torch_before, torch.get_rng_state())


@pytest.mark.parametrize("d", [1, 2, 3, 7, 8, 64, 130])
@pytest.mark.parametrize("sample", [sample_sphere, sample_gaussian])
def test_short_samples_are_prefixes(sample: object, d: int) -> None:
    assert callable(sample)
    longest = sample(2051, d, stream=Stream(1))
    for count in (0, 1, 2, 500, 1000, 1024):
        assert torch.equal(sample(count, d, stream=Stream(1)), longest[:count])


def test_float32_samples_are_the_float64_ones_rounded() -> None:
    wide = sample_sphere(1500, 5, stream=Stream(1))
    narrow = sample_sphere(1500, 5, stream=Stream(1), dtype=torch.float32)
    assert torch.equal(narrow, wide.float())


def test_gaussian_scale() -> None:
    base = sample_gaussian(100, 3, stream=Stream(1))
    assert torch.equal(sample_gaussian(100, 3, stream=Stream(1), std=0.5), base * 0.5)
    assert not sample_gaussian(100, 3, stream=Stream(1), std=0.0).any()


def follows_sphere_law(points: Tensor) -> bool:
    """Norms to rounding, then moments of degrees 1, 2 and 4 against a Hoeffding bound.

    All averaged quantities lie in an interval of width w for unit vectors, so each average of
    n is off by more than w * sqrt(log(2 k / FALSE_ALARM) / (2 n)) with chance below
    FALSE_ALARM / k; k is the number of averages.
    """
    n, d = points.shape
    norms = torch.linalg.vector_norm(points, dim=1)
    if not bool(((norms - 1).abs() <= (d + 3) * torch.finfo(torch.float64).eps).all()):
        return False
    products = [points[:, i] * points[:, j] for i in range(d) for j in range(i)]
    k = 3 * d + len(products)
    allowed = math.sqrt(math.log(2 * k / FALSE_ALARM) / (2 * n))
    checks = [(points.mean(0), 0.0, 2.0)]
    checks += [((points**2).mean(0), 1 / d, 1.0)]
    checks += [((points**4).mean(0), 3 / (d * (d + 2)), 1.0)]
    checks += [(product.mean(), 0.0, 1.0) for product in products]
    return all(
        bool(((mean - exact).abs() <= width * allowed).all()) for mean, exact, width in checks
    )


@pytest.mark.parametrize("d", [1, 2, 3])
def test_sphere_samples_follow_the_uniform_law(d: int) -> None:
    assert follows_sphere_law(sample_sphere(400_000, d, stream=Stream(2)))


@pytest.mark.parametrize("d", [2, 3])
def test_the_law_check_rejects_wrong_laws(d: int) -> None:
    gaussian = sample_gaussian(400_000, d, stream=Stream(2), std=1 / math.sqrt(d))
    assert not follows_sphere_law(gaussian)
    uniform = Stream(3).generator().uniform(-1, 1, (400_000, d))
    cube = torch.from_numpy(uniform / np.linalg.norm(uniform, axis=1, keepdims=True))
    assert not follows_sphere_law(cube)
    assert not follows_sphere_law(sample_sphere(400_000, d, stream=Stream(2)).abs())


def test_signs_in_one_dimension() -> None:
    assert set(sample_sphere(100, 1, stream=Stream(0)).flatten().tolist()) == {-1.0, 1.0}


@pytest.mark.parametrize(("rows", "d"), [(1, 1), (3, 2), (2, 9)])
def test_replicates_depend_on_their_number_only(rows: int, d: int) -> None:
    whole = replicate_spheres(30, rows, d, stream=Stream(4))
    assert whole.shape == (30, rows, d)
    later = replicate_spheres(11, rows, d, stream=Stream(4), start=19)
    assert torch.equal(later, whole[19:])
    from_there = replicate_spheres(4, rows, d, stream=Stream(4).replicate(15), start=4)
    assert torch.equal(from_there, whole[19:23])
    for number in (0, 7, 29):
        alone = sample_sphere(rows, d, stream=Stream(4).replicate(number))
        assert torch.equal(alone, whole[number])


@pytest.mark.parametrize(("rows", "d"), [(1, 1), (3, 2)])
def test_gaussian_replicates_are_standard_and_point_to_the_spheres(rows: int, d: int) -> None:
    sample = replicate_gaussians(20_000, rows, d, stream=Stream(4), start=256)
    spheres = replicate_spheres(20_000, rows, d, stream=Stream(4), start=256)
    assert torch.allclose(sample / sample.norm(dim=2, keepdim=True), spheres, rtol=0, atol=1e-14)
    assert stats.kstest(sample.flatten().numpy(), "norm").pvalue > FALSE_ALARM


def test_coordinates_do_not_depend_on_how_many_there_are() -> None:
    wide = sample_gaussian(5, 11, stream=Stream(4))
    assert torch.equal(sample_gaussian(3, 6, stream=Stream(4)), wide[:3, :6])


def test_orders_are_uniform_and_depend_on_their_number_only() -> None:
    orders = random_orders(60_000, 3, stream=Stream(6))
    assert torch.equal(orders.sort(dim=1).values, torch.arange(3).expand(60_000, 3))
    assert torch.equal(random_orders(5, 3, stream=Stream(6), start=100), orders[100:105])
    counts = torch.unique(orders, dim=0, return_counts=True)[1]
    assert stats.chisquare(counts.numpy()).pvalue > FALSE_ALARM
    assert len(counts) == 6


@pytest.mark.parametrize("below", [1, 3, 2**32])
def test_integers_are_uniform_and_depend_on_their_address_only(below: int) -> None:
    drawn = replicate_integers(4000, 5, 3, below=below, stream=Stream(6))
    assert torch.equal(
        replicate_integers(2, 4, 2, below=below, stream=Stream(6), start=7), drawn[7:9, :4, :2]
    )
    assert bool(((drawn >= 0) & (drawn < below)).all())
    parts = drawn.flatten() * 8 // below if below > 8 else drawn.flatten()
    counts = torch.bincount(parts, minlength=min(below, 8))
    assert below == 1 or stats.chisquare(counts.numpy()).pvalue > FALSE_ALARM


@pytest.mark.parametrize("below", [0, 2**32 + 1, True])
def test_integers_have_a_sound_range(below: int) -> None:
    with pytest.raises(InputError, match="below"):
        replicate_integers(1, 1, 1, below=below, stream=Stream(0))


def test_replicates_are_uniform_and_distinct() -> None:
    sample = replicate_spheres(200_000, 2, 3, stream=Stream(4))
    assert follows_sphere_law(sample[:, 0])
    assert follows_sphere_law(sample[:, 1])
    # Rows of one replicate are independent: their inner product has mean 0, range [-1, 1].
    allowed = 2 * math.sqrt(math.log(2 / FALSE_ALARM) / (2 * 200_000))
    assert abs(float((sample[:, 0] * sample[:, 1]).sum(1).mean())) <= allowed


@pytest.mark.parametrize(("count", "d"), [(-1, 2), (2, 0), (2, -3), (True, 2), (2, 2.0)])
def test_bad_sample_sizes_are_rejected(count: int, d: int) -> None:
    with pytest.raises(InputError):
        sample_sphere(count, d, stream=Stream(0))
    with pytest.raises(InputError):
        sample_gaussian(count, d, stream=Stream(0))
    with pytest.raises(InputError):
        replicate_spheres(count, 1, d, stream=Stream(0))


@pytest.mark.parametrize("std", [-1.0, math.nan, math.inf, 1e308, True, "1"])
def test_bad_scales_are_rejected(std: Any) -> None:
    with pytest.raises(InputError, match="std"):
        sample_gaussian(2, 2, stream=Stream(0), std=std)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"device": "gpu"}, "device = 'gpu' is none that torch knows"),
        ({"device": "mps"}, "device = 'mps' is not known"),
        ({"count": 2**50}, "do not fit into the memory of cpu: draw them in parts"),
        ({"stream": 3}, "stream = 3 is no stream: pass Stream"),
        ({"replicates": 0}, "replicates = 0"),
        ({"replicates": True}, "replicates = True"),
    ],
    ids=str,
)
@pytest.mark.parametrize("sample", [sample_sphere, sample_gaussian])
def test_what_cannot_be_drawn_is_refused_by_name(sample: Any, change: Any, words: str) -> None:
    given = {"count": 2, "d": 2, "stream": Stream(0), **change}
    with pytest.raises(InputError, match=words):
        sample(**given)


def test_a_device_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(InputError, match="'cuda', but torch finds no CUDA device"):
        sample_sphere(2, 2, stream=Stream(0), device="cuda")


def test_bad_dtype_and_bad_start_are_rejected() -> None:
    with pytest.raises(InputError, match="dtype"):
        sample_sphere(2, 2, stream=Stream(0), dtype=torch.float16)
    with pytest.raises(InputError, match="start"):
        replicate_spheres(2, 2, 2, stream=Stream(0), start=-1)
    with pytest.raises(InputError, match="rows"):
        replicate_spheres(2, 0, 2, stream=Stream(0))
    last = 2**64 - 1
    for stream, start in ((Stream(0), last), (Stream(0).replicate(last), 0), (Stream(0), 2**64)):
        with pytest.raises(InputError, match="start = "):
            replicate_spheres(2, 1, 2, stream=stream, start=start)
