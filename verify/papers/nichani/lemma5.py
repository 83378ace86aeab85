"""Checks of Lemma 5 of Nichani et al. (App. D.3): growth of subject and noise weights."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from proofs.gradient_flow import columns
from proofs.papers.nichani.training import growth
from verify.checks.section import Section
from verify.checks.trajectory import trajectory, with_trajectories
from verify.claim import Evidence, Printed
from verify.measuring.context import Context
from verify.papers.nichani.flow_values import SHOWN, at_most, no_difference, on

section = Section()
_SCOPE = "all tables, priors, T, noise and alpha > 0"


section.argued(
    "nichani.lem5.update-s",
    decide=columns.subject_update,
    method="all sequences of a world, symbolic",
    scope="all tables, priors, T, noise and weights",
    summary="s stands once in the sequences with s",
)


@section.check("nichani.lem5.update-s", "numerics", method="gradients by torch")
def update_computed(printed: Printed, context: Context) -> Evidence:
    from numerics.flow import random
    from numerics.papers.nichani.flow_gradients import given, listed, small_worlds

    def found() -> Iterator[tuple[str, float, float]]:
        for number, world in enumerate(small_worlds(seed=context.seed)):
            weights = random(world, 0.8, seed=context.seed + number)
            all_ = listed(world, weights)
            for s in range(world.S):
                p, t, q = given(all_, all_.pairs[:, 0] == s)
                terms = on(printed["update"], w=weights.ov[:, s], k=weights.kq[s], p=p, t=t, q=q)
                gap = abs(-float(all_.gradient.kq[s]) - float(terms.sum()))
                yield f"world {number}, s = {s}", gap, float(abs(all_.gradient.kq).max())

    return no_difference(found(), "three small worlds, all sequences, random weights")


section.argued(
    "nichani.lem5.subject",
    decide=growth.subject_growth,
    method="Gronwall's inequality",
    scope=_SCOPE,
    summary="the rate is at most sqrt 2 p(s)",
)


@section.check("nichani.lem5.subject", "numerics", method="trajectories")
def subject_computed(printed: Printed, context: Context) -> Evidence:
    import numpy as np

    from numerics.papers.nichani.flow_bounds import growing, trajectories

    pictures: list[dict[str, Any]] = []

    def found() -> Iterator[tuple[str, float, float]]:
        flows = itertools.chain(growing(), (flow for _, flow in trajectories(seed=context.seed)))
        for number, flow in enumerate(flows):
            p = flow.world.prior.sum(1)
            grown = np.log(flow.kq[:, : flow.world.S] / flow.kq[0, : flow.world.S])
            if title := _title(number):
                most = int(grown[-1].argmax())
                bound = on(printed["rate"], p=p)[most] * flow.times
                pictures.append(_growth(title, flow.times, grown[:, most], bound, "a subject"))
            for i in range(6, len(flow), 6):
                excess = grown[i] - on(printed["rate"], p=p) * flow.times[i]
                s = int(excess.argmax())
                words = f"flow {number}, t = {flow.times[i]:.4g}, s = {s}: log of the growth"
                yield words, float(grown[i, s]), float(grown[i, s] - excess[s])

    evidence = at_most(found(), "flows with one answer from 1e-8, fifteen other trajectories")
    return with_trajectories(evidence, pictures)


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


section.argued(
    "nichani.lem5.noise",
    decide=growth.noise_growth,
    method="Gronwall's inequality",
    scope=_SCOPE,
    summary="the rate is at most sqrt 2 (T - 3)/|N|",
)


@section.check("nichani.lem5.noise", "numerics", method="trajectories")
def noise_computed(printed: Printed, context: Context) -> Evidence:
    import numpy as np

    from numerics.papers.nichani.flow_bounds import growing, trajectories

    pictures: list[dict[str, Any]] = []

    def found() -> Iterator[tuple[str, float, float]]:
        flows = itertools.chain(growing(), (flow for _, flow in trajectories(seed=context.seed)))
        for number, flow in enumerate(flows):
            if not flow.world.noise:
                continue
            rate = on(printed["rate"], T=flow.world.T, N=flow.world.noise)
            grown = np.log(flow.kq[:, -2] / flow.kq[0, -2])
            if title := _title(number):
                bound = rate * flow.times
                pictures.append(_growth(title, flow.times, grown, bound, "a noise token"))
            for i in range(6, len(flow), 6):
                words = f"flow {number}, t = {flow.times[i]:.4g}: log of the growth"
                yield words, float(grown[i]), float(rate * flow.times[i])

    evidence = at_most(
        found(), "flows with one answer from 1e-8, other trajectories, noise present"
    )
    return with_trajectories(evidence, pictures)


section.argued(
    "nichani.lem5.explicit.sharp",
    decide=growth.sharp_growth,
    method="Gronwall; a rare subject",
    scope=_SCOPE,
    summary="residuals are at most sqrt 2 long",
)


@section.check("nichani.lem5.explicit.sharp", "numerics", method="trajectories")
def sharp_computed(printed: Printed, context: Context) -> Evidence:
    import numpy as np

    from numerics.papers.nichani.flow_bounds import growing, rare_subject_growth, trajectories

    constant = float(printed["square"].number()) ** 0.5
    rare: dict[str, list[tuple[float, float]]] = {}

    def found() -> Iterator[tuple[str, float, float]]:
        for words, time, grown in rare_subject_growth():
            rare.setdefault(words, [(0.0, 0.0)]).append((time, grown))
            yield f"{words}, p t = {time:.4g}: log of the growth", grown, constant * time
        flows = itertools.chain(growing(), (flow for _, flow in trajectories(seed=context.seed)))
        for number, flow in enumerate(flows):
            world, last = flow.world, np.log(flow.kq / flow.kq[0])
            noise = on(printed["noise"], T=world.T)
            for i in range(6, len(flow), 6):
                t = flow.times[i]
                words = f"flow {number}, t = {t:.4g}"
                bounds = constant * world.prior.sum(1) * t
                s = int((last[i, : world.S] - bounds).argmax())
                yield f"{words}, s = {s}: log of the growth", float(last[i, s]), float(bounds[s])
                if world.noise:
                    bound = constant * noise * t / world.noise
                    yield f"{words}: noise", float(last[i, -2]), float(bound)

    evidence = at_most(found(), "rare subjects, flows with one answer, fifteen other trajectories")
    times = {words: [time for time, _ in points] for words, points in rare.items()}
    pictures = [
        trajectory(
            words.capitalize(),
            {
                r"log of the growth of $W_{KQ}(s)$": (times[words], [grown for _, grown in points]),
                "stated bound": (times[words], [constant * time for time in times[words]]),
                "p t": (times[words], times[words]),
            },
            x="p t",
            y="log of the growth since t = 0",
        )
        for words, points in rare.items()
    ]
    return with_trajectories(evidence, pictures)


section.argued(
    "nichani.lem5.noise-count",
    decide=growth.noise_count,
    method="listed; Cauchy-Schwarz",
    scope=_SCOPE,
    summary="E C(z) = (T - 3)/|N|, residuals at most sqrt 2 long",
)


@section.check("nichani.lem5.noise-count", "numerics", method="sequences and trajectories")
def noise_count_computed(printed: Printed, context: Context) -> Evidence:
    from numerics.flow import gradient
    from numerics.papers.nichani.flow_bounds import growing, trajectories
    from numerics.papers.nichani.flow_gradients import noise_counts

    def found() -> Iterator[tuple[str, float, float]]:
        for T, N, mean in noise_counts():
            yield f"T = {T}, |N| = {N}: E C(z)", mean, on(printed["count"], T=T, N=N)
        flows = itertools.chain(growing(), (flow for _, flow in trajectories(seed=context.seed)))
        for number, flow in enumerate(flows):
            world = flow.world
            if not world.noise:
                continue
            rate = on(printed["rate"], T=world.T, N=world.noise)
            for i in range(6, len(flow), 6):
                speed = -float(gradient(world, flow[i]).kq[-2])
                words = f"flow {number}, t = {flow.times[i]:.4g}: W_KQ(z)'/W_KQ(z)"
                yield words, speed / float(flow.kq[i, -2]), float(rate)

    return at_most(found(), "T up to 9, all sequences; trajectories with noise")
