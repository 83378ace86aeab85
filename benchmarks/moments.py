"""Time of the moment engine, cold, against an expansion that uses no symmetry.

Serves the exact formulas: `python benchmarks/moments.py [--repeats R] [--json PATH]`. Every timing
is of a fresh process, imports not counted, so no cache is warm.
"""

import argparse
import itertools
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

from proofs.algebra import RationalFunction
from proofs.memories.linear import definition, margin_central_moment
from proofs.moments import (
    Association,
    Range,
    Sphere,
    dot,
    in_image,
    mean,
    outer,
    sum_over,
    variance,
)
from proofs.moments.graphs import FactorKey, FactorSum, Integrator

#: Seconds that the engine should stay below.
TARGETS = {"linear margin, order 2": 0.05, "linear margin, order 4": 1.0}
ORDERS = (2, 3, 4, 6, 8)
NAIVE_SIZES = (2, 3, 4, 5)

d, N, M = (RationalFunction.symbol(name) for name in "dNM")


def linear(order: int) -> RationalFunction:
    """A central moment of the margin, y in the image, symbolic d and N."""
    return margin_central_moment(order, d, N).value


def overlaps() -> RationalFunction:
    """E <u,v>^(2p), p = 1, ..., 12; returns the last."""
    e, inputs = Sphere("e", d), Range(N)
    a, b = inputs.index("a"), inputs.index("b")
    return [mean(dot(e[a], e[b]) ** (2 * p), [a != b]) for p in range(1, 13)][-1]


def centred() -> RationalFunction:
    """Var of the margin of the memory of inputs less their average, y in the image."""
    inputs, outputs = Range(N), Range(M)
    f = Association(inputs, outputs)
    x, z, v, y = inputs.index("x"), inputs.index("z"), inputs.index("v"), outputs.index("y")
    e, u = Sphere("e", d), Sphere("u", d)
    average = sum_over(v, e[v]) / N
    weight = sum_over(z, outer(u[f(z)], e[z] - average))
    return variance(dot(u[f(x)] - u[y], weight @ (e[x] - average)), [y != f(x), in_image(y)])


def second_moment(n: int) -> RationalFunction:
    """E gamma^2 by the engine, at N = n, for the ratio with the naive road."""
    return margin_central_moment(2, d, n).value + 1


def naive(order: int, n: int) -> RationalFunction:
    """E gamma^order at N = M = n over all index tuples, each graph integrated on its own."""
    memory = definition()
    families = {memory.e.serial: memory.e, memory.u.serial: memory.u}
    inputs = [(0, i) for i in range(n)]
    outputs = [(1, i) for i in range(n)]
    x, y = 0, 1
    total: dict[FactorKey, Any] = {}
    for facts in itertools.product(range(n), repeat=order):
        for signs in itertools.product((1, -1), repeat=order):
            edges: dict[tuple[int, int], int] = {}
            coefficient = 1
            for z, sign in zip(facts, signs, strict=True):
                coefficient *= sign
                up = outputs[x if sign == 1 else y]
                for left, right in ((up, outputs[z]), (inputs[z], inputs[x])):
                    if left != right:
                        a, b = sorted((left[0] * n + left[1], right[0] * n + right[1]))
                        edges[a, b] = edges.get((a, b), 0) + 1
            vertices = {v for edge in edges for v in edge}
            serials = [memory.e.serial, memory.u.serial]
            laws = {v: families[serials[v // n]] for v in vertices}
            graph = tuple(sorted((a, b, k) for (a, b), k in edges.items()))
            # A new integrator remembers nothing of the graphs before.
            for key, value in Integrator().expectation(laws, graph).terms.items():
                total[key] = total.get(key, 0) + coefficient * value
    return FactorSum(total).collect({"d": d})


CASES: dict[str, Callable[[], RationalFunction]] = {
    **{f"linear margin, order {k}": lambda k=k: linear(k) for k in ORDERS},
    "E<u,v>^(2p), p = 1..12": overlaps,
    "centred memory, variance": centred,
    **{f"engine, E gamma^2 at N = {n}": lambda n=n: second_moment(n) for n in NAIVE_SIZES},
    **{f"naive, E gamma^2 at N = {n}": lambda n=n: naive(2, n) for n in NAIVE_SIZES},
    **{f"naive, E gamma^4 at N = {n}": lambda n=n: naive(4, n) for n in NAIVE_SIZES},
}


def timed(case: str) -> tuple[float, str]:
    """Seconds of *case* in a fresh process, and the value at d = 7, N = 5 as a check."""
    child = [sys.executable, __file__, "--case", case]
    output = subprocess.run(child, check=True, capture_output=True, text=True).stdout.split()
    return float(output[0]), output[1]


def run_case(case: str) -> None:
    """Print the seconds that *case* takes, and its value."""
    started = time.perf_counter()
    value = CASES[case]()
    seconds = time.perf_counter() - started
    print(seconds, value(d=7, N=5).as_fraction())


def check_values(values: dict[str, str]) -> None:
    """Both roads must have computed the same moment."""
    for n in NAIVE_SIZES:
        left, right = (values[f"{road}, E gamma^2 at N = {n}"] for road in ("engine", "naive"))
        if Fraction(left) != Fraction(right):
            raise SystemExit(
                f"E gamma^2 at N = {n}: the engine says {left}, the naive road {right}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3, help="fresh processes per case")
    parser.add_argument("--json", type=Path, help="also write the results to this file")
    parser.add_argument("--case", choices=CASES, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.case:
        run_case(arguments.case)
        return
    if arguments.repeats < 1:
        parser.error(f"--repeats {arguments.repeats} times nothing: pass at least 1")

    seconds: dict[str, list[float]] = {case: [] for case in CASES}
    values: dict[str, str] = {}
    for _ in range(arguments.repeats):
        for case in CASES:
            spent, values[case] = timed(case)
            seconds[case].append(spent)
    check_values(values)
    medians = {case: statistics.median(spent) for case, spent in seconds.items()}
    ratios = {
        n: medians[f"naive, E gamma^2 at N = {n}"] / medians[f"engine, E gamma^2 at N = {n}"]
        for n in NAIVE_SIZES
    }
    fourth = {
        n: medians[f"naive, E gamma^4 at N = {n}"] / medians["linear margin, order 4"]
        for n in NAIVE_SIZES
    }
    machine = {
        "platform": platform.platform(),
        "cpus": os.cpu_count(),
        "python": platform.python_version(),
        "python-flint": version("python-flint"),
        "sympy": version("sympy"),
    }
    print(", ".join(f"{name} {value}" for name, value in machine.items()))
    print(f"medians of {arguments.repeats} fresh processes")
    for case, median in medians.items():
        target = TARGETS.get(case)
        verdict = "" if target is None else f"   target {target} s" + " MISSED" * (median > target)
        print(f"{case:32} {median:10.4f} s{verdict}")
    for name, found in (("E gamma^2", ratios), ("E gamma^4 (engine: all N at once)", fourth)):
        growth = ", ".join(f"{ratio:.1f} at N = {n}" for n, ratio in found.items())
        print(f"naive / engine, {name}: {growth}")
    if arguments.json:
        report = {
            "machine": machine,
            "seconds": seconds,
            "naive over engine": {"second moment": ratios, "fourth moment": fourth},
        }
        arguments.json.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()
