"""The graph: every claim once, every line from left to right, and a layout that hides nothing."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from html.parser import HTMLParser
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.catalogue import catalogue
from verify.claim import Claim, Origin, Registry
from verify.report.page.graph import BLOCK_TALL, BLOCK_WIDE, NODE_TALL, PaperGraph, Picture, graphs
from verify.report.page.html import page
from verify.report.page.layered import draw
from verify.report.parts import parts
from verify.running.runner import ClaimResult, RunResult
from verify.running.settings import Settings
from verify.verdict import Verdict

ATTACK = '<script>alert(1)</script>"><img src=x>'
WIDE, ACROSS, DOWN = 100, 40, 10


def claims(*ids: str, paper: str = "P", **uses: Sequence[str]) -> list[Claim]:
    return [
        Claim(
            id_,
            id_,
            "p",
            paper=paper,
            origin=Origin.CORRECTED if id_.endswith(".corrected") else Origin.PRINTED,
            uses=tuple(uses.get(id_, ())),
        )
        for id_ in ids
    ]


def drawn(members: Sequence[Claim], **verdicts: Verdict) -> list[PaperGraph]:
    registry = Registry()
    for claim in members:
        registry.add(claim)
    results = [
        ClaimResult(claim, verdicts.get(claim.id, Verdict.NOT_RUN), (), True) for claim in members
    ]
    return graphs(results, registry)


def shown(graph: PaperGraph) -> list[str]:
    """The ids of the paper's own nodes in all its parts."""
    found = []
    for part in graph.parts:
        nodes = part.picture.nodes if part.picture else ()
        found += [node.id for node in nodes if not node.outside]
        found += [node.id for stack in part.alone for node in stack if not node.outside]
    return found


# -- parts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ids", "titles"),
    [
        (("p.thm1.mean", "p.thm1.union", "p.lem2.mean"), ["Theorem 1", "Lemma 2"]),
        (("p.lem11", "p.lem13", "p.lem13.corrected"), ["Lemma 11", "Lemma 13"]),
        (("p.s3.one", "p.fig5.x", "p.eq14.y", "p.cor1", "p.prop2"), None),
        (("mini.mean", "mini.variance", "mini.variance.corrected"), ["Further statements"]),
        (("p.answer-set.size", "p.answer-set.x"), ["Answer set"]),
        (("alone",), ["Further statements"]),
    ],
)
def test_ids_tell_the_parts(ids: tuple[str, ...], titles: list[str] | None) -> None:
    titles = titles or ["Section 3", "Figure 5", "Equation 14", "Corollary 1", "Proposition 2"]
    assert [part.title for part in parts(claims(*ids))] == titles


def test_what_stands_alone_comes_last_and_anchors_are_unique() -> None:
    found = parts([*claims("p.mean", "p.thm1.x"), *claims("p.thm1.y", paper="Q")])
    assert [part.anchor for part in found] == ["part-p.thm1", "part-p", "part-p.thm1-2"]


def test_no_claim_is_in_two_parts() -> None:
    everything = list(catalogue())
    members = [claim.id for part in parts(everything) for claim in part.claims]
    assert sorted(members) == sorted(claim.id for claim in everything)


# -- layout --------------------------------------------------------------------------------------


@st.composite
def networks(draw_: st.DrawFn) -> tuple[dict[str, float], list[tuple[str, str]]]:
    names = [str(i) for i in range(draw_(st.integers(0, 12)))]
    heights = {name: float(draw_(st.sampled_from([24, 48]))) for name in names}
    if len(names) < 2:
        return heights, []
    ends = st.tuples(st.sampled_from(names), st.sampled_from(names)).filter(lambda e: e[0] != e[1])
    return heights, draw_(st.lists(ends, max_size=20, unique=True))


@given(networks())
def test_blocks_and_tracks_never_overlap(
    network: tuple[dict[str, float], list[tuple[str, str]]],
) -> None:
    heights, lines = network
    drawing = draw(heights, lines, wide=WIDE, across=ACROSS, down=DOWN)
    assert set(drawing.corners) == set(heights)
    columns: dict[float, list[tuple[float, float]]] = {}
    for name, (x, y) in drawing.corners.items():
        assert 0 <= x <= drawing.width - WIDE
        assert -0.1 <= y <= drawing.height - heights[name] + 0.1
        columns.setdefault(x, []).append((y, y + heights[name]))
    tracks = {track for tracks in drawing.tracks.values() for track in tracks}
    for left, right, y in tracks:
        assert right == left + WIDE
        columns.setdefault(left, []).append((y, y))
    for spans in columns.values():
        spans.sort()
        for (_, end), (start, _) in pairwise(spans):
            assert end <= start


@given(networks())
def test_what_rests_on_something_stands_to_its_right(
    network: tuple[dict[str, float], list[tuple[str, str]]],
) -> None:
    heights, lines = network
    acyclic = [(a, b) for a, b in lines if int(a) < int(b)]
    corners = draw(heights, acyclic, wide=WIDE, across=ACROSS, down=DOWN).corners
    assert all(corners[a][0] < corners[b][0] for a, b in acyclic)


def test_a_circle_is_drawn_all_the_same() -> None:
    lines = [("a", "b"), ("b", "c"), ("c", "a")]
    drawing = draw(dict.fromkeys("abc", 24.0), lines, wide=WIDE, across=ACROSS, down=DOWN)
    assert len(set(drawing.corners.values())) == 3
    [longest] = [tracks for tracks in drawing.tracks.values() if tracks]
    assert len(longest) == 1, "the line that goes back passes the column between as any other"


def test_the_last_line_of_a_circle_goes_back() -> None:
    heights = dict.fromkeys("cba", 24.0)
    first = [("a", "b"), ("b", "c")]
    drawing = draw(heights, [*first, ("c", "a")], wide=WIDE, across=ACROSS, down=DOWN)
    assert all(drawing.corners[a][0] < drawing.corners[b][0] for a, b in first)


def test_crossings_are_swept_away() -> None:
    """Two chains given in opposite order need not cross."""
    heights = dict.fromkeys(["a", "b", "y", "x"], 24.0)
    corners = draw(heights, [("a", "x"), ("b", "y")], wide=WIDE, across=ACROSS, down=DOWN).corners
    assert (corners["a"][1] - corners["b"][1]) * (corners["x"][1] - corners["y"][1]) > 0


def test_lines_of_one_block_share_their_track() -> None:
    lines = [("a", "b"), ("b", "c"), ("a", "c"), ("a", "d"), ("c", "d")]
    drawing = draw(dict.fromkeys("abcd", 24.0), lines, wide=WIDE, across=ACROSS, down=DOWN)
    assert drawing.tracks["a", "d"][:1] == drawing.tracks["a", "c"]
    assert drawing.tracks["a", "b"] == ()


# -- the graph -----------------------------------------------------------------------------------


def test_every_claim_of_the_catalogue_is_a_node_once() -> None:
    everything = list(catalogue())
    found = [id_ for graph in drawn(everything) for id_ in shown(graph)]
    assert sorted(found) == sorted(claim.id for claim in everything)


def lines(graphs: Iterable[PaperGraph], *, printed: bool) -> set[tuple[str, str]]:
    """The ids that are joined in the pictures of parts, by full lines or by dashed ones."""
    found = set()
    for picture in (part.picture for graph in graphs for part in graph.parts):
        for edge in picture.edges if picture else ():
            if edge.printed == printed:
                found.add((picture.nodes[edge.start].id, picture.nodes[edge.end].id))
    return found


def test_every_use_of_the_catalogue_is_a_full_line_and_what_the_text_adds_a_dashed_one() -> None:
    registry = catalogue()
    ours = {(used, claim.id) for claim in registry for used in claim.uses}
    texts = {(used, claim.id) for claim in registry for used in claim.printed_uses}
    found = drawn(list(registry))
    assert texts - ours
    assert lines(found, printed=False) == ours
    assert lines(found, printed=True) == texts - ours


Box = tuple[float, float, float, float]


def pictures(graph: PaperGraph) -> list[tuple[Picture, list[Box]]]:
    """The pictures of a paper with the rectangles in them."""
    found = []
    for picture in [graph.map, *(part.picture for part in graph.parts)]:
        if picture:
            boxes = [(n.x, n.y, n.x + n.wide, n.y + NODE_TALL) for n in picture.nodes]
            boxes += [(b.x, b.y, b.x + BLOCK_WIDE, b.y + BLOCK_TALL) for b in picture.blocks]
            found.append((picture, boxes))
    return found


def test_no_line_of_the_catalogue_passes_behind_a_box() -> None:
    for graph in drawn(list(catalogue())):
        for picture, boxes in pictures(graph):
            for edge in picture.edges:
                level = re.findall(r" (-?[\d.]+)H(-?[\d.]+)", edge.path)
                for y, stop in ((float(y), float(x)) for y, x in level):
                    assert not [b for b in boxes if b[0] < stop <= b[2] and b[1] < y < b[3]]
                gaps = len(edge.path.split("C")) - 1
                columns = abs(
                    columns_of(boxes)[boxes[edge.end][0]] - columns_of(boxes)[boxes[edge.start][0]]
                )
                assert gaps == columns, "a line turns between columns alone"


def columns_of(boxes: list[Box]) -> dict[float, int]:
    """The column of each left edge; what is set in stands in the column of what it corrects."""
    columns: dict[float, int] = {}
    last, number = -100.0, -1
    for left in sorted({box[0] for box in boxes}):
        number += left - last > 20
        columns[left] = number
        last = left
    return columns


def overlapping(boxes: list[Box]) -> list[tuple[Box, Box]]:
    return [
        (a, b)
        for a, b in combinations(boxes, 2)
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]


def test_nothing_of_the_catalogue_is_drawn_over_something_else_or_outside() -> None:
    for graph in drawn(list(catalogue())):
        for picture, boxes in pictures(graph):
            for left, top, right, bottom in boxes:
                assert 0 <= left < right <= picture.width
                assert 0 <= top < bottom <= picture.height
            assert overlapping(boxes) == []


def test_a_correction_stands_below_its_line() -> None:
    false, right, free = claims("p.thm1.a", "p.thm1.a.corrected", "p.thm1.b")
    [graph] = drawn([replace(false, correction=right.id), right, free])
    assert [[node.label for node in stack] for stack in graph.parts[0].alone] == [
        ["a", "corrected"],
        ["b"],
    ]


def test_a_correction_of_two_lines_stands_below_the_first() -> None:
    first, second, right = claims("p.thm1.a", "p.thm1.b", "p.thm1.c")
    members = [replace(first, correction=right.id), replace(second, correction=right.id), right]
    [graph] = drawn(members)
    assert [[node.id for node in stack] for stack in graph.parts[0].alone] == [
        ["p.thm1.a", "p.thm1.c"],
        ["p.thm1.b"],
    ]


def test_what_another_part_proves_stands_in_the_picture_as_such() -> None:
    lemma, line = claims("p.lem1.x", "p.thm1.y", **{"p.thm1.y": ("p.lem1.x",)})
    [graph] = drawn([lemma, line], **{"p.lem1.x": Verdict.PROVED})
    lemma_part, theorem = graph.parts
    assert [part.title for part in lemma_part.carries] == ["Theorem 1"]
    assert theorem.picture is not None
    assert [(n.label, n.outside, n.verdict) for n in theorem.picture.nodes] == [
        ("lem1.x", True, Verdict.PROVED),
        ("y", False, Verdict.NOT_RUN),
    ]
    assert graph.map is not None
    assert [block.words for block in graph.map.blocks] == [
        "Lemma 1: 1 proved",
        "Theorem 1: 1 not-run",
    ]


def in_text(claim: Claim, *others: Claim) -> Claim:
    return replace(claim, printed_uses=tuple(other.id for other in others))


def test_what_both_say_is_a_full_line() -> None:
    first, second = claims("p.thm1.x", "p.thm1.y", **{"p.thm1.y": ("p.thm1.x",)})
    found = drawn([first, in_text(second, first)])
    assert lines(found, printed=False) == {("p.thm1.x", "p.thm1.y")}
    assert lines(found, printed=True) == set()


def test_a_dashed_line_leaves_the_false_line_and_a_full_one_its_correction() -> None:
    false, right, later = claims("p.thm1.a", "p.thm1.a.corrected", "p.thm1.b")
    later = replace(in_text(later, false), uses=(right.id,))
    found = drawn([replace(false, correction=right.id), right, later])
    assert lines(found, printed=True) == {("p.thm1.a", "p.thm1.b")}
    assert lines(found, printed=False) == {("p.thm1.a.corrected", "p.thm1.b")}


def test_what_the_text_takes_from_another_part_stands_in_the_picture_and_on_the_map() -> None:
    lemma, line = claims("p.lem1.x", "p.thm1.y")
    [graph] = drawn([lemma, in_text(line, lemma)])
    lemma_part, theorem = graph.parts
    assert lemma_part.picture is None
    assert [part.title for part in lemma_part.leads_to] == ["Theorem 1"]
    assert lemma_part.carries == ()
    assert theorem.picture is not None
    assert [(node.label, node.outside) for node in theorem.picture.nodes] == [
        ("lem1.x", True),
        ("y", False),
    ]
    assert graph.map is not None
    assert [edge.printed for edge in graph.map.edges] == [True]


def test_what_the_text_takes_from_another_paper_is_in_the_picture_of_the_part_alone() -> None:
    [theirs], [line] = claims("q.lem1.x", paper="Q"), claims("p.thm1.y")
    found = drawn([theirs, in_text(line, theirs)])
    assert lines(found, printed=True) == {("q.lem1.x", "p.thm1.y")}
    assert [graph.map for graph in found] == [None, None]


def test_a_line_to_a_correction_of_its_own_is_none() -> None:
    false, right = claims("p.thm1.a", "p.thm1.a.corrected")
    [graph] = drawn([replace(false, correction=right.id), in_text(right, false)])
    assert graph.parts[0].picture is None


def test_the_words_say_what_the_text_draws_a_statement_from() -> None:
    first, second = claims("p.thm1.x", "p.thm1.y")
    [graph] = drawn([first, in_text(second, first)])
    assert graph.parts[0].picture is not None
    assert graph.parts[0].picture.nodes[1].words == (
        "p.thm1.y: p.thm1.y; not-run; in the text drawn from p.thm1.x"
    )


def test_the_text_may_go_the_other_way_than_a_proof_here() -> None:
    first, second = claims("p.thm1.x", "p.thm1.y", **{"p.thm1.y": ("p.thm1.x",)})
    found = drawn([in_text(first, second), second])
    assert lines(found, printed=False) == {("p.thm1.x", "p.thm1.y")}
    assert lines(found, printed=True) == {("p.thm1.y", "p.thm1.x")}
    picture = found[0].parts[0].picture
    assert picture is not None
    assert [bool(edge.head) == edge.printed for edge in picture.edges] == [True, True]
    ours, texts = sorted(picture.edges, key=lambda edge: edge.printed)
    assert texts.path == ours.path, "it takes the same way, to the left"
    assert texts.head.startswith("M"), "as its arrowhead says"


def test_a_hundred_statements_with_lines_of_both_kinds_do_not_overlap() -> None:
    random = Random(8)
    members = claims(*(f"p.lem1.statement-{i}" for i in range(100)))
    for i in range(1, 100):
        text, ours = (
            random.sample(members[:i], k=min(i, random.choice((0, 1, 1, 2)))) for _ in "ab"
        )
        members[i] = replace(in_text(members[i], *text), uses=tuple(c.id for c in ours))
    [graph] = drawn(members)
    [(picture, boxes)] = pictures(graph)
    assert len(picture.nodes) > 90
    assert overlapping(boxes) == []


def test_a_part_of_a_run_shows_what_it_did_not_hold_as_such() -> None:
    lemma, line = claims("p.lem1.x", "p.thm1.y", **{"p.thm1.y": ("p.lem1.x",)})
    registry = Registry()
    registry.add(lemma)
    registry.add(line)
    [graph] = graphs([ClaimResult(line, Verdict.PROVED, (), True)], registry)
    picture = graph.parts[0].picture
    assert picture is not None
    assert (picture.nodes[0].verdict, graph.map) == (None, None)
    assert "not in this run" in picture.nodes[0].words


def test_a_paper_without_a_verdict_is_said_to_be_idle() -> None:
    members = [*claims("p.x", "p.y"), *claims("q.x", paper="Q")]
    assert [g.idle for g in drawn(members, **{"p.x": Verdict.PROVED})] == [False, True]


# -- on the page ---------------------------------------------------------------------------------


class Links(HTMLParser):
    """The links of the graph with their classes and what they are called."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[dict[str, str]] = []
        self._title = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._title = tag == "title"
        if tag == "a":
            self.links.append({"title": "", **{name: value or "" for name, value in attrs}})

    def handle_data(self, data: str) -> None:
        if self._title:
            self.links[-1]["title"] += data


@pytest.fixture
def section(run: RunResult, registry: Registry) -> str:
    text = page(run, registry, command="verify")
    return text[text.index('<section id="graph"') : text.index('<section id="claims"')]


def test_nodes_are_links_that_say_everything(section: str) -> None:
    nodes = {a["href"]: a for a in Links(section).links if "node" in a.get("class", "").split()}
    assert nodes["#claim-a.thm1.good"]["title"] == (
        "a.thm1.good: Mean of the margin; proved; rests on a.thm1.false.corrected"
    )
    assert "v-refuted" in nodes["#claim-a.thm1.false"]["class"]


def test_verdicts_have_a_sign_and_a_shape_beside_their_colour(
    section: str, run: RunResult, registry: Registry
) -> None:
    assert re.search(r"v-refuted\".*?>✗ false</text>", section)
    assert re.search(r"v-proved\".*?>✓ good</text>", section)
    results = [replace(r, verdict=Verdict.CERTIFIED) for r in run.results]
    certified = page(RunResult(run.settings, results), registry, command="verify")
    node = certified[certified.index('<a class="node v-certified') :].split("</a>")[0]
    assert node.count("<rect") == 2


def test_dashed_lines_are_explained_and_listed(run: RunResult, registry: Registry) -> None:
    results = [
        replace(r, claim=replace(r.claim, printed_uses=("a.thm1.false",)))
        if r.claim.id in ("a.thm1.good", "a.damaged")
        else r
        for r in run.results
    ]
    text = page(RunResult(run.settings, results), registry, command="verify")
    assert len(re.findall(r'class="edge" stroke-dasharray', text)) == 3, (
        "two in parts, one on the map"
    )
    assert "A dashed line is drawn by the text of the paper alone" in text
    listed = re.search(r"What the text draws from it: (.*?)</ul>", text, re.DOTALL)
    assert listed is not None
    assert "Further statements" in listed[1]


def test_what_has_no_check_leads_to_the_list(section: str) -> None:
    assert 'href="#listed-b.idle.number-1"' in section


def test_titles_and_papers_never_become_markup() -> None:
    registry = Registry()
    one = Claim("p.thm1.x", ATTACK, "p", paper=ATTACK)
    two = Claim("p.lem1.y", ATTACK, "p", paper=ATTACK, uses=(one.id,))
    three = Claim("p.lem1.z", ATTACK, "p", paper=ATTACK)
    results = []
    for claim in (one, two, three):
        registry.add(claim)
        results.append(ClaimResult(claim, Verdict.PROVED, (), True))
    text = page(RunResult(Settings(), results), registry, command="verify")
    assert text.count("<script") == 1
    assert "<img" not in text
