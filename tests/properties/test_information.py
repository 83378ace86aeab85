"""Shannon's inequalities for drawn joint laws, exactly; bounds on the loss for drawn learners."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numerics.information import learners as brute_force
from proofs.information import learners
from proofs.information.budgets import DERIVED, SHARP, fractional_loss
from proofs.information.entropy import ZERO, bits, entropy, log
from proofs.information.joint import Joint
from proofs.information.power_laws import power_law

OUTCOMES = list(itertools.product(range(2), range(3), range(2)))


@st.composite
def joint_laws(draw: st.DrawFn) -> Joint:
    """Of x, y, z with 2, 3 and 2 values; some outcomes may have probability 0."""
    weights = draw(st.lists(st.integers(0, 6), min_size=12, max_size=12).filter(any))
    total = sum(weights)
    pairs = zip(OUTCOMES, weights, strict=True)
    return Joint.of(("x", "y", "z"), {outcome: Fraction(w, total) for outcome, w in pairs})


def rows(count: int, of: int) -> st.SearchStrategy[list[list[Fraction]]]:
    """So many laws on so many values."""
    row = st.lists(st.integers(0, 4), min_size=of, max_size=of).filter(any)
    return st.lists(
        row.map(lambda w: [Fraction(v, sum(w)) for v in w]), min_size=count, max_size=count
    )


@given(joint_laws())
def test_shannon_inequalities(law):
    assert ZERO <= law.entropy("x") <= log(2)
    assert ZERO <= law.entropy("y") <= log(3)
    for left, right, given_ in itertools.permutations(("x", "y", "z")):
        assert law.conditional_entropy(left, right) >= ZERO
        assert law.mutual_information(left, right) >= ZERO
        assert law.mutual_information(left, right, given_) >= ZERO
        assert law.conditional_entropy(left, (right, given_)) <= law.conditional_entropy(
            left, right
        )


@given(joint_laws())
def test_chain_rules(law):
    assert law.entropy(("x", "y", "z")) == (
        law.entropy("x")
        + law.conditional_entropy("y", "x")
        + law.conditional_entropy("z", ("x", "y"))
    )
    assert law.mutual_information(("x", "y"), "z") == (
        law.mutual_information("x", "z") + law.mutual_information("y", "z", "x")
    )
    assert law.mutual_information("x", "y") == law.mutual_information("y", "x")


@given(joint_laws(), rows(3, 2))
def test_data_processing(law, kernel):
    further = law.channel("w", lambda y: dict(enumerate(kernel[y])), "y")
    assert further.is_markov(("x", "z"), "y", "w")
    assert further.mutual_information("x", "w") <= further.mutual_information("x", "y")


@given(joint_laws())
def test_superadditivity_up_to_dependence(law):
    parts = law.mutual_information("x", "z") + law.mutual_information("y", "z")
    whole = law.mutual_information(("x", "y"), "z")
    dependence = law.mutual_information("x", "y")
    assert whole >= parts - dependence
    assert whole - parts == law.mutual_information("x", "y", "z") - dependence


@given(joint_laws())
def test_bits_and_nats_of_the_same_quantity_agree_with_floats(law):
    p = np.array([float(q) for q in law.law.values()])
    found = law.entropy(("x", "y", "z"))
    assert float(found.nats()) == pytest.approx(float(-(p * np.log(p)).sum()), abs=1e-12)
    assert float(found.bits()) == pytest.approx(float(-(p * np.log2(p)).sum()), abs=1e-12)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6))
def test_entropy_does_not_depend_on_the_order_and_grows_when_values_are_split(weights):
    total = sum(weights)
    law = [Fraction(w, total) for w in weights]
    assert entropy(law) == entropy(sorted(law))
    split = [law[0] / 2, law[0] / 2, *law[1:]]
    assert entropy(split) == entropy(law) + law[0] * bits(1)


@given(st.sampled_from([(2, 2, 1), (2, 3, 1), (3, 2, 2), (2, 4, 3)]), st.integers(0, 3), st.data())
def test_no_drawn_encoder_is_below_the_bounds(sizes, alpha, data):
    N, M, B = sizes
    prior = power_law(N, alpha)
    encoder = tuple(data.draw(st.tuples(*[st.integers(0, 2**B - 1)] * M**N)))
    loss = learners.loss(prior, M, encoder)
    assert loss >= SHARP.value(prior, M, B) >= DERIVED.value(prior, M, B) >= ZERO
    assert SHARP.value(prior, M, B) == fractional_loss(prior, M, B)
    floats = np.array([[*encoder]])
    other = brute_force.losses(floats, np.array([float(p) for p in prior]), M, B)[0]
    assert float(loss.bits()) == pytest.approx(other, abs=1e-9)


@pytest.mark.parametrize("row", learners.table(2000), ids=str)
def test_exact_and_float_enumeration_find_the_same_best_learner(row):
    prior = np.array([float(p) for p in row.prior])
    found = brute_force.best_loss(prior, row.M, row.B)
    assert float(row.best.loss.bits()) == pytest.approx(found, abs=1e-9)
