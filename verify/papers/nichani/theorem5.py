"""Checks of Theorem 5 of Nichani et al. and of its proof (Sec. 5, App. D.2): the flow converges."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from proofs.algebra import RationalFunction
from proofs.argument import Argument
from proofs.gradient_flow import columns
from proofs.gradient_flow import loss as loss_theory
from proofs.papers.nichani.training import convergence
from verify.checks.computed import Sides, at_most, computed, integration, no_difference, rounding
from verify.checks.section import Section
from verify.checks.trajectory import trajectory
from verify.claim import Evidence, Printed
from verify.measuring.context import Context
from verify.papers.nichani.trajectories import SHOWN
from verify.printed.formula import Formula, floats

section = Section()
_TABLES = "all tables with disjoint A_r, priors, T and noise"
#: When the loss is looked at, and how small it should be then.
_LATE, _SMALL = 200.0, 0.1
#: Until when its picture is drawn, and from which scales.
_SEEN, _SCALES = 1e7, (1.0, 0.01)
#: (alpha, angle of EOS) of points of a flow with one answer.
_POINTS = (
    (54.0, 1e-13),
    (54.0, 1.2e-4),
    (54.0, 3e-4),
    (1.0, 0.05),
    (1.0, 0.7),
    (0.3, 1.0),
    (0.3, 2.0),
    (0.02, 4.6),
    (0.02, 5.0),
    (1e-9, 22.0),
)


# -- convergence ----------------------------------------------------------------------------------


section.argued(
    ("nichani.thm5.stmt", "nichani.thm5.explicit.equal-start"),
    convergence.converges,
    method="small gradient once, falling loss",
    scope=f"{_TABLES}, alpha > 0",
    summary="the gradient is small by the time log|A|/eps^2, and L never grows",
)


def _converges_computed(claim: str, *, balanced: bool) -> None:
    @section.values(
        claim,
        method="trajectories",
        scope="five worlds, two scales, t = 200",
        judge=at_most,
        slack=integration(1e-6),
    )
    def computed(printed: Printed, context: Context) -> Iterator[Any]:
        """The loss at late times from the stated start, of five worlds and two scales."""
        from numerics.papers.nichani.flow_bounds import least_losses, losses_from

        ov, kq, sign, time, disjoint = floats(printed, "ov", "kq", "sign", "time", "disjoint")
        yield _falling_loss(ov, kq, time, balanced=balanced)
        for words, first, moved, late in losses_from(
            ov, kq, seed=context.seed, balanced=balanced, sign=sign, time=time * _LATE
        ):
            yield f"{words}: L after 200 steps of size 0.02", moved, first
            yield f"{words}: L at t = {time * _LATE:g}", late, _SMALL
        for words, least in least_losses(disjoint=bool(disjoint), seed=context.seed):
            yield f"{words}: least loss", least, _SMALL


def _falling_loss(ov: float, kq: float, time: float, *, balanced: bool) -> dict[str, Any]:
    """The loss of a small table, and what the proof says of it by the time that it exhibits."""
    import numpy as np

    from numerics.papers.nichani.flow_bounds import losses_along

    times = np.geomspace(0.1, _SEEN, 60)
    lines = {
        rf"loss, $\alpha$ = {alpha:g}": losses_along(
            alpha * ov, alpha * kq, times, balanced=balanced
        )
        for alpha in _SCALES
    }
    A, S, R, T = 4, 2, 2, 3
    # |grad L| has been below this at some time, so the loss is at most 2 |A| S R eps/alpha from then on
    # once eps is below alpha p(s, r)/(2 |A| T^2); before it is at most log|A|.
    eps = np.sqrt(time * math.log(A) / times)
    proved = np.where(eps <= 1 / (2 * A * T**2 * S * R), 2 * A * S * R * eps, math.log(A))
    lines[r"proved bound, $\alpha$ = 1"] = times, np.minimum(proved, math.log(A))
    return trajectory(
        "Balanced table, S = R = D = 2, T = 3",
        lines,
        x_scale="log",
        y="loss (nats)",
        y_scale="log",
        levels={"log|A|": math.log(A)},
    )


_converges_computed("nichani.thm5.stmt", balanced=True)
_converges_computed("nichani.thm5.explicit.equal-start", balanced=False)


def gradient_small(upper: Fraction, loss: int, weights: int, first: Fraction) -> Argument:
    return convergence.gradient_vanishes(upper, (loss, weights), first)


@section.both(
    "nichani.thm5.grad-small",
    gradient_small,
    method="length of the path",
    scope=f"{_TABLES}, alpha > 0",
    summary="|grad L| is at most 2 T K L, and K grows like log(1/L) at most",
    measured="trajectories",
    looked="fifteen trajectories, and points of flows with one answer",
    judge=at_most,
    slack=integration(1e-6),
)
def gradient_small_computed(printed: Printed, context: Context) -> Iterator[Any]:
    from numerics.papers.nichani.flow_bounds import lone_answer, lone_weights, seen, trajectories

    upper, i, j, first = floats(printed, "upper", "loss", "weights", "first")

    for A, (alpha, phi) in itertools.product((2, 5), _POINTS):
        world = lone_answer(A)
        point = seen(world, lone_weights(world, alpha, phi))
        bound = upper * world.T * point.loss**i * point.weights**j
        yield f"{world}, alpha = {alpha}, angle {phi}: |grad L|", point.gradient, bound
    for number, (alpha, flow) in enumerate(trajectories(seed=context.seed)):
        points = [seen(flow.world, weights) for weights in flow.weights]
        words = f"flow {number}, alpha = {alpha:g}"
        if number in SHOWN:
            bounds = [upper * flow.world.T * p.loss**i * p.weights**j for p in points]
            lines = {
                "|grad L|": (flow.times, [p.gradient for p in points]),
                "bound": (flow.times, bounds),
            }
            yield trajectory(SHOWN[number], lines, y="|grad L|", y_scale="log")
        for point in points[::6]:
            bound = upper * flow.world.T * point.loss**i * point.weights**j
            yield f"{words}: |grad L|", point.gradient, bound
        if first:
            most = max(point.gradient for point in points)
            yield f"{words}: the most of |grad L|", most, 2 * points[0].gradient
    world = lone_answer(2)
    last = seen(world, lone_weights(world, 0.3, 3.0))
    yield "|grad L| late in a flow", last.gradient, 1e-9


# -- from the gradient to the loss ----------------------------------------------------------------


@section.both(
    "nichani.thm5.grad-s",
    columns.subject_gradient,
    method="all sequences of a world, symbolic",
    scope="all tables, priors, T, noise and weights",
    summary="s stands once in the sequences with s",
    measured="gradients by torch",
    looked="three small worlds, all sequences, random weights",
    judge=no_difference,
    slack=rounding(1e-6),
)
def gradient_s_computed(
    given_s: Formula, given_both: Formula, everywhere: bool, context: Context
) -> Iterator[Sides]:
    import numpy as np

    from numerics.flow import random
    from numerics.papers.nichani.flow_gradients import given, listed, small_worlds

    for number, world in enumerate(small_worlds(seed=context.seed)):
        weights = random(world, 0.8, seed=context.seed + number)
        all_ = listed(world, weights)
        scale = float(abs(all_.gradient.ov).max())
        for s in range(world.S):
            k, derived = weights.kq[s], all_.gradient.ov[:, s]
            p, t, q = given(all_, all_.pairs[:, 0] == s)
            stated = given_s.on(k=k, p=p, t=t, q=q)
            gap = float(abs(derived - stated).max())
            yield f"world {number}, s = {s}: given s", gap, scale
            by_relation = np.zeros(world.A)
            for r in range(world.R):
                if world.prior[s, r] > 0:
                    here = (all_.pairs == [s, r]).all(1)
                    p, _, q = given(all_, here)
                    by_relation = by_relation + given_both.on(k=k, p=p, q=q)
            counted = everywhere | ~world.of_subject[s]
            gap = float(abs(derived - by_relation)[counted].max(initial=0.0))
            yield f"world {number}, s = {s}: given s and r", gap, scale


@section.both(
    "nichani.thm5.phat-bound",
    convergence.wrong_answer,
    method="one term of the gradient",
    scope=_TABLES,
    summary="the gradient at a column that a is no answer of",
    measured="all facts at random weights",
    looked="worlds of two facts, W_KQ constant; five worlds, random weights",
    judge=at_most,
    slack=rounding(1e-6),
)
def wrong_answer_computed(bound: Formula, context: Context) -> Iterator[Sides]:
    from numerics.papers.nichani.flow_bounds import wrong_answers

    for words, most, at in wrong_answers(seed=context.seed):
        yield words, most, bound.on(**at)


section.argued(
    "nichani.thm5.either",
    convergence.outside,
    method="all small tables",
    scope="all tables with disjoint A_r",
    summary="an answer in both sets is a*(s, r)",
)


@section.check("nichani.thm5.either", "numerics", method="random tables")
def either_computed(printed: Printed, context: Context) -> Evidence:
    from numerics.papers.nichani.flow_bounds import outside_counts

    subject, relation, wrong, disjoint = floats(printed, "subject", "relation", "wrong", "disjoint")
    count, found = 0, None
    for place in outside_counts(disjoint=bool(disjoint), seed=context.seed):
        if not (wrong and place.right):
            count += 1
            if subject * place.outside_subject + relation * place.outside_relation < 1:
                found = place.words
                break
    return computed([f"{count} triples (s, r, a)"], found, "40 random tables, S = 4, R = 3")


@section.both(
    "nichani.thm5.mass",
    loss_theory.right_mass,
    method="sum over wrong answers",
    scope="all |A| and eps",
    summary="|A| - 1 wrong answers",
    measured="predictions at the limit",
    looked="random predictions, |A| up to 8",
    judge=at_most,
    slack=rounding(1e-6),
)
def mass_computed(lowest: Formula, context: Context) -> Iterator[Sides]:
    from numerics.papers.nichani.flow_bounds import limited_predictions

    for A, e, right in limited_predictions(seed=context.seed):
        yield f"|A| = {A}, wrong answers at most {e:g}", lowest.on(A=A, e=e), right


def _count(count: Formula, ratio: Fraction) -> Argument:
    return convergence.sequence_count(lambda T, N: count.at(T=T, N=N), ratio)


@section.both(
    "nichani.thm5.count",
    _count,
    method="listed and counted",
    scope="all T >= 3 and |N| >= 1",
    summary="(T - 1)(T - 2) |N|^(T - 3) sequences, equally likely",
    measured="contexts of the task",
    looked="T up to 9, |N| up to 4, all sequences",
    judge=at_most,
    slack=rounding(1e-6, 1e-12),
)
def count_computed(ratio: float, count: Formula) -> Iterator[Sides]:
    from numerics.papers.nichani.flow_gradients import context_counts

    for T, N, number, spread in context_counts():
        yield f"T = {T}, |N| = {N}: sequences", number, count.on(T=T, N=N)
        yield f"T = {T}, |N| = {N}: ratio of chances, off by", abs(spread - ratio), 0.0


@section.both(
    "nichani.thm5.log-ineq",
    loss_theory.logarithm,
    method="chord of a convex function",
    scope="all z in the range",
    summary="convex, so below its chord",
    measured="a grid",
    looked="51 points of the range",
    judge=at_most,
    slack=rounding(1e-6),
)
def logarithm_computed(slope: float, end: float) -> Iterator[Sides]:
    for step in range(51):
        z = end * step / 50
        yield f"z = {z:g}: -log(1 - z)", -math.log1p(-z), slope * z


def final(second: RationalFunction, factor: Fraction, eps_power: int, alpha_power: int) -> Argument:
    return convergence.loss_bound(second, factor, (eps_power, alpha_power))


@section.both(
    "nichani.thm5.final",
    final,
    method="the steps put together",
    scope=f"{_TABLES}, alpha > 0; pairs with p(s, r) > 0",
    summary="each step an identity or a decided inequality",
    measured="points of flows",
    looked="points of flows with one answer, five late trajectories, sizes",
    judge=at_most,
    slack=integration(1e-6),
)
def final_computed(printed: Printed, context: Context) -> Iterator[Any]:
    from numerics.papers.nichani.flow_bounds import lone_answer, lone_weights, seen, trajectories

    factor, i, j = floats(printed, "factor", "eps_power", "alpha_power")

    for A, (alpha, phi) in itertools.product((2, 5), _POINTS):
        world = lone_answer(A)
        point = seen(world, lone_weights(world, alpha, phi))
        if point.gradient <= alpha / (2 * A * world.T**2):
            words = f"{world}, alpha = {alpha}, angle {phi}: L"
            yield words, point.loss, factor * point.gradient**i * alpha**j * A
    drawn = False
    late = trajectories(seed=context.seed, scales=(1.0,), until=2000.0)
    for number, (alpha, flow) in enumerate(late):
        world = flow.world
        point = seen(world, flow.last)
        least = float(world.prior[world.prior > 0].min())
        sequences = world.T**2 * float(world.noise) ** (world.T - 3)
        small = alpha * least / (2 * world.A * sequences)
        stated = factor * alpha**j * world.A * world.S * world.R
        if point.gradient <= small:
            yield f"flow {number}, t = 2000: L", point.loss, stated * point.gradient**i
            if not drawn:
                drawn = True
                yield _below(flow, alpha, small, stated, i)
    for alpha, A, size, delta in itertools.product((0.5, 2.0), (2, 3), (1, 4), (1e-3, 1e-2)):
        at = {"alpha": alpha, "A": A, "S": size, "R": 2, "delta": delta}
        eps = printed["second"].on(**at)
        if eps <= alpha / (2 * A * 9 * size * 2):
            words = ", ".join(f"{name} = {value}" for name, value in at.items())
            yield f"{words}: the bound", factor * eps**i * alpha**j * A * size * 2, delta


def _below(flow: Any, alpha: float, small: float, factor: float, power: float) -> dict[str, Any]:
    """The loss along a flow, and its bound by |grad L| once that is *small*."""
    from numerics.papers.nichani.flow_bounds import seen

    world, points = flow.world, [seen(flow.world, weights) for weights in flow.weights]
    bounds = [factor * p.gradient**power if p.gradient <= small else math.nan for p in points]
    return trajectory(
        rf"S = {world.S}, R = {world.R}, T = {world.T}, $\alpha$ = {alpha:g}",
        {
            "loss": (flow.times, [p.loss for p in points]),
            "bound where |grad L| is small enough": (flow.times, bounds),
        },
        x_scale="log",
        y="loss (nats)",
        y_scale="log",
    )
