"""How far two answers are apart under their scheme, so that the worst disagreements come first.

A distance is 0 for the same answer and at most 1. On an ordered scale it is the share of the way from one end to the
other, and flags weigh less than the smallest step between values. For answers with parts it is 1 − F1 of the parts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import msgspec

from otherwords.annotate.schemes.scheme import Answer, Question, Scheme

FLAG_WEIGHT = 0.5  # of the smallest step between two values
_COMPARED = ("type", "scope1", "scope2")  # of a phenomenon
ORDERED = ("ordinal", "interval")


def severity(scheme: Scheme, answers: Sequence[Answer]) -> float:
    """The largest distance between any two of the answers."""
    different = {canonical_json(answer): answer for answer in answers}.values()
    return max((distance(scheme, *pair) for pair in combinations(different, 2)), default=0.0)


def canonical_json(answer: Answer) -> str:
    """An answer as a string, the same for the same answer."""
    return msgspec.json.encode(answer, order="deterministic").decode()


def distance(scheme: Scheme, left: Answer, right: Answer) -> float:
    """How far two answers are apart; the mean over the questions if there are several."""
    if left == right:
        return 0.0
    if scheme.single:
        return _question_distance(scheme, scheme.questions[0], left, right)
    if not isinstance(left, dict) or not isinstance(right, dict):
        return 1.0
    answers = [(question, left.get(question.name), right.get(question.name)) for question in scheme.questions]
    return sum(_question_distance(scheme, *answer) for answer in answers) / len(answers)


def _question_distance(scheme: Scheme, question: Question, left: Answer, right: Answer) -> float:
    if left == right:
        return 0.0
    if isinstance(left, list) and isinstance(right, list):
        counts: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        for side, parts in zip(counts, (left, right), strict=True):
            for part in parts:  # other fields of a phenomenon are no disagreement about what there is
                compared = [part.get(name) for name in _COMPARED] if isinstance(part, dict) else part
                side[canonical_json(compared)] += 1
        return _f1_distance(*counts)
    if isinstance(left, dict) and isinstance(right, dict):
        return _f1_distance(Counter(left), Counter(right))
    if isinstance(left, str) and isinstance(right, str):
        return _label_distance(scheme, question, left, right)
    return 1.0


def _f1_distance(left: Counter[str], right: Counter[str]) -> float:
    """1 − F1 of two multisets."""
    total = left.total() + right.total()
    return 1 - 2 * (left & right).total() / total if total else 0.0


def _label_distance(scheme: Scheme, question: Question, left: str, right: str) -> float:
    scale = scheme.order(question.name)
    step = 1 / max(1, len(scale) - 1) if scheme.distance in ORDERED else 1.0
    base1, base2 = base_value(question, left), base_value(question, right)
    if base1 == base2:
        flags = set(left.removeprefix(base1)) ^ set(right.removeprefix(base2))
        return FLAG_WEIGHT * step * len(flags) / max(1, len(question.flags))
    if scheme.distance in ORDERED and base1 in scale and base2 in scale:
        return step * abs(scale.index(base1) - scale.index(base2))
    return 1.0


def base_value(question: Question, answer: str) -> str:
    """The value of an answer without its flags; the whole answer if the scheme does not know it."""
    return question.base(answer) or answer
