"""Cases of the rules about rounded weights, and of what they are said of."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any
from unittest.mock import patch

from proofs.kernel import rounding
from proofs.kernel.algebra import assume, identity, instantiate, sign
from proofs.kernel.cases import Conclusions, Refusals, told
from proofs.kernel.laws import least_margin, length, margin, margin_law, union_of_margins
from proofs.kernel.normal import normal
from proofs.kernel.probability import inclusion
from proofs.kernel.regions import Range, Region, at_least, between, real, whole
from proofs.kernel.rounding import (
    bilinear,
    bilinear_form,
    largest_weight,
    longest,
    nearest,
    nearest_multiple,
    rounding_loss,
    weight,
)
from proofs.kernel.terms import Term, at_most_zero, coordinate, modulus, symbols, term
from proofs.kernel.theorem import Compare, Theorem
from proofs.memories import low_rank
from proofs.memories.linear import Definition, definition
from proofs.memories.setting import Memory
from proofs.moments import Gaussian, dot, equal, indicator, outer, sum_over

d, N, M, a, b, e, w, x = symbols("d N M a b e w x")
g = coordinate("g", 3)
LINEAR = definition()
MOVEMENT, FORM = nearest_multiple(), bilinear_form()
MOVED = modulus(w - nearest(w, e))
STEP = at_least("e", 0, above=True)
ALL = Region((whole("d", 1), at_least("a", 0), at_least("b", 0), at_least("e", 0)))
STEPPED = Region((real("w"), STEP))
SIZES = Region((whole("d", 1), whole("M", 2), whole("N", 1, M), STEP))
LAW = margin_law(LINEAR, inside=True)


def with_matrix(make: Callable[[Definition, Any, Any, Any], Any]) -> Definition:
    """The linear memory with another matrix, from itself, u_f(z), e_z and z."""
    memory = Definition("sphere")
    z = memory.inputs.index("z")
    memory.weight = make(memory, memory.u[memory.association(z)], memory.e[z], z)
    return memory


def with_margin(left: Callable[[Definition], Any]) -> Definition:
    """The linear memory with the margin <left, W e_x>."""
    memory = Definition("sphere")
    memory.margin = dot(left(memory), memory.weight @ memory.e[memory.x])
    return memory


def over_outputs() -> Definition:
    """Its matrix is a sum over outputs."""
    memory = Definition("sphere")
    y = memory.outputs.index("y")
    memory.weight = sum_over(y, outer(memory.u[y], memory.e[memory.x]))
    return memory


def bare() -> Definition:
    """It has no matrix."""
    memory = with_margin(lambda m: m.u[m.y])
    del memory.weight
    return memory


def with_gaussian(name: str) -> Definition:
    """The linear memory with Gaussian inputs, e, or outputs, u, that are written as the others are."""
    memory = Definition("sphere")
    setattr(memory, name, Gaussian(name, normal(d), 1 / normal(d)))
    memory.margin = LINEAR.margin
    return memory


#: Memories with another matrix than sum_z u_f(z) e_z^T.
MATRICES: list[tuple[Memory, str]] = [
    (with_matrix(lambda m, u, v, z: 2 * sum_over(z, outer(u, v))), "the matrix is not sum_z"),
    (with_matrix(lambda m, u, v, z: sum_over(z, outer(v, u))), "the matrix is not sum_z"),
    (with_matrix(lambda m, u, v, z: sum_over(z, outer(v, v))), "the matrix is not sum_z"),
    (with_matrix(lambda m, u, v, z: sum_over(z, outer(u, u))), "the matrix is not sum_z"),
    (
        with_matrix(lambda m, u, v, z: sum_over(z, outer(u, v)) + outer(m.u[m.y], m.e[m.x])),
        "the matrix is not sum_z",
    ),
    (with_matrix(lambda m, u, v, z: outer(m.u[m.y], m.e[m.x])), "the matrix is not sum_z"),
    (
        with_matrix(
            lambda m, u, v, z: sum_over(z, outer(u, v) * indicator(m.association(z) != m.y))
        ),
        "the matrix is not sum_z",
    ),
    (
        with_matrix(
            lambda m, u, v, z: sum_over(z, outer(u, v) * indicator(equal(m.association(z), m.y)))
        ),
        "the matrix is not sum_z",
    ),
    (
        with_matrix(lambda m, u, v, z: sum_over(z, outer(u, v) * dot(v, m.e[m.x]))),
        "the matrix is not sum_z",
    ),
    (over_outputs(), r"runs over \[M\]|the matrix is not sum_z"),
    (bare(), "the matrix is not sum_z"),
]
#: Memories with vectors of another law.
VECTORS: list[tuple[Memory, str]] = [
    (it, "is not uniform on the sphere")
    for it in (definition("gaussian"), with_gaussian("e"), with_gaussian("u"))
]
#: Memories with a margin that is no <a u_f(x) + b u_y, W e_x>.
MARGINS: list[tuple[Memory, str]] = [
    (with_margin(lambda m: m.e[m.x]), "is no sum over z"),
    (low_rank.definition(), "is no sum over z|the matrix is not sum_z"),
]
FIVE = with_margin(lambda m: 2 * m.u[m.association(m.x)] - 3 * m.u[m.y])


def loss(
    memory: Memory = LINEAR,
    movement: Theorem = MOVEMENT,
    form: Theorem = FORM,
    inside: bool | None = True,
) -> Theorem:
    """What rounding costs."""
    return rounding_loss(memory, movement, form, inside=inside)


def form_where(**ranges: Range) -> Theorem:
    """The bound of a bilinear form on a part of its region."""
    region = Region(tuple(ranges.get(one.name, one) for one in ALL.ranges))
    return instantiate(FORM, {}, region)


def moved_where(*ranges: Range, **values: Term) -> Theorem:
    """The bound of what a number moves by, elsewhere or at other values."""
    return instantiate(MOVEMENT, values, Region(ranges or STEPPED.ranges))


def more(theorem: Theorem, right: Term, region: Region) -> Theorem:
    """A larger bound."""
    return sign(Compare(theorem.left, "<=", right), region, (1, theorem))


def under(theorem: Theorem, region: Region) -> Theorem:
    """The theorem under a hypothesis that does not hold everywhere."""
    needed = assume(Compare(term(1), "<=", e), region)
    return sign(theorem.statement, region, (1, theorem), (0, needed))  # type: ignore[arg-type]


#: Bounds from which no loss follows.
LOSSES: list[tuple[Callable[[], Theorem], str]] = [
    (lambda: loss(movement=FORM), "does not bound"),
    (lambda: loss(form=MOVEMENT), "does not bound"),
    (lambda: loss(movement=moved_where(e=2 * e)), "does not bound"),
    (lambda: loss(movement=moved_where(w=2 * w)), "does not bound"),
    (lambda: loss(movement=moved_where(w=w + 1)), "does not bound"),
    (lambda: loss(form=instantiate(FORM, {"a": 2 * a}, ALL)), "does not bound"),
    (lambda: loss(form=instantiate(FORM, {"b": 2 * b}, ALL)), "does not bound"),
    (lambda: loss(form=instantiate(FORM, {"e": e / 2}, ALL)), "does not bound"),
    (lambda: loss(form=instantiate(FORM, {"a": b, "b": a}, ALL)), "does not bound"),
    (lambda: loss(movement=LAW), "is no comparison"),
    (lambda: loss(form=LAW), "is no comparison"),
    (lambda: loss(movement=more(MOVEMENT, e / 2 + g**2, STEPPED)), "is random"),
    (lambda: loss(movement=more(MOVEMENT, e / 2 + w**2, STEPPED)), "depends on it"),
    (lambda: loss(movement=moved_where(at_least("w", 0), STEP)), "the range w >= 0"),
    (lambda: loss(movement=moved_where(between("w", 0, 0), STEP)), "the range 0 <= w <= 0"),
    (lambda: loss(movement=moved_where(real("w"), at_least("e", 1))), "the range e >= 1"),
    (
        lambda: loss(movement=moved_where(real("w"), between("e", 0, 1, "(]"))),
        "the range 0 < e <= 1",
    ),
    (lambda: loss(movement=moved_where(*STEPPED.ranges, real("x"))), "x in x has no range"),
    (lambda: loss(movement=under(MOVEMENT, STEPPED)), "has a hypothesis"),
    (lambda: loss(form=under(FORM, ALL)), "has a hypothesis"),
    (lambda: loss(form=more(FORM, d * a * b * e + g**2, ALL)), "is random"),
    (lambda: loss(form=identity(FORM.left, FORM.left, ALL)), "is no comparison"),
    (lambda: loss(form=form_where(d=whole("d", 2))), "the range whole d >= 2"),
    (lambda: loss(form=form_where(a=between("a", 0, 2))), "the range 0 <= a <= 2"),
    (lambda: loss(form=form_where(a=at_least("a", 1))), "the range a >= 1"),
    (lambda: loss(form=form_where(b=at_least("b", 2))), "the range b >= 2"),
    (lambda: loss(form=form_where(b=between("b", 0, Fraction(1, 2)))), "the range 0 <= b <= 1/2"),
    (lambda: loss(form=form_where(e=at_least("e", 1))), "the range e >= 1"),
]


def otherwise(name: str, changed: object, rule: Callable[[], Theorem]) -> Theorem:
    """What a rule that takes nothing concludes where a step of its argument is false."""
    with patch.object(rounding, name, changed):
        return rule()


def between_which() -> str:
    """Where the part f of a step ranges."""
    seen: list[Range] = []

    def noted(*given: Any) -> Range:
        seen.append(between(*given))
        return seen[-1]

    otherwise("between", noted, nearest_multiple)
    return f"[{', '.join(map(str, seen))}]"


def tail(*, inside: bool, rounded: bool) -> Theorem:
    """P(gamma <= 0) <= 1/9, supposed."""
    left = at_most_zero(margin(LINEAR, inside=inside, rounded=rounded))
    return assume(Compare(left, "<=", term(Fraction(1, 9))), SIZES)


def union(*, rounded: bool, inside: bool, outside: bool) -> Theorem:
    """Of rounded margins or of others."""
    tails = (tail(inside=True, rounded=inside), tail(inside=False, rounded=outside))
    return union_of_margins(LINEAR, N * (M - 1) / 9, SIZES, *tails, rounded=rounded)


REFUSED: Refusals = [
    *(
        (f"largest_weight: .*({said})", partial(largest_weight, memory))
        for memory, said in (*MATRICES, *VECTORS)
    ),
    *(
        (f"rounding_loss: .*({said})", partial(loss, memory))
        for memory, said in (*MATRICES, *VECTORS, *MARGINS)
    ),
    *(
        (f"longest: .*({said})", partial(longest, memory, inside=None))
        for memory, said in (*VECTORS, *MARGINS)
    ),
    *((f"rounding_loss: .*{said}", tried) for tried, said in LOSSES),
    ("largest_weight: .*the matrix is not", lambda: largest_weight(low_rank.definition())),
    (".*it has no matrix to be rounded", lambda: margin(bare(), inside=None, rounded=True)),
    *(
        (
            r"nearest_multiple: \|w - k e\|: ",  # where f is another number than it is
            partial(otherwise, "between", moved, nearest_multiple),
        )
        for moved in (
            lambda name, low, high, ends: between(name, low, 2 * high, ends),
            lambda name, low, high, ends: between(name, low - 1, high, ends),
            lambda name, low, high, ends: between(name, low + 2, high + 2, ends),
        )
    ),
    (
        r"bilinear_form: .* is not \|u\|_1 e \|v\|_1",  # |u|_1 <= d |u|
        lambda: otherwise("sqrt", lambda it: it, bilinear_form),
    ),
    ("inclusion: .*is no comparison", lambda: inclusion(LAW)),
    *(
        ("margin_law: ", partial(margin_law, LINEAR, inside=inside, less=name))
        for name in ("d", "N", "rho", "g", "t", "h", "2", "c d")
        for inside in (True,)
    ),
    *(
        (
            "union_of_margins: .* is not P",
            partial(union, rounded=rounded, inside=inside, outside=outside),
        )
        for rounded, inside, outside in (
            (True, False, True),
            (True, True, False),
            (False, True, False),
            (False, False, True),
        )
    ),
    # What is said of one step, or of one size, is not said of another.
    *(
        (
            "identity: .* is no identity",
            partial(identity, one, other, ALL.also(whole("N", 1), real("w"))),
        )
        for one, other in (
            (bilinear(d, 1, 1, e), bilinear(d, 1, 1, 2 * e)),
            (bilinear(d, a, 1, e), bilinear(d, 1, a, e)),
            (bilinear(d, a, 1, e), bilinear(d, b, 1, e)),
            (bilinear(d, 1, a, e), bilinear(d, 1, b, e)),
            (bilinear(d, 1, 1, e), bilinear(d + 1, 1, 1, e)),
            (nearest(w, e), nearest(w, 2 * e)),
            (nearest(w, e), nearest(2 * w, e)),
            (nearest(w, e), w),
            (weight(LINEAR), weight(MATRICES[0][0])),
            (length(LINEAR, inside=None), length(FIVE, inside=None)),
            (length(LINEAR, inside=None), length(LINEAR, inside=True)),
            (length(LINEAR, inside=None), length(with_gaussian("e"), inside=None)),
            (length(LINEAR, inside=None), length(with_gaussian("u"), inside=None)),
            (margin(LINEAR, inside=None), margin(LINEAR, inside=True)),
            (margin(LINEAR, inside=None), margin(LINEAR, inside=None, rounded=True)),
            (
                margin(LINEAR, inside=None, rounded=True),
                margin(LINEAR, inside=False, rounded=True),
            ),
            (
                margin(LINEAR, inside=None, rounded=True),
                margin(MATRICES[1][0], inside=None, rounded=True),
            ),
        )
    ),
]

#: Which margins, and the number of inputs from which there are any.
KINDS: list[tuple[bool | None, str, int]] = [
    (True, "y in the image", 2),
    (False, "y outside the image", 1),
    (None, "any y", 1),
]

HOLDS: Conclusions = [
    (
        lambda: told(MOVEMENT),
        "for w real, e > 0: |w - nearest multiple| <= e/2. From 0, by nothing.",
    ),
    (between_which, "[0 <= f < 1]"),
    (
        lambda: loss(movement=sign(Compare(MOVED, "<", e), STEPPED, (1, MOVEMENT))),
        "- d * length (y in the image) * 1 * e <= rounded gamma",
    ),
    (
        lambda: told(FORM),
        "for whole d >= 1, a >= 0, b >= 0, e >= 0: |u^T D v| <= d * a * b * e. "
        "From 0, by the Cauchy-Schwarz inequality.",
    ),
    (
        lambda: told(largest_weight(LINEAR)),
        "for whole d >= 1, whole N >= 1: |W_ij| <= N. From 0, by nothing.",
    ),
    *(
        (
            partial(lambda inside: told(longest(FIVE, inside=inside)), inside),
            f"for whole d >= 1, whole N >= {least}: length ({which}) <= 5. From 0, by nothing.",
        )
        for inside, which, least in KINDS
    ),
    (lambda: longest(LINEAR, inside=None), "length (any y) <= 2"),
    *(
        (
            partial(lambda inside: told(loss(inside=inside)), inside),
            f"for whole d >= 1, whole N >= {least}, e > 0: gamma ({which}) - "
            f"d * length ({which}) * 1 * e/2 <= rounded gamma ({which}). "
            "From 2, by the Cauchy-Schwarz inequality.",
        )
        for inside, which, least in KINDS
    ),
    (
        lambda: loss(movement=more(MOVEMENT, 3 * e, STEPPED)),
        "- d * length (y in the image) * 1 * 3 * e <= rounded gamma",
    ),
    (lambda: loss(form=form_where(b=between("b", 0, 1))), "<= rounded gamma (y in the image)"),
    (
        lambda: inclusion(loss()),
        "e > 0: P(rounded gamma (y in the image) <= 0) <= P(gamma (y in the image) - d * length",
    ),
    (lambda: nearest(1, 2).arguments == (term(1), term(2)), "True"),
    (lambda: nearest(w, e).arguments == (w, e), "True"),
    (lambda: bilinear(d, a, b, e).arguments == (d, a, b, e), "True"),
    (lambda: weight(LINEAR).arguments == (d, N), "True"),
    (lambda: length(LINEAR, inside=None).arguments == (d, N), "True"),
    (lambda: margin(LINEAR, inside=None).arguments == (d, N), "True"),
    (lambda: margin(LINEAR, inside=None, rounded=True).arguments == (d, N, e), "True"),
    (lambda: least_margin(LINEAR, rounded=True).arguments == (d, N, M, e), "True"),
    (
        lambda: told(union(rounded=True, inside=True, outside=True)),
        "P(rounded least gamma <= 0) <= N * (M - 1)/9. From 2, by Boole's inequality.",
    ),
    (
        lambda: union(rounded=False, inside=False, outside=False),
        "P(least gamma <= 0) <= N * (M - 1)/9",
    ),
    (
        lambda: told(margin_law(FIVE, inside=True, less="c")),
        "for whole d >= 1, whole N >= 2, c real: gamma (y in the image) - c * length (y in the "
        "image) has the law of 2 - 3 * rho + (-3 + 2 * rho) * g + sqrt(13 - 12 * rho) * "
        "sum_S(N - 2, t * h) - c * sqrt(13 - 12 * rho). From 0, by rotation invariance of the "
        "uniform law on the sphere.",
    ),
]
