"""A true two-layer network beside its linearisation, on one draw of everything.

Serves App. B of arXiv 2412.06538 (proof of Theorem 9): the rescaling that shall turn one into the other,
and the closed form of the memory.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from numerics.memories.activations import Activation
from numerics.random import Stream, sample_gaussian, sample_sphere

_SIGMA = (0.5, 1.0, -0.75, 1.0)


def _linearised(hidden: Tensor, readout: Tensor, moves: Tensor, inputs: Tensor) -> Tensor:
    """V^T (sigma'(W z) o Q z) for each row z, by automatic differentiation of V^T sigma(W z)."""
    step = torch.zeros((), dtype=torch.float64, requires_grad=True)
    values = Activation.hermite(_SIGMA).value(inputs @ (hidden + step * moves).mT) @ readout
    # The derivative of every value by the step: linear in weights on the values, differentiated by them.
    weights = torch.ones_like(values, requires_grad=True)
    (slope,) = torch.autograd.grad((weights * values).sum(), step, create_graph=True)
    (result,) = torch.autograd.grad(slope, weights)
    return result


def deviations(
    weights: Sequence[float], shifts: Sequence[float], scales: Sequence[float], *, seed: int
) -> list[float]:
    """|F_eps - F_NTK|/|F_NTK| (Frobenius norms over 10 inputs) at each eps of `scales`.

    F_eps(z) = sum_s weights[s] V^T sigma((W + shifts[s] eps Q) z)/eps with sigma of degree 3, W, V and
    Q standard Gaussian of shape (16, 8), in float64.
    """
    d, m = 8, 16
    stream = Stream(seed, "mlp-linearisation")
    hidden, readout, moves = (
        sample_gaussian(m, d, stream=stream.child(name)) for name in ("hidden", "readout", "moves")
    )
    inputs = sample_sphere(10, d, stream=stream.child("inputs"))
    activation = Activation.hermite(_SIGMA)
    limit = _linearised(hidden, readout, moves, inputs)
    found = []
    for scale in scales:
        network = torch.zeros_like(limit)
        for weight, shift in zip(weights, shifts, strict=True):
            moved = hidden + shift * scale * moves
            network += weight / scale * (activation.value(inputs @ moved.mT) @ readout)
        found.append(float((network - limit).norm() / limit.norm()))
    return found


def closed_form_deviation(
    *, scale: float, more: int, key: int, derivative: int, m: int, seed: int
) -> float:
    """The largest entry of F_NTK less the closed form, over the largest of F_NTK, at the N inputs.

    F_NTK is the derivative of a network in the direction of the q_i of degree k = 2. The closed form is
    scale sum_iz v_i <v_i, u_z> sigma^(derivative)(<w_i, e_x>) h_{k+more}(<e_z, w_i>) <e_x, e_z>^key.
    d = 5, N = 7, f(x) = x.
    """
    d, N, k = 5, 7, 2
    stream = Stream(seed, "mlp-closed-form")
    hidden, readout = (sample_gaussian(m, d, stream=stream.child(n)) for n in ("hidden", "readout"))
    inputs, outputs = (sample_sphere(N, d, stream=stream.child(n)) for n in ("inputs", "outputs"))
    arguments = inputs @ hidden.mT
    stored = _hermite(k, arguments) * (outputs @ readout.mT)
    moves = stored.mT @ inputs / m
    network = _linearised(hidden, readout, moves, inputs)
    activation = Activation.hermite(_SIGMA)
    slopes = _derivative(activation, arguments, derivative)
    features = _hermite(k + more, arguments) * (outputs @ readout.mT)
    # Letters: i neurons, x and z facts.
    mixed = torch.einsum("xi,zi,xz,ic->xc", slopes, features, (inputs @ inputs.mT) ** key, readout)
    return float((network - scale * mixed).abs().max() / network.abs().max())


def _hermite(k: int, at: Tensor) -> Tensor:
    return Activation.hermite([0.0] * k + [1.0]).value(at)


def _derivative(activation: Activation, at: Tensor, order: int) -> Tensor:
    if order == 0:
        return activation.value(at)
    if order == 1:
        return activation.derivative(at)
    at = at.clone().requires_grad_()
    (second,) = torch.autograd.grad(activation.derivative(at).sum(), at)
    return second
