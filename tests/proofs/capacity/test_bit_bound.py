"""The bit bound against integer arithmetic."""

from __future__ import annotations

from math import factorial, perm

import pytest

from proofs.capacity import BitBound


def _by_integers(bits: int, M: int | None) -> int:
    N = 0
    while (M is None or N < M) and perm(N + 1 if M is None else M, N + 1) <= 2**bits:
        N += 1
    return N


@pytest.mark.parametrize("M", [None, 1, 2, 3, 4, 8, 9, 50, 1000])
@pytest.mark.parametrize("bits", [1, 2, 3, 7, 8, 16, 33, 100, 700])
def test_the_largest_size_is_that_of_integer_arithmetic(bits: int, M: int | None) -> None:
    assert BitBound(bits).largest(M) == _by_integers(bits, M)


@pytest.mark.parametrize("N", [65, 80, 200])
@pytest.mark.parametrize("short", [0, 1])
def test_one_bit_too_few_is_noticed(N: int, short: int) -> None:
    bits = (factorial(N) - 1).bit_length()
    assert BitBound(bits - short).largest() == N - short


@pytest.mark.parametrize("bits", [2, 8, 200, 5000])
def test_ties_are_not_excluded(bits: int) -> None:
    assert BitBound(bits).largest(2**bits) == 1


@pytest.mark.parametrize("bits", [1, 8, 200, 5000])
def test_one_output_more_than_the_bits_can_tell_apart_is_excluded(bits: int) -> None:
    assert BitBound(bits).largest(2**bits + 1) == 0


@pytest.mark.parametrize("bits", [10**4, 10**6])
def test_many_facts_do_not_get_lost_in_rounding(bits: int) -> None:
    # With 2^400 outputs a fact takes 400 bits up to less than 2^-300.
    assert BitBound(bits).largest(2**400) == bits // 400


@pytest.mark.parametrize("bits", [0, -1, 2.0, True])
def test_bits_are_a_positive_integer(bits: object) -> None:
    with pytest.raises(ValueError, match="bits: "):
        BitBound(bits)  # type: ignore[arg-type]


@pytest.mark.parametrize("M", [0, -1, 1.5])
def test_outputs_are_a_positive_integer(M: object) -> None:
    with pytest.raises(ValueError, match="M: "):
        BitBound(8).largest(M)  # type: ignore[arg-type]
