"""A pair that stands in another part than the project has released it in is told."""

from __future__ import annotations

from sqlalchemy import update

from otherwords.corpus.verify import verify
from otherwords.project import Project, schema
from tests.corpus.released_corpus import fill, released


def test_another_part_than_the_ledger_has(project: Project) -> None:
    fill(project)
    done = released(project)
    one = schema.released_pairs
    with project.ledger.writing() as connection:
        before = connection.execute(one.select().where(one.c.pair == "p01")).one().part
        connection.execute(update(one).where(one.c.pair == "p01").values(part="elsewhere"))
    problems = verify(done.folder, project.folder).problems["project"]
    assert problems == [f"pair p01 is in {before}; the project has released it in elsewhere"]
