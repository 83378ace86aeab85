"""PNG of the plots: the same picture as the SVG, and a word of help where it cannot be drawn."""

import struct
import sys
import xml.etree.ElementTree as ElementTree
import zlib
from pathlib import Path

import pytest

from verify.claim import Claim, Evidence, Road
from verify.drawing import figures, rasterise
from verify.drawing.palette import DARK, LIGHT, Role
from verify.drawing.picture import Axis, Level, Line, Panel, Picture
from verify.drawing.rasterise import png, require_png
from verify.drawing.svg import picture_svg
from verify.errors import UsageError
from verify.report.exports.png import plots_png
from verify.report.exports.svg import plots_svg
from verify.running.runner import ClaimResult
from verify.verdict import Verdict

CASE = {
    "quantity": "E[gamma^2]",
    "printed": 1.0,
    "interval": [0.95, 1.04],
    "tolerance": 0.25,
    "path": [[100, 0.5, 1.5], [400, 0.95, 1.04]],
    "mutants": [["half of it", 0.5], ["twice", 2.0]],
}
BOUND = {**CASE, "relation": "printed at most", "printed": 1.2}
BAR = {name: value for name, value in CASE.items() if name != "path"}
FIGURE = Picture(
    name="5",
    title="A figure",
    panels=(
        Panel(
            "A panel",
            Axis("Steps"),
            Axis("Loss"),
            about="sizes",
            lines=(Line("Total", Role.FIRST, [0.0, 100.0], [3.0, 0.5]),),
            levels=(Level("log D", 2.08),),
        ),
    ),
)


def result(*cases):
    claim = Claim("a.thm1", "A mean", "$x = 1$")
    found = Evidence(Verdict.SUPPORTED, "m", "s", detail={"cases": list(cases)}, road=Road.NUMERICS)
    return ClaimResult(claim, Verdict.SUPPORTED, (found,), ok=True)


@pytest.fixture
def drawing():
    """The package is here, and fonts are."""
    pytest.importorskip("resvg_py")
    try:
        require_png("--format")
    except UsageError as error:
        pytest.skip(str(error))


@pytest.fixture
def letters(monkeypatch):
    """Whether there are fonts is tried anew, and forgotten afterwards."""
    rasterise._family.cache_clear()
    yield monkeypatch
    rasterise._family.cache_clear()


class Image:
    """A PNG that is read: its size, its pixels an inch, and the set of its colours."""

    def __init__(self, content):
        assert content.startswith(b"\x89PNG\r\n\x1a\n")
        chunks, at = {}, 8
        while at < len(content):
            (length,) = struct.unpack_from(">I", content, at)
            kind, body = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
            (check,) = struct.unpack_from(">I", content, at + 8 + length)
            assert check == zlib.crc32(kind + body), kind
            chunks[kind] = chunks.get(kind, b"") + body
            at += 12 + length
        self.width, self.height, depth, colours = struct.unpack_from(">IIBB", chunks[b"IHDR"])
        assert (depth, colours) == (8, 6)
        self.dpi = round(struct.unpack_from(">I", chunks[b"pHYs"])[0] * 0.0254)
        self.data = zlib.decompress(chunks[b"IDAT"])

    def _rows(self):
        """The rows without the filters of the format."""
        step, stride, data = 4, 4 * self.width, self.data
        before = bytearray(stride)
        for start in range(0, len(data), stride + 1):
            kind, row = data[start], bytearray(data[start + 1 : start + 1 + stride])
            for i in range(stride):
                a = row[i - step] if i >= step else 0
                b, c = before[i], before[i - step] if i >= step else 0
                guess = min((a, b, c), key=lambda near: abs(a + b - c - near))
                row[i] = (row[i] + (0, a, b, (a + b) // 2, guess)[kind]) & 255
            before = row
            yield row

    @property
    def colours(self):
        return {bytes(row[i : i + 4]) for row in self._rows() for i in range(0, len(row), 4)}


def size(svg):
    root = ElementTree.fromstring(svg)
    return float(root.get("width")), float(root.get("height"))


def test_each_plot_is_a_png_of_twice_its_size(drawing):
    found = plots_png(result(CASE, BOUND, BAR))
    assert list(found) == ["a.thm1.1.png", "a.thm1.2.png", "a.thm1.3.png"]
    drawn = plots_svg(result(CASE, BOUND, BAR)).values()
    for content, svg in zip(found.values(), drawn, strict=True):
        image, (width, height) = Image(content), size(svg)
        assert image.dpi == 192
        assert abs(image.width - 2 * width) <= 1
        assert abs(image.height - 2 * height) <= 1


def test_a_plot_is_light_and_has_the_colours_of_its_parts(drawing, monkeypatch):
    monkeypatch.setattr(rasterise, "_SCALE", 0.5)  # fewer pixels to read
    (content,) = plots_png(result(CASE)).values()
    colours = Image(content).colours
    assert all(colour[3] == 255 for colour in colours)
    # Paper, the plane, the stop, and the printed value.
    for wanted in ("paper", "soft", "blue", "ink"):
        assert bytes.fromhex(LIGHT[wanted][1:] + "ff") in colours
    assert bytes.fromhex(DARK["paper"][1:] + "ff") not in colours


def test_the_letters_are_drawn(drawing):
    empty = '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="20">{}</svg>'
    # The families that a plot asks for; a sign that few fonts have; one size for all.
    words = (
        "<style>text{{font:12px system-ui,'Segoe UI',Roboto,Arial,sans-serif}}</style>"
        "<text y='15'>{}</text>"
    )
    blank = png(empty.format("").encode())
    for text in ("draws", "\N{GREEK SMALL LETTER GAMMA}", "\N{LESS-THAN OR EQUAL TO}"):
        assert png(empty.format(words.format(text)).encode()) != blank


def test_a_figure_is_written_as_png(drawing, tmp_path):
    write = figures.writer(tmp_path / "x.PNG")
    image = Image(write(FIGURE))
    width, height = size(picture_svg(FIGURE))
    assert (image.width, image.height) == (round(2 * width), round(2 * height))


def test_a_light_svg_follows_no_viewer():
    for svg in (*plots_svg(result(CASE), dark=False).values(), picture_svg(FIGURE, dark=False)):
        assert b"prefers-color-scheme" not in svg
    for svg in (*plots_svg(result(CASE)).values(), picture_svg(FIGURE)):
        assert b"prefers-color-scheme:dark" in svg


@pytest.mark.parametrize(
    ("call", "option"),
    [
        (lambda: plots_png(result(CASE)), "--format"),
        (lambda: require_png("--format"), "--format"),
        (lambda: figures.writer(Path("x.png")), "--out"),
    ],
    ids=["plots", "format", "figure"],
)
def test_without_the_package_it_says_what_to_install(monkeypatch, call, option):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(UsageError, match=r"needs the package resvg_py; pip install") as caught:
        call()
    assert str(caught.value).startswith(f"{option}: png")


def test_without_fonts_it_says_what_to_install(letters):
    resvg_py = pytest.importorskip("resvg_py")
    drawn = resvg_py.svg_to_bytes
    letters.setattr(
        resvg_py, "svg_to_bytes", lambda **options: drawn(**options, skip_system_fonts=True)
    )
    with pytest.raises(UsageError, match="no fonts on this machine; install a font such as DejaVu"):
        plots_png(result(CASE))
