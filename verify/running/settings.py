"""What a run was asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verify.claim import Check, Registry, Road
from verify.errors import UsageError, among, one_of
from verify.jobs.address import require_address
from verify.jobs.machine import machine
from verify.jobs.sources import sources
from verify.measuring.context import Budget, Context, Profile
from verify.printed.paper import ERROR_BUDGET
from verify.running.kept import KeptSamples
from verify.running.version import __version__

#: A smaller error has no shares that a number could hold.
_LEAST_BUDGET = 1e-100
#: Processes of a machine are not more.
LARGEST_WORKERS = 1024
#: What a run can be asked to measure on; whether it is there, only the machine of the run can say.
_DEVICES = ("cpu", "cuda")
#: Streams have seeds of 64 bits.
_LARGEST_SEED = 2**64 - 1


@dataclass(frozen=True)
class Settings:
    """What a run was asked for; profile and roads may be given by their names. UsageError that names the
    one that cannot be."""

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
        object.__setattr__(self, "profile", one_of(Profile, "profile", self.profile))
        object.__setattr__(self, "roads", among(Road, "roads", self.roads))
        if not isinstance(self.device, str) or self.device not in _DEVICES:
            raise UsageError(
                f"device: {self.device!r} is not known; take one of {', '.join(_DEVICES)}"
            )
        if isinstance(self.workers, bool) or not isinstance(self.workers, int):
            raise UsageError(
                f"workers: {self.workers!r} is no number of processes; take one, 0 to "
                f"{LARGEST_WORKERS}"
            )
        if not 0 <= self.workers <= LARGEST_WORKERS:
            raise UsageError(
                f"workers: {self.workers} is out of range; take a number of processes, 0 to "
                f"{LARGEST_WORKERS}"
            )
        if self.cluster != "":
            require_address("cluster", self.cluster)
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
        with_what = machine(self.device)
        return {
            "version": __version__,
            "sources": sources(),
            "libraries": ", ".join(
                f"{name} {with_what.get(name, 'none')}" for name in ("numpy", "torch")
            ),
            "card": with_what.get("card", "none"),
            "driver": with_what.get("driver", "none"),
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
