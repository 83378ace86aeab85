"""Checks of the explicit forms of Theorem 1: proofs, failures on the frontier, full recall inside."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from proofs.algebra import RationalFunction
from proofs.argument import Argument, Witness, search
from proofs.capacity import Linear, LinearClosedForm
from proofs.capacity.linear import chernoff_exponent
from proofs.papers.nichani import linear as explicit_theorem
from verify.checks.failures import frontier_of
from verify.checks.section import Section
from verify.checks.steps import measured_steps
from verify.checks.theorem import bound_above, proved, same_frontier
from verify.claim import Cases, Evidence, Printed
from verify.measuring.case import Case
from verify.measuring.context import Context
from verify.measuring.measure import BLOCK, Experiment, Sizes, Source, Statistic
from verify.measuring.quantities import in_words
from verify.papers.nichani import linear_statements as formal
from verify.papers.nichani import proof_places
from verify.papers.nichani.linear_memory import margins
from verify.printed.formula import Formula
from verify.statistics import AtMost, Between, Interval, difference
from verify.verdict import Verdict

section = Section()

_SPHERES = "sphere embeddings, injective f"

#: Large enough that a closed form twice too generous is seen to fail.
_CLOSED_FORM_DIMENSION = 256
#: The sharper condition is tested where it is nearest to what memories really hold.
_INTEGRAL_DIMENSION = 128
#: Dimension and number of outputs far above the number of inputs.
_MANY_OUTPUTS = (64, 2048)
#: Where the tail of one margin is rare enough for its bound to be near, and not too rare to be seen.
#: For the blunter bound, and for the sharper one.
_CHERNOFF_TAIL, _INTEGRAL_TAIL = {"d": 64, "N": 150}, {"d": 48, "N": 100}
#: Some twenty times the probability of a failure there.
_CUT = 0.02
#: Checks that draw whole memories run in one process.
_DRAWN: dict[str, Any] = {"group": "linear failures"}
#: A condition without noise allows any N; what is drawn then suffices to see it fail.
_TOO_MANY = 2000


section.pattern(
    proved,
    "nichani.thm1.explicit.mgf",
    formal.generating_functions,
    method="coefficients",
    summary="every coefficient of the series is bounded",
    fails=explicit_theorem.generating_function_counterexample,
)


@search
def _other_moment(
    beta: Fraction, spread: Fraction, inside: RationalFunction, outside: RationalFunction
) -> Witness | None:
    """The first moment of the stated law that is not the engine's."""
    broken = explicit_theorem.margin_law(beta, spread, inside, outside).broken
    return None if broken is None else {"moment": broken.text, "found": broken.reason}


section.pattern(
    proved,
    "nichani.thm1.explicit.law",
    formal.margin_laws,
    method="structure and moments",
    summary="from the structure of the margin; moments to order "
    f"{explicit_theorem.LAW_ORDERS} agree",
    fails=_other_moment,
)


def _public_exponent(kappa: RationalFunction) -> Argument:
    argument = Argument()
    for tau, d, (beta, n) in itertools.product(
        (Fraction(1, 8), Fraction(1, 2)), (16, 128), ((1, 30), (0, 31))
    ):
        public = chernoff_exponent(tau, d, beta, n)
        argument.equal(
            f"the exponent of the public condition at tau = {tau}, d = {d}, beta = {beta}, n = {n}",
            RationalFunction.constant(public),
            kappa(tau=tau, d=d, beta=beta, n=n),
        )
    return argument


section.pattern(
    proved,
    "nichani.thm1.explicit.chernoff",
    formal.tails,
    method="conditional Chernoff bound",
    summary="Chernoff, conditional on <u_f(x), u_y>",
    beside=_public_exponent,
)


def _public_average(signal: Fraction, noise: Fraction, coincident: Fraction) -> Argument:
    """The public bound lies above the printed one, evaluated as printed, by what its cells cost."""
    stated = formal.over_pairs(
        lambda inside: formal.average(signal, noise, coincident, inside=inside)
    )
    places = ({"d": 32, "N": 6, "M": 12}, {"d": 64, "N": 8, "M": 400})
    return bound_above(Linear().failure_bound, stated, places)


section.pattern(
    proved,
    "nichani.thm1.explicit.integral",
    formal.averages,
    method="conditional Chernoff bound",
    summary="Chernoff at every value of <u_f(x), u_y>",
    beside=_public_average,
)


def _public_condition(lead: Fraction, noise: Formula, pairs: Formula) -> Argument:
    stated = (*formal.closed_form_condition(lead, noise, pairs), formal.AT_LEAST_A_PLANE)
    return same_frontier(formal.frontiers(LinearClosedForm()), stated)


section.pattern(
    proved,
    "nichani.thm1.explicit.closed-form",
    formal.full_recall,
    method="rational arithmetic",
    summary="every step decided by a rule",
    beside=_public_condition,
)


@section.measured(
    "nichani.thm1.explicit.mgf", method="interval", group="linear samples", builds=False
)
def generating_measured(scale: float, product: float) -> Iterator[Case]:
    """At d = 2, lambda = 2 and s = 1, where a neighbouring constant is already exceeded."""
    d = 2
    for name, symbol, rate, bound in (
        ("single", "E exp(2 g)", 2.0, math.exp(4 / (scale * d))),
        ("product", "E exp(t g)", 1.0, (1 - 1 / (product * d**2)) ** -0.5),
    ):
        source = Experiment(f"coordinates, rate {rate}", partial(_draw_coordinates, rate=rate))
        yield Case.of(symbol, source, name, {"d": d}, AtMost(bound))


@section.measured("nichani.thm1.explicit.law", method="two samples", group="linear samples")
def law_measured(printed: Printed, context: Context) -> Cases:
    """The memory's margins and draws of the printed law agree in E gamma^2 and P(gamma <= 0).

    At d = 2 a fact more or less changes the second moment by 1/2 and the coincident fact by 3/4.
    """
    sizes = {"d": 2, "N": 3, "M": 4}
    beta, spread = printed["beta"].number(), printed["spread"].number()
    cases = []
    for where in ("inside", "outside"):
        n = int(printed[where].at(N=sizes["N"]))
        if n < 0:
            return Evidence(
                Verdict.REFUTED,
                "",
                f"there are no {n} summands, as printed for y {where} at {in_words(sizes)}",
                scope=f"at {in_words(sizes)}",
                counterexample={"at": sizes, "summands": n},
            )
        slope = float(beta) if where == "inside" else 0.0
        draw = partial(_draw_law, beta=slope, spread=float(spread), n=n)
        law_ = Experiment(f"law {slope} {spread} {n}", draw)
        for name, symbol, tolerance in (
            ("second", "E[gamma^2]", 0.3),
            ("failure", "P(gamma <= 0)", 0.03),
        ):
            sources = (
                Source(margins(context.construction), f"{name}.{where}", sizes),
                Source(law_, name, {"d": sizes["d"]}),
            )
            cases.append(
                Case(
                    f"{symbol} of the margin less that of the law, y {where}",
                    sizes,
                    Statistic(sources, difference),
                    Between(0.0, 0.0, tolerance),
                )
            )
    return cases


def _draw_coordinates(**arguments: Any) -> Mapping[str, Any]:
    from numerics.papers.nichani.linear_observables import coordinate_observables

    return coordinate_observables(**arguments)


def _draw_law(**arguments: Any) -> Mapping[str, Any]:
    from numerics.papers.nichani.linear_observables import law_observables

    return law_observables(**arguments)


@section.measured("nichani.thm1.explicit.closed-form", method="failures on the frontier", **_DRAWN)
def closed_form_frontier(printed: Printed, context: Context) -> Cases:
    condition = _closed_form_condition(printed)
    return frontier_of(condition, _CLOSED_FORM_DIMENSION, context, at_most=_TOO_MANY)


@section.measured("nichani.thm1.explicit.integral", method="failures on the frontier", **_DRAWN)
def integral_frontier(printed: Printed, context: Context) -> Cases:
    condition = _integral_condition(printed)
    return frontier_of(condition, _INTEGRAL_DIMENSION, context, at_most=_TOO_MANY)


@section.measured("nichani.thm1.explicit.integral", method="failures with many outputs", **_DRAWN)
def integral_many_outputs(printed: Printed, context: Context) -> Cases:
    condition = _integral_condition(printed)
    d, M = _MANY_OUTPUTS
    return frontier_of(condition, d, context, at_most=_TOO_MANY, outputs=M)


@section.measured(
    "nichani.thm1.explicit.chernoff",
    method="tail of one margin",
    group="linear samples",
    builds=False,
)
def chernoff_measured(printed: Printed) -> Cases:
    d, N = _CHERNOFF_TAIL["d"], _CHERNOFF_TAIL["N"]
    kappa, n = printed["kappa"].field(), N - 2
    steps = [Fraction(k, 64) for k in range(1, 64)]
    values = [kappa(tau=tau, d=d, beta=1, n=n).as_fraction() for tau in steps]
    exponents = [float(k - k**2 / (2 * d)) for k in values if 0 < k <= d]
    if not exponents:
        return Evidence(Verdict.INCONCLUSIVE, "", f"no tau bounds anything at d = {d}")
    return [_tail_case(_CHERNOFF_TAIL, math.exp(-max(exponents)))]


@section.measured(
    "nichani.thm1.explicit.integral",
    method="tail of one margin",
    group="linear samples",
    builds=False,
)
def integral_measured(printed: Printed) -> Cases:
    sizes = _INTEGRAL_TAIL
    bound = _integral_condition(printed).bound(sizes["d"], 1, sizes["N"] - 2)
    return [_tail_case(sizes, float(bound))]


for _claim, _goals in (
    ("nichani.thm1.explicit.chernoff", formal.tails),
    ("nichani.thm1.explicit.integral", formal.averages),
    ("nichani.thm1.explicit.closed-form", formal.full_recall),
):
    section.pattern(
        measured_steps, _claim, _goals, places=proof_places.linear, group="linear samples"
    )


def _tail_case(sizes: Sizes, bound: float) -> Case:
    """P(gamma <= 0) of one margin, y in the image, against its bound."""
    experiment = Experiment("failing pairs", _draw_tail, chunk=BLOCK)
    sources = tuple(Source(experiment, name, sizes) for name in ("cut", "whole"))
    return Case("P(gamma <= 0)", sizes, Statistic(sources, _between), AtMost(bound))


def _between(cut: Interval, whole: Interval) -> Interval:
    """What is cut off only makes a mean smaller: its lower end holds for the whole."""
    error = cut.error + whole.error
    return Interval(min(cut.low, whole.high), whole.high, whole.estimate, whole.replicates, error)


def _draw_tail(**arguments: Any) -> Mapping[str, Any]:
    from numerics.papers.nichani.linear_observables import tail_observables

    return tail_observables(**arguments, cut=_CUT)


@section.drawn("nichani.thm1.explicit.closed-form")
def closed_form_property(context: Context) -> Evidence:
    from verify.checks.properties import full_recall

    return full_recall(LinearClosedForm(), (256, 640), context)


@section.drawn("nichani.thm1.explicit.integral")
def integral_property(printed: Printed, context: Context) -> Evidence:
    from verify.checks.properties import full_recall

    # Fewer cells give a larger, still rigorous bound, and quick examples.
    return full_recall(_integral_condition(printed, cells=96), (96, 256), context)


def _integral_condition(printed: Printed, cells: int = 512) -> Linear:
    """The condition with the printed weights of the noise and of the coincident fact."""
    return Linear(
        cells,
        signal=printed["signal"].number(),
        noise=printed["noise"].number(),
        coincident=printed["coincident"].number(),
    )


def _closed_form_condition(printed: Printed) -> LinearClosedForm:
    """The condition with the printed constants."""
    noise, pairs = printed["noise"].field(), printed["pairs"].field()
    return LinearClosedForm(
        lead=printed["lead"].number(),
        noise=lambda N: noise(N=N).as_fraction(),
        pairs=lambda N, M: pairs(N=N, M=M).as_fraction(),
    )
