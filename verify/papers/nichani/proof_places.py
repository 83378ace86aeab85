"""Where the steps of proofs are measured: small sizes, at which bounds are near what is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from proofs.kernel import (
    coordinate,
    expectation,
    margin,
    polynomial,
    score,
    symbol,
    term,
    variance,
)
from proofs.kernel.laws import length
from proofs.kernel.scores import Kind
from proofs.memories.linear import definition
from verify.measuring.terms import Numbers, Place

#: tau = 4 l/d and L (1 + L/d) <= l, under the conditions of both closed forms; A = r^2/2, and
#: s = tau r/2, so that the sharper proofs have the same exponentials.
_LINEAR: Numbers = {
    "d": 4,
    "N": 4,
    "M": 5,
    "tau": Fraction(2, 5),
    "l": Fraction(2, 5),
    "L": Fraction(4, 11),
    "s": Fraction(6, 25),
    "r": Fraction(6, 5),
    "A": Fraction(18, 25),
    "e": Fraction(1, 32),
    "delta": Fraction(1, 2),
}
#: Exponents below 2 and above.
_BELOW, _ABOVE = Fraction(3, 2), Fraction(5, 2)
#: A head of three pairs, the scored token among the answers of the attended key or not.
_HEAD = {"d": 3, "d_h": 2, "b": 1, "g": 1}
_KINDS: tuple[Kind, ...] = ("stored", "answer", "self", "key", "eos")


def _margins(
    *, d: int, N: int, e: Fraction, replicates: int, seed: int, start: int, **_: object
) -> Mapping[str, Any]:
    from numerics.papers.nichani.linear_observables import margin_variables

    return margin_variables(d, N, replicates, step=float(e), seed=seed, start=start)


def linear() -> Sequence[Place]:
    """Margins of the linear memory, and of its rounded weights, with their lengths."""
    variables = {}
    for inside, where in ((True, "inside"), (False, "outside"), (None, "inside")):
        variables[margin(definition(), inside=inside)] = f"gamma.{where}"
        variables[margin(definition(), inside=inside, rounded=True)] = f"rounded.{where}"
        variables[length(definition(), inside=inside)] = f"length.{where}"
    return [Place(_LINEAR, (), variables, _margins)]


def _scores(
    *, names: Sequence[str], replicates: int, seed: int, start: int, **_: object
) -> Mapping[str, Any]:
    from numerics.papers.nichani.head_observables import score_variables

    return score_variables(names, **_HEAD, replicates=replicates, seed=seed, start=start)


def heads() -> Sequence[Place]:
    """Scores of tokens of all kinds, at exponents below 2 and above."""
    variables = {score(kind): str(kind) for kind in _KINDS}
    means = tuple((expectation(score(kind)), term(int(kind == "stored"))) for kind in _KINDS)
    at = {"d": _HEAD["d"], "d_h": _HEAD["d_h"]}
    numbers: tuple[Numbers, ...] = ({"q": _BELOW, "v": 3, "n": 1, "delta": 1}, {"q": _ABOVE})
    return [Place({**at, **more}, means, variables, _scores) for more in numbers]


def overlaps() -> Sequence[Place]:
    """Moments of overlaps."""
    return [Place({"p": 1, "d": d}) for d in (3, 8)]


def polynomials() -> Sequence[Place]:
    """1 + c u, of degree 1, and 1 + c u w, for coordinates u and w: both as wide as Lemma 14 allows."""
    f, u, w = polynomial("f", symbol("p")), coordinate("u", 8), coordinate("w", 2)
    single, double = Fraction(169, 100), Fraction(118, 100)
    tail: Numbers = {"L": Fraction(1, 2), "delta": Fraction(3, 5)}
    places = []
    for p, instance, v in (
        (1, 1 + single * u, single**2 / 8),
        (2, 1 + double * coordinate("u", 2) * w, double**2 / 4),
    ):
        known = ((variance(f), term(v)), (expectation(f), term(1)), (f, instance))
        at: Numbers = {"p": p, "mu": 1, "v": v}
        places += [Place({**at, **more}, known) for more in ({"q": _BELOW, **tail}, {"q": _ABOVE})]
    return places
