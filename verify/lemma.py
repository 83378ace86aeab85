"""A reader's own lemma: the definition in symbols and in torch, one printed formula, a verdict.

``same_definition``, of ``verify.definitions``, makes sure that the two definitions speak of one thing;
``judge`` derives, measures and decides. How-to: docs/check-your-own-lemma.md.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from proofs.derived import Bound
from proofs.moments import Condition, Expression, mean
from proofs.moments.cross_check import contradiction
from proofs.moments.domain import sizes_of
from proofs.moments.explicit import Instance
from proofs.moments.indices import listed
from verify.checks.exactly import by_size
from verify.checks.identity import identity
from verify.claim import Claim, Registry
from verify.definitions import same_definition
from verify.errors import UsageError
from verify.measuring.box import Box, refusal, require_inside, required
from verify.measuring.context import Context
from verify.measuring.measure import Experiment
from verify.measuring.quantities import Measured, Quantity, Sizes, in_words
from verify.printed.formula import Formula
from verify.running.runner import ClaimResult, check_claim

__all__ = ["Box", "judge", "same_definition"]

#: Among so many sizes those are looked for at which the second exact road is short.
_TRIED = 2000


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

    *domain*: the lower end of each size, or a ``Box`` with conditions between them, such as n <= N; all
    of it must lie where the engine says that there is what the expression speaks of. *instance*: the
    explicit setting at given sizes, for the enumeration in dimensions 1 and 2. *measured*: a function
    (stream, replicates, start, **sizes) to values (replicates,), which surely lie in
    ``bounds(sizes)``. Values without bounds need ``second_moment(sizes)`` = (a, v) with
    E (X - a)^2 <= v, which is tested on them. *sizes*: where to measure; small and unequal ones decide.
    *tolerance*: how far a measurement may stray; by default three quarters of the distance to the
    nearest mutant. *settings*: seed, profile, as in ``verify.check``.

    Raises FormulaError if *printed* cannot be read, ValueError unless one of *bounds* and
    *second_moment* is given and where the engine refuses what is *given*, UsageError for a *tolerance*
    that a mutant lies within or that is not positive, for a *domain* with sizes at which there is no
    such thing, for *sizes* outside it or at which a mutant cannot be told from the statement, and for
    an *instance* that contradicts what is given; the checks' own errors become the verdict.
    """
    conditions, box = listed(given), Box.of(domain)
    every = sizes_of([expression], conditions)
    needed = required(every, box)
    require_inside(box, needed)
    _refuse(box, needed, sizes, tolerance)
    if (bounds is None) == (second_moment is None):
        raise ValueError(
            "bounds, second_moment: give one of them; the mean of a statistic of which nothing is "
            "known has no confidence interval. Bound it, condition on part of the draw, or measure a "
            "probability"
        )
    tiny = _tiny(expression, box, needed)
    for at, d in tiny:
        wrong = contradiction(instance(at), d, [expression], conditions)
        if wrong:
            raise UsageError(f"instance: at {in_words(at)}, {wrong}")

    def draw(*, replicates: int, seed: int, start: int, **at: int) -> Mapping[str, Any]:
        from numerics import Stream
        from numerics.observables import Bounded, HeavyTailed

        values = measured(Stream(seed, id_), replicates, start, **at)
        if bounds is not None:
            return {"value": Bounded(values, *bounds(at))}
        assert second_moment is not None
        return {"value": HeavyTailed(values, *second_moment(at))}

    def enumerated(at: Sizes) -> Fraction:
        (d,) = [d for sizes, d in tiny if sizes == at]
        return instance(at).expectation([expression], d).as_fraction()

    quantity = Quantity(
        "value",
        f"E[{id_}]",
        lambda: mean(expression, conditions, name=id_).within(box.bounds),
        box,
        enumerated,
        tuple(at for at, _ in tiny),
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


def _tiny(
    expression: Expression, box: Box, needed: Sequence[Bound]
) -> tuple[tuple[Sizes, int], ...]:
    """The smallest sizes at which all vectors lie in R^1, and in R^2; at any, where there are scalars
    alone."""
    atoms = (atom for term in expression.terms for atom in term.atoms())
    spaces = {atom.family.dimension for atom in atoms if atom.family.dimension != 1}
    found: dict[int, Sizes] = {}
    for at in itertools.islice(by_size(list(box), box), _TRIED):
        if box.missing(at) or refusal(needed, at):
            continue
        for dimension in (1, 2) if spaces else (1,):
            if all(space(**at) == dimension for space in spaces):
                found.setdefault(dimension, at)
    return tuple((at, d) for d, at in sorted(found.items()))


def _refuse(
    box: Box, needed: Sequence[Bound], sizes: Sequence[Sizes], tolerance: Fraction | None
) -> None:
    """UsageError for arguments with which nothing could be decided."""
    if not sizes:
        raise UsageError("sizes: there are none; say where to measure, for instance [{'d': 2}]")
    for at in sizes:
        wrong = box.missing(at)
        if wrong:
            raise UsageError(
                f"sizes: {dict(at)} is outside the domain {box}; give every size, at its lower end or "
                "above, at which the conditions hold"
            )
        wrong = refusal(needed, at)
        if wrong:
            raise UsageError(f"sizes: {dict(at)}: {wrong}; take others")
    if tolerance is not None and not tolerance > 0:
        raise UsageError(f"tolerance: {tolerance} leaves no room; take a positive one")
