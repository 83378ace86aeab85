"""The construction with an MLP: heads hand over subject and relation, the MLP holds the facts.

Serves Theorem 4 of arXiv 2412.06538 (App. C: Lemma 3 and Theorem 11).
"""

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import torch
from torch import Tensor

from numerics.associations import assigned
from numerics.checks import check_integer
from numerics.constructions.base import Construction, head_count, off_eos
from numerics.constructions.keys import (
    Keys,
    check_keys,
    denoising_vector,
    embeddings_of,
    fill_keys,
    partition,
)
from numerics.constructions.weights import Filled, Weights
from numerics.errors import InputError
from numerics.memories.activations import Activation, quadrature
from numerics.memories.low_rank import orthonormal_columns
from numerics.random import Stream, sample_gaussian
from numerics.tasks.factual_recall import FactualRecall

#: Entries (neurons x facts) held at once: 8 MB of float64; so many times more on a card.
_ENTRIES, _ON_CARD = 2**20, 2**4
#: A Hermite coefficient that is less than this part of the activation is 0 up to rounding.
_NO_COEFFICIENT = 1e-9
#: Nodes of a quadrature that is exact for the square of a polynomial of degree 24.
_NODES = 32
#: The mean margin that the scale is chosen for; the residual stream disturbs it by about 1/2.
_MEAN_MARGIN = 8.0


@dataclass(frozen=True)
class _Design:
    tokens_per_head: int
    d_h: int
    m: int
    p: int = 1
    k: int = 1
    activation: Activation | str | Sequence[float] = "relu"
    scale: float | None = None
    keys: Keys = "sum"
    H: int | None = None

    least: ClassVar = 3
    sigma: Activation = field(init=False)
    #: The scale of V with its sign.
    factor: float = field(init=False)

    def __post_init__(self) -> None:
        check_keys(self.keys)
        if self.activation is None:
            raise InputError(
                f"activation is missing for m = {self.m} neurons: name one, 'relu' say"
            )
        sigma = Activation.read(self.activation)
        object.__setattr__(self, "sigma", sigma)
        object.__setattr__(self, "factor", _readout_scale(sigma, self.p, self.k, self.scale))
        check_integer("m", self.m, minimum=1)

    def heads(self, task: FactualRecall, d: int) -> tuple[tuple[tuple[int, ...], ...], int]:
        groups = partition(task, self.tokens_per_head)
        shares = heads_of_a_group(d, self.d_h)
        heads = tuple(tokens for tokens in groups for _ in range(shares))
        return heads, head_count(len(heads), self.H)

    @torch.no_grad()
    def fill(self, drawn: Filled, stream: Stream) -> None:
        weights, task, phi = drawn.weights, drawn.task, drawn.embeddings
        eos = phi[..., task.eos, :].double()
        d, replicates = eos.shape[-1], None if eos.dim() == 1 else len(eos)
        dimension, shares = _dimension(d), heads_of_a_group(d, self.d_h)
        rows = sample_gaussian(
            2 * dimension, d, stream=stream.child("subspaces"), replicates=replicates
        )
        frame = orthonormal_columns(off_eos(rows, eos.cpu()).mT).mT.to(eos.device)
        subspaces = frame[..., :dimension, :], frame[..., dimension:, :]
        # As frames are, interpolating keys are made on the CPU.
        asked = phi.cpu() if self.keys == "interpolating" else phi
        for number, tokens in enumerate(partition(task, self.tokens_per_head)):
            group, end = embeddings_of(tokens, asked), asked[..., task.eos, :].double()
            v = denoising_vector(group, end, self.keys)
            basis = subspaces[0 if tokens[0] in task.subjects else 1]
            for share, part in enumerate(torch.split(basis, self.d_h, dim=-2)):
                h = number * shares + share
                fill_keys(weights, h, v, eos)
                weights.W_V[..., h, : part.shape[-2], :] = part
                weights.W_O[..., h, : part.shape[-2], :] = part
        hidden = sample_gaussian(
            self.m, d, stream=stream.child("hidden"), replicates=replicates, device=eos.device
        )
        weights.W.copy_(hidden)
        weights.V.copy_(
            (self.factor / self.m) * _readout(drawn, hidden, subspaces, (self.p, self.k))
        )

    def check_filled(self, weights: Weights) -> None:
        if not bool(torch.isfinite(weights.V).all()):
            raise InputError(
                f"scale = {abs(self.factor):g} makes V overflow {weights.V.dtype}: lower scale"
            )


class AttentionMLP(Construction):
    """Heads that add up to Pi_P phi(s) + Pi_Q phi(r), and a two-layer network on that.

    P and Q are orthogonal uniform subspaces of dimension floor((d-1)/2), both orthogonal to phi(EOS)
    (two of dimension ceil(d/2), as printed, do not fit). A group of tokens has ceil(dim P / d_h)
    heads with the same key. The neurons w_i are N(0, I_d), and
        v_i = (scale/m) sum_{s,r} <He_{p+k}(w_i), (Pi_P phi(s))^p (x) (Pi_Q phi(r))^k> phi(a*(s, r)),
    negated where E sigma^(p+k)(Z) < 0. Everything is summed in float64, then cast to the dtype of the
    embeddings.
    """

    design = _Design

    @classmethod
    def build(
        cls,
        task: FactualRecall,
        embeddings: Tensor,
        *,
        tokens_per_head: int,
        d_h: int,
        m: int,
        p: int = _Design.p,
        k: int = _Design.k,
        activation: Activation | str | Sequence[float] = _Design.activation,
        scale: float | None = _Design.scale,
        keys: Keys = _Design.keys,
        inverse_temperature: float = float("inf"),
        H: int | None = _Design.H,
        seed: int | Stream,
    ) -> "AttentionMLP":
        """The construction for unit embeddings (|V|, d), d >= 3, with groups of `tokens_per_head`.

        1 <= d_h <= d; m, p, k >= 1 and p + k <= 24, and an activation with E sigma^(p+k)(Z) != 0
        for standard Gaussian Z: "relu" for p = k = 1, say. scale > 0 is finite; unless given, it is
        the one that makes the mean margin about 8, the residual stream being of size 1. V must not
        overflow the dtype of the embeddings. H: how many heads, at least what the groups need (as
        many unless given); those left over stay zero. Subspaces and neurons come from the children
        "subspaces" and "hidden" of the seed's stream. InputError for anything else.
        """
        design = _Design(tokens_per_head, d_h, m, p, k, activation, scale, keys, H)
        return cls._built(
            task, embeddings, design, inverse_temperature=inverse_temperature, seed=seed
        )


def heads_of_a_group(d: int, d_h: int) -> int:
    """ceil(floor((d-1)/2) / d_h), the heads that hand a group's tokens over in R^d.

    d >= 3, so that both subspaces have a dimension, d_h >= 1; InputError otherwise.
    """
    check_integer("d", d, minimum=3)
    check_integer("d_h", d_h, minimum=1)
    return math.ceil(_dimension(d) / d_h)


def _dimension(d: int) -> int:
    """The dimension of P and of Q, which fit beside EOS in R^d."""
    return (d - 1) // 2


def wick_power(products: Tensor, variance: Tensor, n: int) -> Tensor:
    """:x^n: = v^(n/2) He_n(x / sqrt v) for x = `products` (..., m, b) of `variance` v, n >= 1.

    v: (b,), or (..., 1, b).

    For x = <w, y> and v = |y|^2 it is <He_n(w), y^n>. No division: v may be 0.
    """
    before, this = torch.ones_like(products), products
    for j in range(1, n):
        before, this = this, products * this - j * variance * before
    return this


def _readout_scale(sigma: Activation, p: int, k: int, scale: float | None) -> float:
    """The scale with the sign of E sigma^(p+k)(Z) = sqrt((p+k)!) c_{p+k}; InputError where that is 0."""
    check_integer("p", p, minimum=1)
    check_integer("k", k, minimum=1)
    check_integer("p + k", p + k, minimum=2, maximum=24)
    if scale is not None and (isinstance(scale, bool) or not isinstance(scale, int | float)):
        raise InputError(f"scale = {scale!r} is not a number: pass a positive finite one")
    coefficient = sigma.coefficient(p + k)
    if abs(coefficient) <= _NO_COEFFICIENT * _size(sigma):
        raise InputError(
            f"activation = {sigma.name} has E sigma^({p + k})(Z) = 0, so the facts leave no trace: "
            f"take other p = {p}, k = {k}, or another activation"
        )
    mean = math.sqrt(math.factorial(p + k)) * coefficient
    if scale is None:
        # |Pi_P phi(s)|^2 and |Pi_Q phi(r)|^2 are about 1/2, so the mean margin is |mean| / 2^(p+k).
        scale = _MEAN_MARGIN * 2 ** (p + k) / abs(mean)
    if not 0 < scale <= sys.float_info.max:
        raise InputError(f"scale = {scale!r} is no size: pass a positive finite number")
    return math.copysign(scale, mean)


def _size(sigma: Activation) -> float:
    """sqrt(E sigma(Z)^2), by quadrature."""
    nodes, weights = quadrature(_NODES)
    values = sigma.value(nodes)
    largest = float(values.abs().max())
    if not largest:
        return 0.0
    mean = float(weights @ (values / largest) ** 2) / math.sqrt(2 * math.pi)
    return largest * math.sqrt(mean)


def _readout(
    drawn: Filled, hidden: Tensor, subspaces: tuple[Tensor, Tensor], powers: tuple[int, int]
) -> Tensor:
    """sum_{s,r} :<w_i, Pi_P phi(s)>^p: :<w_i, Pi_Q phi(r)>^k: phi(a*(s, r)), float64 (..., m, d).

    This is the contraction of He_{p+k}(w_i), which is a product as P and Q are orthogonal. Facts are
    summed in blocks, so that memory is O(m d) and a block.
    """
    readout, phi = torch.zeros_like(hidden), drawn.embeddings
    projected = [hidden @ basis.mT for basis in subspaces]
    tokens = drawn.task.fact_tokens.to(phi.device)[:, :2]
    entries = _ENTRIES * (_ON_CARD if phi.device.type == "cuda" else 1)
    rows = max(1, entries // hidden[..., 0].numel())
    parts = zip(
        torch.split(tokens, rows), torch.split(drawn.answer_tokens, rows, dim=-1), strict=True
    )
    for inputs, answers in parts:
        features = torch.ones((), dtype=hidden.dtype, device=hidden.device)
        for own, basis, neurons, n in zip(
            inputs.unbind(dim=1), subspaces, projected, powers, strict=True
        ):
            coordinates = phi[..., own, :].double() @ basis.mT
            variance = (coordinates * coordinates).sum(dim=-1).unsqueeze(-2)
            features = features * wick_power(neurons @ coordinates.mT, variance, n)
        readout += features @ assigned(phi, answers).double()
    return readout
