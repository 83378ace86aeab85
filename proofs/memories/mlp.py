"""The MLP memory in its linearised form, the neural tangent kernel (Nichani et al., App. B, Thm. 9).

F(e_x) = (1/m) sum_{i, z} v_i <v_i, u_f(z)> sigma'(<w_i, e_x>) h_k(<w_i, e_z>) <e_x, e_z>, with v_i, w_i
standard Gaussian and sigma = sum_j c_j h_j in orthonormal Hermite polynomials.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from proofs.algebra import RationalFunction
from proofs.derived import Derived
from proofs.hermite import hermite
from proofs.memories.setting import Definition, Setting, margin_moment
from proofs.moments import Gaussian, Range, dot, hermite_sum, sum_over

#: Coefficients c_0, ..., c_q of the activation: a degree q stands for symbols c0, ..., cq.
Activation = int | Sequence[Any]


def definition(k: int, sigma: Activation) -> Definition:
    """The NTK memory with h_k in its features and its margin gamma_xy = <u_f(x) - u_y, F(e_x)>.

    *sigma*: the coefficients c_0, ..., c_q of the activation in orthonormal Hermite polynomials,
    numbers or symbols, or the degree q for symbols c0, ..., cq. One object for each.
    """
    return _definition(k, _placeholders(activation(sigma)))


def _placeholders(sigma: tuple[RationalFunction, ...]) -> tuple[RationalFunction, ...]:
    """Symbols c0, c1, ... for the coefficients that are formulas of the caller, whose names may be
    those of the memory's own sizes."""
    return tuple(RationalFunction.symbol(f"c{j}") if c.names else c for j, c in enumerate(sigma))


def activation(sigma: Activation) -> tuple[RationalFunction, ...]:
    """The Hermite coefficients of an activation as field elements.

    Raises ValueError for a negative degree or an empty sequence, ExactnessError for floats.
    """
    if isinstance(sigma, (bool, float)):
        raise TypeError(f"sigma: {sigma!r} is neither a degree nor a sequence of coefficients")
    if isinstance(sigma, int):
        if sigma < 0:
            raise ValueError(f"sigma: {sigma} is no degree of an activation; take an integer >= 0")
        return tuple(RationalFunction.symbol(f"c{j}") for j in range(sigma + 1))
    coefficients = tuple(RationalFunction.of(c, f"sigma[{j}]") for j, c in enumerate(sigma))
    if not coefficients:
        raise ValueError("sigma: no coefficients; give c_0, ..., c_q or the degree q")
    return coefficients


@lru_cache(maxsize=16)
def _definition(k: int, sigma: tuple[RationalFunction, ...]) -> Definition:
    s = Setting()
    m = RationalFunction.symbol("m")
    v, w = Gaussian("v", s.e.dimension), Gaussian("w", s.e.dimension)
    z, i = s.inputs.index("z"), Range(m, "[m]").index("i")
    # sigma' = sum_j sqrt(j) c_j h_{j-1}
    slope = [RationalFunction.root(j) * c for j, c in enumerate(sigma)][1:]
    feature = hermite(k, dot(w[i], s.e[z])) * dot(s.e[s.x], s.e[z])
    reading = dot(v[i], s.contrast()) * dot(v[i], s.u[s.association(z)])
    neuron = reading * hermite_sum(slope, dot(w[i], s.e[s.x])) * feature
    text = (
        "gamma = (1/m) sum_iz <v_i, u_f(x) - u_y> <v_i, u_f(z)> sigma'(<w_i, e_x>) "
        f"h_{k}(<w_i, e_z>) <e_x, e_z>"
    )
    return s.define(text, sum_over([i, z], neuron) / m)


def _values(sigma: Activation) -> dict[str, Any]:
    """The caller's coefficients behind the placeholders."""
    given = activation(sigma) if isinstance(sigma, int) else sigma
    exact = enumerate(activation(sigma))
    return {f"c{j}": c for (j, read), c in zip(exact, given, strict=True) if read.names}


def margin_mean(
    d: Any,
    N: Any,
    m: Any,
    *,
    k: int,
    sigma: Activation,
    y_in_image: bool = True,
    same: Any = 0,
    other: Any = None,
) -> Derived:
    """E[gamma_xy], y != f(x).

    *d*, *N*, *m*: dimension, number of inputs and width. *k*: degree of the features, >= 0. *sigma*:
    Hermite coefficients c_0, ..., c_q of the activation, or its degree q for symbols c0, ..., cq.
    *same*, *other*, *y_in_image*: as for the linear memory.

    Raises ValueError for sizes outside the scope or contradictory arguments, ExactnessError for
    floats. Source: Nichani et al., App. B, proof of Theorem 9.
    """
    return _moment(1, d, N, m, k, sigma, y_in_image, same, other, central=False)


def margin_variance(
    d: Any,
    N: Any,
    m: Any,
    *,
    k: int,
    sigma: Activation,
    y_in_image: bool = True,
    same: Any = 0,
    other: Any = None,
) -> Derived:
    """Var(gamma_xy), y != f(x). Arguments and errors as in ``margin_mean``."""
    return _moment(2, d, N, m, k, sigma, y_in_image, same, other, central=True)


def margin_central_moment(
    order: int,
    d: Any,
    N: Any,
    m: Any,
    *,
    k: int,
    sigma: Activation,
    y_in_image: bool = True,
    same: Any = 0,
    other: Any = None,
) -> Derived:
    """E[(gamma_xy - E gamma_xy)^order], order from 1 to 8. Otherwise as ``margin_mean``."""
    return _moment(order, d, N, m, k, sigma, y_in_image, same, other, central=True)


def _moment(
    order: int,
    d: Any,
    N: Any,
    m: Any,
    k: int,
    sigma: Activation,
    y_in_image: bool,
    same: Any,
    other: Any,
    *,
    central: bool,
) -> Derived:
    return margin_moment(
        definition(k, sigma),
        order,
        {"d": d, "N": N, "m": m, **_values(sigma)},
        y_in_image=y_in_image,
        same=same,
        other=other,
        central=central,
        least={"d": 1, "N": 1, "m": 1},
        # For odd k a fact's embedding occurs to an even power in one neuron already.
        injective_from=4 if k % 2 == 0 else 2,
    )
