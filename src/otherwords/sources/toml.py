"""TOML that somebody wrote by hand: settings, recipes, schemes. In goes text, out comes a table or one kind of error.

The parser of the standard library has others: it gives up on what is nested too deeply, and takes whole numbers that
no other program takes and that cannot even be printed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

LARGEST = 2**63 - 1  # TOML 1.0, "Integer": what does not fit into 64 bits is an error


def parse_toml(text: str) -> dict[str, Any]:
    """The table; a ValueError says what is wrong with the text."""
    try:
        told = tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    for value in _values(told):
        if isinstance(value, int) and not -LARGEST - 1 <= value <= LARGEST:
            raise ValueError("it has a whole number of more than 64 bits")
    return told


def _values(told: Any) -> Iterator[Any]:
    waiting = [told]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
        else:
            yield value
