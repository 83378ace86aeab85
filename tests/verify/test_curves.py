"""Failure curves: what they measure, that nothing else depends on them, and how they are interrupted."""

from fractions import Fraction

import pytest

from verify.capacity import MEMORIES as MEMORY_NAMES
from verify.capacity import construction, curves
from verify.capacity import pictures as pictures_module
from verify.capacity.pictures import pictures
from verify.capacity.reading import fact_construction
from verify.capacity.stored_bits import Search
from verify.capacity.subjects import SUBJECTS, MemorySubject, TableSubject
from verify.capacity.tradeoff import Grid
from verify.commands import running
from verify.running.pool import results

MEMORIES = (
    MemorySubject("linear", {"d": 16}, draws=30),
    MemorySubject("quantized", {"d": 16, "bits": 1}, draws=20),
)
_SMALL = {"D": 2, "noise": 0}
TABLES = (
    TableSubject("attention", 3, 3, _SMALL, "d", 6, 90, 400, share=Fraction(1), draws=16),
    TableSubject("attention", 3, 4, _SMALL, "d", 6, 90, 90, share=Fraction(2, 3), draws=16),
    TableSubject("attention-mlp", 3, 3, _SMALL | {"d": 64}, "m", 8, 600, 600, draws=16),
)
FEW = (*MEMORIES, *TABLES)
GRID = Grid(S=2, R=2, D=2, d=20, d_h=9, heads=(2,), widths=(0,), draws=1)
SEARCH = Search(("constructed",), (8,), (1,), draws=2)


def failure_curves(*, seed, workers, subjects=FEW, progress=lambda share: None):
    plans = [curves.plan(subject, seed) for subject in subjects]
    return results(plans, workers=workers, progress=progress)


@pytest.fixture(scope="module")
def found():
    return failure_curves(seed=5, workers=0, subjects=FEW)


def test_every_subject_has_a_curve_in_its_order(found):
    assert [curve.text for curve in found] == [
        "linear memory, d = 16",
        "quantized memory, d = 16, bits = 1",
        "attention construction, S = R = 3, D = 2, noise = 0, d_h = d - 1",
        "attention construction, S = 3, R = 4, D = 2, noise = 0, d_h = 2 d/3",
        "attention-mlp construction, S = R = 3, D = 2, noise = 0, d = 64",
    ]
    assert [(curve.scale, curve.unit) for curve in found] == [(256, "d²")] * 2 + [(1, "")] * 3
    assert [(curve.grows, curve.falls) for curve in found] == [
        ("N", False),
        ("N", False),
        ("d", True),
        ("d", True),
        ("m", True),
    ]


def test_points_go_from_hardly_ever_to_nearly_always_or_back(found):
    for curve, subject in zip(found, FEW, strict=True):
        numbers = [point.n for point in curve.points]
        assert numbers == sorted(set(numbers))
        assert 3 <= len(numbers) <= 8
        assert {point.draws for point in curve.points} == {subject.draws}
        first, last = curve.points[0].failures, curve.points[-1].failures
        rare, common = (last, first) if curve.falls else (first, last)
        assert rare < subject.draws / 5
        assert common > subject.draws / 2
        for point in curve.points:
            assert point.low <= point.failures / point.draws <= point.high


def test_guides_are_there_at_every_point_and_are_those_of_the_memory(found):
    for curve, subject in zip(found[:2], MEMORIES, strict=True):
        built = construction(subject.memory, subject.sizes)
        at = {guide.n: guide for guide in curve.guides}
        assert list(at) == sorted(at)
        assert {point.n for point in curve.points} <= set(at)
        for guide in list(at.values())[::5]:
            bound = built.failure_bound(guide.n, None)
            assert guide.predicted == float(built.prediction.failure(guide.n))
            assert guide.bound == (None if bound is None else pytest.approx(float(bound)))


def test_guides_of_a_table_are_those_of_the_construction_with_its_heads(found):
    heads = ({"d_h": lambda d: d - 1}, {"d_h": lambda d: 2 * d // 3}, {})
    for curve, subject, rules in zip(found[2:], TABLES, heads, strict=True):
        at = {guide.n: guide for guide in curve.guides}
        assert list(at) == sorted(at)
        assert {point.n for point in curve.points} <= set(at)
        for guide in list(at.values())[::6]:
            sizes = {**subject.sizes, curve.grows: guide.n}
            sizes |= {name: rule(guide.n) for name, rule in rules.items()}
            built = fact_construction(subject.memory, sizes)
            assert guide.predicted == float(built.predicted_failure(subject.S, subject.R))
            assert guide.bound == pytest.approx(float(built.failure_bound(subject.S, subject.R)))


def test_lines_of_a_table_go_on_to_where_the_bound_is_small(found):
    curve, subject = found[2], TABLES[0]
    assert curve.points[-1].n == subject.high
    assert curve.guides[-1].n == subject.end
    assert curve.guides[0].bound == 1
    assert curve.guides[-1].bound < 0.01


def test_processes_find_the_same_and_tell_how_far_they_are(found):
    shares = []
    again = failure_curves(seed=5, workers=2, subjects=FEW, progress=shares.append)
    assert again == found
    assert shares[0] == 0
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)


def test_another_seed_draws_other_memories(found):
    for place in (0, 2):
        (other,) = failure_curves(seed=6, workers=0, subjects=[FEW[place]])
        assert other.guides == found[place].guides
        assert other.points != found[place].points


def test_curves_of_one_memory_have_draws_of_their_own(monkeypatch):
    names = set()
    cls = type(construction("linear", {"d": 8}))

    def failures(self, N, M, draws, *, seed, name, device):
        assert name not in names
        names.add(name)
        return kept(self, N, M, draws, seed=seed, name=name)

    kept = cls.failures
    monkeypatch.setattr(cls, "failures", failures)
    failure_curves(
        seed=0,
        workers=0,
        subjects=[MemorySubject("linear", {"d": d}, draws=2) for d in (8, 9)],
    )
    assert len(names) > 8
    assert all(name.startswith("failure curves: ") for name in names)


def test_all_memories_are_shown():
    assert {subject.memory for subject in SUBJECTS} == set(MEMORY_NAMES)
    assert len({subject.text for subject in SUBJECTS}) == len(SUBJECTS)
    for subject in SUBJECTS:
        if isinstance(subject, MemorySubject):
            construction(subject.memory, subject.sizes)
        else:
            assert (
                0 < subject.predicted(subject.high) < 0.05 < 0.95 < subject.predicted(subject.low)
            )


@pytest.mark.parametrize(
    "subject",
    [s for s in SUBJECTS if isinstance(s, TableSubject) and s.memory == "attention"],
    ids=lambda subject: subject.text,
)
def test_the_lines_of_the_page_reach_a_small_bound(subject):
    assert subject.bound(subject.high) > 0.05
    assert subject.bound(subject.end) < 0.01


# -- in a run --------------------------------------------------------------------------------------


@pytest.fixture
def whole(monkeypatch):
    """A run of one claim that counts as a run of all, and the calls for pictures."""
    from verify.running import runner

    calls = []

    def run(registry, selected, settings, console, resume):
        return runner.run(registry, registry.select(["nichani.thm1.union"]), settings)

    def measured(*, seed, workers, progress, device, cluster):
        calls.append(seed)
        progress(1.0)
        return pictures(seed=seed, workers=0, shown=FEW[1:2], grid=GRID, search=SEARCH)

    monkeypatch.setattr(running, "run_with_progress", run)
    monkeypatch.setattr(running, "lost", lambda registry: [])
    monkeypatch.setattr(pictures_module, "pictures", measured)
    return calls


def test_the_standard_profile_draws_them_for_its_page(verify, whole, tmp_path):
    options = ("--profile", "standard", "--workers", "0", "--seed", "3")
    status, *_ = verify("run", *options, "--html", str(tmp_path / "page"))
    assert status == 0
    assert whole == [3]
    text = (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
    assert "quantized memory, d = 16, bits = 1" in text
    assert "S = 2, R = 2, D = 2, d = 20, d_h = 9" in text
    assert "d = 8, 64 weights" in text


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
        assert "Attention parameters for MLP parameters" not in text
        assert "Bits stored and bits used" not in text


def test_an_interrupt_loses_the_pictures_and_nothing_else(verify, whole, tmp_path, monkeypatch):
    def interrupted(**settings):
        raise KeyboardInterrupt

    monkeypatch.setattr(pictures_module, "pictures", interrupted)
    page, data = tmp_path / "page", tmp_path / "run.json"
    status, out, err = verify(
        "run", "--profile", "standard", "--workers", "0", "--html", str(page), "--json", str(data)
    )
    assert status == 3
    assert "the page without its pictures" in " ".join(out.split())
    assert "interrupted" in err
    assert data.is_file()
    text = (page / "index.html").read_text(encoding="utf-8")
    assert "This run measured no failure curves" in text
    assert "Attention parameters for MLP parameters" not in text
    assert "nichani.thm1.union" in text
