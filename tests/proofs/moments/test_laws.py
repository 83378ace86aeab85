"""What every law of random vectors must satisfy; a new law is added to LAWS and inherits it all."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import factorial, prod
from typing import Any

import pytest

from proofs.algebra import RationalFunction
from proofs.moments import (
    Expression,
    Family,
    Fixed,
    Gaussian,
    OrthogonalSphere,
    Range,
    Signs,
    Sphere,
    cross_check,
    dot,
    graphs,
    laws,
    mean,
    raw,
    wick_power,
)
from proofs.moments.contract import LawContract, Vectors
from proofs.moments.explicit import Instance

d, N, p, q, rho, s = (RationalFunction.symbol(name) for name in ("d", "N", "p", "q", "rho", "s"))
ONE = RationalFunction.constant(1)
root = RationalFunction.root

members, centre = LawContract.members, Range(1, "centre").index("c")
v, v2, z = LawContract.x, LawContract.y, LawContract.z
A, B = LawContract.A, LawContract.B
a, b = LawContract.probe[A], LawContract.probe[B]
P, Q = (LawContract.split[name] for name in "PQ")
APART = [v != v2, A != B]


def rising(start: RationalFunction, k: int) -> RationalFunction:
    """start (start + 2) ... (start + 2k - 2)."""
    return prod((start + 2 * i for i in range(k)), start=ONE)


def plain(family: Callable[[], Family]) -> Callable[[], Vectors]:
    return lambda: family().__getitem__


def projected(family: Callable[[], Family]) -> Callable[[], Vectors]:
    def make() -> Vectors:
        vectors = family()
        return lambda index: (P + Q) @ vectors[index]

    return make


def signed() -> Vectors:
    signs, vectors = Signs("sign"), Fixed("f", d)
    return lambda index: signs[index] * vectors[index]


def along(parent: type[Family]) -> Callable[[], Vectors]:
    return plain(lambda: OrthogonalSphere("v", d, to=parent("c", d)[centre]))


class Ball(Family):
    """A law of one's own: uniform in the unit ball."""

    def scale(self, half_degree: int) -> Any:
        return ((0, 1), *((2 * i, -1) for i in range(half_degree + 1))), 1

    def monomial_mean(self, powers: Sequence[int]) -> Fraction:
        n, degree = len(powers), sum(powers)
        if any(power % 2 for power in powers):
            return Fraction(0)
        odd = prod(prod(range(1, power, 2)) for power in powers)
        return Fraction(odd * n, prod(range(n, n + degree + 2, 2)))


NOWHERE = {"anywhere": False}
NOTHING = {"anywhere": False, "angles": False}

#: How vectors are made, E |v|^2k, and what is not known of them.
LAWS: dict[str, tuple[Callable[[], Vectors], Callable[[int], Any], dict[str, bool]]] = {
    "sphere": (plain(lambda: Sphere("v", d)), lambda k: 1, {}),
    "ball": (plain(lambda: Ball("v", d)), lambda k: d / (d + 2 * k), {}),
    "gaussian": (plain(lambda: Gaussian("v", d)), lambda k: rising(d, k), {}),
    "gaussian, 1/d": (plain(lambda: Gaussian("v", d, 1 / d)), lambda k: rising(d, k) / d**k, {}),
    "gaussian, 2/3": (
        plain(lambda: Gaussian("v", d, Fraction(2, 3))),
        lambda k: rising(d, k) * Fraction(2, 3) ** k,
        {},
    ),
    "gaussian, symbol": (plain(lambda: Gaussian("v", d, s)), lambda k: rising(d, k) * s**k, {}),
    "orthogonal to a random vector": (along(Sphere), lambda k: 1, {}),
    "orthogonal to a fixed vector": (along(Fixed), lambda k: 1, NOTHING),
    "projected sphere": (
        projected(lambda: Sphere("v", d)),
        lambda k: rising(p + q, k) / rising(d, k),
        NOWHERE,
    ),
    "projected gaussian": (
        projected(lambda: Gaussian("v", d, s)),
        lambda k: rising(p + q, k) * s**k,
        NOWHERE,
    ),
    "fixed": (plain(lambda: Fixed("v", d)), lambda k: 1, {**NOTHING, "symmetric": False}),
    "fixed, overlap": (
        plain(lambda: Fixed("v", d, rho)),
        lambda k: 1,
        {**NOTHING, "symmetric": False},
    ),
    "signs": (signed, lambda k: 1, NOTHING),
}

SUITES: dict[str, LawContract] = {}
for name, (make, norm, known) in LAWS.items():
    body = {"vectors": staticmethod(make), "norm": staticmethod(norm), **known}
    globals()[f"Test {name}"] = suite = type(f"Test {name}", (LawContract,), body)
    SUITES[name] = suite()


def agrees(expression: Expression, dimensions: Sequence[int] = (1, 2)) -> bool:
    found = cross_check(expression, APART, trials=2, dimensions=dimensions)
    return found.agree


# -- Wick powers ----------------------------------------------------------------------------------

gaussian, other = Gaussian("g", d, s), Gaussian("u", d)
g = gaussian[centre]

#: A Gaussian vector and what it is contracted with.
WICK: dict[str, tuple[Expression, Expression]] = {
    "a unit vector": (g, a),
    "a Gaussian": (g, other[v]),
    "a sum": (g, a + b * 2),
    "a projected vector": (g, P @ a),
    "a projected Gaussian": (g, P @ other[v]),
    "P g": (P @ g, a),
    "P g and a Gaussian": (P @ g, other[v]),
    "P g and a sum": (P @ g, a - b),
    "P g and P a": (P @ g, P @ a),
    "P g and Q a": (P @ g, Q @ a),
    "P g and (P + Q) (a + b)": (P @ g, (P + Q) @ (a + b)),
}


@pytest.mark.parametrize("pair", WICK)
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_wick_powers_have_mean_zero(pair: str, k: int) -> None:
    assert mean(wick_power(*WICK[pair], k), APART) == 0


@pytest.mark.parametrize("pair", WICK)
@pytest.mark.parametrize("k", [1, 2, 3])
def test_wick_powers_agree_with_enumeration(pair: str, k: int) -> None:
    power = wick_power(*WICK[pair], k)
    assert agrees(power * dot(g, a) ** k)
    assert agrees(power * dot(g, g) * dot(g, a) ** (k % 2))
    assert agrees(power * dot(g, P @ g) * dot(g, b) ** 2 * dot(g, a) ** (k % 2))


@pytest.mark.parametrize(("j", "k"), [(1, 1), (2, 2), (3, 3), (2, 1), (3, 1), (4, 2)])
def test_wick_powers_of_different_orders_are_orthogonal(j: int, k: int) -> None:
    product = wick_power(g, a, j) * wick_power(g, b, k)
    expected = mean(dot(a, b) ** j * factorial(j) * s**j, APART) if j == k else 0
    assert mean(product, APART) == expected


# -- laws that come from each other ---------------------------------------------------------------

#: Polynomials in w, the probes and c, homogeneous in w of the given degree.
POLYNOMIALS: dict[str, tuple[int, Callable[[Expression, Expression], Expression]]] = {
    "<w,a>^2": (2, lambda w, c: dot(w, a) ** 2),
    "<w,a>^4": (4, lambda w, c: dot(w, a) ** 4),
    "<w,a>^6": (6, lambda w, c: dot(w, a) ** 6),
    "|w|^4": (4, lambda w, c: dot(w, w) ** 2),
    "<w,a>^2 <w,b>^2": (4, lambda w, c: dot(w, a) ** 2 * dot(w, b) ** 2),
    "<w,a> <w,b> <a,c> <c,b>": (2, lambda w, c: dot(w, a) * dot(w, b) * dot(a, c) * dot(c, b)),
    "|w|^2 <w,a>^2 <a,c>^2": (4, lambda w, c: dot(w, w) * dot(w, a) ** 2 * dot(a, c) ** 2),
    "<w,a>^2 <a,b>^2": (2, lambda w, c: dot(w, a) ** 2 * dot(a, b) ** 2),
}


@pytest.mark.parametrize("polynomial", POLYNOMIALS)
@pytest.mark.parametrize("parent", [Sphere, Fixed])
def test_a_vector_orthogonal_to_c_is_a_gaussian_less_its_part_along_c(
    parent: type[Family], polynomial: str
) -> None:
    c = parent("c", d)[centre]
    w, g = OrthogonalSphere("w", d, to=c)[v], Gaussian("g", d)[v]
    degree, build = POLYNOMIALS[polynomial]
    # E r^2k of a Gaussian on the complement of c is (d-1)(d+1)...(d+2k-3).
    scale = prod((d + 2 * i - 1 for i in range(degree // 2)), start=ONE)
    assert mean(build(g - dot(g, c) * c, c), APART) == mean(build(w, c), APART).value * scale


@pytest.mark.parametrize("polynomial", POLYNOMIALS)
def test_a_gaussian_is_a_chi_variable_times_a_unit_vector(polynomial: str) -> None:
    e, g, c = Sphere("e", d)[v], Gaussian("g", d, s)[v], Sphere("c", d)[centre]
    degree, build = POLYNOMIALS[polynomial]
    scale = prod(((d + 2 * i) * s for i in range(degree // 2)), start=ONE)
    assert mean(build(g, c), APART) == mean(build(e, c), APART).value * scale


@pytest.mark.parametrize("power", range(1, 5))
@pytest.mark.parametrize("parent", [Sphere, Fixed])
def test_a_vector_is_orthogonal_to_the_one_it_is_drawn_orthogonal_to(
    parent: type[Family], power: int
) -> None:
    c = parent("c", d)[centre]
    w = OrthogonalSphere("w", d, to=c)[v]
    assert mean(dot(w, c) ** power) == 0
    assert mean(dot(w, c) * dot(w, a) ** power * dot(a, c)) == 0
    assert mean(dot(w, w) ** power) == 1


@pytest.mark.parametrize("half", range(1, 7))
def test_the_squared_norm_of_a_projected_unit_vector_is_a_beta_variable(half: int) -> None:
    e = Sphere("e", d)[v]
    expected = prod(((p + 2 * i) / (d + 2 * i) for i in range(half)), start=ONE)
    assert mean(dot(P @ e, P @ e) ** half) == expected


@pytest.mark.parametrize(("j", "k"), [(1, 1), (2, 1), (2, 2), (3, 2)])
def test_the_norms_of_two_projections_are_dirichlet_variables(j: int, k: int) -> None:
    e = Sphere("e", d)[v]
    top = [p + 2 * i for i in range(j)] + [q + 2 * i for i in range(k)]
    bottom = prod((d + 2 * i for i in range(j + k)), start=ONE)
    assert mean(dot(P @ e, e) ** j * dot(Q @ e, e) ** k) == prod(top, start=ONE) / bottom


@pytest.mark.parametrize("half", range(1, 5))
def test_a_projected_gaussian_is_a_gaussian_of_the_subspace(half: int) -> None:
    g = Gaussian("g", d, s)[v]
    expected = prod(((p + 2 * i) * s for i in range(half)), start=ONE)
    assert mean(dot(P @ g, g) ** half) == expected


# -- wrong laws are rejected ----------------------------------------------------------------------


def _bend(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, wrong: Any) -> None:
    monkeypatch.setattr(owner, name, wrong)
    monkeypatch.setattr(raw, "_integrator", graphs.Integrator())


def test_a_sphere_of_one_dimension_less_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    def scale(self: Family, half_degree: int) -> Any:
        return tuple((2 * i - 1, -1) for i in range(half_degree)), 1

    expression = dot(Sphere("v", d)[v], a) ** 2
    assert agrees(expression, [2])
    _bend(monkeypatch, laws.Sphere, "scale", scale)
    assert not agrees(expression, [2])


@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize("factor", [Fraction(1, 2), Fraction(3, 2)])
def test_a_variance_off_by_a_factor_is_rejected(factor: Fraction, dimension: int) -> None:
    right, wrong = (
        dot(Gaussian("v", dimension, variance)[v], Sphere("u", dimension)[A]) ** 2
        for variance in (Fraction(2, 3), Fraction(2, 3) * factor)
    )
    (one,) = cross_check(right, trials=1).comparisons
    assert one.agree
    assert mean(wrong) != one.enumeration


@pytest.mark.parametrize("parent", [Sphere, Fixed])
def test_a_covariance_that_forgets_the_orthogonal_direction_is_rejected(
    parent: type[Family], monkeypatch: pytest.MonkeyPatch
) -> None:
    original = graphs._covariance
    c = parent("c", d)[centre]
    w = OrthogonalSphere("w", d, to=c)[v]
    expression = dot(w, a) ** 2 * dot(a, c) ** 2
    assert agrees(expression)
    _bend(monkeypatch, graphs, "_covariance", lambda *legs: original(*legs[:-1], None))
    assert not agrees(expression)


@pytest.mark.parametrize("offset", [1, -1])
def test_a_wrong_number_of_pairings_is_rejected(
    offset: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = graphs.pairings

    def bent(degrees: Any, closed: Any = ()) -> Any:
        return tuple((g, n + offset * (degrees == (4,))) for g, n in original(degrees, closed))

    expression = dot(Sphere("v", d)[v], a) ** 4
    _bend(monkeypatch, graphs, "pairings", bent)
    assert not agrees(expression)


def test_a_wrong_dimension_of_a_block_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    from proofs.moments.world import World

    original = World.dimensions

    def bent(self: World) -> Any:
        return {n: size + int(n.startswith("block")) for n, size in original(self).items()}

    monkeypatch.setattr(World, "dimensions", bent)
    e = Sphere("v", d)[v]
    assert not agrees(dot(P @ e, e) ** 2)


def test_a_wrong_overlap_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = Fixed("v", d, rho)
    expression = dot(vectors[v], a) ** 2 * dot(vectors[v2], a) ** 2
    assert agrees(expression, [2])
    original = graphs._fixed
    _bend(monkeypatch, graphs, "_fixed", lambda law, graph: original(law, graph) * 2)
    assert not agrees(expression, [2])


# -- the second road against cubature -------------------------------------------------------------

Point = tuple[RationalFunction, ...]


def circle(points: int) -> list[tuple[Fraction, Point]]:
    """The roots of unity of order 8 or 12: exact up to degree *points* - 1."""
    half, diagonal = ONE / 2, {8: root(2) / 2, 12: root(3) / 2}[points]
    first = [(ONE, ONE * 0), (diagonal, diagonal if points == 8 else half)]
    first += [(half, diagonal)] * (points == 12)
    quarter = [(x, y) for x, y in first]
    turned: list[Point] = []
    for _ in range(4):
        turned += quarter
        quarter = [(-y, x) for x, y in quarter]
    return [(Fraction(1, points), point) for point in turned]


def sphere_in_space() -> list[tuple[Fraction, Point]]:
    """Vertices, edges and faces of the octahedron with Lebedev's weights: exact up to degree 7."""
    weights = {1: Fraction(1, 21), 2: Fraction(4, 105), 3: Fraction(9, 280)}
    lengths = {n: 1 / root(n) for n in weights}
    return [
        (weights[n], tuple(lengths[n] * x for x in corner))
        for corner in itertools.product((-1, 0, 1), repeat=3)
        if (n := sum(map(abs, corner)))
    ]


CUBATURES = {
    "line": ([(Fraction(1, 2), (ONE,)), (Fraction(1, 2), (-ONE,))], 12),
    "8 points": (circle(8), 7),
    "12 points": (circle(12), 11),
    "26 points": (sphere_in_space(), 7),
}


def exponents(dimension: int, degree: int) -> Iterator[tuple[int, ...]]:
    ranges = itertools.product(range(degree + 1), repeat=dimension)
    return (powers for powers in ranges if sum(powers) <= degree)


def coordinate_moment(family: Family, powers: Sequence[int], d_value: int, **more: Any) -> Any:
    """E of a monomial in the coordinates of a vector as explicit.py has it."""
    axes, range_ = Fixed("axis", d), Range(d, "axes")
    at = [range_.index(f"x{i}") for i in range(d_value)]
    factors = (dot(family[v], axes[at[i]]) ** n for i, n in enumerate(powers))
    monomial = prod(factors, start=Expression.scalar(1))
    indices = {v: 0, **{index: i for i, index in enumerate(at)}, **more.get("indices", {})}
    symbols = {"d": d_value, **more.get("symbols", {})}
    instance = Instance({members: 1, range_: d_value}, indices, {}, symbols)
    return instance.expectation([monomial, *more.get("factors", [])], d_value)


@pytest.mark.parametrize("rule", CUBATURES)
def test_moments_of_the_coordinates_of_a_unit_vector_are_those_of_a_cubature(rule: str) -> None:
    points, degree = CUBATURES[rule]
    dimension = len(points[0][1])
    for powers in exponents(dimension, degree):
        by_points = sum(
            (
                prod((x**n for x, n in zip(xs, powers, strict=True)), start=ONE) * w
                for w, xs in points
            ),
            ONE * 0,
        )
        assert coordinate_moment(Sphere("v", d), powers, dimension) == by_points


@pytest.mark.parametrize("rule", ["line", "12 points", "26 points"])
def test_moments_of_the_coordinates_of_a_gaussian_have_its_radial_moments(rule: str) -> None:
    points, degree = CUBATURES[rule]
    dimension = len(points[0][1])
    for powers in exponents(dimension, min(degree, 7)):
        radial = prod((dimension + 2 * i for i in range(sum(powers) // 2)), start=1)
        by_points = sum(
            (
                prod((x**n for x, n in zip(xs, powers, strict=True)), start=ONE) * w
                for w, xs in points
            ),
            ONE * 0,
        )
        variance = Fraction(2, 3)
        expected = by_points * radial * variance ** (sum(powers) // 2)
        assert coordinate_moment(Gaussian("v", d, variance), powers, dimension) == expected


def test_the_radial_moments_of_a_plane_gaussian_are_factorials() -> None:
    g = Gaussian("v", d)
    instance = Instance({members: 1}, {v: 0}, {}, {"d": 2})
    for k in range(5):
        assert instance.expectation([dot(g[v], g[v]) ** k], 2) == 2**k * factorial(k)


def test_moments_of_a_vector_orthogonal_to_another_are_those_of_a_quarter_turn() -> None:
    points, _ = CUBATURES["12 points"]
    c = Sphere("c", d)
    w = OrthogonalSphere("v", d, to=c[centre])
    axes, range_ = Fixed("axis", d), Range(d, "axes")
    at = [range_.index(name) for name in ("x", "y")]
    for powers in exponents(4, 6):
        monomial = Expression.scalar(1)
        for vector, axis, n in zip(
            (c[centre], c[centre], w[v], w[v]), (*at, *at), powers, strict=True
        ):
            monomial = monomial * dot(vector, axes[axis]) ** n
        indices = {v: 0, centre: 0, at[0]: 0, at[1]: 1}
        instance = Instance({members: 1, range_: 2, centre.range: 1}, indices, {}, {"d": 2})
        by_points = ONE * 0
        for weight, (x, y) in points:
            for turn in (1, -1):
                values = (x, y, -y * turn, x * turn)
                term = prod((t**n for t, n in zip(values, powers, strict=True)), start=ONE)
                by_points = by_points + term * (weight / 2)
        assert instance.expectation([monomial], 2) == by_points


@pytest.mark.parametrize("powers", [(2, 2, 2), (4, 2, 0), (1, 1, 1), (3, 1, 1), (2, 4, 2)], ids=str)
def test_a_triangle_of_unit_vectors_by_cubature(powers: tuple[int, int, int]) -> None:
    points, _ = CUBATURES["12 points"]
    triple, e = Range(3, "three"), Sphere("e", d)
    x, y, w = (triple.index(name) for name in "xyw")
    product = dot(e[x], e[y]) ** powers[0] * dot(e[y], e[w]) ** powers[1]
    product = product * dot(e[w], e[x]) ** powers[2]
    by_points = ONE * 0
    (_, first) = points[1]  # the first may be kept, by symmetry
    for (u1, second), (u2, third) in itertools.product(points, repeat=2):
        corners = [(first, second), (second, third), (third, first)]
        inner = [s1[0] * s2[0] + s1[1] * s2[1] for s1, s2 in corners]
        value = prod((t**n for t, n in zip(inner, powers, strict=True)), start=ONE)
        by_points = by_points + value * (u1 * u2)
    instance = Instance({triple: 3}, {x: 0, y: 1, w: 2}, {}, {"d": 2})
    assert instance.expectation([product], 2) == by_points
    assert mean(product, [x != y, y != w, x != w]).value(d=2) == by_points


@pytest.mark.parametrize(("rule", "degree"), [("8 points", 8), ("26 points", 8)])
def test_a_cubature_of_too_low_degree_would_be_noticed(rule: str, degree: int) -> None:
    points, _ = CUBATURES[rule]
    dimension = len(points[0][1])
    powers = (degree, *[0] * (dimension - 1))
    by_points = sum((xs[0] ** degree * w for w, xs in points), ONE * 0)
    assert coordinate_moment(Sphere("v", d), powers, dimension) != by_points
