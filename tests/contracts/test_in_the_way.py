"""A foreign ``proofs``, ``numerics`` or ``verify``: one line says which file is in the way."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import recallproof


def python(*arguments: str, cwd: Path, path: Path | None = None) -> subprocess.CompletedProcess:
    """Run an interpreter in a folder, with *path* before all else where one is given."""
    found = os.pathsep.join(map(str, filter(None, [path, os.getenv("PYTHONPATH")])))
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": found},
        cwd=cwd,
    )


def in_the_way(file: Path, package: str) -> str:
    return (
        f"{file} is not recallproof's, and stands in the way of its package {package}; "
        "rename it, or keep the two in environments of their own"
    )


def foreign(folder: Path, name: str) -> Path:
    """A module of somebody else's in a folder."""
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("'''Somebody else's.'''\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["proofs.py", "numerics.py", "proofs/__init__.py"])
@pytest.mark.parametrize("program", ["verify", "recallproof"])
def test_a_file_of_ones_own_is_named_by_the_program(tmp_path, name, program):
    line = in_the_way(foreign(tmp_path, name), name.partition("/")[0].removesuffix(".py"))
    done = python("-m", program, "list", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"verify: {line}\n")


@pytest.mark.parametrize("name", ["verify.py", "verify/__init__.py"])
def test_a_foreign_verify_is_named_by_the_console_script(tmp_path, name):
    line = in_the_way(foreign(tmp_path, name), "verify")
    script = "import sys; from recallproof import main; sys.argv = ['verify', 'list']; main()"
    done = python("-c", script, cwd=tmp_path.parent, path=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"verify: {line}\n")


def test_the_console_script_is_guarded():
    root = Path(__file__).parents[2]
    assert 'verify = "recallproof:main"' in (root / "pyproject.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["proofs.py", "numerics.py"])
def test_a_file_of_ones_own_is_named_where_verify_is_imported(tmp_path, name):
    line = in_the_way(foreign(tmp_path, name), name.removesuffix(".py"))
    done = python("-c", "import verify", cwd=tmp_path)
    assert done.stderr.splitlines()[-1] == f"ImportError: {line}"


def test_what_is_loaded_already_is_in_the_way_too(tmp_path):
    file = foreign(tmp_path, "proofs.py")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import proofs; sys.path.pop(0); "
    done = python("-c", f"{code}import verify", cwd=tmp_path.parent)
    assert done.stderr.splitlines()[-1] == f"ImportError: {in_the_way(file, 'proofs')}"


def test_a_folder_that_is_no_package_is_in_nobodys_way(tmp_path):
    for name in recallproof.PACKAGES:
        (tmp_path / name).mkdir()
    done = python("-m", "verify", "list", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_nothing_is_in_the_way_here():
    assert recallproof.in_the_way() == ""


# -- where another distribution has been installed over this one ------------------------------------


def asked(folder: Path, first: str = "pass") -> str:
    """What the module in a folder says where nothing else is installed, after a statement."""
    code = f"import sys; sys.path.insert(0, {str(folder)!r}); {first}; import recallproof as it; "
    done = python("-I", "-S", "-c", f"{code}print(it.in_the_way())", cwd=folder)
    assert done.stderr == ""
    return done.stdout


@pytest.fixture
def installed(tmp_path):
    """A folder with our files, as an installation leaves them."""
    here = Path(recallproof.__file__)
    shutil.copy(here, tmp_path)
    for name in recallproof.PACKAGES:
        (tmp_path / name).mkdir()
        shutil.copy(here.with_name(name) / "__init__.py", tmp_path / name)
    assert asked(tmp_path) == "\n"
    return tmp_path


@pytest.mark.parametrize("name", recallproof.PACKAGES)
def test_a_package_that_was_written_over_is_named(installed, name):
    file = foreign(installed, f"{name}/__init__.py")
    assert asked(installed) == f"{in_the_way(file, name)}\n"


@pytest.mark.parametrize("first", ["pass", "import {}"])
@pytest.mark.parametrize("name", recallproof.PACKAGES)
def test_a_package_that_another_one_took_away_is_named(installed, name, first):
    file = installed / name / "__init__.py"
    file.unlink()
    assert asked(installed, first.format(name)) == (
        f"{file} is missing, so the package {name} of recallproof cannot be imported; "
        "pip install --force-reinstall --no-deps recallproof\n"
    )
