"""Counts of independent draws against their law, exactly."""

import numpy as np
import pytest
from scipy import stats

FALSE_ALARM = 1e-9


@pytest.fixture
def follows():
    """Whether counts of independent draws agree with their chances.

    Each count is binomial: two exact tails of each, and Bonferroni over all of them, so that a
    right law is rejected with chance below FALSE_ALARM.
    """

    def agree(counts, chances):
        counts, chances = np.asarray(counts), np.asarray(chances, dtype=float)
        n = counts.sum()
        tails = np.minimum(
            stats.binom.cdf(counts, n, chances), stats.binom.sf(counts - 1, n, chances)
        )
        return bool((2 * counts.size * tails >= FALSE_ALARM).all())

    return agree
