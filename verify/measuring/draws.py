"""Where replicates are drawn: in this process, or by whoever offers the same.

A drawing is cut into calls, always at the same replicates, and what they give is put together in their
order; so what is found depends neither on where it is drawn nor on how far ahead.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from verify.errors import UsageError

if TYPE_CHECKING:
    from numerics.certified import Followed


class Call(NamedTuple):
    """One call of an experiment: so many replicates from number *start* on."""

    start: int
    replicates: int


class Drawn(NamedTuple):
    """What a call gave, and the seconds it took; how far rounding may have moved a value of an
    observable, by its name, where it was not the CPU that rounded."""

    call: Call
    observables: Any
    seconds: float
    errors: Mapping[str, float]


@dataclass(frozen=True)
class Drawing:
    """A function of (replicates, seed, start, **sizes), with its seed and sizes.

    *small*: a replicate is so small that one thread is fastest. *device*: where it is drawn; what cannot
    be vouched for there is drawn on the CPU, and so is the first call, with which it is compared.
    """

    draw: Callable[..., Any]
    seed: int
    sizes: Mapping[str, int]
    small: bool = True
    device: str = "cpu"

    def __call__(self, call: Call) -> Drawn:
        """Carry out one call, in this process. ArithmeticError where the first one is not what the CPU
        finds, up to the bounds on rounding."""
        from numerics import one_thread  # torch only where something is measured

        began = time.perf_counter()
        given = {
            "replicates": call.replicates,
            "seed": self.seed,
            "start": call.start,
            **self.sizes,
        }
        with one_thread() if self.small else nullcontext():
            there = None if self.device == "cpu" else self._on_device(given)
            here = self.draw(**given) if there is None or not call.start else None
        if there is None:
            return Drawn(call, here, time.perf_counter() - began, {})
        if here is not None:
            there.require_within(here, self.device)
        return Drawn(call, there.observables, time.perf_counter() - began, there.errors)

    def _on_device(self, given: Mapping[str, Any]) -> Followed | None:
        from numerics.certified import followed

        return followed(self.draw, self.device, **given)


class Draws(Protocol):
    """Who carries out the calls of a drawing."""

    def drawn(self, drawing: Drawing, calls: Iterable[Call]) -> Generator[Drawn, None, None]:
        """What each call gives, in their order; those ahead may be at work until it is closed."""
        ...


class Here:
    """This process, one call when it is asked for."""

    def drawn(self, drawing: Drawing, calls: Iterable[Call]) -> Generator[Drawn, None, None]:
        """What each call gives, in their order."""
        yield from map(drawing, calls)


def who_draws(given: Draws | None) -> Draws:
    """Who is given, or this process; UsageError for what carries out no calls."""
    if given is None:
        return Here()
    if isinstance(given, type) or not callable(getattr(given, "drawn", None)):
        raise UsageError(
            f"draws: {given!r} draws nothing; take Here() of verify.measuring.draws, or leave it out"
        )
    return given
