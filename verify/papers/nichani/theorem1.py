"""Checks of Theorem 1 of Nichani et al. (Sec. 3.1) and of its proof (App. B)."""

from __future__ import annotations

import itertools

from proofs.algebra import RationalFunction, Violation, decide_nonnegative
from proofs.algebra.symbols import ZERO, symbols
from proofs.argument import Argument, searching
from proofs.citations import BOOLE, SPHERE_ROTATION
from proofs.concentration.sphere import coordinate_moment
from proofs.memories.linear import definition
from proofs.moments import dot, mean
from proofs.papers.nichani import linear as explicit_theorem
from verify.checks.argument import conclude
from verify.checks.identity import identity
from verify.checks.inequality import bounded_above
from verify.checks.parameters import made_of
from verify.checks.section import Section
from verify.claim import Evidence, Printed
from verify.measuring.context import Context
from verify.papers.nichani.growing_outputs import pairs_divided, refuted_by_outputs
from verify.papers.nichani.linear_memory import kappa, quantities
from verify.printed.formula import numbers
from verify.verdict import Verdict

section = Section()
q = quantities()

_SPHERES = "sphere embeddings, injective f"

section.pattern(
    identity,
    "nichani.thm1.mean",
    {
        "mean": [q["mean.inside"], q["mean.outside"]],
        "signal": [q["signal"]],
        "key": [q["key"]],
    },
)
section.pattern(
    identity,
    "nichani.thm1.term-moments",
    {
        "signal": [q["signal-squared"]],
        "key": [q["key-squared"]],
        "generic": [q["generic-squared"]],
        "coincident": [q["coincident-squared"]],
    },
)
section.pattern(
    identity,
    "nichani.thm1.second-moment",
    {
        "second_moment": [q["second-moment.inside"], q["second-moment.outside"]],
        "variance": [q["variance.inside"], q["variance.outside"]],
    },
)
section.pattern(
    identity,
    "nichani.thm1.second-moment.corrected",
    {
        "second_moment_inside": [q["second-moment.inside"]],
        "second_moment_outside": [q["second-moment.outside"]],
        "variance_inside": [q["variance.inside"]],
        "variance_outside": [q["variance.outside"]],
    },
)
_FACTORS = {
    "S": q["signal-squared"],
    "K": q["key-squared"],
    "G": q["generic-squared"],
    "B": q["coincident-squared"],
}
section.pattern(
    identity,
    "nichani.thm1.second-moment-split",
    {
        "cross_terms": [q["cross-terms.inside"], q["cross-terms.outside"]],
        "inside": [q["second-moment.inside"]],
        "outside": [q["second-moment.outside"]],
    },
    factors=_FACTORS,
)
section.pattern(
    identity,
    "nichani.thm1.independence",
    {
        "mean": [q["key"]],
        "pair": [q["key-pair"]],
        "squares": [q["key-square-pair"]],
        "three_squares": [q["key-square-triple"]],
    },
)
section.pattern(
    bounded_above,
    "nichani.thm1.variance-bound",
    "bound",
    [q["variance.inside"], q["variance.outside"]],
    # The extremal constant 2 is approached as d grows at small N, and as N grows.
    edge=[
        (q["variance.inside"], {"d": 16, "N": 2, "M": 2}),
        (q["variance.inside"], {"d": 2, "N": 4, "M": 4}),
    ],
    scope=f"all d >= 1, N >= 1, M; {_SPHERES}",
    summary="C = 2 holds for all sizes",
)


@section.check("nichani.thm1.statement", "proofs", method="growing number of outputs")
def statement(printed: Printed, context: Context) -> Evidence:
    if "outputs_power" not in printed:  # a condition in log(NM), as the correction states it
        return corrected_statement(printed, context)
    return refuted_by_outputs(printed)


@section.check("nichani.thm1.statement.corrected", "proofs", method="reduction to the closed form")
def corrected_statement(printed: Printed, context: Context) -> Evidence:
    lead = context.formulas("nichani.thm1.explicit.closed-form")["lead"]
    return conclude(
        made_of(explicit_theorem.logarithmic_form, {**printed, "lead": lead}),
        scope=f"all d, N >= 1, M >= 2 under the condition; {_SPHERES}",
        summary="proved from the closed form, constants 32 and 16",
    )


@section.check("nichani.thm1.degree", "proofs", method="formal degree and a test function")
def formal_degree(degree: int) -> Evidence:
    m = definition()
    f, x, y, z = m.association, m.x, m.y, m.inputs.index("z")
    test = dot(m.u[f(x)], m.u[f(z)]) * dot(m.e[z], m.e[x])
    given = [x != z, y != f(x), f(x) != f(z), y != f(z), *m.given(0, 0)[2:]]
    overlap = mean(m.margin * test, given).value
    argument = Argument()
    argument.true(
        "the margin is homogeneous of this degree in the coordinates",
        {2 * len(term.edges) for term in m.margin.terms} == {degree},
        f"its terms have degree {m.margin.degree()}",
    )
    argument.equal(
        "E[gamma <u_f(x), u_f(z)> <e_z, e_x>] = 1/d^2, not 0, while every polynomial of lower "
        "degree misses one of the four vectors and gives 0",
        overlap,
        1 / RationalFunction.symbol("d") ** 2,
    )
    wrong = None if m.margin.degree() == degree else {"degree": m.margin.degree(), "stated": degree}
    return conclude(
        argument.unless(wrong),
        scope="as a formal polynomial for all N >= 1; also on the spheres, for N >= 2",
        summary="homogeneous of degree 4, not a lower one on the spheres",
    )


@section.check("nichani.thm1.tail", "proofs", method="explicit tail, C = 64")
def tail(printed: Printed, context: Context) -> Evidence:
    C, first, second, inputs, keep_first, keep_second = numbers(
        printed, "C", "first", "second", "inputs", "keep_first", "keep_second"
    )
    first_kept, second_kept, counted = keep_first == 1, keep_second == 1, inputs == 1
    bound = context.formulas("nichani.thm1.variance-bound")["bound"].field()
    sizes = (int(C), int(first), int(second), int(inputs))
    return conclude(
        explicit_theorem.variance_condition(
            C, first, second, both_kept=first_kept and second_kept and counted, bound=bound
        ).unless(
            explicit_theorem.variance_condition_witness(
                *sizes, keep_first=first_kept, keep_second=second_kept
            )
        ),
        explicit_theorem.logarithm_to_the_fourth(
            C, first, second, inputs_counted=counted and second_kept, kappa=kappa(context)
        ),
        scope=f"all d, N >= 1, M >= 2, 0 < delta < 1 under the hypotheses; {_SPHERES}",
        summary="both conclusions hold with C = 64, without Lemma 14",
    )


@section.check("nichani.thm1.delta-form", "proofs", method="explicit tail and union bound")
def delta_form(printed: Printed, context: Context) -> Evidence:
    C, first, second, inputs, kept = numbers(
        printed, "C", "first", "second", "inputs", "keep_second"
    )
    return conclude(
        explicit_theorem.logarithm_to_the_fourth(
            C, first, second, inputs_counted=inputs == 1 and kept == 1, kappa=kappa(context)
        ),
        made_of(pairs_divided, printed),
        scope=f"all d, N >= 1, M >= 2, 0 < delta < 1 under the hypotheses; {_SPHERES}",
        summary="holds with C = 64",
    )


@section.check("nichani.thm1.degree", "numerics", method="finite differences on a line")
def degree_on_a_line(degree: int, context: Context) -> Evidence:
    """Along E + t E', U + t U' the margin is a polynomial in t: its differences tell its degree.

    Integer embeddings make every difference exact in float64, so the test is exact as well.
    """
    from numerics.draws.linear_margin import margins_on_a_line

    values = margins_on_a_line(d=3, N=3, M=4, points=degree + 2, seed=context.seed)
    for _ in range(degree):
        values = [right - left for left, right in itertools.pairwise(values)]
    last, beyond = values[0], values[1] - values[0]
    record = (
        f"integer vectors in R^3, N = 3, M = 4: difference {degree} of the margin is {last:g}, "
        f"difference {degree + 1} is {beyond:g}"
    )
    holds = last != 0 and beyond == 0
    return Evidence(
        Verdict.SUPPORTED if holds else Verdict.REFUTED,
        "",
        f"difference {degree} is {last:g}, the next {beyond:g}",
        scope="one line through integer embeddings, exact in float64",
        steps=(record,),
        counterexample=None if holds else {"line": record},
    )


@section.check("nichani.thm1.independence", "proofs", method="moments of all orders")
def independence(printed: Printed) -> Evidence:
    """Joint moments of the keys factor, and their law given e_x is the same for every e_x."""
    m = definition()
    x, a, b = m.x, m.inputs.index("a"), m.inputs.index("b")
    given = [x != a, x != b, a != b]
    first, second = dot(m.e[a], m.e[x]), dot(m.e[b], m.e[x])
    moments = [coordinate_moment(p) for p in range(4)]
    argument = Argument()
    argument.equal("E[e_a^T e_x]", printed["mean"].field(), mean(first, given[:1]).value)
    argument.equal(
        "E[(e_a^T e_x)(e_b^T e_x)]", printed["pair"].field(), mean(first * second, given).value
    )
    argument.equal("two squares", printed["squares"].field(), moments[1] ** 2)
    argument.equal("three squares", printed["three_squares"].field(), moments[1] ** 3)
    for j in range(1, 7):
        for k in range(j, 7):
            joint = mean(first**j * second**k, given).value
            zero = ZERO
            product = zero if j % 2 or k % 2 else moments[j // 2] * moments[k // 2]
            argument.equal(
                f"E[(e_a^T e_x)^{j} (e_b^T e_x)^{k}] is the product of the two", joint, product
            )
    argument.cite(
        "given e_x the keys are independent, each with the law of a first coordinate, whatever e_x "
        "of norm one; so they are independent without the condition",
        SPHERE_ROTATION,
    )
    return conclude(
        argument,
        scope="d >= 1, any number of keys",
        summary="joint moments factor; the conditional law does not depend on e_x",
    )


@section.check("nichani.thm1.union", "proofs", method="counting pairs")
def union(pairs: RationalFunction, divisor: RationalFunction) -> Evidence:
    """N (M-1) pairs; delta' N (M-1) <= delta. Both are sharp: disjoint events attain Boole's bound."""
    N, M = symbols("N M")
    counted = {
        (n, k): sum(1 for x in range(n) for y in range(k) if y != x)
        for n in range(1, 5)
        for k in range(n, 6)
    }
    argument = Argument()
    for (n, k), number in counted.items():
        stated = pairs(N=n, M=k)
        if not argument.true(
            f"{number} pairs (x, y), y != f(x), at N = {n}, M = {k}", stated == number, "counted"
        ):
            witness = {"N": n, "M": k, "pairs": number, "stated": str(stated)}
            return conclude(argument.refute(witness))
    argument.equal("each x has the M outputs but f(x)", pairs, N * M - N)
    argument.cite("P(some event) <= sum of the probabilities", BOOLE)
    argument.nonnegative("1 - N (M-1) delta'/delta", 1 - pairs / divisor, {"N": 1, "M": 2})
    decided = decide_nonnegative(1 - pairs / divisor, {"N": 1, "M": 2})
    if searching() and isinstance(decided, Violation):
        argument.refute({**decided.at, "N (M-1) delta'/delta": str(1 - decided.value)})
    return conclude(
        argument,
        scope="all N >= 1, M >= 2, any joint law",
        summary="N (M-1) pairs, Boole's inequality",
    )
