"""Hypothesis strategies for sizes, maps and memories, to test one's own statements with.

``sizes``, ``sizes_where``, ``fibres_where`` and ``fact_sizes_where`` draw sizes, the last three
where a condition holds; ``fact_tables`` draws tables of facts, ``injective_maps`` and
``general_maps`` draw maps, ``embeddings`` vectors, and ``linear_memories``,
``low_rank_memories``, ``quantized_memories``, ``mlp_memories`` and ``memories`` whole ones in float64.

Sizes are drawn first and shrink towards small ones; randomness enters through drawn integer seeds,
never through a global generator, so a failing example replays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from hypothesis import reject
from hypothesis import strategies as st

from proofs.capacity import (
    AttentionOnly,
    LinearGeneralMap,
    SufficientCondition,
    largest_where,
    read_delta,
)

if TYPE_CHECKING:
    from torch import Tensor

    from numerics import (
        FactTable,
        LinearMemory,
        LowRankMemory,
        Memory,
        MLPMemory,
        QuantizedMemory,
    )

#: Seeds of embeddings and maps.
seeds = st.integers(0, 2**32 - 1)


class Sizes(NamedTuple):
    """Dimension, number of inputs, number of outputs."""

    d: int
    N: int
    M: int


class FibreSizes(NamedTuple):
    """Dimension, and how many inputs each output has."""

    d: int
    fibres: tuple[int, ...]


# -- sizes ----------------------------------------------------------------------------------------


@st.composite
def sizes(draw: st.DrawFn, *, d: tuple[int, int] = (1, 16), N: tuple[int, int] = (1, 12)) -> Sizes:
    """Sizes of an injective memory, M from N to 2N; *d* and *N* are inclusive ranges."""
    inputs = draw(st.integers(*N))
    return Sizes(draw(st.integers(*d)), inputs, draw(st.integers(inputs, 2 * inputs)))


def no_further_sizes(d: int) -> Mapping[str, int]:
    """For memories whose sizes are d, N and M alone."""
    return {}


@lru_cache(maxsize=64)
def _known(
    condition: SufficientCondition,
    delta: Fraction,
    at_most: int,
    further: Callable[[int], Mapping[str, int]],
) -> dict[int, int]:
    """The largest N of the dimensions that were asked for."""
    return {}


def _most_inputs(
    condition: SufficientCondition,
    delta: Fraction,
    at_most: int,
    further: Callable[[int], Mapping[str, int]],
    d: int,
) -> int:
    """The largest N; the search begins at what the nearest dimension suggests, as N goes like d^2."""
    known = _known(condition, delta, at_most, further)
    if d not in known:
        nearest = min(known, key=lambda other: abs(other - d), default=d)
        near = max(known.get(nearest, 1) * d * d // nearest**2, 1)
        known[d] = condition.largest(delta=delta, d=d, at_most=at_most, near=near, **further(d))
    return known[d]


@st.composite
def sizes_where(
    draw: st.DrawFn,
    condition: SufficientCondition,
    delta: Any,
    *,
    d: tuple[int, int],
    largest_N: int = 512,
    further: Callable[[int], Mapping[str, int]] = no_further_sizes,
) -> Sizes:
    """Sizes at which *condition* holds at *delta*; *d* is an inclusive range of dimensions.

    *further*: the further sizes of the memory in dimension d, such as its rank.
    M runs from N to 2N. Dimensions at which not even one input fits are passed over.
    """
    dimension = draw(st.integers(*d))
    more = further(dimension)
    most = _most_inputs(condition, read_delta(delta), largest_N, further, dimension)
    if most == 0:
        reject()
    # Half of the examples on the frontier, and none without a competitor unless nothing else fits.
    inputs = draw(st.just(most) | st.integers(min(2, most), most))
    outputs = draw(st.integers(inputs, 2 * inputs))
    if not condition.holds(delta=delta, d=dimension, N=inputs, M=outputs, **more):
        outputs = inputs
    return Sizes(dimension, inputs, outputs)


@st.composite
def fibres_where(
    draw: st.DrawFn,
    condition: LinearGeneralMap,
    delta: Any,
    *,
    d: tuple[int, int],
    shared: int = 4,
    largest_N: int = 512,
) -> FibreSizes:
    """Fibres at which *condition* holds at *delta*; *d* is an inclusive range of dimensions.

    A few outputs with at most *shared* inputs each, some with none, are drawn and repeated as often
    as fits, or less often. Those of which not even one lot fits are passed over.
    """
    dimension = draw(st.integers(*d))
    lot = tuple(draw(st.lists(st.integers(0, shared), min_size=1, max_size=4).filter(any)))
    most = _most_lots(condition, read_delta(delta), dimension, lot, max(largest_N // sum(lot), 1))
    if most == 0:
        reject()
    # As in ``sizes_where``: half on the frontier, and none without a competitor.
    return FibreSizes(dimension, lot * draw(st.just(most) | st.integers(min(2, most), most)))


@lru_cache(maxsize=4096)
def _most_lots(
    condition: LinearGeneralMap, delta: Fraction, d: int, lot: tuple[int, ...], at_most: int
) -> int:
    return largest_where(
        lambda n: n <= at_most and condition.holds(delta=delta, d=d, fibres=lot * n)
    )


class FactSizes(NamedTuple):
    """The sizes of an attention-only construction, as ``AttentionOnly.failure_bound`` takes them."""

    d: int
    S: int
    R: int
    D: int
    M: int
    d_h: int
    noise: int


@st.composite
def fact_sizes_where(
    draw: st.DrawFn,
    condition: AttentionOnly,
    delta: Any,
    *,
    d: tuple[int, int],
    largest_S: int = 4,
) -> FactSizes:
    """Sizes at which *condition* holds at *delta*; *d* is an inclusive range of dimensions.

    As many subjects as fit or fewer, for drawn numbers of relations, answers, tokens a head and
    noise tokens. What fits not even one subject is passed over.
    """
    dimension = draw(st.integers(*d))
    R, D = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    M, d_h = draw(st.integers(1, 2)), draw(st.integers(dimension // 2, dimension - 1))
    noise = draw(st.integers(1, 8))
    more = {"d": dimension, "R": R, "M": M, "d_h": d_h, "noise": noise}
    most = condition.largest(delta=delta, D=D, at_most=largest_S, **more)
    if most == 0:
        reject()
    S = draw(st.just(most) | st.integers(1, most))
    return FactSizes(dimension, S, R, min(D, S), M, d_h, noise)


@st.composite
def fact_tables(draw: st.DrawFn, S: int, R: int, D: int) -> FactTable:
    """A ``numerics.FactTable`` of S subjects and R relations with any of D answers for each fact."""
    import torch

    from numerics import FactTable

    answers = draw(st.lists(st.integers(0, D - 1), min_size=S * R, max_size=S * R))
    return FactTable(torch.tensor(answers).view(S, R) + D * torch.arange(R))


# -- maps and embeddings --------------------------------------------------------------------------


@st.composite
def injective_maps(draw: st.DrawFn, N: int, M: int) -> list[int]:
    """An injective map [N] -> [M] as the list of its values."""
    return draw(st.permutations(range(M)))[:N]


def general_maps(N: int, M: int) -> st.SearchStrategy[list[int]]:
    """Any map [N] -> [M] as the list of its values: outputs may share inputs or have none."""
    return st.lists(st.integers(0, M - 1), min_size=N, max_size=N)


@st.composite
def embeddings(draw: st.DrawFn, d: int, N: int) -> Tensor:
    """N uniform unit vectors in R^d, the rows of a float64 tensor (N, d)."""
    from numerics import Stream, sample_sphere

    return sample_sphere(N, d, stream=Stream(draw(seeds), "embeddings"))


# -- memories -------------------------------------------------------------------------------------
# All have sphere embeddings, a random injective map and float64 throughout.


@st.composite
def memories(draw: st.DrawFn, name: str, at: st.SearchStrategy[Sizes]) -> Memory:
    """Any memory that ``verify capacity`` knows, of the sizes *at*, like one of its examples otherwise.

    Examples that do not exist in a drawn dimension are passed over.
    """
    from verify.capacity import CONSTRUCTIONS, construction
    from verify.errors import UsageError

    d, N, M = draw(at)
    try:
        built = construction(name, {**draw(st.sampled_from(CONSTRUCTIONS[name].examples)), "d": d})
    except UsageError:
        reject()
    return built.sample(N, M, seed=draw(seeds))


@st.composite
def linear_memories(draw: st.DrawFn, at: st.SearchStrategy[Sizes]) -> LinearMemory:
    """A ``numerics.LinearMemory`` of the sizes *at*."""
    from numerics import LinearMemory

    d, N, M = draw(at)
    return LinearMemory.sample(d, N, M, seed=draw(seeds))


@st.composite
def low_rank_memories(
    draw: st.DrawFn,
    at: st.SearchStrategy[Sizes],
    *,
    m: tuple[int, int] = (1, 16),
    factors: Literal["gaussian", "orthonormal"] = "gaussian",
) -> LowRankMemory:
    """A ``numerics.LowRankMemory`` of the sizes *at* and a rank in the inclusive range *m*.

    Of orthonormal *factors* there are at most d, so larger ranks are cut down to d.
    """
    from numerics import LowRankMemory

    d, N, M = draw(at)
    rank = draw(st.integers(*m))
    rank = min(rank, d) if factors == "orthonormal" else rank
    return LowRankMemory.sample(d, N, M, m=rank, factors=factors, seed=draw(seeds))


@st.composite
def quantized_memories(
    draw: st.DrawFn, at: st.SearchStrategy[Sizes], *, bits: tuple[int, int] = (1, 8)
) -> QuantizedMemory:
    """A ``numerics.QuantizedMemory`` of the sizes *at* with its weights rounded to the step 1/(8
    d), or to as many *bits*, an inclusive range.
    """
    from numerics import QuantizedMemory

    d, N, M = draw(at)
    seed, chosen = draw(seeds), draw(st.none() | st.integers(*bits))
    if chosen is None:
        return QuantizedMemory.sample(d, N, M, seed=seed, step=1 / (8 * d))
    return QuantizedMemory.sample(d, N, M, seed=seed, bits=chosen)


#: Activations of drawn MLP memories: names, and Hermite coefficients c_0, ..., c_q with c_3 not 0.
_ACTIVATIONS: tuple[str | tuple[float, ...], ...] = (
    (0.0, 0.0, 0.0, 1.0),
    (0.0, 1.0, 1.0, 1.0),
    (0.0, 1.0, 0.0, -1.0),
    "tanh",
    "sin",
)


@st.composite
def mlp_memories(
    draw: st.DrawFn, at: st.SearchStrategy[Sizes], *, m: tuple[int, int] = (1, 64)
) -> MLPMemory:
    """A ``numerics.MLPMemory`` of the sizes *at*, a number of neurons in the inclusive range *m*,
    features of degree 2 and a drawn activation.
    """
    from numerics import Activation, MLPMemory

    d, N, M = draw(at)
    activation = Activation.read(draw(st.sampled_from(_ACTIVATIONS)))
    neurons = draw(st.integers(*m))
    return MLPMemory.sample(d, N, M, m=neurons, activation=activation, seed=draw(seeds))
