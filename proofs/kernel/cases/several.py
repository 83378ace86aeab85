"""Cases of several at once: of three hypotheses, facts, parts, ranges or variables each one counts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any, TypeVar

from proofs.kernel.algebra import (
    assume,
    by_cases,
    chain,
    discharge,
    identity,
    induction,
    instantiate,
    restate,
    sign,
    square,
    weaken,
)
from proofs.kernel.cases import Conclusions, Refusals, told
from proofs.kernel.cases.probability import certain
from proofs.kernel.definedness import is_whole
from proofs.kernel.goals import Goal, beyond
from proofs.kernel.intervals import infimum
from proofs.kernel.laws import margin_law
from proofs.kernel.normal import as_term, normal
from proofs.kernel.norms import norms_grow
from proofs.kernel.probability import first_moment, inclusion, independent, markov, mixture
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
from proofs.kernel.series import coordinate_mgf
from proofs.kernel.terms import (
    Term,
    coordinate,
    copies,
    exp,
    expectation,
    inf,
    log,
    random,
    symbols,
    term,
)
from proofs.kernel.theorem import (
    Compare,
    Concluded,
    Theorem,
    _concluded,
    require_inside,
)
from proofs.memories.linear import definition

_T = TypeVar("_T")

d, n, q, s = symbols("d n q s")
NAMES = ("x", "y", "z")
SIZES = symbols("x y z")
x, y, z = SIZES
LOWER = symbols("u v w")
SPACE = Region(tuple(map(real, NAMES)))
ABOVE = Region(tuple(at_least(name, 0) for name in NAMES))
ALL = SPACE.also(*(real(one.name) for one in LOWER))
LAW = margin_law(definition(), inside=True)
#: What is no theorem.
WRONG: Any = 3
WIDE = LAW.region.also(*SPACE.ranges)
PLACES = range(3)
#: Three in three orders: each comes first once, and each last.
ORDERS = ((0, 1, 2), (1, 2, 0), (2, 0, 1))


def but(several: Sequence[_T], place: int) -> tuple[_T, ...]:
    """All but one."""
    return (*several[:place], *several[place + 1 :])


def put(several: Sequence[_T], place: int, other: _T) -> tuple[_T, ...]:
    """All, with another one in a place."""
    return (*several[:place], other, *several[place + 1 :])


def added(several: Sequence[_T], place: int, other: _T) -> tuple[_T, ...]:
    """All, and one more before a place."""
    return (*several[:place], other, *several[place:])


def ordered(several: Sequence[_T], order: Sequence[int]) -> tuple[_T, ...]:
    """The same in another order."""
    return tuple(several[i] for i in order)


def product(several: Sequence[Term]) -> Term:
    """Of three."""
    a, b, c = several
    return a * b * c


def positive(one: Term) -> Compare:
    """0 <= one."""
    return Compare(term(0), "<=", one)


def under(statement: Compare, region: Region, *given: Compare) -> Theorem:
    """A statement under what is given, in that order, and under itself if it is among this."""
    parts = [(int(one == statement), assume(one, region)) for one in given]
    return sign(statement, region, *parts)


def forged(one: Theorem) -> Theorem:
    """What says what a theorem says, and was made by no rule."""
    made: Theorem = object.__new__(Theorem)
    for name in ("statement", "region", "hypotheses", "rule", "uses", "trust", "choices"):
        object.__setattr__(made, name, getattr(one, name))
    return made


def all_of(*given: Compare) -> str:
    """How hypotheses are printed."""
    return f"if {' and '.join(map(str, given))}, "


# -- hypotheses, facts and parts ------------------------------------------------------------------

HYPOTHESES = tuple(map(positive, SIZES))
SUPPOSED = tuple(assume(one, SPACE) for one in HYPOTHESES)
TOTAL = positive(x + y + z)
#: What follows from all three, and the same where it holds by the ranges.
SUM = sign(TOTAL, SPACE, *((1, one) for one in SUPPOSED))
BY_RANGES = sign(TOTAL, ABOVE)
#: 0 <= x, or y, or z, where it holds by the range.
THERE = tuple(
    sign(one, Region(put(SPACE.ranges, i, ABOVE.ranges[i]))) for i, one in enumerate(HYPOTHESES)
)
#: 1 <= x, 1 <= y, 1 <= z.
FROM_ONE = tuple(Compare(term(1), "<=", one) for one in SIZES)


def parts(place: int, by: Any = 1, theorem: Any = None) -> tuple[Any, ...]:
    """The parts of the sum, one of them with another multiplier or theorem."""
    own = (by, SUPPOSED[place] if theorem is None else theorem)
    return put([(1, one) for one in SUPPOSED], place, own)


def less(place: int) -> Compare:
    """0 <= x + y + z with a minus before one of them."""
    signs = [-1 if i == place else 1 for i in PLACES]
    return positive(signs[0] * x + signs[1] * y + signs[2] * z)


#: The sum less parts of what is known anyhow.
CHOSEN = tuple((Fraction(1, i + 2), one) for i, one in enumerate(THERE))
#: u <= x, v <= y, w <= z: of what holds where u, v and w are not below 0 three hypotheses.
BELOW = tuple(Compare(low, "<=", high) for low, high in zip(LOWER, SIZES, strict=True))
WITHIN = SPACE.also(*(at_least(one.name, 0) for one in LOWER))
BOUNDED = sign(positive(sum(LOWER, term(0))), WITHIN, *((0, assume(it, WITHIN)) for it in BELOW))
VALUES = {low.name: high for low, high in zip(LOWER, SIZES, strict=True)}
#: The hypotheses with these values.
VALUED = tuple(Compare(one, "<=", one) for one in SIZES)


def known(place: int, *given: Compare) -> list[Theorem]:
    """0 <= x, 0 <= y, 0 <= z, each supposed, one of them with more that is given."""
    own = [(one,) for one in HYPOTHESES]
    return [under(one, ALL, *(given if i == place else own[i])) for i, one in enumerate(HYPOTHESES)]


def instantiated(place: int, order: Sequence[int], own: int) -> str:
    """Under which hypotheses it holds with values, one fact having all three of the theorem's too."""
    given = added(ordered(BELOW, order), own, HYPOTHESES[place])
    found = instantiate(BOUNDED, VALUES, ALL, *known(place, *given))
    expected = {*VALUED, *HYPOTHESES, *BELOW}
    return str(set(found.hypotheses) == expected and len(found.hypotheses) == len(expected))


def each_with_its_own() -> str:
    """The same where each fact has one of the hypotheses of the theorem."""
    facts = [under(a, ALL, b, a) for a, b in zip(HYPOTHESES, BELOW, strict=True)]
    found = instantiate(BOUNDED, VALUES, ALL, *facts)
    return str(set(found.hypotheses) == {*VALUED, *HYPOTHESES, *BELOW})


def left_of(*facts: Theorem) -> str:
    """The hypotheses that are left of the sum."""
    return str([str(one) for one in discharge(SUM, *facts).hypotheses])


#: 0 <= x if 1 <= x, and so on.
THOSE_FROM_ONE = [
    sign(one, SPACE, (1, assume(given, SPACE)))
    for one, given in zip(HYPOTHESES, FROM_ONE, strict=True)
]


def one_needs_all(place: int, order: Sequence[int]) -> tuple[Theorem, ...]:
    """Facts of which one needs all three, the others 1 <= y and the like."""
    return put(THOSE_FROM_ONE, place, under(HYPOTHESES[place], SPACE, *ordered(HYPOTHESES, order)))


def left_then(place: int, order: Sequence[int]) -> str:
    """What is left of the sum by these."""
    given = put([(one,) for one in FROM_ONE], place, ordered(HYPOTHESES, order))
    return str([str(one) for own in given for one in own])


NUMBERS = Region((whole("n", 0), *SPACE.ranges))
#: 1 <= 0, which is its own next.
NOTHING = Compare(term(1), "<=", term(0))
#: Two hypotheses that are not on n, and one that is.
ON_N = (*HYPOTHESES[:2], Compare(n, "<=", x))


GIVEN = (NOTHING, *HYPOTHESES[:2])
ITS_OWN_NEXT = assume(NOTHING, NUMBERS)


def first(order: Sequence[int]) -> Theorem:
    """1 <= 0 under itself and two others."""
    return under(NOTHING, SPACE, *ordered(GIVEN, order))


def step(place: int, *others: Compare, region: Region = NUMBERS) -> Theorem:
    """0 <= n + 1 if 0 <= n, in a place among others."""
    found = [(0, assume(one, region)) for one in others]
    own = (1, assume(positive(n), region))
    return sign(positive(n + 1), region, *added(found, place, own))


ZERO = sign(positive(term(0)), Region())
RUNS = between("s", 0, 1, "()")
CUBE = SPACE.also(RUNS)


def infimum_under(*given: Compare) -> Theorem:
    """0 <= the infimum of exp(s)."""
    return infimum(under(positive(exp(s)), CUBE, *given), "s")


def moved(place: int, end: Term) -> tuple[Range, ...]:
    """Three ranges, of which one begins somewhere else."""
    return put(SPACE.ranges, place, at_least(NAMES[place], end))


def joined(place: int, other: int | None = None) -> Theorem:
    """A square where a symbol is at most 0, and at least 0; there another one may range otherwise."""
    low, high = put(SPACE.ranges, place, Range(NAMES[place], None, term(0))), moved(place, term(0))
    if other is not None:
        high = put(high, other, at_least(NAMES[other], 0))
    return by_cases(NAMES[place], square(x, Region(low)), square(x, Region(high)))


class _Alike(Compare):
    """A comparison of another kind."""


#: What is no hypothesis, and what is said of it.
NO_HYPOTHESES: list[tuple[Any, str]] = [
    (_Alike(term(0), "<=", term(1)), ".* no comparison is supposed"),
    (positive(coordinate("g", d)), "weaken: the hypothesis 0 <= g is random"),
    (positive(s), "weaken: s in s has no range"),
    (
        positive(expectation(coordinate("g", d) * coordinate("g", 7))),
        "weaken: g is the name of two variables",
    ),
]

# -- variables ------------------------------------------------------------------------------------

DRAWN = Region((whole("d", 1), *SPACE.ranges))
g, h, t = VARIABLES = [coordinate(name, d) for name in "ght"]
MGF = coordinate_mgf()
EXPONENT, BOUND = x * g + y * h + z * t, (x**2 + y**2 + z**2) / (2 * d)
FACTORS = [instantiate(MGF, {"r": one}, DRAWN) for one in SIZES]
#: The same where the ranges are too small.
SMALL = [
    instantiate(MGF, {"r": one}, Region((whole("d", 1), at_least(one.name, 0)))) for one in SIZES
]
#: Three with a citation each.
CITED = (first_moment(term(1), g**2, DRAWN), norms_grow(g, 1, 2, DRAWN), FACTORS[0])
#: In which order a set of many is run through changes from run to run: few of these come first.
MANY = [coordinate(f"g{i}", d) for i in range(9)]
MANY_TOGETHER = sum(MANY[1:], MANY[0])
UNKNOWN = [f"X{i}" for i in range(6)]


RESTS = (
    "From 3, by Jensen's inequality, Markov's inequality, "
    "law of the coordinates of a uniform unit vector."
)


def resting(order: Sequence[int]) -> str:
    """On what something with these parts rests."""
    return told(sign(positive(term(1)), DRAWN, *((0, one) for one in ordered(CITED, order))))


#: P(... <= 0) <= exp(q), of many variables and of one of which nothing is known.
ON_Q = DRAWN.also(between("q", -1, 1))
KNOWN_TAIL = certain(ON_Q, MANY_TOGETHER + q, 1 + q)


def with_unknown(name: str) -> Theorem:
    """The same of what is larger by a square of which nothing is known."""
    larger, square_of = MANY_TOGETHER + q + random(name) ** 2, square(random(name), ON_Q)
    smaller = Compare(MANY_TOGETHER + q, "<=", larger)
    return chain(inclusion(sign(smaller, ON_Q, (1, square_of))), KNOWN_TAIL)


#: Many that are independent of these.
BESIDE = sum((coordinate(f"h{i}", d) for i in range(9)), term(0)) / 10


#: g is in the first summand, and in what an infimum is of.
IN_FIRST, IN_INFIMUM = (
    certain(DRAWN.also(between("q", -1, 1)), one, 1 + q)
    for one in (g + q, q + inf("s", 0, 1, exp(s * g)))
)
PAIRED = [coordinate(f"p{i}", d) for i in range(6)]


def linked(firsts: Sequence[Term]) -> tuple[Term, Term]:
    """Three pairs of factors, and what links the second ones: two of them, or all."""
    seconds = [one for one in PAIRED if one not in firsts]
    a, b, c = (one**2 * other for one, other in zip(firsts, seconds, strict=True))
    return a + b + seconds[0] * seconds[1], a + b + c + product(seconds)


def bounded_together(exponent: Term) -> Theorem:
    """A bound of what has no independent parts, in the order in which it is taken apart."""
    mean = expectation(exp(as_term(normal(exponent))))
    supposed = assume(Compare(mean, "<=", exp(x)), DRAWN)
    return independent(exponent, x, DRAWN, supposed)


#: What has a conflict in one of three expectations.
APART = [g * coordinate("g", 7), h**2, t**2]


PART = 1 / (4 + g + h + t)
LEGEND = ", ".join(f"{it} a coordinate of a uniform unit vector of R^(d)" for it in "ght")


def averages(order: Sequence[int]) -> Term:
    """Three expectations, in one of which two variables have one name."""
    a, b, c = map(expectation, ordered(APART, order))
    return a + b + c


def unknown(name: str) -> Term:
    """1 over three coordinates and a variable of which nothing is known, in the order of names."""
    return 1 / (5 + g + h + t + random(name))


def sized(place: int) -> Term:
    """A variable with three sizes, one of which is not defined."""
    return random("X", *put((x, y, z), place, 1 / SIZES[place]))


# -- ranges and signs -----------------------------------------------------------------------------

STRICT = [at_least(name, 0, above=True) for name in NAMES]


def halves(place: int) -> Term:
    """x + y + z with half of one."""
    a, b, c = put(SIZES, place, SIZES[place] / 2)
    return a + b + c


def only(place: int, kind: Range) -> Region:
    """Three ranges from 0 on, one of which is another one."""
    return Region(put(ABOVE.ranges, place, kind))


COUNTED = tuple(whole(name, 0) for name in NAMES)
FUNCTIONS = [exp(x), 2 + y, exp(z)]
REST = ["y real, z real", "x real, z real", "x real, y real"]
#: Three ranges that make no region, and what is said.
NO_REGIONS: list[tuple[tuple[Any, ...], str]] = [
    *((put(SPACE.ranges, i, "x"), "ranges: .* has something else") for i in PLACES),
    *((moved(i, q), f"{NAMES[i]} >= q: q has no range before it") for i in PLACES),
    *((added(SPACE.ranges, i, real("z")), "z: has a range already") for i in PLACES),
    *((added(SPACE.ranges, i + 1, real("x")), "x: has a range already") for i in PLACES),
]

REFUSED: Refusals = [
    *(
        (r"sign: 0 <= x \+ y \+ z: ", partial(sign, TOTAL, SPACE, *but(parts(0), i)))
        for i in PLACES
    ),
    *(
        (
            f"sign: the multiplier of 0 <= {NAMES[i]}: -1",
            partial(sign, less(i), SPACE, *parts(i, -1)),
        )
        for i in PLACES
    ),
    *(
        (r"sign: x\^2/x\^2 is defined", partial(sign, TOTAL, SPACE, *parts(i, x**2 / x**2)))
        for i in PLACES
    ),
    *(
        (f"sign: the range {NAMES[i]} >= 0 of", partial(sign, TOTAL, SPACE, *parts(i, 1, THERE[i])))
        for i in PLACES
    ),
    *(("sign: .* no comparison", partial(sign, TOTAL, WIDE, *parts(i, 0, LAW))) for i in PLACES),
    *(
        (".* is no theorem", partial(sign, TOTAL, SPACE, *parts(i, 1, other)))
        for i in PLACES
        for other in (forged(SUPPOSED[i]), "0 <= x")
    ),
    *(
        ("parts: .* is no multiplier with", partial(sign, TOTAL, SPACE, *put(parts(0), i, (1,))))
        for i in PLACES
    ),
    *(
        (
            rf"weaken: the hypothesis 0 <= {NAMES[i]} does not follow",
            partial(weaken, SUM, TOTAL, SPACE, given),
        )
        for i in PLACES
        for given in (but(HYPOTHESES, i), put(HYPOTHESES, i, positive(1 - SIZES[i])))
    ),
    *(
        (said, partial(weaken, SUM, TOTAL, DRAWN, added(HYPOTHESES, i, wrong)))
        for wrong, said in NO_HYPOTHESES
        for i in range(4)
    ),
    *(
        (
            "instantiate: 1/x is defined",
            partial(instantiate, SUM, {**dict.fromkeys(NAMES, x), name: 1 / x}, SPACE),
        )
        for name in NAMES
    ),
    *(
        ("instantiate: q is no symbol", partial(instantiate, SUM, dict.fromkeys(names, x), SPACE))
        for names in (put(NAMES, i, "q") for i in PLACES)
    ),
    *(
        (
            "instantiate: g is random",
            partial(
                instantiate,
                margin_law(definition(), inside=True, less="c"),
                dict(ordered((("d", d), ("N", d + 1), ("c", g)), order)),
                Region((whole("d", 1),)),
            ),
        )
        for order in ORDERS
    ),
    *(
        (
            f"instantiate: the range {NAMES[i]} >= 0 of what is used",
            partial(instantiate, BY_RANGES, {}, SPACE, *facts),
        )
        for i in PLACES
        for facts in (but(SUPPOSED, i), put(SUPPOSED, i, THERE[i]))
    ),
    *(
        (
            f"discharge: the range {NAMES[i]} >= 0 of what is used",
            partial(discharge, SUM, *put(SUPPOSED, i, THERE[i])),
        )
        for i in PLACES
    ),
    *(
        (
            "discharge: .* no comparison",
            partial(discharge, restate(SUM, TOTAL, WIDE), *put(SUPPOSED, i, LAW)),
        )
        for i in PLACES
    ),
    *(
        (
            ".* is no theorem",
            partial(_concluded, "own", Concluded(TOTAL, SPACE, put(SUPPOSED, i, forged(it)))),
        )
        for i, it in enumerate(SUPPOSED)
    ),
    *(
        (".* is no theorem", partial(by, *given, *put(several, i, forged(several[i]))))
        for by, given, several in (
            (discharge, (SUM,), SUPPOSED),
            (instantiate, (BY_RANGES, {}, SPACE), SUPPOSED),
            (independent, (EXPONENT, BOUND, DRAWN), FACTORS),
        )
        for i in PLACES
    ),
    *(
        (f"{name}: {called}: 3 is no Theorem", partial(by, *given, *put([*several], i, WRONG)))
        for by, name, called, given, several in (
            (discharge, "discharge", "known", (SUM,), SUPPOSED),
            (independent, "independent", "factors", (EXPONENT, BOUND, DRAWN), FACTORS),
        )
        for i in PLACES
    ),
    *(
        (
            "induction: the hypothesis n <= x depends on n",
            partial(induction, "n", ZERO, step(place, *given)),
        )
        for given in (ordered(ON_N, order) for order in ORDERS)
        for place in (0, 3)
    ),
    *(
        (
            f"induction: the range {NAMES[i]} >= n depends on n",
            partial(induction, "n", ZERO, step(0, region=Region((whole("n", 0), *moved(i, n))))),
        )
        for i in PLACES
    ),
    *(
        (
            "infimum: s <= 1 is on s",
            partial(infimum_under, *put(HYPOTHESES, i, Compare(s, "<=", term(1)))),
        )
        for i in PLACES
    ),
    *(
        (
            f"infimum: the range {NAMES[i]} >= s depends on s",
            partial(infimum, sign(positive(exp(s)), Region((RUNS, *moved(i, s)))), "s"),
        )
        for i in PLACES
    ),
    *(
        ("by_cases: .* differ in more", partial(joined, i, (i + k) % 3))
        for i in PLACES
        for k in (1, 2)
    ),
    *(
        (
            "independent: no factor bounds",
            partial(independent, EXPONENT, BOUND, DRAWN, *but(FACTORS, i)),
        )
        for i in PLACES
    ),
    *(
        (
            "independent: .* bounds no summand",
            partial(independent, EXPONENT, BOUND, DRAWN, *added(FACTORS, i, FACTORS[0])),
        )
        for i in range(4)
    ),
    *(
        (
            f"independent: the range {NAMES[i]} >= 0 of what is used",
            partial(independent, EXPONENT, BOUND, DRAWN, *put(FACTORS, i, SMALL[i])),
        )
        for i in PLACES
    ),
    *(
        (
            "independent: the exponents add up to",
            partial(independent, EXPONENT, BOUND - one**2 / (2 * d), DRAWN, *FACTORS),
        )
        for one in SIZES
    ),
    *(
        (
            "independent: .* mixes a sum of copies",
            partial(independent, copies(f"S{i}", n, g) * one, n, DRAWN.also(whole("n", 0))),
        )
        for i, one in enumerate(MANY)
    ),
    *(
        (
            f"markov: {one.name} is the name of two",
            partial(markov, MANY_TOGETHER + coordinate(one.name, 7), 1, DRAWN),
        )
        for one in MANY
    ),
    *(
        (
            f"markov: {one.name} is the name of a symbol",
            partial(markov, MANY_TOGETHER, 1, DRAWN.also(real(one.name))),
        )
        for one in MANY
    ),
    *(
        (
            "assume: g is the name of two variables",
            partial(assume, positive(averages(order)), DRAWN),
        )
        for order in ORDERS
    ),
    *(
        (f"identity: .*nothing is known of the size of {name}", partial(identity, one, one, DRAWN))
        for name in UNKNOWN
        for one in (copies("S", 2, MANY_TOGETHER + random(name)),)
    ),
    *(
        (
            f"mixture: {name} is no coordinate",
            partial(mixture, KNOWN_TAIL, "q", BESIDE + random(name)),
        )
        for name in UNKNOWN
    ),
    *(
        (f"mixture: {one.name} is in .* already", partial(mixture, KNOWN_TAIL, "q", BESIDE + one))
        for one in MANY
    ),
    *(
        ("mixture: g is in .* already", partial(mixture, one, "q", (g + h) / 2))
        for one in (IN_FIRST, IN_INFIMUM)
    ),
    *(
        ("mixture: .* is not known", partial(mixture, with_unknown(name), "q", h))
        for name in UNKNOWN
    ),
    *(
        (
            f"identity: .*nothing is known of the values of {name}",
            partial(identity, unknown(name), unknown(name), DRAWN),
        )
        for name in ("a", "gg", "hh", "z1")
    ),
    *(
        (rf"identity: 1/{NAMES[i]} is defined", partial(identity, sized(i), sized(i), SPACE))
        for i in PLACES
    ),
    *(
        (r"square: log\(-1\) is defined", partial(square, x, Region(moved(i, log(term(-1))))))
        for i in PLACES
    ),
    *((said, partial(Region, ranges)) for ranges, said in NO_REGIONS),
    *(
        (".*: it is false at ", partial(require_sign, x + y + z, only(i, at_least(NAMES[i], -1))))
        for i in PLACES
    ),
    *((".*: it is false at ", partial(require_sign, less(i).right, ABOVE)) for i in PLACES),
    *(
        (
            ".*: it is false at ",
            partial(
                require_sign, product(SIZES), Region(put(STRICT, i, ABOVE.ranges[i])), strict=True
            ),
        )
        for i in PLACES
    ),
    *(
        (f".*it is from {name} >= 2 on", partial(require_sign, (one - 2) ** 2, ABOVE))
        for name, one in zip(NAMES, SIZES, strict=True)
    ),
    *(
        (
            "hypotheses: .* has something else",
            partial(Goal, TOTAL, SPACE, put(HYPOTHESES, i, _ALIKE)),
        )
        for i in PLACES
        for _ALIKE in (NO_HYPOTHESES[0][0],)
    ),
    *(
        (
            f"the range {NAMES[i]} >= 0",
            partial(require_inside, Region(moved(i, term(-1))), BY_RANGES, None, but(SUPPOSED, i)),
        )
        for i in PLACES
    ),
]

HOLDS: Conclusions = [
    (
        lambda: told(SUM),
        f"for x real, y real, z real: {all_of(*HYPOTHESES)}0 <= x + y + z. From 3, by nothing.",
    ),
    (lambda: sign(TOTAL, ABOVE, *parts(1)).rule, "sign"),
    (lambda: list(sign(TOTAL, ABOVE, *CHOSEN).choices), "[Term(1/2), Term(1/3), Term(1/4)]"),
    (lambda: [it.rule for it in SUM.tree()], "['assume', 'assume', 'assume', 'sign']"),
    (
        lambda: told(discharge(SUM, *THOSE_FROM_ONE)),
        f"{all_of(*FROM_ONE)}0 <= x + y + z. From 4, by nothing.",
    ),
    *(
        (
            lambda order=order: weaken(SUM, TOTAL, SPACE, ordered(HYPOTHESES, order)),
            f"{all_of(*ordered(HYPOTHESES, order))}0 <= x + y + z",
        )
        for order in ORDERS
    ),
    *(
        (
            lambda order=order: weaken(SUM, TOTAL, SPACE, (*HYPOTHESES, HYPOTHESES[order[0]])),
            f"{all_of(*HYPOTHESES)}0 <= x + y + z",
        )
        for order in ORDERS
    ),
    (
        lambda: instantiate(SUM, {"x": y, "y": z, "z": x}, SPACE),
        "if 0 <= y and 0 <= z and 0 <= x, 0 <= y + z + x",
    ),
    (
        lambda: told(instantiate(BY_RANGES, {}, SPACE, *SUPPOSED)),
        f"{all_of(*HYPOTHESES)}0 <= x + y + z. From 4, by nothing.",
    ),
    *(
        (
            lambda order=order: instantiate(BY_RANGES, {}, SPACE, *ordered(SUPPOSED, order)),
            "0 <= x + y + z",
        )
        for order in ORDERS
    ),
    *(
        (partial(instantiated, place, order, own), "True")
        for place in PLACES
        for order in ORDERS
        for own in (0, 3)
    ),
    (each_with_its_own, "True"),
    *(
        (
            lambda i=i: left_of(*but(THOSE_FROM_ONE, i)),
            str([*map(str, but(FROM_ONE, i)), str(HYPOTHESES[i])]),
        )
        for i in PLACES
    ),
    *((partial(left_of, *SUPPOSED), str([*map(str, HYPOTHESES)])) for _ in "1"),
    *(
        (
            lambda place=place, order=order: left_of(*one_needs_all(place, order)),
            left_then(place, order),
        )
        for place in PLACES
        for order in ORDERS
    ),
    *(
        (
            lambda order=order: induction("n", first(order), ITS_OWN_NEXT),
            f"{all_of(*ordered(GIVEN, order))}1 <= 0",
        )
        for order in ORDERS
    ),
    *(
        (
            lambda i=i: induction("n", ZERO, step(i, *HYPOTHESES[:2])),
            "y real, z real: if 0 <= x and 0 <= y, 0 <= n",
        )
        for i in PLACES
    ),
    (
        lambda: infimum_under(*HYPOTHESES),
        f"z real: {all_of(*HYPOTHESES)}0 <= inf over 0 < s < 1 of exp(s)",
    ),
    *((partial(joined, i), "for x real, y real, z real: 0 <= x^2") for i in PLACES),
    *(
        (
            lambda order=order: told(independent(EXPONENT, BOUND, DRAWN, *ordered(FACTORS, order))),
            "/(2 * d)). From 3, by law of the coordinates of a uniform unit vector.",
        )
        for order in ORDERS
    ),
    *(
        (partial(bounded_together, one), "z real: if E[")
        for firsts in combinations(PAIRED, 3)
        for one in linked(firsts)
    ),
    *((partial(resting, order), RESTS) for order in ORDERS),
    (lambda: identity(PART, PART, DRAWN), "z real: 1/(4 + g + h + t) = 1/(4 + g + h + t)"),
    (lambda: repr(identity(PART, PART, DRAWN).legend), LEGEND),
    (lambda: assume(positive(expectation(MANY_TOGETHER)), DRAWN), "0 <= E[g0 + g1 + g2 +"),
    *(
        (partial(is_whole, one, Region(put(COUNTED, i, real(NAMES[i])))), "False")
        for i in PLACES
        for one in (x + y + z, x * y * z)
    ),
    *((partial(is_whole, halves(i), Region(COUNTED)), "False") for i in PLACES),
    *((partial(is_whole, one, Region(COUNTED)), "True") for one in (x + 2 * y + z, x * y * z)),
    (lambda: decided_sign(x + y + z, ABOVE), "True"),
    *((partial(decided_sign, x + y + z, only(i, STRICT[i]), strict=True), "True") for i in PLACES),
    (lambda: decided_sign(product(SIZES), Region(tuple(STRICT)), strict=True), "True"),
    *(
        (partial(decided_sign, product(put(FUNCTIONS, i, log(SIZES[i]))), ABOVE), "False")
        for i in PLACES
    ),
    (lambda: decided_sign(product(FUNCTIONS), ABOVE, strict=True), "True"),
    *((lambda i=i: SPACE.without(NAMES[i]), REST[i]) for i in PLACES),
    *((lambda name=name: SPACE.range(name), f"{name} real") for name in NAMES),
    (lambda: sorted(SPACE.names), "['x', 'y', 'z']"),
    *(
        (lambda i=i: ABOVE.ending(NAMES[i], lower=term(1)), str(only(i, at_least(NAMES[i], 1))))
        for i in PLACES
    ),
    (
        lambda: [str(it) for it in beyond(BY_RANGES)],
        "['x >= -1, y >= 0, z >= 0', 'x >= 0, y >= -1, z >= 0', 'x >= 0, y >= 0, z >= -1']",
    ),
]
