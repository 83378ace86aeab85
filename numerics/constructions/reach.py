"""How far the heads of a transformer can move an image or a score: maxima over tokens, in blocks.

Serves the finite temperatures of Theorems 10 and 11 of arXiv 2412.06538 ("a large constant beta").
"""

import torch
from torch import Tensor

from numerics.rounding import BOUND_SLACK, dot_error_factor, lengths
from numerics.transformer import OneLayerTransformer

__all__ = ["head_norms", "largest_images", "largest_scores"]


def head_norms(weights: Tensor) -> Tensor:
    """|W|_F of each head, float64 (H,), for weights (H, d_h, d)."""
    return lengths(weights.flatten(1))


def largest_scores(
    transformer: OneLayerTransformer, vocabulary: Tensor, contexts: Tensor, block: tuple[int, int]
) -> Tensor:
    """Bounds (H,) on |<b, W_O^T W_V z>| for rows b of `vocabulary` and z of `contexts`, float64.

    The greatest computed value, (W_O b).(W_V z), and gamma_{2d+d_h} |W_O|_F |W_V|_F |b| |z| for its
    rounding.
    """
    found = torch.zeros(transformer.H, dtype=torch.float64, device=vocabulary.device)
    for h in range(transformer.H):
        W_V, W_O = transformer.W_V[h].double(), transformer.W_O[h].double()
        for z in torch.split(contexts, block[0]):
            values = W_V @ z.mT
            for b in torch.split(vocabulary, block[1]):
                found[h] = torch.maximum(found[h], ((b @ W_O.mT) @ values).abs().max())
    size = lengths(vocabulary).max() * lengths(contexts).max()
    return _widened(transformer, found, size)


def largest_images(
    transformer: OneLayerTransformer, contexts: Tensor, block: tuple[int, int]
) -> Tensor:
    """Bounds (H,) on |W_O^T W_V z| for rows z of `contexts`, float64; rounding as above."""
    found = torch.zeros(transformer.H, dtype=torch.float64, device=contexts.device)
    for h in range(transformer.H):
        W_V, W_O = transformer.W_V[h].double(), transformer.W_O[h].double()
        for z in torch.split(contexts, block[0]):
            found[h] = torch.maximum(found[h], lengths((z @ W_V.mT) @ W_O).max())
    return _widened(transformer, found, lengths(contexts).max())


def _widened(transformer: OneLayerTransformer, found: Tensor, size: Tensor) -> Tensor:
    norms = head_norms(transformer.W_O) * head_norms(transformer.W_V)
    gamma = dot_error_factor(2 * transformer.d + transformer.d_h, torch.float64)
    return BOUND_SLACK * (found + gamma * norms * size)
