"""Choice of the device a measurement runs on.

Serves all measurements: results name the device, and a missing one is an error, not a fallback.
"""

import torch

from numerics.errors import InputError

__all__ = ["resolve_device"]


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
