"""Changes of programs that do the same as before: no proof can notice them. Each with its reason."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Exempt:
    """Changes of which module, function and the text before and after fit these patterns."""

    module: str
    function: str
    change: str
    reason: str

    def fits(self, module: str, function: str, before: str, after: str) -> bool:
        """Whether a change is one of these."""
        pairs = ((self.module, module), (self.function, function))
        change = re.fullmatch(self.change, f"{before} -> {after}")
        return change is not None and all(re.fullmatch(a, b) for a, b in pairs)


EXEMPT: tuple[Exempt, ...] = (
    Exempt(
        r"proofs\.kernel\..*",
        r".*",
        r"same\((.+), (.+)\) -> \(same\(\2, \1\)\)",
        "two terms have one normal form in either order",
    ),
    Exempt(
        r"proofs\.(moments|algebra)\..*",
        r".*\.__eq__",
        r"isinstance\(other, \w+\) and (.+) -> .*",
        "what the engine compares is of one kind",
    ),
    Exempt(
        r"proofs\.kernel\.probability",
        r"_single",
        r"one is not None and (one\.head == .sum.) -> \(\(one\.head == 'sum'\)\)",
        "what is found to be random has a variable behind its symbol",
    ),
    Exempt(
        r"proofs\.kernel\.regions",
        r"_not_minus|_plus",
        r"value >= 0 -> .*>.*|value > 0 -> .*>=.*",
        "a polynomial has no coefficient that is 0",
    ),
    Exempt(
        r"proofs\.kernel\..*",
        r".*",
        r"comparison\((.+?), \".*\"\) -> \(comparison\(\1, '.*'\)\)",
        "relations that are taken have no order",
    ),
)
