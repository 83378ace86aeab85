"""Small worlds of factual recall with a learner, enumerated: all tables, their message, all entropies.

The set-up of Sec. 6: disjoint answer sets of D of V tokens, answers drawn from them, a message made from
the answers alone. Predictions are made from the message, so they tell as much as it does if no two
messages make the same ones.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from proofs.information.entropy import ZERO, Information, log
from proofs.information.joint import Joint

#: answers[s][r], tokens 0, ..., V - 1.
Answers: TypeAlias = tuple[tuple[int, ...], ...]
AnswerSets: TypeAlias = tuple[tuple[int, ...], ...]
#: (message, s, r, token) to the predicted probability.
Predictor: TypeAlias = Callable[[Hashable, int, int, int], Fraction]

#: More outcomes than this are not enumerated.
MOST_OUTCOMES = 20_000


def require_room(R: int, D: int, V: int) -> None:
    """Raise ValueError unless there are R disjoint sets of D of V tokens, R, D >= 1."""
    if R < 1 or D < 1:
        raise ValueError(f"R = {R}, D = {D}: there is nothing to recall; both must be at least 1")
    if V < R * D:
        raise ValueError(
            f"V = {V}: R = {R} disjoint answer sets of D = {D} tokens need V >= R D = {R * D}"
        )


def answer_sets(R: int, D: int, V: int) -> Iterator[AnswerSets]:
    """All ordered choices of R disjoint sets of D of V tokens, all equally probable."""
    require_room(R, D, V)

    def further(chosen: AnswerSets, left: frozenset[int]) -> Iterator[AnswerSets]:
        if len(chosen) == R:
            yield chosen
            return
        for one in itertools.combinations(sorted(left), D):
            yield from further((*chosen, one), left - set(one))

    return further((), frozenset(range(V)))


#: Messages that a learner may write down, by name.
MESSAGES: dict[str, Callable[[Answers], Hashable]] = {
    "nothing": lambda a: 0,
    "everything": lambda a: a,
    "the first answer": lambda a: a[0][0],
    "the first subject": lambda a: a[0],
    "a parity": lambda a: sum(token * (1 + i) for i, row in enumerate(a) for token in row) % 2,
    "the order of two answers": lambda a: a[0][0] < a[0][-1],
    "whether two answers agree": lambda a: a[0][0] == a[-1][0],
}


@dataclass(frozen=True)
class RecallWorld:
    """One world with its joint law over A0, A1, ..., a00, a01, ... (s, then r) and F, the message."""

    R: int
    D: int
    V: int
    S: int
    message: str
    joint: Joint

    @property
    def sets(self) -> tuple[str, ...]:
        return tuple(f"A{r}" for r in range(self.R))

    @property
    def facts(self) -> tuple[tuple[int, int], ...]:
        return tuple(itertools.product(range(self.S), range(self.R)))

    @property
    def answers(self) -> tuple[str, ...]:
        return tuple(answer(s, r) for s, r in self.facts)

    @property
    def sizes(self) -> dict[str, object]:
        """What a reader needs to set it up by hand."""
        sizes: dict[str, object] = {"R": self.R, "D": self.D, "|V|": self.V, "S": self.S}
        return {**sizes, "message": self.message}

    def about(self, variables: str | tuple[str, ...], given: tuple[str, ...] = ()) -> Information:
        """I(variables; F | given)."""
        return self.joint.mutual_information(variables, "F", given)

    def loss(self, s: int, r: int, predictor: Predictor | None = None) -> Information | None:
        """E[-log of the probability predicted for a*(s, r)], None if infinite.

        Without a predictor that of the best one, the posterior: H(a*(s, r) | F).
        """
        name = answer(s, r)
        if predictor is None:
            return self.joint.conditional_entropy(name, "F")
        total = ZERO
        for (token, message), p in self.joint.marginal((name, "F")).law.items():
            assert isinstance(token, int)
            predicted = predictor(message, s, r, token)
            if not predicted:
                return None
            total -= p * log(predicted)
        return total


def answer(s: int, r: int) -> str:
    """The name of a*(s, r)."""
    return f"a{s}{r}"


@lru_cache(maxsize=128)
def recall_world(R: int, D: int, V: int, S: int, message: str) -> RecallWorld:
    """The world with the message called so in ``MESSAGES``.

    Raises ValueError for V < R D, and for more than ``MOST_OUTCOMES`` outcomes.
    """
    sets = list(answer_sets(R, D, V))
    count = len(sets) * D ** (S * R)
    if count > MOST_OUTCOMES:
        raise ValueError(
            f"R = {R}, D = {D}, V = {V}, S = {S}: {count} outcomes are more than {MOST_OUTCOMES}; "
            "take a smaller world"
        )
    write = MESSAGES[message]
    outcomes = []
    for chosen in sets:
        for flat in itertools.product(*(chosen * S)):
            rows = tuple(flat[s * R : (s + 1) * R] for s in range(S))
            outcomes.append((*chosen, *flat, write(rows)))
    names = [f"A{r}" for r in range(R)]
    names += [answer(s, r) for s in range(S) for r in range(R)]
    return RecallWorld(R, D, V, S, message, Joint.uniform([*names, "F"], outcomes))


#: (R, D, V, S), small ones first.
SMALL: tuple[tuple[int, int, int, int], ...] = (
    (1, 1, 2, 1),
    (1, 2, 2, 1),
    (1, 2, 3, 1),
    (2, 1, 4, 1),
    (1, 2, 4, 2),
    (2, 2, 5, 1),
)


def small_worlds() -> Iterator[RecallWorld]:
    """All messages in all the small worlds."""
    for R, D, V, S in SMALL:
        for message in MESSAGES:
            yield recall_world(R, D, V, S, message)
