"""What rounding costs is what it costs of real matrices, and each rule refuses what it cannot know."""

import numpy as np
import pytest

from proofs.kernel.laws import length, margin, margin_law
from proofs.kernel.rounding import (
    bilinear_form,
    largest_weight,
    longest,
    nearest_multiple,
    rounding_loss,
)
from proofs.kernel.terms import replaced, symbols, term
from proofs.memories.linear import definition

d, N, M, a, b, e, w, x = symbols("d N M a b e w x")
LINEAR = definition()
EVERY = (True, False, None)
#: Steps, from fine to so coarse that all weights are rounded to 0.
STEPS = (0.01, 0.3, 1.0, 9.0)


def unit_vectors(rng, count, dimension):
    drawn = rng.normal(size=(count, dimension))
    return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)


def to_multiples(values, step):
    return np.round(values / step) * step


# -- what is bounded ------------------------------------------------------------------------------


@pytest.mark.parametrize("step", STEPS)
def test_no_number_moves_by_more_than_is_said_and_one_moves_by_as_much(step, value_of):
    bound = value_of(nearest_multiple().right, {"e": step})
    numbers = np.linspace(-5, 5, 1001)
    assert np.abs(numbers - to_multiples(numbers, step)).max() <= bound * (1 + 1e-12)
    assert abs(step / 2 - to_multiples(np.array(step / 2), step)) == pytest.approx(bound)


@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_no_bilinear_form_exceeds_what_is_said_and_one_attains_it(dimension, value_of):
    rng = np.random.default_rng(dimension)
    bound = value_of(bilinear_form().right, {"d": dimension, "a": 2.0, "b": 0.5, "e": 0.3})
    for _ in range(200):
        u, v = 2 * unit_vectors(rng, 1, dimension)[0], unit_vectors(rng, 1, dimension)[0] / 2
        assert abs(u @ rng.uniform(-0.3, 0.3, (dimension, dimension)) @ v) <= bound + 1e-12
    equal = np.full(dimension, dimension**-0.5)
    entries = np.full((dimension, dimension), 0.3)
    assert 2 * equal @ entries @ (equal / 2) == pytest.approx(bound)


@pytest.mark.parametrize(("inputs", "dimension"), [(1, 1), (3, 2), (6, 4)])
def test_margins_and_weights_are_as_said(inputs, dimension, value_of):
    rng = np.random.default_rng(inputs)
    lost = rounding_loss(LINEAR, nearest_multiple(), bilinear_form(), inside=None)
    loss = margin(LINEAR, inside=None) - lost.left
    loss = replaced(loss, margin(LINEAR, inside=None), term(0))
    loss = replaced(loss, length(LINEAR, inside=None), x)
    at = {"d": dimension, "N": inputs}
    most = value_of(longest(LINEAR, inside=None).right, at)
    for step in STEPS:
        keys, outputs = (unit_vectors(rng, inputs + 1, dimension) for _ in range(2))
        matrix = outputs[:inputs].T @ keys[:inputs]
        assert np.abs(matrix).max() <= value_of(largest_weight(LINEAR).right, at) + 1e-12
        for fact in range(inputs):
            for y in range(inputs + 1):
                contrast = outputs[fact] - outputs[y]
                size = float(np.linalg.norm(contrast))
                own, rounded = (
                    contrast @ it @ keys[fact] for it in (matrix, to_multiples(matrix, step))
                )
                least = own - value_of(loss, {**at, "e": step, "x": size})
                assert size <= most
                assert rounded >= least - 1e-12


@pytest.mark.parametrize(("inputs", "inside"), [(1, False), (2, False), (2, True), (3, True)])
def test_the_law_less_a_multiple_of_the_length_is_that_of_the_definition(inputs, inside, law_of):
    many, part, counted = 2 * inputs + 1, 0.3, {}
    y = 1 if inside else inputs
    for bits in range(2**many):
        signs = [1 - 2 * (bits >> i & 1) for i in range(many)]
        e_, u = signs[:inputs], signs[inputs:]
        own = (u[0] - u[y]) * sum(u[z] * e_[z] for z in range(inputs)) * e_[0]
        value = round(own - part * abs(u[0] - u[y]), 9) + 0.0
        counted[value] = counted.get(value, 0) + 2.0**-many
    found = margin_law(LINEAR, inside=inside, less="c").right
    assert law_of(found, {"d": 1, "N": inputs, "c": part}) == counted
