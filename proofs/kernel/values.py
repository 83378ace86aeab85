"""Values of terms at sizes, as balls: a second evaluator, of what is printed and of nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import prod

from flint import arb

from proofs.algebra.balls import ball
from proofs.kernel.normal import normal
from proofs.kernel.terms import ARITHMETIC, Term, free, substituted
from proofs.kernel.theorem import Compare

_FUNCTIONS: Mapping[str, Callable[[arb], arb]] = {"exp": arb.exp, "log": arb.log, "sqrt": arb.sqrt}


def value(one: Term, at: Mapping[str, int | Fraction]) -> arb:
    """A ball around the value where the symbols have those values, at the current precision.

    KeyError for a symbol without a value, ValueError for what is random, or a power that is not whole.
    """
    if one.head == "number":
        return ball(one.value)
    if one.head == "symbol":
        return ball(Fraction(at[one.name]))
    if one.head == "^":
        return _power(value(one.arguments[0], at), int(one.arguments[1].value))
    if one.head == "power":
        base, exponent = (value(argument, at) for argument in one.arguments)
        whole = exponent.unique_fmpz()
        if whole is None:
            raise ValueError(f"{one}: its exponent {exponent} is no whole number")
        return _power(base, int(whole))
    if one.head == "abs":
        base, exponent = (value(argument, at) for argument in one.arguments)
        return arb(0) if base == 0 else abs(base) ** exponent
    if one.head in _FUNCTIONS:
        return _FUNCTIONS[one.head](value(one.arguments[0], at))
    if one.head not in ARITHMETIC:
        raise ValueError(f"{one}: a random variable has no value")
    found: arb = ARITHMETIC[one.head](*(value(argument, at) for argument in one.arguments))
    return found


def _power(base: arb, exponent: int) -> arb:
    """A whole power, of balls around 0 too, of which arb's own power knows nothing."""
    product = prod((base for _ in range(abs(exponent))), start=arb(1))
    return product if exponent >= 0 else 1 / product


def holds(statement: Compare, at: Mapping[str, int | Fraction]) -> bool | None:
    """Whether a comparison holds there: exactly, where the difference of its sides is a rational number,
    else by balls; None where these do not tell, as of two numbers that are the same."""
    here = {name: at[name] for side in statement.sides for name in free(side)}
    gap = normal(substituted(statement.right - statement.left, here))
    if not gap.names and not gap.radicals:
        exact = gap.as_fraction()
        return {"<=": exact >= 0, "<": exact > 0, "=": exact == 0}[statement.relation]
    left, right = (value(side, at) for side in statement.sides)
    if left > right:
        return False
    if left < right:
        return statement.relation != "="
    return None
