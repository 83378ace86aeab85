"""What a proof is made of, in digests: statement, lines, their regions and rules, what it takes on
trust.

A verdict says whether a proof came out, not which one. A record tells two proofs apart, so that a line
that went, a region that moved or a rule that is another does not pass for the same proof.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

import msgspec

from verify.claim import Evidence, Road
from verify.records import PROGRAM, texts
from verify.running.runner import ClaimResult
from verify.typeset.encoding import plain
from verify.verdict import Verdict

#: Hexadecimal digits by which a line is known among those of its proof, and all of a proof.
_LINE, _WHOLE = 4, 16
#: What precision and libraries may change of a number: the radius of a ball, digits beyond these.
_RADIUS = re.compile(r"\s*\+/- [-+.\w]+")
_DECIMAL = re.compile(r"\d+\.\d+(?:e[-+]?\d+)?")
_DIGITS = 3
#: The region of a line: where an argument decided a sign, and where a theorem of the kernel holds.
_REGION = re.compile(r"^for ([^:]*): |, for ([^\[]*)(?=   \[)")
#: By what a line holds: words, and for a theorem the lines that it follows from.
_RULE = re.compile(r"   \[([A-Za-z_ ]*)")
_FROM = re.compile(r" of \d[\d, ]*\]$")


class ProofRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Digests of a proof. *lines*, *trust* and *program* have some digits for each line, for each thing
    taken on trust and for each line that speaks of the program beside; *regions* and *rules* are of all
    of them, *statement* of what the claim says with its hypotheses, and *digest* of everything."""

    lines: str
    regions: str
    rules: str
    trust: str
    digest: str
    program: str = ""
    statement: str = ""

    @property
    def size(self) -> tuple[int, int]:
        """How many lines there are, and how many things are taken on trust."""
        return len(self.lines) // _LINE, len(self.trust) // _LINE


def proof_record(result: ClaimResult) -> ProofRecord | None:
    """The record of a claim's proof; None if it has none, or if one did not come to its end."""
    proofs = [item for item in result.evidence if item.road is Road.PROOFS]
    broke = (Verdict.ERROR, Verdict.CONFLICT)
    if not proofs or any(item.timed_out or item.verdict in broke for item in proofs):
        return None
    return _recorded(proofs, result.claim.digest)


def _recorded(proofs: Sequence[Evidence], statement: str) -> ProofRecord:
    lines = [_stable(line) for item in proofs for line in _lines(item)]
    trust = [_stable(text) for item in proofs for text in item.assumptions]
    regions = [_stable(item.scope) for item in proofs]
    regions += ["".join(filter(None, m.groups())) for it in lines if (m := _REGION.search(it))]
    program = [_stable(it) for item in proofs for it in texts(item.detail.get(PROGRAM))]
    rules = [found[1].strip() for line in lines if (found := _RULE.search(line))]
    return ProofRecord(
        "".join(_digest([_FROM.sub("]", line)], _LINE) for line in lines),
        _digest(regions, _WHOLE // 2),
        _digest(rules, _WHOLE // 2),
        "".join(_digest([text], _LINE) for text in trust),
        _digest([*lines, "", *regions, "", *trust, "", *program, "", statement], _WHOLE),
        "".join(_digest([line], _LINE) for line in program),
        _digest([statement], _WHOLE // 2),
    )


def _lines(evidence: Evidence) -> Iterable[str]:
    yield from evidence.steps
    if evidence.counterexample is not None:
        yield f"fails at {json.dumps(plain(evidence.counterexample), sort_keys=True)}"


def _stable(text: str) -> str:
    """A line without what may differ from machine to machine."""
    return _DECIMAL.sub(lambda it: f"{float(it[0]):.{_DIGITS}g}", _RADIUS.sub("", text))


def _digest(texts: Iterable[str], digits: int) -> str:
    data = "\0".join(texts).encode("utf-8", "backslashreplace")
    return hashlib.blake2b(data, digest_size=16).hexdigest()[:digits]


def differences(before: ProofRecord, after: ProofRecord) -> list[tuple[str, str]]:
    """What is another in a proof, with which and how many: lines, regions, rules, trust, lines of the
    program, the statement."""
    if before.digest == after.digest:
        return []
    found = [
        ("lines", _which(before.lines, after.lines)),
        ("regions", "others" if before.regions != after.regions else ""),
        ("rules", "others" if before.rules != after.rules else ""),
        ("trust", _which(before.trust, after.trust)),
        ("program", _which(before.program, after.program)),
        ("statement", _another(before.statement, after.statement)),
    ]
    return [(name, words) for name, words in found if words] or [("lines", "order or premises")]


def _another(before: str, after: str) -> str:
    """Another, where both are known; what an older file does not say is not compared."""
    return "another" if before and before != after else ""


def _which(before: str, after: str) -> str:
    """'3 -> 2 (gone: 2)', '3 -> 3 (gone: 2; new: 2)', by their numbers; empty if there is no change."""
    old, new = _apart(before), _apart(after)
    gone: list[int] = []
    come: list[int] = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            gone += range(a + 1, b + 1)
            come += range(c + 1, d + 1)
    if not gone and not come:
        return ""
    named = [f"{word}: {_ranges(them)}" for word, them in (("gone", gone), ("new", come)) if them]
    return f"{len(old)} -> {len(new)} ({'; '.join(named)})"


def _apart(digests: str) -> list[str]:
    return [digests[i : i + _LINE] for i in range(0, len(digests), _LINE)]


def _ranges(numbers: Sequence[int]) -> str:
    """'2, 5-7'."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] + 1 == number:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    return ", ".join("-".join(map(str, run)) for run in runs)
