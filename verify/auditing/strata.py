"""The programs on which what is carried over to the kernel rests, in five strata, and all their mutants.

The modules of rules, the scripts and the statements are not listed: they are found by the rules that
there are and by what the proofs run.
"""

from __future__ import annotations

import ast
import os
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from verify.auditing.exempt import EXEMPT
from verify.auditing.judged import Answer
from verify.auditing.operators import GUARDS, Edit, edits, is_guard

#: What is demanded of a stratum: the least share of its mutants that are noticed.
RULES, REGIONS, ENGINE, STATEMENTS, SCRIPTS = (
    "rules and side conditions",
    "regions and hypotheses",
    "definitions and engine",
    "matching and statements",
    "scripts",
)
DEMANDED: Mapping[str, float] = {
    RULES: 1.0,
    REGIONS: 1.0,
    ENGINE: 0.98,
    STATEMENTS: 1.0,
    SCRIPTS: 1.0,
}
_KERNEL, _PAPERS = "proofs.kernel", "papers"
#: Modules of the kernel by stratum, beside those of rules.
_OWN: Mapping[str, str] = {
    f"{_KERNEL}.theorem": RULES,
    f"{_KERNEL}.definedness": RULES,
    f"{_KERNEL}.regions": REGIONS,
    f"{_KERNEL}.terms": ENGINE,
    f"{_KERNEL}.normal": ENGINE,
    f"{_KERNEL}.values": ENGINE,
    f"{_KERNEL}.derivatives": ENGINE,
    f"{_KERNEL}.goals": STATEMENTS,
}
#: Names by which a function of the kernel keeps hypotheses or compares regions.
_OF_HYPOTHESES = frozenset({"hypotheses", "added", "discharged", "_says", "require_inside"})
#: Where there are definitions, an engine, scripts, statements: what is read is a part of the stratum.
READ: Mapping[str, str] = {
    f"proofs.{_PAPERS}": SCRIPTS,
    "proofs": ENGINE,
    f"verify.{_PAPERS}": STATEMENTS,
    "verify.checks.theorem": STATEMENTS,
    "verify.checks.parameters": STATEMENTS,
    "verify.printed.formula": STATEMENTS,
}
#: What is run beside the proofs, of which no theorem has anything, with the reason.
BESIDE: Mapping[str, str] = {
    "proofs.attacks": "false lines that the engine must not accept: they give nothing back",
    f"{_KERNEL}.attacks": "false derivations that the kernel must refuse: they give nothing back",
    f"{_KERNEL}.latex": "statements as a reader sees them, made of theorems that are there already",
    "verify.printed.ids": "ids that are none are refused there: it gives nothing back",
}
#: Why mutants of lines in which bad input is refused are not counted, outside the kernel.
GUARDED = "bad input is refused there, and what is proved has none: it has tests of its own"
#: Of these modules only what makes the statements of claims out of printed formulas.
_FUNCTIONS: Mapping[str, frozenset[str]] = {
    "verify.checks.parameters": frozenset({"given", "_reading"}),
    "verify.printed.formula": frozenset({"Formula.term"}),
}


@dataclass(frozen=True)
class Mutant:
    """A program with one change: of which stratum, module and file."""

    stratum: str
    module: str
    path: str
    edit: Edit

    @property
    def source(self) -> str:
        """The changed program."""
        return self.edit.of(_source(self.path))

    @property
    def before(self) -> str:
        return self.edit.before(_source(self.path))

    @property
    def place(self) -> str:
        return f"{self.module.replace('.', '/')}.py:{self.edit.line}"

    def __str__(self) -> str:
        after = " ".join(self.edit.text.split())
        return (
            f"{self.place} {self.edit.function}: {self.edit.operator}: {self.before}  ->  {after}"
        )


@cache
def _source(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")


def folders() -> tuple[str, ...]:
    """The folders of which it is asked what the proofs read."""
    own = ["proofs", *(it for it in READ if it.startswith("verify."))]
    return tuple(f"{Path(_file(it)).parent}{os.sep}" for it in own)


def _file(module: str) -> str:
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(module)
    return spec.origin


@dataclass
class Population:
    """All *mutants* by stratum, and what is not counted among them.

    *beside*: the mutants of modules that are run beside the proofs; *guarded*: those of lines that
    refuse bad input; *exempt*: those that do the same, by reason; *unplaced*: modules that the proofs
    run and that are in no stratum.
    """

    mutants: dict[str, list[Mutant]]
    beside: dict[str, int] = field(default_factory=dict)
    guarded: int = 0
    exempt: dict[str, int] = field(default_factory=dict)
    unplaced: list[str] = field(default_factory=list)


def population(reference: Answer) -> Population:
    """All mutants; *reference*: what was read by the proofs of the program as it is."""
    from proofs.kernel import RULES as RULES_BY_NAME

    kernel = {it.__module__ for it in RULES_BY_NAME.values()} | set(_OWN)
    found = Population(
        {stratum: [] for stratum in DEMANDED}, exempt={it.reason: 0 for it in EXEMPT}
    )
    names = set().union(*reference.names.values())
    for module in sorted(kernel):
        path = _file(module)
        names |= _names(_source(path))
        keeping = _keeping_hypotheses(_source(path))
        for edit in edits(_source(path)):
            stratum = _OWN.get(module, RULES)
            if stratum == RULES and edit.function.split(".")[0] in keeping:
                stratum = REGIONS
            _add(found, Mutant(stratum, module, path, edit))
    for path, lines in sorted(reference.read.items()):
        module = _module(path)
        if module in kernel:
            continue
        # What begins with an underscore is read in its own module alone.
        own = {it for it in names if not it.startswith("_")} | reference.names.get(path, set())
        was_read = _read(_source(path), lines, own)
        changed = [edit for edit in edits(_source(path)) if was_read(edit)]
        home = next((it for it in READ if f"{module}.".startswith(f"{it}.")), None)
        if module in BESIDE:
            found.beside[module] = len(changed)
        elif home is None or module.startswith(f"{_KERNEL}."):
            found.unplaced.append(module)
        else:
            _add_read(found, READ[home], module, path, changed)
    return found


def _add_read(
    found: Population, stratum: str, module: str, path: str, changed: Sequence[Edit]
) -> None:
    """Changes of what the proofs read, but not of what only refuses."""
    only = _FUNCTIONS.get(module)
    refusing = _refusing(_source(path)) if stratum == ENGINE else frozenset()
    for edit in changed:
        if only is not None and edit.function not in only:
            continue
        if edit.line in refusing and edit.operator != "body deleted":
            found.guarded += 1
        else:
            _add(found, Mutant(stratum, module, path, edit))


def _add(found: Population, mutant: Mutant) -> None:
    reason = exempt(mutant)
    if reason is None:
        found.mutants[mutant.stratum].append(mutant)
    else:
        found.exempt[reason] += 1


def exempt(mutant: Mutant) -> str | None:
    """Why a mutant does the same as the program; None if that is not known of it."""
    edit = mutant.edit
    after = " ".join(edit.text.split())
    key = (mutant.module, edit.function, mutant.before, after)
    return next((it.reason for it in EXEMPT if it.fits(*key)), None)


def _module(path: str) -> str:
    for package in ("proofs", "verify"):
        home = Path(_file(package)).parent
        if Path(path).is_relative_to(home):
            parts = Path(path).relative_to(home).with_suffix("").parts
            return ".".join((package, *(it for it in parts if it != "__init__")))
    raise ValueError(f"{path}: no file of the project")


def _names(source: str) -> set[str]:
    """All names that occur in a program."""
    tree = ast.parse(source)
    return {it.id for it in ast.walk(tree) if isinstance(it, ast.Name)} | {
        it.attr for it in ast.walk(tree) if isinstance(it, ast.Attribute)
    }


def _keeping_hypotheses(source: str) -> set[str]:
    """The functions, or classes, of a program that keep hypotheses or compare regions."""
    return {
        node.name
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef)
        and (
            node.name in _OF_HYPOTHESES
            or any(
                (isinstance(it, ast.Attribute) and it.attr in _OF_HYPOTHESES)
                or (isinstance(it, ast.keyword) and it.arg in _OF_HYPOTHESES)
                for it in ast.walk(node)
            )
        )
    }


def _refusing(source: str) -> frozenset[int]:
    """The lines of a program in which bad input is refused: what is proved has read none of them."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and _only_refuses(node):
            found |= set(range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1))
        if isinstance(node, ast.stmt) and _refuses(node):
            found |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return frozenset(found)


def _refuses(one: ast.stmt) -> bool:
    """Whether a statement refuses or does nothing; a loop, if all that it goes through does."""
    if isinstance(one, ast.If):
        return not one.orelse and isinstance(one.body[-1], ast.Raise)
    if isinstance(one, ast.For):
        return not one.orelse and all(map(_refuses, one.body))
    return isinstance(one, ast.Expr) and is_guard(one.value)


def _only_refuses(function: ast.FunctionDef) -> bool:
    """Whether a function, by its name one that refuses, gives nothing back and stores nothing."""
    inside = list(ast.walk(function))[1:]
    kept = any(
        (isinstance(it, ast.Return) and it.value is not None)
        or isinstance(it, ast.Yield | ast.YieldFrom | ast.Global | ast.Nonlocal)
        or (isinstance(it, ast.Attribute | ast.Subscript) and isinstance(it.ctx, ast.Store))
        for it in inside
    )
    refuses = any(isinstance(it, ast.Raise) for it in inside)
    return function.name.startswith(GUARDS) and refuses and not kept


def _read(source: str, lines: frozenset[int], names: set[str]) -> Callable[[Edit], bool]:
    """Whether the proofs read what is changed: a line that is run, or the value of a name in use."""
    tree = ast.parse(source)
    classes = [it for it in tree.body if isinstance(it, ast.ClassDef)]
    assigned: set[int] = set()
    for node in (*tree.body, *(it for own in classes for it in own.body)):
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            own = {it.id for one in targets for it in ast.walk(one) if isinstance(it, ast.Name)}
            if own & names:
                assigned |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    inner = {
        line
        for it in ast.walk(tree)
        if isinstance(it, ast.FunctionDef)
        for line in range(it.body[0].lineno, (it.end_lineno or 0) + 1)
    }

    def was_read(edit: Edit) -> bool:
        own = range(edit.line, edit.last + 1)
        if edit.operator == "body deleted" or edit.line in inner:
            return any(line in lines and line in inner for line in own)
        return any(line in assigned for line in own)

    return was_read


def sample(mutants: Sequence[Mutant], size: int, seed: int) -> list[Mutant]:
    """So many of the mutants at random, without repetition; all of them if there are fewer, or for 0."""
    order = list(mutants)
    random.Random(f"{seed} {mutants[0].stratum if mutants else ''}").shuffle(order)
    found: list[Mutant] = []
    for mutant in order:
        if size and len(found) == size:
            break
        if mutant.edit.is_program(_source(mutant.path)):
            found.append(mutant)
    return found
