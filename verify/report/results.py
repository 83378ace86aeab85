"""What becomes of the numbered results of the papers: which hold as printed, which after a change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from verify.claim import Claim, Reading, Registry
from verify.printed.paper import Numbered, Paper
from verify.report.parts import parts
from verify.running.runner import ClaimResult
from verify.typeset.words import counted
from verify.verdict import STRENGTH, Verdict


@dataclass(frozen=True)
class Mended:
    """A false statement, the claim that corrects it, and its verdict in the run, None if it has none.

    *read*: whether it is false in one reading of an ambiguous text.
    """

    id: str
    correction: str | None
    right: Verdict | None
    read: bool


@dataclass(frozen=True)
class Fate:
    """What a run says of a result, or of several in a row that fared alike.

    *verdict*: refuted if a statement is, inconclusive if one is left open, else that of the weakest.
    *read*: whether it has more than one reading, of which one was judged.
    *holds*: what is right where it is false; *proof*: how it is proved, if not in the paper's way.
    *slips*: how many other lines of its part of the paper are false; *part* is the anchor of that part.
    *sure*: the weakest verdict of what holds, as printed or in place of what is false; None if it does
    not hold.
    """

    names: tuple[str, ...]
    verdict: Verdict
    statements: tuple[str, ...]
    read: bool
    holds: str
    proof: str
    false: tuple[Mended, ...]
    slips: int
    part: str
    sure: Verdict | None = None

    @property
    def name(self) -> str:
        """'Theorem 3', 'Lemmas 8 and 9', 'Lemmas 8 to 12'."""
        if len(self.names) == 1:
            return self.names[0]
        kind, _, first = self.names[0].partition(" ")
        last = self.names[-1].rpartition(" ")[2]
        return f"{_plural(kind)} {first} {'and' if len(self.names) == 2 else 'to'} {last}"

    @property
    def mended(self) -> bool:
        """Whether it is false as printed and what is right is established in its place."""
        return bool(self.false) and all(
            m.right is not None and m.right.positive for m in self.false
        )

    @property
    def reading(self) -> str:
        """'as read here' where the verdict is on one reading of several, 'in part as read here' where
        some of what is false has only one; else empty."""
        if not self.false:
            return "as read here" if self.read and self.verdict.positive else ""
        read = sum(m.read for m in self.false)
        if read == len(self.false):
            return "as read here"
        return "in part as read here" if read else ""

    @property
    def outcome(self) -> str:
        """'holds', 'false in part', 'left open', with the ``reading``."""
        if self.false:
            words = "false in part" if len(self.false) < len(self.statements) else "false"
        else:
            words = "holds" if self.verdict.positive else "left open"
        between = ", " if self.reading.startswith("in part") else " "
        return f"{words}{between}{self.reading}".rstrip()


@dataclass(frozen=True)
class Fates:
    """The results of a paper as a run leaves them; *message* is what becomes of what the paper says on
    the whole, empty unless all results fare in the run as recorded."""

    paper: str
    rows: tuple[Fate, ...]
    message: str = ""

    @property
    def words(self) -> str:
        """How many hold, in a sentence."""
        total = self._count(self.rows)
        whole = self._count(row for row in self.rows if row.verdict.positive)
        mended = self._count(row for row in self.rows if row.mended)
        lost = self._count(row for row in self.rows if row.false and not row.mended)
        read = self._count(row for row in self.rows if row.verdict.positive and row.read)
        notes = [self._argued(row for row in self.rows if row.verdict.positive)]
        if read:
            whose = "its claim states" if read == 1 else "their claims state"
            notes.append(f"{read} of these in the reading that {whose}")
        said = [f"{whole} hold{'s' if whole == 1 else ''} as printed{_aside(notes)}"]
        if mended:
            notes = [self._argued(row for row in self.rows if row.mended)]
            said.append(f"{mended} hold{'s' if mended == 1 else ''} after a change{_aside(notes)}")
        if lost:
            said.append(
                f"{lost} {'is' if lost == 1 else 'are'} false without a way out in this run"
            )
        if rest := total - whole - mended - lost:
            said.append(f"{rest} {'is' if rest == 1 else 'are'} left open")
        end = "" if lost or rest else "; none is lost"
        return f"Of {counted(total, 'numbered result')}, {', '.join(said)}{end}."

    def _argued(self, rows: Iterable[Fate]) -> str:
        """How many of *rows* are argued; empty for none."""
        rows = list(rows)
        argued = self._count(row for row in rows if row.sure is Verdict.ARGUED)
        every = argued == self._count(rows)
        many = ("all " if argued > 1 else "") if every else f"{argued} of these "
        return f"{many}with steps in words" if argued else ""

    @staticmethod
    def _count(rows: Iterable[Fate]) -> int:
        return sum(len(row.names) for row in rows)


def _aside(notes: Iterable[str]) -> str:
    """Notes in brackets; empty where there are none."""
    said = "; ".join(filter(None, notes))
    return f" ({said})" if said else ""


def stating(papers: Iterable[Paper]) -> frozenset[str]:
    """The claims that state a numbered result of *papers*."""
    return frozenset(id_ for p in papers for r in p.results for id_ in r.statements)


def fates(results: Sequence[ClaimResult], registry: Registry) -> list[Fates]:
    """The papers with numbered results on which the run has a verdict, each with what became of them."""
    papers = registry.papers.values()
    found, stated = [], stating(papers)
    verdicts = {result.claim.id: result.verdict for result in results}
    homes = {c.id: part for part in parts([r.claim for r in results], papers) for c in part.claims}
    for paper in papers:
        rows = []
        for result in paper.results:
            if not any(_told(verdicts, id_) for id_ in result.statements):
                continue
            part = next(homes[id_] for id_ in result.statements if id_ in homes)
            # The proof of a theorem may be gathered under the number of another form of it, as 9 for 2.
            slips = _false_among(part.claims, verdicts, stated)
            rows.append(_fate(result, verdicts, registry, slips, part.anchor))
        if rows:
            message = paper.message if _as_recorded(rows, paper.results) else ""
            found.append(Fates(paper.title, tuple(_joined(rows)), message))
    return found


def _as_recorded(rows: Sequence[Fate], results: Sequence[Numbered]) -> bool:
    """Whether the run has all *results*, and each holds or is mended as the catalogue says."""
    return len(rows) == len(results) and all(
        row.mended if result.holds else row.verdict.positive
        for row, result in zip(rows, results, strict=True)
    )


def _told(verdicts: Mapping[str, Verdict], id_: str) -> bool:
    return verdicts.get(id_, Verdict.NOT_RUN) is not Verdict.NOT_RUN


def _false_among(claims: Iterable[Claim], verdicts: Mapping[str, Verdict], but: Set[str]) -> int:
    return sum(verdicts[c.id] is Verdict.REFUTED and c.id not in but for c in claims)


def _fate(
    result: Numbered, verdicts: Mapping[str, Verdict], registry: Registry, slips: int, part: str
) -> Fate:
    ids = result.statements
    false = tuple(
        Mended(
            id_, fix := registry[id_].correction, verdicts.get(fix or ""), _ambiguous(registry[id_])
        )
        for id_ in ids
        if verdicts.get(id_) is Verdict.REFUTED
    )
    if false:
        verdict = Verdict.REFUTED
    elif all(verdicts.get(id_) in STRENGTH for id_ in ids):
        # A result is as sure as the weakest of its statements.
        verdict = min((verdicts[id_] for id_ in ids), key=STRENGTH.index)
    else:
        verdict = Verdict.INCONCLUSIVE
    return Fate(
        (result.name,),
        verdict,
        tuple(ids),
        any(_ambiguous(registry[id_]) for id_ in ids),
        result.holds if false else "",
        result.proof if verdict.positive else "",
        false,
        slips,
        part,
        _weakest(
            [
                *(verdicts.get(id_) for id_ in ids if verdicts.get(id_) is not Verdict.REFUTED),
                *(m.right for m in false),
            ]
        ),
    )


def _weakest(verdicts: Sequence[Verdict | None]) -> Verdict | None:
    """The weakest of the verdicts of what holds; None unless all of them are such."""
    known = [verdict for verdict in verdicts if verdict is not None and verdict.positive]
    return min(known, key=STRENGTH.index) if known and len(known) == len(verdicts) else None


def _ambiguous(claim: Claim) -> bool:
    return claim.reading is Reading.AMBIGUOUS


def _joined(rows: Iterable[Fate]) -> list[Fate]:
    """The rows, but those of one kind in a row of which there is nothing else to say as one."""
    joined: list[Fate] = []
    for row in rows:
        last = joined[-1] if joined else None
        if last is not None and _plain(last) and _plain(row) and _alike(last, row):
            joined[-1] = Fate(
                (*last.names, *row.names),
                last.verdict,
                (*last.statements, *row.statements),
                False,
                "",
                "",
                (),
                0,
                last.part,
                last.sure,
            )
        else:
            joined.append(row)
    return joined


def _plain(row: Fate) -> bool:
    return row.verdict.positive and not (row.read or row.proof or row.slips)


def _alike(last: Fate, row: Fate) -> bool:
    """Whether *row* follows *last* in number and has its kind and verdict."""
    kind, _, number = last.names[-1].rpartition(" ")
    next_kind, _, following = row.names[0].rpartition(" ")
    numbers = number.isdigit() and following.isdigit() and int(following) == int(number) + 1
    return numbers and kind == next_kind and last.verdict is row.verdict


def _plural(kind: str) -> str:
    return f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"
