"""How long a user waits: imports, `verify list`, and a whole quick `verify`, as ratios in one run.

Every figure is a fresh process; the unit of the ratios is a bare interpreter that imports SymPy.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from functools import partial

from common import machine, medians, parsed, run, show_machine, show_units, timed, written

UNIT = "python: import sympy"

COMMANDS = {
    UNIT: ["-c", "import sympy"],
    "python: import proofs.memories.linear": ["-c", "import proofs.memories.linear"],
    "python: import verify": ["-c", "import verify"],
    "verify list": ["-m", "verify", "list"],
    "verify show nichani.thm1.tail": ["-m", "verify", "show", "nichani.thm1.tail"],
}
WHOLE = "verify run (all claims, quick, page)"


def main() -> None:
    """Interleave the commands, take medians, print them with their ratio to the unit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    options = parsed(parser, "repeats")
    works = {
        name: partial(run, [sys.executable, *arguments]) for name, arguments in COMMANDS.items()
    }
    seconds = medians(works, options.repeats)
    with tempfile.TemporaryDirectory() as folder:
        whole = [sys.executable, "-m", "verify", "run", "--html", folder]
        seconds[WHOLE], _ = timed(partial(run, whole))
    here = machine()
    show_machine(here)
    figures = show_units(seconds, UNIT)
    written({"machine": here, "unit": UNIT, "figures": figures}, options.json)


if __name__ == "__main__":
    main()
