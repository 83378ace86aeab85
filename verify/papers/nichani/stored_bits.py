"""Checks of Theorem 7 at zero loss for quantised linear memories, constructed and trained."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import count
from math import inf, log2
from typing import Any

from proofs.papers.nichani.few_bits import recalled_share
from verify.checks.computed import Comparison, Slack, until_wrong
from verify.checks.section import Section
from verify.claim import Printed
from verify.measuring.case import Case
from verify.measuring.context import Context
from verify.measuring.measure import Experiment
from verify.statistics import AtMost

section = Section()

_CLAIM = "nichani.thm7.explicit.memories"
#: (d, b) at which every weight is tried, with outputs along its columns; (d, b, N, M) with random ones.
_ALIGNED = ((1, 1), (2, 1), (3, 1), (4, 1), (2, 2), (2, 3))
_RANDOM = ((2, 1, 2, 3), (2, 2, 3, 4), (3, 1, 4, 5), (4, 1, 3, 8))
#: Memories are drawn where the stated bound is at most a quarter; (d, b) of each kind.
_QUARTER = 2
_DRAWN = (("constructed", 8, 1), ("constructed", 8, 4), ("trained", 8, 1), ("trained", 8, 3))


@section.both(
    _CLAIM,
    recalled_share,
    method="counting",
    scope="all d, b, N, M >= 1, any embeddings and levels, however W is found",
    summary="no more maps than choices of levels; attained for b = 1",
    measured="every weight",
    looked="the sizes listed, every weight, in float64",
    judge=until_wrong,
)
def every_weight(printed: Printed, context: Context) -> Iterator[Comparison]:
    """log2 of the share of maps that some weight recalls in full, against the stated bound."""
    from numerics.papers.nichani.recalled_maps import (
        aligned_embeddings,
        random_embeddings,
        recalled_maps,
    )

    for d, b in _ALIGNED:
        inputs, outputs = aligned_embeddings(d, b)
        maps = recalled_maps(b, inputs, outputs)
        yield _share(printed, f"aligned, d = {d}, b = {b}", d, b, d, len(outputs), maps)
    for d, b, N, M in _RANDOM:
        maps = recalled_maps(b, *random_embeddings(d, N, M, seed=context.seed))
        yield _share(printed, f"random, d = {d}, b = {b}", d, b, N, M, maps)


def _share(printed: Printed, words: str, d: int, b: int, N: int, M: int, maps: int) -> Comparison:
    share, stated = log2(maps) - N * log2(M), _stated(printed, d, b, N, M)
    words = f"{words}, N = {N}, M = {M}: {maps} maps"
    step = f"{words}: share 2^{share:.6g}, stated at most 2^{stated:.6g}"
    slack = Slack("rounding of a logarithm in float64", absolute=1e-9)
    return Comparison(words, share, -inf, stated, slack, step=step, where=words)


def _stated(printed: Printed, d: int, b: int, N: int, M: int) -> float:
    """log2 of the stated bound."""
    return printed["exponent"].real(b=b, d=d) - printed["facts"].real(N=N) * log2(M)


@section.measured(_CLAIM, method="recall beyond the bound", group="stored bits", builds=False)
def beyond(printed: Printed) -> Iterator[Case]:
    """With M = N, at the least N that the stated bound calls rarely recalled."""
    for kind, d, b in _DRAWN:
        N = next(n for n in count(2) if _stated(printed, d, b, n, n) <= -_QUARTER)
        sizes = {"d": d, "b": b, "N": N, "M": N}
        experiment = Experiment(
            f"stored bits, {kind}", partial(_recalled, kind), block=32, afforded=2048, chunk=256
        )
        yield Case.of(
            f"P(all facts are recalled), {kind}",
            experiment,
            "recalled",
            sizes,
            AtMost(2.0**-_QUARTER),
        )


def _recalled(kind: str, b: int, **arguments: Any) -> Mapping[str, Any]:
    from numerics.draws.stored_bits import full_recall
    from numerics.observables import Event

    return {"recalled": Event(full_recall(kind, bits=[b], **arguments)[:, 0])}
