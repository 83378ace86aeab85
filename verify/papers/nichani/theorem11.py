"""Checks of Theorem 11 of Nichani et al. (Sec. 4.3, Theorem 4) and of its proof (App. C.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil, sqrt
from typing import Any

from proofs.algebra import RationalFunction
from proofs.argument import Witness, first_witness
from proofs.capacity import AttentionMLPCalibrated
from proofs.papers.nichani import attention_mlp
from verify.checks.argument import conclude
from verify.checks.computed import NAME, Comparison, rounding
from verify.checks.failures import table_failures_on_frontier
from verify.checks.section import Section, corrected
from verify.claim import Cases, Evidence
from verify.measuring.case import Case
from verify.measuring.context import Context
from verify.measuring.measure import Experiment
from verify.measuring.quantities import in_words
from verify.papers.nichani.heads_and_mlp import statement
from verify.papers.nichani.table_comparisons import public_answers
from verify.printed.formula import Formula
from verify.statistics import Between
from verify.verdict import Verdict

section = Section()

#: Sizes at which each wrong mean of C(a) is far from the right one, and how far at least.
_TABLES, _APART = {"S": 5, "R": 3, "D": 2}, 0.2
#: How far above a root a factor is taken, so that rounding leaves it above.
_ABOVE = 1e-9


def _computed(
    wrong: Mapping[str, Any] | None, scope: str, steps: tuple[str, ...], **detail: Any
) -> Evidence:
    """Supported by what was built and looked at, or refuted by the first thing that was *wrong*."""
    return Evidence(
        Verdict.SUPPORTED if wrong is None else Verdict.REFUTED,
        "",
        "built and looked at" if wrong is None else f"fails at {in_words(wrong)}",
        scope=scope,
        steps=steps,
        detail=detail,
        counterexample=wrong,
    )


# -- the theorem ----------------------------------------------------------------------------------


section.check("nichani.thm11.statement", "proofs", method="heads of small rank, and Lemma 3")(
    statement
)


# -- subspaces and heads --------------------------------------------------------------------------


section.argued(
    corrected("nichani.thm11.dimensions"),
    attention_mlp.subspaces,
    method="counting dimensions",
    scope="all d >= 1, any unit vector",
    summary="2n + 1 <= d",
)


@section.check(corrected("nichani.thm11.dimensions"), "numerics", method="rank of drawn vectors")
def dimensions_measured(less: int, up: bool, largest: bool, context: Context) -> Evidence:
    from numerics.papers.nichani.attention_mlp_checks import room_beside

    wrong: Witness | None = None
    steps = []
    for d in range(1, 10):
        stated, room = (d - less + int(up)) // 2, room_beside(d, seed=context.seed)
        steps.append(f"d = {d}: room for {room}, stated {stated}")
        if wrong is None and (stated != room if largest else not 0 <= stated <= room):
            wrong = {"d": d, "stated": stated, "room for": room}
    return _computed(wrong, "d = 1, ..., 9, in float64", tuple(steps))


section.argued(
    corrected("nichani.thm11.head-count"),
    attention_mlp.head_total,
    method="counting heads",
    scope="all S, R, M >= 1 and d >= d_h >= 1",
    summary="the ceilings are below twice what is rounded",
)


section.argued(
    "nichani.thm11.projection",
    decide=attention_mlp.projection,
    method="an orthonormal basis in pieces",
    scope="all d, d_h and P",
    summary="d_h vectors of a basis a head",
)


@section.check("nichani.thm11.projection", "numerics", method="heads built")
def projection_measured(orthogonal: bool, needed: Formula, context: Context) -> Evidence:
    from numerics.papers.nichani.attention_mlp_checks import group_deviation

    wrong: Witness | None = None
    found = []
    for d, d_h in ((3, 1), (5, 5), (7, 2), (12, 1), (12, 5)):
        heads = max(1, ceil(needed.at(d=d) / d_h))
        off = group_deviation(d, d_h, heads, orthogonal=orthogonal, seed=context.seed)
        step = f"d = {d}, d_h = {d_h}, {heads} heads: off by {off:.2g}"
        found.append(Comparison(step, off, 0.0, 0.0, slack=rounding(absolute=1e-9)))
        if wrong is None and not found[-1].holds:
            wrong = {"d": d, "d_h": d_h, "heads": heads, "off by": f"{off:.3g}"}
    scope = "P of dimension d - 1; d = 3, 5, 7, 12, in float64"
    record = {NAME: [line for it in found for line in it.record()]}
    return _computed(wrong, scope, tuple(it.words for it in found), **record)


# -- the scale of the MLP -------------------------------------------------------------------------


@section.check("nichani.thm11.scaling", "proofs", method="least margin and Cauchy-Schwarz")
def scaling(square: Fraction, unique: bool, output: bool, large: bool, finite: bool) -> Evidence:
    return conclude(
        attention_mlp.scaling(square, unique=unique, of_output=output, large=large, finite=finite),
        scope="every F and sigma, finitely many tokens, all contexts",
        summary="lambda g > sqrt(8)",
    )


@section.check("nichani.thm11.scaling", "numerics", method="worst cases built")
def scaling_measured(
    square: float, unique: bool, output: bool, large: bool, finite: bool
) -> Evidence:
    """The least margin of F_TF in worst cases at d = 3: one fact, one neuron."""
    from torch import float64, tensor

    from numerics import Activation
    from numerics.papers.nichani.attention_mlp_checks import scaled_margin

    def vectors(*rows: tuple[float, float, float]) -> Any:
        return tensor(rows, dtype=float64)

    line, diagonal = vectors((-1, 0, 0)), vectors((-sqrt(0.5), -sqrt(0.5), 0))
    cubic, linear = Activation.polynomial((0, 3, -1)), Activation.polynomial((0, 1))
    # (what is tried, answer, its opposite as the rival, readout, activation, factors of V and W)
    factor = sqrt(square) * (1 + _ABOVE)
    tried = [("lambda g just above the root", diagonal, linear, factor / 2, 1.0)]
    if not unique:
        tried += [(f"a tie, lambda = {n}", line, linear, 0.0 * n, 1.0) for n in (1, 100)]
    if not output:
        tried += [(f"lambda W, lambda = {n}", line, cubic, 0.5, n) for n in (3.0, 100.0)]
    if not large:
        tried.append(("lambda = 1", line, linear, 0.5, 1.0))
    if not finite:
        # The token z_n for n above lambda/2 has so small a margin that lambda = 100 is not enough.
        tried.append(("lambda = 100 and one of many tokens", line, linear, 100 / 300, 1.0))
    wrong: Witness | None = None
    steps = []
    for what, answer, activation, V, W in tried:
        margin = scaled_margin(answer[0], -answer, answer[0], activation=activation, V=V, W=W)
        steps.append(f"{what}: margin {margin:.3g}")
        if wrong is None and not margin > 0:
            wrong = {"d": 3, "tried": what, "margin": f"{margin:.3g}"}
    return _computed(wrong, "worst cases at d = 3, in float64", tuple(steps))


# -- the failure probability ----------------------------------------------------------------------


section.argued(
    corrected("nichani.thm11.failure-prob"),
    attention_mlp.failure_share,
    method="union bound",
    scope="all N_S, N_R >= 1",
    summary="N_S + N_R + 1 times delta'",
)


# -- an explicit condition ------------------------------------------------------------------------


@section.check("nichani.thm11.explicit.condition", "proofs", method="weights of the answers")
def explicit_condition(spread: Fraction, half: Fraction, context: Context) -> Evidence:
    return conclude(
        attention_mlp.explicit_condition(spread, half),
        lambda: public_answers(spread, half, context.formulas("nichani.lem1.explicit.gaps")),
        scope="all d >= 3, m, S, R, every table; sphere embeddings, Gaussian neurons",
        summary="Cantelli and Markov for the weights, Chernoff for the answers",
    )


#: Where a draw is cheap: few neurons with one token a head, more dimensions with two.
_CALIBRATED = (
    {"d": 129, "D": 3, "m": 512, "M": 1},
    {"d": 193, "D": 4, "m": 1024, "M": 2},
)
#: A bound that allows any S is seen to fail long before.
_TOO_MANY = 16


@section.measured(
    "nichani.thm11.explicit.calibrated",
    method="failures on the frontier",
    group="attention and MLP failures",
)
def calibrated(spread: Fraction, context: Context) -> Cases:
    condition = AttentionMLPCalibrated(spread)
    cases: list[Case] = []
    for sizes in _CALIBRATED:
        found = table_failures_on_frontier(
            condition,
            "mlp",
            context,
            at_most=_TOO_MANY,
            choices={"d_h": (sizes["d"] - 1) // 2, "activation": (0.0, 0.0, 1.0)},
            **sizes,
        )
        if isinstance(found, Evidence):
            return found
        cases += found
    return cases


# -- how often an answer occurs -------------------------------------------------------------------


section.argued(
    "nichani.thm11.collision-bound",
    decide=attention_mlp.most_collisions,
    method="one answer a subject",
    scope="every table with Assumption 1",
    summary="a subject has one answer in the relation of a",
)


section.argued(
    "nichani.thm11.collision-average",
    decide=attention_mlp.mean_collisions,
    method="subject by subject",
    scope="all S, R, D",
    summary="linearity",
)


section.argued(
    "nichani.thm11.collision-one",
    decide=attention_mlp.equal_collisions,
    method="all columns tried",
    scope="all S, R",
    summary="a*(s, r) = (s, r)",
)


def _columns(wanted: Callable[[int, int, list[list[int]]], Witness | None]) -> Evidence:
    """What is *wanted* of all columns of S answers, for S, R <= 4, built as tables."""
    from numerics.papers.nichani.attention_mlp_checks import column_collisions

    sizes = [(S, R) for S in range(1, 5) for R in range(1, 5)]
    columns = {S: column_collisions(S) for S in range(1, 5)}
    wrong = first_witness(wanted(S, R, columns[S]) for S, R in sizes)
    steps = tuple(f"S = {S}: {len(found)} columns" for S, found in columns.items())
    return _computed(wrong, "all tables with S, R <= 4, relation by relation", steps)


@section.check("nichani.thm11.collision-bound", "numerics", method="all tables built")
def collision_bound_measured(bound: RationalFunction, disjoint: bool) -> Evidence:
    def wanted(S: int, R: int, columns: list[list[int]]) -> Witness | None:
        for counts in columns:
            # Without Assumption 1 the R relations may share these answers.
            most = max(counts) * (1 if disjoint else R)
            if most > bound(S=S, R=R, D=len(counts)).as_fraction():
                return {"S": S, "R": R, "D": len(counts), "largest C(a)": most}
        return None

    return _columns(wanted)


@section.check("nichani.thm11.collision-one", "numerics", method="all tables built")
def collision_one_measured(count: Formula) -> Evidence:
    def wanted(S: int, R: int, columns: list[list[int]]) -> Witness | None:
        each = count.at(S=S, R=R)
        if any(set(counts) == {each} for counts in columns):
            return None
        return {"S": S, "R": R, "C(a)": each, "tables": "none"}

    return _columns(wanted)


@section.measured(
    "nichani.thm11.collision-average", method="tables drawn", group="fact tables", builds=False
)
def collision_average_measured(mean: Formula) -> Cases:
    experiment = Experiment("collisions of an answer", _draw_collisions)
    value = mean.real(**_TABLES)
    return [
        Case.of(
            "E C(a)",
            experiment,
            "collisions",
            _TABLES,
            Between(value, value, _APART / 2),
            truth=value,
        )
    ]


def _draw_collisions(**arguments: Any) -> Mapping[str, Any]:
    from numerics.papers.nichani.attention_mlp_checks import collision_observables

    return collision_observables(**arguments)
