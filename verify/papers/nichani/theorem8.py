"""Checks of Theorem 8 of Nichani et al. (Sec. 6, App. E.2): bits for factual recall."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator

from proofs.argument import Argument
from proofs.papers.nichani.bits import recall_bits
from verify.checks.computed import Computed, Sides, rounding
from verify.checks.section import Section, corrected
from verify.claim import Printed
from verify.measuring.context import Context
from verify.papers.nichani.recall_learners import eta, functions, reals

section = Section()

_INF = math.inf
#: S a cell so large that eta vanishes in float64.
_MANY = 10**9
#: (R, D, V, S) of worlds that are enumerated, and how many messages there are.
_WORLDS = ((1, 1, 4, 1), (1, 2, 3, 2), (2, 1, 4, 1), (2, 2, 5, 1))
_MESSAGES: tuple[int | str, ...] = (2, 4, "everything")
_MIXED: tuple[int | str, ...] = (2, 5, "order")


# -- the chain of informations --------------------------------------------------------------------


@section.both(
    "nichani.thm8.markov",
    recall_bits.markov,
    method="data processing",
    scope="every learner of B >= 0 bits",
    summary="identities of entropies, H(F) <= B",
    measured="random learners",
    looked="small worlds with random messages",
    slack=rounding(1e-9),
)
def _markov(printed: Printed, context: Context) -> Iterable[Computed]:
    from numerics.information.recall_worlds import recall_world

    first, second = (printed[name].real() for name in ("first", "second"))
    for sizes, messages in itertools.product(_WORLDS, _MESSAGES):
        world = recall_world(*sizes, messages=messages, coins=2, seed=context.seed).predicted(
            context.seed
        )
        dataset = [*world.sets, *world.answers]
        place = f"(R, D, V, S) = {sizes}, {messages}"
        skipped = world.information(dataset, ["F"], world.answers)
        yield f"I(D;F|a*), {place}", skipped, first, first
        skipped = world.information(dataset, ["f"], ["F"])
        yield f"I(D;f|F), {place}", skipped, second, second
        B = max(1, math.ceil(math.log2(world.messages)))
        for told in ("f", "F"):
            bound = printed["bound"].real(B=B)
            yield f"I(D;{told}), {place}", world.information(dataset, [told]), -_INF, bound


@section.both(
    "nichani.thm8.chain",
    recall_bits.chain,
    method="chain rule",
    scope="every learner, R, D, |V|, S",
    summary="the chain rule, answers independent given the sets",
    measured="random learners",
    looked="small worlds with random messages",
    slack=rounding(1e-9),
)
def _chain(printed: Printed, context: Context) -> Iterable[Computed]:
    from numerics.information.recall_worlds import recall_world

    first, rest, single = (printed[name].real() for name in ("first", "rest", "single"))
    for sizes, messages in itertools.product(_WORLDS, _MESSAGES):
        world = recall_world(*sizes, messages=messages, coins=2, seed=context.seed)
        whole = world.information([*world.sets, *world.answers], ["F"])
        of_sets = first * world.information(world.sets, ["F"])
        stated = of_sets + rest * world.information(world.answers, ["F"], world.sets)
        each = sum(world.information([name], ["F"], world.sets) for name in world.answers)
        place = f"(R, D, V, S) = {sizes}, {messages}"
        yield f"I(D;f), {place}", whole, stated, stated
        yield f"I(D;f), {place}", whole, of_sets + single * each, _INF


@section.both(
    corrected("nichani.thm8.chain-single"),
    recall_bits.one_answer_set,
    method="identity of entropies",
    scope="every learner, R, D, |V|, S",
    summary="what the equality loses is I(a*(s,r); other sets | A_r, f)",
    measured="random learners",
    looked="small worlds with random messages and the order of two answers",
    slack=rounding(1e-9),
)
def _one_answer_set(printed: Printed, context: Context) -> Iterable[Computed]:
    from numerics.information.recall_worlds import recall_world

    factor, defect = (printed[name].real() for name in ("factor", "defect"))
    for sizes, messages in itertools.product(((2, 2, 4, 1), (2, 2, 5, 1), (2, 2, 8, 1)), _MIXED):
        world = recall_world(*sizes, messages=messages, seed=context.seed)
        left, own, others = 0.0, 0.0, 0.0
        for s, r in itertools.product(range(world.S), range(world.R)):
            name, rest = [f"a{s}{r}"], [a for a in world.sets if a != f"A{r}"]
            left += world.information(name, ["F"], world.sets)
            own += world.information(name, ["F"], [f"A{r}"])
            others += world.information(name, rest, [f"A{r}", "F"])
        stated = factor * own + defect * others
        yield f"given all sets, (R, D, V, S) = {sizes}, {messages}", left, stated, stated


# -- the bounds -----------------------------------------------------------------------------------


def _combined_judged(printed: Printed, context: Context) -> Argument:
    lemmas = {n: functions(context.formulas(f"nichani.lem{n}.stmt")) for n in ("8", "9", "10")}
    return recall_bits.combined(functions(printed), lemmas)


def _budgets(R: int, D: int, V: int, S: int) -> Iterator[Sides]:
    """Learners of all facts: words, bits that suffice, and the loss of each fact."""
    from numerics.information.recall_worlds import log2_binomial, naming_bits

    yield "nothing is known", 0.0, math.log2(V)
    sets = sum(log2_binomial(V - r * D, D) for r in range(R))
    yield "sets with all that was seen are known", sets + 1, math.log2(D)
    yield "all is known", naming_bits(R, D, V, S) + 1, 0.0


@section.both(
    "nichani.thm8.combined",
    _combined_judged,
    method="the lemmas added up",
    scope="all R, D, S >= 1, |V| >= 2 R D, eta <= 1 with C = 2 sqrt 2",
    summary="Lemmas 8, 9 and 10 added up",
    measured="learners in closed form",
    looked="learners in closed form",
    slack=rounding(1e-9),
)
def _combined(printed: Printed) -> Iterable[Computed]:
    square = printed["C2"].real()
    places = itertools.product((1, 3, 20), ((1, 1024), (2, 2**12), (4, 2**20), (1, 40), (8, 400)))
    for R, (D, V) in places:
        if printed["least"].real() * R * D > V:
            continue
        smallest = math.ceil(square * D * math.log2(2 * D**2 * math.log2(V)))
        for S in (smallest, 100 * smallest, _MANY * D):
            sizes = {"R": R, "D": D, "V": V, "S": S, "eta": eta(square, D, V, S)}
            n = reals(printed, **sizes)
            base = n["facts"] * math.log2(n["answers"]) + n["lead"] * math.log2(n["inside"])
            base -= n["log_term"] * math.log2(V) + n["rest"]
            for learner, B, loss in _budgets(R, D, V, S):
                right = base - n["loss"] * S * R * loss
                yield f"B, R = {R}, D = {D}, |V| = {V}, S = {S}, {learner}", B, right, _INF


def _lower_order_judged(printed: Printed, context: Context) -> Argument:
    combined = functions(context.formulas("nichani.thm8.combined"))
    return recall_bits.lower_order(functions(printed), combined)


@section.both(
    corrected("nichani.thm8.lower-order"),
    _lower_order_judged,
    method="term by term",
    scope="all R, D >= 1, |V| >= 2 R D, |V| >= 16 D, S >= 8 D log(2 D^2 log |V|)",
    summary="term by term, four bits against 29/8, largest at |V| = 16 D = 2 R D, D = 1",
    measured="grid",
    looked="a grid of R, D, |V|, S in float64",
    slack=rounding(1e-9),
)
def _lower_order(printed: Printed, context: Context) -> Iterable[Computed]:
    """epsilon over R D log(|V|/D), with eta = 0 where no c is stated; and |V|/D where |V| >= S."""
    stated = {"ratio", "c", "C"} <= set(printed)
    square = context.formulas("nichani.thm8.combined")["C2"].real()
    least, most = printed["least"].real(), printed["c"].real() if stated else 1.0
    ratio = printed["ratio"].real() if stated else 0.0
    for R, D, factor in itertools.product((*range(1, 11), 30), (1, 2, 30), (1.0, 1.1, 3.0, 100.0)):
        V = math.ceil(max(least * R, ratio) * D * factor)
        S, part = 1, 0.0
        if stated:
            S = _subjects(printed, D, V)
            part = eta(square, D, V, S)
        sizes = {"R": R, "D": D, "V": V, "S": S, "eta": part}
        n = {name: printed[name].real(**sizes) for name in ("log_term", "rest")}
        found = (n["log_term"] * math.log2(V) + n["rest"]) / (R * D * math.log2(V / D))
        yield f"epsilon over R D log(|V|/D), R = {R}, D = {D}, |V| = {V}", found, -_INF, most
    for D in (1, 2, 30) if stated else ():
        V = next(V for V in itertools.count(2) if _subjects(printed, D, V) <= V)
        yield f"|V|/D, the least with |V| >= S, D = {D}", V / D, ratio, _INF


def _subjects(printed: Printed, D: int, V: int) -> int:
    """The least S that is allowed."""
    smallest = printed["C"].real() * D * math.log2(2 * D**2 * math.log2(V))
    return max(1, math.ceil(smallest - 1e-9))


@section.both(
    "nichani.thm8.stmt",
    recall_bits.bits_needed,
    method="counting tables",
    scope="all R, D >= 1, |V| >= 2 R D, S >= D log(2 D^2 log |V|), p > 0 everywhere",
    summary="without loss B >= H(a*), which is computed",
    measured="tables counted",
    looked="learners that name the table, float64",
    slack=rounding(1e-9),
)
def _bits_needed(printed: Printed) -> Iterable[Computed]:
    from numerics.information.recall_worlds import naming_bits

    n = {name: printed[name].real() for name in ("least", "c", "C")}
    for R, (D, factor) in itertools.product(
        (1, 2, 3, 7), ((1, 1.0), (1, 500.0), (2, 1.0), (4, 2.0**17), (64, 2.0**13), (256, 1.0))
    ):
        V = math.ceil(n["least"] * R * D * factor)
        smallest = n["C"] * D * math.log2(2 * D**2 * math.log2(V))
        for S in {max(1, math.ceil(smallest)), max(1, math.ceil(3 * smallest))}:
            sizes = {"R": R, "D": D, "V": V, "S": S}
            B = math.ceil(naming_bits(R, D, V, S) - 1e-9)
            right = printed["facts"].real(**sizes) * math.log2(printed["answers"].real(**sizes))
            lead = (1 - n["c"]) * printed["lead"].real(**sizes)
            right += lead * math.log2(printed["inside"].real(**sizes))
            yield f"B for R = {R}, D = {D}, |V| = {V}, S = {S}", B, right, _INF
