"""What a text is, and how the texts of a pair map."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.analyse.findings.mapping import MAPPINGS, mapping_of, unit_of
from otherwords.records import Pair
from otherwords.text import pack
from tests.analyse.corpora import cells, checked_finding, corpus, run_analysis, shuffled

UNITS = [
    ("en", "The ferry left.", "1"),
    ("en", "the ferry left.", "phrase"),
    ("en", "The ferry left", "phrase"),
    ("en", "The old ferry", "phrase"),
    ("en", "“Did the ferry leave?”", "1"),
    ("en", "- Where is it?", "1"),
    ("en", "20 ferries left…", "1"),
    ("en", "The ferry left. Nobody waved.", "2"),
    ("en", "He came. He saw. He left.", "3+"),
    ("en", "", "phrase"),
    ("en", "?!", "phrase"),
    ("es", "¿Dónde está el barco?", "1"),
    ("fi", "Älä nyt viitsi!", "1"),
    ("fi", "älä nyt viitsi!", "phrase"),
    ("ja", "船が出た。", "1"),
    ("ja", "古い船", "phrase"),
    ("ja", "船が出た。誰もいない。", "2"),
    ("ar", "أين السفينة؟", "1"),
    ("el", "Πού είναι το πλοίο;", "1"),
    ("en", "Where is the ferry;", "phrase"),
]


@pytest.mark.parametrize(("lang", "text", "unit"), UNITS)
def test_what_a_text_is(lang: str, text: str, unit: str) -> None:
    assert unit_of(text, pack(lang)) == unit


def test_which_text_is_first_does_not_matter() -> None:
    assert mapping_of("2", "1") == mapping_of("1", "2") == "1-2"
    assert mapping_of("1", "phrase") == "phrase-1"
    assert len(set(MAPPINGS)) == 10


PAIRS = [
    Pair(id="1", text1="The ferry left.", text2="The boat is gone.", label="4", lang="en"),
    Pair(id="2", text1="The ferry left. Nobody waved.", text2="It left and nobody waved.", label="4>", lang="en"),
    Pair(id="3", text1="It left and nobody waved.", text2="The ferry left. Nobody waved.", label="2", lang="en"),
    Pair(id="4", text1="an old ferry", text2="This is an old ferry.", label="4", lang="en"),
]


def test_the_tables(tmp_path: Path) -> None:
    finding = checked_finding("mapping", corpus(tmp_path / "c.jsonl", PAIRS))
    counts = {row["mapping"]: row["pairs"] for row in cells(finding, "pairs")}
    assert {name: count for name, count in counts.items() if count} == {"1-1": 1, "1-2": 2, "phrase-1": 1}
    by_label = {row["label"]: row for row in cells(finding, "labels")}
    assert (by_label["4"]["1-1"], by_label["(positives)"]["1-2"]) == (0.5, 1 / 3)
    assert [tuple(row.values()) for row in cells(finding, "texts")] == [
        ("phrase", 1, 0, 1 / 8),
        ("1", 2, 3, 5 / 8),
        ("2", 1, 1, 2 / 8),
        ("3+", 0, 0, 0.0),
    ]
    assert "verb:unchecked" in finding.signatures["pairs"]
    assert finding.remarks


def test_order_does_not_matter(tmp_path: Path) -> None:
    first = run_analysis("mapping", corpus(tmp_path / "c.jsonl", PAIRS))
    assert first is not None
    assert first == run_analysis("mapping", corpus(tmp_path / "c.jsonl", shuffled(PAIRS)))
