"""Checks of the mini-paper: the moments of the overlap derived and measured, its tail by an argument."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import sympy

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import symbols
from proofs.argument import Argument
from proofs.citations import MARKOV
from proofs.derived import Derived
from proofs.moments import Range, Sphere, dot, mean
from proofs.moments.explicit import Instance
from verify.checks.identity import identity
from verify.checks.inequality import bounded_above
from verify.checks.section import Section
from verify.measuring.measure import Experiment
from verify.measuring.quantities import Measured, Quantity, Sizes

section = Section()

# -- in symbols -----------------------------------------------------------------------------------

d = sympy.Symbol("d", positive=True, integer=True)
one = Range(1, "[1]")
i = one.index("i")
overlap = dot(Sphere("e", d)[i], Sphere("u", d)[i])


def exact(power: int) -> Derived:
    """The engine's E[<e, u>^power], for every d."""
    return replace(mean(overlap**power, [], name=f"<e, u>^{power}"), scope="d >= 1")


def enumerated(power: int, sizes: Sizes) -> Fraction:
    """The same at one d by another way: coordinate by coordinate."""
    instance = Instance({one: 1}, {i: 0}, {}, {"d": sizes["d"]})
    return instance.expectation([overlap**power], sizes["d"]).as_fraction()


# -- in numbers -----------------------------------------------------------------------------------


def draw(*, d: int, replicates: int, seed: int, start: int) -> Mapping[str, Any]:
    """Overlaps of freshly drawn vectors; an overlap of unit vectors surely lies in [-1, 1]."""
    from numerics import Stream, replicate_spheres
    from numerics.observables import Bounded

    stream = Stream(seed, "mini-paper")
    e, u = (replicate_spheres(replicates, 1, d, stream=stream.child(n), start=start) for n in "eu")
    t = (e * u).sum((-2, -1)).clamp(-1, 1)
    return {f"power {p}": Bounded(t**p, -1.0 if p % 2 else 0.0, 1.0) for p in (1, 2, 4)}


DRAWN = Experiment("mini-paper overlaps", draw)
#: Small d: there the wrong formulas are far away.
SIZES: tuple[Sizes, ...] = ({"d": 2}, {"d": 3})


def moment(power: int) -> Quantity:
    """E[<e, u>^power] with both its sides."""
    return Quantity(
        f"moment-{power}",
        f"E[<e, u>^{power}]",
        partial(exact, power),
        {"d": 1},
        partial(enumerated, power),
        ({"d": 1}, {"d": 2}),
        Measured(DRAWN, (f"power {power}",), SIZES),
    )


# -- by an argument -------------------------------------------------------------------------------

#: P(|<e, u>| >= t) where it is known: the overlap is 1 or -1 for d = 1, uniform on [-1, 1] for d = 3.
KNOWN = (
    ({"d": 1, "t": Fraction(1)}, Fraction(1)),
    ({"d": 3, "t": Fraction(1, 2)}, Fraction(1, 2)),
)


def markov(tail: RationalFunction) -> Argument:
    """Markov's inequality for the square of the overlap, and a case that the printed bound fails."""
    size, t = symbols("d t")
    second = exact(2).value
    argument = Argument()
    argument.cite("P(X >= a) <= E[X]/a for X >= 0, a > 0", MARKOV)
    argument.define("X = <e, u>^2, a = t^2, so P(|<e, u>| >= t) <= E[<e, u>^2]/t^2")
    argument.equal("E[<e, u>^2] = 1/d, by the engine", second, 1 / size)
    argument.nonnegative(
        "the stated bound is no smaller", tail - second / t**2, {"d": 1, "t": 0}, interior=True
    )
    for at, probability in KNOWN:
        bound = tail(**at).as_fraction()
        if bound < probability:
            argument.refute({"at": at, "probability": probability, "stated": bound})
    return argument


# -- the claims -----------------------------------------------------------------------------------

first, second, fourth = moment(1), moment(2), moment(4)
section.pattern(identity, "mini.mean", {"mean": [first]})
# The variance is the second moment, since the mean is 0: the statement names mini.mean in its uses.
section.pattern(identity, "mini.variance", {"variance": [second]})
section.pattern(identity, "mini.fourth", {"fourth": [fourth]})
section.pattern(identity, "mini.fourth.corrected", {"fourth": [fourth]})
section.pattern(
    bounded_above,
    "mini.fourth.bound",
    "bound",
    [fourth],
    edge=[(fourth, {"d": 8})],
    scope="all d >= 1",
    summary="3/(d (d + 2)) is below for every d",
)
section.argued(
    "mini.tail",
    decide=markov,
    method="Markov's inequality",
    scope="all d >= 1, t > 0",
    summary="Markov's inequality for the square, whose mean is 1/d",
)
