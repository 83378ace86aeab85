"""The registry refuses what contradicts itself, and finds claims by id and glob."""

import pytest

from verify.catalogue import catalogue
from verify.catalogue.statements import read_statements
from verify.claim import Claim, Evidence, Mutant, Registry, Severity
from verify.errors import CatalogueError, UsageError
from verify.printed.formula import Formula
from verify.printed.paper import Paper
from verify.verdict import Verdict


def claim(id_: str = "a.one", **fields) -> Claim:
    return Claim(id=id_, title=id_, statement="$x$", **fields)


def passing(printed, context):
    return Evidence(Verdict.PROVED, "", "so it is")


def registry(*claims: Claim) -> Registry:
    found = Registry()
    for item in claims:
        found.add(item)
    return found


def test_an_id_is_taken_once():
    with pytest.raises(CatalogueError, match=r"a\.one"):
        registry(claim(), claim())


def test_a_check_needs_a_claim():
    with pytest.raises(CatalogueError, match=r"b\.two"):
        registry(claim()).check("b.two", "proofs")(passing)


def test_a_check_is_registered_once():
    found = registry(claim())
    found.check("a.one", "proofs")(passing)
    with pytest.raises(CatalogueError, match="twice"):
        found.check("a.one", "proofs")(passing)


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"uses": ("a.none",)}, "not in the catalogue"),
        ({"correction": "a.none"}, "not in the catalogue"),
        ({"recorded": Verdict.PROVED}, "has no check"),
        ({"recorded": Verdict.REFUTED, "severity": Severity.GAP}, "without correction"),
        ({"slip": ("f",)}, "no formula"),
        ({"uses": ("a.one",)}, "circle"),
    ],
)
def test_what_contradicts_itself_is_refused(fields, complaint):
    with pytest.raises(CatalogueError, match=complaint):
        registry(claim(**fields)).validate()


def test_an_unknown_id_names_the_nearest():
    with pytest.raises(UsageError, match=r"nichani\.thm1\.mean"):
        catalogue()["nichani.thm1.maen"]


def test_a_glob_that_matches_nothing_is_refused():
    with pytest.raises(UsageError, match="matches"):
        catalogue().select(["nothing.*"])


def test_what_is_used_comes_before_what_uses_it():
    found = registry(
        claim("a.top", uses=("a.mid",)), claim("a.mid", uses=("a.low",)), claim("a.low")
    )
    assert [c.id for c in found.with_uses([found["a.top"]])] == ["a.low", "a.mid", "a.top"]


def test_who_names_a_claim_is_known_of_claims_and_papers_that_came_later(shelve):
    found = registry(claim("a.low"), claim("a.top", uses=("a.low",)))
    assert found.resting_on("a.low") == ["a.top"]
    assert found.corrected_by("a.low") == ()
    found.add(claim("a.false", correction="a.low"))
    assert found.corrected_by("a.low") == ["a.false"]
    assert found.resting_on("a.low") == ["a.top"]
    shelve(Paper("p", "P"), claim("p.other", uses=("a.low",)), registry=found)
    assert found.resting_on("a.low") == ["p.other", "a.top"]


def test_every_refuted_claim_names_a_correction_that_holds():
    found = catalogue()
    refuted = [c for c in found if c.recorded is Verdict.REFUTED]
    assert refuted
    assert all(found[c.correction].recorded.positive for c in refuted)


def test_slips_that_change_nothing_are_set_aside():
    found = registry(
        claim(
            formulas={"f": Formula.parse("d + N")},
            wrong=(Mutant("swap", {"f": Formula.parse("N + d")}),),
        )
    )

    def same(left, right):
        return left["f"].field() == right["f"].field()

    found.check("a.one", "proofs", same=same)(passing)
    assert found.mutants("a.one") == []


def test_a_statement_file_with_a_fault_is_named(tmp_path):
    path = tmp_path / "broken.toml"
    path.write_text("[[claim]]\nid = 'a.one'\ntitel = 'typo'\n", encoding="utf-8")
    with pytest.raises(CatalogueError, match=r"broken\.toml"):
        read_statements(path, paper="p")


def test_statements_and_formulas_cannot_drift_apart(tmp_path):
    path = tmp_path / "section.toml"
    text = """[[claim]]
id = 'a.one'
title = 't'
where = 'w'
kind = 'identity'
tier = 1
statement = 'It is $@value@$.'
formulas = { value = '%s' }
"""
    statements = []
    for formula in ("1/d", "2/d"):
        path.write_text(text % formula, encoding="utf-8")
        statements.append(read_statements(path, paper="p")[0].statement)
    assert statements == [r"It is $\frac{1}{d}$.", r"It is $\frac{2}{d}$."]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("1", r"$2^{d} \, x^{1 + d} + \mathbb{E} x \cdot n$ and $1$"),
        ("3", r"$2^{d} \, x^{1 + d} + 3 \, \mathbb{E} x \cdot n^{3}$ and $3$"),
    ],
)
def test_a_factor_or_an_exponent_of_one_is_left_out_where_it_is_marked(tmp_path, value, expected):
    path = tmp_path / "section.toml"
    path.write_text(
        "[[claim]]\nid = 'a'\ntitle = 't'\nwhere = 'w'\nkind = 'bound'\ntier = 1\n"
        r"statement = '$2^{@size@} \, x^{1 + @size@} + @v*@\mathbb{E} x \cdot n^{@v@}$ and $@v@$'"
        f"\nformulas = {{ v = '{value}', size = 'd' }}\n",
        encoding="utf-8",
    )
    assert read_statements(path, paper="p")[0].statement == expected


def test_a_placeholder_without_a_formula_is_refused(tmp_path):
    path = tmp_path / "section.toml"
    path.write_text(
        "[[claim]]\nid = 'a'\ntitle = 't'\nwhere = 'w'\nkind = 'bound'\ntier = 1\n"
        "statement = '@lost@'\n",
        encoding="utf-8",
    )
    with pytest.raises(CatalogueError, match="lost"):
        read_statements(path, paper="p")
