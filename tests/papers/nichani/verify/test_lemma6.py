"""Lemma 6 line by line: the task that EOS decides, followed by the flow."""

import math
from fractions import Fraction

import numpy as np
import pytest


@pytest.mark.parametrize(
    ("name", "tokens", "measured"), [("frel", 2, "5.8252215e-6"), ("grad-diff", 3, "4.1190536e-6")]
)
def test_a_bound_without_the_relation_is_shown_as_stated(judge, name, tokens, measured):
    found = judge.counterexample(f"nichani.lem6.{name}")
    stated = tokens * float(found["alpha_sm^2"])
    assert float(found["bound, at most"]) == pytest.approx(stated, rel=1e-7)
    assert measured in found.values()


def test_the_flow_passes_where_the_counterexample_says():
    """The task of the counterexample, integrated, when sequences with relation 1 favour a by log 2."""
    from numerics.flow import FlowWorld, balanced_log, integrate_log
    from numerics.tasks import FactTable
    from proofs.algebra import RationalFunction
    from proofs.papers.nichani.training.eos_first import TokenBound, deviation_from_uniform

    printed = TokenBound(Fraction(0), RationalFunction.symbol("T"), Fraction(1))
    stated = deviation_from_uniform(printed).witness
    S = 100
    prior = np.tile([0.9 / S, 0.1 / S], (S, 1))
    world = FlowWorld(FactTable.structured(S, 2, 1), T=3, noise=0, prior=prior)
    path = integrate_log(world, balanced_log(world, math.log(1e-10)), until=60.0, samples=3001)

    def differences(weights):
        return weights.theta[0] - weights.theta[1]

    found = [differences(w) for w in path.weights]
    first = next(i for i, h in enumerate(found) if h[0] + h[S] + h[-1] >= math.log(2))
    weights, h = path[first], found[first]
    squares = np.exp(2 * weights.log_kq)
    assert h[-1] >= float(stated["logit difference of EOS, at least"])
    assert squares[S + 1] <= float(stated["W_KQ(r)^2, at most"])
    assert squares[0] <= float(stated["alpha_sm^2"])
    logit = h[0] + h[S + 1] + h[-1]
    deviation = math.tanh(logit / 2) / math.sqrt(2)
    assert deviation >= float(stated["|E[p-hat | r] - p0|, at least"])
    assert deviation >= 1e6 * (squares[S + 1] + world.T * squares[0])
