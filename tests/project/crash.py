"""What the crash tests run and kill: an import and a recipe with a step of its own, in a process of its own."""

from __future__ import annotations

import json
import random
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pyarrow as pa
from sqlalchemy import delete, insert, select

from otherwords.project import Project, open_project
from otherwords.project.importing.import_file import import_file
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.project.pipeline.kind import StepContext, StepFacts, StepKind, StepResult, make_step
from otherwords.project.pipeline.parameters import Count, Parameters
from otherwords.project.pipeline.run import run_recipe
from otherwords.records import DocumentPair, Pair, Passage
from otherwords.steps.catalogue import STEP_KINDS

WORDS = [
    "river",
    "stone",
    "bread",
    "window",
    "letter",
    "ferry",
    "winter",
    "garden",
    "candle",
    "market",
    "bridge",
    "copper",
    "orchard",
    "violin",
    "harbour",
]
FILES, TEXTS = 3, 700  # a file takes several transactions
NEIGHBOURS = "pair-neighbours"


def write_corpus(folder: Path) -> list[Path]:
    """Files of groups of texts, the same on every machine."""
    chance = random.Random(20)
    paths = []
    for number in range(FILES):
        rows = [
            {"group": f"g{row // 4}", "text": " ".join(chance.choices(WORDS, k=chance.randint(4, 40)))}
            for row in range(TEXTS)
        ]
        paths.append(folder / f"texts{number}.jsonl")
        paths[-1].write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return paths


class Neighbours(Parameters, frozen=True, kw_only=True):
    most: Count = 10


def _facts(project: Project, parameters: Neighbours) -> StepFacts:
    with project.ledger.reading() as connection:
        names = connection.execute(select(schema.documents.c.id).order_by(schema.documents.c.id)).scalars().all()
    return StepFacts(len(names), {"documents": names[:: len(names) // 10 or 1]})


def _run(context: StepContext[Neighbours]) -> StepResult:
    """Pair each text with the next, in a dataset and in the ledger."""
    with context.project.ledger.reading() as connection:
        documents = schema.documents
        texts = connection.execute(select(documents.c.id, documents.c.text).order_by(documents.c.id)).all()
    neighbours = list(zip(texts[::2], texts[1::2], strict=False))
    table = pa.table({"doc1": [left.id for left, _ in neighbours], "doc2": [right.id for _, right in neighbours]})
    output = context.write(table.schema, [table])

    def record(connection: Any) -> None:
        provenance = {"step": context.name, "step_key": context.key}
        for table in (schema.document_pairs, schema.pairs):
            connection.execute(delete(table).where(table.c.step == context.name))
        aligned = [
            DocumentPair(id=f"{left.id}+{right.id}", doc1=left.id, doc2=right.id, method="crash")
            for left, right in neighbours
        ]
        connection.execute(insert(schema.document_pairs), [row_of(pair, **provenance) for pair in aligned])
        pairs = [
            Pair(
                id=f"{context.name}-{number}",
                text1=left.text,
                text2=right.text,
                doc1=Passage(id=left.id, start=0, end=len(left.text)),
                doc2=Passage(id=right.id, start=0, end=len(right.text)),
            )
            for number, (left, right) in enumerate(neighbours)
        ]
        connection.execute(insert(schema.pairs), [row_of(pair, import_id=None, **provenance) for pair in pairs])

    return StepResult(rows_in=len(texts), rows_out=len(neighbours), output=output, record=record)


KIND = StepKind(name=NEIGHBOURS, version=1, parameters=Neighbours, facts=_facts, run=_run)


def known() -> AbstractContextManager[Any]:
    """Let recipes name the step for the length of the block."""
    return STEP_KINDS.register(NEIGHBOURS, KIND)


def work(project: str, paths: list[str]) -> None:
    """Import all files and run all steps: the work that is killed, begun again, and finished at last."""
    with known(), open_project(project) as corpus, corpus.holding(wait=True):
        for path in paths[:-1]:
            import_file(corpus, "groups", path)
        last_file = make_step(STEP_KINDS.get("import"), "last-file", kind="groups", paths=[paths[-1]])
        run_recipe(corpus, [last_file, make_step(KIND, "neighbours")])


def outcome(project: str | Path) -> dict[str, Any]:
    """The ledger and the tables as they are in the end, without what differs from run to run: times and attempts."""
    state: dict[str, Any] = {}
    with open_project(project) as corpus:
        with corpus.ledger.reading() as connection:
            for table in (schema.documents, schema.document_pairs, schema.pairs):
                rows = connection.execute(select(table).order_by(table.c.seq)).mappings()
                state[table.name] = [{name: row[name] for name in row if name != "seq"} for row in rows]
            imports, steps = schema.imports, schema.steps
            state["imports"] = [
                (row["id"], row["state"], row["counts"]["read"], row["counts"]["added"] + row["counts"]["known"])
                for row in connection.execute(select(imports).order_by(imports.c.path)).mappings()
            ]
            done = select(steps).where(steps.c.state == "done").order_by(steps.c.seq)
            state["steps"] = [
                {name: row[name] for name in ("name", "kind", "key", "inputs", "parameters", "rows_in", "output")}
                for row in connection.execute(done).mappings()
            ]
        files = sorted(path for path in corpus.tables.rglob("*") if path.is_file() and path.suffix == ".parquet")
        state["tables"] = {str(path.relative_to(corpus.folder)): path.read_bytes() for path in files}
    return state
