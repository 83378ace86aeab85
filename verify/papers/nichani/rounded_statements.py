"""What Corollary 2's lemmas and its explicit closed form say, as formal statements made of the printed
formulas. Each stands beside the theorem of the kernel from which it is to follow.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.kernel import (
    Compare,
    Goal,
    Region,
    at_least,
    at_most_zero,
    between,
    bilinear,
    bilinear_form,
    instantiate,
    largest_weight,
    least_margin,
    margin,
    modulus,
    nearest,
    nearest_multiple,
    real,
    sign,
    symbol,
    symbols,
    term,
    weight,
    whole,
)
from proofs.memories.linear import definition
from proofs.papers.nichani.rounded_recall import (
    closed_form,
    rounded_average,
    rounded_average_over_pairs,
    rounded_margin,
)
from verify.checks.theorem import Goals
from verify.papers.nichani.linear_statements import average, average_goals, closed_form_condition
from verify.printed.formula import Formula

_d, _e = symbols("d e")
#: What the margin of W is supposed to be at least.
_MARGIN = Fraction(1, 2)


def entries(bound: Formula) -> Goals:
    """|W_ij| is at most the bound."""
    stated = Compare(modulus(weight(definition())), "<=", bound.term())
    yield Goal(stated, Region((whole("d", 1), whole("N", 1)))), largest_weight(definition())


def movement(bound: Formula) -> Goals:
    """|w - w~| is at most the bound for a multiple w~ of e that is nearest to w."""
    w = symbol("w")
    stated = Compare(modulus(w - nearest(w, _e)), "<=", bound.term())
    yield Goal(stated, Region((real("w"), at_least("e", 0, above=True)))), nearest_multiple()


def score(bound: Formula) -> Goals:
    """|u^T D v| is at most the bound for unit vectors and |D_ij| <= e."""
    region = Region((whole("d", 1), at_least("e", 0)))
    stated = Compare(modulus(bilinear(_d, 1, 1, _e)), "<=", bound.term())
    yield Goal(stated, region), instantiate(bilinear_form(), {"a": 1, "b": 1}, region)


def margins(lowest: Formula, limit: Formula) -> Goals:
    """From a margin of 1/2 the lowest one is left, and that is above 0, for e below the limit."""
    fine = between("e", 0, limit.term(), "()")
    own, rounded = (margin(definition(), inside=None, rounded=it) for it in (False, True))
    stated = Compare(own, "<=", rounded + (_MARGIN - lowest.term()))
    yield Goal(stated, Region((whole("d", 1), whole("N", 1), fine))), rounded_margin()
    positive, region = Compare(term(0), "<", lowest.term()), Region((whole("d", 1), fine))
    yield Goal(positive, region), sign(positive, region)


def full_recall(
    lead: Fraction, noise: Formula, pairs: Formula, kept: Formula, coarsest: Formula
) -> Goals:
    """Some margin of W~ is at most 0 with probability delta at most, under the condition."""
    sizes = (whole("d", 2), whole("M", 2), whole("N", 1, symbol("M")))
    steps = between("e", 0, coarsest.term() / _d, "(]")
    region = Region((*sizes, steps, between("delta", 0, 1, "()")))
    some = Compare(at_most_zero(least_margin(definition(), rounded=True)), "<=", symbol("delta"))
    condition = closed_form_condition(lead, noise, pairs, kept.term())
    yield Goal(some, region, condition), closed_form()


def averages(signal: Fraction, noise: Fraction, coincident: Fraction, loss: Fraction) -> Goals:
    """The averaged bound on P(gamma~ <= 0), and the union over the pairs, for any step e > 0."""
    yield from average_goals(
        lambda inside: average(signal, noise, coincident, loss * _e * _d, inside=inside),
        rounded_average,
        rounded_average_over_pairs(),
        at_least("e", 0, above=True),
        rounded=True,
    )
