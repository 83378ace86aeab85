"""What the README says is what happens."""

import re
from pathlib import Path

import pytest

from verify.verdict import Verdict

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_continuous_integration_runs_exactly_the_test_command():
    command = blocks("sh")[1].strip()
    assert command in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_the_engine_example_prints_what_stands_beside_it(capsys):
    code = blocks("python")[0]
    exec(code, {})
    expected = code.rsplit("#", 1)[1].strip()
    assert capsys.readouterr().out.strip() == expected


@pytest.mark.parametrize("verdict", [v for v in Verdict if v.decided or v is Verdict.CONFLICT])
def test_every_verdict_is_explained(verdict):
    assert f"| `{verdict}` |" in README


def test_the_tree_shows_what_is_there():
    tree = blocks("text")[1]
    for line in tree.splitlines():
        name = line.split()[0]
        if line.startswith("  ") and name.endswith((".py", "/")):
            package = re.findall(r"^(\w+)/", tree[: tree.index(line)], re.MULTILINE)[-1]
            assert (ROOT / package / name).exists(), name
