"""Checks of Lemma 7 of Nichani et al. (App. D.4): two differential inequalities."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from proofs.algebra import RationalFunction
from proofs.argument import Argument
from proofs.gradient_flow import comparison
from verify.checks.computed import Sides, at_most, integration, no_difference
from verify.checks.section import Section, corrected
from verify.checks.trajectory import trajectory, with_trajectories
from verify.claim import Evidence, Printed

section = Section()
#: (A, B, z(0)) at which equations are solved; and how far towards the end of the range of times.
_SIZES = ((1.0, 1.0, 0.2), (0.5, 2.0, 0.05), (2.0, 0.3, 0.5), (1.0, 4.0, 0.01))
_POINTS = 12
#: theta in z' = theta (A z + B z^2), equality being 1.
_PARTS = (1.0, 0.7, 0.0)
#: The theta that is drawn, beside one that is followed past the pole.
_DRAWN = 0.7


section.argued(
    corrected("nichani.lem7.upper"),
    comparison.upper,
    method="linear in 1/z",
    scope="all A, B > 0, z(0) >= 0 and differentiable z, before the blow-up",
    summary="1/z falls no faster than for equality",
)


@section.check(corrected("nichani.lem7.upper"), "numerics", method="integrated")
def upper_computed(printed: Printed) -> Evidence:
    import numpy as np

    everywhere = bool(printed["everywhere"].number())

    pictures: list[dict[str, Any]] = []

    def found() -> Iterator[Sides]:
        for (A, B, z), part in itertools.product(_SIZES, _PARTS):
            blow_up = np.log1p(A / (B * z)) / A
            end = 2 * blow_up if everywhere and part == 0 else 0.95 * blow_up
            times = np.linspace(0.0, end, _POINTS)
            values, bounds = _sides(printed, (A, B, z), 1, part, times)
            if (A, B, z) == _SIZES[0] and (part == _DRAWN or end > blow_up):
                past = end > blow_up
                note = _beside_pole(past, float(blow_up)) if everywhere else ""
                picture = _compared(printed, (A, B, z), 1, part, end, note)
                # What is past the pole comes first: it is what speaks against the bound.
                pictures.insert(0 if past else len(pictures), picture)
            for t, value, bound in zip(times, values, bounds, strict=True):
                yield f"{_equation((A, B, z), 1, part)}, t = {t:.4g}: z", value, bound

    evidence = at_most(
        found(),
        "four sizes, z' = theta (A z + B z^2), theta = 0, 0.7 or 1",
        slack=integration(1e-6),
    )
    return with_trajectories(evidence, pictures)


def _equation(sizes: tuple[float, float, float], sign: int, part: float) -> str:
    """The start and the equation that is solved, with its theta."""
    A, B, z = sizes
    right = "theta (A z + B z^2)" if sign > 0 else "A z - theta B z^2"
    return f"A = {A:g}, B = {B:g}, z(0) = {z:g}, z' = {right}, theta = {part:g}"


def _beside_pole(past: bool, pole: float) -> str:
    """What a picture says of a bound that is stated for all times."""
    if past:
        return f"Past its pole at t = {pole:.3g} the stated bound is negative, and z is above it."
    return f"This ends before the pole at t = {pole:.3g}: what refutes the bound is past it."


def _sides(
    printed: Printed, sizes: tuple[float, float, float], sign: int, part: float, times: Any
) -> tuple[Any, Any]:
    """A solution at *times*, and its bound."""
    import numpy as np

    from numerics.papers.nichani.flow_bounds import riccati

    A, B, z = sizes
    bounds = printed["bound"].on(A=A, B=B, z=z, E=np.exp(A * times)) + 0 * times
    return riccati(A, B, z, times, sign=sign, part=part), bounds


def _compared(
    printed: Printed,
    sizes: tuple[float, float, float],
    sign: int,
    part: float,
    end: float,
    note: str = "",
) -> dict[str, Any]:
    """A solution and its bound, up to where the bound is far beyond it and past its pole."""
    import numpy as np

    times = np.linspace(0.0, end, 200)
    values, bounds = _sides(printed, sizes, sign, part, times)
    near = abs(bounds) < 4 * max(float(values.max()), 1.0)
    lines = {
        "z": (times, values),
        "stated bound": (times, np.where(near & (bounds > 0), bounds, np.nan)),
        "stated bound past its pole": (times, np.where(near & (bounds < 0), bounds, np.nan)),
    }
    return trajectory(_equation(sizes, sign, part), lines, y="z", note=note)


@section.both(
    "nichani.lem7.lower",
    comparison.lower,
    method="linear in 1/z",
    scope="all A, B > 0, z(0) >= 0 and differentiable z",
    summary="1/z falls no slower than for equality",
    measured="integrated",
    looked="four sizes, z' = A z - theta B z^2, theta = 1 or 1/2, z up to A/(2B)",
    judge=at_most,
    slack=integration(1e-6),
)
def lower_computed(printed: Printed) -> Iterator[Any]:
    import numpy as np

    for (A, B, z), part in itertools.product(_SIZES, (1.0, 0.5)):
        times = np.linspace(0.0, 5 / A, 4 * _POINTS)
        values, bounds = _sides(printed, (A, B, z), -1, part, times)
        if (A, B, z) == _SIZES[0]:
            yield _compared(printed, (A, B, z), -1, part, 5 / A)
        for t, value, bound in zip(times, values, bounds, strict=True):
            if value > A / (2 * B):
                break
            words = f"{_equation((A, B, z), -1, part)}, t = {t:.4g}"
            yield f"{words}: bound against z", bound, value


def solutions(upper: RationalFunction, lower: RationalFunction) -> tuple[Argument, ...]:
    return (comparison.solves(upper, 1), comparison.solves(lower, -1))


@section.both(
    "nichani.lem7.solutions",
    solutions,
    method="substituted",
    scope="all A, B, z(0) > 0, where finite",
    summary="both solve their equation from z(0)",
    measured="integrated",
    looked="four sizes, up to nine tenths of the time of blow-up",
    judge=no_difference,
    slack=integration(1e-6),
)
def solutions_computed(printed: Printed) -> Iterator[Sides]:
    import numpy as np

    from numerics.papers.nichani.flow_bounds import riccati

    for (A, B, z), sign in itertools.product(_SIZES, (1, -1)):
        end = 0.9 * np.log1p(A / (B * z)) / A
        times = np.linspace(0.0, end, _POINTS)
        values = riccati(A, B, z, times, sign=sign)
        name = "upper" if sign > 0 else "lower"
        stated = printed[name].on(A=A, B=B, z=z, E=np.exp(A * times))
        gap = float(abs(values - stated).max())
        yield f"A, B, z(0) = {A}, {B}, {z}: {name}", gap, float(values.max())
