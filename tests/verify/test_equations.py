"""Derived formulas as equations: the quantity that a check names in plain letters stands on the left."""

import pytest

from verify.catalogue import catalogue
from verify.claim import Road
from verify.report.exports.equations import equation, quantity_latex
from verify.report.exports.formulas import derived_formulas, read_derived
from verify.running.runner import run
from verify.running.settings import Settings
from verify.typeset.mathml import formula

WHERE = r"y \text{ in the image}"


def typesets(latex):
    """Whether the converter reads it whole; what it cannot read it shows as code."""
    return latex == "" or "<code>" not in formula(latex)


@pytest.mark.parametrize(
    ("quantity", "left", "where"),
    [
        ("E[gamma^2], y in the image", r"\mathbb{E}[\gamma^{2}]", WHERE),
        ("Var(gamma)", r"\mathrm{Var}(\gamma)", ""),
        (
            "E[((u_f(x) - u_y)^T u_f(z))^2]",
            r"\mathbb{E}[((u_{f(x)} - u_{y})^{\top} u_{f(z)})^{2}]",
            "",
        ),
        (
            "sum_z E[<u_y, u_f(z)> <e_z, e_x>^(k+1)], k = 2",
            r"\sum_{z} \mathbb{E}[\langle u_{y},\  u_{f(z)} \rangle \langle e_{z},\  e_{x} "
            r"\rangle^{k + 1}]",
            "k = 2",
        ),
        (
            "E[omega_iz omega_jz'], z' other than x, f(z) = y",
            r"\mathbb{E}[\omega_{iz} \omega_{jz'}]",
            r"z' \text{ other than } x,\  f(z) = y",
        ),
        (
            "E <w, x>^4/|P x|^4, x, y and phi(EOS) orthonormal",
            r"\mathbb{E} \langle w,\  x \rangle^{4} / | P x |^{4}",
            r"x,\  y \text{ and } \phi(\mathrm{EOS}) \text{ orthonormal}",
        ),
        (
            "E[omega_i(t) omega_i(u)], t = (s', r), u = (s'', r) with one answer, i != j",
            r"\mathbb{E}[\omega_{i}(t) \omega_{i}(u)]",
            r"t = (s',\  r),\  u = (s'',\  r) \text{ with one answer},\  i \ne j",
        ),
        (
            "E of the double sum, a not in A_z",
            r"\mathbb{E} \text{ of the double sum}",
            r"a \text{ not in } A_{z}",
        ),
    ],
)
def test_a_quantity_in_plain_letters_becomes_latex(quantity, left, where):
    assert quantity_latex(quantity) == (left, where)
    assert typesets(left)
    assert typesets(where)


@pytest.mark.parametrize(
    "text",
    ["E[x", "x]", "E[x)", "x^", "x^+", "my.lemma", "x_1_2", r"\end{document}", "a $ b", "50 %"],
)
def test_what_is_no_formula_is_refused(text):
    with pytest.raises(ValueError, match=r".*"):
        quantity_latex(text)


def test_an_equation_has_its_quantity_its_formula_and_where_it_holds():
    value = read_derived("(2*N + d^2)/d^2")
    shown = equation(value, "E[gamma^2], y in the image", "second-moment.inside")
    assert shown == (
        rf"\mathbb{{E}}[\gamma^{{2}}] = \frac{{2 N + d^{{2}}}}{{d^{{2}}}} \qquad ({WHERE})"
    )
    assert typesets(shown)


@pytest.mark.parametrize("quantity", ["", "E[my.lemma]", r"} \end{document}"])
def test_without_a_quantity_that_can_be_read_the_name_stands_on_the_left(quantity):
    shown = equation(read_derived("1/d"), quantity, "key_squared 100%")
    assert shown == r"\text{key\_squared 100\%} = \frac{1}{d}"


def test_every_quantity_of_these_claims_can_be_typeset():
    registry = catalogue()
    ids = (
        "nichani.thm1.second-moment-split",
        "nichani.thm1.term-moments",
        "nichani.lem1.mean",
        "nichani.lem2.mean",
        "nichani.lem2.fourth-moment",
        "nichani.s3.eq3.corrected",
        "nichani.thm9.cross-terms",
        "nichani.lem3.rho-sum",
    )
    settings = Settings(roads=(Road.PROOFS,), workers=0)
    formulas, _ = derived_formulas(run(registry, registry.select(ids), settings).results)
    assert {item.claim.id for item in formulas} == set(ids)
    for item in formulas:
        assert item.quantity
        assert r"\text{" + item.name not in item.latex
        assert typesets(item.latex), item.latex
