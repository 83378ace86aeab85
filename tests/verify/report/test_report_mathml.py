"""Formulas of the page: spaces at their signs, and where a line may break."""

import pytest

from verify.typeset.mathml import formula, formula_pieces

TIGHT = 'lspace="0" rspace="0"'


@pytest.mark.parametrize("latex", ["1/d", "a|V|b", r"a\|u\|b", r"x^{-y/2}"])
def test_there_is_no_space_around_a_slash_or_a_bar(latex):
    text = formula(latex)
    assert text.count(TIGHT) == sum(map(text.count, (">/<", ">|<", ">‖<"))) > 0


@pytest.mark.parametrize("latex", ["a = b", "x + y", r"p \mid q"])
def test_other_signs_keep_their_space(latex):
    assert TIGHT not in formula(latex)


def test_a_short_formula_is_not_torn():
    assert len(formula_pieces(r"d \ge 2")) == 1
    assert len(formula_pieces("a = b + c + d + e")) > 1
