"""Cases of the rules that read the definition of a head of attention, and of heads defined otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any
from unittest.mock import patch

from proofs.attention import Head, Tokens
from proofs.kernel import scores
from proofs.kernel.cases import Conclusions, Refusals, told
from proofs.kernel.normal import normal
from proofs.kernel.regions import Region, whole
from proofs.kernel.scores import score, score_degree, score_mean
from proofs.kernel.terms import symbols
from proofs.kernel.theorem import Theorem
from proofs.moments import (
    Expression,
    Fixed,
    Gaussian,
    OrthogonalSphere,
    Range,
    Sphere,
    Splitting,
    dot,
)

d, d_h = symbols("d d_h")
KINDS: tuple[Any, ...] = ("stored", "answer", "self", "key", "eos")
ROOM = normal(d)
AXIS = Fixed("c", ROOM)[Range(1, "axis").index("i")]
OTHER = Sphere("other", ROOM)[Range(1, "one").index("one")]
ANOTHER = Sphere("another", ROOM)[Range(1, "one").index("one")]

#: What makes a score of the vectors of a head.
Make = Callable[[Tokens, Head], Any]


def defined(make: Make, rule: Callable[[Any], Theorem], kind: Any = "answer") -> Theorem:
    """What a rule concludes of a head with other scores."""

    def scored(d: Any, d_h: Any, store: object, token: object) -> tuple[Any, list[Any]]:
        tokens = Tokens(d)
        return make(tokens, Head(tokens, d_h)), []

    with patch.object(scores, "scored", scored):
        return rule(kind)


def where(*sizes: Any, kind: Any = "answer") -> Theorem:
    """The mean of a score on other sizes."""
    with patch.object(scores, "_SIZES", Region(sizes)):
        return score_mean(kind)


def stored(kind: Any) -> str:
    """What a head stores whose scores are averaged."""
    seen: list[Any] = []

    def scored(d: Any, d_h: Any, store: object, token: object) -> Any:
        seen.append((store, token))
        tokens = Tokens(d)
        return dot(tokens.phi[tokens.a], tokens.phi[tokens.a]), []

    with patch.object(scores, "scored", scored):
        score_mean(kind)
    ((store, token),) = seen[:1]
    return f"{token}: {store.answers}, {store.facts}, {store.holders}, {store.stored};"


def with_a(family: Any) -> Make:
    """<phi(a), v_a> for vectors v of a family."""
    return lambda tokens, head: dot(tokens.phi[tokens.a], family[tokens.a])


def before_a(family: Any) -> Make:
    """<v_a, phi(a)> for vectors v of a family."""
    return lambda tokens, head: dot(family[tokens.a], tokens.phi[tokens.a])


def of_complement(to: Any, order: Callable[[Any], Make] = with_a) -> Theorem:
    """A score with a vector that is orthogonal to that one."""
    return defined(order(OrthogonalSphere("v", ROOM, to)), score_degree)


def with_wick_power(tokens: Tokens, head: Head) -> Any:
    """A score, and one with a Wick power for a product."""
    (one,) = _plain(tokens, head).terms
    wick = replace(one, edges=tuple(replace(edge, order=2) for edge in one.edges))
    return Expression((one, wick), 0)


def half_a_wick_power(tokens: Tokens, head: Head) -> Any:
    """A product with one Wick power."""
    (one,) = _plain(tokens, head).terms
    (edge,) = one.edges
    return Expression((replace(one, edges=(edge, replace(edge, order=2))),), 0)


def third_of_wick_powers(tokens: Tokens, head: Head) -> Any:
    """Three products, of which the third one's third factor is a Wick power."""
    (one,) = _plain(tokens, head).terms
    (edge,) = one.edges
    last = replace(one, edges=(edge, edge, replace(edge, order=2)))
    return Expression((one, replace(one, edges=(edge, edge)), last), 0)


def third_in_another_room(tokens: Tokens, head: Head) -> Any:
    """Three products, of which the third one is of vectors of another dimension."""
    (one,) = _plain(tokens, head).terms
    (other,) = in_another_room(tokens, head).terms
    return Expression((one, replace(one, edges=2 * one.edges), other), 0)


def with_vectors(tokens: Tokens, head: Head) -> Any:
    """A score, and one that is a vector."""
    (one,) = _plain(tokens, head).terms
    return Expression((one, *tokens.phi[tokens.a].terms), 0)


def of_two_complements(tokens: Tokens, head: Head) -> Any:
    """Vectors that are orthogonal to different ones."""
    both = (OrthogonalSphere(name, ROOM, to) for name, to in (("v", OTHER), ("w", tokens.eos)))
    first, second = (with_a(family)(tokens, head) for family in both)
    return first + second


def in_another_room(tokens: Tokens, head: Head) -> Any:
    """Vectors of another dimension."""
    larger = Sphere("s", 2 * ROOM)
    return dot(larger[tokens.a], larger[tokens.answers.index("i")])


def projected(tokens: Tokens, head: Head) -> Any:
    """Vectors of which parts count."""
    return dot(tokens.phi[tokens.a], Splitting(ROOM, P=1)["P"] @ tokens.phi[tokens.b])


def _plain(tokens: Tokens, head: Head) -> Any:
    return dot(tokens.phi[tokens.a], head.phi[head.z])


#: Scores whose degree is not known, and what is said.
UNKNOWN: list[tuple[Make, str]] = [
    (with_a(Gaussian("g", ROOM)), "is not uniform on a sphere"),
    (with_a(OrthogonalSphere("v", ROOM, AXIS)), "is not uniform on a sphere"),
    (in_another_room, r"is not in R\^d"),
    (of_two_complements, "orthogonal to several ones"),
    (projected, "is projected"),
    (lambda tokens, head: tokens.phi[tokens.a], "is no sum of products"),
    (with_wick_power, "is no sum of products"),
    (half_a_wick_power, "is no sum of products"),
    (third_of_wick_powers, "is no sum of products"),
    (third_in_another_room, r"is not in R\^d"),
    (with_vectors, "is no sum of products"),
    (before_a(Gaussian("g", ROOM)), "is not uniform on a sphere"),
]

REFUSED: Refusals = [
    *((f"score_degree: .*{said}", partial(defined, make, score_degree)) for make, said in UNKNOWN),
    (
        "score_mean: the mean d depends on sizes",
        lambda: defined(lambda t, h: dot(t.phi[t.a], t.phi[t.a]) * ROOM, score_mean),
    ),
    (
        "score_mean: where the mean is known: d - 2 >= 0",
        lambda: where(whole("d", 1), whole("d_h", 1)),
    ),
    (
        "score_mean: where the mean is known: d - 1 >= 0",
        lambda: where(whole("d", 0), whole("d_h", 1)),
    ),
    *(
        (
            "score_mean: where the mean is known: d - 2 >= 0",
            partial(where, whole("d", 1), whole("d_h", 1), kind=kind),
        )
        for kind in KINDS
    ),
    (
        "score_mean: where the mean is known: d_h - 1 >= 0",
        lambda: where(whole("d", 2), whole("d_h", 0)),
    ),
    ("score_degree: .*'other' is not known", lambda: score_degree("other")),  # type: ignore[arg-type]
    ("score_mean: .*'other' is not known", lambda: score_mean("other")),  # type: ignore[arg-type]
]

HOLDS: Conclusions = [
    *(
        (
            partial(lambda kind: told(score_degree(kind)), kind),
            f"for whole d >= 2, whole d_h >= 1: gamma_{kind} is a polynomial of degree at most 6. "
            "From 0, by rotation invariance of the uniform law on the sphere.",
        )
        for kind in KINDS
    ),
    *(
        (
            partial(lambda kind: told(score_mean(kind)), kind),
            f"for whole d >= 2, whole d_h >= 1: E[gamma_{kind}] = {int(kind == 'stored')}. "
            "From 0, by nothing.",
        )
        for kind in KINDS
    ),
    (
        lambda: stored("stored"),
        "answer: answers + 1, answers + holders + pairs + 1, holders + 1, True;",
    ),
    (lambda: stored("answer"), "answer: answers, answers + holders + pairs, holders, False;"),
    (lambda: stored("eos"), "eos: answers, answers + holders + pairs, holders, False;"),
    (lambda: of_complement(OTHER).left == of_complement(ANOTHER).left, "False"),
    (
        lambda: of_complement(OTHER, before_a).left == of_complement(ANOTHER, before_a).left,
        "False",
    ),
    (
        lambda: score("eos").name,
        "gamma_eos of OrthogonalSphere(w, d, eos[EOS]), Sphere(eos, d, ), Sphere(phi, d, ), "
        "Sphere(phi_z, d, ); (Term(",
    ),
    (lambda: of_complement(OTHER), "gamma_answer is a polynomial of degree at most 2"),
    (lambda: len({score(kind) for kind in KINDS}), "5"),
    (lambda: score("stored").arguments == (d, d_h), "True"),
    (lambda: defined(_plain, score_degree), "gamma_answer is a polynomial of degree at most 2"),
    (lambda: defined(_plain, score_degree).left == score("answer"), "False"),
    (
        lambda: (
            defined(_plain, score_degree).left
            == defined(lambda t, h: 2 * _plain(t, h), score_degree).left
        ),
        "False",
    ),
]
