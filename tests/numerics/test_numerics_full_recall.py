"""Recall in parts: that of one call bit for bit, whenever interrupted; no file is trusted blindly."""

import json
import os

import pytest
import torch

from numerics import InputError, LinearMemory, LowRankMemory, Stream, recall, sample_sphere
from numerics.decoding import Decoder
from numerics.draws import full_recall
from numerics.draws.full_recall import recall_in_parts

DTYPES = [torch.float32, torch.float64]
BLOCK = (8, 30)


def many_doubts(dtype=torch.float32):
    """Forty of the 70 outputs are twins: their facts are ties, and in doubt in float32."""
    inputs, outputs = (sample_sphere(70, 40, stream=Stream(i), dtype=dtype) for i in (0, 1))
    return LinearMemory(inputs, torch.cat([outputs[:50], outputs[:20]]), torch.arange(70))


def same(a, b):
    assert a == b
    assert torch.equal(a.margins, b.margins)


class Stopped(BaseException):
    """An interruption; pytest itself would stop at a KeyboardInterrupt that went astray."""


class Interrupt:
    """Raises Stopped in place of block number `at` of a run."""

    def __init__(self, monkeypatch, at):
        self.left = at
        advance = Decoder.advance

        def interrupted(decoder):
            if not self.left:
                raise Stopped
            self.left -= 1
            advance(decoder)

        monkeypatch.setattr(Decoder, "advance", interrupted)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("part_rows", [1, 8, 20, 1000])
@pytest.mark.parametrize("kept", [False, True])
def test_parts_give_the_same_as_one_call(tmp_path, dtype, part_rows, kept):
    state = tmp_path / "run.json" if kept else None
    for memory in (
        many_doubts(dtype),
        LinearMemory.sample(12, 50, 61, seed=1, dtype=dtype),
        LowRankMemory.sample(12, 50, 61, m=7, seed=1, dtype=dtype),
    ):
        whole = recall(memory, block=BLOCK, keep_margins=True)
        parts = recall_in_parts(
            memory, part_rows=part_rows, state=state, block=BLOCK, keep_margins=True
        )
        same(parts, whole)
        assert recall_in_parts(memory, part_rows=part_rows, block=BLOCK).margins is None
        if kept:
            state.unlink()
    default = recall_in_parts(memory, part_rows=part_rows, keep_margins=True)
    same(default, recall(memory, keep_margins=True))


def blocks_of(memory):
    doubts = recall(memory, block=BLOCK).recomputed
    return -(-len(memory.inputs) // BLOCK[0]) - (-doubts // BLOCK[0]), doubts


def test_an_interruption_at_any_block_loses_at_most_one_part(tmp_path):
    memory = many_doubts()
    whole = recall(memory, block=BLOCK, keep_margins=True)
    blocks, doubts = blocks_of(memory)
    assert doubts > 2 * BLOCK[0]
    for at in range(blocks):
        state = tmp_path / f"{at}.json"
        with pytest.MonkeyPatch.context() as patch:
            Interrupt(patch, at)
            with pytest.raises(Stopped):
                recall_in_parts(memory, part_rows=12, state=state, block=BLOCK)
        done = []
        with pytest.MonkeyPatch.context() as patch:
            # 70 rows are nine blocks, in parts of two; every block of doubtful rows is a part.
            first = min(at, 9)
            lost = first % 2 if first < 9 else 0
            rest = Interrupt(patch, blocks - at + lost)
            found = recall_in_parts(
                many_doubts(),
                part_rows=12,
                state=state,
                block=BLOCK,
                keep_margins=True,
                progress=lambda rows, total, done=done: done.append((rows, total)),
            )
            assert rest.left == 0
        assert done[0] == (min(8 * (first - lost), 70), 70)
        assert done[-1] == (70, 70)
        same(found, whole)


def test_twice_interrupted_is_resumed_twice(tmp_path):
    memory, state = many_doubts(), tmp_path / "run.json"
    for at in (3, 4):
        with pytest.MonkeyPatch.context() as patch:
            Interrupt(patch, at)
            with pytest.raises(Stopped):
                recall_in_parts(memory, part_rows=1, state=state, block=BLOCK)
    assert json.loads(state.read_text())["content"]["done"] == 56
    found = recall_in_parts(memory, part_rows=1, state=state, block=BLOCK, keep_margins=True)
    same(found, recall(memory, block=BLOCK, keep_margins=True))


def test_a_finished_file_gives_its_result_without_work(tmp_path, monkeypatch):
    memory, state = many_doubts(), tmp_path / "run.json"
    arguments = {"part_rows": 12, "state": state, "block": BLOCK, "keep_margins": True, "seed": 4}
    first = recall_in_parts(memory, **arguments)
    Interrupt(monkeypatch, 0)
    calls = []
    again = recall_in_parts(memory, progress=lambda *done: calls.append(done), **arguments)
    same(first, again)
    assert calls == [(70, 70)]


def test_progress_follows_the_saved_parts(tmp_path):
    state = tmp_path / "run.json"
    calls = []

    def progress(done, total):
        assert json.loads(state.read_text())["content"]["done"] == done
        calls.append((done, total))

    recall_in_parts(many_doubts(), part_rows=20, state=str(state), block=BLOCK, progress=progress)
    assert calls == [(0, 70), (24, 70), (48, 70), (70, 70)]


def begun(tmp_path, memory=None, **arguments):
    """A file of a run interrupted after three blocks."""
    state = tmp_path / "run.json"
    with pytest.MonkeyPatch.context() as patch:
        Interrupt(patch, 3)
        with pytest.raises(Stopped):
            recall_in_parts(
                memory or many_doubts(), part_rows=1, state=state, block=BLOCK, **arguments
            )
    return state


def refused(state, message, memory=None, **arguments):
    """The file is refused, and left as it is."""
    before = state.read_bytes()
    with pytest.raises(InputError, match=message):
        recall_in_parts(
            memory or many_doubts(), **{"part_rows": 1, "state": state, "block": BLOCK, **arguments}
        )
    assert state.read_bytes() == before


def test_a_damaged_file_is_refused(tmp_path):
    state = begun(tmp_path)
    sound = state.read_bytes()
    step = len(sound) // 97
    for at in range(0, len(sound), step):
        state.write_bytes(sound[:at])
        refused(state, "damaged")
        # Another digit or letter, wherever it falls.
        byte = b"7" if sound[at : at + 1] != b"7" else b"3"
        state.write_bytes(sound[:at] + byte + sound[at + 1 :])
        refused(state, "damaged")
    for content in (
        b"",
        b"null",
        b"[]",
        b"{}",
        b'{"content": {}, "digest": 3}',
        b"\xff\xfe",
        b"[" * 10**5,
    ):
        state.write_bytes(content)
        refused(state, "damaged, or no file of this kind: move it away")
    state.write_bytes(sound)
    assert recall_in_parts(many_doubts(), part_rows=1, state=state, block=BLOCK).total == 70


def test_a_file_of_another_run_is_refused_by_name(tmp_path):
    memory = many_doubts()
    state = begun(tmp_path, memory, seed=1)
    inputs, outputs, association = memory.inputs, memory.outputs, memory.association
    refused(state, "seed is 1 there and 2 here", seed=2)
    refused(state, "seed is 1 there and None here")
    refused(state, r"block is \[8, 30\] there and \[8, 31\] here", seed=1, block=(8, 31))
    refused(state, "dtype", many_doubts(torch.float64), seed=1)
    smaller = LinearMemory(inputs[:69], outputs, association[:69])
    refused(state, "N is 70 there and 69 here", smaller, seed=1)
    wider = LinearMemory(inputs, torch.cat([outputs, outputs]), association)
    refused(state, "M is 70 there and 140 here", wider, seed=1)
    swapped = association.clone()
    swapped[[68, 69]] = association[[69, 68]]
    other_facts = LinearMemory(inputs, outputs, swapped).with_weight(memory.weight)
    refused(state, "facts is", other_facts, seed=1)
    weight = memory.weight.clone()
    weight[3, 4] *= 1 + 2.0**-23
    refused(state, "images is", memory.with_weight(weight), seed=1)
    for name in ("torch", "numpy"):
        with pytest.MonkeyPatch.context() as patch:
            module = torch if name == "torch" else full_recall.np
            patch.setattr(module, "__version__", "0.0.1")
            refused(state, f"{name} is .* there and '0.0.1' here", seed=1)
    part = recall_in_parts(memory, part_rows=1, state=state, block=BLOCK, seed=1)
    assert part == recall(memory, block=BLOCK)


def test_a_memory_that_differs_on_late_inputs_alone_is_refused(tmp_path):
    inputs = torch.eye(128, dtype=torch.float64)
    outputs = sample_sphere(128, 128, stream=Stream(0))
    memory = LinearMemory(inputs, outputs, torch.arange(128))
    state = begun(tmp_path, memory)
    weight = memory.weight.clone()
    weight[:, 64:] = 0
    refused(state, "images is", memory.with_weight(weight))
    assert recall_in_parts(memory, part_rows=1, state=state, block=BLOCK) == recall(
        memory, block=BLOCK
    )


def test_an_interrupted_save_leaves_the_file_before_it(tmp_path, monkeypatch):
    state = begun(tmp_path)
    before = state.read_bytes()

    def no_replace(source, target):
        assert os.path.dirname(source) == str(tmp_path)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", no_replace)
    with pytest.raises(KeyboardInterrupt):
        recall_in_parts(many_doubts(), part_rows=1, state=state, block=BLOCK)
    assert state.read_bytes() == before
    assert list(tmp_path.iterdir()) == [state]


def test_a_file_that_cannot_be_written_is_noticed_before_any_work(tmp_path, monkeypatch):
    Interrupt(monkeypatch, 0)
    with pytest.raises(InputError, match="cannot be written: No such file or directory"):
        recall_in_parts(many_doubts(), part_rows=1, state=tmp_path / "none" / "run.json")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        recall_in_parts(many_doubts(), part_rows=1, state=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_overflowing_scores_are_refused_at_the_end_and_after_it(tmp_path):
    memory = LinearMemory.sample(8, 8, seed=1)
    memory = LinearMemory(memory.inputs, memory.outputs * 2.0**520, memory.association)
    for _ in range(2):
        with pytest.raises(InputError, match="overflow"):
            recall_in_parts(memory, part_rows=1, state=tmp_path / "run.json")


def test_gradients_are_not_followed(tmp_path):
    memory = LinearMemory.sample(4, 6, seed=0)
    trained = LinearMemory(
        memory.inputs.clone().requires_grad_(), memory.outputs, memory.association
    )
    state = tmp_path / "run.json"
    assert recall_in_parts(trained, part_rows=2, state=state) == recall(memory)


@pytest.mark.parametrize("part_rows", [0, -1, 2.0, True])
def test_bad_parts_are_rejected(part_rows):
    with pytest.raises(InputError, match="part_rows"):
        recall_in_parts(many_doubts(), part_rows=part_rows)


def test_bad_arguments_are_rejected():
    for seed in (-1, 1.0, "a"):
        with pytest.raises(InputError, match="seed"):
            recall_in_parts(many_doubts(), part_rows=1, seed=seed)
    with pytest.raises(InputError, match="block"):
        recall_in_parts(many_doubts(), part_rows=1, block=(0, 1))
