"""The engine against exact enumeration at explicit sizes, in dimensions 1 and 2."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import pytest

from proofs.algebra import RationalFunction
from proofs.moments import (
    Association,
    Family,
    Fixed,
    Gaussian,
    Sphere,
    covariance,
    cross_check,
    dot,
    fibre,
    mean,
    outer,
    raw_moments,
    sum_over,
)
from proofs.moments.explicit import Instance
from proofs.moments.indices import Range

d, N, M = (RationalFunction.symbol(name) for name in "dNM")


@dataclass
class Setting:
    """Inputs, outputs, a map; x, x2 inputs, y an output; a law for each side."""

    e: Family = field(default_factory=lambda: Sphere("e", d))
    u: Family = field(default_factory=lambda: Sphere("u", d))
    powers: str | None = None

    def __post_init__(self):
        self.inputs, self.outputs = Range(N, "[N]"), Range(M, "[M]")
        self.f = Association(self.inputs, self.outputs, fibre_powers=self.powers)
        self.x, self.x2, self.z, self.v = (self.inputs.index(n) for n in ("x", "x2", "z", "v"))
        self.y = self.outputs.index("y")
        self.W = sum_over(self.z, outer(self.u[self.f(self.z)], self.e[self.z]))
        self.margin = self.margin_of(self.e[self.x])

    def margin_of(self, query):
        return dot(self.u[self.f(self.x)] - self.u[self.y], self.W @ query)

    def instance(self, f, M, y, dimension):
        """Explicit sizes, with x at 0 and, where there are two facts, x2 at 1."""
        sizes = {self.inputs: len(f), self.outputs: M}
        indices = {self.x: 0, self.y: y} | ({self.x2: 1} if len(f) > 1 else {})
        symbols = {"d": dimension, "N": len(f), "M": M}
        return Instance(sizes, indices, {self.f: f}, symbols)


def gaussian_setting():
    return Setting(Gaussian("e", d, 1 / d), Gaussian("u", d, 1 / d))


def mixed_setting():
    return Setting(Gaussian("e", d, Fraction(1, 3)), Sphere("u", d))


SETTINGS = [
    pytest.param(Setting, id="spheres"),
    pytest.param(gaussian_setting, id="gaussian"),
    pytest.param(mixed_setting, id="gaussian inputs"),
]

#: The map, the number of outputs, the competitor y, inputs besides x over f(x), inputs over y.
MAPS = [
    pytest.param([0], 2, 1, 0, 0, id="one fact"),
    pytest.param([0, 1], 2, 1, 0, 1, id="y in the image"),
    pytest.param([0, 1], 3, 2, 0, 0, id="y outside"),
    pytest.param([2, 0, 1], 3, 1, 0, 1, id="three facts, y in the image"),
    pytest.param([2, 0, 1], 4, 3, 0, 0, id="three facts, y outside"),
    pytest.param([0, 1, 1], 2, 1, 0, 2, id="two inputs over y"),
    pytest.param([0, 0, 1], 2, 1, 1, 1, id="two inputs over f(x)"),
]


def agree(factors, given, instance, dimension):
    """Whether the engine finds what enumeration finds in an instance that meets the conditions."""
    return cross_check(factors, given, instances=[(instance, dimension)]).agree


@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize(("f", "outputs", "y", "same", "other"), MAPS)
@pytest.mark.parametrize("setting", SETTINGS)
def test_moments_of_the_linear_margin(setting, f, outputs, y, same, other, order, dimension):
    s = setting()
    given = [s.y != s.f(s.x), fibre(s.f(s.x), 1 + same), fibre(s.y, other)]
    instance = s.instance(f, outputs, y, dimension)
    assert agree([s.margin] * order, given, instance, dimension)


@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize("order", [2, 4])
@pytest.mark.parametrize(
    "f", [[0, 1, 2], [0, 1, 1], [0, 0, 1], [0, 1, 1, 2], [0, 2, 2, 2], [0, 1, 1, 1]], ids=str
)
def test_maps_with_fibres_of_any_size_through_their_power_sums(f, order, dimension):
    s = Setting(powers="p")
    instance = s.instance(f, 4, 3, dimension)
    sizes = [f.count(o) for o in range(4) if o not in (f[0], 3)]
    instance.symbols.update({f"p{k}": sum(n**k for n in sizes) for k in (2, 3, 4)})
    given = [s.y != s.f(s.x), fibre(s.f(s.x), f.count(f[0])), fibre(s.y, 0)]
    assert agree([s.margin] * order, given, instance, dimension)


@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize("order", [2, 3, 4])
def test_a_query_with_gaussian_noise(order, dimension):
    s = Setting()
    noise, at = Gaussian("g", d), Range(1, "noise").index("n")
    margin = s.margin_of(s.e[s.x] + noise[at] * RationalFunction.symbol("s"))
    instance = s.instance([0, 1], 3, 2, dimension)
    instance.indices[at], instance.sizes[at.range] = 0, 1
    instance.symbols["s"] = Fraction(2, 3)
    given = [s.y != s.f(s.x), fibre(s.y, 0)]
    assert agree([margin] * order, given, instance, dimension)


@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("y", [2, 3])
def test_centred_embeddings_nest_a_sum_in_a_sum(y, order, dimension):
    s = Setting()
    centre = sum_over(s.v, s.e[s.v]) / N
    W = sum_over(s.z, outer(s.u[s.f(s.z)], s.e[s.z] - centre))
    margin = dot(s.u[s.f(s.x)] - s.u[s.y], W @ (s.e[s.x] - centre))
    instance = s.instance([0, 1, 2], 4, y, dimension)
    given = [s.y != s.f(s.x), fibre(s.y, int(y == 2))]
    assert agree([margin] * order, given, instance, dimension)


@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize("y", [1, 2, 3])
def test_the_covariance_of_two_margins(y, dimension):
    s = Setting()
    other = dot(s.u[s.f(s.x2)] - s.u[s.f(s.x)], s.W @ s.e[s.x2])
    first = dot(s.u[s.f(s.x)] - s.u[s.f(s.x2)], s.W @ s.e[s.x])
    second = other if y == 1 else dot(s.u[s.f(s.x2)] - s.u[s.y], s.W @ s.e[s.x2])
    given = [s.x != s.x2, s.f(s.x) != s.f(s.x2)]
    given += [s.y != s.f(s.x), s.y != s.f(s.x2), fibre(s.y, int(y == 2))] if y > 1 else []
    instance = s.instance([0, 1, 2], 4, y, dimension)
    mean = [instance.expectation([factor], dimension) for factor in (first, second)]
    expected = instance.expectation([first, second], dimension) - mean[0] * mean[1]
    found = covariance(first, second, given)(d=dimension, N=3, M=4)
    assert found == expected


@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize("sizes", [(1, 3), (2, 3), (3, 3)], ids=str)
def test_conditions_bring_a_map_into_expressions_without_one(sizes, dimension):
    s = Setting()
    expression = sum_over(s.z, dot(s.e[s.z], s.e[s.x]) ** 2)
    given = [s.y != s.f(s.x), fibre(s.y, 0)]
    instance = s.instance(list(range(sizes[0])), 4, 3, dimension)
    assert agree([expression], given, instance, dimension)


def _wrong_weights(s):
    z, v = s.z, s.v
    return {
        "twice": s.W * 2,
        "every fact with the output of x": sum_over(z, outer(s.u[s.f(s.x)], s.e[z])),
        "all pairs of facts": sum_over(z, sum_over(v, outer(s.u[s.f(v)], s.e[z]))),
        "x left out": s.W - outer(s.u[s.f(s.x)], s.e[s.x]),
        "x counted twice": s.W + outer(s.u[s.f(s.x)], s.e[s.x]),
    }


@pytest.mark.parametrize("wrong", _wrong_weights(Setting()))
def test_the_comparison_rejects_a_wrong_weight(wrong):
    s = Setting()
    margin = dot(s.u[s.f(s.x)] - s.u[s.y], _wrong_weights(s)[wrong] @ s.e[s.x])
    given = [s.y != s.f(s.x), fibre(s.y, 1)]
    instance = s.instance([0, 1, 2], 4, 2, 2)
    expected = instance.expectation([s.margin] * 2, 2)
    assert raw_moments([margin] * 2, given)[-1].value(d=2, N=3, M=4) != expected


@pytest.mark.parametrize("dimension", [0, 5])
def test_enumeration_refuses_other_dimensions(dimension):
    s = Setting()
    with pytest.raises(ValueError, match=f"not {dimension}"):
        s.instance([0, 1], 3, 2, dimension).expectation([s.margin], dimension)


@pytest.mark.parametrize("power", range(6))
def test_gaussian_moments_are_those_of_the_gauss_hermite_rule(power):
    # Three nodes, 0 and +-sqrt(3), with weights 2/3 and 1/6, are exact up to degree five.
    at = Range(1).index("at")
    product = dot(Gaussian("g", 1)[at], Fixed("c", 1)[at]) ** power
    found = Instance({}, {at: 0}, {}, {}).expectation([product], 1)
    root = RationalFunction.root(3)
    rule = sum(((node**power) / 6 for node in (root, -root)), RationalFunction.constant(0))
    assert found == rule + (Fraction(2, 3) if power == 0 else 0)
    assert mean(product) == found
