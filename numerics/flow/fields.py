"""The right sides of both flows, and what puts back what they conserve, as functions of flat states.

Serves the flows of Sec. 5 of arXiv 2412.06538. A state has a row (Z, A + 1) for each token: W_OV and
W_KQ, or u = W_OV / W_KQ and log W_KQ. Here by numpy; `program` gives the faster form where there is one.
"""

import sys
from collections.abc import Callable
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from numerics.compiling import compiled
from numerics.flow.population import residual_rows
from numerics.flow.world import FlowWorld

Array = NDArray[np.float64]
Map = Callable[[Array], Array]

#: The largest Theta that is told from infinity: a step tried too far must not make a NaN.
LARGEST_LOG = 300.0


class Program(Protocol):
    """What a module offers that follows flows."""

    def field(self, world: FlowWorld) -> Map:
        """(W_OV, W_KQ)' = (W_KQ G, <W_OV, G>)."""

    def log_field(self, world: FlowWorld) -> Map:
        """(u, log W_KQ)' = (G - u <u, G>, <u, G>)."""

    def projection(self, world: FlowWorld, sign: Array, size: Array) -> Map:
        """Puts back 1 - |u|^2 = sign e^size / W_KQ^2: into u where it is near 1, else into W_KQ."""


def program() -> Program:
    """The fastest program that is there; both agree to rounding."""
    return cast(Program, compiled("numerics.flow.compiled") or sys.modules[__name__])


def scales_of(columns: Array) -> Array:
    """W_KQ^2 as a column, from logarithms."""
    scales: Array = np.exp(np.minimum(2 * columns[:, -1:], LARGEST_LOG))
    return scales


def field(world: FlowWorld) -> Map:
    """(W_OV, W_KQ)' = (W_KQ G, <W_OV, G>)."""
    Z, A = world.collapsed_tokens, world.A

    def change_of(state: Array) -> Array:
        columns = state.reshape(Z, A + 1)
        ov, kq = columns[:, :A], columns[:, A:]
        G = residual_rows(world, kq * ov)
        change = np.empty((Z, A + 1))
        np.multiply(kq, G, out=change[:, :A])
        np.einsum("za,za->z", ov, G, out=change[:, A])
        return change.ravel()

    return change_of


def log_field(world: FlowWorld) -> Map:
    """(u, log W_KQ)' = (G - u <u, G>, <u, G>)."""
    Z, A = world.collapsed_tokens, world.A

    def change_of(state: Array) -> Array:
        columns = state.reshape(Z, A + 1)
        ratio = columns[:, :A]
        G = residual_rows(world, scales_of(columns) * ratio)
        change = np.empty((Z, A + 1))
        growth = np.einsum("za,za->z", ratio, G, out=change[:, A])
        np.subtract(G, growth[:, None] * ratio, out=change[:, :A])
        return change.ravel()

    return change_of


def projection(world: FlowWorld, sign: Array, size: Array) -> Map:
    """Puts back 1 - |u|^2 = sign e^size / W_KQ^2: into u where it is near 1, else into W_KQ."""

    def project(state: Array) -> Array:
        columns = state.reshape(world.collapsed_tokens, world.A + 1).copy()
        columns[:, :-1] -= columns[:, :-1].mean(1, keepdims=True)
        squared = (columns[:, :-1] ** 2).sum(1)
        with np.errstate(divide="ignore", invalid="ignore"):
            wanted = 1 - sign * np.exp(np.minimum(size - 2 * columns[:, -1], LARGEST_LOG))
            log_kq = 0.5 * (size - np.log(np.abs(1 - squared)))
            near = (np.abs(1 - squared) < 0.5) | (sign == 0)
            fix = near & (wanted > 0) & (squared > 0)
            factor = np.where(fix, np.sqrt(np.where(fix, wanted / squared, 1.0)), 1.0)
        columns[:, :-1] *= factor[:, None]
        columns[:, -1] = np.where(near, columns[:, -1], log_kq)
        return columns.ravel()

    return project
