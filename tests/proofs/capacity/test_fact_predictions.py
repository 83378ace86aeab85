"""Predictions for transformers: exact moments at limits worked out by hand, and inputs."""

from __future__ import annotations

from fractions import Fraction
from math import erfc, expm1, sqrt

import pytest

from proofs.algebra.balls import precision
from proofs.capacity.attention_mlp import Sizes
from proofs.capacity.fact_predictions import AttentionMLPPrediction, AttentionPrediction
from proofs.memories import two_input_mlp

F = Fraction


def tail(mean: float, variance: float) -> float:
    return erfc(mean / sqrt(2 * variance)) / 2


def test_the_prediction_for_attention_at_one_key_a_head_by_hand() -> None:
    """d_h = d - 1, M = 1: the noise of n further answers is 2 n/d, but for the spread of tau."""
    d, S, R, D = 100, 3, 4, 2
    found = AttentionPrediction(d, d - 1, noise=0).failure(S, R, D)
    spread = 1 + 2 / ((d - 1) * (d + 2))
    kinds = (
        (R - 1, 1, R - 2 + D - 1),
        (D - 1, 1, R - 1 + D - 2),
        (R * D + S + R + 1 - R - D + 1, 2, R - 1 + D - 1),
    )
    lost = sum(many * tail(mean, 2 * noise * spread / d) for many, mean, noise in kinds) * S * R
    lost += (S + R) * tail(0.5, 1 / (4 * d))
    assert float(found) == pytest.approx(-expm1(-lost), rel=1e-6)


def test_the_variance_for_the_mlp_is_the_engine_s_less_that_of_the_lengths() -> None:
    d, S, R, D, m = 21, 3, 2, 2, 50
    prediction = AttentionMLPPrediction(d, m, noise=0)
    sizes = Sizes.read(d, S, R, D, 1, 0, 2)
    with precision():
        found = list(prediction._margins(sizes))
    assert sum(margin.many for margin in found) == R * D + S + R + 1 - 1
    shape = two_input_mlp.Shape(d, S, R, m, 1, 1, (0, 0, 1))
    wide = two_input_mlp.Shape(d, 1, 1, 10**18, 1, 1, (0, 0, 1))
    table = two_input_mlp.Table(2, 1, "same relation")
    lengths = two_input_mlp.margin_variance(wide, two_input_mlp.Table(1, 0)).value.as_fraction()
    other = two_input_mlp.margin_variance(shape, two_input_mlp.Table(2, 0)).value.as_fraction()
    assert float(found[-1].variance) == pytest.approx(float(other - lengths))
    rival = two_input_mlp.margin_variance(shape, table).value.as_fraction()
    assert float(found[0].variance) >= float(rival - lengths)


def test_predictions_grow_with_the_facts_and_fall_with_the_sizes() -> None:
    few, many = (AttentionPrediction(128, 100).failure(S, S, 2) for S in (3, 6))
    assert 0 < few < many < 1
    assert AttentionPrediction(256, 200).failure(6, 6, 2) < many
    narrow, wide = (AttentionMLPPrediction(65, m).failure(6, 6, 2) for m in (1000, 10000))
    assert wide < narrow


def test_more_keys_a_head_make_failures_likelier() -> None:
    one, four = (AttentionPrediction(128, 100, M).failure(8, 8, 2) for M in (1, 4))
    assert one < four


@pytest.mark.parametrize(
    ("kind", "sizes", "named"),
    [
        (AttentionPrediction, (1, 1), "d: 1"),
        (AttentionPrediction, (8, 8), "d_h: 8"),
        (AttentionPrediction, (8, 4, 0), "M: 0"),
        (AttentionPrediction, (8, 4, 1, -1), "noise: -1"),
        (AttentionMLPPrediction, (2, 8), "d: 2"),
        (AttentionMLPPrediction, (8, 0), "m: 0"),
    ],
    ids=str,
)
def test_sizes_out_of_range_are_named(kind, sizes, named) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ValueError, match=named):
        kind(*sizes)


def test_more_answers_than_subjects_are_refused() -> None:
    with pytest.raises(ValueError, match="D: 3 answers"):
        AttentionPrediction(8, 4).failure(2, 2, 3)
