"""Papers in folders and behind entry points: found in every form, and what contradicts itself is refused
in a line that names it."""

import sys
from importlib.metadata import EntryPoint

import pytest

from verify.catalogue import ENTRY_POINT_GROUP, LeftOut, add_paper, catalogue, read_paper
from verify.catalogue.folder import folder, hypotheses
from verify.catalogue.sections import INDEX, index, index_path, lost
from verify.claim import Claim, Origin, Registry, Road
from verify.commands import reading, running
from verify.errors import CatalogueError
from verify.running.runner import run
from verify.running.settings import Settings
from verify.verdict import Verdict

TITLE = "title = 'A paper'\n"
CHECKS = """
from verify.checks.section import Section
from verify.claim import Evidence
from verify.verdict import Verdict

section = Section()


@section.check("{id}", "proofs")
def found(printed, context):
    return Evidence(Verdict.PROVED, "", "so it is")
"""


def claim(id_, more=""):
    return (
        f"[[claim]]\nid = '{id_}'\ntitle = 't'\nwhere = 'w'\nkind = 'identity'\ntier = 1\n"
        f"statement = '$x$'\n{more}\n"
    )


#: A paper of two sections; the first has a check.
SOUND = {
    "__init__.py": "",
    "paper.toml": f"{TITLE}sections = ['one', 'two']\n",
    "hypotheses.toml": "d-positive = '$d > 0$'\n",
    "one.toml": claim("p.one", "hypotheses = ['d-positive', '$N > 1$']\nrecorded = 'proved'"),
    "one.py": CHECKS.format(id="p.one"),
    "two.toml": claim("p.two", "uses = ['p.one']"),
}


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a package, SOUND but for *files*, and make it importable; None leaves a file out."""
    monkeypatch.syspath_prepend(tmp_path)
    names = set()

    def forget():
        for module in [m for m in sys.modules if m.split(".")[0] in names]:
            del sys.modules[module]
        folder.cache_clear()
        hypotheses.cache_clear()

    def put(name="p", **files):
        names.add(name)
        (tmp_path / name).mkdir(exist_ok=True)
        for file, text in {**SOUND, **files}.items():
            if text is not None:
                (tmp_path / name / file).write_text(text, encoding="utf-8")
        forget()
        return name

    yield put
    forget()


@pytest.fixture
def installed(monkeypatch):
    """The catalogue beside entry points, given by name and value."""

    def load(**entries):
        found = [EntryPoint(name, value, ENTRY_POINT_GROUP) for name, value in entries.items()]
        monkeypatch.setattr("verify.catalogue.entry_points", lambda group: found)
        return catalogue()

    return load


def registry_of(*packages):
    registry = Registry()
    for package in packages:
        add_paper(registry, read_paper(package))
    return registry


def indexed(package):
    """The registry of a package once its index is written."""
    registry = registry_of(package)
    registry.validate()
    (paper,) = registry.papers.values()
    index_path(paper).write_bytes(index(paper, registry))
    return registry_of(package)


# -- entry points --------------------------------------------------------------------------------

RETURNED = """
from verify.catalogue import read_paper


def paper():
    return read_paper(__package__)
"""
ITSELF = "from verify.catalogue import read_paper\n\nPAPER = read_paper(__package__)\n"


@pytest.mark.parametrize(
    ("text", "name"), [(RETURNED, "paper"), (ITSELF, "PAPER")], ids=["returned", "itself"]
)
def test_a_paper_is_found_behind_its_entry_point(write, installed, text, name):
    write(**{"__init__.py": text})
    registry = installed(anything=f"p:{name}")
    assert list(registry.papers)[-1] == "p"
    assert registry["p.one"].paper == "A paper"
    assert registry["p.one"].hypotheses == ("$d > 0$", "$N > 1$")
    (result,) = run(registry, [registry["p.two"]], Settings(workers=0)).results
    assert result.claim.uses == ("p.one",)
    assert [check.key for check in registry.checks("p.one")] == ["p.one/proofs/found"]


OLD = """
from verify.claim import Claim, Origin

CLAIMS = [
    Claim("old.line", "t", "s", correction="old.line.right"),
    Claim("old.line.right", "t", "s"),
    Claim("old.thm1.explicit.law", "t", "s"),
    Claim("old.explicit-form", "t", "s"),
    Claim("old.said", "t", "s", correction="old.said.right"),
    Claim("old.said.right", "t", "s", origin=Origin.OURS),
]


def register(registry):
    for claim in CLAIMS:
        registry.add(claim)
"""


def test_the_form_of_before_works_with_a_word_on_what_to_write(write, installed):
    write(**{"__init__.py": OLD})
    with pytest.warns(FutureWarning, match=r"^p:register .*paper\.toml.*read_paper") as caught:
        registry = installed(old="p:register")
    assert len(caught) == 1
    origins = {id_: registry[id_].origin for id_ in (c.id for c in registry) if id_[:4] == "old."}
    assert origins == {
        "old.line": Origin.PRINTED,
        "old.line.right": Origin.CORRECTED,
        "old.thm1.explicit.law": Origin.OURS,
        "old.explicit-form": Origin.PRINTED,
        "old.said": Origin.PRINTED,
        "old.said.right": Origin.OURS,
    }
    assert registry.entry("old.line.right").origin is Origin.CORRECTED
    assert registry.paper_of("old.line") is None


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("paper = 7", "paper", "leads to 7; let it name a function that returns a Paper"),
        ("def paper():\n    return None", "paper", "leads to None; let it"),
        ("", "paper", "AttributeError"),
        ("import no_such_module", "paper", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("def paper():\n    return 1 / 0", "paper", "ZeroDivisionError"),
        ("raise SystemExit(0)", "paper", "SystemExit: 0"),
        ("def paper():\n    return paper()", "paper", "RecursionError"),
        ("def paper(registry):\n    raise SystemExit(0)", "paper", "SystemExit: 0"),
        ("def paper(registry):\n    registry.add(1 / 0)", "paper", "ZeroDivisionError"),
    ],
)
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_an_entry_point_to_something_else_is_named(write, installed, text, name, words):
    write(**{"__init__.py": text})
    with pytest.warns(LeftOut) as caught:
        registry = installed(mini=f"p:{name}")
    (said,) = [str(one.message) for one in caught if one.category is LeftOut]
    assert said.startswith(
        "left out: p:paper: the entry point 'mini' of verify.claims, package p, "
    )
    assert words in said
    assert "p" not in registry.papers


def test_a_broken_paper_says_so_itself(write, installed):
    write(**{"__init__.py": RETURNED, "paper.toml": "titel = 'A paper'\n"})
    with pytest.warns(LeftOut, match=r": p/paper\.toml: .*titel"):
        installed(mini="p:paper")


# -- papers among each other -----------------------------------------------------------------------


def two_papers(write, first="", second=""):
    """The packages p and q, which builds on p, with *second* after its claim."""
    write(
        "p", **{"__init__.py": RETURNED, "paper.toml": f"{TITLE}sections = ['one', 'two']\n{first}"}
    )
    write(
        "q",
        **{
            "__init__.py": RETURNED,
            "paper.toml": f"{TITLE}sections = ['one']\nbuilds_on = ['p']\n",
            "one.toml": claim("q.one", second or "uses = ['p.two']"),
            "one.py": CHECKS.format(id="q.one"),
        },
    )


def test_a_paper_builds_on_another_whatever_their_entry_points_are_called(write, installed):
    two_papers(write)
    for names in ({"a": "p:paper", "b": "q:paper"}, {"a": "q:paper", "b": "p:paper"}):
        registry = installed(**names)
        assert list(registry.papers)[-2:] == ["p", "q"]
        registry.validate([registry["q.one"]])
        used = registry.with_uses([registry["q.one"]])
        assert [c.id for c in used] == ["p.one", "p.two", "q.one"]


def test_papers_that_build_on_each_other_are_left_out(write, installed):
    two_papers(write, first="builds_on = ['q']\n")
    with pytest.warns(LeftOut, match="papers build on each other") as caught:
        registry = installed(a="p:paper", b="q:paper")
    assert len(caught) == len(registry.left_out) == 2
    assert not {"p", "q"} & set(registry.papers)


def test_a_paper_that_builds_on_what_is_not_there_is_left_out(write, installed):
    two_papers(write)
    with pytest.warns(LeftOut, match="q: builds on 'p', which is not installed"):
        installed(b="q:paper")


def test_a_name_is_taken_once(write, installed):
    write("p", **{"__init__.py": RETURNED})
    write("q", **{"__init__.py": RETURNED, "paper.toml": f"name = 'p'\n{TITLE}"})
    with pytest.warns(LeftOut, match=r"^left out: q:.*p: two papers have this name.*give one anot"):
        installed(a="p:paper", b="q:paper")
    write("q", **{"__init__.py": RETURNED, "paper.toml": f"name = 'nichani'\n{TITLE}"})
    with pytest.warns(LeftOut, match="nichani: two papers have this name"):
        installed(b="q:paper")


def test_a_correction_does_not_count_as_printed_by_its_own_paper(write):
    write(**{"two.toml": claim("p.two", "correction = 'p.one'")})
    with pytest.raises(CatalogueError, match=r"p\.two: its correction p\.one counts as printed"):
        registry_of("p").validate()


@pytest.mark.parametrize("field", ["uses", "printed_uses", "correction"])
def test_what_stands_in_a_paper_on_which_one_does_not_build_is_not_named(write, field):
    named = "'p.one'" if field == "correction" else "['p.one']"
    two_papers(write, second=f"{field} = {named}")
    registry = registry_of("p", "q")
    registry.validate()
    write(
        "q",
        **{
            "paper.toml": f"{TITLE}sections = ['one']\n",
            "one.toml": claim("q.one", f"{field} = {named}"),
            "one.py": None,
        },
    )
    registry = registry_of("p", "q")
    with pytest.raises(CatalogueError, match=r"q\.one: names 'p\.one', yet q does not build on p"):
        registry.validate([registry["q.one"]])


def test_a_claim_of_nobody_may_name_any(write):
    registry = registry_of(write())
    registry.add(Claim("mine", "t", "s", uses=("p.one",)))
    registry.validate()


# -- what cannot be right in a folder ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        ({"paper.toml": f"{TITLE}sektions = []"}, r"p/paper\.toml: .*`sektions`"),
        (
            {"paper.toml": f"{TITLE}[[results]]\nname = 'L'\nstatements = []\nhold = ''"},
            r"p/paper\.toml: .*`hold`.*results",
        ),
        ({"paper.toml": "sections = []"}, r"p/paper\.toml: .*`title`"),
        ({"paper.toml": f"{TITLE}shares = 'many'"}, r"p/paper\.toml: .*\$\.shares"),
        ({"paper.toml": "title = "}, r"p/paper\.toml: "),
        ({"paper.toml": f"{TITLE}error_budget = 1.5"}, "error_budget: 1.5 of p"),
        ({"paper.toml": f"{TITLE}shares = 0"}, "shares: 0 of p"),
        ({"paper.toml": f"{TITLE}name = 'p.q'"}, "name: 'p.q'"),
        ({"paper.toml": None}, r"p: there is no paper\.toml"),
    ],
)
def test_a_paper_that_cannot_be_read_is_named_with_the_fault(write, files, complaint):
    package = write(**files)
    with pytest.raises(CatalogueError, match=complaint):
        read_paper(package)


@pytest.mark.parametrize("package", ["no_such_package_here", "", "os.path"])
def test_a_package_that_is_no_folder_is_refused(package):
    with pytest.raises(CatalogueError, match="no importable folder"):
        read_paper(package)


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        ({"one.toml": claim("p.one", "hypotheses = ['d-positiv']")}, "did you mean 'd-positive'"),
        (
            {"one.toml": claim("p.one", "hypotheses = ['quite-another']")},
            "'quite-another' .* add it",
        ),
        ({"hypotheses.toml": "d-positive = 1"}, r"p/hypotheses\.toml"),
        ({"hypotheses.toml": None}, "'d-positive' is not in the paper's hypotheses.toml"),
        ({"two.toml": None}, r"section 'two' of paper\.toml has no file two\.toml"),
        ({"paper.toml": f"{TITLE}sections = ['one', 'one']"}, "sections names one twice"),
        ({"two.toml": claim("p.one")}, r"p\.one: this id is in the catalogue already"),
        ({"two.toml": claim("q.two")}, r"q\.two: this id is in p\.two, so it must begin with 'p'"),
        ({"two.toml": claim("p.two", "uses = ['p.none']")}, r"p\.two: names 'p\.none'"),
        ({"two.toml": claim("p.two", "uses = ['p.two']")}, "circle.*p.two"),
        (
            {
                "one.toml": claim("p.one", "uses = ['p.two']"),
                "two.toml": claim("p.two", "uses = ['p.one']"),
            },
            "circle.*(p.one.*p.two|p.two.*p.one)",
        ),
        ({"two.py": CHECKS.format(id="p.one")}, r"p\.one/proofs/found: p\.two adds this check"),
        ({"one.py": CHECKS.format(id="p.none")}, r"p\.none: a check names a claim"),
        ({"one.py": "import no_such_module"}, r"p\.one: .*'no_such_module'"),
        ({"one.py": "section = ("}, r"p\.one: these checks cannot be imported: SyntaxError"),
        ({"one.py": "1 / 0"}, r"p\.one: these checks cannot be imported: ZeroDivisionError"),
        ({"one.py": "raise SystemExit(0)"}, r"p\.one: these checks cannot be imported: SystemExit"),
        ({"one.py": ""}, r"p\.one: these checks cannot be imported: .*section"),
        ({"one.py": None}, r"p\.one: recorded as proved but has no check"),
    ],
)
def test_a_section_that_contradicts_itself_is_named_with_the_fault(write, files, complaint):
    package = write(**files)
    with pytest.raises(CatalogueError, match=complaint):
        registry_of(package).validate()


def test_a_fault_is_found_again_when_one_asks_again(write):
    registry = registry_of(write(**{"two.toml": None, "one.py": "1 / 0"}))
    for _ in range(2):
        with pytest.raises(CatalogueError, match="has no file"):
            registry.entries()
    registry = registry_of(write(**{"one.py": "1 / 0"}))
    for _ in range(2):
        with pytest.raises(CatalogueError, match="ZeroDivisionError"):
            registry.checks("p.one")


def test_a_check_that_cannot_be_imported_is_one_line_and_exit_1(verify, write, monkeypatch):
    registry = registry_of(write(**{"one.py": "import no_such_module"}))
    monkeypatch.setattr(running, "catalogue", lambda: registry)
    status, out, err = verify("run", "p.one", "--workers", "0", "--device", "cpu")
    assert (status, out) == (1, "")
    (line,) = err.splitlines()
    assert line.startswith("verify: the catalogue is not sound: p.one: these checks cannot be imp")
    assert "no_such_module" in line


# -- the index -----------------------------------------------------------------------------------


def test_an_index_that_is_up_to_date_says_what_the_files_say(write):
    package = write()
    read = registry_of(package)
    known = indexed(package)
    assert [(e.id, e.title, e.uses, e.recorded) for e in known.entries()] == [
        (c.id, c.title, c.uses, c.recorded) for c in read
    ]
    assert [(e.mutants, e.shares, e.roads) for e in known.entries()] == [
        (len(read.mutants(c.id)), 0, tuple(read.roads(c.id))) for c in read
    ]
    assert {e.paper for e in known.entries()} == {"A paper"}


@pytest.mark.parametrize("text", ["", "{", "[7]", '[{"section": "one"}]', "\udc80"])
def test_a_broken_index_is_named_with_the_remedy(write, tmp_path, text):
    package = write()
    indexed(package)
    (tmp_path / "p" / INDEX).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(CatalogueError, match=rf"p/{INDEX} is no index.*remove it.*verify index p"):
        registry_of(package).entries()
    (tmp_path / "p" / INDEX).unlink()
    assert len(registry_of(package)) == 2


def test_a_stale_index_is_not_believed(write):
    package = write()
    indexed(package)
    write(**{"two.toml": claim("p.two", "uses = ['p.one']").replace("'t'", "'Another title'")})
    assert [entry.title for entry in registry_of(package).entries()] == ["t", "Another title"]
    write(**{"one.py": CHECKS.format(id="p.one").replace("proofs", "numerics")})
    assert registry_of(package).roads("p.one") == [Road.NUMERICS]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda text: text.replace('{"id":"p.two"', '{"id":"p.three"'), r"p\.three, p\.two"),
        (lambda text: text.replace('"uses":["p.one"],', ""), r"p\.two"),
        (lambda text: text.replace('"recorded":"proved",', ""), r"p\.one"),
    ],
    ids=["another id", "lost uses", "lost record"],
)
def test_an_index_that_contradicts_its_statements_is_refused(write, tmp_path, change, named):
    package = write()
    indexed(package)
    path = tmp_path / "p" / INDEX
    text = path.read_text(encoding="utf-8")
    assert change(text) != text
    path.write_text(change(text), encoding="utf-8")
    with pytest.raises(
        CatalogueError, match=f"the index has not what the statements say of {named};"
    ):
        list(registry_of(package))


@pytest.mark.parametrize(
    "files",
    [{"two.toml": claim("p.other")}, {"paper.toml": f"{TITLE}sections = ['one']"}],
    ids=["claim", "section"],
)
def test_a_run_fails_without_a_claim_of_the_index_and_names_it(verify, write, monkeypatch, files):
    package = write()
    registry = indexed(package)
    assert lost(registry) == []
    monkeypatch.setattr(running, "catalogue", lambda: registry)
    asked = ("run", "--workers", "0", "--device", "cpu")
    assert verify(*asked)[0] == 0
    write(**files)
    registry = registry_of(package)
    assert lost(registry) == ["p.two"]
    status, out, _ = verify(*asked)
    assert status == 1
    assert "p.two" in out


def test_a_claim_is_judged_alike_with_and_without_an_index(write):
    package = write()
    found = []
    for registry in (registry_of(package), indexed(package)):
        results = run(registry, list(registry), Settings(workers=0)).results
        found.append([(r.claim, r.verdict, [e.summary for e in r.evidence]) for r in results])
    assert found[0] == found[1]
    assert [verdict for _, verdict, _ in found[0]] == [Verdict.PROVED, Verdict.NOT_RUN]


# -- the papers of the program ---------------------------------------------------------------------


def test_every_paper_of_the_program_lies_in_a_folder_of_its_name():
    papers = catalogue().papers
    assert [paper.package for paper in papers.values()] == [f"verify.papers.{n}" for n in papers]
    assert all(paper.title and paper.authors for paper in papers.values())


def test_every_index_of_the_program_is_up_to_date(verify):
    """Each claim, its record, its number of mutants and its shares are as they were written down."""
    status, out, _ = verify("index", "--check")
    assert (status, out) == (0, "All indexes are up to date.\n")


def test_an_index_out_of_date_is_noticed_and_written(verify, write, monkeypatch, tmp_path):
    package = write()
    monkeypatch.setattr(reading, "catalogue", lambda: registry_of(package))
    path = tmp_path / "p" / INDEX
    for _ in range(2):
        status, out, _ = verify("index", "p", "--check")
        assert status == 1
        assert "out of date" in out
        assert not path.exists()
    assert verify("index")[0] == 0
    assert verify("index", "--check")[0] == 0
    path.write_text(path.read_text().replace('"shares":0', '"shares":1', 1), encoding="utf-8")
    assert verify("index", "--check")[0] == 1
    status, _, err = verify("index", "q")
    assert status == 2
    assert "no paper 'q'" in err


def test_a_printed_statement_changes_only_where_one_says_so(verify, write, monkeypatch):
    package = write()
    monkeypatch.setattr(reading, "catalogue", lambda: registry_of(package))
    assert verify("index")[0] == 0
    write(**{"two.toml": claim("p.two", "uses = ['p.one']").replace("$x$", "$y$")})
    status, _, err = verify("index")
    assert status == 2
    assert "the printed statement of p.two is not the one that was indexed" in err
    status, _, err = verify("index", "--restate", "p.tow")
    assert status == 2
    assert "--restate: there is no claim 'p.tow'" in err
    assert verify("index", "--restate", "p.two")[0] == 0
    assert verify("index", "--check")[0] == 0


def test_one_of_ours_may_be_stated_anew(verify, write, monkeypatch):
    ours = claim("p.two", "uses = ['p.one']\norigin = 'ours'")
    package = write(**{"two.toml": ours})
    monkeypatch.setattr(reading, "catalogue", lambda: registry_of(package))
    assert verify("index")[0] == 0
    write(**{"two.toml": ours.replace("$x$", "$y$")})
    assert verify("index")[0] == 0
