"""The engine of arguments refuses what is false, and it is noticed where it does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from flint import arb

from proofs import argument, attacks
from proofs.algebra import RationalFunction, SignProof, Violation, decide_nonnegative
from proofs.algebra.balls import lower
from proofs.argument import Argument, Line


@pytest.fixture(autouse=True)
def _looked_at_again() -> Iterator[None]:
    attacks.require_refusals.cache_clear()
    yield
    attacks.require_refusals.cache_clear()


def moved(by: int) -> Callable[..., SignProof | Violation]:
    def decide(
        function: RationalFunction, ends: Mapping[str, int], *, interior: bool = False, **more: Any
    ) -> SignProof | Violation:
        ahead = {name: low + by for name, low in ends.items()}
        return decide_nonnegative(function, ahead, interior=interior, **more)

    return decide


def inside(
    function: RationalFunction, ends: Mapping[str, int], *, interior: bool = False, **more: Any
) -> SignProof | Violation:
    return decide_nonnegative(function, ends, interior=True, **more)


def silent(self: Argument, text: str, holds: bool, reason: str, region: str = "") -> bool:
    self.lines.append(Line(text, holds, reason))
    return holds


def test_the_engine_refuses_what_is_false() -> None:
    attacks.require_refusals()


@pytest.mark.parametrize("name", attacks.FALSE)
def test_what_is_accepted_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(attacks.FALSE, name, lambda: True)
    with pytest.raises(ArithmeticError, match=name):
        attacks.require_refusals()


@pytest.mark.parametrize(
    ("where", "name", "other", "broken"),
    [
        (attacks, "decide_nonnegative", moved(100), "the sign"),
        (attacks, "decide_nonnegative", moved(1), "the sign"),
        (attacks, "decide_nonnegative", moved(-1), "the sign"),
        (attacks, "decide_nonnegative", inside, "the sign"),
        (argument, "decide_nonnegative", moved(100), "the sign"),
        (argument, "decide_nonnegative", moved(-100), "the region"),
        (Argument, "_add", silent, "the region"),
        (Argument, "equal", lambda *_: True, "equality"),
        (RationalFunction, "__eq__", lambda a, b: str(a)[:1] == str(b)[:1], "equality"),
        (Argument, "at_most", lambda _, __, a, b: not bool(a > b), "the comparison"),
        (Argument, "at_most", lambda _, __, a, b: bool(arb(a.mid()) <= b), "the comparison"),
        (attacks, "upper", lower, "the ends"),
        (Argument, "holds", property(lambda self: self.broken is None), "what holds"),
        (Argument, "refute", lambda self, _: self, "what holds"),
        (Argument, "include", lambda *_: None, "what holds"),
        (attacks, "violation", lambda *_: None, "the witness"),
    ],
)  # fmt: skip
def test_a_weakened_engine_is_noticed(
    where: Any, name: str, other: Any, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, other)
    with pytest.raises(ArithmeticError, match=broken):
        attacks.require_refusals()
