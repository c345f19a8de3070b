"""Sentences: one document each, from lines and tables, with their provenance."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from otherwords.sources.documents.sentences import EMPTY_LINE
from tests.errors import raises
from tests.sources.documents.reading_documents import documents, read

FERRY, QUAY = "The ferry leaves at six.", "Nets dry on the quay."


def test_a_line_is_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "pool.txt"
    file.write_text(f"{FERRY}\n\n  {QUAY}\t\n")
    found, log = read("sentences", file, lang="en")
    assert [document.text for document in found] == [FERRY, QUAY]
    assert [document.meta["line"] for document in found] == [1, 3]
    assert log.marked == {EMPTY_LINE: 1}
    assert {document.source for document in found} == {"sentences"}


def test_the_same_sentence_has_the_same_id_wherever_it_stands(tmp_path: Path) -> None:
    lines, rows = tmp_path / "pool.txt", tmp_path / "pool.jsonl"
    lines.write_text(f"{FERRY}\n{FERRY}\n")
    rows.write_text(json.dumps({"text": f"{FERRY} ", "id": "s7"}) + "\n")
    ids = {document.id for file in (lines, rows) for document in documents("sentences", file, lang="en")}
    assert len(ids) == 1
    assert documents("sentences", lines, lang="en", source="other")[0].id not in ids


@pytest.mark.parametrize("suffix", ["jsonl", "jsonl.gz", "csv", "tsv", "parquet"])
def test_tables_give_the_same_documents(tmp_path: Path, suffix: str) -> None:
    rows = [
        {"text": FERRY, "lang": "en", "topic": "ships", "url": "harbour/1", "licence": "CC0-1.0"},
        {"text": QUAY, "lang": "en", "topic": "ships", "url": "harbour/2", "licence": "CC0-1.0"},
    ]
    file = tmp_path / f"pool.{suffix}"
    if suffix.startswith("jsonl"):
        text = "".join(json.dumps(row) + "\n" for row in rows).encode()
        file.write_bytes(gzip.compress(text) if suffix.endswith("gz") else text)
    elif suffix == "parquet":
        pq.write_table(pa.Table.from_pylist(rows), file)
    else:
        mark = "," if suffix == "csv" else "\t"
        file.write_text("\n".join(mark.join(cells) for cells in [list(rows[0]), *(list(row.values()) for row in rows)]))
    found = documents("sentences", file)
    assert [(document.text, document.lang, document.group, document.licence) for document in found] == [
        (FERRY, "en", "ships", "CC0-1.0"),
        (QUAY, "en", "ships", "CC0-1.0"),
    ]
    assert [document.meta["document"] for document in found] == ["harbour/1", "harbour/2"]


def test_running_text_is_split_on_request(tmp_path: Path) -> None:
    file = tmp_path / "story.jsonl"
    file.write_text(json.dumps({"text": f"{FERRY} {QUAY}"}) + "\n")
    assert [document.text for document in documents("sentences", file, lang="en")] == [f"{FERRY} {QUAY}"]
    split = documents("sentences", file, lang="en", split=True)
    assert [(document.text, document.meta["sentence"]) for document in split] == [(FERRY, "1"), (QUAY, "2")]


def test_a_row_without_text_is_refused_with_the_columns_it_has(tmp_path: Path) -> None:
    file = tmp_path / "pool.jsonl"
    file.write_text(json.dumps({"phrase": FERRY, "lang": "en"}) + "\n" + json.dumps({"text": QUAY}) + "\n")
    found, log = read("sentences", file)
    assert [document.text for document in found] == [QUAY]
    assert log.skipped.total() == 1
    named = documents("sentences", file, columns={"text": "phrase"})
    assert [document.text for document in named] == [FERRY]


def test_a_damaged_parquet_file_is_an_error_with_its_name(tmp_path: Path) -> None:
    file = tmp_path / "pool.parquet"
    file.write_bytes(b"PAR1 and nothing else")
    with raises("damaged-file"):
        documents("sentences", file)
