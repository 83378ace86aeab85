"""What it costs to draw through a cluster, against drawing in one process.

`python benchmarks/cluster.py [--seconds 120] [--workers 1 2] [--json PATH]`: memories with neurons are
drawn and asked, by calls of half a second, here and by the workers of a scheduler on this machine. What
is found must be the same. Prints the seconds, and their ratios to those here.
"""

import argparse
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from common import machine, parsed, show_machine, show_units, timed, written

sys.path.insert(0, str(Path(__file__).parents[1] / "examples" / "cluster"))

from local_cluster import LocalCluster

from numerics import one_thread
from numerics.draws import mlp_margin
from verify.jobs.cluster import Cluster, cluster
from verify.jobs.draws_away import Away
from verify.measuring.draws import Call, Drawing, Draws, Here

#: Sizes at which a memory in ten or so fails: d, N = M, m.
SIZES = (16, 40, 256)
#: Seconds of one call.
CALL = 0.5


def lost(*, replicates: int, seed: int, start: int) -> Any:
    """Whether each of so many memories with neurons loses a fact."""
    d, N, m = SIZES
    return mlp_margin.failures(d, N, N, m, replicates, seed=seed, start=start)


def failures(draws: Draws, calls: list[Call]) -> list[list[float]]:
    """What each call finds."""
    drawing = Drawing(lost, 0, {})
    return [one.observables.values.tolist() for one in draws.drawn(drawing, calls)]


def away(workers: int, calls: list[Call]) -> tuple[float, list[list[float]]]:
    """Seconds through so many workers, once they have drawn before, and what was found."""
    with (
        tempfile.TemporaryDirectory() as folder,
        LocalCluster(Path(folder), workers=workers) as local,
    ):
        joined: Cluster = cluster(local.address, "cpu")
        joined.wait_for(workers)
        draws = Away(local.address)
        failures(draws, calls[: 8 * workers])
        found = timed(partial(failures, draws, calls))
        joined.close()
    return found


def seconds_of(size: int) -> float:
    """What one call of so many memories takes."""
    return timed(partial(failures, Here(), [Call(0, size)]))[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    options = parsed(parser)
    size = 64
    with one_thread():  # as each worker has
        while (pace := min(seconds_of(size) for _ in range(5))) < CALL:
            size *= 2
        size = max(1, round(size * CALL / pace))
        calls = [Call(size * n, size) for n in range(round(options.seconds / CALL))]
        seconds = dict[str, float]()
        seconds["here"], right = timed(partial(failures, Here(), calls))
    for workers in options.workers:
        name = f"{workers} worker{'s' if workers > 1 else ''}"
        seconds[name], found = away(workers, calls)
        if found != right:
            raise SystemExit(f"{name}: other values than here")
    here = machine()
    show_machine(here)
    report = {
        "machine": here,
        "calls": len(calls),
        "memories a call": size,
        "figures": show_units(seconds, "here"),
    }
    print(written(report, options.json))


if __name__ == "__main__":
    main()
