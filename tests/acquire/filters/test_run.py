"""A file through rules: what is kept stays as it was, what is rejected is counted and written with its reason."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from otherwords.acquire.filters import run
from otherwords.acquire.filters.run import filter_file
from otherwords.records import Pair
from otherwords.sources.blocks import parquet_columns, reading
from otherwords.sources.reading import open_records, write_records
from tests.errors import raises

RULES = ["length:min=2", "ratio", "numbers", "copies"]


def some_pairs(count: int = 200) -> list[Pair]:
    chance = random.Random(3)
    words = ["the", "cat", "dog", "sleeps", "runs", "on", "under", "a", "sofa", "table", "5", "50", "red", "old"]
    pairs = []
    for number in range(count):
        text1, text2 = (" ".join(chance.choices(words, k=chance.randint(1, 7))) for _ in range(2))
        same = number % 17 == 0
        lang = ("en", "fi", None)[number % 3]
        pairs.append(Pair(id=f"p{number}", text1=text1, text2=text1.upper() if same else text2, lang=lang))
    return pairs


def read(path: Path) -> list[Pair]:
    with open_records(path) as corpus:
        return list(corpus.pairs())


@pytest.mark.parametrize("suffix", ["jsonl", "parquet", "csv"])
def test_kept_and_rejected_are_all_pairs_and_the_counts_add_up(tmp_path: Path, suffix: str) -> None:
    pairs = some_pairs()
    write_records(pairs, tmp_path / f"in.{suffix}")
    out, rejected = tmp_path / f"out.{suffix}", tmp_path / f"rejected.{suffix}"
    counts = filter_file(tmp_path / f"in.{suffix}", RULES, out=out, rejected=rejected).counts
    kept, dropped = read(out), read(rejected)
    assert (counts.pairs, counts.kept, counts.rejected) == (len(pairs), len(kept), len(dropped))
    assert kept == [pair for pair in pairs if pair.id in {pair.id for pair in kept}]  # unchanged, in order
    assert sorted(pair.id for pair in kept + dropped) == sorted(pair.id for pair in pairs)
    reasons = Counter(pair.meta["filter"]["reason"] for pair in dropped)
    assert reasons == {count.reason: count.first for count in counts.reasons if count.first}
    assert sum(count.first for count in counts.reasons) == counts.rejected
    assert len(reasons) >= 4


def test_alone_first_and_only_are_what_they_say(tmp_path: Path) -> None:
    write_records(some_pairs(), tmp_path / "in.jsonl")
    together = {count.reason: count for count in filter_file(tmp_path / "in.jsonl", RULES).counts.reasons}
    for spec in RULES:
        for count in filter_file(tmp_path / "in.jsonl", [spec]).counts.reasons:
            assert together[count.reason].alone == count.alone == count.first == count.only
    everything = filter_file(tmp_path / "in.jsonl", RULES).counts.rejected
    for spec in RULES:
        others = filter_file(tmp_path / "in.jsonl", [other for other in RULES if other != spec]).counts.rejected
        only = sum(count.only for count in together.values() if count.rule == spec)
        assert everything - others == only


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_parallel_equals_serial_and_blocks_do_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    write_records(some_pairs(), tmp_path / f"in.{suffix}")
    results = []
    for jobs, size in ((1, 1000), (3, 7)):
        monkeypatch.setattr(parquet_columns, "ROWS_PER_BLOCK", size)
        monkeypatch.setattr(reading, "PAIRS_PER_BLOCK", size)
        out, rejected = tmp_path / f"{jobs}.{suffix}", tmp_path / f"rejected-{jobs}.jsonl"
        counts = filter_file(tmp_path / f"in.{suffix}", RULES, out=out, rejected=rejected, examples=2, jobs=jobs).counts
        results.append((out.read_bytes(), rejected.read_bytes(), counts))
    assert results[0] == results[1]


def test_nothing_kept_is_an_error_with_the_counts(tmp_path: Path) -> None:
    write_records(
        [Pair(id="1", text1="a", text2="b"), Pair(id="2", text1="x y z", text2="x y z")], tmp_path / "in.jsonl"
    )
    out, rejected = tmp_path / "out.jsonl", tmp_path / "rejected.jsonl"
    with raises("nothing-kept", match="all 2 pairs: 1 × length: .*; 1 × copies: "):
        filter_file(tmp_path / "in.jsonl", ["length", "copies"], out=out, rejected=rejected)
    assert not out.exists()
    assert not rejected.exists()
    assert filter_file(tmp_path / "in.jsonl", ["length", "copies"]).counts.kept == 0  # only counted


def test_examples_are_drawn_by_their_ids(tmp_path: Path) -> None:
    pairs = some_pairs()
    write_records(pairs, tmp_path / "in.jsonl")
    write_records(pairs[::-1], tmp_path / "reversed.jsonl")
    forward, backward = (
        filter_file(tmp_path / f"{name}.jsonl", ["length:min=2"], examples=3).counts for name in ("in", "reversed")
    )
    assert forward == backward
    [examples] = [count.examples for count in forward.reasons if count.examples]
    assert len(examples) == 3
    assert all(example.value == 1.0 for example in examples)


def test_a_threshold_is_proposed_that_cuts_off_the_share(tmp_path: Path) -> None:
    pairs = [Pair(id=str(n), text1="w " * n, text2="v " * n) for n in range(1, 101)]
    write_records(pairs, tmp_path / "in.jsonl")
    specs = ["length:tok=blank", "ratio", "characters", "jaccard:max=0.5"]
    proposals = filter_file(tmp_path / "in.jsonl", specs, propose=0.05).proposals
    assert [proposal.spec for proposal in proposals] == [
        "length:tok=blank,min=6",
        "length:tok=blank,max=95",
        "ratio:min=1,max=1",
        "characters:min=1",
        "jaccard:min=0,max=0",
    ]
    assert [proposal.rejects for proposal in proposals] == [5, 5, 0, 0, 0]
    for proposal in proposals:
        assert sum(bar.pairs for bar in proposal.histogram) == proposal.pairs == 100
    assert proposals[0].quantiles["50%"] == 50.0
    for proposal in proposals[2:]:
        assert filter_file(tmp_path / "in.jsonl", [proposal.spec]).counts.rejected == 0
    counts = filter_file(tmp_path / "in.jsonl", ["length:tok=blank,min=6,max=95"]).counts
    assert counts.rejected == 10


def test_a_proposed_bound_keeps_what_lies_on_it(tmp_path: Path) -> None:
    pairs = [Pair(id=str(n), text1="a b c", text2="a b" if n < 50 else "c b a") for n in range(100)]
    write_records(pairs, tmp_path / "in.jsonl")
    [proposal] = filter_file(tmp_path / "in.jsonl", ["ratio"], propose=0.0).proposals  # two thirds, or one
    assert (proposal.spec, proposal.rejects) == ("ratio:min=0.666,max=1", 0)
    assert filter_file(tmp_path / "in.jsonl", [proposal.spec]).counts.rejected == 0


def test_files_that_are_the_same_are_refused(tmp_path: Path) -> None:
    write_records(some_pairs(3), tmp_path / "in.jsonl")
    with raises("same-file"):
        filter_file(tmp_path / "in.jsonl", RULES, out=tmp_path / "a.jsonl", rejected=tmp_path / "a.jsonl")
    with raises("no-rules"):
        filter_file(tmp_path / "in.jsonl", [])


def test_a_pair_keeps_the_rest_of_its_meta(tmp_path: Path) -> None:
    write_records([Pair(id="1", text1="a", text2="b", meta={"n": 1})], tmp_path / "in.jsonl")
    filter_file(tmp_path / "in.jsonl", ["length"], rejected=tmp_path / "no.jsonl")
    [pair] = read(tmp_path / "no.jsonl")
    verdict = {"rule": "length", "reason": "length: a text has fewer than 3 tokens", "value": 1.0}
    assert pair.meta == {"n": 1, run.VERDICT: verdict}
