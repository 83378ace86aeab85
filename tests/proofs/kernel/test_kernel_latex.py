"""Statements in LaTeX, as the objects were built."""

from fractions import Fraction

import pytest

from proofs.kernel import (
    Compare,
    Goal,
    OfDegree,
    Region,
    SameLaw,
    at_least,
    at_most_zero,
    between,
    coordinate,
    copies,
    exp,
    expectation,
    inf,
    log,
    modulus,
    norm,
    polynomial,
    power,
    real,
    sqrt,
    square,
    symbols,
    term,
    whole,
)
from proofs.kernel.latex import _FUNCTIONS, _PRINTED, latex
from proofs.kernel.laws import margin
from proofs.kernel.regions import Range
from proofs.kernel.terms import _SHAPES, substituted
from proofs.memories.linear import definition

d, N, tau, x, y, p = symbols("d N tau x y p")
g, h = coordinate("g", d), coordinate("h", d)

TERMS = {
    r"\tau \, d": tau * d,
    r"\frac{\tau \, d}{2}": tau * d / 2,
    r"\left(x + 1\right) \, y": (x + 1) * y,
    r"x - \left(y - 1\right)": x - (y - 1),
    r"- \left(x + y\right)": -(x + y),
    r"\left(x + y\right)^{2}": (x + y) ** 2,
    r"\frac{x}{y + 1}": x / (y + 1),
    r"\left(\frac{x}{y}\right)^{2}": (x / y) ** 2,
    r"\frac{1}{3} \, x": Fraction(1, 3) * x,
    r"\left(-\frac{1}{3}\right) \, x": Fraction(-1, 3) * x,
    r"x \cdot 2": x * 2,
    "x": 1 * x,
    r"\mathbb{E}\left[\inf_{0 < y < 1} \exp\left(y \, g\right)\right]": expectation(
        inf("y", 0, 1, exp(y * g))
    ),
    r"x + \left(\inf_{0 < x' < x} \left(x' + x\right)\right)": x
    + substituted(inf("x", 0, y, x + y), {"y": x}),
    r"\left(x^{2}\right)^{p}": power(x**2, p),
    r"\exp\left(-1\right)": exp(-1),
    r"\log\left(\frac{N}{2}\right)": log(N / 2),
    r"\sqrt{2 - 2 \, x}": sqrt(2 - 2 * x),
    r"\mathbb{E}\left[\exp\left(x \, g\right)\right]": expectation(exp(x * g)),
    r"\mathbb{P}\left(x - g \le 0\right)": at_most_zero(x - g),
    r"\sum_{j=1}^{N - 2} \left(g \, h\right)_j": copies("S", N - 2, g * h),
    r"\left|x\right|^{\frac{1}{2}}": modulus(x, Fraction(1, 2)),
    r"\left|\mathbb{E}\left[\left|f\right|^{x}\right]\right|^{\frac{1}{x}}": norm(
        polynomial("f", p), x
    ),
    r"\gamma_{\text{y in the image}}": margin(definition(), inside=True),
    r"\mathrm{rate}_{1}'": symbols("rate_1'")[0],
}


GREEK = """
    alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon
    phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega
"""


@pytest.mark.parametrize("name", GREEK.split())
def test_a_greek_letter_is_set_as_one(name):
    assert latex(symbols(name)[0]) == rf"\{name}"
    assert latex(symbols(f"{name}_1'")[0]) == rf"\{name}_{{1}}'"


@pytest.mark.parametrize("name", ["Mu", "omicron", "mus", "Alpha"])
def test_what_latex_has_no_letter_for_is_upright(name):
    assert latex(symbols(name)[0]) == rf"\mathrm{{{name}}}"


def test_every_kind_of_node_is_set():
    assert set(_SHAPES) - {"bound"} == set(_PRINTED) | set(_FUNCTIONS)


@pytest.mark.parametrize("said", sorted(TERMS))
def test_a_term_is_set_as_it_was_built(said):
    assert latex(TERMS[said]) == said


def test_statements_goals_and_theorems_are_set_with_where_they_hold():
    less = Compare(x, "<", y)
    law = SameLaw(g, h)
    ranges = (whole("d", 1), at_least("x", 0, above=True), between("y", 0, 1, "[)"), real("tau"))
    region = Region((*ranges, Range("N", upper=term(3))))
    where = (
        r" \quad (d \ge 1 \text{ whole},\; x > 0,\; 0 \le y < 1,\; \tau \in \mathbb{R},\; N \le 3)"
    )
    assert latex(OfDegree(g, p)) == r"\deg g \le p"
    assert latex(law) == r"g \overset{d}{=} h"
    assert latex(Goal(less, region)) == f"x < y{where}"
    assert latex(Goal(less, region, (less,))) == rf"x < y \;\Rightarrow\; x < y{where}"
    assert latex(square(x, region)) == rf"0 \le x^{{2}}{where}"
    assert latex(Goal(Compare(term(1), "<=", term(2)), Region())) == r"1 \le 2"
