"""The distribution by its own name: the program, unless another file stands where its packages belong.

``proofs``, ``numerics`` and ``verify`` are names that others have too: another distribution, or a script
of one's own. Which file that is, is said in one line before anything breaks for it.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

#: The packages of the distribution.
PACKAGES = ("proofs", "numerics", "verify")
#: What the docstring of each of them says.
_MARK = b"recallproof"


def in_the_way() -> str:
    """A line on the first file that stands in the way of a package, with the remedy; empty for none."""
    for name in PACKAGES:
        ours, found = Path(__file__).with_name(name) / "__init__.py", _found(name)
        if found is None:
            return (
                f"{ours} is missing, so the package {name} of recallproof cannot be imported; "
                "pip install --force-reinstall --no-deps recallproof"
            )
        if found.resolve() != ours.resolve() or _MARK not in found.read_bytes():
            return (
                f"{found} is not recallproof's, and stands in the way of its package {name}; "
                "rename it, or keep the two in environments of their own"
            )
    return ""


def _found(name: str) -> Path | None:
    """The file that is, or would be, imported under a name; None where there is none."""
    if (loaded := sys.modules.get(name)) is not None:
        file = getattr(loaded, "__file__", None)  # what is left of a package has none
    else:
        spec = find_spec(name)
        file = spec.origin if spec is not None else None
    return None if file is None else Path(file)


def main() -> None:
    """Run ``verify``; status 2 if a file is in the way, 3 for an interrupt while it is imported."""
    if line := in_the_way():
        sys.stderr.write(f"verify: {line}\n")
        sys.exit(2)
    try:
        from verify.cli import main as run
    except KeyboardInterrupt:
        sys.exit(3)
    run()


if __name__ == "__main__":
    main()
