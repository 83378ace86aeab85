"""The law of a margin is that of its definition; a union bound counts every margin."""

import itertools

import pytest

from proofs.kernel.laws import margin_law
from proofs.kernel.terms import expectation, symbols
from proofs.memories import linear
from proofs.memories.linear import definition

d, N, M, x = symbols("d N M x")
LINEAR = definition()


def signs(count):
    return itertools.product((-1, 1), repeat=count)


def margins_at_one(inputs, outputs):
    """All margins of the linear memory with f(z) = z, for each choice of signs at d = 1."""
    for e in signs(inputs):
        for u in signs(outputs):
            weight = sum(u[z] * e[z] for z in range(inputs))
            yield {
                (x, y): (u[x] - u[y]) * weight * e[x]
                for x in range(inputs)
                for y in range(outputs)
                if y != x
            }


@pytest.mark.parametrize(
    ("inputs", "inside"), [(1, False), (2, False), (2, True), (3, False), (3, True)]
)
def test_the_law_at_one_dimension_is_that_of_the_definition(inputs, inside, law_of):
    y = 1 if inside else inputs
    counted = {}
    every = list(margins_at_one(inputs, inputs + 1))
    for margins in every:
        counted[margins[0, y]] = counted.get(margins[0, y], 0) + 1 / len(every)
    assert law_of(margin_law(LINEAR, inside=inside).right, {"d": 1, "N": inputs}) == counted


@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("dimension", [1, 3])
def test_the_law_has_the_moments_of_the_margin(inside, dimension, value_of):
    right = margin_law(LINEAR, inside=inside).right
    at = {"d": dimension, "N": 3}
    first = value_of(expectation(right), at)
    second = value_of(expectation(right**2), at)
    sizes = {"d": dimension, "N": 3, "y_in_image": inside}
    expected = float(linear.margin_mean(**sizes).value.as_fraction())
    variance = float(linear.margin_variance(**sizes).value.as_fraction())
    assert first == pytest.approx(expected, abs=1e-6)
    assert second - first**2 == pytest.approx(variance, rel=1e-6)


@pytest.mark.parametrize(("inputs", "outputs"), [(1, 1), (1, 2), (2, 2), (2, 3), (3, 4)])
def test_the_count_is_that_of_the_definition(inputs, outputs, value_of):
    every = list(margins_at_one(inputs, outputs))
    pairs = list(every[0])
    losing = {pair: sum(margins[pair] <= 0 for margins in every) / len(every) for pair in pairs}
    lost = sum(any(value <= 0 for value in margins.values()) for margins in every) / len(every)
    inside = [losing[pair] for pair in pairs if pair[1] < inputs]
    outside = [losing[pair] for pair in pairs if pair[1] >= inputs]
    one, other_one = max([*inside, 0.0]), max([*outside, 0.0])
    at = {"d": 1, "N": inputs, "M": outputs}
    counts = value_of(N * (N - 1), at), value_of(N * (M - N), at)
    assert counts == (len(inside), len(outside))
    assert lost <= counts[0] * one + counts[1] * other_one
