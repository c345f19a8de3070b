"""``CHANGES.md`` says what came, went, moved and was labelled anew, and is the same when a release is made again."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import update

from otherwords.annotate.browse.public import latest_release
from otherwords.corpus.release.changes import (
    CHANGES,
    IDS_SHOWN,
    ReleaseChanges,
    changes_page,
    compare_versions,
    earlier_releases,
)
from otherwords.project import Project
from otherwords.project.ledger import schema
from tests.corpus.released_corpus import add, files_in, fill, judgement, pair, released


def changes_in(folder: Path) -> str:
    return (folder / CHANGES).read_text("utf-8")


def test_the_first_version(project: Project) -> None:
    fill(project)
    assert changes_in(released(project).folder) == "# Changes in 1.0\n\nThis is the first version. It has 32 pairs.\n"


def test_what_came_and_what_has_another_label(project: Project) -> None:
    fill(project)
    released(project)
    add(project, *(pair(number, group="g3") for number in (50, 51)), judgement("p50", "4"), judgement("p51", "2"))
    add(project, judgement("p00", "3", kind="consensus", id="p00:consensus"))
    second = released(project, version="1.1", date="2024-06-01").folder
    page = changes_in(second)
    assert "Since 1.0 (2024-05-01), 2 pairs came, 0 went, 0 moved to another part and 1 have another label." in page
    assert "## Another label\n\n- `p00`: 4 → 3\n" in page
    assert "## Went" not in page
    before = files_in(second)
    assert released(project, version="1.1", date="2024-06-01").again
    assert files_in(second) == before
    with project.ledger.reading() as connection:
        assert compare_versions(connection, "1.0", []).since is None  # later versions are not before it


def test_versions_are_in_the_order_in_which_they_were_made_after_the_clock_was_set_back(project: Project) -> None:
    fill(project)
    for version in ("2.0", "1.5", "1.4"):  # the last ones have smaller numbers too
        released(project, version=version)
        if version == "2.0":
            ahead = update(schema.releases).values(time="2999-01-01T00:00:00.000+00:00")
            with project.ledger.writing() as connection:
                connection.execute(ahead)
    with project.ledger.reading() as connection:
        newest = latest_release(connection)
        assert newest is not None
        assert newest.version == "1.4"
        assert [earlier.version for earlier in earlier_releases(connection, "1.4")] == ["2.0", "1.5"]


def test_what_went_and_moved(project: Project) -> None:
    fill(project)
    released(project)
    rows = schema.released_pairs
    with project.ledger.writing() as connection:
        connection.execute(update(rows).where(rows.c.pair == "p02").values(part="elsewhere"))
    with project.ledger.reading() as connection:
        places = [(row.pair, row.part, row.label) for row in connection.execute(rows.select())]
        now = [(id, "train" if part == "elsewhere" else part, label) for id, part, label in places if id != "p03"]
        changes = compare_versions(connection, "1.1", [*now, ("new", "test", "4")])
    assert changes.moved == {"p02": ("elsewhere", "train")}
    assert list(changes.went) == ["p03"]
    assert changes.came == {"test": 1}
    page = changes_page(changes)
    assert "| elsewhere | 1 | 0 | 0 | 0 | 1 | 0 |" in page
    assert "- `p02`: elsewhere → train" in page


def test_long_lists_are_cut(project: Project) -> None:
    fill(project)
    released(project)
    with project.ledger.reading() as connection:
        since = compare_versions(connection, "1.1", []).since
    changes = ReleaseChanges("1.1", since, went={f"p{number:03}": "train" for number in range(IDS_SHOWN + 3)})
    assert changes_page(changes).endswith("- and 3 more\n")
