"""What an index is told: what is needed, by whom, for which Pythons, and links that are not dead."""

import json
import re
import sys
import tomllib
from configparser import ConfigParser
from importlib.metadata import distribution
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RELATIVE = re.compile(r"\]\((?![a-z]+://)[^)]*\)")


@pytest.fixture
def away(monkeypatch):
    """The function that the build calls, without what builds."""
    interface = ModuleType("hatchling.metadata.plugin.interface")
    interface.MetadataHookInterface = object
    monkeypatch.setitem(sys.modules, interface.__name__, interface)
    spec = spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.away


def test_the_readme_has_links_that_would_be_dead_elsewhere():
    assert len(RELATIVE.findall(README)) > 10


@pytest.mark.parametrize("source", ["", "https://example.org/tree", "https://example.org/tree/"])
def test_the_long_description_has_none(away, source):
    assert RELATIVE.findall(away(README, source)) == []


def test_a_link_goes_to_the_source_where_its_address_is_known(away):
    text = "See [the\nguide](docs/guide.md) and [another](https://example.org)."
    assert away(text, "https://example.org/tree") == (
        "See [the\nguide](https://example.org/tree/docs/guide.md) and [another](https://example.org)."
    )
    assert away(text, "") == "See the\nguide and [another](https://example.org)."


def test_code_stays_as_it_is(away):
    code = re.compile(r"```.*?```", re.DOTALL)
    assert code.findall(away(README, "")) == code.findall(README) != []


def test_the_two_commands_install_all():
    tox = ConfigParser()
    tox.read(ROOT / "tox.ini", encoding="utf-8")
    assert set(tox["testenv:suite"]["extras"].split()) == set(PROJECT["optional-dependencies"])


def test_the_versions_of_python_are_those_that_are_asked_for():
    name = "Programming Language :: Python :: "
    versions = [c.removeprefix(name) for c in PROJECT["classifiers"] if c.startswith(f"{name}3.")]
    assert f">={versions[0]}" == PROJECT["requires-python"]
    assert versions == [f"3.{11 + k}" for k in range(len(versions))]


def test_the_installed_metadata_is_that_of_the_project():
    found = distribution("recallproof")
    origin = json.loads(found.read_text("direct_url.json") or "{}")
    if origin.get("dir_info", {}).get("editable"):
        pytest.skip("an editable installation has the metadata of the day it was made")
    assert found.metadata["Author"] == PROJECT["authors"][0]["name"]
    assert not [r for r in found.requires if "extra" not in r and r.startswith(("torch", "scipy"))]
    assert RELATIVE.findall(found.metadata.get_payload() or found.metadata["Description"]) == []
