"""What the crash tests run and kill: an import and a recipe with a step of its own, in a process of its own."""

from __future__ import annotations

import json
import random
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyarrow as pa
from sqlalchemy import delete, insert, select

from otherwords.project import Project, opened, schema
from otherwords.project.importing import import_file
from otherwords.project.pairing import write_table
from otherwords.project.recipe import Step
from otherwords.project.rows import row_of
from otherwords.project.run import run_recipe
from otherwords.project.work import WORKS, Result, Running, Work
from otherwords.records import DocumentPair, Pair, Passage

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


def _inputs(project: Project, parameters: dict[str, Any]) -> dict[str, Any]:
    with project.ledger.reading() as connection:
        names = connection.execute(select(schema.documents.c.id).order_by(schema.documents.c.id)).scalars().all()
    return {"documents": names[:: len(names) // 10 or 1], "rows": len(names)}


def _run(running: Running) -> Result:
    """Pair every text with the next; a table of all pairs, and the pairs of each second one in the ledger."""
    with running.project.ledger.reading() as connection:
        found = connection.execute(
            select(schema.documents.c.id, schema.documents.c.text).order_by(schema.documents.c.id)
        )
        texts = found.all()
    both = list(zip(texts[::2], texts[1::2], strict=False))
    write_table(running, pa.table({"doc1": [one.id for one, _ in both], "doc2": [two.id for _, two in both]}))

    def record(connection: Any) -> None:
        made = {"step": running.step, "step_key": running.key}
        for table in (schema.document_pairs, schema.pairs):
            connection.execute(delete(table).where(table.c.step == running.step))
        aligned = [DocumentPair(id=f"{one.id}+{two.id}", doc1=one.id, doc2=two.id, method="crash") for one, two in both]
        connection.execute(insert(schema.document_pairs), [row_of(pair, **made) for pair in aligned])
        pairs = [
            Pair(
                id=f"{running.step}-{number}",
                text1=one.text,
                text2=two.text,
                doc1=Passage(id=one.id, start=0, end=len(one.text)),
                doc2=Passage(id=two.id, start=0, end=len(two.text)),
            )
            for number, (one, two) in enumerate(both)
        ]
        connection.execute(insert(schema.pairs), [row_of(pair, import_id=None, **made) for pair in pairs])

    return Result(rows_in=len(texts), rows_out=len(both), table=running.table, record=record)


WORK = Work(name=NEIGHBOURS, version=1, parameters={"most": 10}, inputs=_inputs, run=_run)


def known() -> AbstractContextManager[Any]:
    """Within it, the step is one that recipes may name."""
    return patch.dict(WORKS._builtin, {NEIGHBOURS: f"{__name__}:WORK"})


def work(project: str, paths: list[str]) -> None:
    """Import all files and run all steps: what is killed, begun again, and at last finished."""
    with known(), opened(project) as corpus, corpus.holding(wait=True):
        for path in paths[:-1]:
            import_file(corpus, "groups", path)
        import_step = WORKS.get("import").checked({"kind": "groups", "paths": [paths[-1]]})
        steps = [Step("last-file", "import", import_step), Step("neighbours", NEIGHBOURS, WORK.checked({}))]
        run_recipe(corpus, steps)


def outcome(project: str | Path) -> dict[str, Any]:
    """The ledger and the tables as they are in the end, without what differs from run to run: times and attempts."""
    told: dict[str, Any] = {}
    with opened(project) as corpus:
        with corpus.ledger.reading() as connection:
            for table in (schema.documents, schema.document_pairs, schema.pairs):
                rows = connection.execute(select(table).order_by(table.c.seq)).mappings()
                told[table.name] = [{name: row[name] for name in row if name != "seq"} for row in rows]
            one = schema.imports
            told["imports"] = [
                (row["id"], row["state"], row["counts"]["read"], row["counts"]["added"] + row["counts"]["known"])
                for row in connection.execute(select(one).order_by(one.c.path)).mappings()
            ]
            step = schema.steps
            done = select(step).where(step.c.state == "done").order_by(step.c.seq)
            told["steps"] = [
                {name: row[name] for name in ("name", "does", "key", "inputs", "parameters", "rows_in", "table")}
                for row in connection.execute(done).mappings()
            ]
        files = sorted(path for path in corpus.tables.rglob("*") if path.is_file() and not path.name.startswith("."))
        told["tables"] = {str(path.relative_to(corpus.folder)): path.read_bytes() for path in files}
    return told
