"""Measured road of recallproof: sample embeddings, build memories, measure recall.

Serves Sec. 3 of arXiv 2412.06538; knows nothing of proofs, so that agreement means something.
"""

from numerics.associations import general_map, injective_map
from numerics.decoding import Recall, accuracy, recall
from numerics.devices import one_thread, resolve_device
from numerics.errors import InputError
from numerics.estimators import Moments
from numerics.memories import (
    Activation,
    LinearMemory,
    LowRankMemory,
    Memory,
    MLPMemory,
    QuantizedMemory,
    TwoLayerNetwork,
)
from numerics.random import Stream, replicate_spheres, sample_gaussian, sample_sphere

__all__ = [
    "Activation",
    "InputError",
    "LinearMemory",
    "LowRankMemory",
    "MLPMemory",
    "Memory",
    "Moments",
    "QuantizedMemory",
    "Recall",
    "Stream",
    "TwoLayerNetwork",
    "accuracy",
    "general_map",
    "injective_map",
    "one_thread",
    "recall",
    "replicate_spheres",
    "resolve_device",
    "sample_gaussian",
    "sample_sphere",
]
