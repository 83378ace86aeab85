"""What a changed program comes to, in a process of its own: all that is carried over is proved again.

Nothing of the project is imported here before the change is in place.
"""

from __future__ import annotations

import ast
import hashlib
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

#: The packages whose modules can be changed.
PACKAGES = ("proofs", "verify")
#: Of what matches claims with theorems; it is tried on small claims too.
_MATCHING = ("verify.", "proofs.kernel.goals", "proofs.kernel.values")
#: The cases of the engine that come first for a changed package.
_FIRST = {
    "proofs.algebra": "algebra",
    "proofs.moments": "moments",
    "proofs.attention": "scores",
    "proofs.memories": "scores",
    "proofs.concentration": "scores",
}
#: What a changed program may hold, in bytes, so that it does not take the machine along.
_MEMORY = 4 * 2**30


@dataclass(frozen=True)
class Digest:
    """One claim: what its theorems say (*ends*: statement, region, hypotheses, trust; verdict and scope
    as they are printed), how they were come by (*tree*: all theorems under them, all steps), and what
    the claim would say if it were printed otherwise (*others*, one statement after another)."""

    claim: str
    theorems: int
    ends: str
    tree: str
    others: str = ""


@dataclass(frozen=True)
class Request:
    """A module and the source that it has instead; "" for the program as it is.

    *reference* has the digests of the program as it is, one a claim; without them nothing is compared.
    *beside*: checks, by claim and method, that the engine alone decides, for changes of the engine.
    *seconds* of processor time may be spent; *traced*: the folders of which it is told what was read.
    """

    claims: Sequence[str]
    module: str = ""
    path: str = ""
    source: str = ""
    reference: Mapping[str, Digest] = field(default_factory=dict)
    seconds: float = 600.0
    traced: tuple[str, ...] = ()
    beside: Sequence[tuple[str, str]] = ()


@dataclass
class Answer:
    """*way*: how the change was noticed, "" if it was not; *detail*: by what.

    *otherwise*: the claims that are proved in another manner. *read*: the lines that were run by file,
    and the names that occur in what was run, by file.
    """

    way: str = ""
    detail: str = ""
    otherwise: tuple[str, ...] = ()
    digests: dict[str, Digest] = field(default_factory=dict)
    seconds: float = 0.0
    read: dict[str, frozenset[int]] = field(default_factory=dict)
    names: dict[str, frozenset[str]] = field(default_factory=dict)


#: How a change is noticed.
LOADING = "the program does not load"
BROKEN = "a proof, or a case of a rule, breaks down"
REFUSED = "a rule refuses"
UNPROVED = "a claim is no longer proved"
OTHER = "another statement, region, hypothesis or trust"
OTHERWISE = "another statement of what could be printed"
CHANGED = "other theorems in a proof"
FALSE = "a false derivation goes through"
CASE = "what holds is refused, or what must be refused is not"
BESIDE = "what the engine says of another claim"
TIME = "it runs out of time"
DEAD = "the process dies"


def answer(pipe: Any, request: Request) -> None:
    """The life of a process: judge one program, and send the answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    _limit(request.seconds)
    # Deep terms and a runaway recursion: a refusal, not a crash.
    threading.stack_size(64 * 2**20)
    pipe.send(judge(request))
    pipe.close()


def _limit(seconds: float) -> None:
    with suppress(ImportError, ValueError, OSError):  # not everywhere
        import resource

        spent = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        most = round(spent + seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5))
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def judge(request: Request) -> Answer:
    """What the program comes to."""
    begun, found = time.process_time(), Answer()
    try:
        changed = _replace(request.module, request.path, request.source) if request.module else None
        _judge(request, found, kernel=changed is None or "proofs.kernel.attacks" in changed)
    except Noticed as noticed:
        found.way, found.detail = noticed.way, noticed.detail
    found.seconds = time.process_time() - begun
    return found


class Noticed(Exception):  # noqa: N818 - what came of it, not what broke
    """A change is noticed, in some way."""

    def __init__(self, way: str, detail: object) -> None:
        super().__init__(way)
        self.way, self.detail = way, " ".join(str(detail).split())[:200]


@contextmanager
def _noticed(way: str) -> Iterator[None]:
    """What goes wrong inside is noticed in that way, unless it is known better."""
    try:
        yield
    except Noticed:
        raise
    except Exception as error:
        name = type(error).__name__
        if name == "Refused":
            way = REFUSED
        elif way in (FALSE, CASE) and name != "ArithmeticError":
            way = BROKEN
        raise Noticed(way, f"{name}: {error}") from None


def _judge(request: Request, found: Answer, *, kernel: bool) -> None:
    with _noticed(LOADING):
        from proofs.argument import proofs_alone
        from verify.catalogue import quietly
        from verify.claim import Road
        from verify.running.settings import Settings

        registry = quietly()
        context = Settings().context(registry)
        checks = {
            id_: next(it for it in registry.checks(id_, [Road.PROOFS]) if _is_proof(it.run))
            for id_ in request.claims
        }
    if _is_engine(request.module):
        _require_engine_cases(request.module)
    if kernel and not request.traced:  # else what they keep would not be read again
        _require_refusals()
        _require_cases(request.module.rpartition(".")[2])
    if request.module.startswith(_MATCHING):
        _require_verdicts()
    with proofs_alone(), _reading(request.traced, found):
        for id_, check in checks.items():
            with _noticed(BROKEN):
                printed = registry[id_].formulas
                own = _digest(id_, check.run, printed, context)
            found.digests[id_] = own
            known = request.reference.get(id_)
            if known is not None and known.ends != own.ends:
                raise Noticed(OTHER, id_)
            if known is not None and known.tree != own.tree:
                found.otherwise += (id_,)
    if not request.module or request.module.startswith(_MATCHING):
        for id_, check in checks.items():
            with _noticed(BROKEN):
                others = _others(registry.sifted(id_).wrong, check.run, context)
            found.digests[id_] = replace(found.digests[id_], others=others)
            if id_ in request.reference and request.reference[id_].others != others:
                raise Noticed(OTHERWISE, id_)
    for id_, method in request.beside:
        own = _beside(registry, id_, method, context)
        found.digests[f"{id_}/{method}"] = own
        known = request.reference.get(f"{id_}/{method}")
        if known is not None and known != own:
            raise Noticed(BESIDE, id_)
    if found.otherwise and kernel:
        raise Noticed(CHANGED, ", ".join(found.otherwise))


def _beside(registry: Any, id_: str, method: str, context: Any) -> Digest:
    """What the engine says of another claim."""
    with _noticed(BROKEN):
        check = next(it for it in registry.checks(id_, ["proofs"]) if it.method == method)
        evidence = check.run(registry[id_].formulas, context)
        told = (str(evidence.verdict), evidence.summary, evidence.scope)
        return Digest(id_, 0, _hash(told), _hash(evidence.steps))


def _is_proof(check: object) -> bool:
    return type(check).__name__ == "Proof" and hasattr(check, "theorems")


def _require_refusals() -> None:
    with _noticed(FALSE):
        from proofs.kernel.attacks import require_refusals

        require_refusals()


def _require_verdicts() -> None:
    with _noticed(CASE):
        from verify.checks.theorem_cases import require_verdicts

        require_verdicts()


def _require_cases(first: str) -> None:
    with _noticed(CASE):
        from proofs.kernel.cases import require_cases

        require_cases(first)


def _is_engine(module: str) -> bool:
    """Whether it is neither a rule nor a script."""
    package, _, rest = module.partition(".")
    return package == "proofs" and rest.partition(".")[0] not in ("kernel", "papers")


def _require_engine_cases(module: str) -> None:
    with _noticed(CASE):
        from proofs.cases import require_cases

        require_cases(_FIRST.get(".".join(module.split(".")[:2]), "conditions"))


def _digest(id_: str, proof: Any, printed: Any, context: Any) -> Digest:
    from verify.records import PROGRAM

    theorems = proof.theorems(printed, context)
    evidence = proof(printed, context)
    if str(evidence.verdict) != "proved":
        raise Noticed(UNPROVED, f"{id_}: {evidence.verdict}: {evidence.summary}")
    ends = [evidence.summary, evidence.scope, *evidence.assumptions, *map(_said, theorems)]
    every = {id(one): one for theorem in theorems for one in theorem.tree()}
    lines = (*evidence.steps, *evidence.detail.get(PROGRAM, ()))
    tree = [*lines, *(f"{one.rule}: {_said(one)}" for one in every.values())]
    return Digest(id_, len(theorems), _hash(ends), _hash(tree))


def _others(wrong: Iterable[Any], proof: Any, context: Any) -> str:
    """What the formal statements of a claim are for each way in which it could be printed wrongly."""
    from proofs.kernel import Refused
    from verify.checks.parameters import given

    said = []
    for mutant in wrong:
        with suppress(Refused):
            for goal, _ in proof.goals(**given(proof.goals, mutant.formulas, context)):
                said.append(f"{mutant.name}: {goal} | {_stated(goal)}")
    return _hash(said)


def _hash(parts: Iterable[str]) -> str:
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=12).hexdigest()


def _said(theorem: Any) -> str:
    """All that a theorem says, by its text and by its trees."""
    trust = sorted(f"{it.name}: {it.statement}" for it in theorem.trust)
    return f"{theorem} | {_stated(theorem)} | {trust}"


def _stated(one: Any) -> str:
    """Region, statement and hypotheses of a theorem or a goal, by their trees."""
    region = [
        (it.name, _tree(it.lower), _tree(it.upper), it.open_below, it.open_above, it.whole)
        for it in one.region.ranges
    ]
    statements = [
        (type(it).__name__, _tree(it.left), getattr(it, "relation", ""), _tree(it.right))
        for it in (one.statement, *one.hypotheses)
    ]
    return f"{region} | {statements}"


def _tree(one: Any) -> Any:
    if one is None:
        return None
    return one.head, one.name, str(one.value), [_tree(argument) for argument in one.arguments]


# -- the change -----------------------------------------------------------------------------------


class _Changed(SourceFileLoader, MetaPathFinder):  # type: ignore[misc]
    """Loads one module from another source; finds no other module."""

    def __init__(self, module: str, path: str, source: str) -> None:
        super().__init__(module, path)
        self._code: CodeType = compile(source, path, "exec", dont_inherit=True)

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def get_code(self, fullname: str) -> CodeType:
        return self._code


def _replace(module: str, path: str, source: str) -> set[str]:
    """Forget a module and all that is built on it, so that they are loaded anew; which these are."""
    with _noticed(LOADING):
        sys.meta_path.insert(0, _Changed(module, path, source))
    gone = built_on(module)
    for name in gone:
        loaded = sys.modules.pop(name, None)
        home, _, last = name.rpartition(".")
        if home in sys.modules and getattr(sys.modules[home], last, None) is loaded:
            with suppress(AttributeError):
                delattr(sys.modules[home], last)
    return gone


def built_on(module: str) -> set[str]:
    """The module, and all loaded ones that import it, or a module that does; of a package all of it."""
    known = {name: _imports(name) for name in list(sys.modules) if name.split(".")[0] in PACKAGES}
    gone, size = {module}, 0
    while len(gone) > size:
        size = len(gone)
        gone |= {name for name, imported in known.items() if imported & gone}
        gone |= {name for name in known if any(name.startswith(f"{it}.") for it in gone)}
    return gone - {__name__, "verify", "verify.auditing"}


_IMPORTS: dict[str, frozenset[str]] = {}


def _imports(name: str) -> frozenset[str]:
    """The modules of the project that a loaded module names in an import, anywhere in it."""
    if name not in _IMPORTS:
        path = getattr(sys.modules[name], "__file__", None)
        tree = ast.parse(Path(path).read_bytes()) if path else ast.Module([], [])
        found: set[str] = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module)
                found.update(f"{node.module}.{alias.name}" for alias in node.names)
        _IMPORTS[name] = frozenset(it for it in found if it.split(".")[0] in PACKAGES)
    return _IMPORTS[name]


# -- what is read ---------------------------------------------------------------------------------


@contextmanager
def _reading(folders: tuple[str, ...], found: Answer) -> Iterator[None]:
    """Note which lines of files in the folders are run inside."""
    if not folders:
        yield
        return
    lines: dict[str, set[int]] = {}
    codes: set[CodeType] = set()

    def line(frame: FrameType, event: str, _: object) -> Any:
        lines.setdefault(frame.f_code.co_filename, set()).add(frame.f_lineno)
        return line

    def call(frame: FrameType, event: str, argument: object) -> Any:
        if not frame.f_code.co_filename.startswith(folders):
            return None
        codes.add(frame.f_code)
        return line(frame, event, argument)

    before = sys.gettrace()
    sys.settrace(call)
    try:
        yield
    finally:
        sys.settrace(before)
    found.read = {path: frozenset(own) for path, own in lines.items()}
    for code in codes:
        known = found.names.get(code.co_filename, frozenset())
        found.names[code.co_filename] = known.union(code.co_names)
