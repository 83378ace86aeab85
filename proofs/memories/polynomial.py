"""The polynomial memory F(v) = sum_z u_f(z) <e_z, v>^k (Nichani et al., Sec. 3.2, after eq. (3)).

What the random-feature memory tends to, up to its Hermite coefficient.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from proofs.derived import Derived
from proofs.memories.setting import Fibres, Memory, margin_moment
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


def margin_mean(
    d: Any, N: Any, *, k: int, y_in_image: bool = True, same: Any = 0, other: Any = None
) -> Derived:
    """E[gamma_xy], y != f(x).

    *d*, *N*: dimension and number of inputs; *k*: the degree. *same*, *other*, *y_in_image*, and
    what is raised: as for the linear memory.
    """
    return _moment(1, k, d, N, Fibres(y_in_image, same, other), central=False)


def margin_variance(
    d: Any, N: Any, *, k: int, y_in_image: bool = True, same: Any = 0, other: Any = None
) -> Derived:
    """Var(gamma_xy), y != f(x). Arguments and errors as in ``margin_mean``."""
    return _moment(2, k, d, N, Fibres(y_in_image, same, other))


def margin_central_moment(
    order: int, d: Any, N: Any, *, k: int, y_in_image: bool = True, same: Any = 0, other: Any = None
) -> Derived:
    """E[(gamma_xy - E gamma_xy)^order], order from 1 to 8. Otherwise as ``margin_mean``."""
    return _moment(order, k, d, N, Fibres(y_in_image, same, other))


def _moment(order: int, k: int, d: Any, N: Any, fibres: Fibres, central: bool = True) -> Derived:
    return margin_moment(definition(k), order, {"d": d, "N": N}, fibres, central=central)
