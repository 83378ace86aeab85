"""How many maps linear memories with few bits a weight recall in full, and where so many are recalled.

Serves Nichani et al., Sec. 6, Theorem 7, at zero loss: a weight counts b bits, embeddings are free.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from math import gcd, lcm

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import symbols
from proofs.argument import Argument, Witness, search

#: (d, b) at which every choice of levels is gone through.
_SMALL = ((1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (3, 1), (2, 3))

_Vector = tuple[int, ...]


def recalled_share(exponent: RationalFunction, facts: RationalFunction) -> Argument:
    """At most 2^exponent / M^facts of the maps [N] -> [M] are recalled in full; in b, d and in N.

    The witness is a memory that recalls a larger share, if there is one at small sizes.
    """
    b, d, N = symbols("b d N")
    argument = Argument()
    argument.define(
        "W is a positive factor times a choice among 2^b levels for each entry; it recalls f in full if "
        "u_f(x)^T W e_x > u_y^T W e_x for all x and y != f(x)"
    )
    argument.infer(
        "which f is recalled in full depends on the choices alone",
        "the embeddings are fixed, and a positive factor changes no order of scores",
    )
    argument.infer(
        "each choice recalls one f in full, at most", "f(x) alone has the greatest score"
    )
    argument.infer("there are 2^(b d^2) choices", "each of d^2 entries is one of 2^b levels")
    argument.nonnegative("the exponent is at least b d^2", exponent - b * d**2, {"b": 1, "d": 1})
    argument.nonnegative("the maps are M^N, not fewer than stated", N - facts, {"N": 1})
    argument.infer(
        "P(f* is recalled in full) <= 2^(b d^2)/M^N for f* uniform, however W is found",
        "a rule, or a draw of its own, chooses W; at most 2^(b d^2) maps are recalled by any W",
    )
    for size in (1, 2, 3):
        recalled, outputs = _recalled(size, 1)
        argument.true(
            f"attained at b = 1, N = d = {size}, M = 2^d",
            recalled == outputs**size == 2 ** (size**2),
            f"all {recalled} maps, e_x the standard basis, u_y = all (+-1, ..., +-1)/sqrt(d)",
        )
    return argument.unless(_larger_share(exponent, facts))


@search
def _larger_share(exponent: RationalFunction, facts: RationalFunction) -> Witness | None:
    for d, b in _SMALL:
        recalled, M = _recalled(d, b)
        power, more = exponent(b=b, d=d).as_fraction(), facts(N=d).as_fraction() - d
        if _exceeds(recalled, M, more, power):
            return {
                "d = N": d,
                "b": b,
                "M": M,
                "levels": ", ".join(map(str, _levels(b))),
                "e_x": "the standard basis",
                "u_y": "all directions with coordinates among the levels",
                "maps recalled in full": recalled,
                "maps": M**d,
                "stated at most": f"2^({power}) of M^({more + d})",
            }
    return None


def _exceeds(recalled: int, M: int, more: Fraction, power: Fraction) -> bool:
    """recalled M^more > 2^power, exactly."""
    root = lcm(more.denominator, power.denominator)
    left, right = Fraction(M) ** int(more * root), Fraction(2) ** int(power * root)
    return bool(recalled**root * left > right)


# -- every choice of levels -----------------------------------------------------------------------


def _recalled(d: int, b: int) -> tuple[int, int]:
    """How many maps are recalled in full by some W, and M, with the standard basis as inputs and as
    outputs all directions that a column of W can have; each W is tried."""
    columns = list(itertools.product(_levels(b), repeat=d))
    outputs = sorted({_primitive(column) for column in columns})
    winner = {column: _winner(column, outputs) for column in columns}
    maps = {tuple(map(winner.__getitem__, W)) for W in itertools.product(columns, repeat=d)}
    return len(maps), len(outputs)


def _levels(b: int) -> range:
    return range(1 - 2**b, 2**b, 2)


def _primitive(vector: _Vector) -> _Vector:
    divisor = gcd(*vector)
    return tuple(entry // divisor for entry in vector)


def _winner(column: _Vector, outputs: list[_Vector]) -> int:
    """The y whose u_y = outputs[y]/|outputs[y]| has the greatest score. It has no tie, as the direction
    of the column is among the outputs, once (Cauchy-Schwarz)."""
    scores = list(_scores(column, outputs))
    return scores.index(max(scores))


def _scores(column: _Vector, outputs: list[_Vector]) -> Iterator[Fraction]:
    """s |s| for each score s = <u, column>/|u|: in the order of the scores, and rational."""
    for u in outputs:
        product = sum(a * c for a, c in zip(u, column, strict=True))
        yield Fraction(product * abs(product), sum(a * a for a in u))
