"""The exact side passes whichever ground types SymPy computes with: its tests that speak SymPy.

But for the memories with neurons: they are the dearest, and ask SymPy for nothing that others do not.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import sympy

HERE = Path(__file__)


def _speaks_sympy(file: Path) -> bool:
    return "\nimport sympy\n" in file.read_text(encoding="utf-8")


@pytest.mark.slow
def test_what_speaks_sympy_passes_with_the_other_ground_types() -> None:
    other = "python" if sympy.external.gmpy.GROUND_TYPES == "flint" else "flint"
    tests = [it for it in sorted(HERE.parent.rglob("test_*.py")) if _speaks_sympy(it)]
    tests = [it for it in tests if it != HERE and not it.stem.endswith("mlp")]
    result = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-x", "-m", "not slow"),
            *("-p", "no:cacheprovider", *map(str, tests)),
        ],
        capture_output=True,
        text=True,
        env={**os.environ, "SYMPY_GROUND_TYPES": other},
        cwd=HERE.parents[2],
    )
    assert result.returncode == 0, result.stdout[-3000:]
    assert " passed" in result.stdout
