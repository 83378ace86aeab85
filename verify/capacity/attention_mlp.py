"""The construction with attention and an MLP (Nichani et al., Theorem 11)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from proofs.capacity.attention_mlp import AttentionMLP
from proofs.capacity.conditions import read_size
from proofs.capacity.fact_predictions import AttentionMLPPrediction
from verify.capacity.fact_construction import FactConstruction, read_answers

if TYPE_CHECKING:
    from numerics.observables import Event


class AttentionMLPConstruction(FactConstruction):
    """m neurons with the activation h_2, and heads of at most M tokens (1 if it is not given).

    Heads of one key add up to a projection on floor((d-1)/2) dimensions; *d_h*, by default as many, says
    how they are counted. Answers are spread evenly over the facts.
    """

    name = "attention-mlp"
    needs: ClassVar = {
        "d": "the dimension, for instance --d 100",
        "m": "the number of neurons, for instance --m 16384",
        "D": "the number of answers of a relation, for instance --D 4",
    }
    takes = ("d_h", "M", "noise")
    curves = (
        {
            "S": 8,
            "R": 8,
            "sizes": {"D": 4, "noise": 0, "d": 128},
            "grows": "m",
            "low": 64,
            "high": 4096,
            "end": 4096,
            "draws": 60,
        },
    )
    condition = "nichani.thm11.explicit.condition"
    parameters_text = "4 H d d_h + 2 m d parameters, H = ceil(dim P/d_h) (ceil(S/M) + ceil(R/M))"

    def __init__(
        self, d: int, m: int, D: int, d_h: int | None = None, M: int = 1, noise: int | None = None
    ) -> None:
        read_size("d", d, 3)
        self._d, self._m, self.D, self._M, self.noise = d, m, read_answers(D), M, noise
        self._d_h = (d - 1) // 2 if d_h is None else read_size("d_h", d_h)
        if self._d_h > d:
            raise ValueError(f"d_h: {d_h} dimensions are more than d; take d_h <= {d}")
        self.prediction = AttentionMLPPrediction(d, m, M, noise)
        self.sizes = {"d": d, "m": m, "d_h": self._d_h, "M": M, "D": D}
        if noise is not None:
            self.sizes["noise"] = noise

    def failure_bound(self, S: int, R: int) -> Fraction:
        D = self.answers(S)
        more = {"m": self._m, "M": self._M, "collisions": -(-S // D)}
        return AttentionMLP().failure_bound(self._d, S, R, D, noise=self.noise, **more)

    def parameters(self, S: int, R: int) -> int:
        return 4 * self._heads(S, R) * self._d * self._d_h + 2 * self._m * self._d

    def _heads(self, S: int, R: int) -> int:
        shares = -(-((self._d - 1) // 2) // self._d_h)
        return shares * (-(-S // self._M) - (-R // self._M))

    def products(self, S: int, R: int) -> float:
        tokens = 2 * (S + R) + R * self.answers(S) + 1
        attention = self._heads(S, R) * self._d * (tokens + self._d_h) * self._d_h
        return attention + self._m * self._d * (5 * S * R + tokens)

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
        from numerics.draws.attention_mlp_margin import failures

        sizes, (noise, T) = (S, R, self.answers(S), self._m, draws), self.contexts(S, R)
        made: dict[str, Any] = {"M": self._M, "noise": noise, "T": T, "device": device}
        return failures(self._d, *sizes, seed=seed, name=name, start=start, **made)
