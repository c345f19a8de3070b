"""A scheme: what annotators may answer, by which keys, and what follows from an answer.

In goes what a TOML file says, out comes a :class:`Scheme` that the page is drawn from and every answer is checked
against. A scheme asks one question or several (:mod:`~otherwords.annotate.question`). An answer to several questions
names each: ``{"well_formed": "yes", "paraphrase": "no"}``; a question that does not apply after what was said before
it has no answer. What an answer says can be spelled in parts, ``yes`` or ``paraphrase=yes``: so a scheme tells what
counts as positive or as missing, and so pairs are looked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec

from otherwords.annotate.question import Answer, Flag, Question, Table, Value
from otherwords.errors import LabelError
from otherwords.records import Unit

__all__ = ["Answer", "Distance", "Flag", "Projection", "Question", "Rewriting", "Scheme", "Value", "View"]
Distance = Literal["nominal", "ordinal", "interval"]
Making = Literal["single", "agreement", "votes"]
MISSING = ""  # what a projection maps a value to that has no place in it
FULL = "full"  # the projection that every scheme has: answers as they are


class Rewriting(Table, frozen=True):
    """When an annotator may write a better pair, and what that pair's own label has to be."""

    label: str
    not_for: tuple[str, ...] = ()


class Projection(Table, frozen=True):
    """A coarser view of a question's answers: values by another name, and which flags are kept."""

    question: str = ""
    map: dict[str, str] = msgspec.field(default_factory=dict)
    flags: tuple[str, ...] = ()
    values: tuple[str, ...] = ()  # all that the map may lead to, where somebody wants to be sure


class View(Table, frozen=True):
    """One way to make a label of what several people answered; :mod:`~otherwords.annotate.ruling` says how."""

    rule: Making = "single"
    threshold: int | None = None  # of votes: more are positive, fewer negative, exactly so many are dropped
    of: int | None = None  # how many have to answer, or votes are expected
    question: str = ""
    projection: str = ""
    positive: tuple[str, ...] = ()  # only these values are positive here, all others negative
    plain: bool = False  # … and only without flags
    all_say: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)  # else the pair is left out


class Scheme(Table, frozen=True):
    """A scheme that was checked."""

    name: str
    title: str
    questions: tuple[Question, ...]
    unit: Unit = "pair"
    positive: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    distance: Distance = "nominal"
    rewrite: Rewriting | None = None
    projections: dict[str, Projection] = msgspec.field(default_factory=dict)
    views: dict[str, View] = msgspec.field(default_factory=dict)  # the first makes the label of a corpus
    leave_out: tuple[str, ...] = ()  # labels that a release does without

    def normalise(self, answer: Answer) -> Answer:
        """The canonical spelling of a whole answer."""
        if self.single:
            return self.questions[0].normalise(answer)
        if not isinstance(answer, dict):
            raise LabelError(f"scheme {self.name}: expected an answer to each of {self._asked}, found {answer!r}")
        if unknown := sorted(str(name) for name in set(answer) - {one.name for one in self.questions}):
            raise LabelError(f"scheme {self.name}: there is no question {unknown[0]!r}")
        told: dict[str, Answer] = {}
        said: dict[str, list[str]] = {}
        for question in self.questions:
            if question.applies(said):
                if answer.get(question.name) is None:
                    raise LabelError(f"scheme {self.name}: {question.name!r} has no answer")
                told[question.name] = question.normalise(answer[question.name])
                said[question.name] = question.bases(told[question.name])
            elif answer.get(question.name) is not None:
                raise LabelError(f"scheme {self.name}: {question.name!r} is asked only if {question.condition}")
        return told

    def parts(self, answer: Answer) -> frozenset[str]:
        """What a canonical answer says, flags apart: ``yes``, or ``paraphrase=yes`` where questions have names."""
        return frozenset(part for question, said in self._answers(answer) for part in _spelled(question, said))

    def positive_of(self, answer: Answer) -> bool | None:
        """Whether an answer counts as a paraphrase; None where the scheme or the answer does not say."""
        if not self.positive or answer is None:
            return None
        told = self.parts(self.normalise(answer))
        if told & set(self.missing):
            return None
        if told & set(self.positive):
            return True
        decided = {_question_of(one) for one in self.positive} <= {_question_of(one) for one in told}
        return False if decided else None

    def project(self, answer: Answer, name: str) -> Answer:
        """An answer as a projection sees it; None where it has no value there."""
        told = self.normalise(answer)
        if name == FULL:
            return told
        if name not in self.projections:
            known = ", ".join([FULL, *self.projections])
            raise LabelError(f"scheme {self.name}: there is no projection {name!r}; known: {known}")
        view = self.projections[name]
        said = told if self.single else told.get(view.question)
        return None if said is None else projected(self.question(view.question), view, said)

    def question(self, name: str = "") -> Question:
        """A question by its name; without one, the only one."""
        for one in self.questions:
            if one.name == name or self.single:
                return one
        raise LabelError(f"scheme {self.name}: there is no question {name!r}; the questions are {self._asked}")

    def order(self, question: str = "") -> tuple[str, ...]:
        """The values of a question in the order of its file, the scale of an ordinal one; missing ones left out."""
        asked = self.question(question)
        return tuple(one.value for one in asked.values if asked.part(one.value) not in self.missing)

    def labels(self) -> list[str]:
        """What pairs may be looked for by: values, with a flag each where there are some, or ``question=value``."""
        return [label for one in self.questions for value in one.values for label in _labels(one, value)]

    def rewritable(self, answer: Answer) -> bool:
        """Whether a pair with this answer may be rewritten."""
        return self.rewrite is not None and answer not in self.rewrite.not_for

    def as_page(self) -> dict[str, Any]:
        """What a page needs to know of it."""
        told: dict[str, Any] = msgspec.to_builtins(self)
        return told

    @property
    def single(self) -> bool:
        """Whether an answer is that of the one question, not named."""
        return len(self.questions) == 1 and not self.questions[0].name

    def _answers(self, answer: Answer) -> Iterator[tuple[Question, Answer]]:
        if self.single:
            yield self.questions[0], answer
        elif isinstance(answer, Mapping):
            yield from ((one, answer[one.name]) for one in self.questions if answer.get(one.name) is not None)

    @property
    def _asked(self) -> str:
        return ", ".join(question.name for question in self.questions)


def _spelled(question: Question, said: Answer) -> list[str]:
    """The parts of an answer to one question."""
    return [question.part(value) for value in question.bases(said)]


def _question_of(part: str) -> str:
    return part.partition("=")[0] if "=" in part else ""


def _labels(question: Question, value: Value) -> list[str]:
    spelled = question.part(value.value)
    return [spelled, *(spelled + flag.flag for flag in question.flags if value.value in flag.on)]


def projected(question: Question, view: Projection, said: Answer) -> str | None:
    """A canonical answer to one question as a projection sees it; None where it has no value there."""
    (base,) = question.bases(said)
    to = view.map.get(base, base)
    return None if to == MISSING else to + "".join(flag for flag in said[len(base) :] if flag in view.flags)
