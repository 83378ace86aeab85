"""What a paper draws its parts from, as printed, as lines between the parts of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verify.report.parts import Part


def printed_links(
    group: Sequence[Part], order: Mapping[str, Sequence[str]]
) -> list[tuple[str, str]]:
    """The anchors of two parts of *group*, where the text draws the second from the first.

    *order* has the parts by what their ids share, as `printed_order` has them; a part is drawn
    from another as well where one of its claims is drawn from one of the other's.
    """
    anchors = {part.prefix: part.anchor for part in group}
    homes = {claim.id: part.anchor for part in group for claim in part.claims}
    stated = [
        (anchors.get(other), part.anchor) for part in group for other in order.get(part.prefix, ())
    ]
    claimed = [
        (homes.get(used), part.anchor)
        for part in group
        for claim in part.claims
        for used in claim.printed_uses
    ]
    pairs = dict.fromkeys([*stated, *claimed])
    return [(first, second) for first, second in pairs if first is not None and first != second]
