"""One project with every kind of source, from its files to a release, through a backup and an export, and compared.

The project begins on SQLite, is restored into PostgreSQL, and what that exports is imported into SQLite again. Labels
and what a split keeps together are computed a second time by the oracle.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import otherwords
from otherwords.project import open_project
from otherwords.project.about import About, CorpusAuthor, read_about, write_about
from otherwords.project.exchange.backup import NOT_KEPT
from otherwords.project.pipeline.kind import make_step
from otherwords.project.pipeline.run import run_step
from otherwords.steps.catalogue import STEP_KINDS
from tests.conftest import EXAMPLES
from tests.oracle.exported import read_rows
from tests.oracle.test_labels import labels_of_team
from tests.oracle.test_splits import check_split, with_texts
from tests.oracle.units import by_document
from tests.project.corpus import all_rows

SOURCES = EXAMPLES / "sources"
LICENCE, VERSION, DATE = "CC0-1.0", "1.0", "2024-05-01"
DOCUMENTS: dict[Any, str] = {  # the files of each kind
    "subtitles": "subtitles/Harbour.Street.S01E02.*",
    "news": "news/*.jsonl",
    "forum": "forum/messages.jsonl",
    "groups": "translations/storm-soup/*",
    "posts": "posts/posts.jsonl",
}
METHODS: dict[Any, dict[str, Any]] = {
    "subtitles": {"minutes": 3},
    "news": {},
    "headings": {},
    "forum": {},
    "groups": {},
    "posts": {"by": "url"},
}
TOGETHER, APART = "The ferry was late again. Nobody minded.", "Nobody complained. Once more the boat came late."
RELEASED = {  # a corpus that others released, with the documents that its pairs are from
    "test.json": [
        {"txt1": TOGETHER[:25], "txt2": APART[19:], "label": "4", "rewrites": [], "fold": 0, "goeswith": None}
        | {"context": {"doc1": "a" * 40, "beg1": 0, "end1": 25, "doc2": "b" * 40, "beg2": 19, "end2": len(APART)}}
    ],
    "texts.json": {"a" * 40: TOGETHER, "b" * 40: APART},
}
ABOUT = About(title="Everything", authors=(CorpusAuthor("Byron, Ada"),))
BITEXT = "en\tfi\nThe boat is red.\tVene on punainen.\nThe sea is calm.\tMeri on tyyni.\n"
IMPORTED = 24  # pairs of the example corpus, with the judgements of them that were made elsewhere
SECRET = {"accounts", "tokens"}  # in a backup, not in an export
Rows = dict[str, list[dict[str, Any]]]


def import_everything(folder: Path, place: Path) -> None:
    """Documents of every kind, sentences with translations, and pairs with their labels."""
    for kind, pattern in DOCUMENTS.items():
        for path in sorted(SOURCES.glob(pattern)):
            copy = place / kind / path.relative_to(SOURCES / Path(pattern).parts[0])
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, copy)
        path = copy if kind in ("forum", "posts") else place / kind
        (result,) = otherwords.import_(folder, kind, path, licence=LICENCE)
        assert result.added
    (place / "boats.tsv").write_text(BITEXT, encoding="utf-8")
    otherwords.import_(folder, "bitext", place / "boats.tsv", licence=LICENCE)
    lines = (EXAMPLES / "pairs.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)[:IMPORTED]
    (place / "pairs.jsonl").write_text("".join(lines), encoding="utf-8")
    otherwords.import_(folder, "pairs", place / "pairs.jsonl", licence=LICENCE)
    for name, content in RELEASED.items():
        (place / name).write_text(json.dumps(content), encoding="utf-8")
    imported = otherwords.import_(folder, "corpus", place / "test.json", licence=LICENCE)
    assert [(result.noun, result.added) for result in imported] == [("documents", 2), ("pairs", 1)]
    for method, settings in METHODS.items():
        aligned = otherwords.align(folder, method, settings=settings)
        assert aligned.run is not None
        assert aligned.run.result is not None
        assert aligned.run.result.rows_out, method


def let_people_work(folder: Path, place: Path) -> None:
    """Triage, extraction, judgements alone, together and of groups, decisions; and judgements made elsewhere."""
    otherwords.simulate(folder, people=3, seed=1, tasks=["triage", "extract"])
    otherwords.batch.new(folder, "headings", where={"method": "headings"})
    otherwords.batch.new(folder, "topics", scheme="topic")
    otherwords.batch.new(folder, "translations", where={"source": "bitext"}, scheme="binary-strict")
    otherwords.simulate(folder, people=3, seed=2, tasks=["judge"])
    double = {"times": 2, "purpose": "agreement", "not_own": True}
    otherwords.batch.new(folder, "double", sample=20, where={"method": "extract"}, **double)  # type: ignore[arg-type]
    result = otherwords.simulate(folder, people=3, accuracy=0.7, seed=3)
    assert result.left == {"triage": 0, "extract": 0, "seed": 0, "judge": 0, "adjudicate": 0}
    assert result.done["adjudicate"] > 2
    with open_project(folder) as project:  # where the two agree and the first does not, theirs is the label
        run_step(project, make_step(STEP_KINDS.get("keep-agreed"), batches=["double"]))
    pairs = {row["id"] for row in read_rows(place / "pairs.jsonl")}
    made_elsewhere = read_rows(EXAMPLES / "judgements" / "turku.jsonl")
    decided = pairs & {row["pair"] for row in made_elsewhere if row.get("kind") == "consensus"}
    rows = [row for row in made_elsewhere if row["pair"] in decided]
    (place / "judgements.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (imported,) = otherwords.import_(folder, "judgements", place / "judgements.jsonl")
    assert imported.added == len(rows) > 10


def labels_and_parts(folder: Path, out: Path) -> dict[str, tuple[str | None, str | None]]:
    """The label and the part of every pair, with the split checked by the oracle."""
    result = otherwords.split(folder, by="document", components=True, simulated=True, out=out)
    rows = read_rows(out)
    check_split(result, rows, with_texts(by_document))
    return {row["id"]: (row.get("label"), row["meta"].get("part")) for row in rows}


def rows_of(folder: Path, without: set[str]) -> Rows:
    with open_project(folder) as project:
        tables = all_rows(project, without=("seq",))
    names = {table.name for table in NOT_KEPT} | without
    return {name: rows for name, rows in tables.items() if name not in names}


def files_in(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def release(folder: Path) -> Path:
    options = {"version": VERSION, "licence": "CC-BY-4.0", "date": DATE, "simulated": True}
    otherwords.release(folder, **options, anyway=["duplicates"])  # type: ignore[arg-type]
    return folder / "releases" / VERSION


def test_from_files_to_a_release_and_back(tmp_path: Path, databases: Callable[[str], str]) -> None:
    first, restored, copy = (tmp_path / name / "corpus" for name in ("first", "restored", "copy"))
    otherwords.new(first, lang="en", scheme="turku")
    write_about(first, ABOUT)
    import_everything(first, tmp_path / "sources")
    let_people_work(first, tmp_path / "sources")
    labels = otherwords.label(first, simulated=True)
    placed = labels_and_parts(first, tmp_path / "first.jsonl")
    assert {part for _, part in placed.values()} == {"train", "dev", "test"}
    assert otherwords.report(first, first / "report", simulated=True).page.is_file()
    released = release(first)
    check_release(released, first)

    otherwords.backup(first, tmp_path / "backup.tar.gz")
    counts = otherwords.restore(tmp_path / "backup.tar.gz", restored, ledger=databases("postgresql"))
    assert rows_of(restored, set()) == rows_of(first, set())
    assert counts["judgements"] == len(rows_of(first, set())["judgements"])

    otherwords.export(restored, tmp_path / "export")
    otherwords.new(copy, lang="en")  # its scheme comes with the export
    (imported,) = otherwords.import_(copy, "export", tmp_path / "export")
    assert (imported.added, imported.skipped) == (imported.read, {})
    assert rows_of(copy, SECRET) == rows_of(first, SECRET)
    otherwords.export(copy, tmp_path / "again")
    assert dict(files_in(tmp_path / "again")) == dict(files_in(tmp_path / "export"))

    expected = {pair: label for pair, label in labels_of_team(tmp_path / "again").items() if label is not None}
    assert {pair: label for pair, (label, _) in placed.items() if label is not None} == expected
    for folder in (restored, copy):
        assert read_about(folder) == ABOUT
        assert otherwords.label(folder, simulated=True).labels == labels.labels
        assert labels_and_parts(folder, folder.parent / "placed.jsonl") == placed
        check_release(released, folder)
        shutil.rmtree(folder / "releases", ignore_errors=True)


def check_release(released: Path, project: Path) -> None:
    """A release is intact, and every pair of it can be followed back to its judgements."""
    found = otherwords.verify(released, project=project)
    assert found.sound, found.problems
