"""Relations, collisions, indicators, blocks and shared fibres against enumeration."""

import itertools
import re
from fractions import Fraction

import pytest

from proofs.algebra import RationalFunction
from proofs.moments import (
    Association,
    Expression,
    Gaussian,
    Range,
    Relation,
    Sphere,
    count,
    covariance,
    cross_check,
    dot,
    equal,
    fails,
    fibre,
    holds,
    indicator,
    mean,
    outer,
    raw_moments,
    sum_over,
)
from proofs.moments.explicit import Instance

d, Z, M, S, R, n, r, t, v2, w2, K = (
    RationalFunction.symbol(name)
    for name in ("d", "Z", "M", "S", "R", "n", "r", "t", "v2", "w2", "K")
)
keys, answers = Range(Z, "keys"), Range(M, "answers")
z, z2, k, k2, i, i2 = (keys.index(name) for name in ("z", "z2", "k", "k2", "i", "i2"))
a, b, m, m2, j, j2 = (answers.index(name) for name in ("a", "b", "m", "m2", "j", "j2"))
e, u = Sphere("e", d), Gaussian("u", d, 1 / d)
A = Relation("A", keys, answers)

W = sum_over([k, m], outer(u[m], e[k]), where=A(k, m))
score = dot(u[a], W @ e[z])

#: What the mean of the score needs, and what its second moment needs besides.
FACT = {"A(z, a)": holds(A(z, a))}
ORDER_TWO = {
    "A(z, i1)": count(A(z, j), n, over=j),
    "A(i1, a)": count(A(i, a), r, over=i),
    "A(i1, i2)": count(A(i, j), t, over=[i, j]),
}
GIVEN = [*FACT.values(), *ORDER_TWO.values()]

#: Relations over three keys and three answers with z = 0 and a = 0 related.
PAIRS = {
    "one fact": {(0, 0)},
    "a function": {(0, 0), (1, 1), (2, 1)},
    "two answers each": {(0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 0)},
    "uneven": {(0, 0), (0, 1), (0, 2), (1, 0)},
    "everything": set(itertools.product(range(3), repeat=2)),
}


def explicit(pairs, dimension):
    symbols = {
        "d": dimension,
        "Z": 3,
        "M": 3,
        "n": sum(x == 0 for x, _ in pairs),
        "r": sum(y == 0 for _, y in pairs),
        "t": len(pairs),
    }
    sizes, indices = {keys: 3, answers: 3}, {z: 0, z2: 1, a: 0, b: 1}
    return Instance(sizes, indices, {}, symbols, {A: pairs})


@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("pairs", PAIRS)
def test_moments_of_a_sum_over_pairs(pairs, order, dimension):
    factors = [score] * order
    instance = explicit(PAIRS[pairs], dimension)
    assert cross_check(factors, GIVEN, instances=[(instance, dimension)]).agree


def test_the_moments_of_a_score_in_the_counts():
    assert mean(score, [holds(A(z, a))]) == 1
    assert mean(score, [fails(A(z, a))]) == 0
    # E <u_a, sum_k u_l <e_k, e_z>>^2 over pairs (k, m): the four kinds of pairs, one a square.
    second = mean(score**2, GIVEN).value
    own, rows, columns, rest = (d + 2) / d, (n - 1) / d, (r - 1) * (d + 2) / d / d, t - n - r + 1
    assert second == own + rows + columns + rest / d**2


@pytest.mark.parametrize("missing", ORDER_TWO)
def test_a_missing_count_is_asked_for_by_name(missing):
    given = [c for name, c in {**FACT, **ORDER_TWO}.items() if name != missing]
    asked = re.escape(f"is {missing} true? Add count([{missing}], size, over=")
    with pytest.raises(ValueError, match=asked):
        mean(score**2, given)


def test_an_unknown_fact_is_asked_for_by_name():
    with pytest.raises(ValueError, match=r"is A\(z, a\) true\? Add holds\(A\(z, a\)\) or fails"):
        mean(score, [])


@pytest.mark.parametrize(
    "given",
    [
        lambda: [holds(A(z, a)), fails(A(z, a))],
        lambda: [count(A(z, j), 2, over=j), count(A(z, j2), 3, over=j2)],
        lambda: [count(A(z, j), n, over=j), count(A(z, j2), r, over=j2)],
        lambda: [
            count([A(z, j), A(z2, j)], 1, over=j),
            count([A(z2, j2), A(z, j2)], 2, over=j2),
            z != z2,
        ],
        lambda: [
            count([A(i, j), A(i, m)], 4, over=[i, j, m]),
            count([A(k, m), A(k, j)], 5, over=[k, m, j]),
        ],
    ],
    ids=["fact", "numbers", "symbols", "order of atoms", "names of indices"],
)
def test_contradictory_counts_are_errors(given):
    with pytest.raises(ValueError, match="contradicts a count of"):
        mean(dot(e[z], e[z]) * sum_over(m, dot(u[m], u[m]), where=A(z, m)), given())


@pytest.mark.parametrize("size", [-1, Fraction(1, 2)])
def test_what_is_no_count_is_refused(size):
    with pytest.raises(ValueError, match=f"size: {size} is not a count"):
        count(A(z, j), size, over=j)


def test_the_same_count_may_be_stated_twice():
    assert mean(score**2, [*GIVEN, *GIVEN]) == mean(score**2, GIVEN)


@pytest.mark.parametrize("factor", [2, Fraction(1, 2)])
@pytest.mark.parametrize("wrong", ORDER_TWO)
def test_a_wrong_count_is_rejected(wrong, factor):
    instance = explicit(PAIRS["uneven"], 2)
    expected = instance.expectation([score] * 2, 2)
    symbol = {"A(z, i1)": "n", "A(i1, a)": "r", "A(i1, i2)": "t"}[wrong]
    symbols = dict(instance.symbols)
    assert mean(score**2, GIVEN).value(**symbols) == expected
    symbols[symbol] *= factor
    assert mean(score**2, GIVEN).value(**symbols) != expected


# -- two scores and shared answers ------------------------------------------------------------------

SHARED = [
    z != z2,
    a != b,
    *(
        condition(A(key, answer))
        for key, answer, condition in ((z, a, holds), (z, b, fails), (z2, a, holds), (z2, b, holds))
    ),
    count(A(z, j), n, over=j),
    count(A(z2, j), RationalFunction.symbol("n2"), over=j),
    count([A(z, j), A(z2, j)], RationalFunction.symbol("both"), over=j),
    count(A(i, a), r, over=i),
    count(A(i, b), RationalFunction.symbol("r2"), over=i),
    count([A(i, a), A(i, b)], RationalFunction.symbol("ab"), over=i),
    count(A(i, j), t, over=[i, j]),
]


@pytest.mark.parametrize(
    "factors",
    [
        [dot(u[a], W @ e[z]), dot(u[b], W @ e[z2])],
        [dot(u[a], W @ e[z]), dot(u[a], W @ e[z2])],
        [dot(u[a] - u[b], W @ e[z])],
        [dot(u[a] - u[b], W @ e[z]), dot(u[a] - u[b], W @ e[z])],
        [sum_over(m, dot(u[m], u[a]), where=[A(z, m), A(z2, m)])],
    ],
    ids=["two", "one answer", "margin", "margin squared", "intersection"],
)
@pytest.mark.parametrize("seed", range(2))
def test_scores_of_two_keys_agree_with_enumeration(factors, seed):
    found = cross_check(factors, SHARED, seed=seed)
    assert found.agree, str(found)


def test_the_covariance_of_two_scores_is_the_same_in_either_order():
    one, two = dot(u[a], W @ e[z]), dot(u[b], W @ e[z2])
    assert covariance(one, two, SHARED) == covariance(two, one, SHARED)


# -- relations without vectors ----------------------------------------------------------------------


def test_sums_of_indicators_are_the_counts():
    one = Expression.scalar(1)
    assert mean(sum_over([k, m], one, where=A(k, m)), [ORDER_TWO["A(i1, i2)"]]) == t
    assert mean(sum_over(m, one, where=A(z, m)), [ORDER_TWO["A(z, i1)"]]) == n
    both = [A(k, m), A(k2, m)]
    shared = count([A(i, j), A(i2, j)], w2, over=[i, i2, j])
    assert mean(sum_over([k, k2, m], one, where=both), [shared, ORDER_TWO["A(i1, i2)"]]) == w2
    different = sum_over([k, k2, m], one, where=[*both, k != k2])
    assert mean(different, [shared, ORDER_TWO["A(i1, i2)"]]) == w2 - t


# -- functional relations ---------------------------------------------------------------------------

subjects, relations = Range(S, "subjects"), Range(R, "relations")
s, s1, s2 = (subjects.index(name) for name in ("s", "s1", "s2"))
q, q1, q2 = (relations.index(name) for name in ("r", "r1", "r2"))
F = Relation("F", subjects, relations, answers, functional=True)
x, y = Sphere("x", d), Gaussian("y", d)

#: How often the answer to (s, r) occurs beside r, beside s, and in all; and the collisions.
COLLISIONS = [
    holds(F(s, q, a)),
    count(F(s1, q, a), RationalFunction.symbol("c_s"), over=s1),
    count(F(s, q1, a), RationalFunction.symbol("c_r"), over=q1),
    count(F(s1, q1, a), RationalFunction.symbol("c"), over=[s1, q1]),
]


def shapes(table):
    """A table with s = 0, r = 0, and all counts of one or two of its facts, by brute force."""
    sizes = {subjects: 2, relations: 2, answers: 3}
    tuples = {(*question, answer) for question, answer in table.items()}
    indices = {s: 0, q: 0, a: table[0, 0]}
    slots = [[s, s1, s2], [q, q1, q2], [a, j, j2]]
    atoms = [F(*entries) for entries in itertools.product(*slots)]
    given = []
    for pair in itertools.product(atoms, repeat=2):
        over = [i for i in (s1, s2, q1, q2, j, j2) if any(i in atom.entries for atom in pair)]
        total = 0
        for values in itertools.product(*(range(sizes[i.range]) for i in over)):
            at = {**indices, **dict(zip(over, values, strict=True))}
            total += all(tuple(at[slot] for slot in atom.entries) in tuples for atom in pair)
        given.append(count(pair, total, over=over))
    return Instance(sizes, indices, {}, {"S": 2, "R": 2, "M": 3}, {F: tuples}), given


def facts(body):
    """The sum over all facts (s1, r1, a1)."""
    return sum_over([s1, q1, m], body, where=F(s1, q1, m))


@pytest.mark.parametrize(
    "factors",
    [
        [facts(dot(x[s1], x[s]) * dot(y[q1], y[q]) * dot(u[m], u[a]))],
        [facts(dot(u[m], u[a]))],
        [facts(dot(u[m], u[a]) * dot(x[s1], x[s])), dot(x[s], x[s])],
    ],
    ids=["memory", "answers", "subjects"],
)
@pytest.mark.parametrize("seed", range(2))
def test_facts_of_a_table_agree_with_enumeration(factors, seed):
    found = cross_check(factors, COLLISIONS, trials=2, seed=seed)
    assert found.agree, str(found)


@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize(
    "values", [(0, 1, 2, 1), (0, 0, 1, 1), (0, 0, 0, 0), (2, 1, 1, 0)], ids=str
)
def test_second_moments_of_sums_over_facts(values, dimension):
    questions = itertools.product(range(2), repeat=2)
    instance, given = shapes(dict(zip(questions, values, strict=True)))
    instance.symbols["d"] = dimension
    sums = [
        facts(dot(u[m], u[a])),
        facts(dot(u[m], u[a]) * dot(x[s1], x[s])),
        sum_over([q1, m], dot(u[m], u[a]), where=F(s, q1, m)),
    ]
    for one, two in itertools.combinations_with_replacement(sums, 2):
        assert cross_check([one, two], given, instances=[(instance, dimension)]).agree


def test_a_table_has_one_answer_to_each_question():
    one = Expression.scalar(1)
    assert mean(facts(one)) == S * R
    assert mean(sum_over(m, one, where=F(s, q, m))) == 1
    both = sum_over([s1, q1, m, j], one, where=[F(s1, q1, m), F(s1, q1, j)])
    assert mean(both) == S * R
    assert mean(both - sum_over([s1, q1, m], one, where=F(s1, q1, m))) == 0


def test_the_answer_to_a_named_question_excludes_others():
    given = [holds(F(s, q, a)), a != b]
    assert mean(sum_over(m, dot(u[m], u[b]), where=F(s, q, m)), given) == 0
    assert mean(indicator(F(s, q, b)) + indicator(F(s, q, a)), given) == 1


def test_a_table_with_two_answers_to_one_question_is_refused():
    given = [holds(F(s, q, a)), holds(F(s, q, b)), a != b]
    with pytest.raises(ValueError, match="contradicts"):
        mean(sum_over(m, dot(u[m], u[b]), where=F(s, q, m)), given)


def test_collisions_that_are_not_stated_are_asked_for():
    with pytest.raises(ValueError, match=r"is F\(s, i1, a\) true\? Add count"):
        mean(sum_over([q1, m], dot(u[m], u[a]) ** 2, where=F(s, q1, m)), [holds(F(s, q, a))])


# -- indicators, shared fibres, blocks --------------------------------------------------------------

inputs, outputs = Range(Z, "inputs"), Range(M, "outputs")
p, p2, g, h = (inputs.index(name) for name in ("x", "x2", "z", "v"))
o, o2 = outputs.index("y"), outputs.index("o")


def f_of(**options):
    return Association(inputs, outputs, **options)


def _restricted(f):
    c, w = Sphere("c", d), Gaussian("w", d)
    pair = dot(c[g], c[p]) * dot(w[f(g)], w[f(p)])
    two = dot(c[g], c[h]) * dot(w[f(g)], w[f(h)])
    return {
        "equal inputs": indicator(equal(g, p)) * pair,
        "different inputs": indicator(g != p) * pair,
        "equal outputs": indicator(equal(f(g), f(p))) * pair,
        "different outputs": indicator(f(g) != f(p)) * pair,
        "equal, but different inputs": indicator(equal(f(g), f(p))) * indicator(g != p) * pair,
        "over y": indicator(equal(f(g), o)) * pair,
        "two of one fibre": indicator(equal(f(g), f(h))) * two,
        "two different of one fibre": indicator(equal(f(g), f(h))) * indicator(g != h) * two,
    }


MAPS = {
    "injective": ({}, lambda f: [o != f(p), fibre(o, 1)]),
    "blocks of two": ({"fibre_size": 2}, lambda f: [o != f(p), fibre(o, 2)]),
    "blocks": ({"fibre_size": K}, lambda f: [o != f(p), fibre(o, 0)]),
    "free fibres": ({"fibre_powers": "n"}, lambda f: [o != f(p), fibre(o, 2), fibre(f(p), K)]),
    "shared fibre": (
        {},
        lambda f: [o != f(p), fibre(o, 1), p != p2, equal(f(p), f(p2)), fibre(f(p), 2)],
    ),
    "shared block": (
        {"fibre_size": 3},
        lambda f: [o != f(p), fibre(o, 0), p != p2, equal(f(p2), f(p))],
    ),
    "y is the output": ({}, lambda f: [equal(o, f(p)), fibre(o, 2)]),
}


@pytest.mark.parametrize("which", _restricted(f_of()))
@pytest.mark.parametrize("kind", MAPS)
def test_restricted_sums_agree_with_enumeration(kind, which):
    options, conditions = MAPS[kind]
    f = f_of(**options)
    total = sum_over([g, h], _restricted(f)[which])
    for factors in ([total], [sum_over(g, _restricted(f)[which])] * 2):
        factors = [x for x in factors if h not in _unbound(x)]
        if factors:
            found = cross_check(factors, conditions(f), trials=2)
            assert found.agree, str(found)


def _unbound(expression):
    return {getattr(slot, "source", slot) for slot in expression.free_slots()}


@pytest.mark.parametrize("kind", MAPS)
def test_a_condition_in_where_is_an_indicator(kind):
    options, conditions = MAPS[kind]
    f = f_of(**options)
    w = Gaussian("w", d)
    body = dot(w[f(g)], w[f(p)]) ** 2
    for condition in (equal(f(g), f(p)), g != p, f(g) != o):
        inside = sum_over(g, body, where=condition)
        outside = sum_over(g, body * indicator(condition))
        assert mean(inside, conditions(f)) == mean(outside, conditions(f))


@pytest.mark.parametrize("kind", MAPS)
def test_a_condition_and_its_opposite_add_up(kind):
    options, conditions = MAPS[kind]
    f = f_of(**options)
    w = Gaussian("w", d)
    body = dot(w[f(g)], w[o]) ** 2
    parts = [sum_over(g, body, where=c) for c in (equal(f(g), f(p)), f(g) != f(p))]
    assert mean(parts[0] + parts[1], conditions(f)) == mean(sum_over(g, body), conditions(f))


def test_the_fibre_of_a_named_output_is_counted():
    f = f_of()
    same = sum_over(g, Expression.scalar(1), where=equal(f(g), f(p)))
    given = [p != p2, equal(f(p), f(p2)), fibre(f(p), K)]
    assert mean(same, given) == K
    assert (
        mean(sum_over(g, Expression.scalar(1), where=[equal(f(g), f(p)), g != p]), given) == K - 1
    )


def test_two_inputs_of_one_fibre_need_room():
    f = f_of()
    with pytest.raises(ValueError, match="contradicts a fibre of 1"):
        mean(
            dot(u[a], u[a]) * indicator(equal(f(p), f(p2))),
            [p != p2, equal(f(p), f(p2)), fibre(f(p), 1)],
        )


def test_an_output_that_is_the_image_of_an_input_is_no_empty_one():
    f = f_of()
    w = Gaussian("w", d)
    assert mean(dot(w[o], w[o]), [equal(o, f(p)), fibre(o, 1)]) == d
    with pytest.raises(ValueError, match="contradicts a fibre of 0"):
        mean(dot(w[o], w[o]), [equal(o, f(p)), fibre(o, 0)])


def test_pairs_in_blocks_are_counted_by_the_size_of_the_blocks():
    f = f_of(fibre_size=K)
    pairs = sum_over([g, h], Expression.scalar(1), where=equal(f(g), f(h)))
    assert mean(pairs) == Z * K
    assert mean(sum_over([g, h], Expression.scalar(1), where=[equal(f(g), f(h)), g != h])) == Z * (
        K - 1
    )


@pytest.mark.parametrize("wrong", [1, 3])
def test_a_wrong_size_of_the_blocks_is_rejected(wrong):
    w = Sphere("w", d)
    right, other = (
        sum_over([g, h], dot(w[f(g)], w[f(h)]))
        for f in (f_of(fibre_size=2), f_of(fibre_size=wrong))
    )
    found = cross_check(right, dimensions=[2])
    assert found.agree
    value = raw_moments([other])[-1].value
    assert any(value(**one.sizes) != one.enumeration for one in found.comparisons)
