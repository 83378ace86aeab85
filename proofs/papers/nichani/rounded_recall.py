"""The explicit forms of Corollary 2, full recall by rounded weights, by rules of the kernel.

What rounding costs a margin, then the steps of the linear memory with that loss. What is chosen here
is how coarse a step may be, and sqrt(A/2) <= 3/8 (1 + A) for A = |u_f(x) - u_y|^2/2.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from proofs.kernel.algebra import chain, instantiate, restate, sign
from proofs.kernel.laws import margin, margin_law
from proofs.kernel.probability import inclusion
from proofs.kernel.regions import Region, at_least, between
from proofs.kernel.rounding import bilinear_form, longest, nearest_multiple, rounding_loss
from proofs.kernel.terms import symbols
from proofs.kernel.theorem import Compare, Theorem
from proofs.memories.linear import definition
from proofs.papers.nichani.linear_integral import averaged, some_margin
from proofs.papers.nichani.linear_recall import (
    Loss,
    full_recall,
    tail_at_logarithm,
    tail_under_condition,
)

_d, _e, _r, _l = symbols("d e r l")
#: sqrt(A/2) <= slope (1 + A), as the rest is a square of r less this and a number above 0.
_SLOPE, _NEAREST = Fraction(3, 8), Fraction(4, 3)
#: The largest e d.
_COARSEST = Fraction(1, 8)


def rounding_costs() -> Loss:
    """(e/2) d |u_f(x) - u_y|, where lambda = 2 l: c = slope lambda e d."""
    c = _SLOPE * 2 * _l * _e * _d
    return Loss(
        rate=_e * _d / 2,
        ranges=(between("e", 0, _COARSEST / _d, "(]"),),
        kept=1 - 3 * _e * _d / 2,
        shared=c,
        squares=((c / 2, _r - _NEAREST),),
    )


def _loss_of_margin(*, inside: bool | None) -> Theorem:
    """gamma - (e/2) d |u_f(x) - u_y| <= gamma~."""
    return rounding_loss(definition(), nearest_multiple(), bilinear_form(), inside=inside)


def rounded_margin() -> Theorem:
    """gamma <= gamma~ + e d, for any y."""
    loss, most = _loss_of_margin(inside=None), longest(definition(), inside=None)
    stated = Compare(margin(definition(), inside=None), "<=", loss.right + _d * _e)
    return sign(stated, loss.region, (1, loss), (_d * _e / 2, most))


def _law(loss: Loss, *, inside: bool) -> Theorem:
    """The law of a margin less its loss."""
    law = margin_law(definition(), inside=inside, less="c")
    region = Region((*law.region.without("c").ranges, *loss.ranges))
    return instantiate(law, {"c": loss.rate}, region)


def _of_rounded(tail: Theorem, *, inside: bool) -> Theorem:
    """What bounds P(gamma - loss <= 0) bounds P(gamma~ <= 0)."""
    rounded = inclusion(_loss_of_margin(inside=inside))
    return chain(restate(rounded, rounded.statement, tail.region), tail)


def _tail(loss: Loss, *, inside: bool) -> Theorem:
    """P(gamma~ <= 0) <= exp(-L) under the condition and l = L (1 + L/d) <= d/8."""
    tail = tail_under_condition(_law(loss, inside=inside), loss, inside=inside)
    return tail_at_logarithm(_of_rounded(tail, inside=inside), loss, inside=inside)


#: (e/2) d |u_f(x) - u_y| for any e > 0.
_ANY_STEP = Loss(rate=_e * _d / 2, ranges=(at_least("e", 0, above=True),))


@cache
def rounded_average(*, inside: bool) -> Theorem:
    """P(gamma~ <= 0) <= E inf over 0 < s < 1 of exp(...), A = 1 - <u_f(x), u_y>."""
    tail = averaged(_law(_ANY_STEP, inside=inside), _ANY_STEP, inside=inside)
    return _of_rounded(tail, inside=inside)


@cache
def rounded_average_over_pairs() -> Theorem:
    """The bound on some margin of rounded weights."""
    inside, outside = (rounded_average(inside=it) for it in (True, False))
    return some_margin(inside, outside, _ANY_STEP, rounded=True)


@cache
def closed_form() -> Theorem:
    """Some fact is lost by rounded weights with probability delta at most, under the condition."""
    loss = rounding_costs()
    inside, outside = (_tail(loss, inside=it) for it in (True, False))
    return full_recall(inside, outside, loss, rounded=True)
