"""The four-head model: what its heads learn from, and its files without otherwords."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from otherwords.learn.data.task import binary_task, bootstrapped_task, label_task
from otherwords.learn.ladder import LADDER, TrainingContext
from tests.learn.neural.tiny import OPTIONS, examples

FLAGS = ("4", "2", "4>", "3", "4<i", "4s")


def network_and_batch(folder: Path, labels: list[str]) -> tuple[Any, Any, Any]:
    import torch

    from otherwords.learn.classifiers import four_heads

    task = label_task(FLAGS)
    options = four_heads.PairEncoderOptions(base=str(folder), length=24)
    classifier = four_heads._classifier(folder, task, options, TrainingContext())
    given = examples(labels, len(labels))
    pairs, _ = classifier.reader.prepare(*(column.to_pylist() for column in given.texts))
    batch = pairs.tensors(np.arange(len(labels)), "cpu")
    return classifier.network.eval(), batch, torch.from_numpy(task.targets(labels))


def test_flags_have_no_gradient_unless_the_base_is_4(bert_folder: Path) -> None:
    network, batch, targets = network_and_batch(bert_folder, ["2", "3", "2", "3"])
    network.losses(batch, targets, None).backward()
    for name in ("arrow", "s", "i"):
        for parameter in network.heads[name].parameters():
            assert parameter.grad is not None
            assert bool((parameter.grad == 0).all())
    assert bool((network.heads["base"].weight.grad != 0).any())


def test_the_encoder_learns_from_the_base_alone_unless_it_is_4(bert_folder: Path) -> None:
    network, batch, targets = network_and_batch(bert_folder, ["2", "3", "2", "3"])
    network.losses(batch, targets, None).backward()
    found = {name: value.grad.clone() for name, value in network.encoder.named_parameters() if value.grad is not None}
    network.zero_grad()
    targets[:, 1:] = -1
    from otherwords.learn.neural.networks import head_losses

    head_losses(network.logits(batch)[:1], targets[:, :1], None).backward()
    assert found
    assert all(
        bool((found[name] == value.grad).all()) for name, value in network.encoder.named_parameters() if name in found
    )


def test_flags_learn_from_pairs_whose_base_is_4(bert_folder: Path) -> None:
    network, batch, targets = network_and_batch(bert_folder, ["2", "4>", "3"])
    network.losses(batch, targets, None).backward()
    assert all(bool((network.heads[name].weight.grad != 0).any()) for name in ("arrow", "s", "i"))


def test_the_five_vectors(bert_folder: Path) -> None:
    import torch

    from otherwords.learn.neural.networks import five_vectors

    hidden = torch.arange(8.0).reshape(1, 8, 1) + 1  # [CLS] A A A [SEP] B [SEP] [PAD]
    assert five_vectors(hidden, torch.tensor([[1, 4, 5, 6]])).tolist() == [[1.0, 5.0, 7.0, 3.0, 6.0]]
    assert five_vectors(hidden, torch.tensor([[1, 1, 2, 3]])).tolist() == [[1.0, 2.0, 4.0, 0.0, 3.0]]  # A is empty


@pytest.mark.parametrize(
    ("task", "labels"),
    [
        (label_task(FLAGS), FLAGS),
        (bootstrapped_task(), ("4", "neg", "4>", "3")),
        (binary_task(), ("positive", "negative")),
    ],
)
def test_a_saved_model_loads_without_otherwords(
    task: Any, labels: tuple[str, ...], bert_folder: Path, tmp_path: Path
) -> None:
    kind = LADDER.get("four-heads")
    options = kind.decode(OPTIONS | {"base": str(bert_folder), "epochs": 1})
    trained = kind.train(task, examples(labels, 12), examples(labels, 6, "dev"), options, TrainingContext())
    trained.save(tmp_path)
    test = examples(labels, 7, "test")
    tables = trained.probabilities(*test.texts)
    assert [table.shape[1] for table in tables] == [len(head.classes) for head in task.heads]
    loaded = kind.load(tmp_path, task, options, TrainingContext()).probabilities(*test.texts)
    assert all((table == other).all() for table, other in zip(tables, loaded, strict=True))
    names = by_the_card(tmp_path)
    for row, pair in enumerate(test.pairs):
        by_card = names["probabilities"](pair.text1, pair.text2)
        for head, table in zip(task.heads, tables, strict=True):
            assert list(by_card[head.name]) == list(head.classes)
            assert list(by_card[head.name].values()) == pytest.approx(table[row].tolist(), abs=1e-5)


def by_the_card(folder: Path) -> dict[str, Any]:
    """What the code in the card of a model defines."""
    code = re.findall(r"```python\n(.*?)```", (folder / "README.md").read_text("utf-8"), re.DOTALL)
    assert len(code) == 1
    assert "otherwords" not in code[0]
    names: dict[str, Any] = {"folder": str(folder)}
    exec(code[0], names)
    return names
