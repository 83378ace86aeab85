"""Random expressions: the engine agrees with enumeration on whatever the language can say.

RANDOM_EXPRESSIONS=5000 in the environment tries that many examples instead of 100.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from proofs.algebra import RationalFunction
from proofs.moments import (
    Association,
    Expression,
    Family,
    Gaussian,
    Index,
    Range,
    Sphere,
    dot,
    fibre,
    raw_moments,
    sum_over,
)
from proofs.moments.explicit import Instance
from proofs.moments.indices import Slot

EXAMPLES = int(os.environ.get("RANDOM_EXPRESSIONS", "100"))
d, N, M = (RationalFunction.symbol(name) for name in "dNM")

#: data.draw of Hypothesis.
Draw = Callable[..., Any]

LAWS: dict[str, Callable[..., Family]] = {
    "sphere": Sphere,
    "standard normal": Gaussian,
    "normal, 1/d": lambda name, dimension: Gaussian(name, dimension, 1 / dimension),
}
COEFFICIENTS = st.sampled_from([1, -1, 2, Fraction(1, 2), 1 / N, d])


class Case:
    """A world with named x, x2, y and the bound indices z, v over inputs and o over outputs."""

    def __init__(self, draw: Draw) -> None:
        n = draw(st.integers(2, 3))
        m = n + draw(st.integers(0 if n == 3 else 1, 1))
        f = draw(st.permutations(range(m)))[:n]
        rest = [o for o in range(m) if o not in f[:2]]
        y = draw(st.sampled_from(rest))
        law = st.sampled_from(sorted(LAWS))
        self.e: Family = LAWS[draw(law)]("e", d)
        self.u: Family = LAWS[draw(law)]("u", d)
        self.inputs, self.outputs = Range(N, "[N]"), Range(M, "[M]")
        self.f = Association(self.inputs, self.outputs)
        self.x, self.x2, self.z, self.v = (self.inputs.index(i) for i in ("x", "x2", "z", "v"))
        self.y, self.o = self.outputs.index("y"), self.outputs.index("o")
        self.given = [
            self.x != self.x2,
            self.f(self.x) != self.f(self.x2),
            self.y != self.f(self.x),
            self.y != self.f(self.x2),
            fibre(self.y, int(y in f)),
        ]
        self.sizes = {"N": n, "M": m}
        self.f_values, self.y_value = f, y
        note(f"{self.e}, {self.u}, f = {f}, M = {m}, y = {y}")

    def vector(self, draw: Draw, bound: list[Index]) -> Expression:
        inputs = [i for i in bound if i is not self.o]
        index = draw(st.sampled_from([*inputs, self.x, self.x2]))
        outputs = [o for o in bound if o is self.o]
        output: Slot = draw(st.sampled_from([*outputs, self.f(index), self.y]))
        vector: Expression = draw(st.sampled_from([self.e[index], self.u[output]]))
        return vector

    def summand(self, draw: Draw) -> Expression:
        product = Expression.scalar(draw(COEFFICIENTS))
        choices: tuple[list[Index], ...] = (
            [],
            [self.z],
            [self.o],
            [self.z, self.v],
            [self.z, self.o],
        )
        bound = draw(st.sampled_from(choices))
        for _ in range(draw(st.integers(1, 2))):
            edge = dot(self.vector(draw, bound), self.vector(draw, bound))
            product = product * edge ** draw(st.integers(1, 2))
        for index in bound:
            product = sum_over(index, product)
        return product

    def expression(self, draw: Draw) -> Expression:
        parts = [self.summand(draw) for _ in range(draw(st.integers(1, 2)))]
        return sum(parts[1:], parts[0])

    def instance(self, dimension: int) -> Instance:
        return Instance(
            {self.inputs: self.sizes["N"], self.outputs: self.sizes["M"]},
            {self.x: 0, self.x2: 1, self.y: self.y_value},
            {self.f: self.f_values},
            {"d": dimension, **self.sizes},
        )


@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_the_engine_agrees_with_enumeration(data: st.DataObject) -> None:
    case = Case(data.draw)
    factors = [case.expression(data.draw) for _ in range(data.draw(st.integers(1, 2)))]
    dimension = data.draw(st.sampled_from([1, 2]))
    note(f"factors {factors}, d = {dimension}")
    found = raw_moments(factors, case.given)[-1].value(d=dimension, **case.sizes)
    assert found == case.instance(dimension).expectation(factors, dimension)
