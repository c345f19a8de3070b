"""The training loop: a killed training ends like one that was not, and what it does on the way."""

from __future__ import annotations

import json
import math
import shutil
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from otherwords.learn.data.task import binary_task, bootstrapped_task, label_task
from otherwords.learn.ladder import LADDER, PairClassifier, TrainingContext
from otherwords.learn.runs.request import ClassifierRequest, train_classifier
from tests.errors import raises
from tests.learn.labelled import pairs, write
from tests.learn.neural.tiny import OPTIONS, examples

LABELS = ("4", "2", "4>", "3", "4<i", "4s", "2", "3")


class Killed(Exception):
    """In place of a signal."""


def train(kind: str, labels: tuple[str, ...], context: TrainingContext, **options: Any) -> PairClassifier:
    rung = LADDER.get(kind)
    task = {"p": binary_task, "n": bootstrapped_task}.get(labels[0][0], lambda: label_task(LABELS))()
    return rung.train(task, examples(labels, 26), examples(labels, 9, "dev"), rung.decode(OPTIONS | options), context)


@pytest.fixture
def every_third_step(bert_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock by which a checkpoint is due after every third step."""
    from otherwords.learn.neural import loop

    ticks = count()
    monkeypatch.setattr(loop, "monotonic", lambda: float(next(ticks)))
    monkeypatch.setattr(loop, "CHECKPOINT_SECONDS", 3.0)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.mark.usefixtures("every_third_step")
@pytest.mark.parametrize(("kind", "killed_at"), [("four-heads", 5), ("four-heads", 11), ("transformer", 8)])
def test_a_killed_training_ends_like_one_that_was_not(
    kind: str, killed_at: int, bert_folder: Path, tmp_path: Path
) -> None:
    def progress(done: int, total: int | None) -> None:
        assert total == 14
        if done == killed_at:
            raise Killed

    curves: list[list[Any]] = [[], []]
    for name in ("whole", "killed", "whole-model", "killed-model"):
        (tmp_path / name).mkdir()
    first = TrainingContext(seed=3, checkpoints=tmp_path / "whole", curve=curves[0].append)
    whole = train(kind, LABELS, first, base=str(bert_folder))
    with pytest.raises(Killed):
        train(
            kind,
            LABELS,
            TrainingContext(seed=3, checkpoints=tmp_path / "killed", progress=progress),
            base=str(bert_folder),
        )
    steps: list[int] = []
    again = TrainingContext(
        seed=3, checkpoints=tmp_path / "killed", curve=curves[1].append, progress=lambda done, total: steps.append(done)
    )
    resumed = train(kind, LABELS, again, base=str(bert_folder))
    assert 0 < steps[0] < killed_at  # it went on from a checkpoint, and did some steps again
    whole.save(tmp_path / "whole-model")
    resumed.save(tmp_path / "killed-model")
    assert files(tmp_path / "whole-model") == files(tmp_path / "killed-model")
    assert json.dumps(curves[0]) == json.dumps(curves[1])  # not a number is written in another way
    texts = examples(LABELS, 9, "dev").texts
    for table, other in zip(whole.probabilities(*texts), resumed.probabilities(*texts), strict=True):
        assert (table == other).all()


def test_a_finished_training_is_not_repeated(bert_folder: Path, tmp_path: Path) -> None:
    steps: list[int] = []
    for _ in range(2):
        context = TrainingContext(checkpoints=tmp_path, progress=lambda done, total: steps.append(done))
        train("four-heads", ("positive", "negative"), context, base=str(bert_folder), epochs=1)
    assert steps == [1, 2, 3, 4, 5, 6, 7, 7]


def test_a_killed_training_does_not_go_on_with_another_base(bert_folder: Path, tmp_path: Path) -> None:
    base = shutil.copytree(bert_folder, tmp_path / "base")
    corpus = write(tmp_path / "pairs.jsonl", pairs(40))
    request = ClassifierRequest(
        paths=(str(corpus),), model="transformer", out=str(tmp_path / "run"), settings=OPTIONS | {"base": str(base)}
    )

    def progress(done: int, total: int | None) -> None:
        if done == total:
            raise Killed  # in the last epoch, so that there is a checkpoint

    with pytest.raises(Killed):
        train_classifier(request, progress)
    checkpoints = tmp_path / "run" / "checkpoints"
    before = (checkpoints / "key").read_text("utf-8")
    assert (checkpoints / "training.pt").is_file()
    config = json.loads((base / "config.json").read_text("utf-8"))
    (base / "config.json").write_text(json.dumps(config | {"layer_norm_eps": 0.1}), "utf-8")
    steps: list[int] = []
    run = train_classifier(request, lambda done, total: steps.append(done))
    assert steps[0] == 1
    assert run.record.key != before
    (base / "config.json").write_text(json.dumps(config), "utf-8")
    with raises("another-run", "files that it begins with"):
        train_classifier(request)


def test_a_damaged_checkpoint_says_what_to_do(bert_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "training.pt").write_bytes(b"not a checkpoint")
    with raises("checkpoint-unreadable", "delete it to begin anew"):
        train("four-heads", ("positive", "negative"), TrainingContext(checkpoints=tmp_path), base=str(bert_folder))


def test_accumulated_gradients_are_those_of_one_batch(bert_folder: Path) -> None:
    import torch

    from otherwords.learn.neural.networks import head_losses

    torch.manual_seed(0)
    logits = torch.randn(6, 3, dtype=torch.float64, requires_grad=True)
    targets = torch.tensor([[0], [1], [-1], [2], [-1], [1]])
    (head_losses([logits], targets, None) / 6).backward()
    whole, logits.grad = logits.grad.clone(), None
    for part in (slice(0, 2), slice(2, 6)):
        (head_losses([logits[part]], targets[part], None) / 6).backward()
    assert torch.equal(whole, logits.grad)
    assert (whole[[2, 4]] == 0).all()


def test_the_rate_rises_and_falls(bert_folder: Path) -> None:
    from otherwords.learn.neural.loop import rate_factor

    factors = [rate_factor(step, 100, 0.06) for step in range(101)]
    assert factors[5] < factors[6] == 1.0
    assert factors[6:] == sorted(factors[6:], reverse=True)
    assert factors[100] == 0
    assert math.isclose(factors[53], 0.5)
    assert rate_factor(0, 1, 0.0) == 1.0


def test_early_stopping(bert_folder: Path) -> None:
    points: list[Any] = []
    context = TrainingContext(curve=points.append)
    train("four-heads", ("positive",), context, base=str(bert_folder), epochs=9, patience=1, rate=1e-9, head_rate=1e-9)
    assert 2 <= len(points) < 9
    assert set(points[0]) == {"step", "epoch", "train_loss", "dev_loss", "dev_f1", "dev_accuracy"}


def test_a_batch_that_does_not_fit_says_which_does(bert_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from otherwords.learn.neural.networks import PooledEncoder

    fits = PooledEncoder.losses

    def losses(self: Any, batch: Any, targets: Any, weights: Any) -> Any:
        if len(targets) > limit:
            raise RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried to allocate")
        return fits(self, batch, targets, weights)

    monkeypatch.setattr(PooledEncoder, "losses", losses)
    limit = 3
    with raises("out-of-memory", r"--set batch=2 --set accumulate=4"):
        train("four-heads", ("positive", "negative"), TrainingContext(), base=str(bert_folder), batch=8)
    limit = 0
    with raises("out-of-memory", "nor does a single pair"):
        train("four-heads", ("positive", "negative"), TrainingContext(), base=str(bert_folder), batch=8)


def test_classes_that_are_rare_count_more(bert_folder: Path) -> None:
    from otherwords.learn.neural.loop import class_weights

    class Network:
        classes = (2, 3)

    targets = np.array([[0, -1], [0, -1], [0, 2], [1, 2]])
    first, second = class_weights(Network(), targets, "cpu")
    assert first.tolist() == pytest.approx([4 / 6, 2.0])
    assert second.tolist() == [1.0, 1.0, 1.0]


def test_the_device(bert_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from otherwords.learn.neural.devices import Precision, mixed_precision

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with raises("no-gpu", "--device cpu"):
        train("four-heads", ("positive", "negative"), TrainingContext(device="cuda"), base=str(bert_folder))
    assert mixed_precision("cpu", True) == Precision()
    assert mixed_precision("cuda", True) == Precision("bfloat16")
    assert mixed_precision("cuda", False) == Precision("float16", scaled=True)


def test_mixed_precision_is_used_where_it_is_chosen(bert_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The way of a graphics card, on a processor."""
    import torch

    from otherwords.learn.neural import loop
    from otherwords.learn.neural.devices import Precision
    from otherwords.learn.neural.networks import PooledEncoder

    types = set()
    original = PooledEncoder.logits

    def logits(self: Any, batch: Any) -> Any:
        made = original(self, batch)
        types.add((self.training, made[0].dtype))
        return made

    monkeypatch.setattr(loop, "precision_of", lambda device: Precision("bfloat16"))
    monkeypatch.setattr(PooledEncoder, "logits", logits)
    train("four-heads", ("positive", "negative"), TrainingContext(), base=str(bert_folder), epochs=1)
    assert types == {(True, torch.bfloat16), (False, torch.float32)}
