"""Checks of Corollary 2 of Nichani et al. (App. B.1), quantised weights, and its explicit forms."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from proofs.algebra import RationalFunction
from proofs.argument import Argument, Witness
from proofs.capacity import Quantized, QuantizedClosedForm, SufficientCondition
from proofs.kernel import Compare, symbol, term
from proofs.papers.nichani import linear as explicit_theorem
from proofs.papers.nichani import quantized as quantized_theorem
from verify.checks.argument import conclude
from verify.checks.computed import NAME, Comparison, Sides, Slack, until_wrong
from verify.checks.failures import frontier_of
from verify.checks.parameters import made_of
from verify.checks.section import Section, corrected
from verify.checks.steps import measured_steps, pathwise
from verify.checks.theorem import Frontier, bound_above, proved, same_frontier
from verify.claim import Cases, Evidence, Printed
from verify.measuring.context import Context
from verify.papers.nichani import proof_places
from verify.papers.nichani import rounded_statements as formal
from verify.papers.nichani.growing_outputs import pairs_divided, refuted_by_outputs
from verify.papers.nichani.linear_memory import kappa
from verify.papers.nichani.linear_statements import (
    AT_LEAST_A_PLANE,
    average,
    closed_form_condition,
    frontiers,
    over_pairs,
)
from verify.printed.formula import Formula, fields, numbers
from verify.verdict import Verdict

if TYPE_CHECKING:
    from numerics.memories import Memory
    from numerics.observables import Event
    from verify.strategies import Sizes as Drawn

section = Section()

_SPHERES = "sphere embeddings, injective f"
#: Dimensions of the counts: see the same conditions of the linear memory.
_INTEGRAL_DIMENSION, _CLOSED_FORM_DIMENSION = 128, 256
#: A condition without noise allows any N; what is drawn then suffices to see it fail.
_TOO_MANY = 2000
#: The rounded memory holds more than the conditions say: at so many times their N many fail.
_BEYOND = 3
#: The entry 1/(4 d), which gives the margin 1/2, lies so many steps above a multiple of e.
_PART = Fraction(49, 100)
_DIMENSIONS = (1, 2, 3, 4)
_STEPS = (Fraction(1, 10), Fraction(1, 3), Fraction(2))
#: (N, d) at which the levels of a weight are counted.
_COUNTED = ((1, 1), (2, 1), (1, 2), (2, 3))


@section.check("nichani.cor2.statement", "proofs", method="growing number of outputs")
def statement(printed: Printed, context: Context) -> Evidence:
    if "outputs_power" not in printed:  # a condition in log(NM), as the correction states it
        return corrected_statement(printed, context)
    return refuted_by_outputs(printed)


@section.check("nichani.cor2.statement.corrected", "proofs", method="reduction to the closed form")
def corrected_statement(printed: Printed, context: Context) -> Evidence:
    linear, quadratic, power, rate, cube = numbers(
        printed, "linear", "quadratic", "power", "rate", "cube"
    )
    closed: Printed = context.formulas("nichani.cor2.explicit.closed-form")
    d = RationalFunction.symbol("d")
    kept = closed["kept"].field({"e": 1 / (8 * d)}).as_fraction()
    step = Argument()
    coarsest = closed["coarsest"].number()
    step.true("e d = 1/8 is not too coarse", coarsest >= Fraction(1, 8), f"{coarsest} >= 1/8")
    return conclude(
        step,
        explicit_theorem.logarithmic_form(
            linear, quadratic, power, rate, closed["lead"].number(), kept
        ),
        quantized_theorem.cubic_storage(linear, quadratic, cube),
        scope=f"all d, N >= 1, M >= 2 under the condition; {_SPHERES}",
        summary="proved from the closed form, constants 32 and 24; 3 log2 d bits, rounded up",
    )


@section.check("nichani.cor2.margin", "proofs", method="explicit tail and union bound")
def margin(printed: Printed, context: Context) -> Evidence:
    C, first, second, inputs, kept, threshold = numbers(
        printed, "C", "first", "second", "inputs", "keep_second", "threshold"
    )
    return conclude(
        explicit_theorem.logarithm_to_the_fourth(
            C,
            first,
            second,
            inputs_counted=inputs == 1 and kept == 1,
            kappa=kappa(context),
            threshold=threshold,
        ),
        made_of(pairs_divided, printed),
        scope=f"all d, N >= 1, M >= 2, 0 < delta < 1 under the hypotheses; {_SPHERES}",
        summary="holds with C = 128",
    )


# -- the lemmas of the proof ----------------------------------------------------------------------


def _entry_exceeded(bound: RationalFunction) -> Witness | None:
    places = ({"d": d, "N": N} for d in _DIMENSIONS for N in range(1, 5))
    words = "W_11 where all vectors are the first axis"
    return _exceeded(bound, places, lambda at: Fraction(at["N"]), words)


section.pattern(
    proved,
    "nichani.cor2.range",
    formal.entries,
    method="triangle inequality",
    summary="N products of numbers in [-1, 1]; attained by equal axes",
    fails=_entry_exceeded,
)


def _movement_exceeded(bound: RationalFunction) -> Witness | None:
    places = ({"e": e} for e in _STEPS)
    return _exceeded(bound, places, lambda at: at["e"] / 2, "what the entry e/2 moves by")


section.pattern(
    proved,
    "nichani.cor2.rounding",
    formal.movement,
    method="distance to the nearest multiple",
    summary="half of a step is enough; attained halfway",
    fails=_movement_exceeded,
)


def _score_exceeded(bound: RationalFunction) -> Witness | None:
    places = ({"d": Fraction(d), "e": e} for d in _DIMENSIONS for e in _STEPS)
    words = "u^T D v where D_ij = e and u = v has equal entries"
    return _exceeded(bound, places, lambda at: at["d"] * at["e"], words)


section.pattern(
    proved,
    "nichani.cor2.l1",
    formal.score,
    method="Cauchy-Schwarz",
    summary="d e is attained by vectors of equal entries",
    fails=_score_exceeded,
)


def _exceeded(
    bound: RationalFunction,
    places: Iterable[Mapping[str, int | Fraction]],
    attained: Callable[[Mapping[str, Any]], Fraction],
    words: str,
) -> dict[str, Any] | None:
    """The first place where a value that is attained is above the stated bound."""
    for at in places:
        stated, value = bound(**at).as_fraction(), attained(at)
        if value > stated:
            return {**at, words: value, "stated": stated}
    return None


def _margin_missed(lowest: RationalFunction, limit: RationalFunction) -> Witness | None:
    return _below(lowest, limit) or _not_positive(lowest, limit)


section.pattern(
    proved,
    "nichani.cor2.margin-quantised",
    formal.margins,
    method="sum of the two scores",
    summary="1/2 - d e is left, and more is not promised",
    fails=_margin_missed,
)


def _below(lowest: RationalFunction, limit: RationalFunction) -> dict[str, Any] | None:
    """A weight of margin 1/2 whose rounded margin is below the stated one, if there is one."""
    for d in _DIMENSIONS:
        for k, e in _sensitive_steps(d, limit):
            margin = 2 * d * k * e
            stated = lowest(d=d, e=e).as_fraction()
            if margin < stated:
                return {
                    "d": d,
                    "e": e,
                    "W": f"all entries 1/(4 d) = {Fraction(1, 4 * d)}, rounded to {k} e = {k * e}",
                    "e_x = u_f(x) = -u_y": "equal entries d^(-1/2), so gamma = 1/2",
                    "gamma~": margin,
                    "stated": stated,
                }
    return None


def _sensitive_steps(d: int, limit: RationalFunction) -> list[tuple[int, Fraction]]:
    """Steps e below the limit for which the entry 1/(4 d) is rounded down by almost e/2 to k e."""
    most = limit(d=d).as_fraction()
    steps = [(k, 1 / (4 * d * (k + _PART))) for k in range(2, 7)]
    return [(k, e) for k, e in steps if e < most]


def _not_positive(lowest: RationalFunction, limit: RationalFunction) -> dict[str, Any] | None:
    """A step below the limit at which what is stated is not positive, if there is one."""
    for d in _DIMENSIONS:
        e = Fraction(99, 100) * limit(d=d).as_fraction()
        stated = lowest(d=d, e=e).as_fraction()
        if stated <= 0:
            return {"d": d, "e": e, "stated to be positive": stated}
    return None


@section.check(corrected("nichani.cor2.bits"), "proofs", method="counting")
def bits(values: RationalFunction) -> Evidence:
    wrong = next(
        (
            {"N": N, "d": d, "multiples of 1/(8d) in [-N, N]": number, "stated": str(stated)}
            for N, d in _COUNTED
            for number, stated in [(quantized_theorem.multiples(N, d), values(N=N, d=d))]
            if stated != number
        ),
        None,
    )
    return conclude(
        quantized_theorem.storage(values).unless(wrong),
        scope="all d >= 1, N >= 1; the order for d^2 >= N",
        summary="counted; at most 3 log2 d + 6 bits",
    )


# -- the lemmas, measured -------------------------------------------------------------------------


def _not_exceeded(found: Iterable[Sides], scope: str, *, slack: Slack) -> Evidence:
    """Each extreme value is at most the stated one, the slack being relative to 1 + |stated|."""

    def comparison(words: str, value: float, stated: float) -> Comparison:
        step = f"{words}: {value:.12g}, stated at most {stated:.12g}"
        size = ("1 + |stated|", 1 + abs(stated))
        return Comparison(words, value, -math.inf, stated, slack, size, step, where=words)

    evidence = until_wrong((comparison(*it) for it in found), scope)
    last = evidence.detail[NAME][-1]
    if evidence.verdict is Verdict.REFUTED:
        named = {"quantity": last["what"], "found": last["value"], "stated": last["stated"][1]}
        return replace(evidence, counterexample=named)
    count = len(evidence.steps)
    return replace(
        evidence, summary=f"not exceeded in {count} searches, extreme instances among them"
    )


_extremes = partial(
    section.values,
    judge=_not_exceeded,
    scope="the sizes and steps listed, in float64",
    slack=Slack("rounding of float64", 1e-9),
)


@_extremes("nichani.cor2.range", method="extreme entries")
def range_measured(bound: Formula, context: Context) -> Iterator[Sides]:
    from numerics.papers.nichani.quantized_extremes import largest_entry

    for d, N in itertools.product((1, 2, 3), repeat=2):
        found = largest_entry(d, N, seed=context.seed)
        yield f"max |W_ij| at d = {d}, N = {N}", found, bound.real(d=d, N=N)


@_extremes("nichani.cor2.rounding", method="extreme movements")
def rounding_measured(bound: Formula, context: Context) -> Iterator[Sides]:
    from numerics.papers.nichani.quantized_extremes import largest_movement

    for e in _STEPS:
        found = largest_movement(float(e), seed=context.seed)
        yield f"max |W_ij - W~_ij| at e = {e}", found, bound.real(e=e)


@_extremes("nichani.cor2.l1", method="extreme scores")
def score_measured(bound: Formula, context: Context) -> Iterator[Sides]:
    from numerics.papers.nichani.quantized_extremes import largest_score

    for d, e in itertools.product(_DIMENSIONS, _STEPS):
        found = largest_score(d, float(e), seed=context.seed)
        yield f"max |u^T D v| at d = {d}, e = {e}", found, bound.real(d=d, e=e)


@_extremes("nichani.cor2.margin-quantised", method="extreme margins")
def margin_measured(printed: Printed, context: Context) -> Iterable[Sides]:
    from numerics.papers.nichani.quantized_extremes import smallest_rounded_margin

    for d in _DIMENSIONS:
        limit = printed["limit"].field()
        coarse = Fraction(99, 100) * limit(d=d).as_fraction()
        for e in (coarse, *(step for _, step in _sensitive_steps(d, limit))):
            lowest = printed["lowest"].real(d=d, e=e)
            lost = 0.5 - smallest_rounded_margin(d, float(e), seed=context.seed)
            yield f"1/2 - gamma~ at d = {d}, e = {e}", lost, 0.5 - lowest
            yield f"0 below the stated bound at d = {d}, e = {e}", 0.0, lowest
    yield from pathwise(made_of(formal.margins, printed), proof_places.linear(), context.seed)


@_extremes(corrected("nichani.cor2.bits"), method="distinct levels")
def bits_measured(values: Formula) -> Iterator[Sides]:
    from numerics.papers.nichani.quantized_extremes import distinct_levels

    for N, d in _COUNTED:
        number, stated = float(distinct_levels(d, N)), values.real(d=d, N=N)
        yield f"levels at N = {N}, d = {d}", number, stated
        yield f"levels, at least, at N = {N}, d = {d}", -number, -stated


# -- explicit forms -------------------------------------------------------------------------------


def _public_average(
    signal: Fraction, noise: Fraction, coincident: Fraction, loss: Fraction
) -> Argument:
    """The public bound, of steps 1/(8 d), lies above the printed one, evaluated as printed."""
    lost = term(loss / 8)
    stated = over_pairs(lambda inside: average(signal, noise, coincident, lost, inside=inside))
    places = ({"d": 48, "N": 6, "M": 12}, {"d": 64, "N": 4, "M": 200})
    return bound_above(Quantized().failure_bound, stated, places)


section.pattern(
    proved,
    "nichani.cor2.explicit.integral",
    formal.averages,
    method="conditional Chernoff bound",
    summary="Chernoff at every value of <u_f(x), u_y>, less what rounding costs",
    beside=_public_average,
)


def _public_condition(
    lead: Fraction, noise: Formula, pairs: Formula, kept: Formula, coarsest: Formula
) -> Argument:
    e = symbol("e")
    stated = (
        *closed_form_condition(lead, noise, pairs, kept.term()),
        Compare(e * symbol("d"), "<=", coarsest.term()),
        AT_LEAST_A_PLANE,
    )
    coarse = Fraction(1001, 8000 * 256)
    places = (
        *frontiers(QuantizedClosedForm(), lambda d: {"e": Fraction(1, 8 * d)}),
        Frontier(QuantizedClosedForm(coarse), {"d": 256, "M": 2}, more={"e": coarse}),
    )
    return same_frontier(places, stated)


section.pattern(
    proved,
    "nichani.cor2.explicit.closed-form",
    formal.full_recall,
    method="rational arithmetic",
    summary="every step decided by a rule",
    beside=_public_condition,
)


def _failures(**arguments: Any) -> Event:
    """Failures with weights rounded to multiples of 1/(8 d)."""
    from numerics.draws.quantized_margin import failures

    return failures(**arguments, step=1 / (8 * arguments["d"]))


@section.measured(
    "nichani.cor2.explicit.integral", method="failures on the frontier", group="linear failures"
)
def integral_frontier(printed: Printed, context: Context) -> Cases:
    return _frontier(_integral_condition(printed), _INTEGRAL_DIMENSION, context)


@section.measured(
    "nichani.cor2.explicit.closed-form", method="failures on the frontier", group="linear failures"
)
def closed_form_frontier(printed: Printed, context: Context) -> Cases:
    return _frontier(_closed_form_condition(printed), _CLOSED_FORM_DIMENSION, context)


def _frontier(condition: SufficientCondition, d: int, context: Context) -> Cases:
    return frontier_of(
        condition,
        d,
        context,
        at_most=_TOO_MANY,
        failures=_failures,
        name="quantised failures",
        beyond=_BEYOND,
    )


for _claim, _goals in (
    ("nichani.cor2.explicit.integral", formal.averages),
    ("nichani.cor2.explicit.closed-form", formal.full_recall),
):
    section.pattern(
        measured_steps, _claim, _goals, places=proof_places.linear, group="linear samples"
    )


def _sample(sizes: Drawn, seed: int, fault: str) -> Memory:
    from numerics import QuantizedMemory

    return QuantizedMemory.sample(*sizes, seed=seed, step=1 / (8 * sizes.d), fault=fault)


@section.drawn("nichani.cor2.explicit.integral")
def integral_property(printed: Printed, context: Context) -> Evidence:
    from verify.checks.properties import full_recall

    # Fewer cells give a larger, still rigorous bound, and quick examples.
    condition = _integral_condition(printed, cells=96)
    return full_recall(condition, (128, 256), context, sample=_sample)


@section.drawn("nichani.cor2.explicit.closed-form")
def closed_form_property(context: Context) -> Evidence:
    from verify.checks.properties import full_recall

    return full_recall(QuantizedClosedForm(), (256, 640), context, sample=_sample)


def _integral_condition(printed: Printed, cells: int = 512) -> Quantized:
    """The condition with the printed weights of loss, noise and coincident fact, e = 1/(8 d)."""
    return Quantized(
        None,
        cells,
        loss=printed["loss"].number(),
        signal=printed["signal"].number(),
        noise=printed["noise"].number(),
        coincident=printed["coincident"].number(),
    )


def _closed_form_condition(printed: Printed) -> QuantizedClosedForm:
    """The condition with the printed constants, at e = 1/(8 d)."""
    noise, pairs, kept = fields(printed, "noise", "pairs", "kept")
    return QuantizedClosedForm(
        lead=printed["lead"].number(),
        noise=lambda N: noise(N=N).as_fraction(),
        pairs=lambda N, M: pairs(N=N, M=M).as_fraction(),
        kept=lambda d, e: kept(d=d, e=e).as_fraction(),
        coarsest=printed["coarsest"].number(),
    )
