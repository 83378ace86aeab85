"""Normal quantiles by polynomial pieces: derived, and certified for pieces that are handed in.

Serves every sampled embedding: a sampler that looks normal values up holds such pieces, and what is
proved here is proved of its numbers. z(f) = sqrt(2) erfc^-1(f) is what the absolute value of a
standard normal variable exceeds with chance f.

The pieces between 2^e and 2^(e+1), e = -53, ..., -1, are 2^bits intervals of one length. On each,
z(f) is nearly c_0 + c_1 t + ... in the distance t of f from the left end of the interval.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb, factorial

from flint import arb, arb_poly

from proofs.algebra.balls import ball, precision, upper

#: Bits of the balls. Coefficients are asked for to 2^-53 of the largest, differences far below.
_BITS = 200
#: Terms of the expansion about the middle of an interval; the next one bounds what is left.
_TERMS = 12
#: Exponents of the left ends: f is an odd multiple of 2^-53, below 1.
_EXPONENTS = range(-53, 0)
#: The relative error of one operation in float64.
_HALF_ULP = Fraction(1, 2**53)
#: Coefficients below this do not overflow on the way, and an operation that underflows is off by less.
_LARGEST, _UNDERFLOW = 2.0**900, Fraction(1, 2**1074)


def normal_pieces(bits: int, degree: int) -> list[list[float]]:
    """The coefficients c_0, ..., c_degree of each piece, from f = 2^-53 upwards.

    The expansion of z about the middle of the interval, in Chebyshev polynomials cut off after
    `degree`, in powers of t, each coefficient rounded to the nearest float64. bits >= 0,
    0 <= degree < 12; ValueError otherwise.
    """
    if bits < 0 or not 0 <= degree < _TERMS:
        raise ValueError(
            f"bits = {bits}, degree = {degree}: pass bits >= 0, 0 <= degree < {_TERMS}"
        )
    with precision(_BITS):
        return [
            [
                float(c)
                for c in _in_distance(_chebyshev(_expansion(a, w)[0])[: degree + 1], w).coeffs()
            ]
            for a, w in _intervals(bits)
        ]


def piece_errors(pieces: Sequence[Sequence[float]], bits: int) -> list[Fraction]:
    """For each piece, a proved bound on |value - z(f)| for every float64 f of its interval.

    The value is Horner's rule in float64, one rounding for each product and each sum, with the exact t.
    ValueError unless there are as many pieces as intervals, with coefficients below 2^900.
    """
    asked = len(_EXPONENTS) * 2**bits
    if len(pieces) != asked:
        raise ValueError(f"{len(pieces)} pieces for bits = {bits}: pass {asked}, one an interval")
    for place, c in enumerate(pieces):
        if not c or not all(abs(x) < _LARGEST for x in c):
            raise ValueError(
                f"piece {place} is {list(c)}: pass coefficients below 2^900, at least one"
            )
    errors = []
    with precision(_BITS):
        for c, (a, w) in zip(pieces, _intervals(bits), strict=True):
            taylor, remainder = _expansion(a, w)
            about_middle = arb_poly(list(c))(arb_poly([w / 2, w / 2]))
            apart = _chebyshev((about_middle - arb_poly(taylor)).coeffs())
            errors.append(upper(sum((abs(x) for x in apart), remainder) + _rounding(c, w)))
    return errors


def _intervals(bits: int) -> Iterator[tuple[arb, arb]]:
    """The left end and the length of each interval, both exact."""
    for exponent in _EXPONENTS:
        length = arb(2) ** (exponent - bits)
        for number in range(2**bits):
            yield arb(2) ** exponent + number * length, length


def _expansion(a: arb, w: arb) -> tuple[list[arb], arb]:
    """z in powers of s = (f - middle) / (w / 2), and a bound on what is left for |s| <= 1.

    z' = -sqrt(pi/2) exp(z^2/2) = g and g' = z g^2, so the k-th derivative is P_k(z) g^k with P_1 = 1
    and P_{k+1} = P_k' + k z P_k. No coefficient of P_k is negative: it is largest at the left end.
    """
    middle = [_quantile(a + w / 2)]
    polynomial = [1]
    for k in range(1, _TERMS):
        middle.append(_term(polynomial, middle[0], w, k))
        polynomial = _next(polynomial, k)
    return middle, abs(_term(polynomial, _quantile(a), w, _TERMS))


def _quantile(f: arb) -> arb:
    z: arb = arb(2).sqrt() * f.erfcinv()
    return z


def _term(polynomial: Sequence[int], z: arb, w: arb, k: int) -> arb:
    """P_k(z) g^k (w/2)^k / k!."""
    slope = -(arb.pi() / 2).sqrt() * (z * z / 2).exp()
    value = sum((c * z**i for i, c in enumerate(polynomial)), arb(0))
    return value * (slope * w / 2) ** k / factorial(k)


def _next(polynomial: Sequence[int], k: int) -> list[int]:
    derived = [i * c for i, c in enumerate(polynomial)][1:]
    raised = [0, *(k * c for c in polynomial)]
    return [c + (derived[i] if i < len(derived) else 0) for i, c in enumerate(raised)]


def _chebyshev(powers: Sequence[arb]) -> list[arb]:
    """The same polynomial in T_0, T_1, ...: s^k = 2^(1-k) sum_j comb(k, (k-j)/2) T_j, T_0 halved."""
    found = [arb(0)] * len(powers)
    for k, c in enumerate(powers):
        for j in range(k % 2, k + 1, 2):
            found[j] += c * comb(k, (k - j) // 2) * (1 if j == 0 else 2) / 2**k
    return found


def _in_distance(chebyshev: Sequence[arb], w: arb) -> arb_poly:
    """From T_0, T_1, ... of s to powers of t, s = 2 t / w - 1."""
    line = arb_poly([-1, 2 / w])
    now, following = arb_poly([1]), line
    found = arb_poly([])
    for c in chebyshev:
        found += c * now
        now, following = following, 2 * line * following - now
    return found


def _rounding(c: Sequence[float], w: arb) -> arb:
    """What Horner's rule in float64 is off by for 0 <= t <= w, beyond the exact polynomial."""
    u, least = ball(_HALF_ULP), 2 * ball(_UNDERFLOW)
    size, error = abs(arb(c[-1])), arb(0)
    for coefficient in reversed(c[:-1]):
        # The product of what was computed, rounded; the sum with the coefficient, rounded.
        product = w * size
        error = w * error + u * (product + w * error)
        size = product + abs(arb(coefficient))
        error += u * (size + error) + least
    return error
