"""Hermite coefficients of activations that are no polynomials, enclosed by balls.

Nichani et al., App. F.1: c_k = E[sigma(g) h_k(g)], g standard Gaussian. Rigorous integration by
python-flint on an interval, and a bound on the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial
from typing import Any

from flint import acb, arb

from proofs.algebra.balls import precision
from proofs.hermite.polynomials import hermite_coefficients

#: Entire or meromorphic off the real line, and at most one in absolute value on it.
_BOUNDED: dict[str, Callable[[Any], Any]] = {"tanh": lambda z: z.tanh(), "sin": lambda z: z.sin()}

#: Half the interval that is integrated; the density there is below 10^(-31).
_REACH = 12


def coefficient(name: str, k: int) -> arb:
    """A ball around c_k of "tanh" or "sin", k from 0 to 5.

    Raises ValueError for another name or degree.
    """
    if name not in _BOUNDED:
        raise ValueError(f"name: {name!r} is not known; take {' or '.join(sorted(_BOUNDED))}")
    if not 0 <= k < _REACH / 2:
        raise ValueError(f"k: {k} is out of range; take 0 <= k <= {_REACH // 2 - 1}")
    sigma, powers = _BOUNDED[name], [int(c) for c in hermite_coefficients(k)]
    with precision():

        def integrand(z: acb, analytic: bool) -> acb:
            polynomial = sum((c * z**j for j, c in enumerate(powers)), acb(0))
            value: acb = sigma(z) * polynomial * (-z * z / 2).exp()
            return value

        inner = acb.integral(integrand, acb(-_REACH), acb(_REACH)).real
        # Beyond T, |x|^j mu(x) integrates to at most T^(j-1) mu(T) (1 + j), T > 2 j.
        t = arb(_REACH)
        rest = (
            sum(abs(c) * t ** (j - 1) * (1 + j) for j, c in enumerate(powers)) * (-t * t / 2).exp()
        )
        scale = (2 * arb.pi() * factorial(k)).sqrt()
        return (inner + arb(0, 2 * rest.upper())) / scale
