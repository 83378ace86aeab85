"""What decoding needs to know of a memory, and nothing more.

Serves Sec. 3 of arXiv 2412.06538: any map R^d -> R^d with facts attached can be decoded.
"""

from typing import Protocol

from torch import Tensor


class Memory(Protocol):
    """Facts (inputs, outputs, association) and a map R^d -> R^d meant to store them.

    A memory that is drawn with others of its size has all its tensors behind leading dimensions.
    """

    @property
    def inputs(self) -> Tensor:
        """Embeddings e_x, (N, d), float32 or float64, finite."""

    @property
    def outputs(self) -> Tensor:
        """Unembeddings u_y, (M, d), finite, of the inputs' dtype and device."""

    @property
    def association(self) -> Tensor:
        """f*, int64 (N,), values in 0..M-1, on the inputs' device."""

    def apply(self, vectors: Tensor) -> Tensor:
        """Images (b, d) of `vectors` (b, d), computed in the dtype of `vectors`."""

    def apply_error(self, vectors: Tensor) -> Tensor:
        """Bounds (b,), float64, on the 2-norm distance of `apply(vectors)` from exact images."""
