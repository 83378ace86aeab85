"""The one error this package raises for an argument it cannot use.

Serves every measurement of the paper: a wrong argument must never become a wrong number.
"""

__all__ = ["InputError"]


class InputError(ValueError):
    """An argument is unusable; the message names it, its value, and what to pass instead."""
