"""Transformers whose weights are written down, not trained, and the proof that each recalls its facts.

Serves Sec. 4.3 and App. C of arXiv 2412.06538 (Theorems 3 and 4, that is 10 and 11).
"""

from numerics.constructions.attention_mlp import AttentionMLP
from numerics.constructions.attention_only import AttentionOnly
from numerics.constructions.base import Construction
from numerics.constructions.certificate import Certificate, certify

__all__ = ["AttentionMLP", "AttentionOnly", "Certificate", "Construction", "certify"]
