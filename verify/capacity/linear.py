"""The linear memory: W = sum_z u_f(z) e_z^T (Nichani et al., Theorem 1)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from proofs.capacity import Linear
from proofs.capacity.predictions import LinearPrediction, Prediction
from verify.capacity.construction import Construction

if TYPE_CHECKING:
    import torch

    from numerics import Memory
    from numerics.observables import Event


class LinearConstruction(Construction):
    """The linear memory in dimension d."""

    name = "linear"
    needs: ClassVar = {"d": "the dimension, for instance --d 128"}

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

    def failures(self, N: int, M: int, draws: int, *, seed: int, name: str) -> Event:
        from numerics.draws.linear_margin import failures

        return failures(self._d, N, M, draws, seed=seed, name=name)

    def sample(self, N: int, M: int, *, seed: int, dtype: torch.dtype, device: str) -> Memory:
        from numerics import LinearMemory

        return LinearMemory.sample(self._d, N, M, seed=seed, dtype=dtype, device=device)
