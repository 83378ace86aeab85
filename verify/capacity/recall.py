"""One memory, built from its seed, and the recall of all its facts; in parts that an interrupt keeps.

Serves ``verify recall``: capacity where a single memory takes minutes.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import Timeout

from verify.capacity import Construction, construction, read_numbers
from verify.errors import UsageError
from verify.jobs.machine import machine
from verify.running.cache import cache_folder, lock_of

#: Parts of so many that are saved as they are finished.
_PARTS = 64
_BYTES = {"float32": 4, "float64": 8}


@dataclass(frozen=True)
class Request:
    """Which memory is asked for, of N facts and M outputs."""

    memory: str
    built: Construction
    N: int
    M: int
    seed: int
    dtype: str
    device: str

    @classmethod
    def read(
        cls, memory: str, options: Mapping[str, Any], *, seed: int, dtype: str, device: str
    ) -> Request:
        """From the options of the command line; UsageError names what is wrong with one."""
        built = construction(memory, options)
        N, M = read_numbers(options)
        if N is None:
            raise UsageError("--N: missing; give the number of facts, for instance --N 20000")
        M = N if M is None else M
        _require_memory(built.sizes["d"], N, M, dtype)
        return cls(memory, built, N, M, seed, dtype, device)

    @property
    def sizes(self) -> dict[str, Any]:
        return {**self.built.sizes, "N": self.N, "M": self.M}

    @property
    def state(self) -> Path:
        """Where its finished parts are kept; another card or driver has a file of its own."""
        made_with = machine(self.device)
        card = [made_with[name] for name in ("card", "driver") if name in made_with]
        asked = [self.memory, self.sizes, self.seed, self.dtype, self.device, *card]
        name = hashlib.blake2b(json.dumps(asked).encode(), digest_size=12).hexdigest()
        return cache_folder("recall") / f"{name}.json"


@dataclass(frozen=True)
class Recalled:
    """What was measured of a memory. *build_seconds*: to draw it; *seconds*: to recall its facts."""

    request: Request
    correct: int
    minimum_margin: float
    ties: int
    recomputed: int
    rounding_bound: float
    build_seconds: float
    seconds: float
    gflops: float

    def as_json(self) -> dict[str, Any]:
        """All of it; gflops counts the products of the rows that were decided in this call."""
        asked = self.request
        about = {
            name: getattr(asked, name) for name in ("memory", "sizes", "seed", "dtype", "device")
        }
        found = {
            name: value for name, value in vars(self).items() if name not in ("request", "correct")
        }
        counted = {"correct": self.correct, "total": asked.N, **found}
        return {**about, **counted, "machine": machine(asked.device)}


def _require_memory(d: int, N: int, M: int, dtype: str) -> None:
    """UsageError if the embeddings and a matrix would not fit into this machine, where it is known."""
    needed = _BYTES[dtype] * d * (N + M + d)
    try:
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return
    if needed > there:
        raise UsageError(
            f"--N: {N} facts with M = {M}, d = {d} take {needed / 2**30:.0f} GiB in {dtype} and this "
            f"machine has {there / 2**30:.0f}; take fewer"
        )


@contextmanager
def kept_parts(request: Request, *, resume: bool) -> Iterator[Path | None]:
    """The file for finished parts, which is this process's alone meanwhile: what is there if *resume*,
    else none yet; None where none can be written.

    Raises UsageError where there is nothing to resume, and where another process asks the same memory.
    """
    state = request.state

    def require_parts() -> None:
        if resume and not state.is_file():
            raise UsageError(
                "--resume: no recall of this memory was interrupted on this device; start one without it"
            )

    require_parts()  # before anything is written
    lock = lock_of(state)
    with ExitStack() as held:
        kept: Path | None = state
        try:
            for folder in (state.parent, Path(lock.lock_file).parent):
                folder.mkdir(parents=True, exist_ok=True)
            held.enter_context(lock)
            if not resume:
                state.unlink(missing_ok=True)
        except Timeout:
            raise UsageError(
                "--seed: another process asks the same memory now; wait for its end, or take another"
            ) from None
        except OSError:
            kept = None
        require_parts()  # whoever held the lock before may have come to the end
        yield kept


def recall(request: Request, state: Path | None, progress: Callable[[int, int], None]) -> Recalled:
    """Build the memory and recall every fact, going on from *state* if it is there.

    *progress* is called with the facts that are decided and N, once those are saved. The file is
    removed at the end. Raises UsageError for a file of another run or sizes that do not fit.
    """
    import torch

    from numerics import InputError
    from numerics.draws.full_recall import recall_in_parts

    start, reached = time.perf_counter(), list[int]()

    def tell(done: int, total: int) -> None:
        reached.append(done)
        progress(done, total)

    try:
        memory = request.built.sample(
            request.N,
            request.M,
            seed=request.seed,
            dtype=getattr(torch, request.dtype),
            device=request.device,
        )
        built = time.perf_counter()
        found = recall_in_parts(
            memory, part_rows=-(-request.N // _PARTS), state=state, seed=request.seed, progress=tell
        )
    except InputError as error:
        raise UsageError(f"recall: {error}") from None
    seconds = time.perf_counter() - built
    if state is not None:
        with suppress(OSError):
            state.unlink(missing_ok=True)
    scores = 2e-9 * (request.N - reached[0]) * request.M * memory.inputs.shape[1]
    return Recalled(
        request,
        found.correct,
        found.minimum_margin,
        found.ties,
        found.recomputed,
        found.rounding_bound,
        built - start,
        seconds,
        scores / seconds,
    )
