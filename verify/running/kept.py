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
from typing import TYPE_CHECKING, Any

from verify.errors import UsageError
from verify.measuring.measure import Sample
from verify.running.files import read_whole, write_atomic
from verify.statistics import ConfidenceSequence
from verify.statistics.sequences import from_state, to_state

if TYPE_CHECKING:
    from numerics import Moments

#: A sample is written when it has grown by this many seconds of drawing.
_WORTH = 5.0


class KeptSamples:
    """The samples of a run in its *folder*, made for *header* (seed, version and so on)."""

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
            "openings": {name: list(values) for name, values in sample.openings.items()},
            "seconds": sample.seconds,
            "sequences": _states(sample.sequences),
            "errors": dict(sample.errors),
            "moments": _moments(sample.moments),
            "looks": [_states(look) for look in sample.looks],
            "errors_at": [dict(look) for look in sample.errors_at],
            "moments_at": [_moments(look) for look in sample.moments_at],
        }
        content["digest"] = _digest(content)
        with suppress(OSError, UsageError):  # a full disk must not stop a measurement
            self._folder.mkdir(parents=True, exist_ok=True)
            write_atomic(self._path(key), json.dumps(content))

    def load(self, key: tuple[Any, ...]) -> Sample | None:
        """The sample under *key*, or None if there is none.

        Raises ValueError with the remedy if the file is damaged or was made for another run.
        """
        path = self._path(key)
        try:
            data = read_whole(path)
        except OSError:
            return None
        remedy = f"remove {path}, or start without --resume"
        try:
            content = json.loads(data)
            if content.pop("digest") != _digest(content):
                raise ValueError("its digest differs")
            found = {**content["header"], "key": content["key"]}
            sample = _sample(content)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ValueError(f"a kept measurement is damaged ({error}); {remedy}") from None
        for name, value in {**self._header, "key": repr(key)}.items():
            if found.get(name) != value:
                raise ValueError(
                    f"a kept measurement was made with {name} {found.get(name)}, this run has "
                    f"{value}; {remedy}"
                )
        self._saved[key] = sample.seconds
        return sample


def _digest(content: Mapping[str, Any]) -> str:
    text = json.dumps(content, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _sample(content: Mapping[str, Any]) -> Sample:
    return Sample(
        replicates=content["replicates"],
        sequences=_read_states(content["sequences"]),
        errors=content["errors"],
        moments=_read_moments(content["moments"]),
        looks=tuple(_read_states(look) for look in content["looks"]),
        errors_at=tuple(content["errors_at"]),
        moments_at=tuple(_read_moments(look) for look in content["moments_at"]),
        openings={name: tuple(values) for name, values in content["openings"].items()},
        seconds=content["seconds"],
    )


def _read_states(states: Mapping[str, Any]) -> dict[str, ConfidenceSequence]:
    return {name: from_state(state) for name, state in states.items()}


def _states(sequences: Mapping[str, Any]) -> dict[str, Any]:
    return {name: to_state(sequence) for name, sequence in sequences.items()}


def _moments(moments: Mapping[str, Moments]) -> dict[str, Any]:
    return {name: found.state() for name, found in moments.items()}


def _read_moments(states: Mapping[str, Any]) -> dict[str, Moments]:
    from numerics import Moments  # torch only where something is measured

    return {name: Moments.from_state(state) for name, state in states.items()}
