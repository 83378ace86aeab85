"""The runner: time limits, broken checks, conflicts, capping, and finished results that stay."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from proofs.argument import Argument
from verify.checks.argument import conclude
from verify.claim import Claim, Evidence, Origin, Registry, Road, Severity
from verify.running.checking import run_check
from verify.running.runner import check_claim, run
from verify.running.settings import Settings
from verify.verdict import Verdict

IN_PROCESS = Settings(workers=0)


def evidence(verdict: Verdict) -> Evidence:
    return Evidence(verdict, "", str(verdict))


def make(**verdicts: Verdict) -> Registry:
    """A registry with one claim "a" and one check a road, each with the given verdict."""
    registry = Registry()
    registry.add(Claim(id="a", title="a", statement="a"))
    for road, verdict in verdicts.items():
        registry.check("a", road)(lambda printed, context, v=verdict: evidence(v))
    return registry


def verdict_of(registry: Registry, id_: str = "a") -> Verdict:
    return check_claim(id_, registry=registry).verdict


def test_the_strongest_road_carries_the_verdict():
    assert verdict_of(make(proofs=Verdict.PROVED, numerics=Verdict.SUPPORTED)) is Verdict.PROVED


def test_contradicting_roads_are_a_conflict():
    assert verdict_of(make(proofs=Verdict.PROVED, numerics=Verdict.REFUTED)) is Verdict.CONFLICT


def test_a_check_that_raises_is_an_error_with_its_reason():
    registry = make()

    @registry.check("a", "proofs")
    def broken(printed, context):
        raise ZeroDivisionError("by nothing")

    result = check_claim("a", registry=registry)
    assert result.verdict is Verdict.ERROR
    assert "by nothing" in result.evidence[0].summary
    assert not result.ok


@pytest.mark.parametrize(("uses", "verdict"), [(("b",), Verdict.PROVED), ((), Verdict.ERROR)])
def test_a_line_by_another_claim_needs_that_among_the_uses(uses, verdict):
    argument = Argument()
    argument.use("x <= y", "b")
    registry = Registry()
    registry.add(Claim(id="a", title="a", statement="a", uses=uses))
    registry.add(Claim(id="b", title="b", statement="b"))
    registry.check("b", "proofs")(lambda printed, context: evidence(Verdict.PROVED))
    registry.check("a", "proofs")(lambda printed, context: conclude(argument))
    result = run(registry, [registry["b"], registry["a"]], IN_PROCESS).results[-1]
    assert result.verdict is verdict
    if verdict is Verdict.ERROR:
        said = result.evidence[0].summary
        assert said == "a line uses b, which a does not list among its uses"


def test_a_check_past_its_limit_is_inconclusive_with_the_reason():
    registry = make()

    @registry.check("a", "proofs", seconds=0.2)
    def endless(printed, context):
        while True:
            time.sleep(0.01)

    start = time.perf_counter()
    result = check_claim("a", registry=registry)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "time limit of 0.2 s" in result.summary
    assert time.perf_counter() - start < 5


def test_no_check_can_swallow_its_time_limit():
    registry = make()

    @registry.check("a", "proofs", seconds=0.2)
    def stubborn(printed, context):
        while True:
            try:
                time.sleep(0.01)
            except Exception:
                continue

    assert verdict_of(registry) is Verdict.INCONCLUSIVE


def test_a_check_whose_helpers_died_says_nothing_of_the_claim():
    registry = make()

    @registry.check("a", "proofs")
    def helpless(printed, context):
        raise ChildProcessError("several workers ended")

    (found,) = check_claim("a", registry=registry).evidence
    assert found.verdict is Verdict.ERROR
    assert found.lost


def test_in_a_thread_a_check_is_stopped_at_its_limit_and_what_follows_is_not():
    """Many limits that pass just as the check ends: none is raised later on."""
    registry = make()

    @registry.check("a", "proofs", method="endless", seconds=0.2)
    def endless(printed, context):
        while True:
            time.sleep(0.001)

    @registry.check("a", "proofs", method="just ends", seconds=0.002)
    def just_ends(printed, context):
        end = time.monotonic() + 0.002
        while time.monotonic() < end:
            pass
        return evidence(Verdict.PROVED)

    def in_a_thread():
        context, claim = IN_PROCESS.context(registry), registry["a"]
        found = {}
        for check in registry.checks("a", [Road.PROOFS]):
            for _ in range(200 if check.method == "just ends" else 1):
                one = run_check(check, claim, context)
                found.setdefault(check.method, set()).add(one.timed_out)
        for _ in range(1000):
            time.sleep(0)
        return found

    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(in_a_thread).result(timeout=60)
    assert found["endless"] == {True}
    assert found["just ends"] <= {True, False}


def test_resting_on_something_undecided_caps_and_says_so():
    registry = make(proofs=Verdict.INCONCLUSIVE)
    registry.add(Claim(id="b", title="b", statement="b", uses=("a",)))
    registry.check("b", "proofs")(lambda printed, context: evidence(Verdict.PROVED))
    result = check_claim("b", registry=registry)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "rests on a" in result.summary


def test_an_exact_check_of_some_degrees_does_not_prove_what_is_argued_of_all():
    registry = make(proofs=Verdict.PROVED, numerics=Verdict.SUPPORTED)
    every = evidence(Verdict.ARGUED)
    registry.check("a", "proofs", method="every degree")(lambda printed, context: every)
    assert verdict_of(registry) is Verdict.ARGUED


STRONG = [Verdict.ARGUED, Verdict.CERTIFIED, Verdict.SUPPORTED]


def resting_on(weakest: Verdict) -> Registry:
    """What is proved from a claim "a" with the *weakest* verdict and from a proved one, "sound"."""
    registry = make(proofs=weakest)
    registry.add(Claim(id="sound", title="s", statement="s"))
    registry.add(Claim(id="b", title="b", statement="b", uses=("sound", "a")))
    registry.add(Claim(id="c", title="c", statement="c", uses=("b",)))
    for id_ in ("sound", "b", "c"):
        registry.check(id_, "proofs")(lambda printed, context: evidence(Verdict.PROVED))
    return registry


@pytest.mark.parametrize("weakest", STRONG)
def test_a_proof_is_no_stronger_than_what_it_uses_and_says_so(weakest):
    result = check_claim("b", registry=resting_on(weakest))
    assert (result.verdict, result.capped_by, result.capped_at) == (weakest, ("a",), weakest)
    assert result.summary == "proved"


@pytest.mark.parametrize("weakest", STRONG)
def test_words_and_bounds_count_through_all_that_is_used(weakest):
    result = check_claim("c", registry=resting_on(weakest))
    assert (result.verdict, result.capped_by) == (weakest, ("b",))


def test_another_road_may_carry_more_than_a_capped_proof():
    registry = resting_on(Verdict.SUPPORTED)
    registry.check("b", "numerics")(lambda printed, context: evidence(Verdict.CERTIFIED))
    result = check_claim("b", registry=registry)
    assert result.verdict is Verdict.CERTIFIED
    assert (result.capped_by, result.capped_at) == (("a",), Verdict.SUPPORTED)


def test_a_correction_is_no_use():
    registry = Registry()
    held, false = {"recorded": Verdict.SUPPORTED}, {"recorded": Verdict.REFUTED, "correction": "a"}
    registry.add(Claim(id="a", title="a", statement="a", origin=Origin.CORRECTED, **held))
    registry.add(Claim(id="b", title="b", statement="b", severity=Severity.GAP, **false))
    registry.check("a", "proofs")(lambda printed, context: evidence(Verdict.SUPPORTED))
    registry.check("b", "proofs")(lambda printed, context: evidence(Verdict.PROVED))
    result = check_claim("b", registry=registry)
    assert (result.verdict, result.capped_by) == (Verdict.PROVED, ())


@pytest.mark.parametrize(
    ("found", "record"), [(Verdict.ARGUED, Verdict.PROVED), (Verdict.PROVED, Verdict.ARGUED)]
)
@pytest.mark.parametrize("profile", ["quick", "standard"])
def test_argued_for_proved_is_not_as_recorded(found, record, profile):
    registry = Registry()
    registry.add(Claim(id="a", title="a", statement="a", recorded=record))
    registry.check("a", "proofs")(lambda printed, context: evidence(found))
    assert not check_claim("a", registry=registry, profile=profile).ok


def test_a_measurement_does_not_rest_on_other_claims():
    registry = make(proofs=Verdict.INCONCLUSIVE)
    registry.add(Claim(id="b", title="b", statement="b", uses=("a",)))
    registry.check("b", "proofs")(lambda printed, context: evidence(Verdict.PROVED))
    registry.check("b", "numerics")(lambda printed, context: evidence(Verdict.SUPPORTED))
    result = check_claim("b", registry=registry)
    assert result.verdict is Verdict.SUPPORTED
    assert result.capped_by == ("a",)


def test_one_road_alone_can_be_run():
    registry = make(proofs=Verdict.PROVED, numerics=Verdict.SUPPORTED)
    result = run(registry, list(registry), Settings(roads=(Road.NUMERICS,), workers=0))
    assert [e.road for e in result.results[0].evidence] == [Road.NUMERICS]


def test_an_empty_selection_does_not_pass():
    assert not run(Registry(), [], IN_PROCESS).ok


def test_a_shrunken_catalogue_does_not_pass():
    registry = make(proofs=Verdict.PROVED)
    result = run(registry, list(registry), IN_PROCESS)
    assert result.ok
    result.missing = ["b"]
    assert not result.ok


def test_what_is_finished_before_an_interrupt_has_been_handed_over():
    registry = make(proofs=Verdict.PROVED)

    @registry.check("a", "numerics")
    def interrupted(printed, context):
        raise KeyboardInterrupt

    kept = []
    with pytest.raises(KeyboardInterrupt):
        run(
            registry, list(registry), IN_PROCESS, on_evidence=lambda check, item: kept.append(check)
        )
    assert [check.road for check in kept] == [Road.PROOFS]


def test_known_evidence_is_not_found_again():
    registry = make(proofs=Verdict.PROVED)
    known = {registry.checks("a")[0].key: evidence(Verdict.CERTIFIED)}
    result = run(registry, list(registry), IN_PROCESS, known=known)
    assert result.results[0].verdict is Verdict.CERTIFIED


@pytest.mark.slow
def test_workers_and_this_process_come_to_the_same():
    from verify.catalogue import catalogue

    registry = catalogue()
    chosen = registry.select(["nichani.thm1.mean", "nichani.thm1.term-moments"])
    ours = run(registry, chosen, IN_PROCESS)
    theirs = run(registry, chosen, Settings(workers=2))

    def facts(result):
        return [(e.verdict, e.summary, e.steps) for r in result.results for e in r.evidence]

    assert facts(ours) == facts(theirs)
