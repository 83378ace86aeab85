"""Constructions drawn and certified many at once: as one by one, whatever their number and device."""

import math
from dataclasses import replace

import pytest
import torch

from numerics import (
    AttentionMLP,
    AttentionOnly,
    FactTable,
    FactualRecall,
    InputError,
    OneLayerTransformer,
    Stream,
    certify,
)
from numerics.constructions import Construction, attention_mlp, attention_only, certificate
from numerics.constructions.attention_only import answer_sums
from numerics.constructions.certificate import certify_many
from numerics.constructions.keys import denoising_vector
from numerics.constructions.weights import Filled, Weights
from numerics.contracts import pretended_cuda
from numerics.draws import attention_mlp_margin, construction_recall, lost_tables
from numerics.draws.construction_recall import FAULTS, failures, sample

SQUARE = [0.0, 0.0, 1.0]  # h_2
#: By name: kind, S, R, D, d, and further choices at which some draws lose a fact.
CASES = {
    "no noise": ("attention", 3, 3, 2, 40, {"d_h": 20, "tokens_per_head": 2}),
    "noise, spare heads": (
        "attention",
        *(3, 3, 2, 40),
        {"d_h": 20, "tokens_per_head": 2, "noise": 3, "T": 5, "H": 6},
    ),
    "frames": (
        "attention",
        *(4, 2, 2, 33),
        {"d_h": 30, "tokens_per_head": 2, "factors": "orthonormal", "noise": 4, "T": 4},
    ),
    "frames, interpolating keys": (
        "attention",
        *(6, 6, 3, 64),
        {"d_h": 63, "tokens_per_head": 1, "factors": "orthonormal", "keys": "interpolating"},
    ),
    "interpolating keys": (
        "attention",
        *(4, 2, 3, 48),
        {"d_h": 40, "tokens_per_head": 2, "keys": "interpolating", "noise": 4, "T": 4},
    ),
    "one fact": ("attention", 1, 1, 1, 3, {"d_h": 1, "tokens_per_head": 1, "noise": 1, "T": 4}),
    "float32": (
        "attention",
        *(3, 2, 2, 30),
        {"d_h": 20, "tokens_per_head": 2, "dtype": torch.float32},
    ),
    "MLP": (
        "mlp",
        *(3, 3, 2, 41),
        {"d_h": 20, "tokens_per_head": 2, "m": 300, "activation": SQUARE},
    ),
    "MLP, shares, noise": (
        "mlp",
        *(3, 2, 2, 41),
        {"d_h": 7, "tokens_per_head": 2, "m": 300, "noise": 3, "T": 5, "H": 14},
    ),
    "MLP, interpolating keys": (
        "mlp",
        *(3, 2, 2, 33),
        {"d_h": 16, "tokens_per_head": 1, "m": 300, "keys": "interpolating", "noise": 4, "T": 4},
    ),
    "MLP, other powers": (
        "mlp",
        *(2, 2, 2, 33),
        {"d_h": 16, "tokens_per_head": 1, "m": 400, "activation": "tanh", "p": 2, "k": 1},
    ),
}
COUNT = 24


def one_by_one(case, count=COUNT, *, seed=5, start=0, fault=""):
    """Whether each draw loses a fact, by `sample` and `certify`, one after the other."""
    *sizes, choices = CASES[case]
    stream = Stream(seed, "construction-recall")
    drawn = [
        sample(*sizes, seed=stream.replicate(start + i), fault=fault, **choices)
        for i in range(count)
    ]
    return [not certify(each, temperatures=False).complete for each in drawn]


def at_once(case, count=COUNT, *, seed=5, **more):
    *sizes, choices = CASES[case]
    return failures(*sizes, count, seed=seed, **choices, **more).values.bool().tolist()


def groups_of(monkeypatch, size):
    """Groups of at most so many; the sizes of those that were asked."""
    asked = []

    def noted(filled):
        asked.append(len(filled.embeddings))
        return certify_many(filled)

    monkeypatch.setattr(lost_tables, "together", lambda *about, **more: size)
    monkeypatch.setattr(lost_tables, "certify_many", noted)
    return asked


# -- the same outcomes ------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_outcomes_are_those_one_by_one(case, monkeypatch):
    expected = one_by_one(case, start=3)
    assert any(expected), "no draw loses a fact"
    assert not all(expected), "every draw loses a fact"
    for size, groups in ((COUNT, [24]), (5, [5, 5, 5, 5, 4]), (1, [1] * 24)):
        asked = groups_of(monkeypatch, size)
        assert at_once(case, start=3) == expected
        assert asked == groups


@pytest.mark.parametrize(
    ("case", "fault"),
    [(case, fault) for case in CASES for fault in FAULTS[CASES[case][0]]],
)
def test_faults_are_built_in_at_once_too(case, fault):
    expected = one_by_one(case, 8, fault=fault)
    assert at_once(case, 8, fault=fault) == expected
    assert any(expected)


def test_a_fixed_table_is_everyones(monkeypatch):
    sizes, more = (33, 3, 3, 2), {"M": 2, "noise": 3, "T": 4, "sigma": "relu"}
    whole = attention_mlp_margin.failures(*sizes, 300, COUNT, seed=3, **more).values
    assert 0 < float(whole.mean()) < 1
    asked = groups_of(monkeypatch, 0)
    alone = attention_mlp_margin.failures(*sizes, 300, COUNT, seed=3, **more).values
    assert asked == []
    assert torch.equal(whole, alone)


def test_where_one_takes_too_much_memory_all_are_certified_by_blocks(monkeypatch):
    expected = at_once("no noise")
    asked = groups_of(monkeypatch, 0)
    assert at_once("no noise") == expected
    assert asked == []


def together_and_alone(case, count=6):
    """The weights of some drawn at once, and the same constructions drawn one by one."""
    kind, S, R, D, d, choices = CASES[case]
    stream = Stream(5, "construction-recall")
    sizes = {"noise": 0, "T": 3, "fault": "", **choices}
    many = construction_recall._sample_many(kind, S, R, D, d, count, seed=stream, **sizes)
    alone = [sample(kind, S, R, D, d, seed=stream.replicate(i), **choices) for i in range(count)]
    return many, alone


@pytest.mark.parametrize("case", CASES)
def test_each_has_the_weights_that_it_has_alone(case):
    many, alone = together_and_alone(case)
    exact = many.embeddings.dtype == torch.float64
    for i, one in enumerate(alone):
        assert torch.equal(many.embeddings[i], one.embeddings)
        assert torch.equal(many.answers[i], one.task.table.answers)
        assert many.heads == one.heads
        for name, part in one.transformer.named_parameters():
            found = getattr(many.weights, name)[i]
            if name in ("W_K", "W_Q"):
                # Rows that are zero are left out.
                assert not bool(part[:, 1:].any())
                part = part[:, :1]
            assert found.dtype == part.dtype
            scale = 1 + float(part.detach().abs().max()) if part.numel() else 1.0
            off = (found - part).detach().abs()
            assert off.numel() == 0 or float(off.max()) <= (1e-12 if exact else 1e-6) * scale


@pytest.mark.parametrize("case", [case for case in CASES if case != "float32"])
def test_what_is_rounded_otherwise_at_once_is_far_within_what_leaves_a_draw_in_doubt(case):
    many, alone = together_and_alone(case)
    prover = certificate._Prover(many, None)
    facts = many.task.fact_tokens
    leads, winners = prover._attention(facts, prover._scores_of(facts))
    memory = prover._memory(prover._images(winners), many.answer_tokens)
    margins, bounds = certificate.margins_of(memory, torch.float64)
    factor = certificate._SURELY / 8
    for i, one in enumerate(alone):
        found = certify(one, temperatures=False)
        assert bool(((margins[i] - found.margins).abs() < factor * found.bounds).all())
        assert torch.allclose(bounds[i], found.bounds, rtol=1e-6)
        least = leads[i].amin(dim=-1)
        assert bool(((least - found.leads).abs() < factor * found.rounding_bound[0]).all())


# -- doubt ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["noise, spare heads", "MLP"])
def test_what_is_in_doubt_is_certified_alone(case, monkeypatch):
    expected, asked = one_by_one(case), []

    def noted(construction, **choices):
        asked.append(construction)
        return certify(construction, **choices)

    monkeypatch.setattr(lost_tables, "certify", noted)
    assert at_once(case) == expected
    assert not asked, "none is in doubt"
    monkeypatch.setattr(certificate, "_SURELY", 2.0**60)
    assert at_once(case) == expected
    assert len(asked) == COUNT


def stacked(drawn):
    """Constructions of one task's sizes as many at once."""
    parts = [one.filled.weights for one in drawn]
    names = ("W_K", "W_Q", "W_V", "W_O", "W", "V")
    weights = [torch.stack([getattr(part, name) for part in parts]) for name in names]
    return Filled(
        Weights(*weights, parts[0].activation),
        torch.stack([one.embeddings for one in drawn]),
        drawn[0].task,
        torch.stack([one.task.table.answers for one in drawn]),
        drawn[0].heads,
    )


def changed(drawn, change):
    """The same with other embeddings or weights: change(phi, weights) writes into copies."""
    phi = drawn.embeddings.clone()
    old = drawn.transformer
    model = OneLayerTransformer(
        old.d, old.H, old.d_h, old.m, activation=old.activation, inverse_temperature=math.inf
    )
    model.load_state_dict(old.state_dict())
    construction = Construction(model, phi, drawn.task, drawn.heads)
    change(phi, construction.filled.weights)
    return construction


def _a_tied_answer(phi, weights):
    phi[-3] = phi[-4]  # of no fact


def _a_tied_noise_token(phi, weights):
    phi[-2] = phi[0]


def _no_output(phi, weights):
    weights.W_O.zero_()


def _a_key_without_size(phi, weights):
    weights.W_K[1].zero_()


def _an_overflow(phi, weights):
    weights.W_O[0] = 1e300


def _underflow(phi, weights):
    weights.W_O.mul_(1e-300)
    weights.W_V.mul_(1e-30)


def _infinite(phi, weights):
    weights.W_O[0, 0, 0] = math.inf


def _turned(phi, weights):
    weights.W_O.neg_()


@pytest.mark.parametrize(
    ("change", "lost_for_sure"),
    [
        (_a_tied_answer, False),
        (_a_tied_noise_token, True),
        (_a_key_without_size, False),
        (_infinite, False),
        (_an_overflow, True),
        (_underflow, False),
        (_turned, True),
        (_no_output, False),
    ],
)
@pytest.mark.parametrize("kind", ["attention", "mlp"])
def test_nothing_is_decided_otherwise_than_by_certify(kind, change, lost_for_sure):
    of = FactualRecall(FactTable([[0, 2], [1, 3], [1, 2]], A=5), noise=1, T=4)
    sizes = {"d": 120, "tokens_per_head": 1, "seed": 0}
    if kind == "attention":
        plain = AttentionOnly.sample(of, d_h=100, **sizes)
    else:
        plain = AttentionMLP.sample(of, d_h=59, m=3000, activation=SQUARE, **sizes)
    assert certify(plain, temperatures=False).complete
    worse = changed(plain, change)
    kept, lost = certify_many(stacked([plain, worse, plain]))
    assert kept[[0, 2]].all()
    assert not lost[[0, 2]].any()
    complete = certify(worse, temperatures=False).complete
    assert not (kept[1] and not complete)
    assert not (lost[1] and complete)
    if kind == "attention":
        assert not complete
        assert bool(lost[1]) == lost_for_sure


# -- slips in the program ---------------------------------------------------------------------------


def _shared_tables(monkeypatch):
    def first(task, tokens, embeddings, *, answers=None):
        shared = answers[:1].expand_as(answers) if answers.dim() == 3 else answers
        return answer_sums(task, tokens, embeddings, answers=shared)

    monkeypatch.setattr(attention_only, "answer_sums", first)


def _shared_keys(monkeypatch):
    def first(group, eos, keys):
        return denoising_vector(group, eos, keys)[:1].expand_as(eos)

    monkeypatch.setattr(attention_only, "denoising_vector", first)


def _shared_answers(monkeypatch):
    original = Filled.answer_tokens.fget
    first = property(lambda drawn: original(drawn)[:1].expand(len(drawn.embeddings), -1))
    monkeypatch.setattr(Filled, "answer_tokens", first)


def _numbers_from_zero(monkeypatch):
    original = AttentionOnly.sample_many.__func__

    def again(cls, task, answers, *, seed, **choices):
        return original(cls, task, answers, seed=seed.replicate(0), **choices)

    monkeypatch.setattr(AttentionOnly, "sample_many", classmethod(again))


def _no_noise(monkeypatch):
    original = certificate._Prover._greatest_noise

    def silent(prover):
        found = original(prover)
        return torch.full_like(found, -math.inf) if found.dim() > 1 else found

    monkeypatch.setattr(certificate._Prover, "_greatest_noise", silent)


def _leads_left_out(monkeypatch):
    original = certificate._Prover._attention

    def ahead(prover, facts, scores):
        leads, winners = original(prover, facts, scores)
        return (torch.ones_like(leads) if leads.dim() > 2 else leads), winners

    monkeypatch.setattr(certificate._Prover, "_attention", ahead)


def _heads_at_one_token(monkeypatch):
    original = certificate._Prover._images

    def first(prover, winners):
        return original(prover, torch.zeros_like(winners) if winners.dim() > 2 else winners)

    monkeypatch.setattr(certificate._Prover, "_images", first)


def _masks_exchanged(monkeypatch):
    monkeypatch.setattr(lost_tables, "certify_many", lambda drawn: certify_many(drawn)[::-1])


def _doubt_is_kept(monkeypatch):
    monkeypatch.setattr(certificate, "_SURELY", 2.0**60)

    def kept(drawn):
        lost = certify_many(drawn)[1]
        return ~lost, lost

    monkeypatch.setattr(lost_tables, "certify_many", kept)


@pytest.mark.parametrize(
    "slip",
    [
        _shared_tables,
        _shared_keys,
        _shared_answers,
        _no_noise,
        _leads_left_out,
        _heads_at_one_token,
        _masks_exchanged,
        _doubt_is_kept,
    ],
)
def test_a_slip_in_what_is_made_at_once_is_noticed(slip, monkeypatch):
    case = "noise, spare heads"
    expected = one_by_one(case)
    slip(monkeypatch)
    assert at_once(case) != expected


def test_a_slip_in_the_readouts_at_once_is_noticed(monkeypatch):
    expected = one_by_one("MLP")
    original = attention_mlp._readout

    def first(drawn, hidden, subspaces, powers):
        if drawn.answers.dim() == 3:
            drawn = replace(drawn, answers=drawn.answers[:1].expand_as(drawn.answers))
        return original(drawn, hidden, subspaces, powers)

    monkeypatch.setattr(attention_mlp, "_readout", first)
    assert at_once("MLP") != expected


# -- a device ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_the_same_is_found_on_a_pretended_device(case):
    expected = at_once(case)
    with pretended_cuda() as used:
        assert at_once(case, device="cuda") == expected
    assert used.kernels > 0
    assert not used.factorized


@pytest.mark.gpu
@pytest.mark.parametrize("case", CASES)
def test_the_same_is_found_on_a_card(case):
    assert at_once(case, device="cuda") == at_once(case)


def _numbers_moved_on(monkeypatch):
    original = AttentionOnly.sample_many.__func__

    def later(cls, task, answers, *, seed, **choices):
        return original(cls, task, answers, seed=seed.replicate(seed.number + 1), **choices)

    monkeypatch.setattr(AttentionOnly, "sample_many", classmethod(later))


@pytest.mark.parametrize("slip", [_numbers_from_zero, _numbers_moved_on])
def test_draws_that_are_there_twice_or_missing_are_refused(slip, monkeypatch):
    groups_of(monkeypatch, 5)
    slip(monkeypatch)
    with pytest.raises(InputError, match="begins with another number than it was asked for"):
        at_once("noise, spare heads")


def test_fewer_are_drawn_where_they_do_not_fit_after_all(monkeypatch):
    expected, asked = at_once("MLP"), []

    def crowded(filled):
        asked.append(len(filled.embeddings))
        if asked[-1] > 5:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return certify_many(filled)

    monkeypatch.setattr(lost_tables, "certify_many", crowded)
    with pretended_cuda():
        assert at_once("MLP", device="cuda") == expected
    assert asked == [24, 12, 6, *[3] * 8]


def test_one_that_does_not_fit_is_refused(monkeypatch):
    def full(filled):
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(lost_tables, "certify_many", full)
    with (
        pretended_cuda(),
        pytest.raises(InputError, match=r"one construction does not fit .* lower its sizes"),
    ):
        at_once("MLP", device="cuda")
