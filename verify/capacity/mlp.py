"""The MLP memory in its linearised form, the neural tangent kernel (Nichani et al., Theorem 9)."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Context
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from proofs.capacity.polynomial_tail import degree, least_dimension
from proofs.capacity.predictions import MLPPrediction
from verify.capacity.construction import Construction

if TYPE_CHECKING:
    import torch

    from numerics import Memory
    from numerics.observables import Event

#: Degrees of the features that the exact engine derives in seconds.
_LARGEST_K = 6


class MLPConstruction(Construction):
    """m neurons in dimension d, h_k in the features (k even) and sigma = h_1 + ... + h_(k+1)."""

    name = "mlp"
    needs: ClassVar = {
        "d": "the dimension, for instance --d 64",
        "m": "the number of neurons, for instance --m 4096",
    }
    takes = ("k",)
    largest_size = 10**12
    prediction: MLPPrediction

    def __init__(self, d: int, m: int, k: int = 2) -> None:
        if not 0 <= k <= _LARGEST_K or k % 2:
            raise ValueError(f"k: {k} is out of range; take an even degree, 0 to {_LARGEST_K}")
        self.prediction = MLPPrediction(d, m, k)
        self.sizes = {"d": d, "m": m, "k": k}
        self._d, self._m, self._k = d, m, k
        self._sigma = (0.0,) + (1.0,) * (k + 1)

    @property
    def text(self) -> str:
        activation = " + ".join(f"h_{j}" for j in range(1, self._k + 2))
        return f"{super().text}, sigma = {activation}"

    def failure_bound(self, N: int, M: int | None) -> Fraction | None:
        return None

    def provable(self, delta: Fraction, M: int | None) -> int | None:
        return None

    def proof(self, delta: Fraction, N: int, M: int | None) -> str:
        facts, outputs = max(N, 1), max(N, 2) if M is None else max(M, 2)
        needed = Context(prec=2, rounding=ROUND_FLOOR).create_decimal(
            least_dimension(self._k, facts, outputs, delta)
        )
        return (
            f"none; the tail bound for polynomials (nichani.lem14.corrected, here of degree "
            f"{degree(self._k)}) needs d >= {needed:.1e} for N = {facts}, M = {outputs}, at any width"
        )

    @property
    def predicted_from(self) -> str:
        if self.prediction.order == 3:
            return super().predicted_from
        return "exact moments of the margins up to order two, pessimistic where few neurons matter"

    @property
    def parameters(self) -> tuple[int, str]:
        return 2 * self._m * self._d, "2 m d"

    @property
    def load_unit(self) -> tuple[int, str]:
        return self._d * self._m, "(m d)"

    def products(self, N: int, M: int) -> float:
        return N * M * self._d + 8 * N * self._m * self._d

    def failures(self, N: int, M: int, draws: int, *, seed: int, name: str) -> Event:
        from numerics.experiments.mlp_margin import failures

        sizes = (self._d, N, M, self._m, draws)
        return failures(*sizes, seed=seed, name=name, k=self._k, sigma=self._sigma)

    def sample(self, N: int, M: int, *, seed: int, dtype: torch.dtype, device: str) -> Memory:
        from numerics import Activation, MLPMemory

        return MLPMemory.sample(
            self._d,
            N,
            M,
            m=self._m,
            activation=Activation.hermite(self._sigma),
            k=self._k,
            seed=seed,
            dtype=dtype,
            device=device,
        )
