"""Whether a definition in symbols and one in torch are the same, decided exactly.

Both are polynomials in the coordinates. Their values are compared at integer vectors that are multiples
of the denominators, at which float64 has every intermediate value, whatever is divided by the sizes.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from math import isfinite, lcm, prod
from typing import Any

from proofs.moments import Expression, Family, Signs
from proofs.moments.explicit import Instance
from proofs.moments.laws import Gaussian
from proofs.moments.vectors import Law
from verify.claim import Road
from verify.errors import UsageError
from verify.installed import require

#: Coordinates, before they are multiplied by the denominators: up to the first that all values allow.
_COORDINATES = (3, 1)
#: How large values may be: better so small that rounding stays far below 1, else as float64 has them.
_SMALL, _EXACT = 2**40, 2**53
#: What the rounding of some dozens of operations can move a value by, of the largest one.
_ROUNDING = Fraction(1, 2**48)


def same_definition(
    expression: Expression,
    function: Callable[..., Any],
    instance: Instance,
    *,
    d: int,
    counts: Mapping[Family | Signs, int],
    trials: int = 5,
    seed: int = 0,
) -> None:
    """Raise AssertionError unless *function* computes *expression*, on random integer vectors.

    *function* takes one float64 tensor a family, by the family's name, and returns a number: (count, d)
    for vectors, (count,) for signs. Vectors are multiples of the denominators in the expression, so
    that both sides are exact at any size, and equality is demanded, not closeness. *counts*: how many
    members of each family there are.

    UsageError for arguments with which nothing could be compared, for values beyond what float64 has
    exactly, and where the function differs by no more than its own rounding.
    """
    _refuse(expression, function, instance, counts)
    for name, number in {"d": d, "trials": trials}.items():
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise UsageError(f"{name}: {number!r} is no number of them; take an integer, 1 or more")
    require([Road.NUMERICS], "function")
    import torch

    most, step, largest = _coordinates(expression, instance, counts, d)
    generator = random.Random(seed)
    for _ in range(trials):
        vectors: dict[Family, list[list[int]]] = {}
        signs: dict[Signs, list[int]] = {}
        for family, count in counts.items():
            if isinstance(family, Signs):
                signs[family] = [generator.choice((-1, 1)) for _ in range(count)]
                continue
            width = 1 if family.dimension == 1 else d
            vectors[family] = [
                [step * generator.randint(-most, most) for _ in range(width)] for _ in range(count)
            ]
        try:
            exact = instance.evaluate(expression, vectors, signs)
        except ValueError as error:
            raise UsageError(f"counts, instance: {error}") from None
        tensors = {f.name: torch.tensor(v, dtype=torch.float64) for f, v in vectors.items()}
        tensors |= {s.name: torch.tensor(v, dtype=torch.float64) for s, v in signs.items()}
        found = float(function(**tensors))
        # A quotient of integers is rounded once, to the nearest.
        if found == float(exact):
            continue
        if isfinite(found) and abs(Fraction(found) - exact) <= largest * _ROUNDING:
            raise UsageError(
                f"function: {found!r} in torch and {exact} in symbols differ by no more than "
                "rounding, which decides nothing; divide by the denominator, last, instead of "
                "multiplying by a fraction such as 1/3 that is no float64"
            )
        raise AssertionError(
            f"the two definitions differ: {exact} in symbols, {found} in torch, at {tensors}"
        )


def _coordinates(
    expression: Expression, instance: Instance, counts: Mapping[Family | Signs, int], d: int
) -> tuple[int, int, Fraction]:
    """Up to what vectors have coordinates, and multiples of what; and a bound on all values.

    UsageError if no choice keeps them where float64 is exact.
    """
    whole = _denominator(expression, instance)
    odd = whole
    while odd % 2 == 0:
        odd //= 2
    largest = Fraction(0)
    for bound, step, most in itertools.product((_SMALL, _EXACT), _steps(odd), _COORDINATES):
        largest = instance.largest(expression, partial(_entry, counts, most * step), d)
        if largest * (whole // odd) <= bound:
            return most, step, largest
    raise UsageError(
        f"instance: values up to {float(largest):.2g} are beyond what float64 has exactly; compare the "
        "definitions at smaller sizes"
    )


def _entry(counts: Mapping[Family | Signs, int], most: int, family: Law) -> int:
    """The largest coordinate of a family: 1 of signs, and of what the instance has."""
    return most if family in counts else 1


def _denominator(expression: Expression, instance: Instance) -> int:
    """The common denominator of all coefficients, and of what Wick powers multiply by."""
    found = [instance.number(term.coefficient).denominator for term in expression.terms]
    for term in expression.terms:
        for edge in term.edges:
            if edge.order > 1 and isinstance(edge.left.family, Gaussian):
                found.append(instance.number(edge.left.family.variance).denominator ** edge.order)
    return lcm(*found)


def _steps(denominator: int) -> Iterator[int]:
    """What coordinates are multiples of, the safest first: the denominator, or where it comes from
    several vectors of a product, its roots, rounded up prime by prime."""
    from sympy import factorint

    factors = factorint(denominator)
    tried: set[int] = set()
    for parts in range(1, 1 + max(factors.values(), default=1)):
        step = prod(int(p) ** -(-int(power) // parts) for p, power in factors.items())
        if step not in tried:
            tried.add(step)
            yield step


def _refuse(expression: Any, function: Any, instance: Any, counts: Any) -> None:
    """UsageError for what is no pair of definitions at explicit sizes."""
    if not isinstance(expression, Expression):
        raise UsageError(
            f"expression: {expression!r} is none of proofs.moments; write it with its families"
        )
    if not callable(function):
        raise UsageError(
            f"function: {function!r} cannot be called; take one of tensors to a number"
        )
    if not isinstance(instance, Instance):
        raise UsageError(
            f"instance: {instance!r} is none; take an Instance of proofs.moments.explicit"
        )
    if not isinstance(counts, Mapping) or not all(isinstance(f, (Family, Signs)) for f in counts):
        raise UsageError(f"counts: {counts!r} counts no families; take a number for each Family")
    for family, count in counts.items():
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise UsageError(
                f"counts: {count!r} is no number of {family.name}; take an integer, 0 or more"
            )
