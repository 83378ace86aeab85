"""The documentation site builds without a network, its examples run, and its quotations are current."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from verify import __version__
from verify.catalogue import catalogue
from verify.claim import Claim, Evidence, Reading, Road
from verify.cli import cli
from verify.report.errata import markdown
from verify.report.machine import run_json
from verify.report.state import state_page
from verify.report.text import by_paper
from verify.running.runner import ClaimResult, RunResult
from verify.running.settings import Settings
from verify.verdict import Verdict

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
EXAMPLE = ROOT / "examples" / "mini-paper"


def text_of(name):
    return (DOCS / name).read_text(encoding="utf-8")


# -- the site -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The site, built strictly."""
    if find_spec("mkdocs") is None:
        pytest.skip("mkdocs is not installed: pip install 'recallproof[docs]'")
    target = tmp_path_factory.mktemp("site") / "site"
    nowhere = "http://127.0.0.1:9"
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-d", str(target)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "http_proxy": nowhere, "https_proxy": nowhere},
    )
    assert done.returncode == 0, done.stderr
    return target


class _Fetched(HTMLParser):
    """What a browser fetches to show a page."""

    def __init__(self):
        super().__init__()
        self.addresses = []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag in ("script", "img", "iframe", "source"):
            self.addresses.append(given.get("src"))
        if tag == "link":
            self.addresses.append(given.get("href"))


@pytest.mark.slow
def test_no_page_fetches_anything_from_elsewhere(site):
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 20
    for page in pages:
        fetched = _Fetched()
        fetched.feed(page.read_text(encoding="utf-8"))
        outside = [a for a in fetched.addresses if a and re.match(r"(https?:)?//", a)]
        assert not outside, page.name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("proofs", "margin_variance"),
        ("proofs", "decide_nonnegative"),
        ("numerics", "LinearMemory"),
        ("verify", "judge"),
        ("verify", "Registry"),
    ],
)
def test_the_reference_has_the_name_with_its_docstring(site, page, name):
    text = (site / "reference" / f"{page}.html").read_text(encoding="utf-8")
    section = text.partition(f'id="{name.lower()}"')[2].partition("<h3")[0]
    assert "<p>" in section
    assert "<code>" in section


@pytest.mark.slow
@pytest.mark.parametrize("width", [400, 1400])
def test_every_page_opens_from_disk_and_is_no_wider_than_the_window(site, browser, width):
    for page in sorted(site.rglob("*.html")):
        if page.name == "404.html":
            continue  # its links are those of a server
        browser.open(page.as_uri(), width=width)
        # The search needs a server; a page from disk does without.
        complaints = [c for c in map(str, browser.complaints()) if "search/worker.js" not in c]
        assert not complaints, page.name
        assert all(url.startswith(("file:", "data:", "about:")) for url in browser.requests())
        assert browser.overflow() <= 0, page.name


@pytest.mark.slow
def test_every_page_of_the_folder_is_in_the_site(site):
    names = {path.stem for path in DOCS.glob("*.md")} - {"README"}
    assert names <= {path.stem for path in site.glob("*.html")}


@pytest.mark.slow
def test_the_formulas_of_the_errata_are_typeset(site):
    text = (site / "errata.html").read_text(encoding="utf-8")
    body = text.partition('role="main"')[2]
    assert body.count("<math") > 500
    assert body.count("<math") == body.count("</math>")
    assert "T^*" in text_of("errata.md")
    assert "$" not in re.sub(r"<code>.*?</code>", "", body, flags=re.DOTALL)
    assert "\\<" not in body
    assert "<em>" not in body  # the sheet has none; a star of a formula would begin one


# -- the pages ------------------------------------------------------------------------------------


@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_is_explained_in_the_words_of_the_program(verdict):
    assert f"| `{verdict}` | {verdict.meaning} |" in text_of("verdicts.md")


def test_the_tutorial_quotes_the_example_as_it_is():
    files = "".join(
        path.read_text(encoding="utf-8")
        for path in [*EXAMPLE.glob("mini_paper/*"), *EXAMPLE.glob("*.*")]
        if path.is_file()
    )
    blocks = re.findall(r"```(?:python|toml)\n(.*?)```", text_of("audit-a-paper.md"), re.DOTALL)
    assert len(blocks) >= 6
    for block in blocks:
        assert block.strip() in files


@pytest.mark.parametrize(("language", "name"), [("ini", "tox.ini"), ("yaml", "verify.yml")])
def test_the_how_to_on_continuous_integration_quotes_the_files(language, name):
    (block,) = re.findall(rf"```{language}\n(.*?)```", text_of("continuous-integration.md"), re.S)
    assert block == (EXAMPLE / name).read_text(encoding="utf-8")


def test_the_errata_in_the_documentation_are_those_of_this_catalogue():
    registry = catalogue()
    false = [claim for claim in registry if claim.recorded is Verdict.REFUTED]
    text = text_of("errata.md")
    head = text.partition(" The gravest")[0]
    assert f"\n{len(false)} of " in head
    for paper, claims in by_paper(false).items():
        assert re.search(rf"{len(claims)} of \d+ in {re.escape(paper)}", head)
    assert set(re.findall(r"^`([\w.-]+)`: ", text, re.MULTILINE)) == {c.id for c in false}
    flat = " ".join(text.split())
    for claim in false:
        for part in (claim.statement, claim.consequence, *claim.worked):
            assert " ".join(markdown(part).split()) in flat, claim.id


# -- the state of the papers ----------------------------------------------------------------------


DAY = date(2031, 5, 17)


def result(claim, verdict, ok=True):
    return ClaimResult(claim, verdict, (), ok)


def page(*results):
    registry = catalogue()
    return state_page(RunResult(Settings(seed=3), list(results)), DAY, registry)


def test_the_state_names_its_day_its_run_and_every_verdict():
    registry = catalogue()
    unchecked = next(claim for claim in registry if claim.recorded is None)
    text = page(
        result(registry["nichani.thm1.mean"], Verdict.PROVED),
        result(registry["nichani.thm1.second-moment"], Verdict.REFUTED),
        result(replace(unchecked, paper=registry["nichani.thm1.mean"].paper), Verdict.NOT_RUN),
    )
    assert f"As of 2031-05-17: version {__version__}, quick profile, seed 3, cpu." in text
    assert "✓ proved" in text
    assert "2 of 3 claims have been checked, our corrections and explicit forms included;" in text
    assert "; 1 of 2 printed statements is false as it stands." in text
    assert "numbered result" not in text
    assert f'<tr id="{unchecked.id}">' not in text
    assert "Not as recorded" not in text


def test_damaged_text_accuses_nobody():
    claim = Claim("own.damaged", "t", "s", paper="p", reading=Reading.DAMAGED)
    text = page(result(claim, Verdict.REFUTED))
    assert "0 of 1 printed statement is false as it stands" in text


def test_the_state_says_what_becomes_of_the_results():
    registry = catalogue()
    right = result(registry["nichani.lem13.corrected"], Verdict.PROVED)
    text = page(result(registry["nichani.lem13"], Verdict.REFUTED), right)
    assert "Of 1 numbered result, 0 hold as printed, 1 holds after a change; none is lost." in text
    assert '<th scope="row">Lemma 13</th><td>✗ refuted, as read here</td>' in text
    assert '<a href="#nichani.lem13.corrected">corrected form</a> ✓ proved' in text


def test_a_correction_is_linked_only_where_the_page_has_it():
    false = Claim("own.false", "t", "s", correction="own.right")
    right = Claim("own.right", "t", "s")
    assert "#own.right" not in page(result(false, Verdict.REFUTED))
    both = page(result(false, Verdict.REFUTED), result(right, Verdict.PROVED))
    assert '<a href="#own.right">' in both


def test_refuted_comes_right_after_proved_and_leads_to_the_errata():
    verdicts = [Verdict.NOT_RUN, Verdict.CERTIFIED, Verdict.REFUTED, Verdict.PROVED]
    text = page(*(result(Claim(f"own.{v}", "t", "s"), v) for v in verdicts))
    columns = re.findall(r'<th scope="col">. ([a-z-]+)</th>', text)
    assert columns == ["proved", "refuted", "certified", "not-run"]
    assert re.findall(r'<a href="errata.md#(.*?)">why</a>', text) == ["own.refuted"]


def test_every_false_line_of_the_state_leads_to_its_entry_in_the_errata():
    links = re.findall(r'<a href="errata.md#(.*?)">why</a>', text_of("state.md"))
    assert len(links) > 80
    assert set(links) == set(re.findall(r'^### <a id="(.*?)"></a>', text_of("errata.md"), re.M))


@pytest.mark.slow
def test_the_links_to_the_errata_lead_somewhere_on_the_site(site):
    links = re.findall(
        r'<a href="errata.html#(.*?)">why</a>', (site / "state.html").read_text(encoding="utf-8")
    )
    assert len(links) > 80
    errata = (site / "errata.html").read_text(encoding="utf-8")
    assert all(f'<a id="{id_}">' in errata for id_ in links)


def test_a_verdict_that_is_not_as_recorded_is_named():
    text = page(result(Claim("own.claim", "t", "s"), Verdict.REFUTED, ok=False))
    assert "**Not as recorded**: `own.claim`." in text


def test_markup_in_a_claim_stays_text():
    attack = "<script>alert(1)</script> | *x*"
    text = page(
        result(Claim("own.markup", attack, "s", paper=attack, where=attack), Verdict.PROVED)
    )
    assert "<script" not in text
    assert text.count("&lt;script&gt;") == 4


def test_no_control_character_is_in_the_page():
    attack = "\x1b[31m\x9b"
    text = page(result(Claim(f"own.{attack}", attack, "s", paper=attack), Verdict.PROVED, False))
    assert all(line.isprintable() for line in text.splitlines())


def test_the_page_is_written_from_the_file_of_a_run_and_dated_by_it(tmp_path):
    path = tmp_path / "results.json"
    found = result(catalogue()["nichani.thm1.mean"], Verdict.PROVED)
    checks = catalogue().checks("nichani.thm1.mean", [Road.PROOFS])
    proofs = (Evidence(Verdict.PROVED, it.method, "s", road=Road.PROOFS) for it in checks)
    run = RunResult(Settings(roads=(Road.PROOFS,)), [replace(found, evidence=tuple(proofs))])
    path.write_bytes(run_json(run))
    os.utime(path, (86400, 86400))
    exported = CliRunner().invoke(cli, ["export", "--format", "markdown", "--results", str(path)])
    assert exported.output == state_page(run, date(1970, 1, 2), catalogue())


def test_the_page_in_the_documentation_is_dated_and_of_this_catalogue():
    text = text_of("state.md")
    assert re.search(r"^As of \d{4}-\d\d-\d\d: version ", text, re.MULTILINE)
    named = re.findall(r'<tr id="([\w.-]+)">', text)
    assert len(named) > 200
    registry = catalogue()
    assert not [id_ for id_ in named if id_ not in registry]


def test_the_readme_says_of_the_papers_what_the_page_says():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    page, readme = (" ".join(text.split()) for text in (text_of("state.md"), readme))
    false, idle = re.search(r"(\d+ of \d+ printed [^;]*); (\d+) have no check yet\.", page).groups()
    counts = re.search(
        r"Of (\d+) numbered results, (\d+) hold .*?, (\d+) hold after", page
    ).groups()
    assert f"{false}, most of them" in readme
    assert f"{idle} more statements wait for their checks." in readme
    assert "{} numbered results, {} hold as printed and {} after".format(*counts) in readme
