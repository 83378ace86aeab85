"""The two-input MLP memory against enumeration, simulation and moments derived by hand.

Its tables of facts: answers that collide, rivals of the same relation and of others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import factorial, prod, sqrt
from typing import Any

import numpy as np
import pytest
import sympy
from numpy.polynomial import hermite_e

from proofs.algebra import ExactnessError, RationalFunction
from proofs.contract import FormulaContract
from proofs.derived import Derived
from proofs.memories.contract import deviations
from proofs.memories.two_input_mlp import (
    Definition,
    Shape,
    Table,
    margin_central_moment,
    margin_mean,
    margin_variance,
)
from proofs.moments import (
    Expression,
    Gaussian,
    Range,
    Sphere,
    Splitting,
    central_moment,
    count,
    cross_check,
    dot,
    hermite_sum,
    mean,
    sum_over,
    variance,
    wick_power,
)
from proofs.moments.explicit import Instance

d, S, R, m = sympy.symbols("d S R m", positive=True, integer=True)
root = RationalFunction.root
H2, H4 = [0, 0, 1], [0, 0, 0, 0, 1]

#: a*(s, r) for explicit facts, and b; s = r = 0 and a = a*(0, 0).
Facts = Mapping[tuple[int, int], int]
GRID = {(0, 0): 0, (1, 0): 1, (0, 1): 2, (1, 1): 3}
COLLIDING = {(0, 0): 0, (1, 0): 0, (0, 1): 1, (1, 1): 1}
TALL = {(0, 0): 0, (1, 0): 1, (2, 0): 1}
LONE = {(0, 0): 0}
TABLES: dict[str, tuple[Facts, int]] = {
    "rival of the same relation": (GRID, 1),
    "rival of the same subject": (GRID, 2),
    "rival of another fact": (GRID, 3),
    "rival without a fact": (GRID, 4),
    "answers of two facts": (COLLIDING, 1),
    "rival of two facts": (TALL, 1),
    "one fact": (LONE, 1),
}


def shape(sizes: Any = None, **changes: Any) -> Shape:
    symbols = {"d": d, "S": S, "R": R, "m": m, "p": 1, "k": 1, "sigma": H2}
    return Shape(**{**symbols, **(sizes or {}), **changes})


def sizes_of(facts: Facts) -> dict[str, int]:
    return {"S": 1 + max(s for s, _ in facts), "R": 1 + max(r for _, r in facts)}


def table_of(facts: Facts, b: int) -> Table:
    """What the facts say of a = a*(0, 0) and b."""
    with_b = [fact for fact, answer in facts.items() if answer == b]
    return Table(
        collisions=list(facts.values()).count(facts[0, 0]),
        rival_collisions=len(with_b),
        rival="same relation" if any(r == 0 for _, r in with_b) else "other relation",
        rival_answers_subject=any(s == 0 for s, _ in with_b),
    )


# -- enumeration ------------------------------------------------------------------------------------


def instance(it: Definition, facts: Facts, b: int, dimension: int, width: int) -> Instance:
    bound = {index.range for term in it.margin.terms for index in term.bound}
    (neurons,) = bound - {it.subjects, it.relations, it.answers}
    answers = max(b, *facts.values()) + 1
    sizes = sizes_of(facts)
    return Instance(
        {it.subjects: sizes["S"], it.relations: sizes["R"], it.answers: answers, neurons: width},
        {it.s: 0, it.r: 0, it.a: facts[0, 0], it.b: b},
        {},
        {"answers": answers, "d": dimension, **sizes, "m": width},
        {it.facts: {(s, r, a) for (s, r), a in facts.items()}},
    )


def enumerated(facts: Facts, b: int, at: Shape) -> list[RationalFunction]:
    """Mean and variance at explicit sizes."""
    it = Definition(at)
    explicit = instance(it, facts, b, at.d, at.m)
    first, second = (explicit.expectation([it.margin] * n, at.d) for n in (1, 2))
    return [first, second - first**2]


def slow(*values: Any) -> Any:
    return pytest.param(*values, marks=pytest.mark.slow)


@pytest.mark.parametrize("case", TABLES)
@pytest.mark.parametrize(
    ("width", "p", "k", "sigma"),
    [
        (1, 1, 1, H2),
        (2, 1, 1, H2),
        (2, 1, 1, [1, -1, 2]),
        (1, 1, 1, [0, 1, 0, 1]),
        slow(1, 1, 1, H4),
        slow(1, 3, 1, H4),
        slow(1, 1, 3, [0, 0, 1, 0, 1]),
    ],
    ids=str,
)
def test_mean_and_variance_agree_with_enumeration(
    width: int, p: int, k: int, sigma: list[Any], case: str
) -> None:
    facts, b = TABLES[case]
    at = Shape(2, **sizes_of(facts), m=width, p=p, k=k, sigma=sigma, half=1)
    known = table_of(facts, b)
    found = [margin_mean(at, known).value, margin_variance(at, known).value]
    assert found == enumerated(facts, b, at)


@pytest.mark.parametrize("case", TABLES)
@pytest.mark.parametrize(
    ("p", "k", "sigma"),
    [(2, 1, [0, 0, 0, 1]), (1, 2, [1, 1, 0, 1]), (2, 2, H4), (3, 1, H4)],
    ids=str,
)
def test_the_mean_agrees_with_enumeration_for_all_degrees(
    p: int, k: int, sigma: list[Any], case: str
) -> None:
    facts, b = TABLES[case]
    at = Shape(2, **sizes_of(facts), m=1, p=p, k=k, sigma=sigma, half=1)
    it = Definition(at)
    found = instance(it, facts, b, 2, 1).expectation([it.margin], 2)
    assert margin_mean(at, table_of(facts, b)) == found


@pytest.mark.parametrize("dimension", [1, 3])
def test_the_default_subspaces_agree_with_enumeration(dimension: int) -> None:
    at = Shape(dimension, 1, 1, 1, 1, 1, H2)
    found = [margin_mean(at, Table(1, 0)).value, margin_variance(at, Table(1, 0)).value]
    assert found == enumerated(LONE, 1, at)


@pytest.mark.parametrize("rival", ["same relation", "other relation"])
def test_the_definition_agrees_with_enumeration_at_instances_drawn_for_it(rival: Any) -> None:
    it = Definition(Shape(2, S, R, 1, 1, 1, H2, 1))
    table = Table(*sympy.symbols("n n_b"), rival)
    found = cross_check(it.margin, it.given(table), trials=2)
    assert found.agree, str(found)


# -- simulation -------------------------------------------------------------------------------------


def sphere(rng: np.random.Generator, *shape: int) -> np.ndarray:
    g = rng.standard_normal(shape)
    return g / np.linalg.norm(g, axis=-1, keepdims=True)


def tensor(w: np.ndarray, order: int) -> np.ndarray:
    """He_2(w) = w w - I, He_3(w) = w w w less I w in its three positions."""
    eye = np.eye(w.shape[-1])
    square = w[..., :, None] * w[..., None, :]
    if order == 2:
        return square - eye
    cube = square[..., None] * w[..., None, None, :]
    for spec in ("ab,...c->...abc", "ac,...b->...abc", "bc,...a->...abc"):
        cube = cube - np.einsum(spec, eye, w)
    return cube


def simulated(
    dimension: int, half: int, facts: Facts, b: int, at: Shape, samples: int
) -> np.ndarray:
    """Margins of F(z) = sum_i v_i sigma(<w_i, z>) at z = P phi(s) + Q phi(r).

    v_i = (1/m) sum_(s,r) <He_(p+k)(w_i), (P phi(s))^p x (Q phi(r))^k> phi(a*(s, r)).
    """
    rng = np.random.default_rng(20240613)
    size = sizes_of(facts)
    coordinates = rng.permutation(dimension)
    keep_p, keep_q = np.zeros(dimension), np.zeros(dimension)
    keep_p[coordinates[:half]] = keep_q[coordinates[half : 2 * half]] = 1
    sigma = [float(c) / sqrt(factorial(j)) for j, c in enumerate(at.sigma)]
    margins, block = [], 10_000
    for _ in range(samples // block):
        subjects = sphere(rng, block, size["S"], dimension) * keep_p
        relations = sphere(rng, block, size["R"], dimension) * keep_q
        answers = sphere(rng, block, max(b, *facts.values()) + 1, dimension)
        w = rng.standard_normal((block, at.m, dimension))
        v = np.zeros_like(w)
        hermite = tensor(w, at.p + at.k)
        for (s, r), a in facts.items():
            feature = hermite
            for vector in [relations[:, r]] * at.k + [subjects[:, s]] * at.p:
                feature = np.einsum("bi...j,bj->bi...", feature, vector)
            v += feature[..., None] * answers[:, None, a] / at.m
        query = subjects[:, 0] + relations[:, 0]
        output = np.einsum(
            "bid,bi->bd", v, hermite_e.hermeval(np.einsum("bid,bd->bi", w, query), sigma)
        )
        margins.append(np.einsum("bd,bd->b", answers[:, facts[0, 0]] - answers[:, b], output))
    return np.concatenate(margins)


def number(value: RationalFunction) -> float:
    return float(value.to_sympy({}))


WIDE = {**{(s, r): 10 * r + s for s in range(4) for r in range(3)}, (1, 0): 0, (3, 1): 12}


@pytest.mark.parametrize(
    ("dimension", "half", "width", "facts", "b", "sigma"),
    [
        (3, 1, 12, GRID, 1, [0, 0, 1]),
        (4, 2, 10, GRID, 2, [1, 1, 1]),
        (5, 2, 10, COLLIDING, 1, [0, 1, 1]),
        (5, 2, 8, WIDE, 12, [0, 1, 1]),
        slow(6, 3, 20, TALL, 1, [0, 0, 1, 1]),
        (5, 1, 12, WIDE, 2, [1, 0, 1]),
    ],
    ids=["d = 3", "d = 4", "colliding", "rival of two facts", "tall", "small subspaces"],
)
def test_mean_and_variance_agree_with_simulation(
    dimension: int, half: int, width: int, facts: Facts, b: int, sigma: list[Any]
) -> None:
    at = Shape(dimension, **sizes_of(facts), m=width, p=1, k=1, sigma=sigma, half=half)
    known = table_of(facts, b)
    found = simulated(dimension, half, facts, b, at, 150_000)
    centre = number(margin_mean(at, known).value)
    spread = number(margin_variance(at, known).value)
    assert max(map(abs, deviations(found, centre, spread))) < 6
    # The same comparison sees the norms of P phi(s) taken for one, and a width of half the size.
    assert abs(deviations(found, centre * dimension**2 / half**2, spread)[0]) > 6
    assert abs(deviations(found, centre, spread * 2)[1]) > 6


@pytest.mark.slow
@pytest.mark.parametrize(("p", "k"), [(1, 2), (2, 1)])
@pytest.mark.parametrize("case", ["answers of two facts", "rival of two facts"])
def test_the_mean_of_odd_total_degree_agrees_with_simulation(case: str, p: int, k: int) -> None:
    facts, b = TABLES[case]
    at = Shape(5, **sizes_of(facts), m=2, p=p, k=k, sigma=[0, 0, 0, 1], half=2)
    found = simulated(5, 2, facts, b, at, 150_000)
    centre = number(margin_mean(at, table_of(facts, b)).value)
    assert abs(deviations(found, centre, 1)[0]) < 6
    assert abs(deviations(found, centre * 2, 1)[0]) > 6


# -- by hand ----------------------------------------------------------------------------------------


def of_norm(power: int, half: Any, dimension: Any) -> RationalFunction:
    """E |P phi|^2power = h (h+2) ... / (d (d+2) ...), phi uniform on the sphere, P of dimension h."""
    h, n = RationalFunction.of(half), RationalFunction.of(dimension)
    factors = ((h + 2 * i) / (n + 2 * i) for i in range(power))
    return prod(factors, start=RationalFunction.constant(1))


@pytest.mark.parametrize("half", [None, sympy.Symbol("h")])
@pytest.mark.parametrize(("p", "k"), [(1, 1), (3, 1), (1, 3), (3, 3)])
def test_the_mean_for_the_polynomial_of_the_features_degree(p: int, k: int, half: Any) -> None:
    # By parts, E sigma(<w, q>) :<w, P s'>^p: :<w, Q r'>^k: = E sigma^(p+k)(<w, q>) <q, P s'>^p
    # <q, Q r'>^k, and sigma = h_(p+k) has the derivative sqrt((p+k)!). For odd p and k the signs of
    # s' and r' leave the fact (s, r), of mean E |P s|^2p E |Q r|^2k E <a, a - b> and the last is 1.
    sigma = [0] * (p + k) + [1]
    size = (d - 1) / 2 if half is None else half
    expected = root(factorial(p + k)) * of_norm(p, size, d) * of_norm(k, size, d)
    at = shape(p=p, k=k, sigma=sigma, half=half)
    assert margin_mean(at) == expected
    assert margin_mean(at, Table(*sympy.symbols("n n_b"), "same relation")) == expected


def test_the_mean_at_first_degrees_for_an_activation_of_degree_four() -> None:
    # sigma'' = sqrt(2) c_2 + sqrt(6) c_3 x + c_4 (12 x^2 - 12) / sqrt(24), and <w, q> is |q| Z with
    # |q|^2 = X + Y, X = |P s|^2, Y = |Q r|^2 independent: E (X + Y) X Y = 2 E X^2 E X.
    h, c2, c4 = sympy.Symbol("h"), *(RationalFunction.symbol(f"c{j}") for j in (2, 4))
    one, two = of_norm(1, h, d), of_norm(2, h, d)
    expected = root(2) * c2 * one**2 + c4 * 12 / root(24) * (2 * two * one - one**2)
    assert margin_mean(shape(sigma=4, half=h)) == expected


@pytest.mark.parametrize("same", [True, False])
def test_for_an_even_degree_other_subjects_enter_the_mean(same: bool) -> None:
    # p = 2: the sign of s' is no help, so facts (s', r) with the answer a count with E <P s, P s'>^2
    # = h / d^2 and those with b against it; k = 1 still leaves r' = r.
    h, n, n_b = sympy.symbols("h n n_b")
    found = margin_mean(
        shape(p=2, k=1, sigma=[0, 0, 0, 1], half=h),
        Table(n, n_b, "same relation" if same else "other relation"),
    )
    overlap = RationalFunction.of(h / d**2)
    facts = RationalFunction.of(n - 1 - (n_b if same else 0))
    assert found == root(6) * of_norm(1, h, d) * (of_norm(2, h, d) + facts * overlap)


@pytest.mark.parametrize(("p", "k"), [(1, 1), (1, 3), (3, 1), (3, 3)])
def test_the_mean_tends_to_the_coefficient_over_two_to_the_degree(p: int, k: int) -> None:
    found = margin_mean(shape(p=p, k=k, sigma=p + k)).leading(d=1)
    coefficient = RationalFunction.symbol(f"c{p + k}") * root(factorial(p + k))
    assert (found.exponent, found.term) == (0, coefficient / 2 ** (p + k))


@pytest.mark.parametrize(("p", "k", "j"), [(1, 1, 0), (1, 1, 1), (1, 1, 3), (3, 1, 3), (3, 3, 5)])
def test_activations_without_the_degree_have_no_mean(p: int, k: int, j: int) -> None:
    assert margin_mean(shape(p=p, k=k, sigma=[0] * j + [1])) == 0


# -- limits -----------------------------------------------------------------------------------------


def wide(value: RationalFunction) -> RationalFunction:
    """The limit of A + B/m, which a variance of a mean over m neurons is."""
    at_one, at_two = value(m=1), value(m=2)
    limit: RationalFunction = 2 * at_two - at_one
    assert value == limit + (at_one - limit) / RationalFunction.symbol("m")
    return limit


KINDS = [
    {"rival": "same relation"},
    {"rival": "other relation"},
    {"rival": "other relation", "rival_answers_subject": True},
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: ", ".join(map(str, kind.values())))
def test_a_wide_network_has_the_variance_of_the_sum_over_facts(kind: dict[str, Any]) -> None:
    # sigma = h_2, p = k = 1: given the embeddings the mean over w is sqrt(2) sum over facts of
    # <P s, P s'> <Q r, Q r'> <a', a - b>. Facts are uncorrelated by the signs of s', r'. With X as
    # above E <P s, P s'>^2 is E X^2 at s' = s and h / d^2 elsewhere, and E <a', a - b>^2 is
    # 1 + 1/d for the answers a and b, 2/d for others.
    h, n, n_b = sympy.symbols("h n n_b")
    table = Table(n, n_b, **kind)
    square, cross = of_norm(2, h, d), RationalFunction.of(h / d**2)
    near, far = RationalFunction.of(1 + 1 / d), RationalFunction.of(2 / d)
    same = kind["rival"] == "same relation"
    subject = int(kind.get("rival_answers_subject", False))
    total = square**2 * near
    # (s', r): n - 1 facts with a, and the rival's if it is of this relation.
    named = RationalFunction.of(n - 1 + (n_b if same else 0))
    total += cross * square * (named * near + (RationalFunction.of(S - 1) - named) * far)
    # (s, r'): at most one with b.
    total += cross * square * (subject * near + (RationalFunction.of(R - 1) - subject) * far)
    # (s', r'): the rest of the rival's.
    rest = RationalFunction.of(0 if same else n_b - subject)
    total += cross**2 * (rest * near + (RationalFunction.of((S - 1) * (R - 1)) - rest) * far)
    expected = 2 * (total - of_norm(1, h, d) ** 4)
    found = margin_variance(shape(half=h), table)
    assert wide(found.value) == expected
    assert found.leading(m=1).term == expected


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: ", ".join(map(str, kind.values())))
@pytest.mark.parametrize(("p", "k"), [(1, 1), (3, 1), (1, 3)])
def test_a_wide_network_is_the_tensor_memory(p: int, k: int, kind: dict[str, Any]) -> None:
    it = Definition(shape(p=p, k=k))
    table = Table(*sympy.symbols("n n_b"), **kind)
    half = (RationalFunction.of(d) - 1) / 2
    subject, relation, answer = (Sphere(f"phi_{name}", d) for name in "sra")
    parts = Splitting(d, P=half, Q=half)
    s, r, a = it.subjects.index("s'"), it.relations.index("r'"), it.answers.index("a'")
    overlap = dot(subject[it.s], parts["P"] @ subject[s]) ** p
    overlap = overlap * dot(relation[it.r], parts["Q"] @ relation[r]) ** k
    reading = dot(answer[a], answer[it.a] - answer[it.b])
    memory = sum_over((s, r, a), overlap * reading, where=it.facts(s, r, a))
    limit = variance(memory, it.given(table)).value * factorial(p + k)
    sigma = [0] * (p + k) + [1]
    assert wide(margin_variance(shape(p=p, k=k, sigma=sigma), table).value) == limit


@pytest.mark.parametrize(
    ("exponents", "exponent", "term"),
    [
        ({"d": 1, "m": 2}, -1, 5 / (8 * d)),
        (
            {"d": 1, "S": 1, "R": 1, "m": 3},
            -1,
            5 / (8 * d) + (R + S) / (2 * d**2) + R * S / d**3,
        ),
        ({"d": 2, "S": 1, "R": 1, "m": 1}, -1, 17 / (8 * m) + R * S / (2 * d * m)),
        ({"d": 1, "S": 2, "R": 2, "m": 1}, 2, R * S / (2 * d * m)),
    ],
    ids=["few facts", "wide", "narrow", "many facts"],
)
def test_the_leading_order_of_the_variance(
    exponents: Mapping[str, Any], exponent: Any, term: Any
) -> None:
    found = margin_variance(shape()).leading(**exponents)
    assert (found.exponent, found.term) == (exponent, RationalFunction.of(term))


# -- it can fail ------------------------------------------------------------------------------------


def mutant(which: str) -> Expression:
    """The memory with p = k = 1, sigma = h_2 and one mistake, for a definition's indices."""
    width = RationalFunction.of(m)
    subject, relation, answer = (Sphere(f"phi_{name}", d) for name in "sra")
    w, i = Gaussian("w", d, Fraction(1, 2) if which == "w of half" else 1), Range(m).index("i")
    half = (RationalFunction.of(d) - 1) / 2
    q = half + 1 if which == "wrong block" else half
    parts = Splitting(d, P=half, Q=q)
    P, Q = parts["P"], parts["P" if which == "one subspace" else "Q"]
    s, r = IT.subjects.index("s'"), IT.relations.index("r'")
    a = IT.answers.index("a'")
    first = wick_power(w[i], P @ subject[s], 2 if which == "degree" else 1)
    second = wick_power(w[i], Q @ relation[r], 1)
    if which == "no projection":
        first = wick_power(w[i], subject[s], 1)
    tokens = answer[IT.a] - answer[IT.b]
    if which == "sign":
        tokens = answer[IT.b] - answer[IT.a]
    query = P @ subject[IT.s] + Q @ relation[IT.r]
    if which == "query not projected":
        query = subject[IT.s] + relation[IT.r]
    neuron = hermite_sum(H2, dot(w[i], query), normalized=which != "He_2 for h_2")
    if which == "another activation":
        neuron = hermite_sum([0, 0, 0, 0, 1], dot(w[i], query))
    stored = first * second * dot(answer[a], tokens)
    where = () if which == "all answers" else IT.facts(s, r, a)
    memory = sum_over((s, r, a), stored, where=where) if where else sum_over((s, r, a), stored)
    margin = sum_over(i, neuron * memory)
    return margin if which == "forgotten 1/m" else margin / width


IT = Definition(shape())
MUTANTS = [
    "w of half",
    "wrong block",
    "one subspace",
    "degree",
    "no projection",
    "query not projected",
    "sign",
    "He_2 for h_2",
    "another activation",
    "all answers",
    "forgotten 1/m",
]


def test_the_definition_rebuilt_without_a_mistake_is_the_same() -> None:
    margin, given = mutant("none"), IT.given(Table())
    assert mean(margin, given) == margin_mean(shape())
    assert variance(margin, given) == margin_variance(shape())


@pytest.mark.parametrize("which", MUTANTS)
def test_a_wrong_definition_has_other_moments(which: str) -> None:
    margin, given = mutant(which), IT.given(Table())
    same_mean = mean(margin, given) == margin_mean(shape())
    # What is orthogonal in the mean has no part in it.
    assert same_mean == (which in {"no projection", "query not projected"})
    if same_mean:
        assert variance(margin, given) != margin_variance(shape())


@pytest.mark.parametrize(
    "wrong",
    [
        {"collisions": 2},
        {"rival_collisions": 2},
        {"rival": "same relation"},
        {"rival_answers_subject": True},
    ],
    ids=str,
)
def test_a_wrong_table_is_rejected(wrong: dict[str, Any]) -> None:
    facts, b = TABLES["rival of another fact"]
    at = Shape(2, **sizes_of(facts), m=1, p=1, k=1, sigma=H2, half=1)
    assert margin_variance(at, table_of(facts, b)).value == enumerated(facts, b, at)[1]
    assert margin_variance(at, Table(**wrong)).value != enumerated(facts, b, at)[1]


# -- the contract -----------------------------------------------------------------------------------

FUNCTIONS: list[Callable[..., Any]] = [margin_mean, margin_variance]


class TestFormulas(FormulaContract):
    """Mean and variance in d, S, R, m and, where it is given, the dimension of the subspaces."""

    sizes: Mapping[str, int] = {"d": 5, "S": 4, "R": 3, "m": 2}
    least: Mapping[str, int] = {"d": 1, "S": 1, "R": 1, "m": 1}
    called: Mapping[str, str] = {"d": "{}", "S": "{}", "R": "{}", "m": "{}"}
    inner = ("answers", "keys", "w", "P")
    definition_text = "gamma = (1/m) sum_i sigma(<w_i, P s + Q r>)"
    out_of_range = tuple(
        (lambda f=function, c=changes: f(shape(c)), words)
        for function in FUNCTIONS
        for changes, words in (
            ({"p": 0}, "p: 0 is no degree"),
            ({"k": 0}, "k: 0 is no degree"),
            ({"p": True}, "p: True is no degree"),
            ({"k": 1.0}, "k: 1.0 is no degree"),
            ({"sigma": []}, "sigma: no coefficients"),
            ({"sigma": -1}, "sigma: -1"),
            ({"d": 4, "half": 3}, "-2 is no dimension"),
            ({"half": -1}, "P: -1 is no dimension"),
            ({"half": Fraction(1, 2)}, "P: 1/2 is no dimension"),
        )
    )
    inexact = tuple(
        (lambda f=function, c=changes: f(shape(c)), "0.5")
        for function in FUNCTIONS
        for changes in ({"half": 0.5}, {"sigma": [0, 0, 0.5]})
    )

    @property
    def formulas(self) -> Mapping[str, Callable[..., Derived]]:
        return {f.__name__: lambda f=f, **sizes: f(shape(sizes)) for f in FUNCTIONS}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_coefficients_are_the_symbols_of_the_caller(function: Callable[..., Any]) -> None:
    c = sympy.Symbol("c", positive=True)
    assert c in function(shape(sigma=[0, 0, c])).expr.free_symbols


def test_the_second_central_moment_is_the_variance() -> None:
    assert margin_central_moment(2, shape()) == margin_variance(shape())
    assert margin_central_moment(1, shape()) == 0


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_scope_states_the_sizes_and_the_table(function: Callable[..., Any]) -> None:
    scope = function(shape(), Table(3, 2)).scope
    for part in ("d >= 1", "m >= 1", "R >= 1", "S >= 3", "= 3", "= 2", "a != b"):
        assert part in scope


def test_subspaces_that_do_not_fit_are_refused_with_the_bound() -> None:
    formula = margin_mean(shape(half=sympy.Symbol("h")))
    assert formula(d=4, h=2) == root(2) / 4
    with pytest.raises(ValueError, match=r"d - 2\*h >= 0 is needed"):
        formula(d=3, h=2)


def test_an_even_dimension_has_no_default_subspaces() -> None:
    with pytest.raises(ValueError, match="P: 3/2 is no dimension"):
        margin_mean(shape(d=4))


def test_an_even_dimension_is_refused_where_the_formula_is_for_odd_ones() -> None:
    with pytest.raises(ValueError, match="3/2"):
        margin_mean(shape())(d=4)


@pytest.mark.parametrize(
    ("arguments", "error", "named"),
    [
        ({"collisions": -1}, ValueError, "-1 is not a count"),
        ({"rival_collisions": Fraction(1, 2)}, ValueError, "1/2 is not a count"),
        ({"collisions": 1.0}, ExactnessError, r"1\.0"),
        ({"rival": "same"}, ValueError, "rival: 'same' is not known"),
        (
            {"rival": "same relation", "rival_answers_subject": True},
            ValueError,
            "rival_answers_subject: s has the answer a, not b",
        ),
    ],
    ids=str,
)
def test_tables_that_cannot_be_are_refused(
    arguments: dict[str, Any], error: type[Exception], named: str
) -> None:
    with pytest.raises(error, match=named):
        margin_variance(shape(), Table(**arguments))


@pytest.mark.parametrize(
    ("arguments", "sizes"),
    [
        ({"collisions": 0}, {}),
        ({"rival_collisions": 0, "rival_answers_subject": True}, {}),
        ({"collisions": 5}, {"S": 3, "R": 2}),
        ({"collisions": 2, "rival_collisions": 2, "rival": "same relation"}, {"S": 3, "R": 2}),
        ({"rival_collisions": 1}, {"S": 3, "R": 1}),
        ({"rival_collisions": 4}, {"S": 3, "R": 2}),
    ],
    ids=str,
)
def test_counts_that_contradict_the_facts_are_refused(
    arguments: dict[str, Any], sizes: dict[str, int]
) -> None:
    """a is the answer to (s, r); facts of one relation with one answer are no more than subjects."""
    with pytest.raises(ValueError, match=r"collisions|relations|given"):
        margin_variance(shape(sizes), Table(**arguments))


@pytest.mark.parametrize("order", [0, 3, -1, 2.0, True, "2"])
def test_orders_out_of_range_are_refused(order: Any) -> None:
    with pytest.raises(ValueError, match=f"order: {re.escape(repr(order))}"):
        margin_central_moment(order, shape())


def test_an_even_degree_asks_for_the_counts_that_its_variance_needs() -> None:
    at = Shape(2, 2, 2, 1, 1, 2, [0, 0, 0, 1], half=1)
    facts, b = TABLES["rival of another fact"]
    with pytest.raises(ValueError, match=r"Add count\(\[a\*\(s, i1, i3\), a\*\(s, i2, i3\)\]"):
        margin_variance(at, table_of(facts, b))
    it = Definition(at)
    r1, r2 = (it.relations.index(name) for name in ("r1", "r2"))
    s1, a1 = it.subjects.index("s1"), it.answers.index("a1")
    F, n, n_b = it.facts, 1, 1
    # Answers of different relations are disjoint: facts that share theirs share the relation, so
    # the first five are numbers of facts, subjects
    # and relations; no subject has both a and b.
    further = [
        count([F(it.s, r1, a1), F(it.s, r2, a1)], 2, over=[r1, r2, a1]),
        count([F(s1, r1, a1), F(s1, r2, a1)], 4, over=[s1, r1, r2, a1]),
        count([F(s1, it.r, a1), F(s1, r2, a1)], 2, over=[s1, r2, a1]),
        count([F(s1, r1, it.a), F(s1, r2, it.a)], n, over=[s1, r1, r2]),
        count([F(s1, r1, it.b), F(s1, r2, it.b)], n_b, over=[s1, r1, r2]),
        count([F(s1, r1, it.a), F(s1, r2, it.b)], 0, over=[s1, r1, r2]),
    ]
    found = central_moment(2, it.margin, [*it.given(table_of(facts, b)), *further])
    assert found.value == enumerated(facts, b, at)[1]
