"""Arguments hold only if every line does, and name the first one that fails."""

from __future__ import annotations

import pytest
from flint import arb

from proofs import attacks
from proofs.algebra import RationalFunction
from proofs.argument import (
    Argument,
    Witness,
    exceeds,
    first_witness,
    proofs_alone,
    search,
    searching,
    violation,
)
from proofs.citations import MARKOV

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


@pytest.mark.parametrize("source", ["Markov's inequality", "nichani.thm1.explicit.mgf", None])
def test_only_a_published_theorem_is_cited(source: object) -> None:
    argument = Argument()
    with pytest.raises(TypeError, match=r"is no Citation; a claim .* is used"):
        argument.cite("a fact", source)  # type: ignore[arg-type]
    assert not argument.lines


def test_a_claim_that_is_used_is_no_assumption() -> None:
    argument = Argument()
    argument.use("x <= y", "paper.lemma")
    assert argument.holds
    assert argument.assumptions == []
    assert str(argument.lines[0]) == "x <= y   [by the claim paper.lemma]"


def test_a_cited_theorem_is_listed_by_its_name() -> None:
    argument = Argument()
    argument.cite("a use", MARKOV)
    assert argument.assumptions == [f"{MARKOV.name}: a use"]
    assert argument.lines[0].reason == f"cited: {MARKOV.name}"


def right() -> Argument:
    argument = Argument()
    argument.equal("right", d, d)
    return argument


def test_an_argument_with_a_witness_against_it_does_not_hold() -> None:
    argument = right().refute({"d": 1})
    assert argument.broken is None
    assert not argument.holds


def test_no_witness_leaves_an_argument_as_it_is() -> None:
    assert right().refute(None).holds


def test_the_first_witness_counts() -> None:
    assert right().refute({"d": 1}).refute({"d": 2}).refute(None).witness == {"d": 1}


def test_what_rests_on_a_refuted_step_is_broken_and_not_refuted() -> None:
    whole = right()
    whole.include(right().refute({"d": 1}))
    assert whole.witness is None
    assert whole.broken is not None
    assert "'d': 1" in whole.broken.reason


def test_places_are_looked_at_one_after_the_other_until_one_fails() -> None:
    seen = []

    def fails(n: int) -> dict[str, object] | None:
        seen.append(n)
        return {"n": n} if n > 1 else None

    assert first_witness(map(fails, range(5))) == {"n": 2}
    assert seen == [0, 1, 2]
    assert first_witness(map(fails, range(2))) is None


def test_a_violation_is_the_first_point_at_which_the_left_side_is_larger() -> None:
    points = [{"d": n} for n in (1, 2, 3)]
    assert violation(d, d / d, points, ("left", "right")) == {"d": "2", "left": "2", "right": "1"}
    assert violation(d, d, points, ("left", "right")) is None


def test_overlapping_balls_exceed_nothing() -> None:
    assert exceeds(arb(1, 1), arb(1, 1), {}, ("left", "right")) is None
    assert exceeds(arb(2), arb(1), {"d": 1}, ("left", "right")) is not None


def test_a_sign_says_for_which_sizes_it_was_decided() -> None:
    argument = Argument()
    argument.nonnegative("size", d - 1, {"d": 1})
    argument.nonnegative("inside", d - 1, {"d": 1, "N": 2}, interior=True)
    assert str(argument.lines[0]) == "size, for d >= 1   [nonnegative coefficients: d]"
    assert argument.lines[1].region == "d > 1, N > 2"


def _held() -> Argument:
    argument = Argument()
    argument.true("one line", True, "exact")
    return argument


def test_nothing_is_looked_for_where_proofs_are_judged_alone() -> None:
    looked: list[int] = []

    @search
    def look(n: int) -> Witness | None:
        looked.append(n)
        return {"n": n}

    places = [{"d": 5}]
    five = d * 0 + 4
    with proofs_alone():
        assert not searching()
        assert look(1) is None
        assert first_witness(map(look, [2, 3])) is None
        assert violation(d, five, places, ("left", "right")) is None
        assert exceeds(arb(2), arb(1), {}, ("left", "right")) is None
        assert _held().unless({"n": 1}).holds
        assert not _held().refute({"n": 1}).holds
        attacks.require_refusals.__wrapped__()
    assert looked == []
    assert searching()
    assert look(1) == {"n": 1}
    assert violation(d, five, places, ("left", "right")) is not None
    assert not _held().unless({"n": 1}).holds
    assert _held().unless(None).holds


def test_a_line_that_is_decided_to_be_false_breaks_and_refutes() -> None:
    argument = _held().fails("the count", {"n": 3, "stated": 4})
    assert str(argument.broken) == "FAILS: the count   [n = 3, stated = 4]"
    assert argument.witness == {"n": 3, "stated": 4}
