"""The moment engine: from the definition of a memory to the exact moments of its margins."""

from proofs.moments.expressions import Expression, dot, outer, sum_over
from proofs.moments.indices import (
    Association,
    Distinct,
    Fibre,
    Index,
    Range,
    fibre,
    in_image,
    not_in_image,
)
from proofs.moments.laws import Family, Gaussian, Sphere
from proofs.moments.moments import (
    Contribution,
    RawMoment,
    central_from_raw,
    central_moment,
    covariance,
    mean,
    raw_moments,
    variance,
)

__all__ = [
    "Association",
    "Contribution",
    "Distinct",
    "Expression",
    "Family",
    "Fibre",
    "Gaussian",
    "Index",
    "Range",
    "RawMoment",
    "Sphere",
    "central_from_raw",
    "central_moment",
    "covariance",
    "dot",
    "fibre",
    "in_image",
    "mean",
    "not_in_image",
    "outer",
    "raw_moments",
    "sum_over",
    "variance",
]
