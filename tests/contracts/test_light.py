"""Without the extras: the exact road runs whole, and one line says what is left out.

The environment of these tests has what the metadata asks for and nothing else. It is made of links to
what is installed here, so a dependency that nobody declared is missing in it.
"""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import numerics
import proofs
import recallproof
import verify as program
from numerics.needed import missing as missing_packages
from verify.capacity import capacity
from verify.claim import Road
from verify.errors import UsageError
from verify.installed import NEEDS, missing, require, usable

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
REMEDY = "pip install 'recallproof[numerics]'"
ABSENT = f"torch and scipy are not installed; {REMEDY}"
LEFT_OUT = (
    "The roads numerics and properties are left out: torch, scipy and hypothesis are not installed; "
    "pip install 'recallproof[numerics,test]'"
)
CLAIM = "nichani.thm1.mean"  # proved, measured, and quick

pytestmark = pytest.mark.skipif(os.name != "posix", reason="an environment made of links")


class Environment:
    """A virtual environment in a folder, with links to distributions and to our packages."""

    def __init__(self, folder: Path, requirements: list[str], without: str = "") -> None:
        self.folder = folder
        venv.EnvBuilder(with_pip=False, symlinks=True).create(folder)
        site = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder)}))
        for module in (proofs, numerics, program):
            (site / module.__name__).symlink_to(Path(module.__file__).parent)
        (site / "recallproof.py").symlink_to(recallproof.__file__)
        pending, known = [*requirements], {without}
        while pending:
            asked = Requirement(pending.pop())
            if asked.name in known or (asked.marker and not asked.marker.evaluate({"extra": ""})):
                continue
            known.add(asked.name)
            found = distribution(asked.name)
            pending += found.requires or []
            for name in {path.parts[0] for path in found.files or []} - {"..", "__pycache__"}:
                (site / name).symlink_to(found.locate_file(name))

    def python(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run its interpreter, in its folder."""
        return subprocess.run(
            [str(self.folder / "bin" / "python"), *arguments],
            capture_output=True,
            text=True,
            check=False,
            env={"XDG_CACHE_HOME": str(self.folder / "cache"), "OMP_NUM_THREADS": "1"},
            cwd=self.folder,
        )

    def verify(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the program."""
        return self.python("-m", "verify", *arguments)


@pytest.fixture(scope="module")
def light(tmp_path_factory) -> Environment:
    return Environment(tmp_path_factory.mktemp("light"), PROJECT["dependencies"])


# -- what is asked for -----------------------------------------------------------------------------


def names(requirements: list[str]) -> set[str]:
    return {Requirement(one).name for one in requirements}


def test_what_a_road_needs_comes_with_the_extra_that_is_named():
    extras = PROJECT["optional-dependencies"]
    needed = {(package, extra) for road in Road for package, extra in NEEDS[road].items()}
    assert all(package in names(extras[extra]) for package, extra in needed)
    assert not names(PROJECT["dependencies"]) & {package for package, _ in needed}
    assert names(extras["numerics"]) == set(NEEDS[Road.NUMERICS])


def test_the_page_has_every_extra_and_the_line():
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| `(\w+)` \| ([\w, ]+) \|", page, re.MULTILINE)
    assert {extra for extra, _ in told} == set(PROJECT["optional-dependencies"])
    brought = {extra: set(packages.split(", ")) for extra, packages in told}
    needed = {(package, extra) for road in Road for package, extra in NEEDS[road].items()}
    assert all(package in brought[extra] for package, extra in needed)
    assert f"{LEFT_OUT}\n" in page


@pytest.mark.parametrize("package", ["torch", "scipy", "hypothesis"])
def test_the_environment_has_nothing_that_is_not_asked_for(light, package):
    assert f"No module named '{package}'" in light.python("-c", f"import {package}").stderr


def test_a_dependency_that_nobody_declared_is_noticed(tmp_path):
    poorer = Environment(tmp_path / "poorer", PROJECT["dependencies"], without="python-flint")
    assert poorer.verify("run", CLAIM, "--road", "proofs").returncode not in (0, None)


# -- in an environment without ------------------------------------------------------------------


@pytest.mark.slow
def test_the_whole_exact_road_is_as_recorded_and_one_line_says_what_is_left_out(light):
    done = light.verify("run", "--json", "found.json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines().count(LEFT_OUT) == 1
    assert "All as recorded." in done.stdout
    claims = json.loads((light.folder / "found.json").read_text(encoding="utf-8"))["claims"]
    roads = {item["road"] for claim in claims for item in claim["evidence"]}
    assert roads == {"proofs"}
    recorded = [claim for claim in claims if claim["recorded"]]
    assert len(recorded) > 300
    other = {claim["recorded"] for claim in recorded if claim["verdict"] != claim["recorded"]}
    assert other == {"supported"}  # what the measured roads alone can say


def test_one_line_says_what_is_left_out_and_all_is_as_recorded(light):
    done = light.verify("run", CLAIM)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines().count(LEFT_OUT) == 1
    assert "All as recorded." in done.stdout


def test_nothing_is_left_out_where_the_exact_road_alone_is_asked_for(light):
    done = light.verify("run", CLAIM, "--road", "proofs")
    assert done.returncode == 0
    assert "left out" not in done.stdout


def test_a_proof_that_asks_torch_is_an_error_here(light):
    done = light.python(
        "-c",
        """
from verify.claim import Check, Claim, Evidence, Registry, Road
from verify.running.runner import check_claim
from verify.verdict import Verdict


def asks(printed, context):
    import torch

    return Evidence(Verdict.PROVED, "m", "so it is")


registry = Registry()
registry.add(Claim(id="p.one", title="t", statement="x"))
registry.add_check(Check("p.one", Road.PROOFS, asks, "m"))
print(check_claim("p.one", registry=registry, roads=["proofs"]).verdict)
""",
    )
    assert done.stdout == "error\n", done.stderr


@pytest.mark.parametrize(
    ("arguments", "argument"),
    [
        (("run", CLAIM, "--road", "numerics"), "--road: numerics"),
        (("recall", "linear", "--d", "16", "--N", "8"), "recall"),
        (("figure", "nichani/5"), "figure"),
        (("power", CLAIM), "power"),
        (("compare", "baseline.json"), "compare"),
        (("compare", "baseline.json", "--update"), "compare"),
        (("capacity", "linear", "--d", "16", "--device", "cuda"), "--device"),
        (("export", "--pictures", "--format", "svg", "--out", "pictures"), "--pictures"),
    ],
)
def test_what_measures_is_refused_in_one_line_with_the_remedy(light, arguments, argument):
    done = light.verify(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"verify: {argument}: {ABSENT}\n"


def test_a_road_is_refused_with_all_that_it_needs(light):
    done = light.verify("run", CLAIM, "--road", "properties")
    assert done.returncode == 2
    assert "torch, scipy and hypothesis" in done.stderr
    assert "recallproof[numerics,test]" in done.stderr


def test_mutants_that_the_exact_road_judges_alone_are_judged(light):
    done = light.verify("power", "nichani.thm9.k-choice", "--workers", "0")
    assert done.returncode == 0, done.stderr
    assert "6 of 6 mutants killed" in done.stdout


def test_a_sample_of_mutants_has_its_exact_interval(light):
    code = "from verify.statistics import clopper_pearson; print(clopper_pearson(1, 1, 0.5).low)"
    assert light.python("-c", code).stdout == "0.25\n"


@pytest.mark.parametrize(
    ("memory", "sizes"), [("linear", {"d": 16}), ("attention", {"d": 16, "D": 4})]
)
def test_capacity_is_what_it_is_elsewhere_but_for_the_measurement(light, verify, memory, sizes):
    options = [part for name, size in sizes.items() for part in (f"--{name}", str(size))]
    done = light.verify("capacity", memory, *options, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    elsewhere = json.loads(verify("capacity", memory, *options, "--device", "cpu", "--json")[1])
    assert found.pop("measured") is None
    assert elsewhere.pop("measured") is not None
    assert found.pop("why") == f"{elsewhere.pop('why')}; measured: {ABSENT}"
    assert found == elsewhere


def test_python_is_told_in_one_line_what_is_left_out(light):
    code = f"import verify; print(verify.check({CLAIM!r}).verdict)"
    done = light.python("-W", "always", "-c", code)
    assert (done.returncode, done.stdout) == (0, "proved\n")
    assert done.stderr == f"<string>:1: UserWarning: {LEFT_OUT}\n"


def test_python_is_refused_a_road_by_name(light):
    done = light.python("-c", f"import verify; verify.check({CLAIM!r}, roads=['numerics'])")
    assert done.stderr.splitlines()[-1] == f"verify.errors.UsageError: roads: numerics: {ABSENT}"


def test_to_import_what_measures_gives_one_line(light):
    done = light.python("-c", "import numerics")
    assert done.stderr.splitlines()[-1] == f"ModuleNotFoundError: numerics: {ABSENT}"


def test_a_result_with_measurements_is_shown_and_made_a_page(light, verify, tmp_path):
    results = tmp_path / "results.json"
    assert verify("run", CLAIM, "--device", "cpu", "--json", str(results))[0] == 0
    shown = light.verify("show", CLAIM, "--results", str(results))
    assert shown.returncode == 0, shown.stderr
    page = light.verify("page", str(results), "--html", "page")
    assert page.returncode == 0, page.stderr
    assert "numerics" in (light.folder / "page" / "index.html").read_text(encoding="utf-8")


# -- one by one ------------------------------------------------------------------------------------


@pytest.fixture
def without(monkeypatch):
    """As if some packages were not installed."""

    def hide(*packages: str) -> None:
        for name in packages:
            monkeypatch.setitem(sys.modules, name, None)

    return hide


def test_with_all_that_is_needed_nothing_is_left_out():
    assert usable(Road) == (tuple(Road), "")
    assert missing(Road) == ""
    require(Road, "roads")
    assert missing_packages("torch", "scipy") is None


@pytest.mark.parametrize(
    ("hidden", "there", "line"),
    [
        (
            ["hypothesis"],
            ["proofs", "numerics"],
            "The road properties is left out: hypothesis is not installed; "
            "pip install 'recallproof[test]'",
        ),
        (
            ["scipy"],
            ["proofs"],
            "The roads numerics and properties are left out: scipy is not installed; "
            "pip install 'recallproof[numerics]'",
        ),
        (["torch", "scipy", "hypothesis"], ["proofs"], LEFT_OUT),
    ],
)
def test_the_line_names_what_is_missing_and_no_more(without, hidden, there, line):
    without(*hidden)
    assert usable(Road) == (tuple(map(Road, there)), line)
    with pytest.raises(UsageError, match=f"^roads: {hidden[0]}"):
        require(Road, "roads")


def test_the_error_of_numerics_names_what_is_missing_and_no_more(without):
    without("scipy")
    error = missing_packages("torch", "scipy")
    assert str(error) == f"numerics: scipy is not installed; {REMEDY}"
    assert error.name == "scipy"


def test_without_scipy_alone_nothing_is_measured(without):
    without("scipy")
    found = capacity("linear", {"d": 16}, "1e-3")
    assert found.measured is None
    assert found.reasons[-1] == f"measured: scipy is not installed; {REMEDY}"
    assert capacity("linear", {"d": 16}, "1e-3", measure=False).reasons == found.reasons[:-1]
