"""The table with one large answer set, a*(s, 1) = s and a*(s, 2) = b, by its few variables.

Serves Theorem 6 of arXiv 2412.06538. The answers are alike but for b and the subject's own, so that
the weights of both relations and of EOS stay on one line, and have angles; EOS falls back to its
start, which weights in floats would not follow.
"""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from numerics.errors import UnfinishedError

Array = NDArray[np.float64]

#: Logits beyond this are as good as infinite.
_LARGEST = 30.0


class _Lopsided:
    """D = S subjects, R = 2, T = 3. State: angles of relation 1 and 2 (towards A_1), log W_KQ of a
    subject, and its W_OV over W_KQ at its own answer, at b, at the others of A_1. EOS has the sum
    of the angles.
    """

    def __init__(self, D: int, log_scale: float) -> None:
        self.D = D
        #: v is 1/D on A_1 and -1 at b.
        self.length = math.sqrt(1 + 1 / D)
        #: log of W_KQ^2 - w^2 over 2, alpha^2 (|A| + 1)/2.
        self.log_half = 2 * log_scale + math.log((D + 2) / 2)
        self.counts = np.array([1.0, 1.0, D - 1.0])
        ratio = 1 / math.sqrt(D + 2)
        self.start = np.array([0.0, 0.0, log_scale + 0.5 * math.log(D + 2), ratio, ratio, ratio])

    def _logit(self, angle: float) -> float:
        """What the token adds to A_1 over b: alpha^2 (|A| + 1)/2 |v| sinh(2 angle)."""
        twice = 2 * abs(angle)
        size = self.length * math.exp(min(self.log_half + twice, _LARGEST)) / 2
        return math.copysign(size * -math.expm1(-2 * twice), angle)

    def predictions(self, state: Array) -> tuple[Array, Array]:
        """p-hat at the subject's own answer, at b, at each other: for relation 1 and 2."""
        first, second, log_kq, *ratio = state
        own = math.exp(min(2 * log_kq, _LARGEST)) * np.array(ratio)
        eos = self._logit(first + second)
        found = []
        for angle in (first, second):
            line = self._logit(angle) + eos
            logits = own + np.array([line, 0.0, line])
            weights = np.exp(logits - logits.max())
            found.append(weights / (self.counts * weights).sum())
        return found[0], found[1]

    def field(self, _: float, state: Array) -> Array:
        one, two = self.predictions(state)
        ratio = state[3:]
        subject = (np.array([1.0, 1.0, 0.0]) - one - two) / (2 * self.D)
        growth = (self.counts * ratio * subject).sum()
        angles = [0.5 * self.length * one[1], -0.5 * self.length * (1 - two[1])]
        return np.array([*angles, growth, *(subject - ratio * growth)])

    def error(self, state: Array) -> float:
        """The largest |p*(.|r) - p-hat| over the sequences."""
        one, two = self.predictions(state)
        first = (self.counts * (one - np.array([1 / self.D, 0.0, 1 / self.D])) ** 2).sum()
        second = (self.counts * (two - np.array([0.0, 1.0, 0.0])) ** 2).sum()
        return math.sqrt(max(first, second))


def nearest_while_light(D: int, log_scale: float, power: float) -> float:
    """How near p-hat comes to p*(.|r), for all sequences at one time, while W_KQ(s) <= alpha^power.

    alpha = e^log_scale from Assumption 2; D = S >= 2 subjects. Raises UnfinishedError where the flow is
    not followed to the end.
    """
    world = _Lopsided(D, log_scale)
    until = -2.6 * D * log_scale
    flow = solve_ivp(
        world.field,
        (0, until),
        world.start,
        method="LSODA",
        rtol=1e-9,
        atol=1e-9,
        t_eval=np.linspace(0, until, 3000),
    )
    if not flow.success:
        raise UnfinishedError(f"log_scale = {log_scale}: {flow.message}")
    light = flow.y[2] <= power * log_scale
    return min(world.error(state) for state in flow.y.T[light])
