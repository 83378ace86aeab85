"""The low-rank memory: W = sum_z u_f(z) e_z^T sum_i v_i v_i^T (Nichani et al., Theorem 1)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from proofs.capacity import LowRank
from proofs.capacity.low_rank import Factors
from proofs.capacity.predictions import LowRankPrediction
from verify.capacity.construction import Construction, summed_outer_products

if TYPE_CHECKING:
    from torch import Tensor

    from numerics import LowRankMemory, Memory


class LowRankConstruction(Construction):
    """The memory of rank m in dimension d, with "gaussian" or "orthonormal" factors."""

    name = "low-rank"
    needs: ClassVar = {
        "d": "the dimension, for instance --d 128",
        "m": "the number of factors, for instance --m 64",
    }
    takes = ("factors",)
    examples = ({"d": 48, "m": 40}, {"d": 48, "m": 40, "factors": "orthonormal"})
    curves = tuple(({"d": 64, "m": m}, 200) for m in (16, 32, 64))
    largest_size = 10**5

    def __init__(self, d: int, m: int, factors: Factors = "gaussian") -> None:
        self.prediction = LowRankPrediction(d, m, factors)
        self.sizes = {"d": d, "m": m, "factors": factors}
        self._d, self._m, self._factors = d, m, factors
        self._condition = LowRank(factors=factors)

    def failure_bound(self, N: int, M: int | None) -> Fraction | None:
        return self._condition.failure_bound(self._d, N, M, m=self._m)

    def provable(self, delta: Fraction, M: int | None) -> int | None:
        return self._condition.largest(delta=delta, d=self._d, M=M, m=self._m)

    def proof(self, delta: Fraction, N: int, M: int | None) -> str:
        return "condition nichani.thm1.lowrank.explicit.integral"

    @property
    def predicted_from(self) -> str:
        return f"{super().predicted_from}, averaged over the law of the alignment of a fact"

    @property
    def parameters(self) -> tuple[int, str]:
        return 2 * self._d * self._m, "2 d m"

    @property
    def load_unit(self) -> tuple[int, str]:
        return self._d * self._m, "(m d)"

    def products(self, N: int, M: int) -> float:
        return N * M * self._d + 4 * N * self._d * self._m

    def sample(self, N: int, M: int, **more: Any) -> Memory:
        from numerics import LowRankMemory

        return LowRankMemory.sample(self._d, N, M, m=self._m, factors=self._factors, **more)

    def images(self, memory: LowRankMemory, vectors: Tensor) -> Tensor:
        terms = (v.outer(v) for v in memory.factors.double().T)
        weight = summed_outer_products(memory)
        return vectors @ (weight @ sum(terms, start=0 * weight)).T
