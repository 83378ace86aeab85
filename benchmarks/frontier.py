"""How far the provable frontiers of the linear memory and of attention lie from the measured ones.

`python benchmarks/frontier.py [linear] [attention] [--draws 400] [--json PATH]`: the N that the explicit
condition allows a linear memory, and the least d that it allows the attention-only construction with one
token a head and d_h = d - 1, at a failure probability of 10 %; and the N or d at which 10 % of the drawn
ones fail, found by counting failures on the way and interpolating; with the ends that the counts'
intervals allow.
"""

import argparse
import itertools
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from common import machine, parsed, written

from numerics.draws import construction_recall, linear_margin
from proofs.capacity import AttentionOnly, Linear, largest_where
from verify.statistics import clopper_pearson

DIMENSIONS = (64, 128, 256)
#: (S, R, D): subjects, relations, answers of a relation.
TABLES = ((4, 4, 2), (8, 8, 4), (16, 16, 4))
DELTA = 0.1


class Frontier(ABC):
    """A memory at all sizes but one, which is provable up to some value and fails more beyond it."""

    memory: str
    #: The size that varies, and where it is looked at: how far beyond the provable value.
    varies: str
    factors: tuple[float, ...]

    sizes: dict[str, int]
    provable: int

    @abstractmethod
    def beyond(self, factor: float) -> int:
        """The size that is *factor* times harder than the provable one."""

    @abstractmethod
    def failed(self, value: int, draws: int, seed: int) -> int:
        """How many of so many drawn memories lose a fact."""

    def ratio(self, value: float) -> float:
        """How much harder than the provable one this size is."""
        return max(value / self.provable, self.provable / value)


class LinearFrontier(Frontier):
    """N facts in dimension d."""

    memory = "linear"
    varies = "N"
    factors = (1.0, 1.1, 1.15, 1.2, 1.25, 1.3, 1.35, 1.4, 1.5)

    def __init__(self, d: int) -> None:
        self.sizes = {"d": d}
        self.provable = Linear().largest(delta=str(DELTA), d=d)

    def beyond(self, factor: float) -> int:
        return round(self.provable * factor)

    def failed(self, value: int, draws: int, seed: int) -> int:
        d, name = self.sizes["d"], f"frontier {value}"
        drawn = linear_margin.failures(d, value, value, draws, seed=seed, name=name)
        return int(drawn.values.sum())


class AttentionFrontier(Frontier):
    """S R facts with D answers a relation, S + R noise tokens, contexts of length 4, in dimension d."""

    memory = "attention"
    varies = "d"
    factors = (1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2.0, 2.2)

    def __init__(self, S: int, R: int, D: int) -> None:
        self.sizes = {"S": S, "R": R, "D": D}
        condition = AttentionOnly()
        self.provable = 1 + largest_where(
            lambda d: not condition.holds(delta=str(DELTA), d=d, **self.sizes)
        )

    def beyond(self, factor: float) -> int:
        return round(self.provable / factor)

    def failed(self, value: int, draws: int, seed: int) -> int:
        S, R, D = self.sizes.values()
        drawn = construction_recall.failures(
            "attention",
            S,
            R,
            D,
            value,
            draws,
            noise=S + R,
            T=4,
            seed=seed,
            name=f"frontier {value}",
            tokens_per_head=1,
            d_h=value - 1,
            factors="orthonormal",
        )
        return int(drawn.values.sum())


def crossing(points: list[tuple[int, float]]) -> float:
    """Where a rising curve through (size, rate) reaches DELTA, between two points; NaN if nowhere."""
    for (easy, below), (hard, above) in itertools.pairwise(points):
        if below <= DELTA <= above and below < above:
            return easy + (hard - easy) * (DELTA - below) / (above - below)
    return math.nan


def measure(frontier: Frontier, draws: int, seed: int) -> dict[str, Any]:
    started = time.perf_counter()
    counts: list[dict[str, Any]] = []
    for factor in frontier.factors:
        value = frontier.beyond(factor)
        failed = frontier.failed(value, draws, seed)
        interval = clopper_pearson(failed, draws, 0.05)
        counts.append(
            {frontier.varies: value, "failed": failed, "interval": [interval.low, interval.high]}
        )
        if interval.low > DELTA:
            break
    values = [count[frontier.varies] for count in counts]
    rates = {
        "estimate": [count["failed"] / draws for count in counts],
        "low": [count["interval"][1] for count in counts],
        "high": [count["interval"][0] for count in counts],
    }
    # Low and high as ratios go: the higher the rates, the nearer is the provable size.
    measured = {name: crossing(list(zip(values, r, strict=True))) for name, r in rates.items()}
    return {
        "memory": frontier.memory,
        **frontier.sizes,
        "delta": DELTA,
        "provable": frontier.provable,
        "measured": measured,
        "ratio": {name: frontier.ratio(value) for name, value in measured.items()},
        "draws": draws,
        "counts": counts,
        "seconds": time.perf_counter() - started,
    }


def table_sizes(text: str) -> tuple[int, int, int]:
    """S,R,D as written on the command line."""
    S, R, D = (int(number) for number in text.split(","))
    return S, R, D


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("memories", nargs="*", help="linear, attention, or both if none is named")
    parser.add_argument("--draws", type=int, default=400, help="memories at each size")
    parser.add_argument("--dimensions", type=int, nargs="+", default=DIMENSIONS)
    parser.add_argument("--tables", type=table_sizes, nargs="+", default=TABLES, metavar="S,R,D")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parsed(parser, "draws")
    built: dict[str, Callable[[], list[Frontier]]] = {
        "linear": lambda: [LinearFrontier(d) for d in arguments.dimensions],
        "attention": lambda: [AttentionFrontier(*sizes) for sizes in arguments.tables],
    }
    unknown = [name for name in arguments.memories if name not in built]
    if unknown:
        parser.error(f"{unknown[0]!r} is no memory: name {' or '.join(built)}")
    results = []
    for name in arguments.memories or built:
        for frontier in built[name]():
            result = measure(frontier, arguments.draws, arguments.seed)
            results.append(result)
            at, ratio = result["measured"], result["ratio"]
            low, high = sorted((at["low"], at["high"]))
            sizes = ", ".join(f"{size} = {value}" for size, value in frontier.sizes.items())
            print(
                f"{name}, {sizes}: provable {frontier.varies} = {result['provable']}, measured "
                f"{at['estimate']:.0f} ({low:.0f} to {high:.0f}), ratio "
                f"{ratio['estimate']:.2f} ({ratio['low']:.2f} to {ratio['high']:.2f}), "
                f"{result['seconds']:.0f} s",
                flush=True,
            )
    written({"machine": machine(), "results": results}, arguments.json)


if __name__ == "__main__":
    main()
