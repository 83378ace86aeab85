"""The places at which the proofs are measured: what is measured there, and that wrong steps are seen."""

from dataclasses import replace

import pytest

from verify.checks.theorem import Proof
from verify.checks.trial import decide
from verify.claim import Road
from verify.statistics import AtMost
from verify.verdict import Verdict

#: Cases at the places of each claim, and how many times too small a bound must be to be refuted.
MEASURED = {
    "nichani.thm1.explicit.chernoff": (21, 10),
    "nichani.thm1.explicit.integral": (15, 10),
    "nichani.thm1.explicit.closed-form": (25, 10),
    "nichani.cor2.explicit.integral": (19, 10),
    "nichani.cor2.explicit.closed-form": (29, 10),
    "nichani.lem2.concentration": (50, 20),
    "nichani.lem12": (12, 10),
    "nichani.lem13.corrected": (2, 10),
    "nichani.lem14.moment.corrected": (18, 10),
    "nichani.lem14.corrected": (42, 20),
}
#: Proofs of one step or of none that is random; what they say is measured elsewhere.
WITHOUT = {
    "nichani.thm1.explicit.mgf",
    "nichani.thm1.explicit.law",
    "nichani.cor2.range",
    "nichani.cor2.rounding",
    "nichani.cor2.l1",
    "nichani.cor2.margin-quantised",
    "nichani.lem2.degree",
    "nichani.lem14.markov",
    "nichani.lem14.choose-q.corrected",
}


def steps_of(registry, id_):
    return next(it for it in registry.checks(id_) if it.method == "steps of the proof")


def test_every_proof_is_measured_step_by_step_or_has_no_step_to_measure(registry):
    proved = {
        claim.id
        for claim in registry
        if claim.recorded is Verdict.PROVED
        and any(type(it.run) is Proof for it in registry.checks(claim.id, [Road.PROOFS]))
    }
    steps = {
        claim.id
        for claim in registry
        if any(it.method == "steps of the proof" for it in registry.checks(claim.id))
    }
    assert steps == set(MEASURED)
    assert proved == steps | WITHOUT


@pytest.mark.parametrize("id_", MEASURED)
def test_what_is_measured_is_finite_and_below_one_where_it_is_a_probability(id_, judge):
    cases = steps_of(judge.registry, id_).cases(judge.registry[id_].formulas, judge.context)
    many, within = MEASURED[id_]
    assert len(cases) == many
    assert len({(case.symbol, *case.sizes.items()) for case in cases}) >= many / 2
    for case in cases:
        assert isinstance(case.claim, AtMost)
        assert case.claim.printed == pytest.approx(within * case.claim.too_small)
        if case.symbol.partition(": ")[2].startswith("P("):
            assert case.claim.printed <= 1


def test_any_step_of_the_tail_of_a_margin_with_a_bound_ten_times_too_small_is_refuted(judge):
    id_ = "nichani.thm1.explicit.chernoff"
    cases = steps_of(judge.registry, id_).cases(judge.registry[id_].formulas, judge.context)
    for case in cases:
        wrong = replace(case, claim=AtMost(case.claim.printed / 10))
        assert decide([wrong], judge.context).verdict is Verdict.REFUTED, case.symbol


def test_half_of_an_exponent_in_the_middle_of_the_proof_is_refuted(judge):
    """Of the moment generating functions, by far less than a factor ten."""
    id_ = "nichani.thm1.explicit.chernoff"
    cases = steps_of(judge.registry, id_).cases(judge.registry[id_].formulas, judge.context)
    growing = [case for case in cases if case.claim.printed > 1]
    assert len(growing) == 5
    for case in growing:
        wrong = replace(case, claim=AtMost(case.claim.printed**0.5))
        assert decide([wrong], judge.context).verdict is Verdict.REFUTED, case.symbol
