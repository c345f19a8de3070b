"""An export that comes back is the same project, on either database, however often it comes."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import delete, insert, select, update

from otherwords.errors import DataError, WriteError
from otherwords.project import Project, create, opened, schema
from otherwords.project.rows import row_of
from otherwords.project.transfer import export, import_export
from otherwords.project.withdraw import withdraw
from otherwords.records import Document, DocumentPair, Judgement, Pair
from tests.project.corpus import POSTS, SECRET, all_rows, fill

SEQ = ("seq",)


@pytest.fixture
def exported(project: Project, tmp_path: Path) -> Path:
    fill(project)
    export(project, tmp_path / "out")
    return tmp_path / "out"


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("other", ["sqlite", "postgresql"])
def test_export_then_import_is_identity(
    project: Project, exported: Path, tmp_path: Path, databases: Callable[[str], str], other: str
) -> None:
    create(tmp_path / "copy", "en", "turku", databases(other))
    with opened(tmp_path / "copy") as copy:
        told = import_export(copy, exported)
        assert told.added == told.read == sum(map(len, all_rows(project).values()))
        assert not told.again
        assert all_rows(copy, without=SEQ) == all_rows(project, without=SEQ)
        export(copy, tmp_path / "out2")
    one, two = files(exported), files(tmp_path / "out2")
    manifests = [json.loads(found.pop("MANIFEST.json"))["files"] for found in (one, two)]
    assert one == two
    assert manifests[0] == manifests[1]


def test_the_second_time_adds_nothing(project: Project, exported: Path) -> None:
    before = all_rows(project)
    told = import_export(project, exported)
    assert (told.added, told.known, told.withdrawn, told.skipped) == (0, told.read, 0, {})
    assert told.again
    assert list(told.lines()) == [f"{exported}: was imported before; nothing to add"]
    assert all_rows(project) == before


def test_the_files_are_those_that_people_exchange(exported: Path) -> None:
    for name, kind in (
        ("documents", Document),
        ("document_pairs", DocumentPair),
        ("pairs", Pair),
        ("judgements", Judgement),
    ):
        for line in (exported / f"{name}.jsonl").read_bytes().splitlines():
            row = json.loads(line)
            for provenance in ("import_id", "step", "step_key"):
                row.pop(provenance, None)
            assert msgspec.convert(row, kind).id == row["id"]
    first = json.loads((exported / "pairs.jsonl").read_text().splitlines()[0])
    assert first["doc1"] == {"id": "groups-a", "start": 0, "end": 54}
    assert first["step"] == "pairing"
    manifest = json.loads((exported / "MANIFEST.json").read_text())
    assert manifest["kind"] == "export"
    assert manifest["files"]["documents.jsonl"]["rows"] == 3
    for name, entry in manifest["files"].items():
        assert hashlib.sha256((exported / name).read_bytes()).hexdigest() == entry["sha256"]
    assert POSTS in manifest["files"]


def test_what_is_missing_is_added_and_what_differs_is_kept(project: Project, exported: Path) -> None:
    with project.ledger.writing() as connection:
        connection.execute(delete(schema.pairs).where(schema.pairs.c.id == "p3"))
        connection.execute(update(schema.pairs).where(schema.pairs.c.id == "p2").values(text1="A crane waited."))
    (project.folder / POSTS).unlink()
    told = import_export(project, exported)
    assert told.added == 1
    assert told.skipped == {"pairs: one of that id, with other content, is here already and was kept": 1}
    assert any("refused: 1 × pairs" in line for line in told.lines())
    found = {row["id"]: row["text1"] for row in all_rows(project)["pairs"]}
    assert found == {"p1": SECRET, "p2": "A crane waited.", "p3": "Dough grows."}
    assert (project.folder / POSTS).read_bytes() == (exported / POSTS).read_bytes()


@pytest.mark.parametrize("name", ["documents.jsonl", "judgements.jsonl", POSTS])
def test_a_changed_file_is_refused(project: Project, exported: Path, name: str) -> None:
    before = all_rows(project)
    content = bytearray((exported / name).read_bytes())
    content[10] ^= 1
    (exported / name).write_bytes(content)
    with pytest.raises(DataError, match="is not what the manifest says"):
        import_export(project, exported)
    assert all_rows(project) == before


def rewritten(folder: Path, name: str, content: bytes) -> None:
    """Put another file in its place and let the manifest vouch for it."""
    manifest = json.loads((folder / "MANIFEST.json").read_text())
    rows = {"rows": content.count(b"\n")} if name.endswith(".jsonl") else {}
    manifest["files"][name] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content), **rows}
    (folder / "MANIFEST.json").write_text(json.dumps(manifest))
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("name", "line", "said"),
    [
        ("pairs.jsonl", b'{"id":"p9","text1":"a"}\n', r"pairs\.jsonl: line 1: .*missing required field `text2`"),
        ("pairs.jsonl", b"nonsense\n", "line 1: cannot be read"),
        ("pairs.jsonl", b'{"id":"p9","text1":"a","text2":"\\ud800"}\n', "line 1: cannot be read"),
        ("documents.jsonl", b'{"id":"d","text":"a\\u0000"}\n', "line 1: a NUL character"),
        ("document_pairs.jsonl", b'{"id":"d","doc1":"a","doc2":"b","round":99999999999}\n', "line 1: cannot be kept"),
        ("steps.jsonl", b'{"name":"s"}\n', "line 1: .*missing required field"),
        ("../evil.jsonl", b"{}\n", "which is no file of an export"),
        ("tables/../evil.parquet", b"PAR1", "which is no file of an export"),
    ],
)
def test_hostile_files_are_refused_by_name_and_line(
    project: Project, exported: Path, name: str, line: bytes, said: str
) -> None:
    rewritten(exported, name, line)
    with pytest.raises(DataError, match=said):
        import_export(project, exported)


def test_folders_that_are_no_export(project: Project, exported: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"not an export: MANIFEST\.json: No such file"):
        import_export(project, tmp_path)
    (exported / "releases.jsonl").unlink()
    with pytest.raises(DataError, match=r"releases\.jsonl: No such file"):
        import_export(project, exported)
    (exported / "MANIFEST.json").write_text("{}")
    with pytest.raises(DataError, match=r"MANIFEST\.json cannot be read"):
        import_export(project, exported)


def test_a_folder_with_something_in_it_is_left_alone(project: Project, exported: Path) -> None:
    before = files(exported)
    with pytest.raises(WriteError, match="is not an empty folder"):
        export(project, exported)
    assert files(exported) == before


def test_an_export_is_of_one_moment(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(project)
    export(project, tmp_path / "before")
    from otherwords.project import transfer

    original = transfer.write_lines

    def meddling(values, stream):  # type: ignore[no-untyped-def]
        original(values, stream)
        with project.ledger.writing() as connection:
            connection.execute(insert(schema.events).values(time="now", action="meanwhile", detail={}))

    monkeypatch.setattr(transfer, "write_lines", meddling)
    export(project, tmp_path / "after")
    assert files(tmp_path / "after") == files(tmp_path / "before")


def test_an_older_export_does_not_bring_back_what_was_withdrawn(project: Project, exported: Path) -> None:
    withdraw(project, "groups-a")
    withdraw(project, "anna")
    before = all_rows(project)
    told = import_export(project, exported)
    assert told.added == 0
    assert told.withdrawn == 5  # the document, its two pairs, and two slots that ask for judgements
    assert all_rows(project) == before


def test_an_older_export_into_a_project_that_knows_of_the_withdrawal_only(
    project: Project, exported: Path, tmp_path: Path, databases: Callable[[str], str], kind: str
) -> None:
    withdraw(project, "groups-a")
    withdraw(project, "anna")
    create(tmp_path / "copy", "en", None, databases(kind))
    stones = [{name: row[name] for name in row if name != "seq"} for row in all_rows(project)["tombstones"]]
    with opened(tmp_path / "copy") as copy:
        with copy.ledger.writing() as connection:
            connection.execute(insert(schema.tombstones), stones)
        import_export(copy, exported)
        found = all_rows(copy)
    told = json.dumps(found).lower()
    assert "heron" not in told
    assert "anna" not in told.replace("annabel", "")
    assert [row["id"] for row in found["documents"]] == ["groups-b", "groups-c"]
    assert [row["id"] for row in found["pairs"]] == ["p3"]
    assert {row["pair"] for row in found["judgements"]} == {"p1", "p3", "dp1"}
    pseudonym = next(row["annotator"] for row in all_rows(project)["judgements"] if row["pair"] == "p1")
    assert {row["annotator"] for row in found["judgements"]} == {pseudonym, "ben", "annabel"}


def test_a_newer_export_brings_its_withdrawals(
    project: Project, exported: Path, tmp_path: Path, databases: Callable[[str], str], kind: str
) -> None:
    create(tmp_path / "copy", "en", None, databases(kind))
    with opened(tmp_path / "copy") as copy:
        import_export(copy, exported)
        withdraw(project, "groups-a", "a letter")
        withdraw(project, "anna")
        export(project, tmp_path / "newer")
        told = import_export(copy, tmp_path / "newer")
        assert told.marked == {"withdrawn where the export was made, and erased here": 4}
        assert all_rows(copy, without=SEQ) == all_rows(project, without=SEQ)
        assert "heron" not in json.dumps(all_rows(copy))


def test_a_killed_import_of_an_export_goes_on(
    project: Project,
    exported: Path,
    tmp_path: Path,
    databases: Callable[[str], str],
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from otherwords.project import transfer

    create(tmp_path / "copy", "en", None, databases(kind))
    monkeypatch.setattr(transfer, "ROWS_A_TRANSACTION", 2)
    shutil.copytree(exported, tmp_path / "half")
    broken = (exported / "judgements.jsonl").read_bytes().splitlines(keepends=True)[:3]
    rewritten(tmp_path / "half", "judgements.jsonl", b"".join([*broken, b"{\n"]))
    with opened(tmp_path / "copy") as copy:
        with pytest.raises(DataError, match="line 4"):
            import_export(copy, tmp_path / "half")
        assert len(all_rows(copy)["judgements"]) == 2
        import_export(copy, exported)
        assert all_rows(copy, without=SEQ) == all_rows(project, without=SEQ)


def test_order_is_kept(project: Project, tmp_path: Path, databases: Callable[[str], str], kind: str) -> None:
    names = [f"d{number * 7919 % 5003}" for number in range(5000)]
    with project.ledger.writing() as connection:
        rows = [row_of(Document(id=name, text=name), import_id=None) for name in names]
        connection.execute(insert(schema.documents), rows)
    export(project, tmp_path / "out")
    create(tmp_path / "copy", "en", None, databases(kind))
    with opened(tmp_path / "copy") as copy:
        import_export(copy, tmp_path / "out")
        with copy.ledger.reading() as connection:
            found = connection.execute(select(schema.documents.c.id).order_by(schema.documents.c.seq)).scalars().all()
    assert found == names
