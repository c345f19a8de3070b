"""The Tatoeba challenge: pairs within and across languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.records import Pair
from otherwords.sources import write_records
from tests.sources.laws import check_round_trip, pairs, recognised, rejected


def test_one_language(fixtures: Path) -> None:
    first, _ = pairs(fixtures / "tatoeba" / "sample.fin-fin.txt.gz")
    assert first == Pair(
        id="sample.fin-fin:1",
        text1="Tänään paistaa aurinko.",
        text2="Aurinko paistaa tänään.",
        lang="fi",
        meta={"lang1": "fin", "lang2": "fin"},
    )


def test_two_languages(fixtures: Path) -> None:
    results = pairs(fixtures / "tatoeba" / "sample.eng-fin.txt")
    assert [pair.lang for pair in results] == [None, None]
    assert results[1].meta == {"lang1": "srp_Latn", "lang2": "srp_Cyrl"}


def test_rejects(tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    file.write_text("eng\teng\ta\n\teng\ta\tb\neng\tFinnish\ta\tb\neng\teng\ta\tb\n", encoding="utf-8")
    assert rejected(file, "tatoeba", tmp_path) == [
        (1, "3 columns found, 4 expected"),
        (2, "a language code such as eng is expected, found ''"),
        (3, "a language code such as eng is expected, found 'Finnish'"),
    ]


@pytest.mark.parametrize("name", ["sample.fin-fin.txt.gz", "sample.eng-fin.txt"])
def test_round_trip(name: str, fixtures: Path, tmp_path: Path) -> None:
    assert recognised(fixtures / "tatoeba" / name) == "tatoeba"
    check_round_trip(fixtures / "tatoeba" / name, "tatoeba", tmp_path)


def test_a_pair_from_elsewhere_has_its_own_language(tmp_path: Path) -> None:
    file = tmp_path / "new.txt"
    write_records([Pair(id="1", text1="a", text2="b", lang="fi")], file, "tatoeba")
    assert [pair.lang for pair in pairs(file, "tatoeba")] == ["fi"]


@pytest.mark.parametrize(
    ("name", "lang", "count"),
    [
        ("test-v2023-09-26.eng-eng", "en", 12_663),
        ("test-v2023-09-26.eng-fin", None, 11_786),
        ("test-v2023-09-26.fin-fin", "fi", 1_000),
        ("test-v2023-09-26.jpn-jpn", "ja", 616),
        ("test-v2023-09-26.rus-rus", "ru", 2_500),
        ("test-v2023-09-26.spa-spa", "es", 2_500),
        ("test-v2023-09-26.swe-swe", "sv", 1_053),
        ("dev-v2023-09-26.eng-eng", "en", 109_271 - 12_663),
    ],
)
def test_the_released_files(name: str, lang: str | None, count: int, shared_data: Path) -> None:
    results = pairs(shared_data / "tatoeba" / f"tatoeba-{name}.txt.gz")
    assert len(results) == count
    assert {pair.lang for pair in results} == {lang}
