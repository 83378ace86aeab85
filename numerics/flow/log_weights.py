"""Weights of any scale: log W_KQ, and W_OV relative to W_KQ; what they predict and their starts.

Serves Theorem 6 of arXiv 2412.06538, whose scale has to be small beyond what floats hold.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numerics.errors import InputError
from numerics.flow.arguments import check_floats, check_number
from numerics.flow.population import Losses, logits, losses_of, residual_rows, softmax
from numerics.flow.weights import SMALLEST_SQUARE, Weights, check_columns
from numerics.flow.world import FlowWorld

Array = NDArray[np.float64]

#: Far beyond any logit, and its exponential within floats.
LARGEST_LOG = 100.0
#: The logarithms of scales: below, their digits no longer hold what W_KQ gains.
SMALLEST_SCALE, LARGEST_SCALE = -1e12, 90.0


@dataclass(frozen=True, eq=False)
class Kept:
    """What the flow conserves per token, each by sign and logarithm of its size, (2, Z).

    answers: sum_a W_OV(a, z). spread: W_KQ^2 - sum_a (W_OV(a, z) - mean_a W_OV(a, z))^2, which is the
    balance of Lemma 4 with the square of the first, divided by |A|, added.
    """

    answers: Array
    spread: Array


@dataclass(frozen=True, eq=False)
class LogWeights:
    """log W_KQ(z), float64 (Z,), and ratio W_OV(a, z) / W_KQ(z), float64 (A, Z); W_KQ > 0.

    `kept` is what rounding loses in the two where W_KQ has grown; found from them if None.
    """

    log_kq: Array
    ratio: Array
    kept: Kept | None = None

    @property
    def theta(self) -> Array:
        """Theta(a, z) = W_KQ(z) W_OV(a, z): (A, Z); 0 where it is below all floats."""
        return np.exp(2 * self.log_kq) * self.ratio

    def weights(self) -> Weights:
        """The weights as such; InputError where their squares underflow."""
        if 2 * float(self.log_kq.min()) < math.log(SMALLEST_SQUARE):
            raise InputError(
                f"log_kq = {self.log_kq.min():g} underflows as a weight: use theta, log_losses and "
                "the other functions of LogWeights"
            )
        kq = np.exp(self.log_kq)
        return Weights(kq * self.ratio, kq)


def _sign_and_log(values: Array, log_unit: Array) -> Array:
    """`values` e^log_unit by sign and logarithm; what is within rounding of 0 is 0."""
    values = np.where(np.abs(values) < 8 * np.finfo(float).eps, 0.0, values)
    with np.errstate(divide="ignore"):
        return np.stack([np.sign(values), log_unit + np.log(np.abs(values))])


def conserved_log(weights: LogWeights) -> Kept:
    """`weights.kept`, or what is found in their place."""
    if weights.kept is not None:
        return weights.kept
    centred = weights.ratio - weights.ratio.mean(0)
    return Kept(
        _sign_and_log(weights.ratio.sum(0), weights.log_kq),
        _sign_and_log(1 - (centred**2).sum(0), 2 * weights.log_kq),
    )


def to_log(weights: Weights) -> LogWeights:
    """The same weights; InputError unless finite float64 with W_KQ > 0, as Corollary 3 has it."""
    check_floats("weights.ov", weights.ov)
    check_floats("weights.kq", weights.kq)
    if weights.ov.ndim != 2 or weights.kq.shape != weights.ov.shape[1:]:
        raise InputError(
            f"weights have the shapes {weights.ov.shape} and {weights.kq.shape}: pass (A, Z) and (Z,)"
        )
    for name, values in (("ov", weights.ov), ("kq", weights.kq)):
        if not np.isfinite(values).all():
            raise InputError(f"weights.{name} holds a NaN or an infinity: pass finite numbers")
    if (weights.kq <= 0).any():
        z = int(np.argmax(weights.kq <= 0))
        raise InputError(f"weights.kq[{z}] = {weights.kq[z]} has no logarithm: start from W_KQ > 0")
    with np.errstate(over="ignore"):
        ratio = weights.ov / weights.kq
    if not np.isfinite(ratio).all():
        raise InputError(
            "weights.ov over weights.kq is beyond all floats: pass a larger weights.kq"
        )
    return LogWeights(np.log(weights.kq), ratio)


def _from_ratio(world: FlowWorld, log_scale: float, squared: int) -> LogWeights:
    """All W_OV = e^log_scale, and W_KQ sqrt(squared) times this."""
    log_scale = check_number("log_scale", log_scale, "pass the log of the scale")
    if not SMALLEST_SCALE <= log_scale <= LARGEST_SCALE:
        raise InputError(
            f"log_scale = {log_scale} is out of reach: pass one in {SMALLEST_SCALE:g}..{LARGEST_SCALE:g}"
        )
    Z = world.collapsed_tokens
    return LogWeights(
        np.full(Z, log_scale + 0.5 * math.log(squared)),
        np.full((world.A, Z), 1 / math.sqrt(squared)),
    )


def balanced_log(world: FlowWorld, log_scale: float) -> LogWeights:
    """Assumption 2 with scale e^log_scale, log_scale in -1e12..90; InputError otherwise."""
    return _from_ratio(world, log_scale, world.A + 1)


def equal_log(world: FlowWorld, log_scale: float) -> LogWeights:
    """All weights e^log_scale, as in Figure 5; log_scale as for `balanced_log`."""
    return _from_ratio(world, log_scale, 1)


def check_log_weights(world: FlowWorld, weights: LogWeights) -> None:
    """Raise InputError unless `weights` are finite float64 arrays with the columns of `world`.

    log_kq is at most 100, other sizes at most 1e50.
    """
    if not isinstance(weights, LogWeights):
        raise InputError(
            f"weights are of type {type(weights).__name__}: pass LogWeights(log_kq, ratio), or "
            "to_log(weights)"
        )
    columns = world.collapsed_tokens
    words = "as LogWeights of this world have: pass such, from `balanced_log` or `to_log`"
    check_columns("weights.log_kq", weights.log_kq, (columns,), words)
    check_columns("weights.ratio", weights.ratio, (world.A, columns), words)
    largest = float(weights.log_kq.max())
    if largest > LARGEST_LOG:
        raise InputError(f"weights.log_kq holds {largest:g}: pass logarithms up to {LARGEST_LOG:g}")
    if weights.kept is not None:
        for name in ("answers", "spread"):
            values = getattr(weights.kept, name)
            check_floats(f"weights.kept.{name}", values)
            if values.shape != (2, columns):
                raise InputError(
                    f"weights.kept.{name} has shape {values.shape}: pass (2, Z), or no kept"
                )
            # A conserved quantity of 0 has the logarithm -inf.
            if np.isnan(values).any() or (values == np.inf).any():
                raise InputError(f"weights.kept.{name} holds a NaN or inf: pass no kept")


def log_predictions(world: FlowWorld, weights: LogWeights) -> Array:
    """p-hat(a | s, r): (S, R, A)."""
    check_log_weights(world, weights)
    return softmax(logits(world, weights.theta))


def log_losses(world: FlowWorld, weights: LogWeights) -> Losses:
    """The three losses of Figure 5."""
    check_log_weights(world, weights)
    return losses_of(world, logits(world, weights.theta))


def log_residuals(world: FlowWorld, weights: LogWeights) -> Array:
    """G(a, z), as `population.residuals` has it: (A, S + R + 2)."""
    check_log_weights(world, weights)
    return residual_rows(world, weights.theta.T).T
