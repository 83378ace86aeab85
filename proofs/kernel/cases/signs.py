"""Cases of regions and signs."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import partial

from proofs.kernel.algebra import identity
from proofs.kernel.cases import Conclusions, Refusals
from proofs.kernel.normal import normal
from proofs.kernel.regions import (
    Range,
    Region,
    at_least,
    between,
    decided_sign,
    real,
    require_sign,
    whole,
)
from proofs.kernel.terms import (
    Term,
    at_most_zero,
    coordinate,
    copies,
    exp,
    expectation,
    log,
    modulus,
    random,
    sqrt,
    symbol,
    symbols,
    term,
)

a, b, c, q = symbols("a b c q")
g = coordinate("g", 3)
NEGATIVE = Region((Range("a", None, term(0), open_above=True),))


#: Terms, where they are, whether above 0 or not below it: decided.
DECIDED: list[tuple[Term, Region, bool]] = [
    (a - 2, Region((at_least("a", 2),)), False),
    (a - 2, Region((at_least("a", 2, above=True),)), True),
    (1 - a, Region((between("a", 0, 1),)), False),
    (1 - a, Region((between("a", 0, 1, "[)"),)), True),
    (a, Region((between("a", 0, 1, "(]"),)), True),
    (a * (1 - a), Region((between("a", 0, 1, "()"),)), True),
    (1 / (1 - a), Region((between("a", 0, 1, "[)"),)), True),
    (-1 / (a - 1), Region((between("a", 0, 1, "[)"),)), True),
    (a**2, Region((real("a"),)), False),
    (a**2 + 1, Region((real("a"),)), True),
    (b - a, Region((real("a"), at_least("b", a))), False),
    (b, Region((at_least("a", 1), between("b", a, 2 * a))), True),
    (c - a, Region((real("a"), at_least("b", a, above=True), at_least("c", b))), True),
    (1 - a, Region((Range("a", None, term(1)),)), False),
    (1 - a, Region((Range("a", None, term(1), open_above=True),)), True),
    (exp(a), Region((real("a"),)), True),
    (sqrt(a), Region((at_least("a", 0),)), False),
    (at_most_zero(g), Region(), False),
    (exp(g) + g**2, Region(), True),
    (log(a) ** 2, Region((at_least("a", 1),)), False),
    (term(0), Region(), False),
    (term(1), Region(), True),
    (log(a), Region((at_least("a", 1, above=True),)), True),
    (-log(a), Region((between("a", 0, 1, "()"),)), True),
    (log(1 + log(a)), Region((at_least("a", 1, above=True),)), True),
    (exp(a) - 1, Region((at_least("a", 0, above=True),)), True),
    (1 - exp(-log(a)), Region((at_least("a", 1, above=True),)), True),
    (log(1 / b), Region((between("b", 0, exp(term(-1)), "(]"),)), True),
    (exp(term(-1)) - b, Region((between("b", 0, exp(term(-1))),)), False),
    (modulus(a, b), Region((real("a"), at_least("b", 1))), False),
    (modulus(1 + a**2, b), Region((real("a"), at_least("b", 1))), True),
    (log(a) * b, Region((at_least("a", 2), at_least("b", 0))), False),
]
#: The same with what is said where it is not.
UNDECIDED: list[tuple[Term, Region, bool, str]] = [
    (a - 2, Region((at_least("a", 1),)), False, "false at a = 1"),
    (a - 2, Region((at_least("a", 2),)), True, "false at a = 2"),
    (1 - a, Region((between("a", 0, 1),)), True, "false at a = 1"),
    (1 - a, Region((between("a", 0, 2, "[)"),)), False, "false at a = "),
    (a, Region((between("a", 0, 1),)), True, "false at a = 0"),
    (a - b, Region((real("a"), at_least("b", a))), False, "false at a = -1, b = -15/16"),
    (a, Region((real("a"),)), False, "false at a = -"),
    (a**2, Region((real("a"),)), True, "false at a = 0"),
    (1 - a, Region((at_least("a", 0),)), False, "false at a = 3"),
    (a, Region((Range("a", None, term(1)),)), False, "false at a = -"),
    (a, Region((Range("a", None, term(0), open_above=True),)), False, "false at a = -"),
    (1 - a, Region((Range("a", None, term(1)),)), True, "false at a = 1"),
    (term(-1), Region(), False, "-1 >= 0: it is false"),
    (term(0), Region(), True, "0 > 0: it is false"),
    (1 / a, Region((real("a"),)), False, "false at a = -"),
    (1 / a, Region((at_least("a", 0),)), False, "not decided"),
    (1 / (1 - a) ** 2, Region((at_least("a", 0),)), True, "not decided"),
    (log(a), Region((at_least("a", 1),)), False, "not decided"),
    (sqrt(a), Region((at_least("a", 0),)), True, "not decided"),
    (g, Region(), False, "not decided"),
    (-g, Region(), False, "not decided"),
    (1 - g, Region(), False, "not decided"),
    (expectation(g), Region(), False, "not decided"),
    (random("X"), Region(), False, "not decided"),
    (copies("S", 2, g), Region(), False, "not decided"),
    (at_most_zero(g), Region(), True, "not decided"),
    (1 - at_most_zero(g), Region(), False, "not decided"),
    (exp(a) - 1, Region((real("a"),)), False, "not decided"),
    ((a - 2) ** 2, Region((at_least("a", 0),)), False, "not decided; it is from a >= 2 on"),
    (a, Region(), False, "a in a has no range"),
    (a - a, Region(), False, "a in a - a has no range"),
    (log(a), Region((at_least("a", 0, above=True),)), False, "not decided"),
    (log(2 - a), Region((between("a", 0, 1, "(]"),)), False, "not decided"),
    (-log(a), Region((between("a", 0, 1, "(]"),)), True, "not decided"),
    (1 - exp(a), Region((Range("a", None, term(1)),)), False, "not decided"),
    (exp(-a) - 1, Region((at_least("a", 0, above=True),)), False, "not decided"),
    (exp(-log(a)) - 1, Region((at_least("a", 1, above=True),)), False, "not decided"),
    (modulus(a), Region((real("a"),)), True, "not decided"),
    (1 - log(1 + a), Region((at_least("a", 0, above=True),)), False, "not decided"),
    (1 + log(1 / (1 + a)), Region((at_least("a", 0, above=True),)), False, "not decided"),
    (exp(a) - 2, Region((at_least("a", 0, above=True),)), False, "not decided"),
    (1 - 2 * exp(-a), Region((at_least("a", 0, above=True),)), False, "not decided"),
    (at_most_zero(1 + g**2), Region(), True, "not decided"),
    (a**3 - a**2 + a, Region((at_least("a", 0, above=True),)), True, "not decided"),
    (a * (a - 1), Region((whole("a", 0),)), False, "not decided; it is from a >= 1 on"),
    (
        100 * (2 * b - 5) ** 2 - 1,
        Region((at_least("a", 0), at_least("b", a))),
        False,
        "not decided; it is from b >= ",
    ),
    (modulus(a, 3), Region((at_least("a", 0),)), True, "not decided"),
    (exp(-1 - a) - b, Region((at_least("a", 0), between("b", 0, 1))), False, "not decided"),
    (exp(term(-1)) - b, Region((between("b", 0, exp(term(-1)) + 1),)), False, "not decided"),
    (-log(g + 2), Region(), False, "not decided"),
    (
        a - 1,
        Region((at_least("a", 0), between("b", 0, 1 / a))),
        False,
        "false at a = 1/16, b = 16",
    ),
]
#: Lower ends from which on a square of a difference is decided, and places at which it is tried.
_LATER, _PROBED = (
    (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100),
    (0, Fraction(1, 16), 1, 3, 20, 10**4),
)
_MANY = [Term("symbol", name=f"s{i}") for i in range(7)]


def _sum_of(many: int) -> tuple[Term, Region, bool]:
    """That a sum of so many symbols that are not negative is negative."""
    region = Region(tuple(at_least(it.name, 0) for it in _MANY[:many]))
    return -sum(_MANY[1:many], _MANY[0]), region, False


UNDECIDED += [
    *(
        ((a - later) ** 2, Region((at_least("a", 0),)), False, f"; it is from a >= {later} on")
        for later in _LATER
    ),
    *(
        (
            (a - at) ** 2 - Fraction(1, 1000),
            Region((at_least("a", 0),)),
            False,
            f"false at a = {at}",
        )
        for at in _PROBED
    ),
    ((a - 2) ** 2, Region((whole("a", -1),)), False, "; it is from a >= 2 on"),
    ((a - 2) ** 2, Region((at_least("b", 0), at_least("a", 0))), False, "; it is from a >= 2 on"),
    ((a - 2) ** 2 * b, Region((at_least("b", 0), at_least("a", 0))), False, "from a >= 2 on"),
    ((a - 2) ** 2, Region((at_least("a", 0),)), True, "; it is from a >= 3 on"),
    (*_sum_of(6), "false at s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 1/16"),
    (a - 1, Region((between("a", 0, 2),)), False, "false at a = 0"),
    (1 - a, Region((between("a", 0, 2, "()"),)), False, "false at a = 3/2"),
    (b - a, Region((at_least("a", 0), between("b", 0, a))), False, "false at a = "),
    (1 / a - 1, Region((at_least("a", 0, above=True),)), False, "false at a = 3"),
    (exp(b) - a, Region((real("b"), at_least("a", 0))), False, "not decided"),
    (exp(a) * b, Region((real("a"), real("b"))), False, "not decided"),
    (sqrt(a) - 1, Region((at_least("a", 0),)), False, "not decided"),
    (a * b, Region((real("a"), real("b"))), False, "false at a = "),
    (a * b, Region((at_least("a", 0, above=True), at_least("b", 0))), True, "false at a = "),
    (a + b - 1, Region((at_least("a", 0), at_least("b", 0))), False, "false at a = 0, b = 0"),
    (a - 1, Region((real("a"),)), True, "false at a = 0"),
    (1 / (a - 2), Region((at_least("a", 0),)), False, "false at a = 0"),
    (-1 / (a - 2), Region((at_least("a", 0),)), False, "false at a = 3"),
]
DECIDED += [
    (a * b, Region((at_least("a", 0, above=True), at_least("b", 1))), True),
    (a * b, Region((Range("a", None, term(0)), Range("b", None, term(0)))), False),
    (-a * b, Region((Range("a", None, term(0)), at_least("b", 0))), False),
    (exp(a) * b, Region((real("a"), at_least("b", 0, above=True))), True),
    (sqrt(a) * at_most_zero(g), Region((at_least("a", 0),)), False),
    (a**2 + exp(b) - a * a, Region((real("a"), real("b"))), True),
    ((b - a) / (1 + a), Region((at_least("a", 0), at_least("b", a))), False),
    (log(a) ** 2 + 1, Region((at_least("a", 1),)), True),
    (1 / (1 + a), Region((at_least("a", 0),)), True),
    (-1 / (-1 - a), Region((at_least("a", 0),)), True),
    (a + b, Region((at_least("a", 1), at_least("b", -1))), False),
]
#: Eight symbols, and something with many terms in them.
EIGHT = [symbol(f"e{i}") for i in range(8)]
WIDE = 1 + sum(EIGHT[1:], EIGHT[0]) - 3 * EIGHT[0] * EIGHT[1]
ALL_ABOVE = Region(tuple(at_least(it.name, 0) for it in EIGHT))
SQUARE = "; it is a square: take square(), as a part of sign()"
UNIT, HALF = Region((between("a", 0, 1),)), Fraction(1, 2)
BOTH = Region((between("a", -1, 1), between("b", -1, 1)))
#: What is not decided, and what would help.
REMEDIES: list[tuple[Term, Region, bool, str]] = [
    (a**2, Region((between("a", -1, 1),)), False, f"not decided; it is from a >= 0 on{SQUARE}"),
    (a**2, Region((between("a", -1, 1),)), True, "it is false at a = 0"),
    # Of a range that is shorter than what its ends are moved by nothing is left.
    (
        (8 * a - 17) ** 2,
        Region((between("a", 2, Fraction(9, 4)),)),
        False,
        f"not decided{SQUARE}",
    ),
    (a**2 + 3 * b**4, BOTH, False, "not decided"),
    (a**2 + 3 * b**3, BOTH, False, "it is false at a = 1, b = -1"),
    (a**2 / (1 + b**2), BOTH, False, "not decided; it is from a >= 0 on"),
    ((a - b) ** 2 / (2 + a) ** 2, BOTH, False, f"not decided{SQUARE}"),
    ((a - b) ** 2 / (2 + a), BOTH, False, "not decided"),
    ((a - b) ** 2 * (2 + a), BOTH, False, "not decided"),
    (2 * a**2 - a**2 * b**2, BOTH, False, "not decided; it is from a >= 0 on"),
    (a**2 / (2 - b**2), BOTH, False, "not decided; it is from a >= 0 on"),
    (
        a**2 / (b**2 - 2),
        Region((between("a", -1, 1), between("b", 2, 3))),
        False,
        "not decided; it is from a >= 0 on",
    ),
    (
        a + 5 * b**2,
        Region((between("a", 0, 1), between("b", -1, 1))),
        False,
        "not decided; it is from b >= 0 on",
    ),
    (
        b + 5 * a**2,
        Region((between("b", 0, 1), between("a", -1, 1))),
        False,
        "not decided; it is from a >= 0 on",
    ),
    ((a - 5) * (a - 6), Region((between("a", 0, 10),)), False, "not decided; it is up to a <= 5"),
    (
        (5 - a) * (6 - a),
        Region((Range("a", None, term(7)),)),
        False,
        "not decided; it is up to a <= 5",
    ),
    (
        (a - 2) * (a - 3) * (9 - a),
        Region((between("a", 0, 9),)),
        False,
        "not decided; it is from a >= 3 on",
    ),
    ((a - HALF) ** 2 * (1 + a), UNIT, False, "not decided; it is from a >= 1/2 on"),
    ((a - HALF / 2) ** 2 * (1 + a), UNIT, True, "not decided; it is from a >= 1/2 on"),
    ((a - HALF / 3) ** 2 * (1 + a), UNIT, False, "not decided; it is from a >= 1/2 on"),
    (
        (a - HALF / 3) ** 2 * (1 + a),
        Region((between("a", 0, HALF),)),
        False,
        "it is from a >= 1/4 on",
    ),
    ((a - HALF - HALF / 3) ** 2 * (1 + a), UNIT, False, "not decided; it is up to a <= 1/2"),
    (
        (a - HALF - HALF / 3) ** 2 * (1 - a + b),
        Region((between("a", 0, 1), between("b", 0, 1))),
        False,
        "not decided; it is up to a <= 1/2",
    ),
    # An end that depends on another symbol, and a part of which nobody knows whether there is one.
    (
        (b - a - 1) ** 2 * (1 + b),
        Region((at_least("a", 0), between("b", a, a + 3))),
        False,
        "not decided; it is from b >= a + 1 on",
    ),
    (
        (b - 1) ** 2 * (1 + b),
        Region((at_least("a", 0), between("b", 0, a))),
        False,
        "not decided",
    ),
    # So many terms that no remedy is looked for.
    ((1 + a - b) ** 44, Region((real("a"), real("b"))), False, "not decided"),
    (WIDE**2 + 1, ALL_ABOVE, False, "not decided"),
]
A = symbol("A")
#: What is not false, though it looks so where less is looked at.
REMEDIES += [
    (
        b * (b - 1),
        Region((whole("a", 0), whole("b", 0))),
        False,
        "not decided; it is from b >= 1 on",
    ),
    (
        -A - 1,
        Region((at_least("A", 0), between("b", 0, A + exp(term(-1))))),
        False,
        "not decided",
    ),
    (exp(A) - A - 1, Region((at_least("A", 0),)), False, "not decided"),
    (
        a**2 - a * b + b**2,
        Region((at_least("a", 0), at_least("b", 0, above=True))),
        True,
        "not decided",
    ),
]
#: What is too large, how large it may become.
LARGE: list[tuple[Term, Region, bool, str]] = [
    (WIDE**14 + 1, ALL_ABOVE, False, "too large to be decided: up to 817190 terms; split it"),
    (
        1 + (1 + a + b + c) ** 19,
        Region((real("a"), real("b"), real("c"))),
        False,
        "up to 20020 terms; split it",
    ),
    (1 / (1 + a) ** 250, Region((at_least("a", 1),)), False, "up to 31626 terms; split it"),
    (1 / a**20_000, Region((at_least("a", 1),)), False, "up to 20001 terms; split it"),
    (
        exp(a) ** 150 * exp(b) ** 150,
        Region((at_least("a", 0, above=True), at_least("b", 0, above=True))),
        False,
        "up to 22801 terms; split it",
    ),
    (a**20_000, Region((at_least("a", 1),)), False, "up to 20001 terms; split it"),
    (a**20_000, Region((Range("a", None, term(1)),)), False, "up to 20001 terms; split it"),
    (a**200 * b**100, Region((at_least("a", 1), at_least("b", 1))), False, "; split it"),
]
#: What has too many terms by itself.
LARGE_FORMS: list[tuple[Term, str]] = [
    ((1 + a + b) ** 400, "up to 80601 terms"),
    (1 / (1 + a + b) ** 400, "up to 80601 terms"),
    ((1 + a + b) ** -400, "up to 80601 terms"),
    ((1 + a + b) ** 100 * (1 + a - b) ** 100, "up to 20301 terms"),
    (term(2) ** 10**9, "numbers of up to 2000000000 bits"),
    ((a / 2) ** 10**9, "numbers of up to 2000000000 bits"),
]
RANGES: list[tuple[Range, str]] = [
    (real("a"), "a real"),
    (whole("a", 1), "whole a >= 1"),
    (whole("a", 1, b), "whole 1 <= a <= b"),
    (at_least("a", 1, above=True), "a > 1"),
    (between("a", 0, b + 1, "(]"), "0 < a <= b + 1"),
    (between("a", 0, 1, "[)"), "0 <= a < 1"),
]
#: Ranges that make no region, and what is said.
NO_REGIONS: list[tuple[tuple[Range, ...], str]] = [
    ((real("a"), real("a")), "a: has a range already"),
    ((at_least("b", a), real("a")), "a has no range before it"),
    ((at_least("a", a),), "a has no range before it"),
    ((between("a", 0, b),), "b has no range before it"),
    ((real("b"), between("a", expectation(coordinate("g", c)), b)), "c has no range before it"),
]
REGION = Region((real("b"), between("a", 0, b, "()"), at_least("c", a)))


def signed(what: Term, region: Region, strict: bool) -> str:
    """That a sign is decided, by both functions that do so."""
    require_sign(what, region, strict=strict)
    return str(decided_sign(what, region, strict=strict))


def rated(name: str) -> None:
    """A sign on which something depends, which is told."""
    require_sign(symbol(name), Region((real(name),)), said="the rate")


REFUSED: Refusals = [
    ("x: nothing is between 2 and 1", lambda: Range("x", term(2), term(1))),
    *(
        (f".*{re.escape(said)}", partial(signed, what, region, strict))
        for what, region, strict, said in UNDECIDED
    ),
    *((f".*{re.escape(said)}", partial(Region, ranges)) for ranges, said in NO_REGIONS),
    *(("ends: ", partial(between, "a", 0, 1, wrong)) for wrong in ("", "[", "[[]", "]]", "[[")),
    ("q has no range", lambda: REGION.ending("q", lower=term(1))),
    (".*c has no range before it", lambda: REGION.ending("a", upper=c)),
    (".*b has no range before it", lambda: REGION.without("b")),
    (
        ".*not decided$",
        partial(signed, (a - 101) ** 2 * (1 + a), Region((at_least("a", 0),)), False),
    ),
    *(
        (f".*{re.escape(said)}$", partial(signed, what, region, strict))
        for what, region, strict, said in (*REMEDIES, *LARGE)
    ),
    *(
        (f"too large to be decided: {re.escape(said)}; split it$", partial(normal, one))
        for one, said in LARGE_FORMS
    ),
    ("-1 >= 0: it is false$", partial(signed, term(-1), Region(), False)),
    ("why: 0 > 0: it is false$", partial(require_sign, term(0), Region(), strict=True, said="why")),
    (".*not decided$", partial(signed, *_sum_of(7))),
    (".*has a range already", lambda: REGION.also(real("a"))),
    ("the rate: a >= 0 for a real: it is false at a = -", partial(rated, "a")),
    (r".*it has a pole there$", partial(signed, 1 / (1 - a), Region((between("a", 0, 1),)), False)),
    (r".*false at a = 1$", partial(signed, a - Fraction(3, 2), Region((whole("a", 1),)), False)),
    ("a: Term.*is no end of a range; take a term, not random", lambda: Range("a", g)),
    ("a: 1 is no end of a range", lambda: Range("a", 1)),  # type: ignore[arg-type]
    ("a: 2 is no end of a range", lambda: Range("a", None, 2)),  # type: ignore[arg-type]
    ("a: Term.*is no end of a range; take a term, not random", lambda: Range("a", None, g)),
    ("ranges: Range.* is one range; write", lambda: Region(real("x"))),  # type: ignore[arg-type]
    ("ranges: .* has something else", lambda: Region((a,))),  # type: ignore[arg-type]
]

HOLDS: Conclusions = [
    (lambda: decided_sign(a, Region()), "False"),
    (lambda: decided_sign(term(0), Region()), "True"),
    (lambda: identity(a * a**-1, term(1), NEGATIVE), "for a < 0: a * a^(-1) = 1"),
    *((partial(signed, *case), "True") for case in DECIDED),
    *((partial(decided_sign, *case[:2], strict=case[2]), "False") for case in UNDECIDED),
    *((partial(str, own), text) for own, text in RANGES),
    (lambda: REGION.ending("a", lower=term(1)), "b real, 1 <= a < b, c >= a"),
    (lambda: REGION.ending("a", upper=b + 1), "b real, 0 < a <= b + 1, c >= a"),
    (lambda: REGION.without("c"), "b real, 0 < a < b"),
    (lambda: REGION.also(whole("q", 1)), "c >= a, whole q >= 1"),
    (lambda: sorted(REGION.names), "['a', 'b', 'c']"),
    (lambda: (REGION.range("c"), REGION.range("q")), ", None)"),
]
