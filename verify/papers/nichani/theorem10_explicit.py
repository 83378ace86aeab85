"""Checks of the explicit forms of Theorem 10: proofs, tails of gaps and margins, failures, recall."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from proofs.algebra.balls import ball, precision, upper
from proofs.capacity import AttentionOnly
from proofs.capacity import attention_margin as public
from proofs.capacity.attention import reach_of, weight_cells
from proofs.capacity.denoising import gap_failure
from proofs.papers.nichani import attention_explicit as theorem
from verify.checks.argument import conclude
from verify.checks.failures import table_failures_on_frontier
from verify.checks.section import Section
from verify.claim import Cases, Evidence, Printed
from verify.measuring.case import Case
from verify.measuring.context import Context
from verify.measuring.measure import Experiment
from verify.papers.nichani.linear_memory import linear_constants
from verify.papers.nichani.table_comparisons import public_condition, public_gaps, public_tail
from verify.papers.nichani.table_tails import Tail
from verify.statistics import AtMost, Between

section = Section()

_SPHERES = "sphere embeddings, every fact table"
_RIVALS = ("subject", "relation", "other")

#: Where the gap constant 8 is already too small, and the gaps are not too rare to be seen.
_GAP_SIZES = {"d": 48, "n": 2}
#: Small and unequal, so that a slip in any count is far away.
_LAW_SIZES = {"d": 4, "R": 3, "D": 5, "d_h": 2, "others_s": 0, "others_r": 0}
#: Where half the noise of the answers is seen to be too little; where the other keys decide.
_TAILS = (
    {"d": 96, "R": 4, "D": 4, "d_h": 95, "others_s": 0, "others_r": 0},
    {"d": 128, "R": 1, "D": 2, "d_h": 60, "others_s": 16, "others_r": 0},
    {"d": 128, "R": 1, "D": 2, "d_h": 127, "others_s": 48, "others_r": 0},
)


# -- gaps -----------------------------------------------------------------------------------------


@section.check("nichani.lem1.explicit.gaps", "proofs", method="conditional Chernoff bound")
def gaps(printed: Printed, context: Context) -> Evidence:
    gap, inside, outside = printed["gap"].number(), printed["inside"], printed["outside"]
    return conclude(
        theorem.gap_tail(gap, inside.field(), outside.field(), linear_constants(context)),
        lambda: public_gaps(gap, inside, outside),
        scope="all d >= 2, n >= 1; sphere embeddings",
        summary="Chernoff, conditional on <phi(z), phi(EOS)>",
    )


@section.measured("nichani.lem1.explicit.gaps", method="tails of gaps", group="attention gaps")
def gaps_measured(printed: Printed, context: Context) -> Iterator[Case]:
    """Both tails, and the second moments of the gaps, at a size where neighbours are exceeded."""
    d, n = _GAP_SIZES["d"], _GAP_SIZES["n"]
    gap = printed["gap"].number()
    experiment = Experiment(
        f"gaps {context.construction}".strip(), partial(_draw_gaps, fault=context.construction)
    )
    for name in ("inside", "outside"):
        terms = printed[name].at(n=n)
        # Half a term is none of the counts that occur, yet a bound for it is defined.
        bound = gap_failure(d, 1, gap=gap * terms) if terms else Fraction(0)
        second = 0.25 * (1 + 1 / d) + 2 * float(terms) / d
        for observable, symbol, claimed in (
            (name, "P(gap <= 0)", AtMost(float(bound))),
            (f"{name}-second", "E gap^2", Between(second, second, 0.005)),
        ):
            where = "a key less EOS" if name == "inside" else "EOS less another token"
            yield Case.of(f"{symbol}, {where}", experiment, observable, _GAP_SIZES, claimed)


def _draw_gaps(**arguments: Any) -> Mapping[str, Any]:
    from numerics.papers.nichani.attention_margin import gap_observables

    return gap_observables(**arguments)


# -- the law of one margin ------------------------------------------------------------------------


@section.check("nichani.thm10.explicit.law", "proofs", method="structure and moments")
def law(printed: Printed) -> Evidence:
    argument = theorem.margin_law(
        printed["spread"].number(),
        {
            rival: (printed[f"{rival}_s"].field(), printed[f"{rival}_r"].field())
            for rival in _RIVALS
        },
    )
    broken = argument.broken
    return conclude(
        argument.unless({"moment": broken.text, "found": broken.reason} if broken else None),
        scope=f"all d >= 2, d_h, R, D; {_SPHERES}",
        summary="from the structure of the margin; second moments agree",
        # Nothing but a moment can break here, and a moment that differs refutes the law.
    )


@section.measured("nichani.thm10.explicit.law", method="second moments", group="attention margins")
def law_measured(printed: Printed, context: Context) -> Iterator[Case]:
    """E margin^2 as the law has it, tau d_h/d of the law Beta(d_h/2, (d - d_h)/2)."""
    d, d_h = _LAW_SIZES["d"], _LAW_SIZES["d_h"]
    second = d * (d_h + 2) / (d_h * (d + 2))
    signal = {"subject": second, "relation": second, "other": 2 * second + 2}
    spread = printed["spread"].real()
    for rival in _RIVALS:
        count = sum(printed[f"{rival}_{key}"].real(**_LAW_SIZES) for key in "sr")
        value = (1 + 1 / d) * signal[rival] + spread / d * count * second
        yield Case.of(
            f"E margin^2, b a rival of the kind '{rival}'",
            _margins(rival, context),
            "second",
            _LAW_SIZES,
            Between(value, value, 0.24),
            truth=value,
        )


def _margins(rival: str, context: Context) -> Experiment:
    fault = context.construction
    return Experiment(
        f"attention margins {rival} {fault}".strip(),
        partial(_draw_margins, rival=rival, fault=fault),
        chunk=4096,
    )


def _draw_margins(**arguments: Any) -> Mapping[str, Any]:
    from numerics.papers.nichani.attention_margin import margin_observables

    return margin_observables(**arguments)


# -- the tail of one margin -----------------------------------------------------------------------


@section.check("nichani.thm10.explicit.tail", "proofs", method="conditional Chernoff bound")
def tail(noise: Fraction, leak: Fraction, context: Context) -> Evidence:
    return conclude(
        theorem.margin_tail(noise, leak, linear_constants(context)),
        lambda: public_tail(Tail(noise, leak, 200, 150, Fraction(1, 2))),
        scope=f"all d >= 2, d_h <= d - 1, M, S, R, D; {_SPHERES}",
        summary="Chernoff given the weights of the answers, then over the other keys",
    )


@section.measured(
    "nichani.thm10.explicit.tail",
    method="tail of one margin",
    group="attention margins",
    builds=False,
)
def tail_measured(noise: Fraction, leak: Fraction, context: Context) -> Iterator[Case]:
    constants = public.Constants(noise, leak)
    for sizes in _TAILS:
        bound = float(_tail_bound(constants, sizes))
        yield Case.of(
            "P(margin <= 0)", _margins("relation", context), "failure", sizes, AtMost(bound)
        )


def _tail_bound(constants: public.Constants, sizes: Mapping[str, int]) -> Fraction:
    """The bound for a further answer of r, averaged over both weights."""
    d, d_h, answers = sizes["d"], sizes["d_h"], (sizes["R"], sizes["D"])
    others = (sizes["others_s"], sizes["others_r"])
    rival = next(
        k for k in public.competitors(*answers, 10**6) if (k.by_subject, k.by_relation) == (1, 0)
    )
    one = (Fraction(1), Fraction(1))
    reach, beyond = reach_of(d, others)
    typical = public.Margin.over(rival, d, d_h, answers, others, one, one)
    bound = public.MarginBound(typical, reach, constants)
    with precision():
        total = beyond
        cells = weight_cells(d, d_h)
        for low_s, high_s, mass_s in cells:
            for low_r, high_r, mass_r in cells:
                low, high = (ball(low_s), ball(low_r)), (ball(high_s), ball(high_r))
                margin = public.Margin.over(rival, d, d_h, answers, others, low, high)
                total += mass_s * mass_r * bound(margin)
        return min(upper(total), Fraction(1))


# -- the condition --------------------------------------------------------------------------------

#: Where the condition is near to what the construction holds, and a draw is cheap.
_FRONTIER = {"d": 192, "D": 3}
#: A condition without noise allows any S; so many suffice to see it fail.
_TOO_MANY = 16
_CONDITION = "nichani.thm10.explicit.condition"


def _condition(printed: Printed, every: int = 1) -> AttentionOnly:
    return AttentionOnly(every, constants=public.Constants(noise=printed["noise"].number()))


@section.check(_CONDITION, "proofs", method="union over gaps and margins")
def condition(printed: Printed, context: Context) -> Evidence:
    gap_form: Printed = context.formulas("nichani.lem1.explicit.gaps")
    tail_form: Printed = context.formulas("nichani.thm10.explicit.tail")
    noise, leak = printed["noise"].number(), tail_form["leak"].number()
    return conclude(
        theorem.weight_law(printed["shape"].field(), printed["rest"].field()),
        theorem.margin_tail(noise, leak, linear_constants(context)),
        lambda: public_condition(printed, gap_form, leak),
        scope=f"all d >= 2, d_h <= d - 1, M, S, R, D, any number of noise tokens; {_SPHERES}",
        summary="a union over heads, tokens and facts, averaged over the attended keys' weights",
    )


@section.measured(_CONDITION, method="failures on the frontier", group="attention failures")
def frontier(printed: Printed, context: Context) -> Cases:
    """Drawn constructions with S = R: at the largest S that delta allows, and at twice as many."""
    d, D = _FRONTIER["d"], _FRONTIER["D"]
    return table_failures_on_frontier(
        _condition(printed),
        "attention",
        context,
        d=d,
        D=D,
        at_most=_TOO_MANY,
        choices={"d_h": d - 1, "factors": "orthonormal"},
    )


@section.drawn(_CONDITION, method="certified recall")
def certified_recall(printed: Printed, context: Context) -> Evidence:
    from verify.checks.properties import certified_facts

    # Fewer cells give a larger, still rigorous bound, and quick examples.
    return certified_facts(_condition(printed, every=2), (448, 560), context)
