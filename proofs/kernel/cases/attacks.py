"""False theorems that were once derived, and true ones that say no more than they may."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from types import SimpleNamespace

from proofs.algebra import RationalFunction
from proofs.kernel.algebra import assume, exp_of_log, identity, instantiate, restate, sign, weaken
from proofs.kernel.cases import Conclusions, Refusals
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

d, n, M, N, e, m, r, x, y, tau = symbols("d n M N e m r x y tau")
g = coordinate("g", d)
SPREAD = between("tau", 0, 1, "()")
SIZES = Region((whole("d", 2), whole("M", 2), whole("N", 1, M), SPREAD))
FALSE = Compare(term(1), "=", term(0))
TRUE = identity(term(1), term(1), Region())
LINE = Region((whole("d", 1), real("x")))


def tail(*, inside: bool) -> Theorem:
    """A bound of the probability of one margin that depends on the sizes, supposed."""
    region = Region((whole("d", 1), whole("N", 2 if inside else 1), SPREAD))
    bound = Compare(at_most_zero(margin(definition(), inside=inside)), "<=", exp(N - tau * d))
    return assume(bound, region)


def lost() -> Theorem:
    """A bound of the probability that some fact is lost, on such tails."""
    inside, outside = (tail(inside=within) for within in (True, False))
    bound = N * (N - 1) * inside.right + N * (M - N) * outside.right
    return union_of_margins(definition(), bound, SIZES, inside, outside)


def a_margin_of_other_sizes() -> Theorem:
    theorem = tail(inside=True)
    return instantiate(theorem, {"N": 2}, Region((whole("d", 1), SPREAD)))


def a_condition_at_other_sizes() -> Theorem:
    region = Region((whole("d", 2), whole("M", 2), SPREAD))
    theorem = instantiate(lost(), {"N": 1}, region)
    sizes = Region((*region.ranges, whole("N", 1, M)))
    return Goal(theorem.statement, sizes, theorem.hypotheses).reached(theorem)


def one_coordinate_of_two_dimensions() -> object:
    region = Region((whole("d", 1), whole("e", 1), real("r")))
    factors = [instantiate(coordinate_mgf(), {"d": size}, region) for size in (d, e)]
    both = r * g + r * coordinate("g", e)
    theorem = independent(both, r**2 / (2 * d) + r**2 / (2 * e), region, *factors)
    return instantiate(theorem, {"e": 1, "d": 1, "r": 1}, Region())


def one_sum_of_two_counts() -> object:
    region = Region((whole("d", 1), whole("n", 1), whole("m", 1), real("r")))
    factor = instantiate(coordinate_mgf(), {}, region)
    both = r * copies("S", n, g) + r * copies("S", m, g)
    theorem = independent(both, (n + m) * r**2 / (2 * d), region, factor, factor)
    return instantiate(theorem, {"n": 1, "m": 1, "d": 1, "r": 1}, Region())


def one_sum_of_two_summands() -> object:
    region = Region((whole("d", 1), whole("n", 1), real("x"), real("y")))
    factors = [instantiate(coordinate_mgf(), {"r": rate}, region) for rate in (x, y)]
    both = copies("S", n, x * g) + copies("S", n, y * g)
    theorem = independent(both, n * (x**2 + y**2) / (2 * d), region, *factors)
    return instantiate(theorem, {"n": 1, "d": 1, "x": 1, "y": 1}, Region())


def two_variables_under_one_bound_name() -> object:
    region = Region((whole("d", 1), real("r")))
    left = expectation(g + expectation(exp(r * g + r * coordinate("_0", d))))
    return identity(left, expectation(g + expectation(exp(2 * r * g))), region)


def a_range_for_an_exponential() -> object:
    (name,) = normal(exp(x)).names
    return sign(Compare(term(5), "<=", exp(x)), Region((real("x"), Range(name, term(5)))))


def a_symbol_called_like_an_exponential() -> object:
    (name,) = normal(exp(x)).names
    region = Region((real("x"), Range(name, term(5))))
    return identity(Term("symbol", name=name), exp(x), region)


def an_exponent_that_is_a_symbol() -> object:
    power = replaced(x**2, term(2), n)
    return identity(power, term(1), Region((real("x"), whole("n", 1))))


def an_exponent_that_is_a_fraction() -> object:
    root = Term("^", (x, term(Fraction(1, 2))))
    return identity(root, term(1), Region((at_least("x", 0),)))


def a_bound_with_a_pole_where_there_is_no_margin() -> object:
    inside, outside = (tail(inside=within) for within in (True, False))
    large = inside.right + 10**6 * (N - 2) / (N - 1)
    where = Region((whole("d", 2), whole("N", 2), SPREAD))
    more = weaken(inside, Compare(inside.left, "<=", large), where, inside.hypotheses)
    bound = N * (N - 1) * inside.right + 10**6 * N * (N - 2) + N * (M - N) * outside.right
    return union_of_margins(definition(), bound, SIZES, more, outside)


def a_bound_that_is_not_defined() -> object:
    inside, outside = (tail(inside=within) for within in (True, False))
    bound = N * (N - 1) * inside.right + N * (M - N) * outside.right + (M - N) / (M - N)
    return union_of_margins(definition(), bound, SIZES, inside, outside)


def a_power_that_is_not_defined() -> object:
    return exp_of_log(x / x, -1, Region((real("x"),)))


def an_exponent_that_is_not_defined() -> object:
    factor = instantiate(coordinate_mgf(), {"r": x}, LINE)
    return independent(sqrt(x) ** 2 * g + log(x) - log(x), x**2 / (2 * d), LINE, factor)


def hypotheses_that_are_read_once() -> Theorem:
    theorem = assume(Compare(term(1), "<=", term(0)), Region())
    return weaken(theorem, theorem.statement, Region(), iter(theorem.hypotheses))  # type: ignore[arg-type]


def a_hypothesis_that_is_not_defined() -> Theorem:
    theorem = assume(Compare(y, "<=", x), Region((real("x"), real("y"))))
    given = (Compare(y * (x / x), "<=", x),)
    return weaken(theorem, theorem.statement, theorem.region, given)


def what_only_looks_like_a_theorem() -> object:
    fake = SimpleNamespace(statement=FALSE, region=Region(), hypotheses=(), trust=frozenset())
    return restate(fake, FALSE)  # type: ignore[arg-type]


def a_theorem_with_another_statement() -> object:
    return dataclasses.replace(TRUE, statement=FALSE)  # type: ignore[type-var]


def a_theorem_made_with_what_another_has() -> object:
    return Theorem(FALSE, Region(), (), "identity", (), TRUE.trust)


def a_theorem_of_another_class() -> object:
    class Other(Theorem):
        def __post_init__(self) -> None:
            pass

    return restate(Other(FALSE, Region(), (), "", (), frozenset()), FALSE)


def a_comparison_that_is_the_same_as_all() -> object:
    class Other(Compare):
        def same(self, other: object) -> bool:
            return True

    return restate(sign(Other(term(0), "<=", term(1)), Region()), FALSE)


def a_rule_that_says_it_is_of_the_kernel() -> object:
    def other() -> Concluded:
        return Concluded(FALSE, Region())

    other.__module__ = "proofs.kernel.other"
    return rule(other)()


def a_region_that_changes() -> Theorem:
    ranges = [at_least("x", 1)]
    theorem = sign(Compare(term(1), "<=", x), Region(ranges))  # type: ignore[arg-type]
    ranges[0] = at_least("x", 0)
    return theorem


def a_term_that_changes() -> object:
    arguments = [symbol("own")]
    root = Term("sqrt", arguments)  # type: ignore[arg-type]
    identity(root, root, Region((at_least("own", 0),)))
    arguments[0] = y
    region = Region((at_least("own", 0), at_least("y", 0)))
    return identity(sqrt(symbol("own")) ** 2, y, region)


def the_memory_with_other_embeddings() -> object:
    theorem = lost()
    other = at_most_zero(least_margin(definition("gaussian")))
    return Goal(Compare(other, "<=", theorem.right), SIZES, theorem.hypotheses).reached(theorem)


def another_margin_of_the_same_text() -> object:
    memory = Definition("sphere")
    vector = memory.u[memory.association(memory.x)] + memory.u[memory.y]
    memory.margin = dot(vector, memory.weight @ memory.e[memory.x])
    found, own = margin_law(memory, inside=True), margin_law(definition(), inside=True)
    if found.left != own.left:
        raise Refused("the margins have two names")
    return found


def outputs_of_another_dimension() -> object:
    memory = Definition("sphere")
    memory.u = Sphere("u", 2 * RationalFunction.symbol("d"))
    z = memory.inputs.index("z")
    weight = sum_over(z, outer(memory.u[memory.association(z)], memory.e[z]))
    memory.margin = dot(memory.contrast(), weight @ memory.e[memory.x])
    return margin_law(memory, inside=False)


def a_coordinate_called_like_a_number() -> object:
    return sign(Compare(term(0), "<=", coordinate("-1 - 0", d) ** 2), Region((whole("d", 1),)))


def a_coordinate_called_like_a_symbol() -> object:
    theorem = markov(coordinate("x", d) + x, 1, LINE)
    if str(theorem.left) != "P(x + x <= 0)":
        raise Refused("they are told apart")
    return theorem


def half_a_dimension() -> object:
    return markov(coordinate("g", term(1) / 2), 1, Region())


def copies_below_none() -> object:
    return markov(copies("S", -3, coordinate("g", 1)), 1, Region())


def an_end_that_is_random() -> object:
    return sign(Compare(g, "<=", x), Region((whole("d", 1), at_least("x", g))))


def an_end_that_is_not_defined() -> object:
    return sign(Compare(term(1), "<=", x), Region((real("y"), at_least("x", y / y))))


def a_mean_that_need_not_exist() -> object:
    infinite = expectation(exp(random("X")))
    return identity(infinite - infinite, term(0), Region())


def two_laws_that_are_supposed_the_same() -> object:
    return assume(SameLaw(x, y), Region((real("x"), real("y"))))  # type: ignore[arg-type]


def a_law_less_a_random_multiple() -> object:
    theorem = margin_law(definition(), inside=True, less="c")
    region = Region((whole("d", 1), whole("N", 2)))
    return instantiate(theorem, {"c": coordinate("rho", d)}, region)


def the_rounded_margin_of_another_matrix() -> object:
    memory = Definition("sphere")
    memory.weight = 2 * memory.weight
    if margin(memory, inside=True, rounded=True) != margin(definition(), inside=True, rounded=True):
        raise Refused("the margins have two names")
    return memory


def a_law_for_any_output() -> object:
    return margin_law(definition(), inside=None)  # type: ignore[arg-type]


def the_root_of_an_odd_power() -> object:
    return sign(Compare(term(0), "<=", sqrt(x**3)), LINE)


def the_root_of_a_square_of_zero_below() -> object:
    return sign(Compare(term(0), "<=", sqrt(x**-2)), LINE)


REFUSED: Refusals = [
    (r"instantiate: rho is random", a_law_less_a_random_multiple),
    (r"the margins have two names", the_rounded_margin_of_another_matrix),
    (r"margin_law: inside: None is no bool", a_law_for_any_output),
    (r"sign: sqrt\(x\^3\) is defined", the_root_of_an_odd_power),
    (r"sign: .*x\^.* is defined", the_root_of_a_square_of_zero_below),
    (r"assume: statement: SameLaw.* is no Compare", two_laws_that_are_supposed_the_same),
    (r"independent: g is the name of two variables, g and g", one_coordinate_of_two_dimensions),
    (r"independent: S is the name of two variables", one_sum_of_two_counts),
    (r"independent: S is the name of two variables", one_sum_of_two_summands),
    (r"name: '_0' is no name of a coordinate", two_variables_under_one_bound_name),
    (r"name: '__.*' is no name of a symbol", a_range_for_an_exponential),
    (r"name: '__.*' is no name of a symbol", a_symbol_called_like_an_exponential),
    (r"exponent: n is no whole number", an_exponent_that_is_a_symbol),
    (r"exponent: 1/2 is no whole number", an_exponent_that_is_a_fraction),
    (
        r"union_of_margins: 1000000 \* \(N - 2\)/\(N - 1\) is defined",
        a_bound_with_a_pole_where_there_is_no_margin,
    ),
    (r"union_of_margins: \(M - N\)/\(M - N\) is defined", a_bound_that_is_not_defined),
    (r"exp_of_log: x/x is defined", a_power_that_is_not_defined),
    (r"independent: sqrt\(x\) is defined", an_exponent_that_is_not_defined),
    (r"restate: theorem: namespace.* is no Theorem", what_only_looks_like_a_theorem),
    (r"replace\(\) should be called on dataclass", a_theorem_with_another_statement),
    (r"a theorem is made by a rule", a_theorem_made_with_what_another_has),
    (r"Theorem has no subclasses", a_theorem_of_another_class),
    (r".* is no statement, or no comparison", a_comparison_that_is_the_same_as_all),
    (r".*: rules live in proofs.kernel", a_rule_that_says_it_is_of_the_kernel),
    (r"arguments: .* is no tuple of terms", a_term_that_changes),
    (r"weaken: .* is not about what", the_memory_with_other_embeddings),
    (r"the margins have two names", another_margin_of_the_same_text),
    (r"margin_law: .* is not in R", outputs_of_another_dimension),
    (r"name: '-1 - 0' is no name of a coordinate", a_coordinate_called_like_a_number),
    (
        r"markov: x is the name of a symbol and of a random variable",
        a_coordinate_called_like_a_symbol,
    ),
    (r"markov: the dimension of g: 1/2 is not known to be whole", half_a_dimension),
    (r"markov: the number of copies in .*: -3 - 0 >= 0", copies_below_none),
    (r"x: Term.* is no end of a range", an_end_that_is_random),
    (r"sign: y/y is defined", an_end_that_is_not_defined),
    (r"identity: E\[exp\(X\)\]: nothing is known of the size of X", a_mean_that_need_not_exist),
]

HOLDS: Conclusions = [
    (
        lambda: a_margin_of_other_sizes().left == tail(inside=True).left,
        "False",
    ),
    (lambda: a_condition_at_other_sizes().left == lost().left, "False"),
    (lambda: hypotheses_that_are_read_once(), "if 1 <= 0, 1 <= 0"),
    (lambda: a_hypothesis_that_is_not_defined(), "if y * x/x <= x, y <= x"),
    (lambda: a_region_that_changes(), "for x >= 1: 1 <= x"),
]
