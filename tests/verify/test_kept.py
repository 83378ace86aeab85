"""Measurements on disk: taken up bit by bit as they were, refused where they are not this run's.

A synthetic experiment counts how it is called, so that what is drawn twice is seen.
"""

import json
import math
import os

import pytest
import torch

from numerics.observables import Bounded, Event, HeavyTailed
from verify.checks.trial import measured
from verify.claim import Claim, Registry
from verify.commands import running
from verify.errors import UsageError
from verify.measuring.case import Case
from verify.measuring.context import Context
from verify.measuring.measure import Experiment, Source, Statistic, replicates_at, sampled
from verify.running import kept, settings
from verify.running.files import write_atomic
from verify.running.kept import KeptSamples
from verify.running.settings import Settings
from verify.statistics import Between
from verify.statistics.sequences import to_state

BLOCK = 64
LAST = 11
HEADER = {"version": "1.0", "sources": "abc", "seed": 3, "budget": 1e-6}


@pytest.fixture(autouse=True)
def worth_keeping(monkeypatch):
    """Write at every look."""
    monkeypatch.setattr(kept, "_WORTH", 0.0)


def numbers(*, fail_at=None, name="numbers"):
    """Three kinds of observables by seed and place; *fail_at*: the call that is interrupted."""
    calls = []

    def draw(*, replicates, seed, start, **sizes):
        calls.append((start, replicates))
        if len(calls) == fail_at:
            raise KeyboardInterrupt
        place = torch.arange(start + 1, start + replicates + 1, dtype=torch.float64)
        drawn = (place * (math.sqrt(5) - 1) / 2 + 0.1 * seed) % 1.0
        return {
            "x": Bounded(drawn**3, 0.0, 1.0),
            "small": Event(drawn < 0.25),
            "heavy": HeavyTailed(drawn, 0.3, 0.25),
        }

    return Source(Experiment(name, draw, BLOCK, 2**12, 2 * BLOCK), "x", {"d": 2, "N": 3}), calls


def context(folder, **header):
    found = Context(seed=3)
    found.kept = KeptSamples(folder, {**HEADER, **header})
    return found


def states(sample):
    """All that is known at every look, as text: equal for equal bits only."""
    return json.dumps([{n: to_state(s) for n, s in look.items()} for look in sample.looks])


def measure(folder, look=LAST, **options):
    source, calls = numbers(**options)
    return sampled(context(folder), source, look), calls


def only_file(folder):
    (path,) = folder.iterdir()
    return path


# -- interrupted and taken up --------------------------------------------------------------------


@pytest.mark.parametrize("fail_at", [1, 2, 5, 8, 9, 10, 11])
def test_an_interrupted_measurement_goes_on_bit_by_bit_as_if_it_had_not_been(tmp_path, fail_at):
    straight, all_calls = measure(tmp_path / "straight")
    folder = tmp_path / "kept"
    source, calls = numbers(fail_at=fail_at)
    with pytest.raises(KeyboardInterrupt):
        sampled(context(folder), source, LAST)
    resumed, more = measure(folder)
    assert states(resumed) == states(straight)
    assert resumed.replicates == straight.replicates == replicates_at(source.experiment, LAST)
    # Every call is kept, also within a look; nothing is drawn again.
    begin = sum(replicates for _, replicates in calls[:-1])
    assert more[0][0] == begin
    assert sum(replicates for _, replicates in more) == straight.replicates - begin
    assert len(all_calls) >= 11


def test_a_measurement_can_be_interrupted_again_and_again(tmp_path):
    straight, _ = measure(tmp_path / "straight")
    folder = tmp_path / "kept"
    for _ in range(100):
        try:
            resumed, _ = measure(folder, fail_at=3)  # one look of at most two calls a time
            break
        except KeyboardInterrupt:
            continue
    else:
        pytest.fail("it never ends")
    assert states(resumed) == states(straight)


def test_what_is_finished_is_not_drawn_again(tmp_path):
    first, calls = measure(tmp_path)
    again, more = measure(tmp_path)
    assert calls
    assert more == []
    assert states(again) == states(first)


def test_samples_of_other_names_and_sizes_have_files_of_their_own(tmp_path):
    found = context(tmp_path)
    one, _ = numbers()
    other, _ = numbers(name="other")
    sampled(found, one, 1)
    sampled(found, other, 1)
    sampled(found, Source(one.experiment, "x", {"d": 2, "N": 4}), 1)
    sampled(found, Source(one.experiment, "small", {"N": 3, "d": 2}), 1)  # the first again
    assert len(list(tmp_path.iterdir())) == 3


def test_what_took_no_time_is_not_written(tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "_WORTH", 1e9)
    measure(tmp_path / "kept")
    assert not (tmp_path / "kept").exists()


# -- another run ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"), [("seed", 4), ("version", "1.1"), ("budget", 1e-5), ("sources", "abd")]
)
def test_a_sample_of_another_run_is_refused(tmp_path, name, value):
    measure(tmp_path)
    source, calls = numbers()
    with pytest.raises(ValueError, match="was made with") as found:
        sampled(context(tmp_path, **{name: value}), source, LAST)
    message = str(found.value)
    for words in (name, str(HEADER[name]), str(value), str(only_file(tmp_path)), "--resume"):
        assert words in message
    assert "\n" not in message
    assert calls == []


def test_what_a_run_was_asked_for_is_what_must_agree():
    one = Settings().identity()
    assert {"version", "sources", "seed", "profile", "device", "budget"} <= set(one)
    assert json.loads(json.dumps(one)) == one
    for other in (Settings(seed=1), Settings(budget=1e-5), Settings(profile="full")):
        assert other.identity() != one


def test_another_card_or_driver_is_another_run(monkeypatch):
    found = []
    for card in ({"card": "H200", "driver": "1"}, {"card": "H200", "driver": "2"}, {"card": "T4"}):
        monkeypatch.setattr(settings, "machine", lambda device, card=card: card)
        found.append(Settings(device="cuda").identity())
    assert [it["card"] for it in found] == ["H200", "H200", "T4"]
    assert [it["driver"] for it in found] == ["1", "2", "none"]


# -- damaged files -------------------------------------------------------------------------------


def change(**values):
    def damage(text):
        return json.dumps({**json.loads(text), **values})

    return damage


def spoil(new, name="x", place="sequences"):
    """Put *new* in place of the last number in the state of an observable, now or at a look."""

    def damage(text):
        content = json.loads(text)
        at = content["sequences"] if place == "sequences" else content["looks"][0]
        at = at[name]
        while True:
            key = max(at) if isinstance(at, dict) else -1
            key = next((k for k in at if isinstance(at[k], list)), key) if key != -1 else key
            if not isinstance(at[key], (dict, list)):
                break
            at = at[key]
        assert at[key] != new
        at[key] = new
        return json.dumps(content)

    return damage


def kind(new):
    def damage(text):
        content = json.loads(text)
        content["sequences"]["x"]["kind"] = new
        return json.dumps(content)

    return damage


def without(key):
    def damage(text):
        content = json.loads(text)
        del content[key]
        return json.dumps(content)

    return damage


DAMAGES = {
    "empty": lambda text: "",
    "cut short": lambda text: text[: len(text) // 2],
    "last bracket lost": lambda text: text[:-1],
    "not JSON": lambda text: "\x00\x01",
    "a list": lambda text: "[]",
    "a number": lambda text: "3",
    "null": lambda text: "null",
    "no header": without("header"),
    "header a list": change(header=[]),
    "no key": without("key"),
    "other key": change(key="('sample', 'other')"),
    "no looks": without("looks"),
    "looks lost": change(looks=[]),
    "sequences lost": change(sequences={}),
    "sequences a list": change(sequences=[]),
    "replicates": change(replicates=1),
    "replicates negative": change(replicates=-64),
    "replicates NaN": change(replicates=math.nan),
    "unknown kind": kind("Guess"),
    "wrong kind": kind("Probability"),
    "NaN": spoil(math.nan),
    "NaN at a look": spoil(math.nan, place="looks"),
    "infinity": spoil(math.inf),
    "text for a number": spoil("much"),
    "another number": spoil(0.25),
    "another number at a look": spoil(0.25, place="looks"),
    "more successes than draws": spoil(10**9, "small"),
    "another number of a heavy tail": spoil(0.25, "heavy"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_refused_with_path_and_remedy(tmp_path, damage):
    measure(tmp_path)
    path = only_file(tmp_path)
    path.write_text(DAMAGES[damage](path.read_text(encoding="utf-8")), encoding="utf-8")
    source, calls = numbers()
    with pytest.raises(ValueError, match="kept measurement") as found:
        sampled(context(tmp_path), source, LAST + 1)
    assert str(path) in str(found.value)
    assert "--resume" in str(found.value)
    assert calls == []


def test_bytes_that_are_no_text_are_refused_as_well(tmp_path):
    measure(tmp_path)
    path = only_file(tmp_path)
    path.write_bytes(b"\xff\xfe" + path.read_bytes())
    with pytest.raises(ValueError, match="kept measurement") as found:
        measure(tmp_path)
    assert str(path) in str(found.value)


# -- places that cannot be written ---------------------------------------------------------------


def test_a_folder_that_cannot_be_made_does_not_stop_a_measurement(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    found, _ = measure(tmp_path / "file" / "kept")
    straight, _ = measure(tmp_path / "straight")
    assert states(found) == states(straight)


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), PermissionError(13, "")])
def test_a_full_disk_does_not_stop_a_measurement(tmp_path, monkeypatch, error):
    def full(*arguments):
        raise error

    straight, _ = measure(tmp_path / "straight")
    monkeypatch.setattr(os, "replace", full)
    found, _ = measure(tmp_path / "kept")
    assert states(found) == states(straight)
    assert list((tmp_path / "kept").iterdir()) == []


def test_a_write_that_fails_leaves_the_last_whole_file(tmp_path, monkeypatch):
    measure(tmp_path, look=3)
    path = only_file(tmp_path)
    before = path.read_bytes()

    def full(*arguments):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        straight, _ = measure(tmp_path)
    assert only_file(tmp_path).read_bytes() == before
    resumed, calls = measure(tmp_path)
    assert calls[0][0] == 3 * BLOCK
    assert states(resumed) == states(straight)


@pytest.mark.parametrize(
    ("stop", "said"), [(OSError(28, "No space left"), "No space left"), (KeyboardInterrupt(), "^$")]
)
def test_a_file_is_replaced_at_once_or_not_at_all(tmp_path, monkeypatch, stop, said):
    """Under its name there is the old file or the new one, and no rest beside it."""
    path = tmp_path / "name.json"

    def fails(*arguments):
        raise stop

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fails)
        with pytest.raises((UsageError, KeyboardInterrupt), match=said):
            write_atomic(path, "new")
    assert list(tmp_path.iterdir()) == []
    write_atomic(path, "old")
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fails)
        with pytest.raises((UsageError, KeyboardInterrupt), match=said):
            write_atomic(path, "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


# -- the program ---------------------------------------------------------------------------------


@pytest.fixture
def program(verify, monkeypatch):
    """Run the program over one measured claim; *fail_at*: the draw that is interrupted."""

    def call(*arguments, fail_at=None):
        source, calls = numbers(fail_at=fail_at)
        registry = Registry()
        registry.add(Claim("a.one", "a", "a"))
        case = Case(
            "E[x]", source.sizes, Statistic((source,)), lambda view: Between(0.25, 0.25, 0.08)
        )
        measured(registry, "a.one", lambda printed, context: [case], method="m", group="g")
        monkeypatch.setattr(running, "catalogue", lambda: registry)
        options = ("--workers", "0", "--device", "cpu", "--json", "-")
        status, out, err = verify("run", "a.one", *options, *arguments)
        return status, (json.loads(out) if out else None), err, calls

    return call


@pytest.fixture
def samples(tmp_path):
    """What is kept at the moment."""

    def names():
        return sorted((tmp_path / "cache" / "runs").glob("*/samples/*"))

    return names


def cases(data):
    return data["claims"][0]["evidence"][0]["detail"]["cases"]


def test_an_interrupt_keeps_samples_and_a_finished_run_removes_them(program, samples):
    _, straight, _, all_calls = program()
    assert cases(straight)[0]["replicates"] > 3 * BLOCK
    assert samples() == []
    status, data, err, _ = program(fail_at=4)
    assert (status, data) == (3, None)
    assert "--resume" in err
    assert len(samples()) == 1
    status, resumed, _, calls = program("--resume")
    assert status == 0
    assert cases(resumed) == cases(straight)
    assert calls == all_calls[3:]
    assert samples() == []


@pytest.mark.parametrize("seed", ["0", "1"])
def test_a_fresh_start_takes_up_nothing_and_discards_nothing(program, samples, seed):
    _, _, _, all_calls = program()
    assert program(fail_at=4)[0] == 3
    kept = samples()
    status, fresh, _, calls = program("--seed", seed)
    assert status == 0
    assert calls[0][0] == 0
    assert fresh["run"]["seed"] == int(seed)
    assert samples() == kept
    assert program("--resume")[3] == all_calls[3:]
    assert samples() == []


def test_a_second_interrupt_keeps_what_the_first_had(program, samples):
    _, straight, _, all_calls = program()
    assert program(fail_at=3)[0] == 3
    assert program("--resume", fail_at=2)[0] == 3
    assert len(samples()) == 1
    status, resumed, _, calls = program("--resume")
    assert status == 0
    assert cases(resumed) == cases(straight)
    assert calls == all_calls[3:]


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--seed", "5", "seed 0, this one 5"),
        ("--budget", "1e-5", "budget of each paper, this one 1e-05"),
        ("--profile", "standard", "profile quick, this one standard"),
    ],
)
def test_resuming_as_another_run_is_bad_usage_and_keeps_what_is_kept(
    program, samples, option, value, words
):
    assert program(fail_at=4)[0] == 3
    status, data, err, calls = program("--resume", option, value)
    assert (status, data, calls) == (2, None, [])
    assert words in err
    assert len(samples()) == 1


def test_a_damaged_sample_is_an_error_of_its_check_with_path_and_remedy(program, samples):
    assert program(fail_at=4)[0] == 3
    (path,) = samples()
    path.write_text("{", encoding="utf-8")
    status, data, _, calls = program("--resume")
    evidence = data["claims"][0]["evidence"][0]
    assert status == 1
    assert evidence["verdict"] == "error"
    assert str(path) in evidence["detail"]["summary"]
    assert "remove" in evidence["detail"]["summary"]
    assert calls == []
