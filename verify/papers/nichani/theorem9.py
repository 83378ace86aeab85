"""Checks of Theorem 9 of Nichani et al. (Sec. 3.2, Theorem 2) and of its proof (App. B)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from proofs.algebra import RationalFunction, leading
from proofs.algebra.symbols import ONE, ZERO, symbols
from proofs.argument import Argument, Witness, search, searching
from proofs.citations import HOELDER
from proofs.hermite import derivative_rule, hermite, lemma_15
from proofs.memories import mlp
from proofs.moments import Expression, dot, hermite_sum, mean, sum_over
from proofs.papers.nichani import mlp as mlp_theorem
from verify.checks.argument import conclude
from verify.checks.computed import deviation, rounding
from verify.checks.identity import identity
from verify.checks.inequality import bounded_above
from verify.checks.section import Section, corrected
from verify.claim import Evidence, Printed
from verify.measuring.context import Context
from verify.measuring.quantities import Pairs, Quantity
from verify.papers.nichani import linear_memory
from verify.papers.nichani.mlp_memory import (
    CROSS,
    Indices,
    cross_quantity,
    definition,
    names,
    reading_product,
    sum_quantity,
    term_quantity,
)
from verify.printed.formula import Formula, fields, numbers
from verify.verdict import Verdict

section = Section()
_GROUP = "neurons"
_WEIGHTS = "sphere embeddings, Gaussian weights"
#: Degrees of the features at which what is said of all even ones is derived, and odd ones.
_EVEN, _ODD = (0, 2, 4), (1, 3)
_linear = linear_memory.quantities()
_KINDS = ("own", "rival", "generic")


def _both(name: str, degrees: tuple[int, ...]) -> list[Quantity]:
    return [sum_quantity(name, k, inside) for k in degrees for inside in (True, False)]


# -- from the network to its linearised form ------------------------------------------------------


@section.check(corrected("nichani.thm9.linearisation"), "proofs", method="powers of epsilon")
def linearisation(printed: Printed) -> Evidence:
    weights = numbers(printed, "weight_a", "weight_b")
    shifts = numbers(printed, "shift_a", "shift_b")
    return conclude(
        mlp_theorem.paired_network(weights, shifts, int(printed["order"].number())),
        scope="every polynomial activation, fixed weights and input",
        summary="the powers of epsilon below the order cancel",
    )


@section.check(
    corrected("nichani.thm9.linearisation"), "numerics", method="shrinking epsilon", builds=True
)
def linearisation_measured(printed: Printed, context: Context) -> Evidence:
    """The deviation of a true network from F_NTK at epsilon and at epsilon/10, in float64."""
    from numerics.papers.nichani.mlp_linearisation import deviations

    scales = (1e-2, 1e-3)
    far, near = deviations(
        [float(w) for w in numbers(printed, "weight_a", "weight_b")],
        [float(s) for s in numbers(printed, "shift_a", "shift_b")],
        scales,
        seed=context.seed,
    )
    stated = printed["order"].real()
    wanted = 10.0**stated
    record = (
        f"deviation relative to F_NTK: {far:.3g} at epsilon = {scales[0]:g}, {near:.3g} at "
        f"{scales[1]:g}; an order {stated:g} makes the ratio {wanted:g}"
    )
    # The next order in epsilon is a hundred times smaller at the larger epsilon already.
    holds = near < far < 1 and far / near > wanted / 2
    return Evidence(
        Verdict.SUPPORTED if holds else Verdict.REFUTED,
        "",
        f"{far:.2g}, then {near:.2g}",
        scope="one network, d = 8, m = 16, sigma of degree 3",
        steps=(record,),
        counterexample=None if holds else {"deviations": record},
    )


@section.check("nichani.thm9.ntk-memory", "proofs", method="substituting q_i", builds=True)
def ntk_memory(printed: Printed) -> Evidence:
    argument = Argument()
    argument.define("F_NTK is linear in q_i; the difference of the two margins must be 0")
    for k in (0, 1, 2):
        it = definition(k)
        at = Indices(it)
        w, x, key = it.w[at.i], it.e[it.x], it.e[at.z]
        feature = hermite(k, dot(w, key)) * dot(it.v[at.i], it.u[it.association(at.z)])
        q = sum_over(at.z, feature * key) / RationalFunction.symbol("m")
        reading = dot(it.v[at.i], it.contrast())
        ntk = sum_over(at.i, reading * hermite_sum(it.slope, dot(w, x)) * dot(q, x))
        stated = _closed_form(printed, it, at, k)
        difference = mean((ntk - stated) ** 2, it.given(0, 0)).value
        words = f"k = {k}: E of the squared difference of the margins"
        if not argument.equal(words, difference, ZERO):
            sizes = {"d": 1, "N": 1, "m": 2, **{f"c{j}": 1 for j in range(1, k + 2)}}
            witness = {
                "k": k,
                "at": "d = N = 1, m = 2, c_j = 1",
                "E of the squared difference": str(difference(**sizes)),
            }
            return conclude(argument.refute(witness))
    argument.infer("the same for every k", "only h_k was substituted for the feature")
    return conclude(
        argument,
        scope="all k, d, N, M, m, every f",
        summary="the two margins are the same function",
    )


def _closed_form(printed: Printed, it: mlp.Definition, at: Indices, k: int) -> Expression:
    """The margin as printed: its factor, feature, key and derivative."""
    more, key, derivative = (int(n) for n in numbers(printed, "more", "key", "derivative"))
    coefficients = [RationalFunction.symbol(f"c{j}") for j in range(k + 2)]
    for _ in range(derivative):
        coefficients = [RationalFunction.root(j) * c for j, c in enumerate(coefficients) if j] or [
            ZERO
        ]
    w, x, z = it.w[at.i], it.e[it.x], it.e[at.z]
    neuron = it.reading(at.i, at.z) * hermite_sum(coefficients, dot(w, x))
    neuron = neuron * hermite(k + more, dot(w, z)) * dot(x, z) ** key
    total: Expression = sum_over([at.i, at.z], neuron) * printed["scale"].field()
    return total


@section.check("nichani.thm9.ntk-memory", "numerics", method="derivative of a network", builds=True)
def ntk_memory_measured(printed: Printed, context: Context) -> Evidence:
    """F_NTK as the derivative of a true network, by automatic differentiation."""
    from numerics.papers.nichani.mlp_linearisation import closed_form_deviation

    m = 6
    more, key, derivative = (int(n) for n in numbers(printed, "more", "key", "derivative"))
    found = closed_form_deviation(
        scale=printed["scale"].real(m=m),
        more=more,
        key=key,
        derivative=derivative,
        m=m,
        seed=context.seed,
    )
    step = f"the largest deviation relative to the largest entry is {found:.3g}"
    scope = f"one network, d = 5, N = 7, m = {m}, k = 2, in float64"
    return deviation(step, found, scope, slack=rounding(absolute=1e-9))


# -- the mean -------------------------------------------------------------------------------------

section.pattern(
    identity, corrected("nichani.thm9.mean"), {"mean": _both("mean", _EVEN)}, group=_GROUP
)


@section.check("nichani.thm9.mean.corrected", "proofs", method="every even degree and every map")
def mean_for_every_degree(mean: Formula) -> Evidence:
    argument = Argument()
    argument.include(derivative_rule(), lemma_15())
    r, c = symbols("r c")
    argument.equal("the coefficient of h_k in sigma' is r c", mean.field(), r * c)
    argument.infer(
        "E[sigma'(<w, e_x>) h_k(<w, e_z>)] = r c <e_x, e_z>^k, and E[<v, a> <v, b>] = <a, b>",
        "Lemma 15, and v is standard Gaussian",
    )
    argument.include(mlp_theorem.same_sign_argument(even=True))
    argument.infer(
        "the terms z != x vanish, and z = x gives E[<u_f(x) - u_y, u_f(x)>] = 1",
        "they contain <e_x, e_z>^(k+1), an odd power; other inputs with the output f(x) too",
    )
    for k in _EVEN:
        d, N, m, same, other = map(RationalFunction.symbol, ("d", "N", "m", "same", "other"))
        general = mlp.margin_mean(d, N, m, k=k, sigma=k + 1, same=same, other=other)
        argument.equal(
            f"k = {k}, any numbers of inputs with the outputs f(x) and y: the engine's mean",
            general.value,
            mean.field(names(k)),
        )
    return conclude(
        argument, scope=f"all even k, all d, N, M, m, every f; {_WEIGHTS}", summary="Lemma 15"
    )


def _degrees(printed: Printed) -> tuple[int, ...]:
    return (1,) if printed["parity"].number() else (0, 2)


def _sums(printed: Printed) -> Pairs:
    return {"sum": _both("sum", _degrees(printed))}


def _crosses(printed: Printed) -> Pairs:
    return {
        sharing: [cross_quantity(sharing, facts, k) for k in _degrees(printed) for facts in CROSS]
        for sharing in ("same", "other")
    }


section.pattern(identity, "nichani.thm9.mean-sum", _sums, group=_GROUP)
section.pattern(identity, "nichani.thm9.cross-terms", _crosses, group=_GROUP)


@section.check(
    ("nichani.thm9.mean-sum", "nichani.thm9.cross-terms"),
    "proofs",
    method="every even degree and every map",
)
def every_even_degree(printed: Printed) -> Evidence:
    argument = mlp_theorem.same_sign_argument(even=not printed["parity"].number())
    argument.infer(
        "what is left is E[<u_f(x) - u_y, u_f(x)>] = 1, or nothing",
        "of two different facts one is not x, and its embedding occurs once with <e_x, e_z>",
    )
    stated = {"sum": 1, "same": 0, "other": 0}
    for name in sorted(set(printed) & set(stated)):
        argument.equal(name, printed[name].field(), RationalFunction.constant(stated[name]))
    return conclude(
        argument,
        scope=f"all even k, all d, N, M, m, every f; {_WEIGHTS}",
        summary="odd in the embedding of a fact",
    )


# -- products of two terms ------------------------------------------------------------------------


def _factors(k: int) -> dict[str, Quantity]:
    return {
        "O": _linear["signal-squared"],
        "R": _linear["coincident-squared"],
        "G": _linear["generic-squared"],
        "K": term_quantity("overlap", "generic", k),
    }


section.pattern(
    identity,
    corrected("nichani.thm9.offdiag"),
    {f"other_{kind}": [term_quantity("other", kind, 2)] for kind in _KINDS},
    factors=_factors(2),
    group=_GROUP,
)
section.pattern(
    identity,
    "nichani.thm9.uu-moment",
    {
        "own": [_linear["signal-squared"]],
        "rival": [_linear["coincident-squared"]],
        "generic": [_linear["generic-squared"]],
    },
)
section.pattern(
    identity,
    "nichani.thm9.decomposition",
    {
        f"second_{where}": [sum_quantity("second", 0, where == "inside")]
        for where in ("inside", "outside")
    },
    factors={
        f"{letter}{where[0]}": sum_quantity(name, 0, where == "inside")
        for letter, name in (("O", "other-sum"), ("D", "diag-sum"))
        for where in ("inside", "outside")
    },
    group=_GROUP,
)


@section.check("nichani.thm9.decomposition", "proofs", method="every even degree")
def decomposition(printed: Printed) -> Evidence:
    """The m^2 pairs of neurons: m with i = j, m (m - 1) with i != j; facts z != z' cancel."""
    argument = Argument()
    m = RationalFunction.symbol("m")
    for where, place in (("inside", "i"), ("outside", "o")):
        two, one = (RationalFunction.symbol(f"{letter}{place}") for letter in "OD")
        stated = printed[f"second_{where}"]
        argument.equal(
            f"y {where}: (m (m-1) O + m D)/m^2",
            stated.field(),
            (m * (m - 1) * two + m * one) / m**2,
        )
        for k in (2, 4):
            second, other, diag_ = (
                sum_quantity(name, k, where == "inside").derived.value
                for name in ("second", "other-sum", "diag-sum")
            )
            sums = {f"O{place}": other, f"D{place}": diag_}
            argument.equal(
                f"k = {k}, y {where}: the engine's second moment", stated.field(sums), second
            )
    argument.include(mlp_theorem.same_sign_argument(even=True))
    return conclude(
        argument,
        scope=f"all even k, all d, N, M, m, every f; {_WEIGHTS}",
        summary="pairs of neurons",
    )


@section.check("nichani.thm9.offdiag.corrected", "proofs", method="every even degree")
def offdiag_for_every_degree(printed: Printed) -> Evidence:
    argument = Argument()
    argument.include(derivative_rule(), lemma_15())
    c, k = symbols("c k")
    argument.infer(
        "given the embeddings the two neurons are independent, each with the mean "
        "sqrt(k+1) c <u_f(x) - u_y, u_f(z)> <e_x, e_z>^(k+1)",
        "Lemma 15 and h_(k+1)' = sqrt(k+1) h_k",
    )
    own, rival, generic, overlap = symbols("O R G K")
    for kind, factors in (("own", own), ("rival", rival * overlap), ("generic", generic * overlap)):
        argument.equal(
            f"the {kind} fact: the square of it",
            printed[f"other_{kind}"].field(),
            (k + 1) * c**2 * factors,
        )
    return conclude(argument, scope=f"all even k, all d, every f; {_WEIGHTS}", summary="Lemma 15")


# -- bounds on moments ----------------------------------------------------------------------------


def _overlap(k: int) -> Quantity:
    return term_quantity("overlap", "generic", k)


def _at(d: int, N: int = 2) -> dict[str, int]:
    return {"d": d, "N": N, "M": N + 1}


section.pattern(
    bounded_above,
    "nichani.thm9.lem12-use",
    "bound",
    [_overlap(k) for k in (0, 2, 4, 6)],
    edge=[(_overlap(0), _at(3)), (_overlap(2), _at(16))],
    scope="k = 0, 2, 4, 6, all d >= 1; every k by Lemma 12",
    summary="at most the printed bound",
    group=_GROUP,
)
section.pattern(
    bounded_above,
    "nichani.thm9.e4",
    "square",
    [_overlap(1)],
    edge=[(_overlap(1), _at(3)), (_overlap(1), _at(16))],
    scope="all d >= 1; at x = z the overlap is 1",
    summary="3/(d(d+2)) is at most 16/d^2",
    group=_GROUP,
)
section.pattern(
    bounded_above,
    corrected("nichani.thm9.vv-step"),
    "square",
    [reading_product()],
    edge=[
        (reading_product(), {"d": 1, "N": 1, "M": 2}),
        (reading_product(), {"d": 4, "N": 1, "M": 2}),
    ],
    scope=f"all d >= 1; {_WEIGHTS}",
    summary="36 (1 + 1/d) is at most (6 + 3/d)^2",
    group=_GROUP,
)
section.pattern(
    bounded_above,
    "nichani.thm9.vv-bound",
    "bound",
    [term_quantity("value", kind, 0) for kind in _KINDS],
    edge=[(term_quantity("value", kind, 0), _at(2, 3)) for kind in _KINDS],
    scope=f"all d >= 1, every f; {_WEIGHTS}",
    summary="4 + 2/d and 2 + 4/d are at most 6",
    group=_GROUP,
)
section.pattern(
    bounded_above,
    corrected("nichani.thm9.first-sum"),
    "bound",
    _both("other-sum", (2, 4)),
    edge=[
        (sum_quantity("other-sum", 2, False), _at(6, 1)),
        (sum_quantity("other-sum", 2, False), _at(20, 1)),
        (sum_quantity("other-sum", 2, False), _at(2, 4)),
    ],
    scope=f"k = 2, 4, all d, N, M, injective f; {_WEIGHTS}",
    summary="the two sums are at most the printed bound",
    group=_GROUP,
)


@section.check("nichani.thm9.lem12-use", "proofs", method="every degree")
def overlap_for_every_degree(bound: Formula) -> Evidence:
    """From k to k + 1 the moment grows by less than the bound."""
    argument = Argument()
    p, d = symbols("p d")
    argument.define("p = k + 1; the moment of order 2p + 2 over that of order 2p is (2p+1)/(d+2p)")
    argument.nonnegative(
        "(2p+2)/d, which is at most the ratio of (2p/d)^p, exceeds it",
        (2 * p + 2) / d - (2 * p + 1) / (d + 2 * p),
        {"p": 1, "d": 1},
    )
    for k in range(7):
        wanted = ((2 * RationalFunction.constant(k) + 2) / d) ** (k + 1)
        argument.equal(f"k = {k}: the bound is ((2k+2)/d)^(k+1)", bound.field(names(k)), wanted)
    return conclude(argument, scope="all k >= 0, d >= 1", summary="ratios of successive moments")


@section.check("nichani.thm9.first-sum.corrected", "proofs", method="every map")
def first_sum_for_every_map(bound: Formula) -> Evidence:
    """Each z other than x adds at most (k+1) c^2 (1 + 1/d) E<e_z, e_x>^(2k+2), whatever its output."""
    argument = Argument()
    P, share = symbols("P x")
    d, N, c = symbols("d N c")
    argument.nonnegative(
        "E<u_f(x) - u_y, u_f(z)>^2 is at most 1 + 1/d for every z", 1 + 1 / d - 2 / d, {"d": 1}
    )
    argument.use(
        "E<e_z, e_x>^(2k+2) <= P/d^(k+1) with P = (2k+2)^(k+1), for every k",
        "nichani.thm9.lem12-use",
    )
    argument.nonnegative(
        "over (k+1) c^2, with x = N/d^(k+1): 1 + 1/d + 2 P x less (1 + 1/d)(1 + P x)",
        (1 + 1 / d) + 2 * P * share - (1 + 1 / d) * (1 + P * share),
        {"d": 1, "P": 0, "x": 0},
    )
    for k in (2, 4):
        named = {**names(k), "c": c}
        overlap = _overlap(k).derived.value
        most = (k + 1) * c**2 * (1 + 1 / d) * (1 + (N - 1) * overlap)
        argument.nonnegative(
            f"k = {k}: the bound less the sum",
            bound.field(named) - most,
            {"d": 1, "N": 1, "c": 0},
        )
    return conclude(
        argument, scope=f"all even k, all d, N, M, every f; {_WEIGHTS}", summary="term by term"
    )


@section.check("nichani.thm9.holder", "proofs", method="exponents and norms")
def holder(printed: Printed) -> Evidence:
    inner = [int(n) for n in numbers(printed, "inner_a", "inner_b", "inner_c")]
    outer = numbers(printed, "outer_a", "outer_b", "outer_c")
    argument = Argument()
    for name, i, o in zip(("sigma'", "h_k", "the overlap"), inner, outer, strict=True):
        argument.true(f"{name}: {i} times {o} is 2, the power on the left", i * o == 2, str(i * o))
    total = sum(outer, Fraction(0))
    argument.true(
        "the reciprocals of the exponents of the squares add up to one", total == 1, str(total)
    )
    argument.cite("E|ABC| <= ||A||_p ||B||_q ||C||_r for 1/p + 1/q + 1/r = 1", HOELDER)
    return conclude(
        argument.unless(mlp_theorem.three_norms_fail(inner, outer)),
        scope="every polynomial sigma, every k, d, x and z",
        summary="Hoelder with the exponents 4, 4 and 2",
    )


@section.check("nichani.thm9.hyper-sigma", "proofs", method="hypercontractivity")
def hyper_sigma(base: Fraction, less: Fraction) -> Evidence:
    return conclude(
        mlp_theorem.eighth_moment(base, int(less), derivative=True).unless(
            mlp_theorem.eighth_moment_fails(base, int(less), derivative=True)
        ),
        scope="every polynomial sigma of degree q >= 1",
        summary="7^(q-1) is enough",
    )


@section.check("nichani.thm9.hyper-h", "proofs", method="hypercontractivity")
def hyper_h(base: Fraction) -> Evidence:
    return conclude(
        mlp_theorem.eighth_moment(base, 0, derivative=False).unless(
            mlp_theorem.eighth_moment_fails(base, 0, derivative=False)
        ),
        scope="every k >= 0",
        summary="7^k is enough",
    )


@section.check("nichani.thm9.diag", "proofs", method="product of the bounds")
def diag(printed: Printed) -> Evidence:
    constant, norm, a, b, power = numbers(printed, "constant", "norm", "q_rate", "k_rate", "power")
    argument = Argument()
    argument.infer(
        "E[omega_iz^2] <= 6 * 8^q |sigma'|^2 * 8^k * (4/d, or 1 for x = z)",
        "v and w are independent: the bounds of the two factors, Hoelder and hypercontractivity",
    )
    argument.true("the constant is at least 6 * 4", constant >= 24, str(constant))
    argument.true("|sigma'| to the second power", norm == 2, str(norm))
    argument.true("2^(3q) and 2^(3k) are there", a >= 3 and b >= 3, f"2^({a} q + {b} k)")
    argument.true("1/d to the first power at most", power <= 1, str(power))
    return conclude(
        argument.unless(_diag_fails(constant, norm, a, b, power)),
        scope=f"all d, every f and sigma, even k; {_WEIGHTS}",
        summary="C = 24 |sigma'|^2",
    )


@search
def _diag_fails(
    constant: Fraction, norm: Fraction, a: Fraction, b: Fraction, power: Fraction
) -> Witness | None:
    """sigma = c z at k = 0, where E[omega^2] is c^2 (4 + 2/d) for z = x; then growth in d, and in k."""
    own, generic = (term_quantity("diag", kind, 0).derived.value for kind in ("own", "generic"))
    for scale in (1, 16, 256):
        bound = 2 * constant * Fraction(scale) ** int(norm) * Fraction(2) ** int(a)
        exact = own(d=1, c1=scale).as_fraction()
        if exact > bound:
            return {"sigma": f"{scale} z", "k": 0, "d": 1, "z": "x", "exact": exact, "bound": bound}
    shrinking = 1 / RationalFunction.symbol("d") ** int(power)
    grown = mlp_theorem.outgrown(generic(c1=1), shrinking, ("d",))
    return grown or mlp_theorem.mixed_moment_exceeds(a + b, 24 * Fraction(2) ** int(a) * 2)


# -- sums and the variance ------------------------------------------------------------------------


@section.check(corrected("nichani.thm9.second-sum"), "proofs", method="sum of the bounds")
def second_sum(constant: Fraction, norm: Fraction, power: Fraction) -> Evidence:
    d, N = symbols("d N")
    argument = Argument()
    argument.infer(
        "sum_z E[omega_iz^2] <= C 2^(3q+3k) (1 + 1/d + (N - 1)/d), C = 24 |sigma'|^2",
        "the bound on one term, for z = x and the N - 1 others",
    )
    argument.equal("1 + 1/d + (N-1)/d", 1 + 1 / d + (N - 1) / d, 1 + N / d ** int(power))
    argument.true("the constant is 24 or more", constant >= 24, str(constant))
    argument.true("|sigma'| to the second power", norm == 2, str(norm))
    return conclude(
        argument.unless(_second_sum_fails(constant, norm, power)),
        scope=f"all d, N, M, every f and sigma, even k; {_WEIGHTS}",
        summary="the bounds of the terms added up",
    )


@search
def _second_sum_fails(constant: Fraction, norm: Fraction, power: Fraction) -> Witness | None:
    """k = 0, sigma = 1 + c z: the smallest d and N at which the sum exceeds the bound, or growth."""
    outside = sum_quantity("diag-sum", 0, False).derived.value
    for c in (1, 2, 4, 16, 256):
        for d in range(1, 4):
            for N in range(1, 4):
                exact = outside(d=d, N=N, c1=c).as_fraction()
                scale = constant * Fraction(c) ** int(norm) * 8
                bound = scale * (1 + Fraction(N, d ** int(power)))
                if exact > bound:
                    return {
                        "k": 0,
                        "q": 1,
                        "sigma": f"1 + {c} z",
                        "d": d,
                        "N": N,
                        "exact": exact,
                        "printed": bound,
                    }
    d_, N_ = symbols("d N")
    return mlp_theorem.outgrown(outside(c1=1), 1 + N_ / d_ ** int(power), ("d", "N"))


def _narrow_ratio() -> str:
    """What Var(gamma)/(E gamma)^2 tends to at N = m = 1 as d grows, k = 2 and all c_j = 1."""
    limit = leading(_variance(2, shared=True)(N=1, m=1), {"d": 1})
    return f"tends to {(limit.term / 3).factored()}"


def _variance(k: int, *, shared: bool = False) -> RationalFunction:
    """The exact variance for sigma = h_0 + ... + h_{k+1}, in d, N, m: y in the image of an injective
    f, or all inputs with one output and y another."""
    sigma = [1] * (k + 2)
    d, N, m = symbols("d N m")
    same = N - 1 if shared else 0
    return mlp.margin_variance(d, N, m, k=k, sigma=sigma, same=same, y_in_image=not shared).value


@section.check(corrected("nichani.thm9.variance"), "proofs", method="growth of both sides")
def variance(printed: Printed) -> Evidence:
    parts = ("own", "neuron", "facts", "both")
    bound = sum((printed[p].field(names(2)) for p in parts), ZERO)
    for shared, f in ((False, "injective"), (True, "constant, y outside its image")):
        grown = mlp_theorem.outgrown(_variance(2, shared=shared), bound)
        if grown is not None:
            witness = {"k": 2, "sigma": "h_0 + h_1 + h_2 + h_3", "f": f, **grown}
            return conclude(Argument().refute(witness))
    x = RationalFunction.symbol("x")
    d, N = symbols("d N")
    terms = x + sum(fields(printed, "own", "neuron", "both"), ZERO)
    argument = mlp_theorem.variance_from_sums(terms)
    for k in (0, 2, 4):
        argument.equal(
            f"k = {k}: x is N/d^(k+1)", printed["facts"].field(names(k)), N / d ** (k + 1)
        )
    return conclude(
        argument,
        scope=f"all d, N, M, m, every f, even k; {_WEIGHTS}",
        summary="the constant exhibited serves all sizes",
    )


# -- degrees --------------------------------------------------------------------------------------


section.argued(
    "nichani.thm9.k-choice",
    mlp_theorem.degree_choice,
    method="powers of N",
    scope="every epsilon in (0, 1)",
    summary="C_1(epsilon) exists",
)


section.argued(
    (*corrected("nichani.thm9.wlog-sign"), *corrected("nichani.thm9.degree-bound")),
    mlp_theorem.degree_suffices,
    method="smallest degree allowed",
    scope="every epsilon in (0, 1) and integer q",
    summary="the integer q is large enough",
)


@section.check("nichani.thm9.degree", "proofs", method="formal degree and degree on a line")
def formal_degree(degree: Formula) -> Evidence:
    argument = Argument()
    for k, q in ((0, 1), (2, 3), (2, 4), (4, 5)):
        stated = degree.field({"k": ONE * k, "q": ONE * q})
        formal = mlp.definition(k, q).margin.degree()
        on_a_line = mlp_theorem.degree_on_a_line(k, q)
        if searching() and stated != formal:
            witness = {"k": k, "q": q, "degree": formal, "stated": str(stated)}
            return conclude(argument.refute(witness))
        argument.true(
            f"k = {k}, q = {q}: no term has a larger degree", stated == formal, str(formal)
        )
        argument.true(
            f"k = {k}, q = {q}: on a line through two points it is attained",
            on_a_line == formal,
            str(on_a_line),
        )
    argument.infer(
        "4 for the two readings, 2 (q - 1) for sigma', 2k for h_k, 2 for the key, for every k and q",
        "degrees of a product add up; the leading coefficients c_q and that of h_k are not 0",
    )
    return conclude(
        argument, scope="all k, q with c_q not 0, N >= 2", summary="formal degree, attained"
    )


# -- tail and theorem -----------------------------------------------------------------------------


def _kept(printed: Printed) -> tuple[bool, bool, bool]:
    d, m, md = (bool(printed[f"keep_{name}"].number()) for name in ("d", "m", "md"))
    return d, m, md


@section.check(corrected("nichani.thm9.concentration"), "proofs", method="variance and Lemma 14")
def concentration(printed: Printed) -> Evidence:
    keep_d, keep_m, keep_md = _kept(printed)
    rate = printed["rate"].number()
    argument = mlp_theorem.tail_from_variance(keep_d, keep_m, keep_md, rate)
    witness = mlp_theorem.variance_stays(_variance(4), keep_d, keep_m, keep_md)
    if not keep_m:
        narrow = mlp_theorem.width_one_tail()
        witness = {
            "m": 1,
            "d": "to infinity, N fixed",
            "P(gamma <= 0)": "at least 1/4 in the limit, whatever delta' is",
            "Var(gamma)/(E gamma)^2 at N = 1, k = 2, sigma = h_0 + h_1 + h_2 + h_3": _narrow_ratio(),
        }
        found = conclude(narrow.refute(witness))
        return replace(found, assumptions=tuple(narrow.assumptions))
    return conclude(
        argument.unless(witness),
        scope=f"epsilon in (0, 1), every sigma with q > 2/epsilon, every f; {_WEIGHTS}",
        summary="each term of the variance is small",
    )


@section.check(corrected("nichani.thm9.statement"), "proofs", method="one neuron, or the tail")
def statement(printed: Printed) -> Evidence:
    keep_d, keep_m, keep_md = _kept(printed)
    if not keep_m:
        plain = mlp_theorem.one_neuron_tells_two_outputs_apart()
        if not plain.holds:
            return conclude(plain)
        witness = {
            "m": 1,
            "N = M": "any number from 3 and C_1(epsilon) on",
            "f": "f(x) = x",
            "d": "any, as large as the condition on md asks",
            "why": "the scores of x are a multiple of <u_y, V>: at most two outputs ever win",
        }
        found = conclude(plain.refute(witness))
        return replace(
            found, scope="m = 1, every N >= 3 and d", assumptions=tuple(plain.assumptions)
        )
    if not keep_md:
        witness = {
            "sizes": "d = ceil(N^epsilon), m a power of log N, M = N to infinity",
            "P(recalled)": "tends to 0: the weights separate too few maps",
        }
        return conclude(mlp_theorem.too_few_weights().refute(witness))
    return conclude(
        mlp_theorem.tail_from_variance(keep_d, keep_m, keep_md, Fraction(1)),
        mlp_theorem.recall_from_tail(),
        scope=f"epsilon in (0, 1), every sigma with q > 2/epsilon, every f; {_WEIGHTS}",
        summary="tail, union bound, and paired neurons",
    )
