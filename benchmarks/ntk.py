"""Time to build and to recall a linearised MLP memory, and a network of finite width made of it.

Serves the recall measurements: `python benchmarks/ntk.py [--json PATH]`.
"""

import argparse
import os
from typing import Any

import torch
from common import machine, parsed, timed, written

from numerics import Activation, Memory, MLPMemory, recall

D, FACTS, NEURONS, K = 64, 2048, 4096, 2
#: The activation h_3, the one with the least noise for features of degree 2.
ACTIVATION = Activation.hermite((0.0, 0.0, 0.0, 1.0))


def recalled(memory: Memory) -> dict[str, Any]:
    """What recall finds, and its seconds."""
    seconds, result = timed(lambda: recall(memory))
    return {
        "recall_seconds": seconds,
        "correct": result.correct,
        "minimum_margin": result.minimum_margin,
        "ties": result.ties,
        "recomputed": result.recomputed,
    }


def measure(dtype: torch.dtype, seed: int) -> dict[str, Any]:
    """One memory in *dtype*: how long it takes to build, its recall and its network's."""
    sizes: dict[str, Any] = {"m": NEURONS, "activation": ACTIVATION, "k": K}
    built, memory = timed(lambda: MLPMemory.sample(D, FACTS, seed=seed, dtype=dtype, **sizes))
    return {
        "d": D,
        "N": FACTS,
        "M": FACTS,
        "m": NEURONS,
        "k": K,
        "activation": ACTIVATION.name,
        "dtype": str(dtype),
        "build_seconds": built,
        "linearised": recalled(memory),
        "network": recalled(memory.network()),
    }


def main() -> None:
    """Measure in both dtypes, print, and write the results if asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parsed(parser)
    load = os.getloadavg()[0]
    results = [measure(dtype, arguments.seed) for dtype in (torch.float32, torch.float64)]
    report = {
        "machine": machine(),
        "threads": torch.get_num_threads(),
        "load before": load,
        "results": results,
    }
    print(written(report, arguments.json))
    for result in results:
        print(
            "{dtype}: built in {build_seconds:.1f} s, {linearised[correct]} of {N} recalled in "
            "{linearised[recall_seconds]:.1f} s, by the network {network[correct]} in "
            "{network[recall_seconds]:.1f} s".format(**result)
        )


if __name__ == "__main__":
    main()
