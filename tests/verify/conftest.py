"""The program called in this process, with its cache inside the test."""

import sys

import pytest

from verify import cli, resume


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path):
    """Keep the record of an interrupted run inside the test."""
    monkeypatch.setattr(resume, "user_cache_path", lambda name: tmp_path / "cache")


@pytest.fixture
def verify(monkeypatch, capsys):
    """Call the program: returns (exit status, stdout, stderr)."""

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["verify", *arguments])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        captured = capsys.readouterr()
        return stop.value.code, captured.out, captured.err

    return call
