"""What ``verify power`` says: a line a claim, then the sum, the survivors and what was set aside."""

from __future__ import annotations

from collections.abc import Iterator

from verify.auditing.power import Power
from verify.claim import Claim
from verify.typeset.unicode_math import unicode_text

#: So many mutants that turned out to be true are named, with their proof.
_NAMED = 20


def claim_line(claim: Claim, found: Power) -> str:
    """What was found of one claim."""
    words = [f"{found.mutants} mutants, {found.killed} killed, {found.near} within a factor 2"]
    if found.set_aside:
        words.append(f"{len(found.set_aside)} set aside as true")
    if found.rejected:
        words.append(f"{found.rejected[0].mutant} is NOT accepted")
    elif claim.correction:
        words.append(f"the correction {claim.correction} is accepted")
    return f"{claim.id}: {', '.join(words)}"


def power_text(found: Power) -> Iterator[str]:
    """The sum, in lines."""
    if not found.mutants:
        yield "none of these claims has a check with mutants yet"
    yield (
        f"{found.killed} of {found.mutants} mutants killed "
        f"({found.refuted} refuted, {len(found.unproved)} no longer provable); "
        f"{found.near} are within a factor 2 of the truth"
    )
    for claim, mutant, why in found.unproved:
        reason = unicode_text(why) or "no reason is given"
        yield f"  no longer provable: {claim}: {mutant}; {reason}"
    if found.set_aside:
        yield f"{len(found.set_aside)} neighbours are true, hence no mutants:"
        for claim, mutant, proof in found.set_aside[:_NAMED]:
            yield f"  {claim}: {mutant}; {proof}"
        if len(found.set_aside) > _NAMED:
            yield f"  and {len(found.set_aside) - _NAMED} more (--json lists all)"
    if found.alone:
        yield f"{found.alone} of them were put to a proof alone, without the search for a counterexample"
    if found.believed:
        many = len({(it.claim, it.mutant) for it in found.believed})
        yield f"{many} have a proof that argues for them if no counterexample is looked for:"
        for it in found.believed[:_NAMED]:
            yield f"  {it.claim} ({it.verdict}): {it.mutant}"
        if len(found.believed) > _NAMED:
            yield f"  and {len(found.believed) - _NAMED} more (--json lists all)"
    if found.within:
        claims = dict.fromkeys(it.claim for it in found.within)
        named = list(claims)[:_NAMED]
        more = f" and {len(claims) - _NAMED} more" if len(claims) > _NAMED else ""
        yield f"{len(found.within)} are refuted within the proof itself: {', '.join(named)}{more}"
    for survivor in found.survivors:
        yield (
            f"survived: {survivor.claim} on {survivor.road} ({survivor.verdict}): {survivor.mutant}"
        )
    for rejected in found.rejected:
        yield (
            f"not accepted: the checks of {rejected.claim} on {rejected.road} say "
            f"{rejected.verdict} of {rejected.mutant}"
        )
    for one in found.blind:
        yield (
            f"blind: {one.mutant} of {one.claim} on {one.road}, said wrong, come out {one.verdict} "
            "and must be refuted"
        )
    for claim, reason in found.lost.items():
        yield f"not judged: {claim}: {reason}"
