"""A paper of another package that is not sound: named, left out, and everything else goes on."""

import json
import pickle
import sys
from importlib.metadata import EntryPoint

import pytest

from verify.catalogue import ENTRY_POINT_GROUP, LeftOut, catalogue, quietly
from verify.catalogue.folder import folder, hypotheses
from verify.errors import UsageError
from verify.left_out import FaultyPaper, GoingOn, Guest
from verify.running.runner import check_claim

RETURNED = """
from verify.catalogue import read_paper


def paper():
    return read_paper(__package__)
"""
CHECKS = """
from verify.checks.section import Section
from verify.claim import Evidence
from verify.verdict import Verdict

section = Section()


@section.check("{id}", "proofs")
def found(printed, context):
    return Evidence(Verdict.PROVED, "", "so it is")
"""
TITLE = "title = 'A paper'\n"
CLAIM = {
    "id": "'p.one'",
    "title": "'t'",
    "where": "'w'",
    "kind": "'identity'",
    "tier": "1",
    "statement": "'$x$'",
    "recorded": "'proved'",
}


def claim(**fields):
    return "[[claim]]\n" + "".join(f"{n} = {v}\n" for n, v in {**CLAIM, **fields}.items())


def formula(text):
    return {"one.toml": claim(formulas=f"{{ v = {text!r} }}")}


SOUND = {
    "__init__.py": RETURNED,
    "paper.toml": f"{TITLE}sections = ['one']\n",
    "one.toml": claim(),
    "one.py": CHECKS.format(id="p.one"),
}


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install packages, each SOUND but for its files, None leaving one out, with an entry point."""
    monkeypatch.syspath_prepend(tmp_path)
    entries = {}

    def forget():
        for module in [m for m in sys.modules if m.split(".")[0] in entries]:
            del sys.modules[module]
        folder.cache_clear()
        hypotheses.cache_clear()

    def put(name="p", value="paper", **files):
        (tmp_path / name).mkdir()
        for file, text in {**SOUND, **files}.items():
            if text is not None:
                (tmp_path / name / file).write_text(text, encoding="utf-8")
        entries[name] = EntryPoint(f"entry-{name}", f"{name}:{value}", ENTRY_POINT_GROUP)
        monkeypatch.setattr("verify.catalogue.entry_points", lambda group: [*entries.values()])
        forget()

    yield put
    forget()


#: What breaks while the catalogue is put together: files, what the entry point names, what is said.
AT_ONCE = {
    "raises": ({"__init__.py": "def paper():\n    return 1 / 0"}, "ZeroDivisionError"),
    "exits with 0": ({"__init__.py": "def paper():\n    raise SystemExit(0)"}, "SystemExit: 0"),
    "exits when imported": ({"__init__.py": "import sys; sys.exit()"}, "SystemExit"),
    "never ends": ({"__init__.py": "def paper():\n    return paper()"}, "RecursionError"),
    "out of memory": ({"__init__.py": "def paper():\n    raise MemoryError"}, "MemoryError"),
    "of no kind known": ({"__init__.py": "class E(BaseException): ...\nraise E('x')"}, "E: x"),
    "cannot be shown": (
        {
            "__init__.py": "class E(Exception):\n    def __str__(self): raise ValueError\n"
            "def paper():\n    raise E"
        },
        "cannot be shown",
    ),
    "lines": ({"__init__.py": "def paper():\n    raise ValueError('a\\nb\\x1b[31m')"}, "a b"),
    "at length": ({"__init__.py": "def paper():\n    raise ValueError(9000 * 'long ')"}, "long…"),
    "absent": ({"__init__.py": ""}, "AttributeError"),
    "no such module": ({"__init__.py": "import no_such_module"}, "no_such_module"),
    "syntax": ({"__init__.py": "def paper(:"}, "SyntaxError"),
    "a number": ({"__init__.py": "paper = 7"}, "leads to 7; let it name a function"),
    "None": ({"__init__.py": "def paper():\n    return None"}, "leads to None"),
    "register raises": ({"__init__.py": "def paper(registry):\n    1 / 0"}, "ZeroDivisionError"),
    "register exits": (
        {"__init__.py": "def paper(registry):\n    raise SystemExit(0)"},
        "SystemExit: 0",
    ),
    "no paper.toml": ({"paper.toml": None}, "there is no paper.toml"),
    "no TOML": ({"paper.toml": "title = "}, "p/paper.toml: "),
    "no text": ({"paper.toml": "title = 7"}, "Expected `str`"),
    "unknown field": ({"paper.toml": f"{TITLE}sektions = []"}, "sektions"),
    "nests in TOML": ({"paper.toml": f"{TITLE}where = {'[' * 3000}{']' * 3000}"}, "too deep"),
    "nests in LaTeX": ({"paper.toml": f"title = '${'{' * 900}x{'}' * 900}$'"}, "60 deep"),
    "name with a dot": ({"paper.toml": f"{TITLE}name = 'p.q'"}, "holds a dot"),
    "empty name": ({"paper.toml": f"{TITLE}name = ''"}, "name: '' is empty"),
    "name right to left": ({"paper.toml": f'{TITLE}name = "p\\u202eq"'}, "RIGHT-TO-LEFT"),
    "section elsewhere": ({"paper.toml": f"{TITLE}sections = ['../q']"}, "'../q' holds a dot"),
    "name of ours": ({"paper.toml": f"{TITLE}name = 'nichani'"}, "two papers have this name"),
    "builds on nothing": ({"paper.toml": f"{TITLE}builds_on = ['none']"}, "not installed"),
    "builds on itself": ({"paper.toml": f"{TITLE}builds_on = ['p']"}, "build on each other"),
}
#: What breaks when claims are listed.
LISTED = {
    "sum of 3000 terms": (formula("+".join(["x"] * 3000)), "p.one: 'x+x"),
    "2000 minus signs": (formula("-" * 2000 + "x"), "nests at most 200 deep"),
    "deep brackets": (formula("(" * 3000 + "x" + ")" * 3000), "is no"),
    "no formula": (formula("import os"), "is not a formula"),
    "a call": (formula("f(x)"), "is not allowed"),
    "deep LaTeX": ({"one.toml": claim(statement=f"'${'{' * 900}x{'}' * 900}$'")}, "60 deep"),
    "deep TOML": ({"one.toml": claim(uses="[" * 3000 + "]" * 3000)}, "too deep"),
    "no TOML": ({"one.toml": "[[claim"}, "one.toml: "),
    "no UTF-8": ({"one.toml": claim(), "paper.toml": f"{TITLE}sections = ['bad']"}, "no file"),
    "no claims": ({"one.toml": "claim = 3"}, "Expected `array`"),
    "no statement": ({"one.toml": "[[claim]]\nid = 'p.one'"}, "missing required field"),
    "id of another paper": ({"one.toml": claim(id="'q.one'")}, "must begin with 'p'"),
    "id of ours": ({"one.toml": claim(id="'nichani.thm1.mean'")}, "must begin with 'p'"),
    "id twice": ({"one.toml": claim() + claim()}, "in the catalogue already"),
    "empty id": ({"one.toml": claim(id="''")}, "'': this id is empty"),
    "unknown kind": ({"one.toml": claim(kind="'lemma'")}, "kind = 'lemma' is unknown"),
    "unknown tier": ({"one.toml": claim(tier="4")}, "tier = 4 is unknown"),
    "no mutant": (
        {
            "one.toml": claim(
                formulas="{ v = '2*d' }", mutants="[{ name = 'm', formulas = { v = '2 * d' } }]"
            )
        },
        "'m' is what is printed",
    ),
    "sections twice": ({"paper.toml": f"{TITLE}sections = ['one', 'one']"}, "one twice"),
    "broken index": ({"index.json": "{"}, "is no index"),
}
#: What breaks only when claims are judged.
JUDGED = {
    "checks raise": ({"one.py": "1 / 0"}, "cannot be imported: ZeroDivisionError"),
    "checks exit": ({"one.py": "raise SystemExit(0)"}, "cannot be imported: SystemExit"),
    "no section": ({"one.py": ""}, "cannot be imported"),
    "no checks": ({"one.py": None}, "p.one: recorded as proved but has no check"),
    "check of nothing": ({"one.py": CHECKS.format(id="p.two")}, "names a claim that is not in"),
    "section is no section": ({"one.py": "section = 7"}, "AttributeError"),
    "uses nothing": ({"one.toml": claim(uses="['p.none']")}, "names 'p.none'"),
    "circle": ({"one.toml": claim(uses="['p.one']")}, "in a circle"),
    "correction of nothing": ({"one.toml": claim(correction="'p.none'")}, "names 'p.none'"),
    "by hand": ({"one.toml": claim(by_hand="['[[1 = 2]]']")}, "does not hold"),
    "proofs on record": ({"proofs.json": "{"}, "is no record of proofs"),
}


def cases(*groups):
    return pytest.mark.parametrize(
        ("files", "words"),
        [pytest.param(*case, id=name) for group in groups for name, case in group.items()],
    )


def named(err, words):
    """The one line that says what is left out, without anything that no line may hold."""
    (line,) = [line for line in err.splitlines() if line.startswith("verify: left out: ")]
    assert line.startswith("verify: left out: p:paper: the entry point 'entry-p' of verify.claims")
    assert "package p, is not sound: " in line
    assert words in line
    assert line.isprintable()
    assert len(line) < 1000
    assert "Traceback" not in err
    return line


#: The papers of the program but one are left out of these, which need no others.
@pytest.fixture(autouse=True)
def one_paper(monkeypatch):
    monkeypatch.setattr("verify.catalogue._own_names", lambda: ["nichani"])


@cases(AT_ONCE, LISTED)
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_a_list_goes_on_without_it(verify, install, files, words):
    install("p", **files)
    install("r", **{"one.toml": claim(id="'r.one'"), "one.py": CHECKS.format(id="r.one")})
    status, out, err = verify("list", "--json")
    assert status == 2
    named(err, words)
    listed = {entry["id"] for entry in json.loads(out)}
    assert {"r.one", "nichani.thm1.mean"} <= listed
    assert not any(id_.startswith("p.") for id_ in listed)


@cases(JUDGED)
def test_a_run_goes_on_without_it(verify, install, files, words):
    install("p", **files)
    install("r", **{"one.toml": claim(id="'r.one'"), "one.py": CHECKS.format(id="r.one")})
    asked = ("run", "r.*", "*.one", "--workers", "0", "--device", "cpu", "--road", "proofs")
    status, out, err = verify(*asked, "--json", "-")
    assert status == 2
    line = named(err, words)
    found = json.loads(out)
    assert [result["id"] for result in found["claims"]] == ["r.one"]
    assert found["run"]["left_out"] == [line.removeprefix("verify: left out: ")]


@cases(JUDGED)
def test_what_is_not_asked_for_is_not_found(verify, install, files, words):
    """A claim of another paper is judged without a look into the faulty one."""
    install("p", **files)
    status, _, err = verify("show", "nichani.cor2.rounding")
    assert (status, err) == (0, "")
    assert words


@cases({**AT_ONCE, **LISTED, **JUDGED})
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_who_asks_for_it_learns_why_it_is_not_there(verify, install, files, words):
    install("p", **files)
    for asked in ("p.one", "[p].*"):
        status, out, err = verify("run", asked, "--workers", "0", "--device", "cpu")
        assert (status, out) == (2, "")
        line = named(err, words).removeprefix("verify: left out: ")
        assert err.splitlines()[-1].endswith(f"{asked!r}; its paper is left out: {line}")


@pytest.mark.parametrize("command", ["figure", "index"])
def test_a_figure_or_an_index_of_it_is_refused_with_the_reason(verify, install, command):
    install("p", **{"paper.toml": f"{TITLE}[figures]\n1 = 'none:measure'"})
    if command == "index":
        install("q", **{"__init__.py": "1 / 0"})
    asked = {"figure": "p/1", "index": "q"}[command]
    status, out, err = verify(command, asked)
    assert (status, out) == (2, "")
    assert "its paper is left out" in err.splitlines()[-1]


def test_power_stops_for_a_faulty_paper_before_it_judges(verify, install):
    install("p", **{"one.py": "1 / 0"})
    status, out, err = verify("power", "nichani.lem14", "p.one", "--workers", "0")
    assert (status, out) == (2, "")
    named(err, "ZeroDivisionError")


def test_a_status_that_says_more_stays(verify, install):
    install("p", **{"__init__.py": "1 / 0"})
    wrong = CHECKS.format(id="r.one").replace("PROVED", "REFUTED")
    install("r", **{"one.toml": claim(id="'r.one'"), "one.py": wrong})
    asked = ("run", "r.one", "--workers", "0", "--device", "cpu")
    status, out, err = verify(*asked)
    assert status == 1
    assert "NOT AS RECORDED" in out
    named(err, "ZeroDivisionError")


def test_an_interrupt_is_none_of_its_faults(verify, install):
    install("p", **{"__init__.py": "def paper():\n    raise KeyboardInterrupt"})
    status, _, err = verify("list")
    assert (status, err.strip()) == (3, "verify: interrupted")
    with pytest.raises(KeyboardInterrupt):
        catalogue()


def test_a_paper_of_ours_is_still_refused(verify, monkeypatch):
    monkeypatch.setattr("verify.catalogue._own_names", lambda: ["none"])
    status, _, err = verify("list")
    assert status == 1
    assert err.startswith("verify: the catalogue is not sound: ")


# -- beside others ---------------------------------------------------------------------------------


def test_all_that_is_faulty_is_named(verify, install):
    install("p", **{"__init__.py": "1 / 0"})
    install("q", **{"one.toml": claim(id="''")})
    install("r", **{"paper.toml": f"{TITLE}sections = ['one']\nbuilds_on = ['q']"})
    status, _, err = verify("list")
    assert status == 2
    said = [line.split()[3] for line in err.splitlines()]
    assert said == ["p:paper:", "q:paper:", "r:paper:"]
    assert "r: builds on 'q', which is left out" in err


def test_of_two_of_a_name_the_first_one_stays(install):
    install("p")
    install("q", **{"paper.toml": f"name = 'p'\n{TITLE}"})
    with pytest.warns(LeftOut, match="q:paper.*two papers have this name.*give one another"):
        registry = catalogue()
    assert registry["p.one"].title == "t"


OLD = """
from verify.claim import Claim


def paper(registry):
    registry.add(Claim("old.line", "t", "s"))
    registry.check("old.line", "proofs")(lambda printed, context: None)
    registry.add(Claim({id!r}, "t", "s"))
"""


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("id_", ["old.line", "p.one", "nichani.thm1.mean", "a/b", ""])
def test_a_function_that_adds_claims_adds_all_or_none(install, id_):
    install("p")
    install("q", **{"__init__.py": OLD.format(id=id_)})
    with pytest.warns(LeftOut, match="^left out: q:paper: "):
        registry = catalogue()
    assert "old.line" not in registry
    assert registry["p.one"].title == "t"
    assert [check.key for check in registry.checks("p.one")] == ["p.one/proofs/found"]


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_a_function_that_looks_into_a_faulty_paper_is_not_at_fault(install):
    install("p", **{"one.toml": "claim = 3"})
    looks = OLD.format(id="old.other").replace(
        "    registry", "    'p.one' in registry\n    registry", 1
    )
    install("q", **{"__init__.py": looks})
    with pytest.warns(LeftOut) as caught:
        registry = catalogue()
    assert [str(one.message).split()[2] for one in caught if one.category is LeftOut] == [
        "p:paper:"
    ]
    assert "old.line" in registry


# -- in a program ----------------------------------------------------------------------------------


def test_a_catalogue_in_a_program_warns_and_goes_on(install):
    install("p", **{"__init__.py": "1 / 0"})
    with pytest.warns(LeftOut, match="^left out: p:paper: .*ZeroDivisionError") as caught:
        registry = catalogue()
    assert caught[0].filename == __file__
    with pytest.raises(UsageError, match=r"no claim 'p\.one'; its paper is left out: p:paper"):
        registry["p.one"]


def test_what_shows_late_in_a_program_names_the_entry_point_each_time(install):
    install("p", **{"one.toml": claim() + claim()})
    registry = catalogue()
    assert registry["nichani.thm1.mean"]
    for _ in range(2):
        with pytest.raises(FaultyPaper, match=r"^p:paper: .*p\.one: this id is in the catalogue"):
            registry["p.one"]
    with pytest.raises(FaultyPaper, match="p:paper"):
        check_claim("p.one", registry=registry)


def test_another_process_leaves_out_the_same_and_does_not_say_so(install):
    install("p", **{"one.py": "1 / 0"})
    install("q", **{"__init__.py": "1 / 0"})
    said = []

    def work():
        registry = catalogue()
        if "p" in registry.papers:
            registry.checks("p.one")
        return registry

    found = GoingOn(said.append).do(work)
    assert [fault.guest.name for fault in said] == ["entry-q", "entry-p"]
    again = pickle.loads(pickle.dumps(found.again))()
    assert {str(f) for f in again.left_out} == {str(f) for f in found.left_out}
    assert list(again.papers) == ["nichani"]
    assert len(quietly().left_out) == 1


def test_work_that_meets_the_same_fault_again_ends():
    def work():
        raise FaultyPaper(Guest("n", "p:paper", "p"), "why")

    with pytest.raises(FaultyPaper):
        GoingOn(lambda fault: None).do(work)


def test_a_fault_that_cannot_be_gone_without_is_a_line_and_status_2(verify, monkeypatch):
    def broken(name):
        raise FaultyPaper(Guest("n", "p:paper", "p"), "why")

    monkeypatch.setattr("verify.commands.reading.catalogue", lambda: broken("p"))
    status, out, err = verify("list")
    assert (status, out) == (2, "")
    assert err.startswith("verify: left out: p:paper: the entry point 'n' of verify.claims")


# -- reports ---------------------------------------------------------------------------------------


def test_reports_say_what_is_left_out(install, verify, tmp_path, capsys):
    install("p", **{"__init__.py": "1 / 0"})
    install("r", **{"one.toml": claim(id="'r.one'"), "one.py": CHECKS.format(id="r.one")})
    file, junit = tmp_path / "run.json", tmp_path / "run.xml"
    asked = ("run", "r.one", "--workers", "0", "--device", "cpu", "--json", str(file))
    status, out, _ = verify(*asked, "--junit", str(junit), "--html", str(tmp_path / "page"))
    assert status == 2
    assert "LEFT OUT: 1 paper of other packages" in out
    assert 'errors="1"' in junit.read_text()
    assert '<error message="left out: p:paper' in junit.read_text()
    page = (tmp_path / "page" / "index.html").read_text()
    assert "Left out" in page
    assert "ZeroDivisionError" in page
    status, out, _ = verify("export", "r.one", "--format", "markdown", "--results", str(file))
    assert status == 2
    assert "**Left out**, as not sound:\n\n- p:paper" in out
    power = tmp_path / "power.json"
    assert verify("power", "r.one", "--workers", "0", "--json", str(power))[0] == 2
    assert (
        json.loads(power.read_bytes())["left_out"]
        == json.loads(file.read_bytes())["run"]["left_out"]
    )
