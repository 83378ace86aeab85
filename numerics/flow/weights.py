"""The weights W_OV(a, z) and W_KQ(z), and the points the flow is started from.

Serves Sec. 5 of arXiv 2412.06538: Assumption 2, and the equal weights of Figure 5.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numerics.errors import InputError
from numerics.flow.arguments import check_floats, check_number
from numerics.flow.world import FlowWorld
from numerics.random import Stream

Array = NDArray[np.float64]

#: Below it products of two weights lose their digits.
SMALLEST_SQUARE = 1e-300
#: Far beyond any logit, and its powers within floats.
LARGEST = 1e50
#: The largest scale of a start, so that W_KQ and Gaussian weights stay below LARGEST.
LARGEST_SCALE = 1e40


@dataclass(frozen=True, eq=False)
class Weights:
    """W_OV(a, z) in `ov`, float64 (A, Z), and W_KQ(z) in `kq`, float64 (Z,); Z columns of tokens."""

    ov: Array
    kq: Array

    @property
    def theta(self) -> Array:
        """Theta(a, z) = W_KQ(z) W_OV(a, z): (A, Z)."""
        return self.kq * self.ov


def check_weights(world: FlowWorld, weights: Weights, *, full: bool = False) -> None:
    """Raise InputError unless `weights` are finite float64 arrays with the columns of `world`.

    Sizes are at most 1e50.
    """
    if not isinstance(weights, Weights):
        raise InputError(
            f"weights are of type {type(weights).__name__}: pass Weights(ov, kq), or use the function "
            "for logarithms, as integrate_log"
        )
    columns = world.tokens if full else world.collapsed_tokens
    kind, remedy = ("full", "expand") if full else ("collapsed", "collapse")
    words = f"as {kind} weights of this world have: pass such, from `{remedy}` or a start of this module"
    check_columns("weights.ov", weights.ov, (world.A, columns), words)
    check_columns("weights.kq", weights.kq, (columns,), words)


def check_columns(name: str, found: Array, wanted: tuple[int, ...], words: str) -> None:
    """Raise InputError unless `found` is finite float64 of the shape `wanted` and at most 1e50.

    `words` say what has this shape and where it comes from.
    """
    check_floats(name, found)
    if found.shape != wanted:
        raise InputError(f"{name} has shape {found.shape}, not {wanted}, {words}")
    if not np.isfinite(found).all():
        raise InputError(f"{name} holds a NaN or an infinity: pass finite numbers")
    if np.abs(found).max() > LARGEST:
        raise InputError(f"{name} holds {np.abs(found).max():g}: pass sizes up to {LARGEST:g}")


def _check_scale(scale: float) -> float:
    scale = check_number("scale", scale, f"pass one above 0, up to {LARGEST_SCALE:g}")
    if scale <= 0:
        raise InputError(f"scale = {scale} is no initial scale: pass a number above 0")
    if scale > LARGEST_SCALE:
        raise InputError(f"scale = {scale} is out of reach: pass one up to {LARGEST_SCALE:g}")
    if scale**2 < SMALLEST_SQUARE:
        raise InputError(
            f"scale = {scale} underflows, as its square is below {SMALLEST_SQUARE}: start from "
            "balanced_log(world, log_scale) and use integrate_log"
        )
    return scale


def constant(world: FlowWorld, ov: float, kq: float, *, collapsed: bool = True) -> Weights:
    """All W_OV = ov and all W_KQ = kq, any numbers."""
    columns = world.collapsed_tokens if collapsed else world.tokens
    return Weights(np.full((world.A, columns), ov), np.full(columns, kq))


def balanced(world: FlowWorld, scale: float, *, collapsed: bool = True) -> Weights:
    """Assumption 2: W_OV = scale, W_KQ = scale sqrt(|A| + 1).

    0 < scale <= 1e40, its square not below 1e-300; InputError otherwise.
    """
    scale = _check_scale(scale)
    return constant(world, scale, scale * math.sqrt(world.A + 1), collapsed=collapsed)


def equal(world: FlowWorld, scale: float, *, collapsed: bool = True) -> Weights:
    """All weights equal to `scale`, as in Figure 5; scale as for `balanced`."""
    scale = _check_scale(scale)
    return constant(world, scale, scale, collapsed=collapsed)


def random(world: FlowWorld, scale: float, *, seed: int, full: bool = True) -> Weights:
    """Independent Gaussian weights of standard deviation `scale`, which is as for `balanced`."""
    scale = _check_scale(scale)
    columns = world.tokens if full else world.collapsed_tokens
    draw = Stream(seed, "flow weights").generator().standard_normal((world.A + 1, columns)) * scale
    return Weights(draw[:-1], draw[-1])


def expand(world: FlowWorld, weights: Weights) -> Weights:
    """Collapsed weights with the noise column once for each noise token."""
    check_weights(world, weights)
    facts = world.S + world.R
    columns = np.r_[np.arange(facts), np.full(world.noise, facts), facts + 1]
    return Weights(weights.ov[:, columns], weights.kq[columns])


def collapse(world: FlowWorld, weights: Weights) -> Weights:
    """Full weights with one column for all noise tokens; InputError where these differ.

    Without noise tokens the column that has no effect is W_OV = 0, W_KQ = 1.
    """
    check_weights(world, weights, full=True)
    facts = world.S + world.R
    noise = slice(facts, facts + world.noise)
    ov, kq = weights.ov[:, noise], weights.kq[noise]
    if world.noise == 0:
        ov, kq = np.zeros((world.A, 1)), np.ones(1)
    elif (ov != ov[:, :1]).any() or (kq != kq[0]).any():
        raise InputError(
            "weights of the noise tokens differ, so that no single column stands for them: "
            "use numerics.flow.enumeration, or start them equal"
        )
    return Weights(
        np.concatenate([weights.ov[:, :facts], ov[:, :1], weights.ov[:, -1:]], axis=1),
        np.concatenate([weights.kq[:facts], kq[:1], weights.kq[-1:]]),
    )
