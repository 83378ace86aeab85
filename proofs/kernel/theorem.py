"""Theorems, and the one way to make them: by a rule, from theorems and from what it decides itself.

A theorem carries the statement, the region on which it holds, the hypotheses that it needs there, and
the citations on which it rests; what it says is printed from these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, wraps
from inspect import Parameter, signature
from types import UnionType
from typing import Any, ParamSpec, get_args, get_type_hints
from weakref import WeakKeyDictionary

from proofs.citations import Citation
from proofs.kernel.definedness import (
    is_whole,
    require,
    require_defined,
    require_distinct,
    require_region_defined,
)
from proofs.kernel.normal import same
from proofs.kernel.regions import Range, Refused, Region, require_sign
from proofs.kernel.terms import Term, at_most_zero, free, randoms, substituted, symbol, variables

P = ParamSpec("P")

#: What a variable is, for a legend.
_VARIABLES: Mapping[str, str] = {
    "coordinate": "a coordinate of a uniform unit vector of R^({})",
    "polynomial": "a polynomial of degree at most {}",
}
#: The package whose modules hold rules.
_HOME = __name__.rpartition(".")[0]


class _TwoSided:
    """What statements have that speak of two terms."""

    left: Term
    right: Term

    def __post_init__(self) -> None:
        if type(self.left) is not Term or type(self.right) is not Term:
            numbers = _as_term(self.left) or _as_term(self.right)
            raise TypeError(f"{self.left!r} and {self.right!r}: both sides are terms{numbers}")

    @property
    def sides(self) -> tuple[Term, Term]:
        return self.left, self.right


@dataclass(frozen=True)
class Compare(_TwoSided):
    """left <= right, left < right, or left = right."""

    left: Term
    relation: str
    right: Term

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.relation not in ("<=", "<", "="):
            raise ValueError(f"relation: {self.relation!r} is none of <= < =")

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"

    def same(self, other: object) -> bool:
        """Whether both have the same relation between sides of the same normal form."""
        if not isinstance(other, Compare):
            return False
        pairs = zip(self.sides, other.sides, strict=True)
        return self.relation == other.relation and all(same(a, b) for a, b in pairs)


@dataclass(frozen=True)
class SameLaw(_TwoSided):
    """Two random variables have one law."""

    left: Term
    right: Term

    def __str__(self) -> str:
        return f"{self.left} has the law of {self.right}"

    def same(self, other: object) -> bool:
        """Whether both speak of the same laws, whatever their coordinates are called."""
        if not isinstance(other, SameLaw):
            return False
        pairs = zip(self.sides, other.sides, strict=True)
        return all(same(at_most_zero(a), at_most_zero(b)) for a, b in pairs)


@dataclass(frozen=True)
class OfDegree(_TwoSided):
    """A random variable, *left*, has the law of a polynomial of total degree at most *right* in finitely
    many independent vectors, each uniform on a unit sphere or standard Gaussian."""

    left: Term
    right: Term

    def __post_init__(self) -> None:
        super().__post_init__()
        if randoms(self.right):
            raise ValueError(f"the degree {self.right} is random")

    def __str__(self) -> str:
        return f"{self.left} is a polynomial of degree at most {self.right}"

    def same(self, other: object) -> bool:
        """Whether both give the same variable the same degree."""
        if not isinstance(other, OfDegree):
            return False
        return all(same(a, b) for a, b in zip(self.sides, other.sides, strict=True))


Statement = Compare | SameLaw | OfDegree


@dataclass(frozen=True)
class Concluded:
    """What a rule concludes, and the theorems that it *uses*; *discharged* are hypotheses of theirs that
    it gets rid of, *added* are its own. *choices*: what was chosen to come to it, of which the statement
    says nothing."""

    statement: Statement
    region: Region
    uses: tuple[Theorem, ...] = ()
    added: tuple[Compare, ...] = ()
    discharged: tuple[Compare, ...] = ()
    cites: tuple[Citation, ...] = ()
    choices: tuple[Term, ...] = ()


class Theorem:
    """A statement that holds on all of a region under its hypotheses. Only rules make one.

    *uses*: the theorems it was made from; *rule*: by which, and with which *choices*; *trust*: the
    citations under it.
    """

    __slots__ = (
        "__weakref__",
        "choices",
        "hypotheses",
        "region",
        "rule",
        "statement",
        "trust",
        "uses",
    )

    statement: Statement
    region: Region
    hypotheses: tuple[Compare, ...]
    rule: str
    uses: tuple[Theorem, ...]
    trust: frozenset[Citation]
    choices: tuple[Term, ...]

    def __init__(self, *_: object, **__: object) -> None:
        raise TypeError("a theorem is made by a rule of proofs.kernel, not by hand")

    def __init_subclass__(cls) -> None:
        raise TypeError("Theorem has no subclasses")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name}: a theorem does not change")

    def __reduce__(self) -> Any:
        raise TypeError(
            "a theorem is not copied into another process; its proof is run again there"
        )

    def __str__(self) -> str:
        where = f"for {self.region}: " if self.region.ranges else ""
        given = f"if {' and '.join(map(str, self.hypotheses))}, " if self.hypotheses else ""
        return f"{where}{given}{self.statement}"

    def __repr__(self) -> str:
        try:
            return f"Theorem({self})"
        except (AttributeError, TypeError):  # one that no rule made
            return "Theorem(of nothing)"

    @property
    def left(self) -> Term:
        return self.statement.left

    @property
    def right(self) -> Term:
        return self.statement.right

    @property
    def legend(self) -> str:
        """What its variables are: of which dimension a coordinate, of which degree a polynomial."""
        said = (
            f"{one.name} {_VARIABLES[one.head].format(one.arguments[0])}"
            for one in sorted(variables(self.left) | variables(self.right), key=str)
        )
        return ", ".join(said)

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


#: What all parts of each theorem said when a rule made it; what is not here, or says something else, is
#: none.
_ISSUED: WeakKeyDictionary[Theorem, object] = WeakKeyDictionary()
_SAID = ("statement", "region", "hypotheses", "rule", "uses", "trust", "choices")
#: Objects that are what their fields are, and look at them when they are made.
_MADE = (Compare, SameLaw, OfDegree, Range, Region, Citation)


def _content(one: Any) -> object:
    """What an object says, in what nobody changes. TypeError, or what its class raises, if it is not as
    it was made."""
    if type(one) is Term:
        return one.content()
    if type(one) in _MADE:
        one.__post_init__()
        return type(one), *map(_content, vars(one).values())
    return tuple(map(_content, one)) if isinstance(one, (tuple, frozenset)) else one


def _issue(*said: object) -> Theorem:
    made = object.__new__(Theorem)
    for name, value in zip(_SAID, said, strict=True):
        object.__setattr__(made, name, value)
    _ISSUED[made] = _content(said)
    return made


def require_theorem(one: object) -> None:
    """TypeError for what no rule made, or what was changed since, be it in a part of a part."""
    issued = _ISSUED.get(one) if type(one) is Theorem else None
    try:
        kept = issued == _content(tuple(getattr(one, name) for name in _SAID))
    except (AttributeError, TypeError, ValueError):  # of what no class would make
        kept = False
    if not kept:
        raise TypeError(f"{one!r} is no theorem: no rule made it, or it was changed")


def _require_intact(given: object) -> None:
    """TypeError for a theorem that is none, or for what was changed since it was made."""
    if type(given) is Theorem:
        require_theorem(given)
    for one in given.values() if isinstance(given, Mapping) else (given,):
        _content(one)


#: The rules by name, for those who want to see or to attack all of them.
RULES: dict[str, Callable[..., Theorem]] = {}
#: Whether there are all rules that there will be.
_sealed = False


def seal() -> None:
    """From here on there are no new rules."""
    global _sealed
    _sealed = True


def rule(function: Callable[P, Concluded]) -> Callable[P, Theorem]:
    """Decorator: the function, of a module of the kernel, is a rule.

    What it concludes must be defined on all of the region, every symbol must have a range there, random
    variables must be told apart, and a hypothesis must not be random. A hypothesis need not be defined
    everywhere: where it is not, it does not hold.
    """
    if _sealed or not function.__module__.startswith(f"{_HOME}."):
        raise TypeError(f"{function.__qualname__}: rules live in {_HOME}, and nowhere else")

    @wraps(function)
    def apply(*args: P.args, **kwargs: P.kwargs) -> Theorem:
        _require_kinds(function, args, kwargs)
        try:
            return _concluded(function.__name__, function(*args, **kwargs))
        except (ValueError, ZeroDivisionError) as error:  # what a term, a region or a rule refuses
            raise Refused(f"{function.__name__}: {error}") from None

    del apply.__wrapped__  # but what help() says of the arguments stays
    shown = signature(function).replace(return_annotation="Theorem")
    apply.__dict__["__signature__"] = shown
    RULES[function.__name__] = apply
    return apply


@cache
def _kinds(function: Callable[..., object]) -> Mapping[str, type | UnionType]:
    """The parameters of a rule that take objects of some kinds, and which."""
    hints = get_type_hints(function)
    return {name: hint for name, hint in hints.items() if isinstance(hint, (type, UnionType))}


def _require_kinds(
    function: Callable[..., object], args: tuple[object, ...], kwargs: Mapping[str, object]
) -> None:
    """TypeError for an argument of another kind than the rule takes."""
    kinds, name = _kinds(function), function.__name__
    found = signature(function)
    try:
        bound = found.bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{name}: {error}; it takes ({', '.join(found.parameters)})") from None
    for called, given in bound.arguments.items():
        several = found.parameters[called].kind is Parameter.VAR_POSITIONAL
        for value in given if several else (given,):
            if called in kinds and not isinstance(value, kinds[called]):
                among = get_args(kinds[called]) or (kinds[called],)
                kind = " or ".join(one.__name__ for one in among)
                remedy = _as_term(value) if Term in among else ""
                raise TypeError(f"{name}: {called}: {value!r} is no {kind}{remedy}")
            _require_intact(value)


def _as_term(given: object) -> str:
    """How to write a number where a term is wanted."""
    exact = type(given) in (int, Fraction)
    return f"; write term({given})" if exact else ""


def _concluded(name: str, found: Concluded) -> Theorem:
    for other in found.uses:
        require_theorem(other)
    hypotheses: list[Compare] = []
    for one in (*found.added, *_left(found)):
        if not any(map(one.same, hypotheses)):
            hypotheses.append(one)
    if type(found.region) is not Region:
        raise TypeError(f"{found.region!r} is no region")
    require_region_defined(found.region)
    known = type(found.statement) in (Compare, SameLaw, OfDegree)
    if not known or any(type(it) is not Compare for it in hypotheses):
        raise TypeError(f"{found.statement!r} is no statement, or no comparison is supposed")
    for statement in (found.statement, *hypotheses):
        for side in statement.sides:
            found.region.require_known(side)
            require_distinct(side, found.region)
    for side in found.statement.sides:
        require_defined(side, found.region)
    for one in hypotheses:
        require(not any(map(randoms, one.sides)), f"the hypothesis {one} is random")
    trust = frozenset(found.cites).union(*(other.trust for other in found.uses))
    uses = tuple(found.uses)
    said = (found.statement, found.region, tuple(hypotheses), name, uses, trust)
    return _issue(*said, tuple(found.choices))


def _left(found: Concluded) -> Iterator[Compare]:
    """The hypotheses of what is used that are not discharged."""
    for other in found.uses:
        for one in other.hypotheses:
            if not any(map(one.same, found.discharged)):
                yield one


# -- what rules demand ----------------------------------------------------------------------------


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


def range_alone(theorem: Theorem, name: str) -> Range:
    """The range of a symbol; Refused if another range or a hypothesis depends on it."""
    own = theorem.region.range(name)
    if own is None:
        raise Refused(f"{name} is no symbol of {theorem}")
    for given in theorem.hypotheses:
        require(name not in free(given.left) | free(given.right), f"{given} is on {name}")
    require_others_free(name, theorem.region)
    return own


def require_others_free(name: str, region: Region) -> None:
    """Refused if another range depends on the symbol."""
    for other in region.ranges:
        ends = [end for end in (other.lower, other.upper) if end is not None]
        require(all(name not in free(end) for end in ends), f"the range {other} depends on {name}")


def _says(fact: Theorem, needed: Term, strict: bool) -> bool:
    """Whether a comparison says that a term is not negative, or above 0 if *strict*."""
    found = comparison(fact, "<=", "<", "=")
    return same(found.right - found.left, needed) and (found.relation == "<" or not strict)
