"""Margins and failures of the linearised two-layer memory over independent draws of everything.

Serves Sec. 3.2 and App. B of arXiv 2412.06538 (Theorem 9): gamma_{xy} and the chance that some of the
N facts is lost.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, float64

from numerics.checks import check_integer
from numerics.draws.counting import failing
from numerics.memories import mlp
from numerics.memories.activations import Activation
from numerics.memories.base import Memory
from numerics.memories.facts import check_injective, replicate_facts
from numerics.observables import Event, rivals
from numerics.random import Stream, replicate_gaussians

#: Entries (draws x facts x neurons) held at once.
_ENTRIES = 2**20
#: Hermite coefficients c_0, ..., c_q, or the name of an activation.
Sigma = str | Sequence[float]


def margin_replicates(
    d: int,
    N: int,
    M: int,
    m: int,
    replicates: int,
    *,
    k: int,
    sigma: Sigma,
    seed: int,
    start: int = 0,
    name: str = "mlp-margin",
) -> Tensor:
    """All margins of `replicates` independent memories: float64 (replicates, N, M).

    Entry [r, x, y] is (u_{f(x)} - u_y)^T F(e_x) of replicate start + r, hence zero at y = f(x), with
    f(x) = x: the outputs are exchangeable. The sign of the q_i is that of `MLPMemory.sample`.
    d, m >= 1, 1 <= N <= M, 0 <= k <= 23, replicates, start >= 0; InputError
    otherwise. For small sizes: all draws are held at once.
    """
    check_integer("m", m, minimum=1)
    check_integer("k", k, minimum=0, maximum=23)
    activation, stream = Activation.read(sigma), Stream(seed, name)
    factor = mlp.mean_sign(activation, k) / m
    inputs, outputs = replicate_facts(d, N, M, replicates, stream=stream, start=start)
    hidden = replicate_gaussians(replicates, m, d, stream=stream.child("hidden"), start=start)
    readout = replicate_gaussians(replicates, m, d, stream=stream.child("readout"), start=start)
    margins = torch.empty((replicates, N, M), dtype=float64)
    step = max(1, _ENTRIES // (N * m))
    for first in range(0, replicates, step):
        e, u, w, v = (part[first : first + step] for part in (inputs, outputs, hidden, readout))
        # Looked up in the module at call time: MLPMemory and this function share one definition.
        tangent = factor * mlp.tangent_sum(e, u[:, :N], w, v, k)
        scores = mlp.tangent_terms(e, w, tangent, activation) @ v @ u.mT
        target = torch.diagonal(scores, dim1=1, dim2=2)
        margins[first : first + step] = target.unsqueeze(2) - scores
    return margins


def margin_observables(
    d: int,
    N: int,
    M: int,
    m: int,
    replicates: int,
    *,
    k: int,
    sigma: Sigma,
    seed: int,
    start: int = 0,
    name: str = "mlp-margin",
) -> dict[str, Tensor]:
    """Per draw, averages over pairs (x, y), y != f(x), of gamma, gamma^2 and whether gamma <= 0.

    "mean.inside", "second.inside" and "failure.inside" average over y in the image of f (N >= 2),
    "...outside" over the others (M > N): float64 (replicates,) each. Margins are unbounded, since
    the neurons are Gaussian: only "failure", in [0, 1], has a bound. Otherwise as `margin_replicates`.
    """
    gamma = margin_replicates(
        d, N, M, m, replicates, k=k, sigma=sigma, seed=seed, start=start, name=name
    )
    functions = {"mean": gamma, "second": gamma**2, "failure": (gamma <= 0).to(float64)}
    return {
        f"{function}.{where}": values[:, mask].mean(dim=1)
        for where, mask in rivals(N, M).items()
        for function, values in functions.items()
    }


def failures(
    d: int,
    N: int,
    M: int,
    m: int,
    replicates: int,
    *,
    seed: int,
    start: int = 0,
    name: str = "mlp-failures",
    device: torch.device | str = "cpu",
    k: int = 2,
    sigma: Sigma = (0.0, 1.0, 1.0, 1.0),
    network: bool = False,
) -> Event:
    """Whether each of `replicates` independent memories fails to recall one of its N facts.

    Draw number start + i depends on that number alone, so long runs can be split and joined;
    `device` is where products are made. `sigma`: Hermite coefficients c_0, ..., c_q, or a name known
    to `Activation.named`. With `network`, what is asked is the true network of `MLPMemory.network`.
    d, m >= 1, 1 <= N <= M, 0 <= k <= 23, replicates, start >= 0; InputError otherwise.
    """
    check_injective(N, M)
    activation = Activation.read(sigma)

    def draw(**drawn: Any) -> Memory:
        memory = mlp.MLPMemory.sample(d, N, M, m=m, k=k, activation=activation, **drawn)
        return memory.network() if network else memory

    return failing(draw, replicates, stream=Stream(seed, name), start=start, device=device)
