"""True networks beside their linearisation: orders of the deviation, and the closed form."""

import math

import pytest

from numerics.papers.nichani import mlp_linearisation
from numerics.papers.nichani.mlp_linearisation import closed_form_deviation, deviations

# Forward derivatives load parts of torch that warn of themselves.
pytestmark = pytest.mark.filterwarnings("ignore:.torch.jit.script:DeprecationWarning")

PAIRED = {"weights": (0.5, -0.5), "shifts": (1.0, -1.0)}
CLOSED = {"scale": 1 / 6, "more": 0, "key": 1, "derivative": 1, "m": 6}


@pytest.mark.parametrize("seed", [0, 5])
def test_paired_neurons_come_near_with_the_square(seed):
    scales = (4e-2, 2e-2, 1e-2)
    far, middle, near = deviations(**PAIRED, scales=scales, seed=seed)
    assert far < 1
    for large, small in ((far, middle), (middle, near)):
        assert math.log2(large / small) == pytest.approx(2, abs=1e-3)


def test_one_copy_diverges_as_the_reciprocal():
    far, near = deviations((1.0,), (1.0,), (1e-2, 1e-3), seed=1)
    assert near / far == pytest.approx(10, rel=0.1)
    assert far > 10


def test_a_one_sided_difference_is_of_the_first_order():
    far, near = deviations((1.0, -1.0), (1.0, 0.0), (1e-2, 1e-3), seed=1)
    assert far / near == pytest.approx(10, rel=0.1)


@pytest.mark.parametrize(
    ("weights", "shifts", "limit"),
    [
        ((0.5, 0.5), (1.0, -1.0), 10.0),
        ((1.0, -1.0), (1.0, -1.0), 0.5),
        ((0.5, -0.5), (1.0, 1.0), 0.5),
    ],
)
def test_other_pairings_stay_away(weights, shifts, limit):
    assert min(deviations(weights, shifts, (1e-2, 1e-3), seed=2)) > limit


def test_doubled_weights_double_the_limit():
    """F tends to 2 F_NTK, so the deviation to 1; without any move it is F_NTK itself."""
    (double,) = deviations((1.0, -1.0), (1.0, -1.0), (1e-3,), seed=3)
    (none,) = deviations((0.5, -0.5), (1.0, 1.0), (1e-3,), seed=3)
    assert double == pytest.approx(1, abs=1e-4)
    assert none == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_closed_form_is_the_derivative_of_the_network(seed):
    assert closed_form_deviation(**CLOSED, seed=seed) < 1e-12


@pytest.mark.parametrize(
    "change",
    [
        {"scale": 1 / 3},
        {"scale": 1.0},
        {"scale": -1 / 6},
        {"more": 1},
        {"key": 0},
        {"key": 2},
        {"derivative": 0},
        {"derivative": 2},
    ],
    ids=str,
)
def test_another_closed_form_is_noticed(change):
    assert closed_form_deviation(**{**CLOSED, **change}, seed=0) > 0.05


def test_the_width_enters_through_the_factor():
    assert closed_form_deviation(**{**CLOSED, "m": 11, "scale": 1 / 11}, seed=0) < 1e-12
    assert closed_form_deviation(**{**CLOSED, "m": 11}, seed=0) > 0.05


def test_a_network_whose_derivative_is_wrong_is_noticed(monkeypatch):
    """The derivative is the one of the network, not the closed form again."""
    exact = mlp_linearisation._linearised

    def doubled(*arguments):
        return 2 * exact(*arguments)

    monkeypatch.setattr(mlp_linearisation, "_linearised", doubled)
    assert closed_form_deviation(**CLOSED, seed=0) > 0.05
    assert deviations(**PAIRED, scales=(1e-3,), seed=0)[0] == pytest.approx(0.5, abs=1e-3)
