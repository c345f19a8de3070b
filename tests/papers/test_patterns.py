"""Kanerva et al. 2023, Figure 5: few of the paraphrases that people selected follow a systematic pattern.

The paper compares with TaPaCo, which is made of Tatoeba; here it is the Tatoeba challenge's Finnish pairs. Synonyms are
those of the Finnish Wiktionary wordnet, so shares come close to the paper's and are not the same.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.findings.pattern_kinds import (
    INFLECTION,
    LEMMA_REORDERING,
    OTHER,
    REORDERING,
    SYSTEMATIC,
    TRIVIAL,
)
from otherwords.corpus.corpus import open_corpus
from tests.analyse.corpora import cells, found

LEMMATISED = (REORDERING, INFLECTION, LEMMA_REORDERING)


def shares(shared_data: Path, file: str) -> dict[str, float]:
    options = AnalysisOptions(synonyms=str(shared_data / "omw" / "wn-wikt-fin.tab"))
    finding = found("patterns", open_corpus(shared_data / file, lang="fi"), options)
    assert finding is not None
    return {row["pattern"]: row["share"] for row in cells(finding, "patterns")}


@pytest.fixture(scope="module")
def turku(shared_data: Path) -> dict[str, float]:
    return shares(shared_data, "turku-fi-release1/dev.json")


@pytest.fixture(scope="module")
def tatoeba(shared_data: Path) -> dict[str, float]:
    return shares(shared_data, "tatoeba/tatoeba-test-v2023-09-26.fin-fin.txt.gz")


def test_most_of_turku_is_other(turku: dict[str, float]) -> None:
    assert turku[OTHER] > 0.9


def test_tatoeba_is_far_more_systematic(turku: dict[str, float], tatoeba: dict[str, float]) -> None:
    assert tatoeba[OTHER] < turku[OTHER] - 0.2
    assert all(tatoeba[pattern] > turku[pattern] for pattern in SYSTEMATIC if "function" not in pattern)


@pytest.mark.parametrize("pattern", LEMMATISED)
def test_lemmas_account_for_less_than_one_per_cent_of_turku(turku: dict[str, float], pattern: str) -> None:
    """As the paper says of each of the three."""
    assert turku[pattern] < 0.01


def test_people_left_trivial_differences_out(turku: dict[str, float], shared_data: Path) -> None:
    """The automatic sample has them: 17 % is elementary variation, 2 % of that typing and punctuation (§7.2)."""
    sample = shares(shared_data, "turku-fi/opus-pb-dev.json")
    assert sum(turku[kind] for kind in TRIVIAL) == 0
    assert sum(sample[kind] for kind in TRIVIAL) > 0.02
    assert 1 - sample[OTHER] == pytest.approx(0.17, abs=0.02)
