"""Mutants through the checks: who kills, who survives, what is no mutant, and what the program says.

Synthetic registries with one weak road show that a survivor is seen; the catalogue shows enough mutants.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from fractions import Fraction
from functools import partial

import pytest

from proofs.argument import Argument, searching
from verify.auditing import power as power_module
from verify.auditing.power import JUDGES, Power, Survivor, attack, near, power, power_of, survivors
from verify.catalogue import catalogue
from verify.checks.argument import argued
from verify.checks.identity import identity
from verify.checks.inequality import bounded_above
from verify.claim import Check, Claim, Evidence, Mutant, Registry, Road, Severity
from verify.commands import judging
from verify.errors import UsageError
from verify.measuring.context import Context
from verify.papers.nichani.linear_memory import quantities
from verify.printed.formula import Formula
from verify.report.terminal.power import claim_line, power_text
from verify.running.settings import Settings
from verify.verdict import Verdict

REGISTRY = catalogue()
CHECKED = [c for c in REGISTRY.select(["nichani.thm1.*"]) if REGISTRY.checks(c.id)]
STATED = [
    claim.id
    for claim in CHECKED
    if claim.kind in ("identity", "inequality") and claim.formulas and claim.recorded.positive
]
#: Measurements are shared by all tests of a process, as in a run.
CONTEXT = Settings().context(REGISTRY)

#: Exact alone, and quick.
FAST = "nichani.thm1.union"


def parsed(**formulas: str) -> dict[str, Formula]:
    return {name: Formula.parse(text) for name, text in formulas.items()}


def evidence(verdict: Verdict) -> Evidence:
    return Evidence(verdict, "", str(verdict))


def equal_to(right: str):
    """A check that proves the formula *right* and refutes every other one."""

    def check(printed, context):
        same = str(printed["f"]) == right and not context.construction
        return evidence(Verdict.PROVED if same else Verdict.REFUTED)

    return check


def always(verdict: Verdict):
    return lambda printed, context: evidence(verdict)


def one_claim(*wrong: str, **fields) -> tuple[Registry, Claim]:
    """A registry with the claim "a": f = 1, and one mutant f = w for each w of *wrong*."""
    registry = Registry()
    mutants = tuple(Mutant(f"f = {w}", parsed(f=w)) for w in wrong)
    claim = Claim("a", "a", "a", formulas=parsed(f="1"), wrong=mutants, **fields)
    return registry, registry.add(claim)


def false_claim(*wrong: str) -> tuple[Registry, Claim]:
    """A registry with the claim "a": f = 3, false as printed, and its correction: f = 1."""
    registry = Registry()
    mutants = tuple(Mutant(f"f = {w}", parsed(f=w)) for w in wrong)
    registry.add(
        Claim("b", "b", "b", formulas=parsed(f="1"), wrong=mutants, recorded=Verdict.PROVED)
    )
    claim = Claim(
        "a",
        "a",
        "a",
        formulas=parsed(f="3"),
        recorded=Verdict.REFUTED,
        correction="b",
        severity=Severity.CONSTANT,
    )
    return registry, registry.add(claim)


# -- the mutants of the catalogue ----------------------------------------------------------------


@pytest.mark.parametrize("id_", STATED)
def test_a_printed_formula_has_five_mutants_near_it(id_):
    claim = REGISTRY[id_]
    found = near(REGISTRY, claim, claim.formulas, REGISTRY.mutants(id_), CONTEXT)
    assert len({mutant.name for mutant in found}) >= 5


def test_claims_have_three_mutants_on_average():
    assert len(STATED) >= 8
    assert sum(len(REGISTRY.mutants(c.id)) for c in CHECKED) >= 3 * len(CHECKED)


@pytest.mark.parametrize("claim", CHECKED, ids=lambda claim: claim.id)
def test_mutants_have_names_of_their_own(claim):
    """Survivors are counted by name: two of one name would be counted as one."""
    sifted = REGISTRY.sifted(claim.id)
    names = [m.name for m in (*sifted.wrong, *(m for m, _ in sifted.set_aside))]
    assert len(names) == len(set(names))


def value_at(formula: Formula, sizes: dict[str, Fraction]) -> Fraction:
    """By the arithmetic of single numbers, apart from the field of rational functions."""
    low, high = formula.interval({name: (size, size) for name, size in sizes.items()})
    assert low == high
    return low


def random_sizes(symbols: frozenset[str], draw: random.Random) -> dict[str, Fraction]:
    sizes = {name: Fraction(draw.randint(3, 10**6)) for name in sorted(symbols | {"d"})}
    d = sizes["d"]
    # The factors that a claim speaks of by name, typed here once more.
    return {**sizes, "S": 1 + 1 / d, "K": 1 / d, "G": 2 / d, "B": 1 + 1 / d}


def test_what_is_set_aside_is_true_and_what_is_wrong_is_not():
    draw = random.Random(20)
    aside = 0
    for claim in CHECKED:
        sifted = REGISTRY.sifted(claim.id)
        if claim.recorded is Verdict.REFUTED:
            continue  # its mutants are those of its correction
        for mutant, proof in sifted.set_aside:
            assert proof
            aside += 1
            for _ in range(20):
                for name, formula in mutant.formulas.items():
                    right = claim.formulas[name]
                    sizes = random_sizes(formula.symbols() | right.symbols(), draw)
                    stated, other = value_at(right, sizes), value_at(formula, sizes)
                    assert other == stated or (claim.kind == "inequality" and other > stated)
        for mutant in sifted.wrong if claim.kind == "identity" else ():
            if not mutant.construction:
                pairs = [(claim.formulas[n], f) for n, f in mutant.formulas.items()]
                sizes = random_sizes(frozenset().union(*(f.symbols() for _, f in pairs)), draw)
                sizes = {"N": Fraction(7), "M": Fraction(11), **sizes}
                assert any(value_at(right, sizes) != value_at(f, sizes) for right, f in pairs)
    assert aside >= 1


# -- what is no mutant ---------------------------------------------------------------------------


def test_an_equivalent_formula_is_set_aside_with_a_proof():
    registry = Registry()
    texts = ("d/d**2", "2/d - 1/d", "1/(d + 1)", "1/d**2")
    mutants = tuple(Mutant(text, parsed(key=text)) for text in texts)
    claim = registry.add(Claim("a", "a", "a", formulas=parsed(key="1/d"), wrong=mutants))
    identity(registry, "a", {"key": [quantities()["key-squared"]]})
    sifted = registry.sifted("a")
    assert [m.name for m in sifted.wrong] == ["1/(d + 1)", "1/d**2"]
    assert [m.name for m, _ in sifted.set_aside] == ["d/d**2", "2/d - 1/d"]
    assert all("difference is 0" in proof for _, proof in sifted.set_aside)
    found = power_of(registry, claim, Context())
    assert (found.mutants, found.killed) == (2, 2)
    assert [(id_, name) for id_, name, _ in found.set_aside] == [
        ("a", "d/d**2"),
        ("a", "2/d - 1/d"),
    ]


def test_a_weaker_bound_is_set_aside_and_a_stronger_one_is_not():
    registry, q = Registry(), quantities()
    bound = "2*(1/d + N/d**2)"
    texts = {
        "larger constant": f"3*{bound}/2",
        "a term more": f"{bound} + 1/d**3",
        "smaller constant": f"7*{bound}/8",
        "larger for few inputs, smaller for many": "2*(1/d + (N + 4)/(d**2*2))",
        "undefined": f"{bound} + 1/(d - d)",
    }
    mutants = tuple(Mutant(name, parsed(bound=text)) for name, text in texts.items())
    registry.add(Claim("a", "a", "a", formulas=parsed(bound=bound), wrong=mutants))
    bounded_above(
        registry,
        "a",
        "bound",
        [q["variance.inside"], q["variance.outside"]],
        edge=[(q["variance.inside"], {"d": 2, "N": 4, "M": 4})],
        scope="all",
        summary="holds",
    )
    sifted = registry.sifted("a")
    assert {m.name: proof for m, proof in sifted.set_aside} == {
        "larger constant": "it follows: this bound is nowhere below the printed one",
        "a term more": "it follows: this bound is nowhere below the printed one",
        "undefined": "it is no statement: a denominator is 0",
    }
    assert [m.name for m in sifted.wrong] == [
        "smaller constant",
        "larger for few inputs, smaller for many",
    ]


def measured_bound(*wrong: str):
    """The cases of "Var(gamma) <= 2 (1/d + N/d^2)" at d = 2, N = 4, with mutants of the bound."""
    registry, q = Registry(), quantities()
    mutants = tuple(Mutant(text, parsed(bound=text)) for text in wrong)
    registry.add(Claim("a", "a", "a", formulas=parsed(bound="2*(1/d + N/d**2)"), wrong=mutants))
    edge = [(q["variance.inside"], {"d": 2, "N": 4, "M": 4})]
    bounded_above(registry, "a", "bound", [edge[0][0]], edge=edge, scope="all", summary="holds")
    (check,) = registry.checks("a", [Road.NUMERICS])
    return check.cases(registry["a"].formulas, Context())


def test_a_measured_bound_excludes_what_is_wrong_and_nothing_that_follows():
    (case,) = measured_bound("3*(1/d + N/d**2)", "1/d + N/d**2")
    assert [neighbour.name for neighbour in case.neighbours] == ["1/d + N/d**2"]


def test_a_wrong_bound_that_holds_wherever_is_measured_is_refused():
    """It fails for N > 4 alone."""
    with pytest.raises(UsageError, match=r"is not exceeded at any of the sizes"):
        measured_bound("2*(1/d + 4/d**2)")


# -- who kills, who survives ---------------------------------------------------------------------


def test_a_mutant_that_every_road_refutes_is_killed():
    registry, claim = one_claim("2", "3")
    registry.check("a", Road.PROOFS)(equal_to("1"))
    registry.check("a", Road.NUMERICS)(equal_to("1"))
    found = power_of(registry, claim, Context())
    assert (found.mutants, found.killed, found.refuted) == (2, 2, 2)
    assert found.ok
    assert found.survivors == []


@pytest.mark.parametrize("blind", JUDGES)
def test_each_road_must_kill_alone_and_a_survivor_names_the_blind_one(blind):
    registry, claim = one_claim("2", "3")
    for road in JUDGES:
        registry.check("a", road)(always(Verdict.SUPPORTED) if road is blind else equal_to("1"))
    found = power_of(registry, claim, Context())
    assert found.survivors == [
        Survivor("a", f"f = {w}", blind, Verdict.SUPPORTED) for w in ("2", "3")
    ]
    assert (found.mutants, found.killed, found.refuted) == (2, 0, 0)
    assert not found.ok


def test_one_of_several_checks_of_a_road_is_enough():
    registry, claim = one_claim("2")
    registry.check("a", Road.PROOFS, method="blind")(always(Verdict.PROVED))
    registry.check("a", Road.PROOFS, method="seeing")(equal_to("1"))
    assert power_of(registry, claim, Context()).ok


def test_a_road_that_kills_some_mutants_leaves_the_others():
    registry, claim = one_claim("2", "3")
    registry.check("a", Road.PROOFS)(
        lambda printed, context: evidence(
            Verdict.REFUTED if str(printed["f"]) == "3" else Verdict.PROVED
        )
    )
    found = power_of(registry, claim, Context())
    assert [s.mutant for s in found.survivors] == ["f = 2"]
    assert (found.mutants, found.killed) == (2, 1)


def test_a_proof_that_no_longer_goes_through_kills_and_is_not_counted_as_refuted():
    registry, claim = one_claim("2")
    registry.check("a", Road.PROOFS)(always(Verdict.INCONCLUSIVE))
    found = power_of(registry, claim, Context())
    assert (found.killed, found.refuted) == (1, 0)
    assert any("0 refuted, 1 no longer provable" in line for line in power_text(found))


def test_the_reason_of_a_mutant_is_readable_text():
    found = Power(mutants=1, unproved=[("a", "no logarithm", r"at $d^2 = C \delta$ it fails")])
    assert "  no longer provable: a: no logarithm; at d² = C δ it fails" in list(power_text(found))


def breaks_down(printed, context):
    raise ZeroDivisionError("on a mutant")


def never_ends(printed, context):
    while True:
        time.sleep(0.01)


@pytest.mark.parametrize(
    ("check", "verdict"),
    [
        (breaks_down, Verdict.ERROR),
        (never_ends, Verdict.INCONCLUSIVE),
        (always(Verdict.ERROR), Verdict.ERROR),
        (always(Verdict.CONFLICT), Verdict.CONFLICT),
    ],
)
def test_a_check_that_comes_to_nothing_kills_nothing(check, verdict):
    registry, claim = one_claim("2")
    registry.check("a", Road.PROOFS)(equal_to("1"))
    registry.check("a", Road.NUMERICS, seconds=0.1)(check)
    found = power_of(registry, claim, Context())
    assert found.survivors == [Survivor("a", "f = 2", Road.NUMERICS, verdict)]
    assert found.killed == 0
    assert not found.ok


def test_the_properties_road_does_not_judge_formulas():
    registry, claim = one_claim("2")
    registry.check("a", Road.PROOFS)(equal_to("1"))
    registry.check("a", Road.PROPERTIES, builds=True)(always(Verdict.SUPPORTED))
    assert power_of(registry, claim, Context()).ok


# -- faults of a construction --------------------------------------------------------------------


def test_a_fault_that_no_road_looks_for_survives():
    registry, claim = one_claim("2", faults=("transposed",))
    registry.check("a", Road.PROOFS)(equal_to("1"))
    found = power_of(registry, claim, Context())
    assert found.survivors == [
        Survivor("a", "built wrongly: transposed", Road.NUMERICS, Verdict.NOT_RUN)
    ]
    assert (found.mutants, found.killed) == (2, 1)


@pytest.mark.parametrize("blind", list(Road))
def test_every_road_that_builds_must_notice_a_fault(blind):
    registry, claim = one_claim(faults=("transposed",))
    for road in Road:
        check = always(Verdict.SUPPORTED) if road is blind else equal_to("1")
        registry.check("a", road, builds=True)(check)
    found = power_of(registry, claim, Context())
    assert [(s.road, s.mutant) for s in found.survivors] == [(blind, "built wrongly: transposed")]


def test_a_fault_is_named_to_the_check_and_gone_afterwards():
    registry, claim = one_claim(faults=("doubled",))
    seen = []
    registry.check("a", Road.NUMERICS, builds=True)(
        lambda printed, context: (
            seen.append((context.construction, printed)) or evidence(Verdict.REFUTED)
        )
    )
    context = Context()
    assert power_of(registry, claim, context).ok
    assert seen == [("doubled", claim.formulas)]
    assert context.construction == ""


@pytest.mark.parametrize("right", [Verdict.SUPPORTED, Verdict.INCONCLUSIVE])
@pytest.mark.parametrize("wrong", [Verdict.REFUTED, Verdict.SUPPORTED, Verdict.INCONCLUSIVE])
def test_a_check_of_a_proof_alone_judges_no_mutant_but_has_one_of_its_own(right, wrong):
    registry, claim = one_claim("2", recorded=Verdict.PROVED)
    registry.check("a", Road.PROOFS)(equal_to("1"))
    steps = Check("a", Road.NUMERICS, always(right), "steps of the proof", wrong=always(wrong))
    registry.add_check(steps)
    found = power_of(registry, claim, Context())
    assert found.mutants == 1
    assert found.ok == (right is Verdict.SUPPORTED and wrong is Verdict.REFUTED)
    assert found.killed == 1
    blind = [] if wrong is Verdict.REFUTED else [("steps of the proof", wrong)]
    assert [(one.mutant, one.verdict) for one in found.blind] == blind
    assert [line for line in power_text(found) if line.startswith("blind: ")] == [
        f"blind: steps of the proof of a on numerics, said wrong, come out {wrong} and must be refuted"
        for _ in blind
    ]


@pytest.mark.parametrize("fault", REGISTRY["nichani.thm1.mean"].faults)
def test_each_fault_changes_the_mean_on_both_roads(fault):
    """The exact side derives another mean from the faulty weight, the measured side measures it."""
    claim = REGISTRY["nichani.thm1.mean"]
    (mutant,) = (m for m in REGISTRY.mutants(claim.id) if m.construction == fault)
    found = attack(REGISTRY, claim, mutant, CONTEXT)
    assert set(found) == set(JUDGES)
    for items in found.values():
        assert [item.verdict for item in items] == [Verdict.REFUTED]
    assert survivors(claim, mutant, found) == []
    # By hand: E <u_f(x), e_x>^2 = 1/d for the transposed weight, and d = 2 is the first to differ.
    mean = {"transposed": Fraction(1, 2), "doubled": 2, "untied signs": 0}[fault]
    assert found[Road.PROOFS][0].counterexample["exact"] == mean
    measured = found[Road.NUMERICS][0].detail["cases"][-1]
    assert measured["quantity"].startswith("E[gamma]")
    low, high = measured["interval"]
    assert low <= mean <= high
    assert not low <= 1 <= high


# -- statements that are false as printed --------------------------------------------------------


def test_the_checks_of_a_false_claim_accept_its_correction_and_kill_the_mutants_of_that():
    registry, claim = false_claim("2", "4")
    registry.check("a", Road.PROOFS)(equal_to("1"))
    found = power_of(registry, claim, Context())
    assert found.ok
    assert (found.mutants, found.killed) == (2, 2)
    assert found.rejected == []
    assert "the correction b is accepted" in claim_line(claim, found)


@pytest.mark.parametrize(
    "verdict", [Verdict.REFUTED, Verdict.INCONCLUSIVE, Verdict.ERROR, Verdict.CONFLICT]
)
def test_a_correction_that_is_not_accepted_is_reported(verdict):
    registry, claim = false_claim("2")
    registry.check("a", Road.NUMERICS)(
        lambda printed, context: evidence(verdict if str(printed["f"]) == "1" else Verdict.REFUTED)
    )
    found = power_of(registry, claim, Context())
    assert found.survivors == []
    assert found.rejected == [Survivor("a", "b", Road.NUMERICS, verdict)]
    assert not found.ok
    assert "b is NOT accepted" in claim_line(claim, found)
    assert any(
        line.startswith("not accepted: the checks of a on numerics") for line in power_text(found)
    )


def test_a_check_that_only_knows_the_false_line_lets_the_mutants_of_the_correction_live():
    registry, claim = false_claim("2")
    registry.check("a", Road.PROOFS)(
        lambda printed, context: evidence(
            Verdict.REFUTED if str(printed["f"]) == "3" else Verdict.PROVED
        )
    )
    found = power_of(registry, claim, Context())
    assert [s.mutant for s in found.survivors] == ["f = 2"]
    assert found.rejected == []


# -- sums ----------------------------------------------------------------------------------------


def test_a_mutant_that_survives_on_two_roads_is_counted_once():
    found = Power(mutants=3)
    for road in JUDGES:
        found.survivors.append(Survivor("a", "f = 2", road, Verdict.SUPPORTED))
    found.survivors.append(Survivor("b", "f = 2", Road.PROOFS, Verdict.PROVED))
    assert found.killed == 1


def test_the_power_of_several_claims_is_the_sum():
    registry, first = one_claim("2", "3")
    registry.check("a", Road.PROOFS)(equal_to("1"))
    mutants = (Mutant("f = 5", parsed(f="5")),)
    second = registry.add(Claim("c", "c", "c", formulas=parsed(f="4"), wrong=mutants))
    registry.check("c", Road.PROOFS)(always(Verdict.PROVED))
    unchecked = registry.add(Claim("d", "d", "d"))
    told = []
    found = power(
        registry, [first, second, unchecked], Context(), lambda c, p: told.append((c.id, p.mutants))
    )
    assert told == [("a", 2), ("c", 1)]
    assert (found.mutants, found.killed) == (3, 2)
    assert [s.claim for s in found.survivors] == ["c"]


def test_near_is_a_factor_of_two_in_either_direction():
    registry, claim = one_claim("2", "3", "1/2", "1/3", "-1", "0")
    registry.check("a", Road.PROOFS)(equal_to("1"))
    found = near(registry, claim, claim.formulas, registry.mutants("a"), Context())
    assert [m.name for m in found] == ["f = 2", "f = 1/2"]


def test_a_measurement_that_is_merely_undecided_kills_nothing():
    registry, claim = one_claim("2")
    registry.check("a", Road.PROOFS)(equal_to("1"))
    registry.check("a", Road.NUMERICS)(always(Verdict.INCONCLUSIVE))
    found = power(registry, [claim], Context())
    assert [(s.road, s.verdict) for s in found.survivors] == [(Road.NUMERICS, Verdict.INCONCLUSIVE)]


def test_a_road_that_does_not_accept_the_statement_is_reported():
    registry, claim = one_claim("2", recorded=Verdict.PROVED)
    registry.check("a", Road.PROOFS)(equal_to("1"))
    registry.check("a", Road.NUMERICS)(always(Verdict.REFUTED))
    found = power(registry, [claim], Context())
    assert not found.survivors
    assert [(s.claim, s.road) for s in found.rejected] == [("a", Road.NUMERICS)]
    assert not found.ok


# -- the program ---------------------------------------------------------------------------------


@pytest.fixture
def synthetic(monkeypatch):
    """Let the program see one registry, the same at every call."""

    def use(registry: Registry) -> None:
        monkeypatch.setattr(judging, "catalogue", lambda: registry)

    return use


def test_the_program_exits_with_0_if_all_are_killed(verify, tmp_path):
    path = tmp_path / "power.json"
    status, out, _ = verify("power", FAST, "--workers", "0", "--json", str(path))
    data = json.loads(path.read_text(encoding="utf-8"))
    assert status == 0
    assert data["mutants"] == data["killed"] == len(REGISTRY.mutants(FAST))
    assert data["survived"] == data["not accepted"] == []
    assert f"{FAST}: {data['mutants']} mutants, {data['killed']} killed" in out
    assert f"{data['killed']} of {data['mutants']} mutants killed" in out


def test_a_survivor_exits_with_1_and_is_named(verify, synthetic):
    registry, _ = one_claim("2", "3")
    registry.check("a", Road.PROOFS)(equal_to("1"))
    registry.check("a", Road.NUMERICS)(
        lambda printed, context: evidence(
            Verdict.REFUTED if str(printed["f"]) == "3" else Verdict.SUPPORTED
        )
    )
    synthetic(registry)
    status, out, err = verify("power", "a", "--workers", "0", "--json", "-")
    data = json.loads(out)
    assert status == 1
    assert (data["mutants"], data["killed"]) == (2, 1)
    assert data["survived"] == [
        {"id": "a", "mutant": "f = 2", "road": "numerics", "verdict": "supported"}
    ]
    assert "survived: a on numerics (supported): f = 2" in err
    assert "1 of 2 mutants killed" in err


def test_a_correction_that_is_refuted_exits_with_1(verify, synthetic):
    registry, _ = false_claim("2")
    registry.check("a", Road.PROOFS)(always(Verdict.REFUTED))
    synthetic(registry)
    status, out, err = verify("power", "a", "--workers", "0", "--json", "-")
    data = json.loads(out)
    assert status == 1
    assert data["survived"] == []
    assert [entry["mutant"] for entry in data["not accepted"]] == ["b"]
    assert "not accepted: the checks of a on proofs say refuted of b" in err


def test_claims_without_checks_have_no_power_and_say_so(verify):
    status, out, _ = verify("power", "dana.prop1.lower-bound", "--workers", "0")
    assert status == 0
    assert "none of these claims has a check with mutants yet" in out
    assert "0 of 0 mutants killed" in out


def test_an_unknown_claim_is_bad_usage(verify):
    status, out, err = verify("power", "nichani.thm1.unoin", "--workers", "0")
    assert status == 2
    assert out == ""
    assert "nichani.thm1.union" in err


def test_an_interrupt_ends_with_3_and_no_traceback(verify, monkeypatch):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(power_module, "run_check", interrupted)
    status, out, err = verify("power", FAST, "--workers", "0")
    assert status == 3
    assert out == ""
    assert err.split() == ["verify:", "interrupted"]


@pytest.mark.slow
def test_workers_find_what_this_process_finds(verify):
    chosen = (FAST, "nichani.thm1.tail")
    ours = verify("power", *chosen, "--workers", "0", "--json", "-")
    theirs = verify("power", *chosen, "--workers", "2", "--json", "-")
    assert ours == theirs
    assert ours[0] == 0
    assert json.loads(ours[1])["mutants"] >= 10


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="process groups are a thing of Unix")
def test_ctrl_c_stops_the_workers_at_once_and_quietly():
    """Both workers: one that waits for work, and one that is deep in a check."""
    program = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "verify",
            "power",
            FAST,
            "nichani.thm1.explicit.integral",
            "--workers",
            "2",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A job in the background of a shell inherits that interrupts are ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        assert FAST in program.stdout.readline()
        os.killpg(program.pid, signal.SIGINT)
        out, err = program.communicate(timeout=20)
    finally:
        program.kill()
    assert program.returncode == 3
    assert out == ""
    assert err.split() == ["verify:", "interrupted"]


# -- proofs without the search for a counterexample -----------------------------------------------


def one_line(f: Fraction, *, holds: bool = True, words: bool = False) -> Argument:
    argument = Argument()
    argument.true("f is 1", holds or f == 1, str(f))
    if words:
        argument.infer("and so on", "it is plain")
    return argument


def found_beside(f: Fraction) -> dict[str, object] | None:
    return None if f == 1 else {"f": str(f)}


def powered(decide) -> Power:
    registry, claim = one_claim("2", recorded=Verdict.PROVED)
    argued(registry, "a", decide, method="m", scope="s", summary="t", fails=found_beside)
    return power_of(registry, claim, CONTEXT)


def test_a_proof_that_breaks_by_itself_kills_alone():
    found = powered(partial(one_line, holds=False))
    assert found.ok
    assert (found.killed, found.alone, found.believed) == (1, 1, [])


def test_a_wrong_statement_that_only_a_counterexample_stops_survives():
    found = powered(one_line)
    assert not found.ok
    assert [(s.mutant, s.verdict) for s in found.survivors] == [("f = 2", Verdict.PROVED)]


def test_one_that_a_proof_argues_for_in_words_is_named():
    found = powered(partial(one_line, words=True))
    assert found.ok
    assert [(s.mutant, s.verdict) for s in found.believed] == [("f = 2", Verdict.ARGUED)]
    text = "\n".join(power_text(found))
    assert "1 of them were put to a proof alone" in text
    assert "  a (argued): f = 2" in text
    assert found.as_json()["believed"][0]["mutant"] == "f = 2"


def test_a_proof_with_nothing_beside_it_is_not_asked_again():
    registry, claim = one_claim("2", recorded=Verdict.PROVED)
    argued(registry, "a", one_line, method="m", scope="s", summary="t")
    assert power_of(registry, claim, CONTEXT).alone == 0


def searching_within(f: Fraction) -> Argument:
    argument = one_line(f)
    return argument if f == 1 else argument.refute({"f": str(f)})


def test_one_that_a_proof_refutes_by_a_search_within_is_named():
    registry, claim = one_claim("2", recorded=Verdict.PROVED)
    argued(registry, "a", searching_within, method="m", scope="s", summary="t")
    found = power_of(registry, claim, CONTEXT)
    assert found.ok
    assert [(s.mutant, s.verdict) for s in found.within] == [("f = 2", Verdict.REFUTED)]
    assert "1 are refuted within the proof itself: a" in power_text(found)
    assert found.as_json()["within"][0]["mutant"] == "f = 2"


def test_a_proof_that_breaks_on_a_line_is_not_taken_for_a_search():
    def decide(f: Fraction) -> Argument:
        return one_line(f, holds=False).refute(found_beside(f))

    found = powered(decide)
    assert (found.ok, found.alone, found.within, found.believed) == (True, 1, [], [])


def test_a_proof_that_rests_on_its_search_does_not_accept_the_statement():
    def decide(f: Fraction) -> Argument:
        argument = one_line(f, holds=False)
        argument.true("a search found nothing", searching(), "looked")
        return argument

    found = powered(decide)
    assert [(s.mutant, s.road) for s in found.rejected] == [("a", Road.PROOFS)]
