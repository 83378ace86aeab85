"""How long the page of a stored run takes to make and to open, and how large it is.

Every figure is a fresh process, as ratios in one run: making the page against a bare interpreter that
imports SymPy, opening it in Chromium (until it is drawn) against opening an empty page.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from cli import COMMANDS, UNIT
from common import machine, medians, parsed, run, show_machine, written

MADE, EMPTY, OPENED = "verify page", "chromium: an empty page", "chromium: the page"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def browser() -> str | None:
    """The Chromium of this machine, None without one."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def opening(program: str, address: str, folder: Path) -> list[str]:
    """The command that opens a page and draws its first screen."""
    return [
        program,
        "--headless",
        "--disable-gpu",
        "--disable-background-networking",
        "--no-first-run",
        "--log-level=3",
        f"--user-data-dir={folder / 'profile'}",
        f"--screenshot={folder / 'screen.png'}",
        *(["--no-sandbox"] if os.geteuid() == 0 else []),
        address,
    ]


def measure(results: Path, folder: Path, repeats: int) -> tuple[dict[str, float], int]:
    """Medians in seconds, by name, and the size of the page in bytes."""
    site = folder / "site"
    verify = [sys.executable, "-m", "verify"]
    commands = {
        UNIT: [sys.executable, *COMMANDS[UNIT]],
        MADE: [*verify, "page", str(results), "--html", str(site)],
    }
    run(commands[MADE])
    page = site / "index.html"
    if program := browser():
        empty = folder / "empty.html"
        empty.write_text("<!doctype html><title>empty</title>", encoding="utf-8")
        commands[EMPTY] = opening(program, empty.as_uri(), folder)
        commands[OPENED] = opening(program, page.as_uri(), folder)
        run(commands[EMPTY])  # the first start makes the profile
    works = {name: partial(run, command) for name, command in commands.items()}
    return medians(works, repeats), page.stat().st_size


def ratios(seconds: Mapping[str, float]) -> dict[str, float]:
    """What is made against the bare interpreter, what is opened against the empty page."""
    units = {MADE: UNIT, OPENED: EMPTY}
    return {name: seconds[name] / seconds[unit] for name, unit in units.items() if name in seconds}


def main() -> None:
    """Take medians of interleaved runs, print them with their ratios and the size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, help="of `verify run --json`; made if none")
    parser.add_argument("--repeats", type=int, default=5)
    options = parsed(parser, "repeats")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        results = options.results
        if results is None:
            results = folder / "results.json"
            run([sys.executable, "-m", "verify", "run", "--json", str(results)])
        claims = len(json.loads(results.read_text(encoding="utf-8"))["claims"])
        seconds, size = measure(results, folder, options.repeats)
    found = ratios(seconds)
    here = machine()
    show_machine(here)
    print(f"{claims} claims, {size / 1e6:.2f} MB")
    for what, value in seconds.items():
        ratio = f"   {found[what]:7.2f} units" if what in found else ""
        print(f"{what:26s} {value:8.3f} s{ratio}")
    figures = {
        what: {"seconds": value} | ({"ratio": found[what]} if what in found else {})
        for what, value in seconds.items()
    }
    written({"machine": here, "claims": claims, "bytes": size, "figures": figures}, options.json)


if __name__ == "__main__":
    main()
