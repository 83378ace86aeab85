"""LaTeX as Unicode: readable where it is known, visible where it is not, never an error."""

# ruff: noqa: RUF001  (signs that look like letters are what these tests are about)

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.catalogue import catalogue
from verify.typeset.unicode_math import unicode_math, unicode_text


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\mathbb{E}[\gamma_{xy}] = 1", "𝔼[γ_xy] = 1"),
        (r"\langle v, u_y \rangle + \lceil n \rceil", "⟨v, u_y⟩ + ⌈n⌉"),
        (r"\mathbb{E}[\gamma_{xy}^2]", "𝔼[γ_{xy}²]"),
        (r"\mathbb{P}(\gamma \le 0) \le \delta'", "ℙ(γ ≤ 0) ≤ δ′"),
        (r"W \in \mathbb{R}^{d \times d}", "W ∈ ℝ^{d × d}"),
        (r"W = \sum_z u_{f(z)} e_z^\top", "W = ∑_z u_{f(z)} e_zᵀ"),
        (r"\sum_{z\ne x}\lambda_i", "∑_{z ≠ x} λᵢ"),
        (r"\frac{a}{b}", "a/b"),
        (r"\frac{a+b}{2d}", "(a+b)/(2d)"),
        (r"\frac{2}{d} 1(f(z) \ne y)", "(2/d) 1(f(z) ≠ y)"),
        (r"1 + \frac{1}{d^2}", "1 + 1/d²"),
        (r"\frac{a}{b}^2", "(a/b)²"),
        (r"\left(1 + \frac{1}{d}\right)^{-1}", "(1 + 1/d)⁻¹"),
        (r"(1 - s^2/d^2)^{-1/2}", "(1 - s²/d²)^{-1/2}"),
        (r"\sqrt{\log N} \ge \sqrt d", "√(log N) ≥ √d"),
        (r"\sqrt[3]{N}", "³√N"),
        (r"\log^4(1/\delta)\, \mathrm{Var}(\gamma)", "log⁴(1/δ) Var(γ)"),
        (r"\arg\max_{y \in [M]} u_y^\top W e_x", "arg max_{y ∈ [M]} u_yᵀ W eₓ"),
        (r"a\log b, N\to\infty", "a log b, N → ∞"),
        (r"[N] \setminus \{x\}", "[N] ∖ {x}"),
        (r"\exp(-c d_h)", "exp(-c dₕ)"),
        (r"\hat f + \mathcal{N}(0, 1)", "f̂ + 𝒩(0, 1)"),
        (r"\left.x\right|_0", "x|₀"),
        (r"2^{4q} + 16^q x", "2^(4q) + 16^q x"),
    ],
)
def test_the_latex_of_the_catalogue_becomes_readable(latex, text):
    assert unicode_math(latex) == text


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\unknown", r"\unknown"),
        (r"x \foo{a + \gamma}{b} y", r"x \foo{a + γ}{b} y"),
        (r"\hat{abc}", r"\hat{abc}"),
        (r"\begin{matrix} a \end{matrix}", r"\begin{matrix} a \end{matrix}"),
        ("a } b", "a } b"),
        ("{a", "a"),
        ("\\", "\\"),
        ("x^", "x^{}"),
    ],
)
def test_what_is_not_known_stays_visible(latex, text):
    assert unicode_math(latex) == text


@given(st.from_regex(r"[A-Z]{2}[a-z]{3,8}", fullmatch=True))
def test_no_unknown_command_is_dropped(name):
    assert f"\\{name}" in unicode_math(f"a + \\{name}{{x}} = \\frac{{1}}{{\\{name}}}")


@given(st.text(alphabet=r"\{}[]^_$'. abxN12+-/().leftrightfracsqrtmathbb", max_size=40))
def test_any_text_is_read_without_error_and_stays_on_one_line(text):
    assert len(unicode_math(text).splitlines()) <= 1
    assert len(unicode_text(text).splitlines()) <= 1


@given(st.text(alphabet="abxNTβ12_^{}+-() ", max_size=30))
def test_no_letter_or_digit_is_lost_in_scripts(text):
    kept = unicodedata.normalize("NFKC", unicode_math(text))
    assert [c for c in kept if c.isalnum()] == [c for c in text if c.isalnum()]


def test_only_what_stands_between_dollars_is_read_as_latex():
    assert unicode_text("cost \\$5, $x_1$\nand x_1 of {N}") == "cost \\$5, x₁ and x_1 of {N}"
    assert unicode_text("a lone $ stays") == "a lone $ stays"


def test_no_command_of_the_catalogue_is_unknown():
    for claim in catalogue():
        for text in (claim.statement, *claim.hypotheses, claim.reading_note, claim.consequence):
            if "$" in text:
                assert "\\" not in unicode_text(text), claim.id
