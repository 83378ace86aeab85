"""Measured road of recallproof: sample embeddings, build memories, measure recall.

Serves Sec. 3 of arXiv 2412.06538; knows nothing of proofs, so that agreement means something.
"""

from numerics.needed import missing

if absent := missing("torch", "scipy"):
    raise absent

from numerics.associations import general_map, injective_map
from numerics.constructions import AttentionMLP, AttentionOnly, Certificate, certify
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
from numerics.tasks import FactTable, FactualRecall, NamedTable, Words, read_table, world_table
from numerics.transformer import OneLayerTransformer

__all__ = [
    "Activation",
    "AttentionMLP",
    "AttentionOnly",
    "Certificate",
    "FactTable",
    "FactualRecall",
    "InputError",
    "LinearMemory",
    "LowRankMemory",
    "MLPMemory",
    "Memory",
    "Moments",
    "NamedTable",
    "OneLayerTransformer",
    "QuantizedMemory",
    "Recall",
    "Stream",
    "TwoLayerNetwork",
    "Words",
    "accuracy",
    "certify",
    "general_map",
    "injective_map",
    "one_thread",
    "read_table",
    "recall",
    "replicate_spheres",
    "resolve_device",
    "sample_gaussian",
    "sample_sphere",
    "world_table",
]
