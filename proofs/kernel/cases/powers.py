"""Cases of the rules of powers |a|^e, and of the tails that they give."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from proofs.kernel.algebra import assume, identity, sign
from proofs.kernel.cases import Conclusions, Refusals, told
from proofs.kernel.laws import margin_law
from proofs.kernel.normal import same
from proofs.kernel.powers import (
    above_minus_modulus,
    power_of_exp,
    power_of_power,
    power_of_product,
    raised,
)
from proofs.kernel.probability import first_moment, inclusion, powers_exceed
from proofs.kernel.regions import Region, at_least, real, whole
from proofs.kernel.terms import (
    Number,
    Term,
    coordinate,
    exp,
    modulus,
    polynomial,
    random,
    symbols,
    term,
)
from proofs.kernel.theorem import Compare, Theorem
from proofs.memories.linear import definition

d, p, q, x, y, z = symbols("d p q x y z")
g = coordinate("g", d)
X = random("X of a definition")
f = polynomial("f", 2)
SIZES = Region((whole("d", 1), real("x"), real("y"), at_least("q", 0, above=True)))
TEXT = "for whole d >= 1, x real, y real, q > 0: "
NOT_BELOW = Region((whole("d", 1), at_least("x", 0), at_least("y", 0)))
LAW = margin_law(definition(), inside=True)
HALF = Fraction(1, 2)
#: Exponents that are not above 0, or random, and what is said.
NO_EXPONENTS: list[tuple[Term | Number, str]] = [
    (0, "0 > 0"),
    (-1, "-1 > 0"),
    (x, "x > 0"),
    (q - q, "q - q > 0"),
    (2 + g, "is random"),
    (1 + g**2, "is random"),
    (z, "z in .* has no range"),
    (1 + x / x, "x/x is defined"),
]


def compared(left: Term, relation: str, right: Term, region: Region = SIZES) -> Theorem:
    """A comparison that is only supposed."""
    return assume(Compare(left, relation, right), region)


def _of_exponent(said: str, exponent: Term | Number) -> Refusals:
    """The same exponent, of every rule that takes one."""
    return [
        (f"power_of_exp: .*{said}", lambda: power_of_exp(x, exponent, SIZES)),
        (f"power_of_power: .*{said}", lambda: power_of_power(x, exponent, 2, SIZES)),
        (f"power_of_power: .*{said}", lambda: power_of_power(x, 2, exponent, SIZES)),
        (f"power_of_power: .*{said}", lambda: power_of_power(x, exponent, exponent, SIZES)),
        (f"power_of_product: .*{said}", lambda: power_of_product(x, y, exponent, SIZES)),
        (f"raised: .*{said}", lambda: raised(compared(q, "<=", q + 1), exponent)),
        (f"powers_exceed: .*{said}", lambda: powers_exceed(q, f, exponent, SIZES)),
    ]


REFUSED: Refusals = [
    *(refusal for exponent, said in NO_EXPONENTS for refusal in _of_exponent(said, exponent)),
    ("power_of_exp: 1/x is defined", lambda: power_of_exp(1 / x, 2, SIZES)),
    ("power_of_power: 1/x is defined", lambda: power_of_power(1 / x, 2, 2, SIZES)),
    ("power_of_product: 1/x is defined", lambda: power_of_product(1 / x, x, 2, SIZES)),
    ("power_of_product: 1/x is defined", lambda: power_of_product(x, 1 / x, 2, SIZES)),
    ("above_minus_modulus: 1/x is defined", lambda: above_minus_modulus(1 / x, SIZES)),
    ("above_minus_modulus: z in .* has no range", lambda: above_minus_modulus(z, SIZES)),
    ("raised: what is raised to a power: x >= 0", lambda: raised(compared(x, "<=", y), 2)),
    ("raised: what is raised to a power: x >= 0", lambda: raised(compared(x, "<", y), 2)),
    ("raised: what is raised to a power: -1 >= 0", lambda: raised(compared(term(-1), "<=", y), q)),
    ("raised: .* no comparison", lambda: raised(LAW, 2)),
    ("inclusion: .* is no comparison", lambda: inclusion(LAW)),
    ("powers_exceed: what is exceeded: x >= 0", lambda: powers_exceed(x, g, 2, SIZES)),
    ("powers_exceed: what is exceeded: -1 >= 0", lambda: powers_exceed(term(-1), g, 2, SIZES)),
    ("powers_exceed: value_0/x is defined", lambda: powers_exceed(q, g / x, 2, SIZES)),
    ("first_moment: the variable: g >= 0", lambda: first_moment(term(1), g, SIZES)),
    ("first_moment: the variable: f >= 0", lambda: first_moment(term(1), f, SIZES)),
    ("first_moment: what is exceeded: x > 0", lambda: first_moment(x, g**2, SIZES)),
    ("first_moment: what is exceeded: x > 0", lambda: first_moment(x, g**2, NOT_BELOW)),
    ("first_moment: what is exceeded: -1 > 0", lambda: first_moment(term(-1), g**2, SIZES)),
    ("first_moment: g\\^2 is random", lambda: first_moment(g**2, g**2, SIZES)),
    ("first_moment: 1 \\+ g\\^2 is random", lambda: first_moment(1 + g**2, g**2, SIZES)),
    (
        "first_moment: E.*: nothing is known of the size of X",
        lambda: first_moment(term(1), exp(X), SIZES),
    ),
]

HOLDS: Conclusions = [
    (
        lambda: told(power_of_exp(x + f, q, SIZES)),
        f"{TEXT}|exp(x + f)|^q = exp(q * (x + f)). From 0, by nothing.",
    ),
    (
        lambda: told(power_of_power(x, HALF, q, SIZES)),
        f"{TEXT}||x|^(1/2)|^q = |x|^((1/2) * q). From 0, by nothing.",
    ),
    (lambda: power_of_power(x, 2, 3, SIZES), f"{TEXT}||x|^2|^3 = |x|^(2 * 3)"),
    (
        lambda: told(power_of_product(x, f, q, SIZES)),
        f"{TEXT}|x * f|^q = |x|^q * |f|^q. From 0, by nothing.",
    ),
    (
        lambda: told(raised(compared(x, "<=", x + y, NOT_BELOW), 3)),
        "for whole d >= 1, x >= 0, y >= 0: if x <= x + y, |x|^3 <= |x + y|^3. From 1, by nothing.",
    ),
    (lambda: raised(compared(x, "<", y, NOT_BELOW), 3), "if x < y, |x|^3 < |y|^3"),
    (lambda: raised(compared(x, "=", y), q), f"{TEXT}if x = y, |x|^q = |y|^q"),
    (
        lambda: told(above_minus_modulus(f, SIZES)),
        f"{TEXT}-|f| <= f. From 0, by nothing.",
    ),
    *(
        (
            partial(lambda relation: told(inclusion(compared(x, relation, y))), relation),
            f"{TEXT}if x {relation} y, P(y <= 0) <= P(x <= 0). From 1, by nothing.",
        )
        for relation in ("<=", "<", "=")
    ),
    (
        lambda: inclusion(sign(Compare(g, "<=", g + 1), SIZES)),
        f"{TEXT}P(g + 1 <= 0) <= P(g <= 0)",
    ),
    (
        lambda: told(powers_exceed(x, f, HALF, NOT_BELOW)),
        "x >= 0, y >= 0: P(x - |f| <= 0) <= P(|x|^(1/2) - |f|^(1/2) <= 0). From 0, by nothing.",
    ),
    (
        lambda: told(first_moment(q, modulus(f, 3), SIZES)),
        f"{TEXT}P(q - |f|^3 <= 0) <= E[|f|^3]/q. From 0, by Markov's inequality.",
    ),
    (lambda: same(modulus(x - y, 4), (x - y) ** 4), "True"),
    (lambda: identity(modulus(x, 2), x**2, SIZES), "|x|^2 = x^2"),
    *(
        (partial(same, modulus(x, exponent), modulus(-x, exponent)), "False")
        for exponent in (1, 3, Fraction(2, 3), 2 * p, p)
    ),
    *((partial(same, modulus(x, exponent), x**exponent), "False") for exponent in (1, 3, -2, 0, 5)),
]
