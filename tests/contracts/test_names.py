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


@pytest.mark.parametrize(("memory", "sizes"), [("linear", "dN"), ("low_rank", "dNm")])
@pytest.mark.parametrize("name", ["margin_mean", "margin_variance"])
def test_margins_take_sizes_by_position_and_the_rest_by_keyword(name, memory, sizes):
    signature = inspect.signature(getattr(import_module(f"proofs.memories.{memory}"), name))
    kinds = {p.name: p.kind for p in signature.parameters.values()}
    positional = [n for n, k in kinds.items() if k is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    assert positional == list(sizes)
    assert {"y_in_image", "embeddings", "same", "other"} <= set(kinds)


@pytest.mark.parametrize("name", ["Linear", "LinearChernoff", "LinearClosedForm"])
def test_conditions_answer_the_three_questions(name):
    condition = getattr(import_module("proofs.capacity"), name)()
    bound = condition.failure_bound(d=256, N=40, M=50)
    assert condition.holds(delta="1e-3", d=256, N=40, M=50) is (bound <= 1e-3)
    assert condition.largest(delta=0.001, d=256) >= 40
