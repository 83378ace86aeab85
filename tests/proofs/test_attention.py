"""Attention heads as memories against enumeration, simulation and moments derived by hand.

Heads whose answers overlap, tokens that are no answers, and rivals that a head holds too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

from proofs.algebra import RationalFunction
from proofs.attention import (
    Definition,
    Head,
    Store,
    Tokens,
    margin_central_moment,
    margin_mean,
    margin_variance,
    score_covariance,
    score_mean,
    score_variance,
)
from proofs.contract import FormulaContract
from proofs.derived import Derived
from proofs.memories.contract import deviations
from proofs.moments import (
    Expression,
    Gaussian,
    OrthogonalSphere,
    Range,
    Sphere,
    covariance,
    cross_check,
    dot,
    mean,
    outer,
    sum_over,
    variance,
)
from proofs.moments.explicit import Instance

d, h = sympy.symbols("d h", positive=True, integer=True)
A, F, n, n_b, q = sympy.symbols("A F n n_b q")
ONE = RationalFunction.constant(1)

Pairs = Collection[tuple[int, int]]

#: What a head stores as pairs (key, answer); the attended key is 0, the scored answers 0 and 1.
HEADS: dict[str, Pairs] = {
    "one fact": {(0, 0)},
    "two answers": {(0, 0), (0, 1)},
    "a of two keys": {(0, 0), (0, 2), (1, 0), (1, 3)},
    "overlaps": {(0, 0), (0, 1), (1, 0), (1, 1), (1, 2)},
    "b elsewhere": {(0, 0), (1, 1), (1, 2)},
    "shared elsewhere": {(0, 0), (1, 0), (1, 1), (2, 1)},
    "a not stored": {(0, 2), (1, 0), (1, 1)},
    "neither stored": {(0, 2), (1, 2)},
    "an empty set": {(1, 0), (1, 1)},
}


def store_of(pairs: Pairs, a: int = 0, b: int = 1) -> Store:
    """What the pairs say of the key 0 and the answers a and b."""
    with_a, with_b = ({z for z, answer in pairs if answer == token} for token in (a, b))
    return Store(
        answers=sum(z == 0 for z, _ in pairs),
        facts=len(pairs),
        holders=len(with_a),
        rival_holders=len(with_b),
        shared=len(with_a & with_b),
        stored=0 in with_a,
        rival_stored=0 in with_b,
    )


# -- enumeration ------------------------------------------------------------------------------------


def ranges_of(expression: Expression) -> set[Range]:
    return {index.range for term in expression.terms for index in term.bound}


def expectations(
    factors: list[Expression],
    heads: list[tuple[Head, Pairs]],
    tokens: Tokens,
    d_h: int,
) -> RationalFunction:
    """E of a product in dimension 2, where the w_i are signs of one vector."""
    keys = {head.keys: 3 for head, _ in heads}
    answers = tokens.answers
    eos: Any = tokens.eos.single_vector().slot
    sizes = {**keys, answers: 4, eos.range: 1}
    sizes |= {r: d_h for f in factors for r in ranges_of(f) if r not in sizes}
    indices = {tokens.a: 0, tokens.b: 1, eos: 0}
    for head, _ in heads:
        indices |= {head.z: 0, head.other: 1}
    stores = {head.stores: set(pairs) for head, pairs in heads}
    return Instance(sizes, indices, {}, {"d": 2, "h": d_h}, stores).expectation(factors, 2)


def of_head(pairs: Pairs, d_h: int, which: str) -> list[RationalFunction]:
    """Mean and variance of a score at d = 2, or the covariance of two."""
    tokens = Tokens(2)
    head = Head(tokens, d_h)
    scored = {
        "answer": tokens.phi[tokens.a],
        "self": head.phi[head.z],
        "key": head.phi[head.other],
        "eos": tokens.eos,
    }
    score = head.reading(scored[which])
    first, second = (
        expectations([score] * order, [(head, pairs)], tokens, d_h) for order in (1, 2)
    )
    return [first, second - first**2]


@pytest.mark.parametrize("case", HEADS)
@pytest.mark.parametrize("d_h", [1, 2, 3])
def test_mean_and_variance_of_a_score_agree_with_enumeration(d_h: int, case: str) -> None:
    pairs = HEADS[case]
    known = store_of(pairs)
    found = [score_mean(2, d_h, known).value, score_variance(2, d_h, known).value]
    assert found == of_head(pairs, d_h, "answer")


@pytest.mark.parametrize("case", ["one fact", "overlaps", "a of two keys", "an empty set"])
@pytest.mark.parametrize("token", ["self", "key", "eos"])
def test_scores_of_keys_agree_with_enumeration(token: Any, case: str) -> None:
    pairs = HEADS[case]
    others = sum(z == 1 for z, _ in pairs)
    known = Store(sum(z == 0 for z, _ in pairs), len(pairs), others)
    found = [
        score_mean(2, 2, known, token=token).value,
        score_variance(2, 2, known, token=token).value,
    ]
    assert found == of_head(pairs, 2, token)


@pytest.mark.parametrize("case", HEADS)
@pytest.mark.parametrize("d_h", [1, 2])
def test_the_covariance_of_two_scores_agrees_with_enumeration(d_h: int, case: str) -> None:
    tokens, pairs = Tokens(2), HEADS[case]
    head = Head(tokens, d_h)
    heads = [(head, pairs)]
    scores = [head.reading(tokens.phi[token]) for token in (tokens.a, tokens.b)]
    both = expectations(scores, heads, tokens, d_h)
    first, second = (expectations([score], heads, tokens, d_h) for score in scores)
    assert score_covariance(2, d_h, store_of(pairs)) == both - first * second


#: Heads of s and r whose sets have the answer 0 in common, and no other.
CONSTRUCTIONS: dict[str, tuple[Pairs, Pairs]] = {
    "one fact each": ({(0, 0)}, {(0, 0)}),
    "rival of the subject": ({(0, 0), (0, 1)}, {(0, 0), (1, 1)}),
    "rival of the relation": ({(0, 0), (1, 1), (1, 2)}, {(0, 0), (0, 1)}),
    "overlaps": ({(0, 0), (0, 2), (1, 0), (1, 1)}, {(0, 0), (0, 3), (1, 1), (1, 2)}),
    "rival nowhere": ({(0, 0), (1, 0)}, {(0, 0), (0, 2)}),
}


@pytest.mark.parametrize("case", CONSTRUCTIONS)
@pytest.mark.parametrize("d_h", [1, 2])
def test_the_margin_of_two_heads_agrees_with_enumeration(d_h: int, case: str) -> None:
    subject, relation = CONSTRUCTIONS[case]
    it = Definition(2, d_h)
    heads = [(it.subject, subject), (it.relation, relation)]
    first, second = (expectations([it.margin] * order, heads, it.tokens, d_h) for order in (1, 2))
    stores = store_of(subject), store_of(relation)
    assert margin_mean(2, d_h, *stores) == first
    assert margin_variance(2, d_h, *stores) == second - first**2


@pytest.mark.parametrize("d_h", [1, 2])
@pytest.mark.parametrize("order", [1, 2])
def test_the_definition_agrees_with_enumeration_at_instances_drawn_for_it(
    order: int, d_h: int
) -> None:
    tokens = Tokens(d)
    head = Head(tokens, d_h)
    factors = [head.reading(tokens.phi[tokens.a])] * order
    found = cross_check(factors, head.given(Store(A, F, n), tokens.a), trials=2)
    assert found.agree, str(found)


# -- simulation -------------------------------------------------------------------------------------


def sphere(rng: np.random.Generator, *shape: int) -> np.ndarray:
    g = rng.standard_normal(shape)
    return g / np.linalg.norm(g, axis=-1, keepdims=True)


def heads_of(
    rng: np.random.Generator,
    stores: list[Pairs],
    dimension: int,
    d_h: int,
    block: int,
    *,
    orthogonal: bool = True,
) -> tuple[np.ndarray, list[np.ndarray], list[np.ndarray]]:
    """Embeddings of answers, keys of each head, and the matrix W of each.

    W = (d/d_h) sum_(z, a in A_z) phi(a) phi(z)^T sum_i w_i w_i^T, the w_i drawn orthogonal to EOS.
    """
    answers, eos = sphere(rng, block, 4, dimension), sphere(rng, block, dimension)
    keys, matrices = [], []
    for pairs in stores:
        phi = sphere(rng, block, 3, dimension)
        w = rng.standard_normal((block, d_h, dimension))
        if orthogonal:
            w -= np.einsum("bid,bd->bi", w, eos)[..., None] * eos[:, None]
        w /= np.linalg.norm(w, axis=-1, keepdims=True)
        memory = sum(answers[:, a, :, None] * phi[:, z, None, :] for z, a in pairs)
        matrices.append(dimension / d_h * memory @ np.einsum("bij,bik->bjk", w, w))
        keys.append(phi)
    return answers, keys, matrices


def in_order(value: Any) -> str:
    """Fresh and cached bytecode may print one set in two orders, and names of tests must agree."""
    return str([sorted(pairs) for pairs in value] if isinstance(value, list) else value)


def simulated(
    stores: list[Pairs], dimension: int, d_h: int, which: str, *, orthogonal: bool = True
) -> np.ndarray:
    rng = np.random.default_rng(20240614)
    found = []
    for _ in range(10):
        answers, keys, W = heads_of(rng, stores, dimension, d_h, 20_000, orthogonal=orthogonal)
        read = sum(np.einsum("bij,bj->bi", m, k[:, 0]) for m, k in zip(W, keys, strict=True))
        token = {
            "answer": answers[:, 0],
            "self": keys[0][:, 0],
            "key": keys[0][:, 1],
            "margin": answers[:, 0] - answers[:, 1],
        }[which]
        found.append(np.einsum("bi,bi->b", token, read))
    return np.concatenate(found)


def expected(stores: list[Pairs], dimension: int, d_h: int, which: Any) -> list[Fraction]:
    if which == "margin":
        known = [store_of(pairs) for pairs in stores]
        found = [function(dimension, d_h, *known) for function in (margin_mean, margin_variance)]
    else:
        known = [store_of(stores[0])]
        found = [
            function(dimension, d_h, *known, token=which)
            for function in (score_mean, score_variance)
        ]
    return [derived.value.as_fraction() for derived in found]


@pytest.mark.parametrize(
    ("stores", "dimension", "d_h", "which"),
    [
        *(([pairs], 4, 2, "answer") for pairs in HEADS.values()),
        ([HEADS["overlaps"]], 3, 1, "answer"),
        ([HEADS["a of two keys"]], 6, 9, "answer"),
        ([HEADS["overlaps"]], 5, 3, "self"),
        ([HEADS["overlaps"]], 5, 3, "key"),
        *((list(pairs), 4, 3, "margin") for pairs in CONSTRUCTIONS.values()),
        (list(CONSTRUCTIONS["overlaps"]), 6, 1, "margin"),
    ],
    ids=in_order,
)
def test_mean_and_variance_agree_with_simulation(
    stores: list[Pairs], dimension: int, d_h: int, which: str
) -> None:
    found = simulated(stores, dimension, d_h, which)
    centre, spread = expected(stores, dimension, d_h, which)
    assert max(map(abs, deviations(found, centre, spread))) < 6
    # The same comparison sees errors of a tenth.
    assert abs(deviations(found, centre + Fraction(1, 10), spread * Fraction(6, 5))[0]) > 6
    assert abs(deviations(found, centre, spread * Fraction(6, 5))[1]) > 6


@pytest.mark.parametrize(("dimension", "d_h"), [(3, 2), (4, 4), (6, 3)])
def test_a_mean_less_than_one_is_rejected_by_simulation(dimension: int, d_h: int) -> None:
    """The printed mean (d - 1)/d takes E w w^T for I/d on the complement of EOS."""
    found = simulated([HEADS["two answers"]], dimension, d_h, "answer")
    spread = expected([HEADS["two answers"]], dimension, d_h, "answer")[1]
    assert abs(deviations(found, Fraction(dimension - 1, dimension), spread)[0]) > 6
    # Nor do vectors on the whole sphere have this variance, though their mean is one as well.
    whole = simulated([HEADS["two answers"]], dimension, d_h, "answer", orthogonal=False)
    assert abs(deviations(whole, 1, spread)[0]) < 6
    assert abs(deviations(whole, 1, spread)[1]) > 6


# -- by hand ----------------------------------------------------------------------------------------
#
# With D = d - 1, P the projection on the complement of EOS, G = sum_i w_i w_i^T and |P z|^2 of mean
# D/d and second moment D (D+2) / (d (d+2)), conditions on z and EOS:
#   E <z, w>^2 = |P z|^2 / D,  E <z, w>^4 = 3 |P z|^4 / (D (D+2)),
#   g_0 = E <z, G z>^2  = E |P z|^4 (h (h-1) / D^2 + 3 h / (D (D+2))),
#   g_1 = E <z', G z>^2 = E |G z|^2 / d = E |P z|^2 (h (h-1) / D^2 + h / D) / d,
# and the score is gamma = (d/h) sum over pairs of <a, a'> <z', G z>, whose summands are uncorrelated by
# the signs of a' and z'.

_d, _h = RationalFunction.of(d), RationalFunction.of(h)
D = _d - 1
G0 = D * (D + 2) / (_d * (_d + 2)) * (_h * (_h - 1) / D**2 + 3 * _h / (D * (D + 2)))
G1 = D / _d * (_h * (_h - 1) / D**2 + _h / D) / _d
SCALE = (_d / _h) ** 2


@pytest.mark.parametrize("stored", [True, False])
def test_the_mean_of_a_score_says_whether_the_answer_is_stored(stored: bool) -> None:
    # E w w^T = P / (d - 1) and E |P z|^2 = (d - 1) / d, so d/h times h of them is one.
    assert score_mean(d, h, Store(A, F, n, stored=stored)) == int(stored)


@pytest.mark.parametrize("token", ["self", "key", "eos"])
def test_scores_of_keys_have_mean_zero(token: Any) -> None:
    assert score_mean(d, h, Store(A, F, n), token=token) == 0


@pytest.mark.parametrize("stored", [0, 1])
def test_the_variance_of_a_score_is_the_sum_over_pairs(stored: int) -> None:
    # E <a, a'>^2 is one for the holders of a and 1/d for other pairs.
    found = score_variance(d, h, Store(A, F, n, stored=bool(stored)))
    answers, facts, holders = map(RationalFunction.of, (A, F, n))
    own = stored + (answers - stored) / _d
    rest = (holders - stored) + (facts - answers - holders + stored) / _d
    assert found == SCALE * (G0 * own + G1 * rest) - stored


@pytest.mark.parametrize("token", ["self", "key"])
def test_the_variance_of_the_score_of_a_key(token: Any) -> None:
    # No key is an answer, so E <z, a'>^2 = 1/d for all pairs; the signs of a' leave the diagonal.
    answers, facts = map(RationalFunction.of, (A, F))
    expected = SCALE * (G0 * answers + G1 * (facts - answers)) / _d
    assert score_variance(d, h, Store(A, F, n), token=token) == expected


@pytest.mark.parametrize("stored", [True, False])
@pytest.mark.parametrize("rival_stored", [True, False])
def test_scores_are_correlated_through_the_keys_that_hold_both(
    rival_stored: bool, stored: bool
) -> None:
    # Pairs (z', a), (z'', b) have E <a, a> <b, b> = 1 and (z', b), (z'', a) E <a, b>^2 = 1/d; the
    # signs of z' and z'' leave z' = z''; all other pairs of answers vanish by the sign of a or b.
    both = int(stored and rival_stored)
    found = score_covariance(d, h, Store(A, F, n, n_b, q, stored=stored, rival_stored=rival_stored))
    shared = RationalFunction.of(q)
    assert found == SCALE * (1 + 1 / _d) * (both * G0 + (shared - both) * G1) - both


@pytest.mark.parametrize(("of_s", "of_r"), [(False, False), (True, False), (False, True)])
def test_the_margin_of_two_heads_is_the_sum_of_theirs_and_what_eos_and_answers_share(
    of_s: bool, of_r: bool
) -> None:
    # In each head Var(gamma_a - gamma_b). The heads share EOS and the answers: E <z, G z> = h/d for
    # either, so their covariance is that of <c, sum of A_s> and <c, sum of A_r>, c = a - b, which is
    # E <c, a>^2 = 1 + 1/d for the common answer, and E <c, a> <c, b> = -(1 + 1/d) where one holds b.
    stores = [
        Store(*sympy.symbols(f"A_{name} F_{name} n_{name} b_{name} q_{name}"), rival_stored=rival)
        for name, rival in (("s", of_s), ("r", of_r))
    ]
    total = RationalFunction.constant(0)
    for store in stores:
        rival = Store(store.answers, store.facts, store.rival_holders, stored=store.rival_stored)
        total = total + score_variance(d, h, store).value + score_variance(d, h, rival).value
        total = total - 2 * score_covariance(d, h, store).value
    near = 1 + 1 / _d
    means = [1 - int(rival) for rival in (of_s, of_r)]
    across = near - near * (of_s + of_r) - means[0] * means[1]
    assert margin_variance(d, h, *stores) == total + 2 * across
    assert margin_mean(d, h, *stores) == sum(means)


def test_in_dimension_two_the_number_of_vectors_does_not_matter() -> None:
    # The complement of EOS is a line, so every w_i w_i^T is P.
    value = score_variance(2, h, Store(A, F, n)).value
    assert "h" not in value.names
    assert "h" not in margin_variance(2, h, Store(A, F), Store(3, 4)).value.names


# -- limits -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("stored", [True, False])
def test_many_vectors_project_on_the_complement_of_eos(stored: bool) -> None:
    # G/h tends to P / (d - 1): the score is d/(d-1) phi(a)^T sum phi(a') phi(z')^T P phi(z).
    store = Store(A, F, n, stored=stored)
    tokens = Tokens(d)
    head = Head(tokens, h)
    z, a = head.keys.index("z'"), tokens.answers.index("a'")
    memory = sum_over((z, a), outer(tokens.phi[a], head.phi[z]), where=head.stores(z, a))
    eos, key = tokens.eos, head.phi[head.z]
    seen = key - eos * dot(eos, key)
    score = dot(tokens.phi[tokens.a], memory @ seen) * (_d / (_d - 1))
    limit = variance(score, head.given(store, tokens.a)).value
    found = score_variance(d, h, store)
    at_one, at_two = found.value(h=1), found.value(h=2)
    assert 2 * at_two - at_one == limit
    assert found.value == limit + (at_one - limit) / _h
    assert found.leading(h=1).term == limit


@pytest.mark.parametrize(
    ("exponents", "exponent", "term"),
    [
        (
            {"d": 1, "h": 1, "A": 1, "n": 1, "F": 2},
            0,
            A / d + F / d**2 + n / h + n / d + F / (d * h),
        ),
        ({"d": 2, "h": 1, "A": 1}, -1, A / d + (n + 1) / h),
        ({"d": 1, "h": 2, "n": 1}, 0, n / d),
        ({"F": 1}, 1, F * (d + h - 2) / (d * h * (d - 1))),
    ],
    ids=["all", "wide", "many vectors", "many facts"],
)
def test_the_leading_order_of_the_variance(
    exponents: Mapping[str, Any], exponent: Any, term: Any
) -> None:
    found = score_variance(d, h, Store(A, F, n)).leading(**exponents)
    assert found.exponent == exponent
    assert found.term == RationalFunction.of(term)


# -- it can fail ------------------------------------------------------------------------------------


def mutant(which: str) -> tuple[Expression, list[Any]]:
    """The score with one mistake."""
    tokens = Tokens(d)
    head = Head(tokens, h)
    w: Any = OrthogonalSphere("w", d, to=tokens.eos)
    if which == "whole sphere":
        w = Sphere("w", d)
    elif which == "gaussian":
        w = Gaussian("w", d, 1 / _d)
    z, a, i = head.keys.index("z'"), tokens.answers.index("a'"), Range(h, "heads").index("i")
    pair = outer(tokens.phi[a], head.phi[z])
    if which == "transposed":
        pair = outer(head.phi[z], tokens.phi[a])
    where = () if which == "all pairs" else head.stores(z, a)
    memory = sum_over((z, a), pair, where=where) if where else sum_over((z, a), pair)
    scale = {"forgotten factor": ONE, "d - 1 for d": (_d - 1) / _h}.get(which, _d / _h)
    weight = memory @ sum_over(i, outer(w[i], w[i])) * scale
    score = dot(tokens.phi[tokens.a], weight @ head.phi[head.z])
    return score, head.given(Store(A, F, n), tokens.a)


MUTANTS = [
    "whole sphere",
    "gaussian",
    "transposed",
    "all pairs",
    "forgotten factor",
    "d - 1 for d",
]


def test_the_definition_rebuilt_without_a_mistake_is_the_same() -> None:
    score, given = mutant("none")
    assert mean(score, given) == 1
    assert variance(score, given) == score_variance(d, h, Store(A, F, n))


@pytest.mark.parametrize("which", MUTANTS)
def test_a_wrong_definition_has_other_moments(which: str) -> None:
    score, given = mutant(which)
    assert variance(score, given) != score_variance(d, h, Store(A, F, n))
    assert (mean(score, given) == 1) == (which in {"whole sphere", "gaussian", "all pairs"})


def test_the_printed_mean_belongs_to_the_factor_d_minus_one() -> None:
    assert mean(*mutant("d - 1 for d")) == (_d - 1) / _d


@pytest.mark.parametrize(
    "wrong",
    [
        {"answers": 1},
        {"facts": 4},
        {"holders": 1},
    ],
    ids=str,
)
def test_a_wrong_store_is_rejected(wrong: dict[str, Any]) -> None:
    pairs = HEADS["overlaps"]
    right = store_of(pairs)
    changed = Store(**{**right.__dict__, **wrong})
    exact = of_head(pairs, 2, "answer")
    assert [score_mean(2, 2, right).value, score_variance(2, 2, right).value] == exact
    assert [score_mean(2, 2, changed).value, score_variance(2, 2, changed).value] != exact


@pytest.mark.parametrize("wrong", [{"shared": 1}], ids=str)
def test_a_wrong_overlap_is_rejected(wrong: dict[str, Any]) -> None:
    right = store_of(HEADS["overlaps"])
    changed = Store(**{**right.__dict__, **wrong})
    assert score_covariance(d, h, right) != score_covariance(d, h, changed)


# -- the contract -----------------------------------------------------------------------------------

FUNCTIONS: list[Callable[[Any, Any, Store], Derived]] = [
    score_mean,
    score_variance,
    score_covariance,
    lambda d, h, store: margin_mean(d, h, store, Store(2, 3)),
    lambda d, h, store: margin_variance(d, h, store, Store(2, 3)),
]


class TestFormulas(FormulaContract):
    """Scores and margins in the two dimensions and what a head stores."""

    sizes: Mapping[str, int] = {"d": 5, "h": 3, "A": 3, "F": 9, "n": 3, "n_b": 2, "q": 1}
    least: Mapping[str, int] = {"d": 2, "h": 1}
    called: Mapping[str, str] = {"d": "{} is no dimension", "h": "d_h: {} is out of range"}
    inner = ("tokens", "keys", "z", "EOS", "w", "a", "b")
    definition_text = "gamma"

    @property
    def formulas(self) -> Mapping[str, Callable[..., Derived]]:
        return {
            str(i): lambda d, h, function=function, **counts: function(
                d, h, Store(*counts.values())
            )
            for i, function in enumerate(FUNCTIONS)
        }


def test_symbols_that_occur_in_counts_only_keep_their_assumptions() -> None:
    counts = sympy.symbols("A F n", nonnegative=True, integer=True)
    found = score_variance(3, 2, Store(*counts))
    assert found.expr.free_symbols == set(counts)


def test_the_second_central_moment_is_the_variance() -> None:
    stores = Store(A, F), Store(2, 3)
    assert margin_central_moment(2, d, h, *stores) == margin_variance(d, h, *stores)
    assert margin_central_moment(1, d, h, *stores) == 0


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_scope_states_the_sizes_and_the_counts(function: Callable[..., Any]) -> None:
    scope = function(d, h, Store(A, F, n)).scope
    for part in ("d >= 2", "h >= 1", "= A", "= F", "= n"):
        assert part in scope


@pytest.mark.parametrize(
    "counts", [{"n": 0}, {"A": 0}, {"F": 1}, {"A": 3, "F": 3, "n": 2}], ids=str
)
def test_counts_outside_the_domain_are_refused(counts: dict[str, int]) -> None:
    """a is in A_z, so a has a holder, A_z an answer, and the other holders have pairs of their own."""
    formula = score_variance(d, h, Store(A, F, n))
    with pytest.raises(ValueError, match="is needed"):
        formula(**{"d": 4, "h": 2, "A": 2, "F": 4, "n": 1, **counts})


@pytest.mark.parametrize("counts", [(-1, F), (A, Fraction(1, 2)), (A, F, -2)], ids=str)
def test_what_is_no_count_is_refused(counts: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match="is not a count"):
        score_variance(d, h, Store(*counts))


@pytest.mark.parametrize(
    "store",
    [
        Store(A, F, 0),
        Store(0, F, 1),
        Store(2, 1, 1),
        Store(2, 2, 2),
        Store(1, F, 2, 2, 1, rival_stored=True),
        Store(A, F, 1, 0, 0, rival_stored=True),
        Store(A, F, 2, 1, 0, rival_stored=True),
        Store(A, F, 1, 1, 1),
        Store(A, F, 1, 0, 1),
        Store(A, F, 2, 2, 3),
    ],
    ids=str,
)
def test_counts_that_contradict_each_other_are_refused(store: Store) -> None:
    """Stored answers have holders, holders have pairs, and what is shared is held by both."""
    with pytest.raises(ValueError, match=r"holders|answers|facts|shared|given"):
        score_covariance(d, h, store)


def test_answers_that_the_heads_share_besides_are_refused() -> None:
    """A_s and A_r have a in common, so b is not in both."""
    both = Store(2, 2, 1, 1, 1, rival_stored=True)
    with pytest.raises(ValueError, match=r"rival|given"):
        margin_mean(d, h, both, both)


@pytest.mark.parametrize("token", ["answers", None, "EOS", 0])
def test_an_unknown_token_is_refused(token: Any) -> None:
    for function in (score_mean, score_variance):
        with pytest.raises(ValueError, match=re.escape(f"token: {token!r} is not known")):
            function(d, h, Store(A, F), token=token)


@pytest.mark.parametrize("order", [0, 3, -1, 2.0, True, "2"])
def test_orders_out_of_range_are_refused(order: Any) -> None:
    with pytest.raises(ValueError, match=f"order: {re.escape(repr(order))}"):
        margin_central_moment(order, d, h, Store(A, F), Store(A, F))


def test_the_covariance_is_symmetric() -> None:
    tokens = Tokens(d)
    head = Head(tokens, h)
    scores = [head.reading(tokens.phi[token]) for token in (tokens.b, tokens.a)]
    given = [tokens.a != tokens.b, *head.given(Store(A, F, n, n_b, q), tokens.a, tokens.b)]
    assert covariance(*scores, given) == score_covariance(d, h, Store(A, F, n, n_b, q))
