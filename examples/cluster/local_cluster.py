"""A scheduler and two workers on this machine, and a run of ``verify`` that they help.

    python examples/cluster/local_cluster.py [--workers 2] [ARGUMENTS OF verify run]...

On many machines the same two programs run elsewhere: one scheduler, and on each machine its workers.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

#: Seconds until a scheduler must be there.
PATIENCE = 60.0


class LocalCluster:
    """Context manager: a scheduler, so many workers of one thread each, and in *folder* what they say.

    At its end they are told to end, and after so many seconds *to_end* they are ended. Raises
    RuntimeError where the scheduler does not start.
    """

    def __init__(
        self, folder: Path, *, workers: int = 2, threads: int = 1, to_end: float = 10.0
    ) -> None:
        self.address = ""
        self.scheduler_file = folder / "scheduler.json"
        self._folder, self._running = folder, list[subprocess.Popen[bytes]]()
        self._to_end = to_end
        place = ("--scheduler-file", str(self.scheduler_file), "--no-dashboard")
        self._worker = (*place, "--nthreads", str(threads), "--nworkers", str(workers))
        self._scheduler = (*place, "--host", "127.0.0.1", "--port", "0")

    def __enter__(self) -> Self:
        self._start("scheduler", *self._scheduler)
        self.address = self._told()
        space = ("--local-directory", str(self._folder), "--memory-limit", "0")
        self._start("worker", *self._worker, *space)
        return self

    @property
    def scheduler(self) -> int:
        """The process of the scheduler."""
        return self._running[0].pid

    @property
    def nanny(self) -> int:
        """The process above the workers."""
        return self._running[1].pid

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in self._running[::-1]:
            process.terminate()
        for process in self._running:
            # A nanny whose scheduler is gone may wait for it for ever; its workers end with it.
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=self._to_end)
            process.kill()
            process.wait()

    def _start(self, what: str, *options: str) -> None:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *options]
        with (self._folder / f"{what}.log").open("wb") as log:
            self._running.append(subprocess.Popen(command, stdout=log, stderr=log))

    def _told(self) -> str:
        """The address that the scheduler has written down."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                return str(json.loads(self.scheduler_file.read_text(encoding="utf-8"))["address"])
            except (OSError, ValueError):
                time.sleep(0.1)
        raise RuntimeError((self._folder / "scheduler.log").read_text(encoding="utf-8"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    options, arguments = parser.parse_known_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        LocalCluster(Path(folder), workers=options.workers) as cluster,
    ):
        command = [sys.executable, "-m", "verify", "run", *arguments, "--workers", cluster.address]
        status = subprocess.run(command, check=False).returncode
    sys.exit(status)


if __name__ == "__main__":
    main()
