"""Arguments hold only if every line does, and name the first one that fails."""

from __future__ import annotations

from flint import arb

from proofs.algebra import RationalFunction
from proofs.argument import Argument

d = RationalFunction.symbol("d")


def test_an_empty_argument_does_not_hold() -> None:
    assert not Argument().holds


def test_an_argument_of_lines_that_hold_holds() -> None:
    argument = Argument()
    argument.equal("square", (d + 1) ** 2, d**2 + 2 * d + 1)
    argument.nonnegative("size", d - 1, {"d": 1})
    argument.at_most("numbers", arb(1), arb(2))
    assert argument.holds
    assert argument.broken is None


def test_the_first_line_that_fails_is_named() -> None:
    argument = Argument()
    argument.equal("right", d, d)
    argument.equal("wrong", d, d + 1)
    argument.equal("wrong as well", d, d + 2)
    assert argument.broken is argument.lines[1]


def test_a_broken_identity_shows_the_difference() -> None:
    argument = Argument()
    argument.equal("wrong", d, d + 1)
    assert "-1" in argument.lines[0].reason


def test_a_violated_inequality_shows_the_sizes() -> None:
    argument = Argument()
    argument.nonnegative("wrong", d - 2, {"d": 1})
    assert argument.lines[0].reason == "-1 at d = 1"


def test_an_undecided_inequality_does_not_hold() -> None:
    argument = Argument()
    assert not argument.nonnegative("true but undecided", (d - 5) ** 2, {"d": 1})
    assert "undecided" in argument.lines[0].reason


def test_overlapping_balls_do_not_compare() -> None:
    assert not Argument().at_most("open", arb(1, 1), arb(1, 1))


def test_cited_lines_are_listed_as_assumptions() -> None:
    argument = Argument()
    argument.cite("a fact", "a source")
    assert argument.assumptions == ["a source: a fact"]
