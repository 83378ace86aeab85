"""Any value as JSON: exact numbers become strings, and so do NaN and the infinities."""

from __future__ import annotations

import json
import math
import numbers
from collections.abc import Mapping
from typing import Any

from verify.typeset.words import spelled

#: Of the figures that are written.
SCHEMA = 1


def encode(value: object) -> bytes:
    """Any value as JSON in UTF-8, ending in a newline."""
    text = json.dumps(plain(value), indent=2, ensure_ascii=False, allow_nan=False)
    text = spelled(text)
    # A lone surrogate has no UTF-8; as a backslash escape it is valid JSON.
    return (text + "\n").encode("utf-8", "backslashreplace")


def plain(value: object) -> Any:
    """The value in the types of JSON; what JSON does not know becomes its text."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Rational):
        return str(value)
    if isinstance(value, numbers.Real):
        number = float(value)
        return number if math.isfinite(number) else str(number)
    return str(value)
