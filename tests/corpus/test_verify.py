"""Whatever was changed in a release is named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from otherwords.corpus.release_papers import write_checksums
from otherwords.corpus.verify import verify
from otherwords.errors import DataError
from otherwords.project import Project, create, opened
from tests.corpus.released_corpus import add, fill, released, said


@pytest.fixture
def made(tmp_path: Path) -> Path:
    create(tmp_path / "corpus", "en", "turku")
    with opened(tmp_path / "corpus") as project:
        fill(project)
        return released(project).folder


def problems(made: Path) -> dict[str, list[str]]:
    return {at: found for at, found in verify(made).problems.items() if found}


def test_a_sound_release(made: Path) -> None:
    verified = verify(made)
    assert verified.sound
    assert (verified.version, verified.pairs) == ("1.0", 32)
    assert list(verified.problems) == ["files", "counts", "labels", "configs", "leaks"]


def test_files_that_are_not_as_they_were(made: Path) -> None:
    (made / "LICENSE").write_text("do what you like")
    (made / "tsv" / "dev.tsv").unlink()
    (made / "data" / "more.jsonl").write_text("{}")
    assert problems(made) == {
        "files": ["LICENSE: was changed", "tsv/dev.tsv: is missing", "data/more.jsonl: was added"]
    }


def _replace(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def _label(made: Path) -> None:
    _replace(made / "data" / "pairs.jsonl", '"label":"2"', '"label":"7"')


def _count(made: Path) -> None:
    told = json.loads((made / "release.json").read_text("utf-8"))
    told["counts"]["train"]["4"] += 1
    (made / "release.json").write_text(json.dumps(told))


def _row(made: Path) -> None:
    path = made / "data" / "classification" / "train.parquet"
    table = pq.read_table(path)
    pq.write_table(table.set_column(3, "label", pa.array(["4"] * len(table))), path)


def _short(made: Path) -> None:
    path = made / "data" / "plain" / "train.parquet"
    pq.write_table(pq.read_table(path).slice(1), path)


def _context(made: Path) -> None:
    for path in (made / "data" / "plain-context").iterdir():
        table = pq.read_table(path)
        moved = [None if one is None else one + 1 for one in table["start1"].to_pylist()]
        pq.write_table(
            table.set_column(table.column_names.index("start1"), "start1", pa.array(moved, pa.int64())), path
        )


def _leak(made: Path) -> None:
    lines = (made / "data" / "pairs.jsonl").read_text("utf-8").splitlines()
    one = next(json.loads(line) for line in lines if '"part":"train"' in line)
    copy = one | {"id": "copy", "text1": one["text2"], "text2": one["text1"], "meta": {"part": "test"}}
    (made / "data" / "pairs.jsonl").write_text("\n".join([*lines, json.dumps(copy)]) + "\n", "utf-8")


@pytest.mark.parametrize(
    ("change", "at", "says"),
    [
        (_label, "labels", "label '7' is outside the scheme turku"),
        (_label, "counts", "are not those of the pairs (2: "),
        (_count, "counts", "the counts of train"),
        (_row, "configs", "data/classification/train.parquet: row"),
        (_short, "configs", "data/plain/train.parquet: row 1 is not what"),
        (_context, "configs", "its context has another text"),
        (_leak, "leaks", "mirrored 1"),
    ],
)
def test_content_that_does_not_fit_whatever_the_checksums_say(
    made: Path, change: Callable[[Path], None], at: str, says: str
) -> None:
    change(made)
    write_checksums(made)
    found = problems(made)
    assert "files" not in found
    assert any(says in one for one in found[at]), found


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "data/../../x", "data\\..\\x"])
def test_paths_that_lead_out_of_the_release_are_refused(made: Path, name: str) -> None:
    with (made / "checksums.sha256").open("a") as stream:
        stream.write(f"{'0' * 64}  {name}\n")
    with pytest.raises(DataError, match="leads out of the release"):
        verify(made)


def test_links_are_not_followed(made: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    (made / "LICENSE").unlink()
    (made / "LICENSE").symlink_to(tmp_path / "secret")
    with pytest.raises(DataError, match="by a link"):
        verify(made)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("release.json", "{", "cannot be read"),
        ("release.json", "[]", "is not the description of a release"),
        ("release.json", '{"version": "1.0", "format": 99}', "this version of otherwords knows 1"),
        ("checksums.sha256", "no sums", "expected a SHA-256"),
    ],
)
def test_papers_that_cannot_be_read(made: Path, name: str, content: str, says: str) -> None:
    (made / name).write_text(content)
    with pytest.raises(DataError, match=says):
        verify(made)


def test_no_release_at_all(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="not a release"):
        verify(tmp_path)


def test_pairs_that_are_damaged_or_gone(made: Path) -> None:
    (made / "data" / "pairs.jsonl").write_text('{"id": 3}\n')
    assert "cannot be read" in problems(made)["pairs"][0]
    (made / "data" / "pairs.jsonl").unlink()
    assert "data/pairs.jsonl: is missing" in problems(made)["files"]


def test_every_pair_is_followed_back(project: Project) -> None:
    fill(project)
    done = released(project)
    assert verify(done.folder, project.folder).sound
    add(project, said("p01", "2", "carl", kind="consensus", id="late"))
    found = verify(done.folder, project.folder)
    assert found.problems["project"] == ["pair p01 is labelled '4>'; by now its judgements make it 2"]
    assert verify(done.folder).sound


def test_a_project_that_did_not_make_it(made: Path, tmp_path: Path) -> None:
    create(tmp_path / "other", "en", "turku")
    with opened(tmp_path / "other") as other:
        fill(other, 8)
    verified = verify(made, tmp_path / "other")
    assert verified.problems["project"][0] == "the project knows of no release 1.0"
    assert "pair p00 was not released in 1.0, says the project" in verified.problems["project"]
    assert verified.more["project"] > 0
