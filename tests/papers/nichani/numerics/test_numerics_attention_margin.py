"""Gaps and margins as drawn: against the definition with explicit loops, and bad input."""

import math

import pytest
import torch

from numerics.draws.low_rank_margin import replicate_factors
from numerics.errors import InputError
from numerics.observables import Bounded
from numerics.papers.nichani.attention_margin import gap_observables, margin_observables
from numerics.random import Stream, replicate_spheres

SIZES = {"d": 6, "R": 2, "D": 3, "d_h": 3, "others_s": 2, "others_r": 1}


def test_gaps_are_those_of_the_definition():
    d, n = 5, 3
    found = gap_observables(d, n, 4, seed=3)
    rows = replicate_spheres(4, n + 2, d, stream=Stream(3, "gaps"))
    for i, (*keys, eos, other) in enumerate(rows):
        v = sum(keys) + eos / 2
        inside, outside = float(v @ (keys[0] - eos)), float(v @ (eos - other))
        for name, gap in (("inside", inside), ("outside", outside)):
            assert float(found[name].values[i]) == float(gap <= 0)
            assert float(found[f"{name}-second"].values[i]) == pytest.approx(gap**2)


def test_a_whole_eos_is_another_head():
    plain, faulty = (gap_observables(4, 2, 64, seed=1, fault=f) for f in ("", "whole EOS"))
    assert not torch.equal(plain["inside-second"].values, faulty["inside-second"].values)


@pytest.mark.parametrize("rival", ["subject", "relation", "other"])
def test_margins_are_those_of_the_definition(rival):
    """The weights of both heads as matrices, summed fact by fact, and applied to s and to r."""
    d, R, D, d_h = (SIZES[name] for name in ("d", "R", "D", "d_h"))
    found = margin_observables(**SIZES, replicates=3, rival=rival, seed=5)
    stream = Stream(5, "attention-margin")
    tokens = replicate_spheres(3, 2 + 3 + R * D + 1, d, stream=stream.child("tokens"))
    frames = {
        head: replicate_factors(
            3, d - 1, d_h, stream=stream.child(f"frame-{head}"), factors="orthonormal"
        )
        for head in "sr"
    }
    # s answers (0, 0) and (1, 0); the others (0, 1) and (1, 0). A relation has all of its own.
    subjects = [[(0, 0), (1, 0)], [(0, 1), (1, 0)], [(0, 1), (1, 0)]]
    relations = [[(r, j) for j in range(D)] for r in range(R)]
    for i, row in enumerate(tokens):
        keys_s, keys_r, answers, stranger = row[:3], row[3:5], row[5 : 5 + R * D], row[-1]
        output = torch.zeros(d, dtype=torch.float64)
        for head, keys, table in (("s", keys_s, subjects), ("r", keys_r, relations)):
            frame = torch.zeros(d, d_h, dtype=torch.float64)
            frame[: d - 1] = frames[head][i]
            weight = torch.zeros(d, d, dtype=torch.float64)
            for key, own in zip(keys, table, strict=True):
                for r, j in own:
                    weight += d / d_h * torch.outer(answers[r * D + j], key) @ frame @ frame.T
            output += weight @ keys[0]
        competing = {"subject": answers[D], "relation": answers[1], "other": stranger}[rival]
        margin = float(output @ (answers[0] - competing))
        assert float(found["second"].values[i]) == pytest.approx(margin**2)
        assert float(found["failure"].values[i]) == float(margin <= 0)


def test_a_full_head_needs_no_frame():
    found = margin_observables(5, 2, 2, 4, 0, 0, 2048, rival="other", seed=2)["second"]
    # tau_s + tau_r with weights near one, and the noise of two further answers.
    tau = 5 / 4 * (6 / 7)
    exact = (1 + 1 / 5) * (2 * tau + 2) + 2 / 5 * 2 * tau
    assert isinstance(found, Bounded)
    assert abs(float(found.values.mean()) - exact) < 6 * float(found.values.std()) / math.sqrt(2048)


def test_squares_have_the_bounds_that_are_stated():
    for n in (1, 3):
        for fault, most in (("", (2 * n + 1) ** 2), ("whole EOS", (2 * n + 2) ** 2)):
            found = gap_observables(3, n, 256, seed=2, fault=fault)
            for name in ("inside-second", "outside-second"):
                second = found[name]
                assert isinstance(second, Bounded)
                assert (second.low, second.high) == (0.0, most)
                assert float(second.values.max()) <= most
    # On a line the bound is attained: all keys and EOS alike, the other token opposite.
    assert float(gap_observables(1, 1, 256, seed=2)["outside-second"].values.max()) == 9.0
    second = margin_observables(**SIZES, replicates=2, rival="other", seed=9)["second"]
    assert isinstance(second, Bounded)
    # (d/d_h) times 3 keys of R answers and 2 relations of D, each overlap at most 1, over 2 tokens.
    assert second.high == (2 * 6 / 3 * (3 * 2 + 2 * 3)) ** 2


def test_one_head_alone_loses_half_the_signal():
    sizes = {**SIZES, "d": 64, "d_h": 63, "others_s": 0, "others_r": 0}
    plain, faulty = (
        margin_observables(**sizes, replicates=256, rival="other", seed=4, fault=fault)["second"]
        for fault in ("", "one head")
    )
    assert float(faulty.values.mean()) < float(plain.values.mean()) / 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"d_h": 6}, "d_h = 6 is too large"),
        ({"others_r": 2}, "others_r = 2 is too large"),
        ({"rival": "noise"}, "rival = 'noise' is not known"),
        ({"rival": "relation", "D": 1}, "needs a further answer"),
        ({"rival": "subject", "R": 1, "others_r": 0}, "needs a further answer"),
        ({"fault": "doubled"}, "fault = 'doubled' is not known"),
        ({"others_s": -1}, "others_s = -1 is too small"),
        ({"D": 0}, "D = 0 is too small"),
        ({"R": 0}, "R = 0 is too small"),
        ({"d": 1}, "d = 1 is too small"),
        ({"d": "6"}, "d = '6' is not an integer"),
    ],
)
def test_bad_input_is_named(changes, message):
    with pytest.raises(InputError, match=message):
        margin_observables(**{**SIZES, "rival": "other", "replicates": 2, "seed": 0, **changes})


def test_bad_gaps_are_named():
    with pytest.raises(InputError, match="n = 0 is too small"):
        gap_observables(4, 0, 2, seed=0)
    with pytest.raises(InputError, match="fault = 'half' is not known"):
        gap_observables(4, 1, 2, seed=0, fault="half")
