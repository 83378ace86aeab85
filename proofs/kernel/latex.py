"""Statements of the kernel in LaTeX, printed from the objects as they were built."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from proofs.kernel.goals import Goal
from proofs.kernel.regions import Range
from proofs.kernel.terms import Term, opened, readable, shown, term
from proofs.kernel.theorem import Compare, OfDegree, SameLaw, Statement, Theorem

#: Those for which LaTeX has a command; the others are Latin letters.
_GREEK = frozenset(
    {
        "alpha",
        "beta",
        "gamma",
        "delta",
        "epsilon",
        "zeta",
        "eta",
        "theta",
        "iota",
        "kappa",
        "lambda",
    }
    | {"mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"}
    | {"Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega"}
)
_RELATIONS: Mapping[str, str] = {"<=": r"\le", "<": "<", "=": "="}
_FUNCTIONS: Mapping[str, str] = {"exp": r"\exp", "log": r"\log"}
_AND = r",\; "
#: How strongly what is printed binds: a sum, a product, a fraction or a function, a power.
_SUM, _PRODUCT, _TIGHT, _POWER = range(1, 5)


def latex(what: Term | Statement | Goal | Theorem) -> str:
    """A term, a statement, a goal or a theorem, for LaTeX's mathematical mode."""
    if isinstance(what, Term):
        return _latex(what, 0)
    if isinstance(what, Compare):
        return f"{latex(what.left)} {_RELATIONS[what.relation]} {latex(what.right)}"
    if isinstance(what, SameLaw):
        return rf"{latex(what.left)} \overset{{d}}{{=}} {latex(what.right)}"
    if isinstance(what, OfDegree):
        return rf"\deg {latex(what.left)} \le {latex(what.right)}"
    where, given = (
        _AND.join(texts) for texts in (map(_range, what.region.ranges), map(latex, what.hypotheses))
    )
    supposed = rf"{given} \;\Rightarrow\; " if given else ""
    return supposed + latex(what.statement) + (rf" \quad ({where})" if where else "")


def _range(one: Range) -> str:
    name = _name(one.name)
    least, most = ("<" if open_ else r"\le" for open_ in (one.open_below, one.open_above))
    lower, upper = (None if end is None else latex(end) for end in (one.lower, one.upper))
    if lower is not None and upper is not None:
        text = f"{lower} {least} {name} {most} {upper}"
    elif lower is not None:
        text = name + (" > " if one.open_below else r" \ge ") + lower
    elif upper is not None:
        text = f"{name} {most} {upper}"
    else:
        return rf"{name} \in \mathbb{{R}}"
    return rf"{text} \text{{ whole}}" if one.whole else text


def _name(name: str) -> str:
    """A name as it is set: Greek letters by name, more than one letter upright, digits below."""
    ((head, index, primes),) = re.findall(r"^([A-Za-z]+)_?([A-Za-z0-9_]*)('*)$", name)
    letter = rf"\{head}" if head in _GREEK else head if len(head) == 1 else rf"\mathrm{{{head}}}"
    below = "_{" + index.replace("_", r"\_") + "}" if index else ""
    return f"{letter}{below}{primes}"


def _variable(one: Term) -> str:
    """A variable that a definition makes: its first word, what else tells it apart as an index."""
    head, _, rest = shown(one).partition(" (")
    words = [_name(word) if word in _GREEK else rf"\text{{{word} }}" for word in head.split()]
    return "".join(words) + (rf"_{{\text{{{rest.removesuffix(')')}}}}}" if rest else "")


def _latex(one: Term, binding: int) -> str:
    text, own = _bound(one)
    return rf"\left({text}\right)" if own < binding else text


def _bound(one: Term) -> tuple[str, int]:
    """The text of a term, and how strongly it binds."""
    if one.head in _FUNCTIONS:
        return rf"{_FUNCTIONS[one.head]}\left({_latex(one.arguments[0], 0)}\right)", _TIGHT
    return _PRINTED[one.head](one)


def _number(one: Term) -> tuple[str, int]:
    top, bottom = one.value.numerator, one.value.denominator
    if bottom == 1:
        return str(top), _SUM if top < 0 else _POWER
    return rf"{'-' if top < 0 else ''}\frac{{{abs(top)}}}{{{bottom}}}", _SUM if top < 0 else _TIGHT


def _sum_of(one: Term) -> tuple[str, int]:
    left, right = one.arguments
    first = "" if one.head == "-" and left == term(0) else _latex(left, _SUM)
    second = _latex(right, _PRODUCT if one.head == "-" else _SUM)
    return f"{first} {one.head} {second}".strip(), _SUM


def _product(one: Term) -> tuple[str, int]:
    if one.arguments[0] == term(1):
        return _bound(one.arguments[1])
    left, right = (_latex(a, _PRODUCT) for a in one.arguments)
    dot = r" \cdot " if right[0].isdigit() else r" \, "
    return left + dot + right, _PRODUCT


def _fraction(one: Term) -> tuple[str, int]:
    top, bottom = (_latex(a, 0) for a in one.arguments)
    return rf"\frac{{{top}}}{{{bottom}}}", _TIGHT


def _to_power(one: Term) -> tuple[str, int]:
    base, exponent = one.arguments
    return f"{_latex(base, _POWER)}^{{{_latex(exponent, 0)}}}", _TIGHT


def _absolute(one: Term) -> tuple[str, int]:
    base, exponent = one.arguments
    text = rf"\left|{_latex(base, 0)}\right|"
    return (text if exponent == term(1) else f"{text}^{{{_latex(exponent, 0)}}}"), _TIGHT


def _copies(one: Term) -> tuple[str, int]:
    count, summand = one.arguments
    return rf"\sum_{{j=1}}^{{{_latex(count, 0)}}} \left({_latex(summand, 0)}\right)_j", _SUM


def _infimum(one: Term) -> tuple[str, int]:
    name = readable(one)
    lower, upper = (_latex(end, 0) for end in one.arguments[:2])
    body = _latex(opened(one, name), _TIGHT)
    return rf"\inf_{{{lower} < {_name(name)} < {upper}}} {body}", 0


_PRINTED: Mapping[str, Callable[[Term], tuple[str, int]]] = {
    "number": _number,
    "symbol": lambda one: (_name(one.name), _POWER),
    "+": _sum_of,
    "-": _sum_of,
    "*": _product,
    "/": _fraction,
    "^": _to_power,
    "power": _to_power,
    "abs": _absolute,
    "sqrt": lambda one: (rf"\sqrt{{{_latex(one.arguments[0], 0)}}}", _TIGHT),
    **dict.fromkeys(("coordinate", "polynomial"), lambda one: (_name(one.name), _POWER)),
    "random": lambda one: (_variable(one), _TIGHT),
    "sum": _copies,
    "inf": _infimum,
    "E": lambda one: (rf"\mathbb{{E}}\left[{_latex(one.arguments[0], 0)}\right]", _TIGHT),
    "P": lambda one: (rf"\mathbb{{P}}\left({_latex(one.arguments[0], 0)} \le 0\right)", _TIGHT),
}
