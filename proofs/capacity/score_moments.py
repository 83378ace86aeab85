"""Exact moments, up to order three, of the margins that one fact has with its competitors.

Serves the predictions: the margins of x share the score of f(x), and their joint moments tell what is
shared from what each competitor adds. Source of the margins: Nichani et al., Sec. 3 and App. B.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from proofs.algebra import RationalFunction
from proofs.memories import linear, mlp
from proofs.memories.setting import Memory
from proofs.moments import Expression, Index, dot, in_image, mean, not_in_image


@dataclass(frozen=True)
class ScoreMoments:
    """Moments of margins g, g', g'' of one x with different competitors, central but for the mean.

    *variance* of g, *covariance* of g and g', *mixed* E g^2 g' and *joint* E g g' g''.
    """

    mean: RationalFunction
    variance: RationalFunction
    covariance: RationalFunction
    mixed: RationalFunction
    joint: RationalFunction


@cache
def linear_scores(inside: bool) -> ScoreMoments:
    """Of the linear memory, in d, N and r, with r <e_x, e_x> in place of <e_x, e_x> in W e_x.

    *inside*: competitors in the image of f, or outside. At r = 1 it is the memory itself; at another
    r the margin over |G e_x| of a low-rank memory whose alignment is r (see ``capacity.low_rank``).
    """
    m = linear.definition()
    r = RationalFunction.symbol("r")
    own = dot(m.contrast(), m.u[m.association(m.x)])
    return _score_moments(m, m.margin - own * (1 - r), inside)


@cache
def mlp_scores(k: int, inside: bool) -> ScoreMoments:
    """Of the linearised MLP memory with h_k in its features and the activation h_(k+1), in d, N and
    m. *inside* as for ``linear_scores``.
    """
    m = mlp.definition(k, (0,) * (k + 1) + (1,))
    return _score_moments(m, m.margin, inside)


def _score_moments(memory: Memory, margin: Expression, inside: bool) -> ScoreMoments:
    outputs = [memory.outputs.index(name) for name in ("y", "y'", "y''")]
    first, second, third = (_with_competitor(memory, margin, y) for y in outputs)
    fx = memory.association(memory.x)

    def moment(product: Expression, competitors: int) -> RationalFunction:
        named = outputs[:competitors]
        apart = [a != b for i, a in enumerate(named) for b in (fx, *named[:i])]
        return mean(product, [*apart, *map(in_image if inside else not_in_image, named)]).value

    mu, square, product = moment(first, 1), moment(first**2, 1), moment(first * second, 2)
    mixed = moment(first**2 * second, 2) - mu * square - 2 * mu * product + 2 * mu**3
    joint = moment(first * second * third, 3) - 3 * mu * product + 2 * mu**3
    return ScoreMoments(mu, square - mu**2, product - mu**2, mixed, joint)


def _with_competitor(memory: Memory, margin: Expression, y: Index) -> Expression:
    """The margin with *y* in place of the memory's own competitor."""
    new = {memory.y: y}
    terms = (
        replace(term, edges=tuple(edge.rename(new) for edge in term.edges)) for term in margin.terms
    )
    return Expression(tuple(terms), margin.legs)
