"""What the papers draw their parts from, and that it is held against the catalogue."""

import pytest

from verify.catalogue import catalogue
from verify.claim import Claim, Registry
from verify.errors import CatalogueError
from verify.printed.paper import Paper
from verify.report.page.graph import graphs
from verify.report.page.printed_order import printed_links
from verify.report.parts import parts
from verify.running.runner import ClaimResult
from verify.verdict import Verdict

IDS = ("p.thm1.statement", "p.lem1", "p.lem2.corrected")


@pytest.fixture(scope="module")
def registry() -> Registry:
    return catalogue()


@pytest.fixture(scope="module")
def claims(registry) -> list[Claim]:
    return list(registry)


@pytest.fixture(scope="module")
def order(registry) -> dict[str, tuple[str, ...]]:
    """That of all papers."""
    return {k: v for paper in registry.papers.values() for k, v in paper.printed_order.items()}


def test_the_order_has_the_false_lines_that_a_theorem_rests_on(claims, order):
    assert order["nichani.thm6"] == ("nichani.lem5", "nichani.lem6")
    assert "nichani.lem7" in order["nichani.lem6"]
    refuted = {c.id for c in claims if c.recorded is Verdict.REFUTED}
    assert {"nichani.lem6.stmt", "nichani.lem7.upper"} <= refuted


def test_every_part_of_the_order_is_one_of_the_page(claims, order):
    prefixes = {part.prefix for part in parts(claims)}
    assert order
    assert set(order).union(*order.values()) <= prefixes


def test_the_theorems_with_a_proof_by_lemmas_have_an_order(registry):
    order = registry.papers["nichani"].order
    assert {f"thm{n}" for n in (1, 3, 4, 5, 6, 8, 9, 10, 11)} <= set(order)


@pytest.mark.parametrize(
    ("order", "complaint"),
    [
        ({"thm2": ("lem1",)}, r"p\.thm2"),
        ({"thm1": ("lem3",)}, r"p\.lem3"),
        ({"thm1": ("lem1", "lem1")}, "twice"),
        ({"lem1": ("lem1",)}, "each other"),
        ({"lem1": ("lem2",), "lem2": ("lem1",)}, "each other"),
    ],
)
def test_an_order_that_cannot_be_right_is_refused(shelve, order, complaint):
    claims = [Claim(id=id_, title=id_, statement="$x$") for id_ in IDS]
    with pytest.raises(CatalogueError, match=complaint):
        shelve(Paper("p", "P", order=order), *claims).validate()


def test_an_order_among_known_parts_is_accepted(shelve):
    order = {"thm1": ("lem1", "lem2"), "lem2": ("lem1",)}
    claims = [Claim(id=id_, title=id_, statement="$x$") for id_ in IDS]
    shelve(Paper("p", "P", order=order), *claims).validate()


def test_a_line_runs_between_parts_of_the_run_only():
    group = parts([Claim(id=id_, title=id_, statement="$x$", paper="P") for id_ in IDS])
    order = {"p.thm1": ("p.lem2", "p.lem9"), "p.lem9": ("p.lem1",)}
    assert printed_links(group, order) == [("part-p.lem2", "part-p.thm1")]


def test_a_part_is_drawn_from_those_that_its_claims_are_drawn_from_once():
    def claim(id_, *drawn_from):
        return Claim(id=id_, title=id_, statement="$x$", paper="P", printed_uses=drawn_from)

    group = parts(
        [
            claim("p.lem1"),
            claim("p.lem2.x", "p.lem1"),
            claim("p.thm1.x", "p.thm1.y", "p.lem2.x", "q.thm1"),
            claim("p.thm1.y", "p.lem2.x", "p.lem1"),
        ]
    )
    assert printed_links(group, {"p.thm1": ("p.lem2",)}) == [
        ("part-p.lem2", "part-p.thm1"),
        ("part-p.lem1", "part-p.lem2"),
        ("part-p.lem1", "part-p.thm1"),
    ]


def test_any_paper_has_its_order_on_the_map(shelve):
    claims = [Claim(id=id_, title=id_, statement="$x$", paper="P") for id_ in IDS]
    registry = shelve(Paper("p", "P", order={"thm1": ("lem1",)}), *claims)
    found = graphs([ClaimResult(c, Verdict.NOT_RUN, (), True) for c in claims], registry)
    (edge,) = found[0].map.edges
    assert edge.printed
    names = [found[0].map.blocks[end].anchor for end in (edge.start, edge.end)]
    assert names == ["part-p.lem1", "part-p.thm1"]


def test_what_holds_rests_on_what_holds(claims):
    known = {claim.id: claim for claim in claims}
    shaky = [
        (claim.id, used)
        for claim in claims
        if claim.recorded is not None and claim.recorded.positive
        for used in claim.uses
        if known[used].recorded is None or not known[used].recorded.positive
    ]
    assert shaky == []


def test_the_map_joins_a_theorem_with_the_false_lemma_below_it_by_a_dashed_line(claims, registry):
    results = [ClaimResult(claim, Verdict.NOT_RUN, (), True) for claim in claims]
    found = next(g for g in graphs(results, registry) if g.parts[0].part.prefix == "nichani.s3")
    assert found.map is not None
    names = [block.anchor.removeprefix("part-nichani.") for block in found.map.blocks]
    lines = {(names[edge.start], names[edge.end]): edge.printed for edge in found.map.edges}
    assert lines["lem7", "lem6"]
    assert not lines["lem6", "thm6"]
    assert len(lines) == len(found.map.edges)
