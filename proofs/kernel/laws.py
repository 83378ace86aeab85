"""Rules that read the definition of a memory: the law of a margin, and how many margins there are.

What a margin is comes out of the engine's expression, term by term; no formula is typed here.
"""

from __future__ import annotations

from fractions import Fraction

from proofs.algebra import RationalFunction
from proofs.citations import BOOLE, SPHERE_ROTATION
from proofs.kernel.definedness import is_whole, require, require_defined
from proofs.kernel.normal import normal
from proofs.kernel.regions import Refused, Region, real, require_sign, whole
from proofs.kernel.terms import (
    Term,
    at_most_zero,
    coordinate,
    copies,
    plus,
    random,
    sqrt,
    symbol,
    term,
)
from proofs.kernel.theorem import (
    Compare,
    Concluded,
    SameLaw,
    Theorem,
    comparison,
    require_inside,
    rule,
)
from proofs.memories.setting import Memory
from proofs.moments import Sphere
from proofs.moments.expressions import Term as Summand

_D, _N, _M, _E = symbol("d"), symbol("N"), symbol("M"), symbol("e")
_WHERE = {True: "y in the image", False: "y outside the image", None: "any y"}


def margin(memory: Memory, *, inside: bool | None, rounded: bool = False) -> Term:
    """The margin gamma_xy of a memory as a random variable, f injective and y != f(x); *inside*: y is in
    the image of f; None for any y != f(x) and any f. It depends on d and N.

    *rounded*: that of W~, each entry of which is a multiple of e that is nearest to that of the matrix W
    of the memory. It depends on e too.
    """
    return _of_weights(f"gamma ({_WHERE[inside]})", memory, rounded, _D, _N)


def least_margin(memory: Memory, *, rounded: bool = False) -> Term:
    """The least of all margins of a memory, f injective: all facts are recalled where it is above 0.

    It depends on d, N and M, and on e where they are *rounded*, as above.
    """
    return _of_weights("least gamma", memory, rounded, _D, _N, _M)


def _of_weights(name: str, memory: Memory, rounded: bool, *sizes: Term) -> Term:
    if rounded:
        return random(f"rounded {name} of {matrix_of(memory)}", *sizes, _E)
    return random(f"{name} of {_definition(memory)}", *sizes)


def length(memory: Memory, *, inside: bool | None) -> Term:
    """|a u_f(x) + b u_y| of a margin <a u_f(x) + b u_y, W e_x>. It depends on d and N as the margin."""
    return random(f"length ({_WHERE[inside]}) of {_definition(memory)}", _D, _N)


def sizes_of(*, inside: bool | None) -> Region:
    """Where there is such a margin."""
    return Region((whole("d", 1), whole("N", 2 if inside else 1)))


def _definition(memory: Memory) -> str:
    """What tells a memory from others: its vectors and its margin, as they are defined."""
    families = (f"{type(it).__name__}({it.name}, {it.dimension})" for it in (memory.e, memory.u))
    return f"{memory.text}; {', '.join(families)}; {memory.margin.terms}"


def matrix_of(memory: Memory) -> str:
    """The same, and the matrix of a memory. ValueError for one that has none."""
    matrix = getattr(memory, "weight", None)
    if matrix is None:
        raise ValueError(f"{memory.text}: it has no matrix to be rounded; take a linear memory")
    return f"{_definition(memory)}; {matrix.terms}"


def require_spheres(memory: Memory) -> None:
    """Refused unless inputs and outputs are N and M vectors, uniform on the unit sphere of R^d."""
    for family in (memory.e, memory.u):
        require(type(family) is Sphere, f"{memory.text}: {family} is not uniform on the sphere")
        require(family.dimension == normal(_D), f"{family} is not in R^d")
    for range_, size in ((memory.inputs, _N), (memory.outputs, _M)):
        require(range_.size == normal(size), f"{range_} has not {size} values")


@rule
def margin_law(memory: Memory, *, inside: bool, less: str = "") -> Concluded:
    """The law of a margin that is sum_z <a u_f(x) + b u_y, u_f(z)> <e_z, e_x>, on spheres, f injective.

    The summand z = x is a + b rho, that of the input of y, if it has one, (a rho + b) g, and each other
    one |w| t g' with |w|^2 = a^2 + b^2 + 2 a b rho: given u_f(x), u_y and e_x all other vectors are
    independent and uniform, so rho, g, t, g' are independent coordinates. d >= 1.

    *less*: the name of a real number c; it is the law of the margin less c |w| then.
    """
    require_spheres(memory)
    own, against = weights(memory)
    rho, g = coordinate("rho", _D), coordinate("g", _D)
    noise = coordinate("t", _D) * coordinate("h", _D)
    others = _N - 2 if inside else _N - 1
    total = plus(own, against, rho)
    if inside:
        total = total + plus(against, own, rho) * g
    drawn = sqrt(plus(own**2 + against**2, 2 * own * against, rho))
    left, right = margin(memory, inside=inside), total + drawn * copies("S", others, noise)
    region = sizes_of(inside=inside)
    if less:
        left, right = (
            left - symbol(less) * length(memory, inside=inside),
            right - symbol(less) * drawn,
        )
        region = region.also(real(less))
    return Concluded(SameLaw(left, right), region, cites=(SPHERE_ROTATION,))


def weights(memory: Memory) -> tuple[Fraction, Fraction]:
    """a and b, read off the margin; Refused if it is not of that form."""
    weights = [RationalFunction.constant(0), RationalFunction.constant(0)]
    for summand in memory.margin.terms:
        weights[_which(memory, summand)] += summand.coefficient
    return weights[0].as_fraction(), weights[1].as_fraction()


def _which(memory: Memory, summand: Summand) -> int:
    """0 for a summand with u_f(x), 1 for one with u_y."""
    said = f"{summand} is no sum over z of <e_z, e_x> times <u_f(x), u_f(z)> or <u_y, u_f(z)>"
    require(len(summand.bound) == 1 and not summand.legs and not summand.where, said)
    (z,) = summand.bound
    e, u, f = memory.e, memory.u, memory.association
    edges = {frozenset((edge.left, edge.right)) for edge in summand.edges if edge.order == 1}
    require(len(edges) == len(summand.edges) == 2, said)
    key = frozenset((e[z].single_vector(), e[memory.x].single_vector()))
    for which, slot in enumerate((f(memory.x), memory.y)):
        if edges == {key, frozenset((u[slot].single_vector(), u[f(z)].single_vector()))}:
            return which
    raise Refused(said)


@rule
def union_of_margins(
    memory: Memory,
    bound: Term,
    region: Region,
    inside: Theorem,
    outside: Theorem,
    *,
    rounded: bool = False,
) -> Concluded:
    """P(least margin <= 0) <= bound, f injective: N (N-1) margins have y in the image, N (M-N) have not.

    *inside* and *outside* bound P(gamma <= 0) of one of them, where there are any: from N = 2 and from
    N = M - 1 down. That these numbers times their bounds are at most the bound is decided as a sign.
    *rounded*: all are of the rounded matrix.
    """
    parts = (
        (True, inside, _N * (_N - 1), region.ending("N", lower=term(2))),
        (False, outside, _N * (_M - _N), region.ending("N", upper=_M - 1)),
    )
    for size in (_D, _N, _M):
        require(is_whole(size, region), f"{size} is not whole in {region}")
    require_sign(_N - 1, region, said="the number of inputs")
    require_sign(_M - _N, region, said="the number of outputs")
    rest = bound
    for within, theorem, number, where in parts:
        found = comparison(theorem, "<=", "=")
        expected = at_most_zero(margin(memory, inside=within, rounded=rounded))
        require(found.left == expected, f"{found.left} is not {expected}")
        require_inside(where, theorem)
        require_defined(found.right, region)
        rest = rest - number * found.right
    require_sign(rest, region, said="the sum of the bounds")
    statement = Compare(at_most_zero(least_margin(memory, rounded=rounded)), "<=", bound)
    return Concluded(statement, region, (inside, outside), cites=(BOOLE,))
