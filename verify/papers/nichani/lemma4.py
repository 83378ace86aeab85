"""Checks of Lemma 4 and Corollary 3 of Nichani et al. (App. D.1), and of what else is conserved."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import ONE, ZERO
from proofs.argument import Argument
from proofs.gradient_flow import model
from proofs.papers.nichani.training import two_answers
from verify.checks.argument import conclude
from verify.checks.computed import Sides, at_most, integration, no_difference, rounding
from verify.checks.parameters import made_of
from verify.checks.section import Section
from verify.claim import Evidence, Printed
from verify.measuring.context import Context
from verify.printed.formula import Formula, fields, floats

if TYPE_CHECKING:
    from numerics.papers.nichani.flow_gradients import Listed

section = Section()
_EVERYWHERE = "all tables, priors, T, noise and weights"
_LISTED = "three small worlds, all sequences, random weights; gradients by torch"


# -- gradients ------------------------------------------------------------------------------------


def _terms(gradient: Formula, seed: int) -> Iterator[tuple[str, Listed, Any]]:
    """The stated terms of a gradient, each with the chance of its sequence."""
    from numerics.flow import random
    from numerics.papers.nichani.flow_gradients import listed, small_worlds

    for number, world in enumerate(small_worlds(seed=seed)):
        weights = random(world, 0.8, seed=seed + number)
        all_ = listed(world, weights)
        stated = gradient.on(
            k=weights.kq,
            w=weights.ov,
            C=all_.counts[:, None],
            t=all_.right[..., None],
            p=all_.predictions[..., None],
        )
        yield f"world {number}, T = {world.T}", all_, all_.chances[:, None, None] * stated


@section.both(
    "nichani.lem4.grad-ov",
    model.gradient_ov,
    method="one sequence differentiated",
    scope=_EVERYWHERE,
    summary="derived from the loss",
    measured="gradients by torch",
    judge=no_difference,
    slack=rounding(1e-6),
    looked=_LISTED,
)
def gradient_ov_computed(gradient: Formula, context: Context) -> Iterator[Sides]:
    for words, all_, terms in _terms(gradient, context.seed):
        gap = float(abs(terms.sum(0) - all_.gradient.ov).max())
        yield words, gap, float(abs(all_.gradient.ov).max())


@section.both(
    "nichani.lem4.grad-kq",
    model.gradient_kq,
    method="one sequence differentiated",
    scope=_EVERYWHERE,
    summary="derived from the loss",
    measured="gradients by torch",
    judge=no_difference,
    slack=rounding(1e-6),
    looked=_LISTED,
)
def gradient_kq_computed(gradient: Formula, context: Context) -> Iterator[Sides]:
    for words, all_, terms in _terms(gradient, context.seed):
        gap = float(abs(terms.sum((0, 1)) - all_.gradient.kq).max())
        yield words, gap, float(abs(all_.gradient.kq).max())


# -- conserved quantities -------------------------------------------------------------------------


def _conserved(printed: Printed) -> tuple[RationalFunction, RationalFunction]:
    square = printed["square"].field() if "square" in printed else ZERO
    return square, printed["each"].field()


@section.both(
    ("nichani.lem4.balance", "nichani.lem4.explicit.answers"),
    lambda printed: model.conserved(*_conserved(printed)),
    method="derivative along the flow",
    scope=f"{_EVERYWHERE} at the start",
    summary="its derivative along the flow is 0",
    measured="trajectories",
    looked="five worlds, Gaussian weights at the start",
    judge=no_difference,
    slack=integration(1e-6),
)
def conserved_computed(printed: Printed, context: Context) -> Iterator[Sides]:
    import numpy as np

    from numerics.papers.nichani.flow_bounds import free_trajectories

    for number, flow in enumerate(free_trajectories(seed=context.seed)):
        k, w = flow.kq, flow.ov
        a = np.arange(1, w.shape[1] + 1.0)[:, None]
        each = printed["each"].on(w=w, k=k[:, None], a=a) + 0 * w
        square = printed["square"].on(k=k) if "square" in printed else 0.0
        value = square - each.sum(1)
        drift = float(abs(value - value[0]).max())
        yield f"world {number}, t up to {flow.times[-1]:g}", drift, float(k.max() ** 2)


def two(printed: Printed) -> tuple[Argument, ...]:
    counts = fields(printed, "subjects", "relations", "noise")
    return made_of(two_answers.angles, printed), two_answers.relations(*counts)


@section.both(
    "nichani.lem4.explicit.two-answers",
    two,
    method="angles in place of weights",
    scope="all tables with two answers, priors, T and noise",
    summary="each column moves on a hyperbola, with the counts as speeds",
    measured="trajectories",
    looked="worlds with two answers, alpha = 0.01 and 0.5",
    judge=no_difference,
    slack=integration(1e-6),
)
def two_computed(printed: Printed, context: Context) -> Iterator[Sides]:
    import numpy as np

    from numerics.flow import residuals
    from numerics.papers.nichani.flow_bounds import two_answer_trajectories

    square, speed = floats(printed, "square", "speed")

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
            gap = float(abs(value - printed[name].on(T=world.T) * eos).max())
            yield f"{words}: {name}", gap, float(abs(eos).max())


# -- lower bounds ---------------------------------------------------------------------------------


def _bounded_below(claim: str, **bounds: str) -> None:
    """W_KQ/alpha against the square root of the bound of that name, from the start that goes with it."""

    @section.values(
        claim,
        method="trajectories",
        scope="five worlds, three scales, t up to 20",
        judge=at_most,
        slack=integration(1e-6),
    )
    def computed(printed: Printed, context: Context) -> Iterator[Sides]:
        from numerics import flow as flows
        from numerics.papers.nichani.flow_bounds import SCALES, worlds

        for number, world in enumerate(worlds(seed=context.seed)):
            for words, bound in bounds.items():
                start, square = getattr(flows, words), printed[bound].on(A=world.A)
                for scale in SCALES:
                    flow = flows.integrate(world, start(world, scale), until=20.0, samples=40)
                    least = float(flow.whole().kq.min()) / scale
                    place = f"world {number}, {words}, alpha = {scale:g}"
                    yield f"{place}: bound against the least W_KQ/alpha", math.sqrt(square), least


@section.check("nichani.cor3", "proofs", method="two conserved quantities")
def lower_bound(bound: RationalFunction) -> Evidence:
    A = RationalFunction.symbol("A")
    return conclude(
        model.lower_bound(bound, A + 1),
        scope="all tables, priors, T, noise and alpha > 0",
        summary="W_KQ never falls below its start",
    )


_bounded_below("nichani.cor3", balanced="bound")


@section.check("nichani.cor3.explicit.sharp", "proofs", method="two conserved quantities")
def sharp(bound: RationalFunction, equal: RationalFunction) -> Evidence:
    A = RationalFunction.symbol("A")
    return conclude(
        model.lower_bound(bound, A + 1),
        model.lower_bound(equal, ONE),
        scope="all tables, priors, T, noise and alpha > 0",
        summary="W_KQ never falls below its start",
    )


_bounded_below("nichani.cor3.explicit.sharp", balanced="bound", equal="equal")
