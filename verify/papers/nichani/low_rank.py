"""Checks of the rank-m sentence of Theorem 1 of Nichani et al. (Sec. 3.1): false at rank one, and
right with explicit constants."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from proofs.algebra.symbols import symbols
from proofs.argument import Argument
from proofs.capacity import LowRank, LowRankClosedForm, SufficientCondition
from proofs.capacity.low_rank import Factors
from proofs.papers.nichani import linear as explicit_theorem
from proofs.papers.nichani import low_rank as low_rank_theorem
from verify.checks.argument import conclude, refuted
from verify.checks.averages import Beta
from verify.checks.failures import frontier_of
from verify.checks.parameters import made_of
from verify.checks.section import Section
from verify.checks.theorem import Frontier, bound_above, same_frontier
from verify.claim import Cases, Evidence, Printed
from verify.measuring.case import Case
from verify.measuring.context import Context
from verify.measuring.measure import Experiment, Sizes
from verify.papers.nichani.linear_memory import linear_constants
from verify.papers.nichani.linear_statements import average, closed_form_condition, over_pairs
from verify.papers.nichani.rank_average import RankAverage
from verify.printed.formula import fields, numbers
from verify.statistics import UNDEFINED, Between

if TYPE_CHECKING:
    from numerics.memories import Memory
    from numerics.observables import Event
    from verify.strategies import Sizes as Drawn

section = Section()

_SPHERES = "sphere embeddings, injective f"
#: Small and unequal, so that a slip in any parameter of the law is far away.
_LAW_SIZES = {"d": 5, "N": 3, "M": 4, "m": 2}
#: Where the conditions are near to what memories hold, and a draw is cheap.
_INTEGRAL_SIZES = {"d": 128, "m": 64}
_CLOSED_FORM_SIZES = {"d": 256, "m": 256}
#: The closed form allows a quarter of what the memory holds: far more fail for certain.
_BEYOND_CLOSED_FORM = 8
#: A condition without noise allows any N; what is drawn then suffices to see it fail.
_TOO_MANY = 2000


@section.check("nichani.thm1.lowrank", "proofs", method="rank one")
def statement(printed: Printed, context: Context) -> Evidence:
    if "rank_power" not in printed or "rank" in printed:  # a condition on m by itself
        return corrected_statement(printed, context)
    argument = low_rank_theorem.rank_one_fails(int(printed["rank_power"].number()))
    if not argument.holds:
        return conclude(argument)
    return refuted(
        argument,
        summary="no matrix of rank one recalls three facts, whatever d",
        scope="m = 1, every N >= 3 and every d, so for every C and c",
        witness={
            "family": "m = 1, N >= 3, d >= C N log(N)^c: P(some W of rank 1 recalls) = 0",
            "smallest": {"m": 1, "N": 3, "M": 3, "d": "any"},
            "illustration by hand, d = 3": {
                "inputs and outputs": "e_x = u_x, the standard basis; f(x) = x",
                "W": "a b^T: the score of y for x is a_y b_x",
                "why": "where b_x > 0 the largest a_y wins, where b_x < 0 the smallest: two "
                "outputs for three facts",
            },
        },
    )


@section.check("nichani.thm1.lowrank.corrected", "proofs", method="reduction to the closed form")
def corrected_statement(printed: Printed, context: Context) -> Evidence:
    closed: Printed = context.formulas("nichani.thm1.lowrank.explicit.closed-form")
    known = {name: closed[name] for name in ("lead", "kept")}
    return conclude(
        made_of(low_rank_theorem.logarithmic_form, {**printed, **known}),
        scope=f"all m <= d, N >= 1, M >= 2 under the condition; {_SPHERES}, Gaussian factors",
        summary="proved from the closed form, constants 64 and 80",
    )


@section.check("nichani.thm1.lowrank.explicit.law", "proofs", method="structure and moments")
def law(printed: Printed) -> Evidence:
    alignment = made_of(low_rank_theorem.alignment_law, printed)
    margin = made_of(low_rank_theorem.margin_law, printed)
    # A moment that differs refutes the law; nothing else in these arguments can break.
    broken = alignment.broken or margin.broken
    return conclude(
        alignment.unless({"moment": broken.text, "found": broken.reason} if broken else None),
        margin,
        scope=f"all d >= 2, m >= 1, N, M; {_SPHERES}",
        summary="from the structure of the margin; moments to order "
        f"{low_rank_theorem.LAW_ORDERS} agree",
    )


@section.check(
    "nichani.thm1.lowrank.explicit.integral", "proofs", method="conditional Chernoff bound"
)
def integral(printed: Printed, context: Context) -> Evidence:
    q, r = symbols("q r")
    return conclude(
        low_rank_theorem.average_over_alignment(),
        explicit_theorem.integral_bound(
            printed["noise"].number(),
            printed["coincident"].number(),
            linear_constants(context),
            signal=printed["signal"].number(),
            kept=r * q,
            lost=low_rank_theorem.less_signal()(A=2 * q**2),
        ),
        lambda: public_bound(printed, context.formulas("nichani.thm1.lowrank.explicit.law")),
        scope=f"all d >= 2, m, N, M; {_SPHERES}",
        summary="Chernoff at every alignment and every value of <u_f(x), u_y>",
    )


def public_bound(printed: Printed, law: Printed) -> Argument:
    """The public bound, made of cells, lies above the printed one, evaluated as printed."""
    signal, noise, coincident = numbers(printed, "signal", "noise", "coincident")
    argument = Argument()
    for factors, rest, place in PLACES:
        second = law[rest].at(**{name: place[name] for name in law[rest].symbols()})
        alignment = Beta(law["shape"].at(m=place["m"]), second)
        stated = RankAverage(signal, noise, coincident, alignment)
        argument.include(
            bound_above(LowRank(factors=factors).failure_bound, stated, [place], _CELLS_COST)
        )
    aligned = over_pairs(lambda inside: average(signal, noise, coincident, inside=inside))
    orthonormal = LowRank(factors="orthonormal").failure_bound
    argument.include(bound_above(orthonormal, aligned, [{"d": 16, "m": 16, "N": 2, "M": 3}]))
    return argument


#: Factors, the second parameter of the law of r^2, and sizes: most rivals in the image, or outside.
PLACES: tuple[tuple[Factors, str, dict[str, int]], ...] = (
    ("gaussian", "rest", {"d": 48, "m": 24, "N": 3, "M": 3}),
    ("gaussian", "rest", {"d": 48, "m": 64, "N": 6, "M": 20}),
    ("orthonormal", "orthonormal_rest", {"d": 32, "m": 16, "N": 2, "M": 8}),
)
#: At most this much larger is a bound over cells of two variables.
_CELLS_COST = Fraction(2)


@section.check("nichani.thm1.lowrank.explicit.closed-form", "proofs", method="rational arithmetic")
def closed_form(printed: Printed, context: Context) -> Evidence:
    sizes = ({"d": 256, "m": 256}, {"d": 400, "m": 800, "M": 2000}, {"d": 1000, "m": 500})
    places = (
        *(Frontier(LowRankClosedForm(), it) for it in sizes),
        Frontier(LowRankClosedForm(), {"d": 256, "m": 10**4}, Fraction(1, 10**9)),
    )
    lead, noise, pairs = printed["lead"].number(), printed["noise"], printed["pairs"]
    stated = closed_form_condition(lead, noise, pairs, printed["kept"].term())
    same = same_frontier(places, stated)
    known: Printed = context.formulas("nichani.thm1.explicit.chernoff")
    kappa = known["kappa"].field()
    tau, dimension, r = symbols("tau d r")
    return conclude(
        explicit_theorem.single_margin_tail(
            kappa - (1 - r) * tau * dimension / 2,
            linear_constants(context),
            lost=low_rank_theorem.less_signal(),
        ),
        made_of(low_rank_theorem.closed_form, {**printed, "kappa": known["kappa"]}),
        same,
        scope=f"all d >= 2, m, N, M, delta under the condition; {_SPHERES}, Gaussian factors",
        summary="every sign decided",
    )


# -- measured -------------------------------------------------------------------------------------


@section.measured(
    "nichani.thm1.lowrank.explicit.law", method="alignment and margin", group="low-rank samples"
)
def law_measured(printed: Printed, context: Context) -> Iterator[Case]:
    """Mean and second moment of the margin over |G e_x|, E r^2 and E r^4, as the law gives them."""
    numbers = {name: printed[name].real(**_LAW_SIZES) for name in printed}
    shape, rest, frame = (numbers[name] for name in ("shape", "rest", "orthonormal_rest"))
    fault, d = context.construction, _LAW_SIZES["d"]
    for factors, other in (("gaussian", rest), ("orthonormal", frame)):
        for observable, symbol, power in (
            ("alignment", "E r^2", 2),
            ("alignment-squared", "E r^4", 4),
        ):
            value = _beta_moment(shape, other, power)
            yield _case(factors, observable, symbol, value, 0.01, fault)
    for where in ("inside", "outside"):
        slope = numbers["beta"] if where == "inside" else 0.0
        signal = partial(_beta_moment, shape, rest)
        second = (1 + 1 / d) * (signal(2) + slope**2 / d)
        second += numbers["spread"] * numbers[where] / d**2
        for observable, symbol, value, tolerance in (
            ("direction-mean", "E gamma/|G e_x|", signal(1), 0.02),
            ("direction-second", "E gamma^2/|G e_x|^2", second, 0.03),
        ):
            words = f"{symbol}, y {'in' if where == 'inside' else 'outside'} the image"
            yield _case("gaussian", f"{observable}.{where}", words, value, tolerance, fault)


def _beta_moment(shape: float, rest: float, power: int) -> float:
    """E r^power where r^2 ~ Beta(shape, rest); NaN where there is no such law."""
    if not (shape > 0 and rest > 0):
        return math.nan
    logs = (
        math.lgamma(shape + power / 2)
        - math.lgamma(shape)
        - math.lgamma(shape + rest + power / 2)
        + math.lgamma(shape + rest)
    )
    return math.exp(logs)


def _case(
    factors: str, observable: str, symbol: str, value: float, tolerance: float, fault: str
) -> Case:
    experiment = Experiment(
        f"low-rank margins {factors} {fault}".strip(),
        partial(_draw_margins, factors=factors, fault=fault),
    )
    words = f"{symbol}, {factors} factors"
    claimed = UNDEFINED if math.isnan(value) else Between(value, value, tolerance)
    return Case.of(words, experiment, observable, _LAW_SIZES, claimed, truth=value)


def _draw_margins(**arguments: Any) -> Mapping[str, Any]:
    from numerics.papers.nichani.low_rank_observables import margin_observables

    return margin_observables(**arguments)


def _failures(**arguments: Any) -> Event:
    from numerics.draws.low_rank_margin import failures

    return failures(**arguments)


def _frontier(
    condition: SufficientCondition, sizes: Sizes, context: Context, beyond: int = 2
) -> Cases:
    return frontier_of(
        condition,
        sizes["d"],
        context,
        at_most=_TOO_MANY,
        failures=_failures,
        name="low-rank failures",
        further={"m": sizes["m"]},
        beyond=beyond,
    )


@section.measured(
    "nichani.thm1.lowrank.explicit.integral",
    method="failures on the frontier",
    group="low-rank failures",
)
def integral_frontier(printed: Printed, context: Context) -> Cases:
    return _frontier(_integral_condition(printed), _INTEGRAL_SIZES, context)


@section.measured(
    "nichani.thm1.lowrank.explicit.closed-form",
    method="failures on the frontier",
    group="low-rank failures",
)
def closed_form_frontier(printed: Printed, context: Context) -> Cases:
    condition = _closed_form_condition(printed)
    return _frontier(condition, _CLOSED_FORM_SIZES, context, beyond=_BEYOND_CLOSED_FORM)


def _sample(
    rank: Callable[[int], Mapping[str, int]], sizes: Drawn, seed: int, fault: str
) -> Memory:
    from numerics import LowRankMemory

    return LowRankMemory.sample(*sizes, m=rank(sizes.d)["m"], seed=seed, fault=fault)


def _square(d: int) -> dict[str, int]:
    return {"m": d}


def _twice(d: int) -> dict[str, int]:
    return {"m": 2 * d}


@section.drawn("nichani.thm1.lowrank.explicit.integral")
def integral_property(context: Context) -> Evidence:
    from verify.checks.properties import full_recall

    # Fewer cells give a larger, still rigorous bound, and quick examples.
    condition = LowRank(32, 10)
    return full_recall(
        condition, (256, 448), context, sample=partial(_sample, _square), further=_square
    )


@section.drawn("nichani.thm1.lowrank.explicit.closed-form")
def closed_form_property(context: Context) -> Evidence:
    from verify.checks.properties import full_recall

    return full_recall(
        LowRankClosedForm(), (384, 640), context, sample=partial(_sample, _twice), further=_twice
    )


def _integral_condition(printed: Printed, factors: Factors = "gaussian") -> LowRank:
    """The condition with the printed weights of the noise and of the coincident fact."""
    return LowRank(
        factors=factors,
        signal=printed["signal"].number(),
        noise=printed["noise"].number(),
        coincident=printed["coincident"].number(),
    )


def _closed_form_condition(printed: Printed) -> LowRankClosedForm:
    """The condition with the printed constants."""
    noise, pairs, kept = fields(printed, "noise", "pairs", "kept")
    return LowRankClosedForm(
        lead=printed["lead"].number(),
        noise=lambda N: noise(N=N).as_fraction(),
        pairs=lambda N, M: pairs(N=N, M=M).as_fraction(),
        kept=lambda d, m: kept(d=d, m=m).as_fraction(),
    )
