"""How near a true two-layer network comes to the linearised memory it is made of, by the step taken.

`python benchmarks/network.py [--json PATH]`: at each scale of the step, the largest deviation of a
margin over the mean margin, with the network stored and evaluated in float64 and in float32, for the
central differences of `MLPMemory.network` and for the rescaling that the paper names, W + s Q, V/s.
"""

import argparse
from typing import Any

import torch
from common import machine, parsed, written
from torch import Tensor, arange, float32, float64

from numerics import Activation, MLPMemory, recall

D, FACTS, NEURONS, K = 32, 128, 4096, 2
SIGMA = (0.0, 1.0, 1.0, 1.0)
SCALES = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0)


def margins(memory: MLPMemory, images: Tensor) -> Tensor:
    """(u_{f(x)} - u_y)^T F(e_x) for all x and y != f(x), (N, M - 1), in float64."""
    scores = images.double() @ memory.outputs.double().T
    own = scores[arange(len(scores)), memory.association].unsqueeze(1)
    rivals = arange(scores.shape[1]) != memory.association.unsqueeze(1)
    return (own - scores)[rivals].view(len(scores), -1)


def rescaled(memory: MLPMemory, scale: float) -> Tensor:
    """V^T sigma((W + s Q) e)/s for every input e, the step as for `MLPMemory.network`."""
    largest = (memory.inputs @ memory.tangent.T).abs().amax(dim=0)
    step = (scale / largest).unsqueeze(1)
    moved = memory.hidden + step * memory.tangent
    return memory.activation.value(memory.inputs @ moved.T) @ (memory.readout / step)


def measure(seed: int) -> list[dict[str, Any]]:
    """One memory, and its networks at each scale."""
    sizes: dict[str, Any] = {"m": NEURONS, "k": K, "activation": Activation.hermite(SIGMA)}
    memory, small = (
        MLPMemory.sample(D, FACTS, seed=seed, dtype=dtype, **sizes) for dtype in (float64, float32)
    )
    limit = margins(memory, memory.apply(memory.inputs))
    results = []
    for scale in SCALES:
        row: dict[str, Any] = {"scale": scale}
        for own, dtype in ((memory, float64), (small, float32)):
            network = own.network(scale)
            reached = margins(own, network.apply(own.inputs))
            wanted = limit if own is memory else margins(own, own.apply(own.inputs.double()))
            name = str(dtype).removeprefix("torch.")
            row[name] = float((reached - wanted).abs().max() / wanted.mean())
            row[f"recalled in {name}"] = recall(network).correct
        row["rescaling of the paper"] = float(
            (margins(memory, rescaled(memory, scale)) - limit).abs().max() / limit.mean()
        )
        results.append(row)
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parsed(parser)
    torch.set_num_threads(1)
    results = measure(arguments.seed)
    print("   scale    float64    float32   paper's rescaling")
    for row in results:
        print(
            f"{row['scale']:8.0e} {row['float64']:10.1e} {row['float32']:10.1e} "
            f"{row['rescaling of the paper']:12.1e}"
        )
    sizes = {"d": D, "N": FACTS, "m": NEURONS, "k": K, "sigma": SIGMA}
    written({"machine": machine(), "memory": sizes, "results": results}, arguments.json)


if __name__ == "__main__":
    main()
