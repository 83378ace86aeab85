"""What those who draw say of their tensors, where someone follows what is computed with them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from torch import Tensor

from numerics.certified.known import Known

#: The name under which a tensor holds what is known of it.
KNOWN = "_numerics_known"
#: Who follows, the last one now; None for nobody.
AT_WORK: list[Any] = [None]


@contextmanager
def unfollowed() -> Iterator[None]:
    """What is computed inside is the same bits on every device, and is not followed."""
    AT_WORK.append(None)
    try:
        yield
    finally:
        AT_WORK.pop()


def given(like: Tensor, *values: Tensor) -> tuple[Tensor, ...]:
    """Numbers of the program that the CPU made of nothing drawn, on the device of another tensor."""
    with unfollowed():
        placed = tuple(part.to(like.device) for part in values)
        if any(AT_WORK):
            for part, there in zip(values, placed, strict=True):
                setattr(there, KNOWN, Known(float(part.abs().max())))
    return placed


def drawn(values: Tensor, bound: float, norm: float = math.inf) -> Tensor:
    """*values* that are the same bits on every device: at most *bound* in absolute value, and with
    2-norms of at most *norm* along the last dimension."""
    if any(AT_WORK):
        norms = (math.inf,) * (values.dim() - 1) + (norm,)
        setattr(values, KNOWN, Known(bound, 0.0, norms))
    return values
