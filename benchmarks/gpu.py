"""What a card does a second, against its own rates and a CPU: one script for any owner of a card.

`python benchmarks/gpu.py [--json PATH]`: values drawn, against writing as many; recall and the weight of
a large memory, against the card's own product; small memories drawn and asked, and claims judged,
against one thread of the CPU. Under ten minutes. Where there is no card it says what would be asked of
one: kernels, copies, bytes and waits, seen on a pretended device, and a time that is an estimate from
them.
"""

import argparse
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from common import machine, parsed, progress_line, run, show_machine, timed, written

from numerics import InputError, LinearMemory, Stream, recall, resolve_device, sample_sphere
from numerics.contracts import pretended_cuda
from numerics.draws.linear_margin import failures
from numerics.memories.linear import outer_product_weight
from numerics.random import program_name, sample_gaussian

#: What an estimate takes for granted: seconds of a launch and of a wait, and the rates of an H200 as its
#: makers state them, in bytes and in operations of float32 a second.
LAUNCH, WAIT, BYTES, OPERATIONS = 5e-6, 2e-5, 4.8e12, 6.7e13
REPEATS = 5
PLACES = ("cpu", "cuda")


@dataclass(frozen=True)
class Work:
    """Something to time: `run(device, size)`, and on the card what it is compared with.

    size: on a card, on the pretended one. Of a size: bytes written, operations of float32.
    """

    name: str
    unit: str
    sizes: tuple[int, int]
    run: Callable[[str, int], object]
    against: str
    base: Callable[[str, int], object]
    bytes: Callable[[int], float] = lambda size: 0
    operations: Callable[[int], float] = lambda size: 0


def _draw(d: int, *, unit: bool) -> Callable[[str, int], object]:
    draw = sample_sphere if unit else sample_gaussian
    return lambda device, size: draw(size // d, d, stream=Stream(0, "speed"), device=device)


def _written(device: str, size: int) -> object:
    return torch.ones(size, dtype=torch.float64, device=device)


def _large(device: str, N: int, d: int = 1024) -> LinearMemory:
    return LinearMemory.sample(d, N, seed=0, dtype=torch.float32, device=device)


def _products(device: str, N: int, d: int = 1024, rows: int = 4096) -> None:
    """The scores of N facts by the card's own product, tile by tile, and nothing else."""
    one = torch.ones(rows, d, device=device)
    other = torch.ones(16384, d, device=device)
    tile = torch.empty(rows, 16384, device=device)
    for _ in range(-(-N // rows) * -(-N // 16384)):
        torch.mm(one, other.T, out=tile)


def _weight(device: str, N: int) -> object:
    memory = _large(device, N)
    return outer_product_weight(memory.inputs, memory.outputs, memory.association)


def _values(name: str, d: int, *, unit: bool) -> Work:
    sizes, flops = (2**30, 2**22), 64
    draw = _draw(d, unit=unit)
    bytes_, operations = (lambda size: 8 * size), (lambda size: flops * size)
    return Work(name, "value", sizes, draw, "writing", _written, bytes_, operations)


WORKS = (
    _values("normal values", 64, unit=False),
    _values("unit vectors, d = 64", 64, unit=True),
    _values("unit vectors, d = 1024", 1024, unit=True),
    Work(
        "recall, d = 1024",
        "fact",
        (200_000, 4096),
        lambda device, N: recall(_large(device, N)),
        "products",
        _products,
        operations=lambda N: 2 * 1024 * N * N,
    ),
    Work(
        "the weight of a large memory, d = 1024",
        "fact",
        (200_000, 4096),
        _weight,
        "products",
        lambda device, N: torch.ones(1024, N, device=device) @ torch.ones(N, 1024, device=device),
        operations=lambda N: 2 * 1024 * 1024 * N,
    ),
    Work(
        "small memories, d = 64, N = 300",
        "memory",
        (20_000, 100),
        lambda device, count: failures(64, 300, 300, count, seed=0, device=device),
        "one thread of the CPU",
        lambda device, count: failures(64, 300, 300, max(count // 100, 1), seed=0),
        operations=lambda count: 2 * 64 * 300 * (300 + 4 * 64) * count,
    ),
)


def on_card(work: Work) -> dict[str, Any]:
    """The medians of the work and of what it is compared with, after one round that warms up."""
    size = work.sizes[0]

    def taken(run: Callable[[str, int], object]) -> float:
        def wait() -> None:
            run("cuda", size)
            torch.cuda.synchronize()

        return statistics.median([timed(wait)[0] for _ in range(REPEATS + 1)][1:])

    seconds, base = taken(work.run), taken(work.base)
    return {
        "seconds": seconds,
        f"{work.unit}s a second": size / seconds,
        "bytes a second": work.bytes(size) / seconds,
        f"seconds of {work.against}": base,
    }


def pretended(work: Work) -> dict[str, Any]:
    """What is asked of a card, and an estimate of the time."""
    size = work.sizes[1]
    with pretended_cuda() as used:
        work.run("cuda", size)
    asked = {
        "kernels": used.kernels,
        "copies": used.copies,
        "waits": used.waits.total(),
        "bytes": work.bytes(size),
        "operations": work.operations(size),
    }
    launched = used.kernels * LAUNCH + (used.waits.total() + used.copies) * WAIT
    streamed = max(asked["bytes"] / BYTES, asked["operations"] / OPERATIONS)
    return {"size": size, **asked, "estimated seconds": launched + streamed}


def profiles(device: str) -> float:
    """Seconds of the measured claims of Theorem 1 on a device, in a fresh process."""
    command = [sys.executable, "-m", "verify", "run", "nichani.thm1.*", "--road", "numerics"]
    return timed(lambda: run([*command, "--device", device]))[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    arguments = parsed(parser)
    torch.set_num_threads(1)
    here: dict[str, Any] = machine()
    try:
        resolve_device("cuda")
        there = True
    except InputError:
        there = False
    if there:
        here |= {
            "card": torch.cuda.get_device_name(),
            "cuda": torch.version.cuda,
            "drawn by": program_name("cuda"),
        }
    show_machine(here)
    print(here.get("card", "no card here: what would be asked of one, and estimates of the time"))
    results = {}
    for work in WORKS:
        progress_line(work.name)
        results[work.name] = found = on_card(work) if there else pretended(work)
        print(f"\n{work.name}")
        for name, value in found.items():
            print(f"  {name:32s} {value:12.4g}")
    if there:
        results["claims of Theorem 1"] = {
            f"seconds on {where}": profiles(where) for where in PLACES
        }
        print(results["claims of Theorem 1"])
    written({"machine": here, "pretended": not there, "results": results}, arguments.json)


if __name__ == "__main__":
    main()
