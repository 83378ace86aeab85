"""Checks of stages 2 and 3 of the proof of Lemma 6 of Nichani et al. (App. D.3): the norm stays large,
the flow converges."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import partial
from typing import Any

from proofs.algebra import RationalFunction
from proofs.gradient_flow import softmax
from proofs.papers.nichani.training import eos_first, excess_loss
from verify.checks.computed import Sides, Slack, equal, in_order, rounding
from verify.checks.section import Section, corrected
from verify.checks.trajectory import trajectory
from verify.claim import Printed
from verify.measuring.context import Context
from verify.papers.nichani.trajectories import TRAJECTORIES, counted, trajectories
from verify.printed.formula import Formula, floats

section = Section()
_both = partial(section.both, judge=in_order, group="gradient flow")

#: What central differences leave of a derivative.
_DIFFERENCES: dict[str, Any] = {
    "measured": "central differences",
    "looked": "two worlds at random weights",
    "slack": Slack("rounding of float64, and of central differences", 1e-9, 1e-8),
}
#: What cancellation may leave of gradients in float64.
_CANCELLED = 1e-13
_ANSWERS = {"n": RationalFunction.symbol("A")}


# -- gradients ------------------------------------------------------------------------------------


def _worlds(context: Context) -> Any:
    from numerics.papers.nichani.flow_escape import relation_gradients

    return relation_gradients(context.seed)


@_both(
    corrected("nichani.lem6.lbar-flow"),
    excess_loss.loss_along_flow,
    method="chain rule",
    scope="all tasks and weights",
    summary="minus the inner product",
    **_DIFFERENCES,
)
def _along_flow_seen(sign: float, context: Context) -> Iterator[Sides]:
    for found in itertools.chain(*_worlds(context)):
        yield from equal("(Lbar_r)'", found["change"], sign * found["product"])


@_both(
    corrected("nichani.lem6.lbar-grad"),
    excess_loss.relation_gradients,
    method="derivatives of log-sum-exp",
    scope="all tasks and weights",
    summary="both carry a minus",
    **_DIFFERENCES,
)
def _gradients_seen(printed: Printed, context: Context) -> Iterator[Sides]:
    sign, kq_power, p_power = floats(printed, "sign", "kq_power", "p_power")
    for found in itertools.chain(*_worlds(context)):
        factor = sign * found["kq"] ** kq_power * found["chance"] ** p_power
        yield from equal("gradient of Lbar_r", found["alone"], factor * found["own"])
        yield from equal("gradient of L_r", found["full"], factor * found["residual"])


#: Of the trajectories, those that are drawn.
_SHOWN = ("EOS first, p(1) = 9/10", "S = 12, R = 3, D = 2")


def _gradient_gap_drawn(bound: eos_first.TokenBound, context: Context) -> Iterator[dict[str, Any]]:
    """The relation that comes nearest to its bound, or is farthest beyond it."""
    import numpy as np

    for seen in trajectories(context):
        if seen.words in _SHOWN:
            gap, times = seen.gradient_gap[seen.allowed], seen.times[seen.allowed]
            gap[gap < _CANCELLED] = math.nan
            stated = 0 * gap + counted(bound, seen, seen.kq**2)
            r = int(np.nanmax(gap / stated, axis=0).argmax())
            lines = {
                "difference of the gradients": (times, gap[:, r]),
                "stated bound": (times, stated[:, r]),
            }
            y = r"difference over $p(r) W_{KQ}(r)$"
            yield trajectory(seen.words, lines, y=y, y_scale="log")


@_both(
    corrected("nichani.lem6.grad-diff"),
    eos_first.gradient_gap,
    method="softmax is 1/2-Lipschitz",
    scope="all tasks and priors, along the flow",
    summary="with EOS; half is enough",
    measured="trajectories",
    looked=TRAJECTORIES,
    slack=Slack("rounding of float64, and of gradients that cancel", 1e-9, 1e-13),
)
def _gradient_gap_seen(bound: eos_first.TokenBound, context: Context) -> Iterator[Any]:
    yield from _gradient_gap_drawn(bound, context)
    for seen in trajectories(context):
        yield seen.words, seen.gradient_gap[seen.allowed], counted(bound, seen, seen.kq**2)


@_both(
    corrected("nichani.lem6.rate-line"),
    excess_loss.squared_gradient,
    method="the gradient, squared",
    scope="all tasks and weights",
    summary="the norm is squared",
    **_DIFFERENCES,
)
def _squares_seen(printed: Printed, context: Context) -> Iterator[Sides]:
    kq_power, p_power, norm_power = floats(printed, "kq_power", "p_power", "norm_power")
    for world in _worlds(context):
        left = right = 0.0
        for found in world:
            left += float((found["full"] ** 2).sum())
            length = float((found["residual"] ** 2).sum()) ** 0.5
            scale = float(found["kq"][0]) ** kq_power * float(found["chance"][0]) ** p_power
            right += scale * length**norm_power
        yield from equal("the sum over relations", left, right)


# -- from the gradient to the loss ----------------------------------------------------------------


@_both(
    corrected("nichani.lem6.pstar-min"),
    excess_loss.least_answer,
    method="counting subjects",
    scope="all tables with equal chances of the facts",
    summary="at least 1/S",
    measured="laws of tables",
    looked="four tables",
    slack=rounding(1e-9),
)
def _least_answer_seen(level: Formula, strict: bool, context: Context) -> Iterator[Sides]:
    from numerics.flow import FlowWorld

    for S, R, D in ((6, 3, 2), (4, 2, 4), (9, 2, 3), (1, 1, 1)):
        law = FlowWorld.random(S, R, D, T=3, noise=0, seed=context.seed).relation_law()
        stated = level.on(math.inf, S=S, D=D) / S
        words = f"smallest p*(a|r), S = {S}, R = {R}, D = {D}"
        yield words, stated * (1 + 1e-6 * strict), law[law > 0].min()


@_both(
    "nichani.lem6.log-step",
    excess_loss.log_step,
    method="slopes of the logarithm",
    scope="all p* > 0",
    summary="2 log 2 is enough",
    measured="floating-point grid",
    looked="seven places",
    slack=rounding(1e-9),
)
def _log_step_seen(factor: float, within: float) -> Iterator[Sides]:
    for share in (-1.0, -0.9, -0.5, -0.01, 0.01, 0.5, 1.0):
        change = share * within
        stated = factor * abs(change)
        yield f"p-hat/p* = {1 + change:.6g}", abs(math.log1p(change)), stated


@_both(
    corrected("nichani.lem6.norm-1"),
    lambda printed: excess_loss.excess_by_norm(
        printed["first"].number(), printed["square"].field(_ANSWERS)
    ),
    method="Cauchy-Schwarz over all answers",
    scope="all tables with equal chances of the subjects, all p(r)",
    summary="with p(r) sqrt(|A|) in place of D",
    measured="laws near p*",
    looked="|A| = 2, 4, 9, D = 1, 2, 4; random changes, and equal ones",
    slack=rounding(1e-9),
)
def _norm_seen(first: float, square: Formula, context: Context) -> Iterator[Sides]:
    import numpy as np

    from numerics.papers.nichani.flow_inequalities import near_laws

    found = near_laws(context.seed)
    # Where a relation has all answers, there is no other one.
    lone = found["A"] == found["D"]
    for p in (0.5, 0.2):
        chance = np.where(lone, 1.0, p)
        stated = square.on(n=found["A"], D=found["D"], p=chance)
        norm = first * chance * found["l1"]
        yield f"Lbar_r - p(r) H, p(r) = {p}", chance * found["excess"], norm
        yield f"l1 norm, p(r) = {p}", norm, np.sqrt(stated) * found["q"]


@_both(
    "nichani.lem6.theta-convex",
    softmax.drop_by_size,
    method="convexity of log-sum-exp",
    scope="all laws of answers and all logits",
    summary="and Cauchy-Schwarz",
    measured="losses in float64",
    looked="random laws and logits, and small ones along p* - p0",
    slack=rounding(1e-9),
)
def _drop_seen(
    factor: float, p_power: float, spread_power: float, context: Context
) -> Iterator[Sides]:
    from numerics.papers.nichani.flow_inequalities import relation_samples

    found = relation_samples(context.seed)
    stated = factor * found["d"] ** spread_power * found["square"] ** 0.5
    for p in (1.0, 0.25):
        yield f"L_(r,0) - Lbar_r, p(r) = {p}", -p * found["change"], p**p_power * stated


@_both(
    corrected("nichani.lem6.theta-lower"),
    excess_loss.size_from_drop,
    method="the two facts together",
    scope="all laws of answers and all logits",
    summary="with 200",
    measured="losses in float64",
    looked="random laws and logits, and small ones along p* - p0",
    slack=rounding(1e-9),
)
def _size_seen(lower: float, drop: float, context: Context) -> Iterator[Sides]:
    from numerics.papers.nichani.flow_inequalities import relation_samples

    found = relation_samples(context.seed)
    fell = found["change"] < 0
    # The largest eps^2/(|A|+1) that the drop allows.
    largest = (-found["change"] * drop / found["d"])[fell]
    yield "|Theta|", largest / lower, (found["square"] ** 0.5)[fell]


# -- convergence ----------------------------------------------------------------------------------


def _stated_rate(printed: Printed, seen: Any) -> Any:
    """At what speed the loss is stated to fall at least, eps as large as |Theta| allows."""
    threshold, rate, p_power, norm_power = floats(
        printed, "threshold", "rate", "p_power", "norm_power"
    )
    total = (seen.chances**p_power * seen.residuals**norm_power).sum(axis=1)
    return threshold / rate * seen.least * total


@_both(
    "nichani.lem6.rate-final",
    excess_loss.loss_rate,
    method="gradient flow",
    scope="all tasks, along the flow",
    summary="W_KQ^2 is at least |Theta|",
    measured="trajectories",
    looked="two trajectories from Assumption 2 to small losses",
    slack=rounding(1e-9),
)
def _rate_seen(printed: Printed) -> Iterator[Any]:
    from numerics.papers.nichani.flow_escape import loss_rates

    for seen in loss_rates():
        stated, found = _stated_rate(printed, seen), -seen.change
        yield seen.words, stated, found
        yield trajectory(
            seen.words.capitalize(),
            {"-L'": (seen.times, found), "stated bound": (seen.times, stated)},
            x_scale="log",
            y="speed at which the loss falls",
            y_scale="log",
        )


@_both(
    "nichani.lem6.l0",
    lambda printed: excess_loss.initial_loss(
        printed["answers"].field(_ANSWERS), printed["least"].number()
    ),
    method="Assumption 2",
    scope="all tasks",
    summary="uniform predictions",
    measured="starts and trajectories",
    looked="two worlds at three scales, two trajectories",
    slack=rounding(1e-9),
)
def _initial_loss_seen(answers: Formula, least: float) -> Iterator[Any]:
    from numerics.papers.nichani.flow_escape import loss_rates, starts

    for world, scale, _, loss in starts():
        stated = answers.on(math.inf, n=world.A, D=world.D)
        words = f"e^L at the start, |A| = {world.A}, alpha = {scale}"
        yield from equal(words, math.exp(loss), stated)
    for seen in loss_rates():
        yield f"least loss, {seen.words}", least, seen.loss.min()
        yield trajectory(
            rf"{seen.words.capitalize()}, $\alpha$ = 1/1000",
            {"loss": (seen.times, seen.loss)},
            y="loss (nats)",
            levels={"log|A|": math.log(seen.answers), "stated least": least},
        )


@_both(
    corrected("nichani.lem6.window-length"),
    excess_loss.window_length,
    method="the loss cannot fall below 0",
    scope="all L and Sigma",
    summary="with 200",
    measured="floating-point grid",
    looked="losses that fall at exactly the stated rate",
    slack=rounding(1e-9),
)
def _window_seen(length: float, rate: float) -> Iterator[Sides]:
    for n, x, m, surplus in itertools.product((2, 9), (0.1, 1e-3), (1.0, 1e-4), (1e-3, 0.1)):
        window = length * (n + 1) * math.log(n) / (x * m)
        end = math.log(n) - x / (rate * (n + 1)) * m * (1 + surplus) * window
        yield f"L at the end, |A| = {n}, Sigma = {1 + surplus} eps_min^2 till then", end, 0.0
