"""Cases of the moment engine: expressions, counts, states, graphs, moments with their patterns."""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import symbols
from proofs.cases import Refusals, Results
from proofs.derived import Bound, Derived
from proofs.memories.linear import definition
from proofs.memories.low_rank import definition as low_rank
from proofs.moments import (
    Association,
    Condition,
    Expression,
    Fixed,
    Gaussian,
    OrthogonalSphere,
    Range,
    Relation,
    Signs,
    Sphere,
    Splitting,
    central_moment,
    count,
    covariance,
    cross_check,
    dot,
    equal,
    fails,
    fibre,
    hermite_sum,
    holds,
    in_image,
    indicator,
    mean,
    not_in_image,
    outer,
    polynomial,
    raw_moments,
    sum_over,
    variance,
    wick_power,
)
from proofs.moments.counting import (
    coincidences,
    falling,
    falling_coefficients,
    over_distinct_outputs,
    set_partitions,
)
from proofs.moments.derivation import steps_of
from proofs.moments.graphs import Integrator, _powers
from proofs.moments.indices import Index
from proofs.moments.pairings import pairings
from proofs.moments.patterns import Expansion
from proofs.moments.record import Record
from proofs.moments.subspaces import meet
from proofs.moments.world import World

d, N, M, p, q, v = symbols("d N M p q v")
INPUTS, OUTPUTS, TWO = Range(N, "inputs"), Range(M, "outputs"), Range(2, "two")
x, x2, z, z2 = (INPUTS.index(name) for name in ("x", "x2", "z", "z2"))
y, y2, o = (OUTPUTS.index(name) for name in ("y", "y2", "o"))
one, two = TWO.index("one"), TWO.index("two")
f = Association(INPUTS, OUTPUTS)
blocks = Association(INPUTS, OUTPUTS, "h", fibre_size=3)
free = Association(INPUTS, OUTPUTS, "k", fibre_powers="p")
e, u, s, g = Sphere("e", d), Sphere("u", d), Sphere("s", d), Gaussian("g", d)
w, n = Gaussian("w", d, v), Gaussian("n", d, 1 / d)
k, c = Fixed("k", d), Fixed("c", d, q)
split = Splitting(d, P=p, Q=q)
P, Q, R = (split[name] for name in ("P", "Q", "rest"))
t = OrthogonalSphere("t", d, to=s[one])
table = Relation("A", INPUTS, OUTPUTS)
fact = Relation("F", INPUTS, OUTPUTS, functional=True)
other = Relation("B", INPUTS, OUTPUTS)
CONSTANT = Sphere("const", 3)
SOLE = Range(1, "sole")
SINGLE, OTHER = SOLE.index("single"), SOLE.index("other")
D, SIZED = sympy.Symbol("D"), Range(sympy.Symbol("N", positive=True), "sized")
signs = Signs("r")
W = sum_over(z, outer(u[f(z)], e[z]))
margin = dot(u[f(x)] - u[y], W @ e[x])
apart = [y != f(x), in_image(f(x)), in_image(y)]
COUNTED = Expression.scalar(1)
THIRD = Range(p, "third")
third, shared = Sphere("third", d), Association(TWO, THIRD, "l", fibre_powers="r")
ONE, RANK = definition(), low_rank()


def told(expression: Expression, given: Sequence[Condition] = (), order: int = 1) -> str:
    """Moments with their patterns and sizes."""
    found = raw_moments([expression] * order, given)
    parts = [f"{it.value} = {' + '.join(map(str, it.contributions))}" for it in found]
    return "; ".join([*parts, Bound.text(found[-1].domain)])


def seen(told_: Derived) -> str:
    """What a derivation says beside its value."""
    record = told_.record
    assert isinstance(record, Record)
    rule = record.rule, str(record.value), len(record.moments)
    return f"{told_.scope} | {'; '.join(map(str, told_.derivation))} | {told_.symbols} | {rule}"


def bounds(expression: Expression, given: Sequence[Condition] = ()) -> str:
    """For which sizes a mean is."""
    found = raw_moments([expression], given)[0].domain
    return ", ".join(f"{it} {it.kind}" for it in found)


def states(expression: Expression, given: Sequence[Condition] = (), order: int = 2) -> str:
    """The states that products of an expression have, one after the other."""
    world = World([expression], list(given))
    expansion = Expansion(world)
    found, lines = expansion.start(), []
    numbers = {serial: i for i, serial in enumerate(sorted(world.families))}
    for spare in range(order - 1, -1, -1):
        most = 2 * max(len(term.edges) for term in expression.terms)
        found = expansion.multiply(found, expression, spare=spare * most)
        for state, value in found.items():
            edges = " ".join(
                f"{numbers[a[0]]}.{a[1]}-{numbers[b[0]]}.{b[1]}^{n}{tuple(kind)[1]}"
                for a, b, kind, n in state.edges
            )
            lines.append(f"{value}: {state.fresh} {state.visits} {edges} {state.facts}")
    kept = sorted(len(choices) for choices in expansion._choices.values())
    return f"{world.labels} {world.named} {kept} | " + " | ".join(lines)


def integrated(expression: Expression, given: Sequence[Condition] = (), order: int = 1) -> str:
    """Expectations of the graphs of a product, with the number of graphs on the way."""
    world, integrator = World([expression], list(given)), Integrator()
    expansion = Expansion(world)
    found = expansion.start()
    for _ in range(order):
        found = expansion.multiply(found, expression, spare=99)
    sums = []
    for state in found:
        terms = integrator.expectation(*expansion.graph(state)).terms
        sums.append(
            str(
                sorted(
                    (power[0][1], n)
                    for key in terms
                    for power, n in [((("", 0),), 0), *(((f,), m) for f, m in key)]
                )
            )
        )
    return f"{len(integrator._known)}: {' | '.join(sums)}"


def agree(expression: Expression, given: Sequence[Condition] = (), dimension: int = 2) -> str:
    """Engine and enumeration at one small instance."""
    return str(cross_check(expression, given, trials=1, dimensions=(dimension,)))


near, crossed = dot(u[o], u[y]) ** 2, dot(e[x], e[z]) * dot(u[o], u[y])
far = sum_over(o, near)
#: One row of a relation with p outputs, y one of them: what stands in it, and in all M outputs.
ROW = sum_over(o, near, where=table(x, o))
IN_ROW = [count(table(x, o), p, over=o), holds(table(x, y))]

HOLDS: Results = [
    (lambda: e[x], "|e[x]>"),
    (lambda: u[f(x)] - u[y], "|u[f(x)]> - |u[y]>"),
    (lambda: W, "sum_z |u[f(z)]> |e[z]>"),
    (
        lambda: margin,
        ("sum_z <e[z], e[x]> <u[f(x)], u[f(z)]> - sum_z <e[z], e[x]> <u[y], u[f(z)]>"),
    ),
    (lambda: -e[x], "-|e[x]>"),
    (lambda: dot(e[x], e[z]) - 2, "<e[x], e[z]> + (-2)"),
    (lambda: 2 - dot(e[x], e[z]), "2 - <e[x], e[z]>"),
    (lambda: (dot(e[x], e[z]) * e[x]).legs, "1"),
    (
        lambda: sum_over(z, dot(e[z], e[x]), where=equal(z, x)),
        "sum_z <e[z], e[x]> 1(z = x)",
    ),
    (
        lambda: sum_over(z2, sum_over(z, dot(e[z], e[z2]))),
        "sum_z sum_z2 <e[z], e[z2]>",
    ),
    (lambda: mean(dot(dot(e[x], e[z]) * e[x], e[z]), [x != z]), "1/d   (d >= 1, N >= 2; x != z)"),
    (lambda: dot(e[x], e[z]) ** 0, "1"),
    (lambda: isinstance(dot(e[x], e[z]) ** 0, Expression), "True"),
    (lambda: sum_over(z, COUNTED) * sum_over(z, COUNTED), "sum_z sum_z'"),
    (lambda: e[x] * 2, "2 |e[x]>"),
    (lambda: 2 * e[x] / d, "(2/d) |e[x]>"),
    (lambda: dot(e[x], e[z]) ** 3, "<e[x], e[z]>^3"),
    (lambda: 1 - dot(e[x], e[z]), "1 - <e[x], e[z]>"),
    (lambda: dot(e[x], P @ e[z]), "<e[x], P e[z]>"),
    (lambda: Expression((), 0), "0"),
    (lambda: dot(g[x], e[z]).hermite(3), ":<g[x], e[z]>^3:"),
    (lambda: dot(w[x], e[z]).hermite(2), "(-1) + <w[x], e[z]>^2"),
    (lambda: W.T, "sum_z |e[z]> |u[f(z)]>"),
    (lambda: W @ P, "sum_z |u[f(z)]> |P e[z]>"),
    (lambda: P @ W, "sum_z |P u[f(z)]> |e[z]>"),
    (lambda: W @ W.T, "sum_z sum_z' <e[z], e[z']> |u[f(z)]> |u[f(z')]>"),
    (lambda: P @ (Q @ e[x]), "0"),
    (lambda: (P + Q) @ e[x], "|P+Q e[x]>"),
    (lambda: dot(P @ e[x], Q @ e[z]), "0"),
    (lambda: dot(e[x], e[z]) * e[x], "<e[x], e[z]> |e[x]>"),
    (lambda: indicator(y != f(x)), "1 - 1(y = f(x))"),
    (lambda: indicator(equal(y, f(x))), "1(y = f(x))"),
    (
        lambda: sum_over((z, z2), dot(e[z], e[z2]), where=z != z2),
        "sum_z sum_z2 <e[z], e[z2]> - sum_z sum_z2 <e[z], e[z2]> 1(z = z2)",
    ),
    (
        lambda: sum_over(z, dot(e[z], e[x]), where=[table(z, y), fact(z, y)]),
        "sum_z <e[z], e[x]> 1(A(z, y)) 1(F(z, y))",
    ),
    (lambda: margin.degree(), "4"),
    (lambda: W.degree(), "2"),
    (lambda: e[x].degree(), "1"),
    (lambda: Expression((), 0).degree(), "0"),
    (lambda: dot(g[x], e[x]).hermite(4).degree(), "8"),
    (lambda: (dot(e[x], e[z]) ** 2 + 1).degree(), "4"),
    (lambda: margin.legs, "0"),
    (lambda: W.legs, "2"),
    (lambda: (W @ e[x]).legs, "1"),
    (lambda: margin.free_slots(), "[x, f(x), y]"),
    (lambda: W.free_slots(), "[]"),
    (lambda: (W @ W).free_slots(), "[]"),
    (lambda: sum_over(z, dot(e[z], e[x])).free_slots(), "[x]"),
    (lambda: (W @ W).terms[0].bound, "(z, z')"),
    (lambda: sorted(map(str, margin.terms[0].indices())), "['x', 'z']"),
    (
        lambda: dot(W @ e[x], W @ e[x]),
        "sum_z sum_z' <e[z], e[x]> <e[z'], e[x]> <u[f(z)], u[f(z')]>",
    ),
    (lambda: sum_over(z, dot(e[z], e[x])) ** 2, "sum_z sum_z' <e[z], e[x]> <e[z'], e[x]>"),
    (
        lambda: W @ sum_over(z2, outer(e[z2], e[z2])) @ e[z],
        "sum_z' sum_z2' <e[z'], e[z2']> <e[z2'], e[z]> |u[f(z')]>",
    ),
    (lambda: sum_over(z, dot(e[z], e[x])) * dot(e[z], u[y]), "sum_z' <e[z'], e[x]> <e[z], u[y]>"),
    (lambda: dot(e[z], u[y]) * sum_over(z, dot(e[z], e[x])), "sum_z' <e[z], u[y]> <e[z'], e[x]>"),
    (lambda: e[x].single_vector(), "e[x]"),
    (lambda: (P @ e[x]).single_vector(), "P e[x]"),
    (lambda: dot(g[x], e[z]).is_standard(), "True"),
    (lambda: dot(e[z], g[x]).is_standard(), "True"),
    (lambda: dot(w[x], e[z]).is_standard(), "False"),
    (lambda: dot(e[z], e[x]).is_standard(), "False"),
    (lambda: dot(g[x], P @ e[z]).is_standard(), "False"),
    (lambda: (dot(g[x], e[z]) * 2).is_standard(), "False"),
    (lambda: dot(g[x], g[z]).is_standard(), "False"),
    (lambda: Expression((), 0).is_standard(), "False"),
    (lambda: polynomial([1, 0, d], dot(e[x], e[z])), "1 + d <e[x], e[z]>^2"),
    (lambda: hermite_sum([0, 1, 2], dot(g[x], e[z])), "<g[x], e[z]> + (sqrt(2)) :<g[x], e[z]>^2:"),
    (lambda: hermite_sum([1, 0, 2], dot(e[x], e[z]), normalized=False), "(-1) + 2 <e[x], e[z]>^2"),
    (lambda: wick_power(g[x], e[z], 2), ":<g[x], e[z]>^2:"),
    (
        lambda: wick_power(w[x], e[x] + e[z], 2),
        (
            "<w[x], e[x]>^2 + <w[x], e[x]> <w[x], e[z]> + <w[x], e[z]> <w[x], e[x]> +"
            " <w[x], e[z]>^2 + (-v) <e[x], e[x]> + (-v) <e[x], e[z]> + (-v) <e[z], e["
            "x]> + (-v) <e[z], e[z]>"
        ),
    ),
    (lambda: wick_power(w[x], g[z], 2), "<w[x], g[z]>^2 + (-v) <g[z], g[z]>"),
    (lambda: signs[x], "r[x]"),
    (lambda: P.dimension, "p"),
    (lambda: (P + R).dimension, "d - q"),
    (lambda: R.dimension, "d - p - q"),
    (lambda: P.complement, "Q+rest"),
    (lambda: P + Q, "P+Q"),
    (lambda: P.label == P.part, "True"),
    (lambda: (P + Q + R).label, "()"),
    (lambda: meet(P.part, Q.part), "None"),
    (lambda: _powers([], 2), "[]"),
    (
        lambda: [_powers([(-1, ((0, 1, ()),))], k) for k in (2, 3)],
        "[[(1, ((0, 1, ()), (0, 1, ())))], [(-1, ((0, 1, ()), (0, 1, ()), (0, 1, ())))]]",
    ),
    (
        lambda: [type(it).__name__ for it in mean(dot(e[x], e[x])).derivation],
        "['Step', 'Step', 'Step']",
    ),
    (
        lambda: raw_moments([ROW + far, ROW], IN_ROW)[1].value == mean(ROW * (ROW + far), IN_ROW),
        "True",
    ),
    (lambda: meet((), P.part) == P.part, "True"),
    (lambda: meet(P.part, ()) == P.part, "True"),
    (lambda: meet((), ()), "()"),
    (lambda: meet((1, 2), (2, 3)), "(2,)"),
    (lambda: [str(falling(N, i)) for i in range(4)], "['1', 'N', 'N^2 - N', 'N^3 - 3*N^2 + 2*N']"),
    (
        lambda: [falling_coefficients(i) for i in range(5)],
        "[(1,), (0, 1), (0, -1, 1), (0, 2, -3, 1), (0, -6, 11, -6, 1)]",
    ),
    (
        lambda: list(set_partitions([1, 2, 3])),
        ("[[[1], [2], [3]], [[1, 2], [3]], [[2], [1, 3]], [[1], [2, 3]], [[1, 2, 3]]]"),
    ),
    (
        lambda: [
            str(over_distinct_outputs(i, lambda j: symbols(f"p{j}")[0]))
            for i in ((), (1,), (2,), (1, 1), (2, 1), (1, 1, 1), (0, 1), (3,))
        ],
        (
            "['1', 'p1', '-p1 + p2', 'p1^2 - p2', '-p1^2 + p1*p2 + p2 - p3', 'p1^3 - "
            "3*p1*p2 + 2*p3', 'p0*p1 - p1', '2*p1 - 3*p2 + p3']"
        ),
    ),
    (
        lambda: [
            list(coincidences(*it))
            for it in (
                ([], []),
                ([0], []),
                ([0], [0]),
                ([0, 0], [0, 1]),
                ([0, 1], [1]),
                ([0, 0, 0], []),
                ([0, 0], [0, 0]),
            )
        ],
        (
            "[[(1, [])], [(1, [-1])], [(-1, [0]), (1, [-1])], [(2, [0, 0]), (-1, [0, "
            "-1]), (-1, [-1, 0]), (-1, [-1, -1]), (1, [-1, -2])], [(-1, [-1, 0]), (1,"
            " [-1, -2])], [(2, [-1, -1, -1]), (-1, [-1, -1, -2]), (-1, [-1, -2, -1]),"
            " (-1, [-1, -2, -2]), (1, [-1, -2, -3])], [(2, [0, 0]), (1, [0, 1]), (-1,"
            " [0, -1]), (1, [1, 0]), (2, [1, 1]), (-1, [1, -1]), (-1, [-1, 0]), (-1, "
            "[-1, 1]), (-1, [-1, -1]), (1, [-1, -2])]]"
        ),
    ),
    (
        lambda: [
            pairings(*it)
            for it in (
                ((),),
                ((2,),),
                ((1, 1),),
                ((2, 2),),
                ((3, 1),),
                ((4,),),
                ((1,),),
                ((2, 1, 1),),
                ((2, 2, 2),),
                ((2, 2), (True, False)),
                ((2, 2), (True, True)),
                ((3, 1), (True, False)),
                ((4, 2, 2), (False, True, True)),
                ((0, 2),),
            )
        ],
        (
            "[(((), 1),), ((((0, 0, 1),), 1),), ((((0, 1, 1),), 1),), ((((0, 0, 1), ("
            "1, 1, 1)), 1), (((0, 1, 2),), 2)), ((((0, 0, 1), (0, 1, 1)), 3),), ((((0"
            ", 0, 2),), 3),), (), ((((0, 0, 1), (1, 2, 1)), 1), (((0, 1, 1), (0, 2, 1"
            ")), 2)), ((((0, 0, 1), (1, 1, 1), (2, 2, 1)), 1), (((0, 0, 1), (1, 2, 2)"
            "), 2), (((0, 2, 2), (1, 1, 1)), 2), (((0, 1, 1), (0, 2, 1), (1, 2, 1)), "
            "8), (((0, 1, 2), (2, 2, 1)), 2)), ((((0, 1, 2),), 2),), ((((0, 1, 2),), "
            "2),), (), ((((0, 0, 2), (1, 2, 2)), 6), (((0, 0, 1), (0, 1, 1), (0, 2, 1"
            "), (1, 2, 1)), 48), (((0, 1, 2), (0, 2, 2)), 24)), ((((1, 1, 1),), 1),)]"
        ),
    ),
    (lambda: told(dot(e[x], e[x]) * d), "d = : 1 x d; d >= 1, N >= 1"),
    (
        lambda: told(dot(e[x], u[y]) ** 4),
        "3/(d^2 + 2*d) = : 1 x 3/(d^2 + 2*d); d >= 1, M >= 1, N >= 1",
    ),
    (
        lambda: told(dot(g[x], g[x]) ** 3),
        "d^3 + 6*d^2 + 8*d = : 1 x d^3 + 6*d^2 + 8*d; d >= 1, N >= 1",
    ),
    (lambda: told(dot(w[x], u[y]) ** 4), "3*v^2 = : 1 x 3*v^2; d >= 1, M >= 1, N >= 1, v >= 0"),
    (
        lambda: told(dot(e[x], e[z]) ** 4, [x != z]),
        "3/(d^2 + 2*d) = : 1 x 3/(d^2 + 2*d); d >= 1, N >= 2",
    ),
    (
        lambda: told(dot(e[x], u[y]) ** 2 * dot(e[x], u[y2]) ** 2, [y != y2]),
        "1/d^2 = : 1 x 1/d^2; d >= 1, M >= 2, N >= 1",
    ),
    (
        lambda: told(dot(e[x], u[y]) ** 3 * dot(e[x], u[y2]) * dot(u[y], u[y2]), [y != y2]),
        "3/(d^3 + 2*d^2) = : 1 x 3/(d^3 + 2*d^2); d >= 1, M >= 2, N >= 1",
    ),
    (lambda: told(dot(e[x], e[x]) + dot(e[x], e[z]), [x != z]), "1 = : 1 x 1; d >= 1, N >= 2"),
    (
        lambda: told(dot(n[x], n[x]) ** 2 * dot(n[x], u[y]) ** 2),
        ("(d^2 + 6*d + 8)/d^3 = : 1 x (d^2 + 6*d + 8)/d^3; d >= 1, M >= 1, N >= 1"),
    ),
    (
        lambda: told(sum_over(z, dot(e[x], e[z])), order=3),
        (
            "1 = x: 1 x 1; (N + d - 1)/d = x (2 times): 1 x 1 + another value (2 time"
            "s): N - 1 x 1/d; (3*N + d - 3)/d = x (3 times): 1 x 1 + x, another value"
            " (2 times): N - 1 x 3/d; d >= 1, N >= 1"
        ),
    ),
    (
        lambda: told(sum_over(z, dot(g[x], g[z])), order=2),
        (
            "d = x: 1 x d; N*d + d^2 + d = x (2 times): 1 x d^2 + 2*d + another value"
            " (2 times): N - 1 x d; d >= 1, N >= 1"
        ),
    ),
    (
        lambda: told(margin, apart, 3),
        (
            "1 = x: 1 x 1; (d^2 + 2*N + 2*d - 3)/d^2 = x (2 times): 1 x (d + 1)/d + a"
            "n input with the output y (2 times): 1 x (d + 1)/d^2 + another input (2 "
            "times): N - 2 x 2/d^2; (d^3 + 6*N*d + 6*d^2 + 6*N - 3*d - 12)/d^3 = x (3"
            " times): 1 x (d + 3)/d + x, an input with the output y (2 times): 1 x (3"
            "*d + 9)/d^2 + x, another input (2 times): N - 2 x (6*d + 6)/d^3; d >= 1,"
            " M >= 2, M - N >= 0, N >= 2"
        ),
    ),
    (
        lambda: told(margin, [y != f(x), fibre(f(x), 2), fibre(y, 3)], 2),
        (
            "1 = x: 1 x 1; (d^2 + 2*N + 5*d - 6)/d^2 = x (2 times): 1 x (d + 1)/d + a"
            "n input with the output f(x) (2 times): 1 x (d + 1)/d^2 + an input with "
            "the output y (2 times): 3 x (d + 1)/d^2 + another input (2 times): N - 5"
            " x 2/d^2; d >= 1, M >= 2, M - N >= -3, N >= 5"
        ),
    ),
    (
        lambda: told(margin, [y != f(x), in_image(f(x)), not_in_image(y)], 2),
        (
            "1 = x: 1 x 1; (d^2 + 2*N + d - 2)/d^2 = x (2 times): 1 x (d + 1)/d + ano"
            "ther input (2 times): N - 1 x 2/d^2; d >= 1, M >= 2, M - N >= 1, N >= 1"
        ),
    ),
    (
        lambda: told(margin, [y != f(x), fibre(f(x), p), fibre(y, q)], 2),
        (
            "1 = x: 1 x 1; (d^2 + d*p + d*q + 2*N - p - q - 1)/d^2 = x (2 times): 1 x"
            " (d + 1)/d + an input with the output f(x) (2 times): p - 1 x (d + 1)/d^"
            "2 + an input with the output y (2 times): q x (d + 1)/d^2 + another inpu"
            "t (2 times): N - p - q x 2/d^2; d >= 1, M >= 2, M - N + p + q >= 2, N >="
            " 1, N - p - q >= 0, p >= 1, q >= 0"
        ),
    ),
    (
        lambda: told(sum_over(z, dot(u[blocks(z)], u[y])), [fibre(y, 3)], 2),
        (
            "3 = an input with the output y: 3 x 1; (3*N + 9*d - 9)/d = an input with the "
            "output y (2 times): 3 x 1 + an input with the output y, an input with the output "
            "y: 6 x 1 + another input (2 times): N - 3 x 1/d + another input, another input: "
            "2*N - 6 x 1/d; d >= 1, M >= 1, M - 1/3*N >= 0, N >= 3, N/3 an integer"
        ),
    ),
    (
        lambda: told(sum_over(z, dot(u[blocks(z)], u[y])), [not_in_image(y)], 2),
        (
            "0 = ; 3*N/d = another input (2 times): N x 1/d + another input, another input: 2*N "
            "x 1/d; d >= 1, M >= 1, M - 1/3*N >= 1, N >= 0, N/3 an integer"
        ),
    ),
    (
        lambda: told(sum_over((z, z2), dot(u[blocks(z)], u[blocks(z2)]) ** 2)),
        (
            "(N^2 + 3*N*d - 3*N)/d = another input (2 times): N x 1 + another input, another "
            "input: 2*N x 1 + another input, another input: N^2 - 3*N x 1/d; d >= 1, M >= 0, M "
            "- 1/3*N >= 0, N >= 0, N/3 an integer"
        ),
    ),
    (
        lambda: told(sum_over((z, z2), dot(u[free(z)], u[free(z2)]) ** 2)),
        (
            "(N^2 + d*p2 - p2)/d = another input (2 times): N x 1 + another input, an"
            "other input: -N + p2 x 1 + another input, another input: N^2 - p2 x 1/d;"
            " d >= 1, M >= 0, N >= 0"
        ),
    ),
    (
        lambda: told(sum_over(z, dot(u[free(z)], u[free(x)])), (), 2),
        (
            "1 = x: 1 x 1; (d + p2)/d = x (2 times): 1 x 1 + another input (2 times):"
            " N - 1 x 1/d + another input, another input: -N + p2 + 1 x 1/d; d >= 1, "
            "M >= 1, N >= 1"
        ),
    ),
    (
        lambda: told(sum_over(z, indicator(equal(f(z), f(x)))), [fibre(f(x), p)]),
        (
            "p = x: 1 x 1 + an input with the output f(x): p - 1 x 1; M >= 1, M - N +"
            " p >= 1, N >= 1, N - p >= 0, p >= 1"
        ),
    ),
    (
        lambda: told(sum_over((z, z2), dot(e[z], e[z2]) ** 2, where=z != z2)),
        ("(N^2 - N)/d = another value, another value: N^2 - N x 1/d; d >= 1, N >= 0"),
    ),
    (
        lambda: told(sum_over(o, dot(u[o], u[y]) ** 2, where=o != y)),
        "(M - 1)/d = another value: M - 1 x 1/d; d >= 1, M >= 1",
    ),
    (
        lambda: told(
            dot(u[y], sum_over((z, o), outer(u[o], e[z]), where=table(z, o)) @ e[x]),
            [
                count(table(x, o), p, over=o),
                count(table(z, o), q, over=(z, o)),
                holds(table(x, y)),
                count(table(z, y), v, over=z),
            ],
            2,
        ),
        (
            "1 = x, y: 1 x 1; (d^2 + d*p + d*v - 2*d - p + q - v + 1)/d^2 = x (2 times), y (2 "
            "times): 1 x 1 + x (2 times), another value (2 times): p - 1 x 1/d + y (2 times), "
            "another value (2 times): v - 1 x 1/d + another value (2 times), another value (2 "
            "times): -p + q - v + 1 x 1/d^2; -p + q - v >= -1, d >= 1, M >= 1, M - p >= 0, M*N "
            "- q >= 0, N >= 1, N - v >= 0, p >= 1, v >= 1"
        ),
    ),
    (
        lambda: told(
            dot(u[y], sum_over((z, o), outer(u[o], e[z]), where=table(z, o)) @ e[x]),
            [
                count(table(x, o), p, over=o),
                count(table(z, o), q, over=(z, o)),
                fails(table(x, y)),
                count(table(z, y), v, over=z),
            ],
            2,
        ),
        (
            "0 = ; (d*p + d*v - p + q - v)/d^2 = x (2 times), another value (2 times): p x 1/d "
            "+ y (2 times), another value (2 times): v x 1/d + another value (2 times), another "
            "value (2 times): -p + q - v x 1/d^2; -p + q - v >= 0, d >= 1, M >= 1, M - p >= 1, "
            "M*N - q >= 0, N >= 1, N - v >= 1, p >= 0, v >= 0"
        ),
    ),
    (
        lambda: told(
            dot(u[y], sum_over((z, o), outer(u[o], e[z]), where=fact(z, o)) @ e[x]),
            [holds(fact(x, y)), count(fact(z, y), v, over=z)],
            2,
        ),
        (
            "1 = x, y: 1 x 1; (d^2 + d*v + N - d - v)/d^2 = x (2 times), y (2 times):"
            " 1 x 1 + y (2 times), another value (2 times): v - 1 x 1/d + another val"
            "ue (2 times), another value (2 times): N - v x 1/d^2; d >= 1, M >= 1, N "
            ">= 1, N - v >= 0, v >= 1"
        ),
    ),
    (
        lambda: told(sum_over((z, o), dot(e[z], u[o]) ** 2, where=fact(z, o))),
        "N/d = another value, another value: N x 1/d; d >= 1, M >= 0, N >= 0",
    ),
    (
        lambda: told(
            sum_over((z, o), dot(e[z], u[o]) ** 2, where=[fact(z, o), fact(x, o)]),
            [holds(fact(x, y)), count(fact(z, y), v, over=z)],
        ),
        (
            "v/d = x, y: 1 x 1/d + y, another value: v - 1 x 1/d; d >= 1, M >= 1, N >"
            "= 1, N - v >= 0, v >= 1"
        ),
    ),
    (lambda: told(dot(t[x], s[one])), "0 = ; d >= 2, N >= 1"),
    (
        lambda: told(dot(t[x], u[y]) ** 4),
        "3/(d^2 + 2*d) = : 1 x 3/(d^2 + 2*d); d >= 2, M >= 1, N >= 1",
    ),
    (
        lambda: told(dot(t[x], s[two]) ** 2 * dot(t[x], t[x2]) ** 2, [x != x2, one != two]),
        "1/(d^2 - d) = : 1 x 1/(d^2 - d); d >= 2, N >= 2",
    ),
    (
        lambda: told(dot(t[x], u[y]) ** 2 * dot(u[y], s[one]) ** 2),
        "1/(d^2 + 2*d) = : 1 x 1/(d^2 + 2*d); d >= 2, M >= 1, N >= 1",
    ),
    (
        lambda: told(
            dot(t[x], u[y]) ** 2 * dot(t[x], u[y2]) ** 2 * dot(u[y], u[y2]) ** 2, [y != y2]
        ),
        (
            "(d + 8)/(d^4 + 4*d^3 + 4*d^2) = : 1 x (d + 8)/(d^4 + 4*d^3 + 4*d^2); d >"
            "= 2, M >= 2, N >= 1"
        ),
    ),
    (
        lambda: told(dot(t[x], P @ t[x]) ** 2),
        (
            "(p^2 + 2*p)/(d^2 + 2*d) = : 1 x (p^2 + 2*p)/(d^2 + 2*d); d >= 2, d - p -"
            " q >= 0, N >= 1, p >= 0, q >= 0"
        ),
    ),
    (
        lambda: told(dot(t[x], P @ t[x]) * dot(t[x], u[y]) ** 2),
        ("p/d^2 = : 1 x p/d^2; d >= 2, d - p - q >= 0, M >= 1, N >= 1, p >= 0, q >= 0"),
    ),
    (
        lambda: told(dot(k[one], e[x]) ** 2 * dot(k[two], e[x]) ** 2, [one != two]),
        "1/(d^2 + 2*d) = : 1 x 1/(d^2 + 2*d); d >= 2, N >= 1",
    ),
    (
        lambda: told(dot(c[one], e[x]) ** 2 * dot(c[two], e[x]) ** 2, [one != two]),
        (
            "(2*q^2 + 1)/(d^2 + 2*d) = : 1 x (2*q^2 + 1)/(d^2 + 2*d); d >= 1, d >= 2 unless (q "
            "+ 1)*(q - 1) = 0, N >= 1, q <= 1, q >= -1"
        ),
    ),
    (
        lambda: told(dot(c[one], e[x]) ** 3 * dot(c[two], e[x]), [one != two]),
        (
            "3*q/(d^2 + 2*d) = : 1 x 3*q/(d^2 + 2*d); d >= 1, d >= 2 unless (q + 1)*(q - 1) = 0, "
            "N >= 1, q <= 1, q >= -1"
        ),
    ),
    (
        lambda: told(dot(P @ e[x], e[x]) ** 2),
        (
            "(p^2 + 2*p)/(d^2 + 2*d) = : 1 x (p^2 + 2*p)/(d^2 + 2*d); d >= 1, d - p -"
            " q >= 0, N >= 1, p >= 0, q >= 0"
        ),
    ),
    (
        lambda: told(dot(P @ e[x], e[x]) * dot(Q @ e[x], e[x])),
        ("p*q/(d^2 + 2*d) = : 1 x p*q/(d^2 + 2*d); d >= 1, d - p - q >= 0, N >= 1, p >= 0, q >= 0"),
    ),
    (
        lambda: told(dot((P + Q) @ e[x], e[x]) ** 2),
        (
            "(p^2 + 2*p*q + q^2 + 2*p + 2*q)/(d^2 + 2*d) = : 1 x (p^2 + 2*p*q + q^2 +"
            " 2*p + 2*q)/(d^2 + 2*d); d >= 1, d - p - q >= 0, N >= 1, p >= 0, q >= 0"
        ),
    ),
    (
        lambda: told(dot(P @ e[x], e[x]) * dot(e[x], u[y]) ** 2),
        ("p/d^2 = : 1 x p/d^2; d >= 1, d - p - q >= 0, M >= 1, N >= 1, p >= 0, q >= 0"),
    ),
    (
        lambda: told(dot(P @ e[x], u[y]) ** 2 * dot(Q @ e[x], u[y]) ** 2),
        (
            "p*q/(d^4 + 4*d^3 + 4*d^2) = : 1 x p*q/(d^4 + 4*d^3 + 4*d^2); d >= 1, d -"
            " p - q >= 0, M >= 1, N >= 1, p >= 0, q >= 0"
        ),
    ),
    (
        lambda: told(dot((P + Q) @ e[x], e[x]) * dot(P @ e[x], u[y]) ** 2),
        (
            "(p^2 + p*q + 2*p)/(d^3 + 2*d^2) = : 1 x (p^2 + p*q + 2*p)/(d^3 + 2*d^2);"
            " d >= 1, d - p - q >= 0, M >= 1, N >= 1, p >= 0, q >= 0"
        ),
    ),
    (
        lambda: told(dot(g[x], P @ g[x]) ** 3),
        (
            "p^3 + 6*p^2 + 8*p = : 1 x p^3 + 6*p^2 + 8*p; d >= 1, d - p - q >= 0, N >"
            "= 1, p >= 0, q >= 0"
        ),
    ),
    (
        lambda: told(dot(g[x], g[x]) * dot(g[x], (P + R) @ g[x]) * dot(P @ g[x], u[y]) ** 2),
        (
            "(d^2*p - d*p*q + 6*d*p - 4*p*q + 8*p)/d = : 1 x (d^2*p - d*p*q + 6*d*p -"
            " 4*p*q + 8*p)/d; d >= 1, d - p - q >= 0, M >= 1, N >= 1, p >= 0, q >= 0"
        ),
    ),
    (lambda: told(dot(g[x], u[y]).hermite(2) ** 2), "2 = : 1 x 2; d >= 1, M >= 1, N >= 1"),
    (
        lambda: told(dot(g[x], u[y]).hermite(3) * dot(g[x], u[y2]).hermite(3), [y != y2]),
        "0 = ; d >= 1, M >= 2, N >= 1",
    ),
    (
        lambda: told(dot(g[x], u[y]).hermite(2) * dot(g[x], u[y]) ** 2 * dot(g[x], g[x])),
        "2*d + 10 = : 1 x 2*d + 10; d >= 1, M >= 1, N >= 1",
    ),
    (
        lambda: told(wick_power(w[x], u[y], 2) * dot(w[x], u[y]) ** 2),
        "2*v^2 = : 1 x 2*v^2; d >= 1, M >= 1, N >= 1, v >= 0",
    ),
    (
        lambda: told(
            dot(g[x], u[y]).hermite(4) * dot(g[x], u[y2]).hermite(2) * dot(g[x], s[one]).hermite(2),
            [y != y2],
        ),
        "24/d^2 = : 1 x 24/d^2; d >= 1, M >= 2, N >= 1",
    ),
    (lambda: told(signs[x] ** 2), "1 = : 1 x 1; N >= 1"),
    (lambda: told(signs[x] * signs[x2], [x != x2]), "0 = ; N >= 2"),
    (
        lambda: told(ONE.margin, ONE.given(0, 1), 3),
        (
            "1 = x: 1 x 1; (d^2 + 2*N + 2*d - 3)/d^2 = x (2 times): 1 x (d + 1)/d + a"
            "n input with the output y (2 times): 1 x (d + 1)/d^2 + another input (2 "
            "times): N - 2 x 2/d^2; (d^3 + 6*N*d + 6*d^2 + 6*N - 3*d - 12)/d^3 = x (3"
            " times): 1 x (d + 3)/d + x, an input with the output y (2 times): 1 x (3"
            "*d + 9)/d^2 + x, another input (2 times): N - 2 x (6*d + 6)/d^3; d >= 1,"
            " M >= 2, M - N >= 0, N >= 2"
        ),
    ),
    (
        lambda: told(ONE.margin, ONE.given(p, q), 2),
        (
            "1 = x: 1 x 1; (d^2 + d*p + d*q + 2*N + d - p - q - 2)/d^2 = x (2 times):"
            " 1 x (d + 1)/d + an input with the output f(x) (2 times): p x (d + 1)/d^"
            "2 + an input with the output y (2 times): q x (d + 1)/d^2 + another inpu"
            "t (2 times): N - p - q - 1 x 2/d^2; d >= 1, M >= 2, M - N + p + q >= 1, "
            "N >= 1, N - p - q >= 1, p >= 0, q >= 0"
        ),
    ),
    (
        lambda: told(RANK.margin, RANK.given(0, 1), 2),
        (
            "m = x, another value: m x 1; (d^2*m^2 + 2*N*d*m + 3*d^2*m + 2*N*m^2 + 2*"
            "d*m^2 + 2*N*m - 3*m^2 - 3*m)/d^2 = x (2 times), another value (2 times):"
            " m x (3*d + 3)/d + x (2 times), another value, another value: m^2 - m x "
            "(d + 1)/d + an input with the output y (2 times), another value (2 times"
            "): m x (d^2 + 3*d + 2)/d^2 + an input with the output y (2 times), anoth"
            "er value, another value: m^2 - m x (d + 1)/d^2 + another input (2 times)"
            ", another value (2 times): N*m - 2*m x (2*d + 4)/d^2 + another input (2 "
            "times), another value, another value: N*m^2 - N*m - 2*m^2 + 2*m x 2/d^2;"
            " d >= 1, m >= 0, M >= 2, M - N >= 0, N >= 2"
        ),
    ),
    (
        lambda: bounds(margin, [y != f(x), fibre(f(x), p), fibre(y, q)]),
        (
            "d >= 1 an integer >= 1, d >= 1 an integer >= 1, N >= 1 an integer >= 1, M >= 2 an "
            "integer >= 2, p >= 1 an integer >= 1, q >= 0 an integer >= 0, N - p - q >= 0 an "
            "integer >= 0, M - N + p + q - 2 >= 0 an integer >= 0"
        ),
    ),
    (
        lambda: bounds(dot(t[x], u[y]) ** 2),
        (
            "d >= 2 an integer >= 2, d >= 1 an integer >= 1, d >= 1 an integer >= 1, N >= 1 an "
            "integer >= 1, M >= 1 an integer >= 1"
        ),
    ),
    (
        lambda: bounds(dot(c[one], e[x]) ** 2),
        (
            "d >= 1 an integer >= 1, -q + 1 >= 0 a number >= 0, q + 1 >= 0 a number >= 0, d - 2 "
            ">= 0 unless (q + 1)*(q - 1) = 0 an integer >= 0, d >= 1 an integer >= 1, N >= 1 an "
            "integer >= 1"
        ),
    ),
    (
        lambda: bounds(dot(k[one], w[x]) ** 2),
        (
            "d >= 1 an integer >= 1, d - 2 >= 0 an integer >= 0, d >= 1 an integer >= 1, v >= 0 "
            "a number >= 0, N >= 1 an integer >= 1"
        ),
    ),
    (
        lambda: bounds(dot(P @ e[x], e[x])),
        (
            "d >= 1 an integer >= 1, p >= 0 an integer >= 0, q >= 0 an integer >= 0, "
            "d - p - q >= 0 an integer >= 0, N >= 1 an integer >= 1"
        ),
    ),
    (
        lambda: bounds(sum_over(z, dot(u[blocks(z)], u[y]) ** 2) / N, [fibre(y, 3)]),
        (
            "d >= 1 an integer >= 1, N >= 1 an integer >= 1, M >= 1 an integer >= 1, N - 3 >= 0 "
            "an integer >= 0, M - 1/3*N >= 0 an integer >= 0"
        ),
    ),
    (
        lambda: bounds(sum_over(z, dot(u[free(z)], u[free(x)]))),
        (
            "d >= 1 an integer >= 1, N >= 1 an integer >= 1, M >= 1 an integer >= 1, N - 1 >= 0 "
            "an integer >= 0"
        ),
    ),
    (
        lambda: bounds(
            sum_over((z, o), dot(e[z], u[o]) ** 2, where=table(z, o)),
            [
                count(table(z, o), q, over=(z, o)),
                count(table(x, o), p, over=o),
                count(table(z, y), v, over=z),
                holds(table(x, y)),
            ],
        ),
        (
            "d >= 1 an integer >= 1, d >= 1 an integer >= 1, N >= 1 an integer >= 1, M >= 1 an "
            "integer >= 1, -p + q - v + 1 >= 0 an integer >= 0, p - 1 >= 0 an integer >= 0, v - "
            "1 >= 0 an integer >= 0, M*N - q >= 0 an integer >= 0, p - 1 >= 0 an integer >= 0, "
            "M - p >= 0 an integer >= 0, v - 1 >= 0 an integer >= 0, N - v >= 0 an integer >= 0"
        ),
    ),
    (
        lambda: states(margin, apart),
        (
            "['f(x)', 'x', 'y'] [(1, -1), (0, 0), (1, -1)] [3, 3, 4] | 1: () (0, 1, 0"
            ")  () | -1: () (0, 1, 0) 1.0-1.2^11 () | 1: ((0, 2),) (0, 0, 0, 1) 0.1-0"
            ".3^11 1.0-1.2^11 () | -1: ((0, 2),) (0, 0, 0, 1) 0.1-0.3^11 () | 1: ((0,"
            " 4), (1, -1)) (0, 0, 0, 1, 0) 0.1-0.3^11 1.0-1.4^11 () | -1: ((0, 4), (1"
            ", -1)) (0, 0, 0, 1, 0) 0.1-0.3^11 1.2-1.4^11 () | 1: () (0, 2, 0)  () | "
            "1: () (0, 2, 0) 1.0-1.2^21 () | 1: ((0, 2),) (0, 0, 0, 2) 0.1-0.3^21 1.0"
            "-1.2^21 () | 1: ((0, 2),) (0, 0, 0, 2) 0.1-0.3^21 () | 1: ((0, 4), (1, -"
            "1)) (0, 0, 0, 2, 0) 0.1-0.3^21 1.0-1.4^21 () | 1: ((0, 4), (1, -1)) (0, "
            "0, 0, 2, 0) 0.1-0.3^21 1.2-1.4^21 ()"
        ),
    ),
    (
        lambda: states(sum_over(z, dot(e[x], e[z])), (), 3),
        (
            "['x'] [(0, -1)] [2, 3, 4] | 1: () (1,)  () | 1: ((0, -1),) (0, 1) 0.0-0."
            "1^11 () | 1: () (2,)  () | 2: ((0, -1),) (1, 1) 0.0-0.1^11 () | 1: ((0, "
            "-1),) (0, 2) 0.0-0.1^21 () | 1: ((0, -1), (0, -1)) (0, 1, 1) 0.0-0.1^11 "
            "0.0-0.2^11 () | 1: () (3,)  () | 3: ((0, -1),) (1, 2) 0.0-0.1^21 ()"
        ),
    ),
    (
        lambda: states(sum_over((z, z2), dot(e[z], e[z2])), (), 2),
        (
            "[] [] [2, 5, 10] | 1: ((0, -1),) (2,)  () | 1: ((0, -1), (0, -1)) (1, 1)"
            " 0.0-0.1^11 () | 1: ((0, -1),) (4,)  () | 1: ((0, -1), (0, -1)) (2, 2)  "
            "() | 2: ((0, -1), (0, -1)) (2, 2) 0.0-0.1^21 ()"
        ),
    ),
    (
        lambda: states(
            sum_over((z, o), dot(e[z], u[o]), where=table(z, o)),
            [count(table(x, o), p, over=o), holds(table(x, y))],
            2,
        ),
        (
            "['x', 'y'] [(0, -1), (1, -1)] [4, 6, 6, 9] | 1: () (1, 1) 0.0-1.1^11 () "
            "| 1: ((1, -1),) (1, 0, 1) 0.0-1.2^11 ((0, (0, 2)),) | 1: ((0, -1),) (0, "
            "1, 1) 0.2-1.1^11 ((0, (2, 1)),) | 1: ((0, -1), (1, -1)) (0, 0, 1, 1) 0.2"
            "-1.3^11 ((0, (2, 3)),) | 1: () (2, 2) 0.0-1.1^21 () | 1: ((1, -1),) (2, "
            "0, 2) 0.0-1.2^21 ((0, (0, 2)),) | 1: ((0, -1),) (0, 2, 2) 0.2-1.1^21 ((0"
            ", (2, 1)),) | 1: ((0, -1), (1, -1)) (0, 0, 2, 2) 0.2-1.3^21 ((0, (2, 3))"
            ",)"
        ),
    ),
    (
        lambda: states(sum_over(z, dot(u[f(z)], e[z]) * dot(e[z], e[x])), [in_image(f(x))], 2),
        (
            "['f(x)', 'x'] [(1, -1), (0, 0)] [2, 3] | 1: () (0, 1) 0.1-1.0^11 () | 1:"
            " ((0, 3), (1, -1)) (0, 0, 1, 0) 0.1-0.2^11 0.2-1.3^11 () | 1: () (0, 2) "
            "0.1-1.0^21 () | 1: ((0, 3), (1, -1)) (0, 0, 2, 0) 0.1-0.2^21 0.2-1.3^21 "
            "()"
        ),
    ),
    (
        lambda: states(dot(u[y], e[x]) + dot(u[y], e[x2]), [x != x2], 2),
        (
            "['y', 'x', 'x2'] [(0, -1), (1, -1), (1, -1)] [1] | 1: () (0, 0, 0) 0.1-1"
            ".0^11 () | 1: () (0, 0, 0) 0.2-1.0^11 () | 1: () (0, 0, 0) 0.1-1.0^21 ()"
            " | 1: () (0, 0, 0) 0.2-1.0^21 ()"
        ),
    ),
    (
        lambda: states(sum_over((z, z2, o), dot(e[z], u[o]) * dot(e[z2], u[o])), (), 2),
        (
            "[] [] [2, 4, 4] | 1: ((0, -1), (1, -1)) (2, 1) 0.0-1.1^21 () | 1: ((0, -"
            "1), (0, -1), (1, -1)) (1, 1, 1) 0.0-1.2^11 0.1-1.2^11 () | 1: ((0, -1), "
            "(1, -1)) (4, 2) 0.0-1.1^41 () | 1: ((0, -1), (1, -1), (1, -1)) (4, 1, 1)"
            " 0.0-1.1^21 0.0-1.2^21 () | 3: ((0, -1), (0, -1), (1, -1)) (2, 2, 2) 0.0"
            "-1.2^21 0.1-1.2^21 () | 1: ((0, -1), (0, -1), (1, -1), (1, -1)) (2, 2, 1"
            ", 1) 0.0-1.2^21 0.1-1.3^21 () | 2: ((0, -1), (0, -1), (1, -1), (1, -1)) "
            "(2, 2, 1, 1) 0.0-1.2^11 0.0-1.3^11 0.1-1.2^11 0.1-1.3^11 ()"
        ),
    ),
    (
        lambda: states(dot(P @ e[x], e[x]) * dot(g[x], e[x]).hermite(2), (), 2),
        (
            "['x'] [(0, -1)] [1] | 1: () (0,) 0.0-0.0^11 0.0-1.0^12 () | 1: () (0,) 0"
            ".0-0.0^21 0.0-1.0^22 ()"
        ),
    ),
    (
        lambda: integrated(margin, apart, 2),
        (
            "14: [(0, 0)] | [] | [] | [] | [] | [] | [(0, -1), (0, 0)] | [] | [] | []"
            " | [(0, -2), (0, 0)] | [] | [] | [] | [(0, -1), (0, 0)] | [] | [] | [(0,"
            " -2), (0, 0)] | [] | [] | [] | [(0, -2), (0, 0)] | []"
        ),
    ),
    (
        lambda: integrated(
            dot(e[x], u[y]) ** 4 * dot(e[x2], u[y2]) ** 2 * dot(e[x], u[y2]) ** 2,
            [x != x2, y != y2],
        ),
        "4: [(0, -3), (0, 0), (2, -1)]",
    ),
    (
        lambda: integrated(sum_over((z, z2), dot(e[z], e[z2]) ** 2), (), 2),
        (
            "5: [(0, 0)] | [(0, -1), (0, 0)] | [(0, 0)] | [(0, -1), (0, 0)] | [(0, -1"
            "), (0, 0), (2, -1)] | [(0, -2), (0, 0)] | [(0, -2), (0, 0)]"
        ),
    ),
    (
        lambda: [
            (str(it), it.is_summand) for it in steps_of(raw_moments([margin], apart)[0], "gamma")
        ],
        (
            "[('terms of gamma where the indices are x: 1 x 1 = 1', True), ('E[gamma]"
            ", their sum = 1', False)]"
        ),
    ),
    # With d = N = 2 there is no other input: 3/2 + 3/4.
    (
        lambda: [
            str(it.value)
            for it in steps_of(
                raw_moments([margin] * 2, apart)[1], "X", {"d": TWO.size, "N": TWO.size}
            )
        ],
        "['3/2', '3/4', '9/4']",
    ),
    (
        lambda: [
            (str(it), it.is_summand)
            for it in steps_of(raw_moments([margin] * 2, apart)[1], "X", {"N": N + 1})
        ],
        (
            "[('terms of X where the indices are x (2 times): 1 x ((d + 1)/d) = (d + "
            "1)/d', True), ('terms of X where the indices are an input with the outpu"
            "t y (2 times): 1 x ((d + 1)/d^2) = (d + 1)/d^2', True), ('terms of X whe"
            "re the indices are another input (2 times): (N - 1) x 2/d^2 = (2*N - 2)/"
            "d^2', True), ('E[X], their sum = (d^2 + 2*N + 2*d - 1)/d^2', False)]"
        ),
    ),
    (
        lambda: [
            it.value
            for it in (
                mean(margin, apart),
                variance(margin, apart),
                central_moment(3, margin, apart),
                covariance(dot(u[y], W @ e[x]), dot(u[f(x)], W @ e[x]), apart),
            )
        ],
        (
            "[RationalFunction(1), RationalFunction((2*N + 2*d - 3)/d^2), RationalFun"
            "ction((6*N + 6*d - 12)/d^3), RationalFunction(0)]"
        ),
    ),
    (
        lambda: [str(it) for it in mean(margin, apart).derivation],
        (
            "['X = sum_z <e[z], e[x]> <u[f(x)], u[f(z)]> - sum_z <e[z], e[x]> <u[y], "
            "u[f(z)]>', 'terms of X where the indices are x: 1 x 1 = 1', 'E[X], their"
            " sum = 1']"
        ),
    ),
    (
        lambda: mean(margin, apart).scope,
        ("d >= 1, M >= 2, M - N >= 0, N >= 2; y != f(x), |fibre of f(x)| = 1, |fibre of y| = 1"),
    ),
    (
        lambda: agree(margin, apart),
        ("engine and enumeration agree at 1 instances\n  R^2, M = 3, N = 3, d = 2: both 1"),
    ),
    (
        lambda: agree(dot(e[x], u[y]) ** 4),
        ("engine and enumeration agree at 1 instances\n  R^2, M = 1, N = 3, d = 2: both 3/8"),
    ),
    (
        lambda: agree(sum_over(z, dot(e[x], e[z]) ** 2), dimension=1),
        ("engine and enumeration agree at 1 instances\n  R^1, N = 3, d = 1: both 3"),
    ),
    (lambda: mean(dot(CONSTANT[one], CONSTANT[two]) ** 2, [one != two]).scope, "one != two"),
    (
        lambda: mean(sum_over(z, dot(u[free(z)], u[y]) ** 2), [fibre(y, 2)]).scope,
        "d >= 1, M >= 1, N >= 2; |fibre of y| = 2",
    ),
    (lambda: told(dot(CONSTANT[one], CONSTANT[two]) ** 2, [one != two]), "1/3 = : 1 x 1/3; "),
    (lambda: variance(dot(e[x], u[y])).scope, "d >= 1, M >= 1, N >= 1"),
    (lambda: indicator(table(x, y)).free_slots(), "[x, y]"),
    (lambda: indicator(equal(y, f(x))).free_slots(), "[y, f(x)]"),
    (lambda: sorted(map(str, indicator(table(x, y)).terms[0].indices())), "['x', 'y']"),
    (lambda: sum_over(z, indicator(table(z, y))).free_slots(), "[y]"),
    (
        lambda: told(dot(u[y], s[one]) ** 2, [f(x) != y, in_image(y)]),
        "1/d = : 1 x 1/d; d >= 1, M >= 2, M - N >= 0, N >= 2",
    ),
    (
        lambda: told(dot(u[y], s[one]) ** 2, [y != f(x), in_image(y)]),
        "1/d = : 1 x 1/d; d >= 1, M >= 2, M - N >= 0, N >= 2",
    ),
    (lambda: told(indicator(table(x, y)), [holds(table(x, y))]), "1 = : 1 x 1; M >= 1, N >= 1"),
    (lambda: told(indicator(table(x, y)), [fails(table(x, y))]), "0 = ; M >= 1, N >= 1"),
    (
        lambda: states(
            sum_over((z, z2, o), dot(e[z], e[z2]) * dot(e[z2], u[o]) * dot(u[o], e[z])), (), 2
        ),
        (
            "[] [] [2, 10, 20] | 1: ((0, -1), (1, -1)) (2, 1) 0.0-1.1^21 () | 1: ((0,"
            " -1), (0, -1), (1, -1)) (1, 1, 1) 0.0-0.1^11 0.0-1.2^11 0.1-1.2^11 () | "
            "1: ((0, -1), (1, -1)) (4, 2) 0.0-1.1^41 () | 1: ((0, -1), (1, -1), (1, -"
            "1)) (4, 1, 1) 0.0-1.1^21 0.0-1.2^21 () | 4: ((0, -1), (0, -1), (1, -1)) "
            "(1, 3, 2) 0.0-0.1^11 0.0-1.2^11 0.1-1.2^31 () | 4: ((0, -1), (0, -1), (1"
            ", -1), (1, -1)) (1, 3, 1, 1) 0.0-0.1^11 0.0-1.2^11 0.1-1.2^11 0.1-1.3^21"
            " () | 1: ((0, -1), (0, -1), (1, -1)) (2, 2, 2) 0.0-1.2^21 0.1-1.2^21 () "
            "| 1: ((0, -1), (0, -1), (1, -1), (1, -1)) (2, 2, 1, 1) 0.0-1.2^21 0.1-1."
            "3^21 () | 2: ((0, -1), (0, -1), (0, -1), (1, -1)) (1, 1, 2, 2) 0.0-0.1^1"
            "1 0.0-1.3^11 0.1-1.3^11 0.2-1.3^21 () | 2: ((0, -1), (0, -1), (0, -1), ("
            "1, -1), (1, -1)) (1, 1, 2, 1, 1) 0.0-0.1^11 0.0-1.3^11 0.1-1.3^11 0.2-1."
            "4^21 () | 2: ((0, -1), (0, -1), (1, -1)) (2, 2, 2) 0.0-0.1^21 0.0-1.2^21"
            " 0.1-1.2^21 () | 2: ((0, -1), (0, -1), (1, -1), (1, -1)) (2, 2, 1, 1) 0."
            "0-0.1^21 0.0-1.2^11 0.0-1.3^11 0.1-1.2^11 0.1-1.3^11 () | 4: ((0, -1), ("
            "0, -1), (0, -1), (1, -1)) (1, 1, 2, 2) 0.0-0.2^11 0.0-1.3^11 0.1-0.2^11 "
            "0.1-1.3^11 0.2-1.3^21 () | 4: ((0, -1), (0, -1), (0, -1), (1, -1), (1, -"
            "1)) (1, 1, 2, 1, 1) 0.0-0.2^11 0.0-1.3^11 0.1-0.2^11 0.1-1.4^11 0.2-1.3^"
            "11 0.2-1.4^11 () | 1: ((0, -1), (0, -1), (0, -1), (0, -1), (1, -1)) (1, "
            "1, 1, 1, 2) 0.0-0.1^11 0.0-1.4^11 0.1-1.4^11 0.2-0.3^11 0.2-1.4^11 0.3-1"
            ".4^11 () | 1: ((0, -1), (0, -1), (0, -1), (0, -1), (1, -1), (1, -1)) (1,"
            " 1, 1, 1, 1, 1) 0.0-0.1^11 0.0-1.4^11 0.1-1.4^11 0.2-0.3^11 0.2-1.5^11 0"
            ".3-1.5^11 ()"
        ),
    ),
    (
        lambda: states(
            sum_over((z, z2, o), dot(e[z], e[x]) * dot(e[z2], e[x]) * dot(u[o], e[z])), (), 2
        ),
        (
            "['x'] [(0, -1)] [2, 3, 3, 4, 5] | 1: ((1, -1),) (2, 1) 0.0-1.1^11 () | 1"
            ": ((0, -1), (1, -1)) (1, 1, 1) 0.0-0.1^11 0.0-1.2^11 () | 1: ((0, -1), ("
            "1, -1)) (1, 1, 1) 0.0-0.1^11 0.1-1.2^11 () | 1: ((0, -1), (1, -1)) (0, 2"
            ", 1) 0.0-0.1^21 0.1-1.2^11 () | 1: ((0, -1), (0, -1), (1, -1)) (0, 1, 1,"
            " 1) 0.0-0.1^11 0.0-0.2^11 0.2-1.3^11 () | 1: ((1, -1),) (4, 2) 0.0-1.1^2"
            "1 () | 2: ((0, -1), (1, -1)) (3, 1, 2) 0.0-0.1^11 0.0-1.2^11 0.1-1.2^11 "
            "() | 1: ((0, -1), (1, -1)) (2, 2, 2) 0.0-0.1^21 0.0-1.2^21 () | 2: ((0, "
            "-1), (1, -1)) (1, 3, 2) 0.0-0.1^31 0.0-1.2^11 0.1-1.2^11 () | 2: ((0, -1"
            "), (0, -1), (1, -1)) (1, 1, 2, 2) 0.0-0.1^11 0.0-0.2^21 0.0-1.3^11 0.1-1"
            ".3^11 () | 1: ((0, -1), (1, -1)) (2, 2, 2) 0.0-0.1^21 0.1-1.2^21 () | 1:"
            " ((0, -1), (0, -1), (1, -1)) (2, 1, 1, 2) 0.0-0.1^11 0.0-0.2^11 0.1-1.3^"
            "11 0.2-1.3^11 () | 1: ((0, -1), (1, -1)) (0, 4, 2) 0.0-0.1^41 0.1-1.2^21"
            " () | 2: ((0, -1), (0, -1), (1, -1)) (0, 1, 3, 2) 0.0-0.1^11 0.0-0.2^31 "
            "0.1-1.3^11 0.2-1.3^11 () | 1: ((0, -1), (0, -1), (1, -1)) (0, 2, 2, 2) 0"
            ".0-0.1^21 0.0-0.2^21 0.2-1.3^21 () | 1: ((0, -1), (0, -1), (0, -1), (1, "
            "-1)) (0, 1, 1, 2, 2) 0.0-0.1^11 0.0-0.2^11 0.0-0.3^21 0.1-1.4^11 0.2-1.4"
            "^11 ()"
        ),
    ),
    (
        lambda: states(
            sum_over((z, z2, o), dot(e[z], e[x]) * dot(u[o], u[y]) * dot(k[one], e[z2])), (), 2
        ),
        (
            "['x', 'y', 'one'] [(0, -1), (1, -1), (2, -1)] [2, 2, 2, 2, 2, 2, 3, 3, 1"
            "0] | 1: () (2, 1, 0) 0.0-2.2^11 () | 1: ((1, -1),) (2, 0, 0, 1) 0.0-2.2^"
            "11 1.1-1.3^11 () | 1: ((0, -1),) (1, 1, 0, 1) 0.3-2.2^11 () | 1: ((0, -1"
            "), (1, -1)) (1, 0, 0, 1, 1) 0.3-2.2^11 1.1-1.4^11 () | 1: ((0, -1),) (1,"
            " 1, 0, 1) 0.0-0.3^11 0.0-2.2^11 () | 1: ((0, -1), (1, -1)) (1, 0, 0, 1, "
            "1) 0.0-0.3^11 0.0-2.2^11 1.1-1.4^11 () | 1: ((0, -1),) (0, 1, 0, 2) 0.0-"
            "0.3^11 0.3-2.2^11 () | 1: ((0, -1), (1, -1)) (0, 0, 0, 2, 1) 0.0-0.3^11 "
            "0.3-2.2^11 1.1-1.4^11 () | 1: ((0, -1), (0, -1)) (0, 1, 0, 1, 1) 0.0-0.3"
            "^11 0.4-2.2^11 () | 1: ((0, -1), (0, -1), (1, -1)) (0, 0, 0, 1, 1, 1) 0."
            "0-0.3^11 0.4-2.2^11 1.1-1.5^11 () | 1: () (4, 2, 0) 0.0-2.2^21 () | 4: ("
            "(0, -1),) (2, 2, 0, 2) 0.0-0.3^11 0.0-2.2^11 0.3-2.2^11 () | 1: ((1, -1)"
            ",) (4, 0, 0, 2) 0.0-2.2^21 1.1-1.3^21 () | 4: ((0, -1), (1, -1)) (2, 0, "
            "0, 2, 2) 0.0-0.3^11 0.0-2.2^11 0.3-2.2^11 1.1-1.4^21 () | 1: ((0, -1),) "
            "(2, 2, 0, 2) 0.3-2.2^21 () | 1: ((0, -1), (1, -1)) (2, 0, 0, 2, 2) 0.3-2"
            ".2^21 1.1-1.4^21 () | 1: ((0, -1),) (2, 2, 0, 2) 0.0-0.3^21 0.0-2.2^21 ("
            ") | 1: ((0, -1), (1, -1)) (2, 0, 0, 2, 2) 0.0-0.3^21 0.0-2.2^21 1.1-1.4^"
            "21 () | 1: ((0, -1),) (0, 2, 0, 4) 0.0-0.3^21 0.3-2.2^21 () | 2: ((0, -1"
            "), (0, -1)) (0, 2, 0, 2, 2) 0.0-0.3^11 0.0-0.4^11 0.3-2.2^11 0.4-2.2^11 "
            "() | 1: ((0, -1), (1, -1)) (0, 0, 0, 4, 2) 0.0-0.3^21 0.3-2.2^21 1.1-1.4"
            "^21 () | 2: ((0, -1), (0, -1), (1, -1)) (0, 0, 0, 2, 2, 2) 0.0-0.3^11 0."
            "0-0.4^11 0.3-2.2^11 0.4-2.2^11 1.1-1.5^21 () | 1: ((0, -1), (0, -1)) (0,"
            " 2, 0, 2, 2) 0.0-0.3^21 0.4-2.2^21 () | 1: ((0, -1), (0, -1), (1, -1)) ("
            "0, 0, 0, 2, 2, 2) 0.0-0.3^21 0.4-2.2^21 1.1-1.5^21 ()"
        ),
    ),
    (
        lambda: states(
            sum_over(z, dot(u[f(z)], u[y]) * dot(e[z], e[x])), [y != f(x), in_image(y)], 3
        ),
        (
            "['y', 'f(x)', 'x'] [(1, -1), (1, -1), (0, 1)] [3, 3, 4, 4, 5] | 1: () (0"
            ", 0, 1) 1.0-1.1^11 () | 1: ((0, 0),) (0, 0, 0, 1) 0.2-0.3^11 () | 1: ((0"
            ", 4), (1, -1)) (0, 0, 0, 1, 0) 0.2-0.3^11 1.0-1.4^11 () | 1: () (0, 0, 2"
            ") 1.0-1.1^21 () | 2: ((0, 0),) (0, 0, 1, 1) 0.2-0.3^11 1.0-1.1^11 () | 2"
            ": ((0, 4), (1, -1)) (0, 0, 1, 1, 0) 0.2-0.3^11 1.0-1.1^11 1.0-1.4^11 () "
            "| 1: ((0, 0),) (0, 0, 0, 2) 0.2-0.3^21 () | 2: ((0, 0), (0, 5), (1, -1))"
            " (0, 0, 0, 1, 1, 0) 0.2-0.3^11 0.2-0.4^11 1.0-1.5^11 () | 1: ((0, 4), (1"
            ", -1)) (0, 0, 0, 2, 0) 0.2-0.3^21 1.0-1.4^21 () | 1: ((0, 5), (0, 6), (1"
            ", -1), (1, -1)) (0, 0, 0, 1, 1, 0, 0) 0.2-0.3^11 0.2-0.4^11 1.0-1.5^11 1"
            ".0-1.6^11 ()"
        ),
    ),
    (
        lambda: integrated(
            sum_over((z, z2), dot(e[z], e[z2]) * dot(e[z], u[y]) * dot(e[z2], u[y2])), [y != y2], 2
        ),
        (
            "18: [(0, -2), (0, 0)] | [(0, -3), (0, 0)] | [(0, -3), (0, 0)] | [(0, -3)"
            ", (0, 0)] | [(0, -4), (0, 0)] | [(0, -3), (0, 0)] | [(0, -4), (0, 0)] | "
            "[(0, -3), (0, 0), (2, -1)] | [(0, -4), (0, 0)] | [(0, -4), (0, 0)] | [(0"
            ", -5), (0, 0)]"
        ),
    ),
    (
        lambda: integrated(sum_over((z, o), dot(e[z], u[o]) * dot(e[z], u[y])), (), 3),
        (
            "34: [(0, -1), (0, 0), (2, -1), (4, -1)] | [] | [(0, -2), (0, 0), (2, -1)"
            "] | [] | [(0, -2), (0, 0), (2, -1)] | [] | [] | [(0, -3), (0, 0), (2, -1"
            ")] | [] | [(0, -3), (0, 0)] | [] | [(0, -3), (0, 0)] | [] | [] | [(0, -4"
            "), (0, 0)] | [] | [] | [] | [] | [] | [] | [] | [] | [] | [] | [] | [] |"
            " [] | [] | []"
        ),
    ),
    (
        lambda: integrated(sum_over((z, z2), dot(g[z], u[y]) * dot(e[z2], g[z])), (), 2),
        (
            "11: [(0, -1), (0, 0), (2, 1)] | [] | [(0, -1), (0, 0)] | [] | [] | [] | "
            "[] | [(0, -1), (0, 0), (2, 1)] | [] | [(0, -1), (0, 0)] | []"
        ),
    ),
    (
        lambda: integrated(dot(g[x], P @ g[x]) ** 2 * dot(Q @ e[x], g[x]) ** 2),
        "3: [(0, -1), (0, 0), (0, 1), (0, 1), (2, 1)]",
    ),
    (
        lambda: integrated(dot(t[x], u[y]) ** 2 * dot(t[x2], u[y]) ** 2, [x != x2]),
        (
            "7: [(-1, -2), (-1, -2), (-1, -1), (0, -1), (0, -1), (0, -1), (0, 0), (0,"
            " 0), (0, 0), (2, -1)]"
        ),
    ),
    (
        lambda: told(
            sum_over((z, z2), dot(e[z], e[z2]) * dot(e[z], u[y]) * dot(e[z2], u[y])), (), 2
        ),
        (
            "(N^2 + N*d - N)/d^2 = another value (2 times): N x 1/d + another value, "
            "another value: N^2 - N x 1/d^2; (N^4*d^2 + 2*N^3*d^3 + N^2*d^4 + 4*N^4*d"
            " + 14*N^3*d^2 + 12*N^2*d^3 + 2*N*d^4 + 4*N^4 + 8*N^3*d - 5*N^2*d^2 - 8*N"
            "*d^3 - 24*N^3 - 52*N^2*d - 10*N*d^2 + 44*N^2 + 40*N*d - 24*N)/(d^6 + 4*d"
            "^5 + 4*d^4) = another value (4 times): N x 3/(d^2 + 2*d) + another value"
            ", another value (3 times): N^2 - N x 12/(d^3 + 2*d^2) + another value (2"
            " times), another value (2 times): N^2 - N x (d^2 + 6*d + 20)/(d^4 + 4*d^"
            "3 + 4*d^2) + another value, another value, another value (2 times): N^3 "
            "- 3*N^2 + 2*N x (2*d + 16)/(d^4 + 2*d^3) + another value, another value,"
            " another value, another value: N^4 - 6*N^3 + 11*N^2 - 6*N x 1/d^4; d >= "
            "1, M >= 1, N >= 0"
        ),
    ),
    (
        lambda: told(
            sum_over((z, o), dot(e[z], u[o]) ** 2, where=[table(z, o), fact(z, y)]),
            [
                count([table(z, o), fact(z, y)], p, over=(z, o)),
                count([table(z, y), fact(z, y)], q, over=z),
                count(fact(z, y), v, over=z),
            ],
        ),
        (
            "p/d = y, another value: q x 1/d + another value, another value: p - q x "
            "1/d; -q + v >= 0, d >= 1, M >= 1, N >= 0, N - v >= 0, p - q >= 0, q >= 0"
            ", v >= 0"
        ),
    ),
    (
        lambda: told(
            sum_over(o, dot(u[o], u[y]) ** 2, where=table(x, o)),
            [count(table(x, o), 1, over=o), holds(table(x, y))],
        ),
        "1 = y: 1 x 1; d >= 1, M >= 1, N >= 1",
    ),
    (
        lambda: told(
            sum_over(o, dot(u[o], u[y]) ** 2, where=table(x, o)),
            [count(table(x, o), 2, over=o), holds(table(x, y))],
        ),
        "(d + 1)/d = y: 1 x 1 + another value: 1 x 1/d; d >= 1, M >= 2, N >= 1",
    ),
    (
        lambda: told(
            sum_over(o, dot(u[o], u[y]) ** 2, where=table(x, o)),
            [count(table(x, o), 2, over=o), holds(table(x, y)), holds(table(x, y2)), y != y2],
        ),
        "(d + 1)/d = y: 1 x 1 + y2: 1 x 1/d; d >= 1, M >= 2, N >= 1",
    ),
    (lambda: World([], [x != z, y != y2]).labels, "['x', 'z', 'y', 'y2']"),
    (
        lambda: World([dot(e[x], u[y])], [fibre(f(x), 2), y != f(x), fibre(y, 1)]).labels,
        "['f(x)', 'x', 'y']",
    ),
    (lambda: World([], [fibre(f(x), 2)]).named, "[(0, -1), (1, 0)]"),
    (lambda: [it.order for it in raw_moments([far, far])], "[1, 2]"),
    (lambda: str(raw_moments([crossed, 1 + crossed], [x != z, o != y])[-1].value), "1/d^2"),
    (lambda: raw_moments([far, Expression((), 0)])[-1].value, "0"),
    (
        lambda: (
            raw_moments([dot(e[x], e[x])], beside=[dot(s[one], s[one])])[0].expansion.world.labels
        ),
        "['x', 'one']",
    ),
    (
        lambda: told(sum_over(OTHER, dot(CONSTANT[OTHER], CONSTANT[SINGLE]) ** 2)),
        "1 = single: 1 x 1; ",
    ),
    (
        lambda: seen(mean(dot(e[x], e[z]), iter([x != z]), text="what it is")),
        "d >= 1, N >= 2; x != z | what it is; E[X], their sum = 0 | {} | ('mean', '0', 1)",
    ),
    (
        lambda: seen(mean(dot(e[x], e[x]), name="Y")),
        (
            "d >= 1, N >= 1 | Y = <e[x], e[x]>; terms of Y: 1 x 1 = 1; E[Y], their sum = 1 | "
            "{} | ('mean', '1', 1)"
        ),
    ),
    (
        lambda: str(
            mean(
                far,
                [in_image(f(x)), fibre(y, sympy.Symbol("m")), f(x) != y],
            ).symbols
        ),
        "{'m': m}",
    ),
    (
        lambda: str(
            mean(ROW, [count(table(x, o), sympy.Symbol("m"), over=o), holds(table(x, y))]).symbols
        ),
        "{'m': m}",
    ),
    (lambda: Range(3).name, "[3]"),
    (lambda: Index(INPUTS).name[0], "i"),
    (lambda: Index(INPUTS).name == Index(INPUTS).name, "False"),
    (lambda: x != 3, "True"),
    (
        lambda: [str(it) for it in count([table(x, o), other(z, o)], p, over=o).slots()],
        "['x', 'z']",
    ),
    (
        lambda: bounds(dot(e[x], e[x]), [count(table(x, o), p, over=o)]),
        (
            "d >= 1 an integer >= 1, N >= 1 an integer >= 1, M >= 0 an integer >= 0, p >= 0 an "
            "integer >= 0, p >= 0 an integer >= 0, M - p >= 0 an integer >= 0"
        ),
    ),
    (
        lambda: bounds(dot(e[x], e[x]), [count(fact(z, o), p, over=(z, o))]),
        (
            "d >= 1 an integer >= 1, N >= 1 an integer >= 1, M >= 0 an integer >= 0, N - p >= 0 "
            "an integer >= 0, -N + p >= 0 an integer >= 0, N - 1 >= 0 an integer >= 0, M*N - p "
            ">= 0 an integer >= 0"
        ),
    ),
    (
        lambda: bounds(dot(u[y], u[y]), [x != x2, count([table(x, o), table(x2, o)], p, over=o)]),
        "d >= 1 an integer >= 1, M >= 1 an integer >= 1, N >= 2 an integer >= 2, p >= 0 an integer "
        ">= 0, M - p >= 0 an integer >= 0",
    ),
    (
        lambda: bounds(
            dot(e[x], e[x]),
            [x != x2, count(table(x, o), p, over=o), count([table(x, o), table(x2, o)], q, over=o)],
        ),
        (
            "d >= 1 an integer >= 1, N >= 2 an integer >= 2, M >= 0 an integer >= 0, p >= 0 an "
            "integer >= 0, q >= 0 an integer >= 0, p - q >= 0 an integer >= 0, p >= 0 an "
            "integer >= 0, M - p >= 0 an integer >= 0, q >= 0 an integer >= 0, p - q >= 0 an "
            "integer >= 0, M - p >= 0 an integer >= 0"
        ),
    ),
    (
        lambda: bounds(
            dot(e[x], e[x]),
            [count(table(x, o), p, over=o), count([table(x, o), table(z, o)], q, over=(o, z))],
        ),
        (
            "d >= 1 an integer >= 1, N >= 1 an integer >= 1, M >= 0 an integer >= 0, p >= 0 an "
            "integer >= 0, -p + q >= 0 an integer >= 0, p >= 0 an integer >= 0, M - p >= 0 an "
            "integer >= 0"
        ),
    ),
    (lambda: sorted(map(str, mean(dot(Sphere("a", D)[x], Sphere("b", D)[x])).symbols)), "['D']"),
    (
        lambda: str(
            mean(
                sum_over(
                    SIZED.index("i"), dot(Sphere("a", D)[SIZED.index("j")], Sphere("b", D)[x]) ** 2
                )
            ).symbols
        ),
        "{'N': N, 'D': D}",
    ),
    (
        lambda: told(dot(u[f(x)], u[f(x2)]) ** 2, [x != x2]),
        "1/d = : 1 x 1/d; d >= 1, M >= 2, M - N >= 0, N >= 2",
    ),
    (
        lambda: told(dot(u[blocks(x)], u[blocks(x2)]) ** 2, [x != x2, blocks(x) != blocks(x2)]),
        "1/d = : 1 x 1/d; d >= 1, M >= 2, M - 1/3*N >= 0, N >= 6, N/3 an integer",
    ),
]

REFUSED: Refusals = [
    (
        "called x",
        lambda: World([dot(e[x], e[x])], [holds(table(INPUTS.index("x"), y))]),
    ),
    (
        "coincide",
        lambda: World(
            [dot(u[f(x)], u[f(x)]) * dot(third[shared(one)], third[shared(two)])], [one != two]
        ),
    ),
    ("two vectors", lambda: dot(3, e[x])),  # type: ignore[arg-type]
    ("@ takes", lambda: W @ 3),  # type: ignore[operator]
    ("different dimensions", lambda: dot(e[x], Sphere("b", N)[x])),
    ("scalar", lambda: raw_moments([e[x]])),
    ("cannot add", lambda: e[x] + 1),
    ("coincide", lambda: raw_moments([dot(e[x], e[z])])),
    ("how many inputs", lambda: raw_moments([margin], [y != f(x)])),
    (
        "functional",
        lambda: raw_moments(
            [sum_over((z, o), dot(u[o], e[z]) ** 2, where=fact(z, o))],
            [holds(fact(x, y)), holds(fact(x, y2)), y != y2],
        ),
    ),
    (
        "contradicts",
        lambda: raw_moments([margin], [y != f(x), in_image(y), fibre(y, 2), in_image(f(x))]),
    ),
    ("is no condition", lambda: raw_moments([margin], [table(x, y)])),  # type: ignore[list-item]
    ("summed over twice", lambda: sum_over(z, sum_over(z, dot(e[z], e[x])))),
    ("is no index", lambda: sum_over(f(x), dot(u[f(x)], u[y]))),  # type: ignore[arg-type]
    ("is not known", lambda: raw_moments([dot(k[one], c[one])])),
    ("size: the float", lambda: Range(0.5)),
    ("inputs: the float", lambda: Range(0.5, "inputs")),
    ("stands alone", lambda: raw_moments([near], o != y)),
    ("stands alone", lambda: mean(near, o != y)),
    ("no dimension", lambda: Sphere("a", 0)),
    ("indexed by", lambda: raw_moments([dot(e[x], e[y])])),
    ("coincide", lambda: World([dot(e[x], e[z])], [])),
    ("called x", lambda: World([dot(e[x], e[INPUTS.index("x")])], [x != z])),
    ("two independent things", lambda: World([dot(e[x], Sphere("e", d)[x])], [])),
    ("contradicts itself", lambda: World([dot(e[x], u[y])], [equal(y, f(x)), y != f(x)])),
    ("no map enters", lambda: World([dot(e[x], u[y])], [in_image(y)])),
    ("contradicts a count", lambda: World([], [holds(table(x, y)), fails(table(x, y))])),
    ("two maps leave", lambda: World([dot(u[f(x)], u[blocks(x)])], [])),
    ("two maps enter", lambda: World([dot(u[f(x)], u[Association(TWO, OUTPUTS, "l")(one)])], [])),
    ("summed over; restrict", lambda: World([sum_over(z, dot(e[z], u[y]))], [z != x])),
    ("use one index for both", lambda: World([dot(e[x], e[z])], [equal(x, z)])),
    ("which contradicts a fibre", lambda: World([dot(u[f(x)], e[x])], [fibre(f(x), 0)])),
    ("has a map and a relation", lambda: World([dot(u[f(x)], e[x]), indicator(table(x, y))], [])),
    ("is A(x, y) true", lambda: raw_moments([indicator(table(x, y))], [])),
    (
        "fibre_powers",
        lambda: World(
            [sum_over(z, dot(u[free(z)], u[y])) * RationalFunction.symbol("p2")], [in_image(y)]
        ),
    ),
    (
        "cannot be 2 different",
        lambda: (
            World([dot(s[one], s[two])], [one != two])
            and World([dot(Sphere("a", 2)[SINGLE], Sphere("b", 2)[OTHER])], [SINGLE != OTHER])
        ),
    ),
    (
        "use one of them throughout",
        lambda: mean(dot(Gaussian("a", 3, sympy.Symbol("N"))[SIZED.index("i")], Sphere("b", 3)[x])),
    ),
    ("occurs in none of", lambda: count(table(x, o), 1, over=(z, o))),
    ("occurs in none of", lambda: count(table(x, o), 1, over=(o, z))),
    ("not a number of elements", lambda: Range(d / (2 * d))),
    ("not a number of elements", lambda: Range(-1)),
    ("not a number of inputs", lambda: fibre(y, -1)),
    ("is not a count", lambda: count(table(x, o), -2, over=o)),
    ("is no count of it", lambda: count(table(x, y), 2, over=())),
    ("is not a single member", lambda: (dot(e[x], e[z]) * e[x]).single_vector()),
    ("is not a single member", lambda: sum_over(z, e[z]).single_vector()),
    ("is not a single member", lambda: (indicator(table(x, y)) * e[x]).single_vector()),
    ("is not a single member", lambda: COUNTED.single_vector()),
    ("is not a single member", lambda: (e[x] * 2).single_vector()),
    ("is not a single member", lambda: (e[x] + e[z]).single_vector()),
    ("coincide", lambda: World([dot(u[blocks(x)], u[blocks(x2)])], [x != x2])),
    ("coincide", lambda: World([dot(u[free(x)], u[free(x2)])], [x != x2])),
]
