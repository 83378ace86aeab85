"""How a program is changed in one place: a closed list of operators on its syntax tree.

Text for people is left alone: docstrings, f-strings, what is raised, what a refusal says.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, TypeGuard

#: What stands in the place of a node; a statement for a statement.
Change = Callable[[ast.AST], Iterator[str]]

#: Comparisons, and what each is taken for: not strict for strict, the other way round, the opposite.
_COMPARISONS: Mapping[type[ast.cmpop], tuple[str, ...]] = {
    ast.Lt: ("<=", ">"),
    ast.LtE: ("<", ">="),
    ast.Gt: (">=", "<"),
    ast.GtE: (">", "<="),
    ast.Eq: ("!=",),
    ast.NotEq: ("==",),
    ast.In: ("not in",),
    ast.NotIn: ("in",),
    ast.Is: ("is not",),
    ast.IsNot: ("is",),
}
_ARITHMETIC: Mapping[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "/",
    ast.Div: "*",
    ast.Pow: "*",
    ast.FloorDiv: "*",
    ast.Mod: "*",
    ast.BitOr: "&",
    ast.BitAnd: "|",
}
#: Relations and ends of ranges as the kernel writes them.
_WORDS: Mapping[str, tuple[str, ...]] = {
    "<=": ("<", "="),
    "<": ("<=",),
    "=": ("<=",),
    "[]": ("()",),
    "()": ("[)", "(]"),
    "[)": ("[]", "()"),
    "(]": ("[]", "()"),
}
_PAIRS = (
    ("lower", "upper"),
    ("left", "right"),
    ("open_below", "open_above"),
    ("numerator", "denominator"),
    ("any", "all"),
    ("min", "max"),
    ("first", "second"),
    ("inside", "outside"),
    ("added", "discharged"),
    ("inputs", "outputs"),
)
_OTHER = {a: b for pair in _PAIRS for a, b in (pair, pair[::-1])}
#: Names of what only a reader is told.
_TOLD = frozenset({"said", "method", "summary", "text", "claim"})
#: What these make has the same elements, or the same value.
_SAME = frozenset({"list", "tuple", "frozenset", "dict", "iter", "int"})
#: Of types that have a name of their own.
_TYPES = frozenset({"tuple", "dict", "list", "set", "Mapping", "Callable", "Sequence", "Literal"})
#: How the name of a function begins that refuses or does nothing.
GUARDS = ("require", "_require", "_check", "check")


def _name(one: ast.AST) -> str:
    """The last part of a name."""
    return (
        one.attr if isinstance(one, ast.Attribute) else one.id if isinstance(one, ast.Name) else ""
    )


def is_guard(one: ast.AST) -> bool:
    """Whether it is a call that refuses or does nothing, by its name."""
    return isinstance(one, ast.Call) and _name(one.func).startswith(GUARDS)


def _guard_deleted(one: ast.AST) -> Iterator[str]:
    """What refuses is gone: a call of ``require...``, or an ``if`` that raises or returns at once."""
    if isinstance(one, ast.Expr) and is_guard(one.value):
        yield "pass"
    if (
        isinstance(one, ast.If)
        and not one.orelse
        and isinstance(one.body[-1], ast.Raise | ast.Return)
    ):
        yield "pass"


def _statement_deleted(one: ast.AST) -> Iterator[str]:
    if isinstance(one, ast.AugAssign | ast.Delete):
        yield "pass"
    elif isinstance(one, ast.Expr) and not is_guard(one.value):
        if isinstance(one.value, ast.Yield | ast.YieldFrom):
            yield "yield from ()"
        elif isinstance(one.value, ast.Call):
            yield "pass"


def _body_deleted(one: ast.AST) -> Iterator[str]:
    """All statements of a function but the first, of which two at least are no text."""
    if isinstance(one, ast.FunctionDef) and not one.decorator_list:
        own = [it for it in one.body if not _is_text(it)]
        if len(own) > 1 and not any(isinstance(it, ast.Yield) for it in ast.walk(one)):
            yield f"def {one.name}(*_, **__): return None"


def _comparison(one: ast.AST) -> Iterator[str]:
    """A comparison made strict or not strict, turned round, or denied."""
    if isinstance(one, ast.Compare):
        for i, operator in enumerate(one.ops):
            for other in _COMPARISONS[type(operator)]:
                sides = [ast.unparse(it) for it in (one.left, *one.comparators)]
                signs = [_SIGNS[type(it)] for it in one.ops]
                signs[i] = other
                pairs = zip(signs, sides[1:], strict=True)
                yield " ".join([f"({sides[0]})", *(f"{sign} ({side})" for sign, side in pairs)])


_SIGNS = {
    type(compare.ops[0]): text
    for text in ("<", "<=", ">", ">=", "==", "!=", "in", "not in", "is", "is not")
    if isinstance(compare := ast.parse(f"a {text} b", mode="eval").body, ast.Compare)
}


def _arithmetic(one: ast.AST) -> Iterator[str]:
    """+ for -, * for / and so on."""
    if isinstance(one, ast.BinOp) and type(one.op) in _ARITHMETIC:
        yield f"({ast.unparse(one.left)}) {_ARITHMETIC[type(one.op)]} ({ast.unparse(one.right)})"


def _part_dropped(one: ast.AST) -> Iterator[str]:
    """A summand or a factor is left out."""
    if isinstance(one, ast.BinOp) and not isinstance(one.op, ast.BitOr):
        yield ast.unparse(one.left)
        if isinstance(one.op, ast.Add | ast.Mult):
            yield ast.unparse(one.right)
        elif isinstance(one.op, ast.Sub):
            yield f"-({ast.unparse(one.right)})"


def _sign_dropped(one: ast.AST) -> Iterator[str]:
    if isinstance(one, ast.UnaryOp):
        yield ast.unparse(one.operand)


def _constant(one: ast.AST) -> Iterator[str]:
    """A whole number one more, one less, doubled, halved; another truth value, relation or end."""
    if not isinstance(one, ast.Constant):
        return
    if isinstance(one.value, bool):
        yield str(not one.value)
    elif isinstance(one.value, int):
        yield from (str(one.value + 1), str(one.value - 1))
        if abs(one.value) > 1:
            yield str(2 * one.value)
            if one.value not in (2,) and one.value % 2 == 0:
                yield str(one.value // 2)
    elif isinstance(one.value, str):
        yield from map(repr, _WORDS.get(one.value, ()))


def _connective(one: ast.AST) -> Iterator[str]:
    """``and`` for ``or``, or one of what they join left out."""
    if isinstance(one, ast.BoolOp):
        values = [f"({ast.unparse(it)})" for it in one.values]
        word, other = ("and", "or") if isinstance(one.op, ast.And) else ("or", "and")
        yield f" {other} ".join(values)
        for i in range(len(values)):
            yield f" {word} ".join(values[:i] + values[i + 1 :])


def _condition(one: ast.AST) -> Iterator[str]:
    """One branch of two is always taken, or the other one where one should be."""
    if isinstance(one, ast.IfExp):
        body, test, other = (ast.unparse(it) for it in (one.body, one.test, one.orelse))
        yield from (body, other, f"({other}) if ({test}) else ({body})")


def _swapped(one: ast.AST) -> Iterator[str]:
    """An argument for its neighbour."""
    if isinstance(one, ast.Call) and not any(isinstance(it, ast.Starred) for it in one.args):
        for i in range(len(one.args) - 1):
            if isinstance(one.args[i + 1], ast.JoinedStr):
                continue
            args = list(one.args)
            args[i], args[i + 1] = args[i + 1], args[i]
            yield ast.unparse(ast.Call(one.func, args, one.keywords))


def _argument_dropped(one: ast.AST) -> Iterator[str]:
    """An argument with a name, or the last ones that are unpacked, are not handed on."""
    if not isinstance(one, ast.Call):
        return
    for keyword in one.keywords:
        if keyword.arg not in _TOLD and not _of_zip(one, keyword):
            rest = [it for it in one.keywords if it is not keyword]
            yield ast.unparse(ast.Call(one.func, one.args, rest))
    for argument in one.args:
        if isinstance(argument, ast.Starred):
            args = [it for it in one.args if it is not argument]
            yield ast.unparse(ast.Call(one.func, args, one.keywords))


def _of_zip(one: ast.AST, part: ast.AST) -> bool:
    """Whether it says that what is zipped is as long: a check of the program itself."""
    zipped = isinstance(one, ast.Call) and _name(one.func) == "zip"
    return zipped and isinstance(part, ast.keyword) and part.arg == "strict"


def _call_dropped(one: ast.AST) -> Iterator[str]:
    """A function of one argument by its argument, unless it only holds the same in another container."""
    if not isinstance(one, ast.Call) or len(one.args) != 1 or one.keywords:
        return
    if _name(one.func) in _SAME:
        return
    if not isinstance(one.args[0], ast.Starred | ast.GeneratorExp | ast.JoinedStr):
        yield ast.unparse(one.args[0])


def _element_dropped(one: ast.AST) -> Iterator[str]:
    """A part of a tuple, a list or a set is left out."""
    if isinstance(one, ast.Tuple | ast.List | ast.Set) and not (
        isinstance(getattr(one, "ctx", None), ast.Store)
    ):
        for i in range(len(one.elts)):
            rest = [ast.unparse(it) for it in (*one.elts[:i], *one.elts[i + 1 :])]
            if isinstance(one, ast.Tuple):
                yield f"({', '.join(rest)}{',' if len(rest) == 1 else ''})"
            elif isinstance(one, ast.List):
                yield f"[{', '.join(rest)}]"
            elif rest:
                yield f"{{{', '.join(rest)}}}"


#: What is left of something that is run over: all but the first, the first alone.
_CUTS = ("[1:]", "[:1]")


def _cut_short(one: ast.AST) -> Iterator[str]:
    """What a loop, ``any``, ``all`` or a star runs over is cut short."""
    if isinstance(one, ast.For):
        for cut in _cuts(one.iter):
            yield _with_head(one, cut)
    elif isinstance(one, ast.comprehension):
        conditions = "".join(f" if {ast.unparse(it)}" for it in one.ifs)
        for cut in _cuts(one.iter):
            yield f"for {ast.unparse(one.target)} in {cut}{conditions}"
    elif isinstance(one, ast.Starred) and isinstance(one.ctx, ast.Load):
        yield from (f"*{cut}" for cut in _cuts(one.value))
    elif _is_quantifier(one) and not isinstance(one.args[0], ast.GeneratorExp):  # a comprehension
        yield from (f"{_name(one.func)}({cut})" for cut in _cuts(one.args[0]))


def _is_quantifier(one: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(one, ast.Call) and _name(one.func) in ("any", "all") and len(one.args) == 1


def _cuts(iterated: ast.AST) -> Iterator[str]:
    """What leaves out something; of what is written out it is seen whether it does."""
    many = len(iterated.elts) if isinstance(iterated, ast.Tuple | ast.List) else None
    for cut in _CUTS[:many]:
        yield f"list({ast.unparse(iterated)}){cut}"


def _with_head(one: ast.For, iterated: str) -> str:
    new = ast.For(one.target, ast.parse(iterated, mode="eval").body, one.body, one.orelse)
    return ast.unparse(ast.fix_missing_locations(new))


def _filter(one: ast.AST) -> Iterator[str]:
    """What a loop leaves out is not left out."""
    if isinstance(one, ast.comprehension) and one.ifs:
        head = f"for {ast.unparse(one.target)} in {ast.unparse(one.iter)}"
        for i in range(len(one.ifs)):
            rest = [*one.ifs[:i], *one.ifs[i + 1 :]]
            yield head + "".join(f" if {ast.unparse(it)}" for it in rest)


def _index(one: ast.AST) -> Iterator[str]:
    """The next of several parts for one."""
    if isinstance(one, ast.Subscript) and isinstance(one.slice, ast.Constant):
        value = one.slice.value
        if isinstance(value, int):
            yield f"{ast.unparse(one.value)}[{value + 1}]"


def _counterpart(one: ast.AST) -> Iterator[str]:
    """Lower for upper, left for right, any for all."""
    if isinstance(one, ast.Attribute) and one.attr in _OTHER and isinstance(one.ctx, ast.Load):
        yield f"{ast.unparse(one.value)}.{_OTHER[one.attr]}"
    if isinstance(one, ast.Name) and one.id in _OTHER and isinstance(one.ctx, ast.Load):
        yield _OTHER[one.id]


#: By name, in the order in which they are tried.
OPERATORS: Mapping[str, Change] = {
    "guard deleted": _guard_deleted,
    "statement deleted": _statement_deleted,
    "body deleted": _body_deleted,
    "another comparison": _comparison,
    "another operation": _arithmetic,
    "summand or factor dropped": _part_dropped,
    "sign dropped": _sign_dropped,
    "another constant": _constant,
    "another connective": _connective,
    "another branch": _condition,
    "arguments swapped": _swapped,
    "argument dropped": _argument_dropped,
    "function dropped": _call_dropped,
    "element dropped": _element_dropped,
    "iterable cut short": _cut_short,
    "condition dropped": _filter,
    "next part": _index,
    "counterpart": _counterpart,
}


@dataclass(frozen=True)
class Edit:
    """A change of a program text: what stands between two offsets is replaced.

    *function*: in which one, "" outside; *line*: where it begins; *last*: where it ends.
    """

    operator: str
    function: str
    line: int
    last: int
    start: int
    end: int
    text: str

    def of(self, source: str) -> str:
        """The changed program."""
        return source[: self.start] + self.text + source[self.end :]

    def is_program(self, source: str) -> bool:
        """Whether the changed program can be read."""
        try:
            ast.parse(self.of(source))
        except SyntaxError:
            return False
        return True

    def before(self, source: str) -> str:
        """What is replaced, on one line."""
        return " ".join(source[self.start : self.end].split())


def edits(source: str) -> list[Edit]:
    """All changes of a program, in its order."""
    lines = list(accumulate((len(line) for line in source.splitlines(keepends=True)), initial=0))
    texts = source.splitlines(keepends=True)

    def offset(line: int, column: int) -> int:
        """From a column that counts bytes."""
        return lines[line - 1] + len(texts[line - 1].encode()[:column].decode())

    found: dict[tuple[int, int, str], Edit] = {}
    for node, function in _nodes(ast.parse(source), ""):
        first, last = _ends(node)
        start, end = offset(*first), offset(*last)
        own = "".join(source[start:end].split())
        for operator, change in OPERATORS.items():
            for text in change(node):
                in_place = isinstance(node, ast.expr) and not isinstance(node, ast.Starred)
                whole = f"({text})" if in_place else _indented(text, first[1])
                if "".join(whole.split()) in (own, f"({own})"):
                    continue
                edit = Edit(operator, function, first[0], last[0], start, end, whole)
                found.setdefault((start, end, whole), edit)
    return list(found.values())


def _ends(node: ast.AST) -> tuple[tuple[int, int], tuple[int, int]]:
    if isinstance(node, ast.comprehension):  # it has no place of its own
        (before, _), (_, after) = _ends(node.target), _ends(node.ifs[-1] if node.ifs else node.iter)
        return (before[0], before[1] - len("for ")), after
    place: Any = node
    return (place.lineno, place.col_offset), (place.end_lineno, place.end_col_offset)


def _indented(text: str, column: int) -> str:
    return text.replace("\n", "\n" + " " * column)


def _is_text(one: ast.AST) -> bool:
    if not isinstance(one, ast.Expr) or not isinstance(one.value, ast.Constant):
        return False
    return isinstance(one.value.value, str)


def _is_alias(one: ast.Assign | ast.AnnAssign) -> bool:
    """Whether a type is named."""
    if isinstance(one, ast.AnnAssign):
        return _name(one.annotation) == "TypeAlias"
    return isinstance(one.value, ast.Subscript) and _name(one.value.value) in _TYPES


def _nodes(node: ast.AST, function: str) -> Iterator[tuple[ast.AST, str]]:
    """The nodes that do something, each with the function in which it stands."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        inner = f"{function}.{node.name}" if function else node.name
        yield node, inner
        parts: list[ast.AST] = list(node.body)
        if isinstance(node, ast.FunctionDef):
            parts += [it for it in (*node.args.defaults, *node.args.kw_defaults) if it is not None]
        for part in parts:
            yield from _nodes(part, inner)
        return
    if isinstance(node, ast.Import | ast.ImportFrom | ast.Raise | ast.JoinedStr) or _is_text(node):
        return
    if isinstance(node, ast.expr | ast.stmt | ast.comprehension):
        yield node, function
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant | ast.UnaryOp):
        yield from _nodes(node.value, function)  # an index that is another one is tried as a whole
        return
    if isinstance(node, ast.Assign | ast.AnnAssign):
        if _is_alias(node):
            return
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if node.value is not None and not {_name(it) for it in targets} & {*_TOLD, "__all__"}:
            yield from _nodes(node.value, function)
        return
    for child in ast.iter_child_nodes(node):
        told = isinstance(child, ast.keyword) and child.arg in _TOLD
        if not told and not _of_zip(node, child):
            yield from _nodes(child, function)
