"""Training of an attention layer: the right gradient, steps that can be continued, clear refusals."""

import pytest
import torch

from numerics import (
    FactTable,
    FactualRecall,
    InputError,
    OneLayerTransformer,
    Stream,
    sample_sphere,
)
from numerics import training as module
from numerics.training import Training

SEED = 3


def task(**changed):
    settings = {"S": 5, "R": 2, "D": 3, "T": 6, "noise": 4} | changed
    table = FactTable.random(settings["S"], settings["R"], settings["D"], seed=SEED)
    return FactualRecall(table, noise=settings["noise"], T=settings["T"])


def begun(**changed):
    H, d, m = (changed.pop(name, default) for name, default in (("H", 1), ("d", 12), ("m", 0)))
    where = task()
    activation = "relu" if m else None
    head = changed.pop("model", None) or OneLayerTransformer(
        d, H, 4, m, activation=activation, seed=SEED
    )
    embeddings = sample_sphere(where.vocabulary, d, stream=Stream(SEED, "embeddings"))
    embeddings = changed.pop("embeddings", embeddings)
    options = {"rate": 0.5, "seed": SEED, "batch": 64, "every": 2} | changed
    return Training(where, head, embeddings, **options)


def reference(training, steps, optimiser):
    """The same steps through the transformer itself, its sequences and an optimiser of torch."""
    where, model, phi = training.task, training.model(), training.embeddings
    moves = optimiser(model.parameters())
    answers = slice(where.answers.start, where.answers.stop)
    for step in range(steps):
        sequences = where.sample(training.batch, seed=training.seed, start=1024 * step)
        logits = model(phi[sequences[:, :-1]]) @ phi[answers].mT
        loss = torch.nn.functional.cross_entropy(logits, sequences[:, -1] - where.answers.start)
        moves.zero_grad()
        loss.backward()
        moves.step()
    return [part.detach() for part in (model.W_K, model.W_Q, model.W_V, model.W_O)]


@pytest.mark.parametrize("H", [1, 2])
@pytest.mark.parametrize("optimiser", ["gd", "adam"])
def test_steps_are_those_of_the_transformer_and_of_torch(H, optimiser):
    rate = {"gd": 0.5, "adam": 0.01}[optimiser]
    kind = {"gd": torch.optim.SGD, "adam": torch.optim.Adam}[optimiser]
    training = begun(H=H, optimiser=optimiser, rate=rate)
    expected = reference(training, 5, lambda parameters: kind(parameters, lr=rate))
    training.run(5)
    for found, wanted in zip(training.state.parameters, expected, strict=True):
        torch.testing.assert_close(found, wanted, rtol=1e-9, atol=1e-12)


def test_losses_are_cross_entropies_of_the_answer_and_of_the_answers_of_r_and_s():
    training = begun()
    where, phi, model = training.task, training.embeddings, training.model()
    sequences = where.sample(4096, seed=SEED, start=1024 * 2**48)
    logits = model(phi[sequences[:, :-1]]) @ phi[where.answers.start : where.answers.stop].mT
    p = logits.detach().softmax(dim=1)
    total, relation, subject = [], [], []
    for row, sequence in zip(p, sequences.tolist(), strict=True):
        s = next(z for z in sequence if z in where.subjects)
        r = next(z for z in sequence if z in where.relations) - where.relations.start
        total.append(-row[sequence[-1] - where.answers.start].log())
        relation.append(-row[list(where.table.answers_of_relation(r))].sum().log())
        subject.append(-row[list(where.table.answers_of_subject(s))].sum().log())
    found = training.history[0]
    for value, parts in (
        (found.total, total),
        (found.relation_only, relation),
        (found.subject_only, subject),
    ):
        assert value == pytest.approx(float(torch.stack(parts).mean()), rel=1e-9)


def test_zero_weights_predict_every_answer_alike():
    head = OneLayerTransformer(12, 1, 4)
    found = begun(model=head).history[0]
    assert found.total == pytest.approx(torch.tensor(6.0).log().item())
    assert found.total >= max(found.relation_only, found.subject_only)


def test_training_lowers_the_loss_and_leaves_the_given_model_alone():
    head = OneLayerTransformer(12, 1, 4, seed=SEED)
    before = head.W_V.detach().clone()
    training = begun(model=head, rate=1.0)
    training.run(60)
    assert training.history[-1].total < training.history[0].total - 0.1
    assert torch.equal(head.W_V, before)
    assert not torch.equal(training.model().W_V, before)


@pytest.mark.parametrize("optimiser", ["gd", "adam"])
def test_a_training_goes_on_to_the_last_bit(optimiser):
    whole = begun(optimiser=optimiser, rate=0.01)
    whole.run(7)
    parted = begun(optimiser=optimiser, rate=0.01)
    parted.run(3)
    parted = begun(optimiser=optimiser, rate=0.01, state=parted.state)
    parted.run(7)
    assert parted.history == whole.history
    assert all(
        torch.equal(a, b)
        for a, b in zip(parted.state.parameters, whole.state.parameters, strict=True)
    )
    assert [point.step for point in whole.history] == [0, 2, 4, 6]


def test_an_interrupt_within_a_step_leaves_the_last_whole_one(monkeypatch):
    training, calls, real = begun(), [], torch.autograd.grad

    def interrupted(*arguments):
        calls.append(1)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(module.torch.autograd, "grad", interrupted)
    with pytest.raises(KeyboardInterrupt):
        training.run(9)
    assert training.state.step == 3
    training.run(9)
    whole = begun()
    monkeypatch.undo()
    whole.run(9)
    assert training.history == whole.history


def test_progress_is_told_of_every_step():
    told = []
    begun().run(3, progress=told.append)
    assert told == [1, 2, 3]


def test_batches_longer_than_a_block_share_no_sequence_with_the_next():
    training = begun(batch=1025)
    starts = []
    sample = training.task.sample

    def seen(count, *, seed, start):
        starts.append(start)
        return sample(count, seed=seed, start=start)

    training.task.sample = seen
    training.run(3)
    assert starts == [0, 2048, 4096]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"rate": 0.0}, ["rate = 0.0", "> 0"]),
        ({"rate": float("nan")}, ["rate = nan"]),
        ({"rate": True}, ["rate = True"]),
        ({"rate": 10**400}, ["is no step size: pass a finite number"]),
        ({"batch": 0}, ["batch = 0", "at least 1"]),
        ({"every": 0}, ["every = 0", "at least 1"]),
        ({"optimiser": "sgd"}, ["'sgd'", "'gd' or 'adam'"]),
        ({"m": 3}, ["m = 3", "m = 0"]),
        ({"embeddings": torch.zeros(5, 12, dtype=torch.float64)}, ["5 rows", "tokens of the task"]),
        (
            {"model": OneLayerTransformer(12, 1, 4, inverse_temperature=float("inf"))},
            ["hard attention", "finite inverse_temperature"],
        ),
    ],
)
def test_what_cannot_be_trained_is_refused(changed, words):
    with pytest.raises(InputError) as error:
        begun(**changed)
    assert all(word in str(error.value) for word in words)


def test_a_loss_that_is_not_finite_ends_the_training_with_its_step():
    training = begun(rate=1e200)
    with pytest.raises(InputError, match=r"after \d+ steps at rate = 1e\+200: lower it"):
        training.run(50)


def test_losses_are_read_where_the_parameters_lie(monkeypatch):
    """On the meta device, which holds no values: nothing of the training is left on the CPU."""
    monkeypatch.setattr(OneLayerTransformer, "check_embeddings", lambda *_: None)
    begun_here = begun()
    embeddings = begun_here.embeddings.to("meta")
    head = OneLayerTransformer(12, 1, 4, device="meta")
    there = begun(model=head, embeddings=embeddings, state=begun_here.state)
    logarithms = there._log_predictions(there._held_out, (head.W_K, head.W_Q, head.W_V, head.W_O))
    for valid, which in (
        (there._of_relation, there._held_out.relations),
        (there._of_subject, there._held_out.subjects),
    ):
        assert valid[which].device == logarithms.device == embeddings.device


def test_negative_steps_are_refused():
    with pytest.raises(InputError, match="steps = -1"):
        begun().run(-1)
