"""The phenomena that a judgement lists, as records.

In goes the list in a judgement's value, as it is in a file or in the ledger; out come phenomena, and for each that is
none the reason.
"""

from __future__ import annotations

from typing import Any

import msgspec

from otherwords.records import Phenomenon, phenomena_in

__all__ = ["parsed", "phenomena_in"]


def parsed(listed: list[Any]) -> tuple[list[Phenomenon], list[str]]:
    """The phenomena of a list, and what is wrong with those that are none."""
    phenomena, problems = [], []
    for one in listed:
        try:
            phenomena.append(msgspec.convert(one, Phenomenon))
        except msgspec.ValidationError as problem:
            problems.append(f"not a phenomenon: {problem}")
    return phenomena, problems
