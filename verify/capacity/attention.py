"""The attention-only construction (Nichani et al., Theorem 10)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from proofs.capacity.attention import AttentionOnly
from proofs.capacity.conditions import read_size
from proofs.capacity.fact_predictions import AttentionPrediction
from verify.capacity.fact_construction import FactConstruction, read_answers

if TYPE_CHECKING:
    from numerics.observables import Event


class AttentionConstruction(FactConstruction):
    """Heads of dimension d_h (d - 1 if it is not given) with at most M tokens each (1 if not given)."""

    name = "attention"
    needs: ClassVar = {
        "d": "the dimension, for instance --d 200",
        "D": "the number of answers of a relation, for instance --D 8",
    }
    takes = ("d_h", "M", "noise")
    # No noise tokens, as predictions leave out that a head attends to one.
    curves = tuple(
        {
            "S": 8,
            "R": 8,
            "sizes": {"D": 4, "noise": 0, "M": M},
            "grows": "d",
            **dict(zip(("low", "high", "end"), ends, strict=True)),
            "share": share,
            "draws": draws,
        }
        for M, share, ends, draws in (
            (1, Fraction(1), (80, 320, 420), 40),
            (1, Fraction(1, 2), (80, 320, 480), 40),
            (4, Fraction(1), (80, 360, 720), 80),
            (4, Fraction(1, 2), (80, 360, 980), 80),
        )
    )
    condition = "nichani.thm10.explicit.condition"
    parameters_text = "4 H d d_h parameters, H = ceil(S/M) + ceil(R/M)"

    def __init__(
        self, d: int, D: int, d_h: int | None = None, M: int = 1, noise: int | None = None
    ) -> None:
        read_size("d", d, 2)
        self._d, self.D, self._M, self.noise = d, read_answers(D), M, noise
        self._d_h = d - 1 if d_h is None else d_h
        self.prediction = AttentionPrediction(d, self._d_h, M, noise)
        self.sizes = {"d": d, "d_h": self._d_h, "M": M, "D": D}
        if noise is not None:
            self.sizes["noise"] = noise

    def failure_bound(self, S: int, R: int) -> Fraction:
        return AttentionOnly().failure_bound(
            self._d, S, R, self.answers(S), M=self._M, d_h=self._d_h, noise=self.noise
        )

    def parameters(self, S: int, R: int) -> int:
        return 4 * _heads(S, R, self._M) * self._d * self._d_h

    def products(self, S: int, R: int) -> float:
        tokens = 2 * (S + R) + R * self.answers(S) + 1
        return _heads(S, R, self._M) * self._d * (tokens + self._d_h) * self._d_h

    def failures(
        self,
        S: int,
        R: int,
        draws: int,
        *,
        seed: int,
        name: str,
        device: str = "cpu",
        start: int = 0,
    ) -> Event:
        from numerics.draws.construction_recall import failures

        sizes, (noise, T) = (S, R, self.answers(S), self._d, draws), self.contexts(S, R)
        made: dict[str, Any] = {
            "device": device,
            "d_h": self._d_h,
            "tokens_per_head": self._M,
            "factors": "orthonormal",
        }
        return failures(
            "attention", *sizes, noise=noise, T=T, seed=seed, name=name, start=start, **made
        )


def _heads(S: int, R: int, M: int) -> int:
    return -(-S // M) - (-R // M)
