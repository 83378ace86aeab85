"""A headless Chromium, driven over a pipe by its DevTools protocol; tests are skipped without one."""

import fcntl
import json
import os
import select
import shutil
import signal
import time
from contextlib import suppress

import pytest

#: How long a browser may take for one thing, in seconds.
PATIENCE = 60.0


class Browser:
    """A headless browser with one tab: commands go in on one pipe, replies and events come out."""

    def __init__(self, program, profile):
        into, self._write = os.pipe()
        self._read, out = os.pipe()
        options = [
            "--headless",
            "--remote-debugging-pipe",
            "--disable-gpu",
            "--disable-background-networking",
            "--no-first-run",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            f"--user-data-dir={profile}",
            *(["--no-sandbox"] if os.geteuid() == 0 else []),
        ]
        # The protocol wants the descriptors 3 and 4; from above 9 none is in the other's way.
        high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (into, out)]
        silent = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
        placed = [(os.POSIX_SPAWN_DUP2, end, fd) for end, fd in zip(high, (3, 4), strict=True)]
        self._process = os.posix_spawn(
            program, [program, *options], os.environ, file_actions=[*silent, *placed]
        )
        for end in (into, out, *high):
            os.close(end)
        self._pending = b""
        self._count = 0
        self._session = None
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        """End the browser, whatever state it is in."""
        with suppress(OSError, AssertionError):
            self._session = None
            self.call("Browser.close")
        os.close(self._write)
        os.close(self._read)
        end = time.monotonic() + 10
        while os.waitpid(self._process, os.WNOHANG) == (0, 0):
            if time.monotonic() > end:
                os.kill(self._process, signal.SIGKILL)
            time.sleep(0.05)

    def call(self, method, **parameters):
        """The result of a command; AssertionError if the browser refuses it or is gone."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            found = self._message()
            if found.get("id") == self._count:
                assert "error" not in found, (method, found["error"])
                return found["result"]
            self.events.append(found)

    def _message(self):
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._pending:
            ready, _, _ = select.select([self._read], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"the browser said nothing for {PATIENCE:.0f} s"
            part = os.read(self._read, 1 << 16)
            assert part, "the browser is gone"
            self._pending += part
        first, _, self._pending = self._pending.partition(b"\0")
        return json.loads(first)

    def evaluate(self, expression):
        """The value of a JavaScript expression in the page."""
        found = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def open(self, address, *, width=1400, scheme="light"):
        """Show a page at a width and in a colour scheme, and wait until it is complete."""
        self.events.clear()
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=False,
        )
        self.call(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)
        end = time.monotonic() + PATIENCE
        while self.evaluate("document.readyState") != "complete":
            assert time.monotonic() < end, f"{address} does not open"
            time.sleep(0.05)

    def overflow(self):
        """How many pixels of the page lie beyond the right edge of the window."""
        return self.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )

    def complaints(self):
        """Uncaught exceptions, console errors, and what the log of the browser calls an error."""
        found = []
        for event in self.events:
            method, given = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(given["exceptionDetails"])
            elif method == "Runtime.consoleAPICalled" and given["type"] in ("error", "warning"):
                found.append(given["args"])
            elif method == "Log.entryAdded" and given["entry"]["level"] in ("error", "warning"):
                found.append(given["entry"]["text"])
        return found

    def requests(self):
        """The addresses that the page asked for."""
        return [
            event["params"]["request"]["url"]
            for event in self.events
            if event.get("method") == "Network.requestWillBeSent"
        ]


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    program = next(filter(None, map(shutil.which, names)), None)
    if program is None:
        pytest.skip("no Chromium on this machine: install the system package chromium")
    opened = Browser(program, tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()
