"""What is asked for is read and imported, and nothing else.

Of 3,000 claims in ten papers that nobody wrote, and of the catalogue's own. How long that takes is for
``benchmarks/catalogue.py`` to say; here it is counted what is touched.
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from verify.catalogue import catalogue
from verify.claim import Registry, Road

REGISTRY = catalogue()
BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
WRITE = """
from pathlib import Path
from dummy_papers import registry_of, write_indexes, write_papers

names = write_papers(Path(sys.argv[1]), papers=10, sections=6)
write_indexes(registry_of(names))
"""
#: What is read, imported and asked for by a piece of code in a process of its own.
WATCHED = """
import json, sys
from importlib import import_module
from verify.catalogue import catalogue
from verify.claim import Registry

sections = import_module("verify.catalogue.sections")
read, whole = [], []
kept = sections.read_statements, Registry.entries

def read_statements(source, **options):
    read.append(f"{source.parent.name}.{source.stem}")
    return kept[0](source, **options)

def entries(self):
    whole.append(None)
    return kept[1](self)

sections.read_statements, Registry.entries = read_statements, entries
_, code, path = sys.argv
try:
    exec(code)
except SystemExit as stop:
    assert not stop.code, stop.code
with open(path, "w") as file:
    json.dump({"read": read, "modules": sorted(sys.modules), "whole": len(whole)}, file)
"""
COMMAND = "from verify.cli import main; sys.argv = {}; main()"


@dataclass
class Touched:
    """What a process has read and imported; *whole* says how often it went through all claims."""

    read: list[str]
    modules: list[str]
    whole: int

    def sections(self, papers: str) -> set[str]:
        """The sections whose checks are imported, of papers that lie in the package *papers*."""
        return {
            ".".join(name.split(".")[-2:])
            for name in self.modules
            if name.startswith(papers) and _is_section(name)
        }


def _is_section(module: str) -> bool:
    if module.startswith("dummy"):
        return "." in module
    path = BENCHMARKS.parent.joinpath(*module.split(".")).with_suffix(".toml")
    return path.name != "paper.toml" and path.is_file()


@pytest.fixture(scope="module")
def dummies(tmp_path_factory):
    """Ten papers with 3,000 claims and an index each, installed where ``touched`` runs."""
    folder = tmp_path_factory.mktemp("dummies")
    code = f"import sys; sys.path[:0] = [{str(BENCHMARKS)!r}, sys.argv[1]]\n{WRITE}"
    subprocess.run([sys.executable, "-c", code, str(folder)], check=True)
    return folder


@pytest.fixture
def touched(tmp_path):
    """Run code, with a folder on the path if one is given."""

    def run(code: str, folder: Path | None = None) -> Touched:
        path = os.pathsep.join(map(str, filter(None, [folder, os.getenv("PYTHONPATH")])))
        found = tmp_path / "touched.json"
        done = subprocess.run(
            [sys.executable, "-c", WATCHED, code, str(found)],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": path, "XDG_CACHE_HOME": str(tmp_path)},
            cwd=tmp_path,
        )
        assert done.returncode == 0, done.stderr
        return Touched(**json.loads(found.read_text()))

    return run


def closure(id_: str, registry: Registry = REGISTRY) -> set[str]:
    """A claim, what it uses, and what corrects these."""
    found, pending = set(), [id_]
    while pending:
        entry = registry.entry(pending.pop())
        if entry.id not in found:
            found.add(entry.id)
            pending += [*entry.uses, *filter(None, [entry.correction])]
    return found


def rooms(ids: set[str]) -> set[str]:
    """The sections of the catalogue in which claims stand: the paper and the file."""
    return {
        f"{paper.name}.{section}"
        for paper in REGISTRY.papers.values()
        for section in paper.sections
        if any(f"id = '{id_}'" in _text(paper.name, section) for id_ in ids)
    }


def _text(paper: str, section: str) -> str:
    folder = BENCHMARKS.parent / "verify" / "papers" / paper
    return (folder / f"{section}.toml").read_text(encoding="utf-8")


# -- lists ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [["list"], ["list", "--json"]], ids=" ".join)
def test_a_list_reads_no_statement_and_imports_no_check(touched, dummies, arguments):
    found = touched(COMMAND.format(["verify", *arguments]), dummies)
    assert found.read == []
    assert found.sections("dummy") == found.sections("verify.papers") == set()
    assert not {"sympy", "flint", "torch", "proofs", "numerics"} & set(found.modules)
    assert found.whole <= 2


def test_the_list_has_every_claim(dummies):
    path = os.pathsep.join(map(str, filter(None, [dummies, os.getenv("PYTHONPATH")])))
    done = subprocess.run(
        [sys.executable, "-m", "verify", "list", "--json"],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    listed = json.loads(done.stdout)
    assert len(listed) == len({entry["id"] for entry in listed}) == 3000 + len(REGISTRY)
    assert all(entry["mutants"] > 0 for entry in listed if entry["id"].startswith("dummy"))


# -- one claim -----------------------------------------------------------------------------------


def test_validating_one_claim_reads_what_it_rests_on(touched, dummies):
    """The claim rests on one of the first section of each paper before, and on lines of its own."""
    code = "r = catalogue(); r.validate([r['dummy3.thm0.line4']])"
    found = touched(code, dummies)
    wanted = {f"dummy{k}.section0" for k in range(4)}
    assert sorted(found.read) == sorted(wanted)
    assert found.sections("dummy") == wanted
    assert found.sections("verify.papers") == set()


WORKER = """
from verify.running.settings import Settings
from verify.running.workers import check_runner

found = check_runner(catalogue, Settings(), 0)({!r})
assert str(found.verdict) == {!r}, found
"""


def test_a_worker_imports_the_section_of_its_check(touched, dummies):
    key = "dummy3.thm2.line4/proofs/as recorded"
    found = touched(WORKER.format(key, "proved"), dummies)
    assert found.read == ["dummy3.section2"]
    assert found.sections("dummy") == {"dummy3.section2"}


ASKED = {
    "statement": "r[id_]",
    "entry": "r.entry(id_)",
    "membership": "id_ in r",
    "checks": "r.checks(id_)",
    "roads": "r.roads(id_)",
    "check": "r.find_check(f'{id_}/proofs/as recorded')",
    "mutants": "r.mutants(id_)",
    "paper": "r.paper_of(id_)",
    "budget": "r.budget(id_)",
    "users": "r.resting_on(id_)",
    "corrected": "r.corrected_by(id_)",
    "used": "r.with_uses([r[id_]])",
    "selection": "r.select([id_])",
    "validation": "r.validate([r[id_]])",
}


def test_what_is_asked_of_one_claim_goes_through_no_others(touched, dummies):
    """Once it is known who names whom, for which all are gone through once."""
    first = "r = catalogue(); id_ = 'dummy3.thm2.line4'; r.resting_on(id_); r.corrected_by(id_)"
    before = touched(first, dummies).whole
    assert 0 < before <= 2
    lines = "\n".join(f"    {call}" for call in ASKED.values())
    code = f"{first}\nfor id_ in ['dummy3.thm2.line4', 'dummy3.thm4.line5.corrected', "
    code += f"'dummy0.thm0.line0']:\n{lines}"
    assert touched(code, dummies).whole == before


PAGE = """
from verify.report.page.html import page
from verify.running.runner import ClaimResult, RunResult
from verify.running.settings import Settings
from verify.verdict import Verdict

r = catalogue()
results = [ClaimResult(c, c.recorded or Verdict.NOT_RUN, (), ok=True) for c in r.select([{!r}])]
text = page(RunResult(Settings(), results), r, command="verify")
assert all(c.claim.id in text for c in results)
"""


def test_a_page_goes_through_all_claims_no_more_often_for_more_claims(touched, dummies):
    few, many = (touched(PAGE.format(f"dummy0.{part}.*"), dummies).whole for part in ("thm0", "*"))
    assert few == many


# -- the papers of the program ---------------------------------------------------------------------

#: Claims of different sections whose checks take little time.
CLAIMS = [
    "nichani.cor2.rounding",
    "nichani.lem10.renorm",
    "nichani.lem14",
    "nichani.lem5.noise",
    "nichani.lem6.log-step",
    "nichani.model.shapes",
    "nichani.s3.gd-full",
    "nichani.s5.remark-order",
    "nichani.thm1.mean",
    "nichani.thm8.lower-order",
    "summary.linear-capacity",
    "summary.plateau",
]


def _foreign(modules: list[str], papers: set[str]) -> list[str]:
    """Modules of papers other than *papers*, on any road."""
    roads = ("proofs.papers.", "numerics.papers.", "verify.papers.")
    return [m for m in modules if m.startswith(roads) and m.split(".")[2] not in papers]


@pytest.mark.parametrize("id_", CLAIMS)
def test_a_verdict_wakes_the_rooms_that_it_needs(touched, id_):
    ids = closure(id_)
    found = touched(f"import verify; verify.check({id_!r}, device='cpu')")
    assert found.sections("verify.papers") <= rooms(ids)
    assert rooms({id_}) <= found.sections("verify.papers")
    papers = {id_.partition(".")[0] for id_ in ids}
    papers |= {other for name in papers for other in REGISTRY.papers[name].builds_on}
    assert _foreign(found.modules, papers) == []


@pytest.mark.parametrize("id_", ["nichani.cor2.rounding", "nichani.lem5.noise", "nichani.lem14"])
def test_a_worker_wakes_the_room_of_its_check_alone(touched, id_):
    (check, *_) = REGISTRY.checks(id_, [Road.PROOFS])
    found = touched(WORKER.format(check.key, str(REGISTRY[id_].recorded)))
    assert found.sections("verify.papers") == rooms({id_})
    assert _foreign(found.modules, {"nichani"}) == []


def test_a_claim_that_is_shown_wakes_no_more(touched):
    id_ = "nichani.lem14"
    found = touched(COMMAND.format(["verify", "show", id_]))
    assert found.sections("verify.papers") <= rooms(closure(id_))
    assert _foreign(found.modules, {"nichani"}) == []


def test_sections_are_told_from_what_they_share(touched):
    """The rooms of the tests above are not empty for lack of a name."""
    names = {f"verify.papers.nichani.{name}" for name in ("theorem1", "linear_memory")}
    found = Touched([], sorted(names), 0)
    assert found.sections("verify.papers") == {"nichani.theorem1"}
    assert rooms({"nichani.thm1.mean"}) == {"nichani.theorem1"}
    assert _foreign(["proofs.papers.x.y", "verify.papers.nichani"], {"nichani"}) == [
        "proofs.papers.x.y"
    ]
