"""Values and memories drawn a second, on one thread of a CPU.

`python benchmarks/draws.py [--repeats N] [--json PATH]`: unit vectors in float64 by each program of
`numerics.random`, against `torch.randn`, which only draws, and against numpy's normal values divided by
their lengths; small memories one by one against many at once. Medians of rounds in which all take turns.
"""

import argparse
import statistics
from collections.abc import Callable

import numpy as np
import torch
from common import interleaved, machine, parsed, show_machine, written

from numerics import LinearMemory, Stream
from numerics.draws.counting import lost_facts
from numerics.draws.linear_margin import failures
from numerics.random import compiled, reference, tensors
from numerics.random.law import Box

VALUES = 2**20
DIMENSIONS = (2, 16, 64, 1024)
SIZES = {"d": 16, "N": 30, "M": 30}
MEMORIES = 400


def programs(d: int) -> dict[str, Callable[[], object]]:
    """What is timed for unit vectors in R^d."""
    rows = VALUES // d
    box, out = Box(1, 0, 1, 0, rows, d), torch.empty(1, rows, d, dtype=torch.float64)
    plain = torch.empty(rows, d, dtype=torch.float64)
    generator = np.random.Generator(np.random.Philox(1))

    def by_numpy() -> None:
        drawn = generator.standard_normal((rows, d))
        drawn /= np.sqrt(np.add.reduce(drawn * drawn, axis=-1, keepdims=True))

    return {
        "torch.randn": plain.normal_,
        "numpy, normalised": by_numpy,
        "reference": lambda: reference.fill(box, out, unit=True),
        "compiled": lambda: compiled.fill(box, out, unit=True),
        "tensors": lambda: tensors.fill(box, out, unit=True),
    }


def memories() -> dict[str, Callable[[], object]]:
    """What is timed for memories."""

    def one_by_one() -> None:
        lost_facts(
            lambda stream: LinearMemory.sample(**SIZES, seed=stream),
            MEMORIES,
            stream=Stream(0, "speed"),
            start=0,
        )

    return {
        "one by one": one_by_one,
        "many at once": lambda: failures(**SIZES, replicates=MEMORIES, seed=0),
    }


def rates(works: dict[str, Callable[[], object]], count: int, repeats: int) -> dict[str, float]:
    """How many a second, by the median time."""
    seconds = interleaved(works, repeats)
    return {name: count / statistics.median(taken) for name, taken in seconds.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=15)
    arguments = parsed(parser, "repeats")
    torch.set_num_threads(1)
    here = machine()
    show_machine(here)
    drawn = {}
    for d in DIMENSIONS:
        drawn[d] = found = rates(programs(d), VALUES, arguments.repeats)
        print(f"unit vectors, d = {d}")
        for name, rate in found.items():
            ratio = rate / found["torch.randn"]
            print(f"  {name:20s} {rate / 1e6:8.1f} million values/s   {ratio:5.2f} x torch.randn")
    asked = rates(memories(), MEMORIES, arguments.repeats)
    print("memories, d = 16, N = M = 30")
    for name, rate in asked.items():
        print(f"  {name:20s} {rate:8.0f} a second   {rate / asked['one by one']:5.2f} x one by one")
    written({"machine": here, "values": drawn, "memories": asked}, arguments.json)


if __name__ == "__main__":
    main()
