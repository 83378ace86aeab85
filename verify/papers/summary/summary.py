"""Checks of a third party's summary of Nichani et al.: capacities and break conditions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from proofs.argument import Argument
from proofs.gradient_flow import symmetric
from proofs.hermite import coefficients, enclosures
from proofs.papers.nichani import orders, table_counting
from verify.checks.argument import conclude
from verify.checks.computed import computed
from verify.checks.section import Section, corrected
from verify.checks.trajectory import with_trajectories
from verify.claim import Cases, Evidence, Printed
from verify.measuring.context import Context
from verify.measuring.measure import Experiment, Statistic
from verify.papers.nichani.balanced_tables import CLOSE, SCALES, three_losses
from verify.papers.nichani.recall_orders import DRAWN, above_order, at_order, below_order, ntk_case
from verify.printed.formula import Formula
from verify.statistics import AtLeast, AtMost

section = Section()
_GROUP = "recall of memories"


section.argued(
    "summary.linear-capacity",
    orders.linear_order,
    method="closed form and sign patterns",
    scope="M = N, sphere embeddings, injective f; between d^2/(C log d) and 4 d^2",
    summary="d^2 up to a logarithm",
)


@section.measured(
    "summary.linear-capacity", method="recall below and above", group=_GROUP, builds=False
)
def linear_capacity_measured(power: Fraction) -> Cases:
    """At d = 64: d^power/(16 log d^power) facts are mostly recalled, d^power/8 are not."""
    d = 64

    def recalled(N: int) -> Statistic:
        experiment = Experiment("linear recall", _linear_recall, **DRAWN)
        return Statistic.of(experiment, "recalled", {"d": d, "N": N, "M": N})

    return at_order(power, d, recalled, least=below_order, most=above_order)


def _linear_recall(**arguments: Any) -> Mapping[str, Any]:
    from numerics.draws.linear_margin import failures
    from numerics.observables import Event

    return {"recalled": Event(1 - failures(**arguments).values)}


section.argued(
    corrected("summary.mlp-capacity"),
    orders.parameters_needed,
    method="bits against facts",
    scope="M = N, sphere embeddings; d^2 neurons, polynomial activations",
    summary="counting maps, and Theorem 9 corrected",
)


section.argued(
    "summary.orthogonal",
    lambda printed: orders.orthogonal_inputs(printed["most"].field(), attained=False),
    method="linear independence",
    scope="all d, every memory",
    summary="at most d inputs",
)


@section.check(
    corrected("summary.activation"), "proofs", method="Hermite coefficients by ball arithmetic"
)
def activation(printed: Printed) -> Evidence:
    """c_3 of each activation decides whether the mean margin at k = 2 vanishes."""
    argument = Argument()
    argument.infer(
        "the mean margin is sqrt(3) c_3 for every sigma with sigma' in L^2",
        "E[sigma'(<w, e_x>) h_2(<w, e_z>)] = sqrt(3) c_3 <e_x, e_z>^2, by parts and Lemma 15",
    )
    for name in ("tanh", "sin", "relu"):
        fails = bool(printed[name].number())
        exact = coefficients("relu", 3)[3] if name == "relu" else None
        vanishes = exact == 0 if exact is not None else False
        shown = str(exact) if exact is not None else _enclosed(argument, name)
        argument.true(f"{name}: whether the mean vanishes", vanishes == fails, f"c_3 = {shown}")
        if vanishes != fails:
            witness = {
                "sigma": name,
                "k": 2,
                "c_3": shown,
                "mean margin": "0" if vanishes else "sqrt(3) |c_3|, not 0",
            }
            argument.refute(witness)
    return conclude(
        argument,
        scope="k = 2; tanh and sin enclosed by balls, the ReLU exactly",
        summary="c_3 decides",
        bounded=True,
    )


def _enclosed(argument: Argument, name: str) -> str:
    """c_3 of a smooth activation; a line of the argument says that its ball excludes 0."""
    ball = enclosures.coefficient(name, 3)
    argument.true(f"{name}: the ball around c_3 excludes 0", not ball.contains(0), ball.str(8))
    return str(ball.str(8))


@section.measured(
    corrected("summary.activation"), method="recall at the sizes named", group=_GROUP, builds=False
)
def activation_measured(printed: Printed) -> Cases:
    sizes = {"d": 32, "N": 128, "M": 128, "m": 4096}
    return [
        ntk_case(name, 2, sizes, AtLeast(0.5) if printed[name].number() else AtMost(0.5))
        for name in ("tanh", "sin", "relu")
    ]


# -- parameters of the factual recall task --------------------------------------------------------


@section.check("summary.parameters", "proofs", method="counting tables, and Theorem 10")
def parameters(printed: Printed, context: Context) -> Evidence:
    known: Printed = context.formulas("nichani.thm10.statement")
    theorem = table_counting.Sufficient(
        width_of_r=known["width_of_r"].field(),
        width_of_d=known["width_of_d"].field(),
        width_power=int(known["width_power"].number()),
        heads=known["heads"].field(),
        heads_power=int(known["heads_power"].number()),
    )
    return conclude(
        table_counting.parameters_of_order(printed["order"].field(), theorem),
        scope="bits: every memory and D >= 2; sufficient for R >= D, by attention alone",
        summary="S R log2(D) bits, and H d d_h of Theorem 10",
    )


# -- when there is a stage of relations alone -----------------------------------------------------

#: (S, R, D) on both sides of the border.
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


@section.check(corrected("summary.plateau"), "proofs", method="certified times of balanced tables")
def plateau(printed: Printed) -> Evidence:
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
        found = symmetric.has_plateau(S, R, D, SCALES[-1])
        if found is not None and found != stated:
            witness = {
                "table": "balanced",
                "S": S,
                "R": R,
                "D": D,
                "alpha": f"e^{SCALES[-1]}",
                "plateau": "certified" if found else "certified not to be there",
            }
            break
    return conclude(
        argument.unless(witness),
        scope="balanced tables of all sizes R, D >= 2, small alpha",
        summary="S^2 (R - 1) against R^2 (D - 1)",
    )


@section.check(corrected("summary.plateau"), "numerics", method="flows of balanced tables")
def plateau_computed(converse: bool, ratio: Formula) -> Evidence:
    """Flows of balanced tables on both sides of the stated border."""
    from numerics.papers.nichani.relations_first import predicts_relation_alone

    steps: list[str] = []
    wrong = None
    shown: dict[bool, tuple[int, int, int]] = {}
    for S, R, D in _TRIED:
        stated = ratio.at(S=S, R=R, D=D) > 1
        if stated and not converse:
            continue
        found = predicts_relation_alone(S, R, D, SCALES[-1], float(CLOSE))
        steps.append(
            f"S = {S}, R = {R}, D = {D}: {'a' if found else 'no'} stage of relations alone, "
            f"{'one' if stated else 'none'} is stated"
        )
        if found != stated:
            wrong = wrong or steps[-1]
        shown.setdefault(found, (S, R, D))
    evidence = computed(steps, wrong, "balanced tables, alpha = e^-5000")
    return with_trajectories(
        evidence, [three_losses(*sizes, SCALES[-1]) for sizes in shown.values()]
    )
