"""Rules of a batch that speak of answers, held against its scheme before the batch is made."""

from __future__ import annotations

from collections.abc import Iterable

from otherwords.annotate.batches import Rules
from otherwords.annotate.keeping import question_of
from otherwords.annotate.scheme import Question, Scheme
from otherwords.errors import Refused


def check_rules(rules: Rules, asked: int, scheme: Scheme) -> None:
    """Refuse rules that the scheme or the number of judgements leaves without sense."""
    if rules.second_sees:
        _check_second(rules, asked, scheme)
    if rules.keep is not None:
        if asked < 2:
            raise Refused("which pairs are kept is a question of several judgements; ask for at least 2 of each pair")
        for name, allowed in rules.keep.all_say.items():
            _known(question_of(scheme, name), allowed)
        for name in rules.keep.agree_on:
            question_of(scheme, name)


def _check_second(rules: Rules, asked: int, scheme: Scheme) -> None:
    if asked != 2:
        raise Refused(f"only a second annotator can be shown less; ask for 2 judgements of each pair, not {asked}")
    if len(scheme.questions) != 1 or scheme.questions[0].several or scheme.questions[0].counted:
        raise Refused(f"the scheme {scheme.name!r} has no single answer by which a second annotator could be chosen")
    _known(scheme.questions[0], rules.second_sees)


def _known(question: Question, answers: Iterable[str]) -> None:
    values = [value.value for value in question.values]
    for answer in answers:
        if answer not in values:
            raise Refused(f"{answer!r} is no answer of the scheme; it has {', '.join(values)}")
