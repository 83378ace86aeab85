"""Recall of a memory's facts by greatest score, streamed in blocks with rounding accounted for.

Serves Sec. 3 of arXiv 2412.06538: x is recalled iff argmax_y u_y^T F(e_x) is f*(x), strictly.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor

from numerics.checks import check_finite_rows, check_integer, check_tensor
from numerics.errors import InputError
from numerics.memories.base import Memory
from numerics.rounding import BOUND_SLACK, dot_error_factor, full_precision_products, lengths

# A tile of scores is written by the product and read back once by the maximum. 4 MB of
# float32 stays in the caches of a CPU core pair; a GPU needs larger tiles to be kept busy.
DEFAULT_BLOCKS = {"cpu": (1024, 1024), "cuda": (4096, 16384)}


@dataclass(frozen=True)
class Recall:
    """What was measured, over the N facts of a memory.

    correct: facts whose margin is positive beyond rounding; total: N; minimum_margin: the
    least margin (+inf where M = 1); ties: margins that rounding cannot tell from zero, all
    counted as failures; recomputed: rows whose float32 margin was in doubt and that were
    decided in float64; rounding_bound: the largest error bound any decision was taken with;
    dtype, device: of the memory; margins: float64 (N,) if they were asked for.
    """

    correct: int
    total: int
    minimum_margin: float
    ties: int
    recomputed: int
    rounding_bound: float
    dtype: torch.dtype
    device: torch.device
    margins: Tensor | None = field(default=None, repr=False, compare=False)

    @property
    def accuracy(self) -> float:
        """correct / total."""
        return self.correct / self.total


def accuracy(
    memory: Memory,
    *,
    queries: Tensor | None = None,
    block: tuple[int, int] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> float:
    """The fraction of facts recalled, in [0, 1]; arguments and errors as for `recall`."""
    return recall(memory, queries=queries, block=block, progress=progress).accuracy


@torch.no_grad()
def recall(
    memory: Memory,
    *,
    queries: Tensor | None = None,
    block: tuple[int, int] | None = None,
    keep_margins: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Recall:
    """Measure which facts x the memory recalls: u_{f*(x)}.F(e_x) > u_y.F(e_x) for y != f*(x).

    queries: (N, d), asked in place of the memory's inputs (same dtype and device, finite).
    block: (input rows, output columns) of a tile of scores, each >= 1; no array of scores
    larger than one tile is ever held, so memory use is O(block + N + block * d). progress:
    called with (rows done, N) after each block of rows; rows in doubt are recomputed after
    the last call. Raises InputError for arguments outside these ranges or overflowing scores.

    Which decisions are certain. Let F be the exact image of e, F' the image computed in
    float64, |F' - F| <= a (the memory's `apply_error`), and G = F' cast to the memory's dtype,
    so |G - F'| <= u |G| + sqrt(d) tiny. A computed score s'_y of u_y.G then satisfies
        |s'_y - u_y.F| <= |u_y| (gamma_{d+1} |G| + a) + |u_y| sqrt(d) tiny + 2 d tiny (1 + gamma_d),
    as gamma_d + u <= gamma_{d+1} for the factor of `dot_error_factor`; the terms in tiny, the
    least normal number, cover underflow in the cast and in the 2d operations of the product.
    Overflow is ruled out where max_y |u_y| |G| is below half the greatest number, as every partial
    sum of a score then stays below it; the margins of other rows count as unknown.
    A maximum moves by no more than its entries, so the margin, target score less best
    competitor, errs by at most
        bound = 2 max_y |u_y| (gamma_{d+1} |G| + a) + (2 max_y |u_y| + 8) d tiny.
    A row with margin > bound is recalled and one with margin < -bound is not. Other rows are
    decided again with every product in float64 and the bound for float64; those still within
    it are ties, and scores that could overflow even so are refused.

    The images are always computed in float64 because `a` is proportional to |W|_F, about
    sqrt(d) times |F|: float32 images would put many more rows in doubt, and the d x d product
    is small beside the M x d one.
    """
    if not isinstance(getattr(memory, "inputs", None), Tensor):
        raise InputError(f"memory is a {type(memory).__name__}: pass one, a LinearMemory say")
    inputs = memory.inputs
    vectors = inputs if queries is None else _checked_queries(queries, inputs)
    with full_precision_products():
        decoder = Decoder(memory, vectors, block)
        while not decoder.finished:
            decoder.advance()
            if progress is not None and not decoder.redone:
                progress(decoder.done, len(vectors))
    return decoder.result(keep_margins=keep_margins)


def _checked_queries(queries: Tensor, inputs: Tensor) -> Tensor:
    check_tensor("queries", queries)
    if (queries.shape, queries.dtype, queries.device) != (
        inputs.shape,
        inputs.dtype,
        inputs.device,
    ):
        raise InputError(
            f"queries are {tuple(queries.shape)}, {queries.dtype}, on {queries.device}: "
            f"pass {tuple(inputs.shape)}, {inputs.dtype}, on {inputs.device}, as the inputs are"
        )
    check_finite_rows("queries", queries)
    return queries


def checked_block(block: tuple[int, int] | None, device: torch.device) -> tuple[int, int]:
    """`block`, or the default one of `device` for None; InputError unless it is two ints >= 1."""
    if block is None:
        return DEFAULT_BLOCKS["cuda" if device.type == "cuda" else "cpu"]
    if not isinstance(block, tuple | list) or len(block) != 2:
        raise InputError(f"block = {block!r} is no pair: pass (input rows, output columns)")
    check_integer("block[0]", block[0], minimum=1)
    check_integer("block[1]", block[1], minimum=1)
    return block


def score_error(
    largest: Tensor | float, length: Tensor, error: Tensor, d: int, dtype: torch.dtype
) -> Tensor:
    """The bound of `recall` on what margins err by, float64.

    largest: max_y |u_y|; length: |G| of each image as computed; error: what it is off by, the memory's
    `apply_error`; d entries a product, scores in `dtype`.
    """
    off = dot_error_factor(d + 1, dtype) * length + error
    underflow = (2 * largest + 8) * d * torch.finfo(dtype).tiny
    bound: Tensor = BOUND_SLACK * 2 * largest * off + underflow
    return bound


class Decoder:
    """The decisions of `recall`, a block of rows at a time, so that they can be interrupted.

    State, which is all that a later Decoder of the same arguments needs to go on: margins and
    bounds, float64 (N,), of the first `done` rows; doubtful, int64, the rows that rounding left
    undecided once done = N, of which the first `redone` have been decided again in float64.
    Use it without gradients and under `full_precision_products`. Arguments as for `recall`.
    """

    def __init__(self, memory: Memory, vectors: Tensor, block: tuple[int, int] | None) -> None:
        if memory.inputs.dim() != 2:
            raise InputError(
                f"inputs have shape {tuple(memory.inputs.shape)}, of many memories: recall asks one; "
                "draw it without replicates"
            )
        self._memory = memory
        self._vectors = vectors
        self.block = rows, columns = checked_block(block, vectors.device)
        self._tile_size = min(rows, len(vectors)) * min(columns, len(memory.outputs))
        self._tile = vectors.new_empty(0)
        self._largest_output = max(
            float(lengths(part).max()) for part in torch.split(memory.outputs, columns)
        )
        self.margins = torch.full((len(vectors),), math.nan, dtype=torch.float64).to(vectors.device)
        self.bounds = torch.zeros_like(self.margins)
        self.done = 0
        self.doubtful = torch.empty(0, dtype=torch.int64, device=vectors.device)
        self.redone = 0

    @property
    def finished(self) -> bool:
        """Whether every row is decided, those in doubt twice."""
        return self.done == len(self._vectors) and self.redone == len(self.doubtful)

    def advance(self) -> None:
        """Decide the next block of rows: of all rows, and after the last of those in doubt."""
        N, dtype, rows = len(self._vectors), self._vectors.dtype, self.block[0]
        if self.done < N:
            stop = min(self.done + rows, N)
            self._decide(torch.arange(self.done, stop, device=self._vectors.device), dtype)
            self.done = stop
            if stop == N and dtype != torch.float64:
                self.doubtful = torch.nonzero(self._undecided()).squeeze(1)
        else:
            again = self.doubtful[self.redone : self.redone + rows]
            self._decide(again, torch.float64)
            self.redone += len(again)

    def result(self, *, keep_margins: bool) -> Recall:
        """What was measured, once finished; InputError if scores overflow float64."""
        margins, bounds = self.margins, self.bounds
        overflowed = torch.nonzero(torch.isnan(margins))
        if len(overflowed):
            row = int(overflowed[0])
            raise InputError(f"the scores of row {row} overflow float64: scale the embeddings down")
        return Recall(
            correct=int((margins > bounds).sum()),
            total=len(margins),
            minimum_margin=float(margins.min()),
            ties=int(self._undecided().sum()),
            recomputed=len(self.doubtful),
            rounding_bound=float(bounds.max()),
            dtype=self._vectors.dtype,
            device=self._vectors.device,
            margins=margins if keep_margins else None,
        )

    def _undecided(self) -> Tensor:
        """Mask (N,) of the margins within their bound, or not numbers at all."""
        return ~(self.margins.abs() > self.bounds)

    def _decide(self, x: Tensor, dtype: torch.dtype) -> None:
        """Compute margins and bounds of the rows x (b,), with scores in `dtype`."""
        if self._tile.dtype != dtype or not len(self._tile):
            self._tile = self._vectors.new_empty(self._tile_size, dtype=dtype)
        vectors = self._vectors[x].double()
        images = self._memory.apply(vectors).to(dtype)
        target, best = self._scores(images, self._memory.association[x])
        sizes = lengths(images)
        margins = target.double() - best.double()
        # A partial sum that could overflow may leave any score infinite, a competitor's at -inf
        # among them: of such rows nothing is known.
        margins[~(self._largest_output * sizes < torch.finfo(dtype).max / 2)] = math.nan
        self.margins[x] = margins
        error = self._memory.apply_error(vectors)
        self.bounds[x] = score_error(self._largest_output, sizes, error, images.shape[1], dtype)

    def _scores(self, images: Tensor, targets: Tensor) -> tuple[Tensor, Tensor]:
        """Target score and best competing score, (b,) each, of `images` (b, d)."""
        outputs = self._memory.outputs
        b, M = len(images), len(outputs)
        target = images.new_empty(b)
        best = images.new_full((b,), -math.inf)
        tile_best = torch.empty_like(best)
        # Rows ordered by target: those with a target in a given tile are then one slice.
        by_target, order = torch.sort(targets)
        columns = self.block[1]
        starts = range(0, M, columns)
        edges = torch.tensor([*starts, M], device=targets.device)
        cuts = torch.searchsorted(by_target, edges).tolist()
        for start, low, high in zip(starts, cuts[:-1], cuts[1:], strict=True):
            part = outputs[start : start + columns].to(images.dtype)
            tile = self._tile[: b * len(part)].view(b, len(part))
            torch.mm(images, part.T, out=tile)
            if low < high:
                # The target's score comes from the same product as its competitors'.
                row, column = order[low:high], by_target[low:high] - start
                target[row] = tile[row, column]
                tile[row, column] = -math.inf
            torch.amax(tile, dim=1, out=tile_best)
            torch.maximum(best, tile_best, out=best)
        return target, best
