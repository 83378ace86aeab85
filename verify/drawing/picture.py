"""What a figure consists of: panels with lines, levels and stages, and a table that says the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class Scale(StrEnum):
    """How large a figure is measured: in seconds, or at the sizes of the paper."""

    QUICK = "quick"
    PAPER = "paper"


class Role(StrEnum):
    """What a line is drawn as."""

    TOTAL = "total"
    RELATION = "relation"
    SUBJECT = "subject"
    OTHER = "other"


@dataclass(frozen=True)
class Line:
    """Points (x, y) in order; *dots*: marked one by one, on top of the line of the same role."""

    name: str
    role: Role
    x: Sequence[float]
    y: Sequence[float]
    dots: bool = False


@dataclass(frozen=True)
class Level:
    """A value that a line is compared with; *printed*: it is the paper's."""

    name: str
    value: float
    printed: bool = False


@dataclass(frozen=True)
class Stage:
    """A stretch of the axis, with a name."""

    name: str
    start: float
    stop: float


@dataclass(frozen=True)
class Panel:
    """One plane with its axes. *numbers*: what a machine may want besides."""

    title: str
    about: str
    x: str
    y: str
    lines: Sequence[Line]
    levels: Sequence[Level]
    stages: Sequence[Stage]
    numbers: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Picture:
    """A figure. *header* and *rows* are its table; *whole*: nothing was interrupted."""

    name: str
    title: str
    scale: Scale
    seed: int
    panels: Sequence[Panel]
    notes: Sequence[str]
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    whole: bool = True
