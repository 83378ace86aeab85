"""Cases of the field of rational functions, of signs, leading orders and balls."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import cast

from flint import arb

from proofs.algebra import (
    RationalFunction,
    SignProof,
    decide_nonnegative,
    leading,
    signs,
)
from proofs.algebra.balls import ball, enclosure, evaluate, lower, precision, upper
from proofs.algebra.rings import (
    joint,
    moved,
    occurring,
    prime_of,
    rationalised,
    reduced,
    ring,
    roots,
)
from proofs.algebra.symbols import image, inner, symbols, total
from proofs.cases import Refusals, Results

d, N, s = symbols("d N s")
r2, r3 = RationalFunction.root(2), RationalFunction.root(3)
one, half = RationalFunction.constant(1), Fraction(1, 2)
S2, S3, X = ring(("sqrt2", "sqrt3", "x")).gens()


def sign(
    function: RationalFunction,
    *beside: RationalFunction,
    interior: bool = False,
    **lower_ends: int,
) -> str:
    """How a sign is decided."""
    found = decide_nonnegative(function, lower_ends, interior=interior, beside=beside)
    if isinstance(found, SignProof):
        shown = f"{found.numerator} over {found.denominator}"
        return f"{found.statement}: {shown} for {found.region}"
    return f"{found.value} at {dict(found.at)}"


#: Two polynomials of degree at most 1, taken apart.
LINES = "[({'d': Fraction(1, 2)}, Fraction(-1, 2)), ({}, Fraction(1, 1))]"


def order(function: RationalFunction, **exponents: int) -> str:
    """The leading order, by all that is said of it."""
    return str(leading(function, exponents))


def ends(value: arb) -> tuple[Fraction, Fraction]:
    """The exact ends of a ball."""
    return lower(value), upper(value)


def at_precision(bits: int, value: int | Fraction) -> tuple[Fraction, Fraction]:
    """The exact ends of a ball around a number."""
    with precision(bits):
        return ends(ball(value))


def hashed(*values: RationalFunction | int | Fraction) -> bool:
    """Whether all have one hash."""
    return len({hash(value) for value in values}) == 1


HOLDS: Results = [
    (lambda: d + 1, "d + 1"),
    (lambda: 1 + d, "d + 1"),
    (lambda: d - 1, "d - 1"),
    (lambda: 1 - d, "-d + 1"),
    (lambda: -d, "-d"),
    (lambda: d + half, "d + 1/2"),
    (lambda: 2 * d, "2*d"),
    (lambda: d * 2, "2*d"),
    (lambda: d * half, "1/2*d"),
    (lambda: 2 / d, "2/d"),
    (lambda: d / 2, "1/2*d"),
    (lambda: half / d, "1/2/d"),
    (lambda: d + N, "N + d"),
    (lambda: d - N, "-N + d"),
    (lambda: N - d, "N - d"),
    (lambda: d - d, "0"),
    (lambda: d * N, "N*d"),
    (lambda: d / N, "d/N"),
    (lambda: d / d, "1"),
    (lambda: d * 0, "0"),
    (lambda: 0 * d, "0"),
    (lambda: 0 / d, "0"),
    (lambda: (d - d) / N, "0"),
    (lambda: d + 1 / d, "(d^2 + 1)/d"),
    (lambda: 1 / d + d, "(d^2 + 1)/d"),
    (lambda: 1 / d + 1, "(d + 1)/d"),
    (lambda: 1 + 1 / d, "(d + 1)/d"),
    (lambda: 1 / d + 1 / N, "(N + d)/(N*d)"),
    (lambda: 1 / d - 1 / N, "(N - d)/(N*d)"),
    (lambda: 1 / d + 1 / d, "2/d"),
    (lambda: (d**2 * N**3 + d**3 * N)(d=2, N=3), "132"),
    (lambda: 1 / (d * r2 - d * r2 + 2 * d) == 1 / (2 * d), "True"),
    (lambda: (d**2 + N**2)(d=2, N=3), "13"),
    (lambda: (d**2 - N)(d=N, N=d), "N^2 - d"),
    (lambda: [(1 + r2) ** k for k in (0, 1, 2, 3)] == [1, 1 + r2, 3 + 2 * r2, 7 + 5 * r2], "True"),
    (lambda: leading(s * N + d, {"N": 1, "d": 1}).exponent, "1"),
    (lambda: leading(s * N + d, {"N": 1, "d": 1}).term == s * N + d, "True"),
    (lambda: leading(s**3 * N + d**2, {"N": 1, "d": 1}).term == d**2, "True"),
    (
        lambda: [low < high and low**2 < 2 < high**2 for low, high in [enclosure(r2)]],
        "[True]",
    ),
    (lambda: sign((d - 3) / (d - 1), d=1), "-1 at {'d': 2}"),
    (
        lambda: sign((N - d) / s, N - d, d=1, N=1, s=1),
        "(N - d)/s >= 0: N over s + 1 for d >= 1, N >= 1, s >= 1, N - d >= 0",
    ),
    (lambda: sign((N - d) / s, d=1, N=1, s=1), "-1 at {'d': 2, 'N': 1, 's': 1}"),
    (lambda: sign(d - N, N - d, d=1, N=1), "-1 at {'d': 1, 'N': 2}"),
    (
        lambda: sign(N * s - d**2, N - d, s - d, d=1, N=1, s=1),
        "-d^2 + N*s >= 0: N*d^2*s + N*d^2 + 2*N*d*s + d*s^2 + 2*N*d + N*s + d*s + N + s over "
        "d^2 + 2*d + 1 for d >= 1, N >= 1, s >= 1, N - d >= 0, -d + s >= 0",
    ),
    (
        lambda: sign((N - 2) * (N - d), N - d, N=2, d=1),
        "N^2 - N*d - 2*N + 2*d >= 0: N*d over 1 for N >= 2, d >= 1, N - d >= 0",
    ),
    (
        lambda: sign(s * (1 - s), 1 - s, s=0),
        "-s^2 + s >= 0: s over s^2 + 2*s + 1 for s >= 0, -s + 1 >= 0",
    ),
    (lambda: sign(half - s, 1 - s, s=0), "-1/2 at {'s': 1}"),
    (
        lambda: sign((N - d) * 0, N - d, N=1, d=1),
        "0 >= 0: 0 over 1 for N >= 1, d >= 1, N - d >= 0",
    ),
    (lambda: type(decide_nonnegative(d, {"d": 1})) is SignProof, "True"),
    (
        lambda: [
            type(it).__name__
            for found in [decide_nonnegative(d, {"d": 1})]
            if isinstance(found, SignProof)
            for it in (found.numerator, found.denominator)
        ],
        "['str', 'str']",
    ),
    (lambda: d / (d + 1) + 1 / (d + 1), "1"),
    (lambda: d / (d + N) + N / (d + N), "1"),
    (lambda: 1 / d + N, "(N*d + 1)/d"),
    (lambda: N + 1 / d, "(N*d + 1)/d"),
    (lambda: 1 / (d * N) + 1 / (d * s), "(N + s)/(N*d*s)"),
    (lambda: 1 / (d * N) - 2 / (d * (N + 1)), "(-N + 1)/(N^2*d + N*d)"),
    (lambda: N / (d * (d + 1)) + s / (d * (d + 2)), "(N*d + d*s + 2*N + s)/(d^3 + 3*d^2 + 2*d)"),
    (lambda: 1 / (d * (d - 1)) + 1 / d, "1/(d - 1)"),
    (lambda: 1 / (d * (d + 1)) - 1 / d, "-1/(d + 1)"),
    (lambda: 1 / (d**2 * N) + 1 / (d * N), "(d + 1)/(N*d^2)"),
    (lambda: s / (6 * d) + s / (6 * N * d), "(1/6*N*s + 1/6*s)/(N*d)"),
    (
        lambda: 1 / (d * (d + 1) * N) + 1 / (N * (d - N) * (d + 1)),
        "(N - 2*d)/(N^2*d^2 - N*d^3 + N^2*d - N*d^2)",
    ),
    (lambda: 3 / (2 * d * N) - 3 / (2 * d * N + 2 * d), "3/2/(N^2*d + N*d)"),
    (lambda: d / N * (N / d), "1"),
    (lambda: d / (d + 1) * ((d + 1) / N), "d/N"),
    (lambda: d / N * ((d + 1) / (d + 2)), "(d^2 + d)/(N*d + 2*N)"),
    (lambda: d / N * s, "d*s/N"),
    (lambda: s * (d / N), "d*s/N"),
    (lambda: N / d * (d / s), "N/s"),
    (lambda: s / N * (N / d), "s/d"),
    (lambda: d * (N / d), "N"),
    (lambda: N / d * d, "N"),
    (lambda: 2 * d * (1 / (4 * d)), "1/2"),
    (lambda: d / 3 * (3 * N / d), "N"),
    (lambda: (d + 1) / (d * N) * (d * N / (d + 1)), "1"),
    (lambda: d**2 / N * (N / d), "d"),
    (lambda: (d**2 - 1) / N * (N**2 / (d - 1)), "N*d + N"),
    (lambda: 1 / (2 * d), "1/2/d"),
    (lambda: 1 / (2 * d + 1), "1/2/(d + 1/2)"),
    (lambda: 1 / (1 / d), "d"),
    (lambda: 1 / (N / (3 * d)), "3*d/N"),
    (lambda: one / 3, "1/3"),
    (lambda: 1 / (d - N), "-1/(N - d)"),
    (lambda: 1 / (N - d), "1/(N - d)"),
    (lambda: 1 / (5 * d * N), "1/5/(N*d)"),
    (lambda: d**0, "1"),
    (lambda: d**1, "d"),
    (lambda: d**3, "d^3"),
    (lambda: d ** (-1), "1/d"),
    (lambda: d ** (-2), "1/d^2"),
    (lambda: (2 * d) ** (-2), "1/4/d^2"),
    (lambda: (d / N) ** 3, "d^3/N^3"),
    (lambda: (d / N) ** (-3), "N^3/d^3"),
    (lambda: (d + 1) ** 2, "d^2 + 2*d + 1"),
    (lambda: (0 * d) ** 2, "0"),
    (lambda: one**5, "1"),
    (lambda: (d - N) ** (-2), "1/(N^2 - 2*N*d + d^2)"),
    (lambda: r2 * r2, "2"),
    (lambda: r2 * r3, "sqrt(6)"),
    (lambda: r2 + r2, "2*sqrt(2)"),
    (lambda: r2 - r2, "0"),
    (lambda: r2 * d + r3, "sqrt(2)*d + sqrt(3)"),
    (lambda: (1 + r2) * (1 - r2), "-1"),
    (lambda: r2 * d * (r2 / d), "2"),
    (lambda: d * r2 * r3 / (r2 * N), "sqrt(3)*d/N"),
    (lambda: 1 / r2, "1/2*sqrt(2)"),
    (lambda: 1 / (1 + r2), "sqrt(2) - 1"),
    (lambda: 1 / (d + r2), "(-sqrt(2) + d)/(d^2 - 2)"),
    (lambda: (d + r2) / (d - r2), "(2*sqrt(2)*d + d^2 + 2)/(d^2 - 2)"),
    (lambda: 1 / (r2 + r3), "-sqrt(2) + sqrt(3)"),
    (
        lambda: 1 / (1 + r2 * d + r3 * N),
        (
            "(1/3*sqrt(3)*N^3 + 2/9*sqrt(6)*N*d - 1/3*sqrt(2)*N^2*d - 2/9*sqrt(3)*N*d"
            "^2 + 2/9*sqrt(2)*d^3 - 1/9*sqrt(3)*N - 1/3*N^2 - 1/9*sqrt(2)*d - 2/9*d^2"
            " + 1/9)/(N^4 - 4/3*N^2*d^2 + 4/9*d^4 - 2/3*N^2 - 4/9*d^2 + 1/9)"
        ),
    ),
    (lambda: r2 / (r3 * d), "1/3*sqrt(6)/d"),
    (lambda: r2**0, "1"),
    (lambda: r2**1, "sqrt(2)"),
    (lambda: r2**2, "2"),
    (lambda: r2**3, "2*sqrt(2)"),
    (lambda: r2**4, "4"),
    (lambda: r2**5, "4*sqrt(2)"),
    (lambda: r2 ** (-1), "1/2*sqrt(2)"),
    (lambda: r2 ** (-2), "1/2"),
    (lambda: r2 ** (-3), "1/4*sqrt(2)"),
    (lambda: (1 + r2) ** 2, "2*sqrt(2) + 3"),
    (lambda: (1 + r2) ** 3, "5*sqrt(2) + 7"),
    (lambda: (1 + r2 * d) ** 4, "8*sqrt(2)*d^3 + 4*d^4 + 4*sqrt(2)*d + 12*d^2 + 1"),
    (lambda: (d + r3) ** (-2), "(-2*sqrt(3)*d + d^2 + 3)/(d^4 - 6*d^2 + 9)"),
    (lambda: r2 * d * (1 / (r2 * d)), "1"),
    (lambda: r2 / d + r2 / N, "(sqrt(2)*N + sqrt(2)*d)/(N*d)"),
    (lambda: r2 / d * 3, "3*sqrt(2)/d"),
    (lambda: 3 * (r2 / d), "3*sqrt(2)/d"),
    (lambda: r2 * d * (N / d), "sqrt(2)*N"),
    (lambda: r2 / (d * N) * (r3 * N), "sqrt(6)/d"),
    (
        lambda: [
            RationalFunction.root(v)
            for v in (0, 1, 2, 4, 8, 12, 18, 30, half, Fraction(8, 9), Fraction(3, 50))
        ],
        (
            "[RationalFunction(0), RationalFunction(1), RationalFunction(sqrt(2)), Ra"
            "tionalFunction(2), RationalFunction(2*sqrt(2)), RationalFunction(2*sqrt("
            "3)), RationalFunction(3*sqrt(2)), RationalFunction(sqrt(30)), RationalFu"
            "nction(1/2*sqrt(2)), RationalFunction(2/3*sqrt(2)), RationalFunction(1/1"
            "0*sqrt(6))]"
        ),
    ),
    (lambda: one == 1, "True"),
    (lambda: d == d, "True"),
    (lambda: d == N, "False"),
    (lambda: d == d + N - N, "True"),
    (lambda: d / N == N / d, "False"),
    (lambda: d / N == d, "False"),
    (lambda: d == d / N, "False"),
    (lambda: r2 * r2 == 2, "True"),
    (lambda: one == half, "False"),
    (lambda: d == "d", "False"),
    (lambda: 1 / d == 1 / d, "True"),
    (lambda: d != d, "False"),
    (lambda: d / (2 * d) == half, "True"),
    (lambda: d + N - N == d, "True"),
    (lambda: d == 2, "False"),
    (lambda: r2 == r3, "False"),
    (lambda: 1 / (d + 1) == 1 / (N + 1), "False"),
    (lambda: (d + 1) / N == (d + 1) / s, "False"),
    (lambda: hashed(one, 1), "True"),
    (lambda: hashed(half * one, half), "True"),
    (lambda: hashed(d, d + N - N), "True"),
    (lambda: hashed(d, N), "False"),
    (lambda: hashed(r2 * d, d * r2), "True"),
    (lambda: hashed(one, one + d - d), "True"),
    (lambda: hashed(r2, d), "False"),
    (
        lambda: [RationalFunction.of(v) for v in (1, -3, half, d, True + 0)],
        (
            "[RationalFunction(1), RationalFunction(-3), RationalFunction(1/2), Ratio"
            "nalFunction(d), RationalFunction(1)]"
        ),
    ),
    (
        lambda: [RationalFunction.constant(v) for v in (0, 7, -7, half, Fraction(-4, 6))],
        (
            "[RationalFunction(0), RationalFunction(7), RationalFunction(-7), Rationa"
            "lFunction(1/2), RationalFunction(-2/3)]"
        ),
    ),
    (lambda: (d + N - N).names, "('d',)"),
    (lambda: (d / N).names, "('N', 'd')"),
    (lambda: one.names, "()"),
    (lambda: (r2 * d).names, "('d',)"),
    (lambda: r2.names, "()"),
    (lambda: (N + d + s).names, "('N', 'd', 's')"),
    (lambda: (r2 - r2 + d).names, "('d',)"),
    (lambda: (d / N).radicals, "()"),
    (lambda: r2.radicals, "(2,)"),
    (lambda: (r2 * r3 * d).radicals, "(2, 3)"),
    (lambda: (r2 + d - r2).radicals, "()"),
    (lambda: (d * (r3 + r2) / N).radicals, "(2, 3)"),
    (lambda: ((d + 1) / (2 * N)).numerator, "1/2*d + 1/2"),
    (lambda: ((d + 1) / (2 * N)).denominator, "N"),
    (lambda: (d / 3).denominator, "1"),
    (lambda: (r2 / d).numerator, "sqrt(2)"),
    (lambda: (1 / (d + r2)).denominator, "d^2 - 2"),
    (
        lambda: (3 * d**2 * N - d / 2 + 5).coefficients(),
        ("{(1, 2): Fraction(3, 1), (0, 1): Fraction(-1, 2), (0, 0): Fraction(5, 1)}"),
    ),
    (lambda: (d + N - N).coefficients(), "{(1,): Fraction(1, 1)}"),
    (
        lambda: sorted((3 * d - N / 2 + s - s + 5).linear()[0].items()),  # type: ignore[index]
        "[('N', Fraction(-1, 2)), ('d', Fraction(3, 1))]",
    ),
    (lambda: [(d / 2 - half).linear(), one.linear()], LINES),
    (lambda: [it.linear() for it in (d * N, 1 / d, d**2, r2 * d)], "[None, None, None, None]"),
    (lambda: one.coefficients(), "{(): Fraction(1, 1)}"),
    (lambda: (d * s + N).coefficients(), "{(0, 1, 1): Fraction(1, 1), (1, 0, 0): Fraction(1, 1)}"),
    (lambda: (N * (r2 - r2 + 1)).coefficients(), "{(1,): Fraction(1, 1)}"),
    (
        lambda: [
            {k: str(v) for k, v in f.parts().items()}
            for f in (
                d,
                r2 * d + N,
                (1 + r2) * (1 + r3 * d) / N,
                r2 - r2,
                r2 * r3 + 2 * r2 * r3 * d,
                2 * d - r3 * d**2,
            )
        ],
        (
            "[{1: 'd'}, {1: 'N', 2: 'd'}, {1: '1/N', 2: '1/N', 3: 'd/N', 6: 'd/N'}, {"
            "}, {6: '2*d + 1'}, {1: '2*d', 3: '-d^2'}]"
        ),
    ),
    (lambda: (d / N)(d=2), "2/N"),
    (lambda: (d / N)(d=2, N=3), "2/3"),
    (lambda: (d / N)(d=N, N=d), "N/d"),
    (lambda: (d**2 + 3 * N**2 + d)(d=s, N=2 * s), "13*s^2 + s"),
    (lambda: (d / N)(d=one, N=r2 * r2), "1/2"),
    (lambda: (d * N**2)(d=half, N=one - 3), "2"),
    (lambda: (d + N)(d=N * s), "N*s + N"),
    (lambda: (r2 * d)(d=r2), "2"),
    (lambda: (d**2 + 3 * d * N - 1)(d=5, N=half), "63/2"),
    (lambda: d(), "d"),
    (lambda: d(N=3), "d"),
    (lambda: one(d=2), "1"),
    (lambda: (d**2 * r3 + d)(d=1 / N), "(sqrt(3) + N)/N^2"),
    (lambda: (d**2 - 1)(d=N + 1), "N^2 + 2*N"),
    (lambda: (1 / (d - N))(N=2), "1/(d - 2)"),
    (lambda: (d**3 + N**3 * d**2)(d=2), "4*N^3 + 8"),
    (lambda: (r2 + r3 + d)(d=-r3), "sqrt(2)"),
    (lambda: one.as_fraction(), "1"),
    (lambda: (half * one).as_fraction(), "1/2"),
    (lambda: (one - 1).as_fraction(), "0"),
    (lambda: (d / (3 * d)).as_fraction(), "1/3"),
    (lambda: (r2**4).as_fraction(), "4"),
    (lambda: (d - d).as_fraction(), "0"),
    (
        lambda: [
            str(f)
            for f in (
                1 / d,
                (d + 1) / N,
                1 / (d * N),
                d / N**2,
                -d / N,
                d / (N + 1),
                d / 2,
                (d + 1) / (2 * N),
                -1 / d,
                2 * d * N,
                d**2 - 1,
                r2 * r3 * d,
                (r2 + 1) / d,
                1 / N**2,
            )
        ],
        (
            "['1/d', '(d + 1)/N', '1/(N*d)', 'd/N^2', '-d/N', 'd/(N + 1)', '1/2*d', '"
            "(1/2*d + 1/2)/N', '-1/d', '2*N*d', 'd^2 - 1', 'sqrt(6)*d', '(sqrt(2) + 1"
            ")/d', '1/N^2']"
        ),
    ),
    (lambda: (N * d - 1).expanded(), "N*d - 1"),
    (lambda: ((N - d) / d).expanded(), "(N - d)/d"),
    (lambda: repr(d), "RationalFunction(d)"),
    (lambda: repr(1 / r2), "RationalFunction(1/2*sqrt(2))"),
    (
        lambda: [prime_of(x) for x in ("sqrt2", "sqrt13", "sqrt", "d", "sqrt2x", "xsqrt2")],
        "[2, 13, None, None, None, None]",
    ),
    (
        lambda: [
            ring(x).names()
            for x in ((), ("d", "N"), ("N", "d", "d"), ("x", "sqrt3", "sqrt2", "sqrt11", "a"))
        ],
        "[(), ('N', 'd'), ('N', 'd'), ('sqrt2', 'sqrt3', 'sqrt11', 'a', 'x')]",
    ),
    (lambda: joint(ring(("d",)), ring(("N", "d", "sqrt2"))).names(), "('sqrt2', 'N', 'd')"),
    (
        lambda: [
            str(moved(p, ring(("sqrt2", "x", "y")))) for p in (S2 + X, S2 * 0 + 1, X**2 * 3, S2 * 0)
        ],
        "['sqrt2 + x', '1', '3*x^2', '0']",
    ),
    (lambda: occurring(S2 + X, S3 * 0 + 1), "('sqrt2', 'x')"),
    (lambda: occurring(X * 0, X), "('x',)"),
    (lambda: occurring(X, X * 0), "('x',)"),
    (lambda: occurring(S2 * 0 + 1, X * 0 + 1), "()"),
    (
        lambda: [(i, str(a), str(b)) for i, a, b in roots(X.context())],
        "[(0, 'sqrt2', 'sqrt2^2 - 2'), (1, 'sqrt3', 'sqrt3^2 - 3')]",
    ),
    (
        lambda: [
            str(reduced(p))
            for p in (S2**2, S2**3 * X, S2 * S3, S2**2 * S3**4 + X**2, S2, X**3, S3**3 - S2**5)
        ],
        ("['2', '2*sqrt2*x', 'sqrt2*sqrt3', 'x^2 + 18', 'sqrt2', 'x^3', '-4*sqrt2 + 3*sqrt3']"),
    ),
    (
        lambda: [
            tuple(map(str, rationalised(*p)))
            for p in (
                (S2, S2),
                (S2 * 0 + 1, S2 + 1),
                (X, S2 + S3),
                (S2 * X, X),
                (X, S3 * X - 1),
                (S2**2, S2**3),
            )
        ],
        (
            "[('-2', '-2'), ('-sqrt2 + 1', '-1'), ('-sqrt2*x + sqrt3*x', '1'), ('sqrt"
            "2*x', 'x'), ('-sqrt3*x^2 - x', '-3*x^2 + 1'), ('-4*sqrt2', '-8')]"
        ),
    ),
    (lambda: sign(d - 1, d=1), "d - 1 >= 0: d over 1 for d >= 1"),
    (lambda: sign(d - 2, d=1), "-1 at {'d': 1}"),
    (lambda: sign(d - 2, d=3), "d - 2 >= 0: d + 1 over 1 for d >= 3"),
    (lambda: sign(1 / (d - Fraction(7, 2)), d=1), "-2/5 at {'d': 1}"),
    (lambda: sign((d + 1) / (d * N - 7), d=1, N=1), "-1/3 at {'d': 1, 'N': 1}"),
    (lambda: sign((5 - d) / (d - Fraction(9, 2)), d=2), "-6/5 at {'d': 2}"),
    (lambda: sign(d * N - 1, d=1, N=1), "N*d - 1 >= 0: N*d + N + d over 1 for d >= 1, N >= 1"),
    (lambda: sign(d - N, d=1, N=1), "-1 at {'d': 1, 'N': 2}"),
    (lambda: sign(N - d, d=1, N=2, s=5), "-1 at {'d': 3, 'N': 2, 's': 5}"),
    (lambda: sign(d - 1, d=1, interior=True), "d - 1 >= 0: d over 1 for d > 1"),
    (lambda: sign(1 / (d - 1), d=1, interior=True), "1/(d - 1) >= 0: 1 over d for d > 1"),
    (lambda: sign((1 - d) / (2 - d), d=3), "(d - 1)/(d - 2) >= 0: d + 2 over d + 1 for d >= 3"),
    (lambda: sign(-1 / d, d=2, N=4), "-1/2 at {'d': 2, 'N': 4}"),
    (lambda: sign(d * (3 - d), d=1), "-4 at {'d': 4}"),
    (
        lambda: sign(r2 * d + N / d + r3, d=1, N=1),
        (
            "(sqrt(2)*d^2 + sqrt(3)*d + N)/d >= 0: sqrt(2)*d^2 + 2*sqrt(2)*d + sqrt(3"
            ")*d + sqrt(2) + sqrt(3) + N + 1 over d + 1 for d >= 1, N >= 1"
        ),
    ),
    (
        lambda: sign((d - 1 - Fraction(1, 8)) / d, d=1, interior=True),
        "-1/17 at {'d': Fraction(17, 16)}",
    ),
    (
        lambda: sign(1 / (d + N - 3) + s / 3, d=1, N=3, s=0),
        (
            "(1/3*N*s + 1/3*d*s - s + 1)/(N + d - 3) >= 0: 1/3*N*s + 1/3*d*s + 1/3*s "
            "+ 1 over N + d + 1 for d >= 1, N >= 3, s >= 0"
        ),
    ),
    (lambda: sign(99999 - d, d=1), "-2 at {'d': 100001}"),
    # Points one after another: by their sum, then by the order of what is added.
    (lambda: [*signs._by_sum((2, 0, 1), 1)], "[(0,), (1,), (2,)]"),
    (
        lambda: [*signs._by_sum((0, 1, 3), 2)],
        "[(0, 0), (0, 1), (1, 0), (1, 1), (0, 3), (3, 0), (1, 3), (3, 1), (3, 3)]",
    ),
    (
        lambda: [*signs._by_sum((1, Fraction(0)), 3)][:5],
        "[(Fraction(0, 1), Fraction(0, 1), Fraction(0, 1)), (1, Fraction(0, 1), Fraction(0, 1)), "
        "(Fraction(0, 1), 1, Fraction(0, 1)), (Fraction(0, 1), Fraction(0, 1), 1), "
        "(1, 1, Fraction(0, 1))]",
    ),
    (lambda: [*signs._by_sum((1, 2), 0)], "[()]"),
    (lambda: signs._MOST, "248832"),
    (lambda: sign((20 - d) / (1 + N), d=1, N=2), "-11/3 at {'d': 31, 'N': 2}"),
    (lambda: sign(one * 0), "0 >= 0: 0 over 1 for "),
    (lambda: sign(one * half, d=1), "1/2 >= 0: 1/2 over 1 for d >= 1"),
    (lambda: sign(-d * half, d=0, interior=True), "-1/32 at {'d': Fraction(1, 16)}"),
    (lambda: order(d**2 / N + d, d=1, N=1), "d*(N + d)/N ~ t"),
    (lambda: order(d**2 + N, d=1, N=3), "N ~ t^3"),
    (lambda: order((d + N) / (d * N + 1), d=1, N=2), "1/d ~ t^(-1)"),
    (lambda: order(3 * d - 2 * N, d=1, N=1), "-(2*N - 3*d) ~ t"),
    (lambda: order(r2 * d + N, d=2, N=1), "sqrt(2)*d ~ t^2"),
    (lambda: order(1 / d - 2 / N, d=1, N=2), "1/d ~ t^(-1)"),
    (lambda: order(d, d=1), "d ~ t"),
    (lambda: order(5 * d**0, d=1), "5 ~ 1"),
    (lambda: order((2 * d + N) / (3 * d), d=1, N=1), "(N + 2*d)/(3*d) ~ 1"),
    (
        lambda: at_precision(64, Fraction(1, 3)),
        (
            "(Fraction(12297829382473034409, 36893488147419103232), Fraction(12297829"
            "382473034411, 36893488147419103232))"
        ),
    ),
    (lambda: at_precision(64, 5), "(Fraction(5, 1), Fraction(5, 1))"),
    (lambda: at_precision(64, Fraction(-7, 4)), "(Fraction(-7, 4), Fraction(-7, 4))"),
    (
        lambda: at_precision(128, Fraction(2, 7)),
        (
            "(Fraction(194447066811964836264785489961010406545, 680564733841876926926"
            "749214863536422912), Fraction(194447066811964836264785489961010406547, 6"
            "80564733841876926926749214863536422912))"
        ),
    ),
    (lambda: ends(arb(1, 1)), "(Fraction(-1, 536870912), Fraction(1073741825, 536870912))"),
    (lambda: ends(arb(-3)), "(Fraction(-3, 1), Fraction(-3, 1))"),
    (lambda: ends(arb(0)), "(Fraction(0, 1), Fraction(0, 1))"),
    (
        lambda: ends(arb(2) ** (-70)),
        ("(Fraction(1, 1180591620717411303424), Fraction(1, 1180591620717411303424))"),
    ),
    (
        lambda: ends(arb(5, 0.5)),
        "(Fraction(4831838207, 1073741824), Fraction(5905580033, 1073741824))",
    ),
    (
        lambda: [
            ends(evaluate(f, d=arb(2), N=arb(4)))
            for f in (d, d / N, d**3 + N * d, 3 * d - N / 2, d * 0, one, (d + 1) / (N - 1) * 3)
        ],
        (
            "[(Fraction(2, 1), Fraction(2, 1)), (Fraction(1, 2), Fraction(1, 2)), (Fr"
            "action(16, 1), Fraction(16, 1)), (Fraction(4, 1), Fraction(4, 1)), (Frac"
            "tion(0, 1), Fraction(0, 1)), (Fraction(1, 1), Fraction(1, 1)), (Fraction"
            "(3, 1), Fraction(3, 1))]"
        ),
    ),
    (lambda: ends(evaluate(r2**4 * d, d=arb(3))), "(Fraction(12, 1), Fraction(12, 1))"),
    (
        lambda: [round(float(x), 12) for x in ends(evaluate((r2 * d + r3) / d, d=arb(3)))],
        "[1.991563831563, 1.991563831563]",
    ),
    (lambda: enclosure(one), "(Fraction(1, 1), Fraction(1, 1))"),
    (lambda: enclosure(half * one), "(Fraction(1, 2), Fraction(1, 2))"),
    (
        lambda: [round(float(x), 15) for x in enclosure(r2)],
        "[1.414213562373095, 1.414213562373095]",
    ),
    (lambda: enclosure(r2)[1] - enclosure(r2)[0] < Fraction(1, 2**120), "True"),
    (lambda: str(total([d, N, d])), "N + 2*d"),
    (lambda: str(total([])), "0"),
    (lambda: str(inner([d, 1 / d], [N, d])), "N*d + 1"),
    (lambda: list(map(str, image([[d, N], [N, d]], [d, one]))), "['d^2 + N', 'N*d + d']"),
    (
        lambda: [
            sign((d - 1 - at) ** 2 - Fraction(1, 4), d=1)
            for at in (2, 3, 4, 6, 9, 15, 30, 100, 1000, 10**5)
        ],
        (
            "[\"-1/4 at {'d': 3}\", \"-1/4 at {'d': 4}\", \"-1/4 at {'d': 5}\", \"-1/4 at {'"
            "d': 7}\", \"-1/4 at {'d': 10}\", \"-1/4 at {'d': 16}\", \"-1/4 at {'d': 31}\", "
            "\"-1/4 at {'d': 101}\", \"-1/4 at {'d': 1001}\", \"-1/4 at {'d': 100001}\"]"
        ),
    ),
    (
        lambda: [
            sign((d - 1 - at) ** 2 - Fraction(1, 400), d=1, interior=True)
            for at in (Fraction(1, 16), 1, 2, 3, 4, 6, 9, 15, 30, 100, 1000, 10**5)
        ],
        (
            '["-1/400 at {\'d\': Fraction(17, 16)}", "-1/400 at {\'d\': 2}", "-1/400 at {'
            "'d': 3}\", \"-1/400 at {'d': 4}\", \"-1/400 at {'d': 5}\", \"-1/400 at {'d': 7"
            '}", "-1/400 at {\'d\': 10}", "-1/400 at {\'d\': 16}", "-1/400 at {\'d\': 31}",'
            " \"-1/400 at {'d': 101}\", \"-1/400 at {'d': 1001}\", \"-1/400 at {'d': 10000"
            '1}"]'
        ),
    ),
    (lambda: enclosure(one / 3), "(Fraction(1, 3), Fraction(1, 3))"),
    (lambda: repr(leading(d**2 + N, {"d": 1, "N": 1}).exponent), "Fraction(2, 1)"),
    (lambda: repr(leading(d / N, {"d": half, "N": 1}).exponent), "Fraction(-1, 2)"),
]

REFUSED: Refusals = [
    ("is not decided", lambda: sign(1 / d, d=0)),
    ("no lower end given for N, d", lambda: sign(d + N)),
    ("'d'", lambda: enclosure(d)),
    *(
        ("exponents: ", partial(leading, d, cast("Mapping[str, int]", exponents)))
        for wrong in (True, 0.5, -1, "1")
        for exponents in ({"d": wrong, "N": 1}, {"N": 1, "d": wrong})
    ),
    ("0 has no leading term", lambda: leading(d - d, {"d": 1})),
    ("the float 0.5", lambda: RationalFunction.of(0.5)),
    ("truth value", lambda: RationalFunction.of(True)),
    ("denominator 0", lambda: 1 / (d - d)),
    ("denominator 0", lambda: (1 / d)(d=0)),
    ("denominator 0", lambda: (0 * d) ** -1),
    ("ASCII", lambda: RationalFunction.symbol("é")),
    ("reserved", lambda: RationalFunction.symbol("sqrt2")),
    ("reserved", lambda: d(sqrt3=1)),
    ("negative", lambda: RationalFunction.root(-1)),
    ("still depends on d", lambda: d.as_fraction()),
    ("not a rational number", lambda: r2.as_fraction()),
    ("not a polynomial", lambda: (1 / d).coefficients()),
    ("irrational", lambda: r2.coefficients()),
    ("no lower end given for N", lambda: decide_nonnegative(d - N, {"d": 1})),
    ("no lower end given for N", lambda: sign(d, d - N, d=1)),
    ("not decided", lambda: decide_nonnegative((d - 5) ** 2, {"d": 1})),
    ("{'d': 1, 'N': 1}, N - d >= 0 is not decided", lambda: sign(1 / (N - d), N - d, d=1, N=1)),
    ("not decided", lambda: sign(1 / (N - d), N - d, d=1, N=1, interior=True)),
    ("not decided", lambda: sign(1 / (1 - s), 1 - s, s=0)),
    ("not decided", lambda: sign(half**2 + half**9 - s * (1 - s), 1 - s, s=0)),
    ("not decided", lambda: decide_nonnegative(r2 - d, {"d": 1})),
    ("unbounded", lambda: lower(arb("nan"))),
    ("unbounded", lambda: upper(arb("inf"))),
    ("d", lambda: enclosure(d)),
]
