"""Averages over one draw of the low-rank memory whose expectations are known.

Serves Sec. 3.1 of arXiv 2412.06538 (Theorem 1, last sentence): margins at rank m, and the alignment of
G e_x with e_x, G = V V^T, that decides them. Every observable is bounded, and says by what.
"""

import torch
from torch import Tensor

from numerics.draws.low_rank_margin import replicate_margins
from numerics.memories.low_rank import Factors
from numerics.observables import Bounded, averaged_over_rivals


def margin_observables(
    d: int,
    N: int,
    M: int,
    m: int,
    replicates: int,
    *,
    seed: int,
    start: int = 0,
    factors: Factors = "orthonormal",
    about: float = 1.0,
    fault: str = "",
) -> dict[str, Bounded]:
    """Per draw, averages over inputs x, or over pairs (x, y) with y != f(x).

    Over inputs, with r = <e_x, G e_x> / |G e_x|: "alignment" is r^2, whose law is
    Beta(m/2, (d-1)/2) for Gaussian factors and Beta(m/2, (d-m)/2) for orthonormal ones (1 where
    m = d), and "alignment-squared" r^4.

    Over pairs, ".inside" with y in the image of f (needs N >= 2), ".outside" with the others
    (M > N): "failure" is whether gamma <= 0; "direction-mean" is gamma / |G e_x| and
    "direction-second" its square. As gamma = sum_z (u_f(x) - u_y)^T u_f(z) e_z^T G e_x, with the
    first factor at most 2 and the other at most |G e_x|, |gamma| <= 2 N |G e_x|. Orthonormal factors
    make G a projection, |G e_x| <= 1, and then there are "mean", gamma, "second", its square, and
    "centred", (gamma - about)^2; with Gaussian factors these are unbounded and left out.

    `fault` names a slip to make in the weight; twice the weight has twice the reach. Arguments and
    errors as for `low_rank_margin.replicate_margins`.
    """
    drawn = replicate_margins(
        d, N, M, m, replicates, seed=seed, start=start, factors=factors, fault=fault
    )
    gamma = drawn.margins
    lengths = torch.linalg.vector_norm(drawn.keys, dim=2)
    reach = 2.0 * N * (2.0 if fault == "doubled" else 1.0)
    # The bounds hold for the quotients; their rounding must not break them.
    aligned = ((drawn.inputs * drawn.keys).sum(dim=2) / lengths).clamp(-1.0, 1.0) ** 2
    direction = (gamma / lengths.unsqueeze(2)).clamp(-reach, reach)
    functions: dict[str, tuple[Tensor, float, float]] = {
        # Where y = f(x), which is left out, 1 keeps the margin from being 0.
        "failure": ((gamma + torch.eye(N, M, dtype=gamma.dtype) <= 0).to(gamma.dtype), 0.0, 1.0),
        "direction-mean": (direction, -reach, reach),
        "direction-second": (direction**2, 0.0, reach**2),
    }
    if factors == "orthonormal":
        functions |= {
            "mean": (gamma, -reach, reach),
            "second": (gamma**2, 0.0, reach**2),
            "centred": ((gamma - about) ** 2, 0.0, (reach + abs(about)) ** 2),
        }
    return {
        "alignment": Bounded(aligned.mean(dim=1), 0.0, 1.0),
        "alignment-squared": Bounded((aligned**2).mean(dim=1), 0.0, 1.0),
        **averaged_over_rivals(functions, N, M),
    }
