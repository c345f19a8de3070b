"""BERTScore has the values of bert-score, whatever else is in the list; what is made of it is in range."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from otherwords.errors import UsageError
from otherwords.measures.agreement.resampling import Bootstrap
from otherwords.measures.generation.metric import GeneratedTexts, generation_metric
from tests.learn.neural.conftest import bert_folder as bert_folder

SOURCES = ["the cat sat on the mat", "a small house", "old trees", "the dog ran"]
OUTPUTS = ["on the mat sat a cat", "a small house", "", "a dog ran in the old house by the tree"]
SETS = [("a cat was on the mat", "the mat had a cat"), ("a little house",), ("trees that are old",), ("the dog ran",)]


def test_equal_to_bert_score(bert_folder: Path) -> None:
    bert_score = pytest.importorskip("bert_score")
    from transformers import AutoConfig

    layers = AutoConfig.from_pretrained(bert_folder).num_hidden_layers
    metric = generation_metric(f"bertscore:model=hf:{bert_folder}?pooling=mean")
    found = metric.evidence(GeneratedTexts(SOURCES, OUTPUTS, SETS)).scores
    scorer = bert_score.BERTScorer(model_type=str(bert_folder), num_layers=layers, device="cpu")
    scorer._tokenizer.model_max_length = 64  # the tiny one has no limit, which bert-score cannot pass on
    rows = [0, 1, 3]  # bert-score has no number for an empty text
    _, _, peer = scorer.score([OUTPUTS[row] for row in rows], [list(SETS[row]) for row in rows])
    np.testing.assert_allclose(found[rows], peer.numpy(), atol=1e-6)
    assert found[2] == 0.0


@pytest.mark.parametrize("name", ["bertscore", "bert-ibleu", "parascore"])
def test_the_length_of_the_list_changes_nothing(bert_folder: Path, name: str) -> None:
    metric, whole = (
        generation_metric(f"{name}:model=hf:{bert_folder}?pooling=mean"),
        GeneratedTexts(SOURCES, OUTPUTS, SETS),
    )
    together = metric.evidence(whole).scores
    alone = [metric.evidence(whole.take([row])).scores[0] for row in range(4)]
    np.testing.assert_array_equal(together, alone)
    backwards = metric.evidence(whole.take([3, 2, 1, 0]).in_order()).overall(Bootstrap(20))
    assert backwards == metric.evidence(whole.in_order()).overall(Bootstrap(20))


def test_a_copy_is_worth_nothing(bert_folder: Path) -> None:
    scores = (
        generation_metric(f"bert-ibleu:model=hf:{bert_folder}?pooling=mean")
        .evidence(GeneratedTexts(SOURCES, OUTPUTS))
        .scores
    )
    assert scores[1] == 0.0
    assert 0 < scores[0] < 1


def test_an_encoder_of_whole_texts_only_is_refused() -> None:
    with pytest.raises(UsageError) as problem:
        generation_metric("bertscore:model=vectors:fi").signature()
    assert problem.value.code in ("no-token-vectors", "missing-extra")
