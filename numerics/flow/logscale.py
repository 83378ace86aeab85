"""Gradient flow from any initial scale: log W_KQ in place of W_KQ, and W_OV relative to it.

Serves Theorem 6 of arXiv 2412.06538, whose scale has to be small beyond what floats hold.
With u = W_OV / W_KQ per token: (log W_KQ)' = <u, G> and u' = G - u <u, G>. As G sums to 0 over the
answers, the mean of u over these acts on nothing, and the flow is that of what is left of it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numerics.flow.fields import LARGEST_LOG, program, scales_of
from numerics.flow.log_weights import Kept, LogWeights, check_log_weights, conserved_log
from numerics.flow.population import residual_rows, residual_slopes
from numerics.flow.stepping import (
    MAX_STEPS,
    Flow,
    Progress,
    Sampled,
    check_run,
    follow,
    sample_times,
)
from numerics.flow.world import FlowWorld

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LogTrajectory(Sampled[LogWeights]):
    """Weights along the flow: log_kq (n, Z) and ratio (n, A, Z) at times (n,), and what is kept.

    `finished` and `reason` as in `Trajectory`, and as there a run is continued from `last`.
    """

    world: FlowWorld
    times: Array
    log_kq: Array
    ratio: Array
    kept: Kept
    finished: bool
    reason: str
    rtol: float

    def __getitem__(self, index: int) -> LogWeights:
        return LogWeights(self.log_kq[index], self.ratio[index], self.kept)

    def _onward(self, weights: LogWeights, duration: float) -> "LogTrajectory":
        return integrate_log(self.world, weights, until=duration, samples=2, rtol=self.rtol)


#: W_OV so many times W_KQ shows that this is about to cross 0.
FALLEN = 1e3
#: The largest fall of log W_KQ that rounding leaves right. A column is off its line by 1e-16 to 1e-14
#: of its peak, at most e^25 1e-14 = 1e-3 of what is then left of it. Against exact angles the error of
#: log W_KQ is below 1e-6 at this fall, and passes 1e-3 at falls from 29 on.
LARGEST_FALL = 25.0
#: The largest arrays that a Jacobian may need.
JACOBIAN_LIMIT = 10**7


def _jacobian(world: FlowWorld) -> Callable[[Array], Array]:
    Z, A = world.collapsed_tokens, world.A

    def jacobian(state: Array) -> Array:
        columns = state.reshape(Z, A + 1)
        ratio, scales = columns[:, :A], scales_of(columns)
        theta = scales * ratio
        G = residual_rows(world, theta)
        # dG, by the ratios and the logarithms of all columns.
        by_theta = residual_slopes(world, theta)
        dG = np.empty((Z, A, Z, A + 1))
        np.multiply(by_theta, scales[:, 0, None], out=dG[..., :A])
        dG[..., A] = 2 * np.einsum("zawb,wb->zaw", by_theta, theta)
        growth = np.einsum("za,zawb->zwb", ratio, dG)
        found = np.empty((Z, A + 1, Z, A + 1))
        found[:, :A] = dG - ratio[:, :, None, None] * growth[:, None]
        found[:, A] = growth
        own = np.arange(Z)
        found[own, :A, own, :A] -= ratio[:, :, None] * G[:, None, :]
        found[own, :A, own, :A] -= (ratio * G).sum(1)[:, None, None] * np.eye(A)
        found[own, A, own, :A] += G
        return found.reshape(state.size, state.size)

    return jacobian


def _fault(world: FlowWorld, log_kq: Array) -> Callable[[Array], str | None]:
    """What is not to be trusted of the states after a start with *log_kq*, in their order."""
    peak = log_kq.copy()

    def fault(state: Array) -> str | None:
        columns = state.reshape(world.collapsed_tokens, world.A + 1)
        ratio = np.abs(columns[:, :-1]).max(1)
        if ratio.max() >= FALLEN:
            return f"W_KQ({int(ratio.argmax())}) goes to 0, which has no logarithm: use integrate"
        np.maximum(peak, columns[:, -1], out=peak)
        fall = peak - columns[:, -1]
        z = int(fall.argmax())
        # Two answers leave a column one line alone, so rounding cannot take it off.
        if world.A == 2 or fall[z] <= LARGEST_FALL:
            return None
        return (
            f"log W_KQ({z}) has fallen by {fall[z]:.1f} from its peak, beyond {LARGEST_FALL:g} "
            "rounding turns it: use a larger log_scale"
        )

    return fault


def integrate_log(
    world: FlowWorld,
    weights: LogWeights,
    *,
    until: float,
    start: float = 0.0,
    samples: int | Sequence[float] | Array = 200,
    rtol: float = 1e-10,
    max_steps: int = MAX_STEPS,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> LogTrajectory:
    """The flow from `weights` at time `start` to time `until` > start; arguments as for `integrate`.

    W_KQ cannot reach 0 from the balanced and the equal start; where it does, the run ends and says so.
    rtol bounds the errors of a step in ratio and in log W_KQ, relative to these where they are above 1.
    What is kept is put back after each step. Only by symmetry can a weight that has grown far be pulled
    back along its line; with more than two answers rounding turns it off at a fall of e^37, so the run
    ends, and says so, where log W_KQ is more than LARGEST_FALL below its peak. The peak is that of this
    run: one that continues from a column on its way down counts the fall from there.
    """
    check_log_weights(world, weights)
    check_run(start, until, rtol, time_limit, progress)
    kept = conserved_log(weights)
    centred = weights.ratio - weights.ratio.mean(0)
    state = np.concatenate([centred.T, weights.log_kq[:, None]], axis=1).ravel()
    largest = max(state.size**2, world.S * world.R * world.A**2)
    flow = Flow(
        program().log_field(world),
        rtol,
        rtol,
        jacobian=_jacobian(world) if largest <= JACOBIAN_LIMIT else None,
        project=program().projection(world, *kept.spread),
        fault=_fault(world, weights.log_kq),
    )
    times = sample_times(samples, start, until)
    path = follow(flow, state, times, max_steps, time_limit, progress)
    columns = path.states.reshape(len(path.times), world.collapsed_tokens, world.A + 1)
    log_kq = columns[:, :, -1]
    sign, size = kept.answers
    means = sign * np.exp(np.minimum(size - log_kq, LARGEST_LOG)) / world.A
    found = LogTrajectory(
        world,
        path.times,
        log_kq,
        columns[:, :, :-1].transpose(0, 2, 1) + means[:, None],
        kept,
        *(path.finished, path.reason, rtol),
    )
    return path.kept(found)
