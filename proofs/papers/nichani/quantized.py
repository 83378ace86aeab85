"""Arguments about quantised weights that are not carried over to the kernel, line by line.

W~ is W with each entry rounded to the nearest multiple of e. The bits of a weight. The explicit forms
themselves: ``rounded_recall``. Serves Corollary 2 of Nichani et al.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, precision
from proofs.algebra.symbols import symbols
from proofs.argument import Argument


def multiples(N: int, d: int) -> int:
    """How many multiples of 1/(8 d) there are in [-N, N], counted one by one."""
    step, found, k = Fraction(1, 8 * d), 1, 1
    while k * step <= N:
        found, k = found + 2, k + 1
    return found


def storage(values: RationalFunction) -> Argument:
    """*values*, in d and N, is the number of multiples of 1/(8d) in [-N, N]; under d^2 >= N the
    bits that tell them apart are at most 3 log2 d + 6.
    """
    d, N = symbols("d N")
    argument = Argument()
    counted = {(n, k): multiples(n, k) for n in range(1, 5) for k in range(1, 5)}
    argument.true(
        "the number of multiples",
        all(values(N=n, d=k) == number for (n, k), number in counted.items()),
        "counted for N, d <= 4",
    )
    argument.equal("0 and k e, -k e for k = 1, ..., 8 N d", values, 2 * (8 * N * d) + 1)
    argument.nonnegative(
        "at N <= d^2 the number is at most 17 d^3", 17 * d**3 - values(N=d**2), {"d": 1}
    )
    with precision():
        argument.at_most(
            "ceil(log2 of it) <= 3 log2 d + log2 17 + 1 <= 3 log2 d + 6",
            ball(17).log() / arb.const_log2() + 1,
            arb(6),
        )
    return argument


def cubic_storage(linear: Fraction, quadratic: Fraction, cube: Fraction) -> Argument:
    """d >= linear l and d^2 >= quadratic N l, l = log(N M) >= log 2, imply that the 16 N d + 1
    multiples of 1/(8d) in [-N, N] take at most ceil(cube log2 d) bits.
    """
    argument = Argument()
    argument.infer(
        "16 N d + 1 <= d^3 (16/(quadratic l) + 1/(linear l)^3)", "the conditions on N and on d"
    )
    with precision():
        log2 = arb.const_log2()
        argument.at_most(
            "16/(quadratic l) + 1/(linear l)^3 <= 1 at l = log 2, where it is largest",
            16 / (ball(quadratic) * log2) + 1 / (ball(linear) * log2) ** 3,
            arb(1),
        )
    argument.true("d^3 values take ceil(3 log2 d) bits", cube >= 3, f"{cube} >= 3")
    return argument
