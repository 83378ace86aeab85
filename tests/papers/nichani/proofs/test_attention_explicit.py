"""The proof of the attention-only condition holds for its constants and breaks for wrong ones."""

from __future__ import annotations

from fractions import Fraction

import pytest

from proofs.algebra import RationalFunction
from proofs.papers.nichani.attention_explicit import gap_tail, margin_law, margin_tail, weight_law
from proofs.papers.nichani.linear import Constants

d, d_h, n, R, D = (RationalFunction.symbol(name) for name in ("d", "d_h", "n", "R", "D"))
COUNTS = {"subject": (R - 2, D - 1), "relation": (R - 1, D - 2), "other": (R - 1, D - 1)}
HALF = Fraction(1, 2)


def test_the_gaps_are_proved() -> None:
    argument = gap_tail(Fraction(16), n - 1, n)
    assert argument.holds, argument.broken
    assert any("rotation" in assumption for assumption in argument.assumptions)


@pytest.mark.parametrize(
    ("gap", "inside", "outside"),
    [
        (15, n - 1, n),
        (8, n - 1, n),
        (16, n - 2, n),
        (16, n, n),
        (16, n - 1, n - 1),
        (16, n - 1, n + 1),
    ],
)
def test_a_wrong_gap_breaks_the_proof(
    gap: int, inside: RationalFunction, outside: RationalFunction
) -> None:
    assert gap_tail(Fraction(gap), inside, outside).broken is not None


def test_wrong_generating_functions_break_the_proof_of_the_gaps() -> None:
    assert not gap_tail(Fraction(16), n - 1, n, Constants(scale=Fraction(1))).holds
    assert not gap_tail(Fraction(16), n - 1, n, Constants(spread=Fraction(3))).holds


@pytest.mark.parametrize("rival", list(COUNTS))
@pytest.mark.parametrize("head", [0, 1])
def test_one_weight_more_breaks_the_law(rival: str, head: int) -> None:
    counts = {name: list(pair) for name, pair in COUNTS.items()}
    counts[rival][head] = counts[rival][head] + 1
    argument = margin_law(Fraction(2), {name: (a, b) for name, (a, b) in counts.items()})
    assert argument.broken is not None
    assert f"'{rival}'" in argument.broken.text


@pytest.mark.parametrize("spread", [1, 3, 4])
def test_another_spread_breaks_the_law(spread: int) -> None:
    assert not margin_law(Fraction(spread), COUNTS).holds


def test_the_tail_of_a_margin_is_proved() -> None:
    argument = margin_tail(Fraction(1), HALF)
    assert argument.holds, argument.broken
    assert "enumerated" in {line.reason for line in argument.lines}


@pytest.mark.parametrize(
    ("noise", "leak"),
    [
        (Fraction(99, 100), HALF),
        (HALF, HALF),
        (Fraction(1), Fraction(49, 100)),
        (Fraction(1), Fraction(0)),
    ],
)
def test_a_smaller_constant_breaks_the_tail(noise: Fraction, leak: Fraction) -> None:
    assert not margin_tail(noise, leak).holds


@pytest.mark.parametrize("use", [Constants(scale=Fraction(1)), Constants(spread=Fraction(3))])
def test_the_tail_rests_on_the_laws_before_it(use: Constants) -> None:
    assert not margin_tail(Fraction(1), HALF, use).holds


@pytest.mark.parametrize(
    ("shape", "rest"),
    [
        (d_h / 2, d / 2),
        (d_h / 2, (d - d_h - 1) / 2),
        ((d_h - 1) / 2, (d - d_h) / 2),
        (d_h, d - d_h),
    ],
)
def test_another_law_of_the_weight_is_refused(
    shape: RationalFunction, rest: RationalFunction
) -> None:
    assert not weight_law(shape, rest).holds
