"""The same numbers from public packages, one engine per call, a line of output for each step.

Serves the benchmark of the moments, which runs it in any Python that has the packages:
`python benchmarks/moments/public.py ENGINE`. It needs nothing of this project.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import sys
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import factorial, prod

import sympy

DIMENSIONS = (3, 7, 10)
LARGEST_HALF_POWER = 12
LARGEST_DEGREE = 20

d = sympy.Symbol("d", positive=True)


class WrongValueError(Exception):
    """A package gave another number than the known one."""


def check_overlap(p: int, value: sympy.Expr, symbol: sympy.Symbol = d) -> None:
    """*value* must be E <u,v>^(2p) = (2p-1)!!/(d (d+2) ... (d+2p-2)) in a few dimensions."""
    for n in DIMENSIONS:
        known = Fraction(prod(range(1, 2 * p, 2)), prod(range(n, n + 2 * p, 2)))
        at = sympy.hyperexpand(sympy.sympify(value).subs(symbol, n))
        if abs(sympy.N(at - sympy.Rational(known.numerator, known.denominator), 30)) > 1e-20:
            raise WrongValueError(f"E <u,v>^{2 * p} at d = {n} is {known}, not {at}")


def weingarten() -> Iterator[int]:
    """E O_11^(2p) over the orthogonal group, by Weingarten functions."""
    import haarpy

    symbol = sympy.Symbol("d")
    for p in range(1, LARGEST_HALF_POWER + 1):
        ones = (1,) * (2 * p)
        value = haarpy.haar_integral_orthogonal((ones, ones), symbol)
        yield p
        check_overlap(p, value, symbol)


def one_column() -> Iterator[int]:
    """The same where the package sees one column and takes its closed formula for that."""
    import haarpy

    symbol = sympy.Symbol("d")
    for p in range(1, LARGEST_HALF_POWER + 1):
        value = haarpy.haar_integral_orthogonal(((2 * p,),), symbol, "gorin", "matrix")
        yield p
        check_overlap(p, value, symbol)


def beta() -> Iterator[int]:
    """E B^p, for whoever knows that <u,v>^2 has the law Beta(1/2, (d-1)/2)."""
    from sympy.stats import Beta, E

    for p in range(1, LARGEST_HALF_POWER + 1):
        value = E(Beta("B", sympy.Rational(1, 2), (d - 1) / 2) ** p)
        yield p
        check_overlap(p, value)


def density() -> Iterator[int]:
    """E X^(2p), X with the density of <u,v>, proportional to (1 - t^2)^((d-3)/2)."""
    from sympy.stats import ContinuousRV, E

    t = sympy.Symbol("t", real=True)
    norm = sympy.gamma(d / 2) / (sympy.sqrt(sympy.pi) * sympy.gamma((d - 1) / 2))
    x = ContinuousRV(t, norm * (1 - t**2) ** ((d - 3) / 2), set=sympy.Interval(-1, 1))
    for p in range(1, LARGEST_HALF_POWER + 1):
        value = E(x ** (2 * p))
        yield p
        check_overlap(p, value)


def pairs(largest: int) -> list[tuple[int, int]]:
    """The (j, k) with the given maximum."""
    return sorted({(j, k) for i in range(largest + 1) for j, k in ((i, largest), (largest, i))})


def hermite_polynomials(x: sympy.Symbol) -> list[sympy.Expr]:
    """He_0, ..., He_20, expanded."""
    found = [sympy.Integer(1), x]
    for k in range(1, LARGEST_DEGREE):
        found.append(sympy.expand(x * found[k] - k * found[k - 1]))
    return found


def check_hermite(j: int, k: int, value: sympy.Expr, rho: sympy.Symbol) -> None:
    """E He_j He_k = k! rho^k if j = k, else 0."""
    known = factorial(k) * rho**k if j == k else 0
    if sympy.expand(value - known) != 0:
        raise WrongValueError(f"E He_{j} He_{k} is {known}, not {value}")


def moment_method() -> Iterator[int]:
    """Products of Hermite polynomials expanded, monomials replaced by Gaussian moments."""
    x, y, rho = sympy.symbols("x y rho")
    first, second = hermite_polynomials(x), hermite_polynomials(y)

    def monomial(a: int, b: int) -> sympy.Expr:
        total = sympy.Integer(0)
        for c in range(0, b + 1, 2):
            if (a + b - c) % 2 == 0:
                ways = sympy.binomial(b, c) * sympy.factorial2(a + b - c - 1)
                part = (1 - rho**2) ** (c // 2) * sympy.factorial2(c - 1)
                total += ways * rho ** (b - c) * part
        return total

    for n in range(LARGEST_DEGREE + 1):
        values = {}
        for j, k in pairs(n):
            terms = sympy.Poly(sympy.expand(first[j] * second[k]), x, y).terms()
            values[j, k] = sympy.expand(sum(c * monomial(a, b) for (a, b), c in terms))
        yield n
        for (j, k), value in values.items():
            check_hermite(j, k, value, rho)


def normal() -> Iterator[int]:
    """E of the expanded product in two Normal variables, by integration."""
    from sympy.stats import E, Normal

    z, rho = sympy.symbols("z rho")
    x, other = Normal("x", 0, 1), Normal("y", 0, 1)
    y = rho * x + sympy.sqrt(1 - rho**2) * other
    polynomials = hermite_polynomials(z)
    for n in range(LARGEST_DEGREE + 1):
        values = {}
        for j, k in pairs(n):
            product = polynomials[j].subs(z, x) * polynomials[k].subs(z, y)
            values[j, k] = E(sympy.expand(product))
        yield n
        for (j, k), value in values.items():
            check_hermite(j, k, value, rho)


#: Engine: the package it needs, and its steps.
ENGINES: dict[str, tuple[str, Callable[[], Iterator[int]]]] = {
    "haarpy, Weingarten functions": ("haarpy", weingarten),
    "haarpy, its formula for one column": ("haarpy", one_column),
    "sympy.stats, from the law of <u,v>^2": ("sympy", beta),
    "sympy.stats, from the density of <u,v>": ("sympy", density),
    "SymPy, moment method": ("sympy", moment_method),
    "sympy.stats, two normal variables": ("sympy", normal),
}


def main() -> None:
    """Run one engine; after each step the seconds so far, checks not counted."""
    package, steps = ENGINES[sys.argv[1]]
    try:
        importlib.import_module(package)
    except ImportError:
        print(json.dumps({"missing": package}))
        return
    print(json.dumps({"package": package, "version": importlib.metadata.version(package)}))
    spent, started = 0.0, time.perf_counter()
    try:
        for step in steps():
            spent += time.perf_counter() - started
            print(json.dumps({"step": step, "seconds": spent}), flush=True)
            started = time.perf_counter()
    except WrongValueError as error:
        raise SystemExit(f"{sys.argv[1]}: {error}") from error


if __name__ == "__main__":
    main()
