"""Causal language models of Hugging Face as generators: ``hf:PATH?decoding=top-k&seed=1&tokens=60``.

With ``chat=true`` the prompt becomes the message of a user, in the model's own template. ``stop`` ends an answer: a
base model, which would go on and on, is asked for one line with ``stop=%0A``.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from otherwords.models.catalogue import path_and_options
from otherwords.models.edges import SECONDS_IN_PROCESS, Item, Reply, well_formed
from otherwords.models.hugging_face import folder_hash, load_model, model_folder, require
from otherwords.models.model_files import SHOWN
from otherwords.models.text_generation import DecodingOptions, LoadedWriter


class ContinuationOptions(DecodingOptions, frozen=True, kw_only=True):
    """How to ask, and where an answer ends."""

    chat: bool = False
    stop: str = ""


@dataclass(slots=True)
class CausalGenerator:
    """A causal language model that continues prompts; ``loading`` are further arguments for loading it."""

    name: str
    folder: Path
    options: ContinuationOptions
    model_signature: str
    loading: dict[str, Any] = field(default_factory=dict)
    seconds_per_call: float = SECONDS_IN_PROCESS
    n_best: int = 1  # beams whose answers ``generate_best`` gives
    _writer: LoadedWriter | None = field(default=None, repr=False)
    _lock: Any = field(default_factory=threading.Lock, repr=False)

    @property
    def signature(self) -> str:
        marks = [
            *(["chat"] if self.options.chat else []),
            *([f"stop:{self.options.stop!r}"] if self.options.stop else []),
            *([f"n-best:{self.n_best}"] if self.n_best > 1 else []),
        ]
        return "|".join([self.model_signature, *marks, self.options.signature])

    @property
    def batch_size(self) -> int:
        """As many as are computed together: each call has its own time-out."""
        return self.options.batch

    def generate(self, items: Sequence[Item]) -> Iterator[Reply[str]]:
        """The continuations."""
        with self._lock:
            self._writer = self._writer or self._loaded()
            yield from self._writer.write(items, self._prompts(items))

    def generate_best(self, items: Sequence[Item]) -> Iterator[Reply[list[str]]]:
        """Several continuations each, those of the best beams."""
        with self._lock:
            self._writer = self._writer or self._loaded()
            yield from self._writer.write_best(items, self._prompts(items), self.n_best)

    def close(self) -> None:
        self._writer = None

    def _prompts(self, items: Sequence[Item]) -> dict[str, str]:
        return {item.id: self._prompt(well_formed(item.text)) for item in items}

    def _prompt(self, text: str) -> str:
        if not self.options.chat or self._writer is None:
            return text
        message = [{"role": "user", "content": text}]
        templated: str = self._writer.tokenizer.apply_chat_template(message, tokenize=False, add_generation_prompt=True)
        return templated

    def _loaded(self) -> LoadedWriter:
        torch, _ = require(self.name)
        tokenizer, model = load_model(self.folder, "causal", self.options.device, **self.loading)
        tokenizer.padding_side = "left"
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = tokenizer.eos_token
        more: dict[str, Any] = {"pad_token_id": tokenizer.pad_token_id}
        return LoadedWriter(self.name, torch, tokenizer, model, self.options, more, self.options.stop)


def build(what: str) -> CausalGenerator:
    """The generator in a folder, or of a name on the hub."""
    path, options = path_and_options("hf", what, ContinuationOptions)
    require(f"hf:{what}")
    folder = model_folder(path, options.sha256)
    return CausalGenerator(f"hf:{what}", folder, options, f"hf-causal|folder:{folder_hash(folder)[:SHOWN]}")
