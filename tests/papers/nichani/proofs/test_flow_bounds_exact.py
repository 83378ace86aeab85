"""Theorem 5, Lemma 5 and Lemma 7, exactly; the flows in one variable against their equations."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from scipy.integrate import solve_ivp
from scipy.special import expit

from proofs.algebra import RationalFunction
from proofs.algebra.balls import precision
from proofs.algebra.symbols import symbols
from proofs.gradient_flow import comparison
from proofs.papers.nichani.training import convergence, growth
from proofs.papers.nichani.training.lone_answer import LoneAnswer, reduction
from proofs.papers.nichani.training.rare_subject import RareSubject

F = Fraction
A, B, z, E, p, T, N = symbols("A B z E p T N")
UPPER, LOWER = A * z * E / (A + B * z * (1 - E)), A * z * E / (A + B * z * (E - 1))


def constant(value):
    return RationalFunction.constant(value)


# -- Lemma 7 --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("stated", "sign"), [(UPPER, 1), (LOWER, -1)])
def test_the_stated_solutions_are_those_derived(stated, sign):
    assert comparison.solution(sign) == stated
    assert comparison.solves(stated, sign).holds
    assert comparison.solves(stated, -sign).witness


def test_past_its_pole_the_upper_bound_fails_for_a_constant():
    witness = comparison.upper(UPPER, everywhere=True).witness
    at = {"A": witness["A"], "B": witness["B"], "z": witness["z(0)"], "E": witness["e^(At)"]}
    # A constant z satisfies 0 = z' <= A z + B z^2, and the right side has changed sign.
    assert at["A"] + at["B"] * at["z"] * (1 - at["E"]) < 0
    assert UPPER(**at).as_fraction() == witness["stated"] < at["z"]


@pytest.mark.parametrize("sign", [1, -1])
def test_only_what_is_beyond_a_bound_where_it_speaks_refutes_it(sign):
    true = comparison.solution(sign)
    assert comparison._beyond(true, sign=sign) is None
    assert comparison._beyond(true * (1 - sign * F(1, 10**9)), sign=sign)
    # On the other side of the solution the bound is only weaker; past the pole it does not speak.
    assert comparison._beyond(true * (1 + sign * F(1, 2)), sign=sign) is None


def test_a_lower_bound_that_fails_only_above_its_range_has_no_witness():
    for above in (2 * B * z - A, 2 * B * LOWER - A):
        assert comparison._beyond(LOWER + above, sign=-1) is None
        assert comparison._beyond(LOWER - above, sign=-1)


# -- flows in one variable ------------------------------------------------------------------------


def test_the_columns_of_a_lone_answer_solve_the_flow():
    assert reduction().holds


@pytest.mark.parametrize("world", [LoneAnswer(), LoneAnswer(A=4, S=3, T=5, N=2)])
def test_a_lone_answer_follows_the_flow_of_its_weights(world):
    """Against the flow of Lemma 4 integrated column by column in floats."""
    alpha, answers = 0.3, world.A
    rates = [1.0, 1.0, 1 / world.S, float(world.noise)]
    times = [1, 1, 1, world.T - 3]

    def speed(_, state):
        k, w = state.reshape(4, answers + 1)[:, 0], state.reshape(4, answers + 1)[:, 1:]
        logits = sum(n * key * column for n, key, column in zip(times, k, w, strict=True))
        e = np.exp(logits - logits.max())
        residual = np.eye(answers)[0] - e / e.sum()
        G = np.outer(rates, residual)
        return np.concatenate([(w * G).sum(1)[:, None], k[:, None] * G], axis=1).ravel()

    start = np.full((4, answers + 1), alpha)
    start[:, 0] *= math.sqrt(answers + 1)
    end = solve_ivp(speed, (0, 2), start.ravel(), rtol=1e-11, atol=1e-13).y[:, -1]
    found = end.reshape(4, answers + 1)
    phi = math.acosh(found[0, 0] / (alpha * math.sqrt(answers + 1)))
    assert found[2, 0] == pytest.approx(start[0, 0] * math.cosh(phi / world.S), rel=1e-8)
    with precision():
        point = world.at(arb(alpha), arb(phi))
        logits = sum(n * row[0] * row[1:] for n, row in zip(times, found, strict=True))
        wrong = 1 - np.exp(logits[0]) / np.exp(logits).sum()
        assert float(point.wrong.mid()) == pytest.approx(wrong, rel=1e-6)
        assert float(point.loss.mid()) == pytest.approx(-math.log1p(-wrong), rel=1e-6)
        # It moves fastest at first, so the angle takes at least phi over that speed.
        assert float(world.latest(arb(alpha), arb(phi)).mid()) >= 2 - 1e-6
        assert phi / float(world.at(arb(alpha), arb(0)).speed.mid()) <= 2 + 1e-6


def rare_angle(world, time):
    """The angle of the rare subject at t = time/p, by its two equations in floats."""
    chance = float(world.p)

    def h(x):
        size = math.log(3 / math.sqrt(8)) + 2 * world.log_alpha + 2 * abs(x)
        return math.copysign(math.exp(min(size, 50.0)) * -math.expm1(-4 * abs(x)), x)

    def speed(_, state):
        Q, f = state
        others, far, own = h(Q / (world.S - 1)), h(Q - f), h(f)
        common, rare = expit(-others - 2 * far), expit(2 * far - own)
        return [math.sqrt(2) * (1 - chance) * common, math.sqrt(2) * chance * rare]

    return solve_ivp(speed, (0, time / chance), [0, 0], rtol=1e-10, method="LSODA").y[1, -1]


def test_a_rare_subject_grows_at_least_as_fast_as_said():
    world = RareSubject(F(1, 1000), 200, -8)
    with precision():
        found = world.grown(F(4), F(3))
        assert found is not None
        assert 1 < found < arb(math.cosh(rare_angle(world, 4.0)))


@pytest.mark.parametrize("p", [F(1, 10**4), F(1, 10**5)])
def test_what_a_rare_subject_waits_for_the_others_counts(p):
    """While Q - f is on its way x_2 is 1/2: for p = 10^-4 that alone costs more than exp(-8) of 4."""
    world = RareSubject(p, 10**4, -100)
    with precision():
        found = world.grown(F(4), F(8))
        assert (found is None) == (p == F(1, 10**4))
        assert found is None or 1 < found < arb(rare_angle(world, 4.0)).cosh()


def test_the_logit_of_an_angle():
    """W_KQ (W_OV(1) - W_OV(2)) = alpha sqrt 3 cosh x alpha sqrt 6 sinh x."""
    world, x = RareSubject(F(1, 1000), 200, -2), 0.7
    wanted = math.exp(-4) * math.sqrt(3) * math.cosh(x) * math.sqrt(6) * math.sinh(x)
    with precision():
        assert float(world.logit(arb(x)).mid()) == pytest.approx(wanted, rel=1e-12)
        assert float(world.angle(arb(wanted)).mid()) == pytest.approx(x, rel=1e-12)


# -- Lemma 5 --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rate", "holds"),
    [(2 * p, True), (3 * p / 2, True), (9 * p / 10, False), (2 * p**2, False), (-p, False)],
)
def test_rates_of_subjects(rate, holds):
    assert growth.subject_growth(rate).holds == holds


@pytest.mark.parametrize(
    ("rate", "holds"), [(2 * T / N, True), (3 * (T - 3) / (2 * N), True), (2 / N, False)]
)
def test_rates_of_noise(rate, holds):
    assert growth.noise_growth(rate).holds == holds


@pytest.mark.parametrize(
    ("square", "noise", "holds"),
    [
        (F(2), T - 3, True),
        (F(199, 100), T - 3, False),
        (F(49, 25), T - 3, False),
        (F(2), T - 4, False),
        (F(3), T - 2, True),
    ],
)
def test_the_best_constant_is_the_root_of_two(square, noise, holds):
    assert growth.sharp_growth(square, noise).holds == holds


# -- Theorem 5 ------------------------------------------------------------------------------------


def test_the_gradient_can_be_three_fifths_of_its_bound_over_two():
    assert convergence.gradient_vanishes(F(2), (1, 1), F(0)).holds
    witness = convergence.gradient_vanishes(F(3, 5), (1, 1), F(0)).witness
    assert witness["world"]
    # Between what is proved and what is refuted nothing is claimed.
    argument = convergence.gradient_vanishes(F(1), (1, 1), F(0))
    assert argument.witness is None
    assert not argument.holds


def test_the_square_of_the_residual_is_twice_that_of_its_first_entry_at_most():
    """Met where one wrong answer has all the rest: 2 (b + c)^2 less the left side is 2 b c."""
    argument = convergence.gradient_vanishes(F(2), (1, 1), F(0))
    (line,) = (line for line in argument.lines if line.text.startswith("|1(a*) - p-hat|^2"))
    b, c = symbols("b c")
    assert line.reason == f"nonnegative coefficients: {2 * b * c}"


@pytest.mark.parametrize(("time", "holds"), [(F(1), True), (F(2), True), (F(99, 100), False)])
def test_the_time_of_convergence(time, holds):
    argument = convergence.converges(convergence.Start(F(1), F(2)), time, F(1))
    assert argument.witness is None
    assert argument.holds == holds


@pytest.mark.parametrize(("ov", "kq", "stays"), [(0, 0, True), (1, 0, True), (0, 1, False)])
def test_only_without_key_query_weights_the_start_stays(ov, kq, stays):
    start = convergence.Start(F(ov), F(kq))
    assert (convergence.converges(start, F(1), F(1)).witness is not None) == stays


def test_the_last_display_is_delta_at_the_largest_eps():
    alpha, S, R, delta = symbols("alpha S R delta")
    second = alpha * delta / (2 * A * S * R)
    assert convergence.loss_bound(second, F(2), (1, -1)).holds
    assert convergence.loss_bound(2 * second, F(2), (1, -1)).witness["bound"]
    assert not convergence.loss_bound(second / 2, F(2), (1, -1)).holds


def test_a_count_that_is_too_small_is_refuted_by_a_list():
    assert convergence.sequence_count(lambda T, N: F(T**2 * N ** (T - 3)), F(1)).holds
    witness = convergence.sequence_count(lambda T, N: F((T - 2) ** 2 * N ** (T - 3)), F(1)).witness
    assert witness["sequences"] > witness["stated"]
