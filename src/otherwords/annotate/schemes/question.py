"""One question of a scheme, and which answers it takes.

An answer is one of the values, perhaps with flags (``"4>s"``), or several values, or a number for each value, or a list
of phenomena. Answers from a page or a file (``true``, ``5``) are brought to one canonical spelling.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from otherwords.annotate.schemes import phenomena
from otherwords.errors import LabelError

Answer = Any
Colour = Literal["deep", "strong", "soft", "pale", "grey", "green", "amber", "red"]  # the palette of the site
MAX_COUNT = 999
_YES_NO = {True: "yes", False: "no"}


class SchemeTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of a scheme's file. Unknown settings are refused, so that a misspelt one does not go unnoticed."""


class Value(SchemeTable, frozen=True):
    """One answer that a question may get."""

    value: str
    key: str
    name: str
    help: str = ""
    colour: Colour | None = None


class Flag(SchemeTable, frozen=True):
    """What may be added to some values."""

    flag: str
    key: str
    name: str
    on: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    mirror: str | None = None  # the flag that it becomes when the two texts are swapped
    help: str = ""


class Question(SchemeTable, frozen=True):
    """What is asked about a unit."""

    values: tuple[Value, ...] = ()
    flags: tuple[Flag, ...] = ()
    name: str = ""
    title: str = ""
    several: bool = False
    counted: bool = False
    kind: Literal["choice", "types"] = "choice"
    types: list[dict[str, Any]] = []
    only_if: dict[str, tuple[str, ...]] = {}  # asked only after these answers to earlier questions

    @property
    def has_one_answer(self) -> bool:
        """Whether its answer is a single value, with or without flags."""
        return self.kind == "choice" and not self.several and not self.counted

    @property
    def keys(self) -> list[str]:
        """The keys of its values and flags."""
        return [*(value.key for value in self.values), *(flag.key for flag in self.flags)]

    def applies(self, answered: Mapping[str, Sequence[str]]) -> bool:
        """Whether it is asked, given the values that earlier questions got."""
        return all(set(values) & set(answered.get(name, ())) for name, values in self.only_if.items())

    @property
    def condition(self) -> str:
        """When it is asked, in words."""
        return " and ".join(f"{name} is {' or '.join(values)}" for name, values in self.only_if.items())

    def normalise(self, answer: Answer) -> Answer:
        """The canonical spelling of an answer; an answer outside the scheme is an error."""
        if self.kind == "types":
            return phenomena.normalise(phenomena.tag_set(self.types), answer)
        if self.counted:
            return self._normalise_counts(answer)
        if not self.several:
            return self._normalise_value(answer)
        if not isinstance(answer, list):
            raise LabelError(f"{self._label}: expected a list of answers, found {answer!r}", code="answer-not-a-list")
        values = [self._normalise_value(value) for value in answer]
        if len(set(values)) < len(values):
            raise LabelError(f"{self._label}: an answer is given twice", code="duplicate-answer")
        return sorted(values, key=self._places.__getitem__)

    def bases(self, answer: Answer) -> list[str]:
        """The values that a canonical answer names, without flags and counts."""
        if self.kind == "types":
            return sorted({phenomenon["type"] for phenomenon in answer})
        if self.several or self.counted:
            return list(answer)
        return [self._known_base(answer)]

    def base(self, answer: str) -> str | None:
        """The value of an answer without its flags; None if it begins with none of the values."""
        return max((value.value for value in self.values if answer.startswith(value.value)), key=len, default=None)

    def labels(self) -> list[str]:
        """Every value with every choice of flags that it may have, as an answer is spelled."""
        excludes = {flag.flag: set(flag.excludes) for flag in self.flags}
        labels = []
        for value in self.values:
            choices = [""]
            for flag in self.flags:
                if value.value in flag.on:
                    compatible = [
                        chosen
                        for chosen in choices
                        if not any(other in excludes[flag.flag] or flag.flag in excludes[other] for other in chosen)
                    ]
                    choices += [chosen + flag.flag for chosen in compatible]
            labels += [value.value + chosen for chosen in choices]
        return labels

    def part(self, value: str) -> str:
        """How a value is spelled among the answers to several questions: ``paraphrase=yes``."""
        return f"{self.name}={value}" if self.name else value

    def _normalise_value(self, answer: Answer) -> str:
        text = answer
        if isinstance(answer, bool) and _YES_NO[answer] in self._places:
            text = _YES_NO[answer]
        elif isinstance(answer, int) and not isinstance(answer, bool):
            text = str(answer) if abs(answer) < 1e9 else answer
        if not isinstance(text, str):
            raise self._unknown_value(answer)
        base = self._known_base(text)
        return base + self._normalise_flags(base, text[len(base) :])

    def _known_base(self, answer: str) -> str:
        base = self.base(answer)
        if base is None:
            raise self._unknown_value(answer)
        return base

    def _normalise_flags(self, base: str, flags: str) -> str:
        known = {flag.flag: flag for flag in self.flags}
        if flags and not known:
            raise self._unknown_value(base + flags)
        for flag in flags:
            if flag not in known:
                raise LabelError(f"{self._label}: unknown flag {flag!r} in {base + flags!r}", code="unknown-flag")
            if flags.count(flag) > 1:
                message = f"{self._label}: flag {flag!r} is given twice in {base + flags!r}"
                raise LabelError(message, code="duplicate-flag")
            if base not in known[flag].on:
                message = f"{self._label}: flag {flag!r} goes with {' '.join(known[flag].on)}, not with {base}"
                raise LabelError(message, code="flag-not-allowed")
            if excluded := next((other for other in known[flag].excludes if other in flags), None):
                raise LabelError(f"{self._label}: {flag} and {excluded} exclude each other", code="exclusive-flags")
        return "".join(flag.flag for flag in self.flags if flag.flag in flags)

    def _normalise_counts(self, answer: Answer) -> dict[str, int]:
        if not isinstance(answer, dict):
            message = f"{self._label}: expected a number for each of {self._choice}, found {answer!r}"
            raise LabelError(message, code="answer-not-counts")
        for name, count in answer.items():
            if name not in self._places:
                raise self._unknown_value(name)
            if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= MAX_COUNT:
                message = f"{self._label}: {name}: {count!r} is not a whole number from 0 to {MAX_COUNT}"
                raise LabelError(message, code="bad-count")
        return {value.value: answer[value.value] for value in self.values if answer.get(value.value)}

    def _unknown_value(self, answer: Answer) -> LabelError:
        return LabelError(f"{self._label}: {answer!r} is not one of {self._choice}", code="unknown-value")

    @property
    def _places(self) -> dict[str, int]:
        return {value.value: place for place, value in enumerate(self.values)}

    @property
    def _choice(self) -> str:
        return " ".join(value.value for value in self.values)

    @property
    def _label(self) -> str:
        return self.name or "label"
