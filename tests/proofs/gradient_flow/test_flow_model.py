"""The linear attention model, exactly: derivatives, conserved quantities, columns, angles."""

from fractions import Fraction

import numpy as np
import pytest

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import ONE, ZERO, symbols
from proofs.gradient_flow import columns, loss, model
from proofs.papers.nichani.training import two_answers

F = Fraction
k, C, t, p, q, w, a, A, T, L, P = symbols("k C t p q w a A T L P")


def constant(value):
    return RationalFunction.constant(value)


@pytest.mark.parametrize(
    ("function", "name", "expected"),
    [
        (k**3 * w, "k", 3 * k**2 * w),
        (1 / (1 + k), "k", -1 / (1 + k) ** 2),
        (w, "k", ZERO),
        (constant(5), "k", ZERO),
    ],
)
def test_derivatives_are_exact(function, name, expected):
    assert model.derivative(function, name) == expected


def test_a_difference_is_shown_at_numbers_and_equal_sides_have_none():
    assert model.difference(k * w, w * k) is None
    found = model.difference(k * w, k + w)
    assert found["derived"] != found["stated"]
    at = {name: found[name] for name in ("k", "w")}
    assert str((k * w)(**at)) == found["derived"]


def test_the_gradients_agree_with_finite_differences():
    """dL/dW_OV(a, z) and dL/dW_KQ(z) of one sequence, in floats: C = 2, three answers."""
    weights, key, rest, count = np.array([0.3, -0.7, 0.2]), 1.3, np.array([0.1, 0.4, -0.2]), 2

    def value(v, kq):
        logits = count * kq * v + rest
        return np.log(np.exp(logits).sum()) - logits[0]

    logits = count * key * weights + rest
    e = np.exp(logits)
    at = {"e0": F(float(e[0])), "e1": F(float(e[1])), "e2": F(float(e[2])), "C": 2, "k": F(key)}
    step = 1e-6
    for i in range(3):
        moved = np.eye(3)[i] * step
        numeric = (value(weights + moved, key) - value(weights - moved, key)) / (2 * step)
        exact = model._loss_by(f"w{i}", 3)
        found = exact(**{name: at[name] for name in exact.names}).as_fraction()
        assert float(found) == pytest.approx(numeric, abs=1e-7)


@pytest.mark.parametrize("square", [k**2, constant(0)])
def test_conserved_quantities_pass_and_their_neighbours_name_a_flat_point(square):
    each = w**2 if square == k**2 else w
    assert model.conserved(square, each).holds
    witness = model.conserved(square, 2 * each + w**3).witness
    assert witness["derivative of the stated quantity"] != 0


def test_the_flat_point_is_one():
    """At the witness the logits vanish, so p-hat is uniform, and the derivative is as said."""
    witness = model.conserved(k**2, 2 * w**2).witness
    key, column = witness["W_KQ(s) = W_KQ(EOS)"], witness["W_OV(., s) = -W_OV(., EOS)"]
    assert [key * x + key * -x for x in column] == [0] * len(column)
    G = [F(int(i == 0)) - F(1, len(column)) for i in range(len(column))]
    speed = sum(x * g for x, g in zip(column, G, strict=True))
    # (k^2 - 2 sum w^2)' = 2 k k' - 4 sum w w' with k' = speed and w' = k G.
    assert witness["derivative of the stated quantity"] == 2 * key * speed - 4 * key * speed


@pytest.mark.parametrize(
    ("bound", "start", "holds"),
    [(ONE, A + 1, True), (A + 1, A + 1, True), (A + 2, A + 1, False), (constant(4), A + 1, False)],
)
def test_lower_bounds_are_at_most_the_start(bound, start, holds):
    assert model.lower_bound(bound, start).holds == holds


def test_a_column_of_the_listed_world_is_the_conditional_mean():
    found = columns.column(0, 2)
    assert found.derived == found.right - found.predicted
    assert found.mass == RationalFunction.symbol("p00") + RationalFunction.symbol("p01")
    assert found.right == RationalFunction.symbol("p01")


def test_the_number_of_contexts():
    assert len(set(columns.contexts(5, 3))) == 4 * 3 * 9


def test_curvature_is_a_variance_less_the_bend_of_the_right_logit():
    (u,) = symbols("u")
    assert loss.curvature([u, ZERO]) == F(1, 4)
    assert loss.curvature([u, u]) == 0
    assert loss.curvature([u, -u, ZERO]) == F(2, 3)
    assert loss.curvature([u**2, ZERO]) == -1


def test_only_the_plain_statement_of_convexity_holds():
    assert loss.convex(F(0), F(1), F(1)).witness is None
    for stated in ((F(1, 1000), F(1), F(1)), (F(0), F(-1), F(1)), (F(0), F(1), F(0))):
        assert loss.convex(*stated).witness["second derivative at u = 0"] < 0


def test_the_wrong_mass_is_bounded_by_the_loss_over_the_probability():
    assert loss.wrong_mass(L / P, unlikely=False).holds
    assert loss.wrong_mass(L / (3 * P), unlikely=False).witness
    assert loss.wrong_mass(L / P, unlikely=True).witness


@pytest.mark.parametrize(
    ("slope", "end", "holds"),
    [
        (F(2), F(1, 2), True),
        (F(1387, 1000), F(1, 2), True),
        (F(1386, 1000), F(1, 2), False),
        (F(2), F(79, 100), True),
        (F(2), F(80, 100), False),
    ],
)
def test_the_logarithm_lies_below_its_chord(slope, end, holds):
    assert loss.logarithm(slope, end).holds == holds


def test_two_answers_are_angles_and_others_are_not():
    assert two_answers.angles(constant(3), constant(2)).holds
    assert two_answers.angles(constant(3), constant(1)).witness
    assert two_answers.angles(constant(-3), constant(2)).witness
    assert two_answers.relations(ONE, ONE, T - 3).holds
    assert (
        two_answers.relations(ONE, ONE, T - 2).witness["count of noise tokens in every sequence"]
        == 0
    )
