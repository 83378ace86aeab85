"""Inequalities of the proof of Lemma 6 about vectors and numbers, at random places and at sharp ones.

Serves App. D.3 of arXiv 2412.06538: softmax and losses near the uniform law, the differential
inequalities for u, and parameters on the edge of the lemma's conditions.
"""

import itertools
import math

import numpy as np
from numpy.typing import NDArray
from scipy.special import softmax

from numerics.random import Stream

Array = NDArray[np.float64]


def lse_increments(seed: int, count: int = 200) -> dict[str, Array]:
    """log-sum-exp g at random logits z and displacements v, and at 0 along (1, -1) and +-(1, 1).

    "remainder": g(z+v) - g(z) - <grad g(z), v>; "square": |v|^2; "from-zero": g(v) - log A; "mean" of v.
    (count + 6,) each.
    """
    stream = Stream(seed, "log-sum-exp").generator()
    rows = []
    for _ in range(count):
        A = int(stream.integers(2, 7))
        z, v = stream.normal(size=(2, A)) * np.exp(stream.normal(size=(2, 1)))
        rows.append((z, v))
    for size, pair in itertools.product((1e-3, 1e-1), ((1, -1), (1, 1), (-1, -1))):
        rows.append((np.zeros(2), size * np.array(pair)))
    lse = np.logaddexp.reduce
    columns = np.array(
        [
            (lse(z + v) - lse(z) - softmax(z) @ v, v @ v, lse(v) - math.log(len(v)), v.mean())
            for z, v in rows
        ]
    )
    names = ("remainder", "square", "from-zero", "mean")
    return dict(zip(names, columns.T, strict=True))


def logit_shifts(seed: int, count: int = 200) -> dict[str, Array]:
    """Logits of a law of answers moved by at most "gap" each.

    "moved" = the change of E[-logit] + log-sum-exp. Random ones, and a sure answer that falls while the
    other, far ahead, rises. (count + 2,) each.
    """
    stream = Stream(seed, "logit shifts").generator()
    rows = []
    for _ in range(count):
        A = int(stream.integers(2, 7))
        law, logits = stream.dirichlet(np.ones(A)), 3 * stream.normal(size=A)
        rows.append((law, logits, np.exp(stream.normal()) * stream.uniform(-1, 1, size=A)))
    for gap in (1e-3, 1.0):
        rows.append((np.array([1.0, 0.0]), np.array([0.0, 25.0]), gap * np.array([-1.0, 1.0])))

    def loss(law: Array, logits: Array) -> float:
        return float(np.logaddexp.reduce(logits) - law @ logits)

    return {
        "gap": np.array([np.abs(v).max() for _, _, v in rows]),
        "moved": np.array([abs(loss(law, z + v) - loss(law, z)) for law, z, v in rows]),
    }


def relation_samples(seed: int, count: int = 300) -> dict[str, Array]:
    """Laws p* and logits Theta = k w of one relation, p(r) = 1.

    "change" = Lbar_r - log A; "u1u2" = k <w, p* - p0>/d; "d" = |p* - p0|; "square" = |Theta|^2.
    Random ones, and small Theta along +-(1, -1) for p* = (1, 0). (count + 6,) each.
    """
    stream = Stream(seed, "relation losses").generator()
    rows = []
    for _ in range(count):
        A = int(stream.integers(2, 7))
        law = stream.dirichlet(np.full(A, 0.5))
        rows.append((law, float(np.exp(stream.normal())), stream.normal(size=A)))
    for size, sign in itertools.product((1e-3, 1e-2, 1e-1), (1, -1)):
        rows.append((np.array([1.0, 0.0]), 1.0, sign * size * np.array([1.0, -1.0])))
    columns = []
    for law, k, w in rows:
        theta, away = k * w, law - 1 / len(law)
        spread = float(np.linalg.norm(away))
        change = np.logaddexp.reduce(theta) - math.log(len(law)) - law @ theta
        columns.append((change, k * (w @ away) / spread, spread, theta @ theta))
    names = ("change", "u1u2", "d", "square")
    return dict(zip(names, np.array(columns).T, strict=True))


def near_laws(seed: int, count: int = 40) -> dict[str, Array]:
    """Laws p* of D answers of chance 1/D among A, and p-hat with |p-hat - p*| = sqrt(2) q < 1/(2 D).

    "A", "D"; "q"; "l1" = |p-hat - p*|_1; "excess" = KL(p*, p-hat). S = D subjects.
    """
    stream = Stream(seed, "near laws").generator()
    rows = []
    for A, D, part in itertools.product((2, 4, 9), (1, 2, 4), (0.01, 0.9)):
        if D > A:
            continue
        law = np.where(np.arange(A) < D, 1 / D, 0.0)
        signs = np.where(np.arange(A) % 2 == 0, -1.0, 1.0)
        for y in (signs, *stream.normal(size=(count, A))):
            # A change that keeps the sum and adds only where p* is 0.
            change = np.where(law > 0, y, np.abs(y))
            change[0] -= change.sum()
            change *= part / (2 * D) / np.linalg.norm(change)
            moved = law + change
            if moved.min() < 0:
                continue
            support = law > 0
            excess = (law[support] * np.log(law[support] / moved[support])).sum()
            rows.append((A, D, part / (2 * D) / math.sqrt(2), np.abs(change).sum(), excess))
    return dict(zip(("A", "D", "q", "l1", "excess"), np.array(rows).T, strict=True))


def planar_extremes(seed: int, count: int = 2000) -> dict[str, Array]:
    """u, d and q (p = 1), and the extreme derivatives when |u' - d J u| <= 2 u1 (u1^2 + q).

    "square-up": the largest (|u|^2)', "product-down": the least (u1 u2)'; "w" = |u|^2, "d", "q".
    Random points, and those near u1 = u2, u2 = 0 and d = 0 where the bounds are sharp.
    """
    stream = Stream(seed, "planar").generator()
    u1, d, q = np.exp(stream.normal(size=(3, count)) * 3)
    u2 = u1 * stream.normal(size=count)
    sharp = np.array(
        [
            (a, a * b, c, e)
            for a, b, c, e in itertools.product(
                (1e-4, 1.0), (0.0, 1.0), (1e-9, 1.0), (1e-9, 1e-3, 1.0, 1e6)
            )
        ]
    ).T
    u1, u2, d, q = (np.concatenate(pair) for pair in zip((u1, u2, d, q), sharp, strict=True))
    w = u1**2 + u2**2
    error = 2 * u1 * (u1**2 + q) * np.sqrt(w)
    return {
        "w": w,
        "d": d,
        "q": q,
        "square-up": 4 * d * u1 * u2 + 2 * error,
        "product-down": d * w - error,
    }


def hitting_time(gamma: float, p: float, k: float, x: float) -> float:
    """When w' = gamma w + 4 p w^2 from w = k < x reaches x, by Gauss's rule for the integral of 1/w'."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    low, high = math.log(k), math.log(x)
    places = np.exp((high - low) / 2 * nodes + (high + low) / 2)
    return float((high - low) / 2 * (weights / (gamma + 4 * p * places)).sum())


def product_growth(gamma: float, p: float, start: float, time: float, steps: int = 4000) -> float:
    """y(time) for y' = gamma y - 16 p y^2 from y = start, by the classical Runge-Kutta rule."""

    def slope(y: float) -> float:
        return gamma * y - 16 * p * y * y

    y, h = start, time / steps
    for _ in range(steps):
        a = slope(y)
        b = slope(y + h / 2 * a)
        c = slope(y + h / 2 * b)
        y += h / 6 * (a + 2 * b + 2 * c + slope(y + h * c))
    return y


def lemma_parameters(small: float, accuracy: float) -> dict[str, Array]:
    """Parameters that obey Lemma 6's hypotheses, on their edges and inside.

    "A"; "T"; "d" <= sqrt(1 - 1/A); "x" = eps^2 <= accuracy d/(A+1); "alpha2" = alpha^2;
    "log" = log(x/(alpha^2 (A+1))) >= 1; "q" = T alpha_sm^2 <= small d/log, alpha_sm^2 >= alpha^2 (A+1).
    """
    edges = (1.0, 0.9, 0.5, 1e-3, 1e-6)
    grid = np.array(
        list(
            itertools.product((2, 3, 8), (3, 9), (1.0, 0.3), (1.0, 1.5, 10.0, 700.0), edges, edges)
        )
    ).T
    A, T, part, log, of_x, of_q = grid
    d = part * np.sqrt(1 - 1 / A)
    x = of_x * accuracy * d / (A + 1)
    alpha2 = x * np.exp(-log) / (A + 1)
    q = of_q * small * d / log
    kept = q >= T * alpha2 * (A + 1)
    columns = {"A": A, "T": T, "d": d, "x": x, "log": log, "alpha2": alpha2, "q": q}
    return {name: values[kept] for name, values in columns.items()}
