"""Choice of the device a measurement runs on, and of the threads it takes.

Serves all measurements: results name the device, and a missing one is an error, not a fallback.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from numerics.errors import InputError


def resolve_device(name: str) -> torch.device:
    """The torch device for "cpu", "cuda" or "auto" (cuda where there is one, cpu otherwise).

    Raises InputError for any other name, and for "cuda" where no CUDA device is usable.
    """
    if name not in ("auto", "cpu", "cuda"):
        raise InputError(f"device = {name!r} is unknown: use --device auto, cpu or cuda")
    available = torch.cuda.is_available()
    if name == "cuda" and not available:
        raise InputError("device = 'cuda', but torch finds no CUDA device: use --device cpu")
    return torch.device("cuda" if available and name != "cpu" else "cpu")


@contextmanager
def one_thread() -> Iterator[None]:
    """One thread for torch inside the block: many small products are slower with more."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
