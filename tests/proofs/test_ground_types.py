"""The exact side passes whichever ground types SymPy computes with: the tests of all that imports SymPy.

But for the memories with neurons: they are the dearest, and ask SymPy for nothing that others do not.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import sympy

import proofs

HERE = Path(__file__)
NEURONS = "*/memories/test_*mlp.py"


def _imports_sympy(file: Path) -> bool:
    return "\nimport sympy\n" in file.read_text(encoding="utf-8")


def _touched() -> list[Path]:
    """The folders of tests of the packages with a module that imports SymPy, and further such tests."""
    parts = sorted(Path(proofs.__file__).parent.iterdir())
    packages = [
        it.name for it in parts if it.is_dir() and any(map(_imports_sympy, it.rglob("*.py")))
    ]
    folders = [HERE.parent / name for name in packages if (HERE.parent / name).is_dir()]
    return folders + [it for it in sorted(HERE.parent.glob("test_*.py")) if _imports_sympy(it)]


@pytest.mark.slow
def test_the_tests_of_what_imports_sympy_pass_with_the_other_ground_types() -> None:
    other = "python" if sympy.external.gmpy.GROUND_TYPES == "flint" else "flint"
    tests = [str(it) for it in _touched() if it != HERE]
    result = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-x", "-m", "not slow"),
            *("-p", "no:cacheprovider", f"--ignore-glob={NEURONS}", *tests),
        ],
        capture_output=True,
        text=True,
        env={**os.environ, "SYMPY_GROUND_TYPES": other},
        cwd=HERE.parents[2],
    )
    assert result.returncode == 0, result.stdout[-3000:]
    assert " passed" in result.stdout
