"""The transformer, the text-to-text model and the BiLSTM: trained, saved, loaded, and what they refuse."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from otherwords.errors import NotInstalled
from otherwords.learn.data.task import LabelTask, binary_task, label_task
from otherwords.learn.ladder import LADDER, PairClassifier, TrainingContext
from otherwords.learn.predictions import forget_cut
from otherwords.models.hugging_face import require
from tests.errors import raises
from tests.learn.neural.test_four_heads import FLAGS, by_the_card
from tests.learn.neural.tiny import OPTIONS, WORDS, examples

SIDES = ("positive", "negative")


def train(
    kind: str, task: LabelTask, labels: tuple[str, ...], context: TrainingContext | None = None, **options: Any
) -> Any:
    rung = LADDER.get(kind)
    given = rung.decode(OPTIONS | {"epochs": 1} | options)
    trained = rung.train(task, examples(labels, 14), examples(labels, 6, "dev"), given, context or TrainingContext())
    return trained, lambda folder: rung.load(folder, task, given, context or TrainingContext())


def same(first: PairClassifier, second: PairClassifier, texts: Any) -> bool:
    tables = zip(first.probabilities(*texts), second.probabilities(*texts), strict=True)
    return all((table == other).all() for table, other in tables)


@pytest.mark.parametrize("pooling", ["first", "mean"])
def test_a_transformer_loads_without_otherwords(pooling: str, bert_folder: Path, tmp_path: Path) -> None:
    task = label_task(FLAGS)
    trained, load = train("transformer", task, FLAGS, base=str(bert_folder), pooling=pooling, class_weights=True)
    trained.save(tmp_path)
    test = examples(FLAGS, 8, "test")
    assert same(trained, load(tmp_path), test.texts)
    heads = trained.probabilities(*test.texts)
    assert all(table.sum(axis=1) == pytest.approx(1) for table in heads)
    probabilities = by_the_card(tmp_path)["probabilities"]
    for row, pair in enumerate(test.pairs):
        by_card = probabilities(pair.text1, pair.text2)
        by_card = by_card if pooling == "first" else by_card["label"]
        assert tuple(by_card) == task.labels
        assert by_card["2"] == pytest.approx(heads[0][row, task.heads[0].classes.index("2")], abs=1e-5)


def test_the_order_and_the_batches_of_pairs_change_nothing(bert_folder: Path) -> None:
    from otherwords.learn.neural.batches import class_probabilities

    trained, _ = train("transformer", binary_task(), SIDES, base=str(bert_folder))
    texts = [column.to_pylist() for column in examples(SIDES, 40, "test").texts]
    pairs, _ = trained.reader.prepare(*texts)
    together = class_probabilities(trained.network, pairs, "cpu", tokens=4000)[0]
    alone = class_probabilities(trained.network, pairs, "cpu", tokens=1)[0]
    assert together == pytest.approx(alone, abs=1e-5)
    assert (together.argmax(1) == alone.argmax(1)).all()
    turned = trained.probabilities(*(pa.array(texts[side][::-1]) for side in (0, 1)))[0]
    assert turned[::-1] == pytest.approx(together, abs=1e-5)


def test_pairs_that_are_too_long_are_counted(bert_folder: Path) -> None:
    notes: list[str] = []
    train("transformer", binary_task(), SIDES, TrainingContext(note=notes.append), base=str(bert_folder), length=10)
    assert len(notes) == 2
    assert "training pairs are longer than 10 tokens" in notes[0]


def test_pairs_that_are_too_long_are_counted_in_predictions_too(bert_folder: Path) -> None:
    trained, _ = train("transformer", binary_task(), SIDES, TrainingContext(), base=str(bert_folder), length=10)
    forget_cut(trained)
    trained.probabilities(pa.array(["the cat", "the cat " * 9]), pa.array(["a dog", "a dog"]))
    assert forget_cut(trained) == "1 × longer than 10 tokens; the ends of the texts were not read"
    trained.probabilities(pa.array(["the cat"]), pa.array(["a dog"]))
    assert forget_cut(trained) is None


def test_pairs_with_labels_of_an_unknown_scheme_are_not_swapped(bert_folder: Path) -> None:
    notes: list[str] = []
    labels = ("entails", "neither")
    train("four-heads", label_task(labels), labels, TrainingContext(note=notes.append), base=str(bert_folder))
    assert any("the other way round" in note for note in notes)


@pytest.mark.parametrize("kind", ["transformer", "four-heads", "text-to-text"])
def test_checkpoints_that_cannot_be_used(kind: str, bert_folder: Path, tmp_path: Path) -> None:
    with raises("model-missing", "nowhere"):
        train(kind, binary_task(), SIDES, base=str(tmp_path / "nowhere"))
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    with raises("wrong-model"):
        train(kind, binary_task(), SIDES, base=str(tmp_path))


def test_models_of_another_architecture(bert_folder: Path, t5_folder: Path) -> None:
    with raises("wrong-model", "it holds T5ForConditionalGeneration"):
        train("transformer", binary_task(), SIDES, base=str(t5_folder))
    with raises("wrong-model", "it holds BertModel"):
        train("text-to-text", binary_task(), SIDES, base=str(bert_folder))
    with raises("bad-parameter", "base=FOLDER"):
        train("text-to-text", binary_task(), SIDES)


def test_text_to_text(t5_folder: Path, tmp_path: Path) -> None:
    """It learns to write one label, so what it writes freely is what has the highest probability among the labels."""
    options = {"length": 30, "rate": 2e-2, "epochs": 12, "patience": 0}
    trained, load = train("text-to-text", binary_task(), SIDES[:1], base=str(t5_folder), **options)
    test = examples(SIDES, 6, "test")
    table = trained.probabilities(*test.texts)[0]
    assert table.sum(axis=1) == pytest.approx(1)
    assert (table[:, 1] > 0.5).all()
    trained.save(tmp_path)
    assert same(trained, load(tmp_path), test.texts)
    label = by_the_card(tmp_path)["label"]
    assert {label(pair.text1, pair.text2) for pair in test.pairs} == {"equivalent"}


def test_labels_that_cannot_be_written(t5_folder: Path) -> None:
    with raises("labels-unwritable", "4>"):
        train("text-to-text", label_task(FLAGS), FLAGS, base=str(t5_folder))


@pytest.mark.parametrize("suffix", [".vec", ".npz"])
def test_bilstm(suffix: str, bert_folder: Path, tmp_path: Path) -> None:
    vectors = np.random.default_rng(0).normal(size=(len(WORDS) - 2, 6)).astype(np.float32)
    file = tmp_path / f"words{suffix}"
    if suffix == ".npz":
        np.savez(file, words=WORDS[:-2], vectors=vectors)
    else:
        lines = [f"{word} {' '.join(map(str, row))}" for word, row in zip(WORDS, vectors, strict=False)]
        file.write_text("\n".join([f"{len(vectors)} 6", *lines]) + "\n", "utf-8")
    notes: list[str] = []
    trained, load = train("bilstm", binary_task(), SIDES, TrainingContext(note=notes.append), vectors=str(file))
    assert any("1 of 13 different words" in note for note in notes)
    (tmp_path / "model").mkdir()
    trained.save(tmp_path / "model")
    test = examples(SIDES, 6, "test")
    assert same(trained, load(tmp_path / "model"), test.texts)
    import torch

    pairs, _ = trained.reader.prepare(*(column.to_pylist() for column in test.texts))
    batch = pairs.tensors(np.arange(6), "cpu")
    is_paraphrase = by_the_card(tmp_path / "model")["is_paraphrase"]
    for row, positive in enumerate(trained.probabilities(*test.texts)[0][:, 1] > 0.5):
        texts = [batch[f"vectors{side}"][row, : batch[f"lengths{side}"][row]] for side in (1, 2)]
        with torch.no_grad():
            assert bool(is_paraphrase(*texts)) == positive


@pytest.mark.parametrize("content", ["", "cat 1 2\ndog 1\n", "cat one two\n", "2 3\n"])
def test_files_of_vectors_that_cannot_be_read(content: str, bert_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "words.vec").write_text(content)
    with raises("vectors-unreadable", "words.vec"):
        train("bilstm", binary_task(), SIDES, vectors=str(tmp_path / "words.vec"))


def test_vectors_must_be_named(bert_folder: Path, tmp_path: Path) -> None:
    with raises("no-vectors", r"vectors:fi") as caught:
        train("bilstm", binary_task(), SIDES)
    assert isinstance(caught.value, NotInstalled)  # an optional step of a recipe goes without it
    with raises("model-missing"):
        train("bilstm", binary_task(), SIDES, vectors=str(tmp_path / "none.vec"))


@pytest.mark.parametrize("kind", ["transformer", "four-heads", "text-to-text", "bilstm"])
def test_the_install_line(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with raises("missing-extra", r"pip install 'otherwords\[hf\]'"):
        train(kind, binary_task(), SIDES, **({} if kind == "bilstm" else {"base": "somewhere"}))


def test_a_library_that_cannot_be_loaded_is_not_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unmapped:
        """An importer that fails as one does under a limit of memory."""

        @staticmethod
        def find_spec(name: str, path: object = None, target: object = None) -> None:
            if name == "torch":
                raise ImportError("libtorch_cpu.so: failed to map segment from shared object")

    monkeypatch.delitem(sys.modules, "torch", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Unmapped, *sys.meta_path])
    with raises("torch-unloadable", "too little memory"):
        require("the classifier transformer")
