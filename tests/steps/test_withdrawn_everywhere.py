"""A withdrawn document's words are found nowhere in the project: ledger, datasets, index, reports, releases."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from sqlalchemy import select

from otherwords.annotate.discussion.threads import add_remark
from otherwords.project import Project, search
from otherwords.project.importing.import_file import import_file
from otherwords.project.ledger import schema
from otherwords.project.pipeline.kind import make_step
from otherwords.project.pipeline.run import run_step
from otherwords.project.withdrawal.withdraw import withdraw
from otherwords.records import Judgement, Pair, Passage
from otherwords.steps.catalogue import STEP_KINDS
from tests.annotate.reading import put

WORD = "quizzaciously"  # of the document that is withdrawn, and of nothing else
OTHER = "blithesome"
SECRET = f"The ferryman laughed {WORD} all morning at the harbour."
TEXTS = (SECRET, f"The ferryman sang {OTHER} songs all morning at the harbour.")


def words_in(project: Project) -> Iterator[tuple[str, str]]:
    """Everything that the project holds, as text, with where it is."""
    with project.ledger.reading() as connection:
        for table in schema.metadata.sorted_tables:
            for row in connection.execute(select(table)).mappings():
                yield table.name, json.dumps(dict(row), default=str, ensure_ascii=False)
    for path in sorted(path for path in project.folder.rglob("*") if path.is_file()):
        yield str(path.relative_to(project.folder)), path.read_bytes().decode("utf-8", "replace")
        if path.suffix == ".parquet":
            yield f"{path.name} unpacked", str(pq.read_table(path).to_pylist())


def places(project: Project, word: str) -> set[str]:
    return {place for place, text in words_in(project) if word in text}


@pytest.fixture
def lived_in(project: Project, tmp_path: Path) -> Project:
    """A project in which the words of two posts have gone wherever words can go."""
    posts = tmp_path / "posts.jsonl"
    rows = [{"text": f"{text} #harbour", "trend": "harbour", "time": "2024-03-01T10:00:00Z"} for text in TEXTS]
    posts.write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_file(project, "posts", posts)
    with project.ledger.reading() as connection:
        documents = connection.execute(select(schema.documents.c.id, schema.documents.c.text)).all()
    names = {OTHER if OTHER in text else WORD: name for name, text in documents}
    for number, word in enumerate((WORD, OTHER)):
        passage = Passage(id=names[word], start=0, end=20)
        meta = {"remark": f"what {word} means"}
        pair = Pair(id=f"p{number}", text1=TEXTS[number], text2=f"He was {word} amused.", group=f"g{number}", meta=meta)
        put(project, Pair(**{field: getattr(pair, field) for field in pair.__struct_fields__} | {"doc1": passage}))
        judgement = Judgement(id=f"j{number}", pair=f"p{number}", annotator="anna", scheme="turku", value="4")
        put(project, Judgement(**{f: getattr(judgement, f) for f in judgement.__struct_fields__} | {"note": word}))
    for number in range(2, 9):
        text1, text2 = f"Lamp {number} is lit.", f"Somebody lit lamp {number}."
        put(project, Pair(id=f"p{number}", text1=text1, text2=text2, group=f"g{number}", licence="CC0-1.0"))
        put(project, Judgement(id=f"j{number}", pair=f"p{number}", annotator="anna", scheme="turku", value="4"))
    with project.ledger.writing() as connection:
        add_remark(connection, "anna", "pair", "p0", f"Is {WORD} a word?", "k1")
    for step in (
        make_step(STEP_KINDS.get("align-posts")),
        make_step(STEP_KINDS.get("report")),
        make_step(
            STEP_KINDS.get("release"),
            licence="CC0-1.0",
            anyway=("source-licences", "one-label", "context", "shared-texts", "names", "leaks"),
        ),
    ):
        run_step(project, step)
    search.update_index(project)
    unfinished = project.tables / "align-posts" / "0123456789abcdef"
    unfinished.mkdir()
    (unfinished / ".part-00000.part").write_text(f"half a shard with {WORD}")
    return project


def test_the_words_of_a_withdrawn_document_are_gone(lived_in: Project) -> None:
    assert len(places(lived_in, WORD)) > 8, "the test is about nothing"
    with lived_in.ledger.reading() as connection:
        documents = connection.execute(select(schema.documents.c.id, schema.documents.c.text)).all()
    (name,) = (row.id for row in documents if WORD in row.text)
    withdraw(lived_in, name)
    assert places(lived_in, WORD) == set()
    assert {"documents", "pairs", "judgements"} <= places(lived_in, OTHER), "the other document stays"


def test_what_was_deleted_is_made_again_without_them(lived_in: Project) -> None:
    with lived_in.ledger.reading() as connection:
        documents = connection.execute(select(schema.documents.c.id, schema.documents.c.text)).all()
    (name,) = (row.id for row in documents if WORD in row.text)
    withdraw(lived_in, name)
    run_step(lived_in, make_step(STEP_KINDS.get("report")))
    search.update_index(lived_in)
    assert (lived_in.folder / "report" / "index.html").is_file()
    assert places(lived_in, WORD) == set()
