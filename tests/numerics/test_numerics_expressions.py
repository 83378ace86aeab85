"""Functions as plain data: their means against laws that are known, bounds, and what is refused."""

import math

import pytest
import torch

from numerics import InputError
from numerics.expressions import Variable, largest, means

MANY = 256 * 40


def number(value):
    return ("number", float(value))


def coordinate(name="g", d=3):
    return ("coordinate", name, d)


def mean(expression, kind="E", replicates=MANY, **more):
    return means({"it": (kind, expression)}, replicates, seed=5, **more)["it"]


def near(found, exact):
    error = float(found.values.std()) / math.sqrt(len(found.values))
    return abs(float(found.values.mean()) - exact) < 6 * error + 1e-9


@pytest.mark.parametrize(
    ("expression", "exact"),
    [
        # At d = 3 a coordinate is uniform on [-1, 1].
        (("^", coordinate(), number(2)), 1 / 3),
        (("^", coordinate(), number(3)), 0.0),
        (("exp", ("*", number(2), coordinate())), math.sinh(2) / 2),
        (("abs", coordinate(), number(1.5)), 1 / 2.5),
        (("sqrt", ("-", number(1), coordinate())), math.sqrt(2) * 2 / 3),
        (("log", ("+", number(2), coordinate())), (3 * math.log(3) - 2) / 2),
        (("/", coordinate("t"), ("+", number(3), coordinate())), 0.0),
        (("^", ("*", coordinate("t", 2), coordinate("h", 2)), number(2)), 1 / 4),
        (("^", ("+", coordinate("t"), coordinate("t")), number(2)), 4 / 3),
        (("^", ("sum", "S", 4, ("*", coordinate("t"), coordinate("h"))), number(2)), 4 / 9),
        (("^", ("-", coordinate("t"), ("sum", "S", 1, coordinate("t"))), number(2)), 2 / 3),
        (("^", ("+", coordinate(), ("sum", "S", 0, coordinate("t"))), number(2)), 1 / 3),
        (("*", coordinate(), ("^", number(7), number(0))), 0.0),
    ],
)
def test_means_are_those_of_the_laws(expression, exact):
    found = mean(expression)
    assert near(found, exact)
    assert found.values.shape == (MANY,)
    assert found.low <= float(found.values.min()) <= float(found.values.max()) <= found.high


@pytest.mark.parametrize("d", [1, 2, 5])
def test_a_probability_is_that_of_being_at_most_zero(d):
    assert near(mean(coordinate(d=d), "P"), 0.5)
    certain = mean(("-", coordinate(d=d), number(1)), "P")
    assert certain.values.eq(1).all()
    assert (certain.low, certain.high) == (0, 1)


def test_by_one_name_variables_are_the_same_and_by_two_names_independent():
    same, other = ("*", coordinate(), coordinate()), ("*", coordinate(), coordinate("t"))
    found = means({"same": ("E", same), "other": ("E", other)}, MANY, seed=2)
    assert near(found["same"], 1 / 3)
    assert near(found["other"], 0.0)


def test_all_coordinates_of_a_vector_are_taken():
    """Their squares add up to 1, so that of the mean of the square nothing is left to chance."""
    assert mean(("^", coordinate(d=4), number(2)), replicates=256).values == pytest.approx(1 / 4)
    assert mean(coordinate(d=4), replicates=256).values == pytest.approx(0)


def test_draws_depend_on_their_number_alone():
    function = ("exp", ("sum", "S", 2, ("*", coordinate("t"), coordinate("h"))))
    whole = mean(function, replicates=700)
    later = mean(function, replicates=201, start=499)
    assert torch.equal(whole.values[499:], later.values)


def both(*, names, replicates, seed, start):
    values = torch.arange(2.0 * replicates, dtype=torch.float64).reshape(replicates, 2)
    found = {"up": Variable(values, 0.0, 2.0 * replicates), "one": Variable(values * 0 + 1, 0, 2)}
    return {name: found[name] for name in names}


def test_what_is_drawn_elsewhere_comes_by_its_name_and_is_averaged():
    found = mean(("*", ("variable", "up"), number(2)), replicates=4, draw=both)
    assert found.values.tolist() == [1, 5, 9, 13]
    assert (found.low, found.high) == (0, 16)
    assert largest(("-", ("variable", "up"), ("variable", "one")), 4, seed=1, draw=both) == 6


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (("tan", coordinate()), "tan: not known"),
        (("variable", "it"), "it: nothing draws it"),
        (number(3), r"lies in \[3.0, 3.0\]"),
        (("log", ("+", number(1), coordinate())), "a logarithm is of what"),
        (("/", number(1), coordinate()), "a divisor lies in"),
        (("^", coordinate(), number(-1)), "take a whole number"),
        (("^", coordinate(), number(0.5)), "take a whole number"),
    ],
)
def test_what_has_no_bounds_or_no_meaning_is_refused(function, message):
    with pytest.raises(InputError, match=message):
        mean(function, replicates=256)


def test_a_variable_that_the_draw_does_not_give_is_named():
    with pytest.raises(InputError, match="down: no such variable is drawn: up"):
        mean(
            ("+", ("variable", "down"), ("variable", "up")),
            replicates=4,
            draw=lambda names, **_: both(names=["up"], replicates=4, seed=0, start=0),
        )


@pytest.mark.parametrize(
    ("kind", "function", "replicates", "message"),
    [
        ("Q", coordinate(), 4, "'Q' is no mean: take 'E'"),
        ("E", coordinate(), 0, "replicates = 0 is too small"),
        ("E", (), 4, r"\(\): not known: take one of number"),
        ("E", ("+", coordinate()), 4, r"\+ has 2 arguments"),
        ("E", ("exp", coordinate(), coordinate()), 4, "exp has 1 arguments"),
    ],
)
def test_what_is_no_mean_of_a_function_is_refused(kind, function, replicates, message):
    with pytest.raises(InputError, match=message):
        means({"a": (kind, function)}, replicates, seed=0)
