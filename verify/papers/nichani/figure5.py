"""Checks of Figure 5 of Nichani et al. (Sec. 5): start, plateau and end, and a trained softmax head."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from proofs.papers.nichani import training_stages as stages
from verify.checks.argument import conclude
from verify.checks.computed import Computed, computed, rounding
from verify.checks.section import Section, corrected
from verify.checks.trajectory import trajectory, with_trajectories
from verify.claim import Cases, Evidence, Printed
from verify.measuring.case import Case
from verify.measuring.context import Context
from verify.measuring.measure import Experiment, Source, Statistic
from verify.printed.formula import Formula
from verify.statistics import AtLeast, AtMost, Claimed
from verify.verdict import Verdict

if TYPE_CHECKING:
    from numerics.papers.nichani.figure5 import Curves, Run

section = Section()

_GROUP: dict[str, Any] = {"group": "figure 5"}
_SIZES = "S = 16, R = 4, D = 8, T = 32, 20 noise tokens"
#: Where the loss at the start is computed.
_STARTS: tuple[dict[str, int], ...] = (
    {},
    {"S": 15, "R": 2, "D": 3, "T": 7},
    {"S": 12, "R": 5, "D": 2, "T": 3},
)
#: Random tables, beside the balanced and the most uneven one; when the flow ends, and the stages.
_TABLES, _UNTIL, _STAGES = 3, 1e6, 1000.0
_SCALE = 1e-5
_FLOWS = f"{_SIZES}, all weights 1e-5, {_TABLES + 2} tables, gradient flow"
#: How near p-hat comes to p*(. | r), the loss then to its level, and at the end to its limit.
_NEAR, _LEVEL, _END = 1 / 125, 0.02, 1e-4
#: Steps of the softmax head; seeds at most.
_STEPS, _SEEDS = 400, 3


# -- the start ------------------------------------------------------------------------------------


@section.both(
    "nichani.fig5.init",
    stages.uniform_start,
    method="equal logits",
    scope="all S, R, D, T and tables; all weights equal",
    summary="every prediction is 1/|A|",
    measured="loss at equal weights",
    looked="three sizes, random tables, all weights 1e-5",
    slack=rounding(1e-9),
    **_GROUP,
)
def init_computed(answers: Formula, context: Context) -> Iterator[Computed]:
    from numerics.flow import equal, losses
    from numerics.papers.nichani.figure5 import Sizes

    for place in _STARTS:
        sizes = Sizes(**place)
        world = sizes.world(context.seed)
        stated = answers.real(S=sizes.S, R=sizes.R, D=sizes.D)
        level = math.log(stated) if stated > 0 else math.nan
        value = losses(world, equal(world, _SCALE)).total
        yield f"S = {sizes.S}, R = {sizes.R}, D = {sizes.D}: loss", value, level, level


# -- the runs of the linear attention model -------------------------------------------------------


def _runs(context: Context) -> list[Run]:
    """The flows that the claims share: random tables, the balanced one, the most uneven one."""
    from numerics.papers.nichani.figure5 import Sizes, run

    def made() -> list[Run]:
        sizes, seeds = Sizes(), ((context.seed + k) % 2**64 for k in range(_TABLES))
        worlds = {f"random table {k}": sizes.world(seed) for k, seed in enumerate(seeds, 1)}
        worlds |= {"balanced table": sizes.balanced(), "uneven table": sizes.uneven()}
        return [
            run(name, world, scale=_SCALE, until=_UNTIL, dense=_STAGES)
            for name, world in worlds.items()
        ]

    found: list[Run] = context.once(("figure 5", "runs"), made)
    return found


def _losses_of(title: str, curves: Curves, **axes: Any) -> dict[str, Any]:
    """The three losses of a run."""
    losses = {
        "total loss": curves.total,
        "relation-only loss": curves.relation_only,
        "subject-only loss": curves.subject_only,
    }
    return trajectory(
        title,
        {name: (curves.at, values) for name, values in losses.items()},
        y="loss (nats)",
        **axes,
    )


def _stages_of(runs: list[Run], printed: Printed | None = None) -> list[dict[str, Any]]:
    """The first random table, the balanced one and the most uneven one, until the end; with the level
    that is *printed* where it is not that of the table."""
    return [_stage_of(run, printed) for run in [*runs[:1], *runs[_TABLES:]]]


def _stage_of(run: Run, printed: Printed | None) -> dict[str, Any]:
    levels, note = {"H(a*|r)": run.level}, ""
    stated = _level(printed, run) if printed else math.nan
    if printed and math.isfinite(stated) and not math.isclose(stated, run.level):
        levels[f"printed: log {printed['ratio']}"] = stated
        note = _rest(run)
    return _losses_of(
        _title(run),
        run.curves,
        x_scale="log",
        levels=levels,
        moments={"nearest to p*(.|r)": float(run.curves.at[run.nearest])},
        note=note,
    )


def _rest(run: Run) -> str:
    """Where the loss is at rest, in words."""
    if run.plateau is None:
        return "The loss is nowhere at rest."
    ends = [run.plateau.first, run.plateau.last]
    (start, stop), (high, low) = run.curves.at[ends], run.curves.total[ends]
    return (
        f"The total loss rests from t = {start:.3g} to {stop:.3g}, where it falls from {high:.3g} to "
        f"{low:.3g} only."
    )


def _title(run: Run) -> str:
    """The name of its table; and how many subjects the answers have where it is uneven."""
    name = run.name.capitalize()
    if run.name != "uneven table":
        return name
    # All relations are alike in it.
    counts = sorted(run.subjects_of_answers, reverse=True)[:: run.world.R]
    return f"{name}, answers of {', '.join(map(str, counts))} subjects"


def _level(printed: Printed, run: Run) -> float:
    """The stated level at the table of a run; NaN where it is not defined."""
    S, R, D = run.world.S, run.world.R, run.world.D
    total = 0.0
    try:
        for n in run.subjects_of_answers:
            place = {"n": n, "S": S, "R": R, "D": D}
            total += printed["weight"].real(**place) * math.log(printed["ratio"].real(**place)) / R
    except (ValueError, ZeroDivisionError):
        return math.nan
    return total


# -- the plateau ----------------------------------------------------------------------------------


section.argued(
    corrected("nichani.fig5.plateau"),
    stages.plateau_level,
    method="entropy",
    scope="all tables and sizes, all facts equally likely",
    summary="the entropy of a* given r; log D where p*(. | r) is uniform over D answers",
)


@section.values(
    (*corrected("nichani.fig5.plateau"), "nichani.fig5.plateau.explicit.run"),
    method="gradient flow",
    scope=_FLOWS,
    slack=rounding(1e-9),
    **_GROUP,
)
def plateau_computed(
    printed: Printed, context: Context, reach: float = _NEAR, near: float = _LEVEL
) -> Iterator[Any]:
    yield from _stages_of(_runs(context), printed)
    for run in _runs(context):
        level, rest = _level(printed, run), run.plateau
        nearest = run.nearest
        losses = run.curves.total
        time = f"{run.name}, t = {run.curves.at[nearest]:.0f}"
        yield f"{time}: distance to p*(. | r)", run.distances[nearest], 0.0, reach
        yield f"{time}: loss", losses[nearest], level - near, level + near
        yield (
            f"{time}, on the longest stretch at rest",
            float(rest is not None and rest.first <= nearest <= rest.last),
            1.0,
            1.0,
        )
        if "ceiling" in printed:
            S, R, D = run.world.S, run.world.R, run.world.D
            top = printed["ceiling"].real(S=S, R=R, D=D)
            excess = run.level - math.log(top) if top > 0 else math.nan
            # Only the balanced table reaches the ceiling.
            low, high = (0.0, 0.0) if run.name == "balanced table" else (-math.inf, -_LEVEL)
            yield f"{run.name}: level above the ceiling", excess, low, high


@section.check("nichani.fig5.plateau.explicit.tables", "proofs", method="binomial sum")
def tables(low: Fraction, high: Fraction) -> Evidence:
    found = conclude(
        stages.random_tables(low, high),
        scope="S = 16, D = 8, every R",
        summary="1.826 expected, log 8 with probability below 10^-14 at R = 4",
    )
    if found.verdict is not Verdict.PROVED:
        return found
    return replace(found, verdict=Verdict.CERTIFIED)


@section.measured("nichani.fig5.plateau.explicit.tables", method="random tables", **_GROUP)
def tables_measured(low: float, high: float) -> Cases:
    source = Source(Experiment("levels of random tables", _draw_levels), "level", {"S": 16, "D": 8})
    bounds: dict[str, Claimed] = {"lower": AtLeast(low), "upper": AtMost(high)}
    return [
        Case(f"E H(a*|r), {end} end", source.sizes, Statistic((source,)), bound)
        for end, bound in bounds.items()
    ]


def _draw_levels(**arguments: Any) -> Mapping[str, Any]:
    from numerics.papers.nichani.figure5 import random_levels

    return random_levels(**arguments)


# -- the end --------------------------------------------------------------------------------------


@section.both(
    "nichani.fig5.converge",
    stages.converges,
    method="Theorem 5 from equal weights",
    scope="gradient flow, all tables and sizes, every alpha > 0",
    summary="W_KQ stays at least alpha, and so Theorem 5 applies",
    measured="gradient flow",
    looked=f"{_SIZES}, {_TABLES + 2} tables, until t = 1e6",
    slack=rounding(1e-9),
    **_GROUP,
)
def converge_computed(limit: float, ov: float, key: float, context: Context) -> Iterator[Any]:
    from numerics.papers.nichani.figure5 import end_of

    yield from _stages_of(_runs(context))
    for run in _runs(context):
        same = (ov, key) == (1.0, 1.0)
        start = (_SCALE * ov, _SCALE * key)
        end = run.curves.total[-1] if same else end_of(run.world, *start, until=_UNTIL)
        yield f"{run.name}: loss at t = 1e6", end, limit - _END, limit + _END


# -- the other losses -----------------------------------------------------------------------------


@section.both(
    "nichani.fig5.relation-loss",
    stages.near_plateau,
    method="mass that can be moved",
    scope="S = 16, R = 4, D = 8, every T and table; wherever p-hat is so near to p*(. | r)",
    summary="0 and the level for p*(. | r) itself, the rest by Cauchy-Schwarz",
    measured="gradient flow",
    looked=_FLOWS,
    slack=rounding(1e-9),
    **_GROUP,
)
def relation_loss_computed(
    reach: float, most: float, gap: float, floor: float, small: str, large: str, context: Context
) -> Iterator[Any]:
    yield from _stages_of(_runs(context))
    for run in _runs(context):
        near = run.distances <= reach
        least = run.level - gap
        words = f"{run.name}: while within {reach:g} of p*(. | r)"
        yield f"{words}, samples", float(near.sum()), 1.0, math.inf
        if run.has_all_answers:
            yield f"{run.name}: level", run.level, floor, math.inf
        lost = {name: _losses(run.curves, name)[near] for name in (small, large)}
        yield f"{words}, largest {small} loss", lost[small].max(), 0.0, most
        yield f"{words}, least {large} loss", lost[large].min(), least, math.inf
        yield f"{words}, least total", run.curves.total[near].min(), least, math.inf


def _losses(curves: Curves, name: str) -> Any:
    return {
        "relation": curves.relation_only,
        "subject": curves.subject_only,
        "total": curves.total,
    }[name]


# -- the softmax head -----------------------------------------------------------------------------


@section.check("nichani.fig5.right", "numerics", method="training", seconds=240.0, **_GROUP)
def right(most: float, least: float, small: str, large: str, context: Context) -> Evidence:
    steps: list[str] = []
    pictures = [
        _losses_of(f"Training, seed {seed}", curves, x="step")
        for seed, curves in _trainings(context).items()
    ]
    for seed, curves in _trainings(context).items():
        low, high = (_losses(curves, name) for name in (small, large))
        inside = (low <= most) & (high >= least)
        where = f"seed {seed}"
        if not inside.any():
            wanted = f"{small} loss <= {most:g} and {large} loss >= {least:g}"
            found = computed(steps, f"{where}: no step with a {wanted}", where)
            return with_trajectories(found, pictures)
        steps.append(
            f"{where}: steps {curves.at[inside][0]:.0f} to {curves.at[inside][-1]:.0f} of {_STEPS}, "
            f"{small} {low[inside].min():.3g}, {large} {high[inside].max():.3g} nats"
        )
    found = computed(steps, None, f"{_SIZES}, d = 512, d_h = 64, {len(steps)} trainings")
    return with_trajectories(found, pictures)


def _trainings(context: Context) -> dict[int, Curves]:
    """The losses of heads trained from some seeds."""
    from numerics.papers.nichani.figure5 import Sizes, curves_of_training, softmax_head

    def trained(seed: int) -> Curves:
        training = softmax_head(Sizes(), d=512, d_h=64, rate=2.0, batch=512, seed=seed)
        training.run(_STEPS)
        return curves_of_training(training)

    count = min(2 * context.profile.effort, _SEEDS)
    seeds = [(context.seed + k) % 2**64 for k in range(count)]
    found: dict[int, Curves] = context.once(
        ("figure 5", "trainings"), lambda: {seed: trained(seed) for seed in seeds}
    )
    return found
