"""What rests on what: each part of a paper as a picture of its claims, each paper as a map of its parts.

A full line is what a proof here takes, a dashed one what the text alone draws from. Every colour and
sign is the verdict of the run. A correction stands below the line that it corrects; what has no line to
anything else stands in a row of its own, below the picture.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import attrgetter

from verify.claim import Claim, Registry
from verify.report.page.layered import Drawing, draw
from verify.report.page.printed_order import printed_links
from verify.report.parts import Part, parts
from verify.running.runner import ClaimResult
from verify.typeset.unicode_math import unicode_text
from verify.typeset.words import flowed, shortened
from verify.verdict import Verdict

_ACROSS, _DOWN, _ROW, _INDENT, _MARGIN = 40, 9, 24, 14, 4
#: The longest label, the room of a letter, and the room of the sign with the edges.
_LABEL, _LETTER, _SIGN = 27, 6.4, 30
BLOCK_WIDE, BLOCK_TALL, NODE_TALL = 136, 46, 20


@dataclass(frozen=True)
class Node:
    """A claim in a picture: *label* is short, *words* say all of it; *verdict* is None for a claim that
    is not in the run, *outside* one of another part."""

    id: str
    label: str
    words: str
    verdict: Verdict | None
    outside: bool
    x: float = 0.0
    y: float = 0.0
    wide: float = 0.0


@dataclass(frozen=True)
class Block:
    """A part on the map, with how many of its claims have which verdict."""

    anchor: str
    title: str
    words: str
    counts: tuple[tuple[Verdict, int], ...]
    total: int
    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True)
class Edge:
    """A line from what carries to what rests on it, by their numbers in the picture; *printed* if the
    paper alone says so. *head* is the arrowhead of a line that runs to the left."""

    start: int
    end: int
    path: str
    printed: bool
    head: str


@dataclass(frozen=True)
class Picture:
    """Nodes of a part, or blocks of a map, each with its place, and the lines between them."""

    nodes: tuple[Node, ...]
    blocks: tuple[Block, ...]
    edges: tuple[Edge, ...]
    width: float
    height: float


@dataclass(frozen=True)
class PartGraph:
    """A part: its block, its picture if it has lines, what stands alone, each with what corrects it,
    the parts whose claims rest on it, and those whose claims the text draws from it."""

    part: Part
    block: Block
    picture: Picture | None
    alone: tuple[tuple[Node, ...], ...]
    carries: tuple[Part, ...]
    leads_to: tuple[Part, ...]


@dataclass(frozen=True)
class PaperGraph:
    """A paper: the map of what is linked, the blocks that are not, and its parts one by one;
    *idle* says that no claim of it has a verdict."""

    paper: str
    map: Picture | None
    alone: tuple[Block, ...]
    parts: tuple[PartGraph, ...]
    total: int
    idle: bool


def graphs(results: Sequence[ClaimResult], registry: Registry) -> list[PaperGraph]:
    """The graphs of the papers of a run."""
    verdicts = {result.claim.id: result.verdict for result in results}
    found = parts([result.claim for result in results], registry.papers.values())
    home = {claim.id: part for part in found for claim in part.claims}
    by_paper: dict[str, list[Part]] = {}
    for part in found:
        by_paper.setdefault(part.paper, []).append(part)
    return [_paper(paper, group, home, verdicts, registry) for paper, group in by_paper.items()]


def _paper(
    paper: str,
    group: Sequence[Part],
    home: Mapping[str, Part],
    verdicts: Mapping[str, Verdict],
    registry: Registry,
) -> PaperGraph:
    blocks = {part.anchor: _block(part, verdicts) for part in group}
    links = _between(group, home)
    map_, loose = _map(blocks, links, printed_links(group, _printed_order(registry)))
    carries, leads_to = (_followers(home, of) for of in (_used, _drawn_from))
    return PaperGraph(
        paper,
        map_,
        tuple(loose),
        tuple(
            _part(
                part,
                blocks[part.anchor],
                carries[part.anchor],
                leads_to[part.anchor],
                verdicts,
                registry,
            )
            for part in group
        ),
        sum(block.total for block in blocks.values()),
        all(verdicts[claim.id] is Verdict.NOT_RUN for part in group for claim in part.claims),
    )


def _printed_order(registry: Registry) -> dict[str, tuple[str, ...]]:
    return {
        part: drawn
        for paper in registry.papers.values()
        for part, drawn in paper.printed_order.items()
    }


def _used(part: Part) -> Iterable[str]:
    return (used for claim in part.claims for used in claim.uses)


def _drawn_from(part: Part) -> Iterable[str]:
    return (used for claim in part.claims for used in claim.printed_uses)


def _followers(
    home: Mapping[str, Part], of: Callable[[Part], Iterable[str]]
) -> defaultdict[str, list[Part]]:
    """For the anchor of a part, the other parts that name a claim of it in *of*."""
    found = defaultdict[str, list[Part]](list)
    for part in dict.fromkeys(home.values()):
        for other in dict.fromkeys(home[used] for used in of(part) if used in home):
            if other is not part:
                found[other.anchor].append(part)
    return found


def _between(group: Sequence[Part], home: Mapping[str, Part]) -> list[tuple[str, str]]:
    """The pairs of parts of which the second rests on the first."""
    anchors = {part.anchor for part in group}
    pairs = ((home[used], part) for part in group for used in _used(part) if used in home)
    return list(
        dict.fromkeys((a.anchor, b.anchor) for a, b in pairs if a is not b and a.anchor in anchors)
    )


# -- the map -------------------------------------------------------------------------------------


def _block(part: Part, verdicts: Mapping[str, Verdict]) -> Block:
    found = [verdicts[claim.id] for claim in part.claims]
    counts = tuple((verdict, found.count(verdict)) for verdict in Verdict if verdict in found)
    words = ", ".join(f"{number} {verdict}" for verdict, number in counts)
    return Block(part.anchor, part.title, f"{part.title}: {words}", counts, len(found))


def _map(
    blocks: Mapping[str, Block], own: Sequence[tuple[str, str]], printed: Sequence[tuple[str, str]]
) -> tuple[Picture | None, list[Block]]:
    links = list(dict.fromkeys([*own, *printed]))
    linked = {end for link in links for end in link}
    loose = [block for anchor, block in blocks.items() if anchor not in linked]
    if not links:
        return None, loose
    heights = {anchor: float(BLOCK_TALL) for anchor in blocks if anchor in linked}
    drawing = draw(heights, links, wide=BLOCK_WIDE, across=_ACROSS, down=_DOWN)
    placed = tuple(
        replace(blocks[anchor], x=x + _MARGIN, y=y + _MARGIN)
        for anchor, (x, y) in drawing.corners.items()
    )
    ends = {
        block.anchor: (block.x, block.x + BLOCK_WIDE, block.y + BLOCK_TALL / 2) for block in placed
    }
    edges = _edges(drawing, ends, {link: link for link in links}, {*printed} - {*own})
    return Picture((), placed, edges, *_size(drawing)), loose


def _size(drawing: Drawing) -> tuple[float, float]:
    return drawing.width + 2 * _MARGIN, round(drawing.height + 2 * _MARGIN, 1)


def _edges(
    drawing: Drawing,
    ends: Mapping[str, tuple[float, float, float]],
    links: Mapping[tuple[str, str], tuple[str, str]],
    printed: Set[tuple[str, str]],
) -> tuple[Edge, ...]:
    """The lines between what has these *ends* (left, right, height), along the tracks of their links."""
    number = {name: i for i, name in enumerate(ends)}

    def edge(a: str, b: str, link: tuple[str, str]) -> Edge:
        back = ends[b][0] < ends[a][0]
        (_, x, y), (to_x, _, to_y) = (ends[b], ends[a]) if back else (ends[a], ends[b])
        path = _path(drawing, link, (x, y), (to_x, to_y))
        head = f"M{x + 8:g} {y - 4:g}l-7 4l7 4" if back else ""
        return Edge(number[a], number[b], path, (a, b) in printed, head)

    return tuple(edge(a, b, link) for (a, b), link in links.items())


def _path(
    drawing: Drawing, link: tuple[str, str], start: tuple[float, float], end: tuple[float, float]
) -> str:
    """A line that leaves and enters level, by way of its tracks."""
    points = [start]
    for left, right, y in drawing.tracks[link]:
        points += [(left + _MARGIN, y + _MARGIN), (right + _MARGIN, y + _MARGIN)]
    points.append(end)
    words = [f"M{points[0][0]:g} {points[0][1]:g}"]
    for n, ((x, y), (to_x, to_y)) in enumerate(pairwise(points)):
        bend = (x + to_x) / 2
        level = n % 2 == 1
        words.append(
            f"H{to_x:g}" if level else f"C{bend:g} {y:g} {bend:g} {to_y:g} {to_x:g} {to_y:g}"
        )
    return "".join(words)


# -- a part --------------------------------------------------------------------------------------


def _part(
    part: Part,
    block: Block,
    carries: Sequence[Part],
    leads_to: Sequence[Part],
    verdicts: Mapping[str, Verdict],
    registry: Registry,
) -> PartGraph:
    own = _stacks(part.claims)
    inside = {claim.id: stack[0].id for stack in own for claim in stack}
    named = (*_used(part), *_drawn_from(part))
    others = dict.fromkeys(i for i in named if i not in inside and i in registry)
    inside |= {id_: id_ for id_ in others}
    uses, printed = (
        dict.fromkeys(
            (used, claim.id)
            for claim in part.claims
            for used in names(claim)
            if used in inside and inside[used] != inside[claim.id]
        )
        for names in (attrgetter("uses"), attrgetter("printed_uses"))
    )
    lines = uses | printed
    links = list(dict.fromkeys((inside[a], inside[b]) for a, b in lines))
    linked = {end for link in links for end in link}
    naming = _Naming(part, verdicts)
    stacks = [
        tuple(naming.node(claim, stack[0]) for claim in stack)
        for stack in [*((registry[id_],) for id_ in others), *own]
    ]
    alone = tuple(stack for stack in stacks if stack[0].id not in linked)
    drawn = [stack for stack in stacks if stack[0].id in linked]
    picture = None
    if drawn:
        joined = {(a, b): (inside[a], inside[b]) for a, b in lines}
        picture = _picture(drawn, links, joined, printed.keys() - uses.keys())
    return PartGraph(part, block, picture, alone, tuple(carries), tuple(leads_to))


def _picture(
    stacks: Sequence[tuple[Node, ...]],
    links: Sequence[tuple[str, str]],
    lines: Mapping[tuple[str, str], tuple[str, str]],
    printed: Set[tuple[str, str]],
) -> Picture:
    """The stacks in columns; *links* join stacks, *lines* the nodes in them along a link each."""
    letters = max(len(node.label) + 2 * bool(n) for stack in stacks for n, node in enumerate(stack))
    wide = round(_SIGN + _LETTER * letters)
    heights = {stack[0].id: float(_ROW * len(stack)) for stack in stacks}
    drawing = draw(heights, links, wide=wide, across=_ACROSS, down=_DOWN)
    nodes = {}
    for stack in stacks:
        x, y = drawing.corners[stack[0].id]
        for n, node in enumerate(stack):
            indent = _INDENT if n else 0
            nodes[node.id] = replace(
                node, x=x + _MARGIN + indent, y=y + _MARGIN + n * _ROW, wide=wide - indent
            )
    ends = {
        node.id: (node.x, node.x + node.wide, node.y + NODE_TALL / 2) for node in nodes.values()
    }
    edges = _edges(drawing, ends, lines, printed)
    return Picture(tuple(nodes.values()), (), edges, *_size(drawing))


def _stacks(claims: Sequence[Claim]) -> list[tuple[Claim, ...]]:
    """Each claim with its correction below it; a correction of several stands below the first."""
    known = {claim.id: claim for claim in claims}
    below: set[str] = set()
    stacks: list[tuple[Claim, ...]] = []
    for claim in claims:
        fix = claim.correction
        if fix in known and fix not in below and known[fix].correction is None:
            below.add(fix)
            stacks.append((claim, known[fix]))
        else:
            stacks.append((claim,))
    return [stack for stack in stacks if len(stack) > 1 or stack[0].id not in below]


@dataclass(frozen=True)
class _Naming:
    """How claims are called in the picture of one part."""

    part: Part
    verdicts: Mapping[str, Verdict]

    def node(self, claim: Claim, head: Claim) -> Node:
        """The node of *claim*, which stands below *head* if that is another one; no place yet."""
        outside = all(claim.id != own.id for own in self.part.claims)
        if claim is not head:
            label = claim.id.removeprefix(f"{head.id}.")
        elif outside:
            label = self._within_paper(claim.id)
        else:
            label = self._within_paper(self.part.local(claim.id))
        verdict = self.verdicts.get(claim.id)
        return Node(claim.id, shortened(label, _LABEL), _words(claim, verdict), verdict, outside)

    def _within_paper(self, id_: str) -> str:
        return id_.removeprefix(f"{self.part.prefix.partition('.')[0]}.")


def _words(claim: Claim, verdict: Verdict | None) -> str:
    words = f"{claim.id}: {unicode_text(claim.title)}; {verdict or 'not in this run'}"
    if claim.uses:
        words += f"; rests on {', '.join(claim.uses)}"
    if claim.printed_uses:
        words += f"; in the text drawn from {', '.join(claim.printed_uses)}"
    if claim.correction:
        words += f"; corrected by {claim.correction}"
    return flowed(words)
