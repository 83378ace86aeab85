"""The roads stay independent and imports stay quick: who may import whom, checked in a fresh process."""

import ast
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import numerics
import proofs
import verify

FORBIDDEN = {
    "proofs": {"torch", "numerics", "verify"},
    "numerics": {"proofs", "sympy", "flint", "verify"},
}


def sources(package):
    return sorted(Path(package.__file__).parent.rglob("*.py"))


def imported(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]


@pytest.mark.parametrize("package", [proofs, numerics], ids=lambda p: p.__name__)
def test_sources_import_nothing_of_the_other_roads(package):
    files = sources(package)
    assert files
    found = {(f.name, name) for f in files for name in imported(f)}
    assert not {pair for pair in found if pair[1] in FORBIDDEN[package.__name__]}


def circles(root):
    """The modules of a package that import each other, at whatever depth."""
    paths = {}
    for path in root.rglob("*.py"):
        name = ".".join(path.relative_to(root.parent).with_suffix("").parts)
        paths[name.removesuffix(".__init__")] = path
    arrows = {}
    for name, path in paths.items():
        arrows[name] = {
            target if (target := f"{node.module}.{alias.name}") in paths else node.module
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.ImportFrom) and node.module
            for alias in node.names
        } & paths.keys() - {name}
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return error.args[1]
    return []


@pytest.mark.parametrize("package", [proofs, numerics], ids=lambda p: p.__name__)
def test_no_modules_import_each_other(package):
    assert not circles(Path(package.__file__).parent)


def test_modules_that_import_each_other_would_be_noticed(tmp_path):
    root = tmp_path / "p"
    root.mkdir()
    (root / "a.py").write_text("from p.b import x\n", encoding="utf-8")
    (root / "b.py").write_text("if False:\n    from p import a\n", encoding="utf-8")
    assert set(circles(root)) == {"p.a", "p.b"}


def loaded_after(statement):
    code = f"{statement}; import sys; print(' '.join(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "statement",
    [
        "import proofs.memories.linear, proofs.capacity",
        "import verify, verify.cli",
        "from verify.catalogue import catalogue; catalogue()",
    ],
)
def test_torch_is_not_loaded_before_something_is_measured(statement):
    assert "torch" not in loaded_after(statement)


def test_measuring_does_not_load_the_proofs():
    assert not {"proofs", "verify"} & loaded_after("import numerics")


def test_the_import_rule_would_notice_a_breach(tmp_path):
    path = tmp_path / "breach.py"
    path.write_text("def f():\n    from torch import nn\n", encoding="utf-8")
    assert "torch" in set(imported(path))


@pytest.mark.parametrize("package", [proofs, numerics, verify], ids=lambda p: p.__name__)
def test_the_package_is_typed(package):
    assert (Path(package.__file__).parent / "py.typed").is_file()
