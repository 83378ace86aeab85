"""The printed bounds on the heads of a fact table and on the margins of its answers, evaluated.

What they are made of, how many keys and tokens, rivals and weights there are, is counted in a table,
fact by fact and token by token.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from flint import arb

from proofs.algebra.balls import ball
from verify.checks.averages import Beta, average, bounded
from verify.printed.formula import Formula

_NOTHING = arb(0)
#: Cells of tau to a standard deviation.
_FINE = 6


def gap_union(
    gap: Fraction, inside: Formula, outside: Formula, *, d: int, heads: Sequence[int], tokens: int
) -> arb:
    """The union over heads of so many keys, and over the *tokens* beside EOS, of exp(-k + k^2/(2d)) at
    k = d/(gap t), t = *inside* for a key and *outside* for another token; of 0 for t = 0."""
    total = _NOTHING
    for n in heads:
        for many, terms in ((n, inside.at(n=n)), (tokens - n, outside.at(n=n))):
            if terms:
                k = d / (gap * terms)
                total += many * ball(k**2 / (2 * d) - k).exp()
    return total


class Free(NamedTuple):
    """lambda, eta and zeta: any numbers above 0."""

    slope: Fraction
    kept: Fraction
    split: Fraction = Fraction(1)


class Keys(NamedTuple):
    """The other keys of a head: how many answer a or b, and trace and norm of B B^T."""

    answering: int = 0
    trace: int = 0
    norm: int = 0


class Rival(NamedTuple):
    """A token b beside a = a*(s, r): c_a - c_b and the other weights, by how often tau_s and tau_r
    occur in them, and the other keys of both heads."""

    signal: tuple[int, int]
    weights: tuple[int, int]
    keys: tuple[Keys, Keys] = (Keys(), Keys())


@dataclass(frozen=True)
class Tail:
    """The bound on P(margin <= 0, A <= 1 + *reach*) given tau_s and tau_r, in *d* dimensions and *d_h*
    of a head, with the printed constants *noise* and *leak*."""

    noise: Fraction
    leak: Fraction
    d: int
    d_h: int
    reach: Fraction

    def logarithm(self, rival: Rival, free: Free, *tau: arb) -> arb | None:
        """That of the bound; None where a theta is not below 1, or 2j not below d."""
        slope, d = ball(free.slope), self.d
        signal, squares = _NOTHING, _NOTHING
        for by, with_, weight in zip(rival.signal, rival.weights, tau, strict=True):
            signal += by * weight
            squares += with_ * weight**2
        k = slope * signal - ball(self.noise * (1 + free.kept) / d) * slope**2 * squares
        j = determinant = _NOTHING
        for split, keys, weight in zip((free.split, 1 / free.split), rival.keys, tau, strict=True):
            if keys.trace:
                share = (1 + 1 / free.kept) * (1 + split)
                theta = ball(2 * self.noise * (1 + self.reach) * share * keys.norm / (d * self.d_h))
                left = 1 - theta * slope**2 * weight
                if not left > 0:
                    return None
                j += ball(self.leak / self.d_h) * slope**2 * keys.answering * weight / left
                determinant += ball(Fraction(keys.trace, 2 * keys.norm)) * left.log()
        rest = d - 2 * j
        if not rest > 0:
            return None
        # j - k + (k - 2j)^2/(2 rest), the square completed so that the ball is thin.
        square = (k - d) ** 2 / (2 * rest) - rest / 2 - j
        return square - (rest / d).log() / 2 - determinant

    def __call__(self, rival: Rival, free: Free, *tau: arb) -> arb:
        """The bound, at most 1."""
        found = self.logarithm(rival, free, *tau)
        return arb(1) if found is None else bounded(found)


@dataclass(frozen=True)
class Table:
    """Answers, a word a subject with a letter a relation, the keys of each head by their numbers, and
    how many noise tokens there are. Answers of two relations differ, whatever their letters."""

    answers: Sequence[str]
    subjects: Sequence[Sequence[int]]
    relations: Sequence[Sequence[int]]
    noise: int

    @property
    def sizes(self) -> dict[str, int]:
        """S, R, D and M, and the noise tokens."""
        columns = [set(column) for column in zip(*self.answers, strict=True)]
        return {
            "S": len(self.answers),
            "R": len(columns),
            "D": max(map(len, columns)),
            "M": max(map(len, (*self.subjects, *self.relations))),
            "noise": self.noise,
        }

    @property
    def heads(self) -> list[int]:
        """How many keys each head has."""
        return [len(head) for head in (*self.subjects, *self.relations)]

    @property
    def beside(self) -> int:
        """How many tokens beside EOS a context may hold: no answers."""
        return len(self._subject) + len(self._relation) + self.noise

    @property
    def _subject(self) -> list[set[tuple[int, str]]]:
        return [set(enumerate(word)) for word in self.answers]

    @property
    def _relation(self) -> list[set[tuple[int, str]]]:
        return [
            {(r, x) for x in column} for r, column in enumerate(zip(*self.answers, strict=True))
        ]

    @property
    def pairs(self) -> int:
        """How many pairs of an answer and a token there are."""
        answers = sum(map(len, self._relation))
        return answers * (answers + self.beside + 1)

    def facts(self) -> Iterator[Counter[Rival]]:
        """Of each fact (s, r), how many tokens are rivals of which kind."""
        of_s, of_r = self._subject, self._relation
        everywhere = set[tuple[int, str] | None]().union(*of_r)
        for s, word in enumerate(self.answers):
            for r, letter in enumerate(word):
                a = (r, letter)
                kinds: Counter[Rival] = Counter()
                tokens = [*(everywhere - {a}), *[None] * (self.beside + 1)]
                for b in tokens:
                    pair = {a, b}
                    kinds[
                        Rival(
                            (int(b not in of_s[s]), int(b not in of_r[r])),
                            (len(of_s[s] - pair), len(of_r[r] - pair)),
                            (
                                _others(self.subjects, s, of_s, pair),
                                _others(self.relations, r, of_r, pair),
                            ),
                        )
                    ] += 1
                yield kinds

    def lost(self, tail: Tail, free: Mapping[tuple[int, int], Free], law: Beta) -> arb:
        """What the bound adds to the gaps: the sum over the facts of the average of min(1, sum over b),
        tau d_h/d with that *law*, and P(A > 1 + reach) for every pair of an answer and a token.

        *free*: parameters for each signal, for which any others are as good.
        """
        scale = ball(Fraction(tail.d, tail.d_h))
        total = self.pairs * (-ball(tail.reach**2 * tail.d / 2)).exp()
        for kinds, facts in Counter(frozenset(it.items()) for it in self.facts()).items():

            def union(*shares: arb, kinds: frozenset[tuple[Rival, int]] = kinds) -> arb:
                tau = [scale * share for share in shares]
                bounds = (many * tail(it, free[it.signal], *tau) for it, many in kinds)
                return sum(bounds, _NOTHING).min(arb(1))

            total += facts * average(union, law, law, fine=_FINE)
        return total


def _others(
    heads: Sequence[Sequence[int]],
    own: int,
    answers: Sequence[set[tuple[int, str]]],
    pair: set[tuple[int, str] | None],
) -> Keys:
    """The other keys in the head of one. ValueError for more than one other."""
    (head,) = (head for head in heads if own in head)
    others = [answers[key] for key in head if key != own]
    if len(others) > 1:
        raise ValueError(
            f"heads: {head} has more than two keys, and the norm of B B^T is not known"
        )
    # One row: trace and norm are how many answers it has.
    size = sum(map(len, others))
    return Keys(sum(bool(other & pair) for other in others), size, size)
