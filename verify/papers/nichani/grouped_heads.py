"""Recall by groups of heads: what Theorem 10 of Nichani et al. states, and Theorem 3 with it."""

from __future__ import annotations

import math

from proofs.papers.nichani import attention_capacity
from proofs.papers.nichani.attention_capacity import Sizes
from verify.checks.argument import conclude
from verify.checks.computed import Computed
from verify.checks.parameters import made_of
from verify.claim import Evidence, Printed
from verify.measuring.context import Context
from verify.printed.formula import fields

GROUPS = "d = 768, d_h = 256, T = 4, all contexts"


def statement(printed: Printed, context: Context) -> Evidence:
    """By groups of heads, and the moments of their scores."""
    moments: Printed = context.formulas("nichani.lem13.corrected")
    return conclude(
        attention_capacity.recalls_all(made_of(Sizes, printed), *fields(moments, "base", "power")),
        scope="all S, R, D, T >= 3 and every table under Assumption 1; d_h <= d",
        summary="by another construction; the constant is explicit",
    )


def _recalled(context: Context) -> list[Computed]:
    """The groups of the proof at ordinary sizes."""
    from numerics.papers.nichani.attention_checks import grouped_recall

    # Rounding breaks the tie of s and r under hard attention, not at a finite beta.
    one, several = {"S": 4, "R": 4, "H": 2}, {"S": 12, "R": 4, "H": 10}
    found: list[Computed] = []
    for group, beta, sizes in ((None, 200.0, one), (3, 200.0, several), (3, math.inf, several)):
        words = "one group" if group is None else f"groups of {group} subjects, one of relations"
        share, score = grouped_recall(
            **sizes, D=3, d=768, d_h=256, group=group, beta=beta, seed=context.seed
        )
        found.append((f"{words}, beta = {beta:g}: share of contexts recalled", share, 1, 1))
        found.append((f"{words}: mean score of stored answers", score, 0.8, 1.2))
    return found


def recall_computed(printed: Printed, context: Context) -> list[Computed]:
    """The groups of the proof, built; and what too weak a condition would allow."""
    from numerics.papers.nichani.attention_checks import named_on_a_line

    key = ("groups of heads", context.seed)
    found = list(context.once(key, lambda: _recalled(context)))
    log = math.log(4)
    widths = [printed[name].real(R=1, D=1) for name in ("width_of_r", "width_of_d")]
    scale = {name: printed[f"{name}_constant"].real() for name in ("width", "heads")}
    scale = {n: c * log ** printed[f"{n}_power"].real() for n, c in scale.items()}
    # With logarithms the product grows with |V|; without, it stays where it is.
    if scale["width"] * max(widths) <= 1:
        named = max(named_on_a_line(1, 4, seed=context.seed + k) for k in range(2))
        found.append(("d = 1, four tokens: tokens that can be named", named, 4, 4))
    if scale["heads"] * printed["heads"].real(S=1, R=3) <= 1:
        named = named_on_a_line(64, 8, seed=context.seed)
        found.append(("H = d_h = 1, three answers: tokens that can be named", named, 3, 8))
    return found
