"""The MLP memory in its linearised form, the neural tangent kernel (Nichani et al., App. B, Thm. 9).

F(e_x) = (1/m) sum_{i, z} v_i <v_i, u_f(z)> sigma'(<w_i, e_x>) h_k(<w_i, e_z>) <e_x, e_z>, with v_i, w_i
standard Gaussian and sigma = sum_j c_j h_j in orthonormal Hermite polynomials.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from proofs.algebra import RationalFunction
from proofs.hermite import hermite
from proofs.memories.setting import Embeddings, Margin, Memory, margin_functions
from proofs.moments import Expression, Gaussian, Index, Range, dot, hermite_sum, sum_over

#: Coefficients c_0, ..., c_q of the activation: a degree q stands for symbols c0, ..., cq.
Activation = int | Sequence[Any]


class Definition(Memory):
    """The NTK memory with h_k in its features and its margin gamma_xy = <u_f(x) - u_y, F(e_x)>."""

    def __init__(
        self, k: int, sigma: tuple[RationalFunction, ...], embeddings: Embeddings = "sphere"
    ) -> None:
        super().__init__(embeddings)
        m, d = RationalFunction.symbol("m"), self.e.dimension
        self.neurons = Range(m, "[m]")
        self.v, self.w = Gaussian("v", d), Gaussian("w", d)
        self.k = k
        # sigma' = sum_j sqrt(j) c_j h_{j-1}
        self.slope = [RationalFunction.root(j) * c for j, c in enumerate(sigma)][1:]
        z, i = self.inputs.index("z"), self.neurons.index("i")
        self.margin = sum_over([i, z], self.neuron(i, z)) / m
        self.text = (
            "gamma = (1/m) sum_iz <v_i, u_f(x) - u_y> <v_i, u_f(z)> sigma'(<w_i, e_x>) "
            f"h_{k}(<w_i, e_z>) <e_x, e_z>"
        )
        # For odd k a fact's embedding occurs to an even power in one neuron already.
        self.injective_from = 4 if k % 2 == 0 else 2

    def reading(self, i: Index, z: Index) -> Expression:
        """<v_i, u_f(x) - u_y> <v_i, u_f(z)>."""
        v = self.v[i]
        product: Expression = dot(v, self.contrast()) * dot(v, self.u[self.association(z)])
        return product

    def feature(self, i: Index, z: Index) -> Expression:
        """sigma'(<w_i, e_x>) h_k(<w_i, e_z>) <e_x, e_z>."""
        w, x = self.w[i], self.e[self.x]
        key = hermite(self.k, dot(w, self.e[z])) * dot(x, self.e[z])
        product: Expression = hermite_sum(self.slope, dot(w, x)) * key
        return product

    def neuron(self, i: Index, z: Index) -> Expression:
        """omega_iz, what the neuron i adds to m times the margin for the fact z."""
        return self.reading(i, z) * self.feature(i, z)


_definition = lru_cache(maxsize=16)(Definition)


def definition(k: int, sigma: Activation, embeddings: Embeddings = "sphere") -> Definition:
    """The memory with features of degree *k*, "sphere" or "gaussian" embeddings (N(0, I_d / d)). One
    object for each.

    *sigma*: the coefficients c_0, ..., c_q of the activation in orthonormal Hermite polynomials, or
    its degree q. Coefficients that are formulas of the caller stand as symbols c0, ..., cq, since
    their names may be those of the memory's own sizes.
    """
    read = enumerate(activation(sigma))
    exact = tuple(RationalFunction.symbol(f"c{j}") if c.names else c for j, c in read)
    return _definition(k, exact, embeddings)


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


def _values(sigma: Activation) -> dict[str, Any]:
    """The caller's coefficients behind the symbols of the definition."""
    given = activation(sigma) if isinstance(sigma, int) else sigma
    exact = enumerate(activation(sigma))
    return {f"c{j}": c for (j, read), c in zip(exact, given, strict=True) if read.names}


def _margin(
    d: Any,
    N: Any,
    m: Any,
    *,
    k: int,
    sigma: Activation,
    y_in_image: bool = True,
    embeddings: Embeddings = "sphere",
    same: Any = 0,
    other: Any = None,
) -> Margin:
    """E[gamma_xy], y != f(x).

    *d*, *N*, *m*: dimension, number of inputs and width. *k*: degree of the features, >= 0. *sigma*:
    Hermite coefficients c_0, ..., c_q of the activation, or its degree q for symbols c0, ..., cq.
    *same*, *other*, *y_in_image*, *embeddings*: as for the linear memory.

    Raises ValueError for sizes outside the scope or contradictory arguments, ExactnessError for
    floats. Source: Nichani et al., App. B, proof of Theorem 9.
    """
    memory, sizes = definition(k, sigma, embeddings), {"d": d, "N": N, "m": m}
    return Margin(memory, sizes, y_in_image, same, other, _values(sigma))


margin_mean, margin_variance, margin_central_moment = margin_functions(_margin)
