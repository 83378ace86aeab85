"""Training of an attention layer on sampled sequences of the factual recall task.

Serves Sec. 5 of arXiv 2412.06538 (Figure 5, right): fixed embeddings, fresh sequences at each step, the
answer predicted from the last position.
"""

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import torch
from torch import Tensor

from numerics.checks import check_integer
from numerics.errors import InputError
from numerics.tasks.factual_recall import SAMPLE_BLOCK, FactualRecall
from numerics.transformer import OneLayerTransformer

Optimiser: TypeAlias = Literal["gd", "adam"]

#: W_K, W_Q, W_V, W_O, or something of their shapes.
_Four: TypeAlias = tuple[Tensor, ...]

#: Sequences that the losses are evaluated on, far from those of any step.
_EVALUATED, _EVALUATION_START = 4096, SAMPLE_BLOCK * 2**48
#: Adam's decay rates and the number that keeps it from dividing by zero.
_DECAYS, _TINY = (0.9, 0.999), 1e-8


@dataclass(frozen=True)
class Losses:
    """Cross entropies after so many steps: of the answer, of A_r, and of A_s, in nats.

    relation_only is E[-log p-hat(A_r)] and subject_only E[-log p-hat(A_s)]: any answer that the
    relation, or the subject, has in some fact counts as right. total is at least as large as both.
    """

    step: int
    total: float
    relation_only: float
    subject_only: float


@dataclass(frozen=True)
class TrainingState:
    """All that a training needs to go on: steps, parameters, Adam's two averages, and the losses."""

    step: int
    parameters: _Four
    first: _Four
    second: _Four
    history: tuple[Losses, ...]


class Training:
    """Training of `model`, attention without an MLP, on `task` with fixed `embeddings` (|V|, d).

    p-hat is the softmax over the answers of phi(a)^T F(X), as in (14); each step draws `batch` new
    sequences, numbered by the step, and moves all four matrices along the gradient of their mean
    cross entropy: by `rate` times it ("gd"), or as Adam does, decays 0.9 and 0.999 ("adam").

    The losses are evaluated before the first step and after each `every` steps, on 4096 sequences of the
    same seed that no step draws. Sequences are seen as counts of tokens, which is exact: attention
    without positions reads no more, and every context ends in EOS.

    An interrupt leaves the training at the last whole step, and `run` goes on from there; so does
    a new Training with the same arguments and the `state` of this one, to the last bit.

    rate > 0 and finite, batch, every >= 1, finite inverse temperature, no MLP; InputError
    otherwise, and where the embeddings do not fit model and task. The model itself is left as it is.
    """

    def __init__(
        self,
        task: FactualRecall,
        model: OneLayerTransformer,
        embeddings: Tensor,
        *,
        rate: float,
        seed: int,
        optimiser: Optimiser = "gd",
        batch: int = SAMPLE_BLOCK,
        every: int = 10,
        state: TrainingState | None = None,
    ) -> None:
        check_integer("batch", batch, minimum=1)
        check_integer("every", every, minimum=1)
        if (
            isinstance(rate, bool)
            or not isinstance(rate, int | float)
            or not 0 < rate <= sys.float_info.max
        ):
            raise InputError(f"rate = {rate!r} is no step size: pass a finite number > 0")
        if optimiser not in get_args(Optimiser):
            raise InputError(f"optimiser = {optimiser!r} is unknown: pass 'gd' or 'adam'")
        if model.m:
            raise InputError(
                f"model has m = {model.m} neurons: only attention is trained, take m = 0"
            )
        if model.inverse_temperature == math.inf:
            raise InputError(
                "model has hard attention, which has no gradient: take a finite inverse_temperature"
            )
        model.check_embeddings(embeddings)
        if len(embeddings) != task.vocabulary:
            raise InputError(
                f"embeddings have {len(embeddings)} rows: pass one for each of the "
                f"{task.vocabulary} tokens of the task"
            )
        self.task, self.embeddings = task, embeddings.detach()
        self.rate, self.optimiser, self.batch, self.every = float(rate), optimiser, batch, every
        self.seed = seed
        self._model = model
        self._answers = slice(task.answers.start, task.answers.stop)
        self._of_relation, self._of_subject = _answers_of(task, embeddings.device)
        self._held_out = self._draw(_EVALUATED, _EVALUATION_START)
        self._state = self._begin() if state is None else state

    def _begin(self) -> TrainingState:
        model = self._model
        parameters = _detached((model.W_K, model.W_Q, model.W_V, model.W_O))
        zero = tuple(torch.zeros_like(part) for part in parameters)
        return TrainingState(0, parameters, zero, zero, (self._losses(0, parameters),))

    @property
    def state(self) -> TrainingState:
        """Where the training stands."""
        return self._state

    @property
    def history(self) -> tuple[Losses, ...]:
        """The losses before the first step and after every `every` steps."""
        return self._state.history

    def model(self) -> OneLayerTransformer:
        """A new transformer with the parameters as they stand."""
        old = self._model
        new = OneLayerTransformer(
            old.d,
            old.H,
            old.d_h,
            inverse_temperature=old.inverse_temperature,
            dtype=old.W_K.dtype,
            device=old.W_K.device,
        )
        with torch.no_grad():
            filled = (new.W_K, new.W_Q, new.W_V, new.W_O)
            for mine, value in zip(filled, self._state.parameters, strict=True):
                mine.copy_(value)
        return new

    def run(self, steps: int, *, progress: Callable[[int], None] = lambda step: None) -> None:
        """Go on until `steps` steps are done in all; *progress* is called with the number done.

        steps >= 0; InputError otherwise, and with the step where the loss stops being finite.
        """
        check_integer("steps", steps, minimum=0)
        while self._state.step < steps:
            self._state = self._next()
            progress(self._state.step)

    def _next(self) -> TrainingState:
        """The state one step on; the old one is left whole."""
        old, step = self._state, self._state.step + 1
        gradient = self._gradient(old)
        first, second = old.first, old.second
        if self.optimiser == "adam":
            first = _mixed(first, gradient, _DECAYS[0])
            second = _mixed(second, tuple(g * g for g in gradient), _DECAYS[1])
            unbiased = [1 - decay**step for decay in _DECAYS]
            gradient = tuple(
                (m / unbiased[0]) / ((v / unbiased[1]).sqrt() + _TINY)
                for m, v in zip(first, second, strict=True)
            )
        moved = zip(old.parameters, gradient, strict=True)
        parameters = tuple(p - self.rate * move for p, move in moved)
        history = old.history
        if step % self.every == 0:
            history = (*history, self._losses(step, parameters))
        return TrainingState(step, parameters, first, second, history)

    def _gradient(self, state: TrainingState) -> _Four:
        blocks = -(-self.batch // SAMPLE_BLOCK)
        drawn = self._draw(self.batch, state.step * blocks * SAMPLE_BLOCK)
        parameters = tuple(part.requires_grad_() for part in _detached(state.parameters))
        loss = -self._log_predictions(drawn, parameters).gather(1, drawn.answers[:, None]).mean()
        if not math.isfinite(loss.item()):
            raise InputError(
                f"the loss is not finite after {state.step} steps at rate = {self.rate}: lower it"
            )
        return _detached(torch.autograd.grad(loss, parameters))

    def _draw(self, count: int, start: int) -> "_Drawn":
        sequences = self.task.sample(count, seed=self.seed, start=start)
        dtype, device = self.embeddings.dtype, self.embeddings.device
        counts = torch.zeros(count, self.task.vocabulary, dtype=dtype)
        counts.scatter_add_(1, sequences[:, :-1], torch.ones_like(sequences[:, :-1], dtype=dtype))
        subjects = counts[:, self.task.subjects.start : self.task.subjects.stop].argmax(dim=1)
        relations = counts[:, self.task.relations.start : self.task.relations.stop].argmax(dim=1)
        answers = sequences[:, -1] - self.task.answers.start
        return _Drawn(*(part.to(device) for part in (counts, subjects, relations, answers)))

    def _log_predictions(self, drawn: "_Drawn", parameters: tuple[Tensor, ...]) -> Tensor:
        """log p-hat of every answer: (b, A)."""
        W_K, W_Q, W_V, W_O = parameters
        phi = self.embeddings
        queries = W_Q @ phi[self.task.eos]
        keys = torch.einsum("hk,hkd->hd", queries, W_K)
        scores = self._model.inverse_temperature * keys @ phi.mT
        weights = torch.exp(scores - scores.detach().amax(dim=1, keepdim=True))
        weighted = drawn.counts[:, None, :] * weights
        attended = weighted / weighted.sum(dim=2, keepdim=True)
        # What a head writes for each token, read by the answers: far fewer rows than sequences.
        written = (phi @ W_V.mT) @ (W_O @ phi[self._answers].mT)
        logits = torch.einsum("bhz,hza->ba", attended, written)
        return torch.log_softmax(logits, dim=1)

    @torch.no_grad()
    def _losses(self, step: int, parameters: _Four) -> Losses:
        drawn = self._held_out
        found = self._log_predictions(drawn, parameters)

        def of(valid: Tensor) -> float:
            return float(-found.masked_fill(~valid, -math.inf).logsumexp(dim=1).mean())

        return Losses(
            step,
            float(-found.gather(1, drawn.answers[:, None]).mean()),
            of(self._of_relation[drawn.relations]),
            of(self._of_subject[drawn.subjects]),
        )


@dataclass(frozen=True)
class _Drawn:
    """Sequences: how often each token occurs (b, |V|), subject, relation and answer indices (b,)."""

    counts: Tensor
    subjects: Tensor
    relations: Tensor
    answers: Tensor


def _answers_of(task: FactualRecall, device: torch.device) -> tuple[Tensor, Tensor]:
    """Which answers each relation has, and each subject: bool (R, A) and (S, A)."""
    table = task.table
    s, r = table.facts.T
    answers = table.answers[s, r]
    of_relation = torch.zeros(table.R, table.A, dtype=torch.bool)
    of_subject = torch.zeros(table.S, table.A, dtype=torch.bool)
    of_relation[r, answers] = True
    of_subject[s, answers] = True
    return of_relation.to(device), of_subject.to(device)


def _mixed(old: _Four, new: _Four, decay: float) -> _Four:
    return tuple(decay * o + (1 - decay) * n for o, n in zip(old, new, strict=True))


def _detached(parts: _Four) -> _Four:
    return tuple(part.detach().clone() for part in parts)
