"""The exact road stands alone: neither torch nor the other packages are loaded by it."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import pkgutil, sys, proofs
modules = [m.name for m in pkgutil.walk_packages(proofs.__path__, "proofs.")]
for name in modules:
    __import__(name)
print(len(modules), *sorted({name.split(".")[0] for name in sys.modules}))
"""


@pytest.fixture(scope="module")
def loaded() -> list[str]:
    result = subprocess.run(
        [sys.executable, "-c", SCRIPT], check=True, capture_output=True, text=True
    )
    return result.stdout.split()


def test_all_modules_are_imported(loaded: list[str]) -> None:
    assert int(loaded[0]) >= 20
    assert "proofs" in loaded


@pytest.mark.parametrize("foreign", ["torch", "numerics", "verify", "scipy", "numpy"])
def test_proofs_does_not_load(foreign: str, loaded: list[str]) -> None:
    assert foreign not in loaded
