"""What measuring needs and the package alone does not bring: looked for before anything is imported.

Serves every measurement of the paper; the exact road does without.
"""

from importlib.util import find_spec


def missing(*packages: str) -> ModuleNotFoundError | None:
    """The error to raise unless all *packages* are installed: one line, with the remedy."""
    absent = [name for name in packages if find_spec(name) is None]
    if not absent:
        return None
    verb = "is" if len(absent) == 1 else "are"
    said = f"numerics: {' and '.join(absent)} {verb} not installed"
    return ModuleNotFoundError(f"{said}; pip install 'recallproof[numerics]'", name=absent[0])
