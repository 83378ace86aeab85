"""All that runs on a device, on one that is pretended: nothing is mixed up, and the same comes out.

Where there is a card the same is asked of it.
"""

import inspect
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import pytest
import torch

import numerics
from numerics import (
    Activation,
    AttentionMLP,
    AttentionOnly,
    FactTable,
    FactualRecall,
    InputError,
    LinearMemory,
    LowRankMemory,
    MLPMemory,
    OneLayerTransformer,
    QuantizedMemory,
    Stream,
    TwoLayerNetwork,
    accuracy,
    certify,
    recall,
    resolve_device,
    sample_gaussian,
    sample_sphere,
)
from numerics import decoding as decoding_module
from numerics import draws as drawn_modules
from numerics import training as training_module
from numerics.constructions import attention_mlp as attention_mlp_module
from numerics.constructions import attention_only as attention_only_module
from numerics.contracts.pretended import ElsewhereError, pretended_cuda
from numerics.draws import (
    attention_mlp_margin,
    construction_recall,
    full_recall,
    general_margin,
    linear_margin,
    low_rank_margin,
    mlp_margin,
    quantized_margin,
)
from numerics.memories import trained as trained_module
from numerics.memories.trained import cross_entropy, trained
from numerics.papers.nichani import figure5
from numerics.training import Training

TASK = FactualRecall(FactTable.random(4, 2, 2, seed=0), noise=2, T=4)
MLP = {"m": 64, "k": 2, "activation": Activation.hermite([0, 0, 0, 1.0])}
HEADS = {"d": 24, "tokens_per_head": 2, "d_h": 8}


def facts_of(memory):
    return memory.inputs, memory.outputs, memory.apply(memory.inputs)


def decisions_of(memory, **options):
    found = recall(memory, keep_margins=True, **options)
    return found.correct, found.ties, found.margins


def network(device):
    plain = MLPMemory.sample(8, 12, seed=1, device=device, **MLP)
    facts = plain.inputs, plain.outputs, plain.association
    hidden = sample_gaussian(5, 8, stream=Stream(2), device=device)
    return TwoLayerNetwork(*facts, hidden, hidden.clone(), Activation.named("relu"))


def training(device, optimiser):
    model = OneLayerTransformer(12, 2, 4, seed=3, device=device)
    phi = sample_sphere(TASK.vocabulary, 12, stream=Stream(4), device=device)
    found = Training(TASK, model, phi, rate=0.1, seed=5, optimiser=optimiser, batch=64, every=1)
    found.run(2)
    return *found.state.parameters, found.history[-1].total, found.history[-1].subject_only


def of_head(device):
    head = figure5.softmax_head(
        figure5.Sizes(S=4, R=2, D=2, T=5), d=8, d_h=2, rate=0.5, seed=1, batch=32, device=device
    )
    head.run(1)
    return *head.state.parameters, head.history[-1].total


def of_transformer(device):
    model = OneLayerTransformer(12, 2, 4, 6, activation="relu", seed=3, device=device)
    phi = sample_sphere(TASK.vocabulary, 12, stream=Stream(4), device=device)
    return tuple(model(phi[TASK.sample(8, seed=1)[:, :-1].to(device)]))


def of_construction(drawn):
    found = certify(drawn)
    return found.leads, found.margins, found.certified, *drawn.transformer.parameters()


#: By the public name, or the module, what is done with it on a device.
DONE = {
    "sample_sphere": lambda device: (sample_sphere(5, 3, stream=Stream(0), device=device),),
    "sample_gaussian": lambda device: (sample_gaussian(5, 3, stream=Stream(0), device=device),),
    "LinearMemory": lambda device: facts_of(LinearMemory.sample(8, 12, seed=1, device=device)),
    "LowRankMemory": lambda device: facts_of(
        LowRankMemory.sample(8, 12, m=3, seed=1, device=device)
    ),
    "QuantizedMemory": lambda device: facts_of(
        QuantizedMemory.sample(8, 12, bits=3, seed=1, device=device)
    ),
    "MLPMemory": lambda device: facts_of(MLPMemory.sample(8, 12, seed=1, device=device, **MLP)),
    "TwoLayerNetwork": lambda device: decisions_of(network(device)),
    "recall": lambda device: decisions_of(
        LinearMemory.sample(8, 40, seed=1, device=device), block=(16, 7)
    ),
    "recall, float32": lambda device: decisions_of(
        LinearMemory.sample(8, 40, seed=1, device=device, dtype=torch.float32)
    ),
    "accuracy": lambda device: (accuracy(LinearMemory.sample(8, 40, seed=1, device=device)),),
    "trained": lambda device: facts_of(
        trained(LinearMemory.sample(6, 8, seed=1, device=device), iterations=5)
    ),
    "OneLayerTransformer": of_transformer,
    "AttentionOnly": lambda device: of_construction(
        AttentionOnly.sample(TASK, seed=1, device=device, **HEADS)
    ),
    "AttentionMLP": lambda device: of_construction(
        AttentionMLP.sample(TASK, seed=1, device=device, m=128, **HEADS)
    ),
    "Activation": lambda device: (
        MLP["activation"].value(sample_gaussian(5, 3, stream=Stream(0), device=device)),
    ),
    "Training, gd": lambda device: training(device, "gd"),
    "figure5": of_head,
    "Training, adam": lambda device: training(device, "adam"),
    "linear_margin": lambda device: linear_margin.failures(8, 20, 20, 6, seed=1, device=device),
    "low_rank_margin": lambda device: low_rank_margin.failures(
        8, 10, 10, 4, 6, seed=1, device=device
    ),
    "quantized_margin": lambda device: quantized_margin.failures(
        8, 16, 16, 6, bits=2, seed=1, device=device
    ),
    "general_margin": lambda device: general_margin.failures(8, 7, 4, 3, 6, seed=1, device=device),
    "mlp_margin": lambda device: mlp_margin.failures(8, 12, 12, 64, 6, seed=1, device=device),
    "construction_recall": lambda device: construction_recall.failures(
        "attention", 3, 2, 2, 24, 3, seed=1, device=device, tokens_per_head=2, d_h=8
    ),
    "attention_mlp_margin": lambda device: attention_mlp_margin.failures(
        24, 2, 2, 2, 64, 3, seed=1, device=device
    ),
}
#: Public names of the package that know no device, or only pass one on.
WITHOUT = {
    *("Certificate", "FactTable", "FactualRecall", "InputError", "Memory", "Moments"),
    *("NamedTable", "Recall", "Stream", "Words", "certify", "general_map", "injective_map"),
    *("one_thread", "read_table", "replicate_spheres", "resolve_device", "world_table"),
}


def flat(found):
    return list(found) if isinstance(found, tuple | list) else [found.values]


@pytest.mark.parametrize("name", DONE)
def test_the_same_comes_out_on_a_pretended_device(name):
    expected = flat(DONE[name]("cpu"))
    with pretended_cuda() as used:
        found = flat(DONE[name]("cuda"))
    assert not used.factorized
    for one, other in zip(found, expected, strict=True):
        if isinstance(one, torch.Tensor):
            assert torch.equal(one.cpu(), other)
        else:
            assert one == other


@pytest.mark.gpu
@pytest.mark.parametrize("name", DONE)
def test_the_same_comes_out_on_a_card(name):
    expected, found = flat(DONE[name]("cpu")), flat(DONE[name]("cuda"))
    for one, other in zip(found, expected, strict=True):
        if isinstance(one, torch.Tensor) and one.is_floating_point():
            assert one.is_cuda or name.endswith("margin")
            torch.testing.assert_close(one.detach().cpu(), other.detach(), rtol=1e-6, atol=1e-6)
        elif isinstance(one, torch.Tensor):
            assert torch.equal(one.cpu(), other)
        else:
            assert one == pytest.approx(other)


def test_all_that_is_public_is_asked_on_a_device_or_knows_none():
    asked = {name.split(",")[0] for name in DONE}
    assert set(numerics.__all__) <= asked | WITHOUT
    assert not asked & WITHOUT


def test_all_experiments_that_take_a_device_are_asked():
    taking = {
        found.name
        for found in iter_modules(drawn_modules.__path__)
        for own in [import_module(f"numerics.draws.{found.name}")]
        if "device" in inspect.signature(getattr(own, "failures", lambda: None)).parameters
    }
    assert taking
    assert taking <= set(DONE)


# -- what is kept, and the loss ---------------------------------------------------------------------


def test_a_run_in_parts_goes_on_on_its_device(tmp_path):
    with pretended_cuda():
        memory = LinearMemory.sample(8, 40, seed=1, device="cuda")
        state: Path = tmp_path / "state"
        found = [
            full_recall.recall_in_parts(memory, part_rows=10, state=state, block=(10, 40))
            for _ in range(2)
        ]
        assert found[0] == found[1] == recall(memory, block=(10, 40))


def test_a_gradient_is_taken_on_the_device():
    memory = LinearMemory.sample(6, 8, seed=1)
    expected = cross_entropy(memory.weight, memory.inputs, memory.outputs, memory.association)
    with pretended_cuda():
        there = LinearMemory.sample(6, 8, seed=1, device="cuda")
        loss, slope = cross_entropy(there.weight, there.inputs, there.outputs, there.association)
        assert slope.is_cuda
    assert (loss, slope.cpu().tolist()) == (expected[0], expected[1].tolist())


# -- slips in the program itself ---------------------------------------------------------------------


def left_here(monkeypatch, module, name):
    """What a function of a module gives stays on the CPU."""
    original = getattr(module, name)

    def here(*arguments, **options):
        found = original(*arguments, **options)
        return tuple(one.cpu() for one in found) if isinstance(found, tuple) else found.cpu()

    monkeypatch.setattr(module, name, here)


@pytest.mark.parametrize(
    ("module", "name", "asked"),
    [
        (training_module, "_answers_of", "Training, gd"),
        (training_module, "_detached", "Training, adam"),
        (decoding_module, "lengths", "recall"),
        (attention_mlp_module, "wick_power", "AttentionMLP"),
        (attention_only_module, "value_factors", "AttentionOnly"),
        (trained_module, "apply_weight", "trained"),
    ],
)
def test_what_is_left_on_the_cpu_is_noticed(monkeypatch, module, name, asked):
    left_here(monkeypatch, module, name)
    with pretended_cuda(), pytest.raises((ElsewhereError, InputError)):
        DONE[asked]("cuda")


# -- what a device refuses --------------------------------------------------------------------------

HERE = torch.arange(6.0).view(2, 3)

#: Slips that a card refuses: what is done with tensors there, and here.
REFUSED = {
    "a sum": lambda there: there + HERE,
    "a sum, the other way": lambda there: HERE + there,
    "a product": lambda there: there @ HERE.T,
    "a product with a number of the CPU": lambda there: torch.matmul(there[0], torch.tensor(2.0)),
    "a choice": lambda there: torch.where(there > 0, there, HERE),
    "a comparison": lambda there: torch.equal(there, HERE),
    "a list": lambda there: torch.stack([there, HERE]),
    "rows of the CPU by indices there": lambda there: HERE[there[0].long() % 2],
    "a mask there": lambda there: HERE[there > 1],
    "an entry of the CPU set by indices there": lambda there: HERE.clone().index_put_(
        (there[0].long() % 2,), torch.tensor(0.0)
    ),
    "entries set to values of the CPU": lambda there: there.__setitem__(
        torch.tensor([0, 1]), HERE.clone()
    ),
    "a result put elsewhere": lambda there: torch.mm(there, there.T, out=torch.empty(2, 2)),
    "a tensor of the CPU changed": lambda there: HERE.clone().add_(there),
    "a number of the CPU changed": lambda there: torch.tensor(1.0).mul_(there.sum()),
    "a search": lambda there: torch.searchsorted(there[0], HERE[0]),
}
#: What a card allows.
ALLOWED = {
    "a number": lambda there: there * 2,
    "a number of the CPU": lambda there: there * torch.tensor(2.0),
    "rows by indices of the CPU": lambda there: there[torch.tensor([1, 0])],
    "a copy": lambda there: there.clone().copy_(HERE),
    "rows that are set": lambda there: there.__setitem__(slice(0, 1), HERE[:1]),
    "what lies there": lambda there: torch.where(there > 0, there, there.new_zeros(())),
    "factories": lambda there: there + torch.ones(3, device="cuda") + torch.zeros_like(there),
    "factories by example": lambda there: torch.ones_like(there, device="cuda") + there,
    "factories by example, here": lambda there: torch.ones_like(there, device="cpu") + HERE,
    "an example of the CPU": lambda there: torch.ones_like(HERE, device="cuda") + there,
    "the kind of another": lambda there: HERE.type_as(there) + there.type_as(HERE).to(there),
    "what has no values": lambda there: there.to("meta"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_card_refuses_is_refused(name):
    with pretended_cuda(), pytest.raises(ElsewhereError):
        REFUSED[name](HERE.to("cuda"))


@pytest.mark.gpu
@pytest.mark.parametrize("name", REFUSED)
def test_a_card_refuses_it(name):
    with pytest.raises((RuntimeError, TypeError)):
        REFUSED[name](HERE.to("cuda"))


@pytest.mark.parametrize("name", ALLOWED)
def test_what_a_card_allows_is_allowed(name):
    with pretended_cuda():
        ALLOWED[name](HERE.to("cuda"))


@pytest.mark.gpu
@pytest.mark.parametrize("name", ALLOWED)
def test_a_card_allows_it(name):
    ALLOWED[name](HERE.to("cuda"))


def test_a_tensor_there_is_no_array():
    with pretended_cuda():
        there = HERE.to("cuda")
        for tried in (there.numpy, there.__array__):
            with pytest.raises(TypeError, match="cpu"):
                tried()


def test_there_is_one_device():
    with pretended_cuda():
        assert torch.ones(1, device="cuda:0").is_cuda
        for tried in (lambda: torch.ones(1, device="cuda:3"), lambda: HERE.to("cuda:3")):
            with pytest.raises(RuntimeError, match=r"cuda:3: .* cuda:0 alone"):
                tried()


def test_the_device_is_there_inside_the_block_alone():
    before = torch.cuda.is_available()
    with pretended_cuda():
        assert resolve_device("auto").type == "cuda"
        there = torch.ones(2, device=resolve_device("cuda"))
        assert there.is_cuda
        assert not there.is_cpu
        assert str(there.device) == "cuda:0"
        assert there.to("cuda") is there
        assert not there.to("cpu").is_cuda
        assert not there.cpu().is_cuda
        assert there.to(torch.float64).is_cuda
        assert HERE.to(there).is_cuda
        assert HERE.cuda().is_cuda
        assert not there.to(HERE).is_cuda
    assert torch.cuda.is_available() == before


# -- what is counted --------------------------------------------------------------------------------

WAITING = {
    "item": lambda there: there.sum().item(),
    "tolist": lambda there: there.tolist(),
    "__bool__": lambda there: bool(there.any()),
    "__float__": lambda there: float(there.max()),
    "__int__": lambda there: int(there.sum()),
    "nonzero": lambda there: torch.nonzero(there),
    "mask": lambda there: there[there > 1],
    "cpu": lambda there: there.cpu(),
    "to": lambda there: there.to("cpu"),
    "equal": lambda there: torch.equal(there, there),
}


@pytest.mark.parametrize("name", WAITING)
def test_where_the_program_waits_is_counted(name):
    with pretended_cuda() as used:
        WAITING[name](HERE.to("cuda"))
    assert used.waits[name] == used.waits.total() == 1


def test_factorizations_are_counted():
    with pretended_cuda() as used:
        torch.linalg.qr(HERE.to("cuda"))
        torch.linalg.vector_norm(HERE.to("cuda"))
        assert used.factorized == {"linalg_qr": 1}


def test_copies_kernels_and_sums_without_an_order_are_counted():
    with pretended_cuda() as used:
        there = HERE.to("cuda")
        assert (used.copies, used.kernels, used.waits.total()) == (1, 0, 0)
        (there + 1).sum()
        assert used.kernels == 2
        assert there.shape == (2, 3)
        assert there.dim() == 2
        assert len(there) == 2
        assert used.kernels == 2
        there.clone().scatter_add_(1, torch.zeros(2, 1, dtype=torch.int64, device="cuda"), there)
        assert used.unordered == {"scatter_add_": 1}
        there[0] = HERE[0]
        there.cpu()
        assert used.copies == 3


#: What may be launched and waited for, at most: of a block of rows, a step.
BUDGETS = {"a block of recall": (65, 1), "a step of training": (53, 1)}
#: Of the same for all memories of one size that are drawn at once.
AT_ONCE = (159, 11)
#: And for all constructions: the outcomes are waited for once, and what is made by factorizations.
CONSTRUCTIONS = {
    "heads": (612, 1),
    "heads, frames, interpolating keys, noise": (497, 3),
    "heads and MLP": (514, 2),
    "MLP, a fixed table": (584, 2),
}


def spent(run, small=2, large=6):
    """What one more of what is repeated takes."""
    found = []
    for times in (small, large):
        with pretended_cuda() as used:
            run(times)
        found.append((used.kernels, used.waits.total(), used.unordered.total()))
    return [(b - a) / (large - small) for a, b in zip(*found, strict=True)]


def _blocks(times):
    recall(LinearMemory.sample(8, 8 * times, seed=1, device="cuda"), block=(8, 10**6))


def _steps(times):
    model = OneLayerTransformer(12, 2, 4, seed=3, device="cuda")
    phi = sample_sphere(TASK.vocabulary, 12, stream=Stream(4), device="cuda")
    Training(TASK, model, phi, rate=0.1, seed=5, batch=64, every=100).run(times)


@pytest.mark.parametrize(
    ("name", "run"), [*zip(BUDGETS, (_blocks, _steps), strict=True)], ids=BUDGETS
)
def test_what_is_repeated_stays_within_its_budget(name, run):
    kernels, waits, unordered = spent(run)
    assert 0 < kernels <= BUDGETS[name][0]
    assert waits <= BUDGETS[name][1]
    assert unordered == 0


def test_memories_drawn_at_once_take_no_more_than_one():
    spent = []
    for count in (20, 40):
        with pretended_cuda() as used:
            linear_margin.failures(8, 12, 12, count, seed=1, device="cuda")
        spent.append((used.kernels, used.waits.total(), used.unordered.total()))
    assert spent[0] == spent[1]
    assert (spent[0][:2], spent[0][2]) == (AT_ONCE, 0)


def _heads(count, **choices):
    sizes = {"d_h": 12, "tokens_per_head": 2, **choices}
    construction_recall.failures("attention", 3, 3, 2, 24, count, seed=5, device="cuda", **sizes)


def _frames(count):
    _heads(count, factors="orthonormal", keys="interpolating", noise=2, T=4)


def _with_mlp(count):
    sizes = {"d_h": 12, "tokens_per_head": 2, "m": 50, "activation": [0.0, 0.0, 1.0]}
    construction_recall.failures("mlp", 3, 3, 2, 25, count, seed=5, device="cuda", **sizes)


def _fixed(count):
    attention_mlp_margin.failures(25, 3, 3, 2, 50, count, seed=5, device="cuda")


@pytest.mark.parametrize(
    ("name", "run"),
    [*zip(CONSTRUCTIONS, (_heads, _frames, _with_mlp, _fixed), strict=True)],
    ids=CONSTRUCTIONS,
)
def test_constructions_drawn_at_once_take_no_more_than_one(name, run):
    spent = []
    for count in (20, 40):
        with pretended_cuda() as used:
            run(count)
        spent.append((used.kernels, used.waits.total(), used.unordered.total()))
    assert spent[0] == spent[1]
    kernels, waits = CONSTRUCTIONS[name]
    assert 0 < spent[0][0] <= kernels
    assert spent[0][1] <= waits
    assert spent[0][2] == 0
