"""The MLP memory in its linearised form, the neural tangent kernel (Nichani et al., Theorem 9)."""

from __future__ import annotations

from decimal import ROUND_FLOOR, Context
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from proofs.capacity import MLP
from proofs.capacity.conditions import read_size
from proofs.capacity.mlp import hypercontractive_dimension
from proofs.capacity.predictions import MLPPrediction
from verify.capacity.construction import Construction

if TYPE_CHECKING:
    from torch import Tensor

    from numerics import Memory, MLPMemory

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
    examples = ({"d": 24, "m": 300},)
    curves = (({"d": 32, "m": 256}, 100), ({"d": 32, "m": 1024}, 60))
    largest_size = 10**12

    def __init__(self, d: int, m: int, k: int = 2) -> None:
        if read_size("k", k, 0) > _LARGEST_K or k % 2:
            raise ValueError(f"k: {k} is out of range; take an even degree, 0 to {_LARGEST_K}")
        self.prediction = MLPPrediction(d, m, k)
        self.sizes = {"d": d, "m": m, "k": k}
        self._d, self._m, self._k = d, m, k
        activation = (0,) * (k + 1) + (1,)
        self._sigma = tuple(map(float, activation))
        self._condition = MLP(k, activation) if k <= _LARGEST_PROVED_K else None

    @classmethod
    def called(cls) -> str:
        return "an MLP memory"

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

    def sample(self, N: int, M: int, **more: Any) -> Memory:
        from numerics import Activation, MLPMemory

        sigma = Activation.hermite(self._sigma)
        return MLPMemory.sample(self._d, N, M, m=self._m, k=self._k, activation=sigma, **more)

    def images(self, memory: MLPMemory, vectors: Tensor) -> Tensor:
        from numerics import Activation

        slope, h_k = memory.activation.derivative, Activation.hermite((0.0,) * memory.k + (1.0,))
        images, scale = 0 * vectors, memory.sign / len(memory.hidden)
        values = memory.outputs.double()[memory.association]
        for w, v in zip(memory.hidden.double(), memory.readout.double(), strict=True):
            keys = memory.inputs.double()
            q = scale * (h_k.value(keys @ w) * (values @ v)) @ keys
            images += (slope(vectors @ w) * (vectors @ q)).outer(v)
        return images
