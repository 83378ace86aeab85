"""Lemma 3 and its proof: what the paper prints, and examples worked out again."""

import math
import re
from fractions import Fraction

import pytest

from proofs.algebra import RationalFunction
from verify.papers.nichani import two_input_memory as memory
from verify.papers.nichani.two_input_memory import SMALLEST, Degrees
from verify.verdict import Verdict

F = Fraction


@pytest.fixture
def claim(registry):
    return lambda name: registry[f"nichani.lem3.{name}"]


@pytest.fixture
def counterexample(judge):
    return lambda name: judge.counterexample(f"nichani.lem3.{name}")


# -- verdicts -------------------------------------------------------------------------------------


def test_bounds_with_a_degree_in_the_exponent_are_those_of_the_paper(claim):
    at = {"S": 3, "R": 5, "d": 7}
    for degrees in (SMALLEST, Degrees(1, 3, 4)):
        p, k, n = degrees.p, degrees.k, degrees.names()
        first, second = F(4 * p, 7) ** p, F(4 * k, 7) ** k
        bound = claim("first-sum-count").formulas["bound"].field(n)(**at).as_fraction()
        assert bound == 15 * first * second + 3 * first + 5 * second
        limit = (
            claim("mean-limit").formulas["limit"].field({**n, "c": RationalFunction.constant(1)})
        )
        assert limit.as_fraction() == F(1, 2 ** (p + k))
        both = claim("relative-variance").formulas["both"].field(n)(**at).as_fraction()
        assert both == F(15, 7 ** (p + k))


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("degree-choice", ("epsilon", "C_2", "q", "p + k")),
        ("hermite-coefficient", ("(E sigma^(2)(Z))^2", "stated")),
        ("omega-sq", ("E[omega_i^2]",)),
        ("variance-identity", ("exact", "printed")),
        ("first-sum", ("left", "right")),
        ("margin-degree", ("degree", "stated")),
    ],
)
def test_the_lines_by_hand_come_to_what_the_check_finds(claim, counterexample, name, found):
    lines = " ".join(claim(name).by_hand)
    for value in (str(counterexample(name)[key]) for key in found):
        assert re.search(rf"(?<![\d.]){re.escape(value)}(?![\d.]*\d)", lines), value


@pytest.mark.parametrize("name", ["statement", "relative-variance.corrected", "omega-sq.corrected"])
def test_a_proof_in_words_lists_what_it_takes_on_trust(judge, name):
    (found,) = judge.all(f"nichani.lem3.{name}")
    assert found.assumptions


@pytest.mark.parametrize(
    "line",
    [
        "q/2 - 1/eps = C/eps, which is (C_2 - 2)/(2 eps)",
        "E gamma = c E[A^p] E[B^k] (1 - tau_p)(1 - tau_k)",
        "E A^2p/(E A^p)^2 is a product of p factors, each at most 1 + 6p/d",
        "and eta C_4/eps is at least D, eta = C/eps",
    ],
)
def test_every_part_of_the_proof_is_in_the_evidence(judge, line):
    """Degrees, features, variance, recall."""
    steps = judge("nichani.lem3.statement").steps
    assert sum(step.startswith(line) for step in steps) == 1


# -- the two sides --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", memory.KINDS)
@pytest.mark.parametrize("name", ["mean", "other", "square"])
def test_terms_agree_with_enumeration(name, kind):
    agree(memory.term_quantity(name, kind, SMALLEST))


@pytest.mark.parametrize("kind", memory.PAIRS)
@pytest.mark.parametrize("sharing", ["same", "other"])
def test_products_agree_with_enumeration(sharing, kind):
    agree(memory.cross_quantity(sharing, kind, SMALLEST))


@pytest.mark.parametrize("name", ["mean", "second", "variance", "square-sum", "other-sum"])
def test_sums_agree_with_enumeration(name):
    agree(memory.table_quantity(name, memory.LONE, SMALLEST))


def test_factors_agree_with_enumeration():
    for name in ("subject", "relation", "subject-norm", "relation-norm", "activation"):
        agree(memory.factor_quantity(name, SMALLEST))
    for squared in (False, True):
        agree(memory.signal_quantity(SMALLEST, squared=squared))
    for kind in ("own", "rival", "generic"):
        agree(memory.answer_quantity(kind))
    agree(memory.answer_sum())


def agree(quantity):
    assert quantity.tiny
    for sizes in quantity.tiny:
        engine = quantity.derived.value(**sizes, **quantity.parameters)
        assert engine == quantity.enumerate(sizes)


def test_the_slope_is_the_mean_of_a_derivative():
    """p = k = 1, q = 4: E sigma''(Z sqrt(t)) = sqrt(2) c_2 + sqrt(24) c_4 (t - 1)/2."""
    degrees = Degrees(1, 1, 4)
    it = memory.terms(degrees)
    A, B = it.squares()
    value = memory.mean(degrees.slope(A + B)).value(d=3, c2=F(1), c4=F(2))
    # E A = E B = 1/3 at d = 3.
    expected = math.sqrt(2) + math.sqrt(24) * (2 / 3 - 1)
    assert float(value.to_sympy({})) == pytest.approx(expected)


# -- counterexamples ------------------------------------------------------------------------------


def test_the_printed_degrees_are_too_large(counterexample):
    found = counterexample("degree-choice")
    assert (found["epsilon"], found["q"], found["p + k"]) == (F(5, 6), 3, 10)


def test_the_orlicz_norm_by_hand():
    """E(|P phi|^2 - 1/2)^2 is (2d + 1)/(4 d (d + 2)), at least 7/(20 d), and so above 2 C^2/d^2."""
    from proofs.papers.nichani.two_input_mlp import norm_moment

    for d in (3, 5, 7, 99):
        first, second = (norm_moment(j)(d=d).as_fraction() for j in (1, 2))
        found = second - first + F(1, 4)
        assert found == F(2 * d + 1, 4 * d * (d + 2))
        assert (
            found >= F(7, 20 * d) > 2 * F(d, 6) / d**2
        )  # at the largest C that is named, C^2 = d/6


def test_the_first_sum_of_two_subjects_with_one_answer(counterexample):
    found = counterexample("first-sum")
    assert found["answers of (s', r), (s, r'), (s', r')"] == "a, none, none"
    assert found["left"] / found["right"] == 1 + F(1, found["d"])


def test_the_mean_is_not_the_coefficient():
    mean = memory.table_quantity("mean", memory.LONE, SMALLEST).derived.value
    for d in (3, 9):
        value = float(mean(d=d, c2=1).to_sympy({}))
        assert value == pytest.approx(math.sqrt(2) * (1 - 1 / d) ** 2 / 4)


def test_the_fluctuation_of_the_fact_itself(claim):
    """p = k = 3: (1 + 1/d)(E A^6)^2/(E A^3)^4 - 1 is about 37/d."""
    assert "37/d" in " ".join(claim("relative-variance").by_hand)

    def moment(j, d):
        return math.prod((F(d - 1, 2) + 2 * i) / (d + 2 * i) for i in range(j))

    d = 10**7 + 1
    ratio = (1 + F(1, d)) * moment(6, d) ** 2 / moment(3, d) ** 4 - 1
    assert float(ratio * d) == pytest.approx(37, rel=1e-4)


def test_the_degree_of_the_note(counterexample):
    assert 2 * 6 + 2 * 10 + 2 == 34 > 4 * 6 + 2
    found = counterexample("margin-degree")
    assert found["degree"] == 2 * found["q"] + 2 * found["p + k"] + 2 > found["stated"]


@pytest.mark.parametrize(
    ("dropped", "word"),
    [({"keep_m": "0"}, "m"), ({"keep_d": "0"}, "d"), ({"keep_md": "0"}, "sizes")],
)
def test_without_a_condition_the_lemma_fails(judge, dropped, word):
    found = judge("nichani.lem3.statement", **dropped)
    assert found.verdict is Verdict.REFUTED
    assert word in found.counterexample
