"""Replicate margins: they are the memory's own, and their known moments come out."""

import math

import pytest
import torch
from torch import Tensor

from numerics import InputError, LinearMemory, Stream, recall, replicate_spheres
from numerics.experiments.linear_margin import failures, margin_replicates
from numerics.memories import linear
from numerics.random import REPLICATE_BLOCK

FALSE_ALARM = 1e-9


def test_replicate_margins_are_those_of_the_linear_memory() -> None:
    d, N, M, replicates = 4, 5, 7, 30
    margins = margin_replicates(d, N, M, replicates, seed=6, name="check")
    assert margins.shape == (replicates, N, M)
    inputs = replicate_spheres(replicates, N, d, stream=Stream(6, "check", "inputs"))
    outputs = replicate_spheres(replicates, M, d, stream=Stream(6, "check", "outputs"))
    association = torch.arange(N)
    # Either road rounds three products of sums of at most N, d and d terms; scores are at
    # most N in size and a margin holds two of them.
    allowed = 2 * 2 * (N + 2 * d) * torch.finfo(torch.float64).eps * N
    for r in range(replicates):
        memory = LinearMemory(inputs[r], outputs[r], association)
        result = recall(memory, keep_margins=True)
        assert result.margins is not None
        others = margins[r].clone()
        assert not others[association, association].any()
        others[association, association] = math.inf
        assert bool(((others.amin(1) - result.margins).abs() <= allowed).all())
        assert result.correct == int((others.amin(1) > 0).sum())


def test_replicates_can_be_split() -> None:
    whole = margin_replicates(3, 2, 3, REPLICATE_BLOCK + 100, seed=0)
    first = margin_replicates(3, 2, 3, REPLICATE_BLOCK, seed=0)
    rest = margin_replicates(3, 2, 3, 100, seed=0, start=REPLICATE_BLOCK)
    assert torch.equal(whole, torch.cat([first, rest]))
    assert not torch.equal(first[:100], rest)
    assert not torch.equal(first, margin_replicates(3, 2, 3, REPLICATE_BLOCK, seed=0, name="b"))


def has_mean_one(margins: Tensor, N: int) -> bool:
    """E gamma_{xy} = 1 for y != x; margins lie in [-2N, 2N], hence Hoeffding's bound."""
    allowed = 4 * N * math.sqrt(math.log(2 / FALSE_ALARM) / (2 * len(margins)))
    return abs(float(margins[:, 0, 1].mean()) - 1) <= allowed


def transposed_weight(inputs: Tensor, outputs: Tensor, association: Tensor) -> Tensor:
    return inputs.mT @ outputs[..., association, :]


def test_the_mean_margin_is_one() -> None:
    assert has_mean_one(margin_replicates(5, 2, 2, 100_000, seed=1), N=2)


def test_a_wrong_construction_is_seen_by_every_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = LinearMemory.sample(32, 8, seed=0)
    assert recall(sound).accuracy == 1.0
    assert failures(32, 4, 4, 10, seed=0) < 5
    monkeypatch.setattr(linear, "outer_product_weight", transposed_weight)
    assert not has_mean_one(margin_replicates(5, 2, 2, 100_000, seed=1), N=2)
    assert recall(LinearMemory.sample(32, 8, seed=0)).accuracy < 0.8
    assert failures(32, 4, 4, 10, seed=0) > 5


def test_one_fact_and_two_outputs_have_variance_one_over_d() -> None:
    # gamma = 1 - u_0.u_1, so (gamma - 1)^2 lies in [0, 1] with mean 1/d.
    margins = margin_replicates(4, 1, 2, 100_000, seed=2)[:, 0, 1]
    allowed = math.sqrt(math.log(2 / FALSE_ALARM) / (2 * len(margins)))
    measured = float(((margins - 1) ** 2).mean())
    assert abs(measured - 1 / 4) <= allowed
    assert abs(measured - 1 / 3) > allowed


def test_failures_add_up_over_splits() -> None:
    whole = failures(6, 4, 5, 40, seed=3)
    assert 0 < whole < 40
    assert whole == failures(6, 4, 5, 15, seed=3) + failures(6, 4, 5, 25, seed=3, start=15)


def test_failures_at_the_extremes() -> None:
    assert failures(1, 4, 4, 10, seed=0) == 10
    assert failures(400, 2, 2, 10, seed=0) == 0
    assert failures(1, 1, 1, 5, seed=0) == 0
    assert failures(3, 1, 1, 0, seed=0) == 0


def test_bad_arguments_are_rejected() -> None:
    with pytest.raises(InputError, match="N = 3 exceeds M = 2"):
        margin_replicates(2, 3, 2, 5, seed=0)
    with pytest.raises(InputError, match="multiple"):
        margin_replicates(2, 2, 2, 5, seed=0, start=7)
    for arguments in ((0, 2, 2, 5), (2, 0, 2, 5), (2, 2, 2, -1)):
        with pytest.raises(InputError):
            margin_replicates(*arguments, seed=0)
    for arguments in ((0, 2, 2, 5), (2, 3, 2, 5), (2, 2, 2, -1)):
        with pytest.raises(InputError):
            failures(*arguments, seed=0)
    with pytest.raises(InputError, match="start"):
        failures(2, 2, 2, 1, seed=0, start=-1)
