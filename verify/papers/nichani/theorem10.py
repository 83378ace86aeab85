"""Checks of Theorem 10 of Nichani et al. (App. C.1, Theorem 3) and of the lines of its proof."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from proofs.algebra import RationalFunction
from proofs.papers.nichani import attention_capacity, attention_only
from proofs.papers.nichani.attention_only import Ranges
from verify.checks.argument import conclude
from verify.checks.computed import Computed, Slack, rounding, within
from verify.checks.parameters import made_of
from verify.checks.section import Section, corrected
from verify.claim import Evidence, Printed
from verify.measuring.context import Context
from verify.papers.nichani.grouped_heads import GROUPS, recall_computed, statement
from verify.printed.formula import Formula

section = Section()
_SEARCH = "random unit vectors in R^3 that satisfy Lemma 1, one key"
_CONTRIBUTIONS = "random tables, contributions at the ends of their ranges and between"


# -- the theorem ----------------------------------------------------------------------------------


section.check("nichani.thm10.statement", "proofs", method="groups of heads, moments of scores")(
    statement
)
section.values(
    "nichani.thm10.statement", method="groups of heads, built", scope=GROUPS, slack=rounding(1e-9)
)(recall_computed)


@section.values(
    corrected("nichani.thm10.remark"),
    method="groups of heads, built",
    slack=rounding(1e-9),
    scope=GROUPS,
)
def remark_computed(
    printed: Printed, product: Formula, slack: float, context: Context
) -> Iterator[Computed]:
    yield from recall_computed(printed, context)
    for S, R in ((1, 1), (3, 2), (2, 5)):
        # In units of C^2 log^12: the least d times the least H d_h, before they are rounded up.
        stated = product.real(S=S, R=R)
        yield f"S = {S}, R = {R}: least H d d_h", S * R, stated, slack * S * R


@section.check(corrected("nichani.thm10.remark"), "proofs", method="sizes")
def remark(printed: Printed, context: Context) -> Evidence:
    sizes = made_of(attention_capacity.Sizes, printed)
    witness = attention_capacity.too_small(sizes)
    if witness is None:
        argument = attention_capacity.smallest_product(
            sizes, printed["product"].field(), printed["slack"].number()
        )
        proof = statement(printed, context)
        if not proof.verdict.positive:
            return proof
        return conclude(
            argument,
            scope="R >= D, d_h <= d",
            summary="Theorem 10 at d and H d_h as small as it allows",
        )
    argument = attention_capacity.smallest_product(sizes, printed["product"].field(), Fraction(4))
    argument.witness = witness
    return conclude(argument)


# -- numbers of heads -----------------------------------------------------------------------------


@section.both(
    "nichani.thm10.heads",
    attention_only.heads_needed,
    method="sign of the difference",
    scope="all S, R, M >= 1, d_h >= c M L",
    summary="ceil(S/M) >= S/M",
    measured="partitions",
    looked="six partitions, c = 1, L = 8, d_h = c M L",
    slack=rounding(1e-9),
)
def heads_computed(lower: Formula) -> Iterator[Computed]:
    from numerics.papers.nichani.attention_checks import heads_of_partition

    for S, R, M in ((1, 1, 1), (4, 1, 1), (40, 1, 1), (40, 2, 3), (3, 3, 1), (5, 7, 2)):
        least = lower.real(c=1, S=S, R=R, L=8, d_h=8 * M)
        yield f"S = {S}, R = {R}, M = {M}", heads_of_partition(S, R, M), least, math.inf


@section.check(corrected("nichani.thm10.budget"), "proofs", method="heads counted")
def budget(factor: Formula, tokens: RationalFunction, least: Fraction) -> Evidence:
    return conclude(
        attention_only.budget(None if factor.symbols() else factor.number(), tokens, least),
        scope="all S, R, c, d_h <= d, C = 2c",
        summary="the largest admissible M does",
    )


def _budgets(tokens: Formula, least: Fraction, factor: Fraction) -> Iterator[Computed]:
    from numerics.papers.nichani.attention_checks import heads_of_partition

    for S, R in ((1, 1), (1, 2), (2, 1), (100, 1), (1, 100), (40, 40), (1, 5000)):
        for eighths in (8, 12, 15, 16, 23, 24, 200):
            x = Fraction(eighths, 8)
            asked = math.ceil(factor * tokens.at(S=S, R=R) / x)
            have = max(math.ceil(least), asked, 1)
            need = heads_of_partition(S, R, int(x))
            words = f"S = {S}, R = {R}, C/c = {factor}, d_h/(c log^6(|V|/delta)) = {x}"
            yield f"{words}: heads needed", need, 0, have


@section.check(corrected("nichani.thm10.budget"), "numerics", method="partitions")
def budget_computed(factor: Formula, tokens: Formula, least: Fraction) -> Evidence:
    # Where any factor is claimed, one of a thousand must do.
    times = Fraction(1000) if factor.symbols() else factor.number()
    scope = f"49 sizes, C/c = {times}, delta small"
    return within(_budgets(tokens, least, times), scope, slack=rounding(1e-9))


@section.both(
    corrected("nichani.thm10.union"),
    attention_only.failing_heads,
    method="heads counted",
    scope="all S, R, M >= 1",
    summary="at most S + R heads",
    measured="partitions",
    looked="six partitions",
    slack=rounding(1e-9),
)
def union_computed(total: Formula) -> Iterator[Computed]:
    from numerics.papers.nichani.attention_checks import heads_of_partition

    for S, R, M in ((1, 1, 1), (1, 4, 1), (4, 1, 1), (5, 5, 2), (9, 2, 1), (2, 9, 1)):
        failures = 2 * heads_of_partition(S, R, M)
        yield f"S = {S}, R = {R}, M = {M}: failures over delta", failures, 0, total.real(S=S, R=R)


# -- keys and values ------------------------------------------------------------------------------


@section.both(
    "nichani.thm10.key-query",
    lambda printed: made_of(attention_only.key_query, {**printed, "least": printed["rank"]}),
    method="entry by entry",
    scope="all d, d_h >= 1, all embeddings",
    summary="rank one, and rows w_i",
    measured="a built construction",
    looked="d = 6, d_h = 1, 2, 5, beta = 1",
    slack=rounding(1e-9),
)
def key_query_computed(printed: Printed, context: Context) -> Iterator[Computed]:
    from numerics.papers.nichani.attention_checks import score_and_values

    least = int(printed["rank"].number())
    yield "rows that a matrix other than 0 needs", 1, 0, least
    for d_h in (1, 2, 5):
        scores, values = score_and_values(
            printed["own"].real(),
            printed["end"].real(),
            printed["scale"].real(beta=1),
            printed["value_scale"].real(d=6, d_h=d_h),
            d_h=d_h,
            seed=context.seed,
        )
        yield f"d_h = {d_h}: scores less the stated ones", scores, 0, 0
        yield f"d_h = {d_h}: W_O^T W_V less the stated one", values, 0, 0


def _gaps(context: Context) -> dict[str, float]:
    from numerics.papers.nichani.attention_checks import gaps

    found: dict[str, float] = context.once(
        ("score gaps", context.seed), lambda: gaps(seed=context.seed)
    )
    return found


@section.both(
    corrected("nichani.thm10.gap-eos"),
    attention_only.gap_to_end,
    method="Lemma 1 and rational vectors",
    scope="wherever Lemma 1's conclusion holds",
    summary="one quarter of beta, no more",
    measured="random vectors",
    slack=rounding(1e-9),
    looked=_SEARCH,
)
def gap_to_end_computed(gap: float, context: Context) -> Iterator[Computed]:
    yield "the least gap over beta to EOS", _gaps(context)["absent"], gap, math.inf


@section.both(
    corrected("nichani.thm10.gap-subject"),
    attention_only.gap_to_key,
    method="Lemma 1 and rational vectors",
    scope="wherever Lemma 1's conclusion holds",
    summary="a quarter of beta to EOS, a half to the others",
    measured="random vectors",
    slack=rounding(1e-9),
    looked=_SEARCH,
)
def gap_to_key_computed(end: float, others: float, context: Context) -> Iterator[Computed]:
    found = _gaps(context)
    yield "the least gap of s over EOS", found["end"], end, math.inf
    yield "the least gap over others", found["other"], others, math.inf


# -- attention ------------------------------------------------------------------------------------


@section.both(
    "nichani.thm10.hardmax",
    attention_only.hard_limit,
    method="limits of the softmax",
    scope="wherever Lemma 1's conclusion holds, every T >= 3",
    summary="all other weights fall like exp(-beta/4)",
    measured="a large beta",
    looked="one construction, d = 256, T = 5, beta = 500, all contexts",
    slack=rounding(1e-9),
)
def hardmax_computed(printed: Printed, context: Context) -> Iterator[Computed]:
    from numerics.papers.nichani.attention_checks import hard_weights

    words = {
        "key": "weight of s, a key",
        "other": "largest other weight there",
        "end": "weight of EOS, s no key",
        "rest": "largest other weight there, s no key",
    }
    for name, weight in hard_weights(500.0, seed=context.seed).items():
        stated = printed[name].real(T=5)
        yield words[name], weight, stated, stated


@section.both(
    "nichani.thm10.finite-beta",
    attention_only.finite_temperature,
    method="weighted means",
    scope="all H, T, every layer with such gaps and margins",
    summary="an explicit beta",
    measured="extreme layers",
    looked="layers with one-hot embeddings in which all other tokens pull alike",
    slack=rounding(1e-9),
)
def finite_beta_computed(factor: float, heads: Formula, others: Formula) -> Iterator[Computed]:
    from numerics.papers.nichani.attention_checks import finite_margin

    q = 1e-3
    for H, T in ((1, 3), (2, 3), (3, 6)):
        mu = factor * heads.real(H=H) * others.real(T=T) * q * 1.01
        margin = finite_margin(H, T, mu=mu, q=q)
        yield f"H = {H}, T = {T}: the margin", margin, 1e-7, math.inf


@section.both(
    "nichani.thm10.eos-annihilated",
    lambda printed: attention_only.end_output(
        printed["output"].field(),
        free=printed["across"].number() == 0,
        end=printed["end"].number() == 1,
    ),
    method="second moment from the engine",
    scope="all d >= 2, d_h, all tables",
    summary="w_i^T phi(EOS) = 0",
    measured="drawn heads",
    looked="32 heads, d = 5, d_h = 3, all tokens",
    slack=rounding(1e-9),
)
def eos_annihilated_computed(
    output: Formula, across: bool, end: bool, context: Context
) -> Iterator[Computed]:
    from numerics.papers.nichani.attention_checks import end_outputs

    least, most = end_outputs(free=not across, end=end, seed=context.seed)
    stated = output.real(d=5, d_h=3)
    yield "the least output", least, stated, stated
    yield "the largest", most, stated, stated


# -- logits ---------------------------------------------------------------------------------------


@section.both(
    corrected("nichani.thm10.one-sixth"),
    attention_only.score_accuracy,
    method="Lemma 2 and a rational head",
    scope="wherever Lemma 2's conclusion holds",
    summary="one fifth, no less",
    measured="drawn heads",
    looked="random heads with d = 3, d_h = 2 that satisfy Lemma 2",
    slack=rounding(1e-9),
)
def one_sixth_computed(bound: float, context: Context) -> Iterator[Computed]:
    from numerics.papers.nichani.attention_checks import score_deviation

    key = ("score deviation", context.seed)
    most = context.once(key, lambda: score_deviation(seed=context.seed))
    yield "the largest |score - 1|", most, 0, bound


def _logits(ranges: Ranges, context: Context, *, disjoint: bool = True) -> dict[str, Any]:
    from numerics.papers.nichani.attention_checks import extreme_logits

    return extreme_logits(
        float(ranges.low),
        float(ranges.high),
        float(ranges.off),
        disjoint=disjoint,
        seed=context.seed,
    )


@section.both(
    "nichani.thm10.top-logit",
    attention_only.top_logit,
    method="ends of the ranges",
    scope="all contributions",
    summary="twice the least",
    measured="random contributions",
    slack=rounding(1e-9),
    looked=_CONTRIBUTIONS,
)
def top_logit_computed(ranges: Ranges, bound: float, context: Context) -> Iterator[Computed]:
    yield "the least logit of a*(s, r)", _logits(ranges, context)["top"], bound, math.inf


@section.both(
    corrected("nichani.thm10.other-logit"),
    attention_only.other_logit,
    method="ends of the ranges",
    scope="all contributions",
    summary="one large, one small",
    measured="random contributions",
    slack=rounding(1e-9),
    looked=_CONTRIBUTIONS,
)
def other_logit_computed(
    ranges: Ranges, bound: float, above: bool, context: Context
) -> Iterator[Computed]:
    found = _logits(ranges, context)
    if above:
        yield "the least other logit", found["least other"], bound, math.inf
    else:
        yield "the largest other logit", found["largest other"], -math.inf, bound


@section.both(
    "nichani.thm10.argmax",
    attention_only.argmax_of_ranges,
    method="ends of the ranges",
    scope="all tables under Assumption 1, all contributions",
    summary="8/5 above 7/5",
    measured="random contributions",
    looked=_CONTRIBUTIONS,
    slack=Slack("the margin must be seen to be above 0", absolute=-1e-9),
)
def argmax_computed(ranges: Ranges, disjoint: bool, context: Context) -> Iterator[Computed]:
    found = _logits(ranges, context, disjoint=disjoint)
    yield "the least margin", found["margin"], 0, math.inf
