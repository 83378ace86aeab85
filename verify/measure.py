"""Measured quantities: replicates are added look by look until an interval is narrow enough.

The schedule of looks is fixed (the sample doubles), the error share is split over them, and draws are
shared by all checks that ask for the same experiment at the same sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from verify.context import Context
from verify.statistics import Interval, bounded_mean

#: Replicates at the first look; a multiple of the block in which replicates are drawn.
FIRST_LOOK = 16384
#: Replicates per call of an experiment, to bound memory.
CHUNK = 65536
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
    from numerics import Moments

    key = (experiment.name, tuple(sorted(sizes.items())))
    stored = context.store.setdefault(key, {"moments": {}, "bounds": {}, "done": 0, "looks": []})
    while len(stored["looks"]) < look:
        target = FIRST_LOOK * 2 ** len(stored["looks"])
        while stored["done"] < target:
            step = min(CHUNK, target - stored["done"])
            drawn = experiment.draw(
                replicates=step, seed=context.seed, start=stored["done"], **sizes
            )
            for name, item in drawn.items():
                if not bool(
                    ((item.values >= item.low - 1e-9) & (item.values <= item.high + 1e-9)).all()
                ):
                    raise ValueError(
                        f"{experiment.name}: {name} left [{item.low}, {item.high}] at {dict(sizes)}"
                    )
                stored["moments"].setdefault(name, Moments()).update(item.values)
                stored["bounds"][name] = (item.low, item.high)
            stored["done"] += step
        stored["looks"].append(
            {
                name: _Summary(float(m.mean), float(m.variance), m.count, *stored["bounds"][name])
                for name, m in stored["moments"].items()
            }
        )
    return dict(stored["looks"][look - 1])
