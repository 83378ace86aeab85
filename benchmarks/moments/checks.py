"""A second road to the engine's values: cubature of the definitions, written out with NumPy.

Serves the benchmark of the moments. In dimension d the laws are replaced by finite sets of points that
have the same moments up to the degree that occurs, so the sums are exact but for rounding.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from math import factorial, pi, sqrt

import numpy as np
from numpy.polynomial.hermite_e import hermegauss, hermeval

#: Points (count, d) and their weights.
Points = tuple[np.ndarray, np.ndarray]

TOLERANCE = 1e-9


def sphere(d: int, degree: int) -> Points:
    """The uniform law on the unit sphere up to *degree*, d = 1 or 2."""
    if d == 1:
        points = np.array([[1.0], [-1.0]])
    else:
        angles = 2 * pi * np.arange(degree + 1) / (degree + 1)
        points = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return points, np.full(len(points), 1 / len(points))


def gaussian(d: int, degree: int) -> Points:
    """The law N(0, I_d) up to *degree*: a product of Gauss-Hermite rules."""
    nodes, weights = hermegauss(degree // 2 + 1)
    weights = weights / weights.sum()
    points = np.array(list(itertools.product(nodes, repeat=d)))
    return points, np.array([np.prod(w) for w in itertools.product(weights, repeat=d)])


def pole(d: int) -> Points:
    """One unit vector: where the others may be rotated together, one of them can be held."""
    return np.eye(d)[:1], np.ones(1)


def product(laws: Mapping[str, Points]) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """All combinations of independent vectors: arrays (d, 1, ..., count, ..., 1), and the weights."""
    vectors: dict[str, np.ndarray] = {}
    weights = np.ones((1,) * len(laws))
    for axis, (name, (points, mass)) in enumerate(laws.items()):
        shape = [1] * len(laws)
        shape[axis] = len(mass)
        vectors[name] = points.T.reshape(-1, *shape)
        weights = weights * mass.reshape(shape)
    return vectors, weights


def dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Inner products, the coordinates being the first axis."""
    return (a * b).sum(axis=0)


def central(values: np.ndarray, weights: np.ndarray, order: int) -> float:
    """The central moment of the given *order*."""
    values = np.broadcast_to(values, weights.shape)
    return float((weights * (values - (weights * values).sum()) ** order).sum())


def embeddings(d: int, n: int, degree: int) -> dict[str, Points]:
    """Inputs e0, ..., and outputs u0, ..., of which the first of each kind is held."""
    laws = {"e0": pole(d), "u0": pole(d)}
    for i in range(1, n):
        laws |= {f"e{i}": sphere(d, degree), f"u{i}": sphere(d, degree)}
    return laws


def linear(order: int, d: int, n: int) -> float:
    """Central moment of gamma = sum_z <u_0 - u_1, u_z> <e_z, e_0>, z < n."""
    v, weights = product(embeddings(d, n, order))
    contrast = v["u0"] - v["u1"]
    gamma = sum(dot(contrast, v[f"u{z}"]) * dot(v[f"e{z}"], v["e0"]) for z in range(n))
    return central(gamma, weights, order)


def centred(d: int, n: int) -> float:
    """Variance of the margin of the linear memory whose inputs are taken less their average."""
    v, weights = product(embeddings(d, n, 8))
    average = sum(v[f"e{z}"] for z in range(n)) / n
    x = v["e0"] - average
    contrast = v["u0"] - v["u1"]
    gamma = sum(dot(contrast, v[f"u{z}"]) * dot(v[f"e{z}"] - average, x) for z in range(n))
    return central(gamma, weights, 2)


def low_rank(order: int, d: int, n: int, m: int) -> float:
    """Central moment of gamma = sum_zi <u_0 - u_1, u_z> <e_z, v_i> <v_i, e_0>."""
    laws = embeddings(d, n, order)
    v, weights = product(laws | {f"v{i}": gaussian(d, 2 * order) for i in range(m)})
    gamma = 0
    for z, i in itertools.product(range(n), range(m)):
        answer = dot(v["u0"] - v["u1"], v[f"u{z}"])
        gamma = gamma + answer * dot(v[f"e{z}"], v[f"v{i}"]) * dot(v[f"v{i}"], v["e0"])
    return central(gamma, weights, order)


def hermite(k: int, x: np.ndarray) -> np.ndarray:
    """h_k, orthonormal for the standard Gaussian."""
    return hermeval(x, [0] * k + [1 / sqrt(factorial(k))])


def ntk(d: int, n: int, m: int, k: int, sigma: Sequence[float]) -> float:
    """Variance of the margin of the linearised MLP, activation sum_j sigma_j h_j."""
    laws = embeddings(d, n, 2 * (k + 1))
    for i in range(m):
        laws |= {f"v{i}": gaussian(d, 4), f"w{i}": gaussian(d, 2 * (k + len(sigma) - 2))}
    v, weights = product(laws)
    gamma = 0
    for i in range(m):
        w, a = v[f"w{i}"], v[f"v{i}"]
        slope = sum(sqrt(j) * c * hermite(j - 1, dot(w, v["e0"])) for j, c in enumerate(sigma) if j)
        for z in range(n):
            feature = hermite(k, dot(w, v[f"e{z}"])) * dot(v["e0"], v[f"e{z}"])
            answer = dot(a, v["u0"] - v["u1"]) * dot(a, v[f"u{z}"])
            gamma = gamma + answer * slope * feature / m
    return central(gamma, weights, 2)
