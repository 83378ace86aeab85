"""The low-rank associative memory: two thin factors, W = sum_x u_{f*(x)} e_x^T sum_i v_i v_i^T.

Serves Sec. 3.1 of arXiv 2412.06538 (Theorem 1, last sentence): rank m in place of rank d.
"""

import copy
from typing import ClassVar, Literal

import torch
from torch import Tensor

from numerics.associations import assigned
from numerics.checks import (
    check_choice,
    check_finite_rows,
    check_integer,
    check_like,
    check_rows,
    check_vectors,
)
from numerics.errors import InputError
from numerics.factorizing import qr
from numerics.memories.facts import check_facts, fact_signs, sample_facts
from numerics.memories.linear import FAULTS, faulty_weight
from numerics.random import Stream, sample_gaussian
from numerics.rounding import BOUND_SLACK, dot_error_factor, full_precision_products, lengths

#: "gaussian": v_i with i.i.d. N(0, 1) entries; "orthonormal": a uniform orthonormal m-frame.
Factors = Literal["gaussian", "orthonormal"]


def left_factor(inputs: Tensor, outputs: Tensor, association: Tensor, factors: Tensor) -> Tensor:
    """L = sum_x u_{f*(x)} (V^T e_x)^T, shape (..., d, m), so that W = L V^T.

    inputs (..., N, d), outputs (..., M, d), factors V (..., d, m), association int64 (N,), shared
    by the leading dimensions, or (..., N). Source: arXiv 2412.06538, Theorem 1.
    """
    return assigned(outputs, association).mT @ (inputs @ factors)


def apply_factors(left: Tensor, factors: Tensor, vectors: Tensor) -> Tensor:
    """L (V^T v) for each row v: left, factors (..., d, m), vectors (..., b, d) -> (..., b, d)."""
    return (vectors @ factors) @ left.mT


def orthonormal_columns(gaussian: Tensor) -> Tensor:
    """The uniform (Haar) orthonormal frames made of i.i.d. Gaussian columns: (..., d, m), m <= d.

    The Q of A = QR is uniform only where R has a positive diagonal: the signs that an algorithm
    leaves there depend on A. Source: Mezzadri, "How to generate random matrices from the
    classical compact groups", Notices of the AMS 54 (2007).
    """
    frames, triangles = qr(gaussian)
    diagonal = triangles.diagonal(dim1=-2, dim2=-1)
    ones = torch.ones_like(diagonal)
    signs = torch.where(diagonal < 0, -ones, ones)
    uniform: Tensor = frames * signs.unsqueeze(-2)
    return uniform


def check_factors(d: int, m: int, factors: Factors) -> None:
    """Raise InputError unless m >= 1 factors of the named law exist in R^d."""
    check_integer("d", d, minimum=1)
    check_integer("m", m, minimum=1)
    check_choice("factors", factors, ("gaussian", "orthonormal"))
    if factors == "orthonormal" and m > d:
        raise InputError(f"m = {m} orthonormal factors do not fit in d = {d}: lower m to {d}")


class LowRankMemory:
    """A linear memory of rank at most m, kept in factors, with the facts it was built to hold.

    Attributes: inputs (..., N, d), outputs (..., M, d), association int64 (N,) or (..., N), factors V
    (..., d, m) with columns v_i, left L (..., d, m); the leading dimensions number the memories.
    W = L V^T with the factors as stored defines a memory; the rounding made when L was summed is part
    of it.

    Raises InputError where shapes, dtypes (float32 or float64) or devices disagree, an entry
    is NaN or infinite (the row is named), or an index of the association is out of range.
    """

    #: Slips that `sample` makes on request.
    faults: ClassVar = tuple(FAULTS)

    def __init__(
        self, inputs: Tensor, outputs: Tensor, association: Tensor, factors: Tensor
    ) -> None:
        check_facts(inputs, outputs, association)
        check_rows("factors", factors)
        *leading, _, d = inputs.shape
        asked = ((*leading, d), inputs.dtype, inputs.device)
        if (factors.shape[:-1], factors.dtype, factors.device) != asked:
            raise InputError(
                f"factors are {tuple(factors.shape)}, {factors.dtype}, on {factors.device}: "
                f"pass ({', '.join(map(str, asked[0]))}, m), {inputs.dtype}, on {inputs.device}, as "
                "the inputs are"
            )
        check_finite_rows("factors", factors)
        self.inputs = inputs
        self.outputs = outputs
        self.association = association
        self.factors = factors
        with full_precision_products():
            self._set_left(left_factor(inputs, outputs, association, factors))

    @classmethod
    def sample(
        cls,
        d: int,
        N: int,
        M: int | None = None,
        *,
        m: int,
        factors: Factors = "gaussian",
        seed: int | Stream,
        replicates: int | None = None,
        dtype: torch.dtype = torch.float64,
        device: torch.device | str = "cpu",
        fault: str = "",
    ) -> "LowRankMemory":
        """A memory of N random facts, those of `LinearMemory.sample`, with m random factors.

        d >= 1, 1 <= N <= M, m >= 1, and m <= d where the factors are orthonormal; InputError
        otherwise. `replicates` as for `LinearMemory.sample`. Factors come from the child "factors" of
        the seed's stream, drawn in float64 on the CPU; with the same seed, fewer
        factors are the first ones of more. `fault`: a name in `linear.FAULTS`, the slip to make in the
        part of full rank.
        """
        check_factors(d, m, factors)
        stream = Stream.of(seed)
        beside = 2 * m + (d if fault else 0)
        facts = sample_facts(
            d,
            N,
            M,
            beside=beside,
            stream=stream,
            replicates=replicates,
            dtype=dtype,
            device=device,
        )
        columns = sample_gaussian(m, d, stream=stream.child("factors"), replicates=replicates).mT
        if factors == "orthonormal":
            columns = orthonormal_columns(columns)
        memory = cls(*facts, columns.to(dtype=dtype, device=device).contiguous())
        if fault == "":
            return memory
        weight = faulty_weight(fault, *facts, fact_signs(facts[0], stream))
        return memory.with_left(weight @ memory.factors)

    def with_left(self, left: Tensor) -> "LowRankMemory":
        """The same facts and factors V asked of another left factor (..., d, m), as after training.

        Raises InputError where shape, dtype or device differ or an entry is not finite.
        """
        check_like("left", left, self.left)
        changed = copy.copy(self)
        changed._set_left(left)
        return changed

    def _set_left(self, left: Tensor) -> None:
        check_finite_rows("left", left)
        self.left = left
        self._norms = [lengths(part.flatten(-2)).unsqueeze(-1) for part in (left, self.factors)]

    @property
    def weight(self) -> Tensor:
        """W = L V^T, (..., d, d), rounded to the memory's dtype; made anew at each call."""
        with full_precision_products():
            return self.left @ self.factors.mT

    def apply(self, vectors: Tensor) -> Tensor:
        """W v for each row v of `vectors` (..., b, d): (..., b, d), computed in their dtype."""
        check_vectors(vectors, self.inputs)
        left, factors = self.left.to(vectors.dtype), self.factors.to(vectors.dtype)
        return apply_factors(left, factors, vectors)

    def apply_error(self, vectors: Tensor) -> Tensor:
        """Bounds (..., b), float64, on |apply(v) - W v|_2 for each row v of `vectors` (..., b, d).

        Let t' be the computed t = V^T v. Casting V and d products and sums give
        |t' - t| <= gamma_{d+1} |V|_F |v| in the 2-norm, so |t'| <= (1 + gamma_{d+1}) |V|_F |v|;
        in the same way L t' is computed to within gamma_{m+1} |L|_F |t'|, and
        |L (t' - t)| <= |L|_F |t' - t|. As gamma_j + gamma_k + gamma_j gamma_k <= gamma_{j+k}
        (Higham, Lemma 3.3), the sum is at most gamma_{d+m+2} |L|_F |V|_F |v|. Underflow in
        casts, products and sums adds less than
            4 tiny (d + m)^1.5 (1 + |L|_F) (1 + |V|_F) (1 + |v|).
        """
        check_vectors(vectors, self.inputs)
        d, m = self.factors.shape[-2:]
        left, right = self._norms
        size = lengths(vectors)
        rounding = dot_error_factor(d + m + 2, vectors.dtype) * left * right * size
        underflow = 4 * torch.finfo(vectors.dtype).tiny * (d + m) ** 1.5 * (1 + left) * (1 + right)
        bound: Tensor = BOUND_SLACK * rounding + underflow * (1 + size)
        return bound
