"""Cases of relations and their counts, worked out by hand."""

from __future__ import annotations

from functools import partial

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import symbols
from proofs.cases import Results
from proofs.moments import Range, Relation
from proofs.moments.relations import Fact, Relations, _canonical, _components, _is_true

N, p = symbols("N p")
THINGS = Range(N, "things")


def known(*counts: tuple[list[Fact], object]) -> Relations:
    """A relation 0, a functional relation 1, and counts of them."""
    found = Relations()
    found.number(Relation("A", THINGS, THINGS))
    found.number(Relation("F", THINGS, THINGS, functional=True))
    for facts, size in counts:
        found.state(facts, RationalFunction.of(size))
    return found


def chosen(
    relations: Relations, fresh: list[int], named: list[int], facts: list[Fact]
) -> RationalFunction:
    """In how many ways, in ranges of N elements each."""
    return relations.multiplicity(fresh, named, facts, lambda _: N, str)


#: Relation 0 on two elements, 1 a functional one; negative numbers are free elements.
ONE_VALUE = known(([(1, (0, 1))], 1), ([(0, (0, -1))], 1), ([(0, (0, 2))], 1))
TWO_VALUES = known(
    ([(0, (0, -1))], 2),
    ([(0, (0, 1))], 1),
    ([(0, (0, 2))], 1),
    ([(0, (1, 3))], 1),
    ([(0, (2, 3))], 0),
)
COUNTED_ONES = known(([(0, (-1,))], p), ([(0, (0,))], 1), ([(0, (1,))], 1))

HOLDS: Results = [
    (lambda: _canonical([(0, (-2, -1))]) == _canonical([(0, (-1, -2))]), "True"),
    (lambda: _canonical([(0, (-1, 5)), (0, (-1, 5))]), "((0, (-1, 5)),)"),
    (lambda: _canonical([(0, (-1, -2))]) == _canonical([(0, (-1, -1))]), "False"),
    (
        lambda: (
            _canonical([(0, (-1, -2)), (1, (-2, 3))]) == _canonical([(1, (-1, 3)), (0, (-2, -1))])
        ),
        "True",
    ),
    (lambda: len(_components([(0, (0, -1)), (0, (0, -2))])), "2"),
    (lambda: len(_components([(0, (-1, -2)), (0, (-2, -3)), (1, (-1, 0))])), "1"),
    (lambda: len(_components([(0, (-1, 4)), (0, (-2, 4)), (1, (-1, -2)), (1, (-1, 3))])), "1"),
    (
        lambda: [
            _is_true(tuple(facts), RationalFunction.constant(size))
            for facts, size in (
                ([(0, (1, 2))], 1),
                ([(0, (0, 2))], 1),
                ([(0, (1, 2))], 0),
                ([(0, (1, 2)), (1, (1, 2))], 1),
                ([(0, (-1, 2))], 1),
                ([(0, (1, -1))], 1),
            )
        ],
        "[True, True, False, False, False, False]",
    ),
    (lambda: ONE_VALUE._values(), "[(1, (0, 1))]"),
    (lambda: ONE_VALUE._witnesses((0, (0, -1))), "[2]"),
    (lambda: ONE_VALUE._witnesses((0, (-1, -2))), "None"),
    (lambda: ONE_VALUE._witnesses((0, (0, 2))), "None"),
    (lambda: ONE_VALUE._witnesses((0, (3, -1))), "None"),
    (lambda: COUNTED_ONES._witnesses((0, (-1,))), "None"),
    (lambda: known(([(0, (-1, -2))], 0))._witnesses((0, (-1, -2))), "None"),
    (lambda: known(([(0, (0, -1))], 2), ([(0, (0, 2))], 1))._witnesses((0, (0, -1))), "None"),
    (lambda: known(([(0, (0, -1))], 0))._witnesses((0, (0, -1))), "[]"),
    # A value that is known is put in; a last entry that occurs nowhere else is not asked for.
    (lambda: ONE_VALUE._close({-1: 0}, [(1, (0, -1))]), "({}, [(1, (0, 1))])"),
    (lambda: known()._close({-1: 0}, [(1, (0, -1))]), "({}, [])"),
    (lambda: known()._close({-1: 0}, [(1, (0, -1)), (1, (0, -1))]), "({}, [])"),
    (
        lambda: known()._close({-1: 0}, [(1, (0, -1)), (0, (0, -1))]),
        "({-1: 0}, [(1, (0, -1)), (0, (0, -1))])",
    ),
    (lambda: known()._close({}, [(1, (0, 1)), (1, (0, 2))]), "None"),
    (lambda: known()._ways({-1: 0}, [(1, (0, 1)), (1, (0, 2))], lambda _: N, str), "0"),
    (lambda: ONE_VALUE._ways({-1: 0}, [(0, (0, -1))], lambda _: N, str), "1"),
    (lambda: ONE_VALUE._ways({-1: 0, -2: 0}, [(0, (0, -1))], lambda _: N, str), "N"),
    # Two are related to 0, of these one to 3: which that are is known, how many is not said.
    *(
        (partial(TWO_VALUES._ways, {-1: 0}, facts, lambda _: N, str), "1")
        for facts in ([(0, (0, -1)), (0, (-1, 3))], [(0, (-1, 3)), (0, (0, -1))])
    ),
    # Of p that fulfil it two are named: so many ways for one, two, three more.
    (lambda: chosen(COUNTED_ONES, [0], [0, 0], [(0, (-1,))]), "p - 2"),
    (
        lambda: chosen(COUNTED_ONES, [0, 0], [0, 0], [(0, (-1,))]) == (p - 2) * (N - 3),
        "True",
    ),
    (
        lambda: (
            chosen(COUNTED_ONES, [0, 0, 0], [], [(0, (-1,)), (0, (-2,)), (0, (-3,))])
            == p * (p - 1) * (p - 2)
        ),
        "True",
    ),
]
