"""Checks of Lemma 5 of Nichani et al. (App. D.3): growth of subject and noise weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from proofs.gradient_flow import columns
from proofs.papers.nichani.training import growth
from verify.checks.computed import Sides, at_most, integration, no_difference, rounding
from verify.checks.section import Section
from verify.checks.trajectory import trajectory
from verify.measuring.context import Context
from verify.papers.nichani.trajectories import SHOWN
from verify.printed.formula import Formula

if TYPE_CHECKING:
    from numerics.flow.integrate import Trajectory

section = Section()
_SCOPE = "all tables, priors, T, noise and alpha > 0"


def _flows(context: Context) -> Iterator[Trajectory]:
    """Flows with one answer from 1e-8, and the others."""
    from numerics.papers.nichani.flow_bounds import growing, trajectories

    yield from growing()
    yield from (flow for _, flow in trajectories(seed=context.seed))


@section.both(
    "nichani.lem5.update-s",
    columns.subject_update,
    method="all sequences of a world, symbolic",
    scope="all tables, priors, T, noise and weights",
    summary="s stands once in the sequences with s",
    measured="gradients by torch",
    looked="three small worlds, all sequences, random weights",
    judge=no_difference,
    slack=rounding(1e-6),
)
def update_computed(update: Formula, context: Context) -> Iterator[Sides]:
    from numerics.flow import random
    from numerics.papers.nichani.flow_gradients import given, listed, small_worlds

    for number, world in enumerate(small_worlds(seed=context.seed)):
        weights = random(world, 0.8, seed=context.seed + number)
        all_ = listed(world, weights)
        for s in range(world.S):
            p, t, q = given(all_, all_.pairs[:, 0] == s)
            terms = update.on(w=weights.ov[:, s], k=weights.kq[s], p=p, t=t, q=q)
            gap = abs(-float(all_.gradient.kq[s]) - float(terms.sum()))
            yield f"world {number}, s = {s}", gap, float(abs(all_.gradient.kq).max())


@section.both(
    "nichani.lem5.subject",
    growth.subject_growth,
    method="Gronwall's inequality",
    scope=_SCOPE,
    summary="the rate is at most sqrt 2 p(s)",
    measured="trajectories",
    looked="rare subjects, flows with one answer from 1e-8, fifteen other trajectories",
    judge=at_most,
    slack=integration(1e-6),
)
def subject_computed(rate: Formula, context: Context) -> Iterator[Any]:
    import numpy as np

    from numerics.papers.nichani.flow_bounds import RARE, rare_subject_growth

    for words, time, log in rare_subject_growth():
        stated = float(rate.on(p=RARE)) * time / RARE
        yield f"{words}, p t = {time:.4g}: log of the growth", log, stated
    for number, flow in enumerate(_flows(context)):
        p = flow.world.prior.sum(1)
        grown = np.log(flow.kq[:, : flow.world.S] / flow.kq[0, : flow.world.S])
        if title := _title(number):
            most = int(grown[-1].argmax())
            bound = rate.on(p=p)[most] * flow.times
            yield _growth(title, flow.times, grown[:, most], bound, "a subject")
        for i in range(6, len(flow), 6):
            excess = grown[i] - rate.on(p=p) * flow.times[i]
            s = int(excess.argmax())
            words = f"flow {number}, t = {flow.times[i]:.4g}, s = {s}: log of the growth"
            yield words, float(grown[i, s]), float(grown[i, s] - excess[s])


#: Of the flows with one answer, those that are drawn.
_LONE = {
    1: r"One answer, ten subjects, T = 3, $\alpha = 10^{-8}$",
    3: r"One answer, 30 noise tokens, T = 33, $\alpha = 10^{-8}$",
}


def _title(number: int) -> str | None:
    """What a flow is called that is drawn, by its number among the growing ones and the others."""
    from numerics.papers.nichani.flow_bounds import growing

    return _LONE.get(number) or SHOWN.get(number - len(growing()))


def _growth(title: str, times: Any, grown: Any, bound: Any, token: str) -> dict[str, Any]:
    """How a weight has grown, in logarithms, below its bound."""
    return trajectory(
        title,
        {f"W_KQ of {token}": (times, grown), "stated bound": (times, bound)},
        y="log of the growth since t = 0",
    )


@section.both(
    "nichani.lem5.noise",
    growth.noise_growth,
    method="Gronwall's inequality",
    scope=_SCOPE,
    summary="the rate is at most sqrt 2 (T - 3)/|N|",
    measured="trajectories",
    looked="flows with one answer from 1e-8, other trajectories, noise present",
    judge=at_most,
    slack=integration(1e-6),
)
def noise_computed(rate: Formula, context: Context) -> Iterator[Any]:
    import numpy as np

    for number, flow in enumerate(_flows(context)):
        if not flow.world.noise:
            continue
        bound = rate.on(T=flow.world.T, N=flow.world.noise) * flow.times
        grown = np.log(flow.kq[:, -2] / flow.kq[0, -2])
        if title := _title(number):
            yield _growth(title, flow.times, grown, bound, "a noise token")
        for i in range(6, len(flow), 6):
            words = f"flow {number}, t = {flow.times[i]:.4g}: log of the growth"
            yield words, float(grown[i]), float(bound[i])


@section.both(
    "nichani.lem5.explicit.sharp",
    growth.sharp_growth,
    method="Gronwall; a rare subject",
    scope=_SCOPE,
    summary="residuals are at most sqrt 2 long",
    measured="trajectories",
    looked="rare subjects, flows with one answer, fifteen other trajectories",
    judge=at_most,
    slack=integration(1e-6),
)
def sharp_computed(square: float, noise: Formula, context: Context) -> Iterator[Any]:
    import numpy as np

    from numerics.papers.nichani.flow_bounds import rare_subject_growth

    constant = square**0.5
    rare: dict[str, list[tuple[float, float]]] = {}
    for words, time, grown in rare_subject_growth():
        rare.setdefault(words, [(0.0, 0.0)]).append((time, grown))
        yield f"{words}, p t = {time:.4g}: log of the growth", grown, constant * time
    for number, flow in enumerate(_flows(context)):
        world, last = flow.world, np.log(flow.kq / flow.kq[0])
        for i in range(6, len(flow), 6):
            t = flow.times[i]
            words = f"flow {number}, t = {t:.4g}"
            bounds = constant * world.prior.sum(1) * t
            s = int((last[i, : world.S] - bounds).argmax())
            yield f"{words}, s = {s}: log of the growth", float(last[i, s]), float(bounds[s])
            if world.noise:
                bound = constant * noise.on(T=world.T) * t / world.noise
                yield f"{words}: noise", float(last[i, -2]), float(bound)
    for words, points in rare.items():
        times = [time for time, _ in points]
        yield trajectory(
            words.capitalize(),
            {
                r"log of the growth of $W_{KQ}(s)$": (times, [grown for _, grown in points]),
                "stated bound": (times, [constant * time for time in times]),
                "p t": (times, times),
            },
            x="p t",
            y="log of the growth since t = 0",
        )


@section.both(
    "nichani.lem5.noise-count",
    growth.noise_count,
    method="listed; Cauchy-Schwarz",
    scope=_SCOPE,
    summary="E C(z) = (T - 3)/|N|, residuals at most sqrt 2 long",
    measured="sequences and trajectories",
    looked="T up to 9, all sequences; trajectories with noise",
    judge=at_most,
    slack=integration(1e-6),
)
def noise_count_computed(count: Formula, rate: Formula, context: Context) -> Iterator[Sides]:
    from numerics.flow import gradient
    from numerics.papers.nichani.flow_gradients import noise_counts

    for T, N, mean in noise_counts():
        yield f"T = {T}, |N| = {N}: E C(z)", mean, count.on(T=T, N=N)
    for number, flow in enumerate(_flows(context)):
        world = flow.world
        if not world.noise:
            continue
        bound = float(rate.on(T=world.T, N=world.noise))
        for i in range(6, len(flow), 6):
            speed = -float(gradient(world, flow[i]).kq[-2])
            words = f"flow {number}, t = {flow.times[i]:.4g}: W_KQ(z)'/W_KQ(z)"
            yield words, speed / float(flow.kq[i, -2]), bound
