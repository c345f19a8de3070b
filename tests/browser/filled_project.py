"""A corpus that people have worked on: judgements, a rewrite, scores and discussions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import insert, update

from otherwords.project import open_project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import Judgement, Pair

ABOUT: dict[str, Any] = {"import_id": None, "step": None, "step_key": None, "state": None}
LABELS = {"p0": "4", "p1": "4>", "p2": "4s", "p3": "3", "p4": "4<i", "p5": "2", "p6": "4", "p7": "1"}


def execute(folder: Path, *statements: Any) -> None:
    """Execute statements in the ledger of a project."""
    with open_project(folder) as project, project.ledger.writing() as connection:
        for statement in statements:
            connection.execute(statement)


def judgement_row(pair: str, value: Any, annotator: str = "anna", **fields: Any) -> Any:
    judgement = Judgement(
        id=f"{pair}-{annotator}", pair=pair, value=value, annotator=annotator, scheme="turku", **fields
    )
    return insert(schema.judgements).values(**row_of(judgement))


def insert_pairs(*pairs: Pair) -> Any:
    return insert(schema.pairs).values([row_of(pair, **ABOUT) for pair in pairs])


def fill_project(folder: Path) -> None:
    """A corpus that people have worked on."""
    pairs_table = schema.pairs
    for number, (pair, label) in enumerate(LABELS.items()):
        scores = {"bleu": 0.1 + number / 12, "chrf": 0.9 - number / 12}
        source = ("news", "subtitles", "forum")[number % 3]
        execute(
            folder,
            judgement_row(pair, label),
            update(pairs_table).where(pairs_table.c.id == pair).values(scores=scores, source=source),
        )
    rewrite = {"rewrite_of": "p1", "method": "rewrite", "lang": "en", "source": "subtitles"}
    better = Pair(
        id="p1-r1", text1="Nobody had told her about dinner.", text2="She had not heard of dinner.", **rewrite
    )
    execute(
        folder,
        judgement_row("p1", "3", "ben", note="Is a meal a dinner?"),
        insert_pairs(better),
        judgement_row("p1-r1", "4", "ben"),
    )
    remarks = [("carl", "p1", "@anna, does “knew nothing” entail that nobody told her?"), ("anna", "p1", "I think so.")]
    remarks += [("ben", "p5", "The second one leaves out the café. @carl, what do we say of that?")]
    row = {"unit": "pair", "action": "say"}
    for number, (author, pair, text) in enumerate(remarks):
        mentions = [name for name in ("anna", "carl") if f"@{name}" in text]
        about = {"id": f"remark-{number}", "item": pair, "author": author, "text": text, "mentions": mentions}
        execute(folder, insert(schema.remarks).values(**row, **about, time=f"2026-03-0{number + 1}T09:30:00+00:00"))
