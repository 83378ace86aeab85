"""The moments among the cases of the engine are those of an enumeration.

A case has the engine's words for a text; here its value is compared with the second exact road, which
lists all vectors of a support that has the same moments.
"""

import pytest

from proofs.cases import moments
from proofs.moments import cross_check, mean

#: No small instance has two blocks of three inputs: two independent unit vectors, by hand.
BY_HAND = {"<u[h(x)], u[h(x2)]>^2": "1/d"}


def asked():
    """Of what the cases tell moments: expression, conditions, order."""
    found = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            moments, "told", lambda one, given=(), order=1: found.append((one, given, order))
        )
        for tried, _ in moments.HOLDS:
            tried()
    return found


ASKED = asked()


@pytest.mark.parametrize("number", range(len(ASKED)))
def test_a_case_says_what_enumeration_says(number):
    one, given, order = ASKED[number]
    if str(one) in BY_HAND and len(given) == 2:
        assert str(mean(one, given).value) == BY_HAND[str(one)]
        return
    found = cross_check([one] * order, given, trials=2, dimensions=(1, 2))
    assert found.comparisons
    assert all(it.agree for it in found.comparisons), str(found)


def test_enough_cases_are_compared():
    assert len(ASKED) > 60
