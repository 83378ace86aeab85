"""Who may import whom, read off all sources, and that imports stay quick, seen in a fresh process.

The roads stay independent, the library knows no paper, and no import runs back up.
"""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

import pytest

import numerics
import proofs
import verify

FORBIDDEN = {
    "proofs": {"torch", "scipy", "numerics", "verify"},
    "numerics": {"proofs", "sympy", "flint", "verify"},
    "verify": {"scipy"},
}
#: Where a paper may be named in a string: it is imported when the catalogue asks for it.
BY_NAME = {"verify.catalogue"}


class House:
    """The sources of the three packages in a folder: modules, and what each imports at any depth."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.modules: dict[str, Path] = {}
        for package in ("proofs", "numerics", "verify"):
            for path in sorted((root / package).rglob("*.py")):
                name = ".".join(path.relative_to(root).with_suffix("").parts)
                self.modules[name.removesuffix(".__init__")] = path
        self.trees = {
            name: ast.parse(path.read_text(encoding="utf-8")) for name, path in self.modules.items()
        }
        self.imports = {name: set(self._imported(name)) for name in self.modules}

    def _imported(self, name: str) -> Iterator[str]:
        """What a module imports by name: a module where there is one, else what holds the name."""
        home = self.modules[name].relative_to(self.root).parent.parts
        for node in ast.walk(self.trees[name]):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                above = home[: len(home) - node.level + 1] if node.level else ()
                base = ".".join([*above, *filter(None, [node.module])])
                for alias in node.names:
                    inner = f"{base}.{alias.name}"
                    yield inner if inner in self.modules else base

    def arrows(self, package: str) -> dict[str, set[str]]:
        """The imports among the modules of a package."""
        own = {name for name in self.modules if name.split(".")[0] == package}
        return {name: (self.imports[name] & own) - {name} for name in own}

    def folder(self, name: str) -> str:
        """Where a module lies; one at the top of its package stands for itself."""
        inner = self.modules[name].name == "__init__.py" or name.count(".") < 2
        return name if inner else name.rpartition(".")[0]

    def builds_on(self, paper: str) -> set[str]:
        """The papers that a paper may import, by its ``paper.toml``."""
        path = self.root / "verify" / "papers" / paper / "paper.toml"
        return set(tomllib.loads(path.read_text(encoding="utf-8")).get("builds_on", []))


def paper_of(name: str) -> str:
    """The paper to which a module belongs, or that it speaks of; empty for the library."""
    parts = name.split(".")
    return ".".join(parts[2:3]) if parts[1:2] == ["papers"] else ""


def _circle(arrows: dict[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return [f"{later} imports {earlier}" for earlier, later in pairwise(error.args[1])]
    return []


# -- the rules: each gives its breaches --------------------------------------------------------------


def no_road_imports_another(house: House) -> list[str]:
    return [
        f"{name} imports {target}"
        for name, targets in house.imports.items()
        for target in targets
        if target.split(".")[0] in FORBIDDEN.get(name.split(".")[0], ())
    ]


def the_library_imports_no_paper(house: House) -> list[str]:
    return [
        f"{name} imports {target}"
        for name, targets in house.imports.items()
        for target in targets
        if name.split(".")[1:2] != ["papers"] and target.split(".")[1:2] == ["papers"]
    ]


def the_library_names_no_paper(house: House) -> list[str]:
    return [
        f"{name} says {node.value!r}"
        for name, tree in house.trees.items()
        if not paper_of(name) and name not in BY_NAME
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if node.value.startswith(("proofs.papers", "numerics.papers", "verify.papers"))
    ]


def a_paper_imports_those_on_which_it_builds(house: House) -> list[str]:
    return [
        f"{name} imports {target}"
        for name, targets in house.imports.items()
        for target in targets
        if (own := paper_of(name))
        and (other := paper_of(target))
        and other not in {own} | house.builds_on(own)
    ]


def a_section_imports_no_other(house: House) -> list[str]:
    """So that a verdict imports the checks of what it rests on, and no others."""
    return [
        f"{name} imports {target}"
        for name, targets in house.imports.items()
        for target in targets
        if target in house.modules and house.modules[target].with_suffix(".toml").is_file()
    ]


def no_modules_import_each_other(house: House) -> list[str]:
    return [found for package in FORBIDDEN for found in _circle(house.arrows(package))]


def no_import_runs_back_up(house: House) -> list[str]:
    found = []
    for package in FORBIDDEN:
        folders: dict[str, set[str]] = {}
        for name, targets in house.arrows(package).items():
            here = folders.setdefault(house.folder(name), set())
            here |= {house.folder(target) for target in targets} - {house.folder(name)}
        found += _circle(folders)
    return found


RULES = [
    no_road_imports_another,
    the_library_imports_no_paper,
    the_library_names_no_paper,
    a_paper_imports_those_on_which_it_builds,
    a_section_imports_no_other,
    no_modules_import_each_other,
    no_import_runs_back_up,
]


@pytest.fixture(scope="module")
def sources() -> House:
    house = House(Path(verify.__file__).parents[1])
    assert {proofs.__name__, numerics.__name__, verify.__name__} <= set(house.modules)
    return house


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_sources_keep_the_rule(rule, sources):
    assert rule(sources) == []


#: A house in which every rule is kept.
SOUND = {
    "proofs/__init__.py": "",
    "proofs/algebra/field.py": "import sympy",
    "proofs/moments/laws.py": "from proofs.algebra import field\nfrom ..algebra.field import x",
    "proofs/papers/one/lines.py": "from proofs.moments.laws import mean",
    "numerics/draws.py": "import torch",
    "numerics/papers/two/__init__.py": "from numerics.draws import draw",
    "verify/errors.py": "",
    "verify/catalogue/__init__.py": "OWN = 'verify.papers'",
    "verify/report/text.py": "from verify.errors import UsageError",
    "verify/report/page/html.py": "from verify.report.text import words",
    "verify/papers/one/lines.py": "from proofs.papers.one import lines",
    "verify/papers/one/section.py": "from verify.papers.one import lines",
    "verify/papers/one/section.toml": "",
    "verify/papers/one/paper.toml": "title = 'One'",
    "verify/papers/two/lines.py": "from verify.papers.one import lines\nimport numerics.papers.two",
    "verify/papers/two/paper.toml": "title = 'Two'\nbuilds_on = ['one']",
}


def built(root: Path, files: dict[str, str]) -> House:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return House(root)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_a_house_in_order_keeps_the_rule(rule, tmp_path):
    assert rule(built(tmp_path, SOUND)) == []


@pytest.mark.parametrize(
    ("rule", "name", "text"),
    [
        (no_road_imports_another, "proofs/algebra/field.py", "def f():\n    from torch import nn"),
        (no_road_imports_another, "proofs/algebra/field.py", "import numerics.draws"),
        (no_road_imports_another, "numerics/draws.py", "if False:\n    import sympy.core"),
        (no_road_imports_another, "numerics/draws.py", "from verify.errors import UsageError"),
        (no_road_imports_another, "proofs/algebra/field.py", "from scipy import special"),
        (no_road_imports_another, "verify/errors.py", "def f():\n    import scipy.special"),
        (the_library_imports_no_paper, "proofs/moments/laws.py", "import proofs.papers.one.lines"),
        (the_library_imports_no_paper, "proofs/moments/laws.py", "from ..papers.one import lines"),
        (the_library_imports_no_paper, "verify/errors.py", "from verify import papers"),
        (the_library_imports_no_paper, "verify/report/text.py", "from proofs.papers import one"),
        (the_library_names_no_paper, "verify/errors.py", "f('verify.papers.one.lines')"),
        (the_library_names_no_paper, "numerics/draws.py", "f('numerics.papers.two')"),
        (
            a_paper_imports_those_on_which_it_builds,
            "verify/papers/one/lines.py",
            "from .. import two",
        ),
        (
            a_paper_imports_those_on_which_it_builds,
            "verify/papers/one/lines.py",
            "from numerics.papers.two import f",
        ),
        (a_section_imports_no_other, "verify/papers/one/lines.py", "from . import section"),
        (
            a_section_imports_no_other,
            "verify/papers/two/other.py",
            "def f():\n    from verify.papers.one.section import f",
        ),
        (no_modules_import_each_other, "verify/errors.py", "from verify.report import text"),
        (
            no_modules_import_each_other,
            "proofs/algebra/field.py",
            "from proofs.moments import laws",
        ),
        (no_import_runs_back_up, "verify/report/other.py", "import verify.report.page.html"),
        (no_import_runs_back_up, "proofs/algebra/other.py", "from ..moments import laws"),
    ],
)
def test_a_breach_of_the_rule_is_noticed(rule, name, text, tmp_path):
    files = {"verify/papers/__init__.py": "", "verify/papers/two/__init__.py": "", **SOUND}
    assert rule(built(tmp_path, files)) == []
    assert rule(built(tmp_path, {name: text})) != []


# -- in a fresh process --------------------------------------------------------------------------


def loaded_after(statement):
    code = f"{statement}; import sys; print(' '.join(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "statement",
    [
        "import proofs.memories.linear, proofs.capacity",
        "import verify, verify.cli",
        "from verify.catalogue import catalogue; catalogue()",
    ],
)
def test_torch_is_not_loaded_before_something_is_measured(statement):
    assert "torch" not in loaded_after(statement)


def test_the_program_loads_no_mathematics_before_a_command_needs_it():
    loaded = loaded_after("import verify, verify.cli")
    assert not {"sympy", "flint", "numpy", "scipy", "proofs", "numerics"} & loaded


def test_measuring_does_not_load_the_proofs():
    assert not {"proofs", "verify"} & loaded_after("import numerics")


@pytest.mark.parametrize("package", [proofs, numerics, verify], ids=lambda p: p.__name__)
def test_the_package_is_typed(package):
    assert (Path(package.__file__).parent / "py.typed").is_file()
