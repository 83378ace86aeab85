"""What every drawn observable has to stand: its bounds, and draws that depend on their number alone."""

import pytest
import torch

from numerics import InputError
from numerics.memories.linear import FAULTS
from numerics.observables import Bounded, Event, HeavyTailed
from numerics.papers.nichani import attention_margin as margins
from numerics.papers.nichani import attention_mlp_checks as tables
from numerics.papers.nichani import feature_memory as features
from numerics.papers.nichani import head_observables as heads
from numerics.papers.nichani import linear_observables as linear
from numerics.papers.nichani import low_rank_observables as low_rank
from numerics.papers.nichani import mlp_observables as mlp
from numerics.papers.nichani import neuron_pairs as pairs
from numerics.papers.nichani import technical_observables as technical
from numerics.papers.nichani import two_input_observables as two_input

SIGMA = (0.5, 1.0, -1.5, 0.7)
#: One term alone comes close to the bounds of the features.
SIGMAS = (SIGMA, (0.0, 0.0, 0.0, -2.0), (1.0,))
HEAD = {"d": 3, "d_h": 2, "b": 1, "c": 2, "g": 3}
TWO = ({"p": 1, "k": 1, "sigma": SIGMA}, {"p": 1, "k": 3, "sigma": (1, 1, 1, 1, 2)})
CHAIN = dict(mean=1.0, slope=2.0, threshold=1.0, strict=False, q=2.0, event=2.0, quotient=2.0)

DRAWS = [
    *(
        (linear.margin_observables, {"d": d, "N": N, "M": M, "fault": fault})
        for d, N, M in ((3, 3, 5), (1, 3, 4))
        for fault in ("", *FAULTS)
    ),
    (linear.overlap_observables, {"d": 3}),
    (linear.coordinate_observables, {"d": 3, "rate": 2.0}),
    (linear.law_observables, {"d": 3, "beta": 1.0, "spread": 2.0, "n": 2}),
    (linear.tail_observables, {"d": 3, "N": 4, "cut": 0.2}),
    *(
        (low_rank.margin_observables, dict(zip("dNMm", sizes, strict=True), factors=law, fault=f))
        for law in ("gaussian", "orthonormal")
        for sizes in ((1, 3, 4, 1), (3, 3, 5, 2), (3, 2, 2, 3))
        for f in ("", *FAULTS)
        if law == "gaussian" or sizes[3] <= sizes[0]
    ),
    *((heads.key_observables, {"d": 3, "n": 2, "fault": f}) for f in ("", *heads.KEY_FAULTS)),
    (heads.overlap_exponentials, {"d": 3}),
    *(
        (draw, {**sizes, "fault": fault})
        for draw, sizes in (
            (heads.term_observables, {"d": 2}),
            (heads.fourth_moments, {"d": 3}),
            (heads.score_observables, {**HEAD, "stored": True}),
            (heads.score_observables, {**HEAD, "stored": False}),
        )
        for fault in ("", *heads.HEAD_FAULTS)
    ),
    *(
        (mlp.neuron_observables, {"d": d, "N": N, "M": M, "k": k, "sigma": sigma, "about": 3.0})
        for d, N, M in ((2, 3, 5), (3, 3, 3), (1, 1, 2))
        for k in (1, 2)
        for sigma in SIGMAS
    ),
    (pairs.pair_observables, {"d": 2, "N": 3, "M": 4, "k": 2, "sigma": SIGMA}),
    (features.limit_observables, {"d": 2, "N": 3, "k": 3, "sigma": SIGMA, "m": 2, "factor": 0.3}),
    *((two_input.term_observables, {"d": 3, **memory}) for memory in TWO),
    *(
        (
            two_input.table_observables,
            {"d": 3, "S": 2, "R": 2, "answers": ((0, 2), (1, 2)), **memory},
        )
        for memory in TWO
    ),
    (two_input.projection_observables, {"d": 9}),
    *(
        (margins.gap_observables, {"d": 3, "n": n, "fault": f})
        for n in (1, 3)
        for f in ("", "whole EOS")
    ),
    *(
        (
            margins.margin_observables,
            {"d": 6, "R": 2, "D": 3, "d_h": 3, "others_s": 2, "others_r": 1, "rival": rival},
        )
        for rival in ("subject", "relation", "other")
    ),
    (tables.collision_observables, {"S": 4, "R": 2, "D": 2}),
    (technical.overlap_powers, {"d": 3}),
    (technical.polynomial_events, {"p": 2}),
    (technical.chain_observables, {"d": 3, **CHAIN}),
    (technical.correlation_observables, {"k": 2, "rho": 0.6}),
    (technical.square_observables, {"k": 2}),
    (technical.stein_observables, {"k": 1, "function": "sine"}),
    (technical.stein_observables, {"k": 2, "function": "ramp"}),
    (technical.stein_observables, {"k": 1, "function": "step"}),
]
every_draw = pytest.mark.parametrize(
    ("draw", "sizes"),
    DRAWS,
    ids=[f"{draw.__name__} {' '.join(map(str, sizes.values()))}" for draw, sizes in DRAWS],
)


@every_draw
def test_one_value_a_draw_that_keeps_what_is_said_of_it(draw, sizes):
    replicates = 2**14 if draw.__module__ == technical.__name__ else 2**11
    for name, found in draw(**sizes, replicates=replicates, seed=1).items():
        values = found.values
        assert values.shape == (replicates,), name
        if isinstance(found, Event):
            assert set(values.tolist()) <= {0, 1}, name
            continue
        assert values.dtype == torch.float64, name
        if isinstance(found, Bounded):
            assert found.low <= float(values.min()) <= float(values.max()) <= found.high, name
        else:
            assert isinstance(found, HeavyTailed), name
            second = float(((values - found.about) ** 2).mean())
            assert second <= 1.2 * found.second_moment, name


@every_draw
def test_a_draw_depends_on_its_number_and_seed_alone(draw, sizes):
    whole = draw(**sizes, replicates=301, seed=3)
    later = draw(**sizes, replicates=30, seed=3, start=271)
    other = draw(**sizes, replicates=30, seed=4, start=271)
    for name, found in whole.items():
        tail = found.values[271:].double()
        assert torch.allclose(tail, later[name].values.double(), rtol=1e-10, atol=1e-10), name
    assert any(not torch.equal(found.values, other[name].values) for name, found in later.items())
    assert all(found.values.shape == (0,) for found in draw(**sizes, replicates=0, seed=3).values())


@every_draw
def test_a_negative_start_is_refused(draw, sizes):
    with pytest.raises(InputError, match="start = -1"):
        draw(**sizes, replicates=8, seed=0, start=-1)
