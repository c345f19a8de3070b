"""Suzuki's Japanese corpus."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from otherwords.records import Pair
from tests.errors import raises
from tests.sources.laws import check_round_trip, pairs, read, recognised, rejected

HEADER = "label\tsentence_A_ja\tsentence_B_ja\tsource_sentence_en\n"


def test_pairs(fixtures: Path) -> None:
    first, second, random = pairs(fixtures / "tmup" / "pairs.tsv")
    assert first == Pair(
        id="pairs:2",
        text1="猫 が 窓辺 で 寝 て い る 。",
        text2="窓辺 で 猫 が 眠っ て い る 。",
        lang="ja",
        label="1",
        meta={
            "tokeniser": "blank",
            "source_sentence": "The cat sleeps by the window .",
            "origin": "machine-translated",
        },
    )
    assert (second.id, second.label, second.meta["origin"]) == ("pairs:3", "0", "machine-translated")
    assert (random.id, random.label, random.meta) == ("pairs:5", "0", {"tokeniser": "blank", "origin": "random"})


def test_minus_one_of_the_older_file_is_a_negative(fixtures: Path) -> None:
    records, log = read(fixtures / "tmup" / "older.tsv")
    assert [pair.label for pair in records if isinstance(pair, Pair)] == ["1", "0"]
    assert isinstance(records[1], Pair)
    assert records[1].meta == {"tokeniser": "blank", "origin": "random", "label": "-1"}
    assert log.marked == {"label -1, read as 0": 1}


def test_rejects(tmp_path: Path) -> None:
    file = tmp_path / "bad.tsv"
    file.write_text(HEADER + "2\tあ\tい\tx\n1\tあ\tい\n1\tあ\tい\tx\ty\n\tあ\tい\tx\n", encoding="utf-8")
    assert rejected(file, "tmup", tmp_path) == [
        (2, "label '2' is not one of -1, 0, 1"),
        (3, "3 columns found, 4 expected"),
        (4, "5 columns found, 4 expected"),
    ]
    records, log = read(file, "tmup", on_error="skip")
    assert [pair.label for pair in records if isinstance(pair, Pair)] == [None]
    assert log.marked == {"no label": 1}


def test_another_header_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "other.tsv"
    file.write_text("label\tsentence_A_ja\tB\n1\ta\tb\n", encoding="utf-8")
    with raises("missing-column", match="no column 'sentence_B_ja' in the header; found: label, sentence_A_ja, B"):
        read(file, "tmup")


def test_round_trip(fixtures: Path, tmp_path: Path) -> None:
    assert recognised(fixtures / "tmup" / "pairs.tsv") == "tmup"
    check_round_trip(fixtures / "tmup" / "pairs.tsv", "tmup", tmp_path)


def test_the_released_corpus(shared_data: Path) -> None:
    corpus = pairs(shared_data / "tmup" / "tmup.tsv")
    assert Counter(pair.label for pair in corpus) == {"1": 363, "0": 292}
    random = [pair for pair in corpus if pair.meta.get("origin") == "random"]
    assert len(random) == 190
    assert {pair.label for pair in random} == {"0"}
