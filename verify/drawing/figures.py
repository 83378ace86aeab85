"""The figures of papers, measured anew: which there are, and how what was measured is written.

A figure is a line in its paper's ``paper.toml`` that names a function: of the scale, the seed, and what
is to be called with the share that is done, to a picture. One that takes ``device=`` is measured there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import TypeAlias

from verify.claim import Registry
from verify.drawing.picture import Picture, Scale
from verify.drawing.png import picture_png
from verify.drawing.rasterise import require_png
from verify.drawing.record import picture_json
from verify.drawing.svg import picture_svg
from verify.errors import CatalogueError, UsageError, one_of

#: Of the scale, the seed, what is called with the share that is done, and a device if it takes one.
Measure: TypeAlias = Callable[..., Picture]

_WRITERS: Mapping[str, Callable[[Picture], bytes]] = {
    ".svg": picture_svg,
    ".png": picture_png,
    ".json": picture_json,
}


@dataclass(frozen=True)
class Figure:
    """A figure of a paper: *name* is that of the paper, a slash, and its number there."""

    name: str
    measure: Measure

    @property
    def takes_device(self) -> bool:
        """Whether it can be measured elsewhere than on the CPU."""
        return "device" in signature(self.measure).parameters

    def measured(
        self,
        scale: Scale | str,
        seed: int,
        progress: Callable[[float], None],
        *,
        device: str = "cpu",
        cluster: str = "",
    ) -> Picture:
        """The picture, measured here or by a worker of a *cluster*, the address of its scheduler.

        Raises UsageError for a scale that there is not, and ChildProcessError where no worker comes to
        its end.
        """
        scale = one_of(Scale, "scale", scale)
        more = {"device": device} if self.takes_device else {}
        measure = partial(self.measure, scale, seed, **more)
        if not cluster:
            return measure(progress)
        from verify.jobs.long_job import carried_out_away

        return carried_out_away(cluster, device, measure, progress)


def figure(name: str, registry: Registry) -> Figure:
    """The figure called *name*, ``nichani/5``, or ``5`` where one paper alone has a figure 5.

    Its module is imported. UsageError with all names for one that there is not, and for one of several;
    CatalogueError if the module has no such function.
    """
    if not isinstance(registry, Registry):
        raise UsageError(f"registry: {registry!r} is none; take a Registry, such as catalogue()")
    papers = registry.papers.values()
    known = {f"{p.name}/{number}": (p, at) for p in papers for number, at in p.figures.items()}
    if not isinstance(name, str):
        raise UsageError(f"NAME: {name!r} is no string; take one of {', '.join(known)}")
    found = [key for key in known if name in (key, key.partition("/")[2])]
    if len(found) != 1:
        what = f"{name!r} is one of {', '.join(found)}" if found else f"there is no figure {name!r}"
        remedy = registry.why_not(name.partition("/")[0]) or f"; take one of {', '.join(known)}"
        raise UsageError(f"NAME: {what}{remedy}")
    paper, at = known[found[0]]
    module, _, function = at.partition(":")
    with registry.blamed(paper.name):
        try:
            return Figure(found[0], getattr(import_module(f"{paper.package}.{module}"), function))
        except (ImportError, AttributeError) as error:
            raise CatalogueError(
                f"{paper.package}: figure {found[0]} cannot be had: {error}"
            ) from None


def writer(path: Path) -> Callable[[Picture], bytes]:
    """How a picture is written to *path*, by its suffix.

    UsageError for a suffix that is none of those known, and for .png where nothing can draw one.
    """
    suffix = path.suffix.lower()
    if suffix not in _WRITERS:
        known = ", ".join(_WRITERS)
        raise UsageError(
            f"--out: {str(path)!r} has no known suffix; end the name in one of {known}"
        )
    if suffix == ".png":
        require_png("--out")
    return _WRITERS[suffix]
