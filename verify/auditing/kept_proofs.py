"""Which proofs a paper has on record: how many lines each has, what it takes on trust, a digest.

They stand in ``proofs.json`` beside the index; ``verify run --record`` writes them, nobody types them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from verify.auditing.proof_record import ProofRecord, proof_record
from verify.catalogue.folder import folder
from verify.claim import Registry, Road
from verify.errors import CatalogueError
from verify.printed.paper import Paper
from verify.running.runner import RunResult

#: The name of the file in the folder of a paper.
PROOFS = "proofs.json"


class KeptProof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A proof as it was when it was recorded."""

    lines: int
    trust: int
    digest: str

    @classmethod
    def of(cls, record: ProofRecord) -> KeptProof:
        """What is kept of a record."""
        return cls(*record.size, record.digest)

    def __str__(self) -> str:
        return f"{self.lines} lines, {self.trust} on trust"


def proofs_path(paper: Paper) -> Path:
    """Where the proofs of a paper are recorded, or would be."""
    return folder(paper.package) / PROOFS


def read_proofs(paper: Paper) -> dict[str, KeptProof] | None:
    """The proofs on record by claim; None if the paper keeps none.

    Raises CatalogueError for a broken file.
    """
    try:
        data = proofs_path(paper).read_bytes()
    except FileNotFoundError:
        return None
    try:
        return msgspec.json.decode(data, type=dict[str, KeptProof])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CatalogueError(
            f"{paper.package}/{PROOFS} is no record of proofs ({error}); restore it, or remove it and "
            "write it anew with `verify run --record`"
        ) from None


def proof_records(run: RunResult) -> dict[str, ProofRecord | None]:
    """The proofs of a run by claim, None where a claim has none; but those that came to no end."""
    if Road.PROOFS not in run.settings.roads:
        return {}
    found = {}
    for result in run.results:
        record = proof_record(result)
        if record is not None or all(item.road is not Road.PROOFS for item in result.evidence):
            found[result.claim.id] = record
    return found


def other_proofs(registry: Registry, found: Mapping[str, ProofRecord | None]) -> dict[str, str]:
    """The claims of which the proof *found* is not the one on record, each with how it differs."""
    others: dict[str, str] = {}
    kept: dict[str, dict[str, KeptProof] | None] = {}
    for id_, record in found.items():
        paper = registry.paper_of(id_)
        if paper is None or not paper.package:
            continue
        if paper.name not in kept:
            with registry.blamed(paper.name):
                kept[paper.name] = read_proofs(paper)
        known = kept[paper.name]
        if known is None:
            continue
        before = known.get(id_)
        if record is None:
            if before is not None:
                others[id_] = f"none, recorded {before}"
            continue
        now = KeptProof.of(record)
        if before is None:
            others[id_] = f"{now}; none is recorded"
        elif before != now:
            alike = (before.lines, before.trust) == (now.lines, now.trust)
            others[id_] = f"{now}, {'but others than recorded' if alike else f'recorded {before}'}"
    return others


def with_proofs(paper: Paper, registry: Registry, found: Mapping[str, ProofRecord]) -> bytes:
    """The content of a paper's file with the proofs *found* in the place of older ones, in the order of
    the catalogue; a proof of a claim that is no more is left out."""
    kept = dict(read_proofs(paper) or {})
    kept.update((id_, KeptProof.of(record)) for id_, record in found.items())
    own = [e.id for e in registry.entries() if registry.paper_of(e.id) is paper and e.id in kept]
    rows = (f'"{id_}": {msgspec.json.encode(kept[id_]).decode()}' for id_ in own)
    return ("{\n" + ",\n".join(rows) + "\n}\n").encode()
