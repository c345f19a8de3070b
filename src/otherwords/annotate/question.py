"""One question of a scheme, and what may be answered to it.

An answer is one of the question's values, with flags where the value allows them (``"4>s"``); several values where the
question says so; a number for each where it counts; a list of phenomena where it asks for types. In goes what
somebody said, in the page's words or in those of a file (``true``, ``5``), out comes its canonical spelling, or a
sentence that says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from otherwords.annotate import phenomena
from otherwords.errors import LabelError

Answer = Any
Colour = Literal["deep", "strong", "soft", "pale", "grey", "green", "amber", "red"]  # the palette of the site
MOST_TIMES = 999
_AS_WORDS = {True: "yes", False: "no"}


class Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of a scheme's file: what is not known is refused, so that a misspelt setting does not go unnoticed."""


class Value(Table, frozen=True):
    """One answer that a question may get."""

    value: str
    key: str
    name: str
    help: str = ""
    colour: Colour | None = None


class Flag(Table, frozen=True):
    """What may be added to some values."""

    flag: str
    key: str
    name: str
    on: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    mirror: str | None = None  # what becomes of it when the two texts are swapped
    help: str = ""


class Question(Table, frozen=True):
    """What is asked about a unit."""

    values: tuple[Value, ...] = ()
    flags: tuple[Flag, ...] = ()
    name: str = ""
    title: str = ""
    several: bool = False
    counted: bool = False
    kind: Literal["choice", "types"] = "choice"
    types: list[dict[str, Any]] = []
    only_if: dict[str, tuple[str, ...]] = {}  # it is asked after these answers to earlier questions

    def applies(self, said: Mapping[str, Sequence[str]]) -> bool:
        """Whether it is asked after these answers to the questions before it."""
        return all(set(values) & set(said.get(name, ())) for name, values in self.only_if.items())

    @property
    def condition(self) -> str:
        """When it is asked, in words."""
        return " and ".join(f"{name} is {' or '.join(values)}" for name, values in self.only_if.items())

    def normalise(self, answer: Answer) -> Answer:
        """The canonical spelling of an answer; what is wrong with one that is outside the scheme."""
        if self.kind == "types":
            return phenomena.normalise(phenomena.tag_set(self.types), answer)
        if self.counted:
            return self._counts(answer)
        if not self.several:
            return self._spelled(answer)
        if not isinstance(answer, list):
            raise LabelError(f"{self._called}: expected a list of answers, found {answer!r}")
        told = [self._spelled(one) for one in answer]
        if len(set(told)) < len(told):
            raise LabelError(f"{self._called}: an answer is given twice")
        return sorted(told, key=self._places.__getitem__)

    def bases(self, answer: Answer) -> list[str]:
        """The values that a canonical answer names, without flags and numbers."""
        if self.kind == "types":
            return sorted({one["type"] for one in answer})
        if self.several or self.counted:
            return list(answer)
        return [self._base(answer)]

    def part(self, value: str) -> str:
        """How a value is spelled among the answers to several questions: ``paraphrase=yes``."""
        return f"{self.name}={value}" if self.name else value

    def _spelled(self, answer: Answer) -> str:
        told = answer
        if isinstance(answer, bool) and _AS_WORDS[answer] in self._places:
            told = _AS_WORDS[answer]
        elif isinstance(answer, int) and not isinstance(answer, bool):
            told = str(answer) if abs(answer) < 1e9 else answer
        if not isinstance(told, str):
            raise LabelError(f"{self._called}: {answer!r} is not one of {self._choice}")
        base = self._base(told)
        return base + self._flagged(base, told[len(base) :])

    def _base(self, answer: str) -> str:
        found = [value.value for value in self.values if answer.startswith(value.value)]
        if not found:
            raise LabelError(f"{self._called}: {answer!r} is not one of {self._choice}")
        return max(found, key=len)

    def _flagged(self, base: str, flags: str) -> str:
        known = {flag.flag: flag for flag in self.flags}
        if flags and not known:
            raise LabelError(f"{self._called}: {base + flags!r} is not one of {self._choice}")
        for one in flags:
            if one not in known:
                raise LabelError(f"{self._called}: unknown flag {one!r} in {base + flags!r}")
            if flags.count(one) > 1:
                raise LabelError(f"{self._called}: flag {one!r} is given twice in {base + flags!r}")
            if base not in known[one].on:
                raise LabelError(f"{self._called}: flag {one!r} goes with {' '.join(known[one].on)}, not with {base}")
            if against := next((other for other in known[one].excludes if other in flags), None):
                raise LabelError(f"{self._called}: {one} and {against} exclude each other")
        return "".join(flag.flag for flag in self.flags if flag.flag in flags)

    def _counts(self, answer: Answer) -> dict[str, int]:
        if not isinstance(answer, dict):
            raise LabelError(f"{self._called}: expected a number for each of {self._choice}, found {answer!r}")
        for name, count in answer.items():
            if name not in self._places:
                raise LabelError(f"{self._called}: {name!r} is not one of {self._choice}")
            if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= MOST_TIMES:
                raise LabelError(f"{self._called}: {name}: {count!r} is not a number of times")
        return {value.value: answer[value.value] for value in self.values if answer.get(value.value)}

    @property
    def _places(self) -> dict[str, int]:
        return {value.value: place for place, value in enumerate(self.values)}

    @property
    def _choice(self) -> str:
        return " ".join(value.value for value in self.values)

    @property
    def _called(self) -> str:
        return self.name or "label"
