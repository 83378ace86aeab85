"""The worked example: found through the entry point of its own metadata, judged, and attacked."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "mini-paper"
README = (EXAMPLE / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """What installing the example would leave: its package on the path, and its entry point."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    folder = tmp_path_factory.mktemp("installed")
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    (info / "entry_points.txt").write_text(
        "".join(
            f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in entries.items())
            for group, entries in project["entry-points"].items()
        )
    )
    path = os.pathsep.join(map(str, (folder, EXAMPLE, *filter(None, [os.getenv("PYTHONPATH")]))))
    return {**os.environ, "PYTHONPATH": path, "XDG_CACHE_HOME": str(folder / "cache")}


def timeless(text):
    """The lines without margins and times."""
    lines = (re.sub(r"\d+(\.\d)? m?s$", "", line.strip()).strip() for line in text.splitlines())
    return [line for line in lines if line]


def verify(environment, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "verify", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=environment["XDG_CACHE_HOME"].rpartition(os.sep)[0],
    )


@pytest.mark.slow
def test_the_run_of_the_readme_finds_the_false_line_and_all_is_as_recorded(installed):
    path = Path(installed["XDG_CACHE_HOME"]).parent / "results.json"
    options = ("--workers", "0", "--device", "cpu", "--json", str(path), "--html", "page")
    done = verify(installed, "run", "mini.*", *options)
    assert done.returncode == 0, done.stderr
    quoted = README.partition("```text\n")[2].partition("```")[0]
    shown = timeless(done.stdout + done.stderr)
    assert [line for line in timeless(quoted) if line not in shown] == []
    claims = {c["id"]: c for c in json.loads(path.read_text(encoding="utf-8"))["claims"]}
    assert {id_: c["verdict"] for id_, c in claims.items()} == {
        "mini.mean": "proved",
        "mini.variance": "proved",
        "mini.fourth": "refuted",
        "mini.fourth.corrected": "proved",
        "mini.fourth.bound": "proved",
        "mini.tail": "proved",
    }
    assert all(c["ok"] for c in claims.values())
    assert {e["road"] for c in claims.values() for e in c["evidence"]} == {"proofs", "numerics"}
    assert claims["mini.fourth"]["counterexample"]["at"] == {"d": 1}
    page = (path.parent / "page" / "index.html").read_text(encoding="utf-8")
    assert "Of 5 numbered results, 4 hold as printed, 1 holds after a change; none is lost." in page
    assert "is not that of a Gaussian" in page


def test_its_index_is_up_to_date(installed):
    done = verify(installed, "index", "mini", "--check")
    assert done.returncode == 0, done.stdout + done.stderr


def test_its_figure_shows_that_the_printed_value_is_wrong(installed):
    path = Path(installed["XDG_CACHE_HOME"]).parent / "figure.json"
    done = verify(installed, "figure", "mini/1", "--out", str(path))
    assert done.returncode == 0, done.stderr
    figure = json.loads(path.read_text(encoding="utf-8"))
    assert (figure["figure"], figure["whole"]) == ("1", True)
    printed, right, drawn = (line["y"] for line in figure["panels"][0]["lines"])
    assert len(drawn) == len(right) == len(printed) == 8
    assert all(abs(x - y) < 0.15 for x, y in zip(drawn, right, strict=True))
    assert all(abs(x - y) > 0.4 for x, y in zip(drawn, printed, strict=True))


def test_its_entries_have_its_authors_and_its_year(installed):
    done = verify(installed, "export", "mini.mean", "--format", "bibtex")
    assert done.returncode == 0, done.stderr
    for line in (
        "title = {{On the overlap of two random unit vectors}}",
        "author = {Ada Example and Ben Example}",
        "year = {2025}",
        "howpublished = {note}",
    ):
        assert line in done.stdout


@pytest.mark.slow
def test_no_wrong_statement_survives_and_their_number_is_the_one_quoted(installed):
    done = verify(installed, "power", "mini.*", "--workers", "0")
    assert done.returncode == 0, done.stdout
    summary = re.search(r"(\d+) of \1 mutants killed.*", done.stdout, re.DOTALL)
    assert summary is not None
    tutorial = (EXAMPLE.parents[1] / "docs" / "audit-a-paper.md").read_text(encoding="utf-8")
    assert " ".join(summary[0].split()) in " ".join(tutorial.split())


def test_the_files_that_the_readme_lists_are_there():
    table = README.partition("| file | what |")[2].partition("\n\n")[0]
    named = [
        n for line in table.splitlines()[2:] for n in re.findall(r"`([^`]+)`", line.split("|")[1])
    ]
    assert len(named) >= 6
    assert all((EXAMPLE / name).is_file() for name in named)


@pytest.mark.slow
def test_the_tests_of_the_example_pass(installed):
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        capture_output=True,
        text=True,
        check=False,
        env=installed,
        cwd=EXAMPLE,
    )
    assert done.returncode == 0, done.stdout
