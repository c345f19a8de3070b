"""What the views of a scheme must be: each can be worked out from answers, and says nothing that it does not mean.

In goes a checked scheme with its views as the file has them. Out comes nothing, or a sentence: which view, what to do.
"""

from __future__ import annotations

import re

from otherwords.annotate.question import Question
from otherwords.annotate.scheme import FULL, Scheme, View
from otherwords.errors import LabelError

NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
MOST_VOTES = 1000


def check_views(found: Scheme) -> None:
    """Refuse views that cannot be made, and labels to leave out that nobody can give."""
    for name, view in found.views.items():
        called = f"views.{name}"
        if not NAME.fullmatch(name):
            raise LabelError(f"{called}: a view is called by small letters, digits, - and _")
        _check_rule(called, view)
        question = _question(called, found, view)
        _check_positive(called, view, question)
        _check_all_say(called, found, view)
        if view.rule == "votes" and not (view.positive or found.positive):
            raise LabelError(f"{called}: votes need to know which answers are positive; name them under positive")
    _check_leave_out(found)


def _check_rule(called: str, view: View) -> None:
    if view.rule == "votes":
        if view.threshold is None or view.of is None:
            raise LabelError(f"{called}: votes need a threshold and of, as in threshold = 3, of = 6")
        if not 0 < view.threshold < view.of <= MOST_VOTES:
            raise LabelError(f"{called}: threshold {view.threshold} of {view.of}: give 0 < threshold < of")
        return
    if view.threshold is not None:
        raise LabelError(f'{called}: a threshold goes with rule = "votes"')
    if view.of is not None and (view.rule == "single" or not 2 <= view.of <= MOST_VOTES):
        raise LabelError(f'{called}: of = {view.of}: how many have to agree, 2 or more, with rule = "agreement"')


def _question(called: str, found: Scheme, view: View) -> Question:
    """The question that a view is about, which has to have one answer."""
    if view.projection and view.projection != FULL and view.projection not in found.projections:
        known = ", ".join([FULL, *found.projections])
        raise LabelError(f"{called}: there is no projection {view.projection!r}; known: {known}")
    projected = found.projections.get(view.projection)
    if projected and view.question and projected.question != view.question:
        raise LabelError(f"{called}: its projection is about {projected.question!r}; leave out the question")
    name = view.question or (projected.question if projected else "")
    question = next((one for one in found.questions if found.single or one.name == name), None)
    if question is None:
        raise LabelError(f"{called}: question = {name!r}: name one of the scheme's questions")
    if question.several or question.counted or question.kind != "choice":
        raise LabelError(f"{called}: a label is one answer, and {name or 'this question'} may have several")
    return question


def _check_positive(called: str, view: View, question: Question) -> None:
    values = {value.value for value in question.values}
    if unknown := sorted(set(view.positive) - values):
        raise LabelError(f"{called}: positive: {unknown[0]!r} is no value; known: {', '.join(sorted(values))}")
    if view.positive and view.projection:
        raise LabelError(f"{called}: positive and projection: choose one; each says what the labels are")
    if view.plain and not view.positive:
        raise LabelError(f"{called}: plain goes with positive")


def _check_all_say(called: str, found: Scheme, view: View) -> None:
    for name, answers in view.all_say.items():
        question = next((one for one in found.questions if one.name == name), None)
        known = {value.value for value in question.values} if question else set()
        if question is None or not answers or not set(answers) <= known:
            raise LabelError(f"{called}: all_say: {name} = {list(answers)}: name a question and some of its values")


def _check_leave_out(found: Scheme) -> None:
    values = {value.value for question in found.questions for value in question.values}
    if unknown := sorted(set(found.leave_out) - values):
        raise LabelError(f"leave_out: {unknown[0]!r} is no value; known: {', '.join(sorted(values))}")
