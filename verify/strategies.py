"""Hypothesis strategies for sizes, maps and memories, to test one's own statements with.

Sizes are drawn first and shrink towards small ones; randomness enters through drawn integer seeds,
never through a global generator, so a failing example replays.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from hypothesis import strategies as st

from proofs.capacity import SufficientCondition

#: Seeds of embeddings and maps.
seeds = st.integers(0, 2**32 - 1)


class Sizes(NamedTuple):
    """Dimension, number of inputs, number of outputs."""

    d: int
    N: int
    M: int


@st.composite
def sizes(draw: st.DrawFn, *, d: tuple[int, int] = (1, 16), N: tuple[int, int] = (1, 12)) -> Sizes:
    """Sizes of an injective memory, M from N to 2N; *d* and *N* are inclusive ranges."""
    inputs = draw(st.integers(*N))
    return Sizes(draw(st.integers(*d)), inputs, draw(st.integers(inputs, 2 * inputs)))


def no_further_sizes(d: int) -> Mapping[str, int]:
    """For memories whose sizes are d, N and M alone."""
    return {}


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
    most = min(condition.largest(delta=delta, d=dimension, **more), largest_N)
    if most == 0:
        from hypothesis import reject

        reject()
    # Half of the examples on the frontier, and none without a competitor unless nothing else fits.
    inputs = draw(st.just(most) | st.integers(min(2, most), most))
    outputs = draw(st.integers(inputs, 2 * inputs))
    if not condition.holds(delta=delta, d=dimension, N=inputs, M=outputs, **more):
        outputs = inputs
    return Sizes(dimension, inputs, outputs)


@st.composite
def injective_maps(draw: st.DrawFn, N: int, M: int) -> list[int]:
    """An injective map [N] -> [M] as the list of its values."""
    return draw(st.permutations(range(M)))[:N]


@st.composite
def linear_memories(draw: st.DrawFn, at: st.SearchStrategy[Sizes]) -> Any:
    """A ``numerics.LinearMemory`` with sphere embeddings and a random injective map, in float64."""
    from numerics import LinearMemory

    d, N, M = draw(at)
    return LinearMemory.sample(d, N, M, seed=draw(seeds))
