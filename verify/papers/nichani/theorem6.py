"""Checks of Theorem 6 of Nichani et al. (Sec. 5) and of the steps that draw it from Lemmas 5 and 6."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from proofs.papers.nichani.training import sequential_steps
from verify.checks.computed import Comparison, Computed, compared, rounding
from verify.checks.section import Section, corrected
from verify.checks.trajectory import trajectory, with_trajectories
from verify.claim import Evidence
from verify.measuring.context import Context
from verify.papers.nichani.relations_first import courses, statement, statement_computed, titled
from verify.printed.formula import Formula, numbers

section = Section()

_SCOPE = "all tables under Assumption 1"


# -- the theorem ----------------------------------------------------------------------------------


section.check(corrected("nichani.thm6.stmt"), "proofs", method="potentials that only grow")(
    statement
)
section.check(corrected("nichani.thm6.stmt"), "numerics", method="flows from tiny weights")(
    statement_computed
)


# -- the steps ------------------------------------------------------------------------------------


_step = partial(section.argued, method="exact comparison")
_step(
    "nichani.thm6.eps",
    sequential_steps.accuracy,
    scope="0 < d_r <= sqrt(2), |A| >= 1",
    summary="sharpest at d = sqrt(2), |A| = 1",
)
_step(
    "nichani.thm6.tstar-iota",
    sequential_steps.runtime,
    scope="all positive p(r), d_r, epsilon",
    summary="1 + 100/100 = 2",
)
_step(
    "nichani.thm6.dinv",
    sequential_steps.distance,
    scope="all D >= 1",
    summary="1/D - 1/|A| >= 1/(2 D)",
)
_step(
    corrected("nichani.thm6.size-a"),
    sequential_steps.answer_count,
    scope="R >= 2, equal answer sets",
    summary="|A| = R D",
)
_step(
    corrected("nichani.thm6.tstar"),
    sequential_steps.time_bound,
    scope="all R, D >= 1",
    summary="the squares compare",
)
_step(
    ("nichani.thm6.subject-exp", *corrected("nichani.thm6.noise-exp")),
    sequential_steps.exponent,
    scope="all R, D >= 1 and iota > 0",
    summary="the exponents compare",
)
_step(
    "nichani.thm6.sqrt-alpha",
    lambda printed: sequential_steps.start(
        *numbers(printed, "epsilon", "alpha", "count", "chosen")
    ),
    scope="0 < d_r <= sqrt(2), |A| >= 1",
    summary="the exponents agree",
)
_step(
    "nichani.thm6.alpha-cond",
    sequential_steps.condition_on_alpha,
    scope="all T, |A| and epsilon",
    summary="alpha falls exponentially in iota",
)
_step(
    corrected("nichani.thm6.final-step"),
    sequential_steps.final_step,
    scope=_SCOPE,
    summary="R epsilon/(2 R) + epsilon/2 = epsilon",
)


# -- the steps, computed --------------------------------------------------------------------------


@section.values(
    "nichani.thm6.dinv",
    method="laws on D of A answers",
    slack=rounding(1e-9),
    scope="laws drawn and uniform, D up to 40",
)
def dinv_computed(answers: Fraction, square: Formula, context: Context) -> Iterator[Computed]:
    from numerics.papers.nichani.relations_first import inverse_distance

    for D in (1, 2, 3, 5, 10, 40):
        A = math.ceil(answers * D)
        bound = math.sqrt(square.real(D=D))
        largest = inverse_distance(D, A, seed=context.seed)
        yield f"1/|p - p0| at D = {D}, |A| = {A}", largest, 0.0, bound


@section.values(
    corrected("nichani.thm6.size-a"),
    method="answers counted in tables",
    scope="answers counted in small tables",
    slack=rounding(1e-9),
)
def _counted(equal: bool, factor: Fraction) -> Iterator[Any]:
    from numerics.papers.nichani.relations_first import answer_counts

    for R, D, A in answer_counts(equal=equal):
        yield f"|A| at R = {R}, D = {D}", A, float(factor * D), math.inf


@section.check(corrected("nichani.thm6.final-step"), "numerics", method="flows from tiny weights")
def _along(near: float, need: Formula, context: Context) -> Evidence:
    """(16) at each time of each flow, for the smallest epsilon that the hypotheses allow."""
    seen: list[Comparison] = []
    failed: list[dict[str, Any]] = []
    held: list[dict[str, Any]] = []
    for table, course in courses(context):
        epsilon = need.real(R=table.world.R) * course.averaged**0.5
        if near:
            epsilon = epsilon.clip(min=near * course.spread)
        # Below this both sides are rounding.
        told = epsilon > 1e-9
        worst = float((course.error[told] / epsilon[told]).max())
        step = f"{table.name}: the left side of (16) is up to {worst:.6g} epsilon"
        seen.append(Comparison(step, worst, -math.inf, 1.0, slack=rounding(absolute=1e-9)))
        picture = trajectory(
            titled(table),
            {
                "left side of eq. (16), largest over sequences": (course.times, course.error),
                "bound: epsilon as the hypotheses allow": (course.times, epsilon),
            },
            y="error in part (2), eq. (16)",
        )
        (held if seen[-1].holds else failed).append(picture)
    evidence = compared(seen, "flows from tiny weights, all times")
    return with_trajectories(evidence, [*failed, *held][:1])
