"""Sign decisions: proved, refuted with a witness, or openly undecided."""

import itertools

import pytest

from proofs.algebra import (
    RationalFunction,
    SignProof,
    UndecidedError,
    Violation,
    decide_nonnegative,
    signs,
)

d, N = RationalFunction.symbol("d"), RationalFunction.symbol("N")


@pytest.mark.parametrize(
    ("function", "lower"),
    [
        (d - 3, {"d": 3}),
        (1 / d - 1 / (d + 2), {"d": 1}),
        (-1 / (1 - d), {"d": 2}),
        (d * N - d - N + 1, {"d": 1, "N": 1}),
        (d - d, {}),
        (RationalFunction.constant(2), {}),
    ],
    ids=str,
)
def test_true_inequalities_are_proved(function, lower):
    assert isinstance(decide_nonnegative(function, lower), SignProof)


@pytest.mark.parametrize(
    ("function", "lower"),
    [
        (d - 3, {"d": 2}),
        (1 / d - 2 / (d + 2), {"d": 1}),
        (100 - d, {"d": 1}),
        (N - d, {"d": 1, "N": 1}),
        (RationalFunction.constant(-1), {}),
    ],
    ids=str,
)
def test_a_violation_lies_in_the_domain_and_its_value_is_the_functions(function, lower):
    found = decide_nonnegative(function, lower)
    assert isinstance(found, Violation)
    assert all(found.at[name] >= lower[name] for name in lower)
    assert function(**found.at) == found.value < 0


@pytest.mark.parametrize("function", [(d - 5) ** 2, (d - 5) ** 2 + 1, d**2 - N * d + N**2], ids=str)
def test_a_nonnegative_function_beyond_the_method_is_undecided(function):
    with pytest.raises(UndecidedError, match="not decided"):
        decide_nonnegative(function, {"d": 1, "N": 1})


def test_a_violation_between_the_probes_is_undecided_and_not_proved():
    with pytest.raises(UndecidedError):
        decide_nonnegative((d - 21) * (d - 23), {"d": 1})


def test_a_violation_names_sizes_that_do_not_occur_too():
    found = decide_nonnegative(1 - d, {"d": 1, "N": 2})
    assert isinstance(found, Violation)
    assert found.at == {"d": 2, "N": 2}


def test_a_missing_lower_end_is_named():
    with pytest.raises(ValueError, match="no lower end given for N"):
        decide_nonnegative(d + N, {"d": 1})


def test_a_pole_on_the_boundary_is_no_proof():
    with pytest.raises(UndecidedError):
        decide_nonnegative(1 / (d - 1), {"d": 1})


def test_a_pole_on_the_boundary_does_not_matter_in_the_interior():
    assert isinstance(decide_nonnegative(1 / (d - 1), {"d": 1}, interior=True), SignProof)


def test_a_pole_inside_the_domain_is_no_proof():
    with pytest.raises(UndecidedError):
        decide_nonnegative(1 / (d - 3) ** 2, {"d": 1})


def test_in_the_interior_a_violation_is_strictly_inside():
    found = decide_nonnegative(d - 4, {"d": 1}, interior=True)
    assert isinstance(found, Violation)
    assert found.at["d"] > 1


def test_a_violation_between_the_integers_is_found_in_the_interior():
    found = decide_nonnegative(2 * d * N - 3, {"d": 1, "N": 1}, interior=True)
    assert isinstance(found, Violation)
    assert found.value == (2 * d * N - 3)(**found.at)


def test_an_undecided_sign_of_four_symbols_is_not_waited_for():
    # 20736 points are probed; field arithmetic at each would take most of a minute.
    a, b = RationalFunction.symbol("a"), RationalFunction.symbol("b")
    with pytest.raises(UndecidedError):
        decide_nonnegative((a - 5) ** 2 * (b + 1) + (d - 5) ** 2 * N, dict.fromkeys("abdN", 1))


@pytest.mark.parametrize("probes", [signs._PROBES, signs._INTERIOR_PROBES, (3, 1, 2)])
@pytest.mark.parametrize("count", range(4))
def test_points_are_tried_by_their_sum(probes, count):
    every = sorted(itertools.product(probes, repeat=count), key=sum)
    assert list(signs._by_sum(probes, count)) == every


def test_many_sizes_are_tried_up_to_a_number_of_points(monkeypatch):
    monkeypatch.setattr(signs, "_MOST", 100)
    names = [f"a{i}" for i in range(9)]
    everywhere = sum(
        (RationalFunction.symbol(name) for name in names), RationalFunction.constant(1)
    )
    # Nonnegative, and not by its coefficients: (1 + a0 + ... - a8)^2.
    square = (everywhere - 2 * RationalFunction.symbol("a8")) ** 2
    with pytest.raises(UndecidedError):
        decide_nonnegative(square, dict.fromkeys(names, 0))
