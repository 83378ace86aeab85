"""Failure curves: what they measure, that nothing else depends on them, and how they are interrupted."""

import pytest

from verify import cli, curves
from verify.capacity import construction
from verify.curves import SUBJECTS, Subject, failure_curves

FEW = (Subject("linear", {"d": 16}, draws=30), Subject("quantized", {"d": 16, "bits": 1}, draws=20))


@pytest.fixture(scope="module")
def found():
    return failure_curves(seed=5, workers=0, subjects=FEW)


def test_every_subject_has_a_curve_in_its_order(found):
    assert [curve.text for curve in found] == [
        "linear memory, d = 16",
        "quantized memory, d = 16, bits = 1",
    ]
    assert [(curve.scale, curve.unit) for curve in found] == [(256, "d²")] * 2


def test_points_go_from_hardly_ever_to_nearly_always(found):
    for curve, subject in zip(found, FEW, strict=True):
        numbers = [point.N for point in curve.points]
        assert numbers == sorted(set(numbers))
        assert 3 <= len(numbers) <= 8
        assert {point.draws for point in curve.points} == {subject.draws}
        assert curve.points[0].failures < subject.draws / 5
        assert curve.points[-1].failures > subject.draws / 2
        for point in curve.points:
            assert point.low <= point.failures / point.draws <= point.high


def test_guides_are_there_at_every_point_and_are_those_of_the_memory(found):
    for curve, subject in zip(found, FEW, strict=True):
        built = construction(subject.memory, subject.sizes)
        at = {guide.N: guide for guide in curve.guides}
        assert list(at) == sorted(at)
        assert {point.N for point in curve.points} <= set(at)
        for guide in list(at.values())[::5]:
            bound = built.failure_bound(guide.N, None)
            assert guide.predicted == float(built.prediction.failure(guide.N))
            assert guide.bound == (None if bound is None else pytest.approx(float(bound)))


def test_processes_find_the_same_and_tell_how_far_they_are(found):
    shares = []
    again = failure_curves(seed=5, workers=2, subjects=FEW, progress=shares.append)
    assert again == found
    assert shares[0] == 0
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)


def test_another_seed_draws_other_memories(found):
    other = failure_curves(seed=6, workers=0, subjects=FEW[:1])[0]
    assert other.guides == found[0].guides
    assert other.points != found[0].points


def test_curves_of_one_memory_have_draws_of_their_own(monkeypatch):
    names = set()
    cls = type(construction("linear", {"d": 8}))

    def failures(self, N, M, draws, *, seed, name):
        assert name not in names
        names.add(name)
        return kept(self, N, M, draws, seed=seed, name=name)

    kept = cls.failures
    monkeypatch.setattr(cls, "failures", failures)
    failure_curves(
        seed=0,
        workers=0,
        subjects=[Subject("linear", {"d": d}, draws=2) for d in (8, 9)],
    )
    assert len(names) > 8
    assert all(name.startswith("failure curves: ") for name in names)


def test_all_memories_are_shown():
    assert {subject.memory for subject in SUBJECTS} == {"linear", "low-rank", "quantized", "mlp"}
    for subject in SUBJECTS:
        construction(subject.memory, subject.sizes)


# -- in a run --------------------------------------------------------------------------------------


@pytest.fixture
def whole(monkeypatch):
    """A run of one claim that counts as a run of all, and the calls for curves."""
    from verify import runner

    calls = []

    def run(registry, selected, settings, console, resume):
        return runner.run(registry, registry.select(["nichani.thm1.union"]), settings)

    def measured(*, seed, workers, progress):
        calls.append(seed)
        progress(1.0)
        return failure_curves(seed=seed, workers=0, subjects=FEW[1:])

    monkeypatch.setattr(cli, "_run", run)
    monkeypatch.setattr(cli, "missing", lambda registry: [])
    monkeypatch.setattr(curves, "failure_curves", measured)
    return calls


def test_the_standard_profile_draws_them_for_its_page(verify, whole, tmp_path):
    options = ("--profile", "standard", "--workers", "0", "--seed", "3")
    status, *_ = verify("run", *options, "--html", str(tmp_path / "page"))
    assert status == 0
    assert whole == [3]
    text = (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
    assert "quantized memory, d = 16, bits = 1" in text


@pytest.mark.parametrize(
    "options",
    [
        ["--html", "page"],
        ["--profile", "standard"],
        ["--profile", "standard", "--road", "proofs", "--html", "page"],
        ["nichani.thm1.union", "--profile", "standard", "--html", "page"],
    ],
    ids=["quick", "no page", "one road", "one claim"],
)
def test_other_runs_do_not(verify, whole, tmp_path, monkeypatch, options):
    monkeypatch.chdir(tmp_path)
    verify("run", *options, "--workers", "0")
    assert not whole
    if "--html" in options:
        text = (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
        assert "This run measured no failure curves" in text


def test_an_interrupt_loses_the_curves_and_nothing_else(verify, whole, tmp_path, monkeypatch):
    def interrupted(**settings):
        raise KeyboardInterrupt

    monkeypatch.setattr(curves, "failure_curves", interrupted)
    page, data = tmp_path / "page", tmp_path / "run.json"
    status, out, err = verify(
        "run", "--profile", "standard", "--workers", "0", "--html", str(page), "--json", str(data)
    )
    assert status == 3
    assert "the page without failure curves" in out
    assert "interrupted" in err
    assert data.is_file()
    text = (page / "index.html").read_text(encoding="utf-8")
    assert "This run measured no failure curves" in text
    assert "nichani.thm1.union" in text
