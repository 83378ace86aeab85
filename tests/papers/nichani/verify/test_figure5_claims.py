"""The claims on Figure 5: what refutes the printed plateau, and that a missing stage is noticed."""

import math

import numpy as np
import pytest

from verify.catalogue import catalogue
from verify.claim import Road
from verify.measuring.context import Context
from verify.verdict import Verdict


def judged(claim, road, *, store=None, printed=None):
    """The evidence of the one check of a claim on a road."""
    registry = catalogue()
    (check,) = registry.checks(claim, [road])
    context = Context(formulas=lambda id_: registry[id_].formulas)
    context.store.update(store or {})
    return check.run(printed or registry[claim].formulas, context)


def curves(relation, subject):
    from numerics.papers.nichani.figure5 import Curves

    relation, subject = np.asarray(relation, float), np.asarray(subject, float)
    return Curves(np.arange(len(subject), dtype=float), subject + relation, relation, subject)


def test_log_d_is_refuted_by_a_table_a_reader_can_check():
    found = judged("nichani.fig5.plateau", Road.PROOFS)
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
def test_a_training_without_the_stage_is_noticed(relation, subject, verdict):
    store = {("figure 5", "trainings"): {0: curves(relation, subject)}}
    assert judged("nichani.fig5.right", Road.NUMERICS, store=store).verdict is verdict


@pytest.mark.parametrize("claim", ["plateau.corrected", "plateau.explicit.run", "relation-loss"])
def test_a_run_that_never_comes_near_the_law_of_a_relation_is_noticed(claim):
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
    found = judged(f"nichani.fig5.{claim}", Road.NUMERICS, store={("figure 5", "runs"): [far]})
    assert found.verdict is Verdict.REFUTED
