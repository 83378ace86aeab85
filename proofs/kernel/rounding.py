"""Rules about weights that are rounded: what an entry, a bilinear form and a margin lose by it."""

from __future__ import annotations

from fractions import Fraction

from proofs.citations import CAUCHY_SCHWARZ
from proofs.kernel.definedness import require
from proofs.kernel.laws import length, margin, matrix_of, require_spheres, sizes_of, weights
from proofs.kernel.normal import as_term, same
from proofs.kernel.regions import Region, at_least, between, real, require_sign, whole
from proofs.kernel.terms import (
    Number,
    Term,
    free,
    modulus,
    random,
    randoms,
    sqrt,
    substituted,
    symbol,
    symbols,
    term,
)
from proofs.kernel.theorem import Compare, Concluded, Theorem, comparison, require_inside, rule
from proofs.memories.setting import Memory

_D, _N, _A, _B, _E, _W = symbols("d N a b e w")


def nearest(value: Term | Number, step: Term | Number) -> Term:
    """A whole multiple of a step that is nearest to a value; any of them where there are two."""
    return random("nearest multiple of a step to a value", term(value), term(step))


def bilinear(
    dimension: Term | Number, left: Term | Number, right: Term | Number, entry: Term | Number
) -> Term:
    """u^T D v for any u, v in R^dimension of the lengths *left* and *right* and a matrix D with
    |D_ij| <= *entry*."""
    sizes = map(term, (dimension, left, right, entry))
    return random("u^T D v of any vectors and matrix", *sizes)


def weight(memory: Memory) -> Term:
    """Any entry of the matrix W of a memory. It depends on d and N."""
    return random(f"W_ij of {matrix_of(memory)}", _D, _N)


@rule
def nearest_multiple() -> Concluded:
    """|w - w~| <= e/2 for a multiple w~ of e > 0 that is nearest to w.

    With k = floor(w/e + 1/2) it is w = (k - 1/2 + f) e, where 0 <= f < 1; k e is not nearer than w~.
    """
    f, bound = symbol("f"), _E / 2
    step = at_least("e", 0, above=True)
    moved = (f - Fraction(1, 2)) * _E
    require_sign(bound**2 - moved**2, Region((step, between("f", 0, 1, "[)"))), said="|w - k e|")
    statement = Compare(modulus(_W - nearest(_W, _E)), "<=", bound)
    return Concluded(statement, Region((real("w"), step)))


@rule
def bilinear_form() -> Concluded:
    """|u^T D v| <= d a b e for |u| = a, |v| = b in R^d and |D_ij| <= e.

    It is at most sum_ij |u_i| |D_ij| |v_j| <= |u|_1 e |v|_1, and |u|_1 <= |(1, ..., 1)| |u| = sqrt(d) a.
    """
    region = Region((whole("d", 1), at_least("a", 0), at_least("b", 0), at_least("e", 0)))
    bound = _D * _A * _B * _E
    sums = [sqrt(_D) * size for size in (_A, _B)]
    require(same(bound, sums[0] * _E * sums[1]), f"{bound} is not |u|_1 e |v|_1")
    statement = Compare(modulus(bilinear(_D, _A, _B, _E)), "<=", bound)
    return Concluded(statement, region, cites=(CAUCHY_SCHWARZ,))


@rule
def largest_weight(memory: Memory) -> Concluded:
    """|W_ij| <= N for W = sum_z u_f(z) e_z^T of unit vectors: no coordinate of one exceeds 1."""
    require_spheres(memory)
    _require_weight(memory)
    statement = Compare(modulus(weight(memory)), "<=", as_term(memory.inputs.size))
    return Concluded(statement, sizes_of(inside=None))


@rule
def longest(memory: Memory, *, inside: bool | None) -> Concluded:
    """|a u_f(x) + b u_y| <= |a| + |b| for the unit vectors of a margin <a u_f(x) + b u_y, W e_x>."""
    require_spheres(memory)
    most = term(sum(map(abs, weights(memory))))
    statement = Compare(length(memory, inside=inside), "<=", most)
    return Concluded(statement, sizes_of(inside=inside))


@rule
def rounding_loss(
    memory: Memory, movement: Theorem, form: Theorem, *, inside: bool | None
) -> Concluded:
    """gamma - F <= gamma~ for the margin gamma = <w, W e_x>, W = sum_z u_f(z) e_z^T, and e > 0.

    *movement* bounds what rounding moves any number by, and so |(W - W~)_ij|; *form* bounds a bilinear
    form, and so F bounds <w, (W - W~) e_x>, at the lengths |w| and |e_x| = 1. Neither has hypotheses.
    """
    require_spheres(memory)
    _require_weight(memory)
    weights(memory)
    region = sizes_of(inside=inside).also(at_least("e", 0, above=True))
    moved = _bound(movement, modulus(_W - nearest(_W, _E)))
    require("w" not in free(moved), f"what a number moves by, {moved}, depends on it")
    require_inside(region.also(real("w")), movement)
    lost = _bound(form, modulus(bilinear(_D, _A, _B, _E)))
    values = {"b": term(1), "e": moved}
    require_inside(region.also(at_least("a", 0)), form, values)
    loss = substituted(lost, {**values, "a": length(memory, inside=inside)})
    statement = Compare(
        margin(memory, inside=inside) - loss, "<=", margin(memory, inside=inside, rounded=True)
    )
    return Concluded(statement, region, (movement, form))


def _bound(theorem: Theorem, bounded: Term) -> Term:
    """What is not random and bounds *bounded*, without a hypothesis."""
    found = comparison(theorem, "<=", "<")
    require(same(found.left, bounded), f"{found} does not bound {bounded}")
    require(not theorem.hypotheses, f"{theorem} has a hypothesis")
    require(not randoms(found.right), f"the bound {found.right} is random")
    return found.right


def _require_weight(memory: Memory) -> None:
    """Refused unless the matrix of a memory is sum_z u_f(z) e_z^T."""
    said = f"{memory.text}: the matrix is not sum_z u_f(z) e_z^T"
    summands = memory.weight.terms if hasattr(memory, "weight") else ()
    require(len(summands) == 1 and len(summands[0].bound) == 1, said)
    (summand,) = summands
    (z,) = summand.bound
    legs = (memory.u[memory.association(z)].single_vector(), memory.e[z].single_vector())
    bare = not summand.edges and not summand.where and summand.coefficient == 1
    require(bare and summand.legs == legs, said)
