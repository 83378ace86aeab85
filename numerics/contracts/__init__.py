"""What a memory or construction of one's own must satisfy: classes of tests to inherit from.

Whoever adds one supplies it and its definition, and inherits the tests; a runner such as pytest
collects them. They lie above everything they look at.
"""

from numerics.contracts.constructions import ConstructionContract
from numerics.contracts.memories import MemoryContract
from numerics.contracts.pretended import ElsewhereError, pretended_cuda

__all__ = ["ConstructionContract", "ElsewhereError", "MemoryContract", "pretended_cuda"]
