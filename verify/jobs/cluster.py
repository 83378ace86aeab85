"""The way to a cluster of ``dask.distributed``: its scheduler, and the workers that are of use."""

from __future__ import annotations

import logging
import math
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from verify.errors import UsageError
from verify.jobs.handshake import described, difference
from verify.jobs.requests import Asking, at_work, stop

if TYPE_CHECKING:
    from distributed import Client, Future

#: Seconds to wait for a scheduler, for the first worker, and between looks at who is there.
_PATIENCE, _FIRST, _PAUSE = 15.0, 60.0, 2.0


@cache
def cluster(address: str, device: str = "cpu") -> Cluster:
    """The cluster of a scheduler, joined once a process. Errors as for Cluster."""
    return Cluster(address, device)


class Cluster:
    """The workers behind a scheduler's address, such as ``tcp://host:8786``.

    Raises UsageError where nothing answers, where no worker has joined, and where one computes with
    something else than this machine, with its address and in what it differs.
    """

    def __init__(self, address: str, device: str = "cpu") -> None:
        self.address = address
        self._asking = Asking(uuid.uuid4().hex, described(device), device)
        self._strangers: set[str] = set()
        self._workers: list[str] = []
        self._looked = -math.inf
        self._client = _connected(address)
        try:
            self._shake_hands()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Leave the cluster; what was asked of it is given up."""
        with suppress(Exception):
            self._client.close(timeout=_PAUSE)

    @property
    def answers(self) -> bool:
        """Whether the scheduler can be asked at this moment."""
        return bool(self._client.status == "running")

    @property
    def gone(self) -> bool:
        """Whether the scheduler has not answered for so long that it never will."""
        return bool(self._client.status == "closed")

    @property
    def workers(self) -> list[str]:
        """The addresses of those that compute with what this machine computes with."""
        if self.answers and time.monotonic() - self._looked > _PAUSE:
            self._looked = time.monotonic()
            with suppress(OSError):  # it is just being lost
                known = self._client.scheduler_info(n_workers=-1).get("workers", {})
                self._workers = [address for address in known if address not in self._strangers]
        return self._workers

    def wait_for(self, workers: int) -> None:
        """Wait until so many workers have joined; TimeoutError where they do not."""
        self._client.wait_for_workers(workers, timeout=_FIRST)

    @property
    def machines(self) -> list[str]:
        """The hosts of the workers."""
        known = self._client.scheduler_info(n_workers=-1)["workers"].values()
        return sorted({str(it["host"]) for it in known})

    def _shake_hands(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=_FIRST)
        except TimeoutError:
            raise UsageError(
                f"--workers: no worker has joined {self.address}; start one with `dask worker "
                f"{self.address} --nthreads 1`"
            ) from None
        for address, it in self._client.scheduler_info(n_workers=-1)["workers"].items():
            if it["nthreads"] != 1:
                raise UsageError(
                    f"--workers: the worker {address} has {it['nthreads']} threads, and jobs do not "
                    "share a process; start it with `--nthreads 1`, and `--nworkers` for several"
                )
        found = self._client.run(described, self._asking.device, on_error="return")
        for address, there in found.items():
            if isinstance(there, BaseException):
                raise UsageError(
                    f"--workers: the worker {address} cannot say what it computes with "
                    f"({type(there).__name__}: {there}); install there what is installed here"
                )
            if differs := difference(self._asking.described, there):
                raise UsageError(
                    f"--workers: the worker {address} would not find the same bits ({differs}); install "
                    "there what is installed here, on the same kind of processor, or leave it out"
                )

    # -- asking ---------------------------------------------------------------------------------

    def submit(
        self, function: Callable[..., Any], *arguments: Any, priority: int = 0, worker: str = ""
    ) -> Future:
        """Ask for a function of Asking and *arguments*: a *worker*, or whoever has time."""
        where = (
            {"workers": [worker] if worker else self.workers} if worker or self._strangers else {}
        )
        return self._client.submit(
            function, self._asking, *arguments, pure=False, priority=priority, **where
        )

    def at_work(self) -> dict[str, dict[int, float]]:
        """The seconds that each job at work has taken, by its worker and number."""
        found: dict[str, dict[int, float]] = self._client.run(
            at_work, self._asking.run, on_error="ignore"
        )
        return found

    def restart(self, address: str) -> None:
        """End the process of a worker, where somebody looks after it and starts another."""
        with suppress(Exception):
            self._client.restart_workers([address], timeout=_PATIENCE, raise_for_error=False)

    def stop(self) -> None:
        """End what the workers do for this run."""
        with suppress(Exception):
            self._client.run(stop, self._asking.run, wait=False)

    def refuse(self, address: str) -> None:
        """Ask nothing of a worker that has joined meanwhile and computes with something else."""
        self._strangers.add(address)
        self._looked = -math.inf


def _connected(address: str) -> Client:
    try:
        from distributed import Client
        from distributed.security import Security
    except ModuleNotFoundError:
        raise UsageError(
            "--workers: a cluster needs the package distributed; pip install 'recallproof[cluster]'"
        ) from None
    for name in list(logging.root.manager.loggerDict):  # what it has to say is said by lost results
        if name.split(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    if address.startswith("tls") and not Security().get_connection_args("client")["ssl_context"]:
        raise UsageError(
            "--workers: tls:// needs certificates; name them in DASK_DISTRIBUTED__COMM__TLS__CA_FILE, "
            "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT and DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY"
        )
    try:
        return Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        raise UsageError(
            f"--workers: no scheduler answers at {address} ({error}); start one with `dask scheduler`, "
            "or take a number of processes"
        ) from None
