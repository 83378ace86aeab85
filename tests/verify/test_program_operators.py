"""What each operator makes of a small program, and what is left alone."""

import ast

import pytest

from verify.auditing.operators import OPERATORS, edits

#: A program, and all that the operator makes of it.
CHANGES = {
    "guard deleted": ("require(a, b)", ["pass"]),
    "statement deleted": ("a.append(b)", ["pass"]),
    "body deleted": (
        "def f(a):\n    b = a\n    return b",
        ["def f(*_, **__): return None"],
    ),
    "another comparison": ("a < b", ["((a) <= (b))", "((a) > (b))"]),
    "another operation": ("a + b", ["((a) - (b))"]),
    "summand or factor dropped": ("a - b", ["(a)", "(-(b))"]),
    "sign dropped": ("not a", ["(a)"]),
    "another constant": ("8", ["(9)", "(7)", "(16)", "(4)"]),
    "another connective": ("a and b", ["((a) or (b))", "((b))", "((a))"]),
    "another branch": ("a if b else c", ["(a)", "(c)", "((c) if (b) else (a))"]),
    "arguments swapped": ("f(a, b)", ["(f(b, a))"]),
    "argument dropped": ("f(a, b=c, said=d)", ["(f(a, said=d))"]),
    "function dropped": ("f(a)", ["(a)"]),
    "element dropped": ("(a, b)", ["((b,))", "((a,))"]),
    "iterable cut short": (
        "[a for a in b]",
        ["for a in list(b)[1:]", "for a in list(b)[:1]"],
    ),
    "condition dropped": ("[a for a in b if c]", ["for a in b"]),
    "next part": ("a[0]", ["(a[1])"]),
    "counterpart": ("a.lower", ["(a.upper)"]),
}
MORE = [
    ("guard deleted", "if a:\n    raise b", ["pass"]),
    ("guard deleted", "def f():\n    if a:\n        return b", ["pass"]),
    ("statement deleted", "a += b", ["pass"]),
    ("statement deleted", "def f():\n    yield a", ["yield from ()"]),
    ("another comparison", "a == b", ["((a) != (b))"]),
    ("another comparison", "a in b", ["((a) not in (b))"]),
    ("another comparison", "a <= b < c", ["((a) < (b) < (c))", "((a) >= (b) < (c))"]),
    ("another operation", "a * b", ["((a) / (b))"]),
    ("another operation", "a ** b", ["((a) * (b))"]),
    ("summand or factor dropped", "a * b", ["(a)", "(b)"]),
    ("another constant", "1", ["(2)", "(0)"]),
    ("another constant", "True", ["(False)"]),
    ("another constant", "f('<=')", ["('<')", "('=')"]),
    ("another constant", "f('(]')", ["('[]')", "('()')"]),
    ("argument dropped", "f(*a)", ["(f())"]),
    ("element dropped", "f(a, (b,))", ["(())"]),
    (
        "iterable cut short",
        "for a in b:\n    c",
        ["for a in list(b)[1:]:\n    c", "for a in list(b)[:1]:\n    c"],
    ),
    ("iterable cut short", "any(a)", ["(any(list(a)[1:]))", "(any(list(a)[:1]))"]),
    ("iterable cut short", "all(a for a in b)", ["for a in list(b)[1:]", "for a in list(b)[:1]"]),
    ("iterable cut short", "f(a, *b)", ["*list(b)[1:]", "*list(b)[:1]"]),
    ("iterable cut short", "(a, *b)", ["*list(b)[1:]", "*list(b)[:1]"]),
    ("iterable cut short", "[a for a in (b,)]", ["for a in list((b,))[1:]"]),
    ("counterpart", "any(a)", ["(all)"]),
]


def changes(operator, program):
    return [edit.text for edit in edits(program) if edit.operator == operator]


@pytest.mark.parametrize("operator", OPERATORS)
def test_an_operator_makes_these_programs(operator):
    program, expected = CHANGES[operator]
    assert changes(operator, program) == expected


@pytest.mark.parametrize(("operator", "program", "expected"), MORE)
def test_an_operator_makes_these_programs_too(operator, program, expected):
    assert changes(operator, program)[: len(expected)] == expected


@pytest.mark.parametrize(
    "program",
    [
        '"""Two < three."""',
        'a: "x < y" = b',
        "raise a(b < c)",
        "A = tuple[int, int]",
        "A: TypeAlias = 'int | str'",
        "from a import b",
        "f'{a < b}'",
        "said = a < b",
        "b = f(said=a < b)",
        "@cache(maxsize=2)\ndef f():\n    pass",
        "def f(a: 1 | 2) -> 3 | 4:\n    pass",
    ],
)
def test_what_is_for_people_is_left_alone(program):
    assert not [edit for edit in edits(program) if edit.text != "(a)"]


@pytest.mark.parametrize("program", ["a, *b = c", "min(a)", "any(a, b)", "[a for a in ()]"])
def test_what_nothing_is_run_over_in_is_not_cut_short(program):
    assert changes("iterable cut short", program) == []


def test_that_what_is_zipped_is_as_long_is_left_alone():
    assert changes("argument dropped", "zip(a, b, strict=True)") == []
    assert changes("another constant", "zip(a, b, strict=True)") == []
    assert changes("another constant", "f(a, strict=True)") == ["(False)"]


def test_a_changed_program_differs_in_one_place():
    program = "def f(a, b):\n    require(a < b, f'{a}')\n    c = (a,\n         b)\n    return c\n"
    for edit in edits(program):
        changed = edit.of(program)
        assert changed != program
        assert edit.is_program(program)
        assert changed.startswith(program[: edit.start])
        assert changed.endswith(program[edit.end :])
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(program))


def test_an_edit_knows_its_place():
    program = "x = 1\n\n\nclass A:\n    def f(self):\n        return 'é', a < b\n"
    first, *_, last = sorted(edits(program), key=lambda edit: (edit.line, edit.start))
    assert (first.function, first.line, first.before(program)) == ("", 1, "1")
    assert (last.function, last.line, last.before(program)) == ("A.f", 6, "a < b")
