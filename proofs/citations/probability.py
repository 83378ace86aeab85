"""Inequalities of probability for any law, and the law of large numbers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod
from random import Random

from proofs.citations.citation import Citation, Trial
from proofs.citations.draws import Law, Vector, inner, law, mean, rational, vector, weights

_BILLINGSLEY = "Billingsley, Probability and Measure, 3rd ed., 1995"
_HARDY = "Hardy, Littlewood and Polya, Inequalities, 2nd ed., 1952"


def _below(draw: Random) -> tuple[Law, Fraction]:
    """A law of values that are not negative, and a threshold, at times of the values 0 and a alone."""
    threshold = rational(draw, 1, 4)
    if draw.random() < 1 / 3:
        chance = weights(draw, 2)
        return ((chance[0], Fraction(0)), (chance[1], threshold)), threshold
    return law(draw, 0, 6), threshold


def _at_least(case: tuple[Law, Fraction]) -> Fraction:
    return mean(case[0], lambda value: Fraction(value >= case[1]))


MARKOV = Citation(
    "Markov's inequality",
    "P(X >= a) <= E X/a",
    ("X >= 0", "a > 0"),
    f"{_BILLINGSLEY}, Section 21",
    (Trial("finite laws on [0, 6]", _below, _at_least, lambda case: mean(case[0]) / case[1]),),
)


@dataclass(frozen=True)
class _Events:
    """Points with their probabilities, and events as sets of points."""

    weights: Vector
    events: tuple[frozenset[int], ...]

    def probability(self, event: frozenset[int]) -> Fraction:
        return sum((self.weights[point] for point in event), Fraction(0))


def _events(draw: Random) -> _Events:
    points = draw.randint(2, 8)
    if draw.random() < 1 / 3:  # that exclude each other
        cut = draw.randint(1, points - 1)
        sets = [frozenset(range(cut)), frozenset(range(cut, points))]
    else:
        sets = [
            frozenset(p for p in range(points) if draw.random() < 1 / 3)
            for _ in range(draw.randint(2, 4))
        ]
    return _Events(weights(draw, points), tuple(sets))


BOOLE = Citation(
    "Boole's inequality",
    "P(some A_i) <= sum_i P(A_i)",
    ("the A_i are finitely or countably many events of one probability space, of any joint law",),
    f"{_BILLINGSLEY}, Th. 2.1",
    (
        Trial(
            "families of events in finite spaces",
            _events,
            lambda case: case.probability(frozenset().union(*case.events)),
            lambda case: sum(map(case.probability, case.events)),
        ),
    ),
)


@dataclass(frozen=True)
class _Convex:
    """a x + sum of c |x - k| and c (x - k)^4, the c not negative."""

    slope: Fraction
    parts: tuple[tuple[Fraction, Fraction, int], ...]

    def __call__(self, x: Fraction) -> Fraction:
        return self.slope * x + sum(c * abs(x - k) ** power for c, k, power in self.parts)


def _convex(draw: Random) -> tuple[Law, _Convex]:
    parts = tuple(
        (rational(draw, 0, 2), rational(draw, -3, 3), draw.choice((1, 2, 4)))
        for _ in range(draw.randint(0, 2))
    )
    return law(draw, -4, 4), _Convex(rational(draw, -2, 2), parts)


JENSEN = Citation(
    "Jensen's inequality",
    "f(E X) <= E f(X)",
    ("f is convex on an interval in which X takes its values", "X and f(X) are integrable"),
    f"{_BILLINGSLEY}, Section 21",
    (
        Trial(
            "finite laws and convex functions",
            _convex,
            lambda case: case[1](mean(case[0])),
            lambda case: mean(*case),
        ),
    ),
)

#: Exponents p = m/k with sum 1/p = 1, as pairs (m, k): with X = Y^k both sides are rational.
_EXPONENTS = (
    ((2, 1), (2, 1)),
    ((3, 2), (3, 1)),
    ((4, 3), (4, 1)),
    ((2, 1), (3, 1), (6, 1)),
    ((3, 1), (3, 1), (3, 1)),
)


@dataclass(frozen=True)
class _Product:
    """A finite law of (|Y_1|, ..., |Y_n|), X_i = Y_i^(k_i), and the exponents p_i = m_i/k_i."""

    chances: Vector
    factors: tuple[Vector, ...]
    exponents: tuple[tuple[int, int], ...]

    @property
    def common(self) -> int:
        return lcm(*(m for m, _ in self.exponents))

    def of_product(self) -> Fraction:
        """E|X_1 ... X_n|, to the common power."""
        products = [
            prod(y**k for y, (_, k) in zip(ys, self.exponents, strict=True))
            for ys in zip(*self.factors, strict=True)
        ]
        return inner(self.chances, products) ** self.common

    def of_norms(self) -> Fraction:
        """prod ||X_i||_(p_i), to the common power."""
        return prod(
            (
                inner(self.chances, [y**m for y in ys]) ** (self.common * k // m)
                for ys, (m, k) in zip(self.factors, self.exponents, strict=True)
            ),
            start=Fraction(1),
        )


def _product(draw: Random) -> _Product:
    exponents = draw.choice(_EXPONENTS)
    points = draw.randint(2, 4)
    high = draw.choice((2, 4))
    factors = tuple(vector(draw, points, 1 if high == 2 else 0, high) for _ in exponents)
    return _Product(weights(draw, points), factors, exponents)


HOELDER = Citation(
    "Hoelder's inequality",
    "E|X_1 ... X_n| <= prod ||X_i||_(p_i)",
    ("p_i > 1 and sum_i 1/p_i = 1", "E|X_i|^(p_i) is finite for every i"),
    f"{_BILLINGSLEY}, Section 21, for n = 2; {_HARDY}, Th. 11 for finite laws",
    (Trial("finite laws and exponents", _product, _Product.of_product, _Product.of_norms),),
)


def _pair(draw: Random) -> tuple[Vector, Vector]:
    """Two vectors, at times multiples of one another."""
    one = vector(draw, draw.randint(1, 5))
    if draw.random() < 1 / 3:
        scale = rational(draw, -2, 2)
        return one, tuple(scale * entry for entry in one)
    return one, vector(draw, len(one))


CAUCHY_SCHWARZ = Citation(
    "the Cauchy-Schwarz inequality",
    "<x, y>^2 <= |x|^2 |y|^2, with equality for multiples",
    ("x and y are vectors of one space with an inner product",),
    f"{_HARDY}, Th. 7",
    (
        Trial(
            "pairs of rational vectors",
            _pair,
            lambda case: inner(*case) ** 2,
            lambda case: inner(case[0], case[0]) * inner(case[1], case[1]),
        ),
    ),
)


def _spread(draw: Random) -> Law:
    """A finite law, at times a fair one on two values."""
    if draw.random() < 1 / 3:
        half = Fraction(1, 2)
        return (half, rational(draw, -4, 0)), (half, rational(draw, 1, 4))
    return law(draw, -4, 4)


def _range(one: Law) -> Fraction:
    values = [value for _, value in one]
    return max(values) - min(values)


POPOVICIU = Citation(
    "Popoviciu's inequality",
    "0 <= Var X <= (b - a)^2/4",
    ("a <= X <= b",),
    "Popoviciu, Mathematica (Cluj) 9, 1935, 129-145",
    (
        Trial(
            "finite laws on [-4, 4]",
            _spread,
            lambda case: mean(case, lambda value: (value - mean(case)) ** 2),
            lambda case: _range(case) ** 2 / 4,
        ),
    ),
)

LARGE_NUMBERS = Citation(
    "strong law of large numbers",
    "(X_1 + ... + X_n)/n tends to E X_1 almost surely",
    ("the X_i are independent and of one law", "E|X_1| is finite"),
    f"{_BILLINGSLEY}, Th. 22.1",
    untried="it speaks of a limit: no finite number of variables contradicts it",
)
