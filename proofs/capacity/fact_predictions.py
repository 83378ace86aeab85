"""Predictions, not bounds: the probability that a transformer built for a fact table loses a fact.

Leads of the keys over EOS and margins of the facts are taken as normal with their exact mean and
variance, and failures as rare and independent, so that P(failure) is 1 - exp(-expected number of
failures). What multiplies the own term of a margin, lengths of projections and A = 1 - <phi(a),
phi(b)>, keeps its sign and is taken at its mean; a head that attends to a token in place of EOS is
taken to do no harm. Answers are spread evenly, a*(s, r) = r D + (s mod D). Serves Nichani et al.,
App. C, Theorems 10 and 11.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from flint import arb

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball, evaluate, precision, upper
from proofs.algebra.symbols import symbols
from proofs.capacity.attention_margin import competitors
from proofs.capacity.attention_mlp import H2, Sizes
from proofs.capacity.conditions import read_size
from proofs.capacity.denoising import key_failure, partition
from proofs.capacity.fact_condition import FactCondition, check_head_dimension
from proofs.memories import two_input_mlp

_ONE = Fraction(1)


class Margins(NamedTuple):
    """How many margins, or gaps, of one fact or head are alike, with their mean and variance."""

    many: int
    mean: arb
    variance: arb

    def negative(self) -> arb:
        """The expected number of those that are <= 0."""
        if not self.variance > 0:
            return arb(0 if self.mean > 0 else self.many)
        return self.many * (self.mean / (2 * self.variance).sqrt()).erfc() / 2


class FactPrediction(ABC):
    """Base of the predictions: subclasses supply the margins of one fact.

    *d*: embedding dimension; *M*: tokens a head, at most; *noise*: noise tokens, S + R if None.
    """

    #: The smallest dimension of the construction.
    least: int

    def __init__(self, d: int, M: int = 1, noise: int | None = None) -> None:
        self.d, self.M = read_size("d", d, self.least), read_size("M", M)
        self.noise = None if noise is None else read_size("noise", noise, 0)

    def failure(self, S: int, R: int, D: int) -> Fraction:
        """The predicted probability that some of the S x R facts is lost, D answers a relation.

        Raises ValueError for sizes out of range.
        """
        sizes = Sizes.read(
            self.d, S, R, D, 1, self.noise, -(-read_size("S", S) // read_size("D", D))
        )
        with precision():
            lost = sum((margin.negative() for margin in self._margins(sizes)), arb(0)) * S * R
            for count in (S, R):
                lost += sum((gap.negative() for gap in self._gaps(count)), arb(0))
            return min(upper(-(-lost).expm1()), _ONE)

    def _gaps(self, count: int) -> Iterator[Margins]:
        """By how much the keys lead EOS in heads of n of them: A/2 + sqrt(2A) (n - 1 terms t).

        The heads of ``partition``, counted by their size.
        """
        heads = -(-count // self.M)
        for n, many in (
            (count // heads, heads - count % heads),
            (count // heads + 1, count % heads),
        ):
            variance = Fraction(1, 4 * self.d) + Fraction(2 * (n - 1), self.d)
            yield Margins(many * n, ball(Fraction(1, 2)), ball(variance))

    def _largest_head(self, count: int) -> int:
        """The most keys of a head, *count* tokens being spread evenly."""
        heads = -(-count // self.M)
        return -(-count // heads)

    @abstractmethod
    def _margins(self, sizes: Sizes) -> Iterator[Margins]:
        """The margins of one fact."""


class AttentionPrediction(FactPrediction):
    """The attention-only construction with head dimension *d_h* and orthonormal factors."""

    least = 2

    def __init__(self, d: int, d_h: int, M: int = 1, noise: int | None = None) -> None:
        super().__init__(d, M, noise)
        check_head_dimension(d, read_size("d_h", d_h))
        self.d_h = d_h

    def _margins(self, sizes: Sizes) -> Iterator[Margins]:
        d, d_h = self.d, self.d_h
        spread = Fraction(2 * (d - d_h), d_h * (d + 2))  # the variance of tau
        subjects, relations = (self._largest_head(n) - 1 for n in (sizes.S, sizes.R))
        # Other keys of the head of s that have the answers of s, on the average.
        alike = Fraction(subjects, sizes.D)
        for rival in competitors(sizes.R, sizes.D, sizes.R * sizes.D + sizes.others):
            mean = rival.by_subject + rival.by_relation
            apart = (alike if rival.by_subject else 0) + (0 if rival.by_relation else relations > 0)
            others = (rival.with_subject + rival.with_relation) * (1 + spread)
            others += Fraction(subjects * sizes.R + relations * sizes.D, d_h)
            variance = (1 + Fraction(1, d)) * Fraction(apart, d_h) + Fraction(2, d) * others
            yield Margins(rival.many, arb(mean), ball(variance))


class AttentionMLPPrediction(FactPrediction):
    """The construction with an MLP of *m* neurons, p = k = 1, and the activation h_2.

    *spread* multiplies the variance of the margins: 1, and other values to show that it matters.
    """

    least = 3

    def __init__(
        self, d: int, m: int, M: int = 1, noise: int | None = None, *, spread: Fraction = _ONE
    ) -> None:
        super().__init__(d, M, noise)
        self.m, self.spread = read_size("m", m), spread

    def _margins(self, sizes: Sizes) -> Iterator[Margins]:
        C, half = sizes.collisions, Fraction((sizes.d - 1) // 2)
        kinds = (
            (sizes.D - 1, "same relation", False, C),
            (sizes.R - 1, "other relation", True, C),
            ((sizes.R - 1) * (sizes.D - 1), "other relation", False, C),
            (sizes.others, "other relation", False, 0),
        )
        values: dict[str, int | Fraction] = {
            "d": self.d,
            "h": half,
            "S": sizes.S,
            "R": sizes.R,
            "m": self.m,
            "C": C,
        }
        for many, rival, answers_subject, shared in kinds:
            if many:
                place = {k: ball(v) for k, v in (values | {"B": shared}).items()}
                mean, variance = (
                    evaluate(moment, **place) for moment in _moments(rival, answers_subject)
                )
                yield Margins(many, mean, ball(self.spread) * variance)


class AttentionMLPCalibrated(FactCondition):
    """Calibrated, not proved: the prediction taken as a bound, plus the proved one on the heads.

    The margins of an MLP have heavier tails than normal ones, and drawn constructions decide whether
    the prediction covers them: the claim ``nichani.thm11.explicit.calibrated`` says at which sizes.
    For random tables, answers uniform. *spread* as for ``AttentionMLPPrediction``.
    """

    def __init__(self, spread: Fraction = _ONE) -> None:
        self.spread = spread

    def failure_bound(
        self,
        d: int,
        S: int,
        R: int,
        D: int,
        *,
        m: int,
        M: int = 1,
        noise: int | None = None,
    ) -> Fraction:
        """What is taken for an upper bound on P(some fact is not recalled in some context).

        Sizes as for ``AttentionMLP.failure_bound``. Raises ValueError for sizes out of range.
        """
        predicted = AttentionMLPPrediction(d, m, M, noise, spread=self.spread).failure(S, R, D)
        tokens = S + R + (S + R if noise is None else noise)
        return min(predicted + key_failure(d, partition(S, M) + partition(R, M), tokens), _ONE)


@lru_cache(maxsize=8)
def _moments(rival: Any, answers_subject: bool) -> tuple[RationalFunction, RationalFunction]:
    """Mean of the margin, and its variance less that of a single fact with many neurons, in d, h =
    dim P = dim Q, S, R, m, C = C(a) and B = C(b)."""
    d, h, S, R, m, C, B = symbols("d h S R m C B")
    shape = two_input_mlp.Shape(d, S, R, m, 1, 1, H2, half=h)
    table = two_input_mlp.Table(C, B, rival, answers_subject)
    variance = two_input_mlp.margin_variance(shape, table).value
    alone = two_input_mlp.margin_variance(shape, two_input_mlp.Table(1, 0)).value(S=1, R=1)
    lengths = alone(m=1 / m)(m=0)
    return two_input_mlp.margin_mean(shape, table).value, variance - lengths
