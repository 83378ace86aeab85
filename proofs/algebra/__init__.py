"""Exact algebra: the field of rational functions, signs on a box of sizes, certified intervals."""

from proofs.algebra.errors import ExactnessError, UndecidedError
from proofs.algebra.field import RationalFunction
from proofs.algebra.signs import SignProof, Violation, decide_nonnegative

__all__ = [
    "ExactnessError",
    "RationalFunction",
    "SignProof",
    "UndecidedError",
    "Violation",
    "decide_nonnegative",
]
