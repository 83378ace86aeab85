"""Both constructions: every weight against its formula; sizes that do not fit; experiments."""

import itertools
import math
from collections.abc import Mapping
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from numerics import (
    AttentionMLP,
    AttentionOnly,
    FactTable,
    FactualRecall,
    InputError,
    Stream,
    certify,
    sample_gaussian,
    sample_sphere,
)
from numerics.constructions import Construction
from numerics.constructions.attention_mlp import wick_power
from numerics.constructions.attention_only import answer_sums, value_factors
from numerics.constructions.certificate import certify_many
from numerics.constructions.keys import denoising_vector, partition
from numerics.contracts import ConstructionContract
from numerics.draws import lost_tables
from numerics.draws.construction_recall import FAULTS, failures, sample, trade_off
from numerics.memories.activations import Activation

DTYPES = [torch.float32, torch.float64]
SQUARE = [0.0, 0.0, 1.0]  # h_2
ATTENTION = {"S": 3, "R": 3, "D": 2, "d": 40, "d_h": 20, "tokens_per_head": 2}
WITH_MLP = ATTENTION | {"d": 41, "m": 500, "activation": SQUARE}


def task(S=5, R=3, D=2, *, noise=2, T=4, facts=None):
    table = FactTable.random(S, R, D, seed=0)
    return FactualRecall(table if facts is None else table.subset(facts, seed=1), noise=noise, T=T)


def attention_only(of=None, **choices):
    choices: Mapping[str, Any] = {"d": 9, "tokens_per_head": 2, "d_h": 4, "seed": 3} | choices
    return AttentionOnly.sample(of or task(), **choices)


def attention_mlp(of=None, **choices):
    choices: Mapping[str, Any] = {
        "d": 9,
        "tokens_per_head": 2,
        "d_h": 3,
        "m": 6,
        "seed": 3,
    } | choices
    return AttentionMLP.sample(of or task(), **choices)


def product(model, left, right, h):
    return (getattr(model, left)[h].T @ getattr(model, right)[h]).detach()


# Keys


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, 10))
def test_the_partition_covers_each_token_once_in_groups_of_one_kind(S, R, M):
    of = task(S, R)
    groups = partition(of, M)
    assert len(groups) == math.ceil(S / M) + math.ceil(R / M)
    assert sorted(itertools.chain(*groups)) == [*of.subjects, *of.relations]
    for tokens in groups:
        assert 1 <= len(tokens) <= M
        assert all(z in of.subjects for z in tokens) or all(z in of.relations for z in tokens)


@pytest.mark.parametrize("make", [attention_only, attention_mlp])
def test_interpolating_keys_and_queries_are_of_rank_one_and_hold_the_denoising_vector(make):
    drawn = make(keys="interpolating", H=None)
    phi, eos = drawn.embeddings, drawn.embeddings[drawn.task.eos]
    for h, tokens in enumerate(drawn.heads):
        assert drawn.transformer.key_query_rank(h) == 1
        scores = phi @ product(drawn.transformer, "W_K", "W_Q", h) @ eos
        for z in tokens:
            assert float(scores[z]) == pytest.approx(1.0)
        assert float(scores[drawn.task.eos]) == pytest.approx(0.5)


def test_the_interpolating_key_is_the_shortest_one():
    rows = sample_sphere(4, 7, stream=Stream(1))
    v = denoising_vector(rows[:3], rows[3], "interpolating")
    targets = torch.tensor([1.0, 1.0, 1.0, 0.5], dtype=torch.float64)
    assert torch.allclose(v, torch.linalg.pinv(rows) @ targets)


def test_keys_that_do_not_exist_are_refused():
    with pytest.raises(InputError, match=r"tokens_per_head to 3"):
        denoising_vector(torch.eye(4, dtype=torch.float64), torch.ones(4).double(), "interpolating")
    rows = torch.eye(4, dtype=torch.float64)
    with pytest.raises(InputError, match=r"linearly dependent"):
        denoising_vector(rows[[0, 0]], rows[1], "interpolating")


# Attention only


def literal_values(drawn, h, W_V):
    """(d/d_h) sum_z sum_{a in A_z} phi(a) phi(z)^T sum_i w_i w_i^T, one term at a time."""
    of, phi = drawn.task, drawn.embeddings.double()
    d, d_h = phi.shape[1], len(W_V)
    total = torch.zeros(d, d, dtype=torch.float64)
    for z in drawn.heads[h]:
        answers = {a for s, r, a in of.fact_tokens.tolist() if z in (s, r)}
        for a in answers:
            for w in W_V:
                total += (d / d_h) * torch.outer(phi[a], phi[z]) @ torch.outer(w, w)
    return total


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("factors", ["independent", "orthonormal"])
@pytest.mark.parametrize("facts", [None, 4])
def test_values_are_the_sum_over_answers_and_factors(factors, facts, dtype):
    drawn = attention_only(task(facts=facts), factors=factors, dtype=dtype)
    tolerance = 1e-12 if dtype == torch.float64 else 1e-5
    eos = drawn.embeddings[drawn.task.eos].double()
    assert drawn.transformer.W_V.dtype == dtype
    for h in range(drawn.transformer.H):
        W_V = drawn.transformer.W_V[h].detach().double()
        assert torch.allclose((W_V @ W_V.T).diagonal(), torch.ones(4).double(), atol=tolerance)
        assert float((W_V @ eos).abs().max()) <= tolerance
        found = product(drawn.transformer, "W_O", "W_V", h).double()
        assert torch.allclose(found, literal_values(drawn, h, W_V), atol=10 * tolerance)
        assert drawn.transformer.output_value_rank(h) <= 4
        if factors == "orthonormal":
            assert torch.allclose(W_V @ W_V.T, torch.eye(4).double(), atol=tolerance)


def test_heads_do_not_share_their_factors():
    W_V = attention_only(d=30, d_h=10).transformer.W_V.detach()
    for one, other in itertools.combinations(W_V, 2):
        assert not bool((one == other).any())
        assert float((one @ other.T).abs().max()) < 0.9


def test_answers_are_summed_in_float64_whatever_the_embeddings():
    of = FactualRecall(FactTable.injective(1, 40), noise=0, T=3)
    phi = sample_sphere(of.vocabulary, 9, stream=Stream(1), dtype=torch.float32)
    found = answer_sums(of, (0,), phi)
    assert found.dtype == torch.float64
    exact = phi[list(of.answers)].double()
    assert torch.allclose(found, exact.sum(dim=0, keepdim=True), rtol=0, atol=1e-14)
    assert not torch.allclose(found, exact.float().sum(dim=0).double(), rtol=0, atol=1e-14)


def test_factors_are_uniform_off_eos():
    eos = sample_sphere(1, 5, stream=Stream(2))[0]
    inside = torch.eye(5).double() - torch.outer(eos, eos)
    for factors in ("independent", "orthonormal"):
        rows = torch.cat(
            [value_factors(4, eos, factors, stream=Stream(i, "factors")) for i in range(2000)]
        )
        assert float((rows @ eos).abs().max()) < 1e-12
        # Entries of w w^T are at most 1, so a mean over 8000 is within 6/sqrt(8000) but for 1e-8.
        assert float((rows.T @ rows / len(rows) - inside / 4).abs().max()) < 6 / 8000**0.5
        assert float(rows.mean(dim=0).abs().max()) < 6 / 8000**0.5
    full = value_factors(4, eos, "orthonormal", stream=Stream(7))
    assert torch.allclose(full.T @ full, inside)


# Attention and MLP


def hermite_tensor(w, n):
    """He_n(w): the entries (i_1, ..., i_n) by He_{n+1} = Sym(w He_n) less the pairings, n <= 3."""
    identity = torch.eye(len(w), dtype=w.dtype)
    if n == 2:
        return torch.outer(w, w) - identity
    assert n == 3
    cube = torch.einsum("i,j,k->ijk", w, w, w)
    for pattern in ("ij,k->ijk", "ik,j->ijk", "jk,i->ijk"):
        cube = cube - torch.einsum(pattern, identity, w)
    return cube


def subspaces(drawn):
    """Pi_P and Pi_Q: what the heads of the first group of subjects and of relations add up to."""
    model, heads = drawn.transformer, drawn.heads
    groups = dict.fromkeys(tokens for tokens in heads if tokens)
    totals = {
        tokens: sum(
            product(model, "W_O", "W_V", h) for h in range(len(heads)) if heads[h] == tokens
        )
        for tokens in groups
    }
    found = []
    for kind in (drawn.task.subjects, drawn.task.relations):
        same = [total for tokens, total in totals.items() if tokens[0] in kind]
        for total in same:
            assert torch.allclose(total, same[0])
        found.append(same[0])
    return found


@pytest.mark.parametrize("d", [3, 4, 9, 10])
@pytest.mark.parametrize("d_h", [1, 3])
def test_heads_add_up_to_projections_on_two_subspaces_off_eos(d, d_h):
    drawn = attention_mlp(d=d, d_h=d_h, m=2)
    P, Q = subspaces(drawn)
    dimension = (d - 1) // 2
    eos = drawn.embeddings[drawn.task.eos]
    assert (3 + 2) * math.ceil(dimension / d_h) == drawn.transformer.H
    for projection in (P, Q):
        assert torch.allclose(projection @ projection, projection)
        assert torch.allclose(projection, projection.T)
        assert float(projection.trace()) == pytest.approx(dimension)
        assert float((projection @ eos).abs().max()) < 1e-14
    assert float((P @ Q).abs().max()) < 1e-14


@pytest.mark.parametrize(
    ("p", "k", "activation", "sign"),
    [
        (1, 1, "relu", 1),
        (1, 1, [0.0, 1.0, -1.0], -1),
        (2, 1, "tanh", -1),
        (1, 2, "sin", -1),
        (1, 2, [0.0, 0.0, 0.0, 2.0], 1),
    ],
)
def test_readouts_are_contractions_of_the_hermite_tensor(p, k, activation, sign, monkeypatch):
    of = task(facts=9)
    choices: Mapping[str, Any] = {"p": p, "k": k, "activation": activation, "scale": 3.0}
    drawn = attention_mlp(of, **choices)
    P, Q = subspaces(drawn)
    phi = drawn.embeddings
    expected = torch.zeros_like(drawn.transformer.V)
    for i, w in enumerate(drawn.transformer.W.detach()):
        tensor = hermite_tensor(w, p + k)
        for s, r, a in of.fact_tokens.tolist():
            value = tensor
            for vector in [P @ phi[s]] * p + [Q @ phi[r]] * k:
                value = value @ vector
            expected[i] += sign * (3.0 / 6) * value * phi[a]
    assert torch.allclose(drawn.transformer.V, expected)
    monkeypatch.setattr("numerics.constructions.attention_mlp._ENTRIES", 13)
    assert torch.allclose(attention_mlp(of, **choices).transformer.V, expected)


def test_neurons_and_subspaces_have_streams_of_their_own():
    drawn = attention_mlp(d=9, d_h=4, m=6)
    hidden = sample_gaussian(6, 9, stream=Stream(3, "hidden"))
    assert torch.equal(drawn.transformer.W.detach(), hidden)
    # The subspaces are spanned by other Gaussian rows, off EOS.
    rows = sample_gaussian(8, 9, stream=Stream(3, "subspaces"))
    eos = drawn.embeddings[drawn.task.eos]
    rows = rows - torch.outer(rows @ eos, eos)
    P, Q = subspaces(drawn)
    assert torch.allclose(P @ rows[:4].T, rows[:4].T)
    assert float((Q @ rows[:4].T).abs().max()) < 1e-12


def test_wick_powers_are_hermite_polynomials_made_homogeneous():
    x = torch.linspace(-2, 2, 9, dtype=torch.float64).unsqueeze(1)
    for n in range(1, 6):
        h = Activation.hermite([0.0] * n + [math.sqrt(math.factorial(n))]).value
        for size in (0.0, 0.3, 1.0, 2.0):
            found = wick_power(size * x, torch.tensor([size**2], dtype=torch.float64), n)
            assert torch.allclose(found, size**n * h(x), atol=1e-12)


def test_the_default_scale_makes_the_mean_margin_eight():
    of = FactualRecall(FactTable.injective(1, 1), noise=0, T=3)
    for activation, c in (("relu", (2 * math.pi) ** -0.5), (SQUARE, 2**0.5)):
        given_scale = attention_mlp(of, activation=activation, scale=8 * 4 / c)
        default = attention_mlp(of, activation=activation)
        assert torch.allclose(default.transformer.V, given_scale.transformer.V, rtol=0.05)
    margins = []
    for seed in range(20):
        drawn = attention_mlp(of, activation=SQUARE, d=41, m=4000, d_h=20, seed=seed)
        x = drawn.embeddings[[0, 1, of.eos]].unsqueeze(0)
        added = drawn.transformer(x) - drawn.transformer.mhsa(x)
        margins.append(float((added @ drawn.embeddings[2]).detach()))
    assert sum(margins) / len(margins) == pytest.approx(8.0, rel=0.25)


def test_hard_attention_hands_over_both_projections():
    drawn = attention_mlp(d=201, d_h=100, keys="interpolating")
    P, Q = subspaces(drawn)
    phi, model = drawn.embeddings, drawn.transformer
    for s, r, _ in drawn.task.fact_tokens.tolist():
        context = torch.tensor([drawn.task.noise_tokens[0], r, s, drawn.task.eos])
        x = model.mhsa(phi[context].unsqueeze(0))[0]
        assert torch.allclose(x, P @ phi[s] + Q @ phi[r], atol=1e-10)


@pytest.mark.parametrize("size", [1e-200, 1e-12, 1.0, 1e100])
def test_an_activation_is_known_at_any_size(size):
    of = FactualRecall(FactTable.injective(1, 1), noise=0, T=3)
    plain, sized = (attention_mlp(of, activation=[0.0, 0.0, s]) for s in (1.0, size))
    assert torch.allclose(sized.transformer.V * size, plain.transformer.V)
    for activation in ([0.0, size], [size, 0.0, 1e-12 * size], [0.0]):
        with pytest.raises(InputError, match=r"E sigma\^\(2\)\(Z\) = 0"):
            attention_mlp(of, activation=activation)


@pytest.mark.parametrize("scale", [1e100, None])
def test_a_readout_that_overflows_is_refused(scale):
    tiny = [0.0, 0.0, 1e-100]
    with pytest.raises(InputError, match=r"scale = .* makes V overflow torch.float32: lower scale"):
        attention_mlp(scale=scale, activation=tiny, dtype=torch.float32)


# The contract


def key_queries(drawn):
    """v_h phi(EOS)^T, v_h = sum_z phi(z) + phi(EOS)/2, for each head."""
    phi = drawn.embeddings.double()
    eos = phi[drawn.task.eos]
    for h, tokens in enumerate(drawn.heads):
        v = sum((phi[z] for z in tokens), start=eos / 2)
        yield f"W_KQ[{h}]", product(drawn.transformer, "W_K", "W_Q", h), torch.outer(v, eos)


class TestAttentionOnly(ConstructionContract):
    builder = AttentionOnly
    d = 9
    choices: Mapping[str, Any] = {"tokens_per_head": 2, "d_h": 4}
    tried: Mapping[str, Any] = {"d": 40, "d_h": 20}
    faults = tuple(FAULTS["attention"])
    wrong = (
        ({"d_h": 9, "factors": "orthonormal"}, "lower d_h to 8"),
        ({"d": 1, "d_h": 1}, "take d of at least 2"),
        ({"factors": "gaussian"}, "factors = 'gaussian' is not known"),
        ({"inverse_temperature": 1e39, "dtype": torch.float32}, "overflows torch.float32"),
    )

    def weights(self, drawn):
        yield from key_queries(drawn)
        for h in range(drawn.transformer.H):
            W_V = drawn.transformer.W_V[h].detach().double()
            found = product(drawn.transformer, "W_O", "W_V", h)
            yield f"W_OV[{h}]", found, literal_values(drawn, h, W_V)

    def failures(self, replicates, **more):
        return failures("attention", replicates=replicates, **ATTENTION, **more)


class TestAttentionMLP(ConstructionContract):
    builder = AttentionMLP
    d = 9
    choices: Mapping[str, Any] = {"tokens_per_head": 2, "d_h": 3, "m": 6}
    tried: Mapping[str, Any] = {"d": 41, "d_h": 20, "m": 60, "activation": SQUARE}
    faults = tuple(FAULTS["mlp"])
    wrong = (
        ({"d": 2, "d_h": 1}, "d = 2 is too small for this construction: take d of at least 3"),
        ({"m": 0}, "m = 0 is too small"),
        ({"p": 0}, "p = 0 is too small"),
        ({"k": 0}, "k = 0 is too small"),
        ({"p": 20, "k": 5}, "p + k = 25 is too large"),
        ({"p": 2}, "activation = relu has E sigma^(3)(Z) = 0"),
        ({"activation": "sin"}, "activation = sin has E sigma^(2)(Z) = 0"),
        ({"activation": [0.0, 1.0]}, "E sigma^(2)(Z) = 0"),
        ({"scale": 0.0}, "scale = 0.0"),
        ({"scale": math.inf}, "scale = inf"),
        ({"scale": math.nan}, "scale = nan"),
        ({"scale": "a"}, "scale = 'a' is not a number"),
        ({"scale": 10**400}, "is no size"),
        ({"activation": None}, "activation is missing for m = 6 neurons"),
    )

    def weights(self, drawn):
        yield from key_queries(drawn)
        projections = subspaces(drawn)
        for name, projection in zip("PQ", projections, strict=True):
            yield f"Pi_{name}", projection @ projection, projection.double()
        yield (
            "V",
            drawn.transformer.V.detach() / drawn.transformer.V.detach().norm(),
            readouts(drawn),
        )

    def failures(self, replicates, **more):
        return failures("mlp", replicates=replicates, **WITH_MLP, **more)


def readouts(drawn):
    """sum_f He_2(w)(P s, Q r) phi(a) for each neuron, of length 1 in all."""
    P, Q = (projection.double() for projection in subspaces(drawn))
    phi, W = drawn.embeddings.double(), drawn.transformer.W.detach().double()
    rows = [
        sum(
            (P @ phi[s]) @ hermite_tensor(w, 2) @ (Q @ phi[r]) * phi[a]
            for s, r, a in drawn.task.fact_tokens.tolist()
        )
        for w in W
    ]
    return torch.stack(rows) / torch.stack(rows).norm()


# What both have in common


@pytest.mark.parametrize("make", [attention_only, attention_mlp])
def test_a_construction_answers_contexts_and_says_what_it_is(make):
    drawn = make()
    sequences = drawn.task.sample(20, seed=1)
    found = drawn.answer(sequences[:, :-1])
    assert torch.equal(found, drawn.transformer.decode(sequences[:, :-1], drawn.embeddings))
    with pytest.raises(InputError, match=r"tokens are \(20, 5\): pass contexts \(n, 4\)"):
        drawn.answer(sequences)
    with pytest.raises(InputError, match=r"tokens is a list"):
        drawn.answer(sequences[:, :-1].tolist())
    with pytest.raises(InputError, match=r"tokens are \(4,\)"):
        drawn.answer(sequences[0, :-1])
    assert ("m=6" in repr(drawn)) == (make is attention_mlp)
    assert len(repr(drawn)) < 100


def test_a_construction_is_checked():
    drawn = attention_only()
    model, phi, of, heads = drawn.transformer, drawn.embeddings, drawn.task, drawn.heads
    bad = phi.clone()
    bad[5, 1] = math.nan
    answer = of.answers[0]
    for embeddings, groups, message in (
        (bad, heads, r"embeddings: row 5 holds a NaN"),
        (phi[:-1], heads, r"embeddings has 16 rows for a vocabulary of 17 tokens"),
        (torch.cat([phi, phi]), heads, r"embeddings has 34 rows"),
        (phi[:, :5], heads, r"embeddings are \(17, 5\), torch.float64, on cpu: pass \(\|V\|, 9\)"),
        (phi.float(), heads, r"torch.float32, on cpu: pass .* torch.float64"),
        (phi.tolist(), heads, r"embeddings is a list: pass a torch tensor"),
        (phi, heads[1:], r"heads names 4 groups for H = 5 heads"),
        (phi, ((answer,), *heads[1:]), rf"heads\[0\] names the token {answer}: .* in 0\.\.7"),
        (phi, (*heads[:-1], (-1,)), r"heads\[4\] names the token -1"),
    ):
        with pytest.raises(InputError, match=message):
            Construction(model, embeddings, of, groups)
    assert repr(Construction(model, phi, of, heads)).startswith("Construction(")


# Experiments


@pytest.mark.parametrize(("kind", "sizes"), [("attention", ATTENTION), ("mlp", WITH_MLP)])
def test_each_draw_has_a_table_and_embeddings_of_its_own(kind, sizes, monkeypatch):
    drawn = []

    def alone(construction, **choices):
        drawn.append((construction.task.table.answers, construction.embeddings))
        return certify(construction, **choices)

    def many(filled):
        drawn.extend(zip(filled.answers, filled.embeddings, strict=True))
        return certify_many(filled)

    monkeypatch.setattr(lost_tables, "certify", alone)
    monkeypatch.setattr(lost_tables, "certify_many", many)
    sizes = sizes | {"S": 8, "D": 4}
    failures(kind, replicates=4, seed=5, **sizes)
    failures(kind, replicates=2, seed=6, **sizes)
    assert len(drawn) == 6
    for one, other in itertools.combinations(drawn, 2):
        assert not torch.equal(one[0], other[0])
        assert not bool((one[1] == other[1]).any())


def test_large_memories_of_either_kind_seldom_fail():
    assert not bool(
        failures(
            "attention", 3, 3, 2, 400, 4, d_h=300, tokens_per_head=1, noise=3, T=6, seed=1
        ).values.any()
    )
    assert not bool(
        failures(
            "mlp", 3, 3, 2, 301, 4, d_h=75, tokens_per_head=1, m=2000, activation=SQUARE, seed=1
        ).values.any()
    )


def test_experiments_refuse_what_they_do_not_know():
    with pytest.raises(InputError, match=r"kind = 'both' is not known"):
        sample("both", seed=1, **ATTENTION)
    with pytest.raises(InputError, match=r"fault = 'transposed values' is not known for mlp"):
        sample("mlp", seed=1, fault="transposed values", **WITH_MLP)


def test_attention_and_mlp_parameters_can_be_traded():
    of = FactualRecall(FactTable.random(6, 4, 3, seed=0), noise=0, T=3)
    found = trade_off(
        of, 65, 16, heads=[1, 2, 10, 20], widths=[0, 20, 2000], seed=1, mlp={"activation": SQUARE}
    )
    missing = torch.tensor([[1, 1, 1], [0, 1, 1], [0, 0, 0], [0, 0, 0]]).bool()
    assert torch.equal(torch.isnan(found), missing)
    assert bool(((found >= 0) & (found <= 1))[~missing].all())
    assert found[2, 0] > found[1, 0]  # more heads
    assert found[2, 2] > found[2, 1]  # more neurons
    assert float(found[3, 2]) == 1.0
    with pytest.raises(InputError, match=r"heads\[0\] = 0"):
        trade_off(of, 65, 16, heads=[0], widths=[0], seed=1)
    with pytest.raises(InputError, match=r"widths\[0\] = -1"):
        trade_off(of, 65, 16, heads=[2], widths=[-1], seed=1)


def test_a_trade_off_hands_the_choices_of_both_constructions_on():
    of = FactualRecall(FactTable.random(3, 2, 2, seed=0), noise=0, T=3)
    for choices, message in (
        ({"mlp": {"activation": "sin"}}, r"activation = sin has E sigma\^\(2\)\(Z\) = 0"),
        ({"attention": {"factors": "gaussian"}}, r"factors = 'gaussian' is not known"),
        ({"mlp": {"m": 3}}, r"mlp names m, which the table of sizes decides"),
        ({"attention": {"H": 3}}, r"attention names H"),
    ):
        with pytest.raises(InputError, match=message):
            trade_off(of, 33, 16, heads=[9], widths=[0, 20], seed=1, **choices)
    weak, strong = (
        trade_off(of, 33, 16, heads=[5], widths=[500], seed=1, mlp={"scale": s}) for s in (1e-9, 99)
    )
    assert float(weak) < float(strong)


@pytest.mark.parametrize(
    ("d", "d_h", "message"), [(2, 1, r"d = 2 is too small"), (20, 0, r"d_h = 0 is too small")]
)
def test_a_trade_off_refuses_sizes_without_room(d, d_h, message):
    with pytest.raises(InputError, match=message):
        trade_off(task(), d, d_h, heads=[4], widths=[4], seed=1)
