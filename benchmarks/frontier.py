"""How far the provable frontier of the linear memory lies below the measured one.

`python benchmarks/frontier.py [--draws 400] [--json PATH]`: at each d, the N that the explicit condition
allows at a failure probability of 10 %, and the N at which 10 % of the drawn memories fail, found by
counting failures around it and interpolating; with the ends that the counts' intervals allow.
"""

import argparse
import itertools
import json
import math
import time
from pathlib import Path
from typing import Any

from common import machine

from numerics.experiments.linear_margin import failures
from proofs.capacity import Linear
from verify.statistics import clopper_pearson

DIMENSIONS = (64, 128, 256)
DELTA = 0.1
#: Around the provable N, where to look for the measured frontier.
FACTORS = (1.0, 1.1, 1.15, 1.2, 1.25, 1.3, 1.35, 1.4, 1.5)


def crossing(points: list[tuple[int, float]]) -> float:
    """Where a rising curve through (N, rate) reaches DELTA, between two points; NaN if nowhere."""
    for (low, below), (high, above) in itertools.pairwise(points):
        if below <= DELTA <= above and below < above:
            return low + (high - low) * (DELTA - below) / (above - below)
    return math.nan


def measure(d: int, draws: int, seed: int) -> dict[str, Any]:
    started = time.perf_counter()
    provable = Linear().largest(delta=str(DELTA), d=d)
    counts = []
    for factor in FACTORS:
        N = round(provable * factor)
        failed = int(failures(d, N, N, draws, seed=seed, name=f"frontier {N}").values.sum())
        interval = clopper_pearson(failed, draws, 0.05)
        counts.append({"N": N, "failed": failed, "interval": [interval.low, interval.high]})
        if interval.low > DELTA:
            break
    by = {
        "estimate": [(c["N"], c["failed"] / draws) for c in counts],
        "low": [(c["N"], c["interval"][1]) for c in counts],
        "high": [(c["N"], c["interval"][0]) for c in counts],
    }
    measured = {name: crossing(points) for name, points in by.items()}
    return {
        "d": d,
        "delta": DELTA,
        "provable": provable,
        "measured": measured,
        "ratio": {name: value / provable for name, value in measured.items()},
        "draws": draws,
        "counts": counts,
        "seconds": time.perf_counter() - started,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=400, help="memories at each N")
    parser.add_argument("--dimensions", type=int, nargs="+", default=DIMENSIONS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="also write the results to this file")
    arguments = parser.parse_args()
    if arguments.draws < 1:
        parser.error(f"--draws {arguments.draws} measures nothing: pass at least 1")
    results = []
    for d in arguments.dimensions:
        result = measure(d, arguments.draws, arguments.seed)
        results.append(result)
        at, ratio = result["measured"], result["ratio"]
        print(
            f"d = {d}: provable N = {result['provable']}, measured {at['estimate']:.0f} "
            f"({at['low']:.0f} to {at['high']:.0f}), ratio {ratio['estimate']:.2f} "
            f"({ratio['low']:.2f} to {ratio['high']:.2f}), {result['seconds']:.0f} s",
            flush=True,
        )
    if arguments.json:
        text = json.dumps({"machine": machine(), "results": results}, indent=2)
        arguments.json.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
