"""The world of the linear attention model: a table of facts, its prior, and what its tokens are.

Serves Sec. 5 of arXiv 2412.06538: Theorems 5 and 6 and Figure 5.
"""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics.checks import check_integer
from numerics.errors import InputError
from numerics.flow.arguments import converted
from numerics.tasks import FactTable
from numerics.tasks.tables import NOT_A_FACT

_LARGEST = 2**31

Array = NDArray[np.float64]


def _checked_prior(prior: Any, facts: NDArray[np.bool_]) -> Array:
    """`prior` as float64 (S, R); InputError unless it is a law on the facts."""
    values = converted(
        "prior", prior, f"pass {facts.shape}, or None for equal chances of all facts"
    )
    if values.shape != facts.shape:
        raise InputError(f"prior has shape {values.shape}: pass (S, R) = {facts.shape}")
    bad = np.argwhere(~(np.isfinite(values) & (values >= 0)))
    if len(bad):
        s, r = bad[0]
        raise InputError(f"prior[{s}, {r}] = {values[s, r]} is no chance: pass numbers >= 0")
    astray = np.argwhere((values > 0) & ~facts)
    if len(astray):
        s, r = astray[0]
        raise InputError(
            f"prior[{s}, {r}] = {values[s, r]}, but the table holds no fact there: pass 0"
        )
    total = float(values.sum())
    if abs(total - 1) > 1e-9:
        raise InputError(f"prior sums to {total}: divide it by its sum")
    return values / total


class FlowWorld:
    """Sequences of a subject, a relation, T - 3 noise tokens and EOS, the answer to be predicted.

    s and r, drawn from `prior`, each stand once, at two distinct places among the first T - 1; the
    noise tokens are i.i.d. uniform over |N| = `noise` of them; EOS is last, so it is in every
    sequence, once. `prior`: (S, R), chances >= 0 summing to 1, 0 where the table holds no fact;
    equal over the facts if None.

    Columns of weights: subjects 0..S-1, relations S..S+R-1, noise, EOS last. "Full": one column for
    each noise token. "Collapsed": one noise column for all, which loses nothing where they start
    equal, as they then stay so. It is there without noise tokens too, and then has no effect.

    Attributes: table, T, noise; S, R, A, D of the table; prior, float64 (S, R); answers, int64 (S, R),
    -1 where there is no fact; tokens = S + R + |N| + 1 and collapsed_tokens = S + R + 2, the numbers of
    columns; rates, float64 (S + R + 2,), the expected count of each token, of one noise token.

    Raises InputError for T < 3, no noise with T > 3, another table or an unusable prior.
    """

    def __init__(self, table: FactTable, *, T: int, noise: int, prior: Any = None) -> None:
        if not isinstance(table, FactTable):
            raise InputError(f"table is a {type(table).__name__}: pass a FactTable")
        check_integer("T", T, minimum=-_LARGEST, maximum=_LARGEST)
        if T < 3:
            raise InputError(
                f"T = {T} has no places for a subject, a relation and EOS: pass T of at least 3"
            )
        check_integer("noise", noise, minimum=0, maximum=_LARGEST)
        if noise == 0 and T > 3:
            raise InputError(
                f"noise = 0 leaves {T - 3} places of a sequence of length T = {T} empty: "
                "pass noise of at least 1, or T = 3"
            )
        self.table = table
        self.T, self.noise = T, noise
        self.S, self.R, self.A, self.D = table.S, table.R, table.A, table.D
        self.answers: NDArray[np.int64] = table.answers.numpy()
        facts = self.answers != NOT_A_FACT
        self.prior: Array = facts / facts.sum() if prior is None else _checked_prior(prior, facts)
        self.tokens = self.S + self.R + noise + 1
        self.collapsed_tokens = self.S + self.R + 2
        each_noise = (T - 3) / noise if noise else 0.0
        self.rates: Array = np.concatenate(
            [self.prior.sum(1), self.prior.sum(0), [each_noise, 1.0]]
        )

    def __repr__(self) -> str:
        return f"FlowWorld({self.table!r}, T={self.T}, noise={self.noise})"

    @classmethod
    def random(cls, S: int, R: int, D: int, *, T: int, noise: int, seed: int) -> "FlowWorld":
        """Equal chances of the facts of `FactTable.random(S, R, D, seed=seed)`."""
        return cls(FactTable.random(S, R, D, seed=seed), T=T, noise=noise)

    @classmethod
    def balanced(
        cls, R: int, D: int, copies: int = 1, *, T: int = 3, noise: int = 0
    ) -> "FlowWorld":
        """a*(s, r) = r D + (s mod D) with S = copies D subjects, all facts of equal chance."""
        for name, value in (("D", D), ("copies", copies)):
            check_integer(name, value, minimum=1)
        return cls(FactTable.structured(copies * D, R, D), T=T, noise=noise)

    def _answers_given(self, axis: int) -> Array:
        """p(z, a) for the subjects (axis 0) or the relations (axis 1): (S or R, A)."""
        law = np.zeros((self.prior.shape[axis], self.A))
        pairs = np.nonzero(self.answers != NOT_A_FACT)
        np.add.at(law, (pairs[axis], self.answers[pairs]), self.prior[pairs])
        return law

    @staticmethod
    def _conditional(joint: Array) -> Array:
        mass = joint.sum(1, keepdims=True)
        law: Array = np.divide(joint, mass, out=np.zeros_like(joint), where=mass > 0)
        return law

    def relation_law(self) -> Array:
        """p*(a | r): (R, A); a row of zeros where p(r) = 0."""
        return self._conditional(self._answers_given(1))

    def subject_law(self) -> Array:
        """p*(a | s): (S, A); a row of zeros where p(s) = 0."""
        return self._conditional(self._answers_given(0))

    def answer_law(self) -> Array:
        """p*(a): (A,)."""
        law: Array = self._answers_given(1).sum(0)
        return law

    @cached_property
    def flat_answers(self) -> NDArray[np.int64]:
        """Where a*(s, r) is in an array (S, R, A) read flat: (S R,); answer 0 for no fact."""
        return np.arange(self.S * self.R) * self.A + np.maximum(self.answers, 0).ravel()

    @cached_property
    def of_relation(self) -> NDArray[np.bool_]:
        """Whether a is in A_r: bool (R, A)."""
        return self._owners(1)

    @cached_property
    def of_subject(self) -> NDArray[np.bool_]:
        """Whether a is in A_s: bool (S, A)."""
        return self._owners(0)

    def _owners(self, axis: int) -> NDArray[np.bool_]:
        owned = np.zeros((self.prior.shape[axis], self.A), dtype=bool)
        pairs = np.nonzero(self.answers != NOT_A_FACT)
        owned[pairs[axis], self.answers[pairs]] = True
        return owned
