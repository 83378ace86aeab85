"""Regions: where the symbols of a theorem range, and signs decided on all of one.

The oldest argument decides them: where each range is mapped onto [0, oo), a polynomial without negative
coefficients is not negative. Where it does not apply the answer is a refusal, never a guess.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import comb, prod

from proofs.algebra import RationalFunction
from proofs.kernel.normal import MOST, TooLarge, as_term, normal, opaque, require_small
from proofs.kernel.terms import Number, Term, free, randoms, symbol, term

#: Where a violation is looked for, in what is mapped onto [0, oo).
_PROBES = tuple(map(Fraction, ("0", "1/16", "1", "3", "20", "10000")))
#: How far an end is moved inwards to see from where on a sign is decided.
_STEPS: tuple[Number, ...] = (
    1,
    2,
    3,
    4,
    5,
    6,
    8,
    10,
    15,
    20,
    30,
    50,
    100,
    *map(Fraction, ("1/2", "1/4", "3/4")),
)
#: So many terms are evaluated to find a violation, and looked at to find a remedy.
_PROBED, _PROPOSALS = 1_000_000, 1_000


class Refused(ValueError):  # noqa: N818 - what a rule says, not what broke
    """A rule does not apply: which one, which side condition, at which value, and what would help."""


@dataclass(frozen=True, repr=False)
class Range:
    """Where a symbol ranges: from *lower* to *upper*, terms in symbols of earlier ranges; None for no
    end. An open end does not belong to it; *whole*: only the integers do."""

    name: str
    lower: Term | None = None
    upper: Term | None = None
    open_below: bool = False
    open_above: bool = False
    whole: bool = False

    def __post_init__(self) -> None:
        symbol(self.name)  # a name that it can have
        for end in (self.lower, self.upper):
            if end is not None and (type(end) is not Term or randoms(end)):
                raise ValueError(
                    f"{self.name}: {end!r} is no end of a range; take a term, not random"
                )
        ends = [end.value for end in (self.lower, self.upper) if end and end.head == "number"]
        if len(ends) == 2 and ends[0] > ends[1]:
            raise ValueError(f"{self.name}: nothing is between {ends[0]} and {ends[1]}")

    def __str__(self) -> str:
        below, above = ("<" if open_ else "<=" for open_ in (self.open_below, self.open_above))
        if self.lower is None:
            text = (
                f"{self.name} real" if self.upper is None else f"{self.name} {above} {self.upper}"
            )
        elif self.upper is None:
            text = f"{self.name} {below.replace('<', '>')} {self.lower}"
        else:
            text = f"{self.lower} {below} {self.name} {above} {self.upper}"
        return f"whole {text}" if self.whole else text

    def __repr__(self) -> str:
        return f"Range({self})"


@dataclass(frozen=True, repr=False)
class Region:
    """Ranges of symbols, in an order in which ends name earlier ones only.

    ValueError for a symbol that ranges twice, or an end with a symbol that has no range before it.
    """

    ranges: tuple[Range, ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.ranges, Range):
            raise TypeError(f"ranges: {self.ranges!r} is one range; write Region((range,))")
        object.__setattr__(self, "ranges", tuple(self.ranges))
        if any(type(one) is not Range for one in self.ranges):
            raise TypeError(f"ranges: {self.ranges!r} has something else; take ranges only")
        known: set[str] = set()
        for one in self.ranges:
            ends = [end for end in (one.lower, one.upper) if end is not None]
            missing = set().union(*map(free, ends)) - known
            if missing:
                raise ValueError(f"{one}: {min(missing)} has no range before it; give it one")
            if one.name in known:
                raise ValueError(
                    f"{one.name}: has a range already; call the other symbol otherwise"
                )
            known.add(one.name)

    def __str__(self) -> str:
        return ", ".join(map(str, self.ranges))

    def __repr__(self) -> str:
        return f"Region({self})"

    @property
    def names(self) -> frozenset[str]:
        return frozenset(one.name for one in self.ranges)

    def range(self, name: str) -> Range | None:
        """Where a symbol ranges; None if it has no range here."""
        return next((one for one in self.ranges if one.name == name), None)

    def require_known(self, what: Term) -> None:
        """Refused if a symbol of the term has no range here."""
        missing = free(what) - self.names
        if missing:
            raise Refused(f"{min(missing)} in {what} has no range; add it to the region")

    def without(self, *names: str) -> Region:
        """The region without some symbols."""
        return Region(tuple(one for one in self.ranges if one.name not in names))

    def ending(self, name: str, *, lower: Term | None = None, upper: Term | None = None) -> Region:
        """The region with another end for a symbol."""
        own = self.range(name)
        if own is None:
            raise Refused(f"{name} has no range in {self}")
        if lower is not None:
            own = replace(own, lower=lower, open_below=False)
        if upper is not None:
            own = replace(own, upper=upper, open_above=False)
        return Region(tuple(own if one.name == name else one for one in self.ranges))

    def also(self, *ranges: Range) -> Region:
        """The region with more symbols."""
        return Region((*self.ranges, *ranges))


def at_least(name: str, lower: Term | Number, *, above: bool = False) -> Range:
    """A real symbol at least *lower*, or *above* it."""
    return Range(name, term(lower), open_below=above)


def whole(name: str, lower: Term | Number, upper: Term | Number | None = None) -> Range:
    """An integer, at least *lower*, and at most *upper*."""
    return Range(name, term(lower), None if upper is None else term(upper), whole=True)


def between(name: str, lower: Term | Number, upper: Term | Number, ends: str = "[]") -> Range:
    """A real symbol between two ends; *ends* is such as "(]", round where an end does not belong."""
    if len(ends) != 2 or ends[0] not in "[(" or ends[1] not in "])":
        raise ValueError(f"ends: {ends!r} is none of [] [) (] ()")
    return Range(name, term(lower), term(upper), ends[0] == "(", ends[1] == ")")


def real(name: str) -> Range:
    """Any real number."""
    return Range(name)


# -- signs ----------------------------------------------------------------------------------------


def require_sign(what: Term, region: Region, *, strict: bool = False, said: str = "") -> None:
    """Refused unless the term is decided to be at least 0, or above it if *strict*, on the region.

    *said*: what depends on it, for the refusal.
    """
    region.require_known(what)
    where = f" for {region}" if region.ranges else ""
    claim = f"{said + ': ' if said else ''}{what} {'>' if strict else '>='} 0{where}"
    try:
        cases = list(_cases(normal(what), region))
    except ZeroDivisionError:
        raise Refused(f"{claim}: it has a pole there") from None
    except TooLarge as large:
        raise Refused(f"{claim}: {large}") from None
    for case, positive, place in cases:
        if _decided(case, positive, strict):
            continue
        for found in _violations(case, positive, strict) if place.exact else ():
            try:
                at = place(found)
            except ZeroDivisionError:  # an end has no value there
                continue
            if all(at[one.name].denominator == 1 for one in region.ranges if one.whole):
                there = ", ".join(f"{name} = {value}" for name, value in at.items())
                raise Refused(f"{claim}: it is false{f' at {there}' if there else ''}")
        raise Refused(f"{claim}: not decided{_remedy(what, region, strict)}")


def decided_sign(what: Term, region: Region, *, strict: bool = False) -> bool:
    """Whether the sign is decided to be that."""
    if not free(what) <= region.names:
        return False
    try:
        return _decides(normal(what), region, strict)
    except ZeroDivisionError:
        return False


def _decides(function: RationalFunction, region: Region, strict: bool) -> bool:
    return all(_decided(case, above, strict) for case, above, _ in _cases(function, region))


@dataclass(frozen=True)
class _Place:
    """The values of symbols at a place given by what is mapped onto [0, oo), *images* in that order."""

    images: tuple[tuple[str, RationalFunction], ...] = ()

    @property
    def exact(self) -> bool:
        """Whether it has exact values: no end of a range has an exponential or the like."""
        return not any(opaque(name) for _, image in self.images for name in image.names)

    def __call__(self, at: Mapping[str, Fraction]) -> dict[str, Fraction | int]:
        known = {name: at.get(name, 1) for name, _ in self.images}
        values: dict[str, Fraction | int] = {}
        for name, image in reversed(self.images):  # an end names earlier symbols only
            own = {n: known[n] if n == name else values[n] for n in image.names}
            values[name] = image(**own).as_fraction()
        return values


def _cases(
    function: RationalFunction, region: Region
) -> Iterator[tuple[RationalFunction, frozenset[str], _Place]]:
    """The function with each symbol mapped onto [0, oo), part by part of the region; the symbols that
    are above 0 there; and what the symbols were."""
    pending = [(function, frozenset[str](), _Place(), len(region.ranges))]
    effort = _Effort()
    while pending:
        case, positive, place, left = pending.pop()
        if not left:
            yield from _with_opaque(case, positive, place, region, effort)
            continue
        one = region.ranges[left - 1]
        images = list(_images(one))
        for image, above in images if one.name in case.names else [images.pop()]:
            moved = _Place((*place.images, (one.name, image)))
            more = frozenset({one.name} if above else ())
            part = effort.put(case, {one.name: image})
            pending.append((part, positive | more, moved, left - 1))


@dataclass
class _Effort:
    """How many terms were expanded on the way through all parts of a region."""

    spent: int = 0

    def put(
        self, function: RationalFunction, images: Mapping[str, RationalFunction]
    ) -> RationalFunction:
        """The function with *images* of symbols. TooLarge if it, or all of them, have too many terms."""
        if _at_most(function, images) > MOST:  # a look at each term may say better
            parts = (function.numerator, function.denominator)
            require_small(max(_expanded(part, images) for part in parts))
        found = function(**images)
        self.spent += max(found.terms)
        require_small(self.spent)
        return found


def _at_most(function: RationalFunction, images: Mapping[str, RationalFunction]) -> int:
    """At most so many terms a function has with images of symbols, as seen from its degree."""
    degree, several = max(function.degrees), (sum(image.terms) for image in images.values())
    return max(function.terms) * prod(_powers(many, degree) for many in several)


def _expanded(poly: RationalFunction, images: Mapping[str, RationalFunction]) -> int:
    """The same of a polynomial, term by term: a power of an image is multiplied with one of what it is
    divided by, so that both are of the degree."""
    names = poly.names
    parts = {i: images[name].terms for i, name in enumerate(names) if name in images}
    monomials = poly.coefficients()
    most = {i: max((powers[i] for powers in monomials), default=0) for i in parts}

    def many(powers: tuple[int, ...]) -> int:
        return prod(
            _powers(top, powers[i]) * _powers(bottom, most[i] - powers[i])
            for i, (top, bottom) in parts.items()
        )

    return sum(map(many, monomials))


def _powers(many: int, power: int) -> int:
    """At most so many terms the power of a polynomial of *many* terms has."""
    return comb(max(many, 1) + power - 1, power)


def _images(one: Range) -> Iterator[tuple[RationalFunction, bool]]:
    """A symbol by one that ranges over [0, oo), and whether that is above 0; all of it in parts."""
    step = RationalFunction.symbol(one.name)
    low, high = (None if end is None else normal(end) for end in (one.lower, one.upper))
    if low is not None and high is not None:
        yield (low + high * step) / (1 + step), one.open_below
        if not one.open_above:
            yield high, False
    elif low is not None:
        yield low + step, one.open_below
    elif high is not None:
        yield high - step, one.open_above
    else:
        yield step, False
        yield -step, False


def _with_opaque(
    case: RationalFunction,
    positive: frozenset[str],
    place: _Place,
    region: Region,
    effort: _Effort,
) -> Iterator[tuple[RationalFunction, frozenset[str], _Place]]:
    """The same where what is no rational function is one of symbols that range over [0, oo), too."""
    names = [name for name in case.names if opaque(name)]
    for images in itertools.product(*(_values(name, region) for name in names)):
        moved = {name: image for name, (image, _) in zip(names, images, strict=True)}
        above = {name for name, (_, strict) in zip(names, images, strict=True) if strict}
        yield effort.put(case, moved), positive | above, place


@lru_cache(maxsize=2**12)
def _values(name: str, region: Region) -> tuple[tuple[RationalFunction, bool], ...]:
    """What an opaque part may be on the region, as ``_images``; by the sign of what is in a logarithm,
    an exponential or an absolute value."""
    one, step = opaque(name), RationalFunction.symbol(name)
    either = ((step, False), (-step, False))
    if one is None or one.head not in ("exp", "log", "sqrt", "abs", "P"):
        return either
    inside = one.arguments[0]
    if one.head == "log":
        side = _side(inside - 1, region)
        return ((side * step, True),) if side else either
    if one.head == "exp":
        side = _side(inside, region)
        return (((1 + step) ** side if side else step, True),)
    return ((step, one.head == "abs" and _side(inside, region) != 0),)


def _side(one: Term, region: Region) -> int:
    """1 where a term is decided to be above 0, -1 below it, 0 where neither is."""
    function = normal(one)
    return next((sign for sign in (1, -1) if _decides(sign * function, region, True)), 0)


def _decided(case: RationalFunction, positive: frozenset[str], strict: bool) -> bool:
    top, bottom = case.numerator, case.denominator  # whose leading coefficient is 1
    return _plus(bottom, positive) and (_plus(top, positive) if strict else _not_minus(top))


def _not_minus(poly: RationalFunction) -> bool:
    return all(value >= 0 for value in poly.coefficients().values())


def _plus(poly: RationalFunction, positive: frozenset[str]) -> bool:
    """No coefficient below 0, and a monomial of symbols that are above 0."""
    names = poly.names
    return _not_minus(poly) and any(
        all(name in positive for name, power in zip(names, powers, strict=True) if power)
        for powers in poly.coefficients()
    )


def _violations(
    case: RationalFunction, positive: frozenset[str], strict: bool
) -> Iterator[Mapping[str, Fraction]]:
    """Places where the sign is wrong, of those that are probed; none where parts are opaque."""
    if any(map(opaque, case.names)) or len(case.names) > 6:
        return
    every = itertools.product(_PROBES, repeat=len(case.names))
    for values in itertools.islice(every, _PROBED // max(case.terms)):
        at = dict(zip(case.names, values, strict=True))
        if any(not at[name] for name in case.names if name in positive):
            continue
        bottom = case.denominator(**at).as_fraction()
        if not bottom:
            continue
        value = case.numerator(**at).as_fraction() / bottom
        if value < 0 or (strict and value == 0):
            yield at


def _remedy(what: Term, region: Region, strict: bool) -> str:
    """What would help: a part of the region on which it is decided, or the rule for squares."""
    function = normal(what)
    tries = _PROPOSALS // max(function.terms)
    found = _part(what, region, strict, tries)
    if tries and not strict and function.is_square:
        found += "; it is a square: take square(), as a part of sign()"
    return found


def _part(what: Term, region: Region, strict: bool, tries: int) -> str:
    """From where on, or up to where, it is decided, if an end that is moved inwards helps."""
    ranges = (one for one in region.ranges if one.name in free(what))
    shorter = (it for one in ranges for it in _shorter(one, region))
    for said, part in itertools.islice(shorter, tries):
        with suppress(TooLarge):
            if decided_sign(what, part, strict=strict):
                return f"; it is {said}"
    return ""


def _shorter(one: Range, region: Region) -> Iterator[tuple[str, Region]]:
    """Parts of a region in which a range is shorter, and how one says so."""
    for step in _STEPS:
        if one.lower is not None:
            lower = as_term(normal(one.lower + step))
            if one.upper is None or decided_sign(one.upper - lower, region, strict=True):
                yield f"from {one.name} >= {lower} on", region.ending(one.name, lower=lower)
        if one.upper is not None:
            upper = as_term(normal(one.upper - step))
            if one.lower is None or decided_sign(upper - one.lower, region, strict=True):
                yield f"up to {one.name} <= {upper}", region.ending(one.name, upper=upper)
