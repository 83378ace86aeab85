"""What a larger catalogue costs: to list it, to validate all of it, to judge one claim, and its page.

Papers that nobody wrote stand beside those of the program. Every figure but the page is a fresh process;
the unit of the ratios is a bare interpreter that imports SymPy.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from functools import partial
from pathlib import Path

from common import machine, medians, parsed, run, show_machine, show_units, timed, written
from dummy_papers import SECTION, registry_of, write_indexes, write_papers

from verify.claim import Registry
from verify.report.page.html import page
from verify.running.runner import ClaimResult, RunResult
from verify.running.settings import Settings
from verify.verdict import Verdict

UNIT = "python: import sympy"
ALL = """
from verify.catalogue import catalogue
from verify.report.machine import list_json

registry = catalogue()
registry.validate(claim for claim in registry if claim.id.startswith("dummy"))
list_json(registry)
"""


def works(papers: int, sections: int) -> dict[str, list[str]]:
    """The commands, by what they do."""
    return {
        UNIT: ["-c", "import sympy"],
        "verify list": ["-m", "verify", "list"],
        "verify list --json": ["-m", "verify", "list", "--json"],
        "verify show, one claim": ["-m", "verify", "show", f"dummy{papers - 1}.thm0.line2"],
        "load, validate and list all dummies": ["-c", ALL],
    }


def whole_page(registry: Registry) -> None:
    """A page of every claim, without evidence."""
    results = [ClaimResult(c, c.recorded or Verdict.NOT_RUN, (), ok=True) for c in registry]
    page(RunResult(Settings(), results), registry, command="verify")


def main() -> None:
    """Write the papers, interleave the commands, print medians with their ratio to the unit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, default=10)
    parser.add_argument("--sections", type=int, default=6, help=f"of {SECTION} claims, in a paper")
    parser.add_argument("--repeats", type=int, default=5)
    options = parsed(parser, "papers", "sections", "repeats")
    with tempfile.TemporaryDirectory() as folder:
        names = write_papers(Path(folder), papers=options.papers, sections=options.sections)
        sys.path.insert(0, folder)
        write_indexes(registry_of(names))
        path = os.pathsep.join([folder, *filter(None, [os.getenv("PYTHONPATH")])])
        environment = {**os.environ, "PYTHONPATH": path}
        commands = {
            name: partial(run, [sys.executable, *arguments], environment)
            for name, arguments in works(options.papers, options.sections).items()
        }
        seconds = medians(commands, options.repeats)
        seconds["page of all dummies"], _ = timed(partial(whole_page, registry_of(names)))
    here, claims = machine(), options.papers * options.sections * SECTION
    show_machine(here)
    print(f"{options.papers} papers of {claims} claims beside those of the program")
    figures = show_units(seconds, UNIT)
    report = {"machine": here, "unit": UNIT, "claims": claims, "figures": figures}
    written(report, options.json)


if __name__ == "__main__":
    main()
