"""Two-layer memories: activations, the tangent memory, the network near it, and their bounds."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import torch
from numpy.polynomial.hermite_e import hermeval
from torch import Tensor

from numerics import (
    Activation,
    InputError,
    MLPMemory,
    Stream,
    TwoLayerNetwork,
    recall,
    sample_gaussian,
    sample_sphere,
)
from numerics.memories import mlp
from numerics.rounding import BOUND_SLACK, dot_error_factor

CUBIC = (0.25, 1.0, -0.5, 1.0)
ACTIVATIONS = [Activation.hermite(CUBIC), *map(Activation.named, ("relu", "tanh", "sin"))]
POINTS = torch.linspace(-4, 4, 81, dtype=torch.float64)


def grid(activation: Activation) -> Tensor:
    """Points that avoid the kink of relu."""
    return POINTS[POINTS != 0] if activation.name == "relu" else POINTS


def margins(memory: MLPMemory | TwoLayerNetwork, images: Tensor | None = None) -> Tensor:
    """The least margin of each fact, float64 (N,)."""
    images = memory.apply(memory.inputs) if images is None else images
    scores = images.double() @ memory.outputs.double().T
    rows = torch.arange(len(scores))
    target = scores[rows, memory.association].clone()
    scores[rows, memory.association] = -math.inf
    return target - scores.amax(1)


# Activations


@pytest.mark.parametrize("j", range(7))
def test_hermite_polynomials_are_those_of_the_standard_gaussian(j: int) -> None:
    found = Activation.hermite([0.0] * j + [1.0]).value(POINTS)
    expected = hermeval(POINTS.numpy(), [0.0] * j + [1.0]) / math.sqrt(math.factorial(j))
    assert np.allclose(found.numpy(), expected, rtol=1e-12, atol=1e-11)
    # The physicists' h_2 would have norm sqrt(8) or another root: c_j of h_j is 1, others 0.
    h_j = Activation.hermite([0.0] * j + [1.0])
    assert [round(h_j.coefficient(i), 9) for i in range(8)] == [float(i == j) for i in range(8)]


@pytest.mark.parametrize("activation", ACTIVATIONS, ids=lambda a: a.name)
def test_derivatives_are_those_of_the_values(activation: Activation) -> None:
    points = grid(activation).clone().requires_grad_()
    (expected,) = torch.autograd.grad(activation.value(points).sum(), points)
    assert torch.allclose(activation.derivative(points), expected, rtol=1e-13, atol=1e-13)


def test_derivatives_lower_the_hermite_degree() -> None:
    # sigma' = sum_j sqrt(j) c_j h_{j-1}
    lowered = Activation.hermite([math.sqrt(j) * c for j, c in enumerate(CUBIC)][1:])
    slope = Activation.hermite(CUBIC).derivative(POINTS)
    assert torch.allclose(slope, lowered.value(POINTS), rtol=1e-13, atol=1e-13)
    assert not Activation.hermite([3.0]).derivative(POINTS).any()


def test_hermite_coefficients_of_named_activations() -> None:
    relu, tanh, sin = ACTIVATIONS[1:]
    assert relu.coefficient(1) == pytest.approx(0.5, abs=1e-12)
    assert abs(relu.coefficient(3)) < 1e-12
    assert relu.coefficient(2) == pytest.approx(1 / math.sqrt(4 * math.pi), rel=0.02)
    for j in range(6):
        # E sin(g) h_j(g) is the j-th derivative of exp(-t^2/2) sin at 0, over sqrt(j!).
        expected = 0.0 if j % 2 == 0 else (-1) ** (j // 2) / math.sqrt(math.e * math.factorial(j))
        assert sin.coefficient(j) == pytest.approx(expected, abs=1e-12)
    assert tanh.coefficient(1) > 0.5
    assert tanh.coefficient(3) < -0.1


def exact_hermite(c: tuple[float, ...], t: Fraction, *, slope: bool) -> Fraction:
    """sum_j c_j h_j(t) or its derivative, with sqrt(j!) to 100 binary places."""
    He, dHe = [Fraction(1), t], [Fraction(0), Fraction(1)]
    for j in range(1, len(c)):
        He.append(t * He[j] - j * He[j - 1])
        dHe.append((j + 1) * He[j])
    terms = dHe if slope else He
    return sum(
        Fraction(c_j) * terms[j] / Fraction(math.isqrt(math.factorial(j) << 200), 1 << 100)
        for j, c_j in enumerate(c)
    )


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("slope", [False, True])
@pytest.mark.parametrize("radius", [0.0, 1e-6])
def test_bounds_of_polynomials_hold_against_rational_arithmetic(
    dtype: torch.dtype, slope: bool, radius: float
) -> None:
    c = (0.3, -1.7, 0.9, 2.1, -0.2, 0.05, 1.3)
    activation = Activation.hermite(c)
    function = activation.derivative if slope else activation.value
    bound = activation.derivative_error if slope else activation.value_error
    middle = POINTS.to(dtype)
    computed = function(middle)
    bounds = bound(middle.double(), torch.full_like(POINTS, radius), dtype)
    worst = 0.0
    for point, value, limit in zip(middle.tolist(), computed.tolist(), bounds, strict=True):
        for move in (-radius, radius):
            exact = exact_hermite(c, Fraction(point) + Fraction(move), slope=slope)
            error = abs(Fraction(value) - exact)
            assert error <= float(limit)
            worst = max(worst, float(error) / float(limit))
    assert worst > 1e-3, "the bound says something"


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("name", ["tanh", "sin", "relu"])
def test_bounds_of_named_activations_hold_against_a_longer_type(
    name: str, dtype: torch.dtype
) -> None:
    activation = Activation.named(name)
    functions = {
        "tanh": (np.tanh, lambda t: 1 - np.tanh(t) ** 2),
        "sin": (np.sin, np.cos),
        "relu": (lambda t: np.maximum(t, 0), lambda t: (t > 0).astype(t.dtype)),
    }[name]
    middle = torch.linspace(-9, 9, 4001, dtype=dtype)
    for radius in (0.0, 1e-6, 0.01):
        for function, computed, bound in zip(
            functions,
            (activation.value(middle), activation.derivative(middle)),
            (activation.value_error, activation.derivative_error),
            strict=True,
        ):
            limit = bound(middle.double(), torch.full((4001,), radius).double(), dtype).numpy()
            for move in (-radius, radius):
                exact = function(middle.double().numpy().astype(np.longdouble) + move)
                assert (np.abs(computed.double().numpy() - exact) <= BOUND_SLACK * limit).all()


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: Activation.named("gelu"), "gelu"),
        (lambda: Activation.hermite([]), "coefficients"),
        (lambda: Activation.hermite([1.0, math.nan]), "finite"),
        (lambda: Activation.hermite([1.0] * 26), "degree 25"),
        (lambda: Activation.polynomial([math.inf]), "finite"),
        (lambda: Activation.named("sin").coefficient(-1), "j = -1"),
    ],
)
def test_bad_activations_are_refused(make, match: str) -> None:
    with pytest.raises(InputError, match=match):
        make()


# The memory


def test_tangent_and_images_are_what_the_paper_defines() -> None:
    d, N, M, m, k = 3, 4, 6, 5, 2
    memory = MLPMemory.sample(d, N, M, m=m, k=k, activation=Activation.hermite(CUBIC), seed=2)
    W, V, E, U = memory.hidden, memory.readout, memory.inputs, memory.outputs
    f = memory.association.tolist()

    def h_2(t: Tensor) -> Tensor:
        return (t * t - 1) / math.sqrt(2)

    def slope(t: Tensor) -> Tensor:
        return 1 - 0.5 * 2 * t / math.sqrt(2) + (3 * t * t - 3) / math.sqrt(6)

    for i in range(m):
        expected = sum(h_2(E[x] @ W[i]) * (V[i] @ U[f[x]]) * E[x] for x in range(N)) / m
        assert torch.allclose(memory.tangent[i], expected, rtol=1e-12, atol=1e-13)
    z = sample_sphere(7, d, stream=Stream(0, "queries"))
    expected = torch.stack(
        [sum(V[i] * slope(W[i] @ q) * (memory.tangent[i] @ q) for i in range(m)) for q in z]
    )
    assert torch.allclose(memory.apply(z), expected, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("activation", ACTIVATIONS, ids=lambda a: a.name)
def test_memory_is_the_tangent_of_the_network(activation: Activation) -> None:
    memory = MLPMemory.sample(5, 6, 9, m=40, k=2, activation=activation, seed=1)
    z = memory.inputs

    def network(hidden: Tensor) -> Tensor:
        return activation.value(z @ hidden.T) @ memory.readout

    _, expected = torch.autograd.functional.jvp(network, memory.hidden, memory.tangent)
    assert torch.allclose(memory.apply(z), expected, rtol=1e-11, atol=1e-12)


def test_sample_uses_named_streams_and_the_sign_of_the_coefficient() -> None:
    for sigma, sign in ((CUBIC, 1), ((0.0, 1.0, 1.0, -1.0), -1), ((0.0, 1.0, 1.0), 1)):
        activation = Activation.hermite(sigma)
        memory = MLPMemory.sample(4, 5, 7, m=3, k=2, activation=activation, seed=9)
        assert torch.equal(memory.hidden, sample_gaussian(3, 4, stream=Stream(9, "hidden")))
        assert torch.equal(memory.readout, sample_gaussian(3, 4, stream=Stream(9, "readout")))
        assert torch.equal(memory.inputs, sample_sphere(5, 4, stream=Stream(9, "inputs")))
        parts = (memory.inputs, memory.outputs, memory.association, memory.hidden, memory.readout)
        assert torch.equal(memory.tangent, MLPMemory(*parts, activation, 2, sign=sign).tangent)
    tanh = MLPMemory.sample(4, 5, 7, m=3, k=2, activation=Activation.named("tanh"), seed=9)
    plain = MLPMemory(*parts, Activation.named("tanh"), 2)
    assert torch.equal(tanh.tangent, -plain.tangent)


def test_blocks_change_nothing_but_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = {"m": 50, "k": 2, "activation": Activation.hermite(CUBIC), "seed": 4}
    whole = MLPMemory.sample(6, 30, **arguments)
    monkeypatch.setattr(mlp, "_ENTRIES", 350)
    parts = MLPMemory.sample(6, 30, **arguments)
    assert torch.allclose(whole.tangent, parts.tangent, rtol=1e-12, atol=1e-14)
    z = whole.inputs
    assert torch.allclose(whole.apply(z), parts.apply(z), rtol=1e-12, atol=1e-13)
    assert torch.allclose(whole.apply_error(z), parts.apply_error(z), rtol=1e-9)
    assert parts.apply(z[:0]).shape == (0, 6)


def exact_image(memory: MLPMemory | TwoLayerNetwork, z: list[float], c: tuple[float, ...]):
    """F(z) in rational arithmetic, for the activation sum_j c_j h_j."""

    def rational(rows: Tensor) -> list[list[Fraction]]:
        return [[Fraction(entry) for entry in row] for row in rows.tolist()]

    def dot(a: list[Fraction], b: list[Fraction]) -> Fraction:
        return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))

    query = [Fraction(entry) for entry in z]
    image = [Fraction(0)] * len(z)
    tangent = rational(memory.tangent) if isinstance(memory, MLPMemory) else None
    for i, (w, v) in enumerate(zip(rational(memory.hidden), rational(memory.readout), strict=True)):
        term = exact_hermite(c, dot(w, query), slope=tangent is not None)
        if tangent is not None:
            term *= dot(tangent[i], query)
        image = [entry + term * v_j for entry, v_j in zip(image, v, strict=True)]
    return image


@pytest.mark.parametrize("stored", [torch.float32, torch.float64])
@pytest.mark.parametrize("computed", [torch.float32, torch.float64])
@pytest.mark.parametrize("network", [False, True])
def test_apply_error_bounds_the_distance_from_the_exact_image(
    stored: torch.dtype, computed: torch.dtype, network: bool
) -> None:
    tangent = MLPMemory.sample(
        8, 6, m=20, k=2, activation=Activation.hermite(CUBIC), seed=3, dtype=stored
    )
    memory = tangent.network(0.01) if network else tangent
    vectors = memory.inputs.to(computed)
    images, bounds = memory.apply(vectors), memory.apply_error(vectors)
    assert bounds.dtype == torch.float64
    worst = 0.0
    for z, image, bound in zip(vectors.tolist(), images.tolist(), bounds.tolist(), strict=True):
        exact = exact_image(memory, z, CUBIC)
        error = math.dist(
            [float(Fraction(a) - b) for a, b in zip(image, exact, strict=True)], [0] * 8
        )
        assert error <= bound
        worst = max(worst, error / bound)
    assert worst > 1e-4
    assert float(bounds.max()) < 1e6 * torch.finfo(computed).eps


@pytest.mark.parametrize("name", ["relu", "tanh", "sin"])
def test_apply_error_bounds_single_against_double(name: str) -> None:
    activation = Activation.named(name)
    memory = MLPMemory.sample(16, 24, m=200, k=2, activation=activation, seed=5)
    for item in (memory, memory.network(0.05)):
        single = item.inputs.float()
        double = single.double()
        error = (item.apply(single).double() - item.apply(double)).norm(dim=1)
        bound = item.apply_error(single)
        assert bool((error <= bound + item.apply_error(double)).all())
        assert float(bound.max()) < (2.0 if name == "relu" else 0.1)


def test_a_kink_within_rounding_is_in_the_bound() -> None:
    # <w, z> = 1e-17 + 1 - 1 in exact arithmetic is positive, in floats it is 0 or not.
    w = torch.tensor([[1e-17, 1.0, -1.0]], dtype=torch.float64)
    one = torch.ones((1, 3), dtype=torch.float64)
    memory = MLPMemory(one, one, torch.tensor([0]), w, one, Activation.named("relu"), 0)
    exact = memory.readout[0] * (memory.tangent[0] @ one[0])
    assert float((memory.apply(one)[0] - exact).norm()) <= float(memory.apply_error(one))
    assert float(memory.apply_error(one)) >= float(exact.norm())


def test_cancellation_and_long_sums_are_in_the_bound() -> None:
    # One fact and a query at a right angle to it: <q, z> is rounding and nothing else.
    e = torch.tensor([[0.1, 0.3, 0.7]])
    z = torch.tensor([[0.3, -0.1, 0.0]])
    memory = MLPMemory(
        e, e, torch.tensor([0]), z + 1, torch.ones(1, 3), Activation.named("relu"), 0
    )
    exact = sum(
        Fraction(a) * Fraction(b)
        for a, b in zip(memory.tangent[0].tolist(), z[0].tolist(), strict=True)
    )
    error = math.sqrt(3) * abs(float(memory.apply(z)[0, 0]) - float(exact))
    assert 0.01 * float(memory.apply_error(z)) < error <= float(memory.apply_error(z))
    # However the m terms are added, gamma_m times their sizes is allowed for.
    wide = MLPMemory.sample(4, 5, m=3000, activation=ACTIVATIONS[0], seed=0)
    terms = wide.activation.derivative(wide.inputs @ wide.hidden.T) * (wide.inputs @ wide.tangent.T)
    sizes = terms.abs() @ wide.readout.norm(dim=1)
    assert bool(
        (wide.apply_error(wide.inputs) >= dot_error_factor(3000, torch.float64) * sizes).all()
    )


# Its behaviour


def facts(d: int, N: int, M: int, m: int, seed: int) -> tuple[Tensor, ...]:
    """inputs, outputs, association, hidden, readout."""
    memory = MLPMemory.sample(d, N, M, m=m, activation=ACTIVATIONS[0], seed=seed)
    return memory.inputs, memory.outputs, memory.association, memory.hidden, memory.readout


@pytest.mark.parametrize("k", [1, 2])
def test_two_memories_of_half_the_facts_add(k: int) -> None:
    e, u, f, w, v = facts(6, 10, 12, 30, seed=0)
    z = sample_sphere(5, 6, stream=Stream(0, "queries"))
    whole = MLPMemory(e, u, f, w, v, ACTIVATIONS[0], k).apply(z)
    halves = [
        MLPMemory(e[part], u, f[part], w, v, ACTIVATIONS[0], k).apply(z)
        for part in (slice(0, 4), slice(4, 10))
    ]
    assert torch.allclose(whole, halves[0] + halves[1], rtol=1e-12, atol=1e-12)
    negated = MLPMemory(e, u, f, w, v, ACTIVATIONS[0], k, sign=-1).apply(z)
    assert torch.equal(negated, -whole)


def test_rotations_leave_the_margins() -> None:
    e, u, f, w, v = facts(6, 10, 12, 40, seed=1)
    turns = [
        torch.linalg.qr(sample_gaussian(6, 6, stream=Stream(7, side))).Q for side in ("in", "out")
    ]
    plain = MLPMemory(e, u, f, w, v, ACTIVATIONS[0], 2)
    turned = MLPMemory(e @ turns[0], u @ turns[1], f, w @ turns[0], v @ turns[1], ACTIVATIONS[0], 2)
    assert torch.allclose(margins(plain), margins(turned), rtol=1e-11, atol=1e-11)
    # One rotation of the inputs alone is another memory.
    half = MLPMemory(e @ turns[0], u, f, w, v, ACTIVATIONS[0], 2)
    assert not torch.allclose(margins(plain), margins(half), atol=0.01)


def test_permutations_permute_the_margins() -> None:
    e, u, f, w, v = facts(6, 10, 12, 40, seed=2)
    tokens, outputs, neurons = (
        torch.from_numpy(Stream(3, "order").replicate(i).generator().permutation(n))
        for i, n in enumerate((10, 12, 40))
    )
    plain = margins(MLPMemory(e, u, f, w, v, ACTIVATIONS[0], 2))
    renamed = torch.argsort(outputs)[f[tokens]]
    changed = MLPMemory(e[tokens], u[outputs], renamed, w[neurons], v[neurons], ACTIVATIONS[0], 2)
    assert torch.allclose(margins(changed), plain[tokens], rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("sigma", ["tanh", "sin", (0.0, 1.0, 0.0, 1.0)])
def test_odd_activations_give_odd_memories(sigma) -> None:
    memory = MLPMemory.sample(6, 8, m=20, k=2, activation=Activation.read(sigma), seed=2)
    z = memory.inputs
    assert torch.allclose(memory.apply(-z), -memory.apply(z), rtol=1e-12, atol=1e-13)
    even = MLPMemory.sample(6, 8, m=20, k=1, activation=Activation.hermite((0, 0, 1)), seed=2)
    assert torch.allclose(even.apply(-z), even.apply(z), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize(
    ("sigma", "k", "recalled"),
    [((0.0, 1.0, 1.0, 1.0), 2, 1.0), ("tanh", 2, 1.0), ("sin", 2, 1.0), ("relu", 1, 1.0)],
)
def test_facts_are_recalled_where_a_coefficient_is_there(sigma, k: int, recalled: float) -> None:
    for seed in range(2):
        memory = MLPMemory.sample(
            32, 128, m=8192, k=k, activation=Activation.read(sigma), seed=seed
        )
        result = recall(memory)
        assert result.accuracy == recalled
        assert result.ties == 0


def test_relu_recalls_nothing_with_even_features() -> None:
    # c_3 = 0: the mean margin is 0 and only chance is left.
    for seed in range(2):
        relu = Activation.named("relu")
        memory = MLPMemory.sample(32, 128, m=4096, k=2, activation=relu, seed=seed)
        assert recall(memory).accuracy < 0.1


# The network near it


def steps(memory: MLPMemory, step: float, kind: str) -> TwoLayerNetwork:
    """The paper's rescaling, or its one-sided difference."""
    moved, shared = memory.hidden + step * memory.tangent, memory.readout / step
    if kind == "one-sided":
        moved, shared = torch.cat([moved, memory.hidden]), torch.cat([shared, -shared])
    return TwoLayerNetwork(
        memory.inputs, memory.outputs, memory.association, moved, shared, memory.activation
    )


@pytest.fixture(scope="module")
def tangent_memory() -> MLPMemory:
    return MLPMemory.sample(16, 32, m=512, k=2, activation=ACTIVATIONS[0], seed=6)


def deviation(memory: MLPMemory, network: TwoLayerNetwork) -> float:
    images = memory.apply(memory.inputs)
    return float((network.apply(memory.inputs) - images).norm() / images.norm())


def slopes(values: list[float]) -> list[float]:
    """Orders of values at steps that shrink by ten."""
    return [math.log10(a / b) for a, b in pairwise(values)]


def test_the_rescaling_of_the_paper_diverges(tangent_memory: MLPMemory) -> None:
    found = [
        deviation(tangent_memory, steps(tangent_memory, step, "paper"))
        for step in (1e-1, 1e-2, 1e-3, 1e-4)
    ]
    assert found[-1] > 1e3
    assert all(abs(order + 1) < 0.05 for order in slopes(found)[1:])


def test_one_sided_differences_are_of_first_order(tangent_memory: MLPMemory) -> None:
    found = [
        deviation(tangent_memory, steps(tangent_memory, step, "one-sided"))
        for step in (1e-2, 1e-3, 1e-4, 1e-5)
    ]
    assert all(abs(order - 1) < 0.05 for order in slopes(found))


def test_central_differences_are_of_second_order(tangent_memory: MLPMemory) -> None:
    found = [deviation(tangent_memory, tangent_memory.network(s)) for s in (0.1, 0.01, 0.001)]
    assert all(abs(order - 2) < 0.05 for order in slopes(found))
    # Rounding grows like 1/scale instead.
    fine = [deviation(tangent_memory, tangent_memory.network(s)) for s in (1e-7, 1e-10)]
    assert fine[1] > 100 * fine[0]


@pytest.mark.parametrize("sigma", [(0.0, 1.0, 1.0, 1.0), "tanh", "sin"])
@pytest.mark.parametrize(("dtype", "small"), [(torch.float64, 1e-8), (torch.float32, 1e-2)])
def test_the_default_step_is_near_the_best(sigma, dtype: torch.dtype, small: float) -> None:
    memory = MLPMemory.sample(
        32, 64, m=1024, k=2, activation=Activation.read(sigma), seed=1, dtype=dtype
    )
    exact = memory.apply(memory.inputs.double())

    def off(scale: float | None) -> float:
        network = memory.network(scale)
        return float((network.apply(network.inputs).double() - exact).norm() / exact.norm())

    best = min(off(10 ** (e / 2)) for e in range(-16, 0))
    assert off(None) < min(5 * best, small)
    network = memory.network()
    assert len(network.hidden) == 2 * 1024
    # In the precision it is stored in, it recalls what the memory recalls.
    images = network.apply(network.inputs)
    assert torch.equal(margins(network, images) > 0, margins(memory, exact) > 0)
    assert recall(network).correct == recall(memory).correct


def test_a_network_of_a_silent_memory_is_finite() -> None:
    e, u, f, w, v = facts(4, 3, 5, 6, seed=0)
    silent = MLPMemory(e, u, f, w, torch.zeros_like(v), ACTIVATIONS[0], 2)
    assert not silent.network().apply(e).any()


# Errors


def bad_parts() -> list[tuple[str, dict[str, object]]]:
    *_, w, v = facts(4, 3, 5, 6, seed=0)
    infinite = w.clone()
    infinite[2, 1] = math.inf
    return [
        ("readout has d = 3", {"readout": v[:, :3]}),
        ("hidden has d = 4, torch.float32", {"hidden": w.float()}),
        ("hidden: row 2", {"hidden": infinite}),
        ("hidden has 5 rows but readout 6", {"hidden": w[:5]}),
        ("k = -1", {"k": -1}),
        ("sign = 2", {"sign": 2}),
    ]


@pytest.mark.parametrize(("match", "change"), bad_parts(), ids=lambda x: str(x)[:24])
def test_bad_parts_are_refused(match: str, change: dict[str, object]) -> None:
    names = ("inputs", "outputs", "association", "hidden", "readout")
    parts = dict(zip(names, facts(4, 3, 5, 6, seed=0), strict=True))
    arguments = {**parts, "activation": ACTIVATIONS[0], "k": 2, **change}
    with pytest.raises(InputError, match=match):
        MLPMemory(**arguments)


def test_bad_arguments_are_refused() -> None:
    for change in ({"m": 0}, {"k": 24}, {"d": 0}):
        arguments = {"d": 4, "N": 3, "m": 5, "activation": ACTIVATIONS[0], "seed": 0, **change}
        with pytest.raises(InputError):
            MLPMemory.sample(**arguments)
    memory = MLPMemory(*facts(4, 3, 5, 6, seed=0), ACTIVATIONS[0], 2)
    for scale in (0.0, -1.0, math.inf, math.nan):
        with pytest.raises(InputError, match="scale"):
            memory.network(scale)
