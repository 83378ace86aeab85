"""The MLP memory in its linearised form, the neural tangent kernel (Nichani et al., Theorem 9)."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Context
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from proofs.capacity import MLP
from proofs.capacity.mlp import hypercontractive_dimension
from proofs.capacity.predictions import MLPPrediction
from verify.capacity.construction import Construction

if TYPE_CHECKING:
    import torch

    from numerics import Memory
    from numerics.observables import Event

#: Degrees of the features for which a prediction is within a factor of a few, and for which the
#: engine derives the fourth moment of the margin, which the proved condition needs, in seconds.
_LARGEST_K, _LARGEST_PROVED_K = 4, 2


class MLPConstruction(Construction):
    """m neurons in dimension d, h_k in the features (k even) and the activation h_(k+1)."""

    name = "mlp"
    needs: ClassVar = {
        "d": "the dimension, for instance --d 64",
        "m": "the number of neurons, for instance --m 4096",
    }
    takes = ("k",)
    largest_size = 10**12

    def __init__(self, d: int, m: int, k: int = 2) -> None:
        if not 0 <= k <= _LARGEST_K or k % 2:
            raise ValueError(f"k: {k} is out of range; take an even degree, 0 to {_LARGEST_K}")
        self.prediction = MLPPrediction(d, m, k)
        self.sizes = {"d": d, "m": m, "k": k}
        self._d, self._m, self._k = d, m, k
        activation = (0,) * (k + 1) + (1,)
        self._sigma = tuple(map(float, activation))
        self._condition = MLP(k, activation) if k <= _LARGEST_PROVED_K else None

    @property
    def text(self) -> str:
        return f"{super().text}, activation h_{self._k + 1}"

    def failure_bound(self, N: int, M: int | None) -> Fraction | None:
        if self._condition is None:
            return None
        return self._condition.failure_bound(self._d, N, M, m=self._m)

    def provable(self, delta: Fraction, M: int | None) -> int | None:
        if self._condition is None:
            return None
        return self._condition.largest(delta=delta, d=self._d, M=M, m=self._m)

    def proof(self, delta: Fraction, N: int, M: int | None) -> str:
        facts = max(N, 1)
        needed = Context(prec=2, rounding=ROUND_FLOOR).create_decimal(
            hypercontractive_dimension(delta, facts, M, k=self._k, q=self._k + 1)
        )
        if self._condition is None:
            proof = f"none beyond k = {_LARGEST_PROVED_K}, where fourth moments take minutes"
        else:
            proof = "condition nichani.thm9.explicit.moments"
        return f"{proof} (the route of the paper needs d >= {needed:.1e} for N = {facts}, at any m)"

    @property
    def predicted_from(self) -> str:
        rough = ", optimistic where few neurons decide, as they do for k = 4" if self._k > 2 else ""
        return super().predicted_from + rough

    @property
    def parameters(self) -> tuple[int, str]:
        return 2 * self._m * self._d, "2 m d"

    @property
    def load_unit(self) -> tuple[int, str]:
        return self._d * self._m, "(m d)"

    def products(self, N: int, M: int) -> float:
        return N * M * self._d + 8 * N * self._m * self._d

    def failures(self, N: int, M: int, draws: int, *, seed: int, name: str) -> Event:
        from numerics.draws.mlp_margin import failures

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
