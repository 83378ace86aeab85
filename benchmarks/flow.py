"""How long the flow of the linear attention model takes by each road, in one run.

`python benchmarks/flow.py [--json PATH]`: the full flow of Figure 5's world to t = 1e6, from floats
and by logarithms, against the quadrature to t = 1e12; the gradient of a small world from its
population against all its sequences and torch; how far descent is from the flow as its steps
shrink; and how far both conserved quantities drift, by start, along the flow, by descent and by SGD.
"""

import argparse
import math
import os
import statistics
from functools import partial
from typing import Any

import numpy as np
from common import interleaved, machine, parsed, timed, written

from numerics import one_thread
from numerics.flow import (
    FlowWorld,
    SymmetricWorld,
    autograd_gradient,
    balanced,
    balanced_log,
    collapse,
    drift,
    enumerated_gradient,
    equal,
    expand,
    gradient,
    gradient_descent,
    integrate,
    integrate_log,
    losses,
    random,
    sgd,
)

SCALE = 1e-2
FAR = np.geomspace(1.0, 1e12, 200)
RATES = (0.1, 0.05, 0.025)
DESCENT_TIME = 400.0


def against(base: str, seconds: dict[str, list[float]]) -> dict[str, float]:
    """The median over the rounds of the time of each work relative to `base`."""
    return {
        name: statistics.median(x / y for x, y in zip(each, seconds[base], strict=True))
        for name, each in seconds.items()
    }


def flows(repeats: int) -> dict[str, Any]:
    """S = 16, R = 4, D = 8, T = 32, |N| = 20 from Assumption 2."""
    world = FlowWorld.balanced(4, 8, 2, T=32, noise=20)
    drawn = FlowWorld.random(16, 4, 8, T=32, noise=20, seed=0)
    symmetric = SymmetricWorld(4, 8, 2, math.log(SCALE))
    seconds = interleaved(
        {
            "flow to 1e6": lambda: integrate(world, balanced(world, SCALE), until=1e6),
            "flow to 1e6, drawn table": lambda: integrate(drawn, balanced(drawn, SCALE), until=1e6),
            "flow to 1e6 by logarithms": lambda: integrate_log(
                world, balanced_log(world, math.log(SCALE)), until=1e6
            ),
            "quadrature to 1e12": lambda: SymmetricWorld(4, 8, 2, math.log(SCALE)).at(FAR),
        },
        repeats,
    )
    trajectory = integrate(world, balanced(world, SCALE), until=1e6)
    exact = symmetric.at(trajectory.times).total
    found = np.array([losses(world, weights).total for weights in trajectory.weights])
    return {
        "scale": SCALE,
        "seconds": seconds,
        "relative to the flow": against("flow to 1e6", seconds),
        "drift": drift(trajectory),
        "drift, drawn table": drift(integrate(drawn, balanced(drawn, SCALE), until=1e6)),
        "loss against the quadrature": float(np.abs(found / exact - 1).max()),
    }


def gradients(repeats: int) -> dict[str, Any]:
    """S = 4, R = 3, D = 2, T = 5, |N| = 3."""
    world = FlowWorld.random(4, 3, 2, T=5, noise=3, seed=1)
    weights = random(world, 0.5, seed=0, full=False)
    full = expand(world, weights)
    seconds = interleaved(
        {
            "population": lambda: gradient(world, weights),
            "all sequences": lambda: enumerated_gradient(world, full),
            "torch": lambda: autograd_gradient(world, full),
        },
        repeats,
    )
    return {"seconds": seconds, "relative to the population": against("population", seconds)}


def descent() -> list[dict[str, float]]:
    """The largest difference of W_OV from the flow at one time, by step size."""
    world = FlowWorld.balanced(4, 8, 2, T=32, noise=20)
    start = balanced(world, SCALE)
    wanted = integrate(world, start, until=DESCENT_TIME).last
    rows = []
    for rate in RATES:
        steps = round(DESCENT_TIME / rate)
        work = partial(gradient_descent, world, start, rate=rate, steps=steps, every=steps)
        seconds, path = timed(work)
        off = float(np.abs(path.last.ov - wanted.ov).max())
        row = {"rate": rate, "steps": steps, "seconds": seconds, "largest difference": off}
        rows.append(row)
    return rows


def descent_drift() -> dict[str, dict[str, dict[str, float]]]:
    """The drift of both conserved quantities by start: along the flow, and by descent of two rates."""
    world = FlowWorld.random(16, 4, 8, T=32, noise=20, seed=0)
    starts = {
        "Assumption 2": balanced(world, SCALE, collapsed=False),
        "all weights equal": equal(world, SCALE, collapsed=False),
        "Gaussian": random(world, SCALE, seed=0),
    }
    found: dict[str, dict[str, dict[str, float]]] = {}
    for name, start in starts.items():
        rows = {}
        if name != "Gaussian":  # whose noise tokens differ, so that the flow does not collapse
            alike = collapse(world, start)
            rows["flow"] = drift(integrate(world, alike, until=DESCENT_TIME))
            for rate in RATES[:2]:
                steps = round(DESCENT_TIME / rate)
                path = gradient_descent(world, alike, rate=rate, steps=steps, every=steps // 20)
                rows[f"descent, rate {rate}"] = drift(path)
        for rate in RATES[:2]:
            steps = round(DESCENT_TIME / rate)
            path = sgd(world, start, rate=rate, steps=steps, batch=64, seed=0, every=steps // 20)
            rows[f"SGD, rate {rate}, batch 64"] = drift(path)
        found[name] = rows
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=7, help="timed rounds")
    arguments = parsed(parser, "repeats")
    load = os.getloadavg()[0]
    with one_thread():
        report = {
            "machine": machine(),
            "threads": 1,
            "load before": load,
            "flows": flows(arguments.repeats),
            "gradients": gradients(arguments.repeats),
            "descent": descent(),
            "drift by start": descent_drift(),
        }
    print(written(report, arguments.json))


if __name__ == "__main__":
    main()
