"""The last-position forward against a layer that attends from every position, and the certificates.

`python benchmarks/transformer.py [--device cuda] [--json PATH]`: time and extra memory of
`OneLayerTransformer` and of a plain layer that builds the (T, T) attention of all heads and reads its
last row; then the seconds to build and to certify both constructions at model size.
"""

import argparse
import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import torch
from common import extra_mebibytes, interleaved, machine, parsed, timed, written
from torch import Tensor

from numerics import (
    AttentionMLP,
    AttentionOnly,
    FactTable,
    FactualRecall,
    OneLayerTransformer,
    Stream,
    certify,
    one_thread,
    resolve_device,
    sample_sphere,
)
from numerics.constructions import Construction

#: (b, T, d, H, d_h, m): a training batch of the task, and long contexts.
SIZES = ((64, 32, 128, 8, 16, 256), (16, 256, 256, 8, 32, 1024), (4, 1024, 256, 8, 32, 1024))
DTYPE = torch.float32


def plain(model: OneLayerTransformer, X: Tensor) -> Tensor:
    """F_TF by queries, keys and values of all positions and the (b, H, T, T) attention."""
    queries, keys, values = (
        torch.einsum("btd,hkd->bhtk", X, weights) for weights in (model.W_Q, model.W_K, model.W_V)
    )
    weights = torch.softmax(model.inverse_temperature * (queries @ keys.mT), dim=-1)
    outputs = torch.einsum("bhtk,hkd->btd", weights @ values, model.W_O)
    return model.residual(outputs[:, -1])


def last_position(model: OneLayerTransformer, X: Tensor) -> Tensor:
    """F_TF by the module itself."""
    found: Tensor = model(X)
    return found


Forward: TypeAlias = Callable[[OneLayerTransformer, Tensor], Tensor]
FORWARDS: dict[str, Forward] = {"plain": plain, "last position": last_position}


def prepared(size: tuple[int, ...], seed: int, device: str) -> tuple[OneLayerTransformer, Tensor]:
    """A drawn transformer and a batch of sequences of unit vectors."""
    b, T, d, H, d_h, m = size
    stream = Stream(seed, "transformer benchmark")
    model = OneLayerTransformer(
        d, H, d_h, m, activation="relu", seed=stream, dtype=DTYPE, device=device
    )
    X = sample_sphere(b * T, d, stream=stream.child("X"), dtype=DTYPE, device=device)
    return model, X.view(b, T, d)


def finished(forward: Forward, model: OneLayerTransformer, X: Tensor) -> Tensor:
    """The forward, waited for."""
    found = forward(model, X)
    if X.device.type == "cuda":
        torch.cuda.synchronize()
    return found


@torch.no_grad()
def extra_memory(name: str, size: tuple[int, ...], seed: int, device: str) -> float:
    """The peak memory of one forward above what its arguments hold, in MiB, in this process."""
    model, X = prepared(size, seed, device)
    if device != "cuda":
        FORWARDS[name](*prepared((2, 2, *size[2:]), seed, device))  # Loads what a first call loads.
    return extra_mebibytes(lambda: FORWARDS[name](model, X), device)


def own_process(name: str, size: tuple[int, ...], seed: int, device: str) -> float:
    """`extra_memory` in a process of its own, whose peak is of this forward alone."""
    child = [sys.executable, __file__, "--extra-memory", name, *map(str, size)]
    child += ["--seed", str(seed), "--device", device]
    return float(subprocess.run(child, check=True, capture_output=True, text=True).stdout)


@torch.no_grad()
def measure(size: tuple[int, ...], *, seed: int, repeats: int, device: str) -> dict[str, Any]:
    """Interleaved timings of both forwards, their agreement, and the extra memory of each."""
    model, X = prepared(size, seed, device)
    works = {name: partial(finished, forward, model, X) for name, forward in FORWARDS.items()}
    seconds = interleaved(works, repeats)
    images = {name: work() for name, work in works.items()}
    memory = {name: own_process(name, size, seed, device) for name in FORWARDS}
    ratios = (slow / fast for slow, fast in zip(*seconds.values(), strict=True))
    difference = (images["plain"] - images["last position"]).abs().max()
    return {
        **dict(zip(("b", "T", "d", "H", "d_h", "m"), size, strict=True)),
        "dtype": str(DTYPE),
        "seconds": seconds,
        "speedup": statistics.median(ratios),
        "extra_memory_mib": memory,
        "largest difference": float(difference / images["plain"].abs().max()),
    }


def certified(
    build: type[Construction],
    table: tuple[int, int, int],
    *,
    seed: int,
    device: str,
    **choices: Any,
) -> dict[str, Any]:
    """A construction drawn and certified once, contexts of length 16 and 64 noise tokens."""
    task = FactualRecall(FactTable.random(*table, seed=seed), noise=64, T=16)
    built, drawn = timed(lambda: build.sample(task, seed=seed, device=device, **choices))
    spent, found = timed(lambda: certify(drawn))
    return {
        "construction": build.__name__,
        "S, R, D": table,
        **choices,
        "heads": drawn.transformer.H,
        "build_seconds": built,
        "certify_seconds": spent,
        "facts": found.total,
        "certified": found.correct,
        "least gap": found.least_gap,
        "least margin": found.least_margin,
        "rounding": found.rounding_bound,
        # JSON has no infinity, which it is where a fact is not certified.
        "least inverse temperature": found.least_inverse_temperature if found.complete else None,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=15, help="timed rounds per size")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="cpu", help="cpu, cuda, or auto")
    parser.add_argument("--extra-memory", nargs=7, help=argparse.SUPPRESS)
    arguments = parsed(parser, "repeats")
    device = resolve_device(arguments.device).type
    seed = arguments.seed
    if arguments.extra_memory:
        name, *size = arguments.extra_memory
        print(extra_memory(name, tuple(map(int, size)), seed, device))
        return

    load = os.getloadavg()[0]
    # One thread: with more, a busy machine's share of the second one is what is measured.
    with one_thread():
        results = [measure(s, seed=seed, repeats=arguments.repeats, device=device) for s in SIZES]
        attention = {"d": 2000, "d_h": 500, "tokens_per_head": 8}
        mlp = {"d": 513, "d_h": 128, "tokens_per_head": 4, "m": 2000}
        orthonormal = {"keys": "interpolating", "factors": "orthonormal"}
        built: list[tuple[type[Construction], tuple[int, int, int], dict[str, Any]]] = [
            (AttentionOnly, (32, 32, 8), attention),
            (AttentionOnly, (32, 32, 8), {**orthonormal, **attention}),
            (AttentionMLP, (16, 16, 4), {"activation": "relu", **mlp}),
            (AttentionMLP, (16, 16, 4), {"activation": (0.0, 0.0, 1.0), **mlp}),
        ]
        constructions = [
            certified(build, table, seed=seed, device=device, **choices)
            for build, table, choices in built
        ]
    report = {
        "machine": machine(),
        "device": torch.cuda.get_device_name() if device == "cuda" else "cpu",
        "threads": 1,
        "load before": load,
        "results": results,
        "constructions": constructions,
    }
    print(written(report, arguments.json))
    for result in results:
        extra = result["extra_memory_mib"]
        print(
            "b = {b}, T = {T}, d = {d}, H = {H}: {speedup:.1f} times as fast as".format(**result),
            f"all positions, {extra['last position']:.1f} MiB extra in place of",
            f"{extra['plain']:.1f}",
        )
    for result in constructions:
        line = "{construction}, d = {d}: {certified} of {facts} certified, {build_seconds:.1f} s to"
        print((line + " build and {certify_seconds:.1f} s to certify").format(**result))


if __name__ == "__main__":
    main()
