"""Why a condition in log N alone fails: Theorem 1 and Corollary 2 of Nichani et al., many outputs."""

from __future__ import annotations

from proofs.algebra import RationalFunction
from proofs.algebra.symbols import symbols
from proofs.argument import Argument
from proofs.papers.nichani import many_outputs
from verify.checks.argument import conclude, refuted
from verify.claim import Evidence, Printed


def pairs_divided(divisor: RationalFunction) -> Argument:
    """What the union bound over the pairs (x, y) allows each of them."""
    N, M = symbols("N M")
    argument = Argument()
    argument.nonnegative(
        "delta' is at most delta/(N (M-1))", divisor - N * (M - 1), {"N": 1, "M": 1}
    )
    return argument


def refuted_by_outputs(printed: Printed) -> Evidence:
    """No condition with that power of log M suffices for every M."""
    instance = many_outputs.PLANE
    plane = many_outputs.no_weight_recalls(instance)
    power = int(printed["outputs_power"].number())
    limit = many_outputs.uniformity_in_outputs_fails(power)
    if not (plane.holds and limit.holds):
        return conclude(plane, limit, scope="", summary="")
    illustration = {
        "inputs": _show(instance.inputs),
        "outputs": _show(instance.outputs),
        "f": "f(x) = x",
        "multipliers of (x, y)": {
            f"({x + 1}, {y + 1})": str(value) for (x, y), value in instance.multipliers.items()
        },
        "why": "sum of multiplier (u_x - u_y) e_x^T = 0, so no W makes all these margins positive",
    }
    return refuted(
        plane,
        limit,
        summary="as M grows at fixed d and N >= d + 1, P(some W recalls) falls to at most 2^-d",
        scope="for every C and c, at d = floor(N/2) and M large enough",
        witness={
            "family": "d = floor(N/2), M growing: lim P(some W recalls) <= 2^-d for every C and c",
            "illustration by hand, d = 2, N = 3, M = 4": illustration,
        },
    )


def _show(vectors: object) -> list[str]:
    return [f"({', '.join(str(c) for c in v)})" for v in vectors]  # type: ignore[attr-defined]
