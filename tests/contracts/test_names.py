"""Public names that others rely on, with the arguments they rely on."""

import inspect
from importlib import import_module

import pytest

NAMES = [
    ("proofs.memories.linear", "margin_mean"),
    ("proofs.memories.linear", "margin_variance"),
    ("proofs.memories.linear", "margin_central_moment"),
    *(
        (f"proofs.{module}", f"margin_{moment}")
        for module in ("memories.low_rank", "memories.mlp", "memories.two_input_mlp", "attention")
        for moment in ("mean", "variance", "central_moment")
    ),
    ("proofs.hermite", "hermite"),
    ("proofs.hermite", "hermite_tensor"),
    ("proofs.hermite", "coefficients"),
    ("proofs.moments", "cross_check"),
    ("proofs.replay", "replay"),
    ("proofs.moments", "mean"),
    ("proofs.moments", "variance"),
    ("proofs.moments", "covariance"),
    ("proofs.moments", "central_moment"),
    ("proofs.capacity", "Linear"),
    ("numerics", "sample_sphere"),
    ("numerics", "LinearMemory"),
    ("numerics", "accuracy"),
    ("verify", "check"),
    ("verify.claim", "Registry"),
    ("verify.claim", "Claim"),
    ("verify.strategies", "sizes_where"),
    ("verify.strategies", "linear_memories"),
]


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_the_name_is_there_and_documented(module, name):
    found = getattr(import_module(module), name)
    assert callable(found)
    assert inspect.getdoc(found)
