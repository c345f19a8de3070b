"""Examples of each label: as many as were asked for, by lot, whatever the order."""

from __future__ import annotations

from pathlib import Path

import pytest

from otherwords.analyse.analyses import Wishes
from otherwords.records import Pair
from tests.analyse.corpora import corpus, found, said, shuffled

PAIRS = [
    Pair(id=f"{label}.{number}", text1=f"Boat {number}.", text2=f"Ship {number}.", label=label)
    for number in range(20)
    for label in ("2", "4", "3")
]


def drawn(path: Path, pairs: list[Pair], wishes: Wishes) -> dict[str, list[str]]:
    finding = said("examples", corpus(path, pairs, lang="en"), wishes)
    return {one.of: [pair.id for pair in one.pairs] for one in finding.examples}


@pytest.mark.parametrize("each", [1, 3, 20, 50])
def test_as_many_as_were_asked_for(tmp_path: Path, each: int) -> None:
    told = drawn(tmp_path / "pairs.jsonl", PAIRS, Wishes(examples=each))
    assert list(told) == ["4", "3", "2"]
    assert all(len(set(ids)) == min(each, 20) for ids in told.values())
    assert all(one.startswith(label) for label, ids in told.items() for one in ids)


def test_the_order_does_not_matter_but_the_seed_does(tmp_path: Path) -> None:
    straight = drawn(tmp_path / "one.jsonl", PAIRS, Wishes())
    assert straight == drawn(tmp_path / "two.jsonl", shuffled(PAIRS), Wishes())
    assert straight != drawn(tmp_path / "one.jsonl", PAIRS, Wishes(seed=1))


def test_languages_and_unlabelled_pairs(tmp_path: Path) -> None:
    pairs = [Pair(id="1", text1="A", text2="B"), Pair(id="2", text1="C", text2="D", label="4", rewrite_of="1")]
    [examples] = said("examples", corpus(tmp_path / "pairs.jsonl", pairs, lang="en")).examples
    assert (examples.of, [(one.id, one.lang) for one in examples.pairs]) == ("(none)", [("1", "en")])


@pytest.mark.parametrize("pairs", [[Pair(id="2", text1="C", text2="D", rewrite_of="1")]])
def test_nothing_to_show(tmp_path: Path, pairs: list[Pair]) -> None:
    assert found("examples", corpus(tmp_path / "pairs.jsonl", pairs)) is None


def test_none_asked_for(tmp_path: Path) -> None:
    assert found("examples", corpus(tmp_path / "pairs.jsonl", PAIRS), Wishes(examples=0)) is None
