"""The one-sided tail of a polynomial and the choice of the exponent in its proof.

Nichani et al., App. F, Lemma 14. L stands for log(1/delta) throughout.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, evaluate, lower, precision
from proofs.concentration.polynomials import Polynomial
from proofs.concentration.powers import number

#: Failure probabilities and degrees among which a wrong choice of the exponent is looked for.
_DELTAS = (Fraction(1, 2), Fraction(9, 10), Fraction(1, 10), Fraction(1, 100), Fraction(1, 10**4))
_DEGREES = (1, 2, 3, 4)
#: Relative variances are cut to multiples of this part of one, so that they are fractions.
_GRAIN = 10**8


@dataclass(frozen=True)
class TailHypothesis:
    """scale^p e^power_of_e L^power_of_log Var(f)/(E f)^2 <= 1, with L >= least.

    *power_of_log* is in the symbol p. Where least is 0, L > 0.
    """

    scale: Fraction
    power_of_e: Fraction
    power_of_log: RationalFunction
    least: Fraction = Fraction(0)

    def factor(self, p: int, log: arb) -> arb:
        """What the relative variance is multiplied by, at a ball *log* around L."""
        power = ball(number(self.power_of_log, p=p))
        return ball(self.scale) ** p * ball(self.power_of_e).exp() * log**power


@dataclass(frozen=True)
class Exponent:
    """q = choice in the symbol L, and the power in the symbol q of q^p Var(f)/(E f)^2."""

    choice: RationalFunction
    power: RationalFunction


def _log(delta: Fraction) -> arb:
    return -ball(delta).log()


def choice_counterexample(hypothesis: TailHypothesis, exponent: Exponent) -> dict[str, str] | None:
    """p, delta and Var(f)/(E f)^2 within the hypothesis for which the conclusion fails; or None.

    Decided by balls; the relative variance is one where that is allowed, else nearly the largest.
    """
    with precision():
        for p in _DEGREES:
            for delta in _DELTAS:
                log = _log(delta)
                if not log > ball(hypothesis.least):
                    continue
                factor = hypothesis.factor(p, log)
                largest = Fraction(int(lower(1 / factor) * _GRAIN), _GRAIN)
                q = evaluate(exponent.choice, L=log)
                power = evaluate(exponent.power, q=q)
                for variance in (Fraction(1), largest):
                    value = (q**p * ball(variance)) ** power if variance else arb(0)
                    if factor * ball(variance) <= 1 and value > ball(delta):
                        return {
                            "p": str(p),
                            "delta": str(delta),
                            "Var(f)/(E f)^2": str(variance),
                            "hypothesis, at most 1": _shown(factor * ball(variance)),
                            "(q^p Var(f)/(E f)^2)^(q/2)": _shown(value),
                        }
    return None


def hypothesis_holds(hypothesis: TailHypothesis, f: Polynomial, delta: Fraction) -> bool:
    """Whether *f* at *delta* surely satisfies the hypothesis, decided by balls."""
    with precision():
        log = _log(delta)
        factor = hypothesis.factor(f.degree, log)
        return bool(log > ball(hypothesis.least)) and bool(factor * ball(f.relative_variance) <= 1)


def tail_counterexample(
    hypothesis: TailHypothesis, witnesses: Iterable[tuple[Polynomial, Fraction]]
) -> dict[str, str] | None:
    """The first of the *witnesses* (f, delta) within the hypothesis with P(f <= 0) > delta; or None.

    Decided by balls.
    """
    for f, delta in witnesses:
        with precision():
            exceeds = bool(f.probability() > ball(delta))
            if exceeds and hypothesis_holds(hypothesis, f, delta):
                value = hypothesis.factor(f.degree, _log(delta)) * ball(f.relative_variance)
                return {
                    "f": f.text,
                    "p": str(f.degree),
                    "E f": str(f.mean),
                    "Var(f)": str(f.variance),
                    "delta": str(delta),
                    "hypothesis, at most 1": _shown(value),
                    "P(f <= 0)": _shown(f.probability()),
                }
    return None


def _shown(value: arb) -> str:
    return str(value.str(5, radius=False))
