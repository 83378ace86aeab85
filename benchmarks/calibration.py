"""Whether the stated error is kept: how often intervals miss and checks raise false alarms.

`python benchmarks/calibration.py [--seeds 2000] [--runs 200] [--part PART] [--json PATH]`

intervals: each kind of interval on laws chosen to be hard for it; a miss is an interval that leaves
out the true value at any look. checks: the cheap statistical checks of true claims at an error share
that can be counted; a false alarm is a refuted claim. alarms: the quick statistical road at the
default budget, where a false alarm must not be seen at all.

Controls are intervals known to be wrong. They must be seen to miss too often, or nothing is shown.
With --json the file is written again every 20 seconds; the same command goes on where it ended.
Exit status 1: an error was not kept, or a control was not seen. 2: the file belongs to another run.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import NormalDist
from typing import Any, TypeAlias

import numpy as np
import torch
from common import cheap_checks, machine, parsed, progress_line, statistical_checks
from numpy.typing import NDArray

from numerics.random import Stream
from verify import __version__
from verify.catalogue import catalogue
from verify.claim import Check
from verify.measuring.context import Context
from verify.measuring.measure import single
from verify.running.checking import run_check
from verify.running.files import write_atomic
from verify.statistics import (
    AssumptionError,
    BoundedMean,
    HeavyTailedMean,
    Interval,
    Probability,
    clopper_pearson,
    difference,
    logarithm,
    slope,
    variance_about,
)
from verify.verdict import Verdict

#: A file of another version is not continued: raise it when a draw or a count changes its meaning.
VERSION = 2
PARTS = ("intervals", "checks", "alarms")
#: The stated errors that are tried, large enough for misses to be counted.
ERRORS = (0.05, 0.2)
#: The error of the exact limits of each measured rate.
LIMIT_ERROR = 0.01
SAVE_SECONDS = 20.0
#: Checks of that group whose draws are not cheap: longer a seed than all the others together.
DEAR = (
    "tail of one margin",
    "second-moment-split",
    "second-moment.corrected",
    "variance-bound",
    "explicit.law",
)

Values: TypeAlias = NDArray[np.float64]
Generator: TypeAlias = np.random.Generator


def _schedule(first: int, last: int) -> tuple[int, ...]:
    """Replicates at each look: a fifth more than at the look before, in whole blocks, as checks do."""
    blocks, found = 1, []
    while blocks * first <= last:
        found.append(blocks * first)
        blocks += -(-blocks // 5)
    return tuple(found)


LOOKS = _schedule(16, 20_000)

# -- intervals -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Law:
    """A law on [0, 1]: how it is drawn, its mean and its variance."""

    name: str
    draw: Callable[[Generator, int], Values]
    mean: float
    variance: float


def _bernoulli(p: float) -> Law:
    return Law(
        f"Bernoulli({p:g})", lambda g, n: (g.random(n) < p).astype(np.float64), p, p * (1 - p)
    )


#: Nearly constant, with a tiny mass at the far bound: a sample rarely shows where the mean is.
TWO_POINT = Law(
    "0.1, but 1 with probability 0.001",
    lambda g, n: np.where(g.random(n) < 0.001, 1.0, 0.1),
    0.1 + 0.9 * 0.001,
    0.9**2 * 0.001 * 0.999,
)
UNIFORM = Law("uniform", lambda g, n: g.random(n), 1 / 2, 1 / 12)
BETA = Law("Beta(0.1, 2)", lambda g, n: g.beta(0.1, 2.0, n), 0.1 / 2.1, 0.1 * 2.0 / (2.1**2 * 3.1))
RARE = _bernoulli(0.02)


@dataclass(frozen=True)
class FixedCount:
    """The exact interval for a count, right at one sample size fixed in advance and wrong at many."""

    count: int = 0
    successes: int = 0

    def extended(self, values: Values) -> FixedCount:
        return FixedCount(self.count + len(values), self.successes + int(values.sum()))

    def interval(self, error: float) -> Interval:
        return clopper_pearson(self.successes, self.count, error)


@dataclass(frozen=True)
class NormalMean:
    """The textbook interval at one sample size, wrong because it is looked at many times."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def extended(self, values: Values) -> NormalMean:
        return NormalMean(
            self.count + len(values),
            self.total + float(values.sum()),
            self.squares + float((values**2).sum()),
        )

    def interval(self, error: float) -> Interval:
        mean = self.total / self.count
        variance = max(self.squares / self.count - mean**2, 0.0) * self.count / (self.count - 1)
        half = NormalDist().inv_cdf(1 - error / 2) * math.sqrt(variance / self.count)
        return Interval(mean - half, mean + half, mean, self.count, error)


@dataclass(frozen=True)
class Trial:
    """One kind of interval on one law: how it is drawn, what is known before a draw, the true value.

    ``draw`` gives one array for each of ``sequences``, whose intervals share the error and are put
    together by ``combine``. A ``control`` is known to be wrong.
    """

    kind: str
    law: str
    truth: float
    draw: Callable[[Generator, int], Sequence[Values]]
    sequences: tuple[Any, ...]
    combine: Callable[..., Interval] = single
    looks: tuple[int, ...] = LOOKS
    control: bool = False

    @property
    def name(self) -> str:
        return f"{self.kind}; {self.law}"

    def misses(self, seed: int) -> tuple[bool, ...]:
        """Whether the interval leaves out the truth at any look, for each of ERRORS.

        Values that contradict a true bound on their moments count as a miss: the test of the bound
        spends a part of the same error.
        """
        generator = Stream(seed, "calibration", self.kind, self.law).generator()
        values = self.draw(generator, self.looks[-1])
        sequences = list(self.sequences)
        missed = dict.fromkeys(ERRORS, False)
        for before, after in pairwise((0, *self.looks)):
            sequences = [
                s.extended(v[before:after]) for s, v in zip(sequences, values, strict=True)
            ]
            for error in (e for e in ERRORS if not missed[e]):
                try:
                    found = self.combine(*(s.interval(error / len(sequences)) for s in sequences))
                    missed[error] = found.excludes(self.truth)
                except AssumptionError:
                    missed[error] = True
            if all(missed.values()):
                break
        return tuple(missed.values())


def trials() -> Iterator[Trial]:
    """All kinds of intervals, each on the laws that are hardest for it, and the controls."""
    bounded = BoundedMean(0.0, 1.0)
    for law in (RARE, TWO_POINT, UNIFORM, BETA):
        yield Trial("mean, bounded", law.name, law.mean, _apart(law), (bounded,))
    for law in (RARE, TWO_POINT, UNIFORM, BETA):
        yield _variance(law)
    for p in (0.001, 0.02, 0.5):
        law = _bernoulli(p)
        yield Trial("probability", law.name, p, _apart(law), (Probability(),))
    for p, n in ((0.02, 200), (0.3, 50), (0.5, 1000)):
        law = _bernoulli(p)
        name = f"{law.name}, {n} draws"
        yield Trial("probability, fixed sample", name, p, _apart(law), (FixedCount(),), looks=(n,))
    yield from _heavy()
    for left, right in ((RARE, UNIFORM), (BETA, TWO_POINT)):
        name, truth = f"{left.name} less {right.name}", left.mean - right.mean
        yield Trial(
            "difference of means", name, truth, _apart(left, right), (bounded,) * 2, difference
        )
    yield from _rates()
    # Known to be wrong: right at one look, and a bound on the second moment that does not hold.
    yield Trial(
        "normal interval at every look",
        UNIFORM.name,
        UNIFORM.mean,
        _apart(UNIFORM),
        (NormalMean(),),
        control=True,
    )
    coin = _bernoulli(0.3)
    yield Trial(
        "fixed-sample interval at every look",
        coin.name,
        coin.mean,
        _apart(coin),
        (FixedCount(),),
        control=True,
    )
    yield Trial(
        "mean, heavy tails, half the second moment",
        "Student t, 3 degrees",
        0.0,
        _student,
        (HeavyTailedMean(0.0, 1.5),),
        control=True,
    )


def _apart(*laws: Law) -> Callable[[Generator, int], Sequence[Values]]:
    """Independent draws, one array of each law."""
    return lambda generator, n: [law.draw(generator, n) for law in laws]


def _variance(law: Law) -> Trial:
    """The variance about a centre that is only near the mean, as it would be in use."""
    centre = round(law.mean, 1)
    reach = max(centre, 1 - centre) ** 2

    def draw(generator: Generator, n: int) -> Sequence[Values]:
        values = law.draw(generator, n)
        return values, (values - centre) ** 2

    return Trial(
        "variance, bounded",
        law.name,
        law.variance,
        draw,
        (BoundedMean(0.0, 1.0), BoundedMean(0.0, reach)),
        partial(variance_about, centre),
    )


def _student(generator: Generator, n: int) -> Sequence[Values]:
    return (generator.standard_t(3.0, n),)


def _heavy() -> Iterator[Trial]:
    """The true second moment about 0 as the bound, and twice it."""

    def lognormal(generator: Generator, n: int) -> Sequence[Values]:
        return (generator.lognormal(0.0, 1.0, n),)

    for factor in (1, 2):
        for name, mean, second, draw in (
            ("Student t, 3 degrees", 0.0, 3.0, _student),
            ("lognormal(0, 1)", math.exp(0.5), math.exp(2.0), lognormal),
        ):
            law = f"{name}, {factor} times the second moment"
            sequence = HeavyTailedMean(0.0, factor * second)
            yield Trial("mean, heavy tails", law, mean, draw, (sequence,))


def _rates() -> Iterator[Trial]:
    """An exponential rate: the slope of the logarithm of means that fall like exp(rate x)."""
    xs = (0.0, 1.0, 2.0, 3.0)

    def fitted(*intervals: Interval) -> Interval:
        return slope([(x, logarithm(i)) for x, i in zip(xs, intervals, strict=True)])

    for top, rate in ((0.5, -0.7), (0.1, -1.0)):
        coins = [_bernoulli(top * math.exp(rate * x)) for x in xs]
        law = f"P = {top:g} exp({rate:g} x)"
        yield Trial(
            "rate of probabilities", law, rate, _apart(*coins), (Probability(),) * 4, fitted
        )
    for base, rate in ((UNIFORM, -0.5), (BETA, -0.5)):

        def draw(
            generator: Generator, n: int, base: Law = base, rate: float = rate
        ) -> Sequence[Values]:
            return [base.draw(generator, n) * math.exp(rate * x) for x in xs]

        law = f"{base.name} times exp({rate:g} x)"
        sequences = (BoundedMean(0.0, 1.0),) * 4
        yield Trial("rate of means", law, rate, draw, sequences, fitted)


def intervals(record: Record, options: argparse.Namespace) -> None:
    """Count the misses of every trial, over the same number of seeds."""
    part = record.data.setdefault("intervals", {})
    listed = list(trials())
    for number, trial in enumerate(listed, 1):
        entry = part.get(trial.name)
        misses = [row["misses"] for row in entry["rows"]] if entry else [0] * len(ERRORS)
        for seed in range(entry["seeds"] if entry else 0, options.seeds):
            missed = trial.misses(seed)
            misses = [count + miss for count, miss in zip(misses, missed, strict=True)]
            part[trial.name] = _interval_entry(trial, misses, seed + 1)
            record.step(f"intervals {number} of {len(listed)}: {trial.name}, seed {seed}")


def _interval_entry(trial: Trial, misses: Sequence[int], seeds: int) -> dict[str, Any]:
    rows = []
    for error, count in zip(ERRORS, misses, strict=True):
        row: dict[str, Any] = {"error": error, "misses": count, **_limits(count, seeds)}
        row["kept"] = row["low"] <= error
        row["point kept"] = row["rate"] <= error
        if trial.control:
            row["seen"] = not row["kept"]
        rows.append(row)
    return {
        "kind": trial.kind,
        "law": trial.law,
        "truth": trial.truth,
        "looks": len(trial.looks),
        "control": trial.control,
        "seeds": seeds,
        "rows": rows,
    }


def _limits(count: int, trials_: int) -> dict[str, float]:
    """The rate of a count and its exact limits."""
    found = clopper_pearson(count, trials_, LIMIT_ERROR)
    return {"rate": found.estimate, "low": found.low, "high": found.high}


# -- checks --------------------------------------------------------------------------------------


@dataclass
class Inflated(Context):
    """A context in which every check has the error share *error*, so that alarms can be counted."""

    error: float = ERRORS[0]

    @property
    def share(self) -> float:
        return self.error


def _dear(check: Check) -> bool:
    return any(word in check.key for word in DEAR)


def checks(record: Record, options: argparse.Namespace) -> None:
    """Count the false alarms of the cheap checks of true claims, at each of ERRORS.

    Within a seed checks and errors share draws, as in a run; seeds are independent. A check that is
    new since the file was made has all its seeds run; one that is gone is dropped.
    """
    registry = catalogue()
    cheap = cheap_checks(registry)
    listed = [(claim, check) for claim, check in cheap if not _dear(check)]
    left_out = [check.key for _, check in cheap if _dear(check)]
    known = record.data.get("checks", {"seconds": 0.0, "entries": {}})
    entries: dict[str, dict[str, Any]] = {
        check.key: known["entries"].get(check.key, {"seeds": 0, "rows": []}) for _, check in listed
    }
    seconds, plans = known["seconds"], dict[Any, Any]()

    def keep() -> None:
        record.data["checks"] = {
            "seconds": seconds,
            "left out": left_out,
            "pooled": [_pooled(entries, number) for number in range(len(ERRORS))],
            "entries": dict(entries),
        }

    if all(entry["seeds"] for entry in entries.values()):
        keep()
    for seed in range(min(entry["seeds"] for entry in entries.values()), options.seeds):
        started = time.perf_counter()
        pending = [(claim, check) for claim, check in listed if entries[check.key]["seeds"] == seed]
        store = dict(plans)
        found: dict[str, list[Verdict]] = {check.key: [] for _, check in pending}
        for error in ERRORS:
            context = Inflated(
                seed=seed, store=store, formulas=lambda id_: registry[id_].formulas, error=error
            )
            for claim, check in pending:
                found[check.key].append(run_check(check, claim, context).verdict)
        # What is planned from the mutants does not depend on the seed.
        plans = {key: value for key, value in store.items() if key[0] == "places"}
        for name, verdicts in found.items():
            entries[name] = _checks_entry(entries[name], verdicts)
        seconds += time.perf_counter() - started
        keep()
        record.step(f"checks: seed {seed}, {len(pending)} of {len(listed)} checks")


def _checks_entry(entry: dict[str, Any], verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """The counts of a check with one seed more, which gave a verdict at each of ERRORS."""
    seeds, rows = entry["seeds"] + 1, []
    for number, (error, verdict) in enumerate(zip(ERRORS, verdicts, strict=True)):
        counts = Counter(entry["rows"][number]["verdicts"] if entry["rows"] else {})
        counts[str(verdict)] += 1
        alarms = counts[str(Verdict.REFUTED)]
        row: dict[str, Any] = {"error": error, "verdicts": dict(counts), "alarms": alarms}
        row |= _limits(alarms, seeds)
        rows.append({**row, "kept": row["low"] <= error, "point kept": row["rate"] <= error})
    return {"seeds": seeds, "rows": rows}


def _pooled(entries: dict[str, dict[str, Any]], number: int) -> dict[str, Any]:
    """All checks together; the limits are those of independent runs, and checks share draws."""
    alarms = sum(entry["rows"][number]["alarms"] for entry in entries.values() if entry["rows"])
    runs = sum(entry["seeds"] for entry in entries.values())
    return {"error": ERRORS[number], "alarms": alarms, "runs": runs, **_limits(alarms, runs)}


# -- alarms --------------------------------------------------------------------------------------


def alarms(record: Record, options: argparse.Namespace) -> None:
    """Run the quick statistical road at the default budget, once for each seed."""
    part = record.data.setdefault(
        "alarms",
        {"runs": 0, "seconds": 0.0, "checks": {}, "false alarms": [], "open": [], "missed": []},
    )
    spawn = multiprocessing.get_context("spawn")
    with spawn.Pool(options.workers) as pool:
        for seed, seconds, found in pool.imap(_one_run, range(part["runs"], options.runs)):
            new: dict[str, Any] = json.loads(json.dumps(part))
            for key, (recorded, verdict, summary) in found.items():
                entry = new["checks"].setdefault(key, {"recorded": recorded, "verdicts": {}})
                entry["verdicts"][verdict] = entry["verdicts"].get(verdict, 0) + 1
                told = {"seed": seed, "check": key, "verdict": verdict, "summary": summary}
                if recorded == Verdict.REFUTED and verdict != Verdict.REFUTED:
                    new["missed"].append(told)
                elif recorded != Verdict.REFUTED and verdict == Verdict.REFUTED:
                    new["false alarms"].append(told)
                elif recorded != Verdict.REFUTED and not Verdict(verdict).positive:
                    new["open"].append(told)
            new["runs"] = seed + 1
            new["seconds"] += seconds
            new["kept"] = not new["false alarms"] and not new["missed"]
            part = record.data["alarms"] = new
            record.save()
            record.tell(f"alarms: {seed + 1} of {options.runs} runs")


def _one_run(seed: int) -> tuple[int, float, dict[str, tuple[str, str, str]]]:
    """All statistical checks under one seed: recorded, found, in words; by the check's key."""
    started = time.perf_counter()
    torch.set_num_threads(1)
    registry = catalogue()
    context = Context(seed=seed, formulas=lambda id_: registry[id_].formulas)
    found = {}
    for claim, check in statistical_checks(registry):
        evidence = run_check(check, claim, context)
        found[check.key] = (str(claim.recorded), str(evidence.verdict), evidence.summary)
    return seed, time.perf_counter() - started, found


# -- the record ----------------------------------------------------------------------------------


class Record:
    """What is finished, in memory and in the file."""

    def __init__(self, path: Path | None, arguments: dict[str, int]) -> None:
        self._path = path
        self._told = self._saved = time.monotonic()
        self.data: dict[str, Any] = {
            "version": VERSION,
            "package": __version__,
            "arguments": arguments,
            "machine": machine(),
            "errors": ERRORS,
            "limit error": LIMIT_ERROR,
            "schedule": LOOKS,
        }
        if path is not None and path.exists():
            self._continue(path)

    def _continue(self, path: Path) -> None:
        try:
            old = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            self.refuse("it is no JSON")
        if not isinstance(old, dict):
            self.refuse("it holds no run")
        for name in ("version", "package", "arguments"):
            if old.get(name) != self.data[name]:
                self.refuse(f"made with {name} {old.get(name)}, not {self.data[name]}")
        self.data |= {part: old[part] for part in PARTS if part in old}

    def refuse(self, why: str) -> None:
        """End with status 2: the file belongs to another run."""
        print(f"--json {self._path}: {why}; name another file, or remove this one", file=sys.stderr)
        raise SystemExit(2)

    def tell(self, line: str) -> None:
        """The progress line."""
        if not progress_line(line) and time.monotonic() - self._told > SAVE_SECONDS:
            print(line, file=sys.stderr, flush=True)
            self._told = time.monotonic()

    def step(self, line: str) -> None:
        """The progress line, and from time to time the file."""
        self.tell(line)
        if time.monotonic() - self._saved > SAVE_SECONDS:
            self.save()

    def save(self) -> None:
        """Replace the file by a complete new one."""
        self._saved = time.monotonic()
        if self._path is None:
            return
        write_atomic(self._path, json.dumps(self.data, indent=1) + "\n")


def failures(data: dict[str, Any]) -> list[str]:
    """What was not as it must be, in a line each."""
    found = []
    for name, entry in data.get("intervals", {}).items():
        for row in entry["rows"]:
            if entry["control"] and not row["seen"]:
                found.append(f"control not seen at {row['error']}: {name}, {row['rate']:.4f}")
            if not entry["control"] and not row["kept"]:
                found.append(f"error {row['error']} not kept: {name}, {row['rate']:.4f}")
    for name, entry in data.get("checks", {}).get("entries", {}).items():
        for row in entry["rows"]:
            if not row["kept"]:
                found.append(f"error {row['error']} not kept: {name}, {row['rate']:.4f}")
    road = data.get("alarms", {})
    found += [f"false alarm: {a}" for a in road.get("false alarms", [])]
    found += [f"not refuted: {a}" for a in road.get("missed", [])]
    return found


def show(data: dict[str, Any]) -> None:
    """The tables, for a reader."""
    for name, entry in data.get("intervals", {}).items():
        cells = "   ".join(
            f"{row['error']:g}: {row['rate']:.4f} [{row['low']:.4f}, {row['high']:.4f}]"
            for row in entry["rows"]
        )
        print(f"{'control: ' if entry['control'] else ''}{name:66s} {cells}")
    part = data.get("checks", {})
    for name, entry in part.get("entries", {}).items():
        cells = "   ".join(
            f"{row['error']:g}: {row['alarms']} {row['verdicts']}" for row in entry["rows"]
        )
        print(f"{name:66s} alarms in {entry['seeds']} {cells}")
    if part:
        print(f"left out, since their draws are dear: {', '.join(part['left out']) or 'none'}")
    for row in part.get("pooled", ()):
        print(
            f"{row['error']:g}: {row['alarms']} alarms in {row['runs']}, at most {row['high']:.2g}"
        )
    road = data.get("alarms", {})
    if road.get("runs"):
        print(
            f"quick road, {road['runs']} runs: {len(road['false alarms'])} false alarms, "
            f"{len(road['open'])} open or broken, {len(road['missed'])} refuted claims not refuted"
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=2000, help="seeds of each row")
    parser.add_argument("--runs", type=int, default=200, help="runs of the part alarms")
    parser.add_argument("--part", choices=PARTS, help="only this part")
    parser.add_argument("--workers", type=int, default=2, help="processes of the part alarms")
    options = parsed(parser, "seeds", "runs")
    torch.set_num_threads(1)  # The products are small; more threads only wait for each other.
    for stop in (signal.SIGINT, signal.SIGTERM):  # also where a shell has an interrupt ignored
        signal.signal(stop, signal.default_int_handler)
    record = Record(options.json, {"seeds": options.seeds, "runs": options.runs})
    functions = {"intervals": intervals, "checks": checks, "alarms": alarms}
    try:
        for name in (options.part,) if options.part else PARTS:
            functions[name](record, options)
    except KeyboardInterrupt:
        record.save()
        print("\ninterrupted; the same command goes on", file=sys.stderr)
        raise SystemExit(130) from None
    record.save()
    show(record.data)
    wrong = failures(record.data)
    print("\n".join(wrong) if wrong else "every error is kept, every control is seen")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
