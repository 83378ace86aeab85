"""Checks of Theorem 7 and Corollary 1 of Nichani et al. (Sec. 6, App. E.1): bits against loss."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from proofs.algebra import RationalFunction
from proofs.argument import Argument
from proofs.information.budgets import TailBound
from proofs.papers.nichani.bits import loss_bounds, scaling
from verify.checks.argument import conclude
from verify.checks.computed import at, computed
from verify.checks.section import Section
from verify.claim import Evidence, Printed
from verify.measuring.context import Context
from verify.printed.formula import Formula
from verify.verdict import Verdict

if TYPE_CHECKING:
    from numerics.information.power_laws import Floats

section = Section()

_ALL = "all N >= 1, M >= 2, integers B, every prior and learner"
#: Exponents alpha in float64, and what rounding may add there.
_ALPHAS, _ROUNDING = (1.25, 2.0, 3.5), 1e-9
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


def _field(printed: Printed, *names: str) -> list[RationalFunction]:
    return [printed[name].field() for name in names]


def _float(formula: Formula, **values: float) -> float:
    """A printed formula at floats, which are exact fractions."""
    return at(formula, **{name: Fraction(value) for name, value in values.items()})


def _below(words: str, value: float, stated: float) -> tuple[str, str | None]:
    """A step, and the step once more if the value is below what is stated."""
    step = f"{words}: {value:.9g}, stated at least {stated:.9g}"
    return step, step if value < stated - _ROUNDING * (1 + abs(stated)) else None


def _decide(found: Iterator[tuple[str, str | None]], scope: str) -> Evidence:
    """Supported by all steps, or refuted by the first that is wrong."""
    steps = []
    for step, wrong in found:
        steps.append(step)
        if wrong is not None:
            return computed(steps, wrong, scope)
    return computed(steps, None, scope)


# -- the bounds on the loss -----------------------------------------------------------------------


def _tail_bound(claim: str, *, least_bits: int) -> None:
    """Both roads for a bound log M times a tail of p, and a part of the token before."""

    @section.check(claim, "proofs", method="linear program and small worlds")
    def proved(printed: Printed, context: Context) -> Evidence:
        first, rest = _field(printed, "first", "rest")
        bound = TailBound(first, rest, printed["factor"].number())
        return conclude(
            loss_bounds.tail_bound(bound, least_bits=least_bits),
            scope=f"{_ALL}, B >= {least_bits}",
            summary="summation by parts; every encoder of small worlds",
        )

    @section.check(claim, "numerics", method="every map and drawn maps", group="information")
    def tried(printed: Printed, context: Context) -> Evidence:
        return _decide(
            _losses(printed, least_bits, context.seed),
            f"all maps in {len(_WORLDS)} worlds, drawn maps and stored values in larger ones",
        )


for _id, _least in (
    ("nichani.thm7.stmt", 1),
    ("nichani.thm7.stmt.corrected", 0),
    ("nichani.thm7.proof-bound", 0),
):
    _tail_bound(_id, least_bits=_least)


def _losses(printed: Printed, least_bits: int, seed: int) -> Iterator[tuple[str, str | None]]:
    """Losses of the best maps, of drawn maps, and of stored values, against the stated bound."""
    from numerics.information import learners, power_laws

    for (N, M, B), alpha in _with_alphas(_WORLDS):
        if least_bits <= B:
            prior = power_laws.power_law(N, alpha)
            words = f"N = {N}, M = {M}, B = {B}, {_law(alpha)}: best of all maps"
            yield _below(words, learners.best_loss(prior, M, B), _stated(printed, prior, M, B))
    for (N, M, B), alpha in _with_alphas(((3, 3, 2), (4, 2, 3), (2, 6, 3))):
        prior = power_laws.power_law(N, alpha)
        least = float(learners.drawn_losses(prior, M, B, count=500, seed=seed).min())
        words = f"N = {N}, M = {M}, B = {B}, {_law(alpha)}: best of 500 drawn maps"
        yield _below(words, least, _stated(printed, prior, M, B))
    for m, B, N in ((1, 3, 6), (2, 6, 5), (4, 20, 9)):
        prior = power_laws.power_law(N, 1.0)
        words = f"N = {N}, M = {2**m}, B = {B}, {_law(1)}: {B // m} values stored"
        loss = m * float(prior[B // m :].sum())
        yield _below(words, loss, _stated(printed, prior, 2**m, B))


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
    counts = {"k": math.floor(B / L + _ROUNDING), "K": math.ceil(B / L - _ROUNDING)}
    first = int(_float(printed["first"], **counts))
    total = L * float(sum(prior[max(first - 1, 0) :]))
    if 1 <= first - 1 <= len(prior):
        total += float(prior[first - 2]) * _float(printed["rest"], **counts, B=B, L=L)
    return float(printed["factor"].number()) * total


@section.check("nichani.thm7.zero-loss", "proofs", method="counting messages")
def zero_loss(printed: Printed, context: Context) -> Evidence:
    return conclude(
        loss_bounds.zero_loss(printed["bits"].field()),
        scope=f"{_ALL}, p(x) > 0",
        summary="2^B >= M^N",
    )


@section.check(
    "nichani.thm7.zero-loss", "numerics", method="the fewest bits that do", group="information"
)
def zero_loss_tried(printed: Printed, context: Context) -> Evidence:
    """Within the worlds that are gone through, the least B at which some map has loss 0."""
    from numerics.information import learners
    from numerics.information.power_laws import power_law

    def found() -> Iterator[tuple[str, str | None]]:
        for N, M in ((1, 2), (1, 4), (2, 2), (1, 3), (1, 5)):
            prior = power_law(N, 0.0)
            B = next(b for b in range(N * M) if learners.best_loss(prior, M, b) < _ROUNDING)
            stated = _float(printed["bits"], N=N, L=math.log2(M))
            yield _below(f"N = {N}, M = {M}: bits at which some map has loss 0", B, stated)

    return _decide(found(), "all maps, M^N at most 5")


# -- steps of the proof ---------------------------------------------------------------------------


def _terms(printed: Printed, names: Sequence[str], seed: int) -> Iterator[tuple[str, str | None]]:
    """Each named formula in P, I, H, B, T is at least 0 for drawn learners."""
    from numerics.information.channels import samples

    for sample in samples(seed):
        for name in names:
            formula = printed[name]
            values = {n: sample.quantities[n] for n in sorted(formula.symbols())}
            yield _below(f"{sample.name}: {formula}", _float(formula, **values), 0.0)


@section.check("nichani.thm7.dpi", "proofs", method="entropy algebra and exact joint laws")
def data_processing(printed: Printed, context: Context) -> Evidence:
    names = ("processed", "message", "length")
    stated = dict(zip(names, _field(printed, *names), strict=True))
    return conclude(
        loss_bounds.data_processing(stated),
        scope="every Markov chain f* -> F -> f-hat, F with at most 2^B values",
        summary="three differences that are informations",
    )


@section.check("nichani.thm7.dpi", "numerics", method="drawn learners", group="information")
def data_processing_drawn(printed: Printed, context: Context) -> Evidence:
    names = ("processed", "message", "length")
    return _decide(_terms(printed, names, context.seed), "drawn encoders and predictors, N <= 3")


@section.check("nichani.thm7.superadd", "proofs", method="entropy algebra and exact joint laws")
def superadditive(printed: Printed, context: Context) -> Evidence:
    stated = dict(zip(("budget", "sum"), _field(printed, "budget", "sum"), strict=True))
    return conclude(
        loss_bounds.superadditive(stated, independent=printed["independent"].number() == 1),
        scope="all N, independent values, every learner",
        summary="chain rule, and I(a; b | h) >= 0",
    )


@section.check("nichani.thm7.superadd", "numerics", method="drawn learners", group="information")
def superadditive_drawn(printed: Printed, context: Context) -> Evidence:
    from numerics.information.channels import copied_bit

    if printed["independent"].number() != 1:
        step, wrong = _below("two copies of a bit, told: P - T", copied_bit(), 0.0)
        return computed([step], wrong, "two equal values")
    found = _terms(printed, ("budget", "sum"), context.seed)
    return _decide(found, "drawn encoders and predictors, N <= 3")


section.argued(
    "nichani.thm7.gibbs",
    decide=loss_bounds.gibbs,
    method="Gibbs' inequality and exact joint laws",
    scope="every x, encoder and predictor",
    summary="the difference is a relative entropy",
)


@section.check("nichani.thm7.gibbs", "numerics", method="drawn learners", group="information")
def gibbs_drawn(printed: Printed, context: Context) -> Evidence:
    from numerics.information.channels import samples

    def found() -> Iterator[tuple[str, str | None]]:
        for sample in samples(context.seed):
            for x, (loss, J) in enumerate(zip(sample.losses, sample.informations, strict=True)):
                stated = _float(printed["bound"], L=sample.L, J=float(J))
                yield _below(f"{sample.name}, x = {x + 1}", float(loss), stated)

    return _decide(found(), "drawn encoders and predictors, N <= 3")


section.argued(
    "nichani.thm7.sum-bound",
    decide=loss_bounds.sum_of_losses,
    method="Gibbs step, weighted",
    scope="every prior, encoder and predictor",
    summary="the mean of the Gibbs steps",
)


@section.check("nichani.thm7.sum-bound", "numerics", method="drawn learners", group="information")
def sum_of_losses_drawn(printed: Printed, context: Context) -> Evidence:
    from numerics.information.channels import samples

    def found() -> Iterator[tuple[str, str | None]]:
        for sample in samples(context.seed):
            stated = sum(
                _float(printed["term"], L=sample.L, J=float(J), p=float(p))
                for J, p in zip(sample.informations, sample.prior, strict=True)
            )
            yield _below(sample.name, float(sample.losses @ sample.prior), stated)

    return _decide(found(), "drawn encoders and predictors, N <= 3")


for _id in ("nichani.thm7.minimiser", "nichani.thm7.minimiser.corrected"):

    @section.check(_id, "proofs", method="summation by parts")
    def minimiser(printed: Printed, context: Context) -> Evidence:
        return conclude(
            loss_bounds.minimiser(*_field(printed, "full", "partial")),
            scope="all N >= 1, M >= 2, B >= 0, every prior that does not increase",
            summary="the sums of the first n informations are min(n log M, B)",
        )

    @section.check(_id, "numerics", method="linear programs", group="information")
    def minimiser_solved(printed: Printed, context: Context) -> Evidence:
        return _decide(_allocations(printed), "M = 2, 3, 4, 8, B <= 6, N <= 4")


def _allocations(printed: Printed) -> Iterator[tuple[str, str | None]]:
    """The stated informations keep the constraints, and their value is the least."""
    from numerics.information.learners import least_fractional_loss
    from numerics.information.power_laws import power_law

    for M, B, N in ((2, 2, 4), (4, 1, 1), (4, 3, 3), (3, 1, 1), (3, 4, 4), (8, 2, 2), (8, 6, 1)):
        L, prior = math.log2(M), power_law(N, 1.0)
        counts = {"k": math.floor(B / L + _ROUNDING), "K": math.ceil(B / L - _ROUNDING)}
        number, rest = (_float(printed[name], **counts, B=B, L=L) for name in ("full", "partial"))
        words = f"M = {M}, B = {B}, N = {N}: {number:g} tokens in full, {rest:g} bits to the next"
        if abs(number - round(number)) > _ROUNDING:
            step = f"{words}; that is no number of tokens"
            yield step, step
            return
        paid = [L if x < round(number) else rest * (x == round(number)) for x in range(N)]
        value = float(sum(p * (L - i) for p, i in zip(prior, paid, strict=True)))
        least = least_fractional_loss(prior, L, B)
        kept = sum(paid) <= B + _ROUNDING and all(-_ROUNDING <= i <= L + _ROUNDING for i in paid)
        step = f"{words}; {sum(paid):.9g} bits in all, value {value:.9g}, least {least:.9g}"
        yield step, None if kept and value <= least + _ROUNDING else step


# -- Corollary 1 ----------------------------------------------------------------------------------


def _refuted(argument: Argument, summary: str, scope: str, witness: Mapping[str, Any]) -> Evidence:
    """Refuted by an argument that gives a whole family of counterexamples."""
    return Evidence(
        Verdict.REFUTED,
        "",
        summary,
        scope=scope,
        steps=tuple(str(line) for line in argument.lines),
        counterexample=witness,
        assumptions=tuple(argument.assumptions),
    )


def _left_open(argument: Argument) -> None:
    """Where some constants are stated, a witness against those that are derived decides nothing."""
    witness, argument.witness = argument.witness, None
    if witness is not None:
        argument.true("the constants that are derived serve", False, f"not at {dict(witness)}")


for _id in ("nichani.cor1.stmt", "nichani.cor1.stmt.corrected"):

    @section.check(_id, "proofs", method="exact sums")
    def scaling_law(printed: Printed, context: Context) -> Evidence:
        exponent, tokens = _field(printed, "exponent", "tokens")
        family = scaling.nothing_left(tokens)
        if "constant" not in printed and family.holds:
            return _refuted(
                family,
                "the loss is 0 once B = N log2 M",
                "every alpha, N, M = 2^m and B = N m, so for every c > 0",
                {
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

    @section.check(_id, "numerics", method="every map and stored values", group="information")
    def scaling_law_tried(printed: Printed, context: Context) -> Evidence:
        return _decide(_scaled_losses(printed), "small worlds, and the first B bits stored")


def _scaled_losses(printed: Printed) -> Iterator[tuple[str, str | None]]:
    """Losses against c L B^exponent, at the smallest N that is stated."""
    from numerics.information import learners, power_laws

    for alpha in _ALPHAS:
        for N, M, B in ((1, 2, 1), (2, 2, 1), (2, 3, 1), (3, 2, 1), (2, 4, 1)):
            K = math.ceil(B / math.log2(M) - _ROUNDING)
            if _float(printed["tokens"], K=K) <= N:
                loss = learners.best_loss(power_laws.power_law(N, alpha), M, B)
                words = f"N = {N}, M = {M}, B = {B}, alpha = {alpha:g}: best of all maps"
                yield _scaled(printed, words, loss, alpha, math.log2(M), B)
        for m, B in ((1, 4), (1, 40), (1, 400), (3, 3), (3, 120)):
            N = max(1, math.ceil(_float(printed["tokens"], K=-(-B // m))))
            prior = power_laws.power_law(N, alpha)
            words = f"N = {N}, M = {2**m}, B = {B}, alpha = {alpha:g}: {B // m} values stored"
            yield _scaled(printed, words, m * float(prior[B // m :].sum()), alpha, m, B)


def _scaled(
    printed: Printed, words: str, loss: float, alpha: float, L: float, B: int
) -> tuple[str, str | None]:
    if "constant" not in printed:  # no c > 0 at all is below 0
        step = f"{words}: loss {loss:.9g}, stated above 0"
        return step, step if loss < _ROUNDING else None
    constant = _float(printed["constant"], alpha=alpha, h=2**-alpha)
    return _below(words, loss, constant * L * B ** _float(printed["exponent"], alpha=alpha))


for _id in ("nichani.cor1.normaliser", "nichani.cor1.normaliser.corrected"):

    @section.check(_id, "proofs", method="exact sums")
    def normaliser(printed: Printed, context: Context) -> Evidence:
        return conclude(
            scaling.normaliser(printed["Z"].field()),
            scope="all N >= 1 and alpha",
            summary="the probabilities add up to one",
        )

    @section.check(_id, "numerics", method="sums in float64", group="information")
    def normaliser_summed(printed: Printed, context: Context) -> Evidence:
        from numerics.information.power_laws import powers

        def found() -> Iterator[tuple[str, str | None]]:
            for N in (1, 2, 7, 100):
                for alpha in _ALPHAS:
                    s = float(powers(N, alpha).sum())
                    total = _float(printed["Z"], s=s, N=N) * s
                    step = f"N = {N}, alpha = {alpha:g}: the probabilities add up to {total:.9g}"
                    yield step, None if abs(total - 1) < _ROUNDING else step

        return _decide(found(), "N <= 100, three exponents")


for _id in ("nichani.cor1.tail", "nichani.cor1.tail.corrected"):

    @section.check(_id, "proofs", method="blocks of k terms")
    def tail(printed: Printed, context: Context) -> Evidence:
        reach = printed["reach"].field()
        family = scaling.short_tails(reach)
        if "lower" not in printed and family.holds:
            return _refuted(
                family,
                "at k = n the tail is at most n^(1-alpha)/n",
                "every alpha > 1, k = n growing, so for every c > 0",
                {
                    "family": "k = n: the tail over k^(1-alpha) is 1/(n sum_{x <= n} x^-alpha) <= 1/n",
                    "by hand": {"alpha": 2, "k = n": 2, "tail": "1/5", "k^(1-alpha)": "1/2"},
                },
            )
        lower, upper = scaling.LOWER, scaling.UPPER
        if "lower" in printed:
            lower, upper = _field(printed, "lower", "upper")
        argument = scaling.tail(lower, upper, reach)
        if "lower" not in printed:
            _left_open(argument)
        return conclude(
            argument,
            scope="all alpha > 1 and 1 <= k <= n",
            summary="blocks of k terms above, k terms below",
        )

    @section.check(_id, "numerics", method="sums in float64", group="information")
    def tail_summed(printed: Printed, context: Context) -> Evidence:
        found = _tails(printed) if "lower" in printed else _shortest_tails(printed)
        return _decide(found, "k <= 1000, n <= 20000, three exponents")


def _tails(printed: Printed) -> Iterator[tuple[str, str | None]]:
    """The tail over k^(1-alpha): at the least n that is stated, and for a long tail."""
    for alpha, k in itertools.product(_ALPHAS, (1, 2, 3, 10, 100, 1000)):
        least = _least_length(printed, k)
        for n in (k, least, least + 1, 20 * k):
            words, ratio = _scaled_tail(alpha, k, n)
            low, high = (
                _float(printed[name], alpha=alpha, h=2**-alpha) for name in ("lower", "upper")
            )
            held = ratio <= high + _ROUNDING and (n < least or ratio >= low - _ROUNDING)
            step = f"{words}, stated from {low:.9g} to {high:.9g}"
            yield step, None if held else step


def _shortest_tails(printed: Printed) -> Iterator[tuple[str, str | None]]:
    """Some c > 0 is stated: none is left where the ratio, at the least n for each k, falls like 1/n."""
    for alpha in _ALPHAS:
        falls = True
        for k in (10, 100, 1000):
            n = _least_length(printed, k)
            words, ratio = _scaled_tail(alpha, k, n)
            falls = falls and ratio * n <= _FEW
            yield words, None
        words = f"alpha = {alpha:g}: the ratio times the least n is at most {_FEW} for each k"
        yield words if falls else f"{words}: no", words if falls else None


def _least_length(printed: Printed, k: int) -> int:
    return max(k, math.ceil(_float(printed["reach"], k=k)))


def _scaled_tail(alpha: float, k: int, n: int) -> tuple[str, float]:
    from numerics.information.power_laws import tail as mass

    ratio = mass(k, n, alpha) * k ** (alpha - 1)
    return f"alpha = {alpha:g}, k = {k}, n = {n}: tail over k^(1-alpha) {ratio:.9g}", ratio


section.argued(
    "nichani.cor1.final-step",
    decide=scaling.final_step,
    method="powers of log M",
    scope="all M >= 2, B > 0, alpha > 1, any unit",
    summary="c = (log 2)^alpha",
)


@section.check(
    "nichani.cor1.final-step", "numerics", method="powers in float64", group="information"
)
def final_step_computed(printed: Printed, context: Context) -> Evidence:
    def found() -> Iterator[tuple[str, str | None]]:
        least = math.log(printed["base"].number())
        for M in (2, 3, 50):
            for alpha in _ALPHAS:
                power, L = _float(printed["power"], alpha=alpha), math.log(M)
                for B in (0.5, 4.0):
                    left, form = L * (B / L) ** (1 - alpha), L**power * B ** (1 - alpha)
                    c = least**power if least > 0 else 0.0
                    step = (
                        f"M = {M}, alpha = {alpha:g}, B = {B:g}, in nats: {left:.9g}, stated to be "
                        f"{form:.9g} and at least {c * B ** (1 - alpha):.9g}, c > 0"
                    )
                    same = abs(left - form) <= _ROUNDING * left
                    above = 0 < c * B ** (1 - alpha) <= left * (1 + _ROUNDING)
                    yield step, None if same and above else step

    return _decide(found(), "M = 2, 3, 50, three exponents, in nats")


section.argued(
    "nichani.s6.store-top",
    decide=scaling.store_top,
    method="tails of the power law",
    scope="all alpha > 1, M >= 2, N, B >= 1",
    summary="C = (log2 M)^alpha bits",
)


@section.check("nichani.s6.store-top", "numerics", method="sums in float64", group="information")
def store_top_summed(printed: Printed, context: Context) -> Evidence:
    return _decide(_stored(printed), "M from 2 to 2^30, three exponents")


def _stored(printed: Printed) -> Iterator[tuple[str, str | None]]:
    """What is stored fits into the bits, and the loss is at most the stated one."""
    from numerics.information.power_laws import power_law

    for alpha in _ALPHAS:
        for M, B in ((2, 1), (2, 60), (3, 1), (3, 40), (16, 3), (16, 80), (2**30, 29), (2**30, 31)):
            L = math.log2(M)
            counts = {"k": math.floor(B / L + _ROUNDING), "K": math.ceil(B / L - _ROUNDING)}
            stored = int(_float(printed["stored"], **counts))
            factor, power = printed["factor"].number(), _float(printed["power"], alpha=alpha)
            for N in (1, 2, 50, 2000):
                loss = L * float(power_law(N, alpha)[stored:].sum())
                stated = float(factor) * L**power * B ** (1 - alpha)
                step = (
                    f"M = {M}, B = {B}, N = {N}, alpha = {alpha:g}: {stored} values, "
                    f"{stored * L:.6g} bits, loss {loss:.9g}, stated at most {stated:.9g}"
                )
                fits = stored * L <= B + _ROUNDING
                yield step, None if fits and loss <= stated * (1 + _ROUNDING) else step
