"""Confidence sequences: intervals that hold at all sample sizes at once, whenever one stops.

Each is a mixture over a few rates of nonnegative supermartingales that start at one. By Ville's
inequality such a mixture ever reaches 1/error with probability at most error, so the values at which
it has not reached it are an interval that is valid at every stopping time. Values are folded in as
they come; what is kept is small, and independent of how they were cut into batches up to rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from numbers import Real
from typing import Any, Protocol, Self

from verify.statistics.interval import Interval

#: Rates of a mixture, falling by sqrt(2): one of them is near the best rate at every sample size
#: that a run can afford, and twenty of them cost log 20 on top of log(1/error).
_RATES = tuple(0.9 * 2 ** (-k / 2) for k in range(20))
#: The largest rate times reach, and the rates over the span: an end near its bound takes up to this
#: many times the rates of an end a whole span away. Half of them are for such ends.
_LARGEST, _STEEPEST = 0.9, 64
_STEEP = tuple(_LARGEST * _STEEPEST * 2 ** (-k / 2) for k in range(32))
#: Stakes of the test of a second moment, as fractions of the largest that cannot go broke.
_STAKES = tuple(2.0**-k for k in range(1, 12, 2))
#: How far apart two rates times reaches may be and count as equal.
_SAME = 1e-9
#: How far rounding may carry a value beyond its bounds, as a part of their span.
_ROUNDING = 1e-12


class AssumptionError(ArithmeticError):
    """Values that contradict what was assumed of their law."""


class ConfidenceSequence(Protocol):
    """What is known of a mean after some replicates; immutable."""

    def __hash__(self) -> int: ...

    @property
    def count(self) -> int:
        """Replicates so far."""
        ...

    @property
    def needs(self) -> str:
        """What the interval rests on besides independence, and why that holds."""
        ...

    def extended(self, values: Any) -> Self:
        """With more replicates, an array (n,). Raises ValueError for a value that cannot be."""
        ...

    def interval(self, error: float) -> Interval:
        """The interval, wrong with probability at most *error*, at any number of replicates."""
        ...

    def scaled(self, factor: float, variance: float | None = None) -> Self:
        """As it would stand after *factor* times the replicates, if they go on as they did; or with
        the *variance* given, where it matters."""
        ...


def _require_numbers(given: Mapping[str, Any]) -> None:
    for name, value in given.items():
        if not isinstance(value, Real):
            raise ValueError(f"{name}: {value!r} is no real number; take one, such as 1.0")


@dataclass(frozen=True)
class Epoch:
    """Values number 2^j to 2^(j+1) - 1, counted from 0, which is an epoch of its own; measured from
    the middle of the range: their count, sum, sum of squared distances to *centre*, and the centre,
    which is the mean of all values before, or the middle."""

    count: int
    total: float
    squares: float
    centre: float


@dataclass(frozen=True)
class BoundedMean:
    """Mean of independent values that surely lie in [low, high].

    With c the centre of a value's epoch (fixed before the value is seen), b >= c - low and
    psi(u) = -log(1 - u) - u, the product of exp(r (x - mu) - psi(r b) (x - c)^2/b^2) is a
    supermartingale if r b < 1 (Fan, Grama, Liu 2015, Lemma 4.1; Howard, Ramdas, McAuliffe, Sekhon
    2021, Theorem 4), and bounds the mean from below; its mirror image does from above. A rate r
    that is too large for an epoch sits it out. So the interval adapts to the variance without
    knowing it, and each end pays for the distance to its own bound only.
    """

    low: float
    high: float
    epochs: tuple[Epoch, ...] = ()

    def __post_init__(self) -> None:
        _require_numbers({"low": self.low, "high": self.high})
        if not 0 < self.high - self.low < math.inf:
            raise ValueError(f"low, high: [{self.low}, {self.high}] are no bounds")

    @property
    def needs(self) -> str:
        return f"every value in [{self.low:.6g}, {self.high:.6g}], checked"

    @property
    def count(self) -> int:
        return sum(epoch.count for epoch in self.epochs)

    @property
    def span(self) -> float:
        return self.high - self.low

    @property
    def _middle(self) -> float:
        return (self.low + self.high) / 2

    @property
    def _offset(self) -> float:
        """The mean, from the middle of the range; 0 before the first value."""
        total = math.fsum(epoch.total for epoch in self.epochs)
        return total / self.count if self.count else 0.0

    @property
    def mean(self) -> float:
        return min(max(self._middle + self._offset, self.low), self.high)

    def extended(self, values: Any) -> BoundedMean:
        import numpy as np  # `verify list` need not wait for it

        x = np.asarray(values, dtype=np.float64)
        slack = _ROUNDING * self.span
        inside = (x >= self.low - slack) & (x <= self.high + slack)
        _refuse(x, ~inside, f"[{self.low}, {self.high}]")
        known, offsets = self, x - self._middle
        while len(offsets):
            count, epochs = known.count, list(known.epochs)
            if count.bit_count() <= 1:  # 0 or a power of two: an epoch begins
                epochs.append(Epoch(0, 0.0, 0.0, known._offset))
            room = 2 ** count.bit_length() - count if count else 1
            part, offsets = offsets[:room], offsets[room:]
            last = epochs.pop()
            epochs.append(
                Epoch(
                    last.count + len(part),
                    last.total + float(part.sum()),
                    last.squares + float(((part - last.centre) ** 2).sum()),
                    last.centre,
                )
            )
            known = replace(known, epochs=tuple(epochs))
        return known

    def interval(self, error: float) -> Interval:
        limit = _limit(2, error)
        count, mean = self.count, self.mean
        if not count:
            return Interval(self.low, self.high, mean, 0, error)
        low = max(self._middle - self._crossing(1.0, limit), self.low)
        high = min(self._middle + self._crossing(-1.0, limit), self.high)
        return Interval(min(low, mean), max(high, mean), mean, count, error)

    def _crossing(self, side: float, limit: float) -> float:
        """How far from the middle the end on one side lies, outwards."""
        import numpy as np

        rates = np.array(_STEEP)[:, None] / self.span
        rows = [(e.count, e.total, e.squares, e.centre) for e in self.epochs]
        count, total, squares, centre = np.reshape(rows, (-1, 4)).T
        reach = np.maximum(side * centre + self.span / 2, self.span / _STEEPEST)
        steep = rates * reach
        # From a bound or the middle some steepness is the largest exactly: rounding must not decide.
        playing = steep <= _LARGEST * (1 + _SAME)
        steep = np.where(playing, steep, 0.0)
        price = (-np.log1p(-steep) - steep) / reach**2
        logs = rates[:, 0] * (playing @ (side * total)) - price @ squares
        return _crossing(logs, rates[:, 0] * (playing @ count), limit)

    def scaled(self, factor: float, variance: float | None = None) -> BoundedMean:
        count, mean = self.count, self._offset
        if not count:
            return self
        if variance is None:
            around = math.fsum(
                e.squares + (e.centre - mean) * (2 * e.total - e.count * (e.centre + mean))
                for e in self.epochs
            )
            variance = max(around, 0.0) / count
        more = round(count * factor) - count
        known = self.epochs if more >= 0 else ()
        drawn = more if known else max(round(count * factor), 1)
        return replace(self, epochs=(*known, Epoch(drawn, drawn * mean, drawn * variance, mean)))


@dataclass(frozen=True)
class Probability:
    """Probability of an event from independent draws of it, values 0 and 1.

    The ratio of the likelihood under a Beta(1/2, 1/2) mixture to that under p is a martingale
    under p (Robbins 1970; Howard, Ramdas, McAuliffe, Sekhon 2021, Proposition 7 with a Beta prior).
    """

    count: int = 0
    successes: int = 0

    @property
    def needs(self) -> str:
        return "every value 0 or 1, checked"

    def extended(self, values: Any) -> Probability:
        import numpy as np

        x = np.asarray(values, dtype=np.float64)
        _refuse(x, (x != 0) & (x != 1), "{0, 1}")
        return Probability(self.count + len(x), self.successes + int(np.count_nonzero(x)))

    def interval(self, error: float) -> Interval:
        n, s = self.count, self.successes
        if n == 0:
            return Interval(0.0, 1.0, 0.5, 0, error)
        mixture = _log_beta(s + 0.5, n - s + 0.5) - _log_beta(0.5, 0.5)

        def evidence(p: float) -> float:
            """The logarithm of the martingale at p; convex, least at s/n."""
            lost = math.inf if (p == 0 and s) or (p == 1 and s < n) else 0.0
            likelihood = (s * math.log(p) if s and p else 0.0) + (
                (n - s) * math.log1p(-p) if s < n and p < 1 else 0.0
            )
            return mixture - likelihood + lost

        limit = _limit(1, error)
        return Interval(
            _outermost(evidence, 0.0, s / n, limit),
            _outermost(evidence, 1.0, s / n, limit),
            s / n,
            n,
            error,
        )

    def scaled(self, factor: float, variance: float | None = None) -> Probability:
        return Probability(round(self.count * factor), round(self.successes * factor))


@dataclass(frozen=True)
class HeavyTailedMean:
    """Mean of independent values with E (X - about)^2 <= second_moment, which is tested on them.

    With phi(x) = sign(x) log(1 + |x| + x^2/2), v the bound and a the point, the product of
    exp(phi(r (x_i - a)) - r (mu - a) - r^2 v/2) is a supermartingale for every r (Catoni 2012; Wang
    and Ramdas 2023). The assumption is tested by betting: the product of 1 + s ((x_i - a)^2/v - 1) is
    a nonnegative supermartingale for 0 <= s <= 1 if it holds. Half of the error is the test's, half
    the interval's: where the bets reach 2/error no interval is given.
    """

    about: float
    second_moment: float
    count: int = 0
    pulls: tuple[float, ...] = (0.0,) * len(_RATES)
    capital: tuple[float, ...] = (0.0,) * len(_STAKES)

    def __post_init__(self) -> None:
        _require_numbers({"about": self.about, "second_moment": self.second_moment})
        if not (math.isfinite(self.about) and 0 < self.second_moment < math.inf):
            raise ValueError(
                f"second_moment: {self.second_moment} about {self.about} is no finite bound; without "
                "one no interval for a mean exists. Bound the statistic, condition on part of the "
                "draw, or measure a probability"
            )

    @property
    def needs(self) -> str:
        return f"{self._moment} <= {self.second_moment:.6g}, assumed, and tested"

    @property
    def _moment(self) -> str:
        """What the bound is on, in words."""
        return f"E (X - {self.about:.6g})^2" if self.about else "E X^2"

    def _rates(self) -> list[float]:
        return [r / math.sqrt(self.second_moment) for r in _RATES]

    def extended(self, values: Any) -> HeavyTailedMean:
        import numpy as np

        x = np.asarray(values, dtype=np.float64)
        _refuse(x, ~np.isfinite(x), "the finite numbers")
        away = x - self.about
        # A square that overflows wins every bet: the bound is then given up.
        with np.errstate(over="ignore", invalid="ignore"):
            scaled = [np.abs(rate * away) for rate in self._rates()]
            pulls = [float((np.sign(away) * np.log1p(s + s * s / 2)).sum()) for s in scaled]
            surplus = away**2 / self.second_moment - 1
            won = [float(np.log1p(stake * surplus).sum()) for stake in _STAKES]
        return replace(
            self,
            count=self.count + len(x),
            pulls=tuple(a + b for a, b in zip(self.pulls, pulls, strict=True)),
            capital=tuple(a + b for a, b in zip(self.capital, won, strict=True)),
        )

    def interval(self, error: float) -> Interval:
        """As for all; raises AssumptionError where the values contradict the second moment."""
        if _log_mean_exp(self.capital) >= _limit(2, error):
            raise AssumptionError(
                f"{self.count} values contradict {self._moment} <= {self.second_moment:g}: "
                "the tails are heavier; bound the statistic, condition on part of the draw, or measure "
                "a probability"
            )
        if self.count == 0:
            return Interval(-math.inf, math.inf, self.about, 0, error)
        rates, limit = self._rates(), _limit(4, error)
        spent = [self.count * r * r * self.second_moment / 2 for r in rates]
        ends = [
            _crossing(
                [sign * pull - cost for pull, cost in zip(self.pulls, spent, strict=True)],
                rates,
                limit,
            )
            / self.count
            for sign in (1.0, -1.0)
        ]
        low, high = self.about - ends[0], self.about + ends[1]
        return Interval(low, high, (low + high) / 2, self.count, error)

    def scaled(self, factor: float, variance: float | None = None) -> HeavyTailedMean:
        count = round(self.count * factor)
        grown = count / max(self.count, 1)
        return replace(
            self,
            count=count,
            pulls=tuple(grown * pull for pull in self.pulls),
            capital=tuple(grown * won for won in self.capital),
        )


def to_state(sequence: ConfidenceSequence) -> dict[str, Any]:
    """A checkpoint: a dict that survives JSON unchanged."""
    return {"kind": type(sequence).__name__, **asdict(sequence)}  # type: ignore[call-overload]


def from_state(state: dict[str, Any]) -> ConfidenceSequence:
    """The sequence saved by ``to_state``. Raises ValueError, TypeError or KeyError for garbage."""
    kinds: dict[str, Callable[..., ConfidenceSequence]] = {
        kind.__name__: kind for kind in (BoundedMean, Probability, HeavyTailedMean)
    }
    fields = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in state.items()
        if name != "kind"
    }
    if "epochs" in fields:
        fields["epochs"] = tuple(Epoch(**epoch) for epoch in fields["epochs"])
    return kinds[state["kind"]](**fields)


def _refuse(x: Any, bad: Any, where: str) -> None:
    """Raise ValueError that names the first value which is *bad*; NaN must count as bad."""
    if bad.any():
        first = int(bad.argmax())
        raise ValueError(f"value {x[first]!r} at position {first} is not in {where}")


def _limit(parts: int, error: float) -> float:
    """log(parts/error). Raises ValueError unless 0 < error < 1."""
    if not 0 < error < 1:
        raise ValueError(f"error: {error} is no error probability; take one in (0, 1)")
    return math.log(parts / error)


def _log_mean_exp(logs: Sequence[float]) -> float:
    top = max(logs)
    if top == math.inf:
        return top
    return top + math.log(math.fsum(math.exp(a - top) for a in logs) / len(logs))


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)


def _crossing(logs: Any, rates: Any, limit: float) -> float:
    """Where t -> log mean exp(logs + rates t) reaches *limit*, from above: never short of it.

    Some rate is positive. The function is increasing and convex, so Newton's steps from the right
    stay on the right.
    """
    import numpy as np

    logs, rates = np.asarray(logs), np.asarray(rates)
    goal, grows = limit + math.log(len(rates)), rates > 0
    t = float(((goal - logs[grows]) / rates[grows]).min())
    for _ in range(50):
        values = logs + rates * t
        top = float(values.max())
        weights = np.exp(values - top)
        whole = float(weights.sum())
        excess = top + math.log(whole) - goal
        if excess <= 1e-9:
            break
        t -= excess * whole / float(weights @ rates)
    return t


def _outermost(evidence: Any, edge: float, inner: float, limit: float) -> float:
    """The point from *inner* towards *edge* where *evidence* reaches *limit*, rounded outwards."""
    if evidence(edge) < limit:
        return edge
    for _ in range(60):
        middle = (edge + inner) / 2
        if evidence(middle) < limit:
            inner = middle
        else:
            edge = middle
    return edge
