"""What the how-tos say is what happens: their examples run, and print what stands below them."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
#: Pages whose Python is a part of something else, and where that is tested.
ELSEWHERE = {
    "audit-a-paper.md": "tests/contracts/test_site.py",
    "check-your-own-lemma.md": "tests/verify/test_lemma.py",
    "statistics.md": "tests/contracts/test_docs.py",
}
EXECUTED = [
    path.name
    for path in sorted(DOCS.glob("*.md"))
    if "```python" in path.read_text(encoding="utf-8") and path.name not in ELSEWHERE
]


@pytest.mark.parametrize("name", EXECUTED)
def test_the_examples_print_what_stands_below_them(name, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    text = (DOCS / name).read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", text, re.DOTALL)
    assert any(expected for _, expected in examples)
    scope = {}
    for code, expected in examples:
        exec(code, scope)
        assert capsys.readouterr().out == expected


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_is_executed_elsewhere_is_named_there(name):
    assert name in (DOCS.parent / ELSEWHERE[name]).read_text(encoding="utf-8")


def test_the_table_of_the_language_names_what_there_is():
    import proofs.moments

    table = (DOCS / "derive-a-moment.md").read_text(encoding="utf-8").partition("| to say |")[2]
    named = set(re.findall(r"`(?:\w+ = )?([A-Za-z_]+)\(", table.partition("\n\n")[0]))
    assert {"Sphere", "wick_power", "count"} <= named
    assert named - {"S", "A", "hermite"} <= set(proofs.moments.__all__)


def test_the_statistics_page_runs_as_written(capsys):
    text = (DOCS / "statistics.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    exec(code, {})
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_the_statistics_page_quotes_the_shares():
    from verify.measuring.context import PROPERTY_SHARES
    from verify.printed.paper import ERROR_BUDGET, SHARES

    text = (DOCS / "statistics.md").read_text(encoding="utf-8")
    assert (ERROR_BUDGET, SHARES, PROPERTY_SHARES) == (1e-6, 2000, 20)
    assert "1e-6 by default" in text
    assert "2000 fixed shares" in text
    assert "twenty" in text


def test_every_benchmark_is_named_where_one_looks_for_it():
    page = (DOCS.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    files = {path.name for path in (DOCS.parent / "benchmarks").glob("*.py")} - {
        "common.py",
        "dummy_papers.py",
    }
    assert {name for name in files if name in page} == files
