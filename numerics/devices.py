"""Choice of the device a measurement runs on, and of the threads it takes.

Serves all measurements: results name the device, and a missing one is an error, not a fallback.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import torch

from numerics.errors import InputError
from numerics.rounding import full_precision_products

#: For a dtype, b such that (1 + 2^-b)^2 has exactly as many bits as fit.
_BITS = {torch.float32: 11, torch.float64: 26}
#: Rows of the matrix that is squared: enough for the kernels of large products.
_SIZE = 256
#: Where Linux says of which version the driver of NVIDIA's cards is.
_DRIVER = Path("/proc/driver/nvidia/version")


def resolve_device(name: str) -> torch.device:
    """The torch device for "cpu", "cuda" or "auto" (cuda where there is one, cpu otherwise).

    Raises InputError for any other name, for "cuda" where no CUDA device is usable, and for a device on
    which a product of known value comes out wrong.
    """
    if not isinstance(name, str) or name not in ("auto", "cpu", "cuda"):
        raise InputError(f"device = {name!r} is unknown: use --device auto, cpu or cuda")
    available = torch.cuda.is_available()
    if name == "cuda" and not available:
        raise InputError("device = 'cuda', but torch finds no CUDA device: use --device cpu")
    device = torch.device("cuda" if available and name != "cpu" else "cpu")
    require_known_products(device)
    return device


def require_known_products(device: torch.device) -> None:
    """InputError for a device that rounds a product otherwise than its dtype does.

    (x I)^2 is asked for, x = 1 + 2^-11 in float32 and 1 + 2^-26 in float64: x^2 has as many bits as the
    dtype, and other ones where factors are cut to TF32 or bfloat16, or a product is put together from
    shorter ones. Every bound on rounding rests on that.
    """
    for dtype, bits in _BITS.items():
        x = 1 + 2.0**-bits
        unit = torch.eye(_SIZE, dtype=dtype, device=device)
        with full_precision_products():
            largest = float(((x * unit) @ (x * unit) - x**2 * unit).abs().max())
        if largest:
            raise InputError(
                f"device = {device.type!r} multiplies {dtype} wrongly: (1 + 2^-{bits})^2 is off by "
                f"{largest:.2g}, as where products are made in TF32 or emulated; turn that off, or use "
                "--device cpu"
            )


def described(device: str | torch.device) -> dict[str, str]:
    """What computes on a device: "card", "driver" and "toolkit"; nothing of the CPU.

    "card": the names of all cards that torch sees, each once, with their number where they are more.
    The driver is "unknown" where the system does not say it.
    """
    if torch.device(device).type != "cuda":
        return {}
    names = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]
    many = {name: names.count(name) for name in names}
    card = ", ".join(name if count == 1 else f"{count} x {name}" for name, count in many.items())
    toolkit = f"ROCm {torch.version.hip}" if torch.version.hip else f"CUDA {torch.version.cuda}"
    return {"card": card, "driver": _driver(), "toolkit": toolkit}


def _driver() -> str:
    try:
        said = _DRIVER.read_text(encoding="utf-8")
    except OSError:
        return "unknown"
    found = re.search(r"\b\d+\.\d+(\.\d+)?\b", said)
    return found.group() if found else "unknown"


def use_card(number: int) -> None:
    """Let "cuda" mean card number `number` in this process, counted round and round."""
    if count := torch.cuda.device_count():
        torch.cuda.set_device(number % count)


@contextmanager
def one_thread() -> Iterator[None]:
    """One thread for torch inside the block: many small products are slower with more."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
