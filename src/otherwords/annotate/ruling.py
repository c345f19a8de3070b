"""What several answers make of a pair: the rule of a scheme, or of one of its views.

In go the answers that people gave on their own, or the one that a team decided on; out comes a label, or why there is
none. Under ``single`` one answer is enough, under ``agreement`` so many have to say the same; where people differ the
pair is open. Under ``votes`` more than the threshold make it positive, fewer negative, and exactly so many are a tie,
which is dropped (Dou et al. 2022, §2.4). The order of answers never matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from otherwords.annotate.batches import Keep
from otherwords.annotate.keeping import kept
from otherwords.annotate.question import Answer, Question
from otherwords.annotate.scheme import FULL, Scheme, View, projected
from otherwords.annotate.severity import base_of
from otherwords.errors import LabelError

MAIN = "full"  # how the view is called that a scheme without views has
POSITIVE, NEGATIVE = "positive", "negative"
DIFFER = "people differ, and nobody has decided"
TIE = "the votes are tied"
BOTH = 2  # who have to agree, where a view does not say
_AS_IN_FILES = {"1": True, "true": True, "0": False, "false": False}  # how corpora of yes and no spell it


@dataclass(frozen=True, slots=True)
class Ruling:
    """What follows for a pair."""

    state: Literal["labelled", "open", "tied", "left out"]
    label: str | None = None
    reason: str | None = None
    positive: bool | None = None
    by_votes: bool = False


@dataclass(frozen=True, slots=True)
class Answers:
    """What people said on their own."""

    values: Sequence[Answer]
    asked: int = 0  # how many the batches ask for, where that is known
    anonymous: bool = False  # they are votes that nobody knows the voters of


class Rule:
    """A view of a scheme at work."""

    def __init__(self, scheme: Scheme, view: View | None = None) -> None:
        self.scheme = scheme
        self.view = view or View()
        self.question = _question(scheme, self.view)
        self._sides = self._all_sides() if self.question else {}

    def of_decision(self, answer: Answer) -> Ruling:
        """What a decision makes of a pair, whatever people said before."""
        return self._guarded([answer], lambda labels: self._labelled(labels[0]))

    def of_import(self, label: str) -> Ruling:
        """What a label makes of a pair that came with it: an answer to the question of this view."""
        try:
            if self.question is None:
                raise LabelError(f"the scheme {self.scheme.name} makes no labels")
            return self._labelled(self._seen(_imported(self.question, label)))
        except LabelError:
            return self._outside(label)

    def of_answers(self, told: Answers) -> Ruling:
        """What answers make of a pair that nobody has decided about."""
        if self.view.rule == "votes" and self._are_votes(told):
            return self._guarded(told.values, lambda labels: self._by_votes(labels, told.asked))
        return self._guarded(told.values, self._by_agreement)

    def positive(self, label: str | None) -> bool | None:
        """Whether a label of this view says that two texts are paraphrases."""
        if label is None or self.question is None:
            return None
        return self._sides.get(label, self._sides.get(base_of(self.question, label)))

    def tally(self, answers: Sequence[Answer]) -> tuple[int, int]:
        """How many answers of the scheme are positive, and how many negative; those that are neither are not told."""
        sides = [self.positive(self._label(answer)) for answer in answers]
        return sides.count(True), sides.count(False)

    def _guarded(self, answers: Sequence[Answer], ruled: Any) -> Ruling:
        """The ruling on answers of the scheme; one that is outside of it leaves the pair out."""
        labels = []
        for answer in answers:
            try:
                labels.append(self._label(answer))
            except LabelError:
                return self._outside(answer)
        dropped = kept(answers, self._all_say, self.scheme, complete=True)
        if dropped.reason is not None:
            return Ruling("left out", reason=dropped.reason)
        made: Ruling = ruled(labels)
        return made

    def _by_agreement(self, labels: list[str | None]) -> Ruling:
        needed = (self.view.of or BOTH) if self.view.rule == "agreement" else 1
        if len(set(labels)) > 1:
            return Ruling("open", reason=DIFFER)
        if len(labels) < needed:
            return Ruling("open", reason=f"{len(labels)} of {needed} judgements are in")
        return self._labelled(labels[0])

    def _are_votes(self, told: Answers) -> bool:
        """Whether a threshold can be asked; of one or two people who were to judge a pair, it cannot."""
        expected = self.view.of or 0
        return told.anonymous or max(told.asked, len(told.values)) >= expected

    def _by_votes(self, labels: list[str | None], asked: int) -> Ruling:
        """By the share of the threshold where there are more votes than it was meant for; a skip is no vote."""
        of, threshold = self.view.of or 1, self.view.threshold or 0
        sides = [self.positive(label) for label in labels]
        expected = max(len(labels), of) if asked >= of else len(labels)
        if sides.count(True) * of > threshold * expected:
            return self._side(positive=True)
        if sides.count(False) * of > (of - threshold) * expected:
            return self._side(positive=False)
        if len(labels) < expected:
            return Ruling("open", reason=f"fewer than {of} votes are in")
        return Ruling("tied", reason=TIE, by_votes=True)

    def _side(self, *, positive: bool) -> Ruling:
        """The label of a side: its only value, or a word for all of them."""
        values = [label for label, side in self._sides.items() if side is positive]
        label = values[0] if len(values) == 1 else POSITIVE if positive else NEGATIVE
        return Ruling("labelled", label, positive=positive, by_votes=True)

    def _labelled(self, label: str | None) -> Ruling:
        if label is None:
            return Ruling("left out", reason="the answer is no label here")
        return Ruling("labelled", label, positive=self.positive(label))

    def _outside(self, answer: Answer) -> Ruling:
        shown = answer if isinstance(answer, str) else msgspec.json.encode(answer).decode()
        return Ruling("left out", reason=f"{shown[:40]!r} is outside the scheme {self.scheme.name}")

    def _label(self, answer: Answer) -> str | None:
        """What this view makes of one answer; None where it has no place in it."""
        told = self.scheme.normalise(answer)
        if self.question is None:
            return None
        said = told if self.scheme.single else told.get(self.question.name)
        return None if said is None else self._seen(said)

    def _seen(self, said: str) -> str | None:
        """A canonical answer to the question of this view, as the view sees it."""
        assert self.question is not None
        if self.view.positive:
            base = base_of(self.question, said)
            if self.question.part(base) in self.scheme.missing:
                return None
            fits = base in self.view.positive and (said == base or not self.view.plain)
            return POSITIVE if fits else NEGATIVE
        if self.view.projection and self.view.projection != FULL:
            return projected(self.question, self.scheme.projections[self.view.projection], said)
        return said

    def _all_sides(self) -> dict[str, bool | None]:
        """On which side every label of this view is."""
        assert self.question is not None
        sides: dict[str, set[bool | None]] = {}
        for value in self.question.values:
            label = self._seen(value.value)
            if label is not None:
                side = label == POSITIVE if self.view.positive else self._side_of(self.question.part(value.value))
                sides.setdefault(label, set()).add(side)
        return {label: found.pop() if len(found) == 1 else None for label, found in sides.items()}

    def _side_of(self, part: str) -> bool | None:
        if part in self.scheme.missing or not self.scheme.positive:
            return None
        return part in self.scheme.positive

    @property
    def _all_say(self) -> Keep:
        return Keep(all_say={name: list(answers) for name, answers in self.view.all_say.items()})


def rules_of(scheme: Scheme) -> dict[str, Rule]:
    """All views of a scheme, the main one first; of a scheme without any, what everybody said alike."""
    return {name: Rule(scheme, view) for name, view in (scheme.views or {MAIN: View()}).items()}


def _question(scheme: Scheme, view: View) -> Question | None:
    """What a view is about: the question that it or its projection names, else the one that says what is positive."""
    name = view.question
    if view.projection in scheme.projections:
        name = name or scheme.projections[view.projection].question
    deciding = {part.partition("=")[0] for part in scheme.positive}
    if not name and not scheme.single and len(deciding) == 1:
        (name,) = deciding
    found = next((one for one in scheme.questions if scheme.single or one.name == name), None)
    one_answer = found and not (found.several or found.counted) and found.kind == "choice"
    return found if one_answer else None


def _imported(question: Question, label: str) -> str:
    try:
        said = question.normalise(label)
    except LabelError:
        said = question.normalise(_AS_IN_FILES.get(label.strip().lower(), label))
    return str(said)
