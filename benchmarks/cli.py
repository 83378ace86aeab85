"""How long a user waits: imports, `verify list`, and a whole quick `verify`, as ratios in one run.

Every figure is a fresh process; the unit of the ratios is a bare interpreter that imports SymPy.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from functools import partial

from common import interleaved, machine, parsed, timed, written

UNIT = "python: import sympy"

COMMANDS = {
    UNIT: ["-c", "import sympy"],
    "python: import proofs.memories.linear": ["-c", "import proofs.memories.linear"],
    "python: import verify": ["-c", "import verify"],
    "verify list": ["-m", "verify", "list"],
    "verify show nichani.thm1.tail": ["-m", "verify", "show", "nichani.thm1.tail"],
}
WHOLE = "verify run (all claims, quick, page)"


def run(command: list[str]) -> None:
    """One fresh process; its output is dropped, a failure ends the benchmark."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    """Interleave the commands, take medians, print them with their ratio to the unit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    options = parsed(parser, "repeats")
    works = {
        name: partial(run, [sys.executable, *arguments]) for name, arguments in COMMANDS.items()
    }
    times = interleaved(works, options.repeats, warm=False)
    medians = {name: statistics.median(values) for name, values in times.items()}
    with tempfile.TemporaryDirectory() as folder:
        whole = [sys.executable, "-m", "verify", "run", "--html", folder]
        medians[WHOLE], _ = timed(partial(run, whole))
    here = machine()
    print(f"{here['platform']}, {here['cores']} cores, Python {here['python']}")
    for name, value in medians.items():
        print(f"{name:42s} {value:8.3f} s   {value / medians[UNIT]:7.2f} units")
    figures = {
        name: {"seconds": value, "ratio": value / medians[UNIT]} for name, value in medians.items()
    }
    written({"machine": here, "unit": UNIT, "figures": figures}, options.json)


if __name__ == "__main__":
    main()
