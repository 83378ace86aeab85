"""Linear memories whose weight is trained, in place of the sum of outer products.

Serves Sec. 6 of arXiv 2412.06538: how near a memory that is fitted to its facts comes to Theorem 7.
"""

import torch
from torch import Tensor

from numerics.checks import check_integer
from numerics.memories.linear import LinearMemory, apply_weight
from numerics.rounding import full_precision_products

#: Steps of L-BFGS remember so many gradients.
_REMEMBERED = 10
#: A smaller change of the loss, or a smaller gradient, ends the training.
_SMALLEST_CHANGE, _SMALLEST_GRADIENT = 1e-12, 1e-9


def trained(memory: LinearMemory, *, iterations: int = 300) -> LinearMemory:
    """The facts of `memory` asked of the W that L-BFGS finds from 0 for the mean cross entropy.

    The loss is `cross_entropy`, in float64, with a line search for the strong Wolfe conditions; it is
    convex in W. Where the facts can be recalled its infimum is 0 and attained nowhere, and W grows
    until the loss no longer falls by 1e-12 a step; else it is near its minimum. iterations >= 1,
    at most that many steps; InputError otherwise.
    """
    check_integer("iterations", iterations, minimum=1)
    inputs, outputs = memory.inputs.double(), memory.outputs.double()
    weight = torch.zeros_like(memory.weight, dtype=torch.float64)
    search = torch.optim.LBFGS(
        [weight],
        max_iter=iterations,
        history_size=_REMEMBERED,
        tolerance_grad=_SMALLEST_GRADIENT,
        tolerance_change=_SMALLEST_CHANGE,
        line_search_fn="strong_wolfe",
    )

    def loss() -> float:
        value, weight.grad = cross_entropy(weight, inputs, outputs, memory.association)
        return value

    with full_precision_products():
        search.step(loss)  # type: ignore[no-untyped-call]
    return memory.with_weight(weight.to(memory.weight.dtype))


@torch.no_grad()
def cross_entropy(
    weight: Tensor, inputs: Tensor, outputs: Tensor, association: Tensor
) -> tuple[float, Tensor]:
    """The mean over x of -log p_x(f*(x)), in nats, and its gradient (d, d) in W.

    p_x is the softmax over y of u_y^T W e_x; weight (d, d), inputs (N, d), outputs (M, d), association
    int64 (N,). Source: arXiv 2412.06538, Sec. 6, the loss of Theorem 7 at uniform p.
    """
    scores = apply_weight(weight, inputs) @ outputs.mT
    rows = torch.arange(len(inputs), device=inputs.device)
    logarithms = torch.logsumexp(scores, 1)
    loss = float((logarithms - scores[rows, association]).mean())
    error = torch.exp(scores - logarithms.unsqueeze(1))
    error[rows, association] -= 1
    return loss, outputs.mT @ (error.mT @ inputs) / len(inputs)
