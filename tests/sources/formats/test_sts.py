"""Semantic textual similarity, as JSON Lines and as the SemEval table."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from otherwords.records import Pair
from otherwords.sources import write_records
from otherwords.sources.formats.sts import FORMAT
from tests.errors import raises
from tests.sources.laws import check_round_trip, pairs, read, recognised, rejected


def test_jsonl(fixtures: Path) -> None:
    first, second, third = pairs(fixtures / "sts" / "pairs.jsonl")
    assert first == Pair(id="pairs:1", text1="A child feeds the ducks.", text2="Ducks are fed by a child.", label="4.8")
    assert (second.label, second.meta) == ("0.6", {"split": "dev"})
    assert (third.id, third.label) == ("pairs:4", "5.0")


def test_tsv(fixtures: Path) -> None:
    first, second = pairs(fixtures / "sts" / "benchmark.csv")
    assert first == Pair(
        id="benchmark:1",
        text1="A boy peels an orange.",
        text2="An orange is peeled by a boy.",
        label="5.000",
        meta={"genre": "main-captions", "file": "MSRvid", "year": "2012test", "number": "0001"},
    )
    assert (second.text1, second.label) == ('Strike ends after "long" talks', "2.250")
    assert second.meta["source2"] == "http://example.org/2"


def test_rejects_in_jsonl(tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    rows = [
        '{"sentence1": "a", "sentence2": "b", "label": 5.1}',
        '{"sentence1": "a", "label": 1}',
        '{"sentence1": "a", "sentence2": "b", "label": true}',
        '{"sentence1": "a", "sentence2": "b", "label": 3}',
        "[1]",
    ]
    file.write_text("\n".join(rows), encoding="utf-8")
    rejections = rejected(file, "sts", tmp_path)
    assert rejections[:3] == [
        (1, "score: a number from 0 to 5 is expected, found 5.1"),
        (2, "sentence2: a text is expected, found None"),
        (3, "score: a number from 0 to 5 is expected, found True"),
    ]
    assert [line for line, _ in rejections] == [1, 2, 3, 5]


def test_rejects_in_tsv(tmp_path: Path) -> None:
    file = tmp_path / "bad.csv"
    file.write_text("g\tf\t2012\t1\tnan\ta\tb\ng\tf\t2012\t1\t3\ta\n", encoding="utf-8")
    assert rejected(file, "sts", tmp_path) == [
        (1, "score: a number from 0 to 5 is expected, found 'nan'"),
        (2, "6 columns found, 7 to 9 expected"),
    ]


@pytest.mark.parametrize(
    ("name", "content"),
    [("x.jsonl", '{"sentence1": "a", "sentence2": "b", "label": null}\n'), ("x.csv", "g\tf\t2012\t1\t\ta\tb\t\n")],
)
def test_a_score_may_be_kept_back(name: str, content: str, tmp_path: Path) -> None:
    file, again = tmp_path / name, tmp_path / "again"
    file.write_text(content, encoding="utf-8")
    records, log = read(file, "sts")
    assert log.marked == {"no label": 1}
    write_records(records, again, "sts")
    assert [pair.label for pair in pairs(again, "sts")] == [None]


def test_json_lines_with_binary_labels_are_not_taken_for_scores(tmp_path: Path) -> None:
    file = tmp_path / "binary.jsonl"
    file.write_text('{"sentence1": "a", "sentence2": "b", "label": 1}\n', encoding="utf-8")
    assert recognised(file) != "sts"


@pytest.mark.parametrize("name", ["pairs.jsonl", "benchmark.csv"])
def test_round_trip(name: str, fixtures: Path, tmp_path: Path) -> None:
    assert recognised(fixtures / "sts" / name) == "sts"
    check_round_trip(fixtures / "sts" / name, "sts", tmp_path)


def test_a_label_that_is_no_score_is_refused() -> None:
    with raises("bad-label", match="pair 7: label '4>s' .*from 0 to 5"):
        FORMAT.write([Pair(id="7", text1="a", text2="b", label="4>s")], io.BytesIO())
