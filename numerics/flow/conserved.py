"""What gradient flow conserves, per token, and how far a trajectory drifts from it.

Serves Sec. 5 of arXiv 2412.06538: Lemma 4 (balance), and sum_a W_OV(a, z), which it does not state.
"""

import numpy as np
from numpy.typing import NDArray

from numerics.flow.descent import Descent
from numerics.flow.integrate import Trajectory
from numerics.flow.weights import Weights, check_weights
from numerics.flow.world import FlowWorld

Array = NDArray[np.float64]


def conserved(world: FlowWorld, weights: Weights, *, full: bool = False) -> dict[str, Array]:
    """Per token: "balance", W_KQ^2 - sum_a W_OV^2, and "answers", sum_a W_OV: each (Z,)."""
    check_weights(world, weights, full=full)
    return _quantities(weights.ov, weights.kq)


def _quantities(ov: Array, kq: Array) -> dict[str, Array]:
    return {"balance": kq**2 - (ov**2).sum(-2), "answers": ov.sum(-2)}


def drift(trajectory: Trajectory | Descent) -> dict[str, float]:
    """The largest change of each conserved quantity over the trajectory and its tokens.

    Steps of descent keep the answers, which are linear, and move the balance with the square of the
    rate.

    The balance is relative to W_KQ^2 + sum_a W_OV^2 at that time, the answers to the root of this
    times |A|.
    """
    found = _quantities(trajectory.ov, trajectory.kq)
    square = trajectory.kq**2 + (trajectory.ov**2).sum(1)
    sizes = {"balance": square, "answers": np.sqrt(square * trajectory.ov.shape[1])}
    changes = {name: np.abs(values - values[0]) for name, values in found.items()}
    # A column of zeros stays so.
    return {
        name: float(
            np.divide(change, sizes[name], out=np.zeros_like(change), where=change > 0).max()
        )
        for name, change in changes.items()
    }
