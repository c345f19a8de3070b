"""Faster forms of a trained encoder for large numbers of pairs, by OpenVINO.

``exact`` computes the same numbers in 32 bits, ``int8`` in whole numbers of eight bits whose ranges NNCF finds out from
calibration pairs; how much that changes is for the caller to measure and print (:func:`tier_loss`). Batches have a few
fixed shapes, because OpenVINO's memory grows with every new one.
"""

from __future__ import annotations

import io
import logging
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import torch

from otherwords.engine import cores
from otherwords.errors import MissingExtra, UsageError
from otherwords.learn.data.task import LabelTask, Probabilities
from otherwords.learn.ladder import PairClassifier
from otherwords.learn.neural.pair_tokens import PairTokens, TokenReader
from otherwords.learn.neural.trained import NeuralClassifier

Tier = Literal["exact", "int8"]
EXTRA = "int8"
WIDTHS = (16, 24, 32, 40, 48, 64, 80, 96, 128, 192, 256, 384, 512)
TOKENS = 1_024  # of a batch
CALIBRATION_PAIRS = 300  # NNCF's own number
Arrays = Mapping[str, npt.NDArray[np.int64]]


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
    graph: Any
    _compiled: dict[int, Any] = field(default_factory=dict, repr=False)

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
        widths = np.array([*(width for width in WIDTHS if width < reader.longest), reader.longest])
        buckets = np.searchsorted(widths, tokens.lengths)
        for number in np.unique(buckets).tolist():
            self._bucket(tokens, np.flatnonzero(buckets == number), int(widths[number]), tables)
        return self.original.heads(tables)

    def save(self, folder: Path) -> None:
        self.original.save(folder)

    def _bucket(self, tokens: PairTokens, rows: npt.NDArray[np.int64], width: int, tables: list[Probabilities]) -> None:
        """Compute the pairs of one width; the last batch is filled up with its first pair."""
        size = batch_size(width)
        queue = self._queue(width)

        def keep(request: Any, batch: npt.NDArray[np.int64]) -> None:
            for number, table in enumerate(tables):
                logits = request.get_output_tensor(number).data[: len(batch)].astype(np.float64)
                shares = np.exp(logits - logits.max(axis=1, keepdims=True))
                table[batch] = shares / shares.sum(axis=1, keepdims=True)

        queue.set_callback(keep)
        for start in range(0, len(rows), size):
            batch = rows[start : start + size]
            filled = np.concatenate([batch, np.repeat(batch[:1], size - len(batch))])
            queue.start_async(self._inputs(tokens.arrays(filled, None, width)), batch)
        queue.wait_all()

    def _inputs(self, arrays: Arrays) -> dict[str, npt.NDArray[np.int64]]:
        return {name: arrays[name] for name in input_names(self.original)}

    def _queue(self, width: int) -> Any:
        if width not in self._compiled:
            import openvino as ov

            graph = self.graph.clone()
            names = input_names(self.original)
            graph.reshape({name: [batch_size(width), 4 if name == "spans" else width] for name in names})
            streams = str(cores())
            settings = {"NUM_STREAMS": streams, "INFERENCE_NUM_THREADS": streams, "INFERENCE_PRECISION_HINT": "f32"}
            self._compiled[width] = ov.AsyncInferQueue(ov.Core().compile_model(graph, "CPU", settings), cores())
        return self._compiled[width]


def batch_size(width: int) -> int:
    """How many pairs of a width are computed together."""
    return max(1, TOKENS // width)


def faster(
    classifier: PairClassifier, tier: Tier, calibration: tuple[pa.Array, pa.Array] | None = None
) -> FastClassifier:
    """A faster form of a trained encoder; ``int8`` needs pairs like those that it will read."""
    if not isinstance(classifier, NeuralClassifier) or not isinstance(classifier.reader, TokenReader):
        message = "only classifiers on an encoder have faster forms (transformer, four-heads); leave out --tier"
        raise UsageError(message, code="no-tier")
    if tier == "int8" and (calibration is None or not len(calibration[0])):
        raise UsageError("int8 needs pairs to calibrate it with", code="no-calibration")
    try:
        import openvino as ov

        if tier == "int8":
            import nncf
    except ImportError:
        raise MissingExtra(EXTRA, f"the tier {tier}") from None
    graph = _quiet(lambda: _graph(ov, classifier))
    if tier == "exact" or calibration is None:
        return FastClassifier(classifier, graph)
    columns = [column.slice(0, CALIBRATION_PAIRS).to_pylist() for column in calibration]
    tokens = classifier.reader.tokens(*columns)
    names = input_names(classifier)
    rows = [tokens.arrays(np.array([row]), None) for row in range(len(columns[0]))]
    dataset = nncf.Dataset([{name: arrays[name] for name in names} for arrays in rows])
    quantized = _quiet(
        lambda: nncf.quantize(graph, dataset, model_type=nncf.ModelType.TRANSFORMER, subset_size=len(rows))
    )
    return FastClassifier(classifier, quantized)


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


def _quiet(make: Callable[[], Any]) -> Any:
    """Without the bars of the libraries, and their warnings, which are about their own future."""
    logging.getLogger("nncf").setLevel(logging.ERROR)
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        return make()
