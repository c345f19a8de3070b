"""The first steps follow the ledger, on both databases: each is done when what it asks for is there."""

from __future__ import annotations

from sqlalchemy import insert

from otherwords.annotate.batches.batch import BatchItem, insert_batch
from otherwords.annotate.schemes.guidelines import publish_guideline
from otherwords.project import Project
from otherwords.project.about import About, write_about
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.project.project import now
from otherwords.records import Document, DocumentPair, Judgement, Pair
from otherwords.web.api.home import first_steps, is_complete

ABOUT = {"import_id": None, "step": None, "step_key": None, "state": None}


def done(project: Project) -> dict[str, bool]:
    with project.ledger.reading() as connection:
        return {step.name: step.done for step in first_steps(connection, project, "ada")}


def execute(project: Project, *statements: object) -> None:
    with project.ledger.writing() as connection:
        for statement in statements:
            connection.execute(statement)  # type: ignore[call-overload]


def account(name: str, state: str = "active") -> object:
    fields = {"name": name, "role": "annotator", "state": state, "settings": {}, "created": now()}
    return insert(schema.accounts).values(**fields)


def test_pairs_that_are_judged(project: Project) -> None:
    execute(project, account("ada"))
    steps = ["import", "guideline", "people", "batch", "judge", "about"]
    assert done(project) == dict.fromkeys(steps, False)
    pair = Pair(id="p1", text1="The kettle boils.", text2="The water in the kettle is boiling.")
    execute(project, insert(schema.pairs).values(**row_of(pair, **ABOUT)))
    assert [name for name, is_done in done(project).items() if is_done] == ["import"]
    execute(project, account("zoe", "closed"))
    assert not done(project)["people"]
    execute(project, account("ben"))
    assert done(project)["people"]
    with project.ledger.writing() as connection:
        insert_batch(connection, "first", [BatchItem("p1")], scheme="turku")
    assert done(project)["batch"]
    imported = Judgement(id="j0", pair="p1", annotator="elsewhere", value="4", scheme="turku")
    execute(project, insert(schema.judgements).values(**row_of(imported)))
    assert not done(project)["judge"]  # somebody of the site has not judged anything
    own = Judgement(id="j1", pair="p1", annotator="ben", value="4", scheme="turku")
    with project.ledger.reading() as connection:
        assert not is_complete(first_steps(connection, project, "ada"))
    execute(project, insert(schema.judgements).values(**row_of(own)))
    with project.ledger.reading() as connection:
        assert is_complete(first_steps(connection, project, "ada"))  # without the optional ones
    assert [name for name, is_done in done(project).items() if not is_done] == ["guideline", "about"]
    with project.ledger.writing() as connection:
        publish_guideline(connection, "turku", "Our own.", "ada", project.folder)
    write_about(project.folder, About(title="Kettles"))
    assert all(done(project).values())


def test_documents_are_aligned_first(project: Project) -> None:
    execute(
        project,
        *(insert(schema.documents).values(**row_of(Document(id=name, text="x"), import_id=None)) for name in "ab"),
    )
    assert list(done(project)) == ["import", "align", "guideline", "people", "batch", "judge", "about"]
    assert done(project)["import"]
    assert not done(project)["align"]
    aligned = DocumentPair(id="dp", doc1="a", doc2="b")
    execute(project, insert(schema.document_pairs).values(**row_of(aligned, step=None, step_key=None)))
    assert done(project)["align"]
