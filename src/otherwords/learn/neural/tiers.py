"""Faster forms of a trained encoder for large numbers of pairs, by OpenVINO.

``exact`` computes the same numbers in 32 bits, ``int8`` in whole numbers of eight bits whose ranges NNCF finds out from
calibration pairs; how much that changes is for the caller to measure and print (:func:`tier_loss`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import torch

from otherwords.errors import UsageError
from otherwords.learn.data.task import LabelTask, Probabilities
from otherwords.learn.ladder import PairClassifier
from otherwords.learn.neural.pair_tokens import TokenReader
from otherwords.learn.neural.trained import NeuralClassifier
from otherwords.models.fixed_shapes import (
    CALIBRATION_INPUTS,
    Inputs,
    Rows,
    Tier,
    compute,
    quantized,
    quiet,
    request_queue,
    require_tier,
)


class TierLoss:
    """How far a faster form is from the model itself."""

    def __init__(self, exact: Sequence[Probabilities], fast: Sequence[Probabilities]) -> None:
        self.pairs = len(exact[0])
        changed = np.zeros(self.pairs, bool)
        for table, other in zip(exact, fast, strict=True):
            changed |= table.argmax(axis=1) != other.argmax(axis=1)
        self.changed = float(changed.mean())
        self.difference = max(float(np.abs(table - other).max()) for table, other in zip(exact, fast, strict=True))

    def __str__(self) -> str:
        return f"{self.changed:.1%} of {self.pairs:,} decisions changed, probabilities by at most {self.difference:.3f}"


@dataclass(slots=True)
class FastClassifier:
    """A classifier whose network is computed by OpenVINO."""

    original: NeuralClassifier
    queue: Any = field(repr=False)

    @property
    def task(self) -> LabelTask:
        return self.original.task

    @property
    def cut(self) -> Counter[str]:
        return self.original.cut

    def probabilities(self, texts1: pa.Array, texts2: pa.Array) -> list[Probabilities]:
        reader = self.original.reader
        assert isinstance(reader, TokenReader)
        tokens = reader.tokens(texts1.to_pylist(), texts2.to_pylist())
        self.cut[reader.limit] += int(tokens.cut.sum())
        tables = [np.zeros((len(tokens.lengths), classes)) for classes in self.original.network.classes]
        names = input_names(self.original)

        def inputs(rows: Rows, width: int) -> Inputs:
            arrays = tokens.arrays(rows, None, width)
            return {name: arrays[name] for name in names}

        def keep(request: Any, rows: Rows) -> None:
            for number, table in enumerate(tables):
                logits = request.get_output_tensor(number).data[: len(rows)].astype(np.float64)
                shares = np.exp(logits - logits.max(axis=1, keepdims=True))
                table[rows] = shares / shares.sum(axis=1, keepdims=True)

        compute(self.queue, tokens.lengths, reader.longest, inputs, keep)
        return self.original.heads(tables)

    def save(self, folder: Path) -> None:
        self.original.save(folder)


def faster(
    classifier: PairClassifier, tier: Tier, calibration: tuple[pa.Array, pa.Array] | None = None
) -> FastClassifier:
    """A faster form of a trained encoder; ``int8`` needs pairs like those that it will read."""
    if not isinstance(classifier, NeuralClassifier) or not isinstance(classifier.reader, TokenReader):
        message = "only classifiers on an encoder have faster forms (transformer, four-heads); leave out --tier"
        raise UsageError(message, code="no-tier")
    if tier == "int8" and (calibration is None or not len(calibration[0])):
        raise UsageError("int8 needs pairs to calibrate it with", code="no-calibration")
    openvino, _ = require_tier(tier)
    graph = quiet(lambda: _graph(openvino, classifier))
    if tier == "exact" or calibration is None:
        return FastClassifier(classifier, request_queue(graph))
    columns = [column.slice(0, CALIBRATION_INPUTS).to_pylist() for column in calibration]
    tokens = classifier.reader.tokens(*columns)
    names = input_names(classifier)
    rows = [tokens.arrays(np.array([row]), None) for row in range(len(columns[0]))]
    small = quantized(graph, [{name: arrays[name] for name in names} for arrays in rows])
    return FastClassifier(classifier, request_queue(small))


def tier_loss(classifier: PairClassifier, fast: PairClassifier, texts1: pa.Array, texts2: pa.Array) -> TierLoss:
    """Compare a faster form with the model itself on some pairs."""
    return TierLoss(classifier.probabilities(texts1, texts2), fast.probabilities(texts1, texts2))


def input_names(classifier: NeuralClassifier) -> list[str]:
    """What the network reads, in a fixed order."""
    assert isinstance(classifier.reader, TokenReader)
    names = ["input_ids", "attention_mask"] + ["token_type_ids"] * classifier.reader.frame.typed
    return names + ["spans"] * (getattr(classifier.network, "pooling", "") == "five")


def _graph(ov: Any, classifier: NeuralClassifier) -> Any:
    """The network as a graph of OpenVINO, traced with an example."""
    assert isinstance(classifier.reader, TokenReader)
    names = input_names(classifier)
    arrays = classifier.reader.tokens(["a b c", "a"], ["a", "a b"]).arrays(np.arange(2), None)
    network = classifier.network.to("cpu").eval()
    inner = getattr(network, "model", None) or network.encoder
    attention = inner.config._attn_implementation
    inner.set_attn_implementation("eager")
    try:
        example = {name: torch.from_numpy(arrays[name]) for name in names}
        graph = ov.convert_model(_traced(network, names), example_input=tuple(example.values()))
    finally:
        inner.set_attn_implementation(attention)
        network.to(classifier.device)
    for name, port in zip(names, graph.inputs, strict=True):
        port.get_tensor().set_names({name})
    graph.reshape({name: [-1, 4 if name == "spans" else -1] for name in names})
    return graph


def _traced(network: Any, names: Sequence[str]) -> Any:
    class Logits(torch.nn.Module):  # type: ignore[misc]
        """The network with one argument per input."""

        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, *inputs: Any) -> tuple[Any, ...]:
            return tuple(self.network.logits(dict(zip(names, inputs, strict=True))))

    return Logits().eval()
