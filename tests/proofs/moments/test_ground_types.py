"""SymPy's ground types do not matter: the same numbers come out with either."""

import os
import subprocess
import sys

import pytest

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


LAWS = """
import sympy
from proofs.moments import *
d, N, M, p, s, rho = sympy.symbols("d N M p s rho", positive=True)
inputs, outputs, one = Range(N, "[N]"), Range(M, "[M]"), Range(1, "one")
x, x2, z = (inputs.index(name) for name in ("x", "x2", "z"))
y, a, c = outputs.index("y"), outputs.index("a"), one.index("c")
e, u, g = Sphere("e", d), Gaussian("u", d, s / d), Gaussian("g", d)
w = OrthogonalSphere("w", d, to=Sphere("c", d)[c])
k, sign = Fixed("k", d, overlap=rho), Signs("sign")
P = Splitting(d, P=p)["P"]
f = Association(inputs, outputs, fibre_powers="n")
A = Relation("A", inputs, outputs)
weight = sum_over(z, outer(u[f(z)], e[z]))
margin = dot(u[f(x)] - u[y], weight @ e[x])
third = sympy.Rational(6, 18)
print(sympy.external.gmpy.GROUND_TYPES)
for derived in (
    variance(margin, [y != f(x), fibre(y, sympy.Symbol("m"))]),
    central_moment(3, margin, [y != f(x), fibre(y, 2)]),
    mean(dot(w[x], e[x2]) ** 4 * third, [x != x2]),
    mean(dot(P @ e[x], e[x]) ** 3 * dot(P @ u[y], u[y])),
    mean(hermite_sum([0, s, 0, 1], dot(g[c], k[x])) * dot(g[c], k[x2]) ** 3, [x != x2]),
    mean(sum_over([z, a], dot(u[a], u[y]) ** 2 * sign[z] ** 2, where=A(z, a)),
         [count(A(z, a), M * third, over=[z, a]), count(A(z, y), 2, over=z)]),
    covariance(dot(e[x], e[x2]) ** 2, sum_over(z, dot(e[z], e[x]) ** 2), [x != x2]),
):
    print(derived)
    print(derived.latex())
    print(derived.latex(factored=True))
    print(sympy.srepr(derived.expr))
    print(derived.record.to_json())
"""


def _run(types, script):
    result = subprocess.run(
        [sys.executable, "-c", script],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "SYMPY_GROUND_TYPES": types},
    )
    return result.stdout.splitlines()


@pytest.mark.parametrize("script", [SCRIPT, LAWS], ids=["margins", "laws"])
def test_results_do_not_depend_on_the_ground_types(script):
    (python, *plain), (flint, *fast) = _run("python", script), _run("flint", script)
    assert (python, flint) == ("python", "flint")
    assert plain
    assert plain == fast
