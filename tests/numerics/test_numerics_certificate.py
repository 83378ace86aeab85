"""The certificate: against all contexts, against rational arithmetic, and what must not pass."""

import copy
import itertools
import math
from fractions import Fraction

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import (
    AttentionMLP,
    AttentionOnly,
    FactTable,
    FactualRecall,
    InputError,
    OneLayerTransformer,
    Stream,
    certify,
    sample_sphere,
)
from numerics.constructions import Construction
from numerics.constructions.certificate import _Readout

SQUARE = [0.0, 0.0, 1.0]
DTYPES = [torch.float32, torch.float64]


def task(S=3, R=2, D=2, *, noise=2, T=4, facts=None, seed=0):
    table = FactTable.random(S, R, D, seed=seed)
    return FactualRecall(table if facts is None else table.subset(facts, seed=1), noise=noise, T=T)


def draw(kind, of, *, d, seed=0, **choices):
    if kind == "attention":
        choices = {"d_h": max(1, d // 2), "tokens_per_head": 2} | choices
        return AttentionOnly.sample(of, d=d, seed=seed, **choices)
    choices = {"d_h": max(1, d // 4), "tokens_per_head": 2, "m": 60, "activation": SQUARE} | choices
    return AttentionMLP.sample(of, d=d, seed=seed, **choices)


def at_temperature(drawn, beta):
    """The same weights read with another inverse temperature."""
    model = copy.deepcopy(drawn.transformer)
    model.inverse_temperature = beta
    return model


def recalled(drawn, model=None):
    """For each fact, how many of all its contexts the transformer answers, and how many there are."""
    model = model or drawn.transformer
    counts = []
    for (s, r), (_, _, a) in zip(
        drawn.task.facts.tolist(), drawn.task.fact_tokens.tolist(), strict=True
    ):
        contexts = drawn.task.contexts(s, r)
        found = model.decode(contexts, drawn.embeddings)
        counts.append((int((found == a).sum()), len(contexts)))
    return counts


def attended_alike(drawn, s, r):
    """Whether each head attends to one token, the same in all contexts of the fact."""
    contexts = drawn.task.contexts(s, r)
    weights = drawn.transformer.attention(drawn.embeddings[contexts]).detach()
    tokens = contexts.gather(1, weights.argmax(dim=2))
    alike = (tokens == tokens[0]).all(dim=0) & (weights.amax(dim=2) == 1).all(dim=0)
    return bool(alike.all()), tokens[0].tolist()


def meant(drawn, s, r):
    """The token each head was made for in contexts of tokens s and r."""
    return [s if s in tokens else r if r in tokens else drawn.task.eos for tokens in drawn.heads]


# All contexts

KINDS = st.sampled_from(["attention", "mlp"])


@settings(max_examples=60)
@given(
    KINDS,
    st.integers(1, 3),
    st.integers(1, 3),
    st.integers(1, 2),
    st.integers(1, 3),
    st.integers(3, 5),
    st.integers(3, 60),
    st.sampled_from(["sum", "interpolating"]),
    st.integers(0, 10**6),
)
def test_the_certificate_agrees_with_all_contexts(kind, S, R, D, noise, T, d, keys, seed):
    of = task(S, R, D, noise=noise, T=T, seed=seed)
    tokens_per_head = 2 if d > 3 else 1
    drawn = draw(kind, of, d=d, seed=seed, keys=keys, tokens_per_head=tokens_per_head)
    found = certify(drawn)
    certified = found.certified.tolist()
    for i, (s, r, _) in enumerate(of.fact_tokens.tolist()):
        right, total = recalled(drawn)[i]
        alike, tokens = attended_alike(drawn, s, r - of.relations.start)
        rounding = found.rounding_bound[0]
        lead, margin, bound = (float(x[i]) for x in (found.leads, found.margins, found.bounds))
        if certified[i]:
            assert right == total
        if lead > rounding:
            # Heads attend to the same tokens everywhere, so all contexts fare alike.
            assert alike
            assert bool(found.intended[i]) == (tokens == meant(drawn, s, r))
            if margin < -bound:
                assert right == 0
        elif lead < -rounding and T > 3:
            # Some head attends to a noise token where there is one, or to another.
            assert not alike or any(z in of.noise_tokens for z in tokens)
        if T == 3 and abs(margin) > bound and abs(lead) > rounding:
            assert certified[i] == (right == total)
    assert torch.equal(torch.isfinite(found.inverse_temperatures), found.certified)
    assert found.correct == sum(certified)
    assert found.complete == all(certified)


@settings(max_examples=25)
@given(KINDS, st.integers(3, 5), st.integers(0, 10**6))
def test_what_is_certified_at_a_temperature_is_recalled_there_in_all_contexts(kind, T, seed):
    of = task(2, 2, 2, noise=2, T=T, seed=seed)
    sizes = {"d_h": 30, "m": 400} if kind == "mlp" else {"d_h": 100}
    drawn = draw(kind, of, d=120, seed=seed, tokens_per_head=1, **sizes)
    found = certify(drawn)
    least = found.inverse_temperatures
    assert torch.equal(torch.isfinite(least), found.certified)
    for beta in sorted({0.1, 1.0, 10.0, *(1.0000001 * least[found.certified]).tolist()}):
        certified = found.certified_at(beta).tolist()
        assert certified == (least <= beta).tolist()
        for sure, (right, total) in zip(
            certified, recalled(drawn, at_temperature(drawn, beta)), strict=True
        ):
            assert right == total or not sure
    assert torch.equal(found.certified_at(math.inf), found.certified)


@pytest.mark.parametrize("kind", ["attention", "mlp"])
def test_a_low_inverse_temperature_loses_facts_and_is_not_certified(kind):
    of = task(3, 2, 2, noise=2, T=5)
    sizes = {"d_h": 150} if kind == "attention" else {"d_h": 75, "m": 3000}
    drawn = draw(kind, of, d=301, tokens_per_head=1, keys="interpolating", **sizes)
    found = certify(drawn)
    assert found.complete
    assert 1 < found.least_inverse_temperature < 200
    assert bool(found.certified_at(found.least_inverse_temperature).all())
    assert not bool(found.certified_at(found.least_inverse_temperature * 0.999).all())
    assert not bool(found.certified_at(0.1).any())
    longer = FactualRecall(of.table, noise=2, T=500)
    *contexts, answers = longer.sample(200, seed=1).split([longer.T, 1], dim=1)
    for beta, fails in ((0.1, True), (200.0, False)):
        model = at_temperature(drawn, beta)
        wrong = model.decode(contexts[0], drawn.embeddings) != answers.squeeze(1)
        assert bool(wrong.any()) == fails
    later = certify(Construction(drawn.transformer, drawn.embeddings, longer, drawn.heads))
    assert torch.equal(later.margins, found.margins)
    assert later.least_inverse_temperature > found.least_inverse_temperature + 1


# Every number by other means


def fractions(tensor):
    if tensor.dim() == 1:
        return [Fraction(entry) for entry in tensor.tolist()]
    return [fractions(row) for row in tensor.detach()]


def dot(a, b):
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def combined(coefficients, rows, d):
    return [dot(coefficients, [row[i] for row in rows]) for i in range(d)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", ["attention", "mlp"])
def test_leads_and_margins_are_those_of_rational_arithmetic(kind, dtype):
    of = task(2, 2, 2, noise=1, T=4)
    relu = {"m": 5, "activation": "relu"} if kind == "mlp" else {}
    drawn = draw(kind, of, d=9, d_h=2, dtype=dtype, H=9, **relu)
    found = certify(drawn)
    model, d = drawn.transformer, 9
    phi = fractions(drawn.embeddings)
    W = {name: fractions(part) for name, part in model.named_parameters()}

    def scores(h):
        query = [dot(row, phi[of.eos]) for row in W["W_Q"][h]]
        key = combined(query, W["W_K"][h], d)
        return [dot(key, z) for z in phi]

    table = [scores(h) for h in range(model.H)]
    active = [h for h, tokens in enumerate(drawn.heads) if tokens]
    assert len(active) < model.H
    gaps = [math.inf] * model.H
    for i, (s, r, a) in enumerate(of.fact_tokens.tolist()):
        context = (s, r, of.eos, *of.noise_tokens)
        mhsa, leads, intended = [Fraction(0)] * d, [], True
        for h in active:
            ranked = sorted((z for z in context[:3]), key=lambda z: table[h][z], reverse=True)
            winner, target = ranked[0], meant(drawn, s, r)[h]
            leads.append(table[h][winner] - max(table[h][z] for z in context if z != winner))
            ahead = table[h][target] - max(table[h][z] for z in context if z != target)
            gaps[h] = min(gaps[h], ahead)
            intended = intended and ahead > 0
            values = [dot(row, phi[winner]) for row in W["W_V"][h]]
            mhsa = [x + y for x, y in zip(mhsa, combined(values, W["W_O"][h], d), strict=True)]
        image = mhsa
        if kind == "mlp":
            neurons = [max(dot(w, mhsa), Fraction(0)) for w in W["W"]]
            image = [x + y for x, y in zip(mhsa, combined(neurons, W["V"], d), strict=True)]
        values = [dot(image, z) for z in phi]
        margin = values[a] - max(value for z, value in enumerate(values) if z != a)
        assert abs(float(found.leads[i]) - min(leads)) <= found.rounding_bound[0]
        assert bool(found.intended[i]) == intended
        assert abs(float(found.margins[i]) - margin) <= float(found.bounds[i])
        assert float(found.bounds[i]) < 1e-9
    assert found.rounding_bound[0] < 1e-12
    assert found.rounding_bound[1] == float(found.bounds.max())
    for gap, expected in zip(found.gaps.tolist(), gaps, strict=True):
        assert gap == expected or abs(gap - expected) < 1e-12
    assert found.least_gap == float(found.gaps.min())
    assert found.least_margin == float(found.margins.min())


def with_loud_noise(drawn):
    """The same, but for a long noise token off all keys and answers: only values are moved by it."""
    phi, model = drawn.embeddings.clone(), drawn.transformer
    with torch.no_grad():
        keys = torch.einsum("hkd,d->hk", model.W_Q, phi[drawn.task.eos])
        keys = torch.einsum("hk,hkd->hd", keys, model.W_K)
        answers = phi[list(drawn.task.answers)]
        basis = torch.linalg.qr(torch.cat([keys, answers]).T).Q
        away = sample_sphere(1, phi.shape[1], stream=Stream(5))[0]
        phi[drawn.task.noise_tokens[0]] += 9 * (away - basis @ (basis.T @ away))
    return Construction(model, phi, drawn.task, drawn.heads)


def leads_by_hand(drawn, s, r):
    phi, model, of = drawn.embeddings, drawn.transformer, drawn.task
    leads = []
    with torch.no_grad():
        for h, target in enumerate(meant(drawn, s, r)):
            scores = phi @ model.W_K[h].T @ (model.W_Q[h] @ phi[of.eos])
            noise = of.noise_tokens if of.T > 3 else ()
            others = [z for z in (s, r, of.eos, *noise) if z != target]
            leads.append(float(scores[target] - scores[others].max()))
    return torch.tensor(leads, dtype=torch.float64)


def contexts_by_hand(of):
    noise = of.noise_tokens if of.T > 3 else ()
    return [*of.subjects, *of.relations, *noise, of.eos]


@pytest.mark.parametrize("T", [3, 4, 6])
def test_without_an_mlp_the_temperature_solves_the_stated_inequality(T):
    of = task(2, 2, 2, noise=2, T=T)
    drawn = with_loud_noise(draw("attention", of, d=150, d_h=120, tokens_per_head=1))
    found = certify(drawn)
    assert found.complete
    phi, model = drawn.embeddings, drawn.transformer
    with torch.no_grad():
        values = [
            phi @ W_O.T @ W_V @ phi[contexts_by_hand(of)].T
            for W_V, W_O in zip(model.W_V, model.W_O, strict=True)
        ]
    reach = torch.stack([value.abs().max() for value in values])
    for i, (s, r, _) in enumerate(of.fact_tokens.tolist()):
        beta = float(found.inverse_temperatures[i])
        moved = 4 * (T - 1) * reach @ torch.exp(-beta * leads_by_hand(drawn, s, r))
        assert float(moved) == pytest.approx(float(found.margins[i]), rel=2e-3)


@pytest.mark.parametrize("activation", ["relu", SQUARE])
@pytest.mark.parametrize("T", [3, 4, 6])
def test_with_an_mlp_the_temperature_solves_the_stated_inequality(T, activation):
    of = task(2, 2, 2, noise=2, T=T)
    sizes = {"d": 201, "d_h": 50, "m": 2000, "tokens_per_head": 1, "activation": activation}
    drawn = with_loud_noise(draw("mlp", of, **sizes))
    found = certify(drawn)
    assert found.complete
    phi, model = drawn.embeddings, drawn.transformer
    with torch.no_grad():
        images = [
            phi[contexts_by_hand(of)] @ W_V.T @ W_O
            for W_V, W_O in zip(model.W_V, model.W_O, strict=True)
        ]
        reach = torch.stack([image.norm(dim=1).max() for image in images])
        readout = _Readout(model)
        for i, (s, r, _) in enumerate(of.fact_tokens.tolist()):
            beta = float(found.inverse_temperatures[i])
            moved = 2 * (T - 1) * reach @ torch.exp(-beta * leads_by_hand(drawn, s, r))
            # The radius is a power of two: that one moves no margin, and the next one might.
            k = round(-math.log2(moved))
            assert float(moved) == pytest.approx(2.0**-k, rel=2e-3)
            attended = phi[meant(drawn, s, r)].unsqueeze(1)
            x = torch.einsum("hxd,hkd,hke->xe", attended, model.W_V, model.W_O)
            largest = float(phi.norm(dim=1).max())
            moves = [
                2 * largest * float(readout.error(x, torch.tensor([radius]).double()))
                for radius in (2.0**-k, 2.0 ** (1 - k))
            ]
            assert moves[0] < float(found.margins[i]) < 1.01 * moves[1]


@pytest.mark.parametrize("kind", ["attention", "mlp"])
def test_blocks_change_nothing(kind):
    drawn = draw(kind, task(5, 4, 3, noise=7, T=6), d=80, d_h=40, H=12)
    whole, pieces = certify(drawn), certify(drawn, block=(3, 2))
    for name in ("leads", "margins", "gaps", "inverse_temperatures"):
        assert torch.allclose(getattr(whole, name), getattr(pieces, name), rtol=1e-9)
    for name in ("attended", "intended", "certified"):
        assert torch.equal(getattr(whole, name), getattr(pieces, name))


@pytest.mark.parametrize("kind", ["attention", "mlp"])
def test_float32_weights_are_certified_as_they_are_stored(kind):
    of = task(3, 2, 2)
    exact, rounded = (draw(kind, of, d=150, d_h=75, dtype=dtype) for dtype in reversed(DTYPES))
    one, other = certify(exact), certify(rounded)
    assert not torch.equal(one.margins, other.margins)
    assert torch.allclose(one.margins, other.margins, atol=1e-3)
    cast = copy.deepcopy(rounded.transformer).double()
    again = certify(Construction(cast, rounded.embeddings.double(), of, rounded.heads))
    assert torch.equal(again.margins, other.margins)
    assert torch.equal(again.bounds, other.bounds)
    assert other.rounding_bound[0] < 1e-11


@pytest.mark.parametrize("activation", ["relu", "tanh", "sin", SQUARE, [0.0, 0.0, 1.0, 0.0, 0.5]])
@pytest.mark.parametrize("size", [0.0, 1.0])
@pytest.mark.parametrize("radius", [0.0, 1e-6, 1e-2, 1.0])
def test_an_input_known_to_a_radius_moves_no_farther_than_stated(activation, radius, size):
    model = OneLayerTransformer(6, 1, 1, 40, activation=activation, seed=1)
    with torch.no_grad():
        model.W *= 3
        model.V *= size
        readout = _Readout(model)
        x = sample_sphere(20, 6, stream=Stream(2))
        bound = readout.error(x, torch.full((20,), radius, dtype=torch.float64))
        found = x + readout.value(x)
        farthest = torch.zeros(20, dtype=torch.float64)
        for step in range(50):
            # Along the neurons w_i too, where the readout moves most.
            away = sample_sphere(20, 6, stream=Stream(3, step))
            if step < 40:
                away = (model.W[step] / model.W[step].norm()).expand_as(x)
            moved = model.residual(x + radius * away) - found
            farthest = torch.maximum(farthest, moved.norm(dim=1))
    assert bool((farthest <= bound).all())
    if radius:
        assert bool((bound < 100 * farthest).all())
    else:
        assert bool((bound < 1e-11).all())


# What must not pass


@pytest.mark.parametrize("kind", ["attention", "mlp"])
def test_a_weight_that_is_wrong_loses_its_certificate(kind):
    of = task(3, 2, 2, noise=2, T=4)
    sizes = {"d": 301, "tokens_per_head": 1, "keys": "interpolating"}
    sizes |= {"d_h": 150} if kind == "attention" else {"d_h": 75, "m": 3000}
    good = draw(kind, of, **sizes)
    assert certify(good).complete

    def changed(change):
        model = copy.deepcopy(good.transformer)
        with torch.no_grad():
            change(model)
        return certify(Construction(model, good.embeddings, of, good.heads))

    def transpose(model):
        model.W_V.data, model.W_O.data = model.W_O.data, model.W_V.data

    assert not bool(changed(lambda model: model.W_K.neg_()).certified.any())
    # A constant guess is right for the facts of one answer at most.
    guessed = of.fact_tokens[changed(lambda model: model.W_O.zero_()).certified, 2]
    assert len(guessed.unique()) <= (kind == "mlp")
    assert not bool(changed(lambda model: model.W_Q.zero_()).attended.any())
    if kind == "attention":
        assert changed(transpose).correct == 0
        assert not bool(changed(lambda model: model.W_V.neg_()).certified.any())
    else:
        assert not bool(changed(lambda model: model.V.neg_()).certified.any())
        assert not bool(changed(lambda model: model.W.copy_(model.W.roll(1, 0))).certified.any())
    # The heads of the first subject alone: its facts are lost, those of the others are not.
    lost = [h for h, tokens in enumerate(good.heads) if tokens == (0,)]
    partly = changed(lambda model: [model.W_K[h].neg_() for h in lost]).intended
    assert partly.tolist() == [False] * len(of.facts)
    partly = changed(lambda model: [model.W_O[h].zero_() for h in lost])
    assert not bool(partly.certified[of.facts[:, 0] == 0].any())
    assert bool(partly.certified[of.facts[:, 0] > 0].all()) or kind == "mlp"


def test_a_noise_token_that_ties_with_a_subject_leaves_no_lead():
    of = task(3, 2, 2, noise=2, T=4)
    good = draw("attention", of, d=300, d_h=150, tokens_per_head=1)
    phi = good.embeddings.clone()
    phi[of.noise_tokens[1]] = phi[0]
    found = certify(Construction(good.transformer, phi, of, good.heads))
    lost = of.facts[:, 0] == 0
    assert float(found.leads[lost].abs().max()) <= found.rounding_bound[0]
    assert not bool(found.attended[lost].any())
    # In short contexts there is no noise.
    short = FactualRecall(of.table, noise=2, T=3)
    assert certify(Construction(good.transformer, phi, short, good.heads)).complete


def test_an_answer_that_ties_is_no_recall():
    of = task(2, 2, 2)
    good = draw("attention", of, d=300, d_h=150, tokens_per_head=1)
    assert certify(good).complete
    phi = good.embeddings.clone()
    phi[of.noise_tokens[0]] = phi[of.fact_tokens[0, 2]]
    found = certify(Construction(good.transformer, phi, of, good.heads))
    same = of.fact_tokens[:, 2] == of.fact_tokens[0, 2]
    assert float(found.margins[same].abs().max()) <= found.rounding_bound[1]
    assert not bool(found.certified[same].any())


def test_a_transformer_without_any_output_attends_but_recalls_nothing():
    of = task(2, 2, 2)
    empty = OneLayerTransformer(5, 4, 2, inverse_temperature=math.inf)
    embeddings = draw("attention", of, d=5).embeddings
    found = certify(Construction(empty, embeddings, of, ((),) * 4))
    assert bool(found.attended.all())
    assert found.correct == 0
    assert found.accuracy == 0.0
    assert found.gaps.tolist() == [math.inf] * 4
    assert found.least_inverse_temperature == math.inf


def test_temperatures_can_be_left_out():
    drawn = draw("attention", task(), d=60)
    whole, brief = certify(drawn), certify(drawn, temperatures=False)
    assert torch.equal(whole.margins, brief.margins)
    assert brief.inverse_temperatures is None
    assert torch.equal(brief.certified_at(math.inf), whole.certified)
    for ask in (lambda: brief.certified_at(3.0), lambda: brief.least_inverse_temperature):
        with pytest.raises(InputError, match=r"temperatures = False left them out"):
            ask()


def test_arguments_that_do_not_fit_are_refused():
    drawn = draw("attention", task(), d=20)
    with pytest.raises(InputError, match=r"block\[1\] = 0 is too small"):
        certify(drawn, block=(1, 0))
    fewer = Construction(drawn.transformer, drawn.embeddings, drawn.task, drawn.heads[1:])
    with pytest.raises(InputError, match=r"heads names 2 groups for H = 3 heads"):
        certify(fewer)


@pytest.mark.parametrize("facts", [1, 3, 6])
def test_only_the_facts_of_the_table_count(facts):
    of = task(3, 3, 2, facts=facts)
    drawn = draw("attention", of, d=300, d_h=200, tokens_per_head=1)
    found = certify(drawn)
    assert found.total == facts == len(found.margins)
    assert found.complete
    assert all(right == total for right, total in recalled(drawn))


def test_a_thousand_facts_of_model_size_are_all_certified():
    of = FactualRecall(FactTable.random(32, 32, 8, seed=0), noise=64, T=16)
    drawn = AttentionOnly.sample(of, d=2000, d_h=500, tokens_per_head=8, seed=1)
    found = certify(drawn)
    assert found.complete
    assert bool(found.intended.all())
    assert found.least_inverse_temperature < 40
    with_mlp = AttentionMLP.sample(
        FactualRecall(FactTable.random(16, 16, 4, seed=0), noise=32, T=16),
        d=513,
        d_h=128,
        m=2000,
        tokens_per_head=4,
        activation=SQUARE,
        seed=1,
    )
    assert certify(with_mlp).complete


def test_pairs_of_facts_in_all_orders_are_certified_alike():
    # The order of facts in a table plays no part: the certificate follows the tokens.
    of = task(2, 2, 2)
    found = certify(draw("attention", of, d=40))
    for order in itertools.permutations(range(2)):
        again = FactTable(of.table.answers[list(order)], A=of.table.A)
        drawn = draw("attention", of, d=40)
        phi = drawn.embeddings.clone()
        phi[:2] = phi[list(order)]
        swapped = FactualRecall(again, noise=2, T=4)
        moved = certify(Construction(drawn.transformer, phi, swapped, drawn.heads))
        assert torch.allclose(moved.margins.view(2, 2), found.margins.view(2, 2)[list(order)])
