"""What recallproof concludes: the papers' claims, checked on independent roads, each with a verdict.

In a notebook: ``verify.check(claim)`` runs the checks of one claim and returns its result. Modules that
packages of other authors know under the name of before are found here under today's, with a warning.
"""

import sys
import tomllib
import warnings
from importlib import import_module, resources
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from recallproof import in_the_way

# Under `python -m` the program says it, in its line and with its status.
if sys.argv[0] != "-m" and (line := in_the_way()):
    raise ImportError(line)

__all__ = ["__version__", "check"]


def __getattr__(name: str) -> Any:
    """The version of the program, which stands with the runs that record it."""
    if name == "__version__":
        return import_module("verify.running.version").__version__
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def check(claim: Any, *, registry: Any = None, **settings: Any) -> Any:
    """Run all checks of a claim (an id or a Claim) in this process; returns its ClaimResult.

    *registry*: where the claim lives, by default the papers' catalogue. *settings*: seed, profile,
    device, as in ``verify.measuring.context.Context``.
    """
    # The face of the package lies below all of it, so it names what it hands on to.
    found = import_module("verify.catalogue").catalogue() if registry is None else registry
    return import_module("verify.running.runner").check_claim(claim, registry=found, **settings)


class _Moved(MetaPathFinder, Loader):
    """Asked last: a module that ``moved.toml`` knows by an old name is the one that it names."""

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """A spec for an old name; None for any other."""
        if not fullname.startswith(f"{__name__}."):
            return None
        moved = tomllib.loads(
            (resources.files(__name__) / "moved.toml").read_text(encoding="utf-8")
        )
        if fullname not in moved:
            return None
        now = moved[fullname]
        warnings.warn(f"{fullname} is {now} now; import that", FutureWarning, stacklevel=2)
        return ModuleSpec(fullname, self, origin=now)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Today's module itself, so that its classes are the same under both names."""
        module = import_module(str(spec.origin))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Nothing but give it its own name back: it has been executed under that."""
        if module.__spec__ is not None:
            module.__spec__ = module.__spec__.loader_state


sys.meta_path.append(_Moved())
