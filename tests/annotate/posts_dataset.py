"""Groups of posts as a finished step of a project."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
from sqlalchemy import insert

from otherwords.align.posts import SCHEMA
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.pipeline.dataset import write_dataset


def sentence(group: str | None, number: int, rank: int | None, text: str | None = None) -> dict[str, Any]:
    words = text if text is not None else f"Sentence {number} of {group} 👍🏽"
    where = {"group": group, "document": f"{group}-{number}", "start": 2, "end": 2 + len(words), "text": words}
    probability = None if rank is None else 1 / rank
    return where | {"tokens": 6, "kept": rank is not None, "reason": None, "rank": rank, "probability": probability}


def posts_dataset(
    project: Project, groups: dict[str, int], name: str = "posts", by: str = "url", state: str = "done"
) -> Path:
    """A finished step whose dataset has these groups, each with so many kept sentences, the best last."""
    table_rows = [sentence(group, n, size - n) for group, size in groups.items() for n in range(size)]
    table_rows += [sentence(group, 99, None) for group in groups] + [sentence(None, 1, None)]
    table_rows.sort(key=lambda row: (row["group"] is None, list(groups).index(row["group"]) if row["group"] else 0))
    folder = project.tables / name / "0123456789abcdef"
    rows = pa.Table.from_pylist(table_rows, SCHEMA)
    write_dataset(folder, SCHEMA, [rows.slice(start, 7) for start in range(0, len(rows), 7)])
    step = {"name": name, "kind": "align-posts", "key": "k", "parameters": {"by": by}, "inputs": {}, "version": 1}
    step |= {"state": state, "started": "2026-01-01", "counts": {}, "output": str(folder.relative_to(project.folder))}
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.steps).values(**step))
    return folder
