"""Infima: what runs has no name, no place is empty, and what is concluded of them is true."""

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from proofs.kernel.algebra import assume, chain, exponential, identity, root_of_square, sign
from proofs.kernel.intervals import closed_below, infimum
from proofs.kernel.laws import margin_law
from proofs.kernel.normal import same
from proofs.kernel.probability import certain, markov, mixture
from proofs.kernel.regions import Refused, Region, at_least, between, real, whole
from proofs.kernel.terms import (
    BOUND,
    Term,
    at_most_zero,
    coordinate,
    copies,
    exp,
    expectation,
    free,
    inf,
    log,
    random,
    randoms,
    substituted,
    symbols,
    term,
)
from proofs.kernel.theorem import Compare
from proofs.memories.linear import definition
from proofs.papers.nichani.linear_integral import given_overlap, single_margin_average

d, n, r, s, t, x, y = symbols("d n r s t x y")
g, h = coordinate("g", d), coordinate("h", d)
X = random("X of a definition")
INSIDE = between("s", 0, 1, "()")
LINE = Region((real("x"),))
PLANE = Region((real("x"), INSIDE))
LEAST = inf("s", 0, 1, exp(x * s - log(s)))

few = settings(max_examples=10, phases=[Phase.explicit, Phase.generate])


# -- terms ----------------------------------------------------------------------------------------


def test_what_runs_has_no_name():
    assert same(LEAST, inf("t", 0, 1, exp(x * t - log(t))))
    assert not same(LEAST, inf("s", 0, 2, exp(x * s - log(s))))
    assert not same(LEAST, inf("s", 0, 1, exp(x * s - 2 * log(s))))
    assert free(LEAST) == {"x"}
    assert randoms(inf("s", 0, 1, exp(g * s))) == {g}


def test_what_is_put_in_is_not_taken_for_what_runs():
    moved = substituted(LEAST, {"x": s})
    assert free(moved) == {"s"}
    assert same(moved, inf("t", 0, 1, exp(s * t - log(t))))
    assert not same(moved, inf("s", 0, 1, exp(s * s - log(s))))
    assert substituted(LEAST, {"s": 7}) == LEAST


def test_an_infimum_is_printed_with_a_name_of_its_own():
    assert str(LEAST) == "inf over 0 < s < 1 of exp(x * s - log(s))"
    assert str(substituted(LEAST, {"x": s})) == "inf over 0 < s' < 1 of exp(s * s' - log(s'))"
    named = inf("s", 0, 1, t * expectation(coordinate("s", d)) * s)
    assert str(named).startswith("inf over 0 < s' < 1 of")
    assert str(2 * LEAST) == "2 * (inf over 0 < s < 1 of exp(x * s - log(s)))"
    assert str(inf("s", x - 1, x, exp(s))) == "inf over x - 1 < s < x of exp(s)"


def test_under_an_expectation_the_name_of_a_coordinate_does_not_matter():
    over = [expectation(inf("s", 0, 1, exp(s * one))) for one in (g, h)]
    assert same(*over)


@pytest.mark.parametrize(
    "build",
    [
        lambda: inf("t", 0, 1, t + LEAST),
        lambda: inf("t", LEAST, 1, exp(t)),
        lambda: substituted(LEAST, {"x": LEAST}),
        lambda: substituted(LEAST, {"x": BOUND}),
        lambda: inf("1", 0, 1, exp(x)),
        lambda: Term("inf", (term(0), term(1)), "s"),
    ],
)
def test_what_would_mean_something_else_is_no_term(build):
    with pytest.raises(ValueError, match=r"infimum|name|arguments"):
        build()


# -- definedness ----------------------------------------------------------------------------------

UNDEFINED = {
    "over nothing": inf("s", 0, 0, exp(s)),
    "over nothing at some places": inf("s", 0, x**2, exp(s)),
    "the wrong way round": inf("s", 1, 0, exp(s)),
    "a pole inside": inf("s", 0, 1, exp(1 / (2 * s - 1))),
    "a pole at an end that x moves": inf("s", 0, 1, exp(1 / (s - x))),
    "a logarithm of what ends beyond 0": inf("s", 0, 1, exp(log(1 - 2 * s))),
    "no lower bound": inf("s", 0, 1, log(s)),
    "a negative value": inf("s", 0, 1, s - 1),
    "a random end": inf("s", 0, g**2 + 1, exp(s)),
    "an end that is not defined": inf("s", 0, 1 + x / x, exp(s)),
    "an unknown variable": inf("s", 0, 1, exp(X)),
    "a sum of copies": inf("s", 0, 1, exp(copies("S", 2, s * g))),
    "a dimension that runs": inf("s", 0, 1, exp(coordinate("g", s))),
    "what runs outside": LEAST + BOUND,
    "what runs as an end": inf("s", 0, BOUND, exp(s)),
    "no range": inf("s", 0, 1, exp(s * t)),
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_what_is_not_defined_is_refused(name):
    with pytest.raises(Refused):
        identity(UNDEFINED[name], UNDEFINED[name], Region((whole("d", 1), real("x"))))


@pytest.mark.parametrize(
    "one",
    [
        LEAST,
        inf("s", x - 1, x + 1, exp(-s)),
        inf("x", 0, 1, exp(x)),
        inf("s", 0, 1, 1 / s),
        expectation(inf("s", 0, 1, exp(g * s - log(s)))),
    ],
)
def test_what_is_defined_is_not_refused(one):
    assert identity(one, one, Region((whole("d", 1), real("x"))))


# -- the rules ------------------------------------------------------------------------------------


def above(left, right, *ranges):
    return sign(Compare(left, "<=", right), Region(ranges))


def test_an_infimum_is_at_least_what_every_value_is():
    found = infimum(above(term(0), x**2 / s, real("x"), INSIDE), "s")
    assert str(found) == "for x real: 0 <= inf over 0 < s < 1 of x^2/s"
    strict = sign(Compare(term(0), "<", 1 / s), Region((INSIDE,)))
    assert infimum(strict, "s").statement.relation == "<="


SUPPOSED = assume(Compare(s, "<=", term(1) / 2), Region((INSIDE,)))

REFUSED = [
    (r"infimum: t is no symbol of", lambda: infimum(above(term(0), s, INSIDE), "t")),
    (r"infimum: s >= 0 has not two", lambda: infimum(above(term(0), s, at_least("s", 0)), "s")),
    (r"infimum: s real has not two", lambda: infimum(above(term(0), s**2, real("s")), "s")),
    (r"infimum: s is whole", lambda: infimum(above(term(0), s, whole("s", 0, 2)), "s")),
    (r"infimum: s/2 depends on s", lambda: infimum(above(s / 2, s, INSIDE), "s")),
    (r"infimum: s <= 1/2 is on s", lambda: infimum(SUPPOSED, "s")),
    (
        r"infimum: the range 0 <= y <= s depends on s",
        lambda: infimum(above(term(0), y, INSIDE, between("y", 0, s)), "s"),
    ),
    (
        r"infimum: .* is over something",
        lambda: infimum(above(term(0), s, real("x"), between("s", 0, x**2)), "s"),
    ),
    (r"infimum: .* is not negative", lambda: infimum(above(term(-1), s - 1, INSIDE), "s")),
    (r"infimum: .* no comparison", lambda: infimum(averaged_law(), "N")),
    (r"closed_below: t is no symbol", lambda: closed_below(POSITIVE, "t", AT_ZERO)),
    (
        r"closed_below: x real has no lower end",
        lambda: closed_below(above(term(0), x**2, real("x")), "x", AT_ZERO),
    ),
    (
        r"closed_below: the range 0 <= y <= x depends on x",
        lambda: closed_below(
            above(term(0), x, at_least("x", 0, above=True), between("y", 0, x)), "x", AT_ZERO
        ),
    ),
    (
        r"closed_below: 0 <= 1/x is on x",
        lambda: closed_below(
            assume(Compare(term(0), "<=", 1 / x), Region((at_least("x", 0, above=True),))),
            "x",
            AT_ZERO,
        ),
    ),
    (r"closed_below: 0 <= 1 is not 0 <= 0", lambda: closed_below(POSITIVE, "x", one_above_zero())),
    (r"closed_below: 0 <= 0 is not 0 < 0", lambda: closed_below(STRICT, "x", AT_ZERO)),
    (
        r"closed_below: 1/x is defined",
        lambda: closed_below(above(term(0), 1 / x, at_least("x", 0, above=True)), "x", AT_ZERO),
    ),
    (
        r"closed_below: the range n >= 0 of what",
        lambda: closed_below(
            above(term(0), x, real("n"), at_least("x", 0, above=True)), "x", somewhere()
        ),
    ),
    (r"root_of_square: the factor: x >= 0", lambda: root_of_square(x, term(1), LINE)),
    (r"root_of_square: what is under the root: x >= 0", lambda: root_of_square(2, x, LINE)),
    (r"root_of_square: x/x is defined", lambda: root_of_square(x / x, term(1), LINE)),
    (
        r"mixture: E\[.*\] is no exponential and no infimum",
        lambda: mixture(markov(s + g, 1, Region((whole("d", 1), INSIDE))), "s", h / 2),
    ),
    (r"mixture: .* its end .* is random", lambda: mixture(moving_interval(), "x", (3 + h) / 2)),
    (r"mixture: the values of 1 - 2 \* rho lie in", lambda: too_far()),
]


def averaged_law():
    return margin_law(definition(), inside=True)


def one_above_zero():
    return above(term(0), term(1))


def somewhere():
    return above(term(0), term(0), at_least("n", 0))


def moving_interval():
    """P(x + g <= 0) <= inf over 0 < s < x of exp(s)."""
    region = Region((whole("d", 1), between("x", 1, 2), between("s", 0, x, "()")))
    tail = markov(x + g, 0, region)
    one = certain(exp(term(0)), region)
    grows = exponential(sign(Compare(term(0), "<=", s), region))
    return infimum(chain(chain(tail, one), grows), "s")


def too_far():
    return mixture(given_overlap(inside=True), "A", 1 - 2 * coordinate("rho", d))


POSITIVE = above(term(0), x, at_least("x", 0, above=True))
STRICT = sign(Compare(term(0), "<", x), Region((at_least("x", 0, above=True),)))
AT_ZERO = above(term(0), term(0))


@pytest.mark.parametrize(("message", "derive"), REFUSED)
def test_a_wrong_derivation_is_refused(message, derive):
    with pytest.raises(Refused, match=message):
        derive()


def test_an_end_closes_a_range():
    assert str(closed_below(POSITIVE, "x", AT_ZERO)) == "for x >= 0: 0 <= x"


@few
@given(st.fractions(0, 3, max_denominator=4), st.fractions(0, 3, max_denominator=4))
def test_roots_of_squares_have_their_value(value_of, c, a):
    region = Region((at_least("x", 0), at_least("y", 0)))
    found = root_of_square(x, y, region).statement
    left, right = (value_of(side, {"x": c, "y": a}) for side in found.sides)
    assert left == pytest.approx(right)


@pytest.mark.parametrize(("inside", "d", "N"), [(True, 1, 3), (False, 1, 3), (False, 3, 2)])
def test_the_average_bounds_the_tail_at_small_sizes(value_of, inside, d, N):
    found = single_margin_average(inside=inside)
    (law,) = (one.statement for one in found.uses if one.rule == "margin_law")
    at = {"d": d, "N": N}
    tail, bound = value_of(at_most_zero(law.right), at), value_of(found.right, at)
    assert 0 < tail <= bound
