"""False theorems that were once derived: each must be refused."""

import dataclasses
from fractions import Fraction
from types import SimpleNamespace

import pytest

from proofs.algebra import RationalFunction
from proofs.kernel import theorem as kernel_theorem
from proofs.kernel.algebra import (
    assume,
    exp_of_log,
    identity,
    instantiate,
    restate,
    sign,
    weaken,
)
from proofs.kernel.attacks import FALSE as FALSE_DERIVATIONS
from proofs.kernel.attacks import require_refusals
from proofs.kernel.goals import Goal
from proofs.kernel.laws import least_margin, margin, margin_law, union_of_margins
from proofs.kernel.normal import normal
from proofs.kernel.probability import independent, markov
from proofs.kernel.regions import Range, Refused, Region, at_least, between, real, whole
from proofs.kernel.series import coordinate_mgf
from proofs.kernel.terms import (
    Term,
    at_most_zero,
    coordinate,
    copies,
    exp,
    expectation,
    log,
    random,
    replaced,
    sqrt,
    symbol,
    symbols,
    term,
)
from proofs.kernel.theorem import Compare, Concluded, SameLaw, Theorem, rule
from proofs.memories.linear import Definition, definition
from proofs.moments import Sphere, dot, outer, sum_over
from proofs.papers.nichani.linear_recall import closed_form, single_margin_tail

d, n, M, N, e, m, r, x, y = symbols("d n M N e m r x y")
g = coordinate("g", d)
SPREAD = between("tau", 0, 1, "()")
SIZES = Region((whole("d", 2), whole("M", 2), whole("N", 1, M), SPREAD))
FALSE = Compare(term(1), "=", term(0))
TRUE = identity(term(1), term(1), Region())
LINE = Region((whole("d", 1), real("x")))


def a_margin_of_other_sizes():
    theorem = single_margin_tail(inside=True)
    return instantiate(theorem, {"N": 2}, Region((whole("d", 1), SPREAD)))


def a_condition_at_other_sizes():
    region = Region((whole("d", 2), whole("M", 2), between("delta", 0, 1, "()")))
    theorem = instantiate(closed_form(), {"N": 1}, region)
    sizes = Region((*region.ranges, whole("N", 1, M)))
    return Goal(theorem.statement, sizes, theorem.hypotheses).reached(theorem)


def one_coordinate_of_two_dimensions():
    region = Region((whole("d", 1), whole("e", 1), real("r")))
    factors = [instantiate(coordinate_mgf(), {"d": size}, region) for size in (d, e)]
    both = r * g + r * coordinate("g", e)
    theorem = independent(both, r**2 / (2 * d) + r**2 / (2 * e), region, *factors)
    return instantiate(theorem, {"e": 1, "d": 1, "r": 1}, Region())


def one_sum_of_two_counts():
    region = Region((whole("d", 1), whole("n", 1), whole("m", 1), real("r")))
    factor = instantiate(coordinate_mgf(), {}, region)
    both = r * copies("S", n, g) + r * copies("S", m, g)
    theorem = independent(both, (n + m) * r**2 / (2 * d), region, factor, factor)
    return instantiate(theorem, {"n": 1, "m": 1, "d": 1, "r": 1}, Region())


def one_sum_of_two_summands():
    region = Region((whole("d", 1), whole("n", 1), real("x"), real("y")))
    factors = [instantiate(coordinate_mgf(), {"r": rate}, region) for rate in (x, y)]
    both = copies("S", n, x * g) + copies("S", n, y * g)
    theorem = independent(both, n * (x**2 + y**2) / (2 * d), region, *factors)
    return instantiate(theorem, {"n": 1, "d": 1, "x": 1, "y": 1}, Region())


def two_variables_under_one_bound_name():
    region = Region((whole("d", 1), real("r")))
    left = expectation(g + expectation(exp(r * g + r * coordinate("_0", d))))
    return identity(left, expectation(g + expectation(exp(2 * r * g))), region)


def a_range_for_an_exponential():
    (name,) = normal(exp(x)).names
    return sign(Compare(term(5), "<=", exp(x)), Region((real("x"), Range(name, term(5)))))


def a_symbol_called_like_an_exponential():
    (name,) = normal(exp(x)).names
    region = Region((real("x"), Range(name, term(5))))
    return identity(Term("symbol", name=name), exp(x), region)


def an_exponent_that_is_a_symbol():
    power = replaced(x**2, term(2), n)
    return identity(power, term(1), Region((real("x"), whole("n", 1))))


def an_exponent_that_is_a_fraction():
    root = Term("^", (x, term(Fraction(1, 2))))
    return identity(root, term(1), Region((at_least("x", 0),)))


def a_bound_with_a_pole_where_there_is_no_margin():
    inside, outside = (single_margin_tail(inside=within) for within in (True, False))
    large = inside.right + 10**6 * (N - 2) / (N - 1)
    where = Region((whole("d", 2), whole("N", 2), SPREAD))
    more = weaken(inside, Compare(inside.left, "<=", large), where)
    bound = N * (N - 1) * inside.right + 10**6 * N * (N - 2) + N * (M - N) * outside.right
    return union_of_margins(definition(), bound, SIZES, more, outside)


def a_bound_that_is_not_defined():
    inside, outside = (single_margin_tail(inside=within) for within in (True, False))
    bound = N * (N - 1) * inside.right + N * (M - N) * outside.right + (M - N) / (M - N)
    return union_of_margins(definition(), bound, SIZES, inside, outside)


def a_power_that_is_not_defined():
    return exp_of_log(x / x, -1, Region((real("x"),)))


def an_exponent_that_is_not_defined():
    factor = instantiate(coordinate_mgf(), {"r": x}, LINE)
    return independent(sqrt(x) ** 2 * g + log(x) - log(x), x**2 / (2 * d), LINE, factor)


def hypotheses_that_are_read_once():
    theorem = assume(Compare(term(1), "<=", term(0)), Region())
    return weaken(theorem, theorem.statement, Region(), iter(theorem.hypotheses))


def a_hypothesis_that_is_not_defined():
    theorem = assume(Compare(y, "<=", x), Region((real("x"), real("y"))))
    given = (Compare(y * (x / x), "<=", x),)
    return weaken(theorem, theorem.statement, theorem.region, given)


def what_only_looks_like_a_theorem():
    fake = SimpleNamespace(statement=FALSE, region=Region(), hypotheses=(), trust=frozenset())
    return restate(fake, FALSE)


def a_theorem_with_another_statement():
    return dataclasses.replace(TRUE, statement=FALSE)


def a_theorem_made_with_what_another_has():
    return Theorem(FALSE, Region(), (), "identity", (), TRUE.trust)


def a_theorem_of_another_class():
    class Other(Theorem):
        def __post_init__(self):
            pass

    return restate(Other(FALSE, Region(), (), "", (), frozenset()), FALSE)


def a_comparison_that_is_the_same_as_all():
    class Other(Compare):
        def same(self, other):
            return True

    return restate(sign(Other(term(0), "<=", term(1)), Region()), FALSE)


def a_rule_that_says_it_is_of_the_kernel():
    def other():
        return Concluded(FALSE, Region())

    other.__module__ = "proofs.kernel.other"
    return rule(other)()


def a_region_that_changes():
    ranges = [at_least("x", 1)]
    theorem = sign(Compare(term(1), "<=", x), Region(ranges))
    ranges[0] = at_least("x", 0)
    return theorem


def a_term_that_changes():
    arguments = [symbol("own")]
    root = Term("sqrt", arguments)
    identity(root, root, Region((at_least("own", 0),)))
    arguments[0] = y
    region = Region((at_least("own", 0), at_least("y", 0)))
    return identity(sqrt(symbol("own")) ** 2, y, region)


def the_memory_with_other_embeddings():
    inside, outside = (single_margin_tail(inside=within) for within in (True, False))
    bound = N * (N - 1) * inside.right + N * (M - N) * outside.right
    theorem = union_of_margins(definition(), bound, SIZES, inside, outside)
    other = at_most_zero(least_margin(definition("gaussian")))
    return Goal(Compare(other, "<=", bound), SIZES).reached(theorem)


def another_margin_of_the_same_text():
    memory = Definition("sphere")
    vector = memory.u[memory.association(memory.x)] + memory.u[memory.y]
    memory.margin = dot(vector, memory.weight @ memory.e[memory.x])
    found, own = margin_law(memory, inside=True), margin_law(definition(), inside=True)
    if found.left != own.left:
        raise Refused("the margins have two names")
    return found


def outputs_of_another_dimension():
    memory = Definition("sphere")
    memory.u = Sphere("u", 2 * RationalFunction.symbol("d"))
    z = memory.inputs.index("z")
    weight = sum_over(z, outer(memory.u[memory.association(z)], memory.e[z]))
    memory.margin = dot(memory.contrast(), weight @ memory.e[memory.x])
    return margin_law(memory, inside=False)


def a_coordinate_called_like_a_number():
    return sign(Compare(term(0), "<=", coordinate("-1 - 0", d) ** 2), Region((whole("d", 1),)))


def a_coordinate_called_like_a_symbol():
    theorem = markov(coordinate("x", d) + x, 1, LINE)
    if str(theorem.left) != "P(x + x <= 0)":
        raise Refused("they are told apart")
    return theorem


def half_a_dimension():
    return markov(coordinate("g", term(1) / 2), 1, Region())


def copies_below_none():
    return markov(copies("S", -3, coordinate("g", 1)), 1, Region())


def an_end_that_is_random():
    return sign(Compare(g, "<=", x), Region((whole("d", 1), at_least("x", g))))


def an_end_that_is_not_defined():
    return sign(Compare(term(1), "<=", x), Region((real("y"), at_least("x", y / y))))


def a_law_less_a_random_multiple():
    theorem = margin_law(definition(), inside=True, less="c")
    region = Region((whole("d", 1), whole("N", 2)))
    return instantiate(theorem, {"c": coordinate("rho", d)}, region)


def the_rounded_margin_of_another_matrix():
    memory = Definition("sphere")
    memory.weight = 2 * memory.weight
    if margin(memory, inside=True, rounded=True) != margin(definition(), inside=True, rounded=True):
        raise Refused("the margins have two names")


def a_law_for_any_output():
    return margin_law(definition(), inside=None)


def the_root_of_an_odd_power():
    return sign(Compare(term(0), "<=", sqrt(x**3)), LINE)


def the_root_of_a_square_of_zero_below():
    return sign(Compare(term(0), "<=", sqrt(x**-2)), LINE)


def a_mean_that_need_not_exist():
    infinite = expectation(exp(random("X")))
    return identity(infinite - infinite, term(0), Region())


def two_laws_that_are_supposed_the_same():
    return assume(SameLaw(x, y), Region((real("x"), real("y"))))


ATTACKS = [
    two_laws_that_are_supposed_the_same,
    one_coordinate_of_two_dimensions,
    one_sum_of_two_counts,
    one_sum_of_two_summands,
    two_variables_under_one_bound_name,
    a_range_for_an_exponential,
    a_symbol_called_like_an_exponential,
    an_exponent_that_is_a_symbol,
    an_exponent_that_is_a_fraction,
    a_bound_with_a_pole_where_there_is_no_margin,
    a_bound_that_is_not_defined,
    a_power_that_is_not_defined,
    an_exponent_that_is_not_defined,
    what_only_looks_like_a_theorem,
    a_theorem_with_another_statement,
    a_theorem_made_with_what_another_has,
    a_theorem_of_another_class,
    a_comparison_that_is_the_same_as_all,
    a_rule_that_says_it_is_of_the_kernel,
    a_term_that_changes,
    the_memory_with_other_embeddings,
    another_margin_of_the_same_text,
    outputs_of_another_dimension,
    a_coordinate_called_like_a_number,
    a_coordinate_called_like_a_symbol,
    half_a_dimension,
    copies_below_none,
    an_end_that_is_random,
    an_end_that_is_not_defined,
    a_mean_that_need_not_exist,
    a_law_less_a_random_multiple,
    the_rounded_margin_of_another_matrix,
    a_law_for_any_output,
    the_root_of_an_odd_power,
    the_root_of_a_square_of_zero_below,
]


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_an_attack_is_refused(attack, monkeypatch):
    monkeypatch.setattr(kernel_theorem, "RULES", dict(kernel_theorem.RULES))
    with pytest.raises((Refused, TypeError, ValueError)):
        attack()


# -- what is true, and says no more than it may ---------------------------------------------------


def test_a_margin_of_other_sizes_is_another_one():
    assert a_margin_of_other_sizes().left != single_margin_tail(inside=True).left


def test_a_condition_at_other_sizes_is_of_the_memory_of_these_sizes():
    assert a_condition_at_other_sizes().left != closed_form().left


def test_hypotheses_that_are_read_once_are_kept():
    (kept,) = hypotheses_that_are_read_once().hypotheses
    assert kept == Compare(term(1), "<=", term(0))


def test_where_a_hypothesis_is_not_defined_it_does_not_hold():
    assert a_hypothesis_that_is_not_defined().hypotheses


def test_a_region_does_not_change():
    assert a_region_that_changes().region == Region((at_least("x", 1),))


# -- what is refused wherever something is proved -------------------------------------------------


def test_every_rule_that_looks_at_something_has_a_false_derivation():
    without = {"coordinate_mgf", "product_mgf", "log_series", "coordinate_moment"}
    without |= {"nearest_multiple", "bilinear_form"}
    assert set(FALSE_DERIVATIONS) == set(kernel_theorem.RULES) - without
    require_refusals.__wrapped__()


@pytest.mark.parametrize("name", FALSE_DERIVATIONS)
def test_what_is_false_is_refused_by_its_rule(name):
    with pytest.raises(Refused, match=f"^{name}: "):
        FALSE_DERIVATIONS[name]()


def test_a_rule_that_lost_a_side_condition_is_named(monkeypatch):
    monkeypatch.setitem(FALSE_DERIVATIONS, "identity", lambda: TRUE)
    with pytest.raises(ArithmeticError, match="rule identity lost a side condition: it concluded"):
        require_refusals.__wrapped__()
    monkeypatch.setitem(FALSE_DERIVATIONS, "identity", FALSE_DERIVATIONS["sign"])
    with pytest.raises(ArithmeticError, match="identity: what is false is refused elsewhere: sign"):
        require_refusals.__wrapped__()
