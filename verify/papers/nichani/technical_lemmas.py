"""Checks of the technical lemmas of Nichani et al. (App. F): tails, hypercontractivity, Hermite."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from proofs.argument import Witness
from proofs.concentration import (
    Exponent,
    MarkovChain,
    NormBound,
    OverlapBound,
    Polynomial,
    TailHypothesis,
    choice_counterexample,
    conjunction,
    hypothesis_holds,
    markov_counterexample,
    negation,
    norm_counterexample,
    overlap_counterexample,
    overlap_moment,
    parity,
    shifted_gaussian,
    tail_counterexample,
)
from proofs.kernel import (
    Compare,
    Goal,
    Region,
    coordinate,
    exp,
    expectation,
    log,
    power,
    symbols,
    whole,
)
from proofs.papers.nichani.overlap_moments import even_moments
from verify.checks.computed import Comparison, Slack, compared, rounding
from verify.checks.section import Section, corrected
from verify.checks.steps import measured_steps
from verify.checks.theorem import Goals, proved
from verify.claim import Cases, Evidence, Printed
from verify.measuring.case import Case
from verify.measuring.context import Context
from verify.measuring.measure import Experiment, Source, Statistic
from verify.papers.nichani import hermite_lemmas as hermite
from verify.papers.nichani import polynomial_statements as statements
from verify.papers.nichani import proof_places
from verify.printed.formula import Formula, fields, floats
from verify.statistics import AtMost, Between, Interval, difference
from verify.verdict import Verdict

section = Section()

_GROUP: dict[str, Any] = {"group": "technical lemmas", "builds": False}
#: How far float64 may carry a computed value from a stated one, relative to it.


def _draw(name: str) -> Callable[..., Mapping[str, Any]]:
    """The function of that name in ``numerics.papers.nichani.technical_observables``, on call."""

    def draw(**arguments: Any) -> Mapping[str, Any]:
        from numerics.papers.nichani import technical_observables

        found: Mapping[str, Any] = getattr(technical_observables, name)(**arguments)
        return found

    return draw


_OVERLAPS = _draw("overlap_powers")
_POLYNOMIALS = _draw("polynomial_events")
_CHAIN = _draw("chain_observables")
_CORRELATION = _draw("correlation_observables")
_SQUARES = _draw("square_observables")
_STEIN = _draw("stein_observables")


# -- Lemma 12 -------------------------------------------------------------------------------------

#: (p, d) at which moments of overlaps are measured, where a smaller bound is exceeded.
_OVERLAP_SIZES = ((1, 2), (1, 3), (2, 2), (2, 8), (3, 3))
#: The interval must exclude bounds below this part of the moment.
_TIGHT = 0.9


def _even_moments(base: Formula, exponent: Formula, dimension: Formula) -> Goals:
    d, p = symbols("d p")
    bound = exp(exponent.term() * log(base.term()) - dimension.term() * log(d))
    stated = Compare(expectation(power(coordinate("rho", d) ** 2, p)), "<=", bound)
    yield Goal(stated, Region((whole("d", 1), whole("p", 1)))), even_moments()


section.pattern(
    proved,
    "nichani.lem12",
    _even_moments,
    method="moments of all orders",
    summary="by induction on p",
    fails=overlap_counterexample,
)


@section.measured("nichani.lem12", method="interval", **_GROUP)
def overlaps_measured(bound: OverlapBound) -> Iterator[Case]:
    experiment = Experiment("overlaps", _OVERLAPS)
    for p, d in _OVERLAP_SIZES:
        base, exponent, dimension = (
            float(f(p=p).as_fraction()) for f in (bound.base, bound.exponent, bound.dimension)
        )
        exact = float(overlap_moment(p)(d=d).as_fraction())
        stated = base**exponent * float(d) ** -dimension
        yield Case.of(
            f"E <u,v>^{2 * p}",
            experiment,
            str(p),
            {"d": d},
            AtMost(stated, _TIGHT * exact),
            truth=exact,
        )


section.pattern(
    measured_steps,
    "nichani.lem12",
    _even_moments,
    places=proof_places.overlaps,
    group=_GROUP["group"],
    nearly=Fraction(2, 5),
)


# -- Lemma 13 and the central moments of Lemma 14 -------------------------------------------------

#: Steps above the least q at which the moment of a sign is compared, and Hermite degrees at q = 4.
_STEPS, _DEGREES = (Fraction(1, 16), Fraction(1, 4), Fraction(1, 2), Fraction(2)), range(1, 21)


def _central(bound: NormBound) -> NormBound:
    """The bound on central moments, q = 2 log(1/delta)."""
    return replace(bound, least=2 * bound.least)


def _exceeded(bound: NormBound) -> Witness | None:
    found = norm_counterexample(bound)
    if found is not None and found["||f||_q"] == "1":
        return {**found, "also": "f = 1, of degree at most p"}
    return found


section.pattern(
    proved,
    corrected("nichani.lem13"),
    statements.norm_bounds,
    method="contractions of the factors",
    summary="by the one-factor inequalities and Minkowski",
    fails=_exceeded,
)


def _centrally_exceeded(bound: NormBound) -> Witness | None:
    found = norm_counterexample(_central(bound))
    return None if found is None else {"delta": f"exp(-{Fraction(found['q']) / 2})", **found}


section.pattern(
    proved,
    corrected("nichani.lem14.moment"),
    statements.central_moment_bounds,
    method="from Lemma 13",
    summary="Lemma 13 for q >= 2, the second moment below",
    fails=_centrally_exceeded,
)


def _apart(part: object) -> str:
    """A base or an exponent, in brackets if it has parts itself."""
    text = str(part)
    return text if text.isalnum() else f"({text})"


def _moments(printed: Printed, bound: NormBound) -> Iterator[Comparison]:
    """Moments of a sign and of Hermite polynomials by quadrature, against the printed bound."""
    from numerics.papers.nichani.technical_observables import hermite_moment

    places = [(1, bound.least + step, "u on S^0", 1.0) for step in _STEPS]
    if bound.least < 4:
        places += [(k, Fraction(4), f"h_{k}(g)", hermite_moment(k, 4)) for k in _DEGREES]
    for p, q, name, moment in places:
        base, power = (float(f.as_fraction()) for f in (bound.base(q=q), bound.power(p=p)))
        stated = max(base, 0.0) ** (power * float(q)) if base > 0 or power > 0 else math.inf
        norm = f"{_apart(printed['base'])}^{_apart(bound.power(p=p).as_fraction())}"
        step = f"E |{name}|^{_apart(q)} = {moment:.6g}, stated at most ({norm})^q = {stated:.6g}"
        size = ("the stated", stated)
        yield Comparison(step, moment, -math.inf, stated, rounding(1e-9), size)


_quadrature = partial(
    section.values,
    method="Gauss quadrature",
    scope="a sign, and Hermite polynomials at q = 4; quadrature",
    judge=compared,
)


@_quadrature(corrected("nichani.lem13"))
def _norms_computed(printed: Printed, bound: NormBound) -> Iterator[Comparison]:
    return _moments(printed, bound)


@_quadrature(corrected("nichani.lem14.moment"))
def _central_computed(printed: Printed, bound: NormBound) -> Iterator[Comparison]:
    return _moments(printed, _central(bound))


# -- Lemma 14 -------------------------------------------------------------------------------------

#: Polynomials with a heavy lower tail and the delta they contradict a wrong hypothesis at; the last
#: lie within the true one.
_GAUSSIAN = (("3/2", "1/20"), ("5/2", "1/1000"))
_WITNESSES: tuple[tuple[str, Polynomial, Fraction], ...] = (
    *(
        (f"gaussian {float(Fraction(m)):g}", shifted_gaussian(Fraction(m)), Fraction(delta))
        for m, delta in _GAUSSIAN
    ),
    ("parity", parity(1), Fraction(2, 5)),
    ("parity", parity(1), Fraction(9, 20)),
    ("parity", parity(4), Fraction(47, 100)),
    ("parity", parity(10), Fraction(49, 100)),
    ("conjunction", conjunction(3), Fraction(17, 20)),
    ("gaussian 3", shifted_gaussian(Fraction(3)), Fraction(1, 5)),
    ("negation", negation(4), Fraction(47, 100)),
    ("gaussian 6", shifted_gaussian(Fraction(6)), Fraction(1, 500)),
)


def _tail_exceeded(hypothesis: TailHypothesis) -> Witness | None:
    """For the printed hypothesis; without *least* it is for every delta in (0, 1)."""
    return tail_counterexample(hypothesis, [(f, delta) for _, f, delta in _WITNESSES])


section.pattern(
    proved,
    corrected("nichani.lem14"),
    statements.tails,
    method="Markov and the moment bound",
    summary="Markov's inequality with q = 2 log(1/delta)",
    fails=_tail_exceeded,
)


@section.measured(corrected("nichani.lem14"), method="frequency of f <= 0", **_GROUP)
def _tail_cases(hypothesis: TailHypothesis) -> Cases:
    experiment = Experiment("polynomials", _POLYNOMIALS)
    cases = [
        Case.of(f"P(f <= 0), f = {f.text}", experiment, name, {"p": f.degree}, AtMost(float(delta)))
        for name, f, delta in _WITNESSES
        if hypothesis_holds(hypothesis, f, delta)
    ]
    return cases or Evidence(Verdict.INCONCLUSIVE, "", "no polynomial satisfies the hypothesis")


def _exponent(printed: Printed) -> Exponent:
    return Exponent(*fields(printed, "choice", "exponent"))


def _badly_chosen(printed: Printed, hypothesis: TailHypothesis) -> Witness | None:
    return choice_counterexample(hypothesis, _exponent(printed))


section.pattern(
    proved,
    corrected("nichani.lem14.choose-q"),
    statements.choices,
    method="exponents compared",
    summary="q^p Var(f)/(E f)^2 is at most 1/e",
    fails=_badly_chosen,
)


@section.values(
    corrected("nichani.lem14.choose-q"),
    method="floating-point grid",
    scope="p <= 5, log(1/delta) <= 8, a grid in float64",
    judge=compared,
)
def _chosen_computed(printed: Printed) -> Iterator[Comparison]:
    """The conclusion in float64 on a grid, at the largest variance that the hypothesis allows."""
    exponent = _exponent(printed)
    scale, power_of_e = floats(printed, "scale", "power_of_e")
    for p, eighths in itertools.product(range(1, 6), range(1, 65)):
        L = Fraction(eighths, 8)
        log, q = float(L), exponent.choice(L=L).as_fraction()
        logs = printed["power_of_log"].real(p=p)
        variance = scale**-p * math.exp(-power_of_e) * log**-logs
        value = (float(q) ** p * variance) ** float(exponent.power(q=q).as_fraction())
        stated, place = math.exp(-log), f"p = {p}, log(1/delta) = {L}"
        step = f"{place}, Var/(E f)^2 = {variance:.6g}: {value:.6g} against {stated:.6g}"
        size = ("the stated", stated)
        yield Comparison(step, value, -math.inf, stated, rounding(1e-9), size)


section.pattern(
    proved,
    "nichani.lem14.markov",
    statements.markov_links,
    method="inclusions and Markov's inequality",
    summary="each event contains the one before",
    fails=markov_counterexample,
)


#: d, E f and the slope of f = E f + slope u_1, and the links that have room there at q = 2.
_LINKS: tuple[tuple[int, float, float, tuple[tuple[str, str], ...]], ...] = (
    (1, 1, 1, (("below", "far"), ("below", "powered"))),
    (1, 2, 1, (("far", "quotient"), ("powered", "quotient"))),
    (1, 4, 2, (("powered", "quotient"),)),
    (1, 4, 4, (("below", "powered"), ("below", "quotient"))),
    (1, 0.25, 0.25, (("below", "quotient"),)),
    (3, 1, 2, (("below", "far"), ("below", "powered"), ("powered", "quotient"))),
)
_ORDER = 2
#: What the links say.
_TERMS = {
    "below": "P(f <= 0)",
    "far": "P(|f - E f| >= E f)",
    "powered": f"P(|f - E f|^{_ORDER} >= (E f)^{_ORDER})",
    "quotient": f"E |f - E f|^{_ORDER}/(E f)^{_ORDER}",
}


@section.measured("nichani.lem14.markov", method="terms of the chain", **_GROUP)
def markov_measured(chain: MarkovChain) -> Iterator[Case]:
    for d, mean, slope, links in _LINKS:
        arguments = {
            "mean": mean,
            "slope": slope,
            "threshold": float(chain.threshold),
            "strict": chain.strict,
            "q": _ORDER,
            "event": float(chain.event(q=_ORDER).as_fraction()),
            "quotient": float(chain.quotient(q=_ORDER).as_fraction()),
        }
        name = " ".join(f"{key} {value}" for key, value in arguments.items())
        experiment = Experiment(f"chain {name}", partial(_CHAIN, **arguments))
        yield from [
            Case(
                f"{_TERMS[left]} - {_TERMS[right]}, f = {mean:g} + {_times(slope)}u_1, q = {_ORDER}",
                {"d": d},
                Statistic(
                    tuple(Source(experiment, side, {"d": d}) for side in (left, right)), difference
                ),
                AtMost(0.0),
            )
            for left, right in links
        ]


# What was false as printed has no proof whose steps could be measured.
for _claim, _goals, _within in (
    ("nichani.lem13.corrected", statements.norm_bounds, 10),
    ("nichani.lem14.moment.corrected", statements.central_moment_bounds, 10),
    # The mean of |f - E f|^q loses much where f <= 0 is rare.
    ("nichani.lem14.corrected", statements.tails, 20),
):
    section.pattern(
        measured_steps,
        _claim,
        _goals,
        places=proof_places.polynomials,
        group=_GROUP["group"],
        within=_within,
        nearly=Fraction(4, 5),
    )


# -- Lemma 15 -------------------------------------------------------------------------------------

#: <u,w> and k at which the correlation is measured, and how far it may stray.
_CORRELATIONS, _STRAY = ((0.6, 1), (-0.6, 1), (0.6, 2)), 0.1


section.argued(
    "nichani.lem15",
    hermite.correlation,
    method="generating functions and Stein's identity",
    scope="all k >= 0 and d >= 1",
    summary="shown twice, the degree a symbol",
    fails=hermite.correlation_counterexample,
)


@section.measured("nichani.lem15", method="interval", **_GROUP)
def correlation_measured(base: Formula, exponent: Formula) -> Iterator[Case]:
    for rho, k in _CORRELATIONS:
        experiment = Experiment(f"correlation {rho}", partial(_CORRELATION, rho=rho))
        stated = float(base.at(Fraction(str(rho)))) ** int(exponent.at(k=k))
        yield Case.of(
            f"E[h_k(<u,x>) h_k(<w,x>)], <u,w> = {rho}",
            experiment,
            "product",
            {"k": k},
            Between(stated, stated, _STRAY),
        )


# -- Definition 1 and Lemma 16 --------------------------------------------------------------------


section.argued(
    corrected("nichani.lem16.basis"),
    hermite.basis,
    method="orthonormality",
    scope="all d >= 1",
    summary="orthonormal coordinate by coordinate, and complete",
    fails=hermite.basis_counterexample,
)


def _stated_square(printed: Printed, k: int) -> float:
    """The squared norm of He_k, or c_k^2, as printed."""
    factors = (printed["ratio"].at(j) for j in range(k))
    return float(math.prod(factors, start=printed["start"].number()))


@section.measured(corrected("nichani.lem16.basis"), method="interval", **_GROUP)
def _basis_cases(printed: Printed) -> Iterator[Case]:
    experiment = Experiment("squares", _SQUARES)
    for k in (1, 2):
        stated = _stated_square(printed, k)
        yield Case.of("E He_k(x)^2", experiment, "square", {"k": k}, Between(stated, stated, 0.4))


#: Where finite differences along a line start, and its direction.
_LINE = ((0.5, -1.0), (0.5, 0.75))


@section.both(
    "nichani.lem16.degree",
    hermite.polynomial,
    method="induction over the order",
    scope="all k >= 0 and d >= 1",
    summary="each index multiplies the leading part by a coordinate",
    fails=hermite.degree_counterexample,
    measured="finite differences on a line",
    looked="a line in R^2, k = 1, 2, 3, tensors by differentiation",
    judge=compared,
)
def degree_on_a_line(degree: Formula) -> Iterator[Comparison]:
    """On a line that no coordinate is constant on, a degree is told by vanishing differences."""
    import torch

    from numerics.papers.nichani.technical_observables import hermite_tensors

    origin, direction = (torch.tensor(v, dtype=torch.float64) for v in _LINE)
    for k in (1, 2, 3):
        stated = int(degree.at(k=k))
        t = torch.arange(stated + 2, dtype=torch.float64)[:, None]
        values = hermite_tensors(origin + t * direction, k).flatten(1)
        size = ("the largest value", float(values.abs().max()))
        for _ in range(stated):
            values = values.diff(dim=0)
        last, beyond = float(values[0].abs().min()), float(values.diff(dim=0).abs().max())
        step = f"k = {k}: difference {stated} at least {last:.3g}, the next {beyond:.3g}"
        seen = Slack("a difference must be seen above 0", relative=-1e-7)
        above = Comparison(f"{step}, the former", last, 0.0, math.inf, seen, size)
        yield Comparison(step, beyond, 0.0, 0.0, rounding(1e-7), size, also=(above,))


@section.both(
    corrected("nichani.lem16.contraction"),
    hermite.contracted,
    method="explicit form and norm",
    scope="all k >= 0, d >= 1, |w| = 1",
    summary="c_k^2 = E He_k(g)^2 = k!",
    fails=hermite.contraction_counterexample,
    measured="automatic differentiation",
    looked="16 points in R^d, d <= 3, k <= 3, tensors by differentiation",
    judge=compared,
)
def _contraction_computed(printed: Printed, context: Context) -> Iterator[Comparison]:
    """Tensors by automatic differentiation of the density, contracted, against h_k in float64."""
    import torch
    from numpy.polynomial.hermite_e import hermeval

    from numerics import Stream, sample_gaussian, sample_sphere
    from numerics.papers.nichani.technical_observables import hermite_tensors

    stream = Stream(context.seed, "contraction")
    for d, k in itertools.product((1, 2, 3), (0, 1, 2, 3)):
        x = sample_gaussian(16, d, stream=stream.child("points", d))
        w = sample_sphere(1, d, stream=stream.child("directions", d))[0]
        tensor = hermite_tensors(x, k)
        for _ in range(k):
            tensor = tensor @ w
        squares = torch.from_numpy(hermeval((x @ w).numpy(), [0] * k + [1])) ** 2
        stated = _stated_square(printed, k) * squares / math.factorial(k)
        worst = float(((tensor**2 - stated).abs() / (1 + squares)).max())
        step = f"d = {d}, k = {k}: <He_k(x), w^k>^2 - c_k^2 h_k^2 up to {worst:.3g}"
        yield Comparison(step, worst, 0.0, 0.0, slack=rounding(absolute=1e-9))


section.argued(
    corrected("nichani.lem16.stein"),
    hermite.stein,
    method="integration by parts",
    scope="all k >= 0, d >= 1; polynomials, and k weak derivatives in L^2 by density",
    summary="by parts, one index at a time",
    fails=hermite.stein_counterexample,
)


#: Functions that are drawn, with the number of their weak derivatives in L^2.
_SMOOTH = {"sine": math.inf, "step": 0, "ramp": 1}


@section.measured(corrected("nichani.lem16.stein"), method="interval", **_GROUP)
def _stein_cases(sign: Fraction, factor: Formula, derivatives: Formula) -> Iterator[Case]:
    for (function, smooth), k in itertools.product(_SMOOTH.items(), (1, 2)):
        if derivatives.at(k) > smooth:
            continue
        experiment = Experiment(f"stein {function}", partial(_STEIN, function=function))
        sources = tuple(Source(experiment, name, {"k": k}) for name in ("weighted", "derivative"))
        whole = float(factor.at(k) * sign**k)
        yield Case(
            f"E[f He_k] {_subtracted(whole)}E[f^(k)], f a {function}",
            {"k": k},
            Statistic(sources, partial(_less, whole)),
            Between(0.0, 0.0, 0.1),
        )


def _times(factor: float) -> str:
    """A factor as it stands before what it multiplies; none for 1."""
    return "" if factor == 1 else f"{factor:g} "


def _subtracted(factor: float) -> str:
    return f"{'plus' if factor < 0 else 'less'} {_times(abs(factor))}"


def _less(factor: float, left: Interval, right: Interval) -> Interval:
    """The left quantity less *factor* times the right one."""
    low, high = sorted((factor * right.low, factor * right.high))
    return difference(left, replace(right, low=low, high=high, estimate=factor * right.estimate))
