"""Several corpora in one table."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.analyse.findings.corpora_table import corpora_table
from otherwords.records import Pair
from tests.analyse.corpora import cells, check, corpus, shuffled

LABELLED = [
    Pair(id="1", text1="A boat", text2="a boat sails", label="1", lang="en", source="film", group="g1"),
    Pair(id="2", text1="Two boats", text2="a gull", label="0", lang="en", source="news", group="g1"),
    Pair(id="3", text1="Gone", text2="Left", label="1", lang="en", rewrite_of="2"),
]
PLAIN = [Pair(id="1", text1="vene", text2="laiva", lang="fi"), Pair(id="2", text1="båt", text2="skepp", lang="sv")]


def test_the_table(tmp_path: Path) -> None:
    corpora = [corpus(tmp_path / "labelled.jsonl", LABELLED), corpus(tmp_path / "plain.jsonl", PLAIN)]
    finding = corpora_table(corpora, AnalysisOptions())
    assert finding is not None
    check(finding, tmp_path)
    first, second = cells(finding, "corpora")
    similarity = first.pop("mean_similarity")
    assert 0 < similarity < 1
    assert first == {
        "corpus": "labelled",
        "languages": "en",
        "pairs": 2,
        "rewrites": 1,
        "positive_share": 0.5,
        "labels": "1 0",
        "mean_tokens": 9 / 4,
        "vocabulary": 6,  # a boat sails two boats gull
        "sources": 2,
        "groups": 1,
    }
    assert (second["languages"], second["positive_share"], second["labels"]) == ("fi, sv", None, "")
    assert second["mean_similarity"] == pytest.approx(0.0)
    assert finding.remarks == ["plain: no label says yes or no"]
    assert set(finding.signatures) == {"corpora", "mean_tokens", "vocabulary", "mean_similarity"}


def test_order_does_not_matter(tmp_path: Path) -> None:
    findings = []
    for pairs in (LABELLED, shuffled(LABELLED)):
        finding = corpora_table([corpus(tmp_path / "c.jsonl", pairs)], AnalysisOptions())
        assert finding is not None
        findings.append(finding.as_dict())
    assert findings[0] == findings[1]
