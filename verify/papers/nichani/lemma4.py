"""Checks of Lemma 4 and Corollary 3 of Nichani et al. (App. D.1), and of what else is conserved."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import ONE, ZERO
from proofs.gradient_flow import model
from proofs.papers.nichani.training import two_answers
from verify.checks.argument import conclude
from verify.checks.section import Section
from verify.claim import Evidence, Printed
from verify.measuring.context import Context
from verify.papers.nichani.flow_values import at_most, no_difference, on

if TYPE_CHECKING:
    from numerics.flow import FlowWorld, Weights
    from numerics.papers.nichani.flow_gradients import Listed

section = Section()
_EVERYWHERE = "all tables, priors, T, noise and weights"
_LISTED = "three small worlds, all sequences, random weights; gradients by torch"


# -- gradients ------------------------------------------------------------------------------------


section.argued(
    "nichani.lem4.grad-ov",
    decide=model.gradient_ov,
    method="one sequence differentiated",
    scope=_EVERYWHERE,
    summary="derived from the loss",
)


section.argued(
    "nichani.lem4.grad-kq",
    decide=model.gradient_kq,
    method="one sequence differentiated",
    scope=_EVERYWHERE,
    summary="derived from the loss",
)


def _listed(seed: int) -> Iterator[tuple[str, Weights, Listed]]:
    from numerics.flow import random
    from numerics.papers.nichani.flow_gradients import listed, small_worlds

    for number, world in enumerate(small_worlds(seed=seed)):
        weights = random(world, 0.8, seed=seed + number)
        yield f"world {number}, T = {world.T}", weights, listed(world, weights)


@section.check("nichani.lem4.grad-ov", "numerics", method="gradients by torch")
def gradient_ov_computed(printed: Printed, context: Context) -> Evidence:
    def found() -> Iterator[tuple[str, float, float]]:
        for words, weights, all_ in _listed(context.seed):
            stated = on(
                printed["gradient"],
                k=weights.kq,
                C=all_.counts[:, None],
                t=all_.right[..., None],
                p=all_.predictions[..., None],
            )
            mean = (all_.chances[:, None, None] * stated).sum(0)
            gap = float(abs(mean - all_.gradient.ov).max())
            yield words, gap, float(abs(all_.gradient.ov).max())

    return no_difference(found(), _LISTED)


@section.check("nichani.lem4.grad-kq", "numerics", method="gradients by torch")
def gradient_kq_computed(printed: Printed, context: Context) -> Evidence:
    def found() -> Iterator[tuple[str, float, float]]:
        for words, weights, all_ in _listed(context.seed):
            stated = on(
                printed["gradient"],
                k=weights.kq,
                w=weights.ov,
                C=all_.counts[:, None],
                t=all_.right[..., None],
                p=all_.predictions[..., None],
            )
            mean = (all_.chances[:, None, None] * stated).sum((0, 1))
            gap = float(abs(mean - all_.gradient.kq).max())
            yield words, gap, float(abs(all_.gradient.kq).max())

    return no_difference(found(), _LISTED)


# -- conserved quantities -------------------------------------------------------------------------


def _conserved(printed: Printed) -> tuple[RationalFunction, RationalFunction]:
    square = printed["square"].field() if "square" in printed else ZERO
    return square, printed["each"].field()


@section.check("nichani.lem4.balance", "proofs", method="derivative along the flow")
@section.check("nichani.lem4.explicit.answers", "proofs", method="derivative along the flow")
def conserved(printed: Printed, context: Context) -> Evidence:
    return conclude(
        model.conserved(*_conserved(printed)),
        scope=f"{_EVERYWHERE} at the start",
        summary="its derivative along the flow is 0",
    )


@section.check("nichani.lem4.balance", "numerics", method="trajectories")
@section.check("nichani.lem4.explicit.answers", "numerics", method="trajectories")
def conserved_computed(printed: Printed, context: Context) -> Evidence:
    import numpy as np

    from numerics.papers.nichani.flow_bounds import free_trajectories

    def found() -> Iterator[tuple[str, float, float]]:
        for number, flow in enumerate(free_trajectories(seed=context.seed)):
            k, w = flow.kq, flow.ov
            a = np.arange(1, w.shape[1] + 1.0)[:, None]
            each = on(printed["each"], w=w, k=k[:, None], a=a) + 0 * w
            square = on(printed["square"], k=k) if "square" in printed else 0.0
            value = square - each.sum(1)
            drift = float(abs(value - value[0]).max())
            yield f"world {number}, t up to {flow.times[-1]:g}", drift, float(k.max() ** 2)

    return no_difference(found(), "five worlds, Gaussian weights at the start")


@section.check("nichani.lem4.explicit.two-answers", "proofs", method="angles in place of weights")
def two(printed: Printed, context: Context) -> Evidence:
    return conclude(
        two_answers.angles(printed["square"].field(), printed["speed"].field()),
        two_answers.relations(
            *(printed[name].field() for name in ("subjects", "relations", "noise"))
        ),
        scope="all tables with two answers, priors, T and noise",
        summary="each column moves on a hyperbola, with the counts as speeds",
    )


@section.check("nichani.lem4.explicit.two-answers", "numerics", method="trajectories")
def two_computed(printed: Printed, context: Context) -> Evidence:
    import numpy as np

    from numerics.flow import residuals
    from numerics.papers.nichani.flow_bounds import two_answer_trajectories

    square, speed = (float(printed[name].number()) for name in ("square", "speed"))

    def found() -> Iterator[tuple[str, float, float]]:
        for alpha, flow in two_answer_trajectories(seed=context.seed):
            world = flow.world
            root = alpha * math.sqrt(square)
            lean = (flow.ov[:, 0] - flow.ov[:, 1]) / math.sqrt(2)
            phi = np.arcsinh(lean / root)
            words = f"{world}, alpha = {alpha:g}"
            yield (
                f"{words}: W_KQ",
                float(abs(flow.kq - root * np.cosh(phi)).max()),
                float(flow.kq.max()),
            )
            # phi' = W_OV-difference' / (root cosh phi) by Lemma 4, at each time.
            G = np.stack([residuals(world, weights)[0] for weights in flow.weights])
            pace = flow.kq * 2 * G / math.sqrt(2) / (root * np.cosh(phi))
            yield (
                f"{words}: speed",
                float(abs(pace - math.sqrt(speed) * G).max()),
                float(abs(G).max()),
            )
            S, R = world.S, world.R
            eos = phi[:, -1]
            sums = {
                "subjects": phi[:, :S].sum(1),
                "relations": phi[:, S : S + R].sum(1),
                "noise": world.noise * phi[:, -2],
            }
            for name, value in sums.items():
                gap = float(abs(value - on(printed[name], T=world.T) * eos).max())
                yield f"{words}: {name}", gap, float(abs(eos).max())

    return no_difference(found(), "worlds with two answers, alpha = 0.01 and 0.5")


# -- lower bounds ---------------------------------------------------------------------------------


def _bounded_below(
    bounds: Callable[
        [FlowWorld], Iterator[tuple[str, Callable[[FlowWorld, float], Weights], float]]
    ],
    seed: int,
) -> Evidence:
    """W_KQ/alpha against the square root of a bound, from the starts that go with it."""
    from numerics.flow import integrate
    from numerics.papers.nichani.flow_bounds import SCALES, worlds

    def found() -> Iterator[tuple[str, float, float]]:
        for number, world in enumerate(worlds(seed=seed)):
            for words, start, square in bounds(world):
                for scale in SCALES:
                    flow = integrate(world, start(world, scale), until=20.0, samples=40).whole()
                    least = float(flow.kq.min()) / scale
                    place = f"world {number}, {words}, alpha = {scale:g}"
                    yield f"{place}: bound against the least W_KQ/alpha", math.sqrt(square), least

    return at_most(found(), "five worlds, three scales, t up to 20")


@section.check("nichani.cor3", "proofs", method="two conserved quantities")
def lower_bound(printed: Printed, context: Context) -> Evidence:
    A = RationalFunction.symbol("A")
    return conclude(
        model.lower_bound(printed["bound"].field(), A + 1),
        scope="all tables, priors, T, noise and alpha > 0",
        summary="W_KQ never falls below its start",
    )


@section.check("nichani.cor3", "numerics", method="trajectories")
def lower_bound_computed(printed: Printed, context: Context) -> Evidence:
    from numerics.flow import balanced

    return _bounded_below(
        lambda world: iter([("balanced", balanced, on(printed["bound"], A=world.A))]), context.seed
    )


@section.check("nichani.cor3.explicit.sharp", "proofs", method="two conserved quantities")
def sharp(printed: Printed, context: Context) -> Evidence:
    A = RationalFunction.symbol("A")
    return conclude(
        model.lower_bound(printed["bound"].field(), A + 1),
        model.lower_bound(printed["equal"].field(), ONE),
        scope="all tables, priors, T, noise and alpha > 0",
        summary="W_KQ never falls below its start",
    )


@section.check("nichani.cor3.explicit.sharp", "numerics", method="trajectories")
def sharp_computed(printed: Printed, context: Context) -> Evidence:
    from numerics.flow import balanced, equal

    return _bounded_below(
        lambda world: iter(
            [
                ("balanced", balanced, on(printed["bound"], A=world.A)),
                ("equal", equal, on(printed["equal"], A=world.A)),
            ]
        ),
        context.seed,
    )
