"""What the streaming estimators cost, next to the sampling and the products that feed them.

`python benchmarks/estimators.py [--repeats 15] [--json PATH]`

Serves the measurements: the values of a batch of margins, averaged per draw, go into moments and into
confidence sequences. Rounds are interleaved, and the ratio is the median over rounds.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import torch
from common import interleaved, machine, parsed, timed, written
from torch import Tensor

from numerics import Moments
from numerics.draws.linear_margin import margin_replicates
from numerics.memories.facts import replicate_facts
from numerics.random import Stream
from verify import __version__
from verify.statistics import BoundedMean, HeavyTailedMean, Probability

#: d, N, M and the draws of a batch. Every draw has a weight of its own, d^2 numbers, so that a larger
#: d leaves room for fewer.
SIZES = ((128, 8, 8, 4096), (256, 8, 8, 1024))
#: Overhead that is allowed, as a part of the sampling and the products.
TARGET = 0.10
#: Values in a batch, for the rates.
BATCHES = (1024, 4096, 32_768)


#: Averages, one a draw, and their bounds.
Averages: TypeAlias = tuple[Tensor, float, float]


def averaged(gamma: Tensor) -> dict[str, Averages]:
    """Per draw, averages over pairs of functions of the margins, with their bounds."""
    N, M = gamma.shape[1:]
    reach = 2.0 * N
    mask = ~torch.eye(N, M, dtype=torch.bool)
    functions = {
        "mean": (gamma, -reach, reach),
        "second": (gamma**2, 0.0, reach**2),
        "centred": ((gamma - 1) ** 2, 0.0, (reach + 1) ** 2),
        "failure": ((gamma <= 0).to(gamma.dtype), 0.0, 1.0),
    }
    return {
        name: (values[:, mask].mean(dim=1), low, high)
        for name, (values, low, high) in functions.items()
    }


def extended(
    sequences: dict[str, BoundedMean], observed: dict[str, Averages]
) -> dict[str, BoundedMean]:
    """One confidence sequence for each average, with a batch more."""
    return {
        name: sequences.get(name, BoundedMean(low, high)).extended(values.numpy())
        for name, (values, low, high) in observed.items()
    }


def merged(moments: Moments, columns: Tensor) -> Moments:
    """The moments of all averages, with a batch more."""
    return moments.merge(Moments.of(columns))


def overhead(d: int, N: int, M: int, replicates: int, *, repeats: int) -> dict[str, Any]:
    """Rounds of: margins drawn and multiplied, averaged, folded into both kinds of estimators.

    The embeddings alone are drawn once more, for a ratio that no slow product can flatter.
    """
    moments, stream = Moments((4,)), Stream(0, "linear-margin")
    sequences: dict[str, BoundedMean] = {}
    rounds: list[dict[str, float]] = []
    for repeat in range(repeats + 1):
        start = repeat * replicates
        drawn = partial(replicate_facts, d, N, M, replicates, stream=stream, start=start)
        sampling, _ = timed(drawn)
        products, gamma = timed(
            partial(margin_replicates, d, N, M, replicates, seed=0, start=start)
        )
        averaging, observed = timed(partial(averaged, gamma))
        columns = torch.stack([values for values, _, _ in observed.values()], dim=1)
        merging, moments = timed(partial(merged, moments, columns))
        extending, sequences = timed(partial(extended, sequences, observed))
        if repeat:  # The first round warms up.
            rounds.append(
                {
                    "sampling": sampling,
                    "sampling and products": products,
                    "averages": averaging,
                    "Moments": merging,
                    "BoundedMean": extending,
                }
            )
    assert moments.count == sequences["mean"].count == (repeats + 1) * replicates

    def ratio(unit: str, *names: str) -> float:
        return statistics.median(sum(r[name] for name in names) / r[unit] for r in rounds)

    both, unit = ("Moments", "BoundedMean"), "sampling and products"
    ratios = {
        "Moments": ratio(unit, "Moments"),
        "BoundedMean": ratio(unit, "BoundedMean"),
        "both": ratio(unit, *both),
        "both and the averages": ratio(unit, "averages", *both),
        "both, of the sampling alone": ratio("sampling", *both),
    }
    return {
        "d": d,
        "N": N,
        "M": M,
        "replicates": replicates,
        "observables": len(sequences),
        "rounds": rounds,
        "median seconds": {name: statistics.median(r[name] for r in rounds) for name in rounds[0]},
        "overhead": ratios,
        "met": ratios["both"] < TARGET,
    }


def rates(*, repeats: int) -> list[dict[str, Any]]:
    """Values a second that each estimator takes in, by the size of a batch."""
    generator = Stream(0, "estimators").generator()
    found = []
    for size in BATCHES:
        values = generator.random(size)
        events = (values < 0.1).astype(np.float64)
        mean, heavy = BoundedMean(0.0, 1.0), HeavyTailedMean(0.0, 1.0)
        moments, probability = Moments.of(values), Probability()
        functions: dict[str, Callable[[], Any]] = {
            "Moments": partial(merged, moments, torch.from_numpy(values)),
            "BoundedMean": partial(mean.extended, values),
            "Probability": partial(probability.extended, events),
            "HeavyTailedMean": partial(heavy.extended, values),
        }
        seconds = interleaved(functions, 20 * repeats)
        rate = {name: size / statistics.median(taken) for name, taken in seconds.items()}
        found.append({"batch": size, "values a second": rate})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=15, help="timed rounds per size")
    parser.add_argument("--threads", type=int, default=1, help="threads of the products")
    options = parsed(parser, "repeats", "threads")
    torch.set_num_threads(options.threads)
    report: dict[str, Any] = {
        "package": __version__,
        "machine": machine(),
        "threads": torch.get_num_threads(),
        "target": TARGET,
        "overhead": [overhead(*sizes, repeats=options.repeats) for sizes in SIZES],
        "rates": rates(repeats=options.repeats),
    }
    written(report, options.json)
    for row in report["overhead"]:
        times = ", ".join(f"{name} {1e3 * s:.2f} ms" for name, s in row["median seconds"].items())
        print(f"d = {row['d']}, N = {row['N']}, M = {row['M']}, {row['replicates']} draws: {times}")
        parts = ", ".join(f"{name} {ratio:.2%}" for name, ratio in row["overhead"].items())
        print(f"  of sampling and products: {parts}; target under {TARGET:.0%}")
    for row in report["rates"]:
        cells = ", ".join(f"{name} {rate:.3g}" for name, rate in row["values a second"].items())
        print(f"values a second in batches of {row['batch']}: {cells}")


if __name__ == "__main__":
    main()
