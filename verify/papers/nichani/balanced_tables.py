"""Balanced tables: at which scales they are looked at, and the losses along their flows."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from verify.checks.trajectory import trajectory

#: Scales, in logarithms, at which balanced tables are looked at, and how small and how whole losses are.
SCALES, CLOSE = (-12, -230, -5000), Fraction(1, 100)


def three_losses(S: int, R: int, D: int, scale: float) -> dict[str, Any]:
    """The losses of a balanced table over time, with the level at which the stage would be."""
    from numerics.papers.nichani.relations_first import balanced_losses

    flow = balanced_losses(S, R, D, scale)
    losses = {
        "total loss": flow.total,
        "relation-only loss": flow.relation_only,
        "subject-only loss": flow.subject_only,
    }
    return trajectory(
        rf"Balanced table, S = {S}, R = {R}, D = {D}, $\alpha = e^{{{scale}}}$",
        {name: (flow.times, values) for name, values in losses.items()},
        y="loss (nats)",
        levels={"log D": math.log(D)},
    )
