"""What the steps of proofs are drawn from: margins with their lengths, and scores of all kinds."""

import pytest
import torch

from numerics import InputError
from numerics.papers.nichani.head_observables import score_variables, scores
from numerics.papers.nichani.linear_observables import margin_observables, margin_variables

MARGINS = {"d": 3, "N": 3, "replicates": 256, "seed": 4}
HEAD = {"d": 3, "d_h": 2, "b": 1, "g": 1, "replicates": 256 * 40, "seed": 4}


@pytest.mark.parametrize("where", ["inside", "outside"])
def test_margins_are_those_of_the_memory(where):
    found = margin_variables(**MARGINS, step=1 / 16)
    of_memory = margin_observables(**MARGINS, M=4)
    gamma = found[f"gamma.{where}"]
    assert gamma.values.shape == (256, 6 if where == "inside" else 3)
    assert torch.allclose(gamma.values.mean(dim=1), of_memory[f"mean.{where}"].values)
    assert (gamma.low, gamma.high) == (-6, 6)


def test_rounding_moves_a_margin_by_its_step_its_dimension_and_its_length():
    step = 1 / 16
    found = margin_variables(**MARGINS, step=step)
    moved = (found["rounded.inside"].values - found["gamma.inside"].values).abs()
    allowed = 3 * step / 2 * found["length.inside"].values
    assert (moved <= allowed + 1e-12).all()
    assert float((moved / allowed).max()) > 0.5
    assert float(found["length.inside"].values.square().mean()) == pytest.approx(2, abs=0.2)
    assert "rounded.inside" not in margin_variables(**MARGINS)


@pytest.mark.parametrize("name", ["gamma", "length", "rounded"])
def test_values_are_within_what_is_said_of_them(name):
    for where in ("inside", "outside"):
        one = margin_variables(**MARGINS, step=1 / 2)[f"{name}.{where}"]
        assert one.low <= float(one.values.min()) <= float(one.values.max()) <= one.high


def test_scores_of_all_kinds_have_the_mean_of_their_kind():
    found = score_variables(("stored", "answer", "self", "key", "eos"), **HEAD)
    for kind, one in found.items():
        assert one.values.shape == (HEAD["replicates"], 1)
        error = float(one.values.std()) / HEAD["replicates"] ** 0.5
        assert abs(float(one.values.mean()) - (kind == "stored")) < 5 * error
    different = {float(one.values.square().mean()) for one in found.values()}
    assert len(different) == 5
    assert set(score_variables(("eos",), **HEAD)) == {"eos"}


@pytest.mark.parametrize("wrong", [{"token": "word"}, {"token": "key", "c": 1}])
def test_a_token_that_is_not_known_or_in_no_set_is_refused(wrong):
    arguments = {**HEAD, "c": 0, "stored": False, **wrong}
    with pytest.raises(InputError, match="token = "):
        scores(**arguments)
