"""Refused in a claim by itself: ids that cannot be asked for, unknown kinds, mutants that are none."""

from dataclasses import replace

import pytest

from tests.verify.test_left_out import CLAIM
from verify.catalogue.statements import read_statements
from verify.claim import Claim, Entry, Mutant, Registry
from verify.claim.sound import KINDS, TIERS, require_sound
from verify.errors import CatalogueError
from verify.printed.formula import Formula
from verify.printed.ids import require_id, require_shallow
from verify.printed.paper import Paper

#: Ids that nobody could ask for, with what is said of them.
BAD_IDS = {
    "": "'': this id is empty",
    " ": "U+0020 (SPACE)",
    "p.a b": "U+0020 (SPACE)",
    "p.a\n": "U+000A",
    "p.a\tb": "U+0009",
    "p.\x00": "U+0000",
    "p.\x1b[31m": "U+001B",
    "p.\x7f": "U+007F",
    "p.\x85": "U+0085",
    "p.\u202eenim": "U+202E (RIGHT-TO-LEFT OVERRIDE)",
    "p.\u2066a": "U+2066 (LEFT-TO-RIGHT ISOLATE)",
    "p.\u200f": "U+200F (RIGHT-TO-LEFT MARK)",
    "p.\u200ba": "U+200B (ZERO WIDTH SPACE)",
    "p.\ufeffa": "U+FEFF",
    "p.\xada": "U+00AD (SOFT HYPHEN)",
    "p.\xa0a": "U+00A0 (NO-BREAK SPACE)",
    "p.\ud800": "U+D800",
    "p.m\u0430an": "U+0430 (CYRILLIC SMALL LETTER A)",
    "p.a/b": "U+002F (SOLIDUS)",
    "p.a\\b": "U+005C (REVERSE SOLIDUS)",
    "../p": "U+002F (SOLIDUS)",
    "p.*": "U+002A (ASTERISK)",
    "p.a?": "U+003F (QUESTION MARK)",
    "p.[a]": "U+005B (LEFT SQUARE BRACKET)",
    "p.a]": "U+005D (RIGHT SQUARE BRACKET)",
    "p.a,b": "U+002C (COMMA)",
    "p.a:b": "U+003A (COLON)",
    "p.<b>": "U+003C (LESS-THAN SIGN)",
    "p..a": "a part that is empty or begins with -",
    ".p": "a part that is empty or begins with -",
    "p.": "a part that is empty or begins with -",
    "-p": "a part that is empty or begins with -",
    "p.--help": "a part that is empty or begins with -",
    "p." + "a" * 200: "has 202 characters, at most 200 are taken",
}


@pytest.mark.parametrize("id_", BAD_IDS, ids=ascii)
def test_an_id_that_cannot_be_asked_for_is_refused(id_):
    for refused in (
        lambda: require_id(id_),
        lambda: Registry().add(Claim(id_, "t", "s")),
        lambda: _shelved(id_),
    ):
        with pytest.raises(CatalogueError) as caught:
            refused()
        said = str(caught.value)
        assert BAD_IDS[id_] in said
        assert "take parts of letters, digits, - and _ with a dot between them" in said
        assert said.isascii()
        assert said.isprintable()


def _shelved(id_):
    """An id that an index may have, whatever the statements say."""

    class Section:
        name = "p.section"
        entries = (Entry(id_, "t"),)

    registry = Registry()
    registry.add_paper(Paper("p", "A paper"), lambda: [Section()])
    registry.entries()


@pytest.mark.parametrize("id_", ["p", "p.one", "nichani.thm1.mean-2", "P.A_b", "p.1", "p._x"])
def test_an_id_of_parts_is_taken(id_):
    require_id(id_)
    assert Registry().add(Claim(id_, "t", "s")).id == id_


@pytest.mark.parametrize("name", ["", "p.q", "p/q", "p q", "p\u202e", "-p", "p*"])
def test_the_name_of_a_paper_or_of_a_section_is_one_part(name):
    with pytest.raises(CatalogueError, match=r"^name: .*; take one word"):
        Paper(name, "A paper")
    with pytest.raises(CatalogueError, match=r"^sections: .*; take one word"):
        Paper("p", "A paper", sections=(name,))


@pytest.fixture
def read(tmp_path):
    """The claim in a file of one, its fields but for those given as in CLAIM."""

    def statements(**fields):
        path = tmp_path / "section.toml"
        lines = [f"{name} = {value}" for name, value in {**CLAIM, **fields}.items()]
        path.write_text("\n".join(["[[claim]]", *lines]), encoding="utf-8")
        (found,) = read_statements(path, paper="A paper")
        return found

    return statements


@pytest.mark.parametrize(
    ("field", "value", "known"),
    [
        ("kind", "'lemma'", "identity, inequality, bound"),
        ("kind", "''", "identity, inequality, bound"),
        ("kind", "7", "identity, inequality, bound"),
        ("tier", "0", "1, 2, 3"),
        ("tier", "4", "1, 2, 3"),
        ("tier", "'one'", "1, 2, 3"),
        ("origin", "'mine'", "printed, corrected, ours"),
        ("reading", "'liberal'", "as-printed, ambiguous, damaged"),
        ("severity", "'fatal'", "theorem, gap, constant, wording"),
        ("recorded", "'true'", "proved, argued, certified, supported, refuted"),
    ],
)
def test_a_value_outside_a_closed_list_names_file_id_and_list(read, field, value, known):
    with pytest.raises(CatalogueError) as caught:
        read(**{field: value})
    said = str(caught.value)
    assert said.startswith(f"section.toml: p.one: {field} = ")
    assert f" is unknown; take one of {known}" in said


def test_all_of_a_closed_list_is_taken(read):
    assert {read(kind=f"'{kind}'").kind for kind in KINDS} == set(KINDS)
    assert {read(tier=str(tier)).tier for tier in TIERS} == set(TIERS)


def test_claims_that_a_function_adds_are_held_to_the_same_lists():
    with pytest.raises(CatalogueError, match=r"p\.one: kind = 'lemma' is unknown; take one of id"):
        Registry().add(Claim("p.one", "t", "s", kind="lemma"))
    with pytest.raises(CatalogueError, match=r"p\.one: tier = 9 is unknown; take one of 1, 2, 3"):
        Registry().add(Claim("p.one", "t", "s", tier=9))


def mutants(*texts):
    return ", ".join(
        f"{{ name = 'm{n}', formulas = {{ v = '{t}' }} }}" for n, t in enumerate(texts)
    )


@pytest.mark.parametrize(
    ("texts", "complaint"),
    [
        (["2*d"], "the mutant 'm0' is what is printed"),
        (["(2 * (d))"], "the mutant 'm0' is what is printed"),
        (["3*d", "2 *d"], "the mutant 'm1' is what is printed"),
        (["3*d", "3 * d"], "the mutants 'm0' and 'm1' are the same"),
        (["3*d", "d", "(d)"], "the mutants 'm1' and 'm2' are the same"),
    ],
)
def test_a_mutant_that_is_none_is_refused(read, texts, complaint):
    with pytest.raises(CatalogueError, match=rf"^section\.toml: p\.one: {complaint}.*; "):
        read(formulas="{ v = '2*d' }", mutants=f"[{mutants(*texts)}]")


def test_a_mutant_of_the_same_value_that_is_written_otherwise_is_for_the_checks(read):
    found = read(formulas="{ v = '2*d' }", mutants=f"[{mutants('d*2', 'd + d', '3*d')}]")
    assert [str(mutant.formulas["v"]) for mutant in found.wrong] == ["d * 2", "d + d", "3 * d"]


def test_a_mutant_changes_a_formula_of_the_claim(read):
    with pytest.raises(CatalogueError, match="'m0' changes v, which is no formula of the claim"):
        read(formulas="{ w = '2*d' }", mutants=f"[{mutants('d')}]")
    with pytest.raises(CatalogueError, match="the mutant 'm' is what is printed"):
        read(formulas="{ v = 'd' }", mutants="[{ name = 'm', formulas = {} }]")


def test_mutants_of_two_formulas_are_compared_as_a_whole(read):
    wrong = "[{ name = 'a', formulas = { v = '1' } }, { name = 'b', formulas = { w = '1' } }]"
    assert len(read(formulas="{ v = 'd', w = 'd' }", mutants=wrong).wrong) == 2


def test_a_fault_of_the_construction_is_another_mutant_and_named_once():
    formulas = {"v": Formula.parse("d")}
    built = Claim("p.one", "t", "s", formulas=formulas, faults=("a", "b"))
    require_sound(replace(built, wrong=(Mutant("m", formulas, "built wrongly"),)))
    with pytest.raises(CatalogueError, match=r"p\.one: faults names one twice"):
        require_sound(replace(built, faults=("a", "a")))


DEEPEST = "(" * 190 + "d" + " + 1)" * 190


def test_the_deepest_formula_has_mutants(read):
    found = read(formulas=f"{{ v = '{DEEPEST}' }}", mutants=f"[{mutants(DEEPEST + ' + 1')}]")
    assert len(found.wrong) == 1
    with pytest.raises(CatalogueError, match="the mutant 'm0' is what is printed"):
        read(formulas=f"{{ v = '{DEEPEST}' }}", mutants=f"[{mutants(DEEPEST)}]")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("+".join(["x"] * 3000), "nests"),
        ("-" * 2000 + "x", "nests"),
        ("(" * 3000 + "x" + ")" * 3000, "p.one: "),
        ("x" * 30_000, "at most 20000"),
        ("1 +", "is not a formula"),
        ("x if y else z", "is not allowed"),
        ("1.5", "is not allowed"),
    ],
    ids=["terms", "signs", "brackets", "long", "cut", "choice", "decimal"],
)
def test_a_formula_that_cannot_be_read_names_file_and_id(read, text, words):
    with pytest.raises(CatalogueError) as caught:
        read(formulas=f"{{ v = '{text}' }}")
    assert str(caught.value).startswith("section.toml: p.one: ")
    assert words in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("field", ["title", "where", "statement", "consequence", "reading_note"])
def test_latex_that_nests_too_deep_is_refused(read, field):
    for deep in (r"\frac{" * 61 + "x" + "}" * 61, "{" * 3000):
        with pytest.raises(CatalogueError, match=r"p\.one: the brackets of .* 60 deep; say it oth"):
            read(**{field: f"'${deep}$'"})
    assert read(**{field: "'$" + "{" * 60 + "x" + "}" * 60 + "$'"})


def test_brackets_side_by_side_and_those_that_are_printed_do_not_nest():
    require_shallow(["{x}" * 1000, r"\{" * 1000])


def test_a_statement_nests_as_deep_as_its_formulas_make_it(read):
    power = "x**(" * 100 + "x" + ")" * 100
    with pytest.raises(CatalogueError, match="60 deep"):
        read(statement="'$@v@$'", formulas=f"{{ v = '{power}' }}")
