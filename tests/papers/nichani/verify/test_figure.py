"""The command ``verify figure``: what it refuses, what it writes, and what an interrupt leaves."""

import json
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from verify.commands import measuring
from verify.drawing import svg
from verify.drawing.palette import Role
from verify.drawing.picture import Axis, Dots, Level, Line, Panel, Picture, Scale, Stage
from verify.drawing.record import picture_json
from verify.papers.nichani.figures import figure5

SVG = "{http://www.w3.org/2000/svg}"
PANEL = Panel(
    title="A <plane> & more",
    about="sizes",
    x=Axis("Steps"),
    y=Axis("Loss in nats", room=0.05),
    lines=(Line("Total", Role.FIRST, [0.0, 50.0, 100.0], [3.0, 2.0, 0.5]),),
    dots=(Dots("Descent", Role.FIRST, [0.0, 100.0], [3.0, 0.5]),),
    levels=(Level("log D", 2.08, Role.PRINTED), Level("H", 2.0)),
    stages=(Stage("between", 20.0, 60.0),),
)
PICTURE = Picture(
    name="5",
    title="A figure",
    scale=Scale.QUICK,
    seed=4,
    panels=(PANEL, PANEL),
    notes=("A note.",),
    header=("", "run"),
    rows=(("start", "3.000"),),
)


@pytest.fixture
def measured(monkeypatch):
    """Figure 5 measured in no time; the list holds the scale and seed of each call."""
    calls = []

    def measure(scale, seed, progress, *, device="cpu"):
        calls.append((scale, seed))
        progress(1.0)
        return replace(PICTURE, scale=scale, seed=seed, device=device)

    monkeypatch.setattr(figure5, "measure", measure)
    return calls


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["7"], ["NAME", "'7'", "take one of nichani/5"]),
        (["5", "--out", "picture.pdf"], ["--out", "picture.pdf", ".svg, .png, .json"]),
        (["5", "--out", "picture"], ["--out", ".svg, .png, .json"]),
        (["5", "--out", "/no/such/folder/x.svg"], ["--out", "/no/such/folder"]),
        (["5", "--scale", "huge"], ["--scale", "huge"]),
        ([], ["NAME"]),
    ],
)
def test_bad_input_is_told_before_anything_is_measured(verify, measured, arguments, words):
    status, _, err = verify("figure", *arguments)
    assert status == 2
    assert all(word in err for word in words)
    assert not measured


def test_the_picture_is_written_and_the_table_shown(verify, measured, tmp_path):
    out = tmp_path / "x.svg"
    status, shown, _ = verify("figure", "5", "--out", str(out), "--scale", "paper", "--seed", "9")
    assert status == 0
    assert measured == [(Scale.PAPER, 9)]
    assert out.read_bytes() == svg.picture_svg(replace(PICTURE, scale=Scale.PAPER, seed=9))
    assert "3.000" in shown
    assert str(out) in shown.replace("\n", "")
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["x.svg"]


def test_without_a_path_the_picture_is_in_this_folder(verify, measured, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert verify("figure", "nichani/5")[0] == 0
    assert (tmp_path / "figure-nichani-5.svg").is_file()


def test_json_holds_every_point_level_and_stage(verify, measured, tmp_path):
    out = tmp_path / "x.json"
    assert verify("figure", "5", "--out", str(out))[0] == 0
    data = json.loads(out.read_text())
    assert (data["schema"], data["figure"], data["scale"], data["whole"]) == (1, "5", "quick", True)
    panel = data["panels"][0]
    assert panel["lines"][0]["y"] == [3.0, 2.0, 0.5]
    assert panel["levels"][0].items() >= {"name": "log D", "value": 2.08, "printed": True}.items()
    assert (panel["x"], panel["y"]) == ("Steps", "Loss in nats")
    assert panel["stages"][0] == {"name": "between", "start": 20.0, "stop": 60.0}
    assert data["table"]["rows"] == [["start", "3.000"]]


def test_the_device_is_told_and_one_that_is_not_taken_is_refused(
    verify, measured, monkeypatch, tmp_path
):
    monkeypatch.setattr(measuring, "resolved_device", lambda name, roads: f"{name}, resolved")
    out = tmp_path / "x.json"
    status, shown, _ = verify("figure", "5", "--out", str(out), "--device", "cuda")
    assert (status, json.loads(out.read_text())["device"]) == (0, "cuda, resolved")
    assert "seed 0, cuda, resolved" in shown
    monkeypatch.setattr(figure5, "measure", lambda scale, seed, progress: PICTURE)
    status, _, err = verify("figure", "5", "--out", str(out), "--device", "cuda")
    assert status == 2
    assert "--device: figure nichani/5 is measured on the CPU" in err
    assert verify("figure", "5", "--out", str(out), "--device", "auto")[0] == 0


def test_an_interrupt_writes_what_there_is_and_exits_with_3(verify, monkeypatch, tmp_path):
    part = replace(PICTURE, whole=False)
    monkeypatch.setattr(figure5, "measure", lambda *a, **more: part)
    out = tmp_path / "x.json"
    status, shown, err = verify("figure", "5", "--out", str(out))
    assert status == 3
    assert json.loads(out.read_text())["whole"] is False
    assert "Interrupted" in shown
    assert "interrupted" in err


def test_an_interrupt_before_anything_is_measured_writes_nothing(verify, monkeypatch, tmp_path):
    def measure(*arguments, **more):
        raise KeyboardInterrupt

    monkeypatch.setattr(figure5, "measure", measure)
    out = tmp_path / "x.svg"
    assert verify("figure", "5", "--out", str(out))[0] == 3
    assert not out.exists()


# -- the drawing ----------------------------------------------------------------------------------


def test_the_svg_is_sound_and_says_what_it_shows():
    root = ElementTree.fromstring(svg.picture_svg(PICTURE))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert root.find(f"{SVG}title").text == "A figure"
    assert "start 3.000" in root.find(f"{SVG}desc").text
    for wanted in (
        "A <plane> & more",
        "Steps",
        "Loss in nats",
        "between",
        "log D = 2.08",
        "Total",
    ):
        assert wanted in texts
    assert (
        len([e for e in root.iter() if e.get("class") == "curve"]) == 8
    )  # a line, its key, two levels
    assert len(list(root.iter(f"{SVG}circle"))) == 6  # two points and a key, in two panels
    assert "prefers-color-scheme:dark" in root.find(f"{SVG}style").text
    assert not list(root.iter(f"{SVG}script"))


def test_a_panel_of_one_point_can_be_drawn():
    panel = replace(PANEL, lines=(Line("Total", Role.FIRST, [0.0], [3.0]),), dots=(), stages=())
    ElementTree.fromstring(svg.picture_svg(replace(PICTURE, panels=(panel,))))


# -- figure 5 -------------------------------------------------------------------------------------


@pytest.fixture
def short(monkeypatch):
    """A right panel of a few steps."""
    settings = figure5._Training(S=8, R=2, D=4, T=5, d=32, d_h=8, batch=64, rate=1.0, steps=40)
    monkeypatch.setattr(figure5, "_TRAININGS", dict.fromkeys(Scale, settings))
    monkeypatch.setattr(figure5, "_SAMPLES", 120)


def test_figure_5_has_its_stages_levels_and_losses(short):
    shares = []
    picture = figure5.measure(Scale.QUICK, 0, shares.append)
    left, right = picture.panels
    levels = {level.name: level.value for level in left.levels}
    rows = {row[0]: row[1:] for row in picture.rows}
    assert picture.whole
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert levels["H(a*|r)"] < levels["log D"] < levels["H(a*)"] < levels["log |A|"]
    assert left.lines[0].y[0] == pytest.approx(levels["log |A|"])
    assert left.lines[0].y[-1] < 0.02
    (stage,) = left.stages
    assert 0 < stage.start < stage.stop < 8000
    assert left.numbers["largest distance of descent from the flow"] < 0.05
    assert rows["total at the start"][:2] == ["3.466", "3.466"]
    assert [line.name for line in right.lines] == ["Total", "Relation-only", "Subject-only"]
    assert not right.stages  # 40 steps are too few
    assert rows["hallucination, steps"][2] == "none yet"
    json.loads(picture_json(picture))
    ElementTree.fromstring(svg.picture_svg(picture))


def test_an_interrupted_training_is_drawn_as_far_as_it_went(short):
    def progress(share):
        if share > 0.7:
            raise KeyboardInterrupt

    picture = figure5.measure(Scale.QUICK, 0, progress)
    assert not picture.whole
    assert picture.panels[1].lines[0].x[-1] == 20.0


def test_both_scales_have_settings():
    assert set(figure5._TRAININGS) == set(Scale)
    paper = figure5._TRAININGS[Scale.PAPER]
    assert (paper.S, paper.R, paper.D, paper.T, paper.batch) == (16, 4, 8, 32, 1024)
