"""What a run was asked for."""

from __future__ import annotations

from dataclasses import dataclass

from verify.claim import Registry, Road
from verify.context import Context, Profile


@dataclass(frozen=True)
class Settings:
    """What a run was asked for."""

    seed: int = 0
    profile: Profile = Profile.QUICK
    device: str = "cpu"
    roads: tuple[Road, ...] = tuple(Road)
    workers: int = 2

    @property
    def full(self) -> bool:
        """Whether the run must reproduce every record exactly."""
        return set(self.roads) == set(Road) and self.profile is not Profile.QUICK

    def context(self, registry: Registry) -> Context:
        """The context of a run over the claims of *registry*."""
        return Context(
            seed=self.seed,
            profile=self.profile,
            device=self.device,
            formulas=lambda id_: registry[id_].formulas,
        )
