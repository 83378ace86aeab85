"""The answer of ``verify capacity``: the largest number of facts, by four ways of asking."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from proofs.capacity import read_delta
from verify.capacity.construction import Construction
from verify.capacity.measured import AFFORDABLE, DRAWS, failures_counted, unmeasured
from verify.capacity.reading import construction, read_numbers
from verify.capacity.stored import InjectiveBits
from verify.claim import Road
from verify.errors import UsageError
from verify.installed import missing
from verify.measuring.draws import Draws, who_draws


@dataclass(frozen=True)
class Capacity:
    """Largest numbers of facts at given sizes and failure probability delta."""

    memory: str
    text: str
    sizes: dict[str, Any]
    delta: Fraction
    provable: int | None
    predicted: int
    bit_bound: int
    measured: dict[str, Any] | None
    failure_bound: Fraction | None
    #: Where the provable, the predicted number and the bit bound come from, or why one is missing.
    reasons: tuple[str, ...]
    #: What is counted: the number N of inputs, or the number S x R of facts.
    counted: str = "N"
    #: Bits stored and used at the "provable" number and, if it holds, at the "predicted" one; None
    #: where there is no number, or a predicted one at which more would be stored than is used.
    stored: Mapping[str, InjectiveBits | None] | None = None

    @property
    def why(self) -> str:
        """The reasons in one line."""
        return "; ".join(self.reasons)

    def as_json(self) -> dict[str, Any]:
        """The fields of the JSON contract, and the failure bound where all sizes are given."""
        return {
            "memory": self.memory,
            "sizes": self.sizes,
            "delta": str(self.delta),
            "provable": self.provable,
            "predicted": self.predicted,
            "bit_bound": self.bit_bound,
            "measured": self.measured,
            "failure_bound": None if self.failure_bound is None else str(self.failure_bound),
            "why": self.why,
            "stored": None
            if self.stored is None
            else {name: bits and bits.as_json() for name, bits in self.stored.items()},
        }


def capacity(
    memory: str,
    options: Mapping[str, Any],
    delta: Any,
    *,
    seed: int = 0,
    measure: bool = True,
    device: str = "cpu",
    draws: Draws | None = None,
) -> Capacity:
    """What fits into *memory* at the sizes among *options*, with N or M if wanted; drawn on *device*, by
    *draws* (this process if none).

    Raises UsageError for an unknown memory, a missing or superfluous size, or sizes out of range.
    """
    draws = who_draws(draws)
    built = construction(memory, options)
    N, M = read_numbers(options)
    try:
        exact = read_delta(delta)
    except ValueError as error:
        raise UsageError(f"--{error}") from None
    without = missing([Road.NUMERICS]) if measure else ""
    provable = built.provable(exact, M)
    predicted = built.prediction.largest(delta=exact, M=M)
    numbers = {name: n for name, n in (("N", N), ("M", M)) if n is not None}
    stored, beyond = _stored(built, M, provable, predicted)
    return Capacity(
        memory,
        built.text,
        {**built.sizes, **numbers},
        exact,
        provable or None,
        predicted,
        built.bit_bound(M),
        _measure(built, predicted if N is None else N, M, seed, device, draws)
        if measure and not without
        else None,
        None if N is None else built.failure_bound(N, M),
        (*_reasons(built, exact, N, M, provable, predicted), *beyond, *unmeasured(without)),
        stored=stored,
    )


def _stored(
    built: Construction, M: int | None, provable: int | None, predicted: int
) -> tuple[dict[str, InjectiveBits | None], tuple[str, ...]]:
    """What is stored at both numbers, and why nothing is said of the predicted one if so."""
    proved, expected = (
        InjectiveBits(n, n if M is None else M, built.used_bits(n)) if n else None
        for n in (provable, predicted)
    )
    if expected is None or expected.stored <= expected.used:
        return {"provable": proved, "predicted": expected}, ()
    why = (
        f"stored: not given at the predicted N = {predicted}, where {expected.stored:.4g} bits would be "
        f"stored and {expected.used} are used"
    )
    return {"provable": proved, "predicted": None}, (why,)


def _reasons(
    built: Construction,
    delta: Fraction,
    N: int | None,
    M: int | None,
    provable: int | None,
    predicted: int,
) -> tuple[str, ...]:
    proof = built.proof(delta, predicted if N is None else N, M)
    if provable == 0:
        proof = f"no N satisfies the {proof}; take larger sizes or a larger delta"
    moments = built.predicted_from
    if (provable or 0) > predicted:
        moments += ", pessimistic here"
    return (
        f"provable: {proof}",
        f"predicted: {moments}",
        f"bit bound: {built.bits}",
        "stored: log2 of the number of injective maps, M!/(M-N)!, if the N holds; no memory of all of "
        "them stores more than it uses",
    )


def _measure(
    built: Construction, N: int, M: int | None, seed: int, device: str, draws: Draws
) -> dict[str, Any] | None:
    """Failures of drawn memories at these sizes; None where a draw would take too long."""
    outputs = N if M is None else M
    if N == 0 or DRAWS * built.products(N, outputs) > AFFORDABLE:
        return None
    failures = partial(built.failures, N, outputs, device=device)
    return {"N": N, "M": outputs, **failures_counted(failures, seed, draws)}
