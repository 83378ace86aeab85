"""Recall of drawn memories: the rule below an order of facts, the exception above it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from math import log
from typing import Any

from verify.measuring.case import Case
from verify.measuring.measure import Experiment, Sizes, Statistic
from verify.statistics import AtLeast, AtMost

#: Draws of whole memories, a few at a time.
DRAWN: dict[str, Any] = {"block": 8, "afforded": 512, "small": False}
_MOST_FACTS = 2048


def at_order(
    power: Fraction,
    d: int,
    recalled: Callable[[int], Statistic],
    *,
    least: Callable[[int, Fraction], int],
    most: Callable[[int, Fraction], int],
) -> list[Case]:
    """Below the order d^power recall is the rule, above it the exception; *recalled* of N facts."""
    cases = []
    for N, claimed in ((least(d, power), AtLeast(0.5)), (most(d, power), AtMost(0.5))):
        sizes = {"d": d, "N": N}
        cases.append(Case("P(recall)", sizes, recalled(N), claimed))
    return cases


def below_order(d: int, power: Fraction) -> int:
    """d^power/(16 log d^power), from 1 to what is quickly drawn: fewer facts are recalled as well."""
    size = d ** float(power)
    return max(1, min(int(size / (16 * max(log(size), 1.0))), _MOST_FACTS))


def above_order(d: int, power: Fraction) -> int:
    """d^power/8, at least 1."""
    return max(1, int(d ** float(power) / 8))


def ntk_case(sigma: str, k: int, sizes: Sizes, claimed: AtLeast | AtMost) -> Case:
    """How often an NTK memory with a named activation loses some fact."""
    experiment = Experiment(f"ntk {sigma} {k}", partial(_ntk_failures, sigma, k), **DRAWN)
    symbol = f"P(some fact is lost), {sigma}, k = {k}"
    return Case.of(symbol, experiment, "failure", sizes, claimed)


def _ntk_failures(sigma: str, k: int, **arguments: Any) -> Mapping[str, Any]:
    from numerics.draws.mlp_margin import failures

    return {"failure": failures(sigma=sigma, k=k, **arguments)}
