"""The balanced table a*(s, r) = (r, s mod D): its flow is two equations that do not see each other.

All R relations are alike, and all D subjects but for copies, so the weights of a relation move
along one line, those of a subject along another, and EOS and noise tokens not at all. Serves Sec. 5
of Nichani et al.: the sizes at which the model predicts from the relation alone for a while.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, precision
from proofs.algebra.symbols import ONE, ZERO, symbols
from proofs.argument import Argument

_BITS = 256

#: Where the range of a logit is cut: finely near 0, where the angle moves most.
_PARTS = [ball(Fraction(1, 2**power)) for power in range(40, 5, -1)]
_PARTS += [ball(Fraction(step, 32)) for step in range(2, 33)]

#: The error below which a loss counts as small, and the rest of the other loss as whole.
_CLOSE = Fraction(1, 100)


# -- the reduction --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Residuals:
    """E[1(a = a*) - p-hat(a)] at the symmetric weights, over the probability of the token.

    inside: for an answer of the token; outside: for any other. X = e^x and Y = e^y, where x and y
    are the logits that the relation and the subject add to their answers.
    """

    relation_inside: RationalFunction
    relation_outside: RationalFunction
    subject_inside: RationalFunction
    subject_outside: RationalFunction
    everywhere: RationalFunction


def residuals() -> Residuals:
    """From the definition: an answer is (relation, value); p-hat weighs it by X for the relation of
    the sequence, by Y for the value of its subject, and the expectations run over the sequences
    with the token, in which the other of the two is uniform.
    """
    R, D, X, Y = symbols("R D X Y")
    both, relation, subject, neither = X * Y, X, Y, ONE
    total = both + (D - 1) * relation + (R - 1) * subject + (R - 1) * (D - 1) * neither
    # Of the D values (of the R relations) one is the sequence's own.
    own_relation = (both + (D - 1) * relation) / (D * total)
    other_relation = (subject + (D - 1) * neither) / (D * total)
    own_subject = (both + (R - 1) * subject) / (R * total)
    other_subject = (relation + (R - 1) * neither) / (R * total)
    average = (own_relation + (R - 1) * other_relation) / R
    return Residuals(
        1 / D - own_relation,
        -other_relation,
        1 / R - own_subject,
        -other_subject,
        1 / (R * D) - average,
    )


def reduction() -> Argument:
    """The residuals stay on two lines and the predictions are a product."""
    R, D, X, Y = symbols("R D X Y")
    found, argument = residuals(), Argument()
    argument.define(
        "P = X/(X + R - 1) is the mass of A_r, Q = Y/(Y + D - 1) that of A_s; v_r is 1/D on A_r "
        "and -1/((R - 1) D) elsewhere, v_s is 1/R on A_s and -1/(R (D - 1)) elsewhere"
    )
    P, Q = X / (X + R - 1), Y / (Y + D - 1)
    total = X * Y + (D - 1) * X + (R - 1) * Y + (R - 1) * (D - 1)
    argument.equal("p-hat(a*(s, r)) = P Q", X * Y / total, P * Q)
    argument.equal("p-hat(A_r) = P", (X * Y + (D - 1) * X) / total, P)
    argument.equal("p-hat(A_s) = Q", (X * Y + (R - 1) * Y) / total, Q)
    argument.equal("the residual of r is (1 - P) v_r on A_r", found.relation_inside, (1 - P) / D)
    argument.equal("and elsewhere", found.relation_outside, -(1 - P) / ((R - 1) * D))
    argument.equal("the residual of s is (1 - Q) v_s on A_s", found.subject_inside, (1 - Q) / R)
    argument.equal("and elsewhere", found.subject_outside, -(1 - Q) / (R * (D - 1)))
    argument.equal("the residual of EOS and of noise vanishes", found.everywhere, ZERO)
    argument.infer(
        "from Assumption 2 the weights of r stay at alpha + w v_r/|v_r|, those of s at alpha + w "
        "v_s/|v_s|, those of EOS and noise at alpha, alike for all relations and all subjects",
        "there the gradient points along these lines, and solutions are unique",
    )
    argument.equal("|v_r|^2 = R/((R - 1) D)", 1 / D + 1 / ((R - 1) * D), R / ((R - 1) * D))
    argument.equal("|v_s|^2 = D/(R (D - 1))", 1 / R + 1 / (R * (D - 1)), D / (R * (D - 1)))
    argument.infer(
        "W_KQ(r) = alpha sqrt(A + 1) cosh phi and w = alpha sqrt(A + 1) sinh phi with phi' = p(r) "
        "|v_r| (1 - P), x = (alpha^2 (A + 1)/2) |v_r| sinh 2 phi; for s alike, with p(s), v_s, Q "
        "and y",
        "W_KQ^2 - w^2 is conserved and the two derivatives are w and W_KQ times that rate",
    )
    return argument


def rate_ratio() -> RationalFunction:
    """(growth rate of relation weights / growth rate of subject weights)^2 at the start, in S, R, D.

    The rates are p(r) |v_r| (1 - P) and p(s) |v_s| (1 - Q) at X = Y = 1: the lengths of the
    residuals times the probabilities, taken from `residuals`.
    """
    S, R, D = symbols("S R D")
    start = residuals()

    def squared(
        inside: RationalFunction, outside: RationalFunction, count: RationalFunction
    ) -> RationalFunction:
        return count * inside(X=1, Y=1) ** 2 + (R * D - count) * outside(X=1, Y=1) ** 2

    relation = squared(start.relation_inside, start.relation_outside, D) / R**2
    subject = squared(start.subject_inside, start.subject_outside, R) / S**2
    return relation / subject


# -- times ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Block:
    """One of the two equations: phi' = p |v| (1 - e^x/(e^x + others)), as balls."""

    length: arb
    probability: arb
    others: int
    half_scale: arb

    def angle(self, logit: arb) -> arb:
        """phi at which the logit is reached."""
        return (logit / (self.half_scale * self.length)).asinh() / 2

    def times(self, logit: arb) -> tuple[arb, arb]:
        """Times before which the logit is not reached and by which it is.

        t = (phi + int e^x dphi / others)/(p |v|), with e^x taken from both ends of short pieces.
        """
        least = most = angle = arb(0)
        below = arb(0)
        for part in _PARTS:
            end = self.angle(logit * part)
            least += (end - angle) * below.exp()
            most += (end - angle) * (logit * part).exp()
            angle, below = end, logit * part
        rate = self.probability * self.length
        return (angle + least / self.others) / rate, (angle + most / self.others) / rate


def lengths(R: int, D: int) -> tuple[arb, arb]:
    """|v_r| and |v_s|."""
    return ball(Fraction(R, (R - 1) * D)).sqrt(), ball(Fraction(D, R * (D - 1))).sqrt()


def blocks(S: int, R: int, D: int, log_scale: int) -> tuple[Block, Block]:
    """The equations of a relation and of a subject from Assumption 2 with alpha = e^log_scale.

    R, D >= 2 and S a multiple of D; ValueError otherwise.
    """
    if R < 2 or D < 2 or S % D:
        raise ValueError(f"S = {S}, R = {R}, D = {D}: take R, D >= 2 and S a multiple of D")
    half = arb(2 * log_scale).exp() * (R * D + 1) / 2
    relation, subject = lengths(R, D)
    return (
        Block(relation, ball(Fraction(1, R)), R - 1, half),
        Block(subject, ball(Fraction(1, S)), D - 1, half),
    )


def _logit(others: int, loss: arb) -> arb:
    """x at which -log(e^x/(e^x + others)) is *loss*."""
    mass = (-loss).exp()
    return (mass * others / (1 - mass)).log()


def has_plateau(S: int, R: int, D: int, log_scale: int, close: Fraction = _CLOSE) -> bool | None:
    """Whether the model predicts from the relation alone at some time: relation-only loss at most
    *close*, subject-only loss at least log D - *close*. Certified; None where the bounds do not decide.

    Sizes as in `blocks`; alpha = e^log_scale, 0 < close < log min(R, D). ValueError otherwise.
    """
    with precision(_BITS):
        relation, subject = blocks(S, R, D, log_scale)
        if not (close > 0 and ball(close) < arb(min(R, D)).log()):
            raise ValueError(f"close = {close}: take a positive number below log {min(R, D)}")
        learned = relation.times(_logit(R - 1, ball(close)))
        left = subject.times(_logit(D - 1, arb(D).log() - ball(close)))
        if learned[1] < left[0]:
            return True
        return False if left[1] < learned[0] else None


def small_tables() -> Iterator[tuple[int, int, int]]:
    """Sizes (S, R, D) of small balanced tables, by S, then R and D."""
    for S in range(2, 25):
        for R in range(2, 13):
            for D in range(2, min(S, 9) + 1):
                if S % D == 0:
                    yield S, R, D
