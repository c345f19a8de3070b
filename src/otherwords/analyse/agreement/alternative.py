"""Whether a model may stand in for a person, by the judgements of a project or of files.

The test itself is in :mod:`otherwords.measures.agreement.alternative`; here it gets the labels of one question.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from otherwords.analyse.agreement.answers import find_scheme, project_scheme, projections_of
from otherwords.analyse.agreement.questions import answers_by_question
from otherwords.analyse.judgement_columns import JudgementTable, JudgementTables
from otherwords.analyse.judgement_tables import JudgementFilter, from_files, from_ledger, is_project
from otherwords.annotate.schemes.scheme import FULL
from otherwords.errors import DataError, UsageError
from otherwords.measures.agreement.alternative import EXPERTS, AlternativeTest, alternative_test
from otherwords.project import open_project
from otherwords.records import MODEL_PREFIX
from otherwords.registry import suggest


def stands_in(
    paths: Sequence[str | Path],
    model: str,
    *,
    epsilon: float = EXPERTS,
    projection: str = FULL,
    selection: JudgementFilter | None = None,
    format: str | None = None,
) -> dict[str, AlternativeTest]:
    """The outcome for each question that the model answered, by the name of the question."""
    chosen, folder = selection or JudgementFilter(), None
    if len(paths) == 1 and is_project(paths[0]):
        with open_project(paths[0]) as project, project.ledger.reading() as connection:
            tables, _ = from_ledger(connection, chosen, project_scheme(project))
            folder = project.folder
    else:
        tables, _ = from_files(paths, chosen, format=format)
    name = _known_model(model, tables)
    results: dict[str, AlternativeTest] = {}
    for key, table in tables.items():
        if name not in table.models or key.anonymous:
            continue
        scheme = find_scheme(key.scheme, table.distinct_values, folder)
        if projection not in projections_of(scheme):
            known = ", ".join(projections_of(scheme))
            raise UsageError(f"--labels {projection}: the labels are {known}", code="no-such-projection")
        for answers in answers_by_question(table.with_models(), scheme, projection)[0]:
            codes = answers.codes()
            labels: dict[str, dict[str, str]] = {person: {} for person in codes.names}
            for unit, person, label in zip(codes.units, codes.annotators, codes.labels, strict=True):
                labels[codes.names[person]][str(unit)] = codes.categories[label]
            people = {person: given for person, given in labels.items() if person not in table.models}
            title = " ".join(filter(None, (key.scheme if len(tables) > 1 else "", answers.question)))
            results[title] = alternative_test(name, labels.get(name, {}), people, epsilon)
    return results


def _known_model(model: str, tables: JudgementTables) -> str:
    """The name under which a model judged, which may be given without what all such names begin with."""
    known = sorted({name for table in tables.values() for name in _models(table)})
    for name in (model, f"{MODEL_PREFIX}{model}"):
        if name in known:
            return name
    if not known:
        message = f"no model has judged what people judged; otherwords judge PROJECT BATCH --with {model} does"
        raise DataError(message, code="no-model-judgements")
    raise DataError(f"no model {model!r} has judged{suggest(model, known)}", code="no-such-model")


def _models(table: JudgementTable) -> list[str]:
    return [] if table.anonymous else table.models
