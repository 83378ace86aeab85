"""Settings shared by all tests: one thread a process, Hypothesis without deadlines or a database."""

import os
import sys

import pytest
import torch
from hypothesis import settings
from torch.utils._python_dispatch import TorchDispatchMode

from verify.jobs.memory import keep_memory

torch.set_num_threads(1)
keep_memory()  # as the program does
# What the commands print is as wide as they choose, also below a program that tells them its width.
os.environ.pop("COLUMNS", None)
# The same examples in every run of continuous integration, fresh ones elsewhere.
settings.register_profile(
    "suite", deadline=None, database=None, print_blob=False, derandomize="CI" in os.environ
)
settings.load_profile("suite")


def pytest_runtest_setup(item):
    """What needs a card is skipped where there is none."""
    if item.get_closest_marker("gpu") and not torch.cuda.is_available():
        pytest.skip("torch finds no CUDA device here")


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    """What the program keeps stays inside the test."""
    from verify.running import cache

    monkeypatch.setattr(cache, "user_cache_path", lambda name: tmp_path / "cache")


class LargestResult(TorchDispatchMode):
    """The most entries of a tensor made inside the block, but for views."""

    entries = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        for part in result if isinstance(result, tuple | list) else [result]:
            if isinstance(part, torch.Tensor) and part._base is None:
                self.entries = max(self.entries, part.numel())
        return result


@pytest.fixture
def largest():
    """Watches what is made inside `with largest:`."""
    return LargestResult()


@pytest.fixture
def verify(monkeypatch, capsys):
    """Call the program in this process: returns (exit status, stdout, stderr)."""
    from verify import cli

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["verify", *arguments])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        captured = capsys.readouterr()
        return stop.value.code, captured.out, captured.err

    return call
