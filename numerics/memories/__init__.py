"""Memories under measurement, and the interface decoding uses.

Serves Sec. 3 of arXiv 2412.06538.
"""

from numerics.memories.base import Memory
from numerics.memories.linear import LinearMemory

__all__ = ["LinearMemory", "Memory"]
