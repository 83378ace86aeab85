"""The properties road: Hypothesis looks for a drawn memory that breaks a statement.

A property is an assertion over drawn sizes, maps and seeds. It runs here under a run's seed, and
its shrunk counterexample becomes the evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from proofs.capacity import AttentionOnly, LinearGeneralMap, SufficientCondition
from verify.claim import Evidence
from verify.measuring.context import Context
from verify.strategies import (
    FactSizes,
    FibreSizes,
    Sizes,
    fact_sizes_where,
    fact_tables,
    fibres_where,
    no_further_sizes,
    seeds,
    sizes_where,
)
from verify.verdict import Verdict

if TYPE_CHECKING:
    from numerics.memories import Memory

#: Sizes as they are drawn: those of an injective memory, or fibres.
Drawn = TypeVar("Drawn")

#: Failure probability that a condition may allow for one drawn memory, at most.
DELTA = Fraction(1, 10**9)

#: Examples in the quick profile.
EXAMPLES = 40


def run_property(
    check: Callable[..., None],
    scope: str,
    context: Context,
    *,
    chance: float = 0.0,
    **strategies: Any,
) -> Evidence:
    """Evidence from a property: supported if no example breaks it, else refuted with the example.

    *chance*: how likely one example breaks a true property by bad luck. Only AssertionError breaks
    a property; any other exception is an error of the check.
    """
    examples = EXAMPLES * context.profile.effort
    # A fault that was built in needs no smallest example.
    phases = [Phase.generate] if context.construction else [Phase.generate, Phase.shrink]
    decorated = settings(
        max_examples=examples,
        deadline=None,
        database=None,
        print_blob=False,
        phases=phases,
        suppress_health_check=list(HealthCheck),
    )(given(**strategies)(check))
    try:
        hypothesis.seed(context.seed)(decorated)()
    except AssertionError as error:
        example = "; ".join(str(note) for note in getattr(error, "__notes__", []))
        return Evidence(
            Verdict.REFUTED,
            "",
            str(error).splitlines()[0],
            scope=scope,
            counterexample={"example": example, "failure": str(error)},
        )
    return Evidence(Verdict.SUPPORTED, "", f"{examples} drawn memories, none fails", scope=scope)


def linear_sample(sizes: Sizes, seed: int, fault: str) -> Memory:
    """A drawn linear memory, with the named slip in its weight if there is one."""
    from numerics import LinearMemory

    return LinearMemory.sample(*sizes, seed=seed, fault=fault)


def general_sample(sizes: FibreSizes, seed: int, fault: str) -> Memory:
    """A drawn linear memory of a general map, with the named slip in its weight if there is one."""
    from numerics.draws.general_margin import sample_memory

    return sample_memory(sizes.d, sizes.fibres, seed=seed, fault=fault)


def full_recall(
    condition: SufficientCondition,
    dimensions: tuple[int, int],
    context: Context,
    *,
    sample: Callable[[Sizes, int, str], Memory] = linear_sample,
    further: Callable[[int], Mapping[str, int]] = no_further_sizes,
) -> Evidence:
    """Wherever *condition* holds at DELTA, every fact is recalled, strictly and beyond rounding.

    *sample* draws a memory of another kind from sizes, a seed and a fault; *further* gives its
    further sizes in each dimension, as for ``sizes_where``.
    """
    delta = _affordable(context)
    drawn = sizes_where(condition, delta, d=dimensions, further=further)
    return _every_fact(drawn, sample, delta, dimensions, context)


def full_recall_of_general_maps(
    condition: LinearGeneralMap, dimensions: tuple[int, int], context: Context
) -> Evidence:
    """``full_recall`` where outputs share inputs or have none, as ``fibres_where`` draws them."""
    delta = _affordable(context)
    drawn = fibres_where(condition, delta, d=dimensions)
    return _every_fact(drawn, general_sample, delta, dimensions, context)


def certified_facts(
    condition: AttentionOnly, dimensions: tuple[int, int], context: Context
) -> Evidence:
    """Wherever *condition* holds at DELTA, every fact is certified for every context of a drawn
    construction and any fact table, under hard attention and at a finite temperature.
    """
    delta = _affordable(context)

    def every_fact_is_certified(data: st.DataObject, sizes: FactSizes, seed: int) -> None:
        from numerics import AttentionOnly as Construction
        from numerics import FactualRecall, certify
        from numerics.draws.construction_recall import FAULTS

        table = data.draw(fact_tables(sizes.S, sizes.R, sizes.D), label="table")
        drawn = Construction.sample(
            FactualRecall(table, noise=sizes.noise, T=4),
            d=sizes.d,
            seed=seed,
            tokens_per_head=sizes.M,
            d_h=sizes.d_h,
            factors="orthonormal",
        )
        if context.construction:
            FAULTS["attention"][context.construction](drawn.filled.weights)
        found = certify(drawn)
        assert found.complete, (
            f"{found.total - found.correct} of {found.total} facts lost at {sizes}, seed {seed}"
        )
        assert isfinite(found.least_inverse_temperature), (
            f"no finite inverse temperature suffices at {sizes}, seed {seed}"
        )

    low, high = dimensions
    return run_property(
        every_fact_is_certified,
        f"sizes with the condition at delta = {float(delta):.2g}, {low} <= d <= {high}, any table",
        context,
        chance=float(delta),
        data=st.data(),
        sizes=fact_sizes_where(condition, delta, d=dimensions),
        seed=seeds,
    )


def _affordable(context: Context) -> Fraction:
    """A failure probability at which all examples together stay within the check's part of the
    error budget.
    """
    examples = EXAMPLES * context.profile.effort
    return min(DELTA, Fraction(context.property_share) / examples)


def _every_fact(
    drawn: SearchStrategy[Drawn],
    sample: Callable[[Drawn, int, str], Memory],
    delta: Fraction,
    dimensions: tuple[int, int],
    context: Context,
) -> Evidence:
    """Every fact of the memories that *sample* makes of the sizes *drawn* is recalled."""

    def every_fact_is_recalled(sizes: Drawn, seed: int) -> None:
        from numerics import recall

        found = recall(sample(sizes, seed, context.construction))
        assert found.correct == found.total, (
            f"{found.total - found.correct} of {found.total} facts lost at {sizes}, seed {seed}"
        )
        assert found.minimum_margin > found.rounding_bound, (
            f"margin {found.minimum_margin} within rounding at {sizes}, seed {seed}"
        )

    low, high = dimensions
    return run_property(
        every_fact_is_recalled,
        f"sizes with the condition at delta = {float(delta):.2g}, {low} <= d <= {high}, any seed",
        context,
        chance=float(delta),
        sizes=drawn,
        seed=seeds,
    )
