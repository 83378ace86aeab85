"""The quantities of one attention head that the proofs of Lemmas 1 and 2 speak of (App. C).

Exact side: scores of the key vector, terms omega_{a'z'i} and scores of the value matrix, in the
language of ``proofs.moments``. Measured side: ``numerics.papers.nichani.head_observables``. The two
share nothing but the paper's definition.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from typing import Any

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import ONE, symbols
from proofs.attention import Head, Store, Tokens, score_mean, score_variance
from proofs.derived import Derived
from proofs.moments import (
    Condition,
    Expression,
    Fixed,
    Index,
    OrthogonalSphere,
    Range,
    Sphere,
    dot,
    mean,
    outer,
    sum_over,
)
from proofs.moments.explicit import Instance
from proofs.papers.nichani.denoising import PLACES, KeyVector
from verify.measuring.measure import Experiment, single
from verify.measuring.quantities import Measured, Quantity, Sizes
from verify.statistics import Interval, product

#: Where terms are measured, and keys.
TERM_SIZES: tuple[Sizes, ...] = ({"d": 2}, {"d": 4})
KEY_SIZES: tuple[Sizes, ...] = ({"d": 3, "n": 2}, {"d": 2, "n": 3})
SCORE_SIZES: tuple[Sizes, ...] = (
    {"d": 3, "d_h": 2, "b": 1, "c": 1, "g": 1},
    {"d": 2, "d_h": 3, "b": 0, "c": 1, "g": 2},
)
_TINY_SCORES: tuple[Sizes, ...] = (
    {"d": 2, "d_h": 1, "b": 1, "c": 1, "g": 1},
    {"d": 2, "d_h": 2, "b": 0, "c": 1, "g": 0},
)


def _draw(name: str, **arguments: Any) -> Mapping[str, Any]:
    from numerics.papers.nichani import head_observables

    found: Mapping[str, Any] = getattr(head_observables, name)(**arguments)
    return found


def experiment(name: str, function: str, **fixed: Any) -> Experiment:
    """A function of ``numerics.papers.nichani.head_observables`` with *fixed* arguments."""
    told = {key: value for key, value in fixed.items() if value != ""}
    words = " ".join([name, *(f"{key} {value}" for key, value in told.items())])
    return Experiment(words, partial(_draw, function, **fixed))


d, d_h = symbols("d d_h")


# -- Lemma 1 --------------------------------------------------------------------------------------

_EOS_WEIGHT = {"": Fraction(1, 2), "EOS in full": Fraction(1), "EOS left out": Fraction(0)}


@cache
def _keys(weight: Fraction) -> KeyVector:
    return KeyVector(weight)


def key_quantity(place: str, fault: str = "") -> Quantity:
    """E <v, phi(z)>, of a v built with *fault*, if there is one."""
    it = _keys(_EOS_WEIGHT[fault])

    def enumerate_(sizes: Sizes) -> Fraction:
        eos, other = (token.single_vector().slot for token in (it.eos, it.other))
        ranges = {it.keys: sizes["n"], eos.range: 1, other.range: 1}
        positions: dict[Any, int] = {it.z: 0, eos: 0, other: 0}
        instance = Instance(ranges, positions, {}, {"d": sizes["d"], "n": sizes["n"]})
        return instance.expectation([it.score(place)], sizes["d"]).as_fraction()

    symbol = f"E <v, phi(z)>, {PLACES[place]}"
    return Quantity(
        f"score.{place}",
        symbol,
        lambda: replace(mean(it.score(place), name="score"), scope="d >= 1, n >= 1"),
        {"d": 1, "n": 1},
        enumerate_,
        ({"d": 1, "n": 1}, {"d": 1, "n": 2}, {"d": 2, "n": 2}),
        Measured(experiment("head keys", "key_observables", fault=fault), (place,), KEY_SIZES),
        where=place,
        faulty=partial(key_quantity, place),
    )


# -- Lemma 2: single terms ------------------------------------------------------------------------

SAME, OTHER = "same", "other"
#: The pairs (answer, key) of two terms omega that differ, as positions; 0 is a, or z.
CROSS = {
    "answers": ((0, 0), (1, 0)),
    "other answers": ((1, 1), (2, 1)),
    "keys": ((0, 0), (0, 1)),
    "other keys": ((1, 1), (1, 2)),
    "both": ((0, 0), (1, 1)),
    "both others": ((1, 1), (2, 2)),
}


class Terms:
    """Three answers, three keys, EOS and the w_i: position 0 is a, or z."""

    def __init__(self, fault: str = "") -> None:
        self.answers, self.keys = Range(3, "answers"), Range(3, "keys")
        self.vectors = Range(2, "vectors")
        self.answer = [self.answers.index(name) for name in ("a", "a'", "a''")]
        self.key = [self.keys.index(name) for name in ("z", "z'", "z''")]
        self.i, self.j = self.vectors.index("i"), self.vectors.index("j")
        self.phi, self.psi = Sphere("phi", d), Sphere("psi", d)
        self.eos = Sphere("eos", d)[Range(1, "EOS").index("EOS")]
        self.left = self._vectors("w", fault)
        self.right = self._vectors("w'", fault) if fault == "untied w" else self.left

    def _vectors(self, name: str, fault: str) -> Sphere | OrthogonalSphere:
        if fault == "w on the whole sphere":
            return Sphere(name, d)
        return OrthogonalSphere(name, d, to=self.eos)

    def of_answers(self, a: int) -> Expression:
        """<phi(a), phi(a')>."""
        return dot(self.phi[self.answer[0]], self.phi[self.answer[a]])

    def of_keys(self, z: int) -> Expression:
        """<phi(z), P phi(z')>, P the projection on the complement of phi(EOS)."""
        first, second = self.psi[self.key[0]], self.psi[self.key[z]]
        return dot(first, second) - dot(first, self.eos) * dot(self.eos, second)

    def length(self, z: int) -> Expression:
        """|P phi(z)|^2."""
        return 1 - dot(self.psi[self.key[z]], self.eos) ** 2

    def omega(self, a: int, z: int, i: Index) -> Expression:
        """<phi(a), phi(a')> <phi(z), w_i> <w_i, phi(z')>."""
        first, second = self.psi[self.key[0]], self.psi[self.key[z]]
        return self.of_answers(a) * dot(first, self.left[i]) * dot(self.right[i], second)

    def given(self) -> list[Condition]:
        """Tokens of different positions are different, and i is not j."""
        tokens = (self.answer, self.key)
        apart = [p != q for names in tokens for p, q in itertools.combinations(names, 2)]
        return [*apart, self.i != self.j]

    def positions(self) -> dict[Index, int]:
        """The positions of all indices, for enumeration."""
        listed = {index: k for names in (self.answer, self.key) for k, index in enumerate(names)}
        eos: Any = self.eos.single_vector().slot
        return {**listed, self.i: 0, self.j: 1, eos: 0}


@cache
def _terms(fault: str) -> Terms:
    return Terms(fault)


#: An expression in the terms.
_Build = Callable[[Terms], Expression]


def _mean(build: _Build, fault: str) -> Derived:
    """The exact expectation, for different tokens at different positions."""
    it = _terms(fault)
    expression = build(it)
    free = {slot.source for slot in expression.free_slots()}
    given = [c for c in it.given() if {slot.source for slot in c.slots()} <= free]
    return replace(mean(expression, given, name="X"), scope="d >= 2")


def _term(
    name: str,
    symbol: str,
    build: _Build,
    *,
    names: Mapping[str, RationalFunction] | None = None,
    where: str = "",
    fault: str = "",
) -> Quantity:
    def enumerate_(at: Sizes) -> RationalFunction:
        it = _terms(fault)
        eos: Any = it.eos.single_vector().slot
        ranges = {it.answers: 3, it.keys: 3, it.vectors: 2, eos.range: 1}
        instance = Instance(ranges, it.positions(), {}, {"d": at["d"]})
        return instance.expectation([build(it)], at["d"])

    again = partial(_term, name, symbol, build, names=names, where=where)
    return Quantity(
        name,
        symbol,
        lambda: _mean(build, fault),
        {"d": 2},
        enumerate_,
        () if fault else ({"d": 2},),
        Measured(experiment("head terms", "term_observables", fault=fault), (name,), TERM_SIZES),
        where,
        faulty=lambda fault: again(fault=fault),
        names=names or {},
    )


def _at(kind: str) -> int:
    return int(kind == OTHER)


def _words(answers: str = "", keys: str = "") -> str:
    parts = []
    if answers:
        parts.append("a' = a" if answers == SAME else "a' other than a")
    if keys:
        parts.append("z' = z" if keys == SAME else "z' other than z")
    return ", ".join(parts)


def overlap_quantity(kind: str) -> Quantity:
    """E <phi(a), phi(a')>^2, for a' = a or another; e is 1 if they are one."""
    e = RationalFunction.constant(int(kind == SAME))
    return _term(
        f"overlap.{kind}",
        f"E <phi(a), phi(a')>^2, {_words(kind)}",
        lambda it: it.of_answers(_at(kind)) ** 2,
        names={"e": e},
    )


def projected_quantity(kind: str) -> Quantity:
    """E <phi(z), P phi(z')>^2, for z' = z or another; e is 1 if they are one."""
    e = RationalFunction.constant(int(kind == SAME))
    return _term(
        f"projected.{kind}",
        f"E <phi(z), P phi(z')>^2, {_words('', kind)}",
        lambda it: it.of_keys(_at(kind)) ** 2,
        names={"e": e},
    )


def exact_names(answers: str, keys: str) -> dict[str, RationalFunction]:
    """q = E <phi(a), phi(a')>^2, t = E <phi(z), P phi(z')>^2 and p = E |P phi(z)|^2, exactly."""
    return {
        "q": overlap_quantity(answers).derived.value,
        "t": projected_quantity(keys).derived.value,
        "p": _mean(lambda it: it.length(0), "").value,
    }


def rho_names(answers: str, keys: str) -> dict[str, RationalFunction]:
    """q = rho_aa' and t = rho_zz': one, or 1/d for different tokens."""
    one = ONE
    return {"q": one if answers == SAME else 1 / d, "t": one if keys == SAME else 1 / d}


def product_quantity(
    what: str, answers: str, keys: str, names: Mapping[str, RationalFunction]
) -> Quantity:
    """*what* is "square", E omega_{a'z'i}^2, or "pair", E omega_{a'z'i} omega_{a'z'j} with i != j."""
    at, of = _at(answers), _at(keys)
    symbol = "E omega_i^2" if what == "square" else "E omega_i omega_j"
    return _term(
        f"{what}.{answers}.{keys}",
        f"{symbol}, {_words(answers, keys)}",
        lambda it: it.omega(at, of, it.i) * it.omega(at, of, it.i if what == "square" else it.j),
        names=names,
    )


def products(
    what: str, names: Callable[[str, str], Mapping[str, RationalFunction]]
) -> list[Quantity]:
    """``product_quantity`` for all four kinds of (a', z')."""
    kinds = (SAME, OTHER)
    return [product_quantity(what, a, z, names(a, z)) for a in kinds for z in kinds]


def cross_quantity(case: str, vectors: str) -> Quantity:
    """E omega_{a1 z1 i} omega_{a2 z2 j} for a case of CROSS; *vectors* "same" is i = j."""
    (a1, z1), (a2, z2) = CROSS[case]
    return _term(
        f"cross.{case}.{vectors}",
        f"E omega_1 omega_2, different {case}, {'i = j' if vectors == SAME else 'i != j'}",
        lambda it: it.omega(a1, z1, it.i) * it.omega(a2, z2, it.j if vectors == OTHER else it.i),
    )


def crosses() -> list[Quantity]:
    """All quantities of ``cross_quantity``."""
    return [cross_quantity(case, vectors) for case in CROSS for vectors in (SAME, OTHER)]


def double_quantity(stored: bool) -> Quantity:
    """E of sum_{z', a' in A_z} <phi(a), phi(a')> <phi(z), P phi(z')>: two keys, z among them, and
    two answers, a among them if *stored*."""
    kind, answers = ("stored", (0, 1)) if stored else ("other", (1, 2))

    def build(it: Terms) -> Expression:
        left = it.of_answers(answers[0]) + it.of_answers(answers[1])
        return left * (it.of_keys(0) + it.of_keys(1))

    return _term(
        f"double.{kind}",
        f"E of the double sum, a {'' if stored else 'not '}in A_z",
        build,
        where=kind,
    )


# -- Lemma 2: the fourth moment of w --------------------------------------------------------------

_SLANT = Fraction(3, 5)


def fourth_quantity(what: str) -> Quantity:
    """An entry of E w^(x)4 over that of Sym(P^(x)2): "plain" along one direction orthogonal to EOS,
    "slanted" along x with <x, phi(EOS)> = 3/5, "mixed" along two directions."""
    at = Range(3 if what == "mixed" else 2, "directions")
    e, x, y = (at.index(name) for name in ("e", "x", "y"))
    fixed = Fixed("f", d, overlap=_SLANT if what == "slanted" else 0)
    w = OrthogonalSphere("w", d, to=fixed[e])[Range(1, "w").index("i")]
    expression = {
        "plain": dot(w, fixed[x]) ** 4,
        "slanted": dot(w, fixed[x]) ** 4 / (1 - _SLANT**2) ** 2,
        "mixed": 3 * dot(w, fixed[x]) ** 2 * dot(w, fixed[y]) ** 2,
    }[what]
    symbol = {
        "plain": "E <w, x>^4, x orthogonal to EOS",
        "slanted": "E <w, x>^4/|P x|^4, <x, phi(EOS)> = 3/5",
        "mixed": "3 E <w, x>^2 <w, y>^2, x, y and phi(EOS) orthonormal",
    }[what]
    least = 3 if what == "mixed" else 2

    def exact() -> Derived:
        given = [e != x, *([x != y, e != y] if what == "mixed" else [])]
        return replace(mean(expression, given, name="X"), scope=f"d >= {least}")

    def enumerate_(sizes: Sizes) -> RationalFunction:
        slot: Any = w.single_vector().slot
        coordinates = [(1, 0), (Fraction(3, 5), Fraction(4, 5)) if what == "slanted" else (0, 1)]
        instance = Instance(
            {at: 2, slot.range: 1},
            {e: 0, x: 1, slot: 0},
            {},
            {"d": sizes["d"]},
            fixed={fixed: coordinates},
        )
        return instance.expectation([expression], sizes["d"])

    return Quantity(
        f"fourth.{what}",
        symbol,
        exact,
        {"d": least},
        enumerate_,
        () if what == "mixed" else ({"d": 2},),
        Measured(
            experiment("head fourth moments", "fourth_moments"), (what,), ({"d": 3}, {"d": 5})
        ),
    )


# -- Lemma 2: scores ------------------------------------------------------------------------------


def store(stored: bool) -> Store:
    """b answers of z besides a, c other keys that hold a, g other pairs of other keys."""
    b, c, g = symbols("b c g")
    s = int(stored)
    return Store(answers=s + b, facts=s + b + c + g, holders=s + c, stored=stored)


def _score(fault: str, stored: bool) -> tuple[Expression, list[Condition]]:
    """The score of a head built with a fault."""
    tokens = Tokens(d)
    head = Head(tokens, d_h)
    if fault:
        whole = fault == "w on the whole sphere"
        w = Sphere("w", d) if whole else OrthogonalSphere("w", d, to=tokens.eos)
        other = OrthogonalSphere("w'", d, to=tokens.eos) if fault == "untied w" else w
        z, a, i = head.keys.index("z'"), tokens.answers.index("a'"), Range(d_h).index("i")
        memory = sum_over((z, a), outer(tokens.phi[a], head.phi[z]), where=head.stores(z, a))
        scale = (1 if fault == "scale without d" else d) / d_h
        head.weight = memory @ sum_over(i, outer(w[i], other[i])) * scale
    return head.reading(tokens.phi[tokens.a]), head.given(store(stored), tokens.a)


def _moment(order: int, stored: bool, fault: str) -> Derived:
    """E gamma or E gamma^2: by ``proofs.attention``, or from the definition with the fault."""
    scope = "d >= 2, d_h >= 1, any sets of answers"
    if fault:
        score, given = _score(fault, stored)
        return replace(mean(score**order, given, name="X"), scope=scope)
    first = score_mean(d, d_h, store(stored))
    if order == 1:
        return replace(first, scope=scope)
    second = score_variance(d, d_h, store(stored))
    return replace(second, value=second.value + first.value**2, scope=scope)


def _enumerated(order: int, stored: bool, sizes: Sizes) -> Fraction:
    tokens = Tokens(sizes["d"])
    head = Head(tokens, sizes["d_h"])
    b, c, g = (sizes[name] for name in "bcg")
    score = head.reading(tokens.phi[tokens.a])
    vectors = next(
        index.range
        for term in score.terms
        for index in term.bound
        if "keys" not in index.range.name and index.range != tokens.answers
    )
    eos: Any = tokens.eos.single_vector().slot
    pairs = {(0, 0)} if stored else set()
    pairs |= {(0, 1 + k) for k in range(b)} | {(1 + k, 0) for k in range(c)}
    pairs |= {(1 + c, 1 + b + k) for k in range(g)}
    instance = Instance(
        {head.keys: c + 2, tokens.answers: 1 + b + g, eos.range: 1, vectors: sizes["d_h"]},
        {head.z: 0, tokens.a: 0, eos: 0},
        {},
        dict(sizes),
        {head.stores: pairs},
    )
    return instance.expectation([score] * order, sizes["d"]).as_fraction()


def squared(interval: Interval) -> Interval:
    """The square of a quantity that is not negative by its nature."""
    return product(interval, interval)


def score_quantity(what: str, stored: bool, fault: str = "") -> Quantity:
    """*what* is "mean", E gamma; "second", E gamma^2; "less", E gamma^2 - Var(gamma) = (E gamma)^2.

    s is 1(a in A_z), A is |A_z| and F is the number of pairs of all other keys.
    """
    s = RationalFunction.constant(int(stored))
    b, c, g = symbols("b c g")
    order = 2 if what == "second" else 1

    def exact() -> Derived:
        found = _moment(order, stored, fault)
        return replace(found, value=found.value**2) if what == "less" else found

    def enumerate_(at: Sizes) -> Fraction:
        return _enumerated(order, stored, at) ** (2 if what == "less" else 1)

    symbol = {"mean": "E gamma", "second": "E gamma^2", "less": "E gamma^2 - Var(gamma)"}[what]
    place = "stored" if stored else "other"
    return Quantity(
        f"{what}.{place}",
        f"{symbol}, a {'' if stored else 'not '}in A_z",
        exact,
        {"d": 2, "d_h": 1, "b": 0, "c": 0, "g": 0},
        enumerate_,
        () if fault else _TINY_SCORES,
        Measured(
            experiment("head scores", "score_observables", stored=stored, fault=fault),
            ("mean" if what == "less" else what,),
            SCORE_SIZES,
            squared if what == "less" else single,
        ),
        where=place,
        faulty=lambda fault: score_quantity(what, stored, fault),
        names={"s": s, "A": s + b, "F": c + g},
    )
