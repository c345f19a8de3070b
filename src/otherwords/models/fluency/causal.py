"""Causal language models of Hugging Face as a measure of fluency: ``hf:PATH``.

The probability of a text is that of its tokens after the begin of a text. The end is not predicted: such models end
documents, not sentences. Log probabilities are rounded to four digits, because the last ones depend on the number of
threads.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from otherwords.models.catalogue import path_and_options
from otherwords.models.edges import SECONDS_IN_PROCESS, Item, Reply, TextProbability, well_formed
from otherwords.models.hugging_face import FolderOptions, failures_of, folder_hash, load_model, model_folder, require
from otherwords.models.model_files import SHOWN
from otherwords.models.text_generation import LONGEST_NAMED

BATCH = 32
DIGITS = 4
NO_WORDS = "the text has no words"


@dataclass(slots=True)
class CausalFluency:
    """A causal language model; ``loading`` are further arguments for loading it."""

    name: str
    folder: Path
    options: FolderOptions
    signature: str
    loading: dict[str, Any] = field(default_factory=dict)
    batch_size: int = BATCH
    seconds_per_call: float = SECONDS_IN_PROCESS
    _loaded: tuple[Any, Any, Any] | None = field(default=None, repr=False)
    _lock: Any = field(default_factory=threading.Lock, repr=False)

    def log_probabilities(self, items: Sequence[Item]) -> Iterator[Reply[TextProbability]]:
        """The log10 probability of each text."""
        with self._lock:
            if self._loaded is None:
                torch, _ = require(self.name)
                self._loaded = (torch, *load_model(self.folder, "causal", self.options.device, **self.loading))
            for item in items:
                with failures_of(self.name):
                    yield _reply(item, *self._loaded)

    def close(self) -> None:
        self._loaded = None


def _reply(item: Item, torch: Any, tokenizer: Any, model: Any) -> Reply[TextProbability]:
    tokens = tokenizer(well_formed(item.text), add_special_tokens=False)["input_ids"]
    begin = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id
    ids = tokens if begin is None else [begin, *tokens]
    if not item.text.strip() or len(ids) < 2:
        return Reply(item.id, None, NO_WORDS)
    limit = getattr(model.config, "max_position_embeddings", None) or LONGEST_NAMED
    if len(ids) > limit:
        return Reply(item.id, None, f"the text is longer than the model can read ({limit} tokens)")
    with torch.inference_mode():
        row = torch.tensor([ids], device=model.device)
        logits = model(input_ids=row).logits[0, :-1].double()
        chosen = torch.log_softmax(logits, -1).gather(1, row[0, 1:, None])
    log10 = round(float(chosen.sum()) / math.log(10), DIGITS)
    return Reply(item.id, TextProbability(log10, len(ids) - 1))


def build(what: str) -> CausalFluency:
    """The language model in a folder, or of a name on the hub."""
    path, options = path_and_options("hf", what, FolderOptions)
    require(f"hf:{what}")
    folder = model_folder(path, options.sha256)
    return CausalFluency(f"hf:{what}", folder, options, f"hf-causal|folder:{folder_hash(folder)[:SHOWN]}")
