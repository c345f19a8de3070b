"""Encoder-decoder models of Hugging Face as translators: ``hf:PATH?from=en&to=es&decoding=beam``.

The name says the pair of languages and how to decode: one model asked in three ways is three translators. Models for
many languages also need to know which is meant: ``source`` and ``target`` are their own codes (``eng_Latn``),
``prefix`` is what they expect before the text (``translate English to German: ``, ``%3E%3Espa%3C%3C ``).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from otherwords.errors import DataError, UsageError
from otherwords.models.catalogue import path_and_options
from otherwords.models.edges import SECONDS_IN_PROCESS, Item, Reply, well_formed
from otherwords.models.hugging_face import folder_hash, load_model, model_folder, require
from otherwords.models.model_files import SHOWN
from otherwords.models.text_generation import DecodingOptions, LoadedWriter
from otherwords.text.languages import language


class TranslationOptions(DecodingOptions, frozen=True, kw_only=True, rename={"from_": "from"}):
    """The languages, and what a model for many languages expects."""

    from_: str = ""
    to: str = ""
    source: str = ""
    target: str = ""
    prefix: str = ""


@dataclass(slots=True)
class Seq2Seq:
    """An encoder-decoder that translates, or writes in the language it reads."""

    name: str
    folder: Path
    options: TranslationOptions
    languages: tuple[str, str]
    seconds_per_call: float = SECONDS_IN_PROCESS
    n_best: int = 1  # beams whose answers ``translate_best`` gives
    _writer: LoadedWriter | None = field(default=None, repr=False)
    _lock: Any = field(default_factory=threading.Lock, repr=False)

    @property
    def signature(self) -> str:
        marks = [f"{mark}:{value}" for mark, value in self._marks().items() if value]
        parts = [f"folder:{folder_hash(self.folder)[:SHOWN]}", *marks, self.options.signature]
        return "|".join(["hf-seq2seq", *parts, *([f"n-best:{self.n_best}"] if self.n_best > 1 else [])])

    @property
    def batch_size(self) -> int:
        """As many as are computed together: each call has its own time-out."""
        return self.options.batch

    def _marks(self) -> dict[str, str]:
        return {"source": self.options.source, "target": self.options.target, "prefix": self.options.prefix}

    def translate(self, items: Sequence[Item]) -> Iterator[Reply[str]]:
        """The translations."""
        with self._lock:
            self._writer = self._writer or self._loaded()
            yield from self._writer.write(items, self._inputs(items))

    def translate_best(self, items: Sequence[Item]) -> Iterator[Reply[list[str]]]:
        """Several translations each, those of the best beams."""
        with self._lock:
            self._writer = self._writer or self._loaded()
            yield from self._writer.write_best(items, self._inputs(items), self.n_best)

    def _inputs(self, items: Sequence[Item]) -> dict[str, str]:
        return {item.id: self.options.prefix + well_formed(item.text) for item in items}

    def close(self) -> None:
        self._writer = None

    def _loaded(self) -> LoadedWriter:
        torch, _ = require(self.name)
        tokenizer, model = load_model(self.folder, "seq2seq", self.options.device)
        more: dict[str, Any] = {}
        if self.options.source:
            tokenizer.src_lang = self._known(tokenizer, self.options.source)
        if self.options.target:
            more["forced_bos_token_id"] = tokenizer.convert_tokens_to_ids(self._known(tokenizer, self.options.target))
        return LoadedWriter(self.name, torch, tokenizer, model, self.options, more)

    def _known(self, tokenizer: Any, code: str) -> str:
        if tokenizer.convert_tokens_to_ids(code) in (None, tokenizer.unk_token_id):
            raise DataError(f"the model knows no language {code!r}", self.folder, code="unknown-model-language")
        return code


def build(what: str) -> Seq2Seq:
    """The translator in a folder, or of a name on the hub."""
    path, options = path_and_options("hf", what, TranslationOptions)
    if not options.from_ or not options.to:
        message = f"hf:{what}: a translator needs its languages, as in hf:{path}?from=en&to=es"
        raise UsageError(message, code="bad-model-name")
    require(f"hf:{what}")
    folder = model_folder(path, options.sha256)
    return Seq2Seq(f"hf:{what}", folder, options, (language(options.from_), language(options.to)))
