"""Drawn transformers of both constructions: whether a fact is lost, and accuracy over their sizes.

Serves Sec. 4.3 of arXiv 2412.06538 (Theorems 3 and 4): the chance of imperfect recall, and the trade of
attention parameters for MLP parameters.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal

import torch
from torch import Tensor, float64, nan

from numerics.checks import check_integer
from numerics.constructions import AttentionMLP, AttentionOnly, Construction, certify
from numerics.constructions.attention_mlp import heads_of_a_group
from numerics.constructions.weights import Filled, Weights
from numerics.draws.lost_tables import constructions_failing
from numerics.errors import InputError
from numerics.observables import Event
from numerics.random import Stream
from numerics.tasks.factual_recall import FactualRecall
from numerics.tasks.tables import FactTable, random_answers

Kind = Literal["attention", "mlp"]

_BUILDERS: dict[Kind, type[AttentionOnly] | type[AttentionMLP]] = {
    "attention": AttentionOnly,
    "mlp": AttentionMLP,
}


def _exchange(weights: Weights, first: str, second: str) -> None:
    one, other = getattr(weights, first), getattr(weights, second)
    kept = one.clone()
    one.copy_(other)
    other.copy_(kept)


def _transposed_values(weights: Weights) -> None:
    _exchange(weights, "W_V", "W_O")


def _negated_keys(weights: Weights) -> None:
    weights.W_K.neg_()


def _exchanged_layers(weights: Weights) -> None:
    _exchange(weights, "W", "V")


#: Slips that a program or a proof could make, for each kind; each loses facts.
FAULTS: dict[Kind, dict[str, Callable[[Weights], None]]] = {
    "attention": {"transposed values": _transposed_values, "negated keys": _negated_keys},
    "mlp": {"exchanged layers": _exchanged_layers, "negated keys": _negated_keys},
}


@torch.no_grad()
def sample(
    kind: Kind,
    S: int,
    R: int,
    D: int,
    d: int,
    *,
    noise: int = 0,
    T: int = 3,
    seed: int | Stream,
    device: torch.device | str = "cpu",
    fault: str = "",
    **choices: Any,
) -> Construction:
    """A construction for a random table, answers uniform among D for each relation, all drawn anew.

    kind: "attention" (`AttentionOnly`) or "mlp" (`AttentionMLP`); choices are those of its `build`.
    The table comes from the child "table" of the seed's stream. fault: a name in FAULTS[kind], the slip
    to make in the filled weights. S, R, D >= 1, T >= 3; InputError otherwise.
    """
    if kind not in _BUILDERS:
        raise InputError(f"kind = {kind!r} is not known: take 'attention' or 'mlp'")
    if fault and fault not in FAULTS[kind]:
        raise InputError(
            f"fault = {fault!r} is not known for {kind}: take one of {', '.join(FAULTS[kind])}"
        )
    stream = Stream.of(seed)
    task = FactualRecall(FactTable.random(S, R, D, seed=_table_seed(stream)), noise=noise, T=T)
    drawn = _BUILDERS[kind].sample(task, d=d, seed=stream, device=device, **choices)
    if fault:
        FAULTS[kind][fault](drawn.filled.weights)
    return drawn


def _table_seed(stream: Stream) -> int:
    return int(stream.child("table").generator().integers(0, 2**63))


@torch.no_grad()
def _sample_many(
    kind: Kind,
    S: int,
    R: int,
    D: int,
    d: int,
    replicates: int,
    *,
    noise: int,
    T: int,
    seed: Stream,
    fault: str,
    **choices: Any,
) -> Filled:
    """Those of `sample` for so many replicates, from the stream's own on; the arguments are right."""
    seeds = [_table_seed(seed.replicate(seed.number + i)) for i in range(replicates)]
    answers = torch.stack([random_answers(S, R, D, seed=word) for word in seeds])
    task = FactualRecall(FactTable(answers[0], A=R * D), noise=noise, T=T)
    drawn = _BUILDERS[kind].sample_many(
        task, answers, d=d, seed=seed, replicates=replicates, **choices
    )
    if fault:
        FAULTS[kind][fault](drawn.weights)
    return drawn


def failures(
    kind: Kind,
    S: int,
    R: int,
    D: int,
    d: int,
    replicates: int,
    *,
    noise: int = 0,
    T: int = 3,
    seed: int,
    start: int = 0,
    name: str = "construction-recall",
    device: torch.device | str = "cpu",
    fault: str = "",
    **choices: Any,
) -> Event:
    """Whether each of `replicates` independent constructions, of `sample`, loses one of its facts.

    Under hard attention, by `certify`: at T = 3 a fact is lost where it is not recalled, ties and what
    rounding leaves open among them. In longer contexts it counts as lost too where a noise token is
    the one that some head attends to.

    Draw number start + i depends on that number alone, so long runs can be split and joined. Many are
    drawn and certified at once on `device`, those in doubt once more alone, on the CPU, as
    `constructions_failing` says. replicates, start >= 0; InputError otherwise, and as in `sample`.
    """
    made = {"noise": noise, "T": T, "fault": fault, **choices}

    def alone(stream: Stream, where: torch.device) -> Construction:
        return sample(kind, S, R, D, d, seed=stream, device=where, **made)

    def many(stream: Stream, count: int, where: torch.device) -> Filled:
        return _sample_many(kind, S, R, D, d, count, seed=stream, device=where, **made)

    return constructions_failing(
        alone, many, replicates, stream=Stream(seed, name), start=start, device=device
    )


def trade_off(
    task: FactualRecall,
    d: int,
    d_h: int,
    *,
    heads: Sequence[int],
    widths: Sequence[int],
    seed: int,
    attention: dict[str, Any] | None = None,
    mlp: dict[str, Any] | None = None,
) -> Tensor:
    """The fraction of facts certified under hard attention: float64 (len(heads), len(widths)).

    Entry [i, j] has H = heads[i] heads, so 4 H d d_h attention parameters, and m = widths[j], so 2 m d
    in the MLP: the attention-only construction where m = 0, else the one with an MLP, in each case with
    the smallest groups of tokens that H heads allow. NaN where even one group of subjects and one of
    relations need more. All entries share their embeddings; attention and mlp hold further choices of
    the two `build`. Each H >= 1, m >= 0; InputError otherwise, and where these choices name one that
    is made here.
    """
    made = {"d", "d_h", "tokens_per_head", "H", "m", "seed"}
    for kind, choices in (("attention", attention), ("mlp", mlp)):
        for name in sorted(made & set(choices or {})):
            raise InputError(f"{kind} names {name}, which the table of sizes decides: leave it out")
    accuracies = torch.full((len(heads), len(widths)), nan, dtype=float64)
    for i, H in enumerate(heads):
        check_integer(f"heads[{i}]", H, minimum=1)
        for j, m in enumerate(widths):
            check_integer(f"widths[{j}]", m, minimum=0)
            shares = heads_of_a_group(d, d_h) if m else 1
            tokens = _smallest_groups(task, H // shares)
            if tokens is None:
                continue
            sizes: dict[str, Any] = {"d_h": d_h, "tokens_per_head": tokens, "H": H}
            if m:
                choices = {"m": m, **sizes, **(mlp or {})}
                drawn: Construction = AttentionMLP.sample(task, d=d, seed=seed, **choices)
            else:
                drawn = AttentionOnly.sample(task, d=d, seed=seed, **sizes, **(attention or {}))
            accuracies[i, j] = certify(drawn, temperatures=False).accuracy
    return accuracies


def _smallest_groups(task: FactualRecall, groups: int) -> int | None:
    """The least M with ceil(S/M) + ceil(R/M) <= groups; None where there is none."""
    S, R = len(task.subjects), len(task.relations)
    fitting = (M for M in range(1, max(S, R) + 1) if groups >= -(-S // M) - (-R // M))
    return next(fitting, None)
