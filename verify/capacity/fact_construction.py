"""What both transformer constructions offer to ``verify capacity``: how many facts S x R they hold."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from flint import arb

from proofs.algebra.balls import lower, precision, upper
from proofs.capacity.conditions import read_size
from proofs.capacity.fact_predictions import FactPrediction
from verify.capacity.construction import PARAMETER_BITS, sizes_in_words

if TYPE_CHECKING:
    from numerics.observables import Event


class FactConstruction(ABC):
    """A construction at all its sizes but the numbers S of subjects and R of relations.

    Subclasses take these sizes as keywords and raise ValueError, which begins with the name of the
    size, where one is out of range.
    """

    #: As on the command line.
    name: ClassVar[str]
    #: The sizes that must be given, each with an example in words; those that may be given.
    needs: ClassVar[dict[str, str]]
    takes: ClassVar[tuple[str, ...]]
    #: Sizes beyond this are not asked for.
    largest_size: ClassVar[int] = 10**7
    #: The failure curves of the page, as ``TableSubject`` takes them.
    curves: ClassVar[Sequence[Mapping[str, Any]]] = ()
    #: The claim that proves the condition, or where it is derived.
    condition: ClassVar[str]

    #: All sizes, with defaults filled in.
    sizes: dict[str, Any]
    prediction: FactPrediction
    D: int
    #: Noise tokens of the vocabulary; None for as many as subjects and relations.
    noise: int | None

    @property
    def text(self) -> str:
        """The construction and its sizes in words."""
        return f"{self.name} construction, {sizes_in_words(self.sizes)}"

    def answers(self, S: int) -> int:
        """Answers of one relation, which cannot be more than the subjects."""
        return min(self.D, S)

    def contexts(self, S: int, R: int) -> tuple[int, int]:
        """The noise tokens of drawn constructions, and the length of their contexts."""
        noise = S + R if self.noise is None else self.noise
        return noise, 4 if noise else 3

    @abstractmethod
    def failure_bound(self, S: int, R: int) -> Fraction:
        """A rigorous upper bound on P(some fact is lost)."""

    def predicted_failure(self, S: int, R: int) -> Fraction:
        """The predicted probability that some fact is lost."""
        return self.prediction.failure(S, R, self.answers(S))

    @abstractmethod
    def parameters(self, S: int, R: int) -> int:
        """The number of parameters."""

    #: The parameters in words.
    parameters_text: ClassVar[str]

    def bits_allow(self, S: int, R: int) -> bool:
        """Whether the bits of the parameters can tell all D^(S R) tables apart."""
        bits = PARAMETER_BITS * self.parameters(S, R)
        if self.D & (self.D - 1) == 0:
            return S * R * (self.D.bit_length() - 1) <= bits
        precise = 128
        while True:
            # S R log2(D) is irrational for other D, so some precision decides.
            with precision(precise):
                needed = S * R * arb(self.D).log() / arb.const_log2()
                if upper(needed) <= bits or lower(needed) > bits:
                    return bool(upper(needed) <= bits)
            precise *= 2

    @abstractmethod
    def products(self, S: int, R: int) -> float:
        """Multiply-adds of one drawn construction and its certificate, roughly."""

    @abstractmethod
    def failures(
        self,
        S: int,
        R: int,
        draws: int,
        *,
        seed: int,
        name: str,
        device: str = "cpu",
        start: int = 0,
    ) -> Event:
        """Whether some fact is lost, for so many drawn constructions, from number *start* on: the same
        on every device."""


def read_answers(D: int) -> int:
    """D >= 2; ValueError otherwise."""
    if read_size("D", D) < 2:
        raise ValueError(
            f"D: {D} is out of range; with one answer a relation alone tells it, so take D >= 2"
        )
    return D
