"""Values of terms with expectations and probabilities, by sums over the values of coordinates.

For d = 1 a coordinate is a random sign, for d = 3 it is uniform on [-1, 1].
"""

from __future__ import annotations

import itertools
import math
from functools import cache

import pytest
from numpy.polynomial.legendre import leggauss

from proofs.kernel.terms import opened, randoms

NODES, GRID, STEPS = 5, 30, 50


@cache
def _points(dimension, even):
    if dimension == 1:
        return ((-1.0, 0.5), (1.0, 0.5))
    assert dimension == 3
    if even:
        return tuple(((2 * i + 1) / GRID - 1, 1 / GRID) for i in range(GRID))
    return tuple((float(x), float(w) / 2) for x, w in zip(*leggauss(NODES), strict=True))


def _draws(one, at, even):
    leaves = {(leaf.head, leaf.name): leaf for leaf in randoms(one)}
    choices = []
    for key, leaf in sorted(leaves.items()):
        first = _value(leaf.arguments[0], at)
        if leaf.head == "coordinate":
            choices.append([(key, point, weight) for point, weight in _points(first, even)])
            continue
        copies = itertools.product(list(_draws(leaf.arguments[1], at, even)), repeat=round(first))
        choices.append(
            [(key, [v for v, _ in draw], math.prod(w for _, w in draw)) for draw in copies]
        )
    for chosen in itertools.product(*choices):
        yield {key: v for key, v, _ in chosen}, math.prod(w for _, _, w in chosen)


def _value(one, at, drawn=None):
    """An infimum is the least value on a grid: a little too large."""
    if one.head == "number":
        return float(one.value)
    if one.head == "symbol":
        return float(at[one.name])
    if one.head == "coordinate":
        return drawn[one.head, one.name]
    if one.head == "sum":
        return sum(_value(one.arguments[1], at, draw) for draw in drawn[one.head, one.name])
    if one.head == "E":
        inner = one.arguments[0]
        return sum(_value(inner, at, v) * w for v, w in _draws(inner, at, False))
    if one.head == "P":
        inner = one.arguments[0]
        return sum(w for v, w in _draws(inner, at, True) if _value(inner, at, v) <= 1e-12)
    if one.head == "inf":
        low, high = (_value(end, at, drawn) for end in one.arguments[:2])
        places = (low + (high - low) * (2 * i + 1) / (2 * STEPS) for i in range(STEPS))
        return min(_value(opened(one, "runs"), {**at, "runs": s}, drawn) for s in places)
    values = [_value(argument, at, drawn) for argument in one.arguments]
    functions = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
        "/": lambda a, b: a / b,
        "^": lambda a, b: a ** round(b),
        "abs": lambda a, b: abs(a) ** b,
        "exp": math.exp,
        "log": math.log,
        "sqrt": lambda a: math.sqrt(max(a, 0.0)),
    }
    return functions[one.head](*values)


@pytest.fixture(scope="session")
def value_of():
    """The value of a term where its symbols have those values."""
    return _value


@pytest.fixture(scope="session")
def law_of():
    """The values of a random variable with their probabilities, rounded, at d = 1."""

    def law(one, at):
        found = {}
        for drawn, weight in _draws(one, at, False):
            where = round(_value(one, at, drawn), 9) + 0.0
            found[where] = found.get(where, 0.0) + weight
        return {where: pytest.approx(weight) for where, weight in found.items()}

    return law
