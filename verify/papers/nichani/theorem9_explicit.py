"""Checks of the explicit form of Theorem 9."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from math import comb
from typing import TYPE_CHECKING, Any

from proofs.algebra import RationalFunction
from proofs.algebra.balls import ball
from proofs.algebra.symbols import ONE, ZERO
from proofs.argument import Argument
from proofs.capacity.mlp import H3, MLP, hypercontractive_dimension
from proofs.citations import MARKOV
from proofs.concentration.chernoff import cantelli
from proofs.memories import mlp
from proofs.memories.setting import raw_margin_moments
from verify.checks.argument import conclude
from verify.checks.failures import frontier_of
from verify.checks.section import Section
from verify.checks.theorem import same_bound
from verify.claim import Cases, Evidence, Printed
from verify.measuring.context import Context

if TYPE_CHECKING:
    from numerics.observables import Event

section = Section()

#: Where the failures are counted, and how far beyond the frontier recall must fail.
_DIMENSION, _WIDTH, _BEYOND = 16, 2048, 25
#: A bound without noise allows any N; what is drawn then suffices to see it fail.
_TOO_MANY = 400
_DELTA = Fraction(1, 10)


def _condition(printed: Printed) -> MLP:
    return MLP(scale=printed["scale"].number(), pairs=int(printed["pairs"].number()))


@section.check(
    "nichani.thm9.explicit.moments", "proofs", method="Markov's and Cantelli's inequality"
)
def moments(printed: Printed) -> Evidence:
    argument = Argument()
    order = printed["order"].number()
    argument.true("the order of the moment is even", order % 2 == 0, str(order))
    argument.true("it is the one of the condition", order == 4, "4")
    argument.cite(
        "P(gamma <= 0) <= P(|gamma - E gamma| >= E gamma) <= E(gamma - E gamma)^4/(E gamma)^4",
        MARKOV,
    )
    cantelli(argument, "P(gamma <= 0) <= Var/(Var + (E gamma)^2), x = E gamma > 0")
    argument.true("nothing is taken off the bound", printed["scale"].number() >= 1, "scale")
    argument.true(
        "the union runs over all pairs", printed["pairs"].number() == 2, "Boole's inequality"
    )
    for k, sigma in ((0, [0, 1]), (2, list(H3))):
        mean = mlp.margin_mean(3, 2, 1, k=k, sigma=sigma).value
        argument.equal(
            f"k = {k}: the mean is sqrt(k + 1), positive", mean, RationalFunction.root(k + 1)
        )
    stated = partial(_failure, printed["scale"].number(), int(order))
    places = (  # Markov's bound, twice, and Cantelli's
        {"d": 128, "m": 65536, "N": 21, "M": 21},
        {"d": 256, "m": 4096, "N": 2, "M": 30},
        {"d": 4, "m": 65536, "N": 2, "M": 2},
    )
    argument.include(same_bound(MLP().failure_bound, lambda **place: ball(stated(**place)), places))
    provable = MLP().largest(delta=_DELTA, d=128, m=65536, at_most=_TOO_MANY)
    within = [stated(d=128, m=65536, N=N, M=N) <= _DELTA for N in (21, 22)]
    argument.true(
        "21 facts at d = 128, m = 65536, delta = 1/10, and no more by this bound",
        provable == 21 and within == [True, False],
        str(provable),
    )
    needed = hypercontractive_dimension(_DELTA, 21)
    argument.true(
        "the route of the paper needs far more for as many facts", needed > 128, f"d > {needed:.2e}"
    )
    return conclude(
        argument,
        scope="all d, N, M, m, even k, c_{k+1} > 0; sphere embeddings, injective f",
        summary="exact moments and the union bound",
    )


def _failure(scale: Fraction, order: int, *, d: int, N: int, M: int, m: int) -> Fraction:
    """N (N - 1) kappa_i + N (M - N) kappa_o at k = 2 and sigma = h_3, from the raw moments."""
    raw = raw_margin_moments(mlp.definition(2, H3), order)
    total = Fraction(0)
    for rivals, inside in ((N - 1, 1), (M - N, 0)):
        if rivals:
            powers = [moment.value(d=d, N=N, m=m, same=0, other=inside) for moment in raw]
            square, variance = powers[0] ** 2, _central(2, powers)
            markov = scale * _central(order, powers) / powers[0] ** order
            cantelli = variance / (variance + square)
            total += N * rivals * min(markov.as_fraction(), cantelli.as_fraction())
    return total


def _central(order: int, raw: Sequence[RationalFunction]) -> RationalFunction:
    """E(gamma - E gamma)^order from E gamma, E gamma^2, ..."""
    powers = enumerate([ONE, *raw[:order]])
    return sum((comb(order, i) * it * (-raw[0]) ** (order - i) for i, it in powers), ZERO)


@section.measured(
    "nichani.thm9.explicit.moments",
    method="failures on the frontier",
    group="recall of memories",
    builds=False,
)
def frontier(printed: Printed, context: Context) -> Cases:
    return frontier_of(
        _condition(printed),
        _DIMENSION,
        context,
        at_most=_TOO_MANY,
        failures=_failures,
        name="ntk failures",
        further={"m": _WIDTH},
        beyond=_BEYOND,
    )


def _failures(*, fault: str, **arguments: Any) -> Event:
    from numerics.draws.mlp_margin import failures

    return failures(k=2, sigma=tuple(map(float, H3)), **arguments)
