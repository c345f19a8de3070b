"""An imported export is the same project, on either database, however often it is imported."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import delete, insert, select, update

from otherwords.errors import WriteError
from otherwords.project import Project, create_project, open_project
from otherwords.project.about import About, AnnotatorFacts, CorpusAuthor, read_about, write_about
from otherwords.project.exchange import row_lines
from otherwords.project.exchange.export_import import export_project, import_export
from otherwords.project.ledger import schema
from otherwords.project.ledger.rows import row_of
from otherwords.project.withdrawal.withdraw import withdraw
from otherwords.records import Document, DocumentPair, Judgement, Pair
from tests.errors import raises
from tests.project.corpus import POSTS_SHARD, SECRET, all_rows, fill

SEQ = ("seq",)


@pytest.fixture
def exported(project: Project, tmp_path: Path) -> Path:
    fill(project)
    export_project(project, tmp_path / "out")
    return tmp_path / "out"


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("other", ["sqlite", "postgresql"])
def test_export_then_import_is_identity(
    project: Project, exported: Path, tmp_path: Path, databases: Callable[[str], str], other: str
) -> None:
    create_project(tmp_path / "copy", "en", "turku", databases(other))
    with open_project(tmp_path / "copy") as copy:
        result = import_export(copy, exported)
        assert result.added == result.read == sum(map(len, all_rows(project).values()))
        assert not result.again
        assert all_rows(copy, without=SEQ) == all_rows(project, without=SEQ)
        export_project(copy, tmp_path / "out2")
    first, second = files(exported), files(tmp_path / "out2")
    manifests = [json.loads(content.pop("MANIFEST.json"))["files"] for content in (first, second)]
    assert first == second
    assert manifests[0] == manifests[1]


def test_the_second_time_adds_nothing(project: Project, exported: Path) -> None:
    before = all_rows(project)
    result = import_export(project, exported)
    assert (result.added, result.known, result.withdrawn, result.skipped) == (0, result.read, 0, {})
    assert result.again
    assert list(result.lines()) == [f"{exported}: was imported before; nothing to add"]
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
    assert POSTS_SHARD in manifest["files"]


def test_what_is_missing_is_added_and_what_differs_is_kept(project: Project, exported: Path) -> None:
    with project.ledger.writing() as connection:
        connection.execute(delete(schema.pairs).where(schema.pairs.c.id == "p3"))
        connection.execute(update(schema.pairs).where(schema.pairs.c.id == "p2").values(text1="A crane waited."))
    (project.folder / POSTS_SHARD).unlink()
    result = import_export(project, exported)
    assert result.added == 1
    assert result.skipped == {"pairs: one of that id, with other content, is here already and was kept": 1}
    assert any("refused: 1 × pairs" in line for line in result.lines())
    texts = {row["id"]: row["text1"] for row in all_rows(project)["pairs"]}
    assert texts == {"p1": SECRET, "p2": "A crane waited.", "p3": "Dough grows."}
    assert (project.folder / POSTS_SHARD).read_bytes() == (exported / POSTS_SHARD).read_bytes()


@pytest.mark.parametrize("name", ["documents.jsonl", "judgements.jsonl", POSTS_SHARD])
def test_a_changed_file_is_refused(project: Project, exported: Path, name: str) -> None:
    before = all_rows(project)
    content = bytearray((exported / name).read_bytes())
    content[10] ^= 1
    (exported / name).write_bytes(content)
    with raises("damaged-file", match=name):
        import_export(project, exported)
    assert all_rows(project) == before


def replace_file(folder: Path, name: str, content: bytes) -> None:
    """Replace a file, also in the manifest."""
    manifest = json.loads((folder / "MANIFEST.json").read_text())
    rows = {"rows": content.count(b"\n")} if name.endswith(".jsonl") else {}
    manifest["files"][name] = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content), **rows}
    (folder / "MANIFEST.json").write_text(json.dumps(manifest))
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("name", "line", "code", "detail"),
    [
        ("pairs.jsonl", b'{"id":"p9","text1":"a"}\n', "bad-row", r"pairs\.jsonl: line 1: .*`text2`"),
        ("pairs.jsonl", b"nonsense\n", "bad-row", "line 1"),
        ("pairs.jsonl", b'{"id":"p9","text1":"a","text2":"\\ud800"}\n', "bad-row", "line 1"),
        ("documents.jsonl", b'{"id":"d","text":"a\\u0000"}\n', "control-character", "line 1"),
        (
            "document_pairs.jsonl",
            b'{"id":"d","doc1":"a","doc2":"b","round":99999999999}\n',
            "bad-row",
            "line 1: cannot be kept",
        ),
        ("steps.jsonl", b'{"name":"s"}\n', "bad-row", "line 1"),
        ("../evil.jsonl", b"{}\n", "foreign-file", "evil"),
        ("tables/../evil.parquet", b"PAR1", "foreign-file", "evil"),
    ],
)
def test_hostile_files_are_refused_by_name_and_line(
    project: Project, exported: Path, name: str, line: bytes, code: str, detail: str
) -> None:
    replace_file(exported, name, line)
    with raises(code, match=detail):
        import_export(project, exported)


def test_folders_that_are_no_export(project: Project, exported: Path, tmp_path: Path) -> None:
    with raises("not-an-export", match="No such file"):
        import_export(project, tmp_path)
    (exported / "releases.jsonl").unlink()
    with raises("file-unreadable", match=r"releases\.jsonl: No such file"):
        import_export(project, exported)
    (exported / "MANIFEST.json").write_text("{}")
    with raises("manifest-unreadable"):
        import_export(project, exported)


def test_a_folder_with_something_in_it_is_left_alone(project: Project, exported: Path) -> None:
    before = files(exported)
    with pytest.raises(WriteError, match="is not an empty folder"):
        export_project(project, exported)
    assert files(exported) == before


def test_an_export_is_of_one_moment(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(project)
    export_project(project, tmp_path / "before")
    original = row_lines.write_lines

    def write_meanwhile(values, stream):  # type: ignore[no-untyped-def]
        original(values, stream)
        with project.ledger.writing() as connection:
            connection.execute(insert(schema.events).values(time="now", action="meanwhile", detail={}))

    monkeypatch.setattr(row_lines, "write_lines", write_meanwhile)
    export_project(project, tmp_path / "after")
    assert files(tmp_path / "after") == files(tmp_path / "before")


def test_an_older_export_does_not_bring_back_what_was_withdrawn(project: Project, exported: Path) -> None:
    withdraw(project, "groups-a")
    withdraw(project, "anna")
    before = all_rows(project)
    result = import_export(project, exported)
    assert result.added == 0
    assert result.withdrawn == 6  # the document, its two pairs, two slots that ask for judgements, and a code
    assert all_rows(project) == before


def test_an_older_export_into_a_project_that_knows_of_the_withdrawal_only(
    project: Project, exported: Path, tmp_path: Path, databases: Callable[[str], str], kind: str
) -> None:
    withdraw(project, "groups-a")
    withdraw(project, "anna")
    create_project(tmp_path / "copy", "en", None, databases(kind))
    stones = [{name: row[name] for name in row if name != "seq"} for row in all_rows(project)["tombstones"]]
    with open_project(tmp_path / "copy") as copy:
        with copy.ledger.writing() as connection:
            connection.execute(insert(schema.tombstones), stones)
        import_export(copy, exported)
        rows = all_rows(copy)
    text = json.dumps(rows).lower()
    assert "heron" not in text
    assert "anna" not in text.replace("annabel", "")
    assert [row["id"] for row in rows["documents"]] == ["groups-b", "groups-c"]
    assert [row["id"] for row in rows["pairs"]] == ["p3"]
    assert {row["pair"] for row in rows["judgements"]} == {"p1", "p3", "dp1"}
    pseudonym = next(row["annotator"] for row in all_rows(project)["judgements"] if row["pair"] == "p1")
    assert {row["annotator"] for row in rows["judgements"]} == {pseudonym, "ben", "annabel"}


def test_a_newer_export_brings_its_withdrawals(
    project: Project, exported: Path, tmp_path: Path, databases: Callable[[str], str], kind: str
) -> None:
    create_project(tmp_path / "copy", "en", None, databases(kind))
    with open_project(tmp_path / "copy") as copy:
        import_export(copy, exported)
        withdraw(project, "groups-a", "a letter")
        withdraw(project, "anna")
        export_project(project, tmp_path / "newer")
        result = import_export(copy, tmp_path / "newer")
        assert result.marked == {"withdrawn where the export was made, and erased here": 4}
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
    from otherwords.project.exchange import export_import as transfer

    create_project(tmp_path / "copy", "en", None, databases(kind))
    monkeypatch.setattr(transfer, "ROWS_A_TRANSACTION", 2)
    shutil.copytree(exported, tmp_path / "half")
    broken = (exported / "judgements.jsonl").read_bytes().splitlines(keepends=True)[:3]
    replace_file(tmp_path / "half", "judgements.jsonl", b"".join([*broken, b"{\n"]))
    with open_project(tmp_path / "copy") as copy:
        with raises("bad-row", match="line 4"):
            import_export(copy, tmp_path / "half")
        assert len(all_rows(copy)["judgements"]) == 2
        import_export(copy, exported)
        assert all_rows(copy, without=SEQ) == all_rows(project, without=SEQ)


def test_order_is_kept(project: Project, tmp_path: Path, databases: Callable[[str], str], kind: str) -> None:
    names = [f"d{number * 7919 % 5003}" for number in range(5000)]
    with project.ledger.writing() as connection:
        rows = [row_of(Document(id=name, text=name), import_id=None) for name in names]
        connection.execute(insert(schema.documents), rows)
    export_project(project, tmp_path / "out")
    create_project(tmp_path / "copy", "en", None, databases(kind))
    with open_project(tmp_path / "copy") as copy:
        import_export(copy, tmp_path / "out")
        with copy.ledger.reading() as connection:
            ids = connection.execute(select(schema.documents.c.id).order_by(schema.documents.c.seq)).scalars().all()
    assert ids == names


def test_what_is_said_about_the_corpus_goes_along(project: Project, tmp_path: Path) -> None:
    about = About(
        title="Harbour talk",
        authors=(CorpusAuthor("Ada Byron", "0000-0002-1825-0097"),),
        annotators=AnnotatorFacts(pay="12 euros an hour"),
    )
    write_about(project.folder, about)
    export_project(project, tmp_path / "out")
    create_project(tmp_path / "copy", "en", "turku")
    with open_project(tmp_path / "copy") as copy:
        result = import_export(copy, tmp_path / "out")
        assert result.marked == {"entries about the corpus, added to the settings": 3}
        assert read_about(copy.folder) == about
        assert import_export(copy, tmp_path / "out").again
        export_project(copy, tmp_path / "out2")
    assert files(tmp_path / "out")["about.json"] == files(tmp_path / "out2")["about.json"]


def test_what_a_project_says_about_itself_is_kept(project: Project, tmp_path: Path) -> None:
    write_about(project.folder, About(title="Harbour talk", funding="Nobody"))
    export_project(project, tmp_path / "out")
    create_project(tmp_path / "copy", "en", "turku")
    write_about(tmp_path / "copy", About(title="Mill talk", citation="Byron 1843"))
    with open_project(tmp_path / "copy") as copy:
        result = import_export(copy, tmp_path / "out")
        assert read_about(copy.folder) == About(title="Mill talk", funding="Nobody", citation="Byron 1843")
    assert result.skipped == {"about the corpus: other entries are here already and were kept": 1}


@pytest.mark.parametrize("content", ["{", '{"titel": "Harbour"}', '{"contact": "ask anybody"}'])
def test_what_is_said_about_the_corpus_is_checked(project: Project, tmp_path: Path, content: str) -> None:
    write_about(project.folder, About(title="Harbour talk"))
    export_project(project, tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / "MANIFEST.json").read_text())
    (tmp_path / "out" / "about.json").write_text(content)
    digest = hashlib.sha256(content.encode()).hexdigest()
    manifest["files"]["about.json"] = {"sha256": digest, "bytes": len(content)}
    (tmp_path / "out" / "MANIFEST.json").write_text(json.dumps(manifest))
    with raises("bad-about", match=r"about\.json"):
        import_export(project, tmp_path / "out")
