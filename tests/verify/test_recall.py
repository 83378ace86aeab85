"""One memory at the command line: what is counted, what is kept, and how it goes on."""

import json
from contextlib import contextmanager

import pytest

from verify.capacity import recall as recalling
from verify.running import cache


def states(tmp_path):
    return sorted((tmp_path / "cache" / "recall").glob("*.json"))


CASES = [
    ("linear", ["--d", "24"], {"d": 24}),
    ("low-rank", ["--d", "24", "--m", "12"], {"d": 24, "m": 12, "factors": "gaussian"}),
    ("quantized", ["--d", "24", "--bits", "2"], {"d": 24, "bits": 2}),
    ("mlp", ["--d", "16", "--m", "64"], {"d": 16, "m": 64, "k": 2}),
]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("memory", "options", "sizes"), CASES, ids=[c[0] for c in CASES])
def test_the_numbers_are_those_of_the_memory_recalled_at_once(
    verify, tmp_path, memory, options, sizes, dtype
):
    import torch

    from numerics import recall
    from verify.capacity import construction

    asked = [memory, *options, "--N", "40", "--M", "50", "--seed", "7", "--dtype", dtype]
    status, out, _ = verify("recall", *asked, "--device", "cpu", "--json")
    data = json.loads(out)
    assert status == 0
    assert data["sizes"] == {**sizes, "N": 40, "M": 50}
    built = construction(memory, sizes)
    expected = recall(built.sample(40, 50, seed=7, dtype=getattr(torch, dtype), device="cpu"))
    assert (data["correct"], data["total"]) == (expected.correct, 40)
    assert data["minimum_margin"] == expected.minimum_margin
    assert (data["ties"], data["recomputed"]) == (expected.ties, expected.recomputed)
    assert data["gflops"] > 0
    assert not states(tmp_path)


def test_the_text_says_what_was_counted(verify):
    status, out, _ = verify("recall", "linear", "--d", "64", "--N", "10")
    assert status == 0
    assert "linear memory, d = 64, N = 10, M = 10, float32" in out
    assert "recalled      10 of 10 facts" in out
    for word in ("least margin", "ties", "float64", "GFLOP/s"):
        assert word in out


@contextmanager
def interrupted_after(blocks):
    """Interrupts the decoder after so many blocks."""
    from numerics.decoding import Decoder

    left, advance = iter(range(blocks)), Decoder.advance

    def counted(decoder):
        if next(left, None) is None:
            raise KeyboardInterrupt
        advance(decoder)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Decoder, "advance", counted)
        yield


ASKED = ["recall", "linear", "--d", "8", "--N", "5000", "--device", "cpu"]


def test_an_interrupt_keeps_the_finished_parts_and_resume_goes_on(verify, tmp_path):
    with interrupted_after(2):
        status, out, _ = verify(*ASKED)
    assert status == 3
    assert "Interrupted: 2048 of 5000 facts are decided and kept." in out
    assert "--resume" in out
    assert len(states(tmp_path)) == 1

    with interrupted_after(3):  # what is left of five blocks, and not one more
        status, out, _ = verify(*ASKED, "--resume", "--json")
    resumed = json.loads(out)
    assert status == 0
    assert not states(tmp_path)
    at_once = json.loads(verify(*ASKED, "--json")[1])
    for key in ("correct", "minimum_margin", "ties", "recomputed", "rounding_bound"):
        assert resumed[key] == at_once[key]


def test_without_resume_it_starts_afresh(verify):
    with interrupted_after(2):
        verify(*ASKED)
    with interrupted_after(1):
        assert "Interrupted: 1024 of 5000" in verify(*ASKED)[1]


def test_an_interrupt_while_the_memory_is_built_says_so(verify, monkeypatch):
    from verify.capacity.linear import LinearConstruction

    def sample(self, N, M, **settings):
        raise KeyboardInterrupt

    monkeypatch.setattr(LinearConstruction, "sample", sample)
    status, out, _ = verify(*ASKED)
    assert status == 3
    assert "Interrupted: 0 of 5000 facts were decided; the memory was still being built." in out


def test_only_the_same_recall_is_resumed(verify):
    with interrupted_after(2):
        verify(*ASKED)
    status, _, err = verify(*ASKED, "--seed", "1", "--resume")
    assert status == 2
    assert "--resume: no recall of this memory was interrupted" in err


def test_a_damaged_state_is_refused(verify, tmp_path):
    with interrupted_after(2):
        verify(*ASKED)
    (state,) = states(tmp_path)
    state.write_text("{", encoding="utf-8")
    status, _, err = verify(*ASKED, "--resume")
    assert status == 2
    assert str(state) in err
    assert "damaged" in err


def test_where_nothing_can_be_kept_it_runs_all_the_same(verify, tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    monkeypatch.setattr(cache, "user_cache_path", lambda name: blocked)
    assert verify(*ASKED)[0] == 0
    with interrupted_after(2):
        assert "nothing could be kept" in verify(*ASKED)[1]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["linear", "--d", "8"], ["--N", "missing", "20000"]),
        (["linear", "--N", "8"], ["--d", "missing"]),
        (["linear", "--d", "8", "--N", "9", "--M", "5"], ["--N", "9", "M = 5"]),
        (["low-rank", "--d", "8", "--N", "9"], ["--m", "missing"]),
        (["attention", "--d", "8", "--N", "9"], ["MEMORY", "attention"]),
        (["linear", "--d", "9999999", "--N", "99999999"], ["--N", "GiB", "take fewer"]),
        (["linear", "--d", "8", "--N", "9", "--resume"], ["--resume", "without it"]),
    ],
    ids=str,
)
def test_errors_name_the_option_and_the_remedy(verify, options, named):
    status, _, err = verify("recall", *options)
    assert status == 2
    for word in named:
        assert word in err


def test_another_card_does_not_go_on_with_what_was_interrupted(monkeypatch):
    places = set()
    for made_with in ({}, {"card": "H200", "driver": "1"}, {"card": "T4", "driver": "1"}):
        monkeypatch.setattr(recalling, "machine", lambda device, it=made_with: it)
        asked = recalling.Request.read(
            "linear", {"d": 8, "N": 4}, seed=0, dtype="float32", device="cuda"
        )
        places.add(asked.state)
    assert len(places) == 3


def test_two_processes_do_not_share_what_is_kept(verify, tmp_path):
    from filelock import FileLock

    with interrupted_after(3):
        assert verify(*ASKED)[0] == 3
    (kept,) = states(tmp_path)
    before = kept.read_bytes()
    with FileLock(cache.cache_folder("locks") / f"{kept.stem}.lock"):
        for more in ((), ("--resume",)):
            status, _, err = verify(*ASKED, *more)
            assert status == 2
            assert err.startswith("verify: --seed: another process asks the same memory now")
    assert kept.read_bytes() == before
    assert verify(*ASKED, "--resume")[0] == 0
