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
from numerics.constructions.keys import denoising_vector, fill_keys
from numerics.constructions.reach import largest_images, largest_scores, product_error

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
@pytest.mark.parametrize("kind", ["attention", "mlp", "random"])
def test_leads_and_margins_are_those_of_rational_arithmetic(kind, dtype):
    of = task(2, 2, 2, noise=1, T=4)
    sizes = {} if kind == "attention" else {"m": 5, "activation": "relu"}
    drawn = draw(
        "attention" if kind == "attention" else "mlp", of, d=9, d_h=2, dtype=dtype, H=9, **sizes
    )
    if kind == "random":
        # EOS has an output, and heads that look for nothing attend all the same.
        model = OneLayerTransformer(9, 9, 2, 5, activation="relu", seed=2, dtype=dtype)
        with torch.no_grad():
            model.W_O[-1] = 0
        drawn = Construction(model, drawn.embeddings, of, drawn.heads)
    found = certify(drawn)
    model, d = drawn.transformer, 9
    phi = fractions(drawn.embeddings)
    W = {name: fractions(part) for name, part in model.named_parameters()}

    def scores(h):
        query = [dot(row, phi[of.eos]) for row in W["W_Q"][h]]
        key = combined(query, W["W_K"][h], d)
        return [dot(key, z) for z in phi]

    table = [scores(h) for h in range(model.H)]
    active = [h for h in range(model.H) if bool(model.W_O[h].any())]
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
        if kind != "attention":
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


def widened(drawn, change, *, rows=0):
    """The same map in one dimension and `rows` head dimensions more, then changed in these.

    change(model, phi) writes into the new weights and coordinates, all zero.
    """
    old, d = drawn.transformer, drawn.transformer.d
    model = OneLayerTransformer(
        d + 1, old.H, old.d_h + rows, old.m, activation=old.activation, inverse_temperature=math.inf
    )
    phi = torch.cat([drawn.embeddings, torch.zeros_like(drawn.embeddings[:, :1])], dim=1)
    with torch.no_grad():
        for name in ("W_K", "W_Q", "W_V", "W_O"):
            getattr(model, name)[:, : old.d_h, :d] = getattr(old, name)
        for name in ("W", "V"):
            getattr(model, name)[:, :d] = getattr(old, name)
        change(model, phi)
    return Construction(model, phi, drawn.task, drawn.heads)


def image_reaches(drawn):
    """The greatest |<phi(b), W_O^T W_V phi(z)>| of each head, over all b and all z in contexts."""
    phi, model = drawn.embeddings, drawn.transformer
    with torch.no_grad():
        values = [
            phi @ W_O.T @ W_V @ phi[contexts_by_hand(drawn.task)].T
            for W_V, W_O in zip(model.W_V, model.W_O, strict=True)
        ]
    return torch.stack([value.abs().max() for value in values])


def head_norms(model):
    """|W_h|_F of each head, by the name of the weights."""
    names = ("W_K", "W_Q", "W_V", "W_O")
    return {name: getattr(model, name).detach().flatten(1).norm(dim=1) for name in names}


def gamma(n):
    return n * 2.0**-53 / (1 - n * 2.0**-53)


def test_bounds_are_those_of_the_formulas():
    of = task(2, 2, 2, noise=2, T=4)
    drawn = with_loud_noise(draw("attention", of, d=40, d_h=20, tokens_per_head=1))
    model, phi = drawn.transformer, drawn.embeddings
    found = certify(drawn)
    sizes = head_norms(model)
    largest = float(phi.norm(dim=1).max())
    assert largest > 5
    lead = 2 * gamma(2 * 40 + 20 + 2) * (sizes["W_K"] * sizes["W_Q"]).max() * largest**2
    assert found.rounding_bound[0] == pytest.approx(float(lead), rel=2e-3)
    # F_MHSA, then a score against the vocabulary; the images are no longer than the radius' factors.
    radius = gamma(40 + 20 + 4 * 4 + 2) * float((sizes["W_V"] * sizes["W_O"]).sum()) * largest
    with torch.no_grad():
        for i, (s, r, _) in enumerate(of.fact_tokens.tolist()):
            attended = phi[meant(drawn, s, r)].unsqueeze(1)
            x = torch.einsum("hxd,hkd,hke->xe", attended, model.W_V, model.W_O)[0]
            bound = 2 * largest * (radius + gamma(41) * float(x.norm()))
            assert float(found.bounds[i]) == pytest.approx(bound, rel=4e-3)


def test_heads_whose_images_cancel_are_known_up_to_their_rounding():
    of = task(1, 1, 2, noise=0, T=3)
    embeddings = sample_sphere(of.vocabulary, 6, stream=Stream(1))
    model = OneLayerTransformer(6, 2, 3, seed=2, inverse_temperature=math.inf)
    with torch.no_grad():
        model.W_K[1], model.W_Q[1] = model.W_K[0], model.W_Q[0]
        model.W_V *= 1e6
        model.W_V[1] = 3 * model.W_V[0]
        model.W_O[1] = -model.W_O[0] / 3
    found = certify(Construction(model, embeddings, of, ((), ())))
    phi, W = fractions(embeddings), {name: fractions(p) for name, p in model.named_parameters()}
    ((s, r, a),) = of.fact_tokens.tolist()
    key = combined([dot(row, phi[of.eos]) for row in W["W_Q"][0]], W["W_K"][0], 6)
    z = max((s, r, of.eos), key=lambda z: dot(key, phi[z]))
    images = [combined([dot(row, phi[z]) for row in W["W_V"][h]], W["W_O"][h], 6) for h in (0, 1)]
    image = [x + y for x, y in zip(*images, strict=True)]
    scores = [dot(image, other) for other in phi]
    exact = scores[a] - max(score for token, score in enumerate(scores) if token != a)
    error, length = abs(float(found.margins[0] - float(exact))), math.sqrt(dot(image, image))
    assert max(map(abs, images[0])) > 1e5
    # What is left is rounding, of which only that of F_MHSA is as large.
    assert 1e-12 < error <= float(found.bounds[0]) < 1e-6
    assert error > 100 * 2 * gamma(7) * length


@pytest.mark.parametrize("size", [1e-200, 1e-160, 1.0, 1e100])
def test_products_of_heads_err_by_gamma_and_what_underflows(size):
    left, right = (size * torch.ones(2, 3, 4, dtype=torch.float64) for _ in range(2))
    right[1] = 0
    norm, tiny = size * 12**0.5, 2.0**-1022
    found = product_error(left, right, 11, 2.0, torch.tensor(5.0)).tolist()
    for bound, other in zip(found, (norm, 0.0), strict=True):
        underflow = 4 * tiny * 11**1.5 * (1 + norm) * (1 + other) * 3 * 6
        expected = gamma(11) * norm * other * 10 + underflow
        assert bound == pytest.approx(expected, rel=2e-3, abs=0)
        assert bound >= expected > 0


def test_what_underflows_is_not_certified():
    of = task(2, 2, 2)
    good = draw("attention", of, d=300, d_h=150, tokens_per_head=1)
    for part, size in (("W_V", 1e-310), ("W_K", 1e-312)):
        model = copy.deepcopy(good.transformer)
        with torch.no_grad():
            getattr(model, part).mul_(size)
        found = certify(Construction(model, good.embeddings, of, good.heads))
        assert found.correct == 0
        assert found.rounding_bound[part == "W_V"] > 1e-307


def test_reaches_cover_their_own_rounding():
    drawn = draw("attention", task(), d=20)

    def long_values(model, phi):
        model.W_V[:, 0, -1] = torch.tensor([1e15, 0.0, 3e15])

    plain, wide = drawn, widened(drawn, long_values)
    model, phi = wide.transformer, wide.embeddings
    with torch.no_grad():
        norms = [part.flatten(1).norm(dim=1) for part in (model.W_V, model.W_O)]
        error = gamma(2 * 21 + 10) * norms[0] * norms[1]
        assert float(error[0]) > 1
        for largest, arguments in ((largest_scores, (phi, phi)), (largest_images, (phi,))):
            before = largest(plain.transformer, *(part[:, :-1] for part in arguments), (7, 5))
            found = largest(model, *arguments, (7, 5))
            assert torch.allclose(found - before, error * (error > 1e-3), rtol=2e-3, atol=1e-12)


@pytest.mark.parametrize("T", [3, 6])
def test_temperatures_come_from_what_rounding_leaves_of_leads_and_margins(T):
    of = task(2, 2, 2, noise=2, T=T)
    plain = draw("attention", of, d=150, d_h=120, tokens_per_head=1)
    exact = certify(plain)

    def rounded(keys, values):
        def change(model, phi):
            model.W_K[:, 0, -1] = keys
            model.W_V[:, 0, -1] = values

        return widened(plain, change)

    # Sizes that take a third of the least lead and a third of the least margin.
    probe = certify(rounded(1e10, 1e8))
    keys = 1e10 * float(exact.leads.min()) / 3 / probe.rounding_bound[0]
    values = 1e8 * float(exact.margins.min()) / 3 / probe.rounding_bound[1]
    drawn = rounded(keys, values)
    found = certify(drawn)
    assert found.complete
    model, reach = drawn.transformer, image_reaches(drawn)
    sizes = head_norms(model)
    bounds = 2 * gamma(2 * 151 + 120 + 2) * sizes["W_K"] * sizes["W_Q"]
    reach += gamma(2 * 151 + 120) * sizes["W_V"] * sizes["W_O"]
    for i, (s, r, _) in enumerate(of.fact_tokens.tolist()):
        leads, margin = leads_by_hand(drawn, s, r), float(found.margins[i])
        beta = float(found.inverse_temperatures[i])
        moved = 4 * (T - 1) * reach @ torch.exp(-beta * (leads - bounds))
        assert float(bounds.max()) > float(leads.min()) / 20
        assert float(found.bounds[i]) > margin / 20
        # An error of 0.2 percent in a bound moves exp(-beta lead) by a few percent.
        assert float(moved) == pytest.approx(margin - float(found.bounds[i]), rel=0.05)
        assert beta > 1.02 * float(exact.inverse_temperatures[i])


def with_speaking_eos(drawn, size):
    """Every head that attends to EOS lowers one noise token by `size`, which no other token does."""

    def change(model, phi):
        phi[drawn.task.noise_tokens[0], -1] = 1.0
        eos = phi[drawn.task.eos, :-1]
        others = phi[:, :-1].clone()
        others[drawn.task.eos] = 0
        # A reader of EOS that is blind to all other tokens.
        reader = eos - torch.linalg.lstsq(others.T, eos.unsqueeze(1)).solution.T[0] @ others
        model.W_V[:, -1, :-1] = reader / (reader @ eos)
        model.W_O[:, -1, -1] = -size

    return widened(drawn, change, rows=1)


@pytest.mark.parametrize("T", [3, 4])
def test_an_eos_that_speaks_counts_in_margins_and_temperatures(T):
    of = task(2, 2, 2, noise=2, T=T)
    plain = draw("attention", of, d=150, d_h=120, tokens_per_head=1)
    quiet, drawn = certify(plain), with_speaking_eos(plain, 50.0)
    found = certify(drawn)
    assert found.complete
    reach = image_reaches(drawn)
    assert torch.allclose(reach, torch.full((4,), 50.0).double())
    for i, (s, r, _) in enumerate(of.fact_tokens.tolist()):
        beta = float(found.inverse_temperatures[i])
        moved = 4 * (T - 1) * reach @ torch.exp(-beta * leads_by_hand(drawn, s, r))
        assert float(moved) == pytest.approx(float(found.margins[i]), rel=2e-3)
    assert bool((found.inverse_temperatures > quiet.inverse_temperatures).all())
    # The other way round the noise token wins in every context, and the margins say by how much.
    found = certify(with_speaking_eos(plain, -50.0))
    assert float((found.margins + 100).abs().max()) < 10
    assert all(right == 0 for right, _ in recalled(with_speaking_eos(plain, -50.0)))


@pytest.mark.parametrize("T", [3, 4, 6])
def test_without_an_mlp_the_temperature_solves_the_stated_inequality(T):
    of = task(2, 2, 2, noise=2, T=T)
    drawn = with_loud_noise(draw("attention", of, d=150, d_h=120, tokens_per_head=1))
    found = certify(drawn)
    assert found.complete
    reach = image_reaches(drawn)
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
        found = readout.value(x)
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


def test_the_error_of_an_mlp_holds_the_rounding_of_its_sum():
    m = 3000
    model = OneLayerTransformer(2, 1, 1, m, activation="relu", seed=1)
    x = sample_sphere(5, 2, stream=Stream(2))
    with torch.no_grad():
        found = _Readout(model).error(x, torch.zeros(5, dtype=torch.float64))
        neurons, sizes = (x @ model.W.T).abs(), model.V.norm(dim=1)
        values = torch.relu(x @ model.W.T) @ sizes
        # The m products and sums, what <w_i, x> is off by, and the sum with x.
        expected = gamma(m + 3) * values + gamma(3) * (model.W.norm(dim=1) @ sizes) + gamma(2)
        assert torch.allclose(found, expected, rtol=1e-2, atol=0)
        assert bool((gamma(m + 3) * values > 0.9 * expected).all())
        assert float(neurons.max()) > 0


@pytest.mark.parametrize("activation", ["relu", SQUARE])
@pytest.mark.parametrize("scale", [1e3, 1e9, 1e30])
def test_every_certified_fact_has_a_finite_temperature(activation, scale):
    of = FactualRecall(FactTable.injective(2, 2), noise=1, T=4)
    sizes = {"d": 201, "d_h": 100, "m": 2000, "tokens_per_head": 1, "scale": scale}
    drawn = draw("mlp", of, activation=activation, **sizes)
    found = certify(drawn)
    assert found.complete
    assert found.least_inverse_temperature < 40
    # The size of the readout moves margins and errors alike.
    assert found.least_inverse_temperature == pytest.approx(
        certify(
            draw("mlp", of, activation=activation, **sizes | {"scale": 2 * scale})
        ).least_inverse_temperature,
        abs=1,
    )


@pytest.mark.parametrize("activation", ["relu", SQUARE])
@pytest.mark.parametrize("size", [1e-60, 1e60])
def test_the_size_of_what_heads_hand_over_does_not_matter(activation, size):
    of = FactualRecall(FactTable.injective(2, 2), noise=1, T=4)
    drawn = draw("mlp", of, d=201, d_h=100, m=2000, tokens_per_head=1, activation=activation)
    model = copy.deepcopy(drawn.transformer)
    with torch.no_grad():
        model.W_O *= size
        model.W /= size
        model.V *= max(size, 1.0)
    changed = Construction(model, drawn.embeddings, of, drawn.heads)
    one, other = certify(drawn), certify(changed)
    assert one.complete
    assert other.complete
    assert torch.allclose(one.inverse_temperatures, other.inverse_temperatures, rtol=0, atol=2)


@pytest.mark.parametrize("share", [0.5, 0.9, 0.999])
def test_a_margin_little_above_its_bound_has_a_finite_temperature(share):
    of = task(2, 2, 2, noise=1, T=4)
    sizes = {"d": 101, "d_h": 50, "m": 3000, "tokens_per_head": 1}
    plain = draw("mlp", of, **sizes)

    def rounded(size):
        return certify(widened(plain, lambda model, phi: model.W_V[:, 0, -1].fill_(size)))

    size, best = 1e6, int(rounded(0.0).margins.argmax())
    for _ in range(12):
        found = rounded(size)
        size *= share * float(found.margins[best] / found.bounds[best])
    found = rounded(size)
    assert float(found.bounds[best]) == pytest.approx(share * float(found.margins[best]), rel=1e-4)
    assert bool(found.certified[best])
    assert 10 < float(found.inverse_temperatures[best]) < 100
    assert torch.equal(torch.isfinite(found.inverse_temperatures), found.certified)


def test_facts_and_neurons_are_taken_in_parts(monkeypatch, largest):
    sizes = {"d": 41, "d_h": 20, "m": 500, "tokens_per_head": 2, "keys": "interpolating"}
    drawn = draw("mlp", task(12, 12, 2), **sizes)
    whole = certify(drawn)
    assert whole.correct > 0
    monkeypatch.setattr("numerics.constructions.certificate._ENTRIES", 1500)
    model = drawn.transformer
    own = max(part.numel() for part in (model.W, model.V, model.W_K, drawn.embeddings))
    with largest:
        parts = certify(drawn)
    assert largest.entries <= own + 500 < 144 * 500
    for name in ("margins", "bounds", "inverse_temperatures"):
        assert torch.allclose(getattr(parts, name), getattr(whole, name), rtol=1e-9)


# What heads are for


def test_a_token_may_be_in_the_groups_of_several_heads():
    of = FactualRecall(FactTable([[0, 2], [1, 3]]), noise=2, T=4)
    drawn = draw("attention", of, d=200, tokens_per_head=2, keys="interpolating", H=3)
    eos, model = drawn.embeddings[of.eos], copy.deepcopy(drawn.transformer)
    groups = ((0, 1), (1,), (2, 3))
    with torch.no_grad():
        model.W_V[2], model.W_O[2] = model.W_V[1], model.W_O[1]
        model.W_V[:2], model.W_O[:2] = model.W_V[0].clone(), model.W_O[0].clone() / 2
        for h, tokens in enumerate(groups):
            v = denoising_vector(drawn.embeddings[list(tokens)], eos, "interpolating")
            fill_keys(model, h, v, eos)
    orders = list(itertools.permutations(range(3)))
    for order in orders:
        moved = copy.deepcopy(model)
        with torch.no_grad():
            for part, old in zip(moved.parameters(), model.parameters(), strict=True):
                if part.dim() == 3:
                    part.copy_(old[list(order)])
        heads = tuple(groups[h] for h in order)
        found = certify(Construction(moved, drawn.embeddings, of, heads))
        assert bool(found.intended.all())
        assert bool(found.attended.all())
        leads = torch.stack(
            [
                leads_by_hand(Construction(moved, drawn.embeddings, of, heads), s, r)
                for s, r, _ in of.fact_tokens.tolist()
            ]
        )
        assert torch.allclose(found.gaps, leads.amin(dim=0))
        assert found.least_gap > 0.1


def test_a_head_for_subject_and_relation_is_made_for_the_one_ahead():
    of = FactualRecall(FactTable([[0]]), noise=1, T=4)
    model = OneLayerTransformer(5, 1, 1, seed=0, inverse_temperature=math.inf)
    phi = torch.eye(5, dtype=torch.float64)
    with torch.no_grad():
        model.W_Q[0, 0] = phi[of.eos]
    for scores, gap in (((3.0, 1.0, 0.5), 2.0), ((1.0, 3.0, 0.5), 2.0), ((1.0, 0.5, 3.0), -2.0)):
        with torch.no_grad():
            model.W_K[0, 0] = 0.0
            model.W_K[0, 0, [0, 1, of.eos]] = torch.tensor(scores, dtype=torch.float64)
        found = certify(Construction(model, phi, of, ((0, 1),)))
        assert found.gaps.tolist() == [gap]
        assert bool(found.intended[0]) == (gap > 0)
        assert bool(found.attended[0])


# What is said of the module itself


def test_the_temperature_it_was_built_with_is_known_and_shown():
    of = task(2, 2, 2, noise=2, T=4)
    sizes = {"d": 150, "d_h": 120, "tokens_per_head": 1}
    hard, warm, cold = (
        draw("attention", of, inverse_temperature=beta, **sizes) for beta in (math.inf, 1.0, 1e3)
    )
    found = certify(hard)
    assert found.inverse_temperature == math.inf
    assert bool(found.certified_as_built.all())
    assert repr(found).startswith(
        "Certificate(4 of 4 facts under hard attention; T=4, least margin"
    )
    found = certify(warm)
    assert found.complete
    assert not bool(found.certified_as_built.any())
    assert "4 of 4 facts under hard attention, of which 0 at its inverse temperature 1;" in repr(
        found
    )
    noisy = FactualRecall(of.table, noise=50, T=64)
    warm = draw("attention", noisy, inverse_temperature=1.0, **sizes)
    found = certify(warm)
    assert found.complete
    assert not bool(found.certified_as_built.any())
    *contexts, answers = noisy.sample(100, seed=1).split([noisy.T, 1], dim=1)
    assert not torch.equal(warm.answer(contexts[0]), answers.squeeze(1))
    found = certify(cold)
    assert bool(found.certified_as_built.all())
    assert "of which 4 at its inverse temperature 1000;" in repr(found)
    brief = certify(warm, temperatures=False)
    assert "of which an unknown number at its inverse temperature 1;" in repr(brief)
    with pytest.raises(InputError, match=r"temperatures = False left them out"):
        brief.certified_as_built  # noqa: B018


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
    with pytest.raises(InputError, match=r"construction is a OneLayerTransformer: pass a Constr"):
        certify(drawn.transformer)
    with pytest.raises(InputError, match=r"block\[1\] = 0 is too small"):
        certify(drawn, block=(1, 0))
    for block in ((1,), (1, 2, 3), 5):
        with pytest.raises(InputError, match=r"block = .* is no pair"):
            certify(drawn, block=block)
    found = certify(drawn)
    for beta in (0, -1.0, math.nan):
        with pytest.raises(InputError, match=r"inverse_temperature = .* is not positive"):
            found.certified_at(beta)
    with pytest.raises(InputError, match=r"inverse_temperature = 'hot' is not a number"):
        found.certified_at("hot")


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
