"""Cases of terms and their normal forms."""

from __future__ import annotations

import operator
from fractions import Fraction
from functools import partial
from typing import Any, cast

from proofs.kernel.cases import Conclusions, Refusals
from proofs.kernel.normal import as_term, normal, opaque, same
from proofs.kernel.terms import (
    BOUND,
    Term,
    at_most_zero,
    coordinate,
    copies,
    exp,
    expectation,
    free,
    given,
    inf,
    log,
    modulus,
    norm,
    occurs,
    plus,
    polynomial,
    power,
    random,
    randoms,
    replaced,
    sqrt,
    substituted,
    symbol,
    symbols,
    term,
    variables,
    variance,
)

A, d, n, s, x, y = symbols("A d n s x y")
g, h, t = (coordinate(name, d) for name in ["g", "h", "t"])
X = random("X of a definition")


#: Terms, the names and the random variables that occur in them.
OCCURRING: list[tuple[Term, set[str], set[Term]]] = [
    (x * g + exp(h), {"x", "d"}, {g, h}),
    (expectation(x * g), {"x", "d"}, set()),
    (at_most_zero(g), {"d"}, set()),
    (copies("S", n, g) + y, {"n", "d", "y"}, {copies("S", n, g)}),
    (X + expectation(X), set(), {X}),
    (inf("s", x, y, exp(s * n)), {"x", "y", "n"}, set()),
    (1 + BOUND, {""}, set()),
]
LEAST = inf("s", 0, 1, exp(s * x))
TEXTS: list[tuple[Term, str]] = [
    (expectation(exp(-x * g)), "E[exp((-x) * g)]"),
    (at_most_zero(copies("S", n, g) - 1), "P(sum_S(n, g) - 1 <= 0)"),
    (sqrt(x) * X, "sqrt(x) * X"),
    ((x - y) ** 2 / (x * y), "(x - y)^2/(x * y)"),
    (x - (y - 1), "x - (y - 1)"),
    (term(Fraction(-1, 2)) * x, "(-1/2) * x"),
    (2 * modulus(x - y) ** 2, "2 * |x - y|^2"),
    (sqrt(x**3), "sqrt(x^3)"),
    (1 + x, "1 + x"),
    (term(-1) + x, "-1 + x"),
    (1 - x, "1 - x"),
    (2 * x, "2 * x"),
    (1 / x, "1/x"),
    (x + (y + n), "x + y + n"),
    (x + (y - n), "x + y - n"),
    ((x + y) * n, "(x + y) * n"),
    (n / (x - y), "n/(x - y)"),
    (x / (y / n), "x/(y/n)"),
    ((x**2) ** 3, "(x^2)^3"),
    (power(x**2, n), "(x^2)^n"),
    (power(2, n + 1), "2^(n + 1)"),
    (exp(1) + log(2) - sqrt(3), "exp(1) + log(2) - sqrt(3)"),
    (modulus(2), "|2|"),
    (modulus(x, 3), "|x|^3"),
    (variance(g), "E[(g - E[g])^2]"),
    (norm(g, 3), "|E[|g|^3]|^(1/3)"),
    (LEAST, "inf over 0 < s < 1 of exp(s * x)"),
    (log(LEAST), "log(inf over 0 < s < 1 of exp(s * x))"),
    (1 + LEAST, "1 + (inf over 0 < s < 1 of exp(s * x))"),
    (LEAST.arguments[2], "exp((what runs in an infimum) * x)"),
    (inf("x", 0, 1, exp(x * symbol("x'"))), "inf over 0 < x < 1 of exp(x * x')"),
    (substituted(LEAST, {"x": s}), "inf over 0 < s' < 1 of exp(s' * s)"),
]
#: What adds a multiple to a term, and how it is written.
SUMS: list[tuple[Term | int, int | Fraction, Term, str]] = [
    (x, 1, y, "x + y"),
    (x, -1, y, "x - y"),
    (x, 2, y, "x + 2 * y"),
    (x, -2, y, "x - 2 * y"),
    (x, Fraction(-1, 2), y, "x - (1/2) * y"),
    (x, 3, term(1), "x + 3"),
    (2, -3, y, "2 - 3 * y"),
    (0, 3, term(1), "3"),
    (0, 1, y, "y"),
    (0, -1, y, "-y"),
    (0, 2, y, "2 * y"),
    (0, -2, y, "-2 * y"),
]
#: A tree, another, and whether it is part of that.
PARTS: list[tuple[Term, Term, bool]] = [
    (x, x, True),
    (x, y, False),
    (x, exp(x) + y, True),
    (y, exp(x) + y, True),
    (exp(x), 1 + exp(x), True),
    (1 + exp(x), exp(x), False),
    (y, 1 + exp(x), False),
]
SAME: list[tuple[Term, Term]] = [
    (expectation(g * h), expectation(t * h)),
    (expectation(exp(x * g)), expectation(exp(x * h))),
    (at_most_zero(copies("S", n, g * h) + t), at_most_zero(copies("T", n, h * t) + g)),
    (copies("S", n, g * h), copies("S", n, t * g)),
    (expectation(expectation(g) + h), expectation(expectation(t) + g)),
    (sqrt(x + y) ** 2, x + y),
    (sqrt(x) ** 3 / sqrt(x), x),
    (exp(g - g), term(1)),
    (exp(x + x), exp(2 * x)),
    (log(x * y / y), log(x)),
    (expectation(g - g + h), expectation(t)),
    (power(x, 3), x**3),
    (power(x, 0), term(1)),
    (modulus(x, 2), x**2),
    (modulus(x - y, 6), (y - x) ** 6),
    (1 / (sqrt(x) ** 2 + y), 1 / (x + y)),
    (sqrt(y) ** 7 / (1 + x), y**3 * sqrt(y) / (1 + x)),
    (A * sqrt(y) ** 2, A * y),
    (A**2 * x**3 * (sqrt(y) ** 5 - 3) ** 2, A**2 * x**3 * (y**5 - 6 * y**2 * sqrt(y) + 9)),
    (inf("s", x, y, exp(s * x) + s), inf("t", x, y, symbol("t") + exp(x * symbol("t")))),
    # Variables are told apart by where they occur first, outside of other expectations.
    (expectation(exp(g) + 2 * exp(h) + 3 * exp(g)), expectation(4 * exp(h) + 2 * exp(g))),
    *(
        (expectation(of(h) + exp(g) + 2 * exp(h)), expectation(of(g) + exp(g) + 2 * exp(h)))
        for of in (expectation, at_most_zero)
    ),
    (
        expectation(copies("S", n, h) + exp(g) + 2 * exp(h)),
        expectation(copies("S", n, g) + exp(g) + 2 * exp(h)),
    ),
    *(
        (expectation(g - g + of(g + 7) + exp(h)), expectation(of(g + 7) + exp(h)))
        for of in (expectation, at_most_zero)
    ),
]
DIFFERENT: list[tuple[Term, Term]] = [
    (g, h),
    (expectation(g * h), expectation(g * g)),
    (expectation(g * coordinate("h", n)), expectation(g * h)),
    (expectation(g), expectation(coordinate("g", n))),
    (expectation(x * g), x * expectation(g)),
    (expectation(exp(g)), exp(expectation(g))),
    (expectation(g), at_most_zero(g)),
    (at_most_zero(g), at_most_zero(-g)),
    (copies("S", n, g), copies("T", n, g)),
    (copies("S", n, g), copies("S", n + 1, g)),
    (copies("S", n, g), n * g),
    (expectation(copies("S", n, g) * copies("T", n, g)), expectation(copies("S", n, g) ** 2)),
    (expectation(g + expectation(g * h)), expectation(g + expectation(g * g))),
    (expectation(g + expectation(h * t)), expectation(g + expectation(h * h))),
    (expectation(g + copies("S", n, g * h)), expectation(g + copies("S", n, h * h))),
    (power(x, n), power(x, 2 * n)),
    (power(x, n), power(y, n)),
    (modulus(x), x),
    (modulus(x, 3), x**3),
    (modulus(x, 3), x**2),
    (x * sqrt(y), x),
    (modulus(x, 3), modulus(x, 5)),
    (modulus(x, n), modulus(x, 2 * n)),
    (modulus(x, 0), term(1)),
    (modulus(x, -2), 1 / x**2),
    (inf("s", x, y, exp(s)), inf("s", y, x, exp(s))),
    (inf("s", 0, 1, exp(s)), inf("s", 0, 1, exp(2 * s))),
    (sqrt(x**2), x),
    (log(exp(x)), x),
    (exp(x) * exp(y), exp(x + y)),
    (expectation(term(1)), term(1)),
    (X, random("Y of a definition")),
    (expectation(X), expectation(random("Y"))),
    (coordinate("g", 1) ** 2, term(1)),
    (expectation(coordinate("g", d) + copies("g", n, h)), expectation(2 * coordinate("g", d))),
]
#: Terms in which x is bound.
BINDING = [
    expectation(x * h),
    at_most_zero(x * h),
    copies("S", n, x * h),
    coordinate("h", x),
    polynomial("f", x),
    random("Z", x),
]
SAME_NODE = "[True, False, Fraction(0, 1), True]"


class _Alike:
    """What is no term, but has the hash of one."""

    def __hash__(self) -> int:
        return hash(x)

    __eq__ = object.__eq__


def _occurs(one: Term, names: set[str], variables: set[Term]) -> bool:
    return free(one) == names and randoms(one) == variables


def _kept(one: Term) -> bool:
    """Whether a number has its place where variables are bound."""
    return "y" in free(substituted(one, {"x": y}))


#: Sizes, one of which is no term.
NO_SIZES: list[Any] = [(1, x, y), (x, 1, y), (x, y, 1)]

REFUSED: Refusals = [
    *(
        (f"{wrong!r} is no exact number", partial(term, cast("Any", wrong)))
        for wrong in (0.5, True, "1", None)
    ),
    *(
        (".*no name of a symbol", partial(symbol, name))
        for name in ("", "a b", "2", "__0", "é", "a-b")
    ),
    *(("exponent: ", partial(operator.pow, x, by)) for by in (Fraction(1, 2), True, n, 0.5)),
    *(
        ("x: a random value has no place in", partial(substituted, 1 + one, {"x": g}))
        for one in BINDING
    ),
    (".*reserved", lambda: normal(symbol("sqrt2"))),
    *(
        (f"arguments: {head} has 0, not 1", partial(Term, head, (x,), name))
        for head, name in (("number", ""), ("symbol", "y"), ("bound", ""))
    ),
    *(
        (".*an infimum inside an infimum", partial(inf, "t", lower, upper, body))
        for lower, upper, body in (
            (LEAST, 1, x),
            (0, 1 + LEAST, x),
            (0, 1, LEAST),
            (0, 1, exp(x * log(LEAST))),
        )
    ),
    *(
        ("x: .* has in it what runs in an infimum", partial(substituted, y, values))
        for values in ({"x": BOUND, "y": n}, {"y": n, "x": 1 + BOUND})
    ),
    ("names: 3 is no text", lambda: symbols(cast("str", 3))),
    ("head: ", lambda: Term("other")),
    ("arguments: sqrt has 1, not 2", lambda: Term("sqrt", (x, y))),
    *(
        ("arguments: .* is no tuple of terms", partial(Term, "random", put, "X"))
        for put in NO_SIZES
    ),
    *(
        ("[xyn]: a random value has no place in", partial(substituted, x + expectation(own), put))
        for own in (x, y, n)
        for put in ({**dict.fromkeys("xyn", one), own.name: g} for one in (n, term(1)))
    ),
    ("arguments: .* is no tuple of terms", lambda: Term("sqrt", [x])),  # type: ignore[arg-type]
    ("arguments: .* is no tuple of terms", lambda: Term("sqrt", (1,))),  # type: ignore[arg-type]
    ("value and name: ", lambda: Term("number", value=1)),  # type: ignore[arg-type]
    ("value and name: ", lambda: Term("symbol", name=None)),  # type: ignore[arg-type]
    ("name: .* is no name of a exp", lambda: Term("exp", (x,), "x")),
    ("name: .* is no name of a random", lambda: random("1")),
    ("exponent: n is no whole number", lambda: Term("^", (x, n))),
    ("exponent: 1/2 is no whole number", lambda: Term("^", (x, term(Fraction(1, 2))))),
]

HOLDS: Conclusions = [
    *((partial(same, one, other), "True") for one, other in SAME),
    *((partial(same, one, other), "False") for one, other in DIFFERENT),
    *((lambda one=one: [one], f"[Term({text})]") for one, text in TEXTS),
    *((partial(_occurs, *case), "True") for case in OCCURRING),
    *((partial(_kept, one), "True") for one in BINDING),
    (lambda: substituted(x - y, {"x": y, "y": x}), "y - x"),
    (lambda: replaced(exp(g) + h * g, g, x), "exp(x) + h * x"),
    *((lambda it=it: [plus(*it[:3])], f"[Term({it[3]})]") for it in SUMS),
    *((partial(occurs, part, one), str(known)) for part, one, known in PARTS),
    (lambda: [substituted(x * y, {"x": g})], "[Term(g * y)]"),
    (lambda: [substituted(x + expectation(h), {"x": g})], "[Term(g + E[h])]"),
    (lambda: [substituted(coordinate("x", d), {"x": y})], "[Term(x)]"),
    (
        lambda: given(expectation(g) + at_most_zero(g) + copies("S", n, g) + g * h, g, x),
        "E[g] + P(g <= 0) + sum_S(n, g) + x * h",
    ),
    (lambda: variables(expectation(x * g) + polynomial("f", n)) == {g, polynomial("f", n)}, "True"),
    (lambda: variables(copies("S", n, X + exp(h) * x)) == {h}, "True"),
    (lambda: [x == symbol("x"), x == _Alike(), x.value, x != Term("random", (), "x")], SAME_NODE),
    (lambda: opaque(next(iter(normal(exp(x)).names))), "exp(x)"),
    (lambda: opaque("x"), "None"),
    *(
        (lambda one=one: [as_term(normal(one))], f"[Term({text})]")
        for one, text in (
            (x - x, "0"),
            (x + y, "x + y"),
            (sqrt(y), "sqrt(y)"),
            (2 * exp(x), "2 * exp(x)"),
        )
    ),
    (lambda: [as_term(normal(2 * y / 3), {"y": sqrt(x)})], "[Term((2/3) * sqrt(x))]"),
    (lambda: as_term(normal((x**2 - y) / (1 + x * y))), "(x^2 - y)/(x * y + 1)"),
]
