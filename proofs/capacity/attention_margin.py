"""A bound on one margin of the attention-only construction, given the weights of the attended keys.

The margin is A (c_a - c_b) + sqrt(2A) sum_{a' != a, b} c_a' t_a' with A = 1 - <phi(a), phi(b)>
and independent first coordinates t of uniform unit vectors. Every other key z' of the head of s
adds to the weights c of its answers one number, independent of the rest and sub-Gaussian with
proxy tau_s/d_h; so does every other key of the head of r. Serves Nichani et al., App. C.1, Theorem 10.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf, log, sqrt
from typing import Any, NamedTuple

from flint import arb

from proofs.algebra.balls import ball

#: Free parameters are multiples of one over this.
_STEPS = 1024
#: The slope is sought to one part in so many: the bound's logarithm is flat there, so that what is
#: left to gain is some 1e-5 of it. The search begins with steps of one part in ``_STRIDES``.
_PARTS, _STRIDES = 256, 64
#: Values of ``Free.kept`` less one that are tried.
_GIVEN = tuple(Fraction(2) ** power for power in range(-7, 2))


class Constants(NamedTuple):
    """The constants of the bound; it is proved for these. Exact numbers, floats or balls."""

    noise: Any = Fraction(1)
    leak: Any = Fraction(1, 2)


PROVED = Constants()


class Competitor(NamedTuple):
    """Tokens b that compete with a = a*(s, r): how many, and what their margins are made of.

    c_a - c_b = by_subject tau_s + by_relation tau_r, and among the weights of all other answers
    tau_s occurs *with_subject* times and tau_r *with_relation* times, but for what other keys add.
    """

    many: int
    by_subject: int
    by_relation: int
    with_subject: int
    with_relation: int


def competitors(R: int, D: int, tokens: int) -> tuple[Competitor, ...]:
    """The further answers of s, those of r, and all other tokens.

    Where r has fewer than D answers, some of the second kind become of the third, with a greater
    signal and no more noise than the second kind has with D answers, so that the union only falls.
    """
    kinds = (
        Competitor(R - 1, 0, 1, max(R - 2, 0), D - 1),
        Competitor(D - 1, 1, 0, R - 1, max(D - 2, 0)),
        Competitor(tokens - R - D + 1, 1, 1, R - 1, D - 1),
    )
    return tuple(kind for kind in kinds if kind.many)


class Margin(NamedTuple):
    """What the bound on one margin depends on. Exact numbers, floats or balls.

    *signal*: the attended keys' part of c_a - c_b, at least; *noise*: the sum of the squares of
    their parts of the other weights, at most. Of the other keys in the heads of s and of r:
    *leak*, the sum of the proxies of those that answer a or b; *trace* and *norm* of their matrix
    B B^T times the proxy, where B has a row a key and a column an answer, one where the key has
    the answer.
    """

    d: Any
    signal: Any
    noise: Any
    leak_s: Any
    leak_r: Any
    trace_s: Any
    trace_r: Any
    norm_s: Any
    norm_r: Any

    @classmethod
    def over(
        cls,
        rival: Competitor,
        d: int,
        d_h: int,
        answers: tuple[int, int],
        others: tuple[int, int],
        low: tuple[Any, Any],
        high: tuple[Any, Any],
    ) -> Margin:
        """The margin over *rival* for tau_s and tau_r between *low* and *high*, exact or balls.

        *answers*: R, those of a subject, and D, those of a relation at most; *others*: how many
        other keys the two heads have. Subjects may share all their answers, so the norm is taken
        to be the trace; those of relations are disjoint, so it is D, and at most one other
        relation answers b.
        """
        (R, D), (in_s, in_r) = answers, others
        proxy_s, proxy_r = high[0] / d_h, high[1] / d_h
        return cls(
            Fraction(d),
            rival.by_subject * low[0] + rival.by_relation * low[1],
            rival.with_subject * high[0] ** 2 + rival.with_relation * high[1] ** 2,
            proxy_s * in_s,
            proxy_r * min(in_r, 1),
            proxy_s * in_s * R,
            proxy_r * in_r * D,
            proxy_s * in_s * R,
            proxy_r * min(in_r, 1) * D,
        )


class Free(NamedTuple):
    """Free parameters, for which any values are valid that leave all quotients defined.

    *slope*: lambda of Chernoff's bound. The square of the sum of three parts, the attended keys' and
    the other keys' of both heads, is at most *kept* times the first square + *split_s* times the
    second + *split_r* times the third, where the inverses of those that are not 0 add up to at most
    one; a 0 stands for a part that is not there. Exact, floats or balls.
    """

    slope: Any
    kept: Any
    split_s: Any
    split_r: Any


def log_bound(
    it: Margin, free: Free, reach: Any, constants: Constants, logarithm: Callable[[Any], Any]
) -> Any:
    """The logarithm of a bound on P(margin <= 0, A <= *reach*); None where a quotient is not defined.

    With lambda the slope, the answers cost noise lambda^2 A |c|^2/d in the exponent, and the
    other keys det(I - X)^(-1/2) exp(leak lambda^2 A^2 (sum of leaks)/(1 - |X|)), X a quadratic
    form of theirs. Then E exp(-k A + j A^2) <= exp(j - k + (k - 2j)^2/(2(d - 2j)) - log(1 -
    2j/d)/2). All arguments are of one kind, floats or balls, and *logarithm* is theirs.
    """
    answers = constants.noise * free.slope**2 / it.d
    k = free.slope * it.signal - answers * free.kept * it.noise
    j = determinant = 0 * k
    for split, leak, trace, norm in (
        (free.split_s, it.leak_s, it.trace_s, it.norm_s),
        (free.split_r, it.leak_r, it.trace_r, it.norm_r),
    ):
        cost = 2 * answers * reach * split
        if not cost * norm < 1:
            return None
        j += constants.leak * free.slope**2 * leak / (1 - cost * norm)
        if norm > 0:
            # The eigenvalues x of X are at most |X|, and -log(1 - x)/x grows with x.
            determinant -= trace / (2 * norm) * logarithm(1 - cost * norm)
    if not 2 * j < it.d:
        return None
    square = (k - 2 * j) ** 2 / (2 * (it.d - 2 * j))
    return j - k + square - logarithm(1 - 2 * j / it.d) / 2 + determinant


class MarginBound:
    """Bounds on margins that differ in tau_s and tau_r alone, with free parameters that suit them."""

    def __init__(self, typical: Margin, reach: Fraction, constants: Constants) -> None:
        self._reach, self._constants = float(reach), Constants(*map(float, constants))
        splits = min(splits_of(typical), key=lambda s: self._best(typical, list(map(float, s)))[0])
        self._splits = list(map(float, splits))
        self._balls = ball(reach), Constants(*map(ball, constants)), list(map(ball, splits))

    def __call__(self, it: Margin) -> arb:
        """A bound on P(margin <= 0, A <= reach), at most one."""
        slope = self._best(it, self._splits)[1]
        reach, constants, splits = self._balls
        free = Free(ball(slope), *splits)
        found = log_bound(Margin(*map(ball, it)), free, reach, constants, lambda x: x.log())
        return found.exp() if found is not None and found < 0 else arb(1)

    def _best(self, it: Margin, splits: list[float]) -> tuple[float, Fraction]:
        """The least bound found by a search over the slope, as a float, and that slope."""
        if it.signal <= 0:
            return 0.0, Fraction(0)
        rounded, reach, constants = Margin(*map(float, it)), self._reach, self._constants

        def value(step: int) -> float:
            free = Free(step / _STEPS, *splits)
            found = log_bound(rounded, free, reach, constants, log)
            return inf if found is None else float(found)

        def falls(step: int) -> bool:
            return value(step + 1) < value(step)

        # k is d at most, and at twice d/signal or before it is d or as large as it can be.
        low, high = 1, max(3, int(2 * _STEPS * rounded.d / rounded.signal) + 2)
        middle = min(max(int(_near(rounded, splits[0], constants) * _STEPS), low), high - 1)
        step = middle // _STRIDES + 1
        if falls(middle):
            low = middle
            while low + step < high and falls(low + step):
                low, step = low + step, 2 * step
            high = min(low + step, high)
        else:
            high = middle
            while high - step > low and not falls(high - step):
                high, step = high - step, 2 * step
            low = max(high - step, low)
        while high - low > max(1, low // _PARTS):
            middle = (low + high) // 2
            low, high = (middle, high) if falls(middle) else (low, middle)
        return value(low), Fraction(low, _STEPS)


def _near(it: Margin, kept: float, constants: Constants) -> float:
    """The best slope where no other key is in the heads, and one near it; all arguments floats.

    The least -k + k^2/(2d) is at k = d, or where k is largest if that is less.
    """
    cost: float = constants.noise * kept * it.noise / it.d
    cost += constants.leak * (it.leak_s + it.leak_r)
    signal, d = float(it.signal), float(it.d)
    if not cost:
        return d / signal
    reached: float = max(signal**2 - 4 * cost * d, 0.0)
    return (signal - sqrt(reached)) / (2 * cost)


def splits_of(it: Margin) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Values of ``Free`` but the slope that are worth a try."""
    if not (it.trace_s or it.trace_r):
        return [(Fraction(1), Fraction(0), Fraction(0))]
    # The two heads' sums are added as vectors of about these lengths.
    length_s, length_r = (round(_STEPS * float(t) ** 0.5) for t in (it.trace_s, it.trace_r))
    both = length_s + length_r
    return [
        (
            1 + given,
            (1 + 1 / given) * Fraction(both, length_s) if length_s else Fraction(0),
            (1 + 1 / given) * Fraction(both, length_r) if length_r else Fraction(0),
        )
        for given in _GIVEN
    ]
