"""Parts of a corpus: no test shares a sentence with training unless somebody insists, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from otherwords.errors import DataError
from otherwords.learn.data.parts import PartOptions, read_parts_of, shares_sentence, split_examples
from otherwords.records import Pair
from tests.learn.labelled import examples, pairs, turku_pairs, write


def test_a_file_is_split_by_components(tmp_path: Path) -> None:
    chosen = pairs(60)
    # Chains of pairs with a common sentence: every pair shares one with the next of its chain.
    chained = [
        msgspec.structs.replace(pair, text2=chosen[number + 1].text1) if number % 5 != 4 else pair
        for number, pair in enumerate(chosen)
    ]
    parts = read_parts_of([write(tmp_path / "pairs.jsonl", chained)], PartOptions(split="70/15/15"))
    (test,) = parts.tests
    assert len(parts.train) + len(parts.dev) + len(test) == 60
    assert min(len(parts.dev), len(test)) > 0
    for first, second in ((parts.train, parts.dev), (parts.train, test), (parts.dev, test)):
        assert not shares_sentence(first, second).any()
    random = np.random.default_rng(0).permutation(60)  # a random split does share sentences
    whole = examples(60).take(range(60))
    mixed = whole.__class__("mixed", chained, whole.labels)
    assert shares_sentence(mixed.take(random[:12]), mixed.take(random[12:])).any()


def test_the_same_seed_gives_the_same_parts() -> None:
    first, second = split_examples(examples(40), "80/20", 1), split_examples(examples(40), "80/20", 1)
    assert [part.digest for part in first] == [part.digest for part in second]
    assert [part.digest for part in split_examples(examples(40), "80/20", 2)] != [part.digest for part in first]


def test_a_test_that_shares_sentences_is_refused_dropped_or_marked(tmp_path: Path) -> None:
    train, test = write(tmp_path / "train.jsonl", pairs(40)), write(tmp_path / "test.jsonl", pairs(10)[6:])
    options = PartOptions(tests=(test,))
    with pytest.raises(DataError) as problem:
        read_parts_of([train], options)
    assert problem.value.code == "test-shares-sentences"
    assert "4 of 4 pairs of test share a sentence" in str(problem.value)
    dropped = read_parts_of([train], options._replace(leaks="drop"))
    assert not shares_sentence(dropped.train, dropped.tests[0]).any()
    assert any("left out" in note for note in dropped.notes)
    kept = read_parts_of([train], options._replace(leaks="keep"))
    assert kept.leaks["test"] == 4
    assert any("too good" in note for note in kept.notes)


def test_what_cannot_be_used_is_counted(tmp_path: Path) -> None:
    odd = [
        Pair(id="none", text1="It rains.", text2="Rain falls."),
        Pair(id="x", text1="It snows.", text2="Snow falls.", label="x"),
        Pair(id="empty", text1=" ", text2="Hail falls.", label="4"),
    ]
    path = write(tmp_path / "pairs.jsonl", [*turku_pairs(40), *odd])
    parts = read_parts_of([path], PartOptions(task="labels", split="80/20"))
    left_out = {"it has no label": 1, "its label is x": 1, "one of its texts is empty": 1}
    assert parts.train.left_out == left_out
    assert len(parts.train) + len(parts.dev) + len(parts.tests[0]) == 40


def test_one_label_alone_teaches_nothing(tmp_path: Path) -> None:
    path = write(tmp_path / "pairs.jsonl", [pair for pair in pairs(40) if pair.label == "1"])
    with pytest.raises(DataError) as problem:
        read_parts_of([path], PartOptions())
    assert problem.value.code == "one-label-only"


def test_harvested_negatives_are_added_in_equal_number(tmp_path: Path) -> None:
    manual = write(tmp_path / "manual.jsonl", turku_pairs(40))
    harvested = [
        Pair(id=f"h{number}", text1=f"Bus {number} is late.", text2=f"Ship {number} is here.") for number in range(90)
    ]
    options = PartOptions(task="bootstrapped", bootstrapped=(write(tmp_path / "harvest.jsonl", harvested),))
    parts = read_parts_of([manual], options)
    counts = parts.train.counts()
    own = sum(1 for pair in parts.train.pairs if pair.id.startswith("p"))
    assert len(parts.train) == 2 * own
    assert counts["neg"] > own
    assert "2" not in counts
    assert parts.task.name == "bootstrapped"


def test_harvested_pairs_of_both_sides_are_for_training_alone(tmp_path: Path) -> None:
    manual = write(tmp_path / "manual.jsonl", pairs(40))
    harvested = [
        Pair(id=f"h{number}", text1=f"Bus {number} is late.", text2=f"Ship {number} is here.", label=side)
        for number, side in enumerate(["negative", "positive"] * 5)
    ]
    path = write(tmp_path / "harvest.jsonl", harvested)
    parts = read_parts_of([manual], PartOptions(bootstrapped=(path,)))
    added = {pair.id: label for pair, label in zip(parts.train.pairs, parts.train.labels, strict=True)}
    assert {id: label for id, label in added.items() if id[0] == "h"} == {pair.id: pair.label for pair in harvested}
    assert not any(pair.id[0] == "h" for part in (parts.dev, *parts.tests) for pair in part.pairs)
    with pytest.raises(DataError) as problem:
        read_parts_of([manual], PartOptions(task="bootstrapped", bootstrapped=(path,)))
    assert problem.value.code == "positives-without-labels"


def test_rewrites_stay_with_their_originals_and_may_be_left_out(tmp_path: Path) -> None:
    chosen = turku_pairs(40)
    rewrites = [
        Pair(
            id=f"r{number}",
            text1=f"Rewritten {number}.",
            text2=f"Written anew {number}.",
            label="4",
            rewrite_of=pair.id,
        )
        for number, pair in enumerate(chosen)
    ]
    path = write(tmp_path / "pairs.jsonl", [*chosen, *rewrites])
    parts = read_parts_of([path], PartOptions(task="labels"))
    for part in (parts.train, parts.dev, *parts.tests):
        ids = {pair.id for pair in part.pairs}
        assert all(pair.rewrite_of in ids for pair in part.pairs if pair.rewrite_of)
    alone = read_parts_of([path], PartOptions(task="labels", rewrites=False))
    assert not any(pair.rewrite_of for pair in alone.train.pairs)
