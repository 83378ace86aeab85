"""A run made by hand that has one of everything a report must be able to say."""

from fractions import Fraction

import pytest

from verify.claim import Check, Claim, Evidence, Origin, Reading, Registry, Road, Severity
from verify.printed.formula import Formula
from verify.running.runner import ClaimResult, RunResult
from verify.running.settings import Settings
from verify.verdict import Verdict

MARKUP = "<script>alert(1)</script>"
ATTACK = f'{MARKUP} "><img src=x onerror=alert(1)> [bold]x[/bold] {{{{ 7 * 7 }}}}'

CLAIMS = [
    Claim(
        "a.thm1.good",
        "Mean of the margin",
        "For every $x$ and $y \\in [M]$:\n$\\mathbb{E}[\\gamma_{xy}] = 1$.",
        paper="First paper",
        where="App. B, " + "a display far into the proof of the theorem, " * 4,
        hypotheses=("$f : [N] \\to [M]$ is injective", "plain [N] -> [M]"),
        uses=("a.thm1.false.corrected",),
        formulas={"mean": Formula.parse("(1 + 1/d)**2"), "other_name": Formula.parse("N*M")},
        recorded=Verdict.PROVED,
    ),
    Claim(
        "a.thm1.false",
        "A false constant",
        "E[x_1 * x_2] <= 2/d for f* and [N](t)",
        paper="First paper",
        where="Lemma 2",
        recorded=Verdict.REFUTED,
        reading=Reading.AMBIGUOUS,
        reading_note="Read with M at most N.",
        correction="a.thm1.false.corrected",
        severity=Severity.CONSTANT,
        consequence="The theorem stands.",
    ),
    Claim(
        "a.thm1.false.corrected",
        "The right constant",
        "$\\mathrm{Var} \\le 3/d$",
        paper="First paper",
        origin=Origin.CORRECTED,
        recorded=Verdict.PROVED,
    ),
    Claim(
        "a.damaged",
        "A lost bar",
        "x = y",
        paper="First paper",
        recorded=Verdict.REFUTED,
        reading=Reading.DAMAGED,
        correction="a.thm1.false.corrected",
        severity=Severity.THEOREM,
    ),
    Claim(
        "b.markup",
        ATTACK,
        f"$<script>$ and {ATTACK}",
        paper=MARKUP,
        where=ATTACK,
        hypotheses=(ATTACK,),
        reading_note=ATTACK,
    ),
    Claim("b.conflict", "Roads disagree", "p", paper="Second", recorded=Verdict.PROVED),
    Claim("b.error", "A check breaks", "p", paper="Second", recorded=Verdict.PROVED),
    Claim("b.undecided", "Open", "p", paper="Second", recorded=Verdict.PROVED),
    Claim("b.other", "Falls", "p", paper="Second", recorded=Verdict.PROVED),
    *(Claim(f"b.idle.number-{i}", f"Idle {i}", "p", paper="Second") for i in range(8)),
]

CASES = [
    {
        "quantity": "E[gamma]",
        "at": {"d": 2, "N": 3},
        "printed": 1.0,
        "interval": [0.95, 1.04],
        "replicates": 4096,
        "tolerance": 0.25,
    },
    {"quantity": "far", "at": {"d": 2}, "printed": 7.5, "interval": [0.1, 0.2]},
    {"quantity": "odd", "at": {"d": 3}, "printed": "undefined", "interval": [0.0, 1.0]},
    {"quantity": "broken", "at": {}, "printed": float("nan"), "interval": [float("nan"), 1.0]},
]


def _proved(**changes):
    fields = {
        "summary": "derived exactly",
        "scope": "all d >= 1",
        "steps": ("E[gamma]:", "  W = sum_z u_z e_z^T", "    deeper", "so it is 1"),
        "assumptions": ("Boole's inequality: cited",),
        "road": Road.PROOFS,
        "seconds": 0.25,
        **changes,
    }
    return Evidence(Verdict.PROVED, "exact identity", **fields)


EVIDENCE = {
    "a.thm1.good": (
        _proved(),
        Evidence(
            Verdict.SUPPORTED,
            "interval",
            "measured in 4 cases",
            steps=("one case",),
            detail={"cases": CASES, "nan": float("nan"), "exact": Fraction(1, 3)},
            road=Road.NUMERICS,
            seconds=61.0,
        ),
    ),
    "a.thm1.false": (
        Evidence(
            Verdict.REFUTED,
            "exact identity",
            "3/2, not 7/4",
            scope="counterexample at d = 2",
            counterexample={"at": {"d": 2, "N": 1}, "exact": Fraction(3, 2), "inf": float("-inf")},
            road=Road.PROOFS,
        ),
    ),
    "a.thm1.false.corrected": (
        Evidence(Verdict.SUPPORTED, "interval", "inside", road=Road.NUMERICS),
    ),
    "a.damaged": (Evidence(Verdict.REFUTED, "m", "fails at x = 0", road=Road.PROOFS),),
    "b.markup": (
        _proved(
            summary=ATTACK,
            scope=ATTACK,
            steps=(ATTACK, f"  {ATTACK}"),
            detail={ATTACK: ATTACK, "cases": [{**CASES[0], "quantity": ATTACK}]},
            assumptions=(ATTACK,),
        ),
    ),
    "b.conflict": (
        _proved(),
        Evidence(Verdict.REFUTED, "interval", "measured 2, printed 1", road=Road.NUMERICS),
    ),
    "b.error": (
        Evidence(
            Verdict.ERROR,
            "exact identity",
            "ZeroDivisionError: division by zero\x1b[31m",
            detail={"traceback": "Traceback:\n  line 7\nZeroDivisionError\x00"},
            road=Road.PROOFS,
        ),
    ),
    "b.undecided": (
        Evidence(
            Verdict.INCONCLUSIVE,
            "interval",
            "too wide",
            detail={"obstacle": "few draws"},
            road=Road.NUMERICS,
        ),
    ),
    "b.other": (Evidence(Verdict.REFUTED, "m", "fails at d = 1", road=Road.PROOFS),),
}

VERDICTS = {
    "a.thm1.good": Verdict.PROVED,
    "a.thm1.false": Verdict.REFUTED,
    "a.thm1.false.corrected": Verdict.SUPPORTED,
    "a.damaged": Verdict.REFUTED,
    "b.markup": Verdict.PROVED,
    "b.conflict": Verdict.CONFLICT,
    "b.error": Verdict.ERROR,
    "b.undecided": Verdict.INCONCLUSIVE,
    "b.other": Verdict.REFUTED,
}
#: What is not as recorded.
DIFFERING = {"b.conflict", "b.error", "b.other"}


@pytest.fixture
def registry():
    """The claims, with a check each where there is evidence."""
    registry = Registry()
    for claim in CLAIMS:
        registry.add(claim)
        for evidence in EVIDENCE.get(claim.id, ()):
            road = evidence.road or Road.PROOFS
            registry.add_check(Check(claim.id, road, lambda p, c: _proved(), evidence.method))
    return registry


@pytest.fixture
def run():
    """The results."""
    results = [
        ClaimResult(
            claim,
            VERDICTS.get(claim.id, Verdict.NOT_RUN),
            EVIDENCE.get(claim.id, ()),
            claim.id not in DIFFERING,
        )
        for claim in CLAIMS
    ]
    budgets = {"a": 0.75e-6, "b": 0.25e-6}
    return RunResult(
        Settings(seed=7),
        results,
        seconds=83.0,
        budgets=budgets,
        machine={"python": "3.11", "sympy": "1.14"},
    )


@pytest.fixture
def sound(run):
    """The part of the run that is as recorded."""
    return RunResult(run.settings, [result for result in run.results if result.ok], seconds=1.0)


@pytest.fixture
def corrections():
    """The correcting claims by id."""
    return {claim.id: claim for claim in CLAIMS if claim.id.endswith(".corrected")}
