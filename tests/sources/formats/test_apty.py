"""APTY: single-type paraphrases with marked spans."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from otherwords.records import Judgement
from otherwords.sources.formats.apty import HEADER
from tests.sources.laws import pairs, read, rejected


def judgements(path: Path) -> list[Judgement]:
    return [record for record in read(path, "apty", noun="judgements")[0] if isinstance(record, Judgement)]


def test_pairs(fixtures: Path) -> None:
    results = pairs(fixtures / "apty" / "apty.csv")
    assert [(pair.id, pair.label, pair.meta["type"], pair.lang) for pair in results] == [
        ("10", "1", "Change of order", "en"),
        ("11", "1", "AdditionDeletion", "en"),
        ("12", "0", "AdditionDeletion", "en"),
    ]
    assert results[1].text2 == "Our neighbours sold their old barn yesterday."
    assert results[1].meta["paraphrase-text"].startswith("Altered: 'Our")
    assert results[1].meta["start"] == "36.0"


def test_spans_are_moved_into_the_sentence(fixtures: Path) -> None:
    first, second, third = judgements(fixtures / "apty" / "apty.csv")
    assert (first.annotator, first.scheme) == ("1", "apty")
    assert first.value == [{"type": "Change of order", "scope2": [[0, 9]]}]
    [[start, end]] = second.value[0]["scope2"]
    assert second.meta["text2"][start:end] == "old"
    assert third.value == []


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"applied-correctly": "perhaps"}, "applied-correctly: True or False is expected, found 'perhaps'"),
        ({"start": "x", "end": "3.0"}, "start and end: numbers are expected, found 'x' and '3.0'"),
        ({"start": "5.0", "end": "3.0"}, "a span must start at 0 or later and end after its start, found 5 to 3"),
        ({"start": "inf", "end": "3.0"}, "start and end: numbers are expected, found 'inf' and '3.0'"),
    ],
)
def test_bad_rows(cells: dict[str, str], reason: str, tmp_path: Path) -> None:
    row = {"index": "1", "apt": "Order", "original": "a", "paraphrase_fixed": "b", "applied-correctly": "True"} | cells
    file = tmp_path / "bad.csv"
    file.write_text("\n".join([";".join(HEADER), ";".join(row.get(name, "") for name in HEADER)]))
    aside = tmp_path / "aside.jsonl"
    records, log = read(file, "apty", noun="judgements", on_error="quarantine", quarantine=aside)
    assert (records, log.skipped) == ([], {reason: 1})
    if "start" not in cells:
        assert rejected(file, "apty", tmp_path) == [(2, reason)]


def test_the_released_table(shared_data: Path) -> None:
    file = shared_data / "apty" / "apty_base.csv"
    assert Counter(pair.label for pair in pairs(file)) == {"1": 336, "0": 239}
    records = judgements(file)
    spans = [(j, phenomenon["scope2"][0]) for j in records for phenomenon in j.value if "scope2" in phenomenon]
    assert (len(records), len(spans)) == (575, 279)
    right = sum(j.meta["text2"][a:b] == j.meta["marked_text"].removesuffix("\\n") for j, (a, b) in spans)
    assert right >= 275
