"""Rate and memory use of streaming recall, against the matrix products it cannot do without.

Serves the recall measurements:
`python benchmarks/recall.py [--large | --whole] [--device cuda] [--json PATH]`. On a GPU the products
are those of the card, so the ratio is recall's rate against the card's own.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
from functools import partial
from typing import Any

import torch
from common import extra_mebibytes, interleaved, machine, parsed, timed, written

from numerics import LinearMemory, Recall, recall, resolve_device
from numerics.decoding import DEFAULT_BLOCKS

STANDARD_SIZES = ((512, 20_000), (64, 20_000))
LARGE_SIZE = (128, 200_000)
#: Linear memories whose facts are recalled once, all of them, with the time to build.
WHOLE_SIZES = ((1536, 20_000), (2560, 50_000))
DTYPE = torch.float32


def bare_products(memory: LinearMemory, block: tuple[int, int]) -> None:
    """The two products of recall in float32, into buffers made once, and nothing else."""
    rows, columns = block
    (N, d), M = memory.inputs.shape, len(memory.outputs)
    device = memory.inputs.device
    image_buffer = torch.empty(rows, d, dtype=DTYPE, device=device)
    score_buffer = torch.empty(rows * columns, dtype=DTYPE, device=device)
    for row in range(0, N, rows):
        vectors = memory.inputs[row : row + rows]
        images = torch.mm(vectors, memory.weight.T, out=image_buffer[: len(vectors)])
        for column in range(0, M, columns):
            outputs = memory.outputs[column : column + columns]
            tile = score_buffer[: len(images) * len(outputs)].view(len(images), len(outputs))
            torch.mm(images, outputs.T, out=tile)
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def extra_memory(d: int, N: int, seed: int, device: torch.device) -> float:
    """The peak memory of one recall above that of the memory's tensors, in MiB."""
    memory = LinearMemory.sample(d, N, seed=seed, dtype=DTYPE, device=device)
    return extra_mebibytes(lambda: recall(memory), device.type)


def own_process(d: int, N: int, seed: int, device: torch.device) -> float:
    """`extra_memory`, on a CPU in a process of its own, whose peak is of this recall alone."""
    if device.type != "cpu":
        return extra_memory(d, N, seed, device)
    child = [sys.executable, __file__, "--extra-memory", str(d), str(N), "--seed", str(seed)]
    return float(subprocess.run(child, check=True, capture_output=True, text=True).stdout)


def measure(d: int, N: int, *, seed: int, repeats: int, device: torch.device) -> dict[str, Any]:
    """Interleaved timings of recall and of the bare products, and recall's extra memory."""
    block = DEFAULT_BLOCKS[device.type]
    memory = LinearMemory.sample(d, N, seed=seed, dtype=DTYPE, device=device)
    found: list[Recall] = []
    works = {
        "products": lambda: bare_products(memory, block),
        "recall": lambda: found.append(recall(memory)),
    }
    # The first round warms up, where there are others.
    seconds = interleaved(works, repeats, warm=repeats > 1)
    product_seconds, recall_seconds = seconds["products"], seconds["recall"]
    pairs = zip(product_seconds, recall_seconds, strict=True)
    result = found[-1]
    return {
        "d": d,
        "N": N,
        "M": N,
        "dtype": str(DTYPE),
        "block": block,
        "products_seconds": product_seconds,
        "recall_seconds": recall_seconds,
        "ratio": statistics.median(products / streaming for products, streaming in pairs),
        "score_gflops": 2e-9 * N * N * d / statistics.median(recall_seconds),
        "product_gflops": 2e-9 * N * N * d / statistics.median(product_seconds),
        "extra_memory_mib": own_process(d, N, seed, device),
        "accuracy": result.accuracy,
        "ties": result.ties,
        "recomputed": result.recomputed,
    }


def measure_whole(d: int, N: int, *, seed: int, device: torch.device) -> dict[str, Any]:
    """A memory of N facts built and recalled once, and the most memory this process has held."""
    sample = partial(LinearMemory.sample, d, N, seed=seed, dtype=DTYPE, device=device)
    built, memory = timed(sample)
    recalled, result = timed(lambda: recall(memory))
    return {
        "d": d,
        "N": N,
        "M": N,
        "dtype": str(DTYPE),
        "build_seconds": built,
        "recall_seconds": recalled,
        "score_gflops": 2e-9 * N * N * d / recalled,
        "peak_memory_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "correct": result.correct,
        "minimum_margin": result.minimum_margin,
        "ties": result.ties,
        "recomputed": result.recomputed,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true", help="only N = M = 200000, d = 128, once")
    parser.add_argument("--whole", action="store_true", help="only memories of model size, once")
    parser.add_argument("--repeats", type=int, default=7, help="timed rounds per size")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="cpu", help="cpu, cuda, or auto")
    parser.add_argument("--extra-memory", type=int, nargs=2, help=argparse.SUPPRESS)
    arguments = parsed(parser, "repeats")
    device = resolve_device(arguments.device)
    if arguments.extra_memory:
        d, N = arguments.extra_memory
        print(extra_memory(d, N, arguments.seed, device))
        return
    load = os.getloadavg()[0]
    if arguments.whole:
        results = [measure_whole(d, N, seed=arguments.seed, device=device) for d, N in WHOLE_SIZES]
        line = (
            "N = M = {N}, d = {d}: {correct} recalled in {recall_seconds:.0f} s, {score_gflops:.0f} "
            "GFlop/s, after {build_seconds:.0f} s to build; {peak_memory_mib:.0f} MiB"
        )
    else:
        sizes = (LARGE_SIZE,) if arguments.large else STANDARD_SIZES
        repeats = 1 if arguments.large else arguments.repeats
        results = [
            measure(d, N, seed=arguments.seed, repeats=repeats, device=device) for d, N in sizes
        ]
        line = (
            "N = M = {N}, d = {d}: {ratio:.2f} of the bare products' rate, {score_gflops:.0f} "
            "GFlop/s, {extra_memory_mib:.0f} MiB extra"
        )
    report = {
        "machine": machine(),
        "device": torch.cuda.get_device_name(device) if device.type == "cuda" else "cpu",
        "threads": torch.get_num_threads(),
        "load before": load,
        "results": results,
    }
    print(written(report, arguments.json))
    for result in results:
        print(line.format(**result))


if __name__ == "__main__":
    main()
