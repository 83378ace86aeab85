"""Checks of Sec. 5 of Nichani et al.: the linear attention model, its loss and its limit."""

from __future__ import annotations

from collections.abc import Iterator

from proofs.gradient_flow import loss as loss_theory
from proofs.gradient_flow import model
from verify.checks.computed import Sides, Slack, at_most, no_difference, rounding
from verify.checks.section import Section
from verify.claim import Printed
from verify.measuring.context import Context
from verify.printed.formula import floats

section = Section()
#: How far two points are apart between which convexity is tried, and in how many directions.
_STEPS, _DIRECTIONS = (0.1, 1.0), 8
#: Weights of growing size at which a loss is small.
_SIZES = (0.5, 1.0, 2.0, 3.0)


@section.both(
    "nichani.s5.eq13",
    model.token_sum,
    method="both sides multiplied out",
    scope="all embeddings, matrices, d and T",
    summary="X^T X is the sum of x_t x_t^T",
    measured="random orthonormal embeddings",
    judge=no_difference,
    slack=rounding(1e-6),
    looked="d = 3, 8, 20; random embeddings, matrices and tokens",
)
def token_sum_computed(printed: Printed, context: Context) -> Iterator[Sides]:
    from numerics.papers.nichani.flow_gradients import token_sum

    for d, T in ((3, 3), (8, 5), (20, 32)):
        left, ov, kq = token_sum(d, T, seed=context.seed)
        first, last = (int(printed[name].on(T=T)) for name in ("first", "last"))
        terms = (printed["term"].on(ov=ov, kq=kq, T=T) + 0 * ov)[:, first - 1 : last]
        gap = float(abs(terms.sum(1) - left).max())
        yield f"d = {d}, T = {T}, all a", gap, float(abs(left).max())


@section.both(
    "nichani.s5.isometry",
    model.isometry,
    method="chain rule in a turned basis",
    scope="all d and orthonormal embeddings",
    summary="entries move as under their own flow, the others stand still",
    measured="gradients by torch",
    looked="two answers, T = 3, random bases of R^5 and matrices",
    judge=no_difference,
    slack=rounding(1e-6),
)
def isometry_computed(printed: Printed, context: Context) -> Iterator[Sides]:
    from numerics.papers.nichani.flow_gradients import entry_speeds

    for draw in range(3):
        for part, (speed, g) in entry_speeds(seed=context.seed + draw).items():
            gap = float(abs(speed - printed[part.lower()].on(g=g)).max())
            yield f"draw {draw}, {part}", gap, float(abs(g).max())


@section.both(
    "nichani.s5.convex",
    loss_theory.convex,
    method="second derivative",
    scope="all tables, priors, T and noise",
    summary="log-sum-exp of what is linear in Theta",
    measured="second differences",
    looked="five worlds, random directions and that of equal changes",
    judge=at_most,
    slack=Slack("rounding of float64, and of losses that cancel", 1e-6, 1e-12),
)
def convex_computed(printed: Printed, context: Context) -> Iterator[Sides]:
    from numerics.papers.nichani.flow_bounds import second_differences

    modulus, sign, product = floats(printed, "modulus", "sign", "product")
    for words, change, square in second_differences(
        seed=context.seed, in_weights=not product, directions=_DIRECTIONS, steps=_STEPS
    ):
        yield words, modulus * square, sign * change


@section.both(
    "nichani.s5.consequence",
    loss_theory.wrong_mass,
    method="one term of the loss",
    scope="all weights; all tables, priors, T and noise",
    summary="P(z) (1 - p-hat(a*)) is at most L",
    measured="all sequences",
    looked="one subject, two relations; margins of one relation from 0.5 to 3",
    judge=at_most,
    slack=rounding(1e-6),
)
def consequence_computed(printed: Printed) -> Iterator[Sides]:
    from numerics.papers.nichani.flow_bounds import sure_of_one_relation

    for size in _SIZES:
        for p in (0.5, 0.9):
            seen = sure_of_one_relation(p, size)
            bound = printed["bound"].on(L=seen.loss, P=p / 2, A=2)
            yield f"p(r) = {p}, margins {size}: 1 - p-hat(a*)", seen.wrong, bound
    if printed["unlikely"].number():
        seen = sure_of_one_relation(0.0, -20.0)
        yield "p(r) = 0, L below 1e-8: 1 - p-hat(a*)", seen.wrong, seen.loss**0.5
