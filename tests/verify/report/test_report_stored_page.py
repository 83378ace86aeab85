"""The page of a stored run is the page of the run; what is no such file is refused in one line."""

import json
import re
from dataclasses import replace

import pytest

from verify import __version__
from verify.catalogue import catalogue
from verify.claim import Check, Claim, Evidence, Registry, Road
from verify.errors import UsageError
from verify.report.machine import run_json
from verify.report.page.html import page
from verify.running import runner
from verify.running.runner import ClaimResult, RunResult
from verify.running.runner import run as run_claims
from verify.running.settings import Settings
from verify.running.stored_run import read_run
from verify.verdict import Verdict

FAST = "nichani.thm1.tail"
COMMAND = "verify run"


@pytest.fixture
def run(run, registry):
    """One of everything, with what the evidence comes to: a file that says else is refused."""
    evidence = {result.claim.id: result.evidence for result in run.results}
    ids = [result.claim.id for result in run.results]
    run.results = runner.conclude(registry.with_uses(list(registry)), evidence, run.settings, ids)
    return run


def stored(run, path):
    """The file of a run."""
    path.write_bytes(run_json(run))
    return path


def claim_of(text):
    """The first claim of a file of results, as it stands there."""
    return json.dumps(json.loads(text)["claims"][0])


def both_pages(run, registry, folder):
    again = read_run(stored(run, folder / "results.json"), registry)
    return page(run, registry, command=COMMAND), page(again, registry, command=COMMAND)


def test_the_page_of_a_run_with_one_of_everything_survives_the_file(run, registry, tmp_path):
    run.missing = ["a.lost"]
    run.machine = {"python": "3.0", "card": "H200"}
    before, after = both_pages(run, registry, tmp_path)
    assert after == before
    assert "a.lost" in after
    assert "<b>3.0</b>" in after
    assert "<b>H200</b>" in after


@pytest.mark.parametrize("roads", [(Road.PROOFS,), tuple(Road)])
def test_the_page_of_a_real_run_survives_the_file(tmp_path, roads):
    registry = catalogue()
    ids = (
        "nichani.thm1.mean",
        "nichani.thm1.second-moment",
        "nichani.thm1.degree",
        "nichani.thm1.explicit.closed-form",
    )
    run = run_claims(registry, registry.select(ids), Settings(seed=3, roads=roads, workers=0))
    before, after = both_pages(run, registry, tmp_path)
    assert after == before
    assert f"<dd>{', '.join(roads)}</dd>" in after


def test_what_a_verdict_rests_on_survives_the_file(tmp_path):
    registry = catalogue()
    claim = registry[FAST]
    numerics = Evidence(Verdict.INCONCLUSIVE, "interval", "too wide", road=Road.NUMERICS)
    (check,) = registry.checks(FAST)
    proofs = Evidence(Verdict.PROVED, check.method, "s", road=check.road, assumptions=("a", "b"))
    found = (numerics, replace(proofs, assumptions=()), proofs)
    by = claim.uses[:1]
    weak = ClaimResult(claim, Verdict.INCONCLUSIVE, found, True, by, Verdict.INCONCLUSIVE)
    witness, *others = (
        Evidence(Verdict.INCONCLUSIVE, check.method, "too wide", road=check.road)
        for check in registry.checks("nichani.thm1.degree")
    )
    witness = replace(witness, counterexample={"d": "2"})
    refuted = ClaimResult(
        registry["nichani.thm1.degree"], Verdict.INCONCLUSIVE, (witness, *others), ok=True
    )
    run = RunResult(Settings(), [weak, refuted])
    first, second = read_run(stored(run, tmp_path / "x.json"), registry).results
    assert (first.capped_by, first.capped_at) == (by, Verdict.INCONCLUSIVE)
    assert [item.assumptions for item in first.evidence] == [(), (), ("a", "b")]
    assert first.counterexample is None
    assert second.counterexample == {"d": "2"}


def test_a_file_without_roads_is_read_as_of_all(tmp_path):
    registry = catalogue()
    numerics = Evidence(Verdict.SUPPORTED, "m", "s", road=Road.NUMERICS)
    (check,) = registry.checks(FAST)
    proofs = Evidence(Verdict.ARGUED, check.method, "s", road=check.road, assumptions=("a",))
    result = ClaimResult(registry[FAST], Verdict.ARGUED, (numerics, proofs), ok=True)
    path = stored(RunResult(Settings(roads=(Road.PROOFS,)), [result]), tmp_path / "x.json")
    assert read_run(path, registry).settings.roads == (Road.PROOFS,)
    data = json.loads(path.read_text(encoding="utf-8"))
    del data["run"]["roads"], data["run"]["missing"], data["claims"][0]["capped_by"]
    del data["claims"][0]["evidence"][1]["detail"]["assumptions"]
    path.write_text(json.dumps(data), encoding="utf-8")
    again = read_run(path, registry)
    assert again.settings.roads == tuple(Road)
    assert [item.assumptions for item in again.results[0].evidence] == [(), ("a",)]
    assert again.ok


# -- the command ---------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path):
    """The file of a run of one claim."""
    registry = catalogue()
    settings = Settings(roads=(Road.PROOFS,), workers=0)
    return stored(run_claims(registry, [registry[FAST]], settings), tmp_path / "results.json")


def test_the_page_is_made_without_running_anything(verify, tmp_path, file, monkeypatch):
    monkeypatch.setattr(runner, "execute", lambda *a, **k: pytest.fail("ran something"))
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "mine.txt").write_text("mine", encoding="utf-8")
    status, out, _ = verify("page", str(file), "--html", str(tmp_path / "site"))
    assert status == 0
    assert out == f"{tmp_path / 'site' / 'index.html'}: page of 1 claim written\n"
    text = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert f'id="claim-{FAST}"' in text
    assert f"verify page {file} --html" in text
    assert (tmp_path / "site" / "mine.txt").read_text(encoding="utf-8") == "mine"


def test_a_run_that_was_not_as_recorded_gives_a_page_and_status_1(verify, tmp_path, file):
    data = json.loads(file.read_text(encoding="utf-8"))
    data["claims"][0]["verdict"] = "inconclusive"
    data["claims"][0]["evidence"][0]["verdict"] = "inconclusive"
    assert data["claims"][0]["ok"]
    file.write_text(json.dumps(data), encoding="utf-8")
    status, out, _ = verify("page", str(file), "--html", str(tmp_path / "site"))
    assert status == 1
    assert "Not all is as recorded" in out
    assert (tmp_path / "site" / "index.html").exists()


def altered(found, **changes):
    """A file of results in which the first claim is another."""
    data = json.loads(found)
    data["claims"][0] |= changes
    return json.dumps(data)


def with_seconds(found, of, seconds):
    """A file of results in which the run, or its first evidence, took the seconds that are written."""
    data = json.loads(found)
    taken = data["run"] if of == "run" else data["claims"][0]["evidence"][0]
    taken["seconds"] = "written"
    return json.dumps(data).replace('"written"', seconds)


def with_share(found, share):
    """A file of results in which an interval is said to err with that probability."""
    data = json.loads(found)
    data["claims"][0]["evidence"][0]["detail"]["cases"] = [{"error share": share}]
    return json.dumps(data)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: altered(text, verdict="proved"), ["altered", "proved of", "comes to argued"]),
        (lambda text: altered(text, evidence=[]), ["altered", "comes to not-run"]),
        (lambda text: altered(text, verdict="conflict"), ["altered", "conflict of"]),
        (lambda text: altered(text, capped_by=["nichani.thm1.mean"]), ["altered", "holds", "back"]),
        (
            lambda text: altered(text, capped_by=["nichani.thm1.mean"], capped_at="proved"),
            ["altered", "holds", "back"],
        ),
        (
            lambda text: text.replace('"road": "proofs"', '"timed_out": true, "road": "proofs"', 1),
            ["altered", "was lost, and it says"],
        ),
        (
            lambda text: re.sub('"error_budget": [^,]*', '"error_budget": 7', text),
            ["altered", "7 is no"],
        ),
        (lambda text: text.replace('"seed": 0', '"seed": -1'), ["seed -1, which no run has"]),
        (lambda text: text.replace('"seed": 0', f'"seed": {2**64}'), ["which no run has"]),
        (lambda text: altered(text, id="\ud800"), ["no whole file"]),
        *(
            (lambda text, share=share: with_share(text, share), ["no whole file"])
            for share in ("x", -1e-9, 10**400)
        ),
        *(
            (
                lambda text, of=of, seconds=seconds: with_seconds(text, of, seconds),
                ["no whole file", named],
            )
            for of in ("run", "evidence")
            for seconds, named in (
                ("-1", ">= 0.0"),
                ("-1e-300", ">= 0.0"),
                ("NaN", "malformed"),
                ("-Infinity", "malformed"),
                ("1e999", "out of range"),
                ("null", "Expected `float`"),
            )
        ),
        *(
            (
                lambda text, name=name, found=found: text.replace(
                    '"summary":', f'"{name}": {found}, "summary":', 1
                ),
                ["no whole file", name],
            )
            for name in ("theorems", "stated", "program", "trajectories")
            for found in ('{"a": 1}', "[3]", '"x"')
        ),
        (lambda text: with_share(text, 0.5), ["altered", "may err with probability 0.5"]),
        (lambda text: text[:-30], ["no whole file of results"]),
        (lambda text: text.replace(f'"{__version__}"', '"0.0.7"'), ["version 0.0.7", __version__]),
        (lambda text: text.replace(FAST, "nichani.thm1.lost"), ["nichani.thm1.lost"]),
        (lambda text: text.replace('"proofs"', '"guesses"'), ["guesses"]),
        (lambda text: "", ["no whole file of results"]),
        (
            lambda text: text.replace("{", '{"x": ' + "[" * 9999 + "]" * 9999 + ", ", 1),
            ["recursion"],
        ),
        (lambda text: text.replace('"claims": [', '"claims": [' + claim_of(text) + ","), ["twice"]),
    ],
)
def test_a_file_that_does_not_fit_is_refused_by_the_name_of_the_argument(
    verify, tmp_path, file, change, words
):
    file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")
    status, out, err = verify("page", str(file), "--html", str(tmp_path / "site"))
    assert (status, out) == (2, "")
    assert err.startswith(f"verify: RESULTS: {file}")
    assert err.count("\n") == 1
    for word in [*words, "verify run --json"]:
        assert word in err
    assert not (tmp_path / "site").exists()


@pytest.fixture
def several():
    """A registry of two claims: one that is proved and measured in two ways, and one that is proved."""
    registry = Registry()
    proof, sample = Evidence(Verdict.PROVED, "", ""), Evidence(Verdict.SUPPORTED, "", "")
    found = {"mean": sample, "rate": sample, "proof": proof}
    for id_, methods in (("a", ("proof", "mean", "rate")), ("b", ("proof",))):
        registry.add(Claim(id_, "t", "s"))
        for method in methods:
            road = Road.PROOFS if method == "proof" else Road.NUMERICS
            check = Check(id_, road, lambda *_, it=found[method]: it, method)
            registry.add_check(check)
    return registry


def without(path, method):
    """Take the evidence of a check of the first claim out of a file."""
    data = json.loads(path.read_text(encoding="utf-8"))
    claim = data["claims"][0]
    claim["evidence"] = [item for item in claim["evidence"] if item["method"] != method]
    path.write_text(json.dumps(data), encoding="utf-8")


@pytest.mark.parametrize("method", ["mean", "rate"])
def test_a_file_without_the_evidence_of_a_check_is_refused(several, tmp_path, method):
    found = run_claims(several, list(several), Settings(workers=0))
    path = stored(found, tmp_path / "x.json")
    assert len(read_run(path, several).results) == 2
    without(path, method)
    named = rf"altered: it says that the road of numerics was run.* check a/numerics/{method}; make"
    with pytest.raises(UsageError, match=named):
        read_run(path, several)


def test_a_claim_that_is_measured_too_is_refused_without_its_proof(several, tmp_path):
    path = stored(run_claims(several, list(several), Settings(workers=0)), tmp_path / "x.json")
    without(path, "proof")
    data = json.loads(path.read_text(encoding="utf-8"))
    data["claims"][0]["verdict"] = "supported"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(UsageError, match="altered: it says that the road of proofs was run"):
        read_run(path, several)


@pytest.mark.parametrize("roads", [(Road.NUMERICS,), (Road.PROOFS,), (Road.PROPERTIES,)])
def test_a_file_of_some_roads_needs_no_evidence_of_others(several, tmp_path, roads):
    found = run_claims(several, list(several), Settings(workers=0, roads=roads))
    again = read_run(stored(found, tmp_path / "x.json"), several)
    assert again.results == found.results


@pytest.mark.parametrize("lost", ["timed_out", "died"])
def test_of_a_check_that_was_lost_that_is_the_evidence(several, tmp_path, lost):
    said = Verdict.INCONCLUSIVE if lost == "timed_out" else Verdict.ERROR
    known = {
        check.key: Evidence(said, check.method, "", road=check.road, **{lost: True})
        for check in several.checks("a", [Road.NUMERICS])
    }
    found = run_claims(several, list(several), Settings(workers=0), known=known)
    again = read_run(stored(found, tmp_path / "x.json"), several)
    assert [item.lost for item in again.results[0].evidence] == [False, True, True]


@pytest.mark.parametrize("name", [__version__, FAST, "proofs"])
def test_an_error_repeats_little_of_a_file_and_no_control_character(verify, tmp_path, file, name):
    text = file.read_text(encoding="utf-8")
    hostile = json.dumps("\x1b]0;mine\x07" + "A" * 9999)
    file.write_text(text.replace(f'"{name}"', hostile), encoding="utf-8")
    status, _, err = verify("page", str(file), "--html", str(tmp_path / "site"))
    assert status == 2
    assert len(err) < 600
    assert err.removesuffix("\n").isprintable()


def test_a_record_within_hundreds_of_others_is_cut(verify, tmp_path, file):
    deep = "[" * 600 + '"core"' + "]" * 600
    text = file.read_text(encoding="utf-8").replace('"detail": {', f'"detail": {{"deep": {deep},')
    file.write_text(text, encoding="utf-8")
    status, _, err = verify("page", str(file), "--html", str(tmp_path / "site"))
    assert (status, err) == (0, "")
    assert "core" not in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")


def test_numbers_that_no_machine_holds_are_left_out_of_the_page(verify, tmp_path):
    registry = catalogue()
    case = {"interval": [0, 1], "quantity": "q", "at": {}, "printed": 0.5}
    huge = dict.fromkeys(("replicates", "detectable difference"), 10**400)
    found = Evidence(
        Verdict.SUPPORTED,
        "m",
        "s",
        road=Road.NUMERICS,
        detail={"cases": [case | huge | {"mutants": [["m", 10**400]]}]},
    )
    measured = Settings(roads=(Road.NUMERICS,))
    run = RunResult(measured, [ClaimResult(registry[FAST], Verdict.SUPPORTED, (found,), True)])
    path = stored(run, tmp_path / "results.json")
    status, _, err = verify("page", str(path), "--html", str(tmp_path / "site"))
    assert (status, err) == (0, "")


def test_a_place_that_cannot_hold_the_page_is_refused(verify, tmp_path, file):
    status, _, err = verify("page", str(file), "--html", str(file))
    assert status == 2
    assert err.startswith(f"verify: --html: cannot make the folder {file}: a file of that name")
    foreign = tmp_path / "index.html"
    foreign.write_text("<title>mine</title>", encoding="utf-8")
    status, _, err = verify("page", str(file), "--html", str(tmp_path))
    assert status == 2
    assert "is not a page of recallproof" in err
    assert foreign.read_text(encoding="utf-8") == "<title>mine</title>"


def test_with_a_record_of_power_the_page_says_what_became_of_the_mutants(verify, tmp_path):
    registry = catalogue()
    id_ = "nichani.thm1.mean"
    settings = Settings(roads=(Road.PROOFS,), workers=0)
    file = stored(run_claims(registry, [registry[id_]], settings), tmp_path / "results.json")
    power = tmp_path / "power.json"
    assert verify("power", id_, "--json", str(power), "--workers", "0")[0] == 0
    texts = []
    for options in ([], ["--power", str(power)]):
        site = tmp_path / f"site{len(options)}"
        assert verify("page", str(file), "--html", str(site), *options)[0] == 0
        texts.append((site / "index.html").read_text(encoding="utf-8"))
    said = f"Run on {json.loads(power.read_text(encoding='utf-8'))['mutants']} wrong statements"
    assert [said in text for text in texts] == [False, True]


@pytest.mark.parametrize("content", [None, "", "{}"])
def test_a_record_of_power_that_does_not_fit_is_refused(verify, tmp_path, file, content):
    power = tmp_path / "power.json"
    if content is not None:
        power.write_text(content, encoding="utf-8")
    site = tmp_path / "site"
    status, out, err = verify("page", str(file), "--html", str(site), "--power", str(power))
    assert (status, out) == (2, "")
    assert err.startswith("verify: --power: ")
    assert str(power) in err
    assert not site.exists()


@pytest.mark.parametrize("name", ["no-such.json", "."])
def test_results_that_cannot_be_read_are_refused(verify, tmp_path, name):
    status, out, err = verify("page", str(tmp_path / name), "--html", str(tmp_path / "site"))
    assert (status, out) == (2, "")
    assert err.startswith(f"verify: RESULTS: cannot read {tmp_path / name}")


def test_a_registry_of_ones_own_reads_its_own_runs(tmp_path, run, registry):
    path = stored(run, tmp_path / "x.json")
    assert [r.claim.id for r in read_run(path, registry).results] == [c.id for c in registry]
    with pytest.raises(UsageError, match=r"a\.thm1\.good.* and 14 more"):
        read_run(path, Registry())
