"""Pairs as tokens are what the tokenizer itself makes of them, whatever their length and order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from otherwords.learn.neural.batches import budget_batches, epoch_batches, swapped_rows

TEXTS = ["the cat", "a dog runs quickly today .", "the " * 30, "", "old house", "is wide " * 9, "cats", "zzz the"]


@pytest.mark.parametrize("length", [8, 9, 16, 23, 40])
def test_rows_are_those_of_the_tokenizer(length: int, bert_folder: Path) -> None:
    from otherwords.learn.neural.base_models import load_tokenizer
    from otherwords.learn.neural.pair_tokens import TokenReader, frame_of

    tokenizer = load_tokenizer(bert_folder)
    pairs = [(first, second) for first in TEXTS for second in TEXTS]
    columns = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    tokens = TokenReader(tokenizer, frame_of(tokenizer, bert_folder), length).tokens(*columns)
    rows = np.arange(len(pairs))
    for swapped, sides in ((None, columns), (np.ones(len(pairs), bool), columns[::-1])):
        expected = tokenizer(*sides, truncation="longest_first", max_length=length, padding=True, return_tensors="np")
        found = tokens.arrays(rows, swapped)
        if swapped is None:
            for name in ("input_ids", "attention_mask", "token_type_ids"):
                assert (found[name] == expected[name]).all(), name
        assert (found["attention_mask"].sum(1) == expected["attention_mask"].sum(1)).all()
    cut = tokens.cut
    whole = [len(tokens) for tokens in tokenizer(*columns)["input_ids"]]
    assert (cut == (np.array(whole) > length)).all()


def test_batches_of_an_epoch_have_every_row_once() -> None:
    lengths = np.random.default_rng(0).integers(3, 40, 1001)
    batches = epoch_batches(lengths, 8, seed=1, epoch=2)
    assert sorted(np.concatenate(batches).tolist()) == list(range(1001))
    assert max(map(len, batches)) == 8
    again = epoch_batches(lengths, 8, seed=1, epoch=2)
    assert all((rows == other).all() for rows, other in zip(batches, again, strict=True))
    other_epoch = epoch_batches(lengths, 8, seed=1, epoch=3)
    assert any(rows.tolist() != other.tolist() for rows, other in zip(batches, other_epoch, strict=True))
    spread = np.mean([np.ptp(lengths[rows]) for rows in batches])
    assert spread < 3  # of 37: rows of similar length are together


def test_half_of_the_pairs_are_swapped() -> None:
    swapped = swapped_rows(1000, seed=0, epoch=0)
    assert 400 < swapped.sum() < 600
    assert (swapped == swapped_rows(1000, seed=0, epoch=0)).all()
    assert (swapped != swapped_rows(1000, seed=0, epoch=1)).any()


def test_batches_by_tokens_hold_the_budget() -> None:
    lengths = np.array([5, 30, 2, 9, 100, 4, 7])
    batches = list(budget_batches(lengths, 20))
    assert sorted(np.concatenate(batches).tolist()) == list(range(7))
    assert all(len(rows) == 1 or len(rows) * lengths[rows].max() <= 20 for rows in batches)
    assert batches[-1].tolist() == [4]
