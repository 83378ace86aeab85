"""The engine comes to what its cases say, and what must be refused is refused."""

import pytest

from proofs.cases import refusals, require_cases, require_refusal, require_result, results


@pytest.mark.parametrize(("tried", "text"), list(results()))
def test_the_engine_comes_to(tried, text):
    require_result(tried, text)


@pytest.mark.parametrize(("said", "tried"), list(refusals()))
def test_the_engine_refuses(said, tried):
    require_refusal(said, tried)


def test_the_cases_hold_whichever_come_first():
    require_cases("moments")
    require_cases()


def test_another_result_is_told():
    with pytest.raises(ArithmeticError, match="'2' was expected, not '12'"):
        require_result(lambda: 12, "2")


def test_what_is_not_refused_is_told():
    with pytest.raises(ArithmeticError, match="'x' is not refused; it comes to 1"):
        require_refusal("x", lambda: 1)
    with pytest.raises(ArithmeticError, match="not 'x' is said, but: y"):
        require_refusal("x", refuse)


def refuse():
    raise ValueError("y")
