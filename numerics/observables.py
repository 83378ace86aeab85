"""What an experiment hands over: one value a replicate, with what is known of all values beforehand.

The kind decides which confidence interval is valid, so an observable names it where it is computed,
beside the definition that makes it true.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import torch
from torch import Tensor


@dataclass(frozen=True)
class Bounded:
    """Values (replicates,), one a draw, all of them surely in [low, high]."""

    values: Tensor
    low: float
    high: float


@dataclass(frozen=True)
class Event:
    """Whether something happened, (replicates,), one 0 or 1 (or boolean) a draw."""

    values: Tensor


@dataclass(frozen=True)
class HeavyTailed:
    """Values (replicates,), unbounded, with E (X - about)^2 <= second_moment.

    Whoever makes one vouches for the bound; the values can only contradict it.
    """

    values: Tensor
    about: float
    second_moment: float


Observable: TypeAlias = Bounded | Event | HeavyTailed


def rivals(N: int, M: int) -> dict[str, Tensor]:
    """Masks (N, M), on the CPU, of the pairs (x, y) with y != f(x), where f(x) = x: of y "inside" the
    image of f, if N >= 2, and "outside" it, if M > N."""
    y = torch.arange(M, device="cpu")
    different = ~torch.eye(N, M, dtype=torch.bool, device="cpu")
    masks = {"inside": different & (y < N), "outside": different & (y >= N)}
    return {where: mask for where, mask in masks.items() if mask.any()}


def picked(values: Tensor, mask: Tensor) -> Tensor:
    """The entries (replicates, k) of *values* (replicates, N, M) at the k places of a mask on the CPU,
    wherever the values lie: nobody has to wait for them."""
    rows, columns = (index.to(values.device) for index in mask.nonzero(as_tuple=True))
    return values[:, rows, columns]


def averaged_over_rivals(
    functions: Mapping[str, tuple[Tensor, float, float]], N: int, M: int
) -> dict[str, Bounded]:
    """The averages of functions (replicates, N, M), given with their bounds, over `rivals`."""
    return {
        f"{name}.{where}": Bounded(picked(values, mask).mean(dim=1), low, high)
        for where, mask in rivals(N, M).items()
        for name, (values, low, high) in functions.items()
    }
