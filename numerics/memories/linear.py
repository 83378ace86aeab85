"""The linear associative memory: one d x d matrix, a sum of outer products.

Serves Sec. 3 of arXiv 2412.06538: W = sum_x u_{f*(x)} e_x^T and its images W e.
"""

from collections.abc import Callable
from typing import ClassVar

import torch
from torch import Tensor

from numerics.associations import assigned
from numerics.checks import check_choice, check_finite_rows, check_like, check_vectors
from numerics.memories.facts import check_facts, fact_signs, sample_facts
from numerics.random import Stream
from numerics.rounding import BOUND_SLACK, dot_error_factor, full_precision_products, lengths


def outer_product_weight(inputs: Tensor, outputs: Tensor, association: Tensor) -> Tensor:
    """W = sum_x u_{f*(x)} e_x^T, shape (..., d, d).

    inputs (..., N, d), outputs (..., M, d), association int64 (N,), shared by the leading
    dimensions, or (..., N). Source: arXiv 2412.06538, Sec. 3.
    """
    return assigned(outputs, association).mT @ inputs


def apply_weight(weight: Tensor, vectors: Tensor) -> Tensor:
    """W v for each row v: weight (..., d, d), vectors (..., b, d) -> (..., b, d)."""
    return vectors @ weight.mT


#: Slips that a program or a proof could make in W, which a check of a construction must notice: from
#: the arguments of outer_product_weight and random signs (..., N) to a weight (..., d, d).
FAULTS: dict[str, Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]] = {
    "transposed": lambda e, u, f, signs: outer_product_weight(e, u, f).mT,
    "doubled": lambda e, u, f, signs: 2 * outer_product_weight(e, u, f),
    "untied signs": lambda e, u, f, signs: outer_product_weight(signs.unsqueeze(-1) * e, u, f),
}


def faulty_weight(
    fault: str, inputs: Tensor, outputs: Tensor, association: Tensor, signs: Tensor
) -> Tensor:
    """The weight with the named fault: inputs (..., N, d), outputs (..., M, d), signs (..., N).

    Raises InputError for a fault that is not known.
    """
    check_choice("fault", fault, [*FAULTS])
    return FAULTS[fault](inputs, outputs, association, signs)


class LinearMemory:
    """A linear associative memory with the facts it was built to hold, or many of one size at once.

    Attributes: inputs (..., N, d), outputs (..., M, d), association int64 (N,) or (..., N), weight
    (..., d, d); the leading dimensions, most often none, number the memories. The weight as stored
    defines the memory; the rounding made when it was summed is part of it.

    Raises InputError where shapes, dtypes (float32 or float64) or devices disagree, an entry
    is NaN or infinite (the row is named), or an index of the association is out of range.
    """

    #: Slips that `sample` makes on request.
    faults: ClassVar = tuple(FAULTS)

    def __init__(self, inputs: Tensor, outputs: Tensor, association: Tensor) -> None:
        check_facts(inputs, outputs, association)
        self.inputs = inputs
        self.outputs = outputs
        self.association = association
        with full_precision_products():
            self._set_weight(outer_product_weight(inputs, outputs, association))

    @classmethod
    def sample(
        cls,
        d: int,
        N: int,
        M: int | None = None,
        *,
        seed: int | Stream,
        replicates: int | None = None,
        dtype: torch.dtype = torch.float64,
        device: torch.device | str = "cpu",
        fault: str = "",
    ) -> "LinearMemory":
        """A memory of N random facts with uniform unit embeddings in R^d and M outputs (M = N).

        d >= 1, 1 <= N <= M; InputError otherwise. `seed` is a 64-bit seed, or the stream whose
        children "inputs", "outputs" and "association" are drawn from; with `replicates` so many
        memories at once, number i that of `stream.replicate(stream.number + i)`. `fault`: a name in
        FAULTS, the slip to make in the weight.
        """
        stream = Stream.of(seed)
        facts = sample_facts(
            d,
            N,
            M,
            beside=d,
            stream=stream,
            replicates=replicates,
            dtype=dtype,
            device=device,
        )
        memory = cls(*facts)
        if fault == "":
            return memory
        return memory.with_weight(faulty_weight(fault, *facts, fact_signs(facts[0], stream)))

    def with_weight(self, weight: Tensor) -> "LinearMemory":
        """The same facts asked of another weight (..., d, d), as after quantisation or pruning.

        Raises InputError where shape, dtype or device differ or an entry is not finite.
        """
        check_like("weight", weight, self.weight)
        changed = object.__new__(LinearMemory)
        changed.inputs = self.inputs
        changed.outputs = self.outputs
        changed.association = self.association
        changed._set_weight(weight)
        return changed

    def _set_weight(self, weight: Tensor) -> None:
        check_finite_rows("weight", weight)
        self.weight = weight
        self._weight_norm = lengths(weight.flatten(-2)).unsqueeze(-1)

    def apply(self, vectors: Tensor) -> Tensor:
        """W v for each row v of `vectors` (..., b, d): (..., b, d), computed in their dtype."""
        check_vectors(vectors, self.inputs)
        return apply_weight(self.weight.to(vectors.dtype), vectors)

    def apply_error(self, vectors: Tensor) -> Tensor:
        """Bounds (..., b), float64, on |apply(v) - W v|_2 for each row v of `vectors` (..., b, d).

        W is cast to the dtype of v, one rounding of each entry, and entry i of the product then
        errs by at most gamma_{d+1} (|W| |v|)_i in all; the 2-norm of |W| |v| is at most
        |W|_F |v|. Underflow in casts, products and sums adds less than
            4 tiny d^1.5 (1 + |W|_F) (1 + |v|).
        """
        check_vectors(vectors, self.inputs)
        d, size = vectors.shape[-1], lengths(vectors)
        rounding = dot_error_factor(d + 1, vectors.dtype) * self._weight_norm * size
        underflow = 4 * torch.finfo(vectors.dtype).tiny * d**1.5 * (1 + self._weight_norm)
        bound: Tensor = BOUND_SLACK * rounding + underflow * (1 + size)
        return bound
