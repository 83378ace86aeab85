"""The two-input MLP memory of a fact table a = a*(s, r) (Nichani et al., App. C.2, Lemma 3).

F(z) = sum_i v_i sigma(<w_i, z>) is read at z = P phi(s) + Q phi(r), P and Q projections on orthogonal
subspaces, with v_i = (1/m) sum_{s,r} <He_{p+k}(w_i), (P phi(s))^p x (Q phi(r))^k> phi(a*(s, r)).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from proofs.algebra import RationalFunction
from proofs.memories.mlp import Activation, activation
from proofs.moments import (
    Condition,
    Expression,
    Gaussian,
    Index,
    Range,
    Relation,
    Sphere,
    Splitting,
    count,
    dot,
    fails,
    hermite_sum,
    holds,
    sum_over,
    wick_power,
)

#: Where the competing answer lives: it answers r for other subjects, or it answers other relations.
Rival = Literal["same relation", "other relation"]


@dataclass(frozen=True, eq=False)
class Definition:
    """The memory and its margin in symbols d, half, S, R, A, m; a = a*(s, r), b another answer."""

    facts: Relation
    subjects: Range
    relations: Range
    answers: Range
    s: Index
    r: Index
    a: Index
    b: Index
    margin: Expression

    def given(
        self, collisions: Any, rival_collisions: Any, rival: Rival, asked: Any
    ) -> list[Condition]:
        """Answer sets of different relations are disjoint; *asked*: relations in which s has b."""
        s2, r2, F = self.subjects.index("s'"), self.relations.index("r'"), self.facts
        s, r, a, b = self.s, self.r, self.a, self.b
        same = rival == "same relation"
        return [
            a != b,
            holds(F(s, r, a)),
            fails(F(s, r, b)),
            count(F(s2, r2, a), collisions, over=(s2, r2)),
            count(F(s2, r, a), collisions, over=s2),
            count(F(s, r2, a), 1, over=r2),
            count(F(s2, r2, b), rival_collisions, over=(s2, r2)),
            count(F(s2, r, b), rival_collisions if same else 0, over=s2),
            count(F(s, r2, b), 0 if same else asked, over=r2),
        ]


@lru_cache(maxsize=16)
def _definition(p: int, k: int, sigma: tuple[RationalFunction, ...]) -> Definition:
    d, half, S, R, A, m = map(RationalFunction.symbol, ("d", "half", "S", "R", "A", "m"))
    subjects, relations, answers = Range(S, "[S]"), Range(R, "[R]"), Range(A, "answers")
    facts = Relation("a*", subjects, relations, answers, functional=True)
    s, r, a, b = subjects.index("s"), relations.index("r"), answers.index("a"), answers.index("b")
    phi_s, phi_r, phi_a = Sphere("phi_s", d), Sphere("phi_r", d), Sphere("phi_a", d)
    w, i = Gaussian("w", d), Range(m, "[m]").index("i")
    parts = Splitting(d, P=half, Q=half)
    P, Q = parts["P"], parts["Q"]
    s1, r1, a1 = subjects.index("s1"), relations.index("r1"), answers.index("a1")
    # P and Q are orthogonal, so the tensor contraction is a product of two Wick powers.
    feature = wick_power(w[i], P @ phi_s[s1], p) * wick_power(w[i], Q @ phi_r[r1], k)
    reading = dot(phi_a[a1], phi_a[a] - phi_a[b])
    neuron = hermite_sum(sigma, dot(w[i], P @ phi_s[s] + Q @ phi_r[r]))
    stored = sum_over((s1, r1, a1), feature * reading, where=facts(s1, r1, a1))
    margin = sum_over(i, neuron * stored) / m
    return Definition(facts, subjects, relations, answers, s, r, a, b, margin)


def definition(p: int, k: int, sigma: Activation) -> Definition:
    """The memory with Hermite features of degrees *p* (subject) and *k* (relation), and its margin
    gamma_sra = <phi(a*(s, r)) - phi(b), F(P phi(s) + Q phi(r))>.

    *sigma*: Hermite coefficients c_0, ..., c_q of the activation, or its degree q for symbols.
    Raises ValueError for degrees below 1.
    """
    for name, degree in (("p", p), ("k", k)):
        if isinstance(degree, bool) or not isinstance(degree, int) or degree < 1:
            raise ValueError(f"{name}: {degree!r} is no degree of a feature; take an integer >= 1")
    return _definition(p, k, activation(sigma))
