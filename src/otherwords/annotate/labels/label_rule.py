"""The label that follows from several answers to a pair, by the rule of a view of the scheme.

A rule is applied to the answers that people gave on their own, or to the one that a team decided on. Under ``single``
one answer is enough, under ``agreement`` a number of people have to give the same; where people differ the pair is
open. Under ``votes`` more than the threshold make it positive, fewer negative, and exactly as many are a tie, which is
dropped (Dou et al. 2022, §2.4). The order of answers never matters.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import msgspec

from otherwords.annotate.batches.batch import KeepRule
from otherwords.annotate.batches.keep_rule import apply_keep_rule
from otherwords.annotate.schemes.distance import base_value
from otherwords.annotate.schemes.question import Answer, Question
from otherwords.annotate.schemes.scheme import FULL, Scheme, View, projected
from otherwords.errors import LabelError
from otherwords.labels import is_label, parse_label

Polarity = Callable[[str | None], bool | None]  # None: the label does not say
YES = frozenset({"1", "true", "yes", "y", "positive", "paraphrase", "paraphrases", "equivalent"})
NO = frozenset(
    {"0", "false", "no", "n", "negative", "non-paraphrase", "not paraphrase", "not_paraphrase", "not equivalent"}
)
PARAPHRASER = frozenset({"-1", "0", "1"})  # no paraphrase, a loose one, a precise one


def polarity(labels: Collection[str]) -> Polarity:
    """How to read the labels of a corpus; a label that fits no known set says nothing."""
    known = {label for label in labels if label}
    if "-1" in known and known <= PARAPHRASER:
        return lambda label: None if label is None else label != "-1"
    if known - {"1"} and all(is_label(label) for label in known):
        return lambda label: parse_label(label).positive if label is not None and is_label(label) else None
    poles = {_plain(label) for label in known}
    if None in poles and len(poles) == 2:  # of "sí" and "no" only one is known: the share of the other would be 0
        return lambda label: None
    return _plain


def _plain(label: str | None) -> bool | None:
    word = label.strip().lower() if label else ""
    return True if word in YES else False if word in NO else None


MAIN = "full"  # the name of the only view of a scheme without views
POSITIVE, NEGATIVE = "positive", "negative"
DIFFER = "people differ, and nobody has decided"
TIE = "the votes are tied"
DEFAULT_AGREEMENT = 2  # how many have to agree, where a view does not say
_YES_NO_SPELLINGS = {"1": True, "true": True, "0": False, "false": False}  # of binary labels in other corpora


@dataclass(frozen=True, slots=True)
class LabelDecision:
    """The label of a pair, or why it has none."""

    state: Literal["labelled", "open", "tied", "left out"]
    label: str | None = None
    reason: str | None = None
    positive: bool | None = None
    by_votes: bool = False


@dataclass(frozen=True, slots=True)
class PairAnswers:
    """The answers that people gave to a pair on their own."""

    values: Sequence[Answer]
    asked: int = 0  # how many the batches ask for, if known
    anonymous: bool = False  # votes whose voters are not known


class LabelRule:
    """A view of a scheme, ready to be applied to answers."""

    def __init__(self, scheme: Scheme, view: View | None = None) -> None:
        self.scheme = scheme
        self.view = view or View()
        self.question = _question(scheme, self.view)
        self._all_say = KeepRule(all_say={name: list(allowed) for name, allowed in self.view.all_say.items()})
        self._sides = self._sides_of_labels() if self.question else {}

    def of_decision(self, answer: Answer) -> LabelDecision:
        """The label by a team's decision, whatever people answered before."""
        return self._apply([answer], lambda labels: self._labelled(labels[0]))

    def of_import(self, label: str) -> LabelDecision:
        """The label of a pair that was imported with one: an answer to the question of this view."""
        if self.question is None:
            return self._outside(label)
        for spelling in (label, _YES_NO_SPELLINGS.get(label.strip().lower(), label)):
            with contextlib.suppress(LabelError):
                return self._labelled(self._seen(str(self.question.normalise(spelling))))
        return self._outside(label)

    def of_answers(self, answers: PairAnswers) -> LabelDecision:
        """The label by the answers to a pair that nobody has decided about."""
        # The threshold applies only if it was not just one or two people who were to judge a pair.
        many = answers.anonymous or max(answers.asked, len(answers.values)) >= (self.view.expected or 0)
        if self.view.rule == "votes" and many:
            return self._apply(answers.values, lambda labels: self._by_votes(labels, answers.asked))
        return self._apply(answers.values, self._by_agreement)

    def positive(self, label: str | None) -> bool | None:
        """Whether a label of this view says that two texts are paraphrases."""
        if label is None or self.question is None:
            return None
        return self._sides.get(label, self._sides.get(base_value(self.question, label)))

    def tally(self, answers: Sequence[Answer]) -> tuple[int, int]:
        """How many answers are positive and how many negative; those that are neither are not counted."""
        sides = [self.positive(self._label(answer)) for answer in answers]
        return sides.count(True), sides.count(False)

    def _apply(self, answers: Sequence[Answer], rule: Callable[[list[str | None]], LabelDecision]) -> LabelDecision:
        """Apply a rule to answers; an answer outside the scheme leaves the pair out."""
        labels = []
        for answer in answers:
            try:
                labels.append(self._label(answer))
            except LabelError:
                return self._outside(answer)
        reason = apply_keep_rule(answers, self._all_say, self.scheme, complete=True).reason
        return rule(labels) if reason is None else LabelDecision("left out", reason=reason)

    def _by_agreement(self, labels: list[str | None]) -> LabelDecision:
        needed = (self.view.expected or DEFAULT_AGREEMENT) if self.view.rule == "agreement" else 1
        if len(set(labels)) > 1:
            return LabelDecision("open", reason=DIFFER)
        if len(labels) < needed:
            return LabelDecision("open", reason=f"{len(labels)} of {needed} judgements are in")
        return self._labelled(labels[0])

    def _by_votes(self, labels: list[str | None], asked: int) -> LabelDecision:
        """By the share of the threshold where there are more votes than it was meant for; a skip is no vote."""
        expected_votes, threshold = self.view.expected or 1, self.view.threshold or 0
        sides = [self.positive(label) for label in labels]
        expected = max(len(labels), expected_votes) if asked >= expected_votes else len(labels)
        if sides.count(True) * expected_votes > threshold * expected:
            return self._side(positive=True)
        if sides.count(False) * expected_votes > (expected_votes - threshold) * expected:
            return self._side(positive=False)
        if len(labels) < expected:
            return LabelDecision("open", reason=f"fewer than {expected_votes} votes are in")
        return LabelDecision("tied", reason=TIE, by_votes=True)

    def _side(self, *, positive: bool) -> LabelDecision:
        """The label of a side: its only value, or a word for all of them."""
        values = [label for label, side in self._sides.items() if side is positive]
        label = values[0] if len(values) == 1 else POSITIVE if positive else NEGATIVE
        return LabelDecision("labelled", label, positive=positive, by_votes=True)

    def _labelled(self, label: str | None) -> LabelDecision:
        if label is None:
            return LabelDecision("left out", reason="the answer is no label here")
        return LabelDecision("labelled", label, positive=self.positive(label))

    def _outside(self, answer: Answer) -> LabelDecision:
        shown = answer if isinstance(answer, str) else msgspec.json.encode(answer).decode()
        return LabelDecision("left out", reason=f"{shown[:40]!r} is outside the scheme {self.scheme.name}")

    def _label(self, answer: Answer) -> str | None:
        """The label of one answer in this view; None where it has none.

        The types of released corpora need not fit the scheme; a label of another question does not depend on them.
        """
        typed = [asked.name for asked in self.scheme.questions if asked.kind == "types"]
        try:
            canonical = self.scheme.normalise(answer)
        except LabelError:
            if self.question is None or not isinstance(answer, dict) or answer.keys().isdisjoint(typed):
                raise
            canonical = {self.question.name: self.question.normalise(answer.get(self.question.name))}
        if self.question is None:
            return None
        value = canonical if self.scheme.single else canonical.get(self.question.name)
        return None if value is None else self._seen(value)

    def _seen(self, answer: str) -> str | None:
        """A canonical answer to the question of this view, as the view sees it."""
        assert self.question is not None
        if self.view.positive:
            base = base_value(self.question, answer)
            if self.question.part(base) in self.scheme.missing:
                return None
            fits = base in self.view.positive and (answer == base or not self.view.plain)
            return POSITIVE if fits else NEGATIVE
        if self.view.projection and self.view.projection != FULL:
            return projected(self.question, self.scheme.projections[self.view.projection], answer)
        return answer

    def _sides_of_labels(self) -> dict[str, bool | None]:
        """Whether each label of this view is positive or negative; None where its values are not on one side."""
        assert self.question is not None
        sides: dict[str, set[bool | None]] = {}
        for value in self.question.values:
            label, part = self._seen(value.value), self.question.part(value.value)
            if label is None:
                continue
            side: bool | None = label == POSITIVE
            if not self.view.positive:
                known = self.scheme.positive and part not in self.scheme.missing
                side = part in self.scheme.positive if known else None
            sides.setdefault(label, set()).add(side)
        return {label: values.pop() if len(values) == 1 else None for label, values in sides.items()}


def label_rules(scheme: Scheme) -> dict[str, LabelRule]:
    """The rules of all views of a scheme, the main one first; a scheme without views takes unanimous answers."""
    return {name: LabelRule(scheme, view) for name, view in (scheme.views or {MAIN: View()}).items()}


def _question(scheme: Scheme, view: View) -> Question | None:
    """The question that a view or its projection names, otherwise the one that says what is positive."""
    name = view.question
    if view.projection in scheme.projections:
        name = name or scheme.projections[view.projection].question
    deciding = {part.partition("=")[0] for part in scheme.positive}
    if not name and not scheme.single and len(deciding) == 1:
        (name,) = deciding
    question = scheme.find_question(name)
    return question if question and question.has_one_answer else None
