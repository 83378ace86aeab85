"""What the lemmas of App. F of arXiv 2412.06538 speak of, drawn or computed in float64.

Overlaps of unit vectors, polynomials in signs and Gaussians, Hermite polynomials by their recurrence
and Hermite tensors by differentiating the Gaussian density.
"""

import math
from collections.abc import Callable

import numpy as np
import torch
from numpy.polynomial.hermite_e import hermegauss
from torch import Tensor

from numerics.certified.marks import unfollowed
from numerics.checks import check_integer
from numerics.errors import InputError
from numerics.observables import Bounded, Event, HeavyTailed, Observable
from numerics.random import Stream, replicate_gaussians, replicate_spheres

#: Orders p of the moments E <u,v>^(2p) that are drawn.
_ORDERS = (1, 2, 3)
#: Means of the Gaussian polynomials that are drawn.
_MEANS = (1.5, 2.5, 3.0, 6.0)
#: The sine is shifted, so that none of its derivatives has mean 0.
_SHIFT = 1.0


def overlap_powers(d: int, replicates: int, *, seed: int, start: int = 0) -> dict[str, Bounded]:
    """ "p" is <u,v>^(2p) for two independent uniform unit vectors in R^d, p = 1, 2, 3."""
    pair = replicate_spheres(replicates, 2, d, stream=Stream(seed, "overlaps"), start=start)
    squares = (pair[:, 0] * pair[:, 1]).sum(dim=1) ** 2
    return {str(p): Bounded((squares**p).clamp(max=1.0), 0.0, 1.0) for p in _ORDERS}


def polynomial_events(p: int, replicates: int, *, seed: int, start: int = 0) -> dict[str, Event]:
    """Whether a polynomial of degree p in p signs or Gaussians is at most 0.

    "parity" is 1 + s_1 ... s_p, "conjunction" C = (1 + s_1) ... (1 + s_p), "negation" 2^p - C,
    and "gaussian m" m + g_1 ... g_p for m = 1.5, 2.5, 3 and 6. p >= 1.
    """
    stream = Stream(seed, "polynomials")
    signs = replicate_spheres(replicates, p, 1, stream=stream.child("signs"), start=start)[:, :, 0]
    conjunction = (1 + signs).prod(dim=1)
    gaussians = replicate_gaussians(
        replicates, 1, p, stream=stream.child("gaussians"), start=start
    ).prod(dim=2)[:, 0]
    return {
        "parity": Event(1 + signs.prod(dim=1) <= 0),
        "conjunction": Event(conjunction <= 0),
        "negation": Event(2.0**p - conjunction <= 0),
        **{f"gaussian {mean:g}": Event(mean + gaussians <= 0) for mean in _MEANS},
    }


def chain_observables(
    d: int,
    replicates: int,
    *,
    mean: float,
    slope: float,
    threshold: float,
    strict: bool,
    q: float,
    event: float,
    quotient: float,
    seed: int,
    start: int = 0,
) -> dict[str, Observable]:
    """The terms of the chain for f = mean + slope u, u the first coordinate of a unit vector in R^d.

    "below" is f <= 0, "far" |f - E f| >= threshold E f (> if strict), "powered"
    |f - E f|^q >= (E f)^event, "quotient" |f - E f|^q/(E f)^quotient. mean > 0, slope >= 0, q > 0.
    """
    u = replicate_spheres(replicates, 1, d, stream=Stream(seed, "chain"), start=start)[:, 0, 0]
    away, far = (slope * u).abs(), threshold * mean
    bound = slope**q / mean**quotient
    return {
        "below": Event(mean + slope * u <= 0),
        "far": Event(away > far if strict else away >= far),
        "powered": Event(away**q >= mean**event),
        "quotient": Bounded((away**q / mean**quotient).clamp(max=bound), 0.0, bound),
    }


@unfollowed()
def hermite_moment(k: int, q: int) -> float:
    """E h_k(g)^q for a standard Gaussian g and even q, by Gauss-Hermite quadrature, which is exact.

    k >= 0, q >= 2 even; InputError otherwise.
    """
    check_integer("k", k, minimum=0)
    check_integer("q", q, minimum=2)
    if q % 2:
        raise InputError(f"q = {q} is odd: pass an even number, |h_k|^q is then a polynomial")
    nodes, weights = hermegauss(k * q // 2 + 1)
    values = _normalised(torch.from_numpy(nodes), k).numpy()
    return float(np.dot(weights, values**q) / math.sqrt(2 * math.pi))


def correlation_observables(
    k: int, replicates: int, *, rho: float, seed: int, start: int = 0
) -> dict[str, HeavyTailed]:
    """ "product" is h_k(<u,x>) h_k(<w,x>), x ~ N(0, I_3), unit u and w with <u,w> = rho.

    Its second moment is at most E h_k(g)^4, by the inequality of Cauchy and Schwarz.
    """
    x = replicate_gaussians(replicates, 1, 3, stream=Stream(seed, "correlation"), start=start)[:, 0]
    u = torch.tensor([1.0, 0.0, 0.0], dtype=torch.float64)
    w = torch.tensor([rho, math.sqrt(1 - rho**2), 0.0], dtype=torch.float64)
    values = _normalised(x @ u, k) * _normalised(x @ w, k)
    return {"product": HeavyTailed(values, 0.0, hermite_moment(k, 4))}


def square_observables(
    k: int, replicates: int, *, seed: int, start: int = 0
) -> dict[str, HeavyTailed]:
    """ "square" is He_k(g)^2 for a standard Gaussian g and the monic He_k; its square has E He_k^4."""
    g = replicate_gaussians(replicates, 1, 1, stream=Stream(seed, "squares"), start=start)[:, 0, 0]
    values = _monic(g, k) ** 2
    return {"square": HeavyTailed(values, 0.0, math.factorial(k) ** 2 * hermite_moment(k, 4))}


def stein_observables(
    k: int, replicates: int, *, function: str, seed: int, start: int = 0
) -> dict[str, Observable]:
    """ "weighted" is f(x) He_k(x) and "derivative" f^(k)(x), x standard Gaussian, for a named f.

    "sine" is sin(x + 1), "step" 1(x > 0) and "ramp" max(x, 0); the last two are differentiated
    almost everywhere. The second moment of f He_k is at most k! for |f| <= 1, and E (x He_k)^2 for
    the ramp. InputError for another name.
    """
    check_integer("k", k, minimum=1)
    x = replicate_gaussians(replicates, 1, 1, stream=Stream(seed, "stein"), start=start)[:, 0, 0]
    ramp = (x > 0).to(x.dtype)
    functions: dict[str, tuple[Tensor, Tensor]] = {
        "sine": (torch.sin(x + _SHIFT), torch.sin(x + _SHIFT + k * math.pi / 2)),
        "step": (ramp, torch.zeros_like(x)),
        "ramp": (ramp * x, ramp if k == 1 else torch.zeros_like(x)),
    }
    if function not in functions:
        raise InputError(f"function = {function!r} is unknown: use {', '.join(functions)}")
    values, derivative = functions[function]
    # x He_k = He_{k+1} + k He_{k-1} has the second moment (k+1)! + k^2 (k-1)!.
    growth = 2 * k + 1 if function == "ramp" else 1
    return {
        "weighted": HeavyTailed(values * _monic(x, k), 0.0, growth * math.factorial(k)),
        "derivative": Bounded(derivative, -1.0, 1.0),
    }


def hermite_tensors(points: Tensor, order: int) -> Tensor:
    """(-1)^k grad^k mu(x)/mu(x), k = order, at float64 *points* (n, d): a tensor (n, d, ..., d).

    By automatic differentiation of the Gaussian density, entry by entry. order >= 0.
    """
    check_integer("order", order, minimum=0)
    n, d = points.shape
    x = points.clone().requires_grad_()
    density = torch.exp(-(x**2).sum(dim=1) / 2)[:, None]
    level = density
    for _ in range(order):
        slopes = [
            torch.autograd.grad(level[:, i].sum(), x, create_graph=True)[0]
            for i in range(level.shape[1])
        ]
        level = torch.stack(slopes, dim=1).flatten(1)
    tensors: Tensor = ((-1) ** order * level / density).detach()
    return tensors.reshape(n, *(d,) * order)


def _monic(x: Tensor, k: int) -> Tensor:
    return _recurrence(x, k, lambda n: (1.0, float(n)))


def _normalised(x: Tensor, k: int) -> Tensor:
    return _recurrence(x, k, lambda n: (1 / math.sqrt(n + 1), math.sqrt(n / (n + 1))))


def _recurrence(x: Tensor, k: int, factors: Callable[[int], tuple[float, float]]) -> Tensor:
    """The k-th of the polynomials P_{n+1} = a x P_n - b P_{n-1}, (a, b) = factors(n), at *x*."""
    before, current = torch.zeros_like(x), torch.ones_like(x)
    for n in range(k):
        a, b = factors(n)
        before, current = current, a * x * current - b * before
    return current
