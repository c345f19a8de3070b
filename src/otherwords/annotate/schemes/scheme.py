"""A scheme: what annotators may answer, by which keys, and what follows from an answer.

A scheme asks one question or several. An answer to several questions names each, as in ``{"well_formed": "yes",
"paraphrase": "no"}``; a question that does not apply after the answers before it has none. Parts of an answer, ``yes``
or ``paraphrase=yes``, are how a scheme says what is positive or missing, and how pairs are searched by label.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from otherwords.annotate.schemes.question import Answer, Flag, Question, SchemeTable, Value
from otherwords.errors import LabelError
from otherwords.records import Unit

__all__ = ["Answer", "Distance", "Flag", "Projection", "Question", "RewriteRule", "Scheme", "Value", "View"]
Distance = Literal["nominal", "ordinal", "interval"]
Rule = Literal["single", "agreement", "votes"]
MISSING = ""  # what a projection maps a value to that has no place in it
FULL = "full"  # the projection that every scheme has: answers as they are


class RewriteRule(SchemeTable, frozen=True):
    """When an annotator may write a better pair, and which label that pair gets."""

    label: str
    not_for: tuple[str, ...] = ()


class Projection(SchemeTable, frozen=True):
    """A coarser view of a question's answers: values under other names, and which flags are kept."""

    question: str = ""
    map: dict[str, str] = msgspec.field(default_factory=dict)
    flags: tuple[str, ...] = ()
    values: tuple[str, ...] = ()  # all values that the map may lead to, for authors who want that checked


class View(SchemeTable, frozen=True):
    """One way to derive a label from the answers of several people."""

    rule: Rule = "single"
    threshold: int | None = None  # votes: more than this is positive, fewer is negative, exactly this is dropped
    # How many have to answer, or how many votes are expected.
    expected: int | None = msgspec.field(name="of", default=None)
    question: str = ""
    projection: str = ""
    positive: tuple[str, ...] = ()  # only these values are positive here, all others negative
    plain: bool = False  # … and only without flags
    all_say: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)  # otherwise the pair is left out


class Scheme(SchemeTable, frozen=True):
    """A scheme that was checked."""

    name: str
    title: str
    questions: tuple[Question, ...]
    unit: Unit = "pair"
    positive: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    distance: Distance = "nominal"
    rewrite: RewriteRule | None = None
    projections: dict[str, Projection] = msgspec.field(default_factory=dict)
    views: dict[str, View] = msgspec.field(default_factory=dict)  # the first makes the label of a corpus
    leave_out: tuple[str, ...] = ()  # labels that a release leaves out
    candidates: bool = False  # a group is a source and texts for it, and numbers among the values are those texts

    def normalise(self, answer: Answer) -> Answer:
        """The canonical spelling of a whole answer."""
        if self.single:
            return self.questions[0].normalise(answer)
        if not isinstance(answer, dict):
            message = f"expected an answer to each of {self._question_names}, found {answer!r}"
            raise self._error(message, "answer-not-by-question")
        if unknown := sorted(str(name) for name in set(answer) - {question.name for question in self.questions}):
            raise self._error(f"there is no question {unknown[0]!r}", "no-such-question")
        canonical: dict[str, Answer] = {}
        bases: dict[str, list[str]] = {}
        for question in self.questions:
            if question.applies(bases):
                if answer.get(question.name) is None:
                    raise self._error(f"{question.name!r} has no answer", "missing-answer")
                canonical[question.name] = question.normalise(answer[question.name])
                bases[question.name] = question.bases(canonical[question.name])
            elif answer.get(question.name) is not None:
                raise self._error(f"{question.name!r} is asked only if {question.condition}", "question-not-asked")
        if self.candidates and len(set(canonical.values())) < len(canonical):
            raise self._error(f"{self._question_names} have to be different texts", "same-candidate")
        return canonical

    def parts(self, answer: Answer) -> frozenset[str]:
        """The parts of a canonical answer, without flags: ``yes``, or ``paraphrase=yes`` where questions have names."""
        answers = {"": answer} if self.single else answer if isinstance(answer, Mapping) else {}
        answered = ((asked, answers[asked.name]) for asked in self.questions if answers.get(asked.name) is not None)
        return frozenset(asked.part(base) for asked, chosen in answered for base in asked.bases(chosen))

    def positive_of(self, answer: Answer) -> bool | None:
        """Whether an answer counts as a paraphrase; None where the scheme or the answer does not say."""
        if not self.positive or answer is None:
            return None
        parts = self.parts(self.normalise(answer))
        if parts & set(self.missing):
            return None
        if parts & set(self.positive):
            return True
        decided = {_question_of(part) for part in self.positive} <= {_question_of(part) for part in parts}
        return False if decided else None

    def project(self, answer: Answer, name: str) -> Answer:
        """An answer under a projection; None where it has no value there."""
        canonical = self.normalise(answer)
        if name == FULL:
            return canonical
        if name not in self.projections:
            known = ", ".join([FULL, *self.projections])
            raise self._error(f"there is no projection {name!r}; known: {known}", "no-such-projection")
        projection = self.projections[name]
        value = canonical if self.single else canonical.get(projection.question)
        return None if value is None else projected(self.question(projection.question), projection, value)

    def find_question(self, name: str = "") -> Question | None:
        """A question by its name; the only one of a scheme with one unnamed question."""
        return next((question for question in self.questions if self.single or question.name == name), None)

    def question(self, name: str = "") -> Question:
        """The same; an unknown name is an error."""
        question = self.find_question(name)
        if question is None:
            message = f"there is no question {name!r}; the questions are {self._question_names}"
            raise self._error(message, "no-such-question")
        return question

    def order(self, question: str = "") -> tuple[str, ...]:
        """The values of a question in the order of its file, without missing ones: the scale of an ordinal question."""
        chosen = self.question(question)
        return tuple(value.value for value in chosen.values if chosen.part(value.value) not in self.missing)

    def labels(self) -> list[str]:
        """What pairs can be searched by: values, alone or with one flag, or ``question=value``."""
        labels = []
        for question in self.questions:
            for value in question.values:
                part = question.part(value.value)
                labels += [part, *(part + flag.flag for flag in question.flags if value.value in flag.on)]
        return labels

    def rewritable(self, answer: Answer) -> bool:
        """Whether a pair with this answer may be rewritten."""
        return self.rewrite is not None and answer not in self.rewrite.not_for

    def as_page(self) -> dict[str, object]:
        """The scheme as JSON for a page."""
        return dict(msgspec.to_builtins(self))

    @property
    def single(self) -> bool:
        """Whether there is one question without a name, so that an answer is just its value."""
        return len(self.questions) == 1 and not self.questions[0].name

    @property
    def _question_names(self) -> str:
        return ", ".join(question.name for question in self.questions)

    def _error(self, message: str, code: str) -> LabelError:
        return LabelError(f"scheme {self.name}: {message}", code=code)


def _question_of(part: str) -> str:
    return part.partition("=")[0] if "=" in part else ""


def projected(question: Question, projection: Projection, answer: str) -> str | None:
    """A canonical answer to one question under a projection; None where it has no value there."""
    (base,) = question.bases(answer)
    value = projection.map.get(base, base)
    flags = "".join(flag for flag in answer[len(base) :] if flag in projection.flags)
    return None if value == MISSING else value + flags
