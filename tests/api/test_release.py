"""Labels, splits, releases and their verification as functions, without the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

import otherwords
from otherwords.corpus.release.checks import NotReleased
from otherwords.project import create_project, open_project
from otherwords.project.ledger import schema
from tests.conftest import EXAMPLES
from tests.corpus.released_corpus import add, fill, judgement, pair


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    create_project(tmp_path / "corpus", "en", "turku")
    with open_project(tmp_path / "corpus") as project:
        fill(project)
    return tmp_path / "corpus"


def test_labels_are_counted_and_written(corpus: Path, tmp_path: Path) -> None:
    result = otherwords.label(corpus, out=tmp_path / "labels.jsonl")
    assert result.scheme == "turku"
    assert sum(result.labels.values()) == result.states["labelled"]
    assert sum(combination.pairs for combination in result.side_by_side) <= result.pairs
    assert result.table.is_dir()
    assert len((tmp_path / "labels.jsonl").read_text(encoding="utf-8").splitlines()) == result.pairs


def test_a_split_of_a_file(tmp_path: Path) -> None:
    result = otherwords.split(EXAMPLES / "pairs.jsonl", by="group", out=tmp_path / "parts", lang="en")
    assert (result.by, result.pairs, result.units) == ("group", 260, 32)
    for size in result.sizes:
        written = (tmp_path / "parts" / f"{size.part}.jsonl").read_text(encoding="utf-8")
        assert len(written.splitlines()) == size.pairs


def test_a_dry_run_a_release_and_its_verification(corpus: Path) -> None:
    planned = otherwords.release(corpus, version="1.0", licence="CC-BY-SA-4.0", dry_run=True)
    assert (planned.release, planned.refused) == (None, False)
    assert not (corpus / "releases" / "1.0").exists()
    released = otherwords.release(corpus, version="1.0", licence="CC-BY-SA-4.0")
    assert released.release is not None
    assert (released.counts, released.release.folder) == (planned.counts, corpus / "releases" / "1.0")
    assert otherwords.verify(released.release.folder, project=corpus).sound


def test_a_refused_release_has_its_checks(corpus: Path) -> None:
    with open_project(corpus) as project:
        add(project, pair(70, text1=pair(0).text2, text2=pair(0).text1, group="g0"), judgement("p70", "4"))
    assert otherwords.release(corpus, version="1.0", licence="CC-BY-SA-4.0", dry_run=True).refused
    with pytest.raises(NotReleased) as caught:
        otherwords.release(corpus, version="1.0", licence="CC-BY-SA-4.0")
    assert [check.name for check in caught.value.checks if check.refuses] == ["duplicates"]
    assert otherwords.release(corpus, version="1.0", licence="CC-BY-SA-4.0", anyway=["duplicates"]).release


def test_a_sheet_with_names_and_without_a_licence(tmp_path: Path) -> None:
    corpus, sheet = tmp_path / "corpus", tmp_path / "sheet.csv"
    create_project(corpus, "en", "turku")
    with open_project(corpus) as project, project.ledger.writing() as connection:
        account = {"role": "annotator", "state": "active", "settings": {}, "created": "2024-01-01"}
        connection.execute(insert(schema.accounts), [{"name": "mirja", **account}, {"name": "teppo", **account}])
    rows = [f"{pair(n).text1},{pair(n).text2},{3 + n % 2},4,3,unsure,harbour {n}\n" for n in range(20)]
    sheet.write_text(f"text1,text2,label,Mirja,Teppo answers,remarks,topic\n{''.join(rows)}", encoding="utf-8")
    otherwords.import_(corpus, "pairs", sheet)
    options: dict[str, Any] = {"version": "1.0", "licence": "CC-BY-4.0", "by": "pair"}
    with pytest.raises(NotReleased) as caught:
        otherwords.release(corpus, **options)
    assert [(check.name, check.count) for check in caught.value.checks if check.refuses] == [("source-licences", 20)]
    [again] = otherwords.import_(corpus, "pairs", sheet, licence="CC0-1.0")
    assert again.relicensed == {"": 20}
    with pytest.raises(NotReleased) as caught:
        otherwords.release(corpus, **options, meta=["topic", "Teppo answers"])
    assert [(check.name, check.count) for check in caught.value.checks if check.refuses] == [("names", 20)]
    released = otherwords.release(corpus, **options, meta=["topic"]).release
    assert released is not None
    assert otherwords.verify(released.folder, project=corpus).sound
    published = b"".join(path.read_bytes() for path in released.folder.rglob("*") if path.is_file())
    assert b"harbour 7" in published
    assert not any(word in published.lower() for word in (b"mirja", b"teppo", b"unsure", b"remarks"))
