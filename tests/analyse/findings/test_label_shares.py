"""Labels: counted by hand in a small corpus, whatever its scheme and its order."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.records import Pair
from tests.analyse.corpora import cells, checked_finding, corpus, run_analysis, shuffled

TEXTS = ("The ferry left late.", "The boat was delayed.")


def pair(number: int, label: str | None, **fields: object) -> Pair:
    return Pair(id=f"p{number}", text1=TEXTS[0], text2=TEXTS[1], label=label, **fields)  # type: ignore[arg-type]


TURKU = [
    *(pair(number, "4", source="news", meta={"part": "train"}) for number in range(4)),
    *(pair(number, "4>s", source="news", meta={"part": "dev"}) for number in range(4, 6)),
    pair(6, "3", source="film", meta={"part": "train"}),
    pair(7, "2", source="film", meta={"part": "train"}),
    pair(8, "x", meta={"split": "dev"}),
    pair(9, None),
    pair(10, "4", rewrite_of="p6"),
    pair(11, "4", rewrite_of="p7"),
]


def test_counts_shares_and_rewrites(tmp_path: Path) -> None:
    finding = checked_finding("labels", corpus(tmp_path / "c.jsonl", TURKU))
    assert cells(finding, "summary") == [
        {"pairs": 10, "rewrites": 2, "labelled": 9, "positive": 7, "negative": 1, "positive_share": 7 / 8}
    ]
    assert [tuple(row.values()) for row in cells(finding, "labels")] == [
        ("4", 4, 0.4, "positive", 2),
        ("4>s", 2, 0.2, "positive", 0),
        ("3", 1, 0.1, "positive", 0),
        ("2", 1, 0.1, "negative", 0),
        ("x", 1, 0.1, "neither", 0),
        ("(none)", 1, 0.1, "neither", 0),
    ]
    assert finding.remarks == []


def test_by_source_and_part(tmp_path: Path) -> None:
    finding = checked_finding("labels", corpus(tmp_path / "c.jsonl", TURKU))
    sources = {row["source"]: row for row in cells(finding, "sources")}
    assert list(sources) == ["news", "film", "(none)"]
    assert (sources["news"]["pairs"], sources["news"]["positive_share"], sources["news"]["label 4>s"]) == (6, 1.0, 2)
    assert (sources["film"]["positive_share"], sources["(none)"]["positive_share"]) == (0.5, None)
    parts = {row["part"]: row["pairs"] for row in cells(finding, "parts")}
    assert parts == {"train": 6, "dev": 3, "(none)": 1}
    assert [figure.name for figure in finding.figures] == ["labels", "parts", "sources"]


@pytest.mark.parametrize(("count", "title"), [(1, "c: 1 pair by label"), (2, "c: 2 pairs by label")])
def test_the_title_follows_the_number(tmp_path: Path, count: int, title: str) -> None:
    finding = checked_finding("labels", corpus(tmp_path / "c.jsonl", [pair(number, "1") for number in range(count)]))
    assert finding.figures[0].title == title


def test_neither_sources_nor_parts(tmp_path: Path) -> None:
    finding = checked_finding("labels", corpus(tmp_path / "c.jsonl", [pair(1, "1"), pair(2, "0")]))
    assert [table.name for table in finding.tables] == ["summary", "labels"]


@pytest.mark.parametrize(
    ("labels", "remark"),
    [
        (["1", "1"], "all labels are the same"),
        ([None, None], "no label says whether a pair is a paraphrase"),
        ([f"{number / 10:.1f}" for number in range(30)], "30 labels are too many"),
    ],
)
def test_poor_labels_give_a_remark(tmp_path: Path, labels: list[str | None], remark: str) -> None:
    pairs = [pair(number, label, source="a") for number, label in enumerate(labels)]
    finding = checked_finding("labels", corpus(tmp_path / "c.jsonl", pairs))
    assert any(line.startswith(remark) for line in finding.remarks)


def test_many_sources_are_summed(tmp_path: Path) -> None:
    pairs = [pair(number, "1", source=f"s{number % 40:02}") for number in range(80)] + [pair(99, "0")]
    rows = cells(checked_finding("labels", corpus(tmp_path / "c.jsonl", pairs)), "sources")
    assert len(rows) == 31
    assert (rows[-1]["source"], rows[-1]["pairs"]) == ("(others)", 21)
    assert sum(row["pairs"] for row in rows) == 81


def test_order_does_not_matter(tmp_path: Path) -> None:
    first = run_analysis("labels", corpus(tmp_path / "c.jsonl", TURKU))
    assert first is not None
    assert first == run_analysis("labels", corpus(tmp_path / "c.jsonl", shuffled(TURKU)))
