"""The errors a user can cause; the command line prints their one line and exits with status 2."""


class UsageError(ValueError):
    """Bad input: the message names the argument, its value and the remedy."""


class CatalogueError(ValueError):
    """A claim, a check or a data file contradicts itself; the message says which and how."""
