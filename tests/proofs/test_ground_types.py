"""All of the exact side passes whichever ground types SymPy computes with.

Of the kernel, which computes by flint alone, what its rules must refuse and conclude; the rest of its
tests says nothing of SymPy.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import sympy

HERE = Path(__file__)
#: The files of tests of the kernel, but that of its cases.
KERNEL = "*/kernel/test_kernel_[!c]*"


@pytest.mark.slow
def test_the_tests_of_the_exact_side_pass_with_the_other_ground_types() -> None:
    other = "python" if sympy.external.gmpy.GROUND_TYPES == "flint" else "flint"
    result = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-x", "-m", "not slow"),
            *("-p", "no:cacheprovider", f"--ignore={HERE}", f"--ignore-glob={KERNEL}"),
            str(HERE.parent),
        ],
        capture_output=True,
        text=True,
        env={**os.environ, "SYMPY_GROUND_TYPES": other},
        cwd=HERE.parents[2],
    )
    assert result.returncode == 0, result.stdout[-3000:]
    assert " passed" in result.stdout
