"""Arguments of the flow that would be misread are refused, with the remedy; others are taken."""

import math
from fractions import Fraction

import numpy as np
import pytest
import torch

from numerics import FactTable, InputError
from numerics.flow import (
    FlowWorld,
    LogWeights,
    SymmetricWorld,
    Weights,
    balanced,
    balanced_log,
    conserved,
    equal,
    expand,
    gradient_descent,
    integrate,
    integrate_log,
    log_losses,
    losses,
    random,
    sgd,
    to_log,
)
from numerics.flow.log_weights import Kept

WORLD = FlowWorld(FactTable([[0, 2], [1, 3]]), T=4, noise=2)
GOOD, LOGS = balanced(WORLD, 0.5), balanced_log(WORLD, -1.0)
WHOLE = integrate(WORLD, GOOD, until=1.0, samples=3)
SYMMETRIC = SymmetricWorld(4, 8, 2, -5.0)


def prior_world(prior):
    return FlowWorld(FactTable([[0, 2], [1, 3]]), T=4, noise=2, prior=prior)


def ones(dtype):
    return Weights(np.ones((4, 6), dtype=dtype), np.ones(6, dtype=dtype))


USES = [
    lambda w: losses(WORLD, w),
    lambda w: conserved(WORLD, w),
    lambda w: expand(WORLD, w),
    lambda w: integrate(WORLD, w, until=1.0),
    lambda w: gradient_descent(WORLD, w, rate=0.1, steps=2),
    to_log,
]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.float32, np.complex128, bool, object])
def test_other_dtypes_are_refused_with_the_cast(use, dtype):
    with pytest.raises(
        InputError, match=r"weights.ov has dtype \w+: pass weights.ov.astype\(np.fl"
    ):
        use(ones(dtype))
    with pytest.raises(
        InputError, match=r"weights.kq has dtype \w+: pass weights.kq.astype\(np.fl"
    ):
        use(Weights(GOOD.ov, ones(dtype).kq))


@pytest.mark.parametrize("use", USES)
def test_what_is_no_array_is_refused(use):
    with pytest.raises(
        InputError, match=r"weights.ov is of type list: pass a numpy array of float64"
    ):
        use(Weights(GOOD.ov.tolist(), GOOD.kq))
    with pytest.raises(InputError, match=r"weights.kq is of type Tensor: pass a numpy array"):
        use(Weights(GOOD.ov, torch.ones(6)))
    with pytest.raises(InputError, match=r"weights.ov is of type MaskedArray"):
        use(Weights(np.ma.masked_array(GOOD.ov), GOOD.kq))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        # Weights and their logarithms.
        (lambda: losses(WORLD, LOGS), "weights are of type LogWeights: pass Weights"),
        (lambda: log_losses(WORLD, GOOD), "weights are of type Weights: pass LogWeights"),
        (lambda: sgd(WORLD, ones(np.int8), rate=1.0, steps=1, batch=1, seed=0), "dtype int8"),
        (
            lambda: to_log(Weights(GOOD.ov, np.full(6, math.nan))),
            "weights.kq holds a NaN or an infinity",
        ),
        (lambda: to_log(Weights(GOOD.ov * math.inf, GOOD.kq)), "weights.ov holds a NaN or an inf"),
        (lambda: to_log(Weights(GOOD.ov, GOOD.kq * 0)), r"weights.kq\[0\] = 0.0 has no logarithm"),
        (
            lambda: to_log(Weights(GOOD.ov, GOOD.kq[1:])),
            r"shapes \(4, 6\) and \(5,\): pass \(A, Z\) and \(Z,\)",
        ),
        (
            lambda: to_log(Weights(GOOD.ov, np.full(6, 1e-320))),
            "weights.ov over weights.kq is beyond all floats",
        ),
        (
            lambda: log_losses(WORLD, LogWeights(LOGS.log_kq[1:], LOGS.ratio)),
            r"weights.log_kq has shape \(5,\), not \(6,\), as LogWeights of this world",
        ),
        (
            lambda: log_losses(WORLD, LogWeights(LOGS.log_kq, LOGS.ratio * math.nan)),
            "weights.ratio holds a NaN or an infinity",
        ),
        (
            lambda: log_losses(WORLD, LogWeights(LOGS.log_kq.astype(np.float32), LOGS.ratio)),
            "weights.log_kq has dtype float32",
        ),
        (
            lambda: log_losses(
                WORLD,
                LogWeights(
                    LOGS.log_kq, LOGS.ratio, Kept(np.ones((2, 6)), np.ones((2, 6)) * math.nan)
                ),
            ),
            "weights.kept.spread holds a NaN or inf",
        ),
        # Scales.
        (lambda: balanced(WORLD, 1e200), r"scale = 1e\+200 is out of reach: pass one up to 1e\+40"),
        (lambda: random(WORLD, 1e41, seed=0), r"scale = 1e\+41 is out of reach"),
        (lambda: equal(WORLD, 10**400), "scale is beyond all floats: pass one above 0"),
        (lambda: balanced_log(WORLD, 10**400), "log_scale is beyond all floats"),
        (lambda: balanced_log(WORLD, -1e13), r"log_scale = -10000000000000.0 is out of reach"),
        (lambda: SymmetricWorld(2, 2, 1, 10**400), "log_scale is beyond all floats"),
        # Times.
        (
            lambda: integrate(WORLD, GOOD, until=10**400),
            "until is beyond all floats: pass one above 0",
        ),
        (lambda: integrate(WORLD, GOOD, until=1e301), r"until = 1e\+301 is above 1e\+300"),
        (lambda: integrate(WORLD, GOOD, until=1 + 1j), r"until = \(1\+1j\) is no number"),
        (
            lambda: integrate(WORLD, GOOD, start=1e6, until=1e6 + 1e-9),
            "less than 16 spacings of floats above start = 1000000.0: take start = 0",
        ),
        (
            lambda: integrate_log(WORLD, LOGS, start=-1e16, until=-1e16 + 8),
            "less than 16 spacings of floats",
        ),
        (lambda: WHOLE.at("x"), "time = 'x' is no number: pass one in 0.0..1.0"),
        (lambda: WHOLE.at(None), "time = None is no number"),
        (lambda: WHOLE.at(math.nan), "time = nan is no finite number"),
        (lambda: SYMMETRIC.at("x"), r"times of type str is no array of real numbers: pass one row"),
        (lambda: SYMMETRIC.at([1j]), "times of type list is no array of real numbers"),
        (lambda: SYMMETRIC.at([[1.0]]), "times are not numbers in 0"),
        (lambda: SYMMETRIC.escape_times("x"), "gain = 'x' is no number"),
        (
            lambda: integrate(WORLD, GOOD, until=1.0, samples=np.int64(5)),
            r"samples = .*5.* is not an integer: pass a plain int",
        ),
        (
            lambda: integrate(WORLD, GOOD, until=1.0, samples="5"),
            "samples of type str is no array of real numbers: pass their number, or rising times",
        ),
        (
            lambda: integrate(WORLD, GOOD, until=1.0, samples=np.array([0.5 + 1j])),
            "samples of type ndarray is no array of real numbers",
        ),
        # What controls a run.
        (
            lambda: integrate(WORLD, GOOD, until=1.0, rtol=1),
            "rtol = 1 is above 0.01: pass one above",
        ),
        (lambda: integrate(WORLD, GOOD, until=1.0, rtol=0.011), "rtol = 0.011 is above 0.01"),
        (lambda: integrate_log(WORLD, LOGS, until=1.0, rtol=1000.0), "rtol = 1000.0 is above 0.01"),
        (lambda: integrate(WORLD, GOOD, until=1.0, progress=3), "progress = 3 cannot be called"),
        (
            lambda: integrate_log(WORLD, LOGS, until=1.0, progress=3),
            "progress = 3 cannot be called",
        ),
        (lambda: gradient_descent(WORLD, GOOD, rate=10**400, steps=1), "rate is beyond all floats"),
        (lambda: gradient_descent(WORLD, GOOD, rate=1j, steps=1), "rate = 1j is no number"),
        # Chances.
        (
            lambda: prior_world(np.full((2, 2), 0.25 + 0j)),
            "prior of type ndarray is no array of real",
        ),
        (
            lambda: prior_world([["0.25", "0.25"], ["0.25", "0.25"]]),
            "prior of type list is no array",
        ),
        (
            lambda: prior_world([[0.25, 0.25], [0.5]]),
            "prior of type list is no array of real numbers",
        ),
        (lambda: prior_world(np.full((2, 2), 0.25 + 1e-8)), "prior sums to 1.00000004: divide it"),
        (lambda: prior_world(np.full((2, 2), 0.25 - 1e-8)), "prior sums to 0.99999996: divide it"),
    ],
)
def test_what_is_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()


def test_numbers_of_numpy_and_fractions_are_numbers():
    found = integrate(WORLD, balanced(WORLD, np.float64(0.5)), until=np.int64(1), samples=3)
    np.testing.assert_array_equal(found.ov, WHOLE.ov)
    np.testing.assert_array_equal(found.at(np.float32(0.5)).ov, WHOLE.at(0.5).ov)
    quarter = Fraction(1, 4)
    np.testing.assert_array_equal(prior_world([[quarter, quarter]] * 2).prior, 0.25)
    np.testing.assert_allclose(prior_world(np.full((2, 2), 0.25 + 1e-11)).prior, 0.25, rtol=1e-15)


def test_the_largest_scale_of_a_start_can_be_used():
    for start in (
        balanced(WORLD, 1e40),
        equal(WORLD, 1e40),
        random(WORLD, 1e40, seed=0, full=False),
    ):
        assert math.isfinite(losses(WORLD, start).total)
    assert math.isfinite(log_losses(WORLD, balanced_log(WORLD, 90.0)).total)
    assert integrate_log(WORLD, balanced_log(WORLD, -1e12), until=1.0).finished


@pytest.mark.parametrize("rtol", [1e-2, 2.4e-14])
def test_the_ends_of_the_tolerances_can_be_used(rtol):
    assert integrate(WORLD, GOOD, until=0.1, rtol=rtol).finished
