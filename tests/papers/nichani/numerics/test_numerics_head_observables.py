"""One head by its definition: literal sums, known moments, faults, bounds and bad input."""

import math

import pytest
import torch

from numerics import InputError, Stream
from numerics.papers.nichani import head_observables as heads
from numerics.papers.nichani.head_observables import (
    CROSS,
    HEAD_FAULTS,
    KEY_FAULTS,
    fourth_moments,
    key_observables,
    key_scores,
    overlap_exponentials,
    pair_score,
    score_observables,
    scores,
    term_observables,
)
from numerics.random import replicate_gaussians, replicate_spheres

MANY = 256 * 200


def away(observable, exact):
    """How many standard errors the sample mean lies from the exact one."""
    error = float(observable.values.std()) / math.sqrt(len(observable.values))
    return abs(float(observable.values.mean()) - exact) / max(error, 1e-12)


# Lemma 1


@pytest.mark.parametrize(("d", "n"), [(1, 1), (3, 2), (4, 5)])
def test_key_scores_are_the_literal_sums(d, n):
    found = key_scores(d, n, 8, seed=3)
    phi = replicate_spheres(8, n + 2, d, stream=Stream(3, "head-keys"))
    for row in range(8):
        v = sum(phi[row, k] for k in range(n)) + phi[row, n] / 2
        for token in range(n + 2):
            assert float(found.scores[row, token]) == pytest.approx(float(v @ phi[row, token]))
            others = [float(phi[row, k] @ phi[row, token]) for k in range(n) if k != token]
            assert float(found.sums[row, token]) == pytest.approx(sum(others), abs=1e-12)


@pytest.mark.parametrize(("fault", "eos"), [("", 0.5), ("EOS in full", 1.0), ("EOS left out", 0.0)])
def test_mean_scores_of_keys_eos_and_other_tokens(fault, eos):
    found = key_observables(3, 2, MANY, seed=1, fault=fault)
    for name, exact in (("inside", 1.0), ("eos", eos), ("outside", 0.0)):
        assert away(found[name], exact) < 6


def test_overlaps_have_their_generating_function():
    """At d = 3 an overlap is uniform on [-1, 1]."""
    found = overlap_exponentials(3, MANY, seed=2)
    for s in (1, 2):
        exact = math.sinh(s) / s
        assert away(found[f"single {s}"], exact) < 6
        assert away(found[f"pair {s}"], exact**2) < 6


# Terms


def test_terms_have_their_moments():
    d = 3
    found = term_observables(d, MANY, seed=1)
    overlap, length2 = {"same": 1.0, "other": 1 / d}, (d * d - 1) / (d * (d + 2))
    projected = {"same": length2, "other": (d - 1) / d**2}
    for a, of_a in overlap.items():
        assert away(found[f"overlap.{a}"], of_a) < 6
        for z, of_z in projected.items():
            lengths = length2 if z == "same" else ((d - 1) / d) ** 2
            assert away(found[f"pair.{a}.{z}"], of_a * of_z / (d - 1) ** 2) < 6
            assert away(found[f"square.{a}.{z}"], of_a * (lengths + 2 * of_z) / (d * d - 1)) < 6
    assert away(found["length"], (d - 1) / d) < 6
    assert away(found["double.stored"], (d - 1) / d) < 6
    assert away(found["double.other"], 0.0) < 6
    assert all(
        away(found[f"cross.{case}.{vectors}"], 0.0) < 6
        for case in CROSS
        for vectors in ("same", "other")
    )


@pytest.mark.parametrize("fault", HEAD_FAULTS[::2])
def test_a_fault_moves_the_products_of_two_vectors(fault):
    exact = 3 / 8  # E |P phi(z)|^4 at d = 2
    right, wrong = (term_observables(2, MANY, seed=1, fault=f) for f in ("", fault))
    assert away(right["pair.same.same"], exact) < 6 < away(wrong["pair.same.same"], exact)


@pytest.mark.parametrize("d", [3, 5])
def test_entries_of_the_fourth_moment(d):
    found = fourth_moments(d, MANY, seed=1)
    assert all(away(observable, 3 / (d * d - 1)) < 6 for observable in found.values())


def test_w_is_a_unit_vector_orthogonal_to_eos():
    stream = Stream(0, "w")
    eos = replicate_spheres(64, 1, 4, stream=stream.child("eos"))[:, 0]
    w = heads._drawn_w(4, 3, 64, eos, stream, 0, "")
    assert float((w @ eos.unsqueeze(2)).abs().max()) < 1e-12
    assert float((torch.linalg.vector_norm(w, dim=2) - 1).abs().max()) < 1e-12


# Scores


@pytest.mark.parametrize("stored", [True, False])
@pytest.mark.parametrize(
    ("d", "d_h", "b", "c", "g"), [(2, 1, 0, 0, 0), (3, 2, 1, 1, 1), (4, 5, 2, 3, 2)]
)
def test_scores_are_those_of_the_matrix_written_out(d, d_h, b, c, g, stored):
    found = scores(d, d_h, b, c, g, 4, stored=stored, seed=5)
    stream = Stream(5, "head-scores")
    keys, answers, eos = (
        replicate_spheres(4, n, d, stream=stream.child(name))
        for name, n in (("keys", c + 2), ("answers", 1 + b + g), ("eos", 1))
    )
    gaussians = replicate_gaussians(4, d_h, d, stream=stream.child("w"))
    pairs = [(0, 0)] if stored else []
    pairs += [(0, 1 + k) for k in range(b)] + [(1 + k, 0) for k in range(c)]
    pairs += [(c + 1, 1 + b + k) for k in range(g)]
    for row in range(4):
        total = torch.zeros(d, d, dtype=torch.float64)
        w = gaussians[row] - torch.outer(gaussians[row] @ eos[row, 0], eos[row, 0])
        w = w / torch.linalg.vector_norm(w, dim=1, keepdim=True)
        for key, answer in pairs:
            for i in range(d_h):
                total += torch.outer(answers[row, answer], keys[row, key]) @ torch.outer(w[i], w[i])
        expected = d / d_h * float(answers[row, 0] @ total @ keys[row, 0])
        assert float(found[row]) == pytest.approx(expected, abs=1e-10)
        if pairs:
            z, a = (list(column) for column in zip(*pairs, strict=True))
            again = pair_score(answers[row, 0], keys[row, 0], answers[row, a], keys[row, z], w)
            assert float(again) == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize(
    ("fault", "mean", "second"),
    [
        ("", 1, 3),
        ("w on the whole sphere", 1, 124 / 45),
        ("scale without d", 1 / 3, 1 / 3),
        ("untied w", 0, 22 / 15),
    ],
)
def test_scores_have_their_moments_and_faults_theirs(fault, mean, second):
    found = score_observables(3, 2, 1, 1, 1, MANY, stored=True, seed=1, fault=fault)
    assert away(found["mean"], mean) < 6
    assert away(found["second"], second) < 6
    assert away(found["centred"], second - 2 * mean + 1) < 6


@pytest.mark.parametrize(("stored", "pairs"), [(True, 7), (False, 6)])
def test_scores_have_the_bounds_that_are_stated(stored, pairs):
    """A score is at most d times the number of pairs, in absolute value."""
    found = score_observables(3, 2, 1, 2, 3, 8, stored=stored, seed=1)
    most = 3.0 * pairs
    assert (found["mean"].low, found["mean"].high) == (-most, most)
    assert (found["second"].low, found["second"].high) == (0.0, most**2)
    assert (found["centred"].low, found["centred"].high) == (0.0, (most + stored) ** 2)


# Bad input


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: key_scores(3, 0, 8, seed=0), "n = 0"),
        (lambda: key_scores(3, 1, 8, seed=0, fault="untied w"), "EOS in full"),
        (lambda: term_observables(1, 8, seed=0), "d = 1"),
        (lambda: term_observables(3, 8, seed=0, fault="no"), "untied w"),
        (lambda: fourth_moments(2, 8, seed=0), "d = 2"),
        (lambda: scores(3, 0, 0, 0, 0, 8, stored=True, seed=0), "d_h = 0"),
        (lambda: scores(3, 1, 0, -1, 0, 8, stored=True, seed=0), "c = -1"),
        (lambda: scores(3, 1, 0, 0, 0, 8, stored=True, seed=0, start=-7), "start = -7"),
    ],
)
def test_bad_input_is_named(call, message):
    assert callable(call)
    with pytest.raises(InputError, match=message):
        call()


def test_the_faults_of_the_key_vector_are_listed():
    assert KEY_FAULTS == ("EOS in full", "EOS left out")
