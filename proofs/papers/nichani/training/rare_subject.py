"""A rare subject whose relation predicts another answer: its weight grows at the rate sqrt 2 p(s).

One relation, T = 3, two answers; S - 1 subjects of equal chance have the answer 1, one of chance p has
the answer 2. By angles (see ``two_answers``): f of the rare subject, Q of the others together, Q/(S - 1)
of each, and Q - f of EOS and of the relation. A column of angle x adds the logit
h(x) = (3/sqrt 2) alpha^2 sinh(2x), so with x_1 and x_2 the wrong masses of common and rare subjects

    Q' = sqrt 2 (1 - p) x_1,   x_1 = 1/(1 + exp(h(Q/(S - 1)) + 2h(Q - f))),
    f' = sqrt 2 p x_2,         x_2 = 1/(1 + exp(h(f) - 2h(Q - f))).

For the extremal constant in Lemma 5 of Nichani et al. All values are balls.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from proofs.algebra.balls import ball


@dataclass(frozen=True)
class RareSubject:
    """The world, 0 < p < 1 and S >= 3, from alpha = e^log_alpha."""

    p: Fraction
    S: int
    log_alpha: int

    def __str__(self) -> str:
        return f"S = {self.S}, R = 1, |A| = 2, T = 3, a rare subject, alpha = e^({self.log_alpha})"

    def logit(self, angle: arb) -> arb:
        """h(angle)."""
        return 3 / ball(2).sqrt() * (ball(2 * self.log_alpha)).exp() * (2 * angle).sinh()

    def angle(self, logit: arb) -> arb:
        """The angle of a logit."""
        return (logit * ball(2).sqrt() / 3 * ball(-2 * self.log_alpha).exp()).asinh() / 2

    def grown(self, time: Fraction, level: Fraction) -> arb | None:
        """W_KQ of the rare subject over its start, at least, when t = time/p; None if not decided.

        *level*: a margin of the common answer that is soon reached and then kept.
        """
        root = ball(2).sqrt()
        p, M = ball(self.p), ball(level)
        # f <= sqrt 2 time, since x_2 <= 1; what the rare subject adds to its logit is at most small.
        most = root * ball(time)
        small = self.logit(most)
        # From the angle at which 2h = log(1/p) on x_1 <= p, so Q then moves by at most sqrt 2 time.
        ceiling = self.angle(-p.log() / 2) + 2 * most
        common = self.logit(ceiling / (self.S - 1))
        # As long as 2h(Q - f) <= M, Q - f grows at this rate or faster: it reaches M and keeps it.
        pace = root * ((1 - p) / (1 + (M + common).exp()) - p)
        if not pace > 0:
            return None
        wait = p * self.angle(M / 2) / pace
        angle = root * (ball(time) - wait) / (1 + (small - M).exp())
        return angle.cosh() if angle > 0 else None
