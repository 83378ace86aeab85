"""An explicit condition for the construction with an MLP: heads pick subject and relation, an MLP
answers.

Given everything but the answers, F at the query of (s, r) is sum_a' G_a' phi(a') with fixed G, so that
with A = 1 - <phi(a), phi(b)> the margin of a = a*(s, r) over b has the law of A (G_a - G_b) +
sqrt(2A) sum_{a' != a, b} G_a' t_a', t independent first coordinates of uniform unit vectors. Mean and
variance of the G are the engine's, at all sizes. Weak beside what the construction does, as Cantelli
and Markov are all that bounds their tails. Serves Nichani et al., App. C.2, Lemma 3 and Theorem 11,
p = k = 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import exp
from typing import Any, NamedTuple

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, evaluate, precision, upper
from proofs.algebra.symbols import symbols
from proofs.capacity.conditions import read_size
from proofs.capacity.denoising import GAP, key_failure, partition
from proofs.capacity.fact_condition import FactCondition, read_table
from proofs.capacity.mlp import read_activation
from proofs.memories import two_input_mlp

_ONE = Fraction(1)

#: Hermite coefficients of the activation h_2, the one with the least noise for p = k = 1.
H2 = (0, 0, 1)
#: P and Q have no room in smaller dimensions.
_LEAST = 3
#: Shares of the mean that the own weight G_a may keep, and steps in the exponent of the tail.
_KEPT = tuple(Fraction(j, 32) for j in range(1, 32))
_STEPS = 64
#: Squares of steps: k = d step/_STEPS^2, denser where k is small.
_EXPONENTS = tuple(j * j for j in range(_STEPS + 1))


@dataclass(frozen=True)
class Sizes:
    """The sizes of the construction for S x R facts, D answers of a relation at most.

    *m*: width; *collisions*: facts with one answer, at most; *others*: tokens that are no answer.
    """

    d: int
    S: int
    R: int
    D: int
    m: int
    collisions: int
    others: int

    @classmethod
    def read(cls, d: Any, S: Any, R: Any, D: Any, m: Any, noise: Any, collisions: Any) -> Sizes:
        """Checked; *noise* tokens are S + R if None, and *collisions* are S if None.

        Raises ValueError that begins with the name of the size that is out of range.
        """
        d, S, R, D, noise = read_table(d, S, R, D, noise)
        m = read_size("m", m)
        collisions = S if collisions is None else read_size("collisions", collisions)
        least = -(-S // D)
        if not least <= collisions <= S:
            raise ValueError(
                f"collisions: {collisions} is out of range; S = {S} subjects and D = {D} answers "
                f"take {least} to {S}"
            )
        return cls(d, S, R, D, m, collisions, S + R + noise + 1)


class Weights(NamedTuple):
    """Of the weights G: E G_a, Var G_a, and the sum of E G_a'^2 over all other answers."""

    mean: RationalFunction
    variance: RationalFunction
    noise: RationalFunction

    def at(self, sizes: Sizes) -> tuple[arb, arb, arb]:
        """At most, but for the mean, for every table within the *sizes*: the variance grows with the
        number of facts that share a, and the noise falls with it."""
        place = {"d": arb(sizes.d), "m": arb(sizes.m), "h": arb((sizes.d - 1) // 2)}
        return (
            evaluate(self.mean, **place),
            evaluate(self.variance, **place, C=arb(sizes.collisions)),
            evaluate(self.noise, **place, S=arb(sizes.S), R=arb(sizes.R)),
        )


@lru_cache(maxsize=16)
def weights(sigma: tuple[int | Fraction, ...] = H2) -> Weights:
    """Exactly, in d, h = dim P = dim Q, m, C = C(a), S and R.

    From the margin over a token that is no answer, E gamma^2 = (1 + 1/d) E G_a^2 + (2/d) noise; where
    all facts have the answer a, S = C and R = 1, there is no noise.
    """
    d, h, S, R, m, C = symbols("d h S R m C")
    shape = two_input_mlp.Shape(d, S, R, m, 1, 1, sigma, half=h)
    table = two_input_mlp.Table(C, 0)
    mean = two_input_mlp.margin_mean(shape, table).value
    second = two_input_mlp.margin_variance(shape, table).value + mean**2
    own = second(S=C, R=1) / (1 + 1 / d)
    return Weights(mean, own - mean**2, d / 2 * (second - second(S=1, R=1))(C=1))


class AttentionMLP(FactCondition):
    """P(failure) <= P(some head errs) + S R (P(G_a < g) + P(noise > v) + |V| exp(-k + k^2/(2d))).

    With G_a >= g and the sum of the other G^2 at most v = g^2/(1 + 4k/d), a margin is <= 0 with
    probability at most E exp(-k A). g and k are free, 0 < g < E G_a and 0 <= k <= d. P and Q have
    dimension floor((d-1)/2), orthogonal to phi(EOS); m neurons with the activation *sigma*, given by
    rational Hermite coefficients (the v_i are negated if c_2 is negative), and V scaled by a large
    constant, so that what the MLP names is what the transformer names.

    *gap* and *spread* are 16 and 4; other values serve to show that a wrong constant is found out.

    Raises ValueError for a sigma without c_2, ExactnessError for floats.
    """

    def __init__(
        self,
        sigma: Sequence[int | Fraction] = H2,
        *,
        gap: Fraction = GAP,
        spread: Fraction = Fraction(4),
    ) -> None:
        self.sigma, self.gap, self.spread = read_activation(sigma, 2), gap, spread

    def failure_bound(
        self,
        d: int,
        S: int,
        R: int,
        D: int,
        *,
        m: int,
        M: int = 1,
        noise: int | None = None,
        collisions: int | None = None,
    ) -> Fraction:
        """A rigorous upper bound on P(some fact is not recalled in some context), at most 1, rounded up.

        *d*: embedding dimension; *S*, *R*: numbers of subjects and relations; *D*: answers of a
        relation, at most, D <= S; *m*: neurons; *M*: tokens a head, at most; *noise*: number of noise
        tokens, S + R if it is not given; *collisions*: facts with the same answer, at most, S if it is
        not given. Attention is hard. The head dimension does not matter, as heads of one key add up.

        1 for d < 3, where P and Q have no room, and unless E G_a has the sign of c_2, as it does for
        large d. Raises ValueError for sizes out of range.
        """
        sizes = Sizes.read(d, S, R, D, m, noise, collisions)
        read_size("M", M)
        if d < _LEAST:
            return _ONE
        heads = partition(S, M) + partition(R, M)
        total = key_failure(d, heads, sizes.others - 1, gap=self.gap)
        if total < 1:
            with precision():
                total += upper(S * R * self._fact_lost(sizes))
        return min(total, _ONE)

    def spread_evenly(self, S: int, D: int) -> Mapping[str, int]:
        """Facts with the same answer: ceil(S/D)."""
        return {"collisions": -(-S // D)}

    def _fact_lost(self, sizes: Sizes) -> arb:
        """The bound for one fact, at the free parameters that suit it."""
        mean, variance, noise = weights(self.sigma).at(sizes)
        # Negated with c_2, the mean must be positive, as higher coefficients may prevent at small d.
        if not mean * ball(self.sigma[2]) > 0:
            return arb(1)
        tokens, relative = sizes.R * sizes.D + sizes.others, variance / mean**2
        spread, ratio = float(self.spread), float((noise / mean**2).mid())

        def rough(kept: Fraction, step: int) -> float:
            k = sizes.d * step / _STEPS**2
            tail = tokens * exp(-k + k * k / (2 * sizes.d))
            return ratio * (1 + spread * k / sizes.d) / float(kept) ** 2 + tail

        def found(kept: Fraction, k: Fraction) -> arb:
            lower = relative / (relative + ball((1 - kept) ** 2))
            upper_ = noise / mean**2 * ball((1 + self.spread * k / sizes.d) / kept**2)
            tail: arb = lower + upper_ + tokens * ball(-k + k**2 / (2 * sizes.d)).exp()
            return tail

        bounds = []
        for kept in _KEPT:
            step = min(_EXPONENTS, key=lambda step: rough(kept, step))
            bounds.append(found(kept, Fraction(sizes.d * step, _STEPS**2)))
        return min(bounds)
