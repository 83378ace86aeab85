"""Degree and mean of a score are those of the definition of a head; another definition is refused."""

import numpy as np
import pytest

from proofs import attention
from proofs.attention import Head, Tokens
from proofs.kernel import scores
from proofs.kernel.normal import normal
from proofs.kernel.regions import Refused
from proofs.kernel.scores import score, score_degree, score_mean
from proofs.kernel.terms import expectation, symbols, term
from proofs.kernel.theorem import Compare, OfDegree
from proofs.moments import Fixed, Gaussian, OrthogonalSphere, Range, Sphere, Splitting, dot

KINDS = ("stored", "answer", "self", "key", "eos")
d, d_h = symbols("d d_h")


@pytest.mark.parametrize("kind", KINDS)
def test_degree_and_mean_are_those_of_the_definition(kind):
    assert score_degree(kind).statement == OfDegree(score(kind), term(6))
    mean = term(int(kind == "stored"))
    assert score_mean(kind).statement == Compare(expectation(score(kind)), "=", mean)


def test_scores_of_two_kinds_are_two_variables():
    assert len({score(kind) for kind in KINDS}) == len(KINDS)


def unit(rng, *shape):
    drawn = rng.standard_normal(shape)
    return drawn / np.linalg.norm(drawn, axis=-1, keepdims=True)


@pytest.mark.parametrize("kind", KINDS)
def test_the_mean_is_that_of_drawn_heads(kind):
    """Two keys; z holds the answers 0 and 1, the other 0 and 2; d = 3, d_h = 2."""
    rng, many = np.random.default_rng(1), 20_000
    answers, keys, eos = unit(rng, many, 4, 3), unit(rng, many, 2, 3), unit(rng, many, 3)
    w = rng.standard_normal((many, 2, 3))
    w -= np.einsum("mid,md,me->mie", w, eos, eos)
    w /= np.linalg.norm(w, axis=-1, keepdims=True)
    seen = np.einsum("mid,mie,me->md", w, w, keys[:, 0])
    read = np.einsum("mkd,md->mk", keys, seen)
    weights = np.stack([read[:, 0] + read[:, 1], read[:, 0], read[:, 1]], axis=1)
    out = 3 / 2 * np.einsum("ma,mad->md", weights, answers[:, :3])
    token = {"stored": answers[:, 1], "answer": answers[:, 2], "self": keys[:, 0]}
    token |= {"key": keys[:, 1], "eos": eos}
    found = (out * token[kind]).sum(axis=1)
    expected = float(score_mean(kind).right.value)
    assert abs(found.mean() - expected) < 6 * found.std() / many**0.5


def changed(monkeypatch, make):
    """The scores of another definition: *make* has the vectors of a head."""

    def scored(d, d_h, store, token):
        tokens = Tokens(d)
        return make(tokens, Head(tokens, d_h)), []

    monkeypatch.setattr(scores, "scored", scored)


ROOM = normal(d)
AXIS = Fixed("c", ROOM)[Range(1, "axis").index("i")]
OTHER = Sphere("other", ROOM)[Range(1, "one").index("one")]


def with_a(family):
    """<phi(a), v_a> for vectors v of a family."""
    return lambda tokens, head: dot(tokens.phi[tokens.a], family[tokens.a])


def of_two_complements(tokens, head):
    both = (OrthogonalSphere(name, ROOM, to) for name, to in (("v", OTHER), ("w", tokens.eos)))
    return sum(with_a(family)(tokens, head) for family in both)


def in_another_room(tokens, head):
    larger, i = Sphere("s", 2 * ROOM), tokens.answers.index("i")
    return dot(larger[tokens.a], larger[i])


def projected(tokens, head):
    return dot(tokens.phi[tokens.a], Splitting(ROOM, P=1)["P"] @ tokens.phi[tokens.b])


DEFINITIONS = [
    ("is not uniform on a sphere", with_a(Gaussian("g", ROOM))),
    ("is not uniform on a sphere", with_a(OrthogonalSphere("v", ROOM, AXIS))),
    (r"is not in R\^d", in_another_room),
    ("orthogonal to several ones", of_two_complements),
    ("is projected", projected),
    ("is no sum of products", lambda tokens, head: tokens.phi[tokens.a]),
]


@pytest.mark.parametrize(("said", "make"), DEFINITIONS)
def test_a_degree_is_of_what_a_rotation_leaves_alone(said, make, monkeypatch):
    changed(monkeypatch, make)
    with pytest.raises(Refused, match=f"^score_degree: .*{said}"):
        score_degree("answer")


def test_a_degree_is_read_off_the_definition(monkeypatch):
    changed(monkeypatch, lambda t, h: dot(t.phi[t.a], h.phi[h.z]))
    theorem = score_degree("answer")
    assert theorem.right == term(2)
    monkeypatch.undo()
    assert theorem.left != score("answer")


def test_a_mean_is_a_number(monkeypatch):
    changed(monkeypatch, lambda t, h: dot(t.phi[t.a], t.phi[t.a]) * normal(d))
    with pytest.raises(Refused, match=r"^score_mean: the mean d depends on sizes"):
        score_mean("answer")


def test_a_mean_is_known_where_the_definition_exists(monkeypatch):
    monkeypatch.setattr(scores, "_SIZES", scores.Region((scores.whole("d", 1),)))
    with pytest.raises(Refused, match=r"^score_mean: where the mean is known: d - 2 >= 0"):
        score_mean("answer")


@pytest.mark.parametrize("rule", [score_degree, score_mean])
def test_only_known_tokens_have_scores(rule):
    with pytest.raises(Refused, match="'other' is not known"):
        rule("other")
    assert attention.Token.__args__ == KINDS[1:]
