"""A paper of five lines: the overlap of two random unit vectors, its moments, a bound and a tail."""

from importlib.resources import files

from verify.catalogue.statements import read_statements
from verify.claim import Registry

TITLE = "On the overlap of two random unit vectors"


def register(registry: Registry) -> None:
    """Add the statements of the paper, then their checks; the entry point names this function."""
    from mini_paper.checks import section

    for claim in read_statements(files(__package__) / "statements.toml", paper=TITLE):
        registry.add(claim)
    section.register(registry)
