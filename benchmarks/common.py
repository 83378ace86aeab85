"""What the benchmarks share: their arguments, the machine they ran on, times, memory, and checks."""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from verify.claim import Check, Claim, Registry, Road
from verify.jobs.memory import keep_memory
from verify.running.files import write_atomic

keep_memory()  # as the program does

#: The group of checks whose draws are cheap.
CHEAP = "linear samples"


def parsed(parser: argparse.ArgumentParser, *counts: str) -> argparse.Namespace:
    """The arguments, ``--json`` among them; a usage error unless each of *counts* is at least 1."""
    parser.add_argument("--json", type=Path, help="also write the results to this file")
    arguments = parser.parse_args()
    for name in counts:
        number = getattr(arguments, name)
        if number < 1:
            parser.error(f"--{name} {number} measures nothing: pass at least 1")
    return arguments


def written(report: Mapping[str, Any], path: Path | None) -> str:
    """The report as JSON, which is written to *path* if there is one."""
    text = json.dumps(report, indent=2)
    if path is not None:
        write_atomic(path, text + "\n")
    return text


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds of one call, and what it gave."""
    started = time.perf_counter()
    found = work()
    return time.perf_counter() - started, found


def interleaved(
    works: Mapping[str, Callable[[], object]], repeats: int, *, warm: bool = True
) -> dict[str, list[float]]:
    """Seconds of each work in each of `repeats` rounds, after one that warms up if *warm*."""
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for repeat in range(repeats + warm):
        for name, work in works.items():
            taken, _ = timed(work)
            if repeat >= warm:
                seconds[name].append(taken)
    return seconds


def medians(works: Mapping[str, Callable[[], object]], repeats: int) -> dict[str, float]:
    """The median seconds of each work, in `repeats` rounds none of which warms up."""
    seconds = interleaved(works, repeats, warm=False)
    return {name: statistics.median(taken) for name, taken in seconds.items()}


def run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
    """One fresh process; its output is dropped, a failure ends the benchmark."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)


def status_mebibytes(entry: str) -> float:
    """A memory entry of this process (VmRSS, VmHWM), in MiB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{entry}:"):
            return int(line.split()[1]) / 1024
    raise SystemExit(f"/proc/self/status has no {entry}: run this benchmark on Linux")


def extra_mebibytes(work: Callable[[], object], device: str) -> float:
    """The peak memory of one call above what is held before, in MiB: of this process, or of the GPU."""
    if device == "cuda":
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        work()
        return float(torch.cuda.max_memory_allocated() - before) / 2**20
    # Forget the peak reached so far; 5 resets VmHWM, see proc_pid_clear_refs(5).
    Path("/proc/self/clear_refs").write_text("5")
    resident = status_mebibytes("VmRSS")
    work()
    return status_mebibytes("VmHWM") - resident


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


def show_machine(here: Mapping[str, Any]) -> None:
    """The line of `machine` for a reader."""
    print(f"{here['platform']}, {here['cores']} cores, Python {here['python']}")


def show_units(seconds: Mapping[str, float], unit: str) -> dict[str, dict[str, float]]:
    """Print seconds and their ratios to those of *unit*, and give both, by name."""
    figures = {name: {"seconds": s, "ratio": s / seconds[unit]} for name, s in seconds.items()}
    for name, figure in figures.items():
        print(f"{name:42s} {figure['seconds']:8.3f} s   {figure['ratio']:7.2f} units")
    return figures


def progress_line(line: str) -> bool:
    """Show the line in place of the one before it; False where the output is no terminal."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{line[:110]}", end="", file=sys.stderr, flush=True)
    return sys.stderr.isatty()


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
