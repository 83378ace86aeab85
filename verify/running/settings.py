"""What a run was asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from verify.claim import Check, Registry, Road
from verify.errors import UsageError
from verify.jobs.machine import machine
from verify.jobs.sources import sources
from verify.measuring.context import Budget, Context, Profile
from verify.printed.paper import ERROR_BUDGET
from verify.running.kept import KeptSamples
from verify.running.version import __version__

#: A smaller error has no shares that a number could hold.
_LEAST_BUDGET = 1e-100
#: Streams have seeds of 64 bits.
_LARGEST_SEED = 2**64 - 1


@dataclass(frozen=True)
class Settings:
    """What a run was asked for."""

    seed: int = 0
    profile: Profile = Profile.QUICK
    device: str = "cpu"
    roads: tuple[Road, ...] = tuple(Road)
    workers: int = 2
    #: What the checks of each paper may err, in place of its own error budget.
    budget: float | None = None
    #: Where the run keeps its measurements until it has ended, and finds those it had; None: nowhere.
    keep: Path | None = None
    #: The address of the scheduler of a cluster that helps; empty for none.
    cluster: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.seed, bool) or not isinstance(self.seed, int):
            raise UsageError(
                f"seed: {self.seed!r} is no whole number; take one, 0 to {_LARGEST_SEED}"
            )
        if not 0 <= self.seed <= _LARGEST_SEED:
            raise UsageError(f"seed: {self.seed} is out of range; take one, 0 to {_LARGEST_SEED}")
        if self.budget is not None and not isinstance(self.budget, (int, float)):
            raise UsageError(f"budget: {self.budget!r} is no number; take one between 0 and 1")
        if self.budget is not None and not _LEAST_BUDGET <= self.budget < 1:
            raise UsageError(
                f"--budget: {self.budget:g} is no error probability; take one between 0 and 1, "
                f"not below {_LEAST_BUDGET:g}, such as {ERROR_BUDGET:g}"
            )

    @property
    def full(self) -> bool:
        """Whether the run must reproduce every record exactly."""
        return set(self.roads) == set(Road) and self.profile is not Profile.QUICK

    def identity(self) -> dict[str, Any]:
        """What must agree for evidence of another run to be taken over."""
        return {
            "version": __version__,
            "sources": sources(),
            "libraries": f"numpy {version('numpy')}, torch {version('torch')}",
            "card": machine(self.device).get("card", "none"),
            "driver": machine(self.device).get("driver", "none"),
            "seed": self.seed,
            "profile": str(self.profile),
            "device": self.device,
            "budget": "of each paper" if self.budget is None else self.budget,
        }

    def budget_of(self, registry: Registry, id_: str) -> Budget:
        """What the checks of the paper of a claim may err."""
        own = registry.budget(id_)
        return own if self.budget is None else Budget(self.budget, own.shares)

    def budgets(self, registry: Registry, checks: Iterable[Check]) -> dict[str, float]:
        """The error budget of each paper that has some of *checks*, by its name."""
        spending = dict.fromkeys(check.claim for check in checks if check.shares)
        papers = {id_: registry.paper_of(id_) for id_ in spending}
        return {
            paper.name if paper else "": self.budget_of(registry, id_).error
            for id_, paper in papers.items()
        }

    def context(self, registry: Registry) -> Context:
        """The context of a run over the claims of *registry*."""
        context = Context(
            seed=self.seed,
            profile=self.profile,
            device=self.device,
            budget_of=lambda id_: self.budget_of(registry, id_),
            formulas=lambda id_: registry[id_].formulas,
        )
        if self.cluster:
            from verify.jobs.draws_away import Away

            context.draws = Away(self.cluster, self.device)
        if self.keep is not None:
            context.kept = KeptSamples(self.keep, self.identity())
        return context


def usable_device(name: Any, argument: str) -> str:
    """The device by its real name; UsageError that begins with *argument* for one that is not there.
    Torch is asked only for another than the CPU."""
    if isinstance(name, str) and name == "cpu":
        return name
    from numerics import InputError, resolve_device

    try:
        return str(resolve_device(name))
    except InputError as error:
        raise UsageError(f"{argument}: {error}") from None
