"""What every construction of a transformer must satisfy: supply a builder, and the weights defined."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

import torch
from torch import Tensor, float32, float64

from numerics.constructions import Construction, certify
from numerics.contracts.pretended import pretended_cuda
from numerics.contracts.refusal import refused
from numerics.observables import Event
from numerics.random import Stream, sample_sphere
from numerics.tasks.factual_recall import FactualRecall
from numerics.tasks.tables import FactTable

__all__ = ["ConstructionContract"]

_HEAD_WEIGHTS = ("W_K", "W_Q", "W_V", "W_O")


class ConstructionContract:
    """A construction that is built for a task and embeddings, or sampled with embeddings of its own.

    A subclass supplies its `builder`, with the class methods `build` and `sample`, and the `weights`
    by their definition.
    """

    #: The class, the dimension d and further choices of `build`, at which it holds `task`.
    builder: Any
    d: int
    choices: Mapping[str, Any]
    task: ClassVar[FactualRecall] = FactualRecall(FactTable.random(5, 3, 2, seed=0), noise=2, T=4)
    #: Choices at which some of twelve draws lose a fact and others keep all, and slips that lose one.
    tried: Mapping[str, Any]
    faults: Sequence[str] = ()
    #: Unusable choices, with the words that the error must say.
    wrong: Sequence[tuple[Mapping[str, Any], str]] = ()

    def weights(self, drawn: Construction) -> Iterator[tuple[str, Tensor, Tensor]]:
        """Names, and products of weights as built and by the definition, term by term in float64."""
        raise NotImplementedError

    def failures(self, replicates: int, *, seed: int, start: int = 0, fault: str = "") -> Event:
        """Whether each of so many drawn constructions loses a fact, at the sizes `tried`."""
        raise NotImplementedError

    def sample(self, **choices: Any) -> Construction:
        """One for the task; `choices` beside or instead of those of the class."""
        given = {"d": self.d, "seed": 3, **self.choices, **choices}
        drawn: Construction = self.builder.sample(given.pop("task", self.task), **given)
        return drawn

    def test_weights_are_those_of_the_definition(self) -> None:
        for dtype, allowed in ((float64, 1e-11), (float32, 1e-4)):
            drawn = self.sample(dtype=dtype)
            for name, found, expected in self.weights(drawn):
                size = 1 + float(expected.abs().max())
                assert float((found.double() - expected).abs().max()) <= allowed * size, name
            assert {p.dtype for p in drawn.transformer.parameters()} == {dtype}

    def test_sampling_draws_the_embeddings_and_then_builds(self) -> None:
        drawn, again, other = self.sample(), self.sample(seed=Stream(3)), self.sample(seed=4)
        stream = Stream(3, "embeddings")
        embeddings = sample_sphere(self.task.vocabulary, self.d, stream=stream)
        assert torch.equal(drawn.embeddings, embeddings)
        built = self.builder.build(self.task, embeddings, seed=3, **self.choices)
        for one in (again, built):
            for mine, theirs in zip(
                drawn.transformer.parameters(), one.transformer.parameters(), strict=True
            ):
                assert torch.equal(mine, theirs)
        assert not torch.equal(drawn.embeddings, other.embeddings)
        assert drawn.transformer.inverse_temperature == math.inf
        assert self.sample(inverse_temperature=7.0).transformer.inverse_temperature == 7.0

    def test_a_pretended_device_holds_the_same_construction(self) -> None:
        plain = self.sample()
        expected = certify(plain)
        with pretended_cuda():
            moved = self.sample(device="cuda")
            found = certify(moved)
            for mine, theirs in zip(
                moved.transformer.parameters(), plain.transformer.parameters(), strict=True
            ):
                assert mine.is_cuda
                assert torch.equal(mine.cpu(), theirs)
            assert moved.embeddings.is_cuda
            assert torch.equal(found.margins.cpu(), expected.margins)

    def test_what_is_certified_is_answered(self) -> None:
        answered = lost = 0
        for seed in range(6):
            task = FactualRecall(FactTable.random(3, 3, 2, seed=seed), noise=0, T=3)
            drawn = self.sample(task=task, seed=seed, **self.tried)
            certificate = certify(drawn, temperatures=False)
            contexts = torch.tensor([[s, r, task.eos] for s, r, _ in task.fact_tokens.tolist()])
            right = drawn.answer(contexts) == task.fact_tokens[:, 2]
            assert bool(right[certificate.certified].all())
            answered += int(certificate.certified.sum())
            lost += int((~right).sum())
        assert answered, "nothing is certified at the sizes tried"
        assert lost, "nothing is lost at the sizes tried"

    def test_a_construction_says_what_it_is(self) -> None:
        drawn = self.sample()
        model, said = drawn.transformer, repr(drawn)
        facts = len(self.task.facts)
        assert said.startswith(f"{type(drawn).__name__}(facts={facts}, d={self.d}, H={model.H}, ")
        assert f"parameters={model.parameters_count})" in said

    def test_heads_left_over_are_zero_and_too_few_are_refused(self) -> None:
        drawn = self.sample()
        needed = drawn.transformer.H
        more = self.sample(H=needed + 2)
        assert more.heads == (*drawn.heads, (), ())
        for name in _HEAD_WEIGHTS:
            weights = getattr(more.transformer, name)
            assert torch.equal(weights[:needed], getattr(drawn.transformer, name)), name
            assert not bool(weights[needed:].any()), name
        words = f"H = {needed - 1} heads", f"needs {needed}"
        refused(partial(self.sample, H=needed - 1), *words)

    def test_a_draw_depends_on_its_number_alone(self) -> None:
        whole = self.failures(12, seed=5).values
        parts = [self.failures(7, seed=5), self.failures(5, seed=5, start=7)]
        assert torch.equal(whole, torch.cat([part.values for part in parts]))
        assert 0 < float(whole.mean()) < 1
        assert not torch.equal(whole, self.failures(12, seed=6).values)
        assert len(self.failures(0, seed=5).values) == 0

    def test_a_fault_loses_facts_that_the_construction_keeps(self) -> None:
        for fault in self.faults:
            assert bool(self.failures(12, seed=5, fault=fault).values.all()), fault
        call = partial(self.failures, 1, seed=5, fault="halved")
        refused(call, "fault = 'halved' is not known", *self.faults)

    def test_unusable_embeddings_are_refused_by_name(self) -> None:
        good = sample_sphere(self.task.vocabulary, self.d, stream=Stream(1))
        long, nan = good.clone(), good.clone()
        long[4] *= 1 + 1e-9
        nan[4] = math.nan
        rows = self.task.vocabulary
        wrong: list[tuple[Any, str]] = [
            (long, "row 4 has length 1.0"),
            (nan, "row 4 holds a NaN"),
            (good[:-1], f"embeddings has {rows - 1} rows for a vocabulary of {rows} tokens"),
            (good.half(), "dtype of embeddings = torch.float16"),
            (good.unsqueeze(2), f"shape ({rows}, {self.d}, 1)"),
            (good.tolist(), "embeddings is a list: pass a torch tensor"),
            (good.numpy(), "embeddings is a ndarray: pass a torch tensor"),
        ]
        for embeddings, words in wrong:
            refused(
                partial(self.builder.build, self.task, embeddings, seed=1, **self.choices), words
            )

    def test_unusable_choices_are_refused_by_name(self) -> None:
        everywhere: list[tuple[Mapping[str, Any], str]] = [
            ({"tokens_per_head": 0}, "tokens_per_head = 0 is too small"),
            ({"d_h": 0}, "d_h = 0 is too small"),
            ({"d_h": self.d + 1}, f"d_h = {self.d + 1} exceeds d = {self.d}"),
            ({"d": 1, "d_h": 1}, "d = 1 is too small for this construction"),
            ({"keys": "product"}, "keys = 'product' is not known"),
            ({"inverse_temperature": 0.0}, "inverse_temperature = 0.0 is not positive"),
            ({"inverse_temperature": math.nan}, "inverse_temperature = nan"),
            ({"inverse_temperature": None}, "inverse_temperature = None is not a number"),
        ]
        for choices, words in (*everywhere, *self.wrong):
            refused(partial(self.sample, **choices), words)
        refused(partial(self.failures, -1, seed=1), "replicates = -1")
        refused(partial(self.failures, 1, seed=1, start=-1), "start = -1")
