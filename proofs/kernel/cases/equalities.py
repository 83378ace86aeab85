"""Cases of the rules of algebra that join two ranges, write one thing for another, and compute."""

from __future__ import annotations

from functools import partial

from proofs.kernel.algebra import (
    assume,
    by_cases,
    identity,
    log_of_exp,
    numeric,
    root_of_square,
    sign,
    square,
    where_equal,
)
from proofs.kernel.cases import Conclusions, Refusals, told
from proofs.kernel.laws import margin_law
from proofs.kernel.norms import polynomial_degree
from proofs.kernel.regions import Range, Region, at_least, between, real, whole
from proofs.kernel.terms import (
    Term,
    at_most_zero,
    coordinate,
    copies,
    exp,
    expectation,
    inf,
    log,
    modulus,
    polynomial,
    sqrt,
    symbols,
    term,
)
from proofs.kernel.theorem import Compare, OfDegree, SameLaw, Statement, Theorem
from proofs.memories.linear import definition

d, s, x, y, z = symbols("d s x y z")
g = coordinate("g", d)
LINE = Region((real("x"),))
SIZES = Region((whole("d", 1), real("x"), real("y")))
QUADRANT = Region((at_least("x", 0), at_least("y", 0)))
LAW = margin_law(definition(), inside=True)


def on(*ranges: Range, one: Term = x) -> Theorem:
    """0 <= one^2 where the symbols range so."""
    return square(one, Region(ranges))


def supposed(relation: str, *ranges: Range, left: Term = x) -> Theorem:
    """left <= 2, or the like, supposed."""
    return assume(Compare(left, relation, term(2)), Region(ranges))


UNIT, NEXT = on(between("x", 0, 1)), on(between("x", 1, 2))
#: Theorems that do not join.
GAPS: list[tuple[str, Theorem, Theorem]] = [
    ("do not meet", UNIT, on(between("x", 2, 3))),
    ("do not meet", UNIT, on(between("x", 0, 1))),
    ("do not meet", on(between("x", 0, 1, "[)")), on(between("x", 1, 2, "(]"))),
    ("do not meet", on(real("y"), between("x", 0, y**2)), on(real("y"), at_least("x", y))),
    ("does not end", on(at_least("x", 0)), NEXT),
    ("does not end, or", UNIT, on(real("x"))),
    ("does not end, or", UNIT, on(Range("x", None, term(2)))),
    ("x has no range", on(real("y"), one=y), NEXT),
    ("x has no range", UNIT, on(real("y"), one=y)),
    ("differ in more", on(between("x", 0, 1), real("y")), on(between("x", 1, 2), at_least("y", 0))),
    ("differ in more", on(between("x", 0, 1), real("y")), NEXT),
    ("differ in more", UNIT, on(between("x", 1, 2), real("y"))),
    ("is not", UNIT, on(between("x", 1, 2), one=2 * x)),
    ("is not", supposed("<=", between("x", 0, 1)), supposed("<", between("x", 1, 2))),
    ("one is whole", UNIT, on(whole("x", 1, 2))),
    ("one is whole", on(whole("x", 0, 1)), NEXT),
]

EQUAL = assume(Compare(expectation(g), "=", x), SIZES)
CENTRED = expectation((g - expectation(g)) ** 2)
BOUNDED = assume(Compare(CENTRED, "<=", expectation(g)), SIZES)
WRITTEN = Compare(expectation((g - x) ** 2), "<=", expectation(g))
SQUARE = square(expectation(g), SIZES)
#: An equality that changes nothing.
NONE = identity(term(1), term(1), Region())
DEGREE = polynomial_degree(polynomial("f", 2), SIZES)


def of_degree(left: Term, right: Term | int = 2) -> OfDegree:
    """That a term is a polynomial of a degree."""
    return OfDegree(left, term(right))


#: A theorem, an equality, and what does not follow from both.
WRONG: list[tuple[str, Theorem, Theorem, Statement]] = [
    ("is not", SQUARE, EQUAL, Compare(term(0), "<=", x**2 + 1)),
    (r"is not .* where E\[g\] = x$", SQUARE, EQUAL, Compare(term(0), "<=", x**2 + 1)),
    (r"is not .* where E\[g\] = x$", square(x, SIZES), EQUAL, Compare(expectation(g), "<=", x**2)),
    (
        r"is not .* where E\[g\] = x; E\[g\] stands in neither as it is written, restate one first$",
        square(x, SIZES),
        EQUAL,
        Compare(term(0), "<=", x**2 + 1),
    ),
    ("is not", SQUARE, EQUAL, Compare(term(0), "<", x**2)),
    ("is not", SQUARE, EQUAL, Compare(term(1), "<=", x**2)),
    ("is not", SQUARE, EQUAL, of_degree(x)),
    ("is not", SQUARE, EQUAL, Compare(x**2, "<=", term(0))),
    ("is random", SQUARE, identity(g, g + 0, SIZES), Compare(term(0), "<=", expectation(g) ** 2)),
    (
        "is random",
        SQUARE,
        identity(x, 0 * g + x, SIZES),
        Compare(term(0), "<=", expectation(g) ** 2),
    ),
    (
        "is random",
        SQUARE,
        identity(0 * g + x, x, SIZES),
        Compare(term(0), "<=", expectation(g) ** 2),
    ),
    (
        "no comparison",
        SQUARE,
        assume(Compare(expectation(g), "<=", x), SIZES),
        Compare(term(0), "<=", x**2),
    ),
    (
        "no comparison",
        SQUARE,
        assume(Compare(expectation(g), "<", x), SIZES),
        Compare(term(0), "<=", x**2),
    ),
    ("no comparison", SQUARE, LAW, Compare(term(0), "<=", x**2)),
    (
        "d in d has no range",
        square(x, LINE),
        identity(d, d, Region((whole("d", 1),))),
        Compare(term(0), "<=", x**2),
    ),
    (
        "the range x >= 0",
        square(x, LINE),
        assume(Compare(x, "=", term(1)), Region((at_least("x", 0),))),
        Compare(term(0), "<=", term(1)),
    ),
    (
        "x/x is defined",
        SQUARE,
        EQUAL,
        Compare(term(0), "<=", x**2 * (x / x)),
    ),
    ("is not", DEGREE, EQUAL, of_degree(polynomial("f", 2), 1)),
    ("is not", DEGREE, EQUAL, of_degree(polynomial("h", 2))),
    ("is not", LAW, NONE, SameLaw(LAW.right, LAW.right)),
    ("is not", LAW, NONE, SameLaw(LAW.left, 2 * LAW.right)),
]


def under(lower: int, upper: int, given: Compare) -> Theorem:
    """0 <= x^2 between two ends, under a hypothesis that it does not need."""
    region = Region((real("y"), between("x", lower, upper)))
    return sign(
        Compare(term(0), "<=", x**2), region, (1, square(x, region)), (0, assume(given, region))
    )


FIRST, SECOND = (
    under(0, 1, Compare(term(1), "<=", y)),
    under(1, 3, Compare(y, "<=", term(2))),
)
E1, DRAWN = exp(term(1)), expectation(exp(coordinate("g", 3)))
#: Comparisons that balls do not show.
NOT_SHOWN: list[tuple[str, Compare]] = [
    ("is not decided by balls", Compare(term(3), "<=", E1)),
    ("is not decided by balls", Compare(E1, "=", E1 + 1)),
    ("is not decided by balls", Compare(E1, "=", term(3))),
    ("is not decided by balls", Compare(log(E1), "<=", term(1))),
    ("is not decided by balls", Compare(log(E1), "<", term(1))),
    ("is not decided by balls", Compare(log(E1), "=", term(1))),
    ("is not decided by balls", Compare(expectation(coordinate("g", 1)), "<=", term(0))),
    ("is not decided by balls", Compare(log(term(-1)), "<=", term(5))),
    ("is not decided by balls", Compare(term(1), "<", term(1))),
    ("is not decided by balls", Compare(term(1), "=", term(2))),
    ("is not decided by balls", Compare(term(2), "<=", term(1))),
    ("x - x <= 1 has symbols", Compare(x - x, "<=", term(1))),
    ("1 <= 2 \\+ x\\^2 has symbols", Compare(term(1), "<=", 2 + x**2)),
    ("x <= x has symbols", Compare(x, "<=", x)),
    ("1/0 is defined|.*zero|.*0", Compare(term(1), "<=", 2 + 1 / term(0))),
    (".*a random variable has no value", Compare(polynomial("f", 2), "<=", term(3))),
    (
        ".*it has a value of one coordinate only",
        Compare(at_most_zero(copies("S", 2, coordinate("g", 2))), "<=", term(2)),
    ),
    (
        ".*it has a value of one coordinate only",
        Compare(expectation(polynomial("f", 2)), "<=", term(2)),
    ),
    (".*convex", Compare(inf("s", 0, 1, exp(-(s**2))), "<=", term(2))),
]

REFUSED: Refusals = [
    *((f"by_cases: .*{said}", partial(by_cases, "x", low, high)) for said, low, high in GAPS),
    ("by_cases: q has no range", lambda: by_cases("q", UNIT, NEXT)),
    *(
        (f"where_equal: .*{said}", partial(where_equal, theorem, equality, statement))
        for said, theorem, equality, statement in WRONG
    ),
    *((f"numeric: .*({said})", partial(numeric, wrong, LINE)) for said, wrong in NOT_SHOWN),
    ("log_of_exp: 1/x is defined", lambda: log_of_exp(1 / x, LINE)),
    ("log_of_exp: z in .* has no range", lambda: log_of_exp(z, LINE)),
    ("root_of_square: the factor: x >= 0", lambda: root_of_square(x, term(1), LINE)),
    ("root_of_square: the factor: -1 >= 0", lambda: root_of_square(-1, term(1), LINE)),
    ("root_of_square: what is under the root: x >= 0", lambda: root_of_square(2, x, LINE)),
    ("root_of_square: what is under the root: x >= 0", lambda: root_of_square(0, x, LINE)),
    ("root_of_square: x/x is defined", lambda: root_of_square(x / x, term(1), LINE)),
    ("root_of_square: x/x is defined", lambda: root_of_square(1, x / x, LINE)),
    (
        "root_of_square: what is under the root: -1 - x >= 0",
        lambda: root_of_square(0, -1 - x, QUADRANT),
    ),
    (
        "root_of_square: the factor: g >= 0",
        lambda: root_of_square(g, term(1), SIZES),
    ),
]

#: The ranges of two theorems, and what they are together.
JOINED: list[tuple[tuple[Range, ...], tuple[Range, ...], str]] = [
    ((between("x", 0, 1),), (at_least("x", 1, above=True),), "for x >= 0: 0 <= x^2"),
    ((between("x", 0, 1, "()"),), (between("x", 1, 2, "[)"),), "for 0 < x < 2: 0 <= x^2"),
    ((between("x", 0, 1, "(]"),), (between("x", 1, 2, "(]"),), "for 0 < x <= 2: 0 <= x^2"),
    ((between("x", 0, 1, "[)"),), (between("x", 1, 2),), "for 0 <= x <= 2: 0 <= x^2"),
    ((Range("x", None, term(1)),), (at_least("x", 1),), "for x real: 0 <= x^2"),
    (
        (real("y"), Range("x", None, y)),
        (real("y"), at_least("x", y + 0)),
        "for y real, x real: 0 <= x^2",
    ),
    ((whole("x", 0, 1),), (whole("x", 1, 2),), "for whole 0 <= x <= 2: 0 <= x^2"),
]
RIGHT: list[tuple[Compare, str]] = [
    (Compare(E1, "<=", term(3)), "exp(1) <= 3"),
    (Compare(E1, "<", term(3)), "exp(1) < 3"),
    (Compare(term(1), "<", term(2)), "1 < 2"),
    (Compare(term(2), "<=", term(2)), "2 <= 2"),
    (Compare(term(4) / 2, "=", term(2)), "4/2 = 2"),
    (Compare(sqrt(term(2)), "<=", term(3) / 2), "sqrt(2) <= 3/2"),
    (Compare(modulus(term(-2), term(1) / 2), "<=", term(2)), "|-2|^(1/2) <= 2"),
]

HOLDS: Conclusions = [
    *(
        (
            partial(lambda low, high: told(by_cases("x", on(*low), on(*high))), low, high),
            f"{text}. From 2, by nothing.",
        )
        for low, high, text in JOINED
    ),
    (
        lambda: by_cases(
            "x", supposed("<=", between("x", 0, 1)), supposed("<=", between("x", 1, 3))
        ),
        "for 0 <= x <= 3: if x <= 2, x <= 2",
    ),
    (
        lambda: by_cases("x", FIRST, SECOND),
        "for y real, 0 <= x <= 3: if 1 <= y and y <= 2, 0 <= x^2",
    ),
    (
        lambda: told(where_equal(BOUNDED, EQUAL, WRITTEN)),
        "x real, y real: if E[(g - E[g])^2] <= E[g] and E[g] = x, E[(g - x)^2] <= E[g]. "
        "From 2, by nothing.",
    ),
    (
        lambda: where_equal(where_equal(BOUNDED, EQUAL, WRITTEN), EQUAL, BOUNDED.statement),
        "E[g] = x, E[(g - E[g])^2] <= E[g]",
    ),
    (
        lambda: where_equal(BOUNDED, EQUAL, Compare(CENTRED, "<=", x)),
        "E[g] = x, E[(g - E[g])^2] <= x",
    ),
    (
        lambda: where_equal(DEGREE, EQUAL, of_degree(polynomial("f", 2), term(4) / 2)),
        "if E[g] = x, f is a polynomial of degree at most 4/2",
    ),
    (
        lambda: where_equal(
            square(x, SIZES),
            assume(Compare(x, "=", 2 * y), SIZES),
            Compare(term(0), "<=", (y * 2) ** 2),
        ),
        "if x = 2 * y, 0 <= (y * 2)^2",
    ),
    (
        lambda: where_equal(LAW, NONE, SameLaw(LAW.left + 0, LAW.right)),
        "gamma (y in the image) + 0 has the law of 1 - rho",
    ),
    *((partial(numeric, right, LINE), f"for x real: {text}") for right, text in RIGHT),
    (lambda: told(numeric(RIGHT[0][0], Region())), "exp(1) <= 3. From 0, by nothing."),
    (
        lambda: told(numeric(Compare(DRAWN, "<=", term(2)), Region())),
        "E[exp(g)] <= 2. From 0, by law of the coordinates of a uniform unit vector.",
    ),
    (
        lambda: told(numeric(Compare(term(1), "<", DRAWN), Region())),
        "1 < E[exp(g)]. From 0, by law of the coordinates of a uniform unit vector.",
    ),
    (lambda: told(log_of_exp(x - y, SIZES)), "log(exp(x - y)) = x - y. From 0, by nothing."),
    (
        lambda: told(root_of_square(x, y, QUADRANT)),
        "for x >= 0, y >= 0: sqrt(x^2 * y) = x * sqrt(y). From 0, by nothing.",
    ),
]
