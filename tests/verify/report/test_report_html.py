"""The page: complete, self-contained, linked, and closed to whatever a claim may say."""

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.catalogue import catalogue
from verify.claim import Registry, Road
from verify.context import Profile
from verify.errors import UsageError
from verify.report import plots
from verify.report.html import page, reproduce, write_page
from verify.report.mathml import rich_text
from verify.runner import RunResult
from verify.settings import Settings
from verify.verdict import Verdict

COMMAND = "verify run --html out"
VOID = {"meta", "link", "input", "wbr", "br", "hr", "img"}


class Reader(HTMLParser):
    """Collects elements with attributes, and the text; checks that elements are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.words: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open[-1:] not in (["style"], ["script"]):
            self.text += data
            self.words += data.split()

    def having(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]


@pytest.fixture
def text(run: RunResult, registry: Registry) -> str:
    return page(run, registry, command=COMMAND)


@pytest.fixture
def read(text: str) -> Reader:
    return Reader(text)


def test_every_claim_has_a_place_and_ids_are_unique(read: Reader, registry: Registry) -> None:
    ids = [attributes["id"] for _, attributes in read.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for claim in registry:
        wanted = "listed" if claim.id.startswith("b.idle") else "claim"
        assert f"{wanted}-{claim.id}" in ids


def test_every_link_leads_somewhere_on_the_page(read: Reader) -> None:
    ids = {attributes.get("id") for _, attributes in read.elements}
    targets = [attributes["href"] for attributes in read.having("a")]
    assert len(targets) > 20
    assert [t for t in targets if not t.startswith("#") or t[1:] not in ids] == []


def test_nothing_is_loaded_from_outside(text: str, read: Reader) -> None:
    assert re.search(r"https?:|@import|url\(", text) is None
    assert [a for _, a in read.elements if "src" in a] == []
    assert [a["href"] for a in read.having("link")] == ["data:,"]


def test_what_claims_say_never_becomes_markup(read: Reader) -> None:
    assert len(read.having("script")) == 1
    assert read.having("img") == []
    handlers = [name for _, a in read.elements for name in a if name.startswith("on")]
    assert handlers == []
    assert read.text.count("<script>alert(1)</script>") >= 8
    assert "{{ 7 * 7 }}" in read.text


def test_only_the_script_of_the_page_may_run(text: str, read: Reader) -> None:
    policy = next(a["content"] for a in read.having("meta") if "http-equiv" in a)
    script = text[text.rindex("<script>") + len("<script>") : text.rindex("</script>")]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy


def test_the_header_says_what_is_not_as_recorded(read: Reader) -> None:
    header = " ".join(read.words)[:600]
    assert "Not as recorded." in header
    for id_ in ("b.conflict", "b.error", "b.other"):
        assert id_ in header
    assert "left undecided by this run: b.undecided" in header


def test_a_sound_run_says_so_and_a_lost_claim_shows(sound: RunResult, registry: Registry) -> None:
    assert "As recorded: 6 claims" in Reader(page(sound, registry, command=COMMAND)).text
    sound.missing = ["a.lost"]
    lost = Reader(page(sound, registry, command=COMMAND)).text
    assert "Missing from the catalogue: a.lost" in lost
    assert "As recorded: 6 claims" not in lost


def test_an_empty_run_is_said_to_be_empty(run: RunResult, registry: Registry) -> None:
    empty = page(RunResult(run.settings, []), registry, command=COMMAND)
    assert "This run held no claim." in empty


def test_a_section_tells_the_whole_story(text: str) -> None:
    section = text[
        text.index('id="claim-a.thm1.false"') : text.index('id="claim-a.thm1.false.corr')
    ]
    body = section[section.index("<summary>") : section.rindex("</details>")]
    words = " ".join(Reader(body).words)
    for part in (
        "First paper, Lemma 2",
        f"Verdict ✗ refuted {Verdict.REFUTED.meaning}",
        "Record as recorded",
        "Scope counterexample at d = 2",
        "Reading ambiguous. Read with M at most N.",
        "Correction a.thm1.false.corrected",
        "Severity constant. The theorem stands.",
        "Reproduce verify run a.thm1.false --seed 7",
        "Counterexample at d = 2, N = 1 exact 3/2 inf -inf",
        "proofs: exact identity ✗ refuted",
        "3/2, not 7/4",
    ):
        assert part in words


def test_steps_keep_their_order_and_indentation(text: str) -> None:
    steps = (
        '<li>E[gamma]:<span class="sub">  W = sum_z u_z e_z^T</span><span class="sub">    deeper'
    )
    assert f"{steps}</span></li><li>so it is 1</li>" in text


def test_verdicts_are_shown_by_word_and_sign(text: str) -> None:
    for name, sign in (("proved", "✓"), ("supported", "~"), ("conflict", "!"), ("error", "E")):
        shown = f'v-{name}"><i aria-hidden="true">{sign}</i> {name}</b>'
        assert shown in text


def test_statements_become_mathml_or_text(text: str) -> None:
    assert "<mi>\N{GREEK SMALL LETTER GAMMA}</mi>" in text
    assert "E[x_1 * x_2] &lt;= 2/d for f* and [N](t)" in text
    assert "xmlns" not in text


def test_control_characters_do_not_reach_the_page(text: str) -> None:
    assert "\x1b" not in text
    assert "\x00" not in text


def test_cases_with_numbers_are_drawn_and_others_are_told(read: Reader) -> None:
    words = " ".join(read.words)
    for caption in (
        "E[gamma] at d = 2, N = 3 printed value inside 0.8 1.0 1.2 "
        "measured 0.95 to 1.04, 4096 draws, printed 1, tolerance 0.25",
        "far at d = 2 printed value above the interval",
        "measured 0.1 to 0.2, printed 7.5",
        "measured 0 to 1, printed undefined",
        "broken measured unknown to 1, printed nan",
    ):
        assert caption in words
    assert len(read.having("svg")) == 4
    for attributes in (a for name, a in read.elements if name in ("rect", "path", "text")):
        assert "nan" not in "".join(attributes.values())


def test_assumptions_name_the_claims_that_rest_on_them(read: Reader) -> None:
    words = " ".join(read.words)
    start = words.index("What is taken on trust")
    assert "Boole's inequality: cited Named by a.thm1.good" in words[start:]


def test_assumptions_reach_through_what_claims_rest_on(run: RunResult, registry: Registry) -> None:
    results = {result.claim.id: result for result in run.results}
    base = results["a.thm1.false.corrected"]
    cited = replace(base, evidence=(replace(base.evidence[0], assumptions=("trust me",)),))
    part = RunResult(run.settings, [results["a.thm1.good"], cited])
    words = " ".join(Reader(page(part, registry, command=COMMAND)).words)
    assert "trust me Named by a.thm1.false.corrected Through these: a.thm1.good" in words


def test_writing_makes_the_folder_and_leaves_other_files_alone(
    run: RunResult, registry: Registry, tmp_path: Path
) -> None:
    folder = tmp_path / "deep" / "report"
    path = write_page(run, registry, folder, command=COMMAND)
    assert path == folder / "index.html"
    (folder / "notes.txt").write_text("mine")
    path.write_text("old")
    write_page(run, registry, folder, command=COMMAND)
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert sorted(entry.name for entry in folder.iterdir()) == ["index.html", "notes.txt"]
    assert (folder / "notes.txt").read_text() == "mine"


def test_a_folder_that_cannot_be_made_is_the_users_error(
    run: RunResult, registry: Registry, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="--html: cannot make the folder"):
        write_page(run, registry, tmp_path / "file", command=COMMAND)


def test_a_claim_adds_little_to_the_page(run: RunResult, registry: Registry) -> None:
    base = run.results[1]
    sizes = []
    for number in (1, 101):
        results = [replace(base, claim=replace(base.claim, id=f"a.{i}")) for i in range(number)]
        sizes.append(len(page(RunResult(run.settings, results), registry, command=COMMAND)))
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
def test_the_command_reproduces_the_settings(
    run: RunResult, settings: Settings, command: str
) -> None:
    assert reproduce(run.results[0].claim, settings) == command


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
def test_latex_cannot_inject_markup(latex: str) -> None:
    elements = Reader(str(rich_text(f"a ${latex}$ b"))).elements
    assert {name for name, _ in elements} <= MATHML | {"code", "span", "wbr"}
    assert {name for _, a in elements for name in a} <= {"stretchy", "form", "class", "width"}


@given(st.text(alphabet="<>&\"'$\\{}/ =abtexhrf", max_size=60))
def test_no_text_injects_markup(text: str) -> None:
    elements = Reader(str(rich_text(text))).elements
    assert {name for name, _ in elements} <= MATHML | {"code", "span", "wbr"}


@given(st.text(alphabet="abc<>&\"'=. \n", max_size=40))
def test_plain_text_comes_out_as_it_went_in(text: str) -> None:
    assert Reader(str(rich_text(text))).text == " ".join(text.split())


def test_formulas_of_the_catalogue_are_typeset() -> None:
    for claim in catalogue():
        for text in (claim.statement, *claim.hypotheses):
            assert "<code>" not in rich_text(text), claim.id


def test_long_formulas_may_break_before_relations_outside_brackets() -> None:
    assert str(rich_text("$a = (b = c) + d$")).count("<wbr>") == 2


def test_what_closes_a_sentence_stays_with_its_formula() -> None:
    assert str(rich_text("if $x$, then")).endswith("</math>,</span> then")


# -- plots ---------------------------------------------------------------------------------------


@given(
    low=st.floats(-1e6, 1e6),
    width=st.floats(0, 1e6),
    printed=st.floats(-1e6, 1e6),
    tolerance=st.floats(0, 1e3),
)
def test_whatever_is_measured_lies_on_the_axis_in_order(
    low: float, width: float, printed: float, tolerance: float
) -> None:
    item: dict[str, Any] = {"interval": [low, low + width], "printed": printed}
    (case,) = plots.cases({"cases": [{**item, "tolerance": tolerance}]})
    assert case.plot is not None
    assert case.plot.band is not None
    assert case.plot.printed is not None
    spots = [case.plot.low, case.plot.high, *case.plot.band, case.plot.printed]
    assert all(0 <= spot <= plots.WIDTH for spot in (*spots, *(t.x for t in case.plot.ticks)))
    assert case.plot.low <= case.plot.high
    assert case.plot.band[0] <= case.plot.printed <= case.plot.band[1]
    assert (case.position == "inside") == (low <= printed <= low + width)
    assert case.contradicts == (case.position != "inside")


def test_ticks_are_round_and_told_apart() -> None:
    (case,) = plots.cases(
        {"cases": [{"interval": [0.975, 1.02], "printed": 1.0, "tolerance": 0.05}]}
    )
    assert case.plot is not None
    assert [tick.label for tick in case.plot.ticks] == ["0.950", "0.975", "1.000", "1.025", "1.050"]


def test_a_bound_beside_its_interval_is_no_contradiction() -> None:
    bound = {"interval": [0.1, 0.2], "printed": 0.5}
    beside, contradicted = plots.cases({"cases": [bound, {**bound, "tolerance": 0.1}]})
    assert beside.position == contradicted.position == "above the interval"
    assert (beside.contradicts, contradicted.contradicts) == (False, True)


@pytest.mark.parametrize("detail", [{}, {"cases": ()}, {"cases": ["odd"]}])
def test_without_cases_nothing_is_drawn(detail: dict[str, Any]) -> None:
    assert plots.cases(detail) == []


@pytest.mark.parametrize("interval", [[], [1.0], "ab", None, [float("inf"), 2.0], ["x", "y"]])
def test_a_case_without_two_finite_ends_is_told_but_not_drawn(interval: object) -> None:
    (case,) = plots.cases({"cases": [{"interval": interval, "printed": 1}]})
    assert case.plot is None
    assert case.position == ""
    assert "printed 1" in case.caption
