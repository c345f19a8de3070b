"""Which pairs of a batch are kept in the end, where several people answer several questions about each.

Martynov et al. 2022 keep a pair only if both raters call it well formed and both give the same answer on whether it
is a paraphrase. Such a rule says of a pair's answers: kept, dropped (with the reason), or still open. What the team
decides later changes nothing: the rule is about what people say on their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from otherwords.annotate.batches.batch import KeepRule
from otherwords.annotate.schemes.distance import base_value
from otherwords.annotate.schemes.scheme import Answer, Question, Scheme
from otherwords.errors import Refused

UNNAMED = "label"  # how rules call the question of a scheme that has one question without a name


@dataclass(frozen=True, slots=True)
class KeepDecision:
    """Whether a pair is kept, and if not, why."""

    state: Literal["yes", "no", "open"]
    reason: str | None = None


def apply_keep_rule(answers: Sequence[Answer], keep: KeepRule, scheme: Scheme, *, complete: bool) -> KeepDecision:
    """Apply a keep rule to the answers about a pair; a single answer can be enough to drop it."""
    for name, allowed in keep.all_say.items():
        question = question_of(scheme, name)
        if not all(_is_allowed(question, _part(answer, question), allowed) for answer in answers):
            return KeepDecision("no", not_all_said(name, allowed))
    for name in keep.agree_on:
        parts = [_part(answer, question_of(scheme, name)) for answer in answers]
        if any(part != parts[0] for part in parts):
            return KeepDecision("no", not_agreed(name))
    return KeepDecision("yes" if complete else "open")


def not_all_said(question: str, answers: Sequence[str]) -> str:
    """The reason of a pair that is dropped because somebody gives none of these answers to a question."""
    return f"somebody does not say {' or '.join(answers)} to {question}"


def not_agreed(question: str) -> str:
    """The reason of a pair that is dropped because people answer a question differently."""
    return f"they do not agree on {question}"


def question_of(scheme: Scheme, name: str) -> Question:
    """The question of that name; one without a name is called ``label``."""
    for question in scheme.questions:
        if (question.name or UNNAMED) == name:
            return question
    known = ", ".join(question.name or UNNAMED for question in scheme.questions)
    raise Refused(f"the scheme {scheme.name!r} has no question {name!r}; it has {known}", code="no-such-question")


def _part(answer: Answer, question: Question) -> Answer:
    return answer.get(question.name) if question.name and isinstance(answer, dict) else answer


def _is_allowed(question: Question, answer: Answer, allowed: Sequence[str]) -> bool:
    """Whether an answer, ignoring flags, is one of some; if it has several values, each has to be."""
    if isinstance(answer, list):
        return all(_is_allowed(question, value, allowed) for value in answer)
    return isinstance(answer, str) and (answer in allowed or base_value(question, answer) in allowed)
