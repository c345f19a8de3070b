"""Russian by Natasha's small models of news: words, features, dependencies and names, all in one package.

Lemmas come from pymorphy3, by the reading that fits the features that Natasha found.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from typing import Any

from otherwords.errors import MissingExtra, UsageError
from otherwords.models.edges import Item, Reply, TaggedSpan, TaggedText, TaggedToken
from otherwords.text.lemmas import lemmatiser
from otherwords.text.russian import russian_readings

BATCH = 64
LEFT_OF_A_NOUN = frozenset({"amod", "det", "nummod", "nummod:gov", "nummod:entity"})


@dataclass
class NatashaTagger:
    """Natasha's tagger, parser and finder of names."""

    segmenter: Any
    steps: tuple[Any, ...]
    batch_size: int = BATCH
    name: str = "natasha"
    language: str = "ru"
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def signature(self) -> str:
        packages = ("natasha", "slovnet", "navec", "razdel")
        return "|".join(["natasha", *(f"{package}:{version(package)}" for package in packages)])

    def tag(self, items: Sequence[Item]) -> Iterator[Reply[TaggedText]]:
        """The words of each text, one text after the other."""
        with self._lock:
            for item in items:
                yield Reply(item.id, self._tagged(item.text))

    def close(self) -> None:
        """Nothing to end."""

    def _tagged(self, text: str) -> TaggedText:
        from natasha import Doc

        doc = Doc(text)
        doc.segment(self.segmenter)
        tag, parse, find_names = self.steps
        doc.tag_morph(tag)
        doc.parse_syntax(parse)
        doc.tag_ner(find_names)
        numbers = {token.id: number for number, token in enumerate(doc.tokens)}
        tokens = tuple(
            TaggedToken(
                token.start,
                token.stop,
                _lemma(token),
                token.pos,
                "|".join(f"{name}={value}" for name, value in sorted(token.feats.items())),
                numbers.get(token.head_id, -1),
                token.rel or "",
            )
            for token in doc.tokens
        )
        entities = tuple(TaggedSpan(span.start, span.stop, span.type) for span in doc.spans)
        return TaggedText(tokens, entities, noun_phrases(tokens))


def _lemma(token: Any) -> str:
    """The lemma of the first reading that fits what Natasha found, or of the likeliest one."""
    fitting = russian_readings(token.text, token.pos, token.feats)
    return str(fitting[0].normal_form) if fitting else lemmatiser("ru").lemma(token.text)


@cache  # loading takes seconds
def build(what: str) -> NatashaTagger:
    """The tagger; it has no variants."""
    if what:
        raise UsageError(f"natasha:{what}: natasha has one model only; write natasha", code="bad-model-name")
    try:
        from natasha import NewsEmbedding, NewsMorphTagger, NewsNERTagger, NewsSyntaxParser, Segmenter
    except ImportError as problem:
        raise MissingExtra("tagger-ru", "the tagger natasha") from problem
    vectors = NewsEmbedding()
    return NatashaTagger(Segmenter(), (NewsMorphTagger(vectors), NewsSyntaxParser(vectors), NewsNERTagger(vectors)))


def noun_phrases(tokens: Sequence[TaggedToken]) -> tuple[TaggedSpan, ...]:
    """Nouns with the adjectives, determiners and numbers right before them that depend on them."""
    found = []
    for number, token in enumerate(tokens):
        if token.pos not in ("NOUN", "PROPN"):
            continue
        first = number
        while first > 0 and _belongs(tokens[first - 1], token, number):
            first -= 1
        found.append(TaggedSpan(tokens[first].start, token.end))
    return tuple(found)


def _belongs(before: TaggedToken, noun: TaggedToken, number: int) -> bool:
    cases = [_case(token) for token in (before, noun)]
    agrees = None in cases or cases[0] == cases[1] or before.relation.startswith("nummod")
    return before.head == number and before.relation in LEFT_OF_A_NOUN and agrees


def _case(token: TaggedToken) -> str | None:
    return next((feature for feature in token.features.split("|") if feature.startswith("Case=")), None)
