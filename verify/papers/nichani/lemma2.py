"""Checks of Lemma 2 of Nichani et al. (App. C.1) and its proof: the value matrix of a head."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import ZERO, symbols
from proofs.argument import Argument
from proofs.papers.nichani import head_scores
from verify.checks.argument import conclude
from verify.checks.computed import Comparison, compared, rounding
from verify.checks.identity import identity
from verify.checks.inequality import bounded_above
from verify.checks.parameters import made_of
from verify.checks.section import Section, corrected
from verify.checks.steps import measured_steps
from verify.checks.theorem import proved
from verify.claim import Evidence, Printed
from verify.measuring.context import Context
from verify.measuring.quantities import Quantity
from verify.papers.nichani import head_statements as statements
from verify.papers.nichani import proof_places
from verify.papers.nichani.head_memory import (
    OTHER,
    SAME,
    crosses,
    double_quantity,
    exact_names,
    fourth_quantity,
    overlap_quantity,
    product_quantity,
    products,
    projected_quantity,
    rho_names,
    score_quantity,
)
from verify.printed.formula import Formula

section = Section()

_LAW = "sphere embeddings, w_i orthogonal to EOS; keys, answers and EOS different tokens"
_TERMS, _SCORES = "head terms", "head scores"


def _both(what: str) -> dict[str, list[Quantity]]:
    return {
        "stored": [score_quantity(what, stored=True)],
        "other": [score_quantity(what, stored=False)],
    }


# -- means ----------------------------------------------------------------------------------------

section.pattern(identity, corrected("nichani.lem2.mean"), _both("mean"), group=_SCORES)
section.pattern(
    identity,
    "nichani.lem2.mean-projected",
    {"stored": [double_quantity(stored=True)], "other": [double_quantity(stored=False)]},
    group=_TERMS,
)

# -- single terms ---------------------------------------------------------------------------------

section.pattern(identity, "nichani.lem2.orthogonality", {"cross": crosses()}, group=_TERMS)
section.pattern(
    identity,
    "nichani.lem2.fourth-moment",
    {"coefficient": [fourth_quantity(what) for what in ("plain", "slanted", "mixed")]},
    group=_TERMS,
)
section.pattern(
    identity,
    corrected("nichani.lem2.cross-identity"),
    {"product": products("pair", exact_names)},
    group=_TERMS,
)


def _bound_on_products(
    claim: str | tuple[str, ...], what: str, names: Any, places: Sequence[tuple[str, str, int]]
) -> None:
    """A bound on one of ``products``, near which it is measured at *places*: kinds of (a', z') and d."""
    section.pattern(
        bounded_above,
        claim,
        "bound",
        products(what, names),
        edge=[(product_quantity(what, a, z, names(a, z)), {"d": d}) for a, z, d in places],
        scope=f"all d >= 2; {_LAW}",
        summary="at most the printed bound in all four cases",
        group=_TERMS,
    )


_bound_on_products(
    corrected("nichani.lem2.cross-bound"),
    "pair",
    rho_names,
    [(SAME, SAME, 2), (SAME, SAME, 4), (SAME, OTHER, 4), (OTHER, SAME, 4)],
)
section.pattern(
    bounded_above,
    "nichani.lem2.rho",
    "rho",
    [f(kind) for f in (overlap_quantity, projected_quantity) for kind in (SAME, OTHER)],
    edge=[(projected_quantity(kind), {"d": d}) for kind in (SAME, OTHER) for d in (2, 8)],
    scope=f"all d >= 2; {_LAW}",
    summary="at most rho in all four cases",
    group=_TERMS,
)
_bound_on_products(
    corrected("nichani.lem2.omega-sq-first"),
    "square",
    exact_names,
    [(SAME, SAME, 2), (SAME, SAME, 4), (SAME, OTHER, 2), (OTHER, SAME, 2)],
)
_bound_on_products(
    "nichani.lem2.omega-sq-final",
    "square",
    rho_names,
    [(SAME, SAME, 2), (SAME, SAME, 8), (SAME, OTHER, 8), (OTHER, SAME, 8)],
)


# -- sums and the variance ------------------------------------------------------------------------


#: Sets of answers of the keys z, z', z'', where the scored answer is 0.
_HEADS: tuple[tuple[frozenset[int], ...], ...] = (
    (frozenset({0}), frozenset({0, 1})),
    (frozenset({1, 2}), frozenset({0}), frozenset({2, 3})),
    (frozenset(), frozenset({1, 2, 3})),
    (frozenset({0, 1, 2}),),
)


@section.both(
    "nichani.lem2.regroup",
    head_scores.regrouped,
    method="identity of coefficients",
    scope="all d, d_h >= 1 and all sets of answers",
    summary="summand by summand",
    measured="sums written out",
    looked="d in (1, 2, 5), d_h in (1, 3, 8), four heads",
    judge=compared,
)
def regroup_computed(printed: Printed) -> Iterator[Comparison]:
    """Both sides in float64, summand by summand, for a few heads and sizes."""
    for d, h, head in itertools.product((1, 2, 5), (1, 3, 8), _HEADS):
        left = sums = others = 0.0
        for key, answers in enumerate(head):
            rho_z = 1.0 if key == 0 else 1 / d
            for answer in answers:
                rho_a = 1.0 if answer == 0 else 1 / d
                left += (h - 1) / h * rho_a * rho_z + rho_a * (1 + 2 * rho_z) / h
                sums, others = (sums + rho_a, others) if key == 0 else (sums, others + rho_a)
        own, rest = (printed[name].on(math.nan, d=d, d_h=h) for name in ("own", "rest"))
        right = own * sums + rest * others
        step = f"d = {d}, d_h = {h}, sets {[sorted(s) for s in head]}: {left:.6g}"
        wrong, size = f"{step}, not {right:.6g}", ("the value, or 1", max(left, 1.0))
        yield Comparison(step, left, right, right, rounding(1e-9), size, wrong=wrong)


section.pattern(
    bounded_above,
    corrected("nichani.lem2.second-moment"),
    "bound",
    [score_quantity("second", stored) for stored in (True, False)],
    edge=[
        (
            score_quantity("second", stored),
            dict(zip(("d", "d_h", "b", "c", "g"), at, strict=True)),
        )
        for stored, at in (
            (False, (2, 8, 0, 1, 4)),
            (True, (3, 1, 0, 0, 0)),
            (False, (3, 1, 3, 1, 0)),
            (True, (3, 2, 1, 1, 1)),
        )
    ],
    scope=f"all d >= 2, d_h >= 1, all sets of answers; {_LAW}",
    summary="at most the printed bound, a stored or not",
    group=_SCORES,
)
section.pattern(identity, corrected("nichani.lem2.variance-identity"), _both("less"), group=_SCORES)


section.argued(
    corrected("nichani.lem2.variance-order"),
    head_scores.variance_order,
    method="growth of both sides",
    scope=f"all d >= 2, d_h >= 1, |V(h)| and |A_z| <= d, all z in V(h) and a in V; {_LAW}",
    summary=f"C = {head_scores.VARIANCE_CONSTANT} serves",
)


@section.check(
    ("nichani.lem2.mean.corrected", "nichani.lem2.variance-identity.corrected"),
    "proofs",
    method="every other token",
)
def other_tokens(other: RationalFunction) -> Evidence:
    """a = z, another key or EOS: the mean, and the square of it, are those printed for a not in A_z."""
    argument = Argument()
    for words, centre, _ in head_scores.token_moments():
        argument.equal(f"{words}: as printed", centre, other)
    return conclude(
        argument,
        scope=f"all d >= 2, d_h >= 1; {_LAW}",
        summary="keys and EOS score nothing on average",
    )


@section.check("nichani.lem2.second-moment.corrected", "proofs", method="every other token")
def second_moment_of_other_tokens(printed: Printed) -> Evidence:
    """a = z, another key or EOS: within the bound for a that is in no set."""
    answers, facts = symbols("answers facts")
    rest, none = RationalFunction.symbol("rest"), ZERO
    bound = printed["bound"].field({"s": none, "c": none, "A": answers, "F": facts - answers})
    argument = Argument()
    for words, centre, spread in head_scores.token_moments():
        argument.nonnegative(
            f"{words}: the bound less E gamma^2, facts = answers + rest",
            (bound - spread - centre**2)(facts=answers + rest),
            {"d": 2, "d_h": 1, "answers": 0, "rest": 0},
        )
    return conclude(
        argument, scope=f"all d >= 2, d_h >= 1; {_LAW}", summary="keys and EOS are within the bound"
    )


# -- degree, union bound, concentration -----------------------------------------------------------


section.pattern(
    proved,
    "nichani.lem2.degree",
    statements.degrees,
    method="formal degree",
    summary="every term has the degree 6",
    fails=head_scores.degree_counterexample,
)


@section.values(
    "nichani.lem2.degree",
    method="finite differences on a line",
    scope="two heads in R^3, all vectors on lines",
    judge=compared,
)
def degree_on_a_line(degree: int, context: Context) -> Iterator[Comparison]:
    """All vectors move along lines; differences beyond the degree vanish."""
    import torch

    from numerics import Stream, sample_gaussian
    from numerics.papers.nichani.head_observables import pair_score

    stated, d = degree, 3
    stream = Stream(context.seed, "head degree")
    for d_h, pairs in ((1, 1), (2, 3)):
        counts = {"a": 1, "z": 1, "answers": pairs, "keys": pairs, "w": d_h}
        lines = {
            name: [sample_gaussian(n, d, stream=stream.child(name, end, d_h)) for end in (0, 1)]
            for name, n in counts.items()
        }
        values = []
        for t in range(stated + 3):
            at = {name: origin + t * way for name, (origin, way) in lines.items()}
            values.append(pair_score(at["a"][0], at["z"][0], at["answers"], at["keys"], at["w"]))
        found = torch.stack(values)
        size = ("the largest value", float(found.abs().max()))
        beyond = float(found.diff(n=stated + 1).abs().max())
        step = f"d_h = {d_h}, {pairs} pairs: difference {stated + 1} up to {beyond:.3g}"
        yield Comparison(step, beyond, 0.0, 0.0, rounding(1e-9), size)


@section.both(
    "nichani.lem2.log-factor",
    head_scores.union,
    method="exact inequalities",
    scope="all V(h) in V, 0 < delta <= 1",
    summary="|V||V(h)| pairs, |V(h)| <= |V|",
    measured="floating-point grid",
    looked="|V| <= 30, delta >= 10^-6, a grid in float64",
    judge=compared,
)
def union_computed(factor: float, share: Formula) -> Iterator[Comparison]:
    slack = rounding(1e-9)
    for v, n, x in itertools.product((2, 3, 5, 30), (1, 2, 5, 30), (1, 2, 10**6)):
        if n > v:
            continue
        failure = Fraction(1, x)
        total = v * n * share.real(v=v, n=n, delta=failure)
        left, right = math.log(v * n * x), factor * math.log(v * x)
        step = f"|V| = {v}, |V(h)| = {n}, delta = 1/{x}: {total:.6g}, {left:.6g}, {right:.6g}"
        size = ("the stated", right)
        logs = Comparison(f"{step}, logarithms", left, -math.inf, right, slack, size)
        size = ("the stated", float(failure))
        yield Comparison(step, total, -math.inf, size[1], slack, size, also=(logs,))


section.pattern(
    proved,
    "nichani.lem2.concentration",
    statements.concentrations,
    method="mean, degree and Lemma 13",
    summary="C = 8 e serves",
    fails=head_scores.concentration_counterexample,
)
#: Powers q^3 of the exponent are lost at once.
section.pattern(
    measured_steps,
    "nichani.lem2.concentration",
    statements.concentrations,
    places=proof_places.heads,
    group=_SCORES,
    within=20,
    nearly=Fraction(4, 5),
)


# -- the statement --------------------------------------------------------------------------------


@section.check(
    corrected("nichani.lem2.statement"), "proofs", method="variance, tail and union bound"
)
def statement(printed: Printed, context: Context) -> Evidence:
    # Printed without its constant: the one that is exhibited stands for it.
    known: Printed = context.formulas("nichani.lem2.statement.corrected")
    stated = made_of(head_scores.Recall, {**known, **printed})
    return conclude(
        head_scores.recall(stated),
        scope=f"all heads with |V| >= 3 and delta <= 1; {_LAW}",
        summary=f"C = {stated.constant} serves",
    )
