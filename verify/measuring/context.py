"""What a check may ask of the run: the seed, the profile, the device, its error share, measurements.

Quantities are evaluated once a context and shared by all checks that name them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Protocol

from verify.measuring.draws import Drawn, Draws, Here
from verify.printed.paper import ERROR_BUDGET, SHARES

#: The shares of a check on the properties road; one on the numerics road has one.
PROPERTY_SHARES = 20


class Profile(StrEnum):
    """How much effort a run may take."""

    QUICK = "quick"
    STANDARD = "standard"
    FULL = "full"

    @property
    def effort(self) -> int:
        """Factor on the replicates and examples of the quick profile."""
        return {"quick": 1, "standard": 4, "full": 16}[self.value]


@dataclass(frozen=True)
class Budget:
    """What all checks of a paper together may err, cut into equal shares; a check has a fixed number of
    them, whatever else runs and whatever papers there are. ValueError unless 0 < error < 1."""

    error: float = ERROR_BUDGET
    shares: int = SHARES

    def __post_init__(self) -> None:
        if not 0 < self.error < 1:
            raise ValueError(f"budget: {self.error} is no error probability; take one in (0, 1)")

    @property
    def share(self) -> float:
        """The probability with which one check of the numerics road may be wrong."""
        return self.error / self.shares


def _same_for_all(id_: str) -> Budget:
    return Budget()


def _no_claims(id_: str) -> Mapping[str, Any]:
    raise LookupError(f"{id_}: this context knows no other claims")


class Kept(Protocol):
    """Where unfinished measurements are kept, so that an interrupt loses nothing."""

    def load(self, key: tuple[Any, ...]) -> Any:
        """What is kept under *key*, or None."""
        ...

    def save(self, key: tuple[Any, ...], sample: Any) -> None:
        """Keep *sample* if it has taken long enough to be worth it."""
        ...


class _Nowhere:
    def load(self, key: tuple[Any, ...]) -> Any:
        return None

    def save(self, key: tuple[Any, ...], sample: Any) -> None:
        pass


@dataclass
class Context:
    """Settings of a run and the store of what has been measured in it.

    ``formulas(id)`` are the printed formulas of a claim, for the checks of those that rest on it.
    ``construction`` names a fault to build in, for the mutants of constructions; "" is none.
    ``draws`` carries out the calls of experiments.
    ``budget`` is that of the claim under judgement, ``budget_of(id)`` that of any claim.
    """

    seed: int = 0
    profile: Profile = Profile.QUICK
    device: str = "cpu"
    budget: Budget = Budget()
    budget_of: Callable[[str], Budget] = _same_for_all
    store: dict[Any, Any] = field(default_factory=dict)
    formulas: Callable[[str], Mapping[str, Any]] = _no_claims
    construction: str = ""
    kept: Kept = field(default_factory=_Nowhere)
    draws: Draws = field(default_factory=Here)
    #: Of each sample that is being drawn, the replicate that comes next and what gives it.
    under_way: dict[Any, tuple[int, Generator[Drawn, None, None]]] = field(default_factory=dict)

    def on_cpu(self) -> Context:
        """The same with nothing measured yet, and all of it on the CPU of this machine."""
        return replace(self, device="cpu", store={}, kept=_Nowhere(), draws=Here(), under_way={})

    def judging(self, claim: str) -> Context:
        """The same for the checks of *claim*, whose paper has an error budget of its own."""
        return replace(self, budget=self.budget_of(claim))

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """What *make* gives, made once a run and kept in the store under *key*."""
        if key not in self.store:
            self.store[key] = make()
        return self.store[key]

    def rest(self) -> None:
        """Give up what is under way: what a check has not asked for, it does not need."""
        while self.under_way:
            self.under_way.popitem()[1][1].close()

    @property
    def share(self) -> float:
        """The probability with which one check of the numerics road may be wrong."""
        return self.budget.share

    @property
    def property_share(self) -> float:
        """The probability with which one check of the properties road may be wrong."""
        return PROPERTY_SHARES * self.share
