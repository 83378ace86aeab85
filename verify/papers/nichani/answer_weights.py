"""The printed condition for the construction with an MLP, evaluated from its formula.

p = k = 1 and sigma = h_2: with w = (u, v) standard Gaussian, x = <u, P phi(s)> and y = <v, Q phi(r)>,
the weight G_a' is the mean over the neurons of h_2(x + y) sum <u, P phi(s')> <v, Q phi(r')>, over the
facts (s', r') with the answer a'. Products for two facts have the mean 0, so that second moments are
sums over facts, and a fact counts by whether it has the subject s and the relation r.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb, prod

from flint import arb

from proofs.algebra.balls import ball

#: 2 h_2(x + y)^2 = ((x + y)^2 - 1)^2, by powers of x + y.
_SQUARE: Mapping[int, int] = {4: 1, 2: -2, 0: 1}


@dataclass(frozen=True)
class Answers:
    """Of a table and its construction: at most *collisions* facts share an answer, |V| = *tokens*."""

    d: int
    S: int
    R: int
    m: int
    collisions: int
    tokens: int

    def second_moment(self, *, subject: bool, relation: bool) -> Fraction:
        """What a fact adds to E G^2. *subject*, *relation*: whether it has those of the query."""
        pairs = self._length(2) if subject else Fraction(self._half, self.d**2)
        pairs *= self._length(2) if relation else Fraction(self._half, self.d**2)
        neuron = Fraction(0)
        for power, weight in _SQUARE.items():
            for i in range(0, power + 1, 2):
                both = self._mean(i, subject) * self._mean(power - i, relation)
                neuron += Fraction(weight * comb(power, i), 2) * both
        return neuron / self.m + (1 - Fraction(1, self.m)) * 2 * pairs

    def _mean(self, power: int, own: bool) -> Fraction:
        """E x^power <u, P phi(s')>^2 for an even power: with x = |P phi(s)| g, s' = s if *own*."""
        if own:
            return _normal(power + 2) * self._length(power // 2 + 1)
        # Given u the mean of the square is |u|^2/d, where |u|^2 is g^2 + half - 1 in the mean.
        square = _normal(power + 2) + (self._half - 1) * _normal(power)
        return square * self._length(power // 2) / self.d

    @property
    def _half(self) -> int:
        return (self.d - 1) // 2

    def _length(self, power: int) -> Fraction:
        """E |P phi(s)|^(2 power)."""
        steps = (Fraction(self._half + 2 * i, self.d + 2 * i) for i in range(power))
        return prod(steps, start=Fraction(1))


def _normal(power: int) -> int:
    """E g^power for an even power."""
    return prod(range(1, power, 2))


def fact_lost(
    it: Answers, share: Fraction, exponent: Fraction, spread: Fraction, half: Fraction
) -> arb:
    """Var/(Var + (E G_a - g)^2) + E Q/v + |V| exp(-k + half k^2/d), v = g^2/(1 + spread k/d), for g =
    *share* E G_a and k = *exponent*."""
    square = 2 * Fraction((it.d - 1) // 2, it.d) ** 4  # (E G_a)^2
    alike = it.second_moment(subject=False, relation=True)
    variance = it.second_moment(subject=True, relation=True) + (it.collisions - 1) * alike - square
    noise = (it.S - 1) * alike
    noise += (it.R - 1) * it.second_moment(subject=True, relation=False)
    noise += (it.S - 1) * (it.R - 1) * it.second_moment(subject=False, relation=False)
    below = variance / (variance + (1 - share) ** 2 * square)
    above = noise * (1 + spread * exponent / it.d) / (share**2 * square)
    return ball(below + above) + it.tokens * ball(half * exponent**2 / it.d - exponent).exp()
