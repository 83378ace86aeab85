"""The count of maps that few bits can tell apart: it holds, and no smaller one does."""

from fractions import Fraction

import pytest

from proofs.algebra import RationalFunction
from proofs.papers.nichani.few_bits import recalled_share

b, d, N = (RationalFunction.symbol(name) for name in "bdN")


def test_the_bound_is_proved_and_attained():
    argument = recalled_share(b * d**2, N)
    assert argument.holds
    attained = [line for line in argument.lines if line.text.startswith("attained")]
    assert [line.reason.split(",")[0] for line in attained] == [
        "all 2 maps",
        "all 16 maps",
        "all 512 maps",
    ]


@pytest.mark.parametrize(("exponent", "facts"), [(b * d**2 + 1, N), (b * d**2, N - 1)])
def test_weaker_bounds_are_proved_too(exponent, facts):
    assert recalled_share(exponent, facts).holds


@pytest.mark.parametrize(
    ("exponent", "facts"),
    [
        (b * d, N),
        (b * d**2 - Fraction(1, 3), N),
        (d**2, N),
        (b * d * (d + 1) / 2, N),
        (b * d**2, N + 1),
        (b * d**2, N + Fraction(1, 2)),
    ],
    ids=str,
)
def test_smaller_bounds_have_a_witness_that_can_be_checked(exponent, facts):
    argument = recalled_share(exponent, facts)
    assert not argument.holds
    size, M = argument.witness["d = N"], argument.witness["M"]
    assert argument.witness["maps"] == M**size
    assert argument.witness["maps recalled in full"] <= 2 ** (argument.witness["b"] * size**2)
    assert "stated at most" in argument.witness


def test_with_two_bits_the_directions_are_counted_once():
    witness = recalled_share(d**2, N).witness
    assert (witness["d = N"], witness["b"]) == (2, 2)
    assert witness["maps recalled in full"] == 144  # 12 directions: (1, 1) and (3, 3) are one
