"""Whether the drawn values look normal, and the drawn vectors uniform, in a very large sample.

`python benchmarks/normals.py [--billions B] [--seed N] [--json PATH]`: moments up to degree eight; the
distribution, by Kolmogorov-Smirnov and chi-squared over 4096 cells of equal chance; counts beyond 3 to 6
standard deviations with exact Poisson chances; correlations with the value so many coordinates or rows
further, and with the next replicate; for a tenth as many unit vectors in d = 2, 3, 8, 64 squares and
fourth powers of their coordinates and products of neighbouring rows. About ten minutes for ten billion
values on one thread. Each figure is the chance of one at least as far off.
"""

import argparse
import math
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
import torch
from common import machine, parsed, progress_line, show_machine, timed, written
from numpy.typing import NDArray
from scipy import stats

from numerics import Stream
from numerics.random import compiled
from numerics.random.law import Box

ROWS, D = 2**11, 64
CELLS = 2**12
TAILS = (3.0, 4.0, 5.0, 5.5, 6.0)
LAGS = (1, 2, 3, 4, 8)
SPHERES = (2, 3, 8, 64)
DEGREES = range(1, 9)

Values = NDArray[np.float64]


class Sums:
    """For each name, the sum of independent terms of mean 0 and a known variance, and their number."""

    def __init__(self) -> None:
        self.sums: dict[str, float] = defaultdict(float)
        self.counts: dict[str, int] = defaultdict(int)
        self.variances: dict[str, float] = {}

    def add(self, name: str, total: float, count: int, mean: float, variance: float) -> None:
        self.sums[name] += total - mean * count
        self.counts[name] += count
        self.variances[name] = variance

    def chances(self) -> dict[str, float]:
        """Of a sum at least as large in absolute value, in the normal limit."""
        return {
            name: float(
                2 * stats.norm.sf(abs(x) / math.sqrt(self.counts[name] * self.variances[name]))
            )
            for name, x in self.sums.items()
        }


def boxes(stream: Stream, d: int, values: float, *, unit: bool) -> Iterator[Values]:
    """Replicates (rows, d) of about 131 thousand values, until there are so many."""
    rows = ROWS * D // d // 2 * 2
    out = torch.empty(1, rows, d, dtype=torch.float64)
    replicates = max(1, round(values / out.numel()))
    for replicate in range(replicates):
        compiled.fill(Box(stream.key, replicate, 1, 0, rows, d), out, unit=unit)
        yield out[0].numpy()
        if replicate % 256 == 0:
            progress_line(f"d = {d}: {replicate / replicates:.1%}")


def moment(k: int) -> float:
    """E Z^k."""
    return 0.0 if k % 2 else float(math.prod(range(1, k, 2)))


def normal_values(seed: int, count: float) -> dict[str, float]:
    """The chances of all figures of so many normal values."""
    sums, cells, beyond = Sums(), np.zeros(CELLS, np.int64), np.zeros(len(TAILS), np.int64)
    seen, before = 0, None
    for values in boxes(Stream(seed, "normals"), D, count, unit=False):
        flat = values.reshape(-1)
        seen += flat.size
        power = np.ones_like(flat)
        for k in DEGREES:
            power *= flat
            variance = moment(2 * k) - moment(k) ** 2
            sums.add(f"power {k}", float(power.sum()), flat.size, moment(k), variance)
        chances = torch.special.ndtr(torch.from_numpy(flat)).numpy()
        places = np.minimum((chances * CELLS).astype(np.int64), CELLS - 1)
        cells += np.bincount(places, minlength=CELLS)
        large = np.abs(flat[np.abs(flat) > TAILS[0]])
        beyond += [int((large > tail).sum()) for tail in TAILS]
        pairs = {f"{lag} rows further": (values[lag:], values[:-lag]) for lag in LAGS}
        pairs |= {f"{lag} coordinates further": (values[:, lag:], values[:, :-lag]) for lag in LAGS}
        if before is not None:
            pairs["next replicate"] = values, before
        for name, (one, other) in pairs.items():
            sums.add(name, float((one * other).sum()), one.size, 0.0, 1.0)
        before = values.copy()
    found = sums.chances()
    edges = np.arange(1, CELLS + 1) / CELLS
    apart = float(np.abs(np.cumsum(cells) / seen - edges).max())
    found["Kolmogorov-Smirnov"] = float(stats.kstwobign.sf(math.sqrt(seen) * apart))
    found["chi-squared"] = float(stats.chisquare(cells).pvalue)
    for tail, number in zip(TAILS, beyond.tolist(), strict=True):
        mean = 2 * float(stats.norm.sf(tail)) * seen
        sides = stats.poisson.cdf(number, mean), stats.poisson.sf(number - 1, mean)
        found[f"beyond {tail:g}: {number}, expected {mean:.1f}"] = float(min(1, 2 * min(sides)))
    return found


def unit_vectors(seed: int, d: int, count: float) -> dict[str, float]:
    """The chances of all figures of unit vectors with so many coordinates."""
    sums = Sums()
    second, fourth = 1 / d, 3 / (d * (d + 2))
    eighth = 105 / (d * (d + 2) * (d + 4) * (d + 6))
    for rows in boxes(Stream(seed, "unit vectors"), d, count, unit=True):
        first, squares = rows[:, 0], rows[:, 0] ** 2
        products = (rows[1::2] * rows[::2]).sum(axis=1)
        for name, terms, mean, square in (
            ("coordinate", first, 0.0, second),
            ("square", squares, second, fourth),
            ("fourth power", squares**2, fourth, eighth),
            ("product of rows", products, 0.0, second),
            ("its square", products**2, second, fourth),
            ("two coordinates", first * rows[:, 1], 0.0, 1 / (d * (d + 2))),
        ):
            sums.add(f"d = {d}: {name}", float(terms.sum()), len(terms), mean, square - mean**2)
    return sums.chances()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--billions", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parsed(parser)
    torch.set_num_threads(1)
    here, count = machine(), arguments.billions * 1e9
    show_machine(here)
    taken, found = timed(lambda: normal_values(arguments.seed, count))
    for d in SPHERES:
        found |= unit_vectors(arguments.seed, d, count / 10 / len(SPHERES))
    for name, chance in found.items():
        print(f"{name:40s} {chance:8.2g}")
    least = min(found.values()) * len(found)
    print(
        f"least of {len(found)}, times their number: {least:.2g}; {taken:.0f} s for the normal values"
    )
    report = {"machine": here, "values": count, "seed": arguments.seed, "seconds": taken}
    written({**report, "chances": found, "least, times their number": least}, arguments.json)


if __name__ == "__main__":
    main()
