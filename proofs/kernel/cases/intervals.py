"""Cases of infima, and of the rules of a symbol that runs over an interval."""

from __future__ import annotations

from functools import partial

from proofs.kernel.algebra import assume, chain, exponential, identity, sign
from proofs.kernel.cases import Conclusions, Refusals, told
from proofs.kernel.intervals import closed_below, infimum
from proofs.kernel.laws import margin_law
from proofs.kernel.normal import same
from proofs.kernel.probability import certain, markov, mixture
from proofs.kernel.regions import Range, Region, at_least, between, real, whole
from proofs.kernel.terms import (
    BOUND,
    Term,
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
    symbol,
    symbols,
    term,
)
from proofs.kernel.theorem import Compare, Theorem
from proofs.memories.linear import definition

d, n, s, t, u, x, y = symbols("d n s t u x y")
g, h = coordinate("g", d), coordinate("h", d)
X = random("X of a definition")
INSIDE = between("s", 0, 1, "()")
LINE = Region((whole("d", 1), real("x")))
LEAST = inf("s", 0, 1, exp(x * s - log(s)))
LAW = margin_law(definition(), inside=True)
ABOVE = at_least("x", 0, above=True)


def above(left: Term, right: Term, *ranges: Range, relation: str = "<=") -> Theorem:
    """left <= right, decided."""
    return sign(Compare(left, relation, right), Region(ranges))


def supposed(left: Term, right: Term, *ranges: Range, relation: str = "<=") -> Theorem:
    """The same where it is only supposed."""
    return assume(Compare(left, relation, right), Region(ranges))


#: y <= 1/s under a hypothesis that is not on s.
GIVEN = sign(
    Compare(y, "<=", 1 / s),
    Region((real("y"), INSIDE)),
    (1, supposed(y, term(0), real("y"), INSIDE)),
)
POSITIVE, STRICT = above(term(0), x, ABOVE), above(term(0), x, ABOVE, relation="<")
AT_ZERO = above(term(0), term(0))
#: The same where y ranges too.
TWO = above(term(0), x, real("y"), between("x", 0, 3, "()"))


def moving_interval() -> Theorem:
    """P(x + g <= 0) <= inf over 0 < s < x of exp(s)."""
    region = Region((whole("d", 1), between("x", 1, 2), between("s", 0, x, "()")))
    one = certain(exp(term(0)), region)
    grows = exponential(sign(Compare(term(0), "<=", s), region))
    return infimum(chain(chain(markov(x + g, 0, region), one), grows), "s")


STRICT_AFTER = above(term(0), x + 1, ABOVE, relation="<")


def restricted() -> Theorem:
    """0 <= 0 under a hypothesis of its own."""
    region = Region((real("y"),))
    return sign(Compare(term(0), "<=", term(0)), region, (0, supposed(term(0), y, *region.ranges)))


#: Infima that are not defined where x is any real number, and what is said of them.
UNDEFINED: list[tuple[Term, str]] = [
    (inf("s", 0, 0, exp(s)), "is over something"),
    (inf("s", 0, x**2, exp(s)), "is over something"),
    (inf("s", 1, 0, exp(s)), "nothing is between 1 and 0|is over something"),
    (inf("s", x, 0, exp(s)), "is over something"),
    (inf("s", 0, 1, exp(1 / (2 * s - 1))), r"1/\(2 \* s_0 - 1\) is defined"),
    (inf("s", 0, 1, exp(1 / (s - x))), "is defined"),
    (inf("s", 0, 1, exp(log(1 - 2 * s))), "is defined"),
    (inf("s", 0, 1, log(s)), "is not negative"),
    (inf("s", 0, 1, s - 1), "is not negative"),
    (inf("s", 0, 1, x), "is not negative"),
    (inf("s", 0, 1, g * s), "is not negative"),
    (inf("s", 0, g**2 + 1, exp(s)), "its end .* is random"),
    (inf("s", -1 - g**2, 1, exp(s)), "its end .* is random"),
    (inf("s", 0, 1 + x / x, exp(s)), "x/x is defined"),
    (inf("s", x / x - 2, 1, exp(s)), "x/x is defined"),
    (inf("s", 0, 1, exp(X)), "nothing is known of the values of X"),
    (inf("s", 0, 1, exp(copies("S", 2, s * g))), "nothing is known of the values of sum_S"),
    (inf("s", 0, 1, exp(coordinate("g", s))), "the dimension of g"),
    (LEAST + BOUND, "has no range"),
    (inf("s", 0, BOUND, exp(s)), "has no range"),
    (inf("s", 0, 1, exp(s * t)), "t in .* has no range"),
    (inf("s", 0, t, exp(s)), "t in .* has no range"),
]
#: Infima that are.
DEFINED: list[Term] = [
    LEAST,
    inf("s", x - 1, x + 1, exp(-s)),
    inf("x", 0, 1, exp(x)),
    inf("s", 0, 1, 1 / s),
    inf("s", 0, 1, s),
    inf("s", 0, 1, exp(-log(1 - s))),
    inf("s", 0, 1, 1 - s),
    inf("s", 0, 1, 1 + g * s),
    inf("s", 0, 1, 2 - g - h * s),
    expectation(inf("s", 0, 1, exp(g * s - log(s)))),
]
SHIFTED = inf("s", 0, 1, exp(symbol("s_0") * s))
BY_NAME = 1 / (g - 2 * coordinate("h", 2))
PART = 1 / (2 + g)
TEXTS: list[tuple[Term, str]] = [
    (LEAST, "inf over 0 < s < 1 of exp(x * s - log(s))"),
    (substituted(LEAST, {"x": s}), "inf over 0 < s' < 1 of exp(s * s' - log(s'))"),
    (
        substituted(LEAST, {"x": s + symbols("s'")[0]}),
        "inf over 0 < s'' < 1 of exp((s + s') * s'' - log(s''))",
    ),
    (inf("s", 0, 1, t * expectation(coordinate("s", d)) * s), "inf over 0 < s' < 1 of"),
    (2 * LEAST, "2 * (inf over 0 < s < 1 of exp(x * s - log(s)))"),
    (inf("s", x - 1, x, s + 1), "inf over x - 1 < s < x of (s + 1)"),
    (BOUND + 1, "(what runs in an infimum) + 1"),
]
SAME: list[tuple[Term, Term, bool]] = [
    (LEAST, inf("t", 0, 1, exp(x * t - log(t))), True),
    (LEAST, inf("s", 0, 1, exp(s * x - log(s + 0))), True),
    (LEAST, inf("s", 0, 2, exp(x * s - log(s))), False),
    (LEAST, inf("s", -1, 1, exp(x * s - log(s))), False),
    (LEAST, inf("s", 0, 1, exp(x * s - 2 * log(s))), False),
    (substituted(LEAST, {"x": s}), inf("t", 0, 1, exp(s * t - log(t))), True),
    (substituted(LEAST, {"x": s}), inf("s", 0, 1, exp(s * s - log(s))), False),
    (expectation(inf("s", 0, 1, exp(s * g))), expectation(inf("t", 0, 1, exp(t * h))), True),
    (inf("s", 0, 1, exp(s * g)), inf("s", 0, 1, exp(s * h)), False),
    (
        expectation(inf("s", 0, 1, exp(s * g + h))),
        expectation(inf("s", 0, 1, exp(s * g + g))),
        False,
    ),
]

REFUSED: Refusals = [
    *((f"identity: .*({said})", partial(identity, one, one, LINE)) for one, said in UNDEFINED),
    (
        r"identity: 1/\(value_0 - 2 \* value_1\) is defined",
        lambda: identity(BY_NAME, BY_NAME, LINE),
    ),
    ("t: an infimum inside an infimum", lambda: inf("t", 0, 1, t + LEAST)),
    ("t: an infimum inside an infimum", lambda: inf("t", LEAST, 1, exp(t))),
    ("t: an infimum inside an infimum", lambda: inf("t", 0, 1 + LEAST, exp(t))),
    ("s: an infimum inside an infimum", lambda: substituted(LEAST, {"x": LEAST})),
    ("x: .* has in it what runs in an infimum", lambda: substituted(LEAST, {"x": BOUND})),
    ("name: '1' is no name of a symbol", lambda: inf("1", 0, 1, exp(x))),
    ("arguments: inf has 3, not 2", lambda: Term("inf", (term(0), term(1)), "s")),
    (r"infimum: t is no symbol of", lambda: infimum(above(term(0), s, INSIDE), "t")),
    (r"infimum: s >= 0 has not two", lambda: infimum(above(term(0), s, at_least("s", 0)), "s")),
    (
        r"infimum: s <= 0 has not two",
        lambda: infimum(above(term(0), -s, Range("s", None, term(0))), "s"),
    ),
    (r"infimum: s real has not two", lambda: infimum(above(term(0), s**2, real("s")), "s")),
    (r"infimum: s is whole", lambda: infimum(above(term(0), s, whole("s", 0, 2)), "s")),
    (r"infimum: s/2 depends on s", lambda: infimum(above(s / 2, s, INSIDE), "s")),
    (
        r"infimum: s <= 1/2 is on s",
        lambda: infimum(supposed(s, term(1) / 2, INSIDE), "s"),
    ),
    (r"infimum: 0 <= s is on s", lambda: infimum(supposed(term(0), s, INSIDE), "s")),
    (
        r"infimum: the range 0 <= y <= s depends on s",
        lambda: infimum(above(term(0), y, INSIDE, between("y", 0, s)), "s"),
    ),
    (
        r"infimum: the range y >= s depends on s",
        lambda: infimum(above(term(0), y, INSIDE, at_least("y", s)), "s"),
    ),
    (
        r"infimum: .* is over something",
        lambda: infimum(above(term(0), s, real("x"), between("s", 0, x**2)), "s"),
    ),
    (r"infimum: .* is not negative", lambda: infimum(above(term(-1), s - 1, INSIDE), "s")),
    (r"infimum: .* no comparison", lambda: infimum(LAW, "N")),
    (r"closed_below: t is no symbol", lambda: closed_below(POSITIVE, "t", AT_ZERO)),
    (
        r"closed_below: x real has no lower end",
        lambda: closed_below(above(term(0), x**2, real("x")), "x", AT_ZERO),
    ),
    (
        r"closed_below: the range 0 <= y <= x depends on x",
        lambda: closed_below(above(term(0), x, ABOVE, between("y", 0, x)), "x", AT_ZERO),
    ),
    (
        r"closed_below: 0 <= 1/x is on x",
        lambda: closed_below(supposed(term(0), 1 / x, ABOVE), "x", AT_ZERO),
    ),
    (
        r"closed_below: 0 <= 1 is not 0 <= 0",
        lambda: closed_below(POSITIVE, "x", above(term(0), term(1))),
    ),
    (r"closed_below: 0 <= 0 is not 0 < 0", lambda: closed_below(STRICT, "x", AT_ZERO)),
    (
        r"closed_below: x <= 0 is not 0 <= 0",
        lambda: closed_below(POSITIVE, "x", supposed(x, term(0), ABOVE)),
    ),
    (
        r"closed_below: 1/x is defined",
        lambda: closed_below(above(term(0), 1 / x, ABOVE), "x", AT_ZERO),
    ),
    (
        r"closed_below: \(-1\)/x is defined",
        lambda: closed_below(above(-1 / x, term(0), ABOVE), "x", AT_ZERO),
    ),
    (
        r"closed_below: the range n >= 0 of what",
        lambda: closed_below(
            above(term(0), x, real("n"), ABOVE), "x", above(term(0), term(0), at_least("n", 0))
        ),
    ),
    (
        r"closed_below: x in x has no range",
        lambda: closed_below(POSITIVE, "x", above(term(0), term(0), real("x"))),
    ),
    (r"closed_below: .* no comparison", lambda: closed_below(LAW, "N", AT_ZERO)),
    (r"closed_below: .* no comparison", lambda: closed_below(POSITIVE, "x", LAW)),
    (
        r"mixture: E\[.*\] is no exponential and no infimum",
        lambda: mixture(markov(s + g, 1, Region((whole("d", 1), INSIDE))), "s", h / 2),
    ),
    (r"mixture: .* its end .* is random", lambda: mixture(moving_interval(), "x", (3 + h) / 2)),
]

HOLDS: Conclusions = [
    *((partial(identity, one, one, LINE), f"{one} = {one}") for one in DEFINED),
    # Names that what runs, or a coordinate, could be given.
    (lambda: identity(LEAST, LEAST, LINE.also(real("s_0"))), "s_0 real: inf over 0 < s < 1"),
    (lambda: identity(SHIFTED, SHIFTED, LINE.also(real("s_0"))), "s_0 real: inf over 0 < s < 1"),
    (lambda: identity(PART, PART, LINE.also(real("value_0"))), "value_0 real: 1/(2 + g) ="),
    *((partial(str, one), text) for one, text in TEXTS),
    *((partial(same, one, other), str(expected)) for one, other, expected in SAME),
    (lambda: free(LEAST) == {"x"}, "True"),
    (lambda: free(inf("s", x, y, s)) == {"x", "y"}, "True"),
    (lambda: free(BOUND) == {""}, "True"),
    (lambda: randoms(inf("s", 0, 1, exp(g * s))) == {g}, "True"),
    (lambda: substituted(LEAST, {"s": 7}) == LEAST, "True"),
    (
        lambda: told(infimum(above(term(0), x**2 / s, real("x"), INSIDE), "s")),
        "for x real: 0 <= inf over 0 < s < 1 of x^2/s. From 1, by nothing.",
    ),
    (
        lambda: told(infimum(above(term(0), 1 / s, INSIDE, relation="<"), "s")),
        "0 <= inf over 0 < s < 1 of 1/s. From 1, by nothing.",
    ),
    (
        lambda: infimum(identity(term(1), s / s, Region((between("s", 1, 2),))), "s"),
        "1 <= inf over 1 < s < 2 of s/s",
    ),
    (
        lambda: infimum(GIVEN, "s"),
        "for y real: if y <= 0, y <= inf over 0 < s < 1 of 1/s",
    ),
    (
        lambda: told(moving_interval()),
        "1 <= x <= 2: P(x + g <= 0) <= inf over 0 < s < x of exp(s). From 1, by Markov's inequality.",
    ),
    (lambda: told(closed_below(POSITIVE, "x", AT_ZERO)), "for x >= 0: 0 <= x. From 2, by nothing."),
    (
        lambda: closed_below(TWO, "x", above(term(0), term(0), real("y"))),
        "for y real, 0 <= x < 3: 0 <= x",
    ),
    (
        lambda: closed_below(STRICT_AFTER, "x", above(term(0), term(1), relation="<")),
        "for x >= 0: 0 < x + 1",
    ),
    (
        lambda: closed_below(
            identity(x + x, 2 * x, Region((ABOVE,))), "x", identity(term(0), term(0), Region())
        ),
        "for x >= 0: x + x = 2 * x",
    ),
    (
        lambda: closed_below(
            above(term(0), x, real("y"), ABOVE),
            "x",
            restricted(),
        ),
        "for y real, x >= 0: if 0 <= y, 0 <= x",
    ),
]
