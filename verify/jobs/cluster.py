"""The way to a cluster of ``dask.distributed``: its scheduler, and the workers that are of use."""

from __future__ import annotations

import asyncio
import logging
import math
import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from verify.errors import UsageError
from verify.jobs.address import require_address
from verify.jobs.handshake import described, difference
from verify.jobs.machine import usable_device
from verify.jobs.requests import Asking, at_work, enough, shares, stop

if TYPE_CHECKING:
    from distributed import Client, Future

#: Seconds to wait for a scheduler, for the first worker, and between looks at who is there.
_PATIENCE, _FIRST, _PAUSE = 15.0, 60.0, 2.0


_JOINED: dict[tuple[str, str], Cluster] = {}


def cluster(address: str, device: str, *, strict: bool = True) -> Cluster:
    """The cluster of a scheduler, joined once a process. Errors as for Cluster."""
    key = address, device
    if key not in _JOINED:
        _JOINED[key] = Cluster(address, device, strict=strict)
    return _JOINED[key]


class Cluster:
    """The workers behind a scheduler's address, such as ``tcp://host:8786``.

    Raises UsageError for what is no address or no device, where nothing answers, and if *strict* where
    no worker has joined or one computes with something else than this machine, with its address and in
    what it differs; if not, such a one is asked nothing.
    """

    def __init__(self, address: str, device: str = "cpu", *, strict: bool = True) -> None:
        require_address("--workers", address)
        device = usable_device(device, "device")
        self.address = address
        self._asking = Asking(described(device), device)
        self._strangers: set[str] = set()
        self._workers: list[str] = []
        self._looked = -math.inf
        self._client = _connected(address)
        try:
            if strict:
                self._wait_for_one()
            for worker, why in self._differing().items():
                if strict:
                    raise UsageError(f"--workers: the worker {worker} {why}")
                self._strangers.add(worker)
        except OSError as error:
            self.close()
            raise UsageError(f"--workers: the scheduler at {address} was lost: {error}") from None
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
            with suppress(OSError):  # it is just being lost, or slow
                self._workers = [it for it in self._known() if it not in self._strangers]
        return self._workers

    def wait_for(self, workers: int) -> None:
        """Wait until so many workers have joined; TimeoutError where they do not."""
        self._client.wait_for_workers(workers, timeout=_FIRST)

    @property
    def machines(self) -> list[str]:
        """The hosts of the workers."""
        return sorted({str(it["host"]) for it in self._known().values()})

    def _wait_for_one(self) -> None:
        try:
            self.wait_for(1)
        except TimeoutError:
            raise UsageError(
                f"--workers: no worker has joined {self.address}; start one with `dask worker "
                f"{self.address} --nthreads 1`"
            ) from None

    def _differing(self) -> dict[str, str]:
        """Those that cannot help, and why; who is silent is asked again with each request."""
        found = {
            address: f"has {it['nthreads']} threads, and jobs do not share a process; start it with "
            "`--nthreads 1`, and `--nworkers` for several"
            for address, it in self._known().items()
            if it["nthreads"] != 1
        }
        for address, there in self._answers(_PATIENCE, described, self._asking.device).items():
            if isinstance(there, OSError):
                continue  # it ends at this moment
            if isinstance(there, BaseException):
                found[address] = (
                    f"cannot say what it computes with ({type(there).__name__}: {there}); install there "
                    "what is installed here"
                )
            elif differs := difference(self._asking.described, there):
                found[address] = (
                    f"would not find the same bits ({differs}); install there what is installed here, "
                    "on the same kind of processor, and start it again, or leave it out"
                )
        return found

    def _known(self) -> dict[str, Any]:
        """What the scheduler knows of each worker. OSError where it does not say so in time."""
        found = self._client.sync(
            self._client.scheduler.identity, n_workers=-1, callback_timeout=_PATIENCE
        )
        return dict(found["workers"])

    def _answers(
        self,
        patience: float,
        function: Callable[..., Any],
        *arguments: Any,
        workers: list[str] | None = None,
    ) -> dict[str, Any]:
        """What each of *workers* answers, or its error; empty where not all answer in time."""
        try:
            found: dict[str, Any] = self._client.sync(
                self._client._run,
                function,
                *arguments,
                workers=workers,
                on_error="return",
                callback_timeout=patience,
            )
        except OSError:
            return {}
        return found

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

    def at_work(self, name: str, address: str) -> dict[int, float] | None:
        """The seconds that a worker's jobs of a *name* have taken; None where it is silent."""
        found = self._answers(_PAUSE, at_work, name, workers=[address]).get(address)
        return found if isinstance(found, dict) else None

    def shares(self, name: str) -> list[float]:
        """How far the jobs of a *name* have come; none of a worker that is silent."""
        found = self._answers(_PAUSE, shares, name).values()
        return [share for some in found if isinstance(some, list) for share in some]

    def enough(self, name: str) -> bool:
        """Have the jobs of a *name* end with what they have, when they next tell how far they are;
        whether any is at work, as far as the workers say."""
        found = self._answers(_PAUSE, enough, name)
        return not found or any(found.values())

    def end(self, address: str) -> None:
        """Ask a worker nothing more, and end its process; whoever looks after it starts another."""
        self.refuse(address)
        with suppress(Exception):  # its nanny, if it has one; TimeoutError once that has been told
            self._client.restart_workers([address], timeout=_PAUSE, raise_for_error=False)
        with suppress(OSError):
            if address in self._known():
                self._answers(_PAUSE, os._exit, 1, workers=[address])

    def stop(self, name: str) -> None:
        """End the jobs of a *name*."""
        self._answers(_PAUSE, stop, name)

    def refuse(self, address: str) -> None:
        """Ask a worker nothing more, such as one that has joined and computes with something else."""
        self._strangers.add(address)
        self._looked = -math.inf


def _require_known(address: str) -> None:
    """UsageError for a host that has no address."""
    host, _, port = address.partition("://")[2].rpartition(":")
    try:
        socket.getaddrinfo(host.strip("[]"), port)
    except (OSError, UnicodeError, OverflowError) as error:
        raise UsageError(
            f"--workers: the host of {address} is not known ({error}); name one that is"
        ) from None


def _connected(address: str) -> Client:
    try:
        from distributed import Client
        from distributed.comm import connect
        from distributed.security import Security
    except ModuleNotFoundError:
        raise UsageError(
            "--workers: a cluster needs the package distributed; pip install 'recallproof[cluster]'"
        ) from None
    for name in list(logging.root.manager.loggerDict):  # what it has to say is said by lost results
        if name.split(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    _require_known(address)
    by = Security().get_connection_args("client")
    if address.startswith("tls") and not by["ssl_context"]:
        raise UsageError(
            "--workers: tls:// needs certificates; name them in DASK_DISTRIBUTED__COMM__TLS__CA_FILE, "
            "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT and DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY"
        )

    async def ask() -> None:
        await (await connect(address, timeout=_PATIENCE, **by)).close()

    try:
        asyncio.run(ask())  # a client that finds none, or something else there, cannot be undone
        return Client(address, timeout=_PATIENCE, set_as_default=False)
    except Exception as error:  # what is no scheduler answers anything
        raise UsageError(
            f"--workers: no scheduler answers at {address} ({error}); start one with `dask scheduler`, "
            "or leave --workers out"
        ) from None
