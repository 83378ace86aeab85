"""What an id may be made of, and how deep the LaTeX beside it may nest."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from verify.errors import CatalogueError

#: An id is no longer, so that it can be the name of a file.
_LONGEST = 200
#: Brackets of LaTeX nest no deeper.
_DEEPEST = 60
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*")
_ID = re.compile(rf"{_PART.pattern}(\.{_PART.pattern})*")
_FORM = "letters, digits, - and _"


def require_id(id_: str) -> None:
    """Raise CatalogueError for an id that is not made of parts, of letters, digits, - and _, with dots
    between: what cannot be seen, or what a glob or a path is made of, could not be asked for."""
    if _ID.fullmatch(id_) and len(id_) <= _LONGEST:
        return
    raise CatalogueError(
        f"{_shown(id_)}: this id {_fault(id_)}; take parts of {_FORM} with a dot between them, such as "
        "'paper.thm1.mean'"
    )


def require_name(field: str, name: str) -> None:
    """Raise CatalogueError for a *name* that could not be one part of an id."""
    if not _PART.fullmatch(name) or len(name) > _LONGEST:
        fault = "holds a dot" if "." in name else _fault(name)
        raise CatalogueError(f"{field}: {_shown(name)} {fault}; take one word of {_FORM}")


def _shown(id_: str) -> str:
    """An id in an error: characters that mislead by their number, and its beginning where it is long."""
    return ascii(id_ if len(id_) <= _LONGEST else f"{id_[:40]}...")


def _fault(id_: str) -> str:
    """What is wrong with an id, or with a part of one."""
    if not id_:
        return "is empty"
    if len(id_) > _LONGEST:
        return f"has {len(id_)} characters, at most {_LONGEST} are taken"
    for sign in id_:
        if sign != "." and not _PART.fullmatch(f"a{sign}"):
            named = f" ({name})" if (name := unicodedata.name(sign, "")) else ""
            return f"holds U+{ord(sign):04X}{named}"
    return "has a part that is empty or begins with -"


def require_shallow(texts: Iterable[str]) -> None:
    """Raise CatalogueError for LaTeX whose brackets nest so deep that nothing can set it."""
    for text in texts:
        depth = 0
        for sign in re.findall(r"(?<!\\)[{}]", text):
            depth += 1 if sign == "{" else -1
            if depth > _DEEPEST:
                raise CatalogueError(
                    f"the brackets of {text[:40]!r}... nest more than {_DEEPEST} deep; say it otherwise"
                )
