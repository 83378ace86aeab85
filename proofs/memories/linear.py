"""The linear associative memory W = sum_z u_{f(z)} e_z^T (Nichani et al., Sec. 3.1 and App. B).

Only W and the bilinear form of the margin are typed here; every formula is derived from them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from proofs.derived import Derived
from proofs.memories.setting import Definition, Embeddings, Setting, margin_moment
from proofs.moments import dot, outer, sum_over


def definition(embeddings: Embeddings = "sphere") -> Definition:
    """W = sum_z u_{f(z)} e_z^T and gamma_xy = (u_{f(x)} - u_y)^T W e_x.

    *embeddings*: "sphere" (uniform on the unit sphere) or "gaussian" (N(0, I_d / d)). One object
    for each, so that its vectors are the same ones in every call.
    """
    return _definition(embeddings)


@cache
def _definition(embeddings: Embeddings) -> Definition:
    s = Setting(embeddings)
    z = s.inputs.index("z")
    weight = sum_over(z, outer(s.u[s.association(z)], s.e[z]))
    margin = dot(s.contrast(), weight @ s.e[s.x])
    return s.define("W = sum_z u_f(z) e_z^T,  gamma = <u_f(x) - u_y, W e_x>", margin, weight)


def margin_mean(
    d: Any,
    N: Any,
    *,
    y_in_image: bool = True,
    embeddings: Embeddings = "sphere",
    same: Any = 0,
    other: Any = None,
) -> Derived:
    """E[gamma_xy], y != f(x).

    *d*, *N*: dimension and number of inputs, symbols or numbers. *same*: inputs besides x with the
    output f(x). *other*: inputs with the output y, by default 1 or 0 as y is in the image or not.

    Raises ValueError for sizes outside the scope or contradictory arguments, ExactnessError for
    floats. Source: Nichani et al., App. B, proof of Theorem 1, first display.
    """
    return _moment(1, d, N, y_in_image, embeddings, same, other, central=False)


def margin_variance(
    d: Any,
    N: Any,
    *,
    y_in_image: bool = True,
    embeddings: Embeddings = "sphere",
    same: Any = 0,
    other: Any = None,
) -> Derived:
    """Var(gamma_xy), y != f(x). Arguments and errors as in ``margin_mean``."""
    return _moment(2, d, N, y_in_image, embeddings, same, other, central=True)


def margin_second_moment(
    d: Any,
    N: Any,
    *,
    y_in_image: bool = True,
    embeddings: Embeddings = "sphere",
    same: Any = 0,
    other: Any = None,
) -> Derived:
    """E[gamma_xy^2], y != f(x). Arguments and errors as in ``margin_mean``."""
    return _moment(2, d, N, y_in_image, embeddings, same, other, central=False)


def margin_central_moment(
    order: int,
    d: Any,
    N: Any,
    *,
    y_in_image: bool = True,
    embeddings: Embeddings = "sphere",
    same: Any = 0,
    other: Any = None,
) -> Derived:
    """E[(gamma_xy - E gamma_xy)^order], order from 1 to 8. Otherwise as ``margin_mean``."""
    return _moment(order, d, N, y_in_image, embeddings, same, other, central=True)


def _moment(
    order: int,
    d: Any,
    N: Any,
    y_in_image: bool,
    embeddings: Embeddings,
    same: Any,
    other: Any,
    *,
    central: bool,
) -> Derived:
    return margin_moment(
        definition(embeddings),
        order,
        {"d": d, "N": N},
        y_in_image=y_in_image,
        same=same,
        other=other,
        central=central,
        least={"d": 1, "N": 1},
    )
