"""Time and memory of the moment engine, cold, next to public packages and to roads without symmetry.

Serves the exact formulas: `python benchmarks/moments.py [--repeats R] [--json PATH] [--public PYTHON]`.

Every figure of the engine is a fresh process, imports not counted, so no cache is warm; every value is
checked by a second road, and a wrong one ends the run. Public packages run in the interpreter given
by --public; one that it lacks is skipped, and the table says so.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

from common import machine, parsed, written

PARTS = Path(__file__).parent / "moments"
ENGINE, PUBLIC = PARTS / "engine.py", PARTS / "public.py"

#: Engines of public.py, and the case that they are put beside.
COMPARED = {
    "haarpy, Weingarten functions": "E<u,v>^(2p), p = 1..12",
    "haarpy, its formula for one column": "E<u,v>^(2p), p = 1..12",
    "sympy.stats, from the law of <u,v>^2": "E<u,v>^(2p), p = 1..12",
    "sympy.stats, from the density of <u,v>": "E<u,v>^(2p), p = 1..12",
    "SymPy, moment method": "E h_j h_k, j, k <= 20",
    "sympy.stats, two normal variables": "E h_j h_k, j, k <= 20",
}
#: What is compared at equal degrees: polynomials written out in powers, by the engine as well.
SAME_DEGREE = ("SymPy, moment method", "sympy.stats, two normal variables")


def child(arguments: list[str]) -> dict[str, Any]:
    """What one process of the engine found; a wrong value ends the run with its message."""
    done = subprocess.run(
        [sys.executable, str(ENGINE), *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(done.stderr.strip() or f"{arguments}: exit {done.returncode}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def public(engine: str, python: str, limit: float) -> dict[str, Any]:
    """The steps that a public engine makes within *limit* seconds, and their times."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            [python, str(PUBLIC), engine], stdout=output, stderr=subprocess.PIPE, text=True
        )
        try:
            _, errors = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        else:
            if process.returncode:
                raise SystemExit(errors.strip())
        output.seek(0)
        lines = [json.loads(line) for line in output if line.endswith("\n")]
    if not lines or "missing" in lines[0]:
        return {"missing": lines[0]["missing"] if lines else engine}
    steps = {str(line["step"]): line["seconds"] for line in lines[1:]}
    return {**lines[0], "steps": steps, "complete": process.returncode == 0}


def medians(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """All seconds of a case, and the medians over its processes."""
    found: dict[str, Any] = {"seconds": [run["seconds"] for run in runs]}
    for name in ("seconds", "warm_seconds", "peak_mib", "extra_mib"):
        if name in runs[0]:
            found[f"median_{name}"] = statistics.median(run[name] for run in runs)
    return found | {"graphs": runs[0]["graphs"], "check": runs[0]["check"]}


def print_cases(cases: dict[str, dict[str, Any]], group: str) -> None:
    """One row a case: time, spread, memory above the imports, graphs, target, how it was checked."""
    print(f"\n{group}")
    for name, case in cases.items():
        if case["group"] != group:
            continue
        rows = [("", case["median_seconds"], case["seconds"])]
        if "median_warm_seconds" in case:
            warm = case["median_warm_seconds"]
            rows.append((", warm", warm, [warm]))
        for suffix, median, all_seconds in rows:
            target = case["target"]
            goal = "" if target is None else f"< {target:g} s"
            missed = "MISSED" if target is not None and median > target else ""
            print(
                f"  {name + suffix:38} {median:9.4f} s  [{min(all_seconds):.4f}, "
                f"{max(all_seconds):.4f}]  {case['median_extra_mib']:6.1f} MiB "
                f"{case['graphs']:5} graphs  {goal:8} {missed:6}  {case['check']}"
            )


def print_growth(cases: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Each family of cases as a row of times and memory, with the factor from step to step."""
    families = {
        "order of the linear margin": "linear margin, order {}",
        "order of the low-rank margin": "low-rank margin, order {}",
        "product of independent memories": "{} independent memories, power 1",
        "product of their squares": "{} independent memories, power 2",
        "nested memories": "{} nested memories, E s^2",
    }
    growth: dict[str, dict[str, Any]] = {}
    print("\ngrowth: seconds (factor to the one before), MiB above the imports")
    for family, pattern in families.items():
        names = {k: pattern.format(k) for k in range(1, 9) if pattern.format(k) in cases}
        seconds = {k: cases[name]["median_seconds"] for k, name in names.items()}
        memory = {k: cases[name]["median_extra_mib"] for k, name in names.items()}
        factors = {k: seconds[k] / seconds[k - 1] for k in seconds if k - 1 in seconds}
        growth[family] = {"seconds": seconds, "factors": factors, "extra_mib": memory}
        print(f"  {family}")
        for k, spent in seconds.items():
            factor = f"x {factors[k]:5.1f}" if k in factors else ""
            print(f"    {k}  {spent:9.4f} s  {factor:8} {memory[k]:7.1f} MiB")
    return growth


def print_naive(cases: dict[str, dict[str, Any]]) -> dict[str, dict[int, float]]:
    """Time of the naive road over that of the engine."""
    sizes = sorted(int(n) for n in re.findall(r"naive, E gamma\^2 at N = (\d+)", "\n".join(cases)))

    def seconds(name: str) -> float:
        return float(cases[name]["median_seconds"])

    second = {
        n: seconds(f"naive, E gamma^2 at N = {n}") / seconds(f"engine, E gamma^2 at N = {n}")
        for n in sizes
    }
    fourth = {
        n: seconds(f"naive, E gamma^4 at N = {n}") / seconds("linear margin, order 4")
        for n in sizes
    }
    ratios = {"E gamma^2": second, "E gamma^4, the engine for all N at once": fourth}
    print("\nnaive road over engine")
    for name, found in ratios.items():
        print(f"  {name}: {', '.join(f'{r:.1f} at N = {n}' for n, r in found.items())}")
    return ratios


def print_public(found: dict[str, dict[str, Any]], cases: dict[str, Any], limit: float) -> None:
    """How far each public engine came, beside the engine's time for the same or for more."""
    print(f"\npublic packages, at most {limit:g} s each")
    for engine, result in found.items():
        beside = COMPARED[engine]
        if "missing" in result:
            print(f"  {engine:40} skipped: {result['missing']} is not installed for --public")
            continue
        what = "p" if beside.startswith("E<u,v>") else "j, k"
        steps = {int(step): spent for step, spent in result["steps"].items()}
        if not steps:
            print(f"  {engine:40} not one value within {limit:g} s")
            continue
        last = max(steps)
        reached = f"{what} <= {last} in {steps[last]:.3f} s"
        if not result["complete"]:
            reached += f", {last + 1}: > {limit - steps[last]:.0f} s more"
        print(f"  {engine:40} {reached}")
        print(f"  {'':40} engine, {beside}: {cases[beside]['median_seconds']:.4f} s")
        for step, spent in steps.items():
            name = f"E h_j h_k in powers, j, k <= {step}"
            if engine in SAME_DEGREE and name in cases:
                mine = cases[name]["median_seconds"]
                print(f"  {'':40} {what} <= {step}: {spent:.3f} s; engine, in powers: {mine:.4f} s")


def main() -> None:
    """Interleave the cases, take medians, compare, print the table and write it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3, help="fresh processes per case")
    parser.add_argument(
        "--public", default=sys.executable, help="a Python that has haarpy and SymPy"
    )
    parser.add_argument("--limit", type=float, default=60, help="seconds for a public package")
    arguments = parsed(parser, "repeats")

    listed = child(["--list"])
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in listed["cases"]}
    for _ in range(arguments.repeats):
        for name, found in runs.items():
            found.append(child([name]))
    cases = {name: listed["cases"][name] | medians(found) for name, found in runs.items()}
    packages = {name: public(name, arguments.public, arguments.limit) for name in COMPARED}

    about = machine() | {name: version(name) for name in ("python-flint", "sympy")}
    print(", ".join(f"{name} {value}" for name, value in about.items()))
    print(f"medians of {arguments.repeats} fresh processes [least, most]; MiB above the imports")
    for group in dict.fromkeys(case["group"] for case in cases.values()):
        print_cases(cases, group)
    growth = print_growth(cases)
    ratios = print_naive(cases)
    print_public(packages, cases, arguments.limit)
    print(f"\nthe integrator remembers at most {listed['graphs_limit']} graphs")
    report = {
        "machine": about,
        "repeats": arguments.repeats,
        "cases": cases,
        "growth": growth,
        "naive over engine": ratios,
        "public packages": {"limit_seconds": arguments.limit, **packages},
        "graphs_limit": listed["graphs_limit"],
    }
    written(report, arguments.json)


if __name__ == "__main__":
    main()
