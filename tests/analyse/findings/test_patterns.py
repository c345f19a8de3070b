"""Systematic patterns: six in three languages, the trivial kinds beside them, and the shares of a small corpus."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.findings.pattern_kinds import (
    FUNCTION_WORDS,
    IDENTICAL,
    OTHER,
    PATTERNS,
    PUNCTUATION,
    REORDERING,
    SYNONYMS,
    SYSTEMATIC,
    TRIVIAL,
    TYPING,
    pattern_of,
)
from otherwords.errors import DataError
from otherwords.records import Pair
from otherwords.text import pack
from otherwords.text.synonyms import Synonyms, build_synonyms, load_synonyms
from tests.analyse.corpora import cells, checked_finding, corpus, run_analysis, shuffled
from tests.conftest import ROOT

FOLDER = ROOT / "tests" / "fixtures" / "patterns"
with (FOLDER / "pairs.tsv").open(encoding="utf-8") as table:
    ROWS = [tuple(row.values()) for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)]


def synonyms(lang: str) -> Synonyms:
    return load_synonyms(FOLDER / f"synonyms.{lang}.tab")


@pytest.mark.parametrize(("lang", "pattern", "text1", "text2"), ROWS)
def test_pattern_of_a_pair(lang: str, pattern: str, text1: str, text2: str) -> None:
    assert pattern_of(text1, text2, pack(lang), synonyms(lang)) == pattern


@pytest.mark.parametrize(("lang", "pattern", "text1", "text2"), ROWS)
def test_a_pattern_has_no_direction(lang: str, pattern: str, text1: str, text2: str) -> None:
    assert pattern_of(text2, text1, pack(lang), synonyms(lang)) == pattern


@pytest.mark.parametrize("lang", ["en", "fi", "ru"])
def test_every_pattern_has_a_fixture(lang: str) -> None:
    assert {pattern for code, pattern, *_ in ROWS if code == lang} == {*SYSTEMATIC, *TRIVIAL, OTHER}


@pytest.mark.parametrize(
    ("text1", "text2", "pattern"),
    [
        ("", "", IDENTICAL),
        ("", "Boats.", OTHER),
        ("…", "!", PUNCTUATION),
        ("…", "Boats", OTHER),
        ("Boats", "BOATS", TYPING),
        ("Cafe\u0301 closed", "Caf\u00e9 closed", TYPING),
        ("She and he", "He and she", REORDERING),
        ("Now the boat doesn’t sink", "The boat doesn't sink now", REORDERING),
        ("She and he", "They and I", OTHER),  # nothing but function words
        ("The boat", "Boat", FUNCTION_WORDS),
        ("No boats sank", "The boats sank", FUNCTION_WORDS),  # as in the paper: grammar is not looked at
    ],
)
def test_edges(text1: str, text2: str, pattern: str) -> None:
    assert pattern_of(text1, text2, pack("en"), synonyms("en")) == pattern


def test_marks_that_are_part_of_letters_are_no_punctuation() -> None:
    assert pattern_of("नाव डूब गई", "नाव डूबी गई", pack("hi")) != PUNCTUATION


def test_japanese_has_a_tokeniser_with_lemmas() -> None:
    pytest.importorskip("fugashi", reason="the Japanese packages are not installed")
    assert pattern_of("昨日、山羊が草を食べた。", "山羊が昨日草を食べた。", pack("ja")) == REORDERING


def test_without_a_file_of_synonyms() -> None:
    assert pattern_of("A big boat", "A large boat", pack("en"), synonyms("en")) == SYNONYMS
    assert pattern_of("A big boat", "A large boat", pack("en")) == OTHER


@pytest.mark.parametrize(
    ("text1", "text2", "pattern"),
    [
        ("Red boat", "Crimson ship", SYNONYMS),
        ("Boat ship", "Vessel vessel", OTHER),  # a boat is no vessel here
        ("Boat ship", "Ship vessel", OTHER),  # what both have stays; a boat alone is no vessel
        ("Boat crimson", "Red ship", SYNONYMS),
    ],
)
def test_synonyms_are_matched_one_to_one(text1: str, text2: str, pattern: str) -> None:
    known = [("a", "boat"), ("a", "ship"), ("b", "ship"), ("b", "vessel"), ("c", "red"), ("c", "crimson")]
    assert pattern_of(text1, text2, pack("en"), build_synonyms(known, "own")) == pattern


def test_a_matching_is_found_where_the_first_choice_blocks_it() -> None:
    known = [("a", "boat"), ("a", "ship"), ("b", "boat"), ("b", "vessel"), ("c", "yacht"), ("c", "ship")]
    assert pattern_of("Boat yacht", "Ship vessel", pack("en"), build_synonyms(known, "own")) == SYNONYMS


PAIRS = [
    Pair(id="1", text1="A boat sank today.", text2="Today a boat sank.", label="4"),
    Pair(id="2", text1="A big boat sank.", text2="A large ship sank.", label="4>"),
    Pair(id="3", text1="A boat sank.", text2="The captain survived.", label="4"),
    Pair(id="4", text1="A boat sank.", text2="A boat sank!", label="3"),
    Pair(id="5", text1="A boat sank.", text2="The boat sank.", label="2"),
    Pair(id="6", text1="A boat sank.", text2="The boat sank.", label="4", rewrite_of="3"),
    Pair(id="7", text1="A boat sank.", text2="That boat sank.", label="x"),
]
OPTIONS = AnalysisOptions(synonyms=str(FOLDER / "synonyms.en.tab"))


def test_shares_of_the_positives(tmp_path: Path) -> None:
    finding = checked_finding("patterns", corpus(tmp_path / "pairs.jsonl", PAIRS, lang="en"), OPTIONS)
    counts = {row["pattern"]: (row["pairs"], row["share"]) for row in cells(finding, "patterns")}
    assert list(counts) == list(PATTERNS)
    assert {pattern: (pairs, share) for pattern, (pairs, share) in counts.items() if pairs} == {
        REORDERING: (1, 0.25),
        SYNONYMS: (1, 0.25),
        PUNCTUATION: (1, 0.25),
        OTHER: (1, 0.25),
    }
    by_label = {row["label"]: row for row in cells(finding, "patterns_by_label")}
    assert [(label, row["pairs"], row["word_reordering"]) for label, row in by_label.items()] == [
        ("4", 2, 0.5),
        ("4>", 1, 0.0),
        ("3", 1, 0.0),
    ]
    assert [(examples.heading, [pair.id for pair in examples.pairs]) for examples in finding.examples] == [
        (REORDERING, ["1"]),
        (SYNONYMS, ["2"]),
        (PUNCTUATION, ["4"]),
        (OTHER, ["3"]),
    ]
    assert "pairs left out because their label does not say whether they are paraphrases: 1" in finding.remarks
    assert "lemma:simplemma" in finding.signatures["patterns"]
    assert "synonyms:invented-eng" in finding.signatures["patterns"]


def test_order_does_not_matter(tmp_path: Path) -> None:
    straight = checked_finding("patterns", corpus(tmp_path / "one.jsonl", PAIRS * 5, lang="en"), OPTIONS)
    other = checked_finding("patterns", corpus(tmp_path / "two.jsonl", shuffled(PAIRS * 5), lang="en"), OPTIONS)
    assert straight.tables == other.tables
    assert [examples.heading for examples in straight.examples] == [examples.heading for examples in other.examples]


def test_a_corpus_without_labels(tmp_path: Path) -> None:
    pairs = [Pair(id=str(place), text1="A boat sank.", text2="The boat sank.") for place in range(3)]
    finding = checked_finding("patterns", corpus(tmp_path / "pairs.jsonl", pairs, lang="en"))
    assert [table.name for table in finding.tables] == ["patterns"]
    assert {row["pattern"]: row["pairs"] for row in cells(finding, "patterns")}[FUNCTION_WORDS] == 3
    assert "no label says which pairs are paraphrases, so all of them count" in finding.remarks
    assert "no file of synonyms was given, so the two patterns with synonyms are not found" in finding.remarks
    assert "synonyms:none" in finding.signatures["patterns"]


def test_an_unknown_language(tmp_path: Path) -> None:
    pairs = [Pair(id="1", text1="Kuti boda.", text2="Boda kuti.", lang="qaa")]
    finding = checked_finding("patterns", corpus(tmp_path / "pairs.jsonl", pairs))
    assert {row["pattern"]: row["pairs"] for row in cells(finding, "patterns")}[REORDERING] == 1
    assert "texts in qaa are not lemmatised, so forms of one word count as different words" in finding.remarks


def test_only_negatives(tmp_path: Path) -> None:
    pairs = [Pair(id="1", text1="A boat sank.", text2="The boat sank.", label="2")]
    finding = checked_finding("patterns", corpus(tmp_path / "pairs.jsonl", pairs))
    assert (finding.tables, finding.figures, finding.remarks) == ((), (), ["no pair is labelled as a paraphrase"])


def test_an_empty_corpus(tmp_path: Path) -> None:
    only_rewrites = [Pair(id="1", text1="A", text2="B", label="4", rewrite_of="0")]
    assert run_analysis("patterns", corpus(tmp_path / "pairs.jsonl", only_rewrites)) is None


def test_a_missing_file_of_synonyms(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.tab"):
        run_analysis(
            "patterns", corpus(tmp_path / "pairs.jsonl", PAIRS), AnalysisOptions(synonyms=str(tmp_path / "none.tab"))
        )
