"""What the text says of the task, the layer and the attention-only construction, built and computed.

Serves Sec. 4 and App. C.1 of arXiv 2412.06538. Nothing here is a statement about random draws except
`drawn_answer_sets` and `chord_cut`: seeds choose instances, and extreme ones stand beside random ones.
"""

import itertools
import math
from collections.abc import Mapping
from typing import Literal, TypeAlias, Union

import torch
from torch import Tensor, eye, float64, tensor, zeros

from numerics.checks import check_integer
from numerics.constructions import AttentionOnly
from numerics.constructions.attention_only import answer_sums, value_factors
from numerics.constructions.keys import denoising_vector, fill_keys, partition
from numerics.errors import InputError
from numerics.observables import Event
from numerics.random import Stream, replicate_spheres, sample_gaussian, sample_sphere
from numerics.tasks import FactTable, FactualRecall
from numerics.transformer import OneLayerTransformer

#: A product or sum of named matrices, as nested (sign, left, right); a name in _T is transposed.
Matrices: TypeAlias = Union[str, "tuple[str, Matrices, Matrices]"]
#: How many random instances a search looks at.
_DRAWS = 2**19


# -- the task -------------------------------------------------------------------------------------


def sequence_counts(T: int, *, seed: int) -> list[dict[str, int]]:
    """The different contents of 512 sampled sequences: tokens of each kind, length, place of EOS.

    InputError where T is no context length (T < 3).
    """
    task = FactualRecall(FactTable.structured(3, 2, 2), noise=4, T=T)
    found = []
    for sequence in task.sample(512, seed=seed).tolist():
        context = sequence[:-1]
        counts = {
            "subject": sum(z in task.subjects for z in context),
            "relation": sum(z in task.relations for z in context),
            "noise": sum(z in task.noise_tokens for z in context),
            "length": len(sequence),
            "end": context.index(task.eos) + 1,
        }
        if counts not in found:
            found.append(counts)
    return found


def drawn_answer_sets(
    S: int, R: int, D: int, replicates: int, *, seed: int, start: int = 0
) -> dict[str, Event]:
    """Whether max_r |A_r| = D in random datasets of S subjects and R relations.

    The relations of a dataset are independent, so that R of the columns of one table make it.
    """
    table = FactTable.random(S, R * (start + replicates), D, seed=seed).answers[:, R * start :]
    local = (table % D).T.reshape(replicates, R, S)
    sizes = torch.stack([(local == k).any(dim=2) for k in range(D)]).sum(dim=0)
    largest = sizes.amax(dim=1)
    return {"attained": Event(largest == D)}


def indicator_sums(*, disjoint: bool, seed: int) -> dict[str, tuple[int, int]]:
    """Least and largest of 1(a in A_s) + 1(a in A_r) at a*(s, r), elsewhere, and of |A_s cap A_r|.

    Over random tables of up to four subjects and relations; not *disjoint*: all relations draw from
    the same answers.
    """
    found: dict[str, list[int]] = {"peak": [], "others": [], "common": []}
    for number, (S, R, D) in enumerate(itertools.product((1, 2, 4), (1, 2, 4), (1, 2, 3))):
        table = FactTable.random(S, R, D, seed=seed + number).answers
        answers = table if disjoint else table % D
        for s, r in itertools.product(range(S), range(R)):
            tokens = torch.arange(int(answers.max()) + 2)
            of_s = (answers[s][:, None] == tokens).any(dim=0)
            of_r = (answers[:, r][:, None] == tokens).any(dim=0)
            sums = of_s.int() + of_r.int()
            own = int(answers[s, r])
            found["peak"].append(int(sums[own]))
            found["others"].append(int(sums[tokens != own].max()))
            found["common"].append(int((of_s & of_r).sum()))
    return {name: (min(values), max(values)) for name, values in found.items()}


def answer_set_sizes(S: int, R: int, D: int) -> tuple[int, int, int]:
    """max |A_s|, max |A_r| and D of the most evenly spread table."""
    table = FactTable.structured(S, R, D)
    subjects = max(len(table.answers_of_subject(s)) for s in range(S))
    return subjects, max(len(table.answers_of_relation(r)) for r in range(R)), table.D


def subset_demands(k: int) -> dict[str, tuple[int, int]]:
    """M and the larger of A h and F of five tables of k facts or more.

    A: the largest |A_z|; h: the most keys (subjects and relations) that hold one answer; F: the sum of
    all |A_z|. A star, a matching, a column with one answer; a k x k block beside k^2 subjects that share
    an answer; and a star whose last answer is shared by k - 1 subjects.
    """
    size = k + k * k
    pairs = {
        "star": [(0, r, r) for r in range(k)],
        "matching": [(i, i, i) for i in range(k)],
        "column": [(s, 0, 0) for s in range(k)],
        "block and shared answer": [
            *((s, r, r * k + s) for s in range(k) for r in range(k)),
            *((k + i, k, k * k) for i in range(k * k)),
        ],
        "star and shared answer": [
            *((0, r, r) for r in range(k + 1)),
            *((1 + i, k, k) for i in range(k - 1)),
        ],
    }
    found = {}
    for name, facts in pairs.items():
        answers = torch.full((size, size), -1, dtype=torch.int64)
        for s, r, a in facts:
            answers[s, r] = a
        table = FactTable(answers)
        sets = [
            *(table.answers_of_subject(s) for s in range(size)),
            *(table.answers_of_relation(r) for r in range(size)),
        ]
        sizes = [len(answers) for answers in sets]
        held = torch.bincount(tensor([a for answers in sets for a in answers]))
        found[name] = len(table), max(max(sizes) * int(held.max()), sum(sizes))
    return found


# -- the layer ------------------------------------------------------------------------------------

#: Different sizes, so that no wrong product fits by chance.
_T, _D, _HEAD, _NEURONS = 5, 7, 3, 11


def layer_columns(
    expressions: Mapping[str, Matrices], *, seed: int
) -> tuple[dict[str, int], float]:
    """The lengths of the columns that the *expressions* give, and how far the last one is from F_TF.

    T = 5, d = 7, d_h = 3, m = 11, one head, sigma a cube. "p" is the softmax of "scores", "h" the
    activation of "hidden". InputError where a product or sum does not fit, with what torch says.
    """
    activation = [0.0, 0.0, 0.0, 1.0]
    layer = OneLayerTransformer(_D, 1, _HEAD, _NEURONS, activation=activation, seed=seed)
    X = sample_gaussian(_T, _D, stream=Stream(seed, "layer-columns"))
    names = {"X": X, "x": X[-1:].mT, "V": layer.V, "W": layer.W}
    names |= {name: getattr(layer, name)[0] for name in ("W_K", "W_Q", "W_V", "W_O")}
    lengths, last = {}, X
    with torch.no_grad():
        for name, expression in expressions.items():
            try:
                last = names[name] = _evaluate(expression, names)
            except RuntimeError as error:
                raise InputError(f"{name}: {error}") from None
            lengths[name] = last.shape[0]
            if name == "scores":
                names["p"] = torch.softmax(last, dim=0)
            if name == "hidden":
                names["h"] = layer.activation.value(last) if layer.activation else last
        wanted = layer(X.unsqueeze(0)).mT
        deviation = float((last - wanted).abs().max()) if last.shape == wanted.shape else math.inf
    return lengths, deviation


def _evaluate(expression: Matrices, names: Mapping[str, Tensor]) -> Tensor:
    if isinstance(expression, str):
        if expression.endswith("_T"):
            return names[expression.removesuffix("_T")].mT
        return names[expression]
    sign, left, right = expression
    first, second = _evaluate(left, names), _evaluate(right, names)
    if sign == "+" and first.shape != second.shape:
        raise RuntimeError(f"{tuple(first.shape)} and {tuple(second.shape)} do not add up")
    return first @ second if sign == "*" else first + second


def parameter_counts(d: int, H: int, d_h: int, m: int) -> tuple[int, int]:
    """The numbers of parameters of a layer's heads and of its MLP."""
    layer = OneLayerTransformer(d, H, d_h, m, activation="relu")
    heads = sum(part.numel() for part in (layer.W_K, layer.W_Q, layer.W_V, layer.W_O))
    return heads, layer.parameters_count - heads


def group_output(G: int, *, projected: bool, seed: int) -> dict[str, float]:
    """Coefficients of phi(s), phi(r) and phi(EOS) in the output of G heads with d_h = d = 64.

    The 2 G subjects and relations are spread over the heads, s and r in different ones; keys
    interpolate, attention is hard, W_O^T W_V is the identity or, *projected*, the projection across
    phi(EOS). "rest": the largest entry that the three do not explain.
    """
    d = 64
    task = FactualRecall(FactTable.structured(G, G, 1), noise=0, T=3)
    phi = sample_sphere(task.vocabulary, d, stream=Stream(seed, "group-output"))
    eos = phi[task.eos]
    layer = OneLayerTransformer(d, G, d, inverse_temperature=math.inf)
    with torch.no_grad():
        for g in range(G):
            # s = 0 is in the first group, r = G - 1 in the last.
            keys = phi[[task.subjects[g], task.relations[g]]]
            fill_keys(layer, g, denoising_vector(keys, eos, "interpolating"), eos)
            layer.W_V[g] = eye(d, dtype=float64)
            layer.W_O[g] = eye(d, dtype=float64) - (torch.outer(eos, eos) if projected else 0)
        context = task.contexts(0, G - 1)[:1]
        output = layer.mhsa(phi[context])[0]
        basis = phi[[task.subjects[0], task.relations[G - 1], task.eos]]
        seen = basis
        if projected:
            seen = basis - torch.outer(basis @ eos, eos)
            seen[2] = eos
        # Normal equations: the least squares of LAPACK differ in the last bits from call to call.
        found = torch.linalg.solve(seen @ seen.mT, seen @ output)
        rest = float((output - seen.mT @ found).abs().max())
    return {"s": float(found[0]), "r": float(found[1]), "EOS": float(found[2]), "rest": rest}


# -- what one head can do -------------------------------------------------------------------------


def one_sided_head(d: int, tokens: int, *, seed: int) -> bool:
    """Whether v = -phi(EOS) - 2 phi(a) has scores above that of EOS on all *tokens*, and below on a."""
    phi = sample_sphere(tokens + 2, d, stream=Stream(seed, "one-sided-head"))
    scores = phi @ (-phi[0] - 2 * phi[1])
    return bool((scores[2:].min() > scores[0]) & (scores[1] < scores[0]))


def chord_cut(k: int, rest: int, replicates: int, *, seed: int, start: int = 0) -> dict[str, Event]:
    """Whether a line through phi(EOS) cuts k given tokens from *rest* others, on circles.

    All chords from a point of the circle lie in a half-plane, so a line cuts off those of the least or
    the largest angles. k, rest >= 0; InputError otherwise.
    """
    check_integer("k", k, minimum=0)
    check_integer("rest", rest, minimum=0)
    stream = Stream(seed, "chord-cut")
    phi = replicate_spheres(replicates, k + rest + 1, 2, stream=stream, start=start)
    chords = phi[:, 1:] - phi[:, :1]
    eos = phi[:, :1]
    across = torch.stack([-eos[..., 1], eos[..., 0]], dim=-1)
    # Angle against the tangent: the inward part of a chord is positive.
    angles = torch.atan2(-(chords * eos).sum(dim=2), (chords * across).sum(dim=2))
    if k == 0 or rest == 0:
        return {"cut": Event(torch.ones(replicates, dtype=torch.bool))}
    inside, outside = angles[:, :k], angles[:, k:]
    cut = (inside.amax(dim=1) < outside.amin(dim=1)) | (inside.amin(dim=1) > outside.amax(dim=1))
    return {"cut": Event(cut)}


def one_token_recall(
    kind: Literal["relation", "subject"], count: int, *, seed: int, one_hot: bool
) -> tuple[bool, dict[str, int]]:
    """Whether one head with uniform attention recalls all *count* facts, and its sizes H, d, d_h.

    "relation": R = 1, two answers, W_O^T W_V of rank one; "subject": S = 1, two candidates a relation,
    rank two (r coded as (r, 1), its answer as (2 r, -r^2)). d = |V|; embeddings uniform on the sphere
    with their dual basis, or *one_hot*.
    """
    picks = Stream(seed, "one-token-recall").generator().integers(0, 2, count)
    if kind == "relation":
        table = FactTable(tensor(picks)[:, None], A=2)
    else:
        table = FactTable((2 * torch.arange(count) + tensor(picks))[None, :], A=2 * count)
    task = FactualRecall(table, noise=0, T=3)
    d = task.vocabulary
    phi = eye(d, dtype=float64)
    if not one_hot:
        phi = sample_sphere(d, d, stream=Stream(seed, "one-token-embeddings"))
    dual = torch.linalg.inv(phi).mT
    ranks = 1 if kind == "relation" else 2
    values, readings = zeros(2, ranks, d, dtype=float64)
    for s, r, a in task.fact_tokens.tolist():
        if kind == "relation":
            values += (1 - 2 * (a - task.answers.start)) * dual[s]
        else:
            number = float(r - task.relations.start + 1)
            values += tensor([[number], [1.0]], dtype=float64) * dual[r]
            readings += tensor([[2 * number], [-number * number]], dtype=float64) * dual[a]
    if kind == "relation":
        readings += dual[task.answers[0]] - dual[task.answers[1]]
    layer = OneLayerTransformer(d, 1, ranks)
    with torch.no_grad():
        layer.W_V[0], layer.W_O[0] = values, readings
    return bool(_right(layer, task, phi).all()), {"H": 1, "d": d, "d_h": ranks}


def _right(layer: OneLayerTransformer, task: FactualRecall, phi: Tensor) -> Tensor:
    """Whether the layer names the answer, for each context of each fact in turn."""
    contexts = torch.cat([task.contexts(s, r) for s, r in task.facts.tolist()])
    wanted = task.fact_tokens[:, 2].repeat_interleave(len(contexts) // len(task.facts))
    return layer.decode(contexts, phi) == wanted


# -- the construction of Theorem 10 ---------------------------------------------------------------


def heads_of_partition(S: int, R: int, M: int) -> int:
    """How many heads of at most M tokens the construction has."""
    return len(partition(FactualRecall(FactTable.structured(S, R, 1), noise=0, T=3), M))


def score_and_values(
    own: float, end: float, scale: float, value_scale: float, *, d_h: int, seed: int
) -> tuple[float, float]:
    """How far scores and W_O^T W_V of a built construction are from the stated ones.

    d = 6. A score should be *scale* (*own* sum <phi(z'), phi(z)> + *end* <phi(EOS), phi(z)>), the matrix
    *value_scale* sum phi(a) phi(z)^T sum w_i w_i^T; both deviations are the largest ones.
    """
    task = FactualRecall(FactTable.structured(4, 2, 2), noise=2, T=5)
    built = AttentionOnly.sample(task, d=6, seed=seed, tokens_per_head=2, d_h=d_h)
    layer, phi = built.transformer, built.embeddings
    eos = phi[task.eos]
    scores, values = 0.0, 0.0
    with torch.no_grad():
        for h, keys in enumerate(built.heads):
            group = phi[list(keys)]
            found = phi @ (layer.W_K[h].mT @ (layer.W_Q[h] @ eos))
            stated = scale * (phi @ (own * group.sum(dim=0) + end * eos))
            scores = max(scores, float((found - stated).abs().max()))
            w = layer.W_V[h]
            memory = answer_sums(task, keys, phi).mT @ group @ (w.mT @ w)
            product = layer.W_O[h].mT @ w
            values = max(values, float((product - value_scale * memory).abs().max()))
    return scores, values


def gaps(*, seed: int) -> dict[str, float]:
    """The least gaps between scores over beta, where Lemma 1's conclusion holds, of one key in R^3.

    "absent": of EOS over a token that is no key; "end", "other": of the key over EOS and over another
    token. Random unit vectors, those kept that satisfy the lemma.
    """
    phi = replicate_spheres(_DRAWS, 3, 3, stream=Stream(seed, "gaps"))
    key, eos, other = phi.unbind(dim=1)
    v = key + eos / 2
    of_key, of_end, of_other = ((v * x).sum(dim=1) for x in (key, eos, other))
    absent = of_end + 0.25 > of_other + 0.5
    both = absent & (of_key > of_end + 0.25)
    return {
        "absent": float((of_end - of_other)[absent].min()),
        "end": float((of_key - of_end)[both].min()),
        "other": float((of_key - of_other)[both].min()),
    }


def hard_weights(beta: float, *, seed: int) -> dict[str, float]:
    """The attention of heads whose gaps are at least 1/4, at a finite inverse temperature.

    "key": the least weight of a subject whose head it is; "other": the largest of other tokens there;
    "end", "rest": the same for EOS and the others in heads without their key in the context.
    """
    task = FactualRecall(FactTable.structured(4, 2, 2), noise=3, T=5)
    built = AttentionOnly.sample(
        task, d=256, seed=seed, tokens_per_head=2, d_h=8, inverse_temperature=beta
    )
    found: dict[str, list[float]] = {"key": [], "other": [], "end": [], "rest": []}
    for s, r in task.facts.tolist():
        contexts = task.contexts(s, r)
        with torch.no_grad():
            weights = built.transformer.attention(built.embeddings[contexts])
        for h, keys in enumerate(built.heads):
            is_key = torch.isin(contexts, tensor(keys))
            target = is_key if bool(is_key.any()) else contexts == task.eos
            names = ("key", "other") if bool(is_key.any()) else ("end", "rest")
            found[names[0]].append(float(weights[:, h][target].min()))
            found[names[1]].append(float(weights[:, h][~target].max()))
    return {
        name: (min if name in ("key", "end") else max)(values) for name, values in found.items()
    }


def finite_margin(H: int, T: int, *, mu: float, q: float) -> float:
    """The sign of the margin of a over b at exp(-beta g) = q, g = 1, in a layer of H heads.

    One-hot embeddings; each head attends to s with score 1 and has the margin mu/H there, and score 0
    and the margin -2 at every other of the T >= 3 tokens, so that B = 1.
    """
    tokens = ["s", "a", "b", "EOS", "r", "noise"]
    phi = eye(len(tokens), dtype=float64)
    layer = OneLayerTransformer(len(tokens), H, 2, inverse_temperature=-math.log(q))
    with torch.no_grad():
        layer.W_K[:, 0, 0] = 1
        layer.W_Q[:, 0, 3] = 1
        layer.W_V[:, 0] = tensor([mu / (2 * H), 0, 0, -1, -1, -1], dtype=float64)
        layer.W_O[:, 0] = tensor([0, 1, -1, 0, 0, 0], dtype=float64)
        context = tensor([[0, 4, *[5] * (T - 3), 3]])
        scores = phi @ layer(phi[context])[0]
    return float(scores[1] - scores[2])


def end_outputs(*, free: bool, end: bool, seed: int) -> tuple[float, float]:
    """Least and largest phi(a)^T W phi(EOS) over all a and 32 drawn heads; d = 5, d_h = 3.

    *free*: w_i uniform on the whole sphere. Not *end*: of a noise token in the place of EOS.
    """
    task = FactualRecall(FactTable.structured(2, 2, 2), noise=1, T=4)
    found = []
    for number in range(32):
        stream = Stream(seed, "end-outputs", number)
        phi = sample_sphere(task.vocabulary, 5, stream=stream.child("embeddings"))
        eos = phi[task.eos]
        w = value_factors(3, eos, "independent", stream=stream.child("factors"))
        if free:
            w = sample_sphere(3, 5, stream=stream.child("free"))
        keys = tuple(task.subjects)
        memory = answer_sums(task, keys, phi).mT @ phi[list(keys)]
        target = eos if end else phi[task.noise_tokens[0]]
        found.append(phi @ (memory @ (w.mT @ (w @ target))) * 5 / 3)
    values = torch.stack(found)
    return float(values.min()), float(values.max())


def score_deviation(*, seed: int) -> float:
    """max |phi(a)^T W phi(s) - 1| over drawn heads that satisfy Lemma 2's conclusion; d = 3, d_h = 2.

    One key s with one answer a; the tokens are s, a and EOS.
    """
    stream = Stream(seed, "score-deviation")
    phi = replicate_spheres(_DRAWS, 3, 3, stream=stream.child("embeddings"))
    w = replicate_spheres(_DRAWS, 2, 3, stream=stream.child("factors"))
    s, a, eos = phi.unbind(dim=1)
    w = w - (w @ eos.unsqueeze(2)) * eos.unsqueeze(1)
    w = w / torch.linalg.vector_norm(w, dim=2, keepdim=True)
    strength = (w @ s.unsqueeze(2)).square().sum(dim=(1, 2)) * 3 / 2
    scores = torch.stack([strength * (a * x).sum(dim=1) for x in (a, s, eos)], dim=1)
    wanted = tensor([1.0, 0.0, 0.0], dtype=float64)
    deviations = (scores - wanted).abs()
    kept = (deviations <= 0.2).all(dim=1)
    return float(deviations[kept, 0].max())


def extreme_logits(
    low: float, high: float, off: float, *, disjoint: bool, seed: int
) -> dict[str, float]:
    """Extreme logits where a head contributes from [low, high] for its answers, [-off, off] for others.

    "top": the least of a*(s, r); "least other", "largest other": of all other tokens; "margin": the
    least of a*(s, r) less the largest other one. Over random tables (not *disjoint*: relations
    share answers), contributions at the ends of the ranges, and half of them between.
    """
    found: dict[str, list[float]] = {"top": [], "least other": [], "largest other": []}
    margins = []
    for number, (S, R, D) in enumerate(itertools.product((1, 2, 4), (1, 2, 4), (1, 2, 3))):
        table = FactTable.random(S, R, D, seed=seed + number).answers
        answers = table if disjoint else table % D
        random = Stream(seed, "extreme-logits", number).generator()
        for s, r in itertools.product(range(S), range(R)):
            # One token more than there are answers: any that is none.
            tokens = torch.arange(int(answers.max()) + 2)
            logits = zeros(256, len(tokens), dtype=float64)
            for held in (answers[s], answers[:, r]):
                inside = (held[:, None] == tokens).any(dim=0)
                part = tensor(random.random((256, len(tokens))))
                part[128:] = (part[128:] > 0.5).double()
                logits += torch.where(inside, low + part * (high - low), off * (2 * part - 1))
            own = int(answers[s, r])
            rest = logits[:, tokens != own]
            found["top"].append(float(logits[:, own].min()))
            found["least other"].append(float(rest.min()))
            found["largest other"].append(float(rest.max()))
            margins.append(float((logits[:, own] - rest.amax(dim=1)).min()))
    least = {name: (max if "largest" in name else min)(values) for name, values in found.items()}
    return {**least, "margin": min(margins)}


# -- the construction with groups of heads --------------------------------------------------------


def grouped_recall(
    S: int, R: int, D: int, *, d: int, H: int, d_h: int, group: int | None, beta: float, seed: int
) -> tuple[float, float]:
    """The share of contexts that a layer with groups of heads recalls, and the mean score of the stored
    answers, which should be near 1; T = 4, 3 noise tokens.

    A group's heads share interpolating keys, and W_O^T W_V adds up to (d/rho) sum phi(a) phi(z)^T
    sum w_i w_i^T with rho vectors w_i, d_h a head. *group*: the subjects of a group, all relations
    being one more; or None: one group of everything, which attends to s and r alike. *beta* may be
    math.inf; but rounding then breaks the tie of s and r. InputError for fewer heads than groups.
    """
    stream = Stream(seed, "grouped-recall")
    task = FactualRecall(FactTable.random(S, R, D, seed=seed), noise=3, T=4)
    phi = sample_sphere(task.vocabulary, d, stream=stream.child("embeddings"))
    eos = phi[task.eos]
    if group is None:
        groups = [(*task.subjects, *task.relations)]
    else:
        starts = range(0, S, group)
        groups = [tuple(task.subjects[k : k + group]) for k in starts] + [tuple(task.relations)]
    check_integer("H", H, minimum=len(groups))
    each = H // len(groups)
    layer = OneLayerTransformer(d, H, d_h, inverse_temperature=beta)
    stored = []
    with torch.no_grad():
        for number, keys in enumerate(groups):
            vectors = phi[list(keys)]
            v = denoising_vector(vectors, eos, "interpolating")
            sums = answer_sums(task, keys, phi)
            heads = range(number * each, (number + 1) * each)
            for h in heads:
                w = value_factors(d_h, eos, "independent", stream=stream.child("factors", h))
                fill_keys(layer, h, v, eos)
                layer.W_V[h] = w
                layer.W_O[h] = d / (each * d_h) * (w @ vectors.mT) @ sums
            memory = sum(layer.W_O[h].mT @ layer.W_V[h] for h in heads)
            for s, r, a in task.fact_tokens.tolist():
                stored += [phi[a] @ memory @ phi[z] for z in (s, r) if z in keys]
    share = float(_right(layer, task, phi).double().mean())
    return share, float(torch.stack(stored).mean())


def named_on_a_line(d: int, tokens: int, *, seed: int) -> int:
    """How many of the tokens a layer can name whose outputs are all multiples of one vector.

    A token is named where it alone has the largest score. Two multiples, 1 and -1, tell all.
    """
    phi = sample_sphere(tokens, d, stream=Stream(seed, "named-on-a-line"))
    scores = phi @ sample_sphere(1, d, stream=Stream(seed, "line"))[0]
    best = [(sign * scores) == (sign * scores).max() for sign in (1, -1)]
    return sum(int(winners.sum()) == 1 for winners in best)
