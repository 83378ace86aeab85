"""How long a user waits: imports, `verify list`, and a whole quick `verify`, as ratios in one run.

Every figure is a fresh process; the unit of the ratios is a bare interpreter that imports SymPy.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

UNIT = "python: import sympy"

COMMANDS = {
    UNIT: ["-c", "import sympy"],
    "python: import proofs.memories.linear": ["-c", "import proofs.memories.linear"],
    "python: import verify": ["-c", "import verify"],
    "verify list": ["-m", "verify", "list"],
    "verify show nichani.thm1.tail": ["-m", "verify", "show", "nichani.thm1.tail"],
}
WHOLE = "verify run (all claims, quick, page)"


def seconds(command: list[str]) -> float:
    """Wall time of one fresh process; its output is dropped, a failure stops the benchmark."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    """Interleave the commands, take medians, print them with their ratio to the unit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", type=Path, help="write the figures here as well")
    options = parser.parse_args()

    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(options.repeats):
        for name, arguments in COMMANDS.items():
            times[name].append(seconds([sys.executable, *arguments]))
    medians = {name: statistics.median(values) for name, values in times.items()}
    with tempfile.TemporaryDirectory() as folder:
        medians[WHOLE] = seconds([sys.executable, "-m", "verify", "run", "--html", folder])

    machine = {
        "platform": platform.platform(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
    }
    print(f"{machine['platform']}, {machine['cores']} cores, Python {machine['python']}")
    for name, value in medians.items():
        print(f"{name:42s} {value:8.3f} s   {value / medians[UNIT]:7.2f} units")
    if options.json:
        figures = {
            name: {"seconds": value, "ratio": value / medians[UNIT]}
            for name, value in medians.items()
        }
        options.json.write_text(
            json.dumps({"machine": machine, "unit": UNIT, "figures": figures}, indent=2) + "\n",
            encoding="utf-8",
        )


if __name__ == "__main__":
    main()
