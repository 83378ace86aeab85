"""The two-input MLP memory of a fact table a = a*(s, r) (Nichani et al., App. C.2, Lemma 3).

F(z) = sum_i v_i sigma(<w_i, z>) is read at z = P phi(s) + Q phi(r), P and Q projections on orthogonal
subspaces, with v_i = (1/m) sum_{s,r} <He_{p+k}(w_i), (P phi(s))^p x (Q phi(r))^k> phi(a*(s, r)).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from proofs.algebra import RationalFunction
from proofs.derived import Bound, Derived, caller_symbols
from proofs.memories.mlp import Activation, activation
from proofs.memories.setting import at_sizes, check_sizes
from proofs.moments import (
    Condition,
    Expression,
    Gaussian,
    Index,
    Range,
    RawMoment,
    Relation,
    Sphere,
    Splitting,
    count,
    dot,
    fails,
    hermite_sum,
    holds,
    raw_moments,
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
        self,
        collisions: Any,
        rival_collisions: Any,
        rival: Rival = "other relation",
        rival_answers_subject: bool = False,
    ) -> list[Condition]:
        """What is known of a and b; the answers of different relations are disjoint.

        *collisions*, *rival_collisions*: C(a) and C(b), the numbers of facts with these answers.
        *rival*: whether b answers "same relation" r, for other subjects, or "other relation";
        *rival_answers_subject*: whether s has the answer b in some other relation.
        """
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
            count(F(s, r2, b), int(rival_answers_subject), over=r2),
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


@lru_cache(maxsize=16)
def _raw(
    memory: Definition, order: int, rival: Rival, answers: bool, counts: tuple[Condition, ...]
) -> tuple[RawMoment, ...]:
    C, C_rival = RationalFunction.symbol("C"), RationalFunction.symbol("C_rival")
    given = [*memory.given(C, C_rival, rival, answers), *counts]
    return tuple(raw_moments([memory.margin] * order, given))


def margin_mean(
    d: Any,
    S: Any,
    R: Any,
    m: Any,
    *,
    p: int,
    k: int,
    sigma: Activation,
    half: Any = None,
    collisions: Any = 1,
    rival_collisions: Any = 1,
    rival: Rival = "other relation",
    rival_answers_subject: bool = False,
) -> Derived:
    """E[gamma_sra].

    *d*: dimension; *half*: the dimension of P and of Q, by default (d - 1)/2, d odd. *S*, *R*: numbers
    of subjects and relations, *m*: width; symbols or numbers. *p*, *k*, *sigma*: as for
    ``definition``. *collisions*, *rival_collisions*: how many facts have the answer a*(s, r), and
    the competing answer b. *rival*: whether b answers the "same relation" r, for other subjects, or
    an "other relation", there for s too if *rival_answers_subject*.

    Raises ValueError for sizes outside the scope or contradictory arguments, ExactnessError for
    floats. Source: Nichani et al., App. C.2, proof of Lemma 3.
    """
    table = Table(collisions, rival_collisions, rival, rival_answers_subject)
    return _moment(1, definition(p, k, sigma), (d, S, R, m, half), table, central=False)


def margin_variance(
    d: Any,
    S: Any,
    R: Any,
    m: Any,
    *,
    p: int,
    k: int,
    sigma: Activation,
    half: Any = None,
    collisions: Any = 1,
    rival_collisions: Any = 1,
    rival: Rival = "other relation",
    rival_answers_subject: bool = False,
) -> Derived:
    """Var(gamma_sra). Arguments and errors as in ``margin_mean``."""
    table = Table(collisions, rival_collisions, rival, rival_answers_subject)
    return _moment(2, definition(p, k, sigma), (d, S, R, m, half), table, central=True)


def margin_central_moment(
    order: int,
    d: Any,
    S: Any,
    R: Any,
    m: Any,
    *,
    p: int,
    k: int,
    sigma: Activation,
    half: Any = None,
    collisions: Any = 1,
    rival_collisions: Any = 1,
    rival: Rival = "other relation",
    rival_answers_subject: bool = False,
    counts: Iterable[Condition] = (),
) -> Derived:
    """E[(gamma_sra - E gamma_sra)^order], order from 1 to 4. Otherwise as ``margin_mean``.

    From order 3 on the moment depends on how facts meet in the table; the error says which *counts*
    are wanted, conditions over the indices of ``definition(p, k, sigma)``.
    """
    if isinstance(order, bool) or not isinstance(order, int) or not 1 <= order <= 4:
        raise ValueError(
            f"order: {order!r} is out of range; central moments have order 1 to 4 here"
        )
    table = Table(collisions, rival_collisions, rival, rival_answers_subject, tuple(counts))
    return _moment(order, definition(p, k, sigma), (d, S, R, m, half), table, central=True)


@dataclass(frozen=True)
class Table:
    """What a moment needs to know of the fact table beside its sizes."""

    collisions: Any
    rival_collisions: Any
    rival: Rival
    rival_answers_subject: bool
    counts: tuple[Condition, ...] = ()

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


def _moment(
    order: int, memory: Definition, sizes: tuple[Any, ...], table: Table, *, central: bool
) -> Derived:
    d, S, R, m, half = sizes
    if half is None:
        half = (RationalFunction.of(d) - 1) / 2
    given = {"d": d, "half": half, "S": S, "R": R, "m": m}
    given |= {"C": table.collisions, "C_rival": table.rival_collisions}
    exact = {name: RationalFunction.of(value) for name, value in given.items()}
    least = {"d": 1, "half": 0, "S": 1, "R": 1, "m": 1, "C": 1}
    least["C_rival"] = int(table.rival_answers_subject)
    check_sizes(exact, least)
    domain = [Bound(exact[name], low) for name, low in least.items()]
    domain.append(Bound(exact["d"] - 2 * exact["half"], 0))
    if not domain[-1].size.names and domain[-1].size.as_fraction() < 0:
        raise ValueError(f"half: two subspaces of dimension {half} do not fit into R^{d}; lower it")
    raw = _raw(memory, order, table.rival, table.rival_answers_subject, table.counts)
    text = (
        "gamma = (1/m) sum_i sigma(<w_i, P s + Q r>) sum_facts :<w_i, P s'>^p: :<w_i, Q r'>^k: "
        "<a', a - b>"
    )
    scope = (
        f"{Bound.text(domain)}; embeddings uniform on the unit sphere; b != a answers the "
        f"{table.rival}; answers of different relations are disjoint"
    )
    symbols = caller_symbols(*(v for v in (*sizes, *given.values()) if v is not None))
    return at_sizes(
        raw, exact, text=text, scope=scope, domain=domain, symbols=symbols, central=central
    )
