"""A false derivation for every rule: what the kernel must refuse wherever something is proved on it.

A rule that lost a side condition makes no true theorem false: nothing that is proved would tell.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

from proofs.kernel import (
    algebra,
    intervals,
    laws,
    norms,
    powers,
    probability,
    rounding,
    scores,
    series,
)
from proofs.kernel.regions import Refused, Region, at_least, between, real, whole
from proofs.kernel.terms import (
    Term,
    at_most_zero,
    coordinate,
    exp,
    expectation,
    modulus,
    polynomial,
    random,
    symbols,
    term,
)
from proofs.kernel.theorem import Compare, Theorem
from proofs.memories.linear import definition
from proofs.memories.low_rank import definition as low_rank

_d, _M, _n, _r, _x = symbols("d M n r x")
_LINE = Region((whole("d", 1), whole("n", 0), real("r"), real("x")))
_ABOVE = Region((whole("d", 1), at_least("x", 0)))
_POSITIVE = Region((whole("d", 1), at_least("x", 0, above=True)))
_g, _h = coordinate("g", _d), coordinate("h", _d)
_SIZES = Region((whole("d", 2), whole("M", 2), whole("N", 1, _M)))

_NO_TOKEN: Any = "other"


def _below(left: Term, right: Term, region: Region = _LINE) -> Theorem:
    """A comparison that is only supposed."""
    return algebra.assume(Compare(left, "<=", right), region)


def _factor() -> Theorem:
    return algebra.instantiate(series.coordinate_mgf(), {}, _LINE)


def _tail(region: Region, *, inside: bool) -> Theorem:
    """P(gamma <= 0) <= 1/2, supposed."""
    left = at_most_zero(laws.margin(definition(), inside=inside))
    return _below(left, term(1) / 2, region)


def _union(bound: Term) -> Theorem:
    both = (_tail(_SIZES, inside=inside) for inside in (True, False))
    return laws.union_of_margins(definition(), bound, _SIZES, *both)


def _mixture() -> Theorem:
    """Of P(x + g <= 0) for x >= 0, at a variable that may be below 0."""
    factor = algebra.instantiate(series.coordinate_mgf(), {"r": -1}, _ABOVE)
    bound = probability.independent(-(_x + _g), -_x + 1 / (2 * _d), _ABOVE, factor)
    theorem = algebra.chain(probability.markov(_x + _g, 1, _ABOVE), bound)
    return probability.mixture(theorem, "x", _h)


def _rounding_loss() -> Theorem:
    """Of what rounding moves a number by where the number is none other than 0."""
    where = Region((at_least("e", 0, above=True), between("w", 0, 0)))
    at_zero = algebra.instantiate(rounding.nearest_multiple(), {}, where)
    return rounding.rounding_loss(definition(), at_zero, rounding.bilinear_form(), inside=True)


def _outside(lower: int, upper: int) -> Theorem:
    """0 <= (x - 1) (x - 2), which fails between 1 and 2."""
    region = Region((between("x", lower, upper),))
    return algebra.sign(Compare(term(0), "<=", (_x - 1) * (_x - 2)), region)


def _constant() -> Theorem:
    """Of a polynomial of degree 0."""
    return norms.polynomial_degree(polynomial("f", 0), _LINE)


#: Of each rule something false, or nothing, that would follow if it did not look.
FALSE: dict[str, Callable[[], object]] = {
    "assume": lambda: algebra.assume(Compare(_g, "<=", _x), _LINE),
    "identity": lambda: algebra.identity(_x, _x + 1, _LINE),
    "sign": lambda: algebra.sign(Compare(term(1), "<=", _x), _ABOVE),
    "square": lambda: algebra.square(1 / _x, _LINE),
    "instantiate": lambda: algebra.instantiate(series.log_series(), {"x": 2}, _LINE),
    "discharge": lambda: algebra.discharge(_below(_x, _r), _below(_x, _r + 1)),
    "restate": lambda: algebra.restate(_below(_x, _r), Compare(_x, "<=", _r - 1)),
    "chain": lambda: algebra.chain(_below(_x, _r), _below(_r + 1, _x)),
    "by_cases": lambda: algebra.by_cases("x", _outside(0, 1), _outside(2, 3)),
    "where_equal": lambda: algebra.where_equal(
        algebra.square(_x, _LINE),
        algebra.assume(Compare(_x, "=", _r), _LINE),
        Compare(term(0), "<=", _r),
    ),
    "numeric": lambda: algebra.numeric(Compare(term(3), "<=", exp(term(1))), _LINE),
    "turned": lambda: algebra.turned(_below(_x, _r)),
    "exponential": lambda: algebra.exponential(laws.margin_law(definition(), inside=True)),
    "logarithm": lambda: algebra.logarithm(_below(_x, _r)),
    "times": lambda: algebra.times(_below(_x, _r), -1),
    "add": lambda: algebra.add(_below(_x, _r), series.log_series()),
    "infimum": lambda: intervals.infimum(algebra.square(_n, Region((whole("n", 0, 2),))), "n"),
    "closed_below": lambda: intervals.closed_below(
        algebra.sign(Compare(term(0), "<", _x), _POSITIVE),
        "x",
        algebra.sign(Compare(term(0), "<", term(1)), Region((whole("d", 1),))),
    ),
    "root_of_square": lambda: algebra.root_of_square(_r, term(1), _LINE),
    "induction": lambda: algebra.induction("n", _below(_x, term(0)), _below(_x, _n)),
    "exp_of_sum": lambda: algebra.exp_of_sum(1 / _x, _x, _LINE),
    "exp_of_log": lambda: algebra.exp_of_log(_x, 1, _ABOVE),
    "log_of_exp": lambda: algebra.log_of_exp(1 / _x, _LINE),
    "log_of_quotient": lambda: algebra.log_of_quotient(_x, 1, _ABOVE),
    "log_above_zero": lambda: algebra.log_above_zero(_x + 1, _ABOVE),
    "weaken": lambda: algebra.weaken(_below(_x, _r), Compare(_x, "<=", _r), _LINE),
    "markov": lambda: probability.markov(_g, _x, _LINE),
    "inclusion": lambda: probability.inclusion(laws.margin_law(definition(), inside=True)),
    "powers_exceed": lambda: probability.powers_exceed(_x, _g, 2, _LINE),
    "first_moment": lambda: probability.first_moment(term(1), _g, _LINE),
    "independent": lambda: probability.independent(_r * _g, _r**2 / (3 * _d), _LINE, _factor()),
    "mixture": _mixture,
    "by_law": lambda: probability.by_law(
        laws.margin_law(definition(), inside=True), _tail(_SIZES, inside=True)
    ),
    "certain": lambda: probability.certain(_g, _LINE),
    "power_of_exp": lambda: powers.power_of_exp(_x, 0, _LINE),
    "power_of_power": lambda: powers.power_of_power(_x, 1, 0, _LINE),
    "power_of_product": lambda: powers.power_of_product(_x, _r, 0, _LINE),
    "raised": lambda: powers.raised(_below(_x, _r), 2),
    "above_minus_modulus": lambda: powers.above_minus_modulus(1 / _x, _LINE),
    "polynomial_degree": lambda: norms.polynomial_degree(random("X", term(0)), _LINE),
    "less_constant": lambda: norms.less_constant(_constant(), _g),
    "hypercontractivity": lambda: norms.hypercontractivity(_constant(), term(3) / 2, _LINE),
    "norms_grow": lambda: norms.norms_grow(_g, 2, 1, _LINE),
    "norm_to_power": lambda: norms.norm_to_power(_g, 0, _LINE),
    "norm_tail": lambda: norms.norm_tail(_below(modulus(expectation(modulus(_g, 2))), _x), 1),
    "score_degree": lambda: scores.score_degree(_NO_TOKEN),
    "score_mean": lambda: scores.score_mean(_NO_TOKEN),
    "margin_law": lambda: laws.margin_law(low_rank(), inside=True),
    "union_of_margins": lambda: _union(term(1) / 2),
    "largest_weight": lambda: rounding.largest_weight(definition("gaussian")),
    "longest": lambda: rounding.longest(definition("gaussian"), inside=True),
    "rounding_loss": _rounding_loss,
}


# -- several at once ------------------------------------------------------------------------------

_SPACE = Region((real("x"), real("y"), real("z"), whole("n", 0)))
_y, _z = symbols("y z")
_THREE = tuple(Compare(term(0), "<=", one) for one in (_x, _y, _z))
_TOTAL = Compare(term(0), "<=", _x + _y + _z)
#: What the step of an induction concludes.
_NEXT = Compare(term(0), "<=", _n + 1)


def _supposed(*those: Compare) -> list[Theorem]:
    return [algebra.assume(one, _SPACE) for one in those]


def _sum() -> Theorem:
    """0 <= x + y + z under all three."""
    return algebra.sign(_TOTAL, _SPACE, *((1, one) for one in _supposed(*_THREE)))


def _where_known(*known: Theorem) -> Theorem:
    """The same from what holds where none of them is below 0."""
    above = Region(tuple(at_least(name, 0) for name in ("x", "y", "z")))
    return algebra.instantiate(algebra.sign(_TOTAL, above), {}, _SPACE, *known)


def _known_under_its_own() -> Theorem:
    """At n for x what holds under all three, beside facts that need them for x."""
    return algebra.instantiate(_sum(), {"x": _n, "y": _n, "z": _n}, _SPACE, *_supposed(*_THREE))


def _begun_under(*those: Compare) -> Theorem:
    """By induction the first of them, which is its own next, where it begins under all of them."""
    (step,) = _supposed(those[0])
    start = _SPACE.without("n")
    known = ((int(i == 0), algebra.assume(one, start)) for i, one in enumerate(those))
    return algebra.induction("n", algebra.sign(those[0], start, *known), step)


def _stepped(*those: Compare) -> Theorem:
    """By induction on n, under other hypotheses of the step."""
    own = algebra.assume(Compare(term(0), "<=", _n), _SPACE)
    step = algebra.sign(_NEXT, _SPACE, (1, own), *((0, one) for one in _supposed(*those)))
    return algebra.induction("n", algebra.sign(Compare(term(0), "<=", term(0)), Region()), step)


def _without(place: int, make: Callable[[], Theorem]) -> Theorem:
    """A theorem under two of its three hypotheses."""
    theorem = make()
    given = (*_THREE[:place], *_THREE[place + 1 :], Compare(term(0), "<=", _n))
    return algebra.weaken(theorem, theorem.statement, _SPACE, given)


def _two(place: int) -> list[Compare]:
    return [*_THREE[:place], *_THREE[place + 1 :]]


def _on_n(place: int) -> list[Compare]:
    return [*_THREE[:place], Compare(_x, "<=", _n), *_THREE[place + 1 :]]


#: By the rule that must refuse it, what would follow if one of three, in that place, were forgotten.
SEVERAL: tuple[tuple[str, Callable[[int], object]], ...] = (
    ("sign", lambda i: algebra.sign(_TOTAL, _SPACE, *((1, it) for it in _supposed(*_two(i))))),
    ("instantiate", lambda i: _where_known(*_supposed(*_two(i)))),
    ("induction", lambda i: _stepped(*_on_n(i))),
    ("weaken", lambda i: _without(i, _sum)),
    ("weaken", lambda i: _without(i, lambda: _where_known(*_supposed(*_THREE)))),
    ("weaken", lambda i: _without(i, _known_under_its_own)),
    ("weaken", lambda i: _without(i, lambda: algebra.discharge(_sum(), *_supposed(*_THREE)))),
    ("weaken", lambda i: _without(i, lambda: _begun_under(*_THREE))),
    ("weaken", lambda i: _without(i, lambda: _stepped(*_THREE))),
)


@cache
def require_refusals() -> None:
    """ArithmeticError if a rule concludes what it must refuse; looked at once in a process."""
    every: list[tuple[str, Callable[[], object]]] = [*FALSE.items()]
    every += [(name, partial(derive, i)) for name, derive in SEVERAL for i in range(3)]
    for name, tried in every:
        try:
            found = tried()
        except Refused as refused:
            if str(refused).startswith(f"{name}: "):
                continue
            raise ArithmeticError(
                f"{name}: what is false is refused elsewhere: {refused}"
            ) from None
        raise ArithmeticError(f"the rule {name} lost a side condition: it concluded {found}")
