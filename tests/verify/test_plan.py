"""Plans and error budgets: what a run would measure, how much of it, and what it may get wrong.

A plan judges nothing. An error budget is cut into shares that no other check can change.
"""

import json
import math

import pytest
import torch

from numerics.observables import Bounded
from verify.auditing.plan import plan, plan_of
from verify.catalogue import catalogue
from verify.checks import properties, trial
from verify.checks.trial import decide, measured
from verify.claim import Claim, Evidence, Registry, Road
from verify.commands import running
from verify.errors import CatalogueError, UsageError
from verify.measuring.case import Case, Neighbour
from verify.measuring.context import PROPERTY_SHARES, Budget, Context, Profile
from verify.measuring.measure import Experiment, Source, Statistic, View
from verify.printed.paper import ERROR_BUDGET, SHARES
from verify.running import checking, runner, runs
from verify.running.settings import Settings
from verify.statistics import AtLeast, Between
from verify.verdict import Verdict

REGISTRY = catalogue()
MEASURED = [
    (claim, check)
    for claim in REGISTRY
    for check in REGISTRY.checks(claim.id, [Road.NUMERICS])
    if check.cases is not None
]
KEYS = [check.key for _, check in MEASURED]
#: Measurements are shared by all tests of a process, as in a run.
CONTEXT = Settings().context(REGISTRY)

#: Identities whose measurements take little time.
CHEAP = [
    f"nichani.thm1.{name}"
    for name in ("mean", "independence", "term-moments", "second-moment.corrected")
]


def draw(*, replicates, seed, start, **sizes):
    place = torch.arange(start + 1, start + replicates + 1, dtype=torch.float64)
    return {"x": Bounded((place * (math.sqrt(5) - 1) / 2 + 0.1 * seed) % 1.0, 0.0, 1.0)}


def case(claimed=None, **settings):
    """The mean of evenly spread numbers in [0, 1], against 1/2 unless said otherwise."""
    claimed = claimed or Between(0.5, 0.5, 0.05)
    sizes = {"d": 2, "N": 3}
    statistic = Statistic((Source(Experiment("even", draw), "x", sizes),))
    return Case("E[x]", sizes, statistic, lambda view: claimed, truth=0.5, **settings)


def synthetic(*cases) -> Registry:
    registry = Registry()
    registry.add(Claim("a.one", "a", "a"))
    measured(registry, "a.one", lambda printed, context: list(cases), method="m", group="g")
    return registry


# -- the cases of the catalogue ------------------------------------------------------------------


@pytest.fixture(scope="module")
def all_cases():
    """The cases of every measured check, by its key; none where one draw refutes a false line."""
    found = {}
    for claim, check in MEASURED:
        cases = check.cases(claim.formulas, CONTEXT)
        if isinstance(cases, Evidence):
            assert cases.verdict is claim.recorded is Verdict.REFUTED, check.key
            cases = []
        found[check.key] = cases
    return found


@pytest.mark.parametrize("key", KEYS)
def test_the_nearest_mutant_of_a_case_is_at_the_distance_of_its_gap(all_cases, key):
    for item in all_cases[key]:
        if item.gap is None:
            assert item.decisive == ""
            continue
        values = {n.name: n.value for n in item.neighbours}
        assert item.gap > 0
        assert abs(values[item.decisive] - item.truth) == pytest.approx(item.gap, rel=1e-9)


@pytest.mark.parametrize("key", KEYS)
def test_no_tolerance_reaches_the_nearest_mutant(all_cases, key):
    for item in all_cases[key]:
        if item.gap is not None:
            tolerance = item.claimed(View(CONTEXT, CONTEXT.share, 1)).tolerance
            assert tolerance is None or 0 < tolerance < item.gap


@pytest.mark.parametrize(
    ("claim", "check"),
    [(c, k) for c, k in MEASURED if k.same is None and k.method == "interval" and c.slip],
    ids=lambda item: getattr(item, "id", ""),
)
def test_every_mutant_is_outside_the_tolerance_of_some_case(all_cases, claim, check):
    outside = set()
    for item in all_cases[check.key]:
        tolerance = item.claimed(View(CONTEXT, CONTEXT.share, 1)).tolerance
        outside |= {n.name for n in item.neighbours if abs(n.value - item.truth) > tolerance}
    # A mutant that speaks of other quantities is refuted at their cases, not at these.
    here = claim.formulas.get("parity")
    wrong = [m for m in REGISTRY.mutants(claim.id) if not m.construction]
    assert {m.name for m in wrong if m.formulas.get("parity") == here} <= outside


# -- plan and run --------------------------------------------------------------------------------


@pytest.mark.parametrize("id_", CHEAP)
def test_a_run_stops_about_where_it_was_planned_to(id_):
    """Within a factor 2, from exact variances and from pilots."""
    claim = REGISTRY[id_]
    (check,) = (k for k in REGISTRY.checks(id_, [Road.NUMERICS]) if k.cases is not None)
    cases = check.cases(claim.formulas, CONTEXT)
    planned = list(plan(cases, CONTEXT))
    records = decide(cases, CONTEXT).detail["cases"]
    assert len(records) == len(planned)
    for record, item in zip(records, planned, strict=True):
        off = 2
        assert 1 / off <= record["replicates"] / item.replicates <= off, record["quantity"]
        assert record["replicates"] <= item.affordable


def test_a_case_that_cannot_be_decided_is_planned_without_a_number():
    (found,) = plan([case(AtLeast(0.5))], Context())
    assert found.replicates is None or found.replicates > found.affordable


def test_a_plan_draws_one_pilot_of_each_sample():
    calls = []

    def counted(**arguments):
        calls.append(arguments["start"])
        return draw(**arguments)

    sizes = {"d": 2}
    statistic = Statistic((Source(Experiment("counted", counted), "x", sizes),))
    cases = [Case("E[x]", sizes, statistic, lambda view: Between(0.5, 0.5, 0.001))] * 3
    found = plan_of(synthetic(*cases), list(synthetic(*cases)), Settings())
    assert calls == [0, 256, 512, 768]
    assert len(found.rows) == 3
    assert found.seconds == pytest.approx(found.rows[0].planned.seconds)
    assert found.rows[0].planned.replicates > 10_000


def test_a_plan_holds_what_the_claims_rest_on_as_the_run_does():
    registry = synthetic(case())
    registry.add(Claim("b.two", "b", "b", uses=("a.one",)))
    registry.check("b.two", Road.PROOFS)(lambda p, c: Evidence(Verdict.PROVED, "", ""))
    found = plan_of(registry, [registry["b.two"]], Settings())
    assert [row.claim.id for row in found.rows] == ["a.one"]


# -- the program ---------------------------------------------------------------------------------


@pytest.fixture
def judging_nothing(monkeypatch):
    """A plan that ran a check, decided a case or began a run would fail."""

    def judged(*arguments, **options):
        pytest.fail("a plan judged")

    for module, name in (
        (running, "run_with_progress"),
        (running, "run"),
        (checking, "run_check"),
        (trial, "decide"),
        (runs.RunAtWork, "begun"),
    ):
        monkeypatch.setattr(module, name, judged)


def dry_run(verify, *arguments):
    return verify("run", "--dry-run", "--device", "cpu", *arguments)


def check_plan(data, out, claims):
    assert {entry["id"] for entry in data["cases"]} == set(claims)
    for entry in data["cases"]:
        assert entry["id"] in out
        assert entry["at"]
        assert entry["seconds"] >= 0
        assert entry["affordable"] > 0
        assert (entry["nearest mutant"] is None) == (entry["distance"] is None)
        if entry["replicates"] is not None:
            assert f"{entry['replicates']:,}" in out
        if entry["distance"] is not None:
            assert f"{entry['distance']:.3g}" in out
    assert data["seconds"] > 0
    assert f"{len(data['cases'])} cases" in out


def test_a_dry_run_shows_what_would_be_measured_and_judges_nothing(
    verify, tmp_path, judging_nothing
):
    path = tmp_path / "plan.json"
    chosen = ("nichani.thm1.mean", "nichani.thm1.independence")
    status, out, _ = dry_run(verify, *chosen, "--json", str(path), "--seed", "4")
    data = json.loads(path.read_text(encoding="utf-8"))
    assert status == 0
    check_plan(data, out, chosen)
    assert (data["profile"], data["seed"], data["error_budget"]) == ("quick", 4, ERROR_BUDGET)
    said = " ".join(out.split())
    assert "d = 2, N" in said
    assert "y in the image" in said
    assert "claims" not in data
    assert not (tmp_path / "cache").exists()


@pytest.mark.slow
def test_the_whole_theorem_can_be_planned(verify, judging_nothing):
    status, out, err = dry_run(verify, "nichani.thm1.*", "--json", "-")
    assert status == 0
    theorem = {claim.id for claim, _ in MEASURED if claim.id.startswith("nichani.thm1.")}
    check_plan(json.loads(out), err, theorem)
    assert "a control" in err


def test_the_plan_goes_to_stdout_as_json_and_to_stderr_as_a_table(verify, monkeypatch):
    gap = {"gap": 0.2, "neighbours": (Neighbour("0.7 for 0.5", 0.7),)}
    registry = synthetic(case(**gap), case(control=True), case())
    monkeypatch.setattr(running, "catalogue", lambda: registry)
    status, out, err = dry_run(verify, "a.one", "--json", "-", "--budget", "1e-3")
    data = json.loads(out)
    assert status == 0
    assert [entry["nearest mutant"] for entry in data["cases"]] == ["0.7 for 0.5", None, None]
    assert data["error_budget"] == 1e-3
    assert "0.7 for" in err
    assert "off by 0.2" in err
    assert "a control" in err
    assert "sets the width" in " ".join(err.split())
    assert "error budget 0.001" in err


def test_on_the_exact_road_nothing_is_planned(verify, judging_nothing, monkeypatch):
    monkeypatch.setattr(trial, "sampled", lambda *arguments: pytest.fail("drawn"))
    status, out, err = dry_run(verify, "nichani.thm1.mean", "--road", "proofs", "--json", "-")
    data = json.loads(out)
    assert status == 0
    assert (data["cases"], data["seconds"]) == ([], 0)
    assert "0 cases" in err


def test_what_a_profile_does_not_afford_is_marked(verify, monkeypatch):
    registry = synthetic(case(Between(0.5, 0.5, 1e-4)))
    monkeypatch.setattr(running, "catalogue", lambda: registry)
    status, out, err = dry_run(verify, "a.one", "--json", "-")
    (entry,) = json.loads(out)["cases"]
    assert status == 0
    assert entry["replicates"] > entry["affordable"]
    assert "1 of them need more than the quick profile affords" in err


# -- error budgets -------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["0", "-1", "1", "2", "nan", "inf", "-0.0"])
@pytest.mark.parametrize("more", [(), ("--dry-run",)])
def test_a_budget_that_is_no_probability_is_bad_usage(verify, value, more):
    status, out, err = verify("run", "nichani.thm1.union", "--budget", value, *more)
    assert status == 2
    assert out == ""
    assert len(err.strip().splitlines()) == 1
    for words in ("--budget", f"{float(value):g}", "between 0 and 1", "1e-06"):
        assert words in err


def test_a_budget_that_is_no_number_is_bad_usage(verify):
    status, _, err = verify("run", "nichani.thm1.union", "--budget", "much")
    assert status == 2
    assert "--budget" in err
    assert "much" in err


@pytest.mark.parametrize("value", [0, -1, 1, 2, math.nan, math.inf])
def test_no_context_and_no_settings_have_such_a_budget(value):
    with pytest.raises(ValueError, match="budget"):
        Budget(value)
    with pytest.raises(UsageError, match="--budget"):
        Settings(budget=value)


def test_the_budget_is_reported_in_the_json_on_the_page_and_on_the_terminal(
    verify, monkeypatch, tmp_path
):
    registry = synthetic(case())
    monkeypatch.setattr(running, "catalogue", lambda: registry)
    options = ("--workers", "0", "--device", "cpu", "--budget", "0.00025")
    status, out, err = verify("run", "a.one", *options, "--json", "-", "--html", str(tmp_path))
    data = json.loads(out)
    assert status == 0
    assert data["run"]["error_budget"] == 0.00025
    assert data["claims"][0]["evidence"][0]["detail"]["cases"][0]["error share"] == 0.00025 / SHARES
    assert "error budget 0.00025" in err
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "Error budget" in page
    assert "0.00025" in page


def test_a_smaller_budget_gives_wider_intervals_and_takes_more_draws():
    widths, draws = [], []
    for budget in (0.5, 1e-3, 1e-6, 1e-12, 1e-100):
        context = Context(budget=Budget(budget))
        widths.append(View(context, context.share, 3).interval(case().statistic).half_width)
        (record,) = decide([case()], context).detail["cases"]
        assert record["error share"] == context.share
        draws.append(record["replicates"])
    assert widths == sorted(set(widths))
    assert draws == sorted(draws)
    assert draws[-1] > draws[0]


def test_the_share_of_a_check_does_not_depend_on_what_else_runs():
    """Neither other claims, other roads, other processes nor earlier measurements change it."""
    shares = {
        Settings(roads=roads, workers=workers).context(registry).judging("nichani.thm1.mean").share
        for roads in ((Road.NUMERICS,), tuple(Road))
        for workers in (0, 7)
        for registry in (REGISTRY, Registry())
    }
    assert shares == {CONTEXT.share} == {ERROR_BUDGET / SHARES}
    alone = decide([case()], Context())
    context = Context()
    decide([case(), case(Between(0.5, 0.5, 0.01))], context)
    assert decide([case()], context) == alone


@pytest.mark.parametrize("name", REGISTRY.papers)
def test_the_checks_of_a_paper_share_its_budget(name):
    """A check spends what a context grants it."""
    parts = {Road.NUMERICS: "share", Road.PROPERTIES: "property_share"}
    spent = [
        getattr(CONTEXT.judging(claim.id), parts[check.road])
        for claim in REGISTRY
        if REGISTRY.paper_of(claim.id).name == name
        for check in REGISTRY.checks(claim.id, parts)
    ]
    assert math.fsum(spent) <= REGISTRY.papers[name].error_budget
    assert CONTEXT.property_share == PROPERTY_SHARES * CONTEXT.share


def test_claims_without_a_paper_that_would_overdraw_the_budget_are_refused():
    registry = Registry()
    registry.add(Claim("a", "a", "a"))
    for k in range(SHARES // PROPERTY_SHARES):
        registry.check("a", Road.PROPERTIES, method=str(k))(lambda p, c: None)
    registry.validate()
    registry.check("a", Road.NUMERICS)(lambda p, c: None)
    with pytest.raises(CatalogueError, match="shares"):
        registry.validate()
    with pytest.raises(CatalogueError, match="shares"):
        runner.run(registry, [registry["a"]], Settings(workers=0))


@pytest.mark.parametrize(
    "id_", [*CHEAP, "nichani.thm1.second-moment-split", "nichani.thm1.explicit.mgf"]
)
def test_the_cases_of_a_check_stay_within_its_share(id_):
    """A case with measured factors spends its error on each of them as well."""
    claim = REGISTRY[id_]
    (check,) = (k for k in REGISTRY.checks(id_, [Road.NUMERICS]) if k.cases is not None)
    cases = check.cases(claim.formulas, CONTEXT)
    records = decide(cases, CONTEXT).detail["cases"]
    spent = math.fsum(r["error share"] * c.parts for r, c in zip(records, cases, strict=True))
    assert 0 < spent <= CONTEXT.share * (1 + 1e-12)


@pytest.mark.parametrize("profile", Profile)
@pytest.mark.parametrize(
    "key", [k.key for c in REGISTRY for k in REGISTRY.checks(c.id, [Road.PROPERTIES])]
)
def test_the_examples_of_a_property_stay_within_its_shares(monkeypatch, profile, key):
    spent = []

    def instead(check, scope, context, *, chance=0.0, **strategies):
        spent.append(chance * properties.EXAMPLES * profile.effort)
        return Evidence(Verdict.SUPPORTED, "", "", scope=scope)

    monkeypatch.setattr(properties, "run_property", instead)
    claim = REGISTRY[key.split("/")[0]]
    (check,) = (k for k in REGISTRY.checks(claim.id, [Road.PROPERTIES]) if k.key == key)
    context = Settings(profile=profile).context(REGISTRY)
    check.run(claim.formulas, context)
    assert len(spent) == 1
    assert 0 < spent[0] <= context.property_share * (1 + 1e-12)


@pytest.mark.parametrize(
    "option", [("--html", "page"), ("--junit", "verdicts.xml"), ("--resume",)], ids=lambda o: o[0]
)
def test_a_plan_has_no_verdicts_to_write_or_to_resume(verify, tmp_path, monkeypatch, option):
    monkeypatch.chdir(tmp_path)
    status, _, err = verify("run", "nichani.thm1.union", "--dry-run", *option)
    assert status == 2
    assert f"{option[0]}: a --dry-run has no verdicts" in err
    assert list(tmp_path.iterdir()) == []
