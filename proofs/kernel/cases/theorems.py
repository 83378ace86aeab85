"""Cases of theorems: where a term is defined or whole, and where a theorem holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from inspect import signature
from typing import Any

from proofs.kernel.algebra import (
    assume,
    chain,
    exp_of_sum,
    exponential,
    identity,
    instantiate,
    restate,
    sign,
    square,
    times,
    weaken,
)
from proofs.kernel.cases import Conclusions, Refusals
from proofs.kernel.definedness import is_whole, require_defined
from proofs.kernel.probability import independent, markov
from proofs.kernel.regions import Range, Region, at_least, between, real, whole
from proofs.kernel.series import coordinate_mgf, log_series
from proofs.kernel.terms import (
    Term,
    at_most_zero,
    coordinate,
    copies,
    expectation,
    log,
    modulus,
    power,
    random,
    sqrt,
    symbols,
    term,
)
from proofs.kernel.theorem import (
    Compare,
    OfDegree,
    SameLaw,
    Statement,
    Theorem,
    comparison,
    require_inside,
)

d, m, n, x, y = symbols("d m n x y")
g, h = (coordinate(name, d) for name in "gh")
LINE = Region((real("x"), real("y")))
SIZES = Region((whole("d", 1),))
SPACE = LINE.also(real("z"))

SAME: list[tuple[Statement, Statement, bool]] = [
    (Compare(x, "<=", y), Compare(x + 0, "<=", y * 1), True),
    (Compare(x, "<=", y), Compare(x, "<", y), False),
    (Compare(x, "<=", y), Compare(-y, "<=", -x), False),
    (Compare(x, "=", y), SameLaw(x, y), False),
    (SameLaw(x, y), Compare(x, "=", y), False),
    (SameLaw(g + x, h), SameLaw(h + x, g), True),
    (SameLaw(g, h), SameLaw(g, -h), False),
    (SameLaw(g + h, g), SameLaw(g + g, g), False),
]
WHOLE = Region((whole("m", 1), whole("n", m), real("x"), between("y", 0, 1)))

WHOLE_OR_NOT: list[tuple[Term, bool]] = [
    (term(3), True),
    (m * n - 2, True),
    ((m + n) ** 2 - m * n, True),
    (x, False),
    (m / n, False),
    (m / 2, False),
    (m * (m - 1) / 2, False),
    (m + y, False),
    (m + x - x, True),
    (sqrt(m), False),
    (sqrt(term(2)), False),
    (sqrt(term(2)) * m, False),
    (log(m), False),
    (expectation(coordinate("g", m)), False),
    (d, False),
]
DEFINED: list[tuple[Term, Region]] = [
    (1 / x, Region((at_least("x", 1),))),
    (1 / (x - 2), Region((between("x", 0, 1),))),
    (x**-2, Region((at_least("x", 0, above=True),))),
    (log(x), Region((at_least("x", 0, above=True),))),
    (sqrt(x), Region((at_least("x", 0),))),
    (expectation(g * (1 / x)) + g, Region((at_least("x", 1), whole("d", 1)))),
    ((1 + x**2) ** -1, Region((real("x"),))),
    (power(x, n), LINE.also(whole("n", 0))),
    (coordinate("g", n), Region((whole("n", 1),))),
    (copies("S", n, term(1)), Region((whole("n", 0),))),
    (1 / (1 - x), Region((at_least("x", 2),))),
    (1 / (2 + g), Region((whole("d", 1),))),
    (log(2 - g) + sqrt(1 + g), Region((whole("d", 1),))),
    (random("X") + 1, Region()),
]
UNDEFINED: list[tuple[Term, Region, str]] = [
    (1 / x, Region((real("x"),)), "1/x is defined"),
    (x / x, Region((at_least("x", 0),)), "x/x is defined"),
    (0 / x, Region((at_least("x", 0),)), "0/x is defined"),
    (0 * (1 / x), Region((at_least("x", 0),)), "1/x is defined"),
    (1 / x - 1 / x, Region((at_least("x", 0),)), "1/x is defined"),
    (x**-1, Region((at_least("x", 0),)), r"x\^\(-1\) is defined"),
    (x**-1 * x, Region((real("x"),)), r"x\^\(-1\) is defined"),
    (log(x), Region((at_least("x", 0),)), r"log\(x\) is defined"),
    (log(x) - log(x), Region((real("x"),)), r"log\(x\) is defined"),
    (sqrt(x), Region((real("x"),)), r"sqrt\(x\) is defined"),
    (sqrt(x) ** 2, Region((at_least("x", -1),)), r"sqrt\(x\) is defined"),
    (expectation(log(x) * g), Region((real("x"), whole("d", 1))), r"log\(x\) is defined"),
    (copies("S", n, g * (1 / x)), LINE.also(whole("d", 1), whole("n", 1)), "1/x is defined"),
    (1 / g, Region((whole("d", 1),)), "1/value_0 is defined"),
    (g**-1, Region((whole("d", 1),)), r"value_0\^\(-1\) is defined"),
    (log(g), Region((whole("d", 1),)), r"log\(value_0\) is defined"),
    (sqrt(g), Region((whole("d", 1),)), r"sqrt\(value_0\) is defined"),
    (expectation(sqrt(g)), Region((whole("d", 1),)), r"sqrt\(value_0\) is defined"),
    (1 / (term(0) * x), Region((real("x"),)), "is defined"),
    (power(x, n - 1), LINE.also(whole("n", 0)), "the exponent of .*: n - 1 - 0 >= 0"),
    (power(x, y), LINE, "the exponent of .*: y is not known to be whole"),
    (power(1 / x, n), LINE.also(whole("n", 0)), "1/x is defined"),
    (coordinate("g", n), Region((whole("n", 0),)), "the dimension of g: n - 1 >= 0"),
    (copies("S", n, term(1)), Region((whole("n", -1),)), "the number of copies .*: n - 0 >= 0"),
    (copies("S", 1, random("X")), Region(), "nothing is known of the size of X"),
    (1 / (g + random("X")), Region((whole("d", 1),)), "nothing is known of the values of X"),
    (sqrt(x**3), Region((real("x"),)), r"sqrt\(x\^3\) is defined"),
    (sqrt(random("X")), Region(), "nothing is known of the values of X"),
    (modulus(1 / x), Region((real("x"),)), "1/x is defined"),
]
LOW = Range("y", None, term(0))
INSIDE = assume(Compare(x, "<=", x + m), Region((whole("m", 1), LOW, between("x", y, m, "(]"))))

#: Values with which INSIDE holds on a region.
WITHIN: list[tuple[dict[str, Term], Region]] = [
    ({}, INSIDE.region),
    ({}, Region((LOW, whole("m", 2), between("x", y + 1, m - 1)))),
    ({"x": term(2), "y": term(0), "m": term(2)}, Region()),
    ({"x": m, "y": 1 - m}, Region((whole("m", 3),))),
]
#: And with which it does not.
WITHOUT: list[tuple[dict[str, Term], Region, str]] = [
    ({}, Region((whole("m", 1), LOW)), "x in x has no range"),
    ({}, Region((whole("m", 0), LOW, between("x", y, m, "(]"))), "range whole m >= 1"),
    ({}, Region((at_least("m", 1), LOW, between("x", y, m, "(]"))), "m is not known"),
    ({}, Region((whole("m", 1), LOW, between("x", y, m))), "range y < x <= m"),
    ({}, Region((whole("m", 1), LOW, between("x", y, m + 1, "(]"))), "y < x <= m"),
    ({}, Region((whole("m", 1), LOW, at_least("x", y, above=True))), "y < x <= m"),
    ({"x": term(0), "y": term(0)}, Region((whole("m", 1),)), "y < x <= m"),
    ({"m": term(1) / 2}, INSIDE.region, "whole m >= 1"),
    ({"m": m + term(1) / 2}, INSIDE.region, "is not known to be whole"),
    ({"m": m - 1}, INSIDE.region, "whole m >= 1"),
]
KNOWN = tuple(assume(one, LINE) for one in (Compare(term(0), "<=", x), Compare(x, "<", term(1))))
_POLE = 1 / (x - x)
WEAK = assume(Compare(x, "<=", term(1)), LINE)
ELSEWHERE = sign(Compare(x, "<", term(1)), Region((between("x", 0, 1, "[)"),)))


def _known(*facts: Theorem) -> None:
    require_inside(LINE, log_series(), None, facts)


NOT_BELOW = sign(Compare(term(0), "<=", x), Region((at_least("x", 0),)))
_SUPPOSING = (square(x, LINE), Compare(term(0), "<=", x**2), LINE)
#: What is no term, and what is said of it.
NO_TERMS: list[tuple[Any, str]] = [
    (1, r"1 is no Term; write term\(1\)"),
    (Fraction(1, 2), r"Fraction\(1, 2\) is no Term; write term\(1/2\)"),
    ("x", "'x' is no Term"),
]
EQUAL = assume(Compare(x, "<=", x), LINE)
GIVEN = assume(Compare(x, "<=", y), LINE)


@dataclass(frozen=True, repr=False)
class _Elsewhere(Region):
    """A region of another kind, which could say what it likes of its ranges."""


@dataclass(frozen=True)
class _Unlike(Compare):
    """A comparison of another kind."""


def _forged(one: Theorem) -> Theorem:
    """What says what a theorem says, and was made by no rule."""
    made: Theorem = object.__new__(Theorem)
    for name in ("statement", "region", "hypotheses", "rule", "uses", "trust"):
        object.__setattr__(made, name, getattr(one, name))
    return made


def _changed(name: str, value: object) -> Theorem:
    """What a rule made, and what was changed since."""
    made = assume(Compare(x, "<=", y), LINE)
    object.__setattr__(made, name, value)
    return made


#: From a theorem to a part of it, the name of what is set there, and to what.
CHANGES: list[tuple[Callable[[Theorem], object], str, object]] = [
    (lambda one: one.statement, "left", x + 2),
    (lambda one: one.statement, "right", x),
    (lambda one: one.statement, "relation", "<"),
    (lambda one: one.statement, "relation", "~"),
    (lambda one: one.left, "arguments", (x, y)),
    (lambda one: one.left, "arguments", [x, x]),
    (lambda one: one.left, "head", "-"),
    (lambda one: one.left.arguments[0], "name", "z"),
    (lambda one: one.left.arguments[1], "value", Fraction(5)),
    (lambda one: one.left.arguments[1].value, "_numerator", -2),
    (lambda one: one.left.arguments[1].value, "_denominator", 2),
    (lambda one: one.region, "ranges", (real("x"),)),
    (lambda one: one.region, "ranges", "xy"),
    (lambda one: one.region, "ranges", 5),
    (lambda one: one.statement, "__class__", SameLaw),
    (lambda one: one, "region", LINE),
    (lambda one: one, "uses", ()),
    (lambda one: one, "rule", "identity"),
    (lambda one: one, "choices", ()),
    (lambda one: one.region.ranges[0], "name", "z"),
    (lambda one: one.region.ranges[0], "lower", term(-1)),
    (lambda one: one.region.ranges[0].lower, "value", Fraction(3)),
    (lambda one: one.region.ranges[0], "upper", term(3)),
    (lambda one: one.region.ranges[0], "open_below", True),
    (lambda one: one.region.ranges[1], "open_above", True),
    (lambda one: one.region.ranges[1], "whole", True),
    (lambda one: one.hypotheses[0], "left", x - 7),
    (lambda one: one.hypotheses[-1].right, "name", "x"),
    (lambda one: one.choices[-1], "value", Fraction(7)),
]


def _changed_within(part: Callable[[Theorem], object], name: str, value: object) -> Theorem:
    """What a rule made, and of which a part was changed since; its parts are its own."""
    (own,) = symbols("x")
    statement, given = Compare(own + -1, "<=", symbols("y")[0]), Compare(x, "<=", symbols("y")[0])
    region = Region((at_least("x", 0), real("y")))
    made = sign(statement, region, (term(1), assume(given, region)))
    object.__setattr__(part(made), name, value)
    return made


def _without(name: str, part: Callable[[Theorem], object]) -> Theorem:
    """What a rule made, and of which something is gone."""
    made = assume(Compare(symbols("x")[0], "<=", y), LINE)
    object.__delattr__(part(made), name)
    return exponential(made)


def _with_other_trust() -> Theorem:
    """What rests on a citation that says something else by now; then that is set right again."""
    theorem = markov(g, 1, SIZES)
    (cited,) = theorem.trust
    before = cited.statement
    object.__setattr__(cited, "statement", "whatever one likes")
    try:
        return restate(theorem, theorem.statement)
    finally:
        object.__setattr__(cited, "statement", before)


def _aged(one: Term, name: str, value: object) -> Term:
    """A term that was changed after its normal form was known."""
    identity(one, one, LINE)
    object.__setattr__(one, name, value)
    return one


def _own() -> Term:
    return _aged(symbols("x")[0], "name", "y")


def _number() -> Term:
    """-1 and -2 have one hash."""
    return _aged(term(-1), "value", Fraction(-2))


def _reversed() -> Region:
    """A region in which an end names a symbol that ranges after it."""
    region = Region((real("y"), at_least("x", y)))
    object.__setattr__(region, "ranges", region.ranges[::-1])
    return region


def _related() -> Compare:
    statement = Compare(x, "<=", y)
    object.__setattr__(statement, "relation", "~")
    return statement


_NOTHING: Theorem = object.__new__(Theorem)
#: What is changed before a rule is given it, and what is said of it.
AGED = "a term of the head '{}' was changed since it was made; make it anew"
BEFORE: list[tuple[str, Callable[[], object]]] = [
    (AGED.format("symbol"), lambda: identity(_own(), x, LINE)),
    (AGED.format("number"), lambda: identity(_number(), term(-1), LINE)),
    (AGED.format("symbol"), lambda: identity(x, 1 + _own() - 1, LINE)),
    (AGED.format("symbol"), lambda: instantiate(GIVEN, {"x": _own()}, LINE)),
    (
        AGED.format("symbol"),
        lambda: instantiate(restate(GIVEN, GIVEN.statement, SPACE), {"x": x, "z": _own()}, LINE),
    ),
    (r"Theorem\(of nothing\) is no theorem", partial(_without, "left", lambda one: one.statement)),
    (r"Theorem\(of nothing\) is no theorem", partial(_without, "statement", lambda one: one)),
    (r".* is no theorem: no rule made it", partial(_without, "choices", lambda one: one)),
    (AGED.format("symbol"), lambda: sign(Compare(x, "<=", y), LINE, (1, GIVEN), (_own(), GIVEN))),
    (AGED.format("symbol"), lambda: assume(Compare(x, "<=", _own()), LINE)),
    (AGED.format("number"), lambda: square(x, Region((real("y"), at_least("x", _number()))))),
    (
        AGED.format("symbol"),
        lambda: weaken(GIVEN, GIVEN.statement, LINE, (*GIVEN.hypotheses, Compare(_own(), "<=", y))),
    ),
    (
        AGED.format("symbol"),
        lambda: weaken(*_SUPPOSING, iter((Compare(_own(), "<=", y),))),  # type: ignore[arg-type]
    ),
    (AGED.format("nothing"), lambda: square(object.__new__(Term), LINE)),
    (AGED.format(r"\+"), lambda: square(_aged(x + 1, "arguments", [x, x]), LINE)),
    ("x >= y: y has no range before it", lambda: square(x, _reversed())),
    ("relation: '~' is none of", lambda: assume(_related(), LINE)),
    *(
        (r"Theorem\(of nothing\) is no theorem: no rule made it", made)
        for made in (
            lambda: chain(_NOTHING, GIVEN),
            lambda: chain(GIVEN, _NOTHING),
            lambda: sign(Compare(x, "<=", y), LINE, (1, GIVEN), (0, _NOTHING)),
            lambda: instantiate(GIVEN, {}, LINE, GIVEN, _NOTHING),
        )
    ),
]


def _turned() -> Theorem:
    return assume(Compare(y, "<=", x + 0), LINE)


def _used(make: Callable[..., Theorem], *values: object) -> Theorem:
    return exponential(make(*values))


def _kept_once() -> Theorem:
    """Three hypotheses of which the last is the first one."""
    return chain(chain(GIVEN, _turned()), assume(Compare(x + 0, "<=", y + 0), LINE))


def _tail() -> Theorem:
    """With two citations, and in whose tree one theorem stands twice."""
    region = Region((whole("d", 1), at_least("x", 0)))
    factor = instantiate(coordinate_mgf(), {"r": -x}, region)
    return chain(markov(g, x, region), independent(-(x * g), x**2 / (2 * d), region, factor))


REFUSED: Refusals = [
    *((f".*{said}", partial(require_defined, what, region)) for what, region, said in UNDEFINED),
    *(
        (f".*{said}", partial(require_inside, region, INSIDE, values))
        for values, region, said in WITHOUT
    ),
    ("the range 0 <= x < 1", lambda: _known(KNOWN[0])),
    ("the range 0 <= x < 1", lambda: _known(KNOWN[1])),
    ("the range 0 <= x < 1", lambda: _known(KNOWN[0], WEAK)),
    ("the range 0 <= x < 1", lambda: _known(KNOWN[0], ELSEWHERE)),
    ("the range x >= 0", lambda: _known(NOT_BELOW, KNOWN[1])),
    (".* is no theorem: no rule made it", lambda: chain(_forged(GIVEN), _turned())),
    (".* is no theorem: no rule made it", lambda: chain(GIVEN, _forged(_turned()))),
    *(
        (".* is no theorem: no rule made it", partial(_used, _changed, name, value))
        for name, value in (("statement", Compare(y, "<=", x)), ("trust", frozenset("x")))
    ),
    *(
        (
            ".* is no theorem: no rule made it, or it was changed",
            partial(_used, _changed_within, *it),
        )
        for it in CHANGES
    ),
    (".* is no theorem: no rule made it, or it was changed", _with_other_trust),
    *BEFORE,
    (
        "times: factor: '2' is no Term or int or Fraction$",
        lambda: times(GIVEN, "2"),  # type: ignore[arg-type]
    ),
    *((f"exp_of_sum: first: {said}$", partial(exp_of_sum, one, x, LINE)) for one, said in NO_TERMS),
    (".* is no region", lambda: assume(Compare(x, "<=", y), _Elsewhere(LINE.ranges))),
    (".* is no statement", lambda: assume(_Unlike(x, "<=", y), LINE)),
    (".* no comparison is supposed", lambda: weaken(*_SUPPOSING, (_Unlike(x, "<=", y),))),
    (".* no comparison is supposed", lambda: weaken(*_SUPPOSING, (SameLaw(x, x),))),  # type: ignore[arg-type]
    *(
        ("relation: .* none of <= < =", partial(Compare, x, relation, y))
        for relation in ("", ">=", "==", "!=", ">")
    ),
    ("identity: y in y has no range", lambda: identity(y, y, Region((real("x"),)))),
    (
        "weaken: n in n has no range",
        lambda: weaken(GIVEN, GIVEN.statement, LINE, (*GIVEN.hypotheses, Compare(n, "<=", y))),
    ),
    (
        "assume: the hypothesis g <= x is random",
        lambda: assume(Compare(g, "<=", x), LINE.also(whole("d", 1))),
    ),
    ("0 <= x is no comparison by < or =", lambda: comparison(KNOWN[0], "<", "=")),
    *(
        (r"square: log\(-1\) is defined", partial(square, x, Region((one,))))
        for one in (at_least("x", log(term(-1))), Range("x", None, log(term(-1))))
    ),
    (
        "assume: g is the name of two variables",
        lambda: assume(Compare(at_most_zero(g + coordinate("g", 7)), "<=", term(1)), SIZES),
    ),
    (r".* both sides are terms; write term\(1\)$", lambda: Compare(1, "<=", x)),  # type: ignore[arg-type]
    (r".* both sides are terms; write term\(2\)$", lambda: Compare(x, "<=", 2)),  # type: ignore[arg-type]
    (r".* both sides are terms$", lambda: Compare("x", "<=", x)),  # type: ignore[arg-type]
    (".* both sides are terms", lambda: SameLaw(x, 1)),  # type: ignore[arg-type]
    (".* both sides are terms", lambda: OfDegree(1, x)),  # type: ignore[arg-type]
    ("independent: .*the denominator is zero|independent: ", lambda: independent(_POLE, x, LINE)),
    ("a theorem is made by a rule", lambda: Theorem()),
    ("weaken: theorem: 3 is no Theorem$", lambda: weaken(3, GIVEN.statement, LINE)),  # type: ignore[arg-type]
]

HOLDS: Conclusions = [
    (lambda: repr(_NOTHING), "Theorem(of nothing)"),
    *((partial(one.same, other), str(expected)) for one, other, expected in SAME),
    *((partial(is_whole, value, WHOLE), str(expected)) for value, expected in WHOLE_OR_NOT),
    *((partial(require_defined, what, region), "None") for what, region in DEFINED),
    *((partial(require_inside, region, INSIDE, values), "None") for values, region in WITHIN),
    (lambda: _known(*KNOWN), "None"),
    # Only the rule is to be had, not what it is made of; and help() says what it takes and gives.
    (lambda: hasattr(square, "__wrapped__"), "False"),
    (lambda: signature(square), "(one: 'Term', region: 'Region') -> 'Theorem'"),
    (lambda: repr(square(x, LINE).legend), "''"),
    (
        lambda: repr(square(expectation(h - g), SIZES).legend),
        "'g a coordinate of a uniform unit vector of R^(d), "
        "h a coordinate of a uniform unit vector of R^(d)'",
    ),
    (lambda: comparison(KNOWN[0], "<="), "0 <= x"),
    (lambda: _kept_once().hypotheses, "relation='<='"),
    (lambda: _kept_once(), "for x real, y real: if x <= y and y <= x + 0, x <= y + 0"),
    (lambda: len(list(chain(GIVEN, _turned()).tree())), "3"),
    (lambda: [it.rule for it in chain(EQUAL, EQUAL).tree()], "['assume', 'chain']"),
    (lambda: [one.rule for one in _tail().tree()], "['markov', 'coordinate_mgf', 'instantiate', "),
    (lambda: repr(str(sign(Compare(term(0), "<=", term(1)), Region()))), "'0 <= 1'"),
    (lambda: sorted(map(str, _tail().trust)), "inequality\", 'law of the coordinates"),
]
