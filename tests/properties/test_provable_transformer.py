"""A transformer that provably recalls its facts, built and certified: the promise and the proof meet."""

import pytest
import torch

from numerics import AttentionOnly, FactTable, FactualRecall, certify
from proofs.capacity import AttentionOnly as Condition

#: The least dimension at which eight subjects, eight relations with four answers each, are promised.
SIZES = {"d": 491, "S": 8, "R": 8, "D": 4}
DELTA = "1e-3"


def test_the_promise_begins_at_this_dimension() -> None:
    assert Condition().holds(delta=DELTA, **SIZES)
    assert not Condition().holds(delta=DELTA, **{**SIZES, "d": SIZES["d"] - 1})


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("answers", ["random", "skewed", "structured"])
def test_a_promised_transformer_is_certified(answers: str, dtype: torch.dtype) -> None:
    S, R, D = SIZES["S"], SIZES["R"], SIZES["D"]
    table = {
        "random": FactTable.random(S, R, D, seed=11),
        "skewed": FactTable.skewed(S, R, D, exponent=1.5, seed=11),
        "structured": FactTable.structured(S, R, D),
    }[answers]
    model = AttentionOnly.sample(
        FactualRecall(table, noise=S + R, T=12),
        d=SIZES["d"],
        d_h=SIZES["d"] - 1,
        tokens_per_head=1,
        factors="orthonormal",
        seed=5,
        dtype=dtype,
    )
    proof = certify(model)
    assert proof.complete
    assert proof.least_inverse_temperature < 100
