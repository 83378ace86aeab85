"""The graph: every claim once, every line from left to right, and a layout that hides nothing."""

import re
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.catalogue import catalogue
from verify.claim import Claim, Registry
from verify.report.graph import BLOCK_TALL, BLOCK_WIDE, NODE_TALL, PaperGraph, Picture, graphs
from verify.report.html import page
from verify.report.layered import draw
from verify.report.parts import parts
from verify.runner import ClaimResult, RunResult
from verify.settings import Settings
from verify.verdict import Verdict

ATTACK = '<script>alert(1)</script>"><img src=x>'
WIDE, ACROSS, DOWN = 100, 40, 10


def claims(*ids: str, paper: str = "P", **uses: Sequence[str]) -> list[Claim]:
    return [Claim(id_, id_, "p", paper=paper, uses=tuple(uses.get(id_, ()))) for id_ in ids]


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
    drawing = draw(
        {"a": 24, "b": 24}, [("a", "b"), ("b", "a")], wide=WIDE, across=ACROSS, down=DOWN
    )
    assert drawing.corners["a"] != drawing.corners["b"]


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


def test_every_use_of_the_catalogue_is_a_line() -> None:
    registry = catalogue()
    wanted = {(used, claim.id) for claim in registry for used in claim.uses}
    found = set()
    for graph in drawn(list(registry)):
        for part in graph.parts:
            if part.picture:
                ids = [node.id for node in part.picture.nodes]
                found |= {(ids[edge.start], ids[edge.end]) for edge in part.picture.edges}
    assert found == wanted


def pictures(graph: PaperGraph) -> list[tuple[Picture, list[tuple[float, float, float, float]]]]:
    """The pictures of a paper with the rectangles in them."""
    found = []
    for picture in [graph.map, *(part.picture for part in graph.parts)]:
        if picture:
            boxes = [(n.x, n.y, n.x + n.wide, n.y + NODE_TALL) for n in picture.nodes]
            boxes += [(b.x, b.y, b.x + BLOCK_WIDE, b.y + BLOCK_TALL) for b in picture.blocks]
            found.append((picture, boxes))
    return found


def test_nothing_of_the_catalogue_is_drawn_over_something_else_or_outside() -> None:
    for graph in drawn(list(catalogue())):
        for picture, boxes in pictures(graph):
            for n, (left, top, right, bottom) in enumerate(boxes):
                assert 0 <= left < right <= picture.width
                assert 0 <= top < bottom <= picture.height
                for other in boxes[:n]:
                    apart = left >= other[2] or right <= other[0]
                    assert apart or top >= other[3] or bottom <= other[1]


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


def test_what_has_no_check_leads_to_the_list(section: str) -> None:
    assert 'href="#listed-b.idle.number-1"' in section


def test_titles_ids_and_papers_never_become_markup() -> None:
    registry = Registry()
    one = Claim(f"{ATTACK}.thm1.x", ATTACK, "p", paper=ATTACK)
    two = Claim(f"{ATTACK}.lem1.{ATTACK}", ATTACK, "p", paper=ATTACK, uses=(one.id,))
    three = Claim(f"{ATTACK}.lem1.z", ATTACK, "p", paper=ATTACK)
    results = []
    for claim in (one, two, three):
        registry.add(claim)
        results.append(ClaimResult(claim, Verdict.PROVED, (), True))
    text = page(RunResult(Settings(), results), registry, command="verify")
    assert text.count("<script") == 1
    assert "<img" not in text
