"""Leaks between published files; the figures of docs/splits.md."""

from __future__ import annotations

from pathlib import Path

from otherwords.corpus.leaks.paths import find_leaks


def test_the_english_tatoeba_sets_share_thousands_of_sentences(shared_data: Path) -> None:
    dev, test = (shared_data / "tatoeba" / f"tatoeba-{name}-v2023-09-26.eng-eng.txt.gz" for name in ("dev", "test"))
    (result,) = find_leaks(str(dev), str(test), near=None, format="tatoeba")
    assert result.counts == {"exact": 0, "mirrored": 8, "normalised": 0, "near": 0, "shared_texts": 4208}


def test_the_finnish_samples_share_one_sentence_and_no_pair(shared_data: Path) -> None:
    candidates, release = shared_data / "turku-fi" / "opus-pb-dev.json", shared_data / "turku-fi-release1" / "dev.json"
    (result,) = find_leaks(str(candidates), str(release), format="turku")
    assert result.counts == {"exact": 0, "mirrored": 0, "normalised": 0, "near": 0, "shared_texts": 1}
    assert [row["text"] for row in result.rows("shared_texts")] == ["Mikä sinua risoo?"]
