"""Gradient flow of the collapsed weights, with error control.

Serves Sec. 5 of arXiv 2412.06538: theta' = -grad L(theta), Theorems 5 and 6.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numerics.flow.fields import program
from numerics.flow.stepping import (
    MAX_STEPS,
    Flow,
    Progress,
    Sampled,
    check_run,
    follow,
    sample_times,
)
from numerics.flow.weights import Weights, check_weights
from numerics.flow.world import FlowWorld

Array = NDArray[np.float64]

#: The part of W_KQ^2 by which the balance may be off.
UNBALANCED = 1e-6


@dataclass(frozen=True, eq=False)
class Trajectory(Sampled[Weights]):
    """Weights along the flow: ov (n, A, Z) and kq (n, Z) at times (n,).

    `finished`: whether the time asked for was reached; `reason`: "reached", "time limit",
    "interrupted", "balance lost ...", or "stiff: ..." with the step found and what to do: use
    `integrate_log`, or raise max_steps and set a time_limit. A run that ended early is continued by
    `integrate(world, trajectory.last, start=trajectory.times[-1], until=...)`.
    """

    world: FlowWorld
    times: Array
    ov: Array
    kq: Array
    finished: bool
    reason: str
    rtol: float

    def __getitem__(self, index: int) -> Weights:
        return Weights(self.ov[index], self.kq[index])

    def _onward(self, weights: Weights, duration: float) -> "Trajectory":
        return integrate(self.world, weights, until=duration, samples=2, rtol=self.rtol)


def _fault(world: FlowWorld, weights: Weights) -> Callable[[Array], str | None]:
    balance = weights.kq**2 - (weights.ov**2).sum(0)

    def fault(state: Array) -> str | None:
        columns = state.reshape(world.collapsed_tokens, world.A + 1)
        square = columns[:, -1] ** 2
        ov = columns[:, :-1]
        norm = np.einsum("za,za->z", ov, ov)
        off = np.abs(square - norm - balance) > UNBALANCED * (square + norm)
        if not off.any():
            return None
        return f"balance lost by token {int(np.argmax(off))}: use integrate_log"

    return fault


def integrate(
    world: FlowWorld,
    weights: Weights,
    *,
    until: float,
    start: float = 0.0,
    samples: int | Sequence[float] | Array = 200,
    rtol: float = 1e-10,
    max_steps: int = MAX_STEPS,
    time_limit: float | None = None,
    progress: Progress | None = None,
) -> Trajectory:
    """The flow from collapsed `weights` at time `start` to time `until` > start.

    samples: how many times are kept, from start to until, even in log(1 + t - start), or these times.
    rtol: the relative error allowed to a step, above 2.3e-14, up to 1e-2. After time_limit seconds of
    work or max_steps steps the run ends with what it has. progress(time, until) is called at each
    sample. InputError for an unusable argument. Ctrl-C raises StoppedByUser, a KeyboardInterrupt whose
    `trajectory` can be continued. A run that is continued chooses its steps anew, so it agrees with
    one that was not cut to the errors of steps, not to the last bit.

    What is conserved is left to the error control, and the run ends with the reason "balance lost"
    where W_KQ^2 - |W_OV|^2 is off by more than 1e-6 of W_KQ^2. So it may where a weight that has
    grown from a tiny start falls back to it: rounding has cut that off, and `integrate_log` has not.
    """
    check_weights(world, weights)
    check_run(start, until, rtol, time_limit, progress)
    state = np.concatenate([weights.ov.T, weights.kq[:, None]], axis=1).ravel()
    # An entry that vanishes is as exact as the largest of its column at the start.
    size = np.abs(state.reshape(world.collapsed_tokens, -1)).max(axis=1, keepdims=True)
    atol = np.broadcast_to(rtol * np.maximum(size, 1e-300), (len(size), world.A + 1)).ravel()
    remedy = "use integrate_log, or raise max_steps and set a time_limit"
    flow = Flow(program().field(world), rtol, atol, fault=_fault(world, weights), remedy=remedy)
    times = sample_times(samples, start, until)
    path = follow(flow, state, times, max_steps, time_limit, progress)
    columns = path.states.reshape(len(path.times), world.collapsed_tokens, world.A + 1)
    found = Trajectory(
        world,
        path.times,
        columns[:, :, :-1].transpose(0, 2, 1),
        columns[:, :, -1],
        *(path.finished, path.reason, rtol),
    )
    return path.kept(found)
