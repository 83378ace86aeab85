"""The errors of this package: an argument it cannot use, and a flow that did not come to its end.

Serves every measurement of the paper: neither must ever become a wrong number.
"""

import re

#: Signs that cannot be seen, or that turn the reading of others around.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]"
)


class InputError(ValueError):
    """An argument is unusable; the message names it, its value, and what to pass instead."""

    def __init__(self, message: str = "") -> None:
        shown = _UNSEEN.sub(lambda sign: f"\\u{ord(sign[0]):04x}", message)
        super().__init__(shown)


class UnfinishedError(RuntimeError):
    """A flow ended before the time asked for; the message says why. `trajectory`: what was followed."""

    def __init__(self, message: str, trajectory: object = None) -> None:
        super().__init__(message)
        self.trajectory = trajectory
