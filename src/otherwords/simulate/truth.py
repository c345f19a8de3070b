"""What is true of a pair, made up once: the more alike two texts are, the likelier a good label.

In go a scheme and what can be seen of a pair, out comes an answer that the scheme allows. It follows from the seed and
the texts alone, so whoever asks, in whatever batch, it is the same.
"""

from __future__ import annotations

from collections.abc import Callable

from otherwords.annotate.question import Answer, Flag, Question
from otherwords.annotate.scheme import Scheme
from otherwords.simulate.chance import choose, draw
from otherwords.simulate.changes import changes
from otherwords.simulate.scales import absences, scale
from otherwords.simulate.seen import Seen

WEIGHT = 0.55  # of the similarity; the rest is chance
BEND = 2.0  # more is good than bad, as in what people extract
BROKEN = 0.015  # of the pairs have no label
LONGER = 1.25  # so much longer, and a text may say more than the other
SAYS_MORE = 0.6  # of those do
FLAGGED = 0.08  # of the labels have each of the other flags
NAMED = 0.3  # of the values of a question with several answers


def truth(scheme: Scheme, seen: Seen, seed: int) -> Answer:
    """The true answer to all of a scheme."""
    return answers(scheme, lambda question: true_answer(scheme, question, seen, seed))


def answers(scheme: Scheme, answer: Callable[[Question], Answer]) -> Answer:
    """The answers to the questions that apply, each asked after those before it."""
    told: dict[str, Answer] = {}
    said: dict[str, list[str]] = {}
    for question in scheme.questions:
        if question.applies(said):
            told[question.name] = question.normalise(answer(question))
            said[question.name] = question.bases(told[question.name])
    return scheme.normalise(told[""] if scheme.single else told)


def true_answer(scheme: Scheme, question: Question, seen: Seen, seed: int) -> Answer:
    """The true answer to one question."""
    names = (seed, scheme.name, question.name, seen.text1, seen.text2)
    if question.kind == "types":
        return changes(question, seen, *names)
    values = [one.value for one in question.values]
    if question.several or question.counted:
        some = [one for one in values if draw("named", one, *names) < NAMED] or [choose(values, "named", *names)]
        return {one: 1 + int(2 * draw("times", one, *names)) for one in some} if question.counted else some
    base = _base(scheme, question, seen, *names)
    return base + _flags(question, base, seen, *names)


def _base(scheme: Scheme, question: Question, seen: Seen, *names: object) -> str:
    none = absences(scheme, question)
    known = [one.value for one in question.values if one.value not in none]
    if none and (not known or draw("broken", *names) < BROKEN):
        return choose(none, "which", *names)
    ordered = scale(scheme, question)
    if ordered is None:
        return choose(known, "base", *names)
    good = WEIGHT * seen.similarity + (1 - WEIGHT) * draw("base", *names)
    return ordered[min(int((1 - good) ** BEND * len(ordered)), len(ordered) - 1)]


def _flags(question: Question, base: str, seen: Seen, *names: object) -> str:
    told = ""
    for flag in question.flags:
        if base in flag.on and not set(flag.excludes) & set(told) and _flagged(flag, seen, *names):
            told += flag.flag
    return told


def _flagged(flag: Flag, seen: Seen, *names: object) -> bool:
    """An arrow points to the text that says less, which is the shorter one; other flags are given by chance."""
    drawn = draw("flag", flag.flag, *names)
    if flag.flag not in "<>":
        return drawn < FLAGGED
    says_less = seen.ratio > LONGER if flag.flag == "<" else seen.ratio < 1 / LONGER
    return says_less and drawn < SAYS_MORE
