"""Tables with headers that anyone might use: a released corpus only if the labels are its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.records import Pair
from tests.errors import raises
from tests.sources.laws import pairs, recognised

TEXTS = ("Kissa nukkuu.", "Kissa on unessa.")


def written(tmp_path: Path, name: str, header: str, *labels: str) -> Path:
    """A table with that header, whose last column holds the labels and whose first may hold numbers."""
    delimiter = next(sign for sign in "\t;," if sign in header)
    numbered = header.count(delimiter) == 3
    rows = [delimiter.join([*([str(n)] if numbered else []), *TEXTS, label]) for n, label in enumerate(labels, 1)]
    file = tmp_path / name
    file.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("suffix", ["table", "txt"])
@pytest.mark.parametrize(
    ("header", "format", "corpus"),
    [
        ("sentence1,sentence2,label", "csv", "multipit"),
        ("sentence1;sentence2;label", "csv", "rupaws"),
        (";sentence1;sentence2;label", "csv", "rupaws"),
        ("id\tsentence1\tsentence2\tlabel", "tsv", "paws"),
    ],
)
def test_by_their_labels(header: str, format: str, corpus: str, suffix: str, tmp_path: Path) -> None:
    name = f"x.{format if suffix == 'table' else suffix}"
    assert recognised(written(tmp_path, name, header, "0", "1", "0")) == corpus
    for labels in (["4>s"], ["3"], ["0", "1", "2"], [""], []):
        assert recognised(written(tmp_path, name, header, *labels)) == format
    results = pairs(written(tmp_path, name, header, "4>s", "3"))
    assert [(pair.text1, pair.text2, pair.label, pair.lang) for pair in results] == [
        (*TEXTS, "4>s", None),
        (*TEXTS, "3", None),
    ]


def test_quoted_cells_are_not_taken_for_labels(tmp_path: Path) -> None:
    file = tmp_path / "x.csv"
    file.write_text('"sentence1","sentence2","label"\n"a, ""b""\n\nc","d","1"\n"e\n', encoding="utf-8")
    assert recognised(file) == "multipit"


@pytest.mark.parametrize(
    ("row", "format"),
    [
        ('{"sentence1": "a", "sentence2": "b", "label": 3.5}', "sts"),
        ('{"sentence1": "a", "sentence2": "b", "label": 0.5, "id": "p7", "lang": "fi"}', "jsonl"),
        ('{"sentence1": "a", "sentence2": "b", "label": 72.5}', "jsonl"),
        ('{"sentence1": "a", "sentence2": "b", "label": "3.5"}', "jsonl"),
        ('{"text1": "a", "text2": "b", "sentence1": "c", "sentence2": "d", "label": 3.5}', "jsonl"),
        ('{"sentence1": "a", "sentence2": "b", "label": {"x": 1}}', "jsonl"),
        ('{"premise": "a", "hypothesis": "b", "label": 1}', "jsonl"),
    ],
)
@pytest.mark.parametrize("suffix", ["jsonl", "txt"])
def test_json_lines(row: str, format: str, suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"x.{suffix}"
    file.write_text(row + "\n", encoding="utf-8")
    assert recognised(file) == format


def test_a_row_keeps_its_own_id_and_language(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"id": "p7", "lang": "fi", "sentence1": "a", "sentence2": "b", "label": 0.5}\n', "utf-8")
    assert pairs(file) == [Pair(id="p7", text1="a", text2="b", lang="fi", label="0.5")]


def test_the_list_of_splits_is_no_corpus(fixtures: Path) -> None:
    file = fixtures / "hf" / "saved" / "dataset_dict.json"
    assert recognised(file) == "hf"
    with raises("folder-needed"):
        pairs(file)
