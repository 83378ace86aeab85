"""Concentration of polynomials: arguments hold, and wrong constants break and are refuted."""

from fractions import Fraction
from itertools import product
from math import comb, erfc, prod, sqrt

import pytest

from proofs.algebra import RationalFunction
from proofs.algebra.balls import lower, precision, upper
from proofs.concentration import (
    Exponent,
    MarkovChain,
    NormBound,
    OverlapBound,
    TailHypothesis,
    choice_counterexample,
    conjunction,
    fourth_moment,
    hypothesis_holds,
    markov_counterexample,
    negation,
    norm_counterexample,
    overlap_counterexample,
    overlap_moment,
    parity,
    shifted_gaussian,
    tail_counterexample,
)
from proofs.concentration.powers import at_most_product
from proofs.concentration.sphere import coordinate_moment

d, p, q, L = (RationalFunction.symbol(name) for name in "dpqL")
HALF = Fraction(1, 2)


def number(value) -> RationalFunction:
    return RationalFunction.constant(value)


# -- exact powers ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "factors", "expected"),
    [
        (2, [(4, HALF)], True),
        (Fraction(2000001, 10**6), [(4, HALF)], False),
        (1, [(4, HALF), (2, Fraction(-1))], True),
        (1, [(4, HALF), (3, Fraction(-1))], False),
        (0, [(Fraction(1, 3), Fraction(7, 2))], True),
    ],
)
def test_rational_powers_are_compared_exactly(value, factors, expected):
    exact = [(Fraction(base), exponent) for base, exponent in factors]
    assert at_most_product(Fraction(value), *exact) is expected


def test_a_base_that_is_not_positive_is_refused():
    with pytest.raises(ValueError, match="not positive"):
        at_most_product(Fraction(1), (Fraction(0), HALF))


# -- overlaps -------------------------------------------------------------------------------------

OVERLAP = OverlapBound(2 * p, p, p)
WRONG_OVERLAPS = [
    OverlapBound(9 * p / 10, p, p),
    OverlapBound(2 * p, number(0), p),
    OverlapBound(2 * p, p, p + 1),
    OverlapBound(2 * p, p, 3 * p / 2),
]


@pytest.mark.parametrize("order", range(6))
def test_overlap_moments_are_those_of_the_engine(order):
    assert overlap_moment(order) == coordinate_moment(order)


@pytest.mark.parametrize("bound", [OVERLAP, OverlapBound(p, p, p)])
def test_the_moments_of_overlaps_are_bounded(bound):
    assert overlap_counterexample(bound) is None


@pytest.mark.parametrize("bound", WRONG_OVERLAPS)
def test_smaller_bounds_on_overlaps_are_refuted(bound):
    found = overlap_counterexample(bound)
    sizes = {"p": int(found["p"]), "d": int(found["d"])}
    exact = overlap_moment(sizes["p"])(d=sizes["d"]).as_fraction()
    assert Fraction(found["E <u,v>^(2p)"]) == exact
    base, exponent, dimension = (
        float(f(**{name: sizes[name] for name in f.names}).as_fraction())
        for f in (bound.base, bound.exponent, bound.dimension)
    )
    assert exact > base**exponent * sizes["d"] ** -dimension


# -- norms ----------------------------------------------------------------------------------------

KNOWN = NormBound(q - 1, p / 2, Fraction(2))
CENTRAL = NormBound(q, p / 2, Fraction(1))
WRONG_NORMS = [
    NormBound(q - 1, p / 2, Fraction(1)),
    NormBound(q - 1, p / 2, Fraction(3, 2)),
    NormBound(q / 2, p / 2, Fraction(2)),
    NormBound((3 * q - 2) / 4, p / 2, Fraction(2)),
    NormBound(q - 1, p / 4, Fraction(2)),
    NormBound(q - 1, (p - 1) / 2, Fraction(2)),
]
WRONG_CENTRAL = [
    NormBound(q, p / 2, Fraction(0)),
    NormBound(q, p / 2, HALF),
    NormBound(q - 1, p / 2, Fraction(1)),
    NormBound((q + 1) / 2, p / 2, Fraction(1)),
    NormBound(q, p / 3, Fraction(1)),
]


@pytest.mark.parametrize("k", range(7))
def test_fourth_moments_of_hermite_polynomials_are_known_integers(k):
    """E h_k^4 is the sum of C(k, i)^2 C(2i, i)."""
    assert fourth_moment(k) == sum(comb(k, i) ** 2 * comb(2 * i, i) for i in range(k + 1))


@pytest.mark.parametrize("bound", [KNOWN, CENTRAL])
def test_true_bounds_on_norms_have_no_counterexample(bound):
    assert norm_counterexample(bound) is None


@pytest.mark.parametrize("bound", [*WRONG_NORMS, *WRONG_CENTRAL])
def test_wrong_bounds_on_norms_are_refuted(bound):
    assert norm_counterexample(bound) is not None


def test_the_smallest_counterexample_to_every_q_above_one_is_a_sign():
    found = norm_counterexample(WRONG_NORMS[0])
    assert (found["p"], found["q"], found["||f||_q"]) == ("1", "3/2", "1")
    assert found["stated factor"] == "(1/2)^(1/2)"


# -- test polynomials -----------------------------------------------------------------------------


@pytest.mark.parametrize("degree", [1, 2, 3, 5])
@pytest.mark.parametrize("family", ["parity", "conjunction", "negation"])
def test_polynomials_in_signs_have_their_mean_variance_and_probability(family, degree):
    signs = list(product((1, -1), repeat=degree))
    values = {
        "parity": [1 + prod(s) for s in signs],
        "conjunction": [prod(1 + x for x in s) for s in signs],
        "negation": [2**degree - prod(1 + x for x in s) for s in signs],
    }[family]
    f = {"parity": parity, "conjunction": conjunction, "negation": negation}[family](degree)
    mean = Fraction(sum(values), len(values))
    assert f.mean == mean
    assert f.variance == Fraction(sum(v * v for v in values), len(values)) - mean**2
    assert f.nonpositive == Fraction(sum(v <= 0 for v in values), len(values))
    assert f.degree == degree


def test_the_tail_of_a_gaussian_is_certified():
    with precision():
        tail = shifted_gaussian(Fraction(3, 2)).probability()
        assert lower(tail) <= upper(tail)
        assert float(lower(tail)) == pytest.approx(erfc(1.5 / sqrt(2)) / 2, rel=1e-12)


def test_a_gaussian_without_a_positive_mean_is_refused():
    with pytest.raises(ValueError, match="not positive"):
        shifted_gaussian(Fraction(0))


# -- tails ----------------------------------------------------------------------------------------

HYPOTHESIS = TailHypothesis(Fraction(2), Fraction(1), p, HALF)
CHOICE = Exponent(2 * L, q / 2)
WITNESSES = [
    (shifted_gaussian(Fraction(3, 2)), Fraction(1, 20)),
    (parity(1), Fraction(2, 5)),
    (parity(1), Fraction(9, 20)),
    (parity(4), Fraction(47, 100)),
    (conjunction(3), Fraction(17, 20)),
    (shifted_gaussian(Fraction(3)), Fraction(1, 5)),
]
WRONG_TAILS = [
    TailHypothesis(Fraction(2), Fraction(-1), p, HALF),
    TailHypothesis(Fraction(2), Fraction(-1, 2), p, HALF),
    TailHypothesis(Fraction(1), Fraction(1), p, HALF),
    TailHypothesis(Fraction(2), Fraction(1), p, Fraction(0)),
]


def test_the_hypothesis_with_e_has_no_counterexample():
    assert tail_counterexample(HYPOTHESIS, WITNESSES) is None
    assert hypothesis_holds(HYPOTHESIS, *WITNESSES[-1])


def test_the_hypothesis_is_on_the_variance_over_the_squared_mean():
    # With the factor 1 a Gaussian of mean mu satisfies it where 1/mu^2 <= 1.
    plain = TailHypothesis(Fraction(1), Fraction(0), p * 0)
    assert not hypothesis_holds(plain, shifted_gaussian(Fraction(9, 10)), Fraction(1, 5))
    assert hypothesis_holds(plain, shifted_gaussian(Fraction(11, 10)), Fraction(1, 5))


@pytest.mark.parametrize("hypothesis", WRONG_TAILS)
def test_wrong_hypotheses_are_refuted(hypothesis):
    assert tail_counterexample(hypothesis, WITNESSES) is not None


def test_the_printed_hypothesis_fails_for_a_gaussian():
    printed = TailHypothesis(Fraction(2), Fraction(-1), p)
    found = tail_counterexample(printed, WITNESSES)
    assert found["f"] == "3/2 + g, g standard Gaussian"
    assert float(found["hypothesis, at most 1"]) <= 1
    assert float(found["P(f <= 0)"]) > float(Fraction(found["delta"]))


WRONG_CHOICES = [
    (TailHypothesis(Fraction(2), Fraction(-1), p), CHOICE),
    (TailHypothesis(Fraction(2), Fraction(9, 10), p), CHOICE),
    (TailHypothesis(Fraction(9, 5), Fraction(1), p), CHOICE),
    (TailHypothesis(Fraction(2), Fraction(1), p - 1), CHOICE),
    (TailHypothesis(Fraction(2), Fraction(1), p), Exponent(L, q / 2)),
    (TailHypothesis(Fraction(2), Fraction(1), p), Exponent(3 * L, q / 2)),
    (TailHypothesis(Fraction(2), Fraction(1), p), Exponent(2 * L, q / 3)),
]


def test_the_choice_of_the_exponent_is_right_with_e():
    assert choice_counterexample(TailHypothesis(Fraction(2), Fraction(1), p), CHOICE) is None


@pytest.mark.parametrize(("hypothesis", "exponent"), WRONG_CHOICES)
def test_wrong_choices_are_refuted(hypothesis, exponent):
    found = choice_counterexample(hypothesis, exponent)
    assert float(found["hypothesis, at most 1"]) <= 1
    value = float(found["(q^p Var(f)/(E f)^2)^(q/2)"])
    assert value > float(Fraction(found["delta"]))


# -- Markov ---------------------------------------------------------------------------------------

WRONG_CHAINS = [
    MarkovChain(Fraction(1), q, q, True),
    MarkovChain(Fraction(2), q, q, False),
    MarkovChain(HALF, q, q, False),
    MarkovChain(Fraction(1), 2 * q, q, False),
    MarkovChain(Fraction(1), q / 2, q, False),
    MarkovChain(Fraction(1), q, q + 1, False),
    MarkovChain(Fraction(1), q, q / 2, False),
]


def test_the_chain_holds():
    assert markov_counterexample(MarkovChain(Fraction(1), q, q, False)) is None


@pytest.mark.parametrize("chain", WRONG_CHAINS)
def test_wrong_chains_are_refuted(chain):
    found = markov_counterexample(chain)
    left, right = (Fraction(value) for name, value in found.items() if name not in ("f", "q"))
    assert left > right
