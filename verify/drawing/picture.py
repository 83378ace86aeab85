"""What a picture consists of: panels with marks in the units of what they show, and words beside them.

A new picture needs no more than this. ``verify.drawing.svg`` writes it, and finds every place in it.

>>> from verify.drawing.svg import picture_svg
>>> loss = Line("loss", Role.FIRST, x=[1, 10, 100], y=[3.0, 1.5, 0.2])
>>> panel = Panel(
...     title="A head learns",
...     x=Axis("steps", log=True),
...     y=Axis("loss in nats"),
...     lines=(loss, Line("bound", Role.PROVED, x=[1, 100], y=[3.0, 1.0])),
...     levels=(Level("log D", 2.08, Role.PRINTED),),
... )
>>> file = picture_svg(Picture(title=panel.title, panels=(panel,), notes=("It is below log D.",)))
>>> file.startswith(b"<svg"), b"log D = 2.08" in file
(True, True)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from verify.drawing.palette import Role
from verify.drawing.scale import Span, Tick, Write, figure
from verify.typeset.words import shortened

#: Letters that fit beside a level.
_BESIDE = 16


class Scale(StrEnum):
    """How large a figure is measured: in seconds, or at the sizes of the paper."""

    QUICK = "quick"
    PAPER = "paper"


class Shape(StrEnum):
    """What stands at a point: nothing but its interval, for *BAR*, and more boldly for *STOP*."""

    DISC = "disc"
    RING = "ring"
    SQUARE = "square"
    CROSS = "cross"
    BAR = "bar"
    STOP = "stop"


@dataclass(frozen=True)
class Axis:
    """An axis with its name, and the *symbol* that stands for it in a sentence.

    *span*: the values at its ends; else it reaches as far as the marks, with a margin of *room*, and
    upwards from zero where nothing is negative. *ticks*: in place of round numbers, which *write* tells.
    *behind*: a value so far off that the axis is broken before it.
    """

    name: str = ""
    symbol: str = ""
    log: bool = False
    span: Span | None = None
    room: float = 0.0
    ticks: Sequence[Tick] | None = None
    write: Write = None
    behind: float | None = None

    def moment(self, at: Moment) -> str:
        """When something is and what it is."""
        return f"{self.symbol or self.name} = {figure(at.value)}: {at.name}"


@dataclass(frozen=True)
class Mark:
    """What goes along *x*, in order; one with a name is in the legend."""

    name: str
    role: Role
    x: Sequence[float]
    y: Sequence[float] = ()
    low: Sequence[float] = ()
    high: Sequence[float] = ()


class Line(Mark):
    """Points (x, y), joined."""


class Band(Mark):
    """What lies between *low* and *high*, as far as it is inside the plane."""


@dataclass(frozen=True)
class Dots(Mark):
    """Points (x, y) with intervals from *low* to *high*, and *labels* above, or *below*."""

    shape: Shape = Shape.RING
    labels: Sequence[str] = ()
    below: bool = False


@dataclass(frozen=True)
class Strip:
    """The values of y between *low* and *high*; None is the end of the plane."""

    role: Role
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Level:
    """A value of y that lines are compared with; its *text* stands beside it."""

    name: str
    value: float
    role: Role = Role.REFERENCE
    label: str = ""

    @property
    def text(self) -> str:
        """The label; without one name and value, or the name alone, which is worth more than a value
        that the axis shows too."""
        text = self.label or f"{self.name} = {figure(self.value)}"
        return text if len(text) <= _BESIDE else shortened(self.label or self.name, _BESIDE)


@dataclass(frozen=True)
class Moment:
    """A value of x that is named above the plane."""

    name: str
    value: float


@dataclass(frozen=True)
class Stage:
    """A stretch of x, with a name."""

    name: str
    start: float
    stop: float


@dataclass(frozen=True)
class Cell:
    """A square of side 1 with a corner at whole numbers (x, y), in a colour of that *strength* below 1.

    Without one it is dashed. *whole*: it has all that there can be.
    """

    x: int
    y: int
    label: str
    strength: float | None
    whole: bool = False


@dataclass(frozen=True)
class Panel:
    """One plane with its axes and marks.

    It is *wide* in all, its plane is *tall*, and letters have a height of 12. *about*: a line below the
    title. *numbers*: what a machine may want besides.
    """

    title: str
    x: Axis
    y: Axis
    about: str = ""
    lines: Sequence[Line] = ()
    dots: Sequence[Dots] = ()
    bands: Sequence[Band] = ()
    strips: Sequence[Strip] = ()
    levels: Sequence[Level] = ()
    moments: Sequence[Moment] = ()
    stages: Sequence[Stage] = ()
    cells: Sequence[Cell] = ()
    wide: float = 360.0
    tall: float = 140.0
    numbers: dict[str, float] = field(default_factory=dict)

    @property
    def marks(self) -> list[Mark]:
        """Lines, dots and bands."""
        return [*self.lines, *self.dots, *self.bands]


@dataclass(frozen=True)
class Picture:
    """Panels side by side, with words: *source* is whose they are, *notes* are told, *items* a list
    below it; *unseen* is for who cannot see the panels, or has the words in a file.

    Of a figure: *name* is its number, *device* where it was measured, *header* and *rows* are its table;
    it is *whole* if nothing was interrupted.
    """

    title: str
    panels: Sequence[Panel]
    source: str = ""
    notes: Sequence[str] = ()
    items: Sequence[str] = ()
    unseen: Sequence[str] = ()
    name: str = ""
    scale: Scale = Scale.QUICK
    seed: int = 0
    device: str = "cpu"
    header: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    whole: bool = True
