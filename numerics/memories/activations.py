"""Activations of two-layer memories, with their derivatives and bounds on how both are rounded.

Serves App. B of arXiv 2412.06538: sigma = sum_k c_k h_k with the orthonormal Hermite polynomials
h_k = He_k / sqrt(k!) of the standard Gaussian (the probabilists' He_k, leading coefficient 1).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import torch
from numpy.polynomial.hermite_e import hermegauss
from torch import Tensor

from numerics.certified.marks import unfollowed
from numerics.checks import check_choice, check_integer
from numerics.errors import InputError
from numerics.rounding import dot_error_factor

#: Nodes of the quadrature for Hermite coefficients: far more than any degree used here.
_NODES = 128
#: Roundings in a monomial coefficient made of q + 1 Hermite coefficients: those of sqrt, j!, the
#: integer, a product and a quotient for each, and the q sums.
_PER_COEFFICIENT = 8

#: (points, radius, dtype) to a bound, all tensors of one shape: see `Activation`.
_Bound = Callable[[Tensor, Tensor, torch.dtype], Tensor]


@cache
def quadrature(count: int) -> tuple[Tensor, Tensor]:
    """Nodes and weights (count,), float64, exact for the weight exp(-t^2/2) and degrees below 2 count.

    Not to be written to.
    """
    nodes, weights = (torch.from_numpy(part) for part in hermegauss(count))
    return nodes, weights


@dataclass(frozen=True)
class Activation:
    """A function sigma: R -> R and its derivative, elementwise on tensors of any float dtype.

    value_error(points, radius, dtype) and derivative_error(...), float64 of the shape of the
    float64 `points` and `radius`, bound |f'(s) - f(t)|, with f the exact function and f' what
    `value` or `derivative` computes in `dtype`, for all s, t with |s - t| <= radius that are both
    within radius of the point. Polynomials need no assumption for that. For "tanh" and "sin" the
    library's tanh, sin and cos are taken to be right to 4 units in the last place; "relu" is exact
    and its derivative, 0 at 0, errs by 1 where s and t may lie on both sides of 0.
    """

    name: str
    value: Callable[[Tensor], Tensor]
    derivative: Callable[[Tensor], Tensor]
    value_error: _Bound
    derivative_error: _Bound

    @classmethod
    def hermite(cls, coefficients: Sequence[float]) -> "Activation":
        """sigma = sum_j c_j h_j for coefficients c_0, ..., c_q, finite, at least one, q <= 24.

        Raises InputError otherwise (beyond, coefficients of He_q are no longer exact floats).
        """
        c = _finite(coefficients)
        if len(c) > 25:
            raise InputError(f"coefficients: degree {len(c) - 1} is too large: take at most 24")
        stored, sizes = [0.0] * len(c), [0.0] * len(c)
        for j, c_j in enumerate(c):
            unit = math.sqrt(math.factorial(j))
            for i, coefficient in enumerate(_hermite_integers(j)):
                stored[i] += c_j * coefficient / unit
                sizes[i] += abs(c_j * coefficient) / unit
        name = f"hermite({', '.join(f'{c_j:g}' for c_j in c)})"
        return cls._of(name, _Polynomial(tuple(stored), tuple(sizes), len(c) + _PER_COEFFICIENT))

    @classmethod
    def polynomial(cls, coefficients: Sequence[float]) -> "Activation":
        """sigma(t) = sum_i a_i t^i for coefficients a_0, ..., a_q, finite, at least one."""
        a = _finite(coefficients)
        name = f"polynomial({', '.join(f'{a_i:g}' for a_i in a)})"
        return cls._of(name, _Polynomial(a, tuple(map(abs, a)), 0))

    @classmethod
    def _of(cls, name: str, polynomial: "_Polynomial") -> "Activation":
        slope = polynomial.derivative()
        return cls(name, polynomial, slope, polynomial.error, slope.error)

    @classmethod
    def named(cls, name: str) -> "Activation":
        """The activation "relu", "tanh" or "sin"; InputError for another name."""
        check_choice("activation", name, [*_NAMED])
        return _NAMED[name]

    @classmethod
    def read(cls, sigma: "Activation | str | Sequence[float]") -> "Activation":
        """An activation from its name, or from Hermite coefficients c_0, ..., c_q."""
        if isinstance(sigma, Activation):
            return sigma
        return cls.named(sigma) if isinstance(sigma, str) else cls.hermite(sigma)

    @unfollowed()
    def coefficient(self, j: int) -> float:
        """c_j = E[sigma(g) h_j(g)], g standard Gaussian, by Gauss-Hermite quadrature, 0 <= j <= 24.

        Exact up to rounding for polynomials, to about 1e-10 for "tanh" and "sin". For "relu", which
        has a kink, odd ones are right up to rounding and even ones to about 1e-2.
        """
        check_integer("j", j, minimum=0, maximum=24)
        nodes, weights = quadrature(_NODES)
        h_j = Activation.hermite([0.0] * j + [1.0])
        products = weights * self.value(nodes) * h_j.value(nodes)
        return float(products.sum()) / math.sqrt(2 * math.pi)


def _finite(coefficients: Sequence[float]) -> tuple[float, ...]:
    try:
        values = tuple(float(c) for c in coefficients)
    except (TypeError, ValueError, RuntimeError, OverflowError):
        raise InputError(
            f"coefficients = {coefficients!r} are no numbers: give c_0, ..., c_q, all finite"
        ) from None
    if not values or not all(map(math.isfinite, values)):
        raise InputError(f"coefficients = {values}: give c_0, ..., c_q, all finite")
    return values


def _hermite_integers(j: int) -> list[int]:
    """Coefficients of He_j, from He_{j+1} = t He_j - j He_{j-1}."""
    before, this = [0], [1]
    for i in range(j):
        shifted = [0, *this]
        lower = [*before, *[0] * (len(shifted) - len(before))]
        before, this = this, [s - i * b for s, b in zip(shifted, lower, strict=True)]
    return this


@dataclass(frozen=True)
class _Polynomial:
    """A polynomial by Horner's rule.

    The exact coefficients are at most `sizes` in absolute value, and the stored ones are off by at
    most gamma_n * sizes, n = `roundings`.
    """

    stored: tuple[float, ...]
    sizes: tuple[float, ...]
    roundings: int

    def __call__(self, t: Tensor) -> Tensor:
        result = torch.full_like(t, self.stored[-1])
        for a in reversed(self.stored[:-1]):
            result = result * t + a
        return result

    def derivative(self) -> "_Polynomial":
        if len(self.stored) == 1:
            return _Polynomial((0.0,), (0.0,), 0)
        stored, sizes = (
            tuple(i * a for i, a in enumerate(part))[1:] for part in (self.stored, self.sizes)
        )
        return _Polynomial(stored, sizes, self.roundings + 1)

    def error(self, points: Tensor, radius: Tensor, dtype: torch.dtype) -> Tensor:
        """gamma_n A(reach) + radius A'(reach), A(t) = sum_i sizes_i t^i, reach = |point| + radius.

        n counts the 2q operations of Horner's rule, the roundings of the stored coefficients and
        their cast to `dtype` (Higham, Accuracy and Stability, 2nd ed., Sec. 5.1); each size is
        raised by tiny/u, which covers underflow.
        """
        info = torch.finfo(dtype)
        raised = tuple(size + 2 * info.tiny / info.eps for size in self.sizes)
        sizes = _Polynomial(raised, raised, 0)
        reach = points.abs() + radius
        n = 2 * len(raised) + self.roundings + 2
        return dot_error_factor(n, dtype) * sizes(reach) + radius * sizes.derivative()(reach)


#: 4 units in the last place are at most 8 u times the result.
_LIBRARY = 8


def _steady(slope: float, roundings: int) -> _Bound:
    """A function with Lipschitz constant `slope`, computed to within `roundings` * u."""

    def bound(points: Tensor, radius: Tensor, dtype: torch.dtype) -> Tensor:
        return slope * radius + roundings * torch.finfo(dtype).eps / 2

    return bound


def _relu_slope(t: Tensor) -> Tensor:
    return (t > 0).to(t.dtype)


def _relu_slope_error(points: Tensor, radius: Tensor, dtype: torch.dtype) -> Tensor:
    return (points.abs() <= radius).to(points.dtype)


def _tanh_slope(t: Tensor) -> Tensor:
    tanh = torch.tanh(t)
    return 1 - tanh * tanh


_NAMED = {
    "relu": Activation(
        "relu", torch.relu, _relu_slope, _steady(slope=1.0, roundings=0), _relu_slope_error
    ),
    # |tanh''| <= 4/(3 sqrt(3)) < 0.77; twice the library's error, a product and a difference.
    "tanh": Activation(
        "tanh",
        torch.tanh,
        _tanh_slope,
        _steady(slope=1.0, roundings=_LIBRARY),
        _steady(slope=0.77, roundings=2 * _LIBRARY + 4),
    ),
    "sin": Activation(
        "sin",
        torch.sin,
        torch.cos,
        _steady(slope=1.0, roundings=_LIBRARY),
        _steady(slope=1.0, roundings=_LIBRARY),
    ),
}
