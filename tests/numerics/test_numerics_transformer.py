"""The one-layer transformer: equations (4) to (7) by explicit loops, ties, sizes held, bad inputs."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.utils._python_dispatch import TorchDispatchMode

from numerics import InputError, OneLayerTransformer, Stream, sample_sphere
from numerics.memories.activations import Activation

DTYPES = [torch.float32, torch.float64]
SIZES = [(1, 1, 1, 0, 1), (3, 2, 1, 0, 4), (4, 2, 4, 3, 5), (5, 3, 2, 7, 6)]  # d, H, d_h, m, T


def sequences(b, T, d, seed=0, dtype=torch.float64):
    return sample_sphere(b * T, d, stream=Stream(seed, "X"), dtype=dtype).view(b, T, d)


def literal(model, X):
    """F_TF of one sequence X (T, d), equation by equation, one number at a time, in float64."""
    T, d = X.shape

    def dot(a, b):
        return sum(float(x) * float(y) for x, y in zip(a, b, strict=True))

    mhsa = [0.0] * d
    for h in range(model.H):
        W_K, W_Q, W_V, W_O = (
            getattr(model, name)[h].tolist() for name in ("W_K", "W_Q", "W_V", "W_O")
        )
        query = [dot(row, X[T - 1]) for row in W_Q]
        scores = [dot([dot(row, X[t]) for row in W_K], query) for t in range(T)]
        if model.inverse_temperature == math.inf:
            weights = [float(score == max(scores)) for score in scores]
        else:
            shifted = [model.inverse_temperature * (score - max(scores)) for score in scores]
            weights = [math.exp(score) for score in shifted]
        total = sum(weights)
        average = [sum(weights[t] * float(X[t, i]) for t in range(T)) / total for i in range(d)]
        values = [dot(row, average) for row in W_V]
        for k, value in enumerate(values):
            for i in range(d):
                mhsa[i] += W_O[k][i] * value
    result = list(mhsa)
    for w, v in zip(model.W.tolist(), model.V.tolist(), strict=True):
        neuron = float(model.activation.value(torch.tensor(dot(w, mhsa), dtype=torch.float64)))
        for i in range(d):
            result[i] += neuron * v[i]
    return torch.tensor(result, dtype=torch.float64)


@pytest.mark.parametrize("beta", [0.3, 1.0, 20.0, math.inf])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("d", "H", "d_h", "m", "T"), SIZES)
def test_the_map_is_that_of_the_equations(d, H, d_h, m, T, dtype, beta):
    model = OneLayerTransformer(
        d, H, d_h, m, activation="tanh", inverse_temperature=beta, seed=d, dtype=dtype
    )
    X = sequences(3, T, d, dtype=dtype)
    found = model(X)
    expected = torch.stack([literal(model, x) for x in X])
    assert found.shape == (3, d)
    assert found.dtype == dtype
    tolerance = 1e-12 if dtype == torch.float64 else 2e-5
    assert torch.allclose(found.double(), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("activation", ["relu", Activation.hermite([0.0, 1.0, 0.5]), [1.0, 2.0]])
def test_the_mlp_is_added_to_the_attention(activation):
    model = OneLayerTransformer(4, 2, 2, 6, activation=activation, seed=1)
    X = sequences(2, 3, 4)
    x = model.mhsa(X)
    sigma = Activation.read(activation).value
    assert torch.allclose(model(X), x + sigma(x @ model.W.T) @ model.V)
    bare = OneLayerTransformer(4, 2, 2, seed=1)
    assert torch.equal(bare(X), bare.mhsa(X))


# Hard attention


def test_positions_of_one_token_share_the_weight_equally():
    # Rounding may give one vector two scores: at another position a product is summed differently.
    for dtype in DTYPES:
        d, T = 37, 23
        model = OneLayerTransformer(d, 3, 5, inverse_temperature=math.inf, seed=2, dtype=dtype)
        X = sequences(4, T, d, dtype=dtype)
        X[:, 1::2] = X[:, 1:2]
        weights = model.attention(X)
        heads = weights[:, :, 1] > 0
        assert bool(heads.any())
        assert bool((~heads).any())
        for b, h in torch.nonzero(heads).tolist():
            expected = torch.zeros(T, dtype=dtype)
            expected[1::2] = 1 / len(range(1, T, 2))
            assert torch.equal(weights[b, h], expected)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_short_vector_in_the_context_leaves_ties_of_long_ones(dtype):
    d, T = 37, 23
    model = OneLayerTransformer(d, 3, 5, inverse_temperature=math.inf, seed=2, dtype=dtype)
    X = sequences(4, T, d, dtype=dtype)
    X[:, 1::2] = X[:, 1:2]
    X[:, 0] *= 1e-9
    weights = model.attention(X)
    shared = weights[weights[:, :, 1] > 0]
    assert len(shared) > 1
    for found in shared:
        assert found.unique().tolist() == [0.0, float(torch.tensor(1 / 11, dtype=dtype))]


def test_equal_scores_of_different_tokens_share_and_a_little_less_does_not():
    model = OneLayerTransformer(3, 1, 1, inverse_temperature=math.inf)
    with torch.no_grad():
        model.W_K[0, 0] = torch.tensor([1.0, 1.0, 0.0])
        model.W_Q[0, 0] = torch.tensor([0.0, 0.0, 1.0])
    rows = torch.eye(3, dtype=torch.float64)
    shared = torch.stack([rows[0], rows[1], rows[0], rows[2]]).unsqueeze(0)
    assert model.attention(shared).tolist() == [[[1 / 3, 1 / 3, 1 / 3, 0.0]]]
    shared[0, 1] *= 1 - 2**-52
    assert model.attention(shared).tolist() == [[[0.5, 0.0, 0.5, 0.0]]]


def test_a_head_of_zeros_attends_to_all_positions_alike():
    model = OneLayerTransformer(3, 2, 1, inverse_temperature=math.inf)
    assert torch.equal(
        model.attention(sequences(1, 4, 3)), torch.full((1, 2, 4), 0.25, dtype=torch.float64)
    )


def test_hard_attention_is_the_limit_of_the_softmax():
    hard = OneLayerTransformer(6, 3, 4, inverse_temperature=math.inf, seed=3)
    X = sequences(5, 4, 6)
    X[:, 2] = X[:, 0]
    distance = []
    for beta in (1.0, 1e2, 1e4, 1e6):
        soft = OneLayerTransformer(6, 3, 4, inverse_temperature=beta, seed=3)
        distance.append(float((soft.attention(X) - hard.attention(X)).detach().abs().max()))
    assert distance == sorted(distance, reverse=True)
    assert distance[0] > 0.1
    assert distance[-1] < 1e-6


# Structure


@given(st.integers(2, 7), st.integers(1, 3), st.integers(1, 6), st.randoms(), st.booleans())
def test_the_order_of_the_context_does_not_matter(d, H, T, random, hard):
    beta = math.inf if hard else 3.0
    model = OneLayerTransformer(d, H, 2, inverse_temperature=beta, seed=random.randrange(100))
    X = sequences(2, T, d, seed=random.randrange(100))
    order = list(range(T - 1))
    random.shuffle(order)
    order.append(T - 1)
    assert torch.allclose(model(X[:, order]), model(X), atol=1e-12)
    assert torch.allclose(model.attention(X[:, order]), model.attention(X)[:, :, order], atol=1e-12)


def test_the_last_position_asks():
    model = OneLayerTransformer(5, 2, 3, seed=4)
    X = sequences(1, 4, 5)
    moved = X[:, [3, 1, 2, 0]]
    assert not torch.allclose(model.attention(X), model.attention(moved)[:, :, [3, 1, 2, 0]])


@pytest.mark.parametrize(("d", "H", "d_h", "m", "T"), SIZES)
def test_parameters_are_counted_as_in_the_paper(d, H, d_h, m, T):
    model = OneLayerTransformer(d, H, d_h, m, activation="relu")
    assert model.parameters_count == 4 * H * d * d_h + 2 * m * d
    assert all(not bool(part.any()) for part in model.parameters())


def test_parameters_follow_from_the_seed_and_their_names():
    one, same, other = (
        OneLayerTransformer(6, 2, 3, 4, activation="sin", seed=s) for s in (5, 5, 6)
    )
    parts = [dict(model.named_parameters()) for model in (one, same, other)]
    assert set(parts[0]) == {"W_K", "W_Q", "W_V", "W_O", "W", "V"}
    for name, part in parts[0].items():
        assert torch.equal(part, parts[1][name])
        assert not torch.equal(part, parts[2][name])
    assert not torch.equal(one.W_K, one.W_Q)
    wide = OneLayerTransformer(400, 2, 100, 50, activation="relu", seed=5)
    assert float(wide.W_V.detach().std()) == pytest.approx(400**-0.5, rel=0.05)
    assert float(wide.V.detach().std()) == pytest.approx(50**-0.5, rel=0.05)


@pytest.mark.parametrize("dtype", DTYPES)
def test_ranks_are_at_most_the_head_dimension(dtype):
    model = OneLayerTransformer(9, 2, 3, seed=7, dtype=dtype)
    with torch.no_grad():
        model.W_K[1, 1:] = 0
        model.W_V[1, 2] = 2 * model.W_V[1, 0]
        model.W_O[0] = 0
    assert [model.key_query_rank(h) for h in range(2)] == [3, 1]
    assert [model.output_value_rank(h) for h in range(2)] == [0, 2]
    for h in range(2):
        dense = model.W_O[h].T @ model.W_V[h]
        assert model.output_value_rank(h) == int(torch.linalg.matrix_rank(dense))
    with pytest.raises(InputError, match=r"h = 2 is too large"):
        model.key_query_rank(2)


def test_rows_that_depend_up_to_float32_rounding_add_no_rank():
    model = OneLayerTransformer(9, 1, 3, seed=7, dtype=torch.float32)
    with torch.no_grad():
        model.W_V[0, 2] = 0.3 * model.W_V[0, 0] + 0.7 * model.W_V[0, 1]
    exact = torch.linalg.svdvals(model.W_V[0].detach().double())
    assert 1e-12 < float(exact[2] / exact[0]) < 1e-6
    assert model.output_value_rank(0) == 2


def test_every_parameter_can_be_trained():
    model = OneLayerTransformer(6, 2, 3, 5, activation="tanh", seed=8)
    X, targets = sequences(8, 4, 6), sequences(8, 1, 6, seed=9).squeeze(1)

    def loss():
        return (model(X) - targets).square().mean()

    before = loss()
    before.backward()
    for part in model.parameters():
        assert bool(part.grad.abs().sum() > 0)
    with torch.no_grad():
        for part in model.parameters():
            part -= 0.05 * part.grad
    assert loss() < before


def test_the_gradient_is_that_of_the_map():
    model = OneLayerTransformer(3, 2, 2, 2, activation="tanh", seed=10)
    X = sequences(1, 3, 3).requires_grad_()
    assert torch.autograd.gradcheck(model, (X,))


def test_hard_attention_trains_values_only():
    model = OneLayerTransformer(4, 2, 2, inverse_temperature=math.inf, seed=11)
    model(sequences(3, 4, 4)).square().sum().backward()
    assert bool(model.W_V.grad.abs().sum() > 0)
    assert bool(model.W_O.grad.abs().sum() > 0)
    assert model.W_K.grad is None
    assert model.W_Q.grad is None


def test_float32_is_float64_up_to_rounding():
    models = [
        OneLayerTransformer(20, 3, 10, 30, activation="relu", seed=12, dtype=dtype)
        for dtype in DTYPES
    ]
    images = [
        model(sequences(6, 9, 20, dtype=dtype)) for model, dtype in zip(models, DTYPES, strict=True)
    ]
    assert [image.dtype for image in images] == DTYPES
    assert float((images[0].double() - images[1]).detach().abs().max()) < 1e-5


@pytest.mark.parametrize("beta", [1.0, math.inf])
def test_neither_all_pairs_of_positions_nor_all_values_are_held(beta, largest):
    b, T, d, H, d_h = 3, 64, 8, 5, 8
    model = OneLayerTransformer(d, H, d_h, inverse_temperature=beta, seed=13)
    X = sequences(b, T, d)
    with largest, torch.no_grad():
        model(X)
    assert largest.entries <= max(b * H * T, b * T * d, b * H * d, H * d_h * d)
    assert largest.entries < b * H * T * d_h


# Decoding


@pytest.mark.parametrize("block", [None, (1, 1), (2, 3), (100, 100)])
def test_decoding_takes_the_greatest_score_of_the_vocabulary(block):
    model = OneLayerTransformer(6, 2, 3, 4, activation="relu", seed=14)
    embeddings = sample_sphere(11, 6, stream=Stream(15))
    tokens = torch.arange(20).reshape(5, 4) % 11
    expected = (model(embeddings[tokens]) @ embeddings.T).argmax(dim=1)
    assert torch.equal(model.decode(tokens, embeddings, block=block), expected)


def test_of_equal_scores_the_first_token_is_taken():
    model = OneLayerTransformer(4, 1, 2, seed=16)
    embeddings = sample_sphere(3, 4, stream=Stream(17))
    doubled = torch.cat([embeddings, embeddings])
    tokens = torch.tensor([[0, 1, 2], [2, 1, 0]])
    for columns in (1, 2, 6):
        assert int(model.decode(tokens, doubled, block=(1, columns)).max()) < 3


@pytest.mark.parametrize("columns", range(1, 9))
def test_every_token_can_be_the_answer_whatever_the_block(columns):
    model = OneLayerTransformer(7, 1, 7)
    with torch.no_grad():
        model.W_V[0] = model.W_O[0] = torch.eye(7)
    embeddings = torch.eye(7, dtype=torch.float64)
    tokens = torch.arange(7).unsqueeze(1)
    assert torch.equal(model.decode(tokens, embeddings, block=(3, columns)), tokens.squeeze(1))


class _Precisions(TorchDispatchMode):
    """The precision that float32 products have where one is made inside the block."""

    def __init__(self):
        super().__init__()
        self.found = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if "mm" in function.__name__:
            self.found.append(torch.backends.cuda.matmul.fp32_precision)
        return function(*args, **(kwargs or {}))


def test_decoding_makes_its_products_in_full_precision():
    model = OneLayerTransformer(6, 2, 3, 4, activation="relu", seed=14, dtype=torch.float32)
    embeddings = sample_sphere(11, 6, stream=Stream(15), dtype=torch.float32)
    before = torch.backends.cuda.matmul.fp32_precision
    torch.backends.cuda.matmul.fp32_precision = "tf32"
    try:
        with _Precisions() as precisions:
            model.decode(torch.tensor([[0, 1, 2]]), embeddings)
        assert torch.backends.cuda.matmul.fp32_precision == "tf32"
    finally:
        torch.backends.cuda.matmul.fp32_precision = before
    assert len(precisions.found) >= 5
    assert set(precisions.found) == {"ieee"}


def test_decoding_holds_no_more_than_a_tile(monkeypatch, largest):
    monkeypatch.setattr("numerics.transformer._ENTRIES", 400)
    model = OneLayerTransformer(4, 2, 2, seed=18)
    embeddings = sample_sphere(500, 4, stream=Stream(19))
    tokens = torch.arange(300).reshape(100, 3)
    with largest:
        found = model.decode(tokens, embeddings, block=(64, 8))
    assert largest.entries <= 400
    assert torch.equal(found, model.decode(tokens, embeddings))


# Bad inputs


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ((4, 2, 5), r"d_h = 5 exceeds d = 4"),
        ((0, 2, 1), r"d = 0 is too small"),
        ((4, 0, 1), r"H = 0 is too small"),
        ((4, 1, 0), r"d_h = 0 is too small"),
        ((4, 1, 1, -1), r"m = -1 is too small"),
        ((4, 1, 1, 2), r"activation is missing for m = 2"),
        ((4, 1.0, 1), r"H = 1.0 is not an integer"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(sizes, message):
    with pytest.raises(InputError, match=message):
        OneLayerTransformer(*sizes)


@pytest.mark.parametrize("beta", [0.0, -1.0, -math.inf, math.nan])
def test_an_inverse_temperature_is_positive(beta):
    with pytest.raises(InputError, match=r"inverse_temperature = .* is not positive"):
        OneLayerTransformer(4, 1, 1, inverse_temperature=beta)


def test_overflow_is_an_error_and_no_wrong_number():
    with pytest.raises(InputError, match=r"overflows torch.float32"):
        OneLayerTransformer(4, 1, 1, inverse_temperature=1e39, dtype=torch.float32)
    model = OneLayerTransformer(4, 1, 4, inverse_temperature=3e38, seed=1, dtype=torch.float32)
    with torch.no_grad():
        model.W_K *= 100
    with pytest.raises(InputError, match=r"scores are not finite in torch.float32"):
        model(sequences(1, 3, 4, dtype=torch.float32))
    OneLayerTransformer(4, 1, 4, inverse_temperature=1e39, seed=1)(sequences(1, 3, 4))
    X = sequences(1, 3, 4)
    X[0, 1, 2] = math.nan
    with pytest.raises(InputError, match=r"scores are not finite"):
        OneLayerTransformer(4, 1, 4, inverse_temperature=math.inf, seed=1)(X)


@pytest.mark.parametrize("beta", [None, "hot", "2.0", True, [1.0]])
def test_an_inverse_temperature_is_a_number(beta):
    with pytest.raises(InputError, match=r"inverse_temperature = .* is not a number"):
        OneLayerTransformer(4, 1, 1, inverse_temperature=beta)


def test_an_integer_beyond_floats_is_an_inverse_temperature_that_overflows():
    with pytest.raises(InputError, match=r"inverse_temperature = 10* overflows torch.float64"):
        OneLayerTransformer(4, 1, 1, inverse_temperature=10**400)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_decoding_refuses_embeddings_that_are_not_finite(bad):
    # Row 4 stands in no context: it would only be a competitor.
    embeddings = sample_sphere(5, 4, stream=Stream(15))
    embeddings[4, 2] = bad
    with pytest.raises(InputError, match=r"embeddings: row 4 holds a NaN or an infinity"):
        OneLayerTransformer(4, 1, 1, seed=1).decode(torch.tensor([[0, 1]]), embeddings)


@pytest.mark.parametrize("weights", ["W_O", "V"])
@pytest.mark.parametrize("size", [math.nan, math.inf, 3e38])
def test_decoding_refuses_scores_that_are_not_finite(weights, size):
    model = OneLayerTransformer(4, 1, 4, 3, activation="relu", seed=1, dtype=torch.float32)
    with torch.no_grad():
        getattr(model, weights).fill_(size)
        for positive in (model.W_V, model.W_O, model.W):
            positive.abs_()
    embeddings = 10 * sample_sphere(5, 4, stream=Stream(15), dtype=torch.float32).abs()
    for columns in (1, 5):
        with pytest.raises(InputError, match=r"vocabulary are not finite in torch.float32: scale"):
            model.decode(torch.tensor([[0, 1]]), embeddings, block=(1, columns))


def test_decoding_refuses_a_loser_whose_score_overflows():
    # A score of -inf is no competitor, but what overflowed may have been a winner.
    model = OneLayerTransformer(2, 1, 2)
    with torch.no_grad():
        model.W_V[0] = model.W_O[0] = torch.eye(2)
        model.W_V *= 1e200
    embeddings = torch.tensor([[1.0, 0.0], [0.5, 0.5], [-1e150, 0.0]], dtype=torch.float64)
    assert model.decode(torch.tensor([[0]]), embeddings[:2]).tolist() == [0]
    with pytest.raises(InputError, match=r"not finite in torch.float64"):
        model.decode(torch.tensor([[0]]), embeddings)


def test_arrays_and_lists_are_no_tensors():
    model = OneLayerTransformer(4, 1, 1)
    embeddings = torch.ones(3, 4, dtype=torch.float64)
    with pytest.raises(InputError, match=r"tokens is a list: pass a torch tensor"):
        model.decode([[0, 1]], embeddings)
    with pytest.raises(InputError, match=r"embeddings is a ndarray: pass a torch tensor"):
        model.decode(torch.tensor([[0, 1]]), embeddings.numpy())
    with pytest.raises(InputError, match=r"X is a list: pass a torch tensor"):
        model([[[0.0] * 4]])


@pytest.mark.parametrize(
    "X",
    [
        torch.zeros(3, 4, dtype=torch.float64),
        torch.zeros(1, 3, 5, dtype=torch.float64),
        torch.zeros(1, 0, 4, dtype=torch.float64),
        torch.zeros(1, 3, 4, dtype=torch.float32),
    ],
)
def test_sequences_of_another_shape_or_dtype_are_refused(X):
    with pytest.raises(InputError, match=r"X is .* pass sequences \(b, T, 4\)"):
        OneLayerTransformer(4, 1, 1)(X)


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (torch.tensor([[0, 3]]), r"tokens run from 0 to 3: pass indices in 0\.\.2"),
        (torch.tensor([[-1, 0]]), r"tokens run from -1 to 0"),
        (torch.tensor([0, 1]), r"tokens are \(2,\)"),
        (torch.zeros(0, 2, dtype=torch.int64), r"tokens are \(0, 2\)"),
        (torch.tensor([[0.0, 1.0]]), r"torch.float32: pass int64"),
    ],
)
def test_tokens_outside_the_vocabulary_are_refused(tokens, message):
    with pytest.raises(InputError, match=message):
        OneLayerTransformer(4, 1, 1).decode(tokens, torch.ones(3, 4, dtype=torch.float64))


def test_embeddings_and_blocks_of_decoding_are_checked():
    model = OneLayerTransformer(4, 1, 1)
    tokens = torch.tensor([[0, 1]])
    with pytest.raises(InputError, match=r"embeddings are \(3, 4\), torch.float32"):
        model.decode(tokens, torch.ones(3, 4))
    with pytest.raises(InputError, match=r"embeddings has shape \(3,\)"):
        model.decode(tokens, torch.ones(3))
    with pytest.raises(InputError, match=r"block\[1\] = 0"):
        model.decode(tokens, torch.ones(3, 4, dtype=torch.float64), block=(1, 0))
    for block in ((1,), (1, 2, 3), 5):
        with pytest.raises(InputError, match=r"block = .* is no pair"):
            model.decode(tokens, torch.ones(3, 4, dtype=torch.float64), block=block)
