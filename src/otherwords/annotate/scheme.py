"""A scheme: what annotators may answer, by which keys, and what follows from an answer.

In goes what a TOML file says, out comes a :class:`Scheme` that the page is drawn from and every answer is checked
against. A scheme asks one question or several. An answer to one question is one of its values, with flags where
the value allows them (``"4>s"``); several values where the question says so; a number for each where it counts.
An answer to several questions names each: ``{"well_formed": "yes", "paraphrase": "no"}``.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from otherwords.errors import LabelError
from otherwords.records import Unit

Answer = Any
Distance = Literal["nominal", "ordinal", "interval"]


@dataclass(frozen=True, slots=True)
class Value:
    """One answer that a question may get."""

    value: str
    key: str
    name: str
    help: str = ""


@dataclass(frozen=True, slots=True)
class Flag:
    """What may be added to some values."""

    flag: str
    key: str
    name: str
    on: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    mirror: str | None = None  # what becomes of it when the two texts are swapped
    help: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about a unit."""

    values: tuple[Value, ...]
    flags: tuple[Flag, ...] = ()
    name: str = ""
    title: str = ""
    several: bool = False
    counted: bool = False

    def normalise(self, answer: Answer) -> Answer:
        """The canonical spelling of an answer; what is wrong with one that is outside the scheme."""
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

    def _spelled(self, answer: Answer) -> str:
        if not isinstance(answer, str):
            raise LabelError(f"{self._called}: {answer!r} is not one of {self._choice}")
        found = [value.value for value in self.values if answer.startswith(value.value)]
        if not found:
            raise LabelError(f"{self._called}: {answer!r} is not one of {self._choice}")
        base = max(found, key=len)
        return base + self._flagged(base, answer[len(base) :])

    def _flagged(self, base: str, flags: str) -> str:
        known = {flag.flag: flag for flag in self.flags}
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
            if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count < 1000:
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


@dataclass(frozen=True, slots=True)
class Rewriting:
    """When an annotator may write a better pair, and what that pair's own label has to be."""

    label: str
    not_for: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scheme:
    """A scheme that was checked."""

    name: str
    title: str
    unit: Unit
    questions: tuple[Question, ...]
    positive: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    distance: Distance = "nominal"
    rewrite: Rewriting | None = None
    projections: dict[str, Any] = field(default_factory=dict)

    def normalise(self, answer: Answer) -> Answer:
        """The canonical spelling of a whole answer."""
        if len(self.questions) == 1 and not self.questions[0].name:
            return self.questions[0].normalise(answer)
        if not isinstance(answer, dict):
            raise LabelError(f"scheme {self.name}: expected an answer to each of {self._asked}, found {answer!r}")
        if unknown := sorted(str(name) for name in set(answer) - {one.name for one in self.questions}):
            raise LabelError(f"scheme {self.name}: there is no question {unknown[0]!r}")
        for question in self.questions:
            if question.name not in answer:
                raise LabelError(f"scheme {self.name}: {question.name!r} has no answer")
        return {question.name: question.normalise(answer[question.name]) for question in self.questions}

    def rewritable(self, answer: Answer) -> bool:
        """Whether a pair with this answer may be rewritten."""
        return self.rewrite is not None and answer not in self.rewrite.not_for

    def as_page(self) -> dict[str, Any]:
        """What a page needs to know of it."""
        return asdict(self)

    @property
    def _asked(self) -> str:
        return ", ".join(question.name for question in self.questions)
