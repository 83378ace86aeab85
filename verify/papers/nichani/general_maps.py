"""Checks of Theorem 1 of Nichani et al. for any map: proof, failures on the frontier, recall."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from proofs.argument import Argument
from proofs.capacity import Linear, LinearGeneralMap
from proofs.capacity.conditions import largest_where
from proofs.papers.nichani import general_maps as general_maps_theorem
from proofs.papers.nichani import linear as explicit_theorem
from verify.checks.argument import conclude
from verify.checks.failures import failures_on_frontier
from verify.checks.section import Section
from verify.checks.theorem import bound_above
from verify.claim import Cases, Evidence, Printed
from verify.measuring.context import Context
from verify.papers.nichani.linear_memory import linear_constants
from verify.papers.nichani.linear_statements import union_of_general_averages
from verify.printed.formula import numbers

if TYPE_CHECKING:
    from numerics.observables import Event

section = Section()

_CLAIM = "nichani.thm1.explicit.general-map"
#: Where half the noise and no coincident facts are both seen to be too little.
_DIMENSION, _SHARED = 256, 3
#: A condition without noise allows any N; what is drawn then suffices to see it fail.
_TOO_MANY = 1800
#: Small maps for which the union is taken pair by pair: outputs with none and with many inputs.
_MAPS: tuple[tuple[int, tuple[int, ...]], ...] = ((64, (3, 2, 2, 0)), (128, (4,) * 5))


@section.check(_CLAIM, "proofs", method="conditional Chernoff bound")
def statement(printed: Printed, context: Context) -> Evidence:
    noise, coincident, signal = numbers(printed, "noise", "coincident", "signal")
    fibre, use = printed["fibre"].field(), linear_constants(context)
    return conclude(
        general_maps_theorem.margin_law(use),
        general_maps_theorem.output_function(fibre, use),
        general_maps_theorem.tail(noise, coincident, fibre, use, signal=signal),
        explicit_theorem.integral_bound(noise, coincident, use, signal=signal),
        lambda: _public(printed, context),
        scope="all d >= 2, N, M and maps f; sphere embeddings",
        summary="Chernoff at every value of <u_f(x), u_y>, one factor for each output",
    )


def _public(printed: Printed, context: Context) -> Argument:
    """The public bound lies above the union of the printed ones, evaluated as printed; where every
    output has at most one input it is that for injective maps."""
    signal, noise, coincident = numbers(printed, "signal", "noise", "coincident")
    injective, argument = Linear(), Argument()

    def public(d: int, fibres: tuple[int, ...]) -> Fraction:  # which no printed formula changes
        key = ("public bound", _CLAIM, d, fibres)
        bound: Fraction = context.once(key, lambda: LinearGeneralMap().failure_bound(d, fibres))
        return bound

    for d, inputs in _MAPS:
        stated = union_of_general_averages(signal, noise, coincident, printed["fibre"], inputs)
        place = {"d": d, "fibres": inputs}
        argument.include(bound_above(public, stated, [place]))
    for d, N, M in ((32, 12, 12), (32, 8, 400)):
        argument.true(
            f"at d = {d}, N = {N}, M = {M} and f injective it is the bound for injective maps",
            public(d, (1,) * N + (0,) * (M - N)) == injective.failure_bound(d, N, M),
            "the same fraction",
        )
    return argument


@section.measured(_CLAIM, method="failures on the frontier", group="linear failures")
def frontier(printed: Printed, context: Context) -> Cases:
    """N inputs, three for an output; of the M = N outputs two in three have none."""
    condition = _condition(printed)

    def largest(delta: Fraction) -> int:
        def fits(outputs: int) -> bool:
            fibres = [_SHARED] * outputs + [0] * (_SHARED - 1) * outputs
            if len(fibres) > _TOO_MANY:
                return False
            return condition.holds(delta=delta, d=_DIMENSION, fibres=fibres)

        return _SHARED * largest_where(fits)

    return failures_on_frontier(
        largest,
        _DIMENSION,
        context,
        failures=_failures,
        name="general failures",
        further={"shared": _SHARED},
    )


def _failures(**arguments: Any) -> Event:
    from numerics.draws.general_margin import failures

    return failures(**arguments)


@section.drawn(_CLAIM)
def full_recall(printed: Printed, context: Context) -> Evidence:
    from verify.checks.properties import full_recall_of_general_maps

    # Fewer cells give a larger, still rigorous bound, and quick examples.
    return full_recall_of_general_maps(_condition(printed, cells=96), (192, 320), context)


def _condition(printed: Printed, cells: int = 512) -> LinearGeneralMap:
    """The condition with the printed constants and what is printed for the inputs of an output."""
    fibre = printed["fibre"].field()
    return LinearGeneralMap(
        cells,
        signal=printed["signal"].number(),
        noise=printed["noise"].number(),
        coincident=printed["coincident"].number(),
        fibre=lambda n: fibre(n=n).as_fraction(),
    )
