"""Parse TOML that people write by hand: settings, recipes, schemes. The only error is ValueError.

The parser of the standard library also raises RecursionError for deep nesting, and it accepts integers so large that
other programs reject them and that cannot even be printed.
"""

from __future__ import annotations

import tomllib
from typing import Any

LARGEST = 2**63 - 1  # TOML 1.0, "Integer": what does not fit into 64 bits is an error


def parse_toml(text: str) -> dict[str, Any]:
    """The table; ValueError says what is wrong with the text."""
    try:
        table = tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    waiting: list[object] = [table]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict | list):
            waiting.extend(value.values() if isinstance(value, dict) else value)
        elif isinstance(value, int) and not -LARGEST - 1 <= value <= LARGEST:
            raise ValueError("it has an integer of more than 64 bits")
    return table
