"""How many ways there are to realise a coincidence pattern of indices, as a polynomial in the sizes.

A pattern says which named values the bound indices take and how many fresh ones. Fresh values of a
range without a map are counted by a falling factorial; fresh inputs of a map by the fibres they lie
in: falling factorials of the named fibres, and sums over distinct unnamed outputs for the rest.
Fresh values that are related are counted by inclusion and exclusion over coincidences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import factorial

from proofs.algebra import RationalFunction


def falling(size: RationalFunction, count: int) -> RationalFunction:
    """size (size - 1) ... (size - count + 1)."""
    product = RationalFunction.constant(1)
    for i in range(count):
        product = product * (size - i)
    return product


@lru_cache(maxsize=64)
def falling_coefficients(count: int) -> tuple[int, ...]:
    """Coefficients c with n (n-1) ... (n-count+1) = sum_j c_j n^j."""
    coefficients = [1]
    for i in range(count):
        shifted = [0, *coefficients]
        for j, c in enumerate(coefficients):
            shifted[j] -= i * c
        coefficients = shifted
    return tuple(coefficients)


def set_partitions(items: Sequence[int]) -> Iterator[list[list[int]]]:
    """All partitions of *items* into nonempty blocks."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for partition in set_partitions(rest):
        yield [[first], *partition]
        for i, block in enumerate(partition):
            yield [*partition[:i], [first, *block], *partition[i + 1 :]]


def over_distinct_outputs(
    inputs: Sequence[int], power_sum: Callable[[int], RationalFunction]
) -> RationalFunction:
    """Sum over distinct outputs o_1, ..., o_r of prod_i (n_{o_i})_{(inputs_i)}.

    n_o is the number of inputs with the output o, and power_sum(j) = sum_o n_o^j over the outputs
    allowed (power_sum(0) counts them). Inclusion and exclusion over coinciding outputs.
    """
    total = RationalFunction.constant(0)
    for partition in set_partitions(range(len(inputs))):
        product = RationalFunction.constant(1)
        for block in partition:
            polynomial = [1]
            for i in block:
                polynomial = _multiply(polynomial, falling_coefficients(inputs[i]))
            block_sum = RationalFunction.constant(0)
            for j, c in enumerate(polynomial):
                if c:
                    block_sum = block_sum + power_sum(j) * c
            sign = -1 if len(block) % 2 == 0 else 1
            product = product * block_sum * (sign * factorial(len(block) - 1))
        total = total + product
    return total


def _multiply(left: Sequence[int], right: Sequence[int]) -> list[int]:
    product = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            product[i + j] += a * b
    return product


def coincidences(kinds: Sequence[int], named: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """All ways in which fresh elements may coincide, with each other and with named ones.

    *kinds* gives the range of each fresh element, *named* of each named one. Yields the Moebius
    weight of the coincidence, and for each fresh element what it becomes: a named element i >= 0,
    or the new element -1 - j. The sum over all of weight * (ways if coincidences are allowed) counts
    the ways in which all elements differ.
    """
    values: list[int] = []

    def place(position: int, weight: int, new: list[int]) -> Iterator[tuple[int, list[int]]]:
        if position == len(kinds):
            yield weight, list(values)
            return
        kind = kinds[position]
        blocks = [i for i, other in enumerate(named) if other == kind]
        blocks += [-1 - j for j, other in enumerate(new) if other == kind]
        for block in blocks:
            # The k-th element that joins a block multiplies the Moebius function by -k.
            joined = values.count(block) + (block >= 0)
            values.append(block)
            yield from place(position + 1, -weight * joined, new)
            values.pop()
        values.append(-1 - len(new))
        yield from place(position + 1, weight, [*new, kind])
        values.pop()

    yield from place(0, 1, [])
