"""The catalogue: a folder a paper; in it, a section's statements (.toml) beside its checks (.py).

Statements are data; a module of checks collects them in its ``section``. The manifest lists
every id, so that a catalogue that has lost a claim fails instead of passing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import msgspec

from verify.claim import Claim, Mutant, Reading, Registry, Severity
from verify.errors import CatalogueError
from verify.printed.formula import Formula
from verify.verdict import Verdict


class _MutantData(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    formulas: dict[str, str]
    why: str = ""


class _ClaimData(msgspec.Struct, forbid_unknown_fields=True):
    """One table of a statement file."""

    id: str
    title: str
    where: str
    kind: str
    tier: int
    statement: str
    hypotheses: list[str] = []
    uses: list[str] = []
    printed_uses: list[str] = []
    formulas: dict[str, str] = {}
    slip: list[str] = []
    mutants: list[_MutantData] = []
    faults: list[str] = []
    recorded: Verdict | None = None
    reading: Reading = Reading.AS_PRINTED
    reading_note: str = ""
    correction: str | None = None
    severity: Severity | None = None
    consequence: str = ""
    by_hand: list[str] = []


class _File(msgspec.Struct, forbid_unknown_fields=True):
    claim: list[_ClaimData]


class Numbered(msgspec.Struct, forbid_unknown_fields=True):
    """A numbered result: the claims that state it; what is right in a line where one of them is false,
    and how it is proved that holds, if not in the paper's way."""

    name: str
    statements: list[str]
    holds: str = ""
    proof: str = ""


class Paper(msgspec.Struct, forbid_unknown_fields=True):
    """A source: title, authors, where it is to be found, and its sections in the catalogue.

    *order* says from which other parts (lemmas, theorems) the text draws a part, right or wrong.
    *results* are its numbered results as far as they are in the catalogue, *message* says what becomes
    of the whole where all of these fare as recorded.
    """

    title: str
    authors: str
    where: str
    sections: list[str]
    order: dict[str, list[str]] = {}
    results: list[Numbered] = []
    message: str = ""


def papers() -> dict[str, Paper]:
    """The sources by the first part of a claim's id."""
    text = (files("verify.papers") / "papers.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, Paper])


def printed_order() -> dict[str, tuple[str, ...]]:
    """From what the papers draw their parts: 'nichani.thm6' from 'nichani.lem5' and 'nichani.lem6'."""
    return {
        f"{name}.{part}": tuple(f"{name}.{other}" for other in others)
        for name, paper in papers().items()
        for part, others in paper.order.items()
    }


def validate_order(order: Mapping[str, Sequence[str]], ids: Iterable[str]) -> None:
    """Raise CatalogueError if a part holds none of *ids*, names a part twice or rests on itself."""
    known = {".".join(id_.removesuffix(".corrected").split(".")[:2]) for id_ in ids}
    for part, others in order.items():
        for name in (part, *others):
            if name not in known:
                raise CatalogueError(
                    f"papers.toml: the order of {part} names {name}, of which the catalogue has no claim"
                )
        if len(set(others)) < len(others):
            raise CatalogueError(f"papers.toml: the order of {part} names a part twice")
    try:
        TopologicalSorter(order).prepare()
    except CycleError as error:
        raise CatalogueError(f"papers.toml: parts rest on each other: {error.args[1]}") from None


def validate_results(results: Iterable[Numbered], registry: Registry) -> None:
    """Raise CatalogueError if a result has no statement or one that no paper prints, or if it does not
    say what is right though one is recorded as refuted."""
    for result in results:
        if not result.statements:
            raise CatalogueError(f"papers.toml: {result.name} has no statement")
        for id_ in result.statements:
            if id_ not in registry or not registry.printed(registry[id_]):
                raise CatalogueError(
                    f"papers.toml: {result.name} names {id_}, which is no printed statement"
                )
        false = any(registry[id_].recorded is Verdict.REFUTED for id_ in result.statements)
        if false is not bool(result.holds):
            what = (
                "does not say what holds" if false else "says what holds instead, yet none is false"
            )
            raise CatalogueError(f"papers.toml: {result.name} {what}")


def manifest() -> list[str]:
    """The ids that the catalogue must hold."""
    text = (files("verify.papers") / "manifest.txt").read_text(encoding="utf-8")
    return text.split()


def missing(registry: Registry) -> list[str]:
    """Ids of the manifest that *registry* does not hold."""
    return [id_ for id_ in manifest() if id_ not in registry]


def register(registry: Registry) -> None:
    """Add all statements of the papers, then all checks."""
    sections = [
        (name, paper, section) for name, paper in papers().items() for section in paper.sections
    ]
    for name, paper, section in sections:
        for claim in read_statements(
            files("verify.papers") / name / f"{section}.toml", paper=paper.title
        ):
            registry.add(claim)
    validate_order(printed_order(), (claim.id for claim in registry))
    for paper in papers().values():
        validate_results(paper.results, registry)
    for name, _, section in sections:
        if (files("verify.papers") / name / f"{section}.py").is_file():
            import_module(f"verify.papers.{name}.{section}").section.register(registry)


def read_statements(source: Traversable, *, paper: str) -> list[Claim]:
    """The claims of one statement file. Raises CatalogueError that names the file and the fault."""
    try:
        data = msgspec.convert(tomllib.loads(source.read_text(encoding="utf-8")), _File)
        return [_claim(entry, paper) for entry in data.claim]
    except (msgspec.ValidationError, tomllib.TOMLDecodeError, ValueError) as error:
        raise CatalogueError(f"{source.name}: {error}") from None


def _with_formulas(text: str, formulas: dict[str, Formula]) -> str:
    """The statement with every @name@ replaced by the LaTeX of that formula.

    In @name*@ the formula is a factor of what follows, in ^{@name@} an exponent: 1 is left out there.
    """

    def latex(match: re.Match[str]) -> str:
        name = match["exponent"] or match["name"]
        if name not in formulas:
            raise ValueError(f"the statement speaks of @{name}@, which is no formula of the claim")
        found = formulas[name].latex()
        if match["exponent"]:
            return "" if found == "1" else f"^{{{found}}}"
        if match["factor"]:
            return "" if found == "1" else rf"{found} \, "
        return found

    return re.sub(r"\^\{@(?P<exponent>\w+)@\}|@(?P<name>\w+)(?P<factor>\*?)@", latex, text)


def _claim(data: _ClaimData, paper: str) -> Claim:
    def formulas(texts: dict[str, str]) -> dict[str, Formula]:
        return {name: Formula.parse(text) for name, text in texts.items()}

    same_names = (
        "id",
        "title",
        "where",
        "kind",
        "tier",
        "recorded",
        "reading",
        "reading_note",
        "correction",
        "severity",
        "consequence",
    )
    fields: dict[str, Any] = {name: getattr(data, name) for name in same_names}
    printed = formulas(data.formulas)
    return Claim(
        paper=paper,
        statement=_with_formulas(data.statement, printed),
        hypotheses=tuple(data.hypotheses),
        by_hand=tuple(data.by_hand),
        uses=tuple(data.uses),
        printed_uses=tuple(data.printed_uses),
        faults=tuple(data.faults),
        formulas=printed,
        slip=tuple(data.slip),
        wrong=tuple(Mutant(m.name, formulas(m.formulas), why=m.why) for m in data.mutants),
        **fields,
    )
