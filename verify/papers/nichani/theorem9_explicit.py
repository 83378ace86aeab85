"""Checks of the explicit form of Theorem 9."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from proofs.algebra import RationalFunction
from proofs.argument import Argument
from proofs.capacity.mlp import H3, MLP, hypercontractive_dimension
from proofs.citations import MARKOV
from proofs.concentration.chernoff import cantelli
from proofs.memories import mlp
from verify.checks.argument import conclude
from verify.checks.failures import frontier_of
from verify.checks.section import Section
from verify.claim import Cases, Evidence, Printed
from verify.measuring.context import Context

if TYPE_CHECKING:
    from numerics.observables import Event

section = Section()

#: Where the failures are counted, and how far beyond the frontier recall must fail.
_DIMENSION, _WIDTH, _BEYOND = 16, 2048, 25
#: A bound without noise allows any N; what is drawn then suffices to see it fail.
_TOO_MANY = 400


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
    condition = _condition(printed)
    provable = condition.largest(delta=Fraction(1, 10), d=128, m=65536, at_most=_TOO_MANY)
    argument.true("21 facts at d = 128, m = 65536, delta = 1/10", provable == 21, str(provable))
    needed = hypercontractive_dimension(Fraction(1, 10), 21)
    argument.true(
        "the route of the paper needs far more for as many facts", needed > 128, f"d > {needed:.2e}"
    )
    return conclude(
        argument,
        scope="all d, N, M, m, even k, c_{k+1} > 0; sphere embeddings, injective f",
        summary="exact moments and the union bound",
    )


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
