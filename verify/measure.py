"""Measured quantities: replicates are added look by look until an interval is narrow enough.

The schedule of looks is fixed (the sample doubles), the error share is split over them, and draws are
shared by all checks that ask for the same experiment at the same sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from verify.context import Context
from verify.statistics import Interval, bounded_mean

#: Replicates at the first look; a multiple of the block in which replicates are drawn.
FIRST_LOOK = 16384
#: Replicates per call of an experiment, to bound memory.
CHUNK = 65536
#: How far rounding may carry a value beyond its bounds.
_ROUNDING = 1e-9
#: Looks in the quick profile; each more doubles the sample.
QUICK_LOOKS = 8


@dataclass(frozen=True)
class Experiment:
    """A function of (replicates, seed, start, **sizes) to named observables with their bounds."""

    name: str
    draw: Callable[..., Mapping[str, Any]]


@dataclass(frozen=True)
class _Summary:
    mean: float
    variance: float
    replicates: int
    low: float
    high: float


@dataclass(frozen=True)
class _Sample:
    """What has been drawn at given sizes. Extended by whole chunks only: a check that is stopped in
    the middle of one leaves the sample as it was."""

    replicates: int = 0
    moments: Mapping[str, Any] = field(default_factory=dict)
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    looks: list[dict[str, _Summary]] = field(default_factory=list)

    def extended(
        self, name: str, sizes: Mapping[str, int], drawn: Mapping[str, Any], step: int
    ) -> _Sample:
        """A new sample with one chunk more. ValueError if a value leaves its stated bounds."""
        from numerics import Moments  # torch is loaded only where something is measured

        moments = {}
        for key, item in drawn.items():
            inside = (item.values >= item.low - _ROUNDING) & (item.values <= item.high + _ROUNDING)
            if not bool(inside.all()):
                raise ValueError(
                    f"{name}: {key} left its bounds [{item.low}, {item.high}] at {dict(sizes)}"
                )
            chunk = Moments.of(item.values)
            moments[key] = self.moments[key] + chunk if key in self.moments else chunk
        bounds = {key: (item.low, item.high) for key, item in drawn.items()}
        return _Sample(self.replicates + step, moments, bounds, self.looks)

    def summary(self) -> dict[str, _Summary]:
        return {
            key: _Summary(float(m.mean), float(m.variance), m.count, *self.bounds[key])
            for key, m in self.moments.items()
        }


def interval_at(
    context: Context,
    experiment: Experiment,
    observable: str,
    sizes: Mapping[str, int],
    error: float,
    look: int,
) -> Interval:
    """The interval for the mean of an observable at look 1, 2, ...; look k has 2^(k-1) first looks.

    Raises ValueError if a value lies outside its stated bounds (which include NaN).
    """
    summary = _summaries(context, experiment, sizes, look)[observable]
    return bounded_mean(
        summary.mean,
        summary.variance,
        summary.replicates,
        summary.high - summary.low,
        error,
        look,
    )


def looks(context: Context) -> range:
    """The looks that the profile affords."""
    return range(1, QUICK_LOOKS + 1 + (context.profile.effort.bit_length() - 1) // 2)


def _summaries(
    context: Context, experiment: Experiment, sizes: Mapping[str, int], look: int
) -> dict[str, _Summary]:
    key = (experiment.name, tuple(sorted(sizes.items())))
    sample: _Sample = context.store.setdefault(key, _Sample())
    while len(sample.looks) < look:
        target = FIRST_LOOK * 2 ** len(sample.looks)
        while sample.replicates < target:
            step = min(CHUNK, target - sample.replicates)
            drawn = experiment.draw(
                replicates=step, seed=context.seed, start=sample.replicates, **sizes
            )
            sample = sample.extended(experiment.name, sizes, drawn, step)
            context.store[key] = sample
        sample.looks.append(sample.summary())
    return sample.looks[look - 1]
