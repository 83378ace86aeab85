"""Bad inputs, a table: each is refused in one clear line that names what is wrong, and writes nothing.

``bad_inputs/commands`` has a file a command: of each row *call* is the command line, *names* what its
message must say; all end with status 2. ``bad_inputs/python`` has what Python calls, a file a package:
*of* is what is called, *call* an expression, *error* the class of what it raises. A name in braces, or
in ``given``, is that of a file that is made for all tests.
"""

import math
import os
import tomllib
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

import numerics
import proofs.capacity
import proofs.kernel
import verify.capacity
from proofs.replay import RecordError, replay
from verify.catalogue import catalogue
from verify.commands import COMMANDS, USAGE
from verify.errors import UsageError

FOLDER = Path(__file__).parent / "bad_inputs"


def rows(kind: str) -> list[dict]:
    """All rows of the files in a folder."""
    files = sorted((FOLDER / kind).glob("*.toml"))
    return [row for path in files for row in tomllib.loads(path.read_text(encoding="utf-8"))["row"]]


COMMAND_ROWS, PYTHON_ROWS = rows("commands"), rows("python")
ERRORS = {one.__name__: one for one in (numerics.InputError, UsageError, RecordError)}
ERRORS |= {"ValueError": ValueError, "TypeError": TypeError}
#: Of these nothing is asked that could be wrong: an error, a protocol, what is handed out, what takes
#: nothing; and of the others there is a kind of their own for each memory.
ASKED_NOTHING = {
    "numerics": {"InputError", "Memory", "Recall", "one_thread", "world_table"},
    "proofs.capacity": {"FactCondition", "SufficientCondition", "largest_where"},
}
CLAIM = "nichani.thm9.k-choice"  # exact alone, rests on nothing, and quick

pytestmark = pytest.mark.skipif(os.name != "posix", reason="pipes and devices of POSIX")


@pytest.fixture(scope="module")
def written():
    """A run with seed 7 as a file of results, and a baseline with seed 0, both as bytes."""
    from verify.auditing.baseline import Baseline
    from verify.claim import Road
    from verify.report.machine import run_json
    from verify.running.runner import run
    from verify.running.settings import Settings

    registry = catalogue()
    claims = registry.select([CLAIM])
    first, second = (
        run(registry, claims, Settings(seed=seed, roads=tuple(Road), workers=0)) for seed in (0, 7)
    )
    return SimpleNamespace(baseline=Baseline.of(first).encode(), results=run_json(second))


@pytest.fixture(scope="module")
def given(tmp_path_factory, written):
    """What rows speak of by a name in braces."""
    folder = tmp_path_factory.mktemp("given")
    for name in ("folder", "foreign", "pipes", "folder.csv"):
        (folder / name).mkdir(parents=True)
    contents = {
        "file": b"a file\n",
        "empty": b"",
        "binary": bytes(range(256)),
        "json": b"{}",
        "list": b"[]",
        "deep": b"[" * 10**5,
        "other": b'{"schema": 99, "run": {"version": "9"}, "claims": []}',
        "oldbase": b'{"schema": 9, "seed": 0, "profile": "quick", "claims": {}}',
        "foreign/index.html": b"<p>somebody's own page</p>",
        "empty.csv": b"",
        "binary.csv": bytes(range(256)),
        "turned.csv": "subject,relation,object\na\u202e,b,c\na\u202e,b,d\n".encode(),
        "results": written.results,
        "baseline": written.baseline,
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    for name in ("fifo", "pipe.csv", "pipes/index.html"):
        os.mkfifo(folder / name)
    (folder / "circle").symlink_to(folder / "circle")
    (folder / "device.csv").symlink_to("/dev/zero")
    names = [path.name for path in folder.iterdir()]
    return {
        **{name: str(folder / name) for name in (*names, "missing")},
        "claim": CLAIM,
        "long": "x" * 300,
    }


def inside(folder: Path) -> dict[str, tuple[int, int] | None]:
    """What lies in a folder; of what is no folder the size and the time of its last change."""
    found = {path: None if path.is_dir() else path.lstat() for path in folder.rglob("*")}
    return {str(path): it and (it.st_size, it.st_mtime_ns) for path, it in found.items()}


@pytest.fixture
def nothing_written(given, tmp_path, monkeypatch):
    """A test in an empty folder, which leaves that as it is and the files that are made for it."""
    monkeypatch.chdir(tmp_path)
    before = inside(Path(given["folder"]).parent)
    yield
    assert inside(tmp_path) == {}
    assert inside(Path(given["folder"]).parent) == before


def needs_no_card(row: dict) -> None:
    """What is wrong for want of a card is right where there is one."""
    if "cuda" in str(row["call"]) and torch.cuda.is_available():
        pytest.skip("there is a CUDA device here")


def filled(word: str, given: dict[str, str]) -> str:
    for name, value in given.items():
        word = word.replace(f"{{{name}}}", value)
    return word


@pytest.mark.parametrize("row", COMMAND_ROWS, ids=lambda row: ascii(" ".join(row["call"])))
def test_a_command_says_what_is_wrong(verify, given, nothing_written, row):
    needs_no_card(row)
    status, out, err = verify(*(filled(word, given) for word in row["call"]))
    assert status == USAGE, err
    assert out == ""
    message, *usage = err.splitlines()
    assert message.startswith("verify: ")
    assert len(usage) <= 1
    assert "Traceback" not in err
    assert "this is a bug" not in err
    assert all(sign.isprintable() for sign in message)
    assert [name for name in row["names"] if filled(name, given) not in message] == [], message


@pytest.fixture(scope="module")
def names():
    """What expressions may speak of, beside what ``numerics`` offers."""
    from numerics import FactTable, FactualRecall, NamedTable, Stream, Words

    table = FactTable([[0, 2], [1, 3]])
    named = NamedTable(table, ("a", "b"), ("r", "q"), ("1", "2", "3", "4"))
    task = FactualRecall(table, noise=2, T=4)
    E = numerics.sample_sphere(task.vocabulary, 8, stream=Stream(0))
    X, f = numerics.sample_sphere(4, 4, stream=Stream(1)), torch.arange(4)
    relu = numerics.Activation.named("relu")
    return {
        **{name: getattr(numerics, name) for name in numerics.__all__},
        "math": math,
        "np": np,
        "torch": torch,
        "tensor": torch.tensor,
        "pc": proofs.capacity,
        "pk": proofs.kernel,
        "replay": replay,
        "check": verify.check,
        "capacity": verify.capacity.capacity,
        "fact_capacity": verify.capacity.fact_capacity,
        "table": table,
        "named": named,
        "task": task,
        "E": E,
        "X": X,
        "f": f,
        "relu": relu,
        "bigtask": FactualRecall(table, noise=100, T=40),
        "memory": numerics.LinearMemory(X, X, f),
        "many": numerics.LinearMemory.sample(4, 2, seed=0, replicates=2),
        "lowrank": numerics.LowRankMemory.sample(4, 4, m=4, seed=0),
        "mlp": numerics.MLPMemory.sample(4, 4, m=4, activation=relu, seed=0),
        "transformer": numerics.OneLayerTransformer(8, 2, 2, seed=0),
        "built": numerics.AttentionOnly.build(task, E, tokens_per_head=1, d_h=2, seed=0),
        "words": Words(named, noise=("n", "m"), T=4),
    }


@pytest.mark.parametrize("row", PYTHON_ROWS, ids=lambda row: row["call"])
def test_what_python_calls_says_what_is_wrong(names, given, nothing_written, row):
    needs_no_card(row)
    with pytest.raises(ERRORS[row["error"]]) as caught:
        eval(row["call"], {**names, "given": given})
    assert type(caught.value) is ERRORS[row["error"]]
    message = str(caught.value)
    assert all(sign.isprintable() for sign in message)
    assert [name for name in row["names"] if name not in message] == [], message


def test_everything_has_at_least_ten_rows():
    called = Counter(row["call"][0] for row in COMMAND_ROWS)
    called += Counter(row["of"] for row in PYTHON_ROWS)
    wanted = {
        *COMMANDS,
        "verify.check",
        "verify.capacity.capacity",
        "verify.capacity.fact_capacity",
    }
    wanted |= {"proofs.kernel", "proofs.replay"}
    for package, nothing in ASKED_NOTHING.items():
        offered = {"numerics": numerics, "proofs.capacity": proofs.capacity}[package].__all__
        wanted |= {f"{package}.{name}" for name in offered if name not in nothing}
    assert {name: called[name] for name in wanted if called[name] < 10} == {}
    assert set(called) == wanted
    assert called.total() >= 300
