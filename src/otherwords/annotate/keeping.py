"""Which pairs of a batch are kept in the end, where several people answer several questions about each.

Martynov et al. 2022 keep a pair only if both raters call it well formed and both give the same answer on whether it
is a paraphrase. In go answers and such a rule, out comes yes, no with the reason, or that it is still open. What the
team decides later changes nothing here: the rule asks what people say on their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from otherwords.annotate.batches import Keep
from otherwords.annotate.disagreements import Case
from otherwords.annotate.scheme import Answer, Question, Scheme
from otherwords.annotate.severity import base_of
from otherwords.errors import Refused

ONLY = "label"  # how the question of a scheme is called that asks one and gives it no name


@dataclass(frozen=True, slots=True)
class Kept:
    """Whether a pair is kept, and if not, why."""

    state: Literal["yes", "no", "open"]
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class KeptCounts:
    """How many pairs of a batch are kept, and how many fall out for which reason."""

    kept: int
    dropped: int
    open: int
    reasons: dict[str, int]


def kept(answers: Sequence[Answer], keep: Keep, scheme: Scheme, *, complete: bool) -> Kept:
    """What a rule says of the answers to a pair; one answer can be enough to let it fall."""
    for name, allowed in keep.all_say.items():
        question = question_of(scheme, name)
        if not all(_is_one_of(question, _part(answer, question), allowed) for answer in answers):
            return Kept("no", f"somebody does not say {' or '.join(allowed)} to {name}")
    for name in keep.agree_on:
        parts = [_part(answer, question_of(scheme, name)) for answer in answers]
        if any(part != parts[0] for part in parts):
            return Kept("no", f"they do not agree on {name}")
    return Kept("yes" if complete else "open")


def kept_cases(found: Iterable[Case], keep: Keep, scheme: Scheme) -> dict[str, Kept]:
    """What a rule says of each pair of a batch."""
    return {
        one.pair: kept([opinion.value for opinion in one.opinions], keep, scheme, complete=one.complete)
        for one in found
    }


def kept_counts(told: Iterable[Kept]) -> KeptCounts:
    """How many pairs a rule keeps."""
    every = list(told)
    states = Counter(one.state for one in every)
    reasons = Counter(one.reason for one in every if one.reason is not None)
    return KeptCounts(states["yes"], states["no"], states["open"], dict(reasons.most_common()))


def question_of(scheme: Scheme, name: str) -> Question:
    """The question of that name; one without a name answers to ``label``."""
    for question in scheme.questions:
        if (question.name or ONLY) == name:
            return question
    known = ", ".join(question.name or ONLY for question in scheme.questions)
    raise Refused(f"the scheme {scheme.name!r} has no question {name!r}; it has {known}")


def _part(answer: Answer, question: Question) -> Answer:
    return answer.get(question.name) if question.name and isinstance(answer, dict) else answer


def _is_one_of(question: Question, answer: Answer, allowed: Sequence[str]) -> bool:
    """Whether an answer is one of some, flags left aside; of several at once, each has to be."""
    if isinstance(answer, list):
        return all(_is_one_of(question, one, allowed) for one in answer)
    return isinstance(answer, str) and (answer in allowed or base_of(question, answer) in allowed)
