"""Which sources this is computed with."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path


@cache
def sources() -> str:
    """A digest of the sources and statements; evidence of other sources is not taken over."""
    digest = hashlib.blake2b(digest_size=8)
    for package in ("proofs", "numerics", "verify"):
        root = _folder(package)
        for path in sorted(p for p in root.rglob("*") if p.suffix in (".py", ".toml")):
            digest.update(str(path.relative_to(root)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _folder(package: str) -> Path:
    """Where a package lies; it is not imported, as one of them takes seconds."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent
