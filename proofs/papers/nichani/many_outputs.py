"""Why the number of outputs must enter the condition of Theorem 1: large M defeats every W.

As M grows the random outputs fill the sphere, so recall forces W e_x into the direction of u_f(x) for
every x. With d + 1 inputs the linear relation between them then forces d sign agreements, each of
probability 1/2. An instance with 3 inputs and 4 outputs in the plane shows it by hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from proofs.algebra import RationalFunction
from proofs.argument import Argument
from proofs.citations import SPHERE_ROTATION

Vector = Sequence[Fraction]


@dataclass(frozen=True)
class Instance:
    """Rational unit vectors, f(x) = x, and multipliers of the pairs (x, y)."""

    inputs: Sequence[Vector]
    outputs: Sequence[Vector]
    multipliers: Mapping[tuple[int, int], Fraction]


def _vector(*entries: str) -> list[Fraction]:
    return [Fraction(entry) for entry in entries]


#: No 2 x 2 matrix recalls these three facts: the multipliers add the three margins up to zero.
PLANE = Instance(
    inputs=[_vector("1", "0"), _vector("0", "1"), _vector("3/5", "4/5")],
    outputs=[
        _vector("1", "0"),
        _vector("0", "1"),
        _vector("-3/5", "-4/5"),
        _vector("4/5", "-3/5"),
    ],
    multipliers={(0, 3): Fraction(9), (1, 2): Fraction(4), (2, 1): Fraction(5)},
)


def no_weight_recalls(instance: Instance) -> Argument:
    """sum of multiplier (u_x - u_y) e_x^T = 0 with nonnegative multipliers, not all zero.

    Then the same combination of the margins (u_x - u_y)^T W e_x vanishes for every W, so they are
    not all positive (Farkas).
    """
    argument = Argument()
    vectors = [*instance.inputs, *instance.outputs]
    units = all(sum(c * c for c in v) == 1 for v in vectors)
    argument.true("all vectors have norm one", units, "exact rationals")
    distinct = len({tuple(v) for v in instance.outputs}) == len(instance.outputs)
    argument.true("the outputs are distinct", distinct, "exact rationals")
    others = all(x != y for x, y in instance.multipliers)
    argument.true("every multiplier is of a pair x, y with y != f(x)", others, "f(x) = x")
    signs = all(value >= 0 for value in instance.multipliers.values())
    some = any(value > 0 for value in instance.multipliers.values())
    argument.true(
        "the multipliers are nonnegative and not all zero", signs and some, "exact rationals"
    )
    d = len(vectors[0])
    total = [[Fraction(0)] * d for _ in range(d)]
    for (x, y), weight in instance.multipliers.items():
        for i in range(d):
            for j in range(d):
                difference = instance.outputs[x][i] - instance.outputs[y][i]
                total[i][j] += weight * difference * instance.inputs[x][j]
    zero = all(entry == 0 for row in total for entry in row)
    argument.true("sum of multiplier (u_x - u_y) e_x^T = 0", zero, f"the sum is {_show(total)}")
    return argument


def _show(matrix: Sequence[Sequence[Fraction]]) -> str:
    return str([[str(entry) for entry in row] for row in matrix])


def uniformity_in_outputs_fails(log_power_of_outputs: int) -> Argument:
    """For every C and c, some sizes with d^2 >= C N log(N)^c have success probability near 0.

    *log_power_of_outputs* says whether log M enters the condition (0: it does not). Where it does,
    M cannot grow at fixed d and N, and the argument must break.
    """
    argument = Argument()
    argument.true(
        "M may grow while d and N stay",
        log_power_of_outputs == 0,
        "the condition does not contain M" if log_power_of_outputs == 0 else "log M is in it",
    )
    argument.infer(
        "if W_M recalls for every M, then W_M/|W_M| has a limit W, and W e_x = l_x u_f(x), l_x >= 0",
        "the outputs get dense, so the score of u_f(x) is within o(1) of |W_M e_x|; compactness",
    )
    argument.infer(
        "with e_(d+1) = sum a_i e_i and u_(d+1) = sum p_i u_i: a_i l_i = l_(d+1) p_i for i = 1, ..., d",
        "e_1, ..., e_d and u_1, ..., u_d are bases almost surely, and coordinates are unique",
    )
    argument.infer(
        "l_(d+1) > 0, so all l_i > 0 and sign(a_i) = sign(p_i)",
        "l_(d+1) = 0 would make every l_i = 0 (a_i is not 0 almost surely) and W = 0, but |W| = 1",
    )
    disagree = _sign_disagreements(PLANE)
    argument.true(
        "in the plane instance a sign disagrees, as it must where no W recalls",
        disagree > 0,
        f"{disagree} of 2 signs, exact rationals",
    )
    argument.cite(
        "e_i -> -e_i flips a_i alone, so the d signs of a are independent of p and fair",
        SPHERE_ROTATION,
    )
    argument.infer(
        "lim P(some W recalls) <= 2^(-d) as M grows, for N >= d + 1",
        "recall at M + 1 implies recall at M, so the probabilities fall to that of recall at every M",
    )
    N = RationalFunction.symbol("N")
    argument.nonnegative(
        "d = floor(N/2) leaves N >= d + 1 inputs for N >= 2", N - (N / 2 + 1), {"N": 2}
    )
    argument.infer(
        "N^2/4 >= C N log(N)^c for all large N",
        "N = e^s >= s^k/k! for s = log N and every k, so N/log(N)^c >= s/k! for k >= c + 1",
    )
    return argument


def _sign_disagreements(instance: Instance) -> int:
    """How many of the coefficients of e_3 = sum a_i e_i and u_3 = sum p_i u_i differ in sign (d = 2)."""
    a, p = (_coordinates(*vectors[:3]) for vectors in (instance.inputs, instance.outputs))
    return sum(left * right < 0 for left, right in zip(a, p, strict=True))


def _coordinates(first: Vector, second: Vector, third: Vector) -> tuple[Fraction, Fraction]:
    """The coordinates of *third* in the basis (*first*, *second*) of the plane, by Cramer's rule."""

    def det(v: Vector, w: Vector) -> Fraction:
        return v[0] * w[1] - v[1] * w[0]

    return det(third, second) / det(first, second), det(first, third) / det(first, second)
