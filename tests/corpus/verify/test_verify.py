"""Whatever was changed in a release is reported."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from otherwords.corpus.release import context
from otherwords.corpus.release.metadata_files import write_checksums
from otherwords.corpus.verify.verify import verify
from otherwords.project import Project, create_project, open_project
from otherwords.records import Passage
from tests.corpus.released_corpus import TEXT, add, fill, judgement, pair, released, rows
from tests.errors import raises


@pytest.fixture
def release_folder(tmp_path: Path) -> Path:
    create_project(tmp_path / "corpus", "en", "turku")
    with open_project(tmp_path / "corpus") as project:
        fill(project)
        return released(project).folder


def problems(release_folder: Path) -> dict[str, list[str]]:
    return {name: found for name, found in verify(release_folder).problems.items() if found}


def test_a_sound_release(release_folder: Path) -> None:
    result = verify(release_folder)
    assert result.sound
    assert (result.version, result.pairs) == ("1.0", 32)
    assert list(result.problems) == ["files", "counts", "labels", "configs", "leaks"]


def test_files_that_are_not_as_they_were(release_folder: Path) -> None:
    (release_folder / "LICENSE").write_text("do what you like")
    (release_folder / "tsv" / "dev.tsv").unlink()
    (release_folder / "data" / "more.jsonl").write_text("{}")
    assert problems(release_folder) == {
        "files": ["LICENSE: was changed", "tsv/dev.tsv: is missing", "data/more.jsonl: was added"]
    }


def _replace(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def _label(release_folder: Path) -> None:
    _replace(release_folder / "data" / "pairs.jsonl", '"label":"2"', '"label":"7"')


def _count(release_folder: Path) -> None:
    facts = json.loads((release_folder / "release.json").read_text("utf-8"))
    facts["counts"]["train"]["4"] += 1
    (release_folder / "release.json").write_text(json.dumps(facts))


def _row(release_folder: Path) -> None:
    path = release_folder / "data" / "classification" / "train.parquet"
    table = pq.read_table(path)
    pq.write_table(table.set_column(3, "label", pa.array(["4"] * len(table))), path)


def _short(release_folder: Path) -> None:
    path = release_folder / "data" / "plain" / "train.parquet"
    pq.write_table(pq.read_table(path).slice(1), path)


def _context(release_folder: Path) -> None:
    for path in (release_folder / "data" / "plain-context").iterdir():
        table = pq.read_table(path)
        moved = [None if start is None else start + 1 for start in table["start1"].to_pylist()]
        pq.write_table(
            table.set_column(table.column_names.index("start1"), "start1", pa.array(moved, pa.int64())), path
        )


def _leak(release_folder: Path) -> None:
    lines = (release_folder / "data" / "pairs.jsonl").read_text("utf-8").splitlines()
    original = next(json.loads(line) for line in lines if '"part":"train"' in line)
    copy = original | {"id": "copy", "text1": original["text2"], "text2": original["text1"], "meta": {"part": "test"}}
    (release_folder / "data" / "pairs.jsonl").write_text("\n".join([*lines, json.dumps(copy)]) + "\n", "utf-8")


@pytest.mark.parametrize(
    ("change", "name", "problem"),
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
def test_changed_content_with_right_checksums(
    release_folder: Path, change: Callable[[Path], None], name: str, problem: str
) -> None:
    change(release_folder)
    write_checksums(release_folder)
    found = problems(release_folder)
    assert "files" not in found
    assert any(problem in text for text in found[name]), found


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "data/../../x", "data\\..\\x"])
def test_paths_that_lead_out_of_the_release_are_refused(release_folder: Path, name: str) -> None:
    with (release_folder / "checksums.sha256").open("a") as stream:
        stream.write(f"{'0' * 64}  {name}\n")
    with raises("path-outside", match="line "):
        verify(release_folder)


def test_links_are_not_followed(release_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    (release_folder / "LICENSE").unlink()
    (release_folder / "LICENSE").symlink_to(tmp_path / "secret")
    with raises("path-outside", match="LICENSE"):
        verify(release_folder)


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("release.json", "{", "file-unreadable"),
        ("release.json", "[]", "not-a-release"),
        ("release.json", '{"version": "1.0", "format": 99}', "unknown-format"),
        ("checksums.sha256", "no sums", "not-checksums"),
    ],
)
def test_damaged_metadata(release_folder: Path, name: str, content: str, code: str) -> None:
    (release_folder / name).write_text(content)
    with raises(code, match=name):
        verify(release_folder)


def test_no_release_at_all(tmp_path: Path) -> None:
    with raises("not-a-release"):
        verify(tmp_path)


def test_pairs_that_are_damaged_or_gone(release_folder: Path) -> None:
    (release_folder / "data" / "pairs.jsonl").write_text('{"id": 3}\n')
    assert "cannot be read" in problems(release_folder)["pairs"][0]
    (release_folder / "data" / "pairs.jsonl").unlink()
    assert "data/pairs.jsonl: is missing" in problems(release_folder)["files"]


def test_every_pair_is_traced_back(project: Project) -> None:
    fill(project)
    release = released(project)
    assert verify(release.folder, project.folder).sound
    add(project, judgement("p01", "2", "carl", kind="consensus", id="late"))
    result = verify(release.folder, project.folder)
    assert result.problems["project"] == ["pair p01 is labelled '4>'; by now its judgements make it 2"]
    assert verify(release.folder).sound


def test_a_project_that_did_not_make_it(release_folder: Path, tmp_path: Path) -> None:
    create_project(tmp_path / "other", "en", "turku")
    with open_project(tmp_path / "other") as other:
        fill(other, 8)
    result = verify(release_folder, tmp_path / "other")
    assert result.problems["project"][0] == "the project has no release 1.0"
    assert "pair p00 was not released in 1.0, according to the project" in result.problems["project"]
    assert result.more["project"] > 0


def test_a_heading_is_no_passage_of_its_article_and_the_release_passes(project: Project) -> None:
    fill(project)
    spans = {"doc1": Passage(id="open"), "doc2": Passage(id="open")}
    add(project, pair(80, text1="Tide turns", text2="Low tide at night", group="g0", **spans), judgement("p80", "4"))
    release = released(project)
    [line] = [line for line in (release.folder / "data" / "pairs.jsonl").read_bytes().splitlines() if b"p80" in line]
    assert msgspec.json.decode(line)["doc1"] == {"id": "open"}
    table = pq.read_table(release.folder / "data" / "plain-context").to_pylist()
    [row] = [row for row in table if row["id"] == "p80"]
    assert (row["context1"], row["start1"], row["end1"]) == (TEXT, None, None)
    assert verify(release.folder, project.folder).sound


def test_a_release_that_verify_rejects_is_not_made(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(project)
    monkeypatch.setattr(context, "is_passage", lambda *place: True)
    add(project, pair(80, doc1=Passage(id="open", start=0, end=0)), judgement("p80", "4"))
    with raises("release-not-sound", match="row .* has another text at 0–0"):
        released(project, anyway=("context",))
    assert rows(project, "releases") == rows(project, "released_pairs") == []
    assert not list((project.folder / "releases").iterdir())
