"""The polynomial memory F(v) = sum_z u_f(z) <e_z, v>^k (Nichani et al., Sec. 3.2, after eq. (3)).

What the random-feature memory tends to, up to its Hermite coefficient.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from proofs.memories.setting import Margin, Memory, margin_functions
from proofs.moments import dot, sum_over


class Definition(Memory):
    """The memory of degree k and its margin gamma_xy = <u_f(x) - u_y, F(e_x)>."""

    def __init__(self, k: int) -> None:
        super().__init__()
        z = self.inputs.index("z")
        value = dot(self.contrast(), self.u[self.association(z)])
        self.margin = sum_over(z, value * dot(self.e[z], self.e[self.x]) ** k)
        self.text = f"gamma = sum_z <u_f(x) - u_y, u_f(z)> <e_z, e_x>^{k}"
        # For even k a fact's embedding need not occur twice.
        self.injective_from = 2 if k % 2 == 0 else 4


_definition = lru_cache(maxsize=16)(Definition)


def definition(k: int) -> Definition:
    """The memory of degree *k* >= 1. One object for each.

    Raises ValueError for another degree.
    """
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise ValueError(f"k: {k!r} is no degree of a polynomial memory; take an int >= 1")
    return _definition(k)


def _margin(
    d: Any, N: Any, *, k: int, y_in_image: bool = True, same: Any = 0, other: Any = None
) -> Margin:
    """E[gamma_xy], y != f(x).

    *d*, *N*: dimension and number of inputs; *k*: the degree. *same*, *other*, *y_in_image*, and
    what is raised: as for the linear memory.
    """
    return Margin(definition(k), {"d": d, "N": N}, y_in_image, same, other)


margin_mean, margin_variance, margin_central_moment = margin_functions(_margin)
