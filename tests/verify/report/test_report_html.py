"""The page: complete, self-contained, linked, and closed to whatever a claim may say."""

# ruff: noqa: RUF001  (labels hold signs that look like letters)

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.auditing.power_record import PowerRecord
from verify.catalogue import catalogue
from verify.claim import Reading, Registry, Road, Severity
from verify.drawing.palette import Role
from verify.errors import UsageError
from verify.measuring.context import Profile
from verify.report.page.false_lines import false_lines
from verify.report.page.html import page, reproduce, write_page
from verify.running.runner import RunResult
from verify.running.settings import Settings
from verify.typeset.mathml import rich_text
from verify.verdict import Verdict

COMMAND = "verify run --html out"
MARKUP = "<script>alert(1)</script>"
VOID = {"meta", "link", "input", "wbr", "br", "hr", "img"}


class Reader(HTMLParser):
    """Collects elements with attributes, and the text; checks that elements are closed in order."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements = []
        self.text = ""
        self.words = []
        self._open = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if self._open[-1:] not in (["style"], ["script"]):
            self.text += data
            self.words += data.split()

    def having(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]

    def measured(self):
        """The pictures of measured cases, without those of the graph."""
        return [a for a in self.having("svg") if a.get("class") not in ("bar", "lines")]


@pytest.fixture
def text(run, registry):
    return page(run, registry, command=COMMAND)


@pytest.fixture
def read(text):
    return Reader(text)


@pytest.fixture
def of(run):
    """The results by claim."""
    return {result.claim.id: result for result in run.results}


@pytest.fixture
def shown(run, registry):
    """The page of a run of these results alone."""
    return lambda *results: page(RunResult(run.settings, list(results)), registry, command=COMMAND)


def test_every_claim_has_a_place_and_ids_are_unique(read, registry):
    ids = [attributes["id"] for _, attributes in read.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for claim in registry:
        idle = claim.id.startswith("b.idle")
        assert f"{'listed' if idle else 'claim'}-{claim.id}" in ids
        assert (f"row-{claim.id}" in ids) is not idle


def test_every_claim_can_be_found_by_part_and_by_kind(read):
    claims = [a for a in read.having("details") if a.get("class", "").startswith("claim")]
    offered = {a["value"] for a in read.having("option") if a.get("value", "").startswith("part-")}
    assert {a["data-part"] for a in claims} == offered
    assert {a["data-kind"] for a in claims} == {"identity"}
    assert {"by-part", "by-kind"} <= {a["id"] for a in read.having("select")}


def test_every_link_leads_somewhere_on_the_page(read):
    ids = {attributes.get("id") for _, attributes in read.elements}
    targets = [attributes["href"] for attributes in read.having("a")]
    assert len(targets) > 20
    assert [t for t in targets if not t.startswith("#") or t[1:] not in ids] == []


def test_nothing_is_loaded_from_outside(text, read):
    assert re.search(r"https?:|@import|url\(", text) is None
    assert [a for _, a in read.elements if "src" in a] == []
    assert [a["href"] for a in read.having("link")] == ["data:,"]


def test_what_claims_say_never_becomes_markup(read):
    assert len(read.having("script")) == 1
    assert read.having("img") == []
    handlers = [name for _, a in read.elements for name in a if name.startswith("on")]
    assert handlers == []
    assert read.text.count("<script>alert(1)</script>") >= 8
    assert "{{ 7 * 7 }}" in read.text


def test_only_the_script_of_the_page_may_run(text, read):
    policy = next(a["content"] for a in read.having("meta") if "http-equiv" in a)
    script = text[text.rindex("<script>") + len("<script>") : text.rindex("</script>")]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy


def test_the_header_says_what_is_not_as_recorded(read):
    header = " ".join(read.words)[:900]
    assert "Not as recorded." in header
    for id_ in ("b.conflict", "b.error", "b.other"):
        assert id_ in header
    assert "left undecided by this run: b.undecided" in header


def test_a_sound_run_says_so_and_a_lost_claim_shows(sound, registry):
    assert "As recorded: 6 claims" in Reader(page(sound, registry, command=COMMAND)).text
    sound.missing = ["a.lost"]
    lost = Reader(page(sound, registry, command=COMMAND)).text
    assert "Missing from the catalogue: a.lost" in lost
    assert "As recorded: 6 claims" not in lost


def test_the_front_leads_with_what_is_false(of, shown):
    for ids, lead in (
        (
            ["a.thm1.false", "a.thm1.good"],
            "1 of 2 printed statements is false as it stands (in one reading of an ambiguous"
            " text). Of the 1, 1 changes a constant or a formula.",
        ),
        (
            ["a.thm1.good", "a.thm1.false.corrected"],
            "None of 1 printed statement with a check was found false as it stands. Besides, 1"
            " correction or explicit form of our own: supported.",
        ),
        (["a.thm1.false", "b.undecided"], "They are 1 of 1 in First paper, 0 of 1 in Second."),
    ):
        words = " ".join(Reader(shown(*(of[id_] for id_ in ids))).words)
        assert words.index(lead) < words.index("As recorded: 2 claims with a check")


def test_the_front_leaves_the_command_to_the_foot(run, registry):
    text = page(run, registry, command="verify run --html /home/somebody/page")
    assert text.count("/home/somebody/page") == 1
    assert text.index("<footer>") < text.index("/home/somebody/page")


def test_the_front_says_of_which_papers_claims_have_no_check(sound, shown):
    idle = [result for result in sound.results if result.claim.id.startswith("b.idle")]
    first = [result for result in sound.results if result.claim.paper == "First paper"]
    own = replace(idle[0], claim=replace(idle[0].claim, paper="First paper"))
    text = Reader(shown(*first, own, *idle[1:])).text
    assert (
        f"{len(idle)} more have none yet: 1 of papers judged here, {len(idle) - 1} of another."
        in text
    )


def test_papers_without_a_verdict_are_named_once_and_have_no_map(sound, shown):
    idle = [result for result in sound.results if result.claim.id.startswith("b.idle")]
    judged = [result for result in sound.results if result.claim.paper == "First paper"]
    text = shown(*judged, *idle)
    graph = text[text.index('<section id="graph"') : text.index('<section id="errata"')]
    assert "<h3>First paper" in graph
    assert "Second" not in graph
    listed = text[text.index('<section id="idle"') : text.index('<section id="words"')]
    words = " ".join(Reader(listed).text.split())
    assert "No statement has a verdict yet of Second (8 statements)." in words


def test_the_words_that_the_page_uses_are_explained(read):
    words = " ".join(read.text.split())
    explained = words[words.index("Words and plots", words.index("Trusted base")) :]
    for word in ("theorem", "gap", "constant", "wording", "Road", "Record", "Scope", "Reading"):
        assert word in explained
    for word in ("Rests on", "In the paper drawn from", "Tested constants", "Wrong statement"):
        assert word in explained


def test_an_empty_run_is_said_to_be_empty(shown):
    empty = shown()
    assert "This run held no claim." in empty


def test_a_section_tells_the_whole_story(text):
    section = text[
        text.index('id="claim-a.thm1.false"') : text.index('id="claim-a.thm1.false.corr')
    ]
    body = section[section.index("<summary>") : section.rindex("</details>")]
    words = " ".join(Reader(body).words)
    place = 0
    for part in (
        "✗ refuted ambiguous reading First paper, Lemma 2",
        "Ambiguous: Read with M at most N.",
        f"✗ refuted ambiguous reading {Verdict.REFUTED.meaning}",
        "What is false at d = 2, N = 1 exact 3/2 inf -inf",
        "What is right V a r ≤ 3 / d a.thm1.false.corrected ~ supported",
        "What follows The theorem stands.",
        "How sure proofs an exact counterexample; no line of it is reasoning in words.",
        "No check: numerics, properties.",
        "What would have been rejected",
        "Record as recorded",
        "Its refutation takes no other claim; derived from the definitions",
        "Severity constant",
        "Reproduce verify run a.thm1.false --seed 7",
        "Take along verify show a.thm1.false --latex , verify export a.thm1.false --format bibtex",
        "proofs: exact identity ✗ refuted",
        "3/2, not 7/4",
    ):
        assert part in words[place:], part
        place = words.index(part, place)
    assert "counterexample at d = 2" not in words


def test_a_counterexample_is_worked_by_hand_before_the_values(of, shown):
    base = of["a.thm1.false"]
    lines = ("At $d = 2$ it is [[1 + 1/2 = 3/2]].", MARKUP)
    worked = replace(base, claim=replace(base.claim, by_hand=lines))
    text = shown(worked)
    (shown,) = re.findall('<ol class="worked">(.*?)</ol>', text, re.DOTALL)
    detail = text[text.index('id="claim-a.thm1.false"') :]
    assert detail.index("What is false") < detail.index('class="worked"') < detail.index("<dt>at<")
    assert "<li>At <math><mi>d</mi>" in shown
    assert "<mfrac>" in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt;</li>" in shown
    errata = text[text.index('<section id="errata"') : text.index('<section id="claims"')]
    assert '<details data-worked="claim-a.thm1.false"><summary>By hand</summary>' in errata
    assert re.search(r'data-what="Fails">At <math>.*?</math>', errata)
    assert "at d = 2, N = 1" not in errata


def test_a_counterexample_is_not_told_again_below_its_values(of, shown):
    base = of["a.thm1.false"]
    found = replace(base.evidence[0], summary="fails at d = 2", scope="counterexample at d = 2")
    other = replace(found, counterexample={"at": {"d": 3}}, summary="fails at d = 3")
    text = shown(replace(base, evidence=(found, other)))
    assert "<p>fails at d = 2</p>" not in text
    assert "<p>fails at d = 3</p>" in text


def test_how_a_text_is_read_stands_right_below_it(of, shown):
    base = of["a.thm1.false"]
    for reading, tag, label in (
        (Reading.AMBIGUOUS, "ambiguous reading", "Ambiguous"),
        (Reading.DAMAGED, "damaged text", "Damaged"),
        (Reading.AS_PRINTED, "", "Reading"),
    ):
        read = replace(base, claim=replace(base.claim, reading=reading))
        text = shown(read)
        of = text[text.index('id="claim-a.thm1.false"') :]
        assert re.search(rf"</blockquote>\s*<p class=.*?><b>{label}:</b> Read with M", of)
        summary = of[: of.index("</summary>")]
        assert (f'<span class="tag">{tag}</span>' in summary) is bool(tag)
        assert ('class="tag"' in summary) is bool(tag)


def test_what_no_paper_prints_is_not_called_printed(of, shown):
    base = of["a.thm1.false.corrected"]
    steps = ("E:", "  printed: 2/d", "from 8 draws, printed at most 1, nearest (as printed)")
    proof = replace(base.evidence[0], summary="at most the printed bound", steps=steps)
    for id_, said in (
        ("a.thm1.false.corrected", "stated"),
        ("a.thm1.explicit.x", "stated"),
        ("a.thm1.x", "printed"),
    ):
        part = replace(base, claim=replace(base.claim, id=id_), evidence=(proof,))
        text = shown(part)
        for words in (
            f"at most the {said} bound",
            f"  {said}: 2/d",
            f"draws, {said} at most 1, nearest (as printed)",
        ):
            assert words in text


def test_what_can_be_taken_along_is_said(run, shown):
    base = run.results[0]
    proof = replace(base.evidence[0], detail={"derived": {"a": "d^2"}})
    measured = replace(base.evidence[0], detail={"cases": [EQUAL]})
    for evidence, said in (
        ((proof,), "--format bibtex or latex, python proofs:"),
        ((measured,), "--format bibtex or svg, png"),
        ((proof, measured), "--format bibtex or latex, python, svg, png"),
    ):
        words = " ".join(Reader(shown(replace(base, evidence=evidence))).words)
        assert said in words


def test_a_false_claim_that_the_run_left_open_still_says_what_is_false(of, shown):
    base = of["a.thm1.false"]
    proof = replace(base.evidence[0], verdict=Verdict.INCONCLUSIVE, counterexample=None)
    for verdict, wanted in ((Verdict.INCONCLUSIVE, True), (Verdict.PROVED, False)):
        text = shown(replace(base, verdict=verdict, evidence=(proof,)))
        assert ("<h5>What is false</h5>" in text) is wanted


def test_what_the_paper_draws_a_claim_from_is_told_from_what_it_rests_on(run):
    base = run.results[0]
    claims = [
        replace(base.claim, id="p.lem1.a", uses=(), tier=2),
        replace(base.claim, id="p.lem1.b", uses=(), printed_uses=("p.lem1.a",), tier=2),
        replace(base.claim, id="p.thm1.c", uses=("p.lem1.a",), printed_uses=("p.lem1.b",), tier=1),
    ]
    own = Registry()
    for claim in claims:
        own.add(claim)
    refuted = replace(base.evidence[0], verdict=Verdict.REFUTED)
    results = [replace(base, claim=claim) for claim in claims]
    results[0] = replace(results[0], verdict=Verdict.REFUTED, evidence=(refuted,))
    text = page(RunResult(run.settings, results), own, command=COMMAND)
    words = " ".join(Reader(text).words)
    assert (
        "Rests on no other claim; derived from the definitions In the paper drawn from p.lem1.a"
        in (words)
    )
    assert "Rests on p.lem1.a In the paper drawn from p.lem1.b" in words
    assert "What the paper draws from it p.thm1.c" in words
    assert "The paper draws from it p.lem1.b and through it p.thm1.c" in words


def test_claims_are_found_by_their_source_and_by_what_signs_are_called(read):
    words = {a["id"]: a["data-words"] for a in read.having("tr") if "data-words" in a}
    assert "theorem 1" in words["row-a.thm1.good"]
    assert "app. b, a display" in words["row-a.thm1.good"]
    assert "𝔼[γ_xy] = 1" in words["row-a.thm1.good"]
    assert "expectation" in words["row-a.thm1.good"]
    assert "appendix b" in words["row-a.thm1.good"]
    assert words["row-a.thm1.false"].endswith("refuted")
    assert "variance" in words["row-a.thm1.false.corrected"]
    assert "variance" not in words["row-a.thm1.good"]


def test_the_front_has_a_search_and_leads_to_pictures_only_where_there_are_some(text, read):
    front = text[text.index("<header>") : text.index("<main>")]
    assert '<input id="find" type="search"' in front
    assert "#fits" not in front
    assert [a["id"] for a in read.having("section") if a.get("id") == "fits"] == ["fits"]


def test_the_front_says_how_many_wrong_statements_were_rejected(run, registry):
    power = PowerRecord(5, 5, {}, frozenset(), {}, {}, frozenset())
    for record, said in (
        (power, "Run on 5 wrong statements near these, the checks rejected all."),
        (replace(power, killed=4), "the checks rejected 4; 1 survived ."),
    ):
        words = " ".join(Reader(page(run, registry, command=COMMAND, power=record)).words)
        assert said in words


def test_steps_keep_their_order_and_indentation(text):
    steps = '<li>𝔼[γ]:<span class="sub">  W = ∑_z u_z e_zᵀ</span><span class="sub">    deeper'
    assert f"{steps}</span></li><li>so it is 1</li>" in text


def test_what_is_no_latex_is_shown_in_unicode(run, shown):
    base = run.results[0]
    proof = replace(
        base.evidence[0],
        summary="gamma^2 <= 2",
        scope="d >= 1",
        steps=("the sum is $\\frac{1}{d}$   [gamma^2 < <script>alert(1)</script>]",),
    )
    text = shown(replace(base, evidence=(proof,)))
    assert "<p>γ² ≤ 2</p>" in text
    assert "Scope: d ≥ 1" in text
    assert (
        "<li>the sum is <math><mfrac><mrow><mn>1</mn></mrow><mrow><mi>d</mi></mrow></mfrac></math>"
        "   [γ² &lt; &lt;script&gt;alert(1)&lt;/script&gt;]</li>"
    ) in text


def test_a_proof_says_how_much_of_it_is_in_words(run, shown):
    base = run.results[0]
    steps = ("it is 1", "it is the mean   [in words: by symmetry]")
    proof = replace(base.evidence[0], steps=steps)
    words = Reader(shown(replace(base, evidence=(proof,)))).text
    assert f"{Verdict.PROVED.meaning} (1 of 2 lines in words)" in words


def test_verdicts_are_shown_by_word_and_sign(text):
    for name, sign in (("proved", "✓"), ("supported", "~"), ("conflict", "!"), ("error", "E")):
        shown = f'v-{name}"><i aria-hidden="true">{sign}</i> {name}</b>'
        assert shown in text


def test_statements_become_mathml_or_text(text):
    assert "<mi>\N{GREEK SMALL LETTER GAMMA}</mi>" in text
    assert "E[x_1 * x_2] &lt;= 2/d for f* and [N](t)" in text
    assert "xmlns" not in text


def test_control_characters_do_not_reach_the_page(text):
    assert "\x1b" not in text
    assert "\x00" not in text


def test_cases_with_numbers_are_drawn_and_others_are_told(read):
    words = " ".join(read.words)
    for caption in (
        "𝔼[γ] at d = 2, N = 3 printed value inside the interval printed 1 0.8 1.0 1.2 𝔼[γ] "
        "Measured 0.95 to 1.04 from 4,096 draws; printed 1, tolerance 0.25.",
        "far at d = 2 printed value above the interval",
        "Measured 0.1 to 0.2; printed 7.5.",
        "Measured 0 to 1; printed undefined.",
        "broken Measured unknown to 1; printed nan.",
    ):
        assert caption in words
    assert [a.get("class") for a in read.measured()].count("plot") == 4
    for attributes in (a for name, a in read.elements if name in ("rect", "path", "text")):
        assert "nan" not in "".join(attributes.values())


def test_assumptions_name_the_claims_that_rest_on_them(read):
    words = " ".join(read.words)
    start = words.index("What is taken on trust")
    assert "Boole's inequality: cited Named by a.thm1.good" in words[start:]


def test_assumptions_reach_through_what_claims_rest_on(of, shown):
    base = of["a.thm1.false.corrected"]
    cited = replace(base, evidence=(replace(base.evidence[0], assumptions=("trust me",)),))
    words = " ".join(Reader(shown(of["a.thm1.good"], cited)).words)
    assert "trust me Named by a.thm1.false.corrected Through these: a.thm1.good" in words


def test_writing_makes_the_folder_and_leaves_other_files_alone(run, registry, tmp_path):
    folder = tmp_path / "deep" / "report"
    path = write_page(run, registry, folder, command=COMMAND)
    assert path == folder / "index.html"
    (folder / "notes.txt").write_text("mine")
    path.write_text("<!DOCTYPE html><title>recallproof: old</title>")
    write_page(run, registry, folder, command=COMMAND)
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert sorted(entry.name for entry in folder.iterdir()) == ["index.html", "notes.txt"]
    assert (folder / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("content", ["", "<title>My home page</title> by recallproof"])
def test_a_page_of_somebody_else_is_left_alone(run, registry, tmp_path, content):
    path = tmp_path / "index.html"
    path.write_text(content)
    with pytest.raises(UsageError, match=r"index\.html is not a page of recallproof.*move it away"):
        write_page(run, registry, tmp_path, command=COMMAND)
    assert path.read_text() == content


def test_the_page_says_what_wrote_it_and_is_replaced(run, registry, tmp_path):
    path = write_page(run, registry, tmp_path, command=COMMAND)
    marks = [a for a in Reader(path.read_text(encoding="utf-8")).having("meta") if "name" in a]
    assert any(a["content"].startswith("recallproof ") for a in marks)
    path.write_text('<meta name="generator" content="recallproof 9">')
    write_page(run, registry, tmp_path, command=COMMAND)
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_a_folder_that_cannot_be_made_is_the_users_error(run, registry, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match=r"--html: cannot make the folder .*a file of that"):
        write_page(run, registry, tmp_path / "file", command=COMMAND)


def test_a_claim_adds_little_to_the_page(run, shown):
    base = run.results[1]
    sizes = []
    for number in (1, 101):
        results = [replace(base, claim=replace(base.claim, id=f"a.{i}")) for i in range(number)]
        sizes.append(len(shown(*results)))
    assert sizes[1] - sizes[0] < 100 * 4_000


@pytest.mark.parametrize(
    ("settings", "command"),
    [
        (Settings(seed=3), "verify run a.thm1.good --seed 3"),
        (
            Settings(profile=Profile.FULL, device="cuda", roads=(Road.PROOFS,)),
            "verify run a.thm1.good --seed 0 --profile full --device cuda --road proofs",
        ),
    ],
)
def test_the_command_reproduces_the_settings(run, settings, command):
    assert reproduce(run.results[0].claim, settings) == command


# -- errata --------------------------------------------------------------------------------------


def test_false_lines_are_in_groups_with_what_is_doubtful_apart(run, registry):
    found = false_lines(run.results, registry)
    assert [(group.count, [line.claim.id for line in group.lines]) for group in found.groups] == [
        ("1 changes a constant or a formula", ["a.thm1.false"])
    ]
    assert found.total == 1
    assert [line.claim.id for line in found.damaged] == ["a.damaged"]
    assert [line.claim.id for line in found.doubtful] == ["b.other"]
    line = found.groups[0].lines[0]
    assert line.counterexample == "at d = 2, N = 1; exact: 3/2; inf: -inf"
    assert line.right is Verdict.SUPPORTED
    assert found.doubtful[0].right is None


def test_the_gravest_lines_come_first(registry, of):
    base = of["a.thm1.false"]
    order = [Severity.WORDING, None, Severity.GAP, Severity.THEOREM, Severity.GAP]
    results = [
        replace(base, claim=replace(base.claim, id=f"a.{i}", severity=severity))
        for i, severity in enumerate(order)
    ]
    counts = [group.count for group in false_lines(results, registry).groups]
    assert counts == [
        "1 brings a theorem, lemma or corollary down",
        "2 leave a gap in a proof",
        "1 needs a word",
        "1 is of no recorded severity",
    ]


def test_an_erratum_has_a_line_that_tells_it_all(text):
    section = text[text.index('<section id="errata"') : text.index('<section id="claims"')]
    words = " ".join(Reader(section).text.split())
    for part in (
        "1 changes a constant or a formula",
        "Printed, as read here",
        "a.thm1.false E[x_1 * x_2] <= 2/d for f* and [N](t) ambiguous reading at d = 2, N = 1;"
        " exact: 3/2",
        "Var≤3/da.thm1.false.corrected ~ supported The theorem stands.",
        "Possibly damaged text",
        "Not as recorded Refuted in this run against the record",
    ):
        assert part in words
    assert words.index("1 changes") < words.index("a.damaged") < words.index("b.other")


def test_a_run_without_errata_says_so(run, registry):
    part = RunResult(run.settings, run.results[:1])
    words = Reader(page(part, registry, command=COMMAND)).text
    assert "This run found no printed statement false as it stands." in words


def test_an_erratum_never_becomes_markup(of, shown):
    base = of["a.thm1.false"]
    evidence = replace(base.evidence[0], summary=ATTACK, counterexample={ATTACK: ATTACK})
    for found in (evidence, replace(evidence, counterexample=None)):
        claim = replace(base.claim, title=ATTACK, statement=ATTACK, consequence=ATTACK)
        hostile = replace(base, claim=claim, evidence=(found,))
        read = Reader(shown(hostile))
        assert len(read.having("script")) == 1
        assert read.having("img") == []


def test_ids_may_break_at_their_dots_and_hyphens(text):
    assert '">a.<wbr>thm1.<wbr>false.<wbr>corrected</a>' in text


# -- formulas ------------------------------------------------------------------------------------

_NAMES = "math mrow mi mn mo mtext mspace msub msup msubsup mfrac msqrt mroot mover munder"
MATHML = set(_NAMES.split())


@pytest.mark.parametrize(
    "latex",
    [
        r"\text{<script>alert(1)</script>}",
        "<script>alert(1)</script>",
        r"\href{javascript:alert(1)}{x}",
        r"\style{background:url(x)}{x}",
        r'\class{x" onclick="y}{z}',
        r'\textcolor{"><script>}{x}',
        r"\text{&lt;script&gt;}",
        r"\left( x",
        r"\unknown{<b>}",
    ],
)
def test_latex_cannot_inject_markup(latex):
    elements = Reader(str(rich_text(f"a ${latex}$ b"))).elements
    assert {name for name, _ in elements} <= MATHML | {"code", "span", "wbr"}
    known = {"stretchy", "form", "class", "width", "lspace", "rspace"}
    assert {name for _, a in elements for name in a} <= known


@given(st.text(alphabet="<>&\"'$\\{}/ =abtexhrf", max_size=60))
def test_no_text_injects_markup(text):
    elements = Reader(str(rich_text(text))).elements
    assert {name for name, _ in elements} <= MATHML | {"code", "span", "wbr"}


@given(st.text(alphabet="abc<>&\"'=. \n", max_size=40))
def test_plain_text_comes_out_as_it_went_in(text):
    assert Reader(str(rich_text(text))).text == " ".join(text.split())


def test_formulas_of_the_catalogue_are_typeset():
    for claim in catalogue():
        told = (claim.reading_note, claim.consequence, *(mutant.why for mutant in claim.wrong))
        for text in (claim.statement, *claim.hypotheses, *claim.worked, *told):
            assert "<code>" not in rich_text(text), claim.id


def test_long_formulas_may_break_before_relations_outside_brackets():
    assert str(rich_text("$a = (b = c) + d$")).count("<wbr>") == 2


def test_only_a_long_formula_has_a_box_of_its_own():
    assert "<span" not in rich_text(r"$\frac{a}{b}$")
    assert str(rich_text(r"$\sqrt{aaaaaaaaaaaaaaaaaaaa}$")).startswith('<span class="long"><math>')


def test_what_closes_a_sentence_stays_with_its_formula():
    assert str(rich_text("if $x$, then")).endswith("</math>,</span> then")


# -- pictures ------------------------------------------------------------------------------------

ATTACK = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'
EQUAL = {
    "quantity": "E[gamma]",
    "at": {"d": 5},
    "printed": 1.0,
    "relation": "printed",
    "interval": [0.96, 1.03],
    "replicates": 4096,
    "tolerance": 0.05,
    "error share": 6.25e-11,
    "path": [[1024, 0.4, 1.7], [4096, 0.96, 1.03]],
    "mutants": [["mean 1 - 1/d", 0.8], [ATTACK, 1.2], ["mean 2", 2.0]],
}
BOUND = {**EQUAL, "relation": "printed at most", "printed": 1.1}


@pytest.fixture
def pictured(run, shown):
    """The page of a run with one claim, with these cases as its evidence."""

    def read(verdict, *cases):
        result = run.results[0]
        evidence = replace(result.evidence[-1], verdict=verdict, detail={"cases": list(cases)})
        return Reader(shown(replace(result, evidence=(evidence,), verdict=verdict)))

    return read


def test_a_case_with_a_path_is_a_picture(pictured):
    read = pictured(Verdict.SUPPORTED, EQUAL)
    # The plane is an svg of its own, which clips.
    assert len(read.measured()) == 2
    assert len(read.having("polygon")) == 1
    roles = [a["class"] for a in read.having("g")]
    assert roles == ["measured", "allowed", "wrong", "wrong", "printed", "measured"]
    words = " ".join(read.text.split())
    for part in (
        "Each band holds the true value at all numbers of draws at once, but for an error of"
        " 6.3e-11. The verdict is supported once each lies inside the shaded tolerance around the"
        " printed value; the wrong statements nearby lie outside of it.",
        "draws (log), stopped at 4,096",
        "printed 1",
        "b: 0.8, mean 1 - 1/d; excluded: 0.16 below the interval",
        "The band lies inside the tolerance; after 1,024 draws it was 0.4 to 1.7.",
        "2 (not drawn), mean 2; excluded: 0.97 above the interval",
    ):
        assert part in words
    assert "once the band is clear" not in words


@pytest.mark.parametrize(
    ("verdict", "case", "rule"),
    [
        (Verdict.SUPPORTED, BOUND, "A bound is supported once the band is clear of the hatched"),
        (Verdict.REFUTED, EQUAL, "refuted once one of them leaves the printed value outside;"),
        (Verdict.REFUTED, BOUND, "A bound is refuted once the band lies wholly on the hatched"),
    ],
)
def test_the_verdict_says_by_which_rule_it_fell(pictured, verdict, case, rule):
    words = " ".join(pictured(verdict, case).words)
    assert rule in words
    other = Verdict.SUPPORTED if verdict is Verdict.REFUTED else Verdict.REFUTED
    assert f"is {other} once" not in words


def test_an_undecided_evidence_has_both_rules(pictured):
    words = " ".join(pictured(Verdict.INCONCLUSIVE, EQUAL, BOUND).words)
    assert words.count("is supported once") == words.count("is refuted once") == 2


def test_a_contradiction_stands_out(pictured):
    away = {**EQUAL, "interval": [1.1, 1.2], "path": [[1024, 0.4, 1.7], [4096, 1.1, 1.2]]}
    for case, wanted in ((EQUAL, 0), (away, 1)):
        elements = pictured(Verdict.REFUTED, case).elements
        assert [a.get("class") for _, a in elements].count("cross") == wanted
        assert [a.get("class") for _, a in elements].count("refuted") == 2 * wanted
        assert [a.get("class") for _, a in elements].count("printed") == 1 - wanted


def test_without_a_picture_nothing_is_said_of_one(read):
    assert "holds the true value" not in read.text


def test_names_in_a_picture_never_become_markup(pictured):
    hostile = {name: ATTACK for name in ("quantity", "at", "relation", "needs", "replicates")}
    mutants = [[ATTACK, 0.9], [f"{ATTACK}</title>", 1.1], [ATTACK, ATTACK], ATTACK]
    read = pictured(Verdict.SUPPORTED, {**EQUAL, **hostile, "mutants": mutants}, EQUAL)
    assert len(read.having("script")) == 1
    assert read.having("img") == []
    drawing = {"rect", "path", "text", "polygon", "polyline", "svg"}
    for attributes in (a for name, a in read.elements if name in drawing):
        for name in attributes.keys() - {"class", "aria-hidden"}:
            assert re.fullmatch(r"[-\d.,\s A-Za-z]*", attributes[name])
            assert not re.search(r"nan|inf|None", attributes[name])


def test_the_colours_of_a_picture_are_those_of_the_page(text):
    style = text[text.index("<style>") : text.index("</style>")]
    for role in Role:
        assert re.search(rf"\.plot \.{role} {{ color:var\(--", style), role
    for name in ("curve", "disc", "bar", "stop", "cross", "strip", "hatch", "join"):
        assert re.search(rf"\.plot \.{name} {{[^}}]*currentColor", style), name
