"""Rules of algebra and order: what they conclude holds at points, what does not follow is refused."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs.algebra.balls import precision
from proofs.kernel.algebra import (
    add,
    assume,
    cases,
    chain,
    discharge,
    exp_of_log,
    exponential,
    identity,
    induction,
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
from proofs.kernel.laws import margin_law
from proofs.kernel.regions import Refused, Region, at_least, between, real, whole
from proofs.kernel.series import coordinate_mgf, log_series
from proofs.kernel.terms import (
    coordinate,
    exp,
    expectation,
    log,
    modulus,
    sqrt,
    substituted,
    symbols,
    term,
)
from proofs.kernel.theorem import Compare, SameLaw
from proofs.kernel.values import holds, value
from proofs.memories.linear import definition

d, m, n, x, y, z = symbols("d m n x y z")
g = coordinate("g", d)
LINE = Region((real("x"), real("y")))
SPACE = LINE.also(real("z"))
QUADRANT = Region((at_least("x", 0), at_least("y", 0)))
SIZES = Region((whole("d", 1), real("x"), real("y")))
ABOVE = Region((at_least("x", 0, above=True), at_least("y", 0, above=True)))
UNIT = Region((between("x", 0, 1, "()"),))

few = settings(max_examples=40)
numbers = st.fractions(-3, 3, max_denominator=5)
positive = st.fractions(0, 4, max_denominator=5).filter(bool)
whole_numbers = st.lists(st.integers(0, 3), min_size=6, max_size=6)


def zero_below(what, region=QUADRANT):
    return sign(Compare(term(0), "<=", what), region)


def below(left, right, relation="<=", region=LINE):
    return assume(Compare(left, relation, right), region)


LAW = margin_law(definition(), inside=True)
BELOW = below(x, y)


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


@pytest.mark.parametrize(
    ("derive", "text"),
    [
        (lambda: BELOW, "if x <= y, x <= y"),
        (lambda: identity(x + y, y + x, LINE), "x + y = y + x"),
        (lambda: sign(Compare(x, "<", x + 1), LINE), "x < x + 1"),
        (
            lambda: sign(Compare(x * z, "<=", x * y), SPACE, (-x, below(y, z, "=", SPACE))),
            "if y = z, x * z <= x * y",
        ),
        (lambda: instantiate(BELOW, {"x": y, "y": x}, LINE), "if y <= x, y <= x"),
        (lambda: instantiate(zero_below(x**2, LINE), {"x": g}, LINE.also(whole("d", 1))), "g^2"),
        (lambda: restate(BELOW, Compare(x + 0, "<=", y)), "if x <= y, x + 0 <= y"),
        (lambda: times(BELOW, 2), "if x <= y, 2 * x <= 2 * y"),
        (lambda: times(below(x, y, "="), 2), "if x = y, 2 * x = 2 * y"),
        (lambda: times(below(x, y, "<=", SIZES), g**2 + d), "(g^2 + d) * x <= (g^2 + d) * y"),
        (lambda: add(BELOW, below(y, x, "=")), "if x <= y and y = x, x + y <= y + x"),
        (lambda: add(below(x, y, "="), below(y, x, "=")), "x + y = y + x"),
        (lambda: exponential(below(x, y, "=")), "exp(x) = exp(y)"),
        (
            lambda: weaken(BELOW, Compare(x, "<=", y), LINE, (Compare(x, "<", y - 1),)),
            "if x < y - 1, x <= y",
        ),
        (
            lambda: weaken(
                exponential(BELOW), Compare(exp(x), "<=", exp(y + 1)), LINE, BELOW.hypotheses
            ),
            "if x <= y, exp(x) <= exp(y + 1)",
        ),
        (
            lambda: weaken(below(x, y, "="), Compare(x, "<=", y), LINE, (Compare(x, "=", y),)),
            "if x = y, x <= y",
        ),
    ],
)
def test_what_follows(derive, text):
    assert text in str(derive())


HALF = Fraction(1, 2)
SMALL = Region((real("x"),))
SERIES = log_series()
STRICT = below(x, y, "<")
MGF = coordinate_mgf("x")

REFUSED = [
    (r"assume: 1/x is defined", lambda: below(1 / x, y)),
    (r"assume: log\(y\) is defined", lambda: below(x, log(y))),
    (r"identity: x/x is defined", lambda: identity(x / x, term(1), LINE)),
    (r"identity: y/y is defined", lambda: identity(term(1), y / y, LINE)),
    (r"identity: sqrt\(x\) is defined", lambda: identity(sqrt(x) ** 2, x, LINE)),
    (r"identity: x = y is no identity", lambda: identity(x, y, LINE)),
    (r"identity: \|x\| = x is no", lambda: identity(modulus(x), x, LINE)),
    (r"identity: E\[g\] = g is no", lambda: identity(expectation(g), g, SIZES)),
    (r"sign: x = x is no comparison", lambda: sign(Compare(x, "=", x), LINE)),
    (r"sign: 1/x is defined", lambda: sign(Compare(1 / x, "<=", 1 / x + 1), LINE)),
    (r"sign: y/y is defined", lambda: sign(Compare(x, "<=", x + y / y), LINE)),
    (r"sign: 0 < x: .*false at x = 0", lambda: sign(Compare(term(0), "<", x), QUADRANT)),
    (r"sign: 1 <= x: .*false at x = 0", lambda: sign(Compare(term(1), "<=", x), QUADRANT)),
    (r"sign: .*no comparison", lambda: sign(Compare(x, "<=", x), LAW.region, (1, LAW))),
    (
        r"sign: the range (whole )?x >= 0 .*false at x = -",
        lambda: sign(Compare(term(0), "<=", x), LINE, (1, zero_below(x))),
    ),
    (
        r"sign: the multiplier of x <= y: x >= 0",
        lambda: sign(Compare(x**2, "<=", x * y), LINE, (x, BELOW)),
    ),
    (
        r"sign: the multiplier of x < y: -1 >= 0",
        lambda: sign(Compare(-x, "<=", -y), LINE, (-1, STRICT)),
    ),
    (
        r"sign: x\^2/x\^2 is defined",
        lambda: sign(Compare(x, "<=", y), LINE, (x**2 / x**2, BELOW)),
    ),
    (r"sign: x < y", lambda: sign(Compare(x, "<", y), LINE, (1, BELOW))),
    (r"sign: x < y", lambda: sign(Compare(x, "<", y), LINE, (1, STRICT))),
    (r"sign: x <= y - 1", lambda: sign(Compare(x, "<=", y - 1), LINE, (1, BELOW))),
    (r"instantiate: z is no symbol of", lambda: instantiate(BELOW, {"z": x}, LINE)),
    (r"instantiate: 1/y is defined", lambda: instantiate(SERIES, {"x": 1 / y}, LINE)),
    (r"instantiate: y/y is defined", lambda: instantiate(BELOW, {"x": x * (y / y)}, LINE)),
    (r"instantiate: the range 0 <= x < 1", lambda: instantiate(SERIES, {"x": -1}, Region())),
    (r"instantiate: the range 0 <= x < 1", lambda: instantiate(SERIES, {"x": 1}, Region())),
    (r"instantiate: the range 0 <= x < 1", lambda: instantiate(SERIES, {"x": y}, QUADRANT)),
    (r"instantiate: the range 0 <= x < 1", lambda: instantiate(SERIES, {}, QUADRANT)),
    (r"instantiate: .*not known to be whole", lambda: instantiate(MGF, {"d": y + 1}, QUADRANT)),
    (r"instantiate: .*not known to be whole", lambda: instantiate(MGF, {"d": term(3) / 2}, LINE)),
    (r"instantiate: the range (whole )?d >= 1", lambda: instantiate(MGF, {"d": 0}, LINE)),
    (r"instantiate: z in z has no range", lambda: instantiate(BELOW, {"x": z}, LINE)),
    (r"instantiate: y in y has no range", lambda: instantiate(BELOW, {"x": 1}, SMALL)),
    (r"instantiate: the hypothesis .*random", lambda: instantiate(BELOW, {"x": g}, SIZES)),
    (
        r"instantiate: log\(1 - y\) is defined",
        lambda: instantiate(
            SERIES, {"x": y}, QUADRANT, below(y, term(1), "<", QUADRANT), zero_below(y)
        ),
    ),
    (r"discharge: none of what is known", lambda: discharge(BELOW, below(x, y + 1))),
    (r"discharge: none of what is known", lambda: discharge(BELOW, STRICT)),
    (r"discharge: none of what is known", lambda: discharge(zero_below(x), BELOW)),
    (r"discharge: none of what is known", lambda: discharge(BELOW)),
    (
        r"discharge: the range (whole )?x >= 0 of what is used",
        lambda: discharge(below(term(0), x), zero_below(x)),
    ),
    (r"discharge: .*no comparison", lambda: discharge(below(d, d, region=LAW.region), LAW)),
    (r"restate: x \+ 1 <= y is not x <= y", lambda: restate(BELOW, Compare(x + 1, "<=", y))),
    (r"restate: x < y is not x <= y", lambda: restate(BELOW, Compare(x, "<", y))),
    (r"restate: x/x is defined", lambda: restate(BELOW, Compare(x * (x / x), "<=", y))),
    (r"restate: y/y is defined", lambda: restate(BELOW, Compare(x, "<=", y * (y / y)))),
    (
        r"restate: the range (whole )?x >= 0 of what is used",
        lambda: restate(zero_below(x), Compare(term(0), "<=", x), LINE),
    ),
    (r"restate: .* is not .* has the law", lambda: restate(LAW, Compare(d, "=", d))),
    (r"restate: x has the law of y is not x <= y", lambda: restate(BELOW, SameLaw(x, y))),
    (r"chain: x <= y does not end where x <= y", lambda: chain(BELOW, BELOW)),
    (r"chain: .*no comparison", lambda: chain(LAW, LAW)),
    (r"chain: .*no comparison", lambda: chain(below(d, d, region=LAW.region), LAW)),
    (
        r"chain: the range (whole )?x >= 0 of what is used",
        lambda: chain(sign(Compare(-(x**2), "<=", term(0)), LINE), zero_below(x)),
    ),
    (r"exponential: .*no comparison", lambda: exponential(LAW)),
    (r"times: the factor: x >= 0", lambda: times(BELOW, x)),
    (r"times: the factor: -1 >= 0", lambda: times(BELOW, -1)),
    (r"times: the factor: g >= 0", lambda: times(restate(BELOW, BELOW.statement, SIZES), g)),
    (r"times: x < y is no comparison", lambda: times(STRICT, 2)),
    (r"times: y\^2/y\^2 is defined", lambda: times(BELOW, y**2 / y**2)),
    (r"add: x < y is no comparison", lambda: add(BELOW, STRICT)),
    (r"add: x < y is no comparison", lambda: add(STRICT, BELOW)),
    (r"add: the range (whole )?x >= 0 of what is used", lambda: add(BELOW, zero_below(x))),
    (r"exp_of_log: what is under the logarithm", lambda: exp_of_log(x, 2, QUADRANT)),
    (r"exp_of_log: what is under the logarithm", lambda: exp_of_log(term(-1), 2, Region())),
    (r"log_above_zero: what is under .*less 1", lambda: log_above_zero(x, ABOVE)),
    (r"log_above_zero: what is under .*less 1", lambda: log_above_zero(1 + x, QUADRANT)),
    (r"log_above_zero: x/x is defined", lambda: log_above_zero(1 + x / x, LINE)),
    (
        r"weaken: the range (whole )?x >= 0 of what is used",
        lambda: weaken(zero_below(x), Compare(term(0), "<=", x), LINE),
    ),
    (r"weaken: .*does not follow from none", lambda: weaken(BELOW, BELOW.statement, LINE)),
    (
        r"weaken: .*does not follow from x <= y \+ 1 or y <= x",
        lambda: weaken(
            BELOW, BELOW.statement, LINE, (Compare(x, "<=", y + 1), Compare(y, "<=", x))
        ),
    ),
    (
        r"weaken: the hypothesis x < y does not follow",
        lambda: weaken(STRICT, STRICT.statement, LINE, (Compare(x, "<=", y),)),
    ),
    (
        r"weaken: the hypothesis x = y does not follow",
        lambda: weaken(below(x, y, "="), Compare(x, "=", y), LINE, (Compare(x, "<=", y),)),
    ),
    (
        r"weaken: the hypothesis x <= y does not follow from 2 \* x = 2 \* y",
        lambda: weaken(BELOW, BELOW.statement, LINE, (Compare(2 * x, "=", 2 * y),)),
    ),
    (
        r"weaken: y/y is defined",
        lambda: weaken(BELOW, Compare(x, "<=", y + y / y), LINE, BELOW.hypotheses),
    ),
    (
        r"weaken: x - 1 <= y is not about what",
        lambda: weaken(BELOW, Compare(x - 1, "<=", y), LINE, BELOW.hypotheses),
    ),
    (r"weaken: .*is not about what", lambda: weaken(LAW, Compare(d, "<=", d), LAW.region)),
    (
        r"weaken: .*is not about what",
        lambda: weaken(BELOW, SameLaw(x, y), LINE, BELOW.hypotheses),
    ),
    (
        r"weaken: <= does not say <",
        lambda: weaken(BELOW, Compare(x, "<", y + 1), LINE, BELOW.hypotheses),
    ),
    (
        r"weaken: < does not say <=",
        lambda: weaken(STRICT, Compare(x, "<=", y), LINE, STRICT.hypotheses),
    ),
    (
        r"weaken: y - 1 >= y",
        lambda: weaken(BELOW, Compare(x, "<=", y - 1), LINE, BELOW.hypotheses),
    ),
    (
        r"weaken: y - 1 >= y",
        lambda: weaken(
            exponential(BELOW), Compare(exp(x), "<=", exp(y - 1)), LINE, BELOW.hypotheses
        ),
    ),
]


@pytest.mark.parametrize(("said", "derive"), REFUSED, ids=[said for said, _ in REFUSED])
def test_what_does_not_follow(said, derive):
    with pytest.raises(Refused, match=f"^{said}"):
        derive()


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


def test_a_hypothesis_that_is_known_goes():
    given = below(term(0), x**2)
    found = discharge(given, zero_below(x**2, LINE))
    assert found.hypotheses == ()
    assert found.statement == given.statement
    both = chain(given, below(x**2, y))
    assert discharge(both, zero_below(x**2, LINE)).hypotheses == (Compare(x**2, "<=", y),)


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


@pytest.mark.parametrize(
    ("begins", "said"),
    [(Fraction(1, 2), "begins at 1/2, which is no whole number"), (0, "is not 0 <= 0")],
)
def test_an_induction_begins_at_its_first_whole_number(begins, said):
    region = Region((whole("n", begins),))
    step = sign(
        Compare(term(0), "<=", n + 1), region, (1, assume(Compare(term(0), "<=", n), region))
    )
    first = sign(Compare(term(0), "<=", term(begins) + 1), Region())
    with pytest.raises(Refused, match=f"induction: .*{said}"):
        induction("n", first, step)
    own = sign(Compare(term(0), "<=", term(begins)), Region())
    if begins == 0:
        assert str(induction("n", own, step)) == "for whole n >= 0: 0 <= n"
    else:
        with pytest.raises(Refused, match=said):
            induction("n", own, step)


# -- cases, equalities, numbers -------------------------------------------------------------------


def on(low, high, ends="[]", *others):
    """x^2 >= 0 for x between two ends."""
    region = Region((*others, between("x", low, high, ends)))
    return square(x, region)


def test_cases_that_meet_are_one():
    found = cases("x", on(0, 1), square(x, Region((at_least("x", 1, above=True),))))
    assert found.region == Region((at_least("x", 0),))
    assert cases("x", on(0, 1, "()"), on(1, 2, "[)")).region == on(0, 2, "()").region


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
    with pytest.raises(Refused, match=f"^cases: .*{said}"):
        cases("x", low, high)


def test_cases_keep_all_hypotheses():
    low = assume(Compare(x, "<=", term(0)), Region((between("x", 0, 1),)))
    high = assume(Compare(x, "<=", term(0)), Region((between("x", 1, 2),)))
    assert cases("x", low, high).hypotheses == (Compare(x, "<=", term(0)),)


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
