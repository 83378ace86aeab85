"""Attention heads as memories: the value matrix of a head and the attention-only construction.

Serves Nichani et al., App. C.1 (Lemma 2, Theorem 10). A head holds keys z, each with a set of answers
A_z; its output-value matrix is W = (d/d_h) sum_{z, a in A_z} phi(a) phi(z)^T sum_{i<=d_h} w_i w_i^T, the
w_i uniform on the unit sphere orthogonal to phi(EOS). Keys and answers are different tokens.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from proofs.algebra import RationalFunction
from proofs.derived import Derived
from proofs.memories.setting import check_order, check_sizes
from proofs.moments import (
    Condition,
    Expression,
    Index,
    OrthogonalSphere,
    Range,
    Relation,
    Sphere,
    central_moment,
    count,
    covariance,
    dot,
    fails,
    holds,
    mean,
    outer,
    sum_over,
    variance,
)

#: Which token is scored: an answer (or any token that is no key), the attended key, another key, EOS.
Token = Literal["answer", "self", "key", "eos"]

_SCORE = "gamma = phi(a)^T W phi(z), W = (d/d_h) sum_(z', a') phi(a') phi(z')^T sum_i w_i w_i^T"
_MARGIN = (
    "gamma = <phi(a) - phi(b), W_s phi(s) + W_r phi(r)>, W_s and W_r the heads that hold s and r"
)


@dataclass(frozen=True)
class Store:
    """What a head stores: |A_z| of the attended key z, all pairs (z', a'), and who holds what.

    *holders*, *rival_holders*, *shared*: the numbers of keys, z among them, whose sets contain a, b,
    and both; the attended key holds b if *rival_stored*. Numbers or symbols.
    """

    answers: Any
    facts: Any
    holders: Any = 1
    rival_holders: Any = 0
    shared: Any = 0
    stored: bool = True
    rival_stored: bool = False


class Head:
    """One head: its keys, the attended key z among them, the relation a in A_z, and W."""

    def __init__(self, tokens: Tokens, d_h: Any, key: str = "z", suffix: str = "") -> None:
        check_sizes({"d_h": RationalFunction.of(d_h, "d_h")}, {"d_h": 1})
        self.keys = Range(RationalFunction.symbol(f"keys{suffix}"), f"keys{suffix}")
        self.stores = Relation(f"A{suffix}", self.keys, tokens.answers)
        self.phi = Sphere(f"phi_{key}", tokens.d)
        self.z, self.other = self.keys.index(key), self.keys.index(f"{key}_2")
        w = OrthogonalSphere(f"w{suffix}", tokens.d, to=tokens.eos)
        z, a, i = self.keys.index("z'"), tokens.answers.index("a'"), Range(d_h).index("i")
        memory = sum_over((z, a), outer(tokens.phi[a], self.phi[z]), where=self.stores(z, a))
        scale = RationalFunction.of(tokens.d, "d") / RationalFunction.of(d_h, "d_h")
        self.weight = memory @ sum_over(i, outer(w[i], w[i])) * scale

    def reading(self, token: Expression) -> Expression:
        """phi(token)^T W phi(z)."""
        return dot(token, self.weight @ self.phi[self.z])

    def given(self, store: Store, a: Index, b: Index | None = None) -> list[Condition]:
        """The counts of *store* as conditions, for the tokens that are scored."""
        of, k, i = self.stores, self.keys.index("k"), a.range.index("i")
        known: list[Condition] = [
            count(of(self.z, i), store.answers, over=i),
            count(of(k, i), store.facts, over=(k, i)),
            count(of(k, a), store.holders, over=k),
            (holds if store.stored else fails)(of(self.z, a)),
        ]
        if b is not None:
            known += [
                count(of(k, b), store.rival_holders, over=k),
                count([of(k, a), of(k, b)], store.shared, over=k),
                (holds if store.rival_stored else fails)(of(self.z, b)),
            ]
        return known


class Tokens:
    """The answers a, b and the end-of-sequence token, with their embeddings."""

    def __init__(self, d: Any) -> None:
        self.d = d
        self.answers = Range(RationalFunction.symbol("tokens"), "answers")
        self.phi = Sphere("phi", d)
        self.a, self.b = self.answers.index("a"), self.answers.index("b")
        self.eos = Sphere("eos", d)[Range(1, "EOS").index("EOS")]


# -- scores of one head: Lemma 2 ------------------------------------------------------------------


def score_mean(d: Any, d_h: Any, store: Store, *, token: Token = "answer") -> Derived:
    """E[phi(a)^T W phi(z)].

    *d*, *d_h*: embedding and head dimension, symbols or numbers; d >= 2. *store*: what the head
    stores. *token*: what a is: an "answer" (or any token that is no key), the key z it"self", another
    "key", or "eos".

    Raises ValueError for sizes or counts that contradict each other, ExactnessError for floats.
    Source: Nichani et al., App. C.1, proof of Lemma 2.
    """
    score, given = scored(d, d_h, store, token)
    return mean(score, given, name="gamma", text=_SCORE)


def score_variance(d: Any, d_h: Any, store: Store, *, token: Token = "answer") -> Derived:
    """Var(phi(a)^T W phi(z)). Arguments and errors as in ``score_mean``."""
    score, given = scored(d, d_h, store, token)
    return variance(score, given, name="gamma", text=_SCORE)


def score_covariance(d: Any, d_h: Any, store: Store) -> Derived:
    """Cov(phi(a)^T W phi(z), phi(b)^T W phi(z)), a and b two answers. Otherwise as ``score_mean``."""
    tokens = Tokens(d)
    head = Head(tokens, d_h)
    given = [tokens.a != tokens.b, *head.given(store, tokens.a, tokens.b)]
    first, second = (head.reading(tokens.phi[token]) for token in (tokens.a, tokens.b))
    return covariance(first, second, given, names=("gamma_a", "gamma_b"))


def scored(d: Any, d_h: Any, store: Store, token: Token) -> tuple[Expression, list[Condition]]:
    """The score of a token, and what the head stores. Arguments and errors as in ``score_mean``."""
    tokens = Tokens(d)
    head = Head(tokens, d_h)
    if token == "answer":
        return head.reading(tokens.phi[tokens.a]), head.given(store, tokens.a)
    i, k = tokens.answers.index("i"), head.keys.index("k")
    sizes: list[Condition] = [
        count(head.stores(head.z, i), store.answers, over=i),
        count(head.stores(k, i), store.facts, over=(k, i)),
    ]
    if token == "self":
        return head.reading(head.phi[head.z]), sizes
    if token == "key":
        own = count(head.stores(head.other, i), store.holders, over=i)
        return head.reading(head.phi[head.other]), [head.other != head.z, own, *sizes]
    if token == "eos":
        return head.reading(tokens.eos), sizes
    raise ValueError(f"token: {token!r} is not known; take 'answer', 'self', 'key' or 'eos'")


# -- the attention-only construction: Theorem 10 --------------------------------------------------


class Definition:
    """The margin of the construction, its tokens, and the heads that hold s and r.

    gamma = <phi(a) - phi(b), W_s phi(s) + W_r phi(r)>, a = a*(s, r), each head attending to its own
    key and all other heads to EOS, which every W maps to zero.
    """

    def __init__(self, d: Any, d_h: Any) -> None:
        self.tokens = Tokens(d)
        self.subject = Head(self.tokens, d_h, "s", "_s")
        self.relation = Head(self.tokens, d_h, "r", "_r")
        contrast = self.tokens.phi[self.tokens.a] - self.tokens.phi[self.tokens.b]
        self.margin = self.subject.reading(contrast) + self.relation.reading(contrast)

    def given(self, subject: Store, relation: Store) -> list[Condition]:
        """What the heads store. A_s and A_r have no answer in common but a*(s, r), since the answers
        of different relations are disjoint."""
        a, b, i = self.tokens.a, self.tokens.b, self.tokens.answers.index("i")
        s, r = self.subject, self.relation
        if subject.rival_stored and relation.rival_stored:
            raise ValueError("rival_stored: A_s and A_r have only a in common; b is not in both")
        common = count([s.stores(s.z, i), r.stores(r.z, i)], 1, over=i)
        return [a != b, *s.given(subject, a, b), *r.given(relation, a, b), common]


def margin_mean(d: Any, d_h: Any, subject: Store, relation: Store) -> Derived:
    """E[gamma], the logit of a*(s, r) less that of another answer b (or a token that is no key).

    *d*, *d_h*: embedding and head dimension, symbols or numbers; d >= 2. *subject*, *relation*: what
    the heads that hold s and r store.

    Raises ValueError for sizes or counts that contradict each other, ExactnessError for floats.
    Source: Nichani et al., App. C.1, proof of Theorem 10.
    """
    it = Definition(d, d_h)
    return mean(it.margin, it.given(subject, relation), name="gamma", text=_MARGIN)


def margin_variance(d: Any, d_h: Any, subject: Store, relation: Store) -> Derived:
    """Var(gamma). Arguments and errors as in ``margin_mean``."""
    return margin_central_moment(2, d, d_h, subject, relation)


def margin_central_moment(order: int, d: Any, d_h: Any, subject: Store, relation: Store) -> Derived:
    """E[(gamma - E gamma)^order], order 1 or 2. Otherwise as ``margin_mean``.

    Higher orders depend on more than a Store says: hand a ``Definition`` and further counts to
    ``proofs.moments.central_moment``, which asks for those it needs.
    """
    check_order(order)
    it = Definition(d, d_h)
    given = it.given(subject, relation)
    return central_moment(order, it.margin, given, name="gamma", text=_MARGIN)
