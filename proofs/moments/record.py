"""The record of a derivation: everything a second program needs to confirm it.

``python -m proofs.replay record.json`` reads it, recomputes every expectation by another algorithm
and with none of the engine's code, counts the patterns at small sizes, and adds up.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from proofs.algebra import RationalFunction
from proofs.moments.laws import Fixed, Gaussian, OrthogonalSphere
from proofs.moments.vectors import Law

if TYPE_CHECKING:
    from proofs.moments.raw import Contribution, RawMoment
    from proofs.moments.world import World


#: How the value comes from the raw moments E[X], E[X^2], ..., or E[X], E[XY], E[Y].
Rule = Literal["mean", "central", "covariance"]


@dataclass(frozen=True, eq=False)
class Record:
    """A value, the raw moments it was computed from, and the rule that combines them."""

    rule: Rule
    value: RationalFunction
    moments: tuple[RawMoment, ...]

    def as_dict(self) -> dict[str, Any]:
        """The record in plain data: numbers as text, vertices and edges as lists.

        An edge is [vertex, vertex, blocks, order, multiplicity]: <v, P w>^multiplicity, P the
        projection on the blocks ([] for the whole space); order k > 1 for the Wick power at its
        Gaussian end, order 0 for a vector drawn orthogonal to the other. A pattern's fresh elements
        are numbered on from the named ones of its world.
        """
        worlds: list[World] = []
        for moment in self.moments:
            if moment.expansion.world not in worlds:
                worlds.append(moment.expansion.world)
        families = {serial: family for w in worlds for serial, family in w.families.items()}
        splittings = {s.splitting for world in worlds for s in world.subspaces}
        blocks = {b.serial: b.dimension for s in splittings for b in s.blocks.values()}
        return {
            "schema": 1,
            "laws": {str(serial): _law(family) for serial, family in families.items()},
            "blocks": {str(serial): str(size) for serial, size in sorted(blocks.items())},
            "worlds": [_world(world) for world in worlds],
            "moments": [
                {
                    "order": moment.order,
                    "world": worlds.index(moment.expansion.world),
                    "patterns": [_pattern(moment, part) for part in moment.contributions],
                    "value": str(moment.value),
                }
                for moment in self.moments
            ],
            "rule": self.rule,
            "value": str(self.value),
        }

    def to_json(self) -> str:
        """The record as JSON text."""
        return json.dumps(self.as_dict())


def _world(world: World) -> dict[str, Any]:
    """What is counted, in plain data: ranges, maps, relations, named elements and counts.

    An element is [range, image element or -1]; an entry of a relation is a named element >= 0
    or the free index -1 - j.
    """
    return {
        "ranges": [str(range_.size) for range_ in world.ranges],
        "maps": [
            {
                "domain": domain,
                "codomain": world.range_number(association.codomain),
                "fibre_size": str(association.fibre_size),
                "fibre_powers": association.fibre_powers,
            }
            for domain, association in world.maps.items()
        ],
        "named": [list(element) for element in world.named],
        "labels": world.labels,
        "fibres": {str(output): str(size) for output, size in world.fibres.items()},
        "relations": [
            {
                "ranges": [world.range_number(r) for r in relation.ranges],
                "functional": relation.functional,
            }
            for relation in world.relations.relations
        ],
        "counts": [
            {"facts": [[number, list(entries)] for number, entries in shape], "size": str(size)}
            for shape, size in world.relations.counts.items()
        ],
    }


def _law(family: Law) -> dict[str, Any]:
    law: dict[str, Any] = {
        "law": "sphere",
        "name": family.name,
        "dimension": str(family.dimension),
    }
    if isinstance(family, Gaussian):
        law |= {"law": "gaussian", "variance": str(family.variance)}
    elif isinstance(family, Fixed):
        law |= {"law": "fixed", "overlap": str(family.overlap)}
    elif isinstance(family, OrthogonalSphere):
        assert family.orthogonal_to is not None
        law |= {"law": "orthogonal-sphere", "to": str(family.orthogonal_to.family.serial)}
    return law


def _pattern(moment: RawMoment, part: Contribution) -> dict[str, Any]:
    example = next(iter(part.states))
    states = []
    for state, coefficient in part.states.items():
        laws, graph = moment.expansion.graph(state)
        states.append(
            {
                "coefficient": str(coefficient),
                "vertices": [str(laws[v].serial) for v in sorted(laws)],
                "edges": [[a, b, list(kind.part), kind.order, n] for a, b, kind, n in graph],
            }
        )
    return {
        "pattern": part.pattern,
        "fresh": [list(element) for element in example.fresh],
        "facts": [[number, list(entries)] for number, entries in example.facts],
        "multiplicity": str(part.multiplicity),
        "expectation": str(part.expectation),
        "states": states,
    }
