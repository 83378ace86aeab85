"""What must be refused is refused for its own reason, what follows is concluded as it is printed."""

import pytest

from proofs.kernel import RULES
from proofs.kernel.attacks import FALSE
from proofs.kernel.cases import (
    conclusions,
    refusals,
    require_concluded,
    require_refused,
    rules_without,
)


@pytest.mark.parametrize(("said", "tried"), list(refusals()))
def test_what_does_not_follow(said, tried):
    require_refused(said, tried)


@pytest.mark.parametrize(("tried", "text"), list(conclusions()))
def test_what_follows(tried, text):
    require_concluded(tried, text)


def test_something_false_is_tried_of_every_rule():
    assert rules_without(set(RULES) - set(FALSE)) == []
    assert rules_without({"sign", "no_such_rule"}) == ["no_such_rule"]


def test_what_is_not_refused_is_told():
    with pytest.raises(ArithmeticError, match="'x' is not refused; it concluded 1"):
        require_refused("x", lambda: 1)
    with pytest.raises(ArithmeticError, match="not 'x' is said, but: y"):
        require_refused("x", refuse)


def test_what_is_concluded_otherwise_is_told():
    with pytest.raises(ArithmeticError, match="'x' is not in what was concluded: 1"):
        require_concluded(lambda: 1, "x")


def refuse():
    raise ValueError("y")
