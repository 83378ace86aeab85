"""Tables of facts a*: S x R -> A, given by hand or drawn, whole or a subset.

Serves Sec. 4.1 of arXiv 2412.06538: the dictionary of facts, with Assumption 1 checked.
"""

import sys
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from numerics.checks import check_integer, check_there, fitting
from numerics.errors import InputError
from numerics.random import Stream, replicate_integers
from numerics.tasks.draws import cumulated, drawn

NOT_A_FACT = -1

# Sizes stay far from the end of int64, whatever is added to them.
_LARGEST = 2**31


def _as_tensor(answers: Tensor | Sequence[Sequence[int]]) -> Tensor:
    if isinstance(answers, Tensor):
        check_there("answers", answers)
        return answers.detach().cpu().clone()
    try:
        return torch.tensor(answers)
    except (TypeError, ValueError, RuntimeError, OverflowError):
        raise InputError(
            "answers are no rectangle of integers: pass S rows of R answers each, "
            f"{NOT_A_FACT} where there is no fact"
        ) from None


def _check_shape_and_values(answers: Tensor) -> None:
    if answers.dtype != torch.int64 or answers.dim() != 2 or 0 in answers.shape:
        raise InputError(
            f"answers has dtype {answers.dtype} and shape {tuple(answers.shape)}: "
            "pass int64 of shape (S, R), S >= 1, R >= 1"
        )
    outside = torch.nonzero((answers < NOT_A_FACT) | (answers >= _LARGEST))
    if len(outside):
        s, r = outside[0].tolist()
        raise InputError(
            f"answers[{s}, {r}] = {int(answers[s, r])} is no answer: pass indices in "
            f"0..{_LARGEST - 1}, or {NOT_A_FACT} where there is no fact"
        )
    if not bool((answers != NOT_A_FACT).any()):
        raise InputError(
            f"answers are all {NOT_A_FACT}, so the table holds no fact: give at least one answer"
        )


def _check_sizes(S: int, R: int, D: int) -> None:
    for name, size in (("S", S), ("R", R), ("D", D)):
        check_integer(name, size, minimum=1)
    if R * D > _LARGEST:
        raise InputError(
            f"R D = {R * D} answers are too many: lower R = {R} or D = {D} until R D <= {_LARGEST}"
        )


def random_answers(S: int, R: int, D: int, *, seed: int) -> Tensor:
    """The answers of `FactTable.random`, int64 (S, R), without a table; errors as there."""
    _check_sizes(S, R, D)
    stream = Stream(seed, "fact table", "random")
    columns = replicate_integers(R, S, 1, below=D, stream=stream).squeeze(2)
    return columns.T + torch.arange(R) * D


class FactTable:
    """Facts (s, r) -> a*(s, r), s in 0..S-1, r in 0..R-1, answers in 0..A-1.

    `answers`: int64 (S, R), or S rows of R integers; entry (s, r) is the index of the answer,
    NOT_A_FACT = -1 where (s, r) is no fact. A: how many answers there are, among them such as
    no fact has; 1 + the largest index unless given.

    Attributes: answers, int64 (S, R), a copy on the CPU, not to be written to; S, R, A;
    D = max_r |A_r|, the most answers that facts of one relation have; facts, int64 (F, 2), the
    pairs (s, r) in order, F = len(table) >= 1.

    Raises InputError for another shape or dtype, an index outside 0..A-1, a table without a
    fact, and an answer of two relations: Assumption 1 wants the sets A_r disjoint.
    """

    def __init__(self, answers: Tensor | Sequence[Sequence[int]], *, A: int | None = None) -> None:
        self.answers = _as_tensor(answers)
        _check_shape_and_values(self.answers)
        self.S, self.R = (int(size) for size in self.answers.shape)
        largest = int(self.answers.max())
        if A is None:
            A = largest + 1
        check_integer("A", A, minimum=1, maximum=_LARGEST)
        if largest >= A:
            raise InputError(
                f"A = {A} is too small for the answer {largest}: pass at least {largest + 1}"
            )
        self.A = A
        self.facts = torch.nonzero(self.answers != NOT_A_FACT)
        self.D = int(self._answers_per_relation().max())

    def _answers_per_relation(self) -> Tensor:
        """|A_r|, int64 (R,); InputError where an answer has two relations."""
        relations = self.facts[:, 1]
        answers, order = self._fact_answers().sort(stable=True)
        relations = relations[order]
        same = answers[1:] == answers[:-1]
        torn = torch.nonzero(same & (relations[1:] != relations[:-1]))
        if len(torn):
            answer = int(answers[int(torn[0])])
            owners = sorted(set(relations[answers == answer].tolist()))
            listed = ", ".join(map(str, owners[:5])) + (", ..." if len(owners) > 5 else "")
            raise InputError(
                f"answer {answer} belongs to relations {listed}, against Assumption 1 "
                "(A_r and A_r' disjoint): give each relation answers of its own"
            )
        first = torch.cat([torch.tensor([True]), ~same])
        return torch.bincount(relations[first], minlength=self.R)

    def _fact_answers(self) -> Tensor:
        return self.answers[self.facts[:, 0], self.facts[:, 1]]

    def __len__(self) -> int:
        """F, the number of facts."""
        return len(self.facts)

    def __repr__(self) -> str:
        return f"FactTable(S={self.S}, R={self.R}, A={self.A}, D={self.D}, facts={len(self)})"

    @property
    def collisions(self) -> Tensor:
        """C(a), the number of facts with answer a: int64 (A,), with sum F."""
        return torch.bincount(self._fact_answers(), minlength=self.A)

    def answer(self, s: int, r: int) -> int:
        """a*(s, r); InputError where (s, r) is outside S x R or no fact."""
        check_integer("s", s, minimum=0, maximum=self.S - 1)
        check_integer("r", r, minimum=0, maximum=self.R - 1)
        answer = int(self.answers[s, r])
        if answer == NOT_A_FACT:
            raise InputError(f"(s, r) = ({s}, {r}) is no fact of the table: pass a row of `facts`")
        return answer

    def answers_of_subject(self, s: int) -> tuple[int, ...]:
        """A_s, the answers of subject s in increasing order; empty where s is in no fact."""
        check_integer("s", s, minimum=0, maximum=self.S - 1)
        return self._answers_in(self.answers[s])

    def answers_of_relation(self, r: int) -> tuple[int, ...]:
        """A_r, the answers of relation r in increasing order; empty where r is in no fact."""
        check_integer("r", r, minimum=0, maximum=self.R - 1)
        return self._answers_in(self.answers[:, r])

    @staticmethod
    def _answers_in(entries: Tensor) -> tuple[int, ...]:
        return tuple(sorted(set(entries[entries != NOT_A_FACT].tolist())))

    def subset(self, count: int, *, seed: int) -> "FactTable":
        """A table with `count` of the facts, a uniformly random set of them, and the same S, R, A.

        1 <= count <= F; InputError otherwise. For one seed, smaller subsets lie in larger ones.
        """
        check_integer("count", count, minimum=1)
        if count > len(self):
            raise InputError(
                f"count = {count} facts are more than the {len(self)} of the table "
                f"(S R = {self.S * self.R}): ask for at most {len(self)}"
            )
        order = Stream(seed, "fact table", "subset").generator().permutation(len(self))
        s, r = self.facts[torch.from_numpy(order[:count])].T
        kept = torch.full_like(self.answers, NOT_A_FACT)
        kept[s, r] = self.answers[s, r]
        return FactTable(kept, A=self.A)

    @classmethod
    def random(cls, S: int, R: int, D: int, *, seed: int) -> "FactTable":
        """a*(s, r) uniform in the block r D .. (r+1) D - 1, independent over (s, r); A = R D.

        S, R, D >= 1; InputError otherwise. An entry depends on seed, D, s and r alone. The
        attribute D of the table is smaller than this D where no relation draws all its answers.
        """
        return cls(random_answers(S, R, D, seed=seed), A=R * D)

    @classmethod
    def skewed(cls, S: int, R: int, D: int, *, exponent: float, seed: int) -> "FactTable":
        """a*(s, r) = r D + k with chance proportional to (k+1)^-exponent, k = 0..D-1; A = R D.

        S, R, D >= 1 and a finite exponent >= 0 (0: uniform); InputError otherwise. An entry
        depends on seed, D, exponent, s and r alone.
        """
        _check_sizes(S, R, D)
        if isinstance(exponent, bool) or not isinstance(exponent, int | float):
            raise InputError(f"exponent = {exponent!r} is not a number: pass one >= 0")
        if not 0 <= exponent <= sys.float_info.max:
            raise InputError(
                f"exponent = {exponent} is no skew: pass a finite number >= 0 (0 is uniform)"
            )
        with fitting(f"weights of D = {D} answers"):
            cumulative = cumulated(np.arange(1.0, D + 1) ** -float(exponent))
        stream = Stream(seed, "fact table", "skewed")
        with fitting(f"{S} x {R} answers"):
            columns = [
                r * D + drawn(cumulative, stream.replicate(r).generator().random(S))
                for r in range(R)
            ]
            return cls(torch.from_numpy(np.stack(columns, axis=1)), A=R * D)

    @classmethod
    def structured(cls, S: int, R: int, D: int) -> "FactTable":
        """a*(s, r) = r D + (s mod D), as evenly spread as can be; A = R D.

        S, R, D >= 1; InputError otherwise. The attribute D of the table is min(S, D).
        """
        _check_sizes(S, R, D)
        with fitting(f"{S} x {R} answers"):
            answers = torch.arange(R) * D + (torch.arange(S) % D)[:, None]
        return cls(answers, A=R * D)

    @classmethod
    def injective(cls, S: int, R: int) -> "FactTable":
        """a*(s, r) = r S + s: every fact has an answer of its own; A = S R, D = S.

        S, R >= 1; InputError otherwise.
        """
        check_integer("S", S, minimum=1)
        check_integer("R", R, minimum=1)
        return cls.structured(S, R, S)
