"""Streaming moments of measured quantities, mergeable across batches and workers.

Serves the Monte Carlo checks of the paper's means and variances at fixed sizes.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray

from numerics.checks import check_integer, check_kind, check_there, fitting
from numerics.errors import InputError

_SUMS = ("_mean", "_m2", "_m3", "_m4", "_minimum", "_maximum")


class Moments:
    """Count, mean, central moment sums up to order four, minimum and maximum of a sample.

    One statistic (shape ()) or several followed at once (shape (k,)); results have that shape.
    Batches are reduced about their own mean and then merged, so no large squares cancel.
    Source: Chan, Golub, LeVeque 1983; Pebay, Sandia report SAND2008-6212.
    """

    def __init__(self, shape: tuple[int, ...] = ()) -> None:
        if not isinstance(shape, tuple | list):
            raise InputError(
                f"shape = {shape!r} is none: pass a tuple of ints, () for one statistic"
            )
        for axis, size in enumerate(shape):
            check_integer(f"shape[{axis}]", size, minimum=0)
        self.shape = tuple(shape)
        with fitting(f"moments of shape {self.shape}"):
            self._clear()

    def _clear(self) -> None:
        self.count = 0
        self._mean = np.zeros(self.shape)
        self._m2 = np.zeros(self.shape)
        self._m3 = np.zeros(self.shape)
        self._m4 = np.zeros(self.shape)
        self._minimum = np.full(self.shape, np.inf)
        self._maximum = np.full(self.shape, -np.inf)

    @classmethod
    def of(cls, values: ArrayLike | torch.Tensor) -> "Moments":
        """The moments of `values`, (n,) or (n, k), n >= 0.

        Raises InputError, saying how many, where values are NaN or infinite.
        """
        given = values
        if isinstance(values, torch.Tensor):
            check_there("values", values)
            values = values.detach().cpu().numpy()
        try:
            sample = np.asarray(values, dtype=np.float64)
        except (TypeError, ValueError, OverflowError):
            raise InputError(
                f"values of type {type(given).__name__} are not numbers: pass (n,) or (n, k) of them"
            ) from None
        if sample.ndim not in (1, 2):
            raise InputError(f"values have shape {sample.shape}: pass (n,) or (n, k)")
        bad = int(sample.size - np.count_nonzero(np.isfinite(sample)))
        if bad:
            raise InputError(f"{bad} of {sample.size} values are NaN or infinite: exclude them")
        moments = cls(sample.shape[1:])
        if len(sample) == 0:
            return moments
        # The last axis contiguous: numpy then adds pairwise, in error log n instead of n.
        columns = np.ascontiguousarray(sample.T)
        deviation = columns - columns.mean(axis=-1)[..., np.newaxis]
        correction = deviation.mean(axis=-1)
        deviation -= correction[..., np.newaxis]
        square = deviation * deviation
        moments.count = len(sample)
        moments._mean = np.asarray(columns.mean(axis=-1) + correction)
        moments._m2 = np.asarray(square.sum(axis=-1))
        moments._m3 = np.asarray((square * deviation).sum(axis=-1))
        moments._m4 = np.asarray((square * square).sum(axis=-1))
        moments._minimum = np.asarray(columns.min(axis=-1))
        moments._maximum = np.asarray(columns.max(axis=-1))
        return moments

    def update(self, values: ArrayLike | torch.Tensor) -> None:
        """Take `values`, (n,) or (n, k) as this object's shape asks, into these moments."""
        merged = self.merge(Moments.of(values))
        self.count = merged.count
        for name in _SUMS:
            setattr(self, name, getattr(merged, name))

    def merge(self, other: "Moments") -> "Moments":
        """The moments of both samples together, as a new object.

        Raises InputError where the shapes differ.
        """
        check_kind("other", other, Moments, "Moments, Moments.of(values) say")
        if self.shape != other.shape:
            raise InputError(
                f"moments of shape {self.shape} and {other.shape} do not merge: use one shape"
            )
        merged = Moments(self.shape)
        # Python ints, converted late: products of counts overflow 64 bits in long runs.
        p, q = self.count, other.count
        n = p + q
        merged.count = n
        if n == 0:
            return merged
        delta = other._mean - self._mean
        step = delta / n
        merged._mean = np.asarray(self._mean + q * step)
        merged._m2 = np.asarray(self._m2 + other._m2 + delta * step * float(p * q))
        merged._m3 = np.asarray(
            self._m3
            + other._m3
            + delta * step * step * float(p * q * (p - q))
            + 3 * step * (p * other._m2 - q * self._m2)
        )
        merged._m4 = np.asarray(
            self._m4
            + other._m4
            + delta * step * step * step * float(p * q * (p * p - p * q + q * q))
            + 6 * step * step * (float(p * p) * other._m2 + float(q * q) * self._m2)
            + 4 * step * (p * other._m3 - q * self._m3)
        )
        merged._minimum = np.minimum(self._minimum, other._minimum)
        merged._maximum = np.maximum(self._maximum, other._maximum)
        return merged

    def __add__(self, other: "Moments") -> "Moments":
        return self.merge(other)

    def _require(self, least: int, what: str) -> None:
        if self.count < least:
            raise InputError(
                f"count = {self.count} is too small for the {what}: give at least {least} values"
            )

    @property
    def mean(self) -> NDArray[np.float64]:
        """Sample mean; InputError where count = 0, as for the extremes."""
        self._require(1, "mean")
        return self._mean.copy()

    @property
    def minimum(self) -> NDArray[np.float64]:
        """Least value."""
        self._require(1, "minimum")
        return self._minimum.copy()

    @property
    def maximum(self) -> NDArray[np.float64]:
        """Greatest value."""
        self._require(1, "maximum")
        return self._maximum.copy()

    @property
    def variance(self) -> NDArray[np.float64]:
        """Unbiased sample variance; InputError where count < 2."""
        self._require(2, "variance")
        return np.asarray(self._m2 / (self.count - 1))

    @property
    def mean_standard_error(self) -> NDArray[np.float64]:
        """Estimated standard deviation of `mean`; InputError where count < 2."""
        return np.asarray(np.sqrt(self.variance / self.count))

    @property
    def variance_standard_error(self) -> NDArray[np.float64]:
        """Estimated standard deviation of `variance`; InputError where count < 4.

        Var(s^2) = (mu_4 - sigma^4 (n-3)/(n-1)) / n, with sample moments put in and the
        result cut at zero.
        """
        self._require(4, "standard error of the variance")
        n = self.count
        spread = self._m4 / n - self.variance**2 * ((n - 3) / (n - 1))
        return np.asarray(np.sqrt(np.maximum(spread, 0.0) / n))

    @property
    def skewness(self) -> NDArray[np.float64]:
        """m_3 / m_2^(3/2) of the sample (NaN for a constant one); InputError where count < 2."""
        self._require(2, "skewness")
        with np.errstate(invalid="ignore"):
            return np.asarray(np.sqrt(float(self.count)) * self._m3 / self._m2**1.5)

    @property
    def kurtosis(self) -> NDArray[np.float64]:
        """m_4 / m_2^2 of the sample, 3 for a normal law (NaN for a constant sample); count >= 2."""
        self._require(2, "kurtosis")
        with np.errstate(invalid="ignore"):
            return np.asarray(self.count * self._m4 / self._m2**2)

    def state(self) -> dict[str, Any]:
        """A checkpoint: a dict of ints, floats and lists that survives JSON unchanged."""
        state: dict[str, Any] = {"shape": list(self.shape), "count": self.count}
        if self.count:  # An empty sample has infinite extremes, which strict JSON lacks.
            state |= {name.lstrip("_"): getattr(self, name).tolist() for name in _SUMS}
        return state

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> "Moments":
        """The moments saved by `state`; InputError where an entry is missing or misshapen."""
        check_kind("the checkpoint", state, Mapping, "one written by Moments.state")
        names = [name.lstrip("_") for name in _SUMS]
        needed = ["shape", "count"] + (names if state.get("count") else [])
        missing = [name for name in needed if name not in state]
        if missing:
            raise InputError(f"the checkpoint lacks {missing}: use one written by Moments.state")
        check_integer("checkpoint count", state["count"], minimum=0)
        moments = cls(state["shape"])
        moments.count = state["count"]
        for name in names if moments.count else []:
            try:
                value = np.asarray(state[name], dtype=np.float64)
            except (TypeError, ValueError):
                value = np.full(moments.shape, np.nan)
            if value.shape != moments.shape or not np.isfinite(value).all():
                raise InputError(
                    f"checkpoint entry {name} = {state[name]} is not {moments.shape} finite "
                    "numbers: use one written by Moments.state"
                )
            setattr(moments, f"_{name}", value)
        return moments
