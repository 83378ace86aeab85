"""What a paper draws its parts from, as printed, as lines between the parts of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verify.report.parts import Part


def printed_links(
    group: Sequence[Part], order: Mapping[str, Sequence[str]]
) -> list[tuple[str, str]]:
    """The anchors of two parts of *group*, where the text draws the second from the first.

    *order* has the parts by what their ids share, as `verify.claims.printed_order` has them.
    """
    anchors = {part.prefix: part.anchor for part in group}
    return [
        (anchors[other], part.anchor)
        for part in group
        for other in order.get(part.prefix, ())
        if other in anchors
    ]
