"""Cases of the rules of power series."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from operator import mul
from unittest.mock import patch

from proofs.kernel import series
from proofs.kernel.algebra import instantiate
from proofs.kernel.cases import Conclusions, Refusals
from proofs.kernel.regions import Region
from proofs.kernel.series import (
    _Series,
    _termwise,
    coordinate_mgf,
    coordinate_moment,
    log_series,
    product_mgf,
)
from proofs.kernel.terms import Number, Term, exp, log, symbols, term
from proofs.kernel.theorem import Theorem

K, R, D = symbols("k r d")
SMALLER = _Series(exp(R**2 / 3), 1 / (3 * K + 3))
LARGER = _Series(exp(R**2 / 2), 1 / (2 * K + 2))
LATER, SLOWER = (replace(LARGER, first=1), replace(LARGER, step=1))
GEOMETRIC = _Series(R / (1 - R), term(1), first=1, step=1)


def _until(order: int) -> Term:
    """0 at all orders below, and not at this one."""
    return reduce(mul, (K - i for i in range(order)))


def _unless(*dimensions: int) -> Term:
    """0 in these dimensions alone."""
    return reduce(mul, (D - i for i in dimensions))


#: What the rules conclude.
SAID = [
    (log_series(), "for 0 <= x < 1: -log(1 - x) <= x/(1 - x)"),
    (coordinate_mgf(), "for whole d >= 1, r real: E[exp(r * g)] <= exp(r^2/(2 * d))"),
    (
        product_mgf(),
        "for whole d >= 1, -1 < r < 1: E[exp(d * r * t * g)] <= exp((-log(1 - r^2))/2)",
    ),
    (
        coordinate_moment(),
        "for whole d >= 1, whole p >= 0: E[(g^2)^(p + 1)] = (2 * p + 1)/(d + 2 * p) * E[(g^2)^p]",
    ),
]
#: Values outside their ranges.
OUTSIDE: list[tuple[Theorem, dict[str, Number], str]] = [
    (log_series(), {"x": 1}, "0 <= x < 1"),
    (log_series(), {"x": Fraction(-1, 2)}, "0 <= x < 1"),
    (coordinate_mgf(), {"d": 0, "r": 1}, "whole d >= 1"),
    (coordinate_mgf(), {"d": Fraction(3, 2), "r": 1}, ".* is not known to be whole"),
    (product_mgf(), {"d": 1, "r": 1}, "-1 < r < 1"),
    (product_mgf(), {"d": 1, "r": -1}, "-1 < r < 1"),
    (product_mgf(), {"d": 0, "r": 0}, "whole d >= 1"),
    (coordinate_moment(), {"d": 1, "p": -1}, "whole p >= 0"),
    (coordinate_moment(), {"d": 1, "p": Fraction(1, 2)}, ".* is not known to be whole"),
    (coordinate_moment(), {"d": 0, "p": 1}, "whole d >= 1"),
]
#: Ratios that are not those of the coefficients.
WRONG: list[_Series] = [
    _Series(exp(R**2 / 2), 1 / (K + 1)),
    _Series(exp(R**2 / 2), 1 / (2 * K + 1)),
    _Series(2 * exp(R**2 / 2), 1 / (2 * K + 2)),
    _Series(exp(-log(1 - R**2) / 3), (2 * K + 1) / (2 * K + 2)),
    _Series(R / (1 - 2 * R), term(1), first=1, step=1),
    _Series(-log(1 - R), K / (K + 2), first=1, step=1),
    _Series(exp(R**2 / 2), 1 / (2 * K + 2) + _until(7)),
    _Series(exp(R**2 / 2), 1 / (2 * K + 2) + reduce(mul, (K - i for i in range(1, 8)))),
    *(
        _Series(exp(R**2 / 2), 1 / (2 * K + 2) + _unless(*{1, 2, 3, 7} - {dimension}))
        for dimension in (1, 2, 3, 7)
    ),
    _Series(exp(R), term(1), coefficient=lambda k, d: Fraction(2)),
    _Series(exp(R), term(2), coefficient=lambda k, d: Fraction(1)),
]


def _with_other_moments(rule: Callable[[], Theorem]) -> Theorem:
    """What a rule concludes where the ratio is not that of the engine's moments."""
    with patch.object(series, "ratio_is_right", lambda orders: orders < 4):
        return rule()


REFUSED: Refusals = [
    *(
        (".* the moments of a coordinate are not the", partial(_with_other_moments, rule))
        for rule in (coordinate_mgf, product_mgf, coordinate_moment)
    ),
    *(
        (".* is not the ratio of the coefficients of", partial(it.require_ratio, "r"))
        for it in WRONG
    ),
    ("the ratios of coefficients: ", lambda: _termwise(LARGER, SMALLER, "r")),
    (".* is not the ratio of", lambda: _termwise(WRONG[0], SMALLER, "r")),
    (".* is not the ratio of", lambda: _termwise(SMALLER, WRONG[0], "r")),
    ("the series begin apart", lambda: _termwise(LARGER, LATER, "r")),
    ("the series begin apart", lambda: _termwise(LARGER, SLOWER, "r")),
    (
        "the ratios of coefficients: ",  # from the first order on
        lambda: _termwise(GEOMETRIC, _Series(-log(1 - R), K / (K + 1), first=1, step=1), "r"),
    ),
    ("the series begin apart", lambda: _termwise(SMALLER, GEOMETRIC, "r")),
    ("coordinate_mgf: d: has a range already", lambda: coordinate_mgf("d")),
    ("product_mgf: d: has a range already", lambda: product_mgf("d")),
    ("coordinate_moment: d: has a range already", lambda: coordinate_moment("d")),
    ("log_series: .*'1' is no name", lambda: log_series("1")),
    *(
        (f"instantiate: the range {said}", partial(instantiate, theorem, values, Region()))
        for theorem, values, said in OUTSIDE
    ),
]

HOLDS: Conclusions = [
    *((partial(str, theorem), text) for theorem, text in SAID),
    (lambda: _termwise(SMALLER, LARGER, "r"), "exp(r^2/3) <= exp(r^2/2)"),
    (lambda: _termwise(LARGER, LARGER, "r"), "exp(r^2/2) <= exp(r^2/2)"),
    (lambda: LARGER.require_ratio("r"), "None"),
    # So far and no further it is looked.
    (lambda: replace(LARGER, ratio=LARGER.ratio + _until(8)).require_ratio("r"), "None"),
    (lambda: replace(LARGER, ratio=LARGER.ratio + _unless(1, 2, 3, 7)).require_ratio("r"), "None"),
    (lambda: GEOMETRIC.require_ratio("r"), "None"),
    (lambda: [it.name for it in product_mgf().trust], "['law of the coordinates"),
    (lambda: [it.name for it in coordinate_mgf().trust], "['law of the coordinates"),
    (lambda: [it.name for it in coordinate_moment().trust], "['law of the coordinates"),
    (lambda: coordinate_mgf("k").region, "whole d >= 1, k real"),
]
