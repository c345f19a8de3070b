"""Examples of each label: the number asked for, at random, whatever the order."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.analyse.catalogue import AnalysisOptions
from otherwords.records import Pair
from tests.analyse.corpora import checked_finding, corpus, run_analysis, shuffled

PAIRS = [
    Pair(id=f"{label}.{number}", text1=f"Boat {number}.", text2=f"Ship {number}.", label=label)
    for number in range(20)
    for label in ("2", "4", "3")
]


def drawn(path: Path, pairs: list[Pair], options: AnalysisOptions) -> dict[str, list[str]]:
    finding = checked_finding("examples", corpus(path, pairs, lang="en"), options)
    return {examples.heading: [pair.id for pair in examples.pairs] for examples in finding.examples}


@pytest.mark.parametrize("each", [1, 3, 20, 50])
def test_the_number_of_examples(tmp_path: Path, each: int) -> None:
    ids = drawn(tmp_path / "pairs.jsonl", PAIRS, AnalysisOptions(examples=each))
    assert list(ids) == ["4", "3", "2"]
    assert all(len(set(of_label)) == min(each, 20) for of_label in ids.values())
    assert all(name.startswith(label) for label, of_label in ids.items() for name in of_label)


def test_the_order_does_not_matter_but_the_seed_does(tmp_path: Path) -> None:
    straight = drawn(tmp_path / "one.jsonl", PAIRS, AnalysisOptions())
    assert straight == drawn(tmp_path / "two.jsonl", shuffled(PAIRS), AnalysisOptions())
    assert straight != drawn(tmp_path / "one.jsonl", PAIRS, AnalysisOptions(seed=1))


def test_languages_and_unlabelled_pairs(tmp_path: Path) -> None:
    pairs = [Pair(id="1", text1="A", text2="B"), Pair(id="2", text1="C", text2="D", label="4", rewrite_of="1")]
    [examples] = checked_finding("examples", corpus(tmp_path / "pairs.jsonl", pairs, lang="en")).examples
    assert (examples.heading, [(pair.id, pair.lang) for pair in examples.pairs]) == ("(none)", [("1", "en")])


@pytest.mark.parametrize("pairs", [[Pair(id="2", text1="C", text2="D", rewrite_of="1")]])
def test_nothing_to_show(tmp_path: Path, pairs: list[Pair]) -> None:
    assert run_analysis("examples", corpus(tmp_path / "pairs.jsonl", pairs)) is None


def test_no_examples(tmp_path: Path) -> None:
    assert run_analysis("examples", corpus(tmp_path / "pairs.jsonl", PAIRS), AnalysisOptions(examples=0)) is None
