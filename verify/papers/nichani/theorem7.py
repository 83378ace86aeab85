"""Checks of Theorem 7 and Corollary 1 of Nichani et al. (Sec. 6, App. E.1): bits against loss."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from proofs.argument import Argument
from proofs.information.budgets import TailBound
from proofs.papers.nichani.bits import loss_bounds, scaling
from verify.checks.argument import conclude, refuted
from verify.checks.computed import (
    NOTHING,
    Comparison,
    Sides,
    Slack,
    at_least,
    rounding,
    until_wrong,
)
from verify.checks.section import Section, corrected
from verify.claim import Evidence, Printed
from verify.measuring.context import Context
from verify.printed.formula import Formula, fields

if TYPE_CHECKING:
    from numerics.information.power_laws import Floats

section = Section()

_ALL = "all N >= 1, M >= 2, integers B, every prior and learner"
#: Exponents alpha in float64; how far rounding may move a ratio that is a whole number.
_ALPHAS, _ROUNDING = (1.25, 2.0, 3.5), 1e-9
_values = partial(section.values, group="information", judge=at_least, slack=rounding(1e-9))
_both = partial(section.both, group="information", judge=at_least, slack=rounding(1e-9))
#: A tail of one or two terms is at most so much over n.
_FEW = 2
#: Worlds (N, M, B) in which every map from tables to messages is tried.
_WORLDS = (
    *((1, M, 0) for M in (2, 3)),
    *((1, M, B) for M in (2, 3, 4, 5, 8) for B in (1, 2) if 2 ** (B * M) <= 70_000),
    *((2, 2, B) for B in (0, 1, 2)),
    (2, 3, 1),
    (3, 2, 1),
)


def _counts(B: float, L: float) -> dict[str, int]:
    """How many values of L bits B bits hold in full, and how many they touch."""
    return {"k": math.floor(B / L + _ROUNDING), "K": math.ceil(B / L - _ROUNDING)}


# -- the bounds on the loss -----------------------------------------------------------------------


def _tail_bound(claim: str | tuple[str, ...], *, least_bits: int) -> None:
    """Both roads for a bound log M times a tail of p, and a part of the token before."""

    def proved(bound: TailBound) -> Argument:
        return loss_bounds.tail_bound(bound, least_bits=least_bits)

    @_both(
        claim,
        proved,
        method="linear program and small worlds",
        scope=f"{_ALL}, B >= {least_bits}",
        summary="summation by parts; every encoder of small worlds",
        measured="every map and drawn maps",
        looked=f"all maps in {len(_WORLDS)} worlds, drawn maps and stored values in larger ones",
    )
    def tried(printed: Printed, context: Context) -> Iterator[Sides]:
        return _losses(printed, least_bits, context.seed)


_tail_bound("nichani.thm7.stmt", least_bits=1)
_tail_bound(("nichani.thm7.stmt.corrected", "nichani.thm7.proof-bound"), least_bits=0)


def _losses(printed: Printed, least_bits: int, seed: int) -> Iterator[Sides]:
    """Losses of the best maps, of drawn maps, and of stored values, against the stated bound."""
    from numerics.information import learners, power_laws

    for (N, M, B), alpha in _with_alphas(_WORLDS):
        if least_bits <= B:
            prior = power_laws.power_law(N, alpha)
            words = f"N = {N}, M = {M}, B = {B}, {_law(alpha)}: best of all maps"
            yield (words, learners.best_loss(prior, M, B), _stated(printed, prior, M, B))
    for (N, M, B), alpha in _with_alphas(((3, 3, 2), (4, 2, 3), (2, 6, 3))):
        prior = power_laws.power_law(N, alpha)
        least = float(learners.drawn_losses(prior, M, B, count=500, seed=seed).min())
        words = f"N = {N}, M = {M}, B = {B}, {_law(alpha)}: best of 500 drawn maps"
        yield (words, least, _stated(printed, prior, M, B))
    for m, B, N in ((1, 3, 6), (2, 6, 5), (4, 20, 9)):
        prior = power_laws.power_law(N, 1.0)
        words = f"N = {N}, M = {2**m}, B = {B}, {_law(1)}: {B // m} values stored"
        loss = m * float(prior[B // m :].sum())
        yield (words, loss, _stated(printed, prior, 2**m, B))


def _law(alpha: float) -> str:
    return f"p(x) proportional to x^-{alpha:g}" if alpha else "p uniform"


def _with_alphas(
    worlds: Sequence[tuple[int, int, int]],
) -> Iterator[tuple[tuple[int, int, int], float]]:
    for world in worlds:
        for alpha in (0.0, 2.0) if world[0] > 1 else (0.0,):
            yield world, alpha


def _stated(printed: Printed, prior: Floats, M: int, B: int) -> float:
    """The stated bound in bits, in float64."""
    L = math.log2(M)
    counts = _counts(B, L)
    first = int(printed["first"].real(**counts))
    total = L * float(sum(prior[max(first - 1, 0) :]))
    if 1 <= first - 1 <= len(prior):
        total += float(prior[first - 2]) * printed["rest"].real(**counts, B=B, L=L)
    return printed["factor"].real() * total


@_both(
    "nichani.thm7.zero-loss",
    lambda printed: loss_bounds.zero_loss(printed["bits"].field()),
    method="counting messages",
    scope=f"{_ALL}, p(x) > 0",
    summary="2^B >= M^N",
    measured="the fewest bits that do",
    looked="all maps, M^N at most 5",
)
def zero_loss_tried(bits: Formula) -> Iterator[Sides]:
    """Within the worlds that are gone through, the least B at which some map has loss 0."""
    from numerics.information import learners
    from numerics.information.power_laws import power_law

    for N, M in ((1, 2), (1, 4), (2, 2), (1, 3), (1, 5)):
        prior = power_law(N, 0.0)
        B = next(b for b in range(N * M) if learners.best_loss(prior, M, b) < _ROUNDING)
        stated = bits.real(N=N, L=math.log2(M))
        yield f"N = {N}, M = {M}: bits at which some map has loss 0", B, stated


# -- steps of the proof ---------------------------------------------------------------------------

_DRAWN: dict[str, Any] = {
    "measured": "drawn learners",
    "looked": "drawn encoders and predictors, N <= 3",
}


def _terms(printed: Printed, names: Sequence[str], seed: int) -> Iterator[Sides]:
    """Each named formula in P, I, H, B, T is at least 0 for drawn learners."""
    from numerics.information.channels import samples

    for sample in samples(seed):
        for name in names:
            formula = printed[name]
            values = {n: sample.quantities[n] for n in sorted(formula.symbols())}
            yield (f"{sample.name}: {formula}", formula.real(**values), 0.0)


@_both(
    "nichani.thm7.dpi",
    loss_bounds.data_processing,
    method="entropy algebra and exact joint laws",
    scope="every Markov chain f* -> F -> f-hat, F with at most 2^B values",
    summary="three differences that are informations",
    **_DRAWN,
)
def data_processing_drawn(printed: Printed, context: Context) -> Iterator[Sides]:
    return _terms(printed, ("processed", "message", "length"), context.seed)


@section.check("nichani.thm7.superadd", "proofs", method="entropy algebra and exact joint laws")
def superadditive(printed: Printed) -> Evidence:
    stated = dict(zip(("budget", "sum"), fields(printed, "budget", "sum"), strict=True))
    return conclude(
        loss_bounds.superadditive(stated, independent=printed["independent"].number() == 1),
        scope="all N, independent values, every learner",
        summary="chain rule, and I(a; b | h) >= 0",
    )


@section.check("nichani.thm7.superadd", "numerics", method="drawn learners", group="information")
def superadditive_drawn(printed: Printed, context: Context) -> Evidence:
    from numerics.information.channels import copied_bit

    found = _terms(printed, ("budget", "sum"), context.seed)
    scope = _DRAWN["looked"]
    if printed["independent"].number() != 1:
        found = iter([("two copies of a bit, told: P - T", copied_bit(), 0.0)])
        scope = "two equal values"
    return at_least(found, scope, slack=rounding(1e-9))


@_both(
    "nichani.thm7.gibbs",
    loss_bounds.gibbs,
    method="Gibbs' inequality and exact joint laws",
    scope="every x, encoder and predictor",
    summary="the difference is a relative entropy",
    **_DRAWN,
)
def gibbs_drawn(bound: Formula, context: Context) -> Iterator[Sides]:
    from numerics.information.channels import samples

    for sample in samples(context.seed):
        for x, (loss, J) in enumerate(zip(sample.losses, sample.informations, strict=True)):
            stated = bound.real(L=sample.L, J=float(J))
            yield f"{sample.name}, x = {x + 1}", float(loss), stated


@_both(
    "nichani.thm7.sum-bound",
    loss_bounds.sum_of_losses,
    method="Gibbs step, weighted",
    scope="every prior, encoder and predictor",
    summary="the mean of the Gibbs steps",
    **_DRAWN,
)
def sum_of_losses_drawn(term: Formula, context: Context) -> Iterator[Sides]:
    from numerics.information.channels import samples

    for sample in samples(context.seed):
        stated = sum(
            term.real(L=sample.L, J=float(J), p=float(p))
            for J, p in zip(sample.informations, sample.prior, strict=True)
        )
        yield sample.name, float(sample.losses @ sample.prior), stated


@section.both(
    corrected("nichani.thm7.minimiser"),
    loss_bounds.minimiser,
    method="summation by parts",
    scope="all N >= 1, M >= 2, B >= 0, every prior that does not increase",
    summary="the sums of the first n informations are min(n log M, B)",
    measured="linear programs",
    looked="M = 2, 3, 4, 8, B <= 6, N <= 4",
    judge=until_wrong,
    group="information",
)
def allocations(printed: Printed) -> Iterator[Comparison]:
    """The stated informations keep the constraints, and their value is the least."""
    from numerics.information.learners import least_fractional_loss
    from numerics.information.power_laws import power_law

    for M, B, N in ((2, 2, 4), (4, 1, 1), (4, 3, 3), (3, 1, 1), (3, 4, 4), (8, 2, 2), (8, 6, 1)):
        L, prior = math.log2(M), power_law(N, 1.0)
        sizes = {**_counts(B, L), "B": B, "L": L}
        number, rest = (printed[name].real(**sizes) for name in ("full", "partial"))
        words = f"M = {M}, B = {B}, N = {N}: {number:g} tokens in full, {rest:g} bits to the next"
        slack = rounding(absolute=1e-9)
        step, off = f"{words}; that is no number of tokens", number - round(number)
        if not (whole := Comparison(step, off, 0.0, 0.0, slack)).holds:
            yield whole
            return
        paid = [L if x < round(number) else rest * (x == round(number)) for x in range(N)]
        value = float(sum(p * (L - i) for p, i in zip(prior, paid, strict=True)))
        least = least_fractional_loss(prior, L, B)
        kept = (
            Comparison(f"{words}: bits in all", sum(paid), 0.0, B, slack),
            Comparison(f"{words}: least bits of a token", min(paid), 0.0, L, slack),
            Comparison(f"{words}: most bits of a token", max(paid), 0.0, L, slack),
        )
        step = f"{words}; {sum(paid):.9g} bits in all, value {value:.9g}, least {least:.9g}"
        yield Comparison(step, value, -math.inf, least, slack, also=kept)


# -- Corollary 1 ----------------------------------------------------------------------------------


def _left_open(argument: Argument) -> None:
    """Where some constants are stated, a witness against those that are derived decides nothing."""
    witness, argument.witness = argument.witness, None
    if witness is not None:
        argument.true("the constants that are derived serve", False, f"not at {dict(witness)}")


@section.check(corrected("nichani.cor1.stmt"), "proofs", method="exact sums")
def scaling_law(printed: Printed) -> Evidence:
    exponent, tokens = fields(printed, "exponent", "tokens")
    family = scaling.nothing_left(tokens)
    if "constant" not in printed and family.holds:
        return refuted(
            family,
            summary="the loss is 0 once B = N log2 M",
            scope="every alpha, N, M = 2^m and B = N m, so for every c > 0",
            witness={
                "family": "M = 2^m, B = N m, F = f*: loss 0, and c times a power of B is above 0",
                "smallest": {"N": 1, "M": 2, "B": 1, "F": "f*(1)", "loss": 0},
            },
        )
    constant = printed["constant"].field() if "constant" in printed else scaling.LOWER
    argument = scaling.scaling_law(constant, exponent, tokens)
    if "constant" not in printed:
        _left_open(argument)
    return conclude(
        argument,
        scope="all alpha > 1, M >= 2, B >= 1, N >= 2 ceil(B/log2 M), every learner",
        summary="the next K tokens are not stored",
    )


@_values(
    corrected("nichani.cor1.stmt"),
    method="every map and stored values",
    scope="small worlds, and the first B bits stored",
)
def scaling_law_tried(printed: Printed) -> Iterator[Sides | Comparison]:
    """Losses against c L B^exponent, at the smallest N that is stated."""
    from numerics.information import learners, power_laws

    for alpha in _ALPHAS:
        for N, M, B in ((1, 2, 1), (2, 2, 1), (2, 3, 1), (3, 2, 1), (2, 4, 1)):
            K = math.ceil(B / math.log2(M) - _ROUNDING)
            if printed["tokens"].real(K=K) <= N:
                loss = learners.best_loss(power_laws.power_law(N, alpha), M, B)
                words = f"N = {N}, M = {M}, B = {B}, alpha = {alpha:g}: best of all maps"
                yield _scaled(printed, words, loss, alpha, math.log2(M), B)
        for m, B in ((1, 4), (1, 40), (1, 400), (3, 3), (3, 120)):
            N = max(1, math.ceil(printed["tokens"].real(K=-(-B // m))))
            prior = power_laws.power_law(N, alpha)
            words = f"N = {N}, M = {2**m}, B = {B}, alpha = {alpha:g}: {B // m} values stored"
            yield _scaled(printed, words, m * float(prior[B // m :].sum()), alpha, m, B)


def _scaled(
    printed: Printed, words: str, loss: float, alpha: float, L: float, B: int
) -> Sides | Comparison:
    if "constant" not in printed:  # no c > 0 at all is below 0
        above = Slack("a loss above 0 must be seen to be", absolute=-1e-9)
        return Comparison(f"{words}: loss {loss:.9g}, stated above 0", loss, 0.0, math.inf, above)
    constant = printed["constant"].real(alpha=alpha, h=2**-alpha)
    return words, loss, constant * L * B ** printed["exponent"].real(alpha=alpha)


@section.both(
    corrected("nichani.cor1.normaliser"),
    scaling.normaliser,
    method="exact sums",
    scope="all N >= 1 and alpha",
    summary="the probabilities add up to one",
    measured="sums in float64",
    looked="N <= 100, three exponents",
    judge=until_wrong,
    group="information",
)
def normaliser_summed(Z: Formula) -> Iterator[Comparison]:
    from numerics.information.power_laws import powers

    for N, alpha in itertools.product((1, 2, 7, 100), _ALPHAS):
        s = float(powers(N, alpha).sum())
        total = Z.real(s=s, N=N) * s
        step = f"N = {N}, alpha = {alpha:g}: the probabilities add up to {total:.9g}"
        yield Comparison(step, total, 1.0, 1.0, slack=rounding(absolute=1e-9))


@section.check(corrected("nichani.cor1.tail"), "proofs", method="blocks of k terms")
def tail(printed: Printed) -> Evidence:
    reach = printed["reach"].field()
    family = scaling.short_tails(reach)
    if "lower" not in printed and family.holds:
        return refuted(
            family,
            summary="at k = n the tail is at most n^(1-alpha)/n",
            scope="every alpha > 1, k = n growing, so for every c > 0",
            witness={
                "family": "k = n: the tail over k^(1-alpha) is 1/(n sum_{x <= n} x^-alpha) <= 1/n",
                "by hand": {"alpha": 2, "k = n": 2, "tail": "1/5", "k^(1-alpha)": "1/2"},
            },
        )
    lower, upper = scaling.LOWER, scaling.UPPER
    if "lower" in printed:
        lower, upper = fields(printed, "lower", "upper")
    argument = scaling.tail(lower, upper, reach)
    if "lower" not in printed:
        _left_open(argument)
    return conclude(
        argument,
        scope="all alpha > 1 and 1 <= k <= n",
        summary="blocks of k terms above, k terms below",
    )


@section.values(
    corrected("nichani.cor1.tail"),
    method="sums in float64",
    scope="k <= 1000, n <= 20000, three exponents",
    judge=until_wrong,
    group="information",
)
def tail_summed(printed: Printed) -> Iterator[Comparison]:
    return _tails(printed) if "lower" in printed else _shortest_tails(printed)


def _tails(printed: Printed) -> Iterator[Comparison]:
    """The tail over k^(1-alpha): at the least n that is stated, and for a long tail."""
    for alpha, k in itertools.product(_ALPHAS, (1, 2, 3, 10, 100, 1000)):
        least = _least_length(printed, k)
        for n in (k, least, least + 1, 20 * k):
            words, ratio = _scaled_tail(alpha, k, n)
            low, high = (
                printed[name].real(alpha=alpha, h=2**-alpha) for name in ("lower", "upper")
            )
            step = f"{words}, stated from {low:.9g} to {high:.9g}"
            low = -math.inf if n < least else low
            yield Comparison(step, ratio, low, high, slack=rounding(absolute=1e-9))


def _shortest_tails(printed: Printed) -> Iterator[Comparison]:
    """Some c > 0 is stated: none is left where the ratio, at the least n for each k, falls like 1/n."""
    for alpha in _ALPHAS:
        most = 0.0
        for k in (10, 100, 1000):
            n = _least_length(printed, k)
            words, ratio = _scaled_tail(alpha, k, n)
            most = max(most, ratio * n)
            yield Comparison(words, ratio, 0.0, math.inf, NOTHING)
        words = f"alpha = {alpha:g}: the ratio times the least n is at most {_FEW} for each k"
        step = words if most <= _FEW else f"{words}: no"
        yield Comparison(step, most, math.nextafter(_FEW, math.inf), math.inf, NOTHING)


def _least_length(printed: Printed, k: int) -> int:
    return max(k, math.ceil(printed["reach"].real(k=k)))


def _scaled_tail(alpha: float, k: int, n: int) -> tuple[str, float]:
    from numerics.information.power_laws import tail as mass

    ratio = mass(k, n, alpha) * k ** (alpha - 1)
    return f"alpha = {alpha:g}, k = {k}, n = {n}: tail over k^(1-alpha) {ratio:.9g}", ratio


@section.both(
    "nichani.cor1.final-step",
    scaling.final_step,
    method="powers of log M",
    scope="all M >= 2, B > 0, alpha > 1, any unit",
    summary="c = (log 2)^alpha",
    measured="powers in float64",
    looked="M = 2, 3, 50, three exponents, in nats",
    judge=until_wrong,
    group="information",
)
def final_step_computed(printed: Printed) -> Iterator[Comparison]:
    least, some = math.log(printed["base"].number()), math.ulp(0.0)
    for M, alpha, B in itertools.product((2, 3, 50), _ALPHAS, (0.5, 4.0)):
        power, L = printed["power"].real(alpha=alpha), math.log(M)
        left, form = L * (B / L) ** (1 - alpha), L**power * B ** (1 - alpha)
        bound = (least**power if least > 0 else 0.0) * B ** (1 - alpha)
        step = (
            f"M = {M}, alpha = {alpha:g}, B = {B:g}, in nats: {left:.9g}, stated to be "
            f"{form:.9g} and at least {bound:.9g}, c > 0"
        )
        slack, size = rounding(1e-9), ("the value", left)
        above = Comparison(f"{step}, the latter", bound, -math.inf, left, slack, size)
        positive = Comparison("c > 0", bound, some, math.inf, NOTHING)
        yield Comparison(step, left, form, form, slack, size, also=(above, positive))


@section.both(
    "nichani.s6.store-top",
    scaling.store_top,
    method="tails of the power law",
    scope="all alpha > 1, M >= 2, N, B >= 1",
    summary="C = (log2 M)^alpha bits",
    measured="sums in float64",
    looked="M from 2 to 2^30, three exponents",
    judge=until_wrong,
    group="information",
)
def store_top_summed(printed: Printed) -> Iterator[Comparison]:
    """What is stored fits into the bits, and the loss is at most the stated one."""
    from numerics.information.power_laws import power_law

    budgets = ((2, 1), (2, 60), (3, 1), (3, 40), (16, 3), (16, 80), (2**30, 29), (2**30, 31))
    for alpha, (M, B) in itertools.product(_ALPHAS, budgets):
        L = math.log2(M)
        stored = int(printed["stored"].real(**_counts(B, L)))
        factor, power = printed["factor"].number(), printed["power"].real(alpha=alpha)
        for N in (1, 2, 50, 2000):
            loss = L * float(power_law(N, alpha)[stored:].sum())
            stated = float(factor) * L**power * B ** (1 - alpha)
            step = (
                f"M = {M}, B = {B}, N = {N}, alpha = {alpha:g}: {stored} values, "
                f"{stored * L:.6g} bits, loss {loss:.9g}, stated at most {stated:.9g}"
            )
            bits = Comparison(step, stored * L, 0.0, B, slack=rounding(absolute=1e-9))
            size = ("the stated", stated)
            yield Comparison(step, loss, -math.inf, stated, rounding(1e-9), size, also=(bits,))
