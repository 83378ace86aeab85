"""Exact algebra: the field of rational functions, signs and orders of growth, certified intervals."""

from proofs.algebra.asymptotics import Leading, Regime, leading, regimes
from proofs.algebra.errors import ExactnessError, UndecidedError
from proofs.algebra.field import RationalFunction
from proofs.algebra.signs import SignProof, Violation, decide_nonnegative

__all__ = [
    "ExactnessError",
    "Leading",
    "RationalFunction",
    "Regime",
    "SignProof",
    "UndecidedError",
    "Violation",
    "decide_nonnegative",
    "leading",
    "regimes",
]
