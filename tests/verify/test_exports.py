"""Exports say what a run found: entries and LaTeX that TeX reads, functions that give exact values."""

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction

import pytest

from proofs.algebra import RationalFunction
from verify import __version__
from verify.catalogue import catalogue
from verify.claim import Claim, Evidence, Registry, Road
from verify.drawing.picture import Picture
from verify.drawing.svg import picture_svg
from verify.errors import UsageError
from verify.measuring.context import Profile
from verify.printed.formula import Formula
from verify.printed.paper import Paper
from verify.report.exports.bibtex import bibtex
from verify.report.exports.formulas import (
    DerivedFormula,
    derived_formulas,
    formulas_latex,
    formulas_python,
    function_names,
    read_derived,
)
from verify.report.exports.latex import claim_latex
from verify.report.exports.plain import plain_tex
from verify.report.exports.svg import plots_svg
from verify.report.machine import run_json
from verify.report.plots import cases as plots
from verify.running.runner import ClaimResult, RunResult, check_claim
from verify.running.settings import Settings
from verify.running.stored_run import read_run
from verify.typeset.tex import tex
from verify.verdict import Verdict

ATTACK = "<script>alert(1)</script> } \\end{document} 100% & #1 _x_ ~ $\\frac{1}{$"
FALSE = "nichani.thm1.second-moment"
NO_PAPERS = Registry()

MEASURED = {
    "quantity": "E[gamma^2]",
    "at": {"d": 2},
    "printed": 1.0,
    "interval": [0.95, 1.04],
    "tolerance": 0.25,
    "replicates": 400,
    "error share": 1e-9,
    "relation": "printed",
    "path": [[100, 0.5, 1.5], [400, 0.95, 1.04]],
    "mutants": [["half of it", 0.5], ["twice", 2.0]],
}


def result_of(title="A mean", derived=None, cases=(), verdict=Verdict.PROVED, id_="a.thm1"):
    detail = {"derived": derived or {}, "derived for": dict.fromkeys(derived or {}, "d >= 1")}
    if cases:
        detail["cases"] = list(cases)
    claim = Claim(id_, title, "$x = 1$ and " + title, paper="A paper", where=title)
    found = Evidence(verdict, "m", "s", scope="all d >= 1", detail=detail, road=Road.PROOFS)
    return ClaimResult(claim, verdict, (found,), ok=True)


def run_of(*results):
    return RunResult(Settings(), list(results))


@pytest.fixture(scope="module")
def false_line():
    return check_claim(FALSE, registry=catalogue(), roads=(Road.PROOFS,))


def executed(text):
    scope = {}
    exec(compile(text, "derived", "exec"), scope)
    return scope


# -- TeX -----------------------------------------------------------------------------------------


def balanced(text):
    depth = 0
    for sign in re.findall(r"\\.|[{}]", text, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        assert depth >= 0
    return depth == 0


def test_what_a_title_holds_is_never_a_command_of_tex():
    shown = tex(ATTACK)
    assert balanced(shown)
    assert r"\textbackslash{}end\{document\}" in shown
    assert r"100\% \& \#1 \_x\_" in shown
    assert "<" not in shown


def test_formulas_stay_as_they_are_and_a_comment_sign_cannot_cut_them():
    assert tex("so $a_1^2 \\le 5%$ holds") == r"so $a_1^2 \le 5\%$ holds"


def test_relations_and_powers_in_words_are_typeset():
    assert tex("d >= 1, d^2 != N") == r"d $\ge$ 1, d\textsuperscript{2} $\ne$ N"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("for d >= 1, N >= 2, any M", r"for $d \ge 1$, $N \ge 2$, any $M$"),
        ("sum_x p(x) (L - I_x) with", r"$\sum_{x} p(x)(L - I_{x})$ with"),
        ("sum_{x <= n} I_x", r"$\sum_{x \le n} I_{x}$"),
        ("a*(s, r) and f* of a word", r"$a^{*}(s,\  r)$ and $f^{*}$ of a word"),
        ("Lemma 13, A variance is at least 0", "Lemma 13, A variance is at least 0"),
        ("with a < 2 and <u, v> > 0", r"with $a < 2$ and $\langle u,\  v \rangle > 0$"),
        ("||f||_q <= exp(-d/2)", r"$\| f \|_{q} \le \exp(- d / 2)$"),
        ("1 3 ... (2p-1)", None),
        ("a law of beta-gamma type, Gamma variables", "a law of beta-gamma type, Gamma variables"),
        ("sqrt(2A) log2(e) x", r"$\sqrt{2 A} \log_{2}(e) x$"),
        ("E[f | p-hat] at 1/2", None),
        ("$x<1$ and e_i -> -e_i", r"$x<1$ and $e_{i} \to - e_{i}$"),
        (ATTACK, None),
    ],
)
def test_a_sentence_has_its_formulas_set_and_its_words_left(text, shown):
    found = plain_tex(text)
    assert balanced(found)
    if shown is not None:
        assert found == shown


def test_a_star_and_a_power_are_not_two_exponents():
    assert "^{*}^" not in plain_tex("f*^2 <= 1").replace(" ", "")


def test_numbers_side_by_side_do_not_become_one():
    assert "1 3" not in "".join(re.findall(r"\$(.*?)\$", plain_tex("1 3 ... (2p-1)")))


def test_an_entry_has_the_id_as_its_key_and_the_verdict_as_its_note():
    entry = bibtex(run_of(result_of()), NO_PAPERS)
    assert entry.startswith("@misc{a.thm1,\n")
    assert "title = {{A paper}}" in entry
    note = r"note = {{A mean (a.thm1, A mean). Verdict: proved (all d $\ge$ 1); recallproof "
    assert note in entry
    assert "author" not in entry


def test_an_entry_says_what_gives_its_verdict_again():
    note = f"recallproof {__version__}, verify run a.thm1 -{{}}-profile standard -{{}}-seed 3"
    settings = Settings(seed=3, profile=Profile.STANDARD)
    assert f"{note}}}}}" in bibtex(RunResult(settings, [result_of()]), NO_PAPERS)
    proofs = replace(settings, roads=(Road.PROOFS,))
    assert f"{note} -{{}}-road proofs}}}}" in bibtex(RunResult(proofs, [result_of()]), NO_PAPERS)


def test_what_a_paper_prints_is_by_its_authors_and_what_it_does_not_print_is_not():
    registry = catalogue()
    printed, ours, slides = (
        bibtex(run_of(ClaimResult(registry[id_], Verdict.NOT_RUN, (), ok=True)), registry)
        for id_ in (FALSE, f"{FALSE}.corrected", "bietti.memory.remap")
    )
    assert "author = {Eshaan Nichani and Jason D. Lee and Alberto Bietti}" in printed
    assert "year = {2024}" in printed
    for part in (
        "title = {{Understanding Factual Recall in Transformers via Associative Memories}}",
        "eprint = {2412.06538}",
        "archivePrefix = {arXiv}",
        "howpublished = {arXiv:2412.06538}",
        f"note = {{{{Second moment and variance of the linear margin ({FALSE}, App. B, ",
    ):
        assert part in printed
    assert "author = {{recallproof}}" in ours
    assert f"year = {{{datetime.now(UTC).year}}}" in ours
    assert "title = {{Understanding" not in ours
    assert f"note = {{{{{FALSE}.corrected, correction of App. B, " in ours
    assert "eprint" not in ours + slides
    assert "howpublished = {slides}" in slides
    assert "author = {Alberto Bietti}" in slides
    assert "year = {2025}" in slides


def test_any_paper_has_its_authors_and_its_year_in_its_entries(shelve):
    claim = Claim("p.one", "t", "s", paper="P")
    for where, year, expected in (
        ("arXiv 2401.00001", "", {"year = {2024}", "eprint = {2401.00001}"}),
        ("talk, 2023", "", {"year = {2023}", "howpublished = {talk}"}),
        ("on a shelf", "1999", {"year = {1999}"}),
    ):
        paper = Paper("p", "P", authors="Ada Author, the world", where=where, year=year)
        result = ClaimResult(claim, Verdict.NOT_RUN, (), ok=True)
        text = bibtex(run_of(result), shelve(paper, claim))
        assert all(line in text for line in expected)
        assert "author = {Ada Author and {the world}}" in text


def test_a_proof_with_steps_in_words_says_how_many():
    result = result_of()
    steps = ("so it is   [in words: since p]", "a = b   [identity]", "[in words: no mark]   [d]")
    worded = replace(result, evidence=(replace(result.evidence[0], steps=steps),))
    assert "; 1 of 3 lines in words; recallproof" in bibtex(run_of(worded), NO_PAPERS)
    assert r"\emph{Not decided by computation:} 1 of 3 lines in words." in claim_latex(worded, None)
    assert "in words" not in bibtex(run_of(result), NO_PAPERS)


def test_latex_lists_what_a_proof_takes_on_trust_and_a_refutation_takes_nothing():
    result = result_of()
    trusting = replace(result.evidence[0], assumptions=("Boole's inequality: P <= 1", ATTACK))
    formal = replace(trusting, detail={"theorems": [r"x \le 2"]})
    text = claim_latex(replace(result, evidence=(formal,)), None)
    assert r"\item $\displaystyle x \le 2$" in text
    assert (
        "\\emph{Taken on trust:}\n\\begin{itemize}\n\\item Boole's inequality: $P \\le 1$" in text
    )
    assert balanced(text)
    refuted = replace(result, verdict=Verdict.REFUTED, evidence=(trusting,))
    assert "on trust" not in claim_latex(refuted, None)


def test_nothing_is_said_of_steps_in_words_without_any_or_of_a_false_line():
    result = result_of()
    steps = ("so it is   [in words: since p]",)
    worded = replace(result, evidence=(replace(result.evidence[0], steps=steps),))
    assert "Not decided by" not in claim_latex(result, None)
    assert "in words" not in bibtex(run_of(replace(worded, verdict=Verdict.REFUTED)), NO_PAPERS)


def test_entries_of_hostile_claims_are_balanced_and_their_keys_differ():
    results = [result_of(ATTACK, id_=id_) for id_ in ("a{b", "a}b", "a,b", "a b")]
    text = bibtex(run_of(*results), NO_PAPERS)
    assert balanced(text)
    keys = re.findall(r"@misc\{([^,]*),", text)
    assert len(set(keys)) == 4
    assert not any(set(key) & set('{}," \\#%') for key in keys)


def test_the_whole_catalogue_gives_balanced_entries_with_different_keys():
    registry = catalogue()
    results = [ClaimResult(claim, Verdict.NOT_RUN, (), ok=True) for claim in registry]
    text = bibtex(run_of(*results), registry)
    assert balanced(text)
    assert len(set(re.findall(r"@misc\{([^,]*),", text))) == len(results)


def test_a_false_line_in_latex_has_statement_counterexample_and_correction(false_line):
    correction = replace(false_line, claim=catalogue()[f"{FALSE}.corrected"])
    text = claim_latex(false_line, correction)
    assert balanced(text)
    assert "@" not in text
    for part in (
        r"\mathbb{E}[\gamma_{xy}^2] = \left(1 + \frac{1}{d}\right)^{2}",
        r"\emph{Verdict:} refuted, counterexample at $N = 1$, $d = 2$.",
        r"\emph{Derived exactly in place of what is printed:}",
        r"\item exact: 3/2",
        r"\paragraph{Correction: ",
        r"$\displaystyle \mathbb{E}[\gamma^{2}] = \frac{2 N + d^{2} + 2 d - 3}{d^{2}} \qquad "
        r"(y \text{ in the image})$, for $d \ge 1$",
        "\\emph{By hand:}\n\\begin{enumerate}\n\\item " + tex(false_line.claim.worked[0]),
    ):
        assert part in text
    for kind in ("itemize", "enumerate"):
        assert text.count(rf"\begin{{{kind}}}") == text.count(rf"\end{{{kind}}}") > 0


def test_latex_of_a_hostile_claim_is_balanced():
    text = claim_latex(result_of(ATTACK, {"m": "1/d"}), None)
    assert balanced(text)
    assert r"\end{document}" not in text


# -- formulas ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "1",
        "0",
        "-1/3*d",
        "(d^2 + 2*N - 3)/d^2",
        "1/2*d + 3/4",
        "(d + 1)/(2*N*d)",
        "lambda/(d_h + 1)",
    ],
)
def test_a_function_gives_the_exact_value(text):
    value = read_derived(text)
    assert str(value) == text or value == read_derived(str(value))
    formula = DerivedFormula(result_of().claim, "it", value, "d >= 1")
    function = executed(formulas_python([formula]))["a_thm1__it"]
    for step in range(1, 5):
        sizes = {name: Fraction(2 * i + step, step) for i, name in enumerate(value.names, 1)}
        named = {f"{n}_" if n == "lambda" else n: size for n, size in sizes.items()}
        found = function(**named)
        assert type(found) is Fraction
        assert found == value(**sizes).as_fraction()
        assert function(**{n: str(size) for n, size in named.items()}) == found


def test_integers_give_fractions_not_floats():
    (function,) = functions_of({"m": "1/(2*d)"})
    assert function(3) == Fraction(1, 6)


def functions_of(derived):
    formulas, _ = derived_formulas([result_of(derived=derived)])
    scope = executed(formulas_python(formulas))
    return [scope[name] for name in function_names(formulas)]


def test_a_formula_with_a_root_gives_a_float():
    (function,) = functions_of({"m": "(sqrt(6)*d + 1)/2"})
    assert function(2) == pytest.approx((6**0.5 * 2 + 1) / 2, rel=1e-15)


def test_what_the_engine_derived_for_a_false_line_is_exported_with_where_it_holds(false_line):
    formulas, without = derived_formulas([false_line, result_of()])
    assert without == 1
    names = function_names(formulas)
    scope = executed(formulas_python(formulas))
    outside = scope["nichani_thm1_second_moment__second_moment_outside"]
    assert outside.__name__ in names
    assert outside(N=1, d=2) == false_line.counterexample["exact"] == Fraction(3, 2)
    about = " ".join(outside.__doc__.split())
    assert "Holds for d >= 1, N >= 1" in about
    assert "Quantity: E[gamma^2], y outside the image." in about
    assert "App. B" in about
    for formula, name in zip(formulas, names, strict=True):
        sizes = {size: Fraction(7 + i) for i, size in enumerate(formula.value.names)}
        assert scope[name](**sizes) == formula.value(**sizes).as_fraction()


def test_the_formula_of_a_false_line_says_that_it_is_not_the_printed_one(false_line):
    formulas, _ = derived_formulas([false_line])
    warning = "The printed claim is refuted; this is what was derived in its place."
    latex = formulas_latex(formulas)
    assert latex.count(f"% {warning} Correction: {FALSE}.corrected.\n") == len(formulas)
    source = " ".join(formulas_python(formulas).split())
    assert source.count(f"{warning} Correction: {FALSE}.corrected.") == len(formulas)
    sound, _ = derived_formulas([result_of(derived={"m": "1/d"})])
    assert "refuted" not in formulas_latex(sound) + formulas_python(sound)


def test_names_that_meet_are_told_apart():
    formulas, _ = derived_formulas([result_of(derived={"a.b": "1", "a-b": "2", "class": "3"})])
    names = function_names(formulas)
    assert len(set(names)) == 3
    assert [function() for function in functions_of({"a.b": "1", "a-b": "2"})] == [1, 2]


def test_a_hostile_claim_cannot_leave_its_docstring():
    title = '"""\nraise SystemExit\n""" \\'
    formulas, _ = derived_formulas([result_of(title, {'"""\nraise SystemExit': "d"})])
    scope = executed(formulas_python(formulas))
    assert scope[function_names(formulas)[0]](2) == 2
    assert "\n\\[" in formulas_latex(formulas)
    assert all(line[:1] in ("%", "\\", "") for line in formulas_latex(formulas).split("\n"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "d +",
        "__import__('os')",
        "d.real",
        "d^9999",
        "1/0",
        "sqrt(d)",
        "1.5",
        "[d]",
        "d" + "+d" * 9999,
    ],
)
def test_what_is_no_formula_is_refused(text):
    with pytest.raises(UsageError, match="no formula") as caught:
        read_derived(text)
    assert len(str(caught.value)) < 400


def test_reading_gives_the_element_of_the_field():
    d = RationalFunction.symbol("d")
    assert read_derived("sqrt(6)*(d^2 - 1)/2") == RationalFunction.root(6) * (d * d - 1) / 2


# -- plots ---------------------------------------------------------------------------------------


def test_a_plot_is_a_whole_svg_that_needs_nothing_from_elsewhere():
    found = plots_svg(result_of(ATTACK, cases=[{**MEASURED, "quantity": ATTACK}, MEASURED]))
    assert list(found) == ["a.thm1.1.svg", "a.thm1.2.svg"]
    for content in found.values():
        root = ET.fromstring(content)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        text = content.decode("utf-8")
        assert "<script" not in text
        assert "var(" not in text
        assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]
        assert "prefers-color-scheme:dark" in text
        assert "printed 1" in "".join(root.itertext())


def test_a_bar_is_drawn_where_no_looks_are_recorded():
    case = {k: v for k, v in MEASURED.items() if k not in ("path", "mutants")}
    (content,) = plots_svg(result_of(cases=[case])).values()
    assert ET.fromstring(content).findall(".//{*}path[@class='stop']")


def test_a_file_name_cannot_leave_the_folder():
    (name,) = plots_svg(result_of(cases=[MEASURED], id_="../a/b"))
    assert "/" not in name


# -- a stored run --------------------------------------------------------------------------------


@pytest.fixture
def stored(tmp_path):
    """A registry, a run of it, and the file of that run."""
    registry = Registry()
    result = result_of(derived={"m": "1/d"}, cases=[MEASURED])
    claim = replace(result.claim, formulas={"m": Formula.parse("1/d")})
    registry.add(claim)
    run = RunResult(
        Settings(seed=3), [replace(result, claim=claim)], seconds=1.0, budgets={"a": 1e-6}
    )
    path = tmp_path / "results.json"

    path.write_bytes(run_json(run))
    return registry, run, path


def test_a_stored_run_gives_the_same_exports(stored):
    registry, run, path = stored
    again = read_run(path, registry)
    assert again.settings.seed == 3
    assert bibtex(again, registry) == bibtex(run, registry)
    assert plots_svg(again.results[0]) == plots_svg(run.results[0])
    assert derived_formulas(again.results)[0][0].value == read_derived("1/d")


def with_detail(data, **changed):
    data["claims"][0]["evidence"][0]["detail"].update(changed)
    return data


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: {**data, "schema": 9}, "schema 9"),
        (lambda data: {**data, "run": {**data["run"], "version": "0.0.7"}}, "version 0.0.7"),
        (
            lambda data: {
                **data,
                "claims": [{**data["claims"][0], "id": f"b.{i}"} for i in range(5)],
            },
            "b.0, b.1, b.2 and 2 more",
        ),
        (lambda data: {**data, "claims": [{}]}, "no whole file of results"),
        (lambda data: [], "no whole file of results"),
        (lambda data: with_detail(data, derived=[1]), "no whole file of results"),
        (lambda data: with_detail(data, steps=None), "no whole file of results"),
    ],
)
def test_a_results_file_that_does_not_fit_is_refused(stored, change, words):
    registry, _, path = stored
    data = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(change(data)), encoding="utf-8")
    with pytest.raises(UsageError, match="--results") as caught:
        read_run(path, registry)
    assert words in str(caught.value)
    assert str(path) in str(caught.value)
    assert "verify run --json" in str(caught.value)


def test_a_truncated_or_missing_results_file_is_refused(stored):
    registry, _, path = stored
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(UsageError, match="no whole file"):
        read_run(path, registry)
    path.unlink()
    with pytest.raises(UsageError, match="cannot read"):
        read_run(path, registry)


# -- the command ---------------------------------------------------------------------------------


def test_show_latex_prints_the_claim_alone_as_a_stored_run_has_it(verify, tmp_path, monkeypatch):
    path = str(tmp_path / "results.json")
    id_ = "nichani.thm1.mean"
    assert verify("run", id_, "--road", "proofs", "--json", path, "--workers", "0")[0] == 0
    monkeypatch.setattr("verify.commands.judging_one.run", None)
    status, out, _ = verify("show", id_, "--latex", "--results", path)
    assert status == 0
    assert out.startswith("% amsmath")
    assert balanced(out)
    status, _, err = verify("show", "nichani.thm1.tail", "--results", path)
    assert status == 2
    assert "has no result of what was asked for" in err


def test_python_goes_to_a_file_and_the_counts_to_stderr(verify, tmp_path):
    path = tmp_path / "derived.py"
    status, out, err = verify(
        "export", "nichani.thm1.mean", "nichani.thm1.tail", "--format", "python",
        "--out", str(path), "--workers", "0",
    )  # fmt: skip
    assert (status, out) == (0, "")
    assert "1 claim without one left out" in err
    scope = executed(path.read_text(encoding="utf-8"))
    assert scope["nichani_thm1_mean__mean_inside"]() == 1


def test_bibtex_goes_to_stdout(verify):
    status, out, _ = verify("export", "nichani.thm1.mean", "--format", "bibtex", "--workers", "0")
    assert status == 0
    assert out.startswith("@misc{nichani.thm1.mean,")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no.such", "--format", "bibtex"], ["ID", "no.such"]),
        (["--format", "gif"], ["--format", "gif", "svg", "png"]),
        (["nichani.thm1.tail", "--format", "png"], ["--out", "png", "folder"]),
        (["nichani.thm1.tail", "--format", "svg"], ["--out", "folder"]),
        (["nichani.thm1.tail", "--format", "svg", "--out", "/proc/none"], ["--out", "/proc/none"]),
        (["nichani.thm1.tail", "--format", "python", "--out", "/no/x.py"], ["--out", "/no"]),
        (
            ["nichani.thm1.tail", "--format", "python", "--workers", "0"],
            [
                "no",
                "derived formula",
                "`verify export --format python`",
                "`verify show nichani.thm1.tail --latex`",
            ],
        ),
        (["--format", "bibtex", "--results", "/no/such.json"], ["--results", "/no/such.json"]),
    ],
)
def test_bad_input_is_one_clear_line(verify, arguments, words):
    status, out, err = verify("export", *arguments)
    assert (status, out) == (2, "")
    for word in words:
        assert word in next(line for line in err.splitlines() if line.startswith("verify: "))


def test_other_files_in_the_folder_of_the_plots_stay(verify, tmp_path):
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    status, _, err = verify(
        "export", "nichani.thm1.degree", "nichani.thm1.mean", "--format", "svg",
        "--out", str(tmp_path), "--workers", "0",
    )  # fmt: skip
    assert status == 0
    assert "plots written" in " ".join(err.split())
    assert (tmp_path / "mine.txt").read_text(encoding="utf-8") == "mine"
    assert list(tmp_path.glob("nichani.thm1.mean.*.svg"))


def test_no_line_below_a_picture_runs_out_of_it():
    [case] = plots.cases({"cases": [{"quantity": "q", "interval": [0, 1], "printed": 0.5}]})
    said, listed = ["seven " * 60], ["eight " * 60]
    picture = Picture("t", (case.panel,), "a", said, listed)
    lines = re.findall(r"<text[^>]*>((?:seven|eight)[a-z ]*)</text>", picture_svg(picture).decode())
    assert len(lines) > 8
    assert all(len(line) <= (88 if line.startswith("seven") else 84) for line in lines)


@pytest.mark.parametrize("text", ["d^65", "(a + b)^1000"])
def test_a_power_that_would_take_for_ever_is_refused(text):
    with pytest.raises(UsageError, match="too large"):
        read_derived(text)
