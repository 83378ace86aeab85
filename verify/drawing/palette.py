"""The colours of all that is drawn, light and dark, and what a mark means in any paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

_COLOURS = {
    "paper": ("#ffffff", "#14171b"),
    "soft": ("#f4f5f7", "#1e2329"),
    "ink": ("#1b1f24", "#e6e9ed"),
    "muted": ("#57606a", "#a3adb8"),
    "line": ("#d0d7de", "#3a424c"),
    "stage": ("#e4e8ee", "#2b323b"),
    "band": ("#97c3dd", "#3c5c72"),
    "link": ("#0550ae", "#7cb7ff"),
    "blue": ("#0072b2", "#6db8ea"),
    "indigo": ("#4338ca", "#8f86ff"),
    "sky": ("#2a86b8", "#8ccdf0"),
    "green": ("#00795a", "#4ecfa8"),
    "purple": ("#8f3f71", "#e29fc6"),
    "orange": ("#a15c00", "#f0b64f"),
    "red": ("#b8400b", "#ff8f5c"),
    "grey": ("#6a737d", "#a3adb8"),
}
LIGHT, DARK = ({name: pair[dark] for name, pair in _COLOURS.items()} for dark in (False, True))


class Role(StrEnum):
    """What a mark means: one of several lines that are told apart by their number, or a word."""

    FIRST = "first"
    SECOND = "second"
    THIRD = "third"
    FOURTH = "fourth"
    FIFTH = "fifth"
    MEASURED = "measured"
    """Points, intervals and bands of what was drawn or trained."""
    PREDICTED = "predicted"
    """What exact formulas say beforehand."""
    PROVED = "proved"
    """A bound that is proved."""
    PRINTED = "printed"
    """What a paper prints, or a claim states in its place."""
    REFUTED = "refuted"
    """The same, where it is contradicted."""
    WRONG = "wrong"
    """A statement nearby that must be told from the right one."""
    ALLOWED = "allowed"
    """What a claim leaves room for: its tolerance."""
    EXCLUDED = "excluded"
    """What a claim or a theorem rules out."""
    REFERENCE = "reference"
    """A value or a moment that lines are compared with."""
    OTHER = "other"
    """What has no value, or none of these meanings."""


SERIES = (Role.FIRST, Role.SECOND, Role.THIRD, Role.FOURTH, Role.FIFTH)


@dataclass(frozen=True)
class Look:
    """The name of a colour, the dashes of a line, which no other role has, and its width."""

    colour: str
    dashes: str
    width: float = 1.8


LOOKS: Mapping[Role, Look] = {
    Role.FIRST: Look("blue", ""),
    Role.SECOND: Look("purple", "7 4"),
    Role.THIRD: Look("orange", "2 3"),
    Role.FOURTH: Look("green", "10 3 2 3"),
    Role.FIFTH: Look("red", "14 5"),
    Role.MEASURED: Look("blue", "1 3"),
    Role.PREDICTED: Look("ink", "12 2"),
    Role.PROVED: Look("purple", "6 3"),
    Role.PRINTED: Look("ink", "40 2", 2),
    Role.REFUTED: Look("red", "40 2 6 2", 2),
    Role.WRONG: Look("orange", "5 3", 1.3),
    Role.ALLOWED: Look("green", "3 3", 1),
    Role.EXCLUDED: Look("purple", "1.5 4.5", 1),
    Role.REFERENCE: Look("ink", "4 3", 1),
    Role.OTHER: Look("muted", "4 4", 1.2),
}

#: Selectors and declarations of a picture, wherever it stands; a colour is a variable.
RULES: Mapping[str, str] = {
    "svg text": "fill:var(--ink);font-size:12px;text-anchor:middle;font-family:system-ui,sans-serif",
    "svg .start": "text-anchor:start",
    "svg .end": "text-anchor:end",
    ".plot .faint": "fill:var(--muted)",
    ".plot .small": "font-size:10.5px",
    ".plot .strong, .plot .printed text, .plot .refuted text": "font-weight:600",
    ".plot .plane": "fill:var(--soft)",
    ".plot .stage": "fill:var(--stage)",
    ".plot .gap": "fill:var(--paper)",
    ".plot .axis": "fill:none;stroke:var(--muted)",
    **{f".plot .{role}": f"color:var(--{look.colour})" for role, look in LOOKS.items()},
    ".plot .curve": "fill:none;stroke:currentColor;stroke-linejoin:round",
    **{
        f".plot .{role} .curve": f"stroke-width:{look.width:g}"
        + (f";stroke-dasharray:{look.dashes}" if look.dashes else "")
        for role, look in LOOKS.items()
    },
    ".plot .join": "fill:none;stroke:currentColor",
    ".plot .wrong text, .plot .refuted text": "fill:currentColor",
    ".plot .disc": "fill:currentColor",
    ".plot .ring, .plot .square": "fill:var(--paper);stroke:currentColor;stroke-width:1.5",
    ".plot .bar": "fill:none;stroke:currentColor;stroke-width:1.8",
    ".plot .stop": "fill:none;stroke:currentColor;stroke-width:3",
    ".plot .cross": "fill:none;stroke:currentColor;stroke-width:2.5",
    ".plot .band": "fill:currentColor;fill-opacity:.12",
    ".plot .measured .band": "fill:var(--band);fill-opacity:1;stroke:currentColor;stroke-width:1.3",
    ".plot .strip": "fill:currentColor;fill-opacity:.2;stroke:currentColor;stroke-dasharray:3 3",
    ".plot .hatch": "fill:none;stroke:currentColor;stroke-opacity:.35;stroke-dasharray:1.5 4.5",
    ".plot .cell": "fill:var(--blue)",
    ".plot .whole": "stroke:var(--blue);stroke-width:1.5",
    ".plot .none": "fill:none;stroke:var(--line);stroke-width:1.2;stroke-dasharray:4 4",
}


def variables(colours: Mapping[str, str]) -> str:
    """The declarations of all colours, for the root of a page."""
    return "; ".join(f"--{name}: {value}" for name, value in colours.items())


def page_style() -> str:
    """The rules of all pictures of a page, which has the variables."""
    return "\n".join(f"{of} {{ {it} }}" for of, it in RULES.items())


def file_style(more: Mapping[str, str], *, dark: bool) -> str:
    """The rules of a file and *more*, with colours in place of variables, since not every program that
    draws an SVG knows them; if *dark*, for a viewer in the dark too."""
    rules = {**RULES, **more}
    style = "".join(f"{of}{{{_coloured(it, LIGHT)}}}" for of, it in rules.items())
    if not dark:
        return style
    # Only what has a colour is said again.
    again = {of: ";".join(d for d in it.split(";") if "var(" in d) for of, it in rules.items()}
    darker = "".join(f"{of}{{{_coloured(it, DARK)}}}" for of, it in again.items() if it)
    return f"{style}@media (prefers-color-scheme:dark){{{darker}}}"


def _coloured(declarations: str, colours: Mapping[str, str]) -> str:
    for name, value in colours.items():
        declarations = declarations.replace(f"var(--{name})", value)
    return declarations
