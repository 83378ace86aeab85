"""Recall of many facts in parts, saved as they are finished, so that hours can be interrupted.

Serves Sec. 3 of arXiv 2412.06538: capacity measured at sizes where all N M scores take long.
"""

import base64
import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from numerics.checks import check_integer, file_content
from numerics.decoding import Decoder, Recall
from numerics.errors import InputError
from numerics.memories.base import Memory
from numerics.random import Stream, sample_gaussian
from numerics.rounding import full_precision_products

_FORMAT = "recall in parts, 2"
# Images of so many inputs tell one memory from another; all of them would take a share of the run.
_PROBES = 64
# Of so many sums of all inputs too, so that no input is without a part in what is compared.
_SUMS = 8
# Inputs added at once, so that no second copy of all of them is held.
_ROWS = 4096


@torch.no_grad()
def recall_in_parts(
    memory: Memory,
    *,
    part_rows: int,
    state: Path | str | None = None,
    seed: int | None = None,
    block: tuple[int, int] | None = None,
    keep_margins: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Recall:
    """`recall(memory)`, margin for margin and bit for bit, resumed where it was interrupted.

    part_rows: a part is the least whole number of blocks of rows with at least so many of them,
    >= 1. state: a file, replaced as a whole after each part and continued from if it is there;
    it holds the decisions, not the memory, which is built again from its seed. An interruption
    at any moment loses at most the part begun. A finished file gives its result at once. seed:
    what the memory was drawn from, if anything; it is written down and compared. block: as for
    `recall`. progress: called with (rows done, N) where it starts and after each part, once it
    is saved; rows in doubt are recomputed after the last call, a block being a part.

    Raises InputError, and leaves the file as it is, where the file cannot be written, is damaged,
    or is not of this run: other sizes, dtype, device, block, seed, facts or images, or another
    version of torch or numpy, which could round otherwise.
    """
    check_integer("part_rows", part_rows, minimum=1)
    if seed is not None:
        check_integer("seed", seed, minimum=0)
    N = len(memory.inputs)
    with full_precision_products():
        decoder = Decoder(memory, memory.inputs, block)
        path = None if state is None else Path(state)
        run = {} if path is None else _description(memory, seed, decoder.block)
        if path is not None and path.exists():
            _restore(decoder, _load(path, run))
        elif path is not None:
            # At once, so that a file that cannot be written is noticed before any work is done.
            _save(path, run, decoder)
        if progress is not None:
            progress(decoder.done, N)
        begun = decoder.done
        while not decoder.finished:
            decoder.advance()
            if decoder.done < N and decoder.done - begun < part_rows:
                continue
            begun = decoder.done
            if path is not None:
                _save(path, run, decoder)
            if progress is not None and not decoder.redone:
                progress(decoder.done, N)
    return decoder.result(keep_margins=keep_margins)


def _description(memory: Memory, seed: int | None, block: tuple[int, int]) -> dict[str, Any]:
    """What must agree for decisions in a file to be those of this run."""
    (N, d), M = memory.inputs.shape, len(memory.outputs)
    facts = _digest(memory.inputs, memory.outputs, memory.association)
    return {
        "format": _FORMAT,
        "N": N,
        "M": M,
        "d": d,
        "dtype": str(memory.inputs.dtype),
        "device": memory.inputs.device.type,
        "block": list(block),
        "seed": seed,
        "torch": torch.__version__,
        "numpy": np.__version__,
        "facts": facts,
        "images": _digest(memory.apply(_probes(memory.inputs))),
    }


def _probes(inputs: Tensor) -> Tensor:
    """The first inputs, and fixed Gaussian combinations of all, of about their size: float64."""
    sums = torch.zeros((_SUMS, inputs.shape[1]), dtype=torch.float64, device=inputs.device)
    for index, part in enumerate(torch.split(inputs, _ROWS)):
        shares = sample_gaussian(len(part), _SUMS, stream=Stream(0, "probes").replicate(index))
        sums += shares.to(inputs.device).T @ part.double()
    return torch.cat([inputs[:_PROBES].double(), sums / len(inputs) ** 0.5])


def _digest(*tensors: Tensor) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for tensor in tensors:
        digest.update(np.ascontiguousarray(tensor.cpu().numpy()).data)
    return digest.hexdigest()


def _encode(tensor: Tensor) -> str:
    return base64.b64encode(tensor.cpu().numpy().tobytes()).decode("ascii")


def _decode(text: str, like: Tensor) -> Tensor:
    values = np.frombuffer(base64.b64decode(text), dtype=like.cpu().numpy().dtype)
    return torch.from_numpy(values.copy()).to(like.device)


def _save(path: Path, run: dict[str, Any], decoder: Decoder) -> None:
    content = {
        "run": run,
        "done": decoder.done,
        "redone": decoder.redone,
        "margins": _encode(decoder.margins),
        "bounds": _encode(decoder.bounds),
        "doubtful": _encode(decoder.doubtful),
    }
    text = json.dumps({"content": content, "digest": _seal(content)})
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(text)
                stream.flush()
                os.fsync(handle)
            os.replace(name, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise
    except OSError as error:
        raise InputError(
            f"state = {path} cannot be written: {error.strerror}; name a file that can be"
        ) from None


def _seal(content: dict[str, Any]) -> str:
    canonical = json.dumps(content, sort_keys=True).encode("utf-8")
    return hashlib.blake2b(canonical, digest_size=16).hexdigest()


def _load(path: Path, run: dict[str, Any]) -> dict[str, Any]:
    """The content of a sound file of this run; InputError for any other."""
    try:
        document = json.loads(file_content(path))
        content: dict[str, Any] = document["content"]
        sound = _seal(content) == document["digest"]
        other = content["run"]
    except OSError as error:
        raise InputError(
            f"state = {path} cannot be read: {error.strerror}; name a file that can be"
        ) from None
    except (ValueError, TypeError, KeyError, RecursionError):
        sound = False
    if not sound:
        raise InputError(
            f"state = {path} is damaged, or no file of this kind: move it away to start anew"
        )
    for key, mine in run.items():
        if other.get(key) != mine:
            raise InputError(
                f"state = {path} is of another run: {key} is {other.get(key)!r} there and {mine!r} "
                "here; run it with the arguments, versions and threads it was begun with, or name "
                "another file"
            )
    return content


def _restore(decoder: Decoder, content: dict[str, Any]) -> None:
    decoder.margins = _decode(content["margins"], decoder.margins)
    decoder.bounds = _decode(content["bounds"], decoder.bounds)
    decoder.doubtful = _decode(content["doubtful"], decoder.doubtful)
    decoder.done = content["done"]
    decoder.redone = content["redone"]
