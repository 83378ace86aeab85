"""The errors a user can cause, whose one line the command line prints, and what ends work."""


class UsageError(ValueError):
    """Bad input: the message names the argument, its value and the remedy."""


class CatalogueError(ValueError):
    """A claim, a check or a data file contradicts itself; the message says which and how."""


class Ended(BaseException):
    """Work is to end, from outside; no ``except Exception`` of that work may catch it."""
