"""The linear memory: W = sum_z u_f(z) e_z^T (Nichani et al., Theorem 1)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from proofs.capacity import Linear
from proofs.capacity.predictions import LinearPrediction, Prediction
from verify.capacity.construction import Construction, summed_outer_products

if TYPE_CHECKING:
    from torch import Tensor

    from numerics import LinearMemory, Memory


class LinearConstruction(Construction):
    """The linear memory in dimension d."""

    name = "linear"
    needs: ClassVar = {"d": "the dimension, for instance --d 128"}
    examples = ({"d": 64},)
    curves = (({"d": 64}, 200), ({"d": 128}, 100))

    def __init__(self, d: int) -> None:
        self.sizes = {"d": d}
        self.prediction: Prediction = LinearPrediction(d)
        self._d = d

    def failure_bound(self, N: int, M: int | None) -> Fraction | None:
        return Linear().failure_bound(self._d, N, M)

    def provable(self, delta: Fraction, M: int | None) -> int | None:
        return Linear().largest(delta=delta, d=self._d, M=M)

    def proof(self, delta: Fraction, N: int, M: int | None) -> str:
        return "condition nichani.thm1.explicit.integral"

    @property
    def parameters(self) -> tuple[int, str]:
        return self._d**2, "d^2"

    @property
    def load_unit(self) -> tuple[int, str]:
        return self._d**2, "d²"

    def products(self, N: int, M: int) -> float:
        return N * M * self._d + 2 * N * self._d**2

    def sample(self, N: int, M: int, **more: Any) -> Memory:
        from numerics import LinearMemory

        return LinearMemory.sample(self._d, N, M, **more)

    def images(self, memory: LinearMemory, vectors: Tensor) -> Tensor:
        return vectors @ summed_outer_products(memory).T
