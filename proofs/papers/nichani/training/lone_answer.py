"""A flow in one variable: all facts have the same answer, so every sequence pulls the same way.

S subjects of equal chance, one relation that comes up, A answers (the others are those of relations
of probability 0), T, and N noise tokens. From Assumption 2 each column moves in one plane, by an
angle: with u the unit vector along e_{a*} - 1/A,

    W_KQ(z) = alpha sqrt(A + 1) cosh phi_z,   W_OV(., z) = alpha + alpha sqrt(A + 1) sinh(phi_z) u,
    phi_z = c_z phi,   c_z = E C(z): 1 for EOS and the relation, 1/S for a subject, (T-3)/N for noise,
    phi' = x/sqrt(1 - 1/A),   x = 1 - p-hat(a*).

For counterexamples to what is said of all tables in App. D of Nichani et al. All values are balls.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from proofs.algebra.balls import ball
from proofs.algebra.symbols import ZERO, symbols
from proofs.argument import Argument
from proofs.gradient_flow.model import derivative


@dataclass(frozen=True)
class LoneAnswer:
    """The world; A >= 2, S >= 1, T >= 3, N >= 1 where T > 3."""

    A: int = 2
    S: int = 1
    T: int = 3
    N: int = 0

    @property
    def noise(self) -> Fraction:
        """E C(z) of a noise token."""
        return Fraction(self.T - 3, self.N) if self.N else Fraction(0)

    def columns(self) -> list[tuple[int, Fraction]]:
        """How many tokens have which E C(z)."""
        return [(2, Fraction(1)), (self.S, Fraction(1, self.S)), (self.N, self.noise)]

    def __str__(self) -> str:
        sizes = f"R = 1, |A| = {self.A}, T = {self.T}, |N| = {self.N}"
        return f"one answer for S = {self.S} subjects, {sizes}"

    def at(self, alpha: arb, phi: arb) -> Point:
        """The point of the flow at the angle *phi* >= 0 of EOS; alpha > 0."""
        A = self.A
        square = alpha**2 * (A + 1)
        ratio = ball(Fraction(A, A - 1)).sqrt()

        def logit(rate: Fraction) -> arb:
            """W_KQ (W_OV(a*) - W_OV(a)), a another answer."""
            angle = ball(rate) * phi
            return square * ratio * angle.sinh() * angle.cosh()

        # In a sequence: EOS and the relation, one subject, T - 3 noise tokens.
        margin = 2 * logit(Fraction(1)) + logit(Fraction(1, self.S))
        margin += (self.T - 3) * logit(self.noise)
        odds = (A - 1) * (-margin).exp()
        wrong = odds / (1 + odds)
        spread = sum(
            (
                count * ball(rate**2) * (2 * ball(rate) * phi).cosh()
                for count, rate in self.columns()
            ),
            arb(0),
        )
        squares = sum(
            (count * (ball(rate) * phi).cosh() ** 2 for count, rate in self.columns()), arb(0)
        )
        return Point(
            wrong=wrong,
            loss=(1 + odds).log(),
            gradient=square.sqrt() * ratio * wrong * spread.sqrt(),
            weights=(square * squares).sqrt(),
            speed=ratio * wrong,
        )

    def latest(self, alpha: arb, phi: arb) -> arb:
        """A time by which the angle of EOS is *phi* or more: its speed falls, x being smaller later."""
        return phi / self.at(alpha, phi).speed


@dataclass(frozen=True)
class Point:
    """wrong: 1 - p-hat(a*); loss: L; gradient: |grad L|; weights: |W_KQ|, over the tokens that occur;
    speed: phi'."""

    wrong: arb
    loss: arb
    gradient: arb
    weights: arb
    speed: arb


def reduction() -> Argument:
    """The columns as given above solve the flow of Lemma 4."""
    argument = Argument()
    # In units of alpha: W_OV(a*, z) = 1 + v, the others 1 - v/(A - 1).
    A, c, x, k, v = symbols("A c x k v")
    others = -v / (A - 1)
    # The residual of the column: c x for a*, -c x/(A - 1) for each other answer.
    G, H = c * x, -c * x / (A - 1)
    argument.equal("the residual sums to 0", G + (A - 1) * H, ZERO)
    argument.equal("W_OV' = k G stays on the line", k * H, -(k * G) / (A - 1))
    speed_of_k = (1 + v) * G + (A - 1) * (1 + others) * H
    argument.equal("W_KQ' = v c x A/(A - 1)", speed_of_k, v * c * x * A / (A - 1))
    # v = b sinh phi with b^2 = (A + 1)(A - 1)/A, k = sqrt(A + 1) cosh phi.
    square = k**2 - v**2 * A / (A - 1)
    moved = derivative(square, "k") * speed_of_k + derivative(square, "v") * k * G
    argument.equal("k^2 - v^2 A/(A - 1) = A + 1 is kept", moved, ZERO)
    return argument
