"""For which sizes a formula speaks of something that exists: the domain that travels with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from proofs.algebra import RationalFunction
from proofs.algebra.elimination import Line, impossible
from proofs.derived import Bound
from proofs.moments.expressions import Expression
from proofs.moments.indices import Condition, Range, listed
from proofs.moments.laws import Fixed, Gaussian
from proofs.moments.world import World


def sizes_of(expressions: Sequence[Expression], given: Iterable[Condition]) -> list[Bound]:
    """For which sizes there is what moments of *expressions* would speak of, without deriving any.

    Raises ValueError and TypeError as ``mean`` does, for conditions that leave something open, or
    contradict each other.
    """
    return domain(World(expressions, listed(given)))


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
            bounds += _existing(family, world.ranges[world.indexed_by[family]].size)
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
    said: list[Bound] = []
    lines: list[Line] = []
    for bound in bounds:
        line = bound.size.linear()
        if line is not None and line[0]:
            said.append(bound)
            if bound.unless is None:
                lines.append((line[0], line[1] - bound.low))
        elif bound.size.names:
            said.append(bound)
        elif bound.refused({}):
            raise ValueError(
                f"given: the sizes and conditions contradict each other; {bound.what} must be "
                f"{bound.kind} and comes out as {bound.size}"
            )
    if impossible(lines):
        raise ValueError(
            "given: the sizes and conditions contradict each other; no sizes have "
            f"{Bound.text(bounds)}"
        )
    return said


def _existing(family: Fixed, members: RationalFunction) -> list[Bound]:
    """What is needed for so many unit vectors with one overlap."""
    overlap = family.overlap
    what = f"the dimension less the rank of the {members} vectors of {family}, overlap {overlap},"
    room = partial(Bound, low=0, what=what)
    if overlap == 0:
        return [room(family.dimension - members)]
    # The eigenvalues of the matrix of inner products: once the first, else the second.
    together, apart = 1 + (members - 1) * overlap, 1 - overlap
    value = f"an eigenvalue of the inner products of {family}"
    bounds = [Bound(size, 0, integer=False, what=value) for size in (apart, together)]
    # Their rank is the number of members, less one where the vectors add up to 0, and 1 where all
    # are one.
    full, less = family.dimension - members, family.dimension - members + 1
    if overlap.names:
        if members.names or members.as_fraction() > 2:
            bounds.append(room(less, unless=overlap - 1))
        bounds.append(room(full, unless=(overlap - 1) * together))
    elif overlap != 1:
        balanced = members - 1 + 1 / overlap
        if overlap.as_fraction() > 0 or (not balanced.names and balanced != 0):
            bounds.append(room(full))
        else:
            bounds.append(room(less))
            bounds += [room(full, unless=balanced)] * bool(balanced.names)
    return [bound for bound in bounds if bound.size.names or bound.refused({})]


def _divides(world: World, range_: Range) -> bool:
    """Whether something is divided by the size of a range, which must then not be empty."""
    names = range_.size.names
    return len(names) == 1 and any(bottom(**{names[0]: 0}) == 0 for bottom in world.denominators)
