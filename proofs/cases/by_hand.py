"""Moments that were worked out by hand, in cases that few memories reach."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from proofs.algebra import RationalFunction
from proofs.cases import Results
from proofs.cases.moments import (
    IN_ROW,
    ROW,
    M,
    N,
    P,
    Q,
    d,
    e,
    f,
    fact,
    far,
    g,
    near,
    o,
    one,
    other,
    p,
    q,
    s,
    t,
    table,
    two,
    u,
    x,
    x2,
    y,
    y2,
    z,
    z2,
)
from proofs.moments import (
    Condition,
    Expression,
    OrthogonalSphere,
    count,
    dot,
    fails,
    holds,
    raw_moments,
    sum_over,
)

beyond = OrthogonalSphere("beyond", d, to=t[x])
facing = OrthogonalSphere("facing", d, to=u[f(x)])


def same(expression: Expression, value: RationalFunction, given: Sequence[Condition]) -> bool:
    """Whether the mean is a value that was worked out by hand."""
    return raw_moments([expression], given)[0].value == value


#: Expressions and what they are on average, worked out by hand from what a coordinate c of a uniform
#: unit vector has: E c^2 = 1/d, E c^4 = 3/(d (d + 2)), and E |Pv|^2 |Qv|^2 = p q/(d (d + 2)).
BY_HAND: list[tuple[Expression, RationalFunction, Sequence[Condition]]] = [
    # One orthogonal to t, t orthogonal to s: given t it has variance (1 - <t, u>^2)/(d - 1).
    (dot(beyond[z], s[one]) ** 2, 1 / (d - 1), [x != z]),
    (
        dot(beyond[z], u[y]) ** 2 * dot(t[x], u[y]) ** 2,
        1 / (d * (d + 2)),
        [x != z],
    ),
    (
        dot(beyond[z], s[one]) ** 2 * dot(t[x], u[y]) ** 2,
        1 / (d * (d - 1)),
        [x != z],
    ),
    (
        dot(beyond[z], u[y]) ** 2 * dot(s[one], u[y]) ** 2,
        (d + 1) / (d * (d + 2) * (d - 1)),
        [x != z],
    ),
    (dot(facing[one], s[two]) ** 2, 1 / d, [one != two]),
    # E of t t^T is (1 - s s^T)/(d - 1), which mixes P and Q.
    (
        dot(P @ e[x], t[x]) * dot(Q @ u[y], t[x]) * dot(P @ e[x], s[one]) * dot(Q @ u[y], s[one]),
        -p * q / (d**3 * (d + 2) * (d - 1)),
        [],
    ),
    (
        dot(P @ e[x], t[x]) ** 2 * dot(Q @ u[y], t[x]) ** 2,
        p * q / (d**3 * (d + 2)),
        [],
    ),
    (
        dot(P @ e[x], g[x])
        * dot(Q @ u[y], g[x])
        * dot((P + Q) @ s[one], g[x]) ** 2
        * dot(P @ e[x], s[one])
        * dot(Q @ u[y], s[one]),
        2 * p * q / (d**3 * (d + 2)),
        [],
    ),
    (near + 2 * near, 3 / d, [o != y]),
    # A product of Hermite polynomials of degree 2 has the mean 2 <e, e'>^2.
    (
        sum_over((x2, z, z2), dot(g[x2], e[z]).hermite(2) * dot(g[x2], e[z2]).hermite(2)),
        2 * N**2 * (d + N - 1) / d,
        [],
    ),
    (
        sum_over((x, z, z2), dot(u[f(x)], u[f(z)]) * dot(u[f(z)], u[f(z2)])),
        N + N * (N - 1) / d,
        [],
    ),
    (
        dot(u[f(x2)], u[f(x2)])
        * sum_over((x, z, z2), dot(u[f(x)], u[f(z)]) * dot(u[f(z)], u[f(z2)])),
        N + N * (N - 1) / d,
        [],
    ),
    # y itself gives 1, another output 1/d on average.
    (ROW + far, 2 + (p + M - 2) / d, IN_ROW),
    (
        ROW * (ROW + far),
        2
        + (3 * (p - 1) + M - 1) / d
        + 6 * (p - 1) / (d * (d + 2))
        + (p - 1) * (p - 2) / d**2
        + (M - 2) * (p - 1) / d**2,
        IN_ROW,
    ),
    # No key has two values of a functional relation.
    (
        sum_over(
            (z, z2),
            dot(e[z], u[y]) ** 2 * dot(e[z2], u[y]) ** 2,
            where=[fact(z, y), fact(z2, y2)],
        ),
        p * q / d**2,
        [y != y2, count(fact(z, y), p, over=z), count(fact(z, y2), q, over=z)],
    ),
    # Where y is the only one in the row, what else is asked for is asked of y.
    *(
        (
            sum_over(o, near, where=[table(x, o), other(z, o)]),
            RationalFunction.constant(value),
            [count(table(x, o), 1, over=o), holds(table(x, y)), said(other(z, y)), x != z],
        )
        for said, value in ((holds, 1), (fails, 0))
    ),
]

HOLDS: Results = [(partial(same, *case), "True") for case in BY_HAND]
