"""A claim as data: what is printed, where, what it rests on, what is recorded of it; and its mutants."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeAlias

import msgspec

from verify.printed.formula import Formula
from verify.printed.mutants import slips
from verify.verdict import Verdict

Printed: TypeAlias = Mapping[str, Formula]


class Reading(StrEnum):
    """How the printed text was read."""

    AS_PRINTED = "as-printed"
    AMBIGUOUS = "ambiguous"
    DAMAGED = "damaged"


class Origin(StrEnum):
    """Whose statement a claim is."""

    PRINTED = "printed"
    CORRECTED = "corrected"
    OURS = "ours"


class Severity(StrEnum):
    """What a false line does to the results that rest on it, gravest first."""

    THEOREM = "theorem"
    GAP = "gap"
    CONSTANT = "constant"
    WORDING = "wording"


@dataclass(frozen=True)
class Mutant:
    """A nearby wrong statement: the claim's formulas with something changed, or the formulas as they
    are and the *construction* that they speak of built with a fault.

    *why* says in words why it is false, where no check refutes it outright."""

    name: str
    formulas: Printed
    construction: str = ""
    why: str = ""


@dataclass(frozen=True)
class Sifted:
    """The mutants of a claim: those that are wrong, and those that are none, with the proof."""

    wrong: tuple[Mutant, ...]
    set_aside: tuple[tuple[Mutant, str], ...]


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of a claim before its statement is read: enough to list it, and to find what it
    rests on.

    *mutants*, *shares* and *roads* are None where its checks would have to be asked; *digest* is that of
    the statement, empty where it was not taken.
    """

    id: str
    title: str
    where: str = ""
    paper: str = ""
    tier: int = 1
    origin: Origin = Origin.PRINTED
    recorded: Verdict | None = None
    correction: str | None = None
    uses: tuple[str, ...] = ()
    printed_uses: tuple[str, ...] = ()
    mutants: int | None = None
    shares: int | None = None
    roads: tuple[str, ...] | None = None
    digest: str = ""


@dataclass(frozen=True)
class Claim:
    """A statement with its source, what it rests on, its printed formulas and its record.

    ``uses``: the claims that our proof takes; ``printed_uses``: those from which the text draws this
    one, whether its lines are true or not. ``by_hand``: the counterexample of a false statement, line
    by line for a reader with a pencil; its arithmetic stands between double brackets and is checked,
    see ``verify.printed.arithmetic``.
    """

    id: str
    title: str
    statement: str
    paper: str = ""
    where: str = ""
    kind: str = "identity"
    tier: int = 1
    origin: Origin = Origin.PRINTED
    hypotheses: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    printed_uses: tuple[str, ...] = ()
    formulas: Printed = field(default_factory=dict)
    recorded: Verdict | None = None
    reading: Reading = Reading.AS_PRINTED
    reading_note: str = ""
    correction: str | None = None
    severity: Severity | None = None
    consequence: str = ""
    by_hand: tuple[str, ...] = ()
    slip: tuple[str, ...] = ()
    wrong: tuple[Mutant, ...] = ()
    faults: tuple[str, ...] = ()

    @property
    def worked(self) -> tuple[str, ...]:
        """The lines of ``by_hand``, typeset."""
        from verify.printed.arithmetic import typeset  # flint only where arithmetic is read

        return tuple(map(typeset, self.by_hand))

    @property
    def digest(self) -> str:
        """Of the statement, its hypotheses and its formulas: what may not change by accident."""
        formulas = {name: str(formula) for name, formula in sorted(self.formulas.items())}
        text = json.dumps([self.statement, list(self.hypotheses), formulas])
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def entry(self) -> Entry:
        """What a list says of it."""
        of_checks = ("mutants", "shares", "roads", "digest")
        same = (name for name in Entry.__struct_fields__ if name not in of_checks)
        return Entry(**{name: getattr(self, name) for name in same})

    def mutants(self) -> Iterator[Mutant]:
        """The mutants by hand, then all slips of the formulas named in ``slip``."""
        for mutant in self.wrong:
            yield replace(mutant, formulas={**self.formulas, **mutant.formulas})
        for name in self.slip:
            for slip in slips(self.formulas[name]):
                changed = {**self.formulas, name: slip.formula}
                yield Mutant(f"{name}: {slip.name}", changed)
