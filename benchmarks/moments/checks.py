"""A second road to the engine's values: cubature of the definitions, written out with NumPy.

Serves the benchmark of the moments. In dimension d the laws are replaced by finite sets of points that
have the same moments up to the degree that occurs, so the sums are exact but for rounding.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import factorial, pi, sqrt

import numpy as np
from numpy.polynomial.hermite_e import hermegauss, hermeval

#: Points (count, d) and their weights.
Points = tuple[np.ndarray, np.ndarray]

TOLERANCE = 1e-9


def sphere(d: int, degree: int) -> Points:
    """The uniform law on the unit sphere up to *degree*: any for d <= 2, else 3, for d = 3 also 5."""
    if d == 1:
        points = np.array([[1.0], [-1.0]])
    elif d == 2:
        angles = 2 * pi * np.arange(degree + 1) / (degree + 1)
        points = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    elif degree <= 3:
        points = np.concatenate([np.eye(d), -np.eye(d)])
    elif d == 3 and degree <= 5:
        signs = itertools.product((1, -1), (1 + sqrt(5), -1 - sqrt(5)))
        corners = np.array([[0, 2 * a, b] for a, b in signs]) / sqrt(10 + 2 * sqrt(5))
        points = np.concatenate([np.roll(corners, shift, axis=1) for shift in range(3)])
    else:
        raise ValueError(f"degree: {degree} is too high in dimension {d}; take a smaller one")
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


@dataclass(frozen=True)
class Table:
    """What a head stores: its keys with their sets of answers; key 0 is attended.

    Scored are the answer 0 and, with ``rival``, the answer 1.
    """

    answers: tuple[frozenset[int], ...]

    def holders(self, *tokens: int) -> int:
        """In how many of the sets all these answers are."""
        return sum(set(tokens) <= stored for stored in self.answers)

    def facts(self) -> int:
        """The number of pairs of a key and an answer."""
        return sum(map(len, self.answers))


def attention(
    heads: Sequence[Table], weights_of: Sequence[Sequence[float]], d: int, d_h: int
) -> float:
    """Covariance of two scores of the same *heads*, each sum_a weight_a phi(a)^T sum_h W_h phi(z_h).

    The w_i are uniform on the sphere orthogonal to phi(EOS), which is held, as is the first of them.
    """
    count = 1 + max(a for head in heads for stored in head.answers for a in stored)
    laws = {f"a{i}": sphere(d, 3) for i in range(max(count, len(weights_of[0])))}
    for h, head in enumerate(heads):
        laws |= {f"z{h}{z}": sphere(d, 3 if z else 5) for z in range(len(head.answers))}
        for i in range(d_h):
            points, mass = sphere(d - 1, 8) if h or i else pole(d - 1)
            laws[f"w{h}{i}"] = np.pad(points, [(0, 0), (0, 1)]), mass
    v, weights = product(laws)
    scores = []
    for scored in weights_of:
        left = sum(c * v[f"a{i}"] for i, c in enumerate(scored) if c)
        score = 0
        for h, head in enumerate(heads):
            for i in range(d_h):
                w = v[f"w{h}{i}"]
                read = dot(w, v[f"z{h}0"])
                for z, stored in enumerate(head.answers):
                    answer = sum(dot(left, v[f"a{a}"]) for a in stored)
                    score = score + answer * dot(v[f"z{h}{z}"], w) * read * (d / d_h)
        scores.append(np.broadcast_to(score, weights.shape))
    means = [(weights * score).sum() for score in scores]
    return float((weights * (scores[0] - means[0]) * (scores[1] - means[1])).sum())
