"""What ``verify power --proofs`` says: a line a stratum, then what survived and how it reads."""

from __future__ import annotations

from collections.abc import Iterator

from verify.auditing.programs import Found, Programs
from verify.auditing.strata import BESIDE, DEMANDED, GUARDED

#: So much of a changed line is shown.
_WIDTH = 160


def stratum_line(found: Found) -> str:
    """How many mutants of a stratum are noticed, and what is demanded."""
    words = [f"{found.noticed} of {found.judged} mutants noticed"]
    if found.otherwise:
        words.append(f"{found.otherwise} give the same theorem by another proof")
    if found.judged < found.all:
        words.append(f"of {found.all} in all, at least {found.least:.1%} with 95 % confidence")
    short = "" if found.ok else f"; {DEMANDED[found.stratum]:.0%} is DEMANDED"
    return f"{found.stratum}: {', '.join(words)}{short}"


def programs_text(found: Programs) -> Iterator[str]:
    """The strata, in lines."""
    if found.interrupted:
        yield "Interrupted: what is known by then."
    yield f"{len(found.claims)} claims are carried over: {', '.join(found.claims)}"
    for one in found.strata:
        yield stratum_line(one)
        for way, count in one.ways.most_common():
            yield f"  {count}: {way}"
        for mutant in one.survived:
            text = str(mutant)
            yield f"  survived: {text[:_WIDTH]}{'...' if len(text) > _WIDTH else ''}"
    same = sum(found.left.exempt.values())
    yield f"not counted: {same} changes that do the same, each with its reason (exempt.py)"
    yield f"not counted: {found.left.guarded} changes of guards: {GUARDED}"
    for module, reason in BESIDE.items():
        yield f"not counted: {module}: {reason}"
    for module in found.left.unplaced:
        yield f"in no stratum: {module}, which the proofs run; add it (verify/auditing/strata.py)"
    for rule in found.untried:
        yield f"untried: nothing false is tried of the rule {rule}; add a case (proofs.kernel.cases)"
