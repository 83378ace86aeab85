"""A call that must be refused, with the words that the error must say."""

from collections.abc import Callable

from numerics.errors import InputError


def refused(call: Callable[[], object], *words: str) -> None:
    """AssertionError unless `call` raises InputError with all these words in its message."""
    try:
        found = call()
    except InputError as raised:
        message = str(raised)
    else:
        raise AssertionError(f"{found!r} where InputError should say {words}")
    missing = [word for word in words if word not in message]
    assert not missing, f"{message!r} does not say {missing}"
