"""One gradient step on the correlation loss, by automatic differentiation.

Serves Sec. 3.1 of arXiv 2412.06538 (after Theorem 1): L = -sum_x u_{f(x)}^T W e_x, in W, or in U for
W = U V^T with V fixed.
"""

import torch
from torch import Tensor, arange

from numerics.memories.linear import outer_product_weight
from numerics.memories.low_rank import LowRankMemory
from numerics.random import Stream, sample_gaussian, sample_sphere


def step_deviation(factor: float, *, factored: bool, seed: int) -> float:
    """The largest entry of (W after one step)/eta - factor * (the construction), over the largest of it.

    d = 7, N = 5, M = 6, m = 3, f(x) = x, start at 0, step size eta = 1/8, float64.
    """
    d, N, M, m, eta = 7, 5, 6, 3, 0.125
    stream = Stream(seed, "correlation-loss")
    inputs = sample_sphere(N, d, stream=stream.child("inputs"))
    outputs = sample_sphere(M, d, stream=stream.child("outputs"))
    factors = sample_gaussian(d, m, stream=stream.child("factors"))
    association = arange(N)

    def loss(weight: Tensor) -> Tensor:
        return -(outputs[association] * (inputs @ weight.mT)).sum()

    trained = torch.zeros(d, m if factored else d, dtype=torch.float64, requires_grad=True)
    (gradient,) = torch.autograd.grad(loss(trained @ factors.mT if factored else trained), trained)
    step = -gradient * eta
    moved = step @ factors.mT if factored else step
    if factored:
        wanted = LowRankMemory(inputs, outputs, association, factors).weight
    else:
        wanted = outer_product_weight(inputs, outputs, association)
    return float((moved / eta - factor * wanted).abs().max() / wanted.abs().max())
