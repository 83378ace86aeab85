"""Float enumeration of learners: by hand, against other formulas, and bad input."""

import numpy as np
import pytest

from numerics.errors import InputError
from numerics.information import channels, learners, power_laws

ONE = np.array([1.0])


def test_losses_by_hand():
    assert learners.best_loss(ONE, 2, 1) == pytest.approx(0, abs=1e-12)
    assert learners.best_loss(ONE, 3, 1) == pytest.approx(2 / 3)
    assert learners.best_loss(ONE, 5, 0) == pytest.approx(np.log2(5))
    assert learners.best_loss(np.array([2 / 3, 1 / 3]), 2, 1) == pytest.approx(1 / 3)


def test_a_map_has_the_loss_of_its_blocks():
    maps = np.array([[0, 0, 1, 1], [0, 1, 1, 0], [0, 0, 0, 0], [0, 1, 1, 1]])
    found = learners.losses(maps, np.array([0.75, 0.25]), 2, 1)
    third = -(np.log2(1 / 3) / 3 + 2 * np.log2(2 / 3) / 3)
    assert found == pytest.approx([0.25, 1.0, 1.0, 0.75 * third])


def test_drawn_maps_come_from_the_seed_and_are_never_better_than_the_best():
    prior = power_laws.power_law(2, 1.0)
    first = learners.drawn_losses(prior, 2, 1, count=50, seed=4)
    assert (first == learners.drawn_losses(prior, 2, 1, count=50, seed=4)).all()
    assert first.min() >= learners.best_loss(prior, 2, 1) - 1e-12


def test_the_linear_program_pays_the_most_frequent_first():
    prior = np.array([0.5, 0.3, 0.2])
    assert learners.least_fractional_loss(prior, 2.0, 3.0) == pytest.approx(0.3 + 0.4)
    assert learners.least_fractional_loss(prior, 2.0, 7.0) == pytest.approx(0)


def test_drawn_learners_keep_the_steps_of_the_proof():
    count = 0
    for sample in channels.samples(3):
        q = sample.quantities
        assert q["T"] <= q["P"] + 1e-9
        assert q["P"] <= q["I"] + 1e-9
        assert q["I"] <= q["H"] + 1e-9
        assert q["H"] <= q["B"] + 1e-9
        assert (sample.losses >= sample.L - sample.informations - 1e-9).all()
        count += 1
    assert count > 50


def test_copies_are_counted_twice():
    assert channels.copied_bit() == pytest.approx(-1)


def test_power_laws():
    assert power_laws.power_law(2, 0.0) == pytest.approx([0.5, 0.5])
    assert power_laws.powers(3, 2.0) == pytest.approx([1, 1 / 4, 1 / 9])
    assert power_laws.tail(2, 2, 2.0) == pytest.approx(1 / 5)


@pytest.mark.parametrize(
    ("prior", "M", "B", "message"),
    [
        (ONE, 1, 1, "M = 1"),
        (ONE, 2, -1, "B = -1"),
        (np.array([0.5, 0.6]), 2, 1, "prior"),
        (np.array([1.5, -0.5]), 2, 1, "prior"),
        (np.full(5, 0.2), 2, 1, "more than 1000000 maps"),
    ],
)
def test_bad_input_is_refused(prior, M, B, message):
    with pytest.raises(InputError, match=message):
        learners.best_loss(prior, M, B)
