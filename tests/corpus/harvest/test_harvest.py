"""A harvest: what it takes, what it leaves out, how precise it is, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from otherwords.api import mine
from otherwords.records import Pair
from otherwords.sources.reading import open_records, write_records
from tests.corpus.harvest.pool import judged_sample, mined
from tests.errors import raises


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("harvest")
    pairs = mined()
    write_records(pairs, folder / "pairs.jsonl")
    judged_sample(pairs, folder / "sample.jsonl")
    return folder


def read(path: Path) -> list[Pair]:
    with open_records(path) as records:
        return list(records.pairs())


def test_a_region_by_hand(place: Path, tmp_path: Path) -> None:
    out = tmp_path / "negatives.jsonl"
    region = "similarity<0.1 or p_negative>0.4"
    found = mine.harvest(place / "pairs.jsonl", out, sample=place / "sample.jsonl", side="negative", region=region)
    harvested, sampled = read(out), {pair.id for pair in read(place / "sample.jsonl")}
    assert len(harvested) == found.harvested > 100
    assert not sampled & {pair.id for pair in harvested}
    assert {pair.label for pair in harvested} == {"negative"}
    truth = sum(pair.meta["side"] == "negative" for pair in harvested) / len(harvested)
    assert found.precision.low <= truth <= found.precision.high
    assert found.powered is not None
    assert found.powered.low <= truth <= found.powered.high
    assert harvested[0].meta["harvest"]["precision"] == round(found.precision.estimate, 4)
    assert found.harvested + sum(found.left_out.values()) == found.pairs == 1200


def test_a_region_for_a_precision(place: Path, tmp_path: Path) -> None:
    out = tmp_path / "positives.jsonl"
    found = mine.harvest(place / "pairs.jsonl", out, sample=place / "sample.jsonl", side="positive", precision=0.85)
    assert found.chosen is not None
    assert found.chosen.low >= 0.85
    assert "p_positive >= " in found.region
    harvested = read(out)
    assert sum(pair.meta["side"] == "positive" for pair in harvested) >= 0.85 * len(harvested)


def test_what_is_refused(place: Path, tmp_path: Path) -> None:
    pairs, sample, out = place / "pairs.jsonl", place / "sample.jsonl", tmp_path / "out.jsonl"
    with raises("nothing-harvested", match="outside the region"):
        mine.harvest(pairs, out, sample=sample, side="negative", region="similarity>2")
    with raises("no-such-column", match="p_negative"):
        mine.harvest(pairs, out, sample=sample, side="negative", region="quality>0.5")
    with raises("precision-not-reached"):
        mine.harvest(pairs, out, sample=sample, side="negative", precision=0.9999)
    with raises("region-or-precision"):
        mine.harvest(pairs, out, sample=sample, side="negative")
    with raises("no-sample"):
        mine.harvest(pairs, out, sample=pairs, side="negative", region="similarity<0.1")
    other = tmp_path / "other.jsonl"
    write_records(mined(300, seed=1), other)
    with raises("sample-of-another-run"):
        mine.harvest(other, out, sample=sample, side="negative", region="similarity<0.1")
    one_side = tmp_path / "one.jsonl"
    write_records((msgspec.structs.replace(pair, label="negative") for pair in read(sample)), one_side)
    with raises("sample-of-one-side"):
        mine.harvest(pairs, out, sample=one_side, side="negative", region="similarity<0.1")
    assert not out.exists()


def test_without_a_classifier(place: Path, tmp_path: Path) -> None:
    plain = [msgspec.structs.replace(pair, meta={"side": pair.meta["side"]}) for pair in read(place / "pairs.jsonl")]
    pairs, out = tmp_path / "plain.jsonl", tmp_path / "out.jsonl"
    write_records(plain, pairs)
    sample = judged_sample(plain, tmp_path / "sample.jsonl")
    found = mine.harvest(pairs, out, sample=sample, side="negative", region="similarity<0.3")
    assert found.powered is None
    with raises("no-such-column", match="otherwords predict"):
        mine.harvest(pairs, out, sample=sample, side="negative", precision=0.9)
    with raises("no-confidence", match="otherwords predict"):
        mine.tiles(sample)


def test_tiles_show_the_third_to_choose_on(place: Path, tmp_path: Path) -> None:
    third = mine.tiles(place / "sample.jsonl", plot=tmp_path / "tiles.svg")
    whole = mine.tiles(place / "sample.jsonl", everything=True)
    counts = [sum(tile.n for tile in found.tiles) for found in (third, whole)]
    assert counts[1] == len(read(place / "sample.jsonl"))
    assert 0.25 < counts[0] / counts[1] < 0.36
    sure = [tile for tile in whole.tiles if tile.confidence == 0.8]
    assert sum(tile.negatives for tile in sure) > 0.9 * sum(tile.n for tile in sure)
    assert "similarity" in (tmp_path / "tiles.svg").read_text()
