"""The exact side passes whichever ground types SymPy computes with: its tests that speak SymPy.

But for the memories with neurons: they are the dearest, and ask SymPy for nothing that others do not.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import sympy

HERE = Path(__file__)


def _speaking(file: Path) -> Iterator[str]:
    """The tests of a file that name SymPy, or a name of the module whose definition does."""
    body = ast.parse(file.read_text(encoding="utf-8")).body
    told, before = {"sympy"}, 0
    while len(told) > before:
        before = len(told)
        told |= {name for it in body if _names(it) & told for name in _defined(it)}
    kinds = {ast.FunctionDef: "test", ast.ClassDef: "Test"}
    for it in body:
        start = kinds.get(type(it))
        if start and it.name.startswith(start) and it.name in told:
            yield f"{file}::{it.name}"


def _defined(it: ast.stmt) -> list[str]:
    if isinstance(it, ast.FunctionDef | ast.ClassDef):
        return [it.name]
    return [
        one.id
        for one in ast.walk(it)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    ]


def _names(it: ast.AST) -> set[str]:
    """All that is named in it, arguments included: a fixture is one."""
    return {one.id for one in ast.walk(it) if isinstance(one, ast.Name)} | {
        one.arg for one in ast.walk(it) if isinstance(one, ast.arg)
    }


@pytest.mark.slow
def test_what_speaks_sympy_passes_with_the_other_ground_types() -> None:
    other = "python" if sympy.external.gmpy.GROUND_TYPES == "flint" else "flint"
    files = [it for it in sorted(HERE.parent.rglob("test_*.py")) if it != HERE]
    tests = [one for it in files if not it.stem.endswith("mlp") for one in _speaking(it)]
    result = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-x", "-m", "not slow"),
            *("-p", "no:cacheprovider", *tests),
        ],
        capture_output=True,
        text=True,
        env={**os.environ, "SYMPY_GROUND_TYPES": other},
        cwd=HERE.parents[2],
    )
    assert result.returncode == 0, result.stdout[-3000:]
    assert " passed" in result.stdout
