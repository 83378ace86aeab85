"""What would have been rejected: the wrong statements beside a claim, and what became of them.

A page is made in seconds, so the mutants are listed as they are typed; which of them are true is known
from a record of ``verify power``, where there is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from verify.auditing.power_record import PowerRecord
from verify.claim import Claim, Evidence, Mutant, Registry
from verify.printed.formula import Formula
from verify.records import tables
from verify.report.plots.measured import measured
from verify.typeset.plain_math import plain_formula
from verify.typeset.words import in_words
from verify.verdict import Verdict

SURVIVED = "survived"
UNPROVED = "no longer provable"


@dataclass(frozen=True)
class Wrong:
    """A wrong statement: what was changed, the changed formulas, and the interval that excludes it.

    *fate*: SURVIVED, UNPROVED, or empty for what every road refutes or what was not judged. *why* says
    why it is false, or why it is true after all.
    """

    what: str
    formula: str = ""
    excluded: str = ""
    fate: str = ""
    why: str = ""


@dataclass(frozen=True)
class Group:
    """Changes to one formula, or where *stated* is empty to the statement or its construction."""

    stated: str
    lines: tuple[Wrong, ...]


@dataclass(frozen=True)
class Rejected:
    """The wrong statements beside a claim.

    *of*: the correction to which they belong, where a claim is false; there they are listed. *judged*:
    whether a record says what became of them; then *unproved* and *survived* are numbers.
    """

    total: int
    groups: tuple[Group, ...]
    true: tuple[Wrong, ...] = ()
    of: str = ""
    judged: bool = False
    accepted: bool = True
    unproved: int = 0
    survived: int = 0

    @property
    def refuted(self) -> int:
        return self.total - self.unproved - self.survived

    @property
    def listed(self) -> int:
        """How many stand in the groups."""
        return sum(len(group.lines) for group in self.groups)

    @property
    def told(self) -> str:
        """What the checks did with them, but for those that survived."""
        every = "all " if self.total > 1 and self.total in (self.refuted, self.unproved) else ""
        words = []
        if self.refuted:
            each = "each " if self.refuted > 1 else ""
            words.append(f"refuted {every}{self.refuted}, {each}on every road that judges it")
        if self.unproved:
            words.append(f"found {every}{self.unproved} no longer provable")
        return ", and ".join(words)


def rejected(
    claim: Claim, evidence: Iterable[Evidence], registry: Registry, record: PowerRecord | None
) -> Rejected:
    """The wrong statements beside *claim*, whose *evidence* is that of a run."""
    of = claim.correction if claim.recorded is Verdict.REFUTED and claim.correction else ""
    if of and of not in registry:
        return Rejected(0, (), of=of)
    stated = registry[of] if of else claim
    mutants = list(_mutants(stated))
    aside = record.set_aside if record else {}
    true = [m for m in mutants if (stated.id, m.name) in aside]
    wrong = [m for m in mutants if m not in true]
    judged = record is not None and record.judged.get(claim.id) == len(wrong)
    if record is None or not judged:
        record = None
    excluded = {} if of else _excluded(evidence)
    lines = {
        m.name: _line(stated, m, excluded.get(m.name, ""), *_fate(claim.id, m, record))
        for m in wrong
    }
    fates = [line.fate for line in lines.values()]
    shown = [m for m in wrong if not of or lines[m.name].fate == SURVIVED]
    return Rejected(
        len(wrong),
        tuple(_groups(stated, shown, lines)),
        tuple(_line(stated, m, "", "", aside[stated.id, m.name]) for m in true if not of),
        of=of,
        judged=judged,
        accepted=record is None or claim.id not in record.rejected,
        unproved=fates.count(UNPROVED),
        survived=fates.count(SURVIVED),
    )


def _mutants(claim: Claim) -> Iterator[Mutant]:
    """All mutants of a claim, faults of the construction last."""
    yield from claim.mutants()
    for fault in claim.faults:
        yield Mutant(f"built wrongly: {fault}", claim.formulas, fault)


def _fate(claim: str, mutant: Mutant, record: PowerRecord | None) -> tuple[str, str]:
    """What became of a mutant, and why it is false."""
    key = claim, mutant.name
    if record is not None and key in record.survived:
        return SURVIVED, mutant.why
    if record is not None and key in record.unproved:
        return UNPROVED, record.unproved[key]
    return "", mutant.why


def _groups(claim: Claim, mutants: Iterable[Mutant], lines: Mapping[str, Wrong]) -> Iterator[Group]:
    """The mutants by the formula of which they are slips; the others first."""
    groups: dict[str, list[Wrong]] = {"": []}
    for mutant in mutants:
        groups.setdefault(_slipped(claim, mutant), []).append(lines[mutant.name])
    for name, members in groups.items():
        if members:
            stated = f"{_spaced(name)} = {_unicode(claim.formulas[name])}" if name else ""
            yield Group(stated, tuple(members))


def _slipped(claim: Claim, mutant: Mutant) -> str:
    """The formula of which a mutant is a slip, as ``Claim.mutants`` names it; else empty."""
    name = mutant.name.partition(": ")[0]
    changed = mutant.formulas.get(name)
    slip = name in claim.slip and mutant.name.endswith(f": {changed}")
    return name if slip else ""


def _line(claim: Claim, mutant: Mutant, excluded: str, fate: str, why: str) -> Wrong:
    if name := _slipped(claim, mutant):
        formula = mutant.formulas[name]
        what = mutant.name.removeprefix(f"{name}: ").removesuffix(f": {formula}")
        return Wrong(plain_formula(what), _unicode(formula), excluded, fate, why)
    changed = (
        f"{_spaced(name)} = {_unicode(formula)}"
        for name, formula in mutant.formulas.items()
        if formula != claim.formulas.get(name) and not formula.is_number
    )
    return Wrong(mutant.name, ", ".join(changed), excluded, fate, why)


def _excluded(evidence: Iterable[Evidence]) -> dict[str, str]:
    """For each mutant by name the first interval of the run that excludes it, with its value there."""
    found: dict[str, str] = {}
    for case in (c for e in evidence for c in tables(e.detail.get("cases"))):
        if it := measured(case):
            for name, value in it.mutants:
                if it.excludes(value):
                    found.setdefault(name, f"{value:.4g} at {in_words(case.get('at', ''))}")
    return found


def _unicode(formula: Formula) -> str:
    return plain_formula(str(formula))


def _spaced(name: str) -> str:
    return name.replace("_", " ")
