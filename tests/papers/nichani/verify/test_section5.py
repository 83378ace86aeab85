"""Sec. 5, Lemmas 4, 5 and 7, Theorem 5: the counterexample worked out again."""

from fractions import Fraction

import numpy as np
import pytest

from proofs.gradient_flow import comparison
from verify.checks.computed import at_most, integration, no_difference
from verify.printed.formula import Formula, FormulaError
from verify.verdict import Verdict

SLACK = integration(1e-6)


def test_the_upper_bound_of_lemma_7_worked_out_again(registry):
    claim = registry["nichani.lem7.upper"]
    # z = 1 for all t, A = B = 1, e^t = 5/2: 0 = z' <= 2, and the right side is -5.
    assert claim.formulas["bound"].on(A=1.0, B=1.0, z=1.0, E=2.5) == -5
    witness = comparison.upper(claim.formulas["bound"].field(), everywhere=True).witness
    assert witness == {
        "A": 1,
        "B": 1,
        "z(0)": 1,
        "e^(At)": Fraction(5, 2),
        "z(t)": "1 for all t, z' = 0",
        "stated": -5,
    }


def test_formulas_are_evaluated_at_arrays_of_any_shape():
    formula = Formula.parse("-k*C*(t - p)**2/3")
    k, C = np.array([1.0, 2.0]), np.array([[3.0], [4.0]])
    found = formula.on(k=k, C=C, t=1.0, p=0.5)
    np.testing.assert_allclose(found, -k * C * 0.25 / 3)
    with pytest.raises(FormulaError, match="no value for C, p, t; those given: k"):
        formula.on(k=1.0)


def test_a_difference_counts_beside_its_scale():
    assert no_difference([("a", 1e-9, 1.0)], "here", slack=SLACK).verdict is Verdict.SUPPORTED
    assert no_difference([("a", 1e-9, 1e-6)], "here", slack=SLACK).verdict is Verdict.REFUTED


def test_a_record_names_the_values_nearest_to_their_bounds():
    found = at_most([(f"value {i}", float(i), 50.0) for i in range(50)], "here", slack=SLACK)
    assert found.summary == "50 values agree"
    assert len(found.steps) == 20
    assert found.steps[0].startswith("value 49:")
