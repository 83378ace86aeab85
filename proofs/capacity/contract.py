"""What every explicit condition must satisfy: supply it with sizes to look at, and inherit the tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import Any, ClassVar

from proofs.contract import refused

__all__ = ["ConditionContract", "Growth"]

#: Sizes, the one of them that grows, and its values.
Growth = tuple[Mapping[str, Any], str, Sequence[Any]]

_NO_PROBABILITIES: tuple[Any, ...] = (0, 1, -1, 2, float("nan"), float("inf"), "x", "", None, True)


class ConditionContract:
    """A condition that answers ``failure_bound``, ``holds`` and ``largest``.

    A subclass supplies the ``condition`` and the sizes at which it is looked at, all by keyword.
    """

    condition: Any
    #: Sizes but the number of facts, as ``largest`` takes them.
    places: Sequence[Mapping[str, Any]]
    deltas: Sequence[str] = ("1/2", "1/10", "1e-9")
    #: Numbers of facts whose bounds are compared with their deltas.
    facts: Sequence[int] = (1, 2, 7)
    #: holds(delta) is failure_bound <= delta up to this factor: 1 where the bound is exact.
    slack = Fraction(1)
    #: Sizes at which nothing can be lost; none where something always can.
    certain: Mapping[str, Any]
    #: Sizes with a lower bound on the probability that some fact is lost.
    known: Sequence[tuple[Mapping[str, Any], Fraction]] = ()
    #: What makes losses more frequent as it grows, and what makes them rarer.
    worse: Sequence[Growth]
    better: Sequence[Growth]
    #: Sizes in range, and what is wrong with others, with the words that the error must say.
    sound: Mapping[str, Any]
    wrong: Sequence[tuple[Mapping[str, Any], str]]
    #: Wrong for every condition.
    wrong_everywhere: ClassVar[Sequence[tuple[Mapping[str, Any], str]]] = (
        ({"d": 0}, "d: 0"),
        ({"d": 64.0}, "d: 64.0"),
        ({"d": True}, "d: True"),
    )

    def of(self, facts: int, place: Mapping[str, Any]) -> dict[str, Any]:
        """The sizes of a memory of so many facts at a place."""
        return {**place, "N": facts}

    @classmethod
    @cache
    def _largest(cls) -> tuple[tuple[Mapping[str, Any], str, int], ...]:
        """At each place and delta the largest number of facts; searched for once."""
        return tuple(
            (place, delta, cls.condition.largest(delta=delta, **place))
            for place in cls.places
            for delta in cls.deltas
        )

    def test_the_condition_holds_at_its_largest_size_and_not_beyond(self) -> None:
        found = self._largest()
        for place, delta, largest in found:
            holds = partial(self.condition.holds, delta=delta)
            assert largest == 0 or holds(**self.of(largest, place)), (place, delta)
            assert not holds(**self.of(largest + 1, place)), (place, delta, largest)
        assert any(largest for *_, largest in found), "nothing fits at any place"

    def test_a_smaller_delta_allows_no_more_facts(self) -> None:
        largest = [largest for *_, largest in self._largest()]
        every = len(self.deltas)
        found = [largest[start : start + every] for start in range(0, len(largest), every)]
        assert found == [sorted(sizes, reverse=True) for sizes in found]
        assert any(sizes[0] > sizes[-1] for sizes in found), "delta makes no difference"

    def test_the_search_ends_where_it_is_told_to(self) -> None:
        for place, delta, largest in self._largest():
            for most in (largest, largest - 1, largest // 2):
                if most > 0:
                    found = self.condition.largest(delta=delta, at_most=most, **place)
                    assert found == most, (place, delta)

    def test_bounds_are_exact_probabilities_and_say_whether_the_condition_holds(self) -> None:
        decided = 0
        for place in self.places:
            for facts in self.facts:
                sizes = self.of(facts, place)
                bound = self.condition.failure_bound(**sizes)
                assert isinstance(bound, Fraction), sizes
                assert 0 <= bound <= 1, sizes
                above, below = bound * self.slack, bound / self.slack * (1 - Fraction(1, 10**9))
                if bound > 0 and above < 1:
                    decided += 1
                    assert self.condition.holds(delta=above, **sizes), sizes
                    assert not self.condition.holds(delta=below, **sizes), sizes
        assert decided, "no bound is between 0 and 1"

    def test_no_bound_is_below_a_known_probability(self) -> None:
        for sizes, probability in self.known:
            assert self.condition.failure_bound(**sizes) >= probability, sizes

    def test_where_nothing_can_be_lost_the_bound_is_zero(self) -> None:
        assert not self.certain or self.condition.failure_bound(**self.certain) == 0

    def test_bounds_are_monotone_in_the_sizes(self) -> None:
        for growths, falls in ((self.worse, False), (self.better, True)):
            for sizes, name, values in growths:
                bounds = [self.condition.failure_bound(**{**sizes, name: v}) for v in values]
                assert bounds == sorted(bounds, reverse=falls), (sizes, name)
                assert bounds[0] != bounds[-1], (sizes, name)

    def test_what_is_no_failure_probability_is_refused(self) -> None:
        for delta in _NO_PROBABILITIES:
            refused(partial(self.condition.holds, delta=delta, **self.sound), "delta: ")
            for most in (None, 0):  # where nothing is looked for it is read all the same
                largest = partial(self.condition.largest, delta=delta, at_most=most)
                refused(partial(largest, **self.places[0]), "delta: ")

    def test_sizes_out_of_range_are_refused_by_name(self) -> None:
        for change, words in (*self.wrong_everywhere, *self.wrong):
            refused(partial(self.condition.failure_bound, **{**self.sound, **change}), words)
