"""Rules of algebra and order: what they conclude holds at points, what does not follow is refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs.algebra.balls import precision
from proofs.kernel.algebra import (
    add,
    assume,
    chain,
    exp_of_log,
    exponential,
    identity,
    instantiate,
    log_above_zero,
    restate,
    sign,
    square,
    times,
    weaken,
)
from proofs.kernel.cases.algebra import (
    ABOVE,
    BELOW,
    HALF,
    LINE,
    MGF,
    QUADRANT,
    SIZES,
    SPACE,
    below,
    d,
    m,
    n,
    x,
    y,
    z,
    zero_below,
)
from proofs.kernel.regions import Refused, Region, at_least, real, whole
from proofs.kernel.terms import (
    coordinate,
    substituted,
    term,
)
from proofs.kernel.theorem import Compare
from proofs.kernel.values import holds, value

g = coordinate("g", d)

few = settings(max_examples=40)
numbers = st.fractions(-3, 3, max_denominator=5)
positive = st.fractions(0, 4, max_denominator=5).filter(bool)
whole_numbers = st.lists(st.integers(0, 3), min_size=6, max_size=6)


@few
@given(whole_numbers, positive, positive)
def test_a_sign_with_parts_holds_where_the_parts_do(c, a, b):
    part = assume(Compare(c[0] * x, "<=", c[1] * y + 1), ABOVE)
    multiplier = c[2] * x + c[3]
    left = multiplier * c[0] * x - c[4] * y
    right = multiplier * (c[1] * y + 1) + c[5] * x
    found = sign(Compare(left, "<=", right), ABOVE, (multiplier, part))
    assert found.hypotheses == part.hypotheses
    at = {"x": a, "y": b}
    with precision():
        assert holds(part.statement, at) is not True or holds(found.statement, at) is not False


@few
@given(numbers, numbers, numbers, numbers)
def test_an_instance_holds_at_points(a, b, c, e):
    theorem = sign(Compare(-(x**2), "<=", y**2 + 1), LINE)
    table = {"x": a * x + b * y, "y": x * y - c}
    found = instantiate(theorem, table, LINE)
    with precision():
        assert holds(found.statement, {"x": b, "y": e})
        plain = {"x": a * b + b * e, "y": b * e - c}
        assert value(found.left, {"x": b, "y": e}).overlaps(value(theorem.left, plain))


@few
@given(st.sampled_from(["=", "<=", "<"]), st.sampled_from(["=", "<=", "<"]))
def test_a_chain_has_the_strictest_relation(one, other):
    found = chain(below(x, y, one, SPACE), below(y + 0, z, other, SPACE))
    assert found.left == x
    assert found.right == z
    strict = "<" in (one, other)
    assert found.statement.relation == ("<" if strict else "=" if one == other == "=" else "<=")


@few
@given(positive, positive, positive)
def test_sums_products_and_exponentials_hold_at_points(a, b, c):
    one, other = zero_below(x * y - 0), sign(Compare(-x, "<=", y), QUADRANT)
    at = {"x": a, "y": b}
    with precision():
        for found in (add(one, other), times(other, c + x), exponential(other), add(other, one)):
            assert holds(found.statement, at)
        strict = sign(Compare(-x, "<", y + 1), QUADRANT)
        assert holds(exponential(strict).statement, at)
        assert exponential(strict).statement.relation == "<"


@few
@given(positive, st.integers(-5, 5))
def test_powers_by_logarithms_have_their_value(a, power):
    found = exp_of_log(x, power, ABOVE)
    with precision():
        left, right = (value(side, {"x": a}) for side in found.statement.sides)
        assert left.overlaps(right)
        assert float(right.mid()) == pytest.approx(float(a**power))


@few
@given(positive)
def test_logarithms_above_one_are_positive(a):
    found = log_above_zero(1 + x, ABOVE)
    with precision():
        assert holds(found.statement, {"x": a})
    assert str(found.statement) == "0 < log(1 + x)"


@few
@given(numbers, numbers, st.integers(0, 5), st.integers(0, 5))
def test_what_is_weaker_follows(a, b, more, slack):
    theorem = assume(Compare(x, "<=", y), LINE)
    stronger = Compare(x + more, "<=", y - slack)
    found = weaken(theorem, Compare(x, "<=", y + more), LINE, (stronger,))
    assert found.hypotheses == (stronger,)
    with precision():
        at = {"x": a, "y": b}
        assert holds(stronger, at) is not True or holds(found.statement, at)


@few
@given(numbers, numbers)
def test_identities_hold_at_points(a, b):
    found = identity((x - y) ** 2 / (1 + x**2), (x**2 + y**2 - 2 * x * y) / (x**2 + 1), LINE)
    with precision():
        left, right = (value(side, {"x": a, "y": b}) for side in found.statement.sides)
        assert left.overlaps(right)


def test_random_values_have_no_place_under_expectations():
    with pytest.raises(ValueError, match="x: a random value has no place in"):
        instantiate(MGF, {"x": coordinate("h", d)}, SIZES)


@pytest.mark.parametrize("power", [HALF, True, 0.5])
def test_only_whole_powers_are_taken_of_logarithms(power):
    with pytest.raises(TypeError):
        exp_of_log(x, power, ABOVE)


def test_what_a_known_range_needs_is_kept():
    known = assume(Compare(y, "<=", x), QUADRANT)
    theorem = assume(Compare(z, "<=", y), LINE.also(at_least("z", y)))
    found = instantiate(theorem, {"z": x}, QUADRANT, known)
    assert set(map(str, found.hypotheses)) == {"x <= y", "y <= x"}
    assert known in found.uses


def test_a_hypothesis_of_what_is_known_is_kept_though_it_is_replaced_in_the_theorem():
    region = Region((at_least("x", 0), real("y")))
    theorem = below(x, y, region=region)
    known = weaken(
        below(term(0), y, region=region), Compare(term(0), "<=", y), region, theorem.hypotheses
    )
    found = instantiate(theorem, {"x": y}, region, known)
    assert set(map(str, found.hypotheses)) == {"y <= y", "x <= y"}


def test_hypotheses_have_the_values_too():
    found = instantiate(BELOW, {"x": substituted(x + y, {"x": y})}, LINE)
    assert str(found) == "for x real, y real: if y + y <= y, y + y <= y"


def test_a_symbol_of_the_second_theorem_needs_a_range():
    other = below(y, z, region=LINE.also(real("z")))
    with pytest.raises(Refused, match="chain: z in z has no range"):
        chain(BELOW, other)


def test_whole_symbols_stay_whole():
    theorem = sign(Compare(term(1), "<=", n), Region((whole("n", 1),)))
    assert instantiate(theorem, {"n": m * m + 1}, Region((whole("m", 0),)))
    with pytest.raises(Refused, match="not known to be whole"):
        restate(theorem, theorem.statement, Region((at_least("n", 1),)))


def test_a_square_decides_what_has_both_signs():
    region = Region((real("x"),))
    claim = Compare(2 * x - 1, "<=", x**2)
    with pytest.raises(Refused, match=r"sign: .*not decided"):
        sign(claim, region)
    assert sign(claim, region, (1, square(x - 1, region))).statement == claim
    with pytest.raises(Refused, match="sign: "):
        sign(Compare(2 * x, "<=", x**2), region, (1, square(x - 1, region)))
