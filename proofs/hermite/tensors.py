"""The Hermite tensors in explicit dimension, by differentiating the Gaussian density.

Nichani et al., App. F.1, Definition 1: He_k(x) = (-1)^k grad^k mu(x) / mu(x).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb
from types import MappingProxyType
from typing import Any

import flint
import sympy

from proofs.hermite.polynomials import degree, exact

#: The largest number of distinct entries a tensor may have: C(n + k - 1, k) in dimension n.
LARGEST = 10_000

MultiIndex = tuple[int, ...]


class HermiteTensor:
    """He_k in dimension n: a symmetric tensor of order k of polynomials in x_1, ..., x_n.

    ``tensor[i_1, ..., i_k]`` is one entry, with indices in range(n); only one entry a multiset of
    indices is stored.
    """

    def __init__(self, k: int, n: int, polynomials: Mapping[MultiIndex, flint.fmpz_mpoly]) -> None:
        self.k = k
        self.n = n
        self.symbols: tuple[sympy.Symbol, ...] = tuple(sympy.Symbol(f"x_{i + 1}") for i in range(n))
        self._polynomials = polynomials
        self._entries: dict[MultiIndex, sympy.Expr] = {}

    def __getitem__(self, indices: int | MultiIndex) -> sympy.Expr:
        """The entry as a SymPy polynomial in ``symbols``.

        Raises IndexError for a wrong number of indices or an index outside range(n).
        """
        given = indices if isinstance(indices, tuple) else (indices,)
        if len(given) != self.k:
            raise IndexError(f"indices: {given!r} are {len(given)}, the tensor takes {self.k}")
        for i in given:
            if isinstance(i, bool) or not isinstance(i, int) or not 0 <= i < self.n:
                raise IndexError(f"indices: {i!r} is not in range({self.n}); count from 0")
        key = tuple(sorted(given))
        if key not in self._entries:
            self._entries[key] = self._expression(self._polynomials[key])
        return self._entries[key]

    def _expression(self, polynomial: flint.fmpz_mpoly) -> sympy.Expr:
        return sympy.Add(
            *(
                int(c)
                * sympy.Mul(*(x ** int(p) for x, p in zip(self.symbols, powers, strict=True) if p))
                for powers, c in polynomial.to_dict().items()
            )
        )

    def __iter__(self) -> Iterator[MultiIndex]:
        """The sorted multi-indices, one for each distinct entry."""
        return iter(self._polynomials)

    def entries(self) -> Mapping[MultiIndex, sympy.Expr]:
        """The distinct entries, by sorted multi-index i_1 <= ... <= i_k."""
        return MappingProxyType({key: self[key] for key in self})

    def contract(self, *vectors: Any) -> sympy.Expr:
        """<He_k(x), v_1 (x) ... (x) v_k>, expanded, for k sequences of n exact numbers or symbols.

        Raises ValueError for a wrong number of vectors or entries, ExactnessError for floats.
        """
        if len(vectors) != self.k:
            raise ValueError(f"vectors: {len(vectors)} were given, the tensor takes {self.k}")
        entries = dict(self.entries())
        for order, vector in zip(range(self.k - 1, -1, -1), vectors, strict=True):
            v = [exact("vectors", value) for value in vector]
            if len(v) != self.n:
                raise ValueError(f"vectors: {vector!r} has {len(v)} entries; give {self.n}")
            entries = {
                rest: sympy.expand(
                    sympy.Add(*(v[i] * entries[tuple(sorted((*rest, i)))] for i in range(self.n)))
                )
                for rest in combinations_with_replacement(range(self.n), order)
            }
        return entries[()]

    def __repr__(self) -> str:
        return f"HermiteTensor(k={self.k}, n={self.n}, {len(self._polynomials)} distinct entries)"


def hermite_tensor(k: int, n: int) -> HermiteTensor:
    """The Hermite tensor of order *k* >= 0 in dimension *n* >= 1 (App. F.1, Definition 1).

    Each derivative of p mu, for mu = exp(-|x|^2/2), is (d_i p - x_i p) mu; after k of them mu is
    divided out and the sign (-1)^k applied.

    Raises TypeError if *k* or *n* is not an int, ValueError if one is out of range or the tensor
    would have more than LARGEST distinct entries.
    """
    k, n = degree("k", k), degree("n", n)
    if n == 0:
        raise ValueError("n: a dimension of 0 leaves nothing to differentiate; give n >= 1")
    distinct = comb(n + k - 1, k)
    if distinct > LARGEST:
        raise ValueError(
            f"k, n: the tensor of order {k} in dimension {n} has {distinct} distinct entries, more "
            f"than {LARGEST}; lower k or n, or use contraction(k, t, r), which needs no dimension"
        )
    return HermiteTensor(k, n, _polynomials(k, n))


@lru_cache(maxsize=32)
def _polynomials(k: int, n: int) -> Mapping[MultiIndex, flint.fmpz_mpoly]:
    """The quotients (-1)^k d_{i_1} ... d_{i_k} mu / mu."""
    ring = flint.fmpz_mpoly_ctx.get([f"x_{i + 1}" for i in range(n)], "degrevlex")
    x = ring.gens()
    level: dict[MultiIndex, flint.fmpz_mpoly] = {(): ring.constant(1)}
    for order in range(1, k + 1):
        following = {}
        for key in combinations_with_replacement(range(n), order):
            p, i = level[key[:-1]], key[-1]
            following[key] = p.derivative(i) - x[i] * p
        level = following
    sign = (-1) ** k
    return MappingProxyType({key: sign * p for key, p in level.items()})
