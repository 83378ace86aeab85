"""Statement files: claims as data, in TOML, read to what the registry holds."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from typing import Any

import msgspec

from verify.claim import Claim, Mutant, Origin, Reading, Severity
from verify.claim.sound import KINDS, TIERS, require_sound, unknown
from verify.errors import CatalogueError
from verify.printed.formula import Formula
from verify.verdict import Verdict

#: What stands for a hypothesis that the paper's ``hypotheses.toml`` has; anything else is typed in full.
_NAME = re.compile(r"[a-z][a-z0-9-]*")


#: The fields of a claim whose values are a closed list.
_CLOSED: Mapping[str, tuple[object, ...]] = {
    "kind": KINDS,
    "tier": TIERS,
    "origin": tuple(Origin),
    "recorded": tuple(Verdict),
    "reading": tuple(Reading),
    "severity": tuple(Severity),
}


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
    origin: Origin = Origin.PRINTED
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


def read_statements(
    source: Traversable, *, paper: str, hypotheses: Mapping[str, str] | None = None
) -> list[Claim]:
    """The claims of one statement file; *paper* is the title, *hypotheses* are those of the paper by
    name, None if all are typed in full. Raises CatalogueError that names the file and the fault."""
    try:
        table = tomllib.loads(source.read_text(encoding="utf-8"))
        _require_known(table.get("claim"))
        data = msgspec.convert(table, _File)
        found = []
        for entry in data.claim:
            try:
                found.append(_claim(entry, paper, hypotheses))
            except CatalogueError:
                raise
            except ValueError as error:
                raise CatalogueError(f"{entry.id}: {error}") from None
        return found
    except RecursionError:
        raise CatalogueError(f"{source.name}: it nests too deep to be read") from None
    except ValueError as error:  # those of msgspec and of tomllib among them
        raise CatalogueError(f"{source.name}: {error}") from None


def _require_known(claims: object) -> None:
    """Raise CatalogueError, which begins with the id, for a value that is not in a closed list."""
    for claim in claims if isinstance(claims, list) else []:
        for field, known in _CLOSED.items() if isinstance(claim, dict) else []:
            if field in claim and claim[field] not in known:
                raise CatalogueError(unknown(str(claim.get("id")), field, claim[field], known))


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


def _hypothesis(name: str, known: Mapping[str, str] | None) -> str:
    """What *name* stands for, or the text itself where it is no name."""
    if known is None:
        return name
    if name in known or not _NAME.fullmatch(name):
        return known.get(name, name)
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}" if near else "add it"
    raise ValueError(f"hypotheses: {name!r} is not in the paper's hypotheses.toml; {hint}")


def _claim(data: _ClaimData, paper: str, hypotheses: Mapping[str, str] | None) -> Claim:
    def formulas(texts: dict[str, str]) -> dict[str, Formula]:
        return {name: Formula.parse(text) for name, text in texts.items()}

    same_names = (
        "id",
        "title",
        "where",
        "kind",
        "tier",
        "origin",
        "recorded",
        "reading",
        "reading_note",
        "correction",
        "severity",
        "consequence",
    )
    fields: dict[str, Any] = {name: getattr(data, name) for name in same_names}
    printed = formulas(data.formulas)
    claim = Claim(
        paper=paper,
        statement=_with_formulas(data.statement, printed),
        hypotheses=tuple(_hypothesis(name, hypotheses) for name in data.hypotheses),
        by_hand=tuple(data.by_hand),
        uses=tuple(data.uses),
        printed_uses=tuple(data.printed_uses),
        faults=tuple(data.faults),
        formulas=printed,
        slip=tuple(data.slip),
        wrong=tuple(Mutant(m.name, formulas(m.formulas), why=m.why) for m in data.mutants),
        **fields,
    )
    require_sound(claim)
    return claim
