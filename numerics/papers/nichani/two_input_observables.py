"""What the proof of Lemma 3 says of the two-input MLP memory, with the Gaussian neurons integrated out.

Serves App. C.2 of arXiv 2412.06538. P and Q keep the first and the next (d - 1)/2 coordinates, and
    omega_t = sigma(<w, P s + Q r>) :<w, P s_t>^p: :<w, Q r_t>^k: <a_t, a - b>
for a stored fact t = (s_t, r_t, a_t), where :<w, x>^p: = <He_p(w), x x ... x x>. Expectations over w
given the embeddings are bounded functions of them, by cubature that is exact on polynomials.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.polynomial import hermite_e
from torch import Tensor, einsum

from numerics.certified.marks import given
from numerics.checks import check_integer
from numerics.errors import InputError
from numerics.factorizing import qr
from numerics.memories.activations import Activation
from numerics.observables import Bounded
from numerics.papers.nichani.mlp_observables import cubature, widened
from numerics.papers.nichani.technical_observables import hermite_tensors
from numerics.random import Stream, replicate_gaussians, replicate_spheres

#: A stored fact: the numbers of its subject, relation and answer. Fact and rival of the margin are
#: (0, 0, 0) and the answer 1.
Fact = tuple[int, int, int]

#: One fact of each kind that the proof tells apart: its subject and its relation are those of the
#: margin or not, and its answer is a, b or another.
KINDS: dict[str, Fact] = {
    "own": (0, 0, 0),
    "subject-own": (1, 0, 0),
    "subject-rival": (1, 0, 1),
    "subject-generic": (1, 0, 2),
    "relation-rival": (0, 1, 1),
    "relation-generic": (0, 1, 2),
    "both-rival": (1, 1, 1),
    "both-generic": (1, 1, 2),
}
#: Two different facts of each kind: which subjects and relations they share with the margin.
PAIRS: dict[str, tuple[Fact, Fact]] = {
    "subject": ((1, 0, 0), (0, 0, 0)),
    "siblings": ((1, 0, 2), (2, 0, 2)),
    "relation": ((0, 1, 1), (0, 0, 0)),
    "both": ((1, 1, 1), (0, 0, 0)),
    "apart": ((1, 1, 2), (2, 2, 1)),
}
#: Values of integrands that are held at once.
_AT_ONCE = 2**17
#: Nodes of quadratures in one variable.
_NODES = 200


def _monic(sigma: Sequence[float]) -> list[float]:
    """The coefficients of sigma = sum_j c_j h_j in the monic He_j."""
    return [float(c) / math.sqrt(math.factorial(j)) for j, c in enumerate(sigma)]


@dataclass(frozen=True)
class _Memory:
    """Degrees p, k and Hermite coefficients of the activation, with what bounds the terms."""

    p: int
    k: int
    sigma: tuple[float, ...]

    @classmethod
    def of(cls, p: int, k: int, sigma: Sequence[float]) -> "_Memory":
        return cls(p, k, tuple(map(float, sigma)))

    def __post_init__(self) -> None:
        check_integer("p", self.p, minimum=1, maximum=8)
        check_integer("k", self.k, minimum=1, maximum=8)

    @property
    def degree(self) -> int:
        return len(self.sigma) - 1

    def norm(self, power: int) -> float:
        """At least ||sigma(<w, x>)||_power for |x|^2 <= 2, by Minkowski's inequality."""
        return math.fsum(
            abs(float(a)) * math.sqrt(2) ** i * _gaussian_norm(i, power)
            for i, a in enumerate(hermite_e.herme2poly(_monic(self.sigma)))
        )

    def feature(self, power: int) -> float:
        """The same norm of :<w, x>^p: :<w, y>^k: for orthogonal x and y, |x|, |y| <= 1."""
        return math.prod(_hermite_norm(n, power) for n in (self.p, self.k))

    @property
    def mean_bound(self) -> float:
        """At least |E omega_t|: |a - b| <= 2."""
        return 2 * self.norm(2) * self.feature(2)

    @property
    def pair_bound(self) -> float:
        """At least |E omega_t omega_u|."""
        return 4 * self.norm(4) ** 2 * self.feature(4) ** 2

    def slope(self, squares: Tensor) -> Tensor:
        """E sigma^(p+k)(Z sqrt(t)) for a standard Gaussian Z, at t = *squares*, by quadrature."""
        derivative = hermite_e.hermeder(_monic(self.sigma), self.p + self.k)
        normalised = [a * math.sqrt(math.factorial(j)) for j, a in enumerate(derivative)]
        return self.mean(Activation.hermite(normalised).value, squares)

    def mean(self, polynomial: Callable[[Tensor], Tensor], squares: Tensor) -> Tensor:
        """E p(Z sqrt(t)) for a standard Gaussian Z and a degree up to 2q + 1, at t = *squares* >= 0."""
        nodes, weights = given(squares, *cubature(1, 2 * self.degree))
        return polynomial(squares.sqrt().unsqueeze(-1) * nodes.squeeze(1)) @ weights

    @property
    def slope_bound(self) -> float:
        """At least |E sigma^(p+k)(Z sqrt(t))|, 0 <= t <= 2, as E He_2i(Z sqrt(t)) is
        (2i)!/(2^i i!) (t - 1)^i."""
        order, total = self.p + self.k, 0.0
        for i in range((self.degree - order) // 2 + 1):
            j = order + 2 * i
            total += abs(self.sigma[j]) * math.sqrt(math.factorial(j)) / (2**i * math.factorial(i))
        return total


def _gaussian_norm(i: int, power: int) -> float:
    """||g^i||_power."""
    n = i * power
    return float((2 ** (n / 2) * math.gamma((n + 1) / 2) / math.sqrt(math.pi)) ** (1 / power))


def _hermite_norm(n: int, power: int) -> float:
    """||He_n(g)||_power, power even."""
    nodes, weights = hermite_e.hermegauss(n * power // 2 + 1)
    values = hermite_e.hermeval(nodes, [0] * n + [1])
    return float(((weights * values**power).sum() / weights.sum()) ** (1 / power))


def _wick(inner: Tensor, square: Tensor, n: int) -> Tensor:
    """:<w, x>^n: from <w, x> and |x|^2, by W_{n+1} = <w, x> W_n - n |x|^2 W_{n-1}."""
    before, current = torch.zeros_like(inner), torch.ones_like(inner)
    for j in range(n):
        before, current = current, inner * current - j * square * before
    return current


@dataclass(frozen=True)
class _Draw:
    """Projected subjects (r, S, h), relations (r, R, h), answers (r, A, d)."""

    subjects: Tensor
    relations: Tensor
    answers: Tensor

    def part(self, first: int, last: int) -> "_Draw":
        return _Draw(
            self.subjects[first:last], self.relations[first:last], self.answers[first:last]
        )

    def reading(self, facts: Sequence[Fact], rival: int) -> Tensor:
        """<a_t, a - b>, (r, T)."""
        difference = self.answers[:, 0] - self.answers[:, rival]
        chosen = self.answers[:, [a for _, _, a in facts]]
        return einsum("rtd,rd->rt", chosen, difference)

    def overlaps(self, facts: Sequence[Fact]) -> tuple[Tensor, Tensor]:
        """<P s, P s_t> and <Q r, Q r_t>, (r, T) each."""
        return tuple(  # type: ignore[return-value]
            einsum("rth,rh->rt", vectors[:, [fact[i] for fact in facts]], vectors[:, 0])
            for i, vectors in enumerate((self.subjects, self.relations))
        )


def _draw(
    d: int, sizes: tuple[int, int, int], replicates: int, *, seed: int, start: int, name: str
) -> _Draw:
    check_integer("d", d, minimum=3)
    if d % 2 == 0:
        raise InputError(f"d = {d} is even: pass an odd dimension, P and Q have (d - 1)/2 each")
    half, stream = (d - 1) // 2, Stream(seed, name)
    subjects, relations, answers = (
        replicate_spheres(replicates, count, d, stream=stream.child(what), start=start)
        for what, count in zip(("subjects", "relations", "answers"), sizes, strict=True)
    )
    return _Draw(subjects[:, :, :half], relations[:, :, half : 2 * half], answers)


def _moments(draw: _Draw, facts: Sequence[Fact], rival: int, it: _Memory) -> tuple[Tensor, Tensor]:
    """E omega_t (r, T) and E omega_t omega_u (r, T, T) over w, given the embeddings."""
    half = draw.subjects.shape[2]
    nodes, weights = given(draw.answers, *cubature(2 * half, 2 * (it.degree + it.p + it.k)))
    parts = []
    step = max(_AT_ONCE // (len(facts) * len(weights)), 1)
    for first in range(0, max(len(draw.answers), 1), step):
        part = draw.part(first, first + step)
        inner = part.subjects @ nodes[:, :half].T, part.relations @ nodes[:, half:].T
        powers = [
            _wick(inner[i], (vectors**2).sum(dim=2, keepdim=True), n)[
                :, [fact[i] for fact in facts]
            ]
            for i, (vectors, n) in enumerate(((part.subjects, it.p), (part.relations, it.k)))
        ]
        features = powers[0] * powers[1]
        neuron = Activation.hermite(it.sigma).value(inner[0][:, 0] + inner[1][:, 0])
        reading = part.reading(facts, rival)
        first_moment = einsum("rn,rtn->rt", weights * neuron, features) * reading
        weighted = features * (weights * neuron**2).unsqueeze(1)
        pair = (weighted @ features.mT) * reading.unsqueeze(2) * reading.unsqueeze(1)
        parts.append((first_moment, pair))
    return torch.cat([one for one, _ in parts]), torch.cat([two for _, two in parts])


def term_observables(
    d: int, replicates: int, *, p: int, k: int, sigma: Sequence[float], seed: int, start: int = 0
) -> dict[str, Bounded]:
    """Single terms and products of two, one value each draw; kinds of facts as in KINDS and PAIRS.

      mean.KIND, other.KIND, square.KIND   E omega_t, its square, E omega_t^2, over w
      cross.same.PAIR, cross.other.PAIR    E omega_t omega_u of one neuron, E omega_t E omega_u of two
      signal, signal-squared               E sigma^(p+k)(Z sqrt(A + B)) A^p B^k and its square, with
                                           A = |P s|^2, B = |Q r|^2
      subject, relation                    <P s, P s'>^(2p), <Q r, Q r'>^(2k) for different tokens
      subject-norm, relation-norm          A^(2p), B^(2k)
      activation                           E sigma(<w, P s + Q r>)^2 over w

    d >= 3 odd (the cubature has (q + p + k + 1)^(d-1) nodes, q = len(sigma) - 1), p, k >= 1,
    replicates, start >= 0; InputError otherwise.
    """
    it = _Memory.of(p, k, sigma)
    draw = _draw(d, (3, 3, 3), replicates, seed=seed, start=start, name="two-input terms")
    facts = list(dict.fromkeys([*KINDS.values(), *(f for pair in PAIRS.values() for f in pair)]))
    mean, pair = _moments(draw, facts, 1, it)
    one, two = it.mean_bound, it.pair_bound
    found: dict[str, Bounded] = {}
    for kind, fact in KINDS.items():
        t = facts.index(fact)
        found[f"mean.{kind}"] = widened(mean[:, t], -one, one)
        found[f"other.{kind}"] = widened(mean[:, t] ** 2, 0.0, one**2)
        found[f"square.{kind}"] = widened(pair[:, t, t], 0.0, two)
    for kind, (left, right) in PAIRS.items():
        t, u = facts.index(left), facts.index(right)
        found[f"cross.same.{kind}"] = widened(pair[:, t, u], -two, two)
        found[f"cross.other.{kind}"] = widened(mean[:, t] * mean[:, u], -(one**2), one**2)
    squares = [(v[:, 0] ** 2).sum(dim=1) for v in (draw.subjects, draw.relations)]
    signal = it.slope(squares[0] + squares[1]) * squares[0] ** p * squares[1] ** k
    top = it.slope_bound
    found["signal"] = widened(signal, -top, top)
    found["signal-squared"] = widened(signal**2, 0.0, top**2)
    other = draw.overlaps([(1, 1, 0)])
    for i, (name, n) in enumerate((("subject", p), ("relation", k))):
        found[name] = widened(other[i][:, 0] ** (2 * n), 0.0, 1.0)
        found[f"{name}-norm"] = widened(squares[i] ** (2 * n), 0.0, 1.0)
    value = Activation.hermite(it.sigma).value
    activation = it.mean(lambda x: value(x) ** 2, squares[0] + squares[1])
    found["activation"] = widened(activation, 0.0, it.norm(2) ** 2)
    return found


def table_observables(
    d: int,
    S: int,
    R: int,
    replicates: int,
    *,
    p: int,
    k: int,
    sigma: Sequence[float],
    answers: Sequence[Sequence[int]],
    m: int = 1,
    about: float = 0.0,
    seed: int,
    start: int = 0,
) -> dict[str, Bounded]:
    """Sums over a table of facts, one value each draw; *answers* has S rows of R numbers.

    The margin is that of s = r = 0 with a = answers[0][0] = 0 against the rival b = 1.
      mean, second, centred   E gamma, E gamma^2, E (gamma - about)^2 over m neurons, given embeddings
      square-sum, other-sum   sum_t E omega_t^2 and sum_t (E omega_t)^2
      first, first-plain      sum over t other than (0, 0) of <P s, P s_t>^(2p) <Q r, Q r_t>^(2k), with
                              and without the factor <a_t, a - b>^2
      answers                 sum_t <a_t, a - b>^2

    Ranges and errors as for `term_observables`; InputError for a table of another shape.
    """
    it = _Memory.of(p, k, sigma)
    check_integer("m", m, minimum=1)
    if len(answers) != S or any(len(row) != R for row in answers) or answers[0][0] != 0:
        raise InputError(f"answers = {answers}: give {S} rows of {R} numbers, the first of them 0")
    facts = [(s, r, answers[s][r]) for s in range(S) for r in range(R)]
    count = 1 + max(1, *(a for _, _, a in facts))
    draw = _draw(d, (S, R, count), replicates, seed=seed, start=start, name="two-input table")
    mean, pair = _moments(draw, facts, 1, it)
    n, one, two = len(facts), it.mean_bound, it.pair_bound
    total = mean.sum(dim=1)
    second = pair.sum(dim=(1, 2)) / m + (1 - 1 / m) * total**2
    most = n**2 * (two / m + (1 - 1 / m) * one**2)
    subject, relation = draw.overlaps(facts)
    weights = subject ** (2 * p) * relation ** (2 * k)
    readings = draw.reading(facts, 1) ** 2
    return {
        "mean": widened(total, -n * one, n * one),
        "second": widened(second, 0.0, most),
        # By Minkowski's inequality.
        "centred": widened(
            second - 2 * about * total + about**2, 0.0, (math.sqrt(most) + abs(about)) ** 2
        ),
        "square-sum": widened(torch.diagonal(pair, dim1=1, dim2=2).sum(dim=1), 0.0, n * two),
        "other-sum": widened((mean**2).sum(dim=1), 0.0, n * one**2),
        "first": widened((weights * readings)[:, 1:].sum(dim=1), 0.0, 4.0 * max(n - 1, 1)),
        "first-plain": widened(weights[:, 1:].sum(dim=1), 0.0, 1.0 * max(n - 1, 1)),
        "answers": widened(readings.sum(dim=1), 0.0, 4.0 * n),
    }


def projection_observables(
    d: int, replicates: int, *, seed: int, start: int = 0
) -> dict[str, Bounded]:
    """ "overlap n" is <P s, P s'>^(2n), n = 1, 2, 3; "answer" is <a, b>^2; "answer.own", "answer.rival",
    "answer.generic" are <a', a - b>^2 for a' = a, b, another. d >= 3 odd."""
    draw = _draw(d, (2, 1, 3), replicates, seed=seed, start=start, name="two-input projections")
    overlap = (draw.subjects[:, 0] * draw.subjects[:, 1]).sum(dim=1)
    answer = (draw.answers[:, 0] * draw.answers[:, 1]).sum(dim=1)
    readings = draw.reading([(0, 0, 0), (0, 0, 1), (0, 0, 2)], 1) ** 2
    return {
        **{f"overlap {n}": widened(overlap ** (2 * n), 0.0, 1.0) for n in (1, 2, 3)},
        "answer": widened(answer**2, 0.0, 1.0),
        **{
            f"answer.{name}": widened(readings[:, i], 0.0, 4.0)
            for i, name in enumerate(("own", "rival", "generic"))
        },
    }


# -- without sampling -----------------------------------------------------------------------------


def _norm_quadrature(d: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights for the law Beta(h/2, (d-h)/2) of |P s|^2, h = (d-1)/2 (Golub and Welsch)."""
    check_integer("d", d, minimum=3)
    half = (d - 1) // 2
    a, b = (d - half) / 2 - 1, half / 2 - 1
    n = np.arange(1, _NODES)
    twice = 2 * n + a + b
    diagonal = np.concatenate([[(b - a) / (a + b + 2)], (b * b - a * a) / (twice * (twice + 2))])
    last = np.where(n == 1, 1.0, (n + a + b) / np.where(n == 1, 1.0, twice - 1))
    square = 4 * n * (n + a) * (n + b) * last / (twice**2 * (twice + 1))
    values, vectors = np.linalg.eigh(
        np.diag(diagonal) + np.diag(np.sqrt(square), 1) + np.diag(np.sqrt(square), -1)
    )
    return (1 + values) / 2, vectors[0] ** 2


def norm_expectation(d: int, power: int) -> float:
    """E |P s|^(2 power), P of dimension (d - 1)/2, by quadrature."""
    nodes, weights = _norm_quadrature(d)
    return float((weights * nodes**power).sum())


def signal_moments(d: int, p: int, k: int, sigma: Sequence[float]) -> tuple[float, float]:
    """E X and E X^2 for X = E_Z[sigma^(p+k)(Z sqrt(A + B))] A^p B^k, by quadrature over A and B."""
    it = _Memory.of(p, k, sigma)
    nodes, weights = (torch.from_numpy(v) for v in _norm_quadrature(d))
    A, B = torch.meshgrid(nodes, nodes, indexing="ij")
    values = it.slope(A + B) * A**p * B**k
    joint = weights[:, None] * weights
    return float((joint * values).sum()), float((joint * values**2).sum())


def orlicz_norm(d: int) -> float:
    """The least K with E exp(| |P s|^2 - 1/2 |/K) <= 2, by quadrature and bisection."""
    nodes, weights = _norm_quadrature(d)
    away, low, high = np.abs(nodes - 0.5), 1e-6, 10.0
    for _ in range(80):
        middle = math.sqrt(low * high)
        excess = float((weights * np.exp(np.minimum(away / middle, 500.0))).sum())
        low, high = (middle, high) if excess > 2 else (low, middle)
    return high


def derivative_mean(sigma: Sequence[float], order: int) -> float:
    """E sigma^(order)(g) for sigma = sum_j c_j h_j and a standard Gaussian g, by quadrature."""
    scale = _monic(sigma)
    nodes, weights = hermite_e.hermegauss(len(scale) + 1)
    values = hermite_e.hermeval(nodes, hermite_e.hermeder(scale, order))
    return float((weights * values).sum() / weights.sum())


def stein_deviation(
    d: int,
    order: int,
    *,
    power: int,
    derivative: int,
    factor: float,
    sigma: Sequence[float],
    seed: int,
) -> float:
    """The two sides of E[sigma(<w,x>) <He_n(w), T>] = factor E[sigma^(derivative)(<w,x>)] <x^power, T>.

    n = order. The largest difference over random x and all T that are products of unit vectors,
    relative to the largest value; infinite where power is not n, since the shapes then differ.
    """
    check_integer("order", order, minimum=0)
    if power != order:
        return math.inf
    nodes, weights = cubature(d, len(sigma) - 1 + order)
    x = replicate_gaussians(1, 1, d, stream=Stream(seed, "stein", d, order))[0, 0]
    inner = nodes @ x
    scale = _monic(sigma)
    tensors = hermite_tensors(nodes, order).reshape(len(nodes), -1)
    neuron = Activation.hermite(sigma).value(inner)
    left = (weights * neuron) @ tensors
    slope = hermite_e.hermeval(inner.numpy(), hermite_e.hermeder(scale, derivative))
    tensor = torch.ones(1, dtype=torch.float64)
    for _ in range(order):
        tensor = (tensor[:, None] * x).reshape(-1)
    right = factor * float((weights * torch.from_numpy(np.asarray(slope))).sum()) * tensor
    return float((left - right).abs().max() / left.abs().max().clamp(min=1e-300))


def conditional_mean_deviation(
    d: int,
    *,
    p: int,
    k: int,
    sigma: Sequence[float],
    derivative: int,
    subject: int,
    relation: int,
    lengths: tuple[float, float],
    seed: int,
) -> float:
    """E[omega_t | embeddings] by cubature against the closed form, largest difference over 64 draws and
    all KINDS, relative to the largest value.

    The closed form has E sigma^(derivative)(Z sqrt(lengths . (A, B))) <P s, P s_t>^subject
    <Q r, Q r_t>^relation <a_t, a - b>.
    """
    it = _Memory.of(p, k, sigma)
    draw = _draw(d, (3, 3, 3), 64, seed=seed, start=0, name="two-input conditional")
    facts = list(KINDS.values())
    mean, _ = _moments(draw, facts, 1, it)
    squares = [(v[:, 0] ** 2).sum(dim=1) for v in (draw.subjects, draw.relations)]
    inside = (lengths[0] * squares[0] + lengths[1] * squares[1]).sqrt().unsqueeze(-1).numpy()
    scale = _monic(it.sigma)
    nodes, weights = hermite_e.hermegauss(it.degree + 1)
    values = hermite_e.hermeval(inside * nodes, hermite_e.hermeder(scale, derivative))
    slope = torch.from_numpy((values * weights).sum(axis=-1) / weights.sum())
    overlap = draw.overlaps(facts)
    stated = slope[:, None] * overlap[0] ** subject * overlap[1] ** relation
    stated = stated * draw.reading(facts, 1)
    return float((mean - stated).abs().max() / mean.abs().max())


def orthogonal_frame_defect(d: int, count: int, dimension: int, *, seed: int) -> float:
    """How far *count* blocks of *dimension* columns from a QR decomposition in R^d are from an
    orthonormal frame; 1 where there are more columns than d."""
    columns = count * dimension
    if columns > d:
        return 1.0
    matrix = replicate_gaussians(1, d, max(columns, 1), stream=Stream(seed, "frame", d))[0]
    frame = qr(matrix)[0][:, :columns]
    return float((frame.T @ frame - torch.eye(columns, dtype=torch.float64)).abs().max())
