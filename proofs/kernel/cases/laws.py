"""Cases of the rules that read the definition of a memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from proofs.algebra import RationalFunction
from proofs.kernel.algebra import assume, sign
from proofs.kernel.cases import Conclusions, Refusals
from proofs.kernel.laws import least_margin, margin, margin_law, union_of_margins
from proofs.kernel.regions import Region, at_least, real, whole
from proofs.kernel.terms import Term, at_most_zero, symbols, term
from proofs.kernel.theorem import Compare, Theorem
from proofs.memories import low_rank
from proofs.memories.linear import Definition, definition
from proofs.memories.setting import Memory
from proofs.moments import Range as Inputs
from proofs.moments import Sphere, dot, sum_over
from proofs.moments.expressions import Expression

d, N, M, x = symbols("d N M x")
LINEAR = definition()


def other(left: Callable[[Definition], Expression]) -> Definition:
    """The linear memory with another margin."""
    memory = Definition("sphere")
    memory.margin = left(memory)
    return memory


SIZES = Region((whole("d", 1), whole("M", 2), whole("N", 1, M)))


def single(bound: Term, inside: bool, region: Region = SIZES, relation: str = "<=") -> Theorem:
    """A bound of the probability of one margin, supposed."""
    left = at_most_zero(margin(LINEAR, inside=inside))
    return assume(Compare(left, relation, term(bound)), region)


INSIDE, OUTSIDE = single(x, True, SIZES.also(at_least("x", 0))), single(1 / M, False)
TOTAL = N * (N - 1) * x + N * (M - N) / M


X_SIZES = SIZES.also(at_least("x", 0))


def union(
    bound: Term = TOTAL,
    region: Region = X_SIZES,
    inside: Theorem = INSIDE,
    outside: Theorem = OUTSIDE,
) -> Theorem:
    """P(least margin <= 0) <= bound."""
    return union_of_margins(LINEAR, bound, region, inside, outside)


def weighted(own: int, against: int) -> Definition:
    """The margin <own u_f(x) + against u_y, W e_x>."""

    def left(memory: Definition) -> Expression:
        vector = own * memory.u[memory.association(memory.x)] + against * memory.u[memory.y]
        return dot(vector, memory.weight @ memory.e[memory.x])

    return other(left)


def sized(u: str = "d", e: str = "d", inputs: str = "N", outputs: str = "M") -> Definition:
    """The linear memory of other sizes."""
    memory = Definition("sphere")
    memory.e, memory.u = (
        Sphere(name, RationalFunction.symbol(size)) for name, size in (("e", e), ("u", u))
    )
    memory.inputs = Inputs(RationalFunction.symbol(inputs), "[N]")
    memory.outputs = Inputs(RationalFunction.symbol(outputs), "[M]")
    return memory


#: Weights of u_f(x) and of u_y in a margin, and what its law is.
WEIGHTS: list[tuple[int, int, str]] = [
    (1, -1, "1 - rho + (-1 + rho) * g + sqrt(2 - 2 * rho) * sum_S(N - 2, t * h)"),
    (2, 1, "2 + rho + (1 + 2 * rho) * g + sqrt(5 + 4 * rho) * sum_S(N - 2, t * h)"),
    (1, 0, "1 - 0 * rho + rho * g + sqrt(1 - 0 * rho) * sum_S(N - 2, t * h)"),
]


def _squared(memory: Definition) -> Expression:
    """sum_z <u_y, u_f(z)> <e_z, e_x>^2."""
    z = memory.inputs.index("z")
    return sum_over(z, dot(memory.u[memory.y], memory.u[memory.association(z)]) * _key(memory) ** 2)


def _key(memory: Definition) -> Expression:
    return dot(memory.e[memory.inputs.index("z")], memory.e[memory.x])


def _changed(memory: Definition, **parts: object) -> Expression:
    """The margin, the first summand alone and with other parts."""
    one = replace(memory.margin.terms[0], **parts)  # type: ignore[arg-type]
    return Expression((one,), 0)


def _wick(memory: Definition) -> Expression:
    """Wick powers for products."""
    edges = memory.margin.terms[0].edges
    return _changed(memory, edges=tuple(replace(edge, order=2) for edge in edges))


def _half_wick(memory: Definition) -> Expression:
    """The same of one of two."""
    first, second = memory.margin.terms[0].edges
    return _changed(memory, edges=(first, replace(second, order=2)))


def _twice(memory: Definition) -> Expression:
    """The margin, its first summand once more."""
    one, other = memory.margin.terms
    return Expression((one, other, one), 0)


#: Memories of which the law of a margin is not known.
MEMORIES: list[tuple[Memory, str]] = [
    (definition("gaussian"), "is not uniform on the sphere"),
    (
        other(lambda m: dot(m.u[m.y], m.weight @ m.e[m.x]) + dot(m.u[m.y], m.u[m.y])),
        "is no sum over z",
    ),
    (
        other(lambda m: dot(m.u[m.y], m.weight @ m.e[m.x]) * dot(m.u[m.y], m.e[m.x])),
        "is no sum over z",
    ),
    (
        other(lambda m: dot(m.u[m.y], m.weight @ m.e[m.x]) * dot(m.u[m.y], m.e[m.x]) ** 2),
        "is no sum over z",
    ),
    (other(lambda m: dot(m.e[m.x], m.weight @ m.e[m.x])), "is no sum over z"),
    (other(lambda m: dot(m.u[m.y], m.weight @ m.e[m.inputs.index("w")])), "is no sum over z"),
    (
        other(lambda m: dot(m.u[m.y], m.weight @ m.e[m.x]) * dot(m.u[m.y], m.weight @ m.e[m.x])),
        "is no sum over z",
    ),
    (low_rank.definition(), "is no sum over z"),
    (other(_squared), "is no sum over z"),
    (other(_wick), "is no sum over z"),
    (other(_half_wick), "is no sum over z"),
    (other(lambda m: _changed(m, legs=(m.e[m.x].single_vector(),))), "is no sum over z"),
    (other(lambda m: _changed(m, where=(object(),))), "is no sum over z"),
    (other(lambda m: _changed(m, bound=())), "is no sum over z"),
    (other(lambda m: _changed(m, edges=2 * m.margin.terms[0].edges)), "is no sum over z"),
]
#: Unions that are refused.
UNIONS: Conclusions = [
    (lambda: union(TOTAL - x), "the sum of the bounds"),
    (lambda: union(TOTAL - N * (M - N) / M), "the sum of the bounds"),
    (lambda: union((N - 1) * (N - 1) * x + N * (M - N) / M), "the sum of the bounds"),
    (lambda: union((N - 1) * x + N * (M - N) / M), "the sum of the bounds"),
    (lambda: union(N * (N - 1) * x + (M - N) / M), "the sum of the bounds"),
    (lambda: union(TOTAL - term(1) / 2), "the sum of the bounds"),
    (lambda: union(inside=OUTSIDE), "outside.* is not P"),
    (lambda: union(outside=INSIDE), "is not P"),
    (lambda: union(inside=single(x, True, X_SIZES, "<")), "no comparison by <= or =$"),
    (lambda: union(outside=single(1 / M, False, SIZES, "<")), "no comparison by <= or =$"),
    (
        lambda: union(region=Region((at_least("d", 1), *X_SIZES.ranges[1:]))),
        "d is not whole",
    ),
    (
        lambda: union(
            region=Region((whole("d", 1), whole("M", 2), at_least("N", 1), at_least("x", 0)))
        ),
        "N is not whole",
    ),
    (
        lambda: union(
            region=Region((whole("d", 1), at_least("M", 2), whole("N", 1, M), at_least("x", 0)))
        ),
        "M is not whole",
    ),
    (
        lambda: union(region=Region((whole("d", 1), whole("M", 2), at_least("x", 0)))),
        "N has no range|N is not whole",
    ),
    (
        lambda: union(
            region=Region((whole("d", 1), whole("M", 2), whole("N", 0, M), at_least("x", 0)))
        ),
        "the number of inputs",
    ),
    (
        lambda: union(
            region=Region((whole("d", 1), whole("M", 2), whole("N", 1, M + 1), at_least("x", 0)))
        ),
        "the number of outputs",
    ),
    (
        lambda: union(
            inside=single(x, True, SIZES.ending("N", lower=term(3)).also(at_least("x", 0)))
        ),
        "the range whole 3 <= N <= M",
    ),
    (
        lambda: union(outside=single(1 / M, False, SIZES.ending("N", upper=M - 2))),
        "the range whole 1 <= N <= M - 2",
    ),
    (
        lambda: union(outside=single(1 / M, False, Region((whole("d", 2), *SIZES.ranges[1:])))),
        "the range (whole )?d >= 2",
    ),
    (
        lambda: union(region=SIZES.also(real("x"))),
        "the range (whole )?x >= 0",
    ),
    (
        lambda: union(inside=sign(Compare(term(0), "<=", x), X_SIZES)),
        "is not P",
    ),
]

REFUSED: Refusals = [
    *(
        (f"margin_law: .*{said}", partial(margin_law, memory, inside=inside))
        for memory, said in MEMORIES
        for inside in (True, False)
    ),
    *((f"union_of_margins: .*({said})", tried) for tried, said in UNIONS),
    ("margin_law: .*e.* is not in R", lambda: margin_law(sized(e="k"), inside=True)),
    ("margin_law: .*u.* is not in R", lambda: margin_law(sized(u="k"), inside=True)),
    ("margin_law: .* has not N values", lambda: margin_law(sized(inputs="k"), inside=True)),
    ("margin_law: .* has not M values", lambda: margin_law(sized(outputs="k"), inside=True)),
    (
        "union_of_margins: 1/x is defined",
        lambda: union(TOTAL + 1 / x - 1 / x),
    ),
]

HOLDS: Conclusions = [
    *(
        (
            partial(margin_law, weighted(own, against), inside=True),
            f"for whole d >= 1, whole N >= 2: gamma (y in the image) has the law of {text}",
        )
        for own, against, text in WEIGHTS
    ),
    (
        lambda: margin_law(other(_twice), inside=False),
        "2 - rho + sqrt(5 - 4 * rho) * sum_S(N - 1, t * h)",
    ),
    (
        lambda: margin_law(LINEAR, inside=False),
        "for whole d >= 1, whole N >= 1: gamma (y outside the image) has the law of "
        "1 - rho + sqrt(2 - 2 * rho) * sum_S(N - 1, t * h)",
    ),
    (lambda: [it.name for it in margin_law(LINEAR, inside=True).trust], "rotation"),
    (union, "x >= 0: if P(gamma (y in the image) <= 0) <= x and P(gamma (y outside the image) "),
    (union, "<= 0) <= 1/M, P(least gamma <= 0) <= N * (N - 1) * x + N * (M - N)/M"),
    (lambda: union(TOTAL + x), "P(least gamma <= 0) <= "),
    (lambda: [it.name for it in union().trust], '["Boole\'s inequality"]'),
    (
        lambda: union(inside=single(x, True, X_SIZES.ending("N", lower=term(2)))),
        "whole 1 <= N <= M, x >= 0",
    ),
    (
        lambda: union(outside=single(1 / M, False, SIZES.ending("N", upper=M - 1))),
        "whole 1 <= N <= M, x >= 0",
    ),
    (lambda: len({margin(LINEAR, inside=True), margin(LINEAR, inside=False)}), "2"),
    (lambda: least_margin(LINEAR).arguments == (d, N, M), "True"),
    (lambda: margin(LINEAR, inside=True).arguments == (d, N), "True"),
    (lambda: margin(LINEAR, inside=True) == margin(weighted(1, 1), inside=True), "False"),
    (lambda: margin(LINEAR, inside=True) == margin(definition("gaussian"), inside=True), "False"),
    (lambda: margin(LINEAR, inside=True) == margin(sized(e="k"), inside=True), "False"),
]
