"""A proof that a given transformer recalls each fact in every context of its task.

Serves Theorems 3 and 4 of arXiv 2412.06538 (App. C: Theorems 10 and 11): accuracy 1 over all sequences
of the task, whatever the noise tokens and positions.

What is proved is said of a map: that of the stored weights and embeddings under hard attention, in
exact arithmetic. It is not said of the module's own rounding, which may name another token where a
lead or a margin is as small as that, in float32 above all; nor of the module's own inverse temperature,
of which `Certificate.certified_as_built` speaks.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from numerics.associations import assigned
from numerics.constructions.base import Construction
from numerics.constructions.reach import (
    error_of_sizes,
    largest_images,
    largest_scores,
    product_error,
)
from numerics.constructions.weights import Filled, Weights
from numerics.decoding import Decoder, checked_block
from numerics.errors import InputError
from numerics.many import margins_of
from numerics.rounding import BOUND_SLACK, dot_error_factor, full_precision_products, lengths
from numerics.transformer import OneLayerTransformer, checked_temperature

#: Halvings that look for the least inverse temperature, and exponents 2^-k tried for a radius: so
#: many that the last one is lost beside the rounding of an image.
_HALVINGS, _EXPONENTS = 50, 128
#: Entries (facts x neurons) held at once: 8 MB of float64; so many times more on a card.
_ENTRIES, _ON_CARD = 2**20, 2**4
#: A lead or a margin of many decides for every device and order of sums where it is so many times its
#: bound: that covers the rounding of weights, which bounds leave out and which moves both by less than
#: a bound. Of the facts of an MLP one in 10^5 is then in doubt, of heads alone one in 10^7.
_SURELY = 2**10


@dataclass(frozen=True, eq=False, repr=False)
class Certificate:
    """What was proved of a construction's F facts, float64 (F,) in the order of `task.facts`.

    It holds for the exact map of the stored weights under hard attention: neither the rounding that
    the module makes when it runs, nor its own inverse temperature, has a part in it.

    A fact is proved under hard attention where in every active head one of the subject, the relation
    and EOS leads every other token that a context of the fact can hold (its `lead`, the least over
    heads, is beyond rounding), and where with these tokens attended to its answer leads the whole
    vocabulary (its `margin` is above its `bound`). Nothing is claimed of a fact without a lead, nor of
    its margin: in some context a noise token, or rounding, decides what a head attends to.

    leads, margins, bounds: those numbers. attended, certified: boolean (F,), whether the lead is
    proved, and lead and margin both, at hard attention. intended: boolean (F,), whether each head is
    proved to attend to the token it was made for: one of its own (of subject and relation the one
    ahead, if both are), or EOS. gaps: (H,), the least lead over facts of the token a head was made for,
    below 0 where another leads, inf for a head that is zero. inverse_temperatures: (F,), a finite one
    from which on the fact is proved for softmax attention in contexts of length T, inf for a fact that
    is not certified (or where it would leave the range of float64); None if not asked for.
    rounding_bound: the largest bound on the rounding of a lead, and of a margin, as computed here.
    inverse_temperature: that of the transformer.
    """

    leads: Tensor
    margins: Tensor
    bounds: Tensor
    attended: Tensor
    intended: Tensor
    gaps: Tensor
    inverse_temperatures: Tensor | None
    rounding_bound: tuple[float, float]
    T: int
    inverse_temperature: float

    def __repr__(self) -> str:
        built = ""
        if self.inverse_temperature < math.inf:
            known = self.inverse_temperatures is not None
            count = int(self.certified_as_built.sum()) if known else "an unknown number"
            built = f", of which {count} at its inverse temperature {self.inverse_temperature:g}"
        return (
            f"Certificate({self.correct} of {self.total} facts under hard attention{built}; "
            f"T={self.T}, least margin {self.least_margin:.3g})"
        )

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

    @property
    def certified_as_built(self) -> Tensor:
        """Which facts are proved at the transformer's own inverse temperature, boolean (F,)."""
        return self.certified_at(self.inverse_temperature)

    def certified_at(self, inverse_temperature: float) -> Tensor:
        """Which facts are proved for softmax attention at this inverse temperature, boolean (F,).

        InputError unless it is positive (math.inf: hard attention), and for a finite one where
        temperatures were left out.
        """
        if checked_temperature(inverse_temperature, torch.float64) == math.inf:
            return self.certified
        return self._temperatures() <= inverse_temperature

    def _temperatures(self) -> Tensor:
        if self.inverse_temperatures is None:
            raise InputError("temperatures = False left them out: certify with temperatures = True")
        return self.inverse_temperatures


@torch.no_grad()
def certify(
    construction: Construction, *, temperatures: bool = True, block: tuple[int, int] | None = None
) -> Certificate:
    """Prove, fact by fact, that the transformer recalls it in every context of length T.

    The weights and embeddings as stored define the map, in exact arithmetic; float32 ones are cast to
    float64, without error, and all is computed there. temperatures: whether finite inverse
    temperatures are looked for too. block: (facts, vocabulary entries) of a tile of scores, each
    >= 1. The inverse temperature of the transformer itself plays no part: ask `certified_as_built` or
    `certified_at`. InputError for anything else.

    Attention. The score of z in head h is <phi(z), k>, k = W_K^T W_Q phi(EOS). Computed, q = W_Q
    phi(EOS) errs by at most gamma_d |W_Q|_F |phi(EOS)|, k by gamma_{d_h} |W_K|_F |q| + |W_K|_F times
    that, and a score by gamma_d |z| |k| + |z| times that, so by gamma_{2d+d_h} |W_K|_F |W_Q|_F
    max|phi|^2; a lead is the difference of two, and its bound is taken off again, a rounding each. A
    context of T = 3 has no noise; in longer ones every noise token may stand, so the greatest noise
    score counts.

    Margins. Each head's image W_O^T W_V phi(z) errs by at most gamma_{d+d_h} |W_O|_F |W_V|_F |phi(z)|,
    as in `LowRankMemory.apply_error`. Those of EOS are summed once, and the differences from them added
    where a head attends to another token; what a computed image of EOS is off by cancels then, and sums
    of at most H + 1 terms of three times the size remain, so that gamma_{4H+2} more covers them. The
    MLP's error follows as in `TwoLayerNetwork`, with <w_i, x> known to |w_i| times the distance of x.
    Scores against the vocabulary are those of `recall`. A head that attends to EOS counts with its true
    output, which is 0 only up to rounding.

    Softmax. All positions but the one attended to have weight at most (T-1) exp(-beta lead) together.
    Without an MLP, a margin then moves by at most 4 (T-1) sum_h exp(-beta lead_h) K_h, where K_h is
    the greatest |<phi(b), W_O^T W_V phi(z)>| over all b and all z in contexts. With one, F_MHSA moves
    by at most 2 (T-1) sum_h exp(-beta lead_h) L_h, L_h the greatest |W_O^T W_V phi(z)|, and the MLP's
    error is that of an input so far off, by the slope of sigma nearby. Distances 2^-k times the size
    of F_MHSA or of L_h are tried.
    """
    if not isinstance(construction, Construction):
        raise InputError(
            f"construction is a {type(construction).__name__}: pass a Construction, which holds a "
            "transformer, its embeddings, the task and what the heads are for"
        )
    with full_precision_products():
        prover = _Prover(construction.filled, block)
        return prover.certificate(
            temperatures=temperatures,
            inverse_temperature=construction.transformer.inverse_temperature,
        )


@torch.no_grad()
def certify_many(drawn: Filled) -> tuple[Tensor, Tensor]:
    """Which of many constructions surely have a complete `certify`, and which surely have not: (r,).

    Two masks. A fact is certified for sure where in every head the lead, and then its margin, is above
    its bound by a factor that covers the rounding of weights too; it is lost for sure where one of them
    is as far below 0. Others are left to `certify`. Facts are asked all at once; nothing waits for a
    card.
    """
    with full_precision_products():
        return _Prover(drawn, None).decided()


class _Images:
    """F_TF of a block of facts as a memory for decoding: images (..., b, d), off by at most `errors`."""

    def __init__(
        self, inputs: Tensor, outputs: Tensor, association: Tensor, errors: Tensor
    ) -> None:
        self.inputs = inputs
        self.outputs = outputs
        self.association = association
        self._errors = errors

    def apply(self, vectors: Tensor) -> Tensor:
        return vectors

    def apply_error(self, vectors: Tensor) -> Tensor:
        assert vectors.shape[:-1] == self._errors.shape
        return self._errors


class _Readout:
    """x -> x + V^T sigma(W x) in float64, with its error where x is known to a radius.

    Facts are taken in parts, so that (facts x neurons) stays small. Leading dimensions number
    transformers, and what is asked of each.
    """

    def __init__(self, weights: Weights | OneLayerTransformer) -> None:
        assert weights.activation is not None
        self._sigma = weights.activation
        self._W, self._V = weights.W.double(), weights.V.double()
        self._sizes = lengths(self._W), lengths(self._V)
        entries = _ENTRIES * (_ON_CARD if self._V.device.type == "cuda" else 1)
        self._rows = max(1, entries // self._V[..., 0].numel())

    def value(self, vectors: Tensor) -> Tensor:
        """x + V^T sigma(W x) of each row x of `vectors` (..., b, d)."""
        parts = torch.split(vectors, self._rows, dim=-2)
        values = [x + self._sigma.value(x @ self._W.mT) @ self._V for x in parts]
        return torch.cat(values, dim=-2)

    def error(self, vectors: Tensor, radius: Tensor) -> Tensor:
        """Bounds (..., b) on |(x + V^T sigma(W x))' - (y + V^T sigma(W y))| for |x - y| <= radius.

        x are the `vectors` (..., b, d), the first term as computed, the second exact: as in
        `TwoLayerNetwork.apply_error`, with the distance of x from y and the rounding of one sum more.
        """
        rows = torch.split(vectors, self._rows, dim=-2), torch.split(radius, self._rows, dim=-1)
        parts = zip(*rows, strict=True)
        return torch.cat([self._error(x, x @ self._W.mT, near) for x, near in parts], dim=-1)

    def room(self, vectors: Tensor, radius: float, sizes: Tensor, growth: Tensor) -> Tensor:
        """The greatest sizes 2^-k, k < 128, by which the radius may grow, (b,), for one; 0 for none.

        Such that the error at radius + 2^-k sizes is above that at the radius by less than `growth`
        (b,). By halving, as the error grows with the radius.
        """
        given = [torch.split(part, self._rows) for part in (vectors, sizes, growth)]
        parts = zip(*given, strict=True)
        return torch.cat([self._room(x, size, most, radius) for x, size, most in parts])

    def _room(self, vectors: Tensor, sizes: Tensor, growth: Tensor, radius: float) -> Tensor:
        points = vectors @ self._W.mT
        before = self._error(vectors, points, torch.full_like(sizes, radius))
        low = torch.zeros_like(sizes, dtype=torch.int64)
        high = torch.full_like(low, _EXPONENTS)
        while bool((low < high).any()):
            middle = (low + high) // 2
            after = self._error(vectors, points, radius + sizes * torch.exp2(-middle.double()))
            fits = after - before < growth
            high = torch.where(fits, middle, high)
            low = torch.where(fits, low, torch.minimum(middle + 1, high))
        return torch.where(high < _EXPONENTS, sizes * torch.exp2(-high.double()), 0.0)

    def _error(self, vectors: Tensor, points: Tensor, radius: Tensor) -> Tensor:
        d, m = vectors.shape[-1], self._V.shape[-2]
        gamma, tiny = dot_error_factor, torch.finfo(torch.float64).tiny
        hidden, readout = self._sizes
        size = lengths(vectors)
        spread = gamma(d + 1, torch.float64) * size + radius
        products = spread.unsqueeze(-1) * hidden.unsqueeze(-2)
        reach = BOUND_SLACK * products + 4 * d * tiny * (1 + size).unsqueeze(-1)
        error = self._sigma.value_error(points, reach, torch.float64)
        values = self._sigma.value(points).abs() + 2 * error
        sizes = (readout + d**0.5 * tiny).unsqueeze(-1)
        terms = ((error + gamma(m + 3, torch.float64) * values) @ sizes).squeeze(-1)
        rounded = radius + gamma(2, torch.float64) * size + terms
        bound: Tensor = BOUND_SLACK * rounded + 4 * m * d**0.5 * tiny
        return bound


class _Prover:
    """What is computed of one construction, or of many, which leading dimensions number."""

    def __init__(self, drawn: Filled, block: tuple[int, int] | None) -> None:
        self._weights = weights = drawn.weights
        self._task = task = drawn.task
        self._answers = drawn.answer_tokens
        self._heads = drawn.heads
        self._phi = drawn.embeddings.double()
        self._largest = lengths(self._phi).amax(dim=-1, keepdim=True)
        self._block = checked_block(block, self._phi.device)
        self._mlp = _Readout(weights) if weights.m else None
        H, d_h, d = weights.W_V.shape[-3:]
        sizes = lengths(weights.W_V.flatten(-2)), lengths(weights.W_O.flatten(-2))
        #: Heads that add 0 to every image, whatever they attend to.
        self._idle = (sizes[0] == 0) | (sizes[1] == 0)
        roundings, largest = 2 * d + d_h + 2, self._largest
        self._lead_bounds = 2 * product_error(weights.W_K, weights.W_Q, roundings, largest, largest)
        errors = error_of_sizes(*sizes, d + d_h + 4 * H + 2, largest)
        self._radius = BOUND_SLACK * errors.masked_fill(self._idle, 0.0).sum(dim=-1)
        eos = self._phi[..., task.eos, :]
        queries = torch.einsum("...hkd,...d->...hk", weights.W_Q.double(), eos)
        self._keys = torch.einsum("...hk,...hkd->...hd", queries, weights.W_K.double())
        values = torch.einsum("...hkd,...d->...hk", weights.W_V.double(), eos)
        self._ends = torch.einsum("...hk,...hkd->...hd", values, weights.W_O.double())
        #: Scores of subjects and relations, of EOS, and the greatest of noise tokens, in each head.
        self._scores = self._phi[..., : task.relations.stop, :] @ self._keys.mT
        self._end_scores = (self._keys * eos.unsqueeze(-2)).sum(dim=-1)
        self._noise = self._greatest_noise()

    def _greatest_noise(self) -> Tensor:
        """The greatest score of a noise token in each head, (..., H); -inf where contexts have none."""
        greatest = torch.full_like(self._keys[..., 0], -math.inf)
        if self._task.T > 3:
            tokens = self._task.noise_tokens
            noise = self._phi[..., tokens.start : tokens.stop, :]
            for part in torch.split(noise, self._block[1], dim=-2):
                greatest = torch.maximum(greatest, (part @ self._keys.mT).amax(dim=-2))
        return greatest

    def certificate(self, *, temperatures: bool, inverse_temperature: float) -> Certificate:
        """Of one construction, a block of facts after the other."""
        facts = self._task.fact_tokens.to(self._phi.device)
        shifts = self._shifts() if temperatures else None
        made_for = self._made_for()
        found: list[tuple[Tensor, ...]] = []
        gaps = torch.full_like(self._noise, math.inf)
        for part in torch.split(facts, self._block[0]):
            scores = self._scores_of(part)
            leads, winners = self._attention(part, scores)
            ahead = self._ahead(part, scores, made_for)
            torch.minimum(gaps, ahead.amin(dim=0), out=gaps)
            # The lead in excess of what rounding may have done, in the head where that is least.
            excess = leads - self._lead_bounds
            least = leads.gather(1, excess.argmin(dim=1, keepdim=True)).squeeze(1)
            attended = (excess > 0).all(dim=1)
            intended = (ahead > self._lead_bounds).all(dim=1)
            images = self._images(winners)
            memory = self._memory(images, part[:, 2])
            decoder = Decoder(memory, memory.inputs, self._block)
            while not decoder.finished:
                decoder.advance()
            margins, bounds = decoder.margins, decoder.bounds
            results = [least, margins, bounds, attended, intended]
            if shifts is not None:
                slack = torch.where(attended, margins - bounds, 0.0).clamp(min=0)
                budget = self._budget(images, slack, shifts)
                results.append(_temperatures(excess, shifts, budget))
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
            inverse_temperature=inverse_temperature,
        )

    def decided(self) -> tuple[Tensor, Tensor]:
        """The masks of `certify_many`, of many, all facts at once."""
        facts = self._task.fact_tokens.to(self._phi.device)
        leads, winners = self._attention(facts, self._scores_of(facts))
        surely = _SURELY * self._lead_bounds.unsqueeze(-2)
        led = (leads > surely).all(dim=-1)
        images = self._images(winners)
        margins, bounds = margins_of(self._memory(images, self._answers), torch.float64)
        bounds = _SURELY * bounds
        lost = (leads < -surely).any(dim=-1) | (led & (margins < -bounds))
        return (led & (margins > bounds)).all(dim=-1), lost.any(dim=-1)

    def _scores_of(self, facts: Tensor) -> Tensor:
        """For facts (b, 3) the scores of subject, relation, EOS and noise: (4, ..., b, H)."""
        subject, relation, _ = facts.unbind(dim=1)
        own = [self._scores[..., part, :] for part in (subject, relation)]
        everywhere = [
            part.unsqueeze(-2).expand_as(own[0]) for part in (self._end_scores, self._noise)
        ]
        return torch.stack([*own, *everywhere])

    def _attention(self, facts: Tensor, scores: Tensor) -> tuple[Tensor, Tensor]:
        """For facts (b, 3) and their scores: leads (..., b, H), and tokens they are of (..., b, H)."""
        place = _foremost(*scores[:3])
        leads = _lead(scores, place).masked_fill(self._idle.unsqueeze(-2), math.inf)
        subject, relation = (part.unsqueeze(-1) for part in facts.unbind(dim=1)[:2])
        others = torch.where(place == 1, relation, self._task.eos)
        return leads, torch.where(place == 0, subject, others)

    def _made_for(self) -> Tensor:
        """Whether a head was made for a subject or relation, boolean (H, tokens)."""
        made_for = torch.zeros(len(self._heads), self._task.relations.stop, dtype=torch.bool)
        for h, tokens in enumerate(self._heads):
            made_for[h, list(tokens)] = True
        return made_for.to(self._phi.device)

    def _ahead(self, facts: Tensor, scores: Tensor, made_for: Tensor) -> Tensor:
        """For facts (b, 3) and their scores the leads of the tokens that heads were made for: (b, H)."""
        own = [made_for[:, part].mT for part in facts.unbind(dim=1)[:2]]
        meant = torch.stack([*own, ~(own[0] | own[1])])
        place = _foremost(*scores[:3].masked_fill(~meant, -math.inf))
        return _lead(scores, place).masked_fill(self._idle, math.inf)

    def _images(self, winners: Tensor) -> Tensor:
        """F_MHSA (..., b, d) where heads attend to `winners` (..., b, H)."""
        active = ~self._idle
        ends = torch.where(active.unsqueeze(-1), self._ends, 0.0).sum(dim=-2, keepdim=True)
        images = ends.expand(*winners.shape[:-1], -1).clone()
        elsewhere = (winners != self._task.eos) & active.unsqueeze(-2)
        tokens, places, counts = self._attended(winners, elsewhere)
        for h, count in enumerate(counts):
            if not count:
                continue
            W_V, W_O = (
                part[..., h, :, :].double() for part in (self._weights.W_V, self._weights.W_O)
            )
            vectors = assigned(self._phi, tokens[..., h, :count])
            moved = (vectors @ W_V.mT) @ W_O - self._ends[..., h, :].unsqueeze(-2)
            chosen, place = elsewhere[..., h], places[..., h]
            if moved.dim() == 2:
                rows = torch.nonzero(chosen).squeeze(1)
                images[rows] += moved[place[rows]]
            else:
                images += torch.where(chosen.unsqueeze(-1), assigned(moved, place), 0.0)
        return images

    def _attended(self, winners: Tensor, elsewhere: Tensor) -> tuple[Tensor, Tensor, list[int]]:
        """The subjects and relations that heads attend to for some fact, where `elsewhere`.

        tokens (..., H, n), those of a head first; the place of each winner among them (..., b, H); and
        how many a head has at most. Of many on a card these are all tokens, as counting waits for it.
        """
        every = self._task.relations.stop
        *leading, _, H = winners.shape
        places = torch.where(elsewhere, winners, every)
        if leading and winners.device.type == "cuda":
            tokens = torch.arange(every, device=winners.device)
            return tokens.expand(*leading, H, -1), places % every, [every] * H
        used = torch.zeros(*leading, H, every + 1, dtype=torch.bool, device=winners.device)
        used = used.scatter_(-1, places.mT, True)[..., :-1]
        most = used.sum(dim=-1).reshape(-1, H).amax(dim=0).tolist()
        order = torch.argsort(used, dim=-1, descending=True, stable=True)
        numbers = (used.cumsum(dim=-1) - 1).gather(-1, (places % every).mT)
        return order, numbers.mT, most

    def _memory(self, images: Tensor, answers: Tensor) -> _Images:
        """What is decoded where F_MHSA is `images` (..., b, d), with its error."""
        errors = self._radius.unsqueeze(-1).expand(images.shape[:-1])
        outputs = images
        if self._mlp is not None:
            outputs, errors = self._mlp.value(images), self._mlp.error(images, errors)
        return _Images(outputs, self._phi, answers, errors)

    def _shifts(self) -> Tensor:
        """c_h (H,) of one: sum_h c_h exp(-beta lead_h) bounds what softmax moves, as `certify` says.

        The margins where there is no MLP, F_MHSA where there is one.
        """
        task, weights = self._task, self._weights
        tokens = torch.arange(task.vocabulary, device=self._phi.device)
        found = (tokens < task.answers.start) | (tokens == task.eos)
        if task.T > 3:
            found |= tokens >= task.answers.stop
        contexts, others = self._phi[found], task.T - 1
        if self._mlp is None:
            return 4 * others * largest_scores(weights, self._phi, contexts, self._block)
        return 2 * others * largest_images(weights, contexts, self._block)

    def _budget(self, images: Tensor, slack: Tensor, shifts: Tensor) -> Tensor:
        """How far the sum of `_shifts` may go, (b,), for margins in excess of their bounds (b,).

        With an MLP, a radius by which the inputs `images` (b, d) may be off further, so that no bound
        on a margin grows by `slack`; 0 where that is 0.
        """
        if self._mlp is None:
            return slack
        budget = torch.zeros_like(slack)
        rows = torch.nonzero(slack > 0).flatten()
        inputs = images[rows]
        sizes = torch.maximum(lengths(inputs), shifts.max() / (2 * self._task.T - 2))
        # Rounded up to a power of two, so that 2^-k times it is exact.
        sizes = torch.exp2(torch.frexp(sizes).exponent.double())
        growth = slack[rows] / (2 * BOUND_SLACK**2 * self._largest)
        budget[rows] = self._mlp.room(inputs, float(self._radius), sizes, growth)
        return budget


def _foremost(first: Tensor, second: Tensor, third: Tensor) -> Tensor:
    """Which of three scores is the greatest, 0, 1 or 2, the first one of equal ones."""
    others = torch.where(second >= third, 1, 2)
    return torch.where(first >= torch.maximum(second, third), 0, others)


def _lead(scores: Tensor, place: Tensor) -> Tensor:
    """scores[place] less the greatest other one: scores (n, ...), place (...) -> (...)."""
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
