"""Fluency: how probable a language model finds the words of a text, per token; the worse of the two texts counts.

What is a good value depends on the model, so there is no usual bound: ``otherwords filter --propose`` shows what the
values are like.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import ClassVar

import numpy as np

from otherwords.acquire.filters.rule import BlockTexts, BoundedValue, Bounds, Decision, Rule
from otherwords.measures.options import Options, signature
from otherwords.models.asking import ask
from otherwords.models.catalogue import fluency_model
from otherwords.models.edges import FluencyModel, Item, TextProbability

NO_ANSWER = 3


@dataclass(frozen=True)
class Fluency(Rule):
    """The log10 probability of a token."""

    model_name: str
    bounds: Bounds
    name: str = "fluency"
    any_language: ClassVar[bool] = True
    uses_model: ClassVar[bool] = True
    _lock: Lock = field(default_factory=Lock, repr=False, compare=False)

    @classmethod
    def build(cls, options: Options) -> Fluency:
        model = options.text("model", "a language model, such as kenlm:news.arpa")
        return cls(model, Bounds.of(options, "log10 probability of a token"), options.spec)

    @cached_property
    def model(self) -> FluencyModel:
        return fluency_model(self.model_name)

    @property
    def reasons(self) -> Sequence[str]:
        below, above = "a text is less probable than {} per token", "a text is more probable than {} per token"
        return *self.bounds.reasons(below, above), "the language model gave no answer"

    @property
    def bounded(self) -> Sequence[BoundedValue]:
        return (BoundedValue("log10 probability of a token"),)

    def signature(self) -> str:
        return signature("fluency", {**self.bounds.parts(), "model": self.model.signature.replace("|", ";")})

    def decide(self, texts: BlockTexts) -> Decision:
        both = [*texts.first.to_pylist(), *texts.second.to_pylist()]
        with self._lock:
            items = [Item(str(place), text) for place, text in enumerate(both)]
            asked = ask(self.model, self.model.log_probabilities, items, kind=TextProbability)
        values = np.array([np.nan if value is None else value.per_token for value in asked.values()])
        worse = np.minimum(values[: len(texts)], values[len(texts) :])
        verdicts = self.bounds.verdicts(worse)
        verdicts[np.isnan(worse)] = NO_ANSWER
        return Decision(verdicts, worse)
