"""What the proof of Theorem 9 says of one neuron and one fact, in any dimension.

Serves App. B of arXiv 2412.06538. An expectation over a Gaussian neuron that involves two unit vectors
depends on their overlap alone, so the integral is a cubature in the plane they span, however large d is.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from numerics.certified.marks import given
from numerics.checks import check_integer
from numerics.memories.activations import Activation
from numerics.memories.facts import replicate_facts
from numerics.observables import Bounded, rivals
from numerics.papers.nichani.mlp_observables import (
    NeuronRange,
    cubature,
    in_parts,
    kinds_of_facts,
    widened,
)
from numerics.random import Stream

#: Nodes and weights for the value vector of a neuron, in the plane of two embeddings.
_VALUES = cubature(2, 4)


def pair_observables(
    d: int,
    N: int,
    M: int,
    replicates: int,
    *,
    k: int,
    sigma: Sequence[float],
    seed: int,
    start: int = 0,
    name: str = "neuron-pairs",
) -> dict[str, Bounded]:
    """Averages over x, z and y != x of expectations over (v, w) given uniform embeddings; f(x) = x.

    With omega_z as in `mlp_observables`, sigma = (c_0, ..., c_q), by the kind of z, "own" (z = x),
    "rival" (z = y) and "generic" (neither):
      overlap.*  <e_z, e_x>^(2k+2)
      diag.*     E[omega_z^2]
      other.*    E[omega_z]^2, which is E[omega_iz omega_jz] for neurons i != j
    over y in the image ("inside") and outside it ("outside"):
      diag-sum, other-sum   their sums over z
    and value4 = E[<v, u_x - u_y>^4], unit4 = E[<v, u_z>^4]. A kind that needs more facts than N is
    left out.

    d >= 1, 1 <= N <= M, M >= 2, 0 <= k <= 24, replicates, start >= 0; InputError otherwise.
    """
    check_integer("M", M, minimum=2)
    check_integer("k", k, minimum=0, maximum=24)
    e, u = replicate_facts(d, N, M, replicates, stream=Stream(seed, name), start=start)
    neuron = NeuronRange.of(k, sigma)
    nodes = max(M * len(_VALUES[1]), (neuron.degree + k + 1) ** 2)
    found = in_parts(lambda e, u: _averages(e, u, k, sigma), e, u, N * N * nodes)
    ends = neuron.ends(N, 1, 0.0) | {"overlap": (0.0, 1.0), "unit4": (0.0, 3.0)}
    return {key: widened(values, *ends[key.split(".")[0]]) for key, values in found.items()}


def _features(keys: Tensor, k: int, sigma: Sequence[float]) -> tuple[Tensor, Tensor]:
    """E[sigma'(a) h_k(b)] and E[sigma'(a)^2 h_k(b)^2] for standard Gaussians of the overlaps `keys`."""
    activation = Activation.hermite(sigma)
    degree = max(len(sigma) - 2, 0)
    nodes, weights = given(keys, *cubature(2, 2 * (degree + k)))
    slope = activation.derivative(nodes[:, 0])
    rest = torch.sqrt(torch.clamp(1 - keys**2, min=0.0))
    other = keys.unsqueeze(-1) * nodes[:, 0] + rest.unsqueeze(-1) * nodes[:, 1]
    feature = Activation.hermite([0.0] * k + [1.0]).value(other)
    return feature @ (weights * slope), feature**2 @ (weights * slope**2)


def _averages(e: Tensor, u: Tensor, k: int, sigma: Sequence[float]) -> dict[str, Tensor]:
    """The observables of the draws e (r, N, d), u (r, M, d)."""
    N, M = e.shape[1], u.shape[1]
    # Letters: r draws, n nodes, x and z facts, y outputs.
    keys = (e @ e.mT).clamp(-1.0, 1.0)
    overlaps = u @ u.mT
    reads = overlaps[:, :N, None, :N] - overlaps[:, None, :, :N]
    gaps = torch.clamp(2 - 2 * overlaps[:, :N], min=0.0)
    # <v, a> = |a| s and <v, u_z> = b s + (1 - b^2)^(1/2) t with b = <a, u_z>/|a|.
    length = torch.sqrt(gaps).unsqueeze(3)
    b = torch.where(length > 0, reads / length.clamp(min=1e-150), torch.zeros_like(reads))
    b = b.clamp(-1.0, 1.0)
    rest = torch.sqrt(torch.clamp(1 - b**2, min=0.0))
    nodes, weights = given(e, *_VALUES)
    s, t = nodes[:, 0], nodes[:, 1]
    value = b.unsqueeze(-1) * s + rest.unsqueeze(-1) * t
    value_mean = length * (value @ (weights * s))
    value_square = gaps.unsqueeze(3) * (value**2 @ (weights * s**2))
    feature_mean, feature_square = _features(keys, k, sigma)

    diag = value_square * (feature_square * keys**2).unsqueeze(2)
    other = (value_mean * (feature_mean * keys).unsqueeze(2)) ** 2
    powers = (keys ** (2 * k + 2)).unsqueeze(2).expand(-1, -1, M, -1)
    found = {}
    for kind, mask in kinds_of_facts(N, M).items():
        if mask.any():
            for key, item in (("diag", diag), ("other", other), ("overlap", powers)):
                found[f"{key}.{kind}"] = item[:, mask].mean(dim=1)
    for where, mask in rivals(N, M).items():
        for key, item in (("diag-sum", diag), ("other-sum", other)):
            found[f"{key}.{where}"] = item.sum(dim=3)[:, mask].mean(dim=1)
    different = ~torch.eye(N, M, dtype=torch.bool)
    found["value4"] = (gaps**2)[:, different].mean(dim=1) * (weights * s**4).sum()
    units = torch.linalg.vector_norm(u[:, :N], dim=2) ** 4
    found["unit4"] = units.mean(dim=1) * (weights * s**4).sum()
    return found
