"""Judgements as comparable labels, question by question.

A scheme decides how a value becomes labels: the answer itself, yes or no for each option of a multiple choice, a number
for each counted option, or a projection of the whole value. It also defines the scale: the order of the labels and the
distances between them. Values of an unknown scheme are compared as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from otherwords import labels as turku
from otherwords.annotate import schemes
from otherwords.annotate.schemes.question import Question
from otherwords.annotate.schemes.scheme import FULL, Scheme, projected
from otherwords.errors import OtherwordsError
from otherwords.measures.agreement.scale import Scale, numeric_scale
from otherwords.project.project import Project
from otherwords.records import phenomena_in
from otherwords.sources.rows.records import scalar_text

BINARY = "binary"
YES, NO = "yes", "no"
LabelsByQuestion = dict[str, str]  # the only question of a scheme has no name


def find_scheme(name: str | None, values: Iterable[Any], project: Path | None) -> Scheme | None:
    """The scheme of that name, or without a name Turku's if all values can only be its labels; None if unknown."""
    if name is None:
        texts = {value for value in values if isinstance(value, str)}
        ambiguous = not texts or texts == {"x"} or all(map(str.isdecimal, texts))
        return schemes.load_scheme("turku") if not ambiguous and all(map(turku.is_label, texts)) else None
    try:
        return schemes.load_scheme(name, project)
    except OtherwordsError:
        return None


def project_scheme(project: Project) -> Scheme | None:
    """The scheme that a project is configured with, if it exists."""
    return find_scheme(project.config.scheme, (), project.folder)


def projections_of(scheme: Scheme | None) -> list[str]:
    """The projections of a scheme's labels, full labels first."""
    if scheme is None:
        return [FULL]
    projections = [FULL, *scheme.projections]
    return projections if BINARY in projections or not scheme.positive else [*projections, BINARY]


def labels_by_question(value: Any, scheme: Scheme | None, projection: str) -> LabelsByQuestion:
    """The labels of a value by question; LabelError if the value is outside the scheme."""
    if scheme is None or (isinstance(value, list) and phenomena_in(value)):  # P4P's files have nothing but the types
        return _labels_without_scheme("", value)
    if projection == BINARY:
        positive = scheme.positive_of(value)
        return {} if positive is None else {"": "positive" if positive else "negative"}
    if projection != FULL:
        label = scheme.project(value, projection)
        return {} if label is None else {scheme.projections[projection].question: label}
    answers = scheme.normalise(value)
    if scheme.single:
        return _labels_of_answer(scheme.questions[0], answers)
    return {
        name: label
        for question in scheme.questions
        if question.name in answers
        for name, label in _labels_of_answer(question, answers[question.name]).items()
    }


def _labels_of_answer(question: Question, answer: Any) -> LabelsByQuestion:
    """One label, or one for each option that can be chosen or counted; types are measured in :mod:`types`."""
    if question.kind == "types":
        return {}
    options = {_option_name(question.name, option.value): option.value for option in question.values}
    if question.counted:
        return {name: str(answer.get(option, 0)) for name, option in options.items()}
    if question.several:
        return {name: YES if option in answer else NO for name, option in options.items()}
    return {question.name: answer}


def _option_name(question: str, value: str) -> str:
    return f"{question}/{value}" if question else value


def _labels_without_scheme(question: str, value: Any) -> LabelsByQuestion:
    if isinstance(value, dict):
        parts = ((_option_name(question, str(name)), answer) for name, answer in value.items() if answer is not None)
        return {name: label for part, answer in parts for name, label in _labels_without_scheme(part, answer).items()}
    if isinstance(value, list):
        return {} if phenomena_in(value) else {question: " + ".join(sorted(map(_as_label, value))) or "(none)"}
    return {question: _as_label(value)}


def _as_label(value: Any) -> str:
    if isinstance(value, bool | int | float):
        return scalar_text(value)
    return value if isinstance(value, str) else msgspec.json.encode(value, order="sorted").decode()


def categories_of(scheme: Scheme | None, question: str, projection: str) -> tuple[str, ...]:
    """All labels that a question can get under a projection; none if the scheme is not known or sets no limit."""
    if scheme is None:
        return ()
    if projection == BINARY:
        return ("positive", "negative")
    definition = next((candidate for candidate in scheme.questions if candidate.name == question), None)
    if definition is None:  # an option that can be chosen, or counted without limit
        options = next((other for other in scheme.questions if question.startswith(f"{other.name}/")), None)
        several = options.several if options is not None else scheme.questions[0].several
        return (YES, NO) if several else ()
    labels = definition.labels()
    if projection == FULL:
        return tuple(labels)
    projections = (projected(definition, scheme.projections[projection], label) for label in labels)
    return tuple(dict.fromkeys(label for label in projections if label is not None))


def scale_of(labels: list[str], scheme: Scheme | None, question: str, projection: str) -> Scale:
    """The scale of the labels of a question under a projection."""
    if scheme is None:
        return numeric_scale(labels) or Scale()
    if projection == BINARY:
        return Scale(why="there are only two labels, for which all levels are the same as nominal")
    definition = next((candidate for candidate in scheme.questions if candidate.name == question), None)
    if definition is None:  # an option that can be chosen or counted
        return numeric_scale(labels) or Scale(
            why="an option is chosen or not, for which all levels are the same as nominal"
        )
    if scheme.distance == "nominal":
        return Scale(why=f"the scheme {scheme.name} defines no order of its labels")
    if flagged := sorted(set(labels) - {option.value for option in definition.values}):
        return Scale(why=f"labels with flags ({flagged[0]}) have no order; --labels base has one")
    order = scheme.order(question)
    numbers = numeric_scale(list(order))  # the place of a value is its number if all are numbers, otherwise its rank
    places = numbers.places if numbers else tuple((value, float(place)) for place, value in enumerate(order))
    missing, defined = ("distances", "an order") if scheme.distance == "ordinal" else ("zero", "distances")
    why = f"the scheme {scheme.name} defines no {missing} for its labels, only {defined}"
    return Scale(scheme.distance, places, why)
