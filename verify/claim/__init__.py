"""Claims, checks, evidence, and the registry that holds them together."""

from verify.claim.check import Cases, Check, CheckFunction, Evidence, Road, Same
from verify.claim.registry import Registry, Shelf
from verify.claim.statement import (
    Claim,
    Entry,
    Mutant,
    Origin,
    Printed,
    Reading,
    Severity,
    Sifted,
)

__all__ = [
    "Cases",
    "Check",
    "CheckFunction",
    "Claim",
    "Entry",
    "Evidence",
    "Mutant",
    "Origin",
    "Printed",
    "Reading",
    "Registry",
    "Road",
    "Same",
    "Severity",
    "Shelf",
    "Sifted",
]
