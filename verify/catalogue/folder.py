"""The folder of a paper: ``paper.toml``, the hypotheses by name, statements beside their checks."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from verify.errors import CatalogueError
from verify.printed.paper import Paper


@cache
def folder(package: str) -> Path:
    """Where an importable folder lies; it is not imported. Raises CatalogueError if there is none."""
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        spec = None
    if spec is None or not spec.submodule_search_locations:
        raise CatalogueError(
            f"package: {package!r} is no importable folder; name the one of the paper"
        )
    return Path(next(iter(spec.submodule_search_locations)))


def read_paper(package: str) -> Paper:
    """The paper in the importable folder *package*, from its ``paper.toml``.

    Its name is that of the folder unless the file has another. Raises CatalogueError that names the
    file and the fault.
    """
    if not isinstance(package, str):
        raise CatalogueError(
            f"package: {package!r} is no importable folder; name the one of the paper, such as "
            "__package__"
        )
    data = {"name": package.rpartition(".")[2], "package": package, **_table(package, "paper.toml")}
    try:
        return msgspec.convert(data, Paper)
    except msgspec.ValidationError as error:
        raise CatalogueError(f"{package}/paper.toml: {error}") from None


@cache
def hypotheses(package: str) -> dict[str, str]:
    """The hypotheses that the claims of a paper refer to, by name; none without ``hypotheses.toml``."""
    if not (folder(package) / "hypotheses.toml").is_file():
        return {}
    try:
        return msgspec.convert(_table(package, "hypotheses.toml"), dict[str, str])
    except msgspec.ValidationError as error:
        raise CatalogueError(f"{package}/hypotheses.toml: {error}") from None


def _table(package: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads((folder(package) / name).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise CatalogueError(
            f"{package}: there is no {name}; a paper is a folder with one"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CatalogueError(f"{package}/{name}: {error}") from None
    except RecursionError:
        raise CatalogueError(f"{package}/{name}: it nests too deep to be read") from None
