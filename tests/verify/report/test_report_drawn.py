"""What the text of a paper draws from a statement: directly, and through others, the gravest first."""

from verify.claim import Claim
from verify.report.drawn import Drawn, PrintedUses


def chain(*uses):
    """Claims with what their text is drawn from, and their tier."""
    return PrintedUses(
        Claim(id_, id_, "s", printed_uses=used, tier=tier) for id_, used, tier in uses
    )


def test_what_is_drawn_is_told_from_what_is_drawn_through_it():
    uses = chain(("a", (), 2), ("b", ("a",), 2), ("c", ("b",), 2), ("other", (), 1))
    assert uses.from_it("a") == Drawn(("b",), ("c",), 1)
    assert uses.from_it("c") == Drawn((), (), 0)


def test_the_gravest_are_named_and_the_others_counted():
    uses = chain(
        ("a", (), 2),
        ("b", ("a",), 2),
        *((f"c{i}", ("b",), 2) for i in range(4)),
        ("main", ("c0",), 1),
        ("last", ("main", "b"), 1),
    )
    found = uses.from_it("a")
    assert found.gravest == ("last", "main", "c3")
    assert (found.through, found.more) == (6, 3)


def test_what_is_drawn_both_ways_is_named_once():
    uses = chain(("a", (), 2), ("b", ("a",), 2), ("c", ("a", "b"), 1))
    assert uses.from_it("a") == Drawn(("b", "c"), (), 0)


def test_a_circle_of_the_text_ends():
    uses = chain(("a", ("c",), 2), ("b", ("a",), 2), ("c", ("b",), 2))
    assert uses.from_it("a") == Drawn(("b",), ("c",), 1)
