"""Checks of what Sec. 5 of Nichani et al. says of the stages of learning."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from proofs.gradient_flow import symmetric
from proofs.papers.nichani.training import sequential
from verify.checks.argument import conclude
from verify.checks.computed import NOTHING, Comparison, compared, computed
from verify.checks.section import Section, corrected
from verify.checks.trajectory import trajectory, with_trajectories
from verify.claim import Evidence, Printed
from verify.measuring.context import Context
from verify.papers.nichani import theorem6
from verify.printed.formula import Formula

section = Section()

#: Theorem 6 with two relations or more, and no answer set of more than half.
_TWO, _HALF = Formula.parse("2"), Formula.parse("1/2")


# -- what grows -----------------------------------------------------------------------------------


def _first_stage(printed: Printed, context: Context) -> Evidence:
    """As Theorem 6, with a table that has EOS grow along with the relations."""
    if not printed["eos"].number():
        return conclude(sequential.eos_alike(printed["subjects"].number()), scope="", summary="")
    return theorem6.statement({**printed, "relations": _TWO, "share": _HALF}, context)


def _first_stage_computed(printed: Printed, context: Context) -> Evidence:
    """Flows from e^-400: what exceeds alpha^power by the time of the best relation-only prediction."""
    power = printed["power"].real()
    eos = bool(printed["eos"].number())
    if eos:
        return theorem6.statement_computed({**printed, "relations": _TWO, "share": _HALF}, context)
    seen, shown = [], []
    for table, course in theorem6.courses(context):
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
        evidence, [p for pair in shown[:1] for p in theorem6.pictures(*pair, power)]
    )


section.check(
    corrected("nichani.s5.first-stage"),
    "proofs",
    method="equal equations; potentials that only grow",
)(_first_stage)
section.check(corrected("nichani.s5.first-stage"), "numerics", method="flows from tiny weights")(
    _first_stage_computed
)


# -- without many subjects ------------------------------------------------------------------------

#: Scales, in logarithms, at which balanced tables are looked at, and how small and how whole losses are.
_SCALES, _CLOSE = (-12, -230, -5000), Fraction(1, 100)


def _sizes(printed: Printed) -> tuple[int, int, int]:
    S, R, D = (int(printed[name].number()) for name in ("subjects", "relations", "answers"))
    return S, R, D


@section.check("nichani.s5.remark-order", "proofs", method="symmetry of a balanced table")
def remark_order(printed: Printed, context: Context) -> Evidence:
    S, R, D = _sizes(printed)
    argument = symmetric.reduction()
    argument.true("S = R = D", S == R == D, f"{S}, {R}, {D}")
    argument.infer(
        "relation-only and subject-only loss are equal at all times, and the total loss is their "
        "sum",
        "the two equations and their starts are the same",
    )
    seen = next((scale for scale in _SCALES if symmetric.has_plateau(S, R, D, scale)), None)
    witness = None
    if seen is not None:
        witness = {
            "S": S,
            "R": R,
            "D": D,
            "alpha": f"e^{seen}",
            "relation-only loss": f"at most {_CLOSE} at some time",
            "subject-only loss": f"at least log {D} - {_CLOSE} then",
        }
    return conclude(
        argument.refute(witness),
        scope=f"the balanced table with S = R = D = {D}, every alpha > 0",
        summary="no time tells relations from subjects",
    )


@section.check("nichani.s5.remark-order", "numerics", method="flow of the balanced table")
def remark_order_computed(printed: Printed, context: Context) -> Evidence:
    from numerics.papers.nichani.relations_first import predicts_relation_alone

    S, R, D = _sizes(printed)
    steps: list[str] = []
    wrong = None
    for scale in _SCALES:
        found = predicts_relation_alone(S, R, D, scale, float(_CLOSE))
        steps.append(
            f"S = {S}, R = {R}, D = {D}, alpha = e^{scale}: the model "
            f"{'predicts' if found else 'never predicts'} from the relation alone"
        )
        if found:
            wrong = wrong or steps[-1]
    evidence = computed(steps, wrong, f"the balanced table with S = {S}, R = {R}, D = {D}")
    return with_trajectories(evidence, [_three_losses(S, R, D, scale) for scale in _SCALES[:2]])


def _three_losses(S: int, R: int, D: int, scale: float) -> dict[str, Any]:
    """The losses of a balanced table over time, with the level at which the stage would be."""
    from numerics.papers.nichani.relations_first import balanced_losses

    flow = balanced_losses(S, R, D, scale)
    losses = {
        "total loss": flow.total,
        "relation-only loss": flow.relation_only,
        "subject-only loss": flow.subject_only,
    }
    return trajectory(
        rf"Balanced table, S = {S}, R = {R}, D = {D}, $\alpha = e^{{{scale}}}$",
        {name: (flow.times, values) for name, values in losses.items()},
        y="loss (nats)",
        levels={"log D": math.log(D)},
    )


# -- when there is a stage of relations alone -----------------------------------------------------


def plateau(printed: Printed, context: Context) -> Evidence:
    """No plateau where the ratio is at most 1 and, if the claim says so, one where it is above 1."""
    ratio, converse = printed["ratio"].field(), bool(printed["converse"].number())
    argument = symmetric.reduction()
    exact = symmetric.rate_ratio()
    argument.true(
        "the ratio is (growth rate of relations/growth rate of subjects)^2, for small alpha",
        ratio == exact,
        f"{ratio} against {exact}",
    )
    argument.infer(
        "a loss leaves its start at the time log(1/alpha)/rate, up to a constant",
        "the time is (angle + int e^x)/rate, and the integrand is e^0 but for the last stretch",
    )
    argument.infer(
        "so the slower one is still whole when the other has vanished, and if the rates are equal "
        "then both change within a constant time, the subjects before the relations have vanished",
        "alpha -> 0",
    )
    witness = None
    for S, R, D in symmetric.small_tables():
        stated = printed["ratio"].at(S=S, R=R, D=D) > 1
        if stated and not converse:
            continue
        found = symmetric.has_plateau(S, R, D, _SCALES[-1])
        if found is not None and found != stated:
            witness = {
                "table": "balanced",
                "S": S,
                "R": R,
                "D": D,
                "alpha": f"e^{_SCALES[-1]}",
                "plateau": "certified" if found else "certified not to be there",
            }
            break
    return conclude(
        argument.refute(witness),
        scope="balanced tables of all sizes R, D >= 2, small alpha",
        summary="S^2 (R - 1) against R^2 (D - 1)",
    )


def plateau_computed(printed: Printed, context: Context) -> Evidence:
    """Flows of balanced tables on both sides of the stated border."""
    from numerics.papers.nichani.relations_first import predicts_relation_alone

    converse = bool(printed["converse"].number())
    steps: list[str] = []
    wrong = None
    shown: dict[bool, tuple[int, int, int]] = {}
    for S, R, D in _TRIED:
        stated = printed["ratio"].at(S=S, R=R, D=D) > 1
        if stated and not converse:
            continue
        found = predicts_relation_alone(S, R, D, _SCALES[-1], float(_CLOSE))
        steps.append(
            f"S = {S}, R = {R}, D = {D}: {'a' if found else 'no'} stage of relations alone, "
            f"{'one' if stated else 'none'} is stated"
        )
        if found != stated:
            wrong = wrong or steps[-1]
        shown.setdefault(found, (S, R, D))
    evidence = computed(steps, wrong, "balanced tables, alpha = e^-5000")
    return with_trajectories(
        evidence, [_three_losses(*sizes, _SCALES[-1]) for sizes in shown.values()]
    )


_TRIED = (
    (4, 4, 2),
    (8, 8, 2),
    (4, 9, 2),
    (2, 4, 2),
    (2, 3, 2),
    (3, 3, 3),
    (8, 4, 8),
    (8, 5, 8),
    (16, 4, 8),
    (9, 2, 9),
    (6, 12, 6),
)
