"""What the benchmarks of the measured road share: the machine they ran on, and the checks they run."""

import os
import platform
from typing import Any

import numpy as np
import torch

from verify.claim import Check, Claim, Registry, Road

#: The group of checks whose draws are cheap.
CHEAP = "linear samples"


def machine() -> dict[str, Any]:
    """Where the numbers of this run come from."""
    return {
        "platform": platform.platform(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "torch": torch.__version__,
    }


def statistical_checks(registry: Registry) -> list[tuple[Claim, Check]]:
    """All checks that decide measured cases, each with its claim."""
    return [
        (claim, check)
        for claim in registry
        for check in registry.checks(claim.id, [Road.NUMERICS])
        if check.cases is not None
    ]


def cheap_checks(registry: Registry) -> list[tuple[Claim, Check]]:
    """Those of true claims whose draws are cheap."""
    return [
        (claim, check)
        for claim, check in statistical_checks(registry)
        if check.group == CHEAP and claim.recorded is not None and claim.recorded.positive
    ]
