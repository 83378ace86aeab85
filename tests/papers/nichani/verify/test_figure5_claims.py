"""The claims on Figure 5: what refutes the printed plateau, and that a missing stage is noticed."""

import math

import numpy as np
import pytest

from verify.claim import Road
from verify.verdict import Verdict


@pytest.fixture
def measured(judge):
    """The evidence of the one measurement of a claim where the runs of the figure are *store*."""

    def found(id_, store):
        context = judge.fresh()
        context.store.update(store)
        (found,) = judge.all(id_, [Road.NUMERICS], context=context)
        return found

    return found


def curves(relation, subject):
    from numerics.papers.nichani.figure5 import Curves

    relation, subject = np.asarray(relation, float), np.asarray(subject, float)
    return Curves(np.arange(len(subject), dtype=float), subject + relation, relation, subject)


def test_log_d_is_refuted_by_a_table_a_reader_can_check(judge):
    found = judge("nichani.fig5.plateau")
    assert found.verdict is Verdict.REFUTED
    assert found.counterexample["table"] == "S = 16, R = 4, D = 8"
    counts = found.counterexample["subjects of the answers of each relation"]
    assert counts == "9, 1, 1, 1, 1, 1, 1, 1"
    by_hand = math.log(16) - 9 / 16 * math.log(9)
    assert float(found.counterexample["loss of p*(. | r)"]) == pytest.approx(by_hand)


@pytest.mark.parametrize(
    ("relation", "subject", "verdict"),
    [
        ([1.5, 0.03, 0.0], [2.1, 1.8, 0.1], Verdict.SUPPORTED),
        ([1.5, 0.30, 0.0], [2.1, 1.8, 0.1], Verdict.REFUTED),
        ([1.5, 1.20, 0.0], [2.1, 0.03, 0.0], Verdict.REFUTED),
    ],
    ids=["the stage is there", "it is not", "only the opposite one is"],
)
def test_a_training_without_the_stage_is_noticed(measured, relation, subject, verdict):
    store = {("figure 5", "trainings"): {0: curves(relation, subject)}}
    assert measured("nichani.fig5.right", store).verdict is verdict


@pytest.mark.parametrize("claim", ["plateau.corrected", "plateau.explicit.run", "relation-loss"])
def test_a_run_that_never_comes_near_the_law_of_a_relation_is_noticed(measured, claim):
    from numerics.papers.nichani.figure5 import Run, Sizes, entropy_given_relation

    world = Sizes().world(0)
    far = Run(
        "far",
        world,
        curves([1.5, 0.4, 0.0], [2.1, 1.8, 0.1]),
        np.array([0.4, 0.3, 0.9]),
        entropy_given_relation(world),
        None,
    )
    found = measured(f"nichani.fig5.{claim}", {("figure 5", "runs"): [far]})
    assert found.verdict is Verdict.REFUTED
