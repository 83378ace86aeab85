"""Where a term is defined: denominators, logarithms, roots, powers, random variables, expectations.

An expectation is defined here only where it is finite: of coordinates and of sums of copies, which are
bounded, and of what is no more than a polynomial in variables whose moments are finite. An infimum is
one over an interval that is not empty, of what is defined on all of it and not negative. What it is of
is a continuous function of the values of coordinates there; so the infimum is upper semicontinuous in
these, hence measurable, and bounded, and has an expectation.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from proofs.kernel.normal import normal, same
from proofs.kernel.regions import Range, Refused, Region, between, require_sign
from proofs.kernel.terms import Term, free, fresh, given, opened, randoms, symbol


def require(condition: bool, said: str) -> None:
    """Refused with what is *said* unless the condition holds."""
    if not condition:
        raise Refused(said)


def is_whole(value: Term, region: Region) -> bool:
    """Whether a term is a polynomial with whole coefficients in whole symbols."""
    function = normal(value)
    if function.denominator != 1:
        return False
    ranges = [region.range(name) for name in function.names]
    return all(one is not None and one.whole for one in ranges) and all(
        c.denominator == 1 for c in function.coefficients().values()
    )


def valued(what: Term, region: Region) -> tuple[Term, Region]:
    """The term with a number from -1 to 1 for each of its coordinates, and the region with these.

    Refused for a random variable of which not even that is known.
    """
    for one in sorted(randoms(what), key=lambda it: it.name):
        require(one.head == "coordinate", f"{what}: nothing is known of the values of {one}")
        name = fresh("value", region.names | free(what))
        what, region = given(what, one, symbol(name)), region.also(between(name, -1, 1))
    return what, region


@lru_cache(maxsize=2**14)
def require_defined(what: Term, region: Region) -> None:
    """Refused unless all in the term is defined on all of the region."""
    if what.head == "inf":
        _require_infimum(what, region)
        return
    for argument in what.arguments:
        require_defined(argument, region)
    inverse = what.head == "^" and what.arguments[1].value < 0
    if inverse or what.head in ("/", "log", "sqrt"):
        _require_applicable(*valued(what, region))
    elif what.head == "power":
        _require_count(what.arguments[1], region, 0, f"the exponent of {what}")
    elif what.head == "abs":
        exponent = what.arguments[1]
        require(not randoms(exponent), f"the exponent of {what} is random")
        require_sign(exponent, region, strict=True, said=f"the exponent of {what}")
    elif what.head == "polynomial":
        _require_count(what.arguments[0], region, 0, f"the degree of {what}")
    elif what.head == "coordinate":
        _require_count(what.arguments[0], region, 1, f"the dimension of {what}")
    elif what.head == "E":
        _require_moments(what.arguments[0], what)
    elif what.head == "sum":
        _require_count(what.arguments[0], region, 0, f"the number of copies in {what}")
        _require_bounded(what.arguments[1], what)


def _require_moments(one: Term, what: Term) -> None:
    """Refused unless a part of what is averaged is bounded, or a polynomial of what has moments."""
    if one.head in ("polynomial", "random"):
        return
    if one.head in ("+", "-", "*", "abs") or (one.head == "^" and one.arguments[1].value >= 0):
        for argument in one.arguments:
            _require_moments(argument, what)
    else:
        _require_bounded(one, what)


def _require_bounded(one: Term, what: Term) -> None:
    for variable in randoms(one):
        known = variable.head in ("coordinate", "sum")
        require(known, f"{what}: nothing is known of the size of {variable}")


def require_region_defined(region: Region) -> None:
    """Refused unless the ends of all ranges are defined where the symbols before them range."""
    for i, one in enumerate(region.ranges):
        for end in (one.lower, one.upper):
            if end is not None:
                require_defined(end, Region(region.ranges[:i]))


def require_distinct(what: Term, region: Region) -> None:
    """Refused if two random variables that stand beside each other have one name, or one that of a
    symbol: after sizes are put in for symbols they could be taken for each other."""
    for beside in _scopes(what):
        named: dict[str, Term] = {}
        for one in beside:
            other = named.setdefault(one.name, one)
            require(same(one, other), f"{one.name} is the name of two variables, {one} and {other}")
            taken = one.name in region.names
            require(not taken, f"{one.name} is the name of a symbol and of a random variable")


def _scopes(what: Term) -> Iterator[frozenset[Term]]:
    yield randoms(what)
    pending = [what]
    while pending:
        one = pending.pop()
        if one.head in ("E", "P", "sum"):
            yield randoms(one.arguments[-1])
        pending += one.arguments


def _require_infimum(what: Term, region: Region) -> None:
    lower, upper, _ = what.arguments
    for end in (lower, upper):
        require(not randoms(end), f"{what}: its end {end} is random")
        require_defined(end, region)
    require_sign(upper - lower, region, strict=True, said=f"{what} is over something")
    name = fresh(what.name, region.names | free(what))
    where = region.also(Range(name, lower, upper, open_below=True, open_above=True))
    body = opened(what, name)
    require_defined(body, where)
    value, where = valued(body, where)
    require_sign(value, where, said=f"{what} is not negative")


def _require_count(number: Term, region: Region, least: int, said: str) -> None:
    require(is_whole(number, region), f"{said}: {number} is not known to be whole")
    require_sign(number - least, region, said=said)


def _require_applicable(what: Term, region: Region) -> None:
    said = f"{what} is defined"
    if what.head == "/":
        bottom = what.arguments[1]
        try:
            require_sign(bottom, region, strict=True, said=said)
        except Refused as refused:
            try:
                require_sign(-bottom, region, strict=True, said=said)
            except Refused:
                raise refused from None
    elif what.head == "^":
        require_sign(what.arguments[0] ** 2, region, strict=True, said=said)
    elif what.head == "log":
        require_sign(what.arguments[0], region, strict=True, said=said)
    elif what.head == "sqrt":
        require_sign(what.arguments[0], region, said=said)
