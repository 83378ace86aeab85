"""Tables of facts from CSV and JSON Lines files: every row checked before any is used.

Serves Sec. 4.1 of arXiv 2412.06538: the dictionary of facts, from a file of one's own.
"""

import csv
import io
import json
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from numerics.checks import check_kind, file_content
from numerics.errors import InputError
from numerics.tasks.named import Fact, NamedTable, name_facts
from numerics.tasks.tables import NOT_A_FACT

COLUMNS = ("subject", "relation", "object")

_SHOWN = 10

# Control characters, halves of surrogate pairs, line and paragraph separators.
_UNSHOWN = ("Cc", "Cs", "Zl", "Zp")


@dataclass(frozen=True)
class _Row:
    """What one line of a file holds: the three fields as found, or why it cannot be used."""

    line: int
    fields: tuple[object, ...] = ()
    problem: str = ""


def read_table(path: str | Path, *, strict: bool = False, full: bool = False) -> NamedTable:
    """The facts of a UTF-8 file, one a row.

    `.csv`: a header with the columns subject, relation, object in any order, and no other;
    `.jsonl` or `.ndjson`: on each line an object with these three keys, its values strings.
    Empty lines are passed over. Blanks around a field are dropped, and letters with accents
    brought to one form (NFC), so that what looks alike is one name.

    strict: refuse objects shared by relations, and names in two roles, which are otherwise
    kept apart and reported (`NamedTable.shared`, `NamedTable.overlapping`). full: refuse a
    table where some subject and relation have no fact.

    Raises InputError that names each bad row by line and reason: nothing is read by halves.
    """
    check_kind("path", path, (str, Path), "a str or a Path")
    source = Path(path)
    readers = {".csv": _csv_rows, ".jsonl": _json_rows, ".ndjson": _json_rows}
    reader = readers.get(source.suffix.lower())
    if reader is None:
        raise InputError(
            f"{source} has the suffix {source.suffix!r}: pass a file that ends in "
            f"{', '.join(readers)}"
        )
    try:
        text = _decoded(source)
        if not text.strip():
            raise InputError("the file is empty: give it at least one fact")
        facts = _checked(list(reader(text)))
        named = name_facts(facts)
        if strict:
            _refuse_two_meanings(named)
        if full:
            _refuse_gaps(named)
    except InputError as error:
        raise InputError(f"{source}: {error}") from None
    return named


def _decoded(source: Path) -> str:
    try:
        content = file_content(source)
    except (OSError, ValueError) as error:  # a name with a null byte is a ValueError
        why = error.strerror if isinstance(error, OSError) else error
        raise InputError(
            f"the file cannot be read ({why}): pass a file that is there and readable"
        ) from None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"line {line}: byte 0x{content[error.start]:02x} is not UTF-8: save the file as UTF-8"
        ) from None


def _named_wrongly(found: Sequence[str]) -> str:
    """What is wrong with these names of columns or keys; empty if nothing is."""
    for separator in (";", "\t"):
        if len(found) == 1 and separator in found[0]:
            return f"the separator is not a comma but {separator!r}"
    reasons = [f"no {name}" for name in COLUMNS if name not in found]
    for name in dict.fromkeys(found):
        if name not in COLUMNS:
            small = f", write {name.lower()}" if name.lower() in COLUMNS else ""
            reasons.append(f"{name!r} is unknown{small}")
    reasons += [f"{name} twice" for name in COLUMNS if found.count(name) > 1]
    return ", ".join(reasons)


def _csv_rows(text: str) -> Iterator[_Row]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] = []
    line = 1
    try:
        for fields in reader:
            here, line = line, reader.line_num + 1
            if not fields:
                continue
            if not header:
                header = [name.strip() for name in fields]
                reason = _named_wrongly(header)
                if reason:
                    raise InputError(
                        f"line {here}: the header is wrong ({reason}): "
                        f"give it the columns {', '.join(COLUMNS)}"
                    )
            elif len(fields) != len(COLUMNS):
                yield _Row(here, problem=f"fields: {len(fields)}, where the header has 3")
            else:
                yield _Row(here, tuple(fields[header.index(name)] for name in COLUMNS))
    except csv.Error as error:
        # What follows a quote out of place cannot be told into rows.
        what = str(error)
        if what == "unexpected end of data":
            what = "a quote opens here and is not closed"
        yield _Row(line, problem=f"{what}, and the rest was not looked at")


def _json_rows(text: str) -> Iterator[_Row]:
    for line, content in enumerate(text.split("\n"), start=1):
        if not content.strip():
            continue
        try:
            pairs = json.loads(content, object_pairs_hook=list)
        except json.JSONDecodeError as error:
            yield _Row(line, problem=f"not JSON ({error.msg}, column {error.colno})")
            continue
        except (ValueError, RecursionError):
            yield _Row(line, problem="JSON with a number too long or too many brackets")
            continue
        # A JSON array is a list too: only an object starts with a brace.
        if not content.lstrip().startswith("{"):
            yield _Row(line, problem="not an object with the keys " + ", ".join(COLUMNS))
            continue
        reason = _named_wrongly([key for key, _ in pairs])
        if reason:
            yield _Row(line, problem=f"wrong keys ({reason})")
        else:
            values = dict(pairs)
            yield _Row(line, tuple(values[name] for name in COLUMNS))


def _cleaned(row: _Row) -> tuple[list[str], list[str]]:
    """The fields of a row as names, and what is wrong with them."""
    names: list[str] = []
    problems: list[str] = []
    for column, value in zip(COLUMNS, row.fields, strict=True):
        if not isinstance(value, str):
            problems.append(f"{column} is no string")
            continue
        name = unicodedata.normalize("NFC", value).strip()
        if not name:
            problems.append(f"{column} is blank")
        elif any(unicodedata.category(letter) in _UNSHOWN for letter in name):
            problems.append(f"{column} = {name!a} holds a character that cannot be shown")
        names.append(name)
    return names, problems


def _checked(rows: Sequence[_Row]) -> list[Fact]:
    """The facts of the rows; InputError that lists every row which cannot be used."""
    problems: list[str] = []
    seen: dict[tuple[str, str], tuple[int, str]] = {}
    for row in rows:
        if row.problem:
            problems.append(f"line {row.line}: {row.problem}")
            continue
        names, wrong = _cleaned(row)
        if wrong:
            problems.append(f"line {row.line}: {', '.join(wrong)}")
            continue
        subject, relation, thing = names
        first, other = seen.setdefault((subject, relation), (row.line, thing))
        if first != row.line:
            said = "the same" if other == thing else f"{other!r}, not {thing!r}"
            problems.append(
                f"line {row.line}: {subject!r} and {relation!r} stand on line {first} already, "
                f"with {said}"
            )
    if problems:
        listed = problems[:_SHOWN]
        if len(problems) > _SHOWN:
            listed.append(f"and {len(problems) - _SHOWN} rows more")
        raise InputError("; ".join(listed) + ": nothing was read, correct or remove these rows")
    if not seen:
        raise InputError("the file holds no fact: give it at least one row")
    return [(subject, relation, thing) for (subject, relation), (_, thing) in seen.items()]


def _refuse_two_meanings(named: NamedTable) -> None:
    if named.shared:
        thing, relations = next(iter(named.shared.items()))
        raise InputError(
            f"the object {thing!r} is shared by the relations {', '.join(relations)}, against "
            "Assumption 1: rename it in one of them, or read with strict=False to keep them apart"
        )
    if named.overlapping:
        raise InputError(
            f"{named.overlapping[0]!r} is a name in two roles (subject, relation or object): "
            "rename one, or read with strict=False, where roles have tokens of their own"
        )


def _refuse_gaps(named: NamedTable) -> None:
    gaps = torch.nonzero(named.table.answers == NOT_A_FACT)
    if len(gaps):
        s, r = gaps[0].tolist()
        raise InputError(
            f"{len(gaps)} pairs have no fact, the first {named.subjects[s]!r} and "
            f"{named.relations[r]!r}: add them, or read with full=False"
        )
