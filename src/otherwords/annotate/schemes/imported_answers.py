"""The rules by which labels come into a project: how the user renames them, and what the project's scheme has.

A renamed label must be one of the scheme, so that a typing error in ``--map`` is found before anything is imported.
"""

from __future__ import annotations

from collections.abc import Mapping

from otherwords.annotate.schemes import load_scheme
from otherwords.errors import LabelError, UsageError
from otherwords.project.importing.answers import NO_ANSWER, AnswerRules
from otherwords.project.project import Project
from otherwords.registry import suggest

WITH_LABELS = ("corpus", "pairs", "judgements")  # kinds of imports


def answer_rules(project: Project, kind: str, mapping: Mapping[str, str] | None = None) -> AnswerRules:
    """The rules for an import of some kind; without labels or a scheme, every label is as good as another."""
    names = dict(mapping or {})
    if project.config.scheme is None or kind not in WITH_LABELS:
        return AnswerRules(names)
    scheme = load_scheme(project.config.scheme, project.folder)
    values = scheme.questions[0].labels() if scheme.single else []
    for label, value in names.items() if scheme.single else ():
        if value == NO_ANSWER:
            continue
        try:
            scheme.normalise(value)
        except LabelError:
            message = f"--map {label}={value}: the scheme {scheme.name} has no value {value!r}{suggest(value, values)}"
            raise UsageError(message, code="bad-map") from None
    return AnswerRules(names, scheme.name, scheme.normalise, values)
