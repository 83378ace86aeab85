"""What is cited is a published theorem, stated in one place, that knows no paper of this catalogue."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import proofs.citations
from proofs.citations import CITATIONS, Citation
from verify.catalogue import catalogue

ROOT = Path(__file__).parents[2]
FOLDERS = ("proofs", "verify", "examples")
#: What the papers speak of, in words and in letters; the Gamma law is none of it.
OBJECTS = re.compile(
    r"\b(W|V|M|u_y|e_x|f\(x\)|phi|(?<!beta-)gamma|EOS|margins?|heads?|memor(y|ies)|tokens?|embeddings?|"
    r"attention|softmax|transformers?|facts?|recall(s|ed)?|subjects?|relations?|answers?|neurons?|logits?|"
    r"(Theorem|Lemma|Corollary) \d+)(?!\w)"
)


def said(citation: Citation) -> str:
    return " ".join((citation.name, citation.statement, *citation.hypotheses))


def objects(text: str) -> list[str]:
    """The objects of papers in a text."""
    return [match[0] for match in OBJECTS.finditer(text)]


@pytest.mark.parametrize("citation", CITATIONS.values(), ids=CITATIONS)
def test_a_citation_speaks_of_no_object_of_a_paper(citation):
    assert objects(said(citation)) == []
    assert not any(name in said(citation).lower() for name in catalogue().papers)


@pytest.mark.parametrize(
    "text",
    ["P(gamma <= 0) <= 1", "W recalls f(x)", "for m heads", "|<u, phi>| <= t", "by Lemma 13"],
)
def test_an_object_of_a_paper_is_seen(text):
    assert objects(text)


@cache
def sources() -> list[tuple[str, ast.AST]]:
    """The modules in which something may be cited."""
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}
    names = ("Citation(", ".cite(", ".use(")
    return [
        (name, ast.parse(text)) for name, text in texts.items() if any(n in text for n in names)
    ]


def calls(tree: ast.AST, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func
            if name == (
                called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            ):
                yield node


def test_citations_are_made_in_one_place():
    made = {name for name, tree in sources() if any(calls(tree, "Citation"))}
    assert made
    assert {name.rpartition("/")[0] for name in made} == {"proofs/citations"}


def test_every_line_that_cites_names_a_citation():
    lines = [(name, call) for name, tree in sources() for call in calls(tree, "cite")]
    assert len(lines) > 40
    for name, call in lines:
        source = call.args[1]
        assert isinstance(source, ast.Name), f"{name}, line {call.lineno}"
        assert isinstance(getattr(proofs.citations, source.id), Citation), f"{name}: {source.id}"


def test_every_claim_that_a_line_uses_is_in_the_catalogue():
    claims = {entry.id for entry in catalogue().entries()}
    for name, tree in sources():
        for call in calls(tree, "use"):
            source = call.args[1]
            if isinstance(source, ast.Constant):
                assert source.value in claims, f"{name}, line {call.lineno}"
