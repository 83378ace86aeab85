"""Recall by heads of small rank and an MLP: what Theorem 11 of Nichani et al. states, and Theorem 4."""

from __future__ import annotations

from dataclasses import replace

from proofs.papers.nichani import attention_mlp, table_counting
from proofs.papers.nichani.table_counting import Hypotheses
from verify.checks.argument import conclude
from verify.claim import Evidence, Printed
from verify.measuring.context import Context


def flag(printed: Printed, name: str) -> bool:
    """Whether a formula that says yes or no, 1 or 0, says yes."""
    return bool(printed[name].number())


def statement(printed: Printed, context: Context) -> Evidence:
    """By heads of small rank and Lemma 3, or by a table where a hypothesis is missing."""
    kept = Hypotheses(
        dimension=flag(printed, "keep_d"),
        power=flag(printed, "keep_power"),
        heads=flag(printed, "keep_heads"),
        product=flag(printed, "keep_product"),
        degree=printed["degree"].number(),
    )
    if not kept.complete:
        argument = table_counting.recall_fails(kept)
        return replace(conclude(argument), assumptions=tuple(argument.assumptions))
    lemma: Printed = context.formulas("nichani.lem3.statement")
    rescaling: Printed = context.formulas("nichani.thm11.scaling")
    return conclude(
        attention_mlp.interpolating_keys(),
        attention_mlp.small_groups(),
        attention_mlp.heads_of_small_rank(),
        attention_mlp.from_lemma_3(
            kept.degree, lemma["least"].number(), rescaling["square"].number()
        ),
        scope="d_h <= d; fixed epsilon, every sigma of Assumption 3 with q > 2/epsilon, every table; "
        "sphere embeddings",
        summary="C = 4992 for the heads; the MLP by Lemma 3",
    )
