"""Checks of Theorem 6 of Nichani et al. (Sec. 5) and of the steps that draw it from Lemmas 5 and 6."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from proofs.papers.nichani.training import early_subjects, sequential, sequential_steps
from verify.checks.argument import conclude
from verify.checks.computed import Comparison, Computed, compared, computed, rounding
from verify.checks.section import Section, corrected
from verify.checks.trajectory import trajectory, with_trajectories
from verify.claim import Evidence, Printed
from verify.measuring.context import Context
from verify.printed.formula import floats, numbers

section = Section()

_SCOPE = "all tables under Assumption 1"


# -- the theorem ----------------------------------------------------------------------------------


def statement(printed: Printed, context: Context) -> Evidence:
    """By a proof with other bounds, or by a table where it fails for every alpha."""
    subjects, noise, power, relations, share = numbers(
        printed, "subjects", "noise", "power", "relations", "share"
    )
    close = sequential.ACCURACY
    if relations <= 1 <= share:  # the answers of a single relation are all of A
        argument = sequential.one_relation(subjects)
    else:
        argument = sequential.theorem(subjects, noise, power, share).refute(
            early_subjects.unreached(subjects, close)
            or early_subjects.too_large(subjects, power, close)
        )
    return conclude(
        argument,
        scope=f"R >= 2, |A_r| <= {share} |A| and all sizes; alpha and T* by their limits",
        summary=f"T* = {sequential.slowest(share)} R sqrt(D) log(1/alpha) and a little",
    )


#: How near (16) is wanted, and in the table with one large answer set, where |p*(.|r) - p0| is 1/513.
_CLOSE, _CLOSER = float(sequential.ACCURACY), 1e-3

#: Flows go a little beyond the time of the theorem.
_BEYOND = 1.2 * float(sequential.slowest(Fraction(1, 2)) or 0)

#: Subjects and answers of the table with one large answer set, and logarithms of its scales.
_LARGE, _SCALES = 512, (-50.0, -400.0)


def courses(context: Context) -> Iterator[tuple[Any, Any]]:
    """Flows of all tables from tiny weights, made once a run."""
    from numerics.papers.nichani.relations_first import course, tables

    def found() -> Iterator[tuple[Any, Any]]:
        for table in tables():
            world = table.world
            until = -_BEYOND * world.R * math.sqrt(world.D) * table.log_scale
            yield table, course(table, until=until)

    yield from context.once("relations first", lambda: list(found()))


def _asked(printed: Printed, S: int, R: int, D: int, A: int, noise: float) -> bool:
    """Whether the hypotheses as stated admit a table, of |N|/T = *noise*."""
    subjects, tokens, relations, share = floats(printed, "subjects", "noise", "relations", "share")
    least = R * math.sqrt(2 * D)
    return relations <= R and subjects * least <= S and noise >= tokens * least and share * A >= D


def statement_computed(printed: Printed, context: Context) -> Evidence:
    """Flows from tiny weights: (16) while subjects and noise are at most alpha^power."""
    from numerics.papers.nichani.lopsided import nearest_while_light

    power = printed["power"].real()
    steps: list[str] = []
    wrong = None
    failed: list[tuple[Any, Any]] = []
    reached: list[tuple[Any, Any]] = []

    def look(name: str, best: float, wanted: float) -> bool:
        nonlocal wrong
        steps.append(f"{name}: within {best:.3g} of p*(.|r) while subjects and noise are small")
        if best > wanted:
            wrong = wrong or steps[-1]
        return best <= wanted

    for table, course in courses(context):
        world = table.world
        if not _asked(printed, world.S, world.R, world.D, world.A, world.noise / world.T):
            continue
        light = course.light <= power * table.log_scale
        best = float(course.error[light].min()) if light.any() else math.inf
        kind = reached if look(table.name, best, _CLOSE) else failed
        kind.append((table, course))
    if _asked(printed, _LARGE, 2, _LARGE, _LARGE + 1, math.inf):
        for scale in _SCALES:
            best = nearest_while_light(_LARGE, scale, power)
            look(f"answer sets of {_LARGE} and 1, alpha = e^{scale:.0f}", best, _CLOSER)
    found = computed(
        steps, wrong, "flows from alpha = e^-400 and e^-30, epsilon = 1/100 and 1/1000"
    )
    shown = [p for pair in (*failed[:1], *reached[:1]) for p in pictures(*pair, power)]
    return with_trajectories(found, shown)


def pictures(table: Any, course: Any, power: float) -> Iterator[dict[str, Any]]:
    """The two parts of the theorem along a flow: how small weights are, and (16)."""
    name, scale = _titled(table), table.log_scale
    until = 2 * table.world.R * math.sqrt(table.world.D) * -scale
    shared: dict[str, Any] = {
        "moments": {
            r"$T^* = 2 R \sqrt{D} \log(1/\alpha)$": until,
            **_passed(course, power * scale),
        },
    }
    yield trajectory(
        f"{name}: the error in part (2), eq. (16)",
        {r"largest $|p^*(.|r) - \hat{p}|$ over all sequences": (course.times, course.error)},
        y="error in part (2), eq. (16)",
        levels={"epsilon": _CLOSE},
        **shared,
    )
    weights = {
        "largest of subjects and noise": course.light,
        "smallest relation": course.relation,
        "EOS": course.eos,
    }
    yield trajectory(
        f"{name}: the sizes of weights",
        {token: (course.times, log_kq / scale) for token, log_kq in weights.items()},
        y=r"k, where $W_{KQ} = \alpha^k$",
        levels={"allowed": power},
        note="A weight starts near k = 1 and is larger the lower its line; it is of order 1 at k = 0.",
        **shared,
    )


def _titled(table: Any) -> str:
    return rf"{table.name[0].upper()}{table.name[1:]}, $\alpha = e^{{{table.log_scale:g}}}$"


def _passed(course: Any, log_bound: float) -> dict[str, float]:
    """When a subject or noise token first is above the bound, if ever."""
    above = course.light > log_bound
    return {"subjects or noise too large from": course.times[above.argmax()]} if above.any() else {}


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
    (
        "nichani.thm6.subject-exp",
        *corrected("nichani.thm6.noise-exp"),
    ),
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
def dinv_computed(printed: Printed, context: Context) -> Iterator[Computed]:
    from numerics.papers.nichani.relations_first import inverse_distance

    for D in (1, 2, 3, 5, 10, 40):
        A = math.ceil(printed["answers"].number() * D)
        bound = math.sqrt(printed["square"].real(D=D))
        largest = inverse_distance(D, A, seed=context.seed)
        yield f"1/|p - p0| at D = {D}, |A| = {A}", largest, 0.0, bound


@section.values(
    corrected("nichani.thm6.size-a"),
    method="answers counted in tables",
    scope="answers counted in small tables",
    slack=rounding(1e-9),
)
def _counted(printed: Printed, context: Context) -> Iterator[Any]:
    from numerics.papers.nichani.relations_first import answer_counts

    for R, D, A in answer_counts(equal=bool(printed["equal"].number())):
        yield f"|A| at R = {R}, D = {D}", A, float(printed["factor"].number() * D), math.inf


def _along(printed: Printed, context: Context) -> Evidence:
    """(16) at each time of each flow, for the smallest epsilon that the hypotheses allow."""
    near = printed["near"].real()
    seen: list[Comparison] = []
    failed: list[dict[str, Any]] = []
    held: list[dict[str, Any]] = []
    for table, course in courses(context):
        need = printed["need"].real(R=table.world.R)
        epsilon = need * course.averaged**0.5
        if near:
            epsilon = epsilon.clip(min=near * course.spread)
        # Below this both sides are rounding.
        told = epsilon > 1e-9
        worst = float((course.error[told] / epsilon[told]).max())
        step = f"{table.name}: the left side of (16) is up to {worst:.6g} epsilon"
        seen.append(Comparison(step, worst, -math.inf, 1.0, slack=rounding(absolute=1e-9)))
        picture = trajectory(
            _titled(table),
            {
                "left side of eq. (16), largest over sequences": (course.times, course.error),
                "bound: epsilon as the hypotheses allow": (course.times, epsilon),
            },
            y="error in part (2), eq. (16)",
        )
        (held if seen[-1].holds else failed).append(picture)
    evidence = compared(seen, "flows from tiny weights, all times")
    return with_trajectories(evidence, [*failed, *held][:1])


for _suffix in ("", ".corrected"):
    _id = f"nichani.thm6.final-step{_suffix}"
    section.check(_id, "numerics", method="flows from tiny weights")(_along)
