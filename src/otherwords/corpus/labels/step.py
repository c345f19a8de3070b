"""Labels: what the current judgements of a project make of each pair, as a dataset.

A consensus is the label; without one it is what the rule of the scheme makes of what people answered on their own.
Where they differ and nobody has decided, the pair stays open and has none. Answers given in training, in checks and to
hidden tests, and simulated ones, never become a label by themselves; those of models only where somebody asks for it,
and then the label says so. The dataset is the output of a step: it is made
again only where something was judged since, or the scheme changed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

import msgspec
import pyarrow as pa
from sqlalchemy import ColumnElement, Table, func, select

from otherwords.annotate.batches.output_pairs import NO_OUTPUT, output_batches
from otherwords.annotate.labels.engine import LabelEngine, LabelOutcome
from otherwords.annotate.labels.views import labelling_scheme
from otherwords.corpus.labels.rows import labelled_blocks
from otherwords.corpus.labels.table import SCHEMA
from otherwords.engine import Progress
from otherwords.errors import ProjectError
from otherwords.project.ledger import schema
from otherwords.project.pipeline.dataset import Dataset, TextColumns
from otherwords.project.pipeline.kind import Cost, Step, StepContext, StepFacts, StepKind, StepResult, make_step
from otherwords.project.pipeline.parameters import Parameters
from otherwords.project.pipeline.run import output_of
from otherwords.project.project import Project
from otherwords.project.simulated import is_simulated

NONE = "none"  # a pair without a label, in the counts of a view


class LabelParameters(Parameters, frozen=True, kw_only=True):
    """Labels of a scheme, that of the project where it is empty; judgements of ``simulated`` people and of ``models``
    count or not."""

    simulated: bool = False
    models: bool = False
    scheme: str = ""


def labels_table(
    project: Project,
    *,
    simulated: bool = False,
    models: bool = False,
    scheme: str | None = None,
    progress: Progress | None = None,
) -> Dataset:
    """The dataset of all labels as they are now."""
    step = label_step(project, simulated=simulated, models=models, scheme=scheme)
    return output_of(project, step, progress=progress)


def label(
    project: Project,
    *,
    simulated: bool = False,
    models: bool = False,
    scheme: str | None = None,
    progress: Progress | None = None,
) -> Dataset:
    """The same, with its counts as its summary; a project without any label is an error that says what to do."""
    labels = labels_table(project, simulated=simulated, models=models, scheme=scheme, progress=progress)
    folder, counts = project.folder, labels.summary
    if counts["states"].get("labelled"):
        return labels
    if not counts["pairs"]:
        what_to_do = f"there are no pairs; import some: otherwords import {folder} pairs PATH"
    elif counts["states"].get("unjudged") == counts["pairs"]:
        what_to_do = (
            f"nobody has judged any of the {counts['pairs']:,} pairs in a way that makes a label of the scheme "
            f"{counts['scheme']}; make a batch (otherwords batch new {folder} NAME) and have it judged "
            f"(otherwords serve {folder}), or import judgements: otherwords import {folder} judgements PATH"
        )
    else:
        why = "; ".join(f"{count:,} × {reason}" for reason, count in counts["reasons"].items())
        how = f"make a batch of imported judgements first: otherwords batch imported {folder} NAME"
        what_to_do = f"no pair has a label ({why}); where people differ, decide on the page Adjudicate ({how})"
    raise ProjectError(f"{folder}: {what_to_do}", code="no-labels")


def label_step(project: Project, *, simulated: bool = False, models: bool = False, scheme: str | None = None) -> Step:
    """One step for each scheme, and for each kind of judgement that counts, so that none makes another stale."""
    other = scheme if scheme != project.config.scheme else None
    marks = [*([other] if other else []), *(["simulated"] if simulated else []), *(["models"] if models else [])]
    return make_step(LABEL, "-".join([LABEL.name, *marks]), simulated=simulated, models=models, scheme=other or "")


def _facts(project: Project, parameters: LabelParameters) -> StepFacts:
    """How many judgements and pairs there are, which only grow, and what was removed, withdrawn or corrected since.

    Outputs of systems, and what people say about them, change no label.
    """
    sizes: dict[str, list[int]] = {}
    with project.ledger.reading() as connection:
        counted = _without_outputs(output_batches(connection))
        for table in (schema.judgements, schema.pairs, schema.tombstones, schema.batches, schema.left_out):
            # Asked for together, SQLite would not use its indexes.
            conditions = counted.get(table, ())
            rows = connection.execute(select(func.count()).select_from(table).where(*conditions)).scalar_one()
            last = connection.execute(select(func.max(table.c.seq)).where(*conditions)).scalar()
            sizes[table.name] = [rows, last or 0]
        by_licence = select(schema.pairs.c.licence, func.count(), func.count(schema.pairs.c.state)).where(NO_OUTPUT)
        licences = sorted(
            (licence or "", *counts) for licence, *counts in connection.execute(by_licence.group_by("licence"))
        )
        simulated = {"simulated": True} if is_simulated(connection) else {}
        imports = connection.execute(select(schema.imports.c.id, schema.imports.c.finished, schema.imports.c.counts))
        corrections = sorted([name, finished] for name, finished, counts in imports if counts.get("corrected"))
    scheme = labelling_scheme(project, parameters.scheme)
    digest = hashlib.sha256(msgspec.json.encode(scheme.as_page(), order="sorted")).hexdigest()
    corrected = {"corrected": corrections} if corrections else {}
    return StepFacts(sizes["pairs"][0], {**sizes, "licences": licences, "scheme": digest, **corrected, **simulated})


def _without_outputs(batches: list[str]) -> dict[Table, list[ColumnElement[bool]]]:
    """Which rows count where some batches are about outputs; all of them where none is."""
    if not batches:
        return {}
    judged_in = func.coalesce(schema.judgements.c.batch, "")
    return {
        schema.judgements: [judged_in.not_in(batches)],
        schema.pairs: [NO_OUTPUT],
        schema.batches: [schema.batches.c.id.not_in(batches)],
    }


def _label(context: StepContext[LabelParameters]) -> StepResult:
    chosen = context.parameters
    scheme = labelling_scheme(context.project, chosen.scheme)
    counts = LabelCounts(scheme.name)
    with context.project.ledger.reading() as connection:
        total = connection.execute(select(func.count()).select_from(schema.pairs).where(NO_OUTPUT)).scalar_one()
        counting = {"simulated": chosen.simulated, "models": chosen.models}
        engine = LabelEngine(connection, scheme, own=not chosen.scheme, **counting)

        def tables() -> Iterator[pa.Table]:
            for block in labelled_blocks(connection, engine):
                counts.add(block.outcomes)
                context.progress(counts.pairs, total)
                yield pa.Table.from_pydict(block.columns, SCHEMA)

        labels = context.write(SCHEMA, tables(), counts.as_dict)
    return StepResult(counts.pairs, labels.summary["states"].get("labelled", 0), labels.summary, labels)


LABEL = StepKind(
    name="label",
    version=4,
    parameters=LabelParameters,
    facts=_facts,
    run=_label,
    cost=Cost(rows_per_second=20_000.0, megabytes_per_million_rows=0.0, disk_bytes_per_row=300.0),
    derived=TextColumns(ids=["id", "rewrite_of", "doc1", "doc2"], texts=["text1", "text2", "meta"]),
)


class LabelCounts:
    """Counts the outcomes of pairs."""

    def __init__(self, scheme: str) -> None:
        self.scheme = scheme
        self.pairs = 0
        self._alike: Counter[tuple[Any, ...]] = Counter()

    def add(self, outcomes: Collection[LabelOutcome]) -> None:
        """Count some more pairs."""
        self.pairs += len(outcomes)
        for outcome, count in Counter(outcomes).items():
            views = tuple(outcome.views.items())
            key = (
                outcome.state,
                outcome.label,
                outcome.made_by,
                outcome.reason,
                outcome.simulated,
                outcome.by_model,
                views,
            )
            self._alike[key] += count

    def as_dict(self) -> dict[str, object]:
        """All counts as plain values, the most frequent first."""
        counts: dict[str, Counter[str]] = {name: Counter() for name in ("states", "labels", "made_by", "reasons")}
        views: dict[str, Counter[str]] = {}
        side_by_side: Counter[tuple[str, ...]] = Counter()
        simulated = by_model = 0
        for (state, label, made_by, reason, of_simulated, of_model, labels), count in self._alike.items():
            labelled = state == "labelled"
            counts["states"][state] += count
            counts["labels"][label or NONE] += count if labelled else 0
            counts["made_by"][made_by or NONE] += count if labelled else 0
            counts["reasons"][reason or NONE] += 0 if labelled else count
            simulated += count if of_simulated else 0
            by_model += count if of_model else 0
            if labels and state != "unjudged":
                for name, view_label in labels:
                    views.setdefault(name, Counter())[view_label or NONE] += count
                side_by_side[tuple(view_label or NONE for _, view_label in labels)] += count
        return {
            "scheme": self.scheme,
            "pairs": self.pairs,
            "simulated": simulated,
            "by_model": by_model,
            **{name: _most_frequent(counter) for name, counter in counts.items()},
            "views": {name: _most_frequent(counter) for name, counter in views.items()},
            "side_by_side": [
                {"labels": dict(zip(views, labels, strict=True)), "pairs": count}
                for labels, count in sorted(side_by_side.items(), key=lambda item: (-item[1], item[0]))
            ],
        }


def _most_frequent(counter: Counter[str]) -> dict[str, int]:
    return {name: count for name, count in sorted(counter.items(), key=lambda item: (-item[1], item[0])) if count}
