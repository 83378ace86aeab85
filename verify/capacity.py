"""How much a memory holds at given sizes: provable, predicted, measured, and what bits allow.

Serves ``verify capacity``; the conditions themselves live in ``proofs.capacity``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from proofs.capacity import BitBound, Linear, largest_where, predicted_failure, read_delta
from verify.errors import UsageError
from verify.statistics import clopper_pearson

MEMORIES = ("linear", "low-rank", "quantized", "mlp", "attention", "attention-mlp")

#: Sizes beyond this would take minutes of exact arithmetic.
LARGEST_SIZE = 10**12

#: Bits of one parameter, for the bit bound.
PARAMETER_BITS = 32

#: Draws of the measurement, its error, and the multiply-adds one draw may cost.
_DRAWS, _ERROR, _AFFORDABLE = 40, 1e-6, 4e9


@dataclass(frozen=True)
class Capacity:
    """Largest numbers of facts at given sizes and failure probability delta."""

    memory: str
    sizes: dict[str, int]
    delta: Fraction
    provable: int | None
    predicted: int
    bit_bound: int
    measured: dict[str, Any] | None
    failure_bound: Fraction | None
    why: str

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
        }


def capacity(
    memory: str, sizes: dict[str, int], delta: Any, *, seed: int = 0, measure: bool = True
) -> Capacity:
    """What fits into *memory* at *sizes* (for "linear": d, and N or M if wanted).

    Raises UsageError for an unknown memory, a missing or superfluous size, or sizes out of range.
    """
    if memory not in MEMORIES:
        raise UsageError(f"MEMORY: {memory!r} is not known; take one of {', '.join(MEMORIES)}")
    if memory != "linear":
        raise UsageError(f"MEMORY: no condition for {memory!r} yet; available: linear")
    extra = sorted(set(sizes) - {"d", "N", "M"})
    if extra:
        raise UsageError(f"--{extra[0]}: a linear memory has no size {extra[0]}; it has d, N, M")
    for name, value in sizes.items():
        if value > LARGEST_SIZE:
            raise UsageError(
                f"--{name}: {value} is too large to bound; take at most {LARGEST_SIZE}"
            )
    if "d" not in sizes:
        raise UsageError("--d: missing; give the dimension, for instance --d 128")
    try:
        return _linear(sizes, read_delta(delta), seed, measure)
    except ValueError as error:
        raise UsageError(f"--{error}") from None


def _linear(sizes: dict[str, int], delta: Fraction, seed: int, measure: bool) -> Capacity:
    d, N, M = sizes["d"], sizes.get("N"), sizes.get("M")
    condition = Linear()
    bound = None if N is None else condition.failure_bound(d, N, M)
    provable = condition.largest(delta=delta, d=d, M=M)
    predicted = largest_where(
        lambda n: (M is None or n <= M) and predicted_failure(d, n, M) <= delta
    )
    measured = _measure(d, predicted if N is None else N, M, seed) if measure else None
    why = (
        f"provable: condition nichani.thm1.explicit.integral; predicted: Gaussian margins of the "
        f"exact variance; bit bound: {PARAMETER_BITS} bits for each of d^2 parameters"
    )
    if provable > predicted:
        why = "the prediction adds up all pairs and is pessimistic here. " + why
    if provable == 0:
        why = f"no N satisfies the provable condition at d = {d}; take a larger d or delta. " + why
    return Capacity(
        "linear",
        sizes,
        delta,
        provable or None,
        predicted,
        BitBound(PARAMETER_BITS * d**2).largest(M),
        measured,
        bound,
        why,
    )


def _measure(d: int, N: int, M: int | None, seed: int) -> dict[str, Any] | None:
    """Failures of drawn memories at these sizes; None where a draw would take too long."""
    outputs = N if M is None else M
    if N == 0 or N * outputs * d + N * d * d > _AFFORDABLE / _DRAWS:
        return None
    from numerics.experiments.linear_margin import failures

    drawn = failures(d, N, outputs, _DRAWS, seed=seed, name="capacity")
    count = int(drawn.values.sum())
    interval = clopper_pearson(count, _DRAWS, _ERROR)
    return {
        "N": N,
        "M": outputs,
        "draws": _DRAWS,
        "failures": count,
        "interval": [interval.low, interval.high],
        "error": _ERROR,
    }
