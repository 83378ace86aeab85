"""No check compares with a silent slack: a small number is a slack, or it is said what else it is."""

import ast
from pathlib import Path

import verify

FOLDER = Path(verify.__file__).parent
#: What makes a slack, with its reason.
SLACKS = {"Slack", "rounding", "integration"}
#: Comparisons of numpy and the like that bring a tolerance of their own.
TOLERANT = {"isclose", "allclose", "approx"}
SMALL = 1e-3
#: Small numbers that are no slack, by module.
OTHERS = {
    ("figure5", "0.0001"): "how near the loss is to its limit at t = 1e6, as the record states",
    ("figure5", "1e-05"): "the weights at the start",
    ("figure5", "isclose"): "whether a picture shows two levels or one",
    ("lemma6", "0.0001"): "a place of a grid",
    ("lemma6", "1e-06"): "a strict inequality must be seen to be strict",
    ("lemma6", "1e-13"): "what a picture leaves out",
    ("lemma6_escape", "0.0001"): "a place of a grid",
    ("lemma6_escape", "1e-05"): "a place of a grid",
    ("lemma6_escape", "1e-06"): "a place of a grid, just beside a time, and a slope seen above 0",
    ("lemmas8to11", "0.0001"): "a place of a grid",
    ("lemmas8to11", "1e-12"): "how far drawn predictions are smoothed",
    ("theorem5", "0.00012"): "a point of a flow",
    ("theorem5", "0.0003"): "a point of a flow",
    ("theorem5", "1e-13"): "a point of a flow",
    ("theorem5", "1e-09"): "a point of a flow, and how small a gradient is, as the record states",
    ("theorem6", "1e-09"): "where both sides are rounding nothing is compared",
    ("theorem7", "1e-09"): "a ratio is rounded to the whole number that it is",
    ("theorem8", "1e-09"): "a ratio is rounded to the whole number that it is",
    ("theorem10", "1e-07"): "how large a margin is at least, as the record states",
    ("theorem11", "1e-09"): "a factor just above a root",
}


def numbers_without_reason(source: str) -> list[str]:
    """Small numbers and tolerant comparisons outside of what makes a slack."""
    found = []

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in SLACKS:
                return
            if name in TOLERANT:
                found.append(name)
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(value, float) and 0 < value < SMALL:
            found.append(repr(value))
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(ast.parse(source))
    return found


def in_checks() -> set[tuple[str, str]]:
    modules = [p for folder in ("checks", "papers") for p in (FOLDER / folder).rglob("*.py")]
    return {(p.stem, it) for p in modules for it in numbers_without_reason(p.read_text("utf-8"))}


def test_every_small_number_in_a_check_is_a_slack_or_says_what_else_it_is():
    assert in_checks() == set(OTHERS)


def test_a_silent_slack_is_found():
    assert numbers_without_reason("holds = abs(a - b) <= 1e-9 * b") == ["1e-09"]
    assert numbers_without_reason("holds = math.isclose(a, b)") == ["isclose"]
    assert numbers_without_reason("within(found, slack=rounding(1e-9))") == []
    assert numbers_without_reason("wide = 0.25 + 1e-3") == []
