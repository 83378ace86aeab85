"""The linear memory with weights on few levels (Nichani et al., Corollary 2)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from proofs.capacity import BitBound, Quantized
from proofs.capacity.conditions import plain_number, read_size
from proofs.capacity.predictions import QuantizedPrediction
from proofs.capacity.quantized import read_step
from verify.capacity.construction import Construction

if TYPE_CHECKING:
    from torch import Tensor

    from numerics import Memory, QuantizedMemory

#: The most bits of a weight: with more, one would not speak of quantising.
_MOST_BITS = 16
#: A step in decimals has at most so many digits before or after the point.
_MOST_DIGITS = 100
#: More facts than any bound allows.
_TOO_MANY = 10**40


class QuantizedConstruction(Construction):
    """Weights rounded to multiples of a step, 1/(8 d) by default, or stored with so many bits."""

    name = "quantized"
    needs: ClassVar = {"d": "the dimension, for instance --d 128"}
    takes = ("step", "bits")
    examples = ({"d": 64}, {"d": 64, "step": "0.05"}, {"d": 48, "bits": 1}, {"d": 48, "bits": 3})
    curves = (({"d": 64}, 200), ({"d": 64, "bits": 4}, 200), ({"d": 64, "bits": 1}, 200))

    def __init__(self, d: int, step: str | None = None, bits: int | None = None) -> None:
        read_size("d", d)
        if step is not None and bits is not None:
            raise ValueError(f"step: {step} is given and bits = {bits} as well; drop one of them")
        if bits is not None and read_size("bits", bits) > _MOST_BITS:
            raise ValueError(f"bits: {bits} is out of range; take at most {_MOST_BITS}")
        self._d, self._bits = d, bits
        self._step = None if bits is not None else _read(step, d)
        levels = {"step": str(self._step)} if bits is None else {"bits": bits}
        self.sizes = {"d": d, **levels}
        self.prediction = QuantizedPrediction(d, self._step, bits)

    def failure_bound(self, N: int, M: int | None) -> Fraction | None:
        if self._step is None:
            return None
        return Quantized(self._step).failure_bound(self._d, N, M)

    def provable(self, delta: Fraction, M: int | None) -> int | None:
        if self._step is None:
            return None
        return Quantized(self._step).largest(delta=delta, d=self._d, M=M)

    def proof(self, delta: Fraction, N: int, M: int | None) -> str:
        if self._step is not None:
            return "condition nichani.cor2.explicit.integral"
        levels = "signs" if self._bits == 1 else "levels spaced by the largest weight, as drawn"
        return f"none is known for {levels}; a fixed --step has a condition"

    @property
    def predicted_from(self) -> str:
        return (
            f"{super().predicted_from}, and rounding taken as noise of its own in Gaussian weights "
            "(a heuristic)"
        )

    @property
    def parameters(self) -> tuple[int, str]:
        return self._d**2, "d^2"

    def used_bits(self, N: int) -> int:
        return self._weight_bits(N) * self._d**2

    def bit_bound(self, M: int | None) -> int:
        # A weight is at most N in size, so the multiples of a step that it may need grow with N: from
        # above, to the largest N that its own levels can tell apart.
        found = _TOO_MANY
        while (fits := BitBound(self.used_bits(found)).largest(M)) < found:
            found = fits
        return found

    def _weight_bits(self, N: int) -> int:
        """The bits of a weight: as given, or those that tell the multiples of the step in [-N, N],
        rounded, apart."""
        if self._bits is not None:
            return self._bits
        assert self._step is not None
        return (2 * int(N / self._step + Fraction(1, 2))).bit_length()

    @property
    def bits(self) -> str:
        if self._bits is None:
            levels = "tell the multiples of the step in [-N, N] apart"
            return f"as many bits for each of d^2 weights as {levels}"
        return f"{self._bits} bit{'s' if self._bits > 1 else ''} for each of d^2 weights"

    @property
    def load_unit(self) -> tuple[int, str]:
        return self._d**2, "d²"

    def products(self, N: int, M: int) -> float:
        return N * M * self._d + 2 * N * self._d**2

    def sample(self, N: int, M: int, **more: Any) -> Memory:
        from numerics import QuantizedMemory

        return QuantizedMemory.sample(self._d, N, M, step=self._spacing, bits=self._bits, **more)

    def rebuilt(self, memory: Memory, *facts: Tensor) -> Memory:
        from numerics import LinearMemory, QuantizedMemory

        return QuantizedMemory(LinearMemory(*facts), step=self._spacing, bits=self._bits)

    def images(self, memory: QuantizedMemory, vectors: Tensor) -> Tensor:
        from numerics import LinearMemory

        facts = (memory.inputs, memory.outputs, memory.association)
        weight = LinearMemory(*facts).weight.double()
        if self._spacing is not None:
            return vectors @ (self._spacing * (weight / self._spacing).round()).T
        assert self._bits is not None
        if self._bits == 1:
            return vectors @ (weight.abs().mean() * weight.sign()).T
        peak = weight.abs().max()
        levels = -peak + 2 * peak / (2**self._bits - 1) * weight.new_tensor(range(2**self._bits))
        nearest = (weight.unsqueeze(-1) - levels).abs().argmin(-1)
        rounded: Tensor = vectors @ levels[nearest].T
        return rounded

    @property
    def _spacing(self) -> float | None:
        return None if self._step is None else float(self._step)


def _read(step: str | None, d: int) -> Fraction:
    """The step exactly; 1/(8 d) where it is None."""
    if step is None:
        return read_step(None, d)
    try:
        text = str(step)
        if not plain_number(text):
            raise ValueError
        if "/" not in text and abs(Decimal(text).adjusted()) > _MOST_DIGITS:
            raise ValueError(f"step: {step} has too many digits; take a step nearer to 1")
        exact = Fraction(text)
    except (ArithmeticError, ValueError) as error:
        if "too many" in str(error):
            raise
        raise ValueError(f"step: {step!r} is not a number; write for instance 1/512") from None
    return read_step(exact, d)
