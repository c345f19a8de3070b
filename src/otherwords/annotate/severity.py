"""How far two answers are apart, by what their scheme says, so that the worst disagreements come first.

In go a scheme and answers, out comes a number from 0, the same, to 1. Where the values are in an order, it is the
share of the way from one end to the other; flags weigh less than the smallest step between values. Of answers that
have parts it is the share of the parts that differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import msgspec

from otherwords.annotate.scheme import Answer, Question, Scheme

FLAGS_WEIGH = 0.5  # of the smallest step between two values
IN_ORDER = ("ordinal", "interval")


def severity(scheme: Scheme, answers: Sequence[Answer]) -> float:
    """How far those of some answers are apart that are the farthest."""
    different = list({spelled(one): one for one in answers}.values())
    return max((distance(scheme, one, other) for one, other in combinations(different, 2)), default=0.0)


def spelled(answer: Answer) -> str:
    """An answer as a string, the same for the same answer."""
    return msgspec.json.encode(answer, order="deterministic").decode()


def distance(scheme: Scheme, one: Answer, other: Answer) -> float:
    """How far two answers are apart: of several questions, on average."""
    if one == other:
        return 0.0
    if scheme.single:
        return _apart(scheme, scheme.questions[0], one, other)
    parts = [
        _apart(scheme, question, one.get(question.name), other.get(question.name))
        for question in scheme.questions
        if isinstance(one, dict) and isinstance(other, dict)
    ]
    return sum(parts) / len(parts) if parts else 1.0


def _apart(scheme: Scheme, question: Question, one: Answer, other: Answer) -> float:
    if one == other:
        return 0.0
    if isinstance(one, list) and isinstance(other, list):
        return _overlap(Counter(map(spelled, map(_bare, one))), Counter(map(spelled, map(_bare, other))))
    if isinstance(one, dict) and isinstance(other, dict):
        return _overlap(Counter(one), Counter(other))
    if isinstance(one, str) and isinstance(other, str):
        return _labels_apart(scheme, question, one, other)
    return 1.0


def _bare(part: Any) -> Any:
    """A phenomenon by its type and its scopes; what else is said of it is no disagreement about what there is."""
    return [part.get(name) for name in ("type", "scope1", "scope2")] if isinstance(part, dict) else part


def _overlap(one: Counter[str], other: Counter[str]) -> float:
    """1 − F1 of two multisets."""
    total = one.total() + other.total()
    return 1 - 2 * (one & other).total() / total if total else 0.0


def _labels_apart(scheme: Scheme, question: Question, one: str, other: str) -> float:
    ordered = scheme.order(question.name)
    step = 1 / max(1, len(ordered) - 1) if scheme.distance in IN_ORDER else 1.0
    base1, base2 = base_of(question, one), base_of(question, other)
    if base1 == base2:
        flags = set(one.removeprefix(base1)) ^ set(other.removeprefix(base2))
        return FLAGS_WEIGH * step * len(flags) / max(1, len(question.flags))
    if scheme.distance in IN_ORDER and base1 in ordered and base2 in ordered:
        return step * abs(ordered.index(base1) - ordered.index(base2))
    return 1.0


def base_of(question: Question, answer: str) -> str:
    """The value of an answer, without its flags; the whole of one that the scheme does not know."""
    found = [value.value for value in question.values if answer.startswith(value.value)]
    return max(found, key=len, default=answer)
