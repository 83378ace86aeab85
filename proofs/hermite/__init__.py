"""Hermite polynomials, tensors and expansions, with their identities proved for every degree.

Nichani et al., App. F.1.
"""

from proofs.hermite.expansions import (
    coefficients,
    derivative,
    from_coefficients,
    gaussian_moment,
)
from proofs.hermite.orthogonality import (
    connection,
    lemma_15,
    mehler,
    orthonormality,
    relu,
    stein,
    tensor_stein,
)
from proofs.hermite.polynomials import contraction, hermite, hermite_coefficients, linearise
from proofs.hermite.recurrences import (
    derivative_rule,
    explicit_form,
    generating_function,
    linearisation,
    three_term,
)
from proofs.hermite.tensors import HermiteTensor, hermite_tensor

__all__ = [
    "HermiteTensor",
    "coefficients",
    "connection",
    "contraction",
    "derivative",
    "derivative_rule",
    "explicit_form",
    "from_coefficients",
    "gaussian_moment",
    "generating_function",
    "hermite",
    "hermite_coefficients",
    "hermite_tensor",
    "lemma_15",
    "linearisation",
    "linearise",
    "mehler",
    "orthonormality",
    "relu",
    "stein",
    "tensor_stein",
    "three_term",
]
