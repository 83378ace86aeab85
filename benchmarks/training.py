"""Steps of training a second: sequences as counts of tokens against the transformer on embedded ones.

`python benchmarks/training.py [--json PATH]`: the sizes of Figure 5, one softmax attention head, batches
of 1024; the same steps by `Training` and by `OneLayerTransformer` with an optimiser of torch, in turns.
"""

import argparse
import os
import statistics
from functools import partial
from typing import Any

import torch
from common import machine, parsed, timed, written

from numerics import one_thread
from numerics.papers.nichani.figure5 import Sizes, softmax_head
from numerics.training import Training

#: (d, d_h) of the head.
SIZES = ((128, 64), (512, 64))
RATE, STEPS = 1.0, 10


def by_counts(training: Training) -> torch.Tensor:
    """W_V after the steps of `Training`."""
    training.run(STEPS)
    return training.state.parameters[2]


def embedded(training: Training) -> torch.Tensor:
    """W_V after the same steps of the transformer on embedded sequences."""
    task, model, phi = training.task, training.model(), training.embeddings
    moves = torch.optim.SGD(model.parameters(), lr=RATE)
    answers = slice(task.answers.start, task.answers.stop)
    for step in range(STEPS):
        sequences = task.sample(training.batch, seed=training.seed, start=training.batch * step)
        logits = model(phi[sequences[:, :-1]]) @ phi[answers].mT
        moves.zero_grad()
        loss = torch.nn.functional.cross_entropy(logits, sequences[:, -1] - task.answers.start)
        torch.autograd.backward(loss)
        moves.step()
    return model.W_V.detach()


def measure(d: int, d_h: int, repeats: int) -> dict[str, Any]:
    """Seconds of both ways in turns, and how far apart they end."""
    seconds: dict[str, list[float]] = {"counts": [], "embedded": []}
    ends = {}
    for repeat in range(repeats + 1):
        for name, way in (("counts", by_counts), ("embedded", embedded)):
            training = softmax_head(Sizes(), d=d, d_h=d_h, rate=RATE, seed=0, every=STEPS + 1)
            taken, ends[name] = timed(partial(way, training))
            if repeat:  # The first round warms up.
                seconds[name].append(taken)
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    return {
        "d": d,
        "d_h": d_h,
        "steps a second": {name: STEPS / median for name, median in medians.items()},
        "speedup": medians["embedded"] / medians["counts"],
        "largest difference": float((ends["counts"] - ends["embedded"]).abs().max()),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5, help="timed rounds per size")
    arguments = parsed(parser, "repeats")
    load = os.getloadavg()[0]
    with one_thread():
        results = [measure(d, d_h, arguments.repeats) for d, d_h in SIZES]
    report = {"machine": machine(), "threads": 1, "load before": load, "results": results}
    print(written(report, arguments.json))
    for result in results:
        speeds = result["steps a second"]
        print(
            f"d = {result['d']}: {speeds['counts']:.0f} steps a second by counts, "
            f"{speeds['embedded']:.1f} on embedded sequences, {result['speedup']:.1f} times as many"
        )


if __name__ == "__main__":
    main()
