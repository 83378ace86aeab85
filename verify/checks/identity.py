"""Identities: a printed formula against a quantity, exactly in its field and measured by intervals.

One call registers both roads. Exactly: the difference is zero in the field of rational functions, or
the smallest sizes at which it is not are the counterexample; a second exact road enumerates tiny
sizes. Measured: the interval must exclude all mutants and hold the printed value.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from proofs.algebra import RationalFunction
from verify.claim import Claim, Evidence, Printed, Registry, Road
from verify.context import Context
from verify.formula import Formula, FormulaError
from verify.measure import looks
from verify.quantities import Quantity, Sizes
from verify.statistics import Interval
from verify.verdict import Verdict

#: How far beyond its lower end each size is searched for the smallest counterexample.
_SEARCH = 12

Pairs = Mapping[str, Sequence[Quantity]]


def identity(registry: Registry, claim_id: str, pairs: Pairs, *, measured: bool = True) -> None:
    """Register the checks that each formula named in *pairs* equals its quantities."""
    claim = registry[claim_id]

    @registry.check(claim_id, Road.PROOFS, method="exact identity")
    def exact(printed: Printed, context: Context) -> Evidence:
        return _exact(printed, pairs)

    if measured:

        @registry.check(
            claim_id, Road.NUMERICS, method="interval", seconds=240.0, group="linear samples"
        )
        def interval(printed: Printed, context: Context) -> Evidence:
            return _measured(claim, printed, pairs, context)


# -- exact ---------------------------------------------------------------------------------------


def _exact(printed: Printed, pairs: Pairs) -> Evidence:
    steps: list[str] = []
    scopes: list[str] = []
    shown: dict[str, str] = {}
    for name, quantities in pairs.items():
        for quantity in quantities:
            derived = quantity.exact()
            contradiction = _enumerated_otherwise(quantity, derived.value)
            if contradiction:
                return Evidence(
                    Verdict.CONFLICT,
                    "",
                    f"engine and enumeration disagree on {quantity.name}",
                    detail=contradiction,
                )
            steps += [f"{quantity.symbol}:", *(f"  {step}" for step in derived.derivation)]
            steps.append(f"  printed: {printed[name]}")
            shown[quantity.name] = str(derived.value)
            found = _difference(printed[name], derived.value, quantity)
            if found is not None:
                steps.append(f"  they differ at {_at(found['at'])}: {found['exact']}, printed {found['printed']}")
                return Evidence(
                    Verdict.REFUTED,
                    "",
                    f"{quantity.symbol}: {found['exact']}, not {found['printed']}, at {_at(found['at'])}",
                    scope=f"counterexample at {_at(found['at'])}",
                    steps=tuple(steps),
                    detail={"derived": shown},
                    counterexample={"quantity": quantity.symbol, **found},
                )
            steps.append("  difference 0 in the field of rational functions")
            scopes.append(derived.scope)
    symbols = ", ".join(dict.fromkeys(q.symbol for qs in pairs.values() for q in qs))
    return Evidence(
        Verdict.PROVED,
        "",
        f"derived exactly, symbolic in the sizes ({len(shown)} quantities)",
        scope="; or ".join(dict.fromkeys(scopes)),
        steps=tuple(steps),
        detail={"derived": shown, "quantities": symbols},
    )


def _enumerated_otherwise(quantity: Quantity, value: RationalFunction) -> dict[str, str] | None:
    """Where enumeration at tiny sizes contradicts the engine, if anywhere."""
    for sizes in quantity.tiny:
        if any(sizes[name] < low for name, low in quantity.domain.items()):
            continue
        engine, enumerated = value(**sizes).as_fraction(), quantity.enumerate(sizes)
        if engine != enumerated:
            return {"at": _at(sizes), "engine": str(engine), "enumeration": str(enumerated)}
    return None


def _difference(
    formula: Formula, exact: RationalFunction, quantity: Quantity
) -> dict[str, object] | None:
    """None if the formula is the exact value; otherwise the smallest sizes that tell them apart."""
    if formula.field() == exact:
        return None
    names = sorted(set(quantity.domain) | set(formula.field().names))
    for sizes in _by_size(names, quantity.domain):
        right = exact(**sizes).as_fraction()
        try:
            stated = formula.field()(**sizes).as_fraction()
        except ZeroDivisionError:
            return {"at": sizes, "exact": right, "printed": "undefined"}
        if stated != right:
            return {"at": sizes, "exact": right, "printed": stated}
    raise ArithmeticError(f"{formula} and {exact} differ as functions, yet at no size that was tried")


def _by_size(names: Sequence[str], domain: Mapping[str, int]) -> Iterator[dict[str, int]]:
    steps = sorted(itertools.product(range(_SEARCH), repeat=len(names)), key=lambda s: (sum(s), s))
    for offsets in steps:
        yield {n: domain.get(n, 1) + step for n, step in zip(names, offsets, strict=True)}


def _at(sizes: Mapping[str, object]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in sizes.items())


# -- measured ------------------------------------------------------------------------------------


def _measured(claim: Claim, printed: Printed, pairs: Pairs, context: Context) -> Evidence:
    cases = [
        (name, quantity, sizes)
        for name, quantities in pairs.items()
        for quantity in quantities
        for sizes in quantity.measured.sizes
    ]
    error = context.share / len(cases)
    records, steps = [], []
    undecided = []
    for name, quantity, sizes in cases:
        stated = _value(printed[name], sizes)
        neighbours = _neighbours(claim, name, sizes)
        gap = min((abs(n - v) for n, v in neighbours), default=None)
        if gap is None:
            raise ValueError(f"{claim.id}: {name} has no mutant that differs at {dict(sizes)}")
        found = _narrow(quantity, sizes, context, error, gap / 4)
        tolerance = gap / 2
        record = {
            "quantity": quantity.symbol,
            "at": _at(sizes),
            "printed": "undefined" if stated is None else float(stated),
            "interval": [found.low, found.high],
            "replicates": found.replicates,
            "tolerance": float(tolerance),
            "detectable difference": 2 * found.half_width,
            "error share": error,
        }
        records.append(record)
        steps.append(
            f"{quantity.symbol} at {_at(sizes)}: {found} from {found.replicates} draws, "
            f"printed {record['printed']}, nearest mutant at distance {float(gap):.3g}"
        )
        if stated is None or found.excludes(float(stated)):
            return Evidence(
                Verdict.REFUTED,
                "",
                f"{quantity.symbol} in {found} at {_at(sizes)}, printed {record['printed']}",
                scope=f"measured at {_at(sizes)}",
                steps=tuple(steps),
                detail={"cases": records},
                counterexample={"at": dict(sizes), "interval": str(found), "printed": stated},
            )
        if not found.inside(float(stated - tolerance), float(stated + tolerance)):
            undecided.append(f"{quantity.symbol} at {_at(sizes)}")
    draws = max(record["replicates"] for record in records)
    scope = "sizes " + "; ".join(dict.fromkeys(_at(sizes) for _, _, sizes in cases))
    if undecided:
        return Evidence(
            Verdict.INCONCLUSIVE,
            "",
            f"the interval is too wide for {undecided[0]}",
            scope=scope,
            steps=tuple(steps),
            detail={"cases": records},
        )
    return Evidence(
        Verdict.SUPPORTED,
        "",
        f"measured in {len(records)} cases, up to {draws} draws, error {context.share:.0e}",
        scope=scope,
        steps=tuple(steps),
        detail={"cases": records},
    )


def _value(formula: Formula, sizes: Sizes) -> Fraction | None:
    """The formula at *sizes*; None where it is undefined there."""
    try:
        return formula.field()(**sizes).as_fraction()
    except ZeroDivisionError:
        return None


def _neighbours(claim: Claim, name: str, sizes: Sizes) -> list[tuple[Fraction, Fraction]]:
    """(mutant, printed) values of formula *name* for the claim's mutants that differ at *sizes*."""
    original = _value(claim.formulas[name], sizes)
    if original is None:
        return []
    pairs = []
    for mutant in claim.mutants():
        try:
            value = _value(mutant.formulas[name], sizes)
        except FormulaError:
            continue
        if value is not None and value != original:
            pairs.append((value, original))
    return pairs


def _narrow(
    quantity: Quantity, sizes: Sizes, context: Context, error: float, half_width: Fraction
) -> Interval:
    """Look again and again until the interval is narrow enough or the profile is used up."""
    found = None
    for look in looks(context):
        found = quantity.measured.interval(context, sizes, error, look)
        if found.half_width <= half_width:
            break
    assert found is not None
    return found
