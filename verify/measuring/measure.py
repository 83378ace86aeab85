"""Measurements: replicates are added look by look, and shared by all checks that name an experiment.

The schedule of looks is fixed, so a check sees the same numbers whatever else runs; it may stop at
any of them, since the intervals hold at all looks at once.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, TypeAlias

from verify.measuring.context import Context
from verify.measuring.draws import Call, Drawing, Drawn
from verify.statistics import (
    BoundedMean,
    ConfidenceSequence,
    HeavyTailedMean,
    Interval,
    Probability,
)

if TYPE_CHECKING:
    from numerics import Moments
    from numerics.observables import Observable

Sizes: TypeAlias = Mapping[str, int]

#: Replicates at the first look, and the unit of all later ones, unless an experiment says otherwise.
BLOCK = 256
#: Replicates that the quick profile affords, unless an experiment says otherwise.
AFFORDED = 2**21
#: So many values at the start of a call tell it from the first call.
_OPENING = 8
#: Each look adds this part of what there is.
_GROWTH = 5
#: Replicates per call of an experiment, to bound memory, unless it says otherwise.
CHUNK = 32768


@dataclass(frozen=True)
class Experiment:
    """A function of (replicates, seed, start, **sizes) to named observables.

    Draws are shared by name and function: two that differ in their arguments need two names.

    ``start`` is always a multiple of *block*; *afforded* is what the quick profile may draw, *chunk*
    what one call may be asked for. *small*: a replicate is so small that one thread is fastest.
    *placed*: it is told by its own arguments where to draw; if not, it is drawn where the run is.
    """

    name: str
    draw: Callable[..., Mapping[str, Observable]]
    block: int = BLOCK
    afforded: int = AFFORDED
    chunk: int = CHUNK
    small: bool = True
    placed: bool = False

    def __post_init__(self) -> None:
        for name in ("block", "afforded", "chunk"):
            if getattr(self, name) < 1:
                raise ValueError(
                    f"{name}: {getattr(self, name)} of experiment {self.name!r} draws nothing; "
                    "take at least 1"
                )


@dataclass(frozen=True)
class Source:
    """One observable of an experiment at given sizes.

    *variance*: the exact one of the observable, where it is known. It plans, it never certifies.
    """

    experiment: Experiment
    observable: str
    sizes: Sizes
    variance: Callable[[], Fraction] | None = None

    @property
    def key(self) -> tuple[Any, ...]:
        """What the draws are shared by: the name, the function that draws, the block and the sizes."""
        draw = self.experiment.draw
        function = draw.func if isinstance(draw, partial) else draw
        origin = f"{function.__module__}.{getattr(function, '__qualname__', '')}"
        place = (self.experiment.name, origin, self.experiment.block)
        return ("sample", *place, *sorted(self.sizes.items()))


def single(*intervals: Interval) -> Interval:
    """The interval of one observable as it stands."""
    (interval,) = intervals
    return interval


@dataclass(frozen=True)
class Statistic:
    """A measured number: some observables, and the interval that theirs give."""

    sources: tuple[Source, ...]
    combine: Callable[..., Interval] = single

    @classmethod
    def of(cls, experiment: Experiment, observable: str, sizes: Sizes) -> Statistic:
        """One observable of an experiment at given sizes."""
        return cls((Source(experiment, observable, sizes),))


@dataclass(frozen=True)
class View:
    """What is known at look 1, 2, ..., each statistic wrong with probability at most *error*.

    *scale* projects, for a plan: what would be known after that many times the replicates, from
    the exact variance where it is known.
    """

    context: Context
    error: float
    look: int
    scale: float | None = None

    def interval(self, statistic: Statistic) -> Interval:
        """The interval for *statistic*.

        Raises ValueError for a value that cannot be (NaN, or out of its bounds), with its
        replicate, and AssumptionError for values that contradict a bound on their moments.
        """
        part = self.error / len(statistic.sources)
        return statistic.combine(
            *(
                _interval(self._sequence(source), part, self._rounding(source))
                for source in statistic.sources
            )
        )

    def _rounding(self, source: Source) -> float:
        """How far rounding may have moved a value, and so the mean."""
        known = sampled(self.context, source, self.look).errors_at[self.look - 1]
        return known.get(source.observable, 0.0)

    def _sequence(self, source: Source) -> ConfidenceSequence:
        known = sampled(self.context, source, self.look).looks[self.look - 1]
        if source.observable not in known:
            raise ValueError(
                f"{source.experiment.name}: there is no observable {source.observable!r}; it draws "
                f"{', '.join(known) or 'none'}"
            )
        sequence = known[source.observable]
        if self.scale is None:
            return sequence
        variance = None if source.variance is None else float(source.variance())
        return sequence.scaled(self.scale, variance)


@lru_cache(maxsize=2**12)
def _interval(sequence: ConfidenceSequence, error: float, rounding: float) -> Interval:
    """What is known after so many draws; the mutants of a statement look at the same ones."""
    found = sequence.interval(error)
    if not rounding:
        return found
    low, high = (found.low - rounding, -math.inf), (found.high + rounding, math.inf)
    return replace(found, low=math.nextafter(*low), high=math.nextafter(*high))


@dataclass(frozen=True)
class Sample:
    """What has been drawn of an experiment at given sizes: an interval's state and the moments, now
    and at every look.

    The moments are for the reader; they judge nothing. *errors*: how far rounding may have moved a
    value, by observable, none where the CPU alone has drawn. *openings*: the first values, which no
    later call may begin with. Extended by whole calls only, so a check that is stopped in one leaves
    the sample as it was.
    """

    replicates: int = 0
    sequences: Mapping[str, ConfidenceSequence] = field(default_factory=dict)
    moments: Mapping[str, Moments] = field(default_factory=dict)
    errors: Mapping[str, float] = field(default_factory=dict)
    looks: tuple[Mapping[str, ConfidenceSequence], ...] = ()
    errors_at: tuple[Mapping[str, float], ...] = ()
    moments_at: tuple[Mapping[str, Moments], ...] = ()
    openings: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    seconds: float = 0.0


def looks(context: Context, statistic: Statistic) -> range:
    """The looks at *statistic* that the profile affords; at least one."""
    most = min(_last_look(context, source.experiment) for source in statistic.sources)
    return range(1, most + 1)


def replicates_at(experiment: Experiment, look: int) -> int:
    """How many replicates look 1, 2, ... has."""
    blocks = 1
    for _ in range(look - 1):
        blocks += -(-blocks // _GROWTH)
    return blocks * experiment.block


def _last_look(context: Context, experiment: Experiment) -> int:
    afforded = experiment.afforded * context.profile.effort
    look = 1
    while replicates_at(experiment, look + 1) <= afforded:
        look += 1
    return look


def sampled(context: Context, source: Source, look: int) -> Sample:
    """The sample that *source* is part of, drawn at least to *look*."""
    sample: Sample = context.store.get(source.key) or context.kept.load(source.key) or Sample()
    while len(sample.looks) < look:
        target = replicates_at(source.experiment, len(sample.looks) + 1)
        while sample.replicates < target:
            sample = _extended(sample, source, context)
            if sample.replicates < target:
                _keep(context, source, sample)
        sample = replace(
            sample,
            looks=(*sample.looks, sample.sequences),
            errors_at=(*sample.errors_at, sample.errors),
            moments_at=(*sample.moments_at, sample.moments),
        )
        _keep(context, source, sample)
    context.store[source.key] = sample
    return sample


def _keep(context: Context, source: Source, sample: Sample) -> None:
    """For the other checks of this run, and for the next run if this one is interrupted."""
    context.store[source.key] = sample
    context.kept.save(source.key, sample)


def _calls(experiment: Experiment, sample: Sample, last: int) -> Iterator[Call]:
    """The calls that extend *sample* to a look, each within one look and one chunk."""
    most = max(experiment.chunk // experiment.block, 1) * experiment.block
    start = sample.replicates
    for look in range(len(sample.looks) + 1, last + 1):
        target = replicates_at(experiment, look)
        while start < target:
            call = Call(start, min(most, target - start))
            yield call
            start += call.replicates


def _next(sample: Sample, source: Source, context: Context) -> Drawn:
    """What the next call gives; those after it, to the last look of the profile, may be under way."""
    experiment = source.experiment
    at, ahead = context.under_way.pop(source.key, (-1, None))
    found = next(ahead, None) if ahead and at == sample.replicates else None
    if ahead is None or found is None:
        where = "cpu" if experiment.placed else context.device
        drawing = Drawing(
            experiment.draw, context.seed, dict(source.sizes), experiment.small, where
        )
        last = max(len(sample.looks) + 1, _last_look(context, experiment))
        ahead = context.draws.drawn(drawing, _calls(experiment, sample, last))
        found = next(ahead)
    if found.call.start != sample.replicates:
        raise ArithmeticError(
            f"{source.experiment.name}: replicates from {found.call.start} on came where those from "
            f"{sample.replicates} on are next; draw each once, in their order"
        )
    context.under_way[source.key] = sample.replicates + found.call.replicates, ahead
    return found


def _extended(sample: Sample, source: Source, context: Context) -> Sample:
    """The sample with the replicates of one call more."""
    from numerics import Moments  # torch only where something is measured

    name, at = source.experiment.name, dict(source.sizes)
    place = f"seed {context.seed}, replicates from {sample.replicates}"
    (_, step), drawn, seconds, off = _next(sample, source, context)
    began = time.perf_counter()
    if not isinstance(drawn, Mapping):
        raise ValueError(
            f"{name}: a draw at {at} gave a {type(drawn).__name__}; return observables by name"
        )
    if sample.sequences and set(drawn) != set(sample.sequences):
        raise ValueError(
            f"{name}: observables {sorted(drawn)} at {at}, {place}, after "
            f"{sorted(sample.sequences)}; return the same ones at every call"
        )
    sequences, moments, openings, errors = {}, {}, {}, dict(sample.errors)
    for key, observable in drawn.items():
        values = observable.values
        if tuple(values.shape) != (step,):
            raise ValueError(
                f"{name}: {key} at {at} has shape {tuple(values.shape)} for {step} replicates, "
                f"{place}; return one value a replicate"
            )
        empty = _empty(observable)
        known = sample.sequences.get(key, empty)
        if known.needs != empty.needs:
            raise ValueError(
                f"{name}: {key} at {at}, {place}, rests on {empty.needs} and did on {known.needs}; "
                "declare the same at every call"
            )
        numbers = values.detach().cpu().numpy()
        opening = tuple(float(number) for number in numbers[:_OPENING])
        if sample.openings.get(key) == opening and len(set(opening)) == _OPENING:
            raise ValueError(
                f"{name}: {key} at {at}, {place}, begins as replicate 0 did; replicates must be "
                "independent: let `start` decide what is drawn"
            )
        openings[key] = sample.openings.get(key, opening)
        if key in off:
            errors[key] = max(off[key], errors.get(key, 0.0))
        try:
            sequences[key] = known.extended(numbers)
            moments[key] = sample.moments.get(key, Moments()) + Moments.of(values)
        except ValueError as error:
            raise ValueError(f"{name}: {key} at {at}, {place}: {error}") from None
    return replace(
        sample,
        replicates=sample.replicates + step,
        sequences=sequences,
        moments=moments,
        errors=errors,
        openings=openings,
        seconds=sample.seconds + seconds + time.perf_counter() - began,
    )


def _empty(observable: Observable) -> ConfidenceSequence:
    """The interval that the kind of the observable calls for."""
    from numerics.observables import Bounded, Event

    if isinstance(observable, Bounded):
        return BoundedMean(observable.low, observable.high)
    if isinstance(observable, Event):
        return Probability()
    return HeavyTailedMean(observable.about, observable.second_moment)
