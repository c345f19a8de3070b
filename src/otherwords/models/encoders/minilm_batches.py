"""MiniLM for millions of sentences: batches by number of tokens in a few fixed shapes, on all cores.

The edge ``minilm`` computes each text by itself, so that neighbours change nothing. Here texts of about the same length
are computed together, which is faster and moves the last digits. ``int8`` computes in whole numbers of eight bits; how
much that changes is for the caller to measure and print.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any

import numpy as np
import numpy.typing as npt

from otherwords.errors import UsageError
from otherwords.models.edges import well_formed
from otherwords.models.encoders.minilm import DIMENSION, LONGEST, WEIGHTS, load_tokenizer, load_weights
from otherwords.models.fixed_shapes import (
    CALIBRATION_INPUTS,
    Tier,
    compute,
    padded,
    quantized,
    request_queue,
    require_tier,
)
from otherwords.models.model_files import SHOWN


@dataclass(slots=True)
class MiniLMBatches:
    """The encoder in a form for many texts; ``calibration`` are texts like those that it will read, for int8."""

    tier: Tier = "exact"
    calibration: Sequence[str] = ()
    _tokenizer: Any = field(default=None, repr=False)
    _queue: Any = field(default=None, repr=False)

    @property
    def signature(self) -> str:
        runtime = f"openvino-{version('openvino')}" + (f"|nncf-{version('nncf')}" if self.tier == "int8" else "")
        return f"minilm|file:{WEIGHTS[1][:SHOWN]}|tier:{self.tier}|runtime:{runtime}"

    @property
    def dimension(self) -> int:
        return DIMENSION

    def vectors(self, texts: Sequence[str]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """A vector for each text, and which texts have one: those that the model can read."""
        self._load()
        rows = [encoding.ids for encoding in self._tokenizer.encode_batch([well_formed(text) for text in texts])]
        lengths = np.array([len(row) for row in rows], np.int64)
        vectors = np.zeros((len(texts), DIMENSION), np.float32)

        def inputs(batch: npt.NDArray[np.int64], width: int) -> Any:
            return padded([rows[place] for place in batch.tolist()], width)

        def keep(request: Any, batch: npt.NDArray[np.int64]) -> None:
            vectors[batch] = request.get_output_tensor(0).data[: len(batch)]

        compute(self._queue, lengths, LONGEST, inputs, keep)
        return vectors, lengths <= LONGEST

    def close(self) -> None:
        self._tokenizer, self._queue = None, None

    def _load(self) -> None:
        if self._queue is not None:
            return
        require_tier(self.tier)
        from otherwords.models.encoders.bert_graph import masked_graph

        self._tokenizer = load_tokenizer()
        graph = masked_graph(load_weights())
        self._queue = request_queue(graph if self.tier == "exact" else quantized(graph, self._calibration_inputs()))

    def _calibration_inputs(self) -> list[Any]:
        encodings = self._tokenizer.encode_batch([well_formed(text) for text in self.calibration])
        rows = [encoding.ids for encoding in encodings if len(encoding.ids) <= LONGEST][:CALIBRATION_INPUTS]
        if not rows:
            raise UsageError("int8 needs texts to calibrate it with", code="no-calibration")
        return [padded([row], len(row)) for row in rows]
