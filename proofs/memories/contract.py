"""What the margin's moments of every memory must satisfy: supply it, and inherit the tests."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from math import sqrt
from typing import Any

import sympy

from proofs.algebra import RationalFunction
from proofs.contract import FormulaContract, refused
from proofs.derived import Derived
from proofs.memories.setting import Memory
from proofs.moments import central_from_raw, cross_check
from proofs.moments.explicit import Instance

__all__ = ["FAR", "MAPS", "MarginContract", "Place", "deviations", "fibres"]

#: (map, y) for x = 0: y outside the image or the output of one or two inputs, x alone or not.
MAPS: Mapping[str, tuple[Sequence[int], int]] = {
    "y of one input": ((0, 1, 2), 1),
    "y outside": ((0, 1, 2), 3),
    "x shares its output": ((0, 0, 1), 1),
    "x shares, y outside": ((0, 0, 1), 3),
    "y of two inputs": ((0, 1, 1), 1),
}
#: Standard errors from the mean that no right formula is off by: a chance of 2e-9.
FAR = 6.0


def fibres(table: Sequence[int], y: int) -> dict[str, Any]:
    """The keywords that say of a formula what a map says of x = 0 and y."""
    other = table.count(y)
    return {"y_in_image": other > 0, "same": table.count(table[0]) - 1, "other": other}


def deviations(drawn: Sequence[float], mean: float, variance: float) -> tuple[float, float]:
    """Mean and variance of independent values less the expected ones, in their standard errors."""
    count = len(drawn)
    centre = sum(drawn) / count
    squares = [(x - centre) ** 2 for x in drawn]
    spread = sum(squares) / count
    fourth = sum(x * x for x in squares) / count
    of_variance = (spread - variance) / sqrt((fourth - spread**2) / count)
    return (centre - mean) / sqrt(spread / count), of_variance


@dataclass(frozen=True)
class Place:
    """Sizes but N, keywords of the memory's own, and the orders of its moments looked at there."""

    sizes: Mapping[str, int]
    own: Mapping[str, Any]
    orders: Sequence[int] = (1, 2)
    law: str = "sphere"
    maps: Sequence[str] = tuple(MAPS)
    #: Inputs of the maps, the first ones.
    inputs: int = 3


class MarginContract(FormulaContract):
    """The three public functions of a memory, those of ``module``, in the sizes d, N and more.

    A subclass supplies its ``module``, which has a ``definition`` too, and what is drawn from matrices
    or loops in floats: a second definition.
    """

    #: With ``margin_mean``, ``margin_variance`` and ``margin_central_moment``.
    module: Any
    least: Mapping[str, int] = {"d": 1}
    #: Keywords of the memory's own, such as a degree.
    own: Mapping[str, Any] = {}
    #: Laws of the embeddings; with one alone there is no keyword.
    laws: Sequence[str] = ("sphere", "gaussian")
    #: Where moments are enumerated, in dimension 1 and 2.
    enumerated: Sequence[Place]
    #: Where memories are drawn: a place, with a map (not only one of MAPS) and y.
    simulated: Sequence[tuple[Place, Sequence[int], int]]
    #: Relative errors of mean (or of one standard deviation) and variance that drawing must see.
    visible = (1 / 20, 1 / 7)
    largest_order = 8

    def definition(self, place: Place) -> Memory:
        """The memory with its margin as an expression."""
        law = {"embeddings": place.law} if len(self.laws) > 1 else {}
        memory: Memory = self.module.definition(**place.own, **law)
        return memory

    def drawn(self, place: Place, table: Sequence[int], y: int) -> Sequence[float]:
        """Margins of independent memories, made from vectors and matrices, for x = 0 and y."""
        raise NotImplementedError

    # -- what the tests are made of -------------------------------------------------------------------

    @property
    def formulas(self) -> Mapping[str, Callable[..., Derived]]:
        module = self.module
        functions = {
            "mean": module.margin_mean,
            "variance": module.margin_variance,
            "third": partial(module.margin_central_moment, 3),
        }
        return {name: self._by_keyword(function) for name, function in functions.items()}

    def _by_keyword(self, function: Callable[..., Derived]) -> Callable[..., Derived]:
        def formula(**known: Any) -> Derived:
            sizes = [known.pop(name) for name in self.sizes]
            return function(*sizes, **{**self.own, **known})

        return formula

    def moment(self, order: int, place: Place, table: Sequence[int], y: int) -> Derived:
        """The public formula at a place; a raw moment for order 1, else a central one."""
        known = {**place.own, **fibres(table, y)}
        if len(self.laws) > 1:
            known["embeddings"] = place.law
        sizes = [{**place.sizes, "N": len(table)}[name] for name in self.sizes]
        if order == 1:
            found: Derived = self.module.margin_mean(*sizes, **known)
        elif order == 2:
            found = self.module.margin_variance(*sizes, **known)
        else:
            found = self.module.margin_central_moment(order, *sizes, **known)
        return found

    def enumeration(self, place: Place, table: Sequence[int], y: int) -> list[RationalFunction]:
        """Moments of orders 1 to the largest of the place, by enumeration of the definition."""
        it, d = self.definition(place), place.sizes["d"]
        sizes = {it.inputs: len(table), it.outputs: 4}
        for range_ in {index.range for term in it.margin.terms for index in term.bound} - {*sizes}:
            sizes[range_] = int(range_.size(**place.sizes).as_fraction())
        instance = Instance(sizes, {it.x: 0, it.y: y}, {it.association: table}, place.sizes)
        raw = [instance.expectation([it.margin] * k, d) for k in range(1, max(place.orders) + 1)]
        return [raw[0], *(central_from_raw(raw[:k]) for k in range(2, len(raw) + 1))]

    def agrees(self, place: Place) -> None:
        """AssertionError unless moments at *place* are those of the enumeration."""
        for name in place.maps:
            table, y = MAPS[name]
            table = table[: place.inputs]
            values = self.enumeration(place, table, y)
            for order in place.orders:
                found = self.moment(order, place, table, y)
                assert found == values[order - 1], (place, name, order)

    def comes_near(self, place: Place, table: Sequence[int], y: int) -> None:
        """AssertionError unless mean and variance are what is drawn, and others are not."""
        mean, variance = (float(self.moment(k, place, table, y).expr) for k in (1, 2))
        drawn = self.drawn(place, table, y)
        assert max(map(abs, deviations(drawn, mean, variance))) < FAR, (place, table, y)
        part, share = self.visible
        off = mean + part * max(abs(mean), sqrt(variance)), variance * (1 + share)
        assert min(map(abs, deviations(drawn, *off))) > FAR, (place, table, y)

    def _places(self) -> Iterator[Place]:
        seen = []
        for place in self.enumerated:
            if (place.own, place.law) not in seen:
                seen.append((place.own, place.law))
                yield place

    # -- against the definition -----------------------------------------------------------------------

    def test_moments_agree_with_enumeration(self) -> None:
        for place in self.enumerated:
            self.agrees(place)

    def test_the_definition_agrees_at_instances_drawn_for_it(self) -> None:
        """The engine against enumeration, at sizes and maps that follow from the conditions."""
        place = next(self._places())
        it = self.definition(place)
        for order, same, other in product((1, 2), (0, 1), (0, 1, 2)):
            found = cross_check([it.margin] * order, it.given(same, other), trials=1)
            assert found.agree, str(found)

    def test_moments_agree_with_what_is_drawn(self) -> None:
        for place, table, y in self.simulated:
            self.comes_near(place, table, y)

    # -- what the functions say -----------------------------------------------------------------------

    def test_sizes_go_by_position_and_the_rest_by_keyword(self) -> None:
        keywords = {"y_in_image", "same", "other", *self.own}
        keywords |= {"embeddings"} if len(self.laws) > 1 else set()
        for name, before in (("mean", []), ("variance", []), ("central_moment", ["order"])):
            found = inspect.signature(getattr(self.module, f"margin_{name}")).parameters.values()
            by_position = [p.name for p in found if p.kind is p.POSITIONAL_OR_KEYWORD]
            assert by_position == [*before, *self.sizes], name
            assert {p.name for p in found if p.kind is p.KEYWORD_ONLY} == keywords, name

    def test_the_first_central_moment_vanishes_and_the_second_is_the_variance(self) -> None:
        symbols = list(self.symbols().values())
        moment = partial(self.module.margin_central_moment, **self.own)
        assert moment(1, *symbols) == 0
        assert moment(2, *symbols) == self.module.margin_variance(*symbols, **self.own)

    def test_symbolic_fibres_specialise_to_numbers(self) -> None:
        a, b = sympy.symbols("a b", nonnegative=True)
        for name, formula in self.formulas.items():
            symbolic = formula(**self.symbols(), same=a, other=b)
            assert symbolic.expr.free_symbols <= {*self.symbols().values(), a, b}
            named = formula(**self.symbols(), same=1, other=2)
            assert symbolic(a=1, b=2) == named.value, name
            assert name == "mean" or named != formula(**self.symbols(), other=2), name

    def test_the_scope_states_the_fibres_and_the_law(self) -> None:
        def scope(**known: Any) -> str:
            return self.formulas["variance"](**self.symbols(), **known).scope

        assert "N_ >= 2, any M; embeddings uniform on the unit sphere; " in scope()
        assert "y the output of one input" in scope()
        assert "y outside the image" in scope(y_in_image=False)
        assert "y the output of 3 inputs" in scope(other=3)
        assert "N_ >= 4" in scope(same=2)
        if "gaussian" in self.laws:
            assert "N(0, I_d/d)" in scope(embeddings="gaussian")

    def test_the_scope_says_where_other_fibres_begin_to_matter(self) -> None:
        sizes = self.symbols().values()
        first = self.definition(Place(self.sizes, self.own)).injective_from
        for order in range(2, first + 1):
            found = self.module.margin_central_moment(order, *sizes, **self.own)
            assert ("at most one input" in found.scope) == (order == first), order

    def test_one_definition_serves_all_calls(self) -> None:
        places = list(self._places())
        first = [self.definition(place) for place in places]
        assert [self.definition(place) for place in places] == first
        assert len(set(map(id, first))) == len(places)

    # -- what they refuse -----------------------------------------------------------------------------

    def test_fibres_that_contradict_the_sizes_are_refused(self) -> None:
        symbols = self.symbols()
        wrong: list[tuple[dict[str, Any], str]] = [
            ({"N": 0}, "N: 0 is out of range"),
            ({"N": 1}, "N: 1 inputs cannot hold x, same=0"),
            ({"N": 2, "same": 1}, "N: 2 inputs cannot hold x, same=1"),
            ({"same": -1}, "same: -1 is out of range"),
            ({"other": -2}, "other: -2 is out of range"),
            ({"same": Fraction(1, 2)}, "same: 1/2 is out of range"),
            ({"other": 0}, "contradict y_in_image=True"),
            ({"other": 2, "y_in_image": False}, "contradict y_in_image=False"),
        ]
        if len(self.laws) > 1:
            wrong.append(({"embeddings": "cube"}, "embeddings: 'cube' is not known; take"))
        for formula in self.formulas.values():
            for known, words in wrong:
                refused(partial(formula, **{**symbols, **known}), words)
            below = formula(**{size: sympy.Symbol(size) for size in self.sizes})
            refused(partial(below, **{**self.sizes, "N": 1}), "N - 1 >= 1 is needed")

    def test_orders_out_of_range_are_refused(self) -> None:
        moment = partial(self.module.margin_central_moment, **self.own)
        for order in (0, self.largest_order + 1, -1, 2.0, True, "2"):
            refused(partial(moment, order, *self.symbols().values()), f"order: {order!r}")
