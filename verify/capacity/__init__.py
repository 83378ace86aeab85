"""How much a memory holds at given sizes: provable, predicted, measured, and what bits allow.

Serves ``verify capacity``, the failure curves of the page and ``verify recall``. A module a memory says
what its construction is; conditions and predictions live in ``proofs.capacity``.
"""

from verify.capacity.answer import Capacity, capacity
from verify.capacity.construction import Construction
from verify.capacity.facts import fact_capacity
from verify.capacity.reading import (
    CONSTRUCTIONS,
    FACT_MEMORIES,
    MEMORIES,
    construction,
    read_numbers,
)

__all__ = [
    "CONSTRUCTIONS",
    "FACT_MEMORIES",
    "MEMORIES",
    "Capacity",
    "Construction",
    "capacity",
    "construction",
    "fact_capacity",
    "read_numbers",
]
