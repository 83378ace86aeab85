"""Intervals keep their promise: false alarms stay below the stated error, wrong values are excluded."""

import numpy as np
import pytest

from verify.context import DEFAULT_BUDGET, SHARES, Context
from verify.statistics import bounded_mean, look_share, proportion

SEEDS = 2000


def misses(error: float, looks: int, interval) -> int:
    """How often, over SEEDS runs, some look's interval excludes the true mean 0.3 of {0, 1}."""
    generator = np.random.default_rng(7)
    missed = np.zeros(SEEDS, dtype=bool)
    values = generator.random((SEEDS, 64 * 2 ** (looks - 1))) < 0.3
    for look in range(1, looks + 1):
        part = values[:, : 64 * 2 ** (look - 1)]
        means, variances = part.mean(axis=1), part.var(axis=1, ddof=1)
        for run in range(SEEDS):
            found = interval(means[run], variances[run], part.shape[1], error, look)
            missed[run] |= found.excludes(0.3)
    return int(missed.sum())


@pytest.mark.parametrize("error", [0.05, 0.2])
def test_bounded_mean_keeps_its_error_over_all_looks(error):
    count = misses(error, 3, lambda m, v, n, e, look: bounded_mean(m, v, n, 1.0, e, look))
    assert proportion(count, SEEDS, 1e-6).low <= error


def test_the_same_bench_rejects_an_interval_that_ignores_looking_again():
    def naive(mean, variance, n, error, look):
        return bounded_mean(mean, variance / 12, n, 0.0, error, 1)

    assert proportion(misses(0.05, 3, naive), SEEDS, 1e-6).low > 0.05


@pytest.mark.parametrize("error", [0.05, 0.2])
@pytest.mark.parametrize("chance", [0.02, 0.5])
def test_proportion_keeps_its_error(error, chance):
    generator = np.random.default_rng(11)
    counts = generator.binomial(50, chance, size=SEEDS)
    missed = sum(proportion(int(c), 50, error).excludes(chance) for c in counts)
    assert proportion(missed, SEEDS, 1e-6).low <= error


@pytest.mark.parametrize(
    ("count", "low", "high"), [(0, 0.0, 1 - 0.025**0.1), (10, 0.025**0.1, 1.0)]
)
def test_proportion_is_exact_at_the_ends(count, low, high):
    found = proportion(count, 10, 0.05)
    assert found.low == pytest.approx(low, rel=1e-12)
    assert found.high == pytest.approx(high, rel=1e-12)


def test_the_shares_of_the_looks_never_exceed_the_error():
    assert sum(look_share(0.1, look) for look in range(1, 1000)) < 0.1


def test_one_replicate_is_refused():
    with pytest.raises(ValueError, match="replicates: 1"):
        bounded_mean(0.0, 0.0, 1, 1.0, 0.1)


def test_the_share_of_a_check_does_not_depend_on_what_else_runs():
    assert Context().share == DEFAULT_BUDGET / SHARES == Context(seed=5).share
