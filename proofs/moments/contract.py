"""What every law of random vectors must satisfy: supply it and the moments of its norm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import Any

from proofs.algebra import RationalFunction
from proofs.contract import refused
from proofs.moments.cross_check import cross_check
from proofs.moments.expressions import Expression, dot, outer, sum_over
from proofs.moments.indices import Index, Range
from proofs.moments.laws import Fixed, Sphere
from proofs.moments.moments import mean
from proofs.moments.subspaces import Splitting

__all__ = ["LawContract", "Vectors"]

#: From an index to a vector.
Vectors = Callable[[Index], Expression]

_s, _rho = RationalFunction.symbol("s"), RationalFunction.symbol("rho")


class LawContract:
    """Independent vectors of one law in R^d, d a symbol, one for each index of ``members``.

    A subclass supplies ``vectors`` and ``norm``, the moments of |v|^2 by another way than the law's
    ``scale``. A law of one's own has ``monomial_mean`` too, by which it is enumerated.
    """

    d = RationalFunction.symbol("d")
    members = Range(RationalFunction.symbol("N"), "members")
    x, y, z, z2 = map(members.index, ("v", "v2", "z", "z2"))
    A, B = map(Range(2, "probes").index, "ab")
    #: Unit vectors beside, and two orthogonal subspaces.
    probe = Sphere("probe", d)
    split = Splitting(d, P=RationalFunction.symbol("p"), Q=RationalFunction.symbol("q"))
    #: v and -v have one law.
    symmetric = True
    #: What projections do to it is determined.
    angles = True
    #: Its inner products with fixed vectors are determined.
    anywhere = True
    #: Dimensions in which it can be enumerated, the last one for small powers alone.
    dimensions: Sequence[int] = (1, 2, 3)

    def vectors(self) -> Vectors:
        """New vectors of the law."""
        raise NotImplementedError

    def norm(self, k: int) -> Any:
        """E |v|^2k."""
        raise NotImplementedError

    # -- what the tests are made of -------------------------------------------------------------------

    @property
    def _probes(self) -> tuple[Expression, Expression]:
        return self.probe[self.A], self.probe[self.B]

    def moment(self, expression: Expression) -> RationalFunction:
        """E of the expression for different vectors and probes."""
        return mean(expression, [self.x != self.y, self.A != self.B]).value

    def agrees(self, expression: Expression, dimensions: Sequence[int] | None = None) -> bool:
        """Whether the engine and the enumeration agree on its mean."""
        apart = [self.x != self.y, self.A != self.B]
        dimensions = self.dimensions[:2] if dimensions is None else dimensions
        return cross_check(expression, apart, trials=2, dimensions=dimensions).agree

    # -- agreement with the definition ----------------------------------------------------------------

    def test_the_scale_in_each_degree_is_that_of_the_norm(self) -> None:
        v, (a, _) = self.vectors()(self.x), self._probes
        for k in range(1, 5):
            assert self.moment(dot(v, v) ** k) == self.norm(k), k
            turned = prod((2 * i + 1 for i in range(k)), start=RationalFunction.constant(1))
            turned = turned / prod((self.d + 2 * i for i in range(k)), start=self.d**0)
            assert self.moment(dot(v, a) ** (2 * k)) == turned * self.norm(k), k

    def test_powers_of_an_inner_product_agree_with_enumeration(self) -> None:
        v, (a, _) = self.vectors()(self.x), self._probes
        for k in (1, 2, 3):
            assert self.agrees(dot(v, a) ** (2 * k), self.dimensions), k

    def test_mixed_moments_agree_with_enumeration(self) -> None:
        v, (a, b) = self.vectors()(self.x), self._probes
        for n, m in ((1, 1), (2, 2), (1, 3), (4, 2), (3, 3), (2, 1)):
            assert self.agrees(dot(v, a) ** n * dot(v, b) ** m * dot(a, b) ** (n % 2)), (n, m)

    def test_moments_along_fixed_directions_agree_with_enumeration(self) -> None:
        """Nothing but the law itself is integrated out here."""
        v, fixed = self.vectors()(self.x), Fixed("k", self.d, _rho)
        for n, m in ((2, 0), (4, 0), (6, 0), (1, 1), (2, 2), (3, 1)):
            product = dot(v, fixed[self.A]) ** n * dot(v, fixed[self.B]) ** m
            if self.anywhere:
                assert self.agrees(product), (n, m)
            else:
                refused(partial(self.moment, product), "is not known")

    def test_powers_of_the_norm_agree_with_enumeration(self) -> None:
        v, (a, _) = self.vectors()(self.x), self._probes
        for k in (1, 2, 3):
            assert self.agrees(dot(v, v) ** k * dot(v, a) ** 2, self.dimensions), k

    def test_powers_of_a_projected_norm_agree_with_enumeration(self) -> None:
        v, (a, _) = self.vectors()(self.x), self._probes
        P, Q = self.split["P"], self.split["Q"]
        for k in (1, 2, 3):
            square = dot(P @ v, v) ** k
            if self.angles:
                assert self.agrees(square), k
                assert self.agrees(square * dot(v, Q @ v) * dot(v, a) ** 2), k
            else:
                refused(partial(self.moment, square), "on a subspace is not known")

    def test_nested_products_agree_with_enumeration(self) -> None:
        vectors, (a, b), z = self.vectors(), self._probes, self.z
        x, y = vectors(self.x), vectors(self.y)
        weight = sum_over(z, outer(vectors(z), vectors(z)))
        for expression in (
            dot(x, a) * dot(a, y) * dot(y, b) * dot(b, x),
            sum_over(z, dot(vectors(z), a) ** 2) ** 2,
            dot(a, weight @ (weight @ b)) * dot(a, b),
            dot(x, y) ** 2 * dot(x, a) ** 2,
            sum_over(z, dot(vectors(z), a)) ** 4,
        ):
            assert self.agrees(expression), str(expression)

    # -- symmetries -----------------------------------------------------------------------------------

    def test_odd_moments_vanish(self) -> None:
        vectors, (a, b) = self.vectors(), self._probes
        x, y = vectors(self.x), vectors(self.y)
        for k in (1, 3, 5):
            assert self.moment(dot(x, a) ** k) == 0
            assert self.moment(dot(x, a) ** k * dot(a, b)) == 0
            assert not self.symmetric or self.moment(dot(x, y) ** k) == 0

    def test_a_vector_and_its_negative_have_the_same_even_moments(self) -> None:
        v, (a, b) = self.vectors()(self.x), self._probes
        one, other = dot(v, a) ** 2 * dot(v, b) ** 2, dot(-v, a) ** 2 * dot(v, -b) ** 2
        assert self.moment(one) == self.moment(other)

    def test_the_order_and_the_names_of_factors_do_not_matter(self) -> None:
        vectors, (a, b) = self.vectors(), self._probes
        x, y = vectors(self.x), vectors(self.y)
        one = dot(x, a) * dot(a, y) * dot(y, b) * dot(b, x) * dot(x, y) ** 2
        two = dot(y, x) * dot(b, y) * dot(x, b) * dot(x, y) * dot(y, a) * dot(a, x)
        exchanged = dot(y, b) * dot(b, x) * dot(x, a) * dot(a, y) * dot(x, y) ** 2
        assert self.moment(one) == self.moment(two) == self.moment(exchanged)

    def test_the_names_of_summed_indices_do_not_matter(self) -> None:
        vectors, (a, _) = self.vectors(), self._probes

        def total(first: Index, second: Index) -> RationalFunction:
            u, w = vectors(first), vectors(second)
            return mean(sum_over(first, dot(u, a) * sum_over(second, dot(u, w) * dot(w, a)))).value

        new = self.members.index("new")
        assert total(self.z, self.z2) == total(self.z2, self.z) == total(new, self.z)

    def test_a_square_is_the_sum_over_pairs(self) -> None:
        vectors, (a, b), (z, z2) = self.vectors(), self._probes, (self.z, self.z2)
        one, other = (dot(vectors(i), a) * dot(vectors(i), b) for i in (z, z2))
        square = self.moment(sum_over(z, one) ** 2)
        different = sum_over([z, z2], one * other, where=z != z2)
        assert square == self.moment(sum_over([z, z2], one * other))
        assert square == self.moment(sum_over(z, one**2) + different)

    def test_an_inner_product_is_bilinear(self) -> None:
        vectors, (a, b) = self.vectors(), self._probes
        x, y = vectors(self.x), vectors(self.y)
        written = dot(x, a) * 2 + dot(x, b) * (2 * _s) - dot(y, a) - dot(y, b) * _s
        assert self.moment(dot(x * 2 - y, a + b * _s) ** 2) == self.moment(written**2)

    def test_a_law_made_before_or_after_the_others_is_the_same(self) -> None:
        early, other, late = self.vectors(), Sphere("w", self.d), self.vectors()
        one, two = (
            self.moment(dot(v(self.x), other[self.A]) ** 4 * dot(v(self.x), other[self.B]) ** 2)
            for v in (early, late)
        )
        assert one == two

    def test_projections_add_up_to_the_vector(self) -> None:
        v, (a, _) = self.vectors()(self.x), self._probes
        whole = sum((dot(self.split[n] @ v, a) for n in ("Q", "rest")), dot(self.split["P"] @ v, a))
        if self.angles:
            assert self.moment(whole**2 * dot(v, a) ** 2) == self.moment(dot(v, a) ** 4)
        else:
            product = whole**2 * dot(v, a) ** 2
            refused(partial(self.moment, product), "on a subspace is not known")
