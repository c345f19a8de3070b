"""A pair that is in another part than the project released it in is a problem."""

from __future__ import annotations

from sqlalchemy import update

from otherwords.corpus.verify.verify import verify
from otherwords.project import Project
from otherwords.project.ledger import schema
from tests.corpus.released_corpus import fill, released


def test_another_part_than_the_ledger_has(project: Project) -> None:
    fill(project)
    release = released(project)
    pairs = schema.released_pairs
    with project.ledger.writing() as connection:
        before = connection.execute(pairs.select().where(pairs.c.pair == "p01")).one().part
        connection.execute(update(pairs).where(pairs.c.pair == "p01").values(part="elsewhere"))
    problems = verify(release.folder, project.folder).problems["project"]
    assert problems == [f"pair p01 is in {before}; the project has released it in elsewhere"]
