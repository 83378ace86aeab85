"""Checks of what Sec. 5 of Nichani et al. says of the stages of learning."""

from __future__ import annotations

import math

from proofs.gradient_flow import symmetric
from proofs.papers.nichani.training import sequential
from verify.checks.argument import conclude
from verify.checks.computed import NOTHING, Comparison, compared, computed
from verify.checks.section import Section, corrected
from verify.checks.trajectory import with_trajectories
from verify.claim import Evidence, Printed
from verify.measuring.context import Context
from verify.papers.nichani import relations_first
from verify.papers.nichani.balanced_tables import CLOSE, SCALES, three_losses
from verify.printed.formula import Formula

section = Section()

#: Theorem 6 with two relations or more, and no answer set of more than half.
_TWO, _HALF = Formula.parse("2"), Formula.parse("1/2")


# -- what grows -----------------------------------------------------------------------------------


@section.check(
    corrected("nichani.s5.first-stage"),
    "proofs",
    method="equal equations; potentials that only grow",
)
def _first_stage(printed: Printed, context: Context) -> Evidence:
    """As Theorem 6, with a table that has EOS grow along with the relations."""
    if not printed["eos"].number():
        return conclude(sequential.eos_alike(printed["subjects"].number()), scope="", summary="")
    return relations_first.statement({**printed, "relations": _TWO, "share": _HALF}, context)


@section.check(corrected("nichani.s5.first-stage"), "numerics", method="flows from tiny weights")
def _first_stage_computed(printed: Printed, power: float, eos: bool, context: Context) -> Evidence:
    """Flows from e^-400: what exceeds alpha^power by the time of the best relation-only prediction."""
    if eos:
        return relations_first.statement_computed(
            {**printed, "relations": _TWO, "share": _HALF}, context
        )
    seen, shown = [], []
    for table, course in relations_first.courses(context):
        if table.world.R < 2 or table.world.S < 32:
            continue
        reached = int((course.error <= 2e-2).argmax())
        grown = float(course.eos[: reached + 1].max()) / table.log_scale
        step = f"{table.name}: W_KQ(EOS) reaches alpha^{grown:.3g} in the first stage"
        seen.append(Comparison(step, grown, power, math.inf, NOTHING))
        if not seen[-1].holds:
            shown.append((table, course))
    evidence = compared(seen, "flows from alpha = e^-400")
    return with_trajectories(
        evidence, [p for pair in shown[:1] for p in relations_first.pictures(*pair, power)]
    )


# -- without many subjects ------------------------------------------------------------------------


def _sizes(printed: Printed) -> tuple[int, int, int]:
    S, R, D = (int(printed[name].number()) for name in ("subjects", "relations", "answers"))
    return S, R, D


@section.check("nichani.s5.remark-order", "proofs", method="symmetry of a balanced table")
def remark_order(printed: Printed) -> Evidence:
    S, R, D = _sizes(printed)
    argument = symmetric.reduction()
    argument.true("S = R = D", S == R == D, f"{S}, {R}, {D}")
    argument.infer(
        "relation-only and subject-only loss are equal at all times, and the total loss is their "
        "sum",
        "the two equations and their starts are the same",
    )
    seen = next((scale for scale in SCALES if symmetric.has_plateau(S, R, D, scale)), None)
    witness = None
    if seen is not None:
        witness = {
            "S": S,
            "R": R,
            "D": D,
            "alpha": f"e^{seen}",
            "relation-only loss": f"at most {CLOSE} at some time",
            "subject-only loss": f"at least log {D} - {CLOSE} then",
        }
    return conclude(
        argument.unless(witness),
        scope=f"the balanced table with S = R = D = {D}, every alpha > 0",
        summary="no time tells relations from subjects",
    )


@section.check("nichani.s5.remark-order", "numerics", method="flow of the balanced table")
def remark_order_computed(printed: Printed) -> Evidence:
    from numerics.papers.nichani.relations_first import predicts_relation_alone

    S, R, D = _sizes(printed)
    steps: list[str] = []
    wrong = None
    for scale in SCALES:
        found = predicts_relation_alone(S, R, D, scale, float(CLOSE))
        steps.append(
            f"S = {S}, R = {R}, D = {D}, alpha = e^{scale}: the model "
            f"{'predicts' if found else 'never predicts'} from the relation alone"
        )
        if found:
            wrong = wrong or steps[-1]
    evidence = computed(steps, wrong, f"the balanced table with S = {S}, R = {R}, D = {D}")
    return with_trajectories(evidence, [three_losses(S, R, D, scale) for scale in SCALES[:2]])
