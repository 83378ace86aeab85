"""What rounding costs is what it costs of real matrices, and each rule refuses what it cannot know."""

from fractions import Fraction

import numpy as np
import pytest

from proofs.kernel.algebra import assume, identity, instantiate, sign
from proofs.kernel.laws import least_margin, length, margin, margin_law, union_of_margins
from proofs.kernel.probability import dominated
from proofs.kernel.regions import Refused, Region, at_least, between, real, whole
from proofs.kernel.rounding import (
    bilinear,
    bilinear_form,
    largest_weight,
    longest,
    nearest,
    nearest_multiple,
    rounding_loss,
    weight,
)
from proofs.kernel.terms import absolute, at_most_zero, replaced, symbols, term
from proofs.kernel.theorem import Compare
from proofs.memories import low_rank
from proofs.memories.linear import Definition, definition
from proofs.moments import dot, indicator, outer, sum_over

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


@pytest.mark.parametrize("inside", EVERY)
def test_the_loss_is_half_a_step_times_the_dimension_and_the_length(inside):
    found = rounding_loss(LINEAR, nearest_multiple(), bilinear_form(), inside=inside)
    lost = d * e / 2 * length(LINEAR, inside=inside)
    own, rounded = (margin(LINEAR, inside=inside, rounded=it) for it in (False, True))
    assert found.statement.same(Compare(own - lost, "<=", rounded))
    assert [one.name for one in found.trust] == ["the Cauchy-Schwarz inequality"]
    likely = dominated(found)
    expected = Compare(at_most_zero(rounded), "<=", at_most_zero(own - lost))
    assert likely.statement.same(expected)


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


def test_the_absolute_value_is_read_as_one():
    assert str(absolute(w - 1)) == "|w - 1|"
    assert str(nearest_multiple()) == "for w real, e > 0: |w - nearest multiple| <= e/2"


# -- what is refused ------------------------------------------------------------------------------


def other(change):
    memory = Definition("sphere")
    change(memory)
    return memory


def matrix(make):
    def change(memory):
        z = memory.inputs.index("z")
        memory.weight = make(memory, memory.u[memory.association(z)], memory.e[z], z)

    return other(change)


def margin_with(left):
    def change(memory):
        memory.margin = dot(left(memory), memory.weight @ memory.e[memory.x])

    return other(change)


WRONG_MATRICES = {
    "twice": matrix(lambda m, u, v, z: 2 * sum_over(z, outer(u, v))),
    "transposed": matrix(lambda m, u, v, z: sum_over(z, outer(v, u))),
    "two": matrix(lambda m, u, v, z: sum_over(z, outer(u, v)) + outer(m.u[m.y], m.e[m.x])),
    "one": matrix(lambda m, u, v, z: outer(m.u[m.y], m.e[m.x])),
    "restricted": matrix(
        lambda m, u, v, z: sum_over(z, outer(u, v) * indicator(m.association(z) != m.y))
    ),
    "weighted": matrix(lambda m, u, v, z: sum_over(z, outer(u, v) * dot(v, m.e[m.x]))),
}


@pytest.mark.parametrize("name", WRONG_MATRICES)
def test_the_weights_of_another_matrix_are_refused(name):
    with pytest.raises(Refused, match=r"^largest_weight: .*the matrix is not sum_z"):
        largest_weight(WRONG_MATRICES[name])
    with pytest.raises(Refused, match=r"^rounding_loss: .*the matrix is not sum_z"):
        loss(WRONG_MATRICES[name])


@pytest.mark.parametrize(
    "rule", [largest_weight, lambda it: longest(it, inside=None), lambda it: loss(it)]
)
def test_vectors_that_are_no_unit_vectors_are_refused(rule):
    with pytest.raises(Refused, match="is not uniform on the sphere"):
        rule(definition("gaussian"))


def test_the_matrix_over_other_indices_is_refused():
    memory = Definition("sphere")
    y = memory.outputs.index("y")
    memory.weight = sum_over(y, outer(memory.u[y], memory.e[memory.x]))
    with pytest.raises(Refused, match=r"^largest_weight: .*runs over \[M\]"):
        largest_weight(memory)


def test_a_memory_without_that_matrix_is_refused():
    with pytest.raises(Refused, match=r"^largest_weight: .*the matrix is not sum_z"):
        largest_weight(low_rank.definition())
    memory = margin_with(lambda m: m.u[m.y])
    del memory.weight
    with pytest.raises(ValueError, match="it has no matrix to be rounded"):
        margin(memory, inside=None, rounded=True)
    with pytest.raises(Refused, match=r"^largest_weight: .*the matrix is not sum_z"):
        largest_weight(memory)


def test_the_length_is_that_of_the_margin():
    def left(memory):
        return 2 * memory.u[memory.association(memory.x)] + 3 * memory.u[memory.y]

    memory = margin_with(left)
    assert longest(memory, inside=None).right == term(5)
    assert length(memory, inside=None) != length(LINEAR, inside=None)


def test_another_margin_is_refused():
    memory = margin_with(lambda m: m.e[m.x])
    with pytest.raises(Refused, match=r"^longest: .*is no sum over z"):
        longest(memory, inside=None)
    with pytest.raises(Refused, match=r"^rounding_loss: .*is no sum over z"):
        loss(memory)


MOVEMENT, FORM = nearest_multiple(), bilinear_form()
MOVED = absolute(w - nearest(w, e))
ALL = Region((whole("d", 1), at_least("a", 0), at_least("b", 0), at_least("e", 0)))
STEPPED = Region((real("w"), at_least("e", 0, above=True)))


def loss(memory=LINEAR, movement=MOVEMENT, form=FORM):
    return rounding_loss(memory, movement, form, inside=True)


def form_where(**ranges):
    region = Region(tuple(ranges.get(one.name, one) for one in ALL.ranges))
    return instantiate(FORM, {}, region)


def supposed(theorem, region):
    """The theorem under a hypothesis that does not hold everywhere."""
    needed = assume(Compare(term(1), "<=", e), region)
    return sign(theorem.statement, region, (1, theorem), (0, needed))


@pytest.mark.parametrize(
    ("derive", "said"),
    [
        (lambda: loss(movement=FORM), "does not bound"),
        (lambda: loss(form=MOVEMENT), "does not bound"),
        (lambda: loss(movement=instantiate(MOVEMENT, {"e": 2 * e}, STEPPED)), "does not bound"),
        (lambda: loss(movement=instantiate(MOVEMENT, {"w": 2 * w}, STEPPED)), "does not bound"),
        (lambda: loss(movement=margin_law(LINEAR, inside=True)), "is no comparison"),
        (lambda: loss(movement=identity(MOVED, MOVED, STEPPED)), "is random"),
        (
            lambda: loss(movement=sign(Compare(MOVED, "<=", e / 2 + w**2), STEPPED, (1, MOVEMENT))),
            "depends on it",
        ),
        (
            lambda: loss(
                movement=instantiate(
                    MOVEMENT, {}, Region((at_least("w", 0), at_least("e", 0, above=True)))
                )
            ),
            "the range w >= 0",
        ),
        (
            lambda: loss(movement=instantiate(MOVEMENT, {}, Region((real("w"), at_least("e", 1))))),
            "the range e >= 1",
        ),
        (lambda: loss(movement=supposed(MOVEMENT, STEPPED)), "has a hypothesis"),
        (lambda: loss(form=supposed(FORM, ALL)), "has a hypothesis"),
        (lambda: loss(form=identity(FORM.left, FORM.left, ALL)), "is random"),
        (lambda: loss(form=form_where(d=whole("d", 2))), "the range whole d >= 2"),
        (lambda: loss(form=form_where(a=between("a", 0, 2))), "the range 0 <= a <= 2"),
        (lambda: loss(form=form_where(a=at_least("a", 1))), "the range a >= 1"),
        (lambda: loss(form=form_where(b=at_least("b", 2))), "the range b >= 2"),
        (lambda: loss(form=form_where(e=at_least("e", 1))), "the range e >= 1"),
    ],
)
def test_losses_that_are_refused(derive, said):
    with pytest.raises(Refused, match=f"^rounding_loss: .*{said}"):
        derive()


def test_a_margin_is_no_probability_of_its_law():
    with pytest.raises(Refused, match=r"^dominated: .*is no comparison"):
        dominated(margin_law(LINEAR, inside=True))


@pytest.mark.parametrize("name", ["d", "N", "rho", "g", "2", "c d"])
def test_the_multiple_of_the_length_has_a_name_of_its_own(name):
    with pytest.raises(Refused, match=r"^margin_law: "):
        margin_law(LINEAR, inside=True, less=name)


SIZES = Region((whole("d", 1), whole("M", 2), whole("N", 1, M), at_least("e", 0, above=True)))


def tails(rounded):
    return [
        assume(
            Compare(
                at_most_zero(margin(LINEAR, inside=inside, rounded=rounded)),
                "<=",
                term(Fraction(1, 9)),
            ),
            SIZES,
        )
        for inside in (True, False)
    ]


def test_a_union_is_of_rounded_margins_or_of_none():
    bound = N * (M - 1) / 9
    found = union_of_margins(LINEAR, bound, SIZES, *tails(True), rounded=True)
    assert found.left == at_most_zero(least_margin(LINEAR, rounded=True))
    assert found.left != at_most_zero(least_margin(LINEAR))
    for rounded in (True, False):
        with pytest.raises(Refused, match=r"^union_of_margins: .* is not P"):
            union_of_margins(LINEAR, bound, SIZES, *tails(not rounded), rounded=rounded)


def test_what_depends_on_other_sizes_is_another_variable():
    assert bilinear(d, 1, 1, e) != bilinear(d, 1, 1, 2 * e)
    assert nearest(w, e) != nearest(w, 2 * e)
    assert weight(LINEAR) != weight(WRONG_MATRICES["twice"])
