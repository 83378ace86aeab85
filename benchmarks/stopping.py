"""What early stopping saves: replicates at which checks stop, against a sample fixed in advance.

`python benchmarks/stopping.py [--seeds 20] [--mutant-seeds 5] [--json PATH]`

Every case of the cheap statistical checks of true claims, quick profile, default budget. The fixed
plan has the same error share and the same tolerance, and must come to a conclusion all but surely.
For true claims a ratio is the plan by the replicates at which the case is met, for mutants the plan
of the place that refutes them by the replicates at which it does.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import NormalDist, fmean
from typing import Any, TypeAlias

import numpy as np
import torch
from common import cheap_checks, machine, parsed, progress_line, written
from numpy.typing import NDArray

from numerics.observables import Bounded, Observable
from verify import __version__
from verify.catalogue import catalogue
from verify.claim import Check, Claim, Evidence, Mutant, Registry
from verify.measuring.case import Case
from verify.measuring.context import Context
from verify.measuring.measure import BLOCK, Source, Statistic, View
from verify.measuring.quantities import in_words
from verify.running.checking import run_check
from verify.statistics import AtLeast, AtMost, Between, BoundedMean, Interval
from verify.statistics.sequences import Epoch
from verify.verdict import Verdict

TARGETS = {"true": 2.0, "clear mutants": 10.0}
#: A mutant is clear where it is at least this many gaps from the printed value.
CLEAR = 2
#: What rounding may take off a distance.
ROUNDING = 1e-9
#: Replicates of the pilot, and its seed, which no measured run has. It is large, so that the plans
#: are as short as knowing the variance can make them.
PILOT, PILOT_SEED = 2**16, 10**6
#: A fixed plan may come to nothing with this probability.
UNDECIDED = 1e-3
#: A plan of more replicates than this is none.
HOPELESS = 10**10

Values: TypeAlias = NDArray[np.float64]
#: (standard deviation, span, replicates, error) to the half-width of a two-sided interval.
HalfWidth: TypeAlias = Callable[[float, float, int, float], float]


def empirical_bernstein(deviation: float, span: float, n: int, error: float) -> float:
    """Maurer and Pontil 2009, Theorem 4, on both sides: each of them has half of the error."""
    log = math.log(4 / error)
    return deviation * math.sqrt(2 * log / n) + span * 7 * log / (3 * (n - 1))


def normal_theory(deviation: float, span: float, n: int, error: float) -> float:
    """The textbook half-width, which is only valid in the limit: the shortest plan there could be."""
    return NormalDist().inv_cdf(1 - error / 2) * deviation / math.sqrt(n)


def at_all_looks(deviation: float, span: float, n: int, error: float) -> float:
    """The half-width that the checks have after *n* draws, for values of that deviation."""
    state = BoundedMean(-span / 2, span / 2, (Epoch(n, 0.0, n * deviation**2, 0.0),))
    return state.interval(error).half_width


def exactly_known(deviation: float, span: float, n: int, error: float) -> float:
    """No doubt at all: what is claimed and estimated at the pilot's means."""
    return 0.0


BERNSTEIN = "empirical Bernstein"
#: The plans: a half-width, and whether there is room for the estimate to stray. Those without room are
#: no plans, since they come to nothing every other time. They tell why a ratio is what it is: the one
#: what validity at all looks costs, the other what whole blocks and few looks cost on top.
KINDS_OF_PLAN: dict[str, tuple[HalfWidth, bool]] = {
    BERNSTEIN: (empirical_bernstein, True),
    "normal theory": (normal_theory, True),
    "empirical Bernstein, no room": (empirical_bernstein, False),
    "as the checks, no room": (at_all_looks, False),
}

# -- the plan of a fixed sample ------------------------------------------------------------------


@dataclass
class Pilots:
    """Large samples of the sources, drawn at the first request."""

    drawn: dict[Any, Mapping[str, Observable]] = field(default_factory=dict)

    def of(self, source: Source) -> tuple[Values, float, float]:
        """The values of a source and their bounds. Raises TypeError if it has none."""
        if source.key not in self.drawn:
            draw = source.experiment.draw
            self.drawn[source.key] = draw(
                replicates=PILOT, seed=PILOT_SEED, start=0, **source.sizes
            )
        found = self.drawn[source.key][source.observable]
        if not isinstance(found, Bounded):
            raise TypeError(f"{source.observable}: empirical Bernstein needs a bounded observable")
        return found.values.numpy(), found.low, found.high


@dataclass(frozen=True)
class FixedView(View):
    """What a fixed sample of *replicates* would say, if its means and variances are the pilot's.

    *shifts* move the means of sources; *asked* collects the sources that were looked at.
    """

    pilots: Pilots = field(default_factory=Pilots)
    replicates: int = 2
    half_width: HalfWidth = exactly_known
    shifts: Mapping[Any, float] = field(default_factory=dict)
    asked: dict[Any, Source] = field(default_factory=dict)

    def interval(self, statistic: Statistic) -> Interval:
        part = self.error / len(statistic.sources)
        return statistic.combine(*(self._fixed(source, part) for source in statistic.sources))

    def _fixed(self, source: Source, error: float) -> Interval:
        name = (source.key, source.observable)
        self.asked[name] = source
        values, low, high = self.pilots.of(source)
        mean = float(values.mean()) + self.shifts.get(name, 0.0)
        half = self.half_width(float(values.std()), high - low, self.replicates, error)
        if not half:
            return Interval(mean, mean, mean, self.replicates, error)
        ends = max(mean - half, low), min(mean + half, high)
        return Interval(*ends, mean, self.replicates, error)


@dataclass(frozen=True)
class Plan:
    """The fixed plans of a case, by their half-width; None where no sample would do."""

    case: Case
    printed: float
    replicates: Mapping[str, int | None]


def planned(case: Case, error: float, context: Context, pilots: Pilots) -> Plan:
    """The smallest samples whose interval lies within the tolerance all but surely.

    The estimate strays from the true value, so room is needed on top of the half-width: 3.3 standard
    deviations of the estimate (less what is claimed, if that is measured too), since a normal
    variable strays farther with probability 1e-3. For an equality the plan believes that the true
    value is the printed one; for a bound it takes the pilot's.
    """
    known = FixedView(context, error, 1, pilots=pilots)
    stated = case.claimed(known)
    estimate = known.interval(case.statistic).estimate
    one = _deviation(case, known)
    room = NormalDist().inv_cdf(1 - UNDECIDED / 2) * one

    def fits(half_width: HalfWidth, roomy: bool, n: int) -> bool:
        view = FixedView(context, error, 1, pilots=pilots, replicates=n, half_width=half_width)
        found, claimed = view.interval(case.statistic), case.claimed(view)
        above, below = found.high - found.estimate, found.estimate - found.low
        strays = room / math.sqrt(n) if roomy else 0.0
        if isinstance(claimed, Between):
            spread = (claimed.high - claimed.low) / 2
            return max(above, below) + spread + strays <= claimed.tolerance
        if isinstance(claimed, AtMost):
            return above + strays <= claimed.printed - estimate
        assert isinstance(claimed, AtLeast)
        return below + strays <= estimate - claimed.printed

    return Plan(
        case,
        stated.printed,
        {name: _smallest(partial(fits, *kind)) for name, kind in KINDS_OF_PLAN.items()},
    )


def _deviation(case: Case, known: FixedView) -> float:
    """The standard deviation, for one replicate, of the estimate less what is claimed: linearised.

    Sources of one experiment share their draws, so their values are added up draw by draw.
    """

    def off(shifts: Mapping[Any, float]) -> float:
        view = FixedView(known.context, known.error, 1, pilots=known.pilots, shifts=shifts)
        claimed = case.claimed(view)
        return view.interval(case.statistic).estimate - claimed.printed

    influence: dict[Any, Values] = {}
    for name, source in known.asked.items():
        values, low, high = known.pilots.of(source)
        step = 1e-4 * (high - low)
        rise = (off({name: step}) - off({name: -step})) / (2 * step)
        part = rise * (values - values.mean())
        influence[source.key] = influence.get(source.key, np.zeros(PILOT)) + part
    return math.sqrt(sum(float(values.var()) for values in influence.values()))


def _smallest(fits: Callable[[int], bool]) -> int | None:
    """The smallest n >= 2 that fits; fitting is monotone."""
    high = 2
    while not fits(high):
        high *= 2
        if high > HOPELESS:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high


# -- the runs ------------------------------------------------------------------------------------


def geometric_mean(ratios: Iterable[float]) -> float | None:
    """None of nothing."""
    logs = [math.log(ratio) for ratio in ratios]
    return math.exp(fmean(logs)) if logs else None


def _ratios(plan: Plan, stopped: float) -> dict[str, float | None]:
    """By each plan, and by the first plan in whole blocks, the unit in which checks draw."""
    found = {name: n / stopped if n else None for name, n in plan.replicates.items()}
    first = plan.replicates[BERNSTEIN]
    whole = -(-first // BLOCK) * BLOCK if first else None
    return {**found, f"{BERNSTEIN}, whole blocks": whole / stopped if whole else None}


def true_claims(
    listed: Sequence[tuple[Claim, Check]],
    plans: Mapping[str, Sequence[Plan]],
    contexts: Sequence[Context],
) -> dict[str, Any]:
    """At how many replicates each case of each check stops."""
    rows: list[dict[str, Any]] = []
    verdicts: Counter[str] = Counter()
    for claim, check in listed:
        stops: list[list[int]] = []
        for context in contexts:
            evidence = run_check(check, claim, context)
            verdicts[str(evidence.verdict)] += 1
            if evidence.verdict is Verdict.SUPPORTED:
                stops.append([case["replicates"] for case in evidence.detail["cases"]])
            progress_line(f"true: {check.key}, seed {context.seed}")
        for number, plan in enumerate(plans[check.key]):
            reached = [stop[number] for stop in stops]
            if not reached:
                continue
            rows.append(
                {
                    "check": check.key,
                    "quantity": plan.case.symbol,
                    "at": in_words(plan.case.sizes),
                    "gap": plan.case.gap,
                    "plan": dict(plan.replicates),
                    "stopped": fmean(reached),
                    "least": min(reached),
                    "most": max(reached),
                    "ratio": _ratios(plan, fmean(reached)),
                }
            )
    return {
        "verdicts": dict(verdicts),
        "geometric mean": _means(rows),
        "geometric mean, stopped after the first look": _means(
            [row for row in rows if row["least"] > BLOCK]
        ),
        "stopped at the first look": sum(row["most"] == BLOCK for row in rows),
        "cases": rows,
    }


def _means(rows: Sequence[Mapping[str, Any]]) -> dict[str, float | None]:
    names = list(rows[0]["ratio"]) if rows else []
    return {
        name: geometric_mean(row["ratio"][name] for row in rows if row["ratio"][name] is not None)
        for name in names
    }


def mutants(
    registry: Registry,
    listed: Sequence[tuple[Claim, Check]],
    plans: Mapping[str, Sequence[Plan]],
    contexts: Sequence[Context],
) -> dict[str, Any]:
    """At how many replicates each mutant is refuted, against the plan of the place that does it."""
    rows: list[dict[str, Any]] = []
    verdicts: Counter[str] = Counter()
    for claim, check in listed:
        for mutant in registry.mutants(claim.id):
            if mutant.construction:
                continue
            for context in contexts:
                evidence = run_check(check, claim, context, mutant)
                verdicts[str(evidence.verdict)] += 1
                if evidence.verdict is Verdict.REFUTED:
                    rows.append(_refuted(check, mutant, evidence, plans[check.key]))
                progress_line(f"mutants: {check.key}, {mutant.name}, seed {context.seed}")
    kinds = {kind: [row for row in rows if row["kind"] == kind] for kind in KINDS}
    clear = kinds["clear"]
    return {
        "verdicts": dict(verdicts),
        "runs by kind": {kind: len(found) for kind, found in kinds.items()},
        "geometric mean": {kind: _means(found) for kind, found in kinds.items()},
        "clear, refuted at the first look": sum(row["stopped"] == BLOCK for row in clear),
        # No check looks before its first block, so no ratio exceeds the plan by one block.
        "clear, ratio if all were refuted at the first look": geometric_mean(
            row["plan"] / BLOCK for row in clear if row["plan"]
        ),
        "clear, by distance in gaps": _by_distance(clear),
        "mutants": _by_mutant(rows),
    }


#: Of a refuted mutant: at least CLEAR gaps away, nearer, at a place that no mutant sets the tolerance
#: of, undefined where it is refuted, or refuted with nothing measured.
KINDS = ("clear", "near", "no gap", "undefined", "not measured")


def _refuted(
    check: Check, mutant: Mutant, evidence: Evidence, plans: Sequence[Plan]
) -> dict[str, Any]:
    row: dict[str, Any] = {
        "check": check.key,
        "mutant": mutant.name,
        "place": None,
        "kind": "not measured",
        "distance": None,
        "plan": None,
        "stopped": None,
        "ratio": {},
    }
    looked = evidence.detail.get("cases", [])
    if not looked:
        return row
    plan, last = plans[len(looked) - 1], looked[-1]
    values = {neighbour.name: neighbour.value for neighbour in plan.case.neighbours}
    if not math.isfinite(last["printed"]):
        row["kind"] = "undefined"
    elif plan.case.gap is None:
        row["kind"] = "no gap"
    else:
        value = values.get(mutant.name, last["printed"])
        row["distance"] = abs(value - plan.printed) / plan.case.gap
        row["kind"] = "clear" if row["distance"] + ROUNDING >= CLEAR else "near"
    return {
        **row,
        "place": f"{plan.case}",
        "plan": plan.replicates[BERNSTEIN],
        "stopped": last["replicates"],
        "ratio": _ratios(plan, last["replicates"]),
    }


def _by_mutant(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The runs of each mutant that one place refuted, put together."""
    found: dict[Any, list[Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault((row["check"], row["mutant"], row["place"]), []).append(row)
    return [
        {
            **{name: same[0][name] for name in ("check", "mutant", "place", "kind", "distance")},
            "runs": len(same),
            "plan": same[0]["plan"],
            "stopped": fmean(row["stopped"] for row in same) if same[0]["stopped"] else None,
            "ratio": _means(same).get(BERNSTEIN),
        }
        for same in found.values()
    ]


def _by_distance(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The ratio grows with the distance: the means in classes of it."""
    found = []
    for low, high in ((2, 3), (3, 5), (5, 10), (10, math.inf)):
        chosen = [row for row in rows if low <= row["distance"] + ROUNDING < high]
        means = _means(chosen)
        found.append({"from": low, "runs": len(chosen), "geometric mean": means})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=20, help="runs of the true claims")
    parser.add_argument("--mutant-seeds", type=int, default=5, help="runs of each mutant")
    options = parsed(parser)
    if not 1 <= options.mutant_seeds <= options.seeds:
        parser.error(
            f"--mutant-seeds {options.mutant_seeds}: pass at least 1, at most --seeds {options.seeds}"
        )
    torch.set_num_threads(1)  # The products are small; more threads only wait for each other.
    started = time.perf_counter()
    registry = catalogue()
    listed = cheap_checks(registry)
    contexts = [
        Context(seed=seed, formulas=lambda id_: registry[id_].formulas)
        for seed in range(options.seeds)
    ]
    pilots, plans = Pilots(), {}
    for claim, check in listed:
        assert check.cases is not None
        cases = check.cases(claim.formulas, contexts[0])
        if isinstance(cases, Evidence):
            raise SystemExit(f"{check.key}: nothing is measured, {cases.summary}")
        plans[check.key] = [
            planned(case, contexts[0].share / (len(cases) * case.parts), contexts[0], pilots)
            for case in cases
        ]
    results = {
        "true": true_claims(listed, plans, contexts),
        "mutants": mutants(registry, listed, plans, contexts[: options.mutant_seeds]),
    }
    headline = {
        "true": results["true"]["geometric mean"],
        "clear mutants": results["mutants"]["geometric mean"]["clear"],
    }
    report = {
        "package": __version__,
        "machine": machine(),
        "arguments": {"seeds": options.seeds, "mutant seeds": options.mutant_seeds},
        "share": contexts[0].share,
        "block": BLOCK,
        "seconds": time.perf_counter() - started,
        "targets": TARGETS,
        "ratios": headline,
        **results,
    }
    written(report, options.json)
    show(report)


def show(report: Mapping[str, Any]) -> None:
    """The tables, for a reader."""
    print(f"{'case':70s} {'Bernstein':>10s} {'normal':>10s} {'stopped':>10s} {'ratio':>6s}")
    for row in report["true"]["cases"]:
        plan, ratio = row["plan"], row["ratio"][BERNSTEIN]
        name = f"{row['check'].split('/')[0]}: {row['quantity']} at {row['at']}"
        print(
            f"{name[:70]:70s} {plan[BERNSTEIN] or 0:10d} {plan['normal theory'] or 0:10d} "
            f"{row['stopped']:10.0f} {ratio or math.nan:6.2f}"
        )
    found = report["mutants"]
    print(f"true claims: {report['true']['verdicts']}; mutants: {found['verdicts']}")
    print(f"mutants by kind: {found['runs by kind']}")
    later = report["true"]["geometric mean, stopped after the first look"][BERNSTEIN]
    print(f"true claims without the cases that are met at the first look: {later or math.nan:.2f}")
    for name, target in report["targets"].items():
        ratios = report["ratios"][name]
        cells = ", ".join(f"{ratio or math.nan:.2f} ({plan})" for plan, ratio in ratios.items())
        print(f"{name}: {cells}; target {target:g}")
    print(
        f"clear mutants refuted at the first look: {found['clear, refuted at the first look']}; "
        "ratio if all were: "
        f"{found['clear, ratio if all were refuted at the first look'] or math.nan:.2f}"
    )


if __name__ == "__main__":
    main()
