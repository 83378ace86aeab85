"""The moment engine: from the definition of a memory to the exact moments of its margins."""

from proofs.moments.cross_check import CrossCheck, cross_check
from proofs.moments.expressions import Expression, dot, indicator, outer, sum_over
from proofs.moments.functions import hermite_sum, polynomial, wick_power
from proofs.moments.indices import (
    Association,
    Condition,
    Index,
    Range,
    Relation,
    count,
    equal,
    fails,
    fibre,
    holds,
    in_image,
    not_in_image,
)
from proofs.moments.laws import Family, Fixed, Gaussian, OrthogonalSphere, Signs, Sphere
from proofs.moments.moments import central_from_raw, central_moment, covariance, mean, variance
from proofs.moments.raw import Contribution, RawMoment, raw_moments
from proofs.moments.record import Record
from proofs.moments.subspaces import Splitting, Subspace

__all__ = [
    "Association",
    "Condition",
    "Contribution",
    "CrossCheck",
    "Expression",
    "Family",
    "Fixed",
    "Gaussian",
    "Index",
    "OrthogonalSphere",
    "Range",
    "RawMoment",
    "Record",
    "Relation",
    "Signs",
    "Sphere",
    "Splitting",
    "Subspace",
    "central_from_raw",
    "central_moment",
    "count",
    "covariance",
    "cross_check",
    "dot",
    "equal",
    "fails",
    "fibre",
    "hermite_sum",
    "holds",
    "in_image",
    "indicator",
    "mean",
    "not_in_image",
    "outer",
    "polynomial",
    "raw_moments",
    "sum_over",
    "variance",
    "wick_power",
]
