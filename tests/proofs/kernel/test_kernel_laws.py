"""The law of a margin is that of its definition; a union bound counts every margin."""

import itertools

import pytest

from proofs.kernel.algebra import assume, sign
from proofs.kernel.laws import least_margin, margin, margin_law, union_of_margins
from proofs.kernel.regions import Refused, Region, at_least, real, whole
from proofs.kernel.terms import at_most_zero, expectation, substituted, symbols, term
from proofs.kernel.theorem import Compare
from proofs.memories import linear, low_rank
from proofs.memories.linear import Definition, definition
from proofs.moments import dot

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


def other(left):
    memory = Definition("sphere")
    memory.margin = left(memory)
    return memory


@pytest.mark.parametrize(
    ("own", "against", "text"),
    [
        (1, -1, "1 - rho + (-1 + rho) * g + sqrt(2 - 2 * rho) * sum_S(N - 2, t * h)"),
        (2, 1, "2 + rho + (1 + 2 * rho) * g + sqrt(5 + 4 * rho) * sum_S(N - 2, t * h)"),
        (1, 0, "1 - 0 * rho + rho * g + sqrt(1 - 0 * rho) * sum_S(N - 2, t * h)"),
    ],
)
def test_weights_are_read_off_the_margin(own, against, text):
    def left(memory):
        vector = own * memory.u[memory.association(memory.x)] + against * memory.u[memory.y]
        return dot(vector, memory.weight @ memory.e[memory.x])

    found = margin_law(other(left), inside=True)
    assert str(found.right) == text
    assert str(found.region) == "whole d >= 1, whole N >= 2"


@pytest.mark.parametrize(
    ("memory", "said"),
    [
        (definition("gaussian"), "is not uniform on the sphere"),
        (
            other(lambda m: dot(m.u[m.y], m.weight @ m.e[m.x]) + dot(m.u[m.y], m.u[m.y])),
            "is no sum over z",
        ),
        (
            other(lambda m: dot(m.u[m.y], m.weight @ m.e[m.x]) * dot(m.u[m.y], m.e[m.x])),
            "is no sum over z",
        ),
        (
            other(lambda m: dot(m.u[m.y], m.weight @ m.e[m.x]) * dot(m.u[m.y], m.e[m.x]) ** 2),
            "is no sum over z",
        ),
        (other(lambda m: dot(m.e[m.x], m.weight @ m.e[m.x])), "is no sum over z"),
        (other(lambda m: dot(m.u[m.y], m.weight @ m.e[m.inputs.index("w")])), "is no sum over z"),
        (
            other(
                lambda m: dot(m.u[m.y], m.weight @ m.e[m.x]) * dot(m.u[m.y], m.weight @ m.e[m.x])
            ),
            "is no sum over z",
        ),
        (low_rank.definition(), "is no sum over z"),
    ],
)
@pytest.mark.parametrize("inside", [True, False])
def test_other_margins_are_refused(memory, said, inside):
    with pytest.raises(Refused, match=f"^margin_law: .*{said}"):
        margin_law(memory, inside=inside)


SIZES = Region((whole("d", 1), whole("M", 2), whole("N", 1, M)))


def single(bound, inside, region=SIZES, relation="<="):
    left = at_most_zero(margin(LINEAR, inside=inside))
    return assume(Compare(left, relation, term(bound)), region)


INSIDE, OUTSIDE = single(x, True, SIZES.also(at_least("x", 0))), single(1 / M, False)
TOTAL = N * (N - 1) * x + N * (M - N) / M


def union(bound=TOTAL, region=None, inside=None, outside=None):
    region = SIZES.also(at_least("x", 0)) if region is None else region
    return union_of_margins(LINEAR, bound, region, inside or INSIDE, outside or OUTSIDE)


def test_a_union_is_over_all_margins():
    found = union(TOTAL + x)
    assert found.left == at_most_zero(least_margin(LINEAR))
    assert found.hypotheses == (INSIDE.statement, OUTSIDE.statement)
    assert found.uses == (INSIDE, OUTSIDE)
    assert [one.name for one in found.trust] == ["Boole's inequality"]


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


@pytest.mark.parametrize("rule", ["inside", "outside"])
def test_each_part_is_needed_where_it_is(rule):
    where = {"inside": SIZES.ending("N", lower=term(2)), "outside": SIZES.ending("N", upper=M - 1)}
    parts = {"inside": INSIDE, "outside": OUTSIDE}
    parts[rule] = single(
        x if rule == "inside" else 1 / M, rule == "inside", where[rule].also(at_least("x", 0))
    )
    assert union(**parts)


X_SIZES = SIZES.also(at_least("x", 0))


@pytest.mark.parametrize(
    ("derive", "said"),
    [
        (lambda: union(TOTAL - x), "the sum of the bounds"),
        (lambda: union(TOTAL - N * (M - N) / M), "the sum of the bounds"),
        (lambda: union((N - 1) * (N - 1) * x + N * (M - N) / M), "the sum of the bounds"),
        (lambda: union(inside=OUTSIDE), "outside.* is not P"),
        (lambda: union(outside=INSIDE), "is not P"),
        (lambda: union(inside=single(x, True, X_SIZES, "<")), "no comparison by <= or ="),
        (lambda: union(outside=single(1 / M, False, SIZES, "<")), "no comparison by <= or ="),
        (
            lambda: union(region=Region((at_least("d", 1), *X_SIZES.ranges[1:]))),
            "d is not whole",
        ),
        (
            lambda: union(
                region=Region((whole("d", 1), whole("M", 2), at_least("N", 1), at_least("x", 0)))
            ),
            "N is not whole",
        ),
        (
            lambda: union(
                region=Region((whole("d", 1), at_least("M", 2), whole("N", 1, M), at_least("x", 0)))
            ),
            "M is not whole",
        ),
        (
            lambda: union(region=Region((whole("d", 1), whole("M", 2), at_least("x", 0)))),
            "N has no range|N is not whole",
        ),
        (
            lambda: union(
                region=Region((whole("d", 1), whole("M", 2), whole("N", 0, M), at_least("x", 0)))
            ),
            "the number of inputs",
        ),
        (
            lambda: union(
                region=Region(
                    (whole("d", 1), whole("M", 2), whole("N", 1, M + 1), at_least("x", 0))
                )
            ),
            "the number of outputs",
        ),
        (
            lambda: union(
                inside=single(x, True, SIZES.ending("N", lower=term(3)).also(at_least("x", 0)))
            ),
            "the range whole 3 <= N <= M",
        ),
        (
            lambda: union(outside=single(1 / M, False, SIZES.ending("N", upper=M - 2))),
            "the range whole 1 <= N <= M - 2",
        ),
        (
            lambda: union(outside=single(1 / M, False, Region((whole("d", 2), *SIZES.ranges[1:])))),
            "the range (whole )?d >= 2",
        ),
        (
            lambda: union(region=SIZES.also(real("x"))),
            "the range (whole )?x >= 0",
        ),
        (
            lambda: union(inside=sign(Compare(term(0), "<=", x), X_SIZES)),
            "is not P",
        ),
    ],
)
def test_unions_that_are_refused(derive, said):
    with pytest.raises(Refused, match=f"^union_of_margins: .*({said})"):
        derive()


def test_margins_inside_and_outside_differ():
    assert margin(LINEAR, inside=True) != margin(LINEAR, inside=False)
    assert margin(LINEAR, inside=True) != least_margin(LINEAR)
    assert substituted(margin(LINEAR, inside=True), {}) == margin(LINEAR, inside=True)
