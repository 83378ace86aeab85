"""What the engine of arguments must refuse wherever something is proved on it: false lines of each kind.

A sign that is decided on another region, or a comparison that lost its strictness, makes no true line
false: nothing that is proved would tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import Context
from fractions import Fraction
from functools import cache

from flint import arb

from proofs.algebra import (
    RationalFunction,
    SignProof,
    UndecidedError,
    Violation,
    decide_nonnegative,
    leading,
)
from proofs.algebra.balls import ball, enclosure, evaluate, lower, precision, upper
from proofs.argument import Argument, exceeds, violation

_d, _N, _s = (RationalFunction.symbol(name) for name in ("d", "N", "s"))
_TWO, _THREE = RationalFunction.root(2), RationalFunction.root(3)
#: Lower ends at which a sign must not be decided as if the region began later.
_ENDS = (-2, 0, 1, 2, 3, 100)
#: How far beyond a lower end a function has its zero.
_BEYOND = (Fraction(1, 1000), 1, 10**6)


def _signs() -> Iterator[tuple[RationalFunction, dict[str, int], bool]]:
    """Functions that are negative somewhere on a region, most of them just within its ends."""
    for low in _ENDS:
        for beyond in _BEYOND:
            yield _d - low - beyond, {"d": low}, False
            yield _d - low - beyond, {"d": low}, True
        yield _d + _N - low - 8, {"d": low, "N": 7}, False
        yield (low + 1 - _d) / (-_d * _d - 1), {"d": low}, False
        yield 1 / (_d - low - 1), {"d": low}, False
        yield _s / (_d - low), {"d": low, "s": 0}, False
    yield 1 / _d, {"d": 0}, False
    yield -_d, {"d": 0}, True
    yield RationalFunction.constant(-1), {"d": 1}, False
    yield _d - 3, {"d": 1, "N": 5}, False
    yield _d - _N, {"d": 1, "N": 1}, False
    yield _N - _d, {"d": 1, "N": 1}, True
    yield _d * _N - 2, {"d": 1, "N": 1}, False
    yield _d**2 - 3 * _d + 2 - Fraction(1, 9), {"d": 1}, False
    yield -_TWO * _d, {"d": 1}, False
    yield _d - _TWO, {"d": 1}, False
    yield _TWO * _d - _THREE, {"d": 1}, False


def _sign() -> bool:
    """A sign proved where there is none, or refuted at a place where it does not fail."""
    kept = ((_d - low, {"d": low}, interior) for low in _ENDS for interior in (True, False))
    return (
        Argument().nonnegative("", _d - 2, {"d": 1})
        or any(_mistaken(*case) for case in _signs())
        or any(_mistaken(function, ends, False, beside) for function, ends, beside in _beside())
        or any(isinstance(_decided(*case), Violation) for case in kept)
    )


def _beside() -> Iterator[tuple[RationalFunction, dict[str, int], list[RationalFunction]]]:
    """Functions that are negative, or have a pole, somewhere beside conditions that do not help."""
    for low in _ENDS:
        ends = {"d": low, "N": low}
        yield _d - _N, ends, [_N - _d]
        yield _N - _d - Fraction(1, 1000), ends, [_N - _d]
        yield 1 / (_N - _d), ends, [_N - _d]
        yield _d - low - 1, ends, [_N - _d]
        yield low + 1 - _d, ends, [_N - _d]
        yield low + 3 - _d, {"d": low}, [low + 4 - _d]
        yield 1 / (low + 4 - _d), {"d": low}, [low + 4 - _d]
        yield _N * _d - _d**2, ends, [_d - low, _N + low]
    yield _d * _N - _d**3, {"d": 1, "N": 1}, [_N - _d]


def _mistaken(
    function: RationalFunction,
    ends: Mapping[str, int],
    interior: bool,
    beside: Sequence[RationalFunction] = (),
) -> bool:
    found = _decided(function, ends, interior, beside)
    if isinstance(found, Violation):
        inside = all(found.at[name] > low - (not interior) for name, low in ends.items())
        inside = inside and all(one(**found.at).as_fraction() >= 0 for one in beside)
        return not inside or not function(**found.at).as_fraction() == found.value < 0
    return found is not None


def _decided(
    function: RationalFunction,
    ends: Mapping[str, int],
    interior: bool,
    beside: Sequence[RationalFunction] = (),
) -> SignProof | Violation | None:
    try:
        return decide_nonnegative(function, ends, interior=interior, beside=beside)
    except UndecidedError:
        return None


def _unsaid() -> bool:
    """A line that does not say the region on which it was decided."""
    argument = Argument()
    argument.nonnegative("", _d + _N - 3, {"d": 1, "N": 2})
    argument.nonnegative("", _d - 1, {"d": 1}, interior=True)
    return [line.region for line in argument.lines] != ["d >= 1, N >= 2", "d > 1"]


def _identity() -> bool:
    half = Fraction(1, 2)
    pairs = (
        (_d, _N),
        (_d - _N, _N - _d),
        ((_d + 1) ** 2, _d**2 + 2 * _d + 2),
        ((_d + 1) ** 3, _d**3 + 3 * _d**2 + 2 * _d + 1),
        ((_d**2 - 1) / (_d - 1), _d + 2),
        (1 / _d + 1 / _N, 2 / (_d + _N)),
        (_d**-2, 1 / _d),
        (0 * _d, RationalFunction.constant(1)),
        (_d / (_d + 2), RationalFunction.constant(half)),
        ((_d / (_d + 2))(d=3), RationalFunction.constant(half)),
        ((_d / _N)(d=2, N=3), RationalFunction.constant(Fraction(3, 2))),
        ((_d - _N)(d=_N, N=_d), _d - _N),
        (_TWO * _THREE, RationalFunction.root(5)),
        (_TWO**2, RationalFunction.constant(3)),
        (_TWO, RationalFunction.constant(Fraction(7, 5))),
        (leading(_d**2 / _N + _d, {"d": 1, "N": 1}).term, _d**2 / _N),
        (leading(_d**2 + _N, {"d": 1, "N": 3}).term, _d**2),
    )
    return any(a == b or b == a or Argument().equal("", a, b) for a, b in pairs)


def _comparison() -> bool:
    """Balls that are not surely in order: apart the other way, overlapping, without bound."""
    with precision():
        third, wide = ball(Fraction(1, 3)), arb(1, 1)
        pairs = (
            (arb(1), arb(1) - arb(2) ** -100),
            (third, third),
            (third, arb(1, 1e-9) / 3),
            (wide, wide),
            (wide, arb(1)),
            (arb("nan"), arb(1)),
            (arb(1), arb("nan")),
            (arb("inf"), arb(1)),
            (arb(0, float("inf")), arb(1)),
            (arb(1).exp(), ball(Fraction(2718, 1000))),
            (arb(2).log(), ball(Fraction(693, 1000))),
            (evaluate(_TWO * _s**2 - 1, s=arb(2)), ball(Fraction(465, 100))),
            (arb(2), evaluate(_s / (_d + 1), s=arb(5), d=arb(2))),
        )
        return any(Argument().at_most("", *pair) for pair in pairs)


def _end() -> bool:
    """Exact ends that cut off what a ball has."""
    with precision():
        third, (low, high) = ball(Fraction(1, 3)), enclosure(_TWO)
        return (
            not lower(third) < Fraction(1, 3) < upper(third)
            or not (low**2 < 2 < high**2 and low > 0)
            or lower(arb(1, 1)) > 0
            or upper(arb(1, 1)) < 2
        )


def _chain() -> bool:
    """An argument that holds without a line, on one that fails, or against a witness."""
    empty, broken, refuted = Argument(), Argument(), Argument()
    broken.true("", False, "")
    broken.true("", True, "")
    refuted.true("", True, "")
    refuted.refute({"d": "1"})
    without = Argument()
    without.refute(None)
    taken = []
    for step in (broken, refuted):
        rest = Argument()
        rest.include(step)
        rest.true("", True, "")
        taken.append(rest)
    return any(it.holds for it in (empty, broken, refuted, without, *taken))


def _witness() -> bool:
    """A place at which something is larger, passed over; or one named at which nothing is."""
    places = [{"d": 1, "N": 2}, {"d": 3, "N": 2}]
    found = violation(_d, _N, places, ("left", "right"))
    return (
        found is None
        or found["d"] != "3"
        or violation(_d, _N + 1, places, ("left", "right")) is not None
        or exceeds(arb(2), arb(1), {}, ("left", "right")) is None
        or exceeds(arb(1, 1), arb(1, 1), {}, ("left", "right")) is not None
    )


#: Of each part of the engine, whether it accepts something false.
FALSE: dict[str, Callable[[], bool]] = {
    "the sign of a function on a region": _sign,
    "the region that a line names": _unsaid,
    "equality in the field": _identity,
    "the comparison of balls": _comparison,
    "the ends of a ball": _end,
    "what holds of an argument": _chain,
    "the witness against a line": _witness,
}


@cache
def require_refusals() -> None:
    """ArithmeticError if a part of the engine accepts what is false; looked at once in a process.

    Also where proofs are judged alone, a witness is looked for here.
    """
    for name, accepts in FALSE.items():
        if Context().run(accepts):
            raise ArithmeticError(f"{name} is broken: something false is accepted")
