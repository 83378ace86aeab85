"""A paper of five lines: the overlap of two random unit vectors, its moments, a bound and a tail."""

from verify.catalogue import Paper, read_paper


def paper() -> Paper:
    """The paper in this folder; the entry point names this function."""
    return read_paper(__package__)
