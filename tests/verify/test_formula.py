"""Printed formulas: read as data, exact in their field, refused when they are anything else."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofs.algebra import RationalFunction
from verify.printed.formula import Formula, FormulaError
from verify.printed.mutants import slips


def formulas(depth: int = 3) -> st.SearchStrategy[str]:
    leaves = st.sampled_from(["d", "N", "1", "2", "7"])
    return st.recursive(
        leaves,
        lambda inner: st.builds(
            lambda a, op, b: f"({a} {op} {b})", inner, st.sampled_from("+-*"), inner
        ),
        max_leaves=depth * 3,
    )


@given(formulas())
def test_a_formula_survives_being_printed_and_read_again(text):
    formula = Formula.parse(text)
    assert Formula.parse(str(formula)).field() == formula.field()


@given(formulas(), st.integers(1, 9), st.integers(1, 9))
def test_the_field_element_has_the_value_of_the_text(text, d, N):
    expected = eval(text, {"d": d, "N": N})  # the text was built above from digits and + - *
    assert Formula.parse(text).field()(d=d, N=N).as_fraction() == expected


@given(formulas(), st.integers(1, 9), st.integers(1, 9))
def test_all_ways_to_a_value_agree(text, d, N):
    formula, sizes = Formula.parse(text), {"d": d, "N": N}
    exact = formula.field()(**sizes).as_fraction()
    assert formula.at(**sizes) == exact
    assert formula.between({}, **sizes) == (exact, exact)
    assert formula.real(**sizes) == float(exact)
    assert formula.on(**sizes) == pytest.approx(float(exact))
    assert formula.at(d) == formula.at(d=d, N=d)


@pytest.mark.parametrize(
    "text",
    [
        "+".join("1" * 3000),
        "*".join("d" * 5000),
        "-" * 2000 + "1",
        "(" * 3000 + "1" + ")" * 3000,
        "(" * 150 + "1" + ")" * 149,
        "1" * 5000,
        "d + " * 6000 + "d",
        "d\0",
        "0x" + "f" * 5000,
        "[" * 500,
    ],
    ids=lambda text: f"{text[:4]!r} {len(text)}",
)
def test_what_is_too_long_or_too_deep_is_refused_in_one_line(text):
    with pytest.raises(FormulaError) as caught:
        Formula.parse(text)
    assert len(str(caught.value)) < 400
    assert "\n" not in str(caught.value)


def test_a_sum_of_two_hundred_terms_is_read():
    assert Formula.parse("+".join(["d"] * 200)).at(d=2) == 400


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("9**9**9", {}),
        ("2**(2**40)", {}),
        ("(9**10**6)**1000", {}),
        ("(d + 1)**100000", {"d": 3}),
        ("(d + 1)**(0 - 100000)", {"d": 3}),
        ("d**N", {"d": 10, "N": 10**9}),
        ("(1/3)**(10**9)", {}),
    ],
)
def test_a_power_that_would_never_end_is_refused(text, sizes):
    formula = Formula.parse(text)
    ranges = {name: (Fraction(size), Fraction(size)) for name, size in sizes.items()}
    for way in (lambda: formula.at(**sizes), lambda: formula.real(**sizes)):
        with pytest.raises(FormulaError, match=r"beyond|binary digits"):
            way()
    with pytest.raises(FormulaError, match=r"beyond|binary digits"):
        formula.interval(ranges)


@pytest.mark.parametrize(
    "text", ["(d**2)**3", "d**2**3", "(0 - d)**2", "2**(0 - d)", "(d**2)**(N - 1)"]
)
def test_powers_of_powers_survive_being_printed(text):
    formula = Formula.parse(text)
    assert Formula.parse(str(formula)).at(d=2, N=3) == formula.at(d=2, N=3)


def test_a_value_is_taken_at_exponents_and_floats_exactly():
    assert Formula.parse("N**(T - 3)").at(N=2, T=6) == 8
    assert Formula.parse("x*3").at(x=0.1) == 3 * Fraction(0.1)


@pytest.mark.parametrize("way", ["at", "real", "on"])
def test_a_symbol_without_a_value_is_named_beside_those_that_have_one(way):
    with pytest.raises(FormulaError, match=r"d \* N: no value for d; those given: M, N"):
        getattr(Formula.parse("d*N"), way)(N=1, M=2)


def test_a_pole_is_what_the_caller_says():
    formula = Formula.parse("1/(d - 1)")
    assert formula.on(float("inf"), d=1) == float("inf")
    for way in (formula.at, formula.real, formula.on):
        with pytest.raises(ZeroDivisionError):
            way(d=1)


@given(formulas(), st.integers(1, 9), st.integers(1, 9))
def test_the_interval_of_points_is_the_value(text, d, N):
    formula = Formula.parse(text)
    low, high = formula.interval({"d": (Fraction(d),) * 2, "N": (Fraction(N),) * 2})
    assert low == high == formula.field()(d=d, N=N).as_fraction()


def test_an_interval_holds_every_value_of_its_arguments():
    formula = Formula.parse("(1 - d)**2/(d + 1)")
    low, high = formula.interval({"d": (Fraction(1, 2), Fraction(2))})
    values = [formula.field()(d=Fraction(k, 8)).as_fraction() for k in range(4, 17)]
    assert low <= min(values)
    assert max(values) <= high


@pytest.mark.parametrize(
    "text",
    [
        "1.5*d",
        "f(d)",
        "__import__('os')",
        "d.real",
        "d if N else 1",
        "'d'",
        "d[0]",
        "True",
        "",
        "1 +",
    ],
)
def test_anything_but_rational_arithmetic_is_refused(text):
    with pytest.raises(FormulaError):
        Formula.parse(text)


def test_greek_letters_are_printed_as_such():
    assert Formula.parse("(alpha - 1)/beta").latex() == r"\frac{\alpha - 1}{\beta}"
    assert Formula.parse("mean").latex() == r"\mathrm{mean}"


def test_latex_groups_as_the_formula_does():
    assert Formula.parse("(1 + 1/d)**2").latex() == r"\left(1 + \frac{1}{d}\right)^{2}"


def test_slips_cover_every_kind_of_mistake():
    names = " ".join(slip.name for slip in slips(Formula.parse("2*(N - 2)/d**2 + 1/d")))
    for kind in ("off by one", "taken for", "flipped", "dropped", "power lost", "doubled", "lost"):
        assert kind in names


@given(formulas())
def test_slips_are_distinct_and_never_the_formula_itself(text):
    formula = Formula.parse(text)
    texts = [str(slip.formula) for slip in slips(formula)]
    assert len(texts) == len(set(texts))
    assert str(formula) not in texts


def test_names_can_stand_for_derived_quantities():
    value = Formula.parse("K*N").field({"K": RationalFunction.of(1) / RationalFunction.symbol("d")})
    assert value == RationalFunction.symbol("N") / RationalFunction.symbol("d")
