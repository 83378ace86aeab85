"""Linear memories whose inputs are standard basis vectors.

Serves the remarks of Sec. 3.1 of arXiv 2412.06538: with one-hot embeddings of R^d the inputs x and x + d
have one embedding.
"""

from torch import arange, eye, float64

from numerics.decoding import recall
from numerics.memories.linear import LinearMemory
from numerics.random import Stream, sample_sphere


def largest_recalled(d: int, *, seed: int) -> int:
    """The largest N such that e_x = the basis vector x mod d, x < N, with random unit outputs and
    f(x) = x, are all recalled by W = sum_x u_x e_x^T. d >= 1."""
    found = 0
    for N in range(1, 2 * d + 2):
        outputs = sample_sphere(N, max(d, 2), stream=Stream(seed, "one-hot").child(N))
        inputs = eye(max(d, 2), dtype=float64)[arange(N) % d]
        result = recall(LinearMemory(inputs, outputs, arange(N)))
        if result.correct < N:
            break
        found = N
    return found
