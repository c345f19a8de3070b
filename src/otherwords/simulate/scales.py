"""The answers to a question from best to worst, as far as a scheme says which is better."""

from __future__ import annotations

from otherwords.annotate.question import Question
from otherwords.annotate.scheme import Scheme


def scale(scheme: Scheme, question: Question) -> list[str] | None:
    """The values of a question, the best first, without those that mean that there is no answer; None without order.

    What is positive is better than what is not; where a scheme does not say, the larger number is.
    """
    values = list(scheme.order(question.name))
    good = [place for place, value in enumerate(values) if question.part(value) in scheme.positive]
    if good:
        rest = [place for place in range(len(values)) if place not in good]
        falling = not rest or _mean(good) < _mean(rest)
        return values if falling else values[::-1]
    if scheme.distance != "nominal" and all(value.isdecimal() for value in values):
        return sorted(values, key=int, reverse=True)
    return None


def absences(scheme: Scheme, question: Question) -> list[str]:
    """The values that mean that a pair has no label."""
    return [one.value for one in question.values if question.part(one.value) in scheme.missing]


def _mean(places: list[int]) -> float:
    return sum(places) / len(places)
