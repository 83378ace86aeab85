"""Linear memories with two outputs: can any weight at all recall the facts?

Serves Sec. 3.1 of arXiv 2412.06538 (on maps that are not injective): with M = 2 the question is
whether a plane through 0 cuts the inputs as f says, which linear programming decides.
"""

import numpy as np
from scipy.optimize import linprog
from torch import float64, tensor

from numerics.checks import check_integer
from numerics.observables import Event
from numerics.random import Stream, replicate_spheres


def two_output_recall(
    d: int, N: int, replicates: int, *, seed: int, start: int = 0, name: str = "two-outputs"
) -> Event:
    """Whether some W recalls N uniform inputs in R^d with f(x) = x mod 2, in each of `replicates` draws.

    W recalls iff w = W^T (u_0 - u_1) has s_x <w, e_x> > 0 for all x, s_x = +-1: the program asks for
    s_x <w, e_x> >= 1. d, N >= 1, replicates, start >= 0; InputError otherwise, and ArithmeticError where
    the program is not solved.
    """
    check_integer("N", N, minimum=1)
    signs = np.where(np.arange(N) % 2, -1.0, 1.0)
    inputs = replicate_spheres(replicates, N, d, stream=Stream(seed, name), start=start)
    found = []
    for vectors in inputs.numpy():
        rows = -signs[:, None] * vectors
        result = linprog(np.zeros(d), A_ub=rows, b_ub=-np.ones(N), bounds=[(None, None)] * d)
        if result.status not in (0, 2):
            raise ArithmeticError(f"the linear program at d = {d}, N = {N}: {result.message}")
        found.append(result.status == 0)
    return Event(tensor(found, dtype=float64))
