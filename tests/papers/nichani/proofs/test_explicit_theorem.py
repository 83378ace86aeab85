"""The proofs of the explicit conditions hold with their constants and break with wrong ones."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, lower, precision
from proofs.argument import Argument
from proofs.concentration.sphere import coordinate_moment
from proofs.papers.nichani.linear import (
    KAPPA,
    exponent_suffices,
    generating_function_counterexample,
    integral_bound,
    logarithm_to_the_fourth,
    logarithmic_form,
    power_of_l,
    single_margin_tail,
    variance_condition,
    variance_condition_witness,
)

F = Fraction
d, N, M, t, b, n = (RationalFunction.symbol(name) for name in ("d", "N", "M", "tau", "beta", "n"))


def kappa(signal: Fraction, coincident: Fraction, noise: Fraction) -> RationalFunction:
    return t * d * signal - b * t**2 * d * coincident - n * t**2 * noise / (1 - t**2)


def fourth(C: int, first: int, second: int) -> Argument:
    return logarithm_to_the_fourth(F(C), F(first), F(second), inputs_counted=True)


PROOFS: dict[str, Callable[[], Argument]] = {
    "tail": lambda: single_margin_tail(kappa(F(1, 2), F(1, 4), F(1, 4))),
    "integral": lambda: integral_bound(F(1, 2), F(1, 4)),
    "logarithmic form": lambda: logarithmic_form(F(32), F(16), F(1), F(1)),
    "fourth power": lambda: fourth(64, 4, 4),
    "variance condition": lambda: variance_condition(F(64), F(4), F(4), both_kept=True),
    # Weaker statements than those proved hold as well.
    "tail, noise doubled": lambda: single_margin_tail(kappa(F(1, 2), F(1, 4), F(1, 2))),
    "integral, noise doubled": lambda: integral_bound(F(1), F(1, 2)),
    "logarithmic form, larger constants": lambda: logarithmic_form(F(64), F(32), F(2), F(1)),
    "fourth power, larger C": lambda: fourth(128, 5, 4),
}

#: Beside the mutants of the claims.
WRONG: dict[str, Callable[[], Argument]] = {
    "tail, signal doubled": lambda: single_margin_tail(kappa(F(1), F(1, 4), F(1, 4))),
    "tail, noise halved": lambda: single_margin_tail(kappa(F(1, 2), F(1, 4), F(1, 8))),
    "tail, noise by a third less": lambda: single_margin_tail(kappa(F(1, 2), F(1, 4), F(1, 6))),
    "tail, noise lost": lambda: single_margin_tail(kappa(F(1, 2), F(1, 4), F(0))),
    "tail, coincident fact lost": lambda: single_margin_tail(kappa(F(1, 2), F(0), F(1, 4))),
    "tail, coincident fact halved": lambda: single_margin_tail(kappa(F(1, 2), F(1, 8), F(1, 4))),
    "integral, half the noise": lambda: integral_bound(F(1, 4), F(1, 4)),
    "integral, noise by a third less": lambda: integral_bound(F(1, 3), F(1, 4)),
    "integral, no noise": lambda: integral_bound(F(0), F(1, 4)),
    "integral, coincident fact halved": lambda: integral_bound(F(1, 2), F(1, 8)),
    "logarithmic form, 6": lambda: logarithmic_form(F(32), F(6), F(1), F(1)),
    "logarithmic form, 4": lambda: logarithmic_form(F(32), F(4), F(1), F(1)),
    "logarithmic form, rate 4": lambda: logarithmic_form(F(32), F(16), F(1), F(4)),
    "logarithmic form, d >= 8 l": lambda: logarithmic_form(F(8), F(16), F(1), F(1)),
    "fourth power, no logarithm for d": lambda: fourth(64, 0, 4),
    "fourth power, C = 20": lambda: fourth(20, 4, 4),
    "variance, third power for d": lambda: variance_condition(F(64), F(3), F(4), both_kept=True),
    "variance, third power for d^2": lambda: variance_condition(F(64), F(4), F(3), both_kept=True),
    "variance, a hypothesis dropped": lambda: variance_condition(
        F(64), F(4), F(4), both_kept=False
    ),
    "variance, C = 20": lambda: variance_condition(F(20), F(4), F(4), both_kept=True),
}


def suffices(factor: int) -> Argument:
    argument = Argument()
    exponent_suffices(argument, F(factor))
    return argument


def test_the_exponent_suffices_with_half_its_square_over_d_and_not_with_all_of_it() -> None:
    assert suffices(1).holds
    assert not suffices(2).holds


@pytest.mark.parametrize("name", PROOFS)
def test_the_proof_holds(name: str) -> None:
    assert PROOFS[name]().holds


@pytest.mark.parametrize("name", WRONG)
def test_the_proof_breaks(name: str) -> None:
    assert WRONG[name]().broken is not None


@pytest.mark.parametrize("p", range(7))
def test_coordinate_moments_at_d_three_are_uniform(p: int) -> None:
    assert coordinate_moment(p)(d=3) == F(1, 2 * p + 1)


@pytest.mark.parametrize(("beta", "count"), [(0, N - 1), (1, N - 2)])
def test_kappa_is_that_of_the_tail(beta: int, count: RationalFunction) -> None:
    assert KAPPA(beta=beta, n=count) == kappa(F(1, 2), F(1, 4), F(1, 4))(beta=beta, n=count)


@pytest.mark.parametrize(("scale", "product"), [(F(2), F(1)), (F(1), F(1)), (F(2), F(1, 2))])
def test_true_generating_functions_have_no_counterexample(
    scale: Fraction, product: Fraction
) -> None:
    assert generating_function_counterexample(scale, product) is None


@pytest.mark.parametrize(("scale", "product"), [(F(5, 2), F(1)), (F(2), F(3, 2)), (F(3), F(2))])
def test_wrong_generating_functions_have_a_counterexample(
    scale: Fraction, product: Fraction
) -> None:
    assert generating_function_counterexample(scale, product) is not None


@pytest.mark.parametrize("x", [F(-9), F(-1, 3), F(1, 10), F(1), F(5), F(40)])
def test_the_generating_function_at_d_three_lies_below_its_bound(x: Fraction) -> None:
    with precision():  # E exp(x g) = sinh(x)/x for g uniform on [-1, 1]
        assert lower((ball(x) ** 2 / 6).exp() - ball(x).sinh() / ball(x)) > 0


@pytest.mark.parametrize("s", [F(1, 10), F(1, 2), F(9, 10), F(99, 100)])
def test_the_product_at_d_one_lies_below_its_bound(s: Fraction) -> None:
    with precision():  # t g is a fair sign: E exp(s t g) = cosh s
        assert lower(1 / (1 - ball(s) ** 2).sqrt() - ball(s).cosh()) > 0


WITNESSED: dict[str, dict[str, Any]] = {
    "C = 20": {"C": 20},
    "third power for d": {"first": 3},
    "third power for d^2": {"second": 3},
    "first dropped": {"keep_first": False},
    "second dropped": {"keep_second": False},
    "N not counted": {"inputs": 0},
}


def witness(**changed: Any) -> dict[str, str] | None:
    options: dict[str, Any] = {"C": 64, "first": 4, "second": 4, "inputs": 1}
    options |= {"keep_first": True, "keep_second": True} | changed
    numbers = [options.pop(name) for name in ("C", "first", "second", "inputs")]
    return variance_condition_witness(*numbers, **options)


def test_the_true_variance_condition_has_no_witness() -> None:
    assert witness() is None


@pytest.mark.parametrize("name", WITNESSED)
def test_a_witness_against_a_wrong_variance_condition_is_one(name: str) -> None:
    found = witness(**WITNESSED[name])
    assert found is not None
    N, d = int(found["N"]), int(found["d"])
    s = int(found["delta"].removeprefix("exp(-").removesuffix(")"))
    variance = F(1, d) if N == 1 else F(2, d) + F(2 * N - 3, d**2)
    # 16/e > 16/2.7183
    assert F(160000, 27183) * s**4 * variance > 1


@pytest.mark.parametrize(
    ("name", "C", "first", "second"),
    [("C = 20", 20, 4, 4), ("third power for d", 64, 3, 4), ("third power for d^2", 64, 4, 3)],
)
def test_a_witness_satisfies_the_hypotheses(name: str, C: int, first: int, second: int) -> None:
    found = witness(**WITNESSED[name])
    assert found is not None
    N, M, d = (int(found[key]) for key in ("N", "M", "d"))
    s = int(found["delta"].removeprefix("exp(-").removesuffix(")"))
    with precision(256):
        ell = s + ball(F(N * M)).log()
        assert lower(d - C * ell**first) >= 0
        assert lower(ball(F(d)) ** 2 - C * N * ell**second) >= 0


def test_a_derivation_says_first_what_its_letters_mean() -> None:
    first = PROOFS["logarithmic form"]().lines[0]
    assert first.reason == "notation"
    for letter in ("l = ", "L = log(", "v >= 0"):
        assert letter in first.text


@pytest.mark.parametrize(
    ("power", "divisor", "text"),
    [(0, 16, "1/16"), (1, 16, "l/16"), (-3, 128, "l^(-3)/128"), (F(-1, 2), 3, "l^(-1/2)/3")],
)
def test_a_power_of_the_logarithm_is_written_out(power: F, divisor: int, text: str) -> None:
    assert power_of_l(F(power), F(divisor)) == text
