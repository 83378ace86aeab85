"""A claim keeps to the sizes for which there is what it speaks of: identities, inequalities, judge."""

from dataclasses import replace
from fractions import Fraction

import pytest

from proofs.algebra.symbols import symbols
from proofs.moments import (
    Fixed,
    Range,
    Relation,
    Sphere,
    Splitting,
    count,
    dot,
    holds,
    mean,
    sum_over,
    variance,
)
from proofs.moments.explicit import Instance
from verify.checks.identity import identity
from verify.checks.inequality import bounded_above
from verify.claim import Claim, Registry, Road
from verify.errors import UsageError
from verify.lemma import Box, judge
from verify.measuring.box import required
from verify.measuring.measure import Experiment
from verify.measuring.quantities import Measured, Quantity
from verify.printed.formula import Formula, FormulaError
from verify.running.runner import check_claim
from verify.verdict import Verdict

d, N, n = symbols("d N n")
VECTORS, ALONE = Range(N, "vectors"), Range(1, "alone")
x, x2, z = (VECTORS.index(name) for name in ("x", "x2", "z"))
one = ALONE.index("one")
e, v, k = Sphere("e", d), Sphere("v", d), Fixed("k", d)


def nothing(**arguments):
    raise AssertionError("drawn")


def quantity(exact, domain, tiny=(), measured=(), enumerate_=None):
    return Quantity(
        "value",
        "Q",
        exact,
        domain,
        enumerate_ or (lambda sizes: exact().value(**sizes).as_fraction()),
        tuple(tiny),
        Measured(Experiment("none", nothing), ("value",), tuple(measured)),
    )


def claimed(printed):
    registry = Registry()
    formulas = {"value": Formula.parse(printed)}
    registry.add(Claim(id="it", title="it", statement=printed, formulas=formulas))
    return registry


def exactly(printed, of):
    """The exact side of an identity."""
    registry = claimed(printed)
    identity(registry, "it", {"value": [of]})
    return check_claim("it", registry=registry, roads=[Road.PROOFS]).evidence[0]


def below(printed, of):
    """The exact side of an upper bound."""
    registry = claimed(printed)
    bounded_above(registry, "it", "value", [of], edge=[], scope="all sizes", summary="below")
    return check_claim("it", registry=registry, roads=[Road.PROOFS]).evidence[0]


# -- a bundle of n of N vectors -----------------------------------------------------------------------


def bundle_variance():
    A = Relation("A", VECTORS)
    bundle = sum_over(z, e[z], where=A(z))
    return variance(dot(e[x], bundle), [holds(A(x)), count(A(z), n, over=z)])


FROM_ONE = {"d": 1, "N": 1, "n": 1}


def test_a_true_bound_is_not_refuted_where_there_is_no_bundle():
    assert bundle_variance() == (n - 1) / d
    found = below("(N - 1)/d", quantity(bundle_variance, FROM_ONE))
    assert found.verdict is Verdict.ERROR
    for part in ("N - n >= 0 is needed", "N = 1, n = 2", 'Box({...}, "n <= N")'):
        assert part in found.summary


def test_a_box_says_that_the_bundle_is_of_these_vectors():
    found = below("(N - 1)/d", quantity(bundle_variance, Box(FROM_ONE, "n <= N")))
    assert found.verdict is Verdict.PROVED
    assert any("N - n >= 0" in step for step in found.steps)


def test_a_wrong_bound_is_refuted_where_there_is_a_bundle():
    found = below("(N - 2)/d", quantity(bundle_variance, Box(FROM_ONE, "n <= N")))
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample["at"] == {"d": 1, "N": 1, "n": 1}
    found = below("(N - 1)/(d + n)", quantity(bundle_variance, Box(FROM_ONE, "n <= N")))
    at = found.counterexample["at"]
    assert found.verdict is Verdict.REFUTED
    assert at["n"] <= at["N"]
    assert (at["n"] - 1) * (at["d"] + at["n"]) > (at["N"] - 1) * at["d"]


def test_what_fails_only_where_the_space_has_no_half_is_not_refuted():
    """(d - 3)^2 is at least 1 at every even d, and is 0 at d = 3."""

    def half():
        split = Splitting(d, P=d / 2)
        return mean(dot(split["P"] @ v[one], v[one]) * 2)

    found = below("(d - 3)**2", quantity(half, {"d": 2}))
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "d = 3, where there is no such thing" in found.summary
    assert below("(d - 3)**2 - 1", quantity(half, {"d": 2})).verdict is Verdict.REFUTED


# -- orthonormal vectors ------------------------------------------------------------------------------


def length(power=1):
    return sum_over(z, dot(k[z], v[one]) ** 2) ** power


def square_length():
    return mean(length(2))


TRUE = "N*(N + 2)/(d*(d + 2))"


@pytest.mark.parametrize(
    "domain", [{"d": 1, "N": 1}, {"d": 3, "N": 3}, Box({"d": 2, "N": 1}, "N <= d + 1")]
)
def test_more_orthonormal_vectors_than_dimensions_are_refused(domain):
    found = exactly(TRUE, quantity(square_length, domain))
    assert found.verdict is Verdict.ERROR
    assert "-N + d >= 0 is needed" in found.summary


def test_a_counterexample_is_at_sizes_that_exist():
    box = Box({"d": 1, "N": 1}, "N <= d")
    assert exactly(TRUE, quantity(square_length, box)).verdict is Verdict.PROVED
    # It differs at d = 1, N = 2 first, where there are no two of them.
    found = exactly(f"{TRUE} + (N - 1)*(d - 2)", quantity(square_length, box))
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample["at"] == {"d": 3, "N": 2}


def test_a_counterexample_is_at_a_dimension_that_can_be_halved():
    def half():
        split = Splitting(d, P=d / 2)
        return mean(dot(split["P"] @ v[one], v[one]))

    assert half().scope.startswith("d >= 1, d/2 an integer")
    found = exactly("1/2 + d - 2", quantity(half, {"d": 1}))
    assert found.counterexample["at"] == {"d": 4}


def test_sizes_that_are_enumerated_or_measured_exist():
    box = Box({"d": 1, "N": 1}, "N <= d")
    seen = []

    def enumerate_(sizes):
        seen.append(dict(sizes))
        return square_length().value(**sizes).as_fraction()

    tiny = [{"d": 1, "N": 2}, {"d": 2, "N": 2}]
    assert (
        exactly(TRUE, quantity(square_length, box, tiny, (), enumerate_)).verdict is Verdict.PROVED
    )
    assert seen == [{"d": 2, "N": 2}]
    found = exactly(TRUE, quantity(square_length, box, (), [{"d": 2, "N": 3}]))
    assert found.verdict is Verdict.ERROR
    assert "sizes: d = 2, N = 3 of Q: -N + d >= 0 is needed" in found.summary


def test_a_value_that_depends_on_no_size_of_the_claim_is_refused():
    found = exactly(TRUE, quantity(square_length, {"d": 1}))
    assert found.verdict is Verdict.ERROR
    assert "domain: Q depends on N, which has no lower end" in found.summary


# -- judge --------------------------------------------------------------------------------------------


def orthonormal(at):
    return Instance({VECTORS: at["N"]}, {}, {}, dict(at))


def first_coordinates(stream, replicates, start, d, N):
    from numerics import replicate_spheres

    vectors = replicate_spheres(replicates, 1, d, stream=stream.child("v"), start=start)
    return (vectors[:, 0, :N] ** 2).sum(-1) ** 2


def judged(printed, domain, **changes):
    arguments = {
        "printed": printed,
        "expression": length(2),
        "given": [],
        "domain": domain,
        "instance": orthonormal,
        "measured": first_coordinates,
        "bounds": lambda sizes: (0.0, 1.0),
        "sizes": [{"d": 3, "N": 2}],
    }
    return judge("length", **arguments | changes)


#: Sizes that tell the mutants of a longer formula from it.
MORE = [{"d": 3, "N": 2}, {"d": 5, "N": 3}]


def test_judge_refuses_a_box_with_sizes_of_nothing():
    with pytest.raises(
        UsageError, match=r"domain: d >= 1, N >= 1 has .* -N \+ d >= 0 is needed, and"
    ):
        judged(TRUE, {"d": 1, "N": 1})


def test_judge_proves_for_the_sizes_that_exist_and_says_so():
    result = judged(TRUE, Box({"d": 2, "N": 1}, "N <= d"))
    assert [it.verdict for it in result.evidence] == [Verdict.PROVED, Verdict.SUPPORTED]
    assert result.evidence[0].scope == "-N + d >= 0, d >= 2, N >= 1"


def test_judge_refutes_at_sizes_that_exist():
    result = judged(f"{TRUE} + (N - 1)*(d - 2)", Box({"d": 1, "N": 1}, "N <= d"), sizes=MORE)
    assert result.evidence[0].verdict is Verdict.REFUTED
    assert result.evidence[0].counterexample["at"] == {"d": 3, "N": 2}


def test_judge_measures_at_sizes_that_exist():
    box = Box({"d": 1, "N": 1}, "N <= d")
    with pytest.raises(
        UsageError, match=r"sizes: \{'d': 2, 'N': 3\} is outside the domain .*N <=|>= 0"
    ):
        judged(TRUE, box, sizes=[{"d": 2, "N": 3}])


PAIR = {
    "expression": dot(e[x], e[x2]) ** 2,
    "given": [x != x2],
    "instance": lambda at: Instance({VECTORS: at["N"]}, {x: 0, x2: 1}, {}, dict(at)),
}


def pairs(stream, replicates, start, d, N):
    from numerics import replicate_spheres

    vectors = replicate_spheres(replicates, 2, d, stream=stream.child("e"), start=start)
    return (vectors[:, 0] * vectors[:, 1]).sum(-1) ** 2


def test_two_different_vectors_are_at_least_two():
    with pytest.raises(UsageError, match=r"N >= 2 is needed, and N = 1"):
        judged("1/d", {"d": 1, "N": 1}, **PAIR, measured=pairs)
    result = judged("1/d", {"d": 1, "N": 2}, **PAIR, measured=pairs)
    assert result.verdict is Verdict.PROVED
    assert result.evidence[0].scope == "d >= 1, N >= 2; x != x2"


def test_an_instance_that_contradicts_what_is_given_is_called_that():
    same = lambda at: Instance({VECTORS: at["N"]}, {x: 0, x2: 0}, {}, dict(at))  # noqa: E731
    with pytest.raises(UsageError, match=r"instance: at d = 1, N = 2, x != x2 is not true of"):
        judged("1/d", {"d": 1, "N": 2}, **PAIR | {"instance": same}, measured=pairs)
    fewer = lambda at: Instance({VECTORS: 5}, {x: 0, x2: 1}, {}, dict(at))  # noqa: E731
    with pytest.raises(UsageError, match=r"instance: at d = 1, N = 2, N = 5 is not true of"):
        judged("1/d", {"d": 1, "N": 2}, **PAIR | {"instance": fewer}, measured=pairs)
    silent = lambda at: Instance({VECTORS: at["N"]}, {x: 0, x2: 1}, {}, {"d": at["d"]})  # noqa: E731
    with pytest.raises(UsageError, match=r"nothing is said of N; add it to the symbols"):
        judged("1/d", {"d": 1, "N": 2}, **PAIR | {"instance": silent}, measured=pairs)


def test_a_position_outside_its_range_is_refused():
    outside = lambda at: Instance({VECTORS: at["N"]}, {x: 0, x2: 2}, {}, dict(at))  # noqa: E731
    with pytest.raises(
        ValueError, match=r"indices: x2 = 2 lies outside vectors, which has positions 0 to 1"
    ):
        judged("1/d", {"d": 1, "N": 2}, **PAIR | {"instance": outside}, measured=pairs)


def test_conditions_that_contradict_each_other_are_refused_before_anything_is_measured():
    A, B = Relation("A", VECTORS), Relation("B", VECTORS)
    given = [count(A(z), N, over=z), count(B(z), 1, over=z), count([A(z), B(z)], 0, over=z)]
    with pytest.raises(ValueError, match="the sizes and conditions contradict each other"):
        judged("1/d", {"d": 1, "N": 2}, **PAIR | {"given": [x != x2, *given]}, measured=nothing)


# -- boxes --------------------------------------------------------------------------------------------


def test_a_box_is_a_mapping_with_conditions():
    box = Box({"d": 1, "n": 1, "N": 2}, "1 <= n <= N", "2*d >= N")
    assert dict(box) == {"d": 1, "n": 1, "N": 2}
    assert str(box) == "d >= 1, n >= 1, N >= 2, n - 1 >= 0, N - n >= 0, -N + 2*d >= 0"
    assert box.missing({"d": 1, "n": 2, "N": 2}) == ""
    assert "N - n >= 0 is needed, N - n = -1" in box.missing({"d": 2, "n": 3, "N": 2})
    assert "n >= 1 is needed" in box.missing({"d": 2, "n": 0, "N": 2})
    assert box.missing({"d": 2, "n": 1}) == "N has no value"
    assert Box.of(box) is box
    assert Box.of({"d": 1}).conditions == ()


@pytest.mark.parametrize(
    ("conditions", "said"),
    [
        (["n < N"], "'n < N' is no condition on sizes"),
        (["n = N"], "'n = N' is no condition"),
        (["n == N"], "'n == N' is no condition"),
        (["n"], "'n' is no condition"),
        ([3], "3 is no condition"),
        (["n <= K"], "'n <= K' speaks of K, which has no lower end"),
        (["1/n <= N"], "'1/n <= N' divides by a size; multiply by n"),
    ],
)
def test_what_is_no_condition_is_refused(conditions, said):
    with pytest.raises(UsageError, match=said):
        Box({"n": 1, "N": 1}, *conditions)


@pytest.mark.parametrize(
    ("lower", "said"),
    [
        ({"n": 1.0}, "n from 1.0 on; take an integer"),
        ({"n": True}, "n from True on"),
        (None, "None has"),
    ],
)
def test_what_is_no_lower_end_is_refused(lower, said):
    with pytest.raises(UsageError, match=said):
        Box(lower)


def test_a_condition_that_cannot_be_read_is_refused():
    with pytest.raises(FormulaError, match="is not a formula"):
        Box({"n": 1}, "n <= +*")


def test_sizes_without_a_lower_end_may_be_what_fits():
    """M is left out: n <= M <= N leaves n <= N to be said."""
    M = symbols("M")[0]
    A = Relation("A", Range(M, "some"))
    i = A.ranges[0].index("i")
    u = Sphere("u", d)

    def exact():
        return mean(dot(u[A.ranges[0].index("a")], v[one]) ** 2, [count(A(i), n, over=i)])

    assert "M - n >= 0" in exact().scope
    needed = required([*exact().domain, replace(exact().domain[0], size=N - M, low=0)], ["n", "N"])
    assert N - n in [bound.size for bound in needed]


def test_parameters_count_as_what_they_are_measured_at():
    rho = symbols("rho")[0]
    two = Range(2, "two")
    fixed = Fixed("c", d, rho)

    def exact():
        return mean(dot(fixed[two.index("a")], v[one]) ** 2)

    of = replace(quantity(exact, {"d": 2}), parameters={"rho": Fraction(1, 2)})
    assert exactly("1/d", of).verdict is Verdict.PROVED
    found = exactly("1/d", replace(of, domain={"d": 1}))
    assert found.verdict is Verdict.ERROR
    assert "d - 2 >= 0" in found.summary
    assert (
        exactly("1/d", replace(of, domain={"d": 1}, parameters={"rho": Fraction(1)})).verdict
        is Verdict.PROVED
    )
