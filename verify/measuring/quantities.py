"""Shared quantities: what the claims speak of, each with its exact and its measured side.

A claim names quantities; the exact side derives each once, the measured side samples each once a run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from typing import TypeAlias

from proofs.algebra import RationalFunction
from proofs.derived import Bound, Derived
from verify.errors import UsageError
from verify.measuring.box import Box, refusal, require_inside, required
from verify.measuring.measure import Experiment, Sizes, Source, Statistic, single
from verify.printed.formula import Formula
from verify.statistics import Interval

__all__ = ["Factors", "Measured", "Pairs", "Quantity", "Sizes", "formula_for", "in_words"]


@dataclass(frozen=True)
class Measured:
    """How a quantity is measured: observables of an experiment, their interval, and where.

    *variance*: the exact variance of the observable in one draw, where it is known; for plans.
    """

    experiment: Experiment
    observables: tuple[str, ...]
    sizes: tuple[Sizes, ...]
    combine: Callable[..., Interval] = single
    variance: Callable[[Sizes], Fraction] | None = None

    def at(self, sizes: Sizes) -> Statistic:
        """The quantity at *sizes*, to be measured."""
        known = None if self.variance is None else partial(self.variance, sizes)
        sources = tuple(Source(self.experiment, name, sizes, known) for name in self.observables)
        return Statistic(sources, self.combine)


@dataclass(frozen=True)
class Quantity:
    """A function of the sizes: derived exactly, enumerated at tiny sizes, measured.

    ``domain`` gives the lower end of each size, or is a Box, with conditions between them too, and
    must lie where the engine says that the quantity exists; ``enumerate`` is the second exact road, for
    the sizes in ``tiny``. ``where`` tells quantities apart that one formula is printed for. ``faulty``
    gives the same quantity of a construction with a named fault, for the mutants of constructions.
    ``names`` says what a printed formula calls what is fixed here, such as a degree k; ``parameters``
    are symbols of the exact value that are no sizes, each with the value it is measured at.
    """

    name: str
    symbol: str
    exact: Callable[[], Derived]
    domain: Mapping[str, int]
    enumerate: Callable[[Sizes], Fraction | RationalFunction]
    tiny: tuple[Sizes, ...]
    measured: Measured
    where: str = ""
    faulty: Callable[[str], Quantity] | None = None
    names: Mapping[str, RationalFunction] = field(default_factory=dict)
    parameters: Mapping[str, Fraction] = field(default_factory=dict)

    @property
    def box(self) -> Box:
        """The domain with its conditions."""
        return Box.of(self.domain)

    @cached_property
    def derived(self) -> Derived:
        """The exact side, derived at the first request.

        UsageError for a domain, or sizes to measure at, where there is no such thing, and for a value
        that depends on what is neither size nor parameter.
        """
        derived = self.exact()
        open_ = sorted(set(derived.value.names) - set(self.domain) - set(self.parameters))
        if open_:
            raise UsageError(
                f"domain: {self.symbol} depends on {open_[0]}, which has no lower end; give it one"
            )
        needed = required(derived.domain, {*self.domain, *self.parameters})
        require_inside(self.box, [bound.at(self.parameters) for bound in needed])
        for sizes in self.measured.sizes:
            wrong = refusal(needed, {**sizes, **self.parameters})
            if wrong:
                raise UsageError(f"sizes: {in_words(sizes)} of {self.symbol}: {wrong}; take others")
        return derived

    def admits(self, sizes: Mapping[str, int | Fraction]) -> bool:
        """Whether the quantity exists at these sizes, and they lie in its domain."""
        at = {**self.parameters, **sizes}
        return not (self.box.missing(at) or refusal(self._needed, at))

    @cached_property
    def _needed(self) -> Sequence[Bound]:
        return required(self.derived.domain, {*self.domain, *self.parameters})

    @cached_property
    def enumerated(self) -> Sequence[tuple[Sizes, Fraction | RationalFunction]]:
        """Its values at the tiny sizes of the domain, enumerated at the first request."""
        inside = (sizes for sizes in self.tiny if self.admits(sizes))
        return tuple((sizes, self.enumerate(sizes)) for sizes in inside)

    def of(self, construction: str) -> Quantity:
        """The quantity of the construction with that fault: itself for "", the one as defined, and
        itself where it does not depend on the construction."""
        return self.faulty(construction) if construction and self.faulty else self


#: Formulas by name, each with the quantities it is printed for.
Pairs: TypeAlias = Mapping[str, Sequence[Quantity]]
#: Quantities that printed formulas speak of by name.
Factors: TypeAlias = Mapping[str, Quantity]


def formula_for(printed: Mapping[str, Formula], name: str, quantity: Quantity) -> Formula:
    """The formula *name* for a quantity: one printed for its kind alone, or for all.

    A correction that tells cases apart (y inside and outside the image) is so judged by the very
    checks of the line that it corrects.
    """
    special = f"{name}_{quantity.where}"
    return printed[special] if special in printed else printed[name]


def in_words(sizes: Mapping[str, object]) -> str:
    """Sizes for a sentence: d = 2, N = 3."""
    return ", ".join(f"{name} = {value}" for name, value in sizes.items())
