"""Relations before subjects: what Theorem 6 of Nichani et al. states, and Sec. 5 of the first stage."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from proofs.papers.nichani.training import early_subjects, sequential
from verify.checks.argument import conclude
from verify.checks.computed import computed
from verify.checks.trajectory import trajectory, with_trajectories
from verify.claim import Evidence, Printed
from verify.measuring.context import Context
from verify.printed.formula import floats, numbers

#: How near (16) is wanted, and in the table with one large answer set, where |p*(.|r) - p0| is 1/513.
_CLOSE, _CLOSER = float(sequential.ACCURACY), 1e-3
#: Flows go a little beyond the time of the theorem.
_BEYOND = 1.2 * float(sequential.slowest(Fraction(1, 2)) or 0)
#: Subjects and answers of the table with one large answer set, and logarithms of its scales.
_LARGE, _SCALES = 512, (-50.0, -400.0)


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
    name, scale = titled(table), table.log_scale
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


def titled(table: Any) -> str:
    """What a picture calls a table."""
    return rf"{table.name[0].upper()}{table.name[1:]}, $\alpha = e^{{{table.log_scale:g}}}$"


def _passed(course: Any, log_bound: float) -> dict[str, float]:
    """When a subject or noise token first is above the bound, if ever."""
    above = course.light > log_bound
    return {"subjects or noise too large from": course.times[above.argmax()]} if above.any() else {}
