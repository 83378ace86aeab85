"""Pictures as files: they look as on the page, whatever program draws them, and are named in words."""

# ruff: noqa: RUF001  (words hold signs that look like letters)

import re
import xml.etree.ElementTree as ElementTree

import pytest

from verify.capacity.curves import Curve, Guide, Point
from verify.capacity.pictures import Pictures
from verify.capacity.stored_bits import Search, Stored, StoredBits
from verify.capacity.tradeoff import Cell, Grid, TradeOff
from verify.claim import Claim, Evidence, Registry, Road
from verify.drawing.palette import DARK, LIGHT, RULES
from verify.drawing.picture import Axis, Panel, Picture
from verify.drawing.rasterise import require_png
from verify.drawing.svg import picture_svg
from verify.errors import UsageError
from verify.report.exports.pictures import pictures_png, pictures_svg
from verify.report.exports.svg import plots_svg
from verify.report.page.html import page
from verify.running.runner import ClaimResult, RunResult
from verify.running.settings import Settings
from verify.verdict import Verdict

ATTACK = "<script>alert(1)</script>"
FLOW = {
    "title": f"The loss {ATTACK}",
    "x": "time t",
    "y": "loss (nats)",
    "lines": [{"name": "loss", "points": [[0.0, 2.0], [1.0, 0.5], [2.0, 0.1]]}],
    "levels": [{"name": "bound", "at": 1.0}],
    "moments": [{"name": "T*", "at": 1.5}],
}
CASE = {"quantity": "E[gamma]", "interval": [0.9, 1.1], "printed": 1.0, "path": [[9, 0.9, 1.1]]}


def result(**detail):
    found = Evidence(Verdict.SUPPORTED, "m", "s", detail=detail, road=Road.NUMERICS)
    return ClaimResult(Claim("a.thm1", "A mean", "$x$"), Verdict.SUPPORTED, (found,), ok=True)


@pytest.fixture
def pictures():
    curve = Curve(
        "linear memory, d = 64",
        "N",
        False,
        4096,
        "d²",
        (Point(32, 200, 0, 0.0, 0.02), Point(128, 200, 200, 0.98, 1.0)),
        (Guide(32, 0.0001, 0.02), Guide(128, 0.99, 1.0)),
    )
    grid = Grid(S=10, R=10, D=4, d=100, d_h=25, heads=(2, 8), widths=(0, 64), draws=10)
    cells = tuple(
        Cell(H, m, None if (H, m) == (2, 64) else 900, 0) for H in (2, 8) for m in (0, 64)
    )
    search = Search(("constructed", "trained"), (16,), (1, 4), draws=10)
    points = [Stored(kind, 16, b, 8 * b, 9, 10 * b) for kind in search.kinds for b in search.bits]
    return Pictures([curve], TradeOff(grid, cells), StoredBits(search, tuple(points)))


def texts(svg):
    return [
        "".join(e.itertext())
        for e in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")
    ]


def test_trajectories_are_among_the_plots_of_a_claim():
    found = plots_svg(result(cases=[CASE], trajectories=[FLOW, "odd", {"title": "no lines"}]))
    assert list(found) == ["a.thm1.1.svg", "a.thm1.2.svg"]
    shown = texts(found["a.thm1.2.svg"])
    assert f"The loss {ATTACK}" in shown
    assert {"a.thm1", "time t", "loss (nats)", "loss"} <= set(shown)
    assert any("Loss falls below bound = 1 by t = 0.679" in text for text in shown)
    assert b"<script" not in found["a.thm1.2.svg"]


def test_the_pictures_of_how_much_fits_are_files_with_their_words(pictures):
    found = pictures_svg(pictures)
    assert list(found) == ["failures.1.svg", "stored-bits.1.svg", "trade-off.svg"]
    curve, stored, heat = (" ".join(texts(svg)) for svg in found.values())
    assert "Probability that some fact is lost linear memory, d = 64" in curve
    assert "each interval misses with probability at most 0.001" in curve
    assert "Dashed: the proved bound." in curve
    assert "N/d²" in curve
    assert "d = 16, 256 weights" in stored
    assert "bits stored, N log" in stored
    assert "Discs: W is trained, then rounded." in stored
    assert "S = 10, R = 10, D = 4, d = 100, d_h = 25" in heat
    assert "MLP parameters, 2 m d" in heat
    # A table follows on the page alone; ids are those of the file.
    for svg in found.values():
        root = ElementTree.fromstring(svg)
        assert [e.get("id") for e in root.iter() if e.get("id")] == ["title", "words"]
        assert "table" not in "".join(root.itertext())


def test_the_command_writes_them(verify, pictures, monkeypatch, tmp_path):
    asked = []

    def measured(*, seed, workers, progress, device, cluster):
        asked.append((seed, workers))
        progress(1.0)
        return pictures

    monkeypatch.setattr("verify.capacity.pictures.pictures", measured)
    arguments = ("export", "--pictures", "--format", "svg", "--out", str(tmp_path), "--seed", "4")
    status, _, err = verify(*arguments, "--workers", "0")
    assert status == 0
    assert asked == [(4, 0)]
    assert "3 pictures written" in " ".join(err.split())
    for name, content in pictures_svg(pictures).items():
        assert (tmp_path / name).read_bytes() == content


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--format", "bibtex"], ["--pictures", "bibtex", "svg or png"]),
        (["--format", "svg"], ["--out", "folder"]),
        (["nichani.thm1.mean", "--format", "svg", "--out", "x"], ["--pictures", "ID"]),
        (["--results", "r.json", "--format", "svg", "--out", "x"], ["--pictures", "--results"]),
    ],
    ids=["format", "folder", "claim", "run"],
)
def test_what_pictures_are_not_is_told_before_anything_is_measured(verify, arguments, words):
    status, out, err = verify("export", "--pictures", *arguments)
    assert (status, out) == (2, "")
    assert all(word in err for word in words)


def test_a_bare_picture_has_its_words_beside_it():
    (plain,) = plots_svg(result(cases=[CASE])).values()
    found = plots_svg(result(cases=[CASE]), bare=True)
    assert list(found) == ["a.thm1.1.svg", "a.thm1.1.txt"]
    shown, words = texts(found["a.thm1.1.svg"]), found["a.thm1.1.txt"].decode()
    assert {"𝔼[γ]", "printed 1"} <= set(shown)
    assert not any("Measured" in text or text == "a.thm1" for text in shown)
    assert any("Measured" in text for text in texts(plain))
    # What the picture shows is in words for who does not see it, and in the file beside it.
    assert "At its only look" in words
    assert "At its only look" not in " ".join(texts(plain))
    assert b"At its only look" in plain
    assert words.startswith("a.thm1: 𝔼[γ]\nMeasured 0.9 to 1.1; printed 1.\n")
    low, high = (
        float(ElementTree.fromstring(svg).get("height")) for svg in (found["a.thm1.1.svg"], plain)
    )
    assert low <= high - 36


def test_a_file_names_the_wrong_statements_that_are_drawn():
    mutants = [["near", 1.2], ["far", 9.0]]
    case = {**CASE, "tolerance": 0.1, "mutants": mutants}
    (svg,) = plots_svg(result(cases=[case])).values()
    assert "a: 1.2, near; excluded: 0.1 above the interval" in texts(svg)
    assert not any("far" in text for text in texts(svg))


def test_a_broken_axis_is_told():
    case = {**CASE, "relation": "printed at most", "printed": 90.0}
    (svg,) = plots_svg(result(cases=[case])).values()
    assert "The axis is broken before the bound." in " ".join(texts(svg))


def test_the_command_writes_bare_pictures(verify, pictures, monkeypatch, tmp_path):
    monkeypatch.setattr("verify.capacity.pictures.pictures", lambda **_: pictures)
    out = ("--format", "svg", "--out", str(tmp_path), "--workers", "0")
    status, _, err = verify("export", "--pictures", "--bare", *out)
    assert status == 0
    assert "3 pictures written" in " ".join(err.split())
    names = {path.name for path in tmp_path.iterdir()}
    stems = ("failures.1", "stored-bits.1", "trade-off")
    assert names == {f"{stem}.{kind}" for stem in stems for kind in ("svg", "txt")}
    assert "No verdict rests on it." in (tmp_path / "trade-off.txt").read_text(encoding="utf-8")


def test_only_a_picture_is_bare(verify):
    status, out, err = verify("export", "--bare", "--format", "bibtex")
    assert (status, out) == (2, "")
    assert "--bare: bibtex is no picture" in err


def test_nothing_measured_is_no_file():
    assert pictures_svg(Pictures()) == {}


def test_pictures_are_drawn_as_png(pictures):
    pytest.importorskip("resvg_py")
    try:
        require_png("--format")
    except UsageError as error:
        pytest.skip(str(error))
    found = pictures_png(pictures)
    assert list(found) == ["failures.1.png", "stored-bits.1.png", "trade-off.png"]
    assert "trade-off.txt" in pictures_png(pictures, bare=True)
    assert all(content.startswith(b"\x89PNG") for content in found.values())


# -- the looks -----------------------------------------------------------------------------------


def page_of(found):
    registry = Registry()
    registry.add(found.claim)
    return page(RunResult(Settings(), [found]), registry, command="verify")


def test_a_file_has_the_colours_of_the_page_and_no_variables():
    shown = page_of(result(cases=[CASE]))
    light, dark = re.findall(r":root \{([^}]*)\}", shown)
    for colours, declared in ((LIGHT, light), (DARK, dark)):
        assert dict(re.findall(r"--(\w+): (#\w+)", declared)) == colours
    (svg,) = plots_svg(result(cases=[CASE])).values()
    assert b"var(" not in svg


def test_every_rule_of_the_page_is_in_the_file_and_dark_only_changes_colours():
    shown = page_of(result(cases=[CASE]))
    (svg,) = plots_svg(result(cases=[CASE])).values()
    style = ElementTree.fromstring(svg).find("{*}style").text
    light, dark = style.split("@media (prefers-color-scheme:dark)")
    for selector, declarations in RULES.items():
        assert f"{selector} {{ {declarations} }}" in shown
        assert f"{selector}{{" in light
    assert f".plot .measured{{color:{LIGHT['blue']}}}" in light
    assert f".plot .measured{{color:{DARK['blue']}}}" in dark
    assert "stroke-width" not in dark


def test_words_and_items_stand_below_the_picture_on_lines():
    long = "word " * 60
    panel = Panel("A title", Axis(span=(0, 1)), Axis(span=(0, 1)))
    items = ["first", "", long]
    picture = Picture("A title", (panel,), "a.b", notes=["One.", long], items=items)
    root = ElementTree.fromstring(picture_svg(picture))
    height = float(root.get("height"))
    below = [e for e in root.findall("{*}text") if e.get("class") == "muted"][1:]
    lines = [(float(e.get("x")), float(e.get("y")), e.text or "") for e in below]
    assert [y for _, y, _ in lines] == sorted({y for _, y, _ in lines})
    assert lines[-1][1] < height
    # Each note begins a line.
    assert lines[0][2] == "One."
    assert lines[1][2].startswith("word word")
    assert {x for x, _, _ in lines} == {16.0, 30.0, 44.0}
    assert (30.0, "first") in [(x, text) for x, _, text in lines]
    assert max(len(text) for _, _, text in lines) <= 88
