"""The step ``import``: files into the project."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import func, select

from otherwords.annotate.schemes import answer_rules
from otherwords.errors import DataError
from otherwords.project.file_digests import FileDigests
from otherwords.project.importing.import_corpus import import_corpus
from otherwords.project.importing.import_file import import_file
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import PRESENT
from otherwords.project.pipeline.kind import Cost, Step, StepContext, StepFacts, StepKind, StepResult
from otherwords.project.pipeline.parameters import Parameters
from otherwords.project.project import Project

IMPORT_KINDS = {"translations": "groups", "answers": "groups"}  # by which kind of import some sources come


class Import(Parameters, frozen=True, kw_only=True):
    """Files of one kind, and how they are read."""

    kind: str = "subtitles"
    paths: tuple[str, ...] = ()
    format: str | None = None
    lang: str | None = None
    licence: str | None = None
    options: dict[str, Any] = msgspec.field(default_factory=dict)


def _facts(project: Project, parameters: Import) -> StepFacts:
    """An import depends on the content of the files."""
    paths = {name: project.folder / name for name in parameters.paths}
    for path in paths.values():
        if not path.exists():
            raise DataError("No such file or directory", path, code="no-such-file")
    with FileDigests(project.folder) as digests:  # by names as in the recipe: a project may be moved
        return StepFacts(len(paths), {"files": {name: digests.digest(path) for name, path in paths.items()}})


def _import(context: StepContext[Import]) -> StepResult:
    parameters = context.parameters
    result = StepResult(rows_in=len(parameters.paths))
    for number, name in enumerate(parameters.paths, 1):
        path = context.project.folder / name
        chosen: dict[str, Any] = {"options": parameters.options, "format": parameters.format}
        chosen |= {"lang": parameters.lang, "licence": parameters.licence}
        chosen["answers"] = answer_rules(context.project, parameters.kind)
        if parameters.kind == "corpus":
            imported = list(import_corpus(context.project, path, **chosen))
        else:
            imported = [import_file(context.project, parameters.kind, path, **chosen)]
        result.rows_out += sum(part.added for part in imported)
        for part in imported:
            outside = {"outside": part.outside} if part.outside else {}
            result.counts[f"{name}: {part.noun}" if part.noun else name] = part.counts() | outside
        context.progress(number, len(parameters.paths))
    return result


IMPORT = StepKind(
    name="import", version=1, parameters=Import, facts=_facts, run=_import, cost=Cost(rows_per_second=1.0)
)


class Need(Parameters, frozen=True, kw_only=True):
    """``sources`` of documents of which at least one is there; without any, pairs."""

    sources: tuple[str, ...] = ()


def _need_facts(project: Project, parameters: Need) -> StepFacts:
    """Imported pairs count alone where there are any: those that the recipe makes are none that it begins with."""
    documents, pairs = schema.documents, schema.pairs
    by_source = select(documents.c.source, func.count()).group_by(documents.c.source)
    present = select(func.count()).select_from(pairs).where(PRESENT)
    with project.ledger.reading() as connection:
        found = connection.execute(by_source.where(documents.c.source.in_(parameters.sources))).all()
        counts = {source: int(count) for source, count in found}
        imported = connection.execute(present.where(pairs.c.import_id.is_not(None))).scalar_one()
        count = imported or connection.execute(present).scalar_one()
    return StepFacts(sum(counts.values()) if parameters.sources else count, {"documents": counts})


def _need(context: StepContext[Need]) -> StepResult:
    facts = _needed(context.project, context.parameters)
    return StepResult(rows_in=facts.rows, rows_out=facts.rows, counts=dict(facts.depends_on["documents"]))


def _needed(project: Project, parameters: Need) -> StepFacts:
    facts = _need_facts(project, parameters)
    if facts.rows:
        return facts
    folder, documents = project.folder, schema.documents
    with project.ledger.reading() as connection:
        unused = connection.execute(select(documents.c.source).distinct().order_by(documents.c.source)).scalars().all()
    kinds = dict.fromkeys(IMPORT_KINDS.get(source, source) for source in parameters.sources)
    way_on = " or ".join(f"otherwords import {folder} {kind} PATH" for kind in kinds or ["pairs"])
    if unused:
        way_on += f"; what is there ({', '.join(unused)}) begins another recipe"
    message = f"nothing to begin with; import something first: {way_on}"
    raise DataError(message, folder, code="nothing-imported")


def refuse_without_beginning(project: Project, steps: Sequence[Step]) -> None:
    """Refuse a recipe whose first step needs something that the project does not have."""
    if steps and isinstance(steps[0].parameters, Need):
        _needed(project, steps[0].parameters)


NEED = StepKind(name="need", version=1, parameters=Need, facts=_need_facts, run=_need)
