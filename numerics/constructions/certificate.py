"""A proof that a given transformer recalls each fact in every context, up to stated rounding.

Serves Theorems 3 and 4 of arXiv 2412.06538 (App. C: Theorems 10 and 11): accuracy 1 over all sequences
of the task, whatever the noise tokens and positions.
"""

import math
from dataclasses import dataclass, field

import torch
from torch import Tensor

from numerics.checks import check_integer
from numerics.constructions.base import Construction
from numerics.constructions.reach import head_norms, largest_images, largest_scores
from numerics.decoding import DEFAULT_BLOCKS, Decoder
from numerics.errors import InputError
from numerics.rounding import BOUND_SLACK, dot_error_factor, full_precision_products, lengths
from numerics.transformer import OneLayerTransformer

__all__ = ["Certificate", "certify"]

#: Halvings that look for the least inverse temperature, and exponents 2^-k tried for a radius.
_HALVINGS, _EXPONENTS = 50, 64


@dataclass(frozen=True)
class Certificate:
    """What was proved of a construction's F facts, float64 (F,) in the order of `task.facts`.

    A fact is proved under hard attention where in every active head one of the subject, the relation
    and EOS leads every other token that a context of the fact can hold (its `lead`, the least over
    heads, is beyond rounding), and where with these tokens attended to its answer leads the whole
    vocabulary (its `margin` is above its `bound`). Nothing is claimed of a fact without a lead, nor of
    its margin: in some context a noise token, or rounding, decides what a head attends to.

    leads, margins, bounds: those numbers. attended, certified: boolean (F,), whether the lead is
    proved, and lead and margin both, at hard attention. intended: boolean (F,), whether each head is
    proved to attend to the token it was made for: one of its own, or EOS. gaps: (H,), the least lead
    over facts of the token a head was made for, below 0 where another leads, inf for a head that is
    zero. inverse_temperatures: (F,), a finite one from which on the fact is proved for softmax
    attention in contexts of length T, inf for a fact that is not certified; None if not asked for.
    rounding_bound: the largest bound on the rounding of a lead, and of a margin.
    """

    leads: Tensor = field(repr=False)
    margins: Tensor = field(repr=False)
    bounds: Tensor = field(repr=False)
    attended: Tensor = field(repr=False)
    intended: Tensor = field(repr=False)
    gaps: Tensor = field(repr=False)
    inverse_temperatures: Tensor | None = field(repr=False)
    rounding_bound: tuple[float, float]
    T: int

    @property
    def certified(self) -> Tensor:
        """Which facts are proved under hard attention, boolean (F,)."""
        return self.attended & (self.margins > self.bounds)

    @property
    def total(self) -> int:
        """F."""
        return len(self.margins)

    @property
    def correct(self) -> int:
        """How many facts are proved under hard attention."""
        return int(self.certified.sum())

    @property
    def accuracy(self) -> float:
        """correct / total."""
        return self.correct / self.total

    @property
    def complete(self) -> bool:
        """Whether every fact is proved, so that accuracy is 1 whatever the law of the facts."""
        return self.correct == self.total

    @property
    def least_gap(self) -> float:
        """The least over heads and facts of the lead of the token that the head was made for."""
        return float(self.gaps.min())

    @property
    def least_margin(self) -> float:
        """The least margin."""
        return float(self.margins.min())

    @property
    def least_inverse_temperature(self) -> float:
        """A finite inverse temperature that suffices for all facts; inf where one is not certified."""
        return float(self._temperatures().max())

    def certified_at(self, inverse_temperature: float) -> Tensor:
        """Which facts are proved for softmax attention at this inverse temperature, boolean (F,)."""
        if inverse_temperature == math.inf:
            return self.certified
        return self._temperatures() <= inverse_temperature

    def _temperatures(self) -> Tensor:
        if self.inverse_temperatures is None:
            raise InputError("temperatures = False left them out: certify with temperatures = True")
        return self.inverse_temperatures


@torch.no_grad()
def certify(
    construction: Construction,
    *,
    temperatures: bool = True,
    block: tuple[int, int] | None = None,
) -> Certificate:
    """Prove, fact by fact, that the transformer recalls it in every context of length T.

    The weights and embeddings as stored define the map, in exact arithmetic; float32 ones are cast to
    float64, without error, and all is computed there. temperatures: whether finite inverse
    temperatures are looked for too. block: (facts, vocabulary entries) of a tile of scores. The
    inverse temperature of the transformer itself plays no part: ask `certified_at`. InputError for a
    block below 1, and where `heads` has another number of entries than the transformer heads.

    Attention. The score of z in head h is <phi(z), k>, k = W_K^T W_Q phi(EOS). Computed, q = W_Q
    phi(EOS) errs by at most gamma_d |W_Q|_F |phi(EOS)|, k by gamma_{d_h} |W_K|_F |q| + |W_K|_F times
    that, and a score by gamma_d |z| |k| + |z| times that, so by gamma_{2d+d_h} |W_K|_F |W_Q|_F
    max|phi|^2; a lead is the difference of two. A context of T = 3 has no noise; in longer ones every
    noise token may stand, so the greatest noise score counts.

    Margins. Each head's image W_O^T W_V phi(z) errs by at most gamma_{d+d_h} |W_O|_F |W_V|_F |phi(z)|,
    as in `LowRankMemory.apply_error`, and the sum of H of them by gamma_H more. The MLP's error
    follows as in `TwoLayerNetwork`, with <w_i, x> known to |w_i| times the distance of x. Scores
    against the vocabulary are those of `recall`. A head that attends to EOS counts with its true
    output, which is 0 only up to rounding.

    Softmax. All positions but the one attended to have weight at most (T-1) exp(-beta lead) together.
    Without an MLP, a margin then moves by at most 4 (T-1) sum_h exp(-beta lead_h) K_h, where K_h is
    the greatest |<phi(b), W_O^T W_V phi(z)>| over all b and all z in contexts. With one, F_MHSA moves
    by at most 2 (T-1) sum_h exp(-beta lead_h) L_h, L_h the greatest |W_O^T W_V phi(z)|, and the MLP's
    error is that of an input so far off, by the slope of sigma nearby.
    """
    with full_precision_products():
        return _Prover(construction, block).certificate(temperatures=temperatures)


class _Image:
    """F_TF as a memory for decoding: F_MHSA in, F_TF out; inputs are off by at most `radius`."""

    def __init__(
        self,
        inputs: Tensor,
        outputs: Tensor,
        association: Tensor,
        mlp: "_Readout | None",
        radius: float,
    ) -> None:
        self.inputs = inputs
        self.outputs = outputs
        self.association = association
        self._mlp = mlp
        self._radius = radius

    def apply(self, vectors: Tensor) -> Tensor:
        return vectors if self._mlp is None else vectors + self._mlp.value(vectors)

    def apply_error(self, vectors: Tensor) -> Tensor:
        radius = torch.full_like(vectors[:, 0], self._radius)
        return radius if self._mlp is None else self._mlp.error(vectors, radius)


class _Readout:
    """x -> V^T sigma(W x) in float64, with its error where x is known to a radius."""

    def __init__(self, transformer: OneLayerTransformer) -> None:
        assert transformer.activation is not None
        self._sigma = transformer.activation
        self._W, self._V = transformer.W.double(), transformer.V.double()
        self._sizes = lengths(self._W), lengths(self._V)

    def value(self, vectors: Tensor) -> Tensor:
        return self._sigma.value(vectors @ self._W.mT) @ self._V

    def error(self, vectors: Tensor, radius: Tensor) -> Tensor:
        """Bounds (b,) on |(x + V^T sigma(W x))' - (y + V^T sigma(W y))| for |x - y| <= radius.

        x are the `vectors` (b, d), the first term as computed, the second exact: as in
        `TwoLayerNetwork.apply_error`, with the distance of x from y and the rounding of one sum more.
        """
        d, m = vectors.shape[1], len(self._V)
        gamma, tiny = dot_error_factor, torch.finfo(torch.float64).tiny
        hidden, readout = self._sizes
        size = lengths(vectors)
        spread = gamma(d + 1, torch.float64) * size + radius
        reach = BOUND_SLACK * torch.outer(spread, hidden) + 4 * d * tiny * (1 + size).unsqueeze(1)
        points = vectors @ self._W.mT
        error = self._sigma.value_error(points, reach, torch.float64)
        values = self._sigma.value(points).abs() + 2 * error
        terms = (error + gamma(m + 3, torch.float64) * values) @ (readout + d**0.5 * tiny)
        rounded = radius + gamma(2, torch.float64) * size + terms
        bound: Tensor = BOUND_SLACK * rounded + 4 * m * d**0.5 * tiny
        return bound


class _Prover:
    def __init__(self, construction: Construction, block: tuple[int, int] | None) -> None:
        self._transformer = model = construction.transformer
        self._task = task = construction.task
        device = construction.embeddings.device
        self._phi = construction.embeddings.double()
        self._largest = float(lengths(self._phi).max())
        self._block = block or DEFAULT_BLOCKS["cuda" if device.type == "cuda" else "cpu"]
        for place, size in enumerate(self._block):
            check_integer(f"block[{place}]", size, minimum=1)
        if len(construction.heads) != model.H:
            raise InputError(
                f"heads names {len(construction.heads)} groups for H = {model.H} heads: name one a "
                "head, () for a head that looks for nothing"
            )
        self._mlp = _Readout(model) if model.m else None
        d, H, d_h = model.d, model.H, model.d_h
        gamma, tiny = dot_error_factor, torch.finfo(torch.float64).tiny
        norms = {name: head_norms(getattr(model, name)) for name in ("W_K", "W_Q", "W_V", "W_O")}
        underflow = 4 * tiny * (d + d_h) ** 1.5
        grown = {name: 1 + norm for name, norm in norms.items()}
        #: Heads that add 0 to every image, whatever they attend to.
        self._idle = (norms["W_V"] == 0) | (norms["W_O"] == 0)
        product = gamma(2 * d + d_h, torch.float64) * norms["W_K"] * norms["W_Q"]
        score = product * self._largest**2 + underflow * grown["W_K"] * grown["W_Q"]
        self._lead_bounds = 2 * BOUND_SLACK * score * (1 + self._largest) ** 2
        product = gamma(d + d_h + H + 2, torch.float64) * norms["W_V"] * norms["W_O"]
        image = product * self._largest + underflow * grown["W_V"] * grown["W_O"] * (
            1 + self._largest
        )
        self._radius = float(BOUND_SLACK * image[~self._idle].sum())
        eos = self._phi[task.eos]
        queries = torch.einsum("hkd,d->hk", model.W_Q.double(), eos)
        self._keys = torch.einsum("hk,hkd->hd", queries, model.W_K.double())
        self._noise = self._greatest_noise()
        self._groups = self._group_numbers(construction.heads)

    def _greatest_noise(self) -> Tensor:
        """The greatest score of a noise token in each head, (H,); -inf where contexts have none."""
        greatest = torch.full_like(self._keys[:, 0], -math.inf)
        if self._task.T > 3:
            tokens = self._task.noise_tokens
            for part in torch.split(self._phi[tokens.start : tokens.stop], self._block[1]):
                greatest = torch.maximum(greatest, (part @ self._keys.mT).amax(dim=0))
        return greatest

    def _group_numbers(self, heads: tuple[tuple[int, ...], ...]) -> tuple[Tensor, Tensor]:
        """The group of each subject and relation token, and of each head; -1 for none."""
        numbers: dict[tuple[int, ...], int] = {(): -1}
        for tokens in heads:
            numbers.setdefault(tokens, len(numbers))
        of_token = torch.full((self._task.relations.stop,), -2)
        for tokens, number in numbers.items():
            of_token[list(tokens)] = number
        of_head = torch.tensor([numbers[tokens] for tokens in heads])
        device = self._phi.device
        return of_token.to(device), of_head.to(device)

    def certificate(self, *, temperatures: bool) -> Certificate:
        facts = self._task.fact_tokens.to(self._phi.device)
        shifts = self._shifts() if temperatures else None
        found: list[tuple[Tensor, ...]] = []
        gaps = torch.full_like(self._noise, math.inf)
        for part in torch.split(facts, self._block[0]):
            leads, winners, ahead = self._attention(part)
            torch.minimum(gaps, ahead.amin(dim=0), out=gaps)
            # The lead in excess of what rounding may have done, in the head where that is least.
            excess = leads - self._lead_bounds
            least = leads.gather(1, excess.argmin(dim=1, keepdim=True)).squeeze(1)
            attended = (excess > 0).all(dim=1)
            intended = (ahead > self._lead_bounds).all(dim=1)
            margins, bounds, images = self._margins(part, winners)
            results = [least, margins, bounds, attended, intended]
            if shifts is not None:
                sure = attended & (margins > bounds)
                budget = self._budget(images, margins - bounds)
                results.append(_temperatures(excess, shifts, torch.where(sure, budget, 0.0)))
            found.append(tuple(results))
        least, margins, bounds, attended, intended, *rest = (
            torch.cat(column) for column in zip(*found, strict=True)
        )
        return Certificate(
            leads=least,
            margins=margins,
            bounds=bounds,
            attended=attended,
            intended=intended,
            gaps=gaps,
            inverse_temperatures=rest[0] if rest else None,
            rounding_bound=(float(self._lead_bounds.max()), float(bounds.max())),
            T=self._task.T,
        )

    def _attention(self, facts: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """For facts (b, 3): leads (b, H), tokens they are of (b, H), and leads of those intended."""
        subject, relation, _ = facts.unbind(dim=1)
        eos = torch.full_like(subject, self._task.eos)
        tokens = torch.stack([subject, relation, eos])
        scores = torch.stack([self._phi[part] @ self._keys.mT for part in tokens])
        everything = torch.cat([scores, self._noise.expand_as(scores[:1])])
        of_token, of_head = self._groups
        meant = torch.full_like(scores[0], 2, dtype=torch.int64)
        for place, part in enumerate((subject, relation)):
            meant[of_token[part].unsqueeze(1) == of_head] = place
        best = scores.argmax(dim=0)
        leads, ahead = (_lead(everything, place) for place in (best, meant))
        winners = tokens.mT.gather(1, best)
        for values in (leads, ahead):
            values[:, self._idle] = math.inf
        return leads, winners, ahead

    def _margins(self, facts: Tensor, winners: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Margins and their bounds, (b,) each, where heads attend to `winners`; F_MHSA too, (b, d)."""
        images = torch.zeros_like(self._phi[facts[:, 0]])
        for h in torch.nonzero(~self._idle).flatten().tolist():
            W_V, W_O = (getattr(self._transformer, name)[h].double() for name in ("W_V", "W_O"))
            tokens, place = torch.unique(winners[:, h], return_inverse=True)
            images += ((self._phi[tokens] @ W_V.mT) @ W_O)[place]
        memory = _Image(images, self._phi, facts[:, 2], self._mlp, self._radius)
        decoder = Decoder(memory, images, self._block)
        while not decoder.finished:
            decoder.advance()
        return decoder.margins, decoder.bounds, images

    def _shifts(self) -> Tensor:
        """c_h (H,): sum_h c_h exp(-beta lead_h) bounds what softmax moves, as `certify` says.

        The margins where there is no MLP, F_MHSA where there is one.
        """
        task, model = self._task, self._transformer
        tokens = torch.arange(task.vocabulary, device=self._phi.device)
        found = (tokens < task.answers.start) | (tokens == task.eos)
        if task.T > 3:
            found |= tokens >= task.answers.stop
        contexts, others = self._phi[found], task.T - 1
        if self._mlp is None:
            return 4 * others * largest_scores(model, self._phi, contexts, self._block)
        return 2 * others * largest_images(model, contexts, self._block)

    def _budget(self, images: Tensor, slack: Tensor) -> Tensor:
        """How far the sum of `_shifts` may go, (b,), for margins in excess of their bounds (b,).

        With an MLP, the greatest 2^-k, k < 64, for which inputs so far off move no margin by `slack`;
        0 where there is none. It is found by halving, as the error grows with the radius.
        """
        if self._mlp is None:
            return slack
        low = torch.zeros_like(slack, dtype=torch.int64)
        high = torch.full_like(low, _EXPONENTS)
        while bool((low < high).any()):
            middle = (low + high) // 2
            error = self._mlp.error(images, self._radius + torch.exp2(-middle.double()))
            fits = 2 * BOUND_SLACK**2 * self._largest * error < slack
            high = torch.where(fits, middle, high)
            low = torch.where(fits, low, torch.minimum(middle + 1, high))
        return torch.where(high < _EXPONENTS, torch.exp2(-high.double()), 0.0)


def _lead(scores: Tensor, place: Tensor) -> Tensor:
    """scores[place] less the greatest other one: scores (n, b, H), place (b, H) -> (b, H)."""
    mine = scores.gather(0, place.unsqueeze(0))
    others = scores.scatter(0, place.unsqueeze(0), -math.inf)
    return mine.squeeze(0) - others.amax(dim=0)


def _temperatures(leads: Tensor, shifts: Tensor, budget: Tensor) -> Tensor:
    """The least beta with sum_h c_h exp(-beta lead_h) < budget, (b,), to 15 digits; inf for budget 0.

    leads (b, H), positive wherever the budget is; shifts c (H,). What is returned was checked, with a
    slack that covers the rounding of the sum.
    """
    positive = budget > 0
    rates = torch.where(positive.unsqueeze(1), leads, 1.0)
    limit = torch.where(positive, budget, 1.0)
    high = torch.log(2 * BOUND_SLACK * shifts.sum() / limit).clamp(min=0) / rates.amin(dim=1)
    low = torch.zeros_like(high)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        moved = torch.exp(-middle.unsqueeze(1) * rates) @ shifts
        enough = BOUND_SLACK * moved < limit
        high, low = torch.where(enough, middle, high), torch.where(enough, low, middle)
    return torch.where(positive, high, math.inf)
