"""Checks of Lemmas 8 to 11 of Nichani et al. (App. E.2 and E.3): what predictions tell of facts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

from proofs.argument import Argument
from proofs.papers.nichani.bits import answer_sets, occupancy, recall_lemmas
from verify.checks.computed import Computed, rounding
from verify.checks.section import Section
from verify.claim import Printed
from verify.measuring.context import Context
from verify.papers.nichani.recall_learners import (
    eta,
    functions,
    learners,
    log2_choose,
    log2_or_nan,
    reals,
)
from verify.printed.formula import Formula

section = Section()

#: How many messages a random learner has, or one for every table.
_MESSAGES: tuple[int | str, ...] = (2, 3, "everything")

_INF = math.inf
#: How many joint laws are drawn for each choice of alphabets.
_DRAWS = 10
#: S a cell so large that eta and what is unseen vanish in float64.
_MANY = 10**9

# -- Lemma 11 -------------------------------------------------------------------------------------


@section.both(
    "nichani.lem11",
    recall_lemmas.superadditivity,
    method="identity of entropies",
    scope="all joint laws on finite alphabets",
    summary="the difference of the sides is I(X;Y|Z)",
    measured="random joint laws",
    looked="random joint laws of three variables, float64",
    slack=rounding(1e-9),
)
def _superadditivity(printed: Printed, context: Context) -> Iterable[Computed]:
    import numpy as np

    from numerics.information.recall_worlds import law_information, random_law

    generator = np.random.default_rng(context.seed)
    first, second, dependence, difference = (
        printed[name].real() for name in ("first", "second", "dependence", "difference")
    )
    for shape in [(2, 2, 2), (2, 3, 4), (4, 4, 2)] * _DRAWS:
        law = random_law(generator, shape)
        left = law_information(law, [0, 1], [2]) - first * law_information(law, [0], [2])
        left += dependence * law_information(law, [0], [1])
        left -= second * law_information(law, [1], [2])
        rest = difference * law_information(law, [0], [1], [2])
        yield f"left less right, alphabets {shape}", left, rest, rest
        yield f"left less right, alphabets {shape}", left, 0.0, _INF


# -- Lemma 8 --------------------------------------------------------------------------------------


@section.both(
    "nichani.lem8.stmt",
    lambda printed, context: recall_lemmas.near_independence(
        functions(printed), functions(context.formulas("nichani.lem8.ratio-chain"))
    ),
    method="total correlation",
    scope="all R, D >= 1, |V| >= 2 R D, every message; bits and nats",
    summary="Lemma 11 and the total correlation",
    measured="random learners",
    looked="small worlds with random messages, and full ones",
    slack=rounding(1e-9),
)
def _near_independence(printed: Printed, context: Context) -> Iterable[Computed]:
    from numerics.information.recall_worlds import log2_binomial, recall_world

    least = printed["least"].real()
    for (R, D, S), messages in itertools.product(((2, 1, 1), (2, 1, 2), (3, 1, 1)), _MESSAGES):
        for V in {math.ceil(least * R * D), math.ceil(least * R * D) + 1}:
            world = recall_world(R, D, V, S, messages=messages, coins=2, seed=context.seed)
            gap = sum(world.information([name], ["F"]) for name in world.sets)
            gap -= world.information(world.sets, ["F"])
            bound = printed["bound"].real(R=R, D=D, V=V)
            yield f"gap at R = {R}, D = {D}, V = {V}, {messages}", gap, -_INF, bound
    for R, D in ((3, 1), (4, 1), (8, 1), (12, 1), (2, 5), (3, 5)):
        V = math.ceil(least * R * D)
        gap = sum(log2_binomial(V, D) - log2_binomial(V - r * D, D) for r in range(R))
        bound = printed["bound"].real(R=R, D=D, V=V)
        yield (
            f"gap when all is known of many subjects, R = {R}, D = {D}, V = {V}",
            gap,
            -_INF,
            bound,
        )


@section.both(
    "nichani.lem8.entropies",
    answer_sets.entropies,
    method="counting",
    scope="all R, D >= 1, |V| >= R D",
    summary="uniform laws, counted",
    measured="enumeration",
    looked="answer sets enumerated in float64",
    slack=rounding(1e-9),
)
def _entropies(printed: Printed) -> Iterable[Computed]:
    from numerics.information.recall_worlds import recall_world

    for R, D, V in ((1, 1, 3), (2, 1, 4), (2, 2, 5), (3, 1, 4), (2, 2, 6)):
        world = recall_world(R, D, V, 1, messages=1)
        size = printed["size"].real(R=R, D=D, V=V)
        single = log2_choose(printed["single"].real(R=R, D=D, V=V), size)
        tops = (printed["joint"].real(R=R, D=D, V=V, r=r) for r in range(R))
        whole = sum(log2_choose(top, size) for top in tops)
        yield f"H(A_1), R = {R}, D = {D}, V = {V}", world.entropy(["A0"]), single, single
        yield f"H(A), R = {R}, D = {D}, V = {V}", world.entropy(world.sets), whole, whole


@section.both(
    "nichani.lem8.ratio-chain",
    answer_sets.ratio_chain,
    method="factor by factor",
    scope="all R, D >= 1, V >= 2 R D",
    summary="binomials factor by factor, log 1/(1-x) <= 2x",
    measured="grid",
    looked="a grid of R, D, V in float64",
    slack=rounding(1e-9),
)
def _ratio_chain(printed: Printed) -> Iterable[Computed]:
    from numerics.information.recall_worlds import log2_falling

    two, least = math.log(2), printed["least"].real()
    for R, D, factor in itertools.product((1, 2, 3, 6, 10), (1, 2, 5), (1, 1.3, 4)):
        V = max(math.ceil(least * R * D * factor), R * D + 1)
        n = reals(printed, R=R, D=D, V=V)
        found = sum(log2_choose(V, D) - log2_choose(V - r * D, D) for r in range(R)) * two
        first = n["times"] * (log2_choose(V, D) - log2_choose(n["kept"], D)) * two
        known = 0 <= n["last"] <= n["kept"]
        fallen = log2_falling(n["kept"], n["kept"] - n["last"]) if known else math.nan
        second = n["times"] * (log2_falling(V, D) - fallen) * two
        third = n["power"] * log2_or_nan(n["ratio"]) * two
        place = f"R = {R}, D = {D}, V = {V}"
        yield f"total correlation, {place}", found, -_INF, first
        yield f"factorials, {place}", second, first, first
        yield f"next, {place}", second, -_INF, third
        yield f"last, {place}", third, -_INF, n["bound"]


# -- Lemma 9, the steps ---------------------------------------------------------------------------


@section.both(
    "nichani.lem9.dpi",
    recall_lemmas.random_order,
    method="identity of entropies",
    scope="every learner, R, D, |V|, S",
    summary="given A_r the order tells nothing of f",
    measured="random learners",
    looked="small worlds with random messages, orders enumerated",
    slack=rounding(1e-9),
)
def _random_order(tie: float, factor: Formula, context: Context) -> Iterable[Computed]:
    from numerics.information.recall_worlds import recall_world

    for sizes, messages in itertools.product(((1, 2, 3, 1), (1, 2, 4, 2), (1, 3, 4, 1)), _MESSAGES):
        world = recall_world(*sizes, messages=messages, coins=2, seed=context.seed).ordered(tie)
        left = world.information(["A0"], ["F"])
        right = world.information([f"z{i}" for i in range(world.D)], ["F"])
        right *= factor.real(D=world.D)
        yield f"I(A;f), (R, D, V, S) = {sizes}, {messages}", left, right, _INF


@section.both(
    "nichani.lem9.total-corr",
    answer_sets.ordered_chain,
    method="factor by factor",
    scope="all D >= 1, V >= 2 D",
    summary="factor by factor, log 1/(1-x) <= 2x",
    measured="grid",
    looked="a grid of D, V in float64",
    slack=rounding(1e-9),
)
def _total_correlation(printed: Printed) -> Iterable[Computed]:
    from numerics.information.recall_worlds import log2_falling

    two, least = math.log(2), printed["least"].real()
    for D, factor in itertools.product((1, 2, 3, 4, 6, 10, 20), (1, 1.5, 4)):
        V = max(math.ceil(least * D * factor), D + 1)
        found = (D * math.log2(V) - log2_falling(V, D)) * two
        terms = (
            (printed["top"].real(D=D, V=V), printed["term"].real(D=D, V=V, i=i)) for i in range(D)
        )
        second = sum(log2_or_nan(top / term) if term else math.nan for top, term in terms) * two
        third = printed["power"].real(D=D, V=V) * log2_or_nan(printed["ratio"].real(D=D, V=V)) * two
        yield f"total correlation, D = {D}, V = {V}", found, second, second
        yield f"next, D = {D}, V = {V}", second, -_INF, third
        yield f"last, D = {D}, V = {V}", third, -_INF, printed["bound"].real(D=D, V=V)


@section.both(
    "nichani.lem9.mixture",
    recall_lemmas.smoothed,
    method="weighted means",
    scope="all e in [0, 1], f in (0, 1], V >= 1",
    summary="the logarithm is concave",
    measured="grid",
    looked="a grid of e, f, V in float64",
    slack=rounding(1e-9),
)
def _smoothed(printed: Printed) -> Iterable[Computed]:
    for e, V, k in itertools.product((0.0, 0.125, 0.5, 0.875, 1.0), (1, 2, 7, 100), range(8)):
        for f in (10.0**-k, 1 / V):
            n = reals(printed, e=e, V=V)
            left = math.log((1 - e) * f + n["mix"])
            right = n["lead"] * math.log(f) - n["tail"] * math.log(V)
            yield f"left, e = {e:g}, f = {f:g}, V = {V}", left, right, _INF


@section.both(
    "nichani.lem9.event-jensen",
    recall_lemmas.good_event,
    method="weighted means",
    scope="all predictions in (0, 1], counts at least M",
    summary="the logarithm is concave, log f <= 0",
    measured="random predictions",
    looked="random and nearly certain predictions",
    slack=rounding(1e-9),
)
def _good_event(printed: Printed, context: Context) -> Iterable[Computed]:
    import numpy as np

    from numerics.information.recall_worlds import random_predictions

    generator = np.random.default_rng(context.seed)
    for (S, D), sharpness in itertools.product(((2, 2), (5, 2), (9, 3)), (0.0, 0.5, 1.0)):
        drawn, answers = random_predictions(generator, S, D, 2 * D, sharpness)
        smooth = (1 - 1e-12) * drawn + 1e-12 / (2 * D)
        logs = np.log(smooth[np.arange(S), answers])
        counts = np.bincount(answers, minlength=D)
        M = int(counts.min())
        outer = printed["outer"].real(S=S, D=D, M=M)
        least = math.log(printed["least"].real(S=S, D=D, M=M))
        total = 0.0
        for z in range(D):
            n, own = int(counts[z]), float(logs[answers == z].sum())
            q = math.log(float(smooth[:, z].mean()))
            middle = printed["inner"].real(S=S, D=D, M=M, n=n) * own
            middle += math.log(printed["count"].real(S=S, D=D, M=M, n=n))
            place = f"S = {S}, D = {D}, sharpness {sharpness:g}, z = {z}"
            yield f"log q, {place}", q, middle, _INF
            yield f"its bound, {place}", middle, outer * own + least, _INF
            total += outer * own + least
        summed = outer * float(logs.sum()) + printed["cells"].real(S=S, D=D, M=M) * least
        yield f"sum, S = {S}, D = {D}, sharpness {sharpness:g}", total, summed, summed


@section.both(
    "nichani.lem9.naive",
    recall_lemmas.naive,
    method="termwise",
    scope="all predictions, 0 < e <= 1",
    summary="no smoothed probability is below e/|V|",
    measured="random predictions",
    looked="random predictions, and certain wrong ones",
    slack=rounding(1e-9),
)
def _naive(cells: Formula, value: Formula, context: Context) -> Iterable[Computed]:
    import numpy as np

    from numerics.information.recall_worlds import random_predictions

    generator = np.random.default_rng(context.seed)
    for (S, D, V), e in itertools.product(
        ((3, 1, 1), (3, 1, 4), (4, 2, 6), (6, 3, 20)), (0.125, 0.5, 1.0)
    ):
        for wrong in (False, True):
            drawn, _ = random_predictions(generator, S, D, V, 0.0)
            if wrong:
                drawn = np.eye(V)[np.full(S, V - 1)]
            smooth = ((1 - e) * drawn + e / V).mean(0)
            left = float(np.log(smooth[:D]).sum())
            right = cells.real(D=D) * math.log(value.real(e=e, V=V, D=D))
            yield f"sum, S = {S}, D = {D}, V = {V}, e = {e:g}, wrong: {wrong}", left, right, _INF


@section.both(
    "nichani.lem9.concentration",
    occupancy.lower_tail,
    method="Chernoff and a union bound",
    scope="all S, D >= 1, 0 < delta < 1",
    summary="Chernoff's bound with x^2/2, D cells",
    measured="binomial sums",
    looked="binomial sums in float64",
    slack=rounding(1e-9),
)
def _lower_tail(printed: Printed) -> Iterable[Computed]:
    from numerics.information.recall_worlds import emptiest_cell

    places = ((100, 2), (50, 5), (2000, 2), (20_000, 100), (100_000, 100))
    for (S, D), delta in itertools.product(places, (0.5, 0.1, 0.01, 1e-4)):
        n = reals(printed, S=S, D=D)
        spread = math.sqrt(n["square"] * n["scale"] * math.log(n["cells"] / delta))
        failing = emptiest_cell(S, D, n["mean"] - spread)
        yield f"P(some count < M) >=, S = {S}, D = {D}, delta = {delta:g}", failing, -_INF, delta


@section.both(
    "nichani.lem9.eta-step",
    recall_lemmas.eta_step,
    method="signs",
    scope="0 <= eta <= 1, bits and nats",
    summary="(1 + eta)(1 - eta/2) >= 1, log 1/(1-x) <= 2x",
    measured="grid",
    looked="a grid of eta in float64",
    slack=rounding(1e-9),
)
def _eta_step(printed: Printed) -> Iterable[Computed]:
    for k in range(65):
        eta = k / 64
        inverse, logarithm = 1 / (1 - eta / 2), math.log(1 - eta / 2)
        up, slope = (printed[name].real(eta=eta) for name in ("up", "slope"))
        yield f"S/(M D), eta = {eta:g}", inverse, -_INF, up
        yield f"log(1 - eta/2), eta = {eta:g}", logarithm, -slope, _INF


@section.both(
    "nichani.lem9.delta-const",
    recall_lemmas.failure_event,
    method="rational functions",
    scope="all D >= 1, |V| >= 3, 0 <= eta <= 1",
    summary="identities, and eta <= 1",
    measured="grid",
    looked="a grid of D, |V|, eta in float64",
    slack=rounding(1e-9),
)
def _failure_event(printed: Printed) -> Iterable[Computed]:
    for D, V, h in itertools.product((1, 2, 5), (3, 10, 1000), (0.0, 0.25, 1.0)):
        L = math.log(V)
        delta = 1 / (2 * D * L)
        n = reals(printed, D=D, V=V, L=L, eta=h)
        place = f"D = {D}, |V| = {V}, eta = {h:g}"
        found = delta * D * math.log(1 / V**2)
        yield f"delta D log(e/V), {place}", found, n["product"], n["product"]
        yield f"D/delta, {place}", D / delta, n["inverse"], n["inverse"]
        yield f"S e L/M, {place}", D * (1 + h) / V * L, -_INF, n["first"]
        yield f"first bound, {place}", n["first"], -_INF, n["second"]


# -- Lemma 9 itself -------------------------------------------------------------------------------

_STEPS = ("total-corr", "concentration", "delta-const", "eta-step")


def _from_losses_judged(printed: Printed, context: Context) -> Argument:
    parts = {name: functions(context.formulas(f"nichani.lem9.{name}")) for name in _STEPS}
    return recall_lemmas.from_losses(functions(printed), parts)


@section.both(
    "nichani.lem9.stmt",
    _from_losses_judged,
    method="the steps put together",
    scope="all D, S >= 1, |V| >= 2 D, eta <= 1 with C = 2 sqrt 2; bits and nats",
    summary="the steps put together, constants checked",
    measured="learners in closed form",
    looked="learners of one relation in closed form",
    slack=rounding(1e-9),
)
def _from_losses(printed: Printed) -> Iterable[Computed]:
    square = printed["C2"].real()
    for D, V in ((1, 2), (1, 1024), (2, 4), (2, 2**12), (3, 10**4), (4, 2**20), (40, 100)):
        if printed["least"].real() * D > V:
            continue
        smallest = math.ceil(square * D * math.log2(2 * D**2 * math.log2(V)))
        for S in (smallest, 100 * smallest, _MANY * D):
            sizes = {"D": D, "V": V, "S": S, "eta": eta(square, D, V, S)}
            n = reals(printed, **sizes)
            base = n["lead"] * math.log2(n["inside"]) - n["log_term"] * math.log2(V)
            base -= n["square"] + n["extra"]
            for learner, told, loss in learners(D, V, S):
                right = base - n["loss"] * S * loss
                yield f"I(A;f), D = {D}, |V| = {V}, S = {S}, {learner}", told, right, _INF


# -- Lemma 10 -------------------------------------------------------------------------------------


@section.both(
    "nichani.lem10.stmt",
    lambda printed, context: recall_lemmas.one_fact(
        functions(printed), functions(context.formulas("nichani.lem10.renorm"))
    ),
    method="Gibbs' inequality",
    scope="every learner, R, D, |V|, S",
    summary="Gibbs' inequality with the renormalised prediction",
    measured="random learners",
    looked="small worlds with random messages",
    slack=rounding(1e-9),
)
def _one_fact(printed: Printed, context: Context) -> Iterable[Computed]:
    from numerics.information.recall_worlds import recall_world

    lead, loss = (printed[name].real() for name in ("lead", "loss"))
    for (R, D, V, S), messages in itertools.product(
        ((1, 2, 2, 1), (1, 2, 4, 2), (2, 2, 5, 1), (1, 3, 4, 1)), (1, *_MESSAGES)
    ):
        world = recall_world(R, D, V, S, messages=messages, coins=2, seed=context.seed)
        inside = math.log2(printed["inside"].real(R=R, D=D, V=V))
        for s, r in itertools.product(range(S), range(R)):
            told = world.information([f"a{s}{r}"], ["F"], [f"A{r}"])
            for smoothing in (0.0, 0.3, 1.0):
                right = lead * inside - loss * world.loss(s, r, smoothing)
                place = f"{(R, D, V, S)}, {messages}, smoothed by {smoothing:g}"
                yield f"I(a*;f|A), (R, D, V, S) = {place}", told, right, _INF


@section.both(
    "nichani.lem10.renorm",
    recall_lemmas.renormalised,
    method="signs",
    scope="all predictions with mass on A_r",
    summary="the mass on A_r is at most one",
    measured="random predictions",
    looked="random and nearly certain predictions",
    slack=rounding(1e-9),
)
def _renormalised(factor: Formula, context: Context) -> Iterable[Computed]:
    import numpy as np

    from numerics.information.recall_worlds import random_predictions

    generator = np.random.default_rng(context.seed)
    for (D, V), sharpness in itertools.product(((1, 2), (2, 5), (4, 9)), (0.0, 0.5, 1.0)):
        drawn, answers = random_predictions(generator, 6, D, V, sharpness)
        for prediction, token in zip(drawn, answers, strict=True):
            q = float(prediction[token] / prediction[:D].sum())
            least = factor.real(D=D, V=V) * float(prediction[token])
            yield f"q(a*), D = {D}, V = {V}, sharpness {sharpness:g}", q, least, _INF
