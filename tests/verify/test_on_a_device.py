"""Moments that are measured on a device: the verdicts of the CPU, intervals wider by a proved bound."""

from dataclasses import replace

import pytest

from numerics.certified import Followed
from numerics.contracts.pretended import pretended_cuda
from numerics.observables import Bounded
from numerics.random import Stream, replicate_spheres
from verify.catalogue import catalogue
from verify.checks.trial import decide
from verify.claim import Road
from verify.measuring import draws
from verify.measuring.case import Case
from verify.measuring.context import Context
from verify.measuring.draws import Call, Drawing
from verify.measuring.measure import Experiment, Statistic, View
from verify.running.checking import run_check
from verify.running.kept import KeptSamples
from verify.statistics import Between
from verify.verdict import Verdict

REGISTRY = catalogue()


def squares(*, replicates, seed, start, d):
    """The square of a coordinate of a unit vector, of mean 1/d."""
    x = replicate_spheres(replicates, 1, d, stream=Stream(seed, "squares"), start=start)
    return {"value": Bounded((x[:, 0, 0] ** 2).clamp(max=1.0), 0.0, 1.0)}


SQUARES = Experiment("squares", squares)
CASE = Case.of("E x^2", SQUARES, "value", {"d": 4}, Between(0.25, 0.25, 0.05))


@pytest.fixture
def on_device():
    with pretended_cuda() as used:
        yield used


def test_a_drawing_says_how_far_rounding_may_have_moved_a_value(on_device):
    drawn = Drawing(squares, 1, {"d": 4}, device="cuda")(Call(256, 256))
    alone = Drawing(squares, 1, {"d": 4})(Call(256, 256))
    assert on_device.kernels
    assert 0 < drawn.errors["value"] < 1e-14
    assert not alone.errors
    assert (drawn.observables["value"].values == alone.observables["value"].values).all()


def test_what_cannot_be_vouched_for_there_is_drawn_on_the_cpu(on_device):
    def sorted_squares(**given):
        (value,) = squares(**given).values()
        return {"value": replace(value, values=value.values.sort().values)}

    drawn = Drawing(sorted_squares, 1, {"d": 4}, device="cuda")(Call(0, 256))
    assert not drawn.errors
    assert drawn.observables["value"].values.device.type == "cpu"


def test_a_device_whose_values_are_farther_off_than_rounding_is_not_believed(monkeypatch):
    def followed(draw, device, **given):
        (value,) = draw(**given).values()
        return Followed({"value": replace(value, values=value.values + 1e-9)}, {"value": 1e-10})

    monkeypatch.setattr("numerics.certified.followed", followed)
    with pytest.raises(
        ArithmeticError, match=r"value: .* 1e-09 apart.* by 1e-10 at most; use --device cpu"
    ):
        decide([CASE], Context(device="cuda"))
    # The first call is compared, and no other.
    assert Drawing(squares, 1, {"d": 4}, device="cuda")(Call(256, 256)).errors == {"value": 1e-10}


def test_an_interval_is_wider_by_what_rounding_may_have_done(monkeypatch):
    there = 0.125

    def followed(draw, device, **given):
        return Followed(draw(**given), {"value": there})

    monkeypatch.setattr("numerics.certified.followed", followed)
    statistic = Statistic.of(SQUARES, "value", {"d": 4})
    here = View(Context(), 1e-3, 3).interval(statistic)
    wider = View(Context(device="cuda"), 1e-3, 3).interval(statistic)
    assert wider.low <= here.low - there <= wider.low + 1e-15
    assert wider.high - 1e-15 <= here.high + there <= wider.high
    assert (wider.estimate, wider.replicates) == (here.estimate, here.replicates)


@pytest.mark.parametrize("wrong", ["undecided", "a control that is not met"])
def test_what_the_bound_leaves_open_is_decided_on_the_cpu(monkeypatch, wrong):
    devices = []

    def followed(draw, device, **given):
        devices.append(device)
        return Followed(draw(**given), {"value": 0.125})

    monkeypatch.setattr("numerics.certified.followed", followed)
    case = CASE if wrong == "undecided" else replace(CASE, control=True)
    context = Context(device="cuda")
    found = decide([case], context)
    assert set(devices) == {"cuda"}
    assert found == decide([case], Context())
    assert found.verdict is Verdict.SUPPORTED
    assert context.device == "cuda"


def test_what_is_false_is_refuted_there(on_device):
    wrong = replace(CASE, claim=Between(0.5, 0.5, 0.05))
    assert decide([wrong], Context(device="cuda")).verdict is Verdict.REFUTED
    assert on_device.kernels


def test_what_is_placed_by_its_own_arguments_is_left_where_it_is(monkeypatch):
    monkeypatch.setattr("numerics.certified.followed", lambda *a, **k: pytest.fail("asked"))
    placed = replace(SQUARES, placed=True)
    case = replace(CASE, statistic=Statistic.of(placed, "value", {"d": 4}))
    assert decide([case], Context(device="cuda")).verdict is Verdict.SUPPORTED


def test_what_is_kept_of_a_measurement_holds_its_bounds(on_device, tmp_path, monkeypatch):
    monkeypatch.setattr("verify.running.kept._WORTH", 0.0)
    kept = KeptSamples(tmp_path, {"seed": 0})
    statistic = Statistic.of(SQUARES, "value", {"d": 4})
    first = Context(device="cuda", kept=kept)
    found = View(first, 1e-3, 2).interval(statistic)
    monkeypatch.setattr(draws.Drawing, "__call__", lambda *a: pytest.fail("drawn again"))
    again = Context(device="cuda", kept=kept)
    assert View(again, 1e-3, 2).interval(statistic) == found
    (sample,) = again.store.values()
    assert sample.errors_at[1] == sample.errors == {"value": sample.errors["value"]}
    assert sample.errors["value"] > 0


#: Measured by moments of many kinds: matrices, frames, exponentials, norms, laws from a definition.
CLAIMS = (
    "nichani.thm1.mean",
    "nichani.thm1.explicit.law",
    "nichani.thm10.explicit.tail",
    "nichani.lem2.omega-sq-first",
)


@pytest.mark.parametrize("id_", CLAIMS)
def test_a_claim_has_the_verdict_that_it_has_on_the_cpu(id_, on_device):
    checks = [c for c in REGISTRY.checks(id_, [Road.NUMERICS]) if c.cases]
    assert checks
    for check in checks:
        formulas = lambda it: REGISTRY[it].formulas  # noqa: E731
        before = on_device.kernels
        there = run_check(check, REGISTRY[id_], Context(device="cuda", formulas=formulas))
        assert on_device.kernels > before
        here = run_check(check, REGISTRY[id_], Context(formulas=formulas))
        assert there.verdict is here.verdict, there
        for one, other in zip(there.detail["cases"], here.detail["cases"], strict=True):
            assert one["replicates"] == other["replicates"]
            assert one["interval"] == pytest.approx(other["interval"], abs=1e-5)
