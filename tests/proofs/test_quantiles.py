"""Pieces of the normal quantile: those that numerics looks up are derived here, and are right."""

import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy.special import erfcinv

from numerics.random import law
from proofs.quantiles import normal_pieces, piece_errors

BITS, DEGREE = 2, 3
#: What `numerics.random.law` states.
STATED = Fraction("1.9e-15")


def test_the_table_that_is_drawn_from_is_the_derived_one() -> None:
    derived = np.array(normal_pieces(law.BITS, law.DEGREE))
    assert derived.tobytes() == law.pieces().tobytes()


def test_the_table_that_is_drawn_from_is_as_near_as_is_stated() -> None:
    errors = piece_errors(law.pieces().tolist(), law.BITS)
    assert STATED / 2 < max(errors) <= STATED
    # The least z(f), of f = 1 - 2^-53, is nearly sqrt(pi / 2) 2^-53: no value is 0, no sign is lost.
    assert errors[-1] < Fraction(math.sqrt(math.pi / 2)) / 2**54


def test_the_coupling_is_as_near_as_the_documentation_says() -> None:
    """A value against the quantile at a uniform point of its interval of f, of length 2^-52.

    They are apart by the error of the table, and by what z falls by within the interval: on average no
    more than 2^-53 times what it falls by in all, and in the first, of chance 2^-52, by less than 1.
    """
    table = max(piece_errors(law.pieces().tolist(), law.BITS))
    apart = table + Fraction("8.3") / 2**53 + Fraction(1, 2**52)
    assert apart <= Fraction("4e-15")
    text = (Path(__file__).parents[2] / "docs" / "statistics.md").read_text(encoding="utf-8")
    assert "at most 4e-15 away on average" in " ".join(text.split())


@pytest.mark.parametrize("fraction", [0.0, 0.3, 0.5, 1 - 2.0**-40])
def test_the_bounds_hold_against_another_library(fraction: float) -> None:
    """Against SciPy's inverse, which is right to about 4 ulp."""
    table = normal_pieces(BITS, DEGREE)
    errors = piece_errors(table, BITS)
    for place, (c, error) in enumerate(zip(table, errors, strict=True)):
        exponent, step = divmod(place, 2**BITS)
        left, width = 2.0 ** (exponent - 53) * (1 + step / 2**BITS), 2.0 ** (exponent - 53 - BITS)
        t = fraction * width
        value = 0.0
        for coefficient in reversed(c):
            value = value * t + coefficient
        exact = math.sqrt(2) * erfcinv(left + t)
        assert abs(value - exact) <= float(error) + 4 * math.ulp(exact)


@pytest.mark.parametrize("power", range(DEGREE + 1))
@pytest.mark.parametrize("place", [0, 100, -1])
def test_a_wrong_coefficient_is_seen(place: int, power: int) -> None:
    table = normal_pieces(BITS, DEGREE)
    before = piece_errors(table, BITS)
    width = 2.0 ** ((place % len(table)) // 2**BITS - 53 - BITS)
    table[place][power] += 100 * float(before[place]) / width**power
    after = piece_errors(table, BITS)
    assert after[place] > 10 * before[place]
    assert [e for i, e in enumerate(after) if i != place % len(table)] == [
        e for i, e in enumerate(before) if i != place % len(table)
    ]


def test_pieces_in_another_order_are_seen() -> None:
    table = normal_pieces(BITS, DEGREE)
    assert max(piece_errors(table[::-1], BITS)) > 1


def test_rounding_is_part_of_the_bound() -> None:
    """With many terms the expansion is as good as exact, and half an ulp of the value is left."""
    exact = piece_errors(normal_pieces(BITS, 11), BITS)
    assert all(error > Fraction(1, 2**54) for error in exact[:-1])


def test_underflow_is_part_of_the_bound() -> None:
    table = [[0.0, 5e-324]] * (53 * 2**BITS)
    least = min(piece_errors(table, BITS))
    assert least > 0


@pytest.mark.parametrize("piece", [[], [math.nan], [1.0, math.inf], [1e300, 1.0]])
def test_what_is_no_polynomial_is_refused(piece: list[float]) -> None:
    table = normal_pieces(BITS, DEGREE)
    table[5] = piece
    with pytest.raises(ValueError, match="piece 5 is"):
        piece_errors(table, BITS)


@pytest.mark.parametrize(("bits", "degree"), [(-1, 3), (2, -1), (2, 12)])
def test_sizes_out_of_range_are_refused(bits: int, degree: int) -> None:
    with pytest.raises(ValueError, match="0 <= degree < 12"):
        normal_pieces(bits, degree)


def test_a_table_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="211 pieces for bits = 2: pass 212"):
        piece_errors(normal_pieces(BITS, DEGREE)[:-1], BITS)
