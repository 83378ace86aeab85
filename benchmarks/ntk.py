"""Time to build and to recall a linearised MLP memory, and a network of finite width made of it.

Serves the recall measurements: `python benchmarks/ntk.py [--json PATH]`.
"""

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

import torch
from common import machine

from numerics import Activation, Memory, MLPMemory, recall

D, FACTS, NEURONS, K = 64, 2048, 4096, 2
#: The activation h_3, the one with the least noise for features of degree 2.
ACTIVATION = Activation.hermite((0.0, 0.0, 0.0, 1.0))


def recalled(memory: Memory) -> dict[str, Any]:
    """What recall finds, and its seconds."""
    started = time.perf_counter()
    result = recall(memory)
    return {
        "recall_seconds": time.perf_counter() - started,
        "correct": result.correct,
        "minimum_margin": result.minimum_margin,
        "ties": result.ties,
        "recomputed": result.recomputed,
    }


def measure(dtype: torch.dtype, seed: int) -> dict[str, Any]:
    """One memory in *dtype*: how long it takes to build, its recall and its network's."""
    started = time.perf_counter()
    memory = MLPMemory.sample(
        D, FACTS, m=NEURONS, activation=ACTIVATION, k=K, seed=seed, dtype=dtype
    )
    return {
        "d": D,
        "N": FACTS,
        "M": FACTS,
        "m": NEURONS,
        "k": K,
        "activation": ACTIVATION.name,
        "dtype": str(dtype),
        "build_seconds": time.perf_counter() - started,
        "linearised": recalled(memory),
        "network": recalled(memory.network()),
    }


def main() -> None:
    """Measure in both dtypes, print, and write the results if asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="also write the results to this file")
    arguments = parser.parse_args()
    load = os.getloadavg()[0]
    results = [measure(dtype, arguments.seed) for dtype in (torch.float32, torch.float64)]
    report = {
        "machine": machine(),
        "threads": torch.get_num_threads(),
        "load before": load,
        "results": results,
    }
    text = json.dumps(report, indent=2)
    print(text)
    if arguments.json:
        arguments.json.write_text(text + "\n", encoding="utf-8")
    for result in results:
        print(
            "{dtype}: built in {build_seconds:.1f} s, {linearised[correct]} of {N} recalled in "
            "{linearised[recall_seconds]:.1f} s, by the network {network[correct]} in "
            "{network[recall_seconds]:.1f} s".format(**result)
        )


if __name__ == "__main__":
    main()
