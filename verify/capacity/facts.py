"""The answer of ``verify capacity`` for a transformer: the largest number S x R of facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from proofs.capacity import largest_where, read_delta
from verify.capacity.answer import Capacity
from verify.capacity.fact_construction import FactConstruction
from verify.capacity.measured import AFFORDABLE, DRAWS, failures_counted, unmeasured
from verify.capacity.reading import LARGEST_NUMBER, fact_construction, read_tokens
from verify.claim import Road
from verify.errors import UsageError
from verify.installed import missing
from verify.measuring.draws import Draws, who_draws


def fact_capacity(
    memory: str,
    options: Mapping[str, Any],
    delta: Any,
    *,
    seed: int = 0,
    measure: bool = True,
    device: str = "cpu",
    draws: Draws | None = None,
) -> Capacity:
    """What fits at the sizes among *options*, with S, R or both if wanted.

    Looked for is S where R is given, R where S alone is given, and else S = R; drawn on *device*, by
    *draws* (this process if none). Raises UsageError for a missing or superfluous size, or sizes out
    of range.
    """
    draws = who_draws(draws)
    built = fact_construction(memory, options)
    S, R = read_tokens(options)
    try:
        exact = read_delta(delta)
    except ValueError as error:
        raise UsageError(f"--{error}") from None
    without = missing([Road.NUMERICS]) if measure else ""
    shape = _shape(S, R)
    provable = _largest(shape, lambda *place: built.failure_bound(*place) <= exact)
    predicted = _largest(shape, lambda *place: built.predicted_failure(*place) <= exact)
    bits = _largest(shape, built.bits_allow)
    given = {name: n for name, n in (("S", S), ("R", R)) if n is not None}
    place = (S, R) if S is not None and R is not None else shape(predicted) if predicted else None
    return Capacity(
        memory,
        built.text,
        {**built.sizes, **given},
        exact,
        _facts(shape, provable) or None,
        _facts(shape, predicted),
        _facts(shape, bits),
        _measure(built, place, seed, device, draws) if measure and not without else None,
        None if S is None or R is None else built.failure_bound(S, R),
        (*_reasons(built, provable, predicted, bits), *unmeasured(without)),
        counted="S x R",
    )


def _shape(S: int | None, R: int | None) -> Callable[[int], tuple[int, int]]:
    """From the number that is looked for to (S, R)."""
    if R is not None:
        return lambda n: (n, R)
    if S is not None:
        return lambda n: (S, n)
    return lambda n: (n, n)


def _largest(shape: Callable[[int], tuple[int, int]], fits: Callable[[int, int], bool]) -> int:
    return largest_where(lambda n: n <= LARGEST_NUMBER and fits(*shape(n)))


def _facts(shape: Callable[[int], tuple[int, int]], n: int) -> int:
    S, R = shape(n)
    return S * R if n else 0


def _reasons(
    built: FactConstruction, provable: int, predicted: int, bits: int
) -> tuple[str, str, str]:
    proof = f"condition {built.condition}"
    if provable == 0:
        proof = f"no S x R satisfies the {proof}; take larger sizes or a larger delta"
    moments = "normal margins with their exact mean and variance, answers spread evenly"
    if provable > predicted:
        moments += ", pessimistic here"
    allowed = f"32 bits for each of {built.parameters_text}"
    if bits == LARGEST_NUMBER:
        allowed += ", which are more with every token: no limit here"
    return f"provable: {proof}", f"predicted: {moments}", f"bit bound: {allowed}"


def _measure(
    built: FactConstruction, place: tuple[int, int] | None, seed: int, device: str, draws: Draws
) -> dict[str, Any] | None:
    """Failures of drawn constructions; None where a draw would take too long."""
    if place is None or DRAWS * built.products(*place) > AFFORDABLE:
        return None
    S, R = place
    counted = failures_counted(partial(built.failures, S, R, device=device), seed, draws)
    return {"S": S, "R": R, "D": built.answers(S), **counted}
