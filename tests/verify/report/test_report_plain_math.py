"""Derivations in Unicode: formulas change, words and names do not."""

# ruff: noqa: RUF001  (signs that look like letters are what this module is about)

import pytest

from verify.typeset.plain_math import plain_math, plain_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("  W = sum_z u_f(z) e_z^T,", "  W = ∑_z u_f(z) e_zᵀ,"),
        ("gamma = <u_f(x) - u_y, W e_x>", "γ = ⟨u_f(x) - u_y, W eₓ⟩"),
        ("E[gamma^2] = (2*N - 4)/d^2", "𝔼[γ²] = (2·N - 4)/d²"),
        ("1 x ((d + 1)/d) <= 2", "1 × ((d + 1)/d) ≤ 2"),
        ("(1 + 1 / d)**2 != sqrt(6)*d", "(1 + 1 / d)² ≠ √6·d"),
        ("sqrt(d + 1), sqrt(2)^3, sqrt(d)m, 2/sqrt(m)", "√(d + 1), √(2)³, √(d)m, 2/√m"),
        ("t^-1 + 10**-3, x^-1/2", "t⁻¹ + 10⁻³, x^-1/2"),
        ("exp(-lambda A), K^(1-alpha)", "exp(-λ A), K^(1-α)"),
        ("u_1^2 >= beta_0 -> 0", "u₁² ≥ β₀ → 0"),
        ("alpha^1/2, x^2/2, x^1 and d^10/2", "α^1/2, x²/2, x¹ and d¹⁰/2"),
        ("E<a', b>^2 = E <u, v>^(2j+2)", "𝔼⟨a', b⟩² = 𝔼 ⟨u, v⟩²ʲ⁺²"),
        ("<e_z, e_x>^(k+1) <= 4^(-p-k)", "⟨e_z, eₓ⟩ᵏ⁺¹ ≤ 4⁻ᵖ⁻ᵏ"),
        ("E[f^(k)] less x^(k+1)", "𝔼[f^(k)] less xᵏ⁺¹"),
        ("E exp(-k A) <= e^-k", "𝔼 exp(-k A) ≤ e⁻ᵏ"),
        ("[0.089 +/- 2.7e-8], 1 - E[p-hat|r]", "[0.089 ± 2.7e-8], 1 - 𝔼[p̂|r]"),
        ("c < sqrt 2 is too small, sqrt 2 E C(z)", "c < √2 is too small, √2 E C(z)"),
        ("R sqrt eta, sqrt d - sqrt n_r", "R √η, √d - √nᵣ"),
    ],
)
def test_a_formula_reads_as_mathematics(text, shown):
    assert plain_math(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "nichani.lem6.delta-sign: cited",
        "the indices are x (2 times)",
        "a*(s, r) and q(a*)",
        "other_name, hits_n, x_i_j",
        "a<b, c>d",
        "a sum of squares, summarised",
        "f : [N] -- [M]",
        "alphabet, gammas",
        "d^k/2, N^(eps), 7^(q-1), |N|^(T - 3), f^i(x), e^-x/2, (x)^-1/2",
        "that-hat, a p-hatted one, E = 1, E<x",
        "the gamma function, a beta distribution",
        "sqrt takes one argument, the sqrt a reader sees",
    ],
)
def test_what_may_be_something_else_stays(text):
    assert plain_math(text) == text


def test_a_text_has_its_latex_and_its_plain_formulas_in_unicode():
    text = "gamma is $\\gamma_{1}^2 \\le \\langle v, w \\rangle$\n and E[gamma] <= d^2"
    assert plain_text(text) == "γ is γ₁² ≤ ⟨v, w⟩ and 𝔼[γ] ≤ d²"
