"""What every explicit condition offers: a failure bound, a yes or no at delta, the largest N.

Sizes are integers, delta is read exactly, bounds are exact fractions rounded up.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

#: Decimal exponent below which a failure probability is refused: it would only cost digits.
_SMALLEST_EXPONENT = -10000
#: Larger dimensions, and other larger sizes, are slips: their exact arithmetic would not end.
_LARGEST_DIMENSION, _LARGEST_SIZE = 10**12, 10**27
#: A guess at the largest size is taken to be off by one part in so many, at first.
_STRIDES = 16


def read_delta(delta: Any) -> Fraction:
    """delta as an exact fraction in (0, 1).

    A Fraction, an integer ratio or decimal in a string ("1e-9", "1/20"), or a float, which is read
    by its shortest decimal. Raises ValueError for anything else or outside (0, 1).
    """
    try:
        if isinstance(delta, float):
            exact = Fraction(Decimal(repr(float(delta))))
        elif isinstance(delta, str) and not plain_number(delta):
            raise ValueError
        elif isinstance(delta, str) and "/" not in delta:
            decimal = Decimal(delta)
            if decimal.is_finite() and decimal and decimal.adjusted() < _SMALLEST_EXPONENT:
                raise ValueError(
                    f"delta: {delta} is too small; take delta >= 1e{_SMALLEST_EXPONENT}"
                )
            exact = Fraction(decimal)
        else:
            exact = Fraction(delta)
    except (ValueError, TypeError, InvalidOperation, OverflowError, ZeroDivisionError) as error:
        if "too small" in str(error):
            raise
        raise ValueError(f"delta: {delta!r} is not a number; write for instance 1e-9") from None
    if not 0 < exact < 1:
        raise ValueError(f"delta: {delta} is no failure probability; take 0 < delta < 1")
    return exact


def plain_number(text: str) -> bool:
    """Whether a text is written as numbers are, without what Python takes beside digits 0 to 9."""
    return text.isascii() and "_" not in text and text == text.strip()


def read_integer(name: str, value: Any, least: int = 1) -> int:
    """An integer >= *least*, however large; ValueError that names the argument otherwise."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{name}: {value!r} is not an integer; take {name} >= {least}")
    if value < least:
        raise ValueError(f"{name}: {_short(value)} is out of range; take {name} >= {least}")
    return int(value)


def _short(value: int) -> str:
    """An integer in an error: by its length, where nobody would read its digits."""
    bits = value.bit_length()
    return str(value) if bits <= 128 else f"an integer of {bits} bits"


def read_size(name: str, value: Any, least: int = 1) -> int:
    """An integer size >= *least* and not absurd; ValueError that names the argument otherwise."""
    size = read_integer(name, value, least)
    most = _LARGEST_DIMENSION if name == "d" else _LARGEST_SIZE
    if size > most:
        raise ValueError(f"{name}: {_short(size)} is too large; take {name} <= {most}")
    return size


class SufficientCondition:
    """Base of the conditions: subclasses supply ``failure_bound(d, N, M=None)``, with the further
    sizes of their memory, such as a rank m, as keywords.
    """

    def failure_bound(self, *sizes: Any, **more: Any) -> Fraction:
        """A rigorous upper bound on P(some fact is not recalled), at most 1, rounded up."""
        raise NotImplementedError

    def holds(self, *, delta: Any, d: int, N: int, M: int | None = None, **more: int) -> bool:
        """Whether the condition holds at these sizes and *delta*; *more*: further sizes."""
        return self._holds(read_delta(delta), d, N, M, **more)

    def _holds(self, delta: Fraction, *sizes: Any, **more: Any) -> bool:
        return self.failure_bound(*sizes, **more) <= delta

    def largest(
        self,
        *,
        delta: Any,
        d: int,
        M: int | None = None,
        at_most: int | None = None,
        near: int = 1,
        **more: int,
    ) -> int:
        """The largest N found for which the condition holds (0 if none); M = N where M is None.

        *at_most* ends the search early, *near* begins it at a guess; *more*: further sizes.

        Found by doubling and bisection, which is exact where the bound grows with N; whatever is
        returned has been checked to satisfy the condition.
        """
        exact = read_delta(delta)
        read_size("d", d)
        read_size("near", near)
        if at_most is not None:
            read_size("at_most", at_most, 0)
        ceiling = None if M is None else read_size("M", M)

        def fits(n: int) -> bool:
            if (ceiling is not None and n > ceiling) or (at_most is not None and n > at_most):
                return False
            return self.holds(delta=exact, d=d, N=n, M=M, **more)

        return largest_where(fits, near)


def largest_where(fits: Callable[[int], bool], near: int = 1) -> int:
    """The largest n >= 1 with fits(n), for a condition that is lost as n grows; 0 if fits(1) fails.

    *near*: the first n that is tried.
    """
    step = max(near // _STRIDES, 1)
    if fits(near):
        good, bad = near, near + step
        while fits(bad):
            step *= 2
            good, bad = bad, bad + step
    else:
        good, bad = 0, near
        while bad > 1 and not good:
            below = max(bad - step, 1)
            good, bad = (below, bad) if fits(below) else (0, below)
            step *= 2
        if not good:
            return 0
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (middle, bad) if fits(middle) else (good, middle)
    return good


def read_sizes(d: Any, N: Any, M: Any) -> tuple[int, int, int]:
    """(d, N, M) of an injective memory; M = N where M is None."""
    d, N = read_size("d", d), read_size("N", N)
    M = N if M is None else read_size("M", M)
    if N > M:
        raise ValueError(f"N: {N} inputs have no injective map into M = {M} outputs; take N <= M")
    return d, N, M
