"""Questions and answers of a scheme as its pages word them: what legends and buttons say, not what files store."""

from __future__ import annotations

from collections.abc import Iterable

from otherwords.annotate.batches.batch import KeepRule
from otherwords.annotate.batches.keep_rule import not_agreed, not_all_said, question_of
from otherwords.annotate.schemes.question import Question
from otherwords.annotate.schemes.scheme import Scheme
from otherwords.web.sentences import sentence
from otherwords.web.texts import translate, word

QUOTED = "“{text}”"  # as scripts quote


def answer_words(question: Question, answers: Iterable[str]) -> str:
    """Some values of a question by the words of their buttons, joined by "or"; what is called like its key stays so."""
    names = {value.value: value.name for value in question.values if value.value != value.key}
    return translate(" or ").join(word(names.get(answer, answer)) for answer in answers)


def question_words(scheme: Scheme, name: str) -> str:
    """What a question asks, in quotes; one without a title by its name."""
    question = question_of(scheme, name)
    title = question.title or (scheme.title if len(scheme.questions) == 1 else "")
    return translate(QUOTED).format(text=word(title)) if title else name


def keep_reasons(keep: KeepRule, scheme: Scheme) -> dict[str, str]:
    """Every reason for which a keep rule drops a pair, as it is stored, with how a page says it."""
    reasons = {}
    for name, answers in keep.all_say.items():
        shown = answer_words(question_of(scheme, name), answers)
        reasons[not_all_said(name, answers)] = sentence(not_all_said(question_words(scheme, name), [shown]))
    for name in keep.agree_on:
        reasons[not_agreed(name)] = sentence(not_agreed(question_words(scheme, name)))
    return reasons
