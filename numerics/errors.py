"""The errors of this package: an argument it cannot use, and a flow that did not come to its end.

Serves every measurement of the paper: neither must ever become a wrong number.
"""


class InputError(ValueError):
    """An argument is unusable; the message names it, its value, and what to pass instead."""


class UnfinishedError(RuntimeError):
    """A flow ended before the time asked for; the message says why. `trajectory`: what was followed."""

    def __init__(self, message: str, trajectory: object = None) -> None:
        super().__init__(message)
        self.trajectory = trajectory
