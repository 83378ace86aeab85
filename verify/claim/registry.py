"""The registry that holds papers, claims and checks together.

It knows all ids at once, and reads a statement, or imports a check, when it is asked for.
"""

from __future__ import annotations

import difflib
import fnmatch
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from typing import Protocol

from verify.claim.check import Check, CheckFunction, Road, Same
from verify.claim.sound import require_sound
from verify.claim.statement import Claim, Entry, Mutant, Origin, Sifted
from verify.errors import CatalogueError, UsageError, among
from verify.left_out import FaultyPaper, Guest
from verify.measuring.context import Budget
from verify.printed.formula import FormulaError
from verify.printed.ids import require_id
from verify.printed.paper import Paper, papers_in_order
from verify.verdict import Verdict

#: Whose budget the checks of claims spend that were added by themselves.
_ALONE = Paper("alone", "Claims without a paper")


class Shelf(Protocol):
    """A section of a paper: claims that are read, and checks that are imported, when asked for."""

    @property
    def name(self) -> str:
        """What an error calls it."""

    @property
    def entries(self) -> Sequence[Entry]:
        """Its claims, in their order."""

    def claims(self) -> Sequence[Claim]:
        """Its claims, read."""

    def register(self, registry: Registry) -> None:
        """Add its checks."""


class Registry:
    """Claims by id with their checks; refuses what contradicts itself.

    *again* makes the same registry in another process; without it, only this one can run its checks.
    """

    def __init__(self, again: Callable[[], Registry] | None = None) -> None:
        self.again = again
        self._papers: dict[str, Paper] = {}
        #: Papers whose sections have not been looked at.
        self._closed: dict[str, Callable[[], Sequence[Shelf]]] = {}
        #: By the name of the paper, then by id; claims that were added one by one under "".
        self._entries: dict[str, dict[str, Entry]] = {"": {}}
        self._shelves: dict[str, Shelf] = {}
        self._claims: dict[str, Claim] = {}
        self._checks: dict[str, list[Check]] = {}
        self._named_by: dict[str, dict[str, list[str]]] = {}
        #: Shelves whose checks were asked for, and the one that is adding its checks.
        self._registered: set[str] = set()
        self._adding: Shelf | None = None
        #: Whose papers, by name, and whose claims that were added alone, by id, other packages have.
        self._guests: dict[str, Guest] = {}
        #: The papers of other packages that could not be taken in.
        self.left_out: tuple[FaultyPaper, ...] = ()

    # -- filling --------------------------------------------------------------------------------

    def add_paper(
        self, paper: Paper, shelves: Callable[[], Sequence[Shelf]], guest: Guest | None = None
    ) -> None:
        """Add a paper whose sections are looked at when a claim of it is asked for.

        What is then found to be wrong in that of a *guest* is raised as FaultyPaper. Raises
        CatalogueError if its name is taken, or if it builds on what is not there.
        """
        papers_in_order([*self._papers.values(), paper])
        self._papers[paper.name] = paper
        self._named_by.clear()
        self._closed[paper.name] = shelves
        self._entries[paper.name] = {}
        if guest is not None:
            self._guests[paper.name] = guest

    def add(self, claim: Claim) -> Claim:
        """Add a claim. Raises CatalogueError if its id is taken, or if something in it cannot be."""
        require_sound(claim)
        self._enter("", claim.entry)
        self._claims[claim.id] = claim
        self._checks[claim.id] = []
        return claim

    def add_check(self, check: Check) -> None:
        """Add a check to a claim that is there. Raises CatalogueError otherwise."""
        if check.claim not in self:
            raise CatalogueError(
                f"{check.claim}: a check names a claim that is not in the catalogue"
            )
        home = self._shelves.get(check.claim)
        if self._adding is not None and home is not self._adding:
            stands = "elsewhere" if home is None else f"in {home.name}"
            raise CatalogueError(
                f"{check.key}: {self._adding.name} adds this check, the statement stands {stands}; "
                "move one to the other"
            )
        checks = self._checks.setdefault(check.claim, [])
        if any(check.key == other.key for other in checks):
            raise CatalogueError(f"{check.key}: this check is registered twice")
        checks.append(check)

    @contextmanager
    def filled_by(self, guest: Guest) -> Iterator[None]:
        """Claims that are added within are those of a guest; after an error none of them is there."""
        before = set(self._entries[""])
        kept = dict(self._entries[""]), dict(self._claims), set(self._registered)
        checks = {id_: list(found) for id_, found in self._checks.items()}
        try:
            yield
        except BaseException:
            self._entries[""], self._claims, self._registered = kept
            self._checks = checks
            raise
        finally:
            self._named_by.clear()
        self._guests.update(dict.fromkeys(self._entries[""].keys() - before, guest))

    @contextmanager
    def blamed(self, id_: str) -> Iterator[None]:
        """What is wrong with a claim, or a paper, of another package is raised as FaultyPaper."""
        name = id_.partition(".")[0]
        guest = self._guests.get(id_) or self._guests.get(name)
        if guest is None:
            yield
            return
        with guest.blamed("" if id_ in self._guests and id_ != name else name):
            yield

    def require_guests(self, claims: Iterable[Claim]) -> None:
        """Import the checks of those of *claims* that other packages have: FaultyPaper at once, not when
        others have been judged for minutes."""
        for claim in claims:
            if self._is_guest(claim.id):
                self.checks(claim.id)

    def set_origin(self, id_: str, origin: Origin) -> None:
        """Say whose statement a claim is that was added without it."""
        claim = self[id_]
        self._claims[id_] = replace(claim, origin=origin)
        self._entries[""][id_] = self._claims[id_].entry

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

    def _enter(self, paper: str, entry: Entry, shelf: Shelf | None = None) -> None:
        if entry.id in self._known(entry.id):
            raise CatalogueError(f"{entry.id}: this id is in the catalogue already")
        self._entries[paper][entry.id] = entry
        self._named_by.clear()
        if shelf is not None:
            self._shelves[entry.id] = shelf

    # -- reading what is asked for --------------------------------------------------------------

    def _known(self, id_: str) -> Mapping[str, Entry]:
        """The entries among which *id_* would be."""
        name = id_.partition(".")[0]
        self._open(name)
        own = self._entries.get(name, {})
        return own if id_ in own else self._entries[""]

    def _open(self, name: str) -> None:
        """Look at the sections of a paper, unless that was done."""
        if name not in self._closed:
            return
        with self.blamed(name):
            found = [(shelf, shelf.entries) for shelf in self._closed[name]()]
            closed = self._closed.pop(name)
            try:
                for shelf, entries in found:
                    for entry in entries:
                        self._require_own(name, entry.id, shelf)
                        self._enter(name, entry, shelf)
            except CatalogueError:
                self._closed[name], self._entries[name] = closed, {}
                raise

    @staticmethod
    def _require_own(name: str, id_: str, shelf: Shelf) -> None:
        """Raise CatalogueError for an id that cannot be in a section of the paper *name*."""
        try:
            require_id(id_)
        except CatalogueError as error:
            raise CatalogueError(f"{shelf.name}: {error}") from None
        if id_.partition(".")[0] != name:
            raise CatalogueError(
                f"{id_}: this id is in {shelf.name}, so it must begin with {name!r}"
            )

    def _require_checks(self, id_: str) -> None:
        """Import the checks of the section in which a claim stands, unless that was done."""
        shelf = self._shelves.get(id_)
        if shelf is None or shelf.name in self._registered:
            return
        self._registered.add(shelf.name)
        try:
            with self.blamed(id_), self._filled_by(shelf):
                shelf.register(self)
        except BaseException:
            self._registered.discard(shelf.name)
            raise

    @contextmanager
    def _filled_by(self, shelf: Shelf) -> Iterator[None]:
        before, self._adding = self._adding, shelf
        try:
            yield
        finally:
            self._adding = before

    # -- judging itself -------------------------------------------------------------------------

    def validate(self, claims: Iterable[Claim] | None = None) -> None:
        """Raise CatalogueError on the first reference or record that cannot be right.

        Of *claims*, what they rest on, and what their papers may err; of everything for None.
        """
        judged = self.with_uses(self if claims is None else claims)
        for claim in judged:
            with self.blamed(claim.id):
                self._validate(claim)
        for paper in {id(p): p for claim in judged if (p := self.paper_of(claim.id))}.values():
            with self.blamed(paper.name):
                paper.require_affordable(self.spent(paper.name))
        with self.blamed(next(reversed(self._entries[""]), "")):
            _ALONE.require_affordable(self.spent(""))
        if claims is None:
            for name, paper in self._papers.items():
                with self.blamed(name):
                    paper.require_order(self._entries[name])
                    self._require_results(paper)

    def _validate(self, claim: Claim) -> None:
        own = self.paper_of(claim.id)
        for other in (*claim.uses, *claim.printed_uses, claim.correction or claim.id):
            if other not in self:
                raise CatalogueError(f"{claim.id}: names {other!r}, which is not in the catalogue")
            paper = self.paper_of(other)
            if own and paper and paper.name not in (own.name, *own.builds_on):
                raise CatalogueError(
                    f"{claim.id}: names {other!r}, yet {own.name} does not build on {paper.name}; "
                    "add that to builds_on in its paper.toml"
                )
        recorded = claim.recorded
        if recorded is Verdict.REFUTED and not (claim.correction and claim.severity):
            raise CatalogueError(f"{claim.id}: recorded as refuted without correction or severity")
        if claim.correction:
            right = self.entry(claim.correction)
            if right.recorded is None or not right.recorded.positive:
                raise CatalogueError(
                    f"{claim.id}: its correction {claim.correction} is not recorded to hold"
                )
            if right.origin is Origin.PRINTED and self.paper_of(right.id) is own:
                raise CatalogueError(
                    f"{claim.id}: its correction {claim.correction} counts as printed by the "
                    'same paper; give it origin = "corrected"'
                )
        if recorded is not None and recorded.decided and not self.checks(claim.id):
            raise CatalogueError(f"{claim.id}: recorded as {recorded} but has no check")
        if claim.by_hand:
            from verify.printed.arithmetic import Unsound, validate

            try:
                for line in claim.by_hand:
                    validate(line)
            except Unsound as error:
                raise CatalogueError(f"{claim.id}: {error}") from None
        for name in claim.slip:
            if name not in claim.formulas:
                raise CatalogueError(f"{claim.id}: slip names {name!r}, which is no formula of it")

    def _require_results(self, paper: Paper) -> None:
        """Raise CatalogueError for a numbered result with no statement, or one that no paper prints,
        and for one that does not say what is right though a statement is recorded as refuted."""
        for result in paper.results:
            if not result.statements:
                raise CatalogueError(f"{paper.name}: {result.name} has no statement")
            for id_ in result.statements:
                if id_ not in self or self.entry(id_).origin is not Origin.PRINTED:
                    raise CatalogueError(
                        f"{paper.name}: {result.name} names {id_}, which is no printed statement"
                    )
            false = any(self.entry(id_).recorded is Verdict.REFUTED for id_ in result.statements)
            if false is not bool(result.holds):
                what = (
                    "does not say what holds"
                    if false
                    else "says what holds instead, yet none is false"
                )
                raise CatalogueError(f"{paper.name}: {result.name} {what}")

    # -- papers ---------------------------------------------------------------------------------

    @property
    def papers(self) -> Mapping[str, Paper]:
        """The papers by name, in their order."""
        return self._papers

    def paper_of(self, id_: str) -> Paper | None:
        """The paper of a claim; None for one that was added by itself."""
        known = self._known(id_)
        return self._papers.get(id_.partition(".")[0]) if known is not self._entries[""] else None

    def budget(self, id_: str) -> Budget:
        """What the checks of a claim may err, of which each has a fixed number of shares."""
        paper = self.paper_of(id_)
        return Budget() if paper is None else Budget(paper.error_budget, paper.shares)

    def spent(self, name: str) -> int:
        """How many shares of its error budget the checks of a paper have together; those of claims that
        were added by themselves for "". Checks are imported where no index knows their shares."""
        self._open(name)
        return sum(
            sum(check.shares for check in self.checks(id_))
            if entry.shares is None or id_ in self._checks
            else entry.shares
            for id_, entry in self._entries[name].items()
        )

    # -- mutants --------------------------------------------------------------------------------

    def sifted(self, id_: str) -> Sifted:
        """The mutants of a claim, sifted: a slip that the statement implies is no mutant.

        A claim recorded as refuted has those of its correction: its checks must accept the
        correction and reject them. Faults of the construction come last.
        """
        claim = self[id_]
        if claim.recorded is Verdict.REFUTED and claim.correction is not None:
            return self.sifted(claim.correction)
        with self.blamed(id_):
            return self._sifted(claim)

    def _sifted(self, claim: Claim) -> Sifted:
        id_ = claim.id
        deciders = [check.same for check in self.checks(id_) if check.same is not None]
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

    def entries(self) -> list[Entry]:
        """What is known of all claims without reading them, in the order of the catalogue."""
        for name in list(self._closed):
            self._open(name)
        names = [*self._papers, ""]
        return [entry for name in names for entry in self._entries[name].values()]

    def entry(self, id_: str) -> Entry:
        """What is known of a claim without reading it; errors as of ``registry[id_]``."""
        if not isinstance(id_, str):
            raise UsageError(
                f"ID: {id_!r} is no id of a claim; take a string, `verify list` shows all ids"
            )
        known = self._known(id_)
        if id_ not in known:
            near = difflib.get_close_matches(id_, self._ids(), n=3, cutoff=0.5)
            hint = f"; did you mean {', '.join(near)}?" if near else "; `verify list` shows all ids"
            raise UsageError(f"ID: there is no claim {id_!r}{self.why_not(id_) or hint}")
        return known[id_]

    def why_not(self, id_: str) -> str:
        """Which paper was left out that would have a claim of this id, or what a glob means, and why, to
        be said after what is not there; empty if none would."""
        found = [fault for fault in self.left_out if fault.may_have(id_)]
        return "".join(f"; its paper is left out: {fault}" for fault in found[:1])

    def _ids(self) -> list[str]:
        return [entry.id for entry in self.entries()]

    def __iter__(self) -> Iterator[Claim]:
        return (self[id_] for id_ in self._ids())

    def __len__(self) -> int:
        return len(self.entries())

    def __contains__(self, id_: object) -> bool:
        return isinstance(id_, str) and id_ in self._known(id_)

    def __getitem__(self, id_: str) -> Claim:
        """The claim called *id_*; UsageError with the nearest ids if there is none."""
        self.entry(id_)
        if id_ not in self._claims:
            with self.blamed(id_):
                self._claims.update((claim.id, claim) for claim in self._shelves[id_].claims())
        return self._claims[id_]

    def checks(self, id_: str, roads: Iterable[Road] = tuple(Road)) -> list[Check]:
        """The checks of a claim on the given roads; UsageError for a road that there is not."""
        self.entry(id_)
        wanted = set(among(Road, "roads", roads))
        self._require_checks(id_)
        return [check for check in self._checks.get(id_, ()) if check.road in wanted]

    def roads(self, id_: str) -> list[Road]:
        """The roads on which a claim has a check."""
        known = self.entry(id_).roads
        with self.blamed(id_):
            found = (
                {check.road for check in self.checks(id_)}
                if known is None
                else set(map(Road, known))
            )
        return [road for road in Road if road in found]

    def resting_on(self, id_: str) -> Sequence[str]:
        """The claims that use a claim."""
        return self._turned("uses").get(id_, ())

    def corrected_by(self, id_: str) -> Sequence[str]:
        """The claims of which a claim is the correction."""
        return self._turned("correction").get(id_, ())

    def _turned(self, name: str) -> dict[str, list[str]]:
        """By each id, those that name it; made once for a given catalogue."""
        if name not in self._named_by:
            found: dict[str, list[str]] = {}
            for entry in self.entries():
                named = entry.uses if name == "uses" else filter(None, [entry.correction])
                for other in named:
                    found.setdefault(other, []).append(entry.id)
            self._named_by[name] = found
        return self._named_by[name]

    def find_check(self, key: str) -> Check:
        """The check with that key; KeyError if there is none."""
        checks = {check.key: check for check in self.checks(key.partition("/")[0])}
        return checks[key]

    def select(self, patterns: Iterable[str]) -> list[Claim]:
        """The claims that match an id or a glob, in catalogue order; all if there is no pattern.

        Raises UsageError for an unknown id, for a glob that matches nothing, and for what is no list of
        strings.
        """
        if isinstance(patterns, str) or not isinstance(patterns, Iterable):
            raise UsageError(f"ID: {patterns!r} is no list of ids or globs; put them in a list")
        patterns = list(patterns)
        for pattern in patterns:
            if not isinstance(pattern, str):
                raise UsageError(f"ID: {pattern!r} is no id or glob; take a string")
        if all(not _is_glob(pattern) for pattern in patterns) and len(patterns) == 1:
            return [self[patterns[0]]]
        chosen: set[str] = set()
        ids = self._ids()
        for pattern in patterns:
            if _is_glob(pattern):
                matched = fnmatch.filter(ids, pattern)
                if not matched:
                    raise UsageError(
                        f"ID: no claim matches {pattern!r}"
                        f"{self.why_not(pattern) or '; `verify list` shows all ids'}"
                    )
                chosen.update(matched)
            else:
                chosen.add(self.entry(pattern).id)
        return [self[id_] for id_ in ids if not patterns or id_ in chosen]

    def with_uses(self, claims: Iterable[Claim]) -> list[Claim]:
        """The claims and everything they rest on, what is used before what uses it.

        Raises CatalogueError for claims that rest on each other in a circle.
        """
        wanted: dict[str, tuple[str, ...]] = {}
        pending = [claim.id for claim in claims][::-1]
        while pending:
            id_ = pending.pop()
            if id_ not in wanted:
                wanted[id_] = self._used(id_)
                pending.extend(wanted[id_])
        try:
            return [self[id_] for id_ in TopologicalSorter(wanted).static_order()]
        except CycleError as error:
            circle = error.args[1]
            with self.blamed(next((id_ for id_ in circle if self._is_guest(id_)), "")):
                raise CatalogueError(f"claims rest on each other in a circle: {circle}") from None

    def _used(self, id_: str) -> tuple[str, ...]:
        uses = self.entry(id_).uses
        with self.blamed(id_):
            for other in uses:
                if other not in self:
                    raise CatalogueError(f"{id_}: names {other!r}, which is not in the catalogue")
        return uses

    def _is_guest(self, id_: str) -> bool:
        return id_ in self._guests or id_.partition(".")[0] in self._guests


def _is_glob(pattern: str) -> bool:
    return any(sign in pattern for sign in "*?[")
