"""`python -m proofs.information`: the table, its bounds, and what it says of bad input."""

import re
from pathlib import Path

import pytest

from proofs.information import learners
from proofs.information.__main__ import PRINTED, lines, main
from verify.catalogue import catalogue

ROOT = Path(__file__).parents[3]
TABLE = list(lines(20_000, 0))


def printed(arguments, capsys):
    assert main(arguments) == 0
    return capsys.readouterr().out.splitlines()


def test_each_world_has_a_row_in_a_hundred_columns():
    worlds = [tuple(map(int, row.split()[:3])) for row in TABLE[2:-2]]
    assert worlds == list(learners.worlds(20_000))
    assert len(worlds) == 38
    assert max(map(len, TABLE)) <= 100


def test_rows_that_are_known_by_hand():
    rows = {tuple(row.split()[:3]): row.split()[3:] for row in TABLE[2:-2]}
    assert rows["1", "2", "1"] == ["4", "0", "1.000000*", "0", "0", "0"]
    # Three values, one bit: 2/3 of a bit is left, log2(3) - 1 is the bound.
    assert rows["1", "3", "1"] == ["8", "0.666667", "1.584963*", "0", "0.584963", "0.081704"]
    assert rows["2", "2", "0"] == ["1", "1.000000", "1.000000", "1.000000", "1.000000", "0"]


def test_a_star_marks_the_worlds_in_which_theorem_7_is_false():
    for row, world in zip(learners.table(20_000, (0,)), TABLE[2:-2], strict=True):
        assert ("*" in world) == (row.bound(PRINTED) > row.best.loss)
    stars = sum("*" in row for row in TABLE[2:-2])
    assert f"in {stars} of 38 worlds" in TABLE[-2]
    met = sum(row.endswith(" 0") for row in TABLE[2:-2])
    assert TABLE[-1].startswith(f"The sharp bound is met exactly in {met}:")
    assert 0 < stars < 38
    assert 0 < met < 38


def test_what_is_taken_as_printed_is_the_statement_of_the_claim():
    formulas = catalogue()["nichani.thm7.stmt"].formulas
    assert PRINTED.first == formulas["first"].field()
    assert PRINTED.rest == formulas["rest"].field()
    assert PRINTED.factor == formulas["factor"].number()


def test_a_prior_weighs_the_values(capsys):
    found = printed(["--prior", "power:1", "--encoders", "16"], capsys)
    assert "x^-1" in found[0]
    # p = (2/3, 1/3): one bit stores the first value, and a third of a bit is left.
    assert found[-3].split() == [
        "2",
        "2",
        "1",
        "16",
        "0.333333",
        "1.000000*",
        *["0.333333"] * 2,
        "0",
    ]


def test_what_is_small_keeps_its_digits(capsys):
    found = printed(["--prior", "power:20", "--encoders", "16"], capsys)
    assert found[-3].split()[4] == "9.537e-7"  # 2^-20/(1 + 2^-20)


def test_the_guide_shows_the_table_of_small_worlds(capsys):
    guide = (ROOT / "docs" / "learning-and-limits.md").read_text(encoding="utf-8")
    pattern = r"python -m proofs\.information ([^\n]*)\n```\n\n```text\n(.*?)```"
    ((arguments, shown),) = re.findall(pattern, guide, re.DOTALL)
    assert printed(arguments.split(), capsys) == shown.splitlines()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--encoders", "3"], "argument --encoders: '3'; give a whole number from 4 to 1000000"),
        (["--encoders", "1000001"], "'1000001'; give a whole number from 4"),
        (["--encoders", "9" * 5000], "9'; give a whole number from 4"),
        (["--encoders", "many"], "argument --encoders: 'many'; give"),
        (["--prior", "x"], "argument --prior: 'x'; give uniform or power:ALPHA"),
        (["--prior", "power:"], "'power:'; give uniform or power:ALPHA"),
        (["--prior", "power:-1"], "'power:-1'; give"),
        (["--prior", "power:1.5"], "ALPHA a whole number from 0 to 99"),
        (["--prior", "power:100"], "'power:100'; give"),
        (["table"], "unrecognized arguments: table"),
    ],
)
def test_bad_input_is_named_with_its_remedy(arguments, words, capsys):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert words in capsys.readouterr().err.replace("\n", " ")
