"""The random-feature memory of Sec. 3.2, eq. (3), and the polynomial memory that it approaches.

Serves arXiv 2412.06538: F(e_x) = (1/m) sum_{i, z} u_{f(z)} h_k(<w_i, e_z>) sigma(<w_i, e_x>) with m
Gaussian w_i, which the paper replaces by sum_z u_{f(z)} <e_x, e_z>^k for large m.
"""

from collections.abc import Sequence
from functools import partial

import torch
from torch import Tensor, arange, einsum

from numerics.associations import assigned
from numerics.certified.marks import given, unfollowed
from numerics.checks import check_integer
from numerics.draws.counting import failing
from numerics.errors import InputError
from numerics.memories.activations import Activation
from numerics.memories.facts import check_injective
from numerics.memories.mlp import TwoLayerNetwork
from numerics.observables import Bounded, Event
from numerics.papers.nichani.mlp_observables import cubature, widened
from numerics.random import Stream, replicate_spheres, sample_sphere

#: Draws whose integrals are held at once.
_AT_ONCE = 64


def feature_memory(
    inputs: Tensor,
    outputs: Tensor,
    association: Tensor,
    hidden: Tensor,
    activation: Activation,
    k: int,
) -> TwoLayerNetwork:
    """The two-layer network of eq. (3): v_i = (1/m) sum_z u_{f(z)} h_k(<w_i, e_z>), w_i rows of hidden.

    inputs (N, d), outputs (M, d), association int64 (N,), hidden (m, d), 0 <= k <= 24. Raises
    InputError as `TwoLayerNetwork` does.
    """
    check_integer("k", k, minimum=0, maximum=24)
    features = Activation.hermite([0.0] * k + [1.0]).value(hidden @ inputs.T)
    readout = features @ outputs[association] / len(hidden)
    return TwoLayerNetwork(inputs, outputs, association, hidden, readout, activation)


def polynomial_memory(
    inputs: Tensor, outputs: Tensor, association: Tensor, k: int
) -> TwoLayerNetwork:
    """The memory F(v) = sum_z u_{f(z)} <e_z, v>^k: a network with one neuron a fact, sigma(t) = t^k.

    inputs (..., N, d), outputs (..., M, d), association int64 (N,), k >= 1. Raises InputError as
    `TwoLayerNetwork` does.
    """
    check_integer("k", k, minimum=1)
    power = Activation.polynomial([0.0] * k + [1.0])
    answers = assigned(outputs, association)
    return TwoLayerNetwork(inputs, outputs, association, inputs, answers, power)


def limit_observables(
    d: int,
    N: int,
    replicates: int,
    *,
    k: int,
    sigma: Sequence[float],
    m: int,
    factor: float,
    seed: int,
    start: int = 0,
    name: str = "feature-limit",
) -> dict[str, Bounded]:
    """How a feature of eq. (3) depends on two of N uniform unit inputs e, e'.

    sigma = (c_0, ..., c_q): Hermite coefficients. With C = E_w[h_k(<w, e'>) sigma(<w, e>)], where
    w ~ N(0, I_d) is integrated by exact cubature, per draw and for e' = e ("own") and e' != e ("other",
    N >= 2):
      coefficient  the average of C
      power        the average of C for "own", of C <e, e'>^k for "other"
      overlap      the average of <e, e'>^(2k)
      residual     the average of C - factor <e, e'>^k
      miss         the greatest |C - factor <e, e'>^k|
      spread       the average of E_w[(h_k sigma)^2]/m - C^2/m, the variance of the feature of m neurons
    The bounds are Cauchy-Schwarz: |C| <= E[sigma(g)^2]^(1/2) and E_w[(h_k sigma)^2] <=
    (E sigma(g)^4 E h_k(g)^4)^(1/2).

    d >= 1 (the cubature has (q + k + 1)^d nodes), N, m >= 1, 0 <= k <= 24, replicates,
    start >= 0; InputError otherwise.
    """
    check_integer("N", N, minimum=1)
    check_integer("m", m, minimum=1)
    check_integer("k", k, minimum=0, maximum=24)
    if isinstance(sigma, str):
        raise InputError(f"sigma = {sigma!r}: cubature is exact for Hermite coefficients only")
    value = Activation.hermite(sigma).value
    h_k = Activation.hermite([0.0] * k + [1.0]).value
    stream = Stream(seed, name)
    e = replicate_spheres(replicates, N, d, stream=stream.child("inputs"), start=start)
    w, weights = given(e, *cubature(d, 2 * (len(sigma) - 1 + k)))
    own = torch.eye(N, dtype=torch.bool)
    parts = []
    for first in range(0, max(replicates, 1), _AT_ONCE):
        block = e[first : first + _AT_ONCE]
        arguments = block @ w.T
        values, features = value(arguments), h_k(arguments)
        C = einsum("n,rxn,rzn->rxz", weights, values, features)
        square = einsum("n,rxn,rzn->rxz", weights, values**2, features**2)
        powers = (block @ block.mT) ** k
        residual = C - factor * powers
        spread = (square - C**2) / m
        parts.append(torch.stack([C, C * powers, powers**2, residual, residual.abs(), spread]))
    coefficient, power, overlap, residual, miss, spread = torch.cat(parts, dim=1)

    with unfollowed():
        line, line_weights = cubature(1, 4 * max(len(sigma) - 1, k))
        on_line, feature = value(line).squeeze(1), h_k(line).squeeze(1)
        norm = float((line_weights * on_line**2).sum()) ** 0.5
        fourth = float((line_weights * on_line**4).sum() * (line_weights * feature**4).sum()) ** 0.5
    reach = norm + abs(factor)
    found: dict[str, Bounded] = {}
    for kind, mask in (("own", own), ("other", ~own)):
        if mask.any():
            found |= {
                f"coefficient.{kind}": widened(coefficient[:, mask].mean(dim=1), -norm, norm),
                f"power.{kind}": widened(power[:, mask].mean(dim=1), -norm, norm),
                f"overlap.{kind}": widened(overlap[:, mask].mean(dim=1), 0.0, 1.0),
                f"residual.{kind}": widened(residual[:, mask].mean(dim=1), -reach, reach),
                f"miss.{kind}": widened(miss[:, mask].amax(dim=1), 0.0, reach),
                f"spread.{kind}": widened(spread[:, mask].mean(dim=1), 0.0, fourth / m),
            }
    return found


def failures(
    d: int,
    N: int,
    M: int,
    k: int,
    replicates: int,
    *,
    seed: int,
    start: int = 0,
    name: str = "polynomial-failures",
    device: torch.device | str = "cpu",
) -> Event:
    """Whether each of `replicates` polynomial memories fails to recall one of its N facts.

    f(x) = x: the outputs are exchangeable. Draw number start + i depends on that number alone.
    d, k >= 1, 1 <= N <= M, replicates, start >= 0; InputError otherwise.
    """
    check_injective(N, M)

    def draw(
        *, seed: Stream, device: torch.device | str, replicates: int | None = None
    ) -> TwoLayerNetwork:
        rows = partial(sample_sphere, replicates=replicates, device=device)
        inputs, outputs = (
            rows(count, d, stream=seed.child(side))
            for side, count in (("inputs", N), ("outputs", M))
        )
        return polynomial_memory(inputs, outputs, arange(N, device=device), k)

    return failing(draw, replicates, stream=Stream(seed, name), start=start, device=device)
