"""Printed formulas in quantities of information, such as L - J: from field element to exact information.

Serves Sec. 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from proofs.algebra import RationalFunction
from proofs.information.entropy import Information, Rational, bits


def linear_form(
    form: RationalFunction, values: Mapping[str, Information], **numbers: Rational
) -> Information:
    """The form at informations and plain numbers; a constant left over counts as bits.

    Raises ValueError for a form that is not linear in the informations.
    """
    at = form(**numbers)
    constant = _at(at, dict.fromkeys(values, 0))
    slopes = {n: _at(at, {**dict.fromkeys(values, 0), n: 1}) - constant for n in values}
    probe = {name: 2 + place for place, name in enumerate(values)}
    if _at(at, probe) != constant + sum(slopes[n] * probe[n] for n in values):
        raise ValueError(f"form = {form}: it must be linear in {', '.join(values)}")
    return sum((slopes[n] * value for n, value in values.items()), bits(constant))


def _at(form: RationalFunction, values: Mapping[str, int]) -> Fraction:
    return form(**values).as_fraction()
