"""The two-input MLP memory of a fact table a = a*(s, r) (Nichani et al., App. C.2, Lemma 3).

F(z) = sum_i v_i sigma(<w_i, z>) is read at z = P phi(s) + Q phi(r), P and Q projections on orthogonal
subspaces, with v_i = (1/m) sum_{s,r} <He_{p+k}(w_i), (P phi(s))^p x (Q phi(r))^k> phi(a*(s, r)).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import caller_symbols
from proofs.derived import Derived
from proofs.memories.mlp import Activation, activation
from proofs.memories.setting import check_order, check_sizes
from proofs.moments import (
    Condition,
    Gaussian,
    Range,
    Relation,
    Sphere,
    Splitting,
    central_moment,
    count,
    dot,
    fails,
    hermite_sum,
    holds,
    mean,
    sum_over,
    wick_power,
)

_MARGIN = (
    "gamma = (1/m) sum_i sigma(<w_i, P s + Q r>) sum_(s', r') :<w_i, P s'>^p: :<w_i, Q r'>^k: "
    "<a*(s', r'), a - b>"
)


@dataclass(frozen=True)
class Shape:
    """The sizes of the memory, numbers or symbols, and its degrees.

    *d*: dimension; *half*: that of P and of Q, by default (d - 1)/2, d odd. *S*, *R*: numbers of
    subjects and relations; *m*: width. *p*, *k*: degrees of the features of subject and relation.
    *sigma*: Hermite coefficients c_0, ..., c_q of the activation, or its degree q for symbols.
    """

    d: Any
    S: Any
    R: Any
    m: Any
    p: int
    k: int
    sigma: Activation
    half: Any = None

    def __post_init__(self) -> None:
        for name, degree in (("p", self.p), ("k", self.k)):
            if isinstance(degree, bool) or not isinstance(degree, int) or degree < 1:
                raise ValueError(f"{name}: {degree!r} is no degree of a feature; take an int >= 1")


@dataclass(frozen=True)
class Table:
    """What is known of the answers a = a*(s, r) and b; those of different relations are disjoint.

    *collisions*, *rival_collisions*: the numbers of facts with the answers a, and b. *rival*: whether
    b answers the "same relation" r, for other subjects, or an "other relation", there for s too if
    *rival_answers_subject*.
    """

    collisions: Any = 1
    rival_collisions: Any = 1
    rival: Literal["same relation", "other relation"] = "other relation"
    rival_answers_subject: bool = False

    def __post_init__(self) -> None:
        if self.rival not in ("same relation", "other relation"):
            raise ValueError(
                f"rival: {self.rival!r} is not known; take 'same relation' or 'other relation'"
            )
        if self.rival == "same relation" and self.rival_answers_subject:
            raise ValueError(
                "rival_answers_subject: s has the answer a, not b, in the relation r, and the "
                "answers of different relations are disjoint; pass rival='other relation'"
            )


_TABLE = Table()


class Definition:
    """The memory and its margin gamma_sra = <phi(a) - phi(b), F(P phi(s) + Q phi(r))>, a = a*(s, r)."""

    def __init__(self, shape: Shape) -> None:
        d, m = shape.d, shape.m
        check_sizes({"m": RationalFunction.of(m, "m")}, {"m": 1})
        half = (RationalFunction.of(d, "d") - 1) / 2 if shape.half is None else shape.half
        self.subjects, self.relations = Range(shape.S, "subjects"), Range(shape.R, "relations")
        self.answers = Range(RationalFunction.symbol("answers"), "answers")
        self.facts = Relation("a*", self.subjects, self.relations, self.answers, functional=True)
        self.s, self.r = self.subjects.index("s"), self.relations.index("r")
        self.a, self.b = self.answers.index("a"), self.answers.index("b")
        subject, relation, answer = (Sphere(f"phi_{name}", d) for name in "sra")
        w, i = Gaussian("w", d), Range(m, "neurons").index("i")
        parts = Splitting(d, P=half, Q=half)
        P, Q = parts["P"], parts["Q"]
        s, r = self.subjects.index("s'"), self.relations.index("r'")
        a = self.answers.index("a'")
        # P and Q are orthogonal, so the tensor contraction is a product of two Wick powers.
        feature = wick_power(w[i], P @ subject[s], shape.p)
        feature *= wick_power(w[i], Q @ relation[r], shape.k)
        stored = feature * dot(answer[a], answer[self.a] - answer[self.b])
        query = P @ subject[self.s] + Q @ relation[self.r]
        neuron = hermite_sum(activation(shape.sigma), dot(w[i], query))
        memory = sum_over((s, r, a), stored, where=self.facts(s, r, a))
        self.margin = sum_over(i, neuron * memory) / m

    def given(self, table: Table) -> list[Condition]:
        """The *table* as conditions."""
        self._check(table)
        s2, r2, F = self.subjects.index("s'"), self.relations.index("r'"), self.facts
        s, r, a, b = self.s, self.r, self.a, self.b
        same = table.rival == "same relation"
        return [
            a != b,
            holds(F(s, r, a)),
            fails(F(s, r, b)),
            count(F(s2, r2, a), table.collisions, over=(s2, r2)),
            count(F(s2, r, a), table.collisions, over=s2),
            count(F(s, r2, a), 1, over=r2),
            count(F(s2, r2, b), table.rival_collisions, over=(s2, r2)),
            count(F(s2, r, b), table.rival_collisions if same else 0, over=s2),
            count(F(s, r2, b), int(table.rival_answers_subject), over=r2),
        ]

    def _check(self, table: Table) -> None:
        """ValueError where numbers leave no room for the facts of the table."""
        S, R = self.subjects.size, self.relations.size
        rivals = RationalFunction.of(table.rival_collisions, "rival_collisions")
        if table.rival == "same relation":
            left = S - rivals - RationalFunction.of(table.collisions, "collisions")
        else:
            left = S - rivals
            if R == 1 and rivals != 0:
                raise ValueError(
                    f"rival_collisions: {rivals} in other relations, of which R=1 has none"
                )
        if S != 0 and not left.names and left.as_fraction() < 0:
            raise ValueError(
                f"rival_collisions: {rivals} facts beside collisions={table.collisions} are too many "
                f"for S={S} subjects"
            )


def margin_mean(shape: Shape, table: Table = _TABLE) -> Derived:
    """E[gamma_sra].

    Raises ValueError for sizes outside the scope or contradictory arguments, ExactnessError for
    floats. Source: Nichani et al., App. C.2, proof of Lemma 3.
    """
    it = Definition(shape)
    return _named(mean(it.margin, it.given(table), name="gamma", text=_MARGIN), shape)


def margin_variance(shape: Shape, table: Table = _TABLE) -> Derived:
    """Var(gamma_sra). Arguments and errors as in ``margin_mean``."""
    return margin_central_moment(2, shape, table)


def margin_central_moment(order: int, shape: Shape, table: Table = _TABLE) -> Derived:
    """E[(gamma_sra - E gamma_sra)^order], order 1 or 2. Otherwise as ``margin_mean``.

    Higher orders, and even p or k, depend on how facts meet in the table: hand a ``Definition`` and
    further counts to ``proofs.moments.central_moment``, which asks for those it needs.
    """
    check_order(order)
    it = Definition(shape)
    given = it.given(table)
    return _named(central_moment(order, it.margin, given, name="gamma", text=_MARGIN), shape)


def _named(derived: Derived, shape: Shape) -> Derived:
    """The result in the symbols of the caller, those of half and sigma included."""
    sigma = () if isinstance(shape.sigma, int) else shape.sigma
    return replace(derived, symbols={**derived.symbols, **caller_symbols(shape.half, *sigma)})
