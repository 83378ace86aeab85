"""What the proof of Theorem 9 says of one neuron, with the Gaussian neurons integrated out.

Serves App. B of arXiv 2412.06538: with
    omega_z = <v, u_x - u_y> <v, u_z> sigma'(<w, e_x>) h_k(<w, e_z>) <e_x, e_z>
for one neuron (v, w) and f(x) = x, every observable is an expectation over v and w given the
embeddings, so it is a bounded function of them. The integrals are Gauss-Hermite cubature over R^d with
enough nodes to be exact, but for rounding, on the polynomials that occur.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from numpy.polynomial.hermite_e import hermegauss
from torch import Tensor, einsum

from numerics.certified.marks import given, unfollowed
from numerics.checks import check_integer
from numerics.errors import InputError
from numerics.memories.activations import Activation
from numerics.memories.facts import replicate_facts
from numerics.observables import Bounded, rivals
from numerics.random import Stream

#: Values of an integrand that are held at once: so many fit into a cache.
_AT_ONCE = 2**18
#: Nodes of a cubature beyond which it would be slow.
_MOST_NODES = 50_000
#: Relative to the range of an observable: far more than what cubature rounds.
_SLACK = 1e-9


@lru_cache(maxsize=64)
def cubature(d: int, degree: int) -> tuple[Tensor, Tensor]:
    """Nodes (n, d) and weights (n,), float64, exact for E p(g), g ~ N(0, I_d); not to be written to.

    p: any polynomial of degree at most `degree` in each coordinate. d >= 1, degree >= 0;
    InputError otherwise and where that takes more than 50 000 nodes.
    """
    check_integer("d", d, minimum=1)
    check_integer("degree", degree, minimum=0)
    count = degree // 2 + 1
    if count**d > _MOST_NODES:
        raise InputError(
            f"d = {d} takes {count}^{d} nodes of a cubature of degree {degree}: lower d"
        )
    points, weights = hermegauss(count)
    weights = weights / weights.sum()
    nodes = np.stack(np.meshgrid(*[points] * d, indexing="ij"), axis=-1).reshape(-1, d)
    products = np.prod(np.stack(np.meshgrid(*[weights] * d, indexing="ij"), axis=-1), axis=-1)
    return torch.from_numpy(nodes), torch.from_numpy(products.reshape(-1))


def widened(values: Tensor, low: float, high: float) -> Bounded:
    """Values that lie in [low, high] before rounding, with ends a little further out."""
    slack = _SLACK * max(high - low, abs(low), abs(high))
    return Bounded(values, low - slack, high + slack)


def in_parts(
    averages: Callable[[Tensor, Tensor], dict[str, Tensor]], e: Tensor, u: Tensor, values: int
) -> dict[str, Tensor]:
    """`averages` of the draws e (r, N, d), u (r, M, d), which hold so many `values` for each draw."""
    draws = max(_AT_ONCE // values, 1)
    parts = [
        averages(e[first : first + draws], u[first : first + draws])
        for first in range(0, max(len(e), 1), draws)
    ]
    return {key: torch.cat([part[key] for part in parts]) for key in parts[0]}


def neuron_observables(
    d: int,
    N: int,
    M: int,
    replicates: int,
    *,
    k: int,
    sigma: Sequence[float],
    m: int = 2,
    about: float = 0.0,
    seed: int,
    start: int = 0,
    name: str = "mlp-neuron",
) -> dict[str, Bounded]:
    """Averages over pairs (x, y), y != x, of expectations over (v, w) given uniform embeddings.

    sigma = (c_0, ..., c_q): Hermite coefficients; the q_i are not negated, whatever the sign of c_{k+1}.
    Over y in the image ("inside", N >= 2) and outside it ("outside", M > N), one value each draw:
      mean       E[sum_z omega_z], which is E[gamma | embeddings] for any m
      sum        sum_z <u_x - u_y, u_z> <e_z, e_x>^(k+1), nothing integrated
      second     E[gamma^2 | embeddings] of m neurons: E[(sum_z omega_z)^2]/m + (1 - 1/m) mean^2
      centred    E[(gamma - about)^2 | embeddings]
      diag-sum   sum_z E[omega_z^2], and
      other-sum  sum_z E[omega_z]^2, which is sum_z E[omega_iz omega_jz] for neurons i != j
      split      second - (1 - 1/m) other-sum - diag-sum/m: the terms with z != z'
    By the kind of z, "own" (z = x), "rival" (z = y) and "generic" (neither), over all y != x:
      diag.*     E[omega_z^2]
      other.*    E[omega_z]^2
      value.*    E[<v, u_x - u_y>^2 <v, u_z>^2]; value4: E[<v, u_x - u_y>^4]
      feature.*  E[sigma'(<w, e_x>)^2 h_k(<w, e_z>)^2] <e_x, e_z>^2, own or generic (z != x)
    For two different facts z, z', E[omega_z omega_z'] of one neuron ("cross.same.*") and
    E[omega_z] E[omega_z'] of two ("cross.other.*"): "generic" (both generic), "own" (z generic, z' = x),
    "rival" (z = y, z' = x) and "generic-rival" (z generic, z' = y).
    A kind that needs more facts than N is left out.

    The bounds. |u_x - u_y| <= 2, |<e_x, e_z>| <= 1, E<v,a>^2 <v,b>^2 <= 3 |a|^2 |b|^2, and by
    Cauchy-Schwarz |E[sigma' h_k]| <= S_2 = E[sigma'(g)^2]^(1/2), E[sigma'^2 |h_k h_k|] <= S_4 =
    (E sigma'(g)^4 E h_k(g)^4)^(1/2): so |E omega_z| <= 2 S_2 and |E omega_z omega_z'| <= 12 S_4.

    d >= 1 (the cubatures have (q + k)^d and 3^d nodes), 1 <= N <= M, m >= 1, 0 <= k <= 24,
    replicates, start >= 0; InputError otherwise.
    """
    check_integer("M", M, minimum=2)
    check_integer("m", m, minimum=1)
    check_integer("k", k, minimum=0, maximum=24)
    if isinstance(sigma, str):
        raise InputError(f"sigma = {sigma!r}: cubature is exact for Hermite coefficients only")
    e, u = replicate_facts(d, N, M, replicates, stream=Stream(seed, name), start=start)
    feature, slope = NeuronRange.of(k, sigma), Activation.hermite(sigma).derivative
    weights = cubature(d, 4), cubature(d, 2 * (feature.degree + k))
    nodes = max(len(points) for points, _ in weights)
    found = in_parts(
        lambda e, u: _averages(e, u, k, slope, weights, m), e, u, N * N * max(M * N, nodes)
    )
    for where in ("inside", "outside"):
        if f"mean.{where}" in found:
            mean, second = found[f"mean.{where}"], found[f"second.{where}"]
            # The average over pairs of gamma^2 - 2 about gamma + about^2.
            found[f"centred.{where}"] = second - 2 * about * mean + about**2
    ends = feature.ends(N, m, about)
    return {key: widened(values, *ends[key.split(".")[0]]) for key, values in found.items()}


@dataclass(frozen=True)
class NeuronRange:
    """What bounds the observables of a neuron: S_2 (`mean`), S_4 (`square`), the degree of sigma'."""

    degree: int
    mean: float
    square: float

    @classmethod
    @unfollowed()
    def of(cls, k: int, sigma: Sequence[float]) -> "NeuronRange":
        """Those of h_k and sigma = (c_0, ..., c_q), by exact quadrature."""
        degree = max(len(sigma) - 2, 0)
        (nodes, weights) = cubature(1, 4 * max(degree, k))
        slope = Activation.hermite(sigma).derivative(nodes.squeeze(1))
        h_k = Activation.hermite([0.0] * k + [1.0]).value(nodes.squeeze(1))
        fourths = float((weights * slope**4).sum()) * float((weights * h_k**4).sum())
        return cls(degree, math.sqrt(float((weights * slope**2).sum())), math.sqrt(fourths))

    def ends(self, N: int, m: int, about: float) -> dict[str, tuple[float, float]]:
        """Least and greatest value of each observable, by the first word of its name."""
        mean, square = 2 * self.mean, 12 * self.square
        pair = square / m + (1 - 1 / m) * mean**2
        return {
            "mean": (-N * mean, N * mean),
            "sum": (-2.0 * N, 2.0 * N),
            "second": (0.0, N**2 * pair),
            # By Minkowski's inequality.
            "centred": (0.0, (N * math.sqrt(pair) + abs(about)) ** 2),
            "diag-sum": (0.0, N * square),
            "other-sum": (0.0, N * mean**2),
            "split": (-N * (N - 1) * pair, N * (N - 1) * pair),
            "diag": (0.0, square),
            "other": (0.0, mean**2),
            "value": (0.0, 12.0),
            "value4": (0.0, 48.0),
            "feature": (0.0, self.square),
            "cross": (-max(square, mean**2), max(square, mean**2)),
        }


def kinds_of_facts(N: int, M: int) -> dict[str, Tensor]:
    """Masks (N, M, N) of (x, y, z), y != x, by what z is: "own" (x), "rival" (y) or "generic"."""
    x, y, z = torch.meshgrid(*map(torch.arange, (N, M, N)), indexing="ij")
    return {
        "own": (z == x) & (y != x),
        "rival": (z == y) & (y != x),
        "generic": (z != x) & (z != y) & (y != x),
    }


#: A cubature for v and one for w.
_Weights = tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]


def _averages(
    e: Tensor, u: Tensor, k: int, slope: Callable[[Tensor], Tensor], weights: _Weights, m: int
) -> dict[str, Tensor]:
    """The observables of the draws e (r, N, d), u (r, M, d), but "centred"."""
    N, M = e.shape[1], u.shape[1]
    (v, v_weights), (w, w_weights) = (given(e, *part) for part in weights)
    # Letters: r draws, n nodes, x, z, t facts (t for z'), y outputs.
    values = u @ v.T
    gaps = values[:, :N, None] - values[:, None]
    reads = values[:, :N]
    keys = e @ e.mT
    arguments = e @ w.T
    slopes = slope(arguments)
    features = Activation.hermite([0.0] * k + [1.0]).value(arguments)

    value_mean = einsum("n,rxyn,rzn->rxyz", v_weights, gaps, reads)
    value_pair = einsum("n,rxyn,rzn,rtn->rxyzt", v_weights, gaps**2, reads, reads)
    key_mean = einsum("n,rxn,rzn->rxz", w_weights, slopes, features) * keys
    key_pair = einsum("n,rxn,rzn,rtn->rxzt", w_weights, slopes**2, features, features)
    key_pair = key_pair * keys.unsqueeze(3) * keys.unsqueeze(2)

    omega = value_mean * key_mean.unsqueeze(2)
    pair = value_pair * key_pair.unsqueeze(2)
    mean = omega.sum(dim=3)
    diagonal = torch.diagonal(pair, dim1=3, dim2=4)
    second = pair.sum(dim=(3, 4)) / m + (1 - 1 / m) * mean**2
    diag_sum, other_sum = diagonal.sum(dim=3), (omega**2).sum(dim=3)
    overlaps = u @ u.mT
    differences = overlaps[:, :N, None, :N] - overlaps[:, None, :, :N]
    found: dict[str, Tensor] = {}
    by_pair = {
        "mean": mean,
        "sum": einsum("rxyz,rxz->rxy", differences, keys ** (k + 1)),
        "second": second,
        "diag-sum": diag_sum,
        "other-sum": other_sum,
        "split": second - (1 - 1 / m) * other_sum - diag_sum / m,
    }
    different = ~torch.eye(N, M, dtype=torch.bool)
    for where, mask in rivals(N, M).items():
        found |= {f"{key}.{where}": item[:, mask].mean(dim=1) for key, item in by_pair.items()}

    kinds = kinds_of_facts(N, M)
    squares = torch.diagonal(value_pair, dim1=3, dim2=4)
    for kind, mask in kinds.items():
        if mask.any():
            for key, item in (("diag", diagonal), ("other", omega**2), ("value", squares)):
                found[f"{key}.{kind}"] = item[:, mask].mean(dim=1)
    found["value4"] = einsum("n,rxyn->rxy", v_weights, gaps**4)[:, different].mean(dim=1)
    own = torch.eye(N, dtype=torch.bool)
    feature = torch.diagonal(key_pair, dim1=2, dim2=3)
    for kind, mask in (("own", own), ("generic", ~own)):
        if mask.any():
            found[f"feature.{kind}"] = feature[:, mask].mean(dim=1)

    products = omega.unsqueeze(4) * omega.unsqueeze(3)
    unequal = ~torch.eye(N, dtype=torch.bool)
    for kind, first, then in (
        ("generic", "generic", "generic"),
        ("own", "generic", "own"),
        ("rival", "rival", "own"),
        ("generic-rival", "generic", "rival"),
    ):
        mask = kinds[first].unsqueeze(3) & kinds[then].unsqueeze(2) & unequal
        if mask.any():
            found[f"cross.same.{kind}"] = pair[:, mask].mean(dim=1)
            found[f"cross.other.{kind}"] = products[:, mask].mean(dim=1)
    return found
