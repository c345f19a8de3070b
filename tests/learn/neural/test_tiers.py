"""Faster forms of a trained encoder: the same decisions in f32, counted changes in int8, a few fixed shapes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from otherwords.learn.data.task import binary_task, label_task
from otherwords.learn.ladder import LADDER, TrainingContext
from tests.errors import raises
from tests.learn.neural.test_four_heads import FLAGS
from tests.learn.neural.tiny import OPTIONS, examples

SIDES = ("positive", "negative")


def trained(kind: str, folder: Path, labels: tuple[str, ...], **options: Any) -> Any:
    rung = LADDER.get(kind)
    task = binary_task() if labels == SIDES else label_task(labels)
    given = rung.decode(OPTIONS | {"epochs": 1, "base": str(folder)} | options)
    return rung.train(task, examples(labels, 14), examples(labels, 6, "dev"), given, TrainingContext())


@pytest.mark.parametrize(("kind", "labels"), [("transformer", SIDES), ("four-heads", FLAGS)])
def test_the_exact_tier_gives_the_same(kind: str, labels: tuple[str, ...], bert_folder: Path) -> None:
    pytest.importorskip("openvino", reason="the extra int8 is not installed")
    from otherwords.learn.neural.tiers import faster

    classifier = trained(kind, bert_folder, labels)
    fast = faster(classifier, "exact")
    texts = examples(labels, 37, "test").texts
    for table, other in zip(classifier.probabilities(*texts), fast.probabilities(*texts), strict=True):
        assert other == pytest.approx(table, abs=1e-5)
        assert (table.argmax(axis=1) == other.argmax(axis=1)).all()


def test_the_int8_tier_says_what_it_changed(bert_folder: Path) -> None:
    for package in ("openvino", "nncf"):
        pytest.importorskip(package, reason="the extra int8 is not installed")
    from otherwords.learn.neural.tiers import faster, tier_loss

    classifier = trained("transformer", bert_folder, SIDES)
    fast = faster(classifier, "int8", examples(SIDES, 8).texts)
    loss = tier_loss(classifier, fast, *examples(SIDES, 40, "test").texts)
    assert loss.pairs == 40
    assert 0 < loss.difference < 0.2
    assert "of 40 decisions changed" in str(loss)


def test_losses_are_counted() -> None:
    pytest.importorskip("torch", reason="the extra hf is not installed")
    from otherwords.learn.neural.tiers import TierLoss

    exact = np.array([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8], [0.55, 0.45]])
    fast = np.array([[0.8, 0.2], [0.4, 0.6], [0.2, 0.8], [0.45, 0.55]])
    loss = TierLoss([exact], [fast])
    assert (loss.changed, loss.difference) == (0.25, pytest.approx(0.1))
    assert str(loss) == "25.0% of 4 decisions changed, probabilities by at most 0.100"


def test_what_has_no_faster_form(bert_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from otherwords.learn.neural.tiers import faster

    always = LADDER.get("always")
    constant = always.train(binary_task(), examples(SIDES, 4), examples(SIDES, 4), always.decode({}), TrainingContext())
    with raises("no-tier", "--tier"):
        faster(constant, "exact")
    classifier = trained("transformer", bert_folder, SIDES)
    with raises("no-calibration"):
        faster(classifier, "int8")
    monkeypatch.setitem(sys.modules, "openvino", None)
    with raises("missing-extra", r"otherwords\[int8\]"):
        faster(classifier, "exact")
