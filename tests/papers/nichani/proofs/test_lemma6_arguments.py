"""The inequalities of the proof of Lemma 6: exact arguments, sharp constants, places that refute."""

import math
from fractions import Fraction

import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from proofs.algebra import RationalFunction
from proofs.algebra.balls import precision
from proofs.gradient_flow import softmax
from proofs.papers.nichani.training import eos_first, escape, excess_loss
from proofs.papers.nichani.training.eos_first import TokenBound

ONE, TWO, HALF = Fraction(1), Fraction(2), Fraction(1, 2)
T, A, p, D, gamma, k, x = (
    RationalFunction.symbol(n) for n in ["T", "A", "p", "D", "gamma", "k", "x"]
)
POSITIVE = st.fractions(min_value=Fraction(1, 1000), max_value=1000, max_denominator=1000)
SIGNED = st.fractions(min_value=-1000, max_value=1000, max_denominator=1000)
#: Rational points of the unit circle.
DIRECTIONS = st.fractions(min_value=-5, max_value=5, max_denominator=20).map(
    lambda t: ((1 - t * t) / (1 + t * t), 2 * t / (1 + t * t))
)


def judged(found):
    return found.holds, found.witness


@given(POSITIVE, SIGNED, POSITIVE, POSITIVE, DIRECTIONS)
def test_both_differential_inequalities_hold_wherever_the_deviation_points(u1, u2, d, q, e):
    w = u1**2 + u2**2
    # A rational number not above |u' - d J u|'s bound is enough of a deviation.
    size = 2 * u1 * (u1**2 + q)
    change = (d * u2 + size * e[0], d * u1 + size * e[1])
    assert 2 * (u1 * change[0] + u2 * change[1]) <= 2 * (d + 2 * q) * w + 4 * w**2
    product = change[0] * u2 + u1 * change[1]
    assert product >= (d - 2 * q) * w - 2 * w**2 >= (d - 4 * q) * w - 4 * w**2


@pytest.mark.parametrize(
    ("function", "sharp", "false"),
    [
        (
            escape.square_growth,
            (2, 2, 4),
            [(Fraction(199, 100), 3, 4), (2, 2, Fraction(399, 100))],
        ),
        (
            escape.product_growth,
            (1, 2, 2),
            [(1, Fraction(199, 100), 4), (1, 4, Fraction(199, 100))],
        ),
        (
            escape.product_and_square,
            (1, 2, HALF),
            [(Fraction(999, 1000), 2, 0), (1, 2, Fraction(3, 4))],
        ),
        (escape.comparison, (16, 1), [(16, Fraction(101, 100)), (Fraction(159, 10), 1)]),
        (
            escape.loss_step,
            (100, 200, HALF, Fraction(1, 100)),
            [(100, 200, HALF, Fraction(100, 9999))],
        ),
        (softmax.lse_bound, (Fraction(1, 4), 1), [(Fraction(249, 1000), 1)]),
        (softmax.lse_curvature, (0, HALF), [(0, Fraction(99, 200))]),
        (excess_loss.size_from_drop, (200, 200), [(Fraction(1999, 10), 200)]),
        (excess_loss.window_length, (200, 200), [(Fraction(1999, 10), 200)]),
    ],
)
def test_the_least_constants_hold_and_smaller_ones_are_refuted(function, sharp, false):
    holds, witness = judged(function(*map(Fraction, sharp)))
    assert holds
    assert witness is None
    for constants in false:
        holds, witness = judged(function(*map(Fraction, constants)))
        assert not holds
        assert witness


def test_half_of_the_token_sum_is_enough_and_no_less():
    assert judged(softmax.deviation_by_tokens(HALF, ONE, ONE, T)) == (True, None)
    assert judged(softmax.deviation_by_tokens(Fraction(49, 100), ONE, ONE, T))[1]
    assert judged(softmax.deviation_by_tokens(ONE, ONE, ONE, T - 1))[1]["bound"] == "0"


@pytest.mark.parametrize(
    ("function", "factor"),
    [
        (eos_first.deviation_from_uniform, ONE),
        (eos_first.planar_deviation, TWO),
        (eos_first.logit_gap, ONE),
        (eos_first.gradient_gap, ONE),
    ],
)
def test_what_ignores_eos_is_refuted_even_with_large_constants(function, factor):
    assert judged(function(TokenBound(ONE, T - 2, ONE, factor))) == (True, None)
    holds, witness = judged(function(TokenBound(Fraction(0), 1000 * T, Fraction(1000), factor)))
    assert not holds
    assert witness["r"] == "2"


def test_the_bounds_at_the_moment_hold_along_the_flow():
    """Against the angles f_1 and g = -f_2 in floats, p = 9/10, S = 100, alpha = 10^-10."""

    def h(x):
        return 3e-20 * math.sinh(2 * x) / math.sqrt(2)

    def logit(f, g):
        return h(f - g) + h((f - g) / 100)

    def speed(_, state):
        f, g = state
        first, second = h(f) + logit(f, g), logit(f, g) - h(g)
        root = math.sqrt(2)
        return [root * 0.9 / (1 + math.exp(first)), root * 0.1 / (1 + math.exp(-second))]

    def reached(_, state):
        return h(state[0]) + logit(*state) - math.log(2)

    reached.terminal = True
    f, g = solve_ivp(speed, (0, 60), [0, 0], rtol=1e-10, max_step=0.2, events=reached).y_events[0][
        0
    ]
    with precision():
        argument, moment = eos_first._moment()
        assert argument.holds
        assert moment.least < h(f - g) < moment.most
        assert h(g) < moment.other
        assert 3e-20 * math.cosh(g) ** 2 < moment.relation
        assert 3e-20 * math.cosh((f - g) / 100) ** 2 < moment.small
        assert 3e-20 * math.cosh(f - g) ** 2 * (1 - 1e-9) < moment.eos(arb(h(f - g)))


def test_the_moment_is_within_the_condition_of_lemma_6():
    """T alpha_sm^2 against d/(150 log(eps^2/(alpha^2 (|A| + 1)))), d = 1/sqrt 2, eps^2 = d/150."""
    with precision():
        argument, moment = eos_first._moment()
        small = float(moment.small.mid())
    reason = argument.lines[-1].reason.replace("[", "").replace("]", "")
    left, right = (float(side.split(" +/- ")[0]) for side in reason.split(" against "))
    d = 1 / math.sqrt(2)
    assert left == pytest.approx(3 * small, rel=1e-4, abs=0)
    assert right == pytest.approx(d / 150 / math.log(d / 150 / 3e-20), rel=1e-4)


def test_the_solution_is_the_only_one_that_is_accepted():
    condition = gamma / (4 * p)
    solution = (x * gamma + 4 * p * x * k) / (k * gamma + 4 * p * x * k)
    assert judged(escape.solved_time(solution, TWO, condition)) == (True, None)
    assert judged(escape.solved_time(2 * solution, TWO, condition))[1]
    assert judged(escape.escape_time(TWO, condition, ONE)) == (True, None)
    assert judged(escape.escape_time(TWO, 2 * condition, ONE))[1]["x"] == "1/2"


def test_gradients_carry_a_minus():
    minus = -ONE
    assert judged(excess_loss.relation_gradients(minus, ONE, ONE)) == (True, None)
    assert judged(excess_loss.loss_along_flow(minus)) == (True, None)
    assert judged(excess_loss.loss_along_flow(ONE))[1]["(Lbar_r)'"] == "-3/8"
    assert judged(excess_loss.squared_gradient(TWO, TWO, ONE))[1]["left side"] == "3/4"


def test_the_l1_norm_runs_over_all_answers():
    assert judged(excess_loss.excess_by_norm(TWO, 8 * p**2 * A)) == (True, None)
    assert judged(excess_loss.excess_by_norm(TWO, 2 * D**2))[1]["first p |y|_1"] == "0.20000000"


def test_accuracy_of_a_fiftieth_leaves_nothing_of_the_gain():
    holds, witness = judged(escape.accuracy_hypothesis(Fraction(1, 50), Fraction(1, 100)))
    assert not holds
    assert witness["-d x/(100 (A+1)) + x^2/2"] == "0"


def test_an_answer_of_one_subject_has_the_chance_one_over_s():
    one = RationalFunction.constant(1)
    assert judged(excess_loss.least_answer(one, strict=False)) == (True, None)
    assert judged(excess_loss.least_answer(one, strict=True))[1]["p*(a|r)"] == "1/2"
