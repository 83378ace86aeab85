"""From a memory's name and its options to its construction, with errors that name the option."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from proofs.capacity.conditions import read_size
from verify.capacity.attention import AttentionConstruction
from verify.capacity.attention_mlp import AttentionMLPConstruction
from verify.capacity.construction import Construction
from verify.capacity.fact_construction import FactConstruction
from verify.capacity.linear import LinearConstruction
from verify.capacity.low_rank import LowRankConstruction
from verify.capacity.mlp import MLPConstruction
from verify.capacity.quantized import QuantizedConstruction
from verify.errors import UsageError

#: The memories of N associations; an entry brings a memory's curves, strategy, tests and commands.
CONSTRUCTIONS: dict[str, type[Construction]] = {
    kind.name: kind
    for kind in (LinearConstruction, LowRankConstruction, QuantizedConstruction, MLPConstruction)
}
#: The constructions that hold a table of facts (s, r), not N associations.
FACT_MEMORIES: dict[str, type[FactConstruction]] = {
    kind.name: kind for kind in (AttentionConstruction, AttentionMLPConstruction)
}
MEMORIES = (*CONSTRUCTIONS, *FACT_MEMORIES)

#: The numbers of facts and outputs, which every memory has.
NUMBERS = ("N", "M")
#: The numbers of subjects and relations, which every construction for facts has.
TOKENS = ("S", "R")
#: More facts or outputs than that are not asked for.
LARGEST_NUMBER = 10**12


def construction(memory: str, options: Mapping[str, Any]) -> Construction:
    """The construction of *memory* at the sizes among *options*; N and M are left aside.

    Raises UsageError for an unknown memory, a missing or superfluous size, or sizes out of range.
    """
    _require_mapping(options)
    if memory not in MEMORIES:
        raise UsageError(f"MEMORY: {memory!r} is not known; take one of {', '.join(MEMORIES)}")
    kind = CONSTRUCTIONS.get(memory)
    if kind is None:
        available = ", ".join(CONSTRUCTIONS)
        raise UsageError(
            f"MEMORY: {memory!r} holds facts (s, r), not N associations; take one of {available}"
        )
    built: Construction = _built(kind, options, NUMBERS, kind.called())
    return built


def fact_construction(memory: str, options: Mapping[str, Any]) -> FactConstruction:
    """The construction for facts called *memory* at the sizes among *options*; S and R are left aside.

    Raises UsageError as ``construction`` does.
    """
    _require_mapping(options)
    kind = FACT_MEMORIES.get(memory) if isinstance(memory, str) else None
    if kind is None:
        raise UsageError(
            f"MEMORY: {memory!r} holds no facts (s, r); take one of {', '.join(FACT_MEMORIES)}"
        )
    built: FactConstruction = _built(kind, options, TOKENS, f"an {memory} construction")
    return built


def _require_mapping(options: Any) -> None:
    if not isinstance(options, Mapping) or not all(isinstance(name, str) for name in options):
        raise UsageError(
            f"options: {options!r} are no sizes by their names; take for instance {{'d': 64}}"
        )


def _built(
    kind: type[Construction] | type[FactConstruction],
    options: Mapping[str, Any],
    numbers: tuple[str, ...],
    named: str,
) -> Any:
    """The *kind* at the *options* but the *numbers*, with errors that name the option."""
    known = [*kind.needs, *kind.takes, *numbers]
    for name in sorted(set(options) - set(known)):
        raise UsageError(f"{_option(name)}: {named} has no size {name}; it has {', '.join(known)}")
    for name, value in options.items():
        most = LARGEST_NUMBER if name in numbers else kind.largest_size
        if isinstance(value, int) and value > most:
            raise UsageError(f"{_option(name)}: {value} is too large; take at most {most}")
    for name, example in kind.needs.items():
        if name not in options:
            raise UsageError(f"{_option(name)}: missing; give {example}")
    try:
        return kind(**{name: value for name, value in options.items() if name not in numbers})
    except ValueError as error:
        name, colon, rest = str(error).partition(":")
        raise UsageError(f"{_option(name)}{colon}{rest}") from None


def _option(name: str) -> str:
    """A size as it is written on the command line."""
    return f"--{name.replace('_', '-')}"


def _read(names: tuple[str, str], options: Mapping[str, Any]) -> tuple[int | None, int | None]:
    first, second = (options.get(name) for name in names)
    try:
        for name, value in zip(names, (first, second), strict=True):
            if value is not None:
                read_size(name, value)
    except ValueError as error:
        raise UsageError(f"--{error}") from None
    return first, second


def read_tokens(options: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """S and R, None where they are left out; UsageError where one is out of range."""
    return _read(TOKENS, options)


def read_numbers(options: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """N and M, None where they are left out; UsageError where no injective map fits them."""
    N, M = _read(NUMBERS, options)
    if N is not None and M is not None and N > M:
        raise UsageError(f"--N: {N} inputs have no injective map into M = {M} outputs; take N <= M")
    return N, M
