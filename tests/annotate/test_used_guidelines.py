"""A project lists the guidelines that it uses: of its scheme, its batches, its documents, and those it has written."""

from __future__ import annotations

from sqlalchemy import insert

from otherwords.annotate.batches.batch import BatchItem, insert_batch
from otherwords.annotate.schemes.guidelines import publish_guideline
from otherwords.project import Project
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.records import DocumentPair
from otherwords.web.pages.guidelines import used_guidelines


def used(project: Project) -> list[str]:
    with project.ledger.reading() as connection:
        return used_guidelines(connection, project, "turku")


def test_the_list_grows_with_the_project(project: Project) -> None:
    assert used(project) == ["turku"]
    with project.ledger.writing() as connection:
        insert_batch(connection, "first", [BatchItem("p1")], scheme="likert")
    assert used(project) == ["turku", "likert"]
    with project.ledger.writing() as connection:
        publish_guideline(connection, "binary-loose", "Ours.", None, project.folder)
    assert used(project) == ["turku", "binary-loose", "likert"]
    (project.folder / "schemes").mkdir(exist_ok=True)
    (project.folder / "schemes" / "humour.toml").touch()
    assert used(project) == ["turku", "binary-loose", "humour", "likert"]


def test_kinds_of_work_come_with_their_documents(project: Project) -> None:
    def put(name: str, method: str) -> None:
        row = row_of(DocumentPair(id=name, doc1="a", doc2="b", method=method), step=None, step_key=None)
        with project.ledger.writing() as connection:
            connection.execute(insert(schema.document_pairs).values(**row))

    put("h", "headings")
    assert used(project) == ["turku"]  # there is nothing to extract from headings
    put("n", "news")
    assert used(project) == ["turku", "extract"]
    put("f", "forum")
    assert used(project) == ["turku", "extract", "triage"]
    step = {"name": "posts", "kind": "align-posts", "key": "k", "parameters": {"by": "url"}, "inputs": {}, "version": 1}
    with project.ledger.writing() as connection:
        connection.execute(insert(schema.steps).values(**step, state="done", started="2026-02-04", counts={}))
    assert used(project) == ["turku", "extract", "seed", "triage"]
