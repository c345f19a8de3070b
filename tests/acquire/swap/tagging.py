"""Sentences of the fixtures with their tags, each tagged once for all tests; a missing tagger skips."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from otherwords.acquire.swap.records import TaggedSentence
from otherwords.errors import UsageError
from otherwords.models.answer_checks import failed_tagging
from otherwords.models.asking import ask
from otherwords.models.catalogue import tagger
from otherwords.models.defaults import default_tagger
from otherwords.models.edges import Item, TaggedText, Tagger

FOLDER = Path(__file__).parent
LANGUAGES = ("en", "es", "fi", "ru")


@cache
def tagger_of(lang: str) -> Tagger | None:
    try:
        return tagger(default_tagger(lang))
    except UsageError:
        return None


def tagged(lang: str, texts: Sequence[str]) -> list[TaggedSentence]:
    """Texts with their tags."""
    edge = tagger_of(lang)
    if edge is None:
        pytest.skip(f"the tagger of {lang} is not installed")
    items = [Item(str(number), text) for number, text in enumerate(texts)]
    answers = ask(edge, edge.tag, items, kind=TaggedText, check=failed_tagging).answers
    assert [answer.reason for answer in answers if answer.reason] == []
    return [
        TaggedSentence(item.id, item.text, lang, answer.value)
        for item, answer in zip(items, answers, strict=True)
        if answer.value is not None
    ]


def fixture_sentences(lang: str) -> list[str]:
    return (FOLDER / f"sentences.{lang}.txt").read_text(encoding="utf-8").splitlines()


@cache
def fixture_tags(lang: str) -> list[TaggedSentence]:
    """The two hundred sentences of a language, tagged."""
    return tagged(lang, fixture_sentences(lang))
