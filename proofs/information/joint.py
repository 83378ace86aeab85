"""Finite joint laws of named variables with rational probabilities: entropies and informations, exactly.

Serves Sec. 6, where every step of a proof is a relation between such quantities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from proofs.information.entropy import (
    Information,
    Rational,
    checked_law,
    entropy_of_counts,
    scaled,
)

#: One name, or several.
Names: TypeAlias = str | Iterable[str]
Outcome: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True)
class Joint:
    """A joint law: outcome (one value a name, in the order of ``names``) to its probability.

    Build with ``Joint.of``, which checks; outcomes of probability 0 are left out.
    """

    names: tuple[str, ...]
    law: Mapping[Outcome, Fraction]

    @classmethod
    def of(cls, names: Iterable[str], law: Mapping[Outcome, Rational]) -> Joint:
        """Raises ValueError for a repeated name, an outcome of another length, or what is no law."""
        named = tuple(names)
        if len(set(named)) < len(named):
            raise ValueError(f"names = {named}: a name occurs twice; give each variable its own")
        for outcome in law:
            if len(outcome) != len(named):
                raise ValueError(f"law: {outcome} has {len(outcome)} values for names {named}")
        found = dict(zip(law, checked_law(law.values()), strict=True))
        return cls(named, {outcome: p for outcome, p in found.items() if p})

    @classmethod
    def uniform(cls, names: Iterable[str], outcomes: Iterable[Outcome]) -> Joint:
        """All outcomes equally probable; one that occurs twice counts twice."""
        listed = list(outcomes)
        law: dict[Outcome, Rational] = {}
        for outcome in listed:
            law[outcome] = law.get(outcome, 0) + Fraction(1, len(listed))
        return cls.of(names, law)

    def _places(self, names: Names) -> tuple[int, ...]:
        wanted = (names,) if isinstance(names, str) else tuple(names)
        for name in wanted:
            if name not in self.names:
                raise ValueError(
                    f"names: no variable is called {name!r}; there are {', '.join(self.names)}"
                )
        return tuple(sorted({self.names.index(name) for name in wanted}))

    # -- further laws -----------------------------------------------------------------------------

    def marginal(self, names: Names) -> Joint:
        """The law of some of the variables, in their order here."""
        places, (scale, _) = self._places(names), self._counts
        law = {part: Fraction(count, scale) for part, count in self._collected(places).items()}
        return Joint(tuple(self.names[i] for i in places), law)

    @cached_property
    def _counts(self) -> tuple[int, Mapping[Outcome, int]]:
        """A common denominator of the probabilities, and the numerators."""
        scale, counts = scaled(self.law.values())
        return scale, dict(zip(self.law, counts, strict=True))

    def _collected(self, places: tuple[int, ...]) -> Counter[Outcome]:
        """The numerators of the law of the variables at these places."""
        found: Counter[Outcome] = Counter()
        for outcome, count in self._counts[1].items():
            found[tuple(outcome[i] for i in places)] += count
        return found

    def given(self, **values: Hashable) -> Joint:
        """The law where variables have these values. Raises ValueError if that has probability 0."""
        self._places(values)
        fixed = [(self.names.index(name), value) for name, value in values.items()]
        law = {o: p for o, p in self.law.items() if all(o[i] == value for i, value in fixed)}
        total = sum(law.values(), Fraction(0))
        if not total:
            raise ValueError(f"values = {values}: this has probability 0")
        return Joint(self.names, {outcome: p / total for outcome, p in law.items()})

    def function(self, name: str, of: Callable[..., Hashable], names: Names) -> Joint:
        """With a further variable, a function of others: of(*values of *names*, in their order here)."""
        return self.channel(name, lambda *values: {of(*values): 1}, names)

    def channel(self, name: str, of: Callable[..., Mapping[Any, Rational]], names: Names) -> Joint:
        """With a further variable drawn from the law of(*values of *names*): value to probability.

        Given these values it is independent of all others, so that it makes a Markov chain.
        """
        places = self._places(names)
        law: dict[Outcome, Rational] = {}
        for outcome, p in self.law.items():
            drawn = of(*(outcome[i] for i in places))
            for value, q in zip(drawn, checked_law(drawn.values()), strict=True):
                law[(*outcome, value)] = p * q
        return Joint.of((*self.names, name), law)

    # -- quantities -------------------------------------------------------------------------------

    def entropy(self, names: Names) -> Information:
        """H(names)."""
        return entropy_of_counts(self._counts[0], self._collected(self._places(names)).values())

    def conditional_entropy(self, names: Names, given: Names) -> Information:
        """H(names | given)."""
        return self.entropy(_both(names, given)) - self.entropy(given)

    def mutual_information(self, left: Names, right: Names, given: Names = ()) -> Information:
        """I(left; right | given)."""
        return (
            self.entropy(_both(left, given))
            + self.entropy(_both(right, given))
            - self.entropy(_both(left, right, given))
            - self.entropy(given)
        )

    def independent(self, left: Names, right: Names, given: Names = ()) -> bool:
        """Whether left and right are independent given the rest: their information is exactly 0."""
        return self.mutual_information(left, right, given) == Information()

    def is_markov(self, first: Names, middle: Names, last: Names) -> bool:
        """Whether first -> middle -> last is a Markov chain."""
        return self.independent(first, last, middle)


def _both(*names: Names) -> tuple[str, ...]:
    return tuple(n for part in names for n in ((part,) if isinstance(part, str) else part))
