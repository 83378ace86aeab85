"""Learners as exact joint laws: values f1, ..., fN, message F, prediction h, all of it by enumeration.

Encoders and predictors are random or not, good or bad, so that each step of the proof of Theorem 7 is
attained somewhere and strict somewhere.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TypeAlias

from proofs.information.entropy import ZERO, Information, bits, log, relative_entropy
from proofs.information.joint import Joint
from proofs.information.power_laws import power_law

#: The laws that are predicted for the values, one a token.
Prediction: TypeAlias = tuple[tuple[Fraction, ...], ...]
_Encode: TypeAlias = Callable[[tuple[int, ...], int], int]
_Predict: TypeAlias = Callable[[Prediction, Prediction], Mapping[Prediction, Fraction]]

_HALF = Fraction(1, 2)
_SIZES = ((1, 2, 1), (1, 3, 1), (1, 4, 2), (2, 2, 1), (2, 2, 2), (2, 3, 1), (3, 2, 1))


@dataclass(frozen=True)
class Learner:
    """A learner of a uniform table: its name, its sizes, and the joint law of f1, ..., fN, F, h."""

    name: str
    N: int
    M: int
    B: int
    law: Joint

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(f"f{x}" for x in range(1, self.N + 1))

    @property
    def prior(self) -> tuple[Fraction, ...]:
        """p(x) proportional to 1/x."""
        return power_law(self.N, 1)

    def quantities(self) -> dict[str, Information]:
        """The terms of the proof.

        P = I(f*; h), I = I(f*; F), H = H(F), B, and T = sum_x I(f*(x); h).
        """
        law, f = self.law, self.values
        return {
            "P": law.mutual_information(f, "h"),
            "I": law.mutual_information(f, "F"),
            "H": law.entropy("F"),
            "B": bits(self.B),
            "T": sum(self.informations(), ZERO),
        }

    def informations(self) -> list[Information]:
        """I(f*(x); h), x = 1, ..., N."""
        return [self.law.mutual_information(name, "h") for name in self.values]

    def losses(self) -> list[Information]:
        """E[-log h(x)_{f*(x)}], x = 1, ..., N, all of them finite."""
        found = []
        for x, name in enumerate(self.values):
            total = ZERO
            for (value, prediction), p in self.law.marginal((name, "h")).law.items():
                total -= p * log(prediction[x][value])
            found.append(total)
        return found

    def divergences(self) -> list[Information]:
        """E D(q_x || h(x)), q_x the law of f*(x) given h, x = 1, ..., N."""
        found = [ZERO] * self.N
        for (prediction,), p in self.law.marginal("h").law.items():
            given = self.law.given(h=prediction)
            for x, name in enumerate(self.values):
                law = given.marginal(name).law
                posterior = [law.get((value,), Fraction(0)) for value in range(self.M)]
                found[x] += p * relative_entropy(posterior, prediction[x])
        return found


@cache
def learners() -> tuple[Learner, ...]:
    """Every kind of encoder, with and without noise, with every kind of predictor, in small worlds."""
    found = []
    for N, M, B in _SIZES:
        names = tuple(f"f{x}" for x in range(1, N + 1))
        world = Joint.uniform(names, itertools.product(range(M), repeat=N))
        for (code, encode), noise in itertools.product(_ENCODERS.items(), (Fraction(0), _HALF / 2)):
            sent = world.channel("F", _channel(encode, B, noise), names)
            posteriors = _posteriors(sent, names, M)
            flat: Prediction = tuple((Fraction(1, M),) * M for _ in names)
            for kind, predict in _PREDICTORS.items():
                law = sent.channel("h", _predictor(predict, posteriors, flat), "F")
                words = f"N = {N}, M = {M}, B = {B}: {code}, noise {noise}, {kind}"
                found.append(Learner(words, N, M, B, law))
    return tuple(found)


def _channel(encode: _Encode, B: int, noise: Fraction) -> Callable[..., Mapping[int, Fraction]]:
    """The message of a table; with probability *noise* a uniformly random one instead."""

    def law(*table: int) -> Mapping[int, Fraction]:
        drawn = dict.fromkeys(range(2**B), noise / 2**B)
        drawn[encode(table, 2**B)] += 1 - noise
        return drawn

    return law


_ENCODERS: dict[str, _Encode] = {
    "writes the first value": lambda table, messages: table[0] % messages,
    "sends the sum": lambda table, messages: sum(table) % messages,
    "sends whether all are 0": lambda table, messages: int(not any(table)),
}


def _posteriors(sent: Joint, names: Sequence[str], M: int) -> dict[int, Prediction]:
    """The laws of the values given each message that occurs."""
    found = {}
    for (message,) in sent.marginal("F").law:
        given = sent.given(F=message)
        laws = [given.marginal(name).law for name in names]
        found[message] = tuple(
            tuple(law.get((value,), Fraction(0)) for value in range(M)) for law in laws
        )
    return found


def _predictor(
    predict: _Predict, posteriors: Mapping[int, Prediction], flat: Prediction
) -> Callable[..., Mapping[Prediction, Fraction]]:
    return lambda message: predict(posteriors[message], flat)


def _mixed(first: Prediction, second: Prediction) -> Prediction:
    return tuple(
        tuple((p + q) / 2 for p, q in zip(a, b, strict=True))
        for a, b in zip(first, second, strict=True)
    )


def _reversed(prediction: Prediction) -> Prediction:
    return tuple(row[::-1] for row in prediction)


_PREDICTORS: dict[str, _Predict] = {
    "posterior": lambda best, flat: {best: Fraction(1)},
    "uniform": lambda best, flat: {flat: Fraction(1)},
    "halfway": lambda best, flat: {_mixed(best, flat): Fraction(1)},
    "reversed": lambda best, flat: {_mixed(_reversed(best), flat): Fraction(1)},
    "random": lambda best, flat: (
        {best: _HALF, flat: _HALF} if best != flat else {flat: Fraction(1)}
    ),
}
