"""Claims, checks, evidence, and the registry that holds them together.

A claim is data: what is printed, where, what it rests on, what is recorded of it. A check is a
function from the printed formulas to evidence, on one road. Since the printed formulas are an
argument, the very same check runs on every mutant.
"""

from __future__ import annotations

import difflib
import fnmatch
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from verify.errors import CatalogueError, UsageError
from verify.measuring.context import PROPERTY_SHARES, SHARES
from verify.printed.arithmetic import Unsound, typeset, validate
from verify.printed.formula import Formula, FormulaError
from verify.printed.mutants import slips
from verify.verdict import Verdict

if TYPE_CHECKING:
    from verify.measuring.case import Case
    from verify.measuring.context import Context


class Road(StrEnum):
    """The independent lines of evidence."""

    PROOFS = "proofs"
    NUMERICS = "numerics"
    PROPERTIES = "properties"


class Reading(StrEnum):
    """How the printed text was read."""

    AS_PRINTED = "as-printed"
    AMBIGUOUS = "ambiguous"
    DAMAGED = "damaged"


class Severity(StrEnum):
    """What a false line does to the results that rest on it, gravest first."""

    THEOREM = "theorem"
    GAP = "gap"
    CONSTANT = "constant"
    WORDING = "wording"


Printed: TypeAlias = Mapping[str, Formula]
#: (printed formulas, other formulas) to a proof that the first imply the second, or None.
Same: TypeAlias = Callable[[Printed, Printed], str | None]
CheckFunction: TypeAlias = "Callable[[Printed, Context], Evidence]"
#: The cases of a check, or the evidence where there is nothing to measure.
Cases: TypeAlias = "Sequence[Case] | Evidence"


@dataclass(frozen=True)
class Evidence:
    """What one check found on one road.

    ``summary`` is a few words for the table, ``scope`` says for what the verdict holds, ``steps``
    is a derivation or a record a reader can follow, ``detail`` holds numbers for machines.
    """

    verdict: Verdict
    method: str
    summary: str
    scope: str = ""
    steps: tuple[str, ...] = ()
    detail: Mapping[str, Any] = field(default_factory=dict)
    counterexample: Mapping[str, Any] | None = None
    assumptions: tuple[str, ...] = ()
    road: Road | None = None
    seconds: float = 0.0
    timed_out: bool = False


@dataclass(frozen=True)
class Check:
    """A check of one claim on one road.

    ``seconds`` is its time limit; checks of one ``group`` share measurements, so one process runs
    them all. ``same`` decides exactly whether the printed formulas imply other ones. ``cases`` are
    what is measured, if that is all the check does. ``builds`` says that the check builds what the
    statement speaks of, so that it must notice a fault in the construction.
    """

    claim: str
    road: Road
    run: CheckFunction
    method: str
    seconds: float = 60.0
    group: str = ""
    same: Same | None = None
    cases: Callable[[Printed, Context], Cases] | None = None
    builds: bool = False

    @property
    def shares(self) -> int:
        """How many shares of the run's error budget the check may spend."""
        return {Road.PROOFS: 0, Road.NUMERICS: 1, Road.PROPERTIES: PROPERTY_SHARES}[self.road]

    @property
    def key(self) -> str:
        return f"{self.claim}/{self.road}/{self.method}"


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
        return tuple(map(typeset, self.by_hand))

    def mutants(self) -> Iterator[Mutant]:
        """The mutants by hand, then all slips of the formulas named in ``slip``."""
        for mutant in self.wrong:
            yield replace(mutant, formulas={**self.formulas, **mutant.formulas})
        for name in self.slip:
            for slip in slips(self.formulas[name]):
                changed = {**self.formulas, name: slip.formula}
                yield Mutant(f"{name}: {slip.name}", changed)


class Registry:
    """Claims by id with their checks; refuses what contradicts itself."""

    def __init__(self) -> None:
        self._claims: dict[str, Claim] = {}
        self._checks: dict[str, list[Check]] = {}

    # -- filling --------------------------------------------------------------------------------

    def add(self, claim: Claim) -> Claim:
        """Add a claim. Raises CatalogueError if its id is taken."""
        if claim.id in self._claims:
            raise CatalogueError(f"{claim.id}: this id is in the catalogue already")
        self._claims[claim.id] = claim
        self._checks[claim.id] = []
        return claim

    def add_check(self, check: Check) -> None:
        """Add a check to a claim that is there. Raises CatalogueError otherwise."""
        if check.claim not in self._claims:
            raise CatalogueError(
                f"{check.claim}: a check names a claim that is not in the catalogue"
            )
        if any(check.key == other.key for other in self._checks[check.claim]):
            raise CatalogueError(f"{check.key}: this check is registered twice")
        self._checks[check.claim].append(check)

    def check(
        self,
        claim: str,
        road: Road | str,
        *,
        method: str = "",
        seconds: float = 60.0,
        group: str = "",
        same: Same | None = None,
        builds: bool = False,
    ) -> Callable[[CheckFunction], CheckFunction]:
        """Decorator: register a function of (printed formulas, context) as a check of *claim*."""

        def register(run: CheckFunction) -> CheckFunction:
            name = method or run.__name__.strip("_").replace("_", " ")
            self.add_check(
                Check(
                    claim,
                    Road(road),
                    run,
                    name,
                    seconds,
                    group or str(road),
                    same,
                    builds=builds,
                )
            )
            return run

        return register

    def printed(self, claim: Claim) -> bool:
        """Whether a paper prints *claim*; a correction or an explicit form is a statement of ours."""
        if "explicit" in claim.id.split("."):
            return False
        return all(other.correction != claim.id for other in self)

    def validate(self) -> None:
        """Raise CatalogueError on the first reference or record that cannot be right."""
        for claim in self:
            named = (*claim.uses, *claim.printed_uses, claim.correction or claim.id)
            for other in named:
                if other not in self._claims:
                    raise CatalogueError(
                        f"{claim.id}: names {other!r}, which is not in the catalogue"
                    )
            recorded, checks = claim.recorded, self._checks[claim.id]
            if recorded is Verdict.REFUTED and not (claim.correction and claim.severity):
                raise CatalogueError(
                    f"{claim.id}: recorded as refuted without correction or severity"
                )
            if claim.correction and not _holds(self._claims[claim.correction]):
                raise CatalogueError(
                    f"{claim.id}: its correction {claim.correction} is not recorded to hold"
                )
            if recorded is not None and recorded.decided and not checks:
                raise CatalogueError(f"{claim.id}: recorded as {recorded} but has no check")
            try:
                for line in claim.by_hand:
                    validate(line)
            except Unsound as error:
                raise CatalogueError(f"{claim.id}: {error}") from None
            for name in claim.slip:
                if name not in claim.formulas:
                    raise CatalogueError(
                        f"{claim.id}: slip names {name!r}, which is no formula of it"
                    )
        self.validate_shares()
        self._order()

    def validate_shares(self) -> None:
        """Raise CatalogueError if the checks together could spend more than the error budget."""
        spent = sum(check.shares for checks in self._checks.values() for check in checks)
        if spent > SHARES:
            raise CatalogueError(
                f"the checks ask for {spent} shares of an error budget of {SHARES}; raise SHARES"
            )

    def sifted(self, id_: str) -> Sifted:
        """The mutants of a claim, sifted: a slip that the statement implies is no mutant.

        A claim recorded as refuted has those of its correction: its checks must accept the
        correction and reject them. Faults of the construction come last.
        """
        claim = self[id_]
        if claim.recorded is Verdict.REFUTED and claim.correction is not None:
            return self.sifted(claim.correction)
        deciders = [check.same for check in self._checks[id_] if check.same is not None]
        wrong, set_aside = [], []
        for mutant in claim.mutants():
            try:
                proof = next(
                    (p for same in deciders if (p := same(claim.formulas, mutant.formulas))), None
                )
            except (FormulaError, ZeroDivisionError):
                proof = "it is no statement: a denominator is 0"
            if proof is None:
                wrong.append(mutant)
            else:
                set_aside.append((mutant, proof))
        wrong += [Mutant(f"built wrongly: {f}", claim.formulas, f) for f in claim.faults]
        return Sifted(tuple(wrong), tuple(set_aside))

    def mutants(self, id_: str) -> list[Mutant]:
        """The mutants of a claim that are really wrong."""
        return list(self.sifted(id_).wrong)

    # -- asking ---------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Claim]:
        return iter(self._claims.values())

    def __len__(self) -> int:
        return len(self._claims)

    def __contains__(self, id_: object) -> bool:
        return id_ in self._claims

    def __getitem__(self, id_: str) -> Claim:
        """The claim called *id_*; UsageError with the nearest ids if there is none."""
        if id_ not in self._claims:
            near = difflib.get_close_matches(id_, self._claims, n=3, cutoff=0.5)
            hint = f"; did you mean {', '.join(near)}?" if near else "; `verify list` shows all ids"
            raise UsageError(f"ID: there is no claim {id_!r}{hint}")
        return self._claims[id_]

    def checks(self, id_: str, roads: Iterable[Road] = tuple(Road)) -> list[Check]:
        """The checks of a claim on the given roads."""
        wanted = set(roads)
        return [check for check in self._checks[id_] if check.road in wanted]

    def select(self, patterns: Iterable[str]) -> list[Claim]:
        """The claims that match an id or a glob, in catalogue order; all if there is no pattern.

        Raises UsageError for an unknown id and for a glob that matches nothing.
        """
        chosen: set[str] = set()
        patterns = list(patterns)
        for pattern in patterns:
            if any(sign in pattern for sign in "*?["):
                matched = fnmatch.filter(self._claims, pattern)
                if not matched:
                    raise UsageError(
                        f"ID: no claim matches {pattern!r}; `verify list` shows all ids"
                    )
                chosen.update(matched)
            else:
                chosen.add(self[pattern].id)
        return [c for c in self if not patterns or c.id in chosen]

    def with_uses(self, claims: Iterable[Claim]) -> list[Claim]:
        """The claims and everything they rest on, what is used before what uses it."""
        wanted: set[str] = set()
        pending = [claim.id for claim in claims]
        while pending:
            id_ = pending.pop()
            if id_ not in wanted:
                wanted.add(id_)
                pending.extend(self._claims[id_].uses)
        return [self._claims[id_] for id_ in self._order() if id_ in wanted]

    def _order(self) -> list[str]:
        from graphlib import CycleError, TopologicalSorter

        try:
            return list(TopologicalSorter({c.id: c.uses for c in self}).static_order())
        except CycleError as error:
            raise CatalogueError(
                f"claims rest on each other in a circle: {error.args[1]}"
            ) from None


def _holds(claim: Claim) -> bool:
    return claim.recorded is not None and claim.recorded.positive
