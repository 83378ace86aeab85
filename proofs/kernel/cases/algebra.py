"""Cases of the rules of algebra and order."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

from proofs.kernel.algebra import (
    add,
    assume,
    chain,
    discharge,
    exp_of_log,
    exp_of_sum,
    exponential,
    identity,
    induction,
    instantiate,
    log_above_zero,
    log_of_quotient,
    logarithm,
    restate,
    sign,
    square,
    times,
    turned,
    weaken,
)
from proofs.kernel.cases import Conclusions, Refusals
from proofs.kernel.laws import margin_law
from proofs.kernel.regions import Range, Region, at_least, between, real, whole
from proofs.kernel.series import coordinate_mgf, log_series
from proofs.kernel.terms import (
    Term,
    coordinate,
    exp,
    expectation,
    log,
    modulus,
    sqrt,
    symbols,
    term,
)
from proofs.kernel.theorem import Compare, SameLaw, Theorem
from proofs.memories.linear import definition

d, m, n, x, y, z = symbols("d m n x y z")
g = coordinate("g", d)
LINE = Region((real("x"), real("y")))
SPACE = LINE.also(real("z"))
QUADRANT = Region((at_least("x", 0), at_least("y", 0)))
SIZES = Region((whole("d", 1), real("x"), real("y")))
ABOVE = Region((at_least("x", 0, above=True), at_least("y", 0, above=True)))


def zero_below(what: Term, region: Region = QUADRANT) -> Theorem:
    """0 <= what."""
    return sign(Compare(term(0), "<=", what), region)


def below(left: Term, right: Term, relation: str = "<=", region: Region = LINE) -> Theorem:
    """A comparison that is only supposed."""
    return assume(Compare(left, relation, right), region)


LAW = margin_law(definition(), inside=True)
BELOW = below(x, y)


HALF = Fraction(1, 2)
SMALL = Region((real("x"),))
UNIT = Region((between("x", 0, 1, "()"),))
SERIES = log_series()
STRICT = below(x, y, "<")
MGF = coordinate_mgf("x")

#: 0 <= n by induction on n.
NATURAL = Region((whole("n", 0),))
NEXT = Compare(term(0), "<=", n + 1)
FIRST = sign(Compare(term(0), "<=", term(0)), Region())
RIGHT = (at_least("x", 0, above=True), real("y"))


def step(region: Region) -> Theorem:
    """0 <= n + 1 if 0 <= n."""
    return sign(NEXT, region, (1, assume(Compare(term(0), "<=", n), region)))


NOWHERE = below(term(1), term(0), region=NATURAL)
STEP, WIDER = step(NATURAL), step(NATURAL.also(real("m")))
SAME = assume(Compare(term(0), "<=", n), NATURAL)
LOOSE_REGION = NATURAL.also(real("x"))


def given(left: Term, right: Term, *, first: bool = False) -> Theorem:
    """The step with one hypothesis more, before or after that on n."""
    parts = [(1, step(LOOSE_REGION)), (0, assume(Compare(left, "<=", right), LOOSE_REGION))]
    return sign(NEXT, LOOSE_REGION, *(reversed(parts) if first else parts))


def induced(name: str, *ranges: Range) -> Theorem:
    """An induction on other ranges."""
    region = Region(ranges) if ranges else NATURAL.also(real("y"))
    if "n" not in region.names:
        region = region.also(whole("n", 0))
    return induction(name, FIRST, step(region))


#: x is at least y if z <= y, and what holds from y on if z <= y.
HIGH = Region((real("z"), real("y"), at_least("x", 2 * y - z)))
ABOVE_Y = sign(Compare(y, "<=", x), HIGH, (1, assume(Compare(z, "<=", y), HIGH)))
FROM_Y = assume(Compare(z, "<=", y), LINE.also(at_least("z", y)))

#: What is no multiplier with a theorem, and what is no theorem.
PARTS: list[Any] = [BELOW, (1,), (1, BELOW, 1), [1, BELOW]]
WORDS: Any = "x <= y"

HOLDS: Conclusions = [
    (lambda: BELOW, "if x <= y, x <= y"),
    (lambda: identity(x + y, y + x, LINE), "x + y = y + x"),
    (lambda: sign(Compare(x, "<", x + 1), LINE), "x < x + 1"),
    (
        lambda: sign(Compare(x * z, "<=", x * y), SPACE, (-x, below(y, z, "=", SPACE))),
        "if y = z, x * z <= x * y",
    ),
    (lambda: instantiate(BELOW, {"x": y, "y": x}, LINE), "if y <= x, y <= x"),
    (lambda: instantiate(zero_below(x**2, LINE), {"x": g}, LINE.also(whole("d", 1))), "g^2"),
    (lambda: restate(BELOW, Compare(x + 0, "<=", y)), "if x <= y, x + 0 <= y"),
    (lambda: times(BELOW, 2), "if x <= y, 2 * x <= 2 * y"),
    (lambda: times(below(x, y, "="), 2), "if x = y, 2 * x = 2 * y"),
    (lambda: times(below(x, y, "<=", SIZES), g**2 + d), "(g^2 + d) * x <= (g^2 + d) * y"),
    (lambda: add(BELOW, below(y, x, "=")), "if x <= y and y = x, x + y <= y + x"),
    (lambda: add(below(x, y, "="), below(y, x, "=")), "x + y = y + x"),
    (lambda: add(below(x, y, "="), below(y, x)), "if x = y and y <= x, x + y <= y + x"),
    (lambda: add(below(x, y, region=QUADRANT), below(y, x)), "for x >= 0, y >= 0: if x <= y and"),
    (lambda: exponential(below(x, y, "=")), "exp(x) = exp(y)"),
    (
        lambda: weaken(BELOW, Compare(x, "<=", y), LINE, (Compare(x, "<", y - 1),)),
        "if x < y - 1, x <= y",
    ),
    (
        lambda: weaken(
            exponential(BELOW), Compare(exp(x), "<=", exp(y + 1)), LINE, BELOW.hypotheses
        ),
        "if x <= y, exp(x) <= exp(y + 1)",
    ),
    (
        lambda: weaken(below(x, y, "="), Compare(x, "<=", y), LINE, (Compare(x, "=", y),)),
        "if x = y, x <= y",
    ),
    (lambda: induction("n", FIRST, STEP), "for whole n >= 0: 0 <= n"),
    (lambda: induction("n", FIRST, WIDER), "for whole n >= 0, m real: 0 <= n"),
    (lambda: len(induction("n", FIRST, STEP).uses), "2"),
    (lambda: induction("n", FIRST, given(x, x)), "for whole n >= 0, x real: if x <= x, 0 <= n"),
    # What is supposed of the first stays supposed, though it is what the step supposes.
    (
        lambda: induction("n", below(term(1), term(0), region=Region()), NOWHERE),
        "for whole n >= 0: if 1 <= 0, 1 <= 0",
    ),
    (lambda: square(x - y, LINE), "for x real, y real: 0 <= (x - y)^2"),
    (lambda: turned(below(x, y, "=")), "if x = y, y = x"),
    (
        lambda: chain(below(x, y, region=QUADRANT), below(y, x + 1)),
        "for x >= 0, y >= 0: if x <= y and y <= x + 1, x <= x + 1",
    ),
    (lambda: chain(BELOW, below(y, x + 1)), "if x <= y and y <= x + 1, x <= x + 1"),
    (lambda: chain(BELOW, below(y, x, "<")), "if x <= y and y < x, x < x"),
    (lambda: chain(STRICT, below(y, x)), "if x < y and y <= x, x < x"),
    (lambda: chain(below(x, y, "="), below(y, x, "=")), "if x = y and y = x, x = x"),
    (lambda: chain(below(x, y, "="), below(y, x)), "if x = y and y <= x, x <= x"),
    (lambda: exponential(BELOW), "if x <= y, exp(x) <= exp(y)"),
    (lambda: exponential(STRICT), "if x < y, exp(x) < exp(y)"),
    (lambda: logarithm(below(x, x + y, "<", ABOVE)), "if x < x + y, log(x) < log(x + y)"),
    (lambda: logarithm(below(x, y, "=", ABOVE)), "if x = y, log(x) = log(y)"),
    (lambda: add(BELOW, below(y, x)), "x + y <= y + x"),
    (lambda: times(BELOW, 0), "if x <= y, 0 * x <= 0 * y"),
    (lambda: exp_of_sum(x, -y, LINE), "exp(x) * exp(-y) = exp(x + -y)"),
    (lambda: log_of_quotient(x, 2, ABOVE), "log(x/2) = log(x) - log(2)"),
    (lambda: exp_of_log(x, -2, ABOVE), "exp((-2) * log(x)) = x^(-2)"),
    (lambda: log_above_zero(1 + x, ABOVE), "0 < log(1 + x)"),
    (lambda: sign(Compare(x, "<=", x), LINE), "x <= x"),
    (lambda: sign(Compare(x, "<=", y), LINE, (1, BELOW)), "if x <= y, x <= y"),
    (lambda: sign(Compare(x, "<", y + 1), LINE, (1, STRICT)), "if x < y, x < y + 1"),
    (lambda: sign(Compare(x, "<=", y), QUADRANT, (1, BELOW)).region, "x >= 0, y >= 0"),
    (
        lambda: instantiate(
            assume(Compare(z, "<=", y), LINE.also(at_least("z", y))),
            {"z": x},
            QUADRANT,
            assume(Compare(y, "<=", x), QUADRANT),
        ),
        "for x >= 0, y >= 0: if x <= y and y <= x, x <= y",
    ),
    # What is known stays under its hypotheses, be they those of what is used.
    (lambda: instantiate(FROM_Y, {"z": x}, HIGH, ABOVE_Y), "if x <= y and z <= y, x <= y"),
    (lambda: len(instantiate(FROM_Y, {"z": x}, HIGH, ABOVE_Y).uses), "2"),
    (
        lambda: instantiate(
            zero_below(y, Region((at_least("y", 0),))), {"y": y - x}, LINE, below(x, y, "=")
        ),
        "if x = y, 0 <= y - x",
    ),
    (
        lambda: instantiate(SERIES, {"x": x}, UNIT, below(x, term(1), "<", UNIT)).hypotheses,
        "relation='<'",
    ),
    (lambda: discharge(below(term(0), x**2), zero_below(x**2, LINE)), "y real: 0 <= x^2"),
    (
        lambda: discharge(chain(below(term(0), x**2), below(x**2, y)), zero_below(x**2, LINE)),
        "if x^2 <= y, 0 <= y",
    ),
    (lambda: discharge(BELOW, BELOW), "if x <= y, x <= y"),
    (lambda: len(discharge(BELOW, BELOW).uses), "2"),
    (
        lambda: instantiate(LAW, {"N": n + 2}, Region((whole("d", 1), whole("n", 0)))),
        "for whole d >= 1, whole n >= 0: gamma (y in the image) has the law of 1 - rho + (-1 + rho) * g"
        " + sqrt(2 - 2 * rho) * sum_S(n + 2 - 2, t * h)",
    ),
    (lambda: restate(BELOW, Compare(x, "<=", y), QUADRANT), "for x >= 0, y >= 0: if x <= y"),
    (
        lambda: restate(LAW, SameLaw(LAW.left, LAW.right), LAW.region.ending("N", lower=term(3))),
        "whole N >= 3: gamma (y in the image) has the law of",
    ),
    (lambda: weaken(BELOW, Compare(x, "<=", y), QUADRANT, BELOW.hypotheses), "for x >= 0, y"),
    (lambda: weaken(LAW, LAW.statement, LAW.region), "has the law of"),
    (lambda: len(weaken(LAW, LAW.statement, LAW.region).uses), "1"),
    (lambda: weaken(STRICT, STRICT.statement, LINE, STRICT.hypotheses), "if x < y, x < y"),
    (
        lambda: weaken(BELOW, BELOW.statement, LINE, (Compare(x + 1, "<=", y - 1),)),
        "if x + 1 <= y - 1, x <= y",
    ),
    (
        lambda: weaken(BELOW, BELOW.statement, LINE, (Compare(x + 1, "<=", y + 1),)),
        "if x + 1 <= y + 1, x <= y",
    ),
    (
        lambda: weaken(STRICT, STRICT.statement, LINE, (Compare(x + 1, "<", y),)),
        "if x + 1 < y, x < y",
    ),
]

REFUSED: Refusals = [
    (r"assume: 1/x is defined", lambda: below(1 / x, y)),
    (r"assume: log\(y\) is defined", lambda: below(x, log(y))),
    (r"identity: x/x is defined", lambda: identity(x / x, term(1), LINE)),
    (r"identity: y/y is defined", lambda: identity(term(1), y / y, LINE)),
    (r"identity: sqrt\(x\) is defined", lambda: identity(sqrt(x) ** 2, x, LINE)),
    (r"identity: x = y is no identity", lambda: identity(x, y, LINE)),
    (r"identity: \|x\| = x is no", lambda: identity(modulus(x), x, LINE)),
    (r"identity: E\[g\] = g is no", lambda: identity(expectation(g), g, SIZES)),
    (r"sign: x = x is no comparison by <= or <$", lambda: sign(Compare(x, "=", x), LINE)),
    (r"sign: 1/x is defined", lambda: sign(Compare(1 / x, "<=", 1 / x + 1), LINE)),
    (r"sign: y/y is defined", lambda: sign(Compare(x, "<=", x + y / y), LINE)),
    (r"sign: 0 < x: .*false at x = 0", lambda: sign(Compare(term(0), "<", x), QUADRANT)),
    (r"sign: 1 <= x: .*false at x = 0", lambda: sign(Compare(term(1), "<=", x), QUADRANT)),
    (
        r"sign: .* is no comparison by <= or < or =$",
        lambda: sign(Compare(x, "<=", x), LAW.region, (1, LAW)),
    ),
    (
        r"sign: the range (whole )?x >= 0 .*false at x = -",
        lambda: sign(Compare(term(0), "<=", x), LINE, (1, zero_below(x))),
    ),
    (
        r"sign: the multiplier of x <= y: x >= 0",
        lambda: sign(Compare(x**2, "<=", x * y), LINE, (x, BELOW)),
    ),
    (
        r"sign: the multiplier of x < y: -1 >= 0",
        lambda: sign(Compare(-x, "<=", -y), LINE, (-1, STRICT)),
    ),
    (
        r"sign: x\^2/x\^2 is defined",
        lambda: sign(Compare(x, "<=", y), LINE, (x**2 / x**2, BELOW)),
    ),
    *(
        (
            r"parts: .* is no multiplier with a theorem",
            partial(sign, Compare(x, "<=", y), LINE, part),
        )
        for part in PARTS
    ),
    (r"'x <= y' is no theorem", lambda: sign(Compare(x, "<=", y), LINE, (1, WORDS))),
    (r"sign: x < y", lambda: sign(Compare(x, "<", y), LINE, (1, BELOW))),
    (r"sign: x < y", lambda: sign(Compare(x, "<", y), LINE, (1, STRICT))),
    (r"sign: x <= y - 1", lambda: sign(Compare(x, "<=", y - 1), LINE, (1, BELOW))),
    (r"instantiate: z is no symbol of", lambda: instantiate(BELOW, {"z": x}, LINE)),
    (r"instantiate: 1/y is defined", lambda: instantiate(SERIES, {"x": 1 / y}, LINE)),
    (r"instantiate: y/y is defined", lambda: instantiate(BELOW, {"x": x * (y / y)}, LINE)),
    (r"instantiate: the range 0 <= x < 1", lambda: instantiate(SERIES, {"x": -1}, Region())),
    (r"instantiate: the range 0 <= x < 1", lambda: instantiate(SERIES, {"x": 1}, Region())),
    (r"instantiate: the range 0 <= x < 1", lambda: instantiate(SERIES, {"x": y}, QUADRANT)),
    (r"instantiate: the range 0 <= x < 1", lambda: instantiate(SERIES, {}, QUADRANT)),
    (r"instantiate: .*not known to be whole", lambda: instantiate(MGF, {"d": y + 1}, QUADRANT)),
    (r"instantiate: .*not known to be whole", lambda: instantiate(MGF, {"d": term(3) / 2}, LINE)),
    (r"instantiate: the range (whole )?d >= 1", lambda: instantiate(MGF, {"d": 0}, LINE)),
    (r"instantiate: z in z has no range", lambda: instantiate(BELOW, {"x": z}, LINE)),
    (r"instantiate: y in y has no range", lambda: instantiate(BELOW, {"x": 1}, SMALL)),
    (r"instantiate: the hypothesis .*random", lambda: instantiate(BELOW, {"x": g}, SIZES)),
    (
        r"instantiate: log\(1 - y\) is defined",
        lambda: instantiate(
            SERIES, {"x": y}, QUADRANT, below(y, term(1), "<", QUADRANT), zero_below(y)
        ),
    ),
    (r"discharge: none of what is known", lambda: discharge(BELOW, below(x, y + 1))),
    (r"discharge: none of what is known", lambda: discharge(BELOW, STRICT)),
    (r"discharge: none of what is known", lambda: discharge(zero_below(x), BELOW)),
    (r"discharge: none of what is known", lambda: discharge(BELOW)),
    (
        r"discharge: the range (whole )?x >= 0 of what is used",
        lambda: discharge(below(term(0), x), zero_below(x)),
    ),
    (
        r"discharge: .* is no comparison by <= or < or =$",
        lambda: discharge(below(d, d, region=LAW.region), LAW),
    ),
    (r"restate: x \+ 1 <= y is not x <= y", lambda: restate(BELOW, Compare(x + 1, "<=", y))),
    (r"restate: x < y is not x <= y", lambda: restate(BELOW, Compare(x, "<", y))),
    (r"restate: x/x is defined", lambda: restate(BELOW, Compare(x * (x / x), "<=", y))),
    (r"restate: y/y is defined", lambda: restate(BELOW, Compare(x, "<=", y * (y / y)))),
    (
        r"restate: the range (whole )?x >= 0 of what is used",
        lambda: restate(zero_below(x), Compare(term(0), "<=", x), LINE),
    ),
    (r"restate: .* is not .* has the law", lambda: restate(LAW, Compare(d, "=", d))),
    (r"restate: x has the law of y is not x <= y", lambda: restate(BELOW, SameLaw(x, y))),
    (r"chain: x <= y does not end where x <= y", lambda: chain(BELOW, BELOW)),
    (r"chain: .* is no comparison by <= or < or =$", lambda: chain(LAW, LAW)),
    (
        r"chain: .* is no comparison by <= or < or =$",
        lambda: chain(below(d, d, region=LAW.region), LAW),
    ),
    (
        r"chain: the range (whole )?x >= 0 of what is used",
        lambda: chain(sign(Compare(-(x**2), "<=", term(0)), LINE), zero_below(x)),
    ),
    (r"exponential: .* is no comparison by <= or < or =$", lambda: exponential(LAW)),
    (r"times: the factor: x >= 0", lambda: times(BELOW, x)),
    (r"times: the factor: -1 >= 0", lambda: times(BELOW, -1)),
    (r"times: the factor: g >= 0", lambda: times(restate(BELOW, BELOW.statement, SIZES), g)),
    (r"times: x < y is no comparison by <= or =$", lambda: times(STRICT, 2)),
    (r"times: y\^2/y\^2 is defined", lambda: times(BELOW, y**2 / y**2)),
    (r"add: x < y is no comparison by <= or =$", lambda: add(BELOW, STRICT)),
    (r"add: x < y is no comparison by <= or =$", lambda: add(STRICT, BELOW)),
    (r"add: the range (whole )?x >= 0 of what is used", lambda: add(BELOW, zero_below(x))),
    (r"exp_of_log: what is under the logarithm", lambda: exp_of_log(x, 2, QUADRANT)),
    (r"exp_of_log: what is under the logarithm", lambda: exp_of_log(term(-1), 2, Region())),
    (r"log_above_zero: what is under .*less 1", lambda: log_above_zero(x, ABOVE)),
    (r"log_above_zero: what is under .*less 1", lambda: log_above_zero(1 + x, QUADRANT)),
    (r"log_above_zero: x/x is defined", lambda: log_above_zero(1 + x / x, LINE)),
    (
        r"weaken: the range (whole )?x >= 0 of what is used",
        lambda: weaken(zero_below(x), Compare(term(0), "<=", x), LINE),
    ),
    (r"weaken: .*does not follow from none", lambda: weaken(BELOW, BELOW.statement, LINE)),
    (
        r"weaken: .*does not follow from x <= y \+ 1 or y <= x",
        lambda: weaken(
            BELOW, BELOW.statement, LINE, (Compare(x, "<=", y + 1), Compare(y, "<=", x))
        ),
    ),
    (
        r"weaken: the hypothesis x < y does not follow",
        lambda: weaken(STRICT, STRICT.statement, LINE, (Compare(x, "<=", y),)),
    ),
    (
        r"weaken: the hypothesis x < y does not follow",
        lambda: weaken(STRICT, STRICT.statement, LINE, (Compare(x, "=", y),)),
    ),
    (
        r"weaken: the hypothesis x = y does not follow",
        lambda: weaken(below(x, y, "="), Compare(x, "=", y), LINE, (Compare(x, "<=", y),)),
    ),
    (
        r"weaken: the hypothesis x <= y does not follow from 2 \* x = 2 \* y",
        lambda: weaken(BELOW, BELOW.statement, LINE, (Compare(2 * x, "=", 2 * y),)),
    ),
    (
        r"weaken: y/y is defined",
        lambda: weaken(BELOW, Compare(x, "<=", y + y / y), LINE, BELOW.hypotheses),
    ),
    (
        r"weaken: x - 1 <= y is not about what",
        lambda: weaken(BELOW, Compare(x - 1, "<=", y), LINE, BELOW.hypotheses),
    ),
    (r"weaken: .*is not about what", lambda: weaken(LAW, Compare(d, "<=", d), LAW.region)),
    (
        r"weaken: .*is not about what",
        lambda: weaken(LAW, Compare(LAW.left, "<=", LAW.left), LAW.region),
    ),
    (
        r"weaken: .*is not about what",
        lambda: weaken(BELOW, SameLaw(x, y), LINE, BELOW.hypotheses),
    ),
    (
        r"weaken: .*is not about what",
        lambda: weaken(LAW, SameLaw(LAW.left, LAW.right + 1), LAW.region),
    ),
    (
        r"weaken: <= does not say <",
        lambda: weaken(BELOW, Compare(x, "<", y + 1), LINE, BELOW.hypotheses),
    ),
    (
        r"weaken: < does not say <=",
        lambda: weaken(STRICT, Compare(x, "<=", y), LINE, STRICT.hypotheses),
    ),
    (
        r"weaken: y - 1 >= y",
        lambda: weaken(BELOW, Compare(x, "<=", y - 1), LINE, BELOW.hypotheses),
    ),
    (
        r"weaken: y - 1 >= y",
        lambda: weaken(
            exponential(BELOW), Compare(exp(x), "<=", exp(y - 1)), LINE, BELOW.hypotheses
        ),
    ),
    (r"square: 1/x is defined", lambda: square(1 / x, LINE)),
    (r"turned: x <= y is no comparison by =", lambda: turned(BELOW)),
    (r"turned: .*no comparison", lambda: turned(LAW)),
    (r"logarithm: what is under the logarithm", lambda: logarithm(BELOW)),
    (r"logarithm: what is under", lambda: logarithm(below(x, y + 1, "<=", QUADRANT))),
    (r"logarithm: .* is no comparison by <= or < or =$", lambda: logarithm(LAW)),
    (r"logarithm: log\(y\) is defined", lambda: logarithm(below(x, y, "<=", Region(RIGHT)))),
    (r"exp_of_sum: 1/x is defined", lambda: exp_of_sum(1 / x, x, LINE)),
    (r"exp_of_sum: y/y is defined", lambda: exp_of_sum(x, y / y, LINE)),
    (r"exp_of_sum: x/x is defined", lambda: exp_of_sum(x / x, -(x / x), LINE)),
    (r"log_of_quotient: what is under the logarithm: x", lambda: log_of_quotient(x, 1, QUADRANT)),
    (r"log_of_quotient: what is under the logarithm: y", lambda: log_of_quotient(1, y, QUADRANT)),
    (r"log_of_quotient: what is under .*: -1", lambda: log_of_quotient(-1, -1, LINE)),
    (r"log_of_quotient: y/y is defined", lambda: log_of_quotient(1 + y / y, 1, QUADRANT)),
    (r"log_of_quotient: y/y is defined", lambda: log_of_quotient(1, 1 + y / y, QUADRANT)),
    (r"exp_of_log: y/y is defined", lambda: exp_of_log(1 + y / y, 1, QUADRANT)),
    (r"sign: 0 <= y: ", lambda: sign(Compare(term(0), "<=", y), LINE, (1, zero_below(x**2, LINE)))),
    (r"induction: m has no lower end", lambda: induced("m", Range("m", None, term(0)))),
    (r"induction: y has no lower end", lambda: induced("y", real("y"))),
    (r"induction: n has not all whole numbers", lambda: induced("n", at_least("n", 0))),
    (r"induction: n has not all whole numbers", lambda: induced("n", whole("n", 0, 9))),
    (
        r"induction: n has not all whole numbers",  # 0 <= 0, and from 1 on a step: not 0 to 1
        lambda: induced("n", Range("n", term(0), open_below=True, whole=True)),
    ),
    (r"induction: n begins at 1/2, which is no", lambda: induced("n", whole("n", HALF))),
    (r"induction: n begins at x, which is no", lambda: induced("n", whole("x", 0), whole("n", x))),
    (
        r"induction: n begins at m, which is no",
        lambda: induced("n", whole("m", 0), whole("n", m)),
    ),
    (
        r"induction: the range 0 <= m <= n depends on n",
        lambda: induced("n", whole("n", 0), between("m", 0, n)),
    ),
    (
        r"induction: the range m >= n depends on n",
        lambda: induced("n", whole("n", 0), at_least("m", n)),
    ),
    (
        r"induction: 0 <= n \+ 1 is not 0 <= 0",
        lambda: induction("n", sign(Compare(term(0), "<=", n + 1), NATURAL), STEP),
    ),
    (
        r"induction: the range m >= 1 of what is used",
        lambda: induction(
            "n", sign(Compare(term(0), "<=", term(0)), Region((at_least("m", 1),))), WIDER
        ),
    ),
    (r"induction: 0 <= n is not the next of a hypothesis", lambda: induction("n", FIRST, SAME)),
    (r"induction: w has no lower end", lambda: induction("w", FIRST, STEP)),
    (r"induction: the hypothesis n <= x depends on n", lambda: induction("n", FIRST, given(n, x))),
    (r"induction: the hypothesis x <= n depends on n", lambda: induction("n", FIRST, given(x, n))),
    (
        r"induction: the hypothesis n <= x depends on n",
        lambda: induction("n", FIRST, given(n, x, first=True)),
    ),
    (r"induction: .* is no comparison by <= or < or =$", lambda: induction("N", FIRST, LAW)),
    (r"induction: .* is no comparison by <= or < or =$", lambda: induction("n", LAW, STEP)),
    (
        r"weaken: < does not say <",
        lambda: weaken(STRICT, Compare(x, "<", y + 1), LINE, STRICT.hypotheses),
    ),
    (
        r"weaken: = does not say <",
        lambda: weaken(below(x, y, "="), Compare(x, "<", y + 1), LINE, (Compare(x, "=", y),)),
    ),
]
