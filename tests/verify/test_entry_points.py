"""Claims of another package, in the form of before: run in workers, contained when they die."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = """
import os

from verify.claim import Claim, Evidence
from verify.verdict import Verdict


def register(registry):
    for name in ("holds", "dies", "fails"):
        registry.add(Claim(id=f"other.{name}", title=name, statement=name))

    @registry.check("other.holds", "proofs", group="a")
    def holds(printed, context):
        return Evidence(Verdict.PROVED, "", "so it is", scope="everywhere")

    @registry.check("other.dies", "proofs", group="a")
    def dies(printed, context):
        os._exit(7)

    @registry.check("other.fails", "proofs", group="a")
    def fails(printed, context):
        return Evidence(Verdict.REFUTED, "", "not at all", counterexample={"N": 1})
"""


@pytest.fixture
def installed(tmp_path):
    """A distribution with one module and one entry point, on the path of a child process."""
    (tmp_path / "otherpaper.py").write_text(PACKAGE, encoding="utf-8")
    info = tmp_path / "otherpaper-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: otherpaper\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[verify.claims]\notherpaper = otherpaper:register\n")
    path = os.pathsep.join(filter(None, [str(tmp_path), os.getenv("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path, "XDG_CACHE_HOME": str(tmp_path / "cache")}


def run(environment, *arguments):
    done = subprocess.run(
        [sys.executable, "-m", "verify", "run", *arguments, "--json", "-"],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=Path(__file__).parent,
    )
    return done.returncode, {c["id"]: c for c in json.loads(done.stdout)["claims"]}, done.stderr


def test_a_claim_of_another_package_is_judged_in_a_worker(installed):
    status, claims, said = run(installed, "other.holds", "--workers", "1")
    assert status == 0
    assert claims["other.holds"]["verdict"] == "proved"
    # By the program, and not again by each of its workers.
    assert said.count("FutureWarning: otherpaper:register takes the registry") == 1


@pytest.mark.slow
def test_a_check_that_kills_its_worker_is_an_error_and_the_rest_goes_on(installed):
    status, claims, _ = run(installed, "other.*", "--workers", "2")
    assert status == 1
    assert claims["other.dies"]["verdict"] == "error"
    assert "status 7, 2 times" in claims["other.dies"]["evidence"][0]["detail"]["summary"]
    assert claims["other.holds"]["verdict"] == "proved"
    assert claims["other.fails"]["verdict"] == "refuted"
    assert not claims["other.fails"]["ok"]
