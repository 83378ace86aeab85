"""The record of `verify power`, read back: what it says, and what is wrong with a file that is none."""

import json
from pathlib import Path

import pytest

from verify.auditing.power import Power, Survivor
from verify.auditing.power_record import PowerRecord
from verify.claim import Road
from verify.errors import UsageError
from verify.typeset.encoding import encode
from verify.verdict import Verdict

FOUND = Power(
    mutants=5,
    refuted=3,
    near=1,
    survivors=[Survivor("a", "m = 2", Road.NUMERICS, Verdict.SUPPORTED)],
    unproved=[("b", "no logarithm", "it grows")],
    set_aside=[("a", "m = 1", "they are equal")],
    rejected=[Survivor("c", "c.corrected", Road.PROOFS, Verdict.REFUTED)],
    judged={"a": 4, "b": 1},
)


def test_a_record_says_what_was_found(tmp_path: Path) -> None:
    path = tmp_path / "power.json"
    path.write_bytes(encode(FOUND.as_json()))
    record = PowerRecord.read(path)
    assert (record.mutants, record.killed) == (5, 4)
    assert record.judged == {"a": 4, "b": 1}
    assert record.survived == {("a", "m = 2")}
    assert record.unproved == {("b", "no logarithm"): "it grows"}
    assert record.set_aside == {("a", "m = 1"): "they are equal"}
    assert record.rejected == {"c"}


def _without_judged() -> bytes:
    found = FOUND.as_json()
    del found["judged"]
    return json.dumps(found).encode()


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (encode(FOUND.as_json())[:-40], "truncated|malformed"),
        (b"[]", "Expected `object`"),
        (_without_judged(), "missing required field `judged`"),
        (b'{"schema": 1}', "missing required field"),
        (b"\xff\xfe", "malformed|utf-8|UTF-8"),
        (b'{"x": ' + b"[" * 9999 + b"]" * 9999 + b"}", "recursion"),
    ],
    ids=["cut", "list", "older", "run", "binary", "deep"],
)
def test_a_file_that_is_no_record_is_the_users_error(
    tmp_path: Path, content: bytes, fault: str
) -> None:
    path = tmp_path / "power.json"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=fault) as caught:
        PowerRecord.read(path)
    assert str(caught.value).startswith(f"--power: {path} is no whole record of mutants")
    assert "make a new one with `verify power --json FILE`" in str(caught.value)


def test_a_file_that_is_not_there_is_the_users_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"--power: cannot read .*nowhere.json: No such file.*new"):
        PowerRecord.read(tmp_path / "nowhere.json")
