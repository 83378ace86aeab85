"""Two definitions are compared exactly, whatever they divide by; signs count as scalars."""

from fractions import Fraction

import pytest
import torch

from proofs.algebra.symbols import symbols
from proofs.moments import (
    Association,
    Fixed,
    Gaussian,
    Range,
    Signs,
    Sphere,
    Splitting,
    dot,
    outer,
    sum_over,
    wick_power,
)
from proofs.moments.explicit import Instance
from verify.definitions import same_definition
from verify.errors import UsageError

d, N, M = symbols("d N M")
INPUTS, OUTPUTS, ALONE = Range(N, "inputs"), Range(M, "outputs"), Range(1, "alone")
f = Association(INPUTS, OUTPUTS)
e, u, s = Sphere("e", d), Sphere("u", d), Signs("s")
x, y, z, w = (
    *(INPUTS.index(name) for name in "x"),
    OUTPUTS.index("y"),
    INPUTS.index("z"),
    INPUTS.index("w"),
)

#: The centred memory of docs/derive-a-moment.md.
AVERAGE = sum_over(w, e[w]) / N
CENTRED = dot(u[f(x)] - u[y], sum_over(z, outer(u[f(z)], e[z] - AVERAGE)) @ (e[x] - AVERAGE))


def setting(size):
    where = {INPUTS: size, OUTPUTS: size}
    return Instance(where, {x: 0, y: 1}, {f: range(size)}, {"N": size, "M": size})


def centred(e, u, shift=0.0):
    moved = e - e.mean(0) + shift
    return (u[0] - u[1]) @ (u.T @ moved) @ moved[0]


def centred_by_sums(e, u):
    """The same with each sum written out, and each division by itself."""
    n = e.shape[0]
    average = sum(e[i] for i in range(n)) / n
    weight = sum(torch.outer(u[i], e[i]) - torch.outer(u[i], average) for i in range(n))
    return torch.dot(u[0] - u[1], weight @ e[0]) - torch.dot(u[0] - u[1], weight @ average)


def compare(function, size, expression=CENTRED, **changes):
    arguments = {"d": 3, "counts": {e: size, u: size}} | changes
    same_definition(expression, function, setting(size), **arguments)


SIZES = [2, 3, 5, 6, 7, 9, 12, 25]


@pytest.mark.parametrize("function", [centred, centred_by_sums])
@pytest.mark.parametrize("size", SIZES)
def test_the_centred_memory_is_itself_at_every_size(size, function):
    compare(function, size)


@pytest.mark.parametrize("size", SIZES[1:])  # keys and values may be exchanged at N = 2
@pytest.mark.parametrize(
    "wrong",
    [
        lambda e, u: centred(e, u) + 1,
        lambda e, u: centred(e, u, 1.0),
        lambda e, u: centred(u, e),
        lambda e, u: centred(e * (1 + 2**-20), u),
        lambda e, u: (u[0] - u[1]) @ (u.T @ e) @ e[0],
        lambda e, u: torch.tensor(float("nan")),
    ],
    ids=["constant", "shift", "turned", "factor", "not centred", "nan"],
)
def test_another_centred_memory_is_rejected(size, wrong):
    with pytest.raises(AssertionError, match=r"definitions differ: .* in symbols, .* in torch"):
        compare(wrong, size)


@pytest.mark.parametrize("size", SIZES)
def test_a_small_difference_is_never_accepted(size):
    with pytest.raises((AssertionError, UsageError), match=r"differ"):
        compare(lambda e, u: centred(e, u) + 2.0**-10, size)


def test_what_differs_by_rounding_alone_is_neither_accepted_nor_rejected():
    """A number that float64 does not have, 1/49 for example, is not 1/49."""

    def reciprocal(e):
        return (e[0] * (1 / 49)) @ e[1]

    pair = [INPUTS.index(name) for name in "ab"]
    instance = Instance({INPUTS: 2}, dict(zip(pair, (0, 1), strict=True)), {}, {"N": 49})
    expression = dot(e[pair[0]], e[pair[1]]) / N
    same_definition(expression, lambda e: e[0] @ e[1] / 49, instance, d=3, counts={e: 2})
    with pytest.raises(
        UsageError, match=r"differ by no more than rounding, .* divide by the denominator"
    ):
        same_definition(expression, reciprocal, instance, d=3, counts={e: 2}, trials=50)


def test_values_beyond_float64_are_refused():
    power = dot(e[x], e[x]) ** 12
    with pytest.raises(UsageError, match=r"beyond what float64 has exactly; .*at smaller sizes"):
        compare(lambda e, u: (e[0] @ e[0]) ** 12, 2, power, d=40)
    compare(lambda e, u: (e[0] @ e[0]) ** 12, 2, power, d=3)


def test_too_few_vectors_are_refused_by_number():
    with pytest.raises(UsageError, match="2 of e are given, and number 2, counted from 0"):
        compare(centred, 3, counts={e: 2, u: 3})


# -- signs --------------------------------------------------------------------------------------------

SIGNED = dot(u[y], sum_over(z, outer(u[f(z)], e[z]) * s[z]) @ e[x]) / N


def signed(e, u, s):
    return u[1] @ (u.T * s) @ e @ e[0] / e.shape[0]


@pytest.mark.parametrize("size", [2, 3, 7])
def test_signs_are_numbers_one_for_each_index(size):
    counts = {e: size, u: size, s: size}
    compare(signed, size, SIGNED, counts=counts)
    for wrong in (
        lambda e, u, s: signed(e, u, s * 0 + 1),
        lambda e, u, s: signed(e, u, -s),
        lambda e, u, s: signed(e, u, s.roll(1)),
    ):
        with pytest.raises(AssertionError, match="definitions differ"):
            compare(wrong, size, SIGNED, counts=counts)


def test_the_square_of_a_sign_may_be_left_out():
    compare(lambda s: 1.0, 3, s[x] ** 2, counts={s: 3})
    compare(lambda s: s.sum() / 3, 3, sum_over(z, s[z]) / N, counts={s: 3})
    with pytest.raises(AssertionError, match="definitions differ"):
        compare(lambda s: 1.0, 3, s[x], counts={s: 3}, trials=20)


def test_a_sign_has_a_value_of_its_own():
    instance = setting(3)
    assert instance.evaluate(s[x] * dot(e[x], e[x]), {e: [[1, 2]]}, {s: [-1]}) == -5
    with pytest.raises(ValueError, match="0 of s are given, and number 0"):
        instance.evaluate(s[x], {})


# -- the rest of the language -------------------------------------------------------------------------


def test_fixed_vectors_are_those_of_the_instance():
    k = Fixed("k", d)
    where = Instance({INPUTS: 2, ALONE: 1}, {x: 1}, {}, {"d": 3, "N": 2})
    expression = dot(k[x], e[ALONE.index("one")])
    same_definition(expression, lambda e: e[0, 1], where, d=3, counts={e: 1})
    with pytest.raises(AssertionError, match="definitions differ"):
        same_definition(expression, lambda e: e[0, 0], where, d=3, counts={e: 1})


def test_wick_powers_and_projections_are_exact():
    g, split = Gaussian("g", d, Fraction(1, 3)), Splitting(d, P=1)
    where = Instance({INPUTS: 2, ALONE: 1}, {x: 1}, {}, {"d": 3, "N": 2})
    one = ALONE.index("one")
    power = wick_power(g[one], e[x], 3)

    def cubic(e, g):
        inner, square = g[0] @ e[1], e[1] @ e[1]
        return inner**3 - inner * (3 * square) / 3

    same_definition(power, cubic, where, d=3, counts={e: 2, g: 1})
    with pytest.raises(AssertionError, match="definitions differ"):
        same_definition(power, lambda e, g: (g[0] @ e[1]) ** 3, where, d=3, counts={e: 2, g: 1})
    part = dot(split["P"] @ e[x], e[x])
    same_definition(part, lambda e: e[1, 0] ** 2, where, d=3, counts={e: 2})


def test_the_bound_on_all_values_holds():
    """It is reached where all coordinates are as large as they can be, and of one sign."""
    instance, g = setting(3), Gaussian("g", d, Fraction(1, 3))
    for expression, families in ((CENTRED, (e, u)), (wick_power(g[x], e[x], 4), (e, g))):
        most = {family: [[2, 2]] * 3 for family in families}
        bound = instance.largest(expression, lambda family: 2, 2)
        assert abs(instance.evaluate(expression, most)) <= bound
    assert instance.largest(dot(e[x], e[z]) * 3, lambda family: 2, 2) == 3 * 8
    assert instance.largest(sum_over(z, dot(e[x], e[z])), lambda family: 2, 2) == 3 * 8
    assert instance.largest(wick_power(g[x], e[x], 2), lambda family: 1, 2) == 4 + Fraction(2, 3)
