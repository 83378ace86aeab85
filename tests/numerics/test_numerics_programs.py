"""The programs that draw: one definition, the same bits, and what a slip in one of them changes."""

import hashlib
import json
import os
import re
import subprocess
import sys
from types import ModuleType

import numpy as np
import pytest
import torch
from torch import Tensor

from numerics import InputError, Stream, compiling, replicate_spheres, sample_sphere
from numerics.random import law, program_name, programs, reference, samples, tensors
from numerics.random.law import Box

CPU = torch.device("cpu")
#: Boxes that begin and end inside panels, are one row wide, have short runs and long ones, and more than
#: what any program works on at once.
BOXES = [
    Box(2**127 + 5, 7, 3, 2**63, 70, 9),
    Box(9, 2**64 - 4, 3, 0, 2100, 40),
    Box(8, 0, 1, 5, 80, 2100),
    Box(123 | 9 << 64, 3, 5, 0, 7, 10),
    Box(77, 0, 1, 1000, 33, 64),
    Box(5, 2**40, 2, 2**63, 5, 3),
    Box(5, 2, 2, 3, 5, 1),
    Box(2**128 - 1, 2**64 - 2, 2, 2**64 - 9, 5, 2),
    Box(6, 1, 1, 0, 3, 300),
]
#: BLAKE2b of words, normal values and unit vectors of all boxes: they change with the definition alone.
GOLDEN = {
    "words": "390209ab64b51183b6fc338a3939b571",
    "normals": "5b9636479fc26c0e0d08e869779fc183",
    "units": "5502d6e129be0fcd644615d6cf17964a",
}


def installed(name: str) -> ModuleType:
    return pytest.importorskip(f"numerics.random.{name}", exc_type=ImportError)


def drawn(program: ModuleType, box: Box, kind: str) -> Tensor:
    if kind == "words":
        found: Tensor = program.words(box, CPU)
        return found
    out = torch.zeros((box.replicates, box.rows, box.d), dtype=torch.float64)
    program.fill(box, out, unit=kind == "units")
    return out


def digests(program: ModuleType) -> dict[str, str]:
    def digest(kind: str) -> str:
        parts = (drawn(program, box, kind).numpy().tobytes() for box in BOXES)
        return hashlib.blake2b(b"".join(parts), digest_size=16).hexdigest()

    return {kind: digest(kind) for kind in GOLDEN}


@pytest.mark.parametrize("name", ["reference", "compiled", "tensors"])
def test_every_program_draws_the_same_bits(name: str) -> None:
    assert digests(installed(name)) == GOLDEN


def test_the_kernel_draws_the_same_bits_in_the_interpreter() -> None:
    installed("fused")
    code = (
        "import importlib, json, sys; sys.path[:0] = sys.argv[1:];"
        "import test_numerics_programs as tests; from numerics.random import fused;"
        "print(json.dumps(tests.digests(fused)))"
    )
    here = os.path.dirname(__file__)
    found = subprocess.run(
        [sys.executable, "-c", code, here],
        env={**os.environ, "TRITON_INTERPRET": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(found.stdout) == GOLDEN


@pytest.mark.parametrize(("levels", "kind"), [(2, "normals"), (6, "units"), (10, "units")])
def test_the_emitted_kernel_rounds_every_operation(levels: int, kind: str) -> None:
    fused, triton = installed("fused"), pytest.importorskip("triton")
    target = pytest.importorskip("triton.backends.compiler").GPUTarget("cuda", 90, 32)
    numbers = dict.fromkeys(("k0", "k1"), "i64")
    numbers |= dict.fromkeys(("start", "first", "rows", "total", "d"), "i32")
    chosen = {"kind": kind, "some": 2, "levels": levels}
    signature = {"out": "*fp64", "table": "*fp64", **numbers, **dict.fromkeys(chosen, "constexpr")}
    source = triton.compiler.ASTSource(fused.kernel, signature, constexprs=chosen)
    code = triton.compile(source, target=target, options=fused.OPTIONS).asm["ptx"]
    arithmetic = set(re.findall(r"\b(?!selp)[a-z]+\.[a-z.]*f64", code))
    assert arithmetic == {
        f"{operation}.rn.f64"
        for operation in ("mul", "add", "sub", *(("div", "sqrt") if kind == "units" else ()))
    }
    fusing = {**fused.OPTIONS, "enable_fp_fusion": True}
    assert "fma.rn.f64" in triton.compile(source, target=target, options=fusing).asm["ptx"]


def test_a_value_depends_on_each_part_of_its_address() -> None:
    base = Box(11, 4, 1, 6, 1, 9)
    first = reference.words(base, CPU)
    for other in (
        Box(12, 4, 1, 6, 1, 9),
        Box(11 | 1 << 64, 4, 1, 6, 1, 9),
        Box(11, 5, 1, 6, 1, 9),
        Box(11, 4, 1, 7, 1, 9),
    ):
        assert not bool((reference.words(other, CPU) == first).any())
    assert len(torch.unique(first)) == 9


def test_values_by_address_are_no_words_of_a_generator() -> None:
    stream = Stream(3, "a").replicate(2)
    by_address = reference.words(Box(stream.key, 2, 1, 0, 4096, 4), CPU)
    raw = torch.from_numpy(stream.generator().bit_generator.random_raw(4 * 4096).view(np.int64))
    assert not bool(torch.isin(by_address, raw).any())


@pytest.mark.parametrize("change", ["sign", "piece", "order", "tree", "root", "rounds", "key"])
def test_a_slip_in_a_program_is_seen(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if change == "sign":
        monkeypatch.setattr(tensors, "_normals", lambda words: -_normals(words))
    elif change == "piece":
        monkeypatch.setattr(tensors, "FIRST", tensors.FIRST + 1)
    elif change == "order":
        monkeypatch.setattr(tensors, "DEGREE", tensors.DEGREE - 1)
    elif change == "tree":
        monkeypatch.setattr(tensors, "_sum_of_squares", lambda z: (z * z).sum(-1, keepdim=True))
    elif change == "root":
        up = torch.tensor(torch.inf)
        monkeypatch.setattr(tensors, "_root", lambda s: torch.nextafter(torch.sqrt(s), up))
    elif change == "rounds":
        monkeypatch.setattr(law, "ROUNDS", law.ROUNDS - 1)
    else:
        monkeypatch.setattr(law, "WEYL", law.WEYL[::-1])
    assert digests(tensors) != GOLDEN


_normals = tensors._normals


def test_the_root_is_correctly_rounded() -> None:
    squares = torch.from_numpy(Stream(1, "roots").generator().gamma(2.0, size=200_000))
    exact = torch.from_numpy(np.sqrt(squares.numpy()))
    assert torch.equal(tensors._root(squares), exact)
    # A root that is an ulp off, to either side, is mended too.
    for by in (-1, 1):
        near = (exact.view(torch.int64) + by).view(torch.float64)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(torch, "sqrt", lambda _, near=near: near)
            assert torch.equal(tensors._root(squares), exact)


def test_large_samples_do_not_depend_on_how_they_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    def both() -> tuple[Tensor, Tensor]:
        return (
            sample_sphere(70, 5, stream=Stream(2), dtype=torch.float32),
            replicate_spheres(9, 4, 3, stream=Stream(2), start=5),
        )

    whole = both()
    for at_once in (1, 30, 40, 100):
        monkeypatch.setattr(samples, "_AT_ONCE", at_once)
        for one, other in zip(both(), whole, strict=True):
            assert torch.equal(one, other)


def test_many_values_are_drawn_by_the_compiled_program(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, drawn = installed("compiled"), programs._Drawn()
    monkeypatch.setattr(programs, "_drawn", drawn)
    half = programs._WORTH_LOADING // 2
    assert programs.program(CPU, half) is reference
    assert programs.program(CPU, half - 1) is reference
    assert programs.program(CPU, 1) is compiled
    assert programs.program(CPU, 1) is compiled
    drawn.values = 0
    assert programs.program(CPU, 2 * half) is compiled
    monkeypatch.setattr(programs, "numba_is_there", lambda: False)
    assert programs.program(CPU, 2 * half) is reference
    assert program_name("cpu") == "reference"


def test_without_a_folder_to_write_to_the_reference_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(name: str) -> ModuleType:
        if name.endswith("compiled"):
            raise RuntimeError("cannot cache function: no locator available")
        return reference

    monkeypatch.setattr(programs, "numba_is_there", lambda: True)
    monkeypatch.setattr(compiling, "numba_is_there", lambda: True)
    monkeypatch.setattr(compiling, "import_module", found)
    assert programs.program(CPU, 10**9) is reference


def test_the_programs_of_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(programs, "triton_is_there", lambda: True)
    assert program_name("cuda") == "fused"
    monkeypatch.setattr(programs, "triton_is_there", lambda: False)
    assert program_name("cuda:1") == "tensors"


def test_devices_of_unknown_rounding_are_refused() -> None:
    with pytest.raises(InputError, match="mps"):
        program_name("mps")


def test_a_damaged_table_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(law, "DIGEST", "0" * 32)
    with pytest.raises(ValueError, match="install again"):
        law.pieces.__wrapped__()
