"""Checks of stage 1 of the proof of Lemma 6 of Nichani et al. (App. D.3): relations leave the origin."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from proofs.algebra.symbols import symbols
from proofs.argument import Argument
from proofs.gradient_flow import softmax
from proofs.papers.nichani.training import eos_first, escape
from verify.checks.computed import Sides, Slack, equal, in_order, rounding
from verify.checks.section import Section, corrected
from verify.claim import Printed
from verify.measuring.context import Context
from verify.papers.nichani.trajectories import TRAJECTORIES, counted, trajectories
from verify.printed.formula import Formula, floats

section = Section()
_both = partial(section.both, judge=in_order, group="gradient flow")

_ALONG: dict[str, Any] = {
    "measured": "trajectories",
    "looked": TRAJECTORIES,
    "slack": Slack("rounding of float64, and of logits that cancel", 1e-9, 1e-13),
}
_LAWS = "all numbers of answers and all logits"
_SHARES = (1.0, 0.9, 0.5, 0.01)


# -- predictions near the uniform law -------------------------------------------------------------


@_both(
    "nichani.lem6.phat-p0-sum",
    softmax.deviation_by_tokens,
    method="softmax is 1/2-Lipschitz",
    scope="all W_KQ >= 0 and all W_OV",
    summary="half of the sum is enough",
    **_ALONG,
)
def _by_tokens_seen(printed: Printed, context: Context) -> Iterator[Sides]:
    factor, kq_power, ov_power = floats(printed, "factor", "kq_power", "ov_power")
    for seen in trajectories(context):
        T = seen.world.T
        total = seen.token_sum(kq_power, ov_power, eos=printed["last"].on(math.inf, T=T) >= T)
        yield seen.words, seen.deviation, factor * total


@_both(
    corrected("nichani.lem6.phat-p0-rel"),
    eos_first.deviation_from_uniform,
    method="token by token",
    scope="all tasks and priors, along the flow",
    summary="with EOS; half is enough",
    **_ALONG,
)
def _relation_form_seen(bound: eos_first.TokenBound, context: Context) -> Iterator[Sides]:
    for seen in trajectories(context):
        stated = counted(bound, seen, seen.kq * seen.ov)
        yield seen.words, seen.deviation[seen.allowed], stated


@_both(
    corrected("nichani.lem6.u-ode"),
    eos_first.planar_deviation,
    method="from the updates of W_KQ and W_OV",
    scope="all tasks and priors, along the flow",
    summary="with EOS; the factor 1/sqrt(2) is enough",
    **_ALONG,
)
def _planar_seen(bound: eos_first.TokenBound, context: Context) -> Iterator[Sides]:
    for seen in trajectories(context):
        yield seen.words, seen.planar[seen.allowed], counted(bound, seen, seen.kq**2)


@_both(
    corrected("nichani.lem6.frel"),
    eos_first.logit_gap,
    method="token by token",
    scope="all tasks and priors, along the flow",
    summary="with EOS",
    **_ALONG,
)
def _logit_gap_seen(bound: eos_first.TokenBound, context: Context) -> Iterator[Sides]:
    for seen in trajectories(context):
        yield seen.words, seen.logit_gap[seen.allowed], counted(bound, seen, seen.kq**2)


@_both(
    "nichani.lem6.bal-step",
    escape.product_and_square,
    method="the conserved quantity",
    scope="all tasks, along the flow",
    summary="even with alpha^2/2 less",
    measured="trajectories",
    looked=TRAJECTORIES,
    slack=rounding(1e-9),
)
def _product_seen(factor: float, power: float, offset: float, context: Context) -> Iterator[Sides]:
    for seen in trajectories(context):
        yield seen.words, seen.kq * seen.ov, factor * seen.kq**power - offset * seen.scale**2


# -- u and its differential inequalities ----------------------------------------------------------


_PLANAR: dict[str, Any] = {
    "measured": "extreme derivatives",
    "looked": "random u, d, q, and those at which the bounds are sharp",
}


@_both(
    "nichani.lem6.u-norm",
    escape.square_growth,
    method="Cauchy-Schwarz",
    scope="all u, p, d, q with u_1 > 0",
    summary="all constants are least",
    **_PLANAR,
    slack=rounding(1e-9),
)
def _square_growth_seen(printed: Printed, context: Context) -> Iterator[Sides]:
    from numerics.papers.nichani.flow_inequalities import planar_extremes

    growth, lost, quad = floats(printed, "growth", "lost", "quad")
    found = planar_extremes(context.seed)
    w = found["w"]
    stated = growth * (found["d"] + lost * found["q"]) * w + quad * w**2
    yield "(|u|^2)'", found["square-up"], stated


@_both(
    "nichani.lem6.u1u2-ode",
    escape.product_growth,
    method="Cauchy-Schwarz",
    scope="all u, p, d, q with u_1 > 0",
    summary="even with half of both constants",
    **_PLANAR,
    slack=rounding(1e-9),
)
def _product_growth_seen(printed: Printed, context: Context) -> Iterator[Sides]:
    from numerics.papers.nichani.flow_inequalities import planar_extremes

    growth, lost, quad = floats(printed, "growth", "lost", "quad")
    found = planar_extremes(context.seed)
    w = found["w"]
    stated = growth * (found["d"] - lost * found["q"]) * w - quad * w**2
    yield "(u_1 u_2)'", stated, found["product-down"]


def _initial_size(size: Formula, power: int) -> Argument:
    alpha, n = symbols("alpha A")
    return escape.initial_size(alpha**power * size.field({"n": n}))


@_both(
    "nichani.lem6.u0",
    _initial_size,
    method="Assumption 2",
    scope="all tasks",
    summary="u_2 vanishes",
    measured="starts in float64",
    looked="two worlds, three scales",
    slack=rounding(1e-9),
)
def _initial_size_seen(size: Formula, power: float) -> Iterator[Sides]:
    from numerics.papers.nichani.flow_escape import starts

    for world, scale, found, _ in starts():
        stated = scale**power * size.on(math.inf, n=world.A)
        yield from equal(f"|u(0)|^2, |A| = {world.A}, alpha = {scale}", found, stated)


#: gamma, p, k or |u_0|^2.
_ESCAPES = ((1.0, 1.0, 1e-6), (0.5, 0.2, 1e-5), (2.0, 1.0, 1e-4), (1.0, 3.0, 0.01))


@_both(
    "nichani.lem6.window",
    escape.window,
    method="the zero of a linear function",
    scope="all gamma, p, |u_0| > 0",
    summary="linear in e^(gamma t)",
    measured="signs in float64",
    looked="five places, just before and after the stated time",
    slack=rounding(1e-9),
)
def _window_seen(inside: Formula) -> Iterator[Sides]:
    for gamma, p, w in (*_ESCAPES, (1.0, 1.0, 2.0)):
        least = inside.on(math.inf, gamma=gamma, p=p, w=w)
        for sign, factor in ((-1, 1 - 1e-6), (1, 1 + 1e-6)):
            grown = 1 + (least - 1) * factor
            value = gamma + 4 * p * w * (1 - grown)
            words = "before" if sign < 0 else "after"
            yield f"{words} the time, gamma = {gamma}, p = {p}, w = {w}", sign * value, 0.0
        yield "the logarithm is positive", 1.0, least


@_both(
    "nichani.lem6.t-eps-solve",
    escape.solved_time,
    method="linear in e^(gamma t)",
    scope="all gamma, p, k, x > 0",
    summary="solved exactly",
    measured="substitution in float64",
    looked="16 places",
    slack=rounding(1e-9),
)
def _solved_seen(least: float, condition: Formula, solution: Formula) -> Iterator[Sides]:
    for (gamma, p, k), share in itertools.product(_ESCAPES, _SHARES):
        x = share * condition.on(math.inf, gamma=gamma, p=p)
        grown = solution.on(math.inf, gamma=gamma, p=p, k=k, x=x)
        words = f"gamma = {gamma}, p = {p}, k = {k}, x = {x:.6g}"
        denominator = gamma + 4 * p * k * (1 - grown)
        yield from equal(f"x times the denominator, {words}", gamma * k * grown, x * denominator)
        yield f"x/(least k), {words}", x / (least * k), grown


@_both(
    "nichani.lem6.t-eps",
    escape.escape_time,
    method="comparison for 1/|u|^2",
    scope="all gamma, p, k, x > 0",
    summary="integrated exactly",
    measured="time by quadrature",
    looked="equality in the differential inequality, 16 places",
    slack=rounding(1e-9),
)
def _escape_seen(least: float, rate: float, condition: Formula) -> Iterator[Sides]:
    from numerics.papers.nichani.flow_inequalities import hitting_time

    for (gamma, p, k), share in itertools.product(_ESCAPES, _SHARES):
        x = share * condition.on(math.inf, gamma=gamma, p=p)
        if x > k:
            stated = math.log(x / (least * k)) / (rate * gamma)
            words = f"gamma = {gamma}, p = {p}, k = {k}, x = {x:.6g}"
            yield words, stated, hitting_time(gamma, p, k, x)


# -- losses ---------------------------------------------------------------------------------------


@_both(
    "nichani.lem6.loss-gap",
    softmax.loss_gap,
    method="l1 norm of softmax",
    scope=f"{_LAWS}, T >= 3, p(r) <= 1",
    summary="the answer's logit and log-sum-exp move once each",
    measured="shifted logits",
    looked="random logits, and a sure answer far behind",
    slack=rounding(1e-9),
)
def _loss_gap_seen(printed: Printed, context: Context) -> Iterator[Sides]:
    from numerics.papers.nichani.flow_inequalities import logit_shifts

    factor, p_power = floats(printed, "factor", "p_power")
    found = logit_shifts(context.seed)
    for T, p in itertools.product((3, 30), (1.0, 0.25)):
        share = printed["count"].on(math.inf, T=T) / (T - 1)
        stated = factor * p**p_power * share * found["gap"]
        yield f"T = {T}, p(r) = {p}", p * found["moved"], stated


_INCREMENTS: dict[str, Any] = {
    "measured": "increments in float64",
    "looked": "random logits, and small displacements along (1, -1) and (1, 1)",
    "slack": Slack("rounding of float64, and of losses that cancel", 1e-9, 1e-14),
}


@_both(
    corrected("nichani.lem6.lse-convexity"),
    softmax.lse_curvature,
    method="variance under softmax",
    scope=_LAWS,
    summary="the Hessian lies between 0 and 1/2",
    **_INCREMENTS,
)
def _curvature_seen(below: float, context: Context, above: float | None) -> Iterator[Sides]:
    from numerics.papers.nichani.flow_inequalities import lse_increments

    found = lse_increments(context.seed)
    remainder, square = found["remainder"], found["square"]
    yield "from below", below / 2 * square, remainder
    if above is not None:
        yield "from above", remainder, above / 2 * square


@_both(
    "nichani.lem6.lse-bound",
    softmax.lse_bound,
    method="variance under softmax",
    scope=_LAWS,
    summary="1/4 is enough",
    **_INCREMENTS,
)
def _lse_bound_seen(half: float, mean: float, context: Context) -> Iterator[Sides]:
    from numerics.papers.nichani.flow_inequalities import lse_increments

    found = lse_increments(context.seed)
    yield "log-sum-exp", found["from-zero"], mean * found["mean"] + half * found["square"]


@_both(
    "nichani.lem6.lbar-bound",
    softmax.relation_loss_bound,
    method="bound on log-sum-exp",
    scope=f"{_LAWS}, all laws of answers",
    summary="<Theta, p* - p0> = d u_1 u_2",
    measured="losses in float64",
    looked="random laws and logits, and small ones along p* - p0",
    slack=Slack("rounding of float64, and of losses that cancel", 1e-9, 1e-14),
)
def _relation_loss_seen(
    gain: float, half: float, spread_power: float, context: Context
) -> Iterator[Sides]:
    from numerics.papers.nichani.flow_inequalities import relation_samples

    found = relation_samples(context.seed)
    stated = -gain * found["d"] ** spread_power * found["u1u2"] + half * found["square"]
    yield "(Lbar_r - L_{r,0})/p(r)", found["change"], stated


# -- constants ------------------------------------------------------------------------------------


def _parameters(**constants: float) -> Mapping[str, Any]:
    from numerics.papers.nichani.flow_inequalities import lemma_parameters

    return lemma_parameters(**constants)


_EDGES: dict[str, Any] = {
    "measured": "floating-point grid",
    "looked": "places on the edges of Lemma 6's conditions and inside",
}


@_both(
    "nichani.lem6.monotone",
    escape.rising_rate,
    method="sign of the slope",
    scope="Lemma 6's conditions, |A| >= 2",
    summary="the slope is at least 23/25 p d",
    **_EDGES,
    slack=rounding(1e-9),
)
def _rising_seen(quad: float, lost: float, small: float, accuracy: float) -> Iterator[Sides]:
    found = _parameters(small=small, accuracy=accuracy)
    for words, w in (("|u| = 0", 0.0), ("|u| = eps", found["x"])):
        slope = found["d"] - lost * found["q"] - 2 * quad * w
        # Strictly: the slope must be seen to be positive.
        yield f"slope over d at {words}", 1e-6, slope / found["d"]


@_both(
    "nichani.lem6.tau",
    escape.first_interval,
    method="sign of the difference",
    scope="Lemma 6's conditions, |A| >= 2, T >= 3",
    summary="alpha^2 is at most d/1350",
    **_EDGES,
    slack=rounding(1e-9),
)
def _interval_seen(kept: float, quad: float, small: float) -> Iterator[Sides]:
    found = _parameters(small=small, accuracy=1 / 50)
    rate = found["d"] - 4 * found["q"]
    yield "both sides over p alpha^2 tau", 2 * kept * rate, rate - quad * found["alpha2"]


@_both(
    corrected("nichani.lem6.u1u2-compare"),
    escape.comparison,
    method="comparison for 1/y",
    scope="all gamma^-, p > 0 and all y, w in the range",
    summary="with 16 (E - 1)",
    measured="Runge-Kutta",
    looked="y' = gamma y - 16 p y^2 and w = 2 y, three times",
    slack=rounding(1e-9),
)
def _comparison_seen(coefficient: float, less: float) -> Iterator[Sides]:
    from numerics.papers.nichani.flow_inequalities import product_growth

    # y stays at most gamma/(32 p), where the right side increases up to w = 2 y.
    for gamma, p, start, grown in (
        (1, 1 / 16, 0.1, 9.0),
        (1, 1 / 16, 0.001, 900.0),
        (2, 1, 0.01, 4.0),
    ):
        found = product_growth(gamma, p, start, math.log(grown) / gamma)
        stated = gamma * start * grown / (gamma + coefficient * p * start * (grown - less))
        yield f"y, gamma = {gamma}, p = {p}, y(tau) = {start}, E = {grown:g}", stated, found


@_both(
    "nichani.lem6.ratio",
    escape.rate_ratio,
    method="field identity",
    scope="all d, q > 0",
    summary="three forms of one fraction",
    measured="values in float64",
    looked="four places",
    slack=rounding(1e-9),
)
def _ratio_seen(middle: Formula, last: Formula) -> Iterator[Sides]:
    for d, q in ((1.0, 1.0), (0.5, 0.1), (0.3, 0.001), (0.7, 2.0)):
        found = (2 * (d - 4 * q)) / (2 * (d + 2 * q))
        for name, form in (("middle", middle), ("last", last)):
            yield from equal(f"{name} form, d = {d}, q = {q}", form.on(math.inf, d=d, q=q), found)


@_both(
    "nichani.lem6.const50",
    escape.growth_constant,
    method="certified intervals",
    scope="all parameters under the condition, eps^2 >= 2k",
    summary="23 is enough",
    measured="floating-point grid",
    looked="16 places",
    slack=rounding(1e-9),
)
def _constant_seen(level: float, loss: float, small: float) -> Iterator[Sides]:
    for log, share in itertools.product((math.log(2), 2.0, 20.0, 700.0), _SHARES):
        left = (1 - loss * share * small / log * (log - math.log(2))) / (8 * math.e)
        yield f"log(eps^2/k) = {log:.6g}, {share} of the largest q", 1 / level, left


@_both(
    corrected("nichani.lem6.denominator"),
    escape.denominator,
    method="sign of the difference",
    scope="q <= d/150, all X > 0",
    summary="4/(1 - 4/150) = 300/73",
    measured="floating-point grid",
    looked="d, q and X on a grid",
    slack=rounding(1e-9),
)
def _denominator_seen(coefficient: float, small: float) -> Iterator[Sides]:
    for d, share, X in itertools.product((0.9, 0.3), _SHARES, (0.1, 1e-3)):
        if share * small < 1 / 4:
            found = 1 / (1 + 4 / (d - 4 * share * small * d) * X)
            words = f"d = {d}, q = {share * small:.6g} d, X = {X}"
            yield words, 1 / (1 + coefficient / d * X), found


def _accuracies(accuracy: float) -> Iterator[tuple[str, int, float, float]]:
    """Words, |A|, d and eps^2 at and below the largest accuracy."""
    for n, d, share in itertools.product((1, 2, 5), (0.9, 0.3), _SHARES):
        x = share * accuracy * d / (n + 1)
        yield f"|A| = {n}, d = {d}, eps^2 = {x:.6g}", n, d, x


@_both(
    "nichani.lem6.half",
    escape.halving,
    method="sign of the difference",
    scope="all |A| >= 1, d > 0, eps under the condition",
    summary="the denominator is at most 1.0004",
    measured="floating-point grid",
    looked="|A| = 1, 2, 5, d and eps on a grid",
    slack=rounding(1e-9),
)
def _halving_seen(start: float, end: float, rate: float, accuracy: float) -> Iterator[Sides]:
    for words, n, d, x in _accuracies(accuracy):
        X = x / (start * (n + 1))
        yield words, x / (end * (n + 1)), X / (1 + rate * X / d)


@_both(
    "nichani.lem6.loss-step",
    escape.loss_step,
    method="sign of the difference",
    scope="all |A| >= 1, d > 0, eps under the condition",
    summary="equality at the largest eps",
    measured="floating-point grid",
    looked="|A| = 1, 2, 5, d and eps on a grid",
    slack=rounding(1e-9),
)
def _step_seen(start: float, end: float, half: float, accuracy: float) -> Iterator[Sides]:
    for words, n, d, x in _accuracies(accuracy):
        yield words, half * x + d / (end * (n + 1)), d / (start * (n + 1))


@_both(
    corrected("nichani.lem6.eps-hyp"),
    escape.accuracy_hypothesis,
    method="constants compared",
    scope="all |A| >= 1, d > 0, eps under the hypothesis",
    summary="1/100 is enough",
    measured="floating-point grid",
    looked="|A| = 1, 2, 5, d and eps on a grid",
    slack=rounding(1e-9),
)
def _accuracy_seen(hypothesis: float, needed: float) -> Iterator[Sides]:
    for words, n, d, x in _accuracies(hypothesis):
        yield f"the condition, {words}", x, needed * d / (n + 1)
        yield f"the conclusion, {words}", x / 2 + d / (200 * (n + 1)), d / (100 * (n + 1))
