"""All maps that linear memories with few levels a weight recall, by going through every weight.

Serves Sec. 6 of arXiv 2412.06538 (Theorem 7): what a number of bits can tell apart.
"""

import itertools

import torch
from torch import Tensor, float64

from numerics.checks import check_integer
from numerics.errors import InputError
from numerics.random import Stream, sample_sphere

#: So many weights are gone through, and scores closer than this are a tie.
_MOST_WEIGHTS, _TIE = 2**20, 1e-12
#: Weights whose scores are held at once.
_AT_ONCE = 4096


def recalled_maps(bits: int, inputs: Tensor, outputs: Tensor) -> int:
    """How many maps f: [N] -> [M] some W recalls in full, its entries odd, less than 2^bits in size.

    x is recalled where u_f(x)^T W e_x exceeds u_y^T W e_x for all y != f(x); at most one map is by one
    W, and none where there is a tie. inputs (N, d), outputs (M, d) float64, bits >= 1, and at most
    2^20 weights; InputError otherwise.
    """
    check_integer("bits", bits, minimum=1)
    d = inputs.shape[1]
    if bits * d**2 > _MOST_WEIGHTS.bit_length() - 1:
        raise InputError(f"bits = {bits} at d = {d} make 2^{bits * d**2} weights: at most 2^20")
    if len(outputs) == 1:
        return 1
    levels = range(1 - 2**bits, 2**bits, 2)
    found: set[tuple[int, ...]] = set()
    weights = itertools.product(levels, repeat=d**2)
    while block := list(itertools.islice(weights, _AT_ONCE)):
        weight = torch.tensor(block, dtype=float64).view(-1, d, d)
        scores = inputs @ weight.mT @ outputs.mT
        best, winner = scores.topk(2, dim=2)
        clear = (best[..., 0] - best[..., 1] > _TIE).all(dim=1)
        found.update(map(tuple, winner[clear][..., 0].tolist()))
    return len(found)


def aligned_embeddings(d: int, bits: int) -> tuple[Tensor, Tensor]:
    """The standard basis as inputs, and as outputs all directions that a column of W can have.

    A column of W is W e_x, so that its own direction has the greatest score. float64 (d, d) and (M, d),
    unit rows, M = 2^d for one bit.
    """
    levels = torch.tensor(range(1 - 2**bits, 2**bits, 2))
    columns = torch.cartesian_prod(*[levels] * d).view(-1, d)
    divisor = columns[:, :1].abs()
    for place in range(1, d):
        divisor = torch.gcd(divisor, columns[:, place : place + 1])
    directions = torch.unique(columns // divisor, dim=0).to(float64)
    return torch.eye(d, dtype=float64), directions / directions.norm(dim=1, keepdim=True)


def random_embeddings(d: int, N: int, M: int, *, seed: int) -> tuple[Tensor, Tensor]:
    """Uniform unit inputs (N, d) and outputs (M, d)."""
    stream = Stream(seed, "recalled-maps")
    return (
        sample_sphere(N, d, stream=stream.child("inputs")),
        sample_sphere(M, d, stream=stream.child("outputs")),
    )
