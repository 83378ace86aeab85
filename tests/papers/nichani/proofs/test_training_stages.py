"""The exact side of Figure 5: levels of the loss, and what breaks where they are stated wrongly."""

from fractions import Fraction
from itertools import product
from math import comb, log

import pytest

from proofs.algebra import RationalFunction
from proofs.algebra.balls import precision
from proofs.papers.nichani import training_stages as stages

n, S, R, D = (RationalFunction.symbol(name) for name in "nSRD")
NEAR = {"reach": Fraction(1, 125), "most": Fraction(1, 50), "gap": Fraction(1, 8)}


def near(small="relation", large="subject", floor=Fraction(3, 2), **changed):
    return stages.near_plateau(**(NEAR | changed), floor=floor, small=small, large=large)


def test_right_statements_are_proved():
    for argument in (
        stages.uniform_start(R * D),
        stages.plateau_level(n / S, S / n, D),
        stages.plateau_level(n / S, S / n, None),
        near(),
        near(large="total"),
        stages.random_tables(Fraction(182, 100), Fraction(183, 100)),
        stages.converges(Fraction(0), Fraction(1), Fraction(1)),
    ):
        assert argument.holds


@pytest.mark.parametrize("answers", [D, S, R * D + 1, S * R, (R + 1) * D, R * D / 2])
def test_another_number_of_answers_has_a_witness(answers):
    argument = stages.uniform_start(answers)
    assert not argument.holds
    assert argument.witness["|A|"] != argument.witness["stated"]


def test_the_printed_level_fails_at_the_sizes_of_the_figure():
    witness = stages.plateau_level(n / S, D, None).witness
    assert witness["table"] == "S = 16, R = 4, D = 8"
    assert witness["subjects of the answers of each relation"] == "9, 1, 1, 1, 1, 1, 1, 1"
    assert float(witness["loss of p*(. | r)"]) == pytest.approx(log(16) - 9 / 16 * log(9))
    assert float(witness["stated"]) == pytest.approx(log(8))


def test_a_level_that_is_right_at_the_sizes_of_the_figure_alone_is_refused():
    argument = stages.plateau_level(n / 16, S / n, None)
    assert not argument.holds
    assert argument.witness["table"] == "S = 3, R = 4, D = 2"


@pytest.mark.parametrize("ceiling", [D - 1, D + 1, R * D, S])
def test_another_ceiling_is_refused(ceiling):
    argument = stages.plateau_level(n / S, S / n, ceiling)
    assert not argument.holds
    assert argument.witness["level"] == "log 8"


@pytest.mark.parametrize("counts", [(2, 1), (9, *[1] * 7), (2,) * 8, (5,)])
def test_the_entropy_is_the_mean_loss_of_the_subjects_one_by_one(counts):
    subjects = [a for a, count in enumerate(counts) for _ in range(count)]
    mean = sum(log(len(subjects) / subjects.count(a)) for a in subjects) / len(subjects)
    with precision():
        assert float(stages.entropy(counts)) == pytest.approx(mean)


def test_the_expected_level_is_the_mean_over_all_tables():
    S, D = 4, 3
    levels = []
    for table in product(range(D), repeat=S):
        levels.append(sum(log(S / table.count(a)) for a in table) / S)
    with precision():
        found = float(stages.expected_level(S, D))
    assert found == pytest.approx(sum(levels) / len(levels))


def test_parts_are_all_partitions():
    found = list(stages._parts(16, 8))
    assert len(found) == len(set(found)) == 22  # the partitions of 8 into at most 8 parts
    assert all(sum(parts) == 16 and min(parts) >= 1 for parts in found)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"most": Fraction(1, 100)}, "relation-only loss"),
        ({"reach": Fraction(1, 20)}, "relation-only loss"),
        ({"gap": Fraction(0)}, "subject-only loss"),
        ({"gap": Fraction(-1, 10)}, "subject-only loss"),
        ({"floor": Fraction(8, 5)}, "level"),
        ({"small": "subject", "large": "relation"}, "relation-only loss"),
        ({"small": "total"}, "subject-only and total loss"),
        ({"large": "relation"}, "relation-only loss"),
    ],
)
def test_wrong_bounds_near_the_plateau_have_a_witness(changed, named):
    assert named in near(**changed).witness


@pytest.mark.parametrize(
    ("changed", "holds"),
    [
        # m = sqrt(6)/125 moves out of A_r, D m = 8 sqrt(7/2)/125 is the most that A_s can gain.
        ({"gap": Fraction(120, 1000)}, True),
        ({"gap": Fraction(119, 1000)}, False),
        ({"most": Fraction(198, 10**4)}, True),
        ({"most": Fraction(197, 10**4)}, False),
    ],
)
def test_the_bounds_near_the_plateau_are_as_wide_as_they_have_to_be(changed, holds):
    assert near(**changed).holds == holds


@pytest.mark.parametrize(
    ("mass", "out", "kept"), [("m/24", 24, 8), ("m/4", 4, 7)], ids=["outside of A_r", "to A_s"]
)
def test_witnesses_are_within_reach(mass, out, kept):
    changed = {"most": Fraction(1, 100)} if out == 24 else {"gap": Fraction(0)}
    witness = near(**changed).witness
    assert mass in witness["p-hat"]
    m = Fraction(witness["p-hat"].rsplit("m = ")[1])
    assert m**2 * (Fraction(1, out) + Fraction(1, kept)) <= Fraction(1, 125) ** 2


@pytest.mark.parametrize("limit", [Fraction(1, 1000), Fraction(9, 5)])
def test_another_limit_is_refused(limit):
    argument = stages.converges(limit, Fraction(1), Fraction(1))
    assert not argument.holds
    assert argument.witness["stated"] == limit


def test_the_flow_from_keys_of_zero_stays():
    argument = stages.converges(Fraction(0), Fraction(1), Fraction(0))
    assert not argument.holds
    assert "for ever" in argument.witness["loss"]


@pytest.mark.parametrize(
    "ends", [(Fraction(183, 100), Fraction(184, 100)), (Fraction(1), Fraction(182, 100))]
)
def test_other_ends_of_the_expected_level_are_refused(ends):
    argument = stages.random_tables(*ends)
    assert not argument.holds
    assert argument.witness["expected level"].startswith("1.82597")


def test_a_balanced_relation_has_the_multinomial_probability():
    # Two subjects for each of eight answers, chosen one answer after the other.
    ways = 1
    for left in range(16, 0, -2):
        ways *= comb(left, 2)
    argument = stages.random_tables(Fraction(182, 100), Fraction(183, 100))
    line = next(line for line in argument.lines if "probability below" in line.text)
    assert f"1/{8**64 // ways**4}" in line.reason
