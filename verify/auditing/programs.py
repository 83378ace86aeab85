"""Whether it would be noticed if the programs of what is carried over were wrong: a sample of mutants.

Each mutant is loaded in a process of its own, makes all carried-over proofs again, and is compared with
the program as it is: statement, region, hypotheses and trust of each theorem, and the theorems under it.
A script may come to the same theorem by another proof; that is counted apart.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from typing import Any

from verify.auditing import judged
from verify.auditing.judged import Answer, Request
from verify.auditing.strata import (
    BESIDE,
    DEMANDED,
    ENGINE,
    GUARDED,
    SCRIPTS,
    Mutant,
    Population,
    folders,
    population,
    sample,
)
from verify.checks.theorem import Proof
from verify.claim import Registry, Road
from verify.errors import UsageError
from verify.statistics import clopper_pearson
from verify.verdict import Verdict

#: The probability with which a lower bound of a rate exceeds it.
ERROR = 0.05
#: The method of checks that the engine alone decides, at once.
_EXACT = "exact identity"
#: A mutant may take as long as the program does while what it reads is noted, about three times as long
#: as without that, and so many seconds more.
_MORE = 5.0


@dataclass
class Found:
    """What became of the mutants of a stratum: of *all* those that were *judged*; of these how many were
    noticed, by the way, how many come to the same *otherwise*, and which ones *survived*."""

    stratum: str
    all: int
    judged: int = 0
    ways: Counter[str] = field(default_factory=Counter)
    otherwise: int = 0
    survived: list[Mutant] = field(default_factory=list)

    @property
    def noticed(self) -> int:
        return sum(self.ways.values())

    @property
    def rate(self) -> float:
        """The share of judged mutants that are noticed, or come to the same otherwise."""
        return (self.judged - len(self.survived)) / self.judged if self.judged else 0.0

    @property
    def least(self) -> float:
        """A lower bound of that share of all mutants, right with a probability of 95 %."""
        if not self.judged or self.judged == self.all:
            return self.rate
        count = self.judged - len(self.survived)
        return clopper_pearson(count, self.judged, 2 * ERROR).low

    @property
    def ok(self) -> bool:
        return self.rate >= DEMANDED[self.stratum]

    def as_json(self) -> dict[str, Any]:
        """The fields of the JSON contract."""
        return {
            "stratum": self.stratum,
            "mutants": self.all,
            "judged": self.judged,
            "noticed": self.noticed,
            "otherwise": self.otherwise,
            "rate": round(self.rate, 6),
            "at least": round(self.least, 6),
            "demanded": DEMANDED[self.stratum],
            "ways": dict(sorted(self.ways.items())),
            "survived": [
                {
                    "place": it.place,
                    "function": it.edit.function,
                    "operator": it.edit.operator,
                    "before": it.before,
                    "after": " ".join(it.edit.text.split()),
                }
                for it in self.survived
            ],
        }


@dataclass
class Programs:
    """All strata; the *claims* that are proved, rules of which nothing false is tried, and what is
    *left* out of the strata."""

    seed: int
    claims: tuple[str, ...]
    strata: list[Found]
    untried: list[str]
    left: Population
    interrupted: bool = False

    @property
    def ok(self) -> bool:
        complete = not (self.interrupted or self.untried or self.left.unplaced)
        return complete and all(one.ok for one in self.strata)

    def as_json(self) -> dict[str, Any]:
        """The fields of the JSON contract."""
        return {
            "seed": self.seed,
            "interrupted": self.interrupted,
            "claims": list(self.claims),
            "untried rules": self.untried,
            "in no stratum": self.left.unplaced,
            "not counted": {
                "beside the proofs": [
                    {"module": module, "mutants": self.left.beside.get(module, 0), "reason": reason}
                    for module, reason in BESIDE.items()
                ],
                "guards": {"mutants": self.left.guarded, "reason": GUARDED},
                "exempt": [
                    {"mutants": count, "reason": reason}
                    for reason, count in self.left.exempt.items()
                ],
            },
            "strata": [one.as_json() for one in self.strata],
        }


def carried_over(registry: Registry) -> tuple[str, ...]:
    """The claims that theorems of the kernel prove."""
    return tuple(
        claim.id
        for claim in registry
        if claim.recorded is Verdict.PROVED
        and any(isinstance(it.run, Proof) for it in registry.checks(claim.id, [Road.PROOFS]))
    )


def _decided_by_the_engine(registry: Registry, claims: Sequence[str]) -> list[tuple[str, str]]:
    """Exact checks, of the results to which claims belong, that compare a formula with the engine's."""
    results = {tuple(id_.split(".")[:2]) for id_ in claims}
    return [
        (claim.id, check.method)
        for claim in registry
        if tuple(claim.id.split(".")[:2]) in results
        for check in registry.checks(claim.id, [Road.PROOFS])
        if check.method == _EXACT
    ]


def programs(
    registry: Registry,
    *,
    size: int,
    seed: int = 0,
    workers: int = 1,
    strata: Sequence[str] = tuple(DEMANDED),
    on_mutant: Callable[[Mutant, Answer, float], None] | None = None,
) -> Programs:
    """Judge *size* mutants of each stratum, 0 for all of them.

    *on_mutant* is told of each what came of it, and which share of them is done. An interrupt ends it
    with what is known by then. UsageError if the program as it is does not prove what is carried over.
    """
    from proofs.kernel import RULES
    from proofs.kernel.attacks import FALSE
    from proofs.kernel.cases import rules_without

    claims = carried_over(registry)
    beside = _decided_by_the_engine(registry, claims)
    reference = _only(Request(claims, traced=folders(), beside=beside))
    if reference.way:
        raise UsageError(
            f"the program as it is: {reference.way}: {reference.detail}; mend it first"
        )
    whole = population(reference)
    every = whole.mutants
    found = {name: Found(name, len(every[name])) for name in strata}
    untried = rules_without(set(RULES) - set(FALSE))
    result = Programs(seed, claims, list(found.values()), untried, whole)
    chosen = [it for name in strata for it in sample(every[name], size, seed)]
    judged.built_on("")  # what imports what is then known in every process
    seconds = reference.seconds + _MORE
    requests = (
        (
            it,
            Request(
                claims,
                it.module,
                it.path,
                it.source,
                reference.digests,
                seconds,
                beside=beside if it.stratum == ENGINE else (),
            ),
        )
        for it in chosen
    )
    try:
        for mutant, answer in _judged(requests, max(1, workers), seconds):
            _count(found[mutant.stratum], mutant, answer)
            if on_mutant is not None:
                on_mutant(mutant, answer, sum(it.judged for it in result.strata) / len(chosen))
    except KeyboardInterrupt:
        result.interrupted = True
    return result


def _count(found: Found, mutant: Mutant, answer: Answer) -> None:
    found.judged += 1
    if answer.way:
        found.ways[answer.way] += 1
    elif answer.otherwise and mutant.stratum == SCRIPTS:
        found.otherwise += 1
    elif answer.otherwise:
        found.ways[judged.CHANGED] += 1
    else:
        found.survived.append(mutant)


# -- processes ------------------------------------------------------------------------------------


def _context() -> Any:
    """Where a process can be split in two, what it has loaded need not be loaded again."""
    methods = multiprocessing.get_all_start_methods()
    return multiprocessing.get_context(
        "fork" if os.name == "posix" and "fork" in methods else "spawn"
    )


def _start(request: Request) -> tuple[Any, Any]:
    context = _context()
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=judged.answer, args=(theirs, request), daemon=True)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is born deaf to an interrupt
    try:
        process.start()
    finally:
        signal.signal(signal.SIGINT, before)
    theirs.close()
    return process, ours


def _received(process: Any, pipe: Any) -> Answer:
    try:
        answer: Answer = pipe.recv()
    except EOFError:
        process.join()
        late = process.exitcode in (-signal.SIGKILL, -getattr(signal, "SIGXCPU", 0))
        answer = Answer(judged.TIME if late else judged.DEAD, f"exit code {process.exitcode}")
    process.join()
    pipe.close()
    return answer


def _only(request: Request) -> Answer:
    process, pipe = _start(request)
    try:
        return _received(process, pipe)
    finally:
        process.kill()


def _judged(
    requests: Iterator[tuple[Mutant, Request]], workers: int, seconds: float
) -> Iterator[tuple[Mutant, Answer]]:
    """What comes of each, in any order, so many at a time."""
    waiting = deque(requests)
    running: dict[Any, tuple[Mutant, Any, float]] = {}
    patience = 20 * seconds  # processor time ends it before, wherever that can be limited
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                mutant, request = waiting.popleft()
                process, pipe = _start(request)
                running[pipe] = mutant, process, time.monotonic()
            for pipe in wait(list(running), timeout=1.0):
                mutant, process, _ = running.pop(pipe)
                yield mutant, _received(process, pipe)
            for _, process, begun in running.values():
                if time.monotonic() - begun > patience:
                    process.kill()
    finally:
        for _, process, _ in running.values():
            process.kill()
            process.join()
