"""Theorems, and the one way to make them: by a rule, from theorems and from what it decides itself.

A theorem carries the statement, the region on which it holds, the hypotheses that it needs there, and
the citations on which it rests; what it says is printed from these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import wraps
from itertools import count
from typing import Any, ParamSpec

from proofs.citations import Theorem as Citation
from proofs.kernel.normal import normal, same
from proofs.kernel.regions import Refused, Region, between, require_sign
from proofs.kernel.terms import Term, at_most_zero, free, randoms, replaced, substituted, symbol

P = ParamSpec("P")

#: Known to this module alone: what a theorem is made with.
_MADE = object()
#: The package whose modules hold rules.
_HOME = __name__.rpartition(".")[0]


@dataclass(frozen=True)
class Compare:
    """left <= right, left < right, or left = right."""

    left: Term
    relation: str
    right: Term

    def __post_init__(self) -> None:
        if self.relation not in ("<=", "<", "="):
            raise ValueError(f"relation: {self.relation!r} is none of <= < =")

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"

    @property
    def sides(self) -> tuple[Term, Term]:
        return self.left, self.right

    def same(self, other: object) -> bool:
        """Whether both have the same relation between sides of the same normal form."""
        if not isinstance(other, Compare):
            return False
        pairs = zip(self.sides, other.sides, strict=True)
        return self.relation == other.relation and all(same(a, b) for a, b in pairs)


@dataclass(frozen=True)
class SameLaw:
    """Two random variables have one law."""

    left: Term
    right: Term

    def __str__(self) -> str:
        return f"{self.left} has the law of {self.right}"

    @property
    def sides(self) -> tuple[Term, Term]:
        return self.left, self.right

    def same(self, other: object) -> bool:
        """Whether both speak of the same laws, whatever their coordinates are called."""
        if not isinstance(other, SameLaw):
            return False
        pairs = zip(self.sides, other.sides, strict=True)
        return all(same(at_most_zero(a), at_most_zero(b)) for a, b in pairs)


Statement = Compare | SameLaw


@dataclass(frozen=True)
class Concluded:
    """What a rule concludes, and the theorems that it *uses*; *discharged* are hypotheses of theirs that
    it gets rid of, *added* are its own."""

    statement: Statement
    region: Region
    uses: tuple[Theorem, ...] = ()
    added: tuple[Compare, ...] = ()
    discharged: tuple[Compare, ...] = ()
    cites: tuple[Citation, ...] = ()


@dataclass(frozen=True, eq=False)
class Theorem:
    """A statement that holds on all of a region under its hypotheses. Only rules make one.

    *uses*: the theorems it was made from; *rule*: by which; *trust*: the citations under it.
    """

    statement: Statement
    region: Region
    hypotheses: tuple[Compare, ...]
    rule: str
    uses: tuple[Theorem, ...]
    trust: frozenset[Citation]
    made: object = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.made is not _MADE:
            raise TypeError("a theorem is made by a rule of proofs.kernel, not by hand")

    def __reduce__(self) -> Any:
        raise TypeError(
            "a theorem is not copied into another process; its proof is run again there"
        )

    def __str__(self) -> str:
        where = f"for {self.region}: " if self.region.ranges else ""
        given = f"if {' and '.join(map(str, self.hypotheses))}, " if self.hypotheses else ""
        return f"{where}{given}{self.statement}"

    @property
    def left(self) -> Term:
        return self.statement.left

    @property
    def right(self) -> Term:
        return self.statement.right

    def tree(self) -> Iterator[Theorem]:
        """All theorems under it and itself, each once, what is used before what uses it."""
        seen: set[int] = set()
        pending = [(self, False)]
        while pending:
            one, ready = pending.pop()
            if ready:
                yield one
            elif id(one) not in seen:
                seen.add(id(one))
                pending.append((one, True))
                pending += [(other, False) for other in reversed(one.uses)]


#: The rules by name, for those who want to see or to attack all of them.
RULES: dict[str, Callable[..., Theorem]] = {}


def rule(function: Callable[P, Concluded]) -> Callable[P, Theorem]:
    """Decorator: the function, of a module of the kernel, is a rule.

    Of what it concludes every symbol must have a range, and a hypothesis must not be random.
    """
    if not function.__module__.startswith(f"{_HOME}."):
        raise TypeError(
            f"{function.__qualname__}: rules live in {_HOME}; put it there, with its attacks"
        )

    @wraps(function)
    def apply(*args: P.args, **kwargs: P.kwargs) -> Theorem:
        try:
            found = function(*args, **kwargs)
        except Refused as error:
            raise Refused(f"{function.__name__}: {error}") from None
        for side in found.statement.sides:
            found.region.require_known(side)
        hypotheses: list[Compare] = list(found.added)
        for other in found.uses:
            hypotheses += [h for h in other.hypotheses if not any(map(h.same, found.discharged))]
        unique: list[Compare] = []
        for one in hypotheses:
            for side in one.sides:
                if randoms(side):
                    raise Refused(f"{function.__name__}: the hypothesis {one} is random")
                found.region.require_known(side)
            if not any(map(one.same, unique)):
                unique.append(one)
        trust = frozenset(found.cites).union(*(other.trust for other in found.uses))
        return Theorem(
            found.statement,
            found.region,
            tuple(unique),
            function.__name__,
            found.uses,
            trust,
            _MADE,
        )

    RULES[function.__name__] = apply
    return apply


# -- what rules demand ----------------------------------------------------------------------------


def require(condition: bool, said: str) -> None:
    """Refused with what is *said* unless the condition holds."""
    if not condition:
        raise Refused(said)


def comparison(theorem: Theorem, *relations: str) -> Compare:
    """The statement of a theorem that compares, by one of the *relations*."""
    found = theorem.statement
    if not isinstance(found, Compare) or found.relation not in relations:
        raise Refused(f"{found} is no comparison by {' or '.join(relations)}")
    return found


def require_inside(
    region: Region,
    theorem: Theorem,
    values: Mapping[str, Term] | None = None,
    known: Iterable[Theorem] = (),
) -> None:
    """Refused unless the theorem, with *values* for symbols of its own, holds on all of the region.

    A value lies in a range where a sign says so, or one of the *known* comparisons.
    """
    table = values or {}
    facts = list(known)
    for fact in facts:
        require_inside(region, fact)
    for one in theorem.region.ranges:
        value = table.get(one.name, symbol(one.name))
        region.require_known(value)
        said = f"the range {one} of what is used"
        ends = []
        if one.lower is not None:
            ends.append((value - substituted(one.lower, table), one.open_below))
        if one.upper is not None:
            ends.append((substituted(one.upper, table) - value, one.open_above))
        for needed, strict in ends:
            if not any(_says(fact, needed, strict) for fact in facts):
                require_sign(needed, region, strict=strict, said=said)
        if one.whole:
            require(is_whole(value, region), f"{said}: {value} is not known to be whole")


def _says(fact: Theorem, needed: Term, strict: bool) -> bool:
    """Whether a comparison says that a term is not negative, or above 0 if *strict*."""
    found = comparison(fact, "<=", "<", "=")
    return same(found.right - found.left, needed) and (found.relation == "<" or not strict)


def is_whole(value: Term, region: Region) -> bool:
    """Whether a term is a polynomial with whole coefficients in whole symbols."""
    function = normal(value)
    if function.denominator != 1 or function.radicals:
        return False
    ranges = [region.range(name) for name in function.names]
    return all(one is not None and one.whole for one in ranges) and all(
        c.denominator == 1 for c in function.coefficients().values()
    )


def valued(what: Term, region: Region) -> tuple[Term, Region]:
    """The term with a number from -1 to 1 for each of its coordinates, and the region with these.

    Refused for a random variable of which not even that is known.
    """
    for one in sorted(randoms(what), key=lambda it: (it.name, str(it.arguments))):
        require(one.head == "coordinate", f"{what}: nothing is known of the values of {one}")
        name = next(n for i in count() if (n := f"value_{i}") not in region.names | free(what))
        what, region = replaced(what, one, symbol(name)), region.also(between(name, -1, 1))
    return what, region


def require_defined(what: Term, region: Region) -> None:
    """Refused unless every denominator, logarithm and root in the term is defined on the region."""
    for argument in what.arguments:
        require_defined(argument, region)
    if what.head in ("/", "log", "sqrt", "^"):
        _require_applicable(*valued(what, region))
    if what.head == "power":
        exponent = what.arguments[1]
        require(is_whole(exponent, region), f"{what}: the exponent is not known to be whole")
        require_sign(exponent, region, said=f"the exponent of {what}")


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
    elif what.head == "^" and what.arguments[1].value < 0:
        require_sign(what.arguments[0] ** 2, region, strict=True, said=said)
    elif what.head == "log":
        require_sign(what.arguments[0], region, strict=True, said=said)
    elif what.head == "sqrt":
        require_sign(what.arguments[0], region, said=said)
