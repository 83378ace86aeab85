"""The exact side of an identity: equal in the field of rational functions, or the smallest sizes apart.

Every quantity has two exact roads, the engine and the enumeration of tiny sizes; where they differ, no
printed formula is judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from proofs.algebra import RationalFunction
from proofs.argument import searching
from proofs.attacks import require_refusals
from verify.claim import Evidence, Printed
from verify.measuring.quantities import Factors, Pairs, Quantity, formula_for, in_words
from verify.printed.formula import FormulaError
from verify.verdict import Verdict

#: How far beyond its lower end each size is searched for the smallest counterexample.
_SEARCH = 12


@dataclass(frozen=True)
class _Difference:
    """Sizes at which a printed formula is not the exact value; with roots, the two in words."""

    at: Mapping[str, int | Fraction]
    exact: Fraction | str
    stated: Fraction | str


def compare(printed: Printed, pairs: Pairs, factors: Factors, construction: str = "") -> Evidence:
    """Proved if each printed formula is each of its quantities; else refuted at the smallest sizes.

    *construction* names a fault to build in, for the mutants of constructions.
    """
    require_refusals()
    known = {name: quantity.derived.value for name, quantity in factors.items()}
    steps: list[str] = []
    scopes: list[str] = []
    shown: dict[str, str] = {}
    holds: dict[str, str] = {}
    symbols: dict[str, str] = {}
    for name, quantities in pairs.items():
        for quantity in (quantity.of(construction) for quantity in quantities):
            formula = formula_for(printed, name, quantity)
            derived = quantity.derived
            contradiction = _enumerated_otherwise(quantity, derived.value)
            if contradiction:
                return Evidence(
                    Verdict.CONFLICT,
                    "",
                    f"engine and enumeration disagree on {quantity.name}",
                    detail=contradiction,
                )
            steps += [f"{quantity.symbol}:", *(f"  {step}" for step in derived.derivation)]
            steps.append(f"  printed: {formula}")
            shown[quantity.name] = str(derived.value)
            holds[quantity.name] = derived.scope
            symbols[quantity.name] = quantity.symbol
            named = {**known, **quantity.names}
            unknown = formula.symbols() - set(named) - set(quantity.domain)
            if unknown:
                raise FormulaError(
                    f"{formula}: {', '.join(sorted(unknown))} is no size of {quantity.symbol}; "
                    f"it has {', '.join(quantity.domain)}"
                )
            stated = formula.field(named)
            if stated != derived.value and not searching():
                return Evidence(
                    Verdict.INCONCLUSIVE, "", f"{name}: {stated} is not {derived.value}"
                )
            found = _difference(stated, derived.value, quantity)
            if found is not None:
                steps.append(
                    f"  they differ at {in_words(found.at)}: {found.exact}, printed {found.stated}"
                )
                return Evidence(
                    Verdict.REFUTED,
                    "",
                    f"{quantity.symbol}: {found.exact}, not {found.stated}, at {in_words(found.at)}",
                    scope=f"counterexample at {in_words(found.at)}",
                    steps=tuple(steps),
                    detail={"derived": shown, "derived for": holds, "symbols": symbols},
                    counterexample={
                        "quantity": quantity.symbol,
                        "at": dict(found.at),
                        "exact": found.exact,
                        "printed": found.stated,
                    },
                )
            steps.append("  difference 0 in the field of rational functions")
            scopes.append(derived.scope)
    return Evidence(
        Verdict.PROVED,
        "",
        "derived exactly for all sizes",
        scope="; or ".join(dict.fromkeys(scopes)),
        steps=tuple(steps),
        detail={"derived": shown, "derived for": holds, "symbols": symbols},
    )


def _enumerated_otherwise(quantity: Quantity, value: RationalFunction) -> dict[str, str] | None:
    """Where enumeration at tiny sizes contradicts the engine, if anywhere."""
    for sizes, enumerated in quantity.enumerated:
        engine = value(**sizes, **quantity.parameters)
        if engine != enumerated:
            return {"at": in_words(sizes), "engine": str(engine), "enumeration": str(enumerated)}
    return None


def _difference(
    printed: RationalFunction, exact: RationalFunction, quantity: Quantity
) -> _Difference | None:
    """None if the two are one; otherwise the smallest sizes of the domain, at which the quantity exists,
    that tell them apart."""
    if printed == exact:
        return None
    names = sorted((set(quantity.domain) | set(printed.names)) - set(quantity.parameters))
    occurring = set(printed.names) | set(exact.names)
    fixed = {name: value for name, value in quantity.parameters.items() if name in occurring}
    for sizes in by_size(names, quantity.domain):
        if not quantity.admits(sizes):
            continue
        shown: dict[str, int | Fraction] = {**sizes, **fixed}
        at: dict[str, int | Fraction] = {**sizes, **quantity.parameters}
        right = exact(**at)
        try:
            stated = printed(**at)
        except ZeroDivisionError:
            return _Difference(shown, _number(right), "undefined")
        if stated != right:
            return _Difference(shown, _number(right), _number(stated))
    raise ArithmeticError(
        f"{printed} and {exact} differ as functions, yet at no size that was tried"
    )


def _number(value: RationalFunction) -> Fraction | str:
    return str(value) if value.radicals else value.as_fraction()


def by_size(names: Sequence[str], domain: Mapping[str, int]) -> Iterator[dict[str, int]]:
    """Sizes near the lower ends of the *domain*, those first whose sum is least."""
    for total in range(len(names) * (_SEARCH - 1) + 1):
        for steps in _adding_to(total, len(names)):
            yield {n: domain.get(n, 1) + step for n, step in zip(names, steps, strict=True)}


def _adding_to(total: int, count: int) -> Iterator[tuple[int, ...]]:
    """So many integers from 0 to ``_SEARCH - 1`` with this sum, in order."""
    if not count:
        yield from [()] if total == 0 else []
        return
    rest = (count - 1) * (_SEARCH - 1)
    for first in range(max(0, total - rest), min(total, _SEARCH - 1) + 1):
        yield from ((first, *others) for others in _adding_to(total - first, count - 1))
