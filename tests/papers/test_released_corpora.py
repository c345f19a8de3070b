"""What the papers and careful readers say of the released corpora, on the real files where they are."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from otherwords.analyse.bins import bins_of_file
from otherwords.analyse.profile import profile_file
from otherwords.records import Judgement
from otherwords.sources import open_records
from tests.conftest import ROOT

FIXTURES = ROOT / "tests" / "fixtures"

# Suzuki et al. 2017, Table 1: positives and negatives (with the random ones) per range, from 0.5 up.
TABLE_1 = {
    "[0.5, 0.6)": (34, 16),
    "[0.6, 0.7)": (38, 13),
    "[0.7, 0.8)": (53, 12 + 40),
    "[0.8, 0.9)": (81, 3 + 80),
    "[0.9, 1.0)": (73, 3 + 70),
    "[1.0, 1.0]": (0, 0),
}


def test_tmup_by_range(shared_data: Path) -> None:
    _, table = bins_of_file(shared_data / "tmup" / "tmup.tsv", "jaccard", 10)
    assert (table.total.labels["1"], table.total.labels["0"]) == (363, 292)
    rows = {row.name: (row.labels["1"], row.labels["0"]) for row in table.ranges}
    assert {name: rows[name] for name in TABLE_1} == TABLE_1
    assert table.signature.startswith("jaccard|tok:blank|")


def test_tmup_fixture_by_range() -> None:
    """The same on sentences of our own, one of which lies exactly on an edge."""
    _, table = bins_of_file(FIXTURES / "tmup" / "edges.tsv", "jaccard", 10)
    assert {row.name: row.pairs for row in table.ranges if row.pairs} == {"[0.3, 0.4)": 1, "[0.6, 0.7)": 2}


def test_turku_2021_labels(shared_data: Path) -> None:
    _, profile = profile_file(shared_data / "turku-fi-release1" / "dev.json")
    assert (profile.pairs, profile.rewrites) == (4474, 884)
    assert profile.labels == {
        **{"4": 1082, "3": 998, "4<": 935, "4>": 889, "4i": 135, "4s": 107, "2": 94, "4>i": 69, "4<i": 69},
        **{"4>s": 41, "4<s": 39, "4is": 8, "4>is": 4, "4<is": 4},
    }
    positive = sum(count for label, count in profile.labels.items() if label[0] in "34")
    assert round(positive / profile.pairs, 2) == 0.98
    assert sum(profile.marked.values()) == 6  # rewrites of a plain 4


def test_turku_automatic_sample_is_stratified(shared_data: Path) -> None:
    with open_records(shared_data / "turku-fi" / "opus-pb-dev.json") as corpus:
        pairs = list(corpus.pairs())
    similarities = [pair.scores["lex-similarity"] or 0.0 for pair in pairs]
    strata = Counter(min(int(value * 20), 19) for value in similarities)
    assert len(pairs) == 4894
    assert len(strata) == 20
    assert 209 <= min(strata.values()) <= max(strata.values()) <= 250
    positive = [value for pair, value in zip(pairs, similarities, strict=True) if (pair.label or "x")[0] in "34"]
    assert round(sum(similarities) / len(similarities), 3) == 0.499
    assert round(sum(positive) / len(positive), 3) == 0.734


def phenomena(path: Path) -> tuple[int, int]:
    with open_records(path, "p4p", noun="judgements") as corpus:
        values = [record.value for record in corpus if isinstance(record, Judgement)]
    return len(values), sum(len(value) for value in values)


def test_p4p_counts(shared_data: Path) -> None:
    assert phenomena(shared_data / "p4p" / "P4P-first-400.xml") == (400, 5206)


@pytest.mark.parametrize("path", sorted((FIXTURES / "p4p").glob("*.xml")), ids=lambda path: path.name)
def test_p4p_fixture_has_phenomena(path: Path) -> None:
    annotations, count = phenomena(path)
    assert annotations >= 1
    assert count >= annotations


@pytest.mark.parametrize(
    ("file", "format", "pairs"),
    [
        ("turku-sv/test.json", "turku", 1081 + 136),
        ("paws-wiki/dev.tsv", "paws", 8000),
        ("apty/apty_base.csv", "apty", 575),
        ("tatoeba/tatoeba-test-v2023-09-26.jpn-jpn.txt.gz", "tatoeba", None),
        ("tatoeba/tatoeba-dev-v2023-09-26.eng-eng.txt.gz", "tatoeba", None),
    ],
)
def test_every_real_file_loads_by_sniffing(shared_data: Path, file: str, format: str, pairs: int | None) -> None:
    with open_records(shared_data / file) as corpus:
        assert corpus.format.name == format
        count = sum(1 for _ in corpus)
    assert count == pairs or (pairs is None and count > 0)
    assert corpus.account.skipped.total() == 0
