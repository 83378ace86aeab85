"""Rules of algebra and order: what they conclude holds at points, what does not follow is refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs.algebra.balls import precision
from proofs.kernel.algebra import (
    add,
    assume,
    by_cases,
    chain,
    exp_of_log,
    exponential,
    identity,
    instantiate,
    log_above_zero,
    log_of_exp,
    numeric,
    restate,
    sign,
    square,
    times,
    weaken,
    where_equal,
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
from proofs.kernel.regions import Refused, Region, at_least, between, real, whole
from proofs.kernel.terms import (
    coordinate,
    exp,
    expectation,
    log,
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


# -- cases, equalities, numbers -------------------------------------------------------------------


def on(low, high, ends="[]", *others):
    """x^2 >= 0 for x between two ends."""
    region = Region((*others, between("x", low, high, ends)))
    return square(x, region)


def test_cases_that_meet_are_one():
    found = by_cases("x", on(0, 1), square(x, Region((at_least("x", 1, above=True),))))
    assert found.region == Region((at_least("x", 0),))
    assert by_cases("x", on(0, 1, "()"), on(1, 2, "[)")).region == on(0, 2, "()").region


GAPS = [
    ("do not meet", on(0, 1), on(2, 3)),
    ("do not meet", on(0, 1, "[)"), on(1, 2, "(]")),
    ("does not end", square(x, Region((at_least("x", 0),))), on(1, 2)),
    ("does not end, or", on(0, 1), square(x, Region((real("x"),)))),
    ("x has no range", square(y, Region((real("y"),))), on(1, 2)),
    ("differ in more", on(0, 1, "[]", real("y")), on(1, 2, "[]", at_least("y", 0))),
    ("is not", on(0, 1), square(2 * x, Region((between("x", 1, 2),)))),
    ("one is whole", on(0, 1), square(x, Region((whole("x", 1, 2),)))),
]


@pytest.mark.parametrize(("said", "low", "high"), GAPS)
def test_cases_with_a_gap_are_refused(said, low, high):
    with pytest.raises(Refused, match=f"^by_cases: .*{said}"):
        by_cases("x", low, high)


def test_cases_keep_all_hypotheses():
    low = assume(Compare(x, "<=", term(0)), Region((between("x", 0, 1),)))
    high = assume(Compare(x, "<=", term(0)), Region((between("x", 1, 2),)))
    assert by_cases("x", low, high).hypotheses == (Compare(x, "<=", term(0)),)


EQUAL = assume(Compare(expectation(g), "=", x), SIZES)


def test_an_equality_is_written_where_it_is_wanted():
    centred = expectation((g - expectation(g)) ** 2)
    theorem = assume(Compare(centred, "<=", expectation(g)), SIZES)
    half = Compare(expectation((g - x) ** 2), "<=", expectation(g))
    found = where_equal(theorem, EQUAL, half)
    assert found.statement is half
    assert set(found.hypotheses) == {*theorem.hypotheses, *EQUAL.hypotheses}
    assert where_equal(found, EQUAL, theorem.statement).statement == theorem.statement


@pytest.mark.parametrize(
    ("said", "equality", "statement"),
    [
        ("is not", EQUAL, Compare(term(0), "<=", x**2 + 1)),
        ("is not", EQUAL, Compare(term(0), "<", x**2)),
        ("is random", identity(g, g + 0, SIZES), Compare(term(0), "<=", expectation(g) ** 2)),
        ("no comparison", below(x, y, "<=", SIZES), Compare(term(0), "<=", x**2)),
        ("d in d has no range", identity(d, d, Region((whole("d", 1),))), None),
    ],
)
def test_an_equality_changes_nothing_else(said, equality, statement):
    theorem = square(expectation(g), SIZES) if statement else square(x, LINE)
    with pytest.raises(Refused, match=f"^where_equal: .*{said}"):
        where_equal(theorem, equality, statement or theorem.statement)


def test_numbers_are_compared_by_balls():
    assert numeric(Compare(exp(term(1)), "<=", term(3)), LINE)
    assert numeric(Compare(term(1), "<", term(2)), LINE)
    for wrong in (
        Compare(term(3), "<=", exp(term(1))),
        Compare(exp(term(1)), "=", exp(term(1)) * exp(x - x + 1) / exp(term(1)) + 1),
        Compare(log(exp(term(1))), "<=", term(1)),
        Compare(expectation(coordinate("g", 1)), "<=", term(0)),
        Compare(log(term(-1)), "<=", term(5)),
        Compare(x - x, "<=", term(1)),
    ):
        with pytest.raises(Refused, match=r"^numeric: "):
            numeric(wrong, LINE)


def test_a_logarithm_undoes_an_exponential():
    assert log_of_exp(x - y, LINE).statement == Compare(log(exp(x - y)), "=", x - y)
