"""What the explicit forms of Theorem 1 say, as formal statements made of the printed formulas.

Each stands beside the theorem of the kernel from which it is to follow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations

from proofs.capacity import SufficientCondition
from proofs.kernel import (
    Compare,
    Goal,
    Range,
    Region,
    SameLaw,
    Term,
    Theorem,
    at_most_zero,
    between,
    coordinate,
    coordinate_mgf,
    copies,
    exp,
    expectation,
    inf,
    instantiate,
    least_margin,
    log,
    margin,
    margin_law,
    product_mgf,
    real,
    sqrt,
    symbol,
    symbols,
    term,
    whole,
)
from proofs.memories.linear import definition
from proofs.papers.nichani.linear_integral import average_over_pairs, single_margin_average
from proofs.papers.nichani.linear_recall import closed_form, single_margin_tail
from verify.checks.theorem import Frontier, Goals
from verify.printed.formula import Formula

_NOTHING = term(0)


def generating_functions(scale: Fraction, product: Fraction) -> Goals:
    """Those of a coordinate, and of the product of two."""
    d, rate, s = symbols("d lambda s")
    g, t = coordinate("g", d), coordinate("t", d)
    single = Compare(expectation(exp(rate * g)), "<=", exp(rate**2 / (scale * d)))
    yield Goal(single, Region((whole("d", 1), real("lambda")))), coordinate_mgf("lambda")
    inside = Region((whole("d", 1), between("s", -d, d, "()")))
    both = exp(-log(1 - s**2 / (product * d**2)) / 2)
    by = instantiate(product_mgf(), {"r": s / d}, inside)
    yield Goal(Compare(expectation(exp(s * (t * g))), "<=", both), inside), by


def _sizes(*, inside: bool) -> Region:
    """Where there is a margin with y in the image of f, or outside."""
    return Region((whole("d", 1), whole("N", 2 if inside else 1)))


def margin_laws(beta: Fraction, spread: Fraction, inside: Formula, outside: Formula) -> Goals:
    """The law of A (1 - beta g) + sqrt(spread A) times a sum of products of coordinates."""
    d = symbol("d")
    rho, noise = coordinate("rho", d), coordinate("t", d) * coordinate("h", d)
    for within, number in ((True, inside), (False, outside)):
        signal = 1 - beta * coordinate("g", d) if within else term(1)
        stated = (1 - rho) * signal + sqrt(spread * (1 - rho)) * copies("S", number.term(), noise)
        law = SameLaw(margin(definition(), inside=within), stated)
        yield Goal(law, _sizes(inside=within)), margin_law(definition(), inside=within)


def tails(kappa: Formula) -> Goals:
    """P(gamma <= 0) <= exp(-kappa + kappa^2/(2d)) for 0 < tau < 1."""
    d, N = symbols("d N")
    for inside in (True, False):
        beta, n = (1, N - 2) if inside else (0, N - 1)
        exponent = kappa.term(beta=beta, n=n)
        bound = exp(-exponent + exponent**2 / (2 * d))
        tail = at_most_zero(margin(definition(), inside=inside))
        region = _sizes(inside=inside).also(between("tau", 0, 1, "()"))
        yield Goal(Compare(tail, "<=", bound), region), single_margin_tail(inside=inside)


def averages(signal: Fraction, noise: Fraction, coincident: Fraction) -> Goals:
    """P(gamma <= 0) <= E inf over 0 < s < 1 of exp(-signal s d sqrt(A/2) + coincident beta s^2 d A
    - noise n log(1 - s^2)), and the union over the pairs."""
    yield from average_goals(
        lambda inside: average(signal, noise, coincident, inside=inside),
        single_margin_average,
        average_over_pairs(),
    )


def average_goals(
    bound: Callable[[bool], Term],
    single: Callable[..., Theorem],
    union: Theorem,
    *steps: Range,
    rounded: bool = False,
) -> Goals:
    """The bound on P(gamma <= 0), of y inside and outside the image, and the sum over the pairs.

    *steps*: where the step of *rounded* weights ranges.
    """
    for inside in (True, False):
        tail = at_most_zero(margin(definition(), inside=inside, rounded=rounded))
        region = _sizes(inside=inside).also(*steps)
        yield Goal(Compare(tail, "<=", bound(inside)), region), single(inside=inside)
    region = Region((whole("d", 1), whole("M", 2), whole("N", 1, symbol("M")), *steps))
    some = at_most_zero(least_margin(definition(), rounded=rounded))
    yield Goal(Compare(some, "<=", over_pairs(bound)), region), union


def over_pairs(bound: Callable[[bool], Term]) -> Term:
    """The sum over the pairs, N (N - 1) with y in the image and N (M - N) others."""
    N, M = symbols("N M")
    return N * (N - 1) * bound(True) + N * (M - N) * bound(False)


def average(
    signal: Fraction,
    noise: Fraction,
    coincident: Fraction,
    lost: Term = _NOTHING,
    *,
    inside: bool,
) -> Term:
    """E inf over 0 < s < 1 of that exponential; *lost*: what the signal is less."""
    s, d, N = symbols("s d N")
    beta, n = (1, N - 2) if inside else (0, N - 1)
    exponent = _without_noise(signal, coincident * beta, s) + s * d * lost
    return expectation(inf("s", 0, 1, exp(exponent - noise * n * log(1 - s**2))))


def _without_noise(signal: Fraction, coincident: Fraction, s: Term) -> Term:
    """-signal s d sqrt(A/2) + coincident s^2 d A."""
    d = symbol("d")
    A = 1 - coordinate("rho", d)
    return -signal * s * d * sqrt(A / 2) + coincident * s**2 * d * A


def union_of_general_averages(
    signal: Fraction, noise: Fraction, coincident: Fraction, fibre: Formula, inputs: Sequence[int]
) -> Term:
    """The sum over the pairs of a map whose outputs have so many *inputs* of the bound for any map.

    The infimum over s > 0 with fibre s^2 < 1 is one over 0 < s < 1 of the same at s over the root of the
    largest fibre. ValueError if there is none, beside some pair.
    """
    pairs: Counter[tuple[int, tuple[int, ...]]] = Counter()
    for own, other in permutations(range(len(inputs)), 2):
        others = sorted(n for y, n in enumerate(inputs) if n and y not in (own, other))
        pairs[inputs[own] - 1 + inputs[other], tuple(others)] += inputs[own]
    s, total = symbol("s"), term(0)
    for (coinciding, further), many in pairs.items():
        weights = [fibre.at(n=n) for n in further]
        largest = max(weights)
        exponent = _without_noise(signal, coincident * coinciding, s * sqrt(term(1 / largest)))
        for weight in weights:
            exponent = exponent - noise * log(1 - weight / largest * s**2)
        total = total + many * expectation(inf("s", 0, 1, exp(exponent)))
    return total


#: In no space of fewer dimensions is anything said.
AT_LEAST_A_PLANE = Compare(term(2), "<=", symbol("d"))


def closed_form_condition(
    lead: Fraction, noise: Formula, pairs: Formula, kept: Term | None = None
) -> tuple[Compare, ...]:
    """kept d^2 >= lead l (d + noise/(1 - (lead l/d)^2/kept)) and 8 l <= d, where l = L (1 + L/d) and
    L = log(pairs/delta); *kept* is what memories that lose signal keep of d^2."""
    d = symbol("d")
    L = log(pairs.term() / symbol("delta"))
    ell = L * (1 + L / d)
    share, whole_ = (lead * ell / d) ** 2, d**2
    if kept is not None:
        share, whole_ = share / kept, kept * whole_
    right = lead * ell * (d + noise.term() / (1 - share))
    return Compare(right, "<=", whole_), Compare(ell, "<=", d / 8)


def frontiers(
    public: SufficientCondition, more: Callable[[int], Mapping[str, Fraction]] = lambda d: {}
) -> list[Frontier]:
    """Where each hypothesis of a closed form is the one that ends it: the first, 8 l <= d, d >= 2.

    *more*: what else the hypotheses speak of, by the dimension.
    """
    places: list[tuple[dict[str, int], Fraction]] = [
        ({"d": 256}, Fraction(1, 1000)),
        ({"d": 300, "M": 2000}, Fraction(1, 1000)),
        ({"d": 1000, "M": 10**6}, Fraction(1, 1000)),
        ({"d": 256}, Fraction(1, 10**9)),
        ({"d": 1, "M": 2}, Fraction(19, 20)),
    ]
    return [Frontier(public, sizes, delta, more(sizes["d"])) for sizes, delta in places]


def full_recall(lead: Fraction, noise: Formula, pairs: Formula) -> Goals:
    """Some margin is at most 0 with probability delta at most, under the condition."""
    sizes = (whole("d", 2), whole("M", 2), whole("N", 1, symbol("M")))
    region = Region((*sizes, between("delta", 0, 1, "()")))
    some = Compare(at_most_zero(least_margin(definition())), "<=", symbol("delta"))
    yield Goal(some, region, closed_form_condition(lead, noise, pairs)), closed_form()
