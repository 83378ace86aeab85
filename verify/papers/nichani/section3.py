"""Checks of what Sec. 3 of Nichani et al. says around Theorems 1 and 2."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from typing import Any

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import symbols
from proofs.argument import Argument, searching
from proofs.citations import LARGE_NUMBERS
from proofs.derived import Derived
from proofs.hermite import coefficients, hermite, lemma_15, relu
from proofs.memories import mlp
from proofs.moments import Condition, Expression, dot, hermite_sum, mean
from proofs.moments.explicit import Instance
from proofs.papers.nichani import orders
from verify.checks.argument import conclude
from verify.checks.computed import deviation, rounding
from verify.checks.identity import identity
from verify.checks.section import Section, corrected
from verify.claim import Cases, Evidence
from verify.measuring.context import Context
from verify.measuring.measure import Experiment, Sizes, Statistic
from verify.measuring.quantities import Measured, Quantity
from verify.papers.nichani.mlp_memory import Indices, definition, term_quantity
from verify.papers.nichani.recall_orders import DRAWN, above_order, at_order, below_order, ntk_case
from verify.printed.formula import Formula
from verify.statistics import AtMost
from verify.verdict import Verdict

section = Section()

#: Embeddings that are asked for their recall are drawn in one process.
_GROUP = "recall of memories"


# -- one gradient step ----------------------------------------------------------------------------


def _gradient(claim: str, *, factored: bool) -> None:
    @section.check(claim, "proofs", method="derivative of the loss", builds=True)
    def exact(factor: RationalFunction) -> Evidence:
        return conclude(
            orders.gradient_step(factor, factored=factored),
            scope="all d, N, M, m, every f and step size, from the start 0",
            summary="the step is the matrix, entry by entry",
        )

    @section.check(claim, "numerics", method="automatic differentiation", builds=True)
    def measured(factor: Formula, context: Context) -> Evidence:
        from numerics.papers.nichani.correlation_loss import step_deviation

        found = step_deviation(factor.real(N=5, m=3), factored=factored, seed=context.seed)
        step = f"largest deviation relative to the largest entry: {found:.3g}"
        scope = "one draw, d = 7, N = 5, M = 6, m = 3, in float64"
        return deviation(step, found, scope, slack=rounding(absolute=1e-12))


_gradient("nichani.s3.gd-full", factored=False)
_gradient("nichani.s3.gd-lowrank", factored=True)


# -- two outputs, orthonormal inputs --------------------------------------------------------------


section.argued(
    "nichani.s3.noninjective",
    orders.two_outputs,
    method="counting labellings",
    scope="M = 2, every f, d >= 2; recall is certain for N <= d and rare from N = 3d + 1 on",
    summary="Cover's count of labellings",
)


@section.measured("nichani.s3.noninjective", method="linear programs", group=_GROUP, builds=False)
def noninjective_measured(power: Fraction) -> Cases:
    experiment = Experiment("two outputs", _two_outputs, afforded=4096, chunk=256)

    def recalled(N: int) -> Statistic:
        return Statistic.of(experiment, "recalled", {"d": 8, "N": N})

    return at_order(
        power,
        8,
        recalled,
        least=lambda d, power: round(d ** float(power)),
        most=lambda d, power: round(4 * d ** float(power)),
    )


def _two_outputs(**arguments: Any) -> Mapping[str, Any]:
    from numerics.papers.nichani.separability import two_output_recall

    return {"recalled": two_output_recall(**arguments)}


section.argued(
    "nichani.s3.one-hot",
    lambda printed: orders.orthogonal_inputs(printed["most"].field(), attained=True),
    method="distinct inputs",
    scope="all d, any outputs",
    summary="d inputs, each its own key",
)


@section.check("nichani.s3.one-hot", "numerics", method="recall of one-hot inputs", builds=False)
def one_hot_measured(most: Formula, context: Context) -> Evidence:
    """The largest N that is recalled where the inputs run through the standard basis, and again."""
    from numerics.papers.nichani.one_hot import largest_recalled

    steps = []
    for d in (1, 3, 6):
        stated, found = most.at(d=d), largest_recalled(d, seed=context.seed)
        steps.append(f"d = {d}: {found} facts recalled, not {found + 1}; stated {stated}")
        if found != stated:
            return Evidence(
                Verdict.REFUTED,
                "",
                steps[-1],
                scope=f"d = {d}",
                steps=tuple(steps),
                counterexample={"d": d, "recalled": found, "stated": stated},
            )
    return Evidence(
        Verdict.SUPPORTED, "", "as many as dimensions", scope="d = 1, 3, 6", steps=tuple(steps)
    )


# -- eq. (3) and the polynomial memory ------------------------------------------------------------


def _feature_quantity(kind: str, k: int) -> Quantity:
    """E[h_k(<w, e_z>) sigma(<w, e_x>)] for z = x, "own"; times <e_x, e_z>^k for z != x, "other"."""
    it = definition(k)
    at = Indices(it)
    own = kind == "own"
    z = it.x if own else at.z

    def expression() -> Expression:
        w, c = it.w[at.i], [RationalFunction.symbol(f"c{j}") for j in range(k + 2)]
        value: Expression = hermite(k, dot(w, it.e[z])) * hermite_sum(c, dot(w, it.e[it.x]))
        return value if own else value * dot(it.e[it.x], it.e[z]) ** k

    @cache
    def exact() -> Derived:
        given: list[Condition] = [] if own else [at.z != it.x]
        derived = mean(expression(), given, name="C")
        return replace(derived, scope=f"k = {k}, sigma of degree {k + 1}; {derived.scope}")

    def enumerate_(sizes: Sizes) -> RationalFunction:
        instance = Instance(
            {it.inputs: 2, it.outputs: 3, it.neurons: 1},
            {it.x: 0, at.i: 0, at.z: 1},
            {it.association: range(2)},
            {"d": sizes["d"], "N": 2, "M": 3, "m": 1, **_coefficients(k)},
        )
        return instance.expectation([expression()], sizes["d"])

    symbol = (
        "E[h_k(<w, e_x>) sigma(<w, e_x>)]" if own else "E[h_k(<w, e'>) sigma(<w, e>) <e, e'>^k]"
    )
    return Quantity(
        f"feature.{kind}, k = {k}",
        f"{symbol}, k = {k}",
        exact,
        {"d": 1},
        enumerate_,
        ({"d": 1}, {"d": 2}),
        Measured(_feature_experiment(k), (f"power.{kind}",), ({"d": 2}, {"d": 3})),
        kind,
        names={"c": RationalFunction.symbol(f"c{k}"), "k": RationalFunction.constant(k)},
        parameters=_coefficients(k),
    )


def _feature_experiment(k: int) -> Experiment:
    return Experiment(f"features, k = {k}", partial(_features, k), chunk=8192)


def _coefficients(k: int) -> dict[str, Fraction]:
    return {f"c{j}": Fraction(5, 2) if j == k else Fraction(1) for j in range(k + 2)}


def _features(k: int, **arguments: Any) -> Mapping[str, Any]:
    from numerics.papers.nichani.feature_memory import limit_observables

    sigma = tuple(map(float, _coefficients(k).values()))
    return limit_observables(N=2, k=k, sigma=sigma, m=1, factor=0.0, **arguments)


def _overlap_power(k: int) -> Quantity:
    """E <e, e'>^(2k)."""
    quantity = term_quantity("overlap", "generic", k - 1)
    measured = Measured(_feature_experiment(k), ("overlap.other",), ({"d": 2}, {"d": 3}))
    return replace(quantity, symbol=f"E <e, e'>^{2 * k}", measured=measured)


section.pattern(
    identity,
    corrected("nichani.s3.eq3"),
    {kind: [_feature_quantity(kind, 2)] for kind in ("own", "other")},
    factors={"K": _overlap_power(2)},
    group="neurons",
)


@section.check("nichani.s3.eq3.corrected", "proofs", method="every degree")
def eq3(own: RationalFunction, other: RationalFunction) -> Evidence:
    argument = Argument()
    argument.include(lemma_15())
    c, overlap = symbols("c K")
    argument.equal("the factor is c_k", own, c)
    argument.equal("and the power of the overlap is k", other, c * overlap)
    argument.infer(
        "E_w[h_k(<w, e'>) sigma(<w, e>)] = c_k <e, e'>^k", "Lemma 15: only h_k in sigma contributes"
    )
    argument.cite("the mean over m neurons tends to it almost surely", LARGE_NUMBERS)
    return conclude(argument, scope="all k, d, N, M, every f, unit embeddings", summary="Lemma 15")


@section.check("nichani.s3.k-log", "proofs", method="orders of the exact variance")
def polynomial_capacity(power: Formula) -> Evidence:
    arguments = []
    for k in (1, 2, 3, 4):
        arguments.append(orders.polynomial_order(k, power.at(k=k)))
        if arguments[-1].witness is not None:
            return conclude(arguments[-1])
    return conclude(
        *arguments,
        scope="k = 1, 2, 3, 4; sphere embeddings, injective f",
        summary="variance of order one at d^(k+1)",
        bounded=True,
    )


@section.measured("nichani.s3.k-log", method="recall below and above", group=_GROUP, builds=False)
def polynomial_capacity_measured(power: Formula) -> Cases:
    """k = 2 at d = 16: at d^power/(16 log d^power) facts most memories recall, at d^power/8 few do."""
    k, d = 2, 16
    experiment = Experiment("polynomial failures", partial(_polynomial_failures, k), **DRAWN)

    def recalled(N: int) -> Statistic:
        sizes = {"d": d, "N": N, "M": N}
        return Statistic.of(experiment, "recalled", sizes)

    return at_order(power.at(k=k), d, recalled, least=below_order, most=above_order)


def _polynomial_failures(k: int, **arguments: Any) -> Mapping[str, Any]:
    from numerics.observables import Event
    from numerics.papers.nichani.feature_memory import failures

    return {"recalled": Event(1 - failures(k=k, **arguments).values)}


# -- the ReLU -------------------------------------------------------------------------------------


@section.check(
    corrected("nichani.s3.relu-ntk"), "proofs", method="Hermite coefficients of the ReLU"
)
def relu_ntk(first: int, step: int) -> Evidence:
    degrees = [first + j * step for j in range(4)]
    found = coefficients("relu", max(degrees) + 1)
    argument = Argument()
    argument.include(relu())
    for k in degrees:
        if searching() and found[k + 1] == 0:
            witness = {"k": k, f"c_{k + 1} = E[max(0, g) h_{k + 1}(g)]": 0, "mean margin": 0}
            return conclude(argument.refute(witness))
        argument.true(f"k = {k}: c_{k + 1} is not 0", found[k + 1] != 0, str(found[k + 1]))
    argument.true(
        "k + 1 is even for every k listed", step % 2 == 0 and first % 2 == 1, "so c is not 0"
    )
    argument.infer(
        "E[sigma'(<w, e_x>) h_k(<w, e_z>)] = sqrt(k+1) c_{k+1} <e_x, e_z>^k for the ReLU too",
        "sigma' is in L^2, Lemma 15; its coefficients are sqrt(j) c_j by parts",
    )
    for k in (1, 3):
        argument.include(_odd_means(k))
    argument.infer("a convex loss of F is convex in the q_i", "F_NTK is linear in them")
    return conclude(
        argument,
        scope="k = 1, 3, 5, ..., d >= 2, every width; sphere embeddings, injective f",
        summary="even coefficients do not vanish",
    )


def _odd_means(k: int) -> Argument:
    """The mean for odd k, y inside and outside the image, from the engine."""
    d, N, m = symbols("d N m")
    argument = Argument()
    whole = RationalFunction.root(k + 1) * RationalFunction.symbol(f"c{k + 1}")
    power = term_quantity("overlap", "generic", (k - 1) // 2).derived.value
    for inside, wanted in ((False, whole), (True, whole * (1 - power))):
        found = mlp.margin_mean(d, N, m, k=k, sigma=k + 1, y_in_image=inside).value
        where = "inside" if inside else "outside"
        argument.equal(f"k = {k}, y {where} the image: the engine's mean", found, wanted)
    return argument


@section.measured(
    corrected("nichani.s3.relu-ntk"), method="recall with the ReLU", group=_GROUP, builds=False
)
def relu_measured(first: int, step: int) -> Cases:
    """At d = 32, N = 16, m = 8192 most memories of the first two degrees recall all facts."""
    return [
        ntk_case("relu", k, {"d": 32, "N": 16, "M": 16, "m": 8192}, AtMost(0.5))
        for k in (first, first + step)
    ]
