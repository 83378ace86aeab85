"""The arithmetic of counterexamples by hand: typeset as written, refused unless every step holds."""

import pytest

from verify.catalogue import catalogue
from verify.claim import Claim, Registry
from verify.errors import CatalogueError
from verify.printed.arithmetic import Chain, Unsound, typeset, validate
from verify.verdict import Verdict


@pytest.mark.parametrize(
    "text",
    [
        "1 + 1/2 = 3/2 < 7/4",
        "(1 + 1/2)**2 - 2/4 = 7/4 != 3/2",
        "sqrt(2)*sqrt(3) = sqrt(6) <= 5/2",
        "2**(1/2) = sqrt(2)",
        "log(17/9) ~ 0.636",
        "exp(-40) ~ 4.2e-18",
        "ceil(7/2) = 4 > floor(7/2) = 3",
        "log2(3) >= 3/2",
        "log2(8) = 3",
        "1 - (2 - 3) = 2",
        "-1/2 >= -1/2",
        "pi ~ 3.14",
        "pi ~ 3.14159265358979323846",
        "1/8 ~ 0.12",
        "1/8 ~ 0.13",
        "1 + 10**(-100) > 1",
        "ceil(1/10*10) < 2",
        "sqrt(2) + floor(1/3*3) > 2",
        "0.30 = 3/10",
        "-2 ~ -2.0",
    ],
)
def test_what_holds_is_accepted(text):
    validate(f"before [[{text}]] after")


@pytest.mark.parametrize(
    "text",
    [
        "1 + 1/2 = 7/4",
        "1 < 2 < 3/2",
        "sqrt(2) = 1414/1000",
        "sqrt(2) != 2**(1/2)",
        "1/3 ~ 0.34",
        "2/3 ~ 0.66",
        "log(2) <= 1/2",
        "2 >= 3",
        "1 > 1",
        "sqrt(0 - 1) > 0",
        "1/0 = 1",
        "exp(1) = 2.718",
        "log2(8) = 5/2",
        "0.30000000000000001 = 0.3",
        "1e-400 = 0",
        "1e999 = 1e309",
        "pi ~ 3.14159265358979323847",
        "249 ~ 3e2",
    ],
)
def test_what_does_not_hold_is_refused_with_the_step(text):
    with pytest.raises(Unsound, match=r"by hand: .*(does not hold|divides|cannot be decided)"):
        validate(f"[[{text}]]")


@pytest.mark.parametrize(
    "text",
    [
        "d = 1",
        "1 + = 2",
        "'a' = 1",
        "abs(1) = 1",
        "1/3 ~ 1/3",
        "1 2 = 3",
        "True = 1",
        "0x10 = 16",
        "1j = 1",
        "1e99999 > 1",
        "\0 = 1",
        "\ud800 = 1",
    ],
)
def test_what_is_no_arithmetic_is_refused(text):
    with pytest.raises(Unsound):
        validate(f"[[{text}]]")


@pytest.mark.parametrize(
    "text",
    [
        "9**9**9**9 = 1",
        "2 < 9**9**9**9",
        "2**-10**9 < 1",
        "(1 + 1/2**100)**2**100 > 2",
        "exp(10**9) > 1",
        "exp(-(10**9)) < 1",
        "1 ~ 1e9999",
    ],
)
def test_a_number_that_nobody_would_write_out_is_refused_at_once(text):
    with pytest.raises(Unsound, match="too large or too small to be written out"):
        validate(f"[[{text}]]")


@pytest.mark.parametrize("text", ["1" + " + 1" * 5000, "-" * 5000 + "1", "(" * 5000])
def test_a_side_that_nobody_would_read_is_refused(text):
    with pytest.raises(Unsound, match="is too long; write it in several steps"):
        validate(f"[[{text} = 1]]")


@pytest.mark.parametrize("text", ["[[2 = 3]", "2 = 3]]", "[[1 = 1]] and [[2 = 3", "[[]]"])
def test_a_chain_with_a_bracket_lost_is_refused(text):
    with pytest.raises(Unsound, match=r"do not enclose a chain; write \[\[a = b\]\]"):
        validate(text)


def test_a_chain_without_a_relation_is_refused():
    with pytest.raises(Unsound, match=r"no relation; write \[\[a = b\]\]"):
        Chain.parse("1 + 1")


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        (
            "(1 + 1/2)**2 - 2/4 = 7/4",
            r"\left(1 + \frac{1}{2}\right)^{2} - \frac{2}{4} = \frac{7}{4}",
        ),
        ("2*3 < 7 <= 7 ~ 7.0", r"2 \cdot 3 < 7 \le 7 \approx 7.0"),
        ("1 - (2 - 3) >= 2", r"1 - \left(2 - 3\right) \ge 2"),
        ("3*(0 - 1) != log2(3)", r"3 \cdot \left(0 - 1\right) \ne \log_2\left(3\right)"),
        ("exp(-40) ~ 4.2e-18", r"e^{-40} \approx 4.2 \cdot 10^{-18}"),
        ("(4e-9)**2 < 1", r"\left(4 \cdot 10^{-9}\right)^{2} < 1"),
        ("1 + 2 + 3 = 2*3 < 2*3*4", r"1 + 2 + 3 = 2 \cdot 3 < 2 \cdot 3 \cdot 4"),
        ("1/2 ~ 0.50", r"\frac{1}{2} \approx 0.50"),
        ("(1/2)**3 = 1/8", r"\left(\frac{1}{2}\right)^{3} = \frac{1}{8}"),
        ("(1/2)/(3/4) = 2/3", r"\frac{1/2}{3/4} = \frac{2}{3}"),
        ("2**(1/2) < sqrt(5/2)", r"2^{1/2} < \sqrt{5/2}"),
        ("exp(-1/2) < 1", "e^{-1/2} < 1"),
        ("2**3*exp(1) > 21", r"2^{3} \cdot e > 21"),
        ("log(1/2) < 0", r"\log\left(\frac{1}{2}\right) < 0"),
        ("(1 + (1/2)*3)/2 > 1", r"\frac{1 + \left(1/2\right) \cdot 3}{2} > 1"),
        ("(2*3/4)/2 > 0", r"\frac{2 \cdot 3/4}{2} > 0"),
        (
            "((1/2)/3 + (1/(2*3))**2)/5 > 0",
            r"\frac{\left(1/2\right)/3 + \left(1/\left(2 \cdot 3\right)\right)^{2}}{5} > 0",
        ),
    ],
)
def test_chains_are_typeset_as_written(text, latex):
    assert Chain.parse(text).latex() == latex


def test_the_text_around_stays():
    assert typeset("so $x$ is [[1 = 1]], and [[2 > 1]].") == "so $x$ is $1 = 1$, and $2 > 1$."


def test_a_catalogue_with_wrong_arithmetic_is_refused():
    registry = Registry()
    registry.add(Claim("a", "", "", by_hand=("then [[1 + 1 = 3]]",)))
    with pytest.raises(CatalogueError, match=r"a: by hand: 1 \+ 1 = 3 does not hold"):
        registry.validate()


def test_every_false_statement_of_the_papers_is_worked_out_by_hand():
    false = [claim for claim in catalogue() if claim.recorded is Verdict.REFUTED]
    assert false
    assert [claim.id for claim in false if not claim.by_hand] == []
