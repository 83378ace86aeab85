"""Measurements that are under way, on disk, so that an interrupt loses a few seconds at most.

One JSON file a sample, replaced atomically. What it was measured for is written with it: a sample of
another seed or of other sources is refused, never silently used.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from verify.errors import UsageError
from verify.files import write_atomic
from verify.measure import Sample
from verify.statistics.sequences import from_state, to_state

#: A sample is written when it has grown by this many seconds of drawing.
_WORTH = 5.0


class KeptSamples:
    """The samples of an unfinished run in *folder*, made for *header* (seed, version and so on)."""

    def __init__(self, folder: Path, header: Mapping[str, Any]) -> None:
        self._folder, self._header = folder, dict(header)
        self._saved: dict[tuple[Any, ...], float] = {}

    def _path(self, key: tuple[Any, ...]) -> Path:
        return (
            self._folder / f"{hashlib.blake2b(repr(key).encode(), digest_size=12).hexdigest()}.json"
        )

    def save(self, key: tuple[Any, ...], sample: Sample) -> None:
        """Write *sample* if it has grown enough since it was last written."""
        if sample.seconds - self._saved.get(key, 0.0) < _WORTH:
            return
        self._saved[key] = sample.seconds
        content = {
            "header": self._header,
            "key": repr(key),
            "replicates": sample.replicates,
            "seconds": sample.seconds,
            "sequences": _states(sample.sequences),
            "moments": {name: m.state() for name, m in sample.moments.items()},
            "looks": [_states(look) for look in sample.looks],
        }
        with suppress(OSError, UsageError):  # a full disk must not stop a measurement
            self._folder.mkdir(parents=True, exist_ok=True)
            write_atomic(self._path(key), json.dumps(content))

    def load(self, key: tuple[Any, ...]) -> Sample | None:
        """The sample under *key*, or None if there is none.

        Raises ValueError with the remedy if the file is damaged or was made for another run.
        """
        from numerics import Moments  # torch only where something is measured

        path = self._path(key)
        try:
            text = path.read_text(encoding="utf-8")
        except OSError:
            return None
        remedy = f"remove {path}, or start without --resume"
        try:
            content = json.loads(text)
            header = content["header"]
            sample = Sample(
                replicates=int(content["replicates"]),
                sequences={n: from_state(s) for n, s in content["sequences"].items()},
                moments={n: Moments.from_state(s) for n, s in content["moments"].items()},
                looks=tuple(
                    {n: from_state(s) for n, s in look.items()} for look in content["looks"]
                ),
                seconds=float(content["seconds"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ValueError(f"a kept measurement is damaged ({error}); {remedy}") from None
        for name, value in {**self._header, "key": repr(key)}.items():
            found = content["key"] if name == "key" else header.get(name)
            if found != value:
                raise ValueError(
                    f"a kept measurement was made with {name} {found}, this run has {value}; {remedy}"
                )
        if any(s.count != sample.replicates for s in sample.sequences.values()):
            raise ValueError(f"a kept measurement is damaged (its counts disagree); {remedy}")
        self._saved[key] = sample.seconds
        return sample


def _states(sequences: Mapping[str, Any]) -> dict[str, Any]:
    return {name: to_state(sequence) for name, sequence in sequences.items()}
