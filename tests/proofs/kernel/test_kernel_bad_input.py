"""What is no term, no region, no theorem: the argument is named, and what was given."""

from fractions import Fraction
from time import process_time

import pytest

from proofs import kernel
from proofs.kernel import Compare, Goal, Region, at_least, between, coordinate, symbols, whole

d, t = symbols("d t")
SIZES = Region((whole("d", 1), at_least("t", 0)))
LESS = Compare(d, "<=", d + 1)
G = coordinate("g", d)
MGF = kernel.coordinate_mgf()

WRONG = {
    "instantiate: theorem: 'it' is no Theorem": lambda: kernel.instantiate("it", {}, SIZES),
    "instantiate: region: 'd >= 1' is no Region": lambda: kernel.instantiate(MGF, {}, "d >= 1"),
    "0.5 is no exact number": lambda: kernel.instantiate(MGF, {"r": 0.5}, SIZES),
    "chain: second: 3 is no Theorem": lambda: kernel.chain(MGF, 3),
    "sign: statement: 'd <= 2' is no Compare": lambda: kernel.sign("d <= 2", SIZES),
    "sign: region: None is no Region": lambda: kernel.sign(LESS, None),
    "is no multiplier with a theorem": lambda: kernel.sign(LESS, SIZES, MGF),
    "'it' is no theorem": lambda: kernel.sign(LESS, SIZES, (1, "it")),
    "markov: rate: 'r' is no Term or int or Fraction": lambda: kernel.markov(G, "r", SIZES),
    "times: factor: 0.5 is no Term or int or Fraction": lambda: kernel.times(MGF, 0.5),
    "independent: factors: 'it' is no Theorem": lambda: kernel.independent(G, d, SIZES, "it"),
    "restate: statement: None is no Compare or SameLaw": lambda: kernel.restate(MGF, None),
    "margin_law: memory: None is no Memory": lambda: kernel.margin_law(None, inside=True),
    "exp_of_log: power: .* is no int": lambda: kernel.exp_of_log(d, Fraction(1, 2), SIZES),
    "coordinate_mgf: rate: 3 is no str": lambda: kernel.coordinate_mgf(3),
    "weaken: theorem: 'it' is no Theorem": lambda: Goal(LESS, SIZES).reached("it"),
    "'d <= 2', .*: no statement on a region": lambda: Goal("d <= 2", SIZES),
    "hypotheses: .* has something else": lambda: Goal(LESS, SIZES, ("d <= 2",)),
    "is one range; write Region": lambda: Region(whole("d", 1)),
    "names: .* is no text": lambda: symbols(["d", "t"]),
}


@pytest.mark.parametrize("said", sorted(WRONG))
def test_an_argument_of_another_kind_is_named(said):
    with pytest.raises(TypeError, match=said):
        WRONG[said]()


@pytest.mark.parametrize("power", [14, 10**4, 10**9])
def test_what_is_too_large_is_refused_at_once(power):
    many = [kernel.symbol(f"e{i}") for i in range(8)]
    region = Region(tuple(at_least(one.name, 0) for one in many))
    wide = (1 + sum(many[1:], many[0]) - 3 * many[0] * many[1]) ** power + 1
    begun = process_time()
    with pytest.raises(
        kernel.Refused, match=r"too large to be decided: up to \d+ terms; split it$"
    ):
        kernel.sign(Compare(kernel.term(0), "<=", wide), region)
    with pytest.raises(kernel.Refused, match=r"^identity: too large .* terms; split it$"):
        kernel.identity(wide, wide + 1, region)
    assert process_time() - begun < 5


def test_a_sign_without_a_region_says_nothing_of_one():
    with pytest.raises(kernel.Refused, match=r"^sign: 2 <= 1: 1 - 2 >= 0: it is false$"):
        kernel.sign(Compare(kernel.term(2), "<=", kernel.term(1)), Region())


def test_a_range_in_which_nothing_is_is_none():
    with pytest.raises(ValueError, match="t: nothing is between 3 and 1"):
        between("t", 3, 1)


def test_what_is_refused_is_shown_as_one_writes_it():
    assert [repr(it) for it in (d + 1, whole("d", 1), SIZES, kernel.square(d, SIZES))] == [
        "Term(d + 1)",
        "Range(whole d >= 1)",
        "Region(whole d >= 1, t >= 0)",
        "Theorem(for whole d >= 1, t >= 0: 0 <= d^2)",
    ]
