"""Degree and mean of a score are those of the definition of a head; another definition is refused."""

import numpy as np
import pytest

from proofs import attention
from proofs.kernel.cases.scores import KINDS
from proofs.kernel.scores import score_mean


def test_all_tokens_have_cases():
    assert attention.Token.__args__ == KINDS[1:]


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
