"""The cosine of the vectors that an encoder gives two texts: closeness of meaning, as far as the encoder knows it.

The encoder is named as everywhere (:mod:`otherwords.models.catalogue`): ``cosine:model=minilm``. It is built when the
first texts come. A text is encoded once in a block, however often it occurs there. A text that has nothing in it that
the encoder knows has cosine 0 with every text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from otherwords.errors import DataError
from otherwords.measures import Measure
from otherwords.measures.columns import Floats, Texts, same_length, text_array
from otherwords.measures.options import Options, signature

if TYPE_CHECKING:
    from otherwords.models.edges import Encoder


@dataclass(frozen=True)
class EncoderCosine(Measure):
    """Cosine of the vectors of an encoder."""

    model: str
    name: str = "cosine"
    range: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    any_language: ClassVar[bool] = True
    _lock: Lock = field(default_factory=Lock, repr=False, compare=False)  # few encoders can do two things at once

    @classmethod
    def build(cls, options: Options) -> EncoderCosine:
        return cls(options.text("model", "an encoder, such as minilm"), options.spec)

    @cached_property
    def encoder(self) -> Encoder:
        from otherwords.models.catalogue import encoder

        return encoder(self.model)

    def signature(self) -> str:
        return signature("cosine", {"model": self.encoder.signature.replace("|", ";") if self.model else "NAME"})

    def scores(self, texts1: Texts, texts2: Texts) -> Floats:
        first, second = self.vectors(texts1, texts2)
        scores = np.einsum("ij,ij->i", first, second) if len(first) else np.zeros(0)
        return np.clip(scores, -1.0, 1.0, out=scores)

    def vectors(self, texts1: Texts, texts2: Texts) -> tuple[Floats, Floats]:
        """The vectors of both columns, of length 1; zeros for a text with nothing in it that the encoder knows."""
        from otherwords.models.asking import ask
        from otherwords.models.edges import Item

        column1, column2 = text_array(texts1).to_pylist(), text_array(texts2).to_pylist()
        same_length(column1, column2)
        places = {text: place for place, text in enumerate(dict.fromkeys(column1 + column2))}
        items = [Item(str(place), text) for text, place in places.items()]
        with self._lock:
            asked = ask(self.encoder, self.encoder.encode, items, kind=np.ndarray)
        if reasons := asked.reasons:
            [(reason, _)] = reasons.most_common(1)
            count = f"{reasons.total():,} of {len(items):,} texts"
            raise DataError(f"{self.model}: {count} could not be encoded: {reason}", code="not-encoded")
        if not items:
            return np.zeros((0, 0)), np.zeros((0, 0))
        vectors = np.stack([np.asarray(answer.value, np.float64) for answer in asked.answers])
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
        return vectors[[places[text] for text in column1]], vectors[[places[text] for text in column2]]
