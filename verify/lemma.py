"""A reader's own lemma: the definition in symbols and in torch, one printed formula, a verdict.

``same_definition`` makes sure that the two definitions speak of one thing; ``judge`` derives, measures
and decides. How-to: docs/check-your-own-lemma.md.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs.moments import Condition, Expression, Family, mean
from proofs.moments.explicit import Instance
from verify.checks.identity import identity
from verify.claim import Claim, Registry, Road
from verify.errors import UsageError
from verify.installed import require
from verify.measuring.context import Context
from verify.measuring.measure import Experiment
from verify.measuring.quantities import Measured, Quantity, Sizes
from verify.printed.formula import Formula
from verify.running.runner import ClaimResult, check_claim

#: Integer coordinates of the vectors on which two definitions are compared.
_COORDINATES = (-3, 3)


def same_definition(
    expression: Expression,
    function: Callable[..., Any],
    instance: Instance,
    *,
    d: int,
    counts: Mapping[Family, int],
    trials: int = 5,
    seed: int = 0,
) -> None:
    """Raise AssertionError unless *function* computes *expression*, on random integer vectors.

    *function* takes one float64 tensor (count, d) a family, by the family's name, and returns a
    number. Integer vectors make both sides exact, so equality is demanded, not closeness.
    *counts*: how many vectors of each family there are. UsageError for arguments with which nothing
    could be compared.
    """
    _refuse_definitions(expression, function, instance, counts)
    for name, number in {"d": d, "trials": trials}.items():
        if isinstance(number, bool) or not isinstance(number, int) or number < 1:
            raise UsageError(f"{name}: {number!r} is no number of them; take an integer, 1 or more")
    require([Road.NUMERICS], "function")
    import torch

    generator = random.Random(seed)
    for _ in range(trials):
        vectors = {
            family: [[generator.randint(*_COORDINATES) for _ in range(d)] for _ in range(count)]
            for family, count in counts.items()
        }
        exact = instance.evaluate(expression, vectors)
        tensors = {f.name: torch.tensor(v, dtype=torch.float64) for f, v in vectors.items()}
        found = Fraction(float(function(**tensors)))
        assert found == exact, (
            f"the two definitions differ: {exact} in symbols, {found} in torch, at {tensors}"
        )


def _refuse_definitions(expression: Any, function: Any, instance: Any, counts: Any) -> None:
    """UsageError for what is no pair of definitions at explicit sizes."""
    if not isinstance(expression, Expression):
        raise UsageError(
            f"expression: {expression!r} is none of proofs.moments; write it with its families"
        )
    if not callable(function):
        raise UsageError(
            f"function: {function!r} cannot be called; take one of tensors to a number"
        )
    if not isinstance(instance, Instance):
        raise UsageError(
            f"instance: {instance!r} is none; take an Instance of proofs.moments.explicit"
        )
    if not isinstance(counts, Mapping) or not all(isinstance(one, Family) for one in counts):
        raise UsageError(f"counts: {counts!r} counts no families; take a number for each Family")
    for family, count in counts.items():
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise UsageError(
                f"counts: {count!r} is no number of {family.name}; take an integer, 0 or more"
            )


def judge(
    id_: str,
    *,
    printed: str,
    expression: Expression,
    given: Iterable[Condition],
    domain: Mapping[str, int],
    instance: Callable[[Sizes], Instance],
    measured: Callable[..., Any],
    sizes: Sequence[Sizes],
    bounds: Callable[[Sizes], tuple[float, float]] | None = None,
    second_moment: Callable[[Sizes], tuple[float, float]] | None = None,
    tolerance: Fraction | None = None,
    **settings: Any,
) -> ClaimResult:
    """The verdict on "E[expression] = printed", derived exactly and measured.

    *domain*: the lower end of each size. *instance*: the explicit setting at given sizes, for the
    enumeration at d = 1, 2. *measured*: a function (stream, replicates, start, **sizes) to values
    (replicates,), which surely lie in ``bounds(sizes)``. Values without bounds need
    ``second_moment(sizes)`` = (a, v) with E (X - a)^2 <= v, which is tested on them. *sizes*: where to
    measure; small and unequal ones decide. *tolerance*: how far a measurement may stray; by default
    three quarters of the distance to the nearest mutant. *settings*: seed, profile, as in
    ``verify.check``.

    Raises FormulaError if *printed* cannot be read, ValueError unless one of *bounds* and
    *second_moment* is given, UsageError for a *tolerance* that a mutant lies within or that is not
    positive, and for *sizes* outside the domain or at which a mutant cannot be told from the statement;
    the checks' own errors become the verdict.
    """
    conditions = list(given)
    _refuse(domain, sizes, tolerance)
    if (bounds is None) == (second_moment is None):
        raise ValueError(
            "bounds, second_moment: give one of them; the mean of a statistic of which nothing is "
            "known has no confidence interval. Bound it, condition on part of the draw, or measure a "
            "probability"
        )

    def draw(*, replicates: int, seed: int, start: int, **at: int) -> Mapping[str, Any]:
        from numerics import Stream
        from numerics.observables import Bounded, HeavyTailed

        values = measured(Stream(seed, id_), replicates, start, **at)
        if bounds is not None:
            return {"value": Bounded(values, *bounds(at))}
        assert second_moment is not None
        return {"value": HeavyTailed(values, *second_moment(at))}

    tiny = [s for d in (1, 2) for s in ({**domain, "d": d},) if d >= domain.get("d", 1)]
    quantity = Quantity(
        "value",
        f"E[{id_}]",
        lambda: replace(mean(expression, conditions, name=id_), scope=_scope(domain)),
        domain,
        lambda at: instance(at).expectation([expression], at["d"]).as_fraction(),
        tuple(tiny),
        Measured(Experiment(id_, draw), ("value",), tuple(sizes)),
    )
    registry = Registry()
    registry.add(
        Claim(
            id=id_,
            title=id_,
            statement=f"E[{id_}] = {printed}",
            formulas={"value": Formula.parse(printed)},
            slip=("value",),
        )
    )
    allowed = None if tolerance is None else {"value": tolerance}
    identity(registry, id_, {"value": [quantity]}, tolerances=allowed)
    for check in registry.checks(id_):
        if check.cases is not None:  # a bad tolerance is the caller's, and no verdict
            check.cases(registry[id_].formulas, Context())
    return check_claim(id_, registry=registry, **settings)


def _refuse(domain: Mapping[str, int], sizes: Sequence[Sizes], tolerance: Fraction | None) -> None:
    """UsageError for arguments with which nothing could be decided."""
    if not sizes:
        raise UsageError("sizes: there are none; say where to measure, for instance [{'d': 2}]")
    for at in sizes:
        for name, low in domain.items():
            if at.get(name, low - 1) < low:
                raise UsageError(
                    f"sizes: {dict(at)} is outside the domain {_scope(domain)}; give every size, "
                    "at its lower end or above"
                )
    if tolerance is not None and not tolerance > 0:
        raise UsageError(f"tolerance: {tolerance} leaves no room; take a positive one")


def _scope(domain: Mapping[str, int]) -> str:
    return ", ".join(f"{name} >= {low}" for name, low in domain.items())
