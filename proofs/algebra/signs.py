"""Inequalities between rational functions, decided for all sizes above given lower ends.

The argument is the oldest one: after the shift d = d' + 1, N = N' + 2, ... a polynomial whose
coefficients are all nonnegative is nonnegative for all d', N', ... >= 0. A condition beside the lower
ends, such as N - n >= 0, is a shift too: N = n + s. Where it does not apply and no violation is found
either, the answer is UndecidedError, never a guess.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from math import lcm, prod
from typing import TypeAlias

from proofs.algebra.errors import UndecidedError
from proofs.algebra.field import RationalFunction

#: Offsets from the lower ends at which a violation is looked for; in the interior also near them.
_PROBES = (0, 1, 2, 3, 4, 6, 9, 15, 30, 100, 1000, 10**5)
_INTERIOR_PROBES = (*_PROBES[1:], Fraction(1, 16))
#: So many conditions are used up one after the other.
_MOST_STEPS = 4
#: So many points are tried: all of them for five sizes.
_MOST = 12**5


@dataclass(frozen=True)
class SignProof:
    """A nonnegative rational function, with the shifted forms that show it, and the region on which
    they do: all sizes at least *lower*, above it in the *interior*, at which all of *beside* is
    nonnegative."""

    statement: str
    numerator: str
    denominator: str
    lower: Mapping[str, int]
    interior: bool
    beside: tuple[RationalFunction, ...] = ()

    @property
    def region(self) -> str:
        """The region in words; empty if there is no size."""
        sign = ">" if self.interior else ">="
        ends = [f"{name} {sign} {low}" for name, low in self.lower.items()]
        return ", ".join([*ends, *(f"{condition} >= 0" for condition in self.beside)])


@dataclass(frozen=True)
class Violation:
    """Sizes within the domain at which the inequality fails, and the value found there."""

    at: Mapping[str, int | Fraction]
    value: Fraction


def decide_nonnegative(
    function: RationalFunction,
    lower: Mapping[str, int],
    *,
    interior: bool = False,
    beside: Sequence[RationalFunction] = (),
) -> SignProof | Violation:
    """Decide ``function >= 0`` for all real sizes with ``size >= lower[size]`` at which all of
    *beside*, polynomials in the sizes, are nonnegative too.

    With *interior* only sizes strictly above the lower ends count; the function may then have a
    pole on the boundary.

    Raises ValueError if a symbol has no lower end, UndecidedError if neither a proof by
    coefficients nor a violation at a probe was found. A function with square roots is proved
    nonnegative if all rational coefficients of the roots are; it is never refuted, as its values
    are no fractions.
    """
    missing = sorted({n for one in (function, *beside) for n in one.names} - set(lower))
    if missing:
        raise ValueError(f"lower: no lower end given for {', '.join(missing)}")
    shift = {name: RationalFunction.symbol(name) + low for name, low in lower.items()}
    conditions = [condition(**shift) for condition in beside]
    shown = _shown(function(**shift), conditions, not interior)
    if shown is not None:
        top, bottom = map(str, shown)
        return SignProof(f"{function} >= 0", top, bottom, dict(lower), interior, tuple(beside))
    where = f"{dict(lower)}{''.join(f', {condition} >= 0' for condition in beside)}"
    if function.radicals:
        raise UndecidedError(
            f"the sign of {function} on {where} is not decided: no values are tried where "
            "square roots occur"
        )
    violation = _search(function, lower, interior, beside)
    if violation is None:
        raise UndecidedError(f"the sign of {function} on {where} is not decided")
    return violation


def _shown(
    function: RationalFunction, conditions: Sequence[RationalFunction], strict: bool, steps: int = 0
) -> tuple[RationalFunction, RationalFunction] | None:
    """Numerator and denominator of forms by whose coefficients the *function* is nonnegative where all
    symbols and all *conditions* are; None if none was found after that many *steps*.

    *strict*: its denominator has no zero.
    """
    top, bottom = function.numerator, function.denominator
    if _all_nonnegative(-bottom):
        top, bottom = -top, -bottom
    # In the interior a polynomial with nonnegative coefficients, not zero, is positive.
    if _all_nonnegative(top) and _all_nonnegative(bottom, strict=strict):
        return top, bottom
    for condition in conditions if steps < _MOST_STEPS else ():
        for name in condition.names:
            for images in _images(condition, name):
                found = None
                for image, kept in images:
                    rest = [c(**image).numerator for c in conditions if c is not condition]
                    # A condition may hold with equality, inside the ends of the sizes too.
                    form = _image_shown(function, image, [*rest, *kept], steps + 1)
                    if form is None:
                        break
                    found = found or form
                else:
                    return found
    return None


def _image_shown(
    function: RationalFunction,
    image: Mapping[str, RationalFunction],
    conditions: Sequence[RationalFunction],
    steps: int,
) -> tuple[RationalFunction, RationalFunction] | None:
    """The same for the function of an image; None also where that is a pole throughout."""
    try:
        moved = function(**image)
    except ZeroDivisionError:
        return None
    return _shown(moved, conditions, True, steps)


#: What replaces a symbol, and what must still be nonnegative then.
_Image: TypeAlias = tuple[dict[str, RationalFunction], list[RationalFunction]]


def _images(condition: RationalFunction, name: str) -> Iterator[tuple[_Image, ...]]:
    """Ways to write a symbol so that a condition that is linear in it is used up: one image for each
    part of its range, in symbols that are nonnegative again. None for other conditions."""
    step, start = RationalFunction.symbol(name), condition(**{name: 0})
    slope = condition(**{name: 1}) - start
    if slope.names or condition != start + slope * step:
        return
    end = -start / slope
    if slope.as_fraction() > 0:  # from the end on; it is nonnegative besides
        yield (({name: end + step}, [end + step]),)
    else:  # from 0 to the end
        yield (({name: end * step / (1 + step)}, []), ({name: end}, []))


def _all_nonnegative(poly: RationalFunction, *, strict: bool = False) -> bool:
    """Whether all coefficients are >= 0 and, if *strict*, the constant one is > 0."""
    # With roots: sqrt(r) > 0, so nonnegative parts are enough. Only denominators come as strict, and
    # they have no root.
    parts = [part.coefficients() for part in poly.parts().values()]
    if any(value < 0 for values in parts for value in values.values()):
        return False
    return not strict or poly.coefficients().get((0,) * len(poly.names), Fraction(0)) > 0


def _search(
    function: RationalFunction,
    lower: Mapping[str, int],
    interior: bool,
    beside: Sequence[RationalFunction],
) -> Violation | None:
    names = sorted({name for one in (function, *beside) for name in one.names})
    top, bottom = _evaluator(function.numerator), _evaluator(function.denominator)
    conditions = [_evaluator(condition) for condition in beside]
    probes: tuple[int | Fraction, ...] = _INTERIOR_PROBES if interior else _PROBES
    for offsets in itertools.islice(_by_sum(probes, len(names)), _MOST):
        # A size that does not occur in the function is put inside the domain, so *at* is complete.
        steps = dict(zip(names, offsets, strict=True))
        at = {name: low + steps.get(name, int(interior)) for name, low in lower.items()}
        if top(at) * bottom(at) < 0 and all(condition(at) >= 0 for condition in conditions):
            return Violation(at, function(**at).as_fraction())
    return None


def _by_sum(probes: tuple[int | Fraction, ...], count: int) -> Iterator[tuple[int | Fraction, ...]]:
    """All choices of `count` probes, by their sum, and by the order of the probes where sums are equal.

    One after another: seven sizes have thirty million choices.
    """
    ranks = sorted(range(len(probes)), key=lambda place: probes[place])

    def entry(steps: tuple[int, ...]) -> tuple[int | Fraction, tuple[int, ...], tuple[int, ...]]:
        places = tuple(ranks[step] for step in steps)
        return sum(probes[place] for place in places), places, steps

    waiting = [entry((0,) * count)]
    while waiting:
        _, places, steps = heappop(waiting)
        yield tuple(probes[place] for place in places)
        # Each choice is reached once: a step is made where no later one has been made.
        first = max((i for i in range(count) if steps[i]), default=0)
        for i in range(first, count):
            if steps[i] + 1 < len(probes):
                heappush(waiting, entry((*steps[:i], steps[i] + 1, *steps[i + 1 :])))


def _evaluator(poly: RationalFunction) -> Callable[[Mapping[str, int | Fraction]], int | Fraction]:
    """The values of a polynomial up to a positive factor, fast: the coefficients are made integers."""
    names, coefficients = poly.names, poly.coefficients()
    scale = lcm(*(value.denominator for value in coefficients.values()))
    terms = [(powers, int(value * scale)) for powers, value in coefficients.items()]

    def value(at: Mapping[str, int | Fraction]) -> int | Fraction:
        point = [at[name] for name in names]
        return sum(
            c * prod(x**p for x, p in zip(point, powers, strict=True)) for powers, c in terms
        )

    return value
