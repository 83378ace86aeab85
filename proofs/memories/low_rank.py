"""The low-rank memory W = sum_z u_{f(z)} e_z^T sum_{i<=m} v_i v_i^T (Nichani et al., Theorem 1).

The v_i are standard Gaussian, so W has rank at most m and the mean margin is m, as printed without a
factor 1/m.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from proofs.algebra import RationalFunction
from proofs.memories import linear
from proofs.memories.setting import Embeddings, Margin, margin_functions
from proofs.moments import Gaussian, Range, dot, outer, sum_over


class Definition(linear.Definition):
    """W = sum_z u_{f(z)} e_z^T sum_i v_i v_i^T and gamma_xy = (u_{f(x)} - u_y)^T W e_x."""

    text = "W = sum_z u_f(z) e_z^T sum_i v_i v_i^T,  gamma = <u_f(x) - u_y, W e_x>"

    def __init__(self, embeddings: Embeddings) -> None:
        super().__init__(embeddings)
        v, i = (
            Gaussian("v", self.e.dimension),
            Range(RationalFunction.symbol("m"), "[m]").index("i"),
        )
        self.weight = self.weight @ sum_over(i, outer(v[i], v[i]))
        self.margin = dot(self.contrast(), self.weight @ self.e[self.x])


_definition = cache(Definition)


def definition(embeddings: Embeddings = "sphere") -> Definition:
    """The memory with "sphere" or "gaussian" embeddings (N(0, I_d / d)). One object for each."""
    return _definition(embeddings)


def _margin(
    d: Any,
    N: Any,
    m: Any,
    *,
    y_in_image: bool = True,
    embeddings: Embeddings = "sphere",
    same: Any = 0,
    other: Any = None,
) -> Margin:
    """E[gamma_xy], y != f(x).

    *d*, *N*, *m*: dimension, number of inputs and rank, symbols or numbers. *same*: inputs besides x
    with the output f(x). *other*: inputs with the output y, by default 1 or 0 as y is in the image
    or not.

    Raises ValueError for sizes outside the scope or contradictory arguments, ExactnessError for
    floats. Source: Nichani et al., Theorem 1, last sentence.
    """
    return Margin(definition(embeddings), {"d": d, "N": N, "m": m}, y_in_image, same, other)


margin_mean, margin_variance, margin_central_moment = margin_functions(_margin)
