"""Encoders in a folder of sentence-transformers: ``hf:PATH``, or ``hf:PATH?prefix=query: `` for models that expect one.

A plain model of transformers, without the file that says how its vectors become one, needs ``pooling=mean`` or
``pooling=cls``. Texts are computed one at a time, unless ``batch`` is in the name.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from otherwords.errors import DataError, MissingExtra, UsageError
from otherwords.models.catalogue import path_and_options
from otherwords.models.edges import SECONDS_IN_PROCESS, Item, Reply, TokenVectors, well_formed
from otherwords.models.encoders.unit_vectors import Vector, unit
from otherwords.models.hugging_face import (
    EXTRA,
    LOADING,
    FolderOptions,
    failures_of,
    first_line,
    folder_hash,
    grouped,
    model_folder,
    require,
    torch_device,
)
from otherwords.models.model_files import SHOWN

BATCH = 64


class EncoderOptions(FolderOptions, frozen=True, kw_only=True):
    """What stands before each text, and how vectors of tokens become that of a text."""

    prefix: str = ""
    pooling: Literal["", "mean", "cls"] = ""


@dataclass(slots=True)
class SentenceEncoder:
    """An encoder in a folder; it is loaded for the first text, or to learn how long its vectors are."""

    name: str
    folder: Path
    options: EncoderOptions
    languages: tuple[str, ...] = ()
    batch_size: int = BATCH
    seconds_per_call: float = SECONDS_IN_PROCESS
    _model: Any = field(default=None, repr=False)
    _lock: Any = field(default_factory=threading.RLock, repr=False)

    @property
    def signature(self) -> str:
        options = self.options
        marks = [
            f"{mark}:{value}" for mark, value in (("prefix", options.prefix), ("pooling", options.pooling)) if value
        ]
        parts = [f"folder:{folder_hash(self.folder)[:SHOWN]}", *marks]
        return "|".join(["hf-encoder", *parts, *([f"batch:{options.batch}"] if options.batch > 1 else [])])

    @property
    def dimension(self) -> int:
        return int(self._loaded().get_embedding_dimension())

    def encode(self, items: Sequence[Item]) -> Iterator[Reply[Vector]]:
        """The vectors."""
        for item, vector in self._computed(items, "sentence_embedding"):
            if isinstance(vector, str):
                yield Reply(item.id, None, vector)
            else:
                yield Reply(item.id, np.zeros(self.dimension, np.float32) if vector is None else unit(vector))

    def encode_tokens(self, items: Sequence[Item]) -> Iterator[Reply[TokenVectors]]:
        """The vectors of the tokens of each text."""
        for item, rows in self._computed(items, "token_embeddings"):
            if isinstance(rows, str):
                yield Reply(item.id, None, rows)
            elif rows is None:
                yield Reply(item.id, TokenVectors(np.zeros((0, self.dimension), np.float32), np.zeros(0, bool)))
            else:
                marks = self._loaded().tokenizer(self._text(item), return_special_tokens_mask=True)
                own = np.array(marks["special_tokens_mask"], np.int64) == 0
                yield Reply(item.id, TokenVectors(np.asarray(rows.cpu(), np.float32), own))

    def _computed(self, items: Sequence[Item], output: str) -> Iterator[tuple[Item, Any]]:
        """For each text what was computed, None if there is nothing in it, or why it was not."""
        with self._lock:
            model, fitting = self._loaded(), []
            longest = int(model.get_max_seq_length() or 10**6)
            lengths = {item.id: len(model.tokenizer(self._text(item))["input_ids"]) for item in items}
            for item in items:
                if not item.text.strip():
                    yield item, None
                elif lengths[item.id] > longest:
                    yield item, f"the text is longer than the model can read ({longest} tokens)"
                else:
                    fitting.append(item)
            for group in grouped(fitting, self.options.batch, lambda item: lengths[item.id]):
                with failures_of(self.name):
                    texts = [self._text(item) for item in group]
                    vectors = model.encode(texts, batch_size=len(texts), show_progress_bar=False, output_value=output)
                yield from zip(group, vectors, strict=True)

    def close(self) -> None:
        self._model = None

    def _text(self, item: Item) -> str:
        return self.options.prefix + well_formed(item.text)

    def _loaded(self) -> Any:
        with self._lock:
            if self._model is None:
                self._model = _load(self.folder, self.options)
            return self._model


def build(what: str) -> SentenceEncoder:
    """The encoder in a folder, or of a name on the hub."""
    path, options = path_and_options("hf", what, EncoderOptions)
    _library(f"hf:{what}")
    folder = model_folder(path, options.sha256)
    if not options.pooling and not (folder / "modules.json").is_file():
        message = (
            f"{folder}: has no modules.json; say how the vectors of tokens become one: ?pooling=mean or ?pooling=cls"
        )
        raise UsageError(message, code="bad-model-option")
    return SentenceEncoder(f"hf:{what}", folder, options)


def _library(what: str) -> Any:
    require(what)
    with LOADING:
        try:
            import sentence_transformers
        except ImportError:
            raise MissingExtra(EXTRA, what) from None
    return sentence_transformers


def _load(folder: Path, options: EncoderOptions) -> Any:
    library = _library(f"hf:{folder}")
    torch, _ = require(f"hf:{folder}")
    device = torch_device(torch, options.device)
    try:
        if not options.pooling:
            return library.SentenceTransformer(str(folder), device=device, local_files_only=True)
        from sentence_transformers.sentence_transformer import modules

        tokens = modules.Transformer(str(folder))
        pooling = modules.Pooling(tokens.get_embedding_dimension(), pooling_mode=options.pooling)
        return library.SentenceTransformer(modules=[tokens, pooling], device=device)
    except Exception as problem:  # noqa: BLE001 (safetensors and tokenizers raise bare ones for damaged files)
        message = f"cannot be loaded as an encoder: {first_line(problem)}"
        raise DataError(message, folder, code="wrong-model") from None
