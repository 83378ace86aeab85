"""Checks of Lemma 3 of Nichani et al. and of its proof (App. C.2): the two-input MLP memory."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from typing import Any

from proofs.algebra import RationalFunction, Violation, decide_nonnegative, leading
from proofs.algebra.balls import ball, enclosure, precision
from proofs.algebra.symbols import ONE, ZERO, symbols
from proofs.argument import Argument, Witness, search, searching
from proofs.citations import CAUCHY_SCHWARZ
from proofs.memories.two_input_mlp import Shape, Table, margin_mean, margin_variance
from proofs.papers.nichani import two_input_mlp as lemma
from verify.checks.argument import conclude
from verify.checks.computed import Comparison, Slack, compared, rounding
from verify.checks.identity import identity
from verify.checks.inequality import bounded_above
from verify.checks.section import Section, corrected
from verify.claim import Cases, Evidence, Printed
from verify.measuring.case import Case
from verify.measuring.context import Context
from verify.measuring.measure import Source, Statistic
from verify.measuring.quantities import Quantity
from verify.papers.nichani.two_input_memory import (
    GRID,
    KINDS,
    LONE,
    PAIRS,
    RIVAL,
    SMALLEST,
    Degrees,
    answer_quantity,
    answer_sum,
    cross_quantity,
    factor_quantity,
    product_mean,
    sampled_projections,
    sampled_table,
    sampled_terms,
    signal_quantity,
    table_quantity,
    term_quantity,
    terms,
)
from verify.printed.formula import Formula, fields, numbers
from verify.statistics import AtMost, Interval, difference

section = Section()
_GROUP: dict[str, Any] = {"group": "two-input memory"}
_SPHERES = "sphere embeddings, Gaussian weights, d odd"
_d = RationalFunction.symbol("d")
#: Degrees at which what is said of all odd ones is derived; with p even, and with k even.
_MIXED, _FIRST, _SECOND = Degrees(1, 1, 4), Degrees(1, 3, 4), Degrees(3, 1, 4)
_ODD = (SMALLEST, _MIXED, _FIRST, _SECOND)
_EVEN_P, _EVEN_K = Degrees(2, 1, 3), Degrees(1, 2, 3)
#: Dimensions between which an order in d is told by quadrature.
_NEAR, _FAR = 65, 1025


def _lower(value: RationalFunction, **at: Any) -> float:
    """The value at explicit sizes, as a float."""
    return float(enclosure(value(**at))[0])


# -- degrees --------------------------------------------------------------------------------------


section.argued(
    corrected("nichani.lem3.degree-choice"),
    lemma.degrees_fit,
    method="smallest degree allowed",
    scope="every epsilon in (0, 1) and integer q",
    summary="the integer q is large enough",
)


@section.check(corrected("nichani.lem3.margin-degree"), "proofs", method="formal degree")
def margin_degree(
    least: Fraction, slope: Fraction, more: Fraction, bound: RationalFunction
) -> Evidence:
    argument = Argument()
    for degrees in (*_ODD, Degrees(3, 3, 4)):
        p, k, q = degrees.p, degrees.k, degrees.q
        formal = terms(degrees).omega(terms(degrees).i, *terms(degrees).fact((1, 1, 2))).degree()
        argument.true(
            f"{degrees}: the degree of a term omega is 2q + 2(p + k) + 2",
            formal == 2 * q + 2 * (p + k) + 2,
            str(formal),
        )
    argument.infer(
        "it is attained for S, R >= 2: the part of highest degree is not 0 on the spheres",
        "in each embedding it has a harmonic part: of degrees p, k in those of s', r', of degree "
        "q in that of s, of degree 1 in those of two answers; in w it has degree q + p + k",
    )
    for n in range(2, 8):
        # The smallest q for ceil(1/eps) = n.
        q = math.floor(least * (n - 1)) + 1
        degree = 2 * q + 2 * (int(slope) * n + int(more)) + 2
        stated = bound(q=q).as_fraction()
        if searching() and degree > stated:
            counterexample = {
                "ceil(1/epsilon)": n,
                "q": q,
                "p + k": int(slope) * n + int(more),
                "degree": degree,
                "stated": stated,
            }
            return conclude(argument.refute(counterexample))
    q_ = RationalFunction.symbol("q")
    argument.nonnegative("p + k <= q: 4q + 2 is at most the bound", bound - 4 * q_ - 2, {"q": 1})
    return conclude(
        lemma.degrees_fit(least, int(slope), int(more)),
        argument,
        scope="every epsilon in (0, 1) and integer q",
        summary="2q + 2(p + k) + 2, and p + k is at most q",
    )


@section.both(
    "nichani.lem3.dimension",
    lemma.room,
    method="dimensions added up",
    scope="all odd d >= 3",
    summary="2h <= d",
    measured="orthonormal frames",
    looked="d = 3, 5, 7, 21",
    judge=compared,
    builds=True,
)
def dimension_computed(count: int, dimension: Formula, context: Context) -> Iterator[Comparison]:
    from numerics.papers.nichani.two_input_observables import orthogonal_frame_defect

    for d in (3, 5, 7, 21):
        size = dimension.at(d=d)
        whole = size.denominator == 1
        defect = orthogonal_frame_defect(d, count, int(size), seed=context.seed) if whole else 1.0
        step = f"d = {d}: {count} times {size} columns, off by {defect:.3g}"
        yield Comparison(step, defect, 0.0, 0.0, slack=rounding(absolute=1e-9))


@section.both(
    corrected("nichani.lem3.hermite-coefficient"),
    lemma.derivative_coefficient,
    method="derivatives of the basis",
    scope="every polynomial sigma and n >= 0",
    summary="E sigma^(n)(Z) = sqrt(n!) c_n",
    measured="Gauss quadrature",
    looked="one sigma of degree 5, n <= 5",
    judge=compared,
)
def hermite_coefficient_computed(start: float, ratio: Formula) -> Iterator[Comparison]:
    from numerics.papers.nichani.two_input_observables import derivative_mean

    sigma = (0.5, -1.0, 0.75, 2.0, -0.25, 1.5)
    square = start
    for n, c in enumerate(sigma):
        value, stated = derivative_mean(sigma, n), math.sqrt(square) * c
        step = f"n = {n}: E sigma^(n)(Z) = {value:.6g}, stated {stated:.6g}"
        size = ("1 + |value|", 1 + abs(value))
        yield Comparison(step, value, stated, stated, rounding(1e-9), size)
        square *= float(ratio.at(n))


@section.both(
    "nichani.lem3.stein",
    lemma.stein_step,
    method="integration by parts",
    scope="all n >= 0, d >= 1, every x, T and polynomial sigma",
    summary="Stein's identity for tensors and the chain rule",
    measured="tensors by differentiation",
    looked="d, n <= 3, one x each, all T; tensors by differentiation",
    judge=compared,
)
def stein_computed(printed: Printed, context: Context) -> Iterator[Comparison]:
    from numerics.papers.nichani.two_input_observables import stein_deviation

    sigma = (0.5, -1.0, 0.75, 2.0, -0.25)
    for d, n in itertools.product((1, 2, 3), (1, 2, 3)):
        order, power, factor = (printed[name].at(n) for name in ("derivative", "power", "factor"))
        deviation = stein_deviation(
            d,
            n,
            power=int(power),
            derivative=max(int(order), 0),
            factor=float(factor * printed["sign"].number() ** n),
            sigma=sigma,
            seed=context.seed,
        )
        step = f"d = {d}, n = {n}: the sides differ by {deviation:.3g} of the larger"
        yield Comparison(step, deviation, 0.0, 0.0, slack=rounding(absolute=1e-9))


# -- the mean -------------------------------------------------------------------------------------


def _degrees(printed: Printed) -> tuple[Degrees, ...]:
    odd_p, odd_k = numbers(printed, "parity_p", "parity_k")
    if odd_p and odd_k:
        return (SMALLEST, _FIRST)
    return (_EVEN_P,) if odd_k else (_EVEN_K,)


def _terms_that_vanish(printed: Printed) -> dict[str, list[Quantity]]:
    return {
        place: [
            term_quantity("mean", kind, degrees)
            for degrees in _degrees(printed)
            for kind in KINDS
            if kind.startswith(f"{place}-")
        ]
        for place in ("subject", "relation", "both")
    }


def _products(printed: Printed) -> dict[str, list[Quantity]]:
    return {
        sharing: [
            cross_quantity(sharing, kind, degrees)
            for degrees in _degrees(printed)
            # Those that see an even k come first then.
            for kind in (PAIRS if degrees.k % 2 else sorted(PAIRS, key="relation".__ne__))
        ]
        for sharing in ("same", "other")
    }


section.pattern(identity, "nichani.lem3.vanishing-terms", _terms_that_vanish, **_GROUP)
section.pattern(identity, "nichani.lem3.orthogonality", _products, **_GROUP)


@section.check(
    ("nichani.lem3.vanishing-terms", "nichani.lem3.orthogonality"),
    "proofs",
    method="sign of one embedding",
)
def every_odd_degree(printed: Printed) -> Evidence:
    odd_p, odd_k = numbers(printed, "parity_p", "parity_k")
    argument = lemma.odd_features(bool(odd_p), bool(odd_k))
    argument.infer(
        "a fact other than (s, r), and one of two different facts, has a subject or relation of its own",
        "it is neither s nor r, nor the other fact's, and occurs there once",
    )
    for name in sorted(set(printed) - {"parity_p", "parity_k"}):
        argument.equal(name, printed[name].field(), ZERO)
    return conclude(
        argument, scope=f"all odd p and k, every table; {_SPHERES}", summary="odd in an embedding"
    )


section.pattern(
    identity,
    "nichani.lem3.mean",
    {"mean": [table_quantity("mean", GRID, _MIXED), table_quantity("mean", RIVAL, _MIXED)]},
    factors={"X": signal_quantity(_MIXED, squared=False)},
    **_GROUP,
)


@section.check("nichani.lem3.mean", "proofs", method="every odd degree")
def mean_for_every_degree(mean: RationalFunction) -> Evidence:
    argument = lemma.odd_features(True, True)
    argument.infer(
        "the term (s', r') = (s, r) has E[<a, a - b>] = 1 times E X",
        "Stein's identity, A and B are <P s, P s> and <Q r, Q r>; P and Q are orthogonal",
    )
    X = RationalFunction.symbol("X")
    argument.equal("the mean is E X", mean, X)
    for degrees in (SMALLEST, _FIRST, _SECOND):
        argument.equal(
            f"{degrees}: the engine's mean",
            table_quantity("mean", GRID, degrees).derived.value,
            signal_quantity(degrees, squared=False).derived.value,
        )
    return conclude(
        argument, scope=f"all odd p and k, every table; {_SPHERES}", summary="one term is left"
    )


def _limit(printed: Printed, values: Mapping[Degrees, RationalFunction], what: str) -> Argument:
    """|value - limit| <= C/d^order for the degrees given, and in words for all."""
    order = printed["order"].number()
    argument = lemma.moments_converge(what)
    for degrees, value in values.items():
        off = value - printed["limit"].field(degrees.names())
        witness = lemma.beyond_the_order(off, order, "deviation")
        if witness is not None:
            return argument.refute({"p": degrees.p, "k": degrees.k, "q": degrees.q, **witness})
        exponent = leading(off, {"d": 1}).exponent
        argument.true(
            f"{degrees}: the deviation is at most of the order d^-{order}",
            exponent <= -order,
            f"d^({exponent})",
        )
    return argument


@section.check("nichani.lem3.mean-limit", "proofs", method="moments of the Beta law")
def mean_limit(printed: Printed) -> Evidence:
    found = {degrees: signal_quantity(degrees, squared=False).derived.value for degrees in _ODD}
    argument = _limit(printed, found, "X")
    argument.infer("f(1/2, 1/2) is c 2^(-p-k)", "A + B = 1 there, and E sigma^(p+k)(Z) = c")
    return conclude(
        argument,
        scope=f"every polynomial sigma, all odd p and k; {_SPHERES}",
        summary="the mean is a polynomial in moments of A and B",
    )


def _falls(words: str, near: float, far: float, order: Fraction) -> Comparison:
    """Deviations at the two dimensions fall as d^-order, or faster."""
    step = f"{words} {near:.4g} at d = {_NEAR}, {far:.4g} at d = {_FAR}"
    value, stated = far * math.pow(_FAR, order), near * math.pow(_NEAR, order)
    slack = Slack("an order in d: the constant may vary by a quarter", relative=0.25)
    return Comparison(step, value, -math.inf, stated, slack, ("the stated", stated))


def _deviations(printed: Printed, moment: Callable[..., float]) -> Iterator[Comparison]:
    for degrees in (SMALLEST, _MIXED, _FIRST):
        sigma = tuple(map(float, degrees.parameters().values()))
        names, at = degrees.names(), degrees.parameters()
        limit = _lower(printed["limit"].field(names), **at)
        near, far = (abs(moment(d, degrees.p, degrees.k, sigma) - limit) for d in (_NEAR, _FAR))
        yield _falls(f"{degrees}:", near, far, printed["order"].number())


_quadrature = partial(
    section.values,
    method="quadrature",
    scope=f"three memories, d = {_NEAR} and {_FAR}, quadrature",
    judge=compared,
)


@_quadrature("nichani.lem3.mean-limit")
def mean_limit_computed(printed: Printed) -> Iterator[Comparison]:
    from numerics.papers.nichani.two_input_observables import signal_moments

    return _deviations(printed, lambda *place: signal_moments(*place)[0])


@section.both(
    corrected("nichani.lem3.orlicz"),
    lemma.orlicz,
    method="second moment and sub-Gaussian law",
    scope="all odd d >= 3",
    summary="a Beta law of variance about 1/(2d)",
    measured="quadrature",
    looked=f"d = {_NEAR} and {_FAR}",
    judge=compared,
)
def orlicz_computed(power: Fraction) -> Iterator[Comparison]:
    from numerics.papers.nichani.two_input_observables import orlicz_norm

    near, far = orlicz_norm(_NEAR), orlicz_norm(_FAR)
    yield _falls("the norm is", near, far, power)


# -- products of two terms ------------------------------------------------------------------------


@section.check(
    "nichani.lem3.conditional-mean", "proofs", method="mean square difference", seconds=180.0
)
def conditional_mean(printed: Printed) -> Evidence:
    argument = Argument()
    lengths = numbers(printed, "subject_length", "relation_length")
    for degrees in (_MIXED, _FIRST, _SECOND):
        it = terms(degrees)
        subject, relation, order = (
            int(printed[name].field(degrees.names()).as_fraction())
            for name in ("subject", "relation", "derivative")
        )
        A, B = it.squares()
        slope = degrees.slope(A * lengths[0] + B * lengths[1], order)
        for kind in ("own", "both-generic"):
            fact = it.fact(KINDS[kind])
            quantity = term_quantity("other", kind, degrees)
            given = it.apart(fact)
            stated = it.stated(*fact, slope=slope, subject=subject, relation=relation)
            mixed = product_mean([it.omega(it.i, *fact), stated], given).value
            own = product_mean([stated, stated], given).value
            off = quantity.derived.value - 2 * mixed + own
            if searching() and off != 0:
                at = {"d": 3, **dict.fromkeys((f"c{j}" for j in range(degrees.q + 1)), 1)}
                witness = {
                    "p": degrees.p,
                    "k": degrees.k,
                    "fact": kind,
                    "at": "d = 3, c_j = 1",
                    "mean square difference": str(off(**at)),
                }
                return conclude(argument.refute(witness))
            argument.equal(
                f"{degrees}, {kind}: E (E[omega | phi] - stated)^2",
                off,
                ZERO,
            )
    argument.infer(
        "the same for all p and k", "Stein's identity for tensors; P s and Q r are orthogonal"
    )
    return conclude(
        argument, scope=f"all p, k and sigma; {_SPHERES}", summary="the two are one function"
    )


@section.values(
    "nichani.lem3.conditional-mean",
    method="cubature",
    scope="64 draws each, facts of all kinds, d = 3 and 5",
    judge=compared,
    builds=True,
)
def conditional_mean_computed(printed: Printed, context: Context) -> Iterator[Comparison]:
    from numerics.papers.nichani.two_input_observables import conditional_mean_deviation

    for degrees, d in ((_MIXED, 3), (_FIRST, 5), (_SECOND, 3)):
        subject, relation, order = (
            int(printed[name].field(degrees.names()).as_fraction())
            for name in ("subject", "relation", "derivative")
        )
        deviation = conditional_mean_deviation(
            d,
            p=degrees.p,
            k=degrees.k,
            sigma=tuple(map(float, degrees.parameters().values())),
            derivative=order,
            subject=subject,
            relation=relation,
            lengths=(printed["subject_length"].real(), printed["relation_length"].real()),
            seed=context.seed,
        )
        step = f"{degrees}, d = {d}: off by {deviation:.3g} of the largest value"
        yield Comparison(step, deviation, 0.0, 0.0, slack=rounding(absolute=1e-9))


section.pattern(
    identity,
    "nichani.lem3.same-pair",
    {"value": [term_quantity("other", "own", _MIXED)]},
    factors={"Y": signal_quantity(_MIXED, squared=True)},
    **_GROUP,
)


@section.check("nichani.lem3.same-pair", "proofs", method="moments of the Beta law")
def same_pair(printed: Printed) -> Evidence:
    found = {d: term_quantity("other", "own", d).derived.value for d in _ODD}
    argument = _limit(printed, found, "X^2 (1 + 1/d)")
    argument.infer(
        "given the embeddings the neurons are independent; E<a, a - b>^2 = 1 + 1/d",
        "the mean given the embeddings, squared",
    )
    for degrees in _ODD:
        square = signal_quantity(degrees, squared=True).derived.value
        argument.equal(
            f"{degrees}: the engine's product",
            found[degrees],
            printed["value"].field({"Y": square}),
        )
    return conclude(
        argument,
        scope=f"every polynomial sigma, all p and k; {_SPHERES}",
        summary="E X^2 times 1 + 1/d",
    )


@_quadrature("nichani.lem3.same-pair")
def same_pair_computed(printed: Printed) -> Iterator[Comparison]:
    from numerics.papers.nichani.two_input_observables import signal_moments

    return _deviations(
        printed, lambda d, p, k, sigma: signal_moments(d, p, k, sigma)[1] * (1 + 1 / d)
    )


def _overlaps(kind: str, degrees: Degrees) -> tuple[RationalFunction, RationalFunction]:
    """E<P s, P s'>^(2p) and E<Q r, Q r'>^(2k) for a kind of fact."""
    s, r, _ = KINDS[kind]
    names = ("subject" if s else "subject-norm", "relation" if r else "relation-norm")
    return tuple(factor_quantity(name, degrees).derived.value for name in names)  # type: ignore[return-value]


def _product_bound(printed: Printed, kind: str, degrees: Degrees) -> RationalFunction:
    """c^2 times the three moments, to the powers that are printed."""
    subject, relation, answer = (int(n) for n in numbers(printed, "subject", "relation", "answer"))
    left, right = _overlaps(kind, degrees)
    # E<a', a - b>^2
    reading = 1 + 1 / _d if KINDS[kind][2] < 2 else 2 / _d
    return degrees.names()["c"] ** 2 * left**subject * right**relation * reading**answer


#: Kinds of facts at which a wrong power shows.
_PRODUCTS = ("own", "subject-generic", "relation-generic", "both-generic")


@section.check(
    "nichani.lem3.cross-bound", "proofs", method="mean given the embeddings", seconds=180.0
)
def cross_bound(printed: Printed) -> Evidence:
    argument = Argument()
    for degrees, kind in itertools.product((SMALLEST, _MIXED, _FIRST), _PRODUCTS):
        value = term_quantity("other", kind, degrees).derived.value
        ratio = value / _product_bound(printed, kind, degrees)
        one = dict.fromkeys((f"c{j}" for j in range(degrees.q + 1)), 1)
        growth = leading(ratio(**one), {"d": 1})
        if searching() and growth.exponent > 0:
            witness = {
                "p": degrees.p,
                "k": degrees.k,
                "fact": kind,
                "left over right": f"{growth.term} ~ d^({growth.exponent})",
            }
            return conclude(argument.refute(witness))
        if degrees.q == degrees.order:
            argument.equal(
                f"{degrees}, {kind}: equality, sigma^(p+k) being constant",
                ratio,
                ONE,
            )
    argument.infer(
        "E[omega_i omega_j] = E[g^2 <P s, P s'>^(2p) <Q r, Q r'>^(2k) <a', a - b>^2] with "
        "g = E_Z sigma^(p+k)(Z sqrt(A + B))",
        "the mean given the embeddings",
    )
    argument.infer(
        "g^2 <= C c^2 with C = max_(t <= 2) (E_Z sigma^(p+k)(Z sqrt(t)))^2/c^2",
        "A + B <= 2, and c is not 0",
    )
    argument.infer(
        "the mean of the other three factors is the product of their means",
        "subjects, relations and answers are independent; where b is a subject or a relation, the mean "
        "of the last given phi(b) is a number",
    )
    for name in ("subject", "relation", "answer"):
        argument.true(
            f"the power of the factor of the {name} is one", printed[name].number() == 1, ""
        )
    return conclude(
        argument, scope=f"every sigma, p and k, every table; {_SPHERES}", summary="g is bounded"
    )


@section.measured("nichani.lem3.cross-bound", method="interval", **_GROUP)
def cross_bound_measured(printed: Printed) -> Iterator[Case]:
    degrees = _MIXED
    at = degrees.parameters()
    slopes = [abs(_slope(degrees, t)) for t in (Fraction(0), Fraction(2))]
    # g is linear in t here, so that the ends of [0, 2] decide.
    most = max(slopes) ** 2 / _slope(degrees, Fraction(1)) ** 2
    for kind in _PRODUCTS:
        quantity = term_quantity("other", kind, degrees)
        bound = most * _lower(_product_bound(printed, kind, degrees), d=3, **at)
        yield Case(
            quantity.symbol,
            {"d": 3},
            quantity.measured.at({"d": 3}),
            AtMost(bound),
        )


def _slope(degrees: Degrees, t: Fraction) -> float:
    """E sigma^(p+k)(Z sqrt(t)) at the measured coefficients."""
    total = 0.0
    for i in range((degrees.q - degrees.order) // 2 + 1):
        j = degrees.order + 2 * i
        factor = math.sqrt(math.factorial(j)) / (2**i * math.factorial(i))
        total += float(degrees.parameters()[f"c{j}"]) * factor * float((t - 1) ** i)
    return total


# -- moments of overlaps --------------------------------------------------------------------------


@section.check("nichani.lem3.rho-bounds", "proofs", method="moments of all orders")
def rho_bounds(printed: Printed) -> Evidence:
    argument = Argument()
    for n in lemma.ORDERS[:3]:
        for degrees in (Degrees(n, 1, 0), Degrees(1, n, 0)):
            name = "subject" if degrees.p == n else "relation"
            argument.equal(
                f"the engine's moment of order {2 * n} for the {name}",
                factor_quantity(name, degrees).derived.value,
                lemma.projected_overlap(n),
            )
    for name in ("subject", "relation"):
        one = lemma.overlap_bounds(*fields(printed, f"{name}_base", f"{name}_power"))
        witness, one.witness = one.witness, None
        argument.include(one)
        if witness is not None:
            return conclude(argument.refute({"for": name, **witness}))
    stated = decide_nonnegative(printed["answer"].field() - 1 / _d, {"d": 3})
    if searching() and isinstance(stated, Violation):
        counterexample = {"for": "answers", **stated.at, "E<phi(a), phi(a')>^2": "1/d"}
        return conclude(argument.refute(counterexample))
    argument.nonnegative("answers: 1/d", printed["answer"].field() - 1 / _d, {"d": 3})
    return conclude(
        argument, scope=f"all p, k >= 1; {_SPHERES}", summary="products of ratios of moments"
    )


#: d and order at which moments of overlaps are measured, where a smaller bound is exceeded.
_OVERLAPS = ((7, 1), (41, 1), (41, 2))


@section.measured("nichani.lem3.rho-bounds", method="interval", **_GROUP)
def rho_bounds_measured(printed: Printed) -> Iterator[Case]:
    for (d, n), name in itertools.product(_OVERLAPS, ("subject", "relation")):
        base, power = (printed[part].at(n) for part in (f"{name}_base", f"{name}_power"))
        bound = float(base**n / Fraction(d) ** int(power))
        words = f"E of the overlap of two {name}s to the power {2 * n}"
        yield Case.of(words, sampled_projections(), f"overlap {n}", {"d": d}, AtMost(bound))
    answer = printed["answer"].real(d=7)
    source = Source(sampled_projections(), "answer", {"d": 7})
    # Equality holds: what is met is the bound up to one part in twenty.
    yield Case(
        "E<phi(a), phi(a')>^2, less one part in twenty",
        {"d": 7},
        Statistic((source,), partial(_scaled, 0.95)),
        AtMost(answer),
    )


def _scaled(factor: float, found: Interval) -> Interval:
    return replace(
        found,
        low=factor * found.low,
        high=factor * found.high,
        estimate=factor * found.estimate,
    )


section.pattern(
    identity,
    "nichani.lem3.rho-sum",
    {"value": [answer_quantity(kind) for kind in ("own", "rival", "generic")]},
    **_GROUP,
)


# -- squares of one neuron's terms ----------------------------------------------------------------

#: Factors of the activation at which its missing norm shows.
_SCALES = (1, 64, 4096, Fraction(1, 4096))


def _square_bound(printed: Printed, scale: int | Fraction, d: int) -> float:
    """The bound on E[omega_i^2] for scale times the measured activation, the own fact, SMALLEST."""
    rate, norm = numbers(printed, "rate", "norm")
    degrees = SMALLEST
    activation = factor_quantity("activation", degrees).derived.value
    square = float(scale) ** 2 * _lower(activation, d=d, **degrees.parameters())
    # 2^(rate q) (p! k!)^factorials |sigma|^norm, where p! k! = 1.
    return math.pow(2, rate * degrees.q) * math.pow(square, norm / 2) * (1 + 1 / d)


@section.check(corrected("nichani.lem3.omega-sq"), "proofs", method="hypercontractivity")
def omega_square(rate: Fraction, factorials: Fraction, norm: Fraction) -> Evidence:
    argument = Argument()
    witness = _square_fails(rate, norm)
    argument.cite(
        "given the embeddings E[omega_i^2] <= ||sigma||_4^2 ||F||_4^2 <a', a - b>^2, over w, "
        "F = :<w, P s'>^p: :<w, Q r'>^k:",
        CAUCHY_SCHWARZ,
    )
    argument.use(
        "||sigma||_4^2 <= 3^q ||sigma||_2^2 and ||F||_4^2 <= 3^(p+k) ||F||_2^2, in w alone",
        "nichani.lem13.corrected",
    )
    argument.infer("||F||_2^2 = p! k! |P s'|^(2p) |Q r'|^(2k) <= p! k!", "P and Q are orthogonal")
    argument.infer(
        "E<a', a - b>^2 = rho_ba' + rho_aa', independently of the rest", "the identity rho-sum"
    )
    with precision():
        argument.at_most(
            "3^(q + p + k) <= 9^q for p + k <= q, at most 2^(rate q)",
            ball(Fraction(9)).log(),
            ball(Fraction(2)).log() * ball(rate),
        )
    argument.true("p! k! is there", factorials == 1, str(factorials))
    argument.true("the norm of sigma to the second power", norm == 2, str(norm))
    return conclude(
        argument.unless(witness),
        scope=f"every polynomial sigma, p + k <= q; {_SPHERES}",
        summary="2^(4q) p! k! times the square of the norm of sigma",
    )


@section.measured(corrected("nichani.lem3.omega-sq"), method="interval", **_GROUP)
def omega_square_measured(printed: Printed) -> Iterator[Case]:
    source = Source(sampled_terms(SMALLEST), "square.own", {"d": 3})
    for scale in _SCALES:
        yield Case(
            f"E[omega_i^2]{'' if scale == 1 else f' for {scale} sigma'}, "
            "(s', r') = (s, r), p = k = 1, q = 2",
            {"d": 3},
            Statistic((source,), partial(_scaled, float(scale) ** 2)),
            AtMost(_square_bound(printed, scale, 3)),
        )


@search
def _square_fails(rate: Fraction, norm: Fraction) -> Witness | None:
    """A multiple of the measured activation whose own term has a larger second moment at d = 3."""
    degrees = SMALLEST
    at: dict[str, int | Fraction] = {"d": 3, **degrees.parameters()}
    exact = enclosure(term_quantity("square", "own", degrees).derived.value(**at))[0]
    square = enclosure(factor_quantity("activation", degrees).derived.value(**at))[1]
    for t in _SCALES:
        with precision():
            bound = (
                (ball(Fraction(2)).log() * ball(rate * degrees.q)).exp()
                * (ball(t**2 * square).log() * ball(norm / 2)).exp()
                * ball(Fraction(4, 3))
            )
            if ball(t**2 * exact) > bound:
                return {
                    "p = k": 1,
                    "d": 3,
                    "sigma": f"{t} (h_0/4 + h_1/4 + 3 h_2/2)",
                    "fact": "(s, r) itself",
                    "E[omega_i^2]": f"{float(t**2 * exact):.6g}",
                    "stated": bound.str(6),
                }
    return None


# -- sums -----------------------------------------------------------------------------------------


section.pattern(
    identity,
    "nichani.lem3.second-moment",
    {"second": [table_quantity("second", RIVAL, SMALLEST)]},
    factors={
        "O": table_quantity("other-sum", RIVAL, SMALLEST),
        "Q": table_quantity("square-sum", RIVAL, SMALLEST),
    },
    **_GROUP,
)


@section.check("nichani.lem3.second-moment", "proofs", method="pairs of neurons")
def second_moment(second: Formula) -> Evidence:
    m, two, one = symbols("m O Q")
    argument = lemma.odd_features(True, True)
    argument.infer(
        "products of terms of different facts have mean 0", "odd in an embedding, shown above"
    )
    argument.equal(
        "of m^2 pairs of neurons m (m - 1) are different",
        second.field(),
        (m * (m - 1) * two + m * one) / m**2,
    )
    for answers in (GRID, RIVAL):
        sums = {
            name: table_quantity(what, answers, SMALLEST).derived.value
            for name, what in (("O", "other-sum"), ("Q", "square-sum"))
        }
        argument.equal(
            f"{answers}: the engine's second moment",
            second.field(sums),
            table_quantity("second", answers, SMALLEST).derived.value,
        )
    return conclude(
        argument, scope=f"all odd p and k, S, R, m, every table; {_SPHERES}", summary="pairs"
    )


#: Sizes at which the squared mean is no small part of the second moment.
_WIDE = {"d": 5, "m": 1024}

section.pattern(
    identity,
    corrected("nichani.lem3.variance-identity"),
    {"variance": [table_quantity("variance", LONE, SMALLEST, **_WIDE)]},
    factors={
        "U": table_quantity("second", LONE, SMALLEST, **_WIDE),
        "X": table_quantity("mean", LONE, SMALLEST, **_WIDE),
    },
    **_GROUP,
)


#: Answers of the facts (s', r), (s, r') and (s', r'): 0 is a, 1 is b; None where there is no such fact.
_SMALL_TABLES = (
    *((answer, None, None) for answer in (0, 1, 2)),
    *((None, answer, None) for answer in (1, 2)),
    *((0, *rest) for rest in itertools.product((1, 2), repeat=2)),
    (1, 2, 2),
    *((2, *rest) for rest in itertools.product((1, 2), repeat=2)),
)


def _small_sums(table: Sequence[int | None]) -> tuple[RationalFunction, RationalFunction]:
    """The first sum of a table with and without the factor of the answers, p = k = 1."""
    whole = plain = ZERO
    for answer, kind in zip(table, ("subject-own", "relation-rival", "both-rival"), strict=True):
        if answer is not None:
            left, right = _overlaps(kind, SMALLEST)
            plain = plain + left * right
            whole = whole + left * right * ((1 + 1 / _d) if answer < 2 else 2 / _d)
    return whole, plain


#: One answer for both subjects in r, and b for s in the other relation: near equality.
_TWO_ANSWERS = ((0, 1), (0, 2))


@section.check(corrected("nichani.lem3.first-sum"), "proofs", method="term by term")
def first_sum(factor: RationalFunction) -> Evidence:
    argument = Argument()
    for table in _SMALL_TABLES:
        whole, plain = _small_sums(table)
        decided = decide_nonnegative(factor * plain - whole, {"d": 3})
        if searching() and isinstance(decided, Violation):
            d = decided.at["d"]
            counterexample = {
                "p = k": 1,
                "d": d,
                "answers of (s', r), (s, r'), (s', r')": ", ".join(
                    "none" if a is None else "ab"[a] if a < 2 else "another" for a in table
                ),
                "left": whole(d=d).as_fraction(),
                "right": (factor * plain)(d=d).as_fraction(),
            }
            return conclude(argument.refute(counterexample))
    argument.infer(
        "rho_ba' + rho_aa' is 1 + 1/d for a' = a or b, and 2/d else", "the values of rho-sum"
    )
    for value in (1 + 1 / _d, 2 / _d):
        argument.nonnegative(f"the factor is at least {value}", factor - value, {"d": 1})
    argument.infer("every term is at most the factor times it without", "the rho are positive")
    return conclude(
        argument, scope=f"all p, k, S, R, every table; {_SPHERES}", summary="term by term"
    )


@section.measured(corrected("nichani.lem3.first-sum"), method="interval", **_GROUP)
def first_sum_measured(printed: Printed) -> Cases:
    experiment = sampled_table(SMALLEST, _TWO_ANSWERS)
    sizes = {"d": 3, "S": 2, "R": 2}
    factor = printed["factor"].real(d=3)
    sources = tuple(Source(experiment, name, sizes) for name in ("first", "first-plain"))
    return [
        Case(
            "the first sum less the sum without the factor of the answers, times the factor",
            sizes,
            Statistic(sources, partial(_less, factor)),
            AtMost(0.0),
        )
    ]


def _less(factor: float, left: Interval, right: Interval) -> Interval:
    """The left quantity less *factor* times the right one, factor >= 0."""
    return difference(left, _scaled(factor, right))


@section.check("nichani.lem3.first-sum-count", "proofs", method="sign of the difference")
def first_sum_count(bound: Formula) -> Evidence:
    bounds = {
        (degrees.p, degrees.k): bound.field(degrees.names())
        for degrees in (SMALLEST, _FIRST, _SECOND, Degrees(3, 3, 0))
    }
    return conclude(
        lemma.first_sum_counted(bounds),
        scope=f"all p, k, S, R; {_SPHERES}",
        summary="terms counted, each with its bound",
    )


section.pattern(
    bounded_above,
    "nichani.lem3.second-sum",
    "bound",
    [answer_sum()],
    edge=[(answer_sum(), {"d": 3, "S": 3, "R": 2, "n": 1, "w": 1})],
    scope=f"all S, R, every table; {_SPHERES}",
    summary="(C(a) + C(b))(1 - 1/d) + 2SR/d",
    **_GROUP,
)


# -- the variance ---------------------------------------------------------------------------------


@cache
def _relative_variance() -> RationalFunction:
    """Var(gamma)/(E gamma)^2 at p = k = 1, sigma = h_0 + h_1 + h_2, n facts with the answer a."""
    d, S, R, m, n = symbols("d S R m n")
    shape = Shape(d, S, R, m, 1, 1, [1, 1, 1])
    table = Table(n, 0)
    mean = margin_mean(shape, table).value
    return margin_variance(shape, table).value / mean**2


@section.check(
    corrected("nichani.lem3.relative-variance"),
    "proofs",
    method="growth of both sides",
    seconds=120.0,
)
def relative_variance(printed: Printed) -> Evidence:
    parts = ("own", "subject", "relation", "both", "collisions", "facts")
    argument = Argument()
    d, S, R = symbols("d S R")

    def bound(degrees: Degrees) -> RationalFunction:
        fields = (printed[part].field(degrees.names()) for part in parts)
        return sum(fields, ZERO)

    cubic = Degrees(3, 3, 6)
    for degrees in (cubic, _SECOND, SMALLEST):
        noise = lemma.noise_without_neurons(degrees.p, degrees.k)
        grown = lemma.outgrown_on(lemma.WIDE_PATHS, noise, bound(degrees))
        if grown is not None:
            counterexample = {
                "p": degrees.p,
                "k": degrees.k,
                f"sigma^({degrees.order})": "constant",
                **grown,
            }
            return conclude(argument.refute(counterexample))
    grown = lemma.outgrown_on(lemma.PATHS, _relative_variance(), bound(SMALLEST))
    if grown is not None:
        counterexample = {"p = k": 1, "sigma": "h_0 + h_1 + h_2", **grown}
        return conclude(argument.refute(counterexample))
    for degrees in (SMALLEST, _FIRST, cubic):
        p, k = degrees.p, degrees.k
        wanted = {"subject": S / d**p, "relation": R / d**k, "both": S * R / d ** (p + k)}
        for name, value in wanted.items():
            field = printed[name].field(degrees.names())
            argument.equal(f"p = {p}, k = {k}: {name}", field, value)
    x, y = symbols("x y")
    rest = sum(fields(printed, "own", "collisions", "facts"), ZERO)
    return conclude(
        argument,
        lemma.variance_bound(rest + x + y + x * y),
        scope=f"fixed sigma with c_(p+k) not 0 and odd p, k; d >= d_0, all m, S, R; {_SPHERES}",
        summary="the sums, and the fluctuation of the fact itself",
    )


@section.check("nichani.lem3.epsilon-step", "proofs", method="powers of d")
def epsilon_step(printed: Printed) -> Evidence:
    multiple, up, more, power, left, right = numbers(
        printed, "multiple", "up", "more", "power", "left_log", "right_log"
    )
    return conclude(
        lemma.power_of_epsilon(int(multiple), bool(up), int(more), power, left, right),
        scope="every epsilon in (0, 1), with a constant that depends on it",
        summary="d^(1/eps - p) is at most d^(-1/eps)",
    )


@section.check("nichani.lem3.width-condition", "proofs", method="exponents compared")
def width_condition(
    rate: RationalFunction, log_power: RationalFunction, collisions: Fraction, facts: Fraction
) -> Evidence:
    """Both sides at equality in the conditions, and at C(a) = C(a*) = max C."""
    argument = Argument()
    q = RationalFunction.symbol("q")
    excess = 4 * q + 2 + 4 * q - rate
    logs = 4 * q + 2 - log_power
    argument.define("2^(4q+2) L^(4q+2) 2^(4q) X over 2^rate L^log_power X, X the larger count")
    for name, size, stated in (("C(a) + C(a*)", 2, collisions), ("SR", 1, facts)):
        for n in range(1, 8):
            surplus, log = (f(q=n).as_fraction() for f in (excess, logs))
            value = size * Fraction(2) ** int(surplus)
            if searching() and (log > 0 or value > stated):
                counterexample = {
                    "q": n,
                    "term": name,
                    "left, times C": f"{value} log^({log})(1/delta')",
                    "stated": f"{stated}",
                }
                return conclude(argument.refute(counterexample))
        argument.true(f"{name}: {size} 2^excess is at most {stated}", stated >= size, "excess 0")
    argument.nonnegative("the rate is at least 8q + 2", -excess, {"q": 1})
    argument.equal("the powers of the logarithm agree", logs, ZERO)
    return conclude(argument, scope="all q, delta', m, d, S, R", summary="powers of two cancel")


# -- the lemma ------------------------------------------------------------------------------------


@section.check("nichani.lem3.statement", "proofs", method="the memory of full degree")
def statement(printed: Printed) -> Evidence:
    keep_d, keep_m, keep_md = (bool(printed[f"keep_{name}"].number()) for name in ("d", "m", "md"))
    least = printed["least"].number()
    found = lemma.too_small_a_degree(least)
    if found is None and not keep_m:
        found = lemma.narrow()
    if found is None and not keep_d:
        found = lemma.bounded_dimension()
    if found is None and not keep_md:
        found = lemma.narrow_and_full()
    if found is not None:
        evidence = conclude(found)
        if found.witness is None:
            return evidence
        return replace(evidence, assumptions=tuple(found.assumptions))
    return conclude(
        lemma.split_degree(least),
        lemma.centred_features(),
        lemma.centred_variance(),
        lemma.recall(keep_d, keep_m, keep_md),
        scope=f"every epsilon in (0, 1), C_2 > 2 and sigma of degree q; every table; {_SPHERES}",
        summary="p + k = q with features centred over directions; the tail bound and a union bound",
    )
