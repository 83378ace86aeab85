"""Sections on disk: what stands in an index is not read again while the files are as they were."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path

import msgspec

from verify.catalogue.folder import folder, hypotheses
from verify.catalogue.statements import read_statements
from verify.claim import Claim, Entry, Origin, Registry, Shelf
from verify.errors import CatalogueError
from verify.printed.paper import Paper

#: The name of the index in the folder of a paper.
INDEX = "index.json"


class Indexed(msgspec.Struct, frozen=True):
    """A section as it was when the index was made: a digest of its files, and its claims."""

    section: str
    digest: str
    claims: tuple[Entry, ...]


def read_index(paper: Paper) -> dict[str, Indexed]:
    """The index of a paper by section; empty if it has none. Raises CatalogueError for a broken one."""
    try:
        data = index_path(paper).read_bytes()
    except FileNotFoundError:
        return {}
    try:
        found = msgspec.json.decode(data, type=list[Indexed])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CatalogueError(
            f"{paper.package}/{INDEX} is no index ({error}); restore it, or remove it and write it "
            f"anew with `verify index {paper.name}`"
        ) from None
    return {section.section: section for section in found}


class Section(Shelf):
    """The files of a section: the statements, and the checks beside them if it has any."""

    def __init__(self, paper: Paper, section: str, indexed: Indexed | None) -> None:
        self._paper, self._section, self._indexed = paper, section, indexed
        statements, checks = f"{section}.toml", f"{section}.py"
        self._statements = folder(paper.package) / statements
        self._checks = folder(paper.package) / checks
        if not self._statements.is_file():
            raise CatalogueError(
                f"{paper.package}: the section {section!r} of paper.toml has no file {statements}"
            )

    @property
    def name(self) -> str:
        """The folder of the paper and the section."""
        return f"{self._paper.package}.{self._section}"

    @cached_property
    def digest(self) -> str:
        """Of the statements and of the checks."""
        digest = hashlib.blake2b(self._statements.read_bytes(), digest_size=12)
        if self._checks.is_file():
            digest.update(self._checks.read_bytes())
        return digest.hexdigest()

    @cached_property
    def _known(self) -> Sequence[Entry] | None:
        """What the index has; None if the files are no longer what was indexed."""
        if self._indexed is None or self._indexed.digest != self.digest:
            return None
        title = self._paper.title
        return [msgspec.structs.replace(entry, paper=title) for entry in self._indexed.claims]

    @cached_property
    def entries(self) -> Sequence[Entry]:
        """From the index, or from the statements where it does not know them."""
        if self._known is not None:
            return self._known
        return [claim.entry for claim in self.claims()]

    def claims(self) -> Sequence[Claim]:
        """The statements, read. Raises CatalogueError if the index has others for these files."""
        known = hypotheses(self._paper.package)
        found = read_statements(self._statements, paper=self._paper.title, hypotheses=known)
        if self._known is not None:
            read = [claim.entry for claim in found]
            other = {e.id for e in set(read) ^ set(map(_without_counts, self._known))}
            if other:
                raise CatalogueError(
                    f"{self.name}: the index has not what the statements say of "
                    f"{', '.join(sorted(other))}; restore {INDEX}, or remove it and write it anew "
                    f"with `verify index {self._paper.name}`"
                )
        return found

    def register(self, registry: Registry) -> None:
        """Import the checks, and add them. Raises CatalogueError if that cannot be."""
        if not self._checks.is_file():
            return
        try:
            section = import_module(self.name).section
        except (Exception, SystemExit) as error:
            raise CatalogueError(
                f"{self.name}: these checks cannot be imported: {type(error).__name__}: {error}"
            ) from error
        section.register(registry)


def _without_counts(entry: Entry) -> Entry:
    return msgspec.structs.replace(entry, mutants=None, shares=None, roads=None, digest="")


def sections(paper: Paper) -> list[Section]:
    """The sections of a paper that lies in a folder, in their order."""
    if len(set(paper.sections)) < len(paper.sections):
        raise CatalogueError(f"{paper.package}/paper.toml: sections names one twice")
    known = read_index(paper)
    return [Section(paper, name, known.get(name)) for name in paper.sections]


def lost(registry: Registry) -> list[str]:
    """Claims that stand in an index and are no longer in the catalogue."""
    return [
        entry.id
        for paper in registry.papers.values()
        if paper.package
        for section in read_index(paper).values()
        for entry in section.claims
        if entry.id not in registry
    ]


def index(paper: Paper, registry: Registry) -> bytes:
    """The content of a paper's index, a line a claim: all statements read, all checks asked."""
    written = []
    for section in sections(paper):
        rows = ",\n".join(_counted(claim, registry) for claim in section.claims())
        name = section.name.rpartition(".")[2]
        written.append(
            f'{{"section": "{name}", "digest": "{section.digest}", "claims": [\n{rows}\n]}}'
        )
    return ("[\n" + ",\n".join(written) + "\n]\n").encode()


def _counted(claim: Claim, registry: Registry) -> str:
    checks = registry.checks(claim.id)
    entry = msgspec.structs.replace(
        claim.entry,
        paper="",
        mutants=len(registry.mutants(claim.id)),
        shares=sum(check.shares for check in checks),
        roads=tuple(sorted({check.road for check in checks})),
        digest=claim.digest,
    )
    return msgspec.json.encode(entry).decode("utf-8")


def restated(paper: Paper, registry: Registry) -> list[str]:
    """The printed claims of which the index knows another statement than there is now."""
    known = (entry for section in read_index(paper).values() for entry in section.claims)
    return [
        entry.id
        for entry in known
        if entry.origin is Origin.PRINTED
        and entry.id in registry
        and entry.digest not in ("", registry[entry.id].digest)
    ]


def index_path(paper: Paper) -> Path:
    """Where the index of a paper lies, or would lie."""
    return folder(paper.package) / INDEX
