"""The simulated truth about a pair: the more similar two texts are, the likelier a good label.

It is an answer that the scheme allows, and follows from the seed and the texts alone: it is the same for every
annotator and in every batch. Of a pair with a gold label, that label is the truth; of one that was carried over from
another language, it is the label of its original.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection

import msgspec

from otherwords.annotate.labels.label_rule import polarity
from otherwords.annotate.schemes.question import Answer, Question
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.errors import LabelError
from otherwords.simulate.chance import choose, draw
from otherwords.simulate.options import SimulationOptions
from otherwords.simulate.phenomena import true_phenomena
from otherwords.simulate.visible_texts import VisibleTexts

BEND = 2.0  # more labels are good than bad, as in what people extract
BROKEN = 0.015  # share of the pairs without a label
LONGER = 1.25  # ratio of lengths from which on a text may say more than the other
SAYS_MORE = 0.6  # share of those that do
FLAGGED = 0.08  # share of the labels with each of the other flags
NAMED = 0.3  # share of the values of a question with several answers


def truth(scheme: Scheme, seen: VisibleTexts, options: SimulationOptions) -> Answer:
    """The true answer to all questions of a scheme."""
    return answers(scheme, seen, lambda question: true_answer(scheme, question, seen, options))


def answers(scheme: Scheme, seen: VisibleTexts, answer: Callable[[Question], Answer]) -> Answer:
    """The answers to the questions that apply, each asked after those before it; of candidates, each is named once."""
    values: dict[str, Answer] = {}
    bases: dict[str, list[str]] = {}
    for question in scheme.questions:
        if question.applies(bases):
            asked = _among(question, seen.texts - 1, values.values()) if scheme.candidates else question
            values[question.name] = question.normalise(answer(asked))
            bases[question.name] = question.bases(values[question.name])
    return scheme.normalise(values[""] if scheme.single else values)


def _among(question: Question, candidates: int, named: Collection[Answer]) -> Question:
    """A question without the numbers of texts that were named before or, if any are left, are not there."""
    left = [value for value in question.values if value.value not in named]
    there = [value for value in left if int(value.value) <= candidates]
    return msgspec.structs.replace(question, values=tuple(there or left))


def true_answer(scheme: Scheme, question: Question, seen: VisibleTexts, options: SimulationOptions) -> Answer:
    """The true answer to one question."""
    if seen.gold is not None and (known := _known_answer(scheme, question, seen.gold)) is not None:
        return known
    names = (options.seed, scheme.name, question.name, seen.text1, seen.text2)
    if question.kind == "types":
        return true_phenomena(question, seen, *names)
    values = [option.value for option in question.values]
    if question.several or question.counted:
        some = [value for value in values if draw("named", value, *names) < NAMED] or [choose(values, "named", *names)]
        return {value: 1 + int(2 * draw("times", value, *names)) for value in some} if question.counted else some
    base = _base(scheme, question, seen, options.similarity, *names)
    return base + _flags(question, base, seen, *names)


def _known_answer(scheme: Scheme, question: Question, gold: str) -> Answer:
    """The answer that a gold label gives; None if the scheme does not know it, or the question is about other things.

    Of several questions, it answers the one whose answers make a pair a paraphrase or not.
    """
    if scheme.single:
        with contextlib.suppress(LabelError):  # the label of another scheme
            return scheme.normalise(gold)
        return None
    values = [option.value for option in question.values]
    is_positive, good = polarity([gold])(gold), [value for value in values if question.part(value) in scheme.positive]
    if is_positive is None or not good:
        return None
    return next((value for value in values if (value in good) is is_positive), None)


def _base(scheme: Scheme, question: Question, seen: VisibleTexts, weight: float, *names: object) -> str:
    none = missing_values(scheme, question)
    known = [option.value for option in question.values if option.value not in none]
    if none and (not known or draw("broken", *names) < BROKEN):
        return choose(none, "which", *names)
    ordered = best_first(scheme, question)
    if ordered is None:
        return choose(known, "base", *names)
    good = weight * seen.similarity + (1 - weight) * draw("base", *names)
    return ordered[min(int((1 - good) ** BEND * len(ordered)), len(ordered) - 1)]


def _flags(question: Question, base: str, seen: VisibleTexts, *names: object) -> str:
    flags = ""
    # An arrow points to the text that says less, which is the shorter one; other flags are given by chance.
    shares = {"<": SAYS_MORE * (seen.ratio > LONGER), ">": SAYS_MORE * (seen.ratio < 1 / LONGER)}
    for flag in question.flags:
        if base in flag.on and not set(flag.excludes) & set(flags):
            flags += flag.flag if draw("flag", flag.flag, *names) < shares.get(flag.flag, FLAGGED) else ""
    return flags


def best_first(scheme: Scheme, question: Question) -> list[str] | None:
    """The values of a question from best to worst, without those that mean no label; None if they have no order.

    Positive values are better than others; if the scheme does not name any, the larger number is better.
    """
    values = list(scheme.order(question.name))
    good = [place for place, value in enumerate(values) if question.part(value) in scheme.positive]
    if good:
        rest = [place for place in range(len(values)) if place not in good]
        falling = not rest or sum(good) / len(good) < sum(rest) / len(rest)
        return values if falling else values[::-1]
    if scheme.distance != "nominal" and all(value.isdecimal() for value in values):
        return sorted(values, key=int, reverse=True)
    return None


def missing_values(scheme: Scheme, question: Question) -> list[str]:
    """The values that mean that a pair has no label."""
    return [option.value for option in question.values if question.part(option.value) in scheme.missing]
