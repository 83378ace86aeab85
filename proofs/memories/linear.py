"""The linear associative memory W = sum_z u_{f(z)} e_z^T (Nichani et al., Sec. 3.1 and App. B).

Only W and the bilinear form of the margin are typed here; every formula is derived from them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from proofs.memories.setting import Embeddings, Margin, Memory, margin_functions, raw_moment
from proofs.moments import dot, outer, sum_over


class Definition(Memory):
    """W = sum_z u_{f(z)} e_z^T and gamma_xy = (u_{f(x)} - u_y)^T W e_x."""

    text = "W = sum_z u_f(z) e_z^T,  gamma = <u_f(x) - u_y, W e_x>"

    def __init__(self, embeddings: Embeddings) -> None:
        super().__init__(embeddings)
        z = self.inputs.index("z")
        self.weight = sum_over(z, outer(self.u[self.association(z)], self.e[z]))
        self.margin = dot(self.contrast(), self.weight @ self.e[self.x])


_definition = cache(Definition)


def definition(embeddings: Embeddings = "sphere") -> Definition:
    """The memory with "sphere" embeddings (uniform on the unit sphere) or "gaussian" ones
    (N(0, I_d / d)). One object for each, so that its vectors are the same ones in every call."""
    return _definition(embeddings)


def _margin(
    d: Any,
    N: Any,
    *,
    y_in_image: bool = True,
    embeddings: Embeddings = "sphere",
    same: Any = 0,
    other: Any = None,
) -> Margin:
    """E[gamma_xy], y != f(x).

    *d*, *N*: dimension and number of inputs, symbols or numbers. *same*: inputs besides x with the
    output f(x). *other*: inputs with the output y, by default 1 or 0 as y is in the image or not.

    Raises ValueError for sizes outside the scope or contradictory arguments, ExactnessError for
    floats. Source: Nichani et al., App. B, proof of Theorem 1, first display.
    """
    return Margin(definition(embeddings), {"d": d, "N": N}, y_in_image, same, other)


margin_mean, margin_variance, margin_central_moment = margin_functions(_margin)
margin_second_moment = raw_moment(
    2,
    _margin,
    "margin_second_moment",
    "E[gamma_xy^2], y != f(x). Arguments and errors as in ``margin_mean``.",
)
