"""Runs that are disturbed at random, gone on with, and compared with one that nothing disturbs.

`python benchmarks/chaos.py [--trials 360] [--seed 0] [--when reporting] [--json PATH]`: in each trial a
run of a few claims is killed or told to end, or one of its workers is killed, while it starts, works,
writes or reports; in every third another run of another seed goes on beside it. In other trials its disk
is full (a small tmpfs, where one may be mounted), its clock jumps by days, or of the cluster that helps
it the scheduler or a worker is killed. Afterwards it is gone on with until it has its results. They must
be those of the undisturbed run but for times, what was finished must not be run again, and no file may
be half written. Prints how many trials there were of each kind, what the run was seen to be at when it
was disturbed (no check was finished, some were, one was just being written down, or all were), and what
went wrong.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from typing import Any

from common import machine, parsed, written

sys.path.insert(0, str(Path(__file__).parents[1] / "examples" / "cluster"))

from local_cluster import LocalCluster

#: Claims that rest on no others, each proved and measured in a moment.
CLAIMS = (
    "nichani.cor2.r*",
    "nichani.lem2.omega-sq-first*",
    "nichani.lem4.[bg]*",
    "nichani.thm1.mean",
)
#: What is sent, and to whom: the run, one of its workers, or the scheduler or a worker of the cluster
#: that helps it. A run on a full disk is told to end, one whose clock jumps is killed.
HOW = (
    ("run", signal.SIGKILL),
    ("run", signal.SIGTERM),
    ("run", signal.SIGINT),
    ("worker", signal.SIGKILL),
    ("disk", signal.SIGINT),
    ("clock", signal.SIGKILL),
    ("scheduler", signal.SIGKILL),
    ("cluster worker", signal.SIGKILL),
    ("run", signal.SIGKILL),
)
#: When it is meant to be, in parts of what the run takes undisturbed; while it writes is when what it
#: keeps has grown then, while it reports is so long after all checks are finished.
WHEN = {
    "starting": (0.0, 0.25),
    "running": (0.35, 0.85),
    "writing": (0.3, 1.0),
    "reporting": (0.0, 0.06),
}
#: What a small disk holds, in bytes.
DISK = 2**17
#: Found by each Python of a run: its clock jumps by up to ten days, forth and back.
JUMPING = """
import random, time
real, rng = time.time, random.Random()
time.time = lambda: real() + rng.uniform(-864000, 864000)
"""
#: A run is gone on with so often at most.
_MOST = 5


@dataclass
class Chaos:
    """A folder with the undisturbed results of each seed, and what came of the trials in it."""

    folder: Path
    straight: dict[int, Any] = field(default_factory=dict)
    seconds: float = 0.0
    trials: Counter[str] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)
    kills: int = 0
    faults: list[str] = field(default_factory=list)
    started: list["subprocess.Popen[bytes]"] = field(default_factory=list)

    def start(
        self, home: Path, seed: int, *options: str, jumping: bool = False
    ) -> "subprocess.Popen[bytes]":
        """A run in a process group of its own, its cache and its results in *home*."""
        command = [sys.executable, "-m", "verify", "run", *CLAIMS, "--device", "cpu"]
        command += ["--seed", str(seed), "--json", str(home / f"{seed}.json"), *options]
        environment = {**os.environ, "XDG_CACHE_HOME": str(home / "cache"), "OMP_NUM_THREADS": "1"}
        if jumping:
            (home / "clock").mkdir()
            (home / "clock" / "sitecustomize.py").write_text(JUMPING, encoding="utf-8")
            environment["PYTHONPATH"] = str(home / "clock")
        with (home / "said").open("ab") as said:
            run = subprocess.Popen(
                command, stdout=said, stderr=said, env=environment, start_new_session=True
            )
        self.started.append(run)
        return run

    def end(self) -> None:
        """Kill what is still running, with its workers."""
        for run in self.started:
            if run.poll() is None:
                os.killpg(run.pid, signal.SIGKILL)
                run.wait()
        self.started.clear()

    def undisturbed(self, seed: int) -> Any:
        """The results of a run that nothing disturbs, made once."""
        if seed not in self.straight:
            home = self.folder / f"undisturbed-{seed}"
            home.mkdir()
            began = time.monotonic()
            if self.start(home, seed).wait() != 0:
                raise RuntimeError((home / "said").read_text(encoding="utf-8"))
            self.seconds = time.monotonic() - began
            self.straight[seed] = without_times((home / f"{seed}.json").read_bytes())
        return self.straight[seed]

    def trial(self, number: int, rng: random.Random) -> None:
        """One run, disturbed once, gone on with to its end. The number says how, and when."""
        (whom, what), when = HOW[number % len(HOW)], meant(number)
        seed, other = 0, (1 if number % 3 == 2 and whom != "disk" else None)
        for known in (seed, other):
            if known is not None:
                self.undisturbed(known)
        home = self.folder / f"trial-{number}"
        (home / "cache").mkdir(parents=True)
        kind = f"{whom} {what.name} {when}"
        with ExitStack() as stack:
            if whom == "disk" and not stack.enter_context(small_disk(home / "cache")):
                return
            helped: tuple[str, ...] = ()
            local = None
            if whom in ("scheduler", "cluster worker"):
                (home / "cluster").mkdir()
                local = stack.enter_context(LocalCluster(home / "cluster", to_end=1.0))
                helped = ("--workers", local.address)
            run = self.start(home, seed, *helped, jumping=whom == "clock")
            beside = None if other is None else self.start(home, other)
            slower = (1.0 if other is None else 1.6) * (2.5 if local else 1.0)
            if when == "reporting":
                self._all_finished(home, seed, run)
                time.sleep(rng.uniform(*WHEN[when]) * self.seconds)
            else:
                seconds = rng.uniform(*WHEN[when]) * self.seconds * slower
                waited(seconds, home, when == "writing", run)
            among = targets(run, whom, local)
            at = self._at(finished_checks(home, seed), seed, when)
            done = disturbed(run, rng.choice(among) if among else None, what)
            self.trials[kind] += done
            self.seen[at] += done
            self.kills += done and what == signal.SIGKILL
            status = run.wait(timeout=300)
            finished = finished_checks(home, seed)
            for _ in range(_MOST):
                if status == 0:
                    break
                self._whole(home, number)
                status = self.start(home, seed, "--resume").wait(timeout=300)
                if status == 2:  # killed before there was anything to go on with, or after its end
                    status = self.start(home, seed).wait(timeout=300)
            if beside is not None and beside.wait(timeout=300) != 0:
                self.faults.append(f"{number} ({kind}): the run beside it ended with an error")
            for known in (seed, other):
                if known is not None:
                    self._as_undisturbed(home, known, f"{number} ({kind})")
            self._kept(home, seed, finished, f"{number} ({kind})")
            self._said(home, f"{number} ({kind})")

    def _total(self, seed: int) -> int:
        """How many checks a run has."""
        return len(reported_checks(json.dumps(self.straight[seed]).encode()))

    def _all_finished(self, home: Path, seed: int, run: "subprocess.Popen[bytes]") -> None:
        """Wait until all checks of a run are written down as finished, or the run is over."""
        while run.poll() is None and len(finished_checks(home, seed)) < self._total(seed):
            time.sleep(0.002)

    def _at(self, finished: Mapping[str, float], seed: int, when: str) -> str:
        """What a run is at, by the checks that it has written down as finished."""
        if when == "writing":
            return when
        if len(finished) == self._total(seed):
            return "reporting"
        return "running" if finished else "starting"

    def _kept(self, home: Path, seed: int, finished: Mapping[str, float], trial: str) -> None:
        """What was finished when the run was disturbed is what is reported: it took the same seconds."""
        path = home / f"{seed}.json"
        reported = reported_checks(path.read_bytes()) if path.is_file() else {}
        lost = [key for key, seconds in finished.items() if reported.get(key) != seconds]
        if lost:
            self.faults.append(f"{trial}: {len(lost)} finished checks were run again: {lost}")

    def _whole(self, home: Path, number: int) -> None:
        for path in home.glob("[0-9].json"):
            try:
                json.loads(path.read_bytes())
            except ValueError:
                self.faults.append(f"{number}: {path.name} is half written")

    def _as_undisturbed(self, home: Path, seed: int, trial: str) -> None:
        path = home / f"{seed}.json"
        if not path.is_file():
            self.faults.append(f"{trial}: no results of seed {seed}")
        elif without_times(path.read_bytes()) != self.straight[seed]:
            self.faults.append(f"{trial}: other results of seed {seed}")
        left = [it.name for it in (home / "cache" / "recallproof" / "runs").glob("*")]
        # A run that was killed while it reported had no time to forget itself.
        if len(left) > 1:
            self.faults.append(f"{trial}: {len(left)} runs are left: {left}")

    def _said(self, home: Path, trial: str) -> None:
        said = (home / "said").read_text(encoding="utf-8", errors="replace")
        for word in ("Traceback", "report it"):
            if word in said:
                self.faults.append(f"{trial}: it says {word!r}:\n{said}")
                break


def meant(number: int) -> str:
    """What a trial is meant to find the run at."""
    return list(WHEN)[number // len(HOW) % len(WHEN)]


@contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """A full disk soon to be at *folder*; whether one may be mounted here."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        yield False
        return
    try:
        yield True
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def waited(seconds: float, home: Path, for_writing: bool, run: "subprocess.Popen[bytes]") -> None:
    """Sleep; then, if so, until what the runs in *home* keep has grown; no longer than the run takes."""
    with suppress(subprocess.TimeoutExpired):
        run.wait(seconds)
    size = kept_bytes(home)
    while for_writing and run.poll() is None and kept_bytes(home) == size:
        time.sleep(0.0005)


def kept_bytes(home: Path) -> int:
    """The size of all that is kept of runs; 0 where a file has just gone."""
    try:
        return sum(path.stat().st_size for path in (home / "cache").rglob("*.json*"))
    except OSError:
        return 0


def finished_checks(home: Path, seed: int) -> dict[str, float]:
    """The seconds of each check that a run of *seed* has written down as finished, by its key."""
    found = {}
    for folder in (home / "cache" / "recallproof" / "runs").glob("*"):
        try:
            header = json.loads((folder / "run.json").read_bytes())
            lines = (folder / "checks.jsonl").read_bytes().split(b"\n")
        except OSError:
            continue
        if header["identity"]["seed"] == seed:
            for line in lines[:-1]:  # what follows the last end of a line is torn
                entry = json.loads(line)
                found[entry["check"]] = entry["evidence"]["seconds"]
    return found


def reported_checks(data: bytes) -> dict[str, float]:
    """The seconds of each check in a file of results, by its key."""
    return {
        f"{claim['id']}/{it['road']}/{it['method']}": it.get("seconds", 0.0)
        for claim in json.loads(data)["claims"]
        for it in claim["evidence"]
    }


def without_times(data: bytes) -> Any:
    """Results but for how long things took."""

    def strip(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: strip(item) for key, item in value.items() if key != "seconds"}
        return [strip(item) for item in value] if isinstance(value, list) else value

    return strip(json.loads(data))


def workers_of(process: int) -> Iterator[int]:
    """The processes below one, by what Linux knows of them."""
    children = Path(f"/proc/{process}/task/{process}/children")
    try:
        found = [int(it) for it in children.read_text(encoding="ascii").split()]
    except OSError:
        return
    for child in found:
        yield child
        yield from workers_of(child)


def targets(run: "subprocess.Popen[bytes]", whom: str, local: LocalCluster | None) -> Sequence[int]:
    """The processes of whom something may be sent to; of workers those that there are in a while."""
    if whom == "scheduler" and local:
        return [local.scheduler]
    if "worker" not in whom:
        return [run.pid]
    above, end = (local.nanny if local else run.pid), time.monotonic() + 5
    while not (found := list(workers_of(above))) and run.poll() is None and time.monotonic() < end:
        time.sleep(0.005)
    return found


def disturbed(run: "subprocess.Popen[bytes]", target: int | None, what: int) -> bool:
    """Sends *what* to a process of a run; whether there was any to send it to."""
    if target is None or run.poll() is not None:
        return False
    try:
        os.kill(target, what)
    except ProcessLookupError:
        return False
    return True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=360)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--when", choices=list(WHEN), help="only trials that are meant for it")
    options = parsed(parser, "trials")
    rng = random.Random(options.seed)
    numbers = (number for number in count() if options.when in (None, meant(number)))
    with tempfile.TemporaryDirectory() as folder:
        chaos = Chaos(Path(folder))
        done = 0
        with suppress(KeyboardInterrupt):  # what was tried is reported
            for number in islice(numbers, options.trials):
                try:
                    chaos.trial(number, rng)
                except subprocess.TimeoutExpired as error:
                    chaos.faults.append(f"{number}: a run that does not end: {error}")
                chaos.end()
                done += 1
                print(f"{done} of {options.trials}, {len(chaos.faults)} faults", file=sys.stderr)
        chaos.end()
    report = {
        "machine": machine(),
        "trials": done,
        "disturbed": dict(sorted(chaos.trials.items())),
        "killed": chaos.kills,
        "seen": {at: chaos.seen[at] for at in WHEN},
        "faults": chaos.faults,
    }
    print(written(report, options.json))
    sys.exit(bool(chaos.faults))


if __name__ == "__main__":
    main()
