"""One way to follow an autonomous flow: sample times, error control, limits, and what is kept.

Serves the plain and the log-scale flows of Sec. 5 of arXiv 2412.06538.
"""

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import DOP853, Radau

from numerics.checks import check_integer
from numerics.errors import InputError, UnfinishedError
from numerics.flow.arguments import check_number, converted

Array = NDArray[np.float64]
Progress = Callable[[float, float], None]
T = TypeVar("T")
W = TypeVar("W")

#: What scipy can keep to: 100 times the spacing of floats at 1.
SMALLEST_RTOL = 2.3e-14
#: With more than this a step is no longer near the flow.
LARGEST_RTOL = 1e-2
#: The largest time.
LATEST = 1e300
#: An interval of fewer spacings of floats has no digits.
FEWEST_SPACINGS = 16
#: More steps than this are a sign that the flow is stiff.
MAX_STEPS = 200_000
#: An explicit method has become too slow where this many of its steps double the time run.
DOUBLING = 3000
#: The entries above which factoring a Jacobian outweighs many explicit steps.
CHEAP_TO_FACTOR = 40


@dataclass(frozen=True, eq=False)
class Path:
    """States (n, m) at times (n,); whether the end was reached, and why it ended."""

    times: Array
    states: Array
    finished: bool
    reason: str

    def kept(self, trajectory: T) -> T:
        """What was made of this path; StoppedByUser with it after Ctrl-C."""
        if self.reason == "interrupted":
            raise StoppedByUser(trajectory, self.times[-1])
        return trajectory


class StoppedByUser(KeyboardInterrupt):
    """Ctrl-C during a flow: `trajectory` holds what is done, and can be continued."""

    def __init__(self, trajectory: object, time: float) -> None:
        super().__init__(f"stopped at t = {time:g}")
        self.trajectory = trajectory


def _check_between(name: str, value: float, low: float, high: float, *, low_too: bool) -> None:
    words = f"pass one {'from' if low_too else 'above'} {low:g}, up to {high:g}"
    found = check_number(name, value, words)
    if found < low or (found == low and not low_too):
        raise InputError(
            f"{name} = {value} is {'below' if low_too else 'not above'} {low:g}: {words}"
        )
    if found > high:
        raise InputError(f"{name} = {value} is above {high:g}: {words}")


def check_run(
    start: float, until: float, rtol: float, time_limit: float | None, progress: Progress | None
) -> None:
    """Raise InputError unless the flow can be run from `start` to `until` like this.

    -1e300 <= start < until <= 1e300, at least 16 spacings of floats apart; 2.3e-14 < rtol <= 1e-2;
    0 < time_limit <= 1e300 or None; progress can be called, or is None.
    """
    _check_between("start", start, -LATEST, LATEST, low_too=True)
    _check_between("until", until, float(start), LATEST, low_too=False)
    start, until = float(start), float(until)
    if until - start < FEWEST_SPACINGS * np.spacing(max(abs(start), abs(until))):
        raise InputError(
            f"until = {until!r} is less than {FEWEST_SPACINGS} spacings of floats above "
            f"start = {start!r}: take start = 0, as the flow is the same at all times"
        )
    _check_between("rtol", rtol, SMALLEST_RTOL, LARGEST_RTOL, low_too=False)
    if time_limit is not None:
        _check_between("time_limit", time_limit, 0.0, LATEST, low_too=False)
    if progress is not None and not callable(progress):
        raise InputError(f"progress = {progress!r} cannot be called: pass a function, or None")


def sample_before(times: Array, time: float) -> int:
    """The index of the last of `times` not after `time`; InputError outside them."""
    time = check_number("time", time, f"pass one in {times[0]}..{times[-1]}")
    if not times[0] <= time <= times[-1]:
        raise InputError(f"time = {time} is outside {times[0]}..{times[-1]}: integrate until then")
    return int(np.searchsorted(times, time, side="right")) - 1


class Sampled(ABC, Generic[W]):
    """A flow at its times (n,): what all trajectories can do with their weights, of the kind W."""

    times: Array
    finished: bool
    reason: str

    @abstractmethod
    def __getitem__(self, index: int) -> W:
        """The weights at a sample."""

    @abstractmethod
    def _onward(self, weights: W, duration: float) -> "Sampled[W]":
        """The same flow from *weights*, followed for *duration* with two samples."""

    def __len__(self) -> int:
        return len(self.times)

    @property
    def weights(self) -> list[W]:
        """The weights at each time."""
        return [self[i] for i in range(len(self))]

    @property
    def last(self) -> W:
        """The weights at the end."""
        return self[-1]

    def whole(self) -> Self:
        """This trajectory, if it came to its end; UnfinishedError, which carries it, otherwise.

        What is concluded from a flow is concluded from a whole one.
        """
        if not self.finished:
            raise UnfinishedError(f"ended at t = {self.times[-1]:g}: {self.reason}", self)
        return self

    def at(self, time: float) -> W:
        """The weights at `time`, by the flow from the sample before; InputError outside the times."""
        before = sample_before(self.times, time)
        if time == self.times[before]:
            return self[before]
        found = self._onward(self[before], float(time) - float(self.times[before]))
        if not found.finished:
            raise InputError(
                f"time = {time} is not reached from the sample before it ({found.reason}): "
                "integrate again with this time among the samples"
            )
        return found.last


def sample_times(samples: int | Sequence[float] | Array, start: float, until: float) -> Array:
    """`samples` times from `start` to `until`, even in log(1 + t - start), or those given.

    Given times rise from start to until, and both ends are added where they are missing. InputError
    otherwise. Far from 0 there may be fewer times, as each is kept once.
    """
    start, until = float(start), float(until)
    if isinstance(samples, int | np.integer):
        check_integer("samples", samples, minimum=2)
        inner = np.linspace(0.0, math.log1p(until - start), samples)[1:-1]
        times = start + np.expm1(inner)
    else:
        times = converted("samples", samples, "pass their number, or rising times")
        rising = times.ndim == 1 and bool((np.diff(times) > 0).all())
        if not rising or not ((times >= start) & (times <= until)).all():
            raise InputError(
                f"samples are not rising times from {start} to {until}: sort them, drop doubles, and "
                "leave out what is beyond"
            )
    inner = times[(times > start) & (times < until)]
    found: Array = np.unique(np.concatenate([[start], inner, [until]]))
    return found


@dataclass(frozen=True, eq=False)
class Flow:
    """state' = field(state), the errors allowed to a step, and what else is known of it.

    jacobian: of the field, for an implicit method where the explicit one becomes slow; without it
    there is none. project: the nearest state that keeps what the flow conserves, taken after each
    step. fault: why a state is not to be trusted, if so. remedy: what to do where steps are too many.
    """

    field: Callable[[Array], Array]
    rtol: float
    atol: float | Array
    jacobian: Callable[[Array], Array] | None = None
    project: Callable[[Array], Array] | None = None
    fault: Callable[[Array], str | None] | None = None
    remedy: str = "raise max_steps, and set a time_limit"

    def solver(
        self, start: float, state: Array, end: float, step: float | None, stiff: bool
    ) -> Any:
        """A solver from `start` to `end`, its first step at most `step`."""
        choices: dict[str, Any] = {"rtol": self.rtol, "atol": self.atol}
        if step is not None:
            choices["first_step"] = min(step, end - start)
        if not stiff:
            return DOP853(lambda _, y: self.field(y), start, state, end, **choices)
        assert self.jacobian is not None
        jacobian = self.jacobian
        return Radau(
            lambda _, y: self.field(y), start, state, end, jac=lambda _, y: jacobian(y), **choices
        )

    def slow(self, step: float, run: float, entries: int) -> bool:
        """Whether an implicit method is there and would be faster than steps like this one."""
        dear = max(1.0, (entries / CHEAP_TO_FACTOR) ** 2)
        return self.jacobian is not None and step * DOUBLING * dear < run


class _Walk:
    """Where the flow has come to, and how it goes on."""

    def __init__(
        self, flow: Flow, state: Array, start: float, max_steps: int, time_limit: float | None
    ) -> None:
        check_integer("max_steps", max_steps, minimum=1)
        self.flow, self.start, self.max_steps = flow, start, max_steps
        self.now, self.state = start, state
        self.deadline = math.inf if time_limit is None else time.monotonic() + time_limit
        self.step: float | None = None
        self.steps, self.stiff = 0, False

    def _limit(self) -> str | None:
        """Why no more steps are to be made, if so; one always is."""
        if self.steps >= self.max_steps:
            return (
                f"stiff: step below {self.step:.1e} after {self.steps} steps, at t = {self.now:g}: "
                f"{self.flow.remedy}"
            )
        return "time limit" if self.steps and time.monotonic() > self.deadline else None

    def to(self, goal: float) -> str | None:
        """Go on to the time `goal`; why it was not reached, if so."""
        flow = self.flow
        solver = flow.solver(self.now, self.state, goal, self.step, self.stiff)
        while solver.status == "running":
            limit = self._limit()
            if limit is not None:
                return limit
            wanted = float(solver.h_abs)
            solver.step()
            if solver.status == "failed":
                return (
                    f"stiff: step below the spacing of floats at t = {self.now:g}: go on from "
                    f"start = 0, or {flow.remedy}"
                )
            fault = None if flow.fault is None else flow.fault(solver.y)
            if fault is not None:
                return f"{fault}, at t = {self.now:g}"
            self.now, self.state, self.step = float(solver.t), solver.y, float(solver.h_abs)
            self.steps += 1
            if flow.project is not None:
                self.state = flow.project(solver.y)
                solver.y, solver.f = self.state, flow.field(self.state)
            if solver.status == "finished":
                # A step cut short at a sample says nothing of how long the next may be.
                self.step = max(wanted, self.step)
            elif not self.stiff and flow.slow(self.step, self.now - self.start, len(self.state)):
                self.stiff = True
                solver = flow.solver(self.now, self.state, goal, self.step, True)
        return None


def follow(
    flow: Flow,
    state: Array,
    times: Array,
    max_steps: int,
    time_limit: float | None,
    progress: Progress | None,
) -> Path:
    """The flow from `state` at times[0], a step ending at each of `times`.

    By DOP853, and from where this is slow by Radau where `flow` allows it. After `time_limit`
    seconds or `max_steps` steps, at a fault, or on Ctrl-C, the path ends early, with the state of
    that moment, before the fault, as its last.
    """
    walk = _Walk(flow, state, float(times[0]), max_steps, time_limit)
    done, states = [walk.now], [walk.state]
    reason: str | None = None
    try:
        # A step tried too far overflows, and is refused.
        with np.errstate(over="ignore", invalid="ignore"):
            for goal in map(float, times[1:]):
                reason = walk.to(goal)
                if reason is not None:
                    break
                done.append(walk.now)
                states.append(walk.state)
                if progress is not None:
                    progress(walk.now, float(times[-1]))
    except KeyboardInterrupt:
        reason = "interrupted"
    if walk.now > done[-1]:
        done.append(walk.now)
        states.append(walk.state)
    return Path(np.array(done), np.array(states), reason is None, reason or "reached")
