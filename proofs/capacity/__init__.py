"""Explicit sufficient conditions for full recall: rigorous failure bounds and their inverses."""

from proofs.capacity.attention import AttentionOnly
from proofs.capacity.attention_mlp import AttentionMLP
from proofs.capacity.conditions import SufficientCondition, largest_where, read_delta
from proofs.capacity.counting import BitBound
from proofs.capacity.fact_condition import FactCondition
from proofs.capacity.fact_predictions import AttentionMLPCalibrated
from proofs.capacity.general_maps import LinearGeneralMap
from proofs.capacity.linear import (
    Linear,
    LinearChernoff,
    LinearClosedForm,
)
from proofs.capacity.low_rank import LowRank, LowRankClosedForm
from proofs.capacity.mlp import MLP
from proofs.capacity.quantized import Quantized, QuantizedClosedForm

__all__ = [
    "MLP",
    "AttentionMLP",
    "AttentionMLPCalibrated",
    "AttentionOnly",
    "BitBound",
    "FactCondition",
    "Linear",
    "LinearChernoff",
    "LinearClosedForm",
    "LinearGeneralMap",
    "LowRank",
    "LowRankClosedForm",
    "Quantized",
    "QuantizedClosedForm",
    "SufficientCondition",
    "largest_where",
    "read_delta",
]
