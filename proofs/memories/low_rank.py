"""The low-rank memory W = sum_z u_{f(z)} e_z^T sum_{i<=m} v_i v_i^T (Nichani et al., Theorem 1).

The v_i are standard Gaussian, so W has rank at most m and the mean margin is m, as printed without a
factor 1/m.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from proofs.algebra import RationalFunction
from proofs.derived import Derived
from proofs.memories.setting import Definition, Embeddings, Setting, margin_moment
from proofs.moments import Gaussian, Range, dot, outer, sum_over


def definition(embeddings: Embeddings = "sphere") -> Definition:
    """W = sum_z u_{f(z)} e_z^T sum_i v_i v_i^T and gamma_xy = (u_{f(x)} - u_y)^T W e_x.

    *embeddings*: "sphere" or "gaussian" (N(0, I_d / d)). One object for each.
    """
    return _definition(embeddings)


@cache
def _definition(embeddings: Embeddings) -> Definition:
    s = Setting(embeddings)
    v = Gaussian("v", s.e.dimension)
    z, i = s.inputs.index("z"), Range(RationalFunction.symbol("m"), "[m]").index("i")
    linear = sum_over(z, outer(s.u[s.association(z)], s.e[z]))
    weight = linear @ sum_over(i, outer(v[i], v[i]))
    margin = dot(s.contrast(), weight @ s.e[s.x])
    text = "W = sum_z u_f(z) e_z^T sum_i v_i v_i^T,  gamma = <u_f(x) - u_y, W e_x>"
    return s.define(text, margin, weight)


def margin_mean(
    d: Any,
    N: Any,
    m: Any,
    *,
    y_in_image: bool = True,
    embeddings: Embeddings = "sphere",
    same: Any = 0,
    other: Any = None,
) -> Derived:
    """E[gamma_xy], y != f(x).

    *d*, *N*, *m*: dimension, number of inputs and rank, symbols or numbers. *same*: inputs besides x
    with the output f(x). *other*: inputs with the output y, by default 1 or 0 as y is in the image
    or not.

    Raises ValueError for sizes outside the scope or contradictory arguments, ExactnessError for
    floats. Source: Nichani et al., Theorem 1, last sentence.
    """
    return _moment(1, d, N, m, y_in_image, embeddings, same, other, central=False)


def margin_variance(
    d: Any,
    N: Any,
    m: Any,
    *,
    y_in_image: bool = True,
    embeddings: Embeddings = "sphere",
    same: Any = 0,
    other: Any = None,
) -> Derived:
    """Var(gamma_xy), y != f(x). Arguments and errors as in ``margin_mean``."""
    return _moment(2, d, N, m, y_in_image, embeddings, same, other, central=True)


def margin_central_moment(
    order: int,
    d: Any,
    N: Any,
    m: Any,
    *,
    y_in_image: bool = True,
    embeddings: Embeddings = "sphere",
    same: Any = 0,
    other: Any = None,
) -> Derived:
    """E[(gamma_xy - E gamma_xy)^order], order from 1 to 8. Otherwise as ``margin_mean``."""
    return _moment(order, d, N, m, y_in_image, embeddings, same, other, central=True)


def _moment(
    order: int,
    d: Any,
    N: Any,
    m: Any,
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
        {"d": d, "N": N, "m": m},
        y_in_image=y_in_image,
        same=same,
        other=other,
        central=central,
        least={"d": 1, "N": 1, "m": 1},
    )
