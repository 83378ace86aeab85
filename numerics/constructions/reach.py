"""How far the heads of a transformer can move an image or a score: maxima over tokens, in blocks.

Serves the finite temperatures of Theorems 10 and 11 of arXiv 2412.06538 ("a large constant beta").
"""

import torch
from torch import Tensor

from numerics.constructions.weights import Weights
from numerics.rounding import BOUND_SLACK, dot_error_factor, lengths
from numerics.transformer import OneLayerTransformer


def product_error(left: Tensor, right: Tensor, roundings: int, *sizes: Tensor | float) -> Tensor:
    """Bounds (..., H) on the rounding of products of weights (..., H, d_h, d) and vectors no longer than
    `sizes`, numbers or (..., 1).

    gamma_n |L_h|_F |R_h|_F times the sizes, n = `roundings` >= 2 d + d_h or d + d_h as there are two
    vectors or one; and 4 tiny n^(3/2) times 1 + each of these factors, for underflow. float64.
    """
    norms = lengths(left.flatten(-2)), lengths(right.flatten(-2))
    return error_of_sizes(*norms, roundings, *sizes)


def error_of_sizes(left: Tensor, right: Tensor, roundings: int, *sizes: Tensor | float) -> Tensor:
    """`product_error` of weights whose |L_h|_F and |R_h|_F are `left` and `right`, (..., H)."""
    product = left * right
    grown = (1 + left) * (1 + right)
    for size in sizes:
        product, grown = product * size, grown * (1 + size)
    underflow = 4 * torch.finfo(torch.float64).tiny * roundings**1.5
    bound: Tensor = dot_error_factor(roundings, torch.float64) * product + underflow * grown
    return BOUND_SLACK * bound


def largest_scores(
    weights: Weights | OneLayerTransformer,
    vocabulary: Tensor,
    contexts: Tensor,
    block: tuple[int, int],
) -> Tensor:
    """Bounds (H,) on |<b, W_O^T W_V z>| for rows b of `vocabulary` and z of `contexts`, float64.

    The greatest computed value, (W_O b).(W_V z), and its `product_error`.
    """
    found = torch.zeros(len(weights.W_V), dtype=torch.float64, device=vocabulary.device)
    for h in range(len(weights.W_V)):
        W_V, W_O = weights.W_V[h].double(), weights.W_O[h].double()
        for z in torch.split(contexts, block[0]):
            values = W_V @ z.mT
            for b in torch.split(vocabulary, block[1]):
                found[h] = torch.maximum(found[h], ((b @ W_O.mT) @ values).abs().max())
    return _widened(weights, found, vocabulary, contexts)


def largest_images(
    weights: Weights | OneLayerTransformer, contexts: Tensor, block: tuple[int, int]
) -> Tensor:
    """Bounds (H,) on |W_O^T W_V z| for rows z of `contexts`, float64; rounding as above."""
    found = torch.zeros(len(weights.W_V), dtype=torch.float64, device=contexts.device)
    for h in range(len(weights.W_V)):
        W_V, W_O = weights.W_V[h].double(), weights.W_O[h].double()
        for z in torch.split(contexts, block[0]):
            found[h] = torch.maximum(found[h], lengths((z @ W_V.mT) @ W_O).max())
    return _widened(weights, found, contexts)


def _widened(weights: Weights | OneLayerTransformer, found: Tensor, *vectors: Tensor) -> Tensor:
    _, d_h, d = weights.W_V.shape
    roundings = 2 * d + d_h
    sizes = [lengths(rows).max() for rows in vectors]
    error = product_error(weights.W_O, weights.W_V, roundings, *sizes)
    return BOUND_SLACK * found + error
