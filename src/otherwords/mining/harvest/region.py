"""Regions of a pool: comparisons of columns with numbers, joined by ``and`` and ``or``.

``similarity < 0.1 or p_negative > 0.4`` is the region of Kanerva et al. (2023, §7.2). ``and`` binds closer than ``or``,
brackets bind closest. A pair without a value in a column is on no side of a comparison with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, NoReturn, TypeAlias

import numpy as np
import numpy.typing as npt

from otherwords.errors import UsageError

Values: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]
Sign = Literal["<", "<=", ">", ">="]
_COMPARE: dict[str, Callable[[Values, float], Mask]] = {
    "<": lambda values, bound: values < bound,
    "<=": lambda values, bound: values <= bound,
    ">": lambda values, bound: values > bound,
    ">=": lambda values, bound: values >= bound,
}
_TOKEN = re.compile(r"\s*(?:(?P<sign>[<>]=?)|(?P<bracket>[()])|(?P<word>[^\s<>()=]+))")
EXAMPLE = "similarity<0.1 or p_negative>0.4"
DEEPEST = 50  # brackets within brackets


@dataclass(frozen=True, slots=True)
class ColumnBound:
    """A column on one side of a number."""

    column: str
    sign: Sign
    bound: float

    def columns(self) -> set[str]:
        return {self.column}

    def inside(self, columns: Mapping[str, Values]) -> Mask:
        """Which rows are in the region."""
        return _COMPARE[self.sign](columns[self.column], self.bound)

    def __str__(self) -> str:
        return f"{self.column} {self.sign} {self.bound:g}"


@dataclass(frozen=True, slots=True)
class Junction:
    """Regions of which all hold (``and``) or any (``or``)."""

    word: Literal["and", "or"]
    parts: tuple[Region, ...]

    def columns(self) -> set[str]:
        return set().union(*(part.columns() for part in self.parts))

    def inside(self, columns: Mapping[str, Values]) -> Mask:
        """Which rows are in the region."""
        masks = np.array([part.inside(columns) for part in self.parts])
        return np.asarray(masks.all(axis=0) if self.word == "and" else masks.any(axis=0), np.bool_)

    def __str__(self) -> str:
        bracketed = [
            f"({part})" if isinstance(part, Junction) and self.word == "and" else f"{part}" for part in self.parts
        ]
        return f" {self.word} ".join(bracketed)


Region: TypeAlias = ColumnBound | Junction


def parse_region(text: str) -> Region:
    """The region that a person describes."""
    reader = _RegionReader(text)
    region = reader.junction("or")
    if reader.upcoming is not None:
        reader.refuse("and, or, or the end")
    return region


class _RegionReader:
    """Reads a region from left to right; ``upcoming`` is what comes next."""

    def __init__(self, text: str) -> None:
        self._text, self._at, self._depth = text, 0, 0
        self.upcoming: str | None = None
        self._kind = ""
        self._next()

    def junction(self, word: Literal["and", "or"]) -> Region:
        """Regions between ``word``; those between ``or`` are themselves joined by ``and``."""
        parts = [self._part(word)]
        while self.upcoming is not None and self.upcoming.lower() == word:
            self._next()
            parts.append(self._part(word))
        return parts[0] if len(parts) == 1 else Junction(word, tuple(parts))

    def refuse(self, expected: str) -> NoReturn:
        found = "the end" if self.upcoming is None else repr(self.upcoming)
        message = f"region {self._text!r}: expected {expected}, found {found}; write it like {EXAMPLE!r}"
        raise UsageError(message, code="bad-region")

    def _part(self, word: Literal["and", "or"]) -> Region:
        return self.junction("and") if word == "or" else self._comparison()

    def _comparison(self) -> Region:
        if self.upcoming == "(":
            self._depth += 1
            if self._depth > DEEPEST:
                self.refuse(f"at most {DEEPEST} brackets within each other")
            self._next()
            region = self.junction("or")
            if self.upcoming != ")":
                self.refuse("a closing bracket")
            self._next()
            self._depth -= 1
            return region
        if self._kind != "word" or self.upcoming is None or self.upcoming.lower() in ("and", "or"):
            self.refuse("the name of a column")
        column = self.upcoming
        self._next()
        if self._kind != "sign" or self.upcoming is None:
            self.refuse("one of < <= > >=")
        sign = self.upcoming
        self._next()
        try:
            bound = float(self.upcoming or "")
        except ValueError:
            self.refuse("a number")
        if not np.isfinite(bound):
            self.refuse("a finite number")
        self._next()
        return ColumnBound(column, sign, bound)  # type: ignore[arg-type]  # the pattern has no other signs

    def _next(self) -> None:
        if not self._text[self._at :].strip():
            self.upcoming, self._kind = None, ""
            return
        found = _TOKEN.match(self._text, self._at)
        if found is None:
            self.upcoming = self._text[self._at :].strip()[:1]
            self.refuse("a name, a number, < <= > >= or a bracket")
        self._at = found.end()
        self._kind = found.lastgroup or ""
        self.upcoming = found[self._kind]
