"""Steps of proofs, measured: what is taken of a proof, and that a step with a wrong bound is refuted."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import pytest
from scipy.stats import beta

from proofs.kernel import (
    Compare,
    Goal,
    Region,
    Term,
    at_least,
    at_most_zero,
    chain,
    coordinate,
    coordinate_mgf,
    copies,
    exp,
    expectation,
    exponential,
    independent,
    instantiate,
    markov,
    modulus,
    polynomial,
    polynomial_degree,
    sign,
    symbol,
    symbols,
    term,
    whole,
)
from proofs.kernel import hypercontractivity as hypercontractive
from proofs.kernel.terms import random
from verify.checks.steps import pathwise, step_cases
from verify.checks.trial import decide
from verify.claim import Evidence
from verify.errors import UsageError
from verify.measuring.context import Context
from verify.measuring.terms import Place
from verify.statistics import AtLeast, AtMost, Interval
from verify.verdict import Verdict

d, t, x = symbols("d t x")
SIZES = Region((whole("d", 1), at_least("t", 0)))
g = coordinate("g", d)
#: P(g >= 1/2) = 0.196, at most exp(-1/2).
PLACE = Place({"d": 4, "t": Fraction(1, 2)})


def tail():
    """P(t - g <= 0) <= exp(-d t^2/4), by a bound exp(-d t^2/2)."""
    rate = d * t
    factor = instantiate(coordinate_mgf(), {"r": rate}, SIZES)
    bound = independent(-rate * (t - g), -d * t**2 / 2, SIZES, factor)
    less = sign(Compare(-d * t**2 / 2, "<=", -d * t**2 / 4), SIZES)
    return chain(chain(markov(t - g, rate, SIZES), bound), exponential(less))


def goals(theorem=None):
    theorem = theorem or tail()
    return [(Goal(theorem.statement, theorem.region, theorem.hypotheses), theorem)]


@dataclass
class Told:
    """What looks like a theorem, but no rule made it."""

    rule: str
    statement: object
    region: Region
    hypotheses: tuple
    uses: tuple
    before: tuple = ()

    def tree(self) -> Iterator["Told"]:
        yield from (*self.before, self)


def told(theorem, wrong: Callable[[str, Compare], Compare]):
    """The proof as it is, but for statements that *wrong* changes."""
    every = [
        Told(one.rule, wrong(one.rule, one.statement), one.region, one.hypotheses, one.uses)
        for one in theorem.tree()
    ]
    every[-1].before = tuple(every[:-1])
    return [(Goal(theorem.statement, theorem.region), every[-1])]


def smaller(rule: str, by: Callable[[Term], Term]):
    def wrong(made_by: str, statement: Compare) -> Compare:
        right = by(statement.right) if made_by == rule else statement.right
        return Compare(statement.left, statement.relation, right)

    return wrong


@pytest.fixture(scope="module")
def context():
    return Context(seed=3)


def test_every_step_that_can_be_drawn_is_a_case_with_its_rule_and_its_statement():
    cases = step_cases(goals(), [PLACE])
    assert [case.symbol for case in cases] == [
        "markov: P(t - g <= 0) <= E[exp(-d * t * (t - g))]",
        "instantiate of coordinate_mgf: E[exp(d * t * g)] <= exp((d * t)^2/(2 * d))",
        "independent: E[exp((-d * t) * (t - g))] <= exp((-d) * t^2/2)",
        "chain: P(t - g <= 0) <= exp((-d) * t^2/2)",
        "chain: P(t - g <= 0) <= exp((-d) * t^2/4)",
    ]
    assert {tuple(case.sizes.items()) for case in cases} == {(("d", 4),)}
    bounds = [case.claim.printed for case in cases]
    assert bounds == pytest.approx([0.5788, 1.6487, 0.6065, 0.6065, 0.7788], rel=0.02)
    assert [case.claim.too_small for case in cases] == pytest.approx([b / 10 for b in bounds])


def test_the_steps_of_a_proof_share_the_error_of_one_check(context):
    found = decide(step_cases(goals(), [PLACE]), context)
    assert found.verdict is Verdict.SUPPORTED
    assert sum(case["error share"] for case in found.detail["cases"]) == pytest.approx(
        context.share
    )
    assert all(case["detectable difference"] < case["printed"] for case in found.detail["cases"])


@pytest.mark.parametrize("rule", ["markov", "instantiate", "independent", "chain"])
def test_a_step_with_a_bound_ten_times_too_small_is_refuted_though_the_end_is_as_it_was(
    rule, context
):
    cases = step_cases(told(tail(), smaller(rule, lambda right: right / 10)), [PLACE])
    found = decide(cases, context)
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample["quantity"].startswith(rule)


def test_half_of_the_constant_in_an_exponent_is_refuted(context):
    """exp(r^2/(4 d)) in place of exp(r^2/(2 d)); the end, exp(-d t^2/4), is true all the same."""

    def wrong(rule, statement):
        if rule not in ("instantiate", "coordinate_mgf"):
            return statement
        (exponent,) = statement.right.arguments
        return Compare(statement.left, "<=", exp(exponent / 2))

    found = decide(step_cases(told(tail(), wrong), [PLACE]), context)
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample["printed"] == "1.28403"


def test_numbers_the_wrong_way_round_need_no_draws():
    found = step_cases(told(tail(), smaller("sign", lambda right: 4 * right)), [PLACE])
    assert isinstance(found, Evidence)
    assert found.verdict is Verdict.REFUTED
    assert found.summary == (
        "sign: (-d) * t^2/2 <= 4 * (-d) * t^2/4 is false at d = 4, t = 1/2: "
        "-0.500000 against -1.00000"
    )


def test_what_the_claim_states_is_measured_as_it_is_printed(context):
    theorem = tail()
    stated = Compare(theorem.left, "<=", exp(-d * t**2 * 4))
    found = decide(step_cases([(Goal(stated, SIZES), theorem)], [PLACE]), context)
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample["quantity"] == "as stated: P(t - g <= 0) <= exp((-d) * t^2 * 4)"


def test_a_bound_far_above_what_it_bounds_decides_nothing():
    """A bound ten times too small would still be above the probability: no draws meet the claim."""
    far = {"d": 8, "t": Fraction(3, 4)}
    exact = 1 - beta(7 / 2, 7 / 2).cdf((1 + 3 / 4) / 2)
    claim = step_cases(goals(), [Place(far)])[-1].claim
    assert exact < claim.too_small < claim.printed
    assert not claim.met_by(Interval(exact, exact, exact, 1, 0.0))
    claim = step_cases(goals(), [Place(far)], within=1000)[-1].claim
    assert claim.met_by(Interval(exact, exact, exact, 1, 0.0))


@pytest.mark.parametrize(
    "at",
    [
        {"d": 4, "t": 0},  # no bound is below 1, and no exponential is random
        {"d": 4, "t": Fraction(-1, 2)},  # outside of the region
        {"d": Fraction(7, 2), "t": Fraction(1, 2)},  # no whole number
        {"t": Fraction(1, 2)},  # d has no number
    ],
    ids=["no-bound", "outside", "not-whole", "no-number"],
)
def test_where_no_step_can_be_measured_that_is_an_error(at):
    with pytest.raises(UsageError, match="no step of the proof can be measured there"):
        step_cases(goals(), [Place(at)])


def test_where_nothing_but_the_end_can_be_measured_that_is_an_error():
    only = told(tail(), lambda rule, it: it if rule == "chain" else Compare(x, "<=", x))
    last = only[0][1]
    last.before = tuple(one for one in last.before if one.rule != "chain")
    inner = Told("mean", Compare(expectation(random("X", d)), "<=", t), SIZES, (), ())
    last.before = (inner,)
    with pytest.raises(UsageError, match="no step of the proof"):
        step_cases(only, [PLACE])


def test_a_step_counts_only_under_hypotheses_that_hold_there():
    theorem = tail()
    for bound, expected in ((1, 5), (Fraction(1, 4), 1)):
        hypothesis = Compare(t, "<=", term(bound))
        every = [
            Told(one.rule, one.statement, one.region, (hypothesis,), one.uses)
            for one in theorem.tree()
        ]
        every[-1].before = tuple(every[:-1])
        mgf = Told("mgf", Compare(expectation(exp(g)), "<=", exp(1 / d)), SIZES, (), ())
        every[-1].before = (mgf, *every[-1].before)
        stated = Goal(theorem.statement, theorem.region, (hypothesis,))
        assert len(step_cases([(stated, every[-1])], [PLACE])) == expected + (bound == 1)


def test_lower_bounds_are_measured_from_below(context):
    kept = Told("kept", Compare(term(Fraction(1, 2)), "<=", at_most_zero(g - t)), SIZES, (), ())
    (case,) = step_cases([(Goal(kept.statement, SIZES), kept)], [PLACE])
    assert case.claim == AtLeast(0.5)
    assert decide([case], context).verdict is Verdict.SUPPORTED
    wrong = Told("kept", Compare(term(Fraction(9, 10)), "<=", at_most_zero(g - t)), SIZES, (), ())
    (case,) = step_cases([(Goal(wrong.statement, SIZES), wrong)], [PLACE])
    assert decide([case], context).verdict is Verdict.REFUTED


def test_a_polynomial_is_measured_by_an_instance(context):
    f, anywhere = polynomial("f", 2), Region()
    moment = hypercontractive(polynomial_degree(f, anywhere), 4, anywhere)
    square = coordinate("u", 3) * coordinate("w", 3)
    place = Place({}, ((f, square),))
    (case,) = step_cases(goals(moment), [place])
    assert case.claim == AtMost(1.0, 0.1)
    assert case.symbol.endswith("left side over right side")
    (found,) = decide([case], context).detail["cases"]
    # E u^4 w^4 = 1/25, so the fourth norm is 25^(-1/4); three times the second is 1.
    low, high = found["interval"]
    assert low < 25 ** (-1 / 4) < high
    assert high < 1


def test_sums_of_copies_are_drawn_as_sums(context):
    total = copies("S", 3, coordinate("t", d) * coordinate("h", d))
    bound = Told("moment", Compare(expectation(total**2), "<=", 4 / d**2), SIZES, (), ())
    (case,) = step_cases([(Goal(bound.statement, SIZES), bound)], [PLACE])
    found = decide([case], context)
    assert found.verdict is Verdict.SUPPORTED
    low, high = found.detail["cases"][0]["interval"]
    assert low < 3 / 16 < high


def drawn(*, names, d, replicates, seed, start, **_):
    from numerics import Stream, replicate_spheres
    from numerics.expressions import Variable

    vectors = replicate_spheres(replicates, 2, d, stream=Stream(seed, "test"), start=start)
    found = {"X": vectors[:, 0, :1], "Y": vectors[:, 1, :1].abs()}
    return {name: Variable(found[name], -1.0, 1.0) for name in names}


def test_what_a_definition_makes_is_drawn_by_the_measured_road(context):
    X = random("X", d)
    place = Place(PLACE.at, (), {X: "X"}, drawn)
    bound = Told("tail", Compare(at_most_zero(t - X), "<=", exp(-d * t**2 / 2)), SIZES, (), ())
    (case,) = step_cases([(Goal(bound.statement, SIZES), bound)], [place])
    found = decide([case], context)
    assert found.verdict is Verdict.SUPPORTED
    low, high = found.detail["cases"][0]["interval"]
    assert low < 0.1955 < high


def test_random_variables_themselves_are_compared_in_every_draw():
    X, Y = random("X", d), random("Y", d)
    place = Place(PLACE.at, (), {X: "X", Y: "Y"}, drawn)
    true = Told("below", Compare(X - 1, "<=", Y), SIZES, (), ())
    false = Told("below", Compare(X, "<=", modulus(Y)), SIZES, (), ())
    ((words, most, bound),) = pathwise([(Goal(symbol_goal(), SIZES), true)], [place], seed=1)
    assert words == "left side less right side at d = 4, below: X - 1 <= Y"
    assert most <= bound == 0
    ((_, most, _),) = pathwise([(Goal(symbol_goal(), SIZES), false)], [place], seed=1)
    assert most > 0.5


def symbol_goal():
    return Compare(symbol("d"), "<=", symbol("d"))
