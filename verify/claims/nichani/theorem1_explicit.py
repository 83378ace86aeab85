"""Checks of the explicit forms of Theorem 1: proofs, failures on the frontier, full recall inside."""

from __future__ import annotations

import math
from fractions import Fraction

from proofs.capacity import Linear, LinearClosedForm, explicit_theorem
from verify.checks.argument import conclude
from verify.checks.failures import failures_on_frontier, largest_where
from verify.claim import Evidence, Printed
from verify.context import Context
from verify.section import Section

section = Section()

_SPHERES = "sphere embeddings, injective f"

#: Large enough that a closed form twice too generous is seen to fail.
_CLOSED_FORM_DIMENSION = 256
#: The sharper condition is tested where it is nearest to what memories really hold.
_INTEGRAL_DIMENSION = 128
#: A condition without noise allows any N; what is drawn then suffices to see it fail.
_TOO_MANY = 2000


@section.check("nichani.thm1.explicit.mgf", "proofs", method="coefficients")
def generating(printed: Printed, context: Context) -> Evidence:
    scale, product = printed["scale"].number(), printed["product"].number()
    return conclude(
        explicit_theorem.generating_functions(scale, product),
        scope="all d >= 1; all real lambda, |s| < d",
        summary="every coefficient of the series is bounded",
        counterexample=explicit_theorem.generating_function_counterexample(scale, product),
    )


@section.check("nichani.thm1.explicit.law", "proofs", method="structure and moments")
def law(printed: Printed, context: Context) -> Evidence:
    argument = explicit_theorem.margin_law(
        printed["beta"].number(),
        printed["spread"].number(),
        printed["inside"].field(),
        printed["outside"].field(),
    )
    broken = argument.broken
    return conclude(
        argument,
        scope=f"all d >= 1, N, M; {_SPHERES}",
        summary="from the structure of the margin; moments to order "
        f"{explicit_theorem.LAW_ORDERS} agree",
        counterexample=None if broken is None else {"line": broken.text, "found": broken.reason},
    )


@section.check("nichani.thm1.explicit.chernoff", "proofs", method="conditional Chernoff bound")
def chernoff(printed: Printed, context: Context) -> Evidence:
    return conclude(
        explicit_theorem.single_margin_tail(printed["kappa"].field()),
        scope=f"all d >= 1, N, M, 0 < tau < 1; {_SPHERES}",
        summary="Chernoff, conditional on <u_f(x), u_y>",
    )


@section.check("nichani.thm1.explicit.integral", "proofs", method="conditional Chernoff bound")
def integral(printed: Printed, context: Context) -> Evidence:
    return conclude(
        explicit_theorem.integral_bound(printed["noise"].number(), printed["coincident"].number()),
        scope=f"all d >= 2, N, M; {_SPHERES}",
        summary="Chernoff at every value of <u_f(x), u_y>",
    )


@section.check("nichani.thm1.explicit.closed-form", "proofs", method="rational arithmetic")
def closed_form(printed: Printed, context: Context) -> Evidence:
    return conclude(
        explicit_theorem.closed_form(
            printed["lead"].number(), printed["noise"].field(), printed["pairs"].field()
        ),
        scope=f"all d >= 2, N, M, 0 < delta < 1 under the condition; {_SPHERES}",
        summary="every step a decided sign",
    )


@section.check(
    "nichani.thm1.explicit.closed-form",
    "numerics",
    method="failures on the frontier",
    seconds=240.0,
    group="linear failures",
)
def closed_form_frontier(printed: Printed, context: Context) -> Evidence:
    d = _CLOSED_FORM_DIMENSION
    return failures_on_frontier(
        lambda delta: largest_where(lambda N: _condition(printed, d, N, delta)), d, context
    )


@section.check(
    "nichani.thm1.explicit.integral",
    "numerics",
    method="failures on the frontier",
    seconds=240.0,
    group="linear failures",
)
def integral_frontier(printed: Printed, context: Context) -> Evidence:
    d, condition = _INTEGRAL_DIMENSION, _integral_condition(printed)
    return failures_on_frontier(
        lambda delta: min(condition.largest(delta=delta, d=d), _TOO_MANY), d, context
    )


@section.check(
    "nichani.thm1.explicit.closed-form", "properties", method="full recall", seconds=240.0
)
def closed_form_property(printed: Printed, context: Context) -> Evidence:
    from verify.properties import full_recall

    return full_recall(LinearClosedForm(), (256, 640), context)


@section.check("nichani.thm1.explicit.integral", "properties", method="full recall", seconds=240.0)
def integral_property(printed: Printed, context: Context) -> Evidence:
    from verify.properties import full_recall

    # Fewer cells give a larger, still rigorous bound, and quick examples.
    return full_recall(_integral_condition(printed, cells=96), (96, 256), context)


def _integral_condition(printed: Printed, cells: int = 512) -> Linear:
    """The condition with the printed weights of the noise and of the coincident fact."""
    return Linear(cells, noise=printed["noise"].number(), coincident=printed["coincident"].number())


def _condition(printed: Printed, d: int, N: int, delta: Fraction) -> bool:
    """The printed condition at M = N, with L rounded up so that what holds surely holds."""
    if N > _TOO_MANY:
        return False
    pairs = printed["pairs"].field()(N=N, M=N).as_fraction()
    L = Fraction(math.nextafter(math.log(pairs / delta), math.inf))
    ell = L * (1 + L / d)
    if 8 * ell > d:
        return False
    lead, noise = printed["lead"].number(), printed["noise"].field()(N=N).as_fraction()
    return d**2 >= lead * ell * (d + noise / (1 - (lead * ell / d) ** 2))
