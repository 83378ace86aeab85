"""The chain of inequalities from a polynomial that is not positive to its central moment.

Nichani et al., App. F, first display in the proof of Lemma 14.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

from proofs.algebra import RationalFunction
from proofs.concentration.powers import number

#: Means and coefficients of the polynomials mean + b s + c s t in two signs that are enumerated.
_MEANS = (Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4))
_COEFFICIENTS = (Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2))
_EXPONENTS = (1, 2, 3)
_LINKS = ("P(f <= 0)", "P(|f - E f| >= t E f)", "P(|f - E f|^q >= (E f)^event)", "the quotient")


@dataclass(frozen=True)
class MarkovChain:
    """P(f <= 0) <= P(|f - E f| >= threshold E f) <= P(|f - E f|^q >= (E f)^event)
    <= E |f - E f|^q/(E f)^quotient, for E f > 0 and q > 0.

    *event* and *quotient* are in the symbol q; *strict* has > in place of the first >=.
    """

    threshold: Fraction
    event: RationalFunction
    quotient: RationalFunction
    strict: bool


#: The mean, the coefficients of s and of s t, and q.
_Case = tuple[Fraction, Fraction, Fraction, int]


def _cases() -> Iterator[_Case]:
    cases = product(_MEANS, _COEFFICIENTS, _COEFFICIENTS, _EXPONENTS)
    return (case for case in cases if case[1] or case[2])


def _powers(chain: MarkovChain, case: _Case) -> tuple[int, int] | None:
    """The two powers of E f at this q, where they are integers."""
    event, quotient = (number(f, q=case[3]) for f in (chain.event, chain.quotient))
    if event.denominator != 1 or quotient.denominator != 1:
        return None
    return int(event), int(quotient)


def markov_counterexample(chain: MarkovChain) -> dict[str, str] | None:
    """A polynomial in two signs for which a link of the chain fails, by enumeration; or None."""
    for case in _cases():
        powers = _powers(chain, case)
        if powers is None:
            continue
        mean, b, c, q = case
        event, quotient = powers
        values = [mean + b * s + c * s * t for s, t in product((1, -1), repeat=2)]
        away, far = [abs(value - mean) for value in values], chain.threshold * mean
        sides = (
            _share(value <= 0 for value in values),
            _share(a > far or (a == far and not chain.strict) for a in away),
            _share(a**q >= mean**event for a in away),
            sum(a**q for a in away) / len(away) / mean**quotient,
        )
        for i, (left, right) in enumerate(pairwise(sides)):
            if left > right:
                return {
                    "f": f"{mean} + {b} s + {c} s t, signs s and t",
                    "q": str(q),
                    _LINKS[i]: str(left),
                    _LINKS[i + 1]: str(right),
                }
    return None


def _share(happens: Iterator[bool]) -> Fraction:
    outcomes = list(happens)
    return Fraction(sum(outcomes), len(outcomes))
