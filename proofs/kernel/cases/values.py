"""Cases of values of terms, by balls; of derivatives, and of which terms are known to be convex."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial

from flint import arb

from proofs.algebra.balls import ball, precision
from proofs.kernel.cases import Conclusions, Refusals
from proofs.kernel.derivatives import derivative, is_convex
from proofs.kernel.regions import Region, at_least, between, real
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
    norm,
    polynomial,
    power,
    random,
    sqrt,
    symbol,
    symbols,
    term,
    variance,
)
from proofs.kernel.theorem import Compare
from proofs.kernel.values import holds, value

d, n, s, x, y = symbols("d n s x y")
g = coordinate("g", d)
HALF = Fraction(1, 2)
At = Mapping[str, int | Fraction]

#: Terms, the values of their symbols, and their own.
EXACT: list[tuple[Term, At, Callable[[], arb]]] = [
    (expectation(exp(g)), {"d": 1}, lambda: arb(1).cosh()),
    (expectation(exp(symbol("value_0") * g)), {"d": 1, "value_0": 2}, lambda: arb(2).cosh()),
    (expectation(g**3), {"d": 1}, lambda: arb(0)),
    (expectation(exp(x * g)), {"d": 3, "x": 2}, lambda: arb(2).sinh() / 2),
    (expectation(g**2), {"d": 8}, lambda: arb(1) / 8),
    (expectation(g**2), {"d": 2}, lambda: arb(1) / 2),
    (expectation(sqrt(1 - g)), {"d": 3}, lambda: arb(8).sqrt() / 3),
    (expectation(exp(x)), {"x": 1}, lambda: arb(1).exp()),
    (inf("s", 0, 1, exp(s**2 - s)), {}, lambda: (-arb(1) / 4).exp()),
    (inf("s", -1, 3, exp(s**2 - x * s)), {"x": 5}, lambda: (-arb(25) / 4).exp()),
    (inf("s", 0, 1, exp(s + s**2)), {}, lambda: arb(1)),
    (inf("s", 0, x, exp(-s)), {"x": 2}, lambda: arb(-2).exp()),
    (inf("s", x, 3, exp(s)), {"x": HALF}, lambda: (arb(1) / 2).exp()),
    (
        inf("s", 0, 1, exp(-s - log(1 - s) / 2)),
        {},
        lambda: (-arb(1) / 2 + arb(2).log() / 2).exp(),
    ),
    (
        expectation(inf("s", 0, 1, exp(s**2 - s * (1 + g)))),
        {"d": 3},
        lambda: arb.pi().sqrt() / 2 * arb(1).erf(),
    ),
    (expectation(exp(g) * expectation(exp(g))), {"d": 1}, lambda: arb(1).cosh() ** 2),
    *((at_most_zero(x), {"x": at}, lambda p=p: arb(p)) for at, p in ((-1, 1), (0, 1), (1, 0))),
    *(
        (at_most_zero(g - x), {"d": d_, "x": at}, lambda p=p: ball(p))
        for d_, at, p in (
            (1, -2, 0),
            (1, -1, HALF),
            (1, -HALF, HALF),
            (1, HALF, HALF),
            (1, 1, 1),
            (3, -1, 0),
            (3, 0, HALF),
            (3, HALF, Fraction(3, 4)),
            (3, 1, 1),
        )
    ),
    (variance(exp(g)), {"d": 1}, lambda: arb(1).sinh() ** 2),
    (norm(g + 1, 3), {"d": 1}, lambda: arb(4) ** (arb(1) / 3)),
    # Convex for |g| <= 1 and no further; the exponents are least at 1 and at 1/4.
    *(
        (
            expectation(inf("s", 0, 1, exp((1 + sign * g) * s**2 - s))),
            {"d": 1},
            lambda: ((-arb(1)).exp() + (-arb(1) / 8).exp()) / 2,
        )
        for sign in (1, -1)
    ),
    (inf("s", 0, 1, exp(s - log(s) / 2)), {}, lambda: (arb(1) / 2).exp() * arb(2).sqrt()),
    (modulus(term(-2), HALF), {}, lambda: arb(2).sqrt()),
    (modulus(x, HALF), {"x": 0}, lambda: arb(0)),
    (modulus(x, HALF), {"x": 1}, lambda: arb(1)),
    (modulus(x, 3), {"x": -2}, lambda: arb(8)),
    (power(x, n), {"x": -2, "n": 3}, lambda: arb(-8)),
    (power(x, n), {"x": 0, "n": 0}, lambda: arb(1)),
    ((x - 1) ** (-2), {"x": 3}, lambda: arb(1) / 4),
    (log(x) / sqrt(x) - x * (1 + x), {"x": 4}, lambda: arb(4).log() / 2 - 20),
]
#: Terms that have no value, and what is said.
NO_VALUE: list[tuple[Term, str]] = [
    (expectation(g * coordinate("h", d)), ".*it has a value of one coordinate only"),
    (expectation(copies("S", 2, g)), ".*it has a value of one coordinate only"),
    (expectation(polynomial("f", d)), ".*it has a value of one coordinate only"),
    (expectation(random("X", d)), ".*it has a value of one coordinate only"),
    (inf("s", 0, 1, exp(-(s**2))), ".*convex"),
    (inf("s", 0, 1, exp((2 * s - 1) ** 4 - s**2)), ".*convex"),
    (inf("s", 0, 1, s**2), ".*convex"),
    (inf("s", 0, 1, log(2 + s)), ".*convex"),
    (expectation(inf("s", 0, 1, exp(g * s**2))), ".*convex"),
    (expectation(inf("s", 0, 1, exp(-g * s**2))), ".*convex"),
    (expectation(coordinate("g", d / 2)), ".*no dimension"),
    (expectation(coordinate("g", d - 3)), ".*no dimension"),
    (g, ".*a random variable has no value"),
    (copies("S", 2, g), ".*a random variable has no value"),
    (at_most_zero(copies("S", 2, g)), ".*it has a value of one coordinate only"),
    (polynomial("f", 2), ".*a random variable has no value"),
    (power(2 + 0 * d, d / 2), ".*is no whole number"),
]
#: Comparisons, where, and whether they hold there; None where balls do not tell.
COMPARED: list[tuple[Compare, At, bool | None]] = [
    (Compare(modulus(term(-2), HALF), "<=", term(2)), {}, True),
    (Compare(modulus(term(0), HALF), "<", term(Fraction(1, 100))), {}, True),
    (Compare(modulus(term(-3), 1), "<=", term(2)), {}, False),
    (Compare(x, "<=", y), {"x": 1, "y": 1}, True),
    (Compare(x, "<", y), {"x": 1, "y": 1}, False),
    (Compare(x, "=", y), {"x": 1, "y": 1}, True),
    (Compare(x, "=", y), {"x": 1, "y": 2}, False),
    (Compare(x, "<=", y), {"x": 2, "y": 1}, False),
    (Compare(x, "<", y), {"x": 1, "y": 2}, True),
    (Compare(exp(x), "=", y), {"x": 0, "y": 1}, True),
    (Compare(exp(x), "=", y), {"x": 1, "y": 3}, False),
    (Compare(exp(x), "=", y), {"x": 1, "y": 2}, False),
    (Compare(exp(x), "<", y), {"x": 1, "y": 3}, True),
    (Compare(exp(x), "<", y), {"x": 1, "y": 2}, False),
    (Compare(log(exp(x)), "<=", x), {"x": 1}, None),
    (Compare(sqrt(x), "<=", y), {"x": 2, "y": 2}, True),
    (Compare(sqrt(x), "<=", y), {"x": 4, "y": 2}, None),
    (Compare(sqrt(x), "=", y), {"x": 4, "y": 2}, None),
    (Compare(sqrt(x), "<=", y), {"x": 2, "y": 1}, False),
]
#: Functions of x, a ball for x, and from where to where their values reach.
BALLS: list[tuple[Term, arb, list[float]]] = [
    (sqrt(x), arb(0, 0.25), [0.0, 0.5]),
    (sqrt(x), arb(0.125, 0.125), [0.0, 0.5]),
    (sqrt(x), arb(4), [2.0, 2.0]),
    (sqrt(x), arb(0), [0.0, 0.0]),
    (modulus(x, 3), arb(0), [0.0, 0.0]),
    (modulus(x, 3), arb(-2), [8.0, 8.0]),
    (x**2, arb(0, 0.5), [-0.25, 0.25]),
    (x**0, arb(0, 0.5), [1.0, 1.0]),
    (x**4, arb(3), [81.0, 81.0]),
    (x**3, arb(3), [27.0, 27.0]),
    (x ** (-1), arb(4), [0.25, 0.25]),
]
#: Terms and their derivatives in x, as they are printed.
DERIVATIVES: list[tuple[Term, str]] = [
    (term(7), "0"),
    (y, "0"),
    (x, "1"),
    (x + y, "1"),
    (y + x, "0 + 1"),
    (y - x, "-1"),
    (x - y, "1"),
    (x - exp(x), "1 - exp(x)"),
    (x + exp(x), "1 + exp(x)"),
    (x * y, "y"),
    (y * x, "0 + y"),
    (x * exp(x), "exp(x) + exp(x) * x"),
    (x / y, "1/y"),
    (y / x, "0/x - y/x^2"),
    (exp(x) / x, "exp(x)/x - exp(x)/x^2"),
    (x**3, "3 * x^2"),
    (exp(x) ** 3, "3 * exp(x)^2 * exp(x)"),
    (x ** (-1), "(-1) * x^(-2)"),
    (exp(x * y), "exp(x * y) * y"),
    (log(x), "1/x"),
    (log(x) * y, "1/x * y"),
    (log(x) * exp(x), "1/x * exp(x) + exp(x) * log(x)"),
    (exp(x) / log(x), "exp(x)/log(x) - 1/x * exp(x)/log(x)^2"),
    (exp(x * 0), "0"),
    (0 * exp(x), "0 + 0"),
    (log(x * y), "1/(x * y) * y"),
    (sqrt(x), "1/(2 * sqrt(x))"),
    (expectation(exp(y * g)) * x, "0 + E[exp(y * g)]"),
]
NO_DERIVATIVE: list[Term] = [
    expectation(exp(x * g)),
    at_most_zero(x - g),
    power(x, n),
    power(2 + 0 * n, x),
    modulus(x),
    inf("s", 0, 1, exp(x * s)),
    copies("S", 2, x * g),
]
#: Functions of x, where, and whether they are known to be convex there.
CONVEX: list[tuple[Term, Region, bool]] = [
    (x**3, Region((between("x", 0, 1),)), True),
    (x**3, Region((real("x"),)), False),
    (x**2, Region((real("x"),)), True),
    (-(x**2), Region((real("x"),)), False),
    (x * y, Region((real("x"), real("y"))), True),
    (x**2 * y, Region((real("x"), real("y"))), False),
    (x**2 * y, Region((real("x"), at_least("y", 0))), True),
    (-log(x), Region((at_least("x", 0, above=True),)), True),
    (log(x), Region((at_least("x", 0, above=True),)), False),
    (exp(x), Region((real("x"),)), True),
    (1 / x, Region((at_least("x", 0, above=True),)), True),
    (1 / x, Region((real("x"),)), False),
    (x**3, Region(), False),
]


def _in_thin_ball(one: Term, at: At, expected: Callable[[], arb], share: int = 250) -> bool:
    """Whether the value lies in the ball, and the ball is thin."""
    with precision():
        found, exact = value(one, at), expected()
        return bool(found.overlaps(exact) and found.rad() < (abs(exact) + 1) / share)


def _reaches(one: Term, ball_: arb, **others: arb) -> list[float]:
    """From where to where the value reaches for x, and others, in balls, rounded."""
    found = value(one, {"x": ball_, **others})
    return [round(float(end), 6) + 0.0 for end in (found.lower(), found.upper())]


#: exp(-x^2) for x between 0 and 1, at s = x.
LEAST = inf("s", 0, 1, exp(s**2 - 2 * x * s))


def _least(at: Fraction) -> arb:
    return (-(ball(at) ** 2)).exp()


def _unknown(one: Term) -> None:
    """A symbol without a value."""
    try:
        value(one, {"d": 3})
    except KeyError as missing:
        raise ValueError(f"no value: {missing}") from None


REFUSED: Refusals = [
    *((said, partial(value, one, {"d": 3})) for one, said in NO_VALUE),
    ("no value: 'x'", partial(_unknown, expectation(inf("s", 0, 1, exp(x * s + g))))),
    ("no value: 'x'", partial(_unknown, inf("s", 0, x, exp(s)))),
    ("no value: 'value_0'", partial(_unknown, expectation(exp(symbol("value_0") * g)))),
    *(
        (".*its derivative in x is not known", partial(derivative, one, "x"))
        for one in NO_DERIVATIVE
    ),
]


def _covers(middle: Fraction, radius: Fraction) -> bool:
    """Whether the ball of exp(-x^2) for x in a ball has in it that of each of nine places there."""
    with precision():
        whole = value(LEAST, {"x": ball(middle) + arb(0, 1) * ball(radius)})
        places = [middle + radius * Fraction(k, 4) for k in range(-4, 5)]
        return all(whole.contains(_least(at)) for at in places)


HOLDS: Conclusions = [
    *(
        (partial(_covers, Fraction(middle, 8), Fraction(radius, 16)), "True")
        for middle in range(1, 8)
        for radius in (1, 2, 4, 8)
    ),
    *((partial(_in_thin_ball, *case), "True") for case in EXACT),
    # The last place that is looked at lies before the least value, or behind it.
    *(
        (partial(_in_thin_ball, LEAST, {"x": at}, partial(_least, at), 50_000), "True")
        for at in (Fraction(1, 3), Fraction(2, 3))
    ),
    *((partial(holds, statement, at), str(expected)) for statement, at, expected in COMPARED),
    *((lambda one=one: f"[{derivative(one, 'x')}]", f"[{text}]") for one, text in DERIVATIVES),
    *((partial(is_convex, one, "x", region), str(known)) for one, region, known in CONVEX),
    *((partial(_reaches, one, ball_), str(ends)) for one, ball_, ends in BALLS),
    # Two that are in balls: convex for all their values together.
    (
        lambda: _reaches(inf("s", 0, 1, exp((4 + x + y) * s**2 - s)), arb(0, 0.5), y=arb(0, 0.25)),
        "[0.904042, 0.955405]",
    ),
    (lambda: holds(Compare(sqrt(x) * y, "=", sqrt(x) * n), {"x": 2, "y": 3, "n": 3}), "True"),
    (lambda: holds(Compare(x * y, "=", n), {"x": 1, "y": 2, "n": 2}), "True"),
    (lambda: holds(Compare(x / 3 + y, "=", n), {"x": 1, "y": 2, "n": Fraction(7, 3)}), "True"),
]
