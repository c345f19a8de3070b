"""What goes into a pool: the limits, what counts as a copy, and how much memory the work may take."""

from __future__ import annotations

import os
import re
from typing import Literal

import msgspec

from otherwords.engine import cores
from otherwords.errors import UsageError

CopyRule = Literal["exact", "plain", "digits"]
MEMORY = 2 * 2**30
UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "b": 10**9}
BINARY_UNITS = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
_AMOUNT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]?)(?:i?b)?\s*", re.IGNORECASE)


class PoolOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Which sentences are kept. ``copies`` says which texts count as one: the same text, the same apart from case and
    punctuation, or the same apart from digits as well."""

    lang: str | None = None
    check_language: bool = False
    shortest: int = 5  # characters
    longest: int = 1_000
    copies: CopyRule = "digits"
    format: str | None = None
    encoding: str | None = None
    columns: dict[str, str] = {}

    def check(self) -> None:
        """Raise an error if no sentence could fit, or if the language is to be checked and not named."""
        if not 1 <= self.shortest <= self.longest:
            message = f"sentences of {self.shortest} to {self.longest} characters are not possible; give 1 <= shortest"
            raise UsageError(f"{message} <= longest", code="bad-length-limits")
        if self.check_language and self.lang is None:
            raise UsageError("checking the language needs one: --lang en", code="no-language")


class WorkOptions(msgspec.Struct, frozen=True, kw_only=True):
    """With how much memory and how many cores the work is done, and on which cluster, if any; the result does not
    depend on it."""

    memory: int = MEMORY
    jobs: int | None = None
    cluster: str | None = None  # the address of a Ray cluster

    @property
    def workers(self) -> int:
        return self.jobs or cores()


def parse_count(text: str) -> int:
    """A number of sentences: ``400M``, ``1.5b``, ``20000``."""
    return _amount(text, UNITS, "a number such as 400M")


def parse_bytes(text: str) -> int:
    """A number of bytes: ``64G``, ``512MB``, ``1073741824``; units are powers of 1024."""
    return _amount(text, BINARY_UNITS, "an amount of memory such as 64G")


def _amount(text: str, units: dict[str, int], expected: str) -> int:
    match = _AMOUNT.fullmatch(text)
    unit = match[2].lower() if match else ""
    if match and unit == "b" and unit not in units:
        unit = ""
    if match is None or unit not in units:
        raise UsageError(f"{text!r}: expected {expected}", code="bad-amount")
    return int(float(match[1]) * units[unit])


def machine_memory() -> int:
    """The memory of this machine in bytes."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
