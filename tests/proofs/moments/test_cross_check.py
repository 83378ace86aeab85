"""The comparison of the two exact roads: it builds what the conditions say, and it can fail."""

from fractions import Fraction

import pytest

from proofs.algebra import RationalFunction
from proofs.moments import (
    Association,
    Expression,
    Fixed,
    Gaussian,
    OrthogonalSphere,
    Range,
    Relation,
    Signs,
    Sphere,
    Splitting,
    count,
    cross_check,
    dot,
    equal,
    fibre,
    graphs,
    hermite_sum,
    holds,
    indicator,
    laws,
    outer,
    raw,
    sum_over,
    wick_power,
)
from proofs.moments.explicit import Instance
from proofs.moments.indices import Condition, Equal
from proofs.moments.relations import Relations
from proofs.moments.world import World

d, N, M, K, s, rho, p, q = (
    RationalFunction.symbol(name) for name in ("d", "N", "M", "K", "s", "rho", "p", "q")
)
inputs, outputs = Range(N, "[N]"), Range(M, "[M]")
x, x2, z = (inputs.index(name) for name in ("x", "x2", "z"))
y = outputs.index("y")
e, u = Sphere("e", d), Gaussian("u", d, 1 / d)

#: A computation: factors and conditions.
Case = tuple[list[Expression], list[Condition]]


def memory(order=2, fibre_of_y=1, **of_map):
    f = Association(inputs, outputs, **of_map)
    weight = sum_over(z, outer(u[f(z)], e[z]))
    return [dot(u[f(x)] - u[y], weight @ e[x])] * order, [y != f(x), fibre(y, fibre_of_y)]


def shared_fibre():
    f = Association(inputs, outputs)
    weight = sum_over(z, outer(u[f(z)], e[z]))
    margin = dot(u[f(x)], weight @ (e[x] + e[x2]))
    return [margin, margin], [x != x2, equal(f(x), f(x2)), fibre(f(x), 3)]


def related(order=2):
    A = Relation("A", inputs, outputs)
    i, a, b, key = (*(outputs.index(n) for n in "iab"), inputs.index("key"))
    weight = sum_over([z, a], outer(u[a], e[z]), where=A(z, a))
    sizes = [RationalFunction.symbol(name) for name in ("n", "r", "t")]
    given = [
        holds(A(x, b)),
        count(A(x, i), sizes[0], over=i),
        count(A(key, b), sizes[1], over=key),
        count(A(key, i), sizes[2], over=[key, i]),
    ]
    return [dot(u[b], weight @ e[x])] * order, given


def table():
    F = Relation("F", inputs, outputs, functional=True)
    o, i, key = outputs.index("o"), outputs.index("i"), inputs.index("key")
    value = sum_over([z, o], dot(e[z], e[x]) * dot(u[o], u[y]), where=F(z, o))
    given = [
        holds(F(x, y)),
        count(F(key, y), RationalFunction.symbol("r"), over=key),
        count([F(key, i), F(z, i)], RationalFunction.symbol("c"), over=[key, z, i]),
    ]
    return [value], given


def laws_and_functions():
    one = Range(1, "one").index("o")
    w = OrthogonalSphere("w", d, to=Sphere("c", d)[one])
    g = Gaussian("g", d)
    value = hermite_sum([0, s, 1], dot(g[one], e[x])) * dot(w[z], e[x]) ** 2
    return [sum_over(z, value), wick_power(g[one], e[x2], 2)], [x != x2]


def projections_and_signs():
    split, signs = Splitting(d, P=p, Q=q), Signs("sign")
    value = dot(split["P"] @ e[z], e[x]) * signs[z] + indicator(equal(z, x)) * s
    return [sum_over(z, value)] * 2, []


def overlaps():
    k, w, two = Fixed("k", d, rho), Gaussian("w", d), Range(2, "two")
    a, b = two.index("a"), two.index("b")
    return [dot(k[a], w[x]) ** 2 * dot(k[b], w[x]) ** 2], [a != b]


CASES = {
    "injective": memory,
    "y outside the image": lambda: memory(fibre_of_y=0),
    "fourth moment": lambda: memory(4),
    "blocks of two": lambda: memory(fibre_size=2, fibre_of_y=2),
    "blocks": lambda: memory(fibre_size=K, fibre_of_y=K),
    "power sums": lambda: memory(fibre_powers="n", fibre_of_y=K),
    "shared fibre": shared_fibre,
    "relation": related,
    "functional relation": table,
    "laws and functions": laws_and_functions,
    "projections and signs": projections_and_signs,
    "overlaps": overlaps,
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("seed", range(2))
def test_both_roads_agree_on_everything_the_language_says(case, seed):
    factors, given = CASES[case]()
    found = cross_check(factors, given, seed=seed)
    assert found.agree, str(found)
    assert len(found.comparisons) >= 3


# -- what is built ----------------------------------------------------------------------------------


def instances(case, **options):
    return [one.instance for one in cross_check(*case, **options).comparisons]


def fibres(instance):
    (values,) = instance.maps.values()
    return {output: values.count(output) for output in range(instance.sizes[outputs])}


def test_maps_have_the_stated_fibres():
    for instance in instances(memory(fibre_size=K, fibre_of_y=1), trials=4):
        sizes = fibres(instance)
        assert sizes.pop(instance.indices[y]) == 1
        assert set(sizes.values()) <= {0, instance.symbols["K"]}
        assert sum(sizes.values()) == instance.symbols["N"] - 1


def test_power_sums_are_those_of_the_outputs_that_are_not_named():
    for instance in instances(memory(fibre_powers="n", fibre_of_y=K), trials=4):
        (values,) = instance.maps.values()
        sizes = fibres(instance)
        assert sizes.pop(instance.indices[y]) == instance.symbols["K"]
        assert sizes.pop(values[instance.indices[x]]) == 1
        for power in (2, 3):
            assert instance.symbols[f"n{power}"] == sum(n**power for n in sizes.values())


def test_counts_are_read_off_the_relation():
    for instance in instances(related(), trials=4):
        ((_, pairs),) = instance.relations.items()
        mine = instance.indices[x]
        assert instance.symbols["t"] == len(pairs)
        assert instance.symbols["n"] == sum(first == mine for first, _ in pairs)


def test_functional_relations_are_functions():
    for instance in instances(table(), trials=4):
        ((_, pairs),) = instance.relations.items()
        assert sorted(first for first, _ in pairs) == list(range(instance.sizes[inputs]))


def test_stated_counts_restrict_the_relation():
    A = Relation("A", inputs, outputs)
    i, b, key = outputs.index("i"), outputs.index("b"), inputs.index("key")
    given = [
        count(A(x, i), 2, over=i),
        count(A(key, i), 2 * N, over=[key, i]),
        holds(A(x, b)),
        count(A(key, b), RationalFunction.symbol("r"), over=key),
    ]
    for instance in instances(([sum_over(z, dot(e[z], e[x]), where=A(z, b))], given)):
        (pairs,) = instance.relations.values()
        assert len(pairs) == 2 * instance.symbols["N"]


def test_sizes_may_be_formulas():
    pairs, halves = Range(N * K, "pairs"), Range(2 * M, "halves")
    a, b = pairs.index("a"), halves.index("b")
    v, w = Sphere("v", d), Sphere("w", d)
    found = cross_check(sum_over([a, b], dot(v[a], w[b]) ** 2))
    assert found.agree
    for one in found.comparisons:
        assert one.instance.sizes[pairs] == one.sizes["N"] * one.sizes["K"]
        assert one.instance.sizes[halves] == 2 * one.sizes["M"]


def test_numbers_as_dimensions_are_kept():
    v = Sphere("v", 3)
    (one,) = cross_check(dot(v[x], v[x2]) ** 4, [x != x2], trials=1).comparisons
    assert (one.dimension, one.enumeration) == (3, Fraction(1, 5))


def test_instances_are_different_and_repeatable():
    first, second, other = (cross_check(*memory(), seed=seed) for seed in (1, 1, 2))
    assert str(first) == str(second) != str(other)
    assert len({str(one) for one in first.comparisons}) == len(first.comparisons)


def test_one_scalar_needs_no_list():
    assert cross_check(dot(e[x], e[x2]) ** 2, [x != x2]).agree


def test_explicit_instances_are_used_instead():
    f = Association(inputs, outputs)
    margin = dot(u[f(x)] - u[y], sum_over(z, outer(u[f(z)], e[z])) @ e[x])
    symbols = {"d": 2, "N": 3, "M": 4}
    instance = Instance({inputs: 3, outputs: 4}, {x: 0, y: 2}, {f: [0, 1, 2]}, symbols)
    found = cross_check(margin, [y != f(x), fibre(y, 1)], instances=[(instance, 2)])
    assert found.agree
    assert [one.sizes for one in found.comparisons] == [symbols]


def test_a_result_reads_as_a_table():
    found = cross_check(dot(e[x], e[x2]) ** 2, [x != x2], trials=1)
    first, *lines = str(found).splitlines()
    assert first == "engine and enumeration agree at 2 instances"
    assert lines[1].startswith("  R^2, N = ")
    assert lines[1].endswith("d = 2: both 1/2")


# -- it can fail ------------------------------------------------------------------------------------


def bend(monkeypatch, owner, name, wrong):
    monkeypatch.setattr(owner, name, wrong)
    monkeypatch.setattr(raw, "_integrator", graphs.Integrator())


@pytest.mark.parametrize("offset", [1, -1, 2])
def test_a_wrong_number_of_pairings_is_rejected(offset, monkeypatch):
    original = graphs.pairings

    def bent(degrees, closed=()):
        return tuple((g, n + offset * (degrees == (2,))) for g, n in original(degrees, closed))

    bend(monkeypatch, graphs, "pairings", bent)
    found = cross_check(*memory())
    assert not found.agree
    assert "disagree" in str(found)
    assert "enumeration" in str(found)


@pytest.mark.parametrize("law", [laws.Sphere, laws.Gaussian])
def test_a_wrong_scale_of_a_law_is_rejected(law, monkeypatch):
    original = law.scale
    bend(monkeypatch, law, "scale", lambda self, n: (original(self, n)[0], Fraction(3, 2)))
    assert not cross_check(*memory()).agree


@pytest.mark.parametrize("case", ["injective", "blocks", "power sums", "relation"])
def test_a_wrong_multiplicity_is_rejected(case, monkeypatch):
    original = World.multiplicity

    def bent(self, fresh, facts):
        return original(self, fresh, facts) + (1 if fresh else 0)

    monkeypatch.setattr(World, "multiplicity", bent)
    factors, given = CASES[case]()
    assert not cross_check(factors, given).agree


def test_forgotten_coincidences_of_related_elements_are_rejected(monkeypatch):
    from proofs.moments import relations

    original = relations.coincidences
    monkeypatch.setattr(relations, "coincidences", lambda *a: list(original(*a))[-1:])
    assert not cross_check(*related()).agree


def test_a_fact_taken_for_its_opposite_is_rejected(monkeypatch):
    original = Relations.truth

    def bent(self, fact):
        truth = original(self, fact)
        return None if truth is None else not truth

    monkeypatch.setattr(Relations, "truth", bent)
    assert not cross_check(*related()).agree


def test_a_condition_that_the_engine_overlooks_is_noticed(monkeypatch):
    """A World for which f(x) = f(x2) says something else builds instances that are not accepted."""
    original = World._identify
    factors, given = shared_fibre()
    same = next(condition for condition in given if isinstance(condition, Equal))
    wrong = Equal(same.left, y)
    monkeypatch.setattr(World, "_identify", lambda self, condition: original(self, wrong))
    with pytest.raises(ValueError, match=r"f\(x\) = f\(x2\) is not true"):
        cross_check(factors, [*given, y != same.right, fibre(same.right, 1)])


def test_a_formula_that_divides_by_zero_does_not_agree(monkeypatch):
    def scale(self, half_degree):
        return tuple((2 * i - 1, -1) for i in range(half_degree)), 1

    bend(monkeypatch, laws.Sphere, "scale", scale)
    found = cross_check(dot(e[x], e[x2]) ** 2, [x != x2], dimensions=[1])
    assert not found.agree
    assert "engine undefined" in str(found)


def test_no_comparison_is_no_agreement():
    found = cross_check(dot(e[x], e[x2]) ** 2, [x != x2])
    assert not type(found)(()).agree


# -- what is refused --------------------------------------------------------------------------------


def _small(**changes):
    f = changes.pop("f")
    parts = {
        "sizes": {inputs: 2, outputs: 3},
        "indices": {x: 0, y: 2},
        "maps": {f: [0, 1]},
        "symbols": {"d": 1, "N": 2, "M": 3},
    }
    return Instance(**{**parts, **changes})


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"symbols": {"d": 1, "N": 3, "M": 3}}, "N = 2 is not true"),
        ({"symbols": {"d": 2, "N": 2, "M": 3}}, "d = 1 is not true"),
        ({"indices": {x: 0, y: 0}}, r"y != f\(x\) is not true"),
        ({"indices": {x: 0, y: 1}}, r"fibre of y. = 0 is not true"),
        ({"maps": lambda f: {f: [0, 0]}}, "fibre of f. = 1 at 0 is not true"),
        ({"indices": {x: 0}}, "nothing is said of y; add it to the indices"),
        ({"maps": {}}, "nothing is said of f; add it to the maps"),
        ({"sizes": {inputs: 2}}, r"nothing is said of \[M\]; add it to the sizes"),
    ],
    ids=["size", "dimension", "distinct", "fibre", "map", "no index", "no map", "no range"],
)
def test_instances_that_contradict_the_conditions_are_refused(changes, named):
    f = Association(inputs, outputs)
    changes = {k: v(f) if callable(v) else v for k, v in changes.items()}
    margin = dot(u[f(x)] - u[y], sum_over(z, outer(u[f(z)], e[z])) @ e[x])
    given = [y != f(x), fibre(y, 0)]
    assert cross_check(margin, given, instances=[(_small(f=f), 1)]).agree
    with pytest.raises(ValueError, match=named):
        cross_check(margin, given, instances=[(_small(f=f, **changes), 1)])


def test_wrong_power_sums_are_refused():
    factors, given = memory(fibre_powers="n", fibre_of_y=0)
    (first, *_) = instances((factors, given), trials=1)
    assert cross_check(factors, given, instances=[(first, 1)]).agree
    first.symbols["n2"] += 1
    with pytest.raises(ValueError, match=r"n2 = \d+, instead of \d+, is not true"):
        cross_check(factors, given, instances=[(first, 1)])


def test_wrong_coordinates_of_fixed_vectors_are_refused():
    factors, given = overlaps()
    first = next(c.instance for c in cross_check(factors, given).comparisons if c.dimension == 2)
    ((family, rows),) = first.fixed.items()
    wrong = Instance(first.sizes, first.indices, {}, first.symbols, {}, {family: [rows[0], [0, 2]]})
    with pytest.raises(ValueError, match=r"an inner product .* in Fixed\('k', d\) is not true"):
        cross_check(factors, given, instances=[(wrong, 2)])


def test_a_symbol_without_a_value_is_named():
    instance = Instance({inputs: 2}, {x: 0, x2: 1}, {}, {"d": 1, "N": 2})
    with pytest.raises(ValueError, match="s has no value"):
        cross_check(dot(e[x], e[x2]) ** 2 * s, [x != x2], instances=[(instance, 1)])


def large():
    many = Range(100, "many")
    a, b = many.index("a"), many.index("b")
    v = Sphere("v", d)
    cross_check(sum_over([a, b], dot(v[a], v[b])) ** 2)


@pytest.mark.parametrize(
    ("call", "error", "named"),
    [
        (lambda: cross_check([]), ValueError, "factors: there are none"),
        (lambda: cross_check(e[x]), TypeError, "moments are of scalars"),
        (lambda: cross_check(dot(e[x], e[x]), trials=0), ValueError, "trials: 0"),
        (lambda: cross_check(dot(e[x], e[x]), instances=[]), ValueError, "instances: there are"),
        (lambda: cross_check(dot(e[x], e[x2])), ValueError, "do x and x2 coincide"),
        (large, ValueError, "multiply out about .* monomials.*instances="),
        (
            lambda: cross_check(
                sum_over(z, dot(e[z], OrthogonalSphere("w", d, to=e[x])[z])), dimensions=[1]
            ),
            ValueError,
            "enumerated in dimension 2, not in 1",
        ),
        (
            lambda: cross_check(
                dot(Fixed("k", d, Fraction(1, 2))[x], e[z]) * dot(Fixed("l", d)[x2], e[z]),
                [x != x2, x != z, x2 != z],
            ),
            ValueError,
            "not known",
        ),
        (lambda: cross_check(dot(e[x], e[x]), dimensions=[5]), ValueError, "1 to 4, not 5"),
        (lambda: cross_check(dot(e[x], e[x]), dimensions=[0]), ValueError, "1 to 4, not 0"),
    ],
    ids=[
        "none",
        "vector",
        "trials",
        "instances",
        "open",
        "large",
        "d",
        "overlaps",
        "d = 5",
        "d = 0",
    ],
)
def test_what_cannot_be_compared_is_refused(call, error, named):
    with pytest.raises(error, match=named):
        call()


@pytest.mark.parametrize(
    "case",
    [
        lambda: memory(fibre_size=20, fibre_of_y=0),
        lambda: ([sum_over(z, dot(Fixed("k", d, Fraction(1, 3))[z], u[y]) ** 2)], [x != x2]),
        lambda: ([dot(e[x], u[y]) ** 2 * dot(*[Gaussian("w", d + 7)[x]] * 2)], []),
    ],
    ids=["large fibres", "overlaps", "dimensions"],
)
def test_where_no_small_instance_exists_an_explicit_one_is_asked_for(case):
    with pytest.raises(ValueError, match=r"found no small instance.*instances=\[\(Instance"):
        cross_check(*case())
