"""What judgements say, question by question, as labels that can be compared.

In goes a value as the scheme defines it; out comes one label for each question: the answer itself, yes or no for each
of several that may be chosen, a number for each that is counted, or a projection of the whole. The scheme also tells
the scale: in which order labels stand and how far apart. Values of no known scheme are compared as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from otherwords import labels as turku
from otherwords.annotate import schemes
from otherwords.annotate.question import Question
from otherwords.annotate.scheme import FULL, Scheme
from otherwords.errors import OtherwordsError
from otherwords.measures.agreement.scale import Level, Scale, numeric
from otherwords.project.project import Project
from otherwords.records import phenomena_in
from otherwords.sources.rows import scalar

BINARY = "binary"
YES, NO = "yes", "no"
Answers = dict[str, str]  # by question; the only one has no name


def scheme_of(name: str | None, values: Iterable[Any], project: Path | None) -> Scheme | None:
    """The scheme of judgements that name it, or whose values can only be labels of Turku; None if it is not known."""
    if name is None:
        texts = {value for value in values if isinstance(value, str)}
        shaped = (
            bool(texts) and all(map(turku.is_valid, texts)) and not all(map(str.isdecimal, texts)) and texts != {"x"}
        )
        return schemes.scheme("turku") if shaped else None
    try:
        return schemes.scheme(name, project)
    except OtherwordsError:
        return None


def own_scheme(project: Project) -> Scheme | None:
    """The scheme of a project, if it names one that there is."""
    return scheme_of(project.config.scheme, (), project.folder)


def views(scheme: Scheme | None) -> list[str]:
    """The projections that labels of a scheme have."""
    if scheme is None:
        return [FULL]
    known = [FULL, *scheme.projections]
    return known if BINARY in known or not scheme.positive else [*known, BINARY]


def answers(value: Any, scheme: Scheme | None, view: str) -> Answers:
    """The labels of a value by question; LabelError if the scheme does not know it."""
    if scheme is None or (isinstance(value, list) and phenomena_in(value)):  # P4P's files have nothing but the types
        return _plain("", value)
    if view == BINARY:
        positive = scheme.positive_of(value)
        return {} if positive is None else {"": "positive" if positive else "negative"}
    if view != FULL:
        projected = scheme.project(value, view)
        return {} if projected is None else {scheme.projections[view].question: projected}
    told = scheme.normalise(value)
    if scheme.single:
        return _answered(scheme.questions[0], told)
    return {
        name: label
        for question in scheme.questions
        if question.name in told
        for name, label in _answered(question, told[question.name]).items()
    }


def _answered(question: Question, said: Any) -> Answers:
    """One label, or one for each value that could have been chosen or counted; types are measured elsewhere."""
    if question.kind == "types":
        return {}
    if question.counted:
        return {_part(question.name, one.value): str(said.get(one.value, 0)) for one in question.values}
    if question.several:
        return {_part(question.name, one.value): YES if one.value in said else NO for one in question.values}
    return {question.name: said}


def _part(question: str, value: str) -> str:
    return f"{question}/{value}" if question else value


def _plain(question: str, value: Any) -> Answers:
    """The labels of a value that no scheme explains."""
    if isinstance(value, dict):
        parts = [_plain(_part(question, str(name)), said) for name, said in value.items() if said is not None]
        return {name: label for part in parts for name, label in part.items()}
    if isinstance(value, list):
        return {} if phenomena_in(value) else {question: " + ".join(sorted(map(spelled, value))) or "(none)"}
    return {question: spelled(value)}


def spelled(value: Any) -> str:
    """A value as a label."""
    if isinstance(value, bool | int | float):
        return scalar(value)
    return value if isinstance(value, str) else msgspec.json.encode(value, order="sorted").decode()


def scale_of(labels: list[str], scheme: Scheme | None, question: str, view: str) -> Scale:
    """The scale of the labels of a question under a projection."""
    if scheme is None:
        return numeric(labels) or Scale()
    if view == BINARY:
        return Scale(why="there are only two labels, for which every level is the nominal one")
    asked = next((one for one in scheme.questions if one.name == question), None)
    if asked is None:  # one of several that may be chosen or counted
        return numeric(labels) or Scale(why="a choice was made or not; every level is the nominal one")
    order = scheme.order(question)
    if scheme.distance == "nominal":
        return Scale(why=f"the scheme {scheme.name} gives its labels no order")
    if flagged := sorted(set(labels) - {one.value for one in asked.values}):
        return Scale(why=f"labels with flags ({flagged[0]}) have no order; --labels base has one")
    level: Level = scheme.distance
    return Scale(level, _places(order), _why(scheme, level))


def _places(order: tuple[str, ...]) -> tuple[tuple[str, float], ...]:
    """Where values stand: numbers where they are, else one after the other."""
    if scale := numeric(list(order)):
        return scale.places
    return tuple((value, float(place)) for place, value in enumerate(order))


def _why(scheme: Scheme, level: Level) -> str:
    lacking, has = ("distances", "an order") if level == "ordinal" else ("zero", "distances")
    return f"the scheme {scheme.name} gives its labels no {lacking}, only {has}"
