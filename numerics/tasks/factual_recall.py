"""The synthetic factual recall task: its vocabulary, its sequences, all its contexts.

Serves Sec. 4.1 of arXiv 2412.06538: a subject and a relation among noise, EOS, then the answer.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from numerics.checks import check_integer, check_kind, fitting
from numerics.errors import InputError
from numerics.random import Stream
from numerics.random.streams import WORD_MAX
from numerics.tasks.draws import checked_weights, cumulated, drawn
from numerics.tasks.tables import FactTable

# Part of the definition of every sample: changing it changes all sampled sequences.
SAMPLE_BLOCK = 1024
# More contexts than these are listed only when asked for.
CONTEXT_LIMIT = 10**6

_LARGEST = 2**31


class FactualRecall:
    """Sequences z_1..z_{T+1} over disjoint subjects, relations, answers, noise tokens and EOS.

    The tokens of `table` (S, R, A) and `noise` >= 0 noise tokens are numbered in this order,
    EOS last. T is the length of a context, EOS included: two distinct places before it need
    T >= 3. `weights` are proportional to the chance p of each fact, in the order of `facts`:
    F numbers >= 0; all equal if None.

    Attributes: table, noise, T; vocabulary = |V|; subjects, relations, answers and
    noise_tokens, the ranges of their tokens; eos, a token; facts, int64 (F, 2), the pairs
    (s, r); fact_tokens, int64 (F, 3), subject, relation and answer token of each fact;
    probabilities, p as float64 (F,).

    Raises InputError for T < 3, for no noise with T > 3, for unusable weights, and where the table
    is no FactTable.
    """

    def __init__(
        self,
        table: FactTable,
        *,
        noise: int,
        T: int,
        weights: Tensor | Sequence[float] | None = None,
    ) -> None:
        remedy = "a FactTable, as the attribute `table` of a NamedTable is one"
        check_kind("table", table, FactTable, remedy)
        check_integer("T", T, minimum=3, maximum=_LARGEST)
        check_integer("noise", noise, minimum=0, maximum=_LARGEST)
        if noise == 0 and T > 3:
            raise InputError(
                f"noise = 0 leaves {T - 3} places of a context of length T = {T} empty: "
                "pass noise of at least 1, or T = 3"
            )
        self.table = table
        self.noise = noise
        self.T = T
        ends = np.cumsum([0, table.S, table.R, table.A, noise]).tolist()
        self.subjects, self.relations, self.answers, self.noise_tokens = (
            range(start, stop) for start, stop in pairwise(ends)
        )
        self.eos: int = ends[-1]
        self.vocabulary: int = ends[-1] + 1
        self.facts = table.facts
        s, r = self.facts.T
        starts = torch.tensor([[self.subjects.start, self.relations.start, self.answers.start]])
        self.fact_tokens = torch.stack([s, r, table.answers[s, r]], dim=1) + starts
        self._cumulative: NDArray[np.float64] | None = None
        self.probabilities = torch.full((len(table),), 1 / len(table), dtype=torch.float64)
        if weights is not None:
            checked = checked_weights(weights, len(table))
            self._cumulative = cumulated(checked)
            self.probabilities = torch.from_numpy(checked / checked.sum())

    def __repr__(self) -> str:
        return f"FactualRecall({self.table!r}, noise={self.noise}, T={self.T})"

    def answer_token(self, s: int, r: int) -> int:
        """The token of a*(s, r), s in 0..S-1 and r in 0..R-1; InputError where it is no fact."""
        return self.answers.start + self.table.answer(s, r)

    def sample(self, count: int, *, seed: int, start: int = 0) -> Tensor:
        """Draw `count` independent sequences, z_{T+1} the answer: int64 (count, T + 1).

        The contexts, as `OneLayerTransformer.decode` takes them, are [:, :-1] of it.
        count >= 0, and start >= 0 a multiple of SAMPLE_BLOCK; InputError otherwise. Row i is
        sequence number start + i, which depends on that number, the seed and the task alone.
        """
        check_integer("count", count, minimum=0)
        check_integer("start", start, minimum=0, maximum=WORD_MAX * SAMPLE_BLOCK)
        if start % SAMPLE_BLOCK:
            raise InputError(
                f"start = {start} lies inside a block: pass a multiple of {SAMPLE_BLOCK}"
            )
        whole = Stream(seed, "factual recall")
        with fitting(f"{count} sequences of {self.T + 1} tokens"):
            sequences = np.empty((count, self.T + 1), dtype=np.int64)
        for offset in range(0, count, SAMPLE_BLOCK):
            rows = min(SAMPLE_BLOCK, count - offset)
            stream = whole.replicate((start + offset) // SAMPLE_BLOCK)
            # A stream for each kind of draw: each is then read in order, row by row, so that
            # the first rows of a block do not depend on how many follow.
            facts = self._draw_facts(stream.child("fact").generator(), rows)
            pairs = stream.child("places").generator().integers(0, self._pairs, rows)
            noise = self._draw_noise(stream.child("noise").generator(), rows)
            self._write(sequences[offset : offset + rows, :-1], facts, pairs, noise)
            sequences[offset : offset + rows, -1] = self.fact_tokens.numpy()[facts, 2]
        return torch.from_numpy(sequences)

    def contexts(self, s: int, r: int, *, limit: int = CONTEXT_LIMIT) -> Tensor:
        """All contexts z_1..z_T of the fact (s, r), each once: int64 (n, T).

        n = (T-1) (T-2) noise^(T-3), ordered by the places of s and r, then by the noise. The
        law of the task gives them equal chances. InputError where (s, r) is no fact, or where
        n is above `limit`.
        """
        self.table.answer(s, r)
        check_integer("limit", limit, minimum=1)
        free = self.T - 3
        digits = math.log10(self._pairs) + free * math.log10(max(self.noise, 1))
        count = self._pairs * self.noise**free if digits < 18 else None
        if count is None or count > limit:
            named = f"about 10^{digits:.0f}" if count is None else str(count)
            raise InputError(
                f"the fact ({s}, {r}) has {named} contexts, more than limit = {limit}: "
                "lower T or noise, raise limit, or use sample"
            )
        each = count // self._pairs
        powers = self.noise ** np.arange(free - 1, -1, -1, dtype=np.int64)
        noise = np.arange(each)[:, None] // powers % max(self.noise, 1)
        fact = int(torch.nonzero((self.facts == torch.tensor([s, r])).all(dim=1)))
        with fitting(f"{count} contexts of {self.T} tokens"):
            contexts = np.empty((count, self.T), dtype=np.int64)
        self._write(
            contexts,
            np.full(count, fact),
            np.repeat(np.arange(self._pairs), each),
            np.tile(self.noise_tokens.start + noise, (self._pairs, 1)),
        )
        return torch.from_numpy(contexts)

    @property
    def _pairs(self) -> int:
        """The number of ordered pairs of distinct places among T - 1."""
        return (self.T - 1) * (self.T - 2)

    def _draw_facts(self, generator: np.random.Generator, count: int) -> NDArray[np.int64]:
        if self._cumulative is None:
            return generator.integers(0, len(self.table), count)
        return drawn(self._cumulative, generator.random(count))

    def _draw_noise(self, generator: np.random.Generator, count: int) -> NDArray[np.int64]:
        if self.T == 3:
            return np.empty((count, 0), dtype=np.int64)
        tokens = self.noise_tokens
        return generator.integers(tokens.start, tokens.stop, (count, self.T - 3))

    def _write(
        self,
        contexts: NDArray[np.int64],
        facts: NDArray[np.int64],
        pairs: NDArray[np.int64],
        noise: NDArray[np.int64],
    ) -> None:
        """Fill `contexts` (b, T): rows of fact_tokens, numbers of pairs (b,), noise (b, T - 3)."""
        rows = np.arange(len(contexts))
        i, j = np.divmod(pairs, self.T - 2)
        j += j >= i
        free = np.ones((len(contexts), self.T), dtype=bool)
        free[rows, i] = free[rows, j] = free[:, -1] = False
        tokens = self.fact_tokens.numpy()
        contexts[rows, i] = tokens[facts, 0]
        contexts[rows, j] = tokens[facts, 1]
        contexts[:, -1] = self.eos
        contexts[free] = noise.ravel()
