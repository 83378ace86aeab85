"""SymPy's ground types do not matter: the same numbers come out with either."""

from __future__ import annotations

import os
import subprocess
import sys

SCRIPT = """
import sympy
from proofs.memories.linear import margin_central_moment, margin_variance
d, N = sympy.symbols("d N", positive=True, integer=True)
third = sympy.Rational(6, 18)
print(sympy.external.gmpy.GROUND_TYPES)
print(margin_variance(d, N).value)
print(margin_variance(sympy.Integer(7), N / 3 + third).value)
print(margin_central_moment(4, d, N, y_in_image=False).expr)
print(sympy.srepr(margin_variance(d, N, embeddings="gaussian").expr))
print(margin_variance(d, N).latex())
"""


def _run(types: str) -> list[str]:
    result = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "SYMPY_GROUND_TYPES": types},
    )
    return result.stdout.splitlines()


def test_results_do_not_depend_on_the_ground_types() -> None:
    (python, *plain), (flint, *fast) = _run("python"), _run("flint")
    assert (python, flint) == ("python", "flint")
    assert plain == fast
