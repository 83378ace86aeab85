"""Checks of Theorem 6 of Nichani et al. (Sec. 5) and of the steps that draw it from Lemmas 5 and 6."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from proofs.gradient_flow import early_subjects, sequential, sequential_steps
from proofs.gradient_flow.sequential_steps import Outcome
from verify.checks.argument import conclude
from verify.checks.computed import Computed, computed, within
from verify.claim import Evidence, Printed
from verify.context import Context
from verify.section import Section

section = Section()

_SCOPE = "all tables under Assumption 1"


# -- the theorem ----------------------------------------------------------------------------------


def statement(printed: Printed, context: Context) -> Evidence:
    """By a proof with other bounds, or by a table where it fails for every alpha."""
    subjects, noise, power, relations = (
        printed[name].number() for name in ("subjects", "noise", "power", "relations")
    )
    close = sequential.ACCURACY
    if relations <= 1:
        argument, witness = sequential.one_relation(subjects)
    else:
        witness = early_subjects.unreached(subjects, close)
        witness = witness or early_subjects.too_large(subjects, power, close)
        argument = sequential.theorem(subjects, noise, power)
    return conclude(
        argument,
        scope="R >= 2, |A_r| <= |A|/2 and all sizes; alpha and T* by their limits",
        summary=f"T* = {sequential.LEAD} R sqrt(D) log(1/alpha) and a little",
        counterexample=witness,
    )


#: Scales, in logarithms, and how near (16) is wanted.
LOG_SCALE, _CLOSE = -400.0, float(sequential.ACCURACY)


def courses(context: Context) -> Iterator[tuple[Any, Any]]:
    """Flows of all tables from e^-400, made once a run."""
    from numerics.experiments.relations_first import course, tables

    key = ("relations first", LOG_SCALE)
    if key not in context.store:
        found = []
        for table in tables():
            world = table.world
            until = -1.2 * sequential.LEAD * world.R * math.sqrt(world.D) * LOG_SCALE
            found.append((table, course(table, LOG_SCALE, until=until)))
        context.store[key] = found
    yield from context.store[key]


def statement_computed(printed: Printed, context: Context) -> Evidence:
    """Flows from weights of e^-400: (16) while subjects and noise are at most alpha^power."""
    subjects, noise, power, relations = (
        float(printed[name].number()) for name in ("subjects", "noise", "power", "relations")
    )
    steps: list[str] = []
    wrong = None
    for table, course in courses(context):
        world = table.world
        root = math.sqrt(2 * world.D)
        if relations > world.R or subjects * world.R * root > world.S:
            continue
        if world.noise < noise * world.R * root * world.T:
            continue
        light = course.light <= power * LOG_SCALE
        best = float(course.error[light].min()) if light.any() else math.inf
        steps.append(
            f"{table.name}: within {best:.3g} of p*(.|r) while subjects and noise are small"
        )
        if best > _CLOSE:
            wrong = wrong or steps[-1]
    return computed(steps, wrong, "flows from alpha = e^-400, epsilon = 1/100")


for _id in ("nichani.thm6.stmt", "nichani.thm6.stmt.corrected"):
    section.check(_id, "proofs", method="potentials that only grow")(statement)
    section.check(_id, "numerics", method="flows from tiny weights")(statement_computed)


# -- the steps ------------------------------------------------------------------------------------


def _step(
    ids: tuple[str, ...],
    decide: Callable[[Printed], Outcome],
    scope: str,
    summary: str,
    method: str = "exact comparison",
) -> None:
    def check(printed: Printed, context: Context) -> Evidence:
        argument, witness = decide(printed)
        return conclude(argument, scope=scope, summary=summary, counterexample=witness)

    for id_ in ids:
        section.check(id_, "proofs", method=method)(check)


def _numbers(printed: Printed, *names: str) -> list[Fraction]:
    return [printed[name].number() for name in names]


_step(
    ("nichani.thm6.eps",),
    lambda printed: sequential_steps.accuracy(*_numbers(printed, "chosen", "wanted", "product")),
    "0 < d_r <= sqrt(2), |A| >= 1",
    "sharpest at d = sqrt(2), |A| = 1",
)
_step(
    ("nichani.thm6.tstar-iota",),
    lambda printed: sequential_steps.runtime(*_numbers(printed, "least", "factor")),
    "all positive p(r), d_r, epsilon",
    "1 + 100/100 = 2",
)
_step(
    ("nichani.thm6.dinv",),
    lambda printed: sequential_steps.distance(
        printed["square"].field(), printed["answers"].number()
    ),
    "all D >= 1",
    "1/D - 1/|A| >= 1/(2 D)",
)
_step(
    ("nichani.thm6.size-a", "nichani.thm6.size-a.corrected"),
    lambda printed: sequential_steps.answer_count(
        printed["factor"].number(), bool(printed["equal"].number())
    ),
    "R >= 2, equal answer sets",
    "|A| = R D",
)
_step(
    ("nichani.thm6.tstar", "nichani.thm6.tstar.corrected"),
    lambda printed: sequential_steps.time_bound(printed["lead"].field(), printed["under"].field()),
    "all R, D >= 1",
    "the squares compare",
)
_step(
    (
        "nichani.thm6.subject-exp",
        "nichani.thm6.noise-exp",
        "nichani.thm6.noise-exp.corrected",
    ),
    lambda printed: sequential_steps.exponent(
        printed["time"].number(),
        printed["under"].field(),
        *_numbers(printed, "size", "rest"),
    ),
    "all R, D >= 1 and iota > 0",
    "the exponents compare",
)
_step(
    ("nichani.thm6.sqrt-alpha",),
    lambda printed: sequential_steps.start(
        *_numbers(printed, "epsilon", "alpha", "count", "chosen")
    ),
    "0 < d_r <= sqrt(2), |A| >= 1",
    "the exponents agree",
)
_step(
    ("nichani.thm6.alpha-cond",),
    lambda printed: sequential_steps.condition_on_alpha(*_numbers(printed, "constant", "rate")),
    "all T, |A| and epsilon",
    "alpha falls exponentially in iota",
)
_step(
    ("nichani.thm6.final-step", "nichani.thm6.final-step.corrected"),
    lambda printed: sequential_steps.final_step(printed["need"].field(), printed["near"].number()),
    _SCOPE,
    "R epsilon/(2 R) + epsilon/2 = epsilon",
)


# -- the steps, computed --------------------------------------------------------------------------


@section.check("nichani.thm6.dinv", "numerics", method="laws on D of A answers")
def dinv_computed(printed: Printed, context: Context) -> Evidence:
    from numerics.experiments.relations_first import inverse_distance

    def found() -> Iterator[Computed]:
        for D in (1, 2, 3, 5, 10, 40):
            A = math.ceil(printed["answers"].number() * D)
            bound = math.sqrt(float(printed["square"].field()(D=D).as_fraction()))
            largest = inverse_distance(D, A, seed=context.seed)
            yield f"1/|p - p0| at D = {D}, |A| = {A}", largest, 0.0, bound

    return within(found(), "laws drawn and uniform, D up to 40")


def _counted(printed: Printed, context: Context) -> Evidence:
    from numerics.experiments.relations_first import answer_counts

    def found() -> Iterator[Computed]:
        for R, D, A in answer_counts(equal=bool(printed["equal"].number())):
            yield f"|A| at R = {R}, D = {D}", A, float(printed["factor"].number() * D), math.inf

    return within(found(), "answers counted in small tables")


def _along(printed: Printed, context: Context) -> Evidence:
    """(16) at each time of each flow, for the smallest epsilon that the hypotheses allow."""
    near = float(printed["near"].number())
    steps: list[str] = []
    wrong = None
    for table, course in courses(context):
        need = float(printed["need"].field()(R=table.world.R).as_fraction())
        epsilon = need * course.averaged**0.5
        if near:
            epsilon = epsilon.clip(min=near * course.spread)
        # Below this both sides are rounding.
        told = epsilon > _ROUNDING
        worst = float((course.error[told] / epsilon[told]).max())
        steps.append(f"{table.name}: the left side of (16) is up to {worst:.6g} epsilon")
        if worst > 1 + _ROUNDING:
            wrong = wrong or steps[-1]
    return computed(steps, wrong, "flows from alpha = e^-400, all times")


_ROUNDING = 1e-9

for _suffix in ("", ".corrected"):
    _id = f"nichani.thm6.size-a{_suffix}"
    section.check(_id, "numerics", method="answers counted in tables")(_counted)
    _id = f"nichani.thm6.final-step{_suffix}"
    section.check(_id, "numerics", method="flows from tiny weights")(_along)
