"""How many printed statements are false, by paper and by what they break; statements of ours apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from verify.claim import Claim, Origin, Reading, Severity
from verify.report.text import by_paper
from verify.running.runner import ClaimResult
from verify.verdict import Verdict

#: What one false statement does, and what several do.
_BREAKS = {
    Severity.THEOREM: (
        "brings a theorem, lemma or corollary down",
        "bring a theorem, lemma or corollary down",
    ),
    Severity.GAP: ("leaves a gap in a proof", "leave a gap in a proof"),
    Severity.CONSTANT: ("changes a constant or a formula", "change a constant or a formula"),
    Severity.WORDING: ("needs a word", "need a word"),
    None: ("is of no recorded severity", "are of no recorded severity"),
}


def printed_by_paper(claims: Iterable[Claim]) -> dict[str, int]:
    """How many of *claims* each paper prints, by its title."""
    printed = [claim for claim in claims if claim.origin is Origin.PRINTED]
    return {paper: len(members) for paper, members in by_paper(printed).items()}


def with_verdict(results: Iterable[ClaimResult]) -> list[Claim]:
    """The claims on which a run has a verdict."""
    return [result.claim for result in results if result.verdict is not Verdict.NOT_RUN]


def how_many_false(false: Sequence[Claim], total: int | None) -> str:
    """'3 of 6 printed statements are false as they stand (2 of these in one reading of an ambiguous
    text)'; without *total* if it is None."""
    number = len(false) if total is None else total
    many = f"{len(false)}" if total is None else f"{len(false)} of {number}"
    ending = "is false as it stands" if 1 in (len(false), number) else "are false as they stand"
    return f"{many} printed statement{'' if number == 1 else 's'} {ending}{_as_read(false)}"


def _as_read(false: Sequence[Claim]) -> str:
    """How many of the *false* have more than one reading, in brackets; empty for none."""
    read = sum(claim.reading is Reading.AMBIGUOUS for claim in false)
    if not read:
        return ""
    many = "all" if read == len(false) else f"{read}"
    whose = "" if len(false) == 1 else f"{many} of these "
    return f" ({whose}in one reading of an ambiguous text)"


def without_check(idle: Mapping[str, int], judged: Collection[str]) -> str:
    """'9 of papers judged here, 111 of 2 others', *idle* the claims without a check by paper; empty
    unless both kinds of paper have some."""
    here = sum(many for paper, many in idle.items() if paper in judged)
    others = [many for paper, many in idle.items() if paper not in judged]
    if not here or not others:
        return ""
    whose = "another" if len(others) == 1 else f"{len(others)} others"
    return f"{here} of papers judged here, {sum(others)} of {whose}"


def in_each_paper(false: Sequence[Claim], total: Mapping[str, int]) -> str:
    """'91 of 260 in the one, 3 of 6 in the other'; empty for a single paper."""
    if len(total) < 2:
        return ""
    found = {paper: len(members) for paper, members in by_paper(false).items()}
    return ", ".join(f"{found.get(p, 0)} of {number} in {p}" for p, number in total.items())


def in_short(false: Sequence[Claim], total: Mapping[str, int]) -> str:
    """'94 of 266 printed statements are false as they stand: 91 of 260 in the one, ...'; *total* has the
    printed statements with a check by paper, none of it is known if it is empty."""
    words = how_many_false(false, sum(total.values()) if total else None)
    papers = in_each_paper(false, total)
    return f"{words}: {papers}" if papers else words


def what_they_break(false: Iterable[Claim]) -> str:
    """'12 bring a theorem, lemma or corollary down, 1 needs a word', gravest first."""
    found = Counter(claim.severity for claim in false)
    return ", ".join(
        f"{found[severity]} {one if found[severity] == 1 else many}"
        for severity, (one, many) in _BREAKS.items()
        if found[severity]
    )


def own_statements(results: Iterable[ClaimResult]) -> str:
    """'120 corrections and explicit forms of our own: 116 proved, 4 supported'; empty for none."""
    found = Counter[Verdict](
        result.verdict
        for result in results
        if result.verdict is not Verdict.NOT_RUN and result.claim.origin is not Origin.PRINTED
    )
    if not found:
        return ""
    words = ", ".join(f"{found[verdict]} {verdict}" for verdict in Verdict if found[verdict])
    if len(found) == 1:
        words = words.partition(" ")[2] if found.total() == 1 else f"all {words.partition(' ')[2]}"
    many = found.total()
    what = "correction or explicit form" if many == 1 else "corrections and explicit forms"
    return f"{many} {what} of our own: {words}"
