"""Linear memories built wrongly on purpose: what a check of a construction must notice.

Each fault is a slip that a program or a proof could make in W = sum_x u_{f*(x)} e_x^T.
"""

from collections.abc import Callable

from torch import Tensor

from numerics.errors import InputError
from numerics.memories import linear
from numerics.memories.base import Memory
from numerics.random import Stream, sample_sphere

#: (outer_product_weight's arguments, random signs (..., N)) to a weight (..., d, d).
_Build = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]


def _transposed(inputs: Tensor, outputs: Tensor, association: Tensor, signs: Tensor) -> Tensor:
    return linear.outer_product_weight(inputs, outputs, association).mT


def _doubled(inputs: Tensor, outputs: Tensor, association: Tensor, signs: Tensor) -> Tensor:
    return 2 * linear.outer_product_weight(inputs, outputs, association)


def _untied_signs(inputs: Tensor, outputs: Tensor, association: Tensor, signs: Tensor) -> Tensor:
    return linear.outer_product_weight(signs.unsqueeze(-1) * inputs, outputs, association)


FAULTS: dict[str, _Build] = {
    "transposed": _transposed,
    "doubled": _doubled,
    "untied signs": _untied_signs,
}


def faulty_weight(
    fault: str, inputs: Tensor, outputs: Tensor, association: Tensor, signs: Tensor
) -> Tensor:
    """The weight with the named fault: inputs (..., N, d), outputs (..., M, d), signs (..., N).

    Raises InputError for a fault that is not known.
    """
    if fault not in FAULTS:
        raise InputError(f"fault = {fault!r} is not known: take one of {', '.join(FAULTS)}")
    return FAULTS[fault](inputs, outputs, association, signs)


def drawn_faulty_weight(fault: str, memory: Memory, stream: Stream) -> Tensor:
    """The weight (d, d) of the facts of `memory` with the named fault, signs from the child "signs"."""
    inputs = memory.inputs
    signs = sample_sphere(len(inputs), 1, stream=stream.child("signs"), device=inputs.device)
    return faulty_weight(fault, inputs, memory.outputs, memory.association, signs.squeeze(-1))
