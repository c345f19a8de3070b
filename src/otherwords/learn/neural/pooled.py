"""Classifiers on an encoder whose output is pooled for one or more heads: how they are made and written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from otherwords.learn.data.task import Task
from otherwords.learn.ladder import TrainingContext
from otherwords.learn.neural.base_models import load_encoder, load_tokenizer, longest_input
from otherwords.learn.neural.devices import chosen_device, seeded
from otherwords.learn.neural.networks import PooledEncoder
from otherwords.learn.neural.options import EncoderOptions
from otherwords.learn.neural.pair_reader import TokenReader
from otherwords.learn.neural.pair_tokens import frame_of
from otherwords.learn.neural.saving import POOLED, HeadsConfig, save_heads, write_card
from otherwords.learn.neural.trained import NeuralClassifier


def pooled_classifier(
    folder: Path,
    task: Task,
    pooling: str,
    heads: Mapping[str, tuple[str, ...]],
    title: str,
    options: EncoderOptions,
    context: TrainingContext,
    *,
    complete: bool = False,
) -> NeuralClassifier:
    """A classifier on the encoder in a folder, with heads that have learnt nothing yet."""
    device = chosen_device(context.device)
    tokenizer = load_tokenizer(folder)
    with seeded(context.seed):
        encoder = load_encoder(folder)
        network = PooledEncoder(encoder, pooling, {name: len(classes) for name, classes in heads.items()})
    length = longest_input(tokenizer, encoder, options.length)

    def write(classifier: Any, target: Path) -> None:
        classifier.network.encoder.save_pretrained(target)
        tokenizer.save_pretrained(target)
        save_heads(classifier.network, HeadsConfig(pooling, length, dict(heads)), target)
        write_card(target, title, task, options.base, POOLED.format())

    reader = TokenReader(tokenizer, frame_of(tokenizer, folder), length)
    return NeuralClassifier(task, network.to(device), reader, write, complete, device)
