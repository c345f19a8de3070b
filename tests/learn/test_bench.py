"""The bench of the ladder in its short form: invented pairs, the same code."""

from __future__ import annotations

from pathlib import Path

import pytest
from bench.classify import Rung, at_random, climb, extraction_rate, interval

from otherwords.learn.data.parts import LabelledParts, PartOptions, read_parts_of
from tests.learn import labelled


@pytest.fixture
def parts(tmp_path: Path) -> LabelledParts:
    path = labelled.write(tmp_path / "pairs.jsonl", labelled.pairs(120))
    return read_parts_of([path], PartOptions(split="80/20"))


def test_a_target_is_reached_or_missed(parts: LabelledParts, capsys: pytest.CaptureFixture[str]) -> None:
    features = Rung(
        "features", "features", {"encoder": "none", "rounds": 5, "models": 1}, accuracy=0.9, f1=0.9, seeds=(0,)
    )
    assert climb("invented", [features], "en", lambda seed: parts)
    assert not climb("invented", [Rung("majority", "majority", {}, accuracy=0.9, seeds=(0,))], "en", lambda seed: parts)
    assert not climb("invented", [Rung("bow", "bow", {}, at_chance=True, seeds=(0,))], "en", lambda seed: parts)
    printed = capsys.readouterr().out
    assert printed.count("reached") == 1
    assert printed.count("MISSED") == 2


def test_complete_labels_are_decoded_as_dev_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = labelled.write(tmp_path / "pairs.jsonl", labelled.turku_pairs(120))
    read = read_parts_of([path], PartOptions(task="labels", split="80/20"))
    rung = Rung("features", "features", {"encoder": "none", "rounds": 3, "models": 1}, seeds=(0,))
    assert climb("invented", [rung], "en", lambda seed: read)
    assert "nan" in capsys.readouterr().out  # complete labels have no area under a curve


def test_a_random_split_has_the_same_sizes(parts: LabelledParts) -> None:
    split = at_random(parts)
    assert [len(split.train), len(split.dev), len(split.tests[0])] == [
        len(parts.train),
        len(parts.dev),
        len(parts.tests[0]),
    ]
    ids = {pair.id for part in (split.train, split.dev, split.tests[0]) for pair in part.pairs}
    assert len(ids) == 120


def test_wilson_interval() -> None:
    assert interval(0.5, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)


def test_features_have_a_rate(parts: LabelledParts) -> None:
    assert extraction_rate(*parts.train.texts, "en") > 0
