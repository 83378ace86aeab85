"""For which sizes a formula speaks of something that exists: the domain that travels with it."""

from __future__ import annotations

from proofs.algebra import RationalFunction
from proofs.derived import Bound
from proofs.moments.indices import Range
from proofs.moments.laws import Fixed, Gaussian
from proofs.moments.world import World


def domain(world: World) -> list[Bound]:
    """What must be at least what, for the formulas to speak of something that exists.

    Raises ValueError where explicit numbers contradict that.
    """
    bounds: list[Bound] = []
    for family in world.families.values():
        bounds.append(Bound(family.dimension, family.smallest_dimension))
        if isinstance(family, Gaussian):
            bounds.append(Bound(family.variance, 0, integer=False))
        elif isinstance(family, Fixed):
            members = world.ranges[world.indexed_by[family]].size
            if family.overlap == 0:
                bounds.append(Bound(family.dimension - members, 0))
            else:
                # The eigenvalues of the matrix of inner products.
                for value in (1 - family.overlap, 1 + (members - 1) * family.overlap):
                    bounds.append(Bound(value, 0, integer=False))
    for subspace in world.subspaces:
        bounds += [Bound(b.dimension, 0) for b in subspace.splitting.blocks.values()]
    for where, range_ in enumerate(world.ranges):
        named = sum(w == where for w, _ in world.named)
        bounds.append(Bound(range_.size, max(named, int(_divides(world, range_)))))
    for output, size in world.fibres.items():
        bounds.append(Bound(size, sum(image == output for _, image in world.named)))
    for domain, association in world.maps.items():
        where = world.range_number(association.codomain)
        sizes = [s for o, s in world.fibres.items() if world.named[o][0] == where]
        inputs = world.ranges[domain].size - sum(sizes, RationalFunction.constant(0))
        bounds.append(Bound(inputs, 0))
        if association.fibre_powers is None:
            # The other inputs need outputs of their own.
            outputs = world.ranges[where].size - len(sizes)
            bounds.append(Bound(outputs - inputs / association.fibre_size, 0))
    bounds += world.relations.bounds(
        [where for where, _ in world.named],
        lambda number, at: world.range_number(world.relations.relations[number].ranges[at]),
        lambda where: world.ranges[where].size,
    )
    for bound in bounds:
        if not bound.size.names and not bound.admits(bound.size.as_fraction()):
            raise ValueError(
                "given: the sizes and conditions contradict each other; a size or count that must be "
                f"{bound.kind} comes out as {bound.size}"
            )
    return bounds


def _divides(world: World, range_: Range) -> bool:
    """Whether something is divided by the size of a range, which must then not be empty."""
    names = range_.size.names
    return len(names) == 1 and any(bottom(**{names[0]: 0}) == 0 for bottom in world.denominators)
