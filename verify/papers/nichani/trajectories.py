"""Trajectories of the gradient flow that checks look along, and what steps of Lemma 6 count there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from proofs.papers.nichani.training.eos_first import TokenBound
from verify.measuring.context import Context, Profile

if TYPE_CHECKING:
    from numerics.papers.nichani.flow_escape import Snapshots

#: Those of the trajectories of `numerics.papers.nichani.flow_bounds` that are drawn, by their number.
SHOWN = {
    1: r"Random table and priors, S = 4, R = 2, T = 5, $\alpha$ = 0.1",
    7: r"Balanced table, S = R = D = 2, T = 3, $\alpha$ = 0.1",
}
TRAJECTORIES = (
    "trajectories from Assumption 2, six built to be sharp and some random, alpha <= 1/400"
)
#: Random trajectories in longer profiles, and in the quick one.
_RANDOM = (20, 3)


def trajectories(context: Context) -> Iterator[Snapshots]:
    """The six that are sharp, and some of random tables, priors, sizes and scales."""
    from numerics.papers.nichani.flow_escape import SCENES, random_scene, snapshots

    count = _RANDOM[context.profile is Profile.QUICK]
    for scene in (*SCENES, *(random_scene(context.seed + i) for i in range(count))):
        yield snapshots(scene)


def counted(bound: TokenBound, seen: Snapshots, weights: Any) -> Any:
    """The bound along a trajectory where Lemma 6 allows the weights of S and N: (n, R).

    *weights*: what it counts of each token, (n, tokens).
    """
    S, R = seen.world.S, seen.world.R
    relation, eos = (
        float(bound.relation) * weights[:, S : S + R],
        float(bound.eos) * weights[:, -1:],
    )
    rest = float(bound.rest(T=seen.world.T).as_fraction())
    return (float(bound.factor) * (relation + eos + rest * seen.small[:, None]))[seen.allowed]
