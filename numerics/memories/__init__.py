"""Memories under measurement, and the interface decoding uses.

Serves Sec. 3 of arXiv 2412.06538.
"""

from numerics.memories.activations import Activation
from numerics.memories.base import Memory
from numerics.memories.linear import LinearMemory
from numerics.memories.low_rank import LowRankMemory
from numerics.memories.mlp import MLPMemory, TwoLayerNetwork
from numerics.memories.quantized import QuantizedMemory

__all__ = [
    "Activation",
    "LinearMemory",
    "LowRankMemory",
    "MLPMemory",
    "Memory",
    "QuantizedMemory",
    "TwoLayerNetwork",
]
