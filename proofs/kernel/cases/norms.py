"""Cases of the rules of norms and degrees, and of the moments that variables are known to have."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from proofs.kernel import definedness
from proofs.kernel.algebra import assume, instantiate, restate, sign, weaken
from proofs.kernel.cases import Conclusions, Refusals, told
from proofs.kernel.definedness import require_defined
from proofs.kernel.goals import Goal
from proofs.kernel.laws import margin_law
from proofs.kernel.norms import (
    hypercontractivity,
    less_constant,
    norm_tail,
    norm_to_power,
    norms_grow,
    polynomial_degree,
)
from proofs.kernel.regions import Region, at_least, between, real, whole
from proofs.kernel.terms import (
    Number,
    Term,
    at_most_zero,
    coordinate,
    copies,
    exp,
    expectation,
    log,
    modulus,
    norm,
    polynomial,
    random,
    sqrt,
    symbols,
    term,
    variance,
)
from proofs.kernel.theorem import Compare, OfDegree, Theorem
from proofs.memories.linear import definition

d, p, q, x, y, z = symbols("d p q x y z")
g, h = coordinate("g", d), coordinate("h", d)
f = polynomial("f", p)
X = random("X of a definition")
SIZES = Region((whole("d", 1), whole("p", 0), real("x"), real("y")))
TEXT = "for whole d >= 1, whole p >= 0, x real, y real: "
ABOVE = SIZES.also(at_least("q", 0, above=True))
FROM_TWO = SIZES.also(at_least("q", 2))
DEGREE = polynomial_degree(f, SIZES)
BELOW = Compare(x, "<=", y)
#: The same under a hypothesis.
SUPPOSED_DEGREE = weaken(DEGREE, DEGREE.statement, SIZES, (BELOW,))
LAW = margin_law(definition(), inside=True)
HALF = Fraction(1, 2)
SECOND = norm(f, 2)


def bounded(left: Term, relation: str = "<=", right: Term = x) -> Theorem:
    """A bound that is only supposed."""
    return assume(Compare(left, relation, right), SIZES)


def hyper(exponent: Term | Number, region: Region = SIZES) -> Theorem:
    """Hypercontractivity of f, of degree at most p."""
    return hypercontractivity(DEGREE, exponent, region)


SUPPOSED = bounded(SECOND)
RANDOM_BOUND = sign(Compare(norm(term(1), 2), "<=", norm(term(1), 2) + g**2), SIZES)

#: What is no norm, though it looks like one.
NO_NORMS: list[Term] = [
    variance(f),
    modulus(expectation(modulus(f, 3)), 1),
    modulus(expectation(modulus(f, 3)), HALF),
    modulus(expectation(modulus(f, 2)), 2),
    modulus(expectation(f * 2), HALF),
    modulus(at_most_zero(modulus(f, 2)), HALF),
    expectation(modulus(f, 2)) * HALF,
    expectation(f),
    modulus(x, 2),
    x,
]
#: Expectations that may not exist.
NO_MOMENTS: list[tuple[Term, str]] = [
    (exp(f), "size of f"),
    (1 / (1 + f**2), "values of f"),
    (sqrt(f), "values of f"),
    (log(2 + X), "values of X"),
    (copies("S", 2, f), "size of f"),
    (exp(f - X), "nothing is known of the size of"),
    (g * exp(X), "size of X"),
    (exp(X) * g, "size of X"),
    (f - exp(X), "size of X"),
    (modulus(exp(X), 3), "size of X"),
    (exp(X) ** 3, "size of X"),
    (f ** (-2), "values of f"),
    (f ** (-1), "values of f"),
    (modulus(f, g), "the exponent of .* is random"),
    (modulus(f, 2 + g), "the exponent of .* is random"),
    (modulus(f, x), "the exponent of .*: x > 0"),
    (modulus(f, 0), "the exponent of .*: 0 > 0"),
    (modulus(f, -2), "the exponent of .*: -2 > 0"),
    (polynomial("f", p - 1), "the degree of f: p - 1 - 0 >= 0"),
    (polynomial("f", x), "the degree of f: x is not known to be whole"),
    (f + polynomial("f", p + 1), "f is the name of two variables"),
]
#: Expectations that exist.
MOMENTS: list[Term] = [
    1 / (4 + coordinate("g", d + 1) + coordinate("g", 1 + d)),
    f**3 * X + g,
    modulus(f - X, 3) * f,
    2 * f - exp(g) * f,
    modulus(X, HALF) + exp(copies("S", 2, g)),
    polynomial("f", 0),
    X**0,
]

REFUSED: Refusals = [
    ("polynomial_degree: .* no polynomial by its term", lambda: polynomial_degree(g, SIZES)),
    ("polynomial_degree: .* no polynomial by its term", lambda: polynomial_degree(X, SIZES)),
    (
        "polynomial_degree: .* no polynomial by its term",
        lambda: polynomial_degree(random("X", p), SIZES),
    ),
    ("polynomial_degree: .* no polynomial by its term", lambda: polynomial_degree(f + 1, SIZES)),
    (
        "polynomial_degree: the degree of f: p - 1",
        lambda: polynomial_degree(polynomial("f", p - 1), SIZES),
    ),
    ("polynomial_degree: p in f has no range", lambda: polynomial_degree(f, Region())),
    ("less_constant: g is random", lambda: less_constant(DEGREE, g)),
    ("less_constant: f is random", lambda: less_constant(DEGREE, f)),
    ("less_constant: z in .* has no range", lambda: less_constant(DEGREE, z)),
    ("less_constant: 1/x is defined", lambda: less_constant(DEGREE, 1 / x)),
    ("less_constant: .* does not say of which degree", lambda: less_constant(SUPPOSED, x)),
    ("less_constant: .* does not say of which degree", lambda: less_constant(LAW, x)),
    ("hypercontractivity: .* does not say of which", lambda: hypercontractivity(LAW, 2, SIZES)),
    (
        "hypercontractivity: .* does not say of which",
        lambda: hypercontractivity(SUPPOSED, 2, SIZES),
    ),
    ("hypercontractivity: the exponent is at least 2: q - 2", lambda: hyper(q, ABOVE)),
    ("hypercontractivity: the exponent is at least 2", lambda: hyper(Fraction(3, 2))),
    ("hypercontractivity: the exponent .* random", lambda: hyper(3 + g)),
    ("hypercontractivity: the exponent .* random", lambda: hyper(2 + g**2)),
    ("hypercontractivity: d in d has no range", lambda: hyper(2, Region())),
    (
        "hypercontractivity: the range whole p >= 0 of what is used: p is not known to be whole",
        lambda: hyper(2, Region((whole("d", 1), at_least("p", 0), real("x"), real("y")))),
    ),
    ("hypercontractivity: q in q - 2 has no range", lambda: hyper(q)),
    ("norms_grow: the order of the exponents: 2 - q", lambda: norms_grow(g, q, 2, ABOVE)),
    ("norms_grow: the order of the exponents", lambda: norms_grow(g, 2, HALF, SIZES)),
    ("norms_grow: the exponent of", lambda: norms_grow(g, 0, 2, SIZES)),
    ("norms_grow: the exponent of", lambda: norms_grow(g, -1, 2, SIZES)),
    ("norms_grow: the exponent of .* is random", lambda: norms_grow(g, 1, 2 + h**2, SIZES)),
    ("norms_grow: E.*nothing is known of the size of X", lambda: norms_grow(exp(X), 1, 2, SIZES)),
    ("norms_grow: E.*nothing is known of the size of f", lambda: norms_grow(exp(f), 1, 2, SIZES)),
    ("norm_to_power: the exponent of", lambda: norm_to_power(f, x, SIZES)),
    ("norm_to_power: the exponent of", lambda: norm_to_power(f, 0, SIZES)),
    *(
        ("norm_tail: .* is no norm", partial(norm_tail, bounded(one, "<=", y), 1))
        for one in NO_NORMS
    ),
    ("norm_tail: g is random", lambda: norm_tail(SUPPOSED, g)),
    (r"norm_tail: .* \+ g\^2 is random", lambda: norm_tail(RANDOM_BOUND, 1)),
    ("norm_tail: .* is no comparison", lambda: norm_tail(LAW, 1)),
    ("norm_tail: z in .* has no range", lambda: norm_tail(SUPPOSED, z)),
    ("norm_tail: 1/x is defined", lambda: norm_tail(SUPPOSED, 1 / x)),
    *(
        (f"norm_to_power: .*{said}", partial(norm_to_power, one, 2, SIZES))
        for one, said in NO_MOMENTS
    ),
    # Though what is not defined has no expectation anyway.
    (
        "f: nothing is known of the size of f",
        lambda: definedness._require_moments(f ** (-1), f),
    ),
    (
        "restate: .* is not",
        lambda: restate(
            norms_grow(f, 2, 4, SIZES),
            Compare(norm(f, 2), "<=", norm(polynomial("h", p), 4)),
        ),
    ),
    (
        "instantiate: x: a random value has no place in",
        lambda: instantiate(norm_to_power(x * f, 2, SIZES), {"x": g}, SIZES),
    ),
    ("weaken: ", lambda: weaken(DEGREE, OfDegree(f, p - 1), SIZES)),
    (
        "weaken: .* is not about what",
        lambda: weaken(DEGREE, OfDegree(polynomial("h", p), p), SIZES),
    ),
    ("weaken: .* is not about what", lambda: weaken(DEGREE, Compare(f, "<=", p), SIZES)),
    ("the degree g is random", lambda: OfDegree(f, g)),
]

HOLDS: Conclusions = [
    (
        lambda: told(DEGREE),
        f"{TEXT}f is a polynomial of degree at most p. From 0, by nothing.",
    ),
    (
        lambda: told(less_constant(DEGREE, expectation(f))),
        f"{TEXT}f - E[f] is a polynomial of degree at most p. From 1, by nothing.",
    ),
    (lambda: less_constant(SUPPOSED_DEGREE, x), f"{TEXT}if x <= y, f - x is a polynomial of"),
    (
        lambda: told(hyper(4)),
        f"{TEXT}|E[|f|^4]|^(1/4) <= exp(p/2 * log(4 - 1)) * |E[|f|^2]|^(1/2). From 1, by "
        "hypercontractivity in Gauss space (Nelson 1973), hypercontractivity of products (Beckner "
        "1975), hypercontractivity on the cube (Bonami 1970), hypercontractivity on the sphere (Beckner "
        "1992).",
    ),
    (
        lambda: hyper(q, FROM_TWO),
        "y real, q >= 2: |E[|f|^q]|^(1/q) <= exp(p/2 * log(q - 1)) * |E[|f|^2]|^(1/2)",
    ),
    (lambda: hypercontractivity(SUPPOSED_DEGREE, 2, SIZES), f"{TEXT}if x <= y, |E[|f|^2]|^(1/2)"),
    (
        lambda: told(norms_grow(f, q, 2, SIZES.also(between("q", 1, 2)))),
        "1 <= q <= 2: |E[|f|^q]|^(1/q) <= |E[|f|^2]|^(1/2). From 0, by Jensen's inequality.",
    ),
    (
        lambda: told(norm_to_power(x * f, q, ABOVE)),
        "q > 0: ||E[|x * f|^q]|^(1/q)|^q = E[|x * f|^q]. From 0, by nothing.",
    ),
    *(
        (
            partial(lambda relation: told(norm_tail(bounded(SECOND, relation), y)), relation),
            f"{TEXT}if |E[|f|^2]|^(1/2) {relation} x, "
            "1 - exp((-y) * 2) <= P(|f| - exp(y) * x <= 0). From 1, by Markov's inequality.",
        )
        for relation in ("<=", "<", "=")
    ),
    (
        lambda: norm_tail(assume(Compare(norm(f, q), "<=", x), ABOVE), 1),
        "1 - exp((-1) * q) <= P(|f| - exp(1) * x <= 0)",
    ),
    *((partial(require_defined, expectation(one), SIZES), "None") for one in MOMENTS),
    (
        lambda: Goal(OfDegree(f, p + 1), SIZES).reached(DEGREE),
        "f is a polynomial of degree at most p + 1",
    ),
    (
        lambda: (
            instantiate(DEGREE, {"p": 6}, SIZES.without("p")).statement.sides
            == (polynomial("f", 6), term(6))
        ),
        "True",
    ),
]
