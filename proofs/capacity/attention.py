"""An explicit condition for the attention-only construction: heads that pick a token and answer for it.

A head with keys V(h) has W = (d/d_h) sum_{z in V(h)} sum_{a in A_z} phi(a) phi(z)^T Pi, Pi the
projection on a uniform d_h-dimensional subspace of the complement of phi(EOS). Given all tokens
but the answers, the output for (s, r) is sum c_a phi(a) with fixed weights c, so that with A = 1
- <phi(a), phi(b)> the margin of a = a*(s, r) over b has the law of A (c_a - c_b) + sqrt(2A)
sum_{a' != a, b} c_a' t_a', t independent first coordinates of uniform unit vectors: the union
over (s, r) and b costs one logarithm. Serves Nichani et al., App. C.1, Lemma 2 and Theorem 10.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise, product
from math import sqrt
from typing import Any

from flint import arb

from proofs.algebra.balls import ball, precision, upper
from proofs.capacity.attention_margin import (
    PROVED,
    Competitor,
    Constants,
    Margin,
    MarginBound,
    competitors,
)
from proofs.capacity.conditions import read_size
from proofs.capacity.denoising import GAP, key_failure, partition
from proofs.capacity.fact_condition import FactCondition, check_head_dimension, read_table

_ONE = Fraction(1)

#: Inner ends of the cells of tau, in standard deviations from its mean 1.
_ENDS = (
    *(-80, -56, -40, -28, -20, -14, -10, -8, -7, -6, -5.25, -4.5, -3.75, -3, -2.25, -1.5, -0.75),
    *(0, 0.75, 1.5, 2.25, 3, 3.75, 4.5, 5.25, 6, 7, 8, 10, 14),
)
#: Pairs of cells that are rarer than this are counted as lost.
_NEGLIGIBLE = Fraction(1, 2**100)
#: A > 1 + epsilon is given a probability of about exp(-_FAR) for one pair of tokens.
_FAR = 70
#: Steps of epsilon.
_STEPS = 1024


class AttentionOnly(FactCondition):
    """P(failure) <= P(some head errs) + S R E min(1, sum over b of P(margin <= 0 | tau_s, tau_r)).

    tau_z = (d/d_h) |Pi phi(z)|^2, the weight of the attended key, has the law of d/d_h times
    Beta(d_h/2, (d - d_h)/2), independently for s and r; the expectation is bounded cell by cell,
    the signal at the lower and the noise at the upper ends. The bound on one margin is
    ``log_bound``. It holds for every table of S subjects and R relations with at most D answers each.

    *every*: of the ends of the cells each so many-th is used; fewer cells give a larger bound,
    sooner. *gap* and *constants* are those of the statement, for which the bound is proved; other
    values serve to show that a wrong constant is found out.
    """

    def __init__(
        self, every: int = 1, *, gap: Fraction = GAP, constants: Constants = PROVED
    ) -> None:
        self.every = read_size("every", every)
        self.gap, self.constants = gap, constants

    def failure_bound(
        self,
        d: int,
        S: int,
        R: int,
        D: int,
        *,
        M: int = 1,
        d_h: int | None = None,
        noise: int | None = None,
    ) -> Fraction:
        """A rigorous upper bound on P(some fact is not recalled in some context), at most 1, rounded up.

        *d*: embedding dimension; *S*, *R*: numbers of subjects and relations; *D*: answers of a
        relation, at most, D <= S; *M*: tokens a head, at most; *d_h*: head dimension, d - 1 if it
        is not given; *noise*: number of noise tokens, S + R if it is not given. Attention is
        hard; how large a finite inverse temperature must be is for a certificate of drawn weights
        to say.

        1 for d = 1, where nothing is bounded this way. Raises ValueError for sizes out of range.
        """
        d, S, R, D, noise = read_table(d, S, R, D, noise)
        M = read_size("M", M)
        d_h = max(d - 1, 1) if d_h is None else read_size("d_h", d_h)
        if d == 1:
            return _ONE
        check_head_dimension(d, d_h)
        subjects, relations = partition(S, M), partition(R, M)
        total = key_failure(d, subjects + relations, S + R + noise, gap=self.gap)
        if total < 1:
            others = (max(subjects) - 1, max(relations) - 1)
            total += self._answers_lost(d, S, R, D, d_h, S + R + R * D + noise + 1, others)
        return min(total, _ONE)

    # -- answers ----------------------------------------------------------------------------------

    def _answers_lost(
        self, d: int, S: int, R: int, D: int, d_h: int, tokens: int, others: tuple[int, int]
    ) -> Fraction:
        """The union over all margins, averaged over tau_s and tau_r."""
        beyond = reach_of(d, others)[1]
        sizes = d, d_h, (R, D), others, self.every, self.constants
        with precision():
            bounds = [
                (rival.many, _on_cells(rival._replace(many=1), *sizes))
                for rival in competitors(R, D, tokens)
            ]
            lost = R * D * tokens * beyond
            cells = list(enumerate(weight_cells(d, d_h, self.every)))
            for (s, (_, _, mass_s)), (r, (_, _, mass_r)) in product(cells, repeat=2):
                if lost >= 1:
                    return _ONE
                mass = S * R * mass_s * mass_r
                if mass < ball(_NEGLIGIBLE):
                    lost += mass
                    continue
                union = sum((many * bound(s, r) for many, bound in bounds), arb(0))
                lost += mass * (union if union < 1 else arb(1))
            return min(upper(lost), _ONE)


@lru_cache(maxsize=64)
def _on_cells(
    rival: Competitor,
    d: int,
    d_h: int,
    answers: tuple[int, int],
    others: tuple[int, int],
    every: int,
    constants: Constants,
) -> Callable[[int, int], arb]:
    """A bound on the margin over one *rival*, for tau_s and tau_r in two cells; each made once.

    It depends on the number of subjects by that of other keys alone.
    """

    def margin(low: tuple[Any, Any], high: tuple[Any, Any]) -> Margin:
        return Margin.over(rival, d, d_h, answers, others, low, high)

    typical = margin((_ONE, _ONE), (_ONE, _ONE))
    bound = MarginBound(typical, reach_of(d, others)[0], constants)
    ends = [(ball(low), ball(high)) for low, high, _ in weight_cells(d, d_h, every)]

    @cache
    def on_cell(s: int, r: int) -> arb:
        (low_s, high_s), (low_r, high_r) = ends[s], ends[r]
        return bound(margin((low_s, low_r), (high_s, high_r)))

    return on_cell


@lru_cache(maxsize=16)
def weight_cells(d: int, d_h: int, every: int = 1) -> tuple[tuple[Fraction, Fraction, arb], ...]:
    """(lower end, upper end, ball around the probability) for cells of tau that cover [0, d/d_h]."""
    mean, most = 1.0, d / d_h
    deviation = sqrt(2 * (d - d_h) / (d_h * (d + 2)))
    inner = sorted({round((mean + k * deviation) * 2**20) for k in _ENDS[::every]})
    ends = [Fraction(k, 2**20) for k in inner if 0 < k < (most * 2**20) - 1]
    shapes = arb(d_h) / 2, arb(d - d_h) / 2
    with precision():
        below = [ball(end * d_h / d).beta_lower(*shapes, regularized=True) for end in ends]
        masses = [after - before for before, after in pairwise([arb(0), *below, arb(1)])]
    edges = pairwise([Fraction(0), *ends, Fraction(d, d_h)])
    return tuple((low, high, mass) for (low, high), mass in zip(edges, masses, strict=True))


def reach_of(d: int, others: tuple[int, int]) -> tuple[Fraction, arb]:
    """What A is bounded by, but for a rare pair of tokens, and a bound on the probability of that pair.

    No bound is needed where the heads have no other keys, and A never exceeds 2.
    """
    epsilon = Fraction(round(sqrt(2 * _FAR / d) * _STEPS), _STEPS)
    if not any(others) or epsilon >= 1:
        return Fraction(2), arb(0)
    return 1 + epsilon, (-(ball(epsilon) ** 2) * d / 2).exp()
