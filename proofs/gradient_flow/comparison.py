"""Two differential inequalities (Lemma 7 of Nichani et al., App. D.4): solutions and what they bound.

With v = 1/z both right-hand sides are linear: z' = Az + sign B z^2 is v' = -Av - sign B. In what is
stated E is e^(At) and z is z(0).
"""

from __future__ import annotations

import itertools
from fractions import Fraction

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import symbols
from proofs.argument import Argument, Witness, search
from proofs.gradient_flow.model import derivative, difference

#: Values of A, B and z(0), and of E, that are tried.
_SIZES = tuple(Fraction(*pair) for pair in ((1, 1), (1, 2), (3, 1), (1, 10)))
_TIMES = tuple(Fraction(*pair) for pair in ((11, 10), (3, 2), (19, 10), (5, 2), (4, 1), (10, 1)))
#: The symbols of what is stated.
_NAMES = ("A", "B", "z", "E")


def solution(sign: int) -> RationalFunction:
    """z(t) of z' = Az + sign B z^2, from v' = -Av - sign B: v = (v0 + sign B/A) e^(-At) - sign B/A."""
    A, B, z, E = symbols("A B z E")
    v = (1 / z + sign * B / A) / E - sign * B / A
    return 1 / v


def solves(stated: RationalFunction, sign: int) -> Argument:
    """*stated* is the solution of z' = Az + sign B z^2 with the initial value z; dE/dt = A E."""
    argument = Argument()
    A, B, z, E = symbols("A B z E")
    start = stated(E=1) if "E" in stated.names else stated
    pairs = (
        ("its initial value", start, z),
        (
            "the equation",
            derivative(stated, "E") * A * E,
            A * stated + sign * B * stated**2,
        ),
    )
    for words, left, right in pairs:
        if not argument.equal(words, left, right):
            return argument.refute({"what fails": words, **(difference(left, right) or {})})
    argument.equal("the solution from v = 1/z", solution(sign), stated)
    return argument


def upper(bound: RationalFunction, *, everywhere: bool) -> Argument:
    """z' <= Az + B z^2, z >= 0 gives z <= bound while A + B z(0) (1 - E) > 0 (or *everywhere*)."""
    argument = Argument()
    if everywhere:
        # Past the pole of the right side the constant z is still there: z' = 0 <= Az + Bz^2.
        for at in _places():
            pole = at["A"] + at["B"] * at["z"] * (1 - at["E"])
            stated = _value(bound, at)
            if pole < 0 and stated is not None and stated < at["z"]:
                constant = f"{at['z']} for all t, z' = 0"
                return argument.refute({**_shown(at), "z(t)": constant, "stated": stated})
    found = _beyond(bound, sign=1)
    if found is not None:
        return argument.refute(found)
    argument.include(_linear(sign=1))
    argument.infer(
        "so 1/z >= the v of the equation, which is positive for A + B z(0)(1 - E) > 0",
        "v E grows at least as fast as for equality",
    )
    argument.equal("the bound is the solution", bound, solution(1))
    argument.infer(
        "if z vanishes somewhere it is 0 from there on", "z' <= (A + B max z) z and Gronwall"
    )
    return argument


def lower(bound: RationalFunction) -> Argument:
    """z' >= Az - B z^2, 0 <= z <= A/(2B) on [0, T] gives z >= bound there."""
    argument = Argument()
    found = _beyond(bound, sign=-1)
    if found is not None:
        return argument.refute(found)
    argument.include(_linear(sign=-1))
    argument.infer("so 1/z <= the v of the equation", "v E grows at most as fast as for equality")
    argument.equal("the bound is the solution", bound, solution(-1))
    A, B, z, E = symbols("A B z E")
    argument.nonnegative(
        "its denominator is positive", A + B * z * (E - 1), {"A": 0, "B": 0, "z": 0, "E": 1}
    )
    argument.infer("z stays positive if z(0) is", "z' >= (A - Bz) z >= 0 in the range")
    argument.infer("for z(0) = 0 the bound is 0", "its numerator is")
    return argument


def _linear(*, sign: int) -> Argument:
    """With v = 1/z, equality z' = Az + sign B z^2 makes (v E)' = -sign B E."""
    argument = Argument()
    A, B, z, E = symbols("A B z E")
    speed = A * z + sign * B * z**2
    argument.equal(
        "v = 1/z, E = e^(At): (v E)' = -z'/z^2 E + A E/z, with equality",
        -speed / z**2 * E + A * E / z,
        -sign * B * E,
    )
    return argument


def _places() -> list[dict[str, Fraction]]:
    return [
        dict(zip(_NAMES, values, strict=True))
        for values in itertools.product(_SIZES, _SIZES, _SIZES, _TIMES)
    ]


def _value(function: RationalFunction, at: dict[str, Fraction]) -> Fraction | None:
    try:
        return function(**at).as_fraction()
    except ZeroDivisionError:
        return None


@search
def _beyond(bound: RationalFunction, *, sign: int) -> Witness | None:
    """A place, where the statement speaks, at which the solution itself is beyond the bound."""
    for at in _places():
        A, B = at["A"], at["B"]
        value, stated = _value(solution(sign), at), _value(bound, at)
        if value is None or stated is None or value <= 0:
            continue
        if sign < 0 and 2 * B * max(value, at["z"]) > A:
            continue
        if sign * (value - stated) > 0:
            return {**_shown(at), "z(t) with equality": value, "stated": stated}
    return None


def _shown(at: dict[str, Fraction]) -> Witness:
    return {{"z": "z(0)", "E": "e^(At)"}.get(name, name): value for name, value in at.items()}
