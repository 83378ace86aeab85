"""Checks of Theorem 6 of Nichani et al. (Sec. 5) and of the steps that draw it from Lemmas 5 and 6."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from proofs.argument import Argument
from proofs.papers.nichani.training import early_subjects, sequential, sequential_steps
from verify.checks.argument import argued, conclude
from verify.checks.computed import Computed, computed, within
from verify.checks.section import Section
from verify.checks.trajectory import trajectory, with_trajectories
from verify.claim import Evidence, Printed
from verify.measuring.context import Context

section = Section()

_SCOPE = "all tables under Assumption 1"


def _numbers(printed: Printed, *names: str) -> list[Fraction]:
    return [printed[name].number() for name in names]


# -- the theorem ----------------------------------------------------------------------------------


def statement(printed: Printed, context: Context) -> Evidence:
    """By a proof with other bounds, or by a table where it fails for every alpha."""
    subjects, noise, power, relations, share = _numbers(
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

    key = "relations first"
    if key not in context.store:
        found = []
        for table in tables():
            world = table.world
            until = -_BEYOND * world.R * math.sqrt(world.D) * table.log_scale
            found.append((table, course(table, until=until)))
        context.store[key] = found
    yield from context.store[key]


def _asked(printed: Printed, S: int, R: int, D: int, A: int, noise: float) -> bool:
    """Whether the hypotheses as stated admit a table, of |N|/T = *noise*."""
    subjects, tokens, relations, share = (
        float(printed[name].number()) for name in ("subjects", "noise", "relations", "share")
    )
    least = R * math.sqrt(2 * D)
    return relations <= R and subjects * least <= S and noise >= tokens * least and share * A >= D


def statement_computed(printed: Printed, context: Context) -> Evidence:
    """Flows from tiny weights: (16) while subjects and noise are at most alpha^power."""
    from numerics.papers.nichani.lopsided import nearest_while_light

    power = float(printed["power"].number())
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


for _id in ("nichani.thm6.stmt", "nichani.thm6.stmt.corrected"):
    section.check(_id, "proofs", method="potentials that only grow")(statement)
    section.check(_id, "numerics", method="flows from tiny weights")(statement_computed)


# -- the steps ------------------------------------------------------------------------------------


def _step(
    ids: tuple[str, ...],
    decide: Callable[[Printed], Argument],
    scope: str,
    summary: str,
) -> None:
    for id_ in ids:
        section.pattern(
            argued,
            id_,
            lambda printed, context: decide(printed),
            method="exact comparison",
            scope=scope,
            summary=summary,
        )


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
    from numerics.papers.nichani.relations_first import inverse_distance

    def found() -> Iterator[Computed]:
        for D in (1, 2, 3, 5, 10, 40):
            A = math.ceil(printed["answers"].number() * D)
            bound = math.sqrt(float(printed["square"].field()(D=D).as_fraction()))
            largest = inverse_distance(D, A, seed=context.seed)
            yield f"1/|p - p0| at D = {D}, |A| = {A}", largest, 0.0, bound

    return within(found(), "laws drawn and uniform, D up to 40")


def _counted(printed: Printed, context: Context) -> Evidence:
    from numerics.papers.nichani.relations_first import answer_counts

    def found() -> Iterator[Computed]:
        for R, D, A in answer_counts(equal=bool(printed["equal"].number())):
            yield f"|A| at R = {R}, D = {D}", A, float(printed["factor"].number() * D), math.inf

    return within(found(), "answers counted in small tables")


def _along(printed: Printed, context: Context) -> Evidence:
    """(16) at each time of each flow, for the smallest epsilon that the hypotheses allow."""
    near = float(printed["near"].number())
    steps: list[str] = []
    wrong = None
    failed, held = [], []
    for table, course in courses(context):
        need = float(printed["need"].field()(R=table.world.R).as_fraction())
        epsilon = need * course.averaged**0.5
        if near:
            epsilon = epsilon.clip(min=near * course.spread)
        # Below this both sides are rounding.
        told = epsilon > _ROUNDING
        worst = float((course.error[told] / epsilon[told]).max())
        steps.append(f"{table.name}: the left side of (16) is up to {worst:.6g} epsilon")
        picture = trajectory(
            _titled(table),
            {
                "left side of eq. (16), largest over sequences": (course.times, course.error),
                "bound: epsilon as the hypotheses allow": (course.times, epsilon),
            },
            y="error in part (2), eq. (16)",
        )
        if worst > 1 + _ROUNDING:
            wrong = wrong or steps[-1]
            failed.append(picture)
        else:
            held.append(picture)
    evidence = computed(steps, wrong, "flows from tiny weights, all times")
    return with_trajectories(evidence, [*failed, *held][:1])


_ROUNDING = 1e-9

for _suffix in ("", ".corrected"):
    _id = f"nichani.thm6.size-a{_suffix}"
    section.check(_id, "numerics", method="answers counted in tables")(_counted)
    _id = f"nichani.thm6.final-step{_suffix}"
    section.check(_id, "numerics", method="flows from tiny weights")(_along)
